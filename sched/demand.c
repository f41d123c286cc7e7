/* demand.c - from the request to job fields (node-selection N2-N8, N12, N57 defaults) */
#include "sched/base/memsize.h"
#include "sched/features.h"
#include "sched/state.h"

#include <string.h>

#define REFUSE(err, ...) (g_set_error(err, SUBMIT_ERROR, 0, __VA_ARGS__), false)

static const char msg_node_config[] = "Requested node configuration is not available";

/* ---- GRES requests ---- */

/* How often each kind is asked. */
enum gres_scope { PER_NODE, PER_JOB, PER_TASK, PER_SOCKET };

static bool known_gres(const struct cluster *c, const char *name)
{
	for (guint i = 0; i < c->configs->len; i++) {
		const struct node_config *k = c->configs->pdata[i];
		for (uint32_t g = 0; g < k->n_gres; g++)
			if (strcmp(k->gres[g].name, name) == 0)
				return true;
	}
	return false;
}

static struct gres_want *want_for(struct job *j, const char *name, const char *type)
{
	for (uint32_t i = 0; i < j->n_gres; i++)
		if (strcmp(j->gres[i].name, name) == 0 && g_strcmp0(j->gres[i].type, type) == 0)
			return &j->gres[i];
	j->gres = g_renew(struct gres_want, j->gres, j->n_gres + 1);
	j->gres[j->n_gres] = (struct gres_want){.name = g_strdup(name), .type = g_strdup(type)};
	return &j->gres[j->n_gres++];
}

/* "gpu:h100:2,nvme:1" or, with DEFAULT_NAME, "h100:2" / "2". */
static bool add_gres(struct controller *c, struct job *j, const char *text, const char *default_name, enum gres_scope scope, GError **error)
{
	if (!text || !*text)
		return true;
	g_auto(GStrv) items = g_strsplit(text, ",", -1);
	for (char **it = items; *it; it++) {
		g_autofree char *full = default_name ? g_strdup_printf("%s:%s", default_name, *it) : g_strdup(*it);
		g_auto(GStrv) w = g_strsplit_set(full, ":=", 4);
		guint n = g_strv_length(w);
		uint64_t count = 1;
		const char *type = NULL;
		if (n >= 2 && !count_parse(w[n - 1], &count))
			type = w[n - 1]; /* "gpu:h100" */
		else if (n == 3)
			type = w[1];
		if (!w[0] || !known_gres(c->cl, w[0]))
			return REFUSE(error, "Invalid generic resource (gres) specification");
		if (count == 0)
			continue;
		struct gres_want *g = want_for(j, w[0], type);
		uint32_t *field = scope == PER_NODE ? &g->per_node : scope == PER_JOB ? &g->per_job : scope == PER_TASK ? &g->per_task : &g->per_socket;
		*field += (uint32_t)MIN(count, UINT32_MAX / 2);
	}
	return true;
}

/* N8.1: what is asked together must fit together. */
static bool gres_consistent(const struct gres_want *g)
{
	uint32_t total = g->per_job, d = g->per_node, s = g->per_socket, t = g->per_task;
	if (total && (total < d || total < t || total < s || (d && total % d)))
		return false;
	return !d || ((!s || (d >= s && d % s == 0)) && (!t || d % t == 0));
}

/* N8.2, N8.3: tasks from GPUs and GPUs from tasks. */
static bool derive_tasks(struct job *j, struct gres_want *g)
{
	uint32_t d = g->per_node, t = g->per_task, k = j->ntasks_per_gpu;
	if (t && j->ntasks != NO_VAL) {
		if (g->per_job && g->per_job != j->ntasks * t)
			return false;
		if (!d)
			g->per_job = j->ntasks * t;
	} else if (t && g->per_job) {
		if (g->per_job % t)
			return false;
		j->ntasks = g->per_job / t;
	} else if (t && !d) {
		return false;
	}
	if (t && d)
		j->ntasks_per_node = (uint16_t)MIN(d / t, 65535u);
	if (!k || strcmp(g->name, "gpu") != 0)
		return true;
	if (j->ntasks != NO_VAL && j->ntasks % k)
		return false;
	if (j->ntasks == NO_VAL)
		j->ntasks = (g->per_job ? g->per_job : d * j->min_nodes) * k;
	else if (!g->per_job && !d && !t)
		g->per_job = j->ntasks / k;
	return true;
}

