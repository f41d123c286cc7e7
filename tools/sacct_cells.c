/* sacct_cells.c - see sacct_cells.h. One function fills one cell; a table names the fields. */
#include "tools/sacct_cells.h"
#include "sched/base/hostlist.h"
#include "sched/base/memsize.h"
#include "tools/cells.h"
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* --- cells: each appends the value of its field --- */

static void put_number(GString *cell, int64_t n)
{
	g_string_append_printf(cell, "%" PRId64, n);
}

static void put_taken(GString *cell, char *text)
{
	g_string_append(cell, text);
	g_free(text);
}

static void put_date(GString *cell, const struct sheet *s, sec_t t, const char *when_zero)
{
	if (t)
		put_taken(cell, date_shown(t, s->now));
	else
		g_string_append(cell, when_zero);
}

static void put_duration(GString *cell, int64_t seconds)
{
	if (seconds < 0)
		g_string_append(cell, "INVALID");
	else
		put_taken(cell, duration_format(seconds));
}

static int64_t elapsed(const struct sheet *s, const struct record *j)
{
	int64_t seconds = !j->start ? 0 : (j->end ? j->end : s->now) - j->start;
	return MAX(0, seconds - j->suspended);
}

/* The wait that Slurm shows; a job that ended, or is asked for, before it was eligible did not wait. */
static int64_t planned(const struct sheet *s, const struct record *j)
{
	sec_t until = j->start ? j->start : j->end ? j->end : s->now;
	return j->eligible && until > j->eligible ? until - j->eligible : 0;
}

static uint32_t alloc_cpus(const struct sheet *s, const struct record *j)
{
	if (j->step)
		return j->host_cpus;
	return s->v22 && !j->start ? j->req_cpus : j->ncpus;
}

static void put_id(GString *cell, const struct record *j)
{
	if (j->het_job)
		g_string_append_printf(cell, "%" PRIu32 "+%" PRIu32, j->het_job, j->het_offset);
	else if (!j->array_job)
		put_number(cell, j->job);
	else if (j->array_task != NO_VAL)
		g_string_append_printf(cell, "%" PRIu32 "_%" PRIu32, j->array_job, j->array_task);
	else if (*j->array_tasks)
		g_string_append_printf(cell, "%" PRIu32 "_%s", j->array_job, j->array_tasks);
	else
		put_number(cell, j->array_job);
}

static void cell_jobid(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	put_id(cell, j);
	if (j->step)
		g_string_append_printf(cell, ".%s", j->step_id);
}

static void cell_jobidraw(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	put_number(cell, j->job);
	if (j->step)
		g_string_append_printf(cell, ".%s", j->step_id);
}

static void cell_cluster(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)j;
	g_string_append(cell, s->cluster);
}

static void cell_submit(GString *cell, const struct sheet *s, const struct record *j)
{
	put_date(cell, s, j->step ? j->start : j->submit, "Unknown");
}

static void cell_eligible(GString *cell, const struct sheet *s, const struct record *j)
{
	put_date(cell, s, j->step ? j->start : j->eligible, "Unknown");
}

static void cell_start(GString *cell, const struct sheet *s, const struct record *j)
{
	if (s->from && j->start)
		put_date(cell, s, MAX(j->start, s->from), "Unknown");
	else if (!j->start && s->v22 && g_str_has_prefix(j->state, "CANCELLED"))
		put_date(cell, s, j->end, "Unknown");
	else
		put_date(cell, s, j->start, j->end ? "None" : "Unknown");
}

static void cell_end(GString *cell, const struct sheet *s, const struct record *j)
{
	bool cut = s->to && j->start && (!j->end || j->end > s->to);

	put_date(cell, s, cut ? s->to : j->end, "Unknown");
}

static void cell_elapsed(GString *cell, const struct sheet *s, const struct record *j)
{
	put_duration(cell, elapsed(s, j));
}

