/* Measures the derivatives of steps of robots, and central differences instead. Both are taken of the same steps, so
 * that their ratio does not depend on the machine's load. */
#include "experiments/robots/derivative_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abut/robot.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "experiments/robots/atlas.h"
#include "experiments/robots/jacobian_time.h"
#include "experiments/robots/models.h"
#include "experiments/robots/robot_abut.h"

static const double timestep = 0.01;
enum { HOLD = 5 /* steps with the same targets, of which the last is measured */, STEPS = 150, REPEATS = 3 };

#define BOTH_METHODS(name, robot)                                                                                      \
	{name "_single_level", robot, ABUT_METHOD_SINGLE_LEVEL, 20.0},                                                 \
	{                                                                                                              \
		name "_lcp", robot, ABUT_METHOD_LCP, 20.0                                                              \
	}

const AbutDerivativeCase abut_derivative_cases[] = {BOTH_METHODS("own_ant", NULL), BOTH_METHODS("ant", "ant"),
                                                    BOTH_METHODS("half_cheetah", "half-cheetah"),
                                                    BOTH_METHODS("atlas", "Atlas")};
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
} Job;

static void close_job(Job *job)
{
	abut_jacobian_clock_destroy(&job->clock);
	abut_state_destroy(job->probe);
	abut_world_close(&job->world);
	abut_robot_model_close(&job->model);
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
	job->model.source = source_of(which);
	ABUT_TRY(abut_robot_model_load(data, &job->model, error));
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

/* --- the run --- */

static void measure(const Job *job, AbutDerivativeResult *out)
{
	AbutJacobianTime time = {(double)INFINITY, (double)INFINITY, false};
	for (int i = 0; i < REPEATS; i++) {
		abut_jacobian_clock_measure(&job->world, &job->clock, &time);
	}
	out->steps++;
	if (time.exists) {
		out->derivatives++;
		out->step_us += time.step_us;
		out->derivative_us += time.both_us;
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
	out->minimal_us = 2.0 * (2.0 * out->coordinates + out->motors) * out->step_us;
}

AbutStatus abut_derivative_measure(const AbutDerivativeCase *which, const char *data, unsigned long long seed,
                                   bool quick, AbutDerivativeResult *out, AbutError *error)
{
	Job job = {.rng = abut_rng_stream(seed, 1)};
	*out = (AbutDerivativeResult){.steps = 0};
	AbutStatus status = which->robot ? open_file(which, data, &job, error) : open_ant(which, &job, error);
	ABUT_THEN(status, count(&job, out, error));
	ABUT_THEN(status, abut_state_create(job.world.model, &job.probe, error));
	ABUT_THEN(status, abut_jacobian_clock_create(&job.world, &job.clock, error));
	if (status == ABUT_OK) {
		run(&job, quick ? 2 * HOLD : STEPS, out);
	}
	close_job(&job);
	return status;
}
