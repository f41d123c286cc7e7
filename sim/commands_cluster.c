/* commands_cluster.c - reading what scontrol is told about partitions, nodes and the controller; see commands.h. Refused in scontrol's words. */
#include "sim/command_read.h"
#include "sim/scontrol_rest.h"
#include <string.h>

G_GNUC_PRINTF(3, 4)
static bool refuse(const struct command *c, GError **error, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *why = g_strdup_vprintf(format, args);
	va_end(args);
	command_bad(error, c->text, why);
	g_free(why);
	return false;
}

static bool is_word(const char *word, const char *what)
{
	return g_ascii_strcasecmp(word, what) == 0;
}

/* "part", "partition", "PartitionName=x" */
static bool is_entity(const char *word, const char *whole)
{
	gsize len = strcspn(word, "=");
	return len >= 4 && g_ascii_strncasecmp(whole, word, len) == 0;
}

struct setting *command_settings(const struct command *c)
{
	struct setting *set = g_new0(struct setting, c->pairs->len + 1);
	for (guint i = 0; i < c->pairs->len; i++) {
		const struct command_pair *p = c->pairs->pdata[i];
		set[i] = (struct setting){p->word ? p->word : p->key, p->value};
	}
	return set;
}

static bool check(struct command *c, GError **error)
{
	struct setting *set = command_settings(c);
	GError *why = NULL;
	bool ok = c->verb == COMMAND_UPDATE_NODE || c->verb == COMMAND_POWER
	              ? node_settings_check(set, c->pairs->len, 0, &why)
	              : part_settings_check(set, c->pairs->len, c->verb == COMMAND_CREATE_PARTITION, 0, &why);
	g_free(set);
	if (!ok)
		command_bad(error, c->text, why->message);
	g_clear_error(&why);
	return ok;
}

bool command_read_settings(struct command *c, GError **error)
{
	bool node = c->verb == COMMAND_UPDATE_NODE;
	if (!*c->name)
		return refuse(c, error, "slurm_update error: Invalid %s name specified", node ? "node" : "partition");
	return check(c, error);
}

/* ---- create and delete partition ---- */

static bool read_create(struct command *c, char **words, GError **error)
{
	c->verb = COMMAND_CREATE_PARTITION;
	for (; *words; words++) {
		const char *eq = strchr(*words, '=');
		if (!is_entity(*words, "partitionname") || !eq || c->name) {
			g_ptr_array_add(c->pairs, command_pair_new(*words));
			continue;
		}
		c->name = g_strdup(eq + 1);
		if (is_word(c->name, "DEFAULT"))
			return refuse(c, error, "scontrol: error: PartitionName cannot be \"DEFAULT\".");
		if (!*c->name)
			return refuse(c, error, "names no partition");
	}
	return check(c, error) && (c->name || refuse(c, error, "names no partition"));
}

static bool read_delete(struct command *c, char **words, GError **error)
{
	const char *eq = strchr(words[0], '=');
	c->verb = COMMAND_DELETE_PARTITION;
	if (eq ? words[1] != NULL : words[1] && words[2])
		return refuse(c, error, "Invalid deletion entity: %s", words[0]);
	if (!eq && !words[1])
		return refuse(c, error, "scontrol: error: Proper format is 'delete <ENTITY>=<ID>' or 'delete <ENTITY> <ID>'");
	c->name = g_strdup(eq ? eq + 1 : words[1]);
	return true;
}

static bool names_reservation(char **words)
{
	for (; *words; words++) {
		gsize len = strcspn(*words, "=");
		bool whole = (len == 11 || len == 15) && g_ascii_strncasecmp("reservationname", *words, len) == 0;
		if (whole || ((*words)[len] == '\0' && len > 0 && g_ascii_strncasecmp("reservation", *words, len) == 0))
			return true;
	}
	return false;
}

/* KNOWN: not a reservation. */
static bool read_create_or_delete(struct command *c, char **words, bool *known, GError **error)
{
	bool create = is_word(words[0], "create"), partition = false;
	char **rest = words + 1;
	if (!*rest)
		return refuse(c, error, "too few arguments for %s keyword", words[0]);
	for (char **w = rest; *w; w++)
		partition |= is_entity(*w, "partitionname") && (create || w == rest);
	if (names_reservation(rest)) {
		*known = false;
		return true;
	}
	if (partition)
		return create ? read_create(c, rest, error) : read_delete(c, rest, error);
	if (is_entity(*rest, "nodename"))
		return refuse(c, error, "nodes come and go with another slurm.conf: scontrol reconfigure FILE, restart FILE");
	return create ? refuse(c, error, "scontrol: error: Invalid creation entity: %s", *rest) : refuse(c, error, "Invalid deletion entity: %s", *rest);
}

/* ---- nodes ---- */

static bool is_list_of_nodes(const char *word)
{
	return !strchr(word, '=') && !is_word(word, "asap") && !is_word(word, "force");
}

/* ASAP, nextstate=, reason=; *TAKEN: it was one of them. */
static bool reboot_option(struct command *c, const char *word, bool *taken, GError **error)
{
	struct command_pair *p = command_pair_new(word);
	bool next = p->value && strcmp(p->key, "nextstate") == 0, asap = !p->value && strcmp(p->key, "asap") == 0, ok = true;
	*taken = next || asap || (p->value && strcmp(p->key, "reason") == 0);
	if (asap)
		p->value = g_strdup("");
	if (next && !is_word(p->value, "resume") && !is_word(p->value, "down"))
		ok = refuse(c, error, "Invalid state: %s\nValid states: DOWN, RESUME", p->value);
	g_ptr_array_add(c->pairs, p);
	return ok;
}

