/* Solves a part's linear system for eight columns at once. The contacts' matrices (dynamics/gradient/edge_map.h) give
 * wrenches W and held numbers y by starts s, velocities x and held numbers (and by parameters, as by starts),
 *
 *     S x = b + W_s s + W_y y,        y = Y_s s + Y_x x + Y_y y,
 *
 * where S contains W_x. y = 0 gives the solution of the regularised laws. Each correction holds the numbers at the last
 * solution's values (the method of multipliers), so the limit is free of the regularisation. The error shrinks by some
 * 1e-3 each time, more slowly with poor factors. On the path the held numbers are those of the stiffest laws, which
 * would cost digits. The transposed system,
 *
 *     S' m = x^ + Y_x' n,             n = W_y' m + Y_y' n,          b^ = m,   s^ = W_s' m + Y_s' n,
 *
 * has the same contraction. Contacts of method convex depend on the velocities b at the start too: W_b b on the right
 * of the first equation, and W_b' m for their b^. Tested in tests/dynamics/gradient/test_gradient.c. */
#include "dynamics/gradient/solve.h"

#include <math.h>
#include <string.h>

#include "dynamics/gradient/map_lanes.h"
#include "dynamics/gradient/part.h"
#include "solver/blocks/columns.h"

/* No correction follows if it would be smaller than this part of the solution, by the ratio of the last two corrections
 * or by `slow`. With poor factors, as for sliding contacts that turn a body about an edge, a correction gains at most a
 * digit. */
static const double small = 1e-7, small_back = 1e-8, slow = 0.05;
enum { MOST_CORRECTIONS = 12, SIDE = ABUT_MAP_SIDE };

/* --- corrections --- */

ALWAYS_INLINE void clear(AbutLanes *x, int n)
{
	memset(x, 0, (size_t)n * sizeof *x);
}

/* Raises sizes to factor |x|. */
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

/* Computes the effect of `right` on bodies in flight: a measure for columns of bodies that are held fast, which are
 * zero. */
ALWAYS_INLINE void sizes_in_flight(const AbutGradientPart *part, const AbutLanes *right, AbutLanes sizes)
{
	abut_lanes_zero(sizes);
	for (int i = 0; i < part->n; i++) {
		raise(3, 1.0 / part->bodies[i].mass, &right[SIDE * i], sizes);
		raise(3, 1.0 / part->bodies[i].least_inertia, &right[SIDE * i + 3], sizes);
	}
}

/* Adds dx to x; `change` is the largest part of dx in each column. */
ALWAYS_INLINE void correct(int n, AbutLanes *x, const AbutLanes *dx, AbutLanes sizes, AbutLanes change)
{
	abut_lanes_zero(change);
	for (int i = 0; i < n; i++) {
		abut_lanes_add(x[i], 1.0, dx[i]);
	}
	raise(n, 1.0, x, sizes);
	raise(n, 1.0, dx, change);
	for (int l = 0; l < ABUT_LANES; l++) {
		change[l] = change[l] > 0.0 ? change[l] / sizes[l] : 0.0;
	}
}

/* Returns whether one more correction matters in a column, after one of `change`, the `first` or one after that of
 * `before`: the next would be smaller by the same ratio. Fast convergence in one column says nothing about another, and
 * the first correction, which may be small in a column that is small compared with its start, says nothing about the
 * next. */
ALWAYS_INLINE bool is_worth_more(bool first, const AbutLanes change, AbutLanes before, double least)
{
	bool more = false;
	for (int l = 0; l < ABUT_LANES; l++) {
		const double rate = first ? fmax(change[l], slow) : change[l] / before[l];
		more = more || change[l] * rate > least;
		before[l] = change[l];
	}
	return more;
}

/* --- columns --- */

