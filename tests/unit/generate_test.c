/* The month generator: determinism, format, agreement with the scenario's site files, and the promised mix. Run from
 * the repo root. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "scenarios/generate.h"
#include <cjson/cJSON.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOME "scenarios/h100-a100-month/"

/* The month of seed 1, made once for all tests. */
struct month {
	GString *text;
	struct generate_stats stats;
	GPtrArray *jobs; /* of cJSON * */
	char *conf, *accounting;
	GPtrArray *sorts; /* of cJSON *, borrowed: one job of each user, account, partition and QOS that go together */
};

static const char *text_of(const cJSON *job, const char *key)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(job, key));
}

static double number_of(const cJSON *job, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(job, key);
	return item ? item->valuedouble : 0;
}

static void free_json(gpointer p)
{
	cJSON_Delete(p);
}

/* So that the site's files are searched once for each combination, not for each of 20,000 jobs. */
static GPtrArray *sorts_of(const GPtrArray *jobs)
{
	static const char *const keys[] = {"user", "account", "partition", "qos"};
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GPtrArray *sorts = g_ptr_array_new();
	for (guint i = 0; i < jobs->len; i++) {
		GString *key = g_string_new(NULL);
		for (guint k = 0; k < G_N_ELEMENTS(keys); k++)
			g_string_append_printf(key, "%s|", text_of(jobs->pdata[i], keys[k]));
		if (g_hash_table_add(seen, g_string_free(key, FALSE)))
			g_ptr_array_add(sorts, jobs->pdata[i]);
	}
	return sorts;
}

static int set_up(void **state)
{
	struct month *m = g_new0(struct month, 1);
	m->text = generate_month_text(1, GENERATE_JOBS, &m->stats);
	m->jobs = g_ptr_array_new_with_free_func(free_json);
	g_auto(GStrv) lines = g_strsplit(m->text->str, "\n", -1);
	for (guint i = 1; lines[i] && *lines[i]; i++) {
		cJSON *job = cJSON_ParseWithOpts(lines[i], NULL, 1);
		if (!job)
			return -1;
		g_ptr_array_add(m->jobs, job);
	}
	if (!g_file_get_contents(HOME "slurm.conf", &m->conf, NULL, NULL) ||
	    !g_file_get_contents(HOME "accounting.sacctmgr", &m->accounting, NULL, NULL))
		return -1;
	m->sorts = sorts_of(m->jobs);
	*state = m;
	return 0;
}

static int tear_down(void **state)
{
	struct month *m = *state;
	g_string_free(m->text, TRUE);
	g_ptr_array_unref(m->sorts);
	g_ptr_array_unref(m->jobs);
	g_free(m->conf);
	g_free(m->accounting);
	g_free(m);
	return 0;
}

/* Does a line of TEXT begin with WORDS, followed by a blank or its end? */
static gboolean has_line(const char *text, const char *words)
{
	gsize n = strlen(words);
	for (const char *p = text; (p = strstr(p, words)); p++) {
		if ((p == text || p[-1] == '\n') && strchr(" \n", p[n]))
			return TRUE;
	}
	return FALSE;
}

/* Value of KEY=... on partition NAME's line, or on its DEFAULT line; "" when neither has it. Newly allocated. */
static char *partition_value(const char *conf, const char *name, const char *key)
{
	g_autofree char *pattern = g_strdup_printf("^PartitionName=%s .*\\b%s=(\\S+)", name, key);
	g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_regex_match(regex, conf, 0, &match);
	return g_match_info_matches(match) ? g_match_info_fetch(match, 1) : g_strdup("");
}

/* "D-HH:MM:SS" in seconds. */
static double seconds_of(const char *text)
{
	guint d, h, m, s;
	assert_int_equal(sscanf(text, "%u-%u:%u:%u", &d, &h, &m, &s), 4);
	return ((d * 24.0 + h) * 60 + m) * 60 + s;
}

static double limit_seconds(const cJSON *job)
{
	const char *text = text_of(job, "time");
	return text ? seconds_of(text) : number_of(job, "time") * 60;
}

static guint tasks_of(const cJSON *job)
{
	const char *array = text_of(job, "array");
	if (!array)
		return 1;
	assert_true(g_str_has_prefix(array, "0-"));
	return (guint)strtoul(array + 2, NULL, 10) + 1;
}

static guint gpus_of(const cJSON *job)
{
	const char *text = text_of(job, "gres") ? text_of(job, "gres") : text_of(job, "gpus");
	return text ? (guint)strtoul(strrchr(text, ':') + 1, NULL, 10) * (guint)number_of(job, "nodes") : 0;
}

