/* Computes support functions from kind, frame, size, vertices and parts. Except for intersections and conic data, they
 * do not read the conic rows, so that tests can compare both descriptions of a shape. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "shapes/query/conic_query.h"
#include "shapes/query/smooth_reach.h"
#include "shapes/support/support.h"

/* --- pieces: each function finds the piece furthest along u, |u| about 1, in the own frame --- */

typedef void PieceFunction(const AbutShape *shape, const double u[3], AbutPiece *out);

static void piece_halfspace(const AbutShape *shape, const double u[3], AbutPiece *out)
{
	(void)u;
	*out = (AbutPiece){.centre = {0.0, 0.0, shape->size[0]}};
}

static void piece_box(const AbutShape *shape, const double u[3], AbutPiece *out)
{
	out->index = 0;
	out->round = false;
	for (int i = 0; i < 3; i++) {
		const bool low = u[i] < 0.0;
		out->centre[i] = low ? -shape->size[i] : shape->size[i];
		out->index |= (int)low << i;
	}
}

static void piece_vertex(const AbutShape *shape, const double u[3], AbutPiece *out)
{
	double best = -HUGE_VAL;
	int index = 0;
	for (int i = 0; i < shape->n_vertices; i++) {
		const double height = abut_dot3(&shape->vertices[3 * i], u);
		if (height > best) {
			best = height;
			index = i;
		}
	}
	out->index = index;
	out->round = shape->size[0] > 0.0;
	abut_copy3(&shape->vertices[3 * index], out->centre);
}

static void piece_middle(const AbutShape *shape, const double u[3], AbutPiece *out)
{
	(void)shape;
	(void)u;
	*out = (AbutPiece){.round = true};
}

/* Finds the upper or the lower end of an axis. */
static void piece_end(const AbutShape *shape, const double u[3], AbutPiece *out)
{
	const double end = copysign(0.5 * shape->size[1], u[2]);
	*out = (AbutPiece){.index = end < 0.0, .round = true, .centre = {0.0, 0.0, end}};
}

static double across(const double u[3])
{
	return sqrt(u[0] * u[0] + u[1] * u[1]);
}

/* Finds the base, which is round, or the apex, which is a point. */
static void piece_cone(const AbutShape *shape, const double u[3], AbutPiece *out)
{
	const double radius = shape->size[0], height = shape->size[1];
	const bool apex = u[2] * height >= radius * across(u);
	*out = (AbutPiece){.index = apex, .round = !apex, .centre = {0.0, 0.0, apex ? 0.75 * height : -0.25 * height}};
}

/* Finds a vertex. If the sum has no vertices, finds the sum of the parts' furthest points. */
static void piece_sum(const AbutShape *shape, const double u[3], AbutPiece *out)
{
	if (shape->n_vertices > 0) {
		piece_vertex(shape, u, out);
		return;
	}
	*out = (AbutPiece){.round = false};
	for (int i = 0; i < shape->n_parts; i++) {
		double point[3];
		abut_shape_support(shape->parts[i], u, point);
		abut_add3(out->centre, point, out->centre);
	}
}

/* Solves a conic program of the rows, in the frame in which the shape is given. The centre is NaN if the program does
 * not converge. */
static void piece_program(const AbutShape *shape, const double u[3], AbutPiece *out)
{
	const double length = abut_norm3(u), along[3] = {u[0] / length, u[1] / length, u[2] / length};
	double g[3], value;
	*out = (AbutPiece){.round = false};
	abut_mat3_vec(shape->rotation, along, g);
	const bool solved = abut_conic_furthest(shape, g, &value, out->centre, NULL, NULL);
	for (int k = 0; k < 3; k++) {
		out->centre[k] = solved ? out->centre[k] - shape->position[k] : (double)NAN;
	}
	abut_mat3_tvec(shape->rotation, out->centre, out->centre);
}

static PieceFunction *const piece_of_kind[] = {
    [ABUT_SHAPE_HALFSPACE] = piece_halfspace,
    [ABUT_SHAPE_BOX] = piece_box,
    [ABUT_SHAPE_POLYTOPE] = piece_vertex,
    [ABUT_SHAPE_PADDED_POLYTOPE] = piece_vertex,
    [ABUT_SHAPE_SPHERE] = piece_middle,
    [ABUT_SHAPE_ELLIPSOID] = piece_middle,
    [ABUT_SHAPE_CAPSULE] = piece_end,
    [ABUT_SHAPE_CYLINDER] = piece_end,
    [ABUT_SHAPE_CONE] = piece_cone,
    [ABUT_SHAPE_MINKOWSKI_SUM] = piece_sum,
    [ABUT_SHAPE_INTERSECTION] = piece_program,
    [ABUT_SHAPE_CONIC] = piece_program,
    [ABUT_SHAPE_SMOOTH] = piece_middle,
};
_Static_assert(sizeof piece_of_kind / sizeof *piece_of_kind == ABUT_SHAPE_COUNT, "one piece function per kind");

bool abut_shape_has_pieces(const AbutShape *shape)
{
	return shape->kind < ABUT_SHAPE_MINKOWSKI_SUM || shape->kind == ABUT_SHAPE_SMOOTH || shape->n_vertices > 0;
}

void abut_shape_piece_own(const AbutShape *shape, const double u[3], AbutPiece *out)
{
	piece_of_kind[shape->kind](shape, u, out);
}

/* --- round parts --- */

static void radii_none(const AbutShape *shape, double r[3])
{
	(void)shape;
	r[0] = r[1] = r[2] = 0.0;
}

