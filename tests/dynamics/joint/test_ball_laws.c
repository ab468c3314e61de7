/* Compares dry friction, armature and limited motors of balls with closed forms. A sphere on a ball at its centre turns
 * about a fixed axis; its momentum per inertia changes by exactly dt torque / inertia in a step, and is what the joint
 * reports as the rate: sin(turn of the step) / dt. */
#include "dynamics/joint_momenta.h"

static const double mass = 2.0, radius = 0.2, inertia = 0.4 * 2.0 * 0.2 * 0.2;
static const double weight = 2.0 * 9.81 * 0.5; /* N m, of the pendulum in joint_scenes.h */
static const double timesteps[] = {0.002, 0.01, 0.05};

/* A sphere that spins on a ball at its centre, without gravity. */
static AbutJointAxis *begin_sphere(JointScene *scene, double timestep, const double spin[3])
{
	static const double origin[3] = {0.0, 0.0, 0.0}, tilted[3] = {0.3, -0.4, 0.8}, any[3] = {1.0, 1.0, 1.0};
	joint_scene_begin(scene, timestep);
	joint_scene_box(scene, any, mass, origin);
	abut_shape_destroy(scene->shapes[0]);
	cr_assert_eq(abut_shape_create_sphere(radius, &scene->shapes[0], NULL), ABUT_OK);
	memset(scene->def.gravity, 0, sizeof scene->def.gravity);
	abut_copy3(spin, scene->bodies[0].angular_velocity);
	return joint_scene_joint(scene, ABUT_JOINT_BALL, ABUT_JOINT_WORLD, 0, origin, tilted)->axes;
}

/* The rate that a body of a given angular velocity has in the first step. */
static double first_rate(double spin, double timestep)
{
	return spin * sqrt(1.0 - 0.25 * timestep * timestep * spin * spin);
}

Test(ball_laws, friction_slows_a_sphere_and_stops_it)
{
	static const double spin[3] = {2.0, -1.0, 3.0};
	for (int i = 0; i < 3; i++) {
		const double dt = timesteps[i], torque = 0.05;
		JointScene scene;
		begin_sphere(&scene, dt, spin)->friction = torque;
		joint_scene_make(&scene);
		double rate = first_rate(abut_norm3(spin), dt);
		bool slid = false;
		for (double time = dt; time < 4.0; time += dt) {
			joint_scene_step(&scene, "friction", 0);
			const AbutJointState at = joint_scene_read(&scene, 0);
			rate -= dt * torque / inertia;
			cr_assert_float_eq(abut_norm3(at.velocity), fmax(rate, 0.0), 1e-8, "%g s: %g, not %g", time,
			                   abut_norm3(at.velocity), rate);
			if (rate > 0.0) { /* the friction is opposite to the velocity */
				const double along = abut_dot3(at.friction_effort, at.velocity);
				cr_assert_float_eq(abut_norm3(at.friction_effort), torque, 1e-7);
				cr_assert_float_eq(along, -torque * abut_norm3(at.velocity), 1e-7);
				slid = true;
			}
		}
		cr_expect(slid && rate < 0.0);
		joint_scene_end(&scene);
	}
}

Test(ball_laws, friction_sticks_exactly)
{
	static const double shares[] = {0.9, 0.999, 0.999999};
	for (int i = 0; i < 9; i++) {
		JointScene scene;
		AbutJointAxis *axis = joint_scene_ball(&scene, timesteps[i / 3]);
		axis->friction = weight / shares[i % 3];
		joint_scene_make(&scene);
		const AbutJointState end = joint_scene_run(&scene, 10.0, "stick");
		cr_expect_leq(abut_norm3(end.position), 1e-9, "load %g of the bound, %g s: drift %g", shares[i % 3],
		              timesteps[i / 3], abut_norm3(end.position));
		cr_expect_float_eq(abut_norm3(end.friction_effort), weight, 1e-6);
		joint_scene_end(&scene);
	}
}

/* Friction in all directions: a pendulum that is let go with a sideways swing stops where its friction holds it. */
Test(ball_laws, friction_stops_a_pendulum_that_swings_around)
{
	for (int i = 0; i < 3; i++) {
		JointScene scene;
		joint_scene_ball(&scene, timesteps[i])->friction = 0.3 * weight;
		scene.bodies[0].angular_velocity[2] = 4.0;
		scene.bodies[0].linear_velocity[1] = 2.0;
		joint_scene_make(&scene);
		const AbutJointState end = joint_scene_run(&scene, 6.0, "swing"),
		                     later = joint_scene_run(&scene, 10.0, "rest");
		cr_expect_lt(abut_norm3(end.velocity), 1e-9);
		cr_expect_lt(abut_norm3(end.friction_effort), 0.3 * weight * (1.0 + 1e-9));
		for (int k = 0; k < 3; k++) {
			cr_expect_float_eq(later.position[k], end.position[k], 1e-9);
		}
		joint_scene_end(&scene);
	}
}

