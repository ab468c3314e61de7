/* Computes mass properties of a smooth shape from its reach rho(u) along rays from the centre. The integrals
 *
 *      V = int rho^3 / 3,     first moment = int rho^4 / 4 u,     second = int rho^5 / 5 u u'     over all directions u
 *
 * use Gauss points in z and equidistant points around z. Their number is doubled until the integrals change little. For
 * a boundary without kinks they converge like a geometric series. The stated error is the last change, an upper bound
 * of the error of the last integrals. Tested by smooth/mass_of_superellipsoids in tests/shapes/smooth.c. */
#include "shapes/smooth/smooth_mass.h"

#include <math.h>
#include <string.h>

#include "shapes/core/mass.h"
#include "shapes/query/smooth_reach.h"

enum { first_order = 8, last_order = 128 };

/* Computes node i of n of Gauss's rule on [-1, 1], and its weight. The nodes are the roots of the Legendre polynomial,
 * found by Newton's method. */
static void gauss_node(int n, int i, double *node, double *weight)
{
	double x = cos(M_PI * (i + 0.75) / (n + 0.5)), slope = 1.0;
	for (int k = 0; k < 100; k++) {
		double p0 = 1.0, p1 = x;
		for (int j = 2; j <= n; j++) {
			const double p2 = ((2 * j - 1) * x * p1 - (j - 1) * p0) / j;
			p0 = p1;
			p1 = p2;
		}
		slope = n * (x * p1 - p0) / (x * x - 1.0);
		const double correction = p1 / slope;
		x -= correction;
		if (fabs(correction) < 1e-15) {
			break;
		}
	}
	*node = x;
	*weight = 2.0 / ((1.0 - x * x) * slope * slope);
}

static void add_ray(const double u[3], double rho, double weight, AbutMoments *sum)
{
	const double cube = weight * rho * rho * rho;
	sum->volume += cube / 3.0;
	for (int i = 0; i < 3; i++) {
		sum->first[i] += cube * rho / 4.0 * u[i];
		abut_add_scaled3(&sum->second[3 * i], cube * rho * rho / 5.0 * u[i], u, &sum->second[3 * i]);
	}
}

static bool integrate(const AbutSmooth *f, int n, AbutMoments *sum, double *least)
{
	memset(sum, 0, sizeof *sum);
	for (int i = 0; i < n; i++) {
		double z, weight;
		gauss_node(n, i, &z, &weight);
		const double across = sqrt(1.0 - z * z);
		for (int j = 0; j < 2 * n; j++) {
			const double turn = M_PI * (j + 0.5) / n;
			const double u[3] = {across * cos(turn), across * sin(turn), z};
			AbutSmoothReach reach;
			if (!abut_smooth_on_ray(f, u, &reach)) {
				return false;
			}
			*least = fmin(*least, reach.value);
			add_ray(u, reach.value, weight * M_PI / n, sum);
		}
	}
	return true;
}

/* Returns the largest change of the volume, first and second moments, relative to V, V r and V r^2. */
static double change(const AbutMoments *a, const AbutMoments *b, double r)
{
	double worst = fabs(a->volume - b->volume);
	for (int i = 0; i < 3; i++) {
		worst = fmax(worst, fabs(a->first[i] - b->first[i]) / r);
	}
	for (int i = 0; i < 9; i++) {
		worst = fmax(worst, fabs(a->second[i] - b->second[i]) / (r * r));
	}
	return worst / b->volume;
}

bool abut_smooth_mass(const AbutSmooth *f, AbutMassProperties *out, double *inner_radius, double *error)
{
	AbutMoments sums[2];
	double least = f->bounding_radius;
	int current = 0;
	*error = (double)INFINITY;
	if (!integrate(f, first_order, &sums[0], &least)) {
		return false;
	}
	for (int n = 2 * first_order; n <= last_order && *error > 0.1 * ABUT_SMOOTH_MASS_ERROR; n *= 2) {
		current = 1 - current;
		if (!integrate(f, n, &sums[current], &least)) {
			*error = (double)INFINITY;
			return false;
		}
		/* Relative to the solid's own length, so that small moments of a thin solid count fully. */
		const double spread =
		    sqrt((sums[current].second[0] + sums[current].second[4] + sums[current].second[8]) /
		         sums[current].volume);
		*error = change(&sums[1 - current], &sums[current], spread);
	}
	*inner_radius = least;
	*out = abut_mass_from_moments(&sums[current]);
	static const double unit[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
	abut_mass_move(out, unit, f->centre);
	return *error <= ABUT_SMOOTH_MASS_ERROR;
}
