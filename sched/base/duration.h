/*
 * duration.h - Slurm's time limits and dates.
 *
 * Simulated instants are microseconds since the Unix epoch in int64_t (usec_t); what Slurm holds in whole seconds
 * is int64_t seconds (sec_t); limits are uint32_t minutes with the sentinels of Slurm.
 */
#ifndef SCHED_BASE_DURATION_H
#define SCHED_BASE_DURATION_H
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef int64_t usec_t;
typedef int64_t sec_t;
#define USEC INT64_C(1000000)

#define NO_VAL UINT32_C(0xfffffffe)   /* "not given" */
#define INFINITE UINT32_C(0xffffffff) /* "no limit" */
#define NO_VAL64 UINT64_C(0xfffffffffffffffe)
#define INFINITE64 UINT64_C(0xffffffffffffffff)

/* Whole seconds of an instant: floor, also for negative times. */
static inline sec_t usec_to_sec(usec_t t) { return t >= 0 ? t / USEC : -((-t + USEC - 1) / USEC); }

/* Parse "minutes", "minutes:seconds", "hours:minutes:seconds", "days-hours[:minutes[:seconds]]", and
 * "-1"/"INFINITE"/"UNLIMITED" (any case). False on anything else or overflow. */
bool duration_parse_seconds(const char *text, int64_t *seconds); /* *seconds = -1 when unlimited */
bool duration_parse_minutes(const char *text, uint32_t *minutes); /* seconds round UP to a minute; INFINITE when unlimited */
/* sacct durations: "[D-]HH:MM:SS", "MM:SS[.mmm]" -> microseconds. False on bad text. */
bool duration_parse_elapsed(const char *text, usec_t *out);

/* "[D-]HH:MM:SS" (sacct Elapsed, Timelimit), at least two digits for hours. g_free. */
char *duration_format(int64_t seconds);
/* squeue's TIME and TIME_LIMIT form: "M:SS", "H:MM:SS", "D-HH:MM:SS" ("0:00" for 0). g_free. */
char *duration_format_squeue(int64_t seconds);

/* "YYYY-MM-DDTHH:MM:SS" (also with blank, without seconds, with fraction, with Z or +hh:mm, or a bare epoch
 * number) -> seconds since the epoch. ZONE NULL means UTC. False on bad text. */
bool date_parse(const char *text, GTimeZone *zone, sec_t *out);
/* "YYYY-MM-DDTHH:MM:SS" in ZONE (NULL: UTC). g_free. */
char *date_format(sec_t t, GTimeZone *zone);

/* What sbatch --begin and --deadline accept, relative to NOW: "now", "now+15" (seconds), "now+2hours" (seconds minutes
 * hours days weeks), "HH:MM[:SS] [AM|PM]", "MMDDYY", "MM/DD/YY", "MM.DD.YY", "YYYY-MM-DD[THH:MM[:SS]]", "midnight",
 * "elevenses", "noon", "fika", "teatime", "today", "tomorrow"; a time of day already past today means tomorrow. An epoch number is accepted. */
bool date_parse_begin(const char *text, sec_t now, GTimeZone *zone, sec_t *out);
/* TEXT says "elevenses" (11:00), which 26 knows and 22.05 does not (recorded: lifecycle, b11; answers of scontrol). */
bool date_says_elevenses(const char *text);
#endif