static void same_seed_same_bytes(void **state)
{
	const struct month *m = *state;
	GString *again = generate_month_text(1, GENERATE_JOBS, NULL),
	        *other = generate_month_text(2, GENERATE_JOBS, NULL);
	GString *high = generate_month_text(1ULL << 32 | 5, 100, NULL), *low = generate_month_text(5, 100, NULL);
	assert_true(g_string_equal(m->text, again));
	assert_false(g_string_equal(m->text, other));
	assert_false(g_string_equal(high, low)); /* the upper half of the seed counts */
	g_string_free(again, TRUE);
	g_string_free(other, TRUE);
	g_string_free(high, TRUE);
	g_string_free(low, TRUE);
}

static void file_is_reproducible_gzip(void **state)
{
	(void)state;
	g_autofree char *dir = g_dir_make_tmp("generate-XXXXXX", NULL);
	g_autofree char *one = g_build_filename(dir, "one.gz", NULL), *two = g_build_filename(dir, "two.gz", NULL);
	g_autoptr(GError) error = NULL;
	assert_true(generate_month(one, 7, 500, &error));
	assert_true(generate_month(two, 7, 500, &error));
	g_autofree char *a = NULL, *b = NULL;
	gsize na, nb;
	assert_true(g_file_get_contents(one, &a, &na, NULL));
	assert_true(g_file_get_contents(two, &b, &nb, NULL));
	assert_int_equal(na, nb);
	assert_memory_equal(a, b, na);
	assert_memory_equal(a, "\x1f\x8b\x08\0\0\0\0\0", 8); /* no name, no time */
	g_autoptr(GZlibDecompressor) unzip = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP);
	GString *text = generate_month_text(7, 500, NULL);
	g_autofree char *plain = g_malloc(text->len + 1);
	gsize read, written;
	assert_int_equal(g_converter_convert(G_CONVERTER(unzip), a, na, plain, text->len + 1, G_CONVERTER_INPUT_AT_END,
	                                     &read, &written, NULL),
	                 G_CONVERTER_FINISHED);
	assert_int_equal(written, text->len);
	assert_memory_equal(plain, text->str, text->len);
	g_string_free(text, TRUE);
	g_unlink(one);
	g_unlink(two);
	g_rmdir(dir);
}

static void errors_are_told(void **state)
{
	(void)state;
	g_autoptr(GError) none = NULL, many = NULL, path = NULL;
	assert_false(generate_month("/nonexistent/x.gz", 1, 0, &none));
	assert_true(g_error_matches(none, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT));
	assert_false(generate_month("/nonexistent/x.gz", 1, GENERATE_JOBS_MAX + 1, &many));
	assert_true(g_error_matches(many, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT));
	assert_false(generate_month("/nonexistent/x.gz", 1, 10, &path));
	assert_true(g_error_matches(path, G_FILE_ERROR, G_FILE_ERROR_NOENT));
}

static void locale_does_not_matter(void **state)
{
	const struct month *m = *state;
	static const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"};
	for (guint i = 0; i < G_N_ELEMENTS(commas) && !setlocale(LC_ALL, commas[i]); i++)
		;
	GString *again = generate_month_text(1, GENERATE_JOBS, NULL);
	setlocale(LC_ALL, "C");
	assert_true(g_string_equal(m->text, again));
	g_string_free(again, TRUE);
}

static void header_and_ascending_times(void **state)
{
	const struct month *m = *state;
	const char *head = "{\"schema\":\"whypend-workload/1\",\"start\":\"2026-01-05T00:00:00\"}\n";
	assert_true(g_str_has_prefix(m->text->str, head));
	double last = 0;
	for (guint i = 0; i < m->jobs->len; i++) {
		double at = number_of(m->jobs->pdata[i], "at");
		assert_true(at >= last && at < 31 * 86400.0);
		assert_true(fabs(at * 1000 - round(at * 1000)) < 1e-4);
		last = at;
	}
}

static void count_is_as_asked(void **state)
{
	const struct month *m = *state;
	guint jobs = 0;
	for (guint i = 0; i < m->jobs->len; i++)
		jobs += tasks_of(m->jobs->pdata[i]);
	assert_int_equal(jobs, GENERATE_JOBS);
	assert_int_equal(m->stats.jobs, jobs);
	assert_int_equal(m->stats.submissions, m->jobs->len);
	static const guint32 numbers[] = {1, 2, 99, 3000};
	for (guint i = 0; i < G_N_ELEMENTS(numbers); i++) {
		struct generate_stats stats;
		g_string_free(generate_month_text(3, numbers[i], &stats), TRUE);
		assert_int_equal(stats.jobs, numbers[i]);
	}
}

