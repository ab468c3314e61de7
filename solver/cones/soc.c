/* Computes with the second-order cone: Jordan product, step length, projection, and the two laws of cones.h. */
#include "solver/cones/soc.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

/* Largest dimension for the exact law, minus 1; z - C H is stored on the stack. */
enum { SOC_TAIL_MAX = 63 };

static double tail_dot(int dim, const double *a, const double *b)
{
	double sum = 0.0;
	for (int i = 1; i < dim; i++) {
		sum += a[i] * b[i];
	}
	return sum;
}

double abut_soc_slack(int dim, const double *v)
{
	return v[0] - sqrt(tail_dot(dim, v, v));
}

double abut_soc_complementarity(int dim, const double *z, const double *s, double kappa)
{
	double worst = z[0] * s[0] + tail_dot(dim, z, s) - kappa;
	for (int i = 1; i < dim; i++) {
		worst = abut_max(worst, fabs(z[0] * s[i] + s[0] * z[i]));
	}
	return worst;
}

double abut_soc_step(int dim, const double *z, const double *dz, double limit)
{
	/* The cone is convex: if the end of the step lies inside, so does the whole step. */
	const double end_head = z[0] + limit * dz[0];
	double end_square = end_head * end_head;
	for (int i = 1; i < dim; i++) {
		const double end = z[i] + limit * dz[i];
		end_square -= end * end;
	}
	if (end_head > 0.0 && end_square > 0.0) {
		return limit;
	}
	/* The step leaves the cone at the first positive root a of det(z + a dz) = det + 2 b a + c a^2. If dz points
	 * nearly along the axis, it leaves at the apex, where rounding can hide the roots; therefore the head also
	 * limits the step. */
	const double norm = sqrt(tail_dot(dim, z, z));
	const double norm_d = sqrt(tail_dot(dim, dz, dz));
	const double det = (z[0] - norm) * (z[0] + norm);
	const double b = z[0] * dz[0] - tail_dot(dim, z, dz);
	const double c = (dz[0] - norm_d) * (dz[0] + norm_d);
	const double head = dz[0] < 0.0 ? -z[0] / dz[0] : (double)INFINITY;
	const double discriminant = b * b - c * det;
	if ((b >= 0.0 && c >= 0.0) || discriminant < 0.0) {
		return abut_min(head, limit);
	}
	const double root = sqrt(discriminant);
	const double side = b < 0.0 ? abut_max(det, 0.0) / (root - b) : (b + root) / -c;
	return abut_min(abut_min(head, side), limit);
}

/* Solves S dz = (kappa + w) e - Z H - Z dH, where S and Z are the arrow matrices of s and z. Z^-1 is never formed
 * (docs/formulation.md 4):
 *
 *     S^-1 = P / s0 + v v' / (s0 det),   v = (s0, -s1),  P = diag(0, 1, ..),  det = (s0 - |s1|)(s0 + |s1|)
 *     K = S^-1 Z = P Z / s0 + v y' / (s0 det),   y = Z v
 *
 * s0 is the head of s, and s1 its tail. */
void abut_soc_law_path(int dim, const double *z, const double *s, const double *H, double kappa, double *c0, double *c1,
                       double *K)
{
	const double norm = sqrt(tail_dot(dim, s, s));
	const double det = (s[0] - norm) * (s[0] + norm);
	const double inverse_s0 = 1.0 / s[0];
	const double scale = inverse_s0 / det;
	const double y0 = z[0] * s[0] - tail_dot(dim, z, s);
	const double rhs0 = kappa - z[0] * H[0] - tail_dot(dim, z, H);
	double v_rhs = s[0] * rhs0; /* v' rhs */
	for (int i = 1; i < dim; i++) {
		v_rhs += s[i] * (z[0] * H[i] + H[0] * z[i]);
	}
	for (int i = 0; i < dim; i++) {
		const double v = i == 0 ? s[0] : -s[i];
		const double tail = i == 0 ? 0.0 : inverse_s0;
		const double rhs = i == 0 ? 0.0 : -(z[0] * H[i] + H[0] * z[i]);
		c1[i] = v / det;
		c0[i] = rhs * tail + v * v_rhs * scale;
		K[i * dim] = z[i] * tail + v * y0 * scale;
		for (int j = 1; j < dim; j++) {
			const double y = s[0] * z[j] - z[0] * s[j];
			K[i * dim + j] = v * y * scale + (i == j ? z[0] * tail : 0.0);
		}
	}
}

