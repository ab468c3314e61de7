/* Tests the derivative of a step in joint coordinates. */
#include "dynamics/linear/linear_differences.h"
#include "dynamics/robot/robot_scenes.h"

/* Compares all columns, of which one in ten may not settle. */
static void compare(LinearCase *c, double tolerance, const char *name)
{
	int settled = 0;
	for (int column = 0; column < c->n_x + c->n_u; column++) {
		const double error = linear_error(c, column, tolerance);
		settled += !isnan(error);
		cr_expect(isnan(error) || error <= tolerance, "%s, column %d (%s): %g", name, column,
		          column < c->n_x ? abut_linear_state_name(c->linear, column)
		                          : abut_linear_input_name(c->linear, column - c->n_x),
		          error);
	}
	cr_expect_geq(settled, (c->n_x + c->n_u) * 9 / 10, "%s: %d of %d columns settle", name, settled,
	              c->n_x + c->n_u);
}

/* Gives joints of a random tree motors, springs and dampers. */
static void drive(TestRobot *t)
{
	for (int i = 0; i < t->scene.def.n_joints; i++) {
		AbutJointDef *joint = &t->scene.joints[i];
		AbutJointAxis *axis = &joint->axes[0];
		if (joint->type == ABUT_JOINT_FIXED || i % 3 == 2) {
			continue;
		}
		axis->damping = 0.1;
		axis->motor.type = i % 3 == 0 ? ABUT_MOTOR_FORCE : ABUT_MOTOR_POSITION;
		axis->motor.stiffness = i % 3 == 0 ? 0.0 : 5.0;
		axis->motor.damping = i % 3 == 0 ? 0.0 : 0.2;
	}
}

Test(linear, equals_differences_of_random_trees)
{
	for (unsigned seed = 0; seed < 14; seed++) {
		TestRobot t;
		LinearCase c;
		char name[64];
		AbutError error = {.message = ""};
		robot_define(&t, 6, seed % 2 == 0, seed);
		drive(&t);
		t.scene.def.solver.tolerance = 1e-13;
		robot_make(&t, seed);
		linear_begin(&c, t.scene.model, 0.0);
		memcpy(c.q, t.q, (size_t)t.n_q * sizeof *c.q);
		memcpy(c.qdot, t.qdot, (size_t)t.n_v * sizeof *c.qdot);
		cr_assert_eq(linear_take(&c, &error), ABUT_OK, "seed %u: %s", seed, error.message);
		snprintf(name, sizeof name, "seed %u", seed);
		compare(&c, 2e-7, name);
		linear_end(&c);
		robot_end(&t);
	}
}

/* Compares steps of a shipped scene, every so many of 320. Returns how many have a
 * derivative. */
static int compare_shipped(const char *name, double kappa, int every, double tolerance)
{
	char path[512];
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	LinearCase c;
	AbutError error = {.message = ""};
	int with = 0;
	snprintf(path, sizeof path, ABUT_SOURCE_DIR "/experiments/scenes/%s.json", name);
	cr_assert_eq(abut_scene_load(path, 0, NULL, &scene, &error), ABUT_OK, "%s", error.message);
	AbutSceneDef def = *abut_scene_def(scene);
	def.solver.tolerance = 1e-13;
	cr_assert_eq(abut_model_create(&def, &model, &error), ABUT_OK, "%s", error.message);
	linear_begin(&c, model, kappa);
	AbutState *run = NULL;
	AbutWorkspace *own = NULL;
	cr_assert_eq(abut_state_create(model, &run, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &own, NULL), ABUT_OK);
	for (int k = 0; k < 320; k++) {
		AbutStepInfo info = {.row = 0};
		if (k % every == 5) {
			char step[600];
			snprintf(step, sizeof step, "%s, kappa %g, step %d", name, kappa, k);
			cr_assert_eq(abut_robot_get_state(c.robot, run, c.q, c.qdot), ABUT_OK);
			if (linear_take(&c, &error) == ABUT_OK) {
				with++;
				compare(&c, tolerance, step);
			}
		}
		cr_assert_eq(abut_step(model, run, own, &info), ABUT_OK);
	}
	abut_workspace_destroy(own);
	abut_state_destroy(run);
	linear_end(&c);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
	return with;
}

/* The least numbers of steps with a derivative, of 8 at the exact solution, and of 4 on the path. Feet that rest hold
 * more freedoms than there are, so that the exact solution has only one-sided derivatives by coordinates. */
static const struct {
	const char *name;
	int exact, path;
} shipped[] = {{"pendulum", 8, 4},  {"cart_pendulum", 8, 4}, {"double_pendulum", 8, 4}, {"chain", 8, 4},
               {"four_bar", 8, 4},  {"slider_crank", 8, 4},  {"gripper", 0, 4},         {"hopper", 1, 4},
               {"quadruped", 1, 4}, {"biped", 0, 4}};
enum { SHIPPED = sizeof shipped / sizeof *shipped };

Test(linear, equals_differences_of_shipped_robots)
{
	for (int i = 0; i < SHIPPED; i++) {
		const int with = compare_shipped(shipped[i].name, 0.0, 40, 1e-6);
		cr_expect_geq(with, shipped[i].exact, "%s: %d", shipped[i].name, with);
	}
}

Test(linear, equals_differences_of_shipped_robots_on_the_path)
{
	for (int i = 0; i < SHIPPED; i++) {
		const int with = compare_shipped(shipped[i].name, 1e-4, 80, 1e-6);
		cr_expect_geq(with, shipped[i].path, "%s: %d", shipped[i].name, with);
	}
}

/* A planar base that spins fast, with a link on a hinge: its turn in a step is not the spin times the timestep. */
Test(linear, equals_differences_of_a_spinning_planar_base)
{
	static const double half[3] = {0.3, 0.1, 0.1}, places[2][3] = {{0.0, 0.0, 1.0}, {0.6, 0.0, 1.0}},
	                    anchor[3] = {0.3, 0.0, 1.0}, y[3] = {0.0, 1.0, 0.0};
	JointScene scene;
	LinearCase c;
	AbutError error = {.message = ""};
	joint_scene_begin(&scene, 0.01);
	scene.def.solver.tolerance = 1e-13;
	for (int i = 0; i < 2; i++) {
		joint_scene_box(&scene, half, 1.0, places[i]);
		scene.bodies[i].planar_xz = true;
	}
	joint_scene_joint(&scene, ABUT_JOINT_HINGE, 0, 1, anchor, y)->axes[0].motor.type = ABUT_MOTOR_FORCE;
	joint_scene_make(&scene);
	linear_begin(&c, scene.model, 0.0);
	cr_assert_eq(c.n_v, 4);
	cr_assert_eq(abut_robot_get_state(c.robot, c.state, c.q, c.qdot), ABUT_OK);
	memcpy(c.qdot, (const double[4]){3.0, 1.0, -2.0, 40.0}, 4 * sizeof *c.qdot);
	cr_assert_eq(linear_take(&c, &error), ABUT_OK, "%s", error.message);
	compare(&c, 2e-7, "planar base");
	linear_end(&c);
	joint_scene_end(&scene);
}
