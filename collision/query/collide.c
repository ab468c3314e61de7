/* Implements abut/collide.h: checks arguments, allocates memory, and orders the two sides. */
#include "abut/collide.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/vec3.h"
#include "collision/query/collide_solve.h"
#include "collision/rows/conic_rows.h"
#include "collision/rows/shape_kernel.h"

static AbutStatus out_of_memory(AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while preparing a pair of shapes");
}

/* Places all arrays, whose sizes depend on the problem, in one block. */
static void carve(AbutCollision *c, AbutArena *arena, int n_cones, int scratch)
{
	c->problem.scratch = abut_arena_take(arena, (size_t)scratch, sizeof(double));
	c->problem.cones = abut_arena_take(arena, (size_t)n_cones, sizeof(AbutCone));
	for (int i = 0; i < 2; i++) {
		const size_t n_eps = (size_t)c->rows[i].n_eps;
		c->problem.side[i].B_lambda = abut_arena_take(arena, n_eps, sizeof(double));
		c->problem.side[i].eps_map = abut_arena_take(arena, 6 * n_eps, sizeof(double));
	}
}

static AbutStatus allocate(AbutCollision *c)
{
	int n_y = 4, n_z = 1, n_cones = 1, law = 1, scratch = 1;
	for (int i = 0; i < 2; i++) {
		const AbutConicRows *rows = &c->rows[i];
		n_y += rows->n_eps;
		n_z += rows->n_rows;
		n_cones += abut_conic_rows_cones(rows, 0, 1.0, &law, NULL);
		const int own = abut_conic_rows_scratch(rows);
		scratch = own > scratch ? own : scratch;
	}
	AbutArena arena = {NULL, 0};
	carve(c, &arena, n_cones, scratch);
	c->memory = calloc(1, arena.used + ABUT_ARENA_ALIGNMENT);
	if (!c->memory) {
		return ABUT_ERROR_MEMORY;
	}
	abut_arena_begin(&arena, c->memory);
	carve(c, &arena, n_cones, scratch);
	return abut_iterate_create(n_y, n_z, law, false, &c->iterate);
}

static AbutStatus prepare(AbutCollision *c, const AbutShape *a, const AbutShape *b, AbutError *error)
{
	static const double origin[3] = {0.0, 0.0, 0.0};
	const AbutShape *const sides[2] = {c->flipped ? b : a, c->flipped ? a : b};
	c->unit = a->outer_radius + b->outer_radius;
	for (int i = 0; i < 2; i++) {
		ABUT_TRY(abut_shape_clone(sides[i], &c->shape[i], error));
		if (abut_conic_rows_create(c->shape[i], origin, c->unit, &c->rows[i]) != ABUT_OK) {
			return out_of_memory(error);
		}
		c->problem.side[i].rows = &c->rows[i];
	}
	if (allocate(c) != ABUT_OK) {
		return out_of_memory(error);
	}
	c->ncp = abut_scaling_problem(&c->problem);
	return ABUT_OK;
}

AbutStatus abut_collision_create(const AbutShape *a, const AbutShape *b, AbutCollision **out, AbutError *error)
{
	if (!a || !b || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "a, b and out must not be NULL");
	}
	*out = NULL;
	if (a->kind == ABUT_SHAPE_HALFSPACE && b->kind == ABUT_SHAPE_HALFSPACE) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "both shapes are halfspaces; at least one must be bounded");
	}
	AbutCollision *collision = calloc(1, sizeof *collision);
	if (!collision) {
		return out_of_memory(error);
	}
	collision->flipped = a->kind == ABUT_SHAPE_HALFSPACE;
	const AbutStatus status = prepare(collision, a, b, error);
	if (status != ABUT_OK) {
		abut_collision_destroy(collision);
		return status;
	}
	*out = collision;
	return ABUT_OK;
}

void abut_collision_destroy(AbutCollision *collision)
{
	if (!collision) {
		return;
	}
	for (int i = 0; i < 2; i++) {
		abut_conic_rows_destroy(&collision->rows[i]);
		abut_shape_destroy(collision->shape[i]);
	}
	abut_iterate_destroy(&collision->iterate);
	free(collision->memory);
	free(collision);
}

void abut_collision_forget(AbutCollision *collision)
{
	if (collision) {
		collision->contact.count = collision->contact.end = 0;
	}
}

/* Largest coordinate of a position (m), as in a scene. Beyond it, squares and products lose all digits. */
static const double furthest = 1e9;

