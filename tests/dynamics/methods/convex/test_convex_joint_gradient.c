/* Compares derivatives of steps of method convex with joints, on which nothing soft acts, with differences of steps;
 * and checks that those on which something does are refused. */
#include "dynamics/methods/joints/method_joint_scenes.h"
#include "dynamics/step_differences.h"
#include "effort.h"

enum { LINKS = 3, ROWS = GRADIENT_ROWS * (LINKS + 1), WIDTH = GRADIENT_COLUMNS * (LINKS + 1) };

/* Lets the rates of joints in the last step follow from the bodies' velocities, as a derivative takes them. */
static void forget_rates(const AbutModel *model, AbutState *state)
{
	for (int i = 0; i < model->joints.n; i++) {
		state->joints[i].timestep = 0.0;
	}
}

/* A tree with springs, dampers, armatures and motors, and with `laws` also limits and dry friction, beside a box on a
 * floor. */
static void begin(JointScene *scene, bool laws, unsigned seed)
{
	static const double half[3] = {0.2, 0.2, 0.2}, place[3] = {30.0, 0.0, 0.198}, up[3] = {0.0, 0.0, 1.0};
	joint_scene_tree(scene, LINKS, 0.005, seed);
	for (int i = 0; i < scene->def.n_joints; i++) {
		for (int k = 0; k < ABUT_JOINT_FREEDOMS; k++) {
			AbutJointAxis *axis = &scene->joints[i].axes[k];
			axis->has_limits = axis->has_limits && laws;
			axis->lower = -0.01;
			axis->upper = 0.01;
			axis->friction = laws ? axis->friction : 0.0;
		}
	}
	const int box = joint_scene_box(scene, half, 1.0, place);
	scene->bodies[box].linear_velocity[0] = 0.3;
	const int floor = scene->def.n_bodies++;
	cr_assert_eq(abut_shape_create_halfspace(up, 0.0, &scene->shapes[floor], NULL), ABUT_OK);
	scene->bodies[floor] = abut_body_def_default();
	scene->bodies[floor].name = "floor";
	scene->bodies[floor].is_static = true;
	scene->bodies[floor].n_parts = 1;
	scene->bodies[floor].parts = (const AbutShape *const *)&scene->shapes[floor];
	static AbutPairDef pair;
	pair = (AbutPairDef){
	    .body_a = box, .body_b = floor, .friction = 0.5, .torsional_radius = -1.0, .restitution = -1.0};
	scene->def.pairs = &pair;
	scene->def.n_pairs = 1;
	scene->def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_CONVEX);
	joint_scene_make(scene);
}

/* Returns the largest error of a column, as a share of `size`, of differences with the increment h. */
static double error_of(JointScene *scene, const AbutState *before, const AbutBodyState *base, const double *J,
                       int column, double h, double size)
{
	static const double at[4] = {1.0, -1.0, 2.0, -2.0}, weight[4] = {8.0, -8.0, -1.0, 1.0};
	double difference[ROWS] = {0.0}, worst = 0.0;
	for (int i = 0; i < 4; i++) {
		AbutStepInfo info = {.row = 0};
		AbutBodyState next[LINKS + 1];
		double d[ROWS];
		cr_assert_eq(abut_state_copy(scene->model, before, scene->state), ABUT_OK);
		change_state(scene->model, scene->state, column, at[i] * h);
		cr_assert_eq(abut_step(scene->model, scene->state, scene->workspace, &info), ABUT_OK);
		state_of(scene->model, scene->state, next);
		difference_of(LINKS + 1, base, next, d);
		for (int r = 0; r < ROWS; r++) {
			difference[r] += weight[i] * d[r] / (12.0 * h);
		}
	}
	for (int r = 0; r < ROWS; r++) {
		worst = fmax(worst, fabs(difference[r] - J[r * WIDTH + column]));
	}
	return worst / size;
}

typedef struct Tally {
	int steps, laws;
	double worst;
} Tally;

