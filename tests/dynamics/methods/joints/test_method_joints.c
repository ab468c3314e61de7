/* Compares steps with joints of the other methods with single-level steps, whose joints are tested in
 * tests/dynamics/joint/. */
#include "allocation_watch.h"
#include "dynamics/methods/joints/method_joint_scenes.h"
#include "effort.h"

/* Methods with joints, and bounds that depend on how their steps end. */
static const struct {
	AbutMethod method;
	double free;    /* of differences without contacts: m/s, rad/s */
	double support; /* relative error of the support of a table at rest */
	double depth;   /* of penetration, m */
} methods[] = {{ABUT_METHOD_BILEVEL, 1e-9, 1e-5, 1e-5},
               {ABUT_METHOD_POINT_NCP, 1e-9, 1e-5, 1e-5},
               {ABUT_METHOD_LCP, 1e-9, 1e-9, 1e-4},
               {ABUT_METHOD_CONVEX, 1e-9, 1e-6, 0.02}};

enum { n_methods = sizeof methods / sizeof *methods };

/* Method convex has soft limits and friction; the other laws are those of all methods. */
static void leave_out_soft_laws(JointScene *scene)
{
	for (int i = 0; i < scene->def.n_joints; i++) {
		for (int k = 0; k < ABUT_JOINT_FREEDOMS && scene->joints[i].type != ABUT_JOINT_BALL; k++) {
			scene->joints[i].axes[k].has_limits = false;
			scene->joints[i].axes[k].friction = 0.0;
		}
	}
}

static void use(JointScene *scene, int i)
{
	scene->def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, methods[i].method);
	joint_scene_make(scene);
}

/* Takes a step, which must be solved with its joints closed; returns its report. */
static AbutStepInfo step(JointScene *scene, const char *what, unsigned seed)
{
	AbutStepInfo info = {.row = 0};
	cr_assert_eq(abut_step(scene->model, scene->state, scene->workspace, &info), ABUT_OK);
	cr_assert_neq(info.outcome, ABUT_OUTCOME_FAILED, "%s, %s, seed %u, %g s: residual %g", what,
	              abut_method_name(scene->def.solver.method), seed, abut_state_time(scene->state), info.residual);
	cr_assert_leq(info.joint_violation_m, 1e-10, "%s, seed %u: %g m", what, seed, info.joint_violation_m);
	cr_assert_leq(info.joint_violation_rad, 1e-10, "%s, seed %u: %g rad", what, seed, info.joint_violation_rad);
	return info;
}

/* Makes two equal scenes, of which the second takes method i, and compares their motion. Ends both. */
static void expect_same_motion(int i, JointScene *one, JointScene *two, int steps, const char *what, unsigned seed)
{
	joint_scene_make(one);
	use(two, i);
	for (int k = 0; k < steps; k++) {
		joint_scene_step(one, what, seed);
		const AbutStepInfo info = step(two, what, seed);
		cr_assert_leq(info.limit_violation, 1e-9, "%s, seed %u: %g", what, seed, info.limit_violation);
		const double off = joint_scene_difference(one, two);
		cr_assert_leq(off, methods[i].free, "%s of %s, seed %u, step %d: %g", what,
		              abut_method_name(methods[i].method), seed, k, off);
	}
	joint_scene_end(one);
	joint_scene_end(two);
}

Test(method_joints, trees_move_as_with_single_level)
{
	for (int i = 0; i < n_methods; i++) {
		for (unsigned seed = 0; seed < 24; seed++) {
			JointScene one, two;
			joint_scene_tree(&one, 5, 0.005, seed);
			joint_scene_tree(&two, 5, 0.005, seed);
			if (methods[i].method == ABUT_METHOD_CONVEX) {
				leave_out_soft_laws(&one);
				leave_out_soft_laws(&two);
			}
			expect_same_motion(i, &one, &two, 60, "tree", seed);
		}
	}
}

