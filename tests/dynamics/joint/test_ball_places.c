/* Tests balls at other places than between two free bodies: between planar bodies, on a static body, beside contacts,
 * and in quasi-static scenes. A ball between planar bodies turns only about y, like a hinge. */
#include "dynamics/methods/joints/method_joint_scenes.h"

static const double timesteps[] = {0.002, 0.01, 0.05};
/* Axes of planar balls: in the plane, across it, between, and each turned by rounding. */
static const double axes[][3] = {{0.0, 0.0, 1.0},   {0.0, 1e-3, 1.0},  {0.0, 1e-6, 1.0},    {0.0, 1e-9, 1.0},
                                 {0.0, 1e-12, 1.0}, {0.0, 1e-15, 1.0}, {1.0, 0.0, 0.0},     {0.0, 1.0, 0.0},
                                 {1e-3, 1.0, 0.0},  {1e-9, 1.0, 0.0},  {1e-15, 1.0, 1e-16}, {0.3, 0.5, 0.2}};
enum { AXES = sizeof axes / sizeof *axes };

/* Two links along x in the plane of y = 0, on joints of a type with the same law. */
static void make_links(JointScene *scene, AbutJointType type, const double axis[3], double timestep,
                       const AbutJointAxis *law)
{
	static const double half[3] = {0.2, 0.05, 0.05};
	joint_scene_begin(scene, timestep);
	for (int i = 0; i < 2; i++) {
		const double place[3] = {0.25 + 0.5 * i, 0.0, 0.0}, anchor[3] = {0.5 * i, 0.0, 0.0};
		scene->bodies[joint_scene_box(scene, half, 1.0, place)].planar_xz = true;
		joint_scene_joint(scene, type, i - 1, i, anchor, axis)->axes[0] = *law;
	}
	joint_scene_make(scene);
}

/* Returns the largest difference of velocities of two scenes in 200 steps, all of which must be exact. */
static double run_both(JointScene *one, JointScene *two, const char *what)
{
	double worst = 0.0;
	for (int i = 0; i < 200; i++) {
		joint_scene_step(one, what, (unsigned)i);
		joint_scene_step(two, what, (unsigned)i);
		worst = fmax(worst, joint_scene_difference(one, two));
	}
	joint_scene_end(one);
	joint_scene_end(two);
	return worst;
}

/* Compares links on balls with links on joints of another type about y. */
static void check_links(const AbutJointAxis *law, AbutJointType other, const AbutJointAxis *of_other, int axis,
                        double timestep, double bound, const char *what)
{
	static const double y[3] = {0.0, 1.0, 0.0};
	static JointScene ball, second;
	make_links(&ball, ABUT_JOINT_BALL, axes[axis], timestep, law);
	make_links(&second, other, y, timestep, of_other);
	const double worst = run_both(&ball, &second, what);
	cr_log_info("%s, axis %d, %g s: %g", what, axis, timestep, worst);
	cr_expect_leq(worst, bound, "%s, axis %d, %g s: %g", what, axis, timestep, worst);
}

/* The row of a spin at the end of the step is the cosine of the turn, with which its torque is smaller at 50 ms: there,
 * impulses turn. */
Test(ball_places, friction_of_planar_balls_is_that_of_hinges)
{
	static const double torques[] = {0.2, 3.0, 50.0};
	for (int i = 0; i < 9 * AXES; i++) {
		const AbutJointAxis law = {.friction = torques[i % 3], .motor.limit = (double)INFINITY};
		check_links(&law, ABUT_JOINT_HINGE, &law, i / 9, timesteps[i / 3 % 3], i / 3 % 3 < 2 ? 1e-9 : 0.1,
		            "friction");
	}
}

/* Rows that only rounding turns into the plane of their bodies do no harm: a hinge about y exerts no torque across.
 */
