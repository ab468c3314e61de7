/* Creates superellipsoids with radii r and exponents (a, b). With X = x / r_x, Y = y / r_y, Z = z / r_z the set is
 *
 *      N <= 1,     N = (n^b + |Z|^b)^(1/b),     n = (|X|^a + |Y|^a)^(1/a).
 *
 * The function N - alpha describes this set, but has a kink at the centre, where contacts with halfspaces start. The
 * code instead uses
 *
 *      g = m (sqrt(2) phi - 2 alpha),     phi = (N^2 + alpha^2)^(1/2),
 *
 * which is also a norm minus a multiple of alpha. Its second derivatives are bounded except at (p, alpha) = (0, 0).
 * Along every ray from the centre it equals the function of an ellipsoid. (A function with alpha^b inside N would also
 * be smooth at the centre, but nearly constant inside and with nearly a kink at the boundary.) The factor m is the mean
 * radius, so that |dg/dp| = m / r_i at the ends of the axes. The code uses only the public interface abut/smooth.h.
 * Tested in tests/shapes/smooth.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abut/smooth.h"
#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/inputs.h"
#include "shapes/core/mass.h"

typedef struct Superellipsoid {
	double radii[3], exponents[2], mean;
} Superellipsoid;

static double power(double x, double exponent)
{
	return exponent == 2.0 ? x * x : exponent == 1.0 ? x : exponent == 0.0 ? 1.0 : pow(x, exponent);
}

/* N, its gradient, and N times its Hessian with respect to (X, Y, Z). Both depend only on the direction. */
typedef struct Norm {
	double N, first[3], second[3][3];
} Norm;

/* Returns (|x|^e + |y|^e)^(1/e); no power overflows or underflows. */
static double norm2(double x, double y, double e)
{
	const double large = fmax(fabs(x), fabs(y));
	return large > 0.0 ? large * pow(power(fabs(x) / large, e) + power(fabs(y) / large, e), 1.0 / e) : 0.0;
}

/* Computes the gradient of the norm (|x|^e + |y|^e)^(1/e), and its Hessian times the norm. s and t are |x| and |y|
 * divided by the norm. */
static void differentiate2(double s, double t, double e, double first[2], double second[3])
{
	const double S = power(s, e - 2.0), T = power(t, e - 2.0);
	first[0] = S * s;
	first[1] = T * t;
	second[0] = (e - 1.0) * S * power(t, e);
	second[1] = -(e - 1.0) * first[0] * first[1];
	second[2] = (e - 1.0) * T * power(s, e);
}

static Norm differentiate(const Superellipsoid *e, const double v[3])
{
	const double n = norm2(v[0], v[1], e->exponents[0]);
	Norm norm = {.N = norm2(n, v[2], e->exponents[1])};
	if (!(norm.N > 0.0)) { /* at the centre there is no direction: treat N as round */
		norm.second[0][0] = norm.second[1][1] = norm.second[2][2] = 1.0;
		return norm;
	}
	/* On the axis X and Y have no direction; use the diagonal. */
	const double even = pow(2.0, -1.0 / e->exponents[0]), rho = n / norm.N;
	const double s = n > 0.0 ? fabs(v[0]) / n : even, t = n > 0.0 ? fabs(v[1]) / n : even;
	double outer[2], bend[3], inner[2], fold[3];
	differentiate2(rho, fabs(v[2]) / norm.N, e->exponents[1], outer, bend);
	differentiate2(s, t, e->exponents[0], inner, fold);
	const double chain = power(rho, e->exponents[1] - 2.0);
	const double mixed = n > 0.0 ? 1.0 : 0.0; /* terms odd in X or Y vanish on the axis */
	norm.first[0] = mixed * outer[0] * inner[0];
	norm.first[1] = mixed * outer[0] * inner[1];
	norm.first[2] = outer[1];
	norm.second[0][0] = bend[0] * inner[0] * inner[0] + chain * fold[0];
	norm.second[1][1] = bend[0] * inner[1] * inner[1] + chain * fold[2];
	norm.second[2][2] = bend[2];
	norm.second[0][1] = mixed * (bend[0] * inner[0] * inner[1] + chain * fold[1]);
	norm.second[0][2] = mixed * bend[1] * inner[0];
	norm.second[1][2] = mixed * bend[1] * inner[1];
	for (int i = 0; i < 3; i++) {
		norm.first[i] = copysign(norm.first[i], v[i]);
		for (int j = i + 1; j < 3; j++) {
			norm.second[i][j] *= (v[i] < 0.0) == (v[j] < 0.0) ? 1.0 : -1.0;
			norm.second[j][i] = norm.second[i][j];
		}
	}
	return norm;
}

