/* Steps an island with method point-ncp: follows the interior point's path of the whole island down to kappa. If this
 * fails, it halves the step.
 *
 *     gather -> points -> start (last solution, or at rest) -> path -> report, keep
 *
 * The result is relaxed at kappa where bodies are near each other, and exact in free flight. */
#include "dynamics/methods/points/step.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/body/flight.h"
#include "dynamics/contact/setup.h"
#include "dynamics/island/problem.h"
#include "dynamics/joint/keep.h"
#include "dynamics/methods/points/face.h"
#include "dynamics/methods/points/problem.h"
#include "dynamics/pairs/separation.h"
#include "dynamics/solve/recovery.h"
#include "dynamics/solve/redirect.h"
#include "dynamics/solve/smooth.h"
#include "dynamics/solve/start_cold.h"
#include "dynamics/solve/tries.h"
#include "dynamics/state/memory.h"
#include "dynamics/state/state.h"
#include "dynamics/step/advance.h"
#include "dynamics/step/gather.h"
#include "dynamics/step/keep.h"
#include "solver/ncp/interior_point.h"

typedef struct PointStep {
	const AbutModel *model;
	AbutWorkspace *w;
	AbutIslandMembers *members;
	AbutIsland *island;
	AbutStepInfo *info;
	const AbutState *state;
	double timestep;            /* of the step, or of the part of it being solved */
	const AbutStepWatch *watch; /* NULL: none */
} PointStep;

/* --- the problem --- */

/* Computes an estimate of the contact normal, from which the reference of the tangents is chosen. */
static void expected_normal(const PointStep *step, const AbutPair *pair, double out[3])
{
	const AbutPointSet *plane = abut_point_set(step->model, pair->part[1]);
	if (plane->kind == ABUT_POINT_PLANE) {
		abut_mat3_vec(step->w->bodies[pair->body[1]].R0, plane->normal, out);
	} else {
		abut_line_of_centres(step->model, pair, step->w->bodies, out);
	}
}

/* Returns the shift of the gap by which overlap at the start of a step is undone at a bounded speed
 * (docs/formulation.md 8). */
static double shift_of(const PointStep *step, const AbutPoint *point)
{
	return abut_max(-point->now.gap - ABUT_RECOVERY_SPEED * step->timestep, 0.0);
}

/* The features of a pair at the start of the step, from which its points are chosen. */
typedef struct PairFeatures {
	AbutPointCounts counts; /* `crossings` counts the crossings found */
	int face[2];            /* hull pairs only: per hull, its face of largest separation */
	AbutPointCrossing crossings[ABUT_POINT_CROSSINGS];
} PairFeatures;

static void find_features(const PointStep *step, const AbutPair *pair, PairFeatures *out)
{
	const AbutPointSet *set[2];
	AbutBodyWork *body[2];
	*out = (PairFeatures){.counts = abut_point_counts(step->model, pair)};
	for (int s = 0; s < 2; s++) {
		set[s] = abut_point_set(step->model, pair->part[s]);
		body[s] = &step->w->bodies[pair->body[s]];
	}
	for (int s = 0; set[0]->hull && set[1]->hull && s < 2; s++) {
		double separation;
		out->face[s] = abut_point_face_between(set[s]->hull, body[s], set[1 - s], body[1 - s], &separation);
	}
	if (out->counts.crossings > 0) {
		out->counts.crossings =
		    abut_point_crossings(set, body, step->timestep, out->counts.crossings, out->crossings);
	}
}

/* Chooses the feature beside the ball or corner of side point->ball. */
static void choose_other(const PairFeatures *features, AbutPoint *point)
{
	const int other = 1 - point->role.ball;
	switch (point->set[other]->kind) {
	case ABUT_POINT_PLANE:
		point->role.plane = other;
		break;
	case ABUT_POINT_CORNERS:
		point->role.plane = point->role.hull = other;
		point->role.face = features->face[other];
		break;
	case ABUT_POINT_ROD:
		point->role.rod = other;
		point->centre[other] = point->set[other]->points;
		break;
	case ABUT_POINT_BALL:
	case ABUT_POINT_NONE:
		point->centre[other] = point->set[other]->points;
		break;
	}
}

