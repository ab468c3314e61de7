/* Joints in states: snapshots, copies, threads. */
#include "dynamics/joint_scenes.h"

#include <stdlib.h>

/* Chains that hang from the world, with friction, limits, servos and couplings. */
static void chains(JointScene *scene, int n)
{
	const double half[3] = {0.2, 0.05, 0.05}, y[3] = {0.0, 1.0, 0.0};
	joint_scene_begin(scene, 0.01);
	for (int i = 0; i < 4 * n; i++) {
		const double x = 0.4 * (i % 4);
		const int row = i / 4;
		const double place[3] = {x + 0.2, row, 0.0}, anchor[3] = {x, row, 0.0};
		joint_scene_box(scene, half, 1.0, place);
		AbutJointDef *joint =
		    joint_scene_joint(scene, ABUT_JOINT_HINGE, i % 4 == 0 ? ABUT_JOINT_WORLD : i - 1, i, anchor, y);
		joint->axes[0] = (AbutJointAxis){.has_limits = true,
		                                 .lower = -0.5,
		                                 .upper = 0.7,
		                                 .friction = 0.1,
		                                 .stiffness = i % 2,
		                                 .motor = {.type = i % 3 == 0 ? ABUT_MOTOR_POSITION : ABUT_MOTOR_NONE,
		                                           .stiffness = i % 3 == 0 ? 2.0 : 0.0,
		                                           .limit = i % 2 == 0 ? (double)INFINITY : 1.0}};
	}
	for (int row = 0; row < n; row++) { /* every second row with the one before, in one island */
		joint_scene_couple(scene, 4 * row + 3, 4 * row + 1, 0.4);
		if (row % 2 == 1) {
			joint_scene_couple(scene, 4 * row + 1, 4 * row - 3, -0.7);
		}
	}
	joint_scene_make(scene);
}

static void expect_same(const JointScene *scene, const AbutState *a, const AbutState *b)
{
	const size_t n = abut_state_snapshot_size(scene->model, a);
	double *left = malloc(n * sizeof *left), *right = malloc(n * sizeof *right);
	cr_assert(left && right && n == abut_state_snapshot_size(scene->model, b));
	abut_state_snapshot(scene->model, a, left);
	abut_state_snapshot(scene->model, b, right);
	cr_expect_arr_eq(left, right, n * sizeof *left);
	free(left);
	free(right);
}

