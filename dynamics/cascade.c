/* How a step is solved (docs/formulation.md 8):
 *
 *   1. warm: semismooth Newton from the last solution, which most steps end with;
 *   2. warm: the interior point from a smoothed restart, then the exact finish;
 *   3. from free flight with the collision problems solved apart (start_apart.c), then the exact finish;
 *   4. (the caller, advance.c: half steps, each with 1 to 3)
 *   5. the cascade: from rest, shorter steps to the boundary, another contact weight;
 *   6. load, then friction, switched on by degrees;
 *   7. (the caller: half steps, each with all of these)
 *   8. a larger kappa: a failure, and reported as one.
 *
 * The finish that does not converge continues the path to smaller kappa and tries again. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/step_parts.h"

/* The semismooth Newton from where it is tried. A point is exact below `tolerance`; the iteration goes on to `goal`
 * while that is cheap. The small delta converges in fewer iterations, the larger one loses fewer digits where contacts
 * are redundant. From the last solution steps are full: halving them there loses more than it wins. From the loose end
 * of the path most active sets are known; from a tight one, where that did not do, the path is to tell them. */
#define EXACT .tolerance = 1e-10, .goal = 1e-11, .max_iterations = 16, .rho = 1e-9, .patience = 5
static const AbutExactOptions from_last = {EXACT, .delta = 1e-7, .growth = 30.0},
                              from_loose_end = {EXACT, .delta = 1e-7, .halvings = 3},
                              from_tight_end = {EXACT, .delta = 1e-5, .halvings = 3, .from_path = true};
#undef EXACT

/* Sticking contacts of a pile ask for more than its bodies have freedoms: no motion closes all the small gaps that a
 * step has left, and delta alone takes up the difference, as forces of the gap over delta. With a larger one they stay
 * what they were, and the exact law is met to the size of the gaps: a pile at rest takes one to three iterations then,
 * and now and then, when the forces have drifted to an edge, a whole path; which it was in every step without. Such a
 * point counts as relaxed where its natural residual is below `nearly` (dynamics/test_pile.c:
 * a_pile_comes_to_rest_cheaply). */
static const double nearly = 1e-7;
static const AbutExactOptions from_last_redundant = {.tolerance = 1e-7,
                                                     .goal = 1e-11,
                                                     .max_iterations = 8,
                                                     .delta = 1e-3,
                                                     .rho = 1e-9,
                                                     .patience = 3,
                                                     .growth = 1e3,
                                                     .even = true};

/* Such an island in motion, told by the residual of its last solution, gains little from 1e-10 when it has not ended
 * exactly after 1e-8, for a third of all iterations; at rest it then ends at least nearly exact. */
static const double in_motion = 1e-3;

/* Where the semismooth Newton fails, but not before its residual has fallen to this share of the first, the path starts
 * from its best point. */
static const double worth_keeping = 0.1;

/* When a path is given up: after so many steps in a row that are shorter than `step`. */
typedef struct Patience {
	int steps;
	double step;
} Patience;

/* A warm path that jams gives way to the start apart at once; the others have nothing as good after them, and are left
 * only when they stand still. */
static const Patience warm_patience = {4, 0.05}, cold_patience = {3, 0.001};

/* Many contacts take more iterations: one common step is as short as the shortest of all. */
enum { contacts_per_iteration = 20 };

typedef struct Attempt {
	void (*start)(AbutIsland *island);
	double boundary, weight; /* of contacts: this times the formulation's */
	int iterations;          /* at least; the option's number when larger */
} Attempt;

static const Attempt cascade[] = {{abut_step_start_still, 0.95, 1.0, 30},
                                  {abut_step_start_apart, 0.8, 1.0, 60},
                                  {abut_step_start_cold, 0.8, 0.1, 60}};

/* Whether the last solution was not exact: the gaps of some contacts under force were left open, or their forces under
 * an open gap. */
