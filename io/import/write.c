/* Writes an import as a scene file. */
#include "io/import/write.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "io/import/shape.h"
#include "io/import/write_contacts.h"
#include "io/import/write_joints.h"
#include "io/import/write_sensors.h"
#include "io/scene/write_shapes.h"
#include "io/text/number.h"

/* --- paths --- */

/* Returns `path` relative to `folder`, both absolute; the caller frees it. NULL: out of memory. */
static char *make_relative(const char *path, const char *folder)
{
	size_t common = 0, up = 0;
	for (size_t i = 0; path[i] && path[i] == folder[i]; i++) {
		if (path[i] == '/') {
			common = i + 1;
		}
	}
	const size_t length = strlen(folder);
	if (strncmp(path, folder, length) == 0 && path[length] == '/') {
		return strdup(path + length + 1);
	}
	for (const char *c = folder + common; *c; c++) {
		up += *c == '/';
	}
	up += folder[common] != '\0';
	char *const out = malloc(3 * up + strlen(path + common) + 1);
	if (out) {
		for (size_t i = 0; i < up; i++) {
			memcpy(out + 3 * i, "../", 3);
		}
		memcpy(out + 3 * up, path + common, strlen(path + common) + 1);
	}
	return out;
}

static AbutStatus write_path(FILE *file, const char *path, const char *folder, AbutError *error)
{
	char *const absolute = realpath(path, NULL);
	char *const from = absolute && folder ? realpath(folder[0] ? folder : ".", NULL) : NULL;
	char *const relative = from ? make_relative(absolute, from) : NULL;
	const bool complete = absolute && (relative || !folder);
	const AbutStatus reason = complete ? ABUT_OK : abut_read_status(errno);
	AbutStatus status = ABUT_OK;
	if (!absolute || abut_is_of_system(reason)) {
		status = abut_error_set(error, reason, NULL, "cannot find %.300s: %s", path, strerror(errno));
	} else {
		abut_json_write_string(file, relative ? relative : absolute);
	}
	free(absolute);
	free(from);
	free(relative);
	return status;
}

/* --- shapes --- */

static void write_place(FILE *file, const AbutPose *pose)
{
	const double *p = pose->position, *q = pose->orientation;
	if (p[0] != 0.0 || p[1] != 0.0 || p[2] != 0.0) {
		abut_scene_write_vector(file, "position", p, 3);
	}
	if (q[0] != 1.0 || q[1] != 0.0 || q[2] != 0.0 || q[3] != 0.0) {
		abut_scene_write_vector(file, "orientation", q, 4);
	}
}

static AbutStatus write_mesh(FILE *file, const AbutGeom *geom, const char *folder, AbutError *error)
{
	fputs("{\"type\": \"mesh\", \"file\": ", file);
	const AbutStatus status = write_path(file, geom->mesh.file, folder, error);
	if (geom->mesh.scale[0] != 1.0) {
		abut_scene_write_number(file, "scale", geom->mesh.scale[0]);
	}
	write_place(file, &geom->pose);
	fputc('}', file);
	return status;
}

static AbutStatus write_geom(FILE *file, const AbutGeom *geom, const char *folder, AbutError *error)
{
	static const char *const types[ABUT_GEOM_COUNT] = {[ABUT_GEOM_SPHERE] = "sphere",
	                                                   [ABUT_GEOM_CAPSULE] = "capsule",
	                                                   [ABUT_GEOM_CYLINDER] = "cylinder",
	                                                   [ABUT_GEOM_ELLIPSOID] = "ellipsoid",
	                                                   [ABUT_GEOM_BOX] = "box"};
	if (geom->kind == ABUT_GEOM_MESH && abut_import_mesh_is_plain(&geom->mesh)) {
		return write_mesh(file, geom, folder, error);
	}
	if (geom->kind == ABUT_GEOM_PLANE || geom->kind == ABUT_GEOM_MESH) {
		abut_scene_write_shape(file, geom->shape);
		return ABUT_OK;
	}
	fprintf(file, "{\"type\": \"%s\"", types[geom->kind]);
	if (geom->kind == ABUT_GEOM_BOX || geom->kind == ABUT_GEOM_ELLIPSOID) {
		abut_scene_write_vector(file, geom->kind == ABUT_GEOM_BOX ? "half_extents" : "radii", geom->size, 3);
	} else {
		abut_scene_write_number(file, "radius", geom->size[0]);
		if (geom->kind != ABUT_GEOM_SPHERE) {
			abut_scene_write_number(file, "length", geom->size[1]);
		}
	}
	write_place(file, &geom->pose);
	fputc('}', file);
	return ABUT_OK;
}

/* Writes the shape of a body of which nothing collides: the sphere of about its inertia. No pair of `contacts` has it.
 */
