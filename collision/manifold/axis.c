/* Computes separating axes. Candidates are the normals of flat faces. For two polytopes, they are the normals of both,
 * and the directions orthogonal to an edge of each whose arcs on the unit sphere of normals cross (Gregorius 2013).
 * Only these directions are face normals of the set of differences. */
#include "collision/manifold/axis.h"

#include "collision/manifold/support.h"

/* Sine of the angle between two edges. Edges that are nearly parallel give no axis, since a face normal separates as
 * well. */
static const double parallel = 1e-3;

/* In units of the smaller shape: by how much the separation along a face of side 1 must exceed that along a face of
 * side 0. */
static const double other_better = 1e-6;

/* Finds the face of `own` above which the other side is highest. Returns this height. */
static double best_face(const AbutManifoldSide *own, const AbutManifoldSide *other, int *best)
{
	const AbutHull *hull = own->shape->hull;
	double most = -(double)INFINITY;
	const double way[3] = {other->x[0] - own->x[0], other->x[1] - own->x[1], other->x[2] - own->x[2]};
	for (int f = 0; f < hull->n_faces; f++) {
		double normal[3], back[3];
		abut_manifold_face_normal(own, f, normal);
		abut_mat3_tvec(other->R, normal, back);
		abut_scale3(-1.0, back, back);
		const double height =
		    abut_dot3(normal, way) - abut_manifold_hull_reach(other->shape->hull, back) - hull->offsets[f];
		if (height > most) {
			most = height;
			*best = f;
		}
	}
	return most;
}

/* An edge in the axes of side 0: a point p, the vector d along it, and the normals of its two faces. */
typedef struct Edge {
	double p[3], d[3], left[3], right[3], across[3]; /* across: left x right */
	double length;
} Edge;

static void load_edge(const AbutHull *hull, int index, Edge *out)
{
	const AbutHullEdge *edge = &hull->edges[index];
	abut_copy3(&hull->vertices[3 * edge->from], out->p);
	abut_copy3(&hull->normals[3 * edge->left], out->left);
	abut_copy3(&hull->normals[3 * edge->right], out->right);
	abut_sub3(&hull->vertices[3 * edge->to], out->p, out->d);
}

static void finish_edge(Edge *edge)
{
	abut_cross3(edge->left, edge->right, edge->across);
	edge->length = abut_norm3(edge->d);
}

/* Returns whether the arc between the normals of a's faces crosses that between the negated normals of b's faces. */
static bool arcs_cross(const Edge *a, const Edge *b)
{
	const double la = -abut_dot3(b->left, a->across), ra = -abut_dot3(b->right, a->across);
	const double lb = -abut_dot3(a->left, b->across), rb = -abut_dot3(a->right, b->across);
	/* the ends of each arc lie on different sides of the other arc's plane, and both arcs lie in one hemisphere */
	return la * ra < 0.0 && lb * rb < 0.0 && la * rb < 0.0;
}

typedef struct EdgeAxis {
	double separation;
	double normal[3]; /* side 0's axes */
	int edge[2];
} EdgeAxis;

static void try_edges(const Edge *a, const Edge *b, const double inside[3], int i, int j, EdgeAxis *best)
{
	double n[3], out[3], way[3];
	abut_cross3(a->d, b->d, n);
	const double length = abut_norm3(n);
	if (length < parallel * a->length * b->length) {
		return;
	}
	abut_sub3(a->p, inside, out);
	abut_sub3(b->p, a->p, way);
	const double scale = (abut_dot3(n, out) < 0.0 ? -1.0 : 1.0) / length;
	const double separation = scale * abut_dot3(n, way);
	if (separation > best->separation) {
		best->separation = separation;
		best->edge[0] = i;
		best->edge[1] = j;
		abut_scale3(scale, n, best->normal);
	}
}

/* Loads edge j of side 1 into the axes of side 0, by the rotation R and the translation t. */
static void load_other_edge(const AbutManifoldSide *side, int j, const double R[9], const double t[3], Edge *out)
{
	load_edge(side->shape->hull, j, out);
	abut_mat3_vec(R, out->p, out->p);
	abut_mat3_vec(R, out->d, out->d);
	abut_mat3_vec(R, out->left, out->left);
	abut_mat3_vec(R, out->right, out->right);
	abut_add3(out->p, t, out->p);
	finish_edge(out);
}

