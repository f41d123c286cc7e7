/* whatif_ideas.c - see whatif_ideas.h */
#include "tools/whatif_ideas.h"
#include <string.h>

enum { MAX_PLACES = 8, AT_ONCE = 60 };

void idea_free(void *data)
{
	struct idea *i = data;

	if (!i)
		return;
	change_free(i->change);
	g_free(i->what);
	g_free(i);
}

bool answer_at_once(const struct answer *a)
{
	return a->kind == ANSWER_STARTED && a->start - a->submit <= AT_ONCE * USEC;
}

/* TEXT is made here, so it can be read; WHAT is taken over. */
static struct idea *idea_new(enum idea_kind kind, double kept, const char *text, char *what)
{
	struct change *change = change_parse(text, NULL);
	struct idea *i;

	if (!change) { /* a name with a comma or the like */
		g_free(what);
		return NULL;
	}
	i = g_new0(struct idea, 1);
	i->change = change;
	i->kind = kind;
	i->kept = kept;
	i->what = what;
	return i;
}

static struct idea *add(GPtrArray *list, enum idea_kind kind, double kept, const char *text, char *what)
{
	struct idea *i = idea_new(kind, kept, text, what);

	if (i)
		g_ptr_array_add(list, i);
	return i;
}

/* ---- the time limit ---- */

static const struct partition *first_partition(const struct cluster *cl, const struct job_request *r)
{
	char **names = r->partition ? g_strsplit(r->partition, ",", 2) : NULL;
	const struct partition *p = names && names[0] ? cluster_find_partition(cl, names[0]) : cl->default_partition;

	g_strfreev(names);
	return p;
}

static uint32_t time_limit(const struct cluster *cl, const struct job_request *r)
{
	const struct partition *p = first_partition(cl, r);

	if (r->time_limit != NO_VAL)
		return r->time_limit;
	if (!p)
		return INFINITE;
	return p->default_time != NO_VAL ? p->default_time : p->max_time;
}

/* Minutes that it really runs; of an array the longest task counts. */
static uint32_t true_minutes(const struct submission *sub, const struct target *t)
{
	usec_t longest = sub->outcome.run_time;

	for (uint32_t i = 0; i < sub->n_tasks; i++) {
		usec_t run = sub->tasks[i].outcome.run_time;
		if (t->task == sub->tasks[i].task) {
			longest = run;
			break;
		}
		longest = t->task == NO_VAL ? MAX(longest, run) : longest;
	}
	return (uint32_t)MAX(1, (longest + 60 * USEC - 1) / (60 * USEC));
}

static struct idea *time_idea(uint32_t minutes, uint32_t limit, uint32_t run)
{
	char *to = duration_format((int64_t)minutes * 60), *real = duration_format((int64_t)run * 60);
	char *text = g_strdup_printf("time=%s", to);
	char *what = minutes == run ? g_strdup_printf("a time limit of what it really runs (%s)", real)
	                            : g_strdup_printf("a shorter time limit (it really runs %s)", real);
	struct idea *i = idea_new(IDEA_TIME, limit == INFINITE ? 0.01 : (double)minutes / limit, text, what);

	g_free(to);
	g_free(real);
	g_free(text);
	return i;
}

static void time_ideas(GPtrArray *list, uint32_t limit, uint32_t run)
{
	uint32_t from = limit == INFINITE ? run * 8 : limit;

	for (uint32_t m = from / 2, n = 0; m > run && n < 3; m /= 2, n++)
		g_ptr_array_add(list, time_idea(m, limit, run));
	if (run < limit)
		g_ptr_array_add(list, time_idea(run, limit, run));
}

/* ---- the size ---- */

/* "gpu:h100:4" with its count scaled; a list is scaled item by item. Counts never go below 1. g_free. */
static char *scaled_gres(const char *list, uint32_t num, uint32_t den)
{
	char **items = g_strsplit(list, ",", -1);
	GString *out = g_string_new(NULL);

	for (char **p = items; *p; p++) {
		char *colon = strrchr(*p, ':');
		const char *digits = colon ? colon + 1 : *p;
		guint64 n = 0;

		if (out->len)
			g_string_append_c(out, ',');
		if (!g_ascii_string_to_unsigned(digits, 10, 1, G_MAXUINT32, &n, NULL))
			g_string_append(out, *p);
		else
			g_string_append_printf(out, "%.*s%" G_GUINT64_FORMAT, (int)(digits - *p), *p,
			                       MAX(1, n * num / den));
	}
	g_strfreev(items);
	return g_string_free(out, FALSE);
}

static uint32_t scaled(uint32_t n, uint32_t num, uint32_t den)
{
	return MAX(1, (uint32_t)((uint64_t)n * num / den));
}

