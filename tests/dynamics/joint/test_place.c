/* Tests initial states that are given by coordinates and rates of joints. */
#include "dynamics/joint_scenes.h"

/* A tree of n boxes on joints of all types with coordinates, held by the world or free; every third joint has no given
 * coordinates. The boxes lie where all coordinates are 0. */
static void tree(JointScene *scene, int n, bool held, unsigned seed)
{
	static const AbutJointType types[] = {ABUT_JOINT_HINGE,       ABUT_JOINT_SLIDE,  ABUT_JOINT_UNIVERSAL,
	                                      ABUT_JOINT_CYLINDRICAL, ABUT_JOINT_PLANAR, ABUT_JOINT_BALL};
	AbutRng rng = {seed};
	joint_scene_begin(scene, 0.01);
	for (int i = 0; i < n; i++) {
		const double half[3] = {0.2, 0.1, 0.15};
		double place[3], anchor[3], axis[3];
		const int parent = i == 0 ? ABUT_JOINT_WORLD : (int)abut_rng_uniform(&rng, 0.0, i);
		for (int k = 0; k < 3; k++) {
			place[k] = abut_rng_uniform(&rng, -2.0, 2.0);
			anchor[k] = abut_rng_uniform(&rng, -2.0, 2.0);
			axis[k] = abut_rng_uniform(&rng, -1.0, 1.0);
		}
		joint_scene_box(scene, half, 1.0, place);
		if (i == 0 && !held) {
			continue;
		}
		/* every other joint is the other way round: the tree is not grown from parent to child */
		const bool reversed = i > 0 && i % 2 == 1;
		AbutJointDef *joint = joint_scene_joint(scene, types[(seed + (unsigned)i) % 6], reversed ? i : parent,
		                                        reversed ? parent : i, anchor, axis);
		joint->has_position = i % 3 != 0;
		joint->has_velocity = i % 4 != 0;
		for (int k = 0; k < abut_joint_type_freedoms(joint->type); k++) {
			joint->position[k] = abut_rng_uniform(&rng, -1.3, 1.3);
			joint->velocity[k] = abut_rng_uniform(&rng, -2.0, 2.0);
		}
	}
}

/* Rates are read from the velocities of the bodies, which are those of a step: they differ from the given ones by half
 * a step's change. */
Test(place, bodies_are_placed_at_the_coordinates)
{
	static const double timesteps[] = {0.01, 1e-4}, differences[] = {0.2, 5e-3};
	for (unsigned seed = 0; seed < 80; seed++) {
		JointScene scene;
		tree(&scene, 2 + (int)seed % 9, seed % 2 == 0, seed % 40);
		scene.def.timestep = timesteps[seed / 40];
		joint_scene_make(&scene);
		for (int i = 0; i < scene.def.n_joints; i++) {
			const AbutJointDef *joint = &scene.joints[i];
			const AbutJointState at = joint_scene_read(&scene, i);
			for (int k = 0; k < at.n_axes; k++) {
				const double position = joint->has_position ? joint->position[k] : 0.0,
				             rate = joint->has_velocity ? joint->velocity[k] : 0.0;
				cr_expect_float_eq(at.position[k], position, 1e-11,
				                   "seed %u, joint %d: %.15g is not %.15g", seed, i, at.position[k],
				                   position);
				cr_expect_float_eq(at.velocity[k], rate, differences[seed / 40],
				                   "seed %u, joint %d: %g is not %g", seed, i, at.velocity[k], rate);
			}
		}
		joint_scene_step(&scene, "placed tree", seed);
		joint_scene_end(&scene);
	}
}

/* Nothing acts on a pendulum without gravity: its rate stays as it is given, at any timestep, if the velocity of the
 * body is that of a step. */
Test(place, rates_are_those_of_a_step)
{
	static const double timesteps[] = {0.001, 0.02, 0.1};
	for (int i = 0; i < 6; i++) {
		JointScene scene;
		joint_scene_pendulum(&scene, timesteps[i % 3]);
		scene.def.gravity[2] = 0.0;
		scene.joints[0].has_position = i >= 3;
		scene.joints[0].has_velocity = true;
		scene.joints[0].position[0] = 0.8;
		scene.joints[0].velocity[0] = 3.0;
		joint_scene_make(&scene);
		for (int k = 0; k < 5; k++) {
			joint_scene_step(&scene, "pendulum", 0);
			const AbutJointState at = joint_scene_read(&scene, 0);
			cr_expect_float_eq(at.velocity[0], 3.0, 1e-9, "%g s: %.12g", timesteps[i % 3], at.velocity[0]);
			cr_expect_float_eq(at.position[0], (i >= 3 ? 0.8 : 0.0) + 3.0 * (k + 1) * timesteps[i % 3],
			                   1e-9);
		}
		joint_scene_end(&scene);
	}
}