static void place(const Superellipsoid *e, const double *u, double v[3])
{
	for (int i = 0; i < 3; i++) {
		v[i] = u[i] / e->radii[i];
	}
}

static void value(const void *data, const double *u, double *g)
{
	const Superellipsoid *e = data;
	double v[3];
	place(e, u, v);
	const double N = norm2(norm2(v[0], v[1], e->exponents[0]), v[2], e->exponents[1]);
	g[0] = e->mean * (sqrt(2.0) * hypot(N, u[3]) - 2.0 * u[3]);
}

/* The gradient of phi is (N dN, alpha) / phi. */
static void gradient(const void *data, const double *u, double *G)
{
	const Superellipsoid *e = data;
	double v[3];
	place(e, u, v);
	const Norm norm = differentiate(e, v);
	const double phi = hypot(norm.N, u[3]), factor = sqrt(2.0) * e->mean;
	for (int i = 0; i < 3; i++) {
		G[i] = phi > 0.0 ? factor * norm.N / phi * norm.first[i] / e->radii[i] : 0.0;
	}
	G[3] = (phi > 0.0 ? factor * u[3] / phi : 0.0) - 2.0 * e->mean;
}

/* phi times its Hessian is the Hessian of (N^2 + alpha^2) / 2, minus the part along the gradient. The former consists
 * of dN dN' + N d2N, and of 1 for alpha. */
static void hessian(const void *data, const double *u, const double *weight, double *H)
{
	const Superellipsoid *e = data;
	double v[3], first[4];
	memset(H, 0, 16 * sizeof *H);
	place(e, u, v);
	const Norm norm = differentiate(e, v);
	const double phi = hypot(norm.N, u[3]);
	if (!(phi > 0.0)) {
		return;
	}
	abut_scale3(norm.N / phi, norm.first, first);
	first[3] = u[3] / phi;
	const double scale = weight[0] * sqrt(2.0) * e->mean / phi;
	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < 4; j++) {
			const double square =
			    i < 3 && j < 3 ? norm.first[i] * norm.first[j] + norm.second[i][j] : (i == j ? 1.0 : 0.0);
			const double lengths = (i < 3 ? e->radii[i] : 1.0) * (j < 3 ? e->radii[j] : 1.0);
			H[4 * i + j] = scale / lengths * (square - first[i] * first[j]);
		}
	}
}

/* The reach along d is the dual norm, whose exponents satisfy 1 / a + 1 / a* = 1 and 1 / b + 1 / b* = 1. The point is
 * its derivative. */
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
	const double h =
	    largest * pow(pow(N / largest, b / (b - 1.0)) + pow(w[2] / largest, b / (b - 1.0)), 1.0 - 1.0 / b);
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

/* Returns the distance from the origin of the furthest point of |x / r|^q + |y / s|^q <= 1, q >= 2, by Hoelder's
 * inequality for the squares. */
static double reach_of(double r, double s, double q)
{
	const double large = fmax(r, s), small = fmin(r, s);
	return q == 2.0 ? large : large * pow(1.0 + pow(small / large, 2.0 * q / (q - 2.0)), 0.5 - 1.0 / q);
}

static double beta(double x, double y)
{
	return exp(lgamma(x) + lgamma(y) - lgamma(x + y));
}

/* Computes the mass. A slice at Z is the slice at 0 scaled by (1 - |Z|^b)^(1/b). Similarly, |X| is at most (1 -
 * |Y|^a)^(1/a) in |X|^a + |Y|^a <= 1. So every moment is a product of two beta functions. */
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
		                      "exponents is NULL; it must hold 2 numbers");
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
	ABUT_TRY(abut_shape_check_out(out, error));
	ABUT_TRY(abut_shape_check_lengths(radii, 3, "radii", error));
	ABUT_TRY(check_exponents(exponents, error));
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
	abut_scale3(shape->smooth_unit, e->radii, radii);
	memcpy(exponents, e->exponents, sizeof e->exponents);
	return true;
}
