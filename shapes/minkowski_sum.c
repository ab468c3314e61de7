/* Minkowski sums p = p_1 + ... + p_n: the rows of every part, each at its own point. All points but the last one's are
 * auxiliary, measured from the parts' scaling centres, q_i = p_i - c_i:
 *
 *     s_i = h_i + alpha d_i - A_i (c_i + q_i) - B_i eps_i,                            i < n
 *     s_n = h_n + alpha d_n - A_n (p - sum (c_i + q_i)) - B_n eps_n.
 *
 * A sum whose parts are points, segments, boxes and polytopes, each with or without a ball, is the hull of the sums of
 * their vertices with one ball: its pieces (shapes/support.h) and mass are those of a padded polytope. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "shapes/composite.h"
#include "shapes/conic.h"
#include "shapes/hull.h"
#include "shapes/mass.h"

static void check_sizes(int n, const AbutShape *const *parts, int *n_eps)
{
	*n_eps = 3 * (n - 1);
	for (int i = 0; i < n; i++) {
		*n_eps += parts[i]->n_eps;
	}
}

static void fill_rows(int n, const AbutShape *const *parts, AbutShape *shape)
{
	double *A = abut_shape_edit(shape->A), *B = abut_shape_edit(shape->B), *d = abut_shape_edit(shape->d),
	       *h = abut_shape_edit(shape->h);
	double others[3] = {0.0, 0.0, 0.0}; /* sum of c_i, i < n */
	AbutRowPlaces places = {0, shape->n_orthant};
	int eps = 3 * (n - 1);
	for (int i = 0; i + 1 < n; i++) {
		for (int k = 0; k < 3; k++) {
			others[k] += parts[i]->centre[k];
		}
	}
	for (int i = 0; i < n; i++) {
		const AbutShape *part = parts[i];
		const bool last = i == n - 1;
		for (int r = 0; r < part->n_rows; r++) {
			const int row = abut_row_place(part, &places, r);
			const double *a = &part->A[3 * r];
			double *b = &B[row * shape->n_eps];
			for (int k = 0; k < 3; k++) {
				A[3 * row + k] = last ? a[k] : 0.0;
				for (int j = 0; last && j < n - 1; j++) {
					b[3 * j + k] = -a[k];
				}
				if (!last) {
					b[3 * i + k] = a[k];
				}
			}
			memcpy(&b[eps], &part->B[r * part->n_eps], (size_t)part->n_eps * sizeof *b);
			d[row] = part->d[r];
			h[row] = part->h[r] + (last ? abut_dot3(a, others) : -abut_dot3(a, part->centre));
		}
		eps += part->n_eps;
		abut_row_places_next(part, &places);
	}
	for (int k = 0; k < 3; k++) {
		shape->centre[k] = others[k] + parts[n - 1]->centre[k];
	}
}

/* --- cores: points whose hull, padded by a ball, is the part --- */

enum { MOST_CORNERS = 200000 };

typedef struct Core {
	int n;
	double *points; /* (n x 3), the frame that the part is given in */
	double radius;  /* of the ball */
} Core;

/* Own-frame corners of a part that has a core; 0 for others. Polytopes, padded ones and sums of all these have lists.
 */
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
	for (int k = 0; k < 3; k++) {
		out[k] += part->position[k];
	}
}

static double ball_of(const AbutShape *part)
{
	return part->kind == ABUT_SHAPE_BOX ? 0.0 : part->size[0];
}

static AbutStatus out_of_memory(AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the corners of a sum");
}

/* Sums of every point of the core and every corner of the part; `n` 0 when there are too many, or none. */
static AbutStatus add_part(Core *core, const AbutShape *part, AbutError *error)
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
	return ABUT_OK;
}

static AbutStatus find_core(int n, const AbutShape *const *parts, Core *core, AbutError *error)
{
	*core = (Core){.n = 1, .points = calloc(3, sizeof *core->points)};
	if (!core->points) {
		return out_of_memory(error);
	}
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && core->n > 0 && i < n; i++) {
		status = add_part(core, parts[i], error);
	}
	return status;
}

/* --- what a core is: its mass, by closed forms, and its corners without those inside --- */

