/* Computes with the second-order cone Q = { z : z[0] >= |z[1..]| } and its laws (cones.h). z[0] is the head, and z[1..]
 * the tail. Arrays have `dim` entries. */
#pragma once

#include <stdbool.h>

/* The law of a free-head cone. w is the weight of lane 1. The tail has at most 3 entries; therefore the law has a fixed
 * size:
 *
 *     dz_tail = (k[0] + w k[1]) + a dz_head - B dH_tail,    dpsi = (q[0] + w q[1]) + qs . dH_tail + qb dz_head */
typedef struct AbutFreeHeadLaw {
	double a[3];
	double B[9]; /* row-major 3 x 3; entries beyond the tail are zero */
	double k[2][3];
	double q[2], qs[3], qb;
} AbutFreeHeadLaw;

/* Returns the smaller eigenvalue of v: its head minus the norm of its tail, negative outside the cone. */
double abut_soc_slack(int dim, const double *v);

/* Returns the largest entry of z o s - kappa e. Entries of the tail count with their absolute value. */
double abut_soc_complementarity(int dim, const double *z, const double *s, double kappa);

/* Returns the largest step in [0, limit] that keeps z + step dz in the cone. */
double abut_soc_step(int dim, const double *z, const double *dz, double limit);

void abut_soc_law_path(int dim, const double *z, const double *s, const double *H, double kappa, double *c0, double *c1,
                       double *K);
void abut_soc_law_exact(int dim, const double *z, const double *H, double C, double delta, double *c0, double *K);
void abut_free_head_law_path(int dim, const double *z, const double *s, const double *H, double kappa,
                             AbutFreeHeadLaw *law);
/* `force` is the head dual above which a contact in the open case is treated as closing. */
void abut_free_head_law_exact(int dim, const double *z, const double *H, double C, double delta, double force,
                              AbutFreeHeadLaw *law);

/* The same for a head dual that is a constant (soc.c). */
void abut_given_head_law_exact(int dim, const double *z, const double *H, double C, double delta, AbutFreeHeadLaw *law);
/* Returns whether the tail's z - C H is inside the ball. */
bool abut_given_head_sticks(int dim, const double *z, const double *H, double C);
/* Returns the max norm of the tail's z - P(z - C H), with P the projection onto the ball of radius z[0], but at most 1:
 * a joint that is tried as stuck may need many times its friction, and slips in the next iteration. */
double abut_given_head_natural_residual(int dim, const double *z, const double *H, double C);

/* Computes K of the exact law without the stiffness that stands for infinity. Returns the compliance (1 / stiffness) of
 * the omitted part. */
double abut_soc_law_soft(int dim, const double *z, const double *H, double C, double *K);

/* Splits the law at a point (z, s) of the path, if its stiffness along the larger eigenvector of z exceeds `stiff`.
 * `ray` (dim, unit) becomes this direction, and K the rest of the law. Returns the compliance along `ray`. If the law
 * is not so stiff, returns 0 and writes nothing. Tested in tests/solver/test_cone_held.c. */
double abut_soc_law_path_soft(int dim, const double *z, const double *s, double stiff, double *K, double *ray);
/* Implements abut_cone_held for a second-order cone. On the boundary, `held` is only set if `ray` is true. */
bool abut_soc_held(int dim, const double *z, const double *H, double C, bool ray, double *held);

double abut_soc_natural_residual(int dim, const double *z, const double *H, double C);

/* Finds positive z and s with z s = mu and z - s = d, without cancellation. */
void abut_smoothed_scalar(double d, double mu, double *z, double *s);
/* Finds the smoothed pair of d = z - H (cones.h) from its eigenvalues. */
void abut_soc_smoothed_pair(int dim, const double *H, double mu, double *z, double *s);
