/* Reads the shapes of a scene: the named shapes of `shapes`, and shape objects. */
#include "io/scene/shapes.h"

#include <stdlib.h>
#include <string.h>

#include "abut/smooth.h"
#include "base/vec3.h"
#include "io/json/read.h"
#include "io/scene/composite.h"
#include "io/scene/conic.h"
#include "io/scene/mesh.h"
#include "io/scene/shape_types.h"
#include "io/scene/values.h"
#include "shapes/primitives/polytope.h"

/* Reads one type: reads the keys of the object and, if they are correct, calls the constructor. */
typedef AbutStatus ShapeReader(const AbutNode *node, AbutShape **out, AbutError *error);

static AbutStatus read_halfspace(const AbutNode *node, AbutShape **out, AbutError *error)
{
	double normal[3] = {0.0, 0.0, 1.0};
	abut_require_vector(node, "normal", 3, ABUT_ANY, normal);
	const double offset = abut_scene_require_number(node, "offset", ABUT_ANY);
	return abut_node_ok(node) ? abut_shape_create_halfspace(normal, offset, out, error) : ABUT_OK;
}

static AbutStatus read_box(const AbutNode *node, AbutShape **out, AbutError *error)
{
	double half_extents[3];
	abut_require_vector(node, "half_extents", 3, ABUT_POSITIVE, half_extents);
	return abut_node_ok(node) ? abut_shape_create_box(half_extents, out, error) : ABUT_OK;
}

static AbutStatus read_inequalities(const AbutNode *node, AbutShape **out, AbutError *error)
{
	int n_rows = 0, n_bounds = 0;
	double *A = abut_scene_read_rows(node, "A", 3, &n_rows);
	double *b = abut_scene_read_rows(node, "b", 1, &n_bounds);
	AbutStatus status = ABUT_OK;
	if (abut_node_ok(node) && n_rows != n_bounds) {
		AbutNode member;
		abut_node_get(node, "b", &member);
		abut_node_fail(&member, ABUT_ERROR_PARSE, "must have a number for each of the %d rows of A, has %d",
		               n_rows, n_bounds);
	} else if (abut_node_ok(node)) {
		status = abut_shape_create_polytope(n_rows, A, b, out, error);
	}
	free(A);
	free(b);
	return status;
}

static AbutStatus read_polytope(const AbutNode *node, AbutShape **out, AbutError *error)
{
	AbutNode member;
	const bool has_vertices = abut_node_get(node, "vertices", &member);
	if (has_vertices && (abut_node_get(node, "A", &member) || abut_node_get(node, "b", &member))) {
		abut_node_fail(&member, ABUT_ERROR_PARSE,
		               "a polytope is given by \"A\" and \"b\" or by \"vertices\", not both");
	}
	if (!has_vertices) {
		if (!abut_node_get(node, "A", &member) && !abut_node_get(node, "b", &member)) {
			abut_node_fail(node, ABUT_ERROR_PARSE, "a polytope needs \"A\" and \"b\", or \"vertices\"");
		}
		if (abut_node_get(node, "coplanar", &member)) {
			abut_node_fail(&member, ABUT_ERROR_PARSE,
			               "is for \"vertices\"; rows of \"A\" are kept as they are");
		}
		return read_inequalities(node, out, error);
	}
	int n = 0;
	double *vertices = abut_scene_read_rows(node, "vertices", 3, &n), coplanar = ABUT_COPLANAR;
	abut_read_number(node, "coplanar", ABUT_NONNEGATIVE, &coplanar);
	const AbutStatus status = vertices && abut_node_ok(node)
	                              ? abut_shape_create_polytope_coplanar(n, vertices, coplanar, out, error)
	                              : ABUT_OK;
	free(vertices);
	return status;
}

/* Reads a polytope. `mass_properties`, if given, replace the values computed from its volume. The key "source" is
 * documentation for people and is not read. */