Test(ball_laws, friction_and_a_cone_hold_together)
{
	for (int i = 0; i < 3; i++) {
		JointScene scene;
		AbutJointAxis *axis = joint_scene_ball(&scene, timesteps[i]);
		*axis = (AbutJointAxis){.has_limits = true, .lower = 0.4, .upper = 0.5, .friction = 0.2 * weight};
		axis->motor.limit = (double)INFINITY;
		scene.bodies[0].angular_velocity[0] = 3.0;
		joint_scene_make(&scene);
		const AbutJointState end = joint_scene_run(&scene, 4.0, "friction on a cone");
		cr_expect_lt(abut_norm3(end.velocity), 1e-9);
		cr_expect_leq(end.limit_violation, 1e-9);
		double sum[3];
		abut_add3(end.limit_effort, end.friction_effort, sum);
		cr_expect_leq(abut_norm3(end.friction_effort), 0.2 * weight * (1.0 + 1e-9));
		cr_expect_float_eq(abut_norm3(sum), weight * cos(0.4), 1e-5, "%g s: %g", timesteps[i], abut_norm3(sum));
		joint_scene_end(&scene);
	}
}

Test(ball_laws, armature_adds_to_the_inertia_of_a_sphere)
{
	static const double none[3] = {0.0, 0.0, 0.0}, torque[3] = {0.03, -0.02, 0.01};
	for (int i = 0; i < 3; i++) {
		const double dt = timesteps[i], rotor = 0.07, steps = 20.0;
		JointScene scene;
		begin_sphere(&scene, dt, none)->armature = rotor;
		abut_copy3(torque, scene.bodies[0].torque);
		joint_scene_make(&scene);
		const AbutJointState end = joint_scene_run(&scene, steps * dt, "armature");
		const double rate = steps * dt * abut_norm3(torque) / (inertia + rotor);
		cr_expect_float_eq(abut_norm3(end.velocity), rate, 1e-9, "%g, not %g", abut_norm3(end.velocity), rate);
		joint_scene_end(&scene);
	}
}

/* Two bodies in flight with a rotor between them keep their momentum, and their energy within (w dt)^2. */
Test(ball_laws, armature_conserves)
{
	static const double half[3] = {0.3, 0.2, 0.1}, x[3] = {1.0, 0.0, 0.0};
	double worst[2] = {0.0, 0.0};
	for (int i = 0; i < 2; i++) {
		JointScene scene;
		double before[2][3], after[2][3], most = 0.0;
		joint_scene_begin(&scene, i == 0 ? 0.01 : 0.005);
		memset(scene.def.gravity, 0, sizeof scene.def.gravity);
		for (int b = 0; b < 2; b++) {
			const double place[3] = {0.6 * b, 0.0, 0.0}, anchor[3] = {0.3, 0.0, 0.0};
			AbutBodyDef *body = &scene.bodies[joint_scene_box(&scene, half, 1.0 + b, place)];
			body->angular_velocity[b] = 3.0;
			body->angular_velocity[2] = 1.0 - b;
			if (b == 1) {
				AbutJointDef *joint = joint_scene_joint(&scene, ABUT_JOINT_BALL, 0, 1, anchor, x);
				joint->axes[0].armature = 0.05;
			}
		}
		joint_scene_make(&scene);
		joint_scene_step(&scene, "first", 0); /* closes the rates of the joint */
		const double energy = abut_state_energy(scene.model, scene.state);
		joint_scene_momenta(&scene, before[0], before[1]);
		for (double time = 0.0; time < 10.0; time += i == 0 ? 0.01 : 0.005) {
			joint_scene_step(&scene, "armature", 0);
			most = fmax(most, fabs(abut_state_energy(scene.model, scene.state) - energy) / energy);
		}
		joint_scene_momenta(&scene, after[0], after[1]);
		for (int k = 0; k < 6; k++) {
			cr_expect_float_eq(after[k / 3][k % 3], before[k / 3][k % 3], 1e-9);
		}
		worst[i] = most;
		joint_scene_end(&scene);
	}
	cr_log_info("armature of a ball: energy within %g at 10 ms, %g at 5 ms", worst[0], worst[1]);
	cr_expect_lt(worst[0], 1.5e-4, "%g", worst[0]);
	cr_expect_float_eq(worst[0] / worst[1], 4.0, 0.2, "%g, %g", worst[0], worst[1]);
}

