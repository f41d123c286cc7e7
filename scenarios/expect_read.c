/* expect_read.c - see expect.h: the list "expect" of a scenario file. */
#include "models/conflex.h"
#include "models/suggest.h"
#include "scenarios/expect_value.h"
#include <math.h>
#include <string.h>

enum form { /* of a claim's value */
	    FORM_BOOL,
	    FORM_JOB,
	    FORM_JOB_OR_BOOL,
	    FORM_TIME,
	    FORM_TIME_RANGE,
	    FORM_SPAN,
	    FORM_SPAN_RANGE,
	    FORM_STATE,
	    FORM_MESSAGE,
	    FORM_REASON_NAME,
	    FORM_REASON_TEXT,
	    FORM_NODES,
	    FORM_IDX,
	    FORM_COUNT,
	    FORM_COUNT_RANGE,
	    FORM_BOUNDS,
};
enum place { OF_JOB = 1, OF_MOMENT = 2, OF_CLASS = 4, OF_METRIC = 8, OF_RUN = 16 };

static const struct {
	const char *key;
	enum form form;
	enum place place;
} CLAIMS[N_CLAIMS] = {
    [CLAIM_STARTS] = {"starts", FORM_BOOL, OF_JOB},
    [CLAIM_STARTS_BEFORE] = {"starts_before", FORM_JOB, OF_JOB},
    [CLAIM_STARTS_AFTER] = {"starts_after", FORM_JOB, OF_JOB},
    [CLAIM_STARTS_WITH] = {"starts_with", FORM_JOB, OF_JOB},
    [CLAIM_STARTS_AT] = {"starts_at", FORM_TIME_RANGE, OF_JOB},
    [CLAIM_STARTS_BY] = {"starts_by", FORM_TIME, OF_JOB},
    [CLAIM_WAITS] = {"waits", FORM_SPAN_RANGE, OF_JOB},
    [CLAIM_ENDS] = {"ends", FORM_STATE, OF_JOB},
    [CLAIM_REFUSED] = {"refused", FORM_MESSAGE, OF_JOB},
    [CLAIM_REQUEUED] = {"requeued", FORM_COUNT_RANGE, OF_JOB},
    [CLAIM_PREEMPTED_BY] = {"preempted_by", FORM_JOB_OR_BOOL, OF_JOB},
    [CLAIM_WAITED_FOR] = {"waited_for", FORM_REASON_NAME, OF_JOB},
    [CLAIM_NEVER_WAITED_FOR] = {"never_waited_for", FORM_REASON_NAME, OF_JOB},
    [CLAIM_STATE] = {"state", FORM_STATE, OF_MOMENT},
    [CLAIM_REASON] = {"reason", FORM_REASON_TEXT, OF_MOMENT},
    [CLAIM_NODES] = {"nodes", FORM_NODES, OF_MOMENT},
    [CLAIM_CPUS] = {"cpus", FORM_COUNT_RANGE, OF_MOMENT},
    [CLAIM_GPUS] = {"gpus", FORM_COUNT_RANGE, OF_MOMENT},
    [CLAIM_GPU_IDX] = {"gpu_idx", FORM_IDX, OF_MOMENT},
    [CLAIM_PRIORITY_ABOVE] = {"priority_above", FORM_JOB, OF_MOMENT},
    [CLAIM_PRIORITY] = {"priority", FORM_COUNT_RANGE, OF_MOMENT},
    [CLAIM_MAX_WAIT] = {"max_wait", FORM_SPAN, OF_CLASS},
    [CLAIM_RANGE] = {"range", FORM_BOUNDS, OF_METRIC},
    [CLAIM_PASSES] = {"passes", FORM_COUNT, OF_RUN},
    [CLAIM_BACKFILL_CYCLES] = {"backfill_cycles", FORM_COUNT, OF_RUN},
};
static const char *const HEADS[] = {"name", "rule", "version", "job", "run", "at", "class", "metric"};
static const char *const CLASS_KEYS[] = {"user", "account", "partition", "qos", "size", "gpu"};

const char *claim_key(enum claim_kind k)
{
	return CLAIMS[k].key;
}

/* ---- memory ---- */

static void claim_clear(void *data)
{
	struct claim *c = data;

	g_free(c->text);
	g_strfreev(c->idx);
}

static void class_part_free(void *data)
{
	struct class_part *p = data;

	g_free(p->key);
	g_strfreev(p->names);
	g_free(p);
}

void expect_free(void *data)
{
	struct expect *e = data;

	g_free(e->name);
	g_strfreev(e->rules);
	g_free(e->job);
	g_free(e->metric);
	if (e->class)
		g_ptr_array_unref(e->class);
	g_array_unref(e->claims);
	g_free(e);
}

