/* summary.c - see summary.h: text and JSON of struct summary. */
#include "tools/estimate_quality.h"
#include "tools/summary.h"
#include "tools/summary_data.h"
#include "tools/text_time.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <gio/gio.h>
#include <inttypes.h>
#include <math.h>

enum { MOST = 12, NAME_WIDTH = 26, CAUSE_WIDTH = 66, BAR_WIDTH = 30 };

/* --- text --- */

/* At most WIDTH characters of NAME without control characters: names come from traces. "..." marks a cut. g_free. */
static char *shown(const char *name, glong width)
{
	glong length = g_utf8_strlen(name, -1);
	GString *out = g_string_new(NULL);
	const char *at = name;
	for (glong i = 0; i < MIN(length, length > width ? width - 3 : width); i++, at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);
		g_string_append_unichar(out, g_unichar_iscntrl(c) ? '?' : c);
	}
	if (length > width)
		g_string_append(out, "...");
	return g_string_free(out, FALSE);
}

/* NAME in a cell of WIDTH characters (printf would count bytes). */
static void put_name(FILE *out, const char *name, glong width)
{
	char *text = shown(name, width);
	fprintf(out, "%s%*s", text, (int)(width - g_utf8_strlen(text, -1)), "");
	g_free(text);
}

static void put_human(FILE *out, double seconds, int width)
{
	char *text = time_short(seconds);
	fprintf(out, "%*s", width, text);
	g_free(text);
}

static void put_bar(FILE *out, double share)
{
	int n = (int)lround(CLAMP(share, 0.0, 1.0) * BAR_WIDTH);
	for (int i = 0; i < n; i++)
		putc('#', out);
}

static void put_more(FILE *out, guint n)
{
	if (n > MOST)
		fprintf(out, "  ... and %u more\n", n - MOST);
}

static void text_head(FILE *out, const struct summary *s, double wall_seconds)
{
	char *from = date_format(usec_to_sec(s->first_submit), NULL), *to = date_format(usec_to_sec(s->last_end), NULL);
	fputs("Cluster      ", out);
	put_name(out, s->cluster ? s->cluster : "(no name)", NAME_WIDTH);
	fprintf(out, " %" PRIu64 " nodes, %" PRIu64 " CPUs, %" PRIu64 " GPUs\n", s->nodes, s->cpus.total,
	        s->gpus.total);
	if (s->jobs) {
		char *makespan = time_short(s->makespan);
		fprintf(out, "Makespan     %-*s %s to %s\n", NAME_WIDTH, makespan, from, to);
		g_free(makespan);
	}
	fprintf(out, "Simulated    %.2f days", s->simulated / 86400);
	if (wall_seconds >= 0)
		fprintf(out, " in %.2f s", wall_seconds);
	if (wall_seconds > 0)
		fprintf(out, ", %.1f days a second", s->simulated / 86400 / wall_seconds);
	putc('\n', out);
	g_free(from);
	g_free(to);
}

static void text_states(FILE *out, const struct summary *s)
{
	fprintf(out, "\nJobs %34" PRIu64, s->jobs);
	if (s->runs > s->jobs)
		fprintf(out, "   in %" PRIu64 " runs", s->runs);
	putc('\n', out);
	for (guint i = 0; i < s->states->len; i++) {
		const struct tally *t = &g_array_index(s->states, struct tally, i);
		fputs("  ", out);
		put_name(out, t->name, NAME_WIDTH);
		fprintf(out, " %10" PRIu64 " %6.1f %%\n", t->count, 100.0 * (double)t->count / (double)s->jobs);
	}
}

static void text_tallies(FILE *out, const char *title, const GArray *tallies, uint64_t total)
{
	if (total == 0)
		return;
	fprintf(out, "\n%-28s %10" PRIu64 "\n", title, total);
	for (guint i = 0; i < MIN(tallies->len, MOST); i++) {
		const struct tally *t = &g_array_index(tallies, struct tally, i);
		char *cause = shown(t->name, CAUSE_WIDTH);
		fprintf(out, "  %8" PRIu64 "  %s", t->count, cause);
		if (t->first_line)
			fprintf(out, " (line %" PRIu64 ")", t->first_line);
		putc('\n', out);
		g_free(cause);
	}
	put_more(out, tallies->len);
}

