/* Tests that definitions of joints which no scene can have are refused with path and message, and that names, freedoms
 * and frames of joints are as documented. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "abut/abut.h"
#include "base/vec3.h"

typedef struct Fixture {
	AbutShape *ball;
	const AbutShape *parts[1];
	AbutBodyDef bodies[3]; /* the last one is static */
	AbutJointDef joints[2];
	AbutSceneDef def;
} Fixture;

static void begin(Fixture *fixture)
{
	static const char *const names[3] = {"a", "b", "wall"};
	memset(fixture, 0, sizeof *fixture);
	cr_assert_eq(abut_shape_create_sphere(0.1, &fixture->ball, NULL), ABUT_OK);
	fixture->parts[0] = fixture->ball;
	for (int i = 0; i < 3; i++) {
		fixture->bodies[i] = abut_body_def_default();
		fixture->bodies[i].name = names[i];
		fixture->bodies[i].n_parts = 1;
		fixture->bodies[i].parts = fixture->parts;
		fixture->bodies[i].mass = i < 2 ? 1.0 : 0.0;
		fixture->bodies[i].is_static = i == 2;
	}
	fixture->joints[0] = abut_joint_def_default();
	fixture->joints[0].name = "first";
	fixture->joints[0].child = 0;
	fixture->joints[1] = abut_joint_def_default();
	fixture->joints[1].name = "second";
	fixture->joints[1].parent = 0;
	fixture->joints[1].child = 1;
	fixture->def = abut_scene_def_default();
	fixture->def.n_bodies = 3;
	fixture->def.bodies = fixture->bodies;
	fixture->def.n_joints = 2;
	fixture->def.joints = fixture->joints;
}

static void expect_refused(Fixture *fixture, const char *where, const char *message)
{
	AbutModel *model = NULL;
	AbutError error = {0};
	cr_expect_neq(abut_model_create(&fixture->def, &model, &error), ABUT_OK, "%s", where);
	cr_expect_str_eq(error.where, where, "%s: %s", error.where, error.message);
	cr_expect(strstr(error.message, message), "%s: %s", error.where, error.message);
	abut_model_destroy(model);
	abut_shape_destroy(fixture->ball);
	begin(fixture);
}

Test(joints_check, bodies_and_names_are_checked)
{
	Fixture fixture;
	begin(&fixture);
	AbutJointDef *joint = &fixture.joints[1];
	joint->name = NULL;
	expect_refused(&fixture, "joints[1]", "the joint has no name");
	joint->name = "";
	expect_refused(&fixture, "joints[1]", "the joint has no name");
	joint->name = "first";
	expect_refused(&fixture, "joints[1].name", "the name 'first' is taken by joints[0]");
	joint->type = (AbutJointType)99;
	expect_refused(&fixture, "joints[1].type",
	               "joint 'second': type is 99; it must be one of AbutJointType, 0 to 7");
	joint->child = 3;
	expect_refused(&fixture, "joints[1].child", "child is 3; it must be the index of a body, 0 to 2");
	joint->child = -1;
	expect_refused(&fixture, "joints[1].child", "child is -1");
	joint->parent = -2;
	expect_refused(&fixture, "joints[1].parent", "parent is -2");
	joint->parent = 1;
	expect_refused(&fixture, "joints[1].child", "both bodies are 'b'");
	joint->parent = ABUT_JOINT_WORLD;
	joint->child = 2;
	expect_refused(&fixture, "joints[1].child", "neither 'world' nor 'wall' can move");
	fixture.def.joints = NULL;
	expect_refused(&fixture, "joints", "2 joints (NULL)");
	fixture.def.n_joints = -1;
	expect_refused(&fixture, "joints", "-1 joints");
	fixture.def.n_joints = ABUT_JOINTS_MAX + 1;
	expect_refused(&fixture, "joints", "it may have 0 to 20000");
	abut_shape_destroy(fixture.ball);
}

