/* Records the islands of a step during differentiation, and computes the derivatives by the states of their bodies. */
#include "experiments/reference/extended_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dynamics/body/tangent.h"
#include "dynamics/gradient/gradient.h"
#include "experiments/reference/extended_equations.h"
#include "experiments/reference/extended_island.h"
#include "experiments/reference/extended_step_parts.h"

enum { ROWS = ABUT_GRADIENT_ROWS };

static const long double imaginary_step = 1e-30L;
/* An exact solution closer than this to a change of modes counts as on the border, because steps are solved to 1e-11.
 */
static const long double least_margin = 1e-9L;
/* The largest allowed difference between a refined velocity and that of the step, in model units. A larger difference
 * means another solution. */
static const long double most_change = 1e-6L;

static const char border[] = "the solution is on the border of two contact modes: the one-sided derivatives differ";

static void free_record(AbutExtendedRecord *record)
{
	abut_extended_island_free(&record->island);
	abut_extended_solver_free(&record->solver);
	record->why = NULL;
}

void abut_extended_step_destroy(AbutExtendedStep *step)
{
	if (step) {
		for (int i = 0; i < step->n_records; i++) {
			free_record(&step->records[i]);
		}
		free(step->records);
		free(step->record_of);
		free(step);
	}
}

/* --- islands --- */

static const char *solve_record(AbutExtendedRecord *record)
{
	static const char *const ends[] = {
	    [ABUT_EXTENDED_SINGULAR] =
	        "the contact conditions do not determine the step: there are more of them than degrees of freedom",
	    [ABUT_EXTENDED_UNSETTLED] = "the step's equations do not converge in extended precision"};
	AbutExtendedIsland *island = &record->island;
	long double change;
	abut_extended_evaluate(island, island->base, record->solver.F);
	abut_extended_choose_modes(island);
	if (abut_extended_margin(island) < least_margin) {
		return border;
	}
	const AbutExtendedEnd end = abut_extended_refine(&record->solver, island, &change);
	if (end != ABUT_EXTENDED_SOLVED) {
		return ends[end];
	}
	return change > most_change ? "the step's equations lead to another solution in extended precision" : NULL;
}

static AbutStatus fill_record(const AbutModel *model, double kappa, const AbutIsland *island,
                              AbutExtendedRecord *record)
{
	record->why = abut_extended_island_refusal(island);
	if (record->why) {
		return ABUT_OK;
	}
	AbutStatus status = abut_extended_island_copy(model, island, kappa, &record->island);
	ABUT_THEN(status, abut_extended_solver_create(record->island.n, &record->solver));
	if (status == ABUT_OK) {
		record->why = solve_record(record);
	}
	return status;
}

/* Records an island. An island that is solved again, in parts or after a failure, replaces its earlier record. */
static void see(void *watcher, const AbutIsland *island)
{
	AbutExtendedStep *step = watcher;
	const AbutContactProblem *problem = &island->problem;
	const int first = step->model->bodies[problem->moving[0]->body].moving;
	int index = step->record_of[first];
	if (index < 0) {
		index = step->n_records++;
	}
	AbutExtendedRecord *record = &step->records[index];
	free_record(record);
	for (int i = 0; i < problem->n_moving; i++) {
		step->record_of[step->model->bodies[problem->moving[i]->body].moving] = index;
	}
	if (step->status == ABUT_OK) {
		step->status = fill_record(step->model, step->kappa, island, record);
	}
}

/* Refuses islands that were solved in several parts, because only the last part was recorded. */
static void refuse_parts(AbutExtendedStep *step, const AbutGradient *gradient)
{
	for (int i = 0, first = 0; i < gradient->n_islands; i++) {
		const AbutGradientIsland *island = abut_gradient_island(gradient, first);
		const int record = step->record_of[gradient->bodies[first]];
		if (island->n_parts > 1 && record >= 0) {
			step->records[record].why = "the step was taken in parts";
		}
		first += island->n_bodies;
	}
}

static AbutStatus take_step(AbutExtendedStep *step, const AbutState *before, AbutError *error)
{
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutGradient *gradient = NULL;
	AbutStepInfo info = {.exact = false};
	AbutStatus status = abut_gradient_create(step->model, step->kappa, &gradient, error);
	ABUT_THEN(status, abut_state_create(step->model, &state, error));
	ABUT_THEN(status, abut_workspace_create(step->model, &workspace, error));
	if (status == ABUT_OK) {
		gradient->watch = (AbutGradientWatch){see, step};
		if (abut_state_copy(step->model, before, state) != ABUT_OK ||
		    abut_step_differentiate(step->model, state, workspace, gradient, &info) != ABUT_OK ||
		    info.outcome == ABUT_OUTCOME_FAILED) {
			status = abut_error_set(error, ABUT_ERROR_NUMERICAL, NULL, "the step could not be repeated");
		} else {
			refuse_parts(step, gradient);
		}
	}
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_gradient_destroy(gradient);
	return status;
}

AbutStatus abut_extended_step_create(const AbutModel *model, const AbutState *state, double kappa,
                                     AbutExtendedStep **out, AbutError *error)
{
	const size_t n = (size_t)model->n_moving + 1;
	AbutExtendedStep *step = calloc(1, sizeof *step);
	*out = NULL;
	if (step) {
		step->model = model;
		step->kappa = kappa;
		step->records = calloc(n, sizeof *step->records);
		step->record_of = calloc(n, sizeof *step->record_of);
	}
	if (!step || !step->records || !step->record_of) {
		abut_extended_step_destroy(step);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a step in extended precision");
	}
	for (int i = 0; i < model->n_moving; i++) {
		step->record_of[i] = -1;
	}
	AbutStatus status = take_step(step, state, error);
	if (status == ABUT_OK && step->status != ABUT_OK) {
		status = abut_error_set(error, step->status, NULL, "no memory for a step in extended precision");
	}
	if (status != ABUT_OK) {
		abut_extended_step_destroy(step);
		return status;
	}
	*out = step;
	return ABUT_OK;
}

