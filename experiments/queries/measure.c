/* Measures the times of queries in blocks of a hundred, long enough for the clock. Each block is repeated, and its
 * least time counts. */
#include "experiments/queries/measure.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "experiments/bench/shapes.h"
#include "experiments/queries/queries.h"

/* --- libraries --- */

static const AbutQueryFamily *const families[] = {&abut_query_ccd, &abut_query_fcl};

enum { N_FAMILIES = sizeof families / sizeof *families };

int abut_query_peer_count(void)
{
	int count = 0;
	for (int i = 0; i < N_FAMILIES; i++) {
		count += families[i]->count;
	}
	return count;
}

const AbutQueryPeer *abut_query_peer(int index)
{
	for (int i = 0; i < N_FAMILIES; i++) {
		if (index < families[i]->count) {
			return &families[i]->peers[index];
		}
		index -= families[i]->count;
	}
	return NULL;
}

enum { BLOCK = 100, BLOCKS = 30, REPEATS = 5, QUERIES = BLOCK * BLOCKS };

static const double relaxed_kappa = 1e-6, slow_move = 2e-3;

typedef struct Poses {
	AbutPose a[QUERIES], b[QUERIES];
} Poses;

/* Draws poses with centres 0.4 to 1.2 of the sum of the outer radii apart: about half of the pairs overlap. */
static void draw(const AbutShape *a, const AbutShape *b, AbutRng *rng, Poses *poses)
{
	const double sizes = a->outer_radius + b->outer_radius;
	for (int k = 0; k < QUERIES; k++) {
		double line[3];
		poses->a[k] = poses->b[k] = (AbutPose){.orientation = {1.0, 0.0, 0.0, 0.0}};
		abut_rng_rotation(rng, poses->a[k].orientation);
		abut_rng_rotation(rng, poses->b[k].orientation);
		for (int i = 0; i < 3; i++) {
			line[i] = abut_rng_normal(rng);
		}
		const double distance = sizes * abut_rng_uniform(rng, 0.4, 1.2) / abut_norm3(line);
		abut_scale3(distance, line, poses->b[k].position);
	}
}

/* Keeps the first pose of each block and moves b to and fro along x from there. */
static void slow_down(Poses *poses)
{
	for (int k = 0; k < QUERIES; k++) {
		if (k % BLOCK > 0) {
			poses->a[k] = poses->a[k - 1];
			poses->b[k] = poses->b[k - 1];
			poses->b[k].position[0] += k / 10 % 2 ? -slow_move : slow_move;
		}
	}
}

/* --- what is timed --- */

typedef struct Run {
	AbutCollision *collision;
	const AbutQueryPeer *peer;
	AbutQueryPair *pair;
	const Poses *poses;
	bool cold; /* forget the last solution before each query */
	double kappa;
	AbutCollisionResult results[BLOCK];
	double answers[BLOCK];
} Run;

typedef void Ask(Run *run, int first);

static void ask_own(Run *run, int first)
{
	for (int k = 0; k < BLOCK; k++) {
		if (run->cold) {
			abut_collision_forget(run->collision);
		}
		abut_collision_solve(run->collision, &run->poses->a[first + k], &run->poses->b[first + k], run->kappa,
		                     &run->results[k], NULL);
	}
}

/* Computes the derivative of the first query of the block a hundred times; the query was already made. */
static void ask_gradient(Run *run, int first)
{
	AbutCollisionGradient gradient;
	(void)first;
	for (int k = 0; k < BLOCK; k++) {
		abut_collision_gradient(run->collision, &gradient, NULL);
	}
}

static void ask_peer(Run *run, int first)
{
	for (int k = 0; k < BLOCK; k++) {
		run->answers[k] = run->peer->ask(run->pair, &run->poses->a[first + k], &run->poses->b[first + k]);
	}
}

/* Returns the mean time of a query, us. */
static double time_all(Run *run, Ask *ask, int blocks)
{
	double sum = 0.0;
	for (int i = 0; i < blocks; i++) {
		double least = (double)INFINITY;
		for (int r = 0; r < REPEATS; r++) {
			if (ask == ask_gradient) {
				abut_collision_solve(run->collision, &run->poses->a[i * BLOCK],
				                     &run->poses->b[i * BLOCK], relaxed_kappa, &run->results[0], NULL);
			}
			const double begin = abut_now_us();
			ask(run, i * BLOCK);
			least = fmin(least, abut_now_us() - begin);
		}
		sum += least / BLOCK;
	}
	return sum / blocks;
}

/* --- a row --- */

static void count_outcomes(Run *run, int blocks, AbutQueryRow *out)
{
	long exact = 0, supports = 0;
	for (int i = 0; i < blocks; i++) {
		ask_own(run, i * BLOCK);
		for (int k = 0; k < BLOCK; k++) {
			exact += run->results[k].outcome == ABUT_OUTCOME_EXACT;
			out->failed += run->results[k].outcome == ABUT_OUTCOME_FAILED;
			supports += run->results[k].iterations;
		}
	}
	out->exact_share = (double)exact / (blocks * BLOCK);
	out->supports = (double)supports / (blocks * BLOCK);
}