/* Head d0 and tail of d = z - C H, whose eigenvalues are d0 +- r. */
typedef struct Spectrum {
	double d0, r;           /* head, and norm of the tail */
	double u[SOC_TAIL_MAX]; /* tail; after find_direction, tail / r, or zero if r is 0 */
} Spectrum;

static void spectrum_of(int dim, const double *z, const double *H, double C, Spectrum *out)
{
	double sum = 0.0;
	out->d0 = z[0] - C * H[0];
	for (int i = 1; i < dim; i++) {
		out->u[i - 1] = z[i] - C * H[i];
		sum += out->u[i - 1] * out->u[i - 1];
	}
	out->r = sqrt(sum);
}

/* Divides the tail by its norm. Only the boundary case needs this. */
static void find_direction(int dim, Spectrum *d)
{
	const double inverse = d->r > 0.0 ? 1.0 / d->r : 0.0;
	for (int i = 1; i < dim; i++) {
		d->u[i - 1] *= inverse;
	}
}

/* Computes the second term of the law on the boundary, K = stiff (1, u) (1, u)' + soft (0, I - u u'). Returns the
 * compliance along the direction of the first term. */
double abut_soc_law_soft(int dim, const double *z, const double *H, double C, double *K)
{
	static const double least = 1e-10; /* regularisation of 1 - t, and of the compliance */
	Spectrum d;
	spectrum_of(dim, z, H, C, &d);
	memset(K, 0, (size_t)(dim * dim) * sizeof *K);
	if (fabs(d.d0) < d.r) {
		find_direction(dim, &d);
		const double t = d.d0 / d.r, soft = C * (1.0 + t) / (1.0 - t + 2.0 * least);
		for (int i = 1; i < dim; i++) {
			for (int j = 1; j < dim; j++) {
				K[i * dim + j] = soft * ((i == j ? 1.0 : 0.0) - d.u[i - 1] * d.u[j - 1]);
			}
		}
	}
	return least / C;
}

/* Splits K on the path, where z, s and K have the same eigenvectors. Let (1, u) be the direction of the larger
 * eigenvalue f_z of z, g_z its smaller one, f_s and g_s those of s for the same directions, and kappa = z.s. Then
 *
 *     K = k_f (1, u) (1, u)' / 2 + k_g (1, -u) (1, -u)' / 2 + k_t (0, I - u u'),
 *     k_f = f_z / f_s,     k_g = g_z / g_s,     k_t = z_0 / s_0.
 *
 * In each product f_z f_s = g_z g_s = kappa, the larger factor is known to all digits and gives the smaller one. If K
 * itself were split, the rounding of k_f would hide k_g and k_t. */
double abut_soc_law_path_soft(int dim, const double *z, const double *s, double stiff, double *K, double *ray)
{
	const double z_tail = sqrt(tail_dot(dim, z, z)), kappa = z[0] * s[0] + tail_dot(dim, z, s);
	const double f = z[0] + z_tail, g = s[0] + sqrt(tail_dot(dim, s, s));
	if (!(z_tail > 0.0 && kappa > 0.0 && f * f > stiff * kappa)) {
		return 0.0;
	}
	const double k_g = kappa / (g * g), k_t = (f + kappa / g) / (g + kappa / f);
	ray[0] = sqrt(0.5);
	for (int i = 1; i < dim; i++) {
		ray[i] = sqrt(0.5) * z[i] / z_tail;
	}
	for (int i = 0; i < dim; i++) {
		for (int j = 0; j < dim; j++) {
			const double of_rays = ray[i] * ray[j], sign = (i == 0) == (j == 0) ? 1.0 : -1.0;
			const double across = i > 0 && j > 0 ? (i == j ? 1.0 : 0.0) - 2.0 * of_rays : 0.0;
			K[i * dim + j] = k_g * sign * of_rays + k_t * across;
		}
	}
	return kappa / (f * f);
}

