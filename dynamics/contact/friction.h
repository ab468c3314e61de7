/* The friction law of one contact: how tangential (and torsional) impulses beta follow from the normal impulse gamma
 * and the slip. Two laws behind one set of functions:
 *
 *  - second-order cone (Dojo eq. 20-23):  (beta_0, beta) o (psi, slip) = kappa e,  mu gamma - beta_0 = 0,
 *    with psi a free unknown;  z = (beta_0, beta), H = (psi, slip)
 *  - pyramid (paper eq. 10-13):  z = (psi, edge impulses: + and - of each direction),
 *    H = (mu gamma - sum of edges, +-slip + psi)
 *
 * `tail` is 2, 3 with torsion, or 1 in a plane; arrays of slip and beta have 3 entries, the last unused (zero) without
 * torsion. */
#ifndef DYNAMICS_CONTACT_FRICTION_H
#define DYNAMICS_CONTACT_FRICTION_H

#include "abut/scene.h"
#include "solver/cones/cones.h"

/* The friction of one contact. */
typedef struct AbutFriction {
	AbutFrictionCone kind;
	int tail;
	double mu;
	double head_residual;  /* mu gamma - beta_0 of the second-order cone; not read of the pyramid */
	const AbutCone *cones; /* of friction alone */
} AbutFriction;

typedef struct AbutFrictionLaw { /* d beta = a dgamma + (k[0] + w k[1]) - B dslip */
	double a[3], B[9], k[2][3];
} AbutFrictionLaw;

/* Numbers of free unknowns (psi) and of dual entries, cones appended as in abut_conic_rows_cones. */
int abut_friction_n_y(AbutFrictionCone kind, int tail);
int abut_friction_n_z(AbutFrictionCone kind, int tail);
int abut_friction_cones(AbutFrictionCone kind, int tail, int offset, int *law, AbutCone *cones);

/* Computes r (n_y), H (n_z) and beta (3) at gamma, slip (3), y (n_y) and z (n_z). */
void abut_friction_evaluate(const AbutFriction *friction, double gamma, const double slip[3], const double *y,
                            const double *z, double *r, double *H, double beta[3]);

/* Reduces the law to the change of beta by those of gamma and slip. */
void abut_friction_condense(const AbutFriction *friction, const AbutConeLaw *law, AbutFrictionLaw *out);

/* Computes the steps dy, dz and dH of friction's unknowns from those of gamma and slip. */
void abut_friction_recover(const AbutFriction *friction, const AbutConeLaw *law, double weight, double d_gamma,
                           const double d_slip[3], double *dy, double *dz, double *dH);

/* Of the pyramid, after abut_cones_law_exact at a solution with the same `z`, `H` and `delta`. The edges of a direction
 * may hold any force against each other, so that which of them the law takes to hold, and psi, is chance. What counts
 * is beta: while |beta|_1 < mu gamma, psi is zero and all edges hold. Of the second-order cone nothing. */
void abut_friction_hold_edges(AbutFrictionCone kind, int tail, const AbutCone *cones, const double *z, const double *H,
                              double delta, AbutConeLaw *law);

/* How far an exact solution is from the border of stick and slip: positive where it sticks; infinite without friction.
 */
double abut_friction_margin(AbutFrictionCone kind, int tail, const AbutCone *cones, const double *z, const double *H);
/* Moves z by `by` to the side of sticking; negative: of slipping. */
void abut_friction_lean(AbutFrictionCone kind, int tail, const AbutCone *cones, double by, double *z);

/* Constant derivatives for the dense oracle: beta (3) by z in `beta_z` (3 x n_z row-major); of [r; H] (n_y + n_z rows)
 * by gamma (column 0), slip (1..3), y, z in `J` (row-major, 4 + n_y + n_z columns). */
void abut_friction_jacobian(const AbutFriction *friction, double *beta_z, double *J);

#endif
