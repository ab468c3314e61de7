/* Derivatives of relaxed queries against central differences of the queries themselves. */
#include "collide_pair.h"
#include "shapes/by_size.h"

/* The pose moved by `step` along one column of the gradient. */
static void move_pose(CollidePair *pair, int column, double step)
{
	AbutPose *pose = &pair->pose[column / 6];
	const int k = column % 6;
	if (k < 3) {
		pose->position[k] += step;
		return;
	}
	double turn[4] = {cos(0.5 * step), 0.0, 0.0, 0.0}, q[4];
	turn[k - 2] = sin(0.5 * step);
	abut_quat_mul(pose->orientation, turn, q);
	memcpy(pose->orientation, q, sizeof q);
}

/* The shape anew, where it is, with one size changed. */
static AbutShape *resized(const AbutShape *old, int size, double step)
{
	const bool of_vertices = old->kind == ABUT_SHAPE_POLYTOPE || old->kind == ABUT_SHAPE_PADDED_POLYTOPE;
	double s[3];
	AbutShape *shape = NULL, *core = NULL;
	abut_copy3(old->size, s);
	s[size] += step;
	if (of_vertices) {
		cr_assert_eq(abut_shape_create_polytope_from_vertices(old->n_vertices, old->vertices, &core, NULL),
		             ABUT_OK);
	}
	if (old->kind == ABUT_SHAPE_POLYTOPE) {
		shape = core;
	} else {
		shape = shape_by_size(old->kind, s, core);
		abut_shape_destroy(core);
	}
	cr_assert_eq(abut_shape_move(shape, old->rotation, old->position, NULL), ABUT_OK);
	return shape;
}

/* The pair with its poses, or one of its shapes, moved by `step` along one column; the latter is to be freed. */
static CollidePair moved_pair(const CollidePair *pair, int column, double step, AbutShape **changed)
{
	CollidePair moved = *pair;
	*changed = NULL;
	if (column < ABUT_COLLISION_SIZES) {
		move_pose(&moved, column, step);
		return moved;
	}
	const int side = (column - ABUT_COLLISION_SIZES) / 3;
	*changed = resized(pair->shape[side], (column - ABUT_COLLISION_SIZES) % 3, step);
	moved.shape[side] = *changed;
	pair_prepare(&moved);
	return moved;
}

static void values_of(const AbutCollisionResult *result, double out[7])
{
	out[0] = result->scaling;
	abut_copy3(result->point, &out[1]);
	abut_copy3(result->normal, &out[4]);
}

/* Fourth order differences. */
static void differences(const CollidePair *pair, double kappa, int column, double step, double out[7])
{
	static const double weight[4] = {1.0, -8.0, 8.0, -1.0}, at[4] = {-2.0, -1.0, 1.0, 2.0};
	memset(out, 0, 7 * sizeof *out);
	for (int k = 0; k < 4; k++) {
		double value[7];
		AbutShape *changed;
		const CollidePair moved = moved_pair(pair, column, at[k] * step, &changed);
		const AbutCollisionResult result = pair_solve(&moved, kappa);
		if (changed) {
			abut_collision_destroy(moved.collision);
			abut_shape_destroy(changed);
		}
		cr_assert_eq(result.outcome, ABUT_OUTCOME_RELAXED);
		values_of(&result, value);
		for (int i = 0; i < 7; i++) {
			out[i] += weight[k] * value[i] / (12.0 * step);
		}
	}
}

static double entry(const AbutCollisionGradient *gradient, int value, int column)
{
	return value == 0  ? gradient->scaling[column]
	       : value < 4 ? gradient->point[value - 1][column]
	                   : gradient->normal[value - 4][column];
}

