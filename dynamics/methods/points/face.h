/* Faces of a hull beside points of method point-ncp, in the axes of the hull's body unless something else is said. */
#ifndef DYNAMICS_METHODS_POINTS_FACE_H
#define DYNAMICS_METHODS_POINTS_FACE_H

#include "dynamics/body/body.h"
#include "dynamics/contact/contact.h"
#include "dynamics/methods/points/set.h"

/* How a point that is beyond the border of what it lies over by h is let go: added to its gap is 0 up to h = 0, then a
 * parabola h^2 / (2 slack), and from its slope 2 on the straight line on. Steeper ones jam the path. */
static inline double abut_point_release(double h, double slack, double *slope)
{
	const double most = 2.0;
	*slope = h <= 0.0 ? 0.0 : h < most * slack ? h / slack : most;
	return *slope * (h - 0.5 * *slope * slack);
}

/* The gap of point p over a face with normal m, and its slope by p:
 *
 *     m.p - o + sum over the face's sides of release(h),     h how far p is beyond a side
 *
 * without a slack (0) the plane's own. Tested by differences in
 * tests/dynamics/methods/points/test_point_ncp_directions.c. */
double abut_point_face_gap(const AbutHull *hull, int face, double slack, const double p[3], double slope[3]);

/* The face whose plane p is farthest above, and by how much: no more than its distance from the hull. */
int abut_point_face_above(const AbutHull *hull, const double p[3], double *above);

/* Whether p, above a face, is beyond one of its sides; then the ends of the side that is nearest. */
bool abut_point_face_edge(const AbutHull *hull, int face, const double p[3], double ends[6]);

/* The face of a hull whose plane is farthest below all points of another set where both are, and that distance. */
int abut_point_face_between(const AbutHull *hull, const AbutBodyWork *own, const AbutPointSet *other,
                            const AbutBodyWork *body, double *separation);

#endif
