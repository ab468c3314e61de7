#include "robustness.h"

#include <stdio.h>

/* The scene of one seed. */
static bool run_scene(const SweepOptions *options, unsigned long seed, Sweep *sweep)
{
	static RandomScene random;
	bool good = random_scene_make(seed, &random);
	AbutSceneDef *def = &random.scene.def;
	def->solver.warm_start = !options->cold;
	def->solver.linear_solver = options->dense ? ABUT_LINEAR_SOLVER_DENSE : ABUT_LINEAR_SOLVER_CONDENSED;
	def->solver.friction_cone = options->pyramid ? ABUT_FRICTION_CONE_PYRAMID : ABUT_FRICTION_CONE_SOC;
	random.scene.label = random.label;
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

static void print_row(const char *name, const Tally *t)
{
	const double n = t->steps > 0 ? (double)t->steps : 1.0;
	printf("%-8s %7ld %9ld %7.1f %7ld %7ld %7ld %7ld %7ld %6ld %6.2f %5d %9.1e %9.1e %8.2f\n", name, t->runs,
	       t->steps, 100.0 * (double)t->touching / n, t->failed, t->raised, t->steps - t->failed - t->exact,
	       t->halved, t->retried, t->not_finite, (double)t->iterations / n, t->iterations_max, t->relative,
	       t->exact_relative, 1e6 * t->seconds / n);
}

void sweep_print(const Sweep *sweep)
{
	printf("%-8s %7s %9s %7s %7s %7s %7s %7s %7s %6s %6s %5s %9s %9s %8s\n", "kind", "runs", "steps", "touch %",
	       "failed", "raised", "relaxed", "halved", "retried", "NaN", "it", "max", "pen/size", "exact pen",
	       "us/step");
	for (int i = 0; i < RANDOM_SCENE_KINDS; i++) {
		print_row(random_scene_kind_name(i), &sweep->kinds[i]);
	}
	print_row("all", &sweep->total);
}

bool sweep_bounds_met(const Sweep *sweep, bool cold)
{
	const Tally *t = &sweep->total;
	const double n = t->steps > 0 ? (double)t->steps : 1.0;
	const bool failures = (double)t->failed <= SWEEP_FAILURES_MOST * n;
	const bool iterations = cold || (double)t->iterations <= SWEEP_ITERATIONS_MOST * n;
	printf("failed: %.2g of 100,000 steps, at most 1: %s\n", 1e5 * (double)t->failed / n,
	       failures ? "met" : "not met");
	printf("NaN: %ld steps, none: %s\n", t->not_finite, t->not_finite == 0 ? "met" : "not met");
	if (!cold) {
		printf("iterations: %.2f a step, at most 5: %s\n", (double)t->iterations / n,
		       iterations ? "met" : "not met");
	}
	return failures && iterations && t->not_finite == 0;
}