static void cell_elapsedraw(GString *cell, const struct sheet *s, const struct record *j)
{
	put_number(cell, elapsed(s, j));
}

static void cell_cputime(GString *cell, const struct sheet *s, const struct record *j)
{
	put_duration(cell, elapsed(s, j) * alloc_cpus(s, j));
}

static void cell_cputimeraw(GString *cell, const struct sheet *s, const struct record *j)
{
	put_number(cell, elapsed(s, j) * alloc_cpus(s, j));
}

static void cell_planned(GString *cell, const struct sheet *s, const struct record *j)
{
	put_duration(cell, planned(s, j));
}

/* Both time limit fields say the same words where there is no number. */
static bool put_limit_word(GString *cell, const struct record *j)
{
	if (j->time_limit == INFINITE)
		g_string_append(cell, "UNLIMITED");
	else if (j->time_limit == NO_VAL)
		g_string_append(cell, "Partition_Limit");
	return j->time_limit == INFINITE || j->time_limit == NO_VAL;
}

static void cell_timelimit(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	if (!put_limit_word(cell, j))
		put_duration(cell, (int64_t)j->time_limit * 60);
}

static void cell_timelimitraw(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	if (!put_limit_word(cell, j))
		put_number(cell, j->time_limit);
}

/* A step that the system ends has the signal of the end, one on a node that failed nothing. */
static void cell_exitcode(GString *cell, const struct sheet *s, const struct record *j)
{
	bool ended = g_str_has_prefix(j->state, "TIMEOUT") || g_str_has_prefix(j->state, "CANCELLED") ||
	             g_str_has_prefix(j->state, "PREEMPTED") || g_str_has_prefix(j->state, "REQUEUED");

	(void)s;
	if (j->described ? j->exit_code < 0 : j->step && g_str_has_prefix(j->state, "NODE_FAIL"))
		return;
	if (j->step && ended && !j->described)
		g_string_append(cell, "0:15");
	else
		g_string_append_printf(cell, "%d:%d", j->exit_code, j->exit_signal);
}

static void cell_state(GString *cell, const struct sheet *s, const struct record *j)
{
	static const char *const CUT_OFF[] = {"TIMEOUT", "CANCELLED", "PREEMPTED", "REQUEUED", "NODE_FAIL"};
	bool cut = false;

	(void)s;
	for (size_t i = 0; j->step && !j->described && i < G_N_ELEMENTS(CUT_OFF); i++)
		cut |= g_str_has_prefix(j->state, CUT_OFF[i]);
	g_string_append(cell, cut ? "CANCELLED" : j->state);
	if (!j->step && j->cancelled_by)
		g_string_append_printf(cell, " by %u", j->canceller);
}

static void cell_name(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	g_string_append(cell, j->step ? j->step_name : j->name);
}

static void cell_nnodes(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	put_number(cell, j->step ? j->step_nodes : j->nnodes ? j->nnodes : j->req_nodes);
}

static void cell_alloccpus(GString *cell, const struct sheet *s, const struct record *j)
{
	put_number(cell, alloc_cpus(s, j));
}

/* --units and --noconvert; else the largest unit that is exact. g_free. */
static char *memory_text(const struct sheet *s, uint64_t mib)
{
	static const char UNITS[] = "KMGTP";
	const char *at = s->unit ? strchr(UNITS, s->unit) : NULL;
	double value = (double)mib;

	if (!s->unit || (!mib && s->unit != 'n'))
		return memsize_format_mib(mib);
	if (!at)
		return g_strdup_printf("%" PRIu64 "M", mib);
	for (const char *u = UNITS + 1; u < at; u++)
		value /= 1024;
	if (s->unit == 'K')
		value *= 1024;
	return value == floor(value) ? g_strdup_printf("%.0f%c", value, s->unit)
	                             : g_strdup_printf("%.2f%c", value, s->unit);
}

static void cell_reqmem(GString *cell, const struct sheet *s, const struct record *j)
{
	put_taken(cell, memory_text(s, j->req_mem));
}

