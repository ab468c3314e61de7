/* Tests a user's functions at random points in and around the shape, and on its boundary. Derivatives are compared with
 * finite differences. A few samples may meet a point where a derivative does not exist. So a test fails if the share of
 * deviating samples is too large, not because of one sample. */
#include "shapes/check/smooth_check.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/vec3.h"
#include "shapes/check/report.h"
#include "shapes/core/spiral.h"
#include "shapes/query/smooth_reach.h"

enum { samples = 400, directions = 100, ROWS = ABUT_SMOOTH_ROWS_MAX, WIDTH = ABUT_SMOOTH_WIDTH_MAX };

/* Largest share of samples with a deviating derivative, and the largest relative deviation of a derivative. */
static const double few = 0.05, derivative = 1e-4;
/* `rounding`: relative negative curvature, or rise above a chord, that may be rounding. `no_bend`: curvature that
 * counts as zero, relative to the values along the chord; exponentials may nearly vanish there. */
static const double rounding = 1e-8, no_bend = 1e-12;
/* Largest deviation of reaches at two scalings, relative to the size. */
static const double scaled = 1e-7;
/* Largest factor by which |dg / dp| on the boundary may deviate from 1. */
static const double lengths = 100.0;

typedef struct Sample {
	double u[WIDTH], g[ROWS], G[ROWS * WIDTH], H[WIDTH * WIDTH], weight[ROWS];
} Sample;

static void draw(const AbutSmooth *f, AbutRng *rng, double *u)
{
	for (int i = 0; i < 3; i++) {
		u[i] = f->centre[i] + 0.6 * f->bounding_radius * abut_rng_normal(rng);
	}
	u[3] = abut_rng_uniform(rng, 0.3, 2.0);
	for (int e = 0; e < f->n_eps; e++) {
		u[4 + e] = 0.3 * f->bounding_radius * abut_rng_normal(rng);
	}
}

static bool evaluate(const AbutSmooth *f, Sample *s)
{
	const int width = 4 + f->n_eps;
	f->value(f->data, s->u, s->g);
	f->gradient(f->data, s->u, s->G);
	f->hessian(f->data, s->u, s->weight, s->H);
	return abut_all_finite(s->g, f->n_rows) && abut_all_finite(s->G, f->n_rows * width) &&
	       abut_all_finite(s->H, width * width);
}

static const char *variable(int j)
{
	static const char *const names[] = {"x", "y", "z", "alpha", "eps"};
	return names[j < 4 ? j : 4];
}

/* Returns the largest deviation of n derivatives from finite differences, relative to the largest of both. */
static double deviation(const double *given, const double *high, const double *low, double h, int n, int stride,
                        double floor, int *at)
{
	double worst = 0.0, size = floor;
	for (int i = 0; i < n; i++) {
		const double difference = (high[i] - low[i]) / (2.0 * h);
		size = fmax(size, fmax(fabs(given[i * stride]), fabs(difference)));
	}
	for (int i = 0; i < n; i++) {
		const double off = fabs(given[i * stride] - (high[i] - low[i]) / (2.0 * h)) / size;
		if (!(off <= worst)) {
			worst = off;
			*at = i;
		}
	}
	return worst;
}

/* Result of a sample for the derivative with respect to variable j. */
typedef struct Found {
	double off, given, difference;
	int row, column;
} Found;

static void keep_worst(Found *worst, double off, double given, double difference, int row, int column)
{
	if (off > worst->off) {
		*worst = (Found){off, given, difference, row, column};
	}
}

