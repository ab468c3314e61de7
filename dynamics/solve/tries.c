/* Computes the parts of one try to solve a step: the path, the exact finish, and the test whether the result is
 * acceptable. If the finish does not converge, the path continues to a smaller kappa, and the finish is tried again.
 * The order of the tries is in cascade.c. */
#include "dynamics/solve/tries.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/joint/keep.h"
#include "dynamics/solve/start_cold.h"
#include "dynamics/solve/tuning.h"
#include "solver/ncp/interior_point.h"

/* Options of the semismooth Newton method for each kind of start. A point counts as exact if its residual is below
 * `tolerance`; the iteration continues to `goal`, or a smaller tolerance of the model, while that is cheap. A small
 * delta takes fewer iterations; a large one loses fewer digits with redundant contacts. From the last solution, only
 * full steps are taken, since halving them costs more than it gains. At the loose end of a path (low accuracy), most
 * active sets are known, except with joints, where this finish succeeds twice as often if the path determines them. The
 * tight end is tried after a failure at the loose end; there the path determines the active sets. */
#define EXACT .tolerance = 1e-10, .goal = 1e-11, .max_iterations = 16, .rho = 1e-9, .patience = 5
const AbutExactOptions abut_exact_from_last = {EXACT, .delta = 1e-7, .growth = 30.0},
                       abut_exact_from_loose_end = {EXACT, .delta = 1e-7, .halvings = 3},
                       abut_exact_from_tight_end = {EXACT, .delta = 1e-5, .halvings = 3, .from_path = true};
static const AbutExactOptions from_loose_joints = {EXACT, .delta = 1e-7, .halvings = 3, .from_path = true};
#undef EXACT

/* The tight end of the path of a robot. Where two of its parts touch along faces that are parallel to 1e-7, the path
 * ends in the middle of the face, and the exact point is at its edge. `rho` decides how far the point moves at once:
 * with 1e-9 it crosses many times the face, with 1e-6 it reaches the edge in a few iterations, during which the
 * residual grows (`abut_reliability imported --cells anymal`: 80 % instead of 19 % exact). */
static const AbutExactOptions from_tight_joints = {.tolerance = 1e-10,
                                                   .goal = 1e-11,
                                                   .max_iterations = 20,
                                                   .rho = 1e-6,
                                                   .patience = 9,
                                                   .delta = 1e-5,
                                                   .halvings = 3,
                                                   .from_path = true};

/* Natural residual below which a point counts as relaxed in a pile, and with few contacts. In a pile, or where a peg is
 * wedged in its hole, contacts that stick have more conditions than their bodies have degrees of freedom. No motion
 * closes all the small gaps left by the last step. Only delta absorbs them, as forces of size gap / delta. A larger
 * delta keeps the forces at their values and meets the exact law up to the size of the gaps. A pile at rest then takes
 * one to three iterations, and a whole path only rarely, when the forces have drifted to an edge
 * (tests/dynamics/motion/test_pile.c: a_pile_comes_to_rest_cheaply). With few contacts the gaps must be smaller, and
 * momentum must balance as in an exact solution. An imbalance would grow from step to step through the extrapolated
 * velocities (tests/experiments/test_insertion.c: a_wedged_peg_stays). */
static const double nearly_exact = ABUT_NEARLY_EXACT, nearly_exact_few = ABUT_NEARLY_EXACT_FEW;

/* A pile is in motion if the residual of its last solution is above this value. If such a pile has no exact solution
 * from kappa 1e-8, the path is not continued to 1e-10: that gains little and takes a third of all iterations. A pile at
 * rest continues and then ends at least nearly exact. */
static const double in_motion = ABUT_IN_MOTION;

const AbutPatience abut_warm_patience = {ABUT_WARM_PATIENCE}, abut_cold_patience = {ABUT_COLD_PATIENCE};

/* Returns whether the last solution was not exact: a contact under force had a gap, or an open contact had a force. */
static bool left_open(const AbutContactProblem *problem)
{
	double open = 0.0;
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		if (contact->last.entry->solved) {
			const double gap =
			    contact->scale.weight_contact * (contact->last.y[3] - 1.0); /* the solver's alpha */
			open = abut_max(open, fabs(abut_min(contact->last.z[0], gap)));
		}
	}
	return open > abut_exact_from_last.tolerance;
}

