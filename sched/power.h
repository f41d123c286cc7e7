/*
 * power.h - nodes that are powered down while idle and up again for jobs, and nodes that reboot (lifecycle C29, C56, C57).
 *
 * The controller decides; the host is the machine. host.power says that SuspendProgram, ResumeProgram or RebootProgram is
 * called for a node; when a node has booted the host says controller_node_news(NODE_REGISTERS).
 *
 * Power saving is on when some SuspendTime is set and both programs are given. Its scan is tested at every turn of the
 * loop, and made when more than power_save_interval seconds have passed since the last one, or a node has changed since and power_save_min_interval
 * have passed (recorded).
 * It powers down nodes that have been idle for longer than their SuspendTime (at most SuspendRate a minute), and up
 * those that a job or a command wants (ResumeRate). A node POWERING_DOWN is not usable for SuspendTimeout seconds; then it is
 * POWERED_DOWN and may be given to jobs, as the dearest choice (N23). A job on such nodes is CONFIGURING until all of
 * them have registered; it begins at the next sweep of time limits (recorded in 22.05). One that has not registered ResumeTimeout after its resume goes DOWN.
 *
 * A reboot (recorded in tests/recorded/reboot, 22.05): requested, it waits until the node is idle, which may take for
 * ever, as new jobs may start there; ASAP drains it meanwhile. At the loop's next turn it is issued: the node is DOWN with
 * "X : reboot issued", and IDLE again, or what nextstate says, when it registers.
 */
#ifndef SCHED_POWER_H
#define SCHED_POWER_H
#include "sched/controller.h"

struct power_exception { /* one entry of SuspendExcNodes */
	char *nodes;
	uint32_t keep; /* so many usable nodes of these, and of those before without a count, stay up; UINT32_MAX = no count */
	bool bad;      /* the count is no number */
};
/* "n[1-8]:4,n9" in parts; of struct power_exception *; g_ptr_array_unref. */
GPtrArray *power_exceptions_split(const char *text);
#define POWER_EXCEPTION_STATES                                                                                                 \
	"CLOUD, DOWN, DRAIN, DYNAMIC_FUTURE, DYNAMIC_NORM, FAIL, INVALID_REG, MAINTENANCE, NOT_RESPONDING, PERFCTRS, PLANNED, RESERVED"
/* Is TEXT one of them? */
bool power_exception_state(const char *text);

struct power;
struct power *power_new(struct controller *c);
void power_free(struct power *p);
/* J was placed: is a node of it off or booting? Then it is CONFIGURING, and its nodes are to be powered up. */
void power_job_started(struct controller *c, struct job *j);
/* max_powered_nodes of SlurmctldParameters: would the nodes of A make more than that? Then *B tells the figures. Newer than 22.05. */
bool power_exceeds(const struct controller *c, const struct job_alloc *a, struct blocker *b);
/* As if the nodes of A were powered up too (SIGN 1), and back (-1). */
void power_count_trial(struct controller *c, const struct job_alloc *a, int sign);
/* Nodes with State=CLOUD that are powered down are shown only with PrivateData=cloud (recorded in 22.05). */
bool power_hides(const struct cluster *cl, const struct node *n);
/* J leaves its nodes: it is not CONFIGURING any more. */
void power_job_ended(struct controller *c, struct job *j);
/* At a sweep (recorded in 22.05): jobs whose nodes have all booted begin (C29). ready: are there such? */
void power_jobs_begin(struct controller *c);
bool power_jobs_ready(const struct controller *c);
/* J, or its epilog, has left NODE. With PowerDownOnIdle in its partition it is to be powered down when nothing else is there. */
void power_node_left(struct controller *c, const struct job *j, uint32_t node);
/* Nodes changed by command or failure. */
void power_nodes_changed(struct controller *c);
/* NODE has booted: true when that was awaited, and all is done about its state. */
bool power_node_registers(struct controller *c, struct node *n);
/* NODE was resumed by an administrator: its idle time counts anew, a reboot asked for is off (C52). */
void power_node_resumed(struct controller *c, struct node *n);
/* scontrol update node state=power_up, power_down, power_down_asap, power_down_force. False: TEXT is another one. */
bool power_command(struct controller *c, struct node *n, const char *text, bool *ok, GError **error);
/* What NextState is shown for a node that is to reboot: "RESUME", "DOWN" or NULL. */
const char *power_next_state(const struct controller *c, const struct node *n);
/* Some node has a power flag: weights are not only those of the configuration (N23). */
bool power_matters(const struct cluster *cl);
#endif
