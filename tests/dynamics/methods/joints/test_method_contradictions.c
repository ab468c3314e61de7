/* Steps of method lcp in which joints hold what contacts hold too, and both contradict each other by the error of the
 * step before: feet that grip, on legs that cannot give way. */
#include "dynamics/methods/joints/method_joint_scenes.h"
#include "dynamics/methods/manifold/secant.h"

typedef struct Count {
	int steps, failed, relaxed;
} Count;

static void run(JointScene *scene, int steps, Count *count)
{
	scene->def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_LCP);
	joint_scene_make(scene);
	for (int i = 0; i < steps; i++) {
		AbutStepInfo info = {.row = 0};
		cr_assert_eq(abut_step(scene->model, scene->state, scene->workspace, &info), ABUT_OK);
		count->steps++;
		count->failed += info.outcome == ABUT_OUTCOME_FAILED;
		count->relaxed += info.outcome == ABUT_OUTCOME_RELAXED;
		if (info.outcome == ABUT_OUTCOME_FAILED) {
			break;
		}
	}
	joint_scene_end(scene);
}

/* Adds a leg with a round foot to the trunk, on a motor-driven hinge about y, so that it cannot give way along y while
 * its foot grips. */
static void add_leg(JointScene *scene, int trunk, double x, double y)
{
	static const double half[3] = {0.03, 0.03, 0.15}, about_y[3] = {0.0, 1.0, 0.0};
	const double at[3] = {x, y, 0.15}, anchor[3] = {x, y, 0.3};
	const int leg = joint_scene_box(scene, half, 0.4, at);
	AbutJointAxis *axis = joint_scene_joint(scene, ABUT_JOINT_HINGE, trunk, leg, anchor, about_y)->axes;
	axis->motor =
	    (AbutMotorDef){ABUT_MOTOR_VELOCITY, .damping = 20.0, .limit = 30.0, .target = x * y > 0.0 ? 0.3 : -0.3};
	abut_shape_destroy(scene->shapes[leg]);
	cr_assert_eq(abut_shape_create_capsule(0.05, 0.1, &scene->shapes[leg], NULL), ABUT_OK);
}

/* A trunk on six legs whose motors turn them, so that three and more feet grip at once. */
Test(method_contradictions, feet_that_grip_at_once_are_solved)
{
	static const double trunk[3] = {0.5, 0.2, 0.05}, middle[3] = {0.0, 0.0, 0.33};
	static JointScene scene;
	Count count = {0};
	for (unsigned seed = 0; seed < 8; seed++) {
		AbutRng rng = {seed};
		joint_scene_begin(&scene, 0.01);
		const int body = joint_scene_box(&scene, trunk, 5.0, middle);
		for (int i = 0; i < 6; i++) {
			add_leg(&scene, body, -0.4 + 0.4 * (i / 2) + abut_rng_uniform(&rng, -0.05, 0.05),
			        i % 2 ? 0.25 : -0.25);
		}
		joint_scene_floor(&scene);
		run(&scene, 200, &count);
	}
	cr_log_info("%d steps, %d failed, %d relaxed", count.steps, count.failed, count.relaxed);
	/* Without rigid joints and corrections, five of the eight runs fail, and 45 steps end relaxed. */
	cr_expect_eq(count.failed, 0);
	cr_expect_eq(count.relaxed, 0);
}

/* After a correction, A explains the change that it was made for. */
Test(method_contradictions, a_correction_explains_its_change)
{
	enum { N = 4 };
	AbutSecants secants = {.n = 0};
	AbutRng rng = {1};
	double A[N * N], s[N], r[N], product[N] = {0.0};
	cr_assert_eq(abut_secants_reserve(&secants, N), ABUT_OK);
	for (int i = 0; i < N * N; i++) {
		A[i] = i % N == i / N ? 1.0 : 0.1;
	}
	for (int i = 0; i < N; i++) {
		s[i] = abut_rng_normal(&rng);
		r[i] = abut_rng_normal(&rng);
	}
	cr_assert(abut_secants_add(&secants, N, r, s));
	abut_secants_multiply(&secants, N, s, product);
	abut_secants_correct(&secants, N, N, A);
	for (int i = 0; i < N; i++) {
		double sum = 0.0, before = 0.0;
		for (int j = 0; j < N; j++) {
			sum += A[N * i + j] * s[j];
			before += (i == j ? 1.0 : 0.1) * s[j];
			cr_expect_float_eq(A[N * i + j], A[N * j + i], 1e-14);
		}
		cr_expect_float_eq(product[i], r[i], 1e-14);
		cr_expect_float_eq(sum, before + r[i], 1e-14);
	}
	const double across[N] = {-s[1], s[0], -s[3], s[2]};
	cr_expect(!abut_secants_add(&secants, N, across, s));
	abut_secants_destroy(&secants);
}
