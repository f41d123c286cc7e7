/* lint.c - run the checks over a site; see lint.h. */
#include "tools/lint_checks.h"
#include "sched/base/memsize.h"
#include <string.h>

static const char *const LEVELS[LINT_LEVELS] = {"note", "warning", "error"};

const char *lint_level_name(enum lint_level level)
{
	return LEVELS[level];
}

bool lint_level_parse(const char *text, enum lint_level *level)
{
	for (int i = 0; i < LINT_LEVELS; i++) {
		if (g_ascii_strcasecmp(text, LEVELS[i]) != 0)
			continue;
		*level = (enum lint_level)i;
		return true;
	}
	return false;
}

bool lint_release_parse(const char *text, uint32_t *release)
{
	guint64 year, month;
	char **part = g_strsplit(text, ".", 3);
	bool good = part[0] && part[1] && strlen(part[1]) == 2 &&
	            g_ascii_string_to_unsigned(part[0], 10, 14, 99, &year, NULL) &&
	            g_ascii_string_to_unsigned(part[1], 10, 1, 12, &month, NULL);

	if (good)
		*release = (uint32_t)(year * 100 + month);
	g_strfreev(part);
	return good;
}

const struct lint_check *lint_check_find(const char *id)
{
	for (const struct lint_check *k = lint_checks; k->id; k++)
		if (g_str_equal(k->id, id))
			return k;
	return NULL;
}

/* ---- findings ---- */

static void finding_free(void *data)
{
	struct lint_finding *f = data;

	g_free(f->file);
	g_free(f->what);
	g_free(f->why);
	g_free(f->set);
	g_free(f);
}

/* A site with a thousand users has a thousand findings of one kind: the first ones tell it. What an upgrade changes is
 * told in full. */
static bool enough(const struct lint *l)
{
	return lint_full(l) && !g_str_has_prefix(l->check->id, "upgrade-");
}

/* The last finding of the running check tells how many more there are. */
static void tell_more(struct lint *l)
{
	struct lint_finding *last = l->more ? l->findings->pdata[l->findings->len - 1] : NULL;

	if (!last)
		return;
	char *what = fmt("%s (and %u more of this kind)", last->what, l->more);
	g_free(last->what);
	last->what = what;
	last->level = MAX(last->level, l->more_level);
}

struct lint_finding *lint_add(struct lint *l, enum lint_level level, struct lint_place at, char *what, char *why,
                              char *set)
{
	struct lint_finding *f = g_new(struct lint_finding, 1);

	*f = (struct lint_finding){l->check, level, g_strdup(at.file), at.line, what, why, set, l->check->rule};
	if (enough(l)) {
		l->more++;
		l->more_level = MAX(l->more_level, level);
		finding_free(f);
		return NULL;
	}
	g_ptr_array_add(l->findings, f);
	return f;
}

GPtrArray *lint_run(const struct lint_site *site)
{
	struct lint l = {
	    .site = site,
	    .c = site->cluster,
	    .p = site->cluster->params,
	    .acct = site->cluster->acct,
	    .files = site->files,
	    .n_parts = MIN(site->cluster->partitions->len, LINT_MANY),
	    .n_configs = MIN(site->cluster->configs->len, LINT_MANY),
	    .n_qos = MIN(site->cluster->acct->qos->len, LINT_MANY),
	    .trace = site->trace && site->trace->n ? site->trace : NULL,
	    .findings = g_ptr_array_new_with_free_func(finding_free),
	    .texts = g_string_chunk_new(256),
	};

	for (uint32_t i = 0; i < l.c->n_nodes; i++)
		for (uint32_t t = 0; t < l.c->tres->n; t++)
			l.total[t] += cluster_tres_on_node(l.c, t, l.c->node[i]->config);
	for (l.check = lint_checks; l.check->id; l.check++) {
		l.first = l.findings->len;
		l.more = 0;
		l.more_level = LINT_NOTE;
		l.check->run(&l);
		tell_more(&l);
	}
	g_string_chunk_free(l.texts);
	return l.findings;
}

/* ---- what several checks ask ---- */

int lint_compare_u32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static const char *keep(struct lint *l, char *text)
{
	const char *kept = g_string_chunk_insert(l->texts, text);

	g_free(text);
	return kept;
}

const char *lint_seconds(struct lint *l, int64_t seconds)
{
	return keep(l, duration_format_squeue(seconds));
}

