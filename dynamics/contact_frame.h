/* The directions of a contact as smooth functions of the raw normal n = A' lambda of one body:
 *
 *     N0 = s n^,   N1 = s t1,   N2 = s t2,     s = |n| / sqrt(|n|^2 + sigma^2),   sigma = 3 / R
 *
 * (soft normalisation: docs/formulation.md 3), with t1 = (c - (c.n^) n^) normalised and t2 = n^ x t1 for a fixed
 * reference direction c. Tested by differences in tests/dynamics/test_contact_frame.c. */
#ifndef DYNAMICS_CONTACT_FRAME_H
#define DYNAMICS_CONTACT_FRAME_H

typedef struct AbutContactFrame {
	double N[3][3]; /* the three directions */
	double unit[3]; /* n^ */
	double t1[3];
	double inverse_nu, inverse_rho; /* 1 / |n|, 1 / sqrt(|n|^2 + sigma^2) */
	double cu, inverse_w;           /* c . n^, 1 / |c - (c . n^) n^| */
} AbutContactFrame;

void abut_contact_frame(const double n[3], double sigma, const double c[3], AbutContactFrame *out);

/* dN[j] (3 x 3 row-major): derivative of N[j] with respect to n, at a frame made from the same sigma and c. */
void abut_contact_frame_derivative(const AbutContactFrame *frame, double sigma, const double c[3], double dN[3][9]);

#endif
