/*
 * cores.h - which cores of one node a job gets (node-selection N54, N55), on bare words: core k = bit k.
 *
 * Cores are numbered through the sockets: socket s holds cores s*n .. s*n+n-1, n = cores per socket. Nothing is
 * allocated: callers bring words of core_words() length, so that a trial can judge thousands of nodes with one piece of
 * scratch.
 */
#ifndef SCHED_CORES_H
#define SCHED_CORES_H
#include "sched/cluster.h"

#define SOCKETS_MAX 1024u /* a node with more counts as one socket (CPUs=n alone makes n sockets) */
static inline uint32_t socket_count(const struct node_config *k)
{
	return k->sockets <= SOCKETS_MAX ? k->sockets : 1;
}
static inline uint32_t socket_size(const struct node_config *k)
{
	return k->sockets <= SOCKETS_MAX ? k->cores_per_socket : k->cores;
}

static inline uint32_t core_words(const struct node_config *k)
{
	return (k->cores + 63u) / 64;
}
static inline bool core_test(const uint64_t *w, uint32_t i)
{
	return (w[i >> 6] >> (i & 63)) & 1;
}
static inline void core_set(uint64_t *w, uint32_t i)
{
	w[i >> 6] |= UINT64_C(1) << (i & 63);
}
static inline void core_clear(uint64_t *w, uint32_t i)
{
	w[i >> 6] &= ~(UINT64_C(1) << (i & 63));
}
/* Set bits among FIRST .. FIRST+N-1. */
uint32_t cores_in(const uint64_t *w, uint32_t first, uint32_t n);
static inline uint32_t cores_on_socket(const uint64_t *w, const struct node_config *k, uint32_t socket)
{
	return cores_in(w, socket * socket_size(k), socket_size(k));
}
static inline uint32_t cores_all(const uint64_t *w, const struct node_config *k)
{
	return cores_in(w, 0, k->cores);
}
/* Only the KEEP lowest cores of the range stay. */
void cores_keep_lowest(uint64_t *w, uint32_t first, uint32_t n, uint32_t keep);
static inline void cores_keep_on_socket(uint64_t *w, const struct node_config *k, uint32_t socket, uint32_t keep)
{
	cores_keep_lowest(w, socket * socket_size(k), socket_size(k), keep);
}
/* CR_Socket: sockets that are not wholly set are cleared / sockets with any core set are filled. */
void cores_drop_broken_sockets(uint64_t *w, const struct node_config *k);
void cores_fill_sockets(uint64_t *w, const struct node_config *k);

struct core_request {
	uint32_t cpus;        /* u of N52 */
	uint32_t cpt;         /* CPUs per task */
	uint32_t c;           /* CPUs that a core covers (N33.3) */
	uint32_t per_socket;  /* ntasks-per-socket, 0 = not given */
	bool whole_core_task; /* ntasks-per-core=1 with cpt > c: a task uses whole cores */
};
/* N54: cyclic over the sockets. Sets bits in OUT (which may hold some already) and returns how many. */
uint32_t cores_cyclic(const struct node_config *k, const uint64_t *cand, const struct core_request *r, uint64_t *out);
/* N55: fewest boards, then fullest sockets, lowest cores first. */
uint32_t cores_block(const struct node_config *k, const uint64_t *cand, const struct core_request *r, uint64_t *out);
/* Set in W the COUNT cores that CoreSpecCount or --core-spec takes: the last ones of the sockets, in turn from the last socket; FIRST: the first ones. */
void cores_special(const struct node_config *k, uint32_t count, bool first, uint64_t *w);
#endif
