/* The three directions of a contact, as smooth functions of the raw normal n = A' lambda of one body. With n^ = n /
 * |n|, R the pair's scale, and a fixed reference direction c, they are
 *
 *     N0 = s n^,   N1 = s t1,   N2 = s t2,     s = |n| / sqrt(|n|^2 + sigma^2),   sigma = 3 / R
 *
 * where t1 is c - (c.n^) n^, normalised, and t2 = n^ x t1. The factor s is the soft normalisation of
 * docs/formulation.md 3. Compared with finite differences in tests/dynamics/contact/test_contact_frame.c. */
#pragma once

#include "base/clones.h"
#include "base/vec3.h"

typedef struct AbutContactFrame {
	double N[3][3]; /* the three directions */
	double unit[3]; /* n^ */
	double t1[3];
	double inverse_nu, inverse_rho; /* 1 / |n|, 1 / sqrt(|n|^2 + sigma^2) */
	double cu, inverse_w;           /* c . n^, 1 / |c - (c . n^) n^| */
} AbutContactFrame;

/* Computes the frame for the raw normal n and the reference direction c. */
void abut_contact_frame(const double n[3], double sigma, const double c[3], AbutContactFrame *out);

/* Computes dN[j] (3 x 3, row-major), the derivative of N[j] with respect to n, at a frame computed with the same sigma
 * and c. */
void abut_contact_frame_derivative(const AbutContactFrame *frame, double sigma, const double c[3], double dN[3][9]);

/* The derivative of abut_contact_frame_derivative in factored form. With s = |n| / rho, rho^2 = |n|^2 + sigma^2 and w =
 * c - (c.n^) n^,
 *
 *     dN0 = (I - N0 N0') / rho
 *     dN1 = t1 (s' n^ + s k t1)' + n^ (s k n^ - t1 / rho)' - s k I,     s' = sigma^2 / rho^3,  k = (c.n^) / (|n| |w|)
 *     dN2 = N2 (k t1 - s / rho n^)' - [t1 / rho + k N0]x
 *
 * where [a]x is the matrix of the cross product a x. */
typedef struct AbutFrameTurn {
	double along1[3], back1[3]; /* s' n^ + s k t1,  s k n^ - t1 / rho */
	double along2[3], spin2[3]; /* k t1 - s / rho n^,  t1 / rho + k N0 */
	double sk;
} AbutFrameTurn;

ALWAYS_INLINE void abut_frame_turn(const AbutContactFrame *f, double sigma, AbutFrameTurn *turn)
{
	const double s = f->inverse_rho / f->inverse_nu;
	const double ds = sigma * sigma * f->inverse_rho * f->inverse_rho * f->inverse_rho;
	const double k = f->cu * f->inverse_w * f->inverse_nu;
	turn->sk = s * k;
	for (int i = 0; i < 3; i++) {
		const double t = f->t1[i] * f->inverse_rho;
		turn->along1[i] = ds * f->unit[i] + turn->sk * f->t1[i];
		turn->back1[i] = turn->sk * f->unit[i] - t;
		turn->along2[i] = k * f->t1[i] - f->inverse_rho * f->N[0][i];
		turn->spin2[i] = t + k * f->N[0][i];
	}
}

/* Each computes out = factor dN_j' v, that is factor times the derivative of N_j . v with respect to the normal. */
ALWAYS_INLINE void abut_frame_pull0(const AbutContactFrame *f, double factor, const double v[3], double out[3])
{
	const double Nv = abut_dot3(f->N[0], v);
	for (int i = 0; i < 3; i++) {
		out[i] = factor * f->inverse_rho * (v[i] - Nv * f->N[0][i]);
	}
}

ALWAYS_INLINE void abut_frame_pull1(const AbutContactFrame *f, const AbutFrameTurn *turn, double factor,
                                    const double v[3], double out[3])
{
	const double tv = factor * abut_dot3(f->t1, v), uv = factor * abut_dot3(f->unit, v), skv = factor * turn->sk;
	for (int i = 0; i < 3; i++) {
		out[i] = tv * turn->along1[i] + uv * turn->back1[i] - skv * v[i];
	}
}

ALWAYS_INLINE void abut_frame_pull2(const AbutContactFrame *f, const AbutFrameTurn *turn, double factor,
                                    const double v[3], double out[3])
{
	const double Nv = factor * abut_dot3(f->N[2], v);
	double spin[3];
	abut_cross3(turn->spin2, v, spin);
	for (int i = 0; i < 3; i++) {
		out[i] = Nv * turn->along2[i] + factor * spin[i];
	}
}

/* Computes P = k0 dN0 + k1 dN1 + k2 dN2 (row-major): the derivative, with respect to the normal, of an impulse with
 * components k in the frame. */
ALWAYS_INLINE void abut_frame_push(const AbutContactFrame *f, const AbutFrameTurn *turn, const double k[3], double P[9])
{
	const double k0 = k[0] * f->inverse_rho, diagonal = k0 - k[1] * turn->sk;
	double spin[9];
	abut_skew3(turn->spin2, spin);
	for (int i = 0; i < 3; i++) {
		const double N0 = k0 * f->N[0][i], t1 = k[1] * f->t1[i], u = k[1] * f->unit[i], N2 = k[2] * f->N[2][i];
		for (int j = 0; j < 3; j++) {
			P[3 * i + j] = t1 * turn->along1[j] + u * turn->back1[j] + N2 * turn->along2[j] -
			               N0 * f->N[0][j] - k[2] * spin[3 * i + j] + (i == j ? diagonal : 0.0);
		}
	}
}