/* A TRES string with its memory in the unit that was asked for. */
static void put_tres(GString *cell, const struct sheet *s, const char *tres)
{
	char **items = g_strsplit(tres, ",", -1);

	for (char **p = items; *p; p++) {
		uint64_t mib;

		g_string_append(cell, p == items ? "" : ",");
		if (s->unit && g_str_has_prefix(*p, "mem=") && memsize_parse_mib(*p + 4, &mib)) {
			char *text = memory_text(s, mib);
			g_string_append_printf(cell, "mem=%s", text);
			g_free(text);
		} else {
			g_string_append(cell, *p);
		}
	}
	g_strfreev(items);
}

static void cell_reqtres(GString *cell, const struct sheet *s, const struct record *j)
{
	if (!j->step)
		put_tres(cell, s, j->req_tres);
}

static void cell_alloctres(GString *cell, const struct sheet *s, const struct record *j)
{
	put_tres(cell, s, j->step ? j->tres : j->alloc_tres);
}

static void cell_allocnodes(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	put_number(cell, j->step ? j->step_nodes : j->nnodes);
}

static void cell_reqcpus(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	put_number(cell, j->step ? j->host_cpus : j->req_cpus);
}

static void cell_reqnodes(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	put_number(cell, j->step ? j->step_nodes : j->req_nodes);
}

static void cell_plannedcpu(GString *cell, const struct sheet *s, const struct record *j)
{
	put_duration(cell, planned(s, j) * j->req_cpus);
}

static void cell_plannedcpuraw(GString *cell, const struct sheet *s, const struct record *j)
{
	put_number(cell, planned(s, j) * j->req_cpus);
}

static void cell_suspended(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	put_duration(cell, j->suspended);
}

static void cell_uid(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	put_number(cell, j->uid);
}

/* "license/matlab=8,license/ansys=1" of a TRES string as "matlab:8,ansys:1" */
static void cell_licenses(GString *cell, const struct sheet *s, const struct record *j)
{
	char **items = g_strsplit(j->req_tres, ",", -1);

	(void)s;
	for (char **p = items; *p; p++) {
		char *eq = strchr(*p, '=');
		if (g_str_has_prefix(*p, "license/") && eq)
			g_string_append_printf(cell, "%s%.*s:%s", cell->len ? "," : "", (int)(eq - *p - 8), *p + 8,
			                       eq + 1);
	}
	g_strfreev(items);
}

static void cell_energy(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	g_string_append(cell, j->step || j->end ? "0" : "");
}

static void cell_nodelist(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	g_string_append(cell, j->step ? j->host : *j->nodelist ? j->nodelist : "None assigned");
}

static void cell_reason(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	g_string_append(cell, *j->reason ? j->reason : "None");
}

static void cell_flags(GString *cell, const struct sheet *s, const struct record *j)
{
	static const struct {
		const char *scheduler, *flag;
	} flags[] = {{"main", "SchedMain,"}, {"backfill", "SchedBackfill,"}, {"submit", "SchedSubmit,"}};
	for (size_t i = 0; i < G_N_ELEMENTS(flags); i++)
		if (strcmp(j->scheduler, flags[i].scheduler) == 0)
			g_string_append(cell, flags[i].flag);
	g_string_append(cell, s->v22 ? "StartRecieved" : "StartReceived"); /* so spelt in 22.05 */
}

/* KiB as sacct shows use of memory: "165156K". */
static void put_kib(GString *cell, const struct sheet *s, uint64_t kib)
{
	if (kib && s->unit == 'n')
		g_string_append_printf(cell, "%" PRIu64, kib * 1024);
	else if (kib && s->unit && s->unit != 'K')
		put_taken(cell, memory_text(s, kib / 1024));
	else if (kib)
		g_string_append_printf(cell, "%" PRIu64 "K", kib);
}

