/* What an exact law holds fixed, up to its regularisation. Tested in tests/solver/test_cone_held.c. */
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

bool abut_cone_soften(const AbutCone *cone, const double *z, const double *H, double factor, double *held,
                      AbutConeLaw *law)
{
	double *K = &law->K[cone->law];
	const bool all = abut_cone_held(cone, z, H, held);
	if (cone->kind == ABUT_CONE_ORTHANT) {
		for (int j = 0; j < cone->dim; j++) {
			K[j] *= held[j] > 0.0 ? factor : 1.0;
		}
	} else if (all) {
		AbutFreeHeadLaw *head = (AbutFreeHeadLaw *)(void *)K;
		for (int i = 0; i < 9; i++) {
			head->B[i] *= factor;
		}
	}
	return all;
}

void abut_cone_soften_path(const AbutCone *cone, double limit, double *fraction, AbutConeLaw *law)
{
	double *K = &law->K[cone->law];
	for (int j = 0; cone->kind == ABUT_CONE_ORTHANT && j < cone->dim; j++) {
		fraction[j] = K[j] > limit ? K[j] / (K[j] + limit) : 0.0;
		K[j] *= 1.0 - fraction[j];
	}
}

double abut_cone_take_rigid(const AbutCone *cone, const double *z, const double *H, AbutConeLaw *law)
{
	return abut_soc_law_soft(cone->dim, z, H, cone->weight, &law->K[cone->law]);
}
