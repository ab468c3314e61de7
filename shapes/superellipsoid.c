/* Superellipsoid with radii r and exponents (a, b), in X = x / r_x, Y = y / r_y, Z = z / r_z:
 *
 *     n^b + |Z|^b <= 1,     n = (|X|^a + |Y|^a)^(1/a).
 *
 * As a function of (p, alpha) the norm of (X, Y, Z) less alpha would do, but has a kink at the centre, where contacts
 * with halfspaces start. The same set is that of
 *
 *     g = m (2^(1 - 1/b) phi - 2 alpha),     phi = (n^b + |Z|^b + |alpha|^b)^(1/b),
 *
 * again a norm less alpha, and smooth but at (0, 0). m, the mean radius, and the power of two make |dg/dp| = m / r_i at
 * the ends of the axes. It uses nothing but the public interface of abut/smooth.h. Tested in
 * tests/shapes/smooth.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abut/smooth.h"
#include "shapes/conic.h"
#include "shapes/mass.h"

typedef struct Superellipsoid {
	double radii[3], exponents[2], mean;
} Superellipsoid;

static double power(double x, double exponent)
{
	return exponent == 2.0 ? x * x : exponent == 1.0 ? x : exponent == 0.0 ? 1.0 : pow(x, exponent);
}

/* (X, Y, Z, alpha) divided by the largest of them, which is returned: no power overflows or vanishes. */
static double normalised(const Superellipsoid *e, const double *u, double v[4])
{
	double largest = fabs(u[3]);
	v[3] = u[3];
	for (int i = 0; i < 3; i++) {
		v[i] = u[i] / e->radii[i];
		largest = fmax(largest, fabs(v[i]));
	}
	for (int i = 0; i < 4 && largest > 0.0; i++) {
		v[i] /= largest;
	}
	return largest;
}

/* N = n^b + |Z|^b + |alpha|^b with its gradient and Hessian by v. */
typedef struct Sum {
	double N, first[4], second[4][4];
} Sum;

static Sum differentiate(const Superellipsoid *e, const double v[4])
{
	const double a = e->exponents[0], b = e->exponents[1];
	const double x = fabs(v[0]), y = fabs(v[1]), large = fmax(x, y);
	Sum sum = {.N = 0.0};
	double share[2]; /* |X| / n, |Y| / n; on the axis, where they have no value, those of a diagonal */
	double n = 0.0;
	if (large > 0.0) {
		n = large * pow(power(x / large, a) + power(y / large, a), 1.0 / a);
		share[0] = x / n;
		share[1] = y / n;
	} else {
		share[0] = share[1] = pow(2.0, -1.0 / a);
	}
	sum.N = power(n, b);
	for (int i = 0; i < 2; i++) {
		sum.first[i] = copysign(b * power(n, b - 1.0) * power(share[i], a - 1.0), v[i]);
		sum.second[i][i] = b * power(n, b - 2.0) *
		                   ((b - a) * power(share[i], 2.0 * a - 2.0) + (a - 1.0) * power(share[i], a - 2.0));
	}
	if (large > 0.0) {
		const double sign = v[0] * v[1] < 0.0 ? -1.0 : 1.0;
		sum.second[0][1] = sum.second[1][0] =
		    sign * b * (b - a) * power(n, b - 2.0) * power(share[0] * share[1], a - 1.0);
	}
	for (int i = 2; i < 4; i++) {
		const double w = fabs(v[i]);
		sum.N += power(w, b);
		sum.first[i] = copysign(b * power(w, b - 1.0), v[i]);
		sum.second[i][i] = b * (b - 1.0) * power(w, b - 2.0);
	}
	return sum;
}

static double factor(const Superellipsoid *e)
{
	return e->mean * pow(2.0, 1.0 - 1.0 / e->exponents[1]);
}

