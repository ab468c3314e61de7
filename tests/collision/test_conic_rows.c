/* Compares the row matrix of a shape with the shape's own matrices, for every primitive at random poses, origins and
 * units. */
#include <string.h>

#include "collision/rows/conic_rows.h"
#include "sample_shapes.h"

enum { SEEDS = 40, ROWS_MAX = 64, EPS_MAX = 8 };

typedef struct Sample {
	AbutShape *shape;
	AbutConicRows rows;
	double origin[3], unit;
} Sample;

static void sample_rows(AbutShapeKind kind, AbutRng *rng, Sample *out)
{
	out->shape = sample_shape(kind, 1.0, rng);
	sample_move(out->shape, 2.0, rng);
	out->unit = exp(abut_rng_normal(rng));
	for (int i = 0; i < 3; i++) {
		out->origin[i] = abut_rng_normal(rng);
	}
	cr_assert_leq(out->shape->n_rows, ROWS_MAX);
	cr_assert_leq(out->shape->n_eps, EPS_MAX);
	cr_assert_eq(abut_conic_rows_create(out->shape, out->origin, out->unit, &out->rows), ABUT_OK);
}

static void sample_free(Sample *sample)
{
	abut_conic_rows_destroy(&sample->rows);
	abut_shape_destroy(sample->shape);
	cr_assert_null(sample->rows.memory);
}

/* Computes s = h + alpha d - A p - B eps in metres at the point p with the rows' coordinates (p - origin) / unit. */
static void shape_slack(const Sample *sample, const double p_rows[3], double alpha, const double *eps_rows, double *s)
{
	const AbutShape *shape = sample->shape;
	double p[3];
	for (int i = 0; i < 3; i++) {
		p[i] = p_rows[i] * sample->unit + sample->origin[i];
	}
	for (int i = 0; i < shape->n_rows; i++) {
		s[i] = shape->h[i] + alpha * shape->d[i] - abut_dot3(&shape->A[3 * i], p);
		for (int j = 0; j < shape->n_eps; j++) {
			s[i] -= shape->B[i * shape->n_eps + j] * eps_rows[j] * sample->unit;
		}
	}
}

Test(conic_rows, values_are_those_of_the_shape)
{
	for (int kind = 0; kind < ABUT_SHAPE_SMOOTH; kind++) {
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			AbutRng rng = {seed};
			Sample sample;
			sample_rows((AbutShapeKind)kind, &rng, &sample);
			const AbutShape *shape = sample.shape;
			const char *name = abut_shape_kind_name(shape->kind);
			double p[3], eps[EPS_MAX], lambda[ROWS_MAX], H[ROWS_MAX], s[ROWS_MAX], g[3], d_lambda,
			    B_lambda[EPS_MAX];
			for (int i = 0; i < 3; i++) {
				p[i] = 2.0 * abut_rng_normal(&rng);
			}
			for (int i = 0; i < EPS_MAX; i++) {
				eps[i] = abut_rng_normal(&rng);
			}
			for (int i = 0; i < shape->n_rows; i++) {
				lambda[i] = abut_rng_normal(&rng);
			}
			const double alpha = abut_rng_uniform(&rng, 0.0, 3.0);
			const double shift = seed % 2 ? 0.0 : abut_rng_normal(&rng);
			const AbutRowsPoint point = {{p[0], p[1], p[2]}, alpha, eps, lambda, shift};
			abut_conic_rows_evaluate(&sample.rows, &point, H, g, &d_lambda, B_lambda);
			shape_slack(&sample, p, alpha, eps, s);
			/* rows of a bounded shape are divided by its outer radius */
			const double size = shape->outer_radius > 0.0 ? shape->outer_radius / sample.unit : 1.0;
			/* sums of ten terms of size 10, in units that differ by e^3 at most */
			for (int i = 0; i < shape->n_rows; i++) {
				cr_assert_float_eq(H[i], s[i] / (sample.unit * size) + shift, 1e-13 / fmin(size, 1.0),
				                   "%s, seed %u, row %d", name, seed, i);
			}
			double g_shape[3] = {0.0}, d_shape = 0.0, B_shape[EPS_MAX] = {0.0};
			for (int i = 0; i < shape->n_rows; i++) {
				for (int j = 0; j < 3; j++) {
					g_shape[j] += shape->A[3 * i + j] * lambda[i] / size;
				}
				for (int j = 0; j < shape->n_eps; j++) {
					B_shape[j] += shape->B[i * shape->n_eps + j] * lambda[i] / size;
				}
				d_shape += shape->d[i] * lambda[i] / (sample.unit * size);
			}
			for (int j = 0; j < 3; j++) {
				cr_assert_float_eq(g[j], g_shape[j], 1e-13 / fmin(size, 1.0), "%s, seed %u", name,
				                   seed);
			}
			for (int j = 0; j < shape->n_eps; j++) {
				cr_assert_float_eq(B_lambda[j], B_shape[j], 1e-13 / fmin(size, 1.0), "%s, seed %u",
				                   name, seed);
			}
			cr_assert_float_eq(d_lambda, d_shape, 1e-12, "%s, seed %u", name, seed);
			sample_free(&sample);
		}
	}
}

