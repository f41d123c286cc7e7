/* nodemodel_check.c - "Rules a loader may assert" (spec hardware.md section 0). */
#include "models/nodemodel_check.h"
#include "models/conflex.h"
#include <string.h>

static void check_counts(const struct node_model *m, const char *file, struct diag *d)
{
	if ((uint64_t)m->boards * m->sockets_per_board * m->cores_per_socket != m->total_cores)
		diag_error(d, file, 0, 0, "want SocketsPerBoard x CoresPerSocket = total_cores",
		           "slurm: %u x %u sockets x %u cores, but total_cores is %u", m->boards, m->sockets_per_board,
		           m->cores_per_socket, m->total_cores);
	if ((uint64_t)m->total_cores * m->threads_per_core != m->cpus)
		diag_error(d, file, 0, 0, "want CPUs = total_cores x ThreadsPerCore", "slurm.CPUs is %u, not %u x %u",
		           m->cpus, m->total_cores, m->threads_per_core);
}

static void check_numa(const struct node_model *m, const char *file, struct diag *d)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < m->n_numa; i++) {
		const struct model_numa *n = &m->numa[i];

		if (n->core_first != next)
			diag_error(d, file, 0, 0, "core ranges follow each other in NUMA order",
			           "NUMA node %u begins at core %u, not %u", n->id, n->core_first, next);
		next = n->core_first + n->core_count;
	}
	if (next != m->total_cores)
		diag_error(d, file, 0, 0, "core ranges cover 0 to total_cores - 1", "NUMA nodes end at core %u of %u",
		           next, m->total_cores);
}

static void check_links(const struct node_model *m, const char *file, struct diag *d)
{
	uint32_t n = m->n_gpus;

	for (uint32_t a = 0; a < n; a++) {
		if (!g_str_equal(m->link[a * n + a], "X"))
			diag_error(d, file, 0, 0, "want X", "links[%u][%u] is %.20s", a, a, m->link[a * n + a]);
		for (uint32_t b = 0; b < a; b++)
			if (!g_str_equal(m->link[a * n + b], m->link[b * n + a]))
				diag_error(d, file, 0, 0, "links are the same in both directions",
				           "links[%u][%u] is %.20s, links[%u][%u] is %.20s", a, b, m->link[a * n + b],
				           b, a, m->link[b * n + a]);
	}
}

struct cores_check {
	const struct node_model *m;
	const char *file;
	struct diag *d;
};

static void check_cores_line(struct conf_line *line, void *data)
{
	struct cores_check *c = data;
	uint32_t size = c->m->cores_per_socket;

	for (guint i = 0; i < line->n_pairs; i++) {
		const struct conf_pair *p = &line->pair[i];

		if (g_ascii_strcasecmp(p->key, "Cores") != 0)
			continue;
		struct bitset *cores = bitset_new(c->m->total_cores);
		bool good = bitset_from_ranges(cores, p->value) && bitset_count(cores) == size;
		int64_t first = bitset_first(cores);

		good = good && first % size == 0 && bitset_last(cores) == first + size - 1;
		if (!good)
			diag_error(c->d, c->file, 0, 0, "want the cores of exactly one Slurm socket",
			           "slurm.gres_conf: Cores=%.60s", p->value);
		bitset_free(cores);
	}
	conf_line_free(line);
}

static void check_gres(const struct node_model *m, const char *file, struct diag *d)
{
	struct cores_check c = {m, file, d};
	char *text = g_strjoinv("\n", m->gres_conf);

	conflex_text(text, file, check_cores_line, &c, d);
	g_free(text);
}

void node_model_check(const struct node_model *m, const char *file, struct diag *d)
{
	check_counts(m, file, d);
	check_numa(m, file, d);
	check_links(m, file, d);
	check_gres(m, file, d);
}
