/* Tests sums, intersections and conic data. Compares supports with those of the parts, rows with random points, and
 * mass with closed forms. Compares the program that answers for all of them with shapes that have closed forms. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "abut/bundle.h"
#include "allocation_watch.h"
#include "base/vec3.h"
#include "effort.h"
#include "sample.h"
#include "shapes/composed/mass_rays.h"
#include "shapes/query/conic_query.h"

typedef AbutStatus Compose(int n, const AbutShape *const *parts, AbutShape **out, AbutError *error);

static AbutShape *compose(Compose *create, int n, AbutShape *const *parts)
{
	AbutShape *shape = NULL;
	AbutError error = {0};
	cr_assert_eq(create(n, (const AbutShape *const *)parts, &shape, &error), ABUT_OK, "%s", error.message);
	return shape;
}

/* Draws two parts, whose kinds depend on the seed, and moves them. */
static void sample_parts(unsigned seed, AbutRng *rng, AbutShape *parts[2])
{
	for (int i = 0; i < 2; i++) {
		const unsigned kind = 1 + (i == 0 ? seed : seed / 7) % (unsigned)ABUT_SHAPE_CONE;
		parts[i] = sample_shape((AbutShapeKind)kind, 1.0, rng);
		sample_move(parts[i], 0.2, rng);
	}
}

/* Returns whether a sum has a core, and therefore a mass in closed form. */
static bool has_core(const AbutShape *shape)
{
	return shape->kind != ABUT_SHAPE_ELLIPSOID && shape->kind != ABUT_SHAPE_CYLINDER &&
	       shape->kind != ABUT_SHAPE_CONE;
}

/* The support of a sum is the sum of the supports, by its pieces and by its rows. */
Test(composition, support_of_a_sum)
{
	int sums = 0;
	for (unsigned seed = 0; seed < 200 && sums < 60; seed++) {
		AbutRng rng = {seed};
		AbutShape *parts[2];
		sample_parts(seed, &rng, parts);
		if (has_core(parts[0]) && has_core(parts[1])) {
			sums++;
			AbutShape *sum = compose(abut_shape_create_minkowski_sum, 2, parts);
			double q[4], R[9], t[3];
			abut_rng_rotation(&rng, q);
			abut_quat_to_mat3(q, R);
			sample_direction(&rng, t);
			cr_assert_eq(abut_shape_move(sum, R, t, NULL), ABUT_OK);
			cr_assert_eq(abut_shape_scale(sum, 0.5, NULL), ABUT_OK);
			for (int k = 0; k < 10; k++) {
				double u[3], own[3], value = 0.0;
				sample_direction(&rng, u);
				abut_mat3_tvec(R, u, own);
				const double expected =
				    0.5 * (abut_shape_support(parts[0], own, NULL) +
				           abut_shape_support(parts[1], own, NULL) + abut_dot3(t, u));
				cr_expect_float_eq(abut_shape_support(sum, u, NULL), expected, 1e-12, "seed %u", seed);
				if (abut_conic_query_fits(sum)) {
					cr_assert(abut_conic_furthest(sum, u, &value, NULL, NULL, NULL), "seed %u",
					          seed);
					cr_expect_float_eq(value, expected, 1e-10, "seed %u: %g", seed,
					                   value - expected);
				}
			}
			abut_shape_destroy(sum);
		}
		abut_shape_destroy(parts[0]);
		abut_shape_destroy(parts[1]);
	}
	cr_expect_geq(sums, 40, "%d sums", sums);
}

/* Returns whether a plane separates p from the shape, by more than 2 % of its size. Tries many directions. */
static bool is_kept_off(const AbutShape *shape, const double p[3], AbutRng *rng)
{
	bool apart = false;
	for (int i = 0; i < 2000 && !apart; i++) {
		double u[3];
		sample_direction(rng, u);
		apart = abut_dot3(u, p) - abut_shape_support(shape, u, NULL) > -0.02 * shape->outer_radius;
	}
	return apart;
}

static bool is_out_of_one(AbutShape *const parts[2], const double p[3])
{
	return conic_margin(parts[0], 1.0, p) < 0.0 || conic_margin(parts[1], 1.0, p) < 0.0;
}

