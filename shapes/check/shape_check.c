/* Tests whether the support function, rows and mass of a shape are consistent. Support function and rows both describe
 * the set. The rows confirm that a point lies in the set, and the duals prove that it is the furthest one. */
#include "abut/shape_check.h"

#include <math.h>
#include <stdio.h>

#include "base/eigen3.h"
#include "base/vec3.h"
#include "shapes/check/report.h"
#include "shapes/check/smooth_check.h"
#include "shapes/core/spiral.h"
#include "shapes/support/contact_rows.h"

enum { directions = 200, most_rows = 512, most_eps = 32 };

/* relative to the shape's size */
static const double tolerance = 1e-7;

static void test_numbers(const AbutShape *shape, AbutShapeReport *report)
{
	const int n = shape->n_rows;
	if (!abut_all_finite(shape->A, 3 * n) || !abut_all_finite(shape->B, n * shape->n_eps) ||
	    !abut_all_finite(shape->d, n) || !abut_all_finite(shape->h, n)) {
		abut_report_failure(report, ABUT_SHAPE_TEST_FINITE,
		                    "A, B, d or h of the %s holds a value that is not finite",
		                    abut_shape_kind_name(shape->kind));
	}
	abut_report_made(report, ABUT_SHAPE_TEST_FINITE, 0.0);
}

/* Computes s, the slacks of the shape's rows at p, alpha, eps. */
static void slacks(const AbutShape *shape, const double p[3], double alpha, const double *eps, double *s)
{
	for (int r = 0; r < shape->n_rows; r++) {
		s[r] = shape->h[r] + alpha * shape->d[r] - abut_dot3(&shape->A[3 * r], p);
		for (int e = 0; e < shape->n_eps; e++) {
			s[r] -= shape->B[r * shape->n_eps + e] * eps[e];
		}
	}
}

/* Returns how far s lies outside the cones; 0 if it lies inside. */
static double outside(const AbutShape *shape, const double *s)
{
	double worst = 0.0;
	for (int r = 0; r < shape->n_orthant; r++) {
		worst = fmax(worst, -s[r]);
	}
	const double *cone = &s[shape->n_orthant];
	for (int i = 0; i < shape->n_soc; i++) {
		double square = 0.0;
		for (int k = 1; k < shape->soc_dim[i]; k++) {
			square += cone[k] * cone[k];
		}
		worst = fmax(worst, sqrt(square) - cone[0]);
		cone += shape->soc_dim[i];
	}
	return worst;
}

/* Returns how far (m) a face of a polytope may pass from its vertices: noisy facets within `coplanar` of one plane are
 * one face (shapes/hull/hull.h). So the face supports the shape only to this distance. */
static double face_noise(const AbutShape *shape)
{
	return shape->kind == ABUT_SHAPE_POLYTOPE || shape->kind == ABUT_SHAPE_PADDED_POLYTOPE
	           ? fmax(10.0 * shape->coplanar, 1e-9) * shape->outer_radius
	           : 0.0;
}

/* Compares the furthest point along u, scaled by alpha, with the rows and the duals that prove it. Returns the largest
 * deviation relative to the size; NaN if the duals were not found. */
static double test_rows_along(const AbutShape *shape, const double u[3], const double point[3], double alpha)
{
	double p[3], lambda[most_rows] = {0.0}, eps[most_eps] = {0.0}, s[most_rows] = {0.0}, pull[3],
	             of_eps[most_eps] = {0.0};
	const double noise = face_noise(shape);
	double products = 0.0, worst;
	for (int i = 0; i < 3; i++) {
		p[i] = shape->centre[i] + alpha * (point[i] - shape->centre[i]);
		pull[i] = -u[i];
	}
	if (!abut_shape_contact_rows_within(shape, p, alpha, u, noise, lambda, eps)) {
		return (double)NAN;
	}
	slacks(shape, p, alpha, eps, s);
	for (int r = 0; r < shape->n_rows; r++) {
		products += s[r] > 0.0 && s[r] <= noise ? 0.0 : s[r] * lambda[r];
		abut_add_scaled3(pull, lambda[r], &shape->A[3 * r], pull);
		for (int e = 0; e < shape->n_eps; e++) {
			of_eps[e] += shape->B[r * shape->n_eps + e] * lambda[r];
		}
	}
	const double scale = shape->outer_radius + abut_norm3(point);
	worst = fmax(outside(shape, s), fabs(products)) / scale;
	worst = fmax(worst, fmax(abut_norm3(pull), outside(shape, lambda)));
	for (int e = 0; e < shape->n_eps; e++) {
		worst = fmax(worst, fabs(of_eps[e]));
	}
	return worst;
}

