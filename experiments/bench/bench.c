/* Defines the cases of the benchmark, runs them and checks their bounds. The cases are scenes of boxes or of one
 * primitive over a floor, and piles. */
#include "experiments/bench/bench.h"

#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "abut/model.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "experiments/bench/batch.h"
#include "experiments/bench/jacobian.h"
#include "experiments/bench/rollout.h"
#include "experiments/bench/shapes.h"
#include "experiments/bench/world.h"
#include "experiments/setting/pile.h"

enum { MAX_BODIES = 65 };

typedef struct Case {
	const char *name;
	AbutShapeKind kind;
	bool hull;     /* use a hull of 64 faces instead of the kind's shape */
	int count;     /* number of stacked bodies */
	double height; /* m, height of the lowest point of the lowest body above the floor */
	bool tumbling; /* start turned and spinning at random */
	bool warm_start;
	AbutBenchRuns of;    /* steps of 0.01 s. With steps to settle it is a pile, which runs only if named in full */
	int worlds, threads; /* numbers for a batch; 0: a single world */
	bool gradient;       /* time steps with their derivative, and without it */
	bool rollout;        /* time rollouts with the derivative of a cost, and without it */
	bool lcp;            /* time derivatives of steps of method lcp */
	bool by_differences; /* compute these derivatives by central differences */
	int segment;         /* steps between checkpoints of a rollout; 0: none */
} Case;

#define BOXES(of, n) .name = (of), .kind = ABUT_SHAPE_BOX, .count = (n)
#define COLD(k, times) .of.steps = (k), .of.runs = (times)
#define WARM(k, times) .warm_start = true, COLD(k, times)
#define KICKS(bound, interval) .of.kick = (bound), .of.kick_interval = (interval)
#define FALLS(high) .height = (high), .tumbling = true
#define SHAKEN(n) BOXES("tower_" #n "_shaken", n), WARM(1000, 3), KICKS(0.005, 1)
#define KICKED(n) BOXES("tower_" #n "_kicked", n), WARM(1000, 3), KICKS(0.05, 10)
#define PAIR(suffix, of) .name = "stack_2_cold_" suffix, .kind = (of), .count = 2, COLD(500, 4)
#define DROP(suffix, of) .name = "drop_" suffix, .kind = (of), .count = 1, .height = 0.1, WARM(100, 10)
#define BATCH(of, n, on, times) BOXES(of, 1), FALLS(0.1), WARM(100, times), .worlds = (n), .threads = (on)
#define PILE(n) .name = "pile_" #n, .count = (n), WARM(100, 1), .of.settle = 400

