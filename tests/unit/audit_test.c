/*
 * audit_test.c - nothing is held twice, and what is held is the sum of the allocations: 10,000 random jobs on random mixed
 * clusters, controller_audit after every step; and the audit finds what is wrong when something is.
 */
#include "sched/audit.h"
#include "sched/update.h"
#include "sched_helper.h"

#define CLUSTERS 50
#define JOBS 200 /* on each */

static uint32_t draw(uint64_t *seed, uint32_t n)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*seed >> 33) % n;
}

static void add_gpus(struct node_config *k, uint64_t *seed)
{
	uint32_t groups = draw(seed, 2) ? k->sockets : 1, each = 1 + draw(seed, 4);
	bool near = groups > 1, linked = draw(seed, 3) == 0, shares = draw(seed, 2);
	k->n_gres = shares ? 2 : 1;
	k->gres = g_new0(struct node_gres, 2);
	k->gres[0] = (struct node_gres){
	    .name = g_strdup("gpu"), .count = groups * each, .devices = true, .n_groups = groups};
	k->gres[0].group = g_new0(struct gres_group, groups);
	for (uint32_t i = 0; i < groups; i++) {
		struct gres_group *g = &k->gres[0].group[i];
		*g = (struct gres_group){.first = i * each, .count = each, .type = g_strdup(i % 2 ? "a100" : "h100")};
		if (near) {
			g->cores = bitset_new(k->cores);
			bitset_set_range(g->cores, i * k->cores_per_socket, (i + 1u) * k->cores_per_socket - 1);
		}
		for (uint32_t d = 0; linked && each == 1 && d < groups; d++) {
			g->links = g->links ? g->links : g_new0(int, groups);
			g->links[d] = d == i ? -1 : (int)draw(seed, 5);
		}
	}
	if (shares) {
		k->gres[1] = (struct node_gres){.name = g_strdup("shard"), .n_devices = groups * each, .one_sharing = draw(seed, 2)};
		k->gres[1].per_device = g_new0(uint32_t, groups * each);
		for (uint32_t d = 0; d < groups * each; d++)
			k->gres[1].count += k->gres[1].per_device[d] = 4;
	}
}

static struct world *random_cluster(enum slurm_version v, uint64_t *seed)
{
	static const enum cr_unit units[] = {CR_CORE, CR_CORE, CR_CPU, CR_SOCKET};
	struct world *w = world_new(v);
	uint32_t kinds = 1 + draw(seed, 3);
	w->p->cr_unit = units[draw(seed, 4)];
	w->p->cr_memory = draw(seed, 2);
	w->p->def_mem = 500;
	w->p->cr_lln = draw(seed, 4) == 0;
	w->p->pack_serial_at_end = draw(seed, 4) == 0;
	w->p->multiple_sharing_gres = draw(seed, 2);
	w->p->ll_shared_gres = draw(seed, 2);
	for (uint32_t i = 0; i < kinds; i++) {
		g_autofree char *names = g_strdup_printf("%c[1-%u]", 'a' + (int)i, 1 + draw(seed, 6));
		struct node_config *k = w_nodes(w, names, (uint16_t)(1 + draw(seed, 3)), (uint16_t)(1 + draw(seed, 12)),
		                                (uint16_t)(1 + draw(seed, 2)));
		k->weight = 1 + draw(seed, 3);
		if (draw(seed, 2))
			add_gpus(k, seed);
		if (v != SLURM_22_05 && draw(seed, 4) == 0)
			k->restricted_cores_per_gpu = 1;
	}
	struct license lic = {g_strdup("mat"), 3, 0};
	g_ptr_array_add(w->cl->licenses, g_memdup2(&lic, sizeof lic));
	w_part(w, "all", "ALL");
	struct partition *p = w_part(w, "some", "a[1]");
	static const enum oversubscribe sharing[] = {OVERSUB_EXCLUSIVE, OVERSUB_NO, OVERSUB_YES, OVERSUB_FORCE};
	p->oversubscribe = sharing[draw(seed, 4)];
	p->max_share = p->oversubscribe >= OVERSUB_YES && p->oversubscribe <= OVERSUB_FORCE ? 2 : 1;
	p->max_cpus_per_node = draw(seed, 3) ? INFINITE : 2;
	w_begin(w, 1);
	return w;
}

static void set(struct job_request *r, const char *option, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *value = g_strdup_vprintf(format, args);
	va_end(args);
	g_autoptr(GError) error = NULL;
	if (!job_request_set(r, option, *value ? value : NULL, &error))
		fail_msg("%s: %s", option, error->message);
}

