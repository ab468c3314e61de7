/* Central differences D(h) = f'(0) + c_2 h^2 + c_4 h^4 + ... of falling sizes, extrapolated to h = 0 by Neville's
 * scheme: each column removes a power, the first of them being the differences of fourth order. A value's error is what
 * it changed by from the two that it was made of.
 *
 * Where f has a corner at 0 central differences agree on the mean of two derivatives. What tells it is the jump of the
 * one-sided ones, (f(h) + f(-h) - 2 f(0)) / h = j + c_1 h + c_3 h^3 + ..., whose j is found from two sizes and counts
 * as error. A corner away from 0 is in the large sizes alone.
 *
 * Tested on functions with and without corners in tests/experiments/test_difference_limit.c. */
#include "experiments/difference_limit.h"

#include <math.h>

enum { SIZES = ABUT_DIFFERENCE_SIZES, RATIO = ABUT_DIFFERENCE_RATIO, ORDERS = 3, ROUGH_SIZES = 2 };

/* The largest of them; NaN, when one is none, is as good as infinite. */
static double worst_of(double a, double b, double c)
{
	const double worst = fmax(fabs(a), fmax(fabs(b), fabs(c)));
	return isnan(a) || isnan(b) || isnan(c) ? (double)INFINITY : worst;
}

static double central(double h, const double *ahead, const double *back, int k)
{
	return (ahead[k] - back[k]) / (2.0 * h);
}

static double jump_of(double h, const double *ahead, const double *back, int k)
{
	return (ahead[k] + back[k]) / h;
}

/* By how much f seems to miss a smooth function at size k, by that and the one before; 0 when it is not known. */
static double rough_at(double h, const double *ahead, const double *back, int k)
{
	const double coarse = jump_of(RATIO * h, ahead, back, k - 1), fine = jump_of(h, ahead, back, k);
	const double corner = fine + (fine - coarse) / (RATIO - 1);
	const double change = central(h, ahead, back, k) - central(RATIO * h, ahead, back, k - 1);
	const double rough = h * (fabs(change) + fabs(corner));
	return isnan(rough) ? 0.0 : rough;
}

static double roughness(double h, const double *ahead, const double *back)
{
	double rough = 0.0;
	for (int k = 0; k < SIZES; k++, h /= RATIO) {
		rough = k < SIZES - ROUGH_SIZES ? 0.0 : fmax(rough, rough_at(h, ahead, back, k));
	}
	return rough;
}

void abut_difference_limit(double h, const double *ahead, const double *back, const double *noise, double *value,
                           double *error)
{
	double before[ORDERS], before_jump = NAN; /* of the size before */
	const double rough = roughness(h, ahead, back);
	*value = NAN;
	*error = INFINITY;
	for (int i = 0; i < ORDERS; i++) {
		before[i] = NAN;
	}
	for (int k = 0; k < SIZES; k++, h /= RATIO) {
		double table[ORDERS], power = RATIO * RATIO;
		const double jump = jump_of(h, ahead, back, k), corner = jump + (jump - before_jump) / (RATIO - 1);
		table[0] = central(h, ahead, back, k);
		for (int i = 1; i < ORDERS; i++, power *= RATIO * RATIO) {
			table[i] = table[i - 1] + (table[i - 1] - before[i - 1]) / (power - 1.0);
			const double own = worst_of(table[i] - table[i - 1], table[i] - before[i - 1],
			                            fabs(corner) + (noise[k] + rough) / h);
			if (own < *error) {
				*error = own;
				*value = table[i];
			}
		}
		for (int i = 0; i < ORDERS; i++) {
			before[i] = table[i];
		}
		before_jump = jump;
	}
}