/* Words in any order. */
static bool read_reboot(struct command *c, char **words, GError **error)
{
	c->verb = COMMAND_REBOOT;
	for (words++; *words; words++) {
		bool option;
		if (!reboot_option(c, *words, &option, error))
			return false;
		if (!option && (c->name || !is_list_of_nodes(*words)))
			return refuse(c, error, "write scontrol reboot [ASAP] [nextstate=RESUME|DOWN] [reason=TEXT] NODES");
		if (!option)
			c->name = g_strdup(*words);
	}
	return c->name || refuse(c, error, "Missing node list. Specify ALL|<NodeList>");
}

static bool read_cancel_reboot(struct command *c, char **words, GError **error)
{
	c->verb = COMMAND_CANCEL_REBOOT;
	if (!words[1])
		return refuse(c, error, "missing argument for keyword:cancel_reboot");
	c->name = g_strdup(words[1]);
	return !words[2] || refuse(c, error, "write scontrol cancel_reboot NODES");
}

static void add_pair(struct command *c, const char *key, const char *value)
{
	char *word = g_strdup_printf("%s=%s", key, value);
	g_ptr_array_add(c->pairs, command_pair_new(word));
	g_free(word);
}

/* power up|down [ASAP|FORCE] NODES [reason=TEXT], of 24.11 and later: what update node= calls power_up and so on. */
static bool read_power(struct command *c, char **words, GError **error)
{
	static const char usage[] = "write scontrol power up|down [ASAP|FORCE] NODES [reason=TEXT]";
	const char *how = "";
	bool down = words[1] && is_word(words[1], "down");
	c->verb = COMMAND_POWER;
	if (!words[1] || (!down && !is_word(words[1], "up")))
		return refuse(c, error, "%s", usage);
	for (words += 2; *words; words++) {
		if (down && is_word(*words, "asap"))
			how = "_asap";
		else if (down && is_word(*words, "force"))
			how = "_force";
		else if (g_ascii_strncasecmp(*words, "reason=", 7) == 0)
			add_pair(c, "reason", *words + 7);
		else if (c->name || !is_list_of_nodes(*words))
			return refuse(c, error, "%s", usage);
		else
			c->name = g_strdup(*words);
	}
	char *state = g_strconcat(down ? "power_down" : "power_up", how, NULL);
	add_pair(c, "state", state);
	g_free(state);
	return (c->name || refuse(c, error, "%s", usage)) && check(c, error);
}

/* ---- the controller ---- */

static bool read_reconfigure(struct command *c, char **words, GError **error)
{
	c->verb = COMMAND_RECONFIGURE;
	c->name = g_strdup(words[1]);
	return !words[1] || !words[2] || refuse(c, error, "write scontrol reconfigure, or name the changed file: scontrol reconfigure new-slurm.conf");
}

static bool read_damping(struct command *c, char **words, GError **error)
{
	guint64 n;
	c->verb = COMMAND_DAMPING;
	if (!words[1])
		return refuse(c, error, "too few arguments for keyword:fsdampeningfactor");
	if (!g_ascii_string_to_unsigned(words[1], 10, 1, UINT32_MAX, &n, NULL))
		return refuse(c, error, "invalid dampening factor: %s", words[1]);
	c->name = g_strdup(words[1]);
	return true;
}

static bool read_shutdown(struct command *c, char **words, GError **error)
{
	bool stop = is_word(words[0], "shutdown");
	if (stop && words[1] && words[2])
		return refuse(c, error, "too many arguments for keyword:shutdown");
	if (stop && words[1] && !is_word(words[1], "slurmctld") && !is_word(words[1], "controller"))
		return refuse(c, error, "invalid shutdown argument:%s", words[1]);
	if (c->user)
		return refuse(c, error, "slurm_shutdown error: Invalid user id");
	return refuse(c, error, "write how long slurmctld is away: outage SECONDS; and restart FILE for one that starts with another slurm.conf");
}

static bool read_rest(struct command *c, char **words, bool *known, GError **error)
{
	GString *text = g_string_new(NULL);
	int status = 0;
	bool ok = true;
	*known = scontrol_rest(NULL, c->user, words, text, &status);
	if (*known && status)
		ok = refuse(c, error, "%s", text->str);
	g_string_free(text, TRUE);
	return ok;
}

bool command_read_cluster(struct command *c, char **words, bool *known, GError **error)
{
	static const struct {
		const char *verb;
		bool (*read)(struct command *c, char **words, GError **error);
	} verbs[] = {{"reboot", read_reboot},           {"reboot_nodes", read_reboot},  {"cancel_reboot", read_cancel_reboot},
	             {"power", read_power},             {"reconfigure", read_reconfigure}, {"fsdampeningfactor", read_damping},
	             {"shutdown", read_shutdown},       {"abort", read_shutdown}};
	*known = true;
	if (is_word(words[0], "create") || is_word(words[0], "delete"))
		return read_create_or_delete(c, words, known, error);
	for (guint i = 0; i < G_N_ELEMENTS(verbs); i++)
		if (is_word(words[0], verbs[i].verb))
			return verbs[i].read(c, words, error);
	return read_rest(c, words, known, error);
}
