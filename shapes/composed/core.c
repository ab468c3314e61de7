/* Computes the core of a Minkowski sum: the hull of all sums of corners. After each part it is reduced to its corners,
 * so that a sum of many boxes stays small. The hull may be flat: a polygon or a segment. With a ball around it, each
 * has the mass of a padded hull in closed form (shapes/hull/mass.c). A polygon then has two faces back to back, with an
 * angle of pi at its edges. Tested in tests/shapes/composed_mass.c. */
#include "shapes/composed/core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/mass.h"
#include "shapes/hull/mass.h"

enum { MOST_CORNERS = 200000 };

/* Points lie on a plane or line if their distance is below this fraction of their extent. */
static const double on_it = 1e-12;

/* A thin hull with a ball is replaced by a polygon if this changes the mass by at most this fraction. */
static const double most_error = 1e-5;

/* --- corners --- */

/* Returns the number of corners of a part with a core; 0 for other parts. Polytopes, padded polytopes and their sums
 * have a list of corners. */
static int count_corners(const AbutShape *part)
{
	if (part->kind == ABUT_SHAPE_BOX) {
		return 8;
	}
	if (part->kind == ABUT_SHAPE_SPHERE) {
		return 1;
	}
	return part->kind == ABUT_SHAPE_CAPSULE ? 2 : part->n_vertices;
}

static void corner_of(const AbutShape *part, int index, double out[3])
{
	double own[3] = {0.0, 0.0, 0.0};
	if (part->kind == ABUT_SHAPE_BOX) {
		for (int k = 0; k < 3; k++) {
			own[k] = index >> k & 1 ? part->size[k] : -part->size[k];
		}
	} else if (part->kind == ABUT_SHAPE_CAPSULE) {
		own[2] = (index ? -0.5 : 0.5) * part->size[1];
	} else if (part->n_vertices > 0) {
		abut_copy3(&part->vertices[3 * index], own);
	}
	abut_mat3_vec(part->rotation, own, out);
	abut_add3(out, part->position, out);
}

static double ball_of(const AbutShape *part)
{
	return part->kind == ABUT_SHAPE_BOX ? 0.0 : part->size[0];
}

static AbutStatus out_of_memory(AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the corners of a sum");
}

/* --- points in a plane --- */

typedef struct Plane {
	double origin[3], x[3], y[3], n[3]; /* origin in m; unit vectors of the axes */
	double length, width, thickness;    /* extents of the points along x, y and n, m */
} Plane;

static void from_first(const AbutCore *core, int i, double step[3])
{
	abut_sub3(&core->points[3 * i], core->points, step);
}

static bool make_unit(double v[3])
{
	const double length = abut_norm3(v);
	for (int k = 0; k < 3 && length > 0.0; k++) {
		v[k] /= length;
	}
	return length > 0.0;
}

/* Finds axes in the plane of the points: x points to the point furthest from the first one, y to the side of the point
 * furthest from this line. */
static Plane find_plane(const AbutCore *core)
{
	Plane plane = {.x = {1.0, 0.0, 0.0}, .y = {0.0, 1.0, 0.0}, .n = {0.0, 0.0, 1.0}};
	double step[3], cross[3];
	abut_copy3(core->points, plane.origin);
	for (int i = 1; i < core->n; i++) {
		from_first(core, i, step);
		if (abut_norm3(step) > plane.length) {
			plane.length = abut_norm3(step);
			abut_copy3(step, plane.x);
		}
	}
	make_unit(plane.x);
	for (int i = 1; i < core->n; i++) {
		from_first(core, i, step);
		abut_cross3(plane.x, step, cross);
		if (abut_norm3(cross) > plane.width) {
			plane.width = abut_norm3(cross);
			abut_copy3(cross, plane.n);
		}
	}
	make_unit(plane.n);
	abut_cross3(plane.n, plane.x, plane.y);
	for (int i = 1; i < core->n; i++) {
		from_first(core, i, step);
		plane.thickness = fmax(plane.thickness, fabs(abut_dot3(plane.n, step)));
	}
	return plane;
}

/* A point in plane coordinates (m), with its index in the core. */
typedef struct Flat {
	double x, y;
	int index;
} Flat;

static int compare_flat(const void *a, const void *b)
{
	const Flat *l = a, *r = b;
	return l->x != r->x ? (l->x > r->x) - (l->x < r->x) : (l->y > r->y) - (l->y < r->y);
}

/* Appends a point to a chain that only turns left. First removes the last points where the chain would not turn left;
 * `least` is the smallest cross product that counts as a turn. */
static int extend_chain(Flat *chain, int first, int n, const Flat *point, double least)
{
	for (; n - first >= 2; n--) {
		const Flat *a = &chain[n - 2], *b = &chain[n - 1];
		if ((b->x - a->x) * (point->y - a->y) - (b->y - a->y) * (point->x - a->x) > least) {
			break;
		}
	}
	chain[n] = *point;
	return n + 1;
}