/* A velocity motor brakes with its limit; a position motor pulls with its limit towards the rotation vector 0. */
Test(ball_laws, limited_motors_give_their_limit)
{
	static const double spin[3] = {2.0, -1.0, 3.0};
	for (int i = 0; i < 3; i++) {
		const double dt = timesteps[i], limit = 0.04, steps = 10.0;
		JointScene scene;
		begin_sphere(&scene, dt, spin)->motor =
		    (AbutMotorDef){.type = ABUT_MOTOR_VELOCITY, .damping = 1e6, .limit = limit};
		joint_scene_make(&scene);
		const AbutJointState end = joint_scene_run(&scene, steps * dt, "brake");
		const double rate = first_rate(abut_norm3(spin), dt) - steps * dt * limit / inertia;
		cr_expect_float_eq(abut_norm3(end.velocity), rate, 1e-8);
		cr_expect_float_eq(abut_dot3(end.motor_effort, end.velocity), -limit * rate, 1e-7);
		joint_scene_end(&scene);

		joint_scene_ball(&scene, dt)->motor = (AbutMotorDef){
		    .type = ABUT_MOTOR_POSITION, .stiffness = 1e6, .damping = 1e4, .limit = 0.5 * weight};
		joint_scene_make(&scene);
		const AbutJointState pulled = joint_scene_run(&scene, 0.2, "pull");
		cr_expect_gt(abut_norm3(pulled.position), 0.05);
		cr_expect_float_eq(abut_norm3(pulled.motor_effort), 0.5 * weight, 1e-6);
		joint_scene_end(&scene);

		joint_scene_ball(&scene, dt)->motor = (AbutMotorDef){
		    .type = ABUT_MOTOR_POSITION, .stiffness = 1e6, .damping = 1e4, .limit = 2.0 * weight};
		joint_scene_make(&scene);
		const AbutJointState held = joint_scene_run(&scene, 2.0, "hold");
		cr_expect_float_eq(abut_norm3(held.position), weight / 1e6, 1e-9);
		joint_scene_end(&scene);
	}
}

/* Three links with all laws, of random sizes, in random motion: all steps are exact, within their limits. */
Test(ball_laws, act_together)
{
	static const double half[3] = {0.2, 0.1, 0.05}, x[3] = {1.0, 0.0, 0.0},
	                    all[] = {0.001, 0.005, 0.01, 0.02, 0.05};
	for (unsigned seed = 0; seed < 60; seed++) {
		AbutRng rng = {seed};
		JointScene scene;
		joint_scene_begin(&scene, all[seed % 5]);
		for (int i = 0; i < 3; i++) {
			const double place[3] = {0.2 + 0.4 * i, 0.0, 0.0}, anchor[3] = {0.4 * i, 0.0, 0.0};
			AbutBodyDef *body = &scene.bodies[joint_scene_box(&scene, half, 0.5 + i, place)];
			AbutJointAxis *axis = joint_scene_joint(&scene, ABUT_JOINT_BALL, i - 1, i, anchor, x)->axes;
			*axis = (AbutJointAxis){.has_limits = (seed + (unsigned)i) % 2 == 0,
			                        .lower = abut_rng_uniform(&rng, 0.05, 2.0),
			                        .upper = abut_rng_uniform(&rng, 0.05, 2.0),
			                        .friction = seed / 2 % 2 ? abut_rng_uniform(&rng, 0.1, 5.0) : 0.0,
			                        .armature = seed / 4 % 2 ? 0.02 : 0.0,
			                        .damping = seed / 8 % 2 ? 0.05 : 0.0};
			axis->motor = (AbutMotorDef){.type = seed / 16 % 2 ? ABUT_MOTOR_POSITION : ABUT_MOTOR_NONE,
			                             .stiffness = seed / 16 % 2 ? 100.0 : 0.0,
			                             .damping = seed / 16 % 2 ? 2.0 : 0.0,
			                             .limit = abut_rng_uniform(&rng, 1.0, 10.0)};
			for (int k = 0; k < 3; k++) {
				body->angular_velocity[k] = abut_rng_uniform(&rng, -4.0, 4.0);
			}
		}
		joint_scene_make(&scene);
		for (int k = 0; k < 200; k++) {
			joint_scene_step(&scene, "all laws", seed);
		}
		joint_scene_end(&scene);
	}
}

