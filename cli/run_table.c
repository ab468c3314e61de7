/* The table that `abut run` prints. */
#include <stdio.h>
#include <string.h>

#include "cli/run_table.h"

void abut_print_run(const AbutRunReport *report)
{
	const AbutRunSummary *summary = report->summary;
	printf("%s\n", report->def->name);
	printf("  method          %s\n", abut_method_name(report->def->solver.method));
	printf("  seed            %llu\n", report->seed);
	printf("  steps           %ld of %g s\n", summary->steps, abut_model_timestep(report->model));
	printf("  exact           %ld\n", summary->exact_steps);
	printf("  relaxed         %ld%s\n", summary->relaxed_steps,
	       report->def->solver.finish == ABUT_FINISH_EXACT ? "" : ", as asked");
	printf("  retried         %ld\n", summary->retried_steps);
	printf("  half steps      %ld\n", summary->halved_steps);
	printf("  failed          %ld\n", summary->failed_steps);
	printf("  iterations      %.2f mean, %d max\n", summary->iterations_mean, summary->iterations_max);
	printf("  penetration     %.3g m max\n", summary->max_penetration);
	printf("  energy drift    %.6g J\n", summary->energy_drift);
	printf("  step time       %.1f us median, %.1f us mean\n\n", summary->step_time_us_median,
	       summary->step_time_us_mean);
	int width = 4;
	const int n = abut_model_body_count(report->model);
	for (int i = 0; i < n; i++) {
		const int length = (int)strlen(abut_model_body_name(report->model, i));
		width = length > width ? length : width;
	}
	printf("  %-*s  %12s %12s %12s   (m, at %g s)\n", width, "body", "x", "y", "z", summary->final_time);
	for (int i = 0; i < n; i++) {
		AbutBodyState body;
		if (!abut_model_body_is_static(report->model, i) &&
		    abut_state_get_body(report->model, report->state, i, &body) == ABUT_OK) {
			printf("  %-*s  %12.6g %12.6g %12.6g\n", width, abut_model_body_name(report->model, i),
			       body.position[0], body.position[1], body.position[2]);
		}
	}
}
