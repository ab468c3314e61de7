/* Compares what acts on a freedom with closed forms, on a pendulum: limits, dry friction, springs, dampers, rotors and
 * motors. The pendulum's coordinate is the angle down from horizontal; its load is m g l cos c, l = 0.5 m. */
#include "dynamics/joint_scenes.h"

static const double load = 2.0 * 9.81 * 0.5;               /* N m, horizontal */
static const double inertia = 2.0 * (0.25 + 0.2525 / 3.0); /* kg m^2, about the hinge */

static const double timesteps[] = {0.002, 0.01, 0.05};

/* Takes steps until `time`. */
static AbutJointState run(JointScene *scene, double time, const char *what)
{
	while (abut_state_time(scene->state) < time - 1e-9) {
		joint_scene_step(scene, what, 0);
	}
	return joint_scene_read(scene, 0);
}

Test(joint_laws, rests_at_a_limit)
{
	for (int i = 0; i < 3; i++) {
		JointScene scene;
		AbutJointAxis *axis = joint_scene_pendulum(&scene, timesteps[i]);
		*axis = (AbutJointAxis){.has_limits = true, .lower = -1.0, .upper = 0.6};
		joint_scene_make(&scene);
		const AbutJointState end = run(&scene, 3.0, "limit");
		cr_expect_float_eq(end.position[0], 0.6, 1e-9, "%g s: %.12g", timesteps[i], end.position[0]);
		cr_expect_float_eq(end.velocity[0], 0.0, 1e-9);
		cr_expect_float_eq(end.limit_effort[0], -load * cos(0.6), 1e-6, "%g", end.limit_effort[0]);
		joint_scene_end(&scene);
	}
}

Test(joint_laws, friction_sticks_exactly_and_slides_at_its_bound)
{
	static const double shares[] = {0.9, 0.999, 0.999999};
	for (int i = 0; i < 9; i++) {
		JointScene scene;
		AbutJointAxis *axis = joint_scene_pendulum(&scene, timesteps[i / 3]);
		axis->friction = load / shares[i % 3];
		joint_scene_make(&scene);
		const AbutJointState end = run(&scene, 10.0, "stick");
		cr_expect_leq(fabs(end.position[0]), 1e-9, "load %g of the bound, %g s: drift %g", shares[i % 3],
		              timesteps[i / 3], end.position[0]);
		cr_expect_float_eq(end.friction_effort[0], -load, 1e-6);
		joint_scene_end(&scene);
	}
	JointScene scene;
	joint_scene_pendulum(&scene, 0.01)->friction = 0.5 * load;
	joint_scene_make(&scene);
	const AbutJointState moving = run(&scene, 0.2, "slide");
	cr_expect_gt(moving.velocity[0], 0.1);
	cr_expect_float_eq(moving.friction_effort[0], -0.5 * load, 1e-6);
	joint_scene_end(&scene);
}

Test(joint_laws, servos_of_any_gain_hold_their_target)
{
	static const double gains[] = {1e2, 1e4, 1e6, 1e8, 1e12};
	for (int i = 0; i < 20; i++) {
		const double gain = gains[i / 4], limit = i % 2 == 0 ? (double)INFINITY : 3.0 * load;
		JointScene scene;
		AbutJointAxis *axis = joint_scene_pendulum(&scene, i % 4 < 2 ? 0.01 : 0.05);
		axis->motor = (AbutMotorDef){.type = ABUT_MOTOR_POSITION,
		                             .stiffness = gain,
		                             .damping = 0.02 * gain,
		                             .limit = limit,
		                             .target = 0.2};
		joint_scene_make(&scene);
		const AbutJointState end = run(&scene, 20.0, "servo");
		double c = 0.2; /* gain (0.2 - c) + load cos c = 0 */
		for (int k = 0; k < 50; k++) {
			c -= (gain * (0.2 - c) + load * cos(c)) / (-gain - load * sin(c));
		}
		cr_expect_float_eq(end.position[0], c, 1e-7, "gain %g, limit %g: %.12g is not %.12g", gain, limit,
		                   end.position[0], c);
		cr_expect_float_eq(end.motor_effort[0], -load * cos(c), 1e-4, "gain %g, limit %g: %g", gain, limit,
		                   end.motor_effort[0]);
		joint_scene_end(&scene);
	}
}

