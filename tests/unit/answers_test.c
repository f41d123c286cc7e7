/*
 * answers_test.c - what a real scontrol 22.05 answered, and what its show commands said afterwards (tests/recorded/updates), against ours: every line of
 * answers.txt and more.txt about partitions, nodes and the controller.
 *
 * Lines that cannot be equal stand in differs[], with the reason.
 */
#include "scenarios/scenario.h"
#include "sim/commands.h"
#include "sim/scontrol_rest.h"
#include "tools/show.h"
#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define RECORDS "tests/recorded/updates/"
#define HEAD                                                                                                           \
	"SchedulerType=sched/backfill\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nReturnToService=0\n" \
	"PriorityType=priority/multifactor\n"

#define INVALID "slurmctld had found the nodes of this run invalid"

static const struct differs {
	const char *section, *command, *why;
} differs[] = {
    {"nodes", "scontrol update node=ALL weight=5", "recorded while some nodes were FUTURE"},
    {"partitions", "scontrol update partition=other minnodes=x", "ours refuses it; scontrol complains, and sets 4294967295"},
    {"partitions", "scontrol update partition=other maxtime=9 maxnodes=x", "ours changes nothing; scontrol sends what it has read so far"},
    {"partitions", "scontrol update partition=other maxtime=9 nodes=n99", "ours changes nothing; slurmctld empties the partition"},
    {"partitions", "scontrol update partition=other denyqos=", "shown as AllowQos=ALL"},
    {"partitions", "scontrol update partition=other cpubind=core", "not kept, as nothing is bound"},
    {"partitions", "scontrol update partition=other part=x", "that nothing is changed is told first"},
    {"verbs", "scontrol write batch_script 1 -", "there are no scripts"},
    {"verbs", "scontrol write batch_script 1", "there are no scripts"},
    {"verbs", "scontrol write config", "the tool writes it (tools/scontrol_answer.c)"},
    {"waiting", "scontrol write config /tmp/rx-conf-out", "the tool writes it"},
    {"verbs", "scontrol fsdampeningfactor x", "refused; scontrol says the same and ends with 0"},
    {"verbs", "scontrol fsdampeningfactor 0", "refused; scontrol says the same and ends with 0"},
    {"verbs", "scontrol ping foo", "printed by the tool"},
    {"verbs", "scontrol version foo", "printed by the tool"},
    {"waiting", "scontrol ping", "printed by the tool"},
    {"verbs", "scontrol uhold", "of jobs"},
    {"verbs", "scontrol power", "a verb of later releases"},
    {"waiting", "scontrol power x", "a verb of later releases"},
    {"waiting", "scontrol update node=n03 gres=gpu:1", INVALID},
    {"waiting", "scontrol update node=n03 state=future", INVALID},
    {"waiting", "scontrol update node=n03 state=undrain", INVALID},
    {"waiting", "scontrol update node=n03 state=resume", INVALID},
    {"waiting", "scontrol update node=n03 state=idle", INVALID},
    {"waiting", "scontrol takeover", "the record is cut off"}};

static const char *difference(const char *section, const char *command)
{
	for (guint i = 0; i < G_N_ELEMENTS(differs); i++)
		if ((!differs[i].section || strcmp(differs[i].section, section) == 0) && strcmp(differs[i].command, command) == 0)
			return differs[i].why;
	return NULL;
}

/* ---- a cluster to play on ---- */

