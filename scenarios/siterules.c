/* siterules.c - see siterules.h. */
#include "scenarios/siterules.h"
#include "models/suggest.h"
#include <math.h>
#include <string.h>

enum size { SIZE_NODES, SIZE_GPUS, SIZE_CPUS, SIZE_TIME, SIZES };
static const char *const size_names[SIZES] = {"nodes", "gpus", "cpus", "time"};

enum word { WORD_PARTITION, WORD_QOS, WORD_ACCOUNT, WORD_USER, WORD_NAME, WORDS };
static const char *const word_names[WORDS] = {"partition", "qos", "account", "user", "name"};

struct rule {
	guint64 min[SIZES], max[SIZES];                                      /* time in minutes */
	bool timed;                                                          /* has a condition on time */
	char **words[WORDS];                                                 /* strv; NULL = any */
	char *partition, *qos, *account, *reservation, *constraint, *reject; /* owned; NULL */
	uint32_t time;                                                       /* minutes; NO_VAL */
	int64_t nice, site_factor;
	bool last;
};

struct site_rules {
	GPtrArray *rules; /* of struct rule * */
};

static void rule_free(void *data)
{
	struct rule *r = data;
	char *texts[] = {r->partition, r->qos, r->account, r->reservation, r->constraint, r->reject};

	for (gsize i = 0; i < WORDS; i++)
		g_strfreev(r->words[i]);
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
		g_free(texts[i]);
	g_free(r);
}

void site_rules_free(struct site_rules *r)
{
	if (!r)
		return;
	g_ptr_array_unref(r->rules);
	g_free(r);
}

/* ---- reading ---- */

struct reading {
	const struct json_text *t;
	const struct sched_params *p;
	struct diag *diag;
};

static void wrong(const struct reading *w, const cJSON *item, const char *right)
{
	json_text_error(w->t, item, w->diag, right, "bad value of \"%s\"", item->string ? item->string : "site_rules");
}

static void unknown(const struct reading *w, const cJSON *item, const char *const *known, const char *all)
{
	struct suggestion s;

	suggest_begin(&s, item->string);
	for (; *known; known++)
		suggest_offer(&s, *known);
	char *hint = suggest_hint(&s, all);
	json_text_error(w->t, item, w->diag, hint, "unknown key \"%.60s\"", item->string);
	g_free(hint);
}

/* Minutes of a text or a number. */
static bool minutes_of(const cJSON *item, uint32_t *out)
{
	if (cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < 1e9) {
		*out = (uint32_t)item->valuedouble;
		return true;
	}
	return cJSON_IsString(item) && duration_parse_minutes(item->valuestring, out);
}

static void read_bound(const struct reading *w, struct rule *r, enum size size, bool is_min, const cJSON *item)
{
	guint64 *bound = is_min ? &r->min[size] : &r->max[size];
	uint32_t minutes;

	if (size == SIZE_TIME) {
		r->timed = true;
		if (minutes_of(item, &minutes))
			*bound = minutes;
		else
			wrong(w, item, "write minutes, or [days-]hours:minutes:seconds in quotes");
	} else if (cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < 1e12) {
		*bound = (guint64)item->valuedouble;
	} else {
		wrong(w, item, "write a number");
	}
}

static void read_words(const struct reading *w, struct rule *r, enum word word, const cJSON *item)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	const cJSON *one;

	if (cJSON_IsString(item))
		g_ptr_array_add(list, g_strdup(item->valuestring));
	else if (cJSON_IsArray(item))
		cJSON_ArrayForEach(one, item) if (cJSON_IsString(one))
		    g_ptr_array_add(list, g_strdup(one->valuestring));
	if (!list->len)
		wrong(w, item, "write a text or a list of texts; \"\" is: not given");
	g_ptr_array_add(list, NULL);
	g_ptr_array_set_free_func(list, NULL);
	g_strfreev(r->words[word]);
	r->words[word] = (char **)g_ptr_array_free(list, FALSE);
}

/* "gpus_min" and the like: which, and which end. */
static bool bound_of(const char *key, enum size *size, bool *is_min)
{
	for (int i = 0; i < SIZES; i++) {
		gsize n = strlen(size_names[i]);

		if (strncmp(key, size_names[i], n) == 0 &&
		    (strcmp(key + n, "_min") == 0 || strcmp(key + n, "_max") == 0)) {
			*size = (enum size)i;
			*is_min = strcmp(key + n, "_min") == 0;
			return true;
		}
	}
	return false;
}

