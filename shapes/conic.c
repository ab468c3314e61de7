/* Shapes as data: the block that holds one, copies of it, and the changes of frame, unit and scaling centre. */
#include "shapes/conic.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/smooth.h"
#include "base/vec3.h"
#include "shapes/cage.h"
#include "shapes/composed/composite.h"
#include "shapes/hull/mass.h"

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

/* The block: the struct, then A, B, d, h, vertices (doubles), then the functions of a smooth shape, then soc_dim
 * (ints). The cage, which few shapes have, is apart. */
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

/* Without the parts and the functions' data. */
static void free_own(AbutShape *shape)
{
	free(abut_shape_edit(shape->cage));
	free(shape);
}

AbutStatus abut_shape_clone(const AbutShape *shape, AbutShape **out, AbutError *error)
{
	const AbutStatus status = abut_shape_check_out(out, error);
	if (status != ABUT_OK) {
		return status;
	}
	if (!shape) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "shape", "shape is NULL; it must be a shape");
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
	const AbutStatus parts = abut_composite_clone_parts(copy, error);
	if (parts != ABUT_OK) {
		free_own(copy);
		return parts;
	}
	if (copy->smooth && copy->smooth->clone) {
		AbutSmooth *smooth = abut_shape_edit_smooth(copy);
		smooth->data = smooth->clone(shape->smooth->data);
		if (!smooth->data) {
			free_own(copy);
			return abut_error_set(error, ABUT_ERROR_MEMORY, NULL,
			                      "no memory for the data of a smooth shape: its clone gave NULL");
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
	abut_composite_destroy_parts(shape);
	if (shape->smooth && shape->smooth->destroy) {
		shape->smooth->destroy(shape->smooth->data);
	}
	free_own(shape);
}

AbutStatus abut_shape_check_out(AbutShape **out, AbutError *error)
{
	if (!out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "out",
		                      "out is NULL; it must point to where the shape goes");
	}
	*out = NULL;
	return ABUT_OK;
}

static AbutStatus check_length(double value, const char *name, const char *label, AbutError *error)
{
	if (!(isfinite(value) && value > 0.0)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, name,
		                      "%s is %g; it must be finite and greater than 0 (metres)", label, value);
	}
	if (!(value >= ABUT_LENGTH_MIN && value <= ABUT_LENGTH_MAX)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, name,
		                      "%s is %g; it must lie between %g and %g (metres)", label, value, ABUT_LENGTH_MIN,
		                      ABUT_LENGTH_MAX);
	}
	return ABUT_OK;
}

AbutStatus abut_shape_check_length(double value, const char *name, AbutError *error)
{
	return check_length(value, name, name, error);
}

AbutStatus abut_shape_check_round(double radius, double length, AbutShape **out, AbutError *error)
{
	AbutStatus status = abut_shape_check_out(out, error);
	if (status == ABUT_OK) {
		status = abut_shape_check_length(radius, "radius", error);
	}
	return status == ABUT_OK ? abut_shape_check_length(length, "length", error) : status;
}

AbutStatus abut_shape_check_lengths(const double *values, int n, const char *name, AbutError *error)
{
	if (!values) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, name, "%s is NULL; it must hold %d lengths (metres)",
		                      name, n);
	}
	for (int i = 0; i < n; i++) {
		char label[64];
		snprintf(label, sizeof label, "%s[%d]", name, i);
		const AbutStatus status = check_length(values[i], name, label, error);
		if (status != ABUT_OK) {
			return status;
		}
	}
	return ABUT_OK;
}

AbutStatus abut_shape_check_parts(int n, const AbutShape *const *parts, AbutShape **out, AbutError *error)
{
	const AbutStatus status = abut_shape_check_out(out, error);
	if (status != ABUT_OK) {
		return status;
	}
	if (n < 2 || !parts) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "parts",
		                      "there are %d parts%s; there must be 2 or more", n, parts ? "" : " (NULL)");
	}
	for (int i = 0; i < n; i++) {
		if (!parts[i]) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, "parts", "parts[%d] is NULL", i);
		}
		if (parts[i]->kind == ABUT_SHAPE_SMOOTH) {
			return abut_error_set(
			    error, ABUT_ERROR_UNSUPPORTED, "parts",
			    "parts[%d] is a smooth shape (of functions, as a superellipsoid is); sums and "
			    "intersections are of conic shapes: put an ellipsoid or a polytope in its place",
			    i);
		}
	}
	return ABUT_OK;
}