Test(conic_rows, hold_centre_radius_and_sizes)
{
	for (int kind = 0; kind < ABUT_SHAPE_COUNT; kind++) {
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			AbutRng rng = {seed};
			Sample sample;
			sample_rows((AbutShapeKind)kind, &rng, &sample);
			const AbutShape *shape = sample.shape;
			const AbutConicRows *rows = &sample.rows;
			cr_assert(rows->n_rows == shape->n_rows && rows->n_eps == shape->n_eps &&
			          rows->n_orthant == shape->n_orthant && rows->n_soc == shape->n_soc &&
			          rows->width == 4 + shape->n_eps);
			cr_assert_eq(rows->bounded, kind != ABUT_SHAPE_HALFSPACE);
			cr_assert_float_eq(rows->outer_radius, shape->outer_radius / sample.unit, 1e-14);
			for (int i = 0; i < 3; i++) {
				cr_assert_float_eq(rows->centre[i], (shape->centre[i] - sample.origin[i]) / sample.unit,
				                   1e-13);
			}
			sample_free(&sample);
		}
	}
}

/* At the centre and alpha = 0 everything that scales is zero: the rows are homogeneous about the centre
 * (docs/formulation.md 1). */
Test(conic_rows, shrink_to_the_centre)
{
	for (int kind = ABUT_SHAPE_HALFSPACE + 1; kind < ABUT_SHAPE_COUNT; kind++) {
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			AbutRng rng = {seed};
			Sample sample;
			sample_rows((AbutShapeKind)kind, &rng, &sample);
			double H[ROWS_MAX], g[3], d_lambda, B_lambda[EPS_MAX], lambda[ROWS_MAX] = {0.0};
			const double eps[EPS_MAX] = {0.0};
			AbutRowsPoint point = {.eps = eps, .lambda = lambda};
			abut_copy3(sample.rows.centre, point.p);
			abut_conic_rows_evaluate(&sample.rows, &point, H, g, &d_lambda, B_lambda);
			for (int i = 0; i < sample.rows.n_rows; i++) {
				/* differences of terms of size 10 */
				cr_assert_float_eq(H[i], 0.0, 1e-13, "%s, seed %u",
				                   abut_shape_kind_name(sample.shape->kind), seed);
			}
			sample_free(&sample);
		}
	}
}

