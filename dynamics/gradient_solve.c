/* Solving a part's linear system, eight columns at once. With the contacts' matrices (contact_map.h) of wrenches W and
 * held numbers y, by starts s, velocities x and held numbers (and by parameters, as by starts),
 *
 *     S x = b + W_s s + W_y y,        y = Y_s s + Y_x x + Y_y y,
 *
 * S having W_x in it. y = 0 leaves the solution of the regularised laws; each correction holds what the last solution
 * made of it (the method of multipliers), the error shrinking by some 1e-3 each time, and more slowly where the factors
 * are poor, so that the regularisation is gone from the limit. On the path what is held is what was taken off its
 * stiffest laws, which would cost digits. The transposed system,
 *
 *     S' m = x^ + Y_x' n,             n = W_y' m + Y_y' n,          b^ = m,   s^ = W_s' m + Y_s' n,
 *
 * has the same contraction. Contacts of method convex follow the velocities b at the start as well, W_b b on the right
 * of the first, and b^ of those W_b' m. Tested in tests/dynamics/test_gradient.c. */
#include <math.h>
#include <string.h>

#include "base/lane_algebra.h"
#include "dynamics/gradient_part.h"

/* No correction follows where it would be as small as this part of the solution: by as much smaller than the last as
 * that was than the one before, or than the solution. Where the factors are poor, as of sliding contacts that turn a
 * body about an edge, each brings a digit or less. */
static const double small = 1e-6, small_back = 1e-9;
enum { MOST_CORRECTIONS = 12, SIDE = ABUT_MAP_SIDE, ROWS_AT_ONCE = 6 };

/* --- products with a contact's matrix --- */

/* out += M in of n rows, up to ROWS_AT_ONCE: as many sums that do not wait for each other. */
ALWAYS_INLINE void add_rows(int n, const double *M, int stride, int n_columns, const AbutLanes *in, AbutLanes *out)
{
	AbutLanes sum[ROWS_AT_ONCE];
	memcpy(sum, out, (size_t)n * sizeof *out);
	for (int c = 0; c < n_columns; c++) {
		for (int r = 0; r < n; r++) {
			abut_lanes_add(sum[r], M[r * stride + c], in[c]);
		}
	}
	memcpy(out, sum, (size_t)n * sizeof *out);
}

/* out += M in, of the rows and columns from `row` and `column` on. */
ALWAYS_INLINE void add_product(const AbutContactMap *map, int row, int n_rows, int column, int n_columns,
                               const AbutLanes *in, AbutLanes *out)
{
	const double *M = &map->at[row * map->stride + column];
	int r = 0;
	for (; r + ROWS_AT_ONCE <= n_rows; r += ROWS_AT_ONCE) {
		add_rows(ROWS_AT_ONCE, &M[r * map->stride], map->stride, n_columns, in, &out[r]);
	}
	for (; r + 2 <= n_rows; r += 2) {
		add_rows(2, &M[r * map->stride], map->stride, n_columns, in, &out[r]);
	}
	if (r < n_rows) {
		add_rows(1, &M[r * map->stride], map->stride, n_columns, in, &out[r]);
	}
}

/* out += M' in of n columns, up to ROWS_AT_ONCE. */
ALWAYS_INLINE void add_columns(int n, const double *M, int stride, int n_rows, const AbutLanes *in, AbutLanes *out)
{
	AbutLanes sum[ROWS_AT_ONCE];
	memcpy(sum, out, (size_t)n * sizeof *out);
	for (int r = 0; r < n_rows; r++) {
		for (int c = 0; c < n; c++) {
			abut_lanes_add(sum[c], M[r * stride + c], in[r]);
		}
	}
	memcpy(out, sum, (size_t)n * sizeof *out);
}