/* Returns the allowed fraction of directions without duals. Rounding may hide them at a vertex of many faces, but
 * programs of the rows must converge. */
static double few_unanswered(const AbutShape *shape)
{
	return shape->kind == ABUT_SHAPE_POLYTOPE || shape->kind == ABUT_SHAPE_PADDED_POLYTOPE ? 0.5 : 0.0;
}

static void test_rows_at(const AbutShape *shape, AbutShapeTest test, double alpha, AbutShapeReport *report)
{
	double worst = 0.0;
	for (int i = 0; i < directions; i++) {
		double u[3], point[3];
		abut_shape_spiral(i, directions, u);
		abut_shape_support(shape, u, point);
		const double off = test_rows_along(shape, u, point, alpha);
		report->samples[test]++;
		report->unanswered[test] += isnan(off);
		worst = fmax(worst, off);
		if (off > tolerance) {
			abut_report_failure(
			    report, test,
			    "at alpha %g the point (%g, %g, %g), furthest along (%.3g, %.3g, %.3g), deviates from the "
			    "rows or their duals by %.2g of the size; A, B, d, h must describe the shape scaled about "
			    "its centre (recentre: d + h - A c, A c)",
			    alpha, point[0], point[1], point[2], u[0], u[1], u[2], off);
		}
	}
	if (report->unanswered[test] > few_unanswered(shape) * report->samples[test]) {
		abut_report_failure(report, test,
		                    "at alpha %g found no duals that prove the furthest point along %d of %d "
		                    "directions; scale all rows to lengths of about the shape's size",
		                    alpha, report->unanswered[test], report->samples[test]);
	}
	abut_report_made(report, test, worst);
}

static void test_rows(const AbutShape *shape, AbutShapeReport *report)
{
	test_rows_at(shape, ABUT_SHAPE_TEST_ROWS, 1.0, report);
	test_rows_at(shape, ABUT_SHAPE_TEST_SCALING, 0.5, report);
}

/* Tests with the support function that the boundary lies between the inner and outer radii about the centre. */
static void test_radii(const AbutShape *shape, AbutShapeReport *report)
{
	double furthest = 0.0, nearest = (double)INFINITY;
	report->samples[ABUT_SHAPE_TEST_BOUNDED] = report->samples[ABUT_SHAPE_TEST_INTERIOR] = directions;
	for (int i = 0; i < directions; i++) {
		double u[3], point[3], offset[3];
		abut_shape_spiral(i, directions, u);
		const double value = abut_shape_support(shape, u, point) - abut_dot3(u, shape->centre);
		abut_sub3(point, shape->centre, offset);
		const double distance = abut_norm3(offset);
		furthest = fmax(furthest, distance);
		nearest = fmin(nearest, value);
		if (!isfinite(value) || !isfinite(distance)) {
			abut_report_failure(report, ABUT_SHAPE_TEST_BOUNDED,
			                    "found no furthest point along (%.3g, %.3g, %.3g); scale all rows to "
			                    "lengths of about the shape's size",
			                    u[0], u[1], u[2]);
			report->unanswered[ABUT_SHAPE_TEST_BOUNDED]++;
			continue;
		}
		if (!(distance <= shape->outer_radius * (1.0 + tolerance))) {
			abut_report_failure(
			    report, ABUT_SHAPE_TEST_BOUNDED,
			    "the furthest point along (%.3g, %.3g, %.3g) is %g from the centre, beyond the outer "
			    "radius %g; make the radius larger, or the set bounded",
			    u[0], u[1], u[2], distance, shape->outer_radius);
		}
		if (!(value >= shape->inner_radius * (1.0 - tolerance) && value > 0.0)) {
			abut_report_failure(report, ABUT_SHAPE_TEST_INTERIOR,
			                    "the shape ends %g from the centre along (%.3g, %.3g, %.3g), but its inner "
			                    "radius is %g; choose a centre well inside",
			                    value, u[0], u[1], u[2], shape->inner_radius);
		}
	}
	abut_report_made(report, ABUT_SHAPE_TEST_BOUNDED, fmax(0.0, furthest / shape->outer_radius - 1.0));
	abut_report_made(report, ABUT_SHAPE_TEST_INTERIOR, fmax(0.0, 1.0 - nearest / shape->inner_radius));
}

