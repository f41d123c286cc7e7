/* commands_test.c - reading commands given at a moment */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* after the four headers that it needs */
#include <cmocka.h>

#include "sched/base/duration.h"
#include "sim/commands.h"

static struct command *good(const char *text)
{
	GError *error = NULL;
	struct command *c = command_parse(text, NULL, &error);
	if (error)
		fail_msg("%s", error->message);
	assert_non_null(c);
	assert_string_equal(c->text, text);
	return c;
}

static void refused(const char *text, const char *why)
{
	GError *error = NULL;
	assert_null(command_parse(text, NULL, &error));
	assert_non_null(error);
	if (!strstr(error->message, why) || !strstr(error->message, text))
		fail_msg("\"%s\" does not say \"%s\"", error->message, why);
	g_error_free(error);
}

static void job_verbs(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum command_verb verb;
	} cases[] = {{"scontrol hold 12", COMMAND_HOLD},
	             {"scontrol uhold 12", COMMAND_UHOLD},
	             {"scontrol RELEASE 12", COMMAND_RELEASE},
	             {"scontrol requeue 12", COMMAND_REQUEUE},
	             {"/usr/bin/scontrol requeuehold 12", COMMAND_REQUEUE_HOLD},
	             {"scancel 12", COMMAND_CANCEL}};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct command *c = good(cases[i].text);
		assert_int_equal(c->verb, cases[i].verb);
		assert_int_equal(c->jobs->len, 1);
		assert_string_equal(c->jobs->pdata[0], "12");
		command_free(c);
	}
	command_free(NULL);
}

static void job_lists(void **state)
{
	(void)state;
	struct command *c = good("scontrol release @uhold,@prio0 7_3 8_[1-2,5]");
	static const char *const want[] = {"@uhold", "@prio0", "7_3", "8_1", "8_2", "8_5"};
	assert_int_equal(c->jobs->len, G_N_ELEMENTS(want));
	for (guint i = 0; i < c->jobs->len; i++)
		assert_string_equal(c->jobs->pdata[i], want[i]);
	command_free(c);
	refused("scontrol hold", "names no job");
	refused("scancel", "names no job");
	refused("scontrol hold twelve", "is no job");
	refused("scontrol hold @", "is no job");
	refused("scontrol hold 12_", "is no job");
	refused("scontrol hold 99999999999", "is no job");
	refused("scancel 8_[1-", "");
	refused("scancel -u", "requires an argument");
}

static void ids(void **state)
{
	(void)state;
	uint32_t id, task;
	assert_true(command_job_id("12", &id, &task));
	assert_int_equal(id, 12);
	assert_int_equal(task, NO_VAL);
	assert_true(command_job_id("12_0", &id, &task));
	assert_int_equal(task, 0);
	assert_false(command_job_id("", &id, &task));
	assert_false(command_job_id("_1", &id, &task));
	assert_false(command_job_id("1_2_3", &id, &task));
	assert_false(command_job_id("-1", &id, &task));
	assert_false(command_job_id("4294967294", &id, &task));
}

static void updates(void **state)
{
	(void)state;
	struct command *c = good("scontrol update job=@t1 TimeLimit=2 comment=\"two words\"");
	assert_int_equal(c->verb, COMMAND_UPDATE_JOB);
	assert_string_equal(c->jobs->pdata[0], "@t1");
	assert_int_equal(c->pairs->len, 2);
	assert_string_equal(command_value(c, "timelimit"), "2");
	assert_string_equal(command_value(c, "comment"), "two words");
	assert_null(command_value(c, "nice"));
	command_free(c);

	c = good("scontrol update PartitionName=short maxnodes=4");
	assert_int_equal(c->verb, COMMAND_UPDATE_PARTITION);
	assert_string_equal(c->name, "short");
	assert_string_equal(command_value(c, "maxnodes"), "4");
	command_free(c);

	c = good("scontrol update state=drain node=n[01-02] reason='bad disk'"); /* in any order */
	assert_int_equal(c->verb, COMMAND_UPDATE_NODE);
	assert_string_equal(c->name, "n[01-02]");
	assert_string_equal(command_value(c, "state"), "drain");
	assert_string_equal(command_value(c, "reason"), "bad disk");
	command_free(c);
}

static void bad_updates(void **state)
{
	(void)state;
	refused("scontrol update", "too few arguments for update keyword");
	refused("scontrol update timelimit=2", "No valid entity in update command");
	refused("scontrol update job=1", "No changes specified"); /* recorded (22.05/refusals-scontrol-user) */
	refused("scontrol update job= nice=0", "names nothing");
	refused("scontrol update reservation=r nice", "KEY=VALUE"); /* of a job some words stand alone (recorded) */
	refused("scontrol update job=1 =3", "KEY=VALUE");
	refused("scontrol update node=n1 state=drain", "You must specify a reason when DOWNING or DRAINING a node. Request denied");
	refused("scontrol update node=n1 foo=3", "Update of this parameter is not supported: foo=3\nRequest aborted");
	refused("scontrol update node=n1", "No changes specified");
	refused("scontrol update partition=p", "scontrol: error: No changes specified");
	refused("scontrol update reservation= users=bob", "names nothing");
	refused("scontrol update reservation=r", "changes nothing");
	refused("scontrol update job=1 comment='open", "");
}

