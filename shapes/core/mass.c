/* Computes mass properties of solids of density 1: moves, scales and checks them, and integrates over triangles. */
#include "shapes/core/mass.h"

#include <math.h>
#include <string.h>

#include "base/eigen3.h"
#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/inputs.h"

AbutMassProperties abut_mass_diagonal(double volume, double Ixx, double Iyy, double Izz)
{
	return (AbutMassProperties){.volume = volume, .inertia = {Ixx, 0.0, 0.0, 0.0, Iyy, 0.0, 0.0, 0.0, Izz}};
}

void abut_mass_move(AbutMassProperties *mass, const double R[9], const double t[3])
{
	double half[9];
	abut_mat3_vec(R, mass->centre_of_mass, mass->centre_of_mass);
	abut_add3(mass->centre_of_mass, t, mass->centre_of_mass);
	abut_mat3_mul(R, mass->inertia, half);
	abut_mat3_mul_transposed(half, R, mass->inertia);
	/* Keep the inertia symmetric in spite of rounding. */
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < i; j++) {
			mass->inertia[3 * i + j] = mass->inertia[3 * j + i];
		}
	}
}

void abut_mass_scale(AbutMassProperties *mass, double factor)
{
	const double cube = factor * factor * factor;
	mass->volume *= cube;
	abut_scale3(factor, mass->centre_of_mass, mass->centre_of_mass);
	for (int i = 0; i < 9; i++) {
		mass->inertia[i] *= cube * factor * factor;
	}
}

/* Uses C = second - volume c c', the covariance about the centre of mass c: inertia = tr(C) I - C. */
AbutMassProperties abut_mass_from_moments(const AbutMoments *moments)
{
	AbutMassProperties mass = {.volume = moments->volume};
	double *c = mass.centre_of_mass;
	abut_divide3(moments->first, moments->volume, c);
	double C[9];
	for (int i = 0; i < 3; i++) {
		abut_add_scaled3(&moments->second[3 * i], -(moments->volume * c[i]), c, &C[3 * i]);
	}
	const double trace = C[0] + C[4] + C[8];
	for (int i = 0; i < 9; i++) {
		mass.inertia[i] = (i % 4 == 0 ? trace : 0.0) - C[i];
	}
	return mass;
}

bool abut_mat3_root(const double C[9], double L[9])
{
	memset(L, 0, 9 * sizeof *L);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j <= i; j++) {
			double rest = C[3 * i + j];
			for (int k = 0; k < j; k++) {
				rest -= L[3 * i + k] * L[3 * j + k];
			}
			L[3 * i + j] = i == j ? sqrt(fmax(rest, 0.0)) : rest / L[4 * j];
		}
		if (!(L[4 * i] > 0.0 && isfinite(L[4 * i]))) {
			return false;
		}
	}
	return true;
}

void abut_moments_add_triangle(AbutMoments *sum, const double a[3], const double b[3], const double c[3])
{
	const double ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
	const double ac[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
	const double total[3] = {a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]};
	double cross[3];
	abut_cross3(ab, ac, cross);
	const double six_volumes = abut_dot3(a, cross);
	sum->volume += six_volumes / 6.0;
	abut_add_scaled3(sum->first, six_volumes / 24.0, total, sum->first);
	abut_moments_add_corners(sum->second, six_volumes / 120.0, a, b, c);
}

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
	             : abut_error_set(error, ABUT_ERROR_ARGUMENT, "mass_properties",
	                              "the volume is %g and the diagonal of the inertia is %g, %g, %g; the volume must "
	                              "be positive, the inertia symmetric and positive definite, no principal moment "
	                              "above the sum of the other two, and the centre of mass within %g m",
	                              mass->volume, mass->inertia[0], mass->inertia[4], mass->inertia[8],
	                              ABUT_LENGTH_MAX);
}

AbutStatus abut_shape_set_mass(AbutShape *shape, const AbutMassProperties *mass, AbutError *error)
{
	if (!shape || !mass) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "shape and mass must not be NULL");
	}
	if (shape->kind == ABUT_SHAPE_HALFSPACE) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "mass_properties", "a halfspace has no mass");
	}
	ABUT_TRY(abut_mass_check(mass, error));
	shape->mass = *mass;
	shape->mass_given = true;
	return ABUT_OK;
}
