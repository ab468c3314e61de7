/* Tests changes of frame, unit and scaling centre, and copies. */

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "sample.h"
#include "shapes/core/transform.h"

static int all_kinds[] = {ABUT_SHAPE_HALFSPACE, ABUT_SHAPE_BOX,       ABUT_SHAPE_POLYTOPE, ABUT_SHAPE_PADDED_POLYTOPE,
                          ABUT_SHAPE_SPHERE,    ABUT_SHAPE_ELLIPSOID, ABUT_SHAPE_CAPSULE,  ABUT_SHAPE_CYLINDER,
                          ABUT_SHAPE_CONE,      ABUT_SHAPE_SMOOTH};

#define EVERY_KIND(suite, name)                                                                                        \
	ParameterizedTestParameters(suite, name)                                                                       \
	{                                                                                                              \
		return cr_make_param_array(int, all_kinds, sizeof all_kinds / sizeof *all_kinds);                      \
	}                                                                                                              \
	ParameterizedTest(int *kind, suite, name)

/* Largest difference of what two shapes of one kind hold, relative to `length`. */
static double difference(const AbutShape *a, const AbutShape *b, double length)
{
	double largest = fabs(a->outer_radius - b->outer_radius) + fabs(a->inner_radius - b->inner_radius);
	for (int i = 0; i < a->n_rows; i++) {
		largest = fmax(largest, fabs(a->d[i] - b->d[i]) + fabs(a->h[i] - b->h[i]));
	}
	for (int i = 0; i < 3 * a->n_rows; i++) {
		largest = fmax(largest, length * fabs(a->A[i] - b->A[i]));
	}
	for (int i = 0; i < a->n_eps * a->n_rows; i++) {
		largest = fmax(largest, length * fabs(a->B[i] - b->B[i]));
	}
	for (int i = 0; i < 3 * a->n_vertices; i++) {
		largest = fmax(largest, fabs(a->vertices[i] - b->vertices[i]));
	}
	const double volume = length * length * length;
	for (int i = 0; i < 3; i++) {
		largest = fmax(largest, fabs(a->centre[i] - b->centre[i]));
		largest = fmax(largest, fabs(a->position[i] - b->position[i]));
		largest = fmax(largest, fabs(a->size[i] - b->size[i]));
		largest = fmax(largest, fabs(a->mass.centre_of_mass[i] - b->mass.centre_of_mass[i]));
	}
	largest = fmax(largest, fabs(a->mass.volume - b->mass.volume) / (length * length));
	for (int i = 0; i < 9; i++) {
		largest = fmax(largest, length * fabs(a->rotation[i] - b->rotation[i]));
		largest = fmax(largest, fabs(a->mass.inertia[i] - b->mass.inertia[i]) / (volume * length));
	}
	return largest / length;
}

EVERY_KIND(conic, is_one_consistent_block)
{
	AbutRng rng = {1};
	AbutShape *shape = sample_shape((AbutShapeKind)*kind, 1.0, &rng);
	int rows = shape->n_orthant;
	for (int i = 0; i < shape->n_soc; i++) {
		cr_assert_geq(shape->soc_dim[i], 2);
		rows += shape->soc_dim[i];
	}
	cr_assert_eq(rows, shape->n_rows);
	cr_assert_eq((int)shape->kind, *kind);
	cr_assert_eq(shape->n_vertices > 0, *kind == ABUT_SHAPE_POLYTOPE || *kind == ABUT_SHAPE_PADDED_POLYTOPE);
	abut_shape_destroy(shape);
}

EVERY_KIND(conic, clone_is_equal_and_its_own)
{
	AbutRng rng = {2};
	AbutShape *shape = sample_shape((AbutShapeKind)*kind, 1.0, &rng), *clone = NULL, *again = NULL;
	sample_move(shape, 1.0, &rng);
	cr_assert_eq(abut_shape_clone(shape, &clone, NULL), ABUT_OK);
	cr_assert_eq(difference(shape, clone, 1.0), 0.0);
	cr_assert_eq(clone->n_rows, shape->n_rows);
	cr_assert_eq(clone->n_orthant, shape->n_orthant);
	cr_assert_eq(memcmp(clone->soc_dim, shape->soc_dim, (size_t)shape->n_soc * sizeof(int)), 0);
	cr_assert_neq(clone->A, shape->A);
	/* The original may change or be destroyed. */
	cr_assert_eq(abut_shape_clone(shape, &again, NULL), ABUT_OK);
	sample_move(shape, 1.0, &rng);
	abut_shape_destroy(shape);
	cr_assert_eq(difference(again, clone, 1.0), 0.0);
	abut_shape_destroy(clone);
	abut_shape_destroy(again);
}

