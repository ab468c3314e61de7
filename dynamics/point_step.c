/* The stepper of method point-ncp: an island at once, by the interior point to kappa.
 *
 *     gather -> points -> start (last solution, or at rest) -> path -> report, keep
 *
 * A step ends relaxed at kappa wherever bodies are near each other, exact in free flight. */
#include <string.h>

#include "base/vec3.h"
#include "dynamics/gradient.h"
#include "dynamics/point_face.h"
#include "dynamics/stages.h"
#include "dynamics/step_parts.h"

typedef struct PointStep {
	const AbutModel *model;
	AbutWorkspace *w;
	AbutIslandMembers *members;
	AbutIsland *island;
	AbutStepInfo *info;
} PointStep;

/* --- the problem --- */

/* The direction that the normal is expected in, for the tangents. */
static void expected_normal(const PointStep *step, const AbutPair *pair, double out[3])
{
	const AbutPointSet *plane = &step->model->parts[pair->part[1]].points;
	if (plane->kind == ABUT_POINT_PLANE) {
		abut_mat3_vec(step->w->bodies[pair->body[1]].R0, plane->normal, out);
	} else {
		abut_line_of_centres(step->model, pair, step->w->bodies, out);
	}
}

/* Overlap at the start of a step is undone at a bounded speed (docs/formulation.md 8). */
static double shift_of(const AbutModel *model, const AbutPoint *point)
{
	return abut_max(-point->gap - ABUT_RECOVERY_SPEED * model->timestep, 0.0);
}

/* Sides and features of point `index` of a pair. */
static void choose_sides(const int face[2], int index, AbutPoint *point)
{
	const AbutPointSet *a = point->set[0], *b = point->set[1];
	const bool corners[2] = {a->kind == ABUT_POINT_CORNERS, b->kind == ABUT_POINT_CORNERS};
	point->plane = point->rod = point->hull = -1;
	if (b->kind == ABUT_POINT_PLANE) {
		point->plane = 1;
	} else if (corners[0] && corners[1]) {
		point->ball = index < a->n ? 0 : 1;
		point->plane = point->hull = 1 - point->ball;
		point->face = face[point->hull];
		index -= point->ball == 0 ? 0 : a->n;
	} else if (corners[0] || corners[1]) {
		point->ball = corners[0] ? 1 : 0;
		point->plane = point->hull = 1 - point->ball;
	} else {
		point->rod = a->kind == ABUT_POINT_ROD ? 0 : b->kind == ABUT_POINT_ROD ? 1 : -1;
	}
	point->centre[point->ball] = &point->set[point->ball]->points[3 * index];
	if (point->plane < 0) {
		point->centre[1 - point->ball] = point->set[1 - point->ball]->points;
	}
}

static void setup_point(const PointStep *step, const AbutPair *pair, const int face[2], int index, AbutPoint *point)
{
	double normal[3];
	memset(point, 0, sizeof *point);
	point->pair = pair;
	for (int s = 0; s < 2; s++) {
		point->set[s] = &step->model->parts[pair->part[s]].points;
		point->body[s] = &step->w->bodies[pair->body[s]];
	}
	choose_sides(face, index, point);
	if (point->set[point->ball]->kind == ABUT_POINT_CORNERS && point->hull >= 0) {
		abut_mat3_vec(point->body[point->hull]->R, &point->set[point->hull]->hull->normals[3 * point->face],
		              normal);
	} else {
		expected_normal(step, pair, normal);
	}
	abut_axis_across(normal, point->reference);
	abut_point_place(point);
	point->shift = shift_of(step->model, point);
}

/* Of two hulls the face of each that parts it best from the other, where they are. */
static void choose_faces(const PointStep *step, const AbutPair *pair, int face[2])
{
	const AbutPointSet *set[2];
	for (int s = 0; s < 2; s++) {
		set[s] = &step->model->parts[pair->part[s]].points;
		face[s] = 0;
	}
	for (int s = 0; set[0]->hull && set[1]->hull && s < 2; s++) {
		const AbutBodyWork *own = &step->w->bodies[pair->body[s]], *other = &step->w->bodies[pair->body[1 - s]];
		face[s] = abut_point_face_between(set[s]->hull, own->x, own->R, set[1 - s]->hull, other->x, other->R);
	}
}

