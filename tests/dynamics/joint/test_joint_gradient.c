/* Compares derivatives of steps with joints with differences of steps. A second step starts from the end of the first,
 * so its derivative is compared through both: it includes what the joints remember of the step before. */
#include "dynamics/joint_scenes.h"
#include "dynamics/step_differences.h"

enum { BODIES = 3, ROWS = GRADIENT_ROWS * BODIES, COLUMNS = GRADIENT_COLUMNS * BODIES, SEEDS = 24 };

typedef double Matrix[ROWS * COLUMNS];

typedef enum Laws {
	LAWS_NONE,
	LAWS_SPRINGS,
	LAWS_LIMITS,
	LAWS_FRICTION,
	LAWS_MOTORS,
	LAWS_ALL,
	LAWS_COUPLED,
	LAWS
} Laws;

static void set_laws(AbutJointAxis *axis, Laws laws, AbutRng *rng, unsigned k)
{
	const bool all = laws == LAWS_ALL;
	*axis = (AbutJointAxis){.has_limits = false};
	if (laws >= LAWS_SPRINGS) {
		axis->stiffness = abut_rng_uniform(rng, 1.0, 30.0);
		axis->damping = abut_rng_uniform(rng, 0.01, 0.3);
		axis->armature = abut_rng_uniform(rng, 0.01, 0.2);
		axis->reference = abut_rng_uniform(rng, -0.1, 0.1);
	}
	if (laws == LAWS_LIMITS || all) {
		axis->has_limits = true;
		axis->lower = k % 2 ? -1e-3 : -1.0;
		axis->upper = k % 3 ? 2e-3 : 0.8;
	}
	if (laws == LAWS_FRICTION || all) {
		axis->friction = k % 2 ? 2000.0 : 0.4;
	}
	/* a small effort: passive mechanisms may take a changed step in parts (dynamics/joint/energy.h) */
	axis->motor = (AbutMotorDef){.type = ABUT_MOTOR_FORCE, .limit = (double)INFINITY, .target = 1e-3};
	if (laws == LAWS_MOTORS || all) {
		const AbutMotorType motor = (AbutMotorType)(1 + k % 3);
		axis->motor = (AbutMotorDef){.type = motor,
		                             .stiffness = motor == ABUT_MOTOR_POSITION ? (k % 2 ? 1e7 : 40.0) : 0.0,
		                             .damping = motor == ABUT_MOTOR_FORCE ? 0.0 : 2.0,
		                             .limit = k % 4 < 2    ? (double)INFINITY
		                                      : k % 4 == 2 ? 1.5
		                                                   : 3000.0,
		                             .target = 0.05};
	}
}

/* Returns the last freedom of a joint with coordinates; -1 for other joints. */
static int last_freedom(const AbutJointDef *joint)
{
	return joint->type == ABUT_JOINT_BALL ? -1 : abut_joint_type_freedoms(joint->type) - 1;
}

/* Couples each joint to the next one with coordinates. */
static void couple_chain(JointScene *scene, Laws laws, AbutRng *rng)
{
	for (int i = 0, before = -1; laws == LAWS_COUPLED && i < BODIES; i++) {
		const int axis = last_freedom(&scene->joints[i]);
		if (axis >= 0 && before >= 0) {
			AbutCouplingDef *coupling =
			    joint_scene_couple(scene, i, before, abut_rng_uniform(rng, -2.0, -0.5));
			coupling->axis[0] = axis;
			coupling->axis[1] = last_freedom(&scene->joints[before]);
		}
		before = axis >= 0 ? i : before;
	}
}

