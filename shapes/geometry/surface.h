/* Computes bounds of points and the solid angle of a triangle. */
#pragma once

/* Computes the lowest and highest coordinates of n >= 1 points. */
void abut_points_bounds(int n, const double *points, double low[3], double high[3]);

/* Returns half the solid angle of the triangle a, b, c seen from p. It is positive if the triangle is counterclockwise
 * seen from the far side, so that a closed surface that faces outwards has the sum 2 pi at a point inside. It is 0 in
 * the plane of the triangle. */
double abut_triangle_half_angle(const double a[3], const double b[3], const double c[3], const double p[3]);
