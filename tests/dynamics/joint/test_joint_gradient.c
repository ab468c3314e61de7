/* Compares derivatives of steps with joints with differences of steps. A second step starts from the end of the first,
 * so its derivative is compared through both: it includes what the joints remember of the step before. */
#include "dynamics/joint_scenes.h"
#include "dynamics/step_differences.h"

enum { BODIES = 3, ROWS = GRADIENT_ROWS * BODIES, COLUMNS = GRADIENT_COLUMNS * BODIES, SEEDS = 24 };

typedef double Matrix[ROWS * COLUMNS];

typedef enum Laws { LAWS_NONE, LAWS_SPRINGS, LAWS_LIMITS, LAWS_FRICTION, LAWS_MOTORS, LAWS_ALL, LAWS } Laws;

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
	if (laws == LAWS_MOTORS || all) {
		const AbutMotorType motor = (AbutMotorType)(1 + k % 3);
		axis->motor = (AbutMotorDef){.type = motor,
		                             .stiffness = motor == ABUT_MOTOR_POSITION ? (k % 2 ? 1e7 : 40.0) : 0.0,
		                             .damping = motor == ABUT_MOTOR_FORCE ? 0.0 : 2.0,
		                             .limit = k % 4 < 2 ? (double)INFINITY : k % 4 == 2 ? 1.5 : 3000.0,
		                             .target = 0.05};
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
		exact = exact && info.exact;
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

static double error_of(const AbutModel *model, const double *J, const double *D)
{
	return block_error(model, J, D);
}

typedef struct Tally {
	int n, refused;
	double worst;
	int type, laws;
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
	AbutStepInfo info;
	make_chain(&scene, type, laws, seed);
	cr_assert_eq(abut_state_create(scene.model, &before, NULL), ABUT_OK);
	cr_assert_eq(abut_gradient_create(scene.model, 0.0, &gradient, NULL), ABUT_OK);
	bool there = true;
	if (getenv("FLW")) { abut_step(scene.model, scene.state, scene.workspace, &info); abut_state_copy(scene.model, scene.state, before); steps = 1; }
	for (int i = 0; i < steps; i++) {
		AbutError error = {.status = ABUT_OK};
		cr_assert_eq(abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info),
		             ABUT_OK);
		there = there && info.exact && abut_gradient_matrix(gradient, i == 0 ? J : own, &error) == ABUT_OK;
		if (there && i > 0) {
			chain(own, J);
		}
	}
	if (there) {
		state_of(scene.model, scene.state, base);
		double error = INFINITY;
		for (int i = 0; i < 4 && !(error <= 1e-7); i++) {
			if (differences(&scene, before, base, h[i], steps, D)) {
				const double e = error_of(scene.model, J, D); if (getenv("FLV")) fprintf(stderr,"  h %g: %g\n", h[i], e);
				error = fmin(error, e);
			}
		}
		tally->n++;
		if (!(error <= tally->worst)) {
			*tally = (Tally){tally->n, tally->refused, error, (int)type, (int)laws, seed};
		}
		if (!(error <= 1e-7)) {
			cr_log_warn("type %d laws %d seed %u steps %d: %g", (int)type, (int)laws, seed, steps, error);
		}
	} else {
		tally->refused++;
	}
	abut_gradient_destroy(gradient);
	abut_state_destroy(before);
	joint_scene_end(&scene);
}

Test(joint_gradient, is_that_of_differences)
{
	for (int laws = 0; laws < LAWS; laws++) {
		Tally tally = {.worst = 0.0};
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			check((AbutJointType)(seed % ABUT_JOINT_TYPE_COUNT), (Laws)laws, seed, 1 + (int)(seed / 8 % 2),
			      &tally);
		}
		cr_log_info("laws %d: %d chains, worst %g (type %d, seed %u), %d refused", laws, tally.n, tally.worst,
		            tally.type, tally.seed, tally.refused);
		cr_expect_leq(tally.worst, 1e-7, "laws %d, type %d, seed %u: %g", laws, tally.type, tally.seed,
		              tally.worst);
		cr_expect_leq(tally.refused, (int)SEEDS / 6, "laws %d: %d refused", laws, tally.refused);
	}
}