/* A chain on the world: the first joint of the type, the others of the next types. */
static void make_chain(JointScene *scene, AbutJointType type, Laws laws, unsigned seed)
{
	AbutRng rng = {seed};
	const double half[3] = {0.3, 0.2, 0.15};
	joint_scene_begin(scene, 0.01);
	scene->def.solver.tolerance = 1e-13;
	for (int i = 0; i < BODIES; i++) {
		const double place[3] = {0.5 * i, 0.3 * i, -0.4 * i};
		AbutBodyDef *body = &scene->bodies[joint_scene_box(scene, half, 1.0 + i, place)];
		for (int k = 0; k < 4; k++) {
			body->orientation[k] = abut_rng_uniform(&rng, -1.0, 1.0);
		}
		abut_quat_normalise(body->orientation);
		for (int k = 0; k < 3; k++) {
			body->linear_velocity[k] = abut_rng_uniform(&rng, -0.5, 0.5);
			body->angular_velocity[k] = abut_rng_uniform(&rng, -2.0, 2.0);
			body->force[k] = abut_rng_uniform(&rng, -2.0, 2.0);
			body->torque[k] = abut_rng_uniform(&rng, -0.5, 0.5);
		}
	}
	for (int i = 0; i < BODIES; i++) {
		double anchor[3], axis[3];
		const AbutJointType own = (AbutJointType)(((int)type + i) % ABUT_JOINT_TYPE_COUNT);
		for (int k = 0; k < 3; k++) {
			anchor[k] = scene->bodies[i].position[k] + abut_rng_uniform(&rng, -0.3, 0.3);
			axis[k] = abut_rng_uniform(&rng, -1.0, 1.0);
		}
		AbutJointDef *joint = joint_scene_joint(scene, own, i - 1, i, anchor, axis);
		const unsigned n = own == ABUT_JOINT_BALL ? 0 : (unsigned)abut_joint_type_freedoms(own);
		for (unsigned k = 0; k < n; k++) {
			set_laws(&joint->axes[k], laws, &rng, seed + k + (unsigned)i);
		}
	}
	couple_chain(scene, laws, &rng);
	joint_scene_make(scene);
}

/* Takes `steps` steps from `before`, with a column changed. Returns whether all are exact. */
static bool run_changed(JointScene *scene, const AbutState *before, int column, double by, int steps,
                        AbutBodyState *next)
{
	AbutStepInfo info = {.exact = true};
	bool exact = true;
	cr_assert_eq(abut_state_copy(scene->model, before, scene->state), ABUT_OK);
	change_state(scene->model, scene->state, column, by);
	for (int i = 0; i < steps; i++) {
		cr_assert_eq(abut_step(scene->model, scene->state, scene->workspace, &info), ABUT_OK);
		exact = exact && info.exact && info.parts == 1;
	}
	state_of(scene->model, scene->state, next);
	return exact;
}

static bool differences(JointScene *scene, const AbutState *before, const AbutBodyState *base, double h, int steps,
                        double *out)
{
	static const double at[4] = {1.0, -1.0, 2.0, -2.0};
	for (int column = 0; column < COLUMNS; column++) {
		double d[4][ROWS];
		for (int i = 0; i < 4; i++) {
			AbutBodyState next[BODIES];
			if (!run_changed(scene, before, column, at[i] * h, steps, next)) {
				return false;
			}
			difference_of(BODIES, base, next, d[i]);
		}
		for (int r = 0; r < ROWS; r++) {
			out[r * COLUMNS + column] = (8.0 * (d[0][r] - d[1][r]) - (d[2][r] - d[3][r])) / (12.0 * h);
		}
	}
	return true;
}

/* J = later's state columns times J, plus later's input columns. */
static void chain(const double *later, double *J)
{
	static Matrix product;
	for (int r = 0; r < ROWS; r++) {
		for (int c = 0; c < COLUMNS; c++) {
			double sum = c % GRADIENT_COLUMNS < GRADIENT_ROWS ? 0.0 : later[r * COLUMNS + c];
			for (int k = 0; k < ROWS; k++) {
				sum += later[r * COLUMNS + k / GRADIENT_ROWS * GRADIENT_COLUMNS + k % GRADIENT_ROWS] *
				       J[k * COLUMNS + c];
			}
			product[r * COLUMNS + c] = sum;
		}
	}
	memcpy(J, product, sizeof product);
}

typedef struct Tally {
	int n, refused, beyond;
	double worst;
	int type; /* of the worst */
	unsigned seed;
} Tally;

