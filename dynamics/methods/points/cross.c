/* Finds crossing lines, their nearest points, and their derivatives. */
#include "dynamics/methods/points/cross.h"

#include <math.h>

#include "base/vec3.h"
#include "dynamics/methods/points/face.h"

/* --- nearest points of two lines --- */

/* Solves u.(s u - t v) = along_u, v.(s u - t v) = along_v for s and t. */
static void solve_shares(const double u[3], const double v[3], double along_u, double along_v, double share[2])
{
	const double uu = abut_dot3(u, u), vv = abut_dot3(v, v), uv = abut_dot3(u, v), determinant = uu * vv - uv * uv;
	share[0] = (vv * along_u - uv * along_v) / determinant;
	share[1] = (uv * along_u - uu * along_v) / determinant;
}

void abut_point_lines_place(double sign, const double first[2][3], const double apart[3], AbutPointLines *lines)
{
	const double *u = lines->along[0], *v = lines->along[1];
	double start[3];
	abut_sub3(first[1], first[0], start);
	abut_add3(start, apart, start);
	solve_shares(u, v, abut_dot3(start, u), abut_dot3(start, v), lines->share);
	abut_cross3(u, v, lines->across);
	abut_add_scaled3(start, lines->share[1], v, lines->way);
	abut_add_scaled3(lines->way, -lines->share[0], u, lines->way);
	abut_scale3(sign, lines->across, lines->across);
	lines->length = abut_norm3(lines->across);
}

/* Returns how far the nearest point of a line is beyond its ends; negative between them. */
static double beyond_ends(const AbutPointLines *lines, int side)
{
	return abut_norm3(lines->along[side]) * abut_max(-lines->share[side], lines->share[side] - 1.0);
}

double abut_point_lines_release(const AbutPointLines *lines, const AbutPointSet *const set[2], double slope[2])
{
	double sum = 0.0;
	for (int s = 0; s < 2; s++) {
		double steep;
		sum += abut_point_release(beyond_ends(lines, s), set[s]->slack, &steep);
		slope[s] = (lines->share[s] < 0.0 ? -steep : steep) * abut_norm3(lines->along[s]);
	}
	return sum;
}

/* Differentiates the nearest points r and q. The lines turn by du = turn_0 x u and dv = turn_1 x v; `parting` is d(q -
 * r) at fixed shares s and t. Then d(q - r) = parting + v dt - u ds, and since q - r stays orthogonal to u and v:
 *
 *     u.(u ds - v dt) = parting.u + (q - r).du,     v.(u ds - v dt) = parting.v + (q - r).dv */
void abut_point_lines_push(const AbutPointLines *lines, double sign, const double turn[2][3], const double parting[3],
                           double across[3], double share[2])
{
	const double *u = lines->along[0], *v = lines->along[1];
	double du[3], dv[3], by_u[3], by_v[3];
	abut_cross3(turn[0], u, du);
	abut_cross3(turn[1], v, dv);
	abut_cross3(du, v, by_u);
	abut_cross3(u, dv, by_v);
	abut_add3(by_u, by_v, across);
	abut_scale3(sign, across, across);
	solve_shares(u, v, abut_dot3(parting, u) + abut_dot3(lines->way, du),
	             abut_dot3(parting, v) + abut_dot3(lines->way, dv), share);
}

/* --- choice of lines --- */

/* Sine of the angle below which two lines count as parallel. Their ends, over faces and beside axes, then carry the
 * contact. */
static const double parallel = 1e-3;

/* Largest sine by which a normal may lean out of the range between the normals of an edge's two faces. It is not zero
 * because faces in contact tilt a little. */
static const double lean = 0.2;

typedef struct Line {
	double ends[6];        /* body axes */
	double first[3], d[3]; /* first end, from the body's position, and the way to the second end; world axes */
	bool rod;
	double into[2][3], out[3]; /* edges only: directions across the edge into its faces, and between the faces'
	                              normals; world axes */
} Line;

