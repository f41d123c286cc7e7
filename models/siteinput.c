/* siteinput.c - see siteinput.h. */
#include "models/siteinput.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- kinds ---- */

/* The first line of TEXT that is neither blank nor a comment; not terminated. Its length goes to *N. */
static const char *first_line(const char *text, gsize *n)
{
	for (;;) {
		*n = strcspn(text, "\r\n");
		const char *p = text;

		while (p < text + *n && g_ascii_isspace(*p))
			p++;
		bool blank = p == text + *n || *p == '#';
		if (!blank || !text[*n])
			return text;
		text += *n + 1;
	}
}

static bool line_has(const char *line, gsize n, const char *word)
{
	return g_strstr_len(line, (gssize)n, word) != NULL;
}

static bool begins(const char *line, const char *word)
{
	while (*line == ' ' || *line == '\t')
		line++;
	return g_ascii_strncasecmp(line, word, strlen(word)) == 0;
}

static bool is_json(const char *text)
{
	while (g_ascii_isspace(*text))
		text++;
	return *text == '{' || *text == '[';
}

/* scontrol's records have keys that slurm.conf does not know. */
static bool shows_node(const char *text)
{
	return strstr(text, "CPUAlloc=") || strstr(text, "CPUTot=");
}

static bool shows_partition(const char *text)
{
	return strstr(text, "TotalNodes=") || strstr(text, "TotalCPUs=");
}

enum site_kind site_conf_kind(const char *text)
{
	gsize n;
	const char *line = first_line(text, &n);

	if (is_json(text))
		return strstr(text, "\"sinfo\"") ? SITE_SINFO_JSON : SITE_NODE_JSON;
	if (begins(line, "Configuration data as of"))
		return SITE_SHOW_CONFIG;
	if (begins(line, "PartitionName=") && shows_partition(text))
		return SITE_SHOW_PARTITION;
	if (begins(line, "NodeName=") && shows_node(text))
		return SITE_SHOW_NODE;
	if (line_has(line, n, "|") && !line_has(line, n, "="))
		return SITE_SINFO;
	return SITE_CONF;
}

enum site_kind site_acct_kind(const char *text)
{
	gsize n;
	const char *line = first_line(text, &n);

	if (is_json(text))
		return SITE_QOS_JSON;
	if (!line_has(line, n, "|"))
		return SITE_ACCOUNTING;
	if (line_has(line, n, "RawUsage"))
		return SITE_SSHARE;
	if (begins(line, "Type|Name|ID"))
		return SITE_TRES;
	if (begins(line, "User|Def Acct"))
		return SITE_USER;
	if (line_has(line, n, "Cluster|") || line_has(line, n, "Account|"))
		return SITE_ASSOC;
	if (line_has(line, n, "Name|"))
		return SITE_QOS;
	return SITE_ACCOUNTING;
}

/* ---- files ---- */

static bool looks_like_conf(const char *name)
{
	static const char *const parts[] = {"config", "partition", "node"};
	char *lower = g_ascii_strdown(name, -1);
	bool found = strstr(lower, "sinfo") != NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(parts) && !found; i++) {
		char *dash = g_strconcat("show-", parts[i], NULL), *under = g_strconcat("show_", parts[i], NULL);

		found = strstr(lower, dash) || strstr(lower, under);
		g_free(dash);
		g_free(under);
	}
	found = found && !strstr(lower, "sacctmgr");
	g_free(lower);
	return found;
}

static bool looks_like_acct(const char *name)
{
	char *lower = g_ascii_strdown(name, -1);
	bool sacctmgr = strstr(lower, "sacctmgr") != NULL;
	bool kind = strstr(lower, "dump") || strstr(lower, "assoc") || strstr(lower, "qos") || strstr(lower, "tres") ||
	            strstr(lower, "show-user") || strstr(lower, "show_user") || g_str_has_suffix(lower, ".sacctmgr");
	bool found = (sacctmgr && kind) || strstr(lower, "sshare");

	g_free(lower);
	return found;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char **folder(const char *path, bool (*looks)(const char *name), const char *alone)
{
	GPtrArray *files = g_ptr_array_new();
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *name;
	char *one = alone ? g_build_filename(path, alone, NULL) : NULL;

	if (one && g_file_test(one, G_FILE_TEST_IS_REGULAR))
		g_ptr_array_add(files, g_strdup(one));
	bool only = files->len > 0;
	while (dir && !only && (name = g_dir_read_name(dir)))
		if (looks(name) && !g_str_has_suffix(name, "~"))
			g_ptr_array_add(files, g_build_filename(path, name, NULL));
	if (dir)
		g_dir_close(dir);
	g_free(one);
	if (files->len)
		qsort(files->pdata, files->len, sizeof(void *), by_name);
	g_ptr_array_add(files, NULL);
	return (char **)g_ptr_array_free(files, FALSE);
}

static char **site_files(const char *path, bool (*looks)(const char *name), const char *alone)
{
	if (g_file_test(path, G_FILE_TEST_IS_DIR))
		return folder(path, looks, alone);
	if (!strchr(path, ',') || g_file_test(path, G_FILE_TEST_EXISTS)) {
		char **one = g_new0(char *, 2);

		one[0] = g_strdup(path);
		return one;
	}
	return g_strsplit(path, ",", -1);
}

char **site_conf_files(const char *path)
{
	return site_files(path, looks_like_conf, "slurm.conf");
}

char **site_acct_files(const char *path)
{
	return site_files(path, looks_like_acct, NULL);
}