/* The rows of a sum contain p exactly if p - q is in one part for some q in the other. Those of an intersection contain
 * p exactly if both parts do. */
Test(composition, points_of_rows)
{
	int inside = 0, outside = 0;
	for (unsigned seed = 0; seed < TEST_EFFORT(24); seed++) {
		AbutRng rng = {seed};
		const bool sum = seed % 2 == 0;
		AbutShape *parts[2] = {sample_shape(seed % 3 ? ABUT_SHAPE_BOX : ABUT_SHAPE_SPHERE, 1.0, &rng),
		                       sample_shape(sum ? ABUT_SHAPE_CAPSULE : ABUT_SHAPE_ELLIPSOID, 1.0, &rng)};
		sample_move(parts[1], 0.1, &rng);
		AbutShape *shape =
		    compose(sum ? abut_shape_create_minkowski_sum : abut_shape_create_intersection, 2, parts);
		for (int k = 0; k < 200; k++) {
			double p[3], eps[ABUT_QUERY_EPS], s[64], least = INFINITY;
			for (int i = 0; i < 3; i++) {
				p[i] = shape->centre[i] + shape->outer_radius * abut_rng_uniform(&rng, -1.0, 1.0);
			}
			cr_assert_leq(shape->n_rows, 64);
			cr_assert(abut_conic_eps_at(shape, p, 1.0, eps), "seed %u", seed);
			for (int r = 0; r < shape->n_rows; r++) {
				s[r] = shape->h[r] + shape->d[r] - abut_dot3(&shape->A[3 * r], p);
				for (int e = 0; e < shape->n_eps; e++) {
					s[r] -= shape->B[r * shape->n_eps + e] * eps[e];
				}
				least = r < shape->n_orthant ? fmin(least, s[r]) : least;
			}
			for (int c = 0, r = shape->n_orthant; c < shape->n_soc; r += shape->soc_dim[c++]) {
				double tail = 0.0;
				for (int i = 1; i < shape->soc_dim[c]; i++) {
					tail = hypot(tail, s[r + i]);
				}
				least = fmin(least, s[r] - tail);
			}
			if (least > 1e-6) { /* of the sum: q = eps from the first part's centre; otherwise p */
				double of[2][3];
				for (int i = 0; i < 3; i++) {
					of[0][i] = sum ? parts[0]->centre[i] + eps[i] : p[i];
					of[1][i] = sum ? p[i] - of[0][i] : p[i];
				}
				inside++;
				for (int i = 0; i < 2; i++) {
					cr_expect_geq(conic_margin(parts[i], 1.0, of[i]), 0.0, "seed %u, part %d", seed,
					              i);
				}
			} else if (least < -1e-6) {
				outside++;
				cr_expect(sum ? is_kept_off(shape, p, &rng) : is_out_of_one(parts, p), "seed %u", seed);
			}
		}
		abut_shape_destroy(shape);
		abut_shape_destroy(parts[0]);
		abut_shape_destroy(parts[1]);
	}
	cr_expect(inside > TEST_EFFORT(500) && outside > TEST_EFFORT(500), "%d inside, %d outside", inside, outside);
}

/* --- mass --- */

static void expect_mass(const AbutMassProperties *a, const AbutMassProperties *b, double tolerance, const char *what)
{
	const double size = cbrt(b->volume);
	cr_expect_float_eq(a->volume, b->volume, tolerance * b->volume, "%s: %.12g m^3, %.12g", what, a->volume,
	                   b->volume);
	for (int i = 0; i < 3; i++) {
		cr_expect_float_eq(a->centre_of_mass[i], b->centre_of_mass[i], tolerance * size, "%s: c[%d] %g", what,
		                   i, a->centre_of_mass[i] - b->centre_of_mass[i]);
	}
	for (int i = 0; i < 9; i++) {
		cr_expect_float_eq(a->inertia[i], b->inertia[i], tolerance * size * size * b->volume,
		                   "%s: I[%d] %g, %g", what, i, a->inertia[i], b->inertia[i]);
	}
}

/* Every primitive has a mass in closed form. Integrates from a point inside that is not its centre; the error is within
 * the stated one. */