static const struct site {
	const char *section, *conf, *gres, *jobs;
	int start; /* of the commands, in seconds */
	bool other; /* of answers.txt */
} sites[] = {
    {"nodes",
     HEAD "GresTypes=gpu\nNodeName=n[01-04] CPUs=4 RealMemory=4000 Gres=gpu:2 Feature=a,c\nNodeName=n[05-14] CPUs=4 RealMemory=4000 Weight=5 Feature=b\n"
	  "PartitionName=batch Nodes=ALL Default=YES\n",
     "NodeName=n[01-04] Name=gpu File=/dev/nvidia[0-1]\n",
     "{\"name\": \"on5\", \"at\": 0, \"user\": \"alice\", \"ntasks\": 4, \"nodelist\": \"n05\", \"mem\": \"100\", \"time\": 50, \"run\": 2000},"
     "{\"name\": \"on6\", \"at\": 0, \"user\": \"alice\", \"ntasks\": 4, \"nodelist\": \"n06\", \"mem\": \"100\", \"time\": 50, \"run\": 2000}",
     30, false},
    {"node states",
     HEAD "GresTypes=gpu,bw\nNodeName=n[01-04] CPUs=4 RealMemory=4000 Gres=gpu:2,bw:10 Feature=a,c\n"
	  "NodeName=n[05-08] CPUs=4 RealMemory=4000 Weight=5 Feature=b\nPartitionName=batch Nodes=ALL Default=YES\n",
     "NodeName=n[01-04] Name=gpu File=/dev/nvidia[0-1]\n", "", 30, false},
    {"partitions",
     HEAD "GresTypes=gpu\nNodeName=n[01-04] CPUs=4 RealMemory=4000 Gres=gpu:2 Feature=a,c\nNodeName=n[05-14] CPUs=4 RealMemory=4000 Weight=5 Feature=b\n"
	  "PartitionName=DEFAULT MaxTime=77\nPartitionName=batch Nodes=ALL Default=YES MaxTime=120 DefaultTime=2 State=UP PriorityJobFactor=2\n"
	  "PartitionName=other Nodes=n01 MaxTime=120 DefaultTime=2 State=UP\nPartitionName=gone Nodes=n01,n02 MaxTime=120 DefaultTime=2 State=UP\n",
     "NodeName=n[01-04] Name=gpu File=/dev/nvidia[0-1]\n",
     "{\"name\": \"on5\", \"at\": 0, \"user\": \"alice\", \"ntasks\": 4, \"nodelist\": \"n05\", \"mem\": \"100\", \"time\": 50, \"run\": 2000},"
     "{\"name\": \"pend\", \"at\": 0, \"user\": \"alice\", \"partition\": \"other\", \"hold\": true, \"mem\": \"100\", \"time\": 5, \"run\": 2000}",
     30, false},
    {"verbs",
     HEAD "NodeName=n[01-04] CPUs=4 RealMemory=4000\nPartitionName=batch Nodes=ALL Default=YES\nPartitionName=other Nodes=n04\n", NULL,
     "{\"name\": \"fill8\", \"at\": 0, \"user\": \"alice\", \"mem\": \"100\", \"time\": 50, \"run\": 2000},"
     "{\"name\": \"fast\", \"at\": 0, \"user\": \"alice\", \"mem\": \"100\", \"time\": 50, \"run\": 1},"
     "{\"name\": \"w8\", \"at\": 0, \"user\": \"alice\", \"mem\": \"100\", \"time\": 50, \"run\": 1, \"hold\": true}",
     30, false},
    {"waiting", NULL, "NodeName=n[01-04] Name=gpu File=/dev/nvidia[0-1]\n",
     "{\"name\": \"done\", \"at\": 0, \"user\": \"alice\", \"mem\": \"100\", \"time\": 5, \"run\": 1, \"hold\": true},"
     "{\"name\": \"run\", \"at\": 0, \"user\": \"alice\", \"mem\": \"100\", \"time\": 50, \"run\": 2000, \"hold\": true},"
     "{\"name\": \"wait\", \"at\": 0, \"user\": \"alice\", \"partition\": \"other\", \"mem\": \"100\", \"time\": 5, \"run\": 2000, \"hold\": true}",
     30, true},
    {"running", NULL, "NodeName=n[01-04] Name=gpu File=/dev/nvidia[0-1]\n",
     "{\"name\": \"done\", \"at\": 0, \"user\": \"alice\", \"mem\": \"100\", \"time\": 5, \"run\": 1},"
     "{\"name\": \"run\", \"at\": 0, \"user\": \"alice\", \"mem\": \"100\", \"time\": 50, \"run\": 2000}",
     30, true}};

struct played {
	struct scenario *s;
	struct sim *sim;
	char *dir, *message;
	usec_t at;
};

static void note_refusal(void *data, uint32_t id, const char *label, const char *message)
{
	struct played *p = data;
	(void)id;
	(void)label;
	g_free(p->message);
	p->message = g_strdup(message);
}

static void put(const struct played *p, const char *name, const char *text)
{
	char *path = g_build_filename(p->dir, name, NULL);
	assert_true(g_file_set_contents(path, text, -1, NULL));
	g_free(path);
}

static void must(bool ok, GError *error)
{
	if (!ok)
		fail_msg("%s", error ? error->message : "failed");
}

