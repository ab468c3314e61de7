/* Solves a part's linear system for eight columns at once. x is the change of the bodies' (v+, w+), b the right side of
 * their balances, and s the start, which is the change of the next poses at fixed velocities. y are the held numbers of
 * the contacts. The contacts' matrices (dynamics/gradient/edge_map.h) have rows W of wrenches and rows Y of held
 * numbers, with columns for s, x and y. Parameters enter like s. The equations are
 *
 *     S x = b + W_s s + W_y y,        y = Y_s s + Y_x x + Y_y y,
 *
 * where S contains -W_x. With y = 0 on the right, x is the solution of the regularised laws. Each correction inserts
 * the y of the last solution (the method of multipliers), so the limit is free of the regularisation. A correction
 * multiplies the error by about 1e-3, by more with inaccurate factors. On the path the held numbers belong to the
 * stiffest laws, whose stiffness would cost digits. The transposed system maps the gradient x^ of a cost with respect
 * to x to its gradients b^ and s^:
 *
 *     S' m = x^ + Y_x' n,             n = W_y' m + Y_y' n,          b^ = m,   s^ = W_s' m + Y_s' n.
 *
 * Its corrections converge at the same rate. Contacts of method convex also depend on the velocities v at the start.
 * This adds W_v v to the right of the first equation, and their gradient is W_v' m. Points of method lcp that bounce
 * add Y_v v to the right of the second one. Tested in tests/dynamics/gradient/test_gradient.c. */
#include "dynamics/gradient/solve.h"

#include <math.h>
#include <string.h>

#include "dynamics/gradient/left.h"
#include "dynamics/gradient/map_lanes.h"
#include "dynamics/gradient/nodes.h"
#include "solver/blocks/columns.h"

/* Corrections end when the next one would be smaller than `small` (transposed: `small_back`) times the solution. Its
 * size is estimated from the ratio of the last two corrections, after the first one by a ratio of at least `slow`. With
 * inaccurate factors, as for sliding contacts that turn a body about an edge, a correction gains at most one digit. */
static const double small = 1e-7, small_back = 1e-8, slow = 0.05;
enum { MOST_CORRECTIONS = 12, SIDE = ABUT_MAP_SIDE };

/* --- corrections --- */

ALWAYS_INLINE void clear(AbutLanes *x, int n)
{
	memset(x, 0, (size_t)n * sizeof *x);
}

/* Raises each lane of `sizes` to at least factor |x|. */
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

/* Computes the effect of `right` on bodies in flight. It serves as the scale of columns that are zero because contacts
 * hold the bodies. */
ALWAYS_INLINE void sizes_in_flight(const AbutGradientPart *part, const AbutLanes *right, AbutLanes sizes)
{
	abut_lanes_zero(sizes);
	for (int i = 0; i < part->n; i++) {
		raise(3, 1.0 / part->bodies[i].mass, &right[SIDE * i], sizes);
		raise(3, 1.0 / part->bodies[i].least_inertia, &right[SIDE * i + 3], sizes);
	}
}

/* Adds dx to x. Sets `change` to the largest entry of dx in each column, relative to the column's size. */
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

/* Returns whether one more correction matters in some column. `change` is the size of the last correction, `before`
 * that of the one before it; the next one would be smaller by the same ratio. Each column is judged separately, since
 * the columns converge at different rates. The size of the `first` correction alone does not predict the next one: it
 * may be small because the column is small compared with its start. */
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

/* Computes the residual of the equations of x, b + W_y y - S x, into dx. The right side already contains W_s s. */
ALWAYS_INLINE void residual(const AbutGradientPart *part, const AbutLanes *held)
{
	memcpy(part->lanes.dx, part->lanes.right, (size_t)(SIDE * part->n) * sizeof *part->lanes.dx);
	for (int i = 0; i < part->n_maps; i++) {
		abut_map_add_wrenches_by_held(&part->maps[i], held, part->lanes.dx);
	}
	abut_block_system_subtract(&part->system.sum, false, part->lanes.x, part->lanes.dx);
}

/* Computes the held numbers `next` from x, from the last held numbers `held` (NULL: zero) and from their right sides.
 */
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

/* Returns whether the last correction, although not small, is only rounding. In columns that are zero, stiff contacts
 * amplify the rounding errors of the right sides. */