/* N8 */
static bool derive_gres(struct job *j, GError **error)
{
	const struct job_request *r = j->req;
	if (j->ntasks_per_gpu && !j->n_gres && j->ntasks != NO_VAL) { /* N8.3 */
		if (j->ntasks % j->ntasks_per_gpu)
			return REFUSE(error, "Invalid generic resource (gres) specification");
		want_for(j, "gpu", NULL);
	}
	for (uint32_t i = 0; i < j->n_gres; i++) {
		struct gres_want *g = &j->gres[i];
		if (g->per_socket && r->sockets_per_node == NO_VAL && !g->per_node)
			return REFUSE(error, "--gpus-per-socket option requires --sockets-per-node specification");
		if (!gres_consistent(g) || !derive_tasks(j, g))
			return REFUSE(error, "Invalid generic resource (gres) specification");
		if (g->per_job && g->per_node) { /* N8.1 */
			j->min_nodes = j->max_nodes = g->per_job / g->per_node;
			j->max_nodes_implicit = false;
		}
		if (!g->per_job)
			continue;
		if (g->per_job < j->min_nodes) /* N8.5 */
			return REFUSE(error, "Invalid generic resource (gres) specification");
		if (j->max_nodes == NO_VAL || j->max_nodes > g->per_job) {
			j->max_nodes_implicit = j->max_nodes == NO_VAL ? true : j->max_nodes_implicit;
			j->max_nodes = g->per_job;
		}
	}
	bool gpus = false, shares = false; /* N8.6 */
	for (uint32_t i = 0; i < j->n_gres; i++) {
		gpus = gpus || strcmp(j->gres[i].name, "gpu") == 0;
		shares = shares || strcmp(j->gres[i].name, "shard") == 0 || strcmp(j->gres[i].name, "mps") == 0;
	}
	if (gpus && shares)
		return REFUSE(error, "Invalid generic resource (gres) specification");
	for (uint32_t i = 0; i < j->n_gres; i++) /* N8.4 */
		if (r->cpus_per_gpu != NO_VAL && j->gres[i].per_task)
			j->cpt = (uint16_t)MIN(r->cpus_per_gpu * j->gres[i].per_task, 65535u);
	return true;
}

static bool read_gres(struct controller *c, struct job *j, GError **error)
{
	const struct job_request *r = j->req;
	return add_gres(c, j, r->gres, NULL, PER_NODE, error) && add_gres(c, j, r->gpus, "gpu", PER_JOB, error) &&
	       add_gres(c, j, r->gpus_per_task, "gpu", PER_TASK, error) && add_gres(c, j, r->gres_per_task, NULL, PER_TASK, error) &&
	       add_gres(c, j, r->gpus_per_socket, "gpu", PER_SOCKET, error) && derive_gres(j, error);
}

static void free_wants(struct gres_want *list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		g_free(list[i].name);
		g_free(list[i].type);
	}
	g_free(list);
}

/* GPUs of one node at least. */
static uint32_t gpus_on_node(const struct job *j)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < j->n_gres; i++) {
		const struct gres_want *g = &j->gres[i];
		uint32_t sockets = j->req->sockets_per_node != NO_VAL ? j->req->sockets_per_node : 1;
		uint32_t each = g->per_node ? g->per_node : g->per_socket ? g->per_socket * sockets
								: g->per_task * MAX(1u, (uint32_t)j->ntasks_per_node);
		n += strcmp(g->name, "gpu") == 0 ? MAX(each, 1u) : 0;
	}
	return n;
}

static uint32_t gpus_total(const struct job *j)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < j->n_gres; i++) {
		const struct gres_want *g = &j->gres[i];
		uint32_t sockets = j->req->sockets_per_node != NO_VAL ? j->req->sockets_per_node : 1;
		if (strcmp(g->name, "gpu") == 0)
			n += g->per_job ? g->per_job : (g->per_node ? g->per_node : g->per_socket * sockets) * j->min_nodes;
	}
	return n;
}

/* ---- sizes ---- */