/* Chooses point `index` of a pair. Points of side 0 come first, then those of side 1, then crossings. */
static void choose_point(const PairFeatures *features, int index, AbutPoint *point)
{
	const int *own = features->counts.own;
	point->role.plane = point->role.rod = point->role.hull = -1;
	if (index >= own[0] + own[1]) {
		point->role.crosses = true;
		point->role.crossing = features->crossings[index - own[0] - own[1]];
		return;
	}
	point->role.ball = index < own[0] ? 0 : 1;
	point->centre[point->role.ball] =
	    &point->set[point->role.ball]->points[3 * (index - (point->role.ball ? own[0] : 0))];
	choose_other(features, point);
}

/* Sets up a point; returns false if it is left out. */
static bool setup_point(const PointStep *step, const AbutPair *pair, const PairFeatures *features, int index,
                        AbutPoint *point)
{
	double normal[3];
	memset(point, 0, sizeof *point);
	point->pair = pair;
	point->place = index;
	point->mu = pair->mu;
	for (int s = 0; s < 2; s++) {
		point->set[s] = abut_point_set(step->model, pair->part[s]);
		point->body[s] = &step->w->bodies[pair->body[s]];
	}
	choose_point(features, index, point);
	if (!point->role.crosses && point->set[point->role.ball]->kind == ABUT_POINT_CORNERS && point->role.hull >= 0) {
		abut_mat3_vec(point->body[point->role.hull]->R,
		              &point->set[point->role.hull]->hull->normals[3 * point->role.face], normal);
	} else {
		expected_normal(step, pair, normal);
	}
	abut_axis_across(normal, point->reference);
	abut_point_place(point);
	point->shift = shift_of(step, point);
	return !abut_point_is_elsewhere(point, step->timestep);
}

/* Sets up a point's cones, starting at `cones`; returns how many. */
static int setup_cones(const PointStep *step, int z, int *law, AbutCone *cones, AbutPoint *point)
{
	const AbutFrictionCone kind = step->model->options.friction_cone;
	cones[0] = (AbutCone){.kind = ABUT_CONE_ORTHANT, .offset = z, .dim = 1, .weight = 1.0, .law = *law};
	*law += abut_cone_law_size(ABUT_CONE_ORTHANT, 1);
	point->cones = cones;
	point->n_cones = 1 + abut_friction_cones(kind, point->pair->tail, z + 1, law, &cones[1]);
	return point->n_cones;
}

static void setup(const PointStep *step)
{
	const AbutModel *model = step->model;
	AbutIsland *island = step->island;
	AbutContactProblem *problem = &island->problem;
	AbutPointProblem *points = island->method;
	int y = 6 * step->members->size.n_bodies, z = 0, law = 0, n_cones = 0;
	problem->timestep = step->timestep;
	problem->friction_cone = model->options.friction_cone;
	problem->n_moving = step->members->size.n_bodies;
	problem->moving = &step->w->partition.moving[step->members->first_body];
	problem->n_contacts = 0;
	problem->system = (AbutBlockSystem){step->members->pattern, island->blocks.blocks};
	points->bodies = problem;
	points->n = 0;
	for (int i = 0; i < step->members->size.n_contacts; i++) {
		const AbutPair *pair =
		    &step->w->pairs.candidates[abut_island_candidate(step->w, step->members, i)].pair;
		const int most = abut_point_count(model, pair), n_y = pair->n_y / most, n_z = pair->n_z / most;
		PairFeatures features;
		find_features(step, pair, &features);
		const int n = features.counts.own[0] + features.counts.own[1] + features.counts.crossings;
		for (int k = 0; k < n; k++) {
			AbutPoint *point = &points->points[points->n];
			if (!setup_point(step, pair, &features, k, point)) {
				continue;
			}
			points->n++;
			point->y = y;
			point->z = z;
			y += n_y;
			z += n_z;
			n_cones += setup_cones(step, point->z, &law, &island->cones[n_cones], point);
		}
	}
	const AbutIslandJoints joints = abut_island_joints(step->state, step->w, step->members);
	AbutJointPlace place = {.y = y, .z = z, .n_cones = n_cones, .law = law, .cones = island->cones};
	abut_island_setup_joints(model, step->w->bodies, &joints, step->timestep, &place, problem);
	island->ncp = (AbutNcp){.problem = points,
	                        .ops = &abut_point_problem_ops,
	                        .n_y = place.y,
	                        .n_z = place.z,
	                        .cones = island->cones,
	                        .n_cones = place.n_cones,
	                        .stop = island->stop};
}