static void compare(bool laws, unsigned seeds, Tally *tally)
{
	static double J[ROWS * WIDTH];
	for (unsigned seed = 0; seed < seeds; seed++) {
		JointScene scene;
		AbutGradient *gradient;
		AbutState *before;
		AbutBodyState base[LINKS + 1];
		AbutStepInfo info = {.row = 0};
		AbutError error = {.status = ABUT_OK};
		begin(&scene, laws, seed);
		cr_assert_eq(abut_gradient_create(scene.model, 0.0, &gradient, &error), ABUT_OK, "%s", error.message);
		cr_assert_eq(abut_state_create(scene.model, &before, NULL), ABUT_OK);
		for (unsigned i = 0; i < 5 + seed % 20; i++) {
			cr_assert_eq(abut_step(scene.model, scene.state, scene.workspace, &info), ABUT_OK);
		}
		forget_rates(scene.model, scene.state);
		cr_assert_eq(abut_state_copy(scene.model, scene.state, before), ABUT_OK);
		cr_assert_eq(abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info),
		             ABUT_OK);
		state_of(scene.model, scene.state, base);
		if (abut_gradient_matrix(gradient, J, &error) == ABUT_OK) {
			double size[2] = {1.0, 0.0};
			for (int i = 0; i < ROWS * WIDTH; i++) {
				double *of = &size[i % WIDTH % GRADIENT_COLUMNS < ABUT_GRADIENT_FORCE ? 0 : 1];
				*of = fmax(*of, fabs(J[i]));
			}
			for (int c = 0; c < WIDTH; c++) {
				const double own = size[c % GRADIENT_COLUMNS < ABUT_GRADIENT_FORCE ? 0 : 1];
				double best = INFINITY;
				for (double h = 1e-3; h > 1e-7 && best > 1e-7; h *= 0.1) {
					best = fmin(best, error_of(&scene, before, base, J, c, h, own));
				}
				cr_expect_leq(best, 1e-6, "seed %u, column %d: %g", seed, c, best);
				tally->worst = fmax(tally->worst, best);
			}
			tally->steps++;
			for (int i = 0; i < scene.def.n_joints; i++) {
				const AbutJointState joint = joint_scene_read(&scene, i);
				for (int k = 0; k < joint.n_axes; k++) {
					tally->laws += joint.limit_effort[k] != 0.0 || joint.friction_effort[k] != 0.0;
				}
			}
		} else {
			cr_log_info("seed %u: %s", seed, error.message);
		}
		abut_state_destroy(before);
		abut_gradient_destroy(gradient);
		joint_scene_end(&scene);
	}
}

Test(convex_joint_gradient, agrees_with_differences)
{
	Tally tally = {0};
	compare(false, (unsigned)TEST_EFFORT(40), &tally);
	cr_log_info("%d steps, worst %g", tally.steps, tally.worst);
	cr_expect_geq(tally.steps, TEST_EFFORT(40) * 3 / 4);
}

/* Soft limits and soft dry friction act on the joints. */
Test(convex_joint_gradient, with_laws_agrees_with_differences)
{
	Tally tally = {0};
	compare(true, (unsigned)TEST_EFFORT(120), &tally);
	cr_log_info("%d steps with %d laws, worst %g", tally.steps, tally.laws, tally.worst);
	cr_expect_geq(tally.steps, TEST_EFFORT(120) / 2);
	cr_expect_geq(tally.laws, TEST_EFFORT(120) / 4);
}

/* Derivatives by masses and all parameters of joints are those of method single-level, which has the same step. */
Test(convex_joint_gradient, by_parameters_is_that_of_single_level)
{
	enum { MOST = 400 };
	static double J[2][GRADIENT_ROWS * LINKS * MOST];
	int compared = 0;
	for (unsigned seed = 0; seed < 20; seed++) {
		int n[2], rows = 0;
		bool there = true;
		for (int i = 0; i < 2; i++) {
			JointScene scene;
			AbutGradient *gradient;
			AbutStepInfo info = {.row = 0};
			AbutError error = {.status = ABUT_OK};
			AbutParameter all[MOST];
			joint_scene_tree(&scene, LINKS, 0.005, seed);
			for (int k = 0; k < ABUT_JOINT_FREEDOMS * scene.def.n_joints; k++) {
				AbutJointAxis *axis =
				    &scene.joints[k / ABUT_JOINT_FREEDOMS].axes[k % ABUT_JOINT_FREEDOMS];
				axis->has_limits = false;
				axis->friction = 0.0;
			}
			scene.def.solver = abut_solver_options_preset(
			    ABUT_PRESET_NONE, i == 0 ? ABUT_METHOD_CONVEX : ABUT_METHOD_SINGLE_LEVEL);
			joint_scene_make(&scene);
			cr_assert_eq(abut_gradient_create(scene.model, 0.0, &gradient, &error), ABUT_OK, "%s",
			             error.message);
			n[i] = abut_parameter_list(scene.model, ABUT_PARAMETER_MASS, MOST, all);
			for (int kind = ABUT_PARAMETER_MOTOR; kind < ABUT_PARAMETER_COUNT; kind++) {
				n[i] +=
				    abut_parameter_list(scene.model, (AbutParameterKind)kind, MOST - n[i], &all[n[i]]);
			}
			cr_assert_eq(abut_gradient_select(gradient, n[i], all, &error), ABUT_OK, "%s", error.message);
			for (int k = 0; k < 8; k++) {
				cr_assert_eq(
				    abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info),
				    ABUT_OK);
			}
			rows = GRADIENT_ROWS * scene.model->n_moving;
			there = abut_gradient_parameters(gradient, J[i], NULL) == ABUT_OK && there;
			abut_gradient_destroy(gradient);
			joint_scene_end(&scene);
		}
		cr_assert_eq(n[0], n[1]);
		for (int k = 0; there && k < rows * n[0]; k++) {
			cr_expect_float_eq(J[0][k], J[1][k], 1e-7 * (1.0 + fabs(J[1][k])), "seed %u, %d: %g, not %g",
			                   seed, k, J[0][k], J[1][k]);
			compared += J[1][k] != 0.0;
		}
	}
	cr_expect_geq(compared, 2000, "%d", compared);
}

