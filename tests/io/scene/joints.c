/* Tests that the joints of a scene file are read into their definition, overridden by name, written back without a
 * change, and refused with path, line and message where they are wrong. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abut/abut.h"
#include "base/vec3.h"

/* Line 1 is the opening brace; bodies are on lines 4 to 7, joints from line 10 on. */
static const char text[] =
    "{\n"
    "  \"abut\": 1,\n"
    "  \"bodies\": [\n"
    "    {\"name\": \"base\", \"static\": true, \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}},\n"
    "    {\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}, \"position\": [1, 2, 3],\n"
    "     \"orientation\": [0.5, 0.5, 0.5, 0.5]},\n"
    "    {\"name\": \"b\", \"mass\": 1, \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}, \"position\": [2, 2, 3]}\n"
    "  ],\n"
    "  \"joints\": [\n"
    "    {\"name\": \"hinge\", \"type\": \"hinge\", \"parent\": \"a\", \"child\": \"b\", \"anchor\": [1.5, 2, 3], "
    "\"axis\": [1, -2, 2],\n"
    "     \"limits\": [-1, 0.5], \"reference\": 0.1, \"stiffness\": 2, \"damping\": 3, \"friction\": 4, \"armature\": "
    "5,\n"
    "     \"motor\": {\"type\": \"position\", \"stiffness\": 6, \"damping\": 7, \"limit\": 8, \"target\": 9}},\n"
    "    {\"name\": \"planar\", \"type\": \"planar\", \"parent\": \"world\", \"child\": \"a\",\n"
    "     \"parent_frame\": {\"position\": [1, 2, 3], \"orientation\": [0.5, 0.5, 0.5, 0.5]},\n"
    "     \"child_frame\": {}, \"collide\": true, \"limits\": [null, [0, 1], null], \"damping\": [1, 0, 2],\n"
    "     \"motor\": [{\"type\": \"force\", \"target\": -3}, null, {\"type\": \"velocity\", \"damping\": 4}]},\n"
    "    {\"name\": \"rod\", \"type\": \"distance\", \"parent\": \"base\", \"child\": \"b\", \"length\": 4.1,\n"
    "     \"parent_frame\": {\"position\": [0, 0, 0.1]}},\n"
    "    {\"name\": \"ball\", \"type\": \"ball\", \"parent\": \"a\", \"child\": \"b\", \"anchor\": [2, 2, 3], "
    "\"limits\": [0.5, 0.2], \"friction\": 0.3}\n"
    "  ],\n"
    "  \"couplings\": [{\"joints\": [\"planar\", \"hinge\"], \"axes\": [2, 0], \"ratio\": -2, \"offset\": 0.5}]\n"
    "}\n";

static AbutScene *load(const char *scene_text, const char *override)
{
	AbutScene *scene = NULL;
	AbutError error = {0};
	cr_assert_eq(
	    abut_scene_parse(scene_text, strlen(scene_text), "t.json", override != NULL, &override, &scene, &error),
	    ABUT_OK, "%d:%d: %s: %s", error.line, error.column, error.where, error.message);
	return scene;
}