static void advance(struct played *p, usec_t to)
{
	GError *error = NULL;
	p->at = to;
	sim_set_until(p->sim, to);
	must(sim_run(p->sim, NULL, NULL, NULL, &error), error);
}

static struct played *play_begin(const struct site *site)
{
	struct played *p = g_new0(struct played, 1);
	GError *error = NULL;
	char *conf = NULL, *json = g_strdup_printf("{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"slurm_version\": \"22.05\", \"jobs\": [%s]}", site->jobs);
	p->dir = g_dir_make_tmp("whypend-answers-XXXXXX", &error);
	must(p->dir != NULL, error);
	if (!site->conf)
		must(g_file_get_contents(RECORDS "slurm.conf", &conf, NULL, &error), error);
	put(p, "slurm.conf", site->conf ? site->conf : conf);
	put(p, "gres.conf", site->gres ? site->gres : "");
	put(p, "scenario.json", json);
	g_free(json);
	g_free(conf);
	const struct scenario_options o = {.path = p->dir};
	p->s = scenario_load(&o, &error);
	must(p->s != NULL, error);
	p->sim = scenario_start(p->s, NULL, &error);
	must(p->sim != NULL, error);
	const struct sim_hooks hooks = {.refused = note_refusal, .data = p};
	sim_set_hooks(p->sim, &hooks);
	advance(p, p->s->sim.start + site->start * USEC);
	return p;
}

static void play_end(struct played *p)
{
	static const char *const names[] = {"slurm.conf", "gres.conf", "scenario.json"};
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		char *path = g_build_filename(p->dir, names[i], NULL);
		g_unlink(path);
		g_free(path);
	}
	g_rmdir(p->dir);
	sim_free(p->sim);
	scenario_free(p->s);
	g_free(p->dir);
	g_free(p->message);
	g_free(p);
}

/* ---- one command ---- */

/* What scontrol says; NULL = nothing. */
static char *give(struct played *p, const char *command, const char *user, int *status)
{
	GError *error = NULL;
	char **words = NULL, *said = NULL;
	*status = 0;
	g_clear_pointer(&p->message, g_free);
	must(g_shell_parse_argv(command, NULL, &words, &error), error);
	GString *text = g_string_new(NULL);
	if (words[1] && scontrol_rest(p->sim, user, words + 1, text, status)) {
		said = g_strdup(text->str);
	} else if (!sim_add_command(p->sim, p->at + 20000, command, user, &error)) {
		const char *colon = strstr(error->message, "\": ");
		said = g_strdup(colon ? colon + 3 : error->message);
		*status = 1;
		g_error_free(error);
	} else {
		advance(p, p->at + 20000);
		said = g_strdup(p->message);
		*status = said != NULL;
	}
	g_string_free(text, TRUE);
	g_strfreev(words);
	return said ? said : g_strdup("");
}

/* "a\nb" as the record has it: "a / b". */
static char *in_one_line(const char *text)
{
	char **lines = g_strsplit(text, "\n", -1), *out = g_strjoinv(" / ", lines);
	g_strfreev(lines);
	return out;
}

static char *shown(const struct played *p, bool node, const char *name)
{
	const struct controller *c = sim_controller(p->sim);
	const struct job_view v = {c, usec_to_sec(sim_now(p->sim)), true};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	(node ? show_nodes : show_partitions)(out, &v, name, SHOW_ONE_LINE);
	fclose(out);
	return text;
}

/* Each KEY=VALUE of FIELDS must be in what is shown. A node's answers come when the loop turns: they are left out. */
static void compare_fields(const char *section, const char *command, const char *text, const char *fields, guint *bad)
{
	char **want = g_strsplit(fields, " ", -1);
	for (char **w = want; *w; w++) {
		char **split = g_strsplit(*w, "+NOT_RESPONDING", -1), *plain = g_strjoinv("", split);
		char *padded = g_strdup_printf(" %s ", plain), **have = g_strsplit(text, "+NOT_RESPONDING", -1), *joined = g_strjoinv("", have);
		char *all = g_strdup_printf(" %s ", g_strstrip(joined));
		if (*plain && !g_str_has_prefix(plain, "PartitionName=") && !strstr(all, padded)) {
			print_error("%s: %s\n  shows no %s in\n  %s\n", section, command, plain, all);
			++*bad;
		}
		g_free(all);
		g_free(joined);
		g_strfreev(have);
		g_free(padded);
		g_free(plain);
		g_strfreev(split);
	}
	g_strfreev(want);
}

