/* Whether all that the contacts of a part hold can be held, whichever way its state changes. Contacts that hold more
 * than the bodies have freedoms, as of a plank on two boxes, do so at the solution alone: beside it some open or slip,
 * and the step has one-sided derivatives.
 *
 * Where it can be, the impulses of what is held (the y of gradient_solve.c) change by as much as the bodies' momentum
 * does, by 1 to 100 in units of what moves a body in flight. Where not, a violation meets the regularised laws, and
 * they change by that times their stiffness: 1e8 and more. A part whose contacts form no loop (as many as bodies, that
 * which rests on the ground among them) holds no more than there is. Tested in tests/dynamics/test_gradient_held.c. */
#include <math.h>
#include <string.h>

#include "dynamics/gradient_columns.h"

static const double most = 1e6;

/* Sums of all columns, with signs of no order: a sum in each lane. */
static void sum_columns(const AbutGradientPart *part)
{
	uint32_t bits = 1;
	abut_columns_clear(part);
	for (int body = 0; body < part->n; body++) {
		for (int column = 0; column < ABUT_SOLVED_COLUMNS; column++) {
			const double measure = abut_column_measure(&part->bodies[body], column);
			for (int lane = 0; lane < ABUT_LANES; lane++) {
				abut_column_add(&part->bodies[body], column, abut_column_sign(&bits) * measure, lane,
				                &part->right[ABUT_MAP_SIDE * body], &part->start[ABUT_MAP_SIDE * body]);
			}
		}
	}
}

bool abut_gradient_can_hold(const AbutGradientPart *part)
{
	if (part->smoothed || part->n_maps <= part->n) {
		return true;
	}
	sum_columns(part);
	abut_gradient_solve_once(part, 0, part->n - 1);
	sum_columns(part);
	(void)abut_gradient_correction(part);
	bool held = true;
	for (int i = 0; i < part->n_held; i++) {
		for (int lane = 0; lane < ABUT_LANES; lane++) {
			held = held && fabs(part->next_held[i][lane]) <= most;
		}
	}
	return held;
}
