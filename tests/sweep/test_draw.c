/* Tests random values: what a seed decides, and their distributions by moments over many seeds. */
#include <math.h>

#include "base/vec3.h"
#include "experiments/sweep/load.h"
#include "experiments/sweep/spec_parts.h"
#include "sweep/sweep_folder.h"

TestSuite(draw, .init = sweep_set_up, .fini = sweep_tear_down);

enum { SEEDS = 20000 };

/* A sweep with one scene and these members of `random`. */
static AbutSweep *load_random(const char *members)
{
	char text[1024];
	snprintf(text, sizeof text, "{\"abut_sweep\": 1, \"scenes\": [\"ball.json\"], \"random\": {%s}}", members);
	sweep_write("ball.json", sweep_scene_text);
	sweep_write("random.json", text);
	return sweep_load("random.json");
}

/* Reads the numbers of draw `index` for a seed. */
static int numbers(const AbutSweep *sweep, int index, unsigned long long seed, double *out)
{
	char *const text = abut_sweep_draw(&sweep->random.items[index], seed), *at = strchr(text, '=') + 1;
	int n = 0;
	at += *at == '[';
	for (char *end; (out[n] = strtod(at, &end), end != at); n++) {
		at = end + (*end == ',');
	}
	free(text);
	return n;
}

/* Computes mean and standard deviation of component k over seeds. */
static void moments(const AbutSweep *sweep, int index, int k, bool logarithm, double *mean, double *deviation)
{
	double sum = 0.0, squares = 0.0, x[16];
	for (unsigned long long seed = 0; seed < SEEDS; seed++) {
		cr_assert_gt(numbers(sweep, index, seed, x), k);
		const double value = logarithm ? log(x[k]) : x[k];
		sum += value;
		squares += value * value;
	}
	*mean = sum / SEEDS;
	*deviation = sqrt(squares / SEEDS - *mean * *mean);
}

Test(draw, moments)
{
	AbutSweep *sweep = load_random("\"bodies.ball.mass\": {\"uniform\": [2, 6]},"
	                               "\"bodies.ball.position\": {\"uniform\": [[-1, 0, 3], [1, 0, 7]]},"
	                               "\"friction\": {\"log_uniform\": [1e-3, 10]},"
	                               "\"bodies.ball.linear_velocity\": {\"normal\": [[1, 2, 3], [0.5, 0, 2]]}");
	static const struct {
		int index, component;
		bool logarithm;
		double mean, deviation;
	} table[] = {
	    {0, 0, false, 4.0, 1.1547005383792515},
	    {1, 0, false, 0.0, 0.5773502691896257},
	    {1, 1, false, 0.0, 0.0},
	    {1, 2, false, 5.0, 1.1547005383792515},
	    {2, 0, true, -2.302585, 2.658795},
	    {3, 0, false, 1.0, 0.5},
	    {3, 1, false, 2.0, 0.0},
	    {3, 2, false, 3.0, 2.0},
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		double mean = 0.0, deviation = 0.0;
		moments(sweep, table[i].index, table[i].component, table[i].logarithm, &mean, &deviation);
		/* Five standard errors of the mean, and about as many of the deviation. */
		const double room = 5.0 * table[i].deviation / sqrt(SEEDS) + 1e-12;
		cr_expect_float_eq(mean, table[i].mean, room, "%zu: mean %g", i, mean);
		cr_expect_float_eq(deviation, table[i].deviation, room + 1e-7, "%zu: deviation %g", i, deviation);
	}
	abut_sweep_destroy(sweep);
}

Test(draw, bounds_are_kept)
{
	AbutSweep *sweep = load_random("\"friction\": {\"log_uniform\": [0.25, 0.5]},"
	                               "\"bodies.ball.mass\": {\"uniform\": [3, 3]}");
	for (unsigned long long seed = 0; seed < SEEDS; seed++) {
		double x[16];
		numbers(sweep, 0, seed, x);
		cr_assert(x[0] >= 0.25 * (1.0 - 1e-15) && x[0] <= 0.5 * (1.0 + 1e-15), "seed %llu: %.17g", seed, x[0]);
		numbers(sweep, 1, seed, x);
		cr_assert_eq(x[0], 3.0);
	}
	abut_sweep_destroy(sweep);
}