/* The node or partition that a command is about; NULL. g_free. */
static char *about(const char *command, bool *node)
{
	*node = strstr(command, " node=") != NULL;
	const char *at = strstr(command, *node ? " node=" : "partition=");
	at = at ? strchr(at, '=') + 1 : NULL;
	return at ? g_strndup(at, strcspn(at, " ,")) : NULL;
}

static bool ours(const char *command)
{
	static const char *const begins[] = {"scontrol update node", "scontrol update part", "scontrol create", "scontrol delete", "scontrol update foo",
	                                     "scontrol update\t", "scontrol power", "scontrol foo", "scontrol setdebug", "scontrol schedloglevel", "scontrol write",
	                                     "scontrol ping", "scontrol completing", "scontrol listpids", "scontrol pidinfo", "scontrol notify",
	                                     "scontrol wait_job", "scontrol reboot", "scontrol cancel_reboot", "scontrol errnumstr", "scontrol fsdamp",
	                                     "scontrol cluster", "scontrol token", "scontrol details", "scontrol oneliner", "scontrol clear",
	                                     "scontrol checkpoint", "scontrol getaddrs", "scontrol scontrol", "scontrol shutdown", "scontrol takeover"};
	for (guint i = 0; i < G_N_ELEMENTS(begins); i++)
		if (g_str_has_prefix(command, begins[i]))
			return true;
	return strcmp(command, "scontrol update") == 0;
}

static void compare_line(struct played *p, const char *section, char **cell, bool is_alice, guint *n, guint *bad)
{
	const char *command = cell[1], *user = is_alice ? "alice" : NULL;
	int status;
	if (g_str_has_prefix(command, "sleep")) {
		advance(p, p->at + 1500000);
		return;
	}
	char *raw = give(p, command, user, &status), *said = in_one_line(raw);
	const char *why = difference(section, command);
	char *known = strstr(said, " / known are"); /* ours is helpful */
	if (known)
		*known = '\0';
	++*n;
	bool same = status == atoi(cell[2]) && strcmp(g_strstrip(said), g_strstrip(cell[3])) == 0;
	if (!same && !why) {
		print_error("%s: %s\n  real: %s %s\n  ours: %d %s\n", section, command, cell[2], cell[3], status, said);
		++*bad;
	}
	bool node;
	char *name = about(command, &node);
	if (cell[4] && *cell[4] && name && !why && !strpbrk(name, "[") && strcmp(cell[4], "gone")) {
		char **parts = g_strsplit(cell[4], "; ", -1);
		for (char **part = parts; *part; part++) {
			const char *other = g_str_has_prefix(*part, "PartitionName=") ? *part + 14 : NULL;
			char *whose = other ? g_strndup(other, strcspn(other, " ")) : g_strdup(name), *text = shown(p, node, whose);
			compare_fields(section, command, text, *part, bad);
			free(text);
			g_free(whose);
		}
		g_strfreev(parts);
	}
	g_free(name);
	g_free(raw);
	g_free(said);
}

static void play(const char *file, const struct site *site)
{
	GError *error = NULL;
	char *text = NULL;
	bool on = false, alice = false;
	guint n = 0, bad = 0;
	struct played *p = play_begin(site);
	must(g_file_get_contents(file, &text, NULL, &error), error);
	char **lines = g_strsplit(text, "\n", -1);
	for (char **l = lines; *l; l++) {
		if (g_str_has_prefix(*l, "== ")) {
			on = strcmp(*l + 3, site->section) == 0;
			continue;
		}
		char **cell = g_strsplit(*l, "\t", -1);
		if (on && g_strv_length(cell) >= 4 && (!site->other || ours(cell[1])))
			compare_line(p, site->section, cell, alice, &n, &bad);
		alice |= on && cell[0] && g_strcmp0(cell[1], "scontrol scontrol") == 0; /* from there on she types: the record's column of users is empty */
		g_strfreev(cell);
	}
	g_strfreev(lines);
	g_free(text);
	play_end(p);
	print_message("%s: %u commands, %u answered otherwise\n", site->section, n, bad);
	assert_true(n > 10);
	assert_int_equal(bad, 0);
}

static void as_recorded(void **state)
{
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(sites); i++)
		play(sites[i].other ? RECORDS "answers.txt" : RECORDS "more.txt", &sites[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_recorded)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