static AbutStatus read_full_polytope(const AbutNode *node, AbutShape **out, AbutError *error)
{
	AbutMassProperties mass = {.volume = 0.0};
	const AbutStatus status = read_polytope(node, out, error);
	const bool read = status == ABUT_OK && abut_node_ok(node);
	return read && abut_scene_read_mass_properties(node, &mass) ? abut_shape_set_mass(*out, &mass, error) : status;
}

static AbutStatus read_padded_polytope(const AbutNode *node, AbutShape **out, AbutError *error)
{
	AbutShape *core = NULL;
	const double radius = abut_scene_require_number(node, "radius", ABUT_POSITIVE);
	AbutStatus status = read_polytope(node, &core, error);
	if (status == ABUT_OK && abut_node_ok(node)) {
		status = abut_shape_create_padded_polytope(core, radius, out, error);
	}
	abut_shape_destroy(core);
	return status;
}

static AbutStatus read_sphere(const AbutNode *node, AbutShape **out, AbutError *error)
{
	const double radius = abut_scene_require_number(node, "radius", ABUT_POSITIVE);
	return abut_node_ok(node) ? abut_shape_create_sphere(radius, out, error) : ABUT_OK;
}

static AbutStatus read_ellipsoid(const AbutNode *node, AbutShape **out, AbutError *error)
{
	double radii[3];
	abut_require_vector(node, "radii", 3, ABUT_POSITIVE, radii);
	return abut_node_ok(node) ? abut_shape_create_ellipsoid(radii, out, error) : ABUT_OK;
}

static AbutStatus read_capsule(const AbutNode *node, AbutShape **out, AbutError *error)
{
	const double radius = abut_scene_require_number(node, "radius", ABUT_POSITIVE);
	const double length = abut_scene_require_number(node, "length", ABUT_POSITIVE);
	return abut_node_ok(node) ? abut_shape_create_capsule(radius, length, out, error) : ABUT_OK;
}

static AbutStatus read_cylinder(const AbutNode *node, AbutShape **out, AbutError *error)
{
	const double radius = abut_scene_require_number(node, "radius", ABUT_POSITIVE);
	const double length = abut_scene_require_number(node, "length", ABUT_POSITIVE);
	return abut_node_ok(node) ? abut_shape_create_cylinder(radius, length, out, error) : ABUT_OK;
}

static AbutStatus read_cone(const AbutNode *node, AbutShape **out, AbutError *error)
{
	const double height = abut_scene_require_number(node, "height", ABUT_POSITIVE);
	const double radius = abut_scene_require_number(node, "radius", ABUT_POSITIVE);
	return abut_node_ok(node) ? abut_shape_create_cone(height, radius, out, error) : ABUT_OK;
}

/* Reads `exponents` [across z, along z], or `exponent` for both. */
static AbutStatus read_superellipsoid(const AbutNode *node, AbutShape **out, AbutError *error)
{
	double radii[3], exponents[2] = {2.0, 2.0}, exponent = 2.0;
	abut_require_vector(node, "radii", 3, ABUT_POSITIVE, radii);
	const bool one = abut_read_number(node, "exponent", ABUT_POSITIVE, &exponent);
	const bool two = abut_read_vector(node, "exponents", 2, ABUT_POSITIVE, exponents);
	if (one == two && abut_node_ok(node)) {
		abut_node_fail(node, ABUT_ERROR_PARSE, "a superellipsoid needs \"exponent\" or \"exponents\", %s",
		               one ? "not both" : "one of them");
	}
	if (one) {
		exponents[0] = exponents[1] = exponent;
	}
	return abut_node_ok(node) ? abut_shape_create_superellipsoid(radii, exponents, out, error) : ABUT_OK;
}

typedef AbutStatus BundleReader(const AbutNode *node, AbutBundle **out, AbutError *error);

