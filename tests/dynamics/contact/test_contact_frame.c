/* Tests the contact frame. Values are compared with the definition; derivatives with complex steps of the definition
 * and with central differences of the function. Normals include vanishing ones and ones near the reference direction.
 */
#include <complex.h>
#include <criterion/criterion.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/contact/frame.h"
#include "solver/sample_cones.h"

typedef double complex Complex;

static Complex dot(const Complex a[3], const Complex b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Computes N0 = s n^, N1 = s t1, N2 = s n^ x t1 for complex n, as defined in dynamics/contact/frame.h. */
static void definition(const Complex n[3], double sigma, const double c[3], Complex N[3][3])
{
	const Complex length = csqrt(dot(n, n)), s = length / csqrt(dot(n, n) + sigma * sigma);
	Complex u[3], w[3], cu = 0.0;
	for (int i = 0; i < 3; i++) {
		u[i] = n[i] / length;
		cu += c[i] * u[i];
	}
	for (int i = 0; i < 3; i++) {
		w[i] = c[i] - cu * u[i];
	}
	const Complex size = csqrt(dot(w, w));
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		N[0][i] = s * u[i];
		N[1][i] = s * w[i] / size;
		N[2][i] = s * (u[j] * w[k] - u[k] * w[j]) / size;
	}
}

static void derivative(const double n[3], double sigma, const double c[3], double dN[3][9])
{
	AbutContactFrame frame;
	abut_contact_frame(n, sigma, c, &frame);
	abut_contact_frame_derivative(&frame, sigma, c, dN);
}

/* Samples a normal of the given length, and a reference axis c at an angle to it whose sine is at least `apart`. */
static void sample_normal(double length, double apart, AbutRng *rng, double n[3], double c[3])
{
	double across[3];
	memset(c, 0, 3 * sizeof *c);
	c[abut_rng_next(rng) % 3] = 1.0;
	do {
		sample_unit(3, rng, n);
		abut_cross3(n, c, across);
	} while (abut_norm3(across) < apart);
	for (int i = 0; i < 3; i++) {
		n[i] *= length;
	}
}

/* For lengths of at least 0.1, the guard at n = 0, which adds 1e-10 to n.n, causes errors of 1e-8 in n^. In t1 this is
 * divided by the sine of the angle to the reference, here at least 0.3. */
Test(contact_frame, values_are_the_definition)
{
	for (unsigned seed = 0; seed < 2000; seed++) {
		AbutRng rng = {seed};
		AbutContactFrame frame;
		double n[3], c[3];
		Complex N[3][3], complex_n[3];
		const double sigma = sample_log_uniform(&rng, 0.1, 30.0);
		sample_normal(sample_log_uniform(&rng, 0.1, 10.0), 0.3, &rng, n, c);
		abut_contact_frame(n, sigma, c, &frame);
		for (int i = 0; i < 3; i++) {
			complex_n[i] = n[i];
		}
		definition(complex_n, sigma, c, N);
		for (int j = 0; j < 3; j++) {
			for (int i = 0; i < 3; i++) {
				cr_assert_float_eq(frame.N[j][i], creal(N[j][i]), 1e-7, "seed %u: N%d", seed, j);
			}
			cr_assert_float_eq(frame.unit[j], n[j] / abut_norm3(n), 1e-8, "seed %u", seed);
		}
	}
}

/* The directions are orthogonal, right-handed and of equal length s = |n| / sqrt(|n|^2 + sigma^2), up to the guard as
 * above. */
Test(contact_frame, is_orthogonal)
{
	for (unsigned seed = 0; seed < 2000; seed++) {
		AbutRng rng = {seed};
		AbutContactFrame frame;
		double n[3], c[3], third[3];
		const double sigma = sample_log_uniform(&rng, 0.1, 30.0);
		sample_normal(sample_log_uniform(&rng, 0.1, 10.0), 0.3, &rng, n, c);
		abut_contact_frame(n, sigma, c, &frame);
		const double s = abut_norm3(n) / hypot(abut_norm3(n), sigma);
		for (int j = 0; j < 3; j++) {
			cr_assert_float_eq(abut_norm3(frame.N[j]), s, 1e-7, "seed %u: |N%d|", seed, j);
			cr_assert_float_eq(abut_dot3(frame.N[j], frame.N[(j + 1) % 3]), 0.0, 1e-7, "seed %u", seed);
		}
		abut_cross3(frame.N[0], frame.N[1], third);
		for (int i = 0; i < 3; i++) {
			cr_assert_float_eq(third[i], s * frame.N[2][i], 2e-7, "seed %u", seed);
		}
		/* t1 is on the side of the reference, which lies in the plane of N0 and N1 */
		cr_assert_gt(abut_dot3(frame.N[1], c), 0.0);
		cr_assert_float_eq(abut_dot3(frame.N[2], c), 0.0, 1e-7);
	}
}