static void test_mass(const AbutShape *shape, AbutShapeReport *report)
{
	const AbutMassProperties *mass = &shape->mass;
	const double R = shape->outer_radius, r = shape->inner_radius;
	const double largest = 4.0 / 3.0 * M_PI * R * R * R;
	const double least =
	    shape->mass_given ? 0.0 : 4.0 / 3.0 * M_PI * r * r * r; /* a mesh may be hollow inside its hull */
	double moments[3], offset[3];
	abut_eigenvalues3(mass->inertia, moments);
	abut_sub3(mass->centre_of_mass, shape->centre, offset);
	if (!(mass->volume >= least * (1.0 - tolerance) && mass->volume <= largest * (1.0 + tolerance))) {
		abut_report_failure(report, ABUT_SHAPE_TEST_MASS,
		                    "the volume is %g, but balls of volume %g and %g lie inside and around the shape; "
		                    "give the mass at density 1, in m^3",
		                    mass->volume, least, largest);
	} else if (!(abut_norm3(offset) < R)) {
		abut_report_failure(report, ABUT_SHAPE_TEST_MASS,
		                    "the centre of mass is %g from the centre, outside the shape", abut_norm3(offset));
	} else if (!(moments[0] > 0.0 && moments[0] + moments[1] >= moments[2] * (1.0 - tolerance) &&
	             moments[2] <= mass->volume * R * R * 4.0)) {
		abut_report_failure(report, ABUT_SHAPE_TEST_MASS,
		                    "the principal moments %g, %g, %g are impossible for a solid of this size: the "
		                    "largest must be at most the sum of the others (about the centre of mass, m^5)",
		                    moments[0], moments[1], moments[2]);
	}
	abut_report_made(report, ABUT_SHAPE_TEST_MASS, 0.0);
}

AbutStatus abut_shape_check(const AbutShape *shape, AbutShapeReport *out)
{
	if (!shape || !out) {
		return ABUT_ERROR_ARGUMENT;
	}
	*out = (AbutShapeReport){.passed = true, .failed = ABUT_SHAPE_TEST_COUNT};
	if (shape->n_rows > most_rows || shape->n_eps > most_eps) {
		snprintf(out->message, sizeof out->message, "not checked: more than %d rows or %d auxiliary variables",
		         most_rows, most_eps);
		return ABUT_OK;
	}
	if (shape->smooth) {
		abut_smooth_tests(shape->smooth, out);
	} else {
		test_numbers(shape, out);
	}
	if (!out->passed || shape->kind == ABUT_SHAPE_HALFSPACE) {
		return ABUT_OK;
	}
	if (!shape->smooth) {
		test_radii(shape, out);
		test_rows(shape, out);
	}
	test_mass(shape, out);
	return ABUT_OK;
}

AbutStatus abut_shape_check_functions(const AbutSmooth *functions, AbutShapeReport *out)
{
	if (!functions || !functions->value || !functions->gradient || !functions->hessian || !out ||
	    functions->n_rows < 1 || functions->n_rows > ABUT_SMOOTH_ROWS_MAX || functions->n_eps < 0 ||
	    functions->n_eps > ABUT_SMOOTH_EPS_MAX || !(functions->bounding_radius > 0.0)) {
		return ABUT_ERROR_ARGUMENT;
	}
	*out = (AbutShapeReport){.passed = true, .failed = ABUT_SHAPE_TEST_COUNT};
	abut_smooth_tests(functions, out);
	return ABUT_OK;
}
