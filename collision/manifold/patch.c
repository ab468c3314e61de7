/* What of a side lies furthest against a plane: a face of its hull, a line or a point of a round one. Of a shape that
 * is known by its furthest points alone, those in directions a little beside the plane's normal: corners of a face
 * where it has one, and otherwise points so near to each other that one stands for all. */
#include "collision/manifold/patch.h"

#include <stddef.h>

#include "collision/manifold/support.h"

/* Cosines of the angles up to which the flat end of a cylinder or cone lies against the plane: below 0.05 its fixed
 * corners stand for it, which are above it by at most 0.05 (1 - cos(pi / 32)) = 2.4e-4 of its radius; from there to a
 * third of a half turn, where the plane may be far below all but the lowest point of the rim, that comes in. */
static const double standing = 0.99875, leaning = 0.5;

static void add_corner(AbutManifoldPolygon *out, const double p[3], int index, double bend)
{
	abut_copy3(p, &out->p[3 * out->n]);
	out->corners[out->n] =
	    (AbutManifoldCorner){.rule = ABUT_MANIFOLD_VERTEX, .a = index, .side = out->n, .bend = bend};
	out->n++;
}

/* The face that lies most against N, and the cosine of how much. */
static double incident_face(const AbutManifoldSide *side, const double N[3], int *face)
{
	const AbutHull *hull = side->shape->hull;
	double own[3], least = (double)INFINITY;
	abut_mat3_tvec(side->R, N, own);
	for (int f = 0; f < hull->n_faces; f++) {
		const double cosine = abut_dot3(own, &hull->normals[3 * f]);
		if (cosine < least) {
			least = cosine;
			*face = f;
		}
	}
	return -least;
}

static void take_face(const AbutManifoldSide *side, int face, AbutManifoldPolygon *out)
{
	const AbutHull *hull = side->shape->hull;
	out->face = face;
	abut_manifold_face_normal(side, face, out->normal);
	for (int k = hull->face_start[face]; k < hull->face_start[face + 1]; k++) {
		double p[3];
		abut_manifold_vertex(side, hull->face_vertex[k], p);
		add_corner(out, p, hull->face_vertex[k], 0.0);
	}
}

/* --- round shapes --- */

/* Puts the lowest point of the rim among the corners of the flat end: before the first one that follows it. */
static void add_lowest(const AbutManifoldSide *side, const double back[3], AbutManifoldPolygon *out)
{
	const AbutManifoldShape *shape = side->shape;
	double e[3], p[3];
	int at = 0;
	if (!abut_manifold_round(side, back, e, out->bend)) {
		return;
	}
	const int piece = shape->n_pieces > 1 && shape->round[1] && out->face == 1 ? 1 : 0;
	abut_manifold_to_world(side, shape->pieces[piece], p);
	abut_add3(p, e, p);
	double nearest = (double)INFINITY;
	for (int k = 0; k < out->n; k++) { /* of two neighbours that are nearest to it together, the second */
		const double *q = &out->p[3 * k], *r = &out->p[3 * ((k + out->n - 1) % out->n)];
		const double sum = abut_norm3((const double[3]){p[0] - q[0], p[1] - q[1], p[2] - q[2]}) +
		                   abut_norm3((const double[3]){p[0] - r[0], p[1] - r[1], p[2] - r[2]});
		at = sum < nearest ? k : at;
		nearest = abut_min(sum, nearest);
	}
	for (int k = out->n; k > at; k--) {
		abut_copy3(&out->p[3 * (k - 1)], &out->p[3 * k]);
		out->corners[k] = out->corners[k - 1];
	}
	abut_copy3(p, &out->p[3 * at]);
	out->corners[at] = (AbutManifoldCorner){
	    .rule = ABUT_MANIFOLD_VERTEX, .a = shape->hull->n_vertices + piece, .side = ABUT_MANIFOLD_RIM, .bend = 1.0};
	out->n++;
}

/* The furthest points of the pieces. The disc of a cone that stands on its apex has none. */
static void take_pieces(const AbutManifoldSide *side, const double back[3], AbutManifoldPolygon *out)
{
	const AbutManifoldShape *shape = side->shape;
	double e[3];
	const int first = shape->hull ? shape->hull->n_vertices : 0;
	const bool unique = abut_manifold_round(side, back, e, out->bend);
	out->open = true;
	out->face = shape->hull ? shape->hull->n_faces : 0;
	for (int k = 0; k < shape->n_pieces; k++) {
		double p[3];
		abut_manifold_to_world(side, shape->pieces[k], p);
		for (int i = 0; shape->round[k] && i < 3; i++) {
			p[i] += e[i];
		}
		if (unique || !shape->round[k]) {
			add_corner(out, p, first + k, shape->round[k] ? 1.0 : 0.0);
		}
	}
}

