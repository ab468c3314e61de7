/* Creates spheres of radius R: |p| <= alpha R, that is
 *     s = (alpha R, p) in Q4. */
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"
#include "shapes/core/mass.h"
#include <math.h>

AbutStatus abut_shape_create_sphere(double radius, AbutShape **out, AbutError *error)
{
	ABUT_TRY(abut_shape_check_out(out, error));
	ABUT_TRY(abut_shape_check_length(radius, "radius", error));
	AbutShape *shape = NULL;
	ABUT_TRY(abut_shape_allocate(ABUT_SHAPE_SPHERE, 0, 1, (const int[]){4}, 0, 0, &shape, error));
	double *A = abut_shape_edit(shape->A), *d = abut_shape_edit(shape->d);
	d[0] = radius;
	for (int i = 0; i < 3; i++) {
		A[3 * (1 + i) + i] = -1.0;
	}
	shape->size[0] = radius;
	shape->outer_radius = shape->inner_radius = radius;
	const double volume = 4.0 / 3.0 * M_PI * radius * radius * radius;
	const double moment = 0.4 * volume * radius * radius;
	shape->mass = abut_mass_diagonal(volume, moment, moment, moment);
	*out = shape;
	return ABUT_OK;
}
