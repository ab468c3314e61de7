/* Computes both friction laws (see friction.h). The pyramid's edges come in pairs: z = (psi, +1, -1, +2, -2, ...). */
#include "dynamics/contact/friction.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

/* Weight C of the exact law: impulse per velocity (docs/formulation.md 4). For psi of the pyramid, 1 / C is used. */
static const double exact_weight_friction = 10.0;

int abut_friction_n_y(AbutFrictionCone kind, int tail)
{
	return tail > 0 && kind == ABUT_FRICTION_CONE_SOC ? 1 : 0;
}

int abut_friction_n_z(AbutFrictionCone kind, int tail)
{
	if (tail == 0) {
		return 0;
	}
	return kind == ABUT_FRICTION_CONE_SOC ? 1 + tail : 1 + 2 * tail;
}

static void add_cone(AbutCone *cones, int index, AbutConeKind kind, int offset, int dim, double weight, int *law)
{
	if (cones) {
		cones[index] = (AbutCone){.kind = kind, .offset = offset, .dim = dim, .weight = weight, .law = *law};
	}
	*law += abut_cone_law_size(kind, dim);
}

int abut_friction_cones(AbutFrictionCone kind, int tail, int offset, int *law, AbutCone *cones)
{
	if (tail == 0) {
		return 0;
	}
	if (kind == ABUT_FRICTION_CONE_SOC) {
		add_cone(cones, 0, ABUT_CONE_SOC_FREE_HEAD, offset, 1 + tail, exact_weight_friction, law);
		return 1;
	}
	add_cone(cones, 0, ABUT_CONE_ORTHANT, offset, 1, 1.0 / exact_weight_friction, law);
	add_cone(cones, 1, ABUT_CONE_ORTHANT, offset + 1, 2 * tail, exact_weight_friction, law);
	return 2;
}

void abut_friction_evaluate(const AbutFriction *friction, double gamma, const double slip[3], const double *y,
                            const double *z, double *r, double *H, double beta[3])
{
	const int tail = friction->tail;
	const double mu = friction->mu;
	memset(beta, 0, 3 * sizeof(double));
	if (tail == 0) {
		return;
	}
	if (friction->kind == ABUT_FRICTION_CONE_SOC) {
		r[0] = mu * gamma - z[0];
		H[0] = y[0];
		for (int t = 0; t < tail; t++) {
			H[1 + t] = slip[t];
			beta[t] = z[1 + t];
		}
		return;
	}
	H[0] = mu * gamma;
	for (int t = 0; t < tail; t++) {
		const double *edge = &z[1 + 2 * t];
		H[0] -= edge[0] + edge[1];
		H[1 + 2 * t] = slip[t] + z[0];
		H[2 + 2 * t] = -slip[t] + z[0];
		beta[t] = edge[0] - edge[1];
	}
}

/* The pyramid's step of psi, d psi = constant[0] + w constant[1] + gamma dgamma + slip . dslip. Here D_psi and c_psi
 * are the law of psi, D and c those of the edges (D+ and D- of opposite edges). Inserting the edges' laws into that of
 * psi gives
 *
 *     dpsi (1 + D_psi sum D) = c_psi + D_psi sum c - D_psi mu dgamma - D_psi sum (D+ - D-) dslip. */
typedef struct PyramidPsi {
	double constant[2], gamma, slip[3];
} PyramidPsi;

static PyramidPsi pyramid_psi(int tail, double mu, const AbutCone *cones, const AbutConeLaw *law)
{
	const int head = cones[0].offset, edges = cones[1].offset;
	const double D_psi = law->K[cones[0].law];
	const double *D = &law->K[cones[1].law];
	double sum_D = 0.0, sum_c[2] = {0.0, 0.0};
	for (int j = 0; j < 2 * tail; j++) {
		sum_D += D[j];
		sum_c[0] += law->c[0][edges + j];
		sum_c[1] += law->c[1][edges + j];
	}
	const double inverse = 1.0 / (1.0 + D_psi * sum_D);
	PyramidPsi psi = {.gamma = -D_psi * mu * inverse};
	for (int lane = 0; lane < 2; lane++) {
		psi.constant[lane] = (law->c[lane][head] + D_psi * sum_c[lane]) * inverse;
	}
	for (int t = 0; t < tail; t++) {
		psi.slip[t] = -D_psi * (D[2 * t] - D[2 * t + 1]) * inverse;
	}
	return psi;
}

void abut_friction_condense(const AbutFriction *friction, const AbutConeLaw *law, AbutFrictionLaw *out)
{
	const int tail = friction->tail;
	const double mu = friction->mu;
	const AbutCone *cones = friction->cones;
	memset(out, 0, sizeof *out);
	if (tail == 0) {
		return;
	}
	if (friction->kind == ABUT_FRICTION_CONE_SOC) { /* dbeta_0 = mu dgamma + (mu gamma - beta_0) */
		const AbutFreeHeadLaw *head = abut_free_head_law(law, &cones[0]);
		memcpy(out->B, head->B, sizeof out->B);
		for (int t = 0; t < tail; t++) {
			out->a[t] = mu * head->a[t];
			out->k[0][t] = head->k[0][t] + head->a[t] * friction->head_residual;
			out->k[1][t] = head->k[1][t];
		}
		return;
	}
	const PyramidPsi psi = pyramid_psi(tail, mu, cones, law);
	const double *D = &law->K[cones[1].law];
	for (int t = 0; t < tail; t++) {
		const double difference = D[2 * t] - D[2 * t + 1];
		out->a[t] = -difference * psi.gamma;
		for (int lane = 0; lane < 2; lane++) {
			const double *c = &law->c[lane][cones[1].offset + 2 * t];
			out->k[lane][t] = c[0] - c[1] - difference * psi.constant[lane];
		}
		for (int u = 0; u < tail; u++) {
			out->B[3 * t + u] = difference * psi.slip[u] + (t == u ? D[2 * t] + D[2 * t + 1] : 0.0);
		}
	}
}

