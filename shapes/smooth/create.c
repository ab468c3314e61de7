/* Creates shapes from functions of the user: checks the functions, and computes radii and mass. The solver's rows are
 * made from the functions in collision/rows/smooth_rows.c. */

#include <float.h>
#include <math.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"
#include "shapes/core/spiral.h"
#include "shapes/query/smooth_reach.h"
#include "shapes/smooth/smooth_mass.h"
#include "shapes/support/bounds.h"

enum { tried_directions = 50, rays = 400 };

static AbutStatus check_numbers(const AbutSmooth *f, AbutError *error)
{
	if (!f || !f->value || !f->gradient || !f->hessian) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "functions",
		                      "functions, value, gradient or hessian is NULL; all are required");
	}
	if (f->n_rows < 1 || f->n_rows > ABUT_SMOOTH_ROWS_MAX) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "n_rows",
		                      "n_rows is %d; it must lie between 1 and %d", f->n_rows, ABUT_SMOOTH_ROWS_MAX);
	}
	if (f->n_eps < 0 || f->n_eps > ABUT_SMOOTH_EPS_MAX) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "n_eps", "n_eps is %d; it must lie between 0 and %d",
		                      f->n_eps, ABUT_SMOOTH_EPS_MAX);
	}
	if (f->furthest && (f->n_rows != 1 || f->n_eps != 0)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "furthest",
		                      "furthest is given for %d rows and %d auxiliary variables; it is only allowed "
		                      "for one row without auxiliary variables; leave it NULL otherwise",
		                      f->n_rows, f->n_eps);
	}
	if (!f->clone != !f->destroy) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "clone",
		                      "one of clone and destroy is NULL; give both or neither");
	}
	AbutStatus status = abut_shape_check_length(f->bounding_radius, "bounding_radius", error);
	for (int i = 0; i < 3 && status == ABUT_OK; i++) {
		status = abut_shape_check_coordinate(f->centre[i], "centre", error);
	}
	return status;
}

/* Returns the name of the first function that is not finite at the centre, with alpha = 1 and eps = 0. Returns NULL if
 * all are finite. */
static const char *not_finite(const AbutSmooth *f)
{
	const int width = 4 + f->n_eps;
	double u[ABUT_SMOOTH_WIDTH_MAX] = {f->centre[0], f->centre[1], f->centre[2], 1.0};
	double g[ABUT_SMOOTH_ROWS_MAX], weight[ABUT_SMOOTH_ROWS_MAX];
	double G[ABUT_SMOOTH_ROWS_MAX * ABUT_SMOOTH_WIDTH_MAX], H[ABUT_SMOOTH_WIDTH_MAX * ABUT_SMOOTH_WIDTH_MAX];
	for (int i = 0; i < f->n_rows; i++) {
		weight[i] = 1.0;
	}
	f->value(f->data, u, g);
	f->gradient(f->data, u, G);
	f->hessian(f->data, u, weight, H);
	return !abut_all_finite(g, f->n_rows)           ? "value"
	       : !abut_all_finite(G, f->n_rows * width) ? "gradient"
	       : !abut_all_finite(H, width * width)     ? "hessian"
	                                                : NULL;
}

/* Checks the reach of the shape in many directions. */
static AbutStatus check_reach(const AbutSmooth *f, AbutError *error)
{
	for (int i = 0; i < tried_directions; i++) {
		AbutSmoothReach reach;
		double u[3], offset[3];
		abut_shape_spiral(i, tried_directions, u);
		if (!abut_smooth_furthest(f, u, 1.0, &reach)) {
			return abut_error_set(
			    error, ABUT_ERROR_ARGUMENT, "functions",
			    "found no furthest point along (%.3g, %.3g, %.3g): the set is unbounded or empty, not "
			    "convex, or a derivative%s is wrong (abut_shape_check_functions says which)",
			    u[0], u[1], u[2], f->furthest ? " or `furthest`" : "");
		}
		abut_sub3(reach.point, f->centre, offset);
		const double distance = abut_norm3(offset);
		if (distance > f->bounding_radius * (1.0 + 1e-6)) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, "bounding_radius",
			                      "bounding_radius is %g, but the point (%g, %g, %g) of the shape is %g "
			                      "from the centre; the radius must enclose the whole shape",
			                      f->bounding_radius, reach.point[0], reach.point[1], reach.point[2],
			                      distance);
		}
		if (!(reach.value > 1e-9 * f->bounding_radius)) {
			return abut_error_set(
			    error, ABUT_ERROR_ARGUMENT, "centre",
			    "centre (%g, %g, %g) is not inside: the shape ends %g from it along (%.3g, %.3g, %.3g)",
			    f->centre[0], f->centre[1], f->centre[2], reach.value, u[0], u[1], u[2]);
		}
	}
	return ABUT_OK;
}