/* Compares a sample's derivatives with differences. Returns false if a value beside the sample is not finite. */
static bool compare(const AbutSmooth *f, const Sample *s, Found *gradient, Found *hessian)
{
	const int width = 4 + f->n_eps;
	const double R = f->bounding_radius;
	for (int j = 0; j < width; j++) {
		const double h = 1e-5 * (j == 3 ? 1.0 : R);
		Sample high = *s, low = *s;
		double pull[2][WIDTH], column[WIDTH];
		int at = 0;
		high.u[j] += h;
		low.u[j] -= h;
		if (!evaluate(f, &high) || !evaluate(f, &low)) {
			return false;
		}
		double off = deviation(&s->G[j], high.g, low.g, h, f->n_rows, width, j == 3 ? 0.1 * R : 0.1, &at);
		keep_worst(gradient, off, s->G[at * width + j], (high.g[at] - low.g[at]) / (2.0 * h), at, j);
		for (int a = 0; a < width; a++) { /* derivatives by alpha are lengths: compare them in the unit R */
			const double unit = a == 3 ? R : 1.0;
			column[a] = s->H[a * width + j] / unit;
			pull[0][a] = pull[1][a] = 0.0;
			for (int i = 0; i < f->n_rows; i++) {
				pull[0][a] += s->weight[i] * high.G[i * width + a] / unit;
				pull[1][a] += s->weight[i] * low.G[i * width + a] / unit;
			}
		}
		off = deviation(column, pull[0], pull[1], h, width, 1, 0.1 / (j == 3 ? 1.0 : R), &at);
		const double unit = at == 3 ? R : 1.0;
		keep_worst(hessian, off, unit * column[at], unit * (pull[0][at] - pull[1][at]) / (2.0 * h), at, j);
	}
	return true;
}

static void fail_finite(const Sample *s, AbutShapeReport *report)
{
	abut_report_failure(report, ABUT_SHAPE_TEST_FINITE,
	                    "a value, gradient or Hessian is not finite at or beside (%g, %g, %g) with alpha %g; it "
	                    "must be finite everywhere",
	                    s->u[0], s->u[1], s->u[2], s->u[3]);
}

static void test_derivatives(const AbutSmooth *f, AbutShapeReport *report)
{
	AbutRng rng = {1};
	Found worst[2] = {{.off = 0.0}, {.off = 0.0}};
	double where[2][4] = {{0.0}};
	int missed[2] = {0, 0};
	for (int k = 0; k < samples; k++) {
		Sample s;
		Found found[2] = {{.off = 0.0}, {.off = 0.0}};
		draw(f, &rng, s.u);
		for (int i = 0; i < f->n_rows; i++) {
			s.weight[i] = abut_rng_uniform(&rng, 0.0, 1.0);
		}
		if (!evaluate(f, &s) || !compare(f, &s, &found[0], &found[1])) {
			fail_finite(&s, report);
			break;
		}
		for (int d = 0; d < 2; d++) {
			missed[d] += found[d].off > derivative;
			if (found[d].off > worst[d].off) {
				worst[d] = found[d];
				memcpy(where[d], s.u, sizeof where[d]);
			}
		}
	}
	static const AbutShapeTest tests[2] = {ABUT_SHAPE_TEST_GRADIENT, ABUT_SHAPE_TEST_HESSIAN};
	abut_report_made(report, ABUT_SHAPE_TEST_FINITE, 0.0);
	if (!report->passed) {
		return;
	}
	for (int d = 0; d < 2; d++) {
		if (missed[d] > few * samples) {
			const Found *w = &worst[d];
			abut_report_failure(report, tests[d],
			                    "%s %d by %s is %.9g at (%g, %g, %g) with alpha %g, but finite differences "
			                    "give %.9g (%d of %d samples deviate); correct the derivative",
			                    d == 0 ? "row" : "the Hessian's row", w->row, variable(w->column), w->given,
			                    where[d][0], where[d][1], where[d][2], where[d][3], w->difference,
			                    missed[d], (int)samples);
		}
		abut_report_made(report, tests[d], worst[d].off);
	}
}

