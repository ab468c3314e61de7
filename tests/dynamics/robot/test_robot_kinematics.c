/* Tests poses, Jacobians, the mass matrix and efforts of robots with differences, momenta and energies. */
#include "dynamics/robot/robot_scenes.h"

/* Computes the place of a point of a body at coordinates that are moved by `h` along freedom `k`, and the orientation.
 */
static void moved(TestRobot *t, int k, double h, int body, const double point[3], double p[3], double R[9])
{
	double along[ROBOT_MOST] = {0.0}, q[ROBOT_MOST];
	AbutBodyState bodies[JOINT_BODIES];
	along[k] = 1.0;
	cr_assert_eq(abut_robot_integrate(t->robot, t->q, along, h, q), ABUT_OK);
	cr_assert_eq(abut_robot_forward(t->robot, q, NULL, bodies), ABUT_OK);
	abut_quat_to_mat3(bodies[body].orientation, R);
	abut_mat3_vec(R, point, p);
	abut_add3(p, bodies[body].position, p);
}

Test(robot, jacobians_are_derivatives_of_poses)
{
	static const double h = 1e-5, point[3] = {0.3, -0.2, 0.1};
	for (unsigned seed = 0; seed < 14; seed++) {
		TestRobot t;
		const int n = 2 + (int)seed % 6;
		robot_begin(&t, n, seed % 2 == 0, seed);
		for (int body = 0; body < n; body++) {
			double J[6 * ROBOT_MOST];
			cr_assert_eq(abut_robot_jacobian(t.robot, t.q, body, point, J), ABUT_OK);
			for (int k = 0; k < t.n_v; k++) {
				double p[2][3], R[2][9], turn[9];
				moved(&t, k, h, body, point, p[0], R[0]);
				moved(&t, k, -h, body, point, p[1], R[1]);
				abut_mat3_mul_transposed(R[0], R[1], turn);
				const double w[3] = {0.5 * (turn[7] - turn[5]), 0.5 * (turn[2] - turn[6]),
				                     0.5 * (turn[3] - turn[1])};
				for (int i = 0; i < 3; i++) {
					cr_expect_float_eq(J[i * t.n_v + k], (p[0][i] - p[1][i]) / (2.0 * h), 1e-8,
					                   "seed %u, %s of body %d, %d", seed,
					                   abut_robot_velocity_name(t.robot, k), body, i);
					cr_expect_float_eq(J[(3 + i) * t.n_v + k], w[i] / (2.0 * h), 1e-8,
					                   "seed %u, turn by %s of body %d, %d", seed,
					                   abut_robot_velocity_name(t.robot, k), body, i);
				}
			}
		}
		robot_end(&t);
	}
}

Test(robot, velocities_of_bodies_are_jacobians_times_rates)
{
	TestRobot t;
	AbutBodyState bodies[JOINT_BODIES];
	robot_begin(&t, 7, false, 3);
	cr_assert_eq(abut_robot_forward(t.robot, t.q, t.qdot, bodies), ABUT_OK);
	for (int body = 0; body < 7; body++) {
		double J[6 * ROBOT_MOST], R[9], w[3];
		cr_assert_eq(abut_robot_jacobian(t.robot, t.q, body, t.scene.bodies[body].centre_of_mass, J), ABUT_OK);
		abut_quat_to_mat3(bodies[body].orientation, R);
		abut_mat3_vec(R, bodies[body].angular_velocity, w);
		for (int i = 0; i < 6; i++) {
			double sum = 0.0;
			for (int k = 0; k < t.n_v; k++) {
				sum += J[i * t.n_v + k] * t.qdot[k];
			}
			cr_expect_float_eq(sum, i < 3 ? bodies[body].linear_velocity[i] : w[i - 3], 1e-12);
		}
	}
	robot_end(&t);
}

