/* conflex_test.c - comments, continuation, escapes, quotes, Include and their errors (spec slurm-conf.md section 1). */
#include "tests/unit/models_helper.h"
#include "models/conflex.h"
#include "models/suggest.h"

/* Writes "file:line:column key=value|" for each pair and "/" for each line. */
static void note(struct conf_line *line, void *data)
{
	GString *s = data;

	for (guint i = 0; i < line->n_pairs; i++) {
		const struct conf_pair *p = &line->pair[i];
		g_string_append_printf(s, "%u:%u %s=%s|", p->line, p->column, p->key, p->value);
	}
	g_string_append_c(s, '/');
	conf_line_free(line);
}

static void assert_lexed(const char *text, const char *want)
{
	struct diag *d = diag_new();
	GString *s = g_string_new(NULL);

	conflex_text(text, "t.conf", note, s, d);
	assert_clean(d);
	assert_string_equal(s->str, want);
	g_string_free(s, TRUE);
	diag_free(d);
}

static void lines_and_values(void **state)
{
	(void)state;
	assert_lexed("", "");
	assert_lexed("\n\n# only\n  \t\r\n", "");
	assert_lexed("A=1", "1:1 A=1|/");
	assert_lexed("\xef\xbb\xbf"
	             "A=1",
	             "1:1 A=1|/");
	assert_lexed("  A  =  1  \r\nB_x.y=2\n", "1:3 A=1|/2:1 B_x.y=2|/");
	assert_lexed("A=b=c", "1:1 A=b=c|/");
	assert_lexed("N=1 B=\"x y\" C=\"\"", "1:1 N=1|1:5 B=x y|1:13 C=|/");
	assert_lexed("A=\"a\"b", "1:1 A=\"a\"b|/");
	assert_lexed("A+=1", "1:1 A=1|/");
	assert_lexed("A= B=2", "1:1 A=B=2|/"); /* blanks after = are allowed: the next word is the value */
}

static void comments(void **state)
{
	(void)state;
	assert_lexed("A=1#x\nB=2 # y", "1:1 A=1|/2:1 B=2|/");
	assert_lexed("A=a\\#b", "1:1 A=a#b|/");
	assert_lexed("A=a\\\\#b", "1:1 A=a\\|/");                 /* an even number of backslashes: a comment */
	assert_lexed("Reason=\"see #12\"", "1:1 Reason=\"see|/"); /* quotes do not protect # */
}

static void continuation(void **state)
{
	(void)state;
	assert_lexed("A=1 \\\n  B=2 \\ \t\n C=3\nD=4", "1:1 A=1|2:3 B=2|3:2 C=3|/4:1 D=4|/");
	assert_lexed("A=ab\\\ncd", "1:1 A=abcd|/");
	assert_lexed("A=1 \\ # note\nB=2", "1:1 A=1|2:1 B=2|/");
	assert_lexed("# c \\\nA=1", "2:1 A=1|/");
	assert_lexed("A=1 \\\n\nB=2", "1:1 A=1|/3:1 B=2|/");
	assert_lexed("A=1 \\\n# c\nB=2", "1:1 A=1|/3:1 B=2|/");
	assert_lexed("A=x\\\\\nB=2", "1:1 A=x\\|/2:1 B=2|/");
	assert_lexed("A=1\\", "1:1 A=1|/");
	assert_lexed("\\A=\\\\1 B=2", "1:2 A=\\1|1:8 B=2|/");
}

static void bad_lines(void **state)
{
	static const struct {
		const char *text, *error;
	} bad[] = {
	    {"hello", "t.conf:1:1: \"hello\" is not Key=Value; write Key=Value, or begin a comment with #"},
	    {"A=1\n  two words here", "t.conf:2:3: \"two words here\" is not Key=Value"},
	    {"A=1 junk", "t.conf:1:5: \"junk\" is not Key=Value"},
	    {"A=1 \\\n junk", "t.conf:2:2: \"junk\" is not Key=Value"},
	    {"KillWait=", "t.conf:1:1: KillWait= has no value"},
	    {"=x", "t.conf:1:1: \"=x\" is not Key=Value"},
	    {"A=\"x y", "t.conf:1:6: \"y\" is not Key=Value"},
	    {"Include ", "t.conf:1:1: Include without a file name; write Include FILE"},
	    {"Include a*.conf", "t.conf:1:9: Include does not know patterns"},
	    {"Include %c.conf",
	     "t.conf:1:9: Include with %c before the cluster has a name; put ClusterName= before it"},
	    {"Include /nonexistent/x", "t.conf:1:9: cannot open /nonexistent/x"},
	    {"Include /dev/zero", "t.conf:1:9: /dev/zero is not a regular file"},
	    {"\x01\xff", "t.conf:1:1: \"\\001\\377\" is not Key=Value"},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		struct diag *d = diag_new();
		GString *s = g_string_new(NULL);

		conflex_text(bad[i].text, "t.conf", note, s, d);
		assert_int_equal(d->n_errors, 1);
		assert_message(d->errors, bad[i].error);
		g_string_free(s, TRUE);
		diag_free(d);
	}
}

