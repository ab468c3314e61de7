/* Tests the soft contact's function: its derivatives by differences, its minimum by hand and by projected gradients of
 * the dual problem, and the inverse. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "allocation_watch.h"
#include "base/rng.h"
#include "solver/soft/soft_contact.h"

enum { BODIES = 4, POINTS = 8, ROWS = POINTS * ABUT_SOFT_MOST_ROWS };

typedef struct Sample {
	AbutSoftProblem problem;
	double mass[36 * BODIES], free[6 * BODIES];
	AbutSoftPoint points[POINTS];
	AbutSoftRow rows[ROWS];
	AbutBlockPattern pattern;
	AbutBlockMemory blocks;
	AbutSoftRoom room;
	_Alignas(ABUT_ARENA_ALIGNMENT) char memory[16384];
} Sample;

static void add_point(Sample *sample, AbutRng *rng, double stiffness)
{
	AbutSoftProblem *problem = &sample->problem;
	AbutSoftPoint *point = &sample->points[problem->n_points++];
	static const int sizes[] = {1, 3, 4, 6};
	memset(point, 0, sizeof *point);
	point->first_row = problem->n_rows;
	point->n_rows = sizes[abut_rng_next(rng) % 4];
	point->elliptic = point->n_rows > 1 && abut_rng_next(rng) % 4 != 0;
	point->body[0] = (int)(abut_rng_next(rng) % (BODIES + 1)) - 1;
	point->body[1] = (point->body[0] + 2) % (BODIES + 1) - 1;
	const double impratio = abut_rng_uniform(rng, 0.3, 4.0);
	for (int i = 0; i < ABUT_SOFT_FRICTIONS; i++) {
		point->friction[i] = abut_rng_uniform(rng, 0.1, 1.2);
	}
	point->mu = point->friction[0] / sqrt(impratio);
	for (int i = 0; i < point->n_rows; i++) {
		AbutSoftRow *row = &sample->rows[problem->n_rows++];
		const double ratio = point->friction[i > 0 ? i - 1 : 0] / point->friction[0];
		for (int k = 0; k < 12; k++) {
			row->J[k] = abut_rng_normal(rng);
		}
		row->reference = abut_rng_normal(rng);
		row->weight = i == 0 || !point->elliptic ? stiffness : stiffness * impratio * ratio * ratio;
	}
}

static void begin(Sample *sample, unsigned seed, int n_points, double stiffness)
{
	AbutRng rng = abut_rng_stream(seed, 0);
	AbutArena arena = {sample->memory, 0};
	int pairs[POINTS][2];
	memset(&sample->problem, 0, sizeof sample->problem);
	memset(&sample->pattern, 0, sizeof sample->pattern);
	memset(&sample->blocks, 0, sizeof sample->blocks);
	sample->problem.n_bodies = BODIES;
	for (int body = 0; body < BODIES; body++) {
		double G[36];
		for (int i = 0; i < 36; i++) {
			G[i] = abut_rng_normal(&rng);
		}
		for (int i = 0; i < 36; i++) {
			double *M = &sample->mass[36 * body + i];
			*M = i % 7 == 0 ? 1.0 : 0.0;
			for (int k = 0; k < 6; k++) {
				*M += 0.2 * G[6 * (i / 6) + k] * G[6 * (i % 6) + k];
			}
		}
	}
	for (int i = 0; i < 6 * BODIES; i++) {
		sample->free[i] = 3.0 * abut_rng_normal(&rng);
	}
	for (int p = 0; p < n_points; p++) {
		add_point(sample, &rng, stiffness);
		memcpy(pairs[p], sample->points[p].body, sizeof pairs[p]);
	}
	sample->problem.mass = sample->mass;
	sample->problem.free = sample->free;
	sample->problem.points = sample->points;
	sample->problem.rows = sample->rows;
	cr_assert_eq(abut_block_pattern_analyse(&sample->pattern, BODIES, n_points, (const int(*)[2])pairs), ABUT_OK);
	cr_assert_eq(abut_block_memory_room(&sample->blocks, sample->pattern.n_blocks), ABUT_OK);
	abut_soft_room_carve(&sample->room, BODIES, ROWS, &arena);
	cr_assert_leq(arena.used, sizeof sample->memory);
}

static void end(Sample *sample)
{
	abut_block_pattern_destroy(&sample->pattern);
	abut_block_memory_destroy(&sample->blocks);
}

static AbutSoftReport solve(Sample *sample, unsigned seed)
{
	AbutSoftReport report;
	memcpy(sample->room.a, sample->free, sizeof sample->free);
	const AbutBlockSystem system = {&sample->pattern, sample->blocks.blocks};
	abut_soft_solve(&sample->problem, &system, &sample->room, &report);
	cr_assert(report.solved, "seed %u: residual %g after %d iterations", seed, report.residual, report.iterations);
	return report;
}

/* --- one point --- */

