/* license.c - see license.h */
#include "sched/license.h"
#include "sched/reservation.h"
#include "sched/state.h"

#include <string.h>

static struct license *license_at(const struct cluster *cl, uint32_t i)
{
	return cl->licenses->pdata[i];
}

uint32_t license_kinds(const struct cluster *cl)
{
	return cl->licenses->len;
}

static bool find(const struct cluster *cl, const char *name, uint32_t *out)
{
	for (uint32_t i = 0; i < license_kinds(cl); i++)
		if (strcmp(license_at(cl, i)->name, name) == 0) {
			*out = i;
			return true;
		}
	return false;
}

/* One "name[:n]" or "name=n"; "name@server" is a licence of that full name. */
static bool parse_item(const struct cluster *cl, const char *text, struct license_want *w)
{
	gsize len = strcspn(text, ":=");
	g_autofree char *name = g_strndup(text, len);
	w->count = 1;
	if (text[len]) {
		char *end;
		guint64 n = g_ascii_strtoull(text + len + 1, &end, 10);
		if (end == text + len + 1 || *end || n == 0 || n > UINT32_MAX || !g_ascii_isdigit(text[len + 1]))
			return false;
		w->count = (uint32_t)n;
	}
	return find(cl, name, &w->license) && (w->count <= license_at(cl, w->license)->total || cl->params->allow_zero_lic);
}

struct license_list *license_parse(const struct cluster *cl, const char *text, GError **error)
{
	bool any = strchr(text, '|') != NULL;
	bool ok = !any || (cl->params->version != SLURM_22_05 && !strpbrk(text, ",;"));
	g_auto(GStrv) items = g_strsplit_set(text, any ? "|" : ",;", -1);
	guint n = g_strv_length(items);
	struct license_list *l = g_malloc0(sizeof *l + n * sizeof l->want[0]);
	l->any = any;
	l->held = -1;
	for (char **it = items; *it && ok; it++)
		ok = parse_item(cl, g_strstrip(*it), &l->want[l->n++]);
	if (ok && l->n)
		return l;
	g_free(l);
	g_set_error(error, SUBMIT_ERROR, 0, "Invalid license specification");
	return NULL;
}

struct license_list *license_copy(const struct license_list *l)
{
	return l ? g_memdup2(l, sizeof *l + l->n * sizeof l->want[0]) : NULL;
}

/* With "|": the entry in force, the first that fits FREE otherwise; -1 when none does. */
static int chosen(const struct license_list *l, const uint32_t *free)
{
	if (l->held >= 0)
		return l->held;
	for (uint32_t i = 0; i < l->n; i++)
		if (l->want[i].count <= free[l->want[i].license])
			return (int)i;
	return -1;
}

bool license_fits(const struct license_list *l, const uint32_t *free)
{
	if (!l)
		return true;
	if (l->any) {
		int i = chosen(l, free);
		return i >= 0 && l->want[i].count <= free[l->want[i].license];
	}
	for (uint32_t i = 0; i < l->n; i++)
		if (l->want[i].count > free[l->want[i].license])
			return false;
	return true;
}

void license_subtract(const struct license_list *l, uint32_t *free)
{
	for (uint32_t i = 0; l && i < l->n; i++)
		if (!l->any || (int)i == chosen(l, free)) {
			free[l->want[i].license] -= MIN(l->want[i].count, free[l->want[i].license]);
			if (l->any)
				return;
		}
}

void license_add_back(const struct license_list *l, uint32_t *free)
{
	for (uint32_t i = 0; l && i < l->n; i++)
		if (!l->any || (int)i == l->held)
			free[l->want[i].license] += l->want[i].count;
}

void license_free_for(struct controller *c, const struct job *j, sec_t when, sec_t seconds, uint32_t *out)
{
	for (uint32_t i = 0; i < license_kinds(c->cl); i++) {
		const struct license *l = license_at(c->cl, i);
		out[i] = l->total - MIN(l->used, l->total);
	}
	resv_take_licenses(c, j, when, seconds, out);
}

bool license_available(struct controller *c, const struct job *j)
{
	if (!j->licenses)
		return true;
	license_free_for(c, j, c->now_s, resv_job_seconds(c, j), c->lic_free);
	return license_fits(j->licenses, c->lic_free);
}

struct blocker license_short(const struct controller *c, const struct job *j)
{
	for (uint32_t i = 0; i < j->licenses->n; i++) {
		const struct license_want *w = &j->licenses->want[i];
		if (c->lic_free[w->license] < w->count)
			return (struct blocker){.kind = BLOCKER_RESOURCE,
			                        .what = license_at(c->cl, w->license)->name,
			                        .value = c->lic_free[w->license],
			                        .request = w->count};
	}
	return (struct blocker){0};
}

struct blocker license_blocker(struct controller *c, const struct job *j)
{
	license_free_for(c, j, c->now_s, resv_job_seconds(c, j), c->lic_free);
	return license_short(c, j);
}

static void count(struct controller *c, const struct license_list *l, bool taken)
{
	for (uint32_t i = 0; i < l->n; i++) {
		if (l->any && (int)i != l->held)
			continue;
		uint32_t *used = &license_at(c->cl, l->want[i].license)->used;
		*used = taken ? *used + l->want[i].count : *used - MIN(*used, l->want[i].count);
	}
}

void license_take(struct controller *c, struct job *j)
{
	if (!j->licenses)
		return;
	g_assert(!j->licenses_held);
	license_free_for(c, j, c->now_s, resv_job_seconds(c, j), c->lic_free);
	if (j->licenses->any)
		j->licenses->held = MAX(0, chosen(j->licenses, c->lic_free));
	count(c, j->licenses, true);
	j->licenses_held = true;
}

void license_return(struct controller *c, struct job *j)
{
	if (!j->licenses_held)
		return;
	count(c, j->licenses, false);
	j->licenses->held = -1;
	j->licenses_held = false;
}