static void check(AbutJointType type, Laws laws, unsigned seed, int steps, Tally *tally)
{
	static const double h[] = {1e-4, 1e-3, 3e-4, 1e-5};
	static Matrix J, own, D;
	static JointScene scene;
	AbutState *before;
	AbutGradient *gradient;
	AbutBodyState base[BODIES];
	AbutStepInfo info = {.row = 0};
	make_chain(&scene, type, laws, seed);
	cr_assert_eq(abut_state_create(scene.model, &before, NULL), ABUT_OK);
	cr_assert_eq(abut_gradient_create(scene.model, 0.0, &gradient, NULL), ABUT_OK);
	bool there = true;
	for (int i = 0; i < steps; i++) {
		cr_assert_eq(abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info),
		             ABUT_OK);
		there = there && info.exact && abut_gradient_matrix(gradient, i == 0 ? J : own, NULL) == ABUT_OK;
		if (there && i > 0) {
			chain(own, J);
		}
	}
	if (there) {
		state_of(scene.model, scene.state, base);
		double error = INFINITY;
		for (int i = 0; i < 4 && !(error <= 1e-7); i++) {
			if (differences(&scene, before, base, h[i], steps, D)) {
				error = fmin(error, block_error(scene.model, J, D));
			}
		}
		tally->n++;
		if (!(error <= tally->worst)) {
			tally->worst = error;
			tally->type = (int)type;
			tally->seed = seed;
		}
		tally->beyond += !(error <= 1e-7);
	} else {
		tally->refused++;
	}
	abut_gradient_destroy(gradient);
	abut_state_destroy(before);
	joint_scene_end(&scene);
}

/* Steps are solved to 1e-11 or so, which the differences divide by h and by the timestep: errors grow as 1 / h. Most
 * are within 1e-7. */
Test(joint_gradient, is_that_of_differences)
{
	for (int laws = 0; laws < LAWS; laws++) {
		Tally tally = {.worst = 0.0};
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			check((AbutJointType)(seed % ABUT_JOINT_TYPE_COUNT), (Laws)laws, seed, 1 + (int)(seed / 8 % 2),
			      &tally);
		}
		cr_log_info("laws %d: %d chains, %d beyond 1e-7, worst %g (type %d, seed %u), %d refused", laws,
		            tally.n, tally.beyond, tally.worst, tally.type, tally.seed, tally.refused);
		cr_expect_leq(tally.worst, 1e-6, "laws %d, type %d, seed %u: %g", laws, tally.type, tally.seed,
		              tally.worst);
		cr_expect_leq(3 * tally.beyond, tally.n, "laws %d: %d of %d beyond 1e-7", laws, tally.beyond, tally.n);
		cr_expect_leq(4 * tally.refused, (int)SEEDS, "laws %d: %d refused", laws, tally.refused);
	}
}

/* What acts on a ball has no derivative yet. */
Test(joint_gradient, of_a_ball_with_a_spring_is_refused)
{
	static const double half[3] = {0.2, 0.1, 0.1}, place[3] = {0.2, 0.0, 0.0}, origin[3] = {0.0, 0.0, 0.0};
	static JointScene scene;
	static double J[GRADIENT_ROWS * GRADIENT_COLUMNS];
	AbutGradient *gradient;
	AbutError error = {.status = ABUT_OK};
	AbutStepInfo info = {.row = 0};
	joint_scene_begin(&scene, 0.01);
	joint_scene_box(&scene, half, 1.0, place);
	joint_scene_joint(&scene, ABUT_JOINT_BALL, ABUT_JOINT_WORLD, 0, origin, place)->axes[0].stiffness = 2.0;
	joint_scene_make(&scene);
	cr_assert_eq(abut_gradient_create(scene.model, 0.0, &gradient, NULL), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info), ABUT_OK);
	cr_expect_eq(abut_gradient_matrix(gradient, J, &error), ABUT_ERROR_NUMERICAL);
	cr_expect(strstr(error.message, "joint 'n0' is a ball with a spring"), "%s", error.message);
	abut_gradient_destroy(gradient);
	joint_scene_end(&scene);
}