/* For a point of every kind and zone, force and second derivative equal differences of the penalty. */
Test(soft_contact, derivatives_are_differences)
{
	const double h = 1e-5;
	int zones[3] = {0};
	for (unsigned seed = 0; seed < 400; seed++) {
		static Sample sample;
		begin(&sample, seed, 1, 2.0);
		AbutRng rng = abut_rng_stream(seed, 1);
		const AbutSoftPoint *point = &sample.points[0];
		const int n = point->n_rows;
		double y[10], dy[10], force[10], above[10], below[10], H[100], line[2];
		for (int i = 0; i < n; i++) {
			y[i] = abut_rng_normal(&rng);
			dy[i] = abut_rng_normal(&rng);
		}
		const double s = abut_soft_point(point, sample.rows, y, force, H);
		zones[s == 0.0 ? 0 : n > 1 && H[1] == 0.0 ? 1 : 2]++;
		double slope = 0.0, bend = 0.0;
		for (int i = 0; i < n; i++) {
			const double at = y[i];
			y[i] = at + h;
			const double up = abut_soft_point(point, sample.rows, y, above, NULL);
			y[i] = at - h;
			const double down = abut_soft_point(point, sample.rows, y, below, NULL);
			y[i] = at;
			cr_assert_float_eq(force[i], -(up - down) / (2.0 * h), 1e-7, "seed %u row %d", seed, i);
			slope -= force[i] * dy[i];
			for (int k = 0; k < n; k++) {
				cr_assert_float_eq(H[k * n + i], -(above[k] - below[k]) / (2.0 * h), 1e-4,
				                   "seed %u entry %d %d: %g", seed, k, i, H[k * n + i]);
				bend += dy[k] * H[k * n + i] * dy[i];
			}
		}
		double start[10];
		for (int i = 0; i < n; i++) {
			start[i] = y[i] - 0.5 * dy[i];
		}
		abut_soft_point_line(point, sample.rows, start, dy, 0.5, line);
		cr_assert_float_eq(line[0], slope, 1e-11, "seed %u", seed);
		cr_assert_float_eq(line[1], bend, 1e-11, "seed %u", seed);
		end(&sample);
	}
	cr_assert(zones[0] > 20 && zones[1] > 20 && zones[2] > 20, "%d %d %d", zones[0], zones[1], zones[2]);
}

/* A mass has one row with reference r: a = (m a0 + D r) / (m + D) if this is below r, otherwise it flies; f = D (r -
 * a). */
Test(soft_contact, one_row_by_hand)
{
	const double m = 2.0, D = 50.0, r = 0.5;
	for (int pushed = 0; pushed < 2; pushed++) {
		static Sample sample;
		begin(&sample, 0, 0, 1.0);
		const double a0 = pushed ? -9.81 : 0.7;
		memset(sample.mass, 0, sizeof sample.mass);
		for (int i = 0; i < 6 * BODIES; i++) {
			sample.mass[6 * i + i % 6] = m;
			sample.free[i] = i == 2 ? a0 : 0.0;
		}
		sample.points[0] = (AbutSoftPoint){.n_rows = 1, .body = {-1, 0}};
		sample.rows[0] = (AbutSoftRow){.J = {[8] = 1.0}, .reference = r, .weight = D};
		sample.problem.n_points = sample.problem.n_rows = 1;
		const AbutSoftReport report = solve(&sample, 0);
		const double a = pushed ? (m * a0 + D * r) / (m + D) : a0;
		cr_expect_float_eq(sample.room.a[2], a, 1e-14);
		cr_expect_float_eq(sample.room.force[0], pushed ? D * (r - a) : 0.0, 1e-12);
		cr_expect_leq(report.iterations, 3);
		end(&sample);
	}
}

