/* The bounds on the benchmark's figures, as ratios within a run and as counts. */
#include "experiments/bench/bounds.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const AbutBenchBound bounds[] = {
    {ABUT_BENCH_TIME, "drop_cylinder", "drop_box", 1.6},
    {ABUT_BENCH_TIME, "drop_ellipsoid", "drop_box", 1.6},
    {ABUT_BENCH_TIME, "drop_cone", "drop_box", 1.6},
    {ABUT_BENCH_TIME, "drop_capsule", "drop_box", 2.0},
    {ABUT_BENCH_TIME, "drop_padded_polytope", "drop_box", 2.0},
    {ABUT_BENCH_TIME, "stack_2_cold_hull_64", "stack_2_cold_box", 5.0},
    {ABUT_BENCH_TIME, "stack_2_hull_64_shaken", "tower_2_shaken", 5.0},
    {ABUT_BENCH_TIME_PER_BODY_ITERATION, "tower_64_shaken", "tower_4_shaken", 1.3},
    {ABUT_BENCH_TIME_PER_BODY_ITERATION, "tower_64_kicked", "tower_4_kicked", 1.3},
    {ABUT_BENCH_ITERATIONS, "tower_16_shaken", NULL, 8.0},
    {ABUT_BENCH_ITERATIONS, "tower_16_kicked", NULL, 8.0},
    {ABUT_BENCH_ITERATIONS, "tower_64_shaken", NULL, 12.0},
    {ABUT_BENCH_ITERATIONS, "tower_64_kicked", NULL, 12.0},
    {ABUT_BENCH_DERIVATIVE, "gradient_cube_drop", NULL, 1.0},
    {ABUT_BENCH_DERIVATIVE, "gradient_stack_4_pushed", NULL, 1.5},
    {ABUT_BENCH_TIME, "lcp_10_jacobian", "lcp_10_differences", 0.1},
    {ABUT_BENCH_DERIVATIVE, "rollout_cube_drop", NULL, 2.0},
    {ABUT_BENCH_DERIVATIVE, "rollout_stack_4_pushed", NULL, 2.0},
};

int abut_bench_bound_count(void)
{
	return sizeof bounds / sizeof *bounds;
}

const AbutBenchBound *abut_bench_bound(int index)
{
	return &bounds[index];
}

const char *abut_bench_quantity_name(AbutBenchQuantity quantity)
{
	static const char *const names[] = {[ABUT_BENCH_TIME] = "mean time",
	                                    [ABUT_BENCH_TIME_PER_BODY_ITERATION] = "time per body and iteration",
	                                    [ABUT_BENCH_ITERATIONS] = "mean iterations",
	                                    [ABUT_BENCH_DERIVATIVE] = "derivative added to the mean step"};
	return names[quantity];
}

static double value_of(AbutBenchQuantity quantity, const char *name, const AbutBenchResult *results, int n)
{
	for (int i = 0; i < n; i++) {
		const AbutBenchResult *result = &results[i];
		if (strcmp(result->name, name) != 0) {
			continue;
		}
		if (quantity == ABUT_BENCH_ITERATIONS) {
			return result->iterations_mean;
		}
		if (quantity == ABUT_BENCH_DERIVATIVE) {
			return result->step_time_us_mean / result->plain_time_us_mean - 1.0;
		}
		return quantity == ABUT_BENCH_TIME
		           ? result->step_time_us_mean
		           : result->step_time_us_mean / (result->bodies * result->iterations_mean);
	}
	return NAN;
}

double abut_bench_bound_value(const AbutBenchBound *bound, const AbutBenchResult *results, int n)
{
	const double value = value_of(bound->quantity, bound->of, results, n);
	return bound->over ? value / value_of(bound->quantity, bound->over, results, n) : value;
}