/* Cones follow each other without gaps in z and in the law, the orthant first. Counting gives the same numbers. */
Test(conic_rows, cones_follow_each_other)
{
	for (int kind = 0; kind < ABUT_SHAPE_COUNT; kind++) {
		AbutRng rng = {5};
		Sample sample;
		sample_rows((AbutShapeKind)kind, &rng, &sample);
		const AbutShape *shape = sample.shape;
		AbutCone cones[8];
		int law = 7, counted_law = 7, offset = 11, expected_law = 7, next = 0;
		const int count = abut_conic_rows_cones(&sample.rows, offset, 0.25, &law, cones);
		cr_assert_eq(abut_conic_rows_cones(&sample.rows, offset, 0.25, &counted_law, NULL), count);
		cr_assert_eq(counted_law, law);
		if (shape->n_orthant > 0) {
			cr_assert(cones[0].kind == ABUT_CONE_ORTHANT && cones[0].dim == shape->n_orthant &&
			          cones[0].offset == 11 && cones[0].law == 7 && cones[0].weight == 0.25);
			offset += shape->n_orthant;
			expected_law += shape->n_orthant;
			next = 1;
		}
		for (int i = 0; i < shape->n_soc; i++, next++) {
			const int dim = shape->soc_dim[i];
			cr_assert(cones[next].kind == ABUT_CONE_SOC && cones[next].dim == dim &&
			          cones[next].offset == offset && cones[next].law == expected_law &&
			          cones[next].weight == 0.25);
			offset += dim;
			expected_law += dim * dim;
		}
		cr_assert_eq(count, next);
		cr_assert_eq(law, expected_law);
		cr_assert_eq(offset, 11 + shape->n_rows);
		sample_free(&sample);
	}
}

/* Duals turn to a new normal. This is exact if three faces meet. In any case duals do not become negative, zeros stay
 * zero, and the normal does not become worse. */
Test(conic_rows, duals_turn_with_the_normal)
{
	int exact = 0;
	for (unsigned seed = 0; seed < 10 * SEEDS; seed++) {
		AbutRng rng = {seed};
		Sample sample;
		sample_rows(seed % 2 ? ABUT_SHAPE_BOX : ABUT_SHAPE_POLYTOPE, &rng, &sample);
		const AbutConicRows *rows = &sample.rows;
		double lambda[ROWS_MAX] = {0.0}, before[ROWS_MAX], H[ROWS_MAX], g[3], now[3], d_lambda, none;
		const double centre[3] = {0.0, 0.0, 0.0};
		const int faces = 1 + (int)(seed % 3);
		bool all = true;
		for (int i = 0; i < faces; i++) {
			lambda[(int)seed % 2 ? i : 2 * i] = abut_rng_uniform(&rng, 0.5, 1.5);
		}
		memcpy(before, lambda, sizeof before);
		const AbutRowsPoint point = {{centre[0], centre[1], centre[2]}, 1.0, NULL, lambda, 0.0};
		abut_conic_rows_evaluate(rows, &point, H, g, &d_lambda, &none);
		double error = 0.0;
		for (int i = 0; i < 3; i++) {
			const double change = 0.1 * abut_rng_normal(&rng) * abut_norm3(g);
			g[i] += change;
			error = hypot(error, change);
		}
		abut_conic_rows_turn(rows, g, lambda);
		abut_conic_rows_evaluate(rows, &point, H, now, &d_lambda, &none);
		for (int i = 0; i < rows->n_rows; i++) {
			cr_assert_geq(lambda[i], 0.0, "seed %u, row %d", seed, i);
			cr_assert(before[i] > 0.0 || lambda[i] == 0.0, "seed %u, row %d", seed, i);
			all = all && (before[i] == 0.0 || lambda[i] > 0.0);
		}
		const double left[3] = {now[0] - g[0], now[1] - g[1], now[2] - g[2]};
		if (all) {
			cr_assert_leq(abut_norm3(left), (1.0 + 1e-9) * error, "seed %u: %g of %g", seed,
			              abut_norm3(left), error);
		}
		if (all && faces == 3 && sample.shape->kind == ABUT_SHAPE_BOX) {
			cr_assert_leq(abut_norm3(left), 1e-5 * error, "seed %u: %g of %g", seed, abut_norm3(left),
			              error);
			exact++;
		}
		sample_free(&sample);
	}
	cr_assert_gt(exact, 20, "%d turns", exact);
}
