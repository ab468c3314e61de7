/* Reads the joints of a scene. What acts on a freedom is a number, pair or object for joints with one freedom and for
 * balls, otherwise a list with an entry for each freedom. */
#include "io/scene/joints.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/json/read.h"
#include "io/scene/couplings.h"
#include "io/scene/springs.h"
#include "io/scene/values.h"

#define ABUT_X(constant, name) name,
static const char *const types[] = {ABUT_JOINT_TYPE_LIST(ABUT_X)};
static const char *const motors[] = {ABUT_MOTOR_TYPE_LIST(ABUT_X)};
#undef ABUT_X

/* Reads a body's name and returns its index; "world" is allowed if `world`. */
static int read_body(const AbutScene *scene, const AbutNode *joint, const char *key, bool world)
{
	AbutNode node;
	if (!abut_node_require(joint, key, &node) ||
	    !abut_node_check_type(&node, ABUT_JSON_STRING,
	                          world ? "the name of a body or \"world\"" : "the name of a body")) {
		return ABUT_JOINT_WORLD;
	}
	const bool own = abut_names_find(&scene->body_names, "world") >= 0; /* a body has this name */
	if (strcmp(abut_json_string(node.value), "world") != 0 || (!world && own)) {
		return abut_scene_read_reference(&node, "body", &scene->body_names);
	}
	if (!world) {
		abut_node_fail(&node, ABUT_ERROR_PARSE,
		               "\"world\" can only be the \"parent\" of a joint; \"child\" must be a body");
	} else if (own) {
		abut_node_fail(
		    &node, ABUT_ERROR_PARSE,
		    "\"world\" is the frame of the world here, and a body also has this name; rename the body");
	}
	return ABUT_JOINT_WORLD;
}

/* --- frames --- */

static bool read_frame(const AbutNode *joint, const char *key, AbutJointFrame *out)
{
	AbutNode frame;
	if (!abut_node_get(joint, key, &frame)) {
		return false;
	}
	if (abut_node_check_keys(&frame, &abut_keys_joint_frame)) {
		abut_read_vector(&frame, "position", 3, ABUT_ANY, out->position);
		abut_read_quaternion(&frame, "orientation", out->orientation);
	}
	return true;
}

/* Sets both frames from `anchor` and `axis`, at the initial poses of the bodies. */
static void read_anchor(const AbutScene *scene, const AbutNode *joint, const AbutNode *anchor, AbutJointDef *def)
{
	AbutNode axis;
	double place[3] = {0.0}, direction[3] = {0.0, 0.0, 1.0};
	abut_node_vector(anchor, 3, ABUT_ANY, place);
	if (abut_node_get(joint, "axis", &axis) && abut_node_vector(&axis, 3, ABUT_ANY, direction) &&
	    direction[0] == 0.0 && direction[1] == 0.0 && direction[2] == 0.0) {
		abut_node_fail(&axis, ABUT_ERROR_PARSE, "the axis must not be [0, 0, 0]; only its direction counts");
	}
	const AbutBodyDef world = abut_body_def_default();
	const AbutBodyDef *parent = def->parent == ABUT_JOINT_WORLD ? &world : &scene->bodies[def->parent];
	const AbutBodyDef *child = &scene->bodies[def->child];
	if (abut_node_ok(joint)) {
		abut_joint_frames(place, direction, parent->position, parent->orientation, child->position,
		                  child->orientation, def);
	}
}

