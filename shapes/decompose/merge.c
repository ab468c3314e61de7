/* Merges pieces that fit in one hull: they may have been separated by a cut for a neighbour, or by the search for a
 * cut. The pair whose common hull adds the least volume comes first.
 *
 * Few pieces are all paired with each other. With many pieces, each is paired only with those whose bounding boxes are
 * nearest. A merged piece is paired with the neighbours of both. The pairs are in a heap, sorted by the volume that
 * they add; a pair is skipped if one of its pieces has changed since. So the cost grows with the number of pieces, not
 * with its square. */
#include "shapes/decompose/merge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/vec3.h"
#include "shapes/core/watch.h"
#include "shapes/decompose/piece.h"
#include "shapes/geometry/surface.h"

/* Up to ALL_PAIRS pieces are all paired with each other; if there are more, each is paired with NEAREST others. */
enum { ALL_PAIRS = 64, NEAREST = 8 };

/* Data of the piece with the same index in the list. */
typedef struct Node {
	int merged_into; /* its own index, or the piece that it was merged into, which may itself be merged */
	int version;     /* how often pieces were merged into this one */
	int n_near;
	int near[ALL_PAIRS]; /* pieces to pair with */
	double low[3], high[3];
} Node;

typedef struct Pair {
	double added; /* volume of the common hull minus that of the pieces, m^3 */
	int a, b;     /* pieces, a < b */
	int version[2];
} Pair;

typedef struct Merging {
	AbutSolidPieces *list; /* pieces that were merged into another stay in their places, empty, until the end */
	const AbutDecomposeLengths *lengths;
	const AbutWatch *watch;
	double limit; /* limit of the concavity, m */
	int n_left, fewest;
	int nearest;     /* largest number of partners of each piece */
	Node *nodes;     /* (list->n) */
	int n, capacity; /* size and capacity of the heap */
	Pair *pairs;     /* the heap; the pair that adds the least volume is first */
} Merging;

static AbutStatus fail_memory(const Merging *merging, AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the pairs of %d pieces", merging->n_left);
}

/* --- the heap --- */

static bool comes_before(const Pair *x, const Pair *y)
{
	if (x->added != y->added) {
		return x->added < y->added;
	}
	return x->a != y->a ? x->a < y->a : x->b < y->b;
}

static bool push_pair(Merging *merging, Pair pair)
{
	if (!abut_grow(&merging->pairs, &merging->capacity, merging->n + 1, sizeof *merging->pairs)) {
		return false;
	}
	int i = merging->n++;
	for (; i > 0 && comes_before(&pair, &merging->pairs[(i - 1) / 2]); i = (i - 1) / 2) {
		merging->pairs[i] = merging->pairs[(i - 1) / 2];
	}
	merging->pairs[i] = pair;
	return true;
}

static Pair pop_pair(Merging *merging)
{
	const Pair first = merging->pairs[0], last = merging->pairs[--merging->n];
	int i = 0;
	for (int child = 1; child < merging->n; child = 2 * i + 1) {
		child += child + 1 < merging->n && comes_before(&merging->pairs[child + 1], &merging->pairs[child]);
		if (!comes_before(&merging->pairs[child], &last)) {
			break;
		}
		merging->pairs[i] = merging->pairs[child];
		i = child;
	}
	merging->pairs[i] = last;
	return first;
}

/* --- pairs --- */

/* Computes the common hull of two hulls. */
static AbutStatus join_hulls(const AbutHullOutline *a, const AbutHullOutline *b, AbutHullOutline *out, AbutError *error)
{
	const int n = a->n_points + b->n_points;
	double *points = malloc((size_t)n * 3 * sizeof *points);
	if (!points) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a hull of %d points", n);
	}
	for (int i = 0; i < n; i++) {
		const double *p =
		    i < a->n_points ? &a->points[3 * (size_t)i] : &b->points[3 * (size_t)(i - a->n_points)];
		abut_copy3(p, &points[3 * (size_t)i]);
	}
	const AbutStatus status = abut_hull_outline(n, points, out, error);
	free(points);
	return status;
}

