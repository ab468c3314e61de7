/* Finds overlapping boxes by sweep and prune inside the cells of a grid. */
#include "collision/broad_phase.h"

#include <math.h>

#include "base/arena.h"
#include "base/vec3.h"

enum {
	CELLS_PER_BOX = 2,  /* limit of the number of all cells */
	FEW = 32,           /* number of boxes up to which one sweep without cells is fastest */
	ENTRIES_PER_BOX = 8 /* a box that covers more cells is compared with all others */
};

static void carve(AbutBroadPhase *phase, AbutArena *arena)
{
	const size_t n = (size_t)phase->n;
	phase->order = abut_arena_take(arena, n, sizeof(int));
	phase->cells = abut_arena_take(arena, n, sizeof *phase->cells);
	phase->first = abut_arena_take(arena, CELLS_PER_BOX * n + 2, sizeof(int));
	phase->entries = abut_arena_take(arena, ENTRIES_PER_BOX * n, sizeof(int));
	phase->large = abut_arena_take(arena, n, sizeof(int));
}

size_t abut_broad_phase_size(int n)
{
	AbutBroadPhase phase = {.n = n};
	AbutArena arena = {.base = NULL};
	carve(&phase, &arena);
	return arena.used + ABUT_ARENA_ALIGNMENT;
}

void abut_broad_phase_begin(AbutBroadPhase *phase, int n, void *memory)
{
	AbutArena arena;
	phase->n = n;
	abut_arena_begin(&arena, memory);
	carve(phase, &arena);
	for (int i = 0; i < n; i++) {
		phase->order[i] = i;
	}
}

/* Sorts by insertion, which is fast if few boxes have changed their order since the last call. */
static void sort_by_lower_end(int n, const AbutBounds *bounds, int *order)
{
	for (int i = 1; i < n; i++) {
		const int moved = order[i];
		const double low = bounds[moved].lower[0];
		int j = i;
		for (; j > 0 && bounds[order[j - 1]].lower[0] > low; j--) {
			order[j] = order[j - 1];
		}
		order[j] = moved;
	}
}

static bool is_box(const AbutBounds *box)
{
	return box->lower[0] < box->upper[0] && box->lower[1] < box->upper[1] && box->lower[2] < box->upper[2];
}

static bool overlap(const AbutBounds *a, const AbutBounds *b)
{
	for (int i = 0; i < 3; i++) {
		if (!(a->lower[i] < b->upper[i] && b->lower[i] < a->upper[i])) {
			return false;
		}
	}
	return true;
}

/* The cells along one axis. They have equal width and cover three standard deviations on both sides of the mean of the
 * boxes' centres. The first and the last cell reach to infinity, so that one distant box does not widen the others. */
typedef struct Axis {
	double origin, per_length;
	int n;
} Axis;

static Axis make_axis(int n, const AbutBounds *bounds, int axis, int most)
{
	double mean = 0.0, square = 0.0, extent = 0.0;
	int count = 0;
	for (int i = 0; i < n; i++) {
		if (is_box(&bounds[i])) {
			mean += 0.5 * (bounds[i].lower[axis] + bounds[i].upper[axis]);
			extent += bounds[i].upper[axis] - bounds[i].lower[axis];
			count++;
		}
	}
	if (count == 0 || !isfinite(extent) || !isfinite(mean)) {
		return (Axis){.n = 1};
	}
	mean /= count;
	extent /= count;
	for (int i = 0; i < n; i++) {
		if (is_box(&bounds[i])) {
			const double d = 0.5 * (bounds[i].lower[axis] + bounds[i].upper[axis]) - mean;
			square += d * d;
		}
	}
	const double half = 3.0 * sqrt(square / count);
	const double wanted = half / extent; /* half the range over the mean extent: cells of twice the mean extent */
	const int cells = wanted < 1.0 ? 1 : wanted < most ? (int)wanted : most;
	return (Axis){.origin = mean - half, .per_length = half > 0.0 ? cells / (2.0 * half) : 0.0, .n = cells};
}

static int cell_of(const Axis *axis, double place)
{
	const double cell = (place - axis->origin) * axis->per_length;
	return cell >= axis->n - 1 ? axis->n - 1 : cell > 0.0 ? (int)cell : 0;
}

/* Finds the cells that every box covers, and counts the boxes of cell k in first[k + 1]. Returns the number of large
 * boxes. */