static void value(const void *data, const double *u, double *g)
{
	const Superellipsoid *e = data;
	const double b = e->exponents[1];
	double v[4];
	const double size = normalised(e, u, v), large = fmax(fabs(v[0]), fabs(v[1]));
	double n = 0.0;
	if (large > 0.0) {
		const double a = e->exponents[0];
		n = large * pow(power(fabs(v[0]) / large, a) + power(fabs(v[1]) / large, a), 1.0 / a);
	}
	const double N = power(n, b) + power(fabs(v[2]), b) + power(fabs(v[3]), b);
	g[0] = factor(e) * size * pow(N, 1.0 / b) - 2.0 * e->mean * u[3];
}

static void gradient(const void *data, const double *u, double *G)
{
	const Superellipsoid *e = data;
	double v[4];
	memset(G, 0, 4 * sizeof *G);
	if (normalised(e, u, v) > 0.0) {
		const Sum sum = differentiate(e, v);
		const double slope = factor(e) * pow(sum.N, 1.0 / e->exponents[1] - 1.0) / e->exponents[1];
		for (int i = 0; i < 4; i++) {
			G[i] = slope * sum.first[i] / (i < 3 ? e->radii[i] : 1.0);
		}
	}
	G[3] -= 2.0 * e->mean;
}

static void hessian(const void *data, const double *u, const double *weight, double *H)
{
	const Superellipsoid *e = data;
	const double b = e->exponents[1];
	double v[4];
	memset(H, 0, 16 * sizeof *H);
	const double size = normalised(e, u, v);
	if (!(size > 0.0)) {
		return;
	}
	const Sum sum = differentiate(e, v);
	const double scale = weight[0] * factor(e) * pow(sum.N, 1.0 / b - 1.0) / (b * size);
	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < 4; j++) {
			const double lengths = (i < 3 ? e->radii[i] : 1.0) * (j < 3 ? e->radii[j] : 1.0);
			H[4 * i + j] = scale / lengths *
			               (sum.second[i][j] + (1.0 / b - 1.0) / sum.N * sum.first[i] * sum.first[j]);
		}
	}
}

/* The norm's dual, with 1 / a + 1 / a* = 1 and so for b, is how far the shape reaches along d; its derivative the point:
 *
 *     h = (N^b* + |r_z d_z|^b*)^(1/b*),    N = (|r_x d_x|^a* + |r_y d_y|^a*)^(1/a*). */
static void furthest_point(const void *data, const double d[3], double point[3])
{
	const Superellipsoid *e = data;
	const double *r = e->radii, a = e->exponents[0], b = e->exponents[1];
	double w[3], N = 0.0;
	for (int i = 0; i < 3; i++) {
		w[i] = fabs(r[i] * d[i]);
		point[i] = 0.0;
	}
	const double across = fmax(w[0], w[1]);
	if (across > 0.0) {
		N = across * pow(pow(w[0] / across, a / (a - 1.0)) + pow(w[1] / across, a / (a - 1.0)), 1.0 - 1.0 / a);
	}
	const double largest = fmax(N, w[2]);
	const double h = largest * pow(pow(N / largest, b / (b - 1.0)) + pow(w[2] / largest, b / (b - 1.0)), 1.0 - 1.0 / b);
	const double n = pow(N / h, 1.0 / (b - 1.0));
	for (int i = 0; i < 2 && across > 0.0; i++) {
		point[i] = copysign(r[i] * n * pow(w[i] / N, 1.0 / (a - 1.0)), d[i]);
	}
	point[2] = copysign(r[2] * pow(w[2] / h, 1.0 / (b - 1.0)), d[2]);
}

static void *clone(const void *data)
{
	Superellipsoid *copy = malloc(sizeof *copy);
	if (copy) {
		*copy = *(const Superellipsoid *)data;
	}
	return copy;
}

