/* abut_step: one timestep, in half steps where the whole one cannot be solved. */
#include <math.h>

#include "dynamics/step_parts.h"

static int larger(int a, int b)
{
	return a > b ? a : b;
}

/* What a step, or a part of one, amounts to: the worst of its islands, the most work that one of them took. */
static void merge_island(const AbutStepInfo *island, AbutStepInfo *info)
{
	info->outcome = island->outcome > info->outcome ? island->outcome : info->outcome;
	info->exact = info->exact && island->exact;
	info->retried = info->retried || island->retried;
	info->tries = larger(info->tries, island->tries);
	info->iterations = larger(info->iterations, island->iterations);
	info->finish_iterations = larger(info->finish_iterations, island->finish_iterations);
	info->kappa = fmax(info->kappa, island->kappa);
	info->residual = fmax(info->residual, island->residual);
	info->complementarity = fmax(info->complementarity, island->complementarity);
	info->log.count = island->log.count;
}

/* Solves the islands one by one. False when one of them fails. */
static bool solve_islands(const AbutModel *model, const AbutState *state, AbutWorkspace *w, bool allow_raised,
                          AbutStepInfo *all)
{
	*all = (AbutStepInfo){.outcome = ABUT_OUTCOME_EXACT, .exact = true, .log = all->log};
	for (int i = 0; i < w->n_islands; i++) {
		AbutStepInfo own = {.outcome = ABUT_OUTCOME_FAILED, .log = all->log};
		abut_step_recovery(model, state, &w->islands[i]);
		abut_step_solve(model, state, &w->islands[i], allow_raised, &own);
		merge_island(&own, all);
		if (own.outcome == ABUT_OUTCOME_FAILED) {
			return false;
		}
	}
	return true;
}

/* Solves for a timestep, the candidates being chosen, and adds pairs that turn out to meet after all. True unless the
 * outcome is failed. Work adds up over what was tried before. */
static bool solve(const AbutModel *model, const AbutState *state, AbutWorkspace *w, bool allow_raised,
                  AbutStepInfo *info)
{
	bool solved;
	do {
		AbutStepInfo all = {.log = info->log};
		abut_step_setup(model, state, w);
		solved = solve_islands(model, state, w, allow_raised, &all);
		info->outcome = all.outcome;
		info->exact = all.exact;
		info->retried = info->retried || all.retried;
		info->tries += all.tries;
		info->iterations += all.iterations;
		info->finish_iterations += all.finish_iterations;
		info->kappa = all.kappa;
		info->residual = all.residual;
		info->complementarity = all.complementarity;
		info->log = all.log;
	} while (solved && abut_step_missed(model, w) > 0);
	return solved;
}

static bool advance(const AbutModel *model, AbutState *state, AbutWorkspace *w, double timestep, int level, int retries,
                    AbutStepInfo *info);

/* The outcome of two halves is that of the worse one. On failure the state is left as it was. */
static bool advance_in_halves(const AbutModel *model, AbutState *state, AbutWorkspace *w, double timestep, int level,
                              int retries, AbutStepInfo *info)
{
	abut_state_copy(model, state, w->saved[level]);
	info->halvings = level + 1 > info->halvings ? level + 1 : info->halvings;
	if (!advance(model, state, w, 0.5 * timestep, level + 1, retries, info)) {
		return false;
	}
	const AbutStepInfo first = *info;
	if (!advance(model, state, w, 0.5 * timestep, level + 1, retries, info)) {
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

static bool advance(const AbutModel *model, AbutState *state, AbutWorkspace *w, double timestep, int level, int retries,
                    AbutStepInfo *info)
{
	abut_step_gather(model, state, timestep, w);
	abut_step_candidates(model, timestep, w);
	if (level < ABUT_HALVING_LEVELS && abut_step_too_long(model, timestep, w)) {
		return advance_in_halves(model, state, w, timestep, level, retries, info);
	}
	if (abut_step_turns_too_far(model, timestep, w)) {
		return false;
	}
	if (solve(model, state, w, false, info)) {
		abut_step_commit(model, state, w, info);
		info->parts++;
		return true;
	}
	return model->options.retry && retries < ABUT_RETRY_LEVELS && level < ABUT_LEVELS &&
	       advance_in_halves(model, state, w, timestep, level, retries + 1, info);
}

/* The last resort: a larger kappa, for the whole step; a failure, and reported as one. Not for a step that could miss a
 * contact. */
static bool advance_raised(const AbutModel *model, AbutState *state, AbutWorkspace *w, AbutStepInfo *info)
{
	info->halvings = 0;
	info->max_penetration = 0.0;
	abut_step_clear_results(model, w);
	abut_step_gather(model, state, model->timestep, w);
	abut_step_candidates(model, model->timestep, w);
	if (abut_step_too_long(model, model->timestep, w) || !solve(model, state, w, true, info)) {
		return false;
	}
	abut_step_commit(model, state, w, info);
	info->parts = 1;
	return true;
}

AbutStatus abut_step(const AbutModel *model, AbutState *state, AbutWorkspace *workspace, AbutStepInfo *info)
{
	if (!model || !state || !workspace || !info || workspace->model != model || state->model != model) {
		return ABUT_ERROR_ARGUMENT;
	}
	AbutIterationLog log = info->log;
	log.count = 0;
	*info = (AbutStepInfo){.outcome = ABUT_OUTCOME_FAILED, .log = log};
	abut_step_clear_results(model, workspace);
	bool solved = advance(model, state, workspace, model->timestep, 0, 0, info);
	if (!solved && model->options.retry) {
		solved = advance_raised(model, state, workspace, info);
	}
	if (solved) {
		state->steps++;
		state->time = (double)state->steps * model->timestep_si;
	} else {
		info->outcome = ABUT_OUTCOME_FAILED;
	}
	return ABUT_OK;
}
