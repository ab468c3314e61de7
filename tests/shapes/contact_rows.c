/* Tests the duals of a touched shape by their definition: they are feasible, complementary to the slack at the point,
 * and have the required sum. By weak duality they then prove that the point is the furthest one. */
#include "shapes/support/contact_rows.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "sample.h"

/* Least of the entries of the orthant and of head - |tail| of the cones, of v (n_rows). */
static double cone_margin(const AbutShape *shape, const double *v)
{
	double least = INFINITY;
	for (int i = 0; i < shape->n_orthant; i++) {
		least = fmin(least, v[i]);
	}
	int first = shape->n_orthant;
	for (int c = 0; c < shape->n_soc; first += shape->soc_dim[c++]) {
		double square = 0.0;
		for (int i = 1; i < shape->soc_dim[c]; i++) {
			square += v[first + i] * v[first + i];
		}
		least = fmin(least, v[first] - sqrt(square));
	}
	return least;
}

static void check(const AbutShape *shape, const double u[3], double alpha, unsigned seed)
{
	double x[3], p[3], lambda[64] = {0.0}, eps[8] = {0.0}, s[64], sum[3] = {0.0}, of_eps[8] = {0.0};
	double products = 0.0, d_lambda = 0.0;
	const double size = shape->outer_radius, value = abut_shape_support(shape, u, x);
	cr_assert_leq(shape->n_rows, 64);
	for (int i = 0; i < 3; i++) {
		p[i] = shape->centre[i] + alpha * (x[i] - shape->centre[i]);
	}
	cr_assert(abut_shape_contact_rows(shape, p, alpha, u, lambda, eps), "%s, seed %u",
	          abut_shape_kind_name(shape->kind), seed);
	for (int r = 0; r < shape->n_rows; r++) {
		s[r] = shape->h[r] + alpha * shape->d[r] - abut_dot3(&shape->A[3 * r], p);
		for (int j = 0; j < shape->n_eps; j++) {
			s[r] -= shape->B[r * shape->n_eps + j] * eps[j];
			of_eps[j] += shape->B[r * shape->n_eps + j] * lambda[r];
		}
		for (int j = 0; j < 3; j++) {
			sum[j] += shape->A[3 * r + j] * lambda[r];
		}
		products += s[r] * lambda[r];
		d_lambda += shape->d[r] * lambda[r];
	}
	const char *name = abut_shape_kind_name(shape->kind);
	const double scale = size + abut_norm3(x);
	/* duals and points of programs are had to 1e-10 */
	const double rounding = shape->kind < ABUT_SHAPE_MINKOWSKI_SUM ? 1e-12 : 1e-10;
	cr_assert_geq(cone_margin(shape, lambda), -1e-14, "%s, seed %u", name, seed);
	cr_assert_geq(cone_margin(shape, s), -rounding * scale, "%s, seed %u", name, seed);
	cr_assert_float_eq(products, 0.0, rounding * scale, "%s, seed %u: %g", name, seed, products);
	cr_assert_float_eq(d_lambda, value - abut_dot3(u, shape->centre), rounding * scale, "%s, seed %u", name, seed);
	for (int j = 0; j < 3; j++) {
		cr_assert_float_eq(sum[j], u[j], 1e-9, "%s, seed %u: %g of %g", name, seed, sum[j], u[j]);
		cr_assert_float_eq(of_eps[j], 0.0, rounding, "%s, seed %u", name, seed);
	}
}

Test(contact_rows, bear_the_normal_of_every_kind)
{
	for (unsigned seed = 0; seed < 400; seed++) {
		AbutRng rng = {seed};
		const double size = pow(10.0, abut_rng_uniform(&rng, -3.0, 3.0));
		AbutShape *shape = sample_shape((AbutShapeKind)(1 + seed % (ABUT_SHAPE_SMOOTH - 1)), size, &rng);
		if (seed % 3) {
			sample_move(shape, 3.0 * size, &rng);
		}
		for (int i = 0; i < 50; i++) {
			double u[3];
			sample_direction(&rng, u);
			check(shape, u, abut_rng_uniform(&rng, 0.3, 2.0), seed);
		}
		/* along the axes, where faces, ends and edges are flat */
		for (int i = 0; i < 6; i++) {
			double u[3];
			for (int j = 0; j < 3; j++) {
				u[j] = (i < 3 ? 1.0 : -1.0) * shape->rotation[3 * j + i % 3];
			}
			check(shape, u, 1.0, seed);
		}
		/* and along the faces' own normals */
		for (int r = 0; r < shape->n_orthant && shape->n_soc == 0; r++) {
			check(shape, &shape->A[3 * r], 1.0, seed);
		}
		abut_shape_destroy(shape);
	}
}