Test(ball_places, planar_hinges_exert_no_torque_across)
{
	static const double turned[] = {0.0, 1e-16, 1e-15, 1e-14};
	const AbutJointAxis law = {.friction = 0.2, .motor.limit = (double)INFINITY};
	for (int i = 0; i < 4; i++) {
		const double axis[3] = {turned[i], 1.0, -0.7 * turned[i]};
		JointScene scene;
		double most = 0.0;
		make_links(&scene, ABUT_JOINT_HINGE, axis, 0.01, &law);
		for (unsigned k = 0; k < 400; k++) {
			joint_scene_step(&scene, "hinges", k);
			for (int joint = 0; joint < 2; joint++) {
				const AbutJointState at = joint_scene_read(&scene, joint);
				most = fmax(most, fmax(fabs(at.torque[0]), fabs(at.torque[2])));
			}
		}
		cr_log_info("turned by %g: %g N m", turned[i], most);
		cr_expect_leq(most, 1e-13, "turned by %g: %g N m", turned[i], most);
		joint_scene_end(&scene);
	}
}

/* What acts on a ball is the same in all directions, so the axis has no effect. */
Test(ball_places, planar_balls_do_not_depend_on_their_axes)
{
	const AbutMotorDef none = {.limit = (double)INFINITY};
	const AbutJointAxis laws[] = {
	    {.stiffness = 20.0, .damping = 0.1, .armature = 0.02, .motor = none},
	    {.stiffness = 1e5, .motor = none},
	    {.friction = 1.0, .stiffness = 1e5, .motor = none},
	    {.friction = 0.2, .armature = 0.02, .motor = none},
	    {.motor = {.type = ABUT_MOTOR_POSITION, .stiffness = 1e4, .damping = 10.0, .limit = 3.0}},
	    {.motor = {.type = ABUT_MOTOR_POSITION, .stiffness = 1e4, .damping = 10.0, .limit = (double)INFINITY}},
	    {.friction = 0.5, .motor = {.type = ABUT_MOTOR_VELOCITY, .damping = 1e3, .limit = 2.0}}};
	for (int i = 0; i < (int)(sizeof laws / sizeof *laws); i++) {
		for (int k = 0; k < 3 * AXES; k++) {
			check_links(&laws[i], ABUT_JOINT_BALL, &laws[i], k / 3, timesteps[k % 3], 1e-7, "any law");
		}
	}
}

/* Between planar bodies, the cone about an axis in the plane and the twist about y are the limits of a hinge. At 50 ms,
 * impulses turn; for other axes there is no such hinge. These steps must be exact. */
Test(ball_places, limits_of_planar_balls_are_those_of_hinges)
{
	for (int i = 0; i < 3 * AXES; i++) {
		const double *axis = axes[i / 3];
		AbutJointAxis law = {.has_limits = true,
		                     .lower = 0.3,
		                     .upper = 0.2,
		                     .friction = i % 2 ? 0.2 : 0.0,
		                     .motor.limit = (double)INFINITY};
		AbutJointAxis of_hinge = law;
		const bool across = fabs(axis[0]) + fabs(axis[2]) < 1e-5;
		of_hinge.upper = across ? 0.2 : 0.3;
		of_hinge.lower = -of_hinge.upper;
		const bool comparable = i % 3 < 2 && (across || fabs(axis[1]) < 1e-5);
		check_links(&law, ABUT_JOINT_HINGE, &of_hinge, i / 3, timesteps[i % 3],
		            comparable ? 1e-7 : (double)INFINITY, "limits");
	}
}

