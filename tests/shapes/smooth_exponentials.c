/* Tests a box of six exponentials. The Hessian of this function vanishes inside, so that rounding decides its sign. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "abut/shape_check.h"
#include "base/vec3.h"

typedef struct Box {
	double half[3], sharpness; /* m, 1/m */
} Box;

/* Computes g = alpha / k log sum_j exp(k (a_j . q - h_j)), q = p / alpha, over the six faces. Returns g, the shares of
 * the exponentials, and m = sum_j share_j a_j. */
static double soften(const Box *box, const double *u, double share[6], double m[3])
{
	double largest = -HUGE_VAL, sum = 0.0, x[6];
	for (int j = 0; j < 6; j++) {
		x[j] = box->sharpness * ((j % 2 ? 1.0 : -1.0) * u[j / 2] / u[3] - box->half[j / 2]);
		largest = fmax(largest, x[j]);
	}
	memset(m, 0, 3 * sizeof *m);
	for (int j = 0; j < 6; j++) {
		share[j] = exp(x[j] - largest);
		sum += share[j];
	}
	for (int j = 0; j < 6; j++) {
		share[j] /= sum;
		m[j / 2] += (j % 2 ? 1.0 : -1.0) * share[j];
	}
	return u[3] / box->sharpness * (largest + log(sum));
}

static void value(const void *data, const double *u, double *g)
{
	double share[6], m[3];
	g[0] = soften(data, u, share, m);
}

/* dg/dp = m, dg/dalpha = (g - m . p) / alpha, because g is homogeneous. */
static void gradient(const void *data, const double *u, double *G)
{
	double share[6];
	const double g = soften(data, u, share, G);
	G[3] = (g - abut_dot3(G, u)) / u[3];
}

/* The Hessian is k / alpha (sum share a a' - m m') in p; q extends it to alpha. */
static void hessian(const void *data, const double *u, const double *weight, double *H)
{
	const Box *box = data;
	double share[6], m[3], q[4] = {-u[0] / u[3], -u[1] / u[3], -u[2] / u[3], 0.0}, own[9];
	soften(box, u, share, m);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			const double square = i == j ? share[2 * i] + share[2 * i + 1] : 0.0;
			own[3 * i + j] = weight[0] * box->sharpness / u[3] * (square - m[i] * m[j]);
		}
	}
	memset(H, 0, 16 * sizeof *H);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			H[4 * i + j] = own[3 * i + j];
			H[4 * i + 3] += own[3 * i + j] * q[j];
			H[12 + i] += own[3 * i + j] * q[j];
			H[15] += q[i] * own[3 * i + j] * q[j];
		}
	}
}

static AbutSmooth functions_of(Box *box)
{
	return (AbutSmooth){.n_rows = 1,
	                    .value = value,
	                    .gradient = gradient,
	                    .hessian = hessian,
	                    .data = box,
	                    .bounding_radius = abut_norm3(box->half)};
}

/* (Once it was called not convex, because of a Hessian of -1e-27.) */
Test(smooth_exponentials, are_convex)
{
	static const double sharpness[] = {10.0, 30.0, 100.0, 300.0};
	for (int i = 0; i < 4; i++) {
		Box box = {{0.5, 0.4, 0.3}, sharpness[i]};
		const AbutSmooth functions = functions_of(&box);
		AbutShapeReport report;
		cr_assert_eq(abut_shape_check_functions(&functions, &report), ABUT_OK);
		cr_expect(report.passed, "sharpness %g: %s", sharpness[i], report.message);
	}
}

static void lying_hessian(const void *data, const double *u, const double *weight, double *H)
{
	hessian(data, u, weight, H);
	H[0] -= 1e-3 * weight[0];
}

/* A function that is slightly concave is still detected. */
Test(smooth_exponentials, a_small_lie_is_named)
{
	Box box = {{0.5, 0.4, 0.3}, 30.0};
	AbutSmooth functions = functions_of(&box);
	AbutShapeReport report;
	functions.hessian = lying_hessian;
	cr_assert_eq(abut_shape_check_functions(&functions, &report), ABUT_OK);
	cr_expect_not(report.passed);
	cr_expect(report.verdict[ABUT_SHAPE_TEST_HESSIAN] == ABUT_SHAPE_FAILED ||
	              report.verdict[ABUT_SHAPE_TEST_CONVEX] == ABUT_SHAPE_FAILED,
	          "%s", report.message);
}
