/* Compares shapes whose sizes are changed with shapes created with these sizes. */
#include "shapes/change/size.h"

#include <criterion/criterion.h>
#include <math.h>

#include "base/vec3.h"
#include "by_size.h"
#include "sample.h"
#include "sample_composite.h"

static void expect_same(const AbutShape *a, const AbutShape *b, const char *what)
{
	cr_assert_eq(a->n_rows, b->n_rows);
	for (int i = 0; i < a->n_rows; i++) {
		for (int j = 0; j < 3; j++) {
			cr_expect_float_eq(a->A[3 * i + j], b->A[3 * i + j], 1e-14, "%s: A of row %d", what, i);
		}
		cr_expect_float_eq(a->d[i], b->d[i], 1e-14, "%s: d of row %d", what, i);
		cr_expect_float_eq(a->h[i], b->h[i], 1e-14, "%s: h of row %d", what, i);
	}
	for (int i = 0; i < 3; i++) {
		cr_expect_float_eq(a->size[i], b->size[i], 1e-14, "%s: size %d", what, i);
	}
	cr_expect_float_eq(a->outer_radius, b->outer_radius, 1e-14, "%s: outer radius", what);
	cr_expect_float_eq(a->inner_radius, b->inner_radius, 1e-14, "%s: inner radius", what);
	for (int i = 0; i < 50 && a->kind != ABUT_SHAPE_HALFSPACE; i++) {
		AbutRng rng = {(unsigned)i};
		const double u[3] = {abut_rng_normal(&rng), abut_rng_normal(&rng), abut_rng_normal(&rng)};
		cr_expect_float_eq(abut_shape_support(a, u, NULL), abut_shape_support(b, u, NULL), 1e-13, "%s", what);
	}
}

Test(resize, is_what_the_constructors_make)
{
	for (unsigned seed = 0; seed < 20 * ABUT_SHAPE_COUNT; seed++) {
		const AbutShapeKind kind = (AbutShapeKind)(seed % ABUT_SHAPE_COUNT);
		AbutRng rng = {seed};
		double sizes[3], other[3], q[4], R[9], t[3];
		AbutShape *core = NULL, *made = NULL;
		if (abut_shape_size_count(kind) == 0) {
			continue;
		}
		abut_rng_rotation(&rng, q);
		abut_quat_to_mat3(q, R);
		for (int k = 0; k < 3; k++) {
			sizes[k] = abut_rng_uniform(&rng, 0.3, 2.0);
			other[k] = k < abut_shape_size_count(kind) ? abut_rng_uniform(&rng, 0.3, 2.0) : 0.0;
			t[k] = abut_rng_normal(&rng);
		}
		cr_assert_eq(abut_shape_create_box((const double[3]){0.5, 0.4, 0.3}, &core, NULL), ABUT_OK);
		AbutShape *shape = shape_by_size(kind, sizes, core), *fresh = shape_by_size(kind, other, core);
		cr_assert_eq(abut_shape_move(shape, R, t, NULL), ABUT_OK);
		cr_assert_eq(abut_shape_move(fresh, R, t, NULL), ABUT_OK);
		cr_assert_eq(abut_shape_resize(shape, other, &made, NULL), ABUT_OK);
		expect_same(made, fresh, abut_shape_kind_name(kind));
		abut_shape_destroy(made);
		abut_shape_destroy(fresh);
		abut_shape_destroy(shape);
		abut_shape_destroy(core);
	}
}

Test(resize, refuses_what_the_constructors_refuse)
{
	AbutShape *shape = NULL, *made = NULL;
	AbutError error = {.status = ABUT_OK};
	cr_assert_eq(abut_shape_create_sphere(1.0, &shape, NULL), ABUT_OK);
	cr_expect_eq(abut_shape_resize(shape, (const double[3]){-1.0, 0.0, 0.0}, &made, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(made, NULL);
	abut_shape_destroy(shape);
	shape = sample_composite(ABUT_SHAPE_CONIC, 1.0, false);
	cr_expect_eq(abut_shape_resize(shape, (const double[3]){1.0, 0.0, 0.0}, &made, &error), ABUT_ERROR_UNSUPPORTED);
	abut_shape_destroy(shape);
}
