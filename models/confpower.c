/*
 * confpower.c - power saving in slurm.conf (lifecycle C56, C57): Suspend... and Resume... settings.
 *
 * The programs themselves are never run: that they are given is what counts. What they do to a node, and how long it
 * takes, is the simulated machine's affair (the scenario's boot_time).
 */
#include "models/confread.h"
#include <string.h>

void conf_set_power_program(struct conf_reader *r, const struct conf_pair *p)
{
	bool given = p->value[0] != '\0';

	if (g_ascii_strcasecmp(p->key, "RebootProgram") == 0)
		r->p->reboot_program = given;
	else if (g_ascii_strcasecmp(p->key, "ResumeProgram") == 0)
		r->p->resume_program = given;
	else
		r->p->suspend_program = given;
}

void conf_power_seconds(struct conf_reader *r, const struct conf_pair *p, uint32_t *out)
{
	guint64 v;

	if (!p)
		return;
	if (g_str_equal(p->value, "-1")) {
		*out = INFINITE;
		return;
	}
	if (conf_number(r, p, G_MAXINT32, &v))
		*out = v == CONF_UNLIMITED ? INFINITE : (uint32_t)v;
}

void conf_set_private_data(struct conf_reader *r, const struct conf_pair *p)
{
	char **list = conf_list(p->value, true);
	bool others = false;

	for (char **s = list; *s; s++) {
		r->p->show_cloud |= g_str_equal(*s, "cloud");
		others |= !g_str_equal(*s, "cloud") && !g_str_equal(*s, "none");
	}
	if (others)
		conf_not_modelled(r, p, "hiding jobs of others in output");
	g_strfreev(list);
}

void conf_set_suspend_time(struct conf_reader *r, const struct conf_pair *p)
{
	conf_power_seconds(r, p, &r->p->suspend_time);
}

void conf_set_suspend_exc(struct conf_reader *r, const struct conf_pair *p)
{
	char **field = g_ascii_strcasecmp(p->key, "SuspendExcNodes") == 0   ? &r->p->suspend_exc_nodes
	               : g_ascii_strcasecmp(p->key, "SuspendExcParts") == 0 ? &r->p->suspend_exc_parts
	                                                                    : &r->p->suspend_exc_states;
	g_free(*field);
	*field = p->value[0] ? g_strdup(p->value) : NULL;
}

/* ---- when all is known ---- */

static const struct conf_pair *pair_of(const struct conf_reader *r, const char *key)
{
	const struct conf_line *line = g_hash_table_lookup(r->scalars, key);

	return line ? &line->pair[0] : NULL;
}

/* "n[1-8]:4,n9": nodes, and how many of them are to stay up. */
static void check_nodes(struct conf_reader *r, const struct conf_pair *p)
{
	GPtrArray *parts = power_exceptions_split(p->value);

	for (guint i = 0; i < parts->len; i++) {
		const struct power_exception *x = parts->pdata[i];
		GPtrArray *names = x->bad ? NULL : conf_expand(r, p, x->nodes);

		if (x->bad)
			conf_error(r, p, "write NODES or NODES:COUNT", "SuspendExcNodes: bad entry \"%s\"", x->nodes);
		for (guint k = 0; names && k < names->len; k++)
			if (!g_hash_table_contains(r->nodes, names->pdata[k]))
				conf_error(r, p, "name nodes of a NodeName line", "SuspendExcNodes: unknown node %s", (const char *)names->pdata[k]);
		if (names)
			g_ptr_array_unref(names);
	}
	g_ptr_array_unref(parts);
}

static void check_parts(struct conf_reader *r, const struct conf_pair *p)
{
	char **list = conf_list(p->value, false);

	for (char **s = list; *s; s++)
		if (!cluster_find_partition(r->c, *s))
			conf_error(r, p, "name partitions of a PartitionName line", "SuspendExcParts: unknown partition %s", *s);
	g_strfreev(list);
}

static void check_states(struct conf_reader *r, const struct conf_pair *p)
{
	char **list = conf_list(p->value, false);

	for (char **s = list; *s; s++)
		if (!power_exception_state(*s))
			conf_error(r, p, "states are " POWER_EXCEPTION_STATES, "SuspendExcStates: unknown state %s", *s);
	g_strfreev(list);
}

/* Some node could be powered down: by its own time, its partition's or the cluster's. */
static bool wanted(const struct conf_reader *r)
{
	bool any = r->p->suspend_time != INFINITE;
	GHashTableIter i;
	gpointer node;

	for (guint k = 0; k < r->c->partitions->len; k++) {
		const struct partition *p = r->c->partitions->pdata[k];
		any |= p->power_down_on_idle || (p->suspend_time != NO_VAL && p->suspend_time != INFINITE);
	}
	g_hash_table_iter_init(&i, r->nodes);
	while (g_hash_table_iter_next(&i, NULL, &node)) {
		const struct node *n = node;
		any |= n->suspend_time != NO_VAL && n->suspend_time != INFINITE;
	}
	return any;
}

/* Nobody would ever power them up. */
static void wake_cloud(struct conf_reader *r)
{
	guint n = 0;
	GHashTableIter i;
	gpointer node;

	g_hash_table_iter_init(&i, r->nodes);
	while (g_hash_table_iter_next(&i, NULL, &node)) {
		struct node *x = node;
		n += (x->flags & NODE_POWERED_DOWN) != 0;
		x->flags &= ~(unsigned)NODE_POWERED_DOWN;
	}
	if (n)
		diag_warn(r->d, NULL, 0, 0, "set SuspendTime, SuspendProgram and ResumeProgram",
		          "%u nodes with State=CLOUD are taken as powered up: without power saving nothing would resume them", n);
}

void conf_check_power(struct conf_reader *r)
{
	bool programs = r->p->suspend_program && r->p->resume_program, any = wanted(r);
	const struct conf_pair *p;

	if ((p = pair_of(r, "suspendexcnodes")))
		check_nodes(r, p);
	if ((p = pair_of(r, "suspendexcparts")))
		check_parts(r, p);
	if ((p = pair_of(r, "suspendexcstates")))
		check_states(r, p);
	if (any && !programs)
		diag_warn(r->d, "slurm.conf", 0, 0, "give both (they are not run; any path will do)",
		          "SuspendTime has no effect without SuspendProgram and ResumeProgram");
	if (!any || !programs)
		wake_cloud(r);
}
