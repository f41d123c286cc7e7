/* sprio_out.c - see sprio_out.h. One function fills one cell; a table names the letters. */
#include "tools/sprio_out.h"
#include "sched/priority.h"
#include "tools/cells.h"
#include <math.h>
#include <string.h>

struct line { /* a row: a job in one partition; job NULL = the weights */
	const struct controller *c;
	const struct sched_params *p;
	const struct tres_table *tres;
	const struct job *job;
	const struct partition *part;
	const struct qos *qos; /* of the row */
	struct prio_terms terms;
	double tres_term[TRES_MAX];
};

typedef char *cell_fn(const struct line *l);

/* ---- values ---- */

/* P55: summed again, the TRES terms last. */
static double line_priority(const struct line *l)
{
	const struct prio_terms *x = &l->terms;
	double sum = x->age + x->assoc + x->fairshare + x->size + x->partition + x->qos + x->site - (double)l->job->nice;
	if (l->job->direct_priority)
		return l->job->priority;
	for (uint32_t i = 0; i < l->tres->n; i++)
		sum += l->tres_term[i];
	return fmax(sum, 1.0);
}

static char *whole(const struct line *l, double term, double weight)
{
	return g_strdup_printf("%.0f", l->job ? term : weight);
}

static char *norm(const struct line *l, double term, double weight)
{
	return l->job ? g_strdup_printf("%.7f", weight > 0 ? term / weight : 0.0) : g_strdup_printf("%.0f", weight);
}

#define FACTOR(name, field, weight)                                                                                    \
	static char *whole_##name(const struct line *l)                                                                \
	{                                                                                                              \
		return whole(l, l->terms.field, l->p->weight);                                                         \
	}                                                                                                              \
	static char *norm_##name(const struct line *l)                                                                 \
	{                                                                                                              \
		return norm(l, l->terms.field, l->p->weight);                                                          \
	}
FACTOR(age, age, weight_age)
FACTOR(assoc, assoc, weight_assoc)
FACTOR(fairshare, fairshare, weight_fairshare)
FACTOR(size, size, weight_job_size)
FACTOR(partition, partition, weight_partition)
FACTOR(qos, qos, weight_qos)
#undef FACTOR

static char *text_or_empty(const struct line *l, const char *text)
{
	return g_strdup(l->job && text ? text : "");
}

static char *cell_id(const struct line *l)
{
	return l->job ? g_strdup_printf("%u", l->job->id) : g_strdup("Weights");
}

static char *cell_part(const struct line *l)
{
	return text_or_empty(l, l->part ? l->part->name : NULL);
}

static char *cell_user(const struct line *l)
{
	return text_or_empty(l, l->job ? l->job->user : NULL);
}

static char *cell_account(const struct line *l)
{
	return text_or_empty(l, l->job ? l->job->account : NULL);
}

static char *cell_qos_name(const struct line *l)
{
	return text_or_empty(l, l->job && l->qos ? l->qos->name : NULL);
}

static char *cell_cluster(const struct line *l)
{
	(void)l;
	return g_strdup("(null)");
}

static char *cell_nice(const struct line *l)
{
	return l->job ? g_strdup_printf("%" G_GINT64_FORMAT, l->job->nice) : g_strdup("");
}

static char *cell_site(const struct line *l)
{
	return g_strdup_printf("%.0f", l->job ? l->terms.site : 1.0);
}

static char *whole_priority(const struct line *l)
{
	return l->job ? g_strdup_printf("%.0f", trunc(line_priority(l))) : g_strdup("");
}

static char *norm_priority(const struct line *l)
{
	return l->job ? g_strdup_printf("%.14f", line_priority(l) / 4294967295.0) : g_strdup("");
}

