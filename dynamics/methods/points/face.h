/* Computes gaps between points of method point-ncp and faces of a hull, in the axes of the hull's body unless stated
 * otherwise. */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/contact/contact.h"
#include "dynamics/methods/points/set.h"

/* Returns release(h), the addition to the gap of a point that is h beyond the border of the face or line below it. It
 * is 0 up to h = 0, then a parabola h^2 / (2 slack), and a straight line once the slope is 2. The solver's path jams
 * with steeper releases. */
static inline double abut_point_release(double h, double slack, double *slope)
{
	const double most = 2.0;
	*slope = h <= 0.0 ? 0.0 : h < most * slack ? h / slack : most;
	return *slope * (h - 0.5 * *slope * slack);
}

/* Returns the gap of point p over a face with normal m and offset o, and computes its derivative with respect to p.
 * With h how far p is beyond a side of the face:
 *
 *     gap = m.p - o + sum over the sides of release(h)
 *
 * With slack 0 it is the gap to the plane. Tested with finite differences in
 * tests/dynamics/methods/points/test_point_ncp_directions.c. */
double abut_point_face_gap(const AbutHull *hull, int face, double slack, const double p[3], double slope[3]);

/* Returns the face whose plane p is farthest above. `above` becomes its height, which is at most p's distance from the
 * hull. */
int abut_point_face_above(const AbutHull *hull, const double p[3], double *above);

/* Returns whether p is above a face and beyond one of its sides. If so, `ends` becomes those of the nearest one. */
bool abut_point_face_edge(const AbutHull *hull, int face, const double p[3], double ends[6]);

/* Returns the face of a hull whose plane separates it best from another set. `separation` becomes the height of the
 * set's lowest point over this plane. */
int abut_point_face_between(const AbutHull *hull, const AbutBodyWork *own, const AbutPointSet *other,
                            const AbutBodyWork *body, double *separation);