/* The furthest point of |x / r|^q + |y / s|^q <= 1 from the origin, q >= 2: Hoelder's inequality for the squares. */
static double reach_of(double r, double s, double q)
{
	const double large = fmax(r, s), small = fmin(r, s);
	return q == 2.0 ? large : large * pow(1.0 + pow(small / large, 2.0 * q / (q - 2.0)), 0.5 - 1.0 / q);
}

static double beta(double x, double y)
{
	return exp(lgamma(x) + lgamma(y) - lgamma(x + y));
}

/* Slices at Z are scaled by (1 - |Z|^b)^(1/b), and those of |X|^a + |Y|^a <= 1 by (1 - |Y|^a)^(1/a): every moment is a
 * product of two beta functions. */
static AbutMassProperties mass_of(const double r[3], double a, double b)
{
	const double area = 4.0 / a * beta(1.0 / a, 1.0 + 1.0 / a);
	const double area_xx = 4.0 / (3.0 * a) * beta(1.0 / a, 1.0 + 3.0 / a);
	const double product = r[0] * r[1] * r[2];
	const double volume = product * area * 2.0 / b * beta(1.0 / b, 1.0 + 2.0 / b);
	const double across = product * area_xx * 2.0 / b * beta(1.0 / b, 1.0 + 4.0 / b);
	const double along = product * area * 2.0 / b * beta(3.0 / b, 1.0 + 2.0 / b);
	const double xx = across * r[0] * r[0], yy = across * r[1] * r[1], zz = along * r[2] * r[2];
	return abut_mass_diagonal(volume, yy + zz, xx + zz, xx + yy);
}

static AbutStatus check_exponents(const double exponents[2], AbutError *error)
{
	if (!exponents) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "exponents",
		                      "exponents is NULL; it must hold two numbers");
	}
	for (int i = 0; i < 2; i++) {
		if (!(exponents[i] >= 2.0 && exponents[i] <= ABUT_SUPERELLIPSOID_EXPONENT_MAX)) {
			return abut_error_set(
			    error, ABUT_ERROR_ARGUMENT, "exponents",
			    "exponents[%d] is %g; it must lie between 2 and %g (below 1 the shape is not "
			    "convex, below 2 its curvature is not finite)",
			    i, exponents[i], ABUT_SUPERELLIPSOID_EXPONENT_MAX);
		}
	}
	return ABUT_OK;
}

AbutStatus abut_shape_create_superellipsoid(const double radii[3], const double exponents[2], AbutShape **out,
                                            AbutError *error)
{
	AbutStatus status = abut_shape_check_out(out, error);
	if (status == ABUT_OK) {
		status = abut_shape_check_lengths(radii, 3, "radii", error);
	}
	if (status == ABUT_OK) {
		status = check_exponents(exponents, error);
	}
	if (status != ABUT_OK) {
		return status;
	}
	const double a = exponents[0], b = exponents[1];
	Superellipsoid data = {.radii = {radii[0], radii[1], radii[2]},
	                       .exponents = {a, b},
	                       .mean = (radii[0] + radii[1] + radii[2]) / 3.0};
	const AbutSmooth functions = {.n_rows = 1,
	                              .value = value,
	                              .gradient = gradient,
	                              .hessian = hessian,
	                              .furthest = furthest_point,
	                              .data = &data,
	                              .clone = clone,
	                              .destroy = free,
	                              .bounding_radius = reach_of(reach_of(radii[0], radii[1], a), radii[2], b)};
	const AbutMassProperties mass = mass_of(radii, a, b);
	return abut_shape_create_smooth(&functions, &mass, out, error);
}

bool abut_shape_is_superellipsoid(const AbutShape *shape, double radii[3], double exponents[2])
{
	if (!shape || !shape->smooth || shape->smooth->value != value) {
		return false;
	}
	const Superellipsoid *e = shape->smooth->data;
	for (int i = 0; i < 3; i++) {
		radii[i] = shape->smooth_unit * e->radii[i];
	}
	memcpy(exponents, e->exponents, sizeof e->exponents);
	return true;
}
