/* How the step of a dump went, as text and as JSON. */
#include "cli/solve_report.h"

#include <string.h>

#include "abut/version.h"
#include "base/vec3.h"
#include "cli/json_print.h"
#include "io/text/number.h"

/* --- text --- */

static void print_dump(const AbutSolveReport *report)
{
	const AbutDumpResult *was = abut_dump_result(report->dump);
	const char *verdict = abut_dump_result_same(was, &report->result) ? "the same"
	                      : report->varied                            ? "asked otherwise"
	                                                                  : "NOT the same: another program or machine";
	printf("  in the dump      %s after %d iterations, residual %.3g: %s\n", abut_outcome_name(was->info.outcome),
	       was->info.iterations, was->info.residual, verdict);
}

/* Of all islands, while the step's iterations are those of the island that took most. */
static void print_stages(const AbutIterationLog *log)
{
	int finish = 0;
	for (int i = 0; i < log->count; i++) {
		finish += log->entries[i].phase == 1;
	}
	printf("  in all islands   %d in the interior point, %d in the finish\n", log->count - finish, finish);
}

static void print_iterations(const AbutIterationLog *log)
{
	if (log->count == 0) {
		return;
	}
	printf("\n  %9s  %-14s %10s %10s %16s %12s\n", "iteration", "stage", "kappa", "residual", "complementarity",
	       "step length");
	for (int i = 0; i < log->count; i++) {
		const AbutIteration *entry = &log->entries[i];
		printf("  %9d  %-14s %10.2e %10.2e %16.2e %12.4f\n", i + 1,
		       entry->phase == 0 ? "interior point" : "finish", entry->kappa, entry->residual,
		       entry->complementarity, entry->step_length);
	}
}

static int name_width(const AbutModel *model)
{
	int width = 4;
	for (int i = 0; i < abut_model_body_count(model); i++) {
		const int length = (int)strlen(abut_model_body_name(model, i));
		width = length > width ? length : width;
	}
	return width;
}

static void print_contacts(const AbutSolveReport *report)
{
	AbutContact contact;
	const int width = name_width(report->model);
	for (int i = 0; abut_contact_get(report->model, report->workspace, i, &contact) == ABUT_OK; i++) {
		if (i == 0) {
			printf("\n  %-*s  %-*s %10s %11s %14s %16s\n", width, "a", width, "b", "scaling", "gap (m)",
			       "normal (N s)", "friction (N s)");
		}
		printf("  %-*s  %-*s %10.6f %11.3e %14.6g %16.6g\n", width,
		       abut_model_body_name(report->model, contact.body_a), width,
		       abut_model_body_name(report->model, contact.body_b), contact.scaling, contact.gap,
		       contact.normal_impulse, abut_norm3(contact.friction_impulse));
	}
}

void abut_print_solve(const AbutSolveReport *report)
{
	const AbutStepInfo *info = &report->result.info;
	printf("%s: step %ld, from %g s on\n", abut_dump_name(report->dump), abut_dump_step(report->dump),
	       abut_dump_time(report->dump));
	printf("  outcome          %s: %s\n", abut_outcome_name(info->outcome), report->result.explanation);
	print_dump(report);
	printf("  tries            %d%s\n", info->tries, info->retried ? ", by other starts too" : "");
	printf("  iterations       %d\n", info->iterations);
	print_stages(report->log);
	printf("  half steps       %d levels\n", info->halvings);
	printf("  kappa            %.3g\n", info->kappa);
	printf("  residual         %.3g\n", info->residual);
	printf("  complementarity  %.3g\n", info->complementarity);
	printf("  penetration      %.3g m max\n", info->max_penetration);
	print_iterations(report->log);
	print_contacts(report);
}

/* --- JSON --- */

static void print_json_log(const AbutIterationLog *log)
{
	for (int i = 0; i < log->count; i++) {
		const AbutIteration *entry = &log->entries[i];
		printf("%s\n  {\"phase\": %d", i > 0 ? "," : "", entry->phase);
		abut_print_number("kappa", entry->kappa);
		abut_print_number("residual", entry->residual);
		abut_print_number("complementarity", entry->complementarity);
		abut_print_number("step_length", entry->step_length);
		putchar('}');
	}
}

static void print_json_contacts(const AbutSolveReport *report)
{
	AbutContact contact;
	for (int i = 0; abut_contact_get(report->model, report->workspace, i, &contact) == ABUT_OK; i++) {
		printf("%s\n  {\"body_a\": ", i > 0 ? "," : "");
		abut_json_write_string(stdout, abut_model_body_name(report->model, contact.body_a));
		printf(", \"body_b\": ");
		abut_json_write_string(stdout, abut_model_body_name(report->model, contact.body_b));
		printf(", \"part_a\": %d, \"part_b\": %d", contact.part_a, contact.part_b);
		abut_print_number("scaling", contact.scaling);
		abut_print_number("gap", contact.gap);
		abut_print_vector("point", contact.point);
		abut_print_vector("normal", contact.normal);
		abut_print_number("normal_impulse", contact.normal_impulse);
		abut_print_vector("friction_impulse", contact.friction_impulse);
		abut_print_number("torsional_impulse", contact.torsional_impulse);
		putchar('}');
	}
}

void abut_print_solve_json(const AbutSolveReport *report)
{
	const AbutDumpResult *was = abut_dump_result(report->dump);
	printf("{\"name\": ");
	abut_json_write_string(stdout, abut_dump_name(report->dump));
	printf(", \"version\": \"%s\", \"seed\": %llu, \"step\": %ld", abut_version(), abut_dump_seed(report->dump),
	       abut_dump_step(report->dump));
	abut_print_number("time", abut_dump_time(report->dump));
	printf(",\n\"result\": ");
	abut_dump_result_write(stdout, &report->result);
	printf(",\n\"dump\": {\"version\": ");
	abut_json_write_string(stdout, abut_dump_version(report->dump));
	printf(", \"result\": ");
	abut_dump_result_write(stdout, was);
	printf("},\n\"same\": %s, \"log\": [", abut_dump_result_same(was, &report->result) ? "true" : "false");
	print_json_log(report->log);
	printf("\n], \"contacts\": [");
	print_json_contacts(report);
	printf("\n]}\n");
}