static void read_condition(const struct reading *w, struct rule *r, const cJSON *item)
{
	static const char *const known[] = {"nodes_min", "nodes_max", "gpus_min", "gpus_max",  "cpus_min",
	                                    "cpus_max",  "time_min",  "time_max", "partition", "qos",
	                                    "account",   "user",      "name",     NULL};
	enum size size;
	bool is_min;

	if (bound_of(item->string, &size, &is_min)) {
		read_bound(w, r, size, is_min, item);
		return;
	}
	for (int i = 0; i < WORDS; i++)
		if (strcmp(word_names[i], item->string) == 0) {
			read_words(w, r, (enum word)i, item);
			return;
		}
	unknown(w, item, known, "nodes_, gpus_, cpus_, time_ with min or max; partition, qos, account, user, name");
}

/* P20, P10: what an age of so many seconds is worth. */
static void add_age(const struct reading *w, struct rule *r, const cJSON *item)
{
	uint32_t minutes;

	if (!minutes_of(item, &minutes) || minutes == INFINITE)
		wrong(w, item, "write a time: \"8-00:00:00\"");
	else if (!w->p->priority_max_age)
		wrong(w, item, "PriorityMaxAge is 0: use site_factor");
	else
		r->site_factor += (int64_t)((double)w->p->weight_age * minutes * 60 / w->p->priority_max_age);
}

static void read_action(const struct reading *w, struct rule *r, const cJSON *item)
{
	static const char *const known[] = {"if",         "partition", "qos",  "account",     "reservation",
	                                    "constraint", "time",      "nice", "site_factor", "age_boost",
	                                    "reject",     "last",      NULL};
	struct {
		const char *key;
		char **field;
	} texts[] = {{"partition", &r->partition},   {"qos", &r->qos},
	             {"account", &r->account},       {"reservation", &r->reservation},
	             {"constraint", &r->constraint}, {"reject", &r->reject}};
	bool number = cJSON_IsNumber(item) && fabs(item->valuedouble) < 2e9;

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		if (strcmp(texts[i].key, item->string) != 0)
			continue;
		if (!cJSON_IsString(item) || !*item->valuestring) {
			wrong(w, item, "write a text");
			return;
		}
		g_free(*texts[i].field);
		*texts[i].field = g_strdup(item->valuestring);
		return;
	}
	if (strcmp(item->string, "time") == 0) {
		if (!minutes_of(item, &r->time))
			wrong(w, item, "write minutes, or [days-]hours:minutes:seconds in quotes");
	} else if (strcmp(item->string, "nice") == 0 || strcmp(item->string, "site_factor") == 0) {
		if (number)
			*(*item->string == 'n' ? &r->nice : &r->site_factor) += (int64_t)item->valuedouble;
		else
			wrong(w, item, "write a number of points");
	} else if (strcmp(item->string, "age_boost") == 0) {
		add_age(w, r, item);
	} else if (strcmp(item->string, "last") == 0) {
		r->last = cJSON_IsTrue(item);
		if (!cJSON_IsBool(item))
			wrong(w, item, "write true or false");
	} else {
		unknown(w, item, known,
		        "if, partition, qos, account, reservation, constraint, time, nice, site_factor, age_boost, "
		        "reject, last");
	}
}

static struct rule *read_rule(const struct reading *w, const cJSON *object)
{
	struct rule *r = g_new0(struct rule, 1);
	const cJSON *item, *condition;

	r->time = NO_VAL;
	for (int i = 0; i < SIZES; i++)
		r->max[i] = G_MAXUINT64;
	if (!cJSON_IsObject(object)) {
		json_text_error(w->t, object, w->diag, "write {\"if\": {\"gpus_min\": 8}, \"qos\": \"large\"}",
		                "a site rule is an object");
		return r;
	}
	cJSON_ArrayForEach(item, object)
	{
		if (strcmp(item->string, "if") != 0)
			read_action(w, r, item);
		else if (!cJSON_IsObject(item))
			wrong(w, item, "write an object of conditions: {\"gpus_min\": 8}");
		else
			cJSON_ArrayForEach(condition, item) read_condition(w, r, condition);
	}
	return r;
}

struct site_rules *site_rules_read(const struct json_text *t, const cJSON *list, const struct sched_params *p,
                                   struct diag *diag)
{
	struct reading w = {t, p, diag};
	struct site_rules *rules = g_new0(struct site_rules, 1);
	guint errors = diag->n_errors;
	const cJSON *item;

