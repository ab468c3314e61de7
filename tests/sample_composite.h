/* Makes sample shapes that consist of others, and random poses, for the tests of shapes and of collision. */
#pragma once

#include <criterion/criterion.h>

#include "abut/shape.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "effort.h"

/* Moves the shape by a random rotation and a translation of about `distance`. */
static inline void sample_move(AbutShape *shape, double distance, AbutRng *rng)
{
	double q[4], R[9], t[3];
	abut_rng_rotation(rng, q);
	abut_quat_to_mat3(q, R);
	for (int i = 0; i < 3; i++) {
		t[i] = distance * abut_rng_normal(rng);
	}
	cr_assert_eq(abut_shape_move(shape, R, t, NULL), ABUT_OK);
}

/* Shapes whose mass is integrated take time to make. One of each is made once, and then copied. Under sanitizers there
 * is no `other` one: two would take most of the time of many tests. */
static inline AbutShape *sample_composite(AbutShapeKind kind, double size, bool other)
{
	other = other && TEST_EFFORT(2) > 1;
	static AbutShape *made[2][ABUT_SHAPE_COUNT];
	AbutShape **at = &made[other][kind], *parts[2] = {NULL, NULL}, *shape = NULL;
	AbutError error = {0};
	AbutStatus status = ABUT_OK;
	if (!*at) {
		AbutRng rng = {7};
		cr_assert_eq(abut_shape_create_ellipsoid((const double[3]){0.7, 0.5, 0.4}, &parts[0], NULL), ABUT_OK);
		cr_assert_eq(other ? abut_shape_create_box((const double[3]){0.4, 0.4, 0.5}, &parts[1], NULL)
		                   : abut_shape_create_cylinder(0.4, 0.6, &parts[1], NULL),
		             ABUT_OK);
		sample_move(parts[1], 0.1, &rng);
		if (kind == ABUT_SHAPE_MINKOWSKI_SUM) {
			if (other) {
				abut_shape_destroy(parts[0]);
				cr_assert_eq(abut_shape_create_capsule(0.4, 0.8, &parts[0], NULL), ABUT_OK);
			}
			status = abut_shape_create_minkowski_sum(2, (const AbutShape *const *)parts, at, &error);
		} else if (kind == ABUT_SHAPE_INTERSECTION) {
			status = abut_shape_create_intersection(2, (const AbutShape *const *)parts, at, &error);
		} else { /* the rows of a capsule, or of the ellipsoid */
			AbutShape *rows = NULL;
			cr_assert_eq(abut_shape_create_capsule(0.4, 0.8, &rows, NULL), ABUT_OK);
			const AbutShape *as = other ? rows : parts[0];
			const AbutConicData data = {.n_rows = as->n_rows,
			                            .n_eps = as->n_eps,
			                            .n_orthant = as->n_orthant,
			                            .n_soc = as->n_soc,
			                            .soc_dim = as->soc_dim,
			                            .A = as->A,
			                            .B = as->B,
			                            .d = as->d,
			                            .h = as->h};
			status = abut_shape_create_conic(&data, at, &error);
			abut_shape_destroy(rows);
		}
		cr_assert_eq(status, ABUT_OK, "%s: %s", abut_shape_kind_name(kind), error.message);
		abut_shape_destroy(parts[0]);
		abut_shape_destroy(parts[1]);
	}
	cr_assert_eq(abut_shape_clone(*at, &shape, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_scale(shape, size, NULL), ABUT_OK);
	return shape;
}
