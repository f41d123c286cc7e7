/*
 * generate.c - calibration, numbering and writing of the month; the jobs are drawn in generate_draw.c.
 */
#include "scenarios/generate.h"
#include "scenarios/generate_job.h"
#include <gio/gio.h>
#include <string.h>

#define START "2026-01-05T00:00:00"
#define HALVINGS 40 /* of the interval of the stretch, in the calibration */

const char *generate_pool_name(enum generate_pool pool)
{
	return month_pools[pool].name;
}

/* ---- offered load ---- */

/* Will J never start for a dependency that cannot be met? NONE: no pending job is cancelled. */
static gboolean is_orphan(const struct month_job *j, gboolean none)
{
	for (; j->after; j = j->after) {
		const struct month_job *a = j->after;
		gboolean fine = !a->exit_code && !a->cancel_run && (none || !a->cancel) && a->run <= a->limit * 60LL;
		if (strcmp(j->after_how, "afterok") == 0 && !fine)
			return TRUE;
	}
	return FALSE;
}

/* Hours on the pool that J takes when it runs: GPU hours, or CPU hours where there are no GPUs. */
static double job_hours(const struct month_job *j)
{
	gint64 seconds = MIN(j->run, j->limit * 60LL);
	if (j->cancel_run)
		seconds = MIN(seconds, j->cancel_run);
	double units = j->gpus * j->nodes;
	if (!month_partitions[j->part].gpu)
		units = j->ntasks * ((j->cpus_per_task + 1) / 2 * 2); /* whole cores of two threads */
	return units * MAX(j->tasks, 1) * seconds / 3600.0;
}

/* Share of the pool's month. ALL: as if no job were cancelled before its start; else as if all such were. */
static double pool_load(const GPtrArray *jobs, enum generate_pool pool, gboolean all)
{
	double hours = 0;
	for (guint i = 0; i < jobs->len; i++) {
		const struct month_job *j = jobs->pdata[i];
		if (month_partitions[j->part].pool == pool && (all || !j->cancel) && !is_orphan(j, all))
			hours += job_hours(j);
	}
	const struct month_pool *p = &month_pools[pool];
	return hours / (p->nodes * (double)(p->gpus ? p->gpus : p->cpus) * (MONTH_SECONDS / 3600.0));
}

static void pool_finish(const GPtrArray *jobs, enum generate_pool pool, double stretch)
{
	for (guint i = 0; i < jobs->len; i++) {
		struct month_job *j = jobs->pdata[i];
		if (month_partitions[j->part].pool == pool)
			month_job_finish(j, stretch);
	}
}

/* Find the stretch that gives TARGET. The load grows with it, since limits grow with the work. */
static double pool_calibrate(const GPtrArray *jobs, enum generate_pool pool, double target)
{
	double low = 0.05, high = 20;
	for (guint i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;
		pool_finish(jobs, pool, middle);
		if ((pool_load(jobs, pool, FALSE) + pool_load(jobs, pool, TRUE)) / 2 < target)
			low = middle;
		else
			high = middle;
	}
	pool_finish(jobs, pool, low);
	return low;
}

/* Chains tie pools together (a failed step takes its successors along), hence all are finished once before. */
static void calibrate(const GPtrArray *jobs, guint32 asked, struct generate_stats *stats)
{
	static const double target[GENERATE_POOLS] = {GENERATE_LOAD_GPU, GENERATE_LOAD_GPU, GENERATE_LOAD_CPU};
	for (guint p = 0; p < GENERATE_POOLS; p++)
		pool_finish(jobs, p, 1);
	for (guint p = GENERATE_POOLS; p-- > 0;) /* preprocessing on CPUs comes first in a chain */
		stats->stretch[p] = pool_calibrate(jobs, p, target[p] * asked / GENERATE_JOBS);
	for (guint p = 0; p < GENERATE_POOLS; p++) {
		stats->load[p] = pool_load(jobs, p, FALSE);
		stats->load_most[p] = pool_load(jobs, p, TRUE);
	}
}

/* ---- writing ---- */

static void put_text(GString *s, const char *key, const char *value)
{
	g_string_append_printf(s, ",\"%s\":\"%s\"", key, value); /* our own names: nothing to escape */
}

static void put_number(GString *s, const char *key, gint64 value)
{
	if (value)
		g_string_append_printf(s, ",\"%s\":%" G_GINT64_FORMAT, key, value);
}

static void put_size(GString *s, const char *key, guint32 gib)
{
	if (gib)
		g_string_append_printf(s, ",\"%s\":\"%uG\"", key, gib);
}

static void put_limit(GString *s, guint32 minutes)
{
	if (minutes < 60)
		put_number(s, "time", minutes);
	else
		g_string_append_printf(s, ",\"time\":\"%u-%02u:%02u:00\"", minutes / 1440, minutes / 60 % 24,
		                       minutes % 60);
}

