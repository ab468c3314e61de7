/* Compares derivatives of relaxed queries with central differences of the queries. */
#include "collide_pair.h"
#include "effort.h"
#include "shapes/by_size.h"
#include "shapes/change/size.h"
#include "shapes/core/conic.h"

/* Moves the pose by `step` along one column of the gradient. */
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

/* Makes the shape again at its place, with one size changed. */
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
	if (abut_shape_size_count(old->kind) == 0 &&
	    old->kind != ABUT_SHAPE_POLYTOPE) { /* what it is made of has sizes */
		cr_assert_eq(abut_shape_clone(old, &shape, NULL), ABUT_OK);
		return shape;
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

/* Returns the pair with its poses, or one of its shapes, moved by `step` along one column. The caller frees such a
 * shape. */
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

/* Computes differences of fourth order. */
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
	for (unsigned seed = 0; seed < TEST_EFFORT_FROM(BOUNDED_KINDS * BOUNDED_KINDS, 640); seed++) {
		AbutRng rng = {seed};
		CollidePair pair;
		pair_sample(seed, sample_log_uniform(&rng, 0.2, 2.0), &pair);
		if (TEST_EFFORT(2) > 1 || seed % 2 == 0) {
			check_pair_gradient(&pair, 1e-2, 1e-4, 1e-7, seed);
		}
		if (TEST_EFFORT(2) > 1 || seed % 2 == 1) {
			check_pair_gradient(&pair, 1e-4, 1e-5, 1e-6, seed);
		}
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

/* --- rows --- */

/* Changes one entry of a row as the derivative does, with the centre fixed: d = b - A c, h = A c. */
static AbutShape *with_row(const AbutShape *old, int row, int entry, double step)
{
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_clone(old, &shape, NULL), ABUT_OK);
	abut_shape_edit(shape->d)[row] += entry < 3 ? -step * shape->centre[entry] : step;
	if (entry < 3) {
		abut_shape_edit(shape->A)[3 * row + entry] += step;
		abut_shape_edit(shape->h)[row] += step * shape->centre[entry];
	}
	return shape;
}

static void row_differences(const CollidePair *pair, double kappa, int which, int row, int entry, double out[7])
{
	static const double weight[4] = {1.0, -8.0, 8.0, -1.0}, at[4] = {-2.0, -1.0, 1.0, 2.0};
	const double step = 1e-4;
	memset(out, 0, 7 * sizeof *out);
	for (int k = 0; k < 4; k++) {
		double value[7];
		CollidePair changed = *pair;
		changed.shape[which] = with_row(pair->shape[which], row, entry, at[k] * step);
		pair_prepare(&changed);
		const AbutCollisionResult result = pair_solve(&changed, kappa);
		values_of(&result, value);
		for (int i = 0; i < 7; i++) {
			out[i] += weight[k] * value[i] / (12.0 * step);
		}
		abut_collision_destroy(changed.collision);
		abut_shape_destroy(changed.shape[which]);
	}
}

static double row_entry(const AbutCollisionRowGradient *gradient, int value, int column)
{
	return value == 0  ? gradient->scaling[column]
	       : value < 4 ? gradient->point[value - 1][column]
	                   : gradient->normal[value - 4][column];
}

static void check_rows(const CollidePair *pair, int which, double kappa, unsigned seed)
{
	AbutCollisionRowGradient rows[64];
	AbutError error = {0};
	cr_assert_leq(pair->shape[which]->n_rows, 64);
	cr_assert_eq(pair_solve(pair, kappa).outcome, ABUT_OUTCOME_RELAXED);
	cr_assert_eq(abut_collision_gradient_rows(pair->collision, which, rows, &error), ABUT_OK, "%s", error.message);
	for (int r = 0; r < pair->shape[which]->n_rows; r++) {
		for (int column = 0; column < 4; column++) {
			double numeric[7];
			row_differences(pair, kappa, which, r, column, numeric);
			for (int i = 0; i < 7; i++) {
				cr_assert_float_eq(row_entry(&rows[r], i, column), numeric[i], 1e-6,
				                   "%s, seed %u, shape %d, row %d, value %d, column %d: %.12g, "
				                   "differences %.12g",
				                   pair_name(pair), seed, which, r, i, column,
				                   row_entry(&rows[r], i, column), numeric[i]);
			}
		}
	}
}

Test(collide_gradient, by_the_rows_of_polytopes)
{
	for (unsigned seed = 0; seed < 64; seed++) {
		AbutRng rng = {seed};
		const AbutShapeKind kind = seed % 2 ? ABUT_SHAPE_POLYTOPE : ABUT_SHAPE_BOX;
		const int which = seed / 2 % 2;
		AbutShape *shape = sample_shape(kind, 1.0, &rng);
		AbutShape *other = sample_shape((AbutShapeKind)(seed / 4 % ABUT_SHAPE_COUNT), 1.0, &rng);
		CollidePair pair;
		sample_move(shape, 0.3, &rng);
		pair_place(&pair, which ? other : shape, which ? shape : other, 2.0, &rng);
		check_rows(&pair, which, 1e-2, seed);
		pair_free(&pair);
	}
}

Test(collide_gradient, rows_of_other_shapes_are_refused)
{
	CollidePair pair;
	AbutRng rng = {1};
	AbutCollisionRowGradient rows[16];
	AbutError error = {0};
	AbutShape *box = sample_shape(ABUT_SHAPE_BOX, 1.0, &rng), *cone = sample_shape(ABUT_SHAPE_CONE, 1.0, &rng);
	pair_place(&pair, cone, box, 2.0, &rng);
	pair_solve(&pair, 1e-4);
	cr_expect_eq(abut_collision_gradient_rows(pair.collision, 0, rows, &error), ABUT_ERROR_UNSUPPORTED);
	cr_expect(strstr(error.message, "cone"), "%s", error.message);
	cr_expect_eq(abut_collision_gradient_rows(pair.collision, 2, rows, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_collision_gradient_rows(pair.collision, 1, rows, NULL), ABUT_OK);
	pair_solve(&pair, 0.0);
	cr_expect_eq(abut_collision_gradient_rows(pair.collision, 1, rows, &error), ABUT_ERROR_UNSUPPORTED);
	cr_expect_eq(rows[0].scaling[3], 0.0);
	pair_free(&pair);
}

/* As kappa goes to 0, the derivative of the scaling tends to the exact one: n / h along a translation. */
Test(collide_gradient, tends_to_the_normal)
{
	int sums = 0, without = 0;
	for (unsigned seed = 0; seed < 256; seed++) {
		CollidePair pair;
		AbutCollisionGradient gradient;
		pair_sample(seed, 1.2, &pair);
		const AbutCollisionResult exact = pair_solve(&pair, 0.0), relaxed = pair_solve(&pair, 1e-10);
		const bool sum =
		    pair.shape[0]->kind == ABUT_SHAPE_MINKOWSKI_SUM || pair.shape[1]->kind == ABUT_SHAPE_MINKOWSKI_SUM;
		sums += sum;
		if (sum && abut_collision_gradient(pair.collision, &gradient, NULL) == ABUT_ERROR_UNSUPPORTED) {
			without++; /* rounding in the auxiliary variables ends the path */
			pair_free(&pair);
			continue;
		}
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
	cr_expect_leq(without, sums / 10, "%d of %d sums have no gradient", without, sums);
}
