/* commands.c - reading command lines; see commands.h */
#include "sim/command_read.h"
#include "sched/base/duration.h"
#include "sched/base/hostlist.h"
#include <string.h>

#define KNOWN                                                                                                          \
	"known are: scontrol hold, uhold, release, requeue, requeuehold, suspend, resume, top JOBS; scontrol update "    \
	"job=, partition=, node=, reservation= KEY=VALUE...; scontrol create, delete partition, reservation; scancel JOBS; " \
	"sacctmgr add, modify, delete; scontrol reboot [ASAP] [nextstate=RESUME|DOWN] [reason=TEXT] NODES; scontrol cancel_reboot NODES; " \
	"scontrol power up|down [ASAP|FORCE] NODES; scontrol reconfigure [FILE]; scontrol fsdampeningfactor N; restart [FILE]; " \
	"node_kill, node_start NODES; outage SECONDS; scontrol show, setdebug and the like, sinfo, squeue (do nothing)"

static const struct {
	const char *word;
	enum command_verb verb;
} job_verbs[] = {{"hold", COMMAND_HOLD},       {"uhold", COMMAND_UHOLD},   {"release", COMMAND_RELEASE},
                 {"requeue", COMMAND_REQUEUE}, {"cancel", COMMAND_CANCEL}, {"requeuehold", COMMAND_REQUEUE_HOLD},
                 {"suspend", COMMAND_SUSPEND}, {"resume", COMMAND_RESUME}, {"top", COMMAND_TOP}};

static const char *const lookers[] = {"sinfo", "squeue", "sacct", "sprio", "sshare", "sdiag", "sreport", "sstat", NULL};
static const char *const looks[] = {"show", "ping", "completing", "version", NULL}; /* of scontrol */
static const char *const not_modelled[] = {"salloc", "srun", "sattach", "sbcast", "strigger", NULL};

static bool in_list(const char *const *list, const char *word)
{
	for (; *list; list++)
		if (g_ascii_strcasecmp(*list, word) == 0)
			return true;
	return false;
}

static void pair_free(gpointer data)
{
	struct command_pair *p = data;
	g_free(p->key);
	g_free(p->value);
	g_free(p->word);
	g_free(p);
}

void command_free(struct command *c)
{
	if (!c)
		return;
	g_free(c->text);
	g_free(c->user);
	g_free(c->name);
	scancel_free(c->scancel);
	g_ptr_array_unref(c->jobs);
	g_ptr_array_unref(c->pairs);
	g_free(c);
}

const char *command_value(const struct command *c, const char *key)
{
	for (guint i = 0; i < c->pairs->len; i++) {
		const struct command_pair *p = c->pairs->pdata[i];
		if (strcmp(p->key, key) == 0)
			return p->value;
	}
	return NULL;
}

static bool number(const char *text, gsize len, uint32_t *out)
{
	uint64_t v = 0;
	if (len == 0 || len > 10)
		return false;
	for (gsize i = 0; i < len; i++) {
		if (!g_ascii_isdigit(text[i]))
			return false;
		v = v * 10 + (uint64_t)(text[i] - '0');
	}
	*out = (uint32_t)v;
	return v < NO_VAL;
}

bool command_job_id(const char *text, uint32_t *id, uint32_t *task)
{
	const char *bar = strchr(text, '_');
	*task = NO_VAL;
	if (!bar)
		return number(text, strlen(text), id);
	return number(text, (gsize)(bar - text), id) && number(bar + 1, strlen(bar + 1), task);
}

bool command_bad(GError **error, const char *text, const char *why)
{
	g_set_error(error, COMMAND_ERROR, 0, "command \"%s\": %s", text, why);
	return false;
}

#define bad command_bad

struct command_pair *command_pair_new(const char *word)
{
	const char *eq = strchr(word, '=');
	struct command_pair *p = g_new0(struct command_pair, 1);
	p->word = g_strndup(word, eq ? (gsize)(eq - word) : strlen(word));
	p->key = g_ascii_strdown(p->word, -1);
	p->value = eq ? g_strdup(eq + 1) : NULL;
	return p;
}

/* Add the jobs of one word. */
static bool add_jobs(struct command *c, const char *word, GError **error)
{
	GError *why = NULL;
	GPtrArray *names = hostlist_expand(word, &why);
	bool ok = names != NULL;
	if (!ok) {
		bad(error, c->text, why->message);
		g_error_free(why);
		return false;
	}
	for (guint i = 0; ok && i < names->len; i++) {
		const char *name = names->pdata[i];
		uint32_t id, task;
		if (name[0] == '@' ? name[1] != '\0' : command_job_id(name, &id, &task)) {
			g_ptr_array_add(c->jobs, g_strdup(name));
			continue;
		}
		char *text = g_strdup_printf("\"%s\" is no job; right are 12, 12_3, @NAME, @NAME_3", name);
		ok = bad(error, c->text, text);
		g_free(text);
	}
	g_ptr_array_unref(names);
	return ok;
}

