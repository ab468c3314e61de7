/* Compares the rows of every kind with docs/formulation.md 1, one by one: s at random p, eps and alpha. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/vec3.h"
#include "sample.h"

static double s[64];

static void evaluate(const AbutShape *shape, double alpha, const double p[3], const double *eps)
{
	cr_assert_leq(shape->n_rows, 64);
	for (int i = 0; i < shape->n_rows; i++) {
		s[i] = shape->h[i] + alpha * shape->d[i] - abut_dot3(&shape->A[3 * i], p);
		for (int k = 0; k < shape->n_eps; k++) {
			s[i] -= shape->B[i * shape->n_eps + k] * eps[k];
		}
	}
}

static void expect(const AbutShape *shape, int n_orthant, int soc_dim, int n_eps, const double *wanted)
{
	const char *name = abut_shape_kind_name(shape->kind);
	cr_assert_eq(shape->n_orthant, n_orthant, "%s", name);
	cr_assert_eq(shape->n_soc, soc_dim > 0 ? 1 : 0, "%s", name);
	cr_assert_eq(shape->n_eps, n_eps, "%s", name);
	cr_assert(soc_dim == 0 || shape->soc_dim[0] == soc_dim, "%s", name);
	for (int i = 0; i < n_orthant + soc_dim; i++) {
		cr_assert_float_eq(s[i], wanted[i], 1e-13, "%s, row %d: %g, not %g", name, i, s[i], wanted[i]);
	}
}

Test(rows, follow_the_table)
{
	for (unsigned seed = 0; seed < 20; seed++) {
		AbutRng rng = {seed};
		double p[3], e[3], r[3];
		for (int k = 0; k < 3; k++) {
			p[k] = abut_rng_normal(&rng);
			e[k] = abut_rng_normal(&rng);
			r[k] = abut_rng_uniform(&rng, 0.3, 2.0);
		}
		const double a = abut_rng_uniform(&rng, 0.3, 2.0), R = r[0], L = r[1], H = r[1];
		AbutShape *shape = NULL, *core = NULL;

		cr_assert_eq(abut_shape_create_halfspace((const double[]){0.0, 6.0, 8.0}, 5.0, &shape, NULL), ABUT_OK);
		evaluate(shape, a, p, NULL);
		expect(shape, 1, 0, 0, (const double[]){0.5 - 0.6 * p[1] - 0.8 * p[2]});
		abut_shape_destroy(shape);

		cr_assert_eq(abut_shape_create_box(r, &core, NULL), ABUT_OK);
		evaluate(core, a, p, NULL);
		expect(core, 6, 0, 0,
		       (const double[]){a * r[0] - p[0], a * r[1] - p[1], a * r[2] - p[2], a * r[0] + p[0],
		                        a * r[1] + p[1], a * r[2] + p[2]});

		cr_assert_eq(abut_shape_create_padded_polytope(core, 0.7, &shape, NULL), ABUT_OK);
		evaluate(shape, a, p, e);
		expect(shape, 6, 4, 3,
		       (const double[]){a * r[0] - p[0] + e[0], a * r[1] - p[1] + e[1], a * r[2] - p[2] + e[2],
		                        a * r[0] + p[0] - e[0], a * r[1] + p[1] - e[1], a * r[2] + p[2] - e[2], a * 0.7,
		                        e[0], e[1], e[2]});
		abut_shape_destroy(shape);
		abut_shape_destroy(core);

		cr_assert_eq(abut_shape_create_sphere(R, &shape, NULL), ABUT_OK);
		evaluate(shape, a, p, NULL);
		expect(shape, 0, 4, 0, (const double[]){a * R, p[0], p[1], p[2]});
		abut_shape_destroy(shape);

		cr_assert_eq(abut_shape_create_ellipsoid(r, &shape, NULL), ABUT_OK);
		evaluate(shape, a, p, NULL);
		const double m = (r[0] + r[1] + r[2]) / 3.0;
		expect(shape, 0, 4, 0, (const double[]){a * m, m * p[0] / r[0], m * p[1] / r[1], m * p[2] / r[2]});
		abut_shape_destroy(shape);

		cr_assert_eq(abut_shape_create_capsule(R, L, &shape, NULL), ABUT_OK);
		evaluate(shape, a, p, e);
		expect(shape, 2, 4, 1,
		       (const double[]){a * L / 2.0 - e[0], a * L / 2.0 + e[0], a * R, p[0], p[1], p[2] - e[0]});
		abut_shape_destroy(shape);

		cr_assert_eq(abut_shape_create_cylinder(R, L, &shape, NULL), ABUT_OK);
		evaluate(shape, a, p, NULL);
		expect(shape, 2, 3, 0, (const double[]){a * L / 2.0 - p[2], a * L / 2.0 + p[2], a * R, p[0], p[1]});
		abut_shape_destroy(shape);

		cr_assert_eq(abut_shape_create_cone(H, R, &shape, NULL), ABUT_OK);
		evaluate(shape, a, p, NULL);
		expect(shape, 1, 3, 0,
		       (const double[]){a * H / 4.0 + p[2], R / H * (a * 3.0 * H / 4.0 - p[2]), p[0], p[1]});
		abut_shape_destroy(shape);
	}
}

/* A polytope away from the origin: alpha (b - A c) + A c - A p, with c its centre of mass. */
Test(rows, polytope_is_recentred)
{
	AbutRng rng = {1};
	AbutShape *shape = sample_polytope(10, 1.0, 5.0, &rng);
	for (int i = 0; i < shape->n_rows; i++) {
		double b = -HUGE_VAL;
		for (int k = 0; k < shape->n_vertices; k++) {
			b = fmax(b, abut_dot3(&shape->A[3 * i], &shape->vertices[3 * k]));
		}
		const double at_centre = abut_dot3(&shape->A[3 * i], shape->mass.centre_of_mass);
		cr_assert_float_eq(shape->h[i], at_centre, 1e-13);
		cr_assert_float_eq(shape->d[i], b - at_centre, 1e-13);
		cr_assert_gt(shape->d[i], 0.0);
	}
	abut_shape_destroy(shape);
}