bool abut_stage_redundant(const AbutContactProblem *problem)
{
	int conditions = problem->n_couplings, freedoms = 0;
	for (int i = 0; i < problem->n_moving; i++) {
		freedoms += problem->moving[i]->planar ? 3 : 6;
	}
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		const bool planar = contact->side[0].body->planar && contact->pair->tail > 0;
		conditions += 1 + (planar ? 1 : contact->pair->tail); /* in a plane, slip has one direction */
	}
	for (int i = 0; i < problem->n_joints; i++) {
		conditions += problem->joints[i].joint->n_y;
	}
	return conditions > freedoms;
}

bool abut_stage_unmet(const AbutIsland *island)
{
	return abut_stage_redundant(&island->problem) && left_open(&island->problem);
}

static bool has_joints(const AbutIsland *island)
{
	return island->problem.n_joints > 0;
}

static bool is_pile(const AbutIsland *island)
{
	return island->problem.n_contacts > ABUT_CONTACTS_PER_ITERATION;
}

double abut_stage_nearly_exact(const AbutModel *model, const AbutIsland *island)
{
	return fmin(is_pile(island) ? nearly_exact : nearly_exact_few, model->tolerance);
}

bool abut_stage_is_nearly_exact(const AbutModel *model, const AbutIsland *island, const AbutStepInfo *info)
{
	return abut_stage_natural(info) < abut_stage_nearly_exact(model, island) &&
	       (is_pile(island) || info->residual < abut_exact_from_last.tolerance);
}

/* Allows more iterations for a chain, such as a tower, which bends by opening its contacts as hinges. The semismooth
 * Newton method finds the hinges one after the other (solver/ncp/active_set.c). A larger island is a falling heap
 * instead. */
AbutExactOptions abut_stage_options(const AbutModel *model, const AbutExactOptions *from,
                                    const AbutContactProblem *problem)
{
	const int contacts =
	    abut_stage_redundant(problem) || problem->n_contacts > ABUT_LONGEST_CHAIN ? 0 : problem->n_contacts;
	AbutExactOptions options = *from;
	options.goal = fmin(options.goal, model->tolerance);
	options.patience += contacts / 6;
	options.max_iterations += contacts / 2;
	return options;
}

static AbutSolveReport start_report(AbutStepInfo *info)
{
	return (AbutSolveReport){.solved = false, .log = &info->log};
}

static void account(AbutStepInfo *info, const AbutSolveReport *report, bool finish)
{
	info->iterations += report->iterations;
	info->finish_iterations += finish ? report->iterations : 0;
	info->residual = report->residual;
	info->complementarity = report->complementarity;
}

/* Returns whether a contact of the island is recovering from overlap, which adds energy. */
static bool recovering(const AbutIsland *island)
{
	for (int i = 0; i < island->problem.n_contacts; i++) {
		if (abut_contact_recovers(&island->problem.contacts[i])) {
			return true;
		}
	}
	return false;
}

/* Rejects roots of the equations in which bodies are thrown out, at hundreds of metres a second or with masses of
 * different orders of magnitude. Contact without restitution removes energy. So the energy must not exceed 1.1 times
 * that of free flight, with an allowance for slow motion, which is larger during recovery from overlap. A body three
 * times as fast as any before usually indicates another root too. It is accepted if other starts lead there as well:
 * then a lever or a wedge is the cause. All energies are doubled. */
bool abut_stage_thrown_out(const AbutIsland *island)
{
	const double slack = recovering(island) ? 10.0 : 1.0;
	double energy = 0.0, allowed = 0.0, fastest = 0.0, fastest_free = 0.0;
	if (island->problem.n_contacts == 0) {
		return false;
	}
	for (int i = 0; i < island->problem.n_joints; i++) {
		allowed += abut_joint_work(&island->problem.joints[i]);
	}
	for (int i = 0; i < island->problem.n_moving; i++) {
		const AbutBodyWork *body = island->problem.moving[i];
		double turn[3];
		abut_mat3_vec(body->inertia, body->w, turn);
		energy += body->mass * abut_dot3(body->v, body->v) + abut_dot3(body->w, turn);
		allowed += slack * body->mass;
		fastest = abut_max(fastest, abut_dot3(body->v, body->v));
	}
	if (energy <= allowed && fastest <= 9.0 * slack * slack) { /* slow enough to accept at once */
		return false;
	}
	for (int i = 0; i < island->problem.n_moving; i++) {
		const AbutBodyWork *body = island->problem.moving[i];
		const double *p = body->momentum;
		double present[3], turn[3];
		abut_sym3_solve(body->inertia, &p[3], turn);
		fastest_free = abut_max(fastest_free, abut_norm3(p) / body->mass + body->radius * abut_norm3(body->w0));
		abut_mat3_vec(body->inertia, body->w0, present);
		allowed +=
		    abut_dot3(p, p) / body->mass + abut_max(abut_dot3(&p[3], turn), abut_dot3(body->w0, present));
	}
	const bool too_fast = island->doubt_speed && sqrt(fastest) > 3.0 * (fastest_free + slack);
	return energy > 1.1 * allowed || too_fast;
}

