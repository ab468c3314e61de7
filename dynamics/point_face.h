/* Faces of a hull beside points of method point-ncp. All in the axes of the hull's body. */
#ifndef DYNAMICS_POINT_FACE_H
#define DYNAMICS_POINT_FACE_H

#include "shapes/hull.h"

#include <stdbool.h>

/* The gap of point p over a face with normal m, and its slope by p:
 *
 *     m.p - o + sum over the face's sides of max(h, 0)^2 / (2 slack),     h how far p is beyond a side
 *
 * so that a corner beside the face is let go smoothly; without a slack (0) the plane's own. Tested by differences in
 * tests/dynamics/test_point_ncp_directions.c. */
double abut_point_face_gap(const AbutHull *hull, int face, double slack, const double p[3], double slope[3]);

/* The face whose plane p is farthest above. */
int abut_point_face_above(const AbutHull *hull, const double p[3]);

/* Whether p, above a face, is beyond one of its sides; then the ends of the side that is nearest. */
bool abut_point_face_edge(const AbutHull *hull, int face, const double p[3], double ends[6]);

/* The face of a hull at (x, R) whose plane is farthest below all corners of another. */
int abut_point_face_between(const AbutHull *hull, const double x[3], const double R[9], const AbutHull *other,
                            const double other_x[3], const double other_R[9]);

#endif