/* Reads where the joint is: both frames, or an anchor with an axis. */
static void read_place(const AbutScene *scene, const AbutNode *joint, AbutJointDef *def)
{
	AbutNode anchor, axis;
	const bool has_parent = read_frame(joint, "parent_frame", &def->parent_frame);
	const bool has_child = read_frame(joint, "child_frame", &def->child_frame);
	const bool has_anchor = abut_node_get(joint, "anchor", &anchor);
	if (!abut_node_ok(joint)) {
		return;
	}
	if (has_anchor && (has_parent || has_child)) {
		abut_node_fail(&anchor, ABUT_ERROR_PARSE,
		               "a joint has an \"anchor\" or frames (\"parent_frame\", \"child_frame\"), not both");
	} else if (has_anchor && def->type == ABUT_JOINT_DISTANCE) {
		abut_node_fail(&anchor, ABUT_ERROR_PARSE,
		               "a distance joint holds two different points apart: it needs a \"parent_frame\", a "
		               "\"child_frame\" or both instead");
	} else if (has_anchor) {
		read_anchor(scene, joint, &anchor, def);
	} else if (!has_parent && !has_child) {
		abut_node_fail(
		    joint, ABUT_ERROR_PARSE,
		    def->type == ABUT_JOINT_DISTANCE
		        ? "a distance joint needs a \"parent_frame\", a \"child_frame\" or both; it keeps the "
		          "distance of their origins"
		        : "a joint needs an \"anchor\" (usually with an \"axis\"), or a \"parent_frame\", a "
		          "\"child_frame\" or both");
	} else if (abut_node_get(joint, "axis", &axis)) {
		abut_node_fail(&axis, ABUT_ERROR_PARSE,
		               "\"axis\" needs an \"anchor\"; with frames, the axis is the z axis of the frames");
	}
}

/* --- what acts on a freedom --- */

static void read_limits(const AbutNode *node, AbutJointType of, AbutJointAxis *axis)
{
	double limits[2] = {0.0};
	(void)of;
	axis->has_limits = abut_node_vector(node, 2, ABUT_ANY, limits);
	axis->lower = limits[0];
	axis->upper = limits[1];
}

/* Reads the target of a ball's motor: 0, or a vector whose entries go to the motors of the freedoms. */
static void read_vector_target(const AbutNode *motor, AbutJointAxis *axes)
{
	AbutNode target;
	double values[ABUT_JOINT_FREEDOMS] = {0.0};
	if (abut_node_get(motor, "target", &target) &&
	    !(abut_json_type(target.value) == ABUT_JSON_NUMBER && abut_json_number(target.value) == 0.0)) {
		abut_node_vector(&target, ABUT_JOINT_FREEDOMS, ABUT_ANY, values);
	}
	for (int i = 0; i < ABUT_JOINT_FREEDOMS; i++) {
		axes[i].motor.target = values[i];
	}
}

static void read_motor(const AbutNode *node, AbutJointType of, AbutJointAxis *axis)
{
	AbutMotorDef *motor = &axis->motor;
	AbutNode type, damping;
	int choice = 0;
	if (!abut_node_check_keys(node, &abut_keys_motor) || !abut_node_require(node, "type", &type) ||
	    !abut_node_choice(&type, motors + 1, ABUT_MOTOR_TYPE_COUNT - 1, &choice)) {
		return;
	}
	motor->type = (AbutMotorType)(choice + 1);
	if (motor->type == ABUT_MOTOR_POSITION) {
		motor->stiffness = abut_scene_require_number(node, "stiffness", ABUT_NONNEGATIVE);
	} else {
		abut_read_number(node, "stiffness", ABUT_NONNEGATIVE, &motor->stiffness);
	}
	if (motor->type == ABUT_MOTOR_VELOCITY) {
		abut_node_require(node, "damping", &damping);
	}
	abut_read_number(node, "damping", ABUT_NONNEGATIVE, &motor->damping);
	abut_read_number(node, "limit", ABUT_POSITIVE, &motor->limit);
	if (of == ABUT_JOINT_BALL) {
		read_vector_target(node, axis);
	} else {
		abut_read_number(node, "target", ABUT_ANY, &motor->target);
	}
}