static bool left_open(const AbutContactProblem *problem)
{
	double open = 0.0;
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		if (contact->memory->solved) {
			const double gap = contact->weight_contact * (contact->memory->alpha - 1.0);
			open = abut_max(open, fabs(abut_min(contact->memory_z[0], gap)));
		}
	}
	return open > from_last.tolerance;
}

/* Whether the contacts, if they all stick, ask for more than the bodies have freedoms. */
static bool redundant(const AbutContactProblem *problem)
{
	int conditions = 0, freedoms = 0;
	for (int i = 0; i < problem->n_moving; i++) {
		freedoms += problem->moving[i]->planar ? 3 : 6;
	}
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		const bool planar = contact->side[0].body->planar && contact->pair->tail > 0;
		conditions += 1 + (planar ? 1 : contact->pair->tail); /* in a plane: slip along it alone */
	}
	return conditions > freedoms;
}

/* Whether that are many, and the last step has not met them: those that are met once stay so. */
static bool unmet_pile(const AbutIsland *island)
{
	const AbutContactProblem *problem = &island->problem;
	return problem->n_contacts > contacts_per_iteration && redundant(problem) && left_open(problem);
}

/* A tower, or some other chain, bends by opening its contacts as hinges, and the semismooth Newton finds them one after
 * the other (solver/active_set.c): the more contacts, the more iterations. A larger island is no chain, but a heap that
 * still falls. */
enum { longest_chain = 200 };

