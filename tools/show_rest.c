/* show_rest.c - scontrol show reservation, license, hostnames; see show.h */
#include "sched/base/hostlist.h"
#include "sched/resv_gres.h"
#include "tools/place_out.h"
#include "tools/show.h"
#include <string.h>

#define ROW "\n   "

static const struct cluster *cluster_of(const struct job_view *v)
{
	return controller_cluster(v->c);
}

/* ---- reservation ---- */

static char *name_list_text(const struct name_list *l)
{
	GString *s = g_string_new(NULL);

	for (char **p = l->names; p && *p; p++)
		g_string_append_printf(s, "%s%s%s", s->len ? "," : "", l->deny ? "-" : "", *p);
	if (!s->len)
		g_string_append(s, "(null)");
	return g_string_free(s, FALSE);
}

static char *flag_words(const struct reservation *r)
{
#define X(name) #name,
	static const char *const WORDS[] = {RESV_FLAGS(X)};
#undef X
	GString *s = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(WORDS); i++) {
		if (!(r->flags & (1u << i)))
			continue;
		g_string_append_printf(s, "%s%s", s->len ? "," : "", WORDS[i]);
		if (1u << i == RESV_FLAG(PURGE_COMP)) { /* recorded: 22.05 */
			char *span = duration_format(r->purge_after);
			g_string_append_printf(s, "=%s", span);
			g_free(span);
		}
	}
	return g_string_free(s, FALSE);
}

static void put_when(GString *s, const struct job_view *v, const struct reservation *r)
{
	char *start = date_format(resv_start(v->c, r), NULL), *end = date_format(resv_end(v->c, r), NULL),
	     *span = duration_format(r->end - r->start);

	g_string_append_printf(s, "ReservationName=%s StartTime=%s EndTime=%s Duration=%s", r->name, start, end, span);
	g_free(start);
	g_free(end);
	g_free(span);
}

/* "  NodeName=n06 CoreIDs=0-3"; with GRES the devices, which is not recorded */
static void put_cores(GString *s, const struct job_view *v, const struct reservation *r)
{
	for (uint32_t i = 0; i < r->cores->n; i++) {
		const struct alloc_node *an = &r->cores->node[i];
		const struct node *n = cluster_of(v)->node[an->node];
		char *ids = place_cores(cluster_of(v), r->cores, an), *gres = place_gres(cluster_of(v), r->cores, an);
		g_string_append_printf(s, ROW "  NodeName=%s CoreIDs=%s%s%s", n->name, ids, *gres ? " GRES=" : "", gres);
		g_free(ids);
		g_free(gres);
	}
}

static void show_reservation(FILE *out, const struct job_view *v, const struct reservation *r, int flags)
{
	char *nodes = nodes_text(v, r->nodes), *words = flag_words(r), *users = name_list_text(&r->users),
	     *accounts = name_list_text(&r->accounts), *groups = name_list_text(&r->groups), *qos = name_list_text(&r->qos),
	     *parts = name_list_text(&r->partitions);
	uint32_t count = bitset_count(r->nodes);
	char *tres = resv_tres_text(v->c, r);
	GString *s = g_string_new(NULL);

	put_when(s, v, r);
	g_string_append_printf(s, ROW "Nodes=%s NodeCnt=%u CoreCnt=%u Features=%s PartitionName=%s Flags=%s",
	                       nodes ? nodes : "(null)", count, r->core_cnt, r->features ? r->features : "(null)",
	                       r->part ? r->part->name : "(null)", words);
	if (resv_cores_known(v->c, r, v->now))
		put_cores(s, v, r);
	g_string_append_printf(s, ROW "TRES=%s", tres ? tres : "(null)");
	if (!v->v22)
		g_string_append_printf(s, ROW "AllowedPartitions=%s QOS=%s", parts, qos);
	g_string_append_printf(s, ROW "Users=%s Groups=%s Accounts=%s Licenses=%s State=%s BurstBuffer=(null)%s",
	                       users, groups, accounts, r->licenses_text ? r->licenses_text : "(null)",
	                       resv_active_at(r, v->now) ? "ACTIVE" : "INACTIVE", v->v22 ? " Watts=n/a" : "");
	if (r->max_start_delay) {
		char *delay = duration_format(r->max_start_delay);
		g_string_append_printf(s, ROW "MaxStartDelay=%s", delay);
		g_free(delay);
	} else {
		g_string_append(s, ROW "MaxStartDelay=(null)");
	}
	if (r->comment)
		g_string_append_printf(s, ROW "Comment=%s", r->comment);
	show_record(out, s, flags, ROW);
	g_free(nodes);
	g_free(words);
	g_free(tres);
	g_free(users);
	g_free(accounts);
	g_free(groups);
	g_free(qos);
	g_free(parts);
}

