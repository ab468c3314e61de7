/* Writes a message that explains why a step was not solved as requested. */
#include <stdio.h>

#include "base/vec3.h"
#include "dynamics/state/state.h"
#include "dynamics/step/workspace.h"

/* Returns how far the two bodies of a pair pass each other in a step, divided by the diameter of the smaller part; 0
 * for a halfspace. */
static double passing(const AbutModel *model, const AbutState *state, const AbutPair *pair)
{
	const AbutConicRows *a = &model->parts[pair->part[0]].rows, *b = &model->parts[pair->part[1]].rows;
	const double *v = state->motion[pair->body[0]].at.linear_velocity;
	const double *u = state->motion[pair->body[1]].at.linear_velocity;
	const double way[3] = {v[0] - u[0], v[1] - u[1], v[2] - u[2]};
	const double size = 2.0 * abut_min(a->outer_radius, b->outer_radius) * model->units.length;
	return b->bounded ? model->timestep_si * abut_norm3(way) / size : 0.0;
}

/* Finds the parts with the highest speed and the smallest radius: any pair that passes too far contains one of them. */
static void extreme_parts(const AbutModel *model, const AbutState *state, int extremes[2])
{
	double fastest = -1.0, smallest = (double)INFINITY;
	for (int i = 0; i < model->n_parts; i++) {
		const AbutPart *part = &model->parts[i];
		const double speed = abut_norm3(state->motion[part->body].at.linear_velocity);
		if (speed > fastest) {
			fastest = speed;
			extremes[0] = i;
		}
		if (part->rows.bounded && part->rows.outer_radius < smallest) {
			smallest = part->rows.outer_radius;
			extremes[1] = i;
		}
	}
}

/* Finds the pair that passes furthest among those with one of these parts. Returns its distance as `passing` does. */
static double most_passing(const AbutModel *model, const AbutState *state, AbutPair *out)
{
	int extremes[2] = {0, 0};
	double most = 0.0;
	extreme_parts(model, state, extremes);
	for (int i = 0; i < 2 * model->n_parts; i++) {
		const int a = extremes[i % 2], b = i / 2, first = a < b ? a : b, second = a < b ? b : a;
		AbutPair pair;
		if (!abut_pair_make(model, first, second, &pair)) {
			continue;
		}
		const double value = passing(model, state, &pair);
		if (value > most) {
			most = value;
			*out = pair;
		}
	}
	return most;
}

static void explain_spin(const AbutModel *model, int spinning, double most_turn, char *text, size_t size)
{
	snprintf(text, size,
	         "'%s' spins by a half turn of %.3g in a step, and method %s carries %.2g: use a timestep below %.2g s",
	         model->bodies[spinning].name, most_turn, abut_method_name(model->options.method),
	         ABUT_LARGEST_HALF_TURN, ABUT_LARGEST_HALF_TURN * model->timestep_si / most_turn);
}

static void explain_size(const AbutStepInfo *info, char *text, size_t size)
{
	snprintf(text, size,
	         "bodies in contact with each other have %d unknowns, and a dense matrix holds at most %d: use method "
	         "single-level with linear_solver condensed",
	         info->unknowns, (int)ABUT_DENSE_MAX);
}

void abut_step_explain(const AbutModel *model, const AbutState *state, const AbutStepInfo *info, char *text,
                       size_t size)
{
	double most_turn = 0.0, lightest = 0.0, heaviest = 0.0;
	int spinning = -1;
	AbutPair pair = {.mu = 0.0};
	const double way = most_passing(model, state, &pair);
	for (int i = 0; i < model->n_moving; i++) {
		const int body = model->moving_body[i];
		const double turn = 0.5 * model->timestep_si * abut_norm3(state->motion[body].at.angular_velocity);
		const double mass = model->bodies[body].mass_si;
		lightest = i == 0 ? mass : abut_min(lightest, mass);
		heaviest = abut_max(heaviest, mass);
		if (turn > most_turn) {
			most_turn = turn;
			spinning = body;
		}
	}
	if (info->outcome == ABUT_OUTCOME_EXACT || info->outcome == ABUT_OUTCOME_RELAXED) {
		snprintf(text, size, "the step was solved");
	} else if (info->unknowns > 0) {
		explain_size(info, text, size);
	} else if (model->method->has.whole_steps && most_turn >= ABUT_LARGEST_HALF_TURN) {
		explain_spin(model, spinning, most_turn, text, size);
	} else if (model->method->explain && model->method->explain(model, info, text, size)) {
		return;
	} else if (info->outcome == ABUT_OUTCOME_FAILED && info->broken_body > 0) {
		snprintf(text, size,
		         "a function of the shape of '%s' gave a value that is not finite; the check of the shape says "
		         "where",
		         model->bodies[info->broken_body - 1].name);
	} else if (most_turn > 0.1 * ABUT_MOST_SPIN) { /* for methods that split steps */
		snprintf(
		    text, size,
		    "'%s' spins by a half turn of %.3g in a step, and the parts of a step carry at most %.4g: use a "
		    "timestep below %.2g s",
		    model->bodies[spinning].name, most_turn, ABUT_MOST_SPIN,
		    0.1 * ABUT_MOST_SPIN * model->timestep_si / most_turn);
	} else if (way > 4.0) {
		snprintf(text, size,
		         "'%s' and '%s' pass each other by %.3g times the smaller one's size in a step: use a timestep "
		         "below %.2g s",
		         model->bodies[pair.body[0]].name, model->bodies[pair.body[1]].name, way,
		         model->timestep_si / way);
	} else if (info->outcome == ABUT_OUTCOME_RAISED_KAPPA) {
		snprintf(text, size, "solved only at kappa %.2g instead of %.2g, after %d tries", info->kappa,
		         model->options.kappa, info->tries);
	} else {
		const int n = snprintf(text, size, "no convergence in %d %s and %d %s (residual %.2g)", info->tries,
		                       info->tries == 1 ? "try" : "tries", info->iterations,
		                       info->iterations == 1 ? "iteration" : "iterations", info->residual);
		const size_t used = n < 0 ? 0 : (size_t)n < size ? (size_t)n : size;
		if (!model->options.retry) {
			snprintf(text + used, size - used, "; solver.retry is off, so that no other start was tried");
		} else if (heaviest > 10.0 * lightest) {
			snprintf(text + used, size - used, "; masses range from %.2g to %.2g kg", lightest, heaviest);
		}
	}
}
