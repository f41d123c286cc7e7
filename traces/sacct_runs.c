/*
 * sacct_runs.c - which rows are replayed: the runs of one job folded into one, duplicates and what has no known end
 * left out (spec sacct.md section 6).
 *
 * Rows of one job id form a chain when each Submit is about the End before it (a requeue) or equal to the Submit before
 * it (a resize, or the same job in two dumps). Ids that come again much later are another job: numbers wrap.
 */
#include "traces/sacct_rows.h"
#include <string.h>

#define CHAIN_SECONDS 300 /* a requeued job is submitted again this close to the end of its run */
#define KILL_SECONDS 90   /* KillWait and the delay of the check: how late a limit may strike */

static bool is_final(const struct sacct_row *row)
{
	return row->state != STATE_PENDING && row->state != STATE_RUNNING && row->state != STATE_COMPLETING;
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_i64(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_keys(const struct sacct_row *x, const struct sacct_row *y)
{
	int order = compare_u64(x->number, y->number);
	if (order == 0)
		order = compare_u64(x->brackets != NULL, y->brackets != NULL);
	if (order == 0)
		order = compare_u64(x->array_id, y->array_id);
	if (order == 0)
		order = compare_u64(x->task, y->task);
	return order ? order : compare_u64(x->component, y->component);
}

/* Runs of one job in the order in which they happened; of one run, the record that knows more comes later. */
static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const struct sacct_row *x = *(struct sacct_row *const *)a, *y = *(struct sacct_row *const *)b;
	int order = compare_keys(x, y);
	if (order == 0)
		order = compare_i64(x->submit, y->submit);
	if (order == 0)
		order = (int)is_final(x) - (int)is_final(y);
	if (order == 0)
		order = compare_i64(x->start, y->start);
	if (order == 0)
		order = compare_i64(x->end, y->end);
	return order ? order : compare_u64(x->line, y->line);
}

static bool same_job(const struct sacct_row *before, const struct sacct_row *after)
{
	if (compare_keys(before, after) != 0)
		return false;
	if (before->submit == after->submit)
		return true;
	return before->end > 0 && after->submit >= before->end - CHAIN_SECONDS &&
	       after->submit <= before->end + CHAIN_SECONDS;
}

static void drop(struct reader *r, struct sacct_row *row, enum reader_weight weight, const char *why)
{
	row->dropped = true;
	reader_leave_out(r, row->line, weight, "%s", why);
}

/* ROW is followed by another record of the same job. */
static void fold(struct reader *r, struct sacct_row *row, struct sacct_row *next)
{
	bool same_run = row->submit == next->submit && (row->start == next->start || !is_final(row));
	if (row->state == STATE_RESIZING)
		drop(r, row, LEFT_NORMALLY, "earlier size of a resized job");
	else if (same_run)
		drop(r, row, LEFT_NORMALLY, "duplicate of the same run");
	else
		drop(r, row, LEFT_NORMALLY, "earlier run of a requeued job");
	if (!same_run) {
		next->submit = row->submit;
		next->eligible = row->eligible;
		next->never_eligible = row->never_eligible;
	}
}

/* Why the last record of a job cannot be replayed; NULL when it can. */
static const char *no_end(const struct sacct_row *row)
{
	switch (row->state) {
	case STATE_PENDING:
		return "still pending at the end of the dump";
	case STATE_RUNNING:
		return "still running at the end of the dump: run time unknown";
	case STATE_REVOKED:
		return "sibling of a federated job that started elsewhere";
	default:
		break;
	}
	if (row->state == STATE_COMPLETING && row->end == 0)
		return "still running at the end of the dump: run time unknown";
	if (!row->started)
		return row->end == 0 ? "never started, and its end is unknown" : NULL;
	if (row->run < 0)
		return "run time unknown";
	return NULL;
}

static void fold_runs(struct reader *r, struct sacct_store *store)
{
	GPtrArray *order = g_ptr_array_sized_new(store->rows->len);
	for (guint i = 0; i < store->rows->len; i++)
		g_ptr_array_add(order, &g_array_index(store->rows, struct sacct_row, i));
	g_ptr_array_sort(order, compare_rows);
	for (guint i = 0; i < order->len; i++) {
		struct sacct_row *row = order->pdata[i], *next = i + 1 < order->len ? order->pdata[i + 1] : NULL;
		const char *why = no_end(row);
		if (next && same_job(row, next))
			fold(r, row, next);
		else if (why)
			drop(r, row, row->state == STATE_REVOKED ? LEFT_NORMALLY : LEFT_LOST, why);
	}
	g_ptr_array_unref(order);
}

static bool above_limit(const struct sacct_row *row, int64_t grace)
{
	return row->started && row->limit < NO_VAL && row->state != STATE_TIMEOUT &&
	       row->run > ((int64_t)row->limit * 60 + grace) * USEC;
}

uint32_t sacct_limit(const struct sacct_store *store, const struct sacct_row *row)
{
	if (!above_limit(row, store->raise_limits ? 0 : KILL_SECONDS))
		return row->limit;
	return (uint32_t)MIN((row->run + 60 * USEC - 1) / (60 * USEC), (int64_t)NO_VAL - 1);
}

struct tally {
	uint64_t pending, timeout, preempted, raised, cut, disorder, unlimited;
};

static void count(struct tally *t, const struct sacct_store *store, const struct sacct_row *row)
{
	t->pending += !row->started;
	t->timeout += row->started && row->state == STATE_TIMEOUT;
	t->preempted += row->started && (row->state == STATE_PREEMPTED || row->state == STATE_REQUEUED);
	t->raised += sacct_limit(store, row) != row->limit;
	t->cut += row->brackets && strstr(row->brackets, "...");
	t->unlimited += row->limit == NO_VAL;
	t->disorder += (row->eligible > 0 && row->eligible < row->submit) ||
	               (row->started && row->start < MAX(row->submit, row->eligible)) ||
	               (row->started && row->end > 0 && row->end < row->start);
}

static void note(struct reader *r, uint64_t n, const char *text)
{
	if (n > 0)
		reader_note(r, "%" G_GUINT64_FORMAT " %s", n, text);
}

static void note_all(struct reader *r, const struct tally *t)
{
	note(r, t->pending, "jobs ended before they started: they are cancelled at that moment, also if they have started here");
	note(r, t->timeout, "jobs ended in TIMEOUT: they run on until their limit ends them");
	note(r, t->preempted, "jobs were preempted or requeued and not seen again: they end as cancelled");
	note(r, t->raised, "limits raised to the run time");
	note(r, t->unlimited, "jobs have no time limit in the dump: the partition's default holds");
	note(r, t->cut,
	     "array lists are cut (\"...\"): only the tasks shown are replayed; export with SLURM_BITSTR_LEN=0");
	note(r, t->disorder, "jobs break Submit <= Eligible <= Start <= End");
}

/* "123+0" -> "123" */
const char *sacct_het_label(const struct sacct_store *store, const struct sacct_row *row)
{
	char text[24];
	g_snprintf(text, sizeof text, "%" G_GUINT64_FORMAT, (guint64)row->array_id);
	return g_string_chunk_insert_const(store->texts, text);
}

/* Ids that SubmitLine's dependencies may name: jobs that are replayed as one submission. */
static void keep_label(struct sacct_store *store, const struct sacct_row *row)
{
	if (row->component != NO_VAL)
		g_hash_table_insert(store->labels, (gpointer)&row->array_id, (gpointer)sacct_het_label(store, row));
	else if ((row->task == NO_VAL || row->number != row->array_id))
		g_hash_table_insert(store->labels, (gpointer)&row->number, (gpointer)row->id);
}

void sacct_rows_settle(struct reader *r, struct sacct_store *store)
{
	struct tally t = {0};
	sec_t first = 0;
	store->raise_limits = r->options->raise_limits;
	fold_runs(r, store);
	sacct_het_join(r, store);
	for (guint i = 0; i < store->rows->len; i++) {
		const struct sacct_row *row = &g_array_index(store->rows, struct sacct_row, i);
		if (row->dropped)
			continue;
		reader_add(r, row->submit * USEC, i);
		reader_partition(r, row->partition);
		keep_label(store, row);
		count(&t, store, row);
		if (first == 0 || row->submit < first)
			first = row->submit;
	}
	r->info->unix_start = first;
	note_all(r, &t);
}