int show_reservations(FILE *out, const struct job_view *v, const char *names, int flags)
{
	const GPtrArray *all = controller_resvs(v->c);

	if (!all->len && !names) {
		fputs("No reservations in the system\n", out);
		return 0;
	}
	for (guint i = 0; !names && i < all->len; i++)
		show_reservation(out, v, all->pdata[i], flags);
	if (!names)
		return 0;
	const struct reservation *r = resv_find(v->c, names);
	if (!r) {
		fprintf(stderr, "Reservation %s not found\n", names);
		return 1;
	}
	show_reservation(out, v, r, flags);
	return 0;
}

/* ---- licences and host names ---- */

static int by_name(gconstpointer a, gconstpointer b)
{
	const struct license *x = *(struct license *const *)a, *y = *(struct license *const *)b;

	return strcmp(x->name, y->name);
}

int show_licenses(FILE *out, const struct job_view *v, const char *names, int flags)
{
	GPtrArray *list = g_ptr_array_new();
	const GPtrArray *all = cluster_of(v)->licenses;

	for (guint i = 0; i < all->len; i++) {
		const struct license *l = all->pdata[i];
		if (!names || strcmp(names, l->name) == 0)
			g_ptr_array_add(list, (gpointer)l);
	}
	g_ptr_array_sort(list, by_name);
	for (guint i = 0; i < list->len; i++) {
		const struct license *l = list->pdata[i];
		uint32_t kind = 0;
		while (all->pdata[kind] != l)
			kind++;
		fprintf(out, "LicenseName=%s%sTotal=%u Used=%u Free=%u Reserved=%u Remote=no\n", l->name,
		        flags & SHOW_ONE_LINE ? " " : "\n    ", l->total, l->used, l->total - MIN(l->total, l->used),
		        license_reserved(v->c, kind, v->now));
	}
	if (!list->len)
		fputs(names ? "" : "No licenses configured in Slurm.\n", out);
	g_ptr_array_unref(list);
	return 0;
}

static int by_host(gconstpointer a, gconstpointer b)
{
	return hostlist_name_cmp(*(const char *const *)a, *(const char *const *)b);
}

/* "/path": the text of the file, its lines joined by commas; NULL after a message. */
static char *host_text(const char *names)
{
	char *text = NULL;

	if (names[0] != '/')
		return g_strdup(names);
	if (!g_file_get_contents(names, &text, NULL, NULL)) {
		fprintf(stderr, "Can not open %s\n", names);
		return NULL;
	}
	return g_strdelimit(g_strstrip(text), "\n", ',');
}

int show_hostnames(FILE *out, const char *names, enum host_form form)
{
	GError *error = NULL;
	GPtrArray *all;
	char *text;

	if (!names) {
		fputs("scontrol: error: host list is empty\n", stderr);
		return 0;
	}
	text = host_text(names);
	if (!text)
		return 1;
	all = hostlist_expand(text, &error);
	g_free(text);
	if (!all) {
		fprintf(stderr, "scontrol: error: %s\n", error->message);
		g_clear_error(&error);
		return 1;
	}
	if (form == HOST_SORTED)
		g_ptr_array_sort(all, by_host);
	if (form != HOST_NAMES) {
		char *list = hostlist_compress((const char *const *)all->pdata, all->len);
		fprintf(out, "%s\n", list);
		g_free(list);
	}
	for (guint i = 0; form == HOST_NAMES && i < all->len; i++)
		fprintf(out, "%s\n", (const char *)all->pdata[i]);
	g_ptr_array_unref(all);
	return 0;
}
