/* Applies the operations of cones.h to a list of cones. The formulas of the second-order cone are in soc.c. */
#include "solver/cones/cones.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

#include "solver/cones/row_kernels.h"
#include "solver/cones/soc.h"

static bool is_long(const AbutCone *cone)
{
	return cone->kind == ABUT_CONE_ORTHANT && cone->dim >= ABUT_ORTHANT_LONG;
}

int abut_cone_law_size(AbutConeKind kind, int dim)
{
	switch (kind) {
	case ABUT_CONE_ORTHANT:
		return dim;
	case ABUT_CONE_SOC:
		return dim * dim;
	case ABUT_CONE_SOC_FREE_HEAD:
		return (int)(sizeof(AbutFreeHeadLaw) / sizeof(double));
	}
	return 0;
}

int abut_cones_degree(const AbutCone *cones, int n_cones)
{
	int degree = 0;
	for (int i = 0; i < n_cones; i++) {
		degree += cones[i].kind == ABUT_CONE_ORTHANT ? cones[i].dim : 1;
	}
	return degree;
}

double abut_cones_target(const AbutCone *cones, int n_cones, double kappa)
{
	double sum = 0.0;
	for (int i = 0; i < n_cones; i++) {
		sum += (cones[i].kind == ABUT_CONE_ORTHANT ? cones[i].dim : 1) / (1.0 + cones[i].sharper);
	}
	return n_cones > 0 ? kappa * sum / abut_cones_degree(cones, n_cones) : kappa;
}

void abut_cones_identity(const AbutCone *cones, int n_cones, double *z)
{
	for (int i = 0; i < n_cones; i++) {
		const AbutCone *cone = &cones[i];
		for (int j = 0; j < cone->dim; j++) {
			z[cone->offset + j] = cone->kind == ABUT_CONE_ORTHANT || j == 0 ? 1.0 : 0.0;
		}
	}
}

double abut_cones_complementarity(const AbutCone *cones, int n_cones, const double *z, const double *s, double kappa)
{
	double worst = 0.0;
	for (int i = 0; i < n_cones; i++) {
		const AbutCone *cone = &cones[i];
		const double *zi = &z[cone->offset], *si = &s[cone->offset];
		if (is_long(cone)) {
			worst = abut_max(worst, abut_orthant_largest_product(cone->dim, zi, si, kappa) - kappa);
		} else if (cone->kind == ABUT_CONE_ORTHANT) {
			const double target = kappa / (1.0 + cone->sharper);
			for (int j = 0; j < cone->dim; j++) {
				worst = abut_max(worst, zi[j] * si[j] - target);
			}
		} else {
			worst = abut_max(worst, abut_soc_complementarity(cone->dim, zi, si, kappa));
		}
	}
	return worst;
}

double abut_cones_step(const AbutCone *cones, int n_cones, const double *z, const double *dz, double limit)
{
	double step = limit;
	for (int i = 0; i < n_cones; i++) {
		const AbutCone *cone = &cones[i];
		const double *zi = &z[cone->offset], *di = &dz[cone->offset];
		if (is_long(cone)) {
			step = abut_orthant_step(cone->dim, zi, di, step);
		} else if (cone->kind == ABUT_CONE_ORTHANT) {
			for (int j = 0; j < cone->dim; j++) {
				if (zi[j] + step * di[j] < 0.0) {
					step = -zi[j] / di[j];
				}
			}
		} else {
			step = abut_soc_step(cone->dim, zi, di, step);
		}
	}
	return step;
}

void abut_cones_law_path(const AbutCone *cones, int n_cones, const double *z, const double *s, const double *H,
                         double kappa, AbutConeLaw *law)
{
	law->rho = 0.0;
	for (int i = 0; i < n_cones; i++) {
		const AbutCone *cone = &cones[i];
		const double *zi = &z[cone->offset], *si = &s[cone->offset], *Hi = &H[cone->offset];
		double *c0 = &law->c[0][cone->offset], *c1 = &law->c[1][cone->offset], *K = &law->K[cone->law];
		switch (cone->kind) {
		case ABUT_CONE_ORTHANT: {
			/* s dz + z (dH - s + H) = kappa + w - z s */
			if (is_long(cone)) {
				abut_orthant_law_path(cone->dim, zi, si, Hi, kappa, c0, c1, K);
				break;
			}
			const double share = 1.0 / (1.0 + cone->sharper);
			for (int j = 0; j < cone->dim; j++) {
				const double inverse = 1.0 / si[j];
				c1[j] = share * inverse;
				c0[j] = (share * kappa - zi[j] * Hi[j]) * inverse;
				K[j] = zi[j] * inverse;
			}
			break;
		}
		case ABUT_CONE_SOC:
			abut_soc_law_path(cone->dim, zi, si, Hi, kappa, c0, c1, K);
			break;
		case ABUT_CONE_SOC_FREE_HEAD:
			abut_free_head_law_path(cone->dim, zi, si, Hi, kappa, (AbutFreeHeadLaw *)(void *)K);
			break;
		}
	}
}