/* The energy of the state is that of the bodies and rotors. */
Test(robot, kinetic_energy_is_that_of_the_bodies)
{
	for (unsigned seed = 0; seed < 21; seed++) {
		TestRobot t;
		AbutBodyState bodies[JOINT_BODIES];
		double M[ROBOT_MOST * ROBOT_MOST], energy = 0.0;
		robot_define(&t, 2 + (int)seed % 9, seed % 3 != 0, seed);
		t.scene.def.gravity[2] = 0.0;
		robot_make(&t, seed);
		cr_assert_eq(abut_robot_forward(t.robot, t.q, t.qdot, bodies), ABUT_OK);
		for (int i = 0; i < t.scene.def.n_bodies; i++) {
			cr_assert_eq(abut_state_set_body(t.scene.model, t.scene.state, i, &bodies[i]), ABUT_OK);
		}
		cr_assert_eq(abut_robot_mass_matrix(t.robot, t.q, M), ABUT_OK);
		for (int i = 0; i < t.n_v * t.n_v; i++) {
			energy += 0.5 * t.qdot[i / t.n_v] * M[i] * t.qdot[i % t.n_v];
			cr_expect_float_eq(M[i], M[i % t.n_v * t.n_v + i / t.n_v], 1e-13);
		}
		const double of_bodies = abut_state_energy(t.scene.model, t.scene.state);
		cr_expect_float_eq(energy, of_bodies, 1e-11 * of_bodies, "seed %u: %.15g, %.15g", seed, energy,
		                   of_bodies);
		robot_end(&t);
	}
}

/* Computes the momenta of all bodies at the time h after t.q, for the accelerations t.qddot. */
static void momenta_at(TestRobot *t, double h, double (*momenta)[6])
{
	double q[ROBOT_MOST], rates[ROBOT_MOST], mean[ROBOT_MOST];
	AbutBodyState bodies[JOINT_BODIES];
	for (int k = 0; k < t->n_v; k++) {
		rates[k] = t->qdot[k] + h * t->qddot[k];
		mean[k] = t->qdot[k] + 0.5 * h * t->qddot[k];
	}
	cr_assert_eq(abut_robot_integrate(t->robot, t->q, mean, h, q), ABUT_OK);
	cr_assert_eq(abut_robot_forward(t->robot, q, rates, bodies), ABUT_OK);
	for (int i = 0; i < t->scene.def.n_bodies; i++) {
		double R[9], spin[3];
		abut_quat_to_mat3(bodies[i].orientation, R);
		abut_mat3_vec(t->scene.bodies[i].inertia, bodies[i].angular_velocity, spin);
		abut_mat3_vec(R, spin, &momenta[i][3]);
		abut_scale3(t->scene.bodies[i].mass, bodies[i].linear_velocity, momenta[i]);
	}
}

