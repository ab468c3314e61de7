/* Compares the derivatives of rows and outer radii by the sizes with differences of the constructors. */
#include "shapes/change/size.h"

#include <criterion/criterion.h>
#include <math.h>

#include "base/vec3.h"
#include "by_size.h"
#include "sample.h"

static AbutShape *make(AbutShapeKind kind, const double sizes[3], const double R[9], const double t[3])
{
	AbutShape *core = NULL;
	cr_assert_eq(abut_shape_create_box((const double[3]){0.5, 0.4, 0.3}, &core, NULL), ABUT_OK);
	AbutShape *const shape = shape_by_size(kind, sizes, core);
	abut_shape_destroy(core);
	cr_assert_eq(abut_shape_move(shape, R, t, NULL), ABUT_OK);
	return shape;
}

static void expect(const AbutShape *shape, int row, int size, const char *what, double value, double high, double low,
                   double step)
{
	const double difference = (high - low) / (2.0 * step);
	cr_assert_float_eq(value, difference, 1e-7, "%s, row %d, size %d: %s by it %.10g, differences %.10g",
	                   abut_shape_kind_name(shape->kind), row, size, what, value, difference);
}

static void check_size(AbutShapeKind kind, int size, const double sizes[3], const double R[9], const double t[3])
{
	const double step = 1e-5;
	AbutShape *shape = make(kind, sizes, R, t), *moved[2];
	for (int i = 0; i < 2; i++) {
		double changed[3];
		abut_copy3(sizes, changed);
		changed[size] += i == 0 ? step : -step;
		moved[i] = make(kind, changed, R, t);
	}
	for (int row = 0; row < shape->n_rows; row++) {
		const AbutShapeChange change = abut_shape_row_by_size(shape, row, size);
		for (int j = 0; j < 3; j++) {
			expect(shape, row, size, "A", change.A[j], moved[0]->A[3 * row + j], moved[1]->A[3 * row + j],
			       step);
		}
		expect(shape, row, size, "d", change.d, moved[0]->d[row], moved[1]->d[row], step);
		expect(shape, row, size, "h", change.h, moved[0]->h[row], moved[1]->h[row], step);
	}
	expect(shape, -1, size, "outer radius", abut_shape_outer_radius_by_size(shape, size), moved[0]->outer_radius,
	       moved[1]->outer_radius, step);
	abut_shape_destroy(shape);
	abut_shape_destroy(moved[0]);
	abut_shape_destroy(moved[1]);
}

Test(size_derivative, is_that_of_the_constructors)
{
	for (unsigned seed = 0; seed < 40 * ABUT_SHAPE_COUNT; seed++) {
		const AbutShapeKind kind = (AbutShapeKind)(seed % ABUT_SHAPE_COUNT);
		AbutRng rng = {seed};
		double sizes[3], q[4], R[9], t[3];
		abut_rng_rotation(&rng, q);
		abut_quat_to_mat3(q, R);
		for (int k = 0; k < 3; k++) {
			sizes[k] = abut_rng_uniform(&rng, 0.3, 2.0);
			t[k] = abut_rng_normal(&rng);
		}
		for (int size = 0; size < abut_shape_size_count(kind); size++) {
			check_size(kind, size, sizes, R, t);
		}
	}
}
