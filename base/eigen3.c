#include "base/eigen3.h"

#include "base/vec3.h"

/* Makes S[p][q] zero by a rotation in the plane (p, q); r is the third index. */
static void rotate(double S[3][3], int p, int q)
{
	if (S[p][q] == 0.0) {
		return;
	}
	const int r = 3 - p - q;
	const double theta = (S[q][q] - S[p][p]) / (2.0 * S[p][q]);
	const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
	const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
	const double pr = S[p][r], qr = S[q][r];
	S[p][p] -= t * S[p][q];
	S[q][q] += t * S[p][q];
	S[p][q] = S[q][p] = 0.0;
	S[p][r] = S[r][p] = c * pr - s * qr;
	S[q][r] = S[r][q] = s * pr + c * qr;
}

void abut_eigenvalues3(const double M[9], double values[3])
{
	double S[3][3] = {{M[0], M[1], M[2]}, {M[1], M[4], M[5]}, {M[2], M[5], M[8]}};
	for (int sweep = 0; sweep < 8; sweep++) { /* four sweeps suffice, since convergence is quadratic */
		rotate(S, 0, 1);
		rotate(S, 0, 2);
		rotate(S, 1, 2);
	}
	for (int i = 0; i < 3; i++) {
		values[i] = S[i][i];
	}
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 2; j++) {
			if (values[j] > values[j + 1]) {
				const double swap = values[j];
				values[j] = values[j + 1];
				values[j + 1] = swap;
			}
		}
	}
}
