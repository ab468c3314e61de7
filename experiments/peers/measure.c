/* Runs of a case in one engine: times of single steps, and what the state shows. The steps are deterministic, so every
 * run is repeated and each step's time is the least of its repeats, which takes out interruptions. */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/sort.h"
#include "experiments/peers/peers.h"

AbutPeerEffort abut_peer_effort(bool quick)
{
	return quick ? (AbutPeerEffort){1, 1, 5, true} : (AbutPeerEffort){3, 0, 0, false};
}

/* A run in progress. */
typedef struct Run {
	const AbutPeerCase *which;
	const AbutPeerEngine *engine;
	const AbutPeerScene *scene;
	AbutPeerWorld *world;
	AbutRng rng; /* of the kicks: the same numbers for every engine */
} Run;

/* A change dv, dw (body axes) of a body's velocities within one step, as force m dv / dt and torque I dw / dt. */
static void kick(Run *run)
{
	const AbutPeerScene *scene = run->scene;
	const AbutMassProperties *mass = &scene->shape->mass;
	const double per_step = scene->mass / scene->timestep, bound = run->which->kick;
	for (int i = 0; i < scene->n_bodies; i++) {
		double force[3], torque[3];
		for (int k = 0; k < 3; k++) {
			force[k] = per_step * abut_rng_uniform(&run->rng, -bound, bound);
		}
		for (int k = 0; k < 3; k++) {
			torque[k] =
			    per_step / mass->volume * mass->inertia[4 * k] * abut_rng_uniform(&run->rng, -bound, bound);
		}
		run->engine->push(run->world, i, force, torque);
	}
}

static void let_go(Run *run)
{
	for (int i = 0; i < run->scene->n_bodies; i++) {
		run->engine->push(run->world, i, (const double[3]){0.0}, (const double[3]){0.0});
	}
}

static void observe(const Run *run, AbutPeerResult *result)
{
	AbutPeerStep step;
	double momentum[3] = {0.0};
	run->engine->report(run->world, &step);
	result->exact_share += step.exact;
	result->failed_steps += step.failed;
	result->penetration = fmax(result->penetration, step.penetration);
	for (int i = 0; i < run->scene->n_bodies; i++) {
		AbutPeerPose pose;
		run->engine->read(run->world, i, &pose);
		result->penetration = fmax(result->penetration, abut_peer_depth(run->scene->shape, &pose));
		for (int k = 0; k < 3; k++) {
			momentum[k] += run->scene->mass * pose.velocity[k];
		}
	}
	result->momentum += sqrt(momentum[0] * momentum[0] + momentum[1] * momentum[1] + momentum[2] * momentum[2]);
}

/* Takes `steps` timed steps after the settling. Observes in the first repeat only. */
static AbutStatus run_once(Run *run, long steps, bool first, double *times, AbutPeerResult *result, AbutError *error)
{
	const AbutStatus status = run->engine->create(run->scene, run->engine->variant, &run->world, error);
	if (status != ABUT_OK) {
		return status;
	}
	const long settle = lround(run->which->settle / run->scene->timestep);
	for (long k = -settle; k < steps; k++) {
		const bool kicked = k >= 0 && run->which->kick_interval > 0 && k % run->which->kick_interval == 0;
		if (kicked) {
			kick(run);
		}
		const double start = abut_now_us();
		run->engine->step(run->world);
		const double time = abut_now_us() - start;
		if (kicked) {
			let_go(run);
		}
		if (k >= 0) {
			times[k] = first ? time : fmin(times[k], time);
		}
		if (k >= 0 && first) {
			observe(run, result);
		}
	}
	run->engine->destroy(run->world);
	return ABUT_OK;
}

static void sum_up(double *times, const AbutPeerEngine *engine, AbutPeerResult *result)
{
	const long n = result->steps;
	abut_sort_numbers(times, (size_t)n);
	for (long k = 0; k < n; k++) {
		result->us_mean += times[k] / (double)n;
	}
	result->us_median = times[n / 2];
	result->us_p99 = times[(99 * n) / 100];
	result->exact_share = engine == &abut_peer_abut ? result->exact_share / (double)n : (double)NAN;
	result->momentum /= (double)n;
}

