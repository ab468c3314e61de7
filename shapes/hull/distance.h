/* Computes the distance of a point to the convex hull of other points. */
#pragma once

/* Returns the distance (m) of p to the hull of n >= 1 points (n x 3); 0 if p lies inside. `nearest` receives the
 * nearest point of the hull. Exact to rounding: about 1e-14 of the distances between p and the points. */
double abut_hull_distance(int n, const double *points, const double p[3], double nearest[3]);
