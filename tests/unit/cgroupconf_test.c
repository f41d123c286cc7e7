/* cgroupconf_test.c - cgroup.conf (spec slurm-conf.md section 8). */
#include "tests/unit/models_helper.h"
#include "models/cgroupconf.h"

static void every_key(void **state)
{
	static const char text[] =
	    "# memory\nCgroupPlugin=autodetect\nCgroupMountpoint=/sys/fs/cgroup\nConstrainCores=yes\n"
	    "ConstrainDevices=yes\nconstrainramspace=YES\nConstrainSwapSpace=no\nAllowedRAMSpace=90.5\n"
	    "AllowedSwapSpace=10\nMaxRAMPercent=98%\nMaxSwapPercent=50\nMinRAMSpace=60\nMemorySwappiness=0\n"
	    "SignalChildrenProcesses=no\nIgnoreSystemd=no\nIgnoreSystemdOnFailure=no\nSystemdTimeout=1000\n"
	    "EnableControllers=no\nEnableExtraControllers=io\nCgroupSlice=system.slice\n";
	struct cgroup_conf *c = cgroup_conf_new();
	struct diag *d = diag_new();

	(void)state;
	assert_true(cgroup_conf_read_text(c, text, "cgroup.conf", d));
	assert_clean(d);
	assert_warnings(d, 0);
	assert_true(c->constrain_ram && !c->constrain_swap);
	assert_true(c->allowed_ram == 90.5 && c->allowed_swap == 10 && c->max_ram == 98 && c->max_swap == 50);
	assert_int_equal(c->min_ram, 60);
	assert_int_equal(g_hash_table_size(c->text), 19);
	cgroup_conf_free(c);
	diag_free(d);
}

static void defaults_and_limits(void **state)
{
	struct cgroup_conf *c = cgroup_conf_new();

	(void)state;
	assert_false(c->given || c->constrain_ram);
	assert_true(cgroup_conf_limit(c, 1000, 64000) == G_MAXUINT64);
	c->constrain_ram = true;
	assert_int_equal(cgroup_conf_limit(c, 1000, 64000), 1000);
	c->allowed_ram = 150;
	assert_int_equal(cgroup_conf_limit(c, 1000, 64000), 1500);
	assert_int_equal(cgroup_conf_limit(c, 64000, 64000), 64000); /* MaxRAMPercent */
	assert_int_equal(cgroup_conf_limit(c, 10, 64000), 30);       /* MinRAMSpace */
	c->constrain_swap = true;
	c->allowed_swap = 50;
	assert_int_equal(cgroup_conf_limit(c, 1000, 64000), 2000);
	cgroup_conf_free(c);
}

static void findings(void **state)
{
	static const struct {
		const char *text, *message;
		bool error;
	} table[] = {
	    {"ConstrainRAMSpaces=yes", "c:1:1: unknown parameter ConstrainRAMSpaces; did you mean ConstrainRAMSpace?",
	     true},
	    {"ConstrainRAMSpace=maybe", "bad value \"maybe\" of ConstrainRAMSpace; yes or no", true},
	    {"AllowedRAMSpace=much", "bad value \"much\" of AllowedRAMSpace; a percentage", true},
	    {"MinRAMSpace=x", "bad value \"x\" of MinRAMSpace; a number of megabytes", true},
	    {"MemorySwappiness=x", "bad value \"x\" of MemorySwappiness; a number", true},
	    {"CgroupAutomount=yes", "c:1:1: CgroupAutomount is obsolete and has no effect", false},
	    {"TaskAffinity=yes", "TaskAffinity is obsolete", false},
	    {"ConstrainKmemSpace=no", "ConstrainKmemSpace is obsolete", false},
	    {"AllowedKmemSpace=1", "AllowedKmemSpace is obsolete", false},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		struct cgroup_conf *c = cgroup_conf_new();
		struct diag *d = diag_new();

		assert_true(cgroup_conf_read_text(c, table[i].text, "c", d) == !table[i].error);
		assert_message(table[i].error ? d->errors : d->warnings, table[i].message);
		cgroup_conf_free(c);
		diag_free(d);
	}
}

/* Printed as scontrol does, and read again from there. */
static void shown_and_read_again(void **state)
{
	struct cgroup_conf *a = cgroup_conf_new(), *b = cgroup_conf_new();
	struct diag *d = diag_new();
	char *none = cgroup_conf_show(a);

	(void)state;
	assert_string_equal(none, "");
	assert_true(cgroup_conf_read_text(a, "ConstrainRAMSpace=1\nAllowedRAMSpace=90\nMinRAMSpace=60\n", "c", d));
	char *shown = cgroup_conf_show(a);
	assert_true(strstr(shown, "Cgroup Support Configuration:\nAllowedRAMSpace         = 90.0%\n") != NULL);
	assert_true(strstr(shown, "ConstrainRAMSpace       = yes\n") &&
	            strstr(shown, "MinRAMSpace             = 60 MB\n"));
	assert_true(cgroup_conf_read_text(b, shown, "s", d));
	char *again = cgroup_conf_show(b);
	assert_string_equal(shown, again);
	assert_true(b->constrain_ram && b->allowed_ram == 90 && b->min_ram == 60);
	assert_clean(d);
	g_free(none);
	g_free(shown);
	g_free(again);
	cgroup_conf_free(a);
	cgroup_conf_free(b);
	diag_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_key), cmocka_unit_test(defaults_and_limits),
	                                   cmocka_unit_test(findings), cmocka_unit_test(shown_and_read_again)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