/* --- starts --- */

static void load_velocities(const PointStep *step)
{
	const AbutContactProblem *problem = &step->island->problem;
	for (int i = 0; i < problem->n_moving; i++) {
		abut_copy3(problem->moving[i]->v0, &step->island->iterate.y[6 * i]);
		abut_copy3(problem->moving[i]->w0, &step->island->iterate.y[6 * i + 3]);
	}
}

/* Returns the number of points of a pair in this step; `first` is its first point. */
static int points_of_pair(const PointStep *step, const AbutPair *pair, const AbutPoint *first)
{
	const AbutPointProblem *problem = step->island->method;
	int n = 0;
	while (&first[n] < &problem->points[problem->n] && first[n].pair == pair) {
		n++;
	}
	return n;
}

static void exchange(bool load, bool fresh, int n, double *iterate, double *memory)
{
	for (int i = 0; i < n; i++) {
		double *to = load ? &iterate[i] : &memory[i];
		*to = fresh ? 0.0 : load ? memory[i] : iterate[i];
	}
}

/* Copies psi and impulses of a pair from its last solution to the iterate (`load`; zeros without one), or back. */
static void exchange_pair(const PointStep *step, int index, const AbutPoint *points, int n, bool load)
{
	const AbutContactStore *store = &step->w->pairs.store;
	const AbutContactMemory *memory = &store->entries[index];
	const AbutPair *pair = &step->w->pairs.candidates[index].pair;
	const int most = abut_point_count(step->model, pair), n_y = pair->n_y / most, n_z = pair->n_z / most;
	AbutIterate *it = &step->island->iterate;
	if (!load) {
		memset(&store->y[memory->y], 0, (size_t)pair->n_y * sizeof(double));
		memset(&store->z[memory->z], 0, (size_t)pair->n_z * sizeof(double));
	}
	for (int i = 0; i < n; i++) {
		const AbutPoint *point = &points[i];
		const bool fresh = load && !memory->solved;
		exchange(load, fresh, n_y, &it->y[point->y], &store->y[memory->y + point->place * n_y]);
		exchange(load, fresh, n_z, &it->z[point->z], &store->z[memory->z + point->place * n_z]);
	}
}

static void exchange_memory(const PointStep *step, bool load)
{
	const AbutPoint *points = ((const AbutPointProblem *)step->island->method)->points;
	for (int i = 0; i < step->members->size.n_contacts; i++) {
		const int index = abut_island_candidate(step->w, step->members, i);
		const int n = points_of_pair(step, &step->w->pairs.candidates[index].pair, points);
		exchange_pair(step, index, points, n, load);
		points += n;
	}
}

static void start_warm(const PointStep *step)
{
	load_velocities(step);
	exchange_memory(step, true);
	abut_step_start_joints(step->island);
	abut_step_smooth(step->island, step->model->options.kappa);
}

/* Starts without forces, at the velocities before the step, smoothed at the path parameter `mu`. */
static void start_cold(const PointStep *step, double mu)
{
	const AbutNcp *ncp = &step->island->ncp;
	AbutIterate *it = &step->island->iterate;
	load_velocities(step);
	memset(&it->y[6 * step->island->problem.n_moving], 0,
	       (size_t)(ncp->n_y - 6 * step->island->problem.n_moving) * sizeof(double));
	memset(it->z, 0, (size_t)ncp->n_z * sizeof(double));
	for (int i = 0; i < step->island->problem.n_joints; i++) {
		const AbutJointWork *joint = &step->island->problem.joints[i];
		abut_joint_start_cold(joint, &it->y[joint->at.y], &it->z[joint->at.z]);
	}
	ncp->ops->evaluate(ncp->problem, it->y, it->z, it->r, it->H);
	abut_step_smooth_at(step->island, mu);
}