static int line_count(const AbutPointSet *set)
{
	return set->kind == ABUT_POINT_ROD ? 1 : set->hull->n_edges;
}

/* Sets `into` and `out` of an edge. Faces run counterclockwise seen from outside, so that `left` is on the left of the
 * edge. */
static void load_sides(const AbutHull *hull, const AbutHullEdge *edge, const double R[9], Line *line)
{
	double left[3], right[3], back[3];
	abut_mat3_vec(R, &hull->normals[3 * edge->left], left);
	abut_mat3_vec(R, &hull->normals[3 * edge->right], right);
	abut_add3(left, right, line->out);
	abut_scale3(-1.0, line->d, back);
	abut_cross3(left, line->d, line->into[0]);
	abut_cross3(right, back, line->into[1]);
	for (int f = 0; f < 2; f++) {
		const double length = abut_norm3(line->into[f]);
		abut_divide3(line->into[f], length, line->into[f]);
	}
}

static void load_line(const AbutPointSet *set, const AbutBodyWork *body, int index, Line *line)
{
	const AbutHullEdge *edge = set->hull ? &set->hull->edges[index] : NULL;
	double own[3];
	abut_copy3(&set->points[edge ? 3 * edge->from : 0], line->ends);
	abut_copy3(&set->points[edge ? 3 * edge->to : 3], &line->ends[3]);
	abut_sub3(&line->ends[3], line->ends, own);
	abut_mat3_vec(body->R, line->ends, line->first);
	abut_mat3_vec(body->R, own, line->d);
	line->rod = !edge;
	if (edge) {
		load_sides(set->hull, edge, body->R, line);
	}
}

/* Returns the sine by which `sign` n leans out of the range of the line's normals; negative within it. */
static double leans(const Line *line, const double n[3], double sign)
{
	return line->rod ? -(double)INFINITY
	                 : abut_max(sign * abut_dot3(n, line->into[0]), sign * abut_dot3(n, line->into[1]));
}

typedef struct Found {
	AbutPointCrossing crossing;
	double separation, gap; /* `gap` includes the release beyond the lines' ends */
	double beyond;          /* largest distance beyond the ends of a line */
	bool bounds;            /* the separation is that of the two whole sets along the normal */
	int order;
} Found;

/* Computes the crossing of two lines. Returns false if they do not separate anything. */
static bool cross_lines(const AbutPointSet *const set[2], const double apart[3], const Line *a, const Line *b,
                        Found *out)
{
	AbutPointLines lines = {.along = {{0.0}}};
	double n[3], slope[2];
	abut_copy3(a->d, lines.along[0]);
	abut_copy3(b->d, lines.along[1]);
	abut_cross3(a->d, b->d, n);
	const double length = abut_norm3(n);
	if (length < parallel * abut_norm3(a->d) * abut_norm3(b->d)) {
		return false;
	}
	double first[2][3];
	abut_copy3(a->first, first[0]);
	abut_copy3(b->first, first[1]);
	abut_point_lines_place(1.0, (const double(*)[3])first, apart, &lines);
	const double towards = !a->rod   ? abut_dot3(n, a->out)
	                       : !b->rod ? -abut_dot3(n, b->out)
	                                 : abut_dot3(n, lines.way);
	const double sign = towards < 0.0 ? -1.0 : 1.0;
	abut_scale3(sign / length, n, n);
	const double leaning = abut_max(leans(a, n, 1.0), leans(b, n, -1.0));
	if (leaning > lean) {
		return false;
	}
	out->bounds = leaning <= 0.0;
	out->crossing.sign = sign;
	for (int i = 0; i < 6; i++) {
		out->crossing.ends[0][i] = a->ends[i];
		out->crossing.ends[1][i] = b->ends[i];
	}
	out->separation = abut_dot3(n, lines.way) - set[0]->radius - set[1]->radius;
	out->gap = out->separation + abut_point_lines_release(&lines, set, slope);
	out->beyond = abut_max(beyond_ends(&lines, 0), beyond_ends(&lines, 1));
	return true;
}