/* Its cones, from `cones` on; returns how many. */
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
	AbutPointProblem *points = &island->points;
	int y = 6 * step->members->size.n_bodies, z = 0, law = 0, n_cones = 0;
	problem->timestep = model->timestep;
	problem->friction_cone = model->options.friction_cone;
	problem->n_moving = step->members->size.n_bodies;
	problem->moving = &step->w->moving[step->members->first_body];
	problem->n_contacts = 0;
	problem->system = (AbutBlockSystem){step->members->pattern, island->blocks.blocks};
	points->bodies = problem;
	points->n = 0;
	for (int i = 0; i < step->members->size.n_contacts; i++) {
		const AbutPair *pair = &step->w->candidates[abut_island_candidate(step->w, step->members, i)].pair;
		const int n = abut_point_count(model, pair), n_y = pair->n_y / n, n_z = pair->n_z / n;
		int face[2];
		choose_faces(step, pair, face);
		for (int k = 0; k < n; k++, y += n_y, z += n_z) {
			AbutPoint *point = &points->points[points->n++];
			setup_point(step, pair, face, k, point);
			point->y = y;
			point->z = z;
			n_cones += setup_cones(step, z, &law, &island->cones[n_cones], point);
		}
	}
	island->ncp = (AbutNcp){.problem = points,
	                        .ops = &abut_point_problem_ops,
	                        .n_y = y,
	                        .n_z = z,
	                        .cones = island->cones,
	                        .n_cones = n_cones};
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

static void exchange(bool load, bool fresh, int n, double *iterate, double *memory)
{
	for (int i = 0; i < n; i++) {
		double *to = load ? &iterate[i] : &memory[i];
		*to = fresh ? 0.0 : load ? memory[i] : iterate[i];
	}
}

/* The last solution's psi and impulses into the iterate, or out of it; zero where there is none. */
static void exchange_memory(const PointStep *step, bool load)
{
	const AbutContactStore *store = &step->w->store;
	AbutIterate *it = &step->island->iterate;
	int y = 6 * step->island->problem.n_moving, z = 0;
	for (int i = 0; i < step->members->size.n_contacts; i++) {
		const int index = abut_island_candidate(step->w, step->members, i);
		const AbutContactMemory *memory = &store->entries[index];
		const AbutPair *pair = &step->w->candidates[index].pair;
		const bool fresh = load && !memory->solved;
		exchange(load, fresh, pair->n_y, &it->y[y], &store->y[memory->y]);
		exchange(load, fresh, pair->n_z, &it->z[z], &store->z[memory->z]);
		y += pair->n_y;
		z += pair->n_z;
	}
}

static void start_warm(const PointStep *step)
{
	load_velocities(step);
	exchange_memory(step, true);
	abut_step_smooth(step->island, step->model->options.kappa);
}

/* Without forces, at the velocities before the step, smoothed at mu. */
static void start_cold(const PointStep *step, double mu)
{
	const AbutNcp *ncp = &step->island->ncp;
	AbutIterate *it = &step->island->iterate;
	load_velocities(step);
	memset(&it->y[6 * step->island->problem.n_moving], 0,
	       (size_t)(ncp->n_y - 6 * step->island->problem.n_moving) * sizeof(double));
	memset(it->z, 0, (size_t)ncp->n_z * sizeof(double));
	ncp->ops->evaluate(ncp->problem, it->y, it->z, it->r, it->H);
	abut_step_smooth_at(step->island, mu);
}

