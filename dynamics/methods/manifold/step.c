/* Steps with the methods lcp and convex: finds contact points, then solves a problem per island by the method's rule.
 */
#include "dynamics/methods/manifold/step.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "collision/manifold/manifold.h"
#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/body/flight.h"
#include "dynamics/contact/setup.h"
#include "dynamics/island/island.h"
#include "dynamics/methods/manifold/jointed.h"
#include "dynamics/methods/manifold/report.h"
#include "dynamics/methods/manifold/rows.h"
#include "dynamics/methods/manifold/work.h"
#include "dynamics/pairs/candidates.h"
#include "dynamics/pairs/islands.h"
#include "dynamics/state/state.h"
#include "dynamics/step/gather.h"
#include "dynamics/step/keep.h"
#include "dynamics/step/step.h"
#include "dynamics/step/workspace.h"

typedef struct Making {
	const AbutModel *model;
	AbutWorkspace *w;
} Making;

/* Sets the axes to the normal n, t1 and t2 = n x t1. t1 is the projection of the reference axis onto the plane
 * orthogonal to n, of unit length. */
static void set_axes(AbutLcpContact *contact)
{
	const double *n = contact->manifold.normal;
	double *t1 = contact->axes[1];
	abut_copy3(n, contact->axes[0]);
	abut_axis_across(n, contact->reference);
	const double along = abut_dot3(n, contact->reference);
	abut_add_scaled3(contact->reference, -along, n, t1);
	const double length = abut_norm3(t1);
	abut_divide3(t1, length, t1);
	abut_cross3(n, t1, contact->axes[2]);
}

static void make_manifold(void *context, int item, int thread)
{
	const Making *making = context;
	const int index = making->w->pairs.active[item];
	const AbutPair *pair = &making->w->pairs.candidates[index].pair;
	AbutLcpContact *contact = &abut_lcp_work(making->w)->contacts[index];
	const AbutPointRule *rule = abut_lcp_work(making->w)->rule;
	AbutManifoldSide side[2];
	(void)thread;
	abut_lcp_sides(making->model, pair, making->w->bodies, side);
	abut_manifold_make(side, rule->margin(making->model, making->w, pair), &contact->manifold);
	if (contact->manifold.n > 0) {
		set_axes(contact);
		const bool axes = pair->mu > 0.0 || rule->always_axes(making->model);
		contact->rows_per_point = axes ? ABUT_LCP_POINT_ROWS : 1;
	}
}

/* Makes the contact points of all active pairs at the start of the step. Pairs without points become inactive. The
 * others store the normal, along which they are separated once they are apart. */
static void make_manifolds(const AbutModel *model, AbutWorkspace *w)
{
	Making making = {model, w};
	if (w->pool) {
		abut_thread_pool_run(w->pool, w->pairs.n_active, make_manifold, &making);
	} else {
		for (int i = 0; i < w->pairs.n_active; i++) {
			make_manifold(&making, i, 0);
		}
	}
	int n = 0;
	for (int i = 0; i < w->pairs.n_active; i++) {
		const int index = w->pairs.active[i];
		if (abut_lcp_work(w)->contacts[index].manifold.n > 0) {
			abut_copy3(abut_lcp_work(w)->contacts[index].manifold.normal,
			           w->pairs.store.entries[index].normal);
			w->pairs.active[n++] = index;
		}
	}
	w->pairs.n_active = n;
}

typedef struct ManifoldStep {
	const AbutModel *model;
	const AbutState *state;
	AbutWorkspace *w;
	const AbutStepWatch *watch; /* NULL: none */
} ManifoldStep;

static bool turns_too_far(const double w[3], double timestep)
{
	return !(0.5 * timestep * abut_norm3(w) < ABUT_LARGEST_HALF_TURN);
}

/* Returns whether a body turned too far in the previous step. */
static bool turned_too_far(const AbutLcpIsland *island)
{
	for (int i = 0; i < island->n_moving; i++) {
		if (turns_too_far(island->moving[i]->w0, island->model->timestep)) {
			return true;
		}
	}
	return false;
}

/* Computes free flight of all bodies. Returns false if a body turns too far. */
static bool fly(const AbutLcpIsland *island)
{
	for (int i = 0; i < island->n_moving; i++) {
		AbutBodyWork *body = island->moving[i];
		AbutLcpBody *own = &abut_lcp_work(island->w)->bodies[body->body];
		AbutSolveReport report = {.log = NULL};
		abut_lcp_invert_mass(body, own);
		abut_copy3(body->w0, &own->free[3]);
		if (!abut_body_fly(body, island->model->timestep, own->free, &report)) {
			return false;
		}
	}
	return true;
}

