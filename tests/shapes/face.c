/* Tests shapes with changed rows: the sets that they describe, and derivatives of rows by their entries. */
#include "shapes/change/face.h"

#include <criterion/criterion.h>
#include <math.h>

#include "abut/shape_check.h"
#include "base/vec3.h"
#include "sample.h"
#include "sample_composite.h"

enum { MOST_ROWS = 64 };

static AbutShape *make(unsigned seed)
{
	AbutRng rng = {seed};
	AbutShape *shape = NULL, *core = NULL;
	double points[30];
	for (int i = 0; i < 30; i++) {
		points[i] = abut_rng_uniform(&rng, -1.0, 1.0);
	}
	switch (seed % 5) {
	case 0:
		cr_assert_eq(abut_shape_create_halfspace(points, 0.3, &shape, NULL), ABUT_OK);
		break;
	case 1:
		cr_assert_eq(abut_shape_create_box((const double[3]){0.5, 0.4, 0.7}, &shape, NULL), ABUT_OK);
		break;
	case 2:
		cr_assert_eq(abut_shape_create_polytope_from_vertices(10, points, &shape, NULL), ABUT_OK);
		break;
	case 3:
		cr_assert_eq(abut_shape_create_polytope_from_vertices(10, points, &core, NULL), ABUT_OK);
		cr_assert_eq(abut_shape_create_padded_polytope(core, 0.2, &shape, NULL), ABUT_OK);
		abut_shape_destroy(core);
		break;
	default:
		shape = sample_composite(ABUT_SHAPE_CONIC, 1.0, seed % 2);
		break;
	}
	sample_move(shape, 1.0, &rng);
	return shape;
}

/* Returns the shape with entry k of a row changed. */
static AbutShape *refaced(const AbutShape *shape, int row, int k, double step)
{
	double A[3 * MOST_ROWS] = {0.0}, b[MOST_ROWS] = {0.0};
	AbutShape *made = NULL;
	AbutError error = {.status = ABUT_OK};
	const int n = abut_shape_face_count(shape);
	cr_assert_leq(n, MOST_ROWS);
	for (int i = 0; i < n; i++) {
		abut_copy3(&shape->A[3 * i], &A[3 * i]);
		b[i] = shape->h[i] + shape->d[i];
	}
	*(k < 3 ? &A[3 * row + k] : &b[row]) += step;
	cr_assert_eq(abut_shape_reface(shape, A, b, &made, &error), ABUT_OK, "%s: %s",
	             abut_shape_kind_name(shape->kind), error.message);
	return made;
}

static void expect(unsigned seed, int row, int k, const char *what, double value, double high, double low, double step)
{
	const double difference = (high - low) / (2.0 * step);
	cr_assert_float_eq(value, difference, 1e-7, "seed %u, row %d, entry %d: %s by it %.10g, differences %.10g",
	                   seed, row, k, what, value, difference);
}

Test(face, rows_follow_their_entries)
{
	const double step = 1e-5;
	for (unsigned seed = 0; seed < 30; seed++) {
		AbutShape *shape = make(seed);
		const int n = abut_shape_face_count(shape);
		for (int row = 0; row < n; row++) {
			for (int k = 0; k < 4; k++) {
				const AbutFaceChange change = abut_shape_row_by_face(shape, row, k);
				AbutShape *high = refaced(shape, row, k, step), *low = refaced(shape, row, k, -step);
				cr_assert_eq(high->n_rows, shape->n_rows);
				for (int j = 0; j < 3; j++) {
					const int at = 3 * row + j;
					expect(seed, row, k, "A", change.A[j], high->A[at], low->A[at], step);
					if (shape->kind == ABUT_SHAPE_PADDED_POLYTOPE) {
						expect(seed, row, k, "B", change.B[j], high->B[at], low->B[at], step);
						const int next = (at + 3) % (3 * n); /* of another row it stays */
						cr_assert_float_eq(high->B[next], shape->B[next], 1e-14);
					}
				}
				expect(seed, row, k, "d", change.d, high->d[row], low->d[row], step);
				expect(seed, row, k, "h", change.h, high->h[row], low->h[row], step);
				abut_shape_destroy(high);
				abut_shape_destroy(low);
				if (shape->kind == ABUT_SHAPE_CONIC) { /* measured anew, which takes a while */
					k = k < 2 ? 1 : k;
				}
			}
		}
		abut_shape_destroy(shape);
	}
}

/* Support function, rows and radii of the new shape agree, and the centre is the old one. */
Test(face, makes_shapes_that_agree_with_themselves)
{
	for (unsigned seed = 0; seed < 30; seed++) {
		AbutShape *shape = make(seed), *made = refaced(shape, (int)(seed % 4), 3, -0.05);
		AbutShape *turned = refaced(shape, 1 % shape->n_rows, (int)(seed % 3), 0.1);
		AbutShapeReport report;
		cr_assert_eq(abut_shape_check(made, &report), ABUT_OK);
		cr_expect(report.verdict[ABUT_SHAPE_TEST_ROWS] != ABUT_SHAPE_FAILED &&
		              report.verdict[ABUT_SHAPE_TEST_SCALING] != ABUT_SHAPE_FAILED &&
		              report.verdict[ABUT_SHAPE_TEST_BOUNDED] != ABUT_SHAPE_FAILED &&
		              report.verdict[ABUT_SHAPE_TEST_INTERIOR] != ABUT_SHAPE_FAILED,
		          "seed %u: %s", seed, report.message);
		cr_assert_eq(abut_shape_check(turned, &report), ABUT_OK);
		cr_expect(report.verdict[ABUT_SHAPE_TEST_ROWS] != ABUT_SHAPE_FAILED &&
		              report.verdict[ABUT_SHAPE_TEST_BOUNDED] != ABUT_SHAPE_FAILED,
		          "seed %u: %s", seed, report.message);
		for (int i = 0; i < 3 && shape->kind != ABUT_SHAPE_HALFSPACE; i++) {
			cr_expect_eq(made->centre[i], shape->centre[i]);
			cr_expect_eq(made->position[i], shape->position[i]);
		}
		abut_shape_destroy(turned);
		abut_shape_destroy(made);
		abut_shape_destroy(shape);
	}
}

Test(face, refuses_sets_that_are_none)
{
	AbutShape *box = NULL, *made = NULL;
	double A[18], b[6];
	AbutError error = {.status = ABUT_OK};
	cr_assert_eq(abut_shape_create_box((const double[3]){0.5, 0.4, 0.7}, &box, NULL), ABUT_OK);
	for (int i = 0; i < 6; i++) {
		abut_copy3(&box->A[3 * i], &A[3 * i]);
		b[i] = box->d[i];
	}
	b[0] = -0.1; /* a set, but without the centre */
	cr_expect_eq(abut_shape_reface(box, A, b, &made, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(made, NULL);
	cr_expect(strstr(error.message, "centre"), "%s", error.message);
	b[0] = -0.6; /* empty */
	cr_expect_eq(abut_shape_reface(box, A, b, &made, &error), ABUT_ERROR_ARGUMENT);
	b[0] = 0.5;
	A[0] = 0.0;
	cr_expect_eq(abut_shape_reface(box, A, b, &made, &error), ABUT_ERROR_ARGUMENT);
	abut_shape_destroy(box);
	cr_assert_eq(abut_shape_create_sphere(1.0, &box, NULL), ABUT_OK);
	cr_expect_eq(abut_shape_reface(box, A, b, &made, &error), ABUT_ERROR_UNSUPPORTED);
	abut_shape_destroy(box);
}