static bool size_fields(struct controller *c, struct job *j, GError **error)
{
	const struct job_request *r = j->req;
	bool nodes_given = r->min_nodes != NO_VAL;
	j->min_nodes = nodes_given ? r->min_nodes : 1;
	j->max_nodes = nodes_given ? r->max_nodes : NO_VAL;
	if (nodes_given && j->max_nodes == NO_VAL)
		j->max_nodes = j->min_nodes; /* N3: -N a means a-a */
	if (j->min_nodes == 0 || (j->max_nodes != NO_VAL && j->max_nodes < j->min_nodes))
		return REFUSE(error, "Node count specification invalid");
	j->cpt = (uint16_t)(r->cpus_per_task != NO_VAL && r->cpus_per_task ? MIN(r->cpus_per_task, 65535u) : 1);
	j->ntasks = r->ntasks;
	j->ntasks_per_node = (uint16_t)(r->ntasks_per_node != NO_VAL ? MIN(r->ntasks_per_node, 65535u) : 0);
	j->ntasks_per_socket = (uint16_t)(r->ntasks_per_socket != NO_VAL ? MIN(r->ntasks_per_socket, 65535u) : 0);
	j->ntasks_per_gpu = (uint16_t)(r->ntasks_per_gpu != NO_VAL ? MIN(r->ntasks_per_gpu, 65535u) : 0);
	j->ntasks_per_core = (uint16_t)(r->ntasks_per_core != NO_VAL ? MIN(r->ntasks_per_core, 65535u) : c->p->cr_one_task_per_core ? 1 : 0);
	if (j->ntasks == 0)
		return REFUSE(error, "Task count specification invalid");
	if (j->ntasks != NO_VAL && nodes_given) { /* N3: the client lowers the counts to the tasks */
		j->min_nodes = MIN(j->min_nodes, j->ntasks);
		j->max_nodes = MIN(j->max_nodes, j->ntasks);
	}
	if (j->ntasks == NO_VAL && j->ntasks_per_node)
		j->ntasks = j->min_nodes * j->ntasks_per_node; /* N2 */
	if (r->spread_job && !nodes_given && j->ntasks != NO_VAL) { /* N3 */
		j->max_nodes = MIN(j->ntasks, MAX(1u, j->part->total_nodes));
	} else if (!nodes_given && j->ntasks != NO_VAL && c->p->version != SLURM_22_05) { /* N3, L69 */
		j->max_nodes = j->ntasks;
		j->max_nodes_implicit = true;
	}
	if (!nodes_given && j->ntasks != NO_VAL && r->spread_job) { /* N3 */
		j->max_nodes = MIN(c->cl->n_nodes, j->ntasks);
		j->max_nodes_implicit = false;
	}
	return true;
}

/* N8.7, N9: CPUs that come with each GPU; 0 = none. */
static uint32_t cpus_per_gpu(const struct controller *c, struct job *j, uint32_t gpus)
{
	const struct job_request *r = j->req;
	if (r->cpus_per_gpu != NO_VAL || !gpus || r->cpus_per_task != NO_VAL)
		return r->cpus_per_gpu != NO_VAL ? r->cpus_per_gpu : 0;
	return j->def_cpus_per_gpu = j->part->def_cpu_per_gpu ? j->part->def_cpu_per_gpu : c->p->def_cpu_per_gpu;
}

static bool cpu_fields(struct controller *c, struct job *j, GError **error)
{
	const struct job_request *r = j->req;
	uint32_t tasks = j->ntasks != NO_VAL ? j->ntasks : r->min_nodes != NO_VAL ? j->min_nodes : 1;
	uint64_t cpus = (uint64_t)(r->overcommit ? 1 : tasks) * j->cpt;
	uint32_t gpus = gpus_total(j);
	if (r->cpus_per_gpu != NO_VAL && !gpus)
		return REFUSE(error, "Invalid generic resource (gres) specification");
	uint32_t per_gpu = cpus_per_gpu(c, j, gpus);
	if (per_gpu)
		cpus = MAX(cpus, (uint64_t)per_gpu * gpus); /* N8.7 */
	if (cpus > UINT32_MAX / 2)
		return REFUSE(error, "%s", msg_node_config);
	j->min_cpus = MAX((uint32_t)cpus, j->min_nodes);
	j->max_cpus = NO_VAL;
	j->pn_min_cpus = MAX(1u, j->cpt); /* N4 */
	if (r->mincpus != NO_VAL)
		j->pn_min_cpus = MAX(j->pn_min_cpus, r->mincpus);
	if (j->ntasks_per_node > 0 && (j->ntasks == NO_VAL || j->ntasks > 1) && !r->overcommit)
		j->pn_min_cpus = MAX(j->pn_min_cpus, (uint32_t)j->cpt * j->ntasks_per_node);
	return true;
}

