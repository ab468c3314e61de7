/* Helps to construct composed shapes: allocates stacked rows, finds a point inside, and computes mass and radii. */
#include "shapes/composed/composite.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/composed/boost.h"
#include "shapes/composed/extent.h"
#include "shapes/composed/mass_rays.h"
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"
#include "shapes/core/spiral.h"
#include "shapes/core/transform.h"
#include "shapes/hull/hull.h"
#include "shapes/query/conic_query.h"
#include "shapes/support/bounds.h"

int abut_row_place(const AbutShape *part, const AbutRowPlaces *places, int row)
{
	return row < part->n_orthant ? places->orthant + row : places->soc + row - part->n_orthant;
}

void abut_row_places_next(const AbutShape *part, AbutRowPlaces *places)
{
	places->orthant += part->n_orthant;
	places->soc += part->n_rows - part->n_orthant;
}

AbutStatus abut_composite_allocate(AbutShapeKind kind, int n, const AbutShape *const *parts, int n_eps, int n_vertices,
                                   AbutShape **out, AbutError *error)
{
	int n_orthant = 0, n_soc = 0, cone = 0;
	for (int i = 0; i < n; i++) {
		n_orthant += parts[i]->n_orthant;
		n_soc += parts[i]->n_soc;
	}
	int *soc_dim = malloc(((size_t)n_soc + 1) * sizeof *soc_dim);
	if (!soc_dim) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a shape of %d parts", n);
	}
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < parts[i]->n_soc; k++) {
			soc_dim[cone++] = parts[i]->soc_dim[k];
		}
	}
	AbutStatus status = abut_shape_allocate(kind, n_orthant, n_soc, soc_dim, n_eps, n_vertices, out, error);
	free(soc_dim);
	ABUT_THEN(status, abut_shape_copy_parts(*out, n, parts, error));
	if (status != ABUT_OK) {
		abut_shape_destroy(*out);
		*out = NULL;
	}
	return status;
}

/* --- place --- */

/* The search for a point inside is limited to this multiple of the size of the data; a larger set counts as unbounded.
 */
static const double far = 1e6;

/* A set smaller than this fraction of its estimated size is searched again, with its own size as the unit. */
static const double much_smaller = 0.1;
enum { MOST_LOOKS = 12 };

/* Returns the largest reach (m) of the set from the centre along the axes; -1 if a program does not converge. If the
 * set is unbounded, `unbounded` receives the axis: 0 to 5 for x, -x, y, -y, z, -z. If the set is known to be `bounded`,
 * the programs have no artificial bounds, which gives more digits. */
static double largest_reach(const AbutShape *shape, double size, bool bounded, int *unbounded)
{
	double most = 0.0;
	for (int i = 0; i < 6; i++) {
		double g[3] = {0.0, 0.0, 0.0}, reach = 0.0, value = 0.0;
		g[i / 2] = i % 2 ? -1.0 : 1.0;
		if (bounded && abut_conic_furthest(shape, g, &value, NULL, NULL, NULL)) {
			reach = value - abut_dot3(g, shape->centre);
		} else if (!abut_conic_bounded_reach(shape, far * size, g, &reach)) {
			return -1.0;
		}
		if (reach > 0.5 * far * size) {
			*unbounded = i;
		}
		most = fmax(most, reach);
	}
	return most;
}

AbutPlace abut_composite_place(AbutShape *shape, double size, double *depth, int *unbounded)
{
	shape->outer_radius = size;
	*unbounded = -1;
	for (int look = 0; look < MOST_LOOKS; look++) {
		double point[3];
		if (!abut_conic_deepest(shape, 0.01 * far * size, point, depth)) {
			return ABUT_PLACE_UNSOLVED;
		}
		if (*depth <= ABUT_HULL_FLAT * 1e-2 * size) {
			return *depth < -ABUT_HULL_FLAT * 1e-2 * size ? ABUT_PLACE_EMPTY : ABUT_PLACE_FLAT;
		}
		abut_copy3(point, shape->centre);
		const double most = largest_reach(shape, size, look > 0, unbounded);
		if (*unbounded >= 0) {
			return ABUT_PLACE_UNBOUNDED;
		}
		if (most < 0.0) {
			return ABUT_PLACE_UNSOLVED;
		}
		const bool again = most < much_smaller * size;
		shape->outer_radius = size = fmax(most, *depth);
		if (!again && !(*depth > ABUT_HULL_FLAT * size)) {
			return ABUT_PLACE_FLAT;
		}
		if (!again) {
			abut_shape_boost(shape);
			return ABUT_PLACE_SOLID;
		}
	}
	return ABUT_PLACE_FLAT;
}