/* Returns the largest gap between two boxes along the axes; 0 if they overlap or touch. */
static double gap_between(const Node *a, const Node *b)
{
	double gap = 0.0;
	for (int k = 0; k < 3; k++) {
		gap = abut_max(gap, abut_max(a->low[k] - b->high[k], b->low[k] - a->high[k]));
	}
	return gap;
}

/* Adds the pair to the heap unless the gap between the two boxes exceeds the limit of the concavity. */
static AbutStatus add_pair(Merging *merging, int i, int j, AbutError *error)
{
	const int a = i < j ? i : j, b = i < j ? j : i;
	const AbutSolidPiece *x = &merging->list->items[a], *y = &merging->list->items[b];
	if (gap_between(&merging->nodes[a], &merging->nodes[b]) > merging->limit) {
		return ABUT_OK;
	}
	AbutHullOutline hull = {.volume = 0.0};
	AbutStatus status = join_hulls(&x->hull, &y->hull, &hull, error);
	if (status == ABUT_OK) {
		const Pair pair = {.added = abut_max(hull.volume - x->volume - y->volume, 0.0),
		                   .a = a,
		                   .b = b,
		                   .version = {merging->nodes[a].version, merging->nodes[b].version}};
		status = push_pair(merging, pair) ? ABUT_OK : fail_memory(merging, error);
	}
	abut_hull_outline_free(&hull);
	return status;
}

/* --- neighbours --- */

static bool is_left(const Merging *merging, int i)
{
	return merging->nodes[i].merged_into == i;
}

/* Returns the piece that piece i has been merged into; i if it has not been merged. */
static int holder_of(const Merging *merging, int i)
{
	Node *nodes = merging->nodes;
	while (nodes[i].merged_into != i) {
		nodes[i].merged_into = nodes[nodes[i].merged_into].merged_into;
		i = nodes[i].merged_into;
	}
	return i;
}

/* Inserts piece j into the list of pieces nearest to piece i, which may drop its furthest one. Among equally near
 * pieces, the earlier one wins. */
static void take_near(const Merging *merging, int i, int j)
{
	Node *node = &merging->nodes[i];
	const double gap = gap_between(node, &merging->nodes[j]);
	int place = node->n_near;
	for (int k = 0; k < node->n_near; k++) {
		if (node->near[k] == j) {
			return;
		}
	}
	while (place > 0 && gap < gap_between(node, &merging->nodes[node->near[place - 1]])) {
		place--;
	}
	if (place == merging->nearest) {
		return;
	}
	node->n_near += node->n_near < merging->nearest;
	memmove(&node->near[place + 1], &node->near[place], (size_t)(node->n_near - 1 - place) * sizeof *node->near);
	node->near[place] = j;
}

/* Returns whether a box that begins `gap` beyond piece i along x is too far away to be among the nearest of piece i. */
static bool is_beyond(const Merging *merging, int i, double gap)
{
	const Node *node = &merging->nodes[i];
	return gap > merging->limit || (node->n_near == merging->nearest &&
	                                gap > gap_between(node, &merging->nodes[node->near[node->n_near - 1]]));
}

typedef struct Start {
	double low;
	int piece;
} Start;

static int compare_starts(const void *a, const void *b)
{
	const Start *x = a, *y = b;
	return x->low != y->low ? (x->low < y->low ? -1 : 1) : x->piece - y->piece;
}

/* Finds the nearest pieces of each piece. Sorts the pieces by the start of their boxes along x, and searches in both
 * directions until a bound on the gap shows that all others are too far away. Downwards, the bound uses `reach`, the
 * furthest end of any earlier box. */
