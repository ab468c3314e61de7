/* Advances one island through a step. If the whole step is too long for its bodies, or is not solved, the step is
 * halved. This affects the island alone, since nothing else touches it. For the halves, the quick rows of the cascade
 * usually find what the slow rows find for the whole step, in a tenth of the iterations. So the slow rows come last. */
#include "dynamics/step/advance.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/body/bounds.h"
#include "dynamics/joint/energy.h"
#include "dynamics/model/joint.h"
#include "dynamics/pairs/separation.h"
#include "dynamics/solve/cascade.h"
#include "dynamics/solve/momenta.h"
#include "dynamics/solve/passage.h"
#include "dynamics/solve/recovery.h"
#include "dynamics/solve/tries.h"
#include "dynamics/state/memory.h"
#include "dynamics/state/state.h"
#include "dynamics/step/gather.h"
#include "dynamics/step/keep.h"

/* A plan for retries. */
typedef struct Plan {
	int quick;    /* levels of halving after failures on which only the quick rows are tried */
	int retries;  /* most levels of halving after failures */
	double share; /* length of the first part, as a share of the halved step */
} Plan;

/* Tried in turn, each from the beginning of the step. The last plan splits 0.4/0.6: some steps fail only at 0.5. */
static const Plan plans[] = {{5, 5, 0.5}, {0, ABUT_RETRY_LEVELS, 0.5}, {0, ABUT_RETRY_LEVELS, 0.4}};

/* Most contacts of an island with quick levels. In a larger island only few contacts are hard, but the halves repeat
 * all of them. */
enum { most_for_quick = 20 };

/* A step is given up after this many wasted iterations (reliability/test_robustness.c: a_failure_ends_in_time); each
 * solved part allows some more. Ten times as many would solve one of four failures in a million hard steps. */
enum { most_in_vain = 30000, more_per_part = 50 };

/* A step shorter than this share of the model's unit of time, about 0.7 ms for bodies of 0.5 m, is not halved for the
 * energy of joints: it takes many parts and gains little. */
static const double shortest_judged = 3e-3;
/* The same of an overconstrained loop: the errors of its frames, divided by the timestep, must stay far below the
 * tolerance of the solver. */
static const double shortest_judged_loop = 8.0 * 3e-3;

typedef struct Advance {
	const AbutModel *model;
	const AbutState *state;
	AbutWorkspace *w;
	const AbutStepWatch *watch; /* may be NULL */
	AbutIslandMembers *members;
	AbutIsland *island;
	AbutStepInfo *info; /* of the island */
	double *failed;     /* residual and complementarity of the last failed solve */
	int *in_vain;       /* wasted iterations */
	const Plan *plan;
} Advance;

static const AbutBodyWork *body_of(const Advance *a, int i)
{
	return a->w->partition.moving[a->members->first_body + i];
}

/* --- start --- */

/* Resets the island to the beginning of the step. With `resume`, contacts solved before start from those solutions. */
static void restart(const Advance *a, bool resume)
{
	abut_step_restart(a->model, a->state, a->w, a->members, resume, a->watch);
	a->info->outcome = ABUT_OUTCOME_EXACT;
	a->info->exact = true;
	a->info->halvings = a->info->parts = a->info->row = 0;
	a->info->kappa = a->info->residual = a->info->complementarity = a->info->max_penetration = 0.0;
	a->info->joint_violation_m = a->info->joint_violation_rad = a->info->limit_violation = 0.0;
}

/* --- whether a step is too long --- */

/* Returns whether a body turns further than `half_turn` = |psi|, by its present spin or by the momentum that the step
 * must carry. That momentum is proportional to c |psi|, with c = sqrt(1 - psi.psi), and has its maximum at |psi| =
 * sqrt(1/2). `rotor` is an inertia that turns with the body. */
static bool turns_further(const AbutBodyWork *body, double timestep, double half_turn, double rotor)
{
	static const double share = 0.94; /* of the momentum at this half turn */
	const double square = half_turn * half_turn, half = 0.5 * timestep;
	const double limit = share * share * square * (1.0 - square), *momentum = &body->momentum[3];
	const double least = body->least_inertia + rotor;
	double spin[3], inertia[9];
	if (half * half * abut_dot3(body->w0, body->w0) > square) {
		return true;
	}
	if (half * half * abut_dot3(momentum, momentum) <= limit * least * least) {
		return false;
	}
	for (int i = 0; i < 9; i++) {
		inertia[i] = body->inertia[i] + (i % 4 == 0 ? rotor : 0.0);
	}
	abut_sym3_solve(inertia, momentum, spin);
	return half * half * abut_dot3(spin, spin) > limit;
}

