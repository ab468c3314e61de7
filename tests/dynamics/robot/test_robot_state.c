/* Tests the tree, the names of coordinates, and states in coordinates of the tree. */
#include "dynamics/robot/robot_scenes.h"

Test(robot, states_are_set_and_read)
{
	for (unsigned seed = 0; seed < 28; seed++) {
		TestRobot t;
		double q[ROBOT_MOST], qdot[ROBOT_MOST];
		robot_begin(&t, 2 + (int)seed % 9, seed % 3 != 0, seed);
		cr_assert_eq(abut_robot_set_state(t.robot, t.q, t.qdot, t.scene.state), ABUT_OK);
		cr_assert_eq(abut_robot_get_state(t.robot, t.scene.state, q, qdot), ABUT_OK);
		for (int i = 0; i < t.n_q; i++) {
			cr_expect_float_eq(q[i], t.q[i], 1e-12, "seed %u, %s: %g, %g", seed,
			                   abut_robot_coordinate_name(t.robot, i), q[i], t.q[i]);
		}
		for (int i = 0; i < t.n_v; i++) {
			cr_expect_float_eq(qdot[i], t.qdot[i], 1e-11, "seed %u, %s: %g, %g", seed,
			                   abut_robot_velocity_name(t.robot, i), qdot[i], t.qdot[i]);
		}
		for (int j = 0; j < t.scene.def.n_joints; j++) { /* as joints.csv has them */
			const AbutJointState joint = joint_scene_read(&t.scene, j);
			for (int k = 0; k < joint.n_axes; k++) {
				cr_expect_float_eq(joint.position[k], t.q[abut_robot_joint_coordinate(t.robot, j) + k],
				                   1e-12);
			}
		}
		robot_end(&t);
	}
}

/* Without forces, a step moves the coordinates by the rates it ends with. */
Test(robot, steps_move_q_by_the_rates_they_end_with)
{
	int compared = 0;
	for (unsigned seed = 0; seed < 14; seed++) {
		TestRobot t;
		double q[ROBOT_MOST], qdot[ROBOT_MOST], moved[ROBOT_MOST];
		robot_begin(&t, 2 + (int)seed % 5, seed % 2 != 0, seed);
		for (int k = 0; k < t.n_v; k++) {
			t.qdot[k] *= 0.2;
		}
		cr_assert_eq(abut_robot_set_state(t.robot, t.q, t.qdot, t.scene.state), ABUT_OK);
		for (int step = 0; step < 3; step++) {
			cr_assert_eq(abut_robot_get_state(t.robot, t.scene.state, q, NULL), ABUT_OK);
			const AbutStepInfo info = joint_scene_step(&t.scene, "robot", seed);
			cr_assert_eq(abut_robot_get_state(t.robot, t.scene.state, t.q, qdot), ABUT_OK);
			cr_assert_eq(abut_robot_integrate(t.robot, q, qdot, 0.01, moved), ABUT_OK);
			compared += info.parts == 1;
			for (int i = 0; info.parts == 1 && i < t.n_q; i++) {
				cr_expect_float_eq(moved[i], t.q[i], 1e-10, "seed %u, step %d, %s: %.12g, %.12g", seed,
				                   step, abut_robot_coordinate_name(t.robot, i), moved[i], t.q[i]);
			}
		}
		robot_end(&t);
	}
	cr_expect_geq(compared, 40);
}

Test(robot, turns_are_counted)
{
	TestRobot t;
	joint_scene_pendulum(&t.scene, 0.01);
	robot_make(&t, 0);
	t.q[0] = 20.0;
	t.qdot[0] = 0.5;
	cr_assert_eq(abut_robot_set_state(t.robot, t.q, t.qdot, t.scene.state), ABUT_OK);
	cr_expect_float_eq(joint_scene_read(&t.scene, 0).position[0], 20.0, 1e-12);
	joint_scene_step(&t.scene, "pendulum", 0);
	cr_assert_eq(abut_robot_get_state(t.robot, t.scene.state, t.q, t.qdot), ABUT_OK);
	cr_expect_float_eq(t.q[0], 20.0, 0.1);
	robot_end(&t);
}

/* Three links in a row with a rod and a hinge back to the world, and a free body: one base, two loops. */
Test(robot, the_tree_is_found)
{
	static const double half[3] = {0.2, 0.05, 0.05}, y[3] = {0.0, 1.0, 0.0};
	TestRobot t;
	joint_scene_begin(&t.scene, 0.01);
	for (int i = 0; i < 4; i++) {
		const double place[3] = {0.4 * i, 0.0, 0.0}, anchor[3] = {0.4 * i - 0.2, 0.0, 0.0};
		joint_scene_box(&t.scene, half, 1.0, place);
		if (i < 3) {
			joint_scene_joint(&t.scene, i == 1 ? ABUT_JOINT_BALL : ABUT_JOINT_HINGE, i - 1, i, anchor, y);
		}
	}
	const double end[3] = {1.0, 0.0, 0.0};
	joint_scene_joint(&t.scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, 2, end, y);
	joint_scene_joint(&t.scene, ABUT_JOINT_DISTANCE, 0, 2, end, y);
	robot_make(&t, 0);
	static const char *const names[] = {"n0",   "n1.0", "n1.1",  "n1.2",  "n2",    "n3.x",
	                                    "n3.y", "n3.z", "n3.qw", "n3.qx", "n3.qy", "n3.qz"};
	cr_assert_eq(t.n_q, 12);
	cr_assert_eq(t.n_v, 11);
	for (int i = 0; i < 12; i++) {
		cr_expect_str_eq(abut_robot_coordinate_name(t.robot, i), names[i]);
	}
	cr_expect_str_eq(abut_robot_velocity_name(t.robot, 10), "n3.wz");
	cr_expect_str_eq(abut_robot_velocity_name(t.robot, 11), "");
	cr_expect_eq(abut_robot_loop_count(t.robot), 2);
	cr_expect_eq(abut_robot_joint_coordinate(t.robot, 2), 4);
	cr_expect_eq(abut_robot_joint_velocity(t.robot, 3), -1);
	cr_expect_eq(abut_robot_base_coordinate(t.robot, 3), 5);
	cr_expect_eq(abut_robot_base_velocity(t.robot, 0), -1);
	robot_end(&t);
}