/* A shape of functions: one point. */
static bool take_smooth(const AbutManifoldSide *side, const double back[3], AbutManifoldPolygon *out)
{
	const AbutShape *shape = side->shape->shape;
	double e[3], p[3];
	if (!shape->smooth || !abut_manifold_round(side, back, e, out->bend)) {
		return false;
	}
	abut_sub3(shape->position, side->shape->origin, p);
	abut_divide3(p, side->shape->unit, p);
	abut_manifold_to_world(side, p, p);
	abut_add3(p, e, p);
	out->open = true;
	add_corner(out, p, 0, 1.0);
	return true;
}

/* --- shapes known by their furthest points --- */

enum { AROUND = 8 };

/* How far the directions lie beside the normal, rad; and how near two points are, in sizes, that count as one. */
static const double beside = 0.01, same = 0.05;

/* A direction of the first quarter turns into the others. */
static const double ways[AROUND][2] = {{1.0, 0.0},  {0.8, 0.6},   {0.0, 1.0},  {-0.6, 0.8},
                                       {-1.0, 0.0}, {-0.8, -0.6}, {0.0, -1.0}, {0.6, -0.8}};

static void furthest(const AbutManifoldSide *side, const double direction[3], double p[3])
{
	const AbutManifoldShape *shape = side->shape;
	abut_shape_support(shape->shape, direction, p);
	abut_sub3(p, shape->origin, p);
	abut_divide3(p, shape->unit, p);
	abut_manifold_to_world(side, p, p);
}

static bool is_new(const AbutManifoldPolygon *out, const double p[3], double distance)
{
	for (int k = 0; k < out->n; k++) {
		const double *q = &out->p[3 * k], d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
		if (abut_norm3(d) < distance) {
			return false;
		}
	}
	return true;
}

/* Axes across the direction that belong to the body, so that its points keep their numbers. */
static void take_around(const AbutManifoldSide *side, const double back[3], AbutManifoldPolygon *out)
{
	double own[3], t1[3] = {0.0, 0.0, 0.0}, t2[3], p[3];
	abut_mat3_tvec(side->R, back, own);
	const int axis = fabs(own[0]) < 0.7 ? 0 : 1;
	for (int i = 0; i < 3; i++) {
		t1[i] = (i == axis ? 1.0 : 0.0) - own[axis] * own[i];
	}
	const double length = abut_norm3(t1);
	abut_divide3(t1, length, t1);
	abut_cross3(own, t1, t2);
	out->rough = true;
	for (int k = 0; k < AROUND; k++) {
		double direction[3];
		for (int i = 0; i < 3; i++) {
			direction[i] = own[i] + beside * (ways[k][0] * t1[i] + ways[k][1] * t2[i]);
		}
		furthest(side, direction, p);
		if (is_new(out, p, same * side->shape->size)) {
			add_corner(out, p, k, 0.0);
		}
	}
	out->open = out->n < 3;
	if (out->n == 1) {
		out->n = 0;
		furthest(side, own, p);
		add_corner(out, p, 0, 0.0);
	}
}

void abut_manifold_patch(const AbutManifoldSide *side, const double N[3], AbutManifoldPolygon *out)
{
	const AbutManifoldShape *shape = side->shape;
	const double back[3] = {-N[0], -N[1], -N[2]};
	double cosine;
	int face = 0;
	out->n = out->face = 0;
	out->open = out->rough = false;
	for (int i = 0; i < 9; i++) {
		out->bend[i] = out->normal[i % 3] = 0.0;
	}
	switch (shape->kind) {
	case ABUT_MANIFOLD_POLYTOPE:
	case ABUT_MANIFOLD_PADDED:
		incident_face(side, N, &face);
		take_face(side, face, out);
		break;
	case ABUT_MANIFOLD_BALL:
	case ABUT_MANIFOLD_ROUND:
		cosine = shape->hull ? incident_face(side, N, &face) : 0.0;
		if (cosine > leaning) {
			take_face(side, face, out);
		} else {
			take_pieces(side, back, out);
		}
		if (cosine > leaning && cosine <= standing) {
			add_lowest(side, back, out);
		}
		break;
	case ABUT_MANIFOLD_GENERIC:
		if (!take_smooth(side, back, out)) {
			take_around(side, back, out);
		}
		break;
	case ABUT_MANIFOLD_PLANE:
		break;
	}
}