/* Finds the corners of the polygon by Andrew's monotone chains, counterclockwise around the plane's normal. */
static int find_polygon(const AbutCore *core, const Plane *plane, Flat *points, Flat *chain)
{
	const double least = on_it * plane->length * plane->width;
	int n = 0;
	for (int i = 0; i < core->n; i++) {
		double step[3];
		from_first(core, i, step);
		points[i] = (Flat){abut_dot3(plane->x, step), abut_dot3(plane->y, step), i};
	}
	qsort(points, (size_t)core->n, sizeof *points, compare_flat);
	for (int i = 0; i < core->n; i++) {
		n = extend_chain(chain, 0, n, &points[i], least);
	}
	const int first = n - 1;
	for (int i = core->n - 2; i >= 0; i--) {
		n = extend_chain(chain, first, n, &points[i], least);
	}
	return n - 1;
}

/* Removes all points of the core that are not in the list. */
static AbutStatus keep_points(AbutCore *core, int n, const Flat *list, AbutError *error)
{
	double *points = calloc(3 * (size_t)n, sizeof *points);
	if (!points) {
		return out_of_memory(error);
	}
	for (int i = 0; i < n; i++) {
		abut_copy3(&core->points[3 * list[i].index], &points[3 * i]);
	}
	free(core->points);
	core->points = points;
	core->n = n;
	return ABUT_OK;
}

static AbutStatus reduce_to_polygon(AbutCore *core, const Plane *plane, AbutError *error)
{
	Flat *points = malloc((3 * (size_t)core->n + 2) * sizeof *points);
	if (!points) {
		return out_of_memory(error);
	}
	Flat *chain = &points[core->n];
	const int n = find_polygon(core, plane, points, chain);
	const AbutStatus status = keep_points(core, n, chain, error);
	free(points);
	return status;
}

/* Reduces points on a line to its two ends. */
static AbutStatus reduce_to_ends(AbutCore *core, const Plane *plane, AbutError *error)
{
	Flat ends[2] = {{0.0, 0.0, 0}, {0.0, 0.0, 0}};
	for (int i = 1; i < core->n; i++) {
		double step[3];
		from_first(core, i, step);
		const double along = abut_dot3(plane->x, step);
		if (along < ends[0].x) {
			ends[0] = (Flat){along, 0.0, i};
		}
		if (along > ends[1].x) {
			ends[1] = (Flat){along, 0.0, i};
		}
	}
	return keep_points(core, plane->length > 0.0 ? 2 : 1, ends, error);
}

/* Makes a hull of two faces, back to back. The face with the plane's normal comes first. Each edge appears once, with
 * this face on its left. */
static AbutStatus make_two_faces(AbutCore *core, const Plane *plane, AbutError *error)
{
	const size_t n = (size_t)core->n;
	const size_t reals = 3 * n + 8, ints = 2 * n + 3;
	AbutHull *hull =
	    calloc(1, sizeof *hull + reals * sizeof(double) + n * sizeof(AbutHullEdge) + ints * sizeof(int));
	if (!hull) {
		return out_of_memory(error);
	}
	hull->n_vertices = hull->n_edges = core->n;
	hull->n_faces = 2;
	hull->vertices = (double *)(hull + 1);
	hull->normals = &hull->vertices[3 * n];
	hull->offsets = &hull->normals[6];
	hull->edges = (AbutHullEdge *)&hull->offsets[2];
	hull->face_start = (int *)&hull->edges[n];
	hull->face_vertex = &hull->face_start[3];
	memcpy(hull->vertices, core->points, 3 * n * sizeof(double));
	for (int i = 0; i < 2; i++) {
		hull->face_start[i + 1] = (i + 1) * core->n;
		for (int k = 0; k < 3; k++) {
			hull->normals[3 * i + k] = (i ? -1.0 : 1.0) * plane->n[k];
			hull->origin[k] += i ? 0.0 : core->points[k];
		}
	}
	for (int i = 0; i < core->n; i++) {
		hull->face_vertex[i] = i;
		hull->face_vertex[2 * core->n - 1 - i] = i;
		hull->edges[i] = (AbutHullEdge){.from = i, .to = (i + 1) % core->n, .left = 0, .right = 1};
	}
	core->hull = hull;
	return ABUT_OK;
}

/* --- the hull --- */

static AbutStatus keep_vertices(AbutCore *core, const AbutHull *hull, AbutError *error)
{
	double *points = malloc(3 * (size_t)hull->n_vertices * sizeof *points);
	if (!points) {
		return out_of_memory(error);
	}
	memcpy(points, hull->vertices, 3 * (size_t)hull->n_vertices * sizeof *points);
	free(core->points);
	core->points = points;
	core->n = hull->n_vertices;
	return ABUT_OK;
}

/* Reduces the points to the corners of their hull; if `last`, also makes the hull. Until the last part, a hull too thin
 * for qhull stays a list of points. If it is still too thin then, the sum has no core, unless a ball makes the error of
 * a flat hull small enough. */
