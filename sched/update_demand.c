/* update_demand.c - scontrol update job: what is asked for, nodes, CPUs, memory, GRES and features (N2-N8, N12); see update_job.h */
#include "sched/update_job.h"
#include "sched/features.h"

#include <string.h>

#define MOST16 65535

/* A count that scontrol has checked. */
static uint32_t count_of(const char *value)
{
	return (uint32_t)MIN(g_ascii_strtoull(value, NULL, 10), INT32_MAX);
}

/* "2" or "2-4"; *max = NO_VAL without a second number. */
static void range_of(const char *value, uint32_t *min, uint32_t *max)
{
	const char *dash = strchr(value, '-');
	*min = count_of(value);
	*max = dash ? count_of(dash + 1) : NO_VAL;
}

/* ---- nodes and CPUs ---- */

/* How many nodes a running job keeps: its first ones (recorded). */
static bool shrink_to(struct update *u, uint32_t n, GError **error)
{
	struct job *j = u->j;
	uint32_t have = bitset_count(j->nodes);
	if (n == 0)
		return REFUSE(error, "Node count specification invalid");
	if (n == have)
		return true;
	if (n > have)
		return REFUSE(error, NOT_SUPPORTED);
	struct bitset *keep = bitset_new(j->nodes->nbits);
	int64_t i;
	for (BITSET_EACH(i, j->nodes)) {
		if (n == 0)
			break;
		bitset_set(keep, (uint32_t)i);
		n--;
	}
	bool ok = job_shrink(u->c, j, keep, error);
	bitset_free(keep);
	return ok;
}

/* Recorded: the least CPUs and tasks grow with the nodes, the CPUs also when the count is refused. */
static bool ask_nodes(struct update *u, uint32_t min, uint32_t max, GError **error)
{
	struct job *j = u->j;
	uint32_t most = max != NO_VAL ? max : j->max_nodes_implicit ? NO_VAL : j->max_nodes;
	j->min_cpus = MAX(j->min_cpus, min);
	u->demand = true;
	if (min == 0 || min > INT32_MAX / 2 || (most != NO_VAL && min > most))
		return REFUSE(error, "Node count specification invalid");
	j->min_nodes = min;
	if (max != NO_VAL || j->max_nodes_implicit) {
		j->max_nodes = max != NO_VAL ? max : MAX(j->max_nodes, min);
		j->max_nodes_implicit = max == NO_VAL && j->max_nodes_implicit;
	}
	if (j->ntasks != NO_VAL)
		j->ntasks = MAX(j->ntasks, min);
	g_clear_pointer(&job_own_request(j)->node_counts, g_free);
	update_mark(u, TRES_NODE);
	return true;
}

bool update_nodes(struct update *u, GError **error)
{
	uint32_t min, max;
	range_of(u->value, &min, &max);
	if (u->j->state == JOB_PENDING)
		return ask_nodes(u, min, max, error);
	if (max != NO_VAL)
		return REFUSE(error, "Job is no longer pending execution");
	return shrink_to(u, min, error);
}

/* Recorded: the number of tasks stays. */
bool update_cpus(struct update *u, GError **error)
{
	struct job *j = u->j;
	uint32_t min, max;
	range_of(u->value, &min, &max);
	uint32_t most = max != NO_VAL ? max : j->max_cpus;
	if (most != NO_VAL && min > most)
		return REFUSE(error, "CPU count specification invalid");
	j->min_cpus = min;
	j->max_cpus = most;
	u->demand = true;
	update_mark(u, TRES_CPU);
	return true;
}

bool update_tasks(struct update *u, GError **error)
{
	uint32_t n = count_of(u->value);
	if (!n)
		return REFUSE(error, "Task count specification invalid");
	u->j->ntasks = n;
	u->demand = true;
	return true;
}

bool update_cpus_per_task(struct update *u, GError **error)
{
	(void)error;
	uint32_t n = MAX(1u, MIN(count_of(u->value), MOST16));
	u->j->cpt = (uint16_t)n;
	job_own_request(u->j)->cpus_per_task = n;
	u->demand = true;
	return true;
}

bool update_tasks_per_node(struct update *u, GError **error)
{
	if (!u->admin)
		return denied(error);
	u->j->ntasks_per_node = (uint16_t)MIN(count_of(u->value), MOST16);
	u->demand = true;
	return true;
}

/* Recorded: the least CPUs become those of the least nodes. */
bool update_min_cpus(struct update *u, GError **error)
{
	(void)error;
	struct job *j = u->j;
	uint32_t n = MAX(1u, MIN(count_of(u->value), MOST16));
	j->pn_min_cpus = n;
	j->min_cpus = n * MAX(1u, MIN(j->min_nodes, INT32_MAX / MOST16));
	u->demand = true;
	update_mark(u, TRES_CPU);
	return true;
}

