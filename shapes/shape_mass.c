/* The mass of what a shape stands for, in place of its own. */
#include <math.h>

#include "base/eigen3.h"
#include "base/error.h"
#include "base/vec3.h"
#include "shapes/conic.h"
#include "shapes/hull/mass.h"

bool abut_inertia_possible(const double M[9])
{
	const double trace = M[0] + M[4] + M[8];
	const double slack = 1e-9 * trace;
	if (!(trace > 0.0) || !isfinite(trace) || fabs(M[1] - M[3]) > slack || fabs(M[2] - M[6]) > slack ||
	    fabs(M[5] - M[7]) > slack) {
		return false;
	}
	double moments[3];
	abut_eigenvalues3(M, moments);
	return moments[0] > 0.0 && moments[0] + moments[1] - moments[2] > -slack;
}

AbutStatus abut_mass_check(const AbutMassProperties *mass, AbutError *error)
{
	const bool right = isfinite(mass->volume) && mass->volume > 0.0 &&
	                   abut_norm3(mass->centre_of_mass) <= ABUT_LENGTH_MAX && abut_all_finite(mass->inertia, 9) &&
	                   abut_inertia_possible(mass->inertia);
	return right ? ABUT_OK
	             : abut_error_set(
	                   error, ABUT_ERROR_ARGUMENT, "mass_properties",
	                   "the volume is %g, the inertia's diagonal %g, %g, %g; the volume must be positive, the "
	                   "inertia symmetric and positive, no principal moment above the sum of the other "
	                   "two, the centre of mass within %g m",
	                   mass->volume, mass->inertia[0], mass->inertia[4], mass->inertia[8], ABUT_LENGTH_MAX);
}

AbutStatus abut_shape_set_mass(AbutShape *shape, const AbutMassProperties *mass, AbutError *error)
{
	if (!shape || !mass) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "shape and mass must not be NULL");
	}
	if (shape->kind == ABUT_SHAPE_HALFSPACE) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "mass_properties", "a halfspace has no mass");
	}
	const AbutStatus status = abut_mass_check(mass, error);
	if (status != ABUT_OK) {
		return status;
	}
	shape->mass = *mass;
	shape->mass_given = true;
	return ABUT_OK;
}