Test(joint_laws, a_limited_servo_gives_its_limit)
{
	JointScene scene;
	AbutJointAxis *axis = joint_scene_pendulum(&scene, 0.01);
	axis->motor = (AbutMotorDef){
	    .type = ABUT_MOTOR_POSITION, .stiffness = 1e6, .damping = 1e4, .limit = 0.5 * load, .target = 0.0};
	joint_scene_make(&scene);
	const AbutJointState end = run(&scene, 0.2, "limited");
	cr_expect_gt(end.position[0], 0.05);
	cr_expect_float_eq(end.motor_effort[0], -0.5 * load, 1e-9);
	joint_scene_end(&scene);
}

Test(joint_laws, a_velocity_motor_keeps_its_rate_and_a_force_motor_its_effort)
{
	JointScene scene;
	AbutJointAxis *axis = joint_scene_pendulum(&scene, 0.01);
	axis->motor =
	    (AbutMotorDef){.type = ABUT_MOTOR_VELOCITY, .damping = 1e9, .limit = (double)INFINITY, .target = -2.0};
	joint_scene_make(&scene);
	AbutJointState end = run(&scene, 4.0, "velocity");
	cr_expect_float_eq(end.velocity[0], -2.0, 1e-6);
	cr_expect_float_eq(end.position[0], -8.0, 1e-6); /* more than a revolution is counted */
	joint_scene_end(&scene);

	axis = joint_scene_pendulum(&scene, 0.01);
	axis->armature = 0.3;
	axis->motor = (AbutMotorDef){.type = ABUT_MOTOR_FORCE, .limit = 3.0, .target = 7.0};
	memset(scene.def.gravity, 0, sizeof scene.def.gravity);
	joint_scene_make(&scene);
	end = run(&scene, 0.01, "force");
	cr_expect_float_eq(end.motor_effort[0], 3.0, 1e-12);
	cr_expect_float_eq(end.velocity[0], 0.01 * 3.0 / (inertia + 0.3), 1e-6);
	joint_scene_end(&scene);
}

/* A spring without gravity: (c+ + 2 c + c-) / 4 keeps the amplitude up to dt^2 k / I = 2; tan(w dt / 2) = (dt / 2)
 * sqrt(k / I) is its frequency. */
Test(joint_laws, springs_conserve_where_the_step_resolves_them)
{
	static const double stiffnesses[] = {1.0, 1e3, 6e3};
	for (int i = 0; i < 3; i++) {
		const double k = stiffnesses[i], dt = 0.01, shift = 1e-4;
		JointScene scene;
		AbutJointAxis *axis = joint_scene_pendulum(&scene, dt);
		axis->stiffness = k;
		axis->reference = shift;
		memset(scene.def.gravity, 0, sizeof scene.def.gravity);
		joint_scene_make(&scene);
		const double turn = 2.0 * atan(0.5 * dt * sqrt(k / inertia)); /* per step */
		/* c- = c = 0 at the start: the phase of half a step before */
		const double amplitude = shift / cos(0.5 * turn);
		cr_assert_float_eq(abut_state_energy(scene.model, scene.state), 0.5 * k * shift * shift,
		                   1e-9 * k * shift * shift);
		for (int n = 1; n <= 2000; n++) {
			joint_scene_step(&scene, "spring", 0);
			const double expected = shift - amplitude * cos((n + 0.5) * turn);
			if (n <= 200) {
				const double own = joint_scene_read(&scene, 0).position[0];
				/* the cosine of the balance shifts the phase by psi^2 / 4 a step */
				cr_assert_float_eq(own, expected, 1e-4 * n * amplitude, "k %g, step %d: %g is not %g",
				                   k, n, own, expected);
			}
			cr_assert_leq(fabs(joint_scene_read(&scene, 0).position[0] - shift), 1.01 * amplitude,
			              "k %g, step %d", k, n);
		}
		joint_scene_end(&scene);
	}
}