static void write_stand_in(FILE *file, const AbutImportBody *body)
{
	const double *J = body->total.inertia, mean = (J[0] + J[4] + J[8]) / 3.0;
	fputs("{\"type\": \"sphere\"", file);
	abut_scene_write_number(file, "radius",
	                        fmax((body->carried >= 0 ? 0.1 : 1.0) * sqrt(2.5 * mean / body->total.mass), 1e-6));
	fputc('}', file);
}

/* Writes the geometries that collide, as a union if there are several. */
static AbutStatus write_shape(FILE *file, const AbutImportBody *body, const char *folder, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	int n = 0, written = 0;
	for (int i = 0; i < body->n_geoms; i++) {
		n += body->geoms[i].collides;
	}
	if (n == 0) {
		write_stand_in(file, body);
	}
	fputs(n > 1 ? "{\"type\": \"union\", \"parts\": [" : "", file);
	for (int i = 0; i < body->n_geoms && status == ABUT_OK; i++) {
		if (body->geoms[i].collides) {
			fputs(written++ > 0 ? ",\n      " : "", file);
			status = write_geom(file, &body->geoms[i], folder, error);
		}
	}
	fputs(n > 1 ? "]}" : "", file);
	return status;
}

/* --- bodies --- */

/* Writes the mass or density of a body with a single geometry; otherwise its total mass properties. */
static void write_mass(FILE *file, const AbutImport *import, const AbutImportBody *body)
{
	const bool as_written = import->total_mass == 0.0 && body->n_geoms == 1 && body->n_masses == 1;
	const AbutGeom *only = as_written && body->geoms[0].weighs && body->geoms[0].collides ? body->geoms : NULL;
	if (only) {
		abut_scene_write_number(file, only->mass > 0.0 ? "mass" : "density",
		                        only->mass > 0.0 ? only->mass : only->density);
		return;
	}
	abut_scene_write_number(file, "mass", body->total.mass);
	abut_scene_write_vector(file, "centre_of_mass", body->total.centre, 3);
	double inertia[9];
	for (int i = 0; i < 9; i++) {
		inertia[i] = body->total.inertia[i / 3 <= i % 3 ? i : 3 * (i % 3) + i / 3];
	}
	abut_scene_write_matrix(file, "inertia", inertia, 3, 3);
}

/* Writes the velocities of a body that moves at the start: that of the centre of mass, v + R (w x c), and w. */
static void write_motion(FILE *file, const AbutImportBody *body)
{
	double R[9], cross[3], linear[3];
	if (abut_norm3(body->velocity) == 0.0 && abut_norm3(body->spin) == 0.0) {
		return;
	}
	abut_quat_to_mat3(body->pose.orientation, R);
	abut_cross3(body->spin, body->total.centre, cross);
	abut_mat3_vec(R, cross, linear);
	abut_add3(body->velocity, linear, linear);
	abut_scene_write_vector(file, "linear_velocity", linear, 3);
	abut_scene_write_vector(file, "angular_velocity", body->spin, 3);
}

static AbutStatus write_body(FILE *file, const AbutImport *import, int i, const char *folder, AbutError *error)
{
	const AbutImportBody *body = &import->bodies[i];
	fputs("{\"name\": ", file);
	abut_json_write_string(file, body->name);
	fputs(body->is_static ? ", \"static\": true,\n     \"shape\": " : ",\n     \"shape\": ", file);
	const AbutStatus status = write_shape(file, body, folder, error);
	if (!body->is_static) {
		write_mass(file, import, body);
	}
	write_place(file, &body->pose);
	write_motion(file, body);
	if (body->friction >= 0.0) {
		abut_scene_write_number(file, "friction", body->friction);
	}
	fputc('}', file);
	return status;
}

AbutStatus abut_import_write(const AbutImport *import, const char *folder, FILE *file, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	fputs("{\n  \"abut\": 1", file);
	if (import->name && import->name[0]) {
		fputs(",\n  \"name\": ", file);
		abut_json_write_string(file, import->name);
	}
	fputs(",\n  \"gravity\": ", file);
	abut_json_write_numbers(file, ", ", import->gravity, 3);
	abut_scene_write_number(file, "timestep", import->timestep);
	fputs(",\n  \"bodies\": [", file);
	for (int i = 0; i < import->n_bodies && status == ABUT_OK; i++) {
		fputs(i > 0 ? ",\n    " : "\n    ", file);
		status = write_body(file, import, i, folder, error);
	}
	fputs("\n  ]", file);
	abut_import_write_joints(file, import);
	abut_import_write_sensors(file, import);
	abut_import_write_contacts(file, import);
	fputs("\n}\n", file);
	return status;
}