/* Computes the residual of the equations of x, into dx: b + W_y y - S x. */
ALWAYS_INLINE void residual(const AbutGradientPart *part, const AbutLanes *held)
{
	memcpy(part->lanes.dx, part->lanes.right, (size_t)(SIDE * part->n) * sizeof *part->lanes.dx);
	for (int i = 0; i < part->n_maps; i++) {
		abut_map_add_wrenches_by_held(&part->maps[i], held, part->lanes.dx);
	}
	abut_block_system_subtract(&part->system.sum, false, part->lanes.x, part->lanes.dx);
}

/* Computes the held numbers from x, y (NULL: zero) and the right sides. */
ALWAYS_INLINE void hold(const AbutGradientPart *part, const AbutLanes *held, AbutLanes *next)
{
	memcpy(next, part->lanes.held_right, (size_t)part->n_held * sizeof *next);
	for (int i = 0; i < part->n_maps; i++) {
		const AbutEdgeMap *map = &part->maps[i];
		abut_map_add_held_by_bodies(map, abut_map_by_velocity(map), part->lanes.x, next);
		if (held) {
			abut_map_add_held_by_held(map, held, next);
		}
	}
}

/* Returns whether the last correction, which was not small, is only rounding: in columns that are zero, stiff contacts
 * amplify the rounding of their right sides. */
ALWAYS_INLINE bool is_settled(const AbutGradientPart *part, const AbutLanes *right, const AbutLanes sizes)
{
	/* A hundredth of the column at the last correction, which converges, leaves far less than 1e-6; and the
	 * stiffest contacts, 1e8 of their bodies, turn DBL_EPSILON into 1e-8. */
	static const double settled = 1e-2, rounding = 1e-8;
	AbutLanes change, stiff;
	sizes_in_flight(part, right, stiff);
	abut_lanes_zero(change);
	raise(SIDE * part->n, 1.0, part->lanes.dx, change);
	for (int l = 0; l < ABUT_LANES; l++) {
		change[l] -= settled * sizes[l] + rounding * stiff[l];
	}
	return abut_lanes_max(change) <= 0.0;
}

/* Completes the right sides with the effect of starts and parameters. */
ALWAYS_INLINE void complete_right(const AbutGradientPart *part, int first, int last, const AbutLanes *parameters)
{
	clear(part->lanes.held_right, part->n_held);
	for (int i = 0; i < part->n_maps; i++) {
		if (parameters) {
			abut_map_add_parameters(&part->maps[i], parameters, part->lanes.right, part->lanes.held_right);
		}
		if (abut_map_touches(&part->maps[i], first, last)) {
			abut_map_add_wrenches_by_bodies(&part->maps[i], 0, part->lanes.start, part->lanes.right);
			abut_map_add_held_by_bodies(&part->maps[i], 0, part->lanes.start, part->lanes.held_right);
		}
		if (part->lanes.before) {
			abut_map_add_wrenches_by_before(&part->maps[i], part->lanes.before, part->lanes.right);
		}
	}
}

/* Computes dx of one correction; `held` (NULL: nothing) becomes `next`. */
ALWAYS_INLINE void find_correction(const AbutGradientPart *part, const AbutLanes *held, AbutLanes *next)
{
	hold(part, held, next);
	residual(part, next);
	abut_block_system_solve_again(&part->system.factors, part->lanes.dx);
}

ABUT_CLONES void abut_gradient_solve_once(const AbutGradientPart *part, int first, int last)
{
	for (int i = 0; i < part->n_maps; i++) {
		if (abut_map_touches(&part->maps[i], first, last)) {
			abut_map_add_wrenches_by_bodies(&part->maps[i], 0, part->lanes.start, part->lanes.right);
		}
	}
	memcpy(part->lanes.x, part->lanes.right, (size_t)(SIDE * part->n) * sizeof *part->lanes.x);
	abut_block_system_solve_again(&part->system.factors, part->lanes.x);
}

ABUT_CLONES double abut_gradient_correction(const AbutGradientPart *part)
{
	AbutLanes change;
	complete_right(part, 0, part->n - 1, NULL);
	find_correction(part, NULL, part->lanes.next_held);
	abut_lanes_zero(change);
	raise(SIDE * part->n, 1.0, part->lanes.dx, change);
	return abut_lanes_max(change);
}