static void others(void **state)
{
	(void)state;
	static const char *const shown[] = {"scontrol show reservation", "sinfo -N -o '%N %T %E'", "squeue", "sacct -X",
	                                    "sacctmgr show qos"};
	for (guint i = 0; i < G_N_ELEMENTS(shown); i++) {
		struct command *c = good(shown[i]);
		assert_int_equal(c->verb, COMMAND_SHOW);
		command_free(c);
	}
	refused("scontrol shutdown", "outage SECONDS");
	refused("scontrol reboot", "Missing node list. Specify ALL|<NodeList>");
	refused("scontrol reboot n1 n2", "[ASAP] [nextstate=RESUME|DOWN]");
	refused("scontrol reboot now=1 n1", "[ASAP] [nextstate=RESUME|DOWN]");
	refused("scontrol cancel_reboot", "missing argument for keyword:cancel_reboot");
	refused("scontrol reboot nextstate=FOO n1", "Invalid state: FOO\nValid states: DOWN, RESUME");
	struct command *r = good("scontrol reboot nextstate=RESUME reason='new kernel' n[1-3] asap");
	assert_int_equal(r->verb, COMMAND_REBOOT);
	assert_string_equal(r->name, "n[1-3]");
	assert_string_equal(command_value(r, "reason"), "new kernel");
	assert_non_null(command_value(r, "asap"));
	command_free(r);
	r = good("scontrol create nodes=n[1-2] partition=p MaxTime=5");
	assert_int_equal(r->verb, COMMAND_CREATE_PARTITION);
	assert_string_equal(r->name, "p");
	assert_string_equal(command_value(r, "maxtime"), "5");
	assert_int_equal(r->pairs->len, 2);
	command_free(r);
	r = good("scontrol delete PartitionName=p");
	assert_int_equal(r->verb, COMMAND_DELETE_PARTITION);
	assert_string_equal(r->name, "p");
	command_free(r);
	r = good("scontrol power down asap n[1-2] reason=fan");
	assert_int_equal(r->verb, COMMAND_POWER);
	assert_string_equal(command_value(r, "state"), "power_down_asap");
	command_free(r);
	r = good("scontrol update node=n1 weight=3 gres= comment='a b'");
	assert_int_equal(r->verb, COMMAND_UPDATE_NODE);
	assert_int_equal(r->pairs->len, 3);
	command_free(r);
	r = good("scontrol fsdampeningfactor 3");
	assert_int_equal(r->verb, COMMAND_DAMPING);
	command_free(r);
	r = good("scontrol setdebugflags +backfill");
	assert_int_equal(r->verb, COMMAND_SHOW);
	command_free(r);
	refused("scontrol create node=n9", "scontrol reconfigure FILE");
	refused("scontrol setdebug 77", "invalid debug level: 77");
	refused("scontrol frobnicate", "invalid keyword: frobnicate");
	refused("scontrol fsdampeningfactor 0", "invalid dampening factor: 0");
	refused("scontrol create reservation users", "only reservations");
	refused("scontrol delete reservation", "names no reservation");
	refused("node_kill", "names no nodes");
	refused("outage soon", "outage SECONDS");
	refused("outage 0", "outage SECONDS");
	struct command *c = good("node_kill n[1-3]");
	assert_int_equal(c->verb, COMMAND_NODE_KILL);
	assert_string_equal(c->name, "n[1-3]");
	command_free(c);
	c = good("scontrol suspend 12,13");
	assert_int_equal(c->verb, COMMAND_SUSPEND);
	assert_int_equal(c->jobs->len, 2);
	command_free(c);
	struct command *change = good("sacctmgr -i modify user bob set fairshare=3");
	assert_int_equal(change->verb, COMMAND_ACCOUNTING);
	assert_string_equal(change->text, "sacctmgr -i modify user bob set fairshare=3");
	command_free(change);
	refused("sacctmgr -i modify", "names nothing");
	refused("sacctmgr archive dump", "known are");
	change = good("scontrol top 3,@a");
	assert_int_equal(change->verb, COMMAND_TOP);
	assert_int_equal(change->jobs->len, 2);
	command_free(change);
	refused("sbcast a b", "not modelled in this version");
	refused("scontrol", "known are");
	refused("scontrol frobnicate 3", "known are");
	refused("rm -rf /", "known are");
	refused("", "");
}

static void users(void **state)
{
	(void)state;
	struct command *c = command_parse("scancel 1", "bob", NULL);
	assert_string_equal(c->user, "bob");
	command_free(c);
	c = command_parse("scancel 1", "root", NULL);
	assert_null(c->user);
	command_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(job_verbs), cmocka_unit_test(job_lists),   cmocka_unit_test(ids),
	    cmocka_unit_test(updates),   cmocka_unit_test(bad_updates), cmocka_unit_test(others),
	    cmocka_unit_test(users),
	};
	return cmocka_run_group_tests_name("commands", tests, NULL, NULL);
}