/* Returns the largest separation of two sets along a face normal; -infinity without faces. */
static double faces_part(const AbutPointSet *const set[2], AbutBodyWork *const body[2])
{
	double most = -(double)INFINITY;
	for (int s = 0; s < 2; s++) {
		if (set[s]->hull) {
			double separation;
			abut_point_face_between(set[s]->hull, body[s], set[1 - s], body[1 - s], &separation);
			most = abut_max(most, separation);
		}
	}
	return most;
}

/* Inserts a crossing into the list of at most `most` with the smallest gaps. */
static void keep(const Found *found, int most, int *n, Found *best)
{
	int at = *n < most ? (*n)++ : most;
	while (at > 0 && found->gap < best[at - 1].gap) {
		at--;
		if (at + 1 < *n) {
			best[at + 1] = best[at];
		}
	}
	if (at < *n) {
		best[at] = *found;
	}
}

/* Sorts crossings by the indices of their lines (`order`), so that a crossing usually keeps its index from step to
 * step. */
static void sort_by_order(int n, Found *best)
{
	for (int i = 1; i < n; i++) {
		const Found found = best[i];
		int at = i;
		for (; at > 0 && best[at - 1].order > found.order; at--) {
			best[at] = best[at - 1];
		}
		best[at] = found;
	}
}

double abut_point_way(AbutBodyWork *const body[2], double timestep)
{
	double apart[3];
	abut_sub3(body[1]->v0, body[0]->v0, apart);
	return timestep * (abut_norm3(apart) + abut_norm3(body[0]->w0) * body[0]->radius +
	                   abut_norm3(body[1]->w0) * body[1]->radius);
}

typedef struct Search {
	const AbutPointSet *const *set;
	AbutBodyWork *const *body;
	double apart[3], reach;
	double parted; /* largest separation along any direction found */
	int most, n;
	Found best[ABUT_POINT_CROSSINGS];
} Search;

/* Returns whether to use a crossing: it separates the bodies about as well as the best direction, and the step may
 * close it. Lines with clearly more overlap are beside each other. Two capsules have only one crossing, which counts
 * however far it slides beyond the ends. */
static bool is_wanted(const Search *search, const Found *found)
{
	const double slack = abut_min(search->set[0]->slack, search->set[1]->slack);
	const bool alone = line_count(search->set[0]) * line_count(search->set[1]) == 1;
	return found->separation >= search->parted - slack && found->separation < search->reach &&
	       (alone || found->beyond < search->reach);
}

static void visit(Search *search, bool choosing, const Found *found)
{
	if (choosing && is_wanted(search, found)) {
		keep(found, search->most, &search->n, search->best);
	} else if (!choosing && found->bounds) {
		search->parted = abut_max(search->parted, found->separation);
	}
}

static void visit_all(Search *search, bool choosing)
{
	const int n = line_count(search->set[0]), m = line_count(search->set[1]);
	for (int i = 0; i < n; i++) {
		Line a, b;
		load_line(search->set[0], search->body[0], i, &a);
		for (int j = 0; j < m; j++) {
			Found found = {.order = i * m + j};
			load_line(search->set[1], search->body[1], j, &b);
			if (cross_lines(search->set, search->apart, &a, &b, &found)) {
				visit(search, choosing, &found);
			}
		}
	}
}

int abut_point_crossings(const AbutPointSet *const set[2], AbutBodyWork *const body[2], double timestep, int most,
                         AbutPointCrossing *out)
{
	Search search = {.set = set,
	                 .body = body,
	                 .reach = abut_point_way(body, timestep) + set[0]->slack + set[1]->slack,
	                 .parted = faces_part(set, body),
	                 .most = most};
	abut_sub3(body[1]->x, body[0]->x, search.apart);
	if (search.parted > search.reach) {
		return 0;
	}
	visit_all(&search, false);
	visit_all(&search, true);
	sort_by_order(search.n, search.best);
	for (int i = 0; i < search.n; i++) {
		out[i] = search.best[i].crossing;
	}
	return search.n;
}
