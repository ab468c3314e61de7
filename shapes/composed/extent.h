/* Computes length, width and thickness of a shape, for coordinates in which thin shapes look round. */
#pragma once

#include <stdbool.h>

#include "abut/shape.h"

/* Half the extents of a shape along three orthogonal axes, the longest first. The box of these extents is nearly the
 * thinnest one around the shape. */
typedef struct AbutExtent {
	double axes[9]; /* rows: unit vectors, right-handed, in the frame in which the shape is given */
	double half[3]; /* m, all positive */
} AbutExtent;

/* Computes the extent with the support function. Returns false if a furthest point is not found (`half` is then NaN),
 * or if the shape has no thickness. */
bool abut_shape_extent(const AbutShape *shape, AbutExtent *out);

/* Computes x = M y, where M = axes' diag(half). In the coordinates y the shape is about as thick as long. */
void abut_extent_to_shape(const AbutExtent *extent, const double y[3], double x[3]);
/* Computes y = M^-1 x; y may be x. */
void abut_extent_from_shape(const AbutExtent *extent, const double x[3], double y[3]);
/* Computes u = M^-1' w: the direction in the shape's frame that corresponds to w in the coordinates y. It has any
 * length. */
void abut_extent_direction(const AbutExtent *extent, const double w[3], double u[3]);