/* Reports that a program did not converge. This does not show whether the set is valid. */
static AbutStatus unsolved(const char *where, const char *what, AbutError *error)
{
	return abut_error_set(
	    error, ABUT_ERROR_NUMERICAL, where,
	    "cannot find %s of the set, because a program did not converge: scale all rows to lengths "
	    "of about the size of the set, and bound all auxiliary variables",
	    what);
}

AbutStatus abut_composite_check_size(const AbutShape *shape, const char *where, AbutError *error)
{
	if (!abut_conic_query_fits(shape)) {
		return abut_error_set(
		    error, ABUT_ERROR_UNSUPPORTED, where,
		    "the shape has %d rows and %d auxiliary variables; at most %d and %d are supported", shape->n_rows,
		    shape->n_eps, (int)ABUT_QUERY_ROWS, (int)ABUT_QUERY_EPS);
	}
	return ABUT_OK;
}

AbutStatus abut_composite_locate(AbutShape *shape, double size, const char *where, AbutError *error)
{
	double depth = 0.0;
	int unbounded = -1;
	ABUT_TRY(abut_composite_check_size(shape, where, error));
	switch (abut_composite_place(shape, size, &depth, &unbounded)) {
	case ABUT_PLACE_EMPTY:
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
		                      "the set is empty: no point satisfies all rows; remove or move some of them");
	case ABUT_PLACE_FLAT:
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
		                      "the set is flat: it has no interior; give it some thickness");
	case ABUT_PLACE_UNBOUNDED:
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
		                      "the set is unbounded along %s%c; add rows that bound it",
		                      unbounded % 2 ? "-" : "+", "xyz"[unbounded / 2]);
	case ABUT_PLACE_UNSOLVED:
		return unsolved(where, "an interior point or the extent", error);
	case ABUT_PLACE_SOLID:
		break;
	}
	return ABUT_OK;
}

static AbutStatus stopped(AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_STOPPED, NULL, "stopped while computing mass and radii of a shape");
}

/* --- radii --- */

enum { DIRECTIONS = 256, MOST_CLIMBS = 50 };

/* Repeats: finds the point furthest along u, then turns u towards this point. Returns the last distance from the
 * centre, which only grows; NaN if a point is not found. `first` receives the first point. */
static double climb(const AbutShape *shape, double u[3], double first[3])
{
	double best = 0.0, point[3];
	for (int i = 0; i < MOST_CLIMBS; i++) {
		abut_shape_support(shape, u, point);
		if (i == 0) {
			abut_copy3(point, first);
		}
		abut_sub3(point, shape->centre, point);
		const double length = abut_norm3(point);
		if (!(length > best * (1.0 + 1e-12))) {
			return isnan(length) ? length : fmax(best, length);
		}
		best = length;
		abut_divide3(point, length, u);
	}
	return best;
}

/* Returns the smallest distance between the shape's centre and the faces of a hull that is given in the coordinates y
 * of the extent (shapes/composed/extent.h). */
static double least_distance(const AbutHull *hull, const AbutShape *shape, const AbutExtent *extent)
{
	double least = HUGE_VAL;
	for (int f = 0; f < hull->n_faces; f++) {
		const double *n = &hull->normals[3 * f];
		double x[3], u[3];
		abut_extent_to_shape(extent, hull->origin, x);
		abut_extent_direction(extent, n, u);
		const double height = hull->offsets[f] + abut_dot3(u, x) - abut_dot3(u, shape->centre);
		least = fmin(least, height / abut_norm3(u));
	}
	return least;
}

AbutStatus abut_composite_check_radii(double inner, double outer, const char *where, AbutError *error)
{
	if (!(inner > 0.0 && outer >= ABUT_LENGTH_MIN && outer <= 2.0 * ABUT_LENGTH_MAX)) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, where,
		    "the shape lies between spheres of radii %g and %g around its centre of mass; the inner radius "
		    "must be greater than 0, the outer one between %g and %g (metres)",
		    inner, outer, ABUT_LENGTH_MIN, 2.0 * ABUT_LENGTH_MAX);
	}
	return ABUT_OK;
}

