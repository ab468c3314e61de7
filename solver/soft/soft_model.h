/* Computes references and weights of a soft contact's rows from the parameters that MuJoCo calls solref and solimp
 * (docs/formulation.md 15). d0, d1, width and the midpoint are in solimp. With r the distance of the two surfaces
 * (negative in overlap), v the row's velocity and A an estimate of its inverse inertia,
 *
 *     impedance       d  = d0 + y(|r| / width) (d1 - d0)
 *     reference       -b v - k d r            (friction rows of an elliptic point: -b v)
 *     weight          1 / R,  R = A (1 - d) / d
 *     solref of time constant T > 0 and damping ratio z:   b = 2 / (d1 T),  k = 1 / (d1 T z)^2
 *     solref of -stiffness and -damping, not positive:     b = damping / d1,  k = stiffness / d1^2
 *
 * y rises from 0 to 1 by two powers that meet at the midpoint. In an elliptic point R_1 = R_0 / impratio and R_i
 * friction_i^2 = R_1 friction_1^2. All edges of a pyramid have 2 mu^2 R_0, where mu^2 = friction_1^2 / impratio and R_0
 * uses A of the first edge. Tested in tests/solver/test_soft_model.c. */
#pragma once

#include "solver/soft/soft_penalty.h"

/* d0, d1 and the midpoint are limited to this and to 1 minus this. */
#define ABUT_SOFT_LEAST_IMPEDANCE 1e-4

typedef struct AbutSoftParameters {
	double solref[2];
	double solimp[5]; /* d0, d1, width, midpoint, power */
	double impratio;
} AbutSoftParameters;

/* One contact point. The rows of its Jacobian are in the contact frame: normal, two tangents, and rotations about these
 * three axes. */
typedef struct AbutSoftContact {
	int body[2];           /* negative: fixed */
	int n_rows;            /* 1, 3, 4 or 6: number of directions that the contact resists, in this order */
	const double (*J)[12]; /* (n_rows) */
	double distance;       /* distance of the surfaces */
	double velocity[6];    /* (n_rows) J v */
	double inverse_mass;   /* sum for both bodies: the estimate A */
	double friction[ABUT_SOFT_FRICTIONS];
} AbutSoftContact;

/* Returns the impedance d at a distance. `slope` becomes its derivative with respect to the distance. */
double abut_soft_impedance(const double solimp[5], double distance, double *slope);
/* Computes b and k; the time constant is at least two timesteps. */
void abut_soft_spring(const AbutSoftParameters *parameters, double timestep, double *b, double *k);

/* Makes the contact a point whose rows start at `first_row`, written to `rows`. Returns the number of rows. */
int abut_soft_make(const AbutSoftParameters *parameters, double timestep, bool pyramid, const AbutSoftContact *contact,
                   int first_row, AbutSoftPoint *point, AbutSoftRow *rows);

/* Computes the forces of a point's rows in the contact's frame. */
void abut_soft_force_in_frame(const AbutSoftPoint *point, const double *force, double frame[6]);
/* Computes the derivative of these forces with respect to a friction coefficient that all rows share, for fixed y
 * (n_rows) and its forces. It is zero for a single row. */
void abut_soft_by_friction(const AbutSoftPoint *point, const AbutSoftRow *rows, const double *y, const double *force,
                           double frame[6]);
/* Transforms the second derivative `hessian` (n_rows x n_rows) to the frame's n directions, `frame` (n x n). */
void abut_soft_hessian_in_frame(const AbutSoftPoint *point, const double *hessian, int n, double *frame);