static void radii_ball(const AbutShape *shape, double r[3])
{
	r[0] = r[1] = r[2] = shape->size[0];
}

static void radii_disc(const AbutShape *shape, double r[3])
{
	r[0] = r[1] = shape->size[0];
	r[2] = 0.0;
}

static void radii_ellipsoid(const AbutShape *shape, double r[3])
{
	abut_copy3(shape->size, r);
}

/* A smooth shape is round everywhere, but no ellipsoid. The radii of its outer ball only indicate this;
 * abut_shape_smooth_own finds its points. */
static void radii_smooth(const AbutShape *shape, double r[3])
{
	r[0] = r[1] = r[2] = shape->outer_radius;
}

typedef void RadiiFunction(const AbutShape *shape, double r[3]);

static RadiiFunction *const radii_of_kind[] = {
    [ABUT_SHAPE_HALFSPACE] = radii_none,    [ABUT_SHAPE_BOX] = radii_none,
    [ABUT_SHAPE_POLYTOPE] = radii_none,     [ABUT_SHAPE_PADDED_POLYTOPE] = radii_ball,
    [ABUT_SHAPE_SPHERE] = radii_ball,       [ABUT_SHAPE_ELLIPSOID] = radii_ellipsoid,
    [ABUT_SHAPE_CAPSULE] = radii_ball,      [ABUT_SHAPE_CYLINDER] = radii_disc,
    [ABUT_SHAPE_CONE] = radii_disc,         [ABUT_SHAPE_MINKOWSKI_SUM] = radii_ball,
    [ABUT_SHAPE_INTERSECTION] = radii_none, [ABUT_SHAPE_CONIC] = radii_none,
    [ABUT_SHAPE_SMOOTH] = radii_smooth,
};
_Static_assert(sizeof radii_of_kind / sizeof *radii_of_kind == ABUT_SHAPE_COUNT, "one round part per kind");

void abut_shape_radii(const AbutShape *shape, double r[3])
{
	radii_of_kind[shape->kind](shape, r);
}

/* --- a point of the shape --- */

bool abut_shape_smooth_own(const AbutShape *shape, const double u[3], double point[3], double bend[9])
{
	const double scale = 1.0 / abut_norm3(u), n[3] = {scale * u[0], scale * u[1], scale * u[2]};
	AbutSmoothReach reach;
	if (shape->smooth->furthest && !bend) {
		shape->smooth->furthest(shape->smooth->data, n, point);
		abut_scale3(shape->smooth_unit, point, point);
		return abut_all_finite(point, 3);
	}
	const bool found = abut_smooth_furthest(shape->smooth, n, 1.0, &reach);
	for (int i = 0; i < 3; i++) {
		point[i] = found ? shape->smooth_unit * reach.point[i] : (double)NAN;
	}
	for (int i = 0; bend && i < 9; i++) {
		bend[i] = found ? shape->smooth_unit * reach.bend[i] : (double)NAN;
	}
	return found;
}

void abut_shape_support_own(const AbutShape *shape, const double u[3], double point[3])
{
	AbutPiece piece;
	double r[3];
	if (shape->smooth) {
		abut_shape_smooth_own(shape, u, point, NULL);
		return;
	}
	abut_shape_piece_own(shape, u, &piece);
	abut_copy3(piece.centre, point);
	if (piece.round) {
		abut_shape_radii(shape, r);
		abut_add_ellipsoid(r, u, point);
	}
}

/* Returns whether u is along +z, to rounding. This is the only direction in which a halfspace is bounded. */
static bool along_z(const double u[3])
{
	return u[2] > 0.0 && hypot(u[0], u[1]) <= 1e-12 * u[2];
}

/* Computes the support along a direction whose square neither overflows nor underflows. */
static double support_along(const AbutShape *shape, const double direction[3], double *point)
{
	double u[3], found[3];
	abut_mat3_tvec(shape->rotation, direction, u);
	abut_shape_support_own(shape, u, found);
	const bool bounded = shape->kind != ABUT_SHAPE_HALFSPACE || along_z(u);
	if (point) {
		abut_mat3_vec(shape->rotation, found, point);
		abut_add3(point, shape->position, point);
	}
	return bounded ? abut_dot3(found, u) + abut_dot3(shape->position, direction) : HUGE_VAL;
}

double abut_shape_support(const AbutShape *shape, const double direction[3], double *point)
{
	const double square = abut_dot3(direction, direction);
	if (square > 0.5 && square < 2.0) { /* most directions have about unit length */
		return support_along(shape, direction, point);
	}
	const double largest = fmax(fabs(direction[0]), fmax(fabs(direction[1]), fabs(direction[2])));
	const bool finite = abut_all_finite(direction, 3);
	if (!finite || largest == 0.0) {
		if (point) {
			abut_copy3(shape->centre, point);
		}
		return finite ? 0.0 : (double)NAN;
	}
	const double scaled[3] = {direction[0] / largest, direction[1] / largest, direction[2] / largest};
	return largest * support_along(shape, scaled, point);
}

bool abut_shape_support_is_closed(const AbutShape *shape)
{
	if (shape->smooth) {
		return shape->smooth->furthest != NULL;
	}
	if (shape->kind != ABUT_SHAPE_MINKOWSKI_SUM || shape->n_vertices > 0) {
		return shape->kind < ABUT_SHAPE_MINKOWSKI_SUM || shape->n_vertices > 0;
	}
	for (int i = 0; i < shape->n_parts; i++) {
		if (!abut_shape_support_is_closed(shape->parts[i])) {
			return false;
		}
	}
	return true;
}
