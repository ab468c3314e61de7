/* Computes f'(0) as the limit of central differences for step sizes h that fall by a constant ratio. For smooth f a
 * central difference is D(h) = f'(0) + c_2 h^2 + c_4 h^4 + ... . Neville's scheme extrapolates it to h = 0: column 0 of
 * its table holds the differences D(h), and each further column removes one power of h. The error estimate of an entry
 * is its difference from the two entries it was computed from.
 *
 * If f has a corner at 0, central differences converge to the mean of the two one-sided derivatives. The jump between
 * these derivatives detects the corner: (f(h) + f(-h) - 2 f(0)) / h = j + c_1 h + c_3 h^3 + ... . Here j is estimated
 * from two sizes and is added to the error.
 *
 * A corner away from 0 affects only the large sizes. If f is straight on both sides of it, however, the large sizes
 * agree better with each other than the small ones do. The value is therefore also compared with the differences at the
 * small sizes: deviations beyond their noise raise the error.
 *
 * Tested on functions with and without corners in tests/experiments/test_difference_limit.c. */
#include "experiments/reference/difference_limit.h"

#include <math.h>
#include <stdbool.h>

enum { SIZES = ABUT_DIFFERENCE_SIZES, RATIO = ABUT_DIFFERENCE_RATIO, ORDERS = 3, RUN = 3, MOVES = 4 };

/* A difference is hardly ever wrong by chance by more than this factor times its estimated noise. */
static const double sure_noise = 30.0;
/* Two differences agree if they differ by less than this fraction of their errors. */
static const double agreement = 0.1;
/* Noise in a difference grows by ABUT_DIFFERENCE_RATIO from one size to the next; a trend grows by less than this. */
static const double growth = 3.0;

/* Returns the largest magnitude of the three numbers; infinity if one of them is NaN. */
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

/* Estimates how much the values of f at size k deviate from a smooth function, in the unit of f. Uses size k and the
 * size before it; returns 0 if a value is unknown. */
static double rough_at(double h, const double *ahead, const double *back, int k)
{
	const double coarse = jump_of(RATIO * h, ahead, back, k - 1), fine = jump_of(h, ahead, back, k);
	const double corner = fine + (fine - coarse) / (RATIO - 1);
	const double change = central(h, ahead, back, k) - central(RATIO * h, ahead, back, k - 1);
	const double rough = h * (fabs(change) + fabs(corner));
	return isnan(rough) ? 0.0 : rough;
}

/* Estimates the roughness of f from the last two sizes. Noise is equally large at all sizes. A roughness that falls
 * from size to size comes from the curvature of f instead; the last one is then closest to the noise. */
static double roughness(double h, const double *ahead, const double *back)
{
	double last = 0.0, before = 0.0;
	int falls = 0;
	for (int k = 1; k < SIZES; k++) {
		h /= RATIO;
		before = last;
		last = rough_at(h, ahead, back, k);
		falls = RATIO * last < before ? falls + 1 : 0;
	}
	return falls > RUN ? last : fmax(last, before);
}

/* Returns the distance of a central difference from `expected`; 0 if it is within the noise or unknown. */
static double miss_of(double expected, double found, double noise)
{
	const double miss = fabs(expected - found);
	return miss > sure_noise * noise ? miss : 0.0;
}

/* Returns the largest error at the sizes after `from` that is not due to chance; `h` is the step at `from`. An error
 * counts in two cases: RUN consecutive differences agree, or MOVES consecutive changes have the same sign and grow less
 * than noise would. The second case occurs where f has another slope at small steps. `bend` is the expected deviation
 * of a difference from the value. */
static double contradiction(double h, const double *ahead, const double *back, const double *noise, double rough,
                            int from, double value)
{
	double worst = 0.0, run_miss = 0.0, last = NAN, last_move = NAN, bend = central(h, ahead, back, from) - value;
	for (int k = from + 1, run = 0, moves = 0; k < SIZES; k++) {
		h /= RATIO;
		bend /= RATIO * RATIO;
		const double found = central(h, ahead, back, k), move = found - last;
		const double miss = miss_of(value + bend, found, (noise[k] + rough) / h);
		const double led = miss_of(value + bend, found, noise[k] / h); /* for trends: noise alone */
		const bool agrees = fabs(move) < agreement * fmin(miss, run_miss);
		const bool leads = led > 0.0 && move * last_move > 0.0 && fabs(move) < growth * fabs(last_move);
		run = agrees ? run + 1 : 1;
		run_miss = agrees ? fmin(miss, run_miss) : miss;
		moves = leads ? moves + 1 : 0;
		last = found;
		last_move = move;
		if (run >= RUN || moves >= MOVES) {
			worst = fmax(worst, run >= RUN ? run_miss : led);
		}
	}
	return worst;
}

void abut_difference_limit(double h, const double *ahead, const double *back, const double *noise, double *value,
                           double *error)
{
	double before[ORDERS], before_jump = NAN; /* the row of Neville's table and the jump at the size before */
	double chosen_h = h;
	int chosen = SIZES;
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
				chosen = k;
				chosen_h = h;
			}
		}
		for (int i = 0; i < ORDERS; i++) {
			before[i] = table[i];
		}
		before_jump = jump;
	}
	if (chosen < SIZES) {
		*error = fmax(*error, contradiction(chosen_h, ahead, back, noise, rough, chosen, *value));
	}
}