AbutStatus abut_shape_check_coordinate(double value, const char *name, AbutError *error)
{
	if (!(fabs(value) <= ABUT_LENGTH_MAX)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, name,
		                      "%s is %g; it must be finite and at most %g in size (metres)", name, value,
		                      ABUT_LENGTH_MAX);
	}
	return ABUT_OK;
}

bool abut_shape_unit_row(const double a[3], double b, double n[3], double *c)
{
	const double largest = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
	if (!abut_all_finite(a, 3) || largest == 0.0) {
		return false;
	}
	/* A power of two goes first: it costs no digit, and no square overflows or vanishes. */
	int exponent = 0;
	frexp(largest, &exponent);
	for (int i = 0; i < 3; i++) {
		n[i] = ldexp(a[i], -exponent);
	}
	double length = abut_norm3(n);
	*c = ldexp(b, -exponent);
	if (fabs(ldexp(length, exponent) - 1.0) <= 4.0 * DBL_EPSILON) {
		length = ldexp(1.0, -exponent);
	}
	for (int i = 0; i < 3; i++) {
		n[i] /= length;
	}
	*c /= length;
	return true;
}

/* Largest entry of |R'R - I|, or infinity when R is a reflection or not finite. */
static double rotation_error(const double R[9])
{
	if (!abut_all_finite(R, 9)) {
		return HUGE_VAL;
	}
	double gram[9], cross[3], largest = 0.0;
	abut_mat3_transposed_mul(R, R, gram);
	for (int i = 0; i < 9; i++) {
		largest = fmax(largest, fabs(gram[i] - (i % 4 == 0 ? 1.0 : 0.0)));
	}
	abut_cross3(&R[0], &R[3], cross);
	return abut_dot3(cross, &R[6]) > 0.0 ? largest : HUGE_VAL;
}

/* p -> R p + t. */
static void move_point(double p[3], const double R[9], const double t[3])
{
	abut_mat3_vec(R, p, p);
	for (int i = 0; i < 3; i++) {
		p[i] += t[i];
	}
}

/* With p = R0' (p1 - t0) in (1): A1 = A R0', h1 = h + A1 t0; d and B stay, and so does the scaling about its own
 * centre. */
AbutStatus abut_shape_move(AbutShape *shape, const double rotation[9], const double translation[3], AbutError *error)
{
	if (!shape || !rotation || !translation) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT,
		                      !shape ? "shape" : (!rotation ? "rotation" : "translation"),
		                      "shape, rotation or translation is NULL; all three are needed");
	}
	if (!(rotation_error(rotation) <= 1e-9)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "rotation",
		                      "rotation is [%g %g %g; %g %g %g; %g %g %g]; it must be a rotation matrix, "
		                      "orthonormal to 1e-9 and not a reflection",
		                      rotation[0], rotation[1], rotation[2], rotation[3], rotation[4], rotation[5],
		                      rotation[6], rotation[7], rotation[8]);
	}
	double R[9], position[3];
	abut_mat3_orthonormalise(rotation, R);
	abut_copy3(shape->position, position);
	move_point(position, R, translation);
	for (int i = 0; i < 3; i++) {
		AbutStatus status = abut_shape_check_coordinate(translation[i], "translation", error);
		if (status == ABUT_OK) {
			status = abut_shape_check_coordinate(position[i], "position", error);
		}
		if (status != ABUT_OK) {
			return status;
		}
	}

	double *A = abut_shape_edit(shape->A), *h = abut_shape_edit(shape->h);
	for (int i = 0; i < shape->n_rows; i++) {
		double *row = &A[3 * i];
		abut_mat3_vec(R, row, row);
		h[i] += abut_dot3(row, translation);
	}
	double turned[9];
	abut_mat3_mul(R, shape->rotation, turned);
	memcpy(shape->rotation, turned, sizeof turned);
	abut_copy3(position, shape->position);
	move_point(shape->centre, R, translation);
	abut_mass_move(&shape->mass, R, translation);
	return ABUT_OK;
}