/* Stiffer springs settle at their reference. From rest they never have more energy than at the start; in motion, the
 * energies of the poses of a spring that is not resolved differ by a factor of up to 4 at q = 2. One step at the given
 * rate is 4 times the stretch. */
static void check_stiff_springs(double rate)
{
	const double most = rate == 0.0 ? 1.0 + 1e-6 : 3.0;
	for (double q = 4.0; q < 1e6; q *= 10.0) {
		const double dt = 0.01, shift = 1e-4, k = q * inertia / (dt * dt);
		const double start = 0.5 * (k * shift * shift + inertia * rate * rate);
		JointScene scene;
		AbutJointAxis *axis = joint_scene_pendulum(&scene, dt);
		axis->stiffness = k;
		axis->reference = shift;
		memset(scene.def.gravity, 0, sizeof scene.def.gravity);
		scene.bodies[0].angular_velocity[1] = rate;
		scene.bodies[0].linear_velocity[2] = -0.5 * rate;
		joint_scene_make(&scene);
		for (int n = 1; n <= 200; n++) {
			joint_scene_step(&scene, "spring", 0);
			const double energy = abut_state_energy(scene.model, scene.state);
			cr_assert_leq(energy, most * start, "q %g, rate %g, step %d: %g J of %g", q, rate, n, energy,
			              start);
		}
		const double end = joint_scene_read(&scene, 0).position[0];
		cr_expect_float_eq(end, shift, 1e-3 * shift, "q %g: %g", q, end);
		joint_scene_end(&scene);
	}
}

Test(joint_laws, springs_too_stiff_for_the_step_settle)
{
	check_stiff_springs(0.0);
	check_stiff_springs(0.04);
	check_stiff_springs(-0.04);
}

Test(joint_laws, a_damper_slows_by_its_factor)
{
	JointScene scene;
	const double dt = 0.01, d = 0.4;
	joint_scene_pendulum(&scene, dt)->damping = d;
	memset(scene.def.gravity, 0, sizeof scene.def.gravity);
	scene.bodies[0].angular_velocity[1] = 1.0;
	scene.bodies[0].linear_velocity[2] = -0.5;
	joint_scene_make(&scene);
	const AbutJointState end = run(&scene, 1.0, "damper");
	cr_expect_float_eq(end.velocity[0], pow(1.0 + dt * d / inertia, -100.0), 1e-4, "%g", end.velocity[0]);
	joint_scene_end(&scene);
}

/* The reaction carries the weight, and what accelerates the pendulum is what the hinge and gravity give. */
Test(joint_laws, reactions_balance)
{
	JointScene scene;
	joint_scene_pendulum(&scene, 0.01)->friction = 2.0 * load;
	joint_scene_make(&scene);
	AbutJointState end = run(&scene, 0.1, "weight");
	cr_expect_float_eq(end.force[2], 2.0 * 9.81, 1e-9);
	joint_scene_end(&scene);

	joint_scene_pendulum(&scene, 0.01);
	joint_scene_make(&scene);
	AbutBodyState before, after;
	run(&scene, 0.3, "swing");
	abut_state_get_body(scene.model, scene.state, 0, &before);
	joint_scene_step(&scene, "swing", 0);
	abut_state_get_body(scene.model, scene.state, 0, &after);
	end = joint_scene_read(&scene, 0);
	for (int i = 0; i < 3; i++) {
		const double given = 2.0 * (after.linear_velocity[i] - before.linear_velocity[i]) / 0.01;
		cr_expect_float_eq(end.force[i] + 2.0 * scene.def.gravity[i], given, 1e-8);
	}
	joint_scene_end(&scene);
}