static void memory_fields(struct controller *c, struct job *j)
{
	const struct job_request *r = j->req;
	const struct partition *p = j->part;
	j->mem_given = r->mem_per_node != NO_VAL64 || r->mem_per_cpu != NO_VAL64 || r->mem_per_gpu != NO_VAL64;
	if (r->mem_per_cpu != NO_VAL64) {
		j->pn_min_memory = r->mem_per_cpu;
		j->mem_per_cpu = true;
	} else if (r->mem_per_node != NO_VAL64) {
		j->pn_min_memory = r->mem_per_node;
	} else if (r->mem_per_gpu != NO_VAL64) {
		j->mem_per_gpu = r->mem_per_gpu;
	} else if (gpus_total(j) && (p->def_mem_per_gpu || (c->p->def_mem_per_gpu && p->def_mem == NO_VAL64))) { /* N9 */
		j->mem_per_gpu = p->def_mem_per_gpu ? p->def_mem_per_gpu : c->p->def_mem_per_gpu;
	} else { /* N6 */
		uint64_t def = p->def_mem != NO_VAL64 ? p->def_mem : c->p->def_mem;
		j->mem_per_cpu = def && (p->def_mem != NO_VAL64 ? p->def_mem_per_cpu : c->p->def_mem_per_cpu);
		j->pn_min_memory = def;
	}
	if (j->mem_per_gpu)
		j->pn_min_memory = j->mem_per_gpu * gpus_on_node(j);
	j->mem_all = j->pn_min_memory == 0 && c->p->cr_memory; /* 0 = all memory of the node */
	if (j->pn_min_memory == 0)
		j->mem_per_cpu = false;
}

void demand_sharing(const struct controller *c, struct job *j)
{
	const struct job_request *r = j->req;
	j->core_spec = c->p->allow_spec && c->p->select_type == SELECT_CONS_TRES ? r->core_spec : NO_VAL; /* N7, recorded: else it is as if not given */
	j->thread_spec = j->core_spec != NO_VAL && r->thread_spec;
	j->whole_node = r->share == SHARE_EXCLUSIVE || j->core_spec != NO_VAL || r->reboot || j->part->oversubscribe == OVERSUB_EXCLUSIVE ||
	                c->p->select_type == SELECT_LINEAR;
	j->share_none = j->whole_node; /* N26 */
}

/* What else hangs on the GPUs. */
static bool follow_gpus(struct controller *c, struct job *j, GError **error)
{
	uint32_t gpus = gpus_total(j);
	if (!gpus && (j->req->cpus_per_gpu != NO_VAL || j->req->mem_per_gpu != NO_VAL64))
		return REFUSE(error, "Invalid generic resource (gres) specification");
	if (!gpus)
		j->def_cpus_per_gpu = 0;
	uint64_t cpus = (uint64_t)cpus_per_gpu(c, j, gpus) * gpus;
	if (cpus > UINT32_MAX / 2)
		return REFUSE(error, "%s", msg_node_config);
	j->min_cpus = MAX(MAX(j->min_cpus, (uint32_t)cpus), j->min_nodes);
	if (j->mem_per_gpu)
		j->pn_min_memory = j->mem_per_gpu * gpus_on_node(j);
	return true;
}

bool demand_renew_gres(struct controller *c, struct job *j, GError **error)
{
	const struct job was = *j;
	uint32_t most = j->max_nodes_implicit ? NO_VAL : j->max_nodes;
	j->gres = NULL;
	j->n_gres = 0;
	j->max_nodes = most;
	if (j->max_nodes_implicit && j->ntasks != NO_VAL && c->p->version != SLURM_22_05) /* N3 */
		j->max_nodes = j->ntasks;
	bool ok = read_gres(c, j, NULL) ? true : REFUSE(error, "Invalid generic resource (gres) specification");
	if (ok && most != NO_VAL && j->min_nodes > most) /* recorded: the nodes that were asked for count */
		ok = REFUSE(error, "Invalid generic resource (gres) specification");
	if (ok && follow_gpus(c, j, error)) {
		free_wants(was.gres, was.n_gres);
		return true;
	}
	free_wants(j->gres, j->n_gres);
	*j = was;
	return false;
}