static bool set_shape(struct update *u, gsize offset)
{
	uint32_t n = count_of(u->value);
	*(uint32_t *)(void *)((char *)job_own_request(u->j) + offset) = n ? MIN(n, MOST16) : NO_VAL;
	u->demand = true;
	return true;
}

bool update_sockets(struct update *u, GError **error)
{
	(void)error;
	return set_shape(u, offsetof(struct job_request, sockets_per_node));
}

bool update_cores(struct update *u, GError **error)
{
	(void)error;
	return set_shape(u, offsetof(struct job_request, cores_per_socket));
}

bool update_threads(struct update *u, GError **error)
{
	(void)error;
	return set_shape(u, offsetof(struct job_request, threads_per_core));
}

/* ---- memory and disk ---- */

static bool set_memory(struct update *u, bool per_cpu)
{
	struct job *j = u->j;
	j->pn_min_memory = count_of(u->value);
	j->mem_per_cpu = per_cpu && j->pn_min_memory;
	j->mem_all = j->pn_min_memory == 0 && u->c->p->cr_memory;
	j->mem_given = true;
	j->mem_per_gpu = 0;
	u->demand = true;
	update_mark(u, TRES_MEM);
	return true;
}

bool update_memory_node(struct update *u, GError **error)
{
	(void)error;
	return set_memory(u, false);
}

bool update_memory_cpu(struct update *u, GError **error)
{
	(void)error;
	return set_memory(u, true);
}

bool update_tmp(struct update *u, GError **error)
{
	(void)error;
	uint32_t n = count_of(u->value);
	job_own_request(u->j)->tmp = n ? n : NO_VAL64;
	u->demand = true;
	return true;
}

/* ---- which nodes ---- */

static bool set_features(struct update *u, struct features **mine, char **text, GError **error)
{
	struct features *fresh = NULL;
	if (*u->value && !(fresh = features_parse(u->c->cl, u->value)))
		return REFUSE(error, "Invalid feature specification");
	features_unref(*mine);
	*mine = fresh;
	update_text(text, u->value);
	u->demand = true;
	return true;
}

bool update_features(struct update *u, GError **error)
{
	return set_features(u, &u->j->features, &job_own_request(u->j)->constraint, error);
}

bool update_prefer(struct update *u, GError **error)
{
	if (!set_features(u, &u->j->prefer, &job_own_request(u->j)->prefer, error))
		return false;
	if (!u->j->prefer)
		g_clear_pointer(&u->j->prefer_ok, bitset_free);
	return true;
}

static bool read_nodes(struct update *u, struct bitset **mine, GError **error)
{
	*mine = *u->value ? cluster_parse_nodes(u->c->cl, u->value, NULL) : NULL;
	return *mine || !*u->value ? true : REFUSE(error, "Invalid node name specified");
}

static bool set_nodes(struct update *u, struct bitset **mine, char **text, GError **error)
{
	struct bitset *fresh;
	if (!read_nodes(u, &fresh, error))
		return false;
	bitset_free(*mine);
	*mine = fresh;
	update_text(text, u->value);
	u->demand = true;
	return true;
}

/* Of a running job: those of its nodes that it keeps. */
static bool keep_nodes(struct update *u, GError **error)
{
	struct job *j = u->j;
	struct bitset *keep;
	if (!read_nodes(u, &keep, error))
		return false;
	bool ok = keep && !bitset_empty(keep) && bitset_subset(keep, j->nodes) ? true : REFUSE(error, "Invalid node name specified");
	if (ok && !bitset_equal(keep, j->nodes))
		ok = job_shrink(u->c, j, keep, error);
	bitset_free(keep);
	return ok;
}

bool update_req_nodes(struct update *u, GError **error)
{
	if (u->j->state != JOB_PENDING)
		return keep_nodes(u, error);
	return set_nodes(u, &u->j->req_nodes, &job_own_request(u->j)->nodelist, error);
}

bool update_exc_nodes(struct update *u, GError **error)
{
	return set_nodes(u, &u->j->exc_nodes, &job_own_request(u->j)->exclude, error);
}

/* ---- GRES (N8) ---- */