Test(joints, are_read_into_their_definition)
{
	AbutScene *scene = load(text, NULL);
	const AbutSceneDef *def = abut_scene_def(scene);
	cr_assert_eq(def->n_joints, 4);
	const AbutJointDef *hinge = &def->joints[0], *planar = &def->joints[1], *rod = &def->joints[2],
	                   *ball = &def->joints[3];
	cr_expect_str_eq(hinge->name, "hinge");
	const AbutCouplingDef *coupling = &def->couplings[0];
	cr_assert_eq(def->n_couplings, 1);
	cr_expect(coupling->joint[0] == 1 && coupling->joint[1] == 0 && coupling->axis[0] == 2 &&
	          coupling->axis[1] == 0);
	cr_expect(coupling->ratio == -2.0 && coupling->offset == 0.5);
	cr_expect(hinge->type == ABUT_JOINT_HINGE && hinge->parent == 1 && hinge->child == 2 && !hinge->collide);
	const AbutJointAxis *axis = &hinge->axes[0];
	cr_expect(axis->has_limits && axis->lower == -1.0 && axis->upper == 0.5 && axis->reference == 0.1);
	cr_expect(axis->stiffness == 2.0 && axis->damping == 3.0 && axis->friction == 4.0 && axis->armature == 5.0);
	cr_expect(axis->motor.type == ABUT_MOTOR_POSITION && axis->motor.stiffness == 6.0 &&
	          axis->motor.damping == 7.0 && axis->motor.limit == 8.0 && axis->motor.target == 9.0);

	cr_expect(planar->type == ABUT_JOINT_PLANAR && planar->parent == ABUT_JOINT_WORLD && planar->child == 1 &&
	          planar->collide);
	cr_expect(planar->parent_frame.position[2] == 3.0 && planar->parent_frame.orientation[3] == 0.5);
	cr_expect(planar->child_frame.position[2] == 0.0 && planar->child_frame.orientation[0] == 1.0);
	cr_expect(!planar->axes[0].has_limits && planar->axes[1].has_limits && planar->axes[1].upper == 1.0);
	cr_expect(planar->axes[0].damping == 1.0 && planar->axes[1].damping == 0.0 && planar->axes[2].damping == 2.0);
	cr_expect(planar->axes[0].motor.type == ABUT_MOTOR_FORCE && planar->axes[0].motor.target == -3.0 &&
	          isinf(planar->axes[0].motor.limit));
	cr_expect(planar->axes[1].motor.type == ABUT_MOTOR_NONE);
	cr_expect(planar->axes[2].motor.type == ABUT_MOTOR_VELOCITY && planar->axes[2].motor.damping == 4.0);

	cr_expect(rod->type == ABUT_JOINT_DISTANCE && rod->length == 4.1 && rod->parent_frame.position[2] == 0.1);
	cr_expect(ball->type == ABUT_JOINT_BALL && ball->axes[0].lower == 0.5 && ball->axes[0].upper == 0.2 &&
	          ball->axes[0].friction == 0.3 && ball->axes[1].friction == 0.0);
	abut_scene_destroy(scene);
}

/* Places a joint's frame on a body in the world: its origin and the matrix of its axes. */
static void place(const AbutBodyDef *body, const AbutJointFrame *frame, double origin[3], double R[9])
{
	double body_R[9], frame_R[9];
	abut_quat_to_mat3(body->orientation, body_R);
	abut_quat_to_mat3(frame->orientation, frame_R);
	abut_mat3_vec(body_R, frame->position, origin);
	abut_add3(origin, body->position, origin);
	abut_mat3_mul(body_R, frame_R, R);
}

Test(joints, an_anchor_places_both_frames_along_its_axis)
{
	AbutScene *scene = load(text, NULL);
	const AbutSceneDef *def = abut_scene_def(scene);
	const AbutJointDef *joint = &def->joints[0];
	const double anchor[3] = {1.5, 2.0, 3.0}, axis[3] = {1.0 / 3.0, -2.0 / 3.0, 2.0 / 3.0};
	const AbutJointFrame *frames[2] = {&joint->parent_frame, &joint->child_frame};
	const int bodies[2] = {joint->parent, joint->child};
	for (int side = 0; side < 2; side++) {
		double origin[3], R[9];
		place(&def->bodies[bodies[side]], frames[side], origin, R);
		for (int i = 0; i < 3; i++) {
			cr_expect_float_eq(origin[i], anchor[i], 1e-15);
			cr_expect_float_eq(R[3 * i + 2], axis[i], 1e-15);
		}
		/* the world's x is the least along the axis: x lies in the plane of both, on the side of the world's x
		 */
		cr_expect_float_eq(R[0], sqrt(1.0 - axis[0] * axis[0]), 1e-15);
	}
	abut_scene_destroy(scene);
}