void abut_cones_law_exact(const AbutCone *cones, int n_cones, const double *z, const double *H, double delta,
                          double delta_head, double force, AbutConeLaw *law)
{
	for (int i = 0; i < n_cones; i++) {
		const AbutCone *cone = &cones[i];
		const double *zi = &z[cone->offset], *Hi = &H[cone->offset];
		double *c0 = &law->c[0][cone->offset], *K = &law->K[cone->law];
		memset(&law->c[1][cone->offset], 0, (size_t)cone->dim * sizeof(double));
		switch (cone->kind) {
		case ABUT_CONE_ORTHANT:
			/* active: H + dH + (delta / C) dz = 0; inactive: z + dz = 0 */
			for (int j = 0; j < cone->dim; j++) {
				const bool active = zi[j] - cone->weight * Hi[j] > 0.0;
				K[j] = active ? cone->weight / delta : 0.0;
				c0[j] = active ? -K[j] * Hi[j] : -zi[j];
			}
			break;
		case ABUT_CONE_SOC:
			abut_soc_law_exact(cone->dim, zi, Hi, cone->weight, delta, c0, K);
			break;
		case ABUT_CONE_SOC_FREE_HEAD:
			if (cone->given_head) {
				abut_given_head_law_exact(cone->dim, zi, Hi, cone->weight, delta_head,
				                          (AbutFreeHeadLaw *)(void *)K);
			} else {
				abut_free_head_law_exact(cone->dim, zi, Hi, cone->weight, delta_head, force,
				                         (AbutFreeHeadLaw *)(void *)K);
			}
			break;
		}
	}
}

double abut_cones_natural_residual(const AbutCone *cones, int n_cones, const double *z, const double *H)
{
	double worst = 0.0;
	for (int i = 0; i < n_cones; i++) {
		const AbutCone *cone = &cones[i];
		const double *zi = &z[cone->offset], *Hi = &H[cone->offset];
		if (cone->kind == ABUT_CONE_ORTHANT) {
			for (int j = 0; j < cone->dim; j++) {
				/* z - max(z - C H, 0) = min(C H, z) */
				worst = abut_max(worst, fabs(abut_min(cone->weight * Hi[j], zi[j])));
			}
		} else {
			worst = abut_max(worst, cone->given_head
			                            ? abut_given_head_natural_residual(cone->dim, zi, Hi, cone->weight)
			                            : abut_soc_natural_residual(cone->dim, zi, Hi, cone->weight));
		}
	}
	return worst;
}

void abut_cones_smoothed_pair(const AbutCone *cones, int n_cones, const double *H, double mu, double *z, double *s)
{
	for (int i = 0; i < n_cones; i++) {
		const AbutCone *cone = &cones[i];
		const int o = cone->offset;
		if (cone->kind == ABUT_CONE_ORTHANT) {
			for (int j = 0; j < cone->dim; j++) {
				abut_smoothed_scalar(z[o + j] - H[o + j], mu, &z[o + j], &s[o + j]);
			}
		} else {
			abut_soc_smoothed_pair(cone->dim, &H[o], mu, &z[o], &s[o]);
		}
	}
}

void abut_cone_apply_law(const AbutCone *cone, const AbutConeLaw *law, double weight, const double *dH, double *dz)
{
	const double *c0 = &law->c[0][cone->offset], *c1 = &law->c[1][cone->offset], *K = &law->K[cone->law];
	if (cone->kind == ABUT_CONE_ORTHANT) {
		for (int j = 0; j < cone->dim; j++) {
			dz[j] = c0[j] + weight * c1[j] - K[j] * dH[j];
		}
		return;
	}
	for (int i = 0; i < cone->dim; i++) {
		double sum = c0[i] + weight * c1[i];
		for (int j = 0; j < cone->dim; j++) {
			sum -= K[i * cone->dim + j] * dH[j];
		}
		dz[i] = sum;
	}
}

/* --- directions in which an exact law is stiff --- */

bool abut_cone_held(const AbutCone *cone, const double *z, const double *H, double *held)
{
	if (cone->kind == ABUT_CONE_ORTHANT) {
		for (int j = 0; j < cone->dim; j++) {
			held[j] = z[j] - cone->weight * H[j] > 0.0 ? 1.0 : 0.0;
		}
		return false;
	}
	if (cone->given_head) {
		memset(held, 0, (size_t)cone->dim * sizeof *held);
		return abut_given_head_sticks(cone->dim, z, H, cone->weight);
	}
	return abut_soc_held(cone->dim, z, H, cone->weight, cone->kind == ABUT_CONE_SOC, held);
}

/* In an orthant, the stiffness of every active entry stands for infinity. In a sticking friction cone, that of all
 * entries does; its law then consists of B alone. */
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