Test(robot, a_planar_base_has_three_coordinates)
{
	static const double half[3] = {0.2, 0.05, 0.05}, place[3] = {0.1, 0.3, 0.5};
	TestRobot t;
	double q[3], qdot[3];
	joint_scene_begin(&t.scene, 0.01);
	AbutBodyDef *body = &t.scene.bodies[joint_scene_box(&t.scene, half, 1.0, place)];
	body->planar_xz = true;
	body->has_centre_of_mass = true;
	body->centre_of_mass[0] = 0.1;
	robot_make(&t, 5);
	cr_assert_eq(t.n_q, 3);
	cr_assert_eq(t.n_v, 3);
	cr_expect_str_eq(abut_robot_coordinate_name(t.robot, 2), "n0.turn");
	cr_assert_eq(abut_robot_set_state(t.robot, t.q, t.qdot, t.scene.state), ABUT_OK);
	cr_assert_eq(abut_robot_get_state(t.robot, t.scene.state, q, qdot), ABUT_OK);
	for (int i = 0; i < 3; i++) {
		cr_expect_float_eq(q[i], t.q[i], 1e-13);
		cr_expect_float_eq(qdot[i], t.qdot[i], 1e-12);
	}
	t.q[2] = 7.0; /* states do not count the turns of a base */
	cr_assert_eq(abut_robot_set_state(t.robot, t.q, t.qdot, t.scene.state), ABUT_OK);
	cr_assert_eq(abut_robot_get_state(t.robot, t.scene.state, q, qdot), ABUT_OK);
	cr_expect_float_eq(q[2], 7.0 - 2.0 * acos(-1.0), 1e-13);
	cr_expect_float_eq(qdot[2], t.qdot[2], 1e-12);
	joint_scene_step(&t.scene, "planar body", 0);
	robot_end(&t);
}

Test(robot, refused_moves_leave_their_output)
{
	TestRobot t;
	double out[ROBOT_MOST], kept[ROBOT_MOST];
	robot_begin(&t, 4, false, 1);
	for (int i = 0; i < t.n_q; i++) {
		out[i] = kept[i] = i;
	}
	t.qdot[t.n_v - 1] = 1000.0;
	cr_expect_eq(abut_robot_integrate(t.robot, t.q, t.qdot, 1.0, out), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(memcmp(out, kept, (size_t)t.n_q * sizeof *out), 0);
	robot_end(&t);
}

Test(robot, wrong_values_are_refused)
{
	TestRobot t;
	robot_begin(&t, 3, false, 1);
	AbutError error;
	AbutRobot *none;
	double out[ROBOT_MOST * ROBOT_MOST];
	int base = -1;
	for (int i = 0; i < 3; i++) {
		base = base < 0 ? abut_robot_base_coordinate(t.robot, i) : base;
	}
	cr_assert_geq(base, 0);
	cr_expect_eq(abut_robot_create(NULL, &none, &error), ABUT_ERROR_ARGUMENT);
	t.q[base + 3] += 0.1;
	cr_expect_eq(abut_robot_mass_matrix(t.robot, t.q, out), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_robot_set_state(t.robot, t.q, t.qdot, t.scene.state), ABUT_ERROR_ARGUMENT);
	t.q[base + 3] -= 0.1;
	t.qdot[0] = 1e12;
	cr_expect_eq(abut_robot_set_state(t.robot, t.q, t.qdot, t.scene.state), ABUT_ERROR_ARGUMENT);
	t.qdot[0] = (double)NAN;
	cr_expect_eq(abut_robot_bias(t.robot, t.q, t.qdot, out), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_robot_jacobian(t.robot, t.q, 3, t.q, out), ABUT_ERROR_ARGUMENT);
	robot_end(&t);
}

Test(robot_state, difference_is_the_inverse_of_integrate)
{
	for (unsigned seed = 0; seed < 14; seed++) {
		TestRobot t;
		double change[ROBOT_MOST], to[ROBOT_MOST], back[ROBOT_MOST];
		AbutRng rng = {seed};
		robot_begin(&t, 7, seed % 2 == 0, seed);
		for (int i = 0; i < t.n_v; i++) {
			change[i] = abut_rng_uniform(&rng, -0.5, 0.5);
		}
		cr_assert_eq(abut_robot_integrate(t.robot, t.q, change, 1.0, to), ABUT_OK);
		cr_assert_eq(abut_robot_difference(t.robot, t.q, to, back), ABUT_OK);
		for (int i = 0; i < t.n_v; i++) {
			cr_expect_float_eq(back[i], change[i], 1e-13, "seed %u, entry %d", seed, i);
		}
		cr_expect_eq(abut_robot_difference(t.robot, NULL, to, back), ABUT_ERROR_ARGUMENT);
		robot_end(&t);
	}
}
