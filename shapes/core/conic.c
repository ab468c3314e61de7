/* Allocates, copies and destroys shapes. Each shape is one block of memory. */
#include "shapes/core/conic.h"

#include <stdlib.h>
#include <string.h>

#include "abut/smooth.h"
#include "base/error.h"
#include "shapes/core/inputs.h"

const char *abut_shape_kind_name(AbutShapeKind kind)
{
	static const char *const names[] = {
#define ABUT_X(constant, name) name,
	    ABUT_SHAPE_LIST(ABUT_X)
#undef ABUT_X
	};
	_Static_assert(sizeof names / sizeof *names == ABUT_SHAPE_COUNT, "one name per kind");
	return (unsigned)kind < ABUT_SHAPE_COUNT ? names[kind] : "unknown";
}

/* The block contains the struct; then A, B, d, h and vertices (doubles); the functions of a smooth shape; and soc_dim
 * (ints). The cage is a separate block, because few shapes have one. */
static size_t count_doubles(const AbutShape *shape)
{
	const size_t rows = (size_t)shape->n_rows;
	return rows * (3 + (size_t)shape->n_eps + 1 + 1) + (size_t)shape->n_vertices * 3;
}

static size_t block_size(const AbutShape *shape)
{
	return sizeof *shape + count_doubles(shape) * sizeof(double) +
	       (shape->kind == ABUT_SHAPE_SMOOTH ? sizeof *shape->smooth : 0) + (size_t)shape->n_soc * sizeof(int);
}

static void point_into_block(AbutShape *shape)
{
	const size_t rows = (size_t)shape->n_rows;
	const double *next = (const double *)(shape + 1);
	shape->A = next;
	next += rows * 3;
	shape->B = next;
	next += rows * (size_t)shape->n_eps;
	shape->d = next;
	next += rows;
	shape->h = next;
	next += rows;
	shape->vertices = next;
	next += (size_t)shape->n_vertices * 3;
	const void *rest = next;
	shape->smooth = NULL;
	if (shape->kind == ABUT_SHAPE_SMOOTH) {
		shape->smooth = rest;
		rest = shape->smooth + 1;
	}
	shape->soc_dim = rest;
}

AbutStatus abut_shape_allocate(AbutShapeKind kind, int n_orthant, int n_soc, const int *soc_dim, int n_eps,
                               int n_vertices, AbutShape **out, AbutError *error)
{
	AbutShape dimensions = {.kind = kind,
	                        .n_rows = n_orthant,
	                        .n_eps = n_eps,
	                        .n_orthant = n_orthant,
	                        .n_soc = n_soc,
	                        .n_vertices = n_vertices,
	                        .smooth_unit = 1.0,
	                        .rotation = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
	for (int i = 0; i < n_soc; i++) {
		dimensions.n_rows += soc_dim[i];
	}
	AbutShape *shape = calloc(1, block_size(&dimensions));
	if (!shape) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a %s of %d rows",
		                      abut_shape_kind_name(kind), dimensions.n_rows);
	}
	*shape = dimensions;
	point_into_block(shape);
	if (n_soc > 0) {
		memcpy((int *)shape->soc_dim, soc_dim, (size_t)n_soc * sizeof(int));
	}
	*out = shape;
	return ABUT_OK;
}

/* Frees the shape itself, but not its parts or the data of its functions. */
static void free_own(AbutShape *shape)
{
	free(abut_shape_edit(shape->cage));
	free(shape);
}

AbutStatus abut_shape_clone(const AbutShape *shape, AbutShape **out, AbutError *error)
{
	ABUT_TRY(abut_shape_check_out(out, error));
	if (!shape) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "shape", "shape is NULL; a shape is required");
	}
	const size_t size = block_size(shape);
	AbutShape *copy = malloc(size);
	double *const cage = shape->cage ? malloc(ABUT_CAGE_DOUBLES * sizeof *cage) : NULL;
	if (!copy || (shape->cage && !cage)) {
		free(copy);
		free(cage);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a copy of a %s of %d rows",
		                      abut_shape_kind_name(shape->kind), shape->n_rows);
	}
	memcpy(copy, shape, size);
	point_into_block(copy);
	copy->cage = cage;
	if (cage) {
		memcpy(cage, shape->cage, ABUT_CAGE_DOUBLES * sizeof *cage);
	}
	const AbutStatus parts =
	    shape->n_parts > 0 ? abut_shape_copy_parts(copy, shape->n_parts, shape->parts, error) : ABUT_OK;
	if (parts != ABUT_OK) {
		free_own(copy);
		return parts;
	}
	if (copy->smooth && copy->smooth->clone) {
		AbutSmooth *smooth = abut_shape_edit_smooth(copy);
		smooth->data = smooth->clone(shape->smooth->data);
		if (!smooth->data) {
			free_own(copy);
			return abut_error_set(
			    error, ABUT_ERROR_MEMORY, NULL,
			    "no memory for the data of a smooth shape: its clone function returned NULL");
		}
	}
	*out = copy;
	return ABUT_OK;
}

void abut_shape_destroy(AbutShape *shape)
{
	if (!shape) {
		return;
	}
	if (shape->n_parts > 0) {
		abut_shapes_destroy(shape->n_parts, (AbutShape **)shape->parts);
	}
	if (shape->smooth && shape->smooth->destroy) {
		shape->smooth->destroy(shape->smooth->data);
	}
	free_own(shape);
}

AbutStatus abut_shapes_clone(int n, const AbutShape *const *shapes, AbutShape ***out, AbutError *error)
{
	AbutShape **copies = calloc((size_t)n + 1, sizeof(AbutShape *));
	if (!copies) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a list of %d shapes", n);
	}
	for (int i = 0; i < n; i++) {
		const AbutStatus status = abut_shape_clone(shapes[i], &copies[i], error);
		if (status != ABUT_OK) {
			abut_shapes_destroy(i, copies);
			return status;
		}
	}
	*out = copies;
	return ABUT_OK;
}

void abut_shapes_destroy(int n, AbutShape **shapes)
{
	for (int i = 0; i < n; i++) {
		abut_shape_destroy(shapes[i]);
	}
	free(shapes);
}

AbutStatus abut_shape_copy_parts(AbutShape *shape, int n, const AbutShape *const *parts, AbutError *error)
{
	AbutShape **copies = NULL;
	const AbutStatus status = abut_shapes_clone(n, parts, &copies, error);
	shape->parts = (const AbutShape *const *)copies;
	shape->n_parts = status == ABUT_OK ? n : 0;
	return status;
}
