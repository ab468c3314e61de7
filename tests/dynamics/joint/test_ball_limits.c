/* Limits of balls, cone and twist: at rest against them, in a conical pendulum, at small and large angles, and in
 * random motion. The ball is at the origin; a box of 2 kg along x has its centre at x = 0.5 m. */
#include "dynamics/joint_scenes.h"
#include "dynamics/model/joint.h"
#include "dynamics/model/model.h"

static const double pi = 3.14159265358979323846;
static const double weight = 2.0 * 9.81 * 0.5; /* N m, horizontal */
static const double timesteps[] = {0.001, 0.002, 0.01, 0.02, 0.05};

/* The box on a ball with limits. */
static AbutJointAxis *begin(JointScene *scene, double timestep, double cone, double twist)
{
	AbutJointAxis *axis = joint_scene_ball(scene, timestep);
	axis->has_limits = true;
	axis->lower = cone;
	axis->upper = twist;
	return axis;
}

/* The box falls from the axis of its cone, where the row of the cone vanishes. */
Test(ball_limits, a_pendulum_rests_on_its_cone)
{
	static const double cones[] = {1e-3, 0.05, 0.6, 1.5};
	for (int i = 0; i < 20; i++) {
		const double cone = cones[i % 4];
		JointScene scene;
		begin(&scene, timesteps[i / 4], cone, pi);
		joint_scene_make(&scene);
		const AbutJointState end = joint_scene_run(&scene, 4.0, "cone");
		cr_expect_eq(end.n_axes, 3);
		cr_expect_float_eq(abut_norm3(end.position), cone, 1e-9, "%g s: %.12g is not %g", timesteps[i / 4],
		                   abut_norm3(end.position), cone);
		cr_expect_lt(abut_norm3(end.velocity), 1e-9, "cone %g, %g s: %g", cone, timesteps[i / 4],
		             abut_norm3(end.velocity));
		cr_expect_float_eq(abut_norm3(end.limit_effort), weight * cos(cone), 1e-6, "cone %g: %g", cone,
		                   abut_norm3(end.limit_effort));
		cr_expect_float_eq(abut_dot3(end.limit_effort, end.position), -cone * weight * cos(cone), 1e-6);
		joint_scene_end(&scene);
	}
}

/* A constant torque about the axis turns the box until its twist ends. */
Test(ball_limits, a_top_rests_at_its_twist)
{
	static const double twists[] = {1e-3, 1.0, 3.0, 3.1415926};
	for (int i = 0; i < 40; i++) {
		const double twist = twists[i % 4], torque = i < 20 ? 0.1 : -0.1;
		JointScene scene;
		begin(&scene, timesteps[i / 4 % 5], 1.0, twist);
		memset(scene.def.gravity, 0, sizeof scene.def.gravity);
		scene.bodies[0].torque[0] = torque;
		scene.bodies[0].angular_velocity[0] = torque > 0.0 ? 2.0 : -2.0;
		joint_scene_make(&scene);
		const AbutJointState end = joint_scene_run(&scene, 3.0, "twist");
		cr_expect_float_eq(end.position[2], torque > 0.0 ? twist : -twist, 1e-9, "%g s: %.12g is not %g",
		                   timesteps[i / 4 % 5], end.position[2], twist);
		cr_expect_lt(abut_norm3(end.velocity), 1e-9);
		cr_expect_float_eq(end.limit_effort[2], -torque, 1e-6, "twist %g, %g s: %g", twist,
		                   timesteps[i / 4 % 5], end.limit_effort[2]);
		joint_scene_end(&scene);
	}
}

/* The box turns about the vertical at the rate W, leaning outwards by phi against its cone. With moments of inertia J_t
 * and J_a about the ball, the cone carries sin phi (W^2 (J_t - J_a) cos phi - weight). */
Test(ball_limits, a_conical_pendulum_leans_on_its_cone)
{
	static const double down[3] = {0.0, 0.0, -1.0}, origin[3] = {0.0, 0.0, 0.0};
	const double phi = 0.7, rate = 8.0, J_a = 2.0 * 0.005 / 3.0, J_t = 2.0 * (0.25 + 0.2525 / 3.0);
	const double expected = sin(phi) * (rate * rate * (J_t - J_a) * cos(phi) - weight);
	double error[2];
	for (int i = 0; i < 2; i++) {
		JointScene scene;
		begin(&scene, i == 0 ? 0.002 : 0.001, 1.0, pi);
		scene.def.n_joints = 0;
		AbutBodyDef *body = &scene.bodies[0];
		const double turn =
		    0.5 * (0.5 * pi - phi); /* about y, from x to the direction (sin phi, 0, -cos phi) */
		const double q[4] = {cos(turn), 0.0, sin(turn), 0.0}, axis[3] = {rate, 0.0, 0.0};
		memcpy(body->orientation, q, sizeof q);
		body->position[0] = 0.5 * sin(phi);
		body->position[2] = -0.5 * cos(phi);
		body->linear_velocity[1] = rate * body->position[0];
		body->angular_velocity[0] = -axis[0] * cos(phi); /* in the body's axes */
		body->angular_velocity[2] = axis[0] * sin(phi);
		AbutJointDef *joint = joint_scene_joint(&scene, ABUT_JOINT_BALL, ABUT_JOINT_WORLD, 0, origin, down);
		const double to_axis[4] = {cos(0.25 * pi), 0.0, sin(0.25 * pi), 0.0}; /* its z along the box */
		memcpy(joint->child_frame.orientation, to_axis, sizeof to_axis);
		joint->axes[0] = (AbutJointAxis){.has_limits = true, .lower = phi, .upper = pi};
		joint->axes[0].motor.limit = (double)INFINITY;
		joint_scene_make(&scene);
		const AbutJointState end = joint_scene_run(&scene, 1.0, "conical");
		error[i] = fabs(abut_norm3(end.limit_effort) - expected);
		joint_scene_end(&scene);
	}
	cr_expect_lt(error[1], 1e-3 * expected, "%g of %g", error[1], expected);
	cr_expect_float_eq(error[0] / error[1], 4.0, 0.2, "%g, %g", error[0], error[1]);
}

