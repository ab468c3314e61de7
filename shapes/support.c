/* Support functions, from kind, frame, size and vertices alone: nothing here reads the conic rows, so that the two
 * descriptions of a shape can be held against each other. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "shapes/conic.h"
#include "shapes/support.h"

/* Each puts into `point` a point of the shape, in its own frame, that is furthest along u, |u| about 1. */
typedef void SupportFunction(const AbutShape *shape, const double u[3], double point[3]);

/* Adds the furthest point of a ball. */
static void add_ball(double radius, const double u[3], double point[3])
{
	const double step = radius / abut_norm3(u);
	for (int i = 0; i < 3; i++) {
		point[i] += step * u[i];
	}
}

/* Adds the furthest point of a disc across z; its centre when u is along z. */
static void add_disc(double radius, const double u[3], double point[3])
{
	const double length = hypot(u[0], u[1]);
	if (length > 0.0) {
		point[0] += radius * (u[0] / length);
		point[1] += radius * (u[1] / length);
	}
}

static void support_halfspace(const AbutShape *shape, const double u[3], double point[3])
{
	(void)u;
	point[2] = shape->size[0];
}

static void support_box(const AbutShape *shape, const double u[3], double point[3])
{
	for (int i = 0; i < 3; i++) {
		point[i] = u[i] < 0.0 ? -shape->size[i] : shape->size[i];
	}
}

static void support_polytope(const AbutShape *shape, const double u[3], double point[3])
{
	double best = -HUGE_VAL;
	for (int i = 0; i < shape->n_vertices; i++) {
		const double height = abut_dot3(&shape->vertices[3 * i], u);
		if (height > best) {
			best = height;
			abut_copy3(&shape->vertices[3 * i], point);
		}
	}
}

static void support_padded_polytope(const AbutShape *shape, const double u[3], double point[3])
{
	support_polytope(shape, u, point);
	add_ball(shape->size[0], u, point);
}

static void support_sphere(const AbutShape *shape, const double u[3], double point[3])
{
	add_ball(shape->size[0], u, point);
}

/* The image of the unit ball under diag(r): r o (r o u) / |r o u|. */
static void support_ellipsoid(const AbutShape *shape, const double u[3], double point[3])
{
	const double *r = shape->size;
	const double stretched[3] = {r[0] * u[0], r[1] * u[1], r[2] * u[2]};
	const double length = abut_norm3(stretched);
	for (int i = 0; i < 3; i++) {
		point[i] = r[i] * (stretched[i] / length);
	}
}

static void support_capsule(const AbutShape *shape, const double u[3], double point[3])
{
	point[2] = copysign(0.5 * shape->size[1], u[2]);
	add_ball(shape->size[0], u, point);
}

static void support_cylinder(const AbutShape *shape, const double u[3], double point[3])
{
	point[2] = copysign(0.5 * shape->size[1], u[2]);
	add_disc(shape->size[0], u, point);
}

/* The apex, or the furthest point of the base's rim. */
static void support_cone(const AbutShape *shape, const double u[3], double point[3])
{
	const double radius = shape->size[0], height = shape->size[1];
	if (u[2] * height >= radius * hypot(u[0], u[1])) {
		point[2] = 0.75 * height;
	} else {
		point[2] = -0.25 * height;
		add_disc(radius, u, point);
	}
}

static SupportFunction *const support_of_kind[] = {
    [ABUT_SHAPE_HALFSPACE] = support_halfspace, [ABUT_SHAPE_BOX] = support_box,
    [ABUT_SHAPE_POLYTOPE] = support_polytope,   [ABUT_SHAPE_PADDED_POLYTOPE] = support_padded_polytope,
    [ABUT_SHAPE_SPHERE] = support_sphere,       [ABUT_SHAPE_ELLIPSOID] = support_ellipsoid,
    [ABUT_SHAPE_CAPSULE] = support_capsule,     [ABUT_SHAPE_CYLINDER] = support_cylinder,
    [ABUT_SHAPE_CONE] = support_cone,
};
_Static_assert(sizeof support_of_kind / sizeof *support_of_kind == ABUT_SHAPE_COUNT, "one support function per kind");

void abut_shape_support_own(const AbutShape *shape, const double u[3], double point[3])
{
	memset(point, 0, 3 * sizeof *point);
	support_of_kind[shape->kind](shape, u, point);
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
