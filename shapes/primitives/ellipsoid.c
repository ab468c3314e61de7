/* Creates ellipsoids with radii r: |p / r| <= alpha, times the mean radius m so that every row is a length,
 *     s = (alpha m, m p / r) in Q4.
 * The whole cone needs one factor: a factor per row would change the shape. */
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"
#include "shapes/core/mass.h"
#include <math.h>

AbutStatus abut_shape_create_ellipsoid(const double radii[3], AbutShape **out, AbutError *error)
{
	ABUT_TRY(abut_shape_check_out(out, error));
	ABUT_TRY(abut_shape_check_lengths(radii, 3, "radii", error));
	AbutShape *shape = NULL;
	ABUT_TRY(abut_shape_allocate(ABUT_SHAPE_ELLIPSOID, 0, 1, (const int[]){4}, 0, 0, &shape, error));
	double *A = abut_shape_edit(shape->A), *d = abut_shape_edit(shape->d);
	const double mean = (radii[0] + radii[1] + radii[2]) / 3.0;
	d[0] = mean;
	for (int i = 0; i < 3; i++) {
		A[3 * (1 + i) + i] = -mean / radii[i];
		shape->size[i] = radii[i];
	}
	shape->outer_radius = fmax(radii[0], fmax(radii[1], radii[2]));
	shape->inner_radius = fmin(radii[0], fmin(radii[1], radii[2]));
	const double volume = 4.0 / 3.0 * M_PI * radii[0] * radii[1] * radii[2];
	const double xx = radii[0] * radii[0], yy = radii[1] * radii[1], zz = radii[2] * radii[2];
	shape->mass =
	    abut_mass_diagonal(volume, 0.2 * volume * (yy + zz), 0.2 * volume * (xx + zz), 0.2 * volume * (xx + yy));
	*out = shape;
	return ABUT_OK;
}