/* NUM of DEN nodes, with tasks and the job's GPUs in proportion. */
static struct idea *nodes_idea(const struct job_request *r, uint32_t num, bool twice)
{
	uint32_t den = r->min_nodes;
	GString *s = g_string_new(NULL);
	char *what = twice ? g_strdup("the half size twice, as two jobs")
	                   : g_strdup_printf("%u %s in place of %u, with tasks and GPUs in proportion", num,
	                                     num == 1 ? "node" : "nodes", den);
	struct idea *i;

	g_string_append_printf(s, "nodes=%u", num);
	if (r->ntasks != NO_VAL)
		g_string_append_printf(s, ",ntasks=%u", scaled(r->ntasks, num, den));
	if (r->gpus) {
		char *gpus = scaled_gres(r->gpus, num, den);
		g_string_append_printf(s, ",gpus=%s", gpus);
		g_free(gpus);
	}
	if (twice)
		g_string_append(s, ",twice");
	i = idea_new(IDEA_SIZE, (double)num / den, s->str, what);
	g_string_free(s, TRUE);
	return i;
}

/* What one node gives: its GPUs, or its tasks. */
static struct idea *part_idea(const struct job_request *r, uint32_t num, uint32_t den, bool twice)
{
	GString *s = g_string_new(NULL);
	const char *kind = r->gpus_per_node ? "gpus-per-node" : "gpus";
	const char *list = r->gpus_per_node ? r->gpus_per_node : r->gpus;
	char *what;
	struct idea *i = NULL;

	if (list || r->gres_given) {
		char *gres = scaled_gres(list ? list : r->gres_given, num, den);
		if (strcmp(gres, list ? list : r->gres_given) != 0)
			g_string_append_printf(s, "%s=%s", list ? kind : "gres", gres);
		what = g_strdup("fewer GPUs");
		g_free(gres);
	} else {
		if (r->ntasks != NO_VAL && r->ntasks > 1)
			g_string_append_printf(s, "ntasks=%u", scaled(r->ntasks, num, den));
		else if (r->cpus_per_task != NO_VAL && r->cpus_per_task > 1)
			g_string_append_printf(s, "cpus-per-task=%u", scaled(r->cpus_per_task, num, den));
		what = g_strdup(r->ntasks != NO_VAL && r->ntasks > 1 ? "fewer tasks" : "fewer CPUs");
	}
	if (s->len && twice) {
		g_string_append(s, ",twice");
		g_free(what);
		what = g_strdup("the half size twice, as two jobs");
	}
	if (s->len)
		i = idea_new(IDEA_SIZE, (double)num / den, s->str, what);
	else
		g_free(what);
	g_string_free(s, TRUE);
	return i;
}

static struct idea *size_idea(const struct job_request *r, uint32_t num, uint32_t den, bool twice)
{
	if (r->node_counts)
		return NULL;
	if (r->min_nodes != NO_VAL && r->min_nodes > 1)
		return nodes_idea(r, MAX(1, (uint32_t)((uint64_t)r->min_nodes * num / den)), twice);
	return part_idea(r, num, den, twice);
}

static bool same_change(const GPtrArray *list, const struct idea *i)
{
	for (guint k = 0; k < list->len; k++) {
		const struct idea *other = list->pdata[k];
		if (strcmp(other->change->text, i->change->text) == 0)
			return true;
	}
	return false;
}

static void add_new(GPtrArray *list, struct idea *i)
{
	if (i && !same_change(list, i))
		g_ptr_array_add(list, i);
	else
		idea_free(i);
}