EVERY_KIND(conic, moves_compose)
{
	for (unsigned seed = 0; seed < 20; seed++) {
		AbutRng rng = {seed};
		AbutShape *twice = sample_shape((AbutShapeKind)*kind, 1.0, &rng), *once = NULL;
		cr_assert_eq(abut_shape_clone(twice, &once, NULL), ABUT_OK);
		double q[2][4], R[2][9], t[2][3], R10[9], t10[3];
		for (int i = 0; i < 2; i++) {
			abut_rng_rotation(&rng, q[i]);
			abut_quat_to_mat3(q[i], R[i]);
			for (int k = 0; k < 3; k++) {
				t[i][k] = abut_rng_normal(&rng);
			}
			cr_assert_eq(abut_shape_move(twice, R[i], t[i], NULL), ABUT_OK);
		}
		abut_mat3_mul(R[1], R[0], R10);
		abut_mat3_vec(R[1], t[0], t10);
		for (int k = 0; k < 3; k++) {
			t10[k] += t[1][k];
		}
		cr_assert_eq(abut_shape_move(once, R10, t10, NULL), ABUT_OK);
		cr_assert_lt(difference(once, twice, 1.0), 1e-12, "%s, seed %u: %g", abut_shape_kind_name(once->kind),
		             seed, difference(once, twice, 1.0));
		abut_shape_destroy(once);
		abut_shape_destroy(twice);
	}
}

/* p is in the shape exactly if R p + t is in the moved one: the margins agree, at any scaling. */
EVERY_KIND(conic, move_keeps_membership)
{
	for (unsigned seed = 0; seed < 20; seed++) {
		AbutRng rng = {seed};
		AbutShape *shape = sample_shape((AbutShapeKind)*kind, 1.0, &rng), *moved = NULL;
		cr_assert_eq(abut_shape_clone(shape, &moved, NULL), ABUT_OK);
		double q[4], R[9], t[3], p[3], moved_p[3];
		abut_rng_rotation(&rng, q);
		abut_quat_to_mat3(q, R);
		for (int k = 0; k < 3; k++) {
			t[k] = abut_rng_normal(&rng);
			p[k] = shape->centre[k] + abut_rng_normal(&rng);
		}
		cr_assert_eq(abut_shape_move(moved, R, t, NULL), ABUT_OK);
		abut_mat3_vec(R, p, moved_p);
		for (int k = 0; k < 3; k++) {
			moved_p[k] += t[k];
		}
		const double alpha = abut_rng_uniform(&rng, 0.3, 2.0);
		cr_assert_float_eq(conic_margin(shape, alpha, p), conic_margin(moved, alpha, moved_p), 1e-10,
		                   "%s, seed %u", abut_shape_kind_name(shape->kind), seed);
		abut_shape_destroy(shape);
		abut_shape_destroy(moved);
	}
}

EVERY_KIND(conic, many_moves_leave_the_rows_sharp)
{
	AbutRng rng = {4};
	AbutShape *shape = sample_shape((AbutShapeKind)*kind, 1.0, &rng), *start = NULL;
	cr_assert_eq(abut_shape_clone(shape, &start, NULL), ABUT_OK);
	/* The rotations have nearly the largest error allowed. */
	const double off = 4e-10, still[3] = {0.0};
	double q[4], R[9], gram[9];
	for (int i = 0; i < 2000; i++) {
		abut_rng_rotation(&rng, q);
		abut_quat_to_mat3(q, R);
		for (int k = 0; k < 9; k++) {
			R[k] *= 1.0 + off;
		}
		cr_assert_eq(abut_shape_move(shape, R, still, NULL), ABUT_OK);
	}
	abut_mat3_transposed_mul(shape->rotation, shape->rotation, gram);
	for (int i = 0; i < 9; i++) {
		cr_assert_float_eq(gram[i], i % 4 == 0 ? 1.0 : 0.0, 1e-12);
	}
	for (int i = 0; i < shape->n_rows; i++) {
		cr_assert_float_eq(abut_norm3(&shape->A[3 * i]), abut_norm3(&start->A[3 * i]), 1e-12);
	}
	abut_shape_destroy(shape);
	abut_shape_destroy(start);
}