/* A unit mass is pressed with p and pulled along the ground with q. For large q it slides with friction mu f_n. With
 * references of zero, N = mu a_z, T = mu a_x and equal weights: f_n = -Dm mu (N - mu T), f_t = mu f_n. */
Test(soft_contact, sliding_by_hand)
{
	static Sample sample;
	begin(&sample, 0, 0, 1.0);
	const double mu = 0.4, D = 30.0, p = 5.0, q = 40.0;
	memset(sample.mass, 0, sizeof sample.mass);
	for (int i = 0; i < 6 * BODIES; i++) {
		sample.mass[6 * i + i % 6] = 1.0;
		sample.free[i] = i == 0 ? q : i == 2 ? -p : 0.0;
	}
	sample.points[0] =
	    (AbutSoftPoint){.elliptic = true, .n_rows = 3, .body = {-1, 0}, .mu = mu, .friction = {mu, mu}};
	for (int i = 0; i < 3; i++) {
		sample.rows[i] = (AbutSoftRow){.weight = D};
		sample.rows[i].J[6 + (i + 2) % 3] = 1.0;
	}
	sample.problem.n_points = 1;
	sample.problem.n_rows = 3;
	solve(&sample, 0);
	/* f_n = K (mu a_x - a_z) with K = D / (1 + mu^2), a_z = f_n - p, a_x = q - mu f_n */
	const double K = D / (1.0 + mu * mu), f = K * (mu * q + p) / (1.0 + K * (1.0 + mu * mu));
	cr_expect_float_eq(sample.room.force[0], f, 1e-11);
	cr_expect_float_eq(sample.room.force[1], -mu * f, 1e-11, "%g", sample.room.force[1]);
	cr_expect_float_eq(sample.room.a[0], q - mu * f, 1e-11);
	cr_expect_float_eq(sample.room.a[2], f - p, 1e-11);
	end(&sample);
}

/* --- whole problems --- */

/* Returns J a - r of one row. */
static double distance_of(const AbutSoftProblem *problem, const AbutSoftPoint *point, int row, const double *a)
{
	double sum = -problem->rows[row].reference;
	for (int k = 0; k < 12; k++) {
		const int body = point->body[k / 6];
		sum += body >= 0 ? problem->rows[row].J[k] * a[6 * body + k % 6] : 0.0;
	}
	return sum;
}

/* Returns the cost that the solver minimises. */
static double cost_of(const AbutSoftProblem *problem, const double *a)
{
	double sum = 0.0;
	for (int i = 0; i < 6 * problem->n_bodies; i++) {
		for (int k = 0; k < 6; k++) {
			const int j = i - i % 6 + k;
			sum += 0.5 * (a[i] - problem->free[i]) * problem->mass[6 * i + k] * (a[j] - problem->free[j]);
		}
	}
	for (int p = 0; p < problem->n_points; p++) {
		const AbutSoftPoint *point = &problem->points[p];
		double y[ABUT_SOFT_MOST_ROWS];
		for (int i = 0; i < point->n_rows; i++) {
			y[i] = distance_of(problem, point, point->first_row + i, a);
		}
		sum += abut_soft_point(point, &problem->rows[point->first_row], y, NULL, NULL);
	}
	return sum;
}

/* No small change of the accelerations has a smaller cost. */
Test(soft_contact, is_a_minimum)
{
	for (unsigned seed = 0; seed < 100; seed++) {
		static Sample sample;
		begin(&sample, seed, POINTS, 20.0);
		solve(&sample, seed);
		AbutRng rng = abut_rng_stream(seed, 2);
		const double least = cost_of(&sample.problem, sample.room.a);
		for (int trial = 0; trial < 50; trial++) {
			double a[6 * BODIES];
			const double size = pow(10.0, abut_rng_uniform(&rng, -4.0, 0.0));
			for (int i = 0; i < 6 * BODIES; i++) {
				a[i] = sample.room.a[i] + size * abut_rng_normal(&rng);
			}
			cr_assert_geq(cost_of(&sample.problem, a), least, "seed %u", seed);
		}
		end(&sample);
	}
}