/* In shipped scenes, both frames of every joint coincide at the initial poses. */
Test(joints, of_shipped_scenes_are_closed)
{
	static const char *const names[] = {"pendulum",     "double_pendulum", "chain",   "four_bar",
	                                    "slider_crank", "table",           "gripper", "cart_pendulum",
	                                    "hopper",       "biped",           "arm",     "closed_leg_walker"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char path[512];
		AbutScene *scene = NULL;
		AbutError error = {0};
		snprintf(path, sizeof path, ABUT_SOURCE_DIR "/experiments/scenes/%s.json", names[i]);
		cr_assert_eq(abut_scene_load(path, 0, NULL, &scene, &error), ABUT_OK, "%s: %s", path, error.message);
		const AbutSceneDef *def = abut_scene_def(scene);
		cr_assert(def->n_joints > 0);
		const AbutBodyDef world = abut_body_def_default();
		for (int k = 0; k < def->n_joints; k++) {
			const AbutJointDef *joint = &def->joints[k];
			double origin[2][3], R[2][9];
			place(joint->parent == ABUT_JOINT_WORLD ? &world : &def->bodies[joint->parent],
			      &joint->parent_frame, origin[0], R[0]);
			place(&def->bodies[joint->child], &joint->child_frame, origin[1], R[1]);
			for (int c = 0; c < 9; c++) {
				cr_expect_float_eq(R[0][c], R[1][c], 1e-12, "%s: %s", names[i], joint->name);
				cr_expect_float_eq(origin[0][c % 3], origin[1][c % 3], 1e-12, "%s: %s", names[i],
				                   joint->name);
			}
		}
		abut_scene_destroy(scene);
	}
}