static void size_ideas(GPtrArray *list, const struct job_request *r)
{
	static const uint32_t parts[][2] = {{3, 4}, {1, 2}, {1, 4}};
	bool many = r->min_nodes != NO_VAL && r->min_nodes > 1 && !r->node_counts;
	bool gpus_by_node = r->gres || r->gpus_per_node;

	if (many && r->ntasks != NO_VAL && r->ntasks_per_node == NO_VAL && !gpus_by_node) {
		char *text = g_strdup_printf("nodes=1-%u", r->max_nodes != NO_VAL ? r->max_nodes : r->min_nodes);
		add(list, IDEA_FREEDOM, 1, text, g_strdup("the same tasks on as few nodes as hold them"));
		g_free(text);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
		add_new(list, size_idea(r, parts[i][0], parts[i][1], false));
	if (many)
		add_new(list, nodes_idea(r, 1, false));
	if (!r->array)
		add_new(list, size_idea(r, 1, 2, true));
}

/* ---- another place ---- */

static bool in_list(const char *list, const char *name)
{
	char **items = list ? g_strsplit(list, ",", -1) : NULL;
	bool found = items && g_strv_contains((const char *const *)items, name);

	g_strfreev(items);
	return found;
}

static bool preemptible_partition(const struct cluster *cl, const struct partition *p)
{
	if (cl->params->preempt_type != PREEMPT_PARTITION || p->preempt_mode == PREEMPT_MODE_OFF)
		return false;
	for (guint i = 0; i < cl->partitions->len; i++) {
		const struct partition *q = cl->partitions->pdata[i];
		if (q->priority_tier > p->priority_tier && bitset_count_and(q->nodes, p->nodes))
			return true;
	}
	return false;
}

static void partition_ideas(GPtrArray *list, const struct job_request *r, const struct cluster *cl)
{
	const struct partition *own = first_partition(cl, r);
	guint tried = 0;

	for (guint i = 0; i < cl->partitions->len && tried < MAX_PLACES; i++) {
		const struct partition *p = cl->partitions->pdata[i];
		if (p == own || p->state != PART_UP || p->root_only || in_list(r->partition, p->name))
			continue;
		bool pushed = preemptible_partition(cl, p);
		char *text = g_strdup_printf("partition=%s", p->name);
		struct idea *idea =
		    add(list, IDEA_PLACE, 1, text,
		        g_strdup_printf("partition %s%s", p->name, pushed ? " (may be preempted there)" : ""));
		if (idea)
			idea->preemptible = pushed;
		g_free(text);
		tried++;
	}
}

static bool preemptible_qos(const struct cluster *cl, const char *name)
{
	if (cl->params->preempt_type != PREEMPT_QOS)
		return false;
	for (guint i = 0; i < cl->acct->qos->len; i++) {
		const struct qos *q = cl->acct->qos->pdata[i];
		if (q->preempt && g_strv_contains((const char *const *)q->preempt, name))
			return true;
	}
	return false;
}

static void qos_ideas(GPtrArray *list, const struct job_request *r, const struct cluster *cl)
{
	const struct partition *p = first_partition(cl, r);
	const struct assoc *as =
	    cl->acct && r->user ? acct_find(cl->acct, r->user, r->account, p ? p->name : NULL) : NULL;
	char **names = as ? assoc_qos_list(as) : NULL;
	const char *own = r->qos ? r->qos : as ? assoc_default_qos(as) : NULL;
	guint tried = 0;

	for (char **q = names; q && *q && tried < MAX_PLACES; q++) {
		if (g_strcmp0(*q, own) == 0 || in_list(r->qos, *q))
			continue;
		bool pushed = preemptible_qos(cl, *q);
		char *text = g_strdup_printf("qos=%s", *q);
		struct idea *idea = add(list, IDEA_PLACE, 1, text,
		                        g_strdup_printf("QOS %s%s", *q, pushed ? " (may be preempted)" : ""));
		if (idea)
			idea->preemptible = pushed;
		g_free(text);
		tried++;
	}
}

/* ---- freedom and order ---- */

/* "gpu:h100:4" -> "gpu:4". NULL when no GPU of the list has a type. g_free. */
static char *untyped(const char *list, bool is_gres)
{
	char **items = list ? g_strsplit(list, ",", -1) : NULL;
	GString *out = g_string_new(NULL);
	bool changed = false;

	for (char **p = items; p && *p; p++) {
		char **word = g_strsplit(*p, ":", 4);
		guint n = g_strv_length(word);
		bool typed = is_gres ? n == 3 && strcmp(word[0], "gpu") == 0 : n == 2;

		g_string_append_printf(out, "%s", out->len ? "," : "");
		if (typed && is_gres)
			g_string_append_printf(out, "gpu:%s", word[2]);
		else
			g_string_append(out, typed ? word[1] : *p);
		changed |= typed;
		g_strfreev(word);
	}
	g_strfreev(items);
	return g_string_free(out, !changed);
}

static void untyped_idea(GPtrArray *list, const struct job_request *r)
{
	const struct {
		const char *option, *value;
		bool is_gres;
	} ways[] = {{"gres",
	             r->gres_given      ? r->gres_given
	             : r->gpus_per_node ? NULL
	                                : r->gres,
	             true},
	            {"gpus-per-node",
	             r->gpus_per_node ? r->gpus_per_node + (g_str_has_prefix(r->gpus_per_node, "gpu:") ? 4 : 0) : NULL,
	             false},
	            {"gpus", r->gpus, false},
	            {"gpus-per-task", r->gpus_per_task, false}};

	for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
		char *plain = untyped(ways[i].value, ways[i].is_gres);
		if (plain) {
			char *text = g_strdup_printf("%s=%s", ways[i].option, plain);
			add(list, IDEA_FREEDOM, 1, text, g_strdup("GPUs of any type"));
			g_free(text);
		}
		g_free(plain);
	}
}

