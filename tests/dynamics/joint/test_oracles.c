/* Compares a four-bar and a heavy top with minimal coordinates, integrated by the classical Runge-Kutta method, and the
 * condensed solve with the dense one. */
#include "dynamics/joint_scenes.h"

static const double g = 9.81, y_axis[3] = {0.0, 1.0, 0.0}, origin[3] = {0.0, 0.0, 0.0};

typedef void Derivative(const double *x, double *out);

static void runge_kutta(Derivative *f, int n, double h, double *x)
{
	double k[4][8], at[8];
	for (int s = 0; s < 4; s++) {
		for (int i = 0; i < n; i++) {
			at[i] = x[i] + (s == 0 ? 0.0 : (s == 3 ? h : 0.5 * h) * k[s - 1][i]);
		}
		f(at, k[s]);
	}
	for (int i = 0; i < n; i++) {
		x[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
	}
}

/* --- four-bar --- */

/* Boxes of 1 kg, 0.1 m wide, between the corners of a four-bar in the xz plane. The ground joints are at 0 and
 * (0.4, 0). */
static const double lengths[3] = {0.15, 0.35, 0.3}, ground = 0.4;

/* Writes the corners for an angle of the crank from x towards z. */
static void corners(double angle, double out[4][2])
{
	const double b[2] = {lengths[0] * cos(angle), lengths[0] * sin(angle)};
	const double x = ground - b[0], z = -b[1], d = hypot(x, z);
	const double s = (lengths[1] * lengths[1] - lengths[2] * lengths[2] + d * d) / (2.0 * d);
	const double h = sqrt(lengths[1] * lengths[1] - s * s);
	const double at[4][2] = {
	    {0.0, 0.0}, {b[0], b[1]}, {b[0] + (s * x - h * z) / d, b[1] + (s * z + h * x) / d}, {ground, 0.0}};
	memcpy(out, at, sizeof at);
}

/* Writes twice the kinetic energy at unit rate of the crank, and the potential energy. */
static void energies(double angle, double *inertia, double *potential)
{
	static const double step = 1e-5;
	double at[3][4][2];
	corners(angle - step, at[0]);
	corners(angle, at[1]);
	corners(angle + step, at[2]);
	*inertia = *potential = 0.0;
	for (int link = 0; link < 3; link++) {
		double centre[2], along[2][2];
		for (int k = 0; k < 2; k++) {
			centre[k] =
			    0.25 / step * (at[2][link][k] + at[2][link + 1][k] - at[0][link][k] - at[0][link + 1][k]);
			along[0][k] = at[1][link + 1][k] - at[1][link][k];
			along[1][k] =
			    0.5 / step * (at[2][link + 1][k] - at[2][link][k] - at[0][link + 1][k] + at[0][link][k]);
		}
		const double turn =
		    (along[0][0] * along[1][1] - along[0][1] * along[1][0]) / lengths[link] / lengths[link];
		const double own = (lengths[link] * lengths[link] + 0.01) / 12.0;
		*inertia += centre[0] * centre[0] + centre[1] * centre[1] + own * turn * turn;
		*potential += 0.5 * g * (at[1][link][1] + at[1][link + 1][1]);
	}
}

/* x: angle and rate of the crank. M q'' + M' q'^2 / 2 + V' = 0. */
static void four_bar(const double *x, double *out)
{
	static const double step = 1e-3;
	double M, V, low[2], high[2];
	energies(x[0], &M, &V);
	energies(x[0] - step, &low[0], &low[1]);
	energies(x[0] + step, &high[0], &high[1]);
	out[0] = x[1];
	out[1] = -((high[1] - low[1]) + 0.5 * x[1] * x[1] * (high[0] - low[0])) / (2.0 * step * M);
}

static double error_of_four_bar(double timestep)
{
	JointScene scene;
	double at[4][2], x[2] = {1.2, 0.0}, rate[2];
	corners(x[0], at);
	joint_scene_begin(&scene, timestep);
	for (int i = 0; i < 3; i++) {
		const double half[3] = {0.5 * lengths[i], 0.05, 0.05};
		const double centre[3] = {0.5 * (at[i][0] + at[i + 1][0]), 0.0, 0.5 * (at[i][1] + at[i + 1][1])};
		const double anchor[3] = {at[i][0], 0.0, at[i][1]};
		const double turn = -0.5 * atan2(at[i + 1][1] - at[i][1], at[i + 1][0] - at[i][0]); /* about y */
		AbutBodyDef *body = &scene.bodies[joint_scene_box(&scene, half, 1.0, centre)];
		body->orientation[0] = cos(turn);
		body->orientation[2] = sin(turn);
		joint_scene_joint(&scene, ABUT_JOINT_HINGE, i - 1, i, anchor, y_axis);
	}
	joint_scene_joint(&scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, 2, (const double[3]){ground, 0.0, 0.0}, y_axis);
	joint_scene_make(&scene);
	four_bar(x, rate);
	x[1] = 0.5 * timestep * rate[1]; /* the first step continues a body at rest half a step before */
	while (abut_state_time(scene.state) < 0.4 - 1e-9) {
		joint_scene_step(&scene, "four-bar", 0);
		for (int k = 0; k < 4; k++) {
			runge_kutta(four_bar, 2, 0.25 * timestep, x);
		}
	}
	const double error = fabs(1.2 - joint_scene_read(&scene, 0).position[0] - x[0]); /* turns about y lower z */
	joint_scene_end(&scene);
	return error;
}

Test(oracles, a_four_bar_converges_to_its_minimal_coordinate_with_second_order)
{
	const double coarse = error_of_four_bar(0.002), fine = error_of_four_bar(0.001);
	cr_expect_lt(fine, 1e-4, "%g rad at 1 ms", fine);
	cr_expect(coarse > 3.5 * fine && coarse < 4.5 * fine, "%g rad at 2 ms, %g at 1 ms", coarse, fine);
}

/* --- heavy top --- */

/* A box on a ball joint 0.3 m below its centre. x: quaternion, spin in body axes. */
static const double top_half[3] = {0.2, 0.2, 0.05}, arm = 0.3;

static void top(const double *x, double *out)
{
	const double *w = &x[4];
	const double J[3] = {(top_half[1] * top_half[1] + top_half[2] * top_half[2]) / 3.0 + arm * arm,
	                     (top_half[0] * top_half[0] + top_half[2] * top_half[2]) / 3.0 + arm * arm,
	                     (top_half[0] * top_half[0] + top_half[1] * top_half[1]) / 3.0};
	const double spin[4] = {0.0, w[0], w[1], w[2]}, down[3] = {0.0, 0.0, -g}, up[3] = {0.0, 0.0, arm};
	double R[9], pull[3], torque[3], Jw[3], gyro[3];
	abut_quat_mul(x, spin, out);
	abut_quat_to_mat3(x, R);
	abut_mat3_tvec(R, down, pull);
	abut_cross3(up, pull, torque);
	for (int k = 0; k < 3; k++) {
		Jw[k] = J[k] * w[k];
	}
	abut_cross3(w, Jw, gyro);
	for (int k = 0; k < 4; k++) {
		out[k] *= 0.5;
	}
	for (int k = 0; k < 3; k++) {
		out[4 + k] = (torque[k] - gyro[k]) / J[k];
	}
}

/* Gives the body the mean velocities of the step before x, as a step leaves them: its rotation is the quaternion
 * (sqrt(1 - |dt w / 2|^2), dt w / 2). */
static void give_history(const double *x, double timestep, AbutBodyDef *body)
{
	double before[7], back[4], turn[4], R[9];
	memcpy(before, x, sizeof before);
	for (int k = 0; k < 10; k++) {
		runge_kutta(top, 7, -0.1 * timestep, before);
	}
	abut_quat_normalise(before);
	abut_quat_to_mat3(before, R);
	for (int k = 0; k < 4; k++) {
		back[k] = k == 0 ? before[k] : -before[k];
	}
	abut_quat_mul(back, x, turn);
	for (int k = 0; k < 3; k++) {
		body->angular_velocity[k] = 2.0 / timestep * turn[k + 1];
		body->linear_velocity[k] = (body->position[k] - arm * R[3 * k + 2]) / timestep;
	}
}

static double error_of_top(double timestep)
{
	JointScene scene;
	const double lean = 0.5, centre[3] = {arm * sin(lean), 0.0, arm * cos(lean)};
	double x[7] = {cos(0.5 * lean), 0.0, sin(0.5 * lean), 0.0, 1.0, -0.5, 20.0}, R[9], error[3];
	joint_scene_begin(&scene, timestep);
	AbutBodyDef *body = &scene.bodies[joint_scene_box(&scene, top_half, 1.0, centre)];
	memcpy(body->orientation, x, sizeof body->orientation);
	give_history(x, timestep, body);
	joint_scene_joint(&scene, ABUT_JOINT_BALL, ABUT_JOINT_WORLD, 0, origin, y_axis);
	joint_scene_make(&scene);
	while (abut_state_time(scene.state) < 0.5 - 1e-9) {
		joint_scene_step(&scene, "top", 0);
		for (int k = 0; k < 10; k++) {
			runge_kutta(top, 7, 0.1 * timestep, x);
		}
	}
	AbutBodyState s;
	abut_state_get_body(scene.model, scene.state, 0, &s);
	abut_quat_normalise(x);
	abut_quat_to_mat3(x, R);
	const double expected[3] = {arm * R[2], arm * R[5], arm * R[8]};
	abut_sub3(s.position, expected, error);
	joint_scene_end(&scene);
	return abut_norm3(error);
}

Test(oracles, a_heavy_top_converges_to_eulers_equations_with_second_order)
{
	const double coarse = error_of_top(0.002), fine = error_of_top(0.001);
	cr_expect_lt(fine, 1e-3, "%g m at 1 ms", fine);
	cr_expect(coarse > 3.5 * fine && coarse < 4.5 * fine, "%g m at 2 ms, %g at 1 ms", coarse, fine);
}

/* --- dense and condensed --- */

/* A random chain of boxes with limits, dry friction and springs. */
static void make_chain(JointScene *scene, unsigned seed, AbutLinearSolver solver)
{
	AbutRng rng = {seed};
	joint_scene_begin(scene, 0.01);
	scene->def.solver.linear_solver = solver;
	for (int i = 0; i < 4; i++) {
		const double half[3] = {0.2, abut_rng_uniform(&rng, 0.03, 0.1), 0.05},
		             place[3] = {0.4 * i + 0.2, 0.0, 0.0};
		const double anchor[3] = {0.4 * i, 0.0, 0.0};
		const double axis[3] = {abut_rng_uniform(&rng, -1.0, 1.0), 1.0, abut_rng_uniform(&rng, -1.0, 1.0)};
		joint_scene_box(scene, half, abut_rng_uniform(&rng, 0.5, 2.0), place);
		AbutJointAxis *law =
		    &joint_scene_joint(scene, i % 2 ? ABUT_JOINT_UNIVERSAL : ABUT_JOINT_HINGE, i - 1, i, anchor, axis)
		         ->axes[0];
		law->has_limits = true;
		law->lower = -0.3;
		law->upper = 0.3;
		law->friction = i == 2 ? 0.2 : 0.0;
		law->stiffness = i == 1 ? 2.0 : 0.0;
	}
	joint_scene_make(scene);
}

Test(oracles, dense_and_condensed_solves_agree)
{
	for (unsigned seed = 1; seed <= 8; seed++) {
		JointScene scenes[2];
		make_chain(&scenes[0], seed, ABUT_LINEAR_SOLVER_CONDENSED);
		make_chain(&scenes[1], seed, ABUT_LINEAR_SOLVER_DENSE);
		for (int step = 0; step < 30; step++) {
			joint_scene_step(&scenes[0], "condensed", seed);
			joint_scene_step(&scenes[1], "dense", seed);
		}
		for (int i = 0; i < 4; i++) {
			const AbutJointState a = joint_scene_read(&scenes[0], i), b = joint_scene_read(&scenes[1], i);
			for (int k = 0; k < a.n_axes; k++) {
				cr_expect_float_eq(a.position[k], b.position[k], 1e-8, "seed %u, joint %d", seed, i);
			}
			cr_expect_float_eq(a.limit_effort[0], b.limit_effort[0], 1e-5, "seed %u, joint %d", seed, i);
		}
		joint_scene_end(&scenes[0]);
		joint_scene_end(&scenes[1]);
	}
}