Test(joints, are_written_back_without_a_change)
{
	char path[] = "/tmp/abut_joints_XXXXXX";
	const int descriptor = mkstemp(path);
	cr_assert(descriptor >= 0);
	close(descriptor);
	AbutScene *scene =
	    load(text, "joints.ball.motor={\"type\": \"velocity\", \"damping\": 2, \"target\": [1, -2, 3]}");
	AbutScene *again = NULL;
	AbutError error = {0};
	cr_expect_eq(abut_scene_def(scene)->joints[3].axes[2].motor.target, 3.0);
	cr_assert_eq(abut_scene_save(abut_scene_def(scene), path, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_scene_load(path, 0, NULL, &again, &error), ABUT_OK, "%d:%d: %s: %s", error.line, error.column,
	             error.where, error.message);
	const AbutSceneDef *a = abut_scene_def(scene), *b = abut_scene_def(again);
	cr_assert_eq(a->n_joints, b->n_joints);
	for (int i = 0; i < a->n_joints; i++) {
		const AbutJointDef *x = &a->joints[i], *y = &b->joints[i];
		cr_expect_str_eq(x->name, y->name);
		cr_expect(x->type == y->type && x->parent == y->parent && x->child == y->child &&
		          x->length == y->length && x->collide == y->collide);
		const double *fx[2] = {x->parent_frame.position, x->child_frame.position};
		const double *fy[2] = {y->parent_frame.position, y->child_frame.position};
		for (int k = 0; k < 2; k++) {
			cr_expect_arr_eq(fx[k], fy[k], 3 * sizeof(double));
		}
		for (int k = 0; k < 4; k++) { /* normalised again when read */
			cr_expect_float_eq(x->parent_frame.orientation[k], y->parent_frame.orientation[k], 3e-16);
			cr_expect_float_eq(x->child_frame.orientation[k], y->child_frame.orientation[k], 3e-16);
		}
		for (int k = 0; k < ABUT_JOINT_FREEDOMS; k++) {
			const AbutJointAxis *p = &x->axes[k], *q = &y->axes[k];
			cr_expect(p->has_limits == q->has_limits && p->lower == q->lower && p->upper == q->upper &&
			          p->reference == q->reference && p->stiffness == q->stiffness &&
			          p->damping == q->damping && p->friction == q->friction && p->armature == q->armature);
			cr_expect(p->motor.type == q->motor.type && p->motor.stiffness == q->motor.stiffness &&
			          p->motor.damping == q->motor.damping && p->motor.limit == q->motor.limit &&
			          p->motor.target == q->motor.target);
		}
	}
	cr_assert_eq(b->n_couplings, 1);
	cr_expect_eq(memcmp(a->couplings[0].joint, b->couplings[0].joint, sizeof a->couplings[0].joint), 0);
	cr_expect_eq(memcmp(a->couplings[0].axis, b->couplings[0].axis, sizeof a->couplings[0].axis), 0);
	cr_expect(a->couplings[0].ratio == b->couplings[0].ratio && a->couplings[0].offset == b->couplings[0].offset);
	abut_scene_destroy(scene);
	abut_scene_destroy(again);
	unlink(path);
}

Test(joints, are_overridden_by_name)
{
	AbutScene *scene = load(text, "joints.hinge.motor.target=0.25");
	cr_expect_eq(abut_scene_def(scene)->joints[0].axes[0].motor.target, 0.25);
	abut_scene_destroy(scene);
	scene = load(text, "joints.planar.damping[2]=11");
	cr_expect_eq(abut_scene_def(scene)->joints[1].axes[2].damping, 11.0);
	abut_scene_destroy(scene);
	scene = load(text, "joints[3].stiffness=12");
	cr_expect_eq(abut_scene_def(scene)->joints[3].axes[0].stiffness, 12.0);
	abut_scene_destroy(scene);

	const char *unknown = "joints.knee.damping=1";
	AbutError error = {0};
	cr_expect_eq(abut_scene_parse(text, strlen(text), "t.json", 1, &unknown, &scene, &error), ABUT_ERROR_PARSE);
	cr_expect(strstr(error.message, "no joint has the name \"knee\""), "%s", error.message);
}

typedef struct Bad {
	const char *find, *replacement; /* a fragment of `text` */
	const char *where;
	int line;
	const char *message; /* a part of it */
} Bad;

/* What reading the file refuses. */
static const Bad parser_table[] = {
    {"\"limits\": [-1", "\"limit\": [-1", "joints[0].limit", 11, "did you mean \"limits\"?"},
    {"\"name\": \"hinge\", ", "", "joints[0].name", 10, "required key \"name\" is missing"},
    {"\"name\": \"ball\"", "\"name\": \"rod\"", "joints[3].name", 19, "two joints have the name \"rod\""},
    {"\"type\": \"hinge\"", "\"type\": \"hige\"", "joints[0].type", 10, "did you mean \"hinge\"?"},
    {"\"type\": \"hinge\", ", "", "joints[0].type", 10, "required key \"type\" is missing"},
    {"\"parent\": \"a\"", "\"parent\": \"c\"", "joints[0].parent", 10, "unknown body \"c\""},
    {"\"child\": \"b\"", "\"child\": 2", "joints[0].child", 10, "the name of a body"},
    {"\"name\": \"base\"", "\"name\": \"world\"", "joints[1].parent", 13, "rename the body"},
    {"\"axis\": [1, -2, 2]", "\"axis\": [0, 0, 0]", "joints[0].axis", 10, "must not be [0, 0, 0]"},
    {"\"axis\": [1, -2, 2]", "\"axis\": [1, -2]", "joints[0].axis", 10, "an array of 3 numbers"},
    {"\"axis\": [1, -2, 2]", "\"child_frame\": {}", "joints[0].anchor", 10, "not both"},
    {"\"anchor\": [1.5, 2, 3], \"axis\": [1, -2, 2],", "", "joints[0]", 10, "a joint needs an \"anchor\""},
    {"\"child_frame\": {}", "\"axis\": [0, 0, 1]", "joints[1].axis", 15, "\"axis\" needs an \"anchor\""},
    {"\"child_frame\": {}", "\"child_frame\": {\"place\": 1}", "joints[1].child_frame.place", 15, "unknown key"},
    {"[0.5, 0.5, 0.5, 0.5]},\n     \"child", "[0.5, 0.5, 0.5, 0.6]},\n     \"child",
     "joints[1].parent_frame.orientation", 14, "unit quaternion"},
    {"\"length\": 4.1", "\"length\": 0", "joints[2].length", 17, "a positive, finite number"},
    {", \"length\": 4.1", "", "joints[2].length", 17, "required key \"length\" is missing"},
    {"\"child\": \"b\"", "\"child\": \"world\"", "joints[0].child", 10,
     "\"world\" can only be the \"parent\" of a joint"},
    {"\"collide\": true", "\"length\": 1", "joints[1].length", 15, "only joints of type distance have a length"},
    {"\"parent_frame\": {\"position\": [0, 0, 0.1]}", "\"anchor\": [0, 0, 0]", "joints[2].anchor", 18,
     "it needs a \"parent_frame\", a \"child_frame\" or both instead"},
    {"\"parent_frame\": {\"position\": [0, 0, 0.1]}", "\"collide\": false", "joints[2]", 17,
     "a distance joint needs a \"parent_frame\", a \"child_frame\" or both; it keeps"},
    {"[0, 0, 0.1]}", "[0, 0, 0.1]}, \"damping\": 1", "joints[2].damping", 18,
     "joints of type distance have no freedom"},
    {"[0, 0, 0.1]}", "[0, 0, 0.1]}, \"limit_spring\": {}", "joints[2].limit_spring", 18,
     "joints of type distance have no soft limits and no soft friction"},
    {"\"friction\": 0.3", "\"friction_spring\": {}", "joints[3].friction_spring", 19,
     "joints of type ball have no soft limits and no soft friction"},
    {"\"damping\": 3", "\"friction_spring\": {\"margin\": 1}", "joints[0].friction_spring.margin", 11, "unknown key"},
    {"\"damping\": 3", "\"equality_spring\": {\"margin\": 1}", "joints[0].equality_spring.margin", 11, "unknown key"},
    {"\"damping\": 3", "\"damping\": [3]", "joints[0].damping", 11, "a finite number of at least 0"},
    {"\"damping\": 3", "\"damping\": -3", "joints[0].damping", 11, "a finite number of at least 0, is -3"},
    {"\"stiffness\": 2", "\"stiffness\": -2", "joints[0].stiffness", 11, "a finite number of at least 0, is -2"},
    {"\"friction\": 4", "\"friction\": -4", "joints[0].friction", 11, "a finite number of at least 0, is -4"},
    {"\"armature\": 5", "\"armature\": -5", "joints[0].armature", 11, "a finite number of at least 0, is -5"},
    {"\"damping\": [1, 0, 2]", "\"damping\": 1", "joints[1].damping", 15, "a list of 3 entries"},
    {"\"damping\": [1, 0, 2]", "\"damping\": [1, 0]", "joints[1].damping", 15, "a list of 3 entries"},
    {"\"damping\": [1, 0, 2]", "\"damping\": [1, null, 2]", "joints[1].damping[1]", 15, "is null"},
    {"\"limits\": [-1, 0.5]", "\"limits\": null", "joints[0].limits", 11, "an array of 2 numbers"},
    {"\"limits\": [-1, 0.5]", "\"limits\": [-1, 0, 0.5]", "joints[0].limits", 11, "an array of 2 numbers"},
    {"\"friction\": 0.3", "\"friction\": [1, 1, 1]", "joints[3].friction", 19, "a finite number of at least 0"},
    {"\"type\": \"position\"", "\"type\": \"none\"", "joints[0].motor.type", 12, "one of force, position"},
    {"\"type\": \"position\", ", "", "joints[0].motor.type", 12, "required key \"type\" is missing"},
    {"\"stiffness\": 6, ", "", "joints[0].motor.stiffness", 12, "required key \"stiffness\" is missing"},
    {", \"damping\": 4}", "}", "joints[1].motor[2].damping", 16, "required key \"damping\" is missing"},
    {"\"limit\": 8", "\"limit\": 0", "joints[0].motor.limit", 12, "a positive, finite number"},
    {"\"target\": 9", "\"taget\": 9", "joints[0].motor.taget", 12, "did you mean \"target\"?"},
    {"[\"planar\", \"hinge\"]", "[\"planar\", \"knee\"]", "couplings[0].joints[1]", 21, "unknown joint \"knee\""},
    {"[\"planar\", \"hinge\"]", "[\"planar\"]", "couplings[0].joints", 21, "an array of two names of joints"},
    {"[\"planar\", \"hinge\"]", "[1, 2]", "couplings[0].joints[0]", 21, "the name of a joint"},
    {"\"axes\": [2, 0]", "\"axes\": [2]", "couplings[0].axes", 21, "an array of two freedoms"},
    {"\"axes\": [2, 0]", "\"axes\": [3, 0]", "couplings[0].axes[0]", 21, "an integer from 0 to 2"},
    {"\"axes\": [2, 0]", "\"axis\": [2, 0]", "couplings[0].axis", 21, "did you mean \"axes\"?"},
    {", \"ratio\": -2", "", "couplings[0].ratio", 21, "required key \"ratio\" is missing"},
    {"\"offset\": 0.5", "\"offset\": \"x\"", "couplings[0].offset", 21, "finite number"},
    {"  \"joints\": [\n", "  \"initial\": {\"joints\": {\"knee\": 1}},\n  \"joints\": [\n", "initial.joints.knee", 9,
     "unknown joint \"knee\"; the scene has "},
    {"  \"joints\": [\n", "  \"initial\": {\"joints\": {\"planar\": [1, 2]}},\n  \"joints\": [\n",
     "initial.joints.planar", 9, "an array of 3 numbers"},
    {"  \"joints\": [\n", "  \"initial\": {\"joints\": {\"rod\": 1}},\n  \"joints\": [\n", "initial.joints.rod", 9,
     "joints of type distance have no coordinates"},
    {"  \"joints\": [\n", "  \"initial\": {\"joint_velocities\": {\"hinge\": 1, \"hinge\": 2}},\n  \"joints\": [\n",
     "initial.joint_velocities.hinge", 9, "the joint occurs twice"},
    {"  \"joints\": [\n", "  \"springs\": [],\n  \"joints\": [\n", "springs", 9, "unknown key"},
};

/* What the model refuses; the place in the file is found afterwards. */
static const Bad model_table[] = {
    {"\"child\": \"b\"", "\"child\": \"a\"", "joints[0].child", 10, "both bodies are 'a'"},
    {"\"parent\": \"world\", \"child\": \"a\"", "\"parent\": \"world\", \"child\": \"base\"", "joints[1].child", 13,
     "neither 'world' nor 'base' can move"},
    {"\"limits\": [-1, 0.5]", "\"limits\": [0.5, 0.5]", "joints[0].limits", 11, "the limits are [0.5, 0.5]"},
    {"\"limits\": [0.5, 0.2]", "\"limits\": [0.5, 3.2]", "joints[3].limits", 19,
     "the twist in 0.001 to pi (pi: no limit)"},
    {"[0, 1]", "[1, 0]", "joints[1].limits[1]", 15, "the limits are [1, 0]"},
    {"{\"type\": \"force\"", "{\"type\": \"force\", \"stiffness\": 2", "joints[1].motor[0].stiffness", 16,
     "motors of type force have none"},
    {"\"friction\": 0.3", "\"motor\": {\"type\": \"velocity\", \"damping\": 1, \"target\": 1}",
     "joints[3].motor.target", 19, "must be an array of 3 numbers, is 1"},
    {"\"friction\": 0.3", "\"reference\": 0.3", "joints[3].reference", 19, "that of a ball must be 0"},
    {"\"abut\": 1,", "\"abut\": 1, \"initial\": {\"joints\": {\"hinge\": 0.6}},", "initial.joints.hinge", 2,
     "the initial coordinate of joint 'hinge' is 0.6; its limits are -1 to 0.5"},
};

/* What the model refuses about couplings, once the ball of the text has no limits. */
static const Bad coupling_table[] = {
    {"\"ratio\": -2", "\"ratio\": 0", "couplings[0].ratio", 21,
     "the ratio is 0; its magnitude must lie in 1e-6 to 1e6"},
    {"[\"planar\", \"hinge\"], \"axes\": [2, 0]", "[\"hinge\", \"hinge\"]", "couplings[0].joints", 21,
     "couples joint 'hinge' with itself"},
    {"[\"planar\", \"hinge\"]", "[\"planar\", \"ball\"]", "couplings[0].joints[1]", 21,
     "joint 'ball' is a ball, whose coordinates are entries of a rotation vector"},
    {"\"axes\": [2, 0]", "\"axes\": [2, 1]", "couplings[0].axes[1]", 21, "joint 'hinge' is of type hinge"},
    {"\"offset\": 0.5}", "\"offset\": 0.5}, {\"joints\": [\"hinge\", \"planar\"], \"axes\": [0, 2], \"ratio\": 1}",
     "couplings[1].joints", 21, "are coupled by couplings[0] already"},
};

/* Writes the text with a fragment replaced. */
static void replace(const char *old, const char *find, const char *replacement, char changed[2 * sizeof text])
{
	const char *joints = strstr(old, "  \"joints\"");
	const char *at = strstr(joints, find); /* a joint first: bodies share some keys */
	at = at ? at : strstr(old, find);
	cr_assert(at, "%s", find);
	snprintf(changed, 2 * sizeof text, "%.*s%s%s", (int)(at - old), old, replacement, at + strlen(find));
}

/* Reads the text with a fragment changed, and compiles it if it can be read. */
static AbutStatus compile(const char *old, const Bad *bad, AbutError *error)
{
	static char changed[2 * sizeof text];
	replace(old, bad->find, bad->replacement, changed);
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	AbutStatus status = abut_scene_parse(changed, strlen(changed), "t.json", 0, NULL, &scene, error);
	if (status == ABUT_OK) {
		status = abut_model_create(abut_scene_def(scene), &model, error);
		abut_scene_locate(scene, error);
	}
	abut_model_destroy(model);
	abut_scene_destroy(scene);
	return status;
}

static void expect_refusals(const char *old, const Bad *table, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		AbutError error = {0};
		cr_expect_neq(compile(old, &table[i], &error), ABUT_OK, "%s", table[i].replacement);
		cr_expect_str_eq(error.where, table[i].where, "%s, for %s: %s", error.where, table[i].replacement,
		                 error.message);
		cr_expect_eq(error.line, table[i].line, "line %d for %s", error.line, table[i].replacement);
		cr_expect(strstr(error.message, table[i].message), "%s, for %s", error.message, table[i].replacement);
	}
}

Test(joints, bad_ones_are_refused_where_they_are_read)
{
	expect_refusals(text, parser_table, sizeof parser_table / sizeof *parser_table);
}

Test(joints, bad_ones_are_refused_with_their_place_when_compiled)
{
	expect_refusals(text, model_table, sizeof model_table / sizeof *model_table);
}

Test(joints, bad_couplings_are_refused_with_their_place_when_compiled)
{
	static char without_limits[2 * sizeof text];
	replace(text, "\"limits\": [0.5, 0.2], \"friction\": 0.3", "\"damping\": 0.3", without_limits);
	expect_refusals(without_limits, coupling_table, sizeof coupling_table / sizeof *coupling_table);
}