static bool parse_jobs(struct command *c, char **words, GError **error)
{
	for (; *words; words++)
		if (!add_jobs(c, *words, error))
			return false;
	return c->jobs->len > 0 || bad(error, c->text, "names no job");
}

/* requeue and requeuehold: [Incomplete] [State=SpecialExit] JOBS. Returns what follows. */
static char **requeue_words(struct command *c, char **words)
{
	for (; *words; words++) {
		bool some = g_ascii_strcasecmp(*words, "incomplete") == 0;
		if (!some && g_ascii_strcasecmp(*words, "state=specialexit") != 0)
			break;
		struct command_pair *p = g_new0(struct command_pair, 1);
		p->key = g_strdup(some ? "incomplete" : "state");
		p->value = g_strdup(some ? "" : "SpecialExit");
		g_ptr_array_add(c->pairs, p);
	}
	return words;
}

static bool parse_job_verb(struct command *c, const char *verb, char **rest, GError **error)
{
	for (guint i = 0; i < G_N_ELEMENTS(job_verbs); i++)
		if (g_ascii_strcasecmp(job_verbs[i].word, verb) == 0) {
			c->verb = job_verbs[i].verb;
			if (c->verb == COMMAND_REQUEUE || c->verb == COMMAND_REQUEUE_HOLD)
				rest = requeue_words(c, rest);
			return parse_jobs(c, rest, error);
		}
	char *why = g_strdup_printf("invalid keyword: %s\n" KNOWN, verb);
	bad(error, c->text, why);
	g_free(why);
	return false;
}

static bool is_reservation_key(const char *key)
{
	return strcmp(key, "reservation") == 0 || strcmp(key, "reservationname") == 0;
}

/* The pair that says what is updated: sets the verb. *TAKEN: PAIR was such a one. */
static bool parse_entity(struct command *c, const struct command_pair *pair, bool *taken, GError **error)
{
	const char *key = pair->key;
	*taken = true;
	if (strcmp(key, "job") == 0 || strcmp(key, "jobid") == 0) {
		c->verb = COMMAND_UPDATE_JOB;
		return add_jobs(c, pair->value, error);
	}
	if (strlen(key) >= 4 && g_str_has_prefix("partitionname", key))
		c->verb = COMMAND_UPDATE_PARTITION;
	else if (strcmp(key, "node") == 0 || strcmp(key, "nodename") == 0)
		c->verb = COMMAND_UPDATE_NODE;
	else if (is_reservation_key(key))
		c->verb = COMMAND_UPDATE_RESERVATION;
	else if (strcmp(key, "step") == 0 || strcmp(key, "stepid") == 0)
		c->verb = COMMAND_UPDATE_STEP;
	else
		*taken = false;
	if (*taken) {
		g_free(c->name);
		c->name = g_strdup(pair->value);
	}
	return true;
}

/* "job 12" is read like "job=12". */
static bool is_job_word(char **words)
{
	return words[1] && (g_ascii_strcasecmp(words[0], "job") == 0 || g_ascii_strcasecmp(words[0], "jobid") == 0);
}

/* *WORDS is left at the last word that was read. */
static struct command_pair *read_pair(char ***words)
{
	struct command_pair *p = command_pair_new(**words);
	if (!p->value && is_job_word(*words))
		p->value = g_strdup(*++*words);
	return p;
}

static bool parse_pairs(struct command *c, char **words, GError **error)
{
	for (; *words; words++) {
		if (**words == '=')
			return bad(error, c->text, "update takes KEY=VALUE pairs");
		struct command_pair *p = read_pair(&words);
		bool entity = false;
		bool again = c->verb == COMMAND_UPDATE_PARTITION || c->verb == COMMAND_UPDATE_NODE; /* recorded: the last name counts */
		bool ok = !p->value || (c->verb != COMMAND_SHOW && !again) || parse_entity(c, p, &entity, error);
		if (!ok || entity)
			pair_free(p);
		else
			g_ptr_array_add(c->pairs, p);
		if (!ok)
			return false;
	}
	return true;
}

