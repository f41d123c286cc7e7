/* sbatch_line.c - see sbatch_line.h */
#include "traces/sbatch_line.h"
#include "traces/components.h"
#include "traces/sbatch_words.h"
#include <string.h>

#define MAX_FILE (4 * 1024 * 1024)
#define MAX_COMPONENTS 128
#define DEFAULT_RUN (86400 * USEC)

struct reading {
	struct sbatch_line *line;
	const char *dir;
	GPtrArray *requests;         /* of struct job_request *: the components; owned */
	struct job_request *request; /* the one in hand */
	GHashTable *options;         /* of it */
	GPtrArray *seen;             /* of GHashTable: the options of each component, name -> value or "" */
	bool v22;
	struct sbatch_script *script;
	char *wrap, *user, *nodefile; /* owned */
	usec_t run;                  /* -1 = not told */
};

static bool refuse(GError **error, const char *format, const char *text)
{
	char *message = g_strdup_printf(format, text);
	g_set_error_literal(error, SBATCH_LINE_ERROR, 0, message);
	g_free(message);
	return false;
}

/* ---- files ---- */

static char *file_path(const struct reading *d, const char *name)
{
	return d->dir && !g_path_is_absolute(name) ? g_build_filename(d->dir, name, NULL) : g_strdup(name);
}

/* The text of a file, owned; NULL and ERROR. */
static char *read_file(const char *path, const char *name, gsize *length, GError **error)
{
	char *text = NULL;
	if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
		refuse(error, "%s", "Batch script is empty!");
		return NULL;
	}
	bool regular = g_file_test(path, G_FILE_TEST_IS_REGULAR);
	if (!regular || !g_file_get_contents(path, &text, length, NULL)) {
		refuse(error, "Unable to open file %s", name);
		return NULL;
	}
	if (*length > MAX_FILE) {
		refuse(error, "%s: larger than 4 MiB", name);
		g_clear_pointer(&text, g_free);
	}
	return text;
}

/* Hosts in a file, blanks and line ends between them. */
static bool hosts_of_file(const struct reading *d, char **field, const char *name, GError **error)
{
	gsize length = 0;
	char *path = file_path(d, name), *text = read_file(path, name, &length, error);
	g_free(path);
	if (!text)
		return false;
	char **words = g_strsplit_set(text, " \t\r\n,", -1);
	GString *hosts = g_string_new(NULL);
	for (char **w = words; *w; w++)
		if (**w)
			g_string_append_printf(hosts, "%s%s", hosts->len ? "," : "", *w);
	g_strfreev(words);
	g_free(text);
	g_free(*field);
	*field = g_string_free(hosts, FALSE);
	return true;
}

static bool read_host_files(struct reading *d, GError **error)
{
	for (guint i = 0; i < d->requests->len; i++) {
		struct job_request *r = d->requests->pdata[i];
		char **lists[] = {&r->nodelist, &r->exclude};
		for (guint k = 0; k < G_N_ELEMENTS(lists); k++) {
			char *name = *lists[k] && strchr(*lists[k], '/') ? g_strdup(*lists[k]) : NULL;
			bool ok = !name || hosts_of_file(d, lists[k], name, error);
			g_free(name);
			if (!ok)
				return false;
		}
	}
	struct job_request *first = d->requests->pdata[0];
	return !d->nodefile || hosts_of_file(d, &first->nodelist, d->nodefile, error);
}

/* ---- options of the client ---- */

static bool one_of(const char *value, const char *list)
{
	char **words = g_strsplit(list, ",", -1);
	bool found = value && g_strv_contains((const char *const *)words, value);
	g_strfreev(words);
	return found;
}