/* Checks a pose and computes its rotation. */
static AbutStatus read_pose(const AbutPose *pose, const char *name, double R[9], AbutError *error)
{
	double q[4];
	memcpy(q, pose->orientation, sizeof q);
	const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	for (int i = 0; i < 3; i++) {
		if (!(fabs(pose->position[i]) <= furthest)) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, name,
			                      "position[%d] is %g; it must lie within +-%g (m)", i, pose->position[i],
			                      furthest);
		}
	}
	if (!(fabs(length - 1.0) <= 1e-6)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, name,
		                      "orientation has length %.9g; it must be 1 (to 1e-6)", length);
	}
	abut_quat_normalise(q);
	abut_quat_to_mat3(q, R);
	return ABUT_OK;
}

static AbutStatus check_kappa(double kappa, AbutError *error)
{
	if (kappa != 0.0 && !(kappa >= ABUT_COLLISION_KAPPA_MIN && kappa <= ABUT_COLLISION_KAPPA_MAX)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "kappa", "kappa is %g; it must be 0 or %g to %g",
		                      kappa, ABUT_COLLISION_KAPPA_MIN, ABUT_COLLISION_KAPPA_MAX);
	}
	return ABUT_OK;
}

static bool is_finite(const AbutCollisionResult *result)
{
	return isfinite(result->scaling) && isfinite(result->gap) && isfinite(result->error) &&
	       abut_all_finite(result->point, 3) && abut_all_finite(result->normal, 3);
}

AbutStatus abut_collision_solve(AbutCollision *collision, const AbutPose *pose_a, const AbutPose *pose_b, double kappa,
                                AbutCollisionResult *out, AbutError *error)
{
	if (!collision) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "collision must not be NULL");
	}
	collision->kappa = 0.0; /* a refused query has no gradient */
	if (!pose_a || !pose_b || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "poses and out must not be NULL");
	}
	ABUT_TRY(check_kappa(kappa, error));
	const AbutPose *const poses[2] = {pose_a, pose_b};
	for (int i = 0; i < 2; i++) {
		const int side = collision->flipped ? 1 - i : i;
		ABUT_TRY(read_pose(poses[i], i == 0 ? "pose_a" : "pose_b", collision->R[side], error));
		abut_copy3(poses[i]->position, collision->position[side]);
	}
	*out = (AbutCollisionResult){.outcome = ABUT_OUTCOME_FAILED};
	for (int i = 0; i < 2; i++) {
		abut_growth_place(collision->shape[i], collision->position[i], collision->R[i], &collision->placed[i]);
	}
	const bool solved =
	    kappa > 0.0 ? abut_collision_relaxed(collision, kappa, out) : abut_collision_exact(collision, out);
	if (!solved || !is_finite(out)) {
		collision->kappa = 0.0;
		*out = (AbutCollisionResult){.outcome = ABUT_OUTCOME_FAILED, .iterations = out->iterations};
		return ABUT_OK;
	}
	for (int i = 0; i < 3 && collision->flipped; i++) {
		out->normal[i] = -out->normal[i];
	}
	return ABUT_OK;
}

/* Names the query in an error: "pose_b" becomes "poses_b[3]" for query 3. */
static AbutStatus refuse_query(int index, AbutStatus status, AbutError *error)
{
	if (!error || strcmp(error->where, "kappa") == 0) {
		return status;
	}
	char where[64], what[sizeof error->message];
	const char *key = strcmp(error->where, "pose_a") == 0   ? "poses_a"
	                  : strcmp(error->where, "pose_b") == 0 ? "poses_b"
	                                                        : "collisions";
	snprintf(where, sizeof where, "%s[%d]", key, index);
	memcpy(what, error->message, sizeof what);
	return abut_error_set(error, status, where, "%s", what);
}

AbutStatus abut_collision_solve_all(int n, AbutCollision *const *collisions, const AbutPose *poses_a,
                                    const AbutPose *poses_b, double kappa, AbutCollisionResult *out, AbutError *error)
{
	if (n < 0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "n", "n is %d; it must be at least 0", n);
	}
	if (n > 0 && (!collisions || !poses_a || !poses_b || !out)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "collisions, poses_a, poses_b and out must not be NULL");
	}
	for (int i = 0; i < n; i++) {
		out[i] = (AbutCollisionResult){.outcome = ABUT_OUTCOME_FAILED};
	}
	for (int i = 0; i < n; i++) {
		const AbutStatus status =
		    abut_collision_solve(collisions[i], &poses_a[i], &poses_b[i], kappa, &out[i], error);
		if (status != ABUT_OK) {
			return refuse_query(i, status, error);
		}
	}
	return ABUT_OK;
}
