/* cores.c - see cores.h */
#include "sched/cores.h"

uint32_t cores_in(const uint64_t *w, uint32_t first, uint32_t n)
{
	uint32_t count = 0, end = first + n;
	while (first < end) {
		uint32_t bit = first & 63, take = MIN(64 - bit, end - first);
		uint64_t mask = take == 64 ? UINT64_MAX : ((UINT64_C(1) << take) - 1) << bit;
		count += bitset_word_count(w[first >> 6] & mask);
		first += take;
	}
	return count;
}

void cores_keep_lowest(uint64_t *w, uint32_t first, uint32_t n, uint32_t keep)
{
	for (uint32_t end = first + n; first < end;) {
		uint32_t bit = first & 63, take = MIN(64 - bit, end - first);
		uint64_t mask = take == 64 ? UINT64_MAX : ((UINT64_C(1) << take) - 1) << bit,
		         here = w[first >> 6] & mask;
		uint32_t count = bitset_word_count(here);
		if (count > keep) {
			uint64_t gone = here;
			for (; keep; keep--)
				gone &= gone - 1; /* the lowest stays */
			w[first >> 6] &= ~gone;
		} else {
			keep -= count;
		}
		first += take;
	}
}

void cores_drop_broken_sockets(uint64_t *w, const struct node_config *k)
{
	for (uint32_t s = 0; s < socket_count(k); s++)
		if (cores_on_socket(w, k, s) < socket_size(k))
			cores_keep_on_socket(w, k, s, 0);
}

void cores_fill_sockets(uint64_t *w, const struct node_config *k)
{
	for (uint32_t s = 0; s < socket_count(k); s++)
		if (cores_on_socket(w, k, s))
			for (uint32_t i = s * socket_size(k); i < (s + 1u) * socket_size(k); i++)
				core_set(w, i);
}

/* Move up to WANT of the lowest cores of the socket that are candidates and not taken yet. */
static uint32_t take(const struct node_config *k, const uint64_t *cand, uint32_t socket, uint32_t want, uint64_t *out)
{
	uint32_t got = 0, first = socket * socket_size(k), end = first + socket_size(k);
	while (first < end && got < want) {
		uint32_t n = MIN(64 - (first & 63), end - first);
		uint64_t *o = &out[first >> 6], mask = n == 64 ? UINT64_MAX : ((UINT64_C(1) << n) - 1) << (first & 63);
		for (uint64_t bits = cand[first >> 6] & ~*o & mask; bits && got < want; bits &= bits - 1, got++)
			*o |= bits & -bits;
		first += n;
	}
	return got;
}

static uint32_t free_on(const struct node_config *k, const uint64_t *cand, const uint64_t *out, uint32_t socket)
{
	uint32_t n = 0, first = socket * socket_size(k);
	for (uint32_t i = first; i < first + socket_size(k); i++)
		n += core_test(cand, i) && !core_test(out, i);
	return n;
}

static uint32_t cover(uint32_t cpus, uint32_t c)
{
	return (cpus + c - 1) / c;
}

/* One core of each socket in turn. The turns are only counted; a socket gives its lowest cores whatever the order. */
static uint32_t take_round_robin(const struct node_config *k, const uint64_t *cand, uint32_t need, const uint32_t *room, uint64_t *out)
{
	uint32_t got = 0, left[SOCKETS_MAX], n[SOCKETS_MAX] = {0};
	for (uint32_t s = 0; s < socket_count(k); s++)
		left[s] = room[s] && need ? MIN(room[s], free_on(k, cand, out, s)) : 0;
	for (bool moved = true; got < need && moved;) {
		moved = false;
		for (uint32_t s = 0; s < socket_count(k) && got < need; s++)
			if (n[s] < left[s]) {
				n[s]++;
				got++;
				moved = true;
			}
	}
	for (uint32_t s = 0; s < socket_count(k); s++)
		take(k, cand, s, n[s], out);
	return got;
}

/* N54 with ntasks-per-socket: room[] becomes the cores that each socket may give. */
static void limit_sockets(const struct node_config *k, const struct core_request *r, uint32_t u, uint32_t *room)
{
	uint32_t cpus[SOCKETS_MAX], total = 0, most = r->per_socket * r->cpt;
	for (uint32_t s = 0; s < socket_count(k); s++)
		total += cpus[s] = room[s] * r->c;
	for (uint32_t s = 0; s < socket_count(k) && total > u; s++)
		if (cpus[s] > most) {
			total -= cpus[s] - most;
			cpus[s] = most;
		}
	for (uint32_t s = 0; s < socket_count(k); s++) {
		if (cpus[s] && total - cpus[s] >= u) {
			total -= cpus[s];
			cpus[s] = 0;
		}
		room[s] = cover(cpus[s], r->c);
	}
}

