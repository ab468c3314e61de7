/* Support functions, from kind, frame, size and vertices alone: nothing here reads the conic rows, so that the two
 * descriptions of a shape can be held against each other. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "shapes/conic.h"
#include "shapes/support.h"

/* --- pieces: each function finds the one that is furthest along u, |u| about 1, in the own frame --- */

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
	out->round = shape->kind == ABUT_SHAPE_PADDED_POLYTOPE;
	abut_copy3(&shape->vertices[3 * index], out->centre);
}

static void piece_middle(const AbutShape *shape, const double u[3], AbutPiece *out)
{
	(void)shape;
	(void)u;
	*out = (AbutPiece){.round = true};
}

/* The upper or the lower end of an axis. */
static void piece_end(const AbutShape *shape, const double u[3], AbutPiece *out)
{
	const double end = copysign(0.5 * shape->size[1], u[2]);
	*out = (AbutPiece){.index = end < 0.0, .round = true, .centre = {0.0, 0.0, end}};
}

static double across(const double u[3])
{
	return sqrt(u[0] * u[0] + u[1] * u[1]);
}

/* The base or the apex, which is a point. */
static void piece_cone(const AbutShape *shape, const double u[3], AbutPiece *out)
{
	const double radius = shape->size[0], height = shape->size[1];
	const bool apex = u[2] * height >= radius * across(u);
	*out = (AbutPiece){.index = apex, .round = !apex, .centre = {0.0, 0.0, apex ? 0.75 * height : -0.25 * height}};
}

static PieceFunction *const piece_of_kind[] = {
    [ABUT_SHAPE_HALFSPACE] = piece_halfspace, [ABUT_SHAPE_BOX] = piece_box,
    [ABUT_SHAPE_POLYTOPE] = piece_vertex,     [ABUT_SHAPE_PADDED_POLYTOPE] = piece_vertex,
    [ABUT_SHAPE_SPHERE] = piece_middle,       [ABUT_SHAPE_ELLIPSOID] = piece_middle,
    [ABUT_SHAPE_CAPSULE] = piece_end,         [ABUT_SHAPE_CYLINDER] = piece_end,
    [ABUT_SHAPE_CONE] = piece_cone,
};
_Static_assert(sizeof piece_of_kind / sizeof *piece_of_kind == ABUT_SHAPE_COUNT, "the pieces of every kind");

void abut_shape_piece_own(const AbutShape *shape, const double u[3], AbutPiece *out)
{
	piece_of_kind[shape->kind](shape, u, out);
}

/* --- round parts --- */

static const AbutRound round_of_kind[] = {
    [ABUT_SHAPE_HALFSPACE] = ABUT_ROUND_NONE, [ABUT_SHAPE_BOX] = ABUT_ROUND_NONE,
    [ABUT_SHAPE_POLYTOPE] = ABUT_ROUND_NONE,  [ABUT_SHAPE_PADDED_POLYTOPE] = ABUT_ROUND_BALL,
    [ABUT_SHAPE_SPHERE] = ABUT_ROUND_BALL,    [ABUT_SHAPE_ELLIPSOID] = ABUT_ROUND_ELLIPSOID,
    [ABUT_SHAPE_CAPSULE] = ABUT_ROUND_BALL,   [ABUT_SHAPE_CYLINDER] = ABUT_ROUND_DISC,
    [ABUT_SHAPE_CONE] = ABUT_ROUND_DISC,
};
_Static_assert(sizeof round_of_kind / sizeof *round_of_kind == ABUT_SHAPE_COUNT, "the round part of every kind");

AbutRound abut_shape_round(const AbutShape *shape)
{
	return round_of_kind[shape->kind];
}

/* Each adds the point of a round part that is furthest along u. */
static void add_ball(double radius, const double u[3], double point[3])
{
	const double step = radius / abut_norm3(u);
	for (int i = 0; i < 3; i++) {
		point[i] += step * u[i];
	}
}

/* Across z; nothing when u is along z. */
static void add_disc(double radius, const double u[3], double point[3])
{
	const double length = across(u);
	if (length > 0.0) {
		point[0] += radius * (u[0] / length);
		point[1] += radius * (u[1] / length);
	}
}

/* The image of the unit ball under diag(r): r o (r o u) / |r o u|. */
static void add_ellipsoid(const double r[3], const double u[3], double point[3])
{
	const double stretched[3] = {r[0] * u[0], r[1] * u[1], r[2] * u[2]};
	const double length = abut_norm3(stretched);
	for (int i = 0; i < 3; i++) {
		point[i] += r[i] * (stretched[i] / length);
	}
}