static void freedom_ideas(GPtrArray *list, const struct job_request *r)
{
	untyped_idea(list, r);
	if (r->constraint)
		add(list, IDEA_FREEDOM, 1, "constraint=", g_strdup("without --constraint"));
	if (r->nodelist)
		add(list, IDEA_FREEDOM, 1, "nodelist=", g_strdup("without --nodelist"));
	if (r->exclude)
		add(list, IDEA_FREEDOM, 1, "exclude=", g_strdup("without --exclude"));
	if (r->share == SHARE_EXCLUSIVE)
		add(list, IDEA_FREEDOM, 1, "exclusive=", g_strdup("without --exclusive"));
	if (r->licenses)
		add(list, IDEA_FREEDOM, 1, "licenses=", g_strdup("without licences"));
	if (r->switches != NO_VAL)
		add(list, IDEA_FREEDOM, 1, "switches=", g_strdup("without --switches"));
	if (r->reservation)
		add(list, IDEA_PLACE, 1, "reservation=", g_strdup("outside of its reservation"));
	if (r->dependency)
		add(list, IDEA_ORDER, 1, "dependency=", g_strdup("without the dependency"));
	if (r->begin_text || r->begin)
		add(list, IDEA_ORDER, 1, "begin=", g_strdup("without --begin"));
	if (r->hold)
		add(list, IDEA_ORDER, 1, "hold=", g_strdup("without --hold"));
}

static void hour_ideas(GPtrArray *list)
{
	add(list, IDEA_HOUR, 1, "submit=+01:00:00", g_strdup("submitted an hour later"));
	add(list, IDEA_HOUR, 1, "submit=+06:00:00", g_strdup("submitted six hours later"));
	add(list, IDEA_HOUR, 1, "submit=+12:00:00", g_strdup("submitted twelve hours later"));
}

GPtrArray *ideas_for(const struct submission *sub, const struct target *t, const struct controller *c)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(idea_free);
	const struct cluster *cl = controller_cluster(c);
	const struct job_request *r = sub->request;

	time_ideas(list, time_limit(cl, r), true_minutes(sub, t));
	freedom_ideas(list, r);
	partition_ideas(list, r, cl);
	if (cl->acct)
		qos_ideas(list, r, cl);
	size_ideas(list, r);
	hour_ideas(list);
	return list;
}

/* ---- the smallest ---- */

struct idea *idea_between(const struct submission *sub, const struct target *t, const struct controller *c,
                          const struct idea *a, const struct idea *b)
{
	const struct job_request *r = sub->request;
	uint32_t limit = time_limit(controller_cluster(c), r), run = true_minutes(sub, t);
	double high = b ? b->kept : 1;

	if (a->kind == IDEA_TIME && limit != INFINITE) {
		uint32_t low = (uint32_t)(a->kept * limit + 0.5), top = (uint32_t)(high * limit + 0.5);
		uint32_t middle = low + (top - low) / 2;
		uint32_t unit = top - low > 240 ? 60 : top - low > 60 ? 15 : top - low > 20 ? 5 : 1;
		middle -= middle % unit;
		return middle > low && middle < top ? time_idea(middle, limit, run) : NULL;
	}
	if (a->kind == IDEA_SIZE && r->min_nodes != NO_VAL && r->min_nodes > 1) {
		uint32_t low = (uint32_t)(a->kept * r->min_nodes + 0.5), top = (uint32_t)(high * r->min_nodes + 0.5);
		uint32_t middle = low + (top - low) / 2;
		return middle > low && middle < top ? nodes_idea(r, middle, false) : NULL;
	}
	return NULL;
}

/* What is given up: nothing (0), certainty, an order that was meant, an hour, work (by its part). */
static double price(const struct idea *i)
{
	switch (i->kind) {
	case IDEA_TIME:
		return 0.1 * (1 - i->kept);
	case IDEA_FREEDOM:
		return 0.15;
	case IDEA_PLACE:
		return i->preemptible ? 0.5 : 0.2;
	case IDEA_ORDER:
		return 0.6;
	case IDEA_HOUR:
		return 0.7;
	default:
		return i->change->twice ? 0.8 : 2 - i->kept;
	}
}

const struct idea *ideas_smallest(const GPtrArray *ideas, usec_t base)
{
	const struct idea *best = NULL;

	for (guint k = 0; k < ideas->len; k++) {
		const struct idea *i = ideas->pdata[k];
		if (answer_at_once(&i->answer) && i->answer.start < base && (!best || price(i) < price(best)))
			best = i;
	}
	return best;
}