ABUT_CLONES bool abut_gradient_solve(const AbutGradientPart *part, int first, int last, const AbutLanes *parameters)
{
	const int n = SIDE * part->n;
	AbutLanes *held = part->lanes.held, *next = part->lanes.next_held, sizes;
	sizes_in_flight(part, part->lanes.right, sizes);
	raise(n, 1.0 / part->bodies[0].timestep, part->lanes.start, sizes);
	complete_right(part, first, last, parameters);
	memcpy(part->lanes.x, part->lanes.right, (size_t)n * sizeof *part->lanes.x);
	abut_block_system_solve_again(&part->system.factors, part->lanes.x);
	bool more = part->n_maps > 0;
	AbutLanes change, before;
	for (int k = 0; more && k < MOST_CORRECTIONS; k++) {
		find_correction(part, k > 0 ? held : NULL, next);
		correct(n, part->lanes.x, part->lanes.dx, sizes, change);
		more = is_worth_more(k == 0, change, before, small);
		AbutLanes *const swap = held;
		held = next;
		next = swap;
	}
	return !more || is_settled(part, part->lanes.right, sizes);
}

/* --- transposed --- */

/* Computes x^ + Y_x' n - S' m into dx, with m in part->lanes.right. */
ALWAYS_INLINE void residual_back(const AbutGradientPart *part, const AbutLanes *held)
{
	memcpy(part->lanes.dx, part->lanes.x, (size_t)(SIDE * part->n) * sizeof *part->lanes.dx);
	for (int i = 0; i < part->n_maps; i++) {
		abut_map_pull_held_to_bodies(&part->maps[i], abut_map_by_velocity(&part->maps[i]), held,
		                             part->lanes.dx);
	}
	abut_block_system_subtract(&part->system.sum, true, part->lanes.right, part->lanes.dx);
}

ALWAYS_INLINE void hold_back(const AbutGradientPart *part, const AbutLanes *held, AbutLanes *next)
{
	clear(next, part->n_held);
	for (int i = 0; i < part->n_maps; i++) {
		abut_map_pull_wrenches_to_held(&part->maps[i], part->lanes.right, next);
		abut_map_pull_held_to_held(&part->maps[i], held, next);
	}
}

ABUT_CLONES bool abut_gradient_solve_transposed(const AbutGradientPart *part)
{
	const int n = SIDE * part->n;
	AbutLanes *held = part->lanes.held, *next = part->lanes.next_held, sizes;
	sizes_in_flight(part, part->lanes.x, sizes);
	memcpy(part->lanes.right, part->lanes.x, (size_t)n * sizeof *part->lanes.right);
	abut_block_system_solve_transposed(&part->system.factors, part->lanes.right);
	clear(held, part->n_held);
	bool more = part->n_maps > 0;
	AbutLanes change, before;
	for (int k = 0; more && k < MOST_CORRECTIONS; k++) {
		hold_back(part, held, next);
		AbutLanes *const swap = held;
		held = next;
		next = swap;
		residual_back(part, held);
		abut_block_system_solve_transposed(&part->system.factors, part->lanes.dx);
		correct(n, part->lanes.right, part->lanes.dx, sizes, change);
		more = is_worth_more(k == 0, change, before, small_back);
	}
	clear(part->lanes.start, n);
	clear(part->lanes.parameters, part->n_parameters);
	if (part->lanes.before) {
		clear(part->lanes.before, n);
	}
	for (int i = 0; i < part->n_maps; i++) {
		abut_map_pull_wrenches_to_bodies(&part->maps[i], 0, part->lanes.right, part->lanes.start);
		abut_map_pull_held_to_bodies(&part->maps[i], 0, held, part->lanes.start);
		abut_map_pull_parameters(&part->maps[i], part->lanes.right, held, part->lanes.parameters);
		if (part->lanes.before) {
			abut_map_pull_wrenches_to_before(&part->maps[i], part->lanes.right, part->lanes.before);
		}
	}
	return !more || is_settled(part, part->lanes.x, sizes);
}
