/* execute_cluster.c - carrying out what is told to partitions, nodes, reservations and the controller; see commands.h */
#include "sched/reservation.h"
#include "sched/update.h"
#include "sim/run.h"
#include <string.h>


static bool act_on_partition(struct sim *s, const struct command *cmd, GError **error)
{
	struct setting *set = command_settings(cmd);
	guint n = cmd->pairs->len;
	bool ok = cmd->verb == COMMAND_CREATE_PARTITION   ? controller_create_partition(s->c, cmd->name, set, n, s->now, error)
	          : cmd->verb == COMMAND_DELETE_PARTITION ? controller_delete_partition(s->c, cmd->name, s->now, error)
	                                                  : controller_set_partition(s->c, cmd->name, set, n, s->now, error);
	g_free(set);
	return ok;
}

static bool act_on_reservation(struct sim *s, const struct command *cmd, GError **error)
{
	struct resv_setting *set = g_new0(struct resv_setting, cmd->pairs->len + 1);
	for (guint i = 0; i < cmd->pairs->len; i++) {
		const struct command_pair *p = cmd->pairs->pdata[i];
		set[i] = (struct resv_setting){p->key, p->value ? p->value : ""}; /* "skip" has none */
	}
	bool ok;
	char *name = cmd->name && *cmd->name ? g_strdup(cmd->name) : NULL;
	if (cmd->verb == COMMAND_CREATE_RESERVATION)
		ok = controller_create_reservation(s->c, set, cmd->pairs->len, s->now, &name, error);
	else if (cmd->verb == COMMAND_UPDATE_RESERVATION)
		ok = controller_update_reservation(s->c, cmd->name, set, cmd->pairs->len, s->now, error);
	else
		ok = controller_delete_reservation(s->c, cmd->name, s->now, error);
	g_autofree char *answer = ok && cmd->verb == COMMAND_CREATE_RESERVATION ? g_strdup_printf("Reservation created: %s", name) : NULL;
	if (ok && s->hooks.answer && cmd->verb != COMMAND_DELETE_RESERVATION)
		s->hooks.answer(s->hooks.data, answer ? answer : "Reservation updated.");
	g_free(name);
	g_free(set);
	return ok;
}

static bool change_accounts(struct sim *s, const struct command *cmd, GError **error)
{
	if (!s->accounting || !s->cluster->acct) {
		g_set_error(error, COMMAND_ERROR, 0, "there is no accounting");
		return false;
	}
	if (!s->accounting(s->cluster->acct, cmd->text, sim_is_operator(s, cmd->user) ? NULL : cmd->user, error))
		return false;
	controller_accounting_changed(s->c, s->now);
	return true;
}

/* ---- nodes ---- */

/*
 * C52, recorded (drain-down): a node resumed is idle at once, but may be used only when it has answered the
 * controller's question, which the loop asks at its next turn. It answers within 2 to 6 ms (partition-updates, too).
 */
#define NODE_ANSWERS_AFTER 4000

/* Where the record tells its passes, the next one of the loop is its turn (or later, if another asked for it: that is no matter). */
static usec_t next_turn(const struct sim *s)
{
	for (guint i = s->next_pin; s->o.clock == CLOCK_PINNED && s->o.pins && i < s->o.pins->len; i++) {
		const struct pin *p = &g_array_index(s->o.pins, struct pin, i);
		if (p->t > s->now && (p->kind == PIN_MAIN_QUICK || p->kind == PIN_MAIN_FULL))
			return p->t;
	}
	return controller_turn_after(s->c, s->now);
}

static void ask(struct sim *s, const struct bitset *asked)
{
	int64_t i;
	for (BITSET_EACH(i, asked)) {
		usec_t at = next_turn(s) + NODE_ANSWERS_AFTER;
		controller_update_node(s->c, s->cluster->node[i]->name, "noresp", NULL, s->now, NULL);
		sim_push(s, (struct event){.t = at, .kind = EVENT_NODE, .arg = (uint32_t)i, .generation = NODE_ANSWERS});
	}
}

/* ResumeAfter= seconds: it is resumed then, unless it is well again by itself. */
static void resume_later(struct sim *s, const struct command *cmd)
{
	const char *after = command_value(cmd, "resumeafter");
	int64_t seconds = after ? g_ascii_strtoll(after, NULL, 10) : 0;
	if (seconds <= 0)
		return;
	char *text = g_strdup_printf("scontrol update node=%s state=resume", cmd->name);
	sim_add_command(s, s->now + seconds * USEC, text, NULL, NULL);
	g_free(text);
}

static bool update_node(struct sim *s, const struct command *cmd, GError **error)
{
	if (cmd->verb == COMMAND_POWER && s->cluster->params->version == SLURM_22_05) {
		g_set_error(error, COMMAND_ERROR, 0, "invalid keyword: power");
		return false;
	}
	struct setting *set = command_settings(cmd);
	struct bitset *asked;
	bool ok = controller_set_node(s->c, cmd->name, set, cmd->pairs->len, s->now, &asked, error);
	if (asked && s->o.clock != CLOCK_IDEAL)
		ask(s, asked);
	bitset_free(asked);
	if (ok)
		resume_later(s, cmd);
	g_free(set);
	return ok;
}

static bool reboot(struct sim *s, const struct command *cmd, GError **error)
{
	char *all = NULL;
	if (g_ascii_strcasecmp(cmd->name, "ALL") == 0) {
		struct bitset *nodes = bitset_new(s->cluster->n_nodes);
		bitset_set_all(nodes);
		all = cluster_format_nodes(s->cluster, nodes);
		bitset_free(nodes);
	}
	const char *nodes = all ? all : cmd->name;
	bool ok = cmd->verb == COMMAND_REBOOT
	              ? controller_reboot(s->c, nodes, command_value(cmd, "asap"), command_value(cmd, "nextstate"),
	                                  command_value(cmd, "reason"), s->now, error)
	              : controller_cancel_reboot(s->c, nodes, s->now, error);
	g_free(all);
	return ok;
}

