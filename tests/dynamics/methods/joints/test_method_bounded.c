/* Bounded impulses of joints in method lcp: dry friction, limited motors and limits, on robots whose feet press. */
#include "dynamics/methods/joints/method_joint_scenes.h"

static const double about_y[3] = {0.0, 1.0, 0.0};

static double vertical_momentum(const JointScene *scene)
{
	double sum = 0.0;
	for (int i = 0; i < scene->def.n_bodies; i++) {
		AbutBodyState body;
		abut_state_get_body(scene->model, scene->state, i, &body);
		sum += scene->bodies[i].is_static ? 0.0 : scene->bodies[i].mass * body.linear_velocity[2];
	}
	return sum;
}

/* Checks the law of dry friction: within its bound, opposed to the rate, and below the bound only at rest. */
static void check_friction(const JointScene *scene, double bound)
{
	for (int i = 0; i < scene->def.n_joints; i++) {
		AbutJointState joint;
		cr_assert_eq(abut_joint_get(scene->model, scene->state, i, &joint), ABUT_OK);
		const double effort = joint.friction_effort[0], rate = joint.velocity[0];
		cr_expect_leq(fabs(effort), bound * (1.0 + 1e-9));
		cr_expect_leq(effort * rate, 1e-9, "friction drives joint %d", i);
		cr_expect(bound - fabs(effort) <= 1e-6 * bound || fabs(rate) < 1e-8, "joint %d: %g of %g at %g rad/s",
		          i, effort, bound, rate);
	}
}

/* Makes a box on four capsules, with a motor and dry friction in each hinge. */
static void make_stool(JointScene *scene, double friction)
{
	static const double seat[3] = {0.3, 0.2, 0.05}, leg[3] = {0.03, 0.03, 0.28}, middle[3] = {0.0, 0.0, 0.6};
	joint_scene_begin(scene, 0.01);
	joint_scene_box(scene, seat, 5.0, middle);
	for (int i = 0; i < 4; i++) {
		const double at[3] = {i < 2 ? 0.25 : -0.25, i % 2 == 0 ? 0.2 : -0.2, 0.3};
		const double anchor[3] = {at[0], at[1], 0.55};
		const int body = joint_scene_box(scene, leg, 0.5, at);
		AbutJointAxis *axis = joint_scene_joint(scene, ABUT_JOINT_HINGE, 0, body, anchor, about_y)->axes;
		axis->friction = friction;
		axis->motor = (AbutMotorDef){ABUT_MOTOR_POSITION, .stiffness = 100.0, .damping = 2.0,
		                             .limit = (double)INFINITY, .target = 0.1};
		abut_shape_destroy(scene->shapes[body]);
		cr_assert_eq(abut_shape_create_capsule(0.03, 0.5, &scene->shapes[body], NULL), ABUT_OK);
	}
	joint_scene_floor(scene);
	scene->def.friction = 0.8;
	scene->def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_LCP);
}

/* Where friction sticks or slips, the impulses of four feet must be found together with that of the joints: the stool
 * with 0.05 N m failed in step 25, and with 0.2 N m two steps were relaxed. */
Test(method_bounded, stools_with_dry_friction_stand)
{
	static const double frictions[] = {0.0, 0.01, 0.05, 0.2, 1.0, 5.0};
	static JointScene scene;
	for (int f = 0; f < 6; f++) {
		make_stool(&scene, frictions[f]);
		joint_scene_make(&scene);
		for (int i = 0; i < 200; i++) {
			const double before = vertical_momentum(&scene);
			AbutStepInfo info = {.row = 0};
			cr_assert_eq(abut_step(scene.model, scene.state, scene.workspace, &info), ABUT_OK);
			cr_assert_eq(info.outcome, ABUT_OUTCOME_EXACT, "friction %g, step %d: residual %g",
			             frictions[f], i, info.residual);
			const double weight = 7.0 * 9.81 * 0.01;
			cr_expect_float_eq(joint_scene_support(&scene), weight + vertical_momentum(&scene) - before,
			                   1e-9);
			check_friction(&scene, frictions[f]);
		}
		joint_scene_end(&scene);
	}
}

/* Makes a cart on two balls that roll along x; law 0: dry friction of the axles, 1: limited motors, 2: limits. */
static void make_cart(JointScene *scene, int law, AbutMethod method)
{
	static const double trunk[3] = {0.3, 0.1, 0.05}, middle[3] = {0.0, 0.0, 0.1}, wheel[3] = {0.1, 0.1, 0.1};
	joint_scene_begin(scene, 0.01);
	joint_scene_box(scene, trunk, 3.0, middle);
	for (int i = 0; i < 2; i++) {
		const double at[3] = {i == 0 ? 0.3 : -0.3, 0.0, 0.1};
		const int body = joint_scene_box(scene, wheel, 1.0 + 0.5 * i, at);
		AbutJointAxis *axis = joint_scene_joint(scene, ABUT_JOINT_HINGE, 0, body, at, about_y)->axes;
		axis->friction = law == 0 ? 0.08 : 0.0;
		if (law == 1) {
			axis->motor = (AbutMotorDef){ABUT_MOTOR_VELOCITY, .damping = 5.0, .limit = 0.2, .target = -2.0};
		}
		axis->has_limits = law == 2;
		axis->lower = -1.0;
		axis->upper = 2.0 + i;
		abut_shape_destroy(scene->shapes[body]);
		cr_assert_eq(abut_shape_create_sphere(0.1, &scene->shapes[body], NULL), ABUT_OK);
		scene->bodies[body].angular_velocity[1] = 5.0;
	}
	for (int i = 0; i < 3; i++) {
		scene->bodies[i].linear_velocity[0] = 0.5;
	}
	joint_scene_floor(scene);
	scene->def.friction = 0.3;
	scene->def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, method);
}

/* A ball that rolls straight ahead has the same contact law in both methods. */
Test(method_bounded, carts_move_as_with_single_level)
{
	static JointScene one, two;
	for (int law = 0; law < 3; law++) {
		make_cart(&one, law, ABUT_METHOD_LCP);
		make_cart(&two, law, ABUT_METHOD_SINGLE_LEVEL);
		joint_scene_make(&one);
		joint_scene_make(&two);
		double worst = 0.0;
		for (int i = 0; i < 150; i++) {
			AbutStepInfo info[2] = {{.row = 0}, {.row = 0}};
			cr_assert_eq(abut_step(one.model, one.state, one.workspace, &info[0]), ABUT_OK);
			cr_assert_eq(abut_step(two.model, two.state, two.workspace, &info[1]), ABUT_OK);
			cr_assert(info[0].exact && info[1].exact, "law %d, step %d", law, i);
			worst = fmax(worst, joint_scene_difference(&one, &two));
		}
		AbutBodyState trunk;
		abut_state_get_body(one.model, one.state, 0, &trunk);
		cr_log_info("law %d: difference %g, speed at the end %g", law, worst, trunk.linear_velocity[0]);
		cr_expect_leq(worst, law < 2 ? 1e-8 : 1e-7, "law %d",
		              law); /* limits stop the cart: both methods round the stop */
		joint_scene_end(&one);
		joint_scene_end(&two);
	}
}
