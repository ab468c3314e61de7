/* Prints the output of `abut grad`, as a table or as JSON (docs/interface.md). Tested in tests/cli/grad/grad.c. */
#include "cli/grad/report.h"

#include <math.h>
#include <stdio.h>

#include "abut/version.h"
#include "cli/common/print.h"
#include "dynamics/model/model.h"
#include "io/text/number.h"

enum { NAME_SIZE = 320 };

/* --- text --- */

static void print_block(const AbutGradReport *report, const AbutGradBlock *block)
{
	const size_t n = (size_t)block->rows * (size_t)block->cols;
	size_t largest = 0;
	double squares = 0.0;
	char row[NAME_SIZE], column[NAME_SIZE];
	for (size_t i = 0; i < n; i++) {
		largest = fabs(block->data[i]) > fabs(block->data[largest]) ? i : largest;
		squares += block->data[i] * block->data[i];
	}
	printf("  %-16s %6d %6d", block->name, block->rows, block->cols);
	if (n == 0) {
		printf(" %13s %13s\n", "-", "-");
		return;
	}
	abut_grad_row_name(report->model, report->blocks, (int)(largest / (size_t)block->cols), row, sizeof row);
	abut_grad_column_name(report->model, report->blocks, block, (int)(largest % (size_t)block->cols), column,
	                      sizeof column);
	printf(" %13.6g %13.6g", block->data[largest], sqrt(squares));
	if (block->data[largest] != 0.0) {
		printf("  %s by %s", row, column);
	}
	putchar('\n');
}

static void print_verdict(const AbutGradReport *report, int index)
{
	const AbutGradBlock *block = &report->blocks->blocks[index];
	const AbutGradVerdict *verdict = &report->check->verdicts[index];
	printf("  %-16s %9ld %9ld %9ld %9ld %13.6g %13.6g", block->name, verdict->entries, verdict->extended,
	       verdict->undecided, verdict->beyond, verdict->largest, verdict->scale);
	if (verdict->worst.row >= 0) {
		printf(" %11.2e", verdict->worst.relative);
	} else {
		printf(" %11s", "-");
	}
	printf("  %s\n", abut_grad_verdict_word(verdict));
}

static void print_worst(const AbutGradReport *report, int index)
{
	const AbutGradBlock *block = &report->blocks->blocks[index];
	const AbutGradEntry *worst = &report->check->verdicts[index].worst;
	char row[NAME_SIZE], column[NAME_SIZE];
	if (worst->row >= 0) {
		abut_grad_row_name(report->model, report->blocks, worst->row, row, sizeof row);
		abut_grad_column_name(report->model, report->blocks, block, worst->col, column, sizeof column);
		printf("  %s: worst at row '%s', column '%s': analytic %.9g, %s %.9g, difference %.2e of the "
		       "scale\n",
		       block->name, row, column, worst->analytic,
		       worst->extended ? "extended precision" : "finite difference", worst->difference,
		       worst->relative);
	}
}

/* Explains the scale of a block with small entries. */
static void print_scale(const AbutGradReport *report, int index)
{
	const AbutGradVerdict *verdict = &report->check->verdicts[index];
	if (verdict->scale > verdict->largest) {
		printf("  %s: errors are relative to the effect of one unit on a body in flight, %.3g, which is "
		       "larger than the largest entry, %.3g",
		       report->blocks->blocks[index].name, verdict->scale, verdict->largest);
		if (verdict->worst.row >= 0 && verdict->largest > 0.0) {
			printf("; relative to the largest entry the worst is %.2e", abut_grad_of_largest(verdict));
		}
		putchar('\n');
	}
}