/* Computes v+ = v* + M^-1 J' x. */
void abut_lcp_push(const AbutLcpIsland *island)
{
	AbutLcpBody *bodies = abut_lcp_work(island->w)->bodies;
	if (island->jointed) {
		abut_jointed_push(island);
		return;
	}
	for (int i = 0; i < island->n_moving; i++) {
		AbutLcpBody *own = &bodies[island->moving[i]->body];
		memcpy(own->next, own->free, sizeof own->next);
	}
	for (int row = 0; row < island->n_rows; row++) {
		const double x = island->room->boxed.x[row];
		for (int s = 0; s < 2; s++) {
			const int body = island->room->rows[row].body[s];
			for (int k = 0; body >= 0 && k < 6; k++) {
				bodies[island->moving[body]->body].next[k] += x * island->room->rows[row].W[6 * s + k];
			}
		}
	}
}

/* Computes poses of the bodies at the end of the step from the velocities `next`. Returns false if an impulse turns one
 * too far. With joints, impulses do not act late: the joints hold for `next`. */
static bool move(const AbutLcpIsland *island)
{
	AbutLcpBody *bodies = abut_lcp_work(island->w)->bodies;
	const AbutPointRule *rule = abut_lcp_work(island->w)->rule;
	for (int i = 0; i < island->n_moving; i++) {
		AbutLcpBody *own = &bodies[island->moving[i]->body];
		memcpy(own->mean, own->next, sizeof own->mean);
	}
	if (rule->delay && !island->jointed) {
		rule->delay(island);
	}
	for (int i = 0; i < island->n_moving; i++) {
		AbutBodyWork *body = island->moving[i];
		const AbutLcpBody *own = &bodies[body->body];
		if (turns_too_far(&own->next[3], island->model->timestep) ||
		    turns_too_far(&own->mean[3], island->model->timestep)) {
			return false;
		}
		abut_body_move(body, island->model->timestep, own->mean);
	}
	return true;
}

/* Finds the impulses, and the velocities at the end of the step. */
static bool solve(AbutLcpIsland *island, AbutStepInfo *info)
{
	const AbutPointRule *rule = abut_lcp_work(island->w)->rule;
	if (turned_too_far(island)) {
		return false;
	}
	if (island->jointed) {
		return abut_jointed_solve(island, info);
	}
	if (!fly(island) || !rule->solve(island, info)) {
		return false;
	}
	rule->velocities(island);
	return true;
}

/* Stores the velocities at the end of the step, instead of the mean ones that moved the bodies. */
static void keep_velocities(const AbutLcpIsland *island)
{
	const AbutUnits *units = &island->model->units;
	for (int i = 0; i < island->n_moving; i++) {
		const AbutBodyWork *body = island->moving[i];
		const AbutLcpBody *own = &abut_lcp_work(island->w)->bodies[body->body];
		AbutBodyState *at = &island->w->motion[body->body].at;
		double spin[3];
		abut_mat3_tvec(body->R0, &own->next[3], spin);
		abut_scale3(units->velocity, own->next, at->linear_velocity);
		abut_divide3(spin, units->time, at->angular_velocity);
	}
}

/* A step with a residual up to this is exact; with a larger one, nearly exact (solver/lcp/boxed_lcp.h). */
static const double exact = 1e-10;

static void advance(void *context, int item, int thread)
{
	const ManifoldStep *step = context;
	AbutWorkspace *w = step->w;
	AbutIslandMembers *members = &w->partition.members[w->partition.largest_first[item]];
	AbutStepInfo *info = &members->info;
	AbutIsland *kept = &w->islands[thread]; /* abut_step_keep reads only the bodies and joints */
	AbutLcpIsland island = abut_lcp_island(step->model, step->state, w, w->partition.largest_first[item], thread);
	for (int i = 0; i < island.n_moving; i++) {
		const int body = island.moving[i]->body;
		w->motion[body] = step->state->motion[body];
	}
	*info = (AbutStepInfo){.outcome = ABUT_OUTCOME_FAILED, .parts = 1};
	abut_step_restart_joints(step->state, w, members);
	if (!solve(&island, info) || !move(&island)) {
		return;
	}
	info->exact = info->residual <= exact;
	info->outcome = info->exact ? ABUT_OUTCOME_EXACT : ABUT_OUTCOME_RELAXED;
	info->kappa = info->exact ? 0.0 : info->residual;
	for (int i = 0; i < members->size.n_contacts; i++) {
		abut_manifold_report(&island, abut_island_candidate(island.w, island.members, i), info);
	}
	if (step->watch) {
		step->watch->restart(step->watch->who, w, members);
		step->watch->solved(step->watch->who, w, members, &island, info);
	}
	kept->problem.n_contacts = 0;
	kept->problem.n_moving = island.n_moving;
	kept->problem.moving = island.moving;
	kept->problem.timestep = step->model->timestep;
	kept->problem.n_joints = members->size.n_joints;
	kept->problem.n_couplings = members->size.n_couplings;
	abut_step_keep(step->model, w, kept, info);
	if (island.jointed && abut_lcp_work(w)->rule->keep_joint_rows) {
		abut_lcp_work(w)->rule->keep_joint_rows(&island);
	}
	keep_velocities(&island);
}