static void put_shape(GString *s, const struct month_job *j)
{
	put_number(s, "nodes", j->nodes);
	put_number(s, "ntasks", j->ntasks);
	put_number(s, "ntasks_per_node", j->ntasks_per_node);
	put_number(s, "cpus_per_task", j->cpus_per_task);
	put_size(s, "mem", j->mem);
	put_size(s, "mem_per_cpu", j->mem_per_cpu);
	const char *gpu = month_partitions[j->part].gpu;
	if (j->gpus && j->gpus_per_job)
		g_string_append_printf(s, ",\"gpus\":\"%s:%u\"", gpu, j->gpus);
	else if (j->gpus)
		g_string_append_printf(s, ",\"gres\":\"gpu:%s:%u\"", gpu, j->gpus);
}

static void put_job(GString *s, const struct month_job *j)
{
	/* whole milliseconds: exact, and the same in every locale */
	g_string_append_printf(s, "{\"name\":\"%s\",\"at\":%" G_GINT64_FORMAT ".%03d", j->name, j->at / 1000,
	                       (int)(j->at % 1000));
	put_text(s, "user", j->user);
	put_text(s, "account", j->account);
	put_text(s, "partition", month_partitions[j->part].name);
	put_text(s, "qos", j->qos);
	put_shape(s, j);
	put_limit(s, j->limit);
	put_number(s, "run", j->run);
	put_number(s, "exit", j->exit_code);
	if (j->tasks && j->at_once)
		g_string_append_printf(s, ",\"array\":\"0-%u%%%u\"", j->tasks - 1, j->at_once);
	else if (j->tasks)
		g_string_append_printf(s, ",\"array\":\"0-%u\"", j->tasks - 1);
	if (j->after)
		g_string_append_printf(s, ",\"depends\":\"%s:@%s\"", j->after_how, j->after->name);
	put_number(s, "cancel", j->cancel);
	put_number(s, "cancel_run", j->cancel_run);
	g_string_append(s, "}\n");
}

static void count_job(struct generate_stats *st, const struct month_job *j)
{
	st->submissions++;
	st->jobs += MAX(j->tasks, 1);
	st->arrays += j->tasks > 0;
	st->array_tasks += j->tasks;
	st->dependent += j->after != NULL;
	st->cancel_pending += j->cancel > 0;
	st->cancel_run += j->cancel_run > 0;
	st->failing += j->exit_code != 0;
	st->over_limit += j->run > j->limit * 60LL;
	st->max_gpus = MAX(st->max_gpus, j->gpus * j->nodes);
}

static gint by_time(gconstpointer a, gconstpointer b)
{
	const struct month_job *x = *(struct month_job *const *)a, *y = *(struct month_job *const *)b;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

GString *generate_month_text(guint64 seed, guint32 jobs, struct generate_stats *stats)
{
	g_return_val_if_fail(jobs >= 1 && jobs <= GENERATE_JOBS_MAX, NULL);
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_rng_set(rng, (seed ^ seed >> 32) & G_MAXUINT32);
	GPtrArray *drawn = month_draw(rng, jobs);
	gsl_rng_free(rng);
	struct generate_stats st = {0};
	calibrate(drawn, jobs, &st);
	g_ptr_array_sort(drawn, by_time);
	GString *s = g_string_sized_new(drawn->len * 256);
	g_string_append(s, "{\"schema\":\"whypend-workload/1\",\"start\":\"" START "\"}\n");
	for (guint i = 0; i < drawn->len; i++) {
		struct month_job *j = drawn->pdata[i];
		g_snprintf(j->name, sizeof j->name, "%s%06u", j->kind, i + 1);
		put_job(s, j);
		count_job(&st, j);
	}
	g_ptr_array_unref(drawn);
	if (stats)
		*stats = st;
	return s;
}

/* TEXT gzipped. Without a file info the head holds no name and no time. */
static GBytes *zip(const GString *text, GError **error)
{
	g_autoptr(GZlibCompressor) compressor = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9);
	g_autoptr(GOutputStream) memory = g_memory_output_stream_new_resizable();
	g_autoptr(GOutputStream) stream = g_converter_output_stream_new(memory, G_CONVERTER(compressor));
	if (!g_output_stream_write_all(stream, text->str, text->len, NULL, NULL, error) ||
	    !g_output_stream_close(stream, NULL, error))
		return NULL;
	return g_memory_output_stream_steal_as_bytes(G_MEMORY_OUTPUT_STREAM(memory));
}

gboolean generate_month(const char *out, guint64 seed, guint32 jobs, GError **error)
{
	if (jobs < 1 || jobs > GENERATE_JOBS_MAX) {
		g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "number of jobs %u is not in 1..%u", jobs,
		            GENERATE_JOBS_MAX);
		return FALSE;
	}
	GString *text = generate_month_text(seed, jobs, NULL);
	g_autoptr(GBytes) zipped = zip(text, error);
	g_string_free(text, TRUE);
	if (!zipped)
		return FALSE;
	gsize size;
	const char *data = g_bytes_get_data(zipped, &size);
	return g_file_set_contents_full(out, data, (gssize)size,
	                                G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0644, error);
}