/* A pendulum whose pivot is open at the start closes by a turn: its rate is the given one at the closed pose. */
Test(place, rates_are_those_of_closed_joints)
{
	JointScene scene;
	joint_scene_pendulum(&scene, 0.01);
	scene.def.gravity[2] = 0.0;
	scene.joints[0].has_velocity = true;
	scene.joints[0].velocity[0] = 3.0;
	scene.bodies[0].position[0] += 0.2;
	scene.bodies[0].position[2] += 0.3;
	joint_scene_make(&scene);
	const double start = joint_scene_read(&scene, 0).position[0];
	for (int k = 0; k < 5; k++) {
		joint_scene_step(&scene, "pendulum", 0);
		const AbutJointState at = joint_scene_read(&scene, 0);
		cr_expect_float_eq(at.velocity[0], 3.0, 1e-9, "%.12g", at.velocity[0]);
		cr_expect_float_eq(at.position[0], start + 0.03 * (k + 1), 1e-9);
	}
	joint_scene_end(&scene);
}

Test(place, turns_are_counted)
{
	JointScene scene;
	joint_scene_pendulum(&scene, 0.01);
	scene.joints[0].has_position = true;
	scene.joints[0].position[0] = 20.0;
	joint_scene_make(&scene);
	cr_expect_float_eq(joint_scene_read(&scene, 0).position[0], 20.0, 1e-12);
	joint_scene_end(&scene);
}

