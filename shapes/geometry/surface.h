/* What any list of points and triangles has: bounds, and the solid angle under which a triangle is seen. */
#ifndef SHAPES_GEOMETRY_SURFACE_H
#define SHAPES_GEOMETRY_SURFACE_H

/* Lowest and highest coordinates of n >= 1 points. */
void abut_points_bounds(int n, const double *points, double low[3], double high[3]);

/* Half the solid angle of the triangle a, b, c seen from p, positive when it is counterclockwise seen from the far
 * side, so that the angles of a closed surface that faces outwards add up to 2 pi at a point inside; 0 in its plane. */
double abut_triangle_half_angle(const double a[3], const double b[3], const double c[3], const double p[3]);

#endif