Test(method_joints, an_overconstrained_loop_stays_closed)
{
	for (int i = 0; i < n_methods; i++) {
		JointScene one, two;
		joint_scene_four_bar(&one, 0.005);
		joint_scene_four_bar(&two, 0.005);
		joint_scene_make(&one);
		use(&two, i);
		for (int k = 0; k < 200; k++) {
			joint_scene_step(&one, "four-bar", 0);
			step(&two, "four-bar", 0);
			const double off = joint_scene_difference(&one, &two);
			cr_assert_leq(off, methods[i].free, "%s, step %d: %g", abut_method_name(methods[i].method), k,
			              off);
		}
		joint_scene_end(&one);
		joint_scene_end(&two);
	}
}

Test(method_joints, a_table_lands_and_stands_on_its_feet)
{
	for (int i = 0; i < n_methods; i++) {
		JointScene scene;
		joint_scene_table(&scene, 0.005, 0.02);
		use(&scene, i);
		for (int k = 0; k < 300; k++) {
			const AbutStepInfo info = step(&scene, "table", 0);
			cr_assert_leq(info.max_penetration, methods[i].depth, "%s, step %d: %g m",
			              abut_method_name(methods[i].method), k, info.max_penetration);
		}
		const double support = joint_scene_support(&scene), weight = 4.0 * 9.81 * 0.005;
		cr_expect_float_eq(support, weight, methods[i].support * weight, "%s: %g, not %g Ns",
		                   abut_method_name(methods[i].method), support, weight);
		joint_scene_end(&scene);
	}
}

/* Two hips of a table that lands on a slope are coupled. */
Test(method_joints, coupled_joints_stay_coupled)
{
	for (int i = 0; i < n_methods; i++) {
		JointScene scene;
		const AbutCouplingDef coupling = {.joint = {0, 1}, .ratio = 2.0};
		joint_scene_table(&scene, 0.005, 0.02);
		scene.def.couplings = &coupling;
		scene.def.n_couplings = 1;
		scene.def.gravity[0] = 3.0;
		scene.joints[0].axes[0].motor.target = 0.3;
		use(&scene, i);
		double most = 0.0;
		for (int k = 0; k < 100; k++) {
			step(&scene, "coupled table", 0);
			const double a = joint_scene_read(&scene, 0).position[0],
			             b = joint_scene_read(&scene, 1).position[0];
			most = fmax(most, fabs(a));
			cr_assert_leq(fabs(a - 2.0 * b), 1e-10, "%s: %g and %g", abut_method_name(methods[i].method), a,
			              b);
		}
		cr_expect_gt(most, 0.05);
		joint_scene_end(&scene);
	}
}

/* Trees fall on a floor: joints, laws and contacts act together. No step opens a joint, and few fail: two of the scenes
 * overlap at the start where their joints do not let them part, which single-level does not solve either. */
Test(method_joints, falling_trees_stay_closed)
{
	for (int i = 0; i < n_methods; i++) {
		int failed = 0, steps = 0, exact = 0;
		for (unsigned seed = 0; seed < (unsigned)TEST_EFFORT(24); seed++) {
			JointScene scene;
			joint_scene_tree(&scene, 4, 0.005, seed);
			for (int k = 0; k < scene.def.n_bodies; k++) {
				scene.bodies[k].position[2] -= 0.5;
			}
			scene.def.n_joints--; /* not to the world */
			memmove(scene.joints, &scene.joints[1], (size_t)scene.def.n_joints * sizeof *scene.joints);
			joint_scene_floor(&scene);
			use(&scene, i);
			for (int k = 0; k < 200; k++) {
				AbutStepInfo info = {.row = 0};
				cr_assert_eq(abut_step(scene.model, scene.state, scene.workspace, &info), ABUT_OK);
				steps++;
				if (info.outcome == ABUT_OUTCOME_FAILED) {
					failed++;
					break;
				}
				exact += info.exact;
				cr_assert_leq(info.joint_violation_m, 1e-10, "seed %u: %g m", seed,
				              info.joint_violation_m);
				cr_assert_leq(info.joint_violation_rad, 1e-10, "seed %u: %g rad", seed,
				              info.joint_violation_rad);
			}
			joint_scene_end(&scene);
		}
		cr_expect_leq(failed, 5, "%s: %d of 24 trees fail", abut_method_name(methods[i].method), failed);
		cr_log_info("%s: %d of %d steps are exact", abut_method_name(methods[i].method), exact, steps);
	}
}