static bool follow_path(const PointStep *step, double boundary, int max_iterations)
{
	const AbutSolverOptions *options = &step->model->options;
	const AbutPathOptions path = {.kappa = options->kappa,
	                              .tolerance = step->model->tolerance,
	                              .max_iterations = max_iterations,
	                              .boundary = boundary,
	                              .patience = abut_cold_patience.steps,
	                              .least_step = abut_cold_patience.step};
	AbutSolveReport report = {.log = &step->info->log};
	abut_solve_path(&step->island->ncp, &path, &step->island->iterate, &report);
	step->info->tries++;
	step->info->iterations += report.iterations;
	step->info->residual = report.residual;
	step->info->complementarity = report.complementarity;
	return report.solved;
}

/* The starts in the order in which they are tried: path parameter, and share of the way to the boundary in a step. */
static const struct {
	double mu, boundary;
} cold_starts[] = {{0.1, 0.95}, {1.0, 0.9}, {0.01, 0.8}, {0.1, 0.5}, {10.0, 0.7}};

static bool solve_cold(const PointStep *step, int max_iterations)
{
	const bool retry = step->model->options.retry;
	const int n = (int)(sizeof cold_starts / sizeof *cold_starts);
	bool solved = false;
	for (int i = 0; !solved && i < n && (retry || step->info->tries == 0); i++) {
		step->info->retried = step->info->tries > 0;
		start_cold(step, cold_starts[i].mu);
		solved = follow_path(step, cold_starts[i].boundary, max_iterations);
	}
	return solved;
}

static void scale_friction(const PointStep *step, double share)
{
	const AbutPointProblem *problem = step->island->method;
	for (int i = 0; i < problem->n; i++) {
		problem->points[i].mu = share * problem->points[i].pair->mu;
	}
}

/* Solves with friction increased in stages, each from the last solution and with more iterations: most failures are
 * friction cones that jam. */
static bool solve_by_friction(const PointStep *step)
{
	const int most = 3 * step->model->options.max_iterations;
	static const double shares[] = {0.1, 0.25, 0.5, 0.75, 1.0};
	scale_friction(step, shares[0]);
	bool solved = solve_cold(step, most);
	for (size_t i = 1; i < sizeof shares / sizeof *shares; i++) {
		scale_friction(step, shares[i]);
		if (solved) {
			abut_step_smooth(step->island, step->model->options.kappa);
			solved = follow_path(step, cold_starts[0].boundary, most);
		}
	}
	return solved;
}

static bool follow_again(const void *data)
{
	const PointStep *step = data;
	abut_step_smooth(step->island, step->model->options.kappa);
	return follow_path(step, cold_starts[0].boundary, step->model->options.max_iterations);
}

static bool solve(const PointStep *step)
{
	const AbutSolverOptions *options = &step->model->options;
	if (options->warm_start) {
		start_warm(step);
		if (follow_path(step, cold_starts[0].boundary, options->max_iterations)) {
			return true;
		}
	}
	return solve_cold(step, options->max_iterations) || (options->retry && solve_by_friction(step));
}

/* --- the end of a step --- */

/* Reports the sum of the impulses of a pair's points, also over the parts of a step. Their mean place is weighted by
 * the normal impulses. */
static void report_contact(const PointStep *step, int index, const AbutPoint *points, int n)
{
	const AbutUnits *units = &step->model->units;
	const AbutPair *pair = points[0].pair;
	AbutContactMemory *memory = &step->w->pairs.store.entries[index];
	AbutContact *out = &step->w->results[index];
	const double sign = pair->flipped ? -1.0 : 1.0;
	double total = 0.0, point[3] = {0.0}, normal[3] = {0.0}, nearest = points[0].now.gap;
	for (int i = 0; i < n; i++) {
		const AbutPoint *own = &points[i];
		total += own->impulse.gamma;
		nearest = abut_min(nearest, own->now.gap);
		for (int k = 0; k < 3; k++) {
			point[k] += own->impulse.gamma * (own->body[0]->x[k] + own->now.arm[0][k]);
			normal[k] += own->impulse.gamma * own->frame.N[0][k];
			out->friction_impulse[k] +=
			    sign * (own->impulse.force[k] - own->impulse.gamma * own->frame.N[0][k]) * units->impulse;
		}
	}
	out->normal_impulse += total * units->impulse;
	out->gap = nearest * units->length;
	out->scaling = abut_max(1.0 + nearest / step->model->parts[pair->part[0]].rows.outer_radius, 0.0);
	for (int k = 0; k < 3; k++) { /* `total` is positive, because on the path every point has an impulse */
		out->point[k] = point[k] / total * units->length;
		memory->normal[k] = normal[k] / total;
		out->normal[k] = sign * memory->normal[k];
	}
	memory->alpha = out->scaling;
	memory->solved = true;
	step->w->pairs.candidates[index].solved = true;
	step->info->max_penetration = abut_max(step->info->max_penetration, -out->gap);
}