uint32_t cores_cyclic(const struct node_config *k, const uint64_t *cand, const struct core_request *r, uint64_t *out)
{
	uint32_t u = r->cpus, cpt = r->cpt, room[SOCKETS_MAX], got = 0;
	if (r->whole_core_task && cpt > r->c) {
		uint32_t whole = cover(cpt, r->c) * r->c;
		u = cover(u, cpt) * whole;
		cpt = whole;
	}
	uint32_t need = cover(u, r->c);
	for (uint32_t s = 0; s < socket_count(k); s++)
		room[s] = cores_on_socket(cand, k, s);
	if (r->per_socket) {
		limit_sockets(k, r, u, room);
	} else if (cpt > 1) { /* whole tasks, socket by socket, first */
		for (uint32_t s = 0; s < socket_count(k) && got < need; s++) {
			uint32_t tasks_cpus = MIN(room[s] * r->c / cpt * cpt, u - MIN(u, got * r->c));
			uint32_t n = take(k, cand, s, cover(tasks_cpus, r->c), out);
			room[s] -= n;
			got += n;
		}
	}
	return got + take_round_robin(k, cand, need - MIN(need, got), room, out);
}

/* A set of boards: bit b of SET is board b of PER_BOARD sockets. */
struct boards {
	uint32_t set, per_board;
};

static uint32_t in_boards(const struct boards *b, uint32_t socket)
{
	return (b->set >> (socket / b->per_board)) & 1;
}

/* Take NEED cores from the sockets of B: the smallest socket that holds them all, else the fullest, again and again. */
static uint32_t take_from_sockets(const struct node_config *k, const uint64_t *cand, const struct boards *b,
                                  uint32_t need, uint64_t *out)
{
	uint32_t got = 0;
	while (got < need) {
		int best = -1;
		uint32_t most = 0;
		for (uint32_t s = 0; s < socket_count(k); s++) {
			uint32_t f = in_boards(b, s) ? free_on(k, cand, out, s) : 0;
			bool fits = f >= need, best_fits = best >= 0 && most >= need;
			if (f && (best < 0 || (fits && !best_fits) || (fits && f < most) ||
			          (!fits && !best_fits && f > most))) {
				best = (int)s;
				most = f;
			}
		}
		if (best < 0)
			break;
		got += take(k, cand, (uint32_t)best, need - got, out);
	}
	return got;
}

/* How many sockets of B are needed for NEED cores, fullest first; *all = its candidate cores. */
static uint32_t sockets_needed(const struct node_config *k, const uint64_t *cand, const struct boards *b, uint32_t need,
                               uint32_t *all)
{
	uint32_t size[SOCKETS_MAX], n = 0;
	*all = 0;
	for (uint32_t s = 0; s < socket_count(k); s++)
		*all += size[s] = in_boards(b, s) ? cores_on_socket(cand, k, s) : 0;
	while (need) {
		uint32_t at = 0;
		for (uint32_t s = 1; s < socket_count(k); s++)
			if (size[s] > size[at])
				at = s;
		if (!size[at])
			break;
		need -= MIN(need, size[at]);
		size[at] = 0;
		n++;
	}
	return n;
}

/* The fewest boards that hold NEED cores; among equal sets the one needing fewest sockets, then with fewest candidates,
 * the last on ties. */
static struct boards choose_boards(const struct node_config *k, const uint64_t *cand, uint32_t need)
{
	uint32_t sockets = socket_count(k),
	         n_boards = k->boards > 1 && k->boards <= 10 && sockets % k->boards == 0 ? k->boards : 1;
	struct boards best = {1, sockets / n_boards}, b = best;
	uint32_t best_n = UINT32_MAX, best_sockets = 0, best_cores = 0;
	for (b.set = 1; n_boards > 1 && b.set < 1u << n_boards; b.set++) {
		uint32_t n = (uint32_t)__builtin_popcount(b.set), cores,
		         used = sockets_needed(k, cand, &b, need, &cores);
		if (cores < need || n > best_n ||
		    (n == best_n && (used > best_sockets || (used == best_sockets && cores > best_cores))))
			continue;
		best = b;
		best_n = n;
		best_sockets = used;
		best_cores = cores;
	}
	return best;
}

uint32_t cores_block(const struct node_config *k, const uint64_t *cand, const struct core_request *r, uint64_t *out)
{
	uint32_t need = cover(r->cpus, r->c);
	struct boards b = choose_boards(k, cand, need);
	return take_from_sockets(k, cand, &b, need, out);
}

void cores_special(const struct node_config *k, uint32_t count, bool first, uint64_t *w)
{
	for (uint32_t round = 0; round < k->cores_per_socket && count; round++)
		for (uint32_t i = 0; i < k->sockets && count; i++, count--) {
			uint32_t socket = first ? i : k->sockets - 1u - i, core = first ? round : k->cores_per_socket - 1u - round;
			uint32_t at = socket * k->cores_per_socket + core;
			w[at / 64] |= UINT64_C(1) << at % 64;
		}
}
