/* compare_text.c - see compare.h: a comparison for a terminal, or as Markdown for a merge request. */
#include "tools/compare.h"
#include <math.h>
#include <string.h>

enum { SHOWN_CLASSES = 6, SHOWN_CONF = 30, WIDTH = 98 };

struct printer {
	FILE *out;
	const struct compare_output *o;
	const struct comparison *c;
	bool md;
};

/* ---- small things ---- */

static char *seconds_text(double s)
{
	return metric_format(METRIC_WAIT_MEAN, s, false);
}

static char *span_text(usec_t t)
{
	return seconds_text((double)t / 1e6);
}

/* "-25m03s .. -9m12s", "-" without an interval. */
static char *interval_text(enum metric m, struct interval i)
{
	char *low, *high, *text;

	if (isnan(i.low))
		return g_strdup("-");
	low = metric_format(m, i.low, true);
	high = metric_format(m, i.high, true);
	text = g_strdup_printf("%s .. %s", low, high);
	g_free(low);
	g_free(high);
	return text;
}

/* "better", "worse" where the interval is all on one side of 0. */
static const char *verdict(enum metric m, const struct effect *e)
{
	int better = metric_info(m)->better;

	if (!better || isnan(e->i.low) || (e->i.low <= 0 && e->i.high >= 0))
		return "";
	return (e->i.low > 0) == (better > 0) ? "better" : "worse";
}

