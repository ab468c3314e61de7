/* Makes the shapes of imported geometry and the masses of their bodies. */
#include "io/import/shape.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "abut/mesh.h"
#include "base/eigen3.h"
#include "base/error.h"
#include "base/vec3.h"
#include "io/robot/contact_mix.h"
#include "io/robot/importer.h"
#include "io/robot/joints.h"
#include "io/robot/pose.h"
#include "io/text/file_text.h"

enum { PRIORITY_SIZE = 60 };

/* --- meshes --- */

/* Scales `n` vertices and moves them into the geometry's frame; the caller frees them. NULL: out of memory. */
static double *place_vertices(const AbutImportMesh *from, int n, const double *vertices)
{
	double R[9];
	double *const placed = malloc(3 * (size_t)n * sizeof *placed);
	abut_quat_to_mat3(from->origin.orientation, R);
	for (int i = 0; placed && i < n; i++) {
		double offset[3];
		for (int k = 0; k < 3; k++) {
			offset[k] = from->scale[k] * vertices[3 * i + k] - from->origin.position[k];
		}
		abut_mat3_tvec(R, offset, &placed[3 * i]);
	}
	return placed;
}

static AbutStatus place_mesh(const AbutImportMesh *from, const AbutMesh *mesh, AbutMesh **out, AbutError *error)
{
	double *const vertices = place_vertices(from, mesh->n_vertices, mesh->vertices);
	if (!vertices) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory");
	}
	AbutMesh *placed = NULL;
	AbutStatus status =
	    abut_mesh_create(mesh->n_vertices, vertices, mesh->n_triangles, mesh->triangles, &placed, error);
	free(vertices);
	if (status == ABUT_OK) { /* repair orients the triangles outwards again after a mirroring scale */
		AbutMeshReport report = {0};
		const AbutMeshOptions options = abut_mesh_options_default();
		status = abut_mesh_repair(placed, &options, out, &report, error);
	}
	abut_mesh_destroy(placed);
	return status;
}

static bool is_identity(const AbutPose *pose)
{
	const AbutPose none = abut_pose_identity();
	bool same = true;
	for (int i = 0; i < 4; i++) {
		same = same && pose->orientation[i] == none.orientation[i];
		same = same && (i == 3 || pose->position[i] == none.position[i]);
	}
	return same;
}

bool abut_import_mesh_is_plain(const AbutImportMesh *mesh)
{
	return mesh->file && mesh->scale[0] > 0.0 && mesh->scale[0] == mesh->scale[1] &&
	       mesh->scale[0] == mesh->scale[2] && is_identity(&mesh->origin);
}

/* Makes the convex hull. It has the mass properties of the mesh if the mesh is closed, as for a shape of type "mesh".
 */
static AbutStatus make_hull(const AbutMesh *mesh, AbutShape **out, AbutError *error)
{
	AbutMeshHullReport hull;
	AbutStatus status = abut_mesh_hull(mesh, 0, ABUT_MESH_FIT_OUTER, out, &hull, error);
	AbutMassProperties mass = hull.hull;
	if (status == ABUT_OK) {
		status = abut_mesh_mass_in_hull(mesh, &hull.hull, &mass, error);
		status = status == ABUT_ERROR_ARGUMENT ? ABUT_OK : status;
	}
	return status == ABUT_OK ? abut_shape_set_mass(*out, &mass, error) : status;
}

static AbutStatus make_mesh(const AbutImportMesh *from, AbutShape **out, AbutError *error)
{
	AbutMesh *mesh = NULL, *placed = NULL;
	AbutMeshReport report;
	AbutMeshOptions options = abut_mesh_options_default();
	const bool plain = abut_import_mesh_is_plain(from);
	if (!from->file) {
		double *const vertices = place_vertices(from, from->n_vertices, from->vertices);
		const AbutStatus made =
		    vertices ? abut_shape_create_polytope_from_vertices(from->n_vertices, vertices, out, error)
		             : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory");
		free(vertices);
		return made;
	}
	options.scale = plain ? from->scale[0] : 1.0;
	AbutStatus status = abut_mesh_load(from->file, &options, &mesh, &report, error);
	if (status == ABUT_OK && !plain) {
		status = place_mesh(from, mesh, &placed, error);
	}
	ABUT_THEN(status, make_hull(plain ? mesh : placed, out, error));
	abut_mesh_destroy(mesh);
	abut_mesh_destroy(placed);
	return status;
}

/* --- shapes --- */

static AbutStatus make_plane(const AbutGeom *geom, AbutShape **out, AbutError *error)
{
	double R[9];
	abut_quat_to_mat3(geom->pose.orientation, R);
	const double normal[3] = {R[2], R[5], R[8]};
	return abut_shape_create_halfspace(normal, abut_dot3(normal, geom->pose.position), out, error);
}

