/* Distance of a point to the convex hull of others. */
#ifndef SHAPES_HULL_DISTANCE_H
#define SHAPES_HULL_DISTANCE_H

/* Distance of p to the hull of n >= 1 points (n x 3), with the nearest point of the hull; 0 when p lies in it. Exact to
 * rounding: about 1e-14 of the distances between p and the points. */
double abut_hull_distance(int n, const double *points, const double p[3], double nearest[3]);

#endif