static struct expect *expect_new(void)
{
	struct expect *e = g_new0(struct expect, 1);

	e->claims = g_array_new(FALSE, TRUE, sizeof(struct claim));
	g_array_set_clear_func(e->claims, claim_clear);
	return e;
}

/* ---- places ---- */

static void note_place(void *data, const cJSON *item, guint line, guint column)
{
	struct spot *spot = g_new(struct spot, 1);

	*spot = (struct spot){line, column};
	g_hash_table_insert(data, (void *)item, spot);
}

static void locate(const struct reader *r, const cJSON *item, guint *line, guint *column)
{
	const struct spot *spot = g_hash_table_lookup(r->places, item);

	*line = spot ? spot->line : 0;
	*column = spot ? spot->column : 0;
}

/* ---- claims ---- */

typedef bool read_number_fn(const struct reader *r, const cJSON *item, double *out);

/* [a, b] in order. */
static bool read_pair(const struct reader *r, const cJSON *item, read_number_fn *read, struct claim *c)
{
	const cJSON *a = item->child, *b = a ? a->next : NULL;

	if (!cJSON_IsArray(item) || !b || b->next)
		return expect_bad(r, item, "write two values: [least, most]");
	if (!read(r, a, &c->low) || !read(r, b, &c->high))
		return false;
	return c->low <= c->high || expect_bad(r, item, "the first is larger than the second");
}

static bool read_single(const struct reader *r, const cJSON *item, read_number_fn *read, struct claim *c)
{
	if (!read(r, item, &c->high))
		return false;
	c->low = c->high;
	return true;
}

static bool read_upto(const struct reader *r, const cJSON *item, read_number_fn *read, struct claim *c)
{
	c->low = -INFINITY;
	return read(r, item, &c->high);
}

static bool read_message(const struct reader *r, const cJSON *item, struct claim *c)
{
	if (cJSON_IsBool(item))
		c->yes = cJSON_IsTrue(item);
	else if (expect_is_text(item))
		c->text = g_strdup(item->valuestring);
	else
		return expect_bad(r, item, "write a part of sbatch's message, or false");
	return true;
}

static bool read_value(const struct reader *r, const cJSON *item, enum form form, struct claim *c)
{
	switch (form) {
	case FORM_BOOL:
		c->yes = cJSON_IsTrue(item);
		return cJSON_IsBool(item) || expect_bad(r, item, "write true or false");
	case FORM_JOB_OR_BOOL:
		if (cJSON_IsBool(item)) {
			c->yes = cJSON_IsTrue(item);
			return true;
		}
		return expect_job_name(r, item, &c->text);
	case FORM_JOB:
		return expect_job_name(r, item, &c->text);
	case FORM_TIME:
		return read_upto(r, item, expect_time, c);
	case FORM_TIME_RANGE:
		return cJSON_IsArray(item) ? read_pair(r, item, expect_time, c) : read_single(r, item, expect_time, c);
	case FORM_SPAN:
		return read_upto(r, item, expect_span, c);
	case FORM_SPAN_RANGE:
		return cJSON_IsArray(item) ? read_pair(r, item, expect_span, c) : read_upto(r, item, expect_span, c);
	case FORM_STATE:
		return expect_state(r, item, &c->text);
	case FORM_MESSAGE:
		return read_message(r, item, c);
	case FORM_REASON_NAME:
	case FORM_REASON_TEXT:
		return expect_reason(r, item, form == FORM_REASON_TEXT, &c->text);
	case FORM_NODES:
		return expect_nodes(r, item, &c->text);
	case FORM_IDX:
		return expect_idx(r, item, &c->idx);
	case FORM_COUNT:
		return read_upto(r, item, expect_count, c);
	case FORM_COUNT_RANGE:
		return cJSON_IsArray(item) ? read_pair(r, item, expect_count, c)
		                           : read_single(r, item, expect_count, c);
	case FORM_BOUNDS:
		return read_pair(r, item, expect_bound, c);
	}
	return false;
}

static void read_claim(const struct reader *r, const cJSON *item, enum claim_kind kind, struct expect *e)
{
	struct claim c = {.kind = kind, .yes = true, .low = -INFINITY, .high = INFINITY};

	locate(r, item, &c.line, &c.column);
	if (read_value(r, item, CLAIMS[kind].form, &c))
		g_array_append_val(e->claims, c);
	else
		claim_clear(&c);
}

/* ---- the head of an entry ---- */