/* On the path all laws are smooth. */
Test(joint_gradient, is_that_of_differences_on_the_path)
{
	static const double sizes[] = {1e-5, 3e-6, 3e-5, 1e-4, 3e-4}, kappa = 1e-2, at[4] = {1.0, -1.0, 2.0, -2.0};
	static Matrix J, D;
	static JointScene scene;
	for (unsigned seed = 0; seed < 2 * ABUT_JOINT_TYPE_COUNT; seed++) {
		AbutState *before;
		AbutGradient *gradient;
		static AbutBodyState base[BODIES], next[BODIES];
		AbutStepInfo info = {.row = 0};
		make_chain(&scene, (AbutJointType)(seed % ABUT_JOINT_TYPE_COUNT),
		           seed < ABUT_JOINT_TYPE_COUNT ? LAWS_ALL : LAWS_COUPLED, seed);
		cr_assert_eq(abut_state_create(scene.model, &before, NULL), ABUT_OK);
		cr_assert_eq(abut_gradient_create(scene.model, kappa, &gradient, NULL), ABUT_OK);
		cr_assert_eq(abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info),
		             ABUT_OK);
		cr_assert_eq(abut_gradient_matrix(gradient, J, NULL), ABUT_OK, "seed %u", seed);
		next_of(scene.model, gradient, base);
		double error = INFINITY;
		for (int k = 0; k < 5 && !(error <= 1e-7); k++) {
			for (int column = 0; column < COLUMNS; column++) {
				double d[4][ROWS];
				for (int i = 0; i < 4; i++) {
					cr_assert_eq(abut_state_copy(scene.model, before, scene.state), ABUT_OK);
					change_state(scene.model, scene.state, column, at[i] * sizes[k]);
					cr_assert_eq(abut_step_differentiate(scene.model, scene.state, scene.workspace,
					                                     gradient, &info),
					             ABUT_OK);
					next_of(scene.model, gradient, next);
					difference_of(BODIES, base, next, d[i]);
				}
				for (int r = 0; r < ROWS; r++) {
					D[r * COLUMNS + column] =
					    (8.0 * (d[0][r] - d[1][r]) - (d[2][r] - d[3][r])) / (12.0 * sizes[k]);
				}
			}
			error = fmin(error, block_error(scene.model, J, D));
		}
		cr_log_info("on the path, type %u: %g", seed, error);
		cr_expect_leq(error, 1e-7, "type %u: %g", seed, error);
		abut_gradient_destroy(gradient);
		abut_state_destroy(before);
		joint_scene_end(&scene);
	}
}

/* Products with the matrix and its transpose agree with the matrix, also in the second step, which has a step before.
 */
Test(joint_gradient, products_are_those_of_the_matrix)
{
	static Matrix J;
	static JointScene scene;
	for (unsigned seed = 0; seed < 2 * ABUT_JOINT_TYPE_COUNT; seed++) {
		AbutRng rng = {seed};
		AbutGradient *gradient;
		AbutStepInfo info = {.row = 0};
		double change[COLUMNS], next[ROWS], by_next[ROWS], back[COLUMNS], forward = 0.0, backward = 0.0;
		make_chain(&scene, (AbutJointType)(seed % ABUT_JOINT_TYPE_COUNT), LAWS_SPRINGS, seed);
		cr_assert_eq(abut_gradient_create(scene.model, 0.0, &gradient, NULL), ABUT_OK);
		for (unsigned i = 0; i <= seed / ABUT_JOINT_TYPE_COUNT; i++) {
			cr_assert_eq(
			    abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info),
			    ABUT_OK);
		}
		cr_assert_eq(abut_gradient_matrix(gradient, J, NULL), ABUT_OK);
		for (int c = 0; c < COLUMNS; c++) {
			change[c] = abut_rng_normal(&rng);
		}
		for (int r = 0; r < ROWS; r++) {
			by_next[r] = abut_rng_normal(&rng);
		}
		cr_assert_eq(abut_gradient_forward(gradient, change, NULL, next, NULL), ABUT_OK);
		cr_assert_eq(abut_gradient_backward(gradient, by_next, back, NULL, NULL), ABUT_OK);
		for (int r = 0; r < ROWS; r++) {
			double sum = 0.0, size = 0.0;
			for (int c = 0; c < COLUMNS; c++) {
				sum += J[r * COLUMNS + c] * change[c];
				size += fabs(J[r * COLUMNS + c] * change[c]);
			}
			cr_expect_leq(fabs(sum - next[r]), fmin(1e-6, 1e-7 * (1.0 + size)),
			              "seed %u, row %d: %g and %g", seed, r, sum, next[r]);
			forward += by_next[r] * next[r];
		}
		for (int c = 0; c < COLUMNS; c++) {
			backward += back[c] * change[c];
		}
		cr_expect_leq(fabs(forward - backward), 1e-8 * (1.0 + fabs(forward)), "seed %u: %g and %g", seed,
		              forward, backward);
		abut_gradient_destroy(gradient);
		joint_scene_end(&scene);
	}
}
