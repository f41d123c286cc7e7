/*
 * confparams.c - the global parameters that need more than a number: selection, resources, life cycle (spec
 * slurm-conf.md 5.1 to 5.3). Priority, accounting and preemption are in confpolicy.c.
 */
#include "models/confread.h"
#include "models/confword.h"
#include "sched/base/memsize.h"
#include <string.h>

void conf_set_cluster_name(struct conf_reader *r, const struct conf_pair *p)
{
	g_free(r->p->cluster_name);
	r->p->cluster_name = g_ascii_strdown(p->value, -1);
}

void conf_set_scheduler_type(struct conf_reader *r, const struct conf_pair *p)
{
	static const struct conf_word words[] = {
	    {"sched/backfill", SCHED_BACKFILL},
	    {"sched/builtin", SCHED_BUILTIN},
	    {"sched/easy", SCHED_EASY},
	    {NULL, 0},
	};
	const struct conf_word *w = conf_word_find(words, p->value);

	if (w)
		r->p->sched_type = (enum sched_type)w->value;
	else
		conf_bad_word(r, p, words, p->value);
}

void conf_set_select_type(struct conf_reader *r, const struct conf_pair *p)
{
	static const struct conf_word words[] = {
	    {"select/cons_tres", SELECT_CONS_TRES},
	    {"select/cons_res", SELECT_CONS_TRES},
	    {"select/linear", SELECT_LINEAR},
	    {NULL, 0},
	};
	const struct conf_word *w = conf_word_find(words, p->value);

	if (!w) {
		conf_bad_word(r, p, words, p->value);
		return;
	}
	r->p->select_type = (enum select_type)w->value;
	if (w == &words[1])
		conf_warn(r, p, NULL, "select/cons_res was removed from Slurm: select/cons_tres is used");
	bool linear = r->p->select_type == SELECT_LINEAR;
	r->p->cr_unit = linear ? CR_NONE : CR_CORE; /* 5.1: what counts without SelectTypeParameters */
	r->p->cr_memory = !linear;
}

enum { /* values of SelectTypeParameters tokens: a base unit with or without memory, or a switch */
       BASE_MEMORY = 16,
       SWITCH_ONE_TASK = 32,
       SWITCH_DIST_BLOCK,
       SWITCH_LLN,
       SWITCH_PACK,
       SWITCH_ENFORCE_BINDING,
       SWITCH_LL_SHARED,
       SWITCH_MULTIPLE_SHARING,
       SWITCH_ONE_TASK_SHARING,
       SWITCH_NO_EFFECT
};
static const struct conf_word select_words[] = {
    {"CR_CPU", CR_CPU},
    {"CR_CPU_Memory", CR_CPU | BASE_MEMORY},
    {"CR_Core", CR_CORE},
    {"CR_Core_Memory", CR_CORE | BASE_MEMORY},
    {"CR_Socket", CR_SOCKET},
    {"CR_Socket_Memory", CR_SOCKET | BASE_MEMORY},
    {"CR_Memory", CR_NONE | BASE_MEMORY},
    {"CR_ONE_TASK_PER_CORE", SWITCH_ONE_TASK},
    {"CR_CORE_DEFAULT_DIST_BLOCK", SWITCH_DIST_BLOCK},
    {"CR_LLN", SWITCH_LLN},
    {"CR_Pack_Nodes", SWITCH_PACK},
    {"LL_SHARED_GRES", SWITCH_LL_SHARED},
    {"MULTIPLE_SHARING_GRES_PJ", SWITCH_MULTIPLE_SHARING},
    {"ENFORCE_BINDING_GRES", SWITCH_ENFORCE_BINDING},
    {"ONE_TASK_PER_SHARING_GRES", SWITCH_ONE_TASK_SHARING},
    {"CR_NO_DIST_TOPO_BLOCK", SWITCH_NO_EFFECT},
    {NULL, 0},
};

static void set_select_switch(struct conf_reader *r, const struct conf_word *w)
{
	switch (w->value) {
	case SWITCH_ONE_TASK:
		r->p->cr_one_task_per_core = true;
		break;
	case SWITCH_DIST_BLOCK:
		r->p->cr_default_dist_block = true;
		break;
	case SWITCH_LLN:
		r->p->cr_lln = true;
		break;
	case SWITCH_PACK:
		r->p->cr_pack_nodes = true;
		break;
	case SWITCH_ENFORCE_BINDING:
		r->p->enforce_binding_gres = true;
		break;
	case SWITCH_LL_SHARED:
		r->p->ll_shared_gres = true;
		break;
	case SWITCH_MULTIPLE_SHARING:
		r->p->multiple_sharing_gres = true;
		break;
	case SWITCH_ONE_TASK_SHARING:
		r->p->one_task_per_sharing_gres = true;
		break;
	default:
		break;
	}
}

