/* Computes the three directions of a contact and their derivatives with respect to the normal. */
#include "dynamics/contact/frame.h"

/* Keeps n / |n| defined at n = 0, where the solve of a symmetric polytope can start. */
static const double tiny_square = 1e-10;

/* Computes three square roots that do not depend on each other. If they did, a resting scene would spend a fifth of its
 * time here. With c.c = 1 and u = n / |n|, |w|^2 = 1 - (c.u)^2 = (|n|^2 - (c.n)^2) / |n|^2. */
void abut_contact_frame(const double n[3], double sigma, const double c[3], AbutContactFrame *f)
{
	const double nu_square = abut_dot3(n, n) + tiny_square;
	const double cn = abut_dot3(c, n);
	const double across = nu_square - cn * cn + tiny_square * nu_square;
	f->inverse_nu = 1.0 / sqrt(nu_square);
	f->inverse_rho = 1.0 / sqrt(nu_square + sigma * sigma);
	const double nu = nu_square * f->inverse_nu;
	f->inverse_w = nu / sqrt(across);
	f->cu = cn * f->inverse_nu;
	const double s = nu * f->inverse_rho;
	abut_scale3(f->inverse_nu, n, f->unit);
	abut_scale3(f->inverse_rho, n, f->N[0]);
	abut_add_scaled3(c, -f->cu, f->unit, f->t1);
	abut_scale3(f->inverse_w, f->t1, f->t1);
	abut_scale3(s, f->t1, f->N[1]);
	abut_cross3(f->N[0], f->t1, f->N[2]);
}

/* Uses these differentials, with u = n^, rho^2 = |n|^2 + sigma^2, s = |n| / rho, w = c - (c.u) u:
 *
 *     dN0 = (I - N0 N0') / rho dn,   ds = sigma^2 / rho^3 u.dn,   du = (I - u u') / |n| dn
 *     dt1 = dw / |w| + t1 (c.u) (w.dn / |n|) / |w|^2,             dw = -(w.dn / |n|) u - (c.u) du
 *     dN1 = ds t1 + s dt1,                                        dN2 = dN0 x t1 + N0 x dt1 */
void abut_contact_frame_derivative(const AbutContactFrame *f, double sigma, const double c[3], double dN[3][9])
{
	const double *u = f->unit, *t1 = f->t1, *N0 = f->N[0];
	const double ds = sigma * sigma * f->inverse_rho * f->inverse_rho * f->inverse_rho;
	const double s = f->inverse_rho / f->inverse_nu;
	for (int j = 0; j < 3; j++) {
		const double w_j = (c[j] - f->cu * u[j]) * f->inverse_nu; /* derivative of c.u with respect to n_j */
		const double u_j = u[j] * f->inverse_nu;
		double dt1[3], dN0[3], first[3], second[3];
		for (int i = 0; i < 3; i++) {
			const double unit = i == j ? 1.0 : 0.0;
			const double dw = -w_j * u[i] - f->cu * (unit * f->inverse_nu - u[i] * u_j);
			dt1[i] = (dw + t1[i] * f->inverse_w * f->cu * w_j) * f->inverse_w;
			dN0[i] = (unit - N0[i] * N0[j]) * f->inverse_rho;
			dN[0][3 * i + j] = dN0[i];
			dN[1][3 * i + j] = ds * u[j] * t1[i] + s * dt1[i];
		}
		abut_cross3(dN0, t1, first);
		abut_cross3(N0, dt1, second);
		for (int i = 0; i < 3; i++) {
			dN[2][3 * i + j] = first[i] + second[i];
		}
	}
}
