/* Creates boxes with half extents e: |p_i| <= alpha e_i, that is
 *     s = (alpha e - p, alpha e + p) >= 0. */
#include <math.h>

#include "base/vec3.h"
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"
#include "shapes/core/mass.h"

AbutStatus abut_shape_create_box(const double half_extents[3], AbutShape **out, AbutError *error)
{
	ABUT_TRY(abut_shape_check_out(out, error));
	ABUT_TRY(abut_shape_check_lengths(half_extents, 3, "half_extents", error));
	AbutShape *shape = NULL;
	ABUT_TRY(abut_shape_allocate(ABUT_SHAPE_BOX, 6, 0, NULL, 0, 0, &shape, error));
	double *A = abut_shape_edit(shape->A), *d = abut_shape_edit(shape->d);
	for (int i = 0; i < 3; i++) {
		A[3 * i + i] = 1.0;
		A[3 * (3 + i) + i] = -1.0;
		d[i] = d[3 + i] = half_extents[i];
		shape->size[i] = half_extents[i];
	}
	shape->outer_radius = abut_norm3(half_extents);
	shape->inner_radius = fmin(half_extents[0], fmin(half_extents[1], half_extents[2]));
	const double x = half_extents[0], y = half_extents[1], z = half_extents[2];
	const double volume = 8.0 * x * y * z, third = volume / 3.0;
	shape->mass =
	    abut_mass_diagonal(volume, third * (y * y + z * z), third * (x * x + z * z), third * (x * x + y * y));
	*out = shape;
	return ABUT_OK;
}