static void test_convex(const AbutSmooth *f, AbutShapeReport *report)
{
	const int width = 4 + f->n_eps;
	AbutRng rng = {2};
	double worst = 0.0;
	for (int k = 0; k < samples; k++) {
		Sample a = {.g = {0.0}}, b = a, middle = a;
		double v[WIDTH], bend = 0.0, size = 0.0;
		draw(f, &rng, a.u);
		draw(f, &rng, b.u);
		for (int i = 0; i < f->n_rows; i++) {
			a.weight[i] = b.weight[i] = middle.weight[i] = i == k % f->n_rows ? 1.0 : 0.0;
		}
		for (int j = 0; j < width; j++) {
			middle.u[j] = 0.5 * (a.u[j] + b.u[j]);
			v[j] = b.u[j] - a.u[j];
		}
		Sample *const all[3] = {&a, &b, &middle};
		for (int i = 0; i < 3; i++) {
			if (!evaluate(f, all[i])) {
				fail_finite(all[i], report);
				return;
			}
		}
		for (int i = 0; i < width; i++) {
			for (int j = 0; j < width; j++) {
				bend += v[i] * a.H[i * width + j] * v[j];
				size += fabs(v[i] * a.H[i * width + j] * v[j]);
			}
		}
		const int row = k % f->n_rows;
		const double above = middle.g[row] - 0.5 * (a.g[row] + b.g[row]);
		const double values = fabs(a.g[row]) + fabs(b.g[row]) + f->bounding_radius;
		worst = fmax(worst, fmax(-bend / (size + no_bend / rounding * values), above / values));
		if (above > rounding * values) {
			abut_report_failure(report, ABUT_SHAPE_TEST_CONVEX,
			                    "row %d is %g at (%g, %g, %g) with alpha %g, above the mean %g of two "
			                    "points around it; the row must be convex in p, alpha and eps together",
			                    row, middle.g[row], middle.u[0], middle.u[1], middle.u[2], middle.u[3],
			                    0.5 * (a.g[row] + b.g[row]));
		} else if (bend < -(rounding * size + no_bend * values)) {
			abut_report_failure(report, ABUT_SHAPE_TEST_CONVEX,
			                    "the Hessian of row %d has negative curvature (%g) at (%g, %g, %g) with "
			                    "alpha %g; it must be positive semidefinite",
			                    row, bend, a.u[0], a.u[1], a.u[2], a.u[3]);
		}
	}
	abut_report_made(report, ABUT_SHAPE_TEST_CONVEX, worst);
}

/* Returns whether the set continues along a ray beyond the bounding radius. Only for functions without auxiliary
 * variables. */
static bool is_beyond(const AbutSmooth *f, const double direction[3])
{
	double u[WIDTH] = {0.0}, g[ROWS];
	abut_add_scaled3(f->centre, 10.0 * f->bounding_radius, direction, u);
	u[3] = 1.0;
	f->value(f->data, u, g);
	bool inside = f->n_eps == 0;
	for (int i = 0; i < f->n_rows; i++) {
		inside = inside && g[i] <= 0.0;
	}
	return inside;
}

/* Updates the largest and smallest |dg_i / dp| at a furthest point, of rows that contribute to the normal. */
static void gradients_at(const AbutSmooth *f, const AbutSmoothReach *reach, double *least, double *largest)
{
	double u[WIDTH], G[ROWS * WIDTH];
	abut_copy3(reach->point, u);
	u[3] = 1.0;
	memcpy(&u[4], reach->eps, (size_t)f->n_eps * sizeof *u);
	f->gradient(f->data, u, G);
	for (int i = 0; i < f->n_rows; i++) {
		const double length = abut_norm3(&G[i * (4 + f->n_eps)]);
		if (reach->lambda[i] * length > 0.1) {
			*least = fmin(*least, length);
			*largest = fmax(*largest, length);
		}
	}
}

