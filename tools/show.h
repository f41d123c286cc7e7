/*
 * show.h - records as `scontrol show` prints them (spec command-output.md 7): lines of key=value, or one line each.
 *
 * A record is made as text first: lines joined by "\n   ", or by blanks with -o. What a simulation cannot know
 * (addresses, load, boot times, command lines) is printed as Slurm prints what is unset: host addresses are the node's
 * name, loads 0.00.
 */
#ifndef TOOLS_SHOW_H
#define TOOLS_SHOW_H
#include "tools/job_fields.h"

enum { SHOW_DETAILS = 1, SHOW_ONE_LINE = 2 };

/* All of a kind, or those that NAMES (NULL = all) names. What is not found is told on stderr. An exit code: 0, or 1. */
int show_jobs(FILE *out, const struct job_view *v, const char *names, int flags);
int show_nodes(FILE *out, const struct job_view *v, const char *names, int flags);
int show_partitions(FILE *out, const struct job_view *v, const char *names, int flags);
int show_reservations(FILE *out, const struct job_view *v, const char *names, int flags);
int show_licenses(FILE *out, const struct job_view *v, const char *names, int flags);
/* Switches or blocks: all, or (22.05) by name, or those of a node ("node=n1"; 22.05 "n1"). */
int show_topology(FILE *out, const struct job_view *v, const char *names, int flags);
/* scontrol completing: jobs that have ended but still hold nodes. */
int show_completing(FILE *out, const struct job_view *v);
/* Needs no cluster. NAMES: a list, or the name of a file that holds one ("/..."). Sorted keeps what is there twice. */
enum host_form { HOST_NAMES, HOST_LIST, HOST_SORTED };
int show_hostnames(FILE *out, const char *names, enum host_form form);

/* Print record S (taken over); ROW separates its lines. */
void show_record(FILE *out, GString *s, int flags, const char *row);

/* ---- pieces that JSON and sinfo share; g_free ---- */
/* "MIXED+DRAIN" */
char *node_state_words(const struct job_view *v, const struct node *n);
char *node_gres_configured(const struct node *n);                           /* "gpu:a100:8(S:0-1)"; NULL = none */
char *node_partitions(const struct job_view *v, const struct node *n);      /* "gpu,long" */
char *node_tres(const struct job_view *v, const struct node *n, bool used); /* CfgTRES, or AllocTRES ("") */
char *partition_tres(const struct job_view *v, const struct partition *p);
const char *partition_state(const struct partition *p);   /* "UP" */
char *partition_oversubscribe(const struct partition *p); /* "FORCE:2" */
char *partition_preempt_mode(const struct job_view *v, const struct partition *p);
const struct reservation *node_reservation(const struct job_view *v, const struct node *n); /* active one; NULL */
#endif