static AbutStatus find_near(const Merging *merging, AbutError *error)
{
	const int n = merging->list->n;
	Start *starts = malloc(((size_t)n + 1) * sizeof *starts);
	double *reach = malloc(((size_t)n + 1) * sizeof *reach);
	int m = 0;
	if (!starts || !reach) {
		free(starts);
		free(reach);
		return fail_memory(merging, error);
	}
	for (int i = 0; i < n; i++) {
		merging->nodes[i].n_near = 0;
		if (is_left(merging, i)) {
			starts[m++] = (Start){merging->nodes[i].low[0], i};
		}
	}
	AbutStatus status = ABUT_OK;
	qsort(starts, (size_t)m, sizeof *starts, compare_starts);
	for (int i = 0; i < m; i++) {
		const double high = merging->nodes[starts[i].piece].high[0];
		reach[i] = i > 0 ? abut_max(reach[i - 1], high) : high;
	}
	for (int i = 0; i < m && status == ABUT_OK; i++) {
		const int piece = starts[i].piece;
		const Node *node = &merging->nodes[piece];
		if (i % 256 == 0) {
			status = abut_watch_check(merging->watch, "merging", -1.0, error);
		}
		for (int j = i + 1; j < m && !is_beyond(merging, piece, starts[j].low - node->high[0]); j++) {
			take_near(merging, piece, starts[j].piece);
		}
		for (int j = i - 1; j >= 0 && !is_beyond(merging, piece, node->low[0] - reach[j]); j--) {
			take_near(merging, piece, starts[j].piece);
		}
	}
	free(starts);
	free(reach);
	return status;
}

static bool has_near(const Node *node, int j)
{
	bool has = false;
	for (int k = 0; k < node->n_near; k++) {
		has = has || node->near[k] == j;
	}
	return has;
}

/* Fills the heap with the pairs of all remaining pieces. */
static AbutStatus pair_all(Merging *merging, AbutError *error)
{
	merging->n = 0;
	merging->nearest = merging->n_left <= ALL_PAIRS ? ALL_PAIRS - 1 : NEAREST;
	AbutStatus status = find_near(merging, error);
	for (int i = 0; i < merging->list->n && status == ABUT_OK; i++) {
		const Node *node = &merging->nodes[i];
		for (int k = 0; k < node->n_near && status == ABUT_OK; k++) {
			const int j = node->near[k];
			/* If each is near the other, add the pair only once. */
			if (i < j || !has_near(&merging->nodes[j], i)) {
				status = add_pair(merging, i, j, error);
			}
		}
		if (status == ABUT_OK && i % 16 == 0) {
			status = abut_watch_check(merging->watch, "merging", -1.0, error);
		}
	}
	return status;
}

/* --- mergers --- */

/* Lists the solids of both pieces in `out`, which does not own them. */
static bool list_solids(const AbutSolidPiece *a, const AbutSolidPiece *b, AbutSolidList *out)
{
	out->n = out->capacity = a->solids.n + b->solids.n;
	out->items = malloc((size_t)out->n * sizeof *out->items);
	for (int i = 0; i < out->n && out->items; i++) {
		out->items[i] = i < a->solids.n ? a->solids.items[i] : b->solids.items[i - a->solids.n];
	}
	return out->items;
}

/* Merges piece b into piece a, if the concavity allows it. */
static AbutStatus merge_pieces(const Merging *merging, AbutSolidPiece *a, AbutSolidPiece *b, bool *merged,
                               AbutError *error)
{
	AbutSolidPiece joined = {.volume = a->volume + b->volume};
	AbutStatus status = join_hulls(&a->hull, &b->hull, &joined.hull, error);
	if (status == ABUT_OK && !list_solids(a, b, &joined.solids)) {
		status = abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory to merge pieces");
	}
	ABUT_THEN(status, abut_piece_measure(&joined, merging->lengths, merging->limit, error));
	*merged = status == ABUT_OK && abut_piece_concavity(&joined) <= merging->limit;
	if (*merged) {
		a->solids.n = b->solids.n = 0; /* `joined` owns them now */
		abut_piece_free(a);
		abut_piece_free(b);
		*a = joined;
		*b = (AbutSolidPiece){.volume = 0.0};
	} else {
		joined.solids.n = 0;
		abut_piece_free(&joined);
	}
	return status;
}

