/* Computes the furthest points of a side, their derivatives with respect to the direction, and the patch of a side that
 * lies against a plane. */
#include "collision/manifold/support.h"

#include <stddef.h>

#include "shapes/support/support.h"

double abut_manifold_reach(const AbutManifoldSide *side, const double n[3])
{
	const AbutManifoldShape *shape = side->shape;
	const bool hull = shape->kind == ABUT_MANIFOLD_POLYTOPE || shape->kind == ABUT_MANIFOLD_PADDED;
	double own[3];
	abut_mat3_tvec(side->R, n, own);
	return abut_dot3(n, side->x) +
	       (hull ? abut_manifold_hull_reach(shape->hull, own) + shape->radius
	             : (abut_shape_support(shape->shape, own, NULL) - abut_dot3(own, shape->origin)) / shape->unit);
}

/* Rotates B to the world's axes: M B M'. */
static void turn(const double M[9], const double B[9], double out[9])
{
	double half[9];
	abut_mat3_mul(M, B, half);
	abut_mat3_mul_transposed(half, M, out);
}

/* Computes the furthest point e = D u / h of an ellipsoid with radii r, D = diag(r^2) and h = |r o u|, and its
 * derivative with respect to u, D / h - e e' / h. Returns false if the point is not unique. */
static bool round_of_ellipsoid(const double r[3], const double u[3], double e[3], double bend[9])
{
	static const double least = 1e-9; /* share of the radius; along the axis of a disc, every point is furthest */
	const double largest = abut_max(r[0], abut_max(r[1], r[2]));
	e[0] = e[1] = e[2] = 0.0;
	const double h = abut_add_ellipsoid(r, u, e);
	for (int i = 0; i < 9; i++) {
		const double D = i % 4 == 0 ? r[i / 3] * r[i / 3] : 0.0;
		bend[i] = h > 0.0 ? (D - e[i / 3] * e[i % 3]) / h : 0.0;
	}
	return h > least * largest || largest == 0.0;
}

bool abut_manifold_round(const AbutManifoldSide *side, const double n[3], double e[3], double bend[9])
{
	const AbutManifoldShape *shape = side->shape;
	double M[9], u[3], r[3] = {0.0, 0.0, 0.0}, own[9];
	bool unique;
	abut_mat3_mul(side->R, shape->shape->rotation, M);
	abut_mat3_tvec(M, n, u);
	if (shape->shape->smooth) {
		unique = abut_shape_smooth_own(shape->shape, u, e, own);
	} else {
		if (shape->radius == 0.0) {
			abut_shape_radii(shape->shape, r);
		}
		unique = round_of_ellipsoid(r, u, e, own);
	}
	abut_mat3_vec(M, e, e);
	turn(M, own, bend);
	for (int i = 0; i < 9; i++) {
		e[i % 3] /= i < 3 ? shape->unit : 1.0;
		bend[i] /= shape->unit;
	}
	return unique && abut_all_finite(e, 3) && abut_all_finite(bend, 9);
}

/* --- patches --- */

/* Cosines of the tilt of a cylinder's or cone's flat end. Below 0.05 rad, its fixed corners represent it; they are too
 * high by at most 0.05 (1 - cos(pi / 32)) = 2.4e-4 of its radius. From 0.05 rad to pi / 3, the plane may be far below
 * all but the lowest point of the rim; therefore this point is added. */
static const double standing = 0.99875, leaning = 0.5;

static void add_corner(AbutManifoldPolygon *out, const double p[3], int index, double bend)
{
	abut_copy3(p, &out->p[3 * out->n]);
	out->corners[out->n] =
	    (AbutManifoldCorner){.rule = ABUT_MANIFOLD_VERTEX, .a = index, .side = out->n, .bend = bend};
	out->n++;
}

/* Finds the face whose normal is most opposed to N. Returns the cosine of the angle between this normal and -N. */
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

/* Adds the lowest point of the rim to the corners of the flat end, in order along the rim. */
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
	for (int k = 0; k < out->n; k++) { /* inserts it between the two neighbours with the least sum of distances */
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

/* Takes the furthest points of the pieces. The furthest point of a disc is not unique along its axis, and is then left
 * out. */
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

/* Takes the one point of a smooth shape; returns false for other shapes. */
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

/* Angle between the sampled directions and the normal (rad), and the distance up to which two points count as one (as a
 * share of the shape's size). */
static const double beside = 0.01, same = 0.05;

/* One direction of the first quadrant, rotated into the others. */
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

/* Takes the furthest points along directions around `back`. The directions turn with the body, so that points keep
 * their numbers. */
static void take_around(const AbutManifoldSide *side, const double back[3], AbutManifoldPolygon *out)
{
	double own[3], t1[3] = {0.0, 0.0, 0.0}, t2[3], p[3];
	abut_mat3_tvec(side->R, back, own);
	const int axis = fabs(own[0]) < 0.7 ? 0 : 1;
	for (int i = 0; i < 3; i++) {
		t1[i] = (i == axis ? 1.0 : 0.0) - own[axis] * own[i];
	}
	abut_divide3(t1, abut_norm3(t1), t1);
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

/* Finds the part of a side that lies furthest against a plane: a face of its hull, or a line or a point of a round
 * shape. A shape known only by its furthest points is sampled along directions around the plane's normal. If it has a
 * face there, the samples are corners of the face. Otherwise they are close to each other, and one point replaces them.
 */
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
