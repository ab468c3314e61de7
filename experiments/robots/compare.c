/* Measures the steps of robots in Abut and in MuJoCo. Both engines take the same steps with the same controls, several
 * times in turn, so that other work on the machine affects both. The time of 50 ms is the least of its repeats. */
#include "experiments/robots/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "experiments/peers/peers.h"
#include "experiments/robots/jacobian_time.h"
#include "experiments/robots/robot_abut.h"
#include "experiments/robots/robot_mujoco.h"

static const double timestep = 0.005;
enum { HOLD = 10 /* steps with the same controls */, ROUNDS = 5, HIGH = 1000 /* m, far above the floor */ };

const AbutRobotCase abut_robot_cases[] = {
    {"ant_flight", 0, HIGH, 0.0, 5.0, 7, true, 1.2}, {"ant_standing", 0, 0.55, 4.0, 1.0, 1, false, 0.8},
    {"ant_moving", 0, 0.55, 0.0, 5.0, 7, true, 2.0}, {"chain_5", 5, 0.0, 0.0, 5.0, 1, false, NAN},
    {"chain_20", 20, 0.0, 0.0, 5.0, 1, false, NAN},  {"chain_100", 100, 0.0, 0.0, 5.0, 1, false, 2.0},
};
const int abut_robot_case_count = sizeof abut_robot_cases / sizeof *abut_robot_cases;

bool abut_robot_case_chosen(int index, const char *prefix)
{
	return !prefix || strncmp(abut_robot_cases[index].name, prefix, strlen(prefix)) == 0;
}

static void fill(const AbutRobotCase *which, AbutBenchRobot *out)
{
	if (which->chain > 0) {
		abut_robot_chain(which->chain, out);
	} else {
		abut_robot_ant(which->height, out);
	}
}

/* A run of both engines. */
typedef struct Run {
	const AbutRobotCase *which;
	const AbutBenchRobot *robot;
	AbutRng rng; /* of the controls */
	long settle, steps;
	bool observed;               /* this round counts the results of steps */
	double *times;               /* (steps / HOLD) least times of the intervals of constant controls */
	AbutJacobianTime *jacobians; /* (steps / HOLD) of the first steps of these intervals */
	AbutRobotResult *result;
} Run;

static void draw(Run *run, double *controls)
{
	for (int i = 0; i < run->robot->n_links; i++) {
		controls[i] = run->which->controlled ? abut_rng_uniform(&run->rng, -1.0, 1.0) : 0.0;
	}
}

static void observe(const Run *run, const AbutStepInfo *info)
{
	AbutRobotResult *result = run->result;
	result->iterations += info->iterations;
	result->exact_share += info->exact;
	result->failed += info->outcome == ABUT_OUTCOME_FAILED || info->outcome == ABUT_OUTCOME_RAISED_KAPPA;
	result->halved += info->halvings > 0;
	result->violation = fmax(result->violation, fmax(info->joint_violation_m, info->joint_violation_rad));
	result->violation = fmax(result->violation, info->limit_violation);
	result->penetration = fmax(result->penetration, info->max_penetration);
}

/* Takes the steps of one interval of constant controls; returns their time in us. */
static double hold_abut(const Run *run, AbutRobotWorld *world, bool measured)
{
	double time = 0.0;
	for (int i = 0; i < HOLD; i++) {
		const double start = abut_thread_us();
		abut_robot_step(world);
		time += abut_thread_us() - start;
		if (measured && run->observed) {
			observe(run, &world->info);
		}
	}
	return time;
}

static double hold_mujoco(const Run *run, AbutPeerWorld *world, bool measured)
{
	const AbutPeerEngine *engine = abut_peer_mujoco.engines;
	double time = 0.0;
	for (int i = 0; i < HOLD; i++) {
		AbutPeerStep step;
		const double start = abut_thread_us();
		engine->step(world);
		time += abut_thread_us() - start;
		engine->report(world, &step);
		if (measured) {
			run->result->mujoco_penetration = fmax(run->result->mujoco_penetration, step.penetration);
		}
	}
	return time;
}

static void keep(const Run *run, long k, double time)
{
	if (k >= 0) {
		run->times[k / HOLD] = fmin(run->times[k / HOLD], time);
	}
}

static AbutStatus run_abut(Run run, AbutError *error)
{
	AbutRobotWorld world;
	AbutJacobianClock clock = {NULL, NULL, NULL};
	double controls[ABUT_ROBOT_LINKS_MAX];
	AbutStatus status = abut_bench_robot_create(run.robot, ABUT_METHOD_SINGLE_LEVEL, timestep, &world, error);
	ABUT_THEN(status, abut_jacobian_clock_create(&world.world, &clock, error));
	for (long k = -run.settle; status == ABUT_OK && k < run.steps; k += HOLD) {
		if (k >= 0) {
			draw(&run, controls);
			abut_robot_control(&world, controls);
			abut_jacobian_clock_measure(&world.world, &clock, &run.jacobians[k / HOLD]);
		}
		keep(&run, k, hold_abut(&run, &world, k >= 0));
	}
	abut_jacobian_clock_destroy(&clock);
	abut_bench_robot_destroy(&world);
	return status;
}