/* Values that sbatch itself checks. */
static bool value_ok(const char *name, const char *value, GError **error)
{
	if (strcmp(name, "open-mode") == 0 && !one_of(value, "append,truncate,a,t"))
		return refuse(error, "%s", "Invalid --open-mode specification");
	if (strcmp(name, "mail-type") == 0) {
		char **words = g_strsplit(value ? value : "", ",", -1);
		bool ok = *words != NULL;
		for (char **w = words; ok && *w; w++) {
			char *upper = g_ascii_strup(*w, -1);
			ok = one_of(upper, "NONE,BEGIN,END,FAIL,REQUEUE,ALL,INVALID_DEPEND,STAGE_OUT,TIME_LIMIT,TIME_LIMIT_90,"
			                   "TIME_LIMIT_80,TIME_LIMIT_50,ARRAY_TASKS");
			g_free(upper);
		}
		g_strfreev(words);
		return ok || refuse(error, "%s", "Invalid --mail-type specification");
	}
	int64_t seconds;
	if (strcmp(name, "delay-boot") == 0 && !duration_parse_seconds(value ? value : "", &seconds))
		return refuse(error, "%s", "Invalid --delay-boot specification");
	return true;
}

static bool read_run(struct reading *d, const char *value, GError **error)
{
	guint64 n;
	if (value && g_ascii_string_to_unsigned(value, 10, 0, G_MAXUINT32, &n, NULL))
		d->run = (usec_t)n * USEC;
	else if (!value || !duration_parse_elapsed(value, &d->run) || d->run < 0)
		return refuse(error, "--run=%s: write seconds, 10:00 or 1:00:00", value ? value : "");
	return true;
}

static void keep(char **field, const char *value)
{
	g_free(*field);
	*field = g_strdup(value);
}

static bool client_option(void *data, const char *name, const char *value, GError **error)
{
	struct reading *d = data;
	if (strcmp(name, "run") == 0)
		return read_run(d, value, error);
	if (strcmp(name, "uid") == 0 || strcmp(name, "user") == 0)
		keep(&d->user, value);
	else if (strcmp(name, "wrap") == 0)
		keep(&d->wrap, value);
	else if (strcmp(name, "clusters") == 0)
		keep(&d->line->cluster, value);
	else if (strcmp(name, "nodefile") == 0)
		keep(&d->nodefile, value);
	else if (strcmp(name, "parsable") == 0)
		d->line->parsable = true;
	else if (strcmp(name, "quiet") == 0)
		d->line->quiet = true;
	else if (strcmp(name, "test-only") == 0)
		d->line->test_only = true;
	else if (strcmp(name, "help") == 0 || strcmp(name, "usage") == 0)
		return refuse(error, "%s", "--help: see sbatch(1); every option that acts on scheduling is understood");
	return value_ok(name, value, error);
}

static void note_option(void *data, const char *name, const char *value)
{
	struct reading *d = data;
	g_hash_table_replace(d->options, g_strdup(name), g_strdup(value ? value : ""));
}

/* ---- components ---- */

static struct job_request *component(struct reading *d, guint i)
{
	while (d->requests->len <= i) {
		g_ptr_array_add(d->requests, job_request_new());
		g_ptr_array_add(d->seen, g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free));
	}
	d->options = d->seen->pdata[i];
	return d->request = d->requests->pdata[i];
}

/* Options up to the script. TRIAL: only to find it. */
static bool read_words(struct reading *d, const char *const *words, const char *const **rest, GError **error)
{
	const struct sbatch_client client = {client_option, note_option, d};
	for (guint k = 0;; k++) {
		if (k >= MAX_COMPONENTS)
			return refuse(error, "%s", "too many components of a heterogeneous job");
		if (!sbatch_words_client(component(d, k), words, &client, rest, error))
			return false;
		if (!**rest || strcmp(**rest, ":") != 0)
			return true;
		words = *rest + 1;
	}
}

static bool read_directives(struct reading *d, GError **error)
{
	const struct sbatch_client client = {client_option, note_option, d};
	for (guint k = 0; k < d->script->components->len; k++) {
		GPtrArray *words = d->script->components->pdata[k];
		const char *const *rest = NULL;
		g_ptr_array_add(words, NULL);
		bool ok = sbatch_words_client(component(d, k), (const char *const *)words->pdata, &client, &rest, error);
		if (ok && *rest)
			ok = refuse(error, "Invalid directive found in batch script: %s", *rest);
		g_ptr_array_set_size(words, (gint)words->len - 1);
		if (!ok)
			return false;
	}
	return true;
}