/* Readers of types that give a single shape; below, of types that may give several. */
static ShapeReader *const readers[ABUT_TYPE_COUNT] = {
    [ABUT_SHAPE_HALFSPACE] = read_halfspace,
    [ABUT_SHAPE_BOX] = read_box,
    [ABUT_SHAPE_POLYTOPE] = read_full_polytope,
    [ABUT_SHAPE_PADDED_POLYTOPE] = read_padded_polytope,
    [ABUT_SHAPE_SPHERE] = read_sphere,
    [ABUT_SHAPE_ELLIPSOID] = read_ellipsoid,
    [ABUT_SHAPE_CAPSULE] = read_capsule,
    [ABUT_SHAPE_CYLINDER] = read_cylinder,
    [ABUT_SHAPE_CONE] = read_cone,
    [ABUT_SHAPE_CONIC] = abut_scene_read_conic,
    [ABUT_SHAPE_SMOOTH] = read_superellipsoid,
};
static BundleReader *const bundle_readers[ABUT_TYPE_COUNT] = {
    [ABUT_SHAPE_MINKOWSKI_SUM] = abut_scene_read_minkowski_sum,
    [ABUT_SHAPE_INTERSECTION] = abut_scene_read_intersection,
    [ABUT_TYPE_UNION] = abut_scene_read_union,
    [ABUT_TYPE_MESH] = abut_scene_read_mesh,
};

/* Lists the allowed values of "type": built-in types, then registered types. Returns their number. */
static int type_names(const AbutShapeTypes *registered, const char *names[ABUT_TYPE_COUNT + ABUT_SHAPE_TYPES_MAX])
{
	int n = 0;
	for (; n < ABUT_TYPE_COUNT; n++) {
		names[n] = abut_scene_type(n);
	}
	for (int i = 0; registered && i < registered->count; i++) {
		names[n++] = registered->types[i]->name;
	}
	return n;
}

/* Reads the type of a shape object. `*type` is ABUT_TYPE_COUNT + index for a registered type. Returns false after an
 * error. */
static bool read_type(const AbutNode *node, int *type)
{
	AbutNode member;
	if (!abut_node_check_type(node, ABUT_JSON_OBJECT, "a shape object (only a body may name one of \"shapes\")") ||
	    !abut_node_require(node, "type", &member)) {
		return false;
	}
	const char *names[ABUT_TYPE_COUNT + ABUT_SHAPE_TYPES_MAX];
	const int n = type_names(node->reader->types, names);
	return abut_node_choice(&member, names, n, type);
}

/* Records an error of a constructor at the key named by the error. */
static void fail_constructor(const AbutNode *node, AbutStatus status, AbutError *error)
{
	if (status == ABUT_ERROR_MEMORY && !error->message[0]) {
		abut_node_fail_memory(node);
		return;
	}
	AbutNode member;
	error->where[strcspn(error->where, ".[")] = '\0';
	const bool named = abut_node_get(node, error->where, &member);
	/* Removes the key from a message such as "vertices: flat", because the path printed before it ends with the
	 * key. */
	const char *message = error->message;
	const char *const names[] = {error->where, "A, b"};
	for (int i = 0; named && i < 2; i++) {
		const size_t n = strlen(names[i]);
		if (strncmp(message, names[i], n) == 0 && strncmp(message + n, ": ", 2) == 0) {
			message += n + 2;
		}
	}
	abut_node_fail(named ? &member : node, status, "%s", message);
}

/* Moves the shape by the object's `position` and `orientation`. */
static AbutStatus place(const AbutNode *node, AbutBundle *bundle, AbutError *error)
{
	double position[3] = {0.0, 0.0, 0.0}, orientation[4] = {1.0, 0.0, 0.0, 0.0}, rotation[9];
	const bool has_position = abut_read_vector(node, "position", 3, ABUT_ANY, position);
	const bool has_orientation = abut_read_quaternion(node, "orientation", orientation);
	if (!abut_node_ok(node) || (!has_position && !has_orientation)) {
		return ABUT_OK;
	}
	abut_quat_to_mat3(orientation, rotation);
	return abut_bundle_move(bundle, rotation, position, error);
}