static const Case cases[] = {
    {BOXES("cube_falling", 1), FALLS(0.5), WARM(100, 20)},
    {BOXES("cube_rest_cold", 1), COLD(500, 4)},
    {BOXES("cube_rest", 1), WARM(500, 4)},
    {BOXES("stack_2_rest", 2), WARM(500, 4)},
    {BOXES("stack_4_rest", 4), WARM(500, 4)},
    {PAIR("box", ABUT_SHAPE_BOX)},
    {PAIR("polytope", ABUT_SHAPE_POLYTOPE)},
    {PAIR("padded_polytope", ABUT_SHAPE_PADDED_POLYTOPE)},
    {PAIR("sphere", ABUT_SHAPE_SPHERE)},
    {PAIR("ellipsoid", ABUT_SHAPE_ELLIPSOID)},
    {PAIR("capsule", ABUT_SHAPE_CAPSULE)},
    {PAIR("cylinder", ABUT_SHAPE_CYLINDER)},
    {PAIR("cone", ABUT_SHAPE_CONE)},
    {PAIR("minkowski_sum", ABUT_SHAPE_MINKOWSKI_SUM)},
    {PAIR("intersection", ABUT_SHAPE_INTERSECTION)},
    {PAIR("conic", ABUT_SHAPE_CONIC)},
    {PAIR("superellipsoid", ABUT_SHAPE_SMOOTH)},
    {.name = "stack_2_cold_hull_64", .hull = true, .count = 2, COLD(500, 4)},
    {.name = "stack_2_hull_64_shaken", .hull = true, .count = 2, WARM(1000, 3), KICKS(0.005, 1)},
    {SHAKEN(2)},
    {DROP("box", ABUT_SHAPE_BOX)},
    {DROP("polytope", ABUT_SHAPE_POLYTOPE)},
    {DROP("padded_polytope", ABUT_SHAPE_PADDED_POLYTOPE)},
    {DROP("sphere", ABUT_SHAPE_SPHERE)},
    {DROP("ellipsoid", ABUT_SHAPE_ELLIPSOID)},
    {DROP("capsule", ABUT_SHAPE_CAPSULE)},
    {DROP("cylinder", ABUT_SHAPE_CYLINDER)},
    {DROP("cone", ABUT_SHAPE_CONE)},
    {DROP("minkowski_sum", ABUT_SHAPE_MINKOWSKI_SUM)},
    {DROP("intersection", ABUT_SHAPE_INTERSECTION)},
    {DROP("conic", ABUT_SHAPE_CONIC)},
    {DROP("superellipsoid", ABUT_SHAPE_SMOOTH)},
    {BATCH("batch_64_cubes", 64, 1, 10)},
    {BATCH("batch_64_cubes_2_threads", 64, 2, 10)},
    {BATCH("batch_1024_cubes", 1024, 1, 2)},
    {BATCH("batch_1024_cubes_2_threads", 1024, 2, 2)},
    {BOXES("gradient_cube_drop", 1), FALLS(1.0), WARM(150, 20), .gradient = true},
    {BOXES("gradient_stack_4_pushed", 4), WARM(500, 5), KICKS(0.005, 1), .gradient = true},
    {BOXES("gradient_stack_4_kicked", 4), WARM(500, 5), KICKS(0.05, 10), .gradient = true},
    {BOXES("lcp_10_jacobian", 10), COLD(10, 5), .lcp = true},
    {BOXES("lcp_10_differences", 10), COLD(1, 2), .lcp = true, .by_differences = true},
    {BOXES("rollout_cube_drop", 1), FALLS(0.5), WARM(100, 40), .rollout = true},
    {BOXES("rollout_stack_4_pushed", 4), WARM(100, 20), KICKS(0.005, 1), .rollout = true},
    {BOXES("rollout_stack_4_segments", 4), WARM(100, 20), KICKS(0.005, 1), .rollout = true, .segment = 10},
    {SHAKEN(4)},
    {SHAKEN(8)},
    {SHAKEN(16)},
    {SHAKEN(32)},
    {SHAKEN(64)},
    {KICKED(4)},
    {KICKED(8)},
    {KICKED(16)},
    {KICKED(32)},
    {KICKED(64)},
    {PILE(20)},
    {PILE(100)},
    {PILE(1000)},
};

enum { N_CASES = sizeof cases / sizeof *cases };
_Static_assert((int)N_CASES <= (int)ABUT_BENCH_MAX, "room for the results of every case");

const int abut_bench_count = N_CASES;

const char *abut_bench_name(int index)
{
	return cases[index].name;
}