bool abut_stage_path(AbutIsland *island, double kappa, double tolerance, double boundary, int iterations,
                     const AbutPatience *patience, AbutStepInfo *info)
{
	const AbutPathOptions options = {.kappa = kappa,
	                                 .tolerance = tolerance,
	                                 .max_iterations = iterations,
	                                 .boundary = boundary,
	                                 .own_duals = has_joints(island),
	                                 .patience = patience->steps,
	                                 .least_step = patience->step};
	AbutSolveReport report = start_report(info);
	if (island->solver) {
		island->solver->path(island, &options, &report);
	} else {
		abut_solve_path(&island->ncp, &options, &island->iterate, &report);
	}
	account(info, &report, false);
	return report.solved;
}

bool abut_stage_exact(AbutIsland *island, const AbutExactOptions *options, double *start, AbutStepInfo *info)
{
	AbutSolveReport report = start_report(info);
	AbutExactOptions own = *options;
	own.tolerance = abut_max(own.tolerance, island->problem.rounding);
	own.goal = abut_max(own.goal, 0.1 * island->problem.rounding);
	if (island->solver) {
		island->solver->exact(island, &own, &report);
	} else {
		abut_solve_exact(&island->ncp, &own, &island->iterate, &report);
	}
	account(info, &report, true);
	if (start) {
		*start = report.start;
	}
	return report.solved;
}

double abut_stage_natural(const AbutStepInfo *info)
{
	return fmax(info->residual, info->complementarity);
}

/* Runs the exact finish from a point of the path. */
static bool finish(const AbutModel *model, AbutIsland *island, const AbutExactOptions *from, bool even,
                   AbutStepInfo *info)
{
	AbutExactOptions options = abut_stage_options(model, from, &island->problem);
	options.even = even;
	return abut_stage_exact(island, &options, NULL, info);
}

bool abut_stage_finish(const AbutModel *model, AbutIsland *island, AbutStepInfo *info)
{
	return finish(model, island, &abut_exact_from_tight_end, false, info);
}

double abut_stage_kappa(const AbutIsland *island, double kappa)
{
	return island->solver ? abut_max(kappa, island->solver->kappa(island)) : kappa;
}

/* Returns whether all joints are closed to the tolerance of exact steps. */
static bool are_closed(const AbutIsland *island)
{
	for (int i = 0; i < island->problem.n_joints; i++) {
		const AbutJointWork *work = &island->problem.joints[i];
		for (int k = 0; k < work->joint->n_held; k++) {
			if (!(fabs(work->rows[k].value) <= abut_exact_from_last.tolerance)) {
				return false;
			}
		}
	}
	return true;
}

bool abut_stage_end_at(const AbutIsland *island, double natural, AbutStepInfo *info)
{
	const double tolerance = abut_exact_from_last.tolerance;
	const bool solved = natural < tolerance || (natural < island->problem.rounding && are_closed(island));
	info->exact = solved && abut_stage_kappa(island, 0.0) == 0.0;
	info->kappa = info->exact ? 0.0 : abut_stage_kappa(island, natural);
	info->outcome = info->exact ? ABUT_OUTCOME_EXACT : ABUT_OUTCOME_RELAXED;
	return true;
}

/* A point at which the path stops. */
typedef struct PathEnd {
	double kappa, tolerance;
	const AbutExactOptions *finish; /* options of the finish from there; NULL: no finish */
	bool tight;                     /* the step may end there with a relaxed solution */
} PathEnd;

static bool stop_on_the_way(AbutIsland *island, int iterations, AbutStepInfo *info)
{
	abut_island_take_back(island, &island->path);
	return abut_stage_path(island, ABUT_ON_THE_WAY_KAPPA, ABUT_ON_THE_WAY_TOLERANCE, 0.8, iterations,
	                       &abut_cold_patience, info);
}