/* Terms of the boundary case that both exact laws use. */
typedef struct Boundary {
	double p, across, soft, phi0, phi_u; /* P(d) = p (1, u); head of phi = z - P(d), and its component along u */
} Boundary;

static Boundary boundary_of(int dim, const double *z, double C, double delta, Spectrum *d)
{
	find_direction(dim, d);
	const double t = d->d0 / d->r, p = 0.5 * (d->d0 + d->r), across = 1.0 / (1.0 - t + 2.0 * delta);
	Boundary out = {.p = p, .across = across, .soft = C * (1.0 + t) * across, .phi0 = z[0] - p};
	for (int i = 1; i < dim; i++) {
		out.phi_u += (z[i] - p * d->u[i - 1]) * d->u[i - 1];
	}
	return out;
}

bool abut_soc_held(int dim, const double *z, const double *H, double C, bool ray, double *held)
{
	Spectrum d;
	spectrum_of(dim, z, H, C, &d);
	memset(held, 0, (size_t)dim * sizeof *held);
	if (ray && fabs(d.d0) < d.r) {
		find_direction(dim, &d);
		held[0] = sqrt(0.5);
		for (int i = 1; i < dim; i++) {
			held[i] = sqrt(0.5) * d.u[i - 1];
		}
	}
	return d.d0 >= d.r;
}

double abut_soc_natural_residual(int dim, const double *z, const double *H, double C)
{
	Spectrum d;
	spectrum_of(dim, z, H, C, &d);
	double worst = 0.0;
	if (d.d0 >= d.r) {
		for (int i = 0; i < dim; i++) {
			worst = abut_max(worst, fabs(C * H[i]));
		}
	} else if (d.d0 <= -d.r) {
		for (int i = 0; i < dim; i++) {
			worst = abut_max(worst, fabs(z[i]));
		}
	} else {
		find_direction(dim, &d);
		const double p = 0.5 * (d.d0 + d.r);
		worst = fabs(z[0] - p);
		for (int i = 1; i < dim; i++) {
			worst = abut_max(worst, fabs(z[i] - p * d.u[i - 1]));
		}
	}
	return worst;
}

/* Linearises the natural residual with the projection P. On the eigenvectors e+- = (1, +-u) / sqrt 2, the derivative of
 * P is 1 and 0; on the directions orthogonal to both, it is (1 + t) / 2 with t = d0 / r (docs/formulation.md 4). With
 * phi = z - P(d),
 *
 *     K = C [ e+ e+' / delta + (1 + t) / (1 - t + 2 delta) (I - e+ e+' - e- e-') ]
 *     c = -phi+ e+ / delta - phi- e- - 2 phi_perp / (1 - t + 2 delta) */
void abut_soc_law_exact(int dim, const double *z, const double *H, double C, double delta, double *c0, double *K)
{
	Spectrum d;
	spectrum_of(dim, z, H, C, &d);
	memset(K, 0, (size_t)(dim * dim) * sizeof(double));
	if (d.d0 >= d.r) {
		for (int i = 0; i < dim; i++) {
			K[i * dim + i] = C / delta;
			c0[i] = -H[i] * C / delta;
		}
		return;
	}
	if (d.d0 <= -d.r) {
		for (int i = 0; i < dim; i++) {
			c0[i] = -z[i];
		}
		return;
	}
	const Boundary b = boundary_of(dim, z, C, delta, &d);
	const double stiff = 0.5 * C / delta;
	const double plus = 0.5 * (b.phi0 + b.phi_u) / delta, minus = 0.5 * (b.phi0 - b.phi_u);
	c0[0] = -plus - minus;
	K[0] = stiff;
	for (int i = 1; i < dim; i++) {
		const double u = d.u[i - 1];
		c0[i] = (minus - plus) * u - 2.0 * b.across * (z[i] - b.p * u - b.phi_u * u);
		K[i] = K[i * dim] = stiff * u;
		for (int j = 1; j < dim; j++) {
			K[i * dim + j] = (stiff - b.soft) * u * d.u[j - 1] + (i == j ? b.soft : 0.0);
		}
	}
}