/* Computes the radii. The outer radius is the largest of the local maxima that climbs from many directions find. The
 * inner radius is that of the hull of the first points found, which lies inside the shape. Directions and hull use
 * coordinates in which the shape is as thick as long. For a thin shape, directions uniform in its own frame would find
 * only the rim. */
static AbutStatus find_radii(AbutShape *shape, const AbutComposing *how, AbutError *error)
{
	const char *const where = how->where;
	double points[3 * DIRECTIONS], outer = 0.0;
	AbutExtent extent;
	if (!abut_shape_extent(shape, &extent)) {
		return abut_all_finite(extent.half, 3)
		           ? abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
		                            "the set has no thickness: half of its length, width and thickness are %g, "
		                            "%g and %g (metres); all must be greater than 0",
		                            extent.half[0], extent.half[1], extent.half[2])
		           : unsolved(where, "the extent", error);
	}
	bool found = true;
	for (int i = 0; i < DIRECTIONS && found; i++) {
		if (abut_stopped(how->stop)) {
			return stopped(error);
		}
		double w[3], u[3], *point = &points[3 * i];
		abut_shape_spiral(i, DIRECTIONS, w);
		abut_extent_direction(&extent, w, u);
		const double length = abut_norm3(u), furthest[3] = {u[0] / length, u[1] / length, u[2] / length};
		abut_copy3(furthest, u);
		const double distance = climb(shape, u, point);
		found = isfinite(distance);
		outer = fmax(outer, distance);
		abut_extent_from_shape(&extent, point, point);
	}
	if (!found) {
		return unsolved(where, "a furthest point", error);
	}
	AbutHull *hull = NULL;
	ABUT_TRY(abut_hull_create(DIRECTIONS, points, 1e-9, ABUT_HULL_FLAT, where, &hull, error));
	const double inner = least_distance(hull, shape, &extent);
	abut_hull_destroy(hull);
	shape->outer_radius = outer * (1.0 + 1e-14);
	shape->inner_radius = inner * (1.0 - 1e-14);
	ABUT_TRY(abut_composite_check_radii(shape->inner_radius, shape->outer_radius, where, error));
	if (!(outer <= ABUT_COMPOSITE_THIN * inner)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
		                      "the shape is too thin: its inner radius is %g and its outer radius %g, a ratio "
		                      "of 1:%.3g; at most 1:%g is supported",
		                      inner, outer, outer / inner, ABUT_COMPOSITE_THIN);
	}
	return ABUT_OK;
}

AbutStatus abut_composite_recentre(AbutShape *shape, const AbutComposing *how, AbutError *error)
{
	const AbutStatus status = abut_shape_recentre(shape, shape->mass.centre_of_mass, error);
	const AbutStatus found = status == ABUT_OK ? find_radii(shape, how, error) : status;
	if (found == ABUT_OK) {
		abut_cage_fill(shape);
	}
	return found;
}

AbutStatus abut_composite_weigh(AbutShape *shape, double harmless, const AbutComposing *how, AbutError *error)
{
	ABUT_TRY(abut_composite_check_size(shape, how->where, error));
	AbutStatus status = abut_mass_by_rays(shape, shape->centre, harmless, how, &shape->mass, &shape->mass_error);
	if (status == ABUT_ERROR_STOPPED) {
		return stopped(error);
	}
	if (status == ABUT_ERROR_MEMORY) {
		return abut_error_set(error, status, NULL, "no memory to integrate the mass of a shape of %d parts",
		                      shape->n_parts);
	}
	return status == ABUT_OK ? status
	                         : abut_error_set(error, status, how->where,
	                                          "the mass of the shape cannot be integrated: found no end of a ray "
	                                          "from inside; use fewer or thicker parts");
}

AbutStatus abut_composite_finish(AbutShape *shape, const AbutComposing *how, AbutError *error)
{
	const AbutStatus status = abut_composite_weigh(shape, 0.0, how, error);
	return status == ABUT_OK ? abut_composite_recentre(shape, how, error) : status;
}
