/* What an exact law holds fixed, up to its regularisation. Tested in tests/solver/test_cone_held.c. */
#include "solver/cones/cones.h"

#include <string.h>

#include "base/vec3.h"
#include "solver/cones/soc.h"

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

/* Of an orthant every active entry stands for infinity; of a friction cone that sticks all do, whose law then is B
 * alone, without a slack that follows the slip. */
bool abut_cone_soften(const AbutCone *cone, const double *limit, double *held, AbutConeLaw *law)
{
	double *K = &law->K[cone->law];
	if (cone->kind == ABUT_CONE_ORTHANT) {
		for (int j = 0; j < cone->dim; j++) {
			held[j] = K[j] > 0.0 ? 1.0 : 0.0;
			K[j] = abut_min(K[j], limit[j]);
		}
		return false;
	}
	AbutFreeHeadLaw *head = (AbutFreeHeadLaw *)(void *)K;
	const bool slips = head->qs[0] != 0.0 || head->qs[1] != 0.0 || head->qs[2] != 0.0;
	const bool all = !slips && head->B[0] > 0.0;
	memset(held, 0, (size_t)cone->dim * sizeof *held);
	for (int i = 0; all && i < cone->dim - 1; i++) {
		head->B[4 * i] = abut_min(head->B[4 * i], limit[1 + i]);
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