Test(joints_check, frames_are_checked)
{
	Fixture fixture;
	begin(&fixture);
	AbutJointDef *joint = &fixture.joints[1];
	joint->parent_frame.position[1] = NAN;
	expect_refused(&fixture, "joints[1].parent_frame.position", "parent_frame.position[1] is nan");
	joint->child_frame.position[2] = 2e9;
	expect_refused(&fixture, "joints[1].child_frame.position", "it must lie within +-1e+09");
	joint->child_frame.orientation[1] = 0.01;
	expect_refused(&fixture, "joints[1].child_frame.orientation",
	               "has length 1.00005; it must be within 1e-6 of 1");
	joint->child_frame.orientation[0] = INFINITY;
	expect_refused(&fixture, "joints[1].child_frame.orientation", "has length inf");
	joint->length = 1.0;
	expect_refused(&fixture, "joints[1].length", "only joints of type distance have one");
	joint->type = ABUT_JOINT_DISTANCE;
	expect_refused(&fixture, "joints[1].length", "length is 0 m; it must be greater than 0");
	joint->type = ABUT_JOINT_DISTANCE;
	joint->length = NAN;
	expect_refused(&fixture, "joints[1].length", "length is nan m");
	abut_shape_destroy(fixture.ball);
}

Test(joints_check, what_acts_on_freedoms_is_checked)
{
	Fixture fixture;
	begin(&fixture);
	AbutJointDef *joint = &fixture.joints[1];
	AbutJointAxis *axis = &joint->axes[0];
	axis->has_limits = true;
	axis->lower = 1.0;
	axis->upper = -1.0;
	expect_refused(&fixture, "joints[1].limits", "the limits are [1, -1]");
	axis->has_limits = true;
	axis->upper = NAN;
	expect_refused(&fixture, "joints[1].limits", "the limits are [0, nan]");
	axis->stiffness = -1.0;
	expect_refused(&fixture, "joints[1].stiffness", "stiffness is -1; it must be 0 or lie in 1e-30 to 1e30");
	axis->damping = NAN;
	expect_refused(&fixture, "joints[1].damping", "damping is nan");
	axis->friction = -2.0;
	expect_refused(&fixture, "joints[1].friction", "friction is -2");
	axis->armature = -3.0;
	expect_refused(&fixture, "joints[1].armature", "armature is -3");
	axis->reference = INFINITY;
	expect_refused(&fixture, "joints[1].reference",
	               "reference is inf; it must be 0 or of a magnitude in 1e-30 to 1e30");
	joint->axes[1].damping = 1.0;
	expect_refused(&fixture, "joints[1].damping[1]", "joints of type hinge have 1 freedom");
	joint->type = ABUT_JOINT_FIXED;
	axis->motor.type = ABUT_MOTOR_FORCE;
	expect_refused(&fixture, "joints[1].motor", "joints of type fixed have 0 freedoms");
	joint->type = ABUT_JOINT_UNIVERSAL;
	joint->axes[1].damping = -1.0;
	expect_refused(&fixture, "joints[1].damping[1]", "damping is -1");
	joint->type = ABUT_JOINT_BALL;
	joint->axes[1].stiffness = 1.0;
	expect_refused(&fixture, "joints[1].stiffness[1]", "a ball has the same values for all three");
	joint->type = ABUT_JOINT_BALL;
	axis->has_limits = true;
	axis->lower = 1.0;
	expect_refused(&fixture, "joints[1].limits", "the cone must lie in 0.001 to pi - 0.001");
	joint->type = ABUT_JOINT_BALL;
	*axis = (AbutJointAxis){.has_limits = true, .lower = 3.1415926, .upper = 1.0};
	expect_refused(&fixture, "joints[1].limits", "the limits of the ball are [3.14159, 1]");
	joint->type = ABUT_JOINT_BALL;
	*axis = (AbutJointAxis){.has_limits = true, .lower = 1.0, .upper = 3.2};
	expect_refused(&fixture, "joints[1].limits", "the twist in 0.001 to pi (pi: no limit)");
	abut_shape_destroy(fixture.ball);
}