/* A change of unit scales margins and lengths; mass with the third power, inertia with the fifth. */
EVERY_KIND(conic, scale_is_a_change_of_unit)
{
	for (unsigned seed = 0; seed < 20; seed++) {
		AbutRng rng = {seed};
		AbutShape *shape = sample_shape((AbutShapeKind)*kind, 1.0, &rng), *scaled = NULL;
		sample_move(shape, 1.0, &rng);
		cr_assert_eq(abut_shape_clone(shape, &scaled, NULL), ABUT_OK);
		const double factor = pow(10.0, abut_rng_uniform(&rng, -3.0, 3.0));
		cr_assert_eq(abut_shape_scale(scaled, factor, NULL), ABUT_OK);
		const char *name = abut_shape_kind_name(shape->kind);
		for (int i = 0; i < 20; i++) {
			double p[3], scaled_p[3], u[3], x[3], scaled_x[3];
			for (int k = 0; k < 3; k++) {
				p[k] = shape->centre[k] + abut_rng_normal(&rng);
				scaled_p[k] = factor * p[k];
			}
			const double alpha = abut_rng_uniform(&rng, 0.3, 2.0);
			cr_assert_float_eq(conic_margin(scaled, alpha, scaled_p) / factor,
			                   conic_margin(shape, alpha, p), 1e-9, "%s, seed %u", name, seed);
			sample_direction(&rng, u);
			const double value = abut_shape_support(shape, u, x);
			const double reached = abut_shape_support(scaled, u, scaled_x) / factor;
			cr_assert(value == reached || fabs(value - reached) < 1e-12, "%s, seed %u", name, seed);
			cr_assert_lt(fabs(scaled_x[0] / factor - x[0]), 1e-12, "%s, seed %u", name, seed);
		}
		cr_assert_float_eq(scaled->mass.volume / pow(factor, 3.0), shape->mass.volume, 1e-9);
		cr_assert_float_eq(scaled->mass.inertia[0] / pow(factor, 5.0), shape->mass.inertia[0], 1e-8);
		cr_assert_float_eq(scaled->mass.centre_of_mass[1] / factor, shape->mass.centre_of_mass[1], 1e-12);
		cr_assert_float_eq(scaled->outer_radius / factor, shape->outer_radius, 1e-12);
		cr_assert_float_eq(scaled->inner_radius / factor, shape->inner_radius, 1e-12);
		abut_shape_destroy(shape);
		abut_shape_destroy(scaled);
	}
}

/* After moving the centre inside, the set at alpha = 1 is the same, and other sets scale about the new centre. */
EVERY_KIND(conic, recentre_keeps_the_set)
{
	for (unsigned seed = 0; seed < 20; seed++) {
		AbutRng rng = {seed};
		AbutShape *shape = sample_shape((AbutShapeKind)*kind, 1.0, &rng), *moved = NULL;
		sample_move(shape, 1.0, &rng);
		cr_assert_eq(abut_shape_clone(shape, &moved, NULL), ABUT_OK);
		double c[3], u[3];
		sample_direction(&rng, u);
		for (int k = 0; k < 3; k++) {
			/* Below the face of a halfspace, within the inner ball of the others. */
			c[k] = shape->centre[k] +
			       (*kind == ABUT_SHAPE_HALFSPACE ? -0.5 * shape->A[k] : 0.8 * shape->inner_radius * u[k]);
		}
		cr_assert_eq(abut_shape_recentre(moved, c, NULL), ABUT_OK);
		const char *name = abut_shape_kind_name(shape->kind);
		for (int i = 0; i < 50; i++) {
			double p[3], scaled[3];
			const double alpha = abut_rng_uniform(&rng, 0.3, 2.0);
			for (int k = 0; k < 3; k++) {
				p[k] = shape->centre[k] + abut_rng_normal(&rng);
				scaled[k] = c[k] + alpha * (p[k] - c[k]);
			}
			const double before = conic_margin(shape, 1.0, p);
			const double after = conic_margin(moved, 1.0, p);
			cr_assert(fabs(before - after) < 1e-10, "%s, seed %u: %g, %g", name, seed, before, after);
			cr_assert_float_eq(conic_margin(moved, alpha, scaled), alpha * before, 1e-9, "%s, seed %u",
			                   name, seed);
		}
		if (*kind != ABUT_SHAPE_HALFSPACE) {
			for (int i = 0; i < 500; i++) {
				sample_direction(&rng, u);
				const double reach = abut_shape_support(moved, u, NULL) - abut_dot3(u, moved->centre);
				cr_assert_leq(reach, moved->outer_radius * (1.0 + 1e-14));
				cr_assert_geq(reach, moved->inner_radius * (1.0 - 1e-14));
			}
		}
		abut_shape_destroy(shape);
		abut_shape_destroy(moved);
	}
}

Test(conic, names_of_kinds)
{
	cr_assert_str_eq(abut_shape_kind_name(ABUT_SHAPE_HALFSPACE), "halfspace");
	cr_assert_str_eq(abut_shape_kind_name(ABUT_SHAPE_CONE), "cone");
	cr_assert_str_eq(abut_shape_kind_name(ABUT_SHAPE_COUNT), "unknown");
	cr_assert_str_eq(abut_shape_kind_name((AbutShapeKind)-1), "unknown");
}

Test(conic, destroy_takes_null)
{
	abut_shape_destroy(NULL);
}
