/* Tests contact by barriers: closed forms, boundaries of the cone, optimality by differences, and agreement of the
 * forward and inverse problems. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "solver/soft/barrier_forward.h"

enum { MOST = 20, ROWS = 3 * MOST };

typedef struct Sample {
	AbutBarrierProblem problem;
	double A[ROWS * ROWS], R[ROWS], mu[MOST], least[MOST], c[ROWS];
	AbutBarrierRoom room;
	_Alignas(ABUT_ARENA_ALIGNMENT) char memory[40960];
} Sample;

/* Draws A = G G', with G of 24 columns, and R and c. */
static void begin(Sample *sample, unsigned seed, int n, double kappa)
{
	AbutRng rng = abut_rng_stream(seed, 0);
	static double G[ROWS][24];
	const int rows = 3 * n;
	AbutArena arena = {sample->memory, 0};
	for (int i = 0; i < rows; i++) {
		for (int k = 0; k < 24; k++) {
			G[i][k] = 0.3 * abut_rng_normal(&rng);
		}
	}
	for (int i = 0; i < rows; i++) {
		for (int j = 0; j < rows; j++) {
			double sum = 0.0;
			for (int k = 0; k < 24; k++) {
				sum += G[i][k] * G[j][k];
			}
			sample->A[i * rows + j] = sum;
		}
		sample->R[i] = abut_rng_uniform(&rng, 0.01, 0.3);
		sample->c[i] = abut_rng_normal(&rng) - (i % 3 == 0 ? 0.5 : 0.0);
	}
	for (int k = 0; k < n; k++) {
		sample->mu[k] = abut_rng_uniform(&rng, 0.2, 1.2);
		sample->least[k] = abut_rng_uniform(&rng, -0.3, 0.1);
	}
	sample->problem = (AbutBarrierProblem){n, sample->A, sample->R, sample->mu, sample->least, kappa, 10.0, NULL};
	abut_barrier_room_carve(&sample->room, n, &arena);
	cr_assert_leq(arena.used, sizeof sample->memory);
}

/* Returns the function that the forward problem minimises. */
static double cost(const Sample *sample, const double *f)
{
	const AbutBarrierProblem *problem = &sample->problem;
	const int n = 3 * problem->n;
	double sum = 0.0;
	for (int i = 0; i < n; i++) {
		double Af = 0.0;
		for (int k = 0; k < n; k++) {
			Af += sample->A[i * n + k] * f[k];
		}
		sum += f[i] * (0.5 * (Af + sample->R[i] * f[i]) + sample->c[i]);
		if (i % 3 == 0) {
			const double m = sample->mu[i / 3] * sample->mu[i / 3];
			sum -= problem->kappa * log(Af + sample->c[i] - sample->least[i / 3]);
			sum -= problem->kappa * log(m * f[i] * f[i] - f[i + 1] * f[i + 1] - f[i + 2] * f[i + 2]);
			sum -= problem->kappa * log(f[i]);
		}
	}
	return sum;
}

Test(barrier_contact, no_impulse_nearby_costs_less)
{
	for (unsigned seed = 0; seed < 100; seed++) {
		static Sample sample;
		double f[ROWS], v[ROWS];
		AbutBarrierReport report;
		begin(&sample, seed, 1 + (int)(seed % 6), 0.1);
		abut_barrier_forward(&sample.problem, sample.c, &sample.room, f, v, &report);
		cr_assert(report.solved && report.allowed, "seed %u: residual %g", seed, report.residual);
		const double least = cost(&sample, f);
		AbutRng rng = abut_rng_stream(seed, 1);
		cr_assert(isfinite(least));
		for (int trial = 0; trial < 60; trial++) {
			double g[ROWS];
			const double size = pow(10.0, abut_rng_uniform(&rng, -3.0, 0.0));
			for (int i = 0; i < 3 * sample.problem.n; i++) {
				g[i] = f[i] + size * abut_rng_normal(&rng);
			}
			cr_assert(!(cost(&sample, g) < least), "seed %u", seed);
		}
	}
}

/* The forward problem gives v from c. The inverse gives back c and the same impulses from v. */
Test(barrier_contact, both_ways_agree)
{
	double worst = 0.0;
	for (unsigned seed = 0; seed < 1000; seed++) {
		static Sample sample;
		double f[ROWS], v[ROWS], back[ROWS], c[ROWS];
		AbutBarrierReport forward, inverse;
		begin(&sample, seed, 1 + (int)(seed % 10), pow(10.0, -1.0 - seed % 3));
		abut_barrier_forward(&sample.problem, sample.c, &sample.room, f, v, &forward);
		cr_assert(forward.solved && forward.allowed, "seed %u: residual %g", seed, forward.residual);
		abut_barrier_inverse(&sample.problem, v, back, c, &inverse);
		cr_assert(inverse.solved && inverse.allowed, "seed %u: residual %g", seed, inverse.residual);
		for (int i = 0; i < 3 * sample.problem.n; i++) {
			const double off = fmax(fabs(back[i] - f[i]), fabs(c[i] - sample.c[i]));
			cr_assert_lt(off, 1e-8 * (1.0 + fabs(f[i])), "seed %u row %d: off by %g", seed, i, off);
			worst = fmax(worst, off);
		}
	}
	cr_log_info("largest difference %g", worst);
}

