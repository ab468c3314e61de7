/* Measures the derivatives of steps of robots, and central differences instead. Both are taken of the same steps, so
 * that their ratio does not depend on the machine's load. */
#include "experiments/robots/derivative_time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abut/linear.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "experiments/peers/peers.h"
#include "experiments/robots/jacobian_time.h"
#include "experiments/robots/models.h"
#include "experiments/robots/robot_abut.h"

static const double timestep = 0.01;
enum {
	FOLDER = 64,
	HOLD = 5 /* steps with the same targets, of which the last is measured */,
	STEPS = 150,
	REPEATS = 3
};

#define BOTH_METHODS(name, robot, mujoco)                                                                              \
	{name "_single_level", robot, ABUT_METHOD_SINGLE_LEVEL, 20.0, mujoco},                                         \
	{                                                                                                              \
		name "_lcp", robot, ABUT_METHOD_LCP, 20.0, 0.0                                                         \
	}

const double abut_derivative_joint_bound = 2.5;
const AbutDerivativeCase abut_derivative_cases[] = {BOTH_METHODS("own_ant", NULL, 0.0),
                                                    BOTH_METHODS("ant", "ant", 3.0),
                                                    BOTH_METHODS("half_cheetah", "half-cheetah", 2.0),
                                                    {"hopper", "hopper", ABUT_METHOD_SINGLE_LEVEL, 20.0, 1.5},
                                                    {"humanoid", "humanoid", ABUT_METHOD_SINGLE_LEVEL, 20.0, 3.0},
                                                    {"a1", "A1", ABUT_METHOD_SINGLE_LEVEL, 20.0, 3.0},
                                                    BOTH_METHODS("atlas", "Atlas", 0.0)};
const int abut_derivative_case_count = sizeof abut_derivative_cases / sizeof *abut_derivative_cases;

bool abut_derivative_case_chosen(int index, const char *prefix)
{
	return !prefix || strncmp(abut_derivative_cases[index].name, prefix, strlen(prefix)) == 0;
}

static const AbutRobotSource *source_of(const AbutDerivativeCase *which)
{
	for (int i = 0; i < abut_robot_source_count; i++) {
		if (strcmp(abut_robot_sources[i].name, which->robot) == 0) {
			return &abut_robot_sources[i];
		}
	}
	return NULL;
}

bool abut_derivative_case_exists(const AbutDerivativeCase *which, const char *data)
{
	return !which->robot || abut_robot_source_exists(source_of(which), data);
}

/* A robot that is measured. Our own ant has no file. */
typedef struct Job {
	AbutWorld world;
	AbutBenchRobot *ant;
	AbutRobotModel model;
	AbutRng rng;
	AbutState *probe;
	AbutJacobianClock clock;
	AbutLinear *linear;
	double *A, *B;
	char folder[FOLDER]; /* of a model that is written for MuJoCo; empty: none */
	AbutPeerWorld *peer; /* NULL: MuJoCo does not run */
	AbutRng start;       /* of the targets */
} Job;

static void close_job(Job *job)
{
	if (job->peer) {
		abut_peer_mujoco.engines[0].destroy(job->peer);
	}
	free(job->A);
	free(job->B);
	abut_linear_destroy(job->linear);
	abut_jacobian_clock_destroy(&job->clock);
	abut_state_destroy(job->probe);
	abut_world_close(&job->world);
	abut_robot_model_close(&job->model);
	if (job->folder[0]) {
		if (strncmp(job->model.path, job->folder, strlen(job->folder)) == 0) {
			unlink(job->model.path);
		}
		rmdir(job->folder);
	}
	free(job->ant);
}

static AbutStatus open_ant(const AbutDerivativeCase *which, Job *job, AbutError *error)
{
	AbutRobotWorld ant = {.robot = NULL};
	job->ant = calloc(1, sizeof *job->ant);
	if (!job->ant) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a robot");
	}
	abut_robot_ant(0.55, job->ant);
	const AbutStatus status = abut_bench_robot_create(job->ant, which->method, timestep, &ant, error);
	job->world = ant.world;
	return status;
}

static AbutStatus open_file(const AbutDerivativeCase *which, const char *data, Job *job, AbutError *error)
{
	const AbutRobotFolders folders = {"", data, job->folder};
	snprintf(job->folder, sizeof job->folder, "%s/abut_bench_XXXXXX", P_tmpdir);
	if (!mkdtemp(job->folder)) {
		job->folder[0] = '\0';
		return abut_error_set(error, ABUT_ERROR_SYSTEM, NULL, "no folder can be made in %s", P_tmpdir);
	}
	ABUT_TRY(abut_robot_model_open(source_of(which), &folders, &job->model, error));
	AbutSceneDef *def = &job->model.imported.def;
	def->solver = abut_solver_options_preset(ABUT_PRESET_NONE, which->method);
	def->timestep = timestep;
	return abut_world_open(&job->world, def, error);
}