Test(place, wrong_coordinates_are_refused)
{
	static const struct {
		AbutJointType type;
		double position, velocity;
		const char *where, *says;
	} cases[] = {
	    {ABUT_JOINT_HINGE, 0.7, 0.0, "initial.joints.n0", "is 0.7; its limits are -0.5 to 0.5"},
	    {ABUT_JOINT_HINGE, (double)NAN, 0.0, "initial.joints.n0", "must lie within"},
	    {ABUT_JOINT_HINGE, 0.1, 2e9, "initial.joint_velocities.n0", "rate of joint 'n0' is 2e+09"},
	    {ABUT_JOINT_BALL, 0.1, 200.0, "initial.joint_velocities.n0", "200 rad/s; with the timestep 0.01 s"},
	    {ABUT_JOINT_BALL, (double)NAN, 0.0, "initial.joints.n0", "must lie within"},
	    {ABUT_JOINT_FIXED, 0.1, 0.0, "initial.joints.n0", "no coordinates"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		JointScene scene;
		AbutError error;
		joint_scene_pendulum(&scene, 0.01);
		AbutJointDef *joint = &scene.joints[0];
		joint->type = cases[i].type;
		joint->axes[0].has_limits = cases[i].type == ABUT_JOINT_HINGE;
		joint->axes[0].lower = -0.5;
		joint->axes[0].upper = 0.5;
		joint->has_position = joint->has_velocity = true;
		joint->position[0] = cases[i].position;
		joint->velocity[0] = cases[i].velocity;
		cr_expect_neq(abut_model_create(&scene.def, &scene.model, &error), ABUT_OK);
		cr_expect_str_eq(error.where, cases[i].where, "%s", error.where);
		cr_expect(strstr(error.message, cases[i].says), "%s", error.message);
		joint_scene_end(&scene);
	}
}

/* Without gravity and torques, a sphere that turns about the anchor of its ball keeps the given rate in every step,
 * whether or not something acts on the ball, and its coordinates turn with it. */
Test(place, balls_start_with_their_turn_and_rate)
{
	static const double timesteps[] = {0.001, 0.02, 0.1}, any[3] = {1.0, 1.0, 1.0}, origin[3] = {0.0, 0.0, 0.0},
	                    tilted[3] = {0.3, -0.4, 0.8}, axis[3] = {2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0};
	for (int i = 0; i < 12; i++) {
		const double dt = timesteps[i % 3], turned = asin(3.0 * dt);
		JointScene scene;
		joint_scene_begin(&scene, dt);
		joint_scene_box(&scene, any, 2.0, origin);
		abut_shape_destroy(scene.shapes[0]);
		cr_assert_eq(abut_shape_create_sphere(0.2, &scene.shapes[0], NULL), ABUT_OK);
		memset(scene.def.gravity, 0, sizeof scene.def.gravity);
		AbutJointDef *joint = joint_scene_joint(&scene, ABUT_JOINT_BALL, ABUT_JOINT_WORLD, 0, origin, tilted);
		joint->has_position = joint->has_velocity = true;
		abut_scale3(1.1, axis, joint->position);
		abut_scale3(3.0, axis, joint->velocity);
		joint->axes[0].has_limits = i >= 6; /* without effect but that steps compute the rates */
		joint->axes[0].lower = 3.0;
		joint->axes[0].upper = 3.0;
		joint_scene_make(&scene);
		for (int k = 0; k <= 5; k++) {
			const AbutJointState at = joint_scene_read(&scene, 0);
			cr_expect_eq(at.n_axes, 3);
			for (int c = 0; c < 3; c++) {
				cr_expect_float_eq(at.position[c], (1.1 + k * turned) * axis[c], 1e-9, "%d: %.12g", i,
				                   at.position[c]);
				cr_expect(k == 0 || fabs(at.velocity[c] - 3.0 * axis[c]) < 1e-9, "%d: %.12g", i,
				          at.velocity[c]);
			}
			joint_scene_step(&scene, "ball", 0);
		}
		joint_scene_end(&scene);
	}
}

/* A ball that has no rows of its coordinates in a step reports those of one that has. */
Test(place, balls_without_laws_have_coordinates)
{
	static JointScene scene[2];
	for (int k = 0; k < 2; k++) {
		AbutJointAxis *axis = joint_scene_ball(&scene[k], 0.02);
		axis->has_limits = k == 1;
		axis->lower = axis->upper = 3.1;
		scene[k].bodies[0].angular_velocity[0] = 3.0;
		joint_scene_make(&scene[k]);
	}
	for (int i = 0; i < 30; i++) {
		const AbutJointState a = joint_scene_read(&scene[0], 0), b = joint_scene_read(&scene[1], 0);
		for (int c = 0; c < 3; c++) {
			cr_expect_float_eq(a.position[c], b.position[c], 1e-9);
			cr_expect_float_eq(a.velocity[c], b.velocity[c], 1e-8, "%d: %.12g, not %.12g", i, a.velocity[c],
			                   b.velocity[c]);
		}
		joint_scene_step(&scene[0], "free", 0);
		joint_scene_step(&scene[1], "with limits", 0);
	}
	joint_scene_end(&scene[0]);
	joint_scene_end(&scene[1]);
}

/* Coordinates outside of the cone or the twist of a ball are refused, and half a turn within them is not. */
Test(place, balls_must_start_within_their_limits)
{
	static const struct {
		double position[3], cone, twist;
		const char *says;
	} cases[] = {{{0.6, 0.0, 0.0}, 0.5, 1.0, "leans by 0.6 rad"},
	             {{0.0, 0.0, -1.2}, 0.5, 1.0, "is twisted by -1.2 rad"},
	             {{0.0, 0.3, 0.0}, 0.5, 1.0, NULL},
	             {{0.0, 0.0, 3.14159}, 0.5, 3.1415926, NULL}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		JointScene scene;
		AbutError error;
		AbutJointAxis *axis = joint_scene_ball(&scene, 0.01);
		axis->has_limits = true;
		axis->lower = cases[i].cone;
		axis->upper = cases[i].twist;
		scene.joints[0].has_position = true;
		abut_copy3(cases[i].position, scene.joints[0].position);
		const AbutStatus status = abut_model_create(&scene.def, &scene.model, &error);
		cr_expect_eq(status, cases[i].says ? ABUT_ERROR_ARGUMENT : ABUT_OK, "%zu: %s", i, error.message);
		if (cases[i].says) {
			cr_expect_str_eq(error.where, "initial.joints.n0");
			cr_expect(strstr(error.message, cases[i].says), "%s", error.message);
		}
		joint_scene_end(&scene);
	}
}