/* One contact with motion along the normal only: (A + R) f + c - 3 kappa / f - A kappa / (A f + c - least) = 0. */
Test(barrier_contact, one_contact_by_hand)
{
	static Sample sample;
	double f[3], v[3];
	AbutBarrierReport report;
	begin(&sample, 0, 1, 0.05);
	memset(sample.A, 0, sizeof sample.A);
	sample.A[0] = sample.A[4] = sample.A[8] = 2.0;
	sample.R[0] = 0.1;
	sample.least[0] = 0.0;
	memcpy(sample.c, (double[]){-3.0, 0.0, 0.0}, 3 * sizeof(double));
	abut_barrier_forward(&sample.problem, sample.c, &sample.room, f, v, &report);
	double low = 1.5, high = 10.0; /* the left side grows with f above 1.5, where v > 0 */
	for (int i = 0; i < 200; i++) {
		const double x = 0.5 * (low + high);
		const double value = 2.1 * x - 3.0 - 0.15 / x - 2.0 * 0.05 / (2.0 * x - 3.0);
		low = value < 0.0 ? x : low;
		high = value < 0.0 ? high : x;
	}
	cr_expect_float_eq(f[0], low, 1e-12, "%.15g, not %.15g", f[0], low);
	cr_expect_float_eq(v[0], 2.0 * low - 3.0, 1e-12);
	cr_expect_float_eq(hypot(f[1], f[2]), 0.0, 1e-14);
}

/* The step ends on the boundary, and all shorter steps are inside. */
Test(barrier_contact, a_step_ends_on_the_cone)
{
	AbutRng rng = {7};
	int ended = 0;
	for (int run = 0; run < 2000; run++) {
		const double mu = abut_rng_uniform(&rng, 0.1, 1.5), turn = abut_rng_uniform(&rng, 0.0, 6.0);
		const double head = abut_rng_uniform(&rng, 0.1, 2.0),
		             tail = abut_rng_uniform(&rng, 0.0, 0.999) * mu * head;
		const double f[3] = {head, tail * cos(turn), tail * sin(turn)};
		const double df[3] = {abut_rng_normal(&rng), abut_rng_normal(&rng), abut_rng_normal(&rng)};
		const double t = abut_barrier_step(mu, f, df, 3.0);
		for (int i = 0; i < 40; i++) {
			const double part = t * i / 40.0;
			cr_assert_gt(mu * (f[0] + part * df[0]) - hypot(f[1] + part * df[1], f[2] + part * df[2]), 0.0,
			             "run %d", run);
		}
		if (t < 3.0) {
			cr_assert_float_eq(mu * (f[0] + t * df[0]), hypot(f[1] + t * df[1], f[2] + t * df[2]), 1e-10,
			                   "run %d", run);
			ended++;
		}
	}
	cr_expect_gt(ended, 1000);
}

/* Value, first and second derivative of the parabola are those of the logarithm where they meet. Below, the slopes are
 * those of a parabola. */
Test(barrier_contact, the_modified_barrier_is_smooth)
{
	const AbutBarrierProblem problem = {.kappa = 0.1, .slope = 7.0};
	const double edge = 0.1 / 7.0;
	double above[2], below[2], far[2];
	abut_barrier_speed(&problem, edge * (1.0 + 1e-9), true, above);
	abut_barrier_speed(&problem, edge * (1.0 - 1e-9), true, below);
	abut_barrier_speed(&problem, -1.0, true, far);
	cr_expect_float_eq(above[0], -7.0, 1e-7);
	cr_expect_float_eq(below[0], above[0], 1e-7);
	cr_expect_float_eq(below[1], above[1], 1e-5);
	cr_expect_float_eq(far[0], -7.0 - 490.0 * (1.0 + edge), 1e-9);
}

/* Velocities that are not allowed have an inverse too. */
Test(barrier_contact, any_velocity_has_an_inverse)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		static Sample sample;
		double f[ROWS], c[ROWS];
		AbutBarrierReport report;
		begin(&sample, seed, 5, 0.1);
		abut_barrier_inverse(&sample.problem, sample.c, f, c, &report);
		cr_assert(report.solved, "seed %u: residual %g", seed, report.residual);
		for (int k = 0; k < 5; k++) {
			cr_assert_gt(sample.mu[k] * f[3 * k], hypot(f[3 * k + 1], f[3 * k + 2]), "seed %u", seed);
		}
	}
}