/* out += M' in */
ALWAYS_INLINE void add_transposed(const AbutContactMap *map, int row, int n_rows, int column, int n_columns,
                                  const AbutLanes *in, AbutLanes *out)
{
	const double *M = &map->at[row * map->stride + column];
	int c = 0;
	for (; c + ROWS_AT_ONCE <= n_columns; c += ROWS_AT_ONCE) {
		add_columns(ROWS_AT_ONCE, &M[c], map->stride, n_rows, in, &out[c]);
	}
	for (; c < n_columns; c++) {
		add_columns(1, &M[c], map->stride, n_rows, in, &out[c]);
	}
}

ALWAYS_INLINE int first_held_row(const AbutContactMap *map)
{
	return SIDE * map->n_sides;
}

/* X's rows of a side. */
ALWAYS_INLINE AbutLanes *of_side(const AbutContactMap *map, int side, AbutLanes *X)
{
	return &X[SIDE * map->body[side]];
}

/* wrenches += W_s s, W_x x: by the columns of the sides from `column` on. */
ALWAYS_INLINE void add_wrenches_by_bodies(const AbutContactMap *map, int column, AbutLanes *in, AbutLanes *wrenches)
{
	for (int of = 0; of < map->n_sides; of++) {
		for (int by = 0; by < map->n_sides; by++) {
			add_product(map, SIDE * of, SIDE, column + SIDE * by, SIDE, of_side(map, by, in),
			            of_side(map, of, wrenches));
		}
	}
}

/* wrenches += W_b b, with b the velocities at the start: W_b is a share of W_x. */
ALWAYS_INLINE void add_wrenches_by_before(const AbutContactMap *map, AbutLanes *before, AbutLanes *wrenches)
{
	AbutLanes scaled[2 * SIDE];
	for (int by = 0; by < map->n_sides; by++) {
		const AbutLanes *own = of_side(map, by, before);
		for (int i = 0; i < SIDE; i++) {
			abut_lanes_zero(scaled[SIDE * by + i]);
			abut_lanes_add(scaled[SIDE * by + i], map->by_before, own[i]);
		}
		for (int of = 0; of < map->n_sides; of++) {
			add_product(map, SIDE * of, SIDE, abut_map_by_velocity(map) + SIDE * by, SIDE,
			            &scaled[SIDE * by], of_side(map, of, wrenches));
		}
	}
}

ALWAYS_INLINE void add_held_by_bodies(const AbutContactMap *map, int column, AbutLanes *in, AbutLanes *held)
{
	for (int by = 0; by < map->n_sides; by++) {
		add_product(map, first_held_row(map), map->n_held, column + SIDE * by, SIDE, of_side(map, by, in),
		            &held[map->held]);
	}
}

ALWAYS_INLINE void add_wrenches_by_held(const AbutContactMap *map, const AbutLanes *held, AbutLanes *wrenches)
{
	for (int of = 0; of < map->n_sides; of++) {
		add_product(map, SIDE * of, SIDE, abut_map_by_held(map), map->n_held, &held[map->held],
		            of_side(map, of, wrenches));
	}
}

ALWAYS_INLINE void add_held_by_held(const AbutContactMap *map, const AbutLanes *in, AbutLanes *out)
{
	add_product(map, first_held_row(map), map->n_held, abut_map_by_held(map), map->n_held, &in[map->held],
	            &out[map->held]);
}

/* The transposed four. */
ALWAYS_INLINE void pull_wrenches_to_bodies(const AbutContactMap *map, int column, AbutLanes *wrenches, AbutLanes *out)
{
	for (int of = 0; of < map->n_sides; of++) {
		for (int by = 0; by < map->n_sides; by++) {
			add_transposed(map, SIDE * of, SIDE, column + SIDE * by, SIDE, of_side(map, of, wrenches),
			               of_side(map, by, out));
		}
	}
}

ALWAYS_INLINE void pull_wrenches_to_before(const AbutContactMap *map, AbutLanes *wrenches, AbutLanes *out)
{
	AbutLanes scaled[SIDE];
	for (int of = 0; of < map->n_sides; of++) {
		const AbutLanes *own = of_side(map, of, wrenches);
		for (int i = 0; i < SIDE; i++) {
			abut_lanes_zero(scaled[i]);
			abut_lanes_add(scaled[i], map->by_before, own[i]);
		}
		for (int by = 0; by < map->n_sides; by++) {
			add_transposed(map, SIDE * of, SIDE, abut_map_by_velocity(map) + SIDE * by, SIDE, scaled,
			               of_side(map, by, out));
		}
	}
}

