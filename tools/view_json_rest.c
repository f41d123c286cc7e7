/* view_json_rest.c - scontrol show reservation, license --json; see view_json.h */
#include "sched/license.h"
#include "sched/resv_gres.h"
#include "tools/cells.h"
#include "tools/place_out.h"
#include "tools/schema_json.h"
#include "tools/view_json.h"
#include <string.h>

static const char RESERVATION[] =
    "accounts:s burst_buffer:s core_count:i core_specializations:l end_time:t features:s flags:l groups:s licenses:s "
    "max_start_delay:i name:s node_count:i node_list:s partition:s purge_completed{time:t} start_time:t tres:s users:s";
static const char LICENSE[] = "LicenseName:s Total:i Used:i Free:i Remote:b Reserved:i LastConsumed:i LastDeficit:i "
                              "LastUpdate:i Nodes:s";

/* In the order of the JSON, which is not that of the text. */
static char *resv_flags(uint32_t flags)
{
#define X(name) {RESV_FLAG(name), #name},
	static const struct {
		uint32_t flag;
		const char *name;
	} WORDS[] = {X(MAINT) X(DAILY) X(WEEKLY) X(IGNORE_JOBS) X(ANY_NODES) X(STATIC) X(PART_NODES) X(OVERLAP)
	                 X(SPEC_NODES) X(TIME_FLOAT) X(REPLACE) X(ALL_NODES) X(PURGE_COMP) X(WEEKDAY) X(WEEKEND) X(FLEX)
	                     X(NO_HOLD_JOBS_AFTER_END) X(REPLACE_DOWN) X(MAGNETIC) X(HOURLY) X(USER_DELETE)
	                         X(FORCE_START)};
#undef X
	GString *s = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(WORDS); i++)
		if (flags & WORDS[i].flag)
			g_string_append_printf(s, "%s%s", s->len ? "," : "", WORDS[i].name);
	return g_string_free(s, FALSE);
}

static void put_names(cJSON *o, const char *path, const struct name_list *l)
{
	GString *s = g_string_new(NULL);

	for (char **p = l->names; p && *p; p++)
		g_string_append_printf(s, "%s%s%s", s->len ? "," : "", l->deny ? "-" : "", *p);
	json_put_taken(o, path, g_string_free(s, FALSE));
}

static cJSON *resv_json(const struct job_view *v, const struct reservation *r)
{
	const struct cluster *cl = controller_cluster(v->c);
	cJSON *o = json_from_schema(RESERVATION);
	char *flags = resv_flags(r->flags);
	char *tres = resv_tres_text(v->c, r);
	cJSON *parts = cJSON_GetObjectItem(o, "core_specializations");

	for (uint32_t i = 0; r->cores && i < r->cores->n; i++) {
		const struct alloc_node *an = &r->cores->node[i];
		cJSON *part = cJSON_CreateObject();
		cJSON_AddStringToObject(part, "node", cl->node[an->node]->name);
		char *cores = place_cores(cl, r->cores, an);
		cJSON_AddStringToObject(part, "core", cores);
		g_free(cores);
		cJSON_AddItemToArray(parts, part);
	}
	put_names(o, "accounts", &r->accounts);
	put_names(o, "users", &r->users);
	put_names(o, "groups", &r->groups);
	json_put_int(o, "core_count", r->core_cnt);
	json_put_number(o, "end_time", (double)resv_end(v->c, r));
	json_put_text(o, "features", r->features);
	json_put_list(o, "flags", flags, ",");
	json_put_text(o, "licenses", r->licenses_text);
	json_put_int(o, "max_start_delay", r->max_start_delay);
	json_put_text(o, "name", r->name);
	json_put_int(o, "node_count", bitset_count(r->nodes));
	json_put_taken(o, "node_list", nodes_text(v, r->nodes));
	json_put_text(o, "partition", r->part ? r->part->name : NULL);
	json_put_number(o, "purge_completed.time", r->purge_after ? r->purge_after : 300);
	json_put_number(o, "start_time", (double)resv_start(v->c, r));
	if (tres)
		json_put_taken(o, "tres", tres);
	g_free(flags);
	return o;
}

static void print_list(FILE *out, const struct job_view *v, const char *payload, cJSON *list, const char *command)
{
	const struct cluster *cl = controller_cluster(v->c);
	const struct json_origin from = {
	    .now = v->now, .v22 = v->v22, .accounting = cl->acct != NULL, .cluster = cl->params->cluster_name};

	json_print_envelope(out, &from, payload, list, command);
}

void json_print_reservations(FILE *out, const struct controller *c, sec_t now, const char *names, const char *command)
{
	const struct job_view v = {c, now, controller_cluster(c)->params->version == SLURM_22_05};
	const GPtrArray *all = controller_resvs(c);
	cJSON *list = cJSON_CreateArray();

	for (guint i = 0; i < all->len; i++) {
		const struct reservation *r = all->pdata[i];
		if (in_list(names, r->name))
			cJSON_AddItemToArray(list, resv_json(&v, r));
	}
	print_list(out, &v, "reservations", list, command);
}

void json_print_licenses(FILE *out, const struct controller *c, sec_t now, const char *names, const char *command)
{
	const struct job_view v = {c, now, controller_cluster(c)->params->version == SLURM_22_05};
	const GPtrArray *all = controller_cluster(c)->licenses;
	cJSON *list = cJSON_CreateArray();

	for (guint i = 0; i < all->len; i++) {
		const struct license *l = all->pdata[i];
		if (!in_list(names, l->name))
			continue;
		cJSON *o = json_from_schema(LICENSE);
		json_put_text(o, "LicenseName", l->name);
		json_put_int(o, "Total", l->total);
		json_put_int(o, "Used", l->used);
		json_put_int(o, "Free", l->total - MIN(l->total, l->used));
		cJSON_AddItemToArray(list, o);
	}
	print_list(out, &v, "licenses", list, command);
}

void json_print_pings(FILE *out, const struct controller *c)
{
	const struct job_view v = {c, 0, controller_cluster(c)->params->version == SLURM_22_05};
	cJSON *list = cJSON_CreateArray(),
	      *o = json_from_schema("hostname:s responding:b latency:i primary:b status:s");

	json_put_text(o, "hostname", "localhost");
	json_put_flag(o, "responding", true);
	json_put_flag(o, "primary", true);
	json_put_text(o, "status", "No error");
	cJSON_AddItemToArray(list, o);
	print_list(out, &v, "pings", list, "scontrol ping --json");
}