static void text_wait(FILE *out, const char *name, const struct wait_stats *w)
{
	const double columns[] = {w->mean, w->median, w->p90, w->p99, w->max};
	fputs("  ", out);
	put_name(out, name, NAME_WIDTH);
	fprintf(out, " %10" PRIu64, w->jobs);
	for (size_t i = 0; i < G_N_ELEMENTS(columns); i++)
		put_human(out, columns[i], 10);
	putc('\n', out);
}

static void text_groups(FILE *out, const char *kind, const GArray *groups)
{
	for (guint i = 0; i < MIN(groups->len, MOST); i++) {
		const struct wait_group *g = &g_array_index(groups, struct wait_group, i);
		char *name = g_strdup_printf("%s %s", kind, g->name);
		text_wait(out, name, &g->wait);
		g_free(name);
	}
	put_more(out, groups->len);
}

static void text_waits(FILE *out, const struct summary *s)
{
	if (s->wait.jobs == 0)
		return;
	fprintf(out, "\n%-28s %10s%10s%10s%10s%10s%10s\n", "Wait from eligible to start", "jobs", "mean", "median",
	        "90 %", "99 %", "max");
	text_wait(out, "all", &s->wait);
	text_groups(out, "partition", s->by_partition);
	text_groups(out, "qos", s->by_qos);
}

static void text_use(FILE *out, const char *name, const struct use *u)
{
	if (u->total == 0)
		return;
	fprintf(out, "  %-*s %10" PRIu64 " %6.1f %%  ", NAME_WIDTH, name, u->total, 100 * u->utilisation);
	put_bar(out, u->utilisation);
	putc('\n', out);
}

static void text_losses(FILE *out, const struct summary *s)
{
	if (s->losses->len == 0)
		return;
	fprintf(out, "\n%-28s %10s%12s%12s\n", "Work lost", "runs", "CPU hours", "GPU hours");
	for (guint i = 0; i < MIN(s->losses->len, MOST); i++) {
		const struct loss *l = &g_array_index(s->losses, struct loss, i);
		fputs("  ", out);
		put_name(out, l->name, NAME_WIDTH);
		fprintf(out, " %10" PRIu64 "%12.1f%12.1f\n", l->runs, l->cpu_hours, l->gpu_hours);
	}
}

static void text_reasons(FILE *out, const struct summary *s)
{
	if (s->reasons->len == 0)
		return;
	fprintf(out, "\n%-28s %10s\n", "Why jobs were pending", "hours");
	for (guint i = 0; i < MIN(s->reasons->len, MOST); i++) {
		const struct share *r = &g_array_index(s->reasons, struct share, i);
		fputs("  ", out);
		put_name(out, r->name, NAME_WIDTH);
		fprintf(out, " %10.1f %6.1f %%  ", r->hours, 100 * r->share);
		put_bar(out, r->share);
		putc('\n', out);
	}
	put_more(out, s->reasons->len);
}

static void text_stranded(FILE *out, const struct summary *s)
{
	if (s->stranded <= 0)
		return;
	fprintf(out, "  Stranded GPUs %24.1f   free, of no use to any waiting job:", s->stranded);
	for (guint i = 0; i < s->stranded_by->len; i++) {
		const struct share *share = &g_array_index(s->stranded_by, struct share, i);
		fprintf(out, "%s %s %.0f %%", i ? "," : "", share->name, 100 * share->share);
	}
	putc('\n', out);
}

static void print_text(FILE *out, const struct summary *s, double wall_seconds)
{
	text_head(out, s, wall_seconds);
	text_states(out, s);
	text_tallies(out, "Refused at submission", s->refused, s->n_refused);
	text_tallies(out, "Left out of the trace", s->left_out, s->n_left_out);
	text_waits(out, s);
	if (s->jobs && (s->cpus.total || s->gpus.total)) {
		fprintf(out, "\n%-28s %10s\n", "In use over the makespan", "all");
		text_use(out, "CPUs", &s->cpus);
		text_use(out, "GPUs", &s->gpus);
		text_stranded(out, s);
		if (s->stretched)
			fprintf(out, "  Runs made longer by placement %9" PRIu64 "   by %.1f hours in all\n", s->stretched, s->stretched_hours);
	}
	replay_truth_text(out, &s->replay);
	text_losses(out, s);
	text_reasons(out, s);
	estimate_quality_text(out, s->estimates);
	text_tallies(out, "Passes cut short", s->cut, s->n_cut);
}