ALWAYS_INLINE void pull_held_to_bodies(const AbutContactMap *map, int column, const AbutLanes *held, AbutLanes *out)
{
	for (int by = 0; by < map->n_sides; by++) {
		add_transposed(map, first_held_row(map), map->n_held, column + SIDE * by, SIDE, &held[map->held],
		               of_side(map, by, out));
	}
}

ALWAYS_INLINE void pull_wrenches_to_held(const AbutContactMap *map, AbutLanes *wrenches, AbutLanes *held)
{
	for (int of = 0; of < map->n_sides; of++) {
		add_transposed(map, SIDE * of, SIDE, abut_map_by_held(map), map->n_held, of_side(map, of, wrenches),
		               &held[map->held]);
	}
}

ALWAYS_INLINE void pull_held_to_held(const AbutContactMap *map, const AbutLanes *in, AbutLanes *out)
{
	add_transposed(map, first_held_row(map), map->n_held, abut_map_by_held(map), map->n_held, &in[map->held],
	               &out[map->held]);
}

/* --- corrections --- */

ALWAYS_INLINE void clear(AbutLanes *x, int n)
{
	memset(x, 0, (size_t)n * sizeof *x);
}

/* sizes = max(sizes, factor |x|) */
ALWAYS_INLINE void raise(int n, double factor, const AbutLanes *x, AbutLanes sizes)
{
	for (int i = 0; i < n; i++) {
		AbutLanes own;
		for (int l = 0; l < ABUT_LANES; l++) {
			own[l] = factor * fabs(x[i][l]);
		}
		abut_lanes_raise(ABUT_LANES, sizes, own);
	}
}

/* What `right` would do to bodies in flight: a measure for columns of bodies that are held fast, which are zero. */
ALWAYS_INLINE void sizes_in_flight(const AbutGradientPart *part, const AbutLanes *right, AbutLanes sizes)
{
	abut_lanes_zero(sizes);
	for (int i = 0; i < part->n; i++) {
		raise(3, 1.0 / part->bodies[i].mass, &right[SIDE * i], sizes);
		raise(3, 1.0 / part->bodies[i].least_inertia, &right[SIDE * i + 3], sizes);
	}
}

/* x += dx; the largest part that dx was of a column. */
ALWAYS_INLINE double correct(int n, AbutLanes *x, const AbutLanes *dx, AbutLanes sizes)
{
	AbutLanes change;
	abut_lanes_zero(change);
	for (int i = 0; i < n; i++) {
		abut_lanes_add(x[i], 1.0, dx[i]);
	}
	raise(n, 1.0, x, sizes);
	raise(n, 1.0, dx, change);
	for (int l = 0; l < ABUT_LANES; l++) {
		change[l] = change[l] > 0.0 ? change[l] / sizes[l] : 0.0;
	}
	return abut_lanes_max(change);
}

/* Whether one more correction counts, after one of `change`; `before` is what that was of the last one. */
ALWAYS_INLINE bool is_worth_more(double change, double *before, double least)
{
	const double next = change * change / *before;
	*before = change;
	return next > least;
}

ALWAYS_INLINE bool touches(const AbutContactMap *map, int first, int last)
{
	bool any = false;
	for (int s = 0; s < map->n_sides; s++) {
		any = any || (map->body[s] >= first && map->body[s] <= last);
	}
	return any;
}

/* Contacts' parameters: wrenches and held numbers; and back. */
ALWAYS_INLINE void add_parameters(const AbutContactMap *map, const AbutLanes *parameters, AbutLanes *wrenches,
                                  AbutLanes *held)
{
	for (int i = 0; i < map->n_parameters; i++) {
		const AbutLanes *change = &parameters[map->parameters[i]];
		const int column = abut_map_by_parameter(map) + i;
		for (int of = 0; of < map->n_sides; of++) {
			add_product(map, SIDE * of, SIDE, column, 1, change, of_side(map, of, wrenches));
		}
		add_product(map, first_held_row(map), map->n_held, column, 1, change, &held[map->held]);
	}
}