const char *lint_minutes(struct lint *l, uint32_t minutes)
{
	return minutes == INFINITE || minutes == NO_VAL ? "UNLIMITED" : lint_seconds(l, (int64_t)minutes * 60);
}

const char *lint_mem(struct lint *l, uint64_t mib)
{
	if (mib < 10240)
		return keep(l, fmt("%" G_GUINT64_FORMAT " MiB", (guint64)mib));
	return keep(l, fmt("%" G_GUINT64_FORMAT " GiB", (guint64)(mib / 1024)));
}

/* Does WORD begin with TOKEN and go on with a value, or not at all? */
static bool is_token(const char *word, const char *token)
{
	size_t n = strlen(token);

	return g_ascii_strncasecmp(word, token, n) == 0 && (word[n] == '=' || !word[n]);
}

static bool list_has(const char *text, const char *token)
{
	char **list = g_strsplit(text ? text : "", ",", -1);
	bool found = false;

	for (char **s = list; *s && !found; s++)
		found = is_token(g_strstrip(*s), token);
	g_strfreev(list);
	return found;
}

/* The last setting "SchedulerParameters.TOKEN"; NULL. */
static const char *token_setting(const struct lint *l, const char *token)
{
	static const char prefix[] = "SchedulerParameters.";

	for (guint i = l->files->settings->len; i-- > 0;) {
		const char *s = l->files->settings->pdata[i];

		if (g_ascii_strncasecmp(s, prefix, strlen(prefix)) == 0 && is_token(s + strlen(prefix), token))
			return s;
	}
	return NULL;
}

bool lint_has_token(const struct lint *l, const char *token)
{
	return token_setting(l, token) || list_has(lint_value(l->files, "SchedulerParameters"), token);
}

struct lint_place lint_at_token(const struct lint *l, const char *token, struct lint_place otherwise)
{
	const char *setting = token_setting(l, token);

	if (setting)
		return (struct lint_place){setting, 0};
	if (list_has(lint_value(l->files, "SchedulerParameters"), token))
		return lint_at_list(l->files, "SchedulerParameters");
	return otherwise;
}

const struct partition *lint_live_part(const struct lint *l, guint i)
{
	const struct partition *p = lint_part(l, i);

	return p->total_nodes && (p->state == PART_UP || p->state == PART_DRAIN) ? p : NULL;
}

bool lint_backfills(const struct lint *l)
{
	return l->p->sched_type == SCHED_BACKFILL && l->p->bf_interval > 0;
}

guint lint_users(const struct lint *l)
{
	GHashTable *names = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < l->acct->assocs->len; i++)
		if (lint_assoc(l, i)->user && !g_str_equal(lint_assoc(l, i)->user, "root"))
			g_hash_table_add(names, lint_assoc(l, i)->user);
	guint n = g_hash_table_size(names);
	g_hash_table_unref(names);
	return n;
}

static double top_tres(const struct lint *l)
{
	double sum = 0;

	for (uint32_t i = 0; l->p->weight_tres && i < l->c->tres->n; i++) {
		double most = 1;

		for (guint k = 0; l->p->priority_flags & PRIO_NO_NORMAL_TRES && k < l->n_parts; k++)
			most = MAX(most, (double)lint_part(l, k)->tres_total[i]);
		sum += MAX(0, l->p->weight_tres[i]) * most;
	}
	return sum;
}

double lint_top_priority(const struct lint *l)
{
	const struct sched_params *p = l->p;
	double part = p->priority_flags & PRIO_NO_NORMAL_PART ? l->c->max_job_factor : 1, qos = 1, assoc = 1;

	if (p->priority_type == PRIORITY_BASIC)
		return 4294901760.0; /* P50 */
	if (p->priority_flags & PRIO_NO_NORMAL_QOS)
		qos = MAX(1, l->acct->max_qos_priority);
	for (guint i = 0; p->priority_flags & PRIO_NO_NORMAL_ASSOC && i < l->acct->assocs->len; i++)
		if (lint_assoc(l, i)->priority != NO_VAL && lint_assoc(l, i)->priority != INFINITE)
			assoc = MAX(assoc, lint_assoc(l, i)->priority);
	return (double)p->weight_age + (double)p->weight_fairshare + (double)p->weight_job_size +
	       p->weight_partition * part + p->weight_qos * qos + p->weight_assoc * assoc + top_tres(l);
}

bool lint_enforces(const struct lint *l, uint32_t what)
{
	return l->p->has_accounting && (l->p->enforce & what) == what;
}