/* --- JSON --- */

static void json_text(cJSON *object, const char *key, const char *value)
{
	if (value)
		cJSON_AddStringToObject(object, key, value);
}

static void json_date(cJSON *object, const char *key, usec_t t)
{
	char *date = date_format(usec_to_sec(t), NULL);
	cJSON_AddStringToObject(object, key, date);
	g_free(date);
}

static void json_wait(cJSON *parent, const char *key, const struct wait_stats *w)
{
	cJSON *o = cJSON_AddObjectToObject(parent, key);
	cJSON_AddNumberToObject(o, "jobs", (double)w->jobs);
	cJSON_AddNumberToObject(o, "mean", w->mean);
	cJSON_AddNumberToObject(o, "median", w->median);
	cJSON_AddNumberToObject(o, "p90", w->p90);
	cJSON_AddNumberToObject(o, "p99", w->p99);
	cJSON_AddNumberToObject(o, "max", w->max);
}

static void json_groups(cJSON *parent, const char *key, const GArray *groups)
{
	cJSON *o = cJSON_AddObjectToObject(parent, key);
	for (guint i = 0; i < groups->len; i++) {
		const struct wait_group *g = &g_array_index(groups, struct wait_group, i);
		json_wait(o, g->name, &g->wait);
	}
}

static void json_tallies(cJSON *parent, const char *key, const GArray *tallies, uint64_t total)
{
	cJSON *o = cJSON_AddObjectToObject(parent, key);
	cJSON_AddNumberToObject(o, "total", (double)total);
	cJSON *causes = cJSON_AddArrayToObject(o, "causes");
	for (guint i = 0; i < tallies->len; i++) {
		const struct tally *t = &g_array_index(tallies, struct tally, i);
		cJSON *cause = cJSON_CreateObject();
		cJSON_AddStringToObject(cause, "cause", t->name);
		cJSON_AddNumberToObject(cause, "count", (double)t->count);
		if (t->first_line)
			cJSON_AddNumberToObject(cause, "first_line", (double)t->first_line);
		cJSON_AddItemToArray(causes, cause);
	}
}

static void json_jobs(cJSON *root, const struct summary *s)
{
	cJSON *o = cJSON_AddObjectToObject(root, "jobs");
	cJSON_AddNumberToObject(o, "total", (double)s->jobs);
	cJSON_AddNumberToObject(o, "runs", (double)s->runs);
	cJSON *states = cJSON_AddObjectToObject(o, "states");
	for (guint i = 0; i < s->states->len; i++) {
		const struct tally *t = &g_array_index(s->states, struct tally, i);
		cJSON_AddNumberToObject(states, t->name, (double)t->count);
	}
}

static void json_use(cJSON *root, const char *key, const struct use *u)
{
	cJSON *o = cJSON_AddObjectToObject(root, key);
	cJSON_AddNumberToObject(o, "total", (double)u->total);
	cJSON_AddNumberToObject(o, "utilisation", u->utilisation);
}

static void json_stranded(cJSON *root, const struct summary *s)
{
	cJSON *stretched = cJSON_AddObjectToObject(root, "stretched");
	cJSON_AddNumberToObject(stretched, "runs", (double)s->stretched);
	cJSON_AddNumberToObject(stretched, "hours", s->stretched_hours);
	cJSON *o = cJSON_AddObjectToObject(root, "stranded_gpus");
	cJSON_AddNumberToObject(o, "mean", s->stranded);
	cJSON *by = cJSON_AddObjectToObject(o, "by_cause");
	for (guint i = 0; i < s->stranded_by->len; i++) {
		const struct share *share = &g_array_index(s->stranded_by, struct share, i);
		cJSON_AddNumberToObject(by, share->name, share->share);
	}
}

