/* sinfo_resv.c - see sinfo_resv.h */
#include "tools/sinfo_resv.h"
#include "sched/reservation.h"
#include "tools/job_fields.h"
#include <string.h>

static void print_row(FILE *out, const struct job_view *v, const struct reservation *r, int width)
{
	char *start = date_format(resv_start(v->c, r), NULL), *end = date_format(resv_end(v->c, r), NULL),
	     *span = duration_format(r->end - r->start), *nodes = nodes_text(v, r->nodes);

	fprintf(out, "%-*s  %8s  %19s  %19s  %11s  %s\n", width, r->name, resv_active_at(r, v->now) ? "ACTIVE" : "INACTIVE",
	        start, end, span, nodes ? nodes : "(null)");
	g_free(start);
	g_free(end);
	g_free(span);
	g_free(nodes);
}

void sinfo_print_resvs(FILE *out, const struct controller *c, sec_t now, bool no_header)
{
	const struct job_view v = {c, now, controller_cluster(c)->params->version == SLURM_22_05};
	const GPtrArray *all = controller_resvs(c);
	int width = (int)strlen("RESV_NAME");

	if (!all->len) {
		fputs("No reservations in the system\n", out);
		return;
	}
	for (guint i = 0; i < all->len; i++)
		width = MAX(width, (int)strlen(((const struct reservation *)all->pdata[i])->name));
	if (!no_header)
		fprintf(out, "%-*s  %8s  %19s  %19s  %11s  %s\n", width, "RESV_NAME", "STATE", "START_TIME", "END_TIME",
		        "DURATION", "NODELIST");
	for (guint i = 0; i < all->len; i++)
		print_row(out, &v, all->pdata[i], width);
}
