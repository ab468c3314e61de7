/* Packs the bodies and the triangles of their parts; equal parts share a mesh. */
#include "io/view/shapes.h"

#include <stdlib.h>
#include <string.h>

#include "abut/smooth.h"
#include "io/json/scene_keys.h"
#include "io/mesh/mesh.h"
#include "io/text/file_text.h"
#include "io/text/number.h"

static bool same_values(const double *a, const double *b, int n)
{
	return n == 0 || memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

/* Returns whether two shapes are the same set in the frames of their bodies, judged by their stored numbers. */
static bool is_same(const AbutShape *a, const AbutShape *b)
{
	if (a->kind != b->kind || a->n_rows != b->n_rows || a->n_eps != b->n_eps || a->n_vertices != b->n_vertices ||
	    a->n_parts != b->n_parts || !same_values(a->position, b->position, 3) ||
	    !same_values(a->rotation, b->rotation, 9) || !same_values(a->size, b->size, 3)) {
		return false;
	}
	if (a->kind == ABUT_SHAPE_SMOOTH) {
		double r[2][3], e[2][2];
		return abut_shape_is_superellipsoid(a, r[0], e[0]) && abut_shape_is_superellipsoid(b, r[1], e[1]) &&
		       same_values(r[0], r[1], 3) && same_values(e[0], e[1], 2);
	}
	return same_values(a->A, b->A, 3 * a->n_rows) && same_values(a->B, b->B, a->n_rows * a->n_eps) &&
	       same_values(a->d, b->d, a->n_rows) && same_values(a->h, b->h, a->n_rows) &&
	       same_values(a->vertices, b->vertices, 3 * a->n_vertices);
}

/* The meshes made so far. */
typedef struct Meshes {
	int n, capacity;
	const AbutShape **shapes; /* (n) first shape with each mesh */
	AbutShapeMesh *meshes;    /* (n) */
} Meshes;

static AbutStatus find_mesh(Meshes *meshes, const AbutShape *shape, int *out, AbutError *error)
{
	for (int i = 0; i < meshes->n; i++) {
		if (is_same(meshes->shapes[i], shape)) {
			*out = i;
			return ABUT_OK;
		}
	}
	const AbutStatus status = abut_shape_mesh_create(shape, &meshes->meshes[meshes->n], error);
	if (status == ABUT_OK) {
		meshes->shapes[meshes->n] = shape;
		*out = meshes->n++;
	}
	return status;
}

static AbutStatus write_part(FILE *head, Meshes *meshes, const AbutShape *shape, AbutError *error)
{
	fprintf(head, "{\"type\":\"%s\"", abut_scene_type(shape->kind));
	if (shape->kind == ABUT_SHAPE_HALFSPACE) {
		abut_view_write_vector(head, "normal", shape->A, 3);
		fputs(",\"offset\":", head);
		abut_json_write_number(head, shape->h[0]);
		fputc('}', head);
		return ABUT_OK;
	}
	int mesh = 0;
	const AbutStatus status = find_mesh(meshes, shape, &mesh, error);
	fprintf(head, ",\"mesh\":%d,\"radius\":", mesh);
	abut_json_write_number(head, shape->outer_radius);
	abut_view_write_vector(head, "centre", shape->centre, 3);
	fputc('}', head);
	return status;
}

static AbutStatus write_bodies(AbutViewData *data, Meshes *meshes, AbutError *error)
{
	const AbutSceneDef *def = abut_scene_def(data->record->scene);
	AbutStatus status = ABUT_OK;
	fputs(",\"bodies\":[", data->head);
	for (int b = 0; status == ABUT_OK && b < def->n_bodies; b++) {
		const AbutBodyDef *body = &def->bodies[b];
		fprintf(data->head, "%s{\"name\":", b > 0 ? "," : "");
		abut_json_write_string(data->head, body->name);
		fputs(",\"mass\":", data->head);
		abut_json_write_number(data->head, abut_model_body_mass(data->record->model, b));
		fprintf(data->head, ",\"static\":%s,\"parts\":[", body->is_static ? "true" : "false");
		for (int p = 0; status == ABUT_OK && p < body->n_parts; p++) {
			fputs(p > 0 ? "," : "", data->head);
			status = write_part(data->head, meshes, body->parts[p], error);
			if (status != ABUT_OK && error) {
				snprintf(error->where, sizeof error->where, "bodies[%d].shape", b);
			}
		}
		fputs("]}", data->head);
	}
	fputc(']', data->head);
	return status;
}

/* Adds positions, normals (as bytes from -127 to 127) and triangles of all meshes, one mesh after the other. The head
 * gets the number of vertices and triangles of each mesh. */
static void add_meshes(AbutViewData *data, const Meshes *meshes)
{
	size_t n_vertices = 0, n_triangles = 0;
	fputs(",\"meshes\":[", data->head);
	for (int i = 0; i < meshes->n; i++) {
		const AbutShapeMesh *mesh = &meshes->meshes[i];
		fprintf(data->head, "%s[%d,%d]", i > 0 ? "," : "", mesh->n_vertices, mesh->n_triangles);
		n_vertices += (size_t)mesh->n_vertices;
		n_triangles += (size_t)mesh->n_triangles;
	}
	fputc(']', data->head);
	abut_view_section(data, "mesh_positions", 3 * n_vertices);
	for (int i = 0; i < meshes->n; i++) {
		for (int k = 0; k < 3 * meshes->meshes[i].n_vertices; k++) {
			abut_bytes_float(&data->bytes, (float)meshes->meshes[i].positions[k]);
		}
	}
	abut_view_section(data, "mesh_normals", 3 * n_vertices);
	for (int i = 0; i < meshes->n; i++) {
		for (int k = 0; k < 3 * meshes->meshes[i].n_vertices; k++) {
			const double scaled = 127.0 * meshes->meshes[i].normals[k];
			abut_bytes_integer(&data->bytes, (uint8_t)(int8_t)(scaled < 0.0 ? scaled - 0.5 : scaled + 0.5),
			                   1);
		}
	}
	abut_view_section(data, "mesh_triangles", 3 * n_triangles);
	for (int i = 0; i < meshes->n; i++) {
		for (int k = 0; k < 3 * meshes->meshes[i].n_triangles; k++) {
			abut_bytes_integer(&data->bytes, (uint64_t)meshes->meshes[i].triangles[k], 4);
		}
	}
}

AbutStatus abut_view_add_shapes(AbutViewData *data, AbutError *error)
{
	const AbutSceneDef *def = abut_scene_def(data->record->scene);
	size_t n_parts = 1;
	for (int b = 0; b < def->n_bodies; b++) {
		n_parts += (size_t)def->bodies[b].n_parts;
	}
	Meshes meshes = {.shapes = calloc(n_parts, sizeof *meshes.shapes),
	                 .meshes = calloc(n_parts, sizeof *meshes.meshes)};
	AbutStatus status = meshes.shapes && meshes.meshes ? write_bodies(data, &meshes, error)
	                                                   : abut_fail_memory(error, "the replay page");
	if (status == ABUT_OK) {
		add_meshes(data, &meshes);
	}
	for (int i = 0; i < meshes.n; i++) {
		abut_shape_mesh_free(&meshes.meshes[i]);
	}
	free(meshes.shapes);
	free(meshes.meshes);
	return status;
}