/* A position motor without stiffness only damps, whatever its target. */
Test(joint_laws, a_position_motor_without_stiffness_only_damps)
{
	JointScene scene;
	joint_scene_pendulum(&scene, 0.01)->motor =
	    (AbutMotorDef){.type = ABUT_MOTOR_POSITION, .damping = 2.0, .limit = (double)INFINITY, .target = 0.3};
	memset(scene.def.gravity, 0, sizeof scene.def.gravity);
	joint_scene_make(&scene);
	const AbutJointState end = run(&scene, 1.0, "damps");
	cr_expect_float_eq(end.position[0], 0.0, 1e-12);
	joint_scene_end(&scene);
}

/* A quasi-static pendulum on a spring settles where k c = load cos c. */
Test(joint_laws, quasi_static_springs_settle)
{
	static const double stiffnesses[] = {20.0, 1e4, 1e8};
	for (int i = 0; i < 3; i++) {
		const double k = stiffnesses[i];
		JointScene scene;
		joint_scene_pendulum(&scene, 0.01)->stiffness = k;
		scene.def.quasi_static = true;
		joint_scene_make(&scene);
		const AbutJointState end = run(&scene, 40.0, "settles");
		double c = 0.0;
		for (int n = 0; n < 50; n++) {
			c -= (load * cos(c) - k * c) / (-load * sin(c) - k);
		}
		cr_expect_float_eq(end.position[0], c, 1e-6, "k %g: %g is not %g", k, end.position[0], c);
		joint_scene_end(&scene);
	}
}

/* A light arm, which a stiff spring presses on its limit, beside a heavy body: the impulse of a violation of 1e-9 rad
 * on the arm alone is far below the tolerance, that of the spring is not. */
Test(joint_laws, a_stiff_spring_presses_a_light_arm_on_its_limit)
{
	const double small[3] = {5e-5, 5e-5, 5e-5}, origin[3] = {0.0, 0.0, 0.0}, aside[3] = {0.0, 0.0, 3e-4},
	             y[3] = {0.0, 1.0, 0.0};
	JointScene scene;
	joint_scene_begin(&scene, 1e-5);
	scene.def.gravity[2] = 0.0;
	joint_scene_box(&scene, small, 2e-9, origin);
	joint_scene_box(&scene, small, 4e6, aside);
	AbutJointAxis *axis = &joint_scene_joint(&scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, 0, origin, y)->axes[0];
	axis->has_limits = true;
	axis->lower = -0.003;
	axis->upper = 0.001;
	axis->stiffness = 0.06;
	axis->reference = -0.15;
	joint_scene_make(&scene);
	for (int i = 0; i < 10; i++) {
		const AbutStepInfo info = joint_scene_step(&scene, "spring", 0);
		cr_expect_leq(info.limit_violation, 1e-9, "step %d: %g", i, info.limit_violation);
	}
	joint_scene_end(&scene);
}

/* --- balls --- */

/* A spherical pendulum with a spring and a damper on its ball: a rigid body that turns about the origin. */
typedef struct Top {
	double q[4], w[3]; /* w in body axes */
} Top;

static const double top_half[3] = {0.3, 0.1, 0.05}, top_centre[3] = {0.3, 0.0, 0.0}, top_mass = 2.0;

/* Computes q' and w' about the pivot. `stiffness` turns the rotation vector back, `damping` the spin. */
static void top_rates(const Top *at, double stiffness, double damping, Top *out)
{
	const double a = top_half[0], b = top_half[1], c = top_half[2], l = top_centre[0];
	const double J[3] = {top_mass * (b * b + c * c) / 3.0, top_mass * ((a * a + c * c) / 3.0 + l * l),
	                     top_mass * ((a * a + b * b) / 3.0 + l * l)};
	const double spin[4] = {0.0, 0.5 * at->w[0], 0.5 * at->w[1], 0.5 * at->w[2]};
	const double sine = abut_norm3(&at->q[1]), angle = 2.0 * atan2(sine, fabs(at->q[0]));
	const double turn = (at->q[0] < 0.0 ? -1.0 : 1.0) * (sine > 0.0 ? angle / sine : 2.0);
	double R[9], down[3] = {0.0, 0.0, -9.81 * top_mass}, weight[3], torque[3], Jw[3], gyro[3];
	abut_quat_mul(at->q, spin, out->q);
	abut_quat_to_mat3(at->q, R);
	abut_mat3_tvec(R, down, weight);
	abut_cross3(top_centre, weight, torque);
	for (int i = 0; i < 3; i++) {
		Jw[i] = J[i] * at->w[i];
	}
	abut_cross3(at->w, Jw, gyro);
	for (int i = 0; i < 3; i++) {
		out->w[i] = (torque[i] - gyro[i] - stiffness * turn * at->q[1 + i] - damping * at->w[i]) / J[i];
	}
}