Test(method_joints, steps_allocate_nothing)
{
	for (int i = 0; i < n_methods; i++) {
		JointScene scene;
		joint_scene_table(&scene, 0.005, 0.01);
		use(&scene, i);
		watch_begin(0);
		for (int k = 0; k < 20; k++) {
			step(&scene, "table", 0);
		}
		watch_end();
		cr_expect_eq(watch.calls, 0, "%s: %ld allocations", abut_method_name(methods[i].method), watch.calls);
		joint_scene_end(&scene);
	}
}

/* Takes 60 steps of a falling tree, on `threads` threads; in one run they continue from a snapshot of step 30. */
static void run_tree(int i, int threads, bool snapshot, JointScene *scene)
{
	joint_scene_table(scene, 0.01, 0.05);
	scene->bodies[0].angular_velocity[1] = 0.4;
	use(scene, i);
	abut_workspace_destroy(scene->workspace);
	cr_assert_eq(abut_workspace_create_threaded(scene->model, threads, &scene->workspace, NULL), ABUT_OK);
	for (int k = 0; k < 60; k++) {
		step(scene, "table", 0);
		if (snapshot && k == 30) {
			const size_t size = abut_snapshot_size(scene->model, scene->state);
			void *room = malloc(size);
			cr_assert_eq(abut_snapshot_save(scene->model, scene->state, size, room, NULL), ABUT_OK);
			abut_state_destroy(scene->state);
			cr_assert_eq(abut_state_create(scene->model, &scene->state, NULL), ABUT_OK);
			cr_assert_eq(abut_snapshot_restore(scene->model, scene->state, size, room, NULL), ABUT_OK);
			free(room);
		}
	}
}

Test(method_joints, steps_do_not_depend_on_threads_or_snapshots)
{
	for (int i = 0; i < n_methods; i++) {
		JointScene one, two;
		run_tree(i, 1, false, &one);
		run_tree(i, 2, true, &two);
		cr_expect_eq(joint_scene_difference(&one, &two), 0.0, "%s", abut_method_name(methods[i].method));
		joint_scene_end(&one);
		joint_scene_end(&two);
	}
}

/* Two links on balls that have one law each. */
static void make_balls(JointScene *scene, int law)
{
	static const double half[3] = {0.3, 0.1, 0.05}, x[3] = {1.0, 0.0, 0.0};
	joint_scene_begin(scene, 0.005);
	for (int i = 0; i < 2; i++) {
		const double place[3] = {0.3 + 0.6 * i, 0.0, 0.0}, anchor[3] = {0.6 * i, 0.0, 0.0};
		AbutBodyDef *body = &scene->bodies[joint_scene_box(scene, half, 1.0, place)];
		body->angular_velocity[0] = 2.0;
		body->angular_velocity[2] = 1.0;
		AbutJointAxis *axis = joint_scene_joint(scene, ABUT_JOINT_BALL, i - 1, i, anchor, x)->axes;
		if (law == 0) {
			axis->has_limits = true;
			axis->lower = 0.2 + 0.1 * i;
			axis->upper = 0.3;
		} else if (law == 1) {
			axis->friction = 0.3 + i;
		} else {
			axis->armature = 0.02;
			axis->motor = (AbutMotorDef){
			    .type = ABUT_MOTOR_POSITION, .stiffness = 1e4, .damping = 10.0, .limit = 3.0 - i};
		}
	}
}

Test(method_joints, balls_move_as_with_single_level)
{
	for (int i = 0; i < n_methods; i++) {
		for (int law = 0; law < 3; law++) {
			JointScene one, two;
			make_balls(&one, law);
			make_balls(&two, law);
			expect_same_motion(i, &one, &two, 100, "balls", (unsigned)law);
		}
	}
}