static void print_check(const AbutGradReport *report)
{
	const int n = report->blocks->count;
	printf("\n  central finite differences, tolerance %g\n", report->check->tolerance);
	printf("  %-16s %9s %9s %9s %9s %13s %13s %11s\n", "block", "entries", "extended", "undecided", "beyond",
	       "largest", "scale", "worst");
	for (int i = 0; i < n; i++) {
		print_verdict(report, i);
	}
	putchar('\n');
	for (int i = 0; i < n; i++) {
		print_worst(report, i);
	}
	for (int i = 0; i < n; i++) {
		print_scale(report, i);
	}
	for (int i = 0; i < n; i++) {
		const AbutGradVerdict *verdict = &report->check->verdicts[i];
		const char *name = report->blocks->blocks[i].name;
		if (verdict->extended > 0) {
			printf("  %s: %ld of %ld entries are decided by a complex step in extended precision: "
			       "differences do not settle, or differ\n",
			       name, verdict->extended, verdict->entries);
		}
		if (verdict->undecided > 0) {
			printf("  %s: %ld of %ld entries are undecided: differences do not settle, for example if a "
			       "contact opens, slips or changes faces; %s\n",
			       name, verdict->undecided, verdict->entries, verdict->why);
		}
	}
}

void abut_print_grad(const AbutGradReport *report)
{
	const AbutStepInfo *info = report->info;
	const double begin = (double)report->step * report->def->timestep;
	printf("%s: step %ld, beginning at %g s\n", report->def->name, report->step, begin);
	printf("  method          %s\n", abut_method_name(report->def->solver.method));
	printf("  seed            %llu\n", report->seed);
	printf("  step            %s, %d iteration%s, %d contact%s\n", abut_outcome_name(info->outcome),
	       info->iterations, info->iterations == 1 ? "" : "s", info->active_contacts,
	       info->active_contacts == 1 ? "" : "s");
	if (report->kappa > 0.0) {
		printf("  derivative      on the path, at kappa %g\n\n", report->kappa);
	} else {
		printf("  derivative      at the solution\n\n");
	}
	printf("  %-16s %6s %6s %13s %13s  %s\n", "block", "rows", "cols", "largest", "norm", "where");
	for (int i = 0; i < report->blocks->count; i++) {
		print_block(report, &report->blocks->blocks[i]);
	}
	if (report->check) {
		print_check(report);
	}
}

/* --- JSON --- */

/* Prints the 13 numbers of a body, the first without a comma if it is the first body, `after` 0. */
static void print_body(int after, const AbutBodyState *state)
{
	const double *p = state->position, *q = state->orientation, *v = state->linear_velocity,
	             *w = state->angular_velocity;
	const double all[] = {p[0], p[1], p[2], q[0], q[1], q[2], q[3], v[0], v[1], v[2], w[0], w[1], w[2]};
	for (int i = 0; i < 13; i++) {
		abut_print_comma(after + i);
		abut_json_write_number(stdout, all[i]);
	}
}

static void print_state(const AbutGradReport *report)
{
	printf(",\n\"state_next\": [");
	for (int i = 0; i < report->model->n_moving; i++) {
		AbutBodyState body;
		if (abut_state_get_body(report->model, report->after, report->model->moving_body[i], &body) ==
		    ABUT_OK) {
			print_body(i, &body);
		}
	}
	printf("]");
	if (report->path) {
		printf(",\n\"state_path\": [");
		for (int i = 0; i < report->model->n_moving; i++) {
			print_body(i, &report->path[i]);
		}
		printf("]");
	}
}

static void print_names(const AbutGradReport *report, const AbutGradBlock *block)
{
	char name[NAME_SIZE];
	printf(", \"columns\": [");
	for (int column = 0; column < block->cols; column++) {
		abut_grad_column_name(report->model, report->blocks, block, column, name, sizeof name);
		abut_print_comma(column);
		abut_json_write_string(stdout, name);
	}
	printf("]");
}

static void print_json_block(const AbutGradReport *report, const AbutGradBlock *block)
{
	printf("\"%s\": {\"rows\": %d, \"cols\": %d", block->name, block->rows, block->cols);
	if (block->parameters || report->blocks->linear) {
		print_names(report, block);
	}
	printf(", \"data\": [");
	for (int row = 0; row < block->rows; row++) {
		fputs(row > 0 ? ",\n  " : "\n  ", stdout);
		abut_print_list(block->cols, &block->data[(size_t)row * (size_t)block->cols]);
	}
	printf("]}");
}

