/* Runs `abut bench robots`: the ant of Gymnasium and chains in Abut and in MuJoCo, printed as a table or as JSON. */
#include <math.h>
#include <stdio.h>

#include "cli/bench/heading.h"
#include "cli/common/print.h"
#include "cli/common/report.h"
#include "experiments/robots/compare.h"

static void print_head(void)
{
	printf("%-13s %6s %9s %9s %7s %6s %6s %10s %8s %6s %6s %10s %10s %10s %9s %9s %9s\n", "case", "steps", "us",
	       "mujoco us", "ratio", "bound", "met", "iterations", "exact %", "failed", "halved", "joints", "depth mm",
	       "mujoco mm", "deriv us", "per step", "deriv %");
}

static bool is_met(const AbutRobotCase *which, const AbutRobotResult *result)
{
	return result->us <= which->bound * result->mujoco_us && result->failed == 0;
}

static void print_row(const AbutRobotCase *which, const AbutRobotResult *result, bool quick)
{
	char bound[16] = "-", other[16] = "-", ratio[16] = "-", jacobian[16] = "-", share[16] = "-";
	const bool judged = !quick && isfinite(which->bound) && isfinite(result->mujoco_us);
	if (isfinite(which->bound)) {
		snprintf(bound, sizeof bound, "%.1f", which->bound);
	}
	if (isfinite(result->mujoco_us)) {
		snprintf(other, sizeof other, "%.2f", result->mujoco_us);
		snprintf(ratio, sizeof ratio, "%.3f", result->us / result->mujoco_us);
	}
	if (result->jacobian_share > 0.0) {
		snprintf(jacobian, sizeof jacobian, "%.2f", result->jacobian_us);
		snprintf(share, sizeof share, "%.2f", result->jacobian_us / result->jacobian_step_us);
	}
	printf("%-13s %6ld %9.2f %9s %7s %6s %6s %10.2f %8.2f %6ld %6ld %10.1e %10.1e %10.1e %9s %9s %9.1f\n",
	       which->name, result->steps, result->us, other, ratio, bound,
	       !judged                 ? "-"
	       : is_met(which, result) ? "yes"
	                               : "no",
	       result->iterations, 100.0 * result->exact_share, result->failed, result->halved, result->violation,
	       1e3 * result->penetration, 1e3 * result->mujoco_penetration, jacobian, share,
	       100.0 * result->jacobian_share);
	fflush(stdout);
}

static void print_json(const AbutRobotCase *which, const AbutRobotResult *result, bool quick, const char *separator)
{
	printf("%s\n  {\"name\": \"%s\", \"steps\": %ld", separator, which->name, result->steps);
	abut_print_number("step_time_us_mean", result->us);
	abut_print_number("mujoco_step_time_us_mean", result->mujoco_us);
	abut_print_number("ratio_mean", result->us / result->mujoco_us);
	abut_print_number("bound", which->bound);
	printf(", \"met\": %s", quick || isnan(which->bound) || isnan(result->mujoco_us) ? "null"
	                        : is_met(which, result)                                  ? "true"
	                                                                                 : "false");
	abut_print_number("iterations_mean", result->iterations);
	abut_print_number("exact_share", result->exact_share);
	abut_print_number("max_joint_violation", result->violation);
	abut_print_number("max_penetration", result->penetration);
	abut_print_number("mujoco_max_penetration", result->mujoco_penetration);
	abut_print_number("jacobian_us_mean", result->jacobian_us);
	abut_print_number("jacobian_over_step", result->jacobian_us / result->jacobian_step_us);
	abut_print_number("jacobian_share", result->jacobian_share);
	printf(", \"halved_steps\": %ld, \"failed_steps\": %ld}", result->halved, result->failed);
}

static int run(const char *name, bool json, bool quick, unsigned long long seed)
{
	const char *separator = "";
	int exit_status = ABUT_EXIT_DONE;
	if (!abut_bench_any_chosen(abut_robot_case_count, abut_robot_case_chosen, name)) {
		return abut_refuse("bench robots: no case starts with '%s'", name);
	}
	abut_bench_print_heading(json, "cases", seed);
	if (!json) {
		print_head();
	}
	for (int i = 0; i < abut_robot_case_count; i++) {
		const AbutRobotCase *which = &abut_robot_cases[i];
		AbutError error = {.status = ABUT_OK};
		AbutRobotResult result;
		if (!abut_robot_case_chosen(i, name)) {
			continue;
		}
		if (abut_robot_compare(which, seed, quick, &result, &error) != ABUT_OK) {
			return abut_report_error(&error, ABUT_EXIT_CHECK);
		}
		if (json) {
			print_json(which, &result, quick, separator);
			separator = ",";
		} else {
			print_row(which, &result, quick);
		}
		exit_status = result.failed > 0 ? ABUT_EXIT_CHECK : exit_status;
	}
	if (json) {
		printf("\n]}\n");
	}
	return abut_finish_stdout(exit_status);
}

const AbutBenchPart abut_bench_robots = {"robots", true, run};