static void includes(void **state)
{
	char *dir = dir_new(),
	     *main = dir_file(dir, "slurm.conf", "ClusterName=Tern\ninclude inc.conf\n Include=1\nInclude %c.x\nZ=9\n");
	char *a = dir_file(dir, "inc.conf", "A=1\nInclude second.conf\n"), *b = dir_file(dir, "second.conf", "B=2"),
	     *c = dir_file(dir, "tern.x", "C=3");
	struct diag *d = diag_new();
	GString *s = g_string_new(NULL);

	(void)state;
	conflex_file(main, note, s, d);
	assert_clean(d);
	assert_string_equal(s->str, "1:1 ClusterName=Tern|/1:1 A=1|/1:1 B=2|/3:2 Include=1|/1:1 C=3|/5:1 Z=9|/");
	g_string_free(s, TRUE);
	diag_free(d);
	g_free(main);
	g_free(a);
	g_free(b);
	g_free(c);
	dir_drop(dir);
}

/* Case 61: three errors in the included file, then the Include itself; a loop ends. */
static void include_errors(void **state)
{
	char *dir = dir_new(),
	     *main = dir_file(dir, "slurm.conf", "A=1\n#\n#\n#\nInclude user.conf\nInclude loop.conf\n");
	char *user = dir_file(dir, "user.conf", "<<<<<<< HEAD\n# ok\n=======\nMinJobAge=400\n>>>>>>> e96d\n");
	char *loop = dir_file(dir, "loop.conf", "Include loop.conf\nInclude loop.conf\n");
	struct diag *d = diag_new();
	GString *s = g_string_new(NULL);

	(void)state;
	conflex_file(main, note, s, d);
	assert_message(d->errors, "user.conf:1:1: \"<<<<<<< HEAD\"");
	assert_message(d->errors, "user.conf:3:1: \"=======\"");
	assert_message(d->errors, "user.conf:5:1: \">>>>>>> e96d\"");
	assert_message(d->errors, "slurm.conf:5:1: Include of user.conf failed");
	assert_message(d->errors, "does a file include itself?");
	assert_non_null(strstr(s->str, "4:1 MinJobAge=400"));
	g_string_free(s, TRUE);
	diag_free(d);
	g_free(main);
	g_free(user);
	g_free(loop);
	dir_drop(dir);
}

static void not_text(void **state)
{
	char *dir = dir_new(), *path = g_build_filename(dir, "x", NULL);
	struct diag *d = diag_new();

	(void)state;
	assert_true(g_file_set_contents(path, "A=1\0B", 5, NULL));
	conflex_file(path, note, NULL, d);
	assert_message(d->errors, "holds a NUL byte");
	conflex_file(dir, note, NULL, d);
	assert_message(d->errors, "is not a regular file");
	diag_free(d);
	g_free(path);
	dir_drop(dir);
}

/* Long and odd input: no crash, no hang. */
static void hostile(void **state)
{
	GString *s = g_string_new(NULL), *out = g_string_new(NULL);
	struct diag *d = diag_new();
	GRand *rand = g_rand_new_with_seed(7);
	static const char alphabet[] = "A=b \"#\\\n,+-[]Include \t";

	(void)state;
	for (int i = 0; i < 5000; i++)
		g_string_append(s, "A=1 ");
	conflex_text(s->str, "t", note, out, d);
	assert_message(d->errors, "more than 4096 pairs on one line");
	for (int k = 0; k < 2000; k++) {
		g_string_truncate(s, 0);
		g_string_truncate(out, 0);
		for (int i = g_rand_int_range(rand, 0, 60); i > 0; i--)
			g_string_append_c(s, alphabet[g_rand_int_range(rand, 0, sizeof alphabet - 1)]);
		conflex_text(s->str, "t", note, out, d);
	}
	g_rand_free(rand);
	diag_free(d);
	g_string_free(s, TRUE);
	g_string_free(out, TRUE);
}

static void assert_suggested(const char *word, const char *want)
{
	static const char *const names[] = {"PriorityWeightAge", "PriorityWeightQOS", "KillWait", "LLN"};
	struct suggestion s;

	suggest_begin(&s, word);
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		suggest_offer(&s, names[i]);
	char *hint = suggest_hint(&s, "no");
	assert_string_equal(hint, want);
	g_free(hint);
}

static void suggestions(void **state)
{
	(void)state;
	assert_suggested("priorityweigthage", "did you mean PriorityWeightAge?");
	assert_suggested("KilWait", "did you mean KillWait?");
	assert_suggested("LN", "did you mean LLN?");
	assert_suggested("zzzzzzzz", "no");
	assert_suggested("", "no");
	assert_suggested("ALineOfMoreThanSixtyFourLettersThatIsNotLookedAtBecauseItIsTooLongForThis", "no");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines_and_values), cmocka_unit_test(comments), cmocka_unit_test(continuation),
	    cmocka_unit_test(bad_lines),        cmocka_unit_test(includes), cmocka_unit_test(include_errors),
	    cmocka_unit_test(not_text),         cmocka_unit_test(hostile),  cmocka_unit_test(suggestions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