Test(joints_check, motors_are_checked)
{
	Fixture fixture;
	begin(&fixture);
	AbutMotorDef *motor = &fixture.joints[1].axes[0].motor;
	motor->type = (AbutMotorType)4;
	expect_refused(&fixture, "joints[1].motor.type", "motor.type is 4");
	motor->type = ABUT_MOTOR_POSITION;
	motor->stiffness = -1.0;
	expect_refused(&fixture, "joints[1].motor.stiffness", "motor.stiffness is -1");
	motor->type = ABUT_MOTOR_POSITION;
	motor->limit = 0.0;
	expect_refused(&fixture, "joints[1].motor.limit", "motor.limit is 0; it must be greater than 0");
	motor->type = ABUT_MOTOR_POSITION;
	motor->target = NAN;
	expect_refused(&fixture, "joints[1].motor.target", "motor.target is nan");
	motor->type = ABUT_MOTOR_FORCE;
	motor->damping = 1.0;
	expect_refused(&fixture, "joints[1].motor.damping", "motors of type force have none");
	motor->type = ABUT_MOTOR_VELOCITY;
	motor->stiffness = 1.0;
	expect_refused(&fixture, "joints[1].motor.stiffness", "motors of type velocity have none");
	fixture.joints[1].type = ABUT_JOINT_BALL;
	motor->type = ABUT_MOTOR_POSITION;
	fixture.joints[1].axes[2].motor.target = (double)INFINITY;
	expect_refused(&fixture, "joints[1].motor[2].target", "motor.target is inf");
	fixture.joints[1].type = ABUT_JOINT_PLANAR;
	fixture.joints[1].axes[2].motor.type = ABUT_MOTOR_VELOCITY;
	fixture.joints[1].axes[2].motor.damping = -1.0;
	expect_refused(&fixture, "joints[1].motor[2].damping", "motor.damping is -1");
	abut_shape_destroy(fixture.ball);
}

Test(joints_check, the_papers_preset_refuses_joints)
{
	Fixture fixture;
	begin(&fixture);
	fixture.def.solver = abut_solver_options_preset(ABUT_PRESET_PAPER, ABUT_METHOD_SINGLE_LEVEL);
	expect_refused(&fixture, "solver.preset", "is \"paper\", which has no joints like 'first'");
	abut_shape_destroy(fixture.ball);
}

Test(joint_def, has_documented_names_and_freedoms)
{
	static const int freedoms[ABUT_JOINT_TYPE_COUNT] = {0, 1, 1, 3, 2, 2, 3, 0};
	for (int type = 0; type < ABUT_JOINT_TYPE_COUNT; type++) {
		cr_expect_eq(abut_joint_type_freedoms((AbutJointType)type), freedoms[type]);
	}
	cr_expect_str_eq(abut_joint_type_name(ABUT_JOINT_CYLINDRICAL), "cylindrical");
	cr_expect_str_eq(abut_joint_type_name((AbutJointType)-1), "unknown");
	cr_expect_eq(abut_joint_type_freedoms(ABUT_JOINT_TYPE_COUNT), 0);
	cr_expect_str_eq(abut_motor_type_name(ABUT_MOTOR_VELOCITY), "velocity");
	cr_expect_str_eq(abut_motor_type_name(ABUT_MOTOR_TYPE_COUNT), "unknown");
}

/* For axes of any length and direction, both frames have their z along the axis in the world, and coincide. */
Test(joint_def, frames_from_an_axis_coincide)
{
	static const double axes[][3] = {{0.0, 0.0, 1.0}, {0.0, 0.0, -3.0},      {1e-200, 0.0, 0.0},
	                                 {0.0, 2.0, 0.0}, {1e200, 1e200, 1e200}, {0.1, -0.2, 0.3}};
	const double p[2][3] = {{1.0, -2.0, 0.5}, {-0.3, 0.1, 4.0}}, anchor[3] = {0.2, 0.4, -0.7};
	double q[2][4] = {{0.3, -0.4, 0.5, 0.6}, {-0.9, 0.1, 0.2, -0.3}};
	abut_quat_normalise(q[0]);
	abut_quat_normalise(q[1]);
	for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
		AbutJointDef def = abut_joint_def_default();
		abut_joint_frames(anchor, axes[i], p[0], q[0], p[1], q[1], &def);
		const AbutJointFrame *frames[2] = {&def.parent_frame, &def.child_frame};
		double R[2][9], unit[3];
		abut_divide3(axes[i], fmax(fabs(axes[i][0]), fmax(fabs(axes[i][1]), fabs(axes[i][2]))), unit);
		abut_divide3(unit, abut_norm3(unit), unit);
		for (int side = 0; side < 2; side++) {
			double body[9], frame[9], origin[3];
			abut_quat_to_mat3(q[side], body);
			abut_quat_to_mat3(frames[side]->orientation, frame);
			abut_mat3_mul(body, frame, R[side]);
			abut_mat3_vec(body, frames[side]->position, origin);
			for (int k = 0; k < 3; k++) {
				cr_expect_float_eq(p[side][k] + origin[k], anchor[k], 2e-15);
				cr_expect_float_eq(R[side][3 * k + 2], unit[k], 2e-15, "axis %zu", i);
			}
		}
		for (int k = 0; k < 9; k++) {
			cr_expect_float_eq(R[0][k], R[1][k], 2e-15);
		}
	}
}