/* Returns whether two parts pass each other so far that the step could miss their contact: by more than the diameter of
 * the smaller one. This is tested with the present velocities and, unless the parts touch, with those of free flight.
 * Nothing passes a halfspace. */
static bool passes_by(const Advance *a, int candidate, double timestep)
{
	static const double room = 0.02;
	const AbutContactMemory *memory = &a->w->pairs.store.entries[candidate];
	const AbutPair *pair = &a->w->pairs.candidates[candidate].pair;
	const AbutPart *first = &a->model->parts[pair->part[0]], *second = &a->model->parts[pair->part[1]];
	const AbutBodyWork *c = &a->w->bodies[pair->body[0]], *d = &a->w->bodies[pair->body[1]];
	const bool touching = memory->solved && memory->alpha < 1.0 + room;
	double present[3], flight[3];
	for (int i = 0; i < 3; i++) {
		present[i] = c->v0[i] - d->v0[i];
		flight[i] = c->momentum[i] / c->mass - (d->moving >= 0 ? d->momentum[i] / d->mass : 0.0);
	}
	const double speed = touching ? abut_norm3(present) : abut_max(abut_norm3(present), abut_norm3(flight));
	return second->rows.bounded &&
	       timestep * speed > 2.0 * abut_min(first->rows.outer_radius, second->rows.outer_radius);
}

/* Returns the inertia of the rotors of a body's joints. A torque across the axis of a joint meets more than that. */
static double rotors_of(const Advance *a, const AbutBodyWork *body)
{
	double sum = 0.0;
	for (int i = 0; i < a->members->size.n_joints; i++) {
		const int index = a->w->partition.joints[a->members->first_joint + i];
		const AbutJoint *joint = &a->model->joints.at[index];
		const bool own = joint->body[0] == body->body || joint->body[1] == body->body;
		for (int k = 0; own && k < joint->kind->n_freedoms; k++) {
			sum += abut_joint_turns(joint->kind, k) ? joint->law[k].armature : 0.0;
		}
	}
	return sum;
}

/* Returns whether a body turns so far that the step may have no solution. */
static bool any_turns_too_far(const Advance *a, double timestep)
{
	const double half_turn = a->members->size.n_joints > 0 ? ABUT_JOINTED_HALF_TURN : ABUT_EASY_HALF_TURN;
	for (int i = 0; i < a->members->size.n_bodies; i++) {
		const AbutBodyWork *body = body_of(a, i);
		if (turns_further(body, timestep, half_turn, 0.0) &&
		    turns_further(body, timestep, half_turn, rotors_of(a, body))) {
			return true;
		}
	}
	return false;
}

/* --- near pairs --- */

/* Returns whether the bounding spheres of the two parts are less than `way` apart at the bodies' present poses. */
static bool is_near(const Advance *a, const AbutPair *pair, double way)
{
	double line[3];
	if (!a->model->parts[pair->part[1]].rows.bounded) {
		return abut_plane_distance(a->model, pair->part[1], pair->part[0], a->w->bodies) < way;
	}
	abut_line_of_centres(a->model, pair, a->w->bodies, line);
	return abut_norm3(line) < pair->outer_radius + way;
}

static double way_of(const Advance *a, const AbutPair *pair, double timestep)
{
	static const double margin = 0.1;
	double way = margin * pair->outer_radius;
	for (int i = 0; i < 2; i++) {
		way += abut_body_way(&a->w->bodies[pair->body[i]], timestep, a->model->parts[pair->part[i]].reach);
	}
	return way;
}

/* Returns whether a body turns far near another one. Large turns are easy to solve in flight, but less so near another
 * body. */
