/* Detects contacts of a part that hold more directions than the bodies have degrees of freedom. Examples are the
 * contacts of a plank on two boxes. They can all hold only at the solution itself: after a small change some of them
 * open or slip, so the step has only one-sided derivatives. This is checked separately for changes of poses, for pushes
 * and for each parameter. A push may leave everything in place; then the derivative with respect to pushes exists.
 *
 * The check uses the held numbers (y in dynamics/gradient/solve.c), for changes that move a body in flight by about 1.
 * If the contacts can hold everything, the held numbers change by 1 to 100, like the bodies' momentum. If not, they
 * change by the violation times the stiffness of the regularised laws: by 1e8 and more. With joints, only the numbers
 * that the others hold already matter, and how far their equations are violated (dynamics/gradient/left.c). Rows of
 * loops of joints alone are rows of one motion, so they never are. A part whose contacts form no loop never holds too
 * much; it has no more contacts than bodies, counting contacts with the ground.
 * Tested in tests/dynamics/gradient/test_gradient_held.c. */
#include "dynamics/gradient/held.h"

#include <math.h>
#include <string.h>

#include "dynamics/gradient/columns.h"
#include "dynamics/gradient/left.h"
#include "dynamics/gradient/products.h"

enum { COLUMNS = ABUT_GRADIENT_COLUMNS };

/* Of held numbers; of violations, beside a motion in flight by 1. */
static const double most = 1e6, most_violation = 1e-5;

/* Returns the factor by which a column of the tangent space changes a body in flight as much as a velocity of 1. */
static double measure_of(const AbutGradientBody *body, int column)
{
	return column < ABUT_GRADIENT_LINEAR   ? body->timestep
	       : column < ABUT_GRADIENT_FORCE  ? 0.0 /* effect of impulses */
	       : column < ABUT_GRADIENT_TORQUE ? body->mass / body->timestep
	                                       : body->least_inertia / body->timestep;
}

/* Sums the columns of poses or of impulses (`by`) with pseudo-random signs, one sum per lane. */
static void sum_columns(const AbutGradientPart *part, int by)
{
	uint32_t bits = 1;
	for (int i = 0; i < COLUMNS * part->n; i++) {
		const int column = i % COLUMNS;
		const bool counts = (column < ABUT_GRADIENT_LINEAR) == (by == ABUT_BY_POSES);
		const double measure = counts ? measure_of(&part->bodies[i / COLUMNS], column) : 0.0;
		for (int lane = 0; lane < ABUT_LANES; lane++) {
			part->lanes.change[i][lane] = abut_column_sign(&bits) * measure;
		}
	}
}

void abut_gradient_drive(const AbutGradientPart *part, int by)
{
	const bool parameters = by >= ABUT_BY_PARAMETER;
	memset(part->lanes.change, 0, COLUMNS * (size_t)part->n * sizeof *part->lanes.change);
	memset(part->lanes.parameters, 0, (size_t)part->n_parameters * sizeof *part->lanes.parameters);
	if (parameters) {
		for (int lane = 0; lane < abut_gradient_driven(part, by); lane++) {
			part->lanes.parameters[by - ABUT_BY_PARAMETER + lane][lane] = 1.0;
		}
	} else {
		sum_columns(part, by);
	}
	/* the result is ignored: it says only whether all lanes converged */
	(void)abut_gradient_part_forward(part, part->lanes.change, parameters ? part->lanes.parameters : NULL,
	                                 part->lanes.next);
}

/* Returns the largest held number of a map in lanes `first` to `last`; infinite if one is not a number. */
static double largest_held(const AbutGradientPart *part, const AbutEdgeMap *map, int first, int last)
{
	double largest = 0.0;
	for (int i = map->held; i < map->held + map->n_held; i++) {
		for (int lane = first; lane <= last; lane++) {
			const double size = fabs(part->lanes.held[i][lane]) + fabs(part->lanes.next_held[i][lane]);
			largest = isnan(size) ? (double)INFINITY : fmax(largest, size);
		}
	}
	return largest;
}

static void judge(const AbutGradientPart *part, int first, int last, AbutRefusal *out)
{
	double worst = 0.0;
	for (int i = 0; i < part->n_maps; i++) {
		const double largest = largest_held(part, &part->maps[i], first, last);
		if (largest > most && largest > worst) {
			worst = largest;
			*out = part->causes[i];
			out->why = ABUT_REFUSED_OVERHELD;
		}
	}
}

static void judge_jointed(const AbutGradientPart *part, int first, int last, AbutRefusal *out)
{
	double worst = most_violation;
	for (int lane = first; lane <= last; lane++) {
		int map = 0;
		const double violation = abut_gradient_left_violation(part, lane, &map);
		if (violation > worst) {
			worst = violation;
			*out = part->causes[map];
			out->why = ABUT_REFUSED_OVERHELD;
		}
	}
}

void abut_gradient_refuse_overheld(AbutGradientPart *part)
{
	if (part->smoothed || (part->jointed ? part->system.nodes.n_dropped == 0 : part->n_maps <= part->n)) {
		return;
	}
	for (int by = 0, n = 0; by < ABUT_BY_PARAMETER + part->n_parameters; by += n) {
		n = abut_gradient_driven(part, by);
		/* a solve stores the held numbers of its last two corrections there, or of its only one */
		memset(part->lanes.held, 0, (size_t)part->n_held * sizeof *part->lanes.held);
		memset(part->lanes.next_held, 0, (size_t)part->n_held * sizeof *part->lanes.next_held);
		abut_gradient_drive(part, by);
		for (int i = 0; i < n; i++) {
			const bool alone = by >= ABUT_BY_PARAMETER;
			const int first = alone ? i : 0, last = alone ? i : ABUT_LANES - 1;
			if (part->jointed) {
				judge_jointed(part, first, last, &part->refused[by + i]);
			} else {
				judge(part, first, last, &part->refused[by + i]);
			}
		}
	}
}
