/*
 * request.c - sbatch's long options into a request; see request.h, grammars in spec sbatch.md sections 2 and 3.
 *
 * A table maps each option to a reader and, for the plain kinds, to the field it sets. Readers check the shape of a
 * value only; whether accounts, features or dependencies exist is the controller's business. Readers of what has a shape of its own
 * (nodes, GRES, distributions, signals ...) are in request_shape.c.
 */
#include "sched/request_read.h"
#include "sched/base/memsize.h"
#include <stdlib.h>
#include <string.h>

static const size_t string_fields[] = {
    F(name),       F(user),          F(account),       F(partition),       F(qos),        F(reservation),
    F(constraint), F(prefer),        F(nodelist),      F(exclude),         F(licenses),   F(dependency),
    F(admin_comment), F(mail_user), F(mail_type), F(output),
    F(array),      F(comment),       F(workdir),       F(wckey),           F(gres),       F(gres_given),
    F(gpus),       F(gpus_per_node), F(gpus_per_task), F(gpus_per_socket), F(gres_per_task), F(gres_flags), F(node_counts),
    F(begin_text), F(deadline_text), F(signal),
};

char **request_string_at(struct job_request *r, size_t offset)
{
	return (char **)((char *)r + offset);
}

struct job_request *job_request_new(void)
{
	struct job_request *r = g_new(struct job_request, 1);

	*r = (struct job_request){
	    .ntasks_per_gpu = NO_VAL,
	    .cpus_per_gpu = NO_VAL,
	    .mem_per_gpu = NO_VAL64,
	    .time_limit = NO_VAL,
	    .time_min = NO_VAL,
	    .min_nodes = NO_VAL,
	    .max_nodes = NO_VAL,
	    .ntasks = NO_VAL,
	    .cpus_per_task = NO_VAL,
	    .ntasks_per_node = NO_VAL,
	    .ntasks_per_socket = NO_VAL,
	    .ntasks_per_core = NO_VAL,
	    .mincpus = NO_VAL,
	    .sockets_per_node = NO_VAL,
	    .cores_per_socket = NO_VAL,
	    .threads_per_core = NO_VAL,
	    .mem_per_node = NO_VAL64,
	    .mem_per_cpu = NO_VAL64,
	    .tmp = NO_VAL64,
	    .priority = NO_VAL,
	    .switches = NO_VAL,
	    .switches_wait = -1,
	    .segment = NO_VAL,
	    .core_spec = NO_VAL,
	    .delay_boot = NO_VAL,
	    .plane_size = NO_VAL,
	};
	return r;
}

void job_request_free(struct job_request *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(string_fields); i++)
		g_free(*request_string_at(r, string_fields[i]));
	g_free(r);
}

struct job_request *job_request_copy(const struct job_request *r)
{
	struct job_request *copy = g_new(struct job_request, 1);

	*copy = *r;
	for (size_t i = 0; i < G_N_ELEMENTS(string_fields); i++) {
		char **s = request_string_at(copy, string_fields[i]);
		*s = g_strdup(*s);
	}
	return copy;
}

/* ---- readers ---- */

bool request_invalid(const struct option *o, const char *value, const char *want, GError **error)
{
	g_set_error(error, REQUEST_ERROR, 0, "Invalid --%s specification \"%s\"; want %s", o->name, value, want);
	return false;
}

bool request_need(const struct option *o, const char *value, GError **error)
{
	if (value != NULL && *value != '\0')
		return true;
	g_set_error(error, REQUEST_ERROR, 0, "option --%s needs a value; want %s", o->name, o->want ? o->want : "text");
	return false;
}

void request_set_string(char **field, char *value)
{
	g_free(*field);
	*field = value;
}

/* Text kept as given; an empty text is "not given" ("--array=" is no array). */
static bool read_text(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	if (value == NULL)
		return request_need(o, value, error);
	request_set_string(request_string_at(r, o->field), *value != '\0' ? g_strdup(value) : NULL);
	return true;
}

bool request_parse_number(const char *text, uint32_t low, uint32_t *out)
{
	uint64_t v = 0;

	if (*text == '\0')
		return false;
	for (; *text != '\0'; text++) {
		if (!g_ascii_isdigit(*text) || v > NUMBER_MAX)
			return false;
		v = v * 10 + (uint64_t)(*text - '0');
	}
	if (v < low || v > NUMBER_MAX)
		return false;
	*out = (uint32_t)v;
	return true;
}