static bool follow_path(const PointStep *step, double boundary)
{
	const AbutSolverOptions *options = &step->model->options;
	const AbutPathOptions path = {.kappa = options->kappa,
	                              .tolerance = step->model->tolerance,
	                              .max_iterations = options->max_iterations,
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

/* Starts in the order in which they are tried. */
static const struct {
	double mu, boundary;
} cold_starts[] = {{0.1, 0.95}, {1.0, 0.9}, {0.01, 0.8}, {0.1, 0.5}, {10.0, 0.7}};

static bool solve(const PointStep *step)
{
	const AbutSolverOptions *options = &step->model->options;
	const int n_cold = (int)(sizeof cold_starts / sizeof *cold_starts);
	bool solved = false;
	if (options->warm_start) {
		start_warm(step);
		solved = follow_path(step, cold_starts[0].boundary);
	}
	for (int i = 0; !solved && i < n_cold && (options->retry || step->info->tries == 0); i++) {
		step->info->retried = step->info->tries > 0;
		start_cold(step, cold_starts[i].mu);
		solved = follow_path(step, cold_starts[i].boundary);
	}
	return solved;
}

/* --- the end of a step --- */

/* Impulses of a pair's points add up, and so do their places, by their normal impulses. */
static void report_contact(const PointStep *step, int index, const AbutPoint *points, int n)
{
	const AbutUnits *units = &step->model->units;
	const AbutPair *pair = points[0].pair;
	AbutContactMemory *memory = &step->w->store.entries[index];
	AbutContact *out = &step->w->results[index];
	const double sign = pair->flipped ? -1.0 : 1.0;
	double total = 0.0, point[3] = {0.0}, normal[3] = {0.0}, nearest = points[0].gap;
	for (int i = 0; i < n; i++) {
		const AbutPoint *own = &points[i];
		total += own->gamma;
		nearest = abut_min(nearest, own->gap);
		for (int k = 0; k < 3; k++) {
			point[k] += own->gamma * (own->body[0]->x[k] + own->arm[0][k]);
			normal[k] += own->gamma * own->frame.N[0][k];
			out->friction_impulse[k] +=
			    sign * (own->force[k] - own->gamma * own->frame.N[0][k]) * units->impulse;
		}
	}
	out->normal_impulse = total * units->impulse;
	out->gap = nearest * units->length;
	out->scaling = abut_max(1.0 + nearest / step->model->parts[pair->part[0]].rows.outer_radius, 0.0);
	for (int k = 0; k < 3; k++) { /* on the path every point has an impulse */
		out->point[k] = point[k] / total * units->length;
		memory->normal[k] = normal[k] / total;
		out->normal[k] = sign * memory->normal[k];
	}
	memory->alpha = out->scaling;
	memory->solved = true;
	step->w->candidates[index].solved = true;
	step->info->max_penetration = abut_max(step->info->max_penetration, -out->gap);
}

static void report(const PointStep *step)
{
	const AbutPoint *points = step->island->points.points;
	for (int i = 0; i < step->members->size.n_contacts; i++) {
		const int index = abut_island_candidate(step->w, step->members, i);
		const int n = abut_point_count(step->model, &step->w->candidates[index].pair);
		report_contact(step, index, points, n);
		points += n;
	}
}

static bool turns_too_far(const PointStep *step)
{
	bool far = false;
	for (int i = 0; i < step->island->problem.n_moving; i++) {
		const double *w = step->island->problem.moving[i]->w0;
		far = far || !(0.5 * step->model->timestep * abut_norm3(w) < ABUT_LARGEST_HALF_TURN);
	}
	return far;
}

/* A body that is near no other. */
static bool fly(const PointStep *step)
{
	AbutBodyWork *body = step->island->problem.moving[0];
	AbutSolveReport report = {.log = &step->info->log};
	double y[6];
	abut_copy3(body->w0, &y[3]);
	if (!abut_body_fly(body, step->model->timestep, y, &report)) {
		return false;
	}
	step->info->iterations = step->info->finish_iterations = report.iterations;
	step->info->residual = report.residual;
	return true;
}

static void begin(const PointStep *step, const AbutState *state)
{
	for (int i = 0; i < step->members->size.n_bodies; i++) {
		AbutBodyWork *body = step->w->moving[step->members->first_body + i];
		AbutMotion *motion = &step->w->motion[body->body];
		*motion = state->motion[body->body];
		abut_step_gather_body(step->model, state, motion, step->model->timestep, body);
	}
	for (int i = 0; i < step->members->size.n_contacts; i++) {
		const int index = abut_island_candidate(step->w, step->members, i);
		abut_step_load_memory(state, step->w, index);
		step->w->results[index] = abut_contact_blank(step->model, &step->w->candidates[index].pair);
	}
	if (step->w->gradient) {
		abut_gradient_restart(step->w->gradient, step->w, step->members);
	}
	*step->info = (AbutStepInfo){.outcome = ABUT_OUTCOME_FAILED, .parts = 1, .log = step->info->log};
}

void abut_point_advance(const AbutModel *model, const AbutState *state, AbutWorkspace *w, AbutIslandMembers *members,
                        AbutIsland *island)
{
	const PointStep step = {model, w, members, island, &members->info};
	begin(&step, state);
	setup(&step);
	const bool flies = members->size.n_contacts == 0;
	if (turns_too_far(&step) || !(flies ? fly(&step) : solve(&step))) {
		return;
	}
	members->info.exact = flies;
	members->info.outcome = flies ? ABUT_OUTCOME_EXACT : ABUT_OUTCOME_RELAXED;
	members->info.kappa = flies ? 0.0 : model->options.kappa;
	if (w->gradient) {
		abut_gradient_add_part(w->gradient, w, members, island, &members->info);
	}
	report(&step);
	exchange_memory(&step, false);
	abut_step_keep(model, w, island, &members->info);
}
