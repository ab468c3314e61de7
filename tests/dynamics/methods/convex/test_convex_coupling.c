/* Compares couplings of joints in method convex with closed forms, with method single-level, and with their inverse. */
#include <math.h>
#include <string.h>

#include "abut/robot.h"
#include "base/rng.h"
#include "dynamics/methods/joints/method_joint_scenes.h"

static const double d = 0.7, T = 0.03, damping = 1.2, dt = 0.002, ratio = -1.7;

static const double halves[2][3] = {{0.1, 0.1, 0.1}, {0.2, 0.1, 0.1}}, masses[2] = {2.0, 1.5};

/* Two flywheels on hinges along z, coupled by q_0 = ratio q_1 + offset. */
static AbutCouplingDef *begin(JointScene *scene, bool spring, bool tendon)
{
	static const double z[3] = {0.0, 0.0, 1.0};
	joint_scene_begin(scene, dt);
	for (int i = 0; i < 2; i++) {
		const double place[3] = {2.0 * i, 0.0, 0.0};
		joint_scene_box(scene, halves[i], masses[i], place);
		AbutJointDef *joint = joint_scene_joint(scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, i, place, z);
		joint->axes[0].motor.type = ABUT_MOTOR_FORCE;
	}
	AbutCouplingDef *coupling = joint_scene_couple(scene, 0, 1, ratio);
	coupling->has_equality_spring = spring;
	coupling->tendon = tendon;
	coupling->equality_spring = (AbutJointSpring){
	    .has_solref = true, .has_solimp = true, .solref = {T, damping}, .solimp = {d, d, 0.001, 0.5, 2.0}};
	scene->def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_CONVEX);
	return coupling;
}

static double inertia(int wheel)
{
	return masses[wheel] * (halves[wheel][0] * halves[wheel][0] + halves[wheel][1] * halves[wheel][1]) / 3.0;
}

static void run(JointScene *scene, double duration)
{
	AbutStepInfo info = {.row = 0};
	for (double t = 0.0; t < duration; t += dt) {
		cr_assert_eq(abut_step(scene->model, scene->state, scene->workspace, &info), ABUT_OK);
		cr_assert_neq(info.outcome, ABUT_OUTCOME_FAILED, "%g s: residual %g", t, info.residual);
	}
}

/* Torques M and -ratio M rest where the spring's torque is M: K d k = R M, R = A (1 - d) / d. The mobility A is the sum
 * of those of both wheels, 1 / J, or g J^-1 g' of a tendon. */
Test(convex_coupling, rests_where_the_spring_does)
{
	for (int tendon = 0; tendon < 2; tendon++) {
		static const double M = 3.0;
		JointScene scene;
		AbutCouplingState end;
		begin(&scene, true, tendon == 1)->offset = 0.2;
		joint_scene_make(&scene);
		cr_assert_eq(abut_state_set_motor(scene.model, scene.state, 0, 0, M), ABUT_OK);
		cr_assert_eq(abut_state_set_motor(scene.model, scene.state, 1, 0, -ratio * M), ABUT_OK);
		run(&scene, 3.0);
		cr_assert_eq(abut_coupling_get(scene.model, scene.state, 0, &end), ABUT_OK);
		const double A = 1.0 / inertia(0) + (tendon ? ratio * ratio : 1.0) / inertia(1);
		const double K = 1.0 / pow(d * T * damping, 2.0), k = A * (1.0 - d) / d * M / (K * d);
		cr_expect_float_eq(end.violation, k, 1e-9 * k, "%d: %.12g, not %.12g", tendon, end.violation, k);
		cr_expect_float_eq(end.effort, -M, 1e-8, "%.12g N m", end.effort);
		joint_scene_end(&scene);
	}
}

/* An open coupling closes as a damped oscillation k'' + d b k' + d^2 K k = 0 of the free wheels, if d is such that
 * the mobility of the wheels along k is A. Compared with the solution in the limit of short steps. */