void conf_set_select_parameters(struct conf_reader *r, const struct conf_pair *p)
{
	const struct conf_word *base = NULL;
	char **list = conf_list(p->value, false);

	for (char **s = list; *s; s++) {
		const struct conf_word *w = conf_word_find(select_words, *s);

		if (!w)
			conf_bad_word(r, p, select_words, *s);
		else if (w->value >= SWITCH_ONE_TASK)
			set_select_switch(r, w);
		else if (base)
			conf_error(r, p, "keep one of them", "SelectTypeParameters has both %s and %s", base->name,
			           w->name);
		else
			base = w;
	}
	g_strfreev(list);
	if (!base)
		return;
	bool cpu = (base->value & ~BASE_MEMORY) == CR_CPU;
	if (r->p->select_type == SELECT_LINEAR && base->value != (CR_NONE | BASE_MEMORY))
		conf_error(r, p, "use CR_Memory, or SelectType=select/cons_tres", "%s does not go with select/linear",
		           base->name);
	if (cpu && r->p->cr_one_task_per_core)
		conf_error(r, p, "use CR_Core or CR_Core_Memory", "CR_ONE_TASK_PER_CORE does not go with %s",
		           base->name);
	r->p->cr_unit = (enum cr_unit)(base->value & ~BASE_MEMORY);
	r->p->cr_memory = (base->value & BASE_MEMORY) != 0;
}

void conf_set_gres_types(struct conf_reader *r, const struct conf_pair *p)
{
	g_strfreev(r->gres_types);
	r->gres_types = conf_list(p->value, false);
}

static bool tres_name_ok(const struct conf_reader *r, const char *name)
{
	static const char *const kinds[] = {"gres/", "license/", "bb/", "fs/", "ic/"};

	if (tres_find(r->c->tres, name) >= 0)
		return true;
	for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (g_ascii_strncasecmp(name, kinds[i], strlen(kinds[i])) == 0 && name[strlen(kinds[i])])
			return true;
	return false;
}

static void add_tres(struct conf_reader *r, const struct conf_pair *p, const char *name)
{
	char *shown = conflex_show(name);

	if (!tres_name_ok(r, name))
		diag_error(r->d, p->file, p->value_line, p->value_column, "names look like gres/gpu or license/matlab",
		           "unknown TRES %s", shown);
	else if (tres_add(r->c->tres, name) < 0)
		conf_error(r, p, NULL, "more than %d kinds of TRES", TRES_MAX);
	g_free(shown);
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return g_ascii_strcasecmp(*(char *const *)a, *(char *const *)b);
}

/*
 * Section 10: ids in the order of definition, GRES first. Later releases add GPU memory and use, and number the GRES by
 * name (recorded: gres/gpu:h100,gres/gpu:a100 is a100 before h100 there).
 */
void conf_set_accounting_tres(struct conf_reader *r, const struct conf_pair *p)
{
	char **list = conf_list(p->value, false);
	bool newer = r->p->version >= SLURM_26;
	GPtrArray *gres = g_ptr_array_new(), *rest = g_ptr_array_new();

	for (char **s = list; *s; s++) {
		g_ptr_array_add(g_ascii_strncasecmp(*s, "gres/", 5) == 0 ? gres : rest, *s);
		if (newer && g_ascii_strcasecmp(*s, "gres/gpu") == 0) {
			g_ptr_array_add(gres, (gpointer) "gres/gpumem");
			g_ptr_array_add(gres, (gpointer) "gres/gpuutil");
		}
	}
	if (newer)
		g_ptr_array_sort(gres, by_name);
	for (guint i = 0; i < gres->len; i++)
		add_tres(r, p, gres->pdata[i]);
	for (guint i = 0; i < rest->len; i++)
		add_tres(r, p, rest->pdata[i]);
	g_ptr_array_unref(gres);
	g_ptr_array_unref(rest);
	g_strfreev(list);
}

static bool memory_value(struct conf_reader *r, const struct conf_pair *p, uint64_t *out)
{
	guint64 v;

	if (!conf_number(r, p, UINT64_C(1) << 50, &v))
		return false;
	*out = v == CONF_UNLIMITED ? 0 : v;
	return true;
}

