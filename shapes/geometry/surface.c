/* Computes bounds of points and the solid angle of a triangle. With the vectors a, b, c from p to its corners,
 *      tan(angle / 2) = a . (b x c) / (|a||b||c| + (a . b)|c| + (b . c)|a| + (c . a)|b|)   (van Oosterom and Strackee).
 * Tested in tests/shapes/mesh/mesh_repair.c by solids within solids. */
#include "shapes/geometry/surface.h"

#include <math.h>
#include <stddef.h>

#include "base/vec3.h"

void abut_points_bounds(int n, const double *points, double low[3], double high[3])
{
	abut_copy3(points, low);
	abut_copy3(points, high);
	for (size_t i = 1; i < (size_t)n; i++) {
		for (size_t k = 0; k < 3; k++) {
			low[k] = abut_min(low[k], points[3 * i + k]);
			high[k] = abut_max(high[k], points[3 * i + k]);
		}
	}
}

double abut_triangle_half_angle(const double a[3], const double b[3], const double c[3], const double p[3])
{
	const double u[3] = {a[0] - p[0], a[1] - p[1], a[2] - p[2]}, v[3] = {b[0] - p[0], b[1] - p[1], b[2] - p[2]},
	             w[3] = {c[0] - p[0], c[1] - p[1], c[2] - p[2]};
	const double lu = abut_norm3(u), lv = abut_norm3(v), lw = abut_norm3(w);
	double cross[3];
	abut_cross3(v, w, cross);
	return atan2(abut_dot3(u, cross),
	             lu * lv * lw + abut_dot3(u, v) * lw + abut_dot3(v, w) * lu + abut_dot3(w, u) * lv);
}