/* ---- all ---- */

static bool act(struct sim *s, const struct command *cmd, GError **error)
{
	switch (cmd->verb) {
	case COMMAND_ACCOUNTING:
		return change_accounts(s, cmd, error);
	case COMMAND_UPDATE_PARTITION:
	case COMMAND_CREATE_PARTITION:
	case COMMAND_DELETE_PARTITION:
		return act_on_partition(s, cmd, error);
	case COMMAND_UPDATE_NODE:
	case COMMAND_POWER:
		return update_node(s, cmd, error);
	case COMMAND_REBOOT:
	case COMMAND_CANCEL_REBOOT:
		return reboot(s, cmd, error);
	case COMMAND_RECONFIGURE:
	case COMMAND_RESTART:
		return sim_reconfigure(s, cmd->name, cmd->verb == COMMAND_RESTART, error);
	case COMMAND_DAMPING:
		s->cluster->params->fairshare_damping = (uint32_t)g_ascii_strtoull(cmd->name, NULL, 10);
		return true;
	default:
		return act_on_reservation(s, cmd, error);
	}
}

/* The word after "scontrol delete", as typed. g_free. */
static char *deleted_word(const struct command *cmd)
{
	char **words = NULL, *word = NULL;
	if (g_shell_parse_argv(cmd->text, NULL, &words, NULL) && g_strv_length(words) > 2)
		word = g_strdup(words[2]);
	g_strfreev(words);
	return word ? word : g_strdup("");
}

/* A release that does not know the key; slurmctld's words; scontrol's own. */
static char *update_error(const char *why)
{
	if (g_str_has_prefix(why, "scontrol: error: "))
		return g_strdup_printf("%s\nslurm_update error: No error", why);
	if (strstr(why, "Request ") || g_str_has_prefix(why, "invalid keyword"))
		return g_strdup(why);
	return g_strdup_printf("slurm_update error: %s", g_str_has_prefix(why, "unknown node") ? "Invalid node name specified" : why);
}

#define OF_DELETION "delete_reservation reservation: "

/* What scontrol prints of WHY, which slurmctld answers. g_free. */
static char *as_told(const struct command *cmd, const char *why)
{
	char *word = deleted_word(cmd), *text;
	switch (cmd->verb) {
	case COMMAND_CREATE_PARTITION:
		text = g_strdup_printf("Error creating the partition: %s", why);
		break;
	case COMMAND_DELETE_PARTITION:
		text = g_strdup_printf("delete_partition %s: %s", word, why);
		break;
	case COMMAND_UPDATE_PARTITION:
	case COMMAND_UPDATE_NODE:
	case COMMAND_POWER:
	case COMMAND_CANCEL_REBOOT:
		text = update_error(why);
		break;
	case COMMAND_REBOOT:
		text = strstr(why, "RebootProgram") ? g_strdup_printf("scontrol: error: %s\nscontrol_reboot_nodes error: Unspecified error", why)
		                                    : g_strdup_printf("scontrol_reboot_nodes error: %s", why);
		break;
	case COMMAND_CREATE_RESERVATION:
		text = strcmp(why, "Invalid user id") ? g_strdup(why) : g_strdup_printf("Error creating the reservation: %s", why);
		break;
	case COMMAND_DELETE_RESERVATION:
		text = g_str_has_prefix(why, OF_DELETION) ? g_strdup_printf("delete_reservation %s: %s", word, why + strlen(OF_DELETION))
		       : strcmp(why, "Invalid user id")   ? g_strdup(why)
		                                          : g_strdup_printf("delete_reservation %s: %s", word, why);
		break;
	case COMMAND_RECONFIGURE:
		text = strcmp(why, "Invalid user id") ? g_strdup(why) : g_strdup_printf("slurm_reconfigure error: %s", why);
		break;
	default:
		text = g_strdup(why);
	}
	g_free(word);
	return text;
}

/* USER_DELETE (C63): who may use it may delete it. */
static bool may_delete(const struct sim *s, const struct command *cmd)
{
	return cmd->verb == COMMAND_DELETE_RESERVATION && controller_user_may_delete(s->c, cmd->name, cmd->user);
}

void sim_act_on_cluster(struct sim *s, const struct command *cmd)
{
	GError *error = NULL;
	bool asks_itself = cmd->verb == COMMAND_ACCOUNTING; /* coordinators may do some of it */
	bool ok = sim_is_operator(s, cmd->user) || asks_itself || may_delete(s, cmd) || (cmd->verb == COMMAND_REBOOT && !s->cluster->params->reboot_program);
	if (!ok)
		g_set_error(&error, COMMAND_ERROR, 0, "Invalid user id");
	else
		ok = act(s, cmd, &error);
	if (!ok) {
		char *text = as_told(cmd, error ? error->message : "failed");
		record_command(s, cmd, text);
		g_free(text);
	}
	g_clear_error(&error);
}

bool sim_execute_now(struct sim *s, const char *command, usec_t at, GError **error)
{
	struct command *cmd = command_parse(command, NULL, error);
	bool good = cmd != NULL;

	if (!good)
		return false;
	sim_make_controller(s);
	s->now = MAX(s->now, at);
	if (cmd->verb == COMMAND_UPDATE_PARTITION)
		good = act_on_partition(s, cmd, error);
	else if (cmd->verb == COMMAND_CREATE_RESERVATION)
		good = act_on_reservation(s, cmd, error);
	command_free(cmd);
	return good;
}