/* A spring that holds a coupling has no derivative, nor has a contact of a joined body. */
Test(convex_joint_gradient, is_refused_where_something_soft_acts)
{
	static double J[ROWS * WIDTH];
	for (int what = 0; what < 2; what++) {
		JointScene scene;
		AbutGradient *gradient;
		AbutStepInfo info = {.row = 0};
		AbutError error = {.status = ABUT_OK};
		static const double half[3] = {0.2, 0.1, 0.1}, z[3] = {0.0, 0.0, 1.0};
		const AbutPairDef pair = {
		    .body_a = 0, .body_b = 1, .friction = 0.5, .torsional_radius = -1.0, .restitution = -1.0};
		joint_scene_begin(&scene, 0.005);
		for (int i = 0; i < 2; i++) {
			const double place[3] = {what == 0 ? 2.0 * i : 0.0, what == 0 ? 0.0 : 0.199 * i, 0.0};
			joint_scene_box(&scene, half, 1.0, place);
			if (what == 0 || i == 0) {
				joint_scene_joint(&scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, i, place, z);
			}
		}
		if (what == 0) {
			joint_scene_couple(&scene, 0, 1, 0.5)->has_equality_spring = true;
		}
		scene.def.pairs = &pair;
		scene.def.n_pairs = 1;
		scene.def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_CONVEX);
		joint_scene_make(&scene);
		cr_assert_eq(abut_gradient_create(scene.model, 0.0, &gradient, &error), ABUT_OK, "%s", error.message);
		for (int i = 0; i < 3; i++) {
			cr_assert_eq(
			    abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info),
			    ABUT_OK);
		}
		cr_expect_eq(abut_gradient_matrix(gradient, J, &error), ABUT_ERROR_NUMERICAL, "%d", what);
		cr_expect(strstr(error.message, "the mechanism of joint 'n0'") && strstr(error.message, "convex"),
		          "%d: %s", what, error.message);
		abut_gradient_destroy(gradient);
		joint_scene_end(&scene);
	}
}

/* Dry friction of the slide that closes the loop of a crank has no derivative, and that of a tree none by masses. */
Test(convex_joint_gradient, says_whether_a_loop_or_a_parameter_is_why_laws_are_refused)
{
	static const double half[3] = {0.1, 0.1, 0.1}, x[3] = {1.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
	static const double places[3][3] = {{0.0, 0.0, 0.25}, {0.4, 0.0, 0.6}, {0.8, 0.0, 0.0}};
	static const double corners[4][3] = {{0.0, 0.0, 0.0}, {0.1, 0.0, 0.5}, {0.8, 0.0, 0.0}, {0.8, 0.0, 0.0}};
	static const char closes[] = "soft dry friction acts on joint 'n3', which closes a loop";
	static const char mobile[] = "depend on the mobility of the mechanism of joint 'n0'";
	static double J[ROWS * WIDTH];
	for (int loop = 0; loop < 2; loop++) {
		JointScene scene;
		AbutGradient *gradient;
		AbutStepInfo info = {.row = 0};
		AbutError error = {.status = ABUT_OK};
		AbutParameter mass;
		int seen = 0;
		joint_scene_begin(&scene, 0.005);
		scene.def.gravity[0] = 3.0;
		for (int i = 0; i < 3; i++) {
			joint_scene_box(&scene, half, 1.0, places[i]);
		}
		for (int i = 0; i < (loop ? 4 : 3); i++) {
			const bool slide = i == 3;
			joint_scene_joint(&scene, slide ? ABUT_JOINT_SLIDE : ABUT_JOINT_HINGE,
			                  i == 0 || slide ? ABUT_JOINT_WORLD : i - 1, slide ? 2 : i, corners[i],
			                  slide ? x : y);
			scene.joints[i].axes[0].friction = 1e-3;
		}
		scene.def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_CONVEX);
		joint_scene_make(&scene);
		cr_assert_eq(abut_gradient_create(scene.model, 0.0, &gradient, &error), ABUT_OK, "%s", error.message);
		cr_assert_geq(abut_parameter_list(scene.model, ABUT_PARAMETER_MASS, 1, &mass), 1);
		cr_assert_eq(abut_gradient_select(gradient, 1, &mass, &error), ABUT_OK, "%s", error.message);
		for (int i = 0; i < 60; i++) {
			cr_assert_eq(
			    abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info),
			    ABUT_OK);
			if (i < 20 || !info.exact) {
				continue;
			}
			const bool has = abut_gradient_matrix(gradient, J, &error) == ABUT_OK;
			cr_expect_eq(has, !loop, "%d, step %d: %s", loop, i, error.message);
			cr_expect(!loop || strstr(error.message, closes), "step %d: %s", i, error.message);
			cr_expect_eq(abut_gradient_parameters(gradient, J, &error), ABUT_ERROR_NUMERICAL);
			cr_expect(strstr(error.message, loop ? closes : mobile), "step %d: %s", i, error.message);
			seen++;
		}
		cr_expect_geq(seen, 3, "%d: %d", loop, seen);
		abut_gradient_destroy(gradient);
		joint_scene_end(&scene);
	}
}