static int most_rows(const AbutModel *model, const AbutWorkspace *w)
{
	const AbutPointRule *rule = abut_lcp_work(w)->rule;
	int most = 0;
	for (int i = 0; i < w->partition.n_islands; i++) {
		const AbutIslandMembers *members = &w->partition.members[i];
		int rows = rule->joint_rows ? rule->joint_rows(model, members->size.n_joints) : 0;
		for (int k = 0; k < members->size.n_contacts; k++) {
			const AbutLcpContact *contact =
			    &abut_lcp_work(w)
			         ->contacts[w->pairs.active[w->partition.by_island[members->first_contact + k]]];
			rows += abut_lcp_contact_rows(contact);
		}
		most = rows > most ? rows : most;
	}
	return most;
}

/* Reserves memory in all threads for any of the islands. */
static AbutStatus reserve(const AbutModel *model, AbutWorkspace *w)
{
	const int rows = most_rows(model, w);
	if (rows > ABUT_DENSE_MAX && abut_lcp_work(w)->rule->is_dense(model)) {
		return ABUT_ERROR_UNSUPPORTED;
	}
	ABUT_TRY(abut_workspace_reserve_results(w));
	ABUT_TRY(abut_lcp_work_reserve_rows(abut_lcp_work(w), rows));
	const AbutPointRule *rule = abut_lcp_work(w)->rule;
	for (int i = 0; i < w->partition.n_islands * w->n_threads; i++) {
		const AbutIslandSize *size = &w->partition.members[i / w->n_threads].size;
		AbutLcpRoom *room = &abut_lcp_work(w)->rooms[i % w->n_threads];
		const int joint_rows = ABUT_JOINT_ROWS * size->n_joints;
		if (rule->room_reserve) {
			ABUT_TRY(rule->room_reserve(room, size->n_bodies, rows + joint_rows, size->n_blocks));
		}
		if (size->n_joints > 0) {
			ABUT_TRY(abut_jointed_reserve(room, size->n_bodies, rows));
			ABUT_TRY(abut_island_reserve(model, &w->islands[i % w->n_threads], size));
		}
	}
	return ABUT_OK;
}

AbutStatus abut_lcp_prepare(const AbutModel *model, const AbutState *state, AbutWorkspace *w)
{
	abut_lcp_work(w)->solved = false;
	abut_step_gather(model, state, w, model->timestep);
	ABUT_TRY(abut_pairs_find(model, state, w->bodies, &w->pairs));
	ABUT_TRY(abut_lcp_work_reserve(abut_lcp_work(w), w->pairs.n_candidates));
	make_manifolds(model, w);
	return abut_partition_make(model, &w->pairs, w->bodies, &w->partition) == ABUT_OK ? reserve(model, w)
	                                                                                  : ABUT_ERROR_MEMORY;
}

AbutLcpIsland abut_lcp_island(const AbutModel *model, const AbutState *state, AbutWorkspace *w, int island, int thread)
{
	AbutIslandMembers *members = &w->partition.members[island];
	return (AbutLcpIsland){model,
	                       state,
	                       w,
	                       members,
	                       &abut_lcp_work(w)->rooms[thread],
	                       &w->partition.moving[members->first_body],
	                       members->size.n_bodies,
	                       0,
	                       members->size.n_joints > 0 ? &w->islands[thread] : NULL,
	                       0};
}

AbutStatus abut_lcp_step(const AbutModel *model, const AbutState *state, AbutWorkspace *w, const AbutStepWatch *watch,
                         AbutStepInfo *info)
{
	ManifoldStep step = {model, state, w, watch};
	const AbutStatus status = abut_lcp_prepare(model, state, w);
	if (status == ABUT_ERROR_UNSUPPORTED) {
		info->unknowns = most_rows(model, w);
		return ABUT_OK;
	}
	ABUT_TRY(status);
	if (w->pool) {
		abut_thread_pool_run_one_by_one(w->pool, w->partition.n_islands, advance, &step);
	} else {
		for (int i = 0; i < w->partition.n_islands; i++) {
			advance(&step, i, 0);
		}
	}
	*info = (AbutStepInfo){.outcome = ABUT_OUTCOME_EXACT, .exact = true, .log = info->log};
	for (int i = 0; i < w->partition.n_islands; i++) {
		abut_step_merge(&w->partition.members[i].info, info);
	}
	abut_lcp_work(w)->solved = info->outcome != ABUT_OUTCOME_FAILED;
	return abut_lcp_work(w)->solved ? abut_manifold_report_missed(model, w, info) : ABUT_OK;
}