static void site_knows_all_names(void **state)
{
	const struct month *m = *state;
	for (guint i = 0; i < m->sorts->len; i++) {
		const cJSON *job = m->sorts->pdata[i];
		const char *account = text_of(job, "account"), *qos = text_of(job, "qos");
		g_autofree char *user = g_strdup_printf("add user %s account=%s", text_of(job, "user"), account);
		g_autofree char *group = g_strdup_printf("add account %s", account);
		g_autofree char *part = g_strdup_printf("PartitionName=%s", text_of(job, "partition"));
		g_autofree char *add = g_strdup_printf("add qos %s", qos);
		g_autofree char *modify = g_strdup_printf("modify qos %s", qos);
		assert_true(has_line(m->accounting, user));
		assert_true(has_line(m->accounting, group));
		assert_true(has_line(m->conf, part));
		assert_true(has_line(m->accounting, add) || has_line(m->accounting, modify));
		g_autofree char *allowed = partition_value(m->conf, text_of(job, "partition"), "AllowQos");
		g_auto(GStrv) list = g_strsplit(allowed, ",", -1);
		assert_true(g_strv_contains((const char *const *)list, qos));
	}
}

/* The accounts of guest companies and teaching have only normal and debug. */
static void small_accounts_keep_to_their_qos(void **state)
{
	const struct month *m = *state;
	for (guint i = 0; i < m->sorts->len; i++) {
		const cJSON *job = m->sorts->pdata[i];
		const char *qos = text_of(job, "qos");
		g_autofree char *of = g_strdup_printf("\nadd account %s parent=", text_of(job, "account"));
		const char *parent = strstr(m->accounting, of);
		assert_non_null(parent);
		parent += strlen(of);
		if (g_str_has_prefix(parent, "partners ") || g_str_has_prefix(parent, "teaching "))
			assert_true(g_str_equal(qos, "normal") || g_str_equal(qos, "debug"));
	}
}

static void jobs_fit_their_partition(void **state)
{
	const struct month *m = *state;
	g_autoptr(GHashTable) most = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	for (guint i = 0; i < m->jobs->len; i++) {
		const cJSON *job = m->jobs->pdata[i];
		const char *name = text_of(job, "partition"), *mem = text_of(job, "mem");
		gboolean gpu = gpus_of(job) > 0, h100 = g_str_equal(name, "h100");
		if (!g_hash_table_contains(most, name))
			g_hash_table_insert(most, (gpointer)name, partition_value(m->conf, name, "MaxTime"));
		assert_true(limit_seconds(job) >= 60 &&
		            limit_seconds(job) <= seconds_of(g_hash_table_lookup(most, name)));
		double per_node = number_of(job, "cpus_per_task") * fmax(number_of(job, "ntasks_per_node"), 1);
		assert_true(per_node >= 1 && per_node <= (h100 ? 224 : 256));
		assert_true(number_of(job, "nodes") <= (h100 ? 32 : gpu ? 48 : 64));
		assert_true(!mem || strtoul(mem, NULL, 10) * 1024 <= (gpu ? 2063000 : 515000));
		if (text_of(job, "mem_per_cpu"))
			assert_true(per_node * strtoul(text_of(job, "mem_per_cpu"), NULL, 10) * 1024 <= 515000);
		const char *type = text_of(job, "gres") ? text_of(job, "gres") + 4 : text_of(job, "gpus");
		assert_true(!gpu || g_str_has_prefix(type, h100 ? "h100:" : "a100:"));
	}
}

static void runs_and_cancellations_make_sense(void **state)
{
	const struct month *m = *state;
	for (guint i = 0; i < m->jobs->len; i++) {
		const cJSON *job = m->jobs->pdata[i];
		double run = number_of(job, "run"), cancel_run = number_of(job, "cancel_run");
		assert_true(run >= 1 && run == floor(run));
		assert_true(cancel_run < run && cancel_run <= limit_seconds(job));
		assert_true(number_of(job, "cancel") >= 0);
		assert_true(number_of(job, "exit") >= 0 && number_of(job, "exit") < 256);
	}
}

static void dependencies_name_earlier_jobs(void **state)
{
	const struct month *m = *state;
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < m->jobs->len; i++) {
		const cJSON *job = m->jobs->pdata[i];
		const char *depends = text_of(job, "depends");
		if (depends) {
			const cJSON *other = g_hash_table_lookup(seen, strchr(depends, '@') + 1);
			assert_non_null(other);
			assert_string_equal(text_of(other, "user"), text_of(job, "user"));
		}
		assert_true(g_hash_table_insert(seen, (gpointer)text_of(job, "name"), (gpointer)job)); /* unique */
	}
}