static int count_entries(AbutBroadPhase *phase, const AbutBounds *bounds, const Axis axes[2])
{
	int n_large = 0;
	for (int i = 0; i <= axes[0].n * axes[1].n; i++) {
		phase->first[i] = 0;
	}
	for (int i = 0; i < phase->n; i++) {
		AbutCells *c = &phase->cells[i];
		*c = (AbutCells){.last = {-1, -1}};
		if (!is_box(&bounds[i])) {
			continue;
		}
		for (int k = 0; k < 2; k++) {
			c->first[k] = cell_of(&axes[k], bounds[i].lower[1 + k]);
			c->last[k] = cell_of(&axes[k], bounds[i].upper[1 + k]);
		}
		if ((c->last[0] - c->first[0] + 1) * (c->last[1] - c->first[1] + 1) > ENTRIES_PER_BOX) {
			phase->large[n_large++] = i;
			c->last[0] = -1;
			continue;
		}
		for (int y = c->first[0]; y <= c->last[0]; y++) {
			for (int z = c->first[1]; z <= c->last[1]; z++) {
				phase->first[y * axes[1].n + z + 1]++;
			}
		}
	}
	return n_large;
}

/* Puts the boxes into their cells, in ascending order along x. */
static void fill_cells(AbutBroadPhase *phase, const Axis axes[2])
{
	const int n_cells = axes[0].n * axes[1].n;
	for (int i = 0; i < n_cells; i++) {
		phase->first[i + 1] += phase->first[i];
	}
	for (int k = 0; k < phase->n; k++) {
		const int box = phase->order[k];
		const AbutCells *c = &phase->cells[box];
		for (int y = c->first[0]; y <= c->last[0]; y++) {
			for (int z = c->first[1]; z <= c->last[1]; z++) {
				phase->entries[phase->first[y * axes[1].n + z]++] = box;
			}
		}
	}
	for (int i = n_cells; i > 0; i--) { /* each entry of `first` has become the start of the next cell */
		phase->first[i] = phase->first[i - 1];
	}
	phase->first[0] = 0;
}

/* The data of one sweep, and the function that receives the pairs. */
typedef struct Sweep {
	const AbutBroadPhase *phase;
	const AbutBounds *bounds;
	AbutMeet *meet;
	void *context;
} Sweep;

/* Reports two boxes if they overlap. */
static void compare(const Sweep *sweep, int a, int b)
{
	if (overlap(&sweep->bounds[a], &sweep->bounds[b])) {
		sweep->meet(sweep->context, a < b ? a : b, a < b ? b : a);
	}
}

/* Sweeps along x over the boxes of the cell (y, z), or over all boxes if y < 0. Two boxes that share several cells are
 * compared only in the first of these cells. */
static void sweep_boxes(const Sweep *sweep, int n, const int *boxes, int y, int z)
{
	const AbutBounds *bounds = sweep->bounds;
	const AbutCells *cells = sweep->phase->cells;
	for (int i = 0; i < n; i++) {
		const int a = boxes[i];
		const double high = bounds[a].upper[0];
		for (int j = i + 1; j < n && bounds[boxes[j]].lower[0] < high; j++) {
			const int b = boxes[j];
			if (y < 0 || (abut_larger(cells[a].first[0], cells[b].first[0]) == y &&
			              abut_larger(cells[a].first[1], cells[b].first[1]) == z)) {
				compare(sweep, a, b);
			}
		}
	}
}

/* Compares each large box, which is in no cell, with all other boxes. */
static void compare_large(const Sweep *sweep, int n_large)
{
	const AbutBroadPhase *phase = sweep->phase;
	for (int i = 0; i < n_large; i++) {
		for (int j = i + 1; j < n_large; j++) {
			compare(sweep, phase->large[i], phase->large[j]);
		}
		for (int b = 0; b < phase->n; b++) {
			if (phase->cells[b].last[0] >= 0) {
				compare(sweep, phase->large[i], b);
			}
		}
	}
}

void abut_broad_phase_run(AbutBroadPhase *phase, const AbutBounds *bounds, AbutMeet *meet, void *context)
{
	const int n = phase->n;
	sort_by_lower_end(n, bounds, phase->order);
	const Sweep sweep = {phase, bounds, meet, context};
	if (n <= FEW) {
		sweep_boxes(&sweep, n, phase->order, -1, -1);
		return;
	}
	const int most = (int)sqrt((double)CELLS_PER_BOX * n);
	const Axis axes[2] = {make_axis(n, bounds, 1, most), make_axis(n, bounds, 2, most)};
	const int n_large = count_entries(phase, bounds, axes);
	fill_cells(phase, axes);
	for (int y = 0; y < axes[0].n; y++) {
		for (int z = 0; z < axes[1].n; z++) {
			const int *first = &phase->first[y * axes[1].n + z];
			sweep_boxes(&sweep, first[1] - first[0], &phase->entries[first[0]], y, z);
		}
	}
	compare_large(&sweep, n_large);
}