static AbutStatus reduce(AbutCore *core, bool last, AbutError *error)
{
	const Plane plane = find_plane(core);
	if (core->n < 3 || plane.width <= on_it * plane.length) {
		return reduce_to_ends(core, &plane, error);
	}
	AbutHull *hull = NULL;
	if (plane.thickness > on_it * plane.length &&
	    abut_hull_create(core->n, core->points, 1e-9, ABUT_HULL_FLAT, "parts", &hull, NULL) == ABUT_OK) {
		const AbutStatus status = keep_vertices(core, hull, error);
		if (last && status == ABUT_OK) {
			core->hull = hull;
		} else {
			abut_hull_destroy(hull);
		}
		return status;
	}
	if (!last && plane.thickness > on_it * plane.length) {
		return ABUT_OK;
	}
	core->error = plane.thickness > on_it * plane.length ? 2.0 * plane.thickness / core->radius : 0.0;
	if (last && !(core->radius > 0.0 && core->error <= most_error)) {
		core->n = 0;
		return ABUT_OK;
	}
	const AbutStatus status = reduce_to_polygon(core, &plane, error);
	return status == ABUT_OK && last ? make_two_faces(core, &plane, error) : status;
}

/* Replaces the core by the sums of its points and the part's corners. core->n becomes 0 if the part has no corners, or
 * if there are too many sums. */
static AbutStatus add_part(AbutCore *core, const AbutShape *part, bool last, AbutError *error)
{
	const int corners = count_corners(part);
	if (corners == 0 || (double)core->n * corners > MOST_CORNERS) {
		core->n = 0;
		return ABUT_OK;
	}
	double *points = calloc((size_t)core->n * (size_t)corners * 3, sizeof *points);
	if (!points) {
		return out_of_memory(error);
	}
	for (int j = 0; j < corners; j++) {
		double corner[3];
		corner_of(part, j, corner);
		for (int i = 0; i < 3 * core->n; i++) {
			points[(size_t)j * 3 * (size_t)core->n + (size_t)i] = core->points[i] + corner[i % 3];
		}
	}
	free(core->points);
	core->points = points;
	core->n *= corners;
	core->radius += ball_of(part);
	return reduce(core, last, error);
}

AbutStatus abut_core_find(int n, const AbutShape *const *parts, AbutCore *core, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	*core = (AbutCore){.n = 0};
	for (int i = 0; i < n; i++) { /* check all parts before any hull is computed */
		if (count_corners(parts[i]) == 0) {
			return ABUT_OK;
		}
	}
	core->points = calloc(3, sizeof *core->points);
	if (!core->points) {
		return out_of_memory(error);
	}
	core->n = 1;
	for (int i = 0; status == ABUT_OK && core->n > 0 && i < n; i++) {
		status = add_part(core, parts[i], i == n - 1, error);
	}
	return status;
}

void abut_core_free(AbutCore *core)
{
	free(core->points);
	abut_hull_destroy(core->hull);
}

/* --- mass --- */

/* Returns the mass of a capsule between two ends, or of a ball if they are equal. M and m are the masses of its
 * cylinder and its ball. The centres of mass of the half balls lie 3/8 R beyond the ends. */
static AbutMassProperties capsule_mass(const double *from, const double *to, double R)
{
	double axis[3], middle[3];
	abut_sub3(to, from, axis);
	abut_add3(from, to, middle);
	abut_scale3(0.5, middle, middle);
	const double L = abut_norm3(axis), M = M_PI * R * R * L, m = 4.0 / 3.0 * M_PI * R * R * R;
	const double along = 0.5 * M * R * R + 0.4 * m * R * R;
	const double across = M * (L * L / 12.0 + 0.25 * R * R) + m * (0.4 * R * R + 0.25 * L * L + 0.375 * L * R);
	AbutMassProperties mass = abut_mass_diagonal(M + m, across, across, across);
	for (int i = 0; i < 9 && L > 0.0; i++) {
		mass.inertia[i] += (along - across) * (axis[i / 3] / L) * (axis[i % 3] / L);
	}
	abut_copy3(middle, mass.centre_of_mass);
	return mass;
}

AbutMassProperties abut_core_mass(const AbutCore *core, double *inner)
{
	*inner = 0.0;
	if (!core->hull) {
		return capsule_mass(core->points, &core->points[3 * (core->n - 1)], core->radius);
	}
	const AbutHull *hull = core->hull;
	const AbutMassProperties mass = abut_mass_hull(hull, core->radius);
	double least = HUGE_VAL, step[3];
	abut_sub3(mass.centre_of_mass, hull->origin, step);
	for (int f = 0; f < hull->n_faces; f++) {
		least = fmin(least, hull->offsets[f] - abut_dot3(&hull->normals[3 * f], step));
	}
	*inner = fmax(least, 0.0);
	return mass;
}
