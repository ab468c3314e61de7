/* Runs `abut bench derivatives`: the derivatives of steps of robots compared with central differences, printed as a
 * table or as JSON. */
#include "cli/bench/derivatives.h"

#include <math.h>
#include <stdio.h>

#include "cli/bench/heading.h"
#include "cli/common/print.h"
#include "cli/common/report.h"
#include "experiments/robots/derivative_time.h"

static void print_head(void)
{
	printf("%-26s %6s %6s %6s %6s %6s %9s %11s %14s %9s %6s %6s %11s %11s %6s %6s %10s %7s %6s\n", "case", "bodies",
	       "coord.", "motors", "steps", "with", "step us", "with deriv.", "differences us", "ratio", "bound", "met",
	       "ratio min.", "with A, B", "steps", "at most", "MuJoCo us", "faster", "bound");
}

static double ratio_of(const AbutDerivativeResult *result)
{
	return result->differences_us / result->derivative_us;
}

/* Prints the row of a case. `judged`: with a verdict. */
static void print_row(const AbutDerivativeCase *which, const AbutDerivativeResult *result, bool judged)
{
	printf("%-26s %6d %6d %6d %6ld %6ld %9.2f %11.2f %14.1f %9.1f %6.0f %6s %11.1f %11.2f %6.2f %6.1f", which->name,
	       result->bodies, result->coordinates, result->motors, result->steps, result->derivatives, result->step_us,
	       result->derivative_us, result->differences_us, ratio_of(result), which->bound,
	       !judged                            ? "-"
	       : ratio_of(result) >= which->bound ? "yes"
	                                          : "no",
	       result->minimal_us / result->derivative_us, result->joint_us, result->joint_us / result->step_us,
	       abut_derivative_joint_bound);
	if (result->mujoco_us > 0.0) {
		printf(" %10.1f %7.2f %6.1f\n", result->mujoco_us, result->mujoco_us / result->joint_us,
		       which->mujoco_bound);
	} else {
		printf(" %10s %7s %6s\n", "-", "-", "-");
	}
	fflush(stdout);
}

static void print_json(const AbutDerivativeCase *which, const AbutDerivativeResult *result, bool judged,
                       const char *separator)
{
	printf("%s\n  {\"name\": \"%s\", \"bodies\": %d, \"coordinates\": %d, \"motors\": %d, \"steps\": %ld, "
	       "\"derivatives\": %ld",
	       separator, which->name, result->bodies, result->coordinates, result->motors, result->steps,
	       result->derivatives);
	abut_print_number("step_us_mean", result->step_us);
	abut_print_number("derivative_us_mean", result->derivative_us);
	abut_print_number("differences_us_mean", result->differences_us);
	abut_print_number("ratio", ratio_of(result));
	abut_print_number("ratio_minimal", result->minimal_us / result->derivative_us);
	abut_print_number("joint_us_mean", result->joint_us);
	abut_print_number("joint_steps", result->joint_us / result->step_us);
	abut_print_number("joint_bound", abut_derivative_joint_bound);
	if (result->mujoco_us > 0.0) {
		abut_print_number("mujoco_us_mean", result->mujoco_us);
		abut_print_number("mujoco_ratio", result->mujoco_us / result->joint_us);
		abut_print_number("mujoco_bound", which->mujoco_bound);
	}
	abut_print_number("bound", which->bound);
	printf(", \"met\": %s}", !judged ? "null" : ratio_of(result) >= which->bound ? "true" : "false");
}

int abut_bench_derivatives(const char *name, const char *data, bool json, bool quick, unsigned long long seed)
{
	const char *separator = "";
	if (!abut_bench_any_chosen(abut_derivative_case_count, abut_derivative_case_chosen, name)) {
		return abut_refuse("bench derivatives: no case starts with '%s'", name);
	}
	abut_bench_print_heading(json, "cases", seed);
	if (!json) {
		print_head();
	}
	for (int i = 0; i < abut_derivative_case_count; i++) {
		const AbutDerivativeCase *which = &abut_derivative_cases[i];
		AbutError error = {.status = ABUT_OK};
		AbutDerivativeResult result;
		if (!abut_derivative_case_chosen(i, name)) {
			continue;
		}
		if (!abut_derivative_case_exists(which, data)) {
			abut_report("%s: left out; --data names no folder with the file of this robot", which->name);
			continue;
		}
		if (abut_derivative_measure(which, data, seed, quick, &result, &error) != ABUT_OK) {
			return abut_report_error(&error, ABUT_EXIT_CHECK);
		}
		if (json) {
			print_json(which, &result, !quick, separator);
			separator = ",";
		} else {
			print_row(which, &result, !quick);
		}
	}
	if (json) {
		printf("\n]}\n");
	}
	return abut_finish_stdout(ABUT_EXIT_DONE);
}