static struct job_request *random_job(uint64_t *seed)
{
	static const char *const gres[] = {"gpu:1", "gpu:2", "gpu:h100:1", "shard:1", "shard:3", "gpu:a100:1"};
	static const char *const exclusive[] = {"", "user"};
	struct job_request *r = job_request_new();
	r->user = g_strdup_printf("u%u", draw(seed, 3));
	if (draw(seed, 2))
		set(r, "nodes", draw(seed, 2) ? "%u" : "%u-4", 1 + draw(seed, 3));
	if (draw(seed, 2))
		set(r, "ntasks", "%u", 3 + draw(seed, 12));
	if (draw(seed, 3) == 0)
		set(r, "cpus-per-task", "%u", 1 + draw(seed, 4));
	if (draw(seed, 3) == 0)
		set(r, "mem", "%u", 100 + draw(seed, 30000));
	switch (draw(seed, 8)) {
	case 0:
	case 1:
		set(r, "gres", "%s", gres[draw(seed, G_N_ELEMENTS(gres))]);
		break;
	case 2:
		set(r, "gpus", "%u", 1 + draw(seed, 6));
		break;
	case 3:
		set(r, "gpus-per-task", "1");
		break;
	}
	if (draw(seed, 10) == 0)
		set(r, "exclusive", "%s", exclusive[draw(seed, 2)]);
	else if (draw(seed, 3) == 0)
		set(r, "oversubscribe", "%s", "");
	if (draw(seed, 10) == 0)
		set(r, "gres-flags", "enforce-binding");
	if (draw(seed, 8) == 0)
		set(r, "licenses", "mat:%u", 1 + draw(seed, 2));
	if (draw(seed, 8) == 0)
		set(r, "spread-job", "");
	if (draw(seed, 8) == 0)
		set(r, "contiguous", "");
	if (draw(seed, 6) == 0)
		set(r, "partition", "some");
	set(r, "time", "%u", 1 + draw(seed, 30));
	return r;
}

static void audit(struct world *w, uint64_t seed)
{
	g_autoptr(GError) error = NULL;
	if (!controller_audit(w->c, &error))
		fail_msg("seed %" G_GUINT64_FORMAT ": %s", seed, error->message);
}

/* One key of a partition or of a node; a partition comes or goes. Most are carried out, some refused. */
static void random_update(struct world *w, uint64_t *seed, sec_t t)
{
	static const struct setting of_parts[] = {
	    {"nodes", "ALL"}, {"nodes", "a[1]"}, {"nodes", "a1,b1"}, {"nodes", ""}, {"state", "down"}, {"state", "up"}, {"state", "inactive"}, {"maxnodes", "1"},
	    {"maxnodes", "unlimited"}, {"maxtime", "10"}, {"maxtime", "unlimited"}, {"oversubscribe", "force:2"}, {"oversubscribe", "yes:3"}, {"oversubscribe", "no"},
	    {"oversubscribe", "exclusive"}, {"exclusiveuser", "yes"}, {"exclusiveuser", "no"}, {"lln", "yes"}, {"lln", "no"}, {"maxcpuspernode", "2"},
	    {"maxcpuspernode", "unlimited"}, {"prioritytier", "4"}, {"prioritytier", "1"}, {"defmempernode", "300"}, {"maxmempernode", "2000"},
	    {"maxmempernode", "0"}, {"default", "yes"}, {"tresbillingweights", "CPU=2"}, {"allowaccounts", "x"}, {"allowaccounts", "ALL"}, {"alternate", "all"}};
	static const struct setting of_nodes[] = {
	    {"weight", "9"}, {"weight", "0"}, {"availablefeatures", "x"}, {"availablefeatures", ""}, {"activefeatures", ""}, {"gres", ""}, {"gres", "gpu:0"},
	    {"state", "future"}, {"state", "resume"}, {"state", "idle"}, {"state", "undrain"}, {"state", "noresp"}, {"state", "drain"}, {"state", "fail"},
	    {"state", "down"}, {"comment", "c"}, {"reason", "r"}};
	static const char *const names[] = {"all", "some", "new", "some"};
	static const char *const nodes[] = {"a1", "a[1]", "b1", "ALL", "a2"};
	const struct setting more[2] = {{"nodes", "ALL"}, {"prioritytier", "3"}};
	struct setting one[2] = {of_nodes[draw(seed, G_N_ELEMENTS(of_nodes))], {"reason", "x"}};
	uint32_t what = draw(seed, 8);
	if (what < 4)
		controller_set_partition(w->c, names[draw(seed, 4)], &of_parts[draw(seed, G_N_ELEMENTS(of_parts))], 1, t * USEC, NULL);
	else if (what < 6)
		controller_set_node(w->c, nodes[draw(seed, 5)], one, 2, t * USEC, NULL, NULL);
	else if (what < 7)
		controller_create_partition(w->c, draw(seed, 2) ? "new" : "some", more, 2, t * USEC, NULL);
	else
		controller_delete_partition(w->c, draw(seed, 2) ? "new" : "some", t * USEC, NULL);
}