/* The two ends of points on a line, which may coincide; false when they do not lie on one. */
static bool find_ends(const Core *core, double ends[2][3])
{
	double axis[3], length = 0.0, size = 0.0;
	int furthest = 0;
	for (int i = 0; i < core->n; i++) {
		double step[3];
		for (int k = 0; k < 3; k++) {
			step[k] = core->points[3 * i + k] - core->points[k];
		}
		if (abut_norm3(step) > size) {
			size = abut_norm3(step);
			furthest = i;
		}
	}
	for (int k = 0; k < 3; k++) {
		axis[k] = core->points[3 * furthest + k] - core->points[k];
	}
	length = abut_norm3(axis);
	double low = 0.0, high = 0.0;
	abut_copy3(core->points, ends[0]);
	abut_copy3(core->points, ends[1]);
	for (int i = 0; i < core->n && length > 0.0; i++) {
		double step[3], across[3];
		for (int k = 0; k < 3; k++) {
			step[k] = core->points[3 * i + k] - core->points[k];
		}
		abut_cross3(axis, step, across);
		if (abut_norm3(across) > 1e-12 * length * size) {
			return false;
		}
		const double along = abut_dot3(axis, step) / length;
		if (along < low) {
			low = along;
			abut_copy3(&core->points[3 * i], ends[0]);
		}
		if (along > high) {
			high = along;
			abut_copy3(&core->points[3 * i], ends[1]);
		}
	}
	return true;
}

/* A capsule between the ends, or a ball. Along its axis z: with M, m its cylinder and its ball, the hemispheres'
 * centres of mass 3/8 R beyond the ends. */