static bool set_number(struct job_request *r, const struct option *o, const char *value, uint32_t low, GError **error)
{
	if (!request_need(o, value, error))
		return false;
	if (request_parse_number(value, low, (uint32_t *)((char *)r + o->field)))
		return true;
	g_set_error(error, REQUEST_ERROR, 0, "Invalid numeric value \"%s\" for --%s; want a whole number from %u",
	            value, o->name, low);
	return false;
}

static bool read_number(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	return set_number(r, o, value, 1, error);
}

static bool read_spec(struct job_request *r, const struct option *o, const char *value, bool threads, GError **error)
{
	uint32_t before = r->core_spec;

	if (!set_number(r, o, value, threads ? 1 : 0, error))
		return false;
	if (before != NO_VAL && r->thread_spec != threads) {
		g_set_error(error, REQUEST_ERROR, 0, "-S/--core-spec and --thread-spec options are mutually exclusive");
		return false;
	}
	r->thread_spec = threads;
	return true;
}

static bool read_core_spec(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	return read_spec(r, o, value, false, error);
}

static bool read_thread_spec(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	return read_spec(r, o, value, true, error);
}

/* What a flag's value means: none or "yes" or a number is on (sbatch.md section 1, "A flag variable"). */
static bool parse_flag(const char *value, bool *on)
{
	static const char *const yes[] = {"yes", "true", "1", "on"}, *const no[] = {"no", "false", "0", "off"};

	*on = true;
	if (value == NULL || *value == '\0')
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(yes); i++) {
		if (g_ascii_strcasecmp(value, yes[i]) == 0)
			return true;
		if (g_ascii_strcasecmp(value, no[i]) == 0) {
			*on = false;
			return true;
		}
	}
	return false;
}

static bool read_flag(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	bool *field = (bool *)((char *)r + o->field);

	return parse_flag(value, field) || request_invalid(o, value, "no value (or yes, no)", error);
}

/* --no-kill[=off] */
static bool read_no_kill(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	if (value && g_ascii_strcasecmp(value, "off") == 0) {
		r->no_kill = false;
		return true;
	}
	return parse_flag(value, &r->no_kill) || request_invalid(o, value, "no value, or off", error);
}

static bool read_kill_on_invalid_dep(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	if (!request_need(o, value, error))
		return false;
	r->kill_on_invalid_dep_set = true;
	return parse_flag(value, &r->kill_on_invalid_dep) || request_invalid(o, value, o->want, error);
}

static bool read_oversubscribe(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	bool on;

	if (!parse_flag(value, &on))
		return request_invalid(o, value, "no value", error);
	if (on)
		r->share = SHARE_OVERSUBSCRIBE;
	return true;
}

static bool read_exclusive(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	static const struct {
		const char *name;
		enum share_request share;
	} kinds[] = {{"user", SHARE_EXCLUSIVE_USER}, {"mcs", SHARE_EXCLUSIVE_MCS}, {"topo", SHARE_EXCLUSIVE_TOPO}};

	for (size_t i = 0; value != NULL && i < G_N_ELEMENTS(kinds); i++)
		if (g_ascii_strcasecmp(value, kinds[i].name) == 0) {
			r->share = kinds[i].share;
			return true;
		}
	bool on;

	if (!parse_flag(value, &on))
		return request_invalid(o, value, o->want, error);
	if (on)
		r->share = SHARE_EXCLUSIVE;
	return true;
}

static bool read_requeue(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	bool on, expedite = value && g_ascii_strcasecmp(value, "expedite") == 0;

	if (!expedite && !parse_flag(value, &on))
		return request_invalid(o, value, "no value or \"expedite\"", error);
	r->requeue = expedite ? REQUEUE_EXPEDITE : on ? REQUEUE_YES : REQUEUE_NO;
	return true;
}

static bool read_no_requeue(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	bool on;

	if (!parse_flag(value, &on))
		return request_invalid(o, value, "no value", error);
	r->requeue = on ? REQUEUE_NO : REQUEUE_YES;
	return true;
}

/* 3.1: <integer>[K|M|G|T][B]. */
static bool read_memory(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	if (!request_need(o, value, error))
		return false;
	if (strpbrk(value, ".PpEe") != NULL || !memsize_parse_mib(value, (uint64_t *)((char *)r + o->field)))
		return request_invalid(o, value, o->want, error);
	return true;
}

/* 3.2: 0 means no limit. */
static bool read_limit(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	uint32_t minutes;

	if (!request_need(o, value, error))
		return false;
	if (!duration_parse_minutes(value, &minutes))
		return request_invalid(o, value, o->want, error);
	*(uint32_t *)((char *)r + o->field) = minutes == 0 ? INFINITE : minutes;
	return true;
}

