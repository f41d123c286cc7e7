/* sbatch_body.c - see sbatch_body.h */
#include "traces/sbatch_body.h"
#include "sched/base/memsize.h"
#include "traces/reader.h"
#include <stdio.h>
#include <string.h>

#define MAX_WORDS 1000000
#define MAX_TURNS 1000000 /* commands walked through, loops unrolled: beyond that nobody knows */
#define MAX_DEPTH 16

/* ---- words ---- */

static void end_word(GPtrArray *words, GString *word, bool *quoted)
{
	if (word->len || *quoted)
		g_ptr_array_add(words, g_strdup(word->str));
	g_string_truncate(word, 0);
	*quoted = false;
}

static void end_command(GPtrArray *words, const char *how)
{
	const char *last = words->len ? words->pdata[words->len - 1] : ";";
	if (strcmp(last, ";") != 0 && strcmp(last, "&") != 0)
		g_ptr_array_add(words, g_strdup(how));
}

/* Behind "$(" or "`": up to where it is closed. */
static const char *skip_substitution(const char *p, GString *word)
{
	int depth = 0;
	bool tick = *p == '`';
	for (const char *begin = p; *p; p++) {
		g_string_append_c(word, *p);
		depth += *p == '(';
		depth -= *p == ')';
		if (tick ? *p == '`' && p > begin : *p == ')' && depth == 0)
			return p;
	}
	return p - 1;
}

GPtrArray *sbatch_body_words(const char *text)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	GString *word = g_string_new(NULL);
	bool quoted = false;
	char quote = 0;
	for (const char *p = text; *p && words->len < MAX_WORDS; p++) {
		if (quote) {
			if (*p == quote)
				quote = 0;
			else if (*p == '\\' && quote == '"' && p[1])
				g_string_append_c(word, *++p);
			else
				g_string_append_c(word, *p);
		} else if (*p == '\'' || *p == '"') {
			quote = *p;
			quoted = true;
		} else if (*p == '\\' && p[1] == '\n') {
			p++;
		} else if (*p == '\\' && p[1]) {
			g_string_append_c(word, *++p);
		} else if ((*p == '$' && p[1] == '(') || *p == '`') {
			p = skip_substitution(p, word);
		} else if (*p == '#' && !word->len && !quoted) {
			while (p[1] && p[1] != '\n')
				p++;
		} else if (*p == '>' || *p == '<' || (*p == '&' && p[1] == '>')) { /* of a redirection nothing matters */
			if (word->len && word->str[word->len - 1] >= '0' && word->str[word->len - 1] <= '9' && word->len == 1)
				g_string_truncate(word, 0);
			end_word(words, word, &quoted);
			while (p[1] == '>' || p[1] == '<' || p[1] == '&' || p[1] == ' ' || p[1] == '\t')
				p++;
			while (p[1] && !strchr(" \t\n;&|", p[1]))
				p++;
		} else if (*p == '\n' || *p == ';' || *p == '|' || *p == '&') {
			bool twice = p[1] == *p && (*p == '&' || *p == '|');
			end_word(words, word, &quoted);
			end_command(words, *p == '&' && !twice ? "&" : ";");
			p += twice;
		} else if (g_ascii_isspace(*p)) {
			end_word(words, word, &quoted);
		} else {
			g_string_append_c(word, *p);
		}
	}
	end_word(words, word, &quoted);
	end_command(words, ";");
	g_string_free(word, TRUE);
	return words;
}

/* ---- commands ---- */

struct walk {
	const GPtrArray *words;
	usec_t t;             /* the script's clock */
	usec_t background;    /* when all that is in the background has ended */
	guint unknown, turns; /* commands of unknown length; commands */
	usec_t fill;          /* what such a one is given; -1 = not known */
	bool lost;            /* something was met that cannot be followed */
	bool over;            /* exit */
	int exit_code;
	struct job_steps *steps;
};

static const char *word_at(const struct walk *w, guint i)
{
	return i < w->words->len ? w->words->pdata[i] : ";";
}