ALWAYS_INLINE bool is_settled(const AbutGradientPart *part, const AbutLanes *right, const AbutLanes sizes)
{
	/* If the last correction is a hundredth of the column and converges, the remaining error is far below 1e-6. The
	 * stiffest contacts, with 1e8 times the inertia of their bodies, amplify DBL_EPSILON to 1e-8. */
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

/* Adds the effect of starts through the directions of joints to the right sides. */
ALWAYS_INLINE void add_directions(const AbutGradientPart *part, int first, int last)
{
	for (int i = 0; i < part->directions.n; i++) {
		const AbutGradientDirection *direction = &part->directions.at[i];
		AbutLanes turn;
		abut_lanes_zero(turn);
		for (int k = SIDE * first; k < SIDE * (last + 1); k++) {
			abut_lanes_add(turn, direction->by[k], part->lanes.start[k]);
		}
		for (int k = 0; k < 2 * SIDE; k++) {
			if (direction->body[k / SIDE] >= 0) {
				abut_lanes_add(part->lanes.right[SIDE * direction->body[k / SIDE] + k % SIDE],
				               direction->push[k / SIDE][k % SIDE], turn);
			}
		}
	}
}

/* Adds the transpose of add_directions to the gradient by starts. */
ALWAYS_INLINE void pull_directions(const AbutGradientPart *part)
{
	for (int i = 0; i < part->directions.n; i++) {
		const AbutGradientDirection *direction = &part->directions.at[i];
		AbutLanes turn;
		abut_lanes_zero(turn);
		for (int k = 0; k < 2 * SIDE; k++) {
			if (direction->body[k / SIDE] >= 0) {
				abut_lanes_add(turn, direction->push[k / SIDE][k % SIDE],
				               part->lanes.right[SIDE * direction->body[k / SIDE] + k % SIDE]);
			}
		}
		for (int k = 0; k < SIDE * part->n; k++) {
			abut_lanes_add(part->lanes.start[k], direction->by[k], turn);
		}
	}
}

/* Adds the effect of starts, parameters and velocities at the start to the right sides. */
ALWAYS_INLINE void complete_right(const AbutGradientPart *part, int first, int last, const AbutLanes *parameters)
{
	clear(part->lanes.held_right, part->n_held);
	add_directions(part, first, last);
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
			abut_map_add_held_by_before(&part->maps[i], part->lanes.before, part->lanes.held_right);
		}
	}
}

/* Computes dx of one correction, and the held numbers `next` from the last ones, `held` (NULL: zero). */
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
	if (part->jointed) {
		complete_right(part, first, last, parameters);
		abut_gradient_nodes_solve(part, first, last);
		abut_gradient_left_solve(part);
		return true;
	}
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

/* Computes the gradients with respect to starts, parameters and velocities at the start from those by right sides. */
ALWAYS_INLINE void complete_back(const AbutGradientPart *part, const AbutLanes *held)
{
	clear(part->lanes.start, SIDE * part->n);
	clear(part->lanes.parameters, part->n_parameters);
	if (part->lanes.before) {
		clear(part->lanes.before, SIDE * part->n);
	}
	for (int i = 0; i < part->n_maps; i++) {
		abut_map_pull_wrenches_to_bodies(&part->maps[i], 0, part->lanes.right, part->lanes.start);
		abut_map_pull_held_to_bodies(&part->maps[i], 0, held, part->lanes.start);
		abut_map_pull_parameters(&part->maps[i], part->lanes.right, held, part->lanes.parameters);
		if (part->lanes.before) {
			abut_map_pull_wrenches_to_before(&part->maps[i], part->lanes.right, part->lanes.before);
			abut_map_pull_held_to_before(&part->maps[i], held, part->lanes.before);
		}
	}
	pull_directions(part);
}

ABUT_CLONES bool abut_gradient_solve_transposed(const AbutGradientPart *part)
{
	const int n = SIDE * part->n;
	AbutLanes *held = part->lanes.held, *next = part->lanes.next_held, sizes;
	if (part->jointed) {
		abut_gradient_left_solve_transposed(part);
		abut_gradient_nodes_solve_transposed(part);
		complete_back(part, held);
		return true;
	}
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
	complete_back(part, held);
	return !more || is_settled(part, part->lanes.x, sizes);
}