static void add_top(const Top *at, double h, const Top *rate, Top *out)
{
	for (int i = 0; i < 4; i++) {
		out->q[i] = at->q[i] + h * rate->q[i];
	}
	for (int i = 0; i < 3; i++) {
		out->w[i] = at->w[i] + h * rate->w[i];
	}
}

static void integrate_top(double stiffness, double damping, double time, Top *top)
{
	const int n = 4000;
	const double h = time / n;
	for (int step = 0; step < n; step++) {
		Top k[4], at;
		top_rates(top, stiffness, damping, &k[0]);
		for (int s = 1; s < 4; s++) {
			add_top(top, s == 3 ? h : 0.5 * h, &k[s - 1], &at);
			top_rates(&at, stiffness, damping, &k[s]);
		}
		add_top(top, h / 6.0, &k[0], &at);
		add_top(&at, h / 3.0, &k[1], &at);
		add_top(&at, h / 3.0, &k[2], &at);
		add_top(&at, h / 6.0, &k[3], top);
		abut_quat_normalise(top->q);
	}
}

static void make_top(JointScene *scene, double timestep, double stiffness, double damping)
{
	static const double origin[3] = {0.0, 0.0, 0.0}, x[3] = {1.0, 0.0, 0.0};
	joint_scene_begin(scene, timestep);
	joint_scene_box(scene, top_half, top_mass, top_centre);
	AbutJointDef *ball = joint_scene_joint(scene, ABUT_JOINT_BALL, ABUT_JOINT_WORLD, 0, origin, x);
	ball->axes[0].stiffness = stiffness;
	ball->axes[0].damping = damping;
	scene->bodies[0].angular_velocity[0] = 1.0;
	scene->bodies[0].angular_velocity[2] = 2.0;
	scene->bodies[0].linear_velocity[1] = 2.0 * top_centre[0];
	joint_scene_make(scene);
}

Test(joint_laws, a_ball_turns_with_its_spring_and_damper_as_integrated)
{
	for (int k = 0; k < 2; k++) {
		const double stiffness = 12.0, damping = k == 0 ? 0.0 : 0.4, time = 1.0;
		double error[3];
		for (int i = 0; i < 3; i++) {
			JointScene scene;
			AbutBodyState s;
			const double dt = 0.01 / (1 << i);
			/* the first step continues the motion of half a step before */
			Top top = {{1.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 2.0}}, rate;
			top_rates(&top, stiffness, damping, &rate);
			for (int c = 0; c < 3; c++) {
				top.w[c] += 0.5 * dt * rate.w[c];
			}
			integrate_top(stiffness, damping, time, &top);
			make_top(&scene, dt, stiffness, damping);
			for (long step = lround(time / dt); step > 0; step--) {
				joint_scene_step(&scene, "ball", (unsigned)k);
			}
			abut_state_get_body(scene.model, scene.state, 0, &s);
			double apart = 0.0;
			for (int c = 0; c < 4; c++) {
				apart += s.orientation[c] * top.q[c];
			}
			error[i] = 2.0 * acos(fmin(1.0, fabs(apart)));
			joint_scene_end(&scene);
		}
		cr_log_info("ball, damping %g: errors %g, %g, %g rad", damping, error[0], error[1], error[2]);
		cr_expect_leq(error[2], 2e-3, "%g rad", error[2]);
		cr_expect_geq(error[0] / error[1], k == 0 ? 3.0 : 1.8, "%g, %g", error[0], error[1]);
		cr_expect_geq(error[1] / error[2], k == 0 ? 3.0 : 1.8, "%g, %g", error[1], error[2]);
	}
}

