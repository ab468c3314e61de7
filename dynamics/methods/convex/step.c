/* Solves an island of method convex. */
#include "dynamics/methods/convex/step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/methods/convex/barrier.h"
#include "dynamics/methods/convex/coupling.h"
#include "dynamics/methods/convex/equality.h"
#include "dynamics/methods/convex/laws.h"
#include "dynamics/methods/convex/rows.h"
#include "dynamics/methods/manifold/report.h"
#include "dynamics/methods/manifold/step.h"
#include "dynamics/methods/manifold/work.h"
#include "dynamics/step/workspace.h"

static void carve_barrier(AbutConvexBarrier *barrier, int rows, AbutArena *arena)
{
	const size_t n = (size_t)rows, points = n / ABUT_LCP_POINT_ROWS;
	barrier->A = abut_arena_take(arena, n * n, sizeof(double));
	barrier->R = abut_arena_take(arena, n, sizeof(double));
	barrier->c = abut_arena_take(arena, n, sizeof(double));
	barrier->v = abut_arena_take(arena, n, sizeof(double));
	barrier->mu = abut_arena_take(arena, points, sizeof(double));
	barrier->least = abut_arena_take(arena, points, sizeof(double));
	abut_barrier_room_carve(&barrier->scratch, (int)points, arena);
}

static void carve(AbutConvexRoom *room, int n_bodies, int rows, AbutArena *arena)
{
	const int most = ABUT_CONVEX_POINT_ROWS * rows;
	if (room->barrier.used) {
		carve_barrier(&room->barrier, rows, arena);
		return;
	}
	abut_soft_room_carve(&room->soft, n_bodies, most, arena);
	room->points = abut_arena_take(arena, (size_t)rows, sizeof *room->points);
	room->rows = abut_arena_take(arena, (size_t)most, sizeof *room->rows);
	room->mass = abut_arena_take(arena, 36 * (size_t)n_bodies, sizeof(double));
	room->free = abut_arena_take(arena, 6 * (size_t)n_bodies, sizeof(double));
	room->convection = abut_arena_take(arena, 6 * (size_t)n_bodies, sizeof(double));
	room->along = abut_arena_take(arena, 12 * (size_t)n_bodies, sizeof(double));
	room->done = abut_arena_take(arena, (size_t)n_bodies, sizeof(bool));
	room->child = abut_arena_take(arena, (size_t)n_bodies, sizeof(bool));
	room->tied = abut_arena_take(arena, (size_t)n_bodies, sizeof(bool));
}

static AbutStatus reserve(AbutLcpRoom *of, int n_bodies, int rows, int n_blocks)
{
	AbutConvexRoom *room = abut_convex_room(of);
	ABUT_TRY(abut_block_memory_room(&room->blocks, n_blocks));
	if (n_bodies <= room->n_bodies && rows <= room->n_rows) {
		return ABUT_OK;
	}
	const int bodies = n_bodies > room->n_bodies ? n_bodies + n_bodies / 4 : room->n_bodies;
	const int more = rows > room->n_rows ? rows + rows / 4 : room->n_rows;
	AbutArena arena = {.base = NULL};
	carve(room, bodies, more, &arena);
	free(room->memory);
	room->n_bodies = room->n_rows = 0;
	room->memory = malloc(arena.used + ABUT_ARENA_ALIGNMENT);
	if (!room->memory) {
		return ABUT_ERROR_MEMORY;
	}
	abut_arena_begin(&arena, room->memory);
	carve(room, bodies, more, &arena);
	room->n_bodies = bodies;
	room->n_rows = more;
	return ABUT_OK;
}

static AbutStatus create(const AbutModel *model, AbutLcpRoom *of)
{
	AbutConvexRoom *room = calloc(1, sizeof *room);
	of->own = room;
	if (!room) {
		return ABUT_ERROR_MEMORY;
	}
	room->barrier.used = model->options.convex_model == ABUT_CONVEX_MODEL_BARRIER;
	room->ties = calloc((size_t)model->joints.n_couplings + 1, sizeof *room->ties);
	room->equalities = calloc((size_t)model->joints.n_yielding + 1, sizeof *room->equalities);
	room->laws = calloc((size_t)abut_convex_law_rows(model, model->joints.n) + 1, sizeof *room->laws);
	return room->ties && room->equalities && room->laws ? ABUT_OK : ABUT_ERROR_MEMORY;
}

static void destroy(AbutLcpRoom *of)
{
	AbutConvexRoom *room = abut_convex_room(of);
	abut_block_memory_destroy(&room->blocks);
	free(room->ties);
	free(room->equalities);
	free(room->laws);
	free(room->memory);
	free(room);
}

/* Fills the accelerations without contact, and starts the iteration from them. */
static void fill_free(const AbutLcpIsland *island, AbutConvexRoom *room)
{
	for (int i = 0; i < island->n_moving; i++) {
		const AbutBodyWork *body = island->moving[i];
		const double *free = abut_lcp_work(island->w)->bodies[body->body].free;
		for (int k = 0; k < 3; k++) {
			room->free[6 * i + k] = (free[k] - body->v0[k]) / island->model->timestep;
			room->free[6 * i + 3 + k] = (free[3 + k] - body->w0[k]) / island->model->timestep;
		}
	}
	memcpy(room->soft.a, room->free, 6 * (size_t)island->n_moving * sizeof(double));
}