Test(composition, mass_by_rays_of_every_primitive)
{
	for (int kind = ABUT_SHAPE_BOX; kind <= (int)ABUT_SHAPE_CONE; kind++) {
		AbutRng rng = {3};
		AbutShape *shape = sample_shape((AbutShapeKind)kind, 1.0, &rng);
		if (shape->n_eps > 1) { /* edges and programs: minutes */
			abut_shape_destroy(shape);
			continue;
		}
		double from[3], error = 1.0;
		AbutMassProperties mass;
		for (int i = 0; i < 3; i++) {
			from[i] = shape->centre[i] + 0.1 * shape->inner_radius;
		}
		cr_assert_eq(abut_mass_by_rays(shape, from, 0.0, &(AbutComposing){0}, &mass, &error), ABUT_OK, "%s: %g",
		             abut_shape_kind_name(shape->kind), error);
		cr_expect_leq(error, 1e-6, "%s: %g stated", abut_shape_kind_name(shape->kind), error);
		expect_mass(&mass, &shape->mass, error, abut_shape_kind_name(shape->kind));
		abut_shape_destroy(shape);
	}
}

/* A ball cut by a plane has V = pi h^2 (3 R - h) / 3; its centre of mass is 3 (2 R - h)^2 / (4 (3 R - h)) from the
 * ball's. */
Test(composition, mass_of_a_cap)
{
	const double R = 0.7;
	for (int i = 1; i < 6; i++) {
		const double h = 0.3 * i * R, V = M_PI * h * h * (3.0 * R - h) / 3.0,
		             away = 3.0 * (2.0 * R - h) * (2.0 * R - h) / (4.0 * (3.0 * R - h));
		AbutShape *parts[2] = {NULL, NULL};
		cr_assert_eq(abut_shape_create_sphere(R, &parts[0], NULL), ABUT_OK);
		cr_assert_eq(
		    abut_shape_create_halfspace((const double[3]){1.0, 2.0, 2.0}, 3.0 * (h - R), &parts[1], NULL),
		    ABUT_OK);
		AbutShape *cap = compose(abut_shape_create_intersection, 2, parts);
		cr_expect_leq(cap->mass_error, 1e-6);
		cr_expect_float_eq(cap->mass.volume, V, cap->mass_error * V, "h %g: %.9g, %.9g", h, cap->mass.volume,
		                   V);
		for (int k = 0; k < 3; k++) {
			const double expected = -away * (k == 0 ? 1.0 : 2.0) / 3.0;
			cr_expect_float_eq(cap->mass.centre_of_mass[k], expected, cap->mass_error * R, "h %g: c[%d] %g",
			                   h, k, cap->mass.centre_of_mass[k] - expected);
			cr_expect_eq(cap->centre[k], cap->mass.centre_of_mass[k]);
		}
		abut_shape_destroy(cap);
		abut_shape_destroy(parts[0]);
		abut_shape_destroy(parts[1]);
	}
}

/* Closed forms of sums: two parallel boxes, a box and a ball, a capsule and a ball. The two halves of a ball together
 * have its mass. */