static AbutMassProperties capsule_mass(const double ends[2][3], double R)
{
	double axis[3], middle[3];
	for (int k = 0; k < 3; k++) {
		axis[k] = ends[1][k] - ends[0][k];
		middle[k] = 0.5 * (ends[0][k] + ends[1][k]);
	}
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

/* --- */

static AbutStatus allocate(int n, const AbutShape *const *parts, int n_vertices, const double *vertices, double radius,
                           AbutShape **out, AbutError *error)
{
	int n_eps = 0;
	check_sizes(n, parts, &n_eps);
	const AbutStatus status =
	    abut_composite_allocate(ABUT_SHAPE_MINKOWSKI_SUM, n, parts, n_eps, n_vertices, out, error);
	if (status != ABUT_OK) {
		return status;
	}
	AbutShape *shape = *out;
	fill_rows(n, parts, shape);
	shape->size[0] = radius;
	if (n_vertices > 0) {
		memcpy(abut_shape_edit(shape->vertices), vertices, (size_t)n_vertices * 3 * sizeof *vertices);
	}
	return ABUT_OK;
}

/* Radii about the centre of mass, from the corners; `inner` is that of their hull. */
static AbutStatus recentre_core(AbutShape *shape, double inner, AbutError *error)
{
	const AbutStatus status = abut_shape_recentre(shape, shape->mass.centre_of_mass, error);
	shape->outer_radius = 0.0;
	for (int i = 0; i < shape->n_vertices; i++) {
		double step[3];
		for (int k = 0; k < 3; k++) {
			step[k] = shape->vertices[3 * i + k] - shape->centre[k];
		}
		shape->outer_radius = fmax(shape->outer_radius, abut_norm3(step));
	}
	shape->outer_radius += shape->size[0];
	shape->inner_radius = inner + shape->size[0];
	return status;
}

static AbutStatus create_round(int n, const AbutShape *const *parts, const double ends[2][3], double radius,
                               AbutShape **out, AbutError *error)
{
	const bool point = ends[0][0] == ends[1][0] && ends[0][1] == ends[1][1] && ends[0][2] == ends[1][2];
	const AbutStatus status = allocate(n, parts, point ? 1 : 2, ends[0], radius, out, error);
	if (status != ABUT_OK) {
		return status;
	}
	(*out)->mass = capsule_mass(ends, radius);
	return recentre_core(*out, 0.0, error);
}

static AbutStatus create_solid(int n, const AbutShape *const *parts, const AbutHull *hull, double radius,
                               AbutShape **out, AbutError *error)
{
	const AbutStatus status = allocate(n, parts, hull->n_vertices, hull->vertices, radius, out, error);
	if (status != ABUT_OK) {
		return status;
	}
	AbutShape *shape = *out;
	shape->mass = abut_mass_hull(hull, radius);
	double inner = HUGE_VAL;
	for (int f = 0; f < hull->n_faces; f++) {
		const double *normal = &hull->normals[3 * f];
		double step[3];
		for (int k = 0; k < 3; k++) {
			step[k] = shape->mass.centre_of_mass[k] - hull->origin[k];
		}
		inner = fmin(inner, hull->offsets[f] - abut_dot3(normal, step));
	}
	return recentre_core(shape, inner, error);
}

/* Without a core, or with one that is flat: by support functions and rays. */
static AbutStatus create_any(int n, const AbutShape *const *parts, AbutShape **out, AbutError *error)
{
	const AbutStatus status = allocate(n, parts, 0, NULL, 0.0, out, error);
	if (status != ABUT_OK) {
		return status;
	}
	for (int i = 0; i < n; i++) {
		(*out)->outer_radius += parts[i]->outer_radius;
	}
	return abut_composite_finish(*out, "parts", error);
}

enum { MOST_FLAT = 64 };

/* A normal of points in a plane: the largest cross product of steps from the first of them. */
static double plane_normal(const Core *core, double normal[3])
{
	double largest = 0.0, size = 0.0;
	for (int i = 1; i < core->n; i++) {
		for (int j = 1; j <= i; j++) {
			double first[3], second[3], cross[3];
			for (int k = 0; k < 3; k++) {
				first[k] = core->points[3 * i + k] - core->points[k];
				second[k] = core->points[3 * j + k] - core->points[k];
			}
			size = fmax(size, abut_norm3(first));
			abut_cross3(first, second, cross);
			const double length = abut_norm3(cross);
			if (length > largest) {
				largest = length;
				for (int k = 0; k < 3; k++) {
					normal[k] = cross[k] / length;
				}
			}
		}
	}
	return size;
}

/* Corners in a plane, as of two capsules across: the mass is that of corners moved out of it by little, both ways. */
static AbutStatus create_flat(int n, const AbutShape *const *parts, const Core *core, AbutShape **out, AbutError *error)
{
	static const double little = 2e-7;
	double normal[3] = {0.0, 0.0, 1.0}, points[6 * MOST_FLAT];
	const double thickness = little * plane_normal(core, normal);
	for (int i = 0; i < 6 * core->n; i++) {
		points[i] = core->points[i / 6 * 3 + i % 3] + (i / 3 % 2 ? thickness : -thickness) * normal[i % 3];
	}
	AbutHull *hull = NULL;
	AbutStatus status = abut_hull_create(2 * core->n, points, 1e-12, 0.1 * ABUT_HULL_FLAT, "parts", &hull, error);
	if (status == ABUT_OK) {
		status = allocate(n, parts, core->n, core->points, core->radius, out, error);
	}
	if (status == ABUT_OK) {
		(*out)->mass = abut_mass_hull(hull, core->radius);
		(*out)->mass_error = 4.0 * thickness / core->radius;
		status = recentre_core(*out, 0.0, error);
	}
	abut_hull_destroy(hull);
	return status;
}

static AbutStatus create(int n, const AbutShape *const *parts, const Core *core, AbutShape **out, AbutError *error)
{
	double ends[2][3];
	if (core->n == 0) {
		return create_any(n, parts, out, error);
	}
	if (find_ends(core, ends)) {
		return create_round(n, parts, ends, core->radius, out, error);
	}
	AbutHull *hull = NULL;
	if (core->n < 4 ||
	    abut_hull_create(core->n, core->points, 1e-9, ABUT_HULL_FLAT, "parts", &hull, NULL) != ABUT_OK) {
		return core->n <= (int)MOST_FLAT && core->radius > 0.0 ? create_flat(n, parts, core, out, error)
		                                                       : create_any(n, parts, out, error);
	}
	const AbutStatus status = create_solid(n, parts, hull, core->radius, out, error);
	abut_hull_destroy(hull);
	return status;
}

AbutStatus abut_shape_create_minkowski_sum(int n, const AbutShape *const *parts, AbutShape **out, AbutError *error)
{
	AbutStatus status = abut_shape_check_parts(n, parts, out, error);
	for (int i = 0; status == ABUT_OK && i < n; i++) {
		if (parts[i]->kind == ABUT_SHAPE_HALFSPACE) {
			return abut_error_set(
			    error, ABUT_ERROR_ARGUMENT, "parts",
			    "parts[%d] is a halfspace, which has no bounded sum; move a halfspace by the "
			    "other part's size instead",
			    i);
		}
	}
	Core core = {.n = 0};
	if (status == ABUT_OK) {
		status = find_core(n, parts, &core, error);
	}
	if (status == ABUT_OK) {
		status = create(n, parts, &core, out, error);
	}
	if (status != ABUT_OK && out) {
		abut_shape_destroy(*out);
		*out = NULL;
	}
	free(core.points);
	return status;
}