static void check_pair_gradient(const CollidePair *pair, double kappa, double step, double tolerance, unsigned seed)
{
	AbutCollisionGradient gradient;
	AbutError error = {0};
	double numeric[ABUT_COLLISION_COLUMNS][7], largest = 1.0;
	cr_assert_eq(pair_solve(pair, kappa).outcome, ABUT_OUTCOME_RELAXED, "%s, seed %u", pair_name(pair), seed);
	cr_assert_eq(abut_collision_gradient(pair->collision, &gradient, &error), ABUT_OK, "%s", error.message);
	for (int column = 0; column < ABUT_COLLISION_COLUMNS; column++) {
		differences(pair, kappa, column, step, numeric[column]);
		for (int i = 0; i < 7; i++) {
			largest = fmax(largest, fabs(numeric[column][i]));
		}
	}
	for (int column = 0; column < ABUT_COLLISION_COLUMNS; column++) {
		for (int i = 0; i < 7; i++) {
			cr_assert_float_eq(entry(&gradient, i, column), numeric[column][i], tolerance * largest,
			                   "%s, seed %u, kappa %g, value %d, column %d: %.12g, differences %.12g",
			                   pair_name(pair), seed, kappa, i, column, entry(&gradient, i, column),
			                   numeric[column][i]);
		}
	}
}

Test(collide_gradient, against_differences_for_all_pairs)
{
	for (unsigned seed = 0; seed < 640; seed++) {
		AbutRng rng = {seed};
		CollidePair pair;
		pair_sample(seed, sample_log_uniform(&rng, 0.2, 2.0), &pair);
		check_pair_gradient(&pair, 1e-2, 1e-4, 1e-7, seed);
		check_pair_gradient(&pair, 1e-4, 1e-5, 1e-6, seed);
		pair_free(&pair);
	}
}

Test(collide_gradient, with_a_halfspace_on_either_side)
{
	for (unsigned seed = 0; seed < 160; seed++) {
		AbutRng rng = {seed};
		AbutShape *shape = sample_shape((AbutShapeKind)(1 + seed / 2 % BOUNDED_KINDS), 1.0, &rng);
		AbutShape *plane = sample_shape(ABUT_SHAPE_HALFSPACE, 1.0, &rng);
		CollidePair pair;
		sample_move(shape, 0.3, &rng);
		pair_place(&pair, seed % 2 ? plane : shape, seed % 2 ? shape : plane, 1.0, &rng);
		check_pair_gradient(&pair, 1e-3, 5e-5, 1e-6, seed);
		pair_free(&pair);
	}
}

/* As kappa goes to 0 the scaling's derivative is that of the exact one: n / h along a translation. */
Test(collide_gradient, tends_to_the_normal)
{
	for (unsigned seed = 0; seed < 256; seed++) {
		CollidePair pair;
		AbutCollisionGradient gradient;
		pair_sample(seed, 1.2, &pair);
		const AbutCollisionResult exact = pair_solve(&pair, 0.0), relaxed = pair_solve(&pair, 1e-10);
		cr_assert_eq(relaxed.outcome, ABUT_OUTCOME_RELAXED, "%s, seed %u", pair_name(&pair), seed);
		cr_assert_float_eq(relaxed.scaling, exact.scaling, relaxed.error + 1e-9, "%s, seed %u",
		                   pair_name(&pair), seed);
		cr_assert_eq(abut_collision_gradient(pair.collision, &gradient, NULL), ABUT_OK, "%s, seed %u",
		             pair_name(&pair), seed);
		const double slope = exact.scaling > 1.0 ? (exact.scaling - 1.0) / exact.gap : 0.0;
		for (int j = 0; j < 3 && slope > 0.0; j++) {
			cr_assert_float_eq(gradient.scaling[6 + j], slope * exact.normal[j], 1e-3 * slope,
			                   "%s, seed %u: %g of %g", pair_name(&pair), seed, gradient.scaling[6 + j],
			                   slope * exact.normal[j]);
			cr_assert_float_eq(gradient.scaling[j], -gradient.scaling[6 + j], 1e-6 * slope, "seed %u",
			                   seed);
		}
		pair_free(&pair);
	}
}