static void print_json_verdict(const AbutGradReport *report, int index)
{
	const AbutGradBlock *block = &report->blocks->blocks[index];
	const AbutGradVerdict *verdict = &report->check->verdicts[index];
	char name[NAME_SIZE];
	printf("\"%s\": {\"verdict\": \"%s\", \"entries\": %ld, \"extended\": %ld, \"undecided\": %ld, \"beyond\": %ld",
	       block->name, abut_grad_verdict_word(verdict), verdict->entries, verdict->extended, verdict->undecided,
	       verdict->beyond);
	if (verdict->why) {
		abut_print_text("undecided_because", verdict->why);
	}
	abut_print_number("largest", verdict->largest);
	abut_print_number("scale", verdict->scale);
	if (verdict->worst.row < 0) {
		printf(", \"worst\": null}");
		return;
	}
	printf(", \"worst\": {\"row\": %d, \"col\": %d", verdict->worst.row, verdict->worst.col);
	abut_grad_row_name(report->model, report->blocks, verdict->worst.row, name, sizeof name);
	abut_print_text("row_name", name);
	abut_grad_column_name(report->model, report->blocks, block, verdict->worst.col, name, sizeof name);
	abut_print_text("col_name", name);
	abut_print_number("analytic", verdict->worst.analytic);
	abut_print_number("difference", verdict->worst.difference);
	abut_print_number("relative", verdict->worst.relative);
	if (verdict->largest > 0.0) {
		abut_print_number("relative_to_largest", abut_grad_of_largest(verdict));
	}
	printf(", \"extended\": %s", verdict->worst.extended ? "true" : "false");
	printf("}}");
}

static void print_json_check(const AbutGradReport *report)
{
	printf(",\n\"check\": {\"passed\": %s",
	       abut_grad_check_passed(report->check, report->blocks->count) ? "true" : "false");
	abut_print_number("tolerance", report->check->tolerance);
	printf(", \"blocks\": {");
	for (int i = 0; i < report->blocks->count; i++) {
		fputs(i > 0 ? ",\n" : "\n", stdout);
		print_json_verdict(report, i);
	}
	printf("}}");
}

void abut_print_grad_json(const AbutGradReport *report)
{
	abut_print_first("name", report->def->name);
	printf(", \"version\": \"%s\", \"seed\": %llu, \"method\": \"%s\", \"step\": %ld", abut_version(), report->seed,
	       abut_method_name(report->def->solver.method), report->step);
	abut_print_number("kappa", report->kappa);
	if (report->blocks->linear) {
		abut_print_text("coordinates", "joint");
	}
	abut_print_number("timestep", report->def->timestep);
	printf(", \"outcome\": \"%s\", \"contacts\": %d, \"bodies\": [", abut_outcome_name(report->info->outcome),
	       report->info->active_contacts);
	for (int i = 0; i < report->model->n_moving; i++) {
		abut_print_comma(i);
		abut_json_write_string(stdout, abut_model_body_name(report->model, report->model->moving_body[i]));
	}
	printf("]");
	print_state(report);
	printf(",\n\"blocks\": {");
	for (int i = 0; i < report->blocks->count; i++) {
		fputs(i > 0 ? ",\n" : "\n", stdout);
		print_json_block(report, &report->blocks->blocks[i]);
	}
	printf("}");
	for (int i = 0; i < report->blocks->n_missing; i++) {
		printf("%s\"%s\"", i > 0 ? ", " : ",\n\"missing\": [", report->blocks->missing[i]);
	}
	fputs(report->blocks->n_missing > 0 ? "]" : "", stdout);
	if (report->check) {
		print_json_check(report);
	}
	printf("}\n");
}
