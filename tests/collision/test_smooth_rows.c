/* Tests rows of smooth shapes as the kernels read them. Compares values through moves, recentring, units and scales
 * with the functions themselves, and W and the curvature with differences. Also tests copies for several contacts. */
#include <criterion/criterion.h>

#include "base/rng.h"
#include "base/vec3.h"
#include "collision/rows/conic_rows.h"
#include "collision/rows/smooth_rows.h"
#include "sample_shapes.h"
#include "shapes/core/transform.h"
#include "shapes/two_balls.h"

enum { SEEDS = 150 };

typedef struct Sample {
	TwoBalls balls;
	AbutShape *shape;
	double R[9], t[3], factor,
	    centre[3]; /* the shape: p = factor (R q + t), q of the functions; scaled about centre */
	double origin[3], unit;
	AbutConicRows rows;
} Sample;

static void sample(unsigned seed, Sample *s)
{
	AbutRng rng = {seed};
	double q[4];
	s->balls = (TwoBalls){abut_rng_uniform(&rng, 0.2, 0.5), abut_rng_uniform(&rng, 0.2, 0.6), 0.7};
	const AbutSmooth functions = two_balls(&s->balls);
	const AbutMassProperties mass = {.volume = 1.0, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
	AbutError error = {0};
	cr_assert_eq(abut_shape_create_smooth(&functions, &mass, &s->shape, &error), ABUT_OK, "seed %u: %s", seed,
	             error.message);
	abut_rng_rotation(&rng, q);
	abut_quat_to_mat3(q, s->R);
	for (int i = 0; i < 3; i++) {
		s->t[i] = abut_rng_normal(&rng);
		s->origin[i] = abut_rng_normal(&rng);
	}
	s->factor = exp(abut_rng_normal(&rng));
	s->unit = exp(abut_rng_normal(&rng));
	cr_assert_eq(abut_shape_move(s->shape, s->R, s->t, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_scale(s->shape, s->factor, NULL), ABUT_OK);
	for (int i = 0; i < 3; i++) {
		s->centre[i] = s->shape->centre[i] + 0.05 * s->factor * abut_rng_normal(&rng);
	}
	cr_assert_eq(abut_shape_recentre(s->shape, s->centre, NULL), ABUT_OK);
	cr_assert_eq(abut_conic_rows_create(s->shape, s->origin, s->unit, &s->rows), ABUT_OK);
}

static void release(Sample *s)
{
	abut_conic_rows_destroy(&s->rows);
	abut_shape_destroy(s->shape);
}

/* For a point c + alpha (q - c), with q in the given frame, returns alpha times the functions at (q, alpha 1). They are
 * of degree one about their own centre, the origin. */
static void expected(const Sample *s, const double p[3], double alpha, double eps, double *H)
{
	double u[5], g[3], at[3];
	for (int i = 0; i < 3; i++) {
		const double given = p[i] * s->unit + s->origin[i];
		at[i] = (s->centre[i] + (given - s->centre[i]) / alpha) / s->factor - s->t[i];
	}
	abut_mat3_tvec(s->R, at, u);
	u[3] = 1.0;
	u[4] = eps * s->unit / s->factor / alpha;
	balls_value(&s->balls, u, g);
	for (int i = 0; i < 3; i++) {
		H[i] = -alpha * g[i] * s->factor / s->shape->outer_radius;
	}
}

static void draw(AbutRng *rng, const Sample *s, double u[5], double lambda[3])
{
	for (int i = 0; i < 3; i++) {
		u[i] = (s->centre[i] - s->origin[i] + s->factor * 0.5 * abut_rng_normal(rng)) / s->unit;
		lambda[i] = abut_rng_uniform(rng, 0.0, 2.0);
	}
	u[3] = abut_rng_uniform(rng, 0.3, 2.0);
	u[4] = s->factor * 0.3 * abut_rng_normal(rng) / s->unit;
}

/* Computes (-W' lambda) (5) at u. */
static void pull(const AbutConicRows *rows, const double *u, const double *lambda, double *H, double out[5])
{
	double B_lambda[1];
	const AbutRowsPoint point = {{u[0], u[1], u[2]}, u[3], &u[4], lambda, 0.0};
	abut_conic_rows_evaluate(rows, &point, H, out, &out[3], B_lambda);
	out[3] = -out[3];
	out[4] = B_lambda[0];
}

Test(smooth_rows, values_are_those_of_the_functions)
{
	for (unsigned seed = 0; seed < SEEDS; seed++) {
		Sample s;
		AbutRng rng = {seed + 1000};
		double u[5], lambda[3], H[3], all[5], wanted[3];
		sample(seed, &s);
		draw(&rng, &s, u, lambda);
		pull(&s.rows, u, lambda, H, all);
		expected(&s, u, u[3], u[4], wanted);
		for (int i = 0; i < 3; i++) {
			cr_assert_float_eq(H[i], wanted[i], 1e-12, "seed %u, row %d: %.15g, %.15g", seed, i, H[i],
			                   wanted[i]);
		}
		release(&s);
	}
}

/* dH / du = W and d(-W' lambda) / du = C, in the rows' unit, which is at most e^3 off. */
Test(smooth_rows, derivatives_are_those_of_differences)
{
	for (unsigned seed = 0; seed < SEEDS; seed++) {
		Sample s;
		AbutRng rng = {seed + 2000};
		double u[5], lambda[3], H[3], all[5], W[15], C[25];
		sample(seed, &s);
		draw(&rng, &s, u, lambda);
		pull(&s.rows, u, lambda, H, all);
		memcpy(W, s.rows.W, sizeof W);
		memcpy(C, abut_smooth_rows_curvature(&s.rows), sizeof C);
		const double size = s.factor / s.unit, step = 1e-5 * size;
		for (int j = 0; j < 5; j++) {
			const double h = j == 3 ? 1e-5 : step;
			double high[3], low[3], all_high[5], all_low[5], moved[5];
			memcpy(moved, u, sizeof moved);
			moved[j] = u[j] + h;
			pull(&s.rows, moved, lambda, high, all_high);
			moved[j] = u[j] - h;
			pull(&s.rows, moved, lambda, low, all_low);
			for (int i = 0; i < 3; i++) {
				const double difference = (high[i] - low[i]) / (2.0 * h);
				cr_assert_float_eq(W[5 * i + j], difference, 1e-8 * fmax(1.0, 1.0 / size),
				                   "seed %u, row %d by %d: %g, differences %g", seed, i, j,
				                   W[5 * i + j], difference);
			}
			for (int i = 0; i < 5; i++) {
				const double difference = (all_high[i] - all_low[i]) / (2.0 * h);
				cr_assert_float_eq(C[5 * i + j], difference, 1e-7 * fmax(1.0, 1.0 / (size * size)),
				                   "seed %u, %d by %d: %g, differences %g", seed, i, j, C[5 * i + j],
				                   difference);
			}
		}
		release(&s);
	}
}

/* Two contacts of one shape do not affect each other's point. */
Test(smooth_rows, contacts_have_their_own_point)
{
	Sample s;
	AbutRng rng = {5};
	double u[2][5], lambda[2][3], H[3], all[5], W[15];
	sample(3, &s);
	double *memory[2];
	const AbutConicRows *placed[2];
	for (int i = 0; i < 2; i++) {
		memory[i] = calloc((size_t)abut_conic_rows_place_size(&s.rows), sizeof(double));
		placed[i] = abut_conic_rows_place(&s.rows, memory[i]);
		draw(&rng, &s, u[i], lambda[i]);
		pull(placed[i], u[i], lambda[i], H, all);
	}
	pull(&s.rows, u[0], lambda[0], H, all);
	memcpy(W, s.rows.W, sizeof W);
	cr_assert_eq(memcmp(placed[0]->W, W, sizeof W), 0);
	cr_assert_neq(memcmp(placed[1]->W, W, sizeof W), 0);
	cr_assert(!abut_conic_rows_broken(placed[0]));
	for (int i = 0; i < 2; i++) {
		free(memory[i]);
	}
	release(&s);
}
