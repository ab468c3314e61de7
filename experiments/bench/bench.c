/* The benchmark's cases: each a scene of boxes or of one primitive over a floor, or a pile. */
#include "experiments/bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "abut/model.h"
#include "base/rng.h"
#include "experiments/bench/batch.h"
#include "experiments/bench/gradient.h"
#include "experiments/bench/jacobian.h"
#include "experiments/bench/rollout.h"
#include "experiments/bench/shapes.h"
#include "experiments/bench/world.h"
#include "experiments/setting/pile.h"

enum { MAX_BODIES = 65 };

typedef struct Case {
	const char *name;
	AbutShapeKind kind;
	bool hull;     /* of 64 faces, in place of the kind's shape */
	int count;     /* of bodies, stacked */
	double height; /* m, of the lowest body's lowest point */
	bool tumbling; /* turned and spinning by the seed */
	bool warm_start;
	long steps;          /* of a run, of 0.01 s */
	int runs;            /* timed, after one that is not */
	int worlds, threads; /* of a batch; 0: a single world */
	double kick;         /* m/s and rad/s */
	int kick_interval;   /* in steps; 0: none */
	long pile_settle;    /* steps; 0: no pile. Piles run only when they are named in full */
	bool gradient;       /* steps with their derivative, and without */
	bool rollout;        /* rollouts with a cost's derivative, and without */
	bool lcp;            /* derivatives of steps of method lcp */
	bool by_differences; /* those by central differences */
	int segment;         /* of a rollout: steps between checkpoints; 0: none */
} Case;

#define TOWER(n, suffix, bound, interval)                                                                              \
	{                                                                                                              \
		.name = "tower_" #n suffix, .kind = ABUT_SHAPE_BOX, .count = (n), .warm_start = true, .steps = 1000,   \
		.runs = 3, .kick = (bound), .kick_interval = (interval)                                                \
	}
#define GRADIENT(of, bound, interval)                                                                                  \
	{                                                                                                              \
		.name = (of), .kind = ABUT_SHAPE_BOX, .count = 4, .warm_start = true, .steps = 500, .runs = 5,         \
		.kick = (bound), .kick_interval = (interval), .gradient = true                                         \
	}
#define ROLLOUT(of, between)                                                                                           \
	{                                                                                                              \
		.name = (of), .kind = ABUT_SHAPE_BOX, .count = 4, .warm_start = true, .steps = 100, .runs = 20,        \
		.kick = 0.005, .kick_interval = 1, .rollout = true, .segment = (between)                               \
	}
#define JACOBIAN(of, differences, k, times)                                                                            \
	{                                                                                                              \
		.name = (of), .kind = ABUT_SHAPE_BOX, .count = 10, .steps = (k), .runs = (times), .lcp = true,         \
		.by_differences = (differences)                                                                        \
	}
#define REST(of, n, warm)                                                                                              \
	{                                                                                                              \
		.name = (of), .kind = ABUT_SHAPE_BOX, .count = (n), .warm_start = (warm), .steps = 500, .runs = 4      \
	}
#define DROP(suffix, of)                                                                                               \
	{                                                                                                              \
		.name = "drop_" suffix, .kind = (of), .count = 1, .height = 0.1, .warm_start = true, .steps = 100,     \
		.runs = 10                                                                                             \
	}
#define BATCH(of, n, on, times)                                                                                        \
	{                                                                                                              \
		.name = (of), .kind = ABUT_SHAPE_BOX, .count = 1, .height = 0.1, .tumbling = true, .warm_start = true, \
		.steps = 100, .runs = (times), .worlds = (n), .threads = (on)                                          \
	}
#define PAIR(suffix, of)                                                                                               \
	{                                                                                                              \
		.name = "stack_2_cold_" suffix, .kind = (of), .count = 2, .steps = 500, .runs = 4                      \
	}
#define PILE(n)                                                                                                        \
	{                                                                                                              \
		.name = "pile_" #n, .count = (n), .warm_start = true, .steps = 100, .runs = 1, .pile_settle = 400      \
	}

