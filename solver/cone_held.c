/* What an exact law holds fixed, up to its regularisation. Tested in tests/solver/test_cone_exact.c. */
#include "solver/cones.h"
#include "solver/soc.h"

bool abut_cone_held(const AbutCone *cone, const double *z, const double *H, double *held)
{
	if (cone->kind == ABUT_CONE_ORTHANT) {
		for (int j = 0; j < cone->dim; j++) {
			held[j] = z[j] - cone->weight * H[j] > 0.0 ? 1.0 : 0.0;
		}
		return false;
	}
	return abut_soc_held(cone->dim, z, H, cone->weight, cone->kind == ABUT_CONE_SOC, held);
}

/* Along a ray r of the boundary, unit, K has k r r' with k = 2 K_00. */
static void soften_matrix(int dim, bool all, const double *held, double factor, double *K)
{
	const double along = 2.0 * (factor - 1.0) * K[0];
	for (int i = 0; i < dim * dim; i++) {
		K[i] = all ? factor * K[i] : K[i] + along * held[i / dim] * held[i % dim];
	}
}

static void soften(const AbutCone *cone, const double *z, const double *H, double factor, double *held, double *K)
{
	const bool all = abut_cone_held(cone, z, H, held);
	if (cone->kind == ABUT_CONE_ORTHANT) {
		for (int j = 0; j < cone->dim; j++) {
			K[j] *= held[j] > 0.0 ? factor : 1.0;
		}
	} else if (cone->kind == ABUT_CONE_SOC) {
		soften_matrix(cone->dim, all, held, factor, K);
	} else if (all) {
		AbutFreeHeadLaw *law = (AbutFreeHeadLaw *)(void *)K;
		for (int i = 0; i < 9; i++) {
			law->B[i] *= factor;
		}
	}
}

void abut_cones_soften(const AbutCone *cones, int n_cones, const double *z, const double *H, double factor,
                       double *scratch, AbutConeLaw *law)
{
	for (int i = 0; i < n_cones; i++) {
		const int at = cones[i].offset;
		soften(&cones[i], &z[at], &H[at], factor, &scratch[at], &law->K[cones[i].law]);
	}
}

void abut_cones_soften_path(const AbutCone *cones, int n_cones, double limit, double *fraction, AbutConeLaw *law)
{
	for (int i = 0; i < n_cones; i++) {
		double *K = &law->K[cones[i].law], *own = &fraction[cones[i].offset];
		for (int j = 0; j < cones[i].dim; j++) {
			const bool stiff = cones[i].kind == ABUT_CONE_ORTHANT && K[j] > limit;
			own[j] = stiff ? K[j] / (K[j] + limit) : 0.0;
			K[j] *= stiff ? 1.0 - own[j] : 1.0;
		}
	}
}