/* A body on a static one, as its child or its parent, moves as on the world. */
Test(ball_places, on_static_bodies_are_those_on_the_world)
{
	static const double half[3] = {0.1, 0.1, 0.1}, place[3] = {-0.3, 0.0, 0.0}, origin[3] = {0.0, 0.0, 0.0},
	                    x[3] = {1.0, 0.0, 0.0};
	for (int i = 0; i < 12; i++) {
		const AbutJointAxis law = {.has_limits = true,
		                           .lower = 0.9,
		                           .upper = 0.7,
		                           .friction = i % 4 < 2 ? 0.0 : 0.5,
		                           .armature = 0.01,
		                           .stiffness = i % 4 == 1 ? 3.0 : 0.0,
		                           .motor.limit = (double)INFINITY};
		static JointScene scene[2];
		for (int k = 0; k < 2; k++) {
			*joint_scene_ball(&scene[k], timesteps[i / 4]) = law;
			scene[k].bodies[0].angular_velocity[0] = 2.0;
			scene[k].bodies[0].angular_velocity[2] = 1.0;
			scene[k].bodies[0].linear_velocity[1] = 0.5;
		}
		joint_scene_make(&scene[0]);
		const int fixed = joint_scene_box(&scene[1], half, 1.0, place);
		scene[1].bodies[fixed].is_static = true;
		scene[1].def.n_joints = 0;
		const bool turned = i % 2;
		joint_scene_joint(&scene[1], ABUT_JOINT_BALL, turned ? 0 : fixed, turned ? fixed : 0, origin, x)
		    ->axes[0] = law;
		joint_scene_make(&scene[1]);
		double worst = 0.0;
		for (int step = 0; step < 100; step++) {
			AbutBodyState a, b;
			joint_scene_step(&scene[0], "on the world", (unsigned)i);
			joint_scene_step(&scene[1], "on a static body", (unsigned)i);
			abut_state_get_body(scene[0].model, scene[0].state, 0, &a);
			abut_state_get_body(scene[1].model, scene[1].state, 0, &b);
			for (int k = 0; k < 3; k++) {
				worst = fmax(worst, fabs(a.angular_velocity[k] - b.angular_velocity[k]));
			}
		}
		cr_log_info("static %d: %g", i, worst);
		cr_expect_leq(worst, 1e-9, "%d: %g", i, worst);
		joint_scene_end(&scene[0]);
		joint_scene_end(&scene[1]);
	}
}

/* Three links on balls with limits and friction fall on the floor. */
Test(ball_places, beside_contacts_are_exact)
{
	static const double half[3] = {0.2, 0.1, 0.05}, x[3] = {1.0, 0.0, 0.0};
	static JointScene scene;
	int exact = 0;
	for (unsigned seed = 0; seed < 12; seed++) {
		AbutRng rng = {seed};
		joint_scene_begin(&scene, timesteps[seed % 3]);
		for (int i = 0; i < 3; i++) {
			const double place[3] = {0.5 * i, 0.0, 0.3}, anchor[3] = {0.5 * i - 0.25, 0.0, 0.3};
			AbutBodyDef *body = &scene.bodies[joint_scene_box(&scene, half, 1.0, place)];
			body->angular_velocity[1] = abut_rng_uniform(&rng, -1.0, 1.0);
			if (i > 0) {
				joint_scene_joint(&scene, ABUT_JOINT_BALL, i - 1, i, anchor, x)->axes[0] =
				    (AbutJointAxis){.has_limits = true,
				                    .lower = abut_rng_uniform(&rng, 0.1, 0.5),
				                    .upper = abut_rng_uniform(&rng, 0.1, 0.5),
				                    .friction = abut_rng_uniform(&rng, 0.1, 1.0),
				                    .motor.limit = (double)INFINITY};
			}
		}
		joint_scene_floor(&scene);
		joint_scene_make(&scene);
		for (int step = 0; step < 200; step++) {
			AbutStepInfo info = {.row = 0};
			cr_assert_eq(abut_step(scene.model, scene.state, scene.workspace, &info), ABUT_OK);
			cr_assert_neq(info.outcome, ABUT_OUTCOME_FAILED, "seed %u, step %d", seed, step);
			cr_assert_leq(info.joint_violation_m, 1e-9);
			cr_assert_leq(info.limit_violation, 1e-9);
			exact += info.exact;
		}
		AbutBodyState end;
		abut_state_get_body(scene.model, scene.state, 1, &end);
		cr_expect_lt(end.position[2], 0.25, "seed %u: %g", seed, end.position[2]);
		joint_scene_end(&scene);
	}
	cr_log_info("balls beside contacts: %d of 2400 steps exact", exact);
}