const char *abut_extended_step_why(const AbutExtendedStep *step, int moving)
{
	const int record = step->record_of[moving];
	return record < 0 ? "the step has no derivative there" : step->records[record].why;
}

bool abut_extended_step_on_border(const AbutExtendedStep *step, int moving)
{
	return abut_extended_step_why(step, moving) == border;
}

/* --- columns --- */

static AbutExtendedBody *body_of(const AbutExtendedStep *step, int moving, int *index)
{
	AbutExtendedIsland *island = &step->records[step->record_of[moving]].island;
	*index = 0;
	for (int i = 0; i < island->n_bodies; i++) {
		if (island->bodies[i].moving == moving) {
			*index = i;
		}
	}
	return &island->bodies[*index];
}

/* Computes the turn by the angle `by` about a body axis, in body axes. For a planar body, only the part about world y
 * remains. */
static void own_turn(const AbutExtendedBody *body, int axis, AbutComplex by, AbutComplex out[3])
{
	for (int k = 0; k < 3; k++) {
		const AbutComplex whole = k == axis ? by : 0.0L;
		out[k] = body->planar ? by * body->R0[3 + axis] * body->R0[3 + k] : whole;
	}
}

/* Replaces R0 by R0 (I + [turn]x), a turn to first order. */
static void turn_start(AbutExtendedBody *body, const AbutComplex turn[3])
{
	for (int row = 0; row < 3; row++) {
		AbutComplex *R = &body->R0[3 * row], by[3];
		abut_extended_cross(R, turn, by);
		for (int k = 0; k < 3; k++) {
			R[k] += by[k];
		}
	}
}

/* Adds `by` to one entry of the tangent space at the start. */
static void change_body(AbutExtendedBody *body, int entry, AbutComplex by)
{
	const int axis = entry % 3;
	AbutComplex turn[3];
	const AbutComplex along = body->planar && axis == 1 ? 0.0L : by;
	own_turn(body, axis, by, turn);
	if (entry < ABUT_GRADIENT_ROTATION) {
		body->moved[axis] += along;
	} else if (entry < ABUT_GRADIENT_LINEAR) {
		turn_start(body, turn);
	} else if (entry < ABUT_GRADIENT_FORCE && body->quasi_static) {
		return; /* a quasi-static step starts at rest */
	} else if (entry < ABUT_GRADIENT_ANGULAR) {
		body->v0[axis] += along;
	} else if (entry < ABUT_GRADIENT_FORCE) {
		for (int k = 0; k < 3; k++) {
			body->spin[k] += turn[k];
		}
	} else {
		(entry < ABUT_GRADIENT_TORQUE ? body->force : body->torque)[axis] += by;
	}
}

/* Reads the imaginary parts of a body's rows at the end of the step, model units. The turn is R' dR; the spin is in the
 * body axes at the start. */
static void read_rows(const AbutExtendedBody *body, long double timestep, long double out[ROWS])
{
	AbutComplex spin[3], end[9], turn[9];
	abut_extended_rotate_back(body->R0, body->w, spin);
	for (int i = 0; i < 9; i++) {
		end[i] = creall(body->R[i % 3 * 3 + i / 3]);
	}
	abut_extended_multiply(end, body->R, turn);
	for (int k = 0; k < 3; k++) {
		const int next = (k + 1) % 3, last = (k + 2) % 3;
		out[ABUT_GRADIENT_POSITION + k] = cimagl(body->moved[k] + timestep * body->v[k]);
		out[ABUT_GRADIENT_ROTATION + k] = 0.5L * cimagl(turn[3 * last + next] - turn[3 * next + last]);
		out[ABUT_GRADIENT_LINEAR + k] = cimagl(body->v[k]);
		out[ABUT_GRADIENT_ANGULAR + k] = cimagl(spin[k]);
	}
}

static void write_column(const AbutExtendedStep *step, const AbutExtendedRecord *record, int entry, long double error,
                         double *values, double *errors)
{
	const AbutUnits *units = &step->model->units;
	const double unit = abut_tangent_unit(units, entry);
	for (int i = 0; i < record->island.n_bodies; i++) {
		const AbutExtendedBody *body = &record->island.bodies[i];
		long double rows[ROWS];
		read_rows(body, record->island.timestep, rows);
		for (int row = 0; row < ROWS; row++) {
			const int at = ROWS * body->moving + row;
			const double to_si = abut_tangent_unit(units, row) / unit;
			values[at] = (double)(rows[row] / imaginary_step) * to_si;
			errors[at] = (double)error * to_si;
		}
	}
}

void abut_extended_step_column(AbutExtendedStep *step, int moving, int entry, double *values, double *errors)
{
	const bool known = !abut_extended_step_why(step, moving);
	for (int i = 0; i < ROWS * step->model->n_moving; i++) {
		values[i] = known ? 0.0 : (double)NAN;
		errors[i] = known ? 0.0 : (double)INFINITY;
	}
	if (!known) {
		return;
	}
	int index;
	long double error;
	AbutExtendedRecord *record = &step->records[step->record_of[moving]];
	AbutExtendedBody *body = body_of(step, moving, &index), kept = *body;
	change_body(body, entry, imaginary_step * _Complex_I);
	const AbutExtendedEnd end = abut_extended_follow(&record->solver, &record->island, imaginary_step, &error);
	write_column(step, record, entry, end == ABUT_EXTENDED_SOLVED ? error : (long double)INFINITY, values, errors);
	*body = kept;
}