/* Rotations are uniform: the mean of the matrix is zero, and that of each entry's square a third. */
Test(draw, rotations)
{
	AbutSweep *sweep = load_random("\"bodies.ball.orientation\": {\"rotation\": \"uniform\"}");
	double sum[9] = {0.0}, squares[9] = {0.0};
	for (unsigned long long seed = 0; seed < SEEDS; seed++) {
		double q[16], R[9];
		cr_assert_eq(numbers(sweep, 0, seed, q), 4);
		cr_assert_float_eq(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1.0, 1e-14);
		abut_quat_to_mat3(q, R);
		for (int k = 0; k < 9; k++) {
			sum[k] += R[k];
			squares[k] += R[k] * R[k];
		}
	}
	for (int k = 0; k < 9; k++) {
		cr_expect_float_eq(sum[k] / SEEDS, 0.0, 5.0 * 0.58 / sqrt(SEEDS), "%d: %g", k, sum[k] / SEEDS);
		cr_expect_float_eq(squares[k] / SEEDS, 1.0 / 3.0, 0.01, "%d: %g", k, squares[k] / SEEDS);
	}
	abut_sweep_destroy(sweep);
}

/* A rotation about an axis leaves the axis unchanged; its angle is uniform. */
Test(draw, turns_about_an_axis)
{
	AbutSweep *sweep = load_random("\"bodies.ball.orientation\": {\"about\": [0, 3, 4], \"uniform\": [0.5, 1.5]}");
	const double axis[3] = {0.0, 0.6, 0.8};
	double sum = 0.0;
	for (unsigned long long seed = 0; seed < SEEDS; seed++) {
		double q[16], R[9], turned[3];
		cr_assert_eq(numbers(sweep, 0, seed, q), 4);
		abut_quat_to_mat3(q, R);
		abut_mat3_vec(R, axis, turned);
		for (int k = 0; k < 3; k++) {
			cr_assert_float_eq(turned[k], axis[k], 1e-14, "seed %llu", seed);
		}
		const double angle = 2.0 * atan2(q[1] * axis[0] + q[2] * axis[1] + q[3] * axis[2], q[0]);
		cr_assert(angle >= 0.5 - 1e-14 && angle <= 1.5 + 1e-14, "seed %llu: %g", seed, angle);
		sum += angle;
	}
	cr_expect_float_eq(sum / SEEDS, 1.0, 5.0 * 0.29 / sqrt(SEEDS));
	abut_sweep_destroy(sweep);
}

Test(draw, choices_are_equally_likely)
{
	AbutSweep *sweep = load_random(
	    "\"bodies.ball.shape\": {\"choice\": [{\"type\": \"sphere\", \"radius\": 0.1},"
	    "{\"type\": \"box\", \"half_extents\": [1, 2, 3]}, {\"type\": \"cone\", \"height\": 1, \"radius\": 2}]}");
	static const char *const values[] = {"bodies.ball.shape={\"type\": \"sphere\", \"radius\": 0.1}",
	                                     "bodies.ball.shape={\"type\": \"box\", \"half_extents\": [1, 2, 3]}",
	                                     "bodies.ball.shape={\"type\": \"cone\", \"height\": 1, \"radius\": 2}"};
	long counts[3] = {0, 0, 0};
	for (unsigned long long seed = 0; seed < SEEDS; seed++) {
		char *const text = abut_sweep_draw(&sweep->random.items[0], seed);
		for (int k = 0; k < 3; k++) {
			counts[k] += strcmp(text, values[k]) == 0;
		}
		free(text);
	}
	for (int k = 0; k < 3; k++) {
		cr_expect_float_eq((double)counts[k] / SEEDS, 1.0 / 3.0, 5.0 * 0.471 / sqrt(SEEDS), "%ld", counts[k]);
	}
	cr_expect_eq(counts[0] + counts[1] + counts[2], SEEDS);
	abut_sweep_destroy(sweep);
}

/* A value depends only on the seed and its path, not on other values or their order. */
Test(draw, seed_and_path_decide)
{
	AbutSweep *alone = load_random("\"friction\": {\"uniform\": [0, 1]}");
	AbutSweep *among =
	    load_random("\"bodies.ball.mass\": {\"uniform\": [0, 1]}, \"friction\": {\"uniform\": [0, 1]}");
	for (unsigned long long seed = 0; seed < 100; seed++) {
		double a[16], b[16], c[16], d[16];
		numbers(alone, 0, seed, a);
		numbers(among, 1, seed, b);
		numbers(among, 0, seed, c);
		numbers(alone, 0, seed + 1, d);
		cr_expect_eq(a[0], b[0], "seed %llu", seed);
		cr_expect_neq(a[0], c[0], "seed %llu", seed);
		cr_expect_neq(a[0], d[0], "seed %llu", seed);
	}
	abut_sweep_destroy(alone);
	abut_sweep_destroy(among);
}