Test(joint_laws, the_spring_of_a_ball_keeps_the_energy)
{
	for (int i = 0; i < 3; i++) {
		JointScene scene;
		double worst = 0.0;
		make_top(&scene, timesteps[i], 12.0, 0.0);
		const double before = abut_state_energy(scene.model, scene.state),
		             swing = top_mass * 9.81 * top_centre[0];
		for (long step = lround(10.0 / timesteps[i]); step > 0; step--) {
			joint_scene_step(&scene, "ball", 0);
			worst = fmax(worst, fabs(abut_state_energy(scene.model, scene.state) - before));
		}
		cr_log_info("ball at %g s: energy within %g of the swing", timesteps[i], worst / swing);
		cr_expect_leq(worst,
		              (i == 0   ? 0.01
		               : i == 1 ? 0.05
		                        : 0.4) *
		                  swing,
		              "%g s: %g of %g J", timesteps[i], worst, swing);
		joint_scene_end(&scene);
	}
}

/* The rotation vector is where the moment of the weight and the spring balance; a servo of any gain holds it. */
Test(joint_laws, a_ball_comes_to_rest_under_its_weight)
{
	static const double gains[] = {20.0, 1e4, 1e8};
	for (int i = 0; i < 6; i++) {
		static const double origin[3] = {0.0, 0.0, 0.0}, x[3] = {1.0, 0.0, 0.0};
		JointScene scene;
		joint_scene_begin(&scene, 0.01);
		joint_scene_box(&scene, top_half, top_mass, top_centre);
		AbutJointAxis *axis = joint_scene_joint(&scene, ABUT_JOINT_BALL, ABUT_JOINT_WORLD, 0, origin, x)->axes;
		const double gain = gains[i % 3], moment = top_mass * 9.81 * top_centre[0];
		if (i < 3) {
			axis->stiffness = gain;
			axis->damping = 0.1 * gain;
		} else {
			axis->motor = (AbutMotorDef){.type = ABUT_MOTOR_POSITION,
			                             .stiffness = gain,
			                             .damping = 0.1 * gain,
			                             .limit = (double)INFINITY};
		}
		joint_scene_make(&scene);
		const AbutJointState end = run(&scene, 5.0, "ball");
		const double angle = abut_norm3(end.position);
		cr_expect_eq(end.n_axes, 3);
		cr_expect_float_eq(angle, moment * cos(angle) / gain, 1e-6 * angle + 1e-11, "%s of %g: %g rad",
		                   i < 3 ? "spring" : "motor", gain, angle);
		joint_scene_end(&scene);
	}
}

/* The rate of a turn is that in the step, not a difference of angles that grow, and what the momentum of a rotor rounds
 * is no residual: a rotor 10,000 times as heavy as its link turns 250 times in exact steps. */
Test(joint_laws, a_heavy_rotor_turns_on)
{
	static const double half[3] = {0.05, 0.05, 0.05}, origin[3] = {0.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
	JointScene scene;
	joint_scene_begin(&scene, 0.001);
	joint_scene_box(&scene, half, 0.04, origin);
	scene.bodies[0].angular_velocity[1] = 80.0;
	joint_scene_joint(&scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, 0, origin, y)->axes[0].armature = 1.0;
	joint_scene_make(&scene);
	for (int i = 0; i < 20000; i++) {
		AbutStepInfo info = {.row = 0};
		cr_assert_eq(abut_step(scene.model, scene.state, scene.workspace, &info), ABUT_OK);
		cr_assert(info.exact, "step %d: residual %g", i, info.residual);
	}
	const AbutJointState end = joint_scene_read(&scene, 0);
	const double rate = 2.0 * asin(0.5 * 80.0 * 0.001) / 0.001; /* a step turns by the quaternion (c, dt w / 2) */
	cr_expect_float_eq(end.velocity[0], rate, 1e-8, "%.12g rad/s", end.velocity[0]);
	cr_expect_float_eq(end.position[0], 20.0 * rate, 1e-6, "%.12g rad", end.position[0]);
	joint_scene_end(&scene);
}