static void json_reasons(cJSON *root, const struct summary *s)
{
	cJSON *o = cJSON_AddObjectToObject(root, "pending");
	cJSON_AddNumberToObject(o, "hours", s->waiting_hours);
	cJSON *reasons = cJSON_AddArrayToObject(o, "reasons");
	for (guint i = 0; i < s->reasons->len; i++) {
		const struct share *r = &g_array_index(s->reasons, struct share, i);
		cJSON *reason = cJSON_CreateObject();
		cJSON_AddStringToObject(reason, "reason", r->name);
		cJSON_AddNumberToObject(reason, "hours", r->hours);
		cJSON_AddNumberToObject(reason, "share", r->share);
		cJSON_AddItemToArray(reasons, reason);
	}
}

static void json_losses(cJSON *root, const struct summary *s)
{
	cJSON *losses = cJSON_AddArrayToObject(root, "lost");
	for (guint i = 0; i < s->losses->len; i++) {
		const struct loss *l = &g_array_index(s->losses, struct loss, i);
		cJSON *o = cJSON_CreateObject();
		cJSON_AddStringToObject(o, "cause", l->name);
		cJSON_AddNumberToObject(o, "runs", (double)l->runs);
		cJSON_AddNumberToObject(o, "cpu_hours", l->cpu_hours);
		cJSON_AddNumberToObject(o, "gpu_hours", l->gpu_hours);
		cJSON_AddItemToArray(losses, o);
	}
}

static void json_time(cJSON *root, const struct summary *s, double wall_seconds)
{
	if (s->jobs) {
		json_date(root, "first_submit", s->first_submit);
		json_date(root, "last_end", s->last_end);
		cJSON_AddNumberToObject(root, "makespan", s->makespan);
	}
	cJSON_AddNumberToObject(root, "simulated_days", s->simulated / 86400);
	if (wall_seconds >= 0)
		cJSON_AddNumberToObject(root, "wall_seconds", wall_seconds);
	if (wall_seconds > 0)
		cJSON_AddNumberToObject(root, "simulated_days_per_wall_second", s->simulated / 86400 / wall_seconds);
}

static void print_json(FILE *out, const struct summary *s, double wall_seconds)
{
	cJSON *root = cJSON_CreateObject();
	json_text(root, "cluster", s->cluster);
	json_text(root, "slurm_version", s->version);
	json_text(root, "seed", s->seed);
	if (s->nodes)
		cJSON_AddNumberToObject(root, "nodes", (double)s->nodes);
	json_jobs(root, s);
	json_tallies(root, "refused", s->refused, s->n_refused);
	json_tallies(root, "left_out", s->left_out, s->n_left_out);
	cJSON *wait = cJSON_AddObjectToObject(root, "wait");
	json_wait(wait, "all", &s->wait);
	json_groups(wait, "partition", s->by_partition);
	json_groups(wait, "qos", s->by_qos);
	json_use(root, "cpu", &s->cpus);
	json_use(root, "gpu", &s->gpus);
	json_stranded(root, s);
	json_losses(root, s);
	json_reasons(root, s);
	replay_truth_json(root, &s->replay);
	estimate_quality_json(root, s->estimates);
	json_tallies(root, "passes_cut_short", s->cut, s->n_cut);
	json_time(root, s, wall_seconds);
	char *text = cJSON_Print(root);
	g_assert(text); /* only without memory, where GLib aborts as well */
	fprintf(out, "%s\n", text);
	cJSON_free(text);
	cJSON_Delete(root);
}

gboolean summary_print(FILE *out, struct sqlite3 *db, bool json, double wall_seconds, GError **error)
{
	struct summary *s = summary_collect(db, error);
	if (!s)
		return FALSE;
	if (json)
		print_json(out, s, wall_seconds);
	else
		print_text(out, s, wall_seconds);
	summary_free(s);
	if (fflush(out) == 0 && !ferror(out))
		return TRUE;
	g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "cannot write: %s", g_strerror(errno));
	return FALSE;
}