/* Complex steps of the definition have no cancellation. Only the guard's error of 1e-7 remains, divided by the length
 * over which a frame changes, 0.1 times 0.3. */
Test(contact_frame, derivative_is_that_of_the_definition)
{
	for (unsigned seed = 0; seed < 2000; seed++) {
		AbutRng rng = {seed};
		double n[3], c[3], dN[3][9];
		const double sigma = sample_log_uniform(&rng, 0.1, 30.0);
		sample_normal(sample_log_uniform(&rng, 0.1, 10.0), 0.3, &rng, n, c);
		derivative(n, sigma, c, dN);
		for (int column = 0; column < 3; column++) {
			Complex N[3][3], complex_n[3];
			for (int i = 0; i < 3; i++) {
				complex_n[i] = CMPLX(n[i], i == column ? 1e-30 : 0.0);
			}
			definition(complex_n, sigma, c, N);
			for (int j = 0; j < 3; j++) {
				for (int i = 0; i < 3; i++) {
					cr_assert_float_eq(dN[j][3 * i + column], cimag(N[j][i]) / 1e-30, 3e-6,
					                   "seed %u: N%d %d by %d", seed, j, i, column);
				}
			}
		}
	}
}

/* Returns the largest error of the derivative, relative to its largest entry. The reference is two central differences,
 * extrapolated. */
static double difference_error(const double n[3], double sigma, const double c[3], double step)
{
	double dN[3][9], worst = 0.0, size = 0.0;
	derivative(n, sigma, c, dN);
	for (int column = 0; column < 3; column++) {
		AbutContactFrame f[4];
		static const double steps[4] = {1.0, -1.0, 0.5, -0.5};
		for (int k = 0; k < 4; k++) {
			double moved[3] = {n[0], n[1], n[2]};
			moved[column] += steps[k] * step;
			abut_contact_frame(moved, sigma, c, &f[k]);
		}
		for (int j = 0; j < 3; j++) {
			for (int i = 0; i < 3; i++) {
				const double coarse = (f[0].N[j][i] - f[1].N[j][i]) / (2.0 * step);
				const double fine = (f[2].N[j][i] - f[3].N[j][i]) / step;
				const double value = dN[j][3 * i + column];
				worst = fmax(worst, fabs(value - (fine + (fine - coarse) / 3.0)));
				size = fmax(size, fabs(value));
				cr_assert(isfinite(value));
			}
		}
	}
	return worst / size;
}

/* Includes the guard: lengths range down to below the guard's 1e-5, over which the function changes, and include zero.
 * Steps are 1e-3 of this scale. The error is (1e-3)^4 from extrapolation, and 1e-16 / 1e-3 from rounding relative to
 * the change over one scale. */
Test(contact_frame, derivative_down_to_no_normal)
{
	const double zero[3] = {0.0};
	for (unsigned seed = 0; seed < 2000; seed++) {
		AbutRng rng = {seed};
		double n[3], c[3];
		const double length = sample_log_uniform(&rng, 1e-9, 10.0), sigma = sample_log_uniform(&rng, 0.1, 30.0);
		sample_normal(length, 0.3, &rng, n, c);
		const double error = difference_error(n, sigma, c, 1e-3 * fmax(length, 1e-5));
		cr_assert_leq(error, 1e-9, "seed %u: length %g, error %g", seed, length, error);
		cr_assert_leq(difference_error(zero, sigma, c, 1e-8), 1e-9, "seed %u: at zero", seed);
	}
}

/* Near the reference direction, t1 changes over the angle between the normal and the reference. Angles range down to
 * the guard's 1e-5, and include zero. */