static const Case cases[] = {
    {.name = "cube_falling",
     .kind = ABUT_SHAPE_BOX,
     .count = 1,
     .height = 0.5,
     .tumbling = true,
     .warm_start = true,
     .steps = 100,
     .runs = 20},
    REST("cube_rest_cold", 1, false),
    REST("cube_rest", 1, true),
    REST("stack_2_rest", 2, true),
    REST("stack_4_rest", 4, true),
    PAIR("box", ABUT_SHAPE_BOX),
    PAIR("polytope", ABUT_SHAPE_POLYTOPE),
    PAIR("padded_polytope", ABUT_SHAPE_PADDED_POLYTOPE),
    PAIR("sphere", ABUT_SHAPE_SPHERE),
    PAIR("ellipsoid", ABUT_SHAPE_ELLIPSOID),
    PAIR("capsule", ABUT_SHAPE_CAPSULE),
    PAIR("cylinder", ABUT_SHAPE_CYLINDER),
    PAIR("cone", ABUT_SHAPE_CONE),
    PAIR("minkowski_sum", ABUT_SHAPE_MINKOWSKI_SUM),
    PAIR("intersection", ABUT_SHAPE_INTERSECTION),
    PAIR("conic", ABUT_SHAPE_CONIC),
    PAIR("superellipsoid", ABUT_SHAPE_SMOOTH),
    {.name = "stack_2_cold_hull_64", .hull = true, .count = 2, .steps = 500, .runs = 4},
    {.name = "stack_2_hull_64_shaken",
     .hull = true,
     .count = 2,
     .warm_start = true,
     .steps = 1000,
     .runs = 3,
     .kick = 0.005,
     .kick_interval = 1},
    TOWER(2, "_shaken", 0.005, 1),
    DROP("box", ABUT_SHAPE_BOX),
    DROP("polytope", ABUT_SHAPE_POLYTOPE),
    DROP("padded_polytope", ABUT_SHAPE_PADDED_POLYTOPE),
    DROP("sphere", ABUT_SHAPE_SPHERE),
    DROP("ellipsoid", ABUT_SHAPE_ELLIPSOID),
    DROP("capsule", ABUT_SHAPE_CAPSULE),
    DROP("cylinder", ABUT_SHAPE_CYLINDER),
    DROP("cone", ABUT_SHAPE_CONE),
    DROP("minkowski_sum", ABUT_SHAPE_MINKOWSKI_SUM),
    DROP("intersection", ABUT_SHAPE_INTERSECTION),
    DROP("conic", ABUT_SHAPE_CONIC),
    DROP("superellipsoid", ABUT_SHAPE_SMOOTH),
    BATCH("batch_64_cubes", 64, 1, 10),
    BATCH("batch_64_cubes_2_threads", 64, 2, 10),
    BATCH("batch_1024_cubes", 1024, 1, 2),
    BATCH("batch_1024_cubes_2_threads", 1024, 2, 2),
    {.name = "gradient_cube_drop",
     .kind = ABUT_SHAPE_BOX,
     .count = 1,
     .height = 1.0,
     .tumbling = true,
     .warm_start = true,
     .steps = 150,
     .runs = 20,
     .gradient = true},
    GRADIENT("gradient_stack_4_pushed", 0.005, 1),
    GRADIENT("gradient_stack_4_kicked", 0.05, 10),
    JACOBIAN("lcp_10_jacobian", false, 10, 5),
    JACOBIAN("lcp_10_differences", true, 1, 2),
    {.name = "rollout_cube_drop",
     .kind = ABUT_SHAPE_BOX,
     .count = 1,
     .height = 0.5,
     .tumbling = true,
     .warm_start = true,
     .steps = 100,
     .runs = 40,
     .rollout = true},
    ROLLOUT("rollout_stack_4_pushed", 0),
    ROLLOUT("rollout_stack_4_segments", 10),
    TOWER(4, "_shaken", 0.005, 1),
    TOWER(8, "_shaken", 0.005, 1),
    TOWER(16, "_shaken", 0.005, 1),
    TOWER(32, "_shaken", 0.005, 1),
    TOWER(64, "_shaken", 0.005, 1),
    TOWER(4, "_kicked", 0.05, 10),
    TOWER(8, "_kicked", 0.05, 10),
    TOWER(16, "_kicked", 0.05, 10),
    TOWER(32, "_kicked", 0.05, 10),
    TOWER(64, "_kicked", 0.05, 10),
    PILE(20),
    PILE(100),
    PILE(1000),
};

enum { N_CASES = sizeof cases / sizeof *cases };
_Static_assert((int)N_CASES <= (int)ABUT_BENCH_MAX, "room for the results of every case");

int abut_bench_count(void)
{
	return N_CASES;
}

const char *abut_bench_name(int index)
{
	return cases[index].name;
}

bool abut_bench_chosen(int index, const char *prefix)
{
	const char *name = cases[index].name;
	if (cases[index].pile_settle > 0) {
		return prefix && strcmp(name, prefix) == 0;
	}
	return !prefix || strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Body `index` of a case: the floor first, the others above each other. */
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

/* The model of a case, which copies the shapes and the names. */
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

/* Bodies have 1 kg. */
static AbutBenchRuns make_runs(const Case *bench, const AbutShape *shape, unsigned long long seed)
{
	AbutBenchRuns runs = {.settle = bench->pile_settle,
	                      .steps = bench->steps,
	                      .runs = bench->runs,
	                      .kick = bench->kick,
	                      .kick_interval = bench->kick_interval,
	                      .kicked = {.mass = 1.0},
	                      .seed = seed};
	for (int k = 0; shape && k < 3; k++) {
		runs.kicked.inertia[k] = shape->mass.inertia[4 * k] / shape->mass.volume;
	}
	return runs;
}

static AbutStatus run_shape(const Case *bench, const AbutShape *shape, const AbutModel *model, unsigned long long seed,
                            AbutBenchResult *result, AbutError *error)
{
	if (bench->worlds > 0) {
		return abut_bench_batch(model, bench->worlds, bench->threads, seed, bench->steps, bench->runs, result,
		                        error);
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
	if (status == ABUT_OK) {
		status = bench->hull ? abut_bench_hull_64(&shape, error) : abut_bench_shape(bench->kind, &shape, error);
	}
	if (status == ABUT_OK) {
		status = make_model(bench, floor_shape, shape, seed, &model, error);
	}
	if (status == ABUT_OK) {
		status = run_shape(bench, shape, model, seed, result, error);
	}
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
	if (status == ABUT_OK) {
		status = abut_bench_world(model, &runs, result, error);
	}
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
	return bench->pile_settle > 0 ? bench_pile(bench, seed, result, error)
	                              : bench_shape(bench, seed, result, error);
}

void abut_bench_machine(char out[ABUT_BENCH_MACHINE_SIZE])
{
	char line[256], name[96] = "unknown processor";
	FILE *file = fopen("/proc/cpuinfo", "r");
	while (file && fgets(line, sizeof line, file)) {
		const char *colon = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
		if (colon) {
			snprintf(name, sizeof name, "%.90s", colon + 2);
			name[strcspn(name, "\n")] = '\0';
			break;
		}
	}
	if (file) {
		fclose(file);
	}
	snprintf(out, ABUT_BENCH_MACHINE_SIZE, "%s, %ld cores", name, sysconf(_SC_NPROCESSORS_ONLN));
}
