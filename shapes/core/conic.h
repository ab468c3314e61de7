/* Allocates, copies and destroys shapes. Each shape is one block of memory. */
#pragma once

#include "abut/shape.h"

/* The layout of AbutShape.cage (shapes/support/bounds.c). */
enum {
	ABUT_CAGE_STEPS = 8, /* steps along an edge of the octahedron of directions */
	ABUT_CAGE_SIDE = 2 * ABUT_CAGE_STEPS + 1,
	ABUT_CAGE_DOUBLES = 1 + 4 * 2 * ABUT_CAGE_SIDE * ABUT_CAGE_SIDE /* 18 kB */
};

/* Returns an array of a shape for writing. Users see the arrays as const, but the shape's block is writable. */
static inline double *abut_shape_edit(const double *array)
{
	return (double *)array;
}

/* Returns the functions of a smooth shape for writing. */
static inline AbutSmooth *abut_shape_edit_smooth(AbutShape *shape)
{
	return (AbutSmooth *)shape->smooth;
}

/* Allocates one block for a shape and its arrays. Everything is zero except dimensions, pointers and the rotation,
 * which is the identity. */
AbutStatus abut_shape_allocate(AbutShapeKind kind, int n_orthant, int n_soc, const int *soc_dim, int n_eps,
                               int n_vertices, AbutShape **out, AbutError *error);

/* Allocates a list of copies of n shapes, to be freed by abut_shapes_destroy. */
AbutStatus abut_shapes_clone(int n, const AbutShape *const *shapes, AbutShape ***out, AbutError *error);
/* Destroys n shapes and frees their list. */
void abut_shapes_destroy(int n, AbutShape **shapes);
/* Sets the parts of a shape to copies of `parts`. Their coordinates stay in its own frame when the shape moves. */
AbutStatus abut_shape_copy_parts(AbutShape *shape, int n, const AbutShape *const *parts, AbutError *error);