static void drop_requests(struct reading *d)
{
	g_ptr_array_set_size(d->requests, 0);
	g_ptr_array_set_size(d->seen, 0);
	d->run = -1;
}

/* The script must be found behind the options before these can be laid over its directives. */
static bool read_script(struct reading *d, const char *name, GError **error)
{
	gsize length = 0;
	char *path = file_path(d, name), *text = read_file(path, name, &length, error);
	if (!text) {
		g_free(path);
		return false;
	}
	d->script = sbatch_script_read(text, length, error);
	g_free(text);
	keep(&d->line->script, path);
	g_free(path);
	return d->script != NULL;
}

/* ---- what goes together ---- */

/* Both were given, and where PART is told the value of the first holds it. */
struct quarrel {
	const char *one, *part, *other, *text;
	bool since_26;
};

/* Recorded (refusals-sbatch), sbatch.md 4 */
static const struct quarrel quarrels[] = {
    {"mem", NULL, "mem-per-cpu", "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.", false},
    {"mem", NULL, "mem-per-gpu", "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.", false},
    {"mem-per-cpu", NULL, "mem-per-gpu", "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.", false},
    {"cpus-per-gpu", NULL, "cpus-per-task", "--cpus-per-task, --tres-per-task=cpu:#, and --cpus-per-gpu are mutually exclusive", true},
    {"tres-per-task", "cpu", "cpus-per-gpu", "--cpus-per-task, --tres-per-task=cpu:#, and --cpus-per-gpu are mutually exclusive", true},
    {"gres", "gpu", "gpus-per-node", "--gpus-per-node and --gres=gpu are mutually exclusive.", true},
    {"exclusive", NULL, "oversubscribe", "--exclusive and --oversubscribe options are mutually exclusive", true},
    {"exclusive", NULL, "share", "--exclusive and --oversubscribe options are mutually exclusive", true},
    {"core-spec", NULL, "thread-spec", "-S/--core-spec and --thread-spec options are mutually exclusive", false},
    {"gpus-per-task", NULL, "ntasks-per-gpu", "--gpus-per-task is mutually exclusive with --ntasks-per-gpu and SLURM_NTASKS_PER_GPU", false},
    {"tres-per-task", "cpu", "cpus-per-task", "You can not have --tres-per-task=cpu= and --cpus-per-task please use one or the other", true},
    {"tres-per-task", "gres/gpu", "gpus-per-task", "You can not have --tres-per-task=gres/gpu= and --gpus-per-task please use one or the other", true},
};

static bool consistent(const struct reading *d, const struct job_request *r, GHashTable *options, GError **error)
{
	for (guint i = 0; i < G_N_ELEMENTS(quarrels); i++) {
		const struct quarrel *q = &quarrels[i];
		const char *value = g_hash_table_lookup(options, q->one);
		if (value && (!q->part || strstr(value, q->part)) && g_hash_table_contains(options, q->other) && !(q->since_26 && d->v22))
			return refuse(error, "%s", q->text);
	}
	if (d->v22 && r->requeue == REQUEUE_EXPEDITE) /* tried with sbatch 22.05.8 */
		return refuse(error, "%s", "option '--requeue' doesn't allow an argument");
	if (!d->v22 && r->segment != NO_VAL && r->segment && r->min_nodes != NO_VAL && r->min_nodes > r->segment && r->min_nodes % r->segment) {
		g_set_error(error, SBATCH_LINE_ERROR, 0,
		            "--segment=%u does not fit the job size (%u): node count must be evenly divisible by segment size", r->segment, r->min_nodes);
		return false;
	}
	return true;
}

/* ---- the submission ---- */

static usec_t run_time(struct reading *d, const struct job_request *r)
{
	d->line->run_known = true;
	if (d->run >= 0)
		return d->run;
	if (d->script && d->script->runtime >= 0)
		return d->script->runtime;
	if (d->script && d->script->length >= 0)
		return d->script->length;
	d->line->run_known = false;
	return r->time_limit < NO_VAL ? (usec_t)r->time_limit * 60 * USEC : DEFAULT_RUN;
}