static bool turns_far_near_another(const Advance *a, const AbutPair *pair, double timestep)
{
	bool far = false;
	for (int i = 0; i < 2; i++) {
		const AbutBodyWork *body = &a->w->bodies[pair->body[i]];
		far = far ||
		      (body->moving >= 0 && turns_further(body, timestep, ABUT_NEAR_HALF_TURN, rotors_of(a, body)));
	}
	return far && is_near(a, pair, way_of(a, pair, timestep));
}

static bool too_long(const Advance *a, double timestep, int level)
{
	if (any_turns_too_far(a, timestep)) {
		return true;
	}
	for (int i = 0; i < a->members->size.n_contacts; i++) {
		const int candidate = abut_island_candidate(a->w, a->members, i);
		if (passes_by(a, candidate, timestep) ||
		    (level > 0 && turns_far_near_another(a, &a->w->pairs.candidates[candidate].pair, timestep))) {
			return true;
		}
	}
	return false;
}

/* --- contacts of a part of a step --- */

/* Lists the chosen contacts of the island in order; returns their number. */
static int list_chosen(const Advance *a)
{
	int n = 0;
	for (int i = 0; i < a->members->size.n_contacts; i++) {
		if (a->island->is_chosen[i]) {
			a->island->chosen[n++] = abut_island_candidate(a->w, a->members, i);
		}
	}
	return n;
}

/* Chooses the contacts to solve for: all of them in a whole step, only the near ones in a part of a step. */
static int choose(const Advance *a, double timestep, int level)
{
	for (int i = 0; i < a->members->size.n_contacts; i++) {
		const AbutPair *pair = &a->w->pairs.candidates[abut_island_candidate(a->w, a->members, i)].pair;
		a->island->is_chosen[i] = level == 0 || is_near(a, pair, way_of(a, pair, timestep));
		if (!a->island->is_chosen[i]) {
			a->w->pairs.store.entries[abut_island_candidate(a->w, a->members, i)].solved = false;
		}
	}
	return list_chosen(a);
}

/* Adds the contacts not chosen so far that may overlap at the end of the part. Returns false if there are none. */
static bool choose_missed(const Advance *a)
{
	bool any = false;
	for (int i = 0; i < a->members->size.n_contacts; i++) {
		if (!a->island->is_chosen[i] &&
		    is_near(a, &a->w->pairs.candidates[abut_island_candidate(a->w, a->members, i)].pair, 0.0)) {
			a->island->is_chosen[i] = any = true;
		}
	}
	return any;
}

/* --- the swept boxes of a step in parts --- */

/* Adds the boxes of the island's parts at their present poses to their swept boxes; at the start of the step, replaces
 * the swept boxes. If a part moves along a bent way, it may meet something on the way that it does not touch at the
 * end. */
static void add_to_ways(const Advance *a, bool begin)
{
	for (int i = 0; i < a->members->size.n_bodies; i++) {
		const AbutBody *body = &a->model->bodies[body_of(a, i)->body];
		for (int part = body->first_part; part < body->first_part + body->n_parts; part++) {
			AbutBounds box, *way = &a->w->pairs.ways[part];
			abut_bounds_tight(a->model, part, a->w->bodies, &box);
			*way = begin ? box : abut_bounds_union(way, &box);
		}
	}
}

/* --- solving --- */

/* Merges a part of the step into the island's info. Work is added up; for the accuracy, the worst value counts. */
static void merge(const AbutStepInfo *own, AbutStepInfo *info)
{
	info->retried = info->retried || own->retried;
	info->tries += own->tries;
	info->iterations += own->iterations;
	info->finish_iterations += own->finish_iterations;
	info->log = own->log;
	info->outcome = own->outcome > info->outcome ? own->outcome : info->outcome;
	info->exact = info->exact && own->exact;
	info->broken_body = own->broken_body > info->broken_body ? own->broken_body : info->broken_body;
	info->kappa = abut_max(info->kappa, own->kappa);
	info->residual = abut_max(info->residual, own->residual);
	info->complementarity = abut_max(info->complementarity, own->complementarity);
	info->row = own->row > info->row ? own->row : info->row;
}