static void cell_max_rss(GString *cell, const struct sheet *s, const struct record *j)
{
	if (j->step)
		put_kib(cell, s, j->max_rss);
}

static void cell_ave_rss(GString *cell, const struct sheet *s, const struct record *j)
{
	if (j->step)
		put_kib(cell, s, j->ave_rss);
}

static bool is_numbered(const struct record *j)
{
	return j->step && g_ascii_isdigit(*j->step_id);
}

static void cell_ntasks(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	if (j->step)
		put_number(cell, j->tasks);
}

static void cell_layout(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	if (j->step)
		g_string_append(cell, is_numbered(j) ? "Cyclic" : "Unknown");
}

/* Recorded (sacct-P-all): of srun's steps as of the job, of the others 0. */
static void cell_frequency(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	g_string_append(cell, j->step && !is_numbered(j) ? "0" : "Unknown");
}

/* Below an hour with milliseconds, "03:03.168"; nothing used is "00:00:00". */
static void cell_totalcpu(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	usec_t ms = MAX(0, j->cpu_time) / 1000;
	if (ms >= 3600000 || ms % 1000 == 0)
		put_duration(cell, ms / 1000);
	else
		g_string_append_printf(cell, "%02d:%02d.%03d", (int)(ms / 60000), (int)(ms / 1000 % 60), (int)(ms % 1000));
}

static void cell_derived(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	if (!j->step)
		g_string_append_printf(cell, "%d:%d", j->derived_code, j->derived_signal);
}

/* --- the fields --- */

#define MEMBER(kind, member) kind, offsetof(struct record, member), NULL, NULL, NULL
#define CELL(kind, put) kind##_BY, 0, put, NULL, NULL
/* blank in the row of a step */
#define JOB(kind, member) kind, offsetof(struct record, member), NULL, NULL, ""
#define JOB_CELL(kind, put) kind##_BY, 0, put, NULL, ""
#define ALWAYS(job, step) FIXED, 0, NULL, job, step

