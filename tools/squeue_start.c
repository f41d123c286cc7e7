/* squeue_start.c - see squeue_start.h. */
#include "tools/squeue_start.h"
#include "tools/cells.h"
#include "tools/job_fields.h"

sec_t squeue_start_time(const struct job *j, sec_t now)
{
	if (j->est_start)
		return j->est_start;
	if (j->eligible > now) /* it waits for that */
		return j->eligible;
	return j->req->begin > now ? j->req->begin : 0;
}

int squeue_start_cmp(const struct job *a, const struct job *b, sec_t now)
{
	sec_t x = squeue_start_time(a, now), y = squeue_start_time(b, now);
	if (x != y)
		return !x ? 1 : !y ? -1 : x < y ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

void squeue_start_header(FILE *out)
{
	fputs("             JOBID PARTITION     NAME     USER ST          START_TIME  NODES SCHEDNODES           NODELIST(REASON)\n", out);
}

void squeue_start_print(FILE *out, const struct controller *c, const struct start_row *row, sec_t now)
{
	const struct job *j = row->job;
	sec_t start = squeue_start_time(j, now);
	char *id = job_id_shown(j), *date = start ? date_format(start, NULL) : g_strdup("N/A");
	char *nodes = j->sched_nodes ? cluster_format_nodes(controller_cluster(c), j->sched_nodes) : g_strdup("(null)");
	const struct {
		size_t width;
		const char *text;
	} cells[] = {{18, id}, {9, row->partition}, {8, j->name ? j->name : ""}, {8, j->user ? j->user : ""}, {2, "PD"}, {19, date}, {6, row->count}};
	GString *line = g_string_new(NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(cells); i++) {
		cell_right(line, cells[i].width, cells[i].text);
		g_string_append_c(line, ' ');
	}
	cell_left(line, 20, nodes);
	fprintf(out, "%s %s\n", line->str, row->last);
	g_string_free(line, TRUE);
	g_free(id);
	g_free(date);
	g_free(nodes);
}
