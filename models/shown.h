/*
 * shown.h - outputs of "scontrol show config, partition, node" and of sinfo in the place of a slurm.conf.
 *
 * Each output is turned into the lines that slurm.conf would have had; the reader of slurm.conf takes them from there
 * and reports at the file and line of the output. What only a running daemon has (BOOT_TIME, AllocMem...), what is
 * unset
 * ("(null)", N/A), and what the release itself calls obsolete is left out. Values lose their units ("30 sec"). A node's
 * state and reason come along: DOWN, DRAIN, FAIL and FUTURE nodes are so at the start.
 *
 * Nodes that a partition names but no file describes get CPUs, memory and GPUs from the totals of their partitions (the
 * TRES= line): partitions from the smallest to the largest, each dividing what is left of its totals among its nodes
 * that have none yet. CPUs and memory are shared out evenly; GPUs go in whole machines, as many as the described nodes
 * have, or else the next power of two, to as many nodes as the total gives. So sums are right, while single nodes are
 * guesses; a warning says so. CPUs without a known shape are two sockets of cores.
 *
 * Columns of sinfo are told by a header line or by their look: node names first, name:type:count is GRES, n/n/n/n CPUs
 * by state, a:b:c sockets, cores and threads, a state's word; a lone number is CPUs; the last column is the partition.
 */
#ifndef MODELS_SHOWN_H
#define MODELS_SHOWN_H
#include "models/conflex.h"
#include "models/siteinput.h"

#define SHOWN_NODES_MAX 1000000u

struct shown;
/* LINES are handed to FN (which owns them) with DATA, as conflex_file does. */
struct shown *shown_new(conf_line_fn fn, void *data, struct diag *d);
/* Take TEXT of KIND (not SITE_CONF), called NAME in messages. */
void shown_take(struct shown *s, const char *text, const char *name, enum site_kind kind);
/* All was taken: hand over what is left, the nodes last. GRES_TYPES, TRES: GresTypes and AccountingStorageTRES were
 * given; otherwise they are what the nodes and partitions show. Frees S. */
void shown_finish(struct shown *s, bool gres_types, bool tres);

/* One [WORD=]VALUE record of "scontrol show": records begin with FIRST ("NodeName"). Calls FN for each with a list of
 * struct conf_pair in order. KEYS (NULL-terminated) are the words that begin a pair; anything else belongs to the value
 * before it. Used for reservations too. */
typedef void (*shown_record_fn)(const struct conf_pair *pair, guint n, void *data);
void shown_records(const char *text, const char *name, const char *first, const char *const *keys, shown_record_fn fn,
                   void *data);
#endif