/* Limits at the ends of what is allowed, and turns through pi. */
Test(ball_limits, hold_at_any_angle)
{
	static const double cones[] = {1e-3, 0.5, 1.6, 2.8, 3.14}, twists[] = {1e-3, 0.7, 3.14, 3.14159265358979323846};
	for (unsigned seed = 0; seed < 100; seed++) {
		AbutRng rng = {seed};
		JointScene scene;
		static const double half[3] = {0.3, 0.1, 0.05}, x[3] = {1.0, 0.0, 0.0};
		begin(&scene, timesteps[seed % 5], cones[seed / 5 % 5], twists[seed / 25]);
		const double place[3] = {1.3, 0.0, 0.0}, anchor[3] = {1.0, 0.0, 0.0};
		joint_scene_box(&scene, half, 1.0, place);
		AbutJointDef *second = joint_scene_joint(&scene, ABUT_JOINT_BALL, 0, 1, anchor, x);
		second->axes[0].has_limits = true;
		second->axes[0].lower = cones[seed % 3];
		second->axes[0].upper = twists[seed % 4];
		second->axes[0].damping = seed % 2 ? 0.05 : 0.0;
		for (int i = 0; i < 3; i++) {
			scene.bodies[0].angular_velocity[i] = abut_rng_uniform(&rng, -4.0, 4.0);
			scene.bodies[1].angular_velocity[i] = abut_rng_uniform(&rng, -4.0, 4.0);
		}
		joint_scene_make(&scene);
		for (int k = 0; k < 200; k++) {
			joint_scene_step(&scene, "ball limits", seed);
		}
		joint_scene_end(&scene);
	}
}

static void expect_refused(JointScene *scene, const char *message)
{
	AbutError error = {.status = ABUT_OK};
	AbutModel *model = NULL;
	cr_assert_eq(abut_model_create(&scene->def, &model, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "joints[0].limits");
	cr_expect(strstr(error.message, message), "%s", error.message);
	joint_scene_end(scene);
}

Test(ball_limits, initial_poses_outside_are_refused)
{
	const double lean[4] = {cos(0.15), 0.0, sin(0.15), 0.0}, turn[4] = {cos(0.4), 0.0, 0.0, sin(0.4)};
	JointScene scene;
	begin(&scene, 0.01, 0.2, 1.0);
	abut_quat_mul(scene.joints[0].parent_frame.orientation, lean, scene.joints[0].child_frame.orientation);
	expect_refused(&scene, "joint 'n0' leans by 0.3 rad at the initial poses; its limit is 0.2 rad");
	begin(&scene, 0.01, 0.2, 0.5);
	abut_quat_mul(scene.joints[0].parent_frame.orientation, turn, scene.joints[0].child_frame.orientation);
	expect_refused(&scene, "joint 'n0' is twisted by 0.8 rad at the initial poses; its limit is 0.5 rad");
}

/* The lower limit of a slide is a length, and no angle of a cone. */
Test(ball_limits, only_balls_have_a_cone)
{
	static const double x[3] = {1.0, 0.0, 0.0}, origin[3] = {0.0, 0.0, 0.0};
	JointScene scene;
	begin(&scene, 0.01, 0.3, pi);
	joint_scene_make(&scene);
	cr_expect_float_eq(scene.model->joints.at[0].cone, sin(0.3), 1e-15);
	joint_scene_end(&scene);
	joint_scene_pendulum(&scene, 0.01);
	scene.def.n_joints = 0;
	AbutJointAxis *axis = joint_scene_joint(&scene, ABUT_JOINT_SLIDE, ABUT_JOINT_WORLD, 0, origin, x)->axes;
	axis->has_limits = true;
	axis->lower = -2.0;
	axis->upper = 1.0;
	joint_scene_make(&scene);
	cr_expect_eq(scene.model->joints.at[0].cone, 0.0);
	joint_scene_end(&scene);
}