	rules->rules = g_ptr_array_new_with_free_func(rule_free);
	cJSON_ArrayForEach(item, list) g_ptr_array_add(rules->rules, read_rule(&w, item));
	if (diag->n_errors == errors)
		return rules;
	site_rules_free(rules);
	return NULL;
}

/* ---- applying ---- */

static guint64 or_one(uint32_t n)
{
	return n == NO_VAL || n == 0 ? 1 : n;
}

/* "gpu:h100:2,shard:4", "h100:2" or "2": GPUs. */
static guint64 gpus_in(const char *text, bool named)
{
	char **list = g_strsplit(text ? text : "", ",", -1);
	guint64 sum = 0;

	for (char **s = list; *s; s++) {
		const char *last = strrchr(*s, ':');
		const char *count = last ? last + 1 : named ? "1" : *s;

		if (**s && (!named || strcmp(*s, "gpu") == 0 || g_str_has_prefix(*s, "gpu:")))
			sum += g_ascii_isdigit(*count) ? g_ascii_strtoull(count, NULL, 10) : 1;
	}
	g_strfreev(list);
	return sum;
}

static guint64 tasks_of(const struct job_request *q)
{
	if (q->ntasks != NO_VAL)
		return q->ntasks;
	return or_one(q->min_nodes) * or_one(q->ntasks_per_node);
}

static guint64 nodes_of(const struct job_request *q)
{
	guint64 per_node = or_one(q->ntasks_per_node);

	if (q->min_nodes != NO_VAL && q->min_nodes)
		return q->min_nodes;
	return q->ntasks_per_node != NO_VAL && q->ntasks_per_node ? (tasks_of(q) + per_node - 1) / per_node : 1;
}

static void sizes_of(const struct job_request *q, guint64 *size)
{
	size[SIZE_NODES] = nodes_of(q);
	size[SIZE_CPUS] = tasks_of(q) * or_one(q->cpus_per_task);
	if (q->gpus)
		size[SIZE_GPUS] = gpus_in(q->gpus, false);
	else if (q->gpus_per_task)
		size[SIZE_GPUS] = gpus_in(q->gpus_per_task, false) * tasks_of(q);
	else
		size[SIZE_GPUS] = gpus_in(q->gres, true) * size[SIZE_NODES];
	size[SIZE_TIME] = q->time_limit == INFINITE ? G_MAXUINT64 - 1 : q->time_limit;
}

static bool word_fits(char **list, const char *text)
{
	for (; list && *list; list++)
		if (g_ascii_strcasecmp(*list, text ? text : "") == 0)
			return true;
	return list == NULL;
}

static bool fits(const struct rule *r, const struct job_request *q)
{
	const char *words[WORDS] = {q->partition, q->qos, q->account, q->user, q->name};
	guint64 size[SIZES];

	sizes_of(q, size);
	if (r->timed && q->time_limit == NO_VAL)
		return false;
	for (int i = 0; i < SIZES; i++)
		if ((i != SIZE_TIME || r->timed) && (size[i] < r->min[i] || size[i] > r->max[i]))
			return false;
	for (int i = 0; i < WORDS; i++)
		if (r->words[i] && !word_fits(r->words[i], words[i]))
			return false;
	return true;
}

static void replace(char **field, const char *text)
{
	if (!text)
		return;
	g_free(*field);
	*field = g_strdup(text);
}

static void act(const struct rule *r, struct job_request *q)
{
	replace(&q->partition, r->partition);
	replace(&q->qos, r->qos);
	replace(&q->account, r->account);
	replace(&q->reservation, r->reservation);
	replace(&q->constraint, r->constraint);
	if (r->time != NO_VAL && q->time_limit == NO_VAL)
		q->time_limit = r->time;
	if (r->nice) {
		q->nice = (q->nice_set ? q->nice : 0) + r->nice;
		q->nice_set = true;
	}
	q->site_factor = (int32_t)CLAMP((int64_t)q->site_factor + r->site_factor, -G_MAXINT32, G_MAXINT32);
}

bool site_rules_apply(void *rules, struct job_request *req, GError **error)
{
	const struct site_rules *s = rules;

	for (guint i = 0; i < s->rules->len; i++) {
		const struct rule *r = s->rules->pdata[i];

		if (!fits(r, req))
			continue;
		if (r->reject) {
			g_set_error_literal(error, SUBMIT_RULE_ERROR, 0, r->reject);
			return false;
		}
		act(r, req);
		if (r->last)
			return true;
	}
	return true;
}
