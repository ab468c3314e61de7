/* The stepper of the methods lcp and convex, which differ in how an island's impulses are found. */
#include "dynamics/methods/manifold/island.h"

#include <stddef.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/body/bounds.h"
#include "dynamics/contact/setup.h"
#include "dynamics/gradient/gradient.h"
#include "dynamics/methods/convex/barrier.h"
#include "dynamics/methods/lcp/memory.h"
#include "dynamics/pairs/candidates.h"
#include "dynamics/pairs/separation.h"
#include "dynamics/state/state.h"
#include "dynamics/step/gather.h"
#include "dynamics/step/keep.h"
#include "dynamics/step/step.h"
#include "dynamics/step/step_parts.h"

typedef struct LcpStep {
	const AbutModel *model;
	const AbutState *state;
	AbutWorkspace *w;
} LcpStep;

/* Method convex, with springs. */
static bool is_soft(const AbutModel *model)
{
	return model->options.method == ABUT_METHOD_CONVEX && model->options.convex_model == ABUT_CONVEX_MODEL_SOFT;
}

/* --- contact points --- */

/* How far apart two surfaces may be for their points to count: what they may close in the step, and a little more. With
 * `lcp_gap: none` only what touches counts, to rounding. */
static double margin_of(const LcpStep *step, const AbutPair *pair)
{
	static const double room = 0.02, rounding = 1e-9;
	const AbutPart *a = &step->model->parts[pair->part[0]], *b = &step->model->parts[pair->part[1]];
	const double size =
	    b->rows.bounded ? abut_min(a->rows.outer_radius, b->rows.outer_radius) : a->rows.outer_radius;
	if (step->model->options.method == ABUT_METHOD_CONVEX) {
		return is_soft(step->model) ? pair->soft->margin / step->model->units.length
		                            : abut_barrier_reach(step->model, pair);
	}
	if (step->model->options.lcp_gap == ABUT_LCP_GAP_NONE) {
		return rounding * size;
	}
	return room * size + abut_body_way(&step->w->bodies[a->body], step->model->timestep, a->reach, NULL) +
	       abut_body_way(&step->w->bodies[b->body], step->model->timestep, b->reach, NULL);
}

/* t1: what is left of a fixed axis across the normal; t2 = n x t1. */
static void set_axes(AbutLcpContact *contact)
{
	const double *n = contact->manifold.normal;
	double *t1 = contact->axes[1];
	abut_copy3(n, contact->axes[0]);
	abut_axis_across(n, contact->reference);
	const double along = abut_dot3(n, contact->reference);
	for (int i = 0; i < 3; i++) {
		t1[i] = contact->reference[i] - along * n[i];
	}
	const double length = abut_norm3(t1);
	for (int i = 0; i < 3; i++) {
		t1[i] /= length;
	}
	abut_cross3(n, t1, contact->axes[2]);
}

static void make_manifold(void *context, int item, int thread)
{
	const LcpStep *step = context;
	const int index = step->w->pairs.active[item];
	const AbutPair *pair = &step->w->pairs.candidates[index].pair;
	AbutLcpContact *contact = &abut_lcp_work(step->w)->contacts[index];
	AbutManifoldSide side[2];
	(void)thread;
	abut_lcp_sides(step->model, pair, step->w->bodies, side);
	abut_manifold_make(side, margin_of(step, pair), &contact->manifold);
	if (contact->manifold.n > 0) {
		set_axes(contact);
		const bool cones = step->model->options.method == ABUT_METHOD_CONVEX && !is_soft(step->model);
		contact->rows_per_point = pair->mu > 0.0 || cones ? ABUT_LCP_POINT_ROWS : 1;
	}
}