/* Solves once, for a timestep. On failure, returns false; `own` then describes only the work. */
static bool solve_once(const Advance *a, int n_chosen, double timestep, bool resume, AbutEffort effort,
                       AbutStepInfo *own)
{
	*own = (AbutStepInfo){.outcome = ABUT_OUTCOME_FAILED, .log = a->info->log};
	const AbutIslandChoice choice = {n_chosen, abut_island_joints(a->state, a->w, a->members)};
	abut_island_setup(a->model, a->w->bodies, &a->w->pairs, &a->w->partition, a->members, &choice, timestep,
	                  a->island);
	a->island->resume = resume;
	abut_step_recovery(a->model, a->island);
	abut_step_solve(a->model, a->island, effort, own);
	return own->outcome != ABUT_OUTCOME_FAILED;
}

/* Adds the work of a solve that is not the step's solution. */
static void count_work(const AbutStepInfo *own, AbutStepInfo *info)
{
	AbutStepInfo work = *own;
	work.outcome = ABUT_OUTCOME_EXACT;
	work.exact = true;
	work.row = 0;
	work.kappa = work.residual = work.complementarity = 0.0;
	merge(&work, info);
}

/* How the solve of a step, or of a part of a step, ended. */
typedef enum Ended {
	SOLVED,
	UNSOLVED,
	TOO_LONG /* solved, but not as shorter steps would be (was_too_long) */
} Ended;

/* Returns whether nothing but ideal joints, springs and dampers acts on the island in the solution. */
static bool is_passive(const AbutIsland *island)
{
	const AbutContactProblem *problem = &island->problem;
	const AbutIterate *it = &island->iterate;
	for (int i = 0; i < problem->n_contacts; i++) {
		const int gamma = problem->contacts[i].at.z;
		if (it->z[gamma] > it->H[gamma]) { /* it presses */
			return false;
		}
	}
	return abut_joints_passive(problem->joints, problem->n_joints, it->z, it->H);
}

/* Returns whether the solution is that of a step too long: one that moves bodies through each other, or one of jointed
 * bodies in free motion that changes their energy. */
static bool was_too_long(const Advance *a, double timestep, int level)
{
	const AbutContactProblem *problem = &a->island->problem;
	if (level < ABUT_HALVING_LEVELS && abut_step_passes_through(a->model, a->island)) {
		return true;
	}
	const bool unique = problem->n_joints > 0 && !abut_stage_redundant(problem);
	return level < ABUT_LEVELS && timestep > (unique ? shortest_judged : shortest_judged_loop) &&
	       problem->n_joints > 0 && is_passive(a->island) &&
	       abut_joints_unresolved(problem->joints, problem->n_joints, problem->moving, problem->n_moving, timestep,
	                              unique);
}

static Ended solve_part(const Advance *a, double timestep, int level, bool resume, AbutEffort effort)
{
	int n_chosen = choose(a, timestep, level);
	for (;;) {
		AbutStepInfo own;
		if (!solve_once(a, n_chosen, timestep, resume, effort, &own)) {
			count_work(&own, a->info);
			*a->in_vain += own.iterations;
			a->failed[0] = own.residual;
			a->failed[1] = own.complementarity;
			return UNSOLVED;
		}
		if (was_too_long(a, timestep, level)) {
			count_work(&own, a->info);
			return TOO_LONG;
		}
		if (level == 0 || !choose_missed(a)) {
			if (own.exact) {
				abut_step_balance_momenta(a->island);
			}
			merge(&own, a->info);
			a->info->parts++;
			if (a->watch) {
				a->watch->solved(a->watch->who, a->w, a->members, a->island, &own);
			}
			abut_step_keep(a->model, a->w, a->island, a->info);
			if (level > 0) {
				add_to_ways(a, false);
			}
			return SOLVED;
		}
		count_work(&own, a->info);
		n_chosen = list_chosen(a);
	}
}

/* Number of halvings so far: in total, and after failures. */
typedef struct Depth {
	int level, retries;
} Depth;

static bool advance(const Advance *a, double timestep, Depth depth, bool resume);

/* With `resume`, begins again first: the solution without the new pairs cannot start a part of the step. */
static bool advance_in_halves(const Advance *a, double timestep, double share, Depth depth, bool resume)
{
	const double parts[2] = {share * timestep, timestep - share * timestep};
	if (resume) {
		restart(a, false);
	}
	depth.level++;
	a->info->halvings = depth.level > a->info->halvings ? depth.level : a->info->halvings;
	abut_step_gather_island(a->model, a->state, a->w, a->members, parts[0]);
	if (depth.level == 1) {
		add_to_ways(a, true);
	}
	if (!advance(a, parts[0], depth, false)) {
		return false;
	}
	abut_step_gather_island(a->model, a->state, a->w, a->members, parts[1]);
	return advance(a, parts[1], depth, false);
}