static AbutStatus make_solid(const AbutGeom *geom, AbutShape **out, AbutError *error)
{
	switch (geom->kind) {
	case ABUT_GEOM_SPHERE:
		return abut_shape_create_sphere(geom->size[0], out, error);
	case ABUT_GEOM_CAPSULE:
		return abut_shape_create_capsule(geom->size[0], geom->size[1], out, error);
	case ABUT_GEOM_CYLINDER:
		return abut_shape_create_cylinder(geom->size[0], geom->size[1], out, error);
	case ABUT_GEOM_ELLIPSOID:
		return abut_shape_create_ellipsoid(geom->size, out, error);
	case ABUT_GEOM_BOX:
		return abut_shape_create_box(geom->size, out, error);
	case ABUT_GEOM_MESH:
		return make_mesh(&geom->mesh, out, error);
	case ABUT_GEOM_PLANE:
	case ABUT_GEOM_COUNT:
		break;
	}
	return make_plane(geom, out, error);
}

/* Makes the shape of a geometry. Errors are reported at its element. */
static void make_shape(AbutImporter *importer, AbutGeom *geom)
{
	AbutError error = {0};
	AbutStatus status = make_solid(geom, &geom->shape, &error);
	if (status == ABUT_OK && geom->kind != ABUT_GEOM_PLANE) {
		double R[9];
		abut_quat_to_mat3(geom->pose.orientation, R);
		status = abut_shape_move(geom->shape, R, geom->pose.position, &error);
	}
	if (status != ABUT_OK) {
		abut_importer_fail(importer, geom->element, "%s%s%.250s", geom->mesh.file ? geom->mesh.file : "",
		                   geom->mesh.file ? ": " : "", error.message);
		if (abut_is_of_system(status)) {
			abut_importer_blame_system(importer, status);
		}
	}
}

/* --- masses --- */

/* Adds a mass to the inertia `sum` about `centre` (tests/io/import.c). */
static void add_inertia(const AbutImportMass *mass, const double centre[3], double sum[9])
{
	double d[3];
	abut_sub3(mass->centre, centre, d);
	abut_add_inertia3(mass->inertia, mass->mass, d, sum);
}

/* Returns the total mass, centre of mass and inertia of `n` masses. */
static AbutImportMass sum_masses(int n, const AbutImportMass *masses)
{
	AbutImportMass total = {0};
	for (int i = 0; i < n; i++) {
		total.mass += masses[i].mass;
	}
	for (int i = 0; i < n && total.mass > 0.0; i++) {
		for (int k = 0; k < 3; k++) {
			total.centre[k] += masses[i].mass / total.mass * masses[i].centre[k];
		}
	}
	for (int i = 0; i < n; i++) {
		add_inertia(&masses[i], total.centre, total.inertia);
	}
	return total;
}

static void weigh_geoms(AbutImporter *importer, AbutImportBody *body)
{
	for (int i = 0; i < body->n_geoms; i++) {
		const AbutGeom *geom = &body->geoms[i];
		const double density = geom->mass > 0.0 ? geom->mass / geom->shape->mass.volume : geom->density;
		AbutImportMass *mass = geom->weighs && density > 0.0 ? abut_importer_mass(importer, body) : NULL;
		if (mass) {
			mass->mass = density * geom->shape->mass.volume;
			abut_copy3(geom->shape->mass.centre_of_mass, mass->centre);
			for (int k = 0; k < 9; k++) {
				mass->inertia[k] = density * geom->shape->mass.inertia[k];
			}
		}
	}
}

/* Returns the highest priority of the geometries that collide. Writes it as a part of a note, or nothing if all have
 * the same. */
static int highest_priority(const AbutImportBody *body, char note[PRIORITY_SIZE])
{
	int most = INT_MIN, least = INT_MAX;
	for (int i = 0; i < body->n_geoms; i++) {
		const AbutGeom *geom = &body->geoms[i];
		most = geom->collides && geom->priority > most ? geom->priority : most;
		least = geom->collides && geom->priority < least ? geom->priority : least;
	}
	note[0] = '\0';
	if (most > least) {
		snprintf(note, PRIORITY_SIZE, " of those of the highest priority, %d", most);
	}
	return most;
}

/* Notes springs of geometries that differ, where pairs are not listed, so that a body has only one. */
static void note_springs(AbutImporter *importer, const AbutImportBody *body)
{
	char priority[PRIORITY_SIZE];
	const AbutGeom *first = NULL;
	highest_priority(body, priority);
	for (int i = 0; i < body->n_geoms; i++) {
		const AbutGeom *geom = &body->geoms[i];
		if (first && geom->collides && abut_springs_differ(&first->spring, &geom->spring)) {
			abut_importer_note(
			    importer, body->element,
			    "approximated: \"%.60s\": solref, solimp or margin of its geometries differ; the "
			    "body uses those of the first that touches another%s",
			    body->name, priority);
			return;
		}
		first = first ? first : geom->collides ? geom : NULL;
	}
}