static void title(const struct printer *p, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void title(const struct printer *p, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs(p->md ? "\n### " : "\n", p->out);
	vfprintf(p->out, format, args);
	fputs(p->md ? "\n\n" : "\n", p->out);
	va_end(args);
}

/* Text in lines of at most WIDTH, INDENT before each. */
static void put_wrapped(FILE *out, const char *first, const char *indent, const char *text)
{
	char **words = g_strsplit(text, " ", -1);
	size_t at = (size_t)fprintf(out, "%s", first);

	for (char **w = words; *w; w++) {
		if (w != words && at + 1 + strlen(*w) > WIDTH) {
			at = (size_t)fprintf(out, "\n%s", indent);
		} else if (w != words) {
			fputc(' ', out);
			at++;
		}
		at += (size_t)fprintf(out, "%s", *w);
	}
	fputc('\n', out);
	g_strfreev(words);
}

static void put_cells(const struct printer *p, const char *const cell[6])
{
	if (p->md)
		fprintf(p->out, "| %s | %s | %s | %s | %s | %s |\n", cell[0], cell[1], cell[2], cell[3], cell[4],
		        cell[5]);
	else {
		char *line = g_strdup_printf("  %-30s %11s %11s %11s  %-23s %s", cell[0], cell[1], cell[2], cell[3],
		                             cell[4], cell[5]);
		fprintf(p->out, "%s\n", g_strchomp(line));
		g_free(line);
	}
}

static void head(const struct printer *p, const char *what)
{
	char a[2] = {p->c->a->name, 0}, b[2] = {p->c->b->name, 0}, difference[] = {b[0], ' ', '-', ' ', a[0], 0};
	const char *const cells[6] = {what, a, b, difference, p->c->units ? "95 % interval" : "", ""};

	put_cells(p, cells);
	if (p->md)
		fputs("| --- | ---: | ---: | ---: | :---: | --- |\n", p->out);
}

static void put_effect(const struct printer *p, const char *name, enum metric m, const struct effect *e)
{
	char *a = metric_format(m, e->a, false), *b = metric_format(m, e->b, false),
	     *d = metric_format(m, e->difference, true);
	char *i = p->c->units ? interval_text(m, e->i) : g_strdup("");
	const char *const cells[6] = {name, a, b, d, i, verdict(m, e)};

	put_cells(p, cells);
	g_free(a);
	g_free(b);
	g_free(d);
	g_free(i);
}

/* ---- what was compared ---- */

static void put_sides(const struct printer *p)
{
	for (guint i = 0; i < p->o->sides->len; i++) {
		const struct compare_side *s = p->o->sides->pdata[i];
		fprintf(p->out, p->md ? "- **%c** %s\n" : "%c  %s\n", s->name, s->what);
	}
}

static void put_plan(const struct printer *p)
{
	const struct compare_plan *plan = p->o->plan;
	GString *text = g_string_new(NULL);

	if (plan->replicas && plan->length) {
		char *length = span_text(plan->length), *warm = span_text(plan->warm_up),
		     *after = span_text(plan->after);
		g_string_printf(
		    text,
		    "%u replicas a side, each a window of %s of the trace with arrivals and run times drawn anew (seed "
		    "%" G_GUINT64_FORMAT
		    "), after a warm-up of %s that begins with the jobs that run into it, and with %s behind it",
		    plan->replicas, length, plan->seed, warm, after);
		g_free(length);
		g_free(warm);
		g_free(after);
	} else if (plan->replicas) {
		g_string_printf(
		    text,
		    "%u replicas of the whole trace a side, arrivals and run times drawn anew (seed %" G_GUINT64_FORMAT
		    ")",
		    plan->replicas, plan->seed);
	}
	if (text->len) {
		fputc('\n', p->out);
		put_wrapped(p->out, "", "", text->str);
	}
	g_string_free(text, TRUE);
}

/* TEXT: the part of a line that the other side has not. */
static void put_line(const struct printer *p, char side, const struct conf_change *c, const char *text)
{
	bool global = strcmp(c->file, "slurm.conf") == 0 && !strchr(c->head, '=');
	char first[32];

	g_snprintf(first, sizeof first, p->md ? "- %c: " : "      %c  ", side);
	put_wrapped(p->out, first, p->md ? "  " : "         ",
	            text && *text ? text
	            : global      ? "(the default)"
	            : text        ? "(nothing more)"
	                          : "(not there)");
}

static void put_conf(const struct printer *p)
{
	const GPtrArray *conf = p->c->conf;

	title(p, "What differs between %c and %c", p->c->a->name, p->c->b->name);
	if (!conf->len)
		fputs(p->md ? "Nothing of the configuration.\n" : "  nothing of the configuration\n", p->out);
	for (guint i = 0; i < MIN(conf->len, (guint)SHOWN_CONF); i++) {
		const struct conf_change *c = conf->pdata[i];
		fprintf(p->out, p->md ? "\n%s: `%s`\n\n" : "  %s: %s\n", c->file, c->head);
		put_line(p, p->c->a->name, c, c->a);
		put_line(p, p->c->b->name, c, c->b);
	}
	if (conf->len > SHOWN_CONF)
		fprintf(p->out, "  and %u more lines\n", conf->len - SHOWN_CONF);
}

/* ---- the answer in a sentence ---- */

static void put_answer(const struct printer *p)
{
	const struct comparison *c = p->c;
	const struct effect *e = &c->metric[METRIC_WAIT_MEAN];
	char *d = seconds_text(fabs(e->difference)), *a = seconds_text(e->a), *b = seconds_text(e->b);
	GString *text = g_string_new(NULL);

	if (c->same)
		g_string_printf(text,
		                "Nothing differs: all %" G_GUINT64_FORMAT
		                " jobs start and end at the same moments in %c and %c.",
		                c->pairs, c->a->name, c->b->name);
	else if (isnan(e->difference))
		g_string_printf(text, "No job waits that could be compared.");
	else if (llround(e->difference) == 0)
		g_string_printf(text, "Jobs wait as long in %c as in %c on average (%s), but not the same ones.",
		                c->b->name, c->a->name, a);
	else
		g_string_printf(text, "Jobs wait %s %s in %c than in %c on average (%s -> %s)%s.", d,
		                e->difference < 0 ? "less" : "longer", c->b->name, c->a->name, a, b,
		                !c->units                       ? ""
		                : *verdict(METRIC_WAIT_MEAN, e) ? ", more than chance explains"
		                                                : "; that may be chance: 0 lies within the interval");
	if (!c->same)
		g_string_append_printf(
		    text, " %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " jobs start or end at another time.",
		    c->moved, c->pairs);
	fputc('\n', p->out);
	put_wrapped(p->out, "", "", text->str);
	if (c->waiting_a || c->waiting_b)
		fprintf(p->out,
		        "%" G_GUINT64_FORMAT " jobs still wait at the end in %c, %" G_GUINT64_FORMAT
		        " in %c: they count with their wait until then.\n",
		        c->waiting_a, c->a->name, c->waiting_b, c->b->name);
	if (c->only_a || c->only_b)
		fprintf(p->out,
		        "%" G_GUINT64_FORMAT " jobs are in %c alone, %" G_GUINT64_FORMAT
		        " in %c alone: refused, or tasks that did not start.\n",
		        c->only_a, c->a->name, c->only_b, c->b->name);
	g_free(d);
	g_free(a);
	g_free(b);
	g_string_free(text, TRUE);
}

static void put_units(const struct printer *p)
{
	const struct comparison *c = p->c;
	GString *text = g_string_new(NULL);

	if (!c->units && p->o->plan->replicas)
		g_string_printf(text, "No intervals: %d replicas at least are needed.", BOOTSTRAP_LEAST);
	else if (!c->units)
		g_string_printf(text, "No intervals: they need %d jobs and %d windows; --replicas N gives them.",
		                COMPARE_FEW, BOOTSTRAP_LEAST);
	else if (p->o->plan->replicas)
		g_string_printf(
		    text, "Intervals: bootstrap over %u replicas: the mean over such perturbations of this trace.",
		    c->units);
	else {
		char *length = span_text(c->unit_length);
		g_string_printf(text,
		                "Intervals: bootstrap over %u windows of %s, widened by %.2f for neighbours that go "
		                "together: what to expect in "
		                "such times. For these very jobs the difference is exact.",
		                c->units, length, c->widen);
		if (c->widen > 1.3)
			g_string_append(text, " They go together much: busy times are as long as the windows, and the "
			                      "intervals may be too narrow; "
			                      "--replicas N does not depend on that.");
		g_free(length);
	}
	fputc('\n', p->out);
	put_wrapped(p->out, "", "", text->str);
	g_string_free(text, TRUE);
}

/* ---- tables ---- */

static bool worth_a_line(const struct effect *e)
{
	return !(isnan(e->a) && isnan(e->b)) && !(e->a == 0 && e->b == 0);
}

static void put_metrics(const struct printer *p)
{
	const struct job_class *only = &p->c->only;

	if (only->name)
		title(p, "Jobs of %s %s", class_kind_name(only->kind), only->name);
	else
		title(p, "All jobs");
	head(p, "");
	for (int m = 0; m < N_METRICS; m++)
		if (worth_a_line(&p->c->metric[m]))
			put_effect(p, metric_info((enum metric)m)->text, (enum metric)m, &p->c->metric[m]);
}

static void put_class(const struct printer *p, const struct class_effect *e)
{
	char *jobs = metric_format(METRIC_JOBS, e->jobs, false);
	char *name = g_strdup_printf("%-19s %10s", e->name, jobs);
	char *md = g_strdup_printf("%s (%s)", e->name, jobs);

	put_effect(p, p->md ? md : name, METRIC_WAIT_MEAN, &e->wait);
	g_free(jobs);
	g_free(name);
	g_free(md);
}

static guint rows_of_kind(const struct comparison *c, int kind, guint *first)
{
	guint n = 0;

	for (guint i = 0; i < c->classes->len; i++)
		if (g_array_index(c->classes, struct class_effect, i).kind == (enum class_kind)kind && n++ == 0)
			*first = i;
	return n;
}

static void put_kind(const struct printer *p, int kind)
{
	guint first = 0, n = rows_of_kind(p->c, kind, &first),
	      shown = p->o->by == kind ? n : MIN(n, (guint)SHOWN_CLASSES);
	char what[64];

	if (n == 0 || (n == 1 && p->o->by != kind))
		return;
	g_snprintf(what, sizeof what, p->md ? "%s (jobs)" : "%-19s       jobs", class_kind_name((enum class_kind)kind));
	if (p->md)
		fputc('\n', p->out);
	head(p, what);
	for (guint i = first; i < first + shown; i++)
		put_class(p, &g_array_index(p->c->classes, struct class_effect, i));
	if (n > shown)
		fprintf(p->out, "%s%u more, which change less: --by %s\n", p->md ? "\n" : "  ", n - shown,
		        class_kind_name((enum class_kind)kind));
}

static void put_classes(const struct printer *p)
{
	if (p->c->only.name || p->c->same)
		return;
	title(p, "Who waits less, who waits more (mean wait; the largest changes in all hours first)");
	for (int kind = CLASS_USER; kind < N_CLASS_KINDS; kind++)
		if (p->o->by <= 0 || p->o->by == kind)
			put_kind(p, kind);
	if (p->c->units)
		fputs(p->md ? "\nOf 20 classes one is better or worse by chance.\n"
		            : "  Of 20 classes one is better or worse by chance.\n",
		      p->out);
}

static void put_windows(const struct printer *p)
{
	if (!p->o->windows || p->c->windows->len < 2)
		return;
	title(p, p->o->plan->replicas ? "By replica (mean wait)" : "By window (mean wait)");
	head(p, p->md ? "from (jobs)" : "from                      jobs");
	for (guint i = 0; i < p->c->windows->len; i++) {
		const struct window_effect *w = &g_array_index(p->c->windows, struct window_effect, i);
		char *from = date_format(usec_to_sec(w->from), NULL);
		char *name = g_strdup_printf(p->md ? "%s (%.0f)" : "%-19s %10.0f", from, w->jobs);
		put_effect(p, name, METRIC_WAIT_MEAN, &w->wait);
		g_free(from);
		g_free(name);
	}
}

static void put_why(const struct printer *p, char side, const char *why)
{
	char first[16];

	g_snprintf(first, sizeof first, p->md ? "   - %c: " : "      %c  ", side);
	put_wrapped(p->out, first, p->md ? "     " : "         ", why);
}

static void put_change(const struct printer *p, guint number, const struct job_change *j)
{
	char *a = seconds_text(j->a->wait), *b = seconds_text(j->b->wait),
	     *d = metric_format(METRIC_WAIT_MEAN, j->b->wait - j->a->wait, true);
	GString *text = g_string_new(NULL);

	g_string_printf(text, "%s -> %s (%s): job %s", a, b, d, j->a->id);
	if (j->a->label)
		g_string_append_printf(text, " (%s)", j->a->label);
	g_string_append_printf(text, " of %s, %s, %s, qos %s", j->a->class[CLASS_USER], j -> a -> class[CLASS_SIZE],
	                       j -> a -> class[CLASS_PARTITION], j -> a -> class[CLASS_QOS]);
	if (p->o->plan->replicas)
		g_string_append_printf(text, ", replica %u", j->replica + 1);
	char *first = g_strdup_printf(p->md ? "%u. " : "  %2u  ", number);
	put_wrapped(p->out, first, p->md ? "   " : "      ", text->str);
	put_why(p, p->c->a->name, j->why_a);
	put_why(p, p->c->b->name, j->why_b);
	g_free(first);
	g_free(a);
	g_free(b);
	g_free(d);
	g_string_free(text, TRUE);
}

static void put_changes(const struct printer *p)
{
	const GArray *changes = p->c->changes;

	if (!changes->len)
		return;
	title(p, "The jobs whose wait changed most");
	for (guint i = 0; i < changes->len; i++)
		put_change(p, i + 1, &g_array_index(changes, struct job_change, i));
}

/* ---- all ---- */

static void put_pair(const struct printer *p)
{
	put_conf(p);
	put_answer(p);
	put_metrics(p);
	put_units(p);
	put_classes(p);
	put_windows(p);
	put_changes(p);
}

void compare_text(FILE *out, const struct compare_output *o, bool markdown)
{
	struct printer p = {out, o, NULL, markdown};

	if (markdown)
		fputs("## whypend compare\n\n", out);
	put_sides(&p);
	put_plan(&p);
	for (guint i = 0; i < o->pairs->len; i++) {
		p.c = o->pairs->pdata[i];
		if (o->pairs->len > 1)
			fprintf(out, markdown ? "\n## %c against %c\n" : "\n==== %c against %c ====\n", p.c->b->name,
			        p.c->a->name);
		put_pair(&p);
	}
}