/* --begin, --deadline: kept as text until the submit time is known; checked now against any time. */
static bool read_when(struct job_request *r, const struct option *o, const char *value, GError **error)
{
	sec_t ignored;

	if (!request_need(o, value, error))
		return false;
	if (!date_parse_begin(value, 0, NULL, &ignored))
		return request_invalid(o, value, o->want, error);
	request_set_string(request_string_at(r, o->field), g_strdup(value));
	return true;
}

/* ---- the table ---- */

static const char want_memory[] = "a whole number with K, M, G or T, such as 4000M or 16G";
static const char want_limit[] = "minutes, minutes:seconds, hours:minutes:seconds or days-hours[:minutes[:seconds]]";
static const char want_when[] = "a time such as 2026-03-01T08:00, 18:30, tomorrow or now+2hours";
static const char want_gpus[] = "[type:]count such as 2 or a100:4";

static const struct option options[] = {
    {"account", read_text, F(account), NULL},
    {"array", read_text, F(array), "indexes such as 0-99%10"},
    {"begin", read_when, F(begin_text), want_when},
    {"chdir", read_text, F(workdir), NULL},
    {"comment", read_text, F(comment), NULL},
    {"consolidate-segments", read_flag, F(consolidate_segments), NULL},
    {"constraint", read_text, F(constraint), NULL},
    {"contiguous", read_flag, F(contiguous), NULL},
    {"core-spec", read_core_spec, F(core_spec), "a count of cores"},
    {"cores-per-socket", read_number, F(cores_per_socket), "a count of cores"},
    {"cpus-per-gpu", read_number, F(cpus_per_gpu), "a count of CPUs"},
    {"cpus-per-task", read_number, F(cpus_per_task), "a count of CPUs"},
    {"deadline", read_when, F(deadline_text), want_when},
    {"delay-boot", read_limit, F(delay_boot), want_limit},
    {"dependency", read_text, F(dependency), "a list such as afterok:123"},
    {"distribution", request_read_distribution, 0,
     "block, cyclic, plane=N or arbitrary, then :block or :cyclic for the sockets"},
    {"exclude", read_text, F(exclude), "a host list"},
    {"exclusive", read_exclusive, 0, "no value, or user, mcs or topo"},
    {"extra-node-info", request_read_extra_node_info, 0, "sockets[:cores[:threads]], \"*\" for any"},
    {"gpus", request_read_gpus, F(gpus), want_gpus},
    {"gpus-per-node", request_read_gpus_per_node, F(gpus_per_node), want_gpus},
    {"gpus-per-socket", request_read_gpus, F(gpus_per_socket), want_gpus},
    {"gpus-per-task", request_read_gpus, F(gpus_per_task), want_gpus},
    {"gres", request_read_gres, F(gres_given), "name[[:type]:count], a comma list such as gpu:a100:2"},
    {"gres-flags", request_read_gres_flags, 0,
     "enforce-binding, disable-binding, one-task-per-sharing, multiple-tasks-per-sharing or allow-task-sharing"},
    {"hint", request_read_hint, 0, "compute_bound, memory_bound, multithread or nomultithread"},
    {"hold", read_flag, F(hold), NULL},
    {"job-name", read_text, F(name), NULL},
    {"kill-on-invalid-dep", read_kill_on_invalid_dep, 0, "yes or no"},
    {"licenses", read_text, F(licenses), "a list such as matlab:2"},
    {"mem", read_memory, F(mem_per_node), want_memory},
    {"mem-per-cpu", read_memory, F(mem_per_cpu), want_memory},
    {"mem-per-gpu", read_memory, F(mem_per_gpu), want_memory},
    {"mincpus", read_number, F(mincpus), "a count of CPUs"},
    {"name", read_text, F(name), NULL},
    {"nice", request_read_nice, 0, "a number from -2147483645 to 2147483645"},
    {"no-kill", read_no_kill, 0, NULL},
    {"no-requeue", read_no_requeue, 0, NULL},
    {"nodelist", read_text, F(nodelist), "a host list"},
    {"nodes", request_read_nodes, 0,
     "a count from 1, a range such as 2-6, a list such as 1,5,9 or a range with a step, 1-15:4"},
    {"ntasks", read_number, F(ntasks), "a count of tasks"},
    {"ntasks-per-core", read_number, F(ntasks_per_core), "a count of tasks"},
    {"ntasks-per-gpu", read_number, F(ntasks_per_gpu), "a count of tasks"},
    {"ntasks-per-node", read_number, F(ntasks_per_node), "a count of tasks"},
    {"ntasks-per-socket", read_number, F(ntasks_per_socket), "a count of tasks"},
    {"overcommit", read_flag, F(overcommit), NULL},
    {"oversubscribe", read_oversubscribe, 0, NULL},
    {"partition", read_text, F(partition), NULL},
    {"prefer", read_text, F(prefer), NULL},
    {"priority", request_read_priority, 0, "a number below 4294967294 or TOP"},
    {"qos", read_text, F(qos), NULL},
    {"reboot", read_flag, F(reboot), NULL},
    {"requeue", read_requeue, 0, NULL},
    {"reservation", read_text, F(reservation), NULL},
    {"segment", read_number, F(segment), "a count of nodes"},
    {"share", read_oversubscribe, 0, NULL}, /* the old name of oversubscribe */
    {"signal", request_read_signal, 0, "[R:|B:]signal[@seconds] such as B:USR1@120"},
    {"sockets-per-node", read_number, F(sockets_per_node), "a count of sockets"},
    {"spread-job", read_flag, F(spread_job), NULL},
    {"spread-segments", read_flag, F(spread_segments), NULL},
    {"switches", request_read_switches, 0, "count[@time] such as 1@10:00"},
    {"thread-spec", read_thread_spec, F(core_spec), "a count of threads"},
    {"threads-per-core", read_number, F(threads_per_core), "a count of threads"},
    {"time", read_limit, F(time_limit), want_limit},
    {"time-min", read_limit, F(time_min), want_limit},
    {"tmp", read_memory, F(tmp), want_memory},
    {"tres-per-task", request_read_tres_per_task, 0, "cpu=N or gres/gpu[:type]=N, also shard and mps; other kinds are not modelled"},
    {"uid", read_text, F(user), NULL},
    {"use-min-nodes", read_flag, F(use_min_nodes), NULL},
    {"user", read_text, F(user), NULL},
    {"wckey", read_text, F(wckey), NULL},
};