/* Notes springs of the freedoms of a joint that differ, because a joint has only one for its limits and one for its
 * friction: that of the first freedom that needs it (io/import/write_joints.c). */
static void note_joint_springs(AbutImporter *importer, const AbutImportJoint *joint)
{
	for (int which = 0; which < 2 && joint->type != ABUT_JOINT_BALL; which++) {
		const AbutImportLaw *first = NULL;
		for (int i = 0; i < joint->n_laws; i++) {
			const AbutImportLaw *law = &joint->law[i];
			const bool has = which == 0 ? law->axis.has_limits : law->axis.friction > 0.0;
			if (has && first &&
			    abut_springs_differ(which == 0 ? &first->limit_spring : &first->friction_spring,
			                        which == 0 ? &law->limit_spring : &law->friction_spring)) {
				abut_importer_note(
				    importer, law->element,
				    "approximated: springs of %s of \"%.60s\" and \"%.60s\" differ; both "
				    "get those of the first",
				    which == 0 ? "limits" : "friction", first->source, law->source);
				break;
			}
			first = first ? first : has ? law : NULL;
		}
	}
}

/* Sets the body's friction to the largest of its geometries of the highest priority. */
static void choose_friction(AbutImportBody *body)
{
	char note[PRIORITY_SIZE];
	const int priority = highest_priority(body, note);
	for (int i = 0; i < body->n_geoms; i++) {
		const AbutGeom *geom = &body->geoms[i];
		if (geom->collides && geom->priority == priority) {
			const bool twists = geom->dimensions == 0 || geom->dimensions >= 4;
			body->friction = fmax(body->friction, geom->dimensions == 1 ? 0.0 : geom->friction);
			body->torsion = fmax(body->torsion, twists ? geom->torsion : 0.0);
		}
	}
}

/* Notes friction of geometries that differs, where pairs are not listed, so that a body has only one value. */
static void note_friction(AbutImporter *importer, const AbutImportBody *body)
{
	bool differ = false;
	char note[PRIORITY_SIZE];
	const AbutGeom *first = NULL;
	highest_priority(body, note);
	for (int i = 0; i < body->n_geoms; i++) {
		const AbutGeom *geom = &body->geoms[i];
		if (geom->collides) {
			differ =
			    differ || (first && (geom->friction != first->friction || geom->torsion != first->torsion));
			first = first ? first : geom;
		}
	}
	if (differ) {
		abut_importer_note(importer, body->element,
		                   "\"%s\": the friction of its geometries differs; the body uses the largest%s, %g",
		                   body->name, note, body->friction);
	}
}

static int count_colliding(const AbutImportBody *body)
{
	int n = 0;
	for (int i = 0; i < body->n_geoms; i++) {
		n += body->geoms[i].collides;
	}
	return n;
}

/* Fails unless the total inertia is positive definite; a single part may be a point mass. */
static void require_inertia(AbutImporter *importer, const AbutImportBody *body)
{
	double values[3];
	abut_eigenvalues3(body->total.inertia, values);
	if (!(values[0] > 0.0)) {
		abut_importer_fail(importer, body->element,
		                   "\"%.60s\": the least principal moment of its inertia must be positive, is %g",
		                   body->name, values[0]);
	}
}

/* Returns whether the body can be in a scene; otherwise a note or an error usually says why. */
static bool finish_body(AbutImporter *importer, AbutImportBody *body)
{
	if (body->is_static && body->n_geoms == 0) {
		return false; /* the world itself, or an empty link with only children */
	}
	if (body->carried >= 0) {
		return true; /* a link of a chain, whose mass follows that of the body that it carries */
	}
	if (count_colliding(body) == 0 && !body->jointed) {
		abut_importer_note(importer, body->element, "left out: body \"%s\": it has no geometry that collides",
		                   body->name);
		return false;
	}
	for (int i = 0; i < body->n_geoms && importer->status == ABUT_OK; i++) {
		make_shape(importer, &body->geoms[i]);
		if (importer->status == ABUT_OK && !body->is_static && body->geoms[i].kind == ABUT_GEOM_PLANE) {
			abut_importer_fail(importer, body->geoms[i].element, "only static bodies may have a plane");
		}
	}
	choose_friction(body);
	if (importer->status != ABUT_OK || body->is_static) {
		return importer->status == ABUT_OK;
	}
	weigh_geoms(importer, body);
	body->total = sum_masses(body->n_masses, body->masses);
	if (importer->status == ABUT_OK && !(body->total.mass > 0.0) && body->jointed) {
		body->carried = abut_import_child(importer->import, (int)(body - importer->import->bodies));
		if (body->carried < 0) {
			abut_importer_fail(importer, body->element, "\"%.60s\" moves on a joint, but has no mass",
			                   body->name);
		} else {
			abut_importer_note(importer, body->element,
			                   "approximated: \"%.60s\" has no mass; it gets 1e-6 of that of \"%.60s\"",
			                   body->name, importer->import->bodies[body->carried].name);
		}
		return importer->status == ABUT_OK;
	}
	if (importer->status == ABUT_OK && !(body->total.mass > 0.0)) {
		abut_importer_note(importer, body->element, "left out: body \"%s\": it moves freely but has no mass",
		                   body->name);
		return false;
	}
	if (importer->status == ABUT_OK) {
		require_inertia(importer, body);
	}
	return importer->status == ABUT_OK;
}