static bool is_per_cpu(const struct conf_pair *p)
{
	gsize n = strlen(p->key);

	return n > 3 && g_ascii_strcasecmp(p->key + n - 3, "cpu") == 0;
}

static void set_memory(struct conf_reader *r, const struct conf_pair *p, uint64_t *value, bool *per_cpu)
{
	uint64_t before = *value, v;

	if (!memory_value(r, p, &v))
		return;
	if (!is_per_cpu(p) && before > 0 && *per_cpu)
		conf_warn(r, p, "remove one of them", "%s is used, the value per CPU is ignored", p->key);
	*value = v;
	*per_cpu = is_per_cpu(p);
}

void conf_set_def_mem(struct conf_reader *r, const struct conf_pair *p)
{
	set_memory(r, p, &r->p->def_mem, &r->p->def_mem_per_cpu);
}

void conf_set_max_mem(struct conf_reader *r, const struct conf_pair *p)
{
	set_memory(r, p, &r->p->max_mem, &r->p->max_mem_per_cpu);
}

void conf_set_def_mem_per_gpu(struct conf_reader *r, const struct conf_pair *p)
{
	memory_value(r, p, &r->p->def_mem_per_gpu);
}

static bool license_known(const struct cluster *c, const char *name)
{
	for (guint i = 0; i < c->licenses->len; i++)
		if (g_str_equal(((const struct license *)g_ptr_array_index(c->licenses, i))->name, name))
			return true;
	return false;
}

void conf_set_licenses(struct conf_reader *r, const struct conf_pair *p)
{
	char **list = g_strsplit_set(p->value, ",;", -1);

	for (char **s = list; *s; s++) {
		char *count_text = strpbrk(g_strstrip(*s), ":=*");
		guint64 count = 1;

		if (!**s)
			continue;
		if (count_text) {
			*count_text++ = '\0';
			if (!g_ascii_string_to_unsigned(count_text, 10, 0, G_MAXUINT32 - 2, &count, NULL)) {
				conf_error(r, p, "write name:count", "bad count of license %s", *s);
				continue;
			}
		}
		if (!**s || license_known(r->c, *s)) {
			conf_error(r, p, "name each license once, name:count",
			           "license \"%s\" is named twice or has no name", *s);
			continue;
		}
		struct license *l = g_new0(struct license, 1);
		l->name = g_strdup(*s);
		l->total = (uint32_t)count;
		g_ptr_array_add(r->c->licenses, l);
	}
	g_strfreev(list);
}

void conf_set_enforce_part_limits(struct conf_reader *r, const struct conf_pair *p)
{
	static const struct conf_word words[] = {
	    {"NO", ENFORCE_PART_NO},
	    {"ANY", ENFORCE_PART_ANY},
	    {"ALL", ENFORCE_PART_ALL},
	    {"YES", ENFORCE_PART_ANY},
	    {"up", ENFORCE_PART_ANY},
	    {"true", ENFORCE_PART_ANY},
	    {"1", ENFORCE_PART_ANY},
	    {"down", ENFORCE_PART_NO},
	    {"false", ENFORCE_PART_NO},
	    {"0", ENFORCE_PART_NO},
	    {NULL, 0},
	};
	const struct conf_word *w = conf_word_find(words, p->value);

	if (w)
		r->p->enforce_part_limits = (enum enforce_part_limits)w->value;
	else
		conf_bad_word(r, p, words, p->value);
}

void conf_set_dependency_parameters(struct conf_reader *r, const struct conf_pair *p)
{
	char **list = conf_list(p->value, false);

	for (char **s = list; *s; s++) {
		guint64 depth;

		if (g_ascii_strcasecmp(*s, "kill_invalid_depend") == 0)
			r->p->kill_invalid_depend = true;
		else if (g_ascii_strncasecmp(*s, "max_depend_depth=", 17) == 0) {
			if (g_ascii_string_to_unsigned(*s + 17, 10, 0, G_MAXINT32, &depth, NULL))
				r->p->max_depend_depth = (int)depth;
			else
				conf_warn(r, p, NULL, "bad max_depend_depth: the default is used");
		} else if (g_ascii_strcasecmp(*s, "disable_remote_singleton") != 0)
			conf_warn(r, p,
			          "kill_invalid_depend, max_depend_depth=N and disable_remote_singleton are known",
			          "unknown token %s in DependencyParameters has no effect", *s);
	}
	g_strfreev(list);
}

