/* Writes shapes as the objects of a scene file. */
#include "io/scene/write_shapes.h"

#include <math.h>
#include <stdbool.h>

#include "abut/smooth.h"
#include "base/vec3.h"
#include "io/json/scene_keys.h"
#include "io/text/number.h"
#include "shapes/core/mass.h"
#include "shapes/primitives/polytope.h"

void abut_scene_write_number(FILE *file, const char *key, double value)
{
	fprintf(file, ", \"%s\": ", key);
	abut_json_write_number(file, value);
}

void abut_scene_write_vector(FILE *file, const char *key, const double *values, int n)
{
	fprintf(file, ", \"%s\": ", key);
	abut_json_write_numbers(file, ", ", values, n);
}

void abut_scene_write_matrix(FILE *file, const char *key, const double *values, int n, int columns)
{
	fprintf(file, ", \"%s\": [", key);
	for (int i = 0; i < n; i++) {
		fputs(i > 0 ? ", " : "", file);
		abut_json_write_numbers(file, ", ", &values[i * columns], columns);
	}
	fputc(']', file);
}

void abut_scene_write_pair(FILE *file, const char *a, const char *b)
{
	fputc('[', file);
	abut_json_write_string(file, a);
	fputs(", ", file);
	abut_json_write_string(file, b);
	fputc(']', file);
}

/* Writes the pose of the shape. An identity is omitted, so that reading it back rounds nothing. */
static void write_place(FILE *file, const AbutShape *shape)
{
	bool moved = false, turned = false;
	for (int i = 0; i < 9; i++) {
		turned = turned || shape->rotation[i] != (i % 4 == 0 ? 1.0 : 0.0);
		moved = moved || (i < 3 && shape->position[i] != 0.0);
	}
	if (moved) {
		abut_scene_write_vector(file, "position", shape->position, 3);
	}
	if (turned) {
		double q[4];
		abut_mat3_to_quat(shape->rotation, q);
		abut_scene_write_vector(file, "orientation", q, 4);
	}
}

static void write_part_list(FILE *file, int n, const AbutShape *const *parts)
{
	fputs(", \"parts\": [", file);
	for (int i = 0; i < n; i++) {
		fputs(i > 0 ? ", " : "", file);
		abut_scene_write_shape(file, parts[i]);
	}
	fputc(']', file);
}

/* Writes the rows in the shape's own frame: A_own = A R, h_own = h - A t, with rotation R and position t of the shape.
 */
static void write_rows(FILE *file, const AbutShape *shape)
{
	fputs(", \"A\": [", file);
	for (int i = 0; i < shape->n_rows; i++) {
		double row[3];
		abut_mat3_tvec(shape->rotation, &shape->A[3 * i], row);
		fputs(i > 0 ? ", " : "", file);
		abut_json_write_numbers(file, ", ", row, 3);
	}
	fputc(']', file);
	if (shape->n_eps > 0) {
		abut_scene_write_matrix(file, "B", shape->B, shape->n_rows, shape->n_eps);
	}
	abut_scene_write_vector(file, "d", shape->d, shape->n_rows);
	fputs(", \"h\": [", file);
	for (int i = 0; i < shape->n_rows; i++) {
		fputs(i > 0 ? ", " : "", file);
		abut_json_write_number(file, shape->h[i] - abut_dot3(&shape->A[3 * i], shape->position));
	}
	fprintf(file, "], \"cones\": {\"orthant\": %d, \"soc\": [", shape->n_orthant);
	for (int i = 0; i < shape->n_soc; i++) {
		fprintf(file, "%s%d", i > 0 ? ", " : "", shape->soc_dim[i]);
	}
	fputs("]}", file);
}

static void write_mass_properties(FILE *file, const AbutMassProperties *mass)
{
	fputs(", \"mass_properties\": {\"volume\": ", file);
	abut_json_write_number(file, mass->volume);
	abut_scene_write_vector(file, "centre_of_mass", mass->centre_of_mass, 3);
	abut_scene_write_matrix(file, "inertia", mass->inertia, 3, 3);
	fputs("}", file);
}

