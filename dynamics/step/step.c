/* Computes one timestep of all islands (abut_step). */
#include "dynamics/step/step.h"

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/pairs/candidates.h"
#include "dynamics/pairs/islands.h"
#include "dynamics/state/state.h"
#include "dynamics/step/commit.h"
#include "dynamics/step/gather.h"

void abut_step_merge(const AbutStepInfo *island, AbutStepInfo *info)
{
	info->outcome = island->outcome > info->outcome ? island->outcome : info->outcome;
	info->exact = info->exact && island->exact;
	info->retried = info->retried || island->retried;
	info->halvings = abut_max_int(info->halvings, island->halvings);
	info->parts = abut_max_int(info->parts, island->parts);
	info->tries = abut_max_int(info->tries, island->tries);
	info->iterations = abut_max_int(info->iterations, island->iterations);
	info->finish_iterations = abut_max_int(info->finish_iterations, island->finish_iterations);
	info->broken_body = abut_max_int(info->broken_body, island->broken_body);
	info->row = abut_max_int(info->row, island->row);
	info->kappa = abut_max(info->kappa, island->kappa);
	info->residual = abut_max(info->residual, island->residual);
	info->complementarity = abut_max(info->complementarity, island->complementarity);
	info->max_penetration = abut_max(info->max_penetration, island->max_penetration);
	info->joint_violation_m = abut_max(info->joint_violation_m, island->joint_violation_m);
	info->joint_violation_rad = abut_max(info->joint_violation_rad, island->joint_violation_rad);
	info->limit_violation = abut_max(info->limit_violation, island->limit_violation);
}

/* Makes room for the islands. If one is too large for the dense solver, only sets `unknowns`. */
static AbutStatus reserve_islands(const AbutModel *model, AbutWorkspace *w, int *unknowns)
{
	AbutIslandSize size = {.n_bodies = 1, .n_blocks = 1};
	ABUT_TRY(abut_workspace_reserve_results(w));
	for (int i = 0; i < w->partition.n_islands; i++) {
		size = abut_island_size_max(&size, &w->partition.members[i].size);
	}
	if (abut_island_too_large(model, &size)) {
		*unknowns = size.n_y + size.n_z;
		return ABUT_OK;
	}
	for (int i = 0; i < w->n_threads; i++) {
		ABUT_TRY(abut_island_reserve(model, &w->islands[i], &size));
	}
	return ABUT_OK;
}

typedef struct Solve {
	const AbutModel *model;
	const AbutState *state;
	AbutWorkspace *w;
	const AbutStepWatch *watch;
} Solve;

static void solve_island(void *context, int item, int thread)
{
	const Solve *solve = context;
	AbutIslandMembers *members = &solve->w->partition.members[solve->w->partition.largest_first[item]];
	if (!members->solved) {
		solve->model->method->advance(solve->model, solve->state, solve->w, solve->watch, members,
		                              &solve->w->islands[thread]);
	}
}

/* Solves the islands that are not solved yet. If iterations are logged, solves one island after the other, without
 * threads. */
static void solve_islands(const AbutModel *model, const AbutState *state, AbutWorkspace *w, const AbutStepWatch *watch,
                          AbutIterationLog *log)
{
	Solve solve = {model, state, w, watch};
	if (w->pool && log->capacity <= 0) {
		abut_thread_pool_run_one_by_one(w->pool, w->partition.n_islands, solve_island, &solve);
		return;
	}
	for (int i = 0; i < w->partition.n_islands; i++) {
		AbutIslandMembers *members = &w->partition.members[w->partition.largest_first[i]];
		members->info.log = *log;
		solve_island(&solve, i, 0);
		*log = members->info.log;
	}
}

AbutStatus abut_islands_step(const AbutModel *model, const AbutState *state, AbutWorkspace *w,
                             const AbutStepWatch *watch, AbutStepInfo *info)
{
	int added = 0;
	abut_step_gather(model, state, w, model->timestep);
	ABUT_TRY(abut_pairs_find(model, state, w->bodies, &w->pairs));
	ABUT_TRY(abut_partition_make(model, &w->pairs, w->bodies, &w->partition));
	do {
		ABUT_TRY(reserve_islands(model, w, &info->unknowns));
		if (info->unknowns > 0) {
			*info = (AbutStepInfo){
			    .outcome = ABUT_OUTCOME_FAILED, .unknowns = info->unknowns, .log = info->log};
			return ABUT_OK;
		}
		solve_islands(model, state, w, watch, &info->log);
		*info = (AbutStepInfo){.outcome = ABUT_OUTCOME_EXACT, .exact = true, .log = info->log};
		for (int i = 0; i < w->partition.n_islands; i++) {
			abut_step_merge(&w->partition.members[i].info, info);
		}
		if (info->outcome == ABUT_OUTCOME_FAILED) {
			return ABUT_OK;
		}
		if (abut_pairs_missed(model, w->bodies, &w->partition, &w->pairs, &added) != ABUT_OK ||
		    (added > 0 && abut_partition_remake(model, &w->pairs, w->bodies, &w->partition) != ABUT_OK)) {
			return ABUT_ERROR_MEMORY;
		}
	} while (added > 0);
	return ABUT_OK;
}

AbutStatus abut_step(const AbutModel *model, AbutState *state, AbutWorkspace *workspace, AbutStepInfo *info)
{
	return abut_step_watched(model, state, workspace, NULL, info);
}

AbutStatus abut_step_watched(const AbutModel *model, AbutState *state, AbutWorkspace *workspace,
                             const AbutStepWatch *watch, AbutStepInfo *info)
{
	if (!model || !state || !workspace || !info || workspace->model != model || state->model != model) {
		return ABUT_ERROR_ARGUMENT;
	}
	AbutIterationLog log = info->log;
	log.count = 0;
	*info = (AbutStepInfo){.outcome = ABUT_OUTCOME_FAILED, .log = log};
	workspace->n_reported = 0;
	if (workspace->stop == &workspace->own_stop) {
		abut_stopper_begin(workspace->stop);
	}
	AbutStatus status = abut_stopped_after(workspace->stop, 16)
	                        ? ABUT_OK
	                        : model->method->step(model, state, workspace, watch, info);
	status = status == ABUT_OK && abut_stop_told(workspace->stop) ? ABUT_ERROR_STOPPED : status;
	if (status == ABUT_OK && info->outcome != ABUT_OUTCOME_FAILED) {
		status = abut_step_commit(model, state, workspace);
		info->active_contacts = workspace->n_reported;
	}
	if (status != ABUT_OK) {
		info->outcome = ABUT_OUTCOME_FAILED;
	}
	if (info->outcome != ABUT_OUTCOME_FAILED) {
		info->broken_body = 0;
		state->steps++;
		state->time = (double)state->steps * model->timestep_si;
	}
	return status;
}
