/* Faces of a hull beside points of method point-ncp, in the axes of the hull's body unless stated otherwise. */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/contact/contact.h"
#include "dynamics/methods/points/set.h"

/* Returns the release of a point that is h beyond the border below it: the addition to its gap is 0 up to h = 0, then a
 * parabola h^2 / (2 slack), and a straight line from slope 2 on. Steeper releases jam the path. */
static inline double abut_point_release(double h, double slack, double *slope)
{
	const double most = 2.0;
	*slope = h <= 0.0 ? 0.0 : h < most * slack ? h / slack : most;
	return *slope * (h - 0.5 * *slope * slack);
}

/* Returns the gap of point p over a face with normal m, and computes its slope by p:
 *
 *     m.p - o + sum over the face's sides of release(h),     h how far p is beyond a side
 *
 * Without a slack (0) it is the plane's own gap. Tested with finite differences in
 * tests/dynamics/methods/points/test_point_ncp_directions.c. */
double abut_point_face_gap(const AbutHull *hull, int face, double slack, const double p[3], double slope[3]);

/* Finds the face whose plane p is farthest above, and that height, which is at most p's distance from the hull. */
int abut_point_face_above(const AbutHull *hull, const double p[3], double *above);

/* Returns whether p, above a face, is beyond one of its sides, and then the ends of the nearest side. */
bool abut_point_face_edge(const AbutHull *hull, int face, const double p[3], double ends[6]);

/* Finds the face of a hull whose plane is farthest below all points of another set, and that distance. */
int abut_point_face_between(const AbutHull *hull, const AbutBodyWork *own, const AbutPointSet *other,
                            const AbutBodyWork *body, double *separation);