/* Updates the neighbours and pairs of piece a after piece b was merged into it. */
static AbutStatus take_over(Merging *merging, int a, int b, AbutError *error)
{
	Node *node = &merging->nodes[a];
	const Node *gone = &merging->nodes[b];
	int known[2 * ALL_PAIRS], n = 0;
	memcpy(known, node->near, (size_t)node->n_near * sizeof *known);
	n = node->n_near;
	memcpy(known + n, gone->near, (size_t)gone->n_near * sizeof *known);
	n += gone->n_near;
	merging->nodes[b].merged_into = a;
	merging->n_left--;
	node->version++;
	for (int k = 0; k < 3; k++) {
		node->low[k] = abut_min(node->low[k], gone->low[k]);
		node->high[k] = abut_max(node->high[k], gone->high[k]);
	}
	node->n_near = 0;
	for (int k = 0; k < n; k++) {
		const int other = holder_of(merging, known[k]);
		if (other != a) {
			take_near(merging, a, other);
		}
	}
	AbutStatus status = ABUT_OK;
	for (int k = 0; k < node->n_near && status == ABUT_OK; k++) {
		status = add_pair(merging, a, node->near[k], error);
	}
	return status;
}

/* Merges pairs from the heap, the best first. Stops when the heap is empty, when `fewest` pieces are left, or when so
 * few are left that all can be paired with each other. */
static AbutStatus merge_pairs(Merging *merging, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	while (status == ABUT_OK && merging->n > 0 && merging->n_left > merging->fewest &&
	       (merging->nearest > NEAREST || merging->n_left > ALL_PAIRS)) {
		const Pair pair = pop_pair(merging);
		bool merged = false;
		if (!is_left(merging, pair.a) || !is_left(merging, pair.b) ||
		    pair.version[0] != merging->nodes[pair.a].version ||
		    pair.version[1] != merging->nodes[pair.b].version) {
			continue;
		}
		status = abut_watch_check(merging->watch, "merging", -1.0, error);
		ABUT_THEN(status, merge_pieces(merging, &merging->list->items[pair.a], &merging->list->items[pair.b],
		                               &merged, error));
		if (status == ABUT_OK && merged) {
			status = take_over(merging, pair.a, pair.b, error);
		}
	}
	return status;
}

/* Merges pieces whose concavity stays within `limit`, until `fewest` pieces or no more pairs are left. */
static AbutStatus merge_within(Merging *merging, double limit, int fewest, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	int before = 0;
	merging->limit = limit;
	merging->fewest = fewest;
	while (status == ABUT_OK && merging->n_left > fewest && merging->n_left != before) {
		before = merging->n_left;
		status = pair_all(merging, error);
		ABUT_THEN(status, merge_pairs(merging, error));
	}
	return status;
}

AbutStatus abut_pieces_merge(AbutSolidPieces *list, const AbutDecomposeLengths *lengths, int most,
                             const AbutWatch *watch, AbutError *error)
{
	Merging merging = {.list = list, .lengths = lengths, .watch = watch, .n_left = list->n};
	merging.nodes = malloc(((size_t)list->n + 1) * sizeof *merging.nodes);
	if (!merging.nodes) {
		return fail_memory(&merging, error);
	}
	for (int i = 0; i < list->n; i++) {
		Node *node = &merging.nodes[i];
		*node = (Node){.merged_into = i};
		abut_points_bounds(list->items[i].hull.n_points, list->items[i].hull.points, node->low, node->high);
	}
	AbutStatus status = merge_within(&merging, lengths->bound, 1, error);
	if (status == ABUT_OK && merging.n_left > most) {
		status = merge_within(&merging, HUGE_VAL, most, error);
	}
	int kept = 0;
	for (int i = 0; i < list->n; i++) {
		if (is_left(&merging, i)) {
			list->items[kept++] = list->items[i];
		}
	}
	list->n = kept;
	free(merging.nodes);
	free(merging.pairs);
	return status;
}