static void measure_peers(const AbutShape *a, const AbutShape *b, int blocks, Run *run, AbutQueryRow *out)
{
	for (int i = 0; i < abut_query_peer_count(); i++) {
		run->peer = abut_query_peer(i);
		run->pair = run->peer->create(a, b);
		out->peer[i] = run->pair ? time_all(run, ask_peer, blocks) : (double)NAN;
		run->peer->destroy(run->pair);
	}
}

static AbutStatus measure_pair(const AbutShape *a, const AbutShape *b, int blocks, unsigned long long seed,
                               AbutQueryRow *out, AbutError *error)
{
	AbutRng rng = abut_rng_stream(seed, 0);
	Poses *poses = malloc(sizeof *poses);
	Run run = {.poses = poses, .cold = true};
	if (!poses) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while timing queries");
	}
	const AbutStatus status = abut_collision_create(a, b, &run.collision, error);
	if (status == ABUT_OK) {
		draw(a, b, &rng, poses);
		count_outcomes(&run, blocks, out);
		out->cold = time_all(&run, ask_own, blocks);
		run.kappa = relaxed_kappa;
		out->relaxed = time_all(&run, ask_own, blocks);
		out->gradient = time_all(&run, ask_gradient, blocks);
		measure_peers(a, b, blocks, &run, out);
		slow_down(poses);
		run.cold = false;
		run.kappa = 0.0;
		out->warm = time_all(&run, ask_own, blocks);
	}
	abut_collision_destroy(run.collision);
	free(poses);
	return status;
}

static AbutStatus make(AbutShapeKind kind, AbutShape **out, AbutError *error)
{
	return kind == ABUT_SHAPE_POLYTOPE ? abut_bench_many_faced(out, error) : abut_bench_shape(kind, out, error);
}

/* The kinds of shape that the other libraries support as well. */
enum { FIRST_KIND = ABUT_SHAPE_HALFSPACE + 1, LAST_KIND = ABUT_SHAPE_CONE, KINDS = LAST_KIND - FIRST_KIND + 1 };

_Static_assert(KINDS *(KINDS + 1) / 2 <= ABUT_QUERY_ROWS_MAX, "room for every pair");
const int abut_query_row_count = KINDS * (KINDS + 1) / 2;

AbutStatus abut_query_measure(int index, bool quick, unsigned long long seed, AbutQueryRow *out, AbutError *error)
{
	int a = FIRST_KIND, b = a;
	for (int i = 0; i < index; i++) {
		b++;
		if (b > LAST_KIND) {
			b = ++a;
		}
	}
	*out = (AbutQueryRow){.a = (AbutShapeKind)a, .b = (AbutShapeKind)b};
	AbutShape *shape_a = NULL, *shape_b = NULL;
	AbutStatus status = make(out->a, &shape_a, error);
	ABUT_THEN(status, make(out->b, &shape_b, error));
	ABUT_THEN(status, measure_pair(shape_a, shape_b, quick ? 1 : BLOCKS, seed, out, error));
	abut_shape_destroy(shape_a);
	abut_shape_destroy(shape_b);
	return status;
}

/* --- bounds --- */

static bool is_primitive(AbutShapeKind kind)
{
	return kind != ABUT_SHAPE_POLYTOPE && kind != ABUT_SHAPE_PADDED_POLYTOPE;
}

static bool of_primitives(const AbutQueryRow *row)
{
	return is_primitive(row->a) && is_primitive(row->b);
}

static bool of_polytopes(const AbutQueryRow *row)
{
	return row->a == ABUT_SHAPE_POLYTOPE && row->b == ABUT_SHAPE_POLYTOPE;
}

static double cold(const AbutQueryRow *row)
{
	return of_primitives(row) ? row->cold : (double)NAN;
}

static double cold_of_polytopes(const AbutQueryRow *row)
{
	return of_polytopes(row) ? row->cold : (double)NAN;
}

static double warm_of_boxes(const AbutQueryRow *row)
{
	return row->a == ABUT_SHAPE_BOX && row->b == ABUT_SHAPE_BOX ? row->warm : (double)NAN;
}

static double gradient(const AbutQueryRow *row)
{
	return of_primitives(row) ? row->gradient : (double)NAN;
}

static double gradient_of_polytopes(const AbutQueryRow *row)
{
	return of_polytopes(row) ? row->gradient : (double)NAN;
}

/* Upper bounds, us, on the slowest of the pairs that each covers. A derivative may take as long as a cold query. */
const AbutQueryBound abut_query_bounds[] = {
    {"us cold, pairs of primitives", 1.5, cold},
    {"us cold, polytopes of 50 faces", 6.0, cold_of_polytopes},
    {"us warm, boxes", 0.5, warm_of_boxes},
    {"us gradient, pairs of primitives", 1.5, gradient},
    {"us gradient, polytopes of 50 faces", 6.0, gradient_of_polytopes},
};
const int abut_query_bound_count = sizeof abut_query_bounds / sizeof *abut_query_bounds;

double abut_query_bound_value(const AbutQueryBound *bound, const AbutQueryRow *rows, int n)
{
	double most = (double)NAN;
	for (int i = 0; i < n; i++) {
		most = fmax(most, bound->of(&rows[i])); /* which passes over NaN */
	}
	return most;
}
