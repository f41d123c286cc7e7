/* scontrol_rest.c - see scontrol_rest.h */
#include "sim/scontrol_rest.h"
#include "sim/run.h"
#include <errno.h>
#include <string.h>

struct asked {
	struct sim *s;
	const char *user;
	char **words;
	guint n;
	GString *text;
};

G_GNUC_PRINTF(2, 3)
static int say(struct asked *a, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_string_append_vprintf(a->text, format, args);
	va_end(args);
	return 1;
}

static bool is_one_of(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (g_ascii_strcasecmp(*list, word) == 0)
			return true;
	return false;
}

static int few(struct asked *a)
{
	return say(a, "too few arguments for keyword:%s", a->words[0]);
}

static int many(struct asked *a)
{
	return say(a, "too many arguments for keyword:%s", a->words[0]);
}

/* ---- logs ---- */

static int setdebug(struct asked *a)
{
	static const char *const levels[] = {"quiet", "fatal", "error", "info", "verbose", "debug", "debug2", "debug3", "debug4", "debug5",
	                                     "-1", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", NULL};
	if (a->n != 2)
		return a->n < 2 ? few(a) : many(a);
	if (!is_one_of(a->words[1], levels))
		return say(a, "invalid debug level: %s", a->words[1]);
	return a->user ? say(a, "slurm_set_debug_level error: Permission denied") : 0;
}

static int setdebugflags(struct asked *a)
{
	static const char *const flags[] = {
	    "Accrue", "Agent", "AuditRPCs", "AuditTLS", "Backfill", "BackfillMap", "BurstBuffer", "Cgroup", "ConMgr", "CPU_Bind", "CpuFrequency", "Data",
	    "DBD_Agent", "Dependency", "Elasticsearch", "Energy", "ExtSensors", "Federation", "FrontEnd", "Gang", "GLOB_SILENCE", "Gres", "Hetjob",
	    "JobAccountGather", "JobComp", "JobContainer", "License", "Metrics", "Network", "NetworkRaw", "NodeFeatures", "NO_CONF_HASH", "Power", "Priority",
	    "Profile", "Protocol", "Reservation", "Route", "Script", "SelectType", "Steps", "Switch", "TimeCray", "TLS", "TraceJobs", "Triggers", "WorkQueue",
	    NULL};
	if (a->n != 2)
		return a->n < 2 ? few(a) : many(a);
	const char *flag = a->words[1], *name = flag + (*flag == '+' || *flag == '-');
	if (name == flag) /* recorded: without a sign it asks how it is used */
		return say(a, "invalid debug flag: %s\nUsage: setdebugflags [+|-]NAME", flag);
	if (!is_one_of(name, flags))
		return say(a, "scontrol: error: Invalid DebugFlag: %s\ninvalid debug flag: %s", name, flag);
	return a->user ? say(a, "slurm_set_debugflags error: Permission denied") : 0;
}

static int schedloglevel(struct asked *a)
{
	static const char *const levels[] = {"0", "1", "enable", "disable", NULL};
	if (a->n != 2)
		return a->n < 2 ? few(a) : many(a);
	if (!is_one_of(a->words[1], levels))
		return say(a, "invalid schedlog level: %s", a->words[1]);
	return a->s ? say(a, "slurm_set_schedlog_level error: Requested operation is presently disabled") : 0;
}

/* ---- jobs ---- */

static bool is_job(const char *word)
{
	uint32_t id, task;
	return *word == '@' || command_job_id(word, &id, &task);
}

static const struct job *job_of(const struct asked *a, const char *word)
{
	uint32_t id = 0, task = NO_VAL;
	bool known = *word == '@' ? sim_resolve_label(a->s, word + 1, &id, &task) : command_job_id(word, &id, &task);
	if (!known)
		return NULL;
	return task == NO_VAL ? controller_find_job(a->s->c, id) : controller_find_task(a->s->c, id, task);
}

static int notify(struct asked *a)
{
	if (a->n < 3)
		return few(a);
	if (!is_job(a->words[1]))
		return say(a, "Invalid job_id %sjob notify failure: No error", a->words[1]);
	if (!a->s)
		return 0;
	const struct job *j = job_of(a, a->words[1]);
	if (!j)
		return say(a, "job notify failure: Invalid job id specified");
	return j->state == JOB_RUNNING || j->state == JOB_SUSPENDED ? 0 : say(a, "job notify failure: Requested operation is presently disabled");
}

static int wait_job(struct asked *a)
{
	if (a->n < 2)
		return few(a);
	if (!is_job(a->words[1]))
		return say(a, "Invalid job_id %s", a->words[1]);
	if (!a->s)
		return 0;
	const struct job *j = job_of(a, a->words[1]);
	if (!j)
		return say(a, "scontrol: Problem running job %s", a->words[1]);
	return j->state == JOB_RUNNING || j->state == JOB_SUSPENDED ? 0 : say(a, "scontrol: Job %u no longer running", j->id);
}

static int write_what(struct asked *a)
{
	if (a->n < 2)
		return few(a);
	if (g_ascii_strcasecmp(a->words[1], "config") == 0)
		return 0;
	if (g_ascii_strcasecmp(a->words[1], "batch_script") != 0)
		return say(a, "invalid write argument:%s", a->words[1]);
	if (!a->s || a->n < 3)
		return 0;
	if (is_job(a->words[2]) && job_of(a, a->words[2]))
		return say(a, "a simulation keeps no batch scripts");
	say(a, "job script retrieval failed: Invalid job id specified");
	return 0; /* recorded */
}

/* ---- processes ---- */

static int listpids(struct asked *a)
{
	say(a, "PID      JOBID    STEPID   LOCALID GLOBALID\nscontrol: error: stepd_available: Couldn't find nodename\n");
	if (a->n < 2)
		return say(a, "No job steps exist on this node.");
	return say(a, "%s=%s does not exist on node (null).", strchr(a->words[1], '.') ? "StepId" : "JobId", a->words[1]);
}

static int pidinfo(struct asked *a)
{
	if (a->n != 2)
		return a->n < 2 ? say(a, "missing argument for keyword:pidinfo") : many(a);
	return say(a, "Failed to locate job for requested pid");
}

/* ---- the controller, other clusters ---- */

static int takeover(struct asked *a)
{
	if (a->n > 1)
		return say(a, "takeover: invalid backup controller index (0)");
	return say(a, "scontrol: error: slurm_get_port: Address family '0' not supported\nscontrol: error: Error connecting, bad data: family = 0, port = 0\n"
		      "slurm_takeover error: Unable to contact slurm controller (connect failure)");
}

static int token(struct asked *a)
{
	return say(a, "Error fetching token");
}

static int cluster(struct asked *a)
{
	if (a->n < 2)
		return 0;
	return say(a, "scontrol: error: Problem talking to database\nscontrol: error: '%s' can't be reached now, or it is an invalid entry for --cluster.  "
		      "Use 'sacctmgr list clusters' to see available clusters.", a->words[1]);
}

static int errnumstr(struct asked *a)
{
	static const struct {
		int number;
		const char *text;
	} texts[] = {{0, "No error"},
	             {2000, "Invalid partition name specified"},
	             {2001, "No partition specified or system default partition"},
	             {2002, "Access/permission denied"},
	             {2009, "Job script not specified"},
	             {2010, "Invalid user id"},
	             {2011, "Duplicate job id"},
	             {2014, "Requested node configuration is not available"},
	             {2015, "Requested partition configuration not available now"},
	             {2016, "Requested nodes are busy"},
	             {2017, "Invalid job id specified"},
	             {2020, "Job can not be altered now, try again later"},
	             {2021, "Job/step already completing or completed"},
	             {2025, "Task count specification invalid"},
	             {2040, "Current SwitchType does not permit arbitrary task distribution"},
	             {2050, "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)"},
	             {2076, "Step limit reached for this job"},
	             {5005, "Zero Bytes were transmitted or received"}};
	guint64 n;
	if (a->n != 2)
		return say(a, "one arguments required for keyword:errnumstr");
	if (!g_ascii_string_to_unsigned(a->words[1], 10, 0, G_MAXINT, &n, NULL))
		return say(a, "numeric arguments required for keyword:errnumstr");
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
		if (texts[i].number == (int)n) {
			say(a, "%s", texts[i].text);
			return 0;
		}
	say(a, "%s", n < 1000 ? g_strerror((int)n) : "");
	if (!a->text->len)
		say(a, "Unknown error %u", (unsigned)n);
	return 0;
}

static int help(struct asked *a)
{
	say(a, "write: help in whypend shell, whypend scontrol --help, man whypend");
	return 0;
}

static int nothing(struct asked *a)
{
	(void)a;
	return 0;
}

static const struct {
	const char *verb;
	int (*answer)(struct asked *a);
} verbs[] = {{"setdebug", setdebug},
             {"setdebugflags", setdebugflags},
             {"schedloglevel", schedloglevel},
             {"write", write_what},
             {"notify", notify},
             {"wait_job", wait_job},
             {"listpids", listpids},
             {"pidinfo", pidinfo},
             {"takeover", takeover},
             {"token", token},
             {"cluster", cluster},
             {"errnumstr", errnumstr},
             {"help", help},
             {"getent", nothing},
             {"details", nothing},
             {"oneliner", nothing},
             {"all", nothing},
             {"hide", nothing},
             {"quiet", nothing},
             {"verbose", nothing},
             {"exit", nothing},
             {"quit", nothing}};

bool scontrol_rest(struct sim *s, const char *user, char **words, GString *text, int *status)
{
	struct asked a = {s, user, words, g_strv_length(words), text};
	for (guint i = 0; i < G_N_ELEMENTS(verbs); i++)
		if (g_ascii_strcasecmp(verbs[i].verb, words[0]) == 0) {
			*status = verbs[i].answer(&a);
			return true;
		}
	return false;
}