static AbutExactOptions for_chain(const AbutExactOptions *from, const AbutContactProblem *problem)
{
	const int contacts = redundant(problem) || problem->n_contacts > longest_chain ? 0 : problem->n_contacts;
	AbutExactOptions options = *from;
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

/* Whether a contact of the island is recovering from overlap, which gives energy. */
static bool recovering(const AbutIsland *island)
{
	for (int i = 0; i < island->problem.n_contacts; i++) {
		const AbutContactWork *contact = &island->problem.contacts[i];
		if (contact->delta > 0.0 || contact->start_alpha >= 0.0 || contact->side[1].shift < 0.0) {
			return true;
		}
	}
	return false;
}

/* The equations have further roots, with bodies thrown out at speed: at hundreds of metres a second, and where masses
 * differ by orders of magnitude. Contact without restitution takes energy away: what has a tenth more than bodies
 * flying freely (with room for slow motion, and more for recovery from overlap) is not the motion asked for. Nor, most
 * often, is a body three times as fast as any was before: where another start leads there too, a lever or a wedge has
 * done it. All energies twice over. */
static bool thrown_out(const AbutIsland *island)
{
	const double slack = recovering(island) ? 10.0 : 1.0;
	double energy = 0.0, allowed = 0.0, fastest = 0.0, fastest_free = 0.0;
	if (island->problem.n_contacts == 0) {
		return false;
	}
	for (int i = 0; i < island->problem.n_moving; i++) {
		const AbutBodyWork *body = island->problem.moving[i];
		double turn[3];
		abut_mat3_vec(body->inertia, body->w, turn);
		energy += body->mass * abut_dot3(body->v, body->v) + abut_dot3(body->w, turn);
		allowed += slack * body->mass;
		fastest = abut_max(fastest, abut_dot3(body->v, body->v));
	}
	if (energy <= allowed && fastest <= 9.0 * slack * slack) { /* slow enough, whatever it was before */
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

static bool follow_path(AbutIsland *island, double kappa, double tolerance, double boundary, int iterations,
                        const Patience *patience, AbutStepInfo *info)
{
	const AbutPathOptions options = {.kappa = kappa,
	                                 .tolerance = tolerance,
	                                 .max_iterations = iterations,
	                                 .boundary = boundary,
	                                 .patience = patience->steps,
	                                 .least_step = patience->step};
	AbutSolveReport report = start_report(info);
	if (island->bilevel.used) {
		abut_bilevel_solve_path(island, &options, &report);
	} else {
		abut_solve_path(&island->ncp, &options, &island->iterate, &report);
	}
	account(info, &report, false);
	return report.solved;
}

/* `start`, unless NULL: the residual at the beginning. */
static bool solve_exact(AbutIsland *island, const AbutExactOptions *options, double *start, AbutStepInfo *info)
{
	AbutSolveReport report = start_report(info);
	if (island->bilevel.used) {
		abut_bilevel_solve_exact(island, options, &report);
	} else {
		abut_solve_exact(&island->ncp, options, &island->iterate, &report);
	}
	account(info, &report, true);
	if (start) {
		*start = report.start;
	}
	return report.solved;
}

/* Of the point that a semismooth Newton has ended at. */
static double natural_residual(const AbutStepInfo *info)
{
	return fmax(info->residual, info->complementarity);
}

/* The finish from a point of the path: exact, or with a natural residual below `enough`. */
static bool finish(AbutIsland *island, const AbutExactOptions *from, bool even, double enough, AbutStepInfo *info)
{
	AbutExactOptions options = for_chain(from, &island->problem);
	options.even = even;
	return solve_exact(island, &options, NULL, info) || natural_residual(info) < enough;
}

/* Where a step ends whose contacts end at kappa: collision problems on a level of their own stay at theirs. */
static double own_kappa(const AbutIsland *island, double kappa)
{
	return island->bilevel.used ? abut_max(kappa, island->bilevel.kappa) : kappa;
}

/* A step ends at a point of this natural residual. Returns true. */
static bool end_at(const AbutIsland *island, double natural, AbutStepInfo *info)
{
	info->exact = natural < from_last.tolerance && !island->bilevel.used;
	info->kappa = info->exact ? 0.0 : own_kappa(island, natural);
	info->outcome = info->exact ? ABUT_OUTCOME_EXACT : ABUT_OUTCOME_RELAXED;
	return true;
}

static void copy_iterate(const AbutNcp *ncp, const double *y, const double *z, const double *s, double *y_out,
                         double *z_out, double *s_out)
{
	memcpy(y_out, y, (size_t)ncp->n_y * sizeof(double));
	memcpy(z_out, z, (size_t)ncp->n_z * sizeof(double));
	memcpy(s_out, s, (size_t)ncp->n_z * sizeof(double));
}

typedef struct PathEnd {
	double kappa, tolerance;
} PathEnd;

static void save_path(AbutIsland *island)
{
	const AbutIterate *it = &island->iterate;
	copy_iterate(&island->ncp, it->y, it->z, it->s, island->path_y, island->path_z, island->path_s);
}

static void restore_path(AbutIsland *island)
{
	AbutIterate *it = &island->iterate;
	copy_iterate(&island->ncp, island->path_y, island->path_z, island->path_s, it->y, it->z, it->s);
}

/* Where a path that jams before 1e-8 is to end at least: overlap is of the size of kappa. */
static const PathEnd on_the_way = {1e-7, 1e-9};

static bool stop_on_the_way(AbutIsland *island, int iterations, AbutStepInfo *info)
{
	restore_path(island);
	return follow_path(island, on_the_way.kappa, on_the_way.tolerance, 0.8, iterations, &cold_patience, info);
}

/* The path to kappa, and from there to the exact solution when that is asked for. The finish is tried early, at a loose
 * end of the path, and again from the tight end and from smaller kappa; without success the last tight end counts. True
 * when the step is solved as asked. */
static bool path_and_finish(const AbutModel *model, AbutIsland *island, double boundary, int iterations,
                            const Patience *patience, AbutStepInfo *info)
{
	const double kappa = model->options.kappa;
	const bool exact = model->options.finish == ABUT_FINISH_EXACT;
	const PathEnd ends[] = {{kappa, 10.0 * kappa}, {kappa, model->tolerance}, {1e-8, 1e-10}, {1e-10, 1e-10}};
	bool solved = false;
	double end[3] = {0.0, 0.0, 0.0}; /* kappa, residual, complementarity of the last tight end */
	const bool pile = exact && unmet_pile(island);
	const int more = island->problem.n_contacts / contacts_per_iteration;
	int budget = iterations + more;
	info->tries++;
	for (size_t i = exact ? 0 : 1; i < sizeof ends / sizeof *ends; i++) {
		if (i > 1 && ends[i].kappa >= kappa) {
			continue;
		}
		if (i == 3 && solved && pile && island->unrest > in_motion) {
			break;
		}
		const int before = info->iterations, limit = i > 1 ? 20 + more : budget;
		PathEnd reached = ends[i];
		if (!follow_path(island, reached.kappa, reached.tolerance, boundary, limit, patience, info)) {
			if (i != 2 || !solved || kappa <= on_the_way.kappa || !stop_on_the_way(island, limit, info)) {
				break;
			}
			reached = on_the_way;
		}
		budget -= info->iterations - before;
		const double here[3] = {reached.kappa, info->residual, info->complementarity};
		save_path(island);
		/* what the loose end did not show, the tight one at the same kappa hardly will */
		const bool again = i == 1 && kappa > ends[2].kappa;
		if (exact && !again) {
			const double enough = pile && i > 1 ? fmin(nearly, model->tolerance) : 0.0;
			if (finish(island, i == 0 ? &from_loose_end : &from_tight_end, pile, enough, info)) {
				return !thrown_out(island) && end_at(island, natural_residual(info), info);
			}
		}
		restore_path(island);
		if (i > 0) {
			solved = true;
			abut_copy3(here, end);
		}
		if (!exact || reached.kappa > ends[i].kappa) {
			break;
		}
	}
	if (solved) { /* the values in the problem are those of a later, unsuccessful point */
		AbutIterate *it = &island->iterate;
		restore_path(island);
		island->ncp.ops->evaluate(island->ncp.problem, it->y, it->z, it->r, it->H);
		info->outcome = ABUT_OUTCOME_RELAXED;
		info->kappa = own_kappa(island, end[0]);
		info->residual = end[1];
		info->complementarity = end[2];
	}
	return solved && !thrown_out(island);
}

static void set_weight(AbutIsland *island, double weight_contact)
{
	for (int i = 0; i < island->problem.n_contacts; i++) {
		island->problem.contacts[i].weight_contact = weight_contact;
	}
}

/* Without success, the island is left where a path is to start from. */
static bool solve_from_last(const AbutModel *model, AbutIsland *island, AbutStepInfo *info)
{
	const bool pile = unmet_pile(island);
	AbutExactOptions options = for_chain(&from_last, &island->problem);
	bool solved = solve_exact(island, &options, &island->unrest, info);
	if (solved && !thrown_out(island)) {
		return end_at(island, natural_residual(info), info);
	}
	if (!solved && !pile && natural_residual(info) < worth_keeping * island->unrest) {
		return false;
	}
	abut_step_start_warm(model, island);
	if (solved || !pile) {
		return false;
	}
	options = from_last_redundant;
	options.tolerance = fmin(nearly, model->tolerance);
	solved = solve_exact(island, &options, NULL, info);
	if (solved && !thrown_out(island)) {
		return end_at(island, natural_residual(info), info);
	}
	if (solved || !(natural_residual(info) < worth_keeping * island->unrest)) {
		abut_step_start_warm(model, island);
	}
	return false;
}

/* Whether a long chain bends, its last solution having been no help. Its hinges turn by 1e-6 m and less beside faces of
 * 1 m: which of them are open is told by the end of the path alone. */
static bool long_chain(const AbutContactProblem *problem)
{
	enum { contacts = 10 };
	return problem->n_contacts > contacts && problem->n_contacts <= longest_chain && !redundant(problem);
}

/* The path of such a chain, without trying the finish on the way, which takes the 99th percentile of a kicked tower of
 * 64 from 35 iterations to 44. Without success the island is left as it was. */
static bool straight_to_the_end(AbutIsland *island, AbutStepInfo *info)
{
	static const PathEnd end = {1e-10, 1e-10};
	const int iterations = 45 + island->problem.n_contacts / contacts_per_iteration;
	info->tries++;
	save_path(island);
	if (follow_path(island, end.kappa, end.tolerance, 0.95, iterations, &warm_patience, info) &&
	    finish(island, &from_tight_end, false, 0.0, info) && !thrown_out(island)) {
		return end_at(island, natural_residual(info), info);
	}
	restore_path(island);
	return false;
}

static bool solve_warm(const AbutModel *model, AbutIsland *island, AbutStepInfo *info)
{
	if (model->options.warm_start_rule == ABUT_WARM_RULE_SHIFTED) {
		abut_step_start_shifted(island);
		return path_and_finish(model, island, 0.95, 25, &warm_patience, info);
	}
	abut_step_start_warm(model, island);
	const bool exact = model->options.finish == ABUT_FINISH_EXACT;
	if (exact && solve_from_last(model, island, info)) {
		return true;
	}
	abut_step_smooth(island, model->options.kappa);
	if (exact && long_chain(&island->problem) && straight_to_the_end(island, info)) {
		return true;
	}
	return path_and_finish(model, island, 0.95, 25, &warm_patience, info);
}

/* --- by degrees --- */

/* Contacts up to which this is tried: it takes many solves, and half steps of many contacts are cheaper. */
enum { most_by_degrees = 64 };

/* What is switched on by degrees: a share of the momentum that the bodies bring into the step, or of friction. */
typedef void (*SetShare)(AbutIsland *island, double share);

static void set_load(AbutIsland *island, double share)
{
	for (int i = 0; i < island->problem.n_moving; i++) {
		AbutBodyWork *body = island->problem.moving[i];
		for (int j = 0; j < 6; j++) {
			body->momentum[j] = share * body->full_momentum[j];
		}
	}
}

static void set_friction(AbutIsland *island, double share)
{
	for (int i = 0; i < island->problem.n_contacts; i++) {
		AbutContactWork *contact = &island->problem.contacts[i];
		contact->mu = share * contact->pair->mu;
	}
}

static bool has_friction(const AbutIsland *island)
{
	for (int i = 0; i < island->problem.n_contacts; i++) {
		if (island->problem.contacts[i].pair->mu > 0.0) {
			return true;
		}
	}
	return false;
}

static void keep_share(AbutIsland *island)
{
	const AbutIterate *it = &island->iterate;
	copy_iterate(&island->ncp, it->y, it->z, it->s, island->keep_y, island->keep_z, island->keep_s);
}

static void go_back(AbutIsland *island)
{
	AbutIterate *it = &island->iterate;
	copy_iterate(&island->ncp, island->keep_y, island->keep_z, island->keep_s, it->y, it->z, it->s);
}

static bool solve_from_flight_or_rest(const AbutModel *model, AbutIsland *island, AbutStepInfo *info)
{
	static const int iterations = 60;
	if (model->formulation.published) {
		abut_step_start_cold(island);
	} else {
		abut_step_start_apart(island);
	}
	if (path_and_finish(model, island, 0.95, iterations, &cold_patience, info)) {
		return true;
	}
	abut_step_start_still(island);
	return path_and_finish(model, island, 0.95, iterations, &cold_patience, info);
}

/* The solution from that for a smaller share, which is in the iterate. */
static bool solve_on(const AbutModel *model, AbutIsland *island, AbutStepInfo *info)
{
	info->exact = false;
	if (model->options.finish == ABUT_FINISH_EXACT) {
		if (solve_exact(island, &from_loose_end, NULL, info) && !thrown_out(island)) {
			return end_at(island, 0.0, info);
		}
		go_back(island);
	}
	abut_step_smooth(island, model->options.kappa);
	return path_and_finish(model, island, 0.95, 30, &cold_patience, info);
}

/* From the solution in the iterate, for a share of `first`, to that for all of it: by way of shares first^(1 - way), in
 * steps that grow and shrink. */
static bool go_to_full_share(const AbutModel *model, AbutIsland *island, SetShare set, double first, AbutStepInfo *info)
{
	static const double shortest = 0.002;
	double way = 0.0, step = 0.3;
	while (way < 1.0 && step > shortest) {
		const double next = fmin(1.0, way + step);
		keep_share(island);
		set(island, pow(first, 1.0 - next));
		if (solve_on(model, island, info)) {
			way = next;
			step *= 2.0;
		} else {
			go_back(island);
			step *= 0.4;
		}
	}
	set(island, 1.0);
	return way == 1.0;
}

/* Load by degrees: bodies that hardly move are solved from where they are, and the solution follows the load. For steps
 * that are long for the bodies' size, in which free flight leads through each other. */
static bool solve_by_load(const AbutModel *model, AbutIsland *island, AbutStepInfo *info)
{
	static const double first = 0.1;
	set_load(island, first);
	const bool solved = solve_from_flight_or_rest(model, island, info);
	set_load(island, 1.0);
	return solved && go_to_full_share(model, island, set_load, first, info);
}

/* Friction by degrees: where a light body is caught between heavy ones and friction is large, the path in kappa folds,
 * at every timestep, while the solution for little friction exists and can be followed; or else that for a coefficient
 * with which everything sticks. */
static bool solve_by_friction(const AbutModel *model, AbutIsland *island, double first, AbutStepInfo *info)
{
	set_friction(island, first);
	const bool solved = solve_from_flight_or_rest(model, island, info) || solve_by_load(model, island, info);
	set_friction(island, 1.0);
	return solved && go_to_full_share(model, island, set_friction, first, info);
}

static bool solve_raised(const AbutModel *model, AbutIsland *island, AbutStepInfo *info)
{
	const double kappa = 100.0 * model->options.kappa;
	abut_step_start_cold(island);
	info->tries++;
	if (!follow_path(island, kappa, 0.1 * kappa, 0.8, 60, &cold_patience, info)) {
		return false;
	}
	info->kappa = own_kappa(island, kappa);
	info->outcome = ABUT_OUTCOME_RAISED_KAPPA;
	info->exact = false;
	return true;
}

void abut_step_solve(const AbutModel *model, AbutIsland *island, AbutEffort effort, AbutStepInfo *info)
{
	const int iterations = model->options.max_iterations;
	info->outcome = ABUT_OUTCOME_FAILED;
	info->exact = false;
	island->unrest = (double)INFINITY;
	island->doubt_speed = true;
	if (model->options.warm_start && (island->warm || island->resume) && solve_warm(model, island, info)) {
		return;
	}
	if (model->formulation.published) {
		abut_step_start_cold(island);
	} else {
		abut_step_start_apart(island);
	}
	if (path_and_finish(model, island, 0.95, iterations, &cold_patience, info)) {
		return;
	}
	if (!model->options.retry) {
		return;
	}
	info->retried = true;
	if (effort == ABUT_EFFORT_QUICK) {
		return;
	}
	island->doubt_speed = false;
	for (size_t i = 0; i < sizeof cascade / sizeof *cascade; i++) {
		const int cap = cascade[i].iterations > iterations ? cascade[i].iterations : iterations;
		set_weight(island, cascade[i].weight * model->formulation.weight_contact);
		cascade[i].start(island);
		const bool solved = path_and_finish(model, island, cascade[i].boundary, cap, &cold_patience, info);
		set_weight(island, model->formulation.weight_contact);
		if (solved) {
			return;
		}
	}
	const bool few = island->problem.n_contacts <= most_by_degrees;
	if (few && solve_by_load(model, island, info)) {
		return;
	}
	if (few && has_friction(island) &&
	    (solve_by_friction(model, island, 0.05, info) || solve_by_friction(model, island, 100.0, info))) {
		return;
	}
	if (effort == ABUT_EFFORT_RAISED && solve_raised(model, island, info)) {
		return;
	}
	info->exact = false;
	info->outcome = ABUT_OUTCOME_FAILED;
}