/* Pairs without points do not count; those that have some remember the normal, which keeps them apart once they are. */
static void make_manifolds(LcpStep *step)
{
	AbutWorkspace *w = step->w;
	if (w->pool) {
		abut_thread_pool_run(w->pool, w->pairs.n_active, make_manifold, step);
	} else {
		for (int i = 0; i < w->pairs.n_active; i++) {
			make_manifold(step, i, 0);
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

/* --- one island --- */

/* A planar body keeps to its plane: it moves along x and z and turns about y. */
void abut_lcp_invert_mass(const AbutBodyWork *body, AbutLcpBody *out)
{
	memset(out->inverse_inertia, 0, sizeof out->inverse_inertia);
	for (int i = 0; i < 3; i++) {
		out->inverse_mass[i] = body->planar && i == 1 ? 0.0 : 1.0 / body->mass;
		const double unit[3] = {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
		double column[3];
		abut_sym3_solve(body->inertia, unit, column);
		for (int k = 0; k < 3 && !body->planar; k++) {
			out->inverse_inertia[3 * k + i] = column[k];
		}
	}
	if (body->planar) {
		out->inverse_inertia[4] = 1.0 / body->inertia[4];
	}
}

static bool turns_too_far(const double w[3], double timestep)
{
	return !(0.5 * timestep * abut_norm3(w) < ABUT_LARGEST_HALF_TURN);
}

/* Free flight of all bodies. False where one turns too far in the step, or did in the last one. */
static bool fly(const AbutLcpIsland *island)
{
	for (int i = 0; i < island->n_moving; i++) {
		AbutBodyWork *body = island->moving[i];
		AbutLcpBody *own = &abut_lcp_work(island->w)->bodies[body->body];
		AbutSolveReport report = {.log = NULL};
		abut_lcp_invert_mass(body, own);
		abut_copy3(body->w0, &own->free[3]);
		if (turns_too_far(body->w0, island->model->timestep) ||
		    !abut_body_fly(body, island->model->timestep, own->free, &report)) {
			return false;
		}
	}
	return true;
}

/* Of free flight; and before the step. */
static double velocity_along(const AbutLcpIsland *island, const AbutLcpRow *row)
{
	double sum = 0.0;
	for (int s = 0; s < 2; s++) {
		if (row->body[s] >= 0) {
			const double *v = abut_lcp_work(island->w)->bodies[island->moving[row->body[s]]->body].free;
			sum += abut_dot3(&row->J[6 * s], v) + abut_dot3(&row->J[6 * s + 3], v + 3);
		}
	}
	return sum;
}

static double velocity_before(const AbutLcpIsland *island, const AbutLcpRow *row)
{
	double sum = 0.0;
	for (int s = 0; s < 2; s++) {
		if (row->body[s] >= 0) {
			const AbutBodyWork *body = island->moving[row->body[s]];
			sum += abut_dot3(&row->J[6 * s], body->v0) + abut_dot3(&row->J[6 * s + 3], body->w0);
		}
	}
	return sum;
}

/* c of a point's normal row. It bounces where it approaches, would meet the other side in the step, and is to part from
 * it faster than its gap asks for; so a body at rest does not. */
static double ask_of_normal(const AbutLcpIsland *island, const AbutPair *pair, AbutLcpContact *contact, int point,
                            const AbutLcpRow *row)
{
	const AbutModel *model = island->model;
	const double by_gap = abut_lcp_gap(model, &contact->manifold, point, NULL) / model->timestep;
	contact->bounce[point] = contact->late[point] = 0.0;
	if (pair->restitution > 0.0) {
		const double gap = contact->manifold.points[point].gap;
		const double way = model->timestep * velocity_along(island, row), meets = gap + way;
		const double by_bounce = pair->restitution * velocity_before(island, row);
		if (meets < 0.0 && by_bounce < 0.0 && by_bounce < by_gap) {
			contact->bounce[point] = pair->restitution;
			contact->late[point] = gap > 0.0 ? gap / -way : 0.0;
			return by_bounce;
		}
	}
	return by_gap;
}

static void fill_problem(AbutLcpIsland *island)
{
	AbutLcpRoom *room = island->room;
	island->n_rows = 0;
	for (int i = 0; i < island->members->size.n_contacts; i++) {
		const int index = abut_island_candidate(island->w, island->members, i);
		const AbutPair *pair = &island->w->pairs.candidates[index].pair;
		AbutLcpContact *contact = &abut_lcp_work(island->w)->contacts[index];
		contact->first_row = island->n_rows;
		abut_lcp_recall(&island->state->store, island->w->pairs.candidates[index].source, contact,
		                &room->guess[island->n_rows]);
		abut_lcp_rows(pair, island->w->bodies, abut_lcp_work(island->w)->bodies, contact,
		              &room->rows[island->n_rows]);
		for (int k = 0; k < abut_lcp_contact_rows(contact); k++) {
			const int row = island->n_rows + k, point = k / contact->rows_per_point;
			const bool normal = k % contact->rows_per_point == 0;
			room->lo[row] = 0.0;
			room->hi[row] = normal ? (double)INFINITY : pair->mu;
			room->friction[row] = normal ? -1 : island->n_rows + point * contact->rows_per_point;
			room->b[row] = velocity_along(island, &room->rows[row]);
			if (normal) {
				room->b[row] += ask_of_normal(island, pair, contact, point, &room->rows[row]);
			}
		}
		island->n_rows += abut_lcp_contact_rows(contact);
	}
	abut_lcp_matrix(island->n_rows, room->rows, room->A);
}

static bool solve(AbutLcpIsland *island, AbutStepInfo *info)
{
	static const AbutBoxedMethod methods[] = {[ABUT_LCP_SOLVER_DANTZIG] = ABUT_BOXED_DANTZIG,
	                                          [ABUT_LCP_SOLVER_LEMKE] = ABUT_BOXED_LEMKE,
	                                          [ABUT_LCP_SOLVER_PGS] = ABUT_BOXED_SWEEPS,
	                                          [ABUT_LCP_SOLVER_ONE_PASS] = ABUT_BOXED_ONE_PASS};
	const AbutLcpRoom *room = island->room;
	AbutBoxedReport report = {.pivots = 0};
	if (island->model->options.method == ABUT_METHOD_CONVEX) {
		return abut_convex_solve(island, info);
	}
	fill_problem(island);
	const AbutBoxedLcp problem = {island->n_rows,
	                              room->A,
	                              room->b,
	                              room->lo,
	                              room->hi,
	                              room->friction,
	                              island->model->options.warm_start ? room->guess : NULL};
	const AbutBoxedMethod method = methods[island->model->options.lcp_solver];
	abut_boxed_lcp_solve(&problem, method, &island->room->boxed, &report);
	info->iterations = report.pivots;
	info->tries = report.passes;
	info->retried =
	    report.method != method || (report.status == ABUT_BOXED_FROZEN && method != ABUT_BOXED_ONE_PASS);
	info->residual = report.residual / abut_max(1.0, abut_boxed_lcp_scale(&problem));
	for (int i = 0; i < island->n_moving; i++) {
		abut_lcp_work(island->w)->bodies[island->moving[i]->body].frozen = report.status != ABUT_BOXED_SOLVED;
	}
	return report.status != ABUT_BOXED_FAILED;
}

/* What impulses of points that bounce do to the way in the step: they come late. */
static void delay_impulses(const AbutLcpIsland *island)
{
	AbutLcpWork *lcp = abut_lcp_work(island->w);
	for (int i = 0; i < island->members->size.n_contacts; i++) {
		const AbutLcpContact *contact = &lcp->contacts[abut_island_candidate(island->w, island->members, i)];
		for (int k = 0; k < abut_lcp_contact_rows(contact); k++) {
			const AbutLcpRow *row = &island->room->rows[contact->first_row + k];
			const double share = contact->late[k / contact->rows_per_point];
			const double x = island->room->boxed.x[contact->first_row + k];
			for (int s = 0; share > 0.0 && s < 2; s++) {
				for (int c = 0; row->body[s] >= 0 && c < 6; c++) {
					const int body = island->moving[row->body[s]]->body;
					lcp->bodies[body].mean[c] -= share * x * row->W[6 * s + c];
				}
			}
		}
	}
}

/* v+ = v* + M^-1 J' x */
static void push(const AbutLcpIsland *island)
{
	AbutLcpBody *bodies = abut_lcp_work(island->w)->bodies;
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

/* The velocities that end the step, and the bodies there. False where an impulse makes one turn too far. */
static bool move(const AbutLcpIsland *island)
{
	AbutLcpBody *bodies = abut_lcp_work(island->w)->bodies;
	if (is_soft(island->model)) {
		abut_convex_velocities(island);
	} else {
		push(island);
	}
	for (int i = 0; i < island->n_moving; i++) {
		AbutLcpBody *own = &bodies[island->moving[i]->body];
		memcpy(own->mean, own->next, sizeof own->mean);
	}
	if (island->model->options.method == ABUT_METHOD_LCP) { /* the only one that bounces */
		delay_impulses(island);
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

/* Velocities that end the step, where the way was another. */
static void keep_velocities(const AbutLcpIsland *island)
{
	const AbutUnits *units = &island->model->units;
	for (int i = 0; i < island->n_moving; i++) {
		const AbutBodyWork *body = island->moving[i];
		const AbutLcpBody *own = &abut_lcp_work(island->w)->bodies[body->body];
		AbutBodyState *at = &island->w->motion[body->body].at;
		double spin[3];
		abut_mat3_tvec(body->R0, &own->next[3], spin);
		for (int k = 0; k < 3; k++) {
			at->linear_velocity[k] = own->next[k] * units->velocity;
			at->angular_velocity[k] = spin[k] / units->time;
		}
	}
}

/* --- what a step reports --- */

/* Where the two are at the end of the step: along the normal that separates them most, with the scaling that it proves
 * (docs/formulation.md 9), which is exact beside a halfspace. */
static void report_gap(const AbutLcpIsland *island, const AbutPair *pair, AbutContact *out, AbutStepInfo *info)
{
	const AbutModel *model = island->model;
	AbutManifoldSide side[2];
	double normal[3], height = 0.0;
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = &island->w->bodies[pair->body[s]];
		side[s].shape = &model->parts[pair->part[s]].manifold;
		abut_copy3(body->x, side[s].x);
		memcpy(side[s].R, body->R, sizeof side[s].R);
	}
	const double gap = abut_manifold_separation(side, normal);
	double line[3];
	if (model->parts[pair->part[1]].rows.bounded) {
		abut_line_of_centres(model, pair, island->w->bodies, line);
		height = abut_dot3(line, normal) - gap;
	} else {
		height = abut_plane_distance_of_centre(model, pair->part[1], pair->part[0], island->w->bodies) - gap;
	}
	out->gap = gap * model->units.length;
	out->scaling = height > 0.0 ? abut_max(1.0 + gap / height, 0.0) : 1.0;
	info->max_penetration = abut_max(info->max_penetration, -out->gap);
}

/* Impulses of all points, at their mean weighted by the normal ones. */
static void report_contact(const AbutLcpIsland *island, int index, AbutStepInfo *info)
{
	const AbutModel *model = island->model;
	const AbutPair *pair = &island->w->pairs.candidates[index].pair;
	AbutLcpContact *contact = &abut_lcp_work(island->w)->contacts[index];
	const AbutManifold *manifold = &contact->manifold;
	const double sign = pair->flipped ? -1.0 : 1.0;
	AbutContact out = abut_contact_blank(model, pair);
	double point[3] = {0.0, 0.0, 0.0}, middle[3] = {0.0, 0.0, 0.0}, total = 0.0;
	const int n_rows = abut_lcp_contact_rows(contact);
	memcpy(contact->x, &island->room->boxed.x[contact->first_row], (size_t)n_rows * sizeof *contact->x);
	memcpy(contact->set, &island->room->boxed.set[contact->first_row], (size_t)n_rows * sizeof *contact->set);
	for (int i = 0; i < manifold->n; i++) {
		const double *x = &contact->x[i * contact->rows_per_point];
		total += x[0];
		for (int k = 0; k < 3; k++) {
			point[k] += x[0] * manifold->points[i].point[k];
			middle[k] += manifold->points[i].point[k] / manifold->n;
			for (int t = 1; t < contact->rows_per_point; t++) {
				out.friction_impulse[k] += sign * x[t] * contact->axes[t][k] * model->units.impulse;
			}
		}
	}
	out.normal_impulse = total * model->units.impulse;
	for (int k = 0; k < 3; k++) {
		out.point[k] = (total > 0.0 ? point[k] / total : middle[k]) * model->units.length;
		out.normal[k] = sign * manifold->normal[k];
	}
	report_gap(island, pair, &out, info);
	if (model->options.method == ABUT_METHOD_LCP) {
		abut_lcp_remember(contact, out.scaling, index, &island->w->pairs.store);
	}
	island->w->results[index] = out;
	island->w->pairs.candidates[index].solved = true;
}

/* Residual up to which a step is exact; above it, it is nearly so (solver/lcp/boxed_lcp.h). */
static const double exact = 1e-10;

static void advance(void *context, int item, int thread)
{
	const LcpStep *step = context;
	AbutWorkspace *w = step->w;
	AbutIslandMembers *members = &w->partition.members[w->partition.largest_first[item]];
	AbutStepInfo *info = &members->info;
	AbutIsland *kept = &w->islands[thread]; /* what abut_step_keep reads: bodies alone */
	AbutLcpIsland island = abut_lcp_island(step->model, step->state, w, w->partition.largest_first[item], thread);
	for (int i = 0; i < island.n_moving; i++) {
		const int body = island.moving[i]->body;
		w->motion[body] = step->state->motion[body];
	}
	*info = (AbutStepInfo){.outcome = ABUT_OUTCOME_FAILED, .parts = 1};
	if (!fly(&island) || !solve(&island, info) || !move(&island)) {
		return;
	}
	info->exact = info->residual <= exact;
	info->outcome = info->exact ? ABUT_OUTCOME_EXACT : ABUT_OUTCOME_RELAXED;
	info->kappa = info->exact ? 0.0 : info->residual;
	for (int i = 0; i < members->size.n_contacts; i++) {
		report_contact(&island, abut_island_candidate(island.w, island.members, i), info);
	}
	if (w->gradient) {
		abut_gradient_restart(w->gradient, w, members);
		abut_gradient_add_soft(w->gradient, w, members, &island, info);
	}
	kept->problem.n_contacts = 0;
	kept->problem.n_moving = island.n_moving;
	kept->problem.moving = island.moving;
	kept->problem.timestep = step->model->timestep;
	abut_step_keep(step->model, w, kept, info);
	keep_velocities(&island);
}

/* --- all islands --- */

static int most_rows(const AbutWorkspace *w)
{
	int most = 0;
	for (int i = 0; i < w->partition.n_islands; i++) {
		const AbutIslandMembers *members = &w->partition.members[i];
		int rows = 0;
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

/* Room in all threads for any of the islands. */
static AbutStatus reserve(const AbutModel *model, AbutWorkspace *w)
{
	const int rows = most_rows(w);
	AbutStatus status = abut_workspace_reserve_results(w);
	if (status == ABUT_OK) {
		status = abut_lcp_work_reserve_rows(abut_lcp_work(w), rows);
	}
	for (int i = 0; model->options.method == ABUT_METHOD_CONVEX && i < w->partition.n_islands; i++) {
		for (int k = 0; status == ABUT_OK && k < w->n_threads; k++) {
			status = abut_convex_room_reserve(&abut_lcp_work(w)->rooms[k].convex,
			                                  w->partition.members[i].size.n_bodies, rows,
			                                  w->partition.members[i].size.n_blocks);
		}
	}
	return status;
}

AbutStatus abut_lcp_prepare(const AbutModel *model, const AbutState *state, AbutWorkspace *w)
{
	LcpStep step = {model, state, w};
	abut_lcp_work(w)->solved = false;
	abut_step_gather(model, state, w);
	if (abut_pairs_find(model, state, w->bodies, &w->pairs) != ABUT_OK ||
	    abut_lcp_work_reserve(abut_lcp_work(w), w->pairs.n_candidates) != ABUT_OK) {
		return ABUT_ERROR_MEMORY;
	}
	make_manifolds(&step);
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
	                       0};
}

AbutStatus abut_lcp_step(const AbutModel *model, const AbutState *state, AbutWorkspace *w, AbutStepInfo *info)
{
	LcpStep step = {model, state, w};
	const AbutStatus status = abut_lcp_prepare(model, state, w);
	if (status != ABUT_OK) {
		return status;
	}
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
	abut_lcp_work(w)->solved = info->outcome != ABUT_OUTCOME_FAILED && model->options.method == ABUT_METHOD_LCP;
	return ABUT_OK;
}