bool abut_bench_chosen(int index, const char *prefix)
{
	const char *name = cases[index].name;
	if (cases[index].of.settle > 0) {
		return prefix && strcmp(name, prefix) == 0;
	}
	return !prefix || strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Makes body `index` of a case: the floor is body 0, the others are above each other. */
static AbutBodyDef make_body(const Case *bench, int index, const AbutShape *const *part, AbutRng *rng)
{
	AbutBodyDef body = abut_body_def_default();
	body.n_parts = 1;
	body.parts = part;
	body.is_static = index == 0;
	if (body.is_static) {
		return body;
	}
	const double below = abut_shape_support(*part, (const double[3]){0.0, 0.0, -1.0}, NULL);
	const double above = abut_shape_support(*part, (const double[3]){0.0, 0.0, 1.0}, NULL);
	body.mass = 1.0;
	body.position[2] = bench->height + below + (index - 1) * (below + above);
	if (bench->tumbling) {
		body.position[2] += (*part)->outer_radius;
		abut_rng_rotation(rng, body.orientation);
		for (int k = 0; k < 3; k++) {
			body.angular_velocity[k] = abut_rng_uniform(rng, -2.0, 2.0);
		}
	}
	return body;
}

/* Makes the model of a case. The model copies the shapes and names. */
static AbutStatus make_model(const Case *bench, const AbutShape *floor_shape, const AbutShape *shape,
                             unsigned long long seed, AbutModel **out, AbutError *error)
{
	const AbutShape *const parts[2] = {floor_shape, shape};
	AbutBodyDef bodies[MAX_BODIES];
	char names[MAX_BODIES][8];
	AbutRng rng = abut_rng_stream(seed, 0);
	AbutSceneDef def = abut_scene_def_default();
	for (int i = 0; i <= bench->count; i++) {
		bodies[i] = make_body(bench, i, &parts[i > 0], &rng);
		snprintf(names[i], sizeof names[i], "%d", i);
		bodies[i].name = names[i];
	}
	def.name = bench->name;
	def.solver.warm_start = bench->warm_start;
	def.solver.method = bench->lcp ? ABUT_METHOD_LCP : def.solver.method;
	def.n_bodies = bench->count + 1;
	def.bodies = bodies;
	return abut_model_create(&def, out, error);
}

/* Makes the options of the runs. Bodies have a mass of 1 kg. */
static AbutBenchRuns make_runs(const Case *bench, const AbutShape *shape, unsigned long long seed)
{
	AbutBenchRuns runs = bench->of;
	runs.kicked.mass = 1.0;
	runs.seed = seed;
	for (int k = 0; shape && k < 3; k++) {
		runs.kicked.inertia[k] = shape->mass.inertia[4 * k] / shape->mass.volume;
	}
	return runs;
}

static AbutStatus run_shape(const Case *bench, const AbutShape *shape, const AbutModel *model, unsigned long long seed,
                            AbutBenchResult *result, AbutError *error)
{
	if (bench->worlds > 0) {
		return abut_bench_batch(model, bench->worlds, bench->threads, seed, bench->of.steps, bench->of.runs,
		                        result, error);
	}
	const AbutBenchRuns runs = make_runs(bench, shape, seed);
	if (bench->rollout) {
		return abut_bench_rollout(model, &runs, bench->segment, result, error);
	}
	if (bench->lcp) {
		return abut_bench_jacobian(model, &runs, bench->by_differences, result, error);
	}
	return bench->gradient ? abut_bench_gradient(model, &runs, result, error)
	                       : abut_bench_world(model, &runs, result, error);
}

static AbutStatus bench_shape(const Case *bench, unsigned long long seed, AbutBenchResult *result, AbutError *error)
{
	AbutShape *floor_shape = NULL, *shape = NULL;
	AbutModel *model = NULL;
	AbutStatus status = abut_bench_shape(ABUT_SHAPE_HALFSPACE, &floor_shape, error);
	ABUT_THEN(status,
	          bench->hull ? abut_bench_hull_64(&shape, error) : abut_bench_shape(bench->kind, &shape, error));
	ABUT_THEN(status, make_model(bench, floor_shape, shape, seed, &model, error));
	ABUT_THEN(status, run_shape(bench, shape, model, seed, result, error));
	abut_model_destroy(model);
	abut_shape_destroy(shape);
	abut_shape_destroy(floor_shape);
	return status;
}

static AbutStatus bench_pile(const Case *bench, unsigned long long seed, AbutBenchResult *result, AbutError *error)
{
	AbutModel *model = NULL;
	const AbutBenchRuns runs = make_runs(bench, NULL, seed);
	AbutStatus status = abut_pile_model_create(bench->count, 0.01, seed, &model, error);
	ABUT_THEN(status, abut_bench_world(model, &runs, result, error));
	abut_model_destroy(model);
	return status;
}

AbutStatus abut_bench_run(int index, unsigned long long seed, AbutBenchResult *result, AbutError *error)
{
	const Case *bench = &cases[index];
	memset(result, 0, sizeof *result);
	result->name = bench->name;
	result->bodies = bench->count;
	result->plain_time_us_mean = result->adjoint_time_us_mean = NAN;
	return bench->of.settle > 0 ? bench_pile(bench, seed, result, error) : bench_shape(bench, seed, result, error);
}

void abut_bench_machine(char out[ABUT_BENCH_MACHINE_SIZE])
{
	char text[4096 + 2] = "", name[96] = "unknown processor";     /* two zeros end the text: colon + 2 is in it */
	const int file = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC); /* fopen would need memory */
	if (file >= 0) {
		text[abut_max_int(0, (int)read(file, text, sizeof text - 2))] = '\0';
		close(file);
	}
	const char *const model = strstr(text, "model name"), *const colon = model ? strchr(model, ':') : NULL;
	if (colon) {
		snprintf(name, sizeof name, "%.90s", colon + 2);
		name[strcspn(name, "\n")] = '\0';
	}
	snprintf(out, ABUT_BENCH_MACHINE_SIZE, "%s, %ld cores", name, sysconf(_SC_NPROCESSORS_ONLN));
}