/* Reads a shape of a built-in type, or of a registered type if `registered` is not NULL. */
static AbutStatus read_typed(const AbutNode *node, int type, const AbutRegisteredType *registered, AbutBundle **out,
                             AbutError *error)
{
	if (!registered && bundle_readers[type]) {
		return bundle_readers[type](node, out, error);
	}
	AbutShape *shape = NULL;
	AbutStatus status =
	    registered ? abut_registered_read(registered, node, &shape, error) : readers[type](node, &shape, error);
	if (status == ABUT_OK && abut_node_ok(node)) {
		const AbutShape *const one[1] = {shape};
		status = abut_bundle_create(1, one, out, error);
	}
	abut_shape_destroy(shape);
	return status;
}

bool abut_scene_goes_on(const AbutNode *node)
{
	if (abut_stopped(node->reader->stop)) {
		abut_node_fail(node, ABUT_ERROR_STOPPED, "stopped while reading this shape");
	}
	return abut_node_ok(node);
}

AbutBundle *abut_scene_make_shape(const AbutNode *node)
{
	int type = 0;
	if (!abut_scene_goes_on(node) || !read_type(node, &type)) {
		return NULL;
	}
	const AbutRegisteredType *registered =
	    type < ABUT_TYPE_COUNT ? NULL : node->reader->types->types[type - ABUT_TYPE_COUNT];
	if (!abut_node_check_keys(node, registered ? &registered->set : &abut_keys_shape[type])) {
		return NULL;
	}
	AbutError error = {0};
	AbutBundle *bundle = NULL;
	AbutStatus status = read_typed(node, type, registered, &bundle, &error);
	if (status == ABUT_OK && abut_node_ok(node)) {
		status = place(node, bundle, &error);
	}
	if (status != ABUT_OK) {
		fail_constructor(node, status, &error);
	}
	if (!abut_node_ok(node)) {
		abut_bundle_destroy(bundle);
		return NULL;
	}
	return bundle;
}

/* Returns the number of members of an object or array, 0 for anything else. */
static int count_members(const AbutNode *root, const char *key)
{
	AbutNode node;
	if (!abut_node_get(root, key, &node)) {
		return 0;
	}
	const AbutJsonType type = abut_json_type(node.value);
	return type == ABUT_JSON_OBJECT || type == ABUT_JSON_ARRAY ? abut_json_count(node.value) : 0;
}

void abut_scene_read_shapes(AbutScene *scene, const AbutNode *root)
{
	/* Allocates room for every named shape and one shape per body. */
	const size_t n_named = (size_t)count_members(root, "shapes"), n_bodies = (size_t)count_members(root, "bodies");
	if (!abut_node_ok(root)) {
		return;
	}
	scene->shapes = malloc((n_named + n_bodies + 1) * sizeof *scene->shapes);
	if (!scene->shapes || !abut_names_init(&scene->shape_names, (int)n_named)) {
		abut_node_fail_memory(root);
		return;
	}
	AbutNode shapes, node;
	if (!abut_node_get(root, "shapes", &shapes)) {
		return;
	}
	abut_node_check_type(&shapes, ABUT_JSON_OBJECT, "an object of named shapes");
	for (bool more = abut_node_first(&shapes, &node); more; more = abut_node_next(&node)) {
		if (strlen(node.key) < 1 || strlen(node.key) > ABUT_NAME_MAX) {
			abut_node_fail_key(&node, 1, ABUT_ERROR_PARSE,
			                   "the name of a shape must have 1 to %d bytes, has %zu", (int)ABUT_NAME_MAX,
			                   strlen(node.key));
		}
		AbutBundle *const shape = abut_scene_make_shape(&node);
		if (shape) {
			abut_names_add(&scene->shape_names, node.key, scene->n_shapes);
			scene->shapes[scene->n_shapes++] = shape;
		}
	}
	const int duplicate = abut_node_ok(root) ? abut_names_finish(&scene->shape_names) : -1;
	if (duplicate >= 0) {
		abut_node_first(&shapes, &node);
		while (node.index < duplicate) {
			abut_node_next(&node);
		}
		abut_node_fail_key(&node, 2, ABUT_ERROR_PARSE, "two shapes have this name");
	}
}