/* "gres:gpu:2,gres:nvme:1" (22.05) or "gres/gpu:2" -> "gpu:2,nvme:1"; g_free. NULL: it is not written so. */
static char *without_prefix(const struct update *u)
{
	const char *prefix = u->c->p->version == SLURM_22_05 ? "gres:" : "gres/";
	g_auto(GStrv) items = g_strsplit(u->value, ",", -1);
	GString *out = g_string_new(NULL);
	for (char **it = items; *it && out; it++) {
		if (g_str_has_prefix(*it, prefix) && (*it)[5])
			g_string_append_printf(out, "%s%s", out->len ? "," : "", *it + 5);
		else
			out = (g_string_free(out, TRUE), NULL);
	}
	return out ? g_string_free(out, FALSE) : NULL;
}

#define BAD_TRES "Invalid Trackable RESource (TRES) specification"

/* *FIELD of the job's own request becomes TEXT (taken over), and its GRES are made anew. */
static bool change_gres(struct update *u, char **field, char *text, GError **error)
{
	char *was = *field;
	*field = text;
	if (!demand_renew_gres(u->c, u->j, error)) {
		*field = was;
		g_free(text);
		return false;
	}
	g_free(was);
	u->demand = true;
	update_mark_all(u, "gres/");
	return true;
}

static bool set_per_node(struct update *u, char *text, GError **error)
{
	struct job_request *r = job_own_request(u->j);
	if (!text && !r->gres)
		return REFUSE(error, BAD_TRES);
	if (!change_gres(u, &r->gres, text, error))
		return false;
	update_text(&r->gres_given, text ? text : "");
	g_clear_pointer(&r->gpus_per_node, g_free);
	return true;
}

bool update_gres(struct update *u, GError **error)
{
	return set_per_node(u, *u->value ? g_strdup(u->value) : NULL, error);
}

bool update_tres_per_node(struct update *u, GError **error)
{
	char *text = *u->value ? without_prefix(u) : NULL;
	if (*u->value && !text)
		return REFUSE(error, BAD_TRES);
	return set_per_node(u, text, error);
}

/* GPUs only, as --gpus and its like: "gpu:a100:2" -> "a100:2". */
static bool set_gpus(struct update *u, char **field, const char *what, GError **error)
{
	g_autofree char *text = *u->value ? without_prefix(u) : NULL;
	if (!*u->value)
		return *field ? change_gres(u, field, NULL, error) : REFUSE(error, BAD_TRES);
	if (!text)
		return REFUSE(error, BAD_TRES);
	if (!g_str_has_prefix(text, "gpu:") || strchr(text, ','))
		return g_str_has_prefix(text, "gpu:") || g_str_has_prefix(text, "gpu")
		           ? REFUSE(error, "Invalid generic resource (gres) specification")
		           : REFUSE(error, "%s of other GRES than GPUs is not modelled in this version", what);
	return change_gres(u, field, g_strdup(text + strlen("gpu:")), error);
}

bool update_tres_per_job(struct update *u, GError **error)
{
	return set_gpus(u, &job_own_request(u->j)->gpus, "TresPerJob", error);
}

bool update_tres_per_task(struct update *u, GError **error)
{
	return set_gpus(u, &job_own_request(u->j)->gpus_per_task, "TresPerTask", error);
}

bool update_tres_per_socket(struct update *u, GError **error)
{
	return set_gpus(u, &job_own_request(u->j)->gpus_per_socket, "TresPerSocket", error);
}

/* ---- how ---- */

static bool yes(const char *value)
{
	return g_ascii_strcasecmp(value, "yes") == 0 || strcmp(value, "1") == 0;
}

/* Recorded: NO keeps others off its nodes, and what it takes there stays as it is. */
bool update_share(struct update *u, GError **error)
{
	struct job *j = u->j;
	if (!u->admin)
		return denied(error);
	struct job_request *r = job_own_request(j);
	r->share = yes(u->value) ? SHARE_OVERSUBSCRIBE : r->share == SHARE_OVERSUBSCRIBE ? SHARE_UNSET : r->share;
	demand_sharing(u->c, j);
	j->share_none = j->share_none || !yes(u->value);
	u->demand = true;
	return true;
}

bool update_contiguous(struct update *u, GError **error)
{
	if (!u->admin)
		return denied(error);
	u->j->contiguous = yes(u->value);
	u->demand = true;
	return true;
}

/* "1@10": minutes, and without them no wait at all (recorded). */
bool update_switches(struct update *u, GError **error)
{
	(void)error;
	struct job_request *r = job_own_request(u->j);
	const char *at = strchr(u->value, '@');
	uint32_t minutes, n = (uint32_t)CLAMP(update_number(u->value), 0, INT32_MAX);
	r->switches = n ? n : NO_VAL;
	r->switches_wait = at && duration_parse_minutes(at + 1, &minutes) && minutes != INFINITE ? (int64_t)minutes * 60 : 0;
	u->demand = true;
	return true;
}