/* Adds the derivatives of a repeated run, which exist in the same steps in all its rounds. */
static void add_jacobians(const Run *run)
{
	for (long i = 0; i < run->steps / HOLD; i++) {
		if (run->jacobians[i].exists) {
			run->result->jacobian_share += 1.0;
			run->result->jacobian_us += run->jacobians[i].both_us - run->jacobians[i].step_us;
			run->result->jacobian_step_us += run->jacobians[i].step_us;
		}
	}
}

static AbutStatus run_mujoco(Run run, AbutError *error)
{
	const int first = abut_robot_first_hinge(run.robot), n = run.robot->n_links - first;
	double controls[ABUT_ROBOT_LINKS_MAX], start[ABUT_ROBOT_LINKS_MAX];
	AbutPeerWorld *world = NULL;
	AbutRobotXml xml;
	AbutStatus status = ABUT_OK;
	if (!abut_robot_xml(run.robot, timestep, &xml)) {
		status = abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the text of a robot");
	}
	ABUT_THEN(status, abut_peer_robots.create(xml.model, xml.rest, &world, error));
	abut_robot_xml_free(&xml);
	for (int i = 0; i < n; i++) {
		start[i] = run.robot->links[first + i].start;
	}
	if (status == ABUT_OK) {
		abut_peer_robots.place(world, n, start);
	}
	for (long k = -run.settle; status == ABUT_OK && k < run.steps; k += HOLD) {
		if (k >= 0) {
			draw(&run, controls);
			abut_peer_robots.control(world, controls);
		}
		keep(&run, k, hold_mujoco(&run, world, k >= 0));
	}
	if (status == ABUT_OK) {
		abut_peer_mujoco.engines->destroy(world);
	}
	return status;
}

/* Repeats a run in both engines; adds the least times of its intervals to `times`. */
static AbutStatus repeat(const Run *run, int rounds, double least[2], AbutError *error)
{
	AbutStatus status = ABUT_OK;
	const long n = run->steps / HOLD;
	for (long k = 0; k < n; k++) {
		run->jacobians[k] = (AbutJacobianTime){(double)INFINITY, (double)INFINITY, false};
	}
	for (int engine = 0; engine < 2; engine++) {
		for (long k = 0; k < n; k++) {
			run->times[engine * n + k] = INFINITY;
		}
	}
	for (int round = 0; status == ABUT_OK && round < rounds; round++) {
		Run own = *run;
		own.observed = round == 0;
		status = run_abut(own, error);
		own.times += n;
		if (status == ABUT_OK && abut_peer_mujoco.count > 0) {
			status = run_mujoco(own, error);
		}
	}
	for (long k = 0; k < 2 * n; k++) {
		least[k / n] += run->times[k];
	}
	add_jacobians(run);
	return status;
}

AbutStatus abut_robot_compare(const AbutRobotCase *which, unsigned long long seed, bool quick, AbutRobotResult *out,
                              AbutError *error)
{
	AbutBenchRobot robot;
	const long steps = quick ? HOLD : lround(which->duration / timestep);
	const int runs = quick ? 1 : which->runs;
	double least[2] = {0.0, 0.0};
	AbutStatus status = ABUT_OK;
	*out = (AbutRobotResult){.steps = runs * steps};
	fill(which, &robot);
	Run run = {.which = which,
	           .robot = &robot,
	           .settle = quick ? 0 : lround(which->settle / timestep),
	           .steps = steps,
	           .times = calloc(2 * (size_t)(steps / HOLD), sizeof(double)),
	           .jacobians = calloc((size_t)(steps / HOLD), sizeof(AbutJacobianTime)),
	           .result = out};
	if (!run.times || !run.jacobians) {
		free(run.times);
		free(run.jacobians);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the times of a robot");
	}
	for (int i = 0; status == ABUT_OK && i < runs; i++) {
		run.rng = abut_rng_stream(seed, (unsigned)i);
		status = repeat(&run, quick ? 1 : ROUNDS, least, error);
	}
	free(run.times);
	free(run.jacobians);
	const long held = steps / HOLD;
	const double measured = (double)(runs * held), existing = out->jacobian_share;
	out->jacobian_us /= existing;
	out->jacobian_step_us /= existing;
	out->jacobian_share /= measured;
	out->us = least[0] / (double)out->steps;
	out->mujoco_us = abut_peer_mujoco.count > 0 ? least[1] / (double)out->steps : (double)NAN;
	out->iterations /= (double)out->steps;
	out->exact_share /= (double)out->steps;
	return status;
}