/* The dual problem is min 1/2 f' (J M^-1 J' + R) f + f' (J a0 - r) over the friction cones themselves. It is solved by
 * projected gradients with momentum in g_0 = f_0, g_i = f_i / friction_i, where the cone is |g_1..| <= g_0. It does not
 * use the penalty. */
typedef struct Dual {
	double Q[ROWS][ROWS], c[ROWS], g[ROWS];
} Dual;

static void invert6(const double M[36], double out[36])
{
	double work[6][12];
	for (int i = 0; i < 6; i++) {
		for (int k = 0; k < 12; k++) {
			work[i][k] = k < 6 ? M[6 * i + k] : k - 6 == i ? 1.0 : 0.0;
		}
	}
	for (int i = 0; i < 6; i++) { /* positive definite: no pivoting */
		const double pivot = work[i][i];
		for (int k = 0; k < 12; k++) {
			work[i][k] /= pivot;
		}
		for (int r = 0; r < 6; r++) {
			const double factor = work[r][i];
			for (int k = 0; r != i && k < 12; k++) {
				work[r][k] -= factor * work[i][k];
			}
		}
	}
	for (int i = 0; i < 36; i++) {
		out[i] = work[i / 6][6 + i % 6];
	}
}

/* Computes J in all coordinates, and the factor from g to f. */
static void spread(const Sample *sample, double J[ROWS][6 * BODIES], double factor[ROWS])
{
	memset(J, 0, sizeof(double) * ROWS * 6 * BODIES);
	for (int p = 0; p < sample->problem.n_points; p++) {
		const AbutSoftPoint *point = &sample->points[p];
		for (int i = 0; i < point->n_rows; i++) {
			const int row = point->first_row + i;
			factor[row] = point->elliptic && i > 0 ? point->friction[i - 1] : 1.0;
			for (int s = 0; s < 2; s++) {
				for (int k = 0; point->body[s] >= 0 && k < 6; k++) {
					J[row][6 * point->body[s] + k] += sample->rows[row].J[6 * s + k];
				}
			}
		}
	}
}

static void project(const AbutSoftPoint *point, double *g)
{
	double T = 0.0;
	for (int i = 0; !point->elliptic && i < point->n_rows; i++) {
		g[i] = fmax(g[i], 0.0);
	}
	if (!point->elliptic) {
		return;
	}
	for (int i = 1; i < point->n_rows; i++) {
		T = hypot(T, g[i]);
	}
	if (T > g[0]) {
		const double edge = fmax(0.5 * (g[0] + T), 0.0);
		for (int i = 1; i < point->n_rows; i++) {
			g[i] *= edge / T;
		}
		g[0] = edge;
	}
}

static void minimise_dual(const Sample *sample, Dual *dual)
{
	const int n = sample->problem.n_rows;
	double before[ROWS] = {0.0}, at[ROWS] = {0.0}, bound = 0.0;
	for (int i = 0; i < n; i++) {
		double sum = 0.0;
		for (int k = 0; k < n; k++) {
			sum += fabs(dual->Q[i][k]);
		}
		bound = fmax(bound, sum);
		dual->g[i] = 0.0;
	}
	double momentum = 1.0;
	for (int iteration = 0; iteration < 6000; iteration++) {
		for (int i = 0; i < n; i++) {
			double slope = dual->c[i];
			for (int k = 0; k < n; k++) {
				slope += dual->Q[i][k] * at[k];
			}
			dual->g[i] = at[i] - slope / bound;
		}
		for (int p = 0; p < sample->problem.n_points; p++) {
			project(&sample->points[p], &dual->g[sample->points[p].first_row]);
		}
		double back = 0.0;
		for (int i = 0; i < n; i++) {
			back += (at[i] - dual->g[i]) * (dual->g[i] - before[i]);
		}
		momentum = back > 0.0 ? 1.0 : momentum; /* begin again where it runs uphill */
		const double next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * momentum * momentum));
		for (int i = 0; i < n; i++) {
			at[i] = dual->g[i] + (momentum - 1.0) / next * (dual->g[i] - before[i]);
			before[i] = dual->g[i];
		}
		momentum = next;
	}
}

