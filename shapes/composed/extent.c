/* Computes length, width and thickness of a shape from its furthest points in many directions. The length is the
 * longest distance from the first point; the width is the longest distance across the length; the thickness is the
 * extent across both. For a thin shape nearly all of these points lie on the rim. So the thickness is computed from the
 * support function along its own direction. Tested by conic_data/extent_of_boxes and conic_data/thin_lenses in
 * tests/shapes. */
#include "shapes/composed/extent.h"

#include <math.h>
#include <stddef.h>

#include "base/vec3.h"
#include "shapes/core/spiral.h"

enum { DIRECTIONS = 64 };

/* Adds a new axis after the first `n` axes: the direction in which a point is furthest from the first point, measured
 * across these axes. Returns false if all points lie in their span. */
static bool longest_across(const double *points, int n, double axes[9])
{
	double best = 0.0, *axis = &axes[3 * n];
	for (int i = 1; i < DIRECTIONS; i++) {
		double rest[3];
		abut_sub3(&points[3 * i], points, rest);
		for (int a = 0; a < n; a++) {
			abut_add_scaled3(rest, -abut_dot3(&axes[3 * a], rest), &axes[3 * a], rest);
		}
		const double length = abut_norm3(rest);
		if (length > best) {
			best = length;
			abut_divide3(rest, length, axis);
		}
	}
	return best > 0.0;
}

/* Chooses any direction across the first axis, for points that all lie along it. */
static void any_across(double axes[9])
{
	const double x = fabs(axes[0]), y = fabs(axes[1]), z = fabs(axes[2]);
	double other[3] = {0.0, 0.0, 0.0};
	other[x <= y ? (x <= z ? 0 : 2) : (y <= z ? 1 : 2)] = 1.0;
	abut_cross3(axes, other, &axes[3]);
	abut_divide3(&axes[3], abut_norm3(&axes[3]), &axes[3]);
}

bool abut_shape_extent(const AbutShape *shape, AbutExtent *out)
{
	double points[3 * DIRECTIONS];
	for (int i = 0; i < DIRECTIONS; i++) {
		double u[3];
		abut_shape_spiral(i, DIRECTIONS, u);
		abut_shape_support(shape, u, &points[3 * i]);
	}
	const bool found = abut_all_finite(points, 3 * DIRECTIONS);
	out->half[0] = out->half[1] = out->half[2] = found ? 0.0 : (double)NAN;
	if (!found || !longest_across(points, 0, out->axes)) {
		return false;
	}
	if (!longest_across(points, 1, out->axes)) {
		any_across(out->axes);
	}
	abut_cross3(out->axes, &out->axes[3], &out->axes[6]);
	bool solid = true;
	for (int i = 0; i < 3; i++) {
		const double *axis = &out->axes[3 * i], back[3] = {-axis[0], -axis[1], -axis[2]};
		out->half[i] = 0.5 * (abut_shape_support(shape, axis, NULL) + abut_shape_support(shape, back, NULL));
		solid = solid && out->half[i] > 0.0 && isfinite(out->half[i]);
	}
	return solid;
}

void abut_extent_to_shape(const AbutExtent *extent, const double y[3], double x[3])
{
	const double own[3] = {extent->half[0] * y[0], extent->half[1] * y[1], extent->half[2] * y[2]};
	abut_mat3_tvec(extent->axes, own, x);
}

void abut_extent_from_shape(const AbutExtent *extent, const double x[3], double y[3])
{
	abut_mat3_vec(extent->axes, x, y);
	for (int i = 0; i < 3; i++) {
		y[i] /= extent->half[i];
	}
}

void abut_extent_direction(const AbutExtent *extent, const double w[3], double u[3])
{
	const double own[3] = {w[0] / extent->half[0], w[1] / extent->half[1], w[2] / extent->half[2]};
	abut_mat3_tvec(extent->axes, own, u);
}