/* Sets the sizes of a case. */
static AbutStatus count(const Job *job, AbutDerivativeResult *out, AbutError *error)
{
	AbutRobot *robot = NULL;
	const AbutStatus status = abut_robot_create(job->world.model, &robot, error);
	out->coordinates = status == ABUT_OK ? abut_robot_velocity_count(robot) : 0;
	abut_robot_destroy(robot);
	const AbutSceneDef *def = &job->model.imported.def;
	out->motors = job->ant ? abut_model_joint_count(job->world.model) : 0;
	for (int i = 0; !job->ant && i < def->n_joints; i++) {
		for (int k = 0; k < abut_joint_type_freedoms(def->joints[i].type); k++) {
			out->motors += def->joints[i].axes[k].motor.type != ABUT_MOTOR_NONE;
		}
	}
	for (int i = 0; i < abut_model_body_count(job->world.model); i++) {
		out->bodies += !abut_model_body_is_static(job->world.model, i);
	}
	return status;
}

static void set_target(void *context, int joint, int axis, double target)
{
	const Job *job = context;
	abut_state_set_motor(job->world.model, job->world.state, joint, axis, target);
}

/* Sets random targets of all motors. */
static void drive(Job *job)
{
	if (!job->ant) {
		abut_imported_drive(&job->model.imported.def, &job->rng, set_target, job);
		return;
	}
	for (int i = 0; i < abut_model_joint_count(job->world.model); i++) {
		set_target(job, i, 0, job->ant->effort * abut_rng_uniform(&job->rng, -1.0, 1.0));
	}
}

/* --- differences --- */

/* Sets the probe to the state before the step, with one column of a body changed. */
static void change(const Job *job, int body, int column, double by)
{
	double input[6] = {0.0};
	AbutBodyState at;
	abut_state_copy(job->world.model, job->world.state, job->probe);
	abut_state_get_body(job->world.model, job->probe, body, &at);
	if (column >= ABUT_GRADIENT_FORCE) {
		input[column - ABUT_GRADIENT_FORCE] = by;
		abut_state_set_input(job->world.model, job->probe, body, input, input + 3);
		return;
	}
	if (column >= ABUT_GRADIENT_ANGULAR) {
		at.angular_velocity[column - ABUT_GRADIENT_ANGULAR] += by;
	} else if (column >= ABUT_GRADIENT_LINEAR) {
		at.linear_velocity[column - ABUT_GRADIENT_LINEAR] += by;
	} else if (column >= ABUT_GRADIENT_ROTATION) {
		double turn[4] = {1.0, 0.0, 0.0, 0.0}, q[4];
		turn[1 + column - ABUT_GRADIENT_ROTATION] = 0.5 * by;
		abut_quat_mul(at.orientation, turn, q);
		abut_quat_normalise(q);
		memcpy(at.orientation, q, sizeof q);
	} else {
		at.position[column] += by;
	}
	abut_state_set_body(job->world.model, job->probe, body, &at);
}

/* Returns the time of all steps that central differences take. */
static double time_differences(const Job *job)
{
	static const double step = 1e-6;
	double time = 0.0;
	for (int body = 0; body < abut_model_body_count(job->world.model); body++) {
		const bool moves = !abut_model_body_is_static(job->world.model, body);
		for (int i = 0; moves && i < 2 * ABUT_GRADIENT_COLUMNS; i++) {
			AbutStepInfo info = {.row = 0};
			change(job, body, i / 2, i % 2 ? -step : step);
			const double start = abut_thread_us();
			abut_step(job->world.model, job->probe, job->world.workspace, &info);
			time += abut_thread_us() - start;
		}
	}
	return time;
}

/* --- joint coordinates --- */

static AbutStatus open_linear(Job *job, AbutError *error)
{
	ABUT_TRY(abut_linear_create(job->world.model, 0.0, &job->linear, error));
	const size_t n_x = (size_t)abut_linear_state_count(job->linear);
	job->A = malloc((n_x * n_x + 1) * sizeof *job->A);
	job->B = malloc((n_x * (size_t)abut_linear_input_count(job->linear) + 1) * sizeof *job->B);
	return job->A && job->B ? ABUT_OK : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for matrices");
}