Test(soft_contact, solves_the_dual_problem)
{
	static double J[ROWS][6 * BODIES], MJ[ROWS][6 * BODIES], factor[ROWS], inverse[BODIES][36];
	static Dual dual;
	for (unsigned seed = 0; seed < 40; seed++) {
		static Sample sample;
		begin(&sample, seed, 5, 3.0);
		const int n = sample.problem.n_rows;
		solve(&sample, seed);
		spread(&sample, J, factor);
		for (int body = 0; body < BODIES; body++) {
			invert6(&sample.mass[36 * body], inverse[body]);
		}
		for (int i = 0; i < n; i++) {
			for (int k = 0; k < 6 * BODIES; k++) {
				MJ[i][k] = 0.0;
				for (int j = 0; j < 6; j++) {
					MJ[i][k] += inverse[k / 6][6 * (k % 6) + j] * J[i][k - k % 6 + j];
				}
			}
		}
		for (int i = 0; i < n; i++) {
			dual.c[i] = -sample.rows[i].reference;
			for (int k = 0; k < 6 * BODIES; k++) {
				dual.c[i] += J[i][k] * sample.free[k];
			}
			dual.c[i] *= factor[i];
			for (int j = 0; j < n; j++) {
				dual.Q[i][j] = i == j ? 1.0 / sample.rows[i].weight : 0.0;
				for (int k = 0; k < 6 * BODIES; k++) {
					dual.Q[i][j] += J[i][k] * MJ[j][k];
				}
				dual.Q[i][j] *= factor[i] * factor[j];
			}
		}
		minimise_dual(&sample, &dual);
		for (int i = 0; i < n; i++) {
			cr_assert_float_eq(sample.room.force[i], factor[i] * dual.g[i], 1e-7,
			                   "seed %u row %d: %g, not %g", seed, i, sample.room.force[i],
			                   factor[i] * dual.g[i]);
		}
		end(&sample);
	}
}

/* Computes M a - J' f from a alone. */
static void inverse(const AbutSoftProblem *problem, const double *a, double *force, double *applied)
{
	abut_soft_forces(problem, a, force);
	for (int i = 0; i < 6 * problem->n_bodies; i++) {
		applied[i] = 0.0;
		for (int k = 0; k < 6; k++) {
			applied[i] += problem->mass[6 * i + k] * a[i - i % 6 + k];
		}
	}
	for (int p = 0; p < problem->n_points; p++) {
		const AbutSoftPoint *point = &problem->points[p];
		for (int i = point->first_row; i < point->first_row + point->n_rows; i++) {
			for (int k = 0; k < 12; k++) {
				if (point->body[k / 6] >= 0) {
					applied[6 * point->body[k / 6] + k % 6] -= force[i] * problem->rows[i].J[k];
				}
			}
		}
	}
}

/* The inverse finds the external forces again, up to stiff contacts. */
Test(soft_contact, the_way_back_returns_what_pushed)
{
	double worst = 0.0;
	for (unsigned seed = 0; seed < 1000; seed++) {
		static Sample sample;
		begin(&sample, seed, 1 + (int)(seed % POINTS), pow(10.0, seed % 7));
		solve(&sample, seed);
		double force[ROWS], applied[6 * BODIES], scale = 0.0, off = 0.0;
		inverse(&sample.problem, sample.room.a, force, applied);
		for (int i = 0; i < 6 * BODIES; i++) {
			double expected = 0.0;
			for (int k = 0; k < 6; k++) {
				expected += sample.mass[6 * i + k] * sample.free[i - i % 6 + k];
			}
			scale = fmax(scale, fabs(expected));
			off = fmax(off, fabs(applied[i] - expected));
		}
		cr_assert_leq(off, 1e-8 * scale, "seed %u: off by %g of %g", seed, off, scale);
		worst = fmax(worst, off / scale);
		end(&sample);
	}
	cr_log_info("largest difference %g", worst);
}

Test(soft_contact, solving_allocates_nothing)
{
	static Sample sample;
	begin(&sample, 3, POINTS, 1e3);
	watch_begin(0);
	solve(&sample, 3);
	watch_end();
	cr_assert_eq(watch.calls, 0);
	end(&sample);
}
