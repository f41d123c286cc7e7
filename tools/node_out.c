/* node_out.c - see node_out.h. */
#include "tools/node_out.h"
#include "sched/cores.h"
#include "sched/stranded.h"
#include "tools/place_out.h"
#include <string.h>

static const char marks[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

struct drawing {
	FILE *out;
	struct controller *c;
	const struct node *n;
	const struct node_config *k;
	const struct node_model *model;
	GPtrArray *jobs;              /* of const struct job *, that hold something here; marked in this order */
	const struct node_gres *gpus; /* NULL = none */
	uint32_t gpu_gres;            /* its index */
};

static char mark_of(guint i)
{
	return i < sizeof marks - 1 ? marks[i] : '*';
}

static const struct alloc_node *part_here(const struct drawing *d, const struct job *j)
{
	for (uint32_t i = 0; j->alloc && i < j->alloc->n; i++)
		if (j->alloc->node[i].node == d->n->index)
			return &j->alloc->node[i];
	return NULL;
}

static void find_jobs(struct drawing *d)
{
	for (uint32_t i = 0; i < controller_n_jobs(d->c); i++) {
		struct job *j = controller_job(d->c, i);
		if (j && part_here(d, j))
			g_ptr_array_add(d->jobs, j);
	}
}

static char holder_of_core(const struct drawing *d, uint32_t core)
{
	for (guint i = 0; i < d->jobs->len; i++) {
		const struct job *j = d->jobs->pdata[i];
		if (core_test(j->alloc->words + part_here(d, j)->core_word, core))
			return mark_of(i);
	}
	return d->k->spec_cores && bitset_test(d->k->spec_cores, core) ? '#' : '.';
}

/* Who holds GPU number D, or shares of it. g_free. */
static char *holders_of_gpu(const struct drawing *d, uint32_t device)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < d->jobs->len; i++) {
		const struct job *j = d->jobs->pdata[i];
		const struct alloc_node *an = part_here(d, j);
		for (uint32_t g = 0; g < an->n_gres; g++) {
			const struct gres_taken *t = &j->alloc->gres[an->gres_first + g];
			const struct node_gres *ng = &d->k->gres[t->gres];
			if (!((t->devices >> device) & 1))
				continue;
			if (t->gres == d->gpu_gres)
				g_string_append_printf(s, "%s%c", s->len ? " " : "", mark_of(i));
			else if (ng->per_device)
				g_string_append_printf(s, "%s%c:%u/%u %s", s->len ? " " : "", mark_of(i), t->count,
				                       ng->per_device[device], ng->name);
		}
	}
	if (!s->len)
		g_string_append(s, "free");
	return g_string_free(s, FALSE);
}

static const struct gres_group *group_of(const struct drawing *d, uint32_t device)
{
	for (uint32_t i = 0; i < d->gpus->n_groups; i++)
		if (device >= d->gpus->group[i].first && device < d->gpus->group[i].first + d->gpus->group[i].count)
			return &d->gpus->group[i];
	return NULL;
}

/* ---- parts of the drawing ---- */

static void head(const struct drawing *d)
{
	const struct node_config *k = d->k;
	const struct node_use *u = usage_node(controller_usage(d->c), d->n->index);
	char *features = g_strjoinv(",", k->features);

	fprintf(d->out, "%s  %s%s%s\n", d->n->name, controller_node_state(d->c, d->n, false), d->n->reason ? ": " : "",
	        d->n->reason ? d->n->reason : "");
	fprintf(d->out, "%u socket%s x %u cores x %u thread%s, %" G_GUINT64_FORMAT " MiB%s%s%s%s%s%s\n", k->sockets,
	        k->sockets == 1 ? "" : "s", k->cores_per_socket, k->threads, k->threads == 1 ? "" : "s",
	        (guint64)k->real_memory, *k->gres_text ? ", " : "", k->gres_text, *features ? ", features " : "", features,
	        d->model ? ", model " : "", d->model ? d->model->name : "");
	fprintf(d->out, "held: %u of %u cores, %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " MiB", u->cores, k->cores,
	        (guint64)u->mem, (guint64)k->real_memory);
	for (uint32_t i = 0; i < k->n_gres; i++)
		fprintf(d->out, ", %u of %u %s", usage_gres(controller_usage(d->c), d->n->index)[i].count, k->gres[i].count,
		        k->gres[i].name);
	fputc('\n', d->out);
	g_free(features);
}

static void draw_cores(const struct drawing *d, uint32_t first, uint32_t n)
{
	fprintf(d->out, "  cores %-9s", "");
	for (uint32_t i = 0; i < n; i++) {
		if (i && i % 64 == 0)
			fprintf(d->out, "\n%17s", "");
		else if (i && i % 8 == 0)
			fputc(' ', d->out);
		fputc(holder_of_core(d, first + i), d->out);
	}
	fputc('\n', d->out);
}

static void draw_gpu(const struct drawing *d, uint32_t device)
{
	const struct gres_group *g = group_of(d, device);
	char *who = holders_of_gpu(d, device);

	fprintf(d->out, "  gpu %-3u %-8s %s\n", device, g && g->type ? g->type : "", who);
	g_free(who);
}