Test(composition, mass_of_sums)
{
	AbutShape *box[2], *ball, *capsule, *expected, *sum;
	cr_assert_eq(abut_shape_create_box((const double[3]){0.3, 0.4, 0.5}, &box[0], NULL), ABUT_OK);
	cr_assert_eq(abut_shape_create_box((const double[3]){0.2, 0.1, 0.3}, &box[1], NULL), ABUT_OK);
	cr_assert_eq(abut_shape_create_sphere(0.2, &ball, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_create_capsule(0.3, 0.8, &capsule, NULL), ABUT_OK);

	sum = compose(abut_shape_create_minkowski_sum, 2, box);
	cr_assert_eq(abut_shape_create_box((const double[3]){0.5, 0.5, 0.8}, &expected, NULL), ABUT_OK);
	expect_mass(&sum->mass, &expected->mass, 1e-12, "box + box");
	cr_expect_float_eq(sum->outer_radius, expected->outer_radius, 1e-12);
	cr_expect_float_eq(sum->inner_radius, expected->inner_radius, 1e-12);
	abut_shape_destroy(sum);
	abut_shape_destroy(expected);

	AbutShape *padded[3] = {box[0], ball, ball};
	sum = compose(abut_shape_create_minkowski_sum, 3, padded);
	cr_assert_eq(abut_shape_create_padded_polytope(box[0], 0.4, &expected, NULL), ABUT_OK);
	expect_mass(&sum->mass, &expected->mass, 1e-12, "box + ball + ball");
	cr_expect_float_eq(sum->outer_radius, expected->outer_radius, 1e-12);
	abut_shape_destroy(sum);
	abut_shape_destroy(expected);

	sum = compose(abut_shape_create_minkowski_sum, 2, (AbutShape *[]){ball, capsule});
	cr_assert_eq(abut_shape_create_capsule(0.5, 0.8, &expected, NULL), ABUT_OK);
	expect_mass(&sum->mass, &expected->mass, 1e-12, "capsule + ball");
	cr_expect_float_eq(sum->outer_radius, expected->outer_radius, 1e-12);
	abut_shape_destroy(sum);
	abut_shape_destroy(expected);
	abut_shape_destroy(box[0]);
	abut_shape_destroy(box[1]);
	abut_shape_destroy(ball);
	abut_shape_destroy(capsule);
}

/* --- trees --- */

/* A tree of depth 4 is copied, moved and scaled. Its parts stay in its own frame, and the copy outlives it. */
Test(composition, trees_are_copied_with_their_parts)
{
	AbutRng rng = {4};
	AbutShape *tree = sample_shape(ABUT_SHAPE_BOX, 0.3, &rng), *copy = NULL;
	for (int depth = 0; depth < 4; depth++) {
		AbutShape *parts[2] = {tree,
		                       sample_shape(depth % 2 ? ABUT_SHAPE_CAPSULE : ABUT_SHAPE_POLYTOPE, 0.3, &rng)};
		tree = compose(abut_shape_create_minkowski_sum, 2, parts);
		abut_shape_destroy(parts[0]);
		abut_shape_destroy(parts[1]);
		sample_move(tree, 0.5, &rng);
	}
	double u[3], before[3], after[3];
	sample_direction(&rng, u);
	const double value = abut_shape_support(tree, u, before);
	cr_assert_eq(abut_shape_clone(tree, &copy, NULL), ABUT_OK);
	abut_shape_destroy(tree);
	cr_expect_eq(abut_shape_support(copy, u, after), value);
	cr_expect_eq(copy->n_parts, 2);
	cr_expect_eq(copy->parts[0]->kind, ABUT_SHAPE_MINKOWSKI_SUM);
	cr_assert_eq(abut_shape_scale(copy, 2.0, NULL), ABUT_OK);
	cr_expect_float_eq(abut_shape_support(copy, u, NULL), 2.0 * value, 1e-12);
	double by_rows = 0.0;
	cr_assert(abut_conic_query_fits(copy) && abut_conic_furthest(copy, u, &by_rows, NULL, NULL, NULL));
	cr_expect_float_eq(by_rows, 2.0 * value, 1e-9);
	cr_expect_eq(abut_shape_scale(copy, 1e12, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_float_eq(abut_shape_support(copy, u, NULL), 2.0 * value, 1e-12);
	abut_shape_destroy(copy);
}

/* The intersection of polyhedra is a polytope. */
Test(composition, polyhedra_intersect_to_a_polytope)
{
	AbutShape *parts[2] = {NULL, NULL};
	cr_assert_eq(abut_shape_create_box((const double[3]){0.5, 0.5, 0.5}, &parts[0], NULL), ABUT_OK);
	cr_assert_eq(abut_shape_create_halfspace((const double[3]){1.0, 1.0, 1.0}, 0.0, &parts[1], NULL), ABUT_OK);
	AbutShape *half = compose(abut_shape_create_intersection, 2, parts);
	cr_expect_eq(half->kind, ABUT_SHAPE_POLYTOPE);
	cr_expect_float_eq(half->mass.volume, 0.5, 1e-14);
	abut_shape_destroy(half);
	abut_shape_destroy(parts[0]);
	abut_shape_destroy(parts[1]);
}

/* --- conic data --- */

/* Rows of primitives, with each cone in its own unit and about a distant centre, give these primitives. */
Test(composition, conic_data_of_primitives)
{
	static const AbutShapeKind kinds[] = {ABUT_SHAPE_BOX, ABUT_SHAPE_SPHERE, ABUT_SHAPE_ELLIPSOID,
	                                      ABUT_SHAPE_CYLINDER, ABUT_SHAPE_CONE};
	for (unsigned seed = 0; seed < 10; seed++) {
		AbutRng rng = {seed};
		AbutShape *given = sample_shape(kinds[seed % 5], 1.0, &rng), *shape = NULL;
		double A[3 * 16], d[16], h[16];
		AbutError error = {0};
		sample_move(given, 3.0, &rng);
		cr_assert_leq(given->n_rows, 16);
		for (int i = 0, cone = -1, left = 0; i < given->n_rows; i++, left--) {
			static double unit;
			if (i < given->n_orthant || left <= 0) {
				unit = pow(10.0, abut_rng_uniform(&rng, -4.0, 4.0));
				cone += i >= given->n_orthant;
				left = i < given->n_orthant ? 0 : given->soc_dim[cone];
			}
			for (int k = 0; k < 3; k++) {
				A[3 * i + k] = unit * given->A[3 * i + k];
			}
			d[i] = unit * given->d[i];
			h[i] = unit * given->h[i];
		}
		const AbutConicData data = {.n_rows = given->n_rows,
		                            .n_orthant = given->n_orthant,
		                            .n_soc = given->n_soc,
		                            .soc_dim = given->soc_dim,
		                            .A = A,
		                            .d = d,
		                            .h = h};
		cr_assert_eq(abut_shape_create_conic(&data, &shape, &error), ABUT_OK, "seed %u: %s", seed,
		             error.message);
		expect_mass(&shape->mass, &given->mass, 1e-6, abut_shape_kind_name(given->kind));
		cr_expect_float_eq(shape->outer_radius, given->outer_radius, 1e-6 * given->outer_radius, "seed %u: %g",
		                   seed, shape->outer_radius - given->outer_radius);
		for (int i = 0; i < 20; i++) {
			double u[3];
			sample_direction(&rng, u);
			cr_expect_float_eq(abut_shape_support(shape, u, NULL), abut_shape_support(given, u, NULL), 1e-9,
			                   "seed %u", seed);
		}
		abut_shape_destroy(given);
		abut_shape_destroy(shape);
	}
}

/* Each allocation refused in turn: the sum is refused, or has the same mass to the bit. Without its core, which needs
 * memory, a sum would have the mass that rays find. */
Test(composition, a_refused_allocation_never_changes_the_mass)
{
	AbutRng rng = {3};
	AbutShape *parts[2] = {sample_shape(ABUT_SHAPE_BOX, 1.0, &rng), sample_shape(ABUT_SHAPE_BOX, 0.7, &rng)};
	sample_move(parts[1], 0.1, &rng);
	AbutShape *whole = NULL;
	watch_begin(0);
	cr_assert_eq(abut_shape_create_minkowski_sum(2, (const AbutShape *const *)parts, &whole, NULL), ABUT_OK);
	watch_end();
	const long calls = watch.calls;
	long refused = 0;
	cr_assert_gt(calls, 10);
	for (long n = 1; n <= calls; n++) {
		AbutShape *shape = NULL;
		watch_begin(n);
		const AbutStatus status =
		    abut_shape_create_minkowski_sum(2, (const AbutShape *const *)parts, &shape, NULL);
		watch_end();
		cr_assert(status == ABUT_OK || status == ABUT_ERROR_MEMORY, "allocation %ld of %ld: %d", n, calls,
		          status);
		refused += status != ABUT_OK;
		if (status == ABUT_OK) {
			cr_expect_eq(memcmp(&shape->mass, &whole->mass, sizeof whole->mass), 0, "allocation %ld of %ld",
			             n, calls);
			abut_shape_destroy(shape);
		}
	}
	cr_expect_gt(refused, 0);
	abut_shape_destroy(whole);
	abut_shape_destroy(parts[0]);
	abut_shape_destroy(parts[1]);
}