/* Tests the furthest point along n. Returns false if it was not found or lies outside. */
static bool test_reach(const AbutSmooth *f, const double n[3], AbutSmoothReach *reach, AbutShapeReport *report)
{
	const bool beyond = is_beyond(f, n), found = !beyond && abut_smooth_furthest(f, n, 1.0, reach);
	if (!beyond && !found && f->furthest) {
		abut_report_failure(report, ABUT_SHAPE_TEST_BOUNDED,
		                    "the point that `furthest` returns along (%.3g, %.3g, %.3g) is not on the boundary "
		                    "with that normal; correct `furthest`, or leave it out",
		                    n[0], n[1], n[2]);
		return false;
	}
	double offset[3] = {0.0, 0.0, 0.0};
	for (int i = 0; i < 3 && found; i++) {
		offset[i] = reach->point[i] - f->centre[i];
	}
	const double distance = abut_norm3(offset);
	if (!found || distance > f->bounding_radius * (1.0 + 1e-6)) {
		abut_report_failure(report, ABUT_SHAPE_TEST_BOUNDED,
		                    found ? "the furthest point along (%.3g, %.3g, %.3g) is %g from the centre, beyond "
		                            "the bounding radius %g; make "
		                            "the radius larger"
		                    : beyond
		                        ? "along (%.3g, %.3g, %.3g) the set reaches %g from the centre and further "
		                          "(bounding radius %g); add a row that bounds it"
		                        : "found no furthest point along (%.3g, %.3g, %.3g) (searched to %g from the "
		                          "centre, bounding radius %g): the set is unbounded, or empty at alpha 1",
		                    n[0], n[1], n[2], found ? distance : 10.0 * f->bounding_radius, f->bounding_radius);
		return false;
	}
	if (!(reach->value > 1e-6 * f->bounding_radius)) {
		abut_report_failure(report, ABUT_SHAPE_TEST_INTERIOR,
		                    "the shape ends %g from the centre (%g, %g, %g) along (%.3g, %.3g, %.3g); it must "
		                    "have an interior that contains the centre",
		                    reach->value, f->centre[0], f->centre[1], f->centre[2], n[0], n[1], n[2]);
	}
	return true;
}

static void test_set(const AbutSmooth *f, AbutShapeReport *report)
{
	static const double alphas[2] = {0.5, 2.0};
	double off = 0.0, least = (double)INFINITY, largest = 0.0;
	for (int k = 0; k < directions; k++) {
		double n[3];
		AbutSmoothReach reach, other;
		abut_shape_spiral(k, directions, n);
		if (!test_reach(f, n, &reach, report)) {
			break;
		}
		gradients_at(f, &reach, &least, &largest);
		for (int i = 0; i < 2; i++) {
			const bool found = abut_smooth_furthest(f, n, alphas[i], &other);
			const double wrong =
			    found ? fabs(other.value / alphas[i] - reach.value) / f->bounding_radius : (double)INFINITY;
			off = fmax(off, wrong);
			if (!(wrong <= scaled)) {
				abut_report_failure(report, ABUT_SHAPE_TEST_SCALING,
				                    "along (%.3g, %.3g, %.3g) the shape reaches %g at alpha 1 and %g "
				                    "at alpha %g, where it "
				                    "should reach %g; alpha must scale it about its centre",
				                    n[0], n[1], n[2], reach.value, found ? other.value : (double)NAN,
				                    alphas[i], alphas[i] * reach.value);
			}
		}
	}
	abut_report_made(report, ABUT_SHAPE_TEST_BOUNDED, 0.0);
	if (report->verdict[ABUT_SHAPE_TEST_BOUNDED] == ABUT_SHAPE_FAILED) {
		return;
	}
	abut_report_made(report, ABUT_SHAPE_TEST_INTERIOR, 0.0);
	abut_report_made(report, ABUT_SHAPE_TEST_SCALING, off);
	if (!(least >= 1.0 / lengths && largest <= lengths)) {
		abut_report_failure(report, ABUT_SHAPE_TEST_LENGTHS,
		                    "|dg / dp| at the boundary ranges from %g to %g; a row must be a length, with a "
		                    "gradient of about 1: divide it by its gradient",
		                    least, largest);
	}
	abut_report_made(report, ABUT_SHAPE_TEST_LENGTHS, fmax(largest, 1.0 / least));
}

void abut_smooth_tests(const AbutSmooth *f, AbutShapeReport *report)
{
	test_derivatives(f, report);
	if (report->verdict[ABUT_SHAPE_TEST_FINITE] == ABUT_SHAPE_FAILED) {
		return;
	}
	test_convex(f, report);
	if (report->passed) {
		test_set(f, report);
	}
}
