/* Makes two shapes at random poses, which are queried through the public interface. */
#pragma once

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "abut/collide.h"
#include "sample_shapes.h"
#include "solver/sample_cones.h"

typedef struct CollidePair {
	AbutShape *shape[2];
	AbutPose pose[2];
	AbutCollision *collision;
} CollidePair;

/* The first of the bounded kinds are primitives, which have sizes. Smooth shapes, the last kind, are in
 * test_smooth_pairs.c. */
enum { BOUNDED_KINDS = ABUT_SHAPE_SMOOTH - 1, PRIMITIVE_KINDS = ABUT_SHAPE_CONE };

static inline void pose_matrix(const AbutPose *pose, double R[9])
{
	abut_quat_to_mat3(pose->orientation, R);
}

/* Computes the shape's scaling centre in the world. */
static inline void pair_centre(const CollidePair *pair, int i, double out[3])
{
	double R[9];
	pose_matrix(&pair->pose[i], R);
	abut_mat3_vec(R, pair->shape[i]->centre, out);
	for (int j = 0; j < 3; j++) {
		out[j] += pair->pose[i].position[j];
	}
}

/* Returns max n . (point - centre) over shape i. */
static inline double pair_reach(const CollidePair *pair, int i, const double n[3])
{
	double R[9], local[3];
	pose_matrix(&pair->pose[i], R);
	abut_mat3_tvec(R, n, local);
	return abut_shape_support(pair->shape[i], local, NULL) - abut_dot3(local, pair->shape[i]->centre);
}

static inline void pair_prepare(CollidePair *pair)
{
	AbutError error = {0};
	cr_assert_eq(abut_collision_create(pair->shape[0], pair->shape[1], &pair->collision, &error), ABUT_OK, "%s",
	             error.message);
}

/* Places two shapes and takes ownership of them. Their centres are `distance` apart along a random direction, about a
 * random position. */
static inline void pair_place(CollidePair *pair, AbutShape *a, AbutShape *b, double distance, AbutRng *rng)
{
	double u[3], centre[2][3];
	memset(pair, 0, sizeof *pair);
	pair->shape[0] = a;
	pair->shape[1] = b;
	sample_unit(3, rng, u);
	for (int i = 0; i < 2; i++) {
		abut_rng_rotation(rng, pair->pose[i].orientation);
		pair_centre(pair, i, centre[i]);
	}
	for (int j = 0; j < 3; j++) {
		pair->pose[0].position[j] = abut_rng_normal(rng);
		pair->pose[1].position[j] = pair->pose[0].position[j] + centre[0][j] - centre[1][j] + distance * u[j];
	}
	pair_prepare(pair);
}

/* Chooses both kinds by the seed, over all ordered pairs of bounded kinds. */
static inline void pair_sample(unsigned seed, double distance, CollidePair *pair)
{
	AbutRng rng = {seed};
	AbutShape *shape[2];
	for (int i = 0; i < 2; i++) {
		const unsigned kind = 1 + (i == 0 ? seed : seed / BOUNDED_KINDS) % BOUNDED_KINDS;
		shape[i] = sample_shape((AbutShapeKind)kind, i == 0 ? 1.0 : sample_log_uniform(&rng, 0.3, 3.0), &rng);
		sample_move(shape[i], 0.3, &rng);
	}
	pair_place(pair, shape[0], shape[1], distance * (shape[0]->outer_radius + shape[1]->outer_radius), &rng);
}

static inline AbutCollisionResult pair_solve(const CollidePair *pair, double kappa)
{
	AbutCollisionResult result;
	AbutError error = {0};
	cr_assert_eq(abut_collision_solve(pair->collision, &pair->pose[0], &pair->pose[1], kappa, &result, &error),
	             ABUT_OK, "%s", error.message);
	return result;
}

static inline const char *pair_name(const CollidePair *pair)
{
	static char name[64];
	snprintf(name, sizeof name, "%s, %s", abut_shape_kind_name(pair->shape[0]->kind),
	         abut_shape_kind_name(pair->shape[1]->kind));
	return name;
}

static inline void pair_free(CollidePair *pair)
{
	abut_collision_destroy(pair->collision);
	abut_shape_destroy(pair->shape[0]);
	abut_shape_destroy(pair->shape[1]);
}