/* Seed 1, the scenario's, keeps to the band altogether; others with their middle, and by how little they stretch. */
static void load_is_in_the_band(void **state)
{
	const struct month *m = *state;
	for (guint seed = 1; seed <= 8; seed++) {
		struct generate_stats st = m->stats;
		if (seed > 1)
			g_string_free(generate_month_text(seed, GENERATE_JOBS, &st), TRUE);
		for (enum generate_pool p = 0; p < GENERATE_POOLS; p++) {
			fprintf(stderr, "seed %u %s: load %.3f to %.3f, run times x %.3f\n", seed,
			        generate_pool_name(p), st.load[p], st.load_most[p], st.stretch[p]);
			double low = p == GENERATE_CPU ? 0.60 : 0.75, high = p == GENERATE_CPU ? 0.70 : 0.85;
			double middle = (st.load[p] + st.load_most[p]) / 2;
			assert_true(seed == 1 ? st.load[p] >= low && st.load_most[p] <= high
			                      : middle > low && middle < high);
			assert_true(st.load_most[p] - st.load[p] < 0.16);
			assert_true(st.stretch[p] > 0.4 && st.stretch[p] < 2.5);
		}
	}
}

/* The load counted from the text itself agrees with what the generator says (chains with lost parents aside). */
static void load_can_be_counted_again(void **state)
{
	const struct month *m = *state;
	double hours = 0;
	for (guint i = 0; i < m->jobs->len; i++) {
		const cJSON *job = m->jobs->pdata[i];
		double run = fmin(number_of(job, "run"), limit_seconds(job));
		if (number_of(job, "cancel_run") > 0)
			run = fmin(run, number_of(job, "cancel_run"));
		if (g_str_equal(text_of(job, "partition"), "h100"))
			hours += gpus_of(job) * tasks_of(job) * run / 3600;
	}
	double load = hours / (32 * 8 * 744.0);
	assert_true(load >= m->stats.load_most[GENERATE_H100] && load < m->stats.load_most[GENERATE_H100] + 0.03);
}

static void mix_is_as_designed(void **state)
{
	const struct month *m = *state;
	const struct generate_stats *st = &m->stats;
	guint smallest = 1000, largest = 0, weekend = 0, night = 0;
	for (guint i = 0; i < m->jobs->len; i++) {
		guint gpus = gpus_of(m->jobs->pdata[i]), hour = (guint)(number_of(m->jobs->pdata[i], "at") / 3600);
		smallest = gpus > 0 ? MIN(smallest, gpus) : smallest;
		largest = MAX(largest, gpus);
		weekend += hour / 24 % 7 >= 5;
		night += hour % 24 < 6;
	}
	double lines = st->submissions;
	fprintf(stderr,
	        "%u submissions, %u jobs, %u arrays with %u tasks, %u dependent, cancel %u pending %u running, "
	        "%u failing, %u over"
	        " the limit, weekend %.3f, night %.3f\n",
	        st->submissions, st->jobs, st->arrays, st->array_tasks, st->dependent, st->cancel_pending,
	        st->cancel_run, st->failing, st->over_limit, weekend / lines, night / lines);
	assert_int_equal(smallest, 1);
	assert_int_equal(largest, 256);
	assert_int_equal(st->max_gpus, 256);
	assert_true(st->array_tasks > 0.30 * st->jobs && st->array_tasks < 0.38 * st->jobs);
	assert_true(st->dependent > 0.04 * lines && st->dependent < 0.09 * lines);
	assert_true(st->cancel_pending > 0.065 * lines && st->cancel_pending < 0.095 * lines);
	assert_true(st->cancel_run > 0.03 * lines && st->cancel_run < 0.05 * lines);
	assert_true(st->failing > 0.08 * lines && st->failing < 0.16 * lines);
	assert_true(st->over_limit > 0.03 * lines && st->over_limit < 0.10 * lines);
	assert_true(weekend / lines < 0.22 && night / lines < 0.20); /* 9 of 31 days, a quarter of the hours */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(same_seed_same_bytes),
	    cmocka_unit_test(file_is_reproducible_gzip),
	    cmocka_unit_test(errors_are_told),
	    cmocka_unit_test(locale_does_not_matter),
	    cmocka_unit_test(header_and_ascending_times),
	    cmocka_unit_test(count_is_as_asked),
	    cmocka_unit_test(site_knows_all_names),
	    cmocka_unit_test(small_accounts_keep_to_their_qos),
	    cmocka_unit_test(jobs_fit_their_partition),
	    cmocka_unit_test(runs_and_cancellations_make_sense),
	    cmocka_unit_test(dependencies_name_earlier_jobs),
	    cmocka_unit_test(load_is_in_the_band),
	    cmocka_unit_test(load_can_be_counted_again),
	    cmocka_unit_test(mix_is_as_designed),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