static bool ends(const char *word)
{
	return (word[0] == ';' || word[0] == '&') && word[1] == '\0';
}

static bool is_one_of(const char *word, const char *const *list)
{
	return g_strv_contains(list, word);
}

/* "90", "1.5m" */
static bool parse_sleep(const char *text, usec_t *out)
{
	char *end;
	double n = g_ascii_isdigit(*text) || *text == '.' ? g_ascii_strtod(text, &end) : -1;
	if (n < 0 || n > 1e10)
		return false;
	double unit = *end == 'm' ? 60 : *end == 'h' ? 3600 : *end == 'd' ? 86400 : 1;
	if (*end && (!strchr("smhd", *end) || end[1]))
		return false;
	*out = (usec_t)MIN(n * unit, (double)READER_MAX_SECONDS) * USEC;
	if (n * unit < 1e9)
		*out = (usec_t)(n * unit * 1e6 + 0.5);
	return true;
}

/* Words FROM..TO are a command that is not srun's: how long; false = not known. */
static bool plain_length(const struct walk *w, guint from, guint to, usec_t *out)
{
	static const char *const QUICK[] = {
	    "echo", "printf", "export", "module", "ml", "cd", "set", "source", ".", "mkdir", "rm", "cp", "mv", "ln", "date",
	    "hostname", "env", "ulimit", "unset", "trap", "true", ":", "cat", "ls", "chmod", "touch", "pwd", "shopt", "umask",
	    "scontrol", "squeue", "sbcast", "conda", "which", "type", "test", "[", "[[", "nvidia-smi", "readonly", "local", "declare", NULL};
	static const char *const BEFORE[] = {"time", "exec", "nohup", "command", "env", NULL};
	*out = 0;
	while (from < to && is_one_of(word_at(w, from), BEFORE))
		from++;
	const char *first = word_at(w, from);
	const char *eq = strchr(first, '=');
	if (from >= to || (eq && eq > first && strspn(first, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789") ==
	                                            (size_t)(eq - first) && from + 1 == to))
		return true;
	if (strcmp(first, "sleep") == 0)
		return from + 1 < to && parse_sleep(word_at(w, from + 1), out);
	return is_one_of(first, QUICK);
}

/* ---- srun ---- */

static uint32_t number(const char *text)
{
	guint64 n = text && g_ascii_isdigit(*text) ? g_ascii_strtoull(text, NULL, 10) : 0;
	return (uint32_t)MIN(n, (guint64)INT32_MAX);
}

/* "4", "h100:2" */
static uint32_t gpus_of(const char *text)
{
	const char *last = strrchr(text, ':');
	return number(last ? last + 1 : text);
}

struct srun {
	struct job_step step;
	uint32_t per_task, gpus_per_task, gpus_per_node;
	uint64_t mem_per_cpu, mem;
	usec_t limit; /* -t; 0 = none */
	char *name;   /* owned */
};

/* An option of srun with its value; false = it takes none. */
static bool set_option(struct srun *s, const char *name, const char *value)
{
	static const char *const FLAGS[] = {"exclusive", "exact", "overlap", "label", "unbuffered", "kill-on-bad-exit", "mpi", "pty", "quiet",
	                                    "overcommit", "verbose", "multi-prog", "no-kill", "whole", "contiguous", "preserve-env",
	                                    "disable-status", "l", "u", "K", "O", "v", "Q", "s", "k", "Z", NULL};
	uint32_t n = value ? number(value) : 0, minutes;
	if (is_one_of(name, FLAGS))
		return false;
	if (!value)
		return true;
	if (strcmp(name, "n") == 0 || strcmp(name, "ntasks") == 0)
		s->step.tasks = n;
	else if (strcmp(name, "N") == 0 || strcmp(name, "nodes") == 0)
		s->step.nodes = n;
	else if (strcmp(name, "c") == 0 || strcmp(name, "cpus-per-task") == 0)
		s->per_task = n;
	else if (strcmp(name, "G") == 0 || strcmp(name, "gpus") == 0)
		s->step.gpus = gpus_of(value);
	else if (strcmp(name, "gpus-per-task") == 0)
		s->gpus_per_task = gpus_of(value);
	else if (strcmp(name, "gpus-per-node") == 0 || (strcmp(name, "gres") == 0 && strstr(value, "gpu")))
		s->gpus_per_node = strcmp(name, "gres") == 0 && !strchr(value, ':') ? 1 : gpus_of(value);
	else if (strcmp(name, "gres") == 0 && strcmp(value, "none") == 0)
		s->step.gpus = 0;
	else if (strcmp(name, "mem") == 0)
		memsize_parse_mib(value, &s->mem);
	else if (strcmp(name, "mem-per-cpu") == 0)
		memsize_parse_mib(value, &s->mem_per_cpu);
	else if ((strcmp(name, "t") == 0 || strcmp(name, "time") == 0) && duration_parse_minutes(value, &minutes) && minutes < NO_VAL)
		s->limit = (usec_t)minutes * 60 * USEC;
	else if (strcmp(name, "J") == 0 || strcmp(name, "job-name") == 0) {
		g_free(s->name);
		s->name = g_strdup(value);
	}
	return true;
}

/* One word of options at I; the place behind it and its value. */
static guint read_option(const struct walk *w, struct srun *s, guint i, guint to)
{
	const char *word = word_at(w, i), *next = i + 1 < to ? word_at(w, i + 1) : NULL;
	if (word[1] == '-') {
		const char *eq = strchr(word, '=');
		char *name = g_strndup(word + 2, eq ? (size_t)(eq - word - 2) : strlen(word + 2));
		bool took = set_option(s, name, eq ? eq + 1 : next);
		g_free(name);
		return i + (took && !eq ? 2 : 1);
	}
	char name[2] = {word[1], '\0'};
	bool took = set_option(s, name, word[2] ? word + 2 : next);
	return i + (took && !word[2] ? 2 : 1);
}

static void finish_srun(struct srun *s)
{
	struct job_step *p = &s->step;
	uint32_t tasks = p->tasks ? p->tasks : 1, nodes = p->nodes ? p->nodes : 1;
	if (p->tasks && s->per_task)
		p->cpus = (uint32_t)MIN((uint64_t)p->tasks * s->per_task, (uint64_t)INT32_MAX);
	if (s->gpus_per_task)
		p->gpus = (uint32_t)MIN((uint64_t)tasks * s->gpus_per_task, (uint64_t)INT32_MAX);
	else if (s->gpus_per_node)
		p->gpus = (uint32_t)MIN((uint64_t)nodes * s->gpus_per_node, (uint64_t)INT32_MAX);
	if (s->mem)
		p->mem = s->mem * nodes;
	else if (s->mem_per_cpu)
		p->mem = s->mem_per_cpu * (p->cpus ? p->cpus : tasks);
}

/* The step of an srun in words FROM..TO: its length; false = not known. */
static bool read_srun(const struct walk *w, guint from, guint to, struct srun *s, usec_t *length)
{
	*s = (struct srun){.step = {.component = NO_VAL, .end = -1, .gpus = NO_VAL, .cpu_time = -1}};
	guint i = from + 1;
	while (i < to && word_at(w, i)[0] == '-' && word_at(w, i)[1])
		i = read_option(w, s, i, to);
	finish_srun(s);
	i = MIN(i, to);
	if (!s->name && i < to) {
		const char *base = strrchr(word_at(w, i), '/');
		s->name = g_strdup(base ? base + 1 : word_at(w, i));
	}
	bool known = plain_length(w, i, to, length);
	if (known && s->limit && *length > s->limit) {
		*length = s->limit;
		s->step.how = JOBSTEP_TIMEOUT;
	}
	return known;
}

static bool add_step(struct walk *w, struct srun *s, usec_t begin, usec_t end)
{
	if (!w->steps)
		w->steps = job_steps_new();
	bool room = w->steps->list->len < STEPS_MAX;
	if (room) {
		struct job_step *step = job_steps_add(w->steps);
		uint32_t n = step->number;
		*step = s->step;
		step->number = n;
		step->name = g_strdup(s->name ? s->name : "srun");
		step->begin = begin;
		step->end = end;
	}
	return room;
}

/* ---- walking ---- */

/* One command in words FROM..TO. */
static void do_command(struct walk *w, guint from, guint to, bool background)
{
	guint first = from;
	usec_t length = 0;
	struct srun s = {.name = NULL};
	if (from >= to || w->over)
		return;
	if (++w->turns > MAX_TURNS) {
		w->lost = true;
		return;
	}
	while (first + 1 < to && (strcmp(word_at(w, first), "time") == 0 || strcmp(word_at(w, first), "exec") == 0 ||
	                          (strchr(word_at(w, first), '=') && g_ascii_isalpha(*word_at(w, first)))))
		first++;
	if (strcmp(word_at(w, first), "wait") == 0) {
		w->t = MAX(w->t, w->background);
		return;
	}
	if (strcmp(word_at(w, first), "exit") == 0) {
		w->over = true;
		w->exit_code = first + 1 < to ? (int)(number(word_at(w, first + 1)) & 255) : 0;
		return;
	}
	bool srun = strcmp(word_at(w, first), "srun") == 0;
	bool known = srun ? read_srun(w, first, to, &s, &length) : plain_length(w, first, to, &length);
	if (!known) {
		w->unknown++;
		length = MAX(0, w->fill);
		if (srun && s.limit && length > s.limit) {
			length = s.limit;
			s.step.how = JOBSTEP_TIMEOUT;
		}
	}
	if (srun && !add_step(w, &s, w->t, !known && w->fill < 0 ? -1 : w->t + length))
		w->lost = true;
	if (background)
		w->background = MAX(w->background, w->t + length);
	else
		w->t += length;
	g_free(s.name);
}

static guint find_done(const struct walk *w, guint i)
{
	int depth = 1;
	bool begins = true;
	for (; i < w->words->len; i++) {
		const char *word = word_at(w, i);
		if (begins && (strcmp(word, "for") == 0 || strcmp(word, "while") == 0 || strcmp(word, "until") == 0))
			depth++;
		if (begins && strcmp(word, "done") == 0 && --depth == 0)
			return i;
		begins = ends(word) || strcmp(word, "do") == 0 || strcmp(word, "then") == 0;
	}
	return i;
}

static guint count_range(guint64 from, guint64 to, guint64 step)
{
	if (step == 0)
		return 0;
	guint64 n = (to > from ? to - from : from - to) / step + 1;
	return (guint)MIN(n, (guint64)MAX_TURNS + 1);
}

/* How many words the list of a loop has: "a b c", "{1..4}", "$(seq 1 4)"; false = not known. */
static bool count_list(const struct walk *w, guint from, guint to, guint *n)
{
	*n = 0;
	for (guint i = from; i < to; i++) {
		const char *word = word_at(w, i);
		char tail = 0;
		unsigned long long a = 0, b = 0, c = 1;
		if (sscanf(word, "{%llu..%llu%c", &a, &b, &tail) == 3 && tail == '}')
			*n += count_range(a, b, 1);
		else if (sscanf(word, "$(seq %llu %llu %llu%c", &a, &b, &c, &tail) == 4 && tail == ')' && c >= a)
			*n += count_range(a, c, b);
		else if (sscanf(word, "$(seq %llu %llu%c", &a, &b, &tail) == 3 && tail == ')' && b >= a)
			*n += count_range(a, b, 1);
		else if (sscanf(word, "$(seq %llu%c", &a, &tail) == 2 && tail == ')' && a >= 1)
			*n += count_range(1, a, 1);
		else if (strpbrk(word, "$`*?{"))
			return false;
		else
			(*n)++;
	}
	return true;
}

static void do_words(struct walk *w, guint from, guint to, int depth);

/* "for X in LIST ; do ... done" at I; the place behind it. */
static guint do_loop(struct walk *w, guint i, guint to, int depth)
{
	guint list = i + 3, end = list, n = 0;
	while (end < to && !ends(word_at(w, end)))
		end++;
	guint body = end + 1;
	bool good = strcmp(word_at(w, i + 2), "in") == 0 && strcmp(word_at(w, body), "do") == 0 && count_list(w, list, end, &n);
	guint done = find_done(w, i + 1);
	if (!good || done >= to || depth >= MAX_DEPTH || n > MAX_TURNS) {
		w->lost = true;
		return to;
	}
	usec_t begun = w->t, had = w->background;
	guint last = done + 1;
	bool background = last < to && strcmp(word_at(w, last), "&") == 0;
	for (guint k = 0; k < n && !w->lost && !w->over; k++) {
		w->turns++;
		do_words(w, body + 1, done, depth + 1);
		w->lost |= w->turns > MAX_TURNS;
	}
	if (background) {
		w->background = MAX(had, w->t);
		w->t = begun;
	}
	while (last < to && !ends(word_at(w, last)))
		last++;
	return last + 1;
}

static void do_words(struct walk *w, guint from, guint to, int depth)
{
	static const char *const HARD[] = {"if",   "while", "until", "case",     "select", "function", "{", "(",
	                                   "then", "else",  "elif",  "do",       "}",      ")",        NULL};
	for (guint i = from; i < to && !w->lost && !w->over;) {
		const char *word = word_at(w, i);
		guint end = i;
		if (strcmp(word, "for") == 0) {
			i = do_loop(w, i, to, depth);
			continue;
		}
		if (is_one_of(word, HARD) || g_str_has_suffix(word, "()") || *word == '(') {
			w->lost = true;
			return;
		}
		while (end < to && !ends(word_at(w, end)))
			end++;
		do_command(w, i, end, end < to && strcmp(word_at(w, end), "&") == 0);
		i = end + 1;
	}
}

static struct walk walk(const GPtrArray *words, usec_t fill)
{
	struct walk w = {.words = words, .fill = fill};
	do_words(&w, 0, words->len, 0);
	return w;
}

usec_t sbatch_body_length(const GPtrArray *words, int *exit_code)
{
	struct walk w = walk(words, -1);
	job_steps_free(w.steps);
	if (w.lost)
		return -1;
	if (w.over)
		*exit_code = w.exit_code;
	return w.unknown ? -1 : w.t;
}

/* The first srun, as long as the job. */
static struct job_steps *one_step(const GPtrArray *words)
{
	struct walk w = {.words = words};
	for (guint i = 0; i < words->len; i++) {
		struct srun s;
		usec_t length;
		guint to = i;
		if (strcmp(words->pdata[i], "srun") != 0 || (i > 0 && strcmp(words->pdata[i - 1], "echo") == 0))
			continue;
		while (to < words->len && !ends(words->pdata[to]))
			to++;
		read_srun(&w, i, to, &s, &length);
		s.step.how = JOBSTEP_EXITS;
		add_step(&w, &s, 0, -1);
		g_free(s.name);
		return w.steps;
	}
	return NULL;
}

struct job_steps *sbatch_body_steps(const GPtrArray *words, usec_t run)
{
	struct walk w = walk(words, 0);
	usec_t rest = run - w.t;
	bool known = !w.lost && w.unknown == 0, one = !w.lost && w.unknown == 1 && rest >= 0;
	if (known)
		return w.steps;
	job_steps_free(w.steps);
	if (!one)
		return one_step(words);
	/* it may run beside others: it is as long as makes the whole last RUN */
	for (int again = 0;; again++) {
		w = walk(words, rest);
		if (w.t >= run || again == 3)
			return w.steps;
		job_steps_free(w.steps);
		rest += run - w.t;
	}
}