/* One text or a list of texts; NULL after reporting. */
static char **read_texts(const struct reader *r, const cJSON *item, const char *hint)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	bool ok = expect_is_text(item) || (cJSON_IsArray(item) && item->child);
	const cJSON *one;

	if (expect_is_text(item))
		g_ptr_array_add(list, g_strdup(item->valuestring));
	cJSON_ArrayForEach(one, item)
	{
		ok = ok && expect_is_text(one);
		g_ptr_array_add(list, g_strdup(expect_is_text(one) ? one->valuestring : ""));
	}
	g_ptr_array_add(list, NULL);
	char **strv = (char **)g_ptr_array_free(list, FALSE);
	if (ok)
		return strv;
	expect_bad(r, item, hint);
	g_strfreev(strv);
	return NULL;
}

static void read_class(const struct reader *r, const cJSON *item, struct expect *e)
{
	const cJSON *one;

	e->has_class = true;
	e->class = g_ptr_array_new_with_free_func(class_part_free);
	if (!cJSON_IsObject(item)) {
		expect_bad(r, item, "write {\"partition\": \"gpu\"}, or {} for all jobs");
		return;
	}
	cJSON_ArrayForEach(one, item)
	{
		bool known = false;
		char **names;

		for (size_t i = 0; i < G_N_ELEMENTS(CLASS_KEYS); i++)
			known = known || strcmp(CLASS_KEYS[i], one->string) == 0;
		if (!known) {
			json_text_error(r->t, one, r->diag,
			                "a class is told by user, account, partition, qos, size, gpu",
			                "unknown key \"%s\"", one->string);
			continue;
		}
		names = read_texts(r, one, "write a name, or a list of names");
		if (!names)
			continue;
		struct class_part *p = g_new0(struct class_part, 1);
		p->key = g_strdup(one->string);
		p->names = names;
		g_ptr_array_add(e->class, p);
	}
}

static void read_version(const struct reader *r, const cJSON *item, struct expect *e)
{
	if (expect_is_text(item) && strcmp(item->valuestring, "22.05") == 0)
		e->version = "22.05";
	else if (expect_is_text(item) && strcmp(item->valuestring, "26.05") == 0)
		e->version = "26.05";
	else
		expect_bad(r, item, "write \"22.05\" or \"26.05\", or leave it out for both");
}

static void read_head(const struct reader *r, const cJSON *item, struct expect *e)
{
	double run;

	if (strcmp(item->string, "job") == 0)
		expect_job_name(r, item, &e->job);
	else if (strcmp(item->string, "rule") == 0)
		e->rules = read_texts(r, item, "write a rule id or a list of them: [\"B30\", \"S12\"]");
	else if (strcmp(item->string, "version") == 0)
		read_version(r, item, e);
	else if (strcmp(item->string, "at") == 0)
		e->has_at = expect_time(r, item, &e->at);
	else if (strcmp(item->string, "class") == 0)
		read_class(r, item, e);
	else if (strcmp(item->string, "run") == 0)
		e->run = expect_count(r, item, &run) ? (uint32_t)MIN(run, 1e6) : 0;
	else if (!expect_is_text(item))
		expect_bad(r, item, "write a text in quotes");
	else if (strcmp(item->string, "name") == 0)
		e->name = g_strdup(item->valuestring);
	else
		e->metric = g_strdup(item->valuestring);
}

static void unknown_key(const struct reader *r, const cJSON *item)
{
	GString *known = g_string_new("known keys:");
	char *shown = conflex_show(item->string), *hint;
	struct suggestion s;

	suggest_begin(&s, item->string);
	for (size_t i = 0; i < G_N_ELEMENTS(HEADS) + N_CLAIMS; i++) {
		const char *key = i < G_N_ELEMENTS(HEADS) ? HEADS[i] : CLAIMS[i - G_N_ELEMENTS(HEADS)].key;

		suggest_offer(&s, key);
		g_string_append_printf(known, "%s %s", i ? "," : "", key);
	}
	hint = suggest_hint(&s, known->str);
	json_text_error(r->t, item, r->diag, hint, "unknown key \"%s\" of an expectation", shown);
	g_free(hint);
	g_free(shown);
	g_string_free(known, TRUE);
}

static bool is_head(const char *key)
{
	for (size_t i = 0; i < G_N_ELEMENTS(HEADS); i++)
		if (strcmp(HEADS[i], key) == 0)
			return true;
	return false;
}

/* What KEY's claims need beside them; NULL = it is there. */
static const char *missing(const cJSON *entry, enum place place)
{
	static const struct {
		enum place place;
		const char *key, *hint;
	} NEEDS[] = {{OF_JOB, "job", "add \"job\": \"name\""},
	             {OF_MOMENT, "job", "add \"job\": \"name\""},
	             {OF_MOMENT, "at", "add \"at\": seconds after the start"},
	             {OF_CLASS, "class", "add \"class\": {\"partition\": \"gpu\"}"},
	             {OF_METRIC, "metric", "add \"metric\": \"mean_wait\""}};

	for (size_t i = 0; i < G_N_ELEMENTS(NEEDS); i++)
		if (NEEDS[i].place == place && !cJSON_GetObjectItemCaseSensitive(entry, NEEDS[i].key))
			return NEEDS[i].hint;
	return NULL;
}