const struct sacct_field SACCT_FIELDS[] = {
    {"Account", 10, MEMBER(TEXT, account), 0},
    {"AdminComment", 15, ALWAYS("", ""), 0},
    {"AllocCPUS", 10, CELL(NUMBER, cell_alloccpus), 0},
    {"AllocNodes", 10, CELL(NUMBER, cell_allocnodes), 0},
    {"AllocTRES", 10, CELL(TEXT, cell_alloctres), 0},
    {"AssocID", 7, ALWAYS("", ""), 0},
    {"AveCPU", 10, ALWAYS("", ""), 0},
    {"AveCPUFreq", 10, ALWAYS("", "0"), 0},
    {"AveDiskRead", 14, ALWAYS("", ""), 0},
    {"AveDiskWrite", 14, ALWAYS("", ""), 0},
    {"AvePages", 10, ALWAYS("", ""), 0},
    {"AveRSS", 10, CELL(TEXT, cell_ave_rss), 0},
    {"AveVMSize", 10, ALWAYS("", ""), 0},
    {"BlockID", 16, ALWAYS("", ""), 0},
    {"Cluster", 10, CELL(TEXT, cell_cluster), 0},
    {"Comment", 14, ALWAYS("", ""), 0},
    {"Constraints", 19, JOB(TEXT, constraints), 0},
    {"ConsumedEnergy", 14, CELL(NUMBER, cell_energy), 0},
    {"ConsumedEnergyRaw", 17, CELL(NUMBER, cell_energy), 0},
    {"Container", 19, ALWAYS("", ""), 0},
    {"CPUTime", 10, CELL(NUMBER, cell_cputime), 0},
    {"CPUTimeRAW", 10, CELL(NUMBER, cell_cputimeraw), 0},
    {"DBIndex", -21, MEMBER(NUMBER, job), 0},
    {"DerivedExitCode", 15, CELL(TEXT, cell_derived), 0},
    {"Elapsed", 10, CELL(NUMBER, cell_elapsed), 0},
    {"ElapsedRaw", 10, CELL(NUMBER, cell_elapsedraw), 0},
    {"Eligible", 19, CELL(NUMBER, cell_eligible), 0},
    {"End", 19, CELL(NUMBER, cell_end), 0},
    {"Exclusive", 14, ALWAYS("NO", ""), 26},
    {"ExitCode", 8, CELL(TEXT, cell_exitcode), 0},
    {"Extra", 14, ALWAYS("", ""), 26},
    {"FailedNode", 8, ALWAYS("", ""), 26},
    {"Flags", 19, JOB_CELL(TEXT, cell_flags), 0},
    {"GID", 6, JOB_CELL(NUMBER, cell_uid), 0},
    {"Group", 9, JOB(TEXT, user), 0},
    {"JobID", -12, CELL(TEXT, cell_jobid), 0},
    {"JobIDRaw", -12, CELL(TEXT, cell_jobidraw), 0},
    {"JobName", 10, CELL(TEXT, cell_name), 0},
    {"Layout", 9, CELL(TEXT, cell_layout), 0},
    {"Licenses", 10, JOB_CELL(TEXT, cell_licenses), 26},
    {"MaxDiskRead", 12, ALWAYS("", ""), 0},
    {"MaxDiskReadNode", 15, ALWAYS("", ""), 0},
    {"MaxDiskReadTask", 15, ALWAYS("", ""), 0},
    {"MaxDiskWrite", 12, ALWAYS("", ""), 0},
    {"MaxDiskWriteNode", 16, ALWAYS("", ""), 0},
    {"MaxDiskWriteTask", 16, ALWAYS("", ""), 0},
    {"MaxPages", 8, ALWAYS("", ""), 0},
    {"MaxPagesNode", 12, ALWAYS("", ""), 0},
    {"MaxPagesTask", 14, ALWAYS("", ""), 0},
    {"MaxRSS", 10, CELL(TEXT, cell_max_rss), 0},
    {"MaxRSSNode", 10, ALWAYS("", ""), 0},
    {"MaxRSSTask", 10, ALWAYS("", ""), 0},
    {"MaxVMSize", 10, ALWAYS("", ""), 0},
    {"MaxVMSizeNode", 14, ALWAYS("", ""), 0},
    {"MaxVMSizeTask", 14, ALWAYS("", ""), 0},
    {"McsLabel", 12, ALWAYS("", ""), 0},
    {"MinCPU", 10, ALWAYS("", ""), 0},
    {"MinCPUNode", 10, ALWAYS("", ""), 0},
    {"MinCPUTask", 10, ALWAYS("", ""), 0},
    {"NCPUS", 10, CELL(NUMBER, cell_alloccpus), 0},
    {"NNodes", 8, CELL(NUMBER, cell_nnodes), 0},
    {"NodeList", 15, CELL(TEXT, cell_nodelist), 0},
    {"NTasks", 8, CELL(NUMBER, cell_ntasks), 0},
    {"OriginalSLUID", 14, ALWAYS("", ""), 26},
    {"OverSubscribe", 14, ALWAYS("NO", ""), 26},
    {"Partition", 10, JOB(TEXT, partition), 0},
    {"Planned", 10, JOB_CELL(NUMBER, cell_planned), 26},
    {"PlannedCPU", 10, JOB_CELL(NUMBER, cell_plannedcpu), 26},
    {"PlannedCPURAW", 13, JOB_CELL(NUMBER, cell_plannedcpuraw), 26},
    {"Priority", 10, JOB(NUMBER, priority), 0},
    {"QOS", 10, JOB(TEXT, qos), 0},
    {"QOSRAW", 6, ALWAYS("", ""), 0},
    {"QOSREQ", 10, ALWAYS("", ""), 26},
    {"Reason", 22, JOB_CELL(TEXT, cell_reason), 0},
    {"ReqCPUFreq", 10, CELL(TEXT, cell_frequency), 0},
    {"ReqCPUFreqGov", 13, CELL(TEXT, cell_frequency), 0},
    {"ReqCPUFreqMax", 13, CELL(TEXT, cell_frequency), 0},
    {"ReqCPUFreqMin", 13, CELL(TEXT, cell_frequency), 0},
    {"ReqCPUS", 8, CELL(NUMBER, cell_reqcpus), 0},
    {"ReqMem", 10, JOB_CELL(TEXT, cell_reqmem), 0},
    {"ReqNodes", 8, CELL(NUMBER, cell_reqnodes), 0},
    {"ReqTRES", 10, CELL(TEXT, cell_reqtres), 0},
    {"Reservation", 20, ALWAYS("", ""), 0},
    {"ReservationId", 8, ALWAYS("", ""), 0},
    {"ReqReservation", 20, ALWAYS("", ""), 26},
    {"Reserved", 10, JOB_CELL(NUMBER, cell_planned), 22},
    {"ResvCPU", 10, JOB_CELL(NUMBER, cell_plannedcpu), 22},
    {"ResvCPURAW", 10, JOB_CELL(NUMBER, cell_plannedcpuraw), 22},
    {"Restarts", 8, JOB(NUMBER, run), 26},
    {"SegmentSize", 11, ALWAYS("", ""), 26},
    {"SLUID", 14, ALWAYS("", ""), 26},
    {"Start", 19, CELL(NUMBER, cell_start), 0},
    {"State", 10, CELL(TEXT, cell_state), 0},
    {"StdErr", 20, ALWAYS("", ""), 26},
    {"StdIn", 20, ALWAYS("/dev/null", ""), 26},
    {"StdOut", 20, ALWAYS("/dev/null", ""), 26},
    {"Submit", 19, CELL(NUMBER, cell_submit), 0},
    {"SubmitLine", 20, ALWAYS("", ""), 0},
    {"Suspended", 10, CELL(NUMBER, cell_suspended), 0},
    {"SystemComment", 15, ALWAYS("", ""), 0},
    {"SystemCPU", 10, ALWAYS("00:00:00", "00:00:00"), 0},
    {"Timelimit", 10, JOB_CELL(NUMBER, cell_timelimit), 0},
    {"TimelimitRaw", 10, JOB_CELL(NUMBER, cell_timelimitraw), 0},
    {"TotalCPU", 10, CELL(NUMBER, cell_totalcpu), 0},
    {"TRESUsageInAve", 14, ALWAYS("", ""), 0},
    {"TRESUsageInMax", 14, ALWAYS("", ""), 0},
    {"TRESUsageInMaxNode", 18, ALWAYS("", ""), 0},
    {"TRESUsageInMaxTask", 18, ALWAYS("", ""), 0},
    {"TRESUsageInMin", 14, ALWAYS("", ""), 0},
    {"TRESUsageInMinNode", 18, ALWAYS("", ""), 0},
    {"TRESUsageInMinTask", 18, ALWAYS("", ""), 0},
    {"TRESUsageInTot", 14, ALWAYS("", ""), 0},
    {"TRESUsageOutAve", 15, ALWAYS("", ""), 0},
    {"TRESUsageOutMax", 15, ALWAYS("", ""), 0},
    {"TRESUsageOutMaxNode", 19, ALWAYS("", ""), 0},
    {"TRESUsageOutMaxTask", 19, ALWAYS("", ""), 0},
    {"TRESUsageOutMin", 15, ALWAYS("", ""), 0},
    {"TRESUsageOutMinNode", 19, ALWAYS("", ""), 0},
    {"TRESUsageOutMinTask", 19, ALWAYS("", ""), 0},
    {"TRESUsageOutTot", 15, ALWAYS("", ""), 0},
    {"UID", 6, JOB_CELL(NUMBER, cell_uid), 0},
    {"User", 9, JOB(TEXT, user), 0},
    {"UserCPU", 10, ALWAYS("00:00:00", "00:00:00"), 0},
    {"WCKey", 10, ALWAYS("", ""), 0},
    {"WCKeyID", 10, ALWAYS("0", ""), 0},
    {"WorkDir", 20, ALWAYS("", ""), 0},
};
const size_t N_SACCT_FIELDS = G_N_ELEMENTS(SACCT_FIELDS);