/* A ball's point is R u / |u|, and its derivative (R / |u|) (1 - u u' / u.u). */
static void bend_ball(double radius, const double u[3], const double point[3], double bend[6])
{
	const double scale = radius / abut_norm3(u), less = scale / (radius * radius);
	bend[0] = scale - less * point[0] * point[0];
	bend[1] = -less * point[0] * point[1];
	bend[2] = -less * point[0] * point[2];
	bend[3] = scale - less * point[1] * point[1];
	bend[4] = -less * point[1] * point[2];
	bend[5] = scale - less * point[2] * point[2];
}

/* That of a disc in the plane, along z nothing. At its axis, where it has no derivative, zero. */
static void bend_disc(double radius, const double u[3], const double point[3], double bend[6])
{
	const double length = across(u), scale = length > 0.0 ? 1.0 / (radius * length) : 0.0;
	bend[0] = scale * point[1] * point[1];
	bend[1] = -scale * point[0] * point[1];
	bend[3] = scale * point[0] * point[0];
	bend[2] = bend[4] = bend[5] = 0.0;
}

/* With r the radii the point is  e = r o (r o u) / |r o u|,  its derivative  (diag(r o r) - e e') / |r o u|. */
static void bend_ellipsoid(const double r[3], const double u[3], const double point[3], double bend[6])
{
	const double stretched[3] = {r[0] * u[0], r[1] * u[1], r[2] * u[2]};
	const double scale = 1.0 / abut_norm3(stretched);
	bend[0] = scale * (r[0] * r[0] - point[0] * point[0]);
	bend[1] = -scale * point[0] * point[1];
	bend[2] = -scale * point[0] * point[2];
	bend[3] = scale * (r[1] * r[1] - point[1] * point[1]);
	bend[4] = -scale * point[1] * point[2];
	bend[5] = scale * (r[2] * r[2] - point[2] * point[2]);
}

void abut_shape_round_own(const AbutShape *shape, const double u[3], double point[3])
{
	const double *size = shape->size;
	memset(point, 0, 3 * sizeof *point);
	switch (round_of_kind[shape->kind]) {
	case ABUT_ROUND_BALL:
		add_ball(size[0], u, point);
		break;
	case ABUT_ROUND_DISC:
		add_disc(size[0], u, point);
		break;
	case ABUT_ROUND_ELLIPSOID:
		add_ellipsoid(size, u, point);
		break;
	case ABUT_ROUND_NONE:
		break;
	}
}

void abut_shape_bend_own(const AbutShape *shape, const double u[3], const double point[3], double bend[6])
{
	const double *size = shape->size;
	memset(bend, 0, 6 * sizeof *bend);
	switch (round_of_kind[shape->kind]) {
	case ABUT_ROUND_BALL:
		bend_ball(size[0], u, point, bend);
		break;
	case ABUT_ROUND_DISC:
		bend_disc(size[0], u, point, bend);
		break;
	case ABUT_ROUND_ELLIPSOID:
		bend_ellipsoid(size, u, point, bend);
		break;
	case ABUT_ROUND_NONE:
		break;
	}
}

/* --- a point of the shape --- */

void abut_shape_support_own(const AbutShape *shape, const double u[3], double point[3])
{
	AbutPiece piece;
	abut_shape_piece_own(shape, u, &piece);
	memset(point, 0, 3 * sizeof *point);
	if (piece.round) {
		abut_shape_round_own(shape, u, point);
	}
	for (int i = 0; i < 3; i++) {
		point[i] += piece.centre[i];
	}
}

/* Whether u is along +z to rounding, the one direction in which a halfspace is bounded. */
static bool along_z(const double u[3])
{
	return u[2] > 0.0 && hypot(u[0], u[1]) <= 1e-12 * u[2];
}

/* Along a direction whose squares neither overflow nor vanish. */
static double support_along(const AbutShape *shape, const double direction[3], double *point)
{
	double u[3], found[3];
	abut_mat3_tvec(shape->rotation, direction, u);
	abut_shape_support_own(shape, u, found);
	const bool bounded = shape->kind != ABUT_SHAPE_HALFSPACE || along_z(u);
	if (point) {
		abut_mat3_vec(shape->rotation, found, point);
		for (int i = 0; i < 3; i++) {
			point[i] += shape->position[i];
		}
	}
	return bounded ? abut_dot3(found, u) + abut_dot3(shape->position, direction) : HUGE_VAL;
}

double abut_shape_support(const AbutShape *shape, const double direction[3], double *point)
{
	const double square = abut_dot3(direction, direction);
	if (square > 0.5 && square < 2.0) { /* of about unit length, as most are */
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