/* "cpu=12,mem=3": what is not 0, also when it prints as 0. */
static char *tres_list(const struct line *l, bool normalized)
{
	GString *text = g_string_new(NULL);
	for (uint32_t i = 0; i < l->tres->n; i++) {
		double v = l->tres_term[i];
		if (v == 0.0)
			continue;
		g_string_append_printf(text, "%s%s=", text->len ? "," : "", l->tres->name[i]);
		g_string_append_printf(text, normalized ? "%.2f" : "%.0f", normalized ? v / l->p->weight_tres[i] : v);
	}
	return g_string_free(text, FALSE);
}

static char *whole_tres(const struct line *l)
{
	return l->job ? tres_list(l, false) : g_strdup(l->p->weight_tres_text ? l->p->weight_tres_text : "");
}

static char *norm_tres(const struct line *l)
{
	return l->job ? tres_list(l, true) : g_strdup("");
}

static char *cell_empty(const struct line *l)
{
	(void)l;
	return g_strdup("");
}

/* ---- columns ---- */

static const struct letter {
	char letter;
	const char *header;
	cell_fn *cell;
} LETTERS[] = {
    {'a', "AGE", norm_age},
    {'A', "AGE", whole_age},
    {'b', "ASSOC", norm_assoc},
    {'B', "ASSOC", whole_assoc},
    {'c', "CLUSTER", cell_cluster},
    {'f', "FAIRSHARE", norm_fairshare},
    {'F', "FAIRSHARE", whole_fairshare},
    {'i', "JOBID", cell_id},
    {'j', "JOBSIZE", norm_size},
    {'J', "JOBSIZE", whole_size},
    {'n', "QOSNAME", cell_qos_name},
    {'N', "NICE", cell_nice},
    {'o', "ACCOUNT", cell_account},
    {'p', "PARTITION", norm_partition},
    {'P', "PARTITION", whole_partition},
    {'q', "QOS", norm_qos},
    {'Q', "QOS", whole_qos},
    {'r', "PARTITION", cell_part},
    {'s', "SLUID", cell_empty}, /* as squeue -o %s */
    {'S', "SITE", cell_site},
    {'t', "TRES", norm_tres},
    {'T', "TRES", whole_tres},
    {'u', "USER", cell_user},
    {'y', "PRIORITY", norm_priority},
    {'Y', "PRIORITY", whole_priority},
};

/* OLD: 22.05 has no n, o, s. */
static const struct letter *find_letter(char c, bool old)
{
	for (size_t i = 0; i < G_N_ELEMENTS(LETTERS); i++)
		if (c && LETTERS[i].letter == c && !(old && strchr("nos", c)))
			return &LETTERS[i];
	return NULL;
}

struct column { /* "%.15i" */
	char name;
	const struct letter *letter;
	bool right;
	size_t width; /* 0 = as wide as the text */
};

/* Read the column at FORMAT, which points to '%'; the first byte after it. */
static const char *read_column(const char *format, struct column *column, bool old)
{
	format++;
	column->right = *format == '.';
	format += column->right;
	column->width = 0;
	for (; g_ascii_isdigit(*format); format++)
		column->width = MIN(column->width * 10 + (size_t)(*format - '0'), 10000);
	column->name = *format;
	column->letter = find_letter(*format, old);
	return format + (*format != '\0');
}

bool sprio_check(const struct sprio_options *o, GError **error)
{
	for (const char *p = o->sort; p && *p; p += *p == ',') {
		size_t n = strcspn(p, ","), sign = *p == '-' || *p == '+';
		if (n != sign + 1 || !find_letter(p[sign], false)) {
			g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			            "-S: bad key \"%.*s\"; write letters of -o between commas, each with - or +: -Y,i",
			            (int)MIN(n, 40), p);
			return false;
		}
		p += n;
	}
	if (o->jobs && strspn(o->jobs, "0123456789,") != strlen(o->jobs)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "-j: bad job id in \"%s\"; write 12,13",
		            o->jobs);
		return false;
	}
	return true;
}

static void add_if(GString *format, bool wanted, const char *column)
{
	if (wanted)
		g_string_append_printf(format, "%s%s", format->len ? " " : "", column);
}

