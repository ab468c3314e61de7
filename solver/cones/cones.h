/* Computes with the self-dual cones of a nonlinear complementarity problem: nonnegative orthants and second-order
 * cones.
 *
 * Duals z and slacks s share one layout: a list of cones, one after the other. Each cone provides a *law*: the
 * linearised complementarity condition, solved for dz,
 *
 *     dz = c[0] + w c[1] - K dH                                                                         (law)
 *
 * where dH is the differential of the slack map H(y, z). The lanes c[0] and c[1] are known before the factorisation.
 * Therefore one factorisation serves the predictor (w = 0) and the corrector (w = target - kappa). Two laws have this
 * form; o is the Jordan product, e its identity, and P_K the projection onto the cone K:
 *
 *   - on the path   z o s = kappa e            (plain Jordan direction; docs/formulation.md 4)
 *   - exact         z - P_K(z - C H) = 0       (semismooth Newton, C > 0 a weight per cone; docs/formulation.md 4)
 *
 * Tested with finite differences in tests/solver/test_cones.c. */
#pragma once

#include <stdbool.h>

#include "solver/cones/soc.h"

typedef enum AbutConeKind {
	ABUT_CONE_ORTHANT, /* dim independent nonnegative entries */
	ABUT_CONE_SOC,     /* z[0] >= |z[1..dim-1]| */
	/* A second-order cone whose head slack is a free unknown psi (H[0] = psi). Its head dual is fixed by an
	 * equation outside the cone (friction: beta_0 = mu gamma). Its law is solved for the tail of z and for psi. */
	ABUT_CONE_SOC_FREE_HEAD
} AbutConeKind;

typedef struct AbutCone {
	AbutConeKind kind;
	int offset; /* index of its first entry in z, s and H */
	int dim;
	double weight; /* C of the exact law */
	int law;       /* offset of its coefficients in AbutConeLaw.K */
	int block[2];  /* blocks, numbered from 1, in which its rows compete to become active (active_set.h); 0: none */
	double sharper;  /* short orthants: on the path, the products end at kappa / (1 + sharper) */
	bool given_head; /* free head: the head dual is a constant, so psi is the norm of the slip (soc.c) */
} AbutCone;

typedef struct AbutConeLaw {
	double *c[2]; /* (n_z) each; both lanes of all rows of orthants and second-order cones */
	double *K;    /* orthant: dim diagonal entries; SOC: dim x dim row-major; free head: one AbutFreeHeadLaw */
	double rho;   /* regularisation of the collision unknowns; on the path, only the share AbutNcp.caution of the
	                 residual */
} AbutConeLaw;

/* Returns the number of doubles of a cone's law in AbutConeLaw.K. */
int abut_cone_law_size(AbutConeKind kind, int dim);

static inline const AbutFreeHeadLaw *abut_free_head_law(const AbutConeLaw *law, const AbutCone *cone)
{
	return (const AbutFreeHeadLaw *)(const void *)&law->K[cone->law];
}

/* Returns the mean product of the complementary pairs where a path to kappa ends. */
double abut_cones_target(const AbutCone *cones, int n_cones, double kappa);

/* Returns the number of complementary pairs: every orthant entry and every second-order cone is one. */
int abut_cones_degree(const AbutCone *cones, int n_cones);

/* Sets z to e, the identity of the Jordan product. */
void abut_cones_identity(const AbutCone *cones, int n_cones, double *z);

/* Returns the largest entry of z o s - kappa e. Products below kappa do not count. */
double abut_cones_complementarity(const AbutCone *cones, int n_cones, const double *z, const double *s, double kappa);

/* Returns the largest step in [0, limit] that keeps z + step dz in the cones. */
double abut_cones_step(const AbutCone *cones, int n_cones, const double *z, const double *dz, double limit);

/* Linearises z o s = kappa e. Lane 1 belongs to an additional right-hand side e. z and s must be inside the cones. */
void abut_cones_law_path(const AbutCone *cones, int n_cones, const double *z, const double *s, const double *H,
                         double kappa, AbutConeLaw *law);

/* Linearises the natural residual z - P(z - C H), regularised by delta, or by delta_head in free-head cones. If the
 * head dual of an open free-head cone exceeds `force`, the cone is treated as closing (soc.c). */
void abut_cones_law_exact(const AbutCone *cones, int n_cones, const double *z, const double *H, double delta,
                          double delta_head, double force, AbutConeLaw *law);

/* Finds the directions in which the exact law of a cone has the stiffness C / delta, which stands for infinity. `held`
 * has an entry for each entry of the cone. Orthant: `held` is 1 at active entries and 0 elsewhere. Second-order cone,
 * with d = z - C H: if d is inside the cone, all directions are held, and the function returns true. If -d is inside,
 * none is held. Otherwise `held` is the unit vector along the ray onto which d is projected. */
bool abut_cone_held(const AbutCone *cone, const double *z, const double *H, double *held);
/* Limits the stiffness that stands for infinity to `limit`, one value per entry, in the exact law of an orthant or a
 * free-head cone. `held` and the result are those of abut_cone_held, but for a free-head cone `held` is zero. */
bool abut_cone_soften(const AbutCone *cone, const double *limit, double *held, AbutConeLaw *law);
/* Softens the entries of an orthant's path law that are stiffer than `limit`: K becomes K limit / (K + limit). The law
 * stays exact if dz of such an entry becomes an unknown: up to its constant terms, the original law is dz = fraction dz
 * - K dH with the new K. `fraction` has one value per entry of the cone, 0 where K does not change. Other cones do not
 * change. */
void abut_cone_soften_path(const AbutCone *cone, double limit, double *fraction, AbutConeLaw *law);
/* Returns the max norm of the natural residual z - P(z - C H). */
double abut_cones_natural_residual(const AbutCone *cones, int n_cones, const double *z, const double *H);

/* Replaces z and sets s by the smoothed pair of d = z - H: z o s = mu e and z - s = d (docs/formulation.md 8). */
void abut_cones_smoothed_pair(const AbutCone *cones, int n_cones, const double *H, double mu, double *z, double *s);

/* Computes dz of one orthant or second-order cone from dH, for problems that eliminate these laws themselves. */
void abut_cone_apply_law(const AbutCone *cone, const AbutConeLaw *law, double weight, const double *dH, double *dz);
