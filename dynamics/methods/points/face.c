/* Computes gaps of points beside the faces of a hull, and finds the nearest faces and sides. */
#include "dynamics/methods/points/face.h"

#include <math.h>

#include "base/vec3.h"

static int side_count(const AbutHull *hull, int face)
{
	return hull->face_start[face + 1] - hull->face_start[face];
}

/* Computes the ends of a side of a face, counterclockwise from outside. */
static void side_ends(const AbutHull *hull, int face, int side, const double *end[2])
{
	const int *vertices = &hull->face_vertex[hull->face_start[face]];
	for (int e = 0; e < 2; e++) {
		end[e] = &hull->vertices[3 * vertices[(side + e) % side_count(hull, face)]];
	}
}

/* Returns how far p is beyond a side, along the face, and computes the unit direction out of it. */
static double beyond_side(const AbutHull *hull, int face, int side, const double p[3], double out[3])
{
	const double *end[2];
	double along[3], from[3];
	side_ends(hull, face, side, end);
	abut_sub3(end[1], end[0], along);
	abut_sub3(p, end[0], from);
	abut_cross3(along, &hull->normals[3 * face], out);
	const double length = abut_norm3(out);
	abut_divide3(out, length, out);
	return abut_dot3(out, from);
}

static double height(const AbutHull *hull, int face, const double p[3])
{
	return abut_dot3(&hull->normals[3 * face], p) - hull->offsets[face];
}

double abut_point_face_gap(const AbutHull *hull, int face, double slack, const double p[3], double slope[3])
{
	double gap = height(hull, face, p);
	abut_copy3(&hull->normals[3 * face], slope);
	for (int s = 0; slack > 0.0 && s < side_count(hull, face); s++) {
		double out[3], steep;
		gap += abut_point_release(beyond_side(hull, face, s, p, out), slack, &steep);
		abut_add_scaled3(slope, steep, out, slope);
	}
	return gap;
}

int abut_point_face_above(const AbutHull *hull, const double p[3], double *above)
{
	int best = 0;
	*above = -INFINITY;
	for (int f = 0; f < hull->n_faces; f++) {
		const double own = height(hull, f, p);
		best = own > *above ? f : best;
		*above = abut_max(*above, own);
	}
	return best;
}

static double squared_distance(const double *end[2], const double p[3])
{
	double along[3], from[3], left[3];
	abut_sub3(end[1], end[0], along);
	abut_sub3(p, end[0], from);
	const double share = abut_min(abut_max(abut_dot3(along, from) / abut_dot3(along, along), 0.0), 1.0);
	abut_add_scaled3(from, -share, along, left);
	return abut_dot3(left, left);
}

bool abut_point_face_edge(const AbutHull *hull, int face, const double p[3], double ends[6])
{
	double nearest = INFINITY;
	if (height(hull, face, p) <= 0.0) {
		return false;
	}
	for (int s = 0; s < side_count(hull, face); s++) {
		double out[3];
		const double *end[2];
		side_ends(hull, face, s, end);
		const double distance = squared_distance(end, p);
		if (beyond_side(hull, face, s, p, out) > 0.0 && distance < nearest) {
			nearest = distance;
			abut_copy3(end[0], ends);
			abut_copy3(end[1], &ends[3]);
		}
	}
	return nearest < (double)INFINITY;
}

/* Returns the height of the lowest point of a set over a face. */
static double lowest(const AbutHull *hull, int face, const AbutBodyWork *own, const AbutPointSet *other,
                     const AbutBodyWork *body)
{
	double normal[3], back[3], apart[3], least = INFINITY;
	abut_mat3_vec(own->R, &hull->normals[3 * face], normal);
	abut_mat3_tvec(body->R, normal, back);
	abut_sub3(body->x, own->x, apart);
	for (int i = 0; i < other->n; i++) {
		least = abut_min(least, abut_dot3(back, &other->points[3 * i]));
	}
	return least - other->radius + abut_dot3(normal, apart) - hull->offsets[face];
}

int abut_point_face_between(const AbutHull *hull, const AbutBodyWork *own, const AbutPointSet *other,
                            const AbutBodyWork *body, double *separation)
{
	int best = 0;
	*separation = -INFINITY;
	for (int f = 0; f < hull->n_faces; f++) {
		const double low = lowest(hull, f, own, other, body);
		best = low > *separation ? f : best;
		*separation = abut_max(*separation, low);
	}
	return best;
}