static void make_submission(struct reading *d, const char *script)
{
	struct submission *sub = submission_new();
	job_request_free(sub->request);
	sub->request = d->requests->pdata[0];
	sub->n_het = d->requests->len - 1;
	sub->het = sub->n_het ? g_new0(struct job_request *, sub->n_het) : NULL;
	for (guint i = 1; i < d->requests->len; i++)
		sub->het[i - 1] = d->requests->pdata[i];
	g_ptr_array_set_free_func(d->requests, NULL);
	components_follow(sub);
	struct job_request *r = sub->request;
	const char *user = d->user ? d->user : d->script ? d->script->user : NULL;
	if (user)
		keep(&r->user, user);
	sub->label = g_strdup(r->name);
	if (!r->name)
		r->name = d->wrap ? g_strdup("wrap") : script ? g_path_get_basename(script) : NULL;
	sub->outcome.run_time = run_time(d, r);
	if (d->script) {
		sub->outcome.exit_code = d->script->exit_code;
		sub->steps = sbatch_script_steps(d->script, sub->outcome.run_time);
	}
	d->line->sub = sub;
}

static bool all_consistent(const struct reading *d, GError **error)
{
	for (guint i = 0; i < d->requests->len; i++) {
		const struct job_request *r = d->requests->pdata[i];
		if (!consistent(d, r, d->seen->pdata[i], error))
			return false;
		if (d->requests->len > 1 && r->array)
			return refuse(error, "%s", "Batch job submission failed: Invalid job array specification");
	}
	return true;
}

static bool read_line(struct reading *d, const char *const *words, GError **error)
{
	const char *const *rest = NULL;
	if (!read_words(d, words, &rest, error))
		return false;
	if (d->wrap && *rest)
		return refuse(error, "%s", "Script arguments not permitted with --wrap option");
	if (d->wrap)
		d->script = sbatch_script_wrap(d->wrap);
	else if (*rest && !read_script(d, *rest, error))
		return false;
	const char *script = *rest;
	if (d->script && !d->wrap) {
		drop_requests(d);
		if (!read_directives(d, error) || !read_words(d, words, &rest, error))
			return false;
	}
	if (!all_consistent(d, error))
		return false;
	if (!read_host_files(d, error))
		return false;
	make_submission(d, script);
	return true;
}

static struct sbatch_line *finish(struct reading *d, bool ok)
{
	g_ptr_array_unref(d->requests);
	g_ptr_array_unref(d->seen);
	g_free(d->wrap);
	g_free(d->user);
	g_free(d->nodefile);
	d->line->body = d->script;
	if (ok)
		return d->line;
	sbatch_line_free(d->line);
	return NULL;
}

static struct reading begin(const char *dir, bool v22)
{
	struct reading d = {.line = g_new0(struct sbatch_line, 1), .dir = dir, .run = -1, .v22 = v22};
	d.seen = g_ptr_array_new_with_free_func((GDestroyNotify)g_hash_table_unref);
	d.requests = g_ptr_array_new_with_free_func((GDestroyNotify)job_request_free);
	component(&d, 0);
	return d;
}

struct sbatch_line *sbatch_line_read(const char *const *words, const char *dir, bool v22, GError **error)
{
	struct reading d = begin(dir, v22);
	return finish(&d, read_line(&d, words, error));
}

struct sbatch_line *sbatch_line_of_text(const char *text, size_t length, GError **error)
{
	struct reading d = begin(NULL, false);
	d.script = sbatch_script_read(text, length, error);
	bool ok = d.script && read_directives(&d, error) && all_consistent(&d, error);
	if (ok)
		make_submission(&d, NULL);
	return finish(&d, ok);
}

void sbatch_line_free(struct sbatch_line *l)
{
	if (!l)
		return;
	submission_free(l->sub);
	sbatch_script_free(l->body);
	g_free(l->cluster);
	g_free(l->script);
	g_free(l);
}