/* Keys that act on a freedom: numbers of AbutJointAxis, or values with a reader. */
static const struct {
	const char *key;
	size_t offset; /* of the number */
	AbutRange range;
	void (*read)(const AbutNode *node, AbutJointType of, AbutJointAxis *axis); /* NULL: a number */
} laws[] = {
    {.key = "limits", .read = read_limits},
    {"reference", offsetof(AbutJointAxis, reference), ABUT_ANY, NULL},
    {"stiffness", offsetof(AbutJointAxis, stiffness), ABUT_NONNEGATIVE, NULL},
    {"damping", offsetof(AbutJointAxis, damping), ABUT_NONNEGATIVE, NULL},
    {"friction", offsetof(AbutJointAxis, friction), ABUT_NONNEGATIVE, NULL},
    {"armature", offsetof(AbutJointAxis, armature), ABUT_NONNEGATIVE, NULL},
    {.key = "motor", .read = read_motor},
};

/* Reads the value of law `i` for one freedom of a joint. In a list, null is allowed in place of limits and motors. */
static void read_law(const AbutNode *node, size_t i, AbutJointType of, bool in_list, AbutJointAxis *axis)
{
	if (!laws[i].read) {
		abut_node_number(node, laws[i].range, (double *)(void *)((char *)axis + laws[i].offset));
	} else if (!in_list || abut_json_type(node->value) != ABUT_JSON_NULL) {
		laws[i].read(node, of, axis);
	}
}

static void read_laws(const AbutNode *joint, AbutJointDef *def)
{
	const int freedoms = abut_joint_type_freedoms(def->type);
	const bool is_list = freedoms > 1 && def->type != ABUT_JOINT_BALL;
	for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
		AbutNode node, entry;
		char expected[64];
		if (!abut_node_get(joint, laws[i].key, &node)) {
			continue;
		}
		if (freedoms == 0) {
			abut_node_fail(&node, ABUT_ERROR_PARSE,
			               "joints of type %s have no freedom on which this could act",
			               abut_joint_type_name(def->type));
			return;
		}
		if (!is_list) {
			read_law(&node, i, def->type, false, &def->axes[0]);
			continue;
		}
		snprintf(expected, sizeof expected, "a list of %d entries, one for each freedom", freedoms);
		if (!abut_node_check_count(&node, freedoms, expected)) {
			return;
		}
		for (bool more = abut_node_first(&node, &entry); more; more = abut_node_next(&entry)) {
			read_law(&entry, i, def->type, true, &def->axes[entry.index]);
		}
	}
}

static void read_law_spring(const AbutNode *joint, AbutJointType of, const AbutKeySet *keys, const char *key,
                            AbutJointSpring *spring)
{
	AbutNode node;
	if (!abut_node_get(joint, key, &node)) {
		return;
	}
	if (of == ABUT_JOINT_BALL || abut_joint_type_freedoms(of) == 0) {
		abut_node_fail(&node, ABUT_ERROR_PARSE, "joints of type %s have no soft limits and no soft friction",
		               abut_joint_type_name(of));
		return;
	}
	abut_scene_read_spring(&node, keys, spring);
}

static void read_springs(const AbutNode *joint, AbutJointDef *def)
{
	AbutNode node;
	read_law_spring(joint, def->type, &abut_keys_limit_spring, "limit_spring", &def->limit_spring);
	read_law_spring(joint, def->type, &abut_keys_friction_spring, "friction_spring", &def->friction_spring);
	def->has_equality_spring = abut_node_get(joint, "equality_spring", &node);
	if (def->has_equality_spring) {
		abut_scene_read_spring(&node, &abut_keys_equality_spring, &def->equality_spring);
	}
}