/* Solves the law of friction on the path in closed form (docs/formulation.md 4). With b = z, and the heads b0, s0 and
 * tails b1, s1,
 *
 *     head: s0 db0 + s1.db1 + b0 dpsi + b1.dH1 = kappa + w - b0 s0 - b1.H1
 *     tail: s0 db1 + s1 db0 + b0 dH1 + b1 dpsi = -(b0 H1 + s0 b1)
 *
 * dpsi is eliminated first: its pivot b0 - s1.b1 / s0 has no cancellation near complementarity. psi always equals s0.
 */
void abut_free_head_law_path(int dim, const double *z, const double *s, const double *H, double kappa,
                             AbutFreeHeadLaw *law)
{
	memset(law, 0, sizeof *law);
	const int tail = dim - 1;
	const double inverse_s0 = 1.0 / s[0];
	const double norm = sqrt(tail_dot(dim, s, s));
	const double det = (s[0] - norm) * (s[0] + norm);
	const double pivot = 1.0 / (z[0] - tail_dot(dim, s, z) * inverse_s0);
	double R0 = kappa - z[0] * s[0] - tail_dot(dim, z, H);
	double R1[3] = {0.0, 0.0, 0.0};
	for (int i = 0; i < tail; i++) {
		R1[i] = -(z[0] * H[i + 1] + s[0] * z[i + 1]);
		R0 -= s[i + 1] * R1[i] * inverse_s0;
		law->qs[i] = -(z[i + 1] - z[0] * s[i + 1] * inverse_s0) * pivot;
	}
	law->q[0] = R0 * pivot;
	law->q[1] = pivot;
	law->qb = -det * inverse_s0 * pivot;
	for (int i = 0; i < tail; i++) {
		const double b = z[i + 1];
		law->a[i] = -(s[i + 1] + b * law->qb) * inverse_s0;
		law->k[0][i] = (R1[i] - b * law->q[0]) * inverse_s0;
		law->k[1][i] = -b * law->q[1] * inverse_s0;
		for (int j = 0; j < tail; j++) {
			law->B[3 * i + j] = ((i == j ? z[0] : 0.0) + b * law->qs[j]) * inverse_s0;
		}
	}
}

/* Linearises friction in its three cases (docs/formulation.md 4): stick, open, slip. */
void abut_free_head_law_exact(int dim, const double *z, const double *H, double C, double delta, double force,
                              AbutFreeHeadLaw *law)
{
	memset(law, 0, sizeof *law);
	const int tail = dim - 1;
	Spectrum d;
	spectrum_of(dim, z, H, C, &d);
	if (d.d0 >= d.r) { /* stick: H + dH + (delta / C) dz = 0 */
		for (int i = 0; i < tail; i++) {
			law->B[4 * i] = C / delta;
			law->k[0][i] = -H[i + 1] * C / delta;
		}
		law->q[0] = -H[0];
		law->qb = -delta / C;
		return;
	}
	if (d.d0 <= -d.r) {
		/* Open: nothing determines psi. It must exceed the slip, and here is made at least twice the slip so
		 * that the contact stays open. If a force arises nevertheless, the contact is closing. Then psi is set
		 * to the slip, so that the next iteration can leave this case. */
		const double slip = sqrt(tail_dot(dim, H, H));
		for (int i = 0; i < tail; i++) {
			law->k[0][i] = -z[i + 1];
		}
		law->q[0] = z[0] > force ? slip - H[0] : abut_max(2.0 * slip - H[0], 0.0);
		return;
	}
	const Boundary b = boundary_of(dim, z, C, delta, &d);
	for (int i = 0; i < tail; i++) {
		const double u = d.u[i];
		law->a[i] = u;
		law->k[0][i] = u * (b.phi0 - b.phi_u) - 2.0 * b.across * (z[i + 1] - b.p * u - b.phi_u * u);
		law->qs[i] = -u;
		for (int j = 0; j < tail; j++) {
			law->B[3 * i + j] = b.soft * ((i == j ? 1.0 : 0.0) - u * d.u[j]);
		}
	}
	law->q[0] = -(b.phi0 + b.phi_u + delta * (b.phi0 - b.phi_u)) / C;
	law->qb = -2.0 * delta / C;
}

