/* Computes a start of the collision problem from the growth distance of the two shapes. The start has the point and the
 * alpha of the growth distance. For each side, eps and the duals lambda are those of this point
 * (shapes/support/contact_rows.h), with A' lambda = +-n / h_C(n): the derivative of alpha with respect to p, up to its
 * sign. The rows are divided by their divisor; therefore the duals are multiplied by it. Tested by
 * scaling/starts_from_the_growth_distance in tests/collision/test_scaling.c. */
#include "collision/scaling/grown.h"

#include "base/vec3.h"
#include "collision/growth/growth.h"
#include "shapes/support/contact_rows.h"

/* A smaller alpha gives no start, because the centres nearly coincide. The other value is a relative error of alpha
 * that is small enough for a start. */
static const double concentric = 1e-4, near_enough = 1e-3;

/* Places a side for the growth distance. Writes the position of the frame in which the shape was given (world, m). */
static void place(const AbutScalingSide *side, double position[3], AbutGrowthSide *out)
{
	abut_mat3_vec(side->R, side->rows->origin, position);
	for (int i = 0; i < 3; i++) {
		position[i] = side->rows->unit * side->x[i] - position[i];
	}
	abut_growth_place(side->rows->shape, position, side->R, out);
}

/* Sets the duals and eps of a side. Returns false if the duals are not found. */
static bool bear(const AbutScalingSide *side, const double position[3], const AbutGrowth *growth, double sign,
                 AbutIterate *it)
{
	const AbutConicRows *rows = side->rows;
	const AbutShape *shape = rows->shape;
	double g[3], p[3];
	abut_scale3(sign / growth->height, growth->normal, g);
	abut_sub3(growth->point, position, p);
	abut_mat3_tvec(side->R, g, g);
	abut_mat3_tvec(side->R, p, p);
	const bool found = abut_shape_contact_rows(shape, p, growth->alpha, g, &it->z[side->z], &it->y[side->y]);
	for (int r = 0; r < rows->n_rows; r++) {
		it->z[side->z + r] *= rows->divisor;
	}
	for (int e = 0; e < rows->n_eps; e++) {
		it->y[side->y + e] /= rows->unit;
	}
	return found;
}

bool abut_scaling_bear(const AbutScalingProblem *problem, const double position[2][3], const AbutGrowth *growth,
                       AbutIterate *iterate)
{
	iterate->y[3] = growth->alpha;
	iterate->z[0] = 0.0;
	return bear(&problem->side[0], position[0], growth, 1.0, iterate) &&
	       bear(&problem->side[1], position[1], growth, -1.0, iterate);
}

bool abut_scaling_start_grown(const AbutScalingProblem *problem, AbutIterate *iterate)
{
	AbutGrowthSide placed[2];
	AbutGrowthContact contact = {.count = 0};
	AbutGrowth growth;
	double position[2][3];
	for (int k = 0; k < 2; k++) {
		place(&problem->side[k], position[k], &placed[k]);
	}
	bool grown = true;
	if (problem->side[1].rows->bounded) {
		grown = abut_growth_solve(&placed[0], &placed[1], &contact, &growth);
	} else {
		abut_growth_above_plane(&placed[0], &placed[1], &growth);
	}
	if (!(grown || growth.error <= near_enough * growth.alpha) || !(growth.alpha > concentric) ||
	    !abut_all_finite(growth.point, 3)) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		iterate->y[i] = growth.point[i] / problem->side[0].rows->unit - problem->origin[i];
	}
	return abut_scaling_bear(problem, position, &growth, iterate);
}