/* With p = p1 / f and eps = eps1 / f in (1), and s times f (K is a cone): h1 = f h, d1 = f d; A and B stay. */
AbutStatus abut_shape_scale(AbutShape *shape, double factor, AbutError *error)
{
	if (!shape) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "shape", "shape is NULL; it must be a shape");
	}
	if (!(isfinite(factor) && factor > 0.0)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "factor",
		                      "factor is %g; it must be finite and greater than 0", factor);
	}
	const bool bounded = shape->outer_radius > 0.0;
	double largest = shape->outer_radius * factor;
	double smallest = bounded ? largest : ABUT_LENGTH_MIN;
	for (int i = 0; i < 3; i++) {
		largest = fmax(largest, factor * fmax(fabs(shape->position[i]), fabs(shape->centre[i])));
		largest = fmax(largest, factor * fabs(shape->size[i]));
		if (bounded && shape->size[i] != 0.0) {
			smallest = fmin(smallest, factor * shape->size[i]);
		}
	}
	for (int i = 0; i < 3 * shape->n_vertices; i++) {
		largest = fmax(largest, factor * fabs(shape->vertices[i]));
	}
	/* Rounding in the corner of the box of the largest sizes is no reason to refuse. */
	if (!(smallest >= ABUT_LENGTH_MIN && largest <= 2.0 * ABUT_LENGTH_MAX)) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, "factor",
		    "factor is %g, which gives lengths from %g to %g; they must lie between %g and %g "
		    "(metres)",
		    factor, smallest, largest, ABUT_LENGTH_MIN, 2.0 * ABUT_LENGTH_MAX);
	}
	const AbutStatus parts = abut_composite_scale_parts(shape, factor, error);
	if (parts != ABUT_OK) {
		return parts;
	}

	double *d = abut_shape_edit(shape->d), *h = abut_shape_edit(shape->h),
	       *vertices = abut_shape_edit(shape->vertices);
	for (int i = 0; i < shape->n_rows; i++) {
		d[i] *= factor;
		h[i] *= factor;
	}
	for (int i = 0; i < 3 * shape->n_vertices; i++) {
		vertices[i] *= factor;
	}
	for (int i = 1; shape->cage && i < ABUT_CAGE_DOUBLES; i++) {
		abut_shape_edit(shape->cage)[i] *= factor;
	}
	for (int i = 0; i < 3; i++) {
		shape->centre[i] *= factor;
		shape->position[i] *= factor;
		shape->size[i] *= factor;
	}
	shape->outer_radius *= factor;
	shape->inner_radius *= factor;
	shape->smooth_unit *= factor;
	abut_mass_scale(&shape->mass, factor);
	return ABUT_OK;
}

/* The shape scaled about c is the set of c + alpha (p' - c), p' in the shape: with eps = alpha eps' and K a cone,
 *     s = alpha (h + d - A p' - B eps') = A c + alpha (h + d - A c) - A p - B eps. */
AbutStatus abut_shape_recentre(AbutShape *shape, const double c[3], AbutError *error)
{
	double distance = 0.0;
	for (int i = 0; i < 3; i++) {
		const AbutStatus status = abut_shape_check_coordinate(c[i], "centre", error);
		if (status != ABUT_OK) {
			return status;
		}
		distance = hypot(distance, c[i] - shape->centre[i]);
	}
	double *A = abut_shape_edit(shape->A), *d = abut_shape_edit(shape->d), *h = abut_shape_edit(shape->h);
	for (int i = 0; i < shape->n_rows; i++) {
		const double offset = abut_dot3(&A[3 * i], c);
		d[i] += h[i] - offset;
		h[i] = offset;
	}
	abut_copy3(c, shape->centre);
	if (shape->outer_radius > 0.0) {
		shape->outer_radius += distance;
		shape->inner_radius = fmax(0.0, shape->inner_radius - distance);
	}
	return ABUT_OK;
}