/* Computes d = z - C H of the tail: returns |d|, and sets u = d / |d|, or 0 for d = 0. */
static double tail_of(int dim, const double *z, const double *H, double C, double u[3])
{
	double square = 0.0;
	for (int i = 0; i < dim - 1; i++) {
		u[i] = z[i + 1] - C * H[i + 1];
		square += u[i] * u[i];
	}
	const double norm = sqrt(square);
	for (int i = 0; i < dim - 1; i++) {
		u[i] = norm > 0.0 ? u[i] / norm : 0.0;
	}
	return norm;
}

bool abut_given_head_sticks(int dim, const double *z, const double *H, double C)
{
	double u[3];
	return tail_of(dim, z, H, C, u) <= z[0];
}

double abut_given_head_natural_residual(int dim, const double *z, const double *H, double C)
{
	double u[3] = {0.0, 0.0, 0.0}, worst = 0.0;
	const bool sticks = tail_of(dim, z, H, C, u) <= z[0];
	for (int i = 0; i < dim - 1; i++) {
		worst = abut_max(worst, fabs(sticks ? C * H[i + 1] : z[i + 1] - z[0] * u[i]));
	}
	return worst > 1.0 ? 1.0 : worst;
}

/* If the head is a constant, the tail is b = P(d), d = b - C H, with P the projection onto the ball of radius b0, and
 * psi = |H| follows from the tail. The projection onto the cone has the same solutions, but it depends on psi, whose
 * last value is that of a slip in the other direction when a joint's motion reverses. With u = d / |d| and p = b0 /
 * |d|, the derivative of P outside the ball is p (I - u u'), and u in the direction of b0, so
 *
 *     dz = u (b0 - u.z) - (I - u u') z / (1 - p + delta) + u db0 - C p / (1 - p + delta) (I - u u') dH */
void abut_given_head_law_exact(int dim, const double *z, const double *H, double C, double delta, AbutFreeHeadLaw *law)
{
	memset(law, 0, sizeof *law);
	const int tail = dim - 1;
	double u[3] = {0.0, 0.0, 0.0}, along = 0.0;
	const double norm = tail_of(dim, z, H, C, u);
	law->q[0] = -H[0];
	if (norm <= z[0]) { /* stick: H + dH + (delta / C) dz = 0 */
		for (int i = 0; i < tail; i++) {
			law->B[4 * i] = C / delta;
			law->k[0][i] = -H[i + 1] * C / delta;
		}
		law->qb = -delta / C;
		return;
	}
	const double p = z[0] / norm, across = 1.0 / (1.0 - p + delta);
	for (int i = 0; i < tail; i++) {
		along += u[i] * z[i + 1];
		law->q[0] -= u[i] * H[i + 1];
		law->qs[i] = -u[i];
		law->a[i] = u[i];
	}
	for (int i = 0; i < tail; i++) {
		law->k[0][i] = u[i] * (z[0] - along) - across * (z[i + 1] - along * u[i]);
		for (int j = 0; j < tail; j++) {
			law->B[3 * i + j] = C * p * across * ((i == j ? 1.0 : 0.0) - u[i] * u[j]);
		}
	}
}

void abut_smoothed_scalar(double d, double mu, double *z, double *s)
{
	const double root = sqrt(d * d + 4.0 * mu);
	const double large = 0.5 * (fabs(d) + root);
	const double small = mu / large;
	*z = d >= 0.0 ? large : small;
	*s = d >= 0.0 ? small : large;
}

void abut_soc_smoothed_pair(int dim, const double *H, double mu, double *z, double *s)
{
	Spectrum d;
	spectrum_of(dim, z, H, 1.0, &d);
	find_direction(dim, &d);
	double z_plus, s_plus, z_minus, s_minus;
	abut_smoothed_scalar(d.d0 + d.r, mu, &z_plus, &s_plus);
	abut_smoothed_scalar(d.d0 - d.r, mu, &z_minus, &s_minus);
	z[0] = 0.5 * (z_plus + z_minus);
	s[0] = 0.5 * (s_plus + s_minus);
	for (int i = 1; i < dim; i++) {
		z[i] = 0.5 * (z_plus - z_minus) * d.u[i - 1];
		s[i] = 0.5 * (s_plus - s_minus) * d.u[i - 1];
	}
}