/* Known to sbatch and without effect on scheduling (sbatch.md section 2, last row). */
static const char *const ignored_options[] = {
    "acctg-freq",
    "batch",
    "bb",
    "bbf",
    "clusters",
    "container",
    "container-id",
    "cpu-bind",
    "cpu-freq",
    "error",
    "export",
    "export-file",
    "extra",
    "get-user-env",
    "gid",
    "gpu-bind",
    "gpu-freq",
    "ignore-pbs",
    "input",
    "mail-type",
    "mail-user",
    "mcs-label",
    "mem-bind",
    "network",
    "oom-kill-step",
    "open-mode",
    "output",
    "parsable",
    "profile",
    "propagate",
    "quiet",
    "stepmgr",
    "test-only",
    "verbose",
    "wait",
    "wait-all-nodes",
    "wrap",
    "x11",
};

/* The option whose name shares the longest beginning with NAME, to be proposed; NULL when that is under 3 letters. */
static const char *closest(const char *name)
{
	const char *best = NULL;
	size_t most = 2;

	for (size_t i = 0; i < G_N_ELEMENTS(options); i++) {
		size_t n = 0;
		while (name[n] != '\0' && name[n] == options[i].name[n])
			n++;
		if (n > most) {
			most = n;
			best = options[i].name;
		}
	}
	return best;
}

static bool unknown(const char *name, GError **error)
{
	const char *best = closest(name);

	if (best != NULL)
		g_set_error(error, REQUEST_ERROR, 0, "unknown option --%s; did you mean --%s?", name, best);
	else
		g_set_error(error, REQUEST_ERROR, 0,
		            "unknown option --%s; want a long option of sbatch such as ntasks, time or gres", name);
	return false;
}

static int by_name(const void *name, const void *option)
{
	return strcmp(name, ((const struct option *)option)->name);
}

bool job_request_set(struct job_request *r, const char *option, const char *value, GError **error)
{
	char *name = g_strdelimit(g_strdup(option), "_", '-');
	const struct option *o = bsearch(name, options, G_N_ELEMENTS(options), sizeof(*options), by_name);
	bool ok;

	if (o != NULL) {
		ok = o->read(r, o, value, error);
	} else {
		ok = false;
		for (size_t i = 0; !ok && i < G_N_ELEMENTS(ignored_options); i++)
			ok = strcmp(name, ignored_options[i]) == 0;
		if (!ok)
			unknown(name, error);
	}
	g_free(name);
	return ok;
}
