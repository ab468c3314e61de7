/* Compares joints that springs hold in method convex with closed forms. */
#include <math.h>
#include <string.h>

#include "dynamics/methods/joints/method_joint_scenes.h"

static const double d = 0.7, T = 0.03, ratio = 1.2, dt = 0.002;

static AbutJointSpring spring(void)
{
	return (AbutJointSpring){
	    .has_solref = true, .has_solimp = true, .solref = {T, ratio}, .solimp = {d, d, 0.001, 0.5, 2.0}};
}

/* A cube of 2 kg and sides of 0.2 m on the world, by a joint that springs hold. */
static AbutJointDef *begin(JointScene *scene, AbutJointType type)
{
	static const double half[3] = {0.1, 0.1, 0.1}, place[3] = {0.0, 0.0, 0.0}, z[3] = {0.0, 0.0, 1.0};
	joint_scene_begin(scene, dt);
	joint_scene_box(scene, half, 2.0, place);
	AbutJointDef *joint = joint_scene_joint(scene, type, ABUT_JOINT_WORLD, 0, place, z);
	joint->has_equality_spring = true;
	joint->equality_spring = spring();
	scene->def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_CONVEX);
	return joint;
}

static AbutStepInfo run(JointScene *scene, double duration)
{
	AbutStepInfo info = {.row = 0};
	for (double t = 0.0; t < duration; t += dt) {
		cr_assert_eq(abut_step(scene->model, scene->state, scene->workspace, &info), ABUT_OK);
		cr_assert_neq(info.outcome, ABUT_OUTCOME_FAILED, "%g s: residual %g", t, info.residual);
	}
	return info;
}

/* As a contact does (tests/dynamics/methods/convex/test_convex.c), the row rests where (1 - d) g = k d^2 z. */
Test(convex_equality, a_connect_sags_like_its_spring)
{
	JointScene scene;
	begin(&scene, ABUT_JOINT_BALL);
	joint_scene_make(&scene);
	const AbutStepInfo info = run(&scene, 2.0);
	const AbutJointState end = joint_scene_read(&scene, 0);
	const double k = 1.0 / pow(d * T * ratio, 2.0), g = -scene.def.gravity[2], sag = (1.0 - d) * g / (k * d * d);
	cr_expect_float_eq(end.violation_m, sag, 1e-12, "%.12g, not %.12g", end.violation_m, sag);
	cr_expect_float_eq(info.joint_violation_m, sag, 1e-12);
	cr_expect_float_eq(end.force[2], 2.0 * g, 1e-9, "%.12g N", end.force[2]);
	cr_expect_eq(end.violation_rad, 0.0);
	joint_scene_end(&scene);
}

/* The vector part of the turn is e = sin(a / 2), which changes by cos(a / 2) / 2 per turn, and the mobility is 1 / J. A
 * torque M rests where M = cos(a / 2) / 2 D k d e, with D = d J / (1 - d). */
Test(convex_equality, a_weld_twists_like_its_spring)
{
	static const double M = 7.0, force = 11.0;
	JointScene scene;
	begin(&scene, ABUT_JOINT_FIXED);
	scene.def.gravity[2] = 0.0;
	scene.bodies[0].torque[2] = M;
	scene.bodies[0].force[0] = force;
	joint_scene_make(&scene);
	run(&scene, 2.0);
	const AbutJointState end = joint_scene_read(&scene, 0);
	const double J = 2.0 * 0.04 / 6.0, k = 1.0 / pow(d * T * ratio, 2.0), D = d * J / (1.0 - d);
	const double angle = asin(4.0 * M / (D * k * d));
	const double way = (1.0 - d) * force / 2.0 / (k * d * d);
	cr_expect_gt(angle, 0.1);
	cr_expect_float_eq(end.violation_rad, angle, 1e-9, "%.12g, not %.12g", end.violation_rad, angle);
	cr_expect_float_eq(end.violation_m, way, 1e-9, "%.12g, not %.12g", end.violation_m, way);
	cr_expect_float_eq(end.torque[2], -M, 1e-8);
	cr_expect_float_eq(end.force[0], -force, 1e-8);
	joint_scene_end(&scene);
}

/* Two free cubes that meet at an open joint come together, and keep their momentum. */
Test(convex_equality, an_open_connect_closes_and_keeps_momentum)
{
	static const double half[3] = {0.1, 0.1, 0.1}, places[2][3] = {{0.0, 0.0, 0.0}, {0.4, 0.0, 0.0}};
	static const double middle[3] = {0.2, 0.0, 0.0}, z[3] = {0.0, 0.0, 1.0};
	JointScene scene;
	joint_scene_begin(&scene, dt);
	joint_scene_box(&scene, half, 2.0, places[0]);
	joint_scene_box(&scene, half, 1.0, places[1]);
	AbutJointDef *joint = joint_scene_joint(&scene, ABUT_JOINT_BALL, 0, 1, middle, z);
	joint->has_equality_spring = true;
	joint->equality_spring = spring();
	joint->child_frame.position[1] += 0.03;
	scene.bodies[0].linear_velocity[2] = 0.3;
	scene.def.gravity[2] = 0.0;
	scene.def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_CONVEX);
	joint_scene_make(&scene);
	AbutBodyState a, b;
	abut_state_get_body(scene.model, scene.state, 0, &a);
	cr_expect_eq(a.position[1], 0.0, "open at the start");
	run(&scene, 1.0);
	cr_expect_lt(joint_scene_read(&scene, 0).violation_m, 1e-3);
	abut_state_get_body(scene.model, scene.state, 0, &a);
	abut_state_get_body(scene.model, scene.state, 1, &b);
	for (int i = 0; i < 3; i++) {
		const double momentum = 2.0 * a.linear_velocity[i] + b.linear_velocity[i];
		cr_expect_float_eq(momentum, i == 2 ? 0.6 : 0.0, 1e-9, "%d: %g", i, momentum);
	}
	joint_scene_end(&scene);
}

/* Other methods, and barriers, hold the joint exactly. */
Test(convex_equality, other_methods_ignore_the_spring)
{
	for (int method = 0; method < ABUT_METHOD_COUNT; method++) {
		JointScene scene;
		begin(&scene, ABUT_JOINT_BALL);
		scene.def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, (AbutMethod)method);
		scene.def.solver.convex_model = ABUT_CONVEX_MODEL_BARRIER;
		joint_scene_make(&scene);
		for (int i = 0; i < 20; i++) {
			joint_scene_step(&scene, abut_method_name((AbutMethod)method), (unsigned)i);
		}
		cr_expect_lt(joint_scene_read(&scene, 0).violation_m, 1e-10);
		joint_scene_end(&scene);
	}
}

Test(convex_equality, is_refused_where_springs_cannot_hold)
{
	JointScene scene;
	AbutError error = {.status = ABUT_OK};
	AbutModel *model = NULL;
	begin(&scene, ABUT_JOINT_HINGE);
	cr_expect_eq(abut_model_create(&scene.def, &model, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "joints[0].equality_spring");
	cr_expect(strstr(error.message, "hinge"), "%s", error.message);
	joint_scene_end(&scene);
	AbutJointDef *ball = begin(&scene, ABUT_JOINT_BALL);
	ball->axes[0].damping = 1.0;
	cr_expect_eq(abut_model_create(&scene.def, &model, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "damper"), "%s", error.message);
	ball->axes[0].damping = 0.0;
	ball->equality_spring.solref[0] = -1.0;
	cr_expect_eq(abut_model_create(&scene.def, &model, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "joints[0].equality_spring.solref");
	joint_scene_end(&scene);
}