static AbutStatus run_all(const AbutPeerCase *which, const AbutPeerEngine *engine, const AbutShape *shape,
                          double timestep, unsigned long long seed, int runs, int repeats, double *times,
                          AbutPeerResult *result, AbutError *error)
{
	const long steps = result->steps / runs;
	AbutStatus status = ABUT_OK;
	for (int i = 0; i < runs; i++) {
		AbutPeerScene scene;
		abut_peer_scene_fill(which, shape, timestep, seed + (unsigned long long)i, &scene);
		for (int j = 0; status == ABUT_OK && j < repeats; j++) {
			Run run = {which, engine, &scene, NULL, {seed + (unsigned long long)i}};
			status = run_once(&run, steps, j == 0, times + i * steps, result, error);
		}
	}
	return status;
}

AbutStatus abut_peer_measure(const AbutPeerCase *which, const AbutPeerEngine *engine, double timestep,
                             unsigned long long seed, const AbutPeerEffort *effort, AbutPeerResult *result,
                             AbutError *error)
{
	const int runs = effort->runs_most > 0 && effort->runs_most < which->runs ? effort->runs_most : which->runs;
	long steps = lround(which->duration / timestep);
	steps = effort->steps_most > 0 && effort->steps_most < steps ? effort->steps_most : steps;
	*result = (AbutPeerResult){.steps = runs * steps};
	AbutShape *shape = NULL;
	double *times = calloc((size_t)result->steps, sizeof *times);
	if (!times) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for times");
	}
	AbutStatus status = abut_peer_shape_create(which->kind, &shape, error);
	if (status == ABUT_OK) {
		status = run_all(which, engine, shape, timestep, seed, runs, effort->repeats, times, result, error);
	}
	if (status == ABUT_OK) {
		sum_up(times, engine, result);
	}
	abut_shape_destroy(shape);
	free(times);
	return status;
}

static AbutStatus try_frequency(const AbutPeerEngine *engine, double frequency, unsigned long long seed,
                                const AbutPeerEffort *effort, AbutPeerSearch *out, AbutError *error)
{
	AbutPeerResult result;
	const AbutPeerCase *drop = abut_peer_case_named("drop_100hz");
	const AbutStatus status = abut_peer_measure(drop, engine, 1.0 / frequency, seed, effort, &result, error);
	out->frequency = frequency;
	out->penetration = result.penetration;
	out->cpu_ms = 1e-3 * frequency * result.us_mean;
	out->found = status == ABUT_OK && result.failed_steps == 0 && result.penetration < 1e-3;
	return status;
}

/* Up a ladder to its first rung below 1 mm, then halving between that and the one before. */
AbutStatus abut_peer_search(const AbutPeerEngine *engine, unsigned long long seed, const AbutPeerEffort *effort,
                            AbutPeerSearch *out, AbutError *error)
{
	static const double ladder[] = {100.0, 200.0, 500.0, 1000.0, 2000.0, 3000.0, 4000.0, 5000.0, 7000.0, 10000.0};
	const int n = effort->quick ? 1 : (int)(sizeof ladder / sizeof *ladder);
	double low = ladder[0];
	AbutStatus status = try_frequency(engine, low, seed, effort, out, error);
	for (int i = 1; i < n && status == ABUT_OK && !out->found; i++) {
		low = ladder[i - 1];
		status = try_frequency(engine, ladder[i], seed, effort, out, error);
	}
	double high = out->frequency;
	while (status == ABUT_OK && out->found && high > 1.04 * low) {
		AbutPeerSearch middle;
		status = try_frequency(engine, round(0.5 * (low + high)), seed, effort, &middle, error);
		if (middle.found) {
			*out = middle;
			high = middle.frequency;
		} else {
			low = middle.frequency;
		}
	}
	return status;
}