/* Writes the mass properties in the shape's own frame; reading the pose moves them back. */
static void write_given_mass(FILE *file, const AbutShape *shape)
{
	AbutMassProperties mass = shape->mass;
	double back[9], shift[3];
	for (int i = 0; i < 9; i++) {
		back[i] = shape->rotation[3 * (i % 3) + i / 3];
	}
	abut_mat3_vec(back, shape->position, shift);
	abut_scale3(-1.0, shift, shift);
	abut_mass_move(&mass, back, shift);
	write_mass_properties(file, &mass);
}

/* Writes the vertices, and what they do not determine. */
static void write_polytope(FILE *file, const AbutShape *shape)
{
	abut_scene_write_matrix(file, "vertices", shape->vertices, shape->n_vertices, 3);
	if (shape->coplanar != ABUT_COPLANAR) {
		abut_scene_write_number(file, "coplanar", shape->coplanar);
	}
	if (shape->mass_given) {
		write_given_mass(file, shape);
	}
}

void abut_scene_write_shape(FILE *file, const AbutShape *shape)
{
	fputc('{', file);
	abut_scene_write_shape_keys(file, shape);
	fputc('}', file);
}

void abut_scene_write_shape_keys(FILE *file, const AbutShape *shape)
{
	double radii[3], exponents[2];
	fprintf(file, "\"type\": \"%s\"", abut_scene_type(shape->kind));
	switch (shape->kind) {
	case ABUT_SHAPE_HALFSPACE: /* its row is in the body frame */
		abut_scene_write_vector(file, "normal", shape->A, 3);
		abut_scene_write_number(file, "offset", shape->h[0]);
		break;
	case ABUT_SHAPE_BOX:
		abut_scene_write_vector(file, "half_extents", shape->size, 3);
		break;
	case ABUT_SHAPE_ELLIPSOID:
		abut_scene_write_vector(file, "radii", shape->size, 3);
		break;
	case ABUT_SHAPE_POLYTOPE:
		write_polytope(file, shape);
		break;
	case ABUT_SHAPE_PADDED_POLYTOPE:
		abut_scene_write_matrix(file, "vertices", shape->vertices, shape->n_vertices, 3);
		abut_scene_write_number(file, "radius", shape->size[0]);
		break;
	case ABUT_SHAPE_SPHERE:
		abut_scene_write_number(file, "radius", shape->size[0]);
		break;
	case ABUT_SHAPE_CAPSULE:
	case ABUT_SHAPE_CYLINDER:
		abut_scene_write_number(file, "radius", shape->size[0]);
		abut_scene_write_number(file, "length", shape->size[1]);
		break;
	case ABUT_SHAPE_CONE:
		abut_scene_write_number(file, "height", shape->size[1]);
		abut_scene_write_number(file, "radius", shape->size[0]);
		break;
	case ABUT_SHAPE_MINKOWSKI_SUM:
	case ABUT_SHAPE_INTERSECTION:
		write_part_list(file, shape->n_parts, shape->parts);
		break;
	case ABUT_SHAPE_CONIC:
		write_rows(file, shape);
		break;
	case ABUT_SHAPE_SMOOTH:
		if (abut_shape_is_superellipsoid(shape, radii, exponents)) {
			abut_scene_write_vector(file, "radii", radii, 3);
			abut_scene_write_vector(file, "exponents", exponents, 2);
		}
		break;
	case ABUT_SHAPE_COUNT:
		break;
	}
	if (shape->kind != ABUT_SHAPE_HALFSPACE) {
		write_place(file, shape);
	}
}

void abut_scene_write_union_keys(FILE *file, int n, const AbutShape *const *parts, const AbutMassProperties *mass)
{
	fputs("\"type\": \"union\"", file);
	write_part_list(file, n, parts);
	if (mass) {
		write_mass_properties(file, mass);
	}
}

void abut_scene_write_parts(FILE *file, int n, const AbutShape *const *parts, const AbutMassProperties *mass)
{
	if (n == 1 && !mass) {
		abut_scene_write_shape(file, parts[0]);
		return;
	}
	fputc('{', file);
	abut_scene_write_union_keys(file, n, parts, mass);
	fputc('}', file);
}
