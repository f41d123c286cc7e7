/*
 * fairshare.c - usage and fair-share of every association -> recorder (table assoc_usage).
 *
 * A row tells what a decay tick came to. Usage that only fades is left out: it can be worked out from the row before. So a
 * quiet cluster writes nothing, however many associations it has.
 */
#include "sched/priority.h"
#include "sim/run.h"
#include <math.h>

static void record_assoc(struct sim *s, const struct assoc *a)
{
	struct fair_view v;
	controller_fair_view(s->c, a, &v);
	bool has_level = controller_fairshare(s->c)->tree && !v.is_root;
	struct assoc_usage_row row = {.t = s->now,
	                              .account = a->account,
	                              .user = a->user,
	                              .partition = a->partition,
	                              .raw_usage = (double)v.usage,
	                              .norm_usage = (double)v.norm_usage,
	                              .effective = (double)v.effective,
	                              .level_fs = has_level ? (double)v.level_fs : NAN,
	                              .fairshare = v.fairshare};
	recorder_assoc_usage(s->recorder, &row);
}

static void note_new(struct sim *s)
{
	const struct acct *acct = s->cluster->acct;
	for (guint i = s->fairshares->len; acct && i < acct->assocs->len; i++) {
		double first = ((const struct assoc *)acct->assocs->pdata[i])->fairshare;
		g_array_append_val(s->fairshares, first);
	}
}

static void record_shares(struct sim *s)
{
	const GPtrArray *assocs = s->cluster->acct->assocs;
	for (guint i = 0; i < assocs->len; i++) {
		const struct assoc *a = assocs->pdata[i];
		struct fair_view v;
		if (!a->user)
			continue;
		controller_fair_view(s->c, a, &v);
		recorder_share(s->recorder, a->account, a->user, a->partition, a->shares, v.norm_shares);
	}
}

void record_fairshare_open(struct sim *s)
{
	note_new(s);
	if (s->recorder && s->cluster->acct)
		record_shares(s);
}

static void host_decayed(void *data)
{
	struct sim *s = data;
	const GPtrArray *assocs = s->cluster->acct->assocs;
	if (!s->recorder || recorder_light(s->recorder) || !s->c) /* the first pass is within controller_new */
		return;
	note_new(s);
	for (guint i = 0; i < assocs->len; i++) {
		const struct assoc *a = assocs->pdata[i];
		double *last = &g_array_index(s->fairshares, double, i);
		if (a->charged || a->fairshare != *last)
			record_assoc(s, a);
		*last = a->fairshare;
	}
}

void record_fairshare_callback(struct sched_host *host)
{
	host->decayed = host_decayed;
}