/* The columns without -o: by default those with a weight, with -l all. g_free. */
static char *default_format(const struct sprio_options *o, const struct sched_params *p)
{
	bool l = o->is_long, n = o->normalized, new = p->version != SLURM_22_05;
	GString *f = g_string_new("%.15i %9r");
	add_if(f, l || o->users, "%.8u");
	add_if(f, l && new, "%.8o");
	add_if(f, true, n ? "%10y" : "%.10Y");
	add_if(f, !n, "%.10S");
	add_if(f, l || p->weight_age, n ? "%10a" : "%.10A");
	add_if(f, l || p->weight_assoc, n ? "%10b" : "%.10B");
	add_if(f, l || p->weight_fairshare, n ? "%10f" : "%.10F");
	add_if(f, l || p->weight_job_size, n ? "%10j" : "%.10J");
	add_if(f, l || p->weight_partition, n ? "%10p" : "%.10P");
	add_if(f, l && new, n ? "%10n" : "%.10n");
	add_if(f, l || p->weight_qos, n ? "%10q" : "%.10Q");
	add_if(f, l && !n, "%.11N");
	add_if(f, l || p->weight_tres, n ? "%20t" : "%.20T");
	return g_string_free(f, FALSE);
}

static void append_cell(GString *text, const struct column *column, const char *value)
{
	size_t width = column->width ? column->width : strlen(value);
	if (column->right)
		cell_right(text, width, value);
	else
		cell_left(text, width, value);
}

/* LINE NULL: the header. A letter that nobody knows leaves nothing, nor the text behind it [sprio-o-letters]. */
static void print_line(FILE *out, const char *format, const struct line *line, bool old)
{
	GString *text = g_string_new(NULL);
	while (*format) {
		struct column column;
		if (*format != '%') {
			g_string_append_c(text, *format++);
			continue;
		}
		format = read_column(format, &column, old);
		if (!column.letter) {
			format += strcspn(format, "%");
			continue;
		}
		char *value = line ? column.letter->cell(line) : g_strdup(column.letter->header);
		append_cell(text, &column, value);
		g_free(value);
	}
	fprintf(out, "%s\n", text->str);
	g_string_free(text, TRUE);
}

static void complain(const char *format, bool old)
{
	for (const char *p = format; (p = strchr(p, '%'));) {
		struct column column;
		p = read_column(p, &column, old);
		if (!column.letter)
			fprintf(stderr, "sprio: error: Invalid job format specification: %.1s\n\n", &column.name);
	}
}

/* ---- rows ---- */

/* P55 */
static bool is_listed(const struct sprio_options *o, const struct sched_params *p, const struct job *j, sec_t now)
{
	bool running = p->priority_flags & PRIO_CALCULATE_RUNNING && (j->state == JOB_RUNNING || j->state == JOB_SUSPENDED);
	bool always = p->priority_flags & PRIO_ACCRUE_ALWAYS;
	sec_t since = always ? j->submit : j->eligible;
	char id[16];
	if (!(running || j->state == JOB_PENDING) || j->flags & JOB_COMPLETING || !j->priority || !since || since > now)
		return false;
	if (job_is_array_head(j) && j->tasks && bitset_empty(j->tasks))
		return false;
	g_snprintf(id, sizeof id, "%u", j->id);
	return in_list(o->jobs, id) && in_list(o->users, j->user);
}

static void fill_terms(struct line *l)
{
	uint64_t counts[TRES_MAX];
	l->terms = l->job->terms;
	l->terms.qos = controller_qos_term(l->c, l->job, l->job->several ? l->qos : NULL);
	l->terms.partition = controller_partition_term(l->c, l->job, l->part);
	controller_tres_counts(l->c, l->job, counts);
	for (uint32_t i = 0; i < l->tres->n; i++)
		l->tres_term[i] = l->part ? controller_tres_term(l->c, l->job, l->part, i, counts) : 0.0;
}

struct row { /* a job in a partition */
	const struct job *job;
	const struct partition *part;
	const struct qos *qos;
	char **keys; /* with -S: the texts that it goes by */
};