enum { PAIRS_MAX = 20000 }; /* maximum number of pairs for a scene that lists each pair */

/* Returns whether nothing of a body collides: its stand-in may be in no pair. */
static bool has_stand_in(const AbutImport *import)
{
	for (int i = 0; i < import->n_bodies; i++) {
		if (count_colliding(&import->bodies[i]) == 0) {
			return true;
		}
	}
	return false;
}

bool abut_import_lists_pairs(const AbutImport *import)
{
	const long n = import->n_bodies;
	return (import->contacts.takes_larger || has_stand_in(import)) && n * (n - 1) / 2 <= PAIRS_MAX;
}

/* Scales all masses to the total that the model asks for. */
static void scale_masses(AbutImport *import)
{
	double sum = 0.0;
	for (int i = 0; i < import->n_bodies; i++) {
		sum += import->bodies[i].is_static ? 0.0 : import->bodies[i].total.mass;
	}
	for (int i = 0; i < import->n_bodies && import->total_mass > 0.0 && sum > 0.0; i++) {
		AbutImportMass *total = &import->bodies[i].total;
		total->mass *= import->total_mass / sum;
		for (int k = 0; k < 9; k++) {
			total->inertia[k] *= import->total_mass / sum;
		}
	}
}

/* Drops the bodies that cannot be in a scene. */
static void keep_bodies(AbutImporter *importer)
{
	AbutImport *import = importer->import;
	int kept = 0, *const map = calloc((size_t)import->n_bodies + 1, sizeof *map);
	bool *const keeps = calloc((size_t)import->n_bodies + 1, sizeof *keeps);
	if (!map || !keeps) {
		free(map);
		free(keeps);
		abut_importer_no_memory(importer);
		return;
	}
	for (int i = 0; i < import->n_bodies && importer->status == ABUT_OK; i++) {
		keeps[i] = finish_body(importer, &import->bodies[i]);
		map[i] = keeps[i] ? kept++ : ABUT_JOINT_WORLD;
	}
	if (importer->status == ABUT_OK) {
		abut_importer_renumber(import, map);
		for (int i = 0; i < import->n_bodies; i++) {
			if (keeps[i] && map[i] != i) {
				const AbutImportBody dropped = import->bodies[map[i]];
				import->bodies[map[i]] = import->bodies[i];
				import->bodies[i] = dropped;
			}
		}
		while (import->n_bodies > kept) {
			abut_importer_drop_body(import);
		}
		scale_masses(import);
		abut_importer_weigh_links(import);
	}
	free(map);
	free(keeps);
}

/* Lets joints whose coordinates are outside of their limits start at the nearer limit, and notes springs that differ.
 */
static void finish_joints(AbutImporter *importer)
{
	for (int i = 0; i < importer->import->n_joints; i++) {
		AbutImportJoint *joint = &importer->import->joints[i];
		note_joint_springs(importer, joint);
		for (int k = 0; k < joint->n_laws && joint->type != ABUT_JOINT_BALL; k++) {
			abut_importer_start(importer, joint, k, joint->start[k], joint->law[k].element);
		}
	}
}

void abut_importer_finish(AbutImporter *importer)
{
	AbutImport *import = importer->import;
	finish_joints(importer);
	keep_bodies(importer);
	if (importer->status != ABUT_OK) {
		return;
	}
	if (import->contacts.takes_larger && !abut_import_lists_pairs(import)) {
		abut_importer_note(
		    importer, import->trees[0],
		    "left out, as there are %d bodies: contype, conaffinity, <exclude> and torsional friction of pairs",
		    import->n_bodies);
	}
	for (int i = 0; !abut_import_lists_pairs(import) && i < import->n_bodies; i++) {
		note_friction(importer, &import->bodies[i]);
		note_springs(importer, &import->bodies[i]);
	}
	if (import->n_bodies == 0) {
		importer->status = abut_file_fail(importer->error, importer->path, ABUT_ERROR_UNSUPPORTED,
		                                  "no part of it can be in a scene: it has no free or static body with "
		                                  "collision geometry");
	}
}