static void read_key(const struct reader *r, const cJSON *entry, const cJSON *item, unsigned *places, struct expect *e)
{
	int k = 0;

	if (cJSON_GetObjectItemCaseSensitive(entry, item->string) != item) {
		json_text_error(r->t, item, r->diag, "keep one of them", "key \"%s\" appears twice", item->string);
		return;
	}
	if (is_head(item->string)) {
		read_head(r, item, e);
		return;
	}
	while (k < N_CLAIMS && strcmp(CLAIMS[k].key, item->string))
		k++;
	if (k == N_CLAIMS) {
		unknown_key(r, item);
		return;
	}
	const char *hint = missing(entry, CLAIMS[k].place);
	*places |= CLAIMS[k].place;
	if (hint)
		json_text_error(r->t, item, r->diag, hint, "\"%s\" does not say of what", item->string);
	else
		read_claim(r, item, (enum claim_kind)k, e);
}

/* A head that none of the claims speaks of. */
static void check_heads(const struct reader *r, const cJSON *entry, unsigned places)
{
	static const struct {
		const char *key;
		unsigned wanted;
		const char *hint;
	} USES[] = {
	    {"job", OF_JOB | OF_MOMENT,
	     "say what is expected of it: \"starts_before\": \"other\", \"waits\": 600, ..."},
	    {"run", OF_JOB, "it chooses a run of a \"job\" for starts..., waits, waited_for"},
	    {"at", OF_MOMENT, "say what is expected then: \"state\": \"PENDING\", \"reason\": \"Priority\", ..."},
	    {"class", OF_CLASS | OF_METRIC, "say what is expected of it: \"max_wait\": \"2:00:00\""},
	    {"metric", OF_METRIC, "add \"range\": [least, most]"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(USES); i++) {
		const cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, USES[i].key);

		if (item && !(places & USES[i].wanted))
			json_text_error(r->t, item, r->diag, USES[i].hint, "\"%s\" stands without a claim",
			                USES[i].key);
	}
	if (places == 0 && !cJSON_GetObjectItemCaseSensitive(entry, "job") &&
	    !cJSON_GetObjectItemCaseSensitive(entry, "class") && !cJSON_GetObjectItemCaseSensitive(entry, "metric"))
		json_text_error(r->t, entry, r->diag, "write {\"job\": \"a\", \"starts_before\": \"b\"}",
		                "this expectation claims nothing");
	if (places & (OF_JOB | OF_MOMENT) && places & (OF_CLASS | OF_METRIC | OF_RUN))
		json_text_error(r->t, entry, r->diag, "write two entries",
		                "claims of a job, and of a class or the run, in one entry");
}

static void read_entry(const struct reader *r, const cJSON *entry, GPtrArray *out)
{
	struct expect *e;
	unsigned places = 0;
	guint before = r->diag->n_errors;
	const cJSON *item;

	if (!cJSON_IsObject(entry)) {
		json_text_error(r->t, entry, r->diag, "write {\"job\": \"a\", \"starts_before\": \"b\"}",
		                "an expectation is an object");
		return;
	}
	e = expect_new();
	locate(r, entry, &e->line, &e->column);
	cJSON_ArrayForEach(item, entry) read_key(r, entry, item, &places, e);
	if (r->diag->n_errors == before)
		check_heads(r, entry, places);
	if (r->diag->n_errors == before)
		g_ptr_array_add(out, e);
	else
		expect_free(e);
}

void scenario_read_expect(const struct json_text *t, const cJSON *list, struct scenario *s, struct diag *diag)
{
	struct reader r = {.t = t, .s = s, .diag = diag};
	const cJSON *entry;

	if (!s->workload && diag->n_errors == 0) { /* else a job may be missing for a mistake of its own */
		r.labels = g_hash_table_new(g_str_hash, g_str_equal);
		for (guint i = 0; i < s->submissions->len; i++) {
			const struct submission *sub = s->submissions->pdata[i];

			if (sub->label)
				g_hash_table_add(r.labels, sub->label);
		}
	}
	r.places = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
	json_text_locate_all(t, list, note_place, r.places);
	s->expect = g_ptr_array_new_with_free_func(expect_free);
	cJSON_ArrayForEach(entry, list) read_entry(&r, entry, s->expect);
	g_hash_table_unref(r.places);
	if (r.labels)
		g_hash_table_unref(r.labels);
}