ALWAYS_INLINE void pull_parameters(const AbutContactMap *map, AbutLanes *wrenches, const AbutLanes *held,
                                   AbutLanes *parameters)
{
	for (int i = 0; i < map->n_parameters; i++) {
		AbutLanes *out = &parameters[map->parameters[i]];
		const int column = abut_map_by_parameter(map) + i;
		for (int of = 0; of < map->n_sides; of++) {
			add_transposed(map, SIDE * of, SIDE, column, 1, of_side(map, of, wrenches), out);
		}
		add_transposed(map, first_held_row(map), map->n_held, column, 1, &held[map->held], out);
	}
}

/* --- columns --- */

/* What the equations of x leave, into dx: b + W_y y - S x. */
ALWAYS_INLINE void residual(const AbutGradientPart *part, const AbutLanes *held)
{
	memcpy(part->dx, part->right, (size_t)(SIDE * part->n) * sizeof *part->dx);
	for (int i = 0; i < part->n_maps; i++) {
		add_wrenches_by_held(&part->maps[i], held, part->dx);
	}
	abut_block_system_subtract(&part->sum, false, part->x, part->dx);
}

/* What is held as x, y (NULL: zero) and the right sides make it. */
ALWAYS_INLINE void hold(const AbutGradientPart *part, const AbutLanes *held, AbutLanes *next)
{
	memcpy(next, part->held_right, (size_t)part->n_held * sizeof *next);
	for (int i = 0; i < part->n_maps; i++) {
		const AbutContactMap *map = &part->maps[i];
		add_held_by_bodies(map, abut_map_by_velocity(map), part->x, next);
		if (held) {
			add_held_by_held(map, held, next);
		}
	}
}

/* Whether the last correction, which was not small, was so in truth: of columns that are zero it is rounding, of what
 * stiff contacts make of their right sides. */
ALWAYS_INLINE bool is_settled(const AbutGradientPart *part, const AbutLanes *right, const AbutLanes sizes)
{
	static const double settled = 1e-2, rounding = 1e-8;
	AbutLanes change, stiff;
	sizes_in_flight(part, right, stiff);
	abut_lanes_zero(change);
	raise(SIDE * part->n, 1.0, part->dx, change);
	for (int l = 0; l < ABUT_LANES; l++) {
		change[l] -= settled * sizes[l] + rounding * stiff[l];
	}
	return abut_lanes_max(change) <= 0.0;
}

/* The right sides with what starts and parameters make of them. */
ALWAYS_INLINE void complete_right(const AbutGradientPart *part, int first, int last, const AbutLanes *parameters)
{
	clear(part->held_right, part->n_held);
	for (int i = 0; i < part->n_maps; i++) {
		if (parameters) {
			add_parameters(&part->maps[i], parameters, part->right, part->held_right);
		}
		if (touches(&part->maps[i], first, last)) {
			add_wrenches_by_bodies(&part->maps[i], 0, part->start, part->right);
			add_held_by_bodies(&part->maps[i], 0, part->start, part->held_right);
		}
		if (part->before) {
			add_wrenches_by_before(&part->maps[i], part->before, part->right);
		}
	}
}

/* dx of one correction, with what `held` (NULL: nothing) becomes in `next`. */
ALWAYS_INLINE void find_correction(const AbutGradientPart *part, const AbutLanes *held, AbutLanes *next)
{
	hold(part, held, next);
	residual(part, next);
	abut_block_system_solve_again(&part->system, part->dx);
}