/* Returns the time of the next step of a copy of the state, with A and B. */
static double time_linear(const Job *job)
{
	AbutStepInfo info = {.row = 0};
	abut_state_copy(job->world.model, job->world.state, job->probe);
	const double start = abut_thread_us();
	abut_linear_step(job->linear, job->probe, job->world.workspace, &info);
	abut_linear_matrices(job->linear, job->A, job->B, NULL, NULL);
	return abut_thread_us() - start;
}

/* --- MuJoCo --- */

static void set_peer_target(void *context, int joint, int axis, double target)
{
	const Job *job = context;
	abut_peer_robots.drive(job->peer, job->model.imported.def.joints[joint].name, axis, target);
}

/* Measures MuJoCo on a run with the same targets: as many steps, of which the same ones are measured. */
static AbutStatus run_mujoco(Job *job, int steps, AbutDerivativeResult *out, AbutError *error)
{
	const AbutPeerEngine *engine = abut_peer_mujoco.engines;
	int measured = 0;
	job->rng = job->start;
	ABUT_TRY(abut_peer_robots.load(job->model.path, job->model.source->keyframe ? 0 : -1, timestep, 0.0, &job->peer,
	                               error));
	for (int i = 0; i < steps; i++) {
		if (i % HOLD == 0) {
			abut_imported_drive(&job->model.imported.def, &job->rng, set_peer_target, job);
		}
		double least = (double)INFINITY;
		for (int k = 0; i % HOLD == HOLD - 1 && k < REPEATS; k++) {
			const double start = abut_thread_us();
			engine->differentiate(job->peer);
			least = fmin(least, abut_thread_us() - start);
		}
		const double start = abut_thread_us();
		engine->step(job->peer);
		const double step = abut_thread_us() - start;
		if (i % HOLD == HOLD - 1) {
			out->mujoco_us += least + step;
			measured++;
		}
	}
	out->mujoco_us /= (double)measured;
	return ABUT_OK;
}

/* --- the run --- */

static void measure(const Job *job, AbutDerivativeResult *out)
{
	AbutJacobianTime time = {(double)INFINITY, (double)INFINITY, false};
	double linear = (double)INFINITY;
	for (int i = 0; i < REPEATS; i++) {
		abut_jacobian_clock_measure(&job->world, &job->clock, &time);
		linear = fmin(linear, time_linear(job));
	}
	out->steps++;
	if (time.exists) {
		out->derivatives++;
		out->step_us += time.step_us;
		out->derivative_us += time.both_us;
		out->joint_us += linear;
		out->differences_us += time_differences(job);
	}
}

static void run(Job *job, int steps, AbutDerivativeResult *out)
{
	for (int i = 0; i < steps; i++) {
		AbutStepInfo info = {.row = 0};
		if (i % HOLD == 0) {
			drive(job);
		}
		if (i % HOLD == HOLD - 1) {
			measure(job, out);
		}
		abut_step(job->world.model, job->world.state, job->world.workspace, &info);
	}
	out->step_us /= (double)out->derivatives;
	out->derivative_us /= (double)out->derivatives;
	out->differences_us /= (double)out->derivatives;
	out->joint_us /= (double)out->derivatives;
	out->minimal_us = 2.0 * (2.0 * out->coordinates + out->motors) * out->step_us;
}

AbutStatus abut_derivative_measure(const AbutDerivativeCase *which, const char *data, unsigned long long seed,
                                   bool quick, AbutDerivativeResult *out, AbutError *error)
{
	const int steps = quick ? 2 * HOLD : STEPS;
	Job job = {.rng = abut_rng_stream(seed, 1), .start = abut_rng_stream(seed, 1)};
	*out = (AbutDerivativeResult){.steps = 0};
	AbutStatus status = which->robot ? open_file(which, data, &job, error) : open_ant(which, &job, error);
	ABUT_THEN(status, count(&job, out, error));
	ABUT_THEN(status, abut_state_create(job.world.model, &job.probe, error));
	ABUT_THEN(status, abut_jacobian_clock_create(&job.world, &job.clock, error));
	ABUT_THEN(status, open_linear(&job, error));
	if (status == ABUT_OK) {
		run(&job, steps, out);
	}
	if (status == ABUT_OK && which->mujoco_bound > 0.0 && abut_peer_mujoco.count > 0) {
		status = run_mujoco(&job, steps, out, error);
	}
	close_job(&job);
	return status;
}