/* Without inertia, a pendulum rests after each step where its spring carries it, its friction holds it or its cone
 * stops it. */
Test(ball_places, quasi_static_balls_rest_in_balance)
{
	static const double steps_of[] = {0.05, 0.1, 0.2};
	const double weight = 2.0 * 9.81 * 0.5; /* N m, horizontal */
	for (int i = 0; i < 9; i++) {
		JointScene scene;
		const int law = i % 3;
		*joint_scene_ball(&scene, steps_of[i / 3]) = (AbutJointAxis){.has_limits = law == 2,
		                                                             .lower = 0.4,
		                                                             .upper = 1.0,
		                                                             .stiffness = law == 0 ? 30.0 : 0.0,
		                                                             .friction = law == 1 ? 0.5 * weight : 0.0,
		                                                             .motor.limit = (double)INFINITY};
		scene.def.quasi_static = true;
		joint_scene_make(&scene);
		const AbutJointState end = joint_scene_run(&scene, 1000.0 * steps_of[i / 3], "quasi-static");
		const double angle = abut_norm3(end.position);
		const double held = law == 0 ? 30.0 * angle : law == 1 ? 0.5 * weight : abut_norm3(end.limit_effort);
		cr_log_info("quasi-static %d: %g, %g of %g", i, angle, held, weight * cos(angle));
		cr_expect_float_eq(held, weight * cos(angle), 1e-6, "law %d, %g s: %g, not %g", law, steps_of[i / 3],
		                   held, weight * cos(angle));
		cr_expect(law != 2 || fabs(angle - 0.4) < 1e-9, "%g", angle);
		joint_scene_end(&scene);
	}
}

/* A motor to a rotation moves a pendulum like one to 0 whose parent's frame is turned by it. */
Test(ball_laws, a_target_is_a_turn_of_the_parents_frame)
{
	static const double targets[][3] = {{0.3, -0.2, 0.1}, {0.0, 0.0, 2.5}, {-2.0, 1.5, 1.0}};
	for (int i = 0; i < 18; i++) {
		const double *target = targets[i % 3], angle = abut_norm3(target);
		const AbutJointAxis law = {.friction = i / 3 % 2 ? 0.4 : 0.0,
		                           .motor = {.type = ABUT_MOTOR_POSITION,
		                                     .stiffness = 40.0,
		                                     .damping = 3.0,
		                                     .limit = i / 6 % 2 ? 12.0 : (double)INFINITY}};
		static JointScene scene[2];
		for (int k = 0; k < 2; k++) {
			AbutJointAxis *own = joint_scene_ball(&scene[k], timesteps[i % 3 > 1 ? 1 : i % 3]);
			own[0] = law;
			scene[k].bodies[0].angular_velocity[0] = 2.0;
			if (k == 0) {
				own[0].motor.target = target[0];
				own[1].motor.target = target[1];
				own[2].motor.target = target[2];
			} else {
				double q[4] = {cos(0.5 * angle)}, *frame = scene[k].joints[0].parent_frame.orientation;
				double turned[4];
				abut_scale3(sin(0.5 * angle) / angle, target, &q[1]);
				abut_quat_mul(frame, q, turned);
				memcpy(frame, turned, sizeof turned);
			}
			joint_scene_make(&scene[k]);
		}
		for (int step = 0; step < 200; step++) {
			joint_scene_step(&scene[0], "target", (unsigned)i);
			joint_scene_step(&scene[1], "turned frame", (unsigned)i);
			cr_assert_leq(joint_scene_difference(&scene[0], &scene[1]), 1e-8, "%d, step %d: %g", i, step,
			              joint_scene_difference(&scene[0], &scene[1]));
		}
		joint_scene_end(&scene[0]);
		joint_scene_end(&scene[1]);
	}
}