/* Ends the step at the kept point. `end` holds its kappa, residual and complementarity. */
static bool end_relaxed(AbutIsland *island, const double end[3], AbutStepInfo *info)
{
	/* evaluate again: the problem holds the values of a later, unsuccessful point */
	AbutIterate *it = &island->iterate;
	abut_island_take_back(island, &island->path);
	island->ncp.ops->evaluate(island->ncp.problem, it->y, it->z, it->r, it->H);
	if (abut_stage_thrown_out(island)) {
		return false;
	}
	info->outcome = ABUT_OUTCOME_RELAXED;
	info->kappa = abut_stage_kappa(island, end[0]);
	info->residual = end[1];
	info->complementarity = end[2];
	return true;
}

/* Tries the finish first at the loose end of the path, then at the tight end and at smaller kappa. If no finish
 * succeeds, the last tight end is the solution. */
bool abut_stage_path_and_finish(const AbutModel *model, AbutIsland *island, double boundary, int iterations,
                                const AbutPatience *patience, AbutStepInfo *info)
{
	const double kappa = model->options.kappa;
	const bool exact = model->options.finish == ABUT_FINISH_EXACT;
	const bool joints = has_joints(island);
	const AbutExactOptions *const tight = joints ? &from_tight_joints : &abut_exact_from_tight_end;
	/* If the finish fails at the loose end, it rarely succeeds at the tight end of the same kappa. Feet that stick
	 * on a robot in slow motion may contradict each other by 1e-9 of a slip or less, and one of them must then slip
	 * under its whole friction. On the path, that one is decided only at a kappa of the size of the slip. */
	const PathEnd ends[] = {{kappa, 10.0 * kappa, joints ? &from_loose_joints : &abut_exact_from_loose_end, false},
	                        {kappa, model->tolerance, kappa > 1e-8 ? NULL : tight, true},
	                        {1e-8, 1e-10, tight, true},
	                        {1e-10, 1e-10, tight, true},
	                        {1e-12, 1e-12, tight, true},
	                        {1e-13, 1e-13, tight, true}};
	const size_t n_ends = sizeof ends / sizeof *ends - (joints ? 0 : 2);
	bool solved = false;
	double end[3] = {0.0, 0.0, 0.0}; /* kappa, residual, complementarity of the last tight end */
	const bool unmet = exact && abut_stage_unmet(island);
	const int more = island->problem.n_contacts / ABUT_CONTACTS_PER_ITERATION;
	int budget = iterations + more;
	info->tries++;
	for (size_t i = exact ? 0 : 1; i < n_ends; i++) {
		if (i > 1 && ends[i].kappa >= kappa) {
			continue;
		}
		if (i == 3 && solved && unmet && is_pile(island) && island->unrest > in_motion) {
			break;
		}
		const int before = info->iterations, limit = i > 1 ? 20 + more : budget;
		double reached = ends[i].kappa;
		if (!abut_stage_path(island, reached, ends[i].tolerance, boundary, limit, patience, info)) {
			if (i != 2 || !solved || kappa <= ABUT_ON_THE_WAY_KAPPA ||
			    !stop_on_the_way(island, limit, info)) {
				break;
			}
			reached = ABUT_ON_THE_WAY_KAPPA;
		}
		budget -= info->iterations - before;
		const double here[3] = {reached, info->residual, info->complementarity};
		abut_island_keep(island, &island->path);
		if (exact && ends[i].finish &&
		    (finish(model, island, ends[i].finish, unmet, info) ||
		     (unmet && i > 1 && abut_stage_is_nearly_exact(model, island, info)))) {
			return !abut_stage_thrown_out(island) &&
			       abut_stage_end_at(island, abut_stage_natural(info), info);
		}
		abut_island_take_back(island, &island->path);
		if (ends[i].tight) {
			solved = true;
			abut_copy3(here, end);
		}
		if (!exact || reached > ends[i].kappa) {
			break;
		}
	}
	return solved && end_relaxed(island, end, info);
}

void abut_stage_start_flight(const AbutModel *model, AbutIsland *island)
{
	if (model->formulation.published) {
		abut_step_start_cold(island);
	} else {
		abut_step_start_apart(island);
	}
}