Test(contact_frame, derivative_near_the_reference)
{
	for (unsigned seed = 0; seed < 2000; seed++) {
		AbutRng rng = {seed};
		double u[2];
		const double c[3] = {0.0, 1.0, 0.0}, angle = seed % 50 == 0 ? 0.0 : sample_log_uniform(&rng, 1e-7, 0.3);
		const double length = sample_log_uniform(&rng, 0.1, 10.0), sigma = sample_log_uniform(&rng, 0.1, 30.0);
		sample_unit(2, &rng, u);
		const double n[3] = {length * angle * u[0], seed % 2 ? length : -length, length * angle * u[1]};
		const double scale = fmax(angle, 1e-5);
		const double error = difference_error(n, sigma, c, 1e-3 * length * scale);
		/* |w|^2 = 1 - (c.u)^2 has an error of 1e-16 relative to scale^2, which differences at 1e-3 of the scale
		 * amplify 1000 times. The derivative uses the same value and has no such error */
		cr_assert_leq(error, 1e-9 + 2e-13 / (scale * scale), "seed %u: angle %g, error %g", seed, angle, error);
	}
}

/* The factored form equals the derivative up to rounding, for all lengths, for a zero normal, and at the reference
 * itself. The terms of both forms are as large as 1 / rho and, near the reference, s k. */
Test(contact_frame, factored_derivative_is_the_same)
{
	for (unsigned seed = 0; seed < 2000; seed++) {
		AbutRng rng = {seed};
		AbutContactFrame frame;
		AbutFrameTurn turn;
		double n[3], c[3], dN[3][9], k[3], v[3], P[9], pulled[3][3];
		const double sigma = sample_log_uniform(&rng, 0.1, 30.0);
		const double length = seed % 10 == 0 ? 0.0 : sample_log_uniform(&rng, 1e-9, 10.0);
		sample_normal(length, 0.0, &rng, n, c);
		if (seed % 10 == 1) {
			memcpy(n, c, sizeof n);
		}
		for (int i = 0; i < 3; i++) {
			k[i] = abut_rng_uniform(&rng, -1.0, 1.0);
			v[i] = abut_rng_uniform(&rng, -1.0, 1.0);
		}
		abut_contact_frame(n, sigma, c, &frame);
		abut_contact_frame_derivative(&frame, sigma, c, dN);
		abut_frame_turn(&frame, sigma, &turn);
		abut_frame_push(&frame, &turn, k, P);
		abut_frame_pull0(&frame, 2.0, v, pulled[0]);
		abut_frame_pull1(&frame, &turn, 2.0, v, pulled[1]);
		abut_frame_pull2(&frame, &turn, 2.0, v, pulled[2]);
		const double bound = 1e-13 * (frame.inverse_rho + fabs(turn.sk));
		for (int i = 0; i < 9; i++) {
			const double sum = k[0] * dN[0][i] + k[1] * dN[1][i] + k[2] * dN[2][i];
			cr_assert_float_eq(P[i], sum, bound, "seed %u: entry %d", seed, i);
		}
		for (int j = 0; j < 3; j++) {
			for (int i = 0; i < 3; i++) {
				const double sum = dN[j][i] * v[0] + dN[j][3 + i] * v[1] + dN[j][6 + i] * v[2];
				cr_assert_float_eq(pulled[j][i], 2.0 * sum, bound, "seed %u: N%d %d", seed, j, i);
			}
		}
	}
}

/* At a zero normal nothing is divided by zero, and the impulse along it is zero. */
Test(contact_frame, of_no_normal)
{
	AbutContactFrame frame;
	const double zero[3] = {0.0}, c[3] = {1.0, 0.0, 0.0};
	double dN[3][9];
	abut_contact_frame(zero, 3.0, c, &frame);
	abut_contact_frame_derivative(&frame, 3.0, c, dN);
	for (int j = 0; j < 3; j++) {
		cr_assert(abut_all_finite(frame.N[j], 3) && abut_all_finite(dN[j], 9));
		cr_assert_leq(abut_norm3(frame.N[j]), 1e-5);
		cr_assert_eq(frame.N[0][j], 0.0);
		for (int i = 0; i < 3; i++) { /* dN0 = I / sigma, up to the guard's 1e-10 */
			cr_assert_float_eq(dN[0][3 * j + i], i == j ? 1.0 / 3.0 : 0.0, 1e-10);
		}
	}
}