/* jobname= selects the jobs when nothing else does. */
static void select_by_name(struct command *c)
{
	for (guint i = 0; c->verb == COMMAND_SHOW && i < c->pairs->len; i++) {
		const struct command_pair *p = c->pairs->pdata[i];
		if (strcmp(p->key, "jobname") || !p->value)
			continue;
		c->verb = COMMAND_UPDATE_JOB;
		c->name = g_strdup(p->value);
		g_ptr_array_remove_index(c->pairs, i);
	}
}

/* create and delete: "reservation", "reservation=NAME", "reservationname=NAME", "reservation NAME". */
static bool parse_reservation(struct command *c, enum command_verb verb, char **words, GError **error)
{
	c->verb = verb;
	bool named = false;
	for (; *words; words++) {
		const char *eq = strchr(*words, '=');
		char *key = g_ascii_strdown(*words, eq ? eq - *words : -1);
		bool entity = is_reservation_key(key) || (!eq && g_str_has_prefix("reservation", key));
		named = named || entity;
		if (entity && eq) {
			g_free(c->name);
			c->name = g_strdup(eq + 1);
		} else if (!entity && !eq && verb == COMMAND_DELETE_RESERVATION) {
			g_free(c->name);
			c->name = g_strdup(*words);
		} else if (!entity && eq && verb == COMMAND_CREATE_RESERVATION) {
			struct command_pair *p = g_new0(struct command_pair, 1);
			p->key = g_strdup(key);
			p->value = g_strdup(eq + 1);
			g_ptr_array_add(c->pairs, p);
		} else if (!entity) {
			g_free(key);
			return bad(error, c->text, "only reservations can be created and deleted, with KEY=VALUE");
		}
		g_free(key);
	}
	if (!named)
		return bad(error, c->text, "only reservations can be created and deleted, with KEY=VALUE");
	if (verb == COMMAND_DELETE_RESERVATION && !c->name)
		return bad(error, c->text, "names no reservation");
	return true;
}

/* But for "skip" of a recurring reservation. */
static bool has_bare_word(const struct command *c)
{
	for (guint i = 0; i < c->pairs->len; i++) {
		const struct command_pair *p = c->pairs->pdata[i];
		if (!p->value && !(c->verb == COMMAND_UPDATE_RESERVATION && strcmp(p->key, "skip") == 0))
			return true;
	}
	return false;
}

static bool parse_update(struct command *c, char **words, GError **error)
{
	if (!*words)
		return bad(error, c->text, "too few arguments for update keyword");
	if (!parse_pairs(c, words, error))
		return false;
	select_by_name(c);
	if (c->verb == COMMAND_SHOW)
		return bad(error, c->text, "No valid entity in update command\nInput line must include \"NodeName\", \"PartitionName\", \"Reservation\", "
					   "\"JobId\", or \"SlurmctldDebug\"");
	if (c->verb == COMMAND_UPDATE_PARTITION || c->verb == COMMAND_UPDATE_NODE)
		return command_read_settings(c, error);
	if (c->verb != COMMAND_UPDATE_JOB && has_bare_word(c))
		return bad(error, c->text, "update takes KEY=VALUE pairs");
	if (c->verb == COMMAND_UPDATE_JOB && !c->name ? c->jobs->len == 0 : c->name[0] == '\0')
		return bad(error, c->text, "names nothing to update");
	return c->pairs->len > 0 || bad(error, c->text, c->verb == COMMAND_UPDATE_JOB ? "No changes specified" : "changes nothing: give KEY=VALUE");
}

/* "12+1", "12.0", "12.batch", "12_3.0": what scancel alone takes. */
static bool is_part(const char *word)
{
	uint32_t id, task;
	gsize n = strcspn(word, "+.");
	char *whole = g_strndup(word, n);
	bool ok = word[n] && word[n + 1] && word[0] != '@' && command_job_id(whole, &id, &task) &&
	          strspn(word + n, "+.0123456789abcehinrtvx") == strlen(word + n);
	g_free(whole);
	return ok;
}

static bool parse_scancel(struct command *c, char **words, GError **error)
{
	bool plain, parts = false;
	GError *why = NULL;
	c->verb = COMMAND_CANCEL;
	c->scancel = scancel_options(words, &plain, &why);
	if (!c->scancel) {
		bad(error, c->text, why->message);
		g_error_free(why);
		return false;
	}
	for (; *words; words++) {
		bool part = is_part(*words), step = (*words)[0] == '@' && strchr(*words, '.');
		parts |= part || step;
		if (part || step)
			g_ptr_array_add(c->jobs, g_strdup(*words));
		else if (!add_jobs(c, *words, error))
			return false;
	}
	if (plain && !parts)
		g_clear_pointer(&c->scancel, scancel_free);
	const struct scancel *o = c->scancel;
	bool any = o && (o->account || o->name || o->partition || o->qos || o->reservation || o->user || o->wckey || o->nodes || o->states || o->me);
	return c->jobs->len > 0 || any || bad(error, c->text, "names no job: No job identification provided");
}

