/* The self-dual cones of a nonlinear complementarity problem: nonnegative orthants and second-order cones.
 *
 * Duals z and slacks s share one layout: a list of cones, one after the other. Each cone gives a *law*, the linearised
 * complementarity condition in the form
 *
 *     dz = c[0] + w c[1] - K dH                                                                         (law)
 *
 * where dH is the differential of the slack map H(y, z). The lanes c[0] and c[1] are known before the factorisation, so
 * that one elimination serves predictor (w = 0) and corrector (w = target - kappa). Two laws share this form:
 *
 *   - on the path   z o s = kappa e            (plain Jordan direction; docs/formulation.md 4)
 *   - exact         z - P_K(z - C H) = 0       (semismooth Newton, C > 0 a weight per cone; docs/formulation.md 4)
 *
 * Tested with finite differences in tests/solver/test_cones.c. */
#ifndef SOLVER_CONES_CONES_H
#define SOLVER_CONES_CONES_H

#include <stdbool.h>

#include "solver/cones/soc.h"

typedef enum AbutConeKind {
	ABUT_CONE_ORTHANT, /* dim independent nonnegative entries */
	ABUT_CONE_SOC,     /* z[0] >= |z[1..dim-1]| */
	/* A second-order cone whose head slack is a free unknown psi (H[0] = psi) and whose head dual is fixed by an
	 * equation outside the cone (friction: beta_0 = mu gamma). Its law is solved for the tail and for psi. */
	ABUT_CONE_SOC_FREE_HEAD
} AbutConeKind;

typedef struct AbutCone {
	AbutConeKind kind;
	int offset; /* of its first entry in z, s and H */
	int dim;
	double weight;  /* C of the exact law */
	int law;        /* offset of its coefficients in AbutConeLaw.K */
	int block[2];   /* blocks, numbered from 1, in which its rows compete to be active (active_set.h); 0: none */
	double sharper; /* short orthants: on the path the products end at kappa / (1 + sharper) */
} AbutCone;

typedef struct AbutConeLaw {
	double *c[2]; /* (n_z) each; the two lanes of all orthant and SOC rows */
	double *K;    /* orthant: dim diagonal entries; SOC: dim x dim row-major; free head: one AbutFreeHeadLaw */
	double rho;   /* regularisation of the collision unknowns; on the path only AbutNcp.caution */
} AbutConeLaw;

/* Returns the number of doubles of a cone's law in AbutConeLaw.K. */
int abut_cone_law_size(AbutConeKind kind, int dim);

static inline const AbutFreeHeadLaw *abut_free_head_law(const AbutConeLaw *law, const AbutCone *cone)
{
	return (const AbutFreeHeadLaw *)(const void *)&law->K[cone->law];
}

/* Returns the mean product of the complementary pairs at the end of a path to kappa. */
double abut_cones_target(const AbutCone *cones, int n_cones, double kappa);

/* Returns the number of complementary pairs: orthant entries plus cones. */
int abut_cones_degree(const AbutCone *cones, int n_cones);

/* Sets z to e, the identity of the Jordan product. */
void abut_cones_identity(const AbutCone *cones, int n_cones, double *z);

/* Returns the largest entry of z o s - kappa e (one-sided). */
double abut_cones_complementarity(const AbutCone *cones, int n_cones, const double *z, const double *s, double kappa);

/* Returns the largest step in [0, limit] that keeps z + step dz in the cone. */
double abut_cones_step(const AbutCone *cones, int n_cones, const double *z, const double *dz, double limit);

/* Linearises z o s = kappa e (lane 0; lane 1 is the direction of e). z and s must lie inside the cone. */
void abut_cones_law_path(const AbutCone *cones, int n_cones, const double *z, const double *s, const double *H,
                         double kappa, AbutConeLaw *law);

/* Linearises the natural residual z - P(z - C H), regularised by delta, or by delta_head in free-head cones. A
 * free-head cone in its open case whose head dual exceeds `force` counts as closing (soc.c). */
void abut_cones_law_exact(const AbutCone *cones, int n_cones, const double *z, const double *H, double delta,
                          double delta_head, double force, AbutConeLaw *law);

/* Finds what the exact law of a cone holds by a stiffness C / delta that stands for infinity. Orthant: `held` is 1 at
 * active entries, 0 elsewhere. Second-order cone on its boundary: `held` is the direction of its ray (length 1). Inside
 * the dual cone nothing is held; inside the cone everything is, and the function returns true. Arrays have the cone's
 * entries. */
bool abut_cone_held(const AbutCone *cone, const double *z, const double *H, double *held);
/* Limits the stiffness that stands for infinity, in the exact law of an orthant or a free-head cone, to `limit` (one
 * for each of the cone's entries). `held` and the result are those of abut_cone_held, except that friction has no ray.
 */
bool abut_cone_soften(const AbutCone *cone, const double *limit, double *held, AbutConeLaw *law);
/* Softens the entries of an orthant's path law that are stiffer than `limit`: K becomes K limit / (K + limit). To keep
 * the law exact, dz of such an entry becomes an unknown: dz = fraction dz - K dH with the new K is the original law.
 * `fraction` has one value per entry of the cone, 0 where K does not change. Other cones stay as they are. */
void abut_cone_soften_path(const AbutCone *cone, double limit, double *fraction, AbutConeLaw *law);
/* Returns the max norm of the natural residual z - P(z - C H). */
double abut_cones_natural_residual(const AbutCone *cones, int n_cones, const double *z, const double *H);

/* Finds the smoothed pair of d = z - H: z o s = mu e and z - s = d (docs/formulation.md 8). */
void abut_cones_smoothed_pair(const AbutCone *cones, int n_cones, const double *H, double mu, double *z, double *s);

/* Computes dz of one orthant or second-order cone from dH, for the laws that a problem eliminates itself. */
void abut_cone_apply_law(const AbutCone *cone, const AbutConeLaw *law, double weight, const double *dH, double *dz);

#endif