/* The GPUs near cores FIRST .. FIRST+N-1, and of no other part. */
static void draw_gpus_near(const struct drawing *d, uint32_t first, uint32_t n, bool *drawn)
{
	for (uint32_t i = 0; d->gpus && i < MIN(d->gpus->count, 64u); i++) {
		const struct gres_group *g = group_of(d, i);
		bool near = g && g->cores && !drawn[i];
		int64_t core;
		if (near)
			for (BITSET_EACH(core, g->cores))
				near = near && core >= first && core < first + n;
		if (d->model && i < d->model->n_gpus && !drawn[i]) {
			core = bitset_first(d->model->gpu[i].cores);
			near = core >= first && core < first + n;
		}
		if (!near)
			continue;
		drawn[i] = true;
		draw_gpu(d, i);
	}
}

static void draw_part(const struct drawing *d, const char *title, uint32_t id, uint32_t first, uint32_t n, bool *drawn)
{
	uint32_t free = 0;
	for (uint32_t i = first; i < first + n; i++)
		free += holder_of_core(d, i) == '.';
	fprintf(d->out, "\n%s %u  cores %u-%u, %u free\n", title, id, first, first + n - 1, free);
	draw_cores(d, first, n);
	draw_gpus_near(d, first, n, drawn);
}

static void draw_parts(const struct drawing *d)
{
	bool drawn[64] = {false};
	bool any = false;

	if (d->model)
		for (uint32_t i = 0; i < d->model->n_numa; i++) {
			const struct model_numa *m = &d->model->numa[i];
			char *title = g_strdup_printf("socket %u numa", m->socket);
			draw_part(d, title, m->id, m->core_first, m->core_count, drawn);
			g_free(title);
		}
	else
		for (uint32_t x = 0; x < socket_count(d->k); x++)
			draw_part(d, "socket", x, x * socket_size(d->k), socket_size(d->k), drawn);
	for (uint32_t i = 0; d->gpus && i < MIN(d->gpus->count, 64u); i++)
		if (!drawn[i]) {
			if (!any)
				fprintf(d->out, "\nnear all cores\n");
			any = true;
			draw_gpu(d, i);
		}
}

static void draw_links(const struct drawing *d)
{
	uint32_t n = d->model ? d->model->n_gpus : d->gpus ? MIN(d->gpus->count, 64u) : 0;
	bool known = d->model && n > 1;

	for (uint32_t i = 0; i < n && !d->model; i++)
		known = known || (group_of(d, i) && group_of(d, i)->links);
	if (!known)
		return;
	fprintf(d->out, "\nlinks%s\n      ", d->model ? "" : " (Links= of gres.conf)");
	for (uint32_t i = 0; i < n; i++)
		fprintf(d->out, " %4u", i);
	for (uint32_t i = 0; i < n; i++) {
		fprintf(d->out, "\n  gpu %u", i);
		for (uint32_t k = 0; k < n; k++) {
			const struct gres_group *g = d->model ? NULL : group_of(d, i);
			if (d->model)
				fprintf(d->out, " %4s", d->model->link[i * n + k]);
			else if (g && g->links)
				fprintf(d->out, " %4d", g->links[k]);
			else
				fprintf(d->out, "    -");
		}
	}
	fputc('\n', d->out);
}

static void draw_jobs(const struct drawing *d)
{
	const struct cluster *cl = controller_cluster(d->c);

	fprintf(d->out, "\njobs%s\n", d->jobs->len ? "" : ": none");
	for (guint i = 0; i < d->jobs->len; i++) {
		const struct job *j = d->jobs->pdata[i];
		const struct alloc_node *an = part_here(d, j);
		char *id = job_format_id(j), *cpus = place_cpu_ids(cl, j->alloc, an), *gres = place_gres(cl, j->alloc, an);
		char *end = j->time_limit == INFINITE ? g_strdup("without limit") : date_format(j->end, NULL);
		fprintf(d->out, "  %c  %s %s (%s)  CPU_IDs=%s Mem=%" G_GUINT64_FORMAT "%s%s  %s%s\n", mark_of(i), id, j->name,
		        j->user, cpus, (guint64)an->mem, *gres ? " GRES=" : "", gres,
		        j->time_limit == INFINITE ? "" : "until ", end);
		g_free(id);
		g_free(cpus);
		g_free(gres);
		g_free(end);
	}
}

static void draw_stranded(const struct drawing *d)
{
	struct gpu_shapes *shapes = gpu_shapes_new(d->c);
	struct stranded s = stranded_on(d->c, shapes, d->n->index);

	gpu_shapes_free(shapes);
	if (!d->gpus)
		return;
	fprintf(d->out, "\nfree GPUs: %u, stranded: %u", s.free, stranded_total(&s));
	for (int i = 0; i < STRANDED_CAUSES; i++)
		if (s.by[i])
			fprintf(d->out, " (%s)", stranded_cause_name((enum stranded_cause)i));
	fputc('\n', d->out);
}

void node_draw(FILE *out, struct controller *c, const struct node *n, const struct node_model *model)
{
	struct drawing d = {.out = out, .c = c, .n = n, .k = n->config, .model = model, .jobs = g_ptr_array_new()};

	for (uint32_t i = 0; i < d.k->n_gres; i++)
		if (strcmp(d.k->gres[i].name, "gpu") == 0 && d.k->gres[i].devices) {
			d.gpus = &d.k->gres[i];
			d.gpu_gres = i;
		}
	find_jobs(&d);
	head(&d);
	draw_parts(&d);
	draw_links(&d);
	draw_jobs(&d);
	draw_stranded(&d);
	g_ptr_array_unref(d.jobs);
}

bool node_model_fits(const struct node *n, const struct node_model *m)
{
	const struct node_config *k = n->config;
	return m->total_cores == k->cores && m->n_gpus == node_config_gres(k, "gpu", NULL);
}