static bool parse_outage(struct command *c, char **words, int n, GError **error)
{
	guint64 seconds;
	c->verb = COMMAND_OUTAGE;
	if (n != 1 || !g_ascii_string_to_unsigned(words[0], 10, 1, 100000000, &seconds, NULL))
		return bad(error, c->text, "write outage SECONDS: how long slurmctld is away");
	c->name = g_strdup(words[0]);
	return true;
}

/* Whoever changes accounts needs an accounting file's reader; here only what the line is. */
static bool parse_sacctmgr(struct command *c, char **words, GError **error)
{
	static const char *const lookers_of[] = {"show", "list", "dump", "version", NULL};
	static const char *const changers[] = {"add", "create", "modify", "update", "delete", "remove", NULL};
	while (*words && (*words)[0] == '-')
		words++;
	if (*words && in_list(lookers_of, *words))
		return true;
	if (!*words || !in_list(changers, *words))
		return bad(error, c->text, "not understood; " KNOWN);
	c->verb = COMMAND_ACCOUNTING;
	return words[1] != NULL || bad(error, c->text, "names nothing");
}

static bool parse_words(struct command *c, char **words, int n, GError **error)
{
	const char *base = strrchr(words[0], '/');
	const char *program = base ? base + 1 : words[0];
	if (in_list(lookers, program))
		return true;
	if (strcmp(program, "scancel") == 0)
		return parse_scancel(c, words + 1, error);
	if (strcmp(program, "sacctmgr") == 0)
		return parse_sacctmgr(c, words + 1, error);
	if (strcmp(program, "node_kill") == 0 || strcmp(program, "node_start") == 0) {
		c->verb = strcmp(program, "node_kill") == 0 ? COMMAND_NODE_KILL : COMMAND_NODE_START;
		c->name = n == 2 ? g_strdup(words[1]) : NULL;
		return n == 2 || bad(error, c->text, "names no nodes, or several texts: write node_kill n[1-3]");
	}
	if (strcmp(program, "restart") == 0) {
		c->verb = COMMAND_RESTART;
		c->name = n == 2 ? g_strdup(words[1]) : NULL;
		return n <= 2 || bad(error, c->text, "write restart, or name the changed file: restart new-slurm.conf");
	}
	if (strcmp(program, "outage") == 0)
		return parse_outage(c, words + 1, n - 1, error);
	if (in_list(not_modelled, program))
		return bad(error, c->text, "not modelled in this version; " KNOWN);
	if (strcmp(program, "scontrol") != 0 || n < 2)
		return bad(error, c->text, "not understood; " KNOWN);
	if (in_list(looks, words[1]))
		return true;
	if (g_ascii_strcasecmp(words[1], "update") == 0)
		return parse_update(c, words + 2, error);
	if (g_ascii_strcasecmp(words[1], "cancel") == 0)
		return bad(error, c->text, "not understood; jobs are cancelled by scancel");
	bool known, ok = command_read_cluster(c, words + 1, &known, error);
	if (known)
		return ok;
	if (g_ascii_strcasecmp(words[1], "create") == 0)
		return parse_reservation(c, COMMAND_CREATE_RESERVATION, words + 2, error);
	if (g_ascii_strcasecmp(words[1], "delete") == 0)
		return parse_reservation(c, COMMAND_DELETE_RESERVATION, words + 2, error);
	return parse_job_verb(c, words[1], words + 2, error);
}

struct command *command_parse(const char *text, const char *user, GError **error)
{
	char **words = NULL;
	int n = 0;
	GError *why = NULL;
	if (!g_shell_parse_argv(text, &n, &words, &why)) {
		bad(error, text, why->message);
		g_error_free(why);
		return NULL;
	}
	struct command *c = g_new0(struct command, 1);
	c->text = g_strdup(text);
	c->user = g_strcmp0(user, "root") == 0 ? NULL : g_strdup(user);
	c->jobs = g_ptr_array_new_with_free_func(g_free);
	c->pairs = g_ptr_array_new_with_free_func(pair_free);
	if (!parse_words(c, words, n, error)) {
		command_free(c);
		c = NULL;
	}
	g_strfreev(words);
	return c;
}