bool demand_from_request(struct controller *c, struct job *j, GError **error)
{
	const struct job_request *r = j->req;
	j->overcommit = r->overcommit;
	j->gres_enforce = r->gres_flags && strstr(r->gres_flags, "enforce-binding");
	j->gres_one_task = r->gres_flags ? strstr(r->gres_flags, "one-task-per-sharing") != NULL : false;
	if (c->p->one_task_per_sharing_gres && !(r->gres_flags && strstr(r->gres_flags, "multiple-tasks-per-sharing")))
		j->gres_one_task = true;
	if (c->p->enforce_binding_gres && !(r->gres_flags && strstr(r->gres_flags, "disable-binding"))) /* N67 */
		j->gres_enforce = true;
	if ((r->mem_per_node != NO_VAL64) + (r->mem_per_cpu != NO_VAL64) + (r->mem_per_gpu != NO_VAL64) > 1)
		return REFUSE(error, "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.");
	j->contiguous = r->contiguous;
	demand_sharing(c, j);
	if (!size_fields(c, j, error))
		return false;
	if (!read_gres(c, j, error))
		return false;
	if (r->mem_per_gpu != NO_VAL64 && !gpus_total(j))
		return REFUSE(error, "Invalid generic resource (gres) specification");
	if (!cpu_fields(c, j, error))
		return false;
	if (j->ntasks != NO_VAL && j->ntasks < j->min_nodes)
		return REFUSE(error, "Task count specification invalid"); /* N5 */
	memory_fields(c, j);
	if (r->constraint && *r->constraint && !(j->features = features_parse(c->cl, r->constraint)))
		return REFUSE(error, "Invalid feature specification");
	if (r->prefer && *r->prefer && !(j->prefer = features_parse(c->cl, r->prefer)))
		return REFUSE(error, "Invalid feature specification");
	if (r->nodelist && !(j->req_nodes = cluster_parse_nodes(c->cl, r->nodelist, NULL)))
		return REFUSE(error, "Invalid node name specified");
	if (r->exclude && !(j->exc_nodes = cluster_parse_nodes(c->cl, r->exclude, NULL)))
		return REFUSE(error, "Invalid node name specified");
	if (j->req_nodes && j->exc_nodes && bitset_intersects(j->req_nodes, j->exc_nodes))
		return REFUSE(error, "Invalid node name specified");
	if (j->req_nodes && bitset_count(j->req_nodes) > j->min_nodes && r->min_nodes != NO_VAL && c->p->version != SLURM_22_05) {
		struct bitset *others = bitset_new(j->req_nodes->nbits); /* N5: a subset of the list is taken */
		bitset_set_all(others);
		bitset_andnot(others, j->req_nodes);
		if (j->exc_nodes)
			bitset_or(others, j->exc_nodes);
		bitset_free(j->exc_nodes);
		bitset_free(j->req_nodes);
		j->exc_nodes = others;
		j->req_nodes = NULL;
	} else if (j->req_nodes && bitset_count(j->req_nodes) > j->min_nodes) {
		j->min_nodes = bitset_count(j->req_nodes);
		if (j->max_nodes != NO_VAL)
			j->max_nodes = MAX(j->max_nodes, j->min_nodes);
		j->min_cpus = MAX(j->min_cpus, j->min_nodes);
	}
	return true;
}

/* ---- the static filter ---- */

/* N12 for one configuration. */
static bool config_passes(const struct controller *c, const struct job *j, const struct node_config *k, const struct features *f)
{
	const struct job_request *r = j->req;
	uint64_t memory = k->real_memory - MIN(k->mem_spec_limit, k->real_memory);
	uint64_t need = j->mem_per_cpu ? j->pn_min_memory * MAX(1u, j->pn_min_cpus) : j->pn_min_memory;
	if (k->cpus < j->pn_min_cpus || need > (c->p->cr_memory ? memory : k->real_memory))
		return false;
	if (r->tmp != NO_VAL64 && k->tmp_disk < r->tmp)
		return false;
	if ((r->sockets_per_node != NO_VAL && k->sockets < r->sockets_per_node) ||
	    (r->cores_per_socket != NO_VAL && k->cores_per_socket < r->cores_per_socket) ||
	    (r->threads_per_core != NO_VAL && k->threads < r->threads_per_core))
		return false;
	for (uint32_t i = 0; i < j->n_gres; i++) {
		uint32_t have = node_config_gres(k, j->gres[i].name, j->gres[i].type);
		if (have < MAX(MAX(j->gres[i].per_node, j->gres[i].per_task), 1u))
			return false;
	}
	return !f || features_allow(f, k);
}

/* The configurations that pass with the features F, in a new set. */
static struct bitset *passing(const struct controller *c, const struct job *j, const struct features *f)
{
	struct bitset *ok = bitset_new(c->cl->configs->len);
	for (guint i = 0; i < c->cl->configs->len; i++)
		if (config_passes(c, j, c->cl->configs->pdata[i], f))
			bitset_set(ok, i);
	return ok;
}

bool demand_static_filter(struct controller *c, struct job *j)
{
	bitset_free(j->config_ok);
	j->config_ok = passing(c, j, j->features);
	if (j->prefer) {
		bitset_free(j->prefer_ok);
		j->prefer_ok = passing(c, j, j->prefer);
	}
	return !bitset_empty(j->config_ok);
}

void demand_swap_prefer(struct job *j)
{
	struct bitset *ok = j->config_ok;
	struct features *f = j->features;
	j->config_ok = j->prefer_ok;
	j->features = j->prefer;
	j->prefer_ok = ok;
	j->prefer = f;
	j->ever_version = 0;
}