void abut_friction_recover(const AbutFriction *friction, const AbutConeLaw *law, double weight, double d_gamma,
                           const double d_slip[3], double *dy, double *dz, double *dH)
{
	const int tail = friction->tail;
	const double mu = friction->mu;
	const AbutCone *cones = friction->cones;
	if (tail == 0) {
		return;
	}
	if (friction->kind == ABUT_FRICTION_CONE_SOC) {
		const AbutFreeHeadLaw *head = abut_free_head_law(law, &cones[0]);
		dz[0] = mu * d_gamma + friction->head_residual;
		dy[0] = head->q[0] + weight * head->q[1] + head->qb * dz[0];
		for (int t = 0; t < tail; t++) {
			dy[0] += head->qs[t] * d_slip[t];
			dz[1 + t] = head->k[0][t] + weight * head->k[1][t] + head->a[t] * dz[0];
			for (int u = 0; u < tail; u++) {
				dz[1 + t] -= head->B[3 * t + u] * d_slip[u];
			}
			dH[1 + t] = d_slip[t];
		}
		dH[0] = dy[0];
		return;
	}
	const PyramidPsi psi = pyramid_psi(tail, mu, cones, law);
	dz[0] = psi.constant[0] + weight * psi.constant[1] + psi.gamma * d_gamma;
	for (int t = 0; t < tail; t++) {
		dz[0] += psi.slip[t] * d_slip[t];
	}
	for (int t = 0; t < tail; t++) {
		dH[1 + 2 * t] = d_slip[t] + dz[0];
		dH[2 + 2 * t] = -d_slip[t] + dz[0];
	}
	abut_cone_apply_law(&cones[1], law, weight, &dH[1], &dz[1]);
	dH[0] = mu * d_gamma;
	for (int j = 0; j < 2 * tail; j++) {
		dH[0] -= dz[1 + j];
	}
}

/* Computes mu gamma - |beta|_1. Equal impulses on opposite edges cancel in beta and are not counted. */
static double spare_impulse(int tail, const AbutCone *cones, const double *z, const double *H)
{
	double spare = H[cones[0].offset];
	for (int t = 0; t < tail; t++) {
		const double *edge = &z[cones[1].offset + 2 * t];
		spare += 2.0 * abut_min(edge[0], edge[1]);
	}
	return spare;
}

void abut_friction_hold_edges(AbutFrictionCone kind, int tail, const AbutCone *cones, const double *z, const double *H,
                              double delta, AbutConeLaw *law)
{
	if (tail == 0 || kind == ABUT_FRICTION_CONE_SOC) {
		return;
	}
	const AbutCone *head = &cones[0], *edges = &cones[1];
	const double psi = z[head->offset];
	if (psi > head->weight * spare_impulse(tail, cones, z, H)) {
		return;
	}
	law->K[head->law] = 0.0;
	law->c[0][head->offset] = -psi;
	for (int j = 0; j < edges->dim; j++) {
		law->K[edges->law + j] = edges->weight / delta;
		law->c[0][edges->offset + j] = -edges->weight / delta * H[edges->offset + j];
	}
}

double abut_friction_margin(AbutFrictionCone kind, int tail, const AbutCone *cones, const double *z, const double *H)
{
	if (tail == 0) {
		return (double)INFINITY;
	}
	const AbutCone *head = &cones[0];
	if (kind == ABUT_FRICTION_CONE_PYRAMID) {
		return head->weight * spare_impulse(tail, cones, z, H) - z[head->offset];
	}
	double square = 0.0;
	for (int i = head->offset + 1; i < head->offset + head->dim; i++) {
		const double d = z[i] - head->weight * H[i];
		square += d * d;
	}
	return z[head->offset] - head->weight * H[head->offset] - sqrt(square);
}

void abut_friction_lean(AbutFrictionCone kind, int tail, const AbutCone *cones, double by, double *z)
{
	if (tail > 0) {
		z[cones[0].offset] += kind == ABUT_FRICTION_CONE_PYRAMID ? -by : by;
	}
}

void abut_friction_jacobian(const AbutFriction *friction, double *beta_z, double *J)
{
	const AbutFrictionCone kind = friction->kind;
	const int tail = friction->tail;
	const double mu = friction->mu;
	const int n_y = abut_friction_n_y(kind, tail), n_z = abut_friction_n_z(kind, tail);
	const int columns = 4 + n_y + n_z;
	memset(beta_z, 0, (size_t)(3 * n_z) * sizeof(double));
	memset(J, 0, (size_t)((n_y + n_z) * columns) * sizeof(double));
	if (tail == 0) {
		return;
	}
	if (kind == ABUT_FRICTION_CONE_SOC) {
		J[0] = mu;            /* derivative of r with respect to gamma */
		J[4 + n_y] = -1.0;    /* derivative of r with respect to beta_0 */
		J[columns + 4] = 1.0; /* derivative of H[0] with respect to psi */
		for (int t = 0; t < tail; t++) {
			J[(2 + t) * columns + 1 + t] = 1.0;
			beta_z[t * n_z + 1 + t] = 1.0;
		}
		return;
	}
	J[0] = mu;
	for (int t = 0; t < tail; t++) {
		for (int side = 0; side < 2; side++) {
			const int edge = 1 + 2 * t + side;
			const double sign = side == 0 ? 1.0 : -1.0;
			J[4 + edge] = -1.0;
			J[edge * columns + 1 + t] = sign;
			J[edge * columns + 4] = 1.0;
			beta_z[t * n_z + edge] = sign;
		}
	}
}
