#include "dynamics/contact_frame.h"

#include "base/vec3.h"

/* Keeps n / |n| defined at n = 0, where a symmetric polytope starts. */
static const double tiny_square = 1e-10;

typedef struct FrameParts {
	double nu, rho;      /* sqrt(n.n + tiny), sqrt(nu^2 + sigma^2) */
	double u[3];         /* n / nu */
	double cu;           /* c . u */
	double inverse_w;    /* 1 / |c - (c.u) u| */
	double t1[3];
} FrameParts;

static void frame_parts(const double n[3], double sigma, const double c[3], FrameParts *f)
{
	f->nu = sqrt(abut_dot3(n, n) + tiny_square);
	f->rho = sqrt(f->nu * f->nu + sigma * sigma);
	for (int i = 0; i < 3; i++) {
		f->u[i] = n[i] / f->nu;
	}
	f->cu = abut_dot3(c, f->u);
	double w[3];
	for (int i = 0; i < 3; i++) {
		w[i] = c[i] - f->cu * f->u[i];
	}
	f->inverse_w = 1.0 / sqrt(abut_dot3(w, w) + tiny_square);
	for (int i = 0; i < 3; i++) {
		f->t1[i] = w[i] * f->inverse_w;
	}
}

void abut_contact_frame(const double n[3], double sigma, const double c[3], AbutContactFrame *out)
{
	FrameParts f;
	frame_parts(n, sigma, c, &f);
	const double s = f.nu / f.rho;
	for (int i = 0; i < 3; i++) {
		out->unit[i] = f.u[i];
		out->N[0][i] = s * f.u[i];
		out->N[1][i] = s * f.t1[i];
	}
	abut_cross3(out->N[0], f.t1, out->N[2]);
}

void abut_contact_frame_derivative(const double n[3], double sigma, const double c[3], double dN[3][9])
{
	FrameParts f;
	frame_parts(n, sigma, c, &f);
	const double inverse_rho = 1.0 / f.rho, inverse_nu = 1.0 / f.nu;
	const double s = f.nu * inverse_rho;
	/* ds = ds_n . dn with ds/dnu = sigma^2 / rho^3 */
	const double ds = sigma * sigma * inverse_rho * inverse_rho * inverse_rho;
	/* c_u: gradient of c.u by n */
	double c_u[3];
	for (int i = 0; i < 3; i++) {
		c_u[i] = (c[i] - f.cu * f.u[i]) * inverse_nu;
	}
	double dt1[9];
	for (int j = 0; j < 3; j++) {
		double dw[3]; /* derivative of w = c - (c.u) u by n_j */
		for (int i = 0; i < 3; i++) {
			const double du = ((i == j ? 1.0 : 0.0) - f.u[i] * f.u[j]) * inverse_nu;
			dw[i] = -c_u[j] * f.u[i] - f.cu * du;
		}
		const double along = abut_dot3(f.t1, dw);
		for (int i = 0; i < 3; i++) {
			dt1[3 * i + j] = (dw[i] - along * f.t1[i]) * f.inverse_w;
		}
	}
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			const double nn = n[i] * n[j] * inverse_rho * inverse_rho;
			dN[0][3 * i + j] = ((i == j ? 1.0 : 0.0) - nn) * inverse_rho;
			dN[1][3 * i + j] = ds * f.u[j] * f.t1[i] + s * dt1[3 * i + j];
		}
	}
	for (int j = 0; j < 3; j++) { /* N2 = N0 x t1 */
		const double dN0[3] = {dN[0][j], dN[0][3 + j], dN[0][6 + j]};
		const double dt[3] = {dt1[j], dt1[3 + j], dt1[6 + j]};
		const double N0[3] = {s * f.u[0], s * f.u[1], s * f.u[2]};
		double first[3], second[3];
		abut_cross3(dN0, f.t1, first);
		abut_cross3(N0, dt, second);
		for (int i = 0; i < 3; i++) {
			dN[2][3 * i + j] = first[i] + second[i];
		}
	}
}