void conf_set_job_submit_plugins(struct conf_reader *r, const struct conf_pair *p)
{
	char **list = conf_list(p->value, true);

	for (char **s = list; *s; s++) {
		const char *name = g_str_has_prefix(*s, "job_submit/") ? *s + 11 : *s;

		if (g_str_equal(name, "all_partitions"))
			r->p->all_partitions_plugin = true;
		else if (g_str_equal(name, "require_timelimit"))
			r->p->require_timelimit_plugin = true;
		else if (!g_str_equal(name, "none"))
			conf_warn(r, p, "give the jobs as they are after the plugin",
			          "job submit plugin %s cannot be modelled", name);
	}
	g_strfreev(list);
}

void conf_set_auth_info(struct conf_reader *r, const struct conf_pair *p)
{
	char **list = conf_list(p->value, false);
	guint64 seconds;

	for (char **s = list; *s; s++)
		if (g_str_has_prefix(*s, "cred_expire=") &&
		    g_ascii_string_to_unsigned(*s + 12, 10, 1, G_MAXINT32, &seconds, NULL))
			r->p->requeue_delay = (int)seconds;
	g_strfreev(list);
}

void conf_set_disable_root_jobs(struct conf_reader *r, const struct conf_pair *p)
{
	conf_bool(r, p, &r->disable_root);
}

/* NAME=N of SlurmctldParameters in TEXT: *OUT. */
static void ctld_number(struct conf_reader *r, const struct conf_pair *p, const char *text, guint64 min, guint64 max, guint64 *out)
{
	const char *equals = strchr(text, '=');

	if (!equals || !g_ascii_string_to_unsigned(equals + 1, 10, min, max, out, NULL)) {
		char *hint = g_strdup_printf("write %.*s=N, a whole number from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
		                             (int)strcspn(text, "="), text, min, max);
		conf_error(r, p, hint, "bad SlurmctldParameters %s", text);
		g_free(hint);
	}
}

void conf_set_slurmctld_parameters(struct conf_reader *r, const struct conf_pair *p)
{
	static const char *const later[] = {"node_reg_mem_percent", "user_resv_delete", "preempt_send_user_signal", NULL};
	char **list = conf_list(p->value, true);

	for (char **s = list; *s; s++) {
		char *name = g_strndup(*s, strcspn(*s, "="));
		guint64 interval = (guint64)r->p->power_save_interval, least = (guint64)r->p->power_save_min_interval,
		        nodes = r->p->max_powered_nodes;

		if (g_str_equal(name, "power_save_interval"))
			ctld_number(r, p, *s, 0, 86400, &interval);
		else if (g_str_equal(name, "power_save_min_interval"))
			ctld_number(r, p, *s, 0, 86400, &least);
		else if (g_str_equal(name, "max_powered_nodes") && r->p->version == SLURM_22_05)
			conf_warn(r, p, "it came with 23.11", "SlurmctldParameters max_powered_nodes is unknown to 22.05 and has no effect");
		else if (g_str_equal(name, "max_powered_nodes"))
			ctld_number(r, p, *s, 1, INFINITE - 1, &nodes);
		else if (g_str_equal(name, "enable_expedited_requeue") && r->p->version == SLURM_22_05)
			conf_warn(r, p, "it came with 25.11", "SlurmctldParameters enable_expedited_requeue is unknown to 22.05 and has no effect");
		else if (g_str_equal(name, "enable_expedited_requeue"))
			r->p->expedited_requeue = true;
		else if (g_str_equal(name, "idle_on_node_suspend"))
			r->p->idle_on_node_suspend = true;
		else if (g_strv_contains(later, name))
			conf_warn(r, p, NULL, "SlurmctldParameters %s is not modelled in this version and has no effect", name);
		r->p->power_save_interval = (int)interval;
		r->p->power_save_min_interval = (int)least;
		r->p->max_powered_nodes = (uint32_t)nodes;
		g_free(name);
	}
	g_strfreev(list);
}

void conf_set_fast_schedule(struct conf_reader *r, const struct conf_pair *p)
{
	if (g_str_equal(p->value, "1"))
		conf_warn(r, p, NULL, "FastSchedule is obsolete and has no effect; Slurm logs that it is ignored");
	else
		conf_error(r, p, g_str_equal(p->value, "2") ? "use SlurmdParameters=config_overrides" : "remove it",
		           "FastSchedule=%s has been removed from Slurm", p->value);
}