static AbutStatus check_mass(const AbutMassProperties *mass, AbutError *error)
{
	if (!(mass->volume > 0.0 && isfinite(mass->volume)) || !abut_all_finite(mass->centre_of_mass, 3) ||
	    !abut_all_finite(mass->inertia, 9)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "mass",
		                      "mass has volume %g; the volume must be positive, and all numbers finite",
		                      mass->volume);
	}
	return ABUT_OK;
}

/* Returns the radius (m) of a ball around the centre inside the shape: the shortest of many rays times `between`, since
 * the boundary may be closer between the rays. */
static double inner_radius(const AbutSmooth *f)
{
	static const double between = 0.9;
	double least = f->bounding_radius;
	for (int i = 0; i < rays; i++) {
		AbutSmoothReach reach;
		double u[3];
		abut_shape_spiral(i, rays, u);
		if (abut_smooth_on_ray(f, u, &reach)) {
			least = fmin(least, reach.value);
		}
	}
	return between * least;
}

static AbutStatus integrate(AbutShape *shape, AbutError *error)
{
	double least, off;
	if (!abut_smooth_mass(shape->smooth, &shape->mass, &least, &off)) {
		return isfinite(off)
		           ? abut_error_set(error, ABUT_ERROR_NUMERICAL, "mass",
		                            "the integral of the mass properties has a relative error of %.2g; at most "
		                            "%g is allowed. The boundary has kinks: give the mass",
		                            off, ABUT_SMOOTH_MASS_ERROR)
		           : abut_error_set(error, ABUT_ERROR_ARGUMENT, "functions",
		                            "found no end of a ray from the centre while integrating the mass "
		                            "(abut_shape_check_functions says why)");
	}
	shape->mass_error = fmax(off, DBL_EPSILON);
	return ABUT_OK;
}

AbutStatus abut_shape_create_smooth(const AbutSmooth *functions, const AbutMassProperties *mass, AbutShape **out,
                                    AbutError *error)
{
	ABUT_TRY(abut_shape_check_out(out, error));
	ABUT_TRY(check_numbers(functions, error));
	const char *bad = not_finite(functions);
	if (bad) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, bad,
		    "%s is not finite at the centre (%g, %g, %g) with alpha 1; it must be finite there", bad,
		    functions->centre[0], functions->centre[1], functions->centre[2]);
	}
	AbutStatus status = check_reach(functions, error);
	if (status == ABUT_OK && mass) {
		status = check_mass(mass, error);
	}
	AbutShape *shape = NULL;
	ABUT_THEN(status, abut_shape_allocate(ABUT_SHAPE_SMOOTH, functions->n_rows, 0, NULL, functions->n_eps, 0,
	                                      &shape, error));
	if (status != ABUT_OK) {
		return status;
	}
	AbutSmooth *smooth = abut_shape_edit_smooth(shape);
	*smooth = *functions;
	if (smooth->clone) {
		smooth->data = smooth->clone(functions->data);
		if (!smooth->data) {
			smooth->destroy = NULL;
			abut_shape_destroy(shape);
			return abut_error_set(
			    error, ABUT_ERROR_MEMORY, NULL,
			    "no memory for the data of a smooth shape: its clone function returned NULL");
		}
	}
	abut_copy3(smooth->centre, shape->centre);
	shape->outer_radius = smooth->bounding_radius;
	shape->inner_radius = inner_radius(smooth);
	if (mass) {
		shape->mass = *mass;
	} else {
		status = integrate(shape, error);
	}
	if (status != ABUT_OK) {
		abut_shape_destroy(shape);
		return status;
	}
	abut_cage_fill(shape);
	*out = shape;
	return ABUT_OK;
}