/* --- bounds --- */

const AbutBenchBound abut_bench_bounds[] = {
    {ABUT_BENCH_TIME, "drop_cylinder", "drop_box", 1.6},
    {ABUT_BENCH_TIME, "drop_ellipsoid", "drop_box", 1.6},
    {ABUT_BENCH_TIME, "drop_cone", "drop_box", 1.6},
    {ABUT_BENCH_TIME, "drop_capsule", "drop_box", 2.0},
    {ABUT_BENCH_TIME, "drop_padded_polytope", "drop_box", 2.0},
    {ABUT_BENCH_TIME, "stack_2_cold_hull_64", "stack_2_cold_box", 5.0},
    {ABUT_BENCH_TIME, "stack_2_hull_64_shaken", "tower_2_shaken", 5.0},
    {ABUT_BENCH_TIME_PER_BODY_ITERATION, "tower_64_shaken", "tower_4_shaken", 1.3},
    {ABUT_BENCH_TIME_PER_BODY_ITERATION, "tower_64_kicked", "tower_4_kicked", 1.3},
    {ABUT_BENCH_ITERATIONS, "tower_16_shaken", NULL, 8.0},
    {ABUT_BENCH_ITERATIONS, "tower_16_kicked", NULL, 8.0},
    {ABUT_BENCH_ITERATIONS, "tower_64_shaken", NULL, 12.0},
    {ABUT_BENCH_ITERATIONS, "tower_64_kicked", NULL, 12.0},
    {ABUT_BENCH_DERIVATIVE, "gradient_cube_drop", NULL, 1.0},
    {ABUT_BENCH_DERIVATIVE, "gradient_stack_4_pushed", NULL, 1.5},
    {ABUT_BENCH_TIME, "lcp_10_jacobian", "lcp_10_differences", 0.1},
    {ABUT_BENCH_DERIVATIVE, "rollout_cube_drop", NULL, 2.0},
    {ABUT_BENCH_DERIVATIVE, "rollout_stack_4_pushed", NULL, 2.0},
};
const int abut_bench_bound_count = sizeof abut_bench_bounds / sizeof *abut_bench_bounds;

const char *abut_bench_quantity_name(AbutBenchQuantity quantity)
{
	static const char *const names[] = {[ABUT_BENCH_TIME] = "mean time",
	                                    [ABUT_BENCH_TIME_PER_BODY_ITERATION] = "time per body and iteration",
	                                    [ABUT_BENCH_ITERATIONS] = "mean iterations",
	                                    [ABUT_BENCH_DERIVATIVE] = "derivative added to the mean step"};
	return names[quantity];
}

static double value_of(AbutBenchQuantity quantity, const char *name, const AbutBenchResult *results, int n)
{
	for (int i = 0; i < n; i++) {
		const AbutBenchResult *result = &results[i];
		if (strcmp(result->name, name) != 0) {
			continue;
		}
		if (quantity == ABUT_BENCH_ITERATIONS) {
			return result->iterations_mean;
		}
		if (quantity == ABUT_BENCH_DERIVATIVE) {
			return result->step_time_us_mean / result->plain_time_us_mean - 1.0;
		}
		return quantity == ABUT_BENCH_TIME
		           ? result->step_time_us_mean
		           : result->step_time_us_mean / (result->bodies * result->iterations_mean);
	}
	return NAN;
}

double abut_bench_bound_value(const AbutBenchBound *bound, const AbutBenchResult *results, int n)
{
	const double value = value_of(bound->quantity, bound->of, results, n);
	return bound->over ? value / value_of(bound->quantity, bound->over, results, n) : value;
}
