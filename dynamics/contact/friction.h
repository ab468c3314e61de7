/* The friction law of a contact: the tangential (and torsional) impulses beta as a function of the normal impulse gamma
 * and the slip. The same functions handle two laws:
 *
 *  - second-order cone (Dojo eq. 20-23):  (beta_0, beta) o (psi, slip) = kappa e,  mu gamma - beta_0 = 0,
 *    with psi a free unknown;  z = (beta_0, beta), H = (psi, slip)
 *  - pyramid (paper eq. 10-13):  z = (psi, edge impulses: + and - of each direction),
 *    H = (mu gamma - sum of edges, +-slip + psi)
 *
 * `tail` is the number of friction impulses: 2, or 3 with torsion; 1 in planar motion; 0 without friction. Arrays of
 * slip and beta have 3 entries, of which the first `tail` are used; the other entries of beta are zero. */
#pragma once

#include "abut/scene.h"
#include "solver/cones/cones.h"

/* The friction of one contact. */
typedef struct AbutFriction {
	AbutFrictionCone kind;
	int tail;
	double mu;
	double head_residual;  /* mu gamma - beta_0 of the second-order cone; unused for the pyramid */
	const AbutCone *cones; /* the cones of friction only */
} AbutFriction;

typedef struct AbutFrictionLaw { /* d beta = a dgamma + (k[0] + w k[1]) - B dslip */
	double a[3], B[9], k[2][3];
} AbutFrictionLaw;

/* Return the number of free unknowns (psi), of dual unknowns, and of cones. The cones are appended as in
 * abut_conic_rows_cones. */
int abut_friction_n_y(AbutFrictionCone kind, int tail);
int abut_friction_n_z(AbutFrictionCone kind, int tail);
int abut_friction_cones(AbutFrictionCone kind, int tail, int offset, int *law, AbutCone *cones);

/* Computes r (n_y), H (n_z) and beta (3) at gamma, slip (3), y (n_y) and z (n_z). */
void abut_friction_evaluate(const AbutFriction *friction, double gamma, const double slip[3], const double *y,
                            const double *z, double *r, double *H, double beta[3]);

/* Reduces the law to dbeta as a function of dgamma and dslip. */
void abut_friction_condense(const AbutFriction *friction, const AbutConeLaw *law, AbutFrictionLaw *out);

/* Computes the steps dy, dz and dH of friction's unknowns from the steps of gamma and slip. */
void abut_friction_recover(const AbutFriction *friction, const AbutConeLaw *law, double weight, double d_gamma,
                           const double d_slip[3], double *dy, double *dz, double *dH);

/* Changes the law of a pyramid that sticks, so that all of its edges hold. Call after abut_cones_law_exact at a
 * solution, with the same `z`, `H` and `delta`. Equal impulses on a direction's two edges cancel, so the law's
 * selection of edges, and psi, are arbitrary; only beta is determined. While |beta|_1 < mu gamma, psi is zero and all
 * edges hold. Does nothing for the second-order cone. */
void abut_friction_hold_edges(AbutFrictionCone kind, int tail, const AbutCone *cones, const double *z, const double *H,
                              double delta, AbutConeLaw *law);

/* Returns the distance of an exact solution from the limit between sticking and slipping: positive if the contact
 * sticks, infinite without friction. */
double abut_friction_margin(AbutFrictionCone kind, int tail, const AbutCone *cones, const double *z, const double *H);
/* Shifts z by `by` towards sticking; a negative value shifts it towards slipping. */
void abut_friction_lean(AbutFrictionCone kind, int tail, const AbutCone *cones, double by, double *z);

/* Computes the constant derivatives for the dense Jacobian, both row-major. `beta_z` (3 x n_z) is the derivative of
 * beta with respect to z. `J` (n_y + n_z rows, 4 + n_y + n_z columns) is that of [r; H] with respect to gamma (column
 * 0), slip (1..3), y and z. */
void abut_friction_jacobian(const AbutFriction *friction, double *beta_z, double *J);