/* Tries all pairs of edges. A block of side 0's edges is loaded once and compared with all edges of side 1. */
static void best_edges(const AbutManifoldSide side[2], EdgeAxis *best)
{
	enum { at_a_time = 16 };
	const AbutHull *first = side[0].shape->hull, *second = side[1].shape->hull;
	double R[9], t[3];
	abut_mat3_transposed_mul(side[0].R, side[1].R, R);
	abut_sub3(side[1].x, side[0].x, t);
	abut_mat3_tvec(side[0].R, t, t);
	for (int from = 0; from < first->n_edges; from += at_a_time) {
		const int left = first->n_edges - from, n = left < at_a_time ? left : at_a_time;
		Edge a[at_a_time], b;
		for (int i = 0; i < n; i++) {
			load_edge(first, from + i, &a[i]);
			finish_edge(&a[i]);
		}
		for (int j = 0; j < second->n_edges; j++) {
			load_other_edge(&side[1], j, R, t, &b);
			for (int i = 0; i < n; i++) {
				if (arcs_cross(&a[i], &b)) {
					try_edges(&a[i], &b, side[0].shape->centre, from + i, j, best);
				}
			}
		}
	}
}

void abut_manifold_face_axis(const AbutManifoldSide side[2], AbutManifoldAxis *out)
{
	int face[2] = {0, 0};
	const double height[2] = {best_face(&side[0], &side[1], &face[0]), best_face(&side[1], &side[0], &face[1])};
	out->side = height[1] > height[0] + other_better * abut_manifold_unit(side) ? 1 : 0;
	out->face = face[out->side];
	out->separation = height[out->side];
	abut_manifold_face_normal(&side[out->side], out->face, out->normal);
	for (int i = 0; out->side == 1 && i < 3; i++) {
		out->normal[i] = -out->normal[i];
	}
}

/* Returns the height of the other side above a face, negative in overlap. */
static double height_over(const AbutManifoldSide *own, const AbutManifoldSide *other, int face, double normal[3])
{
	double back[3];
	abut_manifold_face_normal(own, face, normal);
	abut_scale3(-1.0, normal, back);
	return -abut_manifold_reach(other, back) - abut_dot3(normal, own->x) - own->shape->hull->offsets[face] -
	       own->shape->radius;
}

bool abut_manifold_flat_axis(const AbutManifoldSide side[2], const double n[3], AbutManifoldAxis *out)
{
	static const double roughly = 0.7; /* cosine of the angle between a face normal and n */
	bool found = false;
	out->separation = -(double)INFINITY;
	for (int s = 0; s < 2; s++) {
		const AbutHull *hull = side[s].shape->hull;
		const double sign = s == 0 ? 1.0 : -1.0;
		for (int f = 0; hull && f < hull->n_faces; f++) {
			double normal[3];
			abut_manifold_face_normal(&side[s], f, normal);
			if (sign * abut_dot3(normal, n) < roughly) {
				continue;
			}
			const double height = height_over(&side[s], &side[1 - s], f, normal);
			if (height > out->separation +
			                 (found && s != out->side ? other_better * abut_manifold_unit(side) : 0.0)) {
				found = true;
				out->separation = height;
				out->side = s;
				out->face = f;
				abut_scale3(sign, normal, out->normal);
			}
		}
	}
	return found;
}

void abut_manifold_axis(const AbutManifoldSide side[2], bool steady, AbutManifoldAxis *out)
{
	EdgeAxis edges = {.separation = -(double)INFINITY};
	abut_manifold_face_axis(side, out);
	best_edges(side, &edges);
	if (edges.separation > out->separation + (steady ? ABUT_MANIFOLD_STEADY * abut_manifold_unit(side) : 0.0)) {
		out->side = -1;
		out->separation = edges.separation;
		out->edge[0] = edges.edge[0];
		out->edge[1] = edges.edge[1];
		abut_mat3_vec(side[0].R, edges.normal, out->normal);
	}
}
