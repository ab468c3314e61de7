/* abut_step: one timestep, in half steps where the whole one cannot be solved. */
#include "dynamics/step_parts.h"

/* Solves for a timestep from `state`, adding pairs that turn out to meet after all. True unless the outcome is failed. */
static bool solve(const AbutModel *model, const AbutState *state, AbutWorkspace *w, double timestep, bool allow_raised,
                  AbutStepInfo *info)
{
	abut_step_gather(model, state, timestep, w);
	abut_step_candidates(model, timestep, w);
	do {
		abut_step_setup(model, state, w);
		abut_step_recovery(model, state, w);
		abut_step_solve(model, state, w, allow_raised, info);
		if (info->outcome == ABUT_OUTCOME_FAILED) {
			return false;
		}
	} while (abut_step_missed(model, w) > 0);
	return true;
}

/* The outcome of a span is that of its worst part. */
static void merge(AbutStepInfo *info, AbutOutcome outcome, bool exact)
{
	info->outcome = outcome > info->outcome ? outcome : info->outcome;
	info->exact = info->exact && exact;
}

static bool advance(const AbutModel *model, AbutState *state, AbutWorkspace *w, double timestep, int level,
                    AbutStepInfo *info)
{
	if (solve(model, state, w, timestep, false, info)) {
		abut_step_commit(model, state, w, timestep, info);
		return true;
	}
	if (!model->options.retry || level == ABUT_HALVING_LEVELS) {
		return false;
	}
	abut_state_copy(model, state, w->saved[level]);
	info->halvings = level + 1 > info->halvings ? level + 1 : info->halvings;
	bool solved = advance(model, state, w, 0.5 * timestep, level + 1, info);
	const AbutOutcome outcome = info->outcome;
	const bool exact = info->exact;
	solved = solved && advance(model, state, w, 0.5 * timestep, level + 1, info);
	if (!solved) {
		abut_state_copy(model, w->saved[level], state);
		return false;
	}
	merge(info, outcome, exact);
	return true;
}

AbutStatus abut_step(const AbutModel *model, AbutState *state, AbutWorkspace *workspace, AbutStepInfo *info)
{
	if (!model || !state || !workspace || !info) {
		return ABUT_ERROR_ARGUMENT;
	}
	AbutIteration *log = info->log;
	const int log_capacity = log ? info->log_capacity : 0;
	*info = (AbutStepInfo){.outcome = ABUT_OUTCOME_FAILED, .log = log, .log_capacity = log_capacity};
	bool solved = advance(model, state, workspace, model->timestep, 0, info);
	if (!solved && model->options.retry) { /* a larger kappa, for the whole step: a failure, and reported as one */
		info->halvings = 0;
		solved = solve(model, state, workspace, model->timestep, true, info);
		if (solved) {
			abut_step_commit(model, state, workspace, model->timestep, info);
		}
	}
	if (solved) {
		state->steps++;
		state->time = (double)state->steps * model->timestep_si;
	} else {
		info->outcome = ABUT_OUTCOME_FAILED;
	}
	return ABUT_OK;
}