static void report(const PointStep *step)
{
	const AbutPoint *points = ((const AbutPointProblem *)step->island->method)->points;
	for (int i = 0; i < step->members->size.n_contacts; i++) {
		const int index = abut_island_candidate(step->w, step->members, i);
		const int n = points_of_pair(step, &step->w->pairs.candidates[index].pair, points);
		if (n > 0) {
			report_contact(step, index, points, n);
		}
		points += n;
	}
}

static bool turns_too_far(const PointStep *step)
{
	bool far = false;
	for (int i = 0; i < step->island->problem.n_moving; i++) {
		const double *w = step->island->problem.moving[i]->w0;
		far = far || !(0.5 * step->timestep * abut_norm3(w) < ABUT_LARGEST_HALF_TURN);
	}
	return far;
}

/* Moves a body that is near no other. */
static bool fly(const PointStep *step)
{
	AbutBodyWork *body = step->island->problem.moving[0];
	AbutSolveReport report = {.log = &step->info->log};
	double y[6];
	abut_copy3(body->w0, &y[3]);
	if (!abut_body_fly(body, step->timestep, y, &report)) {
		return false;
	}
	step->info->iterations += report.iterations;
	step->info->finish_iterations += report.iterations;
	step->info->residual = report.residual;
	return true;
}

static void keep(const PointStep *step, bool flies)
{
	step->info->exact = flies;
	step->info->kappa = flies ? 0.0 : step->model->options.kappa;
	step->info->parts++;
	if (step->watch) {
		step->watch->solved(step->watch->who, step->w, step->members, step->island, step->info);
	}
	report(step);
	exchange_memory(step, false);
	abut_step_keep(step->model, step->w, step->island, step->info);
}

/* How often an unsolved step may be halved. */
enum { LEVELS = 4 };

static bool solve_part(const PointStep *step)
{
	abut_step_gather_island(step->model, step->state, step->w, step->members, step->timestep);
	setup(step);
	const bool flies = step->members->size.n_contacts == 0;
	if (turns_too_far(step) || !(flies ? fly(step) : solve(step))) {
		return false;
	}
	abut_step_redirect(step->island, follow_again, step, step->info);
	keep(step, flies);
	return true;
}

static bool advance(const PointStep *step, int level)
{
	if (solve_part(step)) {
		return true;
	}
	if (!step->model->options.retry || level == LEVELS || turns_too_far(step)) {
		return false;
	}
	PointStep half = *step;
	half.timestep = 0.5 * step->timestep;
	step->info->halvings = level + 1 > step->info->halvings ? level + 1 : step->info->halvings;
	bool solved = true;
	for (int part = 0; solved && part < 2; part++) {
		solved = advance(&half, level + 1);
	}
	return solved;
}

void abut_point_advance(const AbutModel *model, const AbutState *state, AbutWorkspace *w, const AbutStepWatch *watch,
                        AbutIslandMembers *members, AbutIsland *island)
{
	const PointStep step = {model, w, members, island, &members->info, state, model->timestep, watch};
	if (members->size.n_contacts == 0 && members->size.n_joints > 0) { /* as with method single-level */
		abut_step_advance(model, state, w, watch, members, island);
		return;
	}
	abut_step_restart(model, state, w, members, false, watch);
	members->info = (AbutStepInfo){.outcome = ABUT_OUTCOME_FAILED, .log = members->info.log};
	island->stop = w->stop;
	if (advance(&step, 0)) {
		members->info.outcome = members->info.exact ? ABUT_OUTCOME_EXACT : ABUT_OUTCOME_RELAXED;
	}
}