/* By the principle of virtual power, efforts are the changes of momenta times the Jacobians. */
Test(robot, efforts_are_changes_of_momenta)
{
	static const double h = 1e-5;
	for (unsigned seed = 0; seed < 21; seed++) {
		TestRobot t;
		double effort[ROBOT_MOST], bias[ROBOT_MOST], M[ROBOT_MOST * ROBOT_MOST], wanted[ROBOT_MOST] = {0.0},
		                                                                         momenta[2][JOINT_BODIES][6];
		robot_begin(&t, 2 + (int)seed % 9, seed % 3 != 0, seed);
		momenta_at(&t, h, momenta[0]);
		momenta_at(&t, -h, momenta[1]);
		for (int i = 0; i < t.scene.def.n_bodies; i++) {
			double J[6 * ROBOT_MOST];
			cr_assert_eq(abut_robot_jacobian(t.robot, t.q, i, t.scene.bodies[i].centre_of_mass, J),
			             ABUT_OK);
			for (int k = 0; k < 6 * t.n_v; k++) {
				const int row = k / t.n_v;
				const double weight = row == 2 ? 9.81 * t.scene.bodies[i].mass : 0.0;
				wanted[k % t.n_v] +=
				    J[k] * ((momenta[0][i][row] - momenta[1][i][row]) / (2.0 * h) + weight);
			}
		}
		cr_assert_eq(abut_robot_effort(t.robot, t.q, t.qdot, t.qddot, effort), ABUT_OK);
		cr_assert_eq(abut_robot_bias(t.robot, t.q, t.qdot, bias), ABUT_OK);
		cr_assert_eq(abut_robot_mass_matrix(t.robot, t.q, M), ABUT_OK);
		for (int k = 0; k < t.n_v; k++) {
			double sum = bias[k], rotor = 0.0;
			for (int i = 0; i < t.n_v; i++) {
				sum += M[k * t.n_v + i] * t.qddot[i];
			}
			for (int j = 0; j < t.scene.def.n_joints; j++) {
				const int first = abut_robot_joint_velocity(t.robot, j),
				          axis = first >= 0 ? k - first : -1;
				if (axis >= 0 && axis < abut_joint_type_freedoms(t.scene.joints[j].type)) {
					const bool ball = t.scene.joints[j].type == ABUT_JOINT_BALL;
					rotor = t.scene.joints[j].axes[ball ? 0 : axis].armature * t.qddot[k];
				}
			}
			cr_expect_float_eq(effort[k], wanted[k] + rotor, 2e-7, "seed %u, %s: %.12g, %.12g", seed,
			                   abut_robot_velocity_name(t.robot, k), effort[k], wanted[k] + rotor);
			cr_expect_float_eq(effort[k], sum, 1e-11 * (1.0 + fabs(sum)), "seed %u, %s: %.15g, %.15g", seed,
			                   abut_robot_velocity_name(t.robot, k), effort[k], sum);
		}
		robot_end(&t);
	}
}

/* Two links of length l with their masses m at the ends, at angles a and b from the one before: the textbook's matrix.
 */
Test(robot, double_pendulum_has_its_mass_matrix)
{
	static const double half[3] = {0.01, 0.01, 0.01}, y[3] = {0.0, 1.0, 0.0}, m = 2.0, l = 1.0, g = 9.81;
	TestRobot t;
	joint_scene_begin(&t.scene, 0.01);
	for (int i = 0; i < 2; i++) {
		const double place[3] = {0.0, 0.0, -1.0 - i}, anchor[3] = {0.0, 0.0, -1.0 * i};
		AbutBodyDef *body = &t.scene.bodies[joint_scene_box(&t.scene, half, m, place)];
		body->has_inertia = true;
		body->inertia[0] = body->inertia[4] = body->inertia[8] = 1e-9;
		joint_scene_joint(&t.scene, ABUT_JOINT_HINGE, i - 1, i, anchor, y);
	}
	robot_make(&t, 1);
	double M[4], bias[2];
	t.q[0] = 0.4;
	t.q[1] = -0.7;
	const double c = cos(t.q[1]), s = sin(t.q[1]), *w = t.qdot;
	cr_assert_eq(abut_robot_mass_matrix(t.robot, t.q, M), ABUT_OK);
	cr_assert_eq(abut_robot_bias(t.robot, t.q, w, bias), ABUT_OK);
	cr_expect_float_eq(M[0], m * l * l * (3.0 + 2.0 * c), 1e-8);
	cr_expect_float_eq(M[1], m * l * l * (1.0 + c), 1e-8);
	cr_expect_float_eq(M[3], m * l * l, 1e-8);
	cr_expect_float_eq(bias[0],
	                   -m * l * l * s * (2.0 * w[0] * w[1] + w[1] * w[1]) +
	                       m * g * l * (2.0 * sin(t.q[0]) + sin(t.q[0] + t.q[1])),
	                   1e-7);
	cr_expect_float_eq(bias[1], m * l * l * s * w[0] * w[0] + m * g * l * sin(t.q[0] + t.q[1]), 1e-7);
	robot_end(&t);
}