Test(joint_state, continues_from_a_snapshot_bit_for_bit)
{
	JointScene scene;
	AbutState *other;
	AbutError error;
	chains(&scene, 2);
	cr_assert_eq(abut_state_create(scene.model, &other, NULL), ABUT_OK);
	for (int i = 0; i < 60; i++) {
		joint_scene_step(&scene, "chain", 0);
	}
	const size_t size = abut_snapshot_size(scene.model, scene.state);
	void *bytes = malloc(size);
	cr_assert_eq(abut_snapshot_save(scene.model, scene.state, size, bytes, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_snapshot_restore(scene.model, other, size, bytes, &error), ABUT_OK, "%s", error.message);
	for (int i = 0; i < 60; i++) {
		AbutStepInfo info = {.row = 0};
		joint_scene_step(&scene, "chain", 0);
		cr_assert_eq(abut_step(scene.model, other, scene.workspace, &info), ABUT_OK);
	}
	expect_same(&scene, scene.state, other);
	free(bytes);
	abut_state_destroy(other);
	joint_scene_end(&scene);
}

Test(joint_state, does_not_depend_on_threads)
{
	JointScene scene;
	AbutState *other;
	AbutWorkspace *threaded;
	chains(&scene, 8);
	cr_assert_eq(abut_state_create(scene.model, &other, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create_threaded(scene.model, 3, &threaded, NULL), ABUT_OK);
	for (int i = 0; i < 50; i++) {
		AbutStepInfo info = {.row = 0};
		joint_scene_step(&scene, "chain", 0);
		cr_assert_eq(abut_step(scene.model, other, threaded, &info), ABUT_OK);
	}
	expect_same(&scene, scene.state, other);
	abut_workspace_destroy(threaded);
	abut_state_destroy(other);
	joint_scene_end(&scene);
}

Test(joint_state, is_read_before_the_first_step)
{
	JointScene scene;
	joint_scene_pendulum(&scene, 0.01);
	scene.bodies[0].angular_velocity[1] = 2.0;
	scene.bodies[0].linear_velocity[2] = -1.0;
	joint_scene_make(&scene);
	const AbutJointState at = joint_scene_read(&scene, 0);
	cr_expect_eq(at.n_axes, 1);
	cr_expect_float_eq(at.position[0], 0.0, 1e-15);
	cr_expect_float_eq(at.velocity[0], 2.0, 1e-15);
	cr_expect_eq(abut_joint_get(scene.model, scene.state, 1, &(AbutJointState){0}), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(abut_model_joint_name(scene.model, 0), "n0");
	cr_expect_eq(abut_model_joint_type(scene.model, 0), ABUT_JOINT_HINGE);
	joint_scene_end(&scene);
}

/* Jointed robots with one flat foot on the floor each: starts of a single contact must not take the foot for the
 * island's only body. */
Test(joint_state, landing_robots_do_not_depend_on_threads)
{
	const double half[3] = {0.2, 0.1, 0.05}, y[3] = {0.0, 1.0, 0.0}, up[3] = {0.0, 0.0, 1.0},
	             origin[3] = {0.0, 0.0, 0.0};
	JointScene scene;
	AbutState *other;
	AbutWorkspace *threaded;
	joint_scene_begin(&scene, 0.01);
	for (int i = 0; i < 12; i++) {
		const double x = 2.0 * i;
		const double upper[3] = {x, 0.0, 0.6}, lower[3] = {x + 0.1, 0.0, 0.1}, hip[3] = {x + 0.1, 0.0, 0.4};
		joint_scene_box(&scene, half, 1.0, upper);
		joint_scene_box(&scene, half, 1.0, lower);
		joint_scene_joint(&scene, i % 2 == 0 ? ABUT_JOINT_HINGE : ABUT_JOINT_BALL, 2 * i, 2 * i + 1, hip, y);
	}
	const int floor = joint_scene_box(&scene, half, 0.0, origin);
	abut_shape_destroy(scene.shapes[floor]);
	cr_assert_eq(abut_shape_create_halfspace(up, 0.0, &scene.shapes[floor], NULL), ABUT_OK);
	scene.bodies[floor].is_static = true;
	AbutPairDef feet[12];
	for (int i = 0; i < 12; i++) {
		feet[i] = (AbutPairDef){.body_a = floor,
		                        .body_b = 2 * i + 1,
		                        .friction = -1.0,
		                        .torsional_radius = -1.0,
		                        .restitution = -1.0};
	}
	scene.def.pairs = feet;
	scene.def.n_pairs = 12;
	joint_scene_make(&scene);
	cr_assert_eq(abut_state_create(scene.model, &other, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create_threaded(scene.model, 3, &threaded, NULL), ABUT_OK);
	for (int i = 0; i < 60; i++) {
		AbutStepInfo info = {.row = 0}, same = {.row = 0};
		cr_assert_eq(abut_step(scene.model, scene.state, scene.workspace, &info), ABUT_OK);
		cr_assert_eq(abut_step(scene.model, other, threaded, &same), ABUT_OK);
		cr_assert_neq(info.outcome, ABUT_OUTCOME_FAILED, "step %d", i);
		cr_assert_eq(info.iterations, same.iterations, "step %d", i);
	}
	expect_same(&scene, scene.state, other);
	abut_workspace_destroy(threaded);
	abut_state_destroy(other);
	joint_scene_end(&scene);
}

/* Each key of a joint that changes the motion is named when a snapshot of a model with another value is refused. */
Test(joint_state, snapshots_of_other_joints_are_refused_with_the_key)
{
	static const char *const keys[] = {"damping", "stiffness", "reference", "friction",     "armature",
	                                   "limits",  "motor",     "length",    "parent_frame", "name"};
	for (int i = 0; i < (int)(sizeof keys / sizeof *keys); i++) {
		JointScene scene[2];
		AbutError error;
		for (int k = 0; k < 2; k++) {
			AbutJointAxis *axis = joint_scene_pendulum(&scene[k], 0.01);
			AbutJointDef *joint = &scene[k].joints[0];
			double *const numbers[] = {&axis->damping, &axis->stiffness, &axis->reference, &axis->friction,
			                           &axis->armature};
			if (k == 1 && i < 5) {
				*numbers[i] = 1e-3;
			} else if (k == 1 && i == 5) {
				axis->has_limits = true;
				axis->lower = -1.0;
				axis->upper = 1.0;
			} else if (k == 1 && i == 6) {
				axis->motor = (AbutMotorDef){.type = ABUT_MOTOR_VELOCITY, .damping = 1.0, .limit = 2.0};
			} else if (k == 1 && i == 8) {
				joint->parent_frame.position[1] = 0.5;
				joint->child_frame.position[1] = 0.5;
			} else if (k == 1 && i == 9) {
				joint->name = "other";
			}
			if (i == 7) { /* the assembly moves the body by the difference */
				joint->type = ABUT_JOINT_DISTANCE;
				joint->length = 0.5 + k * 1e-3;
				memset(joint->child_frame.position, 0, sizeof joint->child_frame.position);
			}
			joint_scene_make(&scene[k]);
		}
		const size_t size = abut_snapshot_size(scene[0].model, scene[0].state);
		void *bytes = malloc(size);
		char where[64];
		snprintf(where, sizeof where, "joints[0].%s", keys[i]);
		cr_assert_eq(abut_snapshot_save(scene[0].model, scene[0].state, size, bytes, &error), ABUT_OK);
		cr_expect_eq(abut_snapshot_restore(scene[1].model, scene[1].state, size, bytes, &error),
		             ABUT_ERROR_ARGUMENT);
		cr_expect_str_eq(error.where, where, "%s, not %s: %s", error.where, where, error.message);
		free(bytes);
		joint_scene_end(&scene[0]);
		joint_scene_end(&scene[1]);
	}
}
