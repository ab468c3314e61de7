/* Runs a case in one engine and measures step times, penetration and momentum. Steps are deterministic, so each run is
 * repeated. The time of a step is the least of its repeats, which removes interruptions. */
#include "experiments/peers/measure.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/sort.h"
#include "base/vec3.h"
#include "experiments/peers/peers.h"
#include "experiments/peers/scenes.h"
#include "experiments/setting/kick.h"

AbutPeerEffort abut_peer_effort(bool quick)
{
	return quick ? (AbutPeerEffort){1, 1, 5, true} : (AbutPeerEffort){0, 0, 0, false};
}

static long capped(long number, long most)
{
	return most > 0 && most < number ? most : number;
}

/* A run in progress. */
typedef struct Run {
	const AbutPeerCase *which;
	const AbutPeerEngine *engine;
	const AbutPeerScene *scene;
	AbutPeerWorld *world;
	AbutRng rng; /* draws the same kicks for every engine */
} Run;

static void kick(Run *run)
{
	const AbutPeerScene *scene = run->scene;
	for (int i = 0; i < scene->n_bodies; i++) {
		AbutKicked body = {.mass = scene->mass};
		double force[3], torque[3];
		abut_peer_inertia(scene, i, body.inertia);
		abut_kick(&body, run->which->kick, scene->timestep, &run->rng, force, torque);
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
		result->penetration = fmax(result->penetration, abut_peer_depth(run->scene, i, &pose));
		abut_add_scaled3(momentum, run->scene->mass, pose.velocity, momentum);
	}
	result->momentum += sqrt(momentum[0] * momentum[0] + momentum[1] * momentum[1] + momentum[2] * momentum[2]);
}

/* Takes a step, with its derivative if the case requires it. Returns its time in us. */
static double time_step(const Run *run)
{
	const double start = abut_now_us();
	(run->which->gradient ? run->engine->differentiate : run->engine->step)(run->world);
	const double time = abut_now_us() - start;
	if (run->which->gradient && !run->engine->steps_along) {
		run->engine->step(run->world);
	}
	return time;
}

/* Takes `settle` untimed steps, then `steps` timed ones. Observes the steps only in the first repeat. */
static AbutStatus run_once(Run *run, long settle, long steps, bool first, double *times, AbutPeerResult *result,
                           AbutError *error)
{
	ABUT_TRY(run->engine->create(run->scene, run->engine->variant, &run->world, error));
	for (long k = -settle; k < steps; k++) {
		const bool kicked = k >= 0 && run->which->kick_interval > 0 && k % run->which->kick_interval == 0;
		if (kicked) {
			kick(run);
		}
		const double time = time_step(run);
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
	result->exact_share = engine == abut_peer_abut.engines ? result->exact_share / (double)n : (double)NAN;
	result->momentum /= (double)n;
}

/* The numbers and lengths of the runs of a case in one engine. */
typedef struct Plan {
	const AbutPeerCase *which;
	const AbutPeerEngine *engine;
	double timestep; /* s */
	unsigned long long seed;
	long runs, repeats, settle, steps; /* settle, steps: numbers of steps in each run */
} Plan;

static AbutStatus run_all(const Plan *plan, const AbutPeerShapes *shapes, double *times, AbutPeerResult *result,
                          AbutError *error)
{
	AbutStatus status = ABUT_OK;
	for (int i = 0; i < plan->runs; i++) {
		AbutPeerScene scene;
		abut_peer_scene_fill(plan->which, shapes, plan->timestep, plan->seed, i, &scene);
		for (int j = 0; status == ABUT_OK && j < plan->repeats; j++) {
			Run run = {plan->which, plan->engine, &scene, NULL, abut_rng_stream(plan->seed, (unsigned)i)};
			status =
			    run_once(&run, plan->settle, plan->steps, j == 0, times + i * plan->steps, result, error);
		}
	}
	return status;
}

AbutStatus abut_peer_measure(const AbutPeerCase *which, const AbutPeerEngine *engine, double timestep,
                             unsigned long long seed, const AbutPeerEffort *effort, AbutPeerResult *result,
                             AbutError *error)
{
	const Plan plan = {.which = which,
	                   .engine = engine,
	                   .timestep = timestep,
	                   .seed = seed,
	                   .runs = capped(which->runs, effort->runs_most),
	                   .repeats = capped(which->repeats, effort->repeats_most),
	                   .settle = effort->quick ? 0 : lround(which->settle / timestep),
	                   .steps = capped(lround(which->duration / timestep), effort->steps_most)};
	*result = (AbutPeerResult){.steps = plan.runs * plan.steps};
	AbutPeerShapes shapes;
	double *times = calloc((size_t)result->steps, sizeof *times);
	if (!times) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for times");
	}
	AbutStatus status = abut_peer_shapes_create(&shapes, error);
	ABUT_THEN(status, run_all(&plan, &shapes, times, result, error));
	if (status == ABUT_OK) {
		sum_up(times, engine, result);
	}
	abut_peer_shapes_destroy(&shapes);
	free(times);
	return status;
}
