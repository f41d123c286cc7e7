/* shown_derive.c - nodes that no output describes, from the totals of their partitions; see shown.h. */
#include "models/shown_read.h"
#include "sched/base/hostlist.h"
#include <stdlib.h>

struct deriving {
	struct shown *s;
	GHashTable *shape; /* node name (owned) -> struct shown_shape * (owned) */
	GPtrArray *order;  /* names (borrowed) in the order in which they were found */
	GHashTable *at;    /* name (borrowed) -> struct shown_part *: the first partition that has it */
	GPtrArray *lists;  /* of GPtrArray *: the nodes of each partition */
	guint64 names_left;
	bool odd; /* a total that does not fit its nodes */
};

/* Total less what is known, shared among N nodes; the I-th gets one more while a remainder lasts. */
static guint64 share(guint64 left, guint64 n, guint64 i)
{
	return left / n + (i < left % n);
}

static guint64 gpu_unit(const struct deriving *w, guint64 left, guint64 n)
{
	guint64 unit = w->s->gpus_of_node;

	if (unit == 0 || unit * n < left)
		for (unit = 1; unit * n < left; unit *= 2)
			;
	return unit;
}

static guint64 rest(struct deriving *w, guint64 total, guint64 known)
{
	w->odd |= known > total;
	return known > total ? 0 : total - known;
}

/* Give every node of PART that has no shape yet its share of what the others leave. */
static void share_out(struct deriving *w, const struct shown_part *part, const GPtrArray *names)
{
	GPtrArray *open = g_ptr_array_new();
	struct shown_shape known = {0};

	for (guint i = 0; i < names->len; i++) {
		const struct shown_shape *k = g_hash_table_lookup(w->shape, names->pdata[i]);

		if (!k)
			k = g_hash_table_lookup(w->s->described, names->pdata[i]);
		if (k) {
			known.cpus += k->cpus;
			known.mem += k->mem;
			known.gpus += k->gpus;
		} else {
			g_ptr_array_add(open, names->pdata[i]);
		}
	}
	guint64 n = open->len, cpus = rest(w, part->cpus, known.cpus), mem = rest(w, part->mem, known.mem);
	guint64 gpus = rest(w, part->gpus, known.gpus), unit = n ? gpu_unit(w, gpus, n) : 1;
	for (guint i = 0; i < n; i++) {
		if (g_hash_table_contains(w->shape, open->pdata[i])) /* named twice: the reader of PartitionName lines tells */
			continue;
		struct shown_shape *k = g_new0(struct shown_shape, 1);
		char *name = g_strdup(open->pdata[i]);

		k->cpus = share(cpus, n, i);
		k->mem = share(mem, n, i);
		k->gpus = MIN(gpus, unit);
		gpus -= k->gpus;
		g_hash_table_insert(w->shape, name, k);
		g_hash_table_insert(w->at, name, (gpointer)part);
		g_ptr_array_add(w->order, name);
	}
	g_ptr_array_unref(open);
}

static void deliver(struct deriving *w, const char *name)
{
	const struct shown_shape *k = g_hash_table_lookup(w->shape, name);
	const struct shown_part *part = g_hash_table_lookup(w->at, name);
	struct conf_line *l = shown_line(part->file, part->line);
	const char *type = part->gpu_type ? part->gpu_type : w->s->gpu_type;
	char text[64];

	shown_pair(l, "NodeName", name);
	shown_guess_shape(l, k->cpus);
	if (k->mem) {
		g_snprintf(text, sizeof text, "%" G_GUINT64_FORMAT, k->mem);
		shown_pair(l, "RealMemory", text);
	}
	if (k->gpus) {
		char *gres = g_strdup_printf("gpu%s%s:%" G_GUINT64_FORMAT, type ? ":" : "", type ? type : "", k->gpus);
		char *plain = shown_gres(w->s, gres);

		shown_pair(l, "Gres", plain);
		g_free(plain);
		g_free(gres);
	}
	shown_deliver(w->s, l);
}

static int by_size(const void *a, const void *b)
{
	const struct shown_part *x = *(struct shown_part *const *)a, *y = *(struct shown_part *const *)b;

	if (x->n_nodes != y->n_nodes)
		return x->n_nodes < y->n_nodes ? -1 : 1;
	return g_strcmp0(x->name, y->name);
}

static void unref(void *data)
{
	g_ptr_array_unref(data);
}

static void tell(const struct deriving *w)
{
	if (!w->order->len)
		return;
	diag_warn(
	    w->s->d, ((const struct shown_part *)w->s->parts->pdata[0])->file, 0, 0,
	    "give \"scontrol show node\" as well",
	    "%u nodes are described by no file: their CPUs, memory and GPUs are worked out from the totals of their "
	    "partitions%s",
	    w->order->len, w->odd ? ", which do not agree with each other" : "");
}

void shown_derive_nodes(struct shown *s)
{
	struct deriving w = {.s = s, .names_left = SHOWN_NODES_MAX};
	GPtrArray *parts = g_ptr_array_new();

	w.shape = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	w.at = g_hash_table_new(g_str_hash, g_str_equal);
	w.order = g_ptr_array_new();
	w.lists = g_ptr_array_new_with_free_func(unref);
	for (guint i = 0; i < s->parts->len; i++)
		g_ptr_array_add(parts, s->parts->pdata[i]);
	if (parts->len)
		qsort(parts->pdata, parts->len, sizeof(void *), by_size);
	for (guint i = 0; i < parts->len; i++) {
		const struct shown_part *p = parts->pdata[i];
		gint64 count = hostlist_count(p->nodes, NULL);
		GPtrArray *names =
		    count >= 0 && (guint64)count <= w.names_left ? hostlist_expand(p->nodes, NULL) : NULL;

		if (!names) /* the reader of PartitionName lines tells what is wrong */
			continue;
		w.names_left -= names->len;
		share_out(&w, p, names);
		g_ptr_array_add(w.lists, names);
	}
	for (guint i = 0; i < w.order->len; i++)
		deliver(&w, w.order->pdata[i]);
	tell(&w);
	g_ptr_array_unref(parts);
	g_ptr_array_unref(w.lists);
	g_ptr_array_unref(w.order);
	g_hash_table_unref(w.at);
	g_hash_table_unref(w.shape);
}