static void fill_line(struct line *l, const struct row *r)
{
	l->job = r->job;
	l->part = r->part;
	l->qos = r->qos;
	fill_terms(l);
}

static void add_rows(GArray *rows, const struct sprio_options *o, const struct job *j)
{
	bool several = j->n_parts > 1 && j->state == JOB_PENDING;
	for (uint32_t i = 0; i < (several ? j->n_parts : 1); i++) {
		struct row r = {j, several || !j->part ? j->parts[i].part : j->part,
		                several && j->parts[i].qos ? j->parts[i].qos : j->qos, NULL};
		if (in_list(o->partitions, r.part->name))
			g_array_append_val(rows, r);
	}
}

/* Rows of one job are in the order of its partitions. */
static int by_id(const struct row *x, const struct row *y)
{
	return x->job->id != y->job->id ? (x->job->id > y->job->id ? 1 : -1) : 0;
}

static gint compare_ids(gconstpointer a, gconstpointer b)
{
	return by_id(a, b);
}

/* Names go as texts, everything else by its number. */
static int compare_key(const char *a, const char *b, char letter)
{
	if (strchr("cnorstTu", letter))
		return strcmp(a, b);
	double x = g_ascii_strtod(a, NULL), y = g_ascii_strtod(b, NULL);
	return (x > y) - (x < y);
}

static gint compare_rows(gconstpointer a, gconstpointer b, gpointer sort)
{
	const struct row *x = a, *y = b;
	const char *p = sort;
	for (guint i = 0; *p; i++, p += *p == ',') {
		bool down = *p == '-';
		p += down || *p == '+';
		int order = compare_key(x->keys[i], y->keys[i], *p++);
		if (order)
			return down ? -order : order;
	}
	return by_id(x, y);
}

static char **keys_of(const struct line *l, const char *sort)
{
	GPtrArray *keys = g_ptr_array_new();
	for (const char *p = sort; *p; p += *p == ',') {
		p += *p == '-' || *p == '+';
		g_ptr_array_add(keys, find_letter(*p++, false)->cell(l));
	}
	g_ptr_array_add(keys, NULL);
	return (char **)g_ptr_array_free(keys, FALSE);
}

static void sort_rows(GArray *rows, struct line *l, const char *sort)
{
	for (guint i = 0; i < rows->len; i++) {
		struct row *r = &g_array_index(rows, struct row, i);
		fill_line(l, r);
		r->keys = keys_of(l, sort);
	}
	g_array_sort_with_data(rows, compare_rows, (gpointer)sort);
}

static void print_jobs(FILE *out, const struct sprio_options *o, const char *format, struct line *l, sec_t now)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct row));
	for (uint32_t i = 0; i < controller_n_jobs(l->c); i++)
		if (is_listed(o, l->p, controller_job(l->c, i), now))
			add_rows(rows, o, controller_job(l->c, i));
	g_array_sort(rows, compare_ids);
	if (o->sort)
		sort_rows(rows, l, o->sort);
	for (guint i = 0; i < rows->len; i++) {
		struct row *r = &g_array_index(rows, struct row, i);
		fill_line(l, r);
		print_line(out, format, l, l->p->version == SLURM_22_05);
		g_strfreev(r->keys);
	}
	g_array_unref(rows);
}

void sprio_print(FILE *out, const struct controller *c, sec_t now, const struct sprio_options *o)
{
	const struct cluster *cl = controller_cluster(c);
	struct line l = {.c = c, .p = cl->params, .tres = cl->tres};
	if (cl->params->priority_type == PRIORITY_BASIC) { /* P51 */
		fputs("priority/basic: the order of arrival, without factors to show\n", out);
		return;
	}
	char *format = o->format ? g_strdup(o->format) : default_format(o, cl->params);
	bool old = cl->params->version == SLURM_22_05;
	complain(format, old);
	if (!o->no_header)
		print_line(out, format, NULL, old);
	if (o->weights)
		print_line(out, format, &l, old);
	else
		print_jobs(out, o, format, &l, now);
	g_free(format);
}
