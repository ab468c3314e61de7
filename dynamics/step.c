/* abut_step: one timestep, in half steps where the whole one cannot be solved. */
#include <math.h>

#include "dynamics/step_parts.h"

/* Solves for a timestep, the candidates being chosen, and adds pairs that turn out to meet after all. True unless the
 * outcome is failed. */
static bool solve(const AbutModel *model, const AbutState *state, AbutWorkspace *w, bool allow_raised,
                  AbutStepInfo *info)
{
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

static bool advance(const AbutModel *model, AbutState *state, AbutWorkspace *w, double timestep, int level,
                    AbutStepInfo *info);

/* The outcome of two halves is that of the worse one. On failure the state is left as it was. */
static bool advance_in_halves(const AbutModel *model, AbutState *state, AbutWorkspace *w, double timestep, int level,
                              AbutStepInfo *info)
{
	abut_state_copy(model, state, w->saved[level]);
	info->halvings = level + 1 > info->halvings ? level + 1 : info->halvings;
	if (!advance(model, state, w, 0.5 * timestep, level + 1, info)) {
		return false;
	}
	const AbutStepInfo first = *info;
	if (!advance(model, state, w, 0.5 * timestep, level + 1, info)) {
		abut_state_copy(model, w->saved[level], state);
		return false;
	}
	info->outcome = first.outcome > info->outcome ? first.outcome : info->outcome;
	info->exact = info->exact && first.exact;
	info->kappa = fmax(info->kappa, first.kappa);
	info->residual = fmax(info->residual, first.residual);
	info->complementarity = fmax(info->complementarity, first.complementarity);
	info->active_contacts =
	    first.active_contacts > info->active_contacts ? first.active_contacts : info->active_contacts;
	return true;
}

static bool advance(const AbutModel *model, AbutState *state, AbutWorkspace *w, double timestep, int level,
                    AbutStepInfo *info)
{
	abut_step_gather(model, state, timestep, w);
	abut_step_candidates(model, timestep, w);
	if (level < ABUT_HALVING_LEVELS && abut_step_too_long(model, timestep, w)) {
		return advance_in_halves(model, state, w, timestep, level, info);
	}
	if (solve(model, state, w, false, info)) {
		abut_step_commit(model, state, w, info);
		return true;
	}
	return model->options.retry && level < ABUT_RETRY_LEVELS &&
	       advance_in_halves(model, state, w, timestep, level, info);
}

AbutStatus abut_step(const AbutModel *model, AbutState *state, AbutWorkspace *workspace, AbutStepInfo *info)
{
	if (!model || !state || !workspace || !info || workspace->model != model ||
	    state->memory_size != workspace->saved[0]->memory_size) {
		return ABUT_ERROR_ARGUMENT;
	}
	AbutIterationLog log = info->log;
	log.count = 0;
	*info = (AbutStepInfo){.outcome = ABUT_OUTCOME_FAILED, .log = log};
	abut_step_clear_results(model, workspace);
	bool solved = advance(model, state, workspace, model->timestep, 0, info);
	if (!solved && model->options.retry) { /* a larger kappa, for the whole step: a failure, and reported as one */
		info->halvings = 0;
		info->max_penetration = 0.0;
		abut_step_clear_results(model, workspace);
		abut_step_gather(model, state, model->timestep, workspace);
		abut_step_candidates(model, model->timestep, workspace);
		solved = solve(model, state, workspace, true, info);
		if (solved) {
			abut_step_commit(model, state, workspace, info);
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