/* A snapshot continues bit for bit while limits, friction and a limited motor press. */
Test(ball_laws, snapshots_continue_bit_for_bit)
{
	JointScene scene;
	AbutState *other;
	AbutJointAxis *axis = joint_scene_ball(&scene, 0.01);
	*axis = (AbutJointAxis){
	    .has_limits = true, .lower = 0.4, .upper = 0.3, .friction = 0.2, .armature = 0.02, .stiffness = 2.0};
	axis->motor = (AbutMotorDef){.type = ABUT_MOTOR_POSITION, .stiffness = 1e3, .damping = 1.0, .limit = 1.0};
	scene.bodies[0].angular_velocity[0] = 3.0;
	scene.bodies[0].angular_velocity[2] = 3.0;
	scene.bodies[0].linear_velocity[1] = 1.5;
	joint_scene_make(&scene);
	cr_assert_eq(abut_state_create(scene.model, &other, NULL), ABUT_OK);
	joint_scene_run(&scene, 0.3, "before");
	static double kept[4096];
	const size_t n = abut_state_snapshot_size(scene.model, scene.state);
	cr_assert_leq(n, sizeof kept / sizeof *kept);
	cr_assert_eq(abut_state_snapshot(scene.model, scene.state, kept), ABUT_OK);
	cr_assert_eq(abut_state_restore(scene.model, other, n, kept, NULL), ABUT_OK);
	for (int k = 0; k < 30; k++) {
		AbutStepInfo info = {.row = 0};
		AbutJointState b;
		joint_scene_step(&scene, "after", 0);
		cr_assert_eq(abut_step(scene.model, other, scene.workspace, &info), ABUT_OK);
		const AbutJointState a = joint_scene_read(&scene, 0);
		cr_assert_eq(abut_joint_get(scene.model, other, 0, &b), ABUT_OK);
		cr_assert_eq(memcmp(&a, &b, sizeof a), 0, "step %d", k);
	}
	abut_state_destroy(other);
	joint_scene_end(&scene);
}

/* A torque about a fixed axis of the child speeds a sphere up, and the limit bounds its length. */
Test(ball_laws, a_given_torque_speeds_a_sphere_up)
{
	static const double rest[3] = {0.0, 0.0, 0.0}, torque[3] = {0.02, -0.01, 0.02};
	for (int i = 0; i < 6; i++) {
		const double dt = timesteps[i % 3], length = i < 3 ? 0.03 : 0.01;
		JointScene scene;
		AbutJointAxis *axes = begin_sphere(&scene, dt, rest);
		axes[0].motor = (AbutMotorDef){.type = ABUT_MOTOR_FORCE, .limit = i < 3 ? (double)INFINITY : 0.01};
		for (int k = 0; k < 3; k++) {
			axes[k].motor.target = torque[k];
		}
		joint_scene_make(&scene);
		for (int step = 1; step * dt <= 1.0; step++) {
			joint_scene_step(&scene, "torque", 0);
			const AbutJointState at = joint_scene_read(&scene, 0);
			for (int k = 0; k < 3; k++) {
				const double part = length * torque[k] / 0.03;
				cr_assert_float_eq(at.velocity[k], step * dt * part / inertia, 1e-7, "%d, %d: %g", i,
				                   step, at.velocity[k]);
				cr_assert_float_eq(at.motor_effort[k], part, 1e-12);
			}
		}
		for (int k = 0; k < 3; k++) { /* the targets are inputs */
			cr_assert_eq(abut_state_set_motor(scene.model, scene.state, 0, k, 0.0), ABUT_OK);
		}
		const double rate = abut_norm3(joint_scene_read(&scene, 0).velocity);
		joint_scene_step(&scene, "no torque", 0);
		cr_assert_float_eq(abut_norm3(joint_scene_read(&scene, 0).velocity), rate, 1e-8);
		joint_scene_end(&scene);
	}
}

Test(ball_laws, a_sphere_reaches_the_target_rate)
{
	static const double rest[3] = {0.0, 0.0, 0.0}, target[3] = {1.0, -2.0, 0.5};
	for (int i = 0; i < 6; i++) {
		JointScene scene;
		AbutJointAxis *axes = begin_sphere(&scene, timesteps[i % 3], rest);
		axes[0].motor = (AbutMotorDef){
		    .type = ABUT_MOTOR_VELOCITY, .damping = 1.0, .limit = i < 3 ? (double)INFINITY : 0.2};
		for (int k = 0; k < 3; k++) {
			axes[k].motor.target = target[k];
		}
		joint_scene_make(&scene);
		const AbutJointState end = joint_scene_run(&scene, 2.0, "rate");
		for (int k = 0; k < 3; k++) {
			cr_expect_float_eq(end.velocity[k], target[k], 1e-8, "%d: %.12g", i, end.velocity[k]);
		}
		joint_scene_end(&scene);
	}
}
