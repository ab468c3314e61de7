/* Runs the sweep of random scenes, and prints its table and bounds. */
#include "experiments/reliability/robustness.h"

#include <stdio.h>

/* Runs the scene of one seed. */
static bool run_scene(const SweepOptions *options, unsigned long seed, Sweep *sweep)
{
	static RandomScene random;
	bool good = random_scene_make(seed, &random);
	AbutSceneDef *def = &random.scene.def;
	def->solver.warm_start = !options->cold;
	def->solver.linear_solver = options->dense ? ABUT_LINEAR_SOLVER_DENSE : ABUT_LINEAR_SOLVER_CONDENSED;
	def->solver.friction_cone = options->pyramid ? ABUT_FRICTION_CONE_PYRAMID : ABUT_FRICTION_CONE_SOC;
	random.scene.label = random.label;
	random.scene.keep = options->keep;
	Tally *tally = &sweep->kinds[random.kind];
	good = good && study_run(&random.scene, def->timestep * (double)random.steps, seed, tally);
	if (!good) {
		fprintf(stderr, "abut_reliability: seed %lu (%s)\n", seed, random.label);
	}
	random_scene_free(&random);
	return good;
}

bool sweep_run(const SweepOptions *options, Sweep *sweep)
{
	bool good = true;
	*sweep = (Sweep){.total = {.runs = 0}};
	for (unsigned long i = 0; good && i < options->count; i++) {
		good = run_scene(options, options->first + i, sweep);
	}
	for (int i = 0; i < RANDOM_SCENE_KINDS; i++) {
		tally_add(&sweep->total, &sweep->kinds[i]);
	}
	return good;
}

/* Returns the mean number of iterations of a solve. A step in half steps consists of several solves. Every Newton
 * factorisation counts as an iteration, also in attempts that failed. */
static double iterations_per_solve(const Tally *t)
{
	return (double)t->iterations / (double)(t->parts > 0 ? t->parts : 1);
}

static double per_step(long count, const Tally *t)
{
	return (double)count / (double)(t->steps > 0 ? t->steps : 1);
}

static void print_row(const char *name, const Tally *t)
{
	printf("%-8s %7ld %9ld %7.1f %7ld %7ld %7ld %7ld %7ld %6ld %8.2f %8.2f %7d %9.1e %9.1e %8.2f\n", name, t->runs,
	       t->steps, 100.0 * per_step(t->touching, t), t->failed, t->raised, t->steps - t->failed - t->exact,
	       t->halved, t->retried, t->not_finite, iterations_per_solve(t), per_step(t->iterations, t),
	       t->iterations_max, t->relative, t->exact_relative,
	       1e6 * t->seconds / (double)(t->steps > 0 ? t->steps : 1));
}

void sweep_print(const Sweep *sweep)
{
	printf("%-8s %7s %9s %7s %7s %7s %7s %7s %7s %6s %8s %8s %7s %9s %9s %8s\n", "kind", "runs", "steps", "touch %",
	       "failed", "raised", "relaxed", "halved", "retried", "NaN", "it/solve", "it/step", "max", "pen/size",
	       "exact pen", "us/step");
	for (int i = 0; i < RANDOM_SCENE_KINDS; i++) {
		print_row(random_scene_kind_name(i), &sweep->kinds[i]);
	}
	print_row("all", &sweep->total);
}

SweepBounds sweep_bounds(const Sweep *sweep, bool cold)
{
	const Tally *t = &sweep->total;
	return (SweepBounds){.failures = per_step(t->failed, t) <= SWEEP_FAILURES_MOST,
	                     .finite = t->not_finite == 0,
	                     .iterations = cold || iterations_per_solve(t) <= SWEEP_ITERATIONS_MOST};
}

void sweep_print_bounds(const Sweep *sweep, bool cold)
{
	const Tally *t = &sweep->total;
	const SweepBounds met = sweep_bounds(sweep, cold);
	printf("failed: %.2g of 100,000 steps, at most %g: %s\n", 1e5 * per_step(t->failed, t),
	       1e5 * SWEEP_FAILURES_MOST, met.failures ? "met" : "not met");
	printf("NaN: %ld steps, none: %s\n", t->not_finite, met.finite ? "met" : "not met");
	if (!cold) {
		printf("iterations: %.2f a solve, at most %g: %s\n", iterations_per_solve(t), SWEEP_ITERATIONS_MOST,
		       met.iterations ? "met" : "not met");
	}
}