static void read_joint(const AbutScene *scene, const AbutNode *node, AbutJointDef *def)
{
	AbutNode type, length;
	int choice = 0;
	*def = abut_joint_def_default();
	if (!abut_node_check_keys(node, &abut_keys_joint)) {
		return;
	}
	abut_require_name(node, "name", &def->name);
	if (!abut_node_require(node, "type", &type) ||
	    !abut_node_choice(&type, types, ABUT_JOINT_TYPE_COUNT, &choice)) {
		return;
	}
	def->type = (AbutJointType)choice;
	def->parent = read_body(scene, node, "parent", true);
	def->child = read_body(scene, node, "child", false);
	if (!abut_node_ok(node)) {
		return;
	}
	read_place(scene, node, def);
	if (def->type == ABUT_JOINT_DISTANCE) {
		def->length = abut_scene_require_number(node, "length", ABUT_POSITIVE);
	} else if (abut_node_get(node, "length", &length)) {
		abut_node_fail(&length, ABUT_ERROR_PARSE, "only joints of type distance have a length; this one is %s",
		               abut_joint_type_name(def->type));
	}
	abut_read_bool(node, "collide", &def->collide);
	read_laws(node, def);
	read_springs(node, def);
}

/* Reads the member `key` of `initial`: a number for each joint, or a list for joints with several freedoms. */
static void read_initial(const AbutScene *scene, const AbutNode *initial, const char *key)
{
	const AbutNames *names = &scene->joint_names;
	const bool coordinates = strcmp(key, "joints") == 0;
	AbutNode list, node;
	if (!abut_node_get(initial, key, &list) ||
	    !abut_node_check_type(&list, ABUT_JSON_OBJECT, "an object with names of joints as keys")) {
		return;
	}
	for (bool more = abut_node_first(&list, &node); more; more = abut_node_next(&node)) {
		const int index = abut_names_find(names, node.key);
		if (index < 0) {
			abut_scene_fail_unknown(&node, "joint", node.key, names);
			return;
		}
		AbutJointDef *joint = &scene->joints[index];
		const int n = abut_joint_type_freedoms(joint->type);
		bool *given = coordinates ? &joint->has_position : &joint->has_velocity;
		double *values = coordinates ? joint->position : joint->velocity;
		if (*given) {
			abut_node_fail(&node, ABUT_ERROR_PARSE, "the joint occurs twice");
			return;
		}
		*given = true;
		if (n == 0) {
			abut_node_fail(&node, ABUT_ERROR_PARSE, "joints of type %s have no coordinates",
			               abut_joint_type_name(joint->type));
		} else if (n == 1) {
			abut_node_number(&node, ABUT_ANY, values);
		} else {
			abut_node_vector(&node, n, ABUT_ANY, values);
		}
	}
}

static void read_start(const AbutScene *scene, const AbutNode *root)
{
	AbutNode initial;
	if (abut_node_get(root, "initial", &initial) && abut_node_check_keys(&initial, &abut_keys_initial)) {
		read_initial(scene, &initial, "joints");
		read_initial(scene, &initial, "joint_velocities");
	}
}

void abut_scene_read_joints(AbutScene *scene, const AbutNode *root)
{
	AbutNode joints, node;
	if (!abut_node_get(root, "joints", &joints)) {
		read_start(scene, root);
		abut_scene_read_couplings(scene, root, &scene->joint_names);
		return;
	}
	if (!abut_node_check_array(&joints, "an array of joints")) {
		return;
	}
	const int n = abut_json_count(joints.value);
	if (n > ABUT_JOINTS_MAX) {
		abut_node_fail(&joints, ABUT_ERROR_PARSE, "must have at most %d joints, has %d", (int)ABUT_JOINTS_MAX,
		               n);
		return;
	}
	scene->joints = calloc((size_t)n + 1, sizeof *scene->joints);
	if (!scene->joints || !abut_names_init(&scene->joint_names, n)) {
		abut_node_fail_memory(&joints);
		return;
	}
	for (bool more = abut_node_first(&joints, &node); more; more = abut_node_next(&node)) {
		read_joint(scene, &node, &scene->joints[node.index]);
	}
	for (int i = 0; abut_node_ok(&joints) && i < n; i++) {
		abut_names_add(&scene->joint_names, scene->joints[i].name, i);
	}
	abut_scene_check_names(&joints, "joints", &scene->joint_names);
	read_start(scene, root);
	abut_scene_read_couplings(scene, root, &scene->joint_names);
	scene->def.joints = scene->joints;
	scene->def.n_joints = n;
}