Test(convex_coupling, closes_as_a_damped_oscillation)
{
	double off[2];
	for (int level = 0; level < 2; level++) {
		const double own = dt / (level == 0 ? 50.0 : 100.0), open = 0.1, end = 0.05;
		JointScene scene;
		AbutJointState a, b;
		AbutStepInfo info = {.row = 0};
		begin(&scene, true, true)->offset = open;
		scene.def.timestep = own;
		joint_scene_make(&scene);
		const int steps = (int)lround(end / own);
		for (int i = 0; i < steps; i++) {
			cr_assert_eq(abut_step(scene.model, scene.state, scene.workspace, &info), ABUT_OK);
		}
		a = joint_scene_read(&scene, 0);
		b = joint_scene_read(&scene, 1);
		/* R + A = A / d: k'' = d aref = -d b k' - d^2 K k, with b = 2 / (d T) */
		const double w = 1.0 / (T * damping), z = damping;
		const double s = w * sqrt(z * z - 1.0), decay = exp(-z * w * end);
		const double k = -open * decay * (cosh(s * end) + z * w / s * sinh(s * end));
		off[level] = a.position[0] - ratio * b.position[0] - open - k;
		joint_scene_end(&scene);
	}
	cr_expect_float_eq(2.0 * off[1] - off[0], 0.0, 1e-7, "%g, %g", off[0], off[1]);
}

/* Without a spring the coupling is exact, as with method single-level. */
Test(convex_coupling, without_a_spring_holds_exactly)
{
	JointScene scenes[2];
	for (int i = 0; i < 2; i++) {
		begin(&scenes[i], false, false);
		if (i == 1) {
			scenes[i].def.solver = abut_solver_options_default();
		}
		joint_scene_make(&scenes[i]);
		cr_assert_eq(abut_state_set_motor(scenes[i].model, scenes[i].state, 0, 0, 0.3), ABUT_OK);
		run(&scenes[i], 1.0);
	}
	const AbutJointState a = joint_scene_read(&scenes[0], 0), b = joint_scene_read(&scenes[1], 0);
	const AbutJointState other = joint_scene_read(&scenes[0], 1);
	cr_expect_float_eq(a.position[0], b.position[0], 1e-9, "%.12g, not %.12g", a.position[0], b.position[0]);
	cr_expect_float_eq(a.position[0], ratio * other.position[0], 1e-10);
	cr_expect_gt(fabs(a.position[0]), 1.0);
	joint_scene_end(&scenes[0]);
	joint_scene_end(&scenes[1]);
}

/* Two balls on hinges through their centres, coupled so that they roll on each other, with an overlap. */
static void begin_rolling(JointScene *scene, double overlap)
{
	static const double radii[2] = {0.2, 0.1};
	begin(scene, false, false)->ratio = -0.5;
	scene->def.all_pairs = true;
	scene->def.solver.solref[0] = T;
	scene->def.solver.solref[1] = damping;
	scene->def.solver.solimp[0] = scene->def.solver.solimp[1] = d;
	for (int i = 0; i < 2; i++) {
		abut_shape_destroy(scene->shapes[i]);
		cr_assert_eq(abut_shape_create_sphere(radii[i], &scene->shapes[i], NULL), ABUT_OK);
		scene->bodies[i].position[0] = i * (radii[0] + radii[1] - overlap);
		abut_copy3(scene->bodies[i].position, scene->joints[i].parent_frame.position);
		memset(scene->joints[i].child_frame.position, 0, sizeof scene->joints[i].child_frame.position);
	}
	scene->joints[1].axes[0].motor.type = ABUT_MOTOR_VELOCITY;
	scene->joints[1].axes[0].motor.damping = 1.0;
}

static double ball_inertia(int i)
{
	const double r = i == 0 ? 0.2 : 0.1;
	return 0.4 * masses[i] * r * r;
}

/* Wheels that press on each other and are coupled exactly roll without friction, so they turn as wheels that pass each
 * other. */