ABUT_CLONES void abut_gradient_solve_once(const AbutGradientPart *part, int first, int last)
{
	for (int i = 0; i < part->n_maps; i++) {
		if (touches(&part->maps[i], first, last)) {
			add_wrenches_by_bodies(&part->maps[i], 0, part->start, part->right);
		}
	}
	memcpy(part->x, part->right, (size_t)(SIDE * part->n) * sizeof *part->x);
	abut_block_system_solve_again(&part->system, part->x);
}

ABUT_CLONES double abut_gradient_correction(const AbutGradientPart *part)
{
	AbutLanes change;
	complete_right(part, 0, part->n - 1, NULL);
	find_correction(part, NULL, part->next_held);
	abut_lanes_zero(change);
	raise(SIDE * part->n, 1.0, part->dx, change);
	return abut_lanes_max(change);
}

ABUT_CLONES bool abut_gradient_solve(const AbutGradientPart *part, int first, int last, const AbutLanes *parameters)
{
	const int n = SIDE * part->n;
	AbutLanes *held = part->held, *next = part->next_held, sizes;
	sizes_in_flight(part, part->right, sizes);
	raise(n, 1.0 / part->bodies[0].timestep, part->start, sizes);
	complete_right(part, first, last, parameters);
	memcpy(part->x, part->right, (size_t)n * sizeof *part->x);
	abut_block_system_solve_again(&part->system, part->x);
	bool more = part->n_maps > 0;
	double before = 1.0;
	for (int k = 0; more && k < MOST_CORRECTIONS; k++) {
		find_correction(part, k > 0 ? held : NULL, next);
		more = is_worth_more(correct(n, part->x, part->dx, sizes), &before, small);
		AbutLanes *const swap = held;
		held = next;
		next = swap;
	}
	return !more || is_settled(part, part->right, sizes);
}

/* --- transposed --- */

/* Into dx: x^ + Y_x' n - S' m, with m in part->right. */
ALWAYS_INLINE void residual_back(const AbutGradientPart *part, const AbutLanes *held)
{
	memcpy(part->dx, part->x, (size_t)(SIDE * part->n) * sizeof *part->dx);
	for (int i = 0; i < part->n_maps; i++) {
		pull_held_to_bodies(&part->maps[i], abut_map_by_velocity(&part->maps[i]), held, part->dx);
	}
	abut_block_system_subtract(&part->sum, true, part->right, part->dx);
}

ALWAYS_INLINE void hold_back(const AbutGradientPart *part, const AbutLanes *held, AbutLanes *next)
{
	clear(next, part->n_held);
	for (int i = 0; i < part->n_maps; i++) {
		pull_wrenches_to_held(&part->maps[i], part->right, next);
		pull_held_to_held(&part->maps[i], held, next);
	}
}

ABUT_CLONES bool abut_gradient_solve_transposed(const AbutGradientPart *part)
{
	const int n = SIDE * part->n;
	AbutLanes *held = part->held, *next = part->next_held, sizes;
	sizes_in_flight(part, part->x, sizes);
	memcpy(part->right, part->x, (size_t)n * sizeof *part->right);
	abut_block_system_solve_transposed(&part->system, part->right);
	clear(held, part->n_held);
	bool more = part->n_maps > 0;
	double before = 1.0;
	for (int k = 0; more && k < MOST_CORRECTIONS; k++) {
		hold_back(part, held, next);
		AbutLanes *const swap = held;
		held = next;
		next = swap;
		residual_back(part, held);
		abut_block_system_solve_transposed(&part->system, part->dx);
		more = is_worth_more(correct(n, part->right, part->dx, sizes), &before, small_back);
	}
	clear(part->start, n);
	clear(part->parameters, part->n_parameters);
	if (part->before) {
		clear(part->before, n);
	}
	for (int i = 0; i < part->n_maps; i++) {
		pull_wrenches_to_bodies(&part->maps[i], 0, part->right, part->start);
		pull_held_to_bodies(&part->maps[i], 0, held, part->start);
		pull_parameters(&part->maps[i], part->right, held, part->parameters);
		if (part->before) {
			pull_wrenches_to_before(&part->maps[i], part->right, part->before);
		}
	}
	return !more || is_settled(part, part->x, sizes);
}