void sacct_fill_cell(GString *cell, const struct sacct_field *f, const struct sheet *s, const struct record *j)
{
	const char *member = (const char *)j + f->member;

	g_string_truncate(cell, 0);
	if (j->step && f->fixed_step)
		g_string_append(cell, f->fixed_step);
	else if (f->kind == FIXED)
		g_string_append(cell, f->fixed);
	else if (f->put)
		f->put(cell, s, j);
	else if (f->kind == TEXT)
		g_string_append(cell, *(const char *const *)member);
	else
		put_number(cell, *(const uint32_t *)member);
}

bool sacct_field_is_text(const struct sacct_field *f)
{
	return f->kind == TEXT || f->kind == TEXT_BY || f->kind == FIXED;
}

const struct sacct_field *sacct_find_field(const char *name)
{
	for (size_t i = 0; i < N_SACCT_FIELDS; i++)
		if (g_ascii_strcasecmp(SACCT_FIELDS[i].name, name) == 0)
			return &SACCT_FIELDS[i];
	return NULL;
}

/* --- the batch step: on the first node of the job, with what the job holds there --- */

static uint32_t cpus_in(const char *list)
{
	char *text = g_strdup_printf("[%s]", list);
	gint64 n = hostlist_count(text, NULL);

	g_free(text);
	return n > 0 ? (uint32_t)n : 0;
}

