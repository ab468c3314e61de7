/* Computes the contact point of a ball and a polytope. It belongs to the polytope's point nearest to the ball's centre,
 * on a face, on an edge or at a vertex. If the centre is inside, it belongs to the nearest face. Also computes the
 * contact point of two balls. */
#include "collision/manifold/ball.h"

/* The point q of the polytope nearest to a point p outside it, in the polytope's axes. */
typedef struct Nearest {
	double square; /* square of the distance */
	double q[3];
	int face, from, to; /* from < 0: within the face; to < 0: the vertex `from`; otherwise on that edge */
} Nearest;

static void consider(const double p[3], const double q[3], int face, int from, int to, Nearest *best)
{
	const double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
	const double square = abut_dot3(d, d);
	if (square < best->square) {
		*best = (Nearest){.square = square, .face = face, .from = from, .to = to};
		abut_copy3(q, best->q);
	}
}

/* Considers the point of an edge nearest to p, which may be an end of the edge. */
static void consider_edge(const AbutHull *hull, int face, int from, int to, const double p[3], Nearest *best)
{
	const double *a = &hull->vertices[3 * from], *b = &hull->vertices[3 * to];
	const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, way[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
	const double share = abut_dot3(d, way) / abut_dot3(d, d);
	if (share <= 0.0) {
		consider(p, a, face, from, -1, best);
	} else if (share >= 1.0) {
		consider(p, b, face, to, -1, best);
	} else {
		const double q[3] = {a[0] + share * d[0], a[1] + share * d[1], a[2] + share * d[2]};
		consider(p, q, face, from < to ? from : to, from < to ? to : from, best);
	}
}

/* Considers the orthogonal projection of p onto a face if it lies within the face. Otherwise considers points of the
 * face's edges. */
static void consider_face(const AbutHull *hull, int face, double height, const double p[3], Nearest *best)
{
	const double *N = &hull->normals[3 * face];
	const int first = hull->face_start[face], n = hull->face_start[face + 1] - first;
	bool inside = true;
	for (int k = 0; k < n; k++) {
		const int from = hull->face_vertex[first + k], to = hull->face_vertex[first + (k + 1) % n];
		const double *a = &hull->vertices[3 * from], *b = &hull->vertices[3 * to];
		const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
		const double way[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
		double m[3];
		abut_cross3(d, N, m);
		if (abut_dot3(m, way) > 0.0) {
			inside = false;
			consider_edge(hull, face, from, to, p, best);
		}
	}
	if (inside) {
		const double q[3] = {p[0] - height * N[0], p[1] - height * N[1], p[2] - height * N[2]};
		consider(p, q, face, -1, -1, best);
	}
}

/* Finds the face above which p is highest and returns this height, negative if p is inside. If p is outside, `best`
 * becomes the nearest point. */
static double find_nearest(const AbutHull *hull, const double p[3], int *highest, Nearest *best)
{
	double most = -(double)INFINITY;
	*best = (Nearest){.square = (double)INFINITY, .from = -1, .to = -1};
	for (int f = 0; f < hull->n_faces; f++) {
		const double height = abut_dot3(&hull->normals[3 * f], p) - hull->offsets[f];
		if (height > most) {
			most = height;
			*highest = f;
		}
		if (height > 0.0) {
			consider_face(hull, f, height, p, best);
		}
	}
	return most;
}

/* Makes the contact point of a ball and a vertex or an edge of the polytope. */
static void beside_point(const AbutManifoldSide side[2], int ball, const Nearest *nearest, AbutManifold *out)
{
	const AbutManifoldSide *polytope = &side[1 - ball];
	const AbutHull *hull = polytope->shape->hull;
	const double radius = side[ball].shape->radius, length = sqrt(nearest->square);
	AbutManifoldPoint *point = &out->points[0];
	double outwards[3];
	for (int i = 0; i < 3; i++) {
		outwards[i] = point->r[i] - point->q[i];
		out->normal[i] = (ball == 0 ? -outwards[i] : outwards[i]) / length;
	}
	point->gap = length - radius;
	for (int i = 0; i < 3; i++) {
		point->point[i] = point->q[i] + outwards[i] / length * 0.5 * point->gap;
	}
	if (nearest->to < 0) {
		point->rule = ABUT_MANIFOLD_BALL_POINT;
		point->feature = abut_manifold_feature(point->rule, 1 - ball, nearest->from, 0);
		if (ball == 1) { /* r must belong to side 0 */
			const double swap[3] = {point->r[0], point->r[1], point->r[2]};
			abut_copy3(point->q, point->r);
			abut_copy3(swap, point->q);
		}
		return;
	}
	point->rule = ABUT_MANIFOLD_BALL_EDGE;
	point->feature = abut_manifold_feature(point->rule, 1 - ball, nearest->from, nearest->to);
	abut_sub3(&hull->vertices[3 * nearest->to], &hull->vertices[3 * nearest->from], outwards);
	abut_mat3_vec(polytope->R, outwards, point->u);
}

/* Makes the contact point of two balls. If they are concentric, the normal is the world's z. */
static void two_balls(const AbutManifoldSide side[2], AbutManifold *out)
{
	AbutManifoldPoint *point = &out->points[0];
	*point = (AbutManifoldPoint){.rule = ABUT_MANIFOLD_BALL_POINT,
	                             .feature = abut_manifold_feature(ABUT_MANIFOLD_BALL_POINT, 0, 0, 1)};
	out->n = 1;
	abut_manifold_to_world(&side[0], side[0].shape->centre, point->r);
	abut_manifold_to_world(&side[1], side[1].shape->centre, point->q);
	const double way[3] = {point->q[0] - point->r[0], point->q[1] - point->r[1], point->q[2] - point->r[2]};
	const double length = abut_norm3(way), radius = side[0].shape->radius;
	point->gap = length - radius - side[1].shape->radius;
	for (int i = 0; i < 3; i++) {
		out->normal[i] = length > 0.0 ? way[i] / length : (i == 2 ? 1.0 : 0.0);
		point->point[i] = point->r[i] + out->normal[i] * (radius + 0.5 * point->gap);
	}
}

void abut_manifold_ball(const AbutManifoldSide side[2], int ball, AbutManifold *out)
{
	if (side[0].shape->kind == side[1].shape->kind) {
		two_balls(side, out);
		return;
	}
	const AbutManifoldSide *polytope = &side[1 - ball];
	AbutManifoldPoint *point = &out->points[0];
	double own[3];
	int face = 0;
	Nearest nearest;
	*point = (AbutManifoldPoint){.face = 1 - ball};
	out->n = 1;
	abut_manifold_to_world(&side[ball], side[ball].shape->centre, point->r);
	abut_sub3(point->r, polytope->x, own);
	abut_mat3_tvec(polytope->R, own, own);
	const double height = find_nearest(polytope->shape->hull, own, &face, &nearest);
	if (height > 0.0 && nearest.from >= 0) {
		abut_manifold_to_world(polytope, nearest.q, point->q);
		beside_point(side, ball, &nearest, out);
		return;
	}
	double N[3];
	face = height > 0.0 ? nearest.face : face;
	abut_manifold_face_normal(polytope, face, N);
	point->rule = ABUT_MANIFOLD_VERTEX;
	point->feature = abut_manifold_feature(point->rule, 1 - ball, 0, face);
	abut_manifold_over_plane(
	    N, abut_dot3(&polytope->shape->hull->normals[3 * face], own) - polytope->shape->hull->offsets[face],
	    side[ball].shape->radius, point);
	abut_scale3(ball == 1 ? 1.0 : -1.0, N, out->normal);
}