Test(convex_coupling, touching_wheels_roll)
{
	static const double target = 20.0;
	JointScene touching, passing;
	begin_rolling(&touching, 0.0);
	begin_rolling(&passing, 0.0);
	touching.def.solver.margin = 1e-3;
	passing.def.all_pairs = false;
	joint_scene_make(&touching);
	joint_scene_make(&passing);
	cr_assert_eq(abut_state_set_motor(touching.model, touching.state, 1, 0, target), ABUT_OK);
	cr_assert_eq(abut_state_set_motor(passing.model, passing.state, 1, 0, target), ABUT_OK);
	for (int i = 0; i < 200; i++) {
		joint_scene_step(&touching, "touching", 0);
		joint_scene_step(&passing, "passing", 0);
		cr_assert_eq(abut_contact_count(touching.workspace), 1, "step %d", i);
		for (int k = 0; k < 2; k++) {
			const double a = joint_scene_read(&touching, k).velocity[0];
			const double b = joint_scene_read(&passing, k).velocity[0];
			cr_assert_float_eq(a, b, 1e-8, "%d, wheel %d: %.12g, not %.12g", i, k, a, b);
		}
	}
	cr_expect_float_eq(joint_scene_read(&touching, 1).velocity[0], target, 1e-3);
	joint_scene_end(&touching);
	joint_scene_end(&passing);
}

/* Hinges hold the centres, so that the force is that of the spring alone: K d overlap / R. The places of the centres
 * have no mobility, so A is that of the turns, a third of 1 / J. */
Test(convex_coupling, held_wheels_press_as_their_mobility_says)
{
	static const double overlap = 1e-3;
	const double K = 1.0 / pow(d * T * damping, 2.0);
	const double A = (1.0 / ball_inertia(0) + 1.0 / ball_inertia(1)) / 3.0;
	const double force = K * d * overlap * d / (A * (1.0 - d));
	JointScene scene;
	AbutContact contact;
	begin_rolling(&scene, overlap);
	joint_scene_make(&scene);
	joint_scene_step(&scene, "pressed", 0);
	cr_assert_eq(abut_contact_count(scene.workspace), 1);
	cr_assert_eq(abut_contact_get(scene.model, scene.workspace, 0, &contact), ABUT_OK);
	cr_expect_float_eq(contact.normal_impulse / dt, force, 1e-8 * force, "%.12g, not %.12g N",
	                   contact.normal_impulse / dt, force);
	joint_scene_end(&scene);
}

/* The efforts that inverse dynamics returns for the motion of a step are those of the step, with the impulse of the
 * spring from the motion alone. */
Test(convex_coupling, inverse_dynamics_finds_the_spring)
{
	for (unsigned seed = 0; seed < 20; seed++) {
		AbutRng rng = {seed + 3};
		JointScene scene;
		AbutRobot *robot;
		AbutState *before, *after;
		AbutStepInfo info = {.row = 0};
		AbutRobotInverse inverse;
		AbutError error = {.status = ABUT_OK};
		double effort[2], wanted[2], qdot[2];
		begin(&scene, true, seed % 2 == 0)->offset = abut_rng_uniform(&rng, -0.2, 0.2);
		joint_scene_make(&scene);
		cr_assert_eq(abut_robot_create(scene.model, &robot, &error), ABUT_OK, "%s", error.message);
		cr_assert_eq(abut_state_create(scene.model, &before, NULL), ABUT_OK);
		cr_assert_eq(abut_state_create(scene.model, &after, NULL), ABUT_OK);
		run(&scene, 5.5 * dt);
		for (int i = 0; i < 2; i++) {
			wanted[i] = abut_rng_uniform(&rng, -2.0, 2.0);
			cr_assert_eq(abut_state_set_motor(scene.model, scene.state, i, 0, wanted[i]), ABUT_OK);
		}
		cr_assert_eq(abut_state_copy(scene.model, scene.state, before), ABUT_OK);
		cr_assert_eq(abut_step(scene.model, scene.state, scene.workspace, &info), ABUT_OK);
		cr_assert_eq(abut_robot_get_state(robot, scene.state, NULL, qdot), ABUT_OK);
		cr_assert_eq(abut_robot_advance(robot, before, qdot, after), ABUT_OK);
		cr_assert_eq(abut_robot_inverse(robot, before, after, effort, &inverse, &error), ABUT_OK, "%s",
		             error.message);
		for (int i = 0; i < 2; i++) {
			cr_expect_float_eq(effort[i], wanted[i], 1e-6, "%u: %.9g, not %.9g", seed, effort[i],
			                   wanted[i]);
		}
		abut_robot_destroy(robot);
		abut_state_destroy(before);
		abut_state_destroy(after);
		joint_scene_end(&scene);
	}
}