/* Submissions, passes and ends in random order, and UPDATES. Returns how many jobs started. */
static uint32_t play(struct world *w, uint64_t first_seed, bool updates)
{
	uint64_t seed = first_seed;
	uint32_t submitted = 0;
	for (sec_t t = 10; submitted < JOBS; t++) {
		for (uint32_t n = draw(&seed, 3); n && submitted < JOBS; n--, submitted++) {
			g_autoptr(GError) error = NULL;
			controller_submit(w->c, random_job(&seed), t * USEC, NULL, &error);
		}
		audit(w, first_seed);
		if (updates && draw(&seed, 2)) {
			random_update(w, &seed, t);
			audit(w, first_seed);
			if (t % 16 == 0) { /* not for good */
				const struct setting well[] = {{"state", "up"}, {"nodes", "ALL"}, {"maxnodes", "unlimited"}, {"allowaccounts", "ALL"}};
				controller_set_partition(w->c, "all", well, 4, t * USEC, NULL);
				controller_set_node(w->c, "ALL", &(const struct setting){"state", "resume"}, 1, t * USEC, NULL, NULL);
			}
		}
		if (draw(&seed, 2))
			w_full(w, t);
		else
			w_backfill(w, t);
		audit(w, first_seed);
		if (w->c->pending.head && draw(&seed, 2)) /* it may wait for good */
			controller_cancel(w->c, w->c->pending.head, t * USEC, NULL);
		for (uint32_t n = w->c->running.n ? draw(&seed, w->c->running.n + 1) : 0; n && w->c->running.n; n--) {
			struct job *j = w->c->running.head;
			for (uint32_t i = draw(&seed, w->c->running.n); i; i--)
				j = j->next;
			if (draw(&seed, 4))
				w_end(w, j, t, 0, true);
			else
				controller_cancel(w->c, j, t * USEC, NULL);
			audit(w, first_seed);
			if (j->flags & JOB_COMPLETING)
				controller_epilog_done(w->c, j, UINT32_MAX, true, t * USEC);
			audit(w, first_seed);
		}
	}
	uint32_t started = 0;
	for (const char *p = w->starts->str; (p = strchr(p, '@')); p++)
		started++;
	return started;
}

static void on_clusters(bool updates, uint32_t least)
{
	uint32_t started = 0;
	for (uint64_t i = 0; i < CLUSTERS; i++) {
		uint64_t seed = i + 1;
		struct world *w = random_cluster(i % 2 ? SLURM_22_05 : SLURM_26, &seed);
		started += play(w, i + 1, updates);
		world_free(w);
	}
	print_message("%u of %u jobs started\n", started, CLUSTERS * JOBS);
	assert_true(started > least); /* the jobs were no nonsense */
}

static void property(void **state)
{
	(void)state;
	on_clusters(false, CLUSTERS * JOBS / 5);
}

/* Partitions and nodes change, come and go meanwhile. */
static void with_updates(void **state)
{
	(void)state;
	on_clusters(true, CLUSTERS * JOBS / 20);
}

static void finds(struct world *w, const char *text)
{
	g_autoptr(GError) error = NULL;
	assert_false(controller_audit(w->c, &error));
	if (!strstr(error->message, text))
		fail_msg("\"%s\" does not hold \"%s\"", error->message, text);
}

static void what_is_wrong(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n[1-2]", 4);
	w_begin(w, 1);
	struct job *a = w_job(w, 10, "ntasks", "2", "nodes", "1", NULL), *b = w_job(w, 10, "ntasks", "2", "nodes", "1", NULL);
	w_full(w, 10);
	w_runs_on(w, b, 10, "n1");
	audit(w, 0);
	w->c->use->node[0].mem += 5;
	finds(w, "node n1: 4 cores, 4 CPUs, 5 MiB, 2 jobs counted; its jobs hold 4, 4, 0, 2");
	w->c->use->node[0].mem -= 5;
	uint64_t was = b->alloc->words[0];
	b->alloc->words[0] = a->alloc->words[0];
	finds(w, "node n1, job 2: core 0 is held twice");
	b->alloc->words[0] = was;
	w->c->use->gpus = 3;
	finds(w, "3 GPUs counted");
	w->c->use->gpus = 0;
	audit(w, 0);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(property), cmocka_unit_test(with_updates), cmocka_unit_test(what_is_wrong)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