/* Finds the impulses of all points of the island, in the axes of its contacts. Free flight of its bodies is known. */
static bool solve(AbutLcpIsland *island, AbutStepInfo *info)
{
	AbutConvexRoom *room = abut_convex_room(island->room);
	if (room->barrier.used) {
		return abut_barrier_solve(island, info);
	}
	AbutSoftReport report = {.iterations = 0};
	AbutSoftProblem problem = abut_convex_problem(island);
	abut_convex_add_joints(island, &problem);
	abut_convex_add_couplings(island, &problem);
	fill_free(island, room);
	const AbutBlockSystem system = {island->members->pattern, room->blocks.blocks};
	abut_soft_solve(&problem, &system, &room->soft, &report);
	abut_convex_impulses(island, &problem);
	info->iterations = report.iterations;
	info->tries = 1;
	info->residual = report.residual;
	return report.solved;
}

/* Computes the velocities from the accelerations of Newton's method. M^-1 J' f would be less accurate, since forces
 * contain the residual times the row weights. */
static void velocities(const AbutLcpIsland *island)
{
	const AbutConvexRoom *room = abut_convex_room(island->room);
	if (room->barrier.used) {
		abut_lcp_push(island);
		return;
	}
	for (int i = 0; i < island->n_moving; i++) {
		AbutLcpBody *body = &abut_lcp_work(island->w)->bodies[island->moving[i]->body];
		for (int k = 0; k < 6; k++) {
			const double pushed = room->soft.a[6 * i + k] - room->free[6 * i + k];
			body->next[k] = body->free[k] + island->model->timestep * pushed;
		}
	}
}

/* Refuses the key `prefix`.`name`: reports its values and the allowed ones. */
static AbutStatus refuse(AbutError *error, const char *prefix, const char *name, const double *values, int n,
                         const char *allowed)
{
	char text[160] = "", where[64];
	size_t used = 0;
	for (int i = 0; i < n && used < sizeof text; i++) {
		used += (size_t)snprintf(text + used, sizeof text - used, i > 0 ? ", %g" : "%g", values[i]);
	}
	snprintf(where, sizeof where, "%s.%s", prefix, name);
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, where, "%s is %s; %s", name, text, allowed);
}

AbutStatus abut_softness_check(const AbutSoftness *soft, const char *where, AbutError *error)
{
	const double *solref = soft->solref, *d = soft->solimp;
	const bool standard = solref[0] > 0.0 && solref[1] > 0.0, direct = solref[0] <= 0.0 && solref[1] <= 0.0;
	if (!abut_all_finite(solref, 2) || !(standard || direct)) {
		return refuse(error, where, "solref", solref, 2,
		              "a time constant (s) and a damping ratio must both be greater than 0, or two "
		              "numbers of at most 0: minus the stiffness (1/s^2) and minus the damping (1/s)");
	}
	const double least = ABUT_SOFT_LEAST_IMPEDANCE;
	if (!abut_all_finite(d, 5) || !(d[0] >= least && d[0] <= 1.0 - least && d[1] >= least && d[1] <= 1.0 - least &&
	                                d[2] >= 0.0 && d[3] >= least && d[3] <= 1.0 - least && d[4] >= 1.0)) {
		return refuse(error, where, "solimp", d, 5,
		              "two impedances from 0.0001 to 0.9999, a width (m) of at least 0, a midpoint from 0.0001 "
		              "to 0.9999 and a power of at least 1 are allowed");
	}
	if (!(soft->margin >= 0.0) || !isfinite(soft->margin)) {
		return refuse(error, where, "margin", &soft->margin, 1, "it must be finite and at least 0 (m)");
	}
	return ABUT_OK;
}

AbutStatus abut_convex_options_check(const AbutSolverOptions *options, AbutError *error)
{
	const AbutSoftness soft = abut_softness(options, NULL);
	const AbutStatus status = abut_softness_check(&soft, "solver", error);
	if (status == ABUT_OK && (!(options->impratio > 0.0) || !isfinite(options->impratio))) {
		return refuse(error, "solver", "impratio", &options->impratio, 1,
		              "it must be finite and greater than 0");
	}
	return status;
}

static bool has_springs(const AbutModel *model)
{
	return model->options.convex_model == ABUT_CONVEX_MODEL_SOFT;
}

static double margin(const AbutModel *model, const AbutWorkspace *w, const AbutPair *pair)
{
	(void)w;
	return has_springs(model) ? pair->soft->margin / model->units.length : abut_barrier_reach(model, pair);
}

/* Returns whether points without friction need tangents. Barriers do, since their cones have three rows. */
static bool always_axes(const AbutModel *model)
{
	return !has_springs(model);
}

static int most_joint_rows(const AbutModel *model, int n_joints)
{
	return abut_convex_law_rows(model, n_joints) + abut_convex_equality_rows(model, n_joints);
}

static void add_joint_rows(AbutLcpIsland *island)
{
	abut_convex_find_equalities(island);
	abut_convex_add_law_rows(island);
	abut_convex_add_equality_rows(island);
	abut_convex_soften_couplings(island);
}

static void keep_joint_rows(const AbutLcpIsland *island)
{
	const int next = abut_convex_keep_laws(island);
	abut_convex_keep_equalities(island, next);
}

static const AbutPointRule rule = {.margin = margin,
                                   .always_axes = always_axes,
                                   .is_dense = always_axes, /* those of barriers */
                                   .solve = solve,
                                   .velocities = velocities,
                                   .joint_rows = most_joint_rows,
                                   .add_joint_rows = add_joint_rows,
                                   .keep_joint_rows = keep_joint_rows,
                                   .room_create = create,
                                   .room_reserve = reserve,
                                   .room_destroy = destroy};

AbutStatus abut_convex_work_create(const AbutModel *model, int n_threads, void **out)
{
	return abut_manifold_work_create(model, &rule, n_threads, out);
}

bool abut_convex_explain(const AbutModel *model, const AbutStepInfo *info, char *text, size_t size)
{
	(void)model;
	return abut_manifold_explain("iterations", ABUT_SOFT_NEARLY, info, text, size);
}