/* Returns whether so many iterations were wasted that the step is given up. */
static bool is_in_vain(const Advance *a)
{
	return *a->in_vain > most_in_vain + more_per_part * a->info->parts;
}

/* Advances the island by a timestep, for which its bodies have been gathered. Returns false if a part is not solved;
 * restart the island then. */
static bool advance(const Advance *a, double timestep, Depth depth, bool resume)
{
	if (depth.level > 0 && abut_stopped(a->w->stop)) {
		return false;
	}
	if (depth.level < ABUT_HALVING_LEVELS && too_long(a, timestep, depth.level)) {
		return advance_in_halves(a, timestep, 0.5, depth, resume);
	}
	if (depth.level >= ABUT_HALVING_LEVELS && any_turns_too_far(a, timestep)) {
		return false;
	}
	const bool few = a->members->size.n_contacts <= most_for_quick;
	const bool quick = few && depth.retries < a->plan->quick && depth.level < ABUT_LEVELS;
	const Ended ended = solve_part(a, timestep, depth.level, resume, quick ? ABUT_EFFORT_QUICK : ABUT_EFFORT_FULL);
	if (ended == SOLVED) {
		return true;
	}
	if (ended == TOO_LONG) {
		return advance_in_halves(a, timestep, 0.5, depth, resume);
	}
	if (!a->model->options.retry || depth.retries >= a->plan->retries || depth.level >= ABUT_LEVELS ||
	    is_in_vain(a)) {
		return false;
	}
	depth.retries++;
	return advance_in_halves(a, timestep, a->plan->share, depth, resume);
}

static bool advance_by_plans(Advance *a, bool resume)
{
	const double timestep = a->model->timestep;
	const size_t n = a->model->options.retry ? sizeof plans / sizeof *plans : 1;
	const int before = a->info->iterations;
	for (size_t i = 0; i < n && !is_in_vain(a) && !abut_stop_told(a->w->stop); i++) {
		a->plan = &plans[i];
		if (i > 0) {
			restart(a, false);
			abut_step_gather_island(a->model, a->state, a->w, a->members, timestep);
		}
		if (advance(a, timestep, (Depth){0, 0}, resume && i == 0)) {
			return true;
		}
		*a->in_vain = a->info->iterations - before; /* including the parts solved before the failure */
	}
	return false;
}

/* Tries a larger kappa for the whole step as the last resort, unless the step could miss a contact. Such a solution
 * counts as a failure. */
static bool advance_raised(const Advance *a)
{
	const double timestep = a->model->timestep;
	restart(a, false);
	abut_step_gather_island(a->model, a->state, a->w, a->members, timestep);
	return !too_long(a, timestep, 0) && solve_part(a, timestep, 0, false, ABUT_EFFORT_RAISED) == SOLVED;
}

void abut_step_advance(const AbutModel *model, const AbutState *state, AbutWorkspace *w, const AbutStepWatch *watch,
                       AbutIslandMembers *members, AbutIsland *island)
{
	double failed[2] = {0.0, 0.0};
	int in_vain = 0;
	Advance a = {model, state, w, watch, members, island, &members->info, failed, &in_vain, plans};
	const bool resume = !members->gathered && members->info.halvings == 0;
	restart(&a, resume);
	if (!members->gathered) {
		abut_step_gather_island(model, state, w, members, model->timestep);
	}
	members->gathered = false;
	members->solved = true;
	island->stop = w->stop;
	if (advance_by_plans(&a, resume)) {
		return;
	}
	const double residual = failed[0], complementarity = failed[1];
	if (!model->options.retry || abut_stopped(w->stop) || !advance_raised(&a)) {
		members->info.outcome = ABUT_OUTCOME_FAILED;
		members->info.exact = false;
		members->info.row = 0;
		members->info.residual = residual;
		members->info.complementarity = complementarity;
	}
}