/* "gpu:h100:2(IDX:0-1)" as TRES, the type before the kind. */
static void put_gres(GString *tres, const char *gres)
{
	char *plain = g_strndup(gres, strcspn(gres, "(")), **part = g_strsplit(plain, ":", 3);
	guint n = g_strv_length(part);

	if (n == 3)
		g_string_append_printf(tres, ",gres/%s:%s=%s", part[0], part[1], part[2]);
	if (n >= 2)
		g_string_append_printf(tres, ",gres/%s=%s", part[0], part[n - 1]);
	g_strfreev(part);
	g_free(plain);
}

void record_begin_step(struct record *j)
{
	cJSON *all = cJSON_Parse(j->placement), *first = cJSON_GetArrayItem(all, 0);
	const char *host = cJSON_GetStringValue(cJSON_GetObjectItem(first, "node"));
	const char *cpus = cJSON_GetStringValue(cJSON_GetObjectItem(first, "cpus"));
	const char *gres = cJSON_GetStringValue(cJSON_GetObjectItem(first, "gres"));
	const cJSON *mem = cJSON_GetObjectItem(first, "mem");
	GString *tres = g_string_new(NULL);

	j->step = true;
	j->step_id = j->step_name = "batch";
	j->step_nodes = j->tasks = 1;
	j->cpu_time = -1;
	j->host = g_strdup(host ? host : j->nodelist);
	j->host_cpus = cpus ? cpus_in(cpus) : j->ncpus / MAX(1, j->nnodes);
	g_string_printf(tres, "cpu=%u", j->host_cpus);
	if (gres && *gres)
		put_gres(tres, gres);
	if (mem) {
		char *text = memsize_format_mib((uint64_t)MAX(0, mem->valuedouble));
		g_string_append_printf(tres, ",mem=%s", text);
		g_free(text);
	}
	g_string_append(tres, ",node=1");
	j->tres = g_string_free(tres, FALSE);
	cJSON_Delete(all);
}

void record_end_step(struct record *j)
{
	j->step = false;
	g_clear_pointer(&j->host, g_free);
	g_clear_pointer(&j->tres, g_free);
}
