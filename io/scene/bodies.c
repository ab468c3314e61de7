/* Reads the bodies of a scene. */
#include "io/scene/bodies.h"

#include <stdlib.h>
#include <string.h>

#include "io/json/read.h"
#include "io/scene/shapes.h"
#include "io/scene/values.h"
#include "io/text/words.h"

/* Returns the body's shape. It is a named shape of the scene, or an object in the body, which the scene then owns. */
static const AbutBundle *read_shape(AbutScene *scene, const AbutNode *body)
{
	AbutNode node;
	if (!abut_node_require(body, "shape", &node)) {
		return NULL;
	}
	if (abut_json_type(node.value) == ABUT_JSON_STRING) {
		const int index = abut_scene_read_reference(&node, "shape", &scene->shape_names);
		return index >= 0 ? scene->shapes[index] : NULL;
	}
	if (!abut_node_check_type(&node, ABUT_JSON_OBJECT, "the name of a shape or a shape object")) {
		return NULL;
	}
	AbutBundle *const shape = abut_scene_make_shape(&node);
	if (shape) {
		scene->shapes[scene->n_shapes++] = shape;
	}
	return shape;
}

/* Reads mass or density: exactly one for a moving body, at most one for a static body. */
static void read_mass(const AbutNode *body, AbutBodyDef *def)
{
	AbutNode density;
	const bool has_mass = abut_read_number(body, "mass", ABUT_POSITIVE, &def->mass);
	const bool has_density = abut_node_get(body, "density", &density);
	if (has_density) {
		abut_node_number(&density, ABUT_POSITIVE, &def->density);
	}
	if (has_mass && has_density) {
		abut_node_fail(&density, ABUT_ERROR_PARSE, "a body has a \"mass\" or a \"density\", not both");
	}
	if (!has_mass && !has_density && !def->is_static) {
		abut_node_fail(body, ABUT_ERROR_PARSE, "a moving body needs the key \"mass\" or \"density\"");
	}
}

/* Reads the inertia, given as three diagonal entries or as a full matrix. */
static bool read_inertia(const AbutNode *body, double inertia[9])
{
	AbutNode node, row;
	if (!abut_node_get(body, "inertia", &node) ||
	    !abut_node_check_count(&node, 3, "3 numbers (the diagonal) or 3 rows of 3 numbers")) {
		return false;
	}
	memset(inertia, 0, 9 * sizeof *inertia);
	const bool is_matrix = abut_json_type(abut_json_first(node.value)) == ABUT_JSON_ARRAY;
	for (bool more = abut_node_first(&node, &row); more; more = abut_node_next(&row)) {
		if (is_matrix) {
			abut_node_vector(&row, 3, ABUT_ANY, &inertia[3 * row.index]);
		} else {
			abut_node_number(&row, ABUT_ANY, &inertia[4 * row.index]);
		}
	}
	return true;
}

static void read_input(const AbutNode *body, AbutBodyDef *def)
{
	AbutNode input;
	if (abut_node_get(body, "input", &input) && abut_node_check_keys(&input, &abut_keys_input)) {
		abut_read_vector(&input, "force", 3, ABUT_ANY, def->force);
		abut_read_vector(&input, "torque", 3, ABUT_ANY, def->torque);
	}
}

/* Reads `planar`; the only plane supported is "xz". */
static void read_planar(const AbutNode *body, AbutBodyDef *def)
{
	static const char *const planes[] = {"xz"};
	int choice = 0;
	def->planar_xz = abut_read_choice(body, "planar", planes, 1, &choice);
}

static void read_body(AbutScene *scene, const AbutNode *node, AbutBodyDef *def)
{
	*def = abut_body_def_default();
	if (!abut_node_check_keys(node, &abut_keys_body)) {
		return;
	}
	abut_require_name(node, "name", &def->name);
	abut_read_bool(node, "static", &def->is_static);
	const AbutBundle *shape = read_shape(scene, node);
	if (shape) {
		def->parts = shape->parts;
		def->n_parts = shape->n_parts;
		def->parts_mass = shape->mass_given ? &shape->mass : NULL;
	}
	read_mass(node, def);
	def->has_inertia = read_inertia(node, def->inertia);
	def->has_centre_of_mass = abut_read_vector(node, "centre_of_mass", 3, ABUT_ANY, def->centre_of_mass);
	abut_read_vector(node, "position", 3, ABUT_ANY, def->position);
	abut_read_quaternion(node, "orientation", def->orientation);
	abut_read_vector(node, "linear_velocity", 3, ABUT_ANY, def->linear_velocity);
	abut_read_vector(node, "angular_velocity", 3, ABUT_ANY, def->angular_velocity);
	abut_read_number(node, "friction", ABUT_NONNEGATIVE, &def->friction);
	read_input(node, def);
	read_planar(node, def);
}

void abut_scene_read_bodies(AbutScene *scene, const AbutNode *root)
{
	AbutNode bodies, node;
	if (!abut_node_require(root, "bodies", &bodies) || !abut_node_check_array(&bodies, "an array of bodies")) {
		return;
	}
	const int n = abut_json_count(bodies.value);
	if (n < 1 || n > ABUT_BODIES_MAX) {
		abut_node_fail(&bodies, ABUT_ERROR_PARSE, "must have 1 to %d bodies, has %d", (int)ABUT_BODIES_MAX, n);
		return;
	}
	scene->bodies = calloc((size_t)n, sizeof *scene->bodies);
	if (!scene->bodies || !abut_names_init(&scene->body_names, n)) {
		abut_node_fail_memory(&bodies);
		return;
	}
	for (bool more = abut_node_first(&bodies, &node); more; more = abut_node_next(&node)) {
		read_body(scene, &node, &scene->bodies[node.index]);
	}
	scene->def.bodies = scene->bodies;
	scene->def.n_bodies = n;
	for (int i = 0; abut_node_ok(&bodies) && i < n; i++) {
		abut_names_add(&scene->body_names, scene->bodies[i].name, i);
	}
	abut_scene_check_names(&bodies, "bodies", &scene->body_names);
}
