/*
 * cited_test.c - every rule of limits.md, reasons.md, main-scheduler.md, backfill.md, lifecycle.md and preemption.md is cited by some test, every
 * worked example and every case about waiting jobs has one. The lists stand here because the specification need not be at hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
/* after the four headers that it needs */
#include <cmocka.h>

#include <glib.h>

static const char LIMITS[] = "L1 L2 L3 L4 L5 L6 L7 L8 L9 L20 L21 L22 L23 L25 L26 L27 L28 L29 L30 L31 L32 L33 L34 L35 L36 L37 L38 L39 "
			     "L40 L45 L60 L61 L62 L63 L64 L65 L66 L67 L68 L69 L70 L71 L72 L90 "
			     "X1 X2 X3 X4 X5 X6 X7 X8 X9 X10 X11 X12 X13 X14";
static const char REASONS[] = "R10 R11 R12 R13 R14 R15 R16 R17 R18 R19 R20 R21 R22 R30 R31 R40 R41 R42 R43 R50 R51 R52 R53 R80 "
			      "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10 Y11 Y12 Y13";
static const char MAIN[] = "S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 S12 S13 S14 S15 S16 S17 S18 S19 S20 S21 S22 S23 S24 S25 S26 S27 S28 S29 "
			   "S30 S31 S32 S33 S34 S35 S36 S37 S38 S39";
static const char BACKFILL[] = "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B12a B13 B14 B15 B16 B17 B18 B19 B20 B22 B23 B24 B25 B26 B27 B28 B29 "
			       "B30 B30a B31 B31a B32 B32a B33 B34 B35 B36 B37 B38 B40 B41 B43 B44 B45 B46 B47 B50 B51 B52 B53 B54 B55 B56 "
			       "B60 B61 B62 B63";
static const char LIFE[] = "C1 C2 C3 C4 C5 C6 C7 C8 C8a C10 C11 C12 C13 C14 C20 C21 C22 C24 C25 C26 C28 C29 C30 C31 C32 C33 C34 C35 C36 C37 C38 "
			   "C40 C41 C42 C43 C45 C46 C50 C51 C52 C53 C54 C56 C57 C58 C60 C61 C62 C63 C64 C65 C70";
/* In the tests of preemption alone: the examples of the priority factors are called E1, E2, ... too. */
static const char PREEMPT[] = "E1 E2 E3 E4 E5 E6 E7 E8 E9 E10 E11 E12 E13 E14 E15 E16 E16a E17 E18 E19 E20 E21 E22 E23 E24 E25 E26 E27 E28 E29 E30";
static const char FLAGS[] = "DenyOnLimit OverPartQOS PartitionMaxNodes PartitionMinNodes PartitionTimeLimit EnforceUsageThreshold "
			    "NoDecay NoReserve RequiresReservation UsageFactorSafe relative_qos";
static const char CASES[] = "case_01 case_02 case_03 case_04 case_06 case_08 case_10 case_11 case_12 case_13 case_15 case_18 case_19 "
			    "case_22 case_25 case_27";

/* The text of the other unit tests: of all, or of those whose name begins with one of ONLY. */
static char *tests_of(const char *only)
{
	g_auto(GStrv) begin = g_strsplit(only, " ", -1);
	GString *s = g_string_new(NULL);
	GDir *dir = g_dir_open("tests/unit", 0, NULL);
	const char *name;

	assert_non_null(dir);
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename("tests/unit", name, NULL), *text = NULL;
		bool wanted = !*begin;
		for (char **b = begin; *b; b++)
			wanted = wanted || g_str_has_prefix(name, *b);
		if (wanted && g_str_has_suffix(name, "_test.c") && strcmp(name, "cited_test.c") != 0 && g_file_get_contents(path, &text, NULL, NULL))
			g_string_append(s, text);
	}
	g_dir_close(dir);
	return g_string_free(s, FALSE);
}

static bool in_word(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

static bool cited(const char *text, const char *id)
{
	size_t n = strlen(id);
	for (const char *at = strstr(text, id); at; at = strstr(at + 1, id))
		if ((at == text || !in_word(at[-1])) && !in_word(at[n]))
			return true;
	return false;
}

static void every_one(void **state)
{
	static const struct { const char *ids, *tests; } lists[] = {
	    {LIMITS, ""}, {REASONS, ""}, {MAIN, ""}, {BACKFILL, ""}, {FLAGS, ""}, {CASES, ""}, {LIFE, ""}, {PREEMPT, "preempt gang slurmconf"}};
	bool missing = false;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
		g_autofree char *text = tests_of(lists[i].tests);
		g_auto(GStrv) ids = g_strsplit(lists[i].ids, " ", -1);
		for (char **id = ids; *id; id++) {
			if (cited(text, *id))
				continue;
			print_error("no test is about %s\n", *id);
			missing = true;
		}
	}
	assert_false(missing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_one)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
