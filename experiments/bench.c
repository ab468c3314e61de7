/* The benchmark's cases: each a scene of boxes or of one primitive over a floor. */
#include "experiments/bench.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "abut/model.h"
#include "base/rng.h"
#include "base/sort.h"
#include "experiments/bench_batch.h"
#include "io/run.h"

enum { MAX_BODIES = 5, MAX_RUNS = 32 };

typedef struct Case {
	const char *name;
	AbutShapeKind kind;
	int count;     /* of bodies, stacked */
	double height; /* m, of the lowest body's lowest point */
	bool tumbling; /* turned and spinning by the seed */
	bool warm_start;
	long steps;          /* of a run, of 0.01 s */
	int runs;            /* timed, after one that is not */
	int worlds, threads; /* of a batch; 0: a single world */
} Case;

static const Case cases[] = {
    {"cube_falling", ABUT_SHAPE_BOX, 1, 0.5, true, true, 100, 20, 0, 0},
    {"cube_rest_cold", ABUT_SHAPE_BOX, 1, 0.0, false, false, 500, 4, 0, 0},
    {"cube_rest", ABUT_SHAPE_BOX, 1, 0.0, false, true, 500, 4, 0, 0},
    {"stack_2_rest", ABUT_SHAPE_BOX, 2, 0.0, false, true, 500, 4, 0, 0},
    {"stack_4_rest", ABUT_SHAPE_BOX, 4, 0.0, false, true, 500, 4, 0, 0},
    {"drop_box", ABUT_SHAPE_BOX, 1, 0.1, false, true, 100, 10, 0, 0},
    {"drop_polytope", ABUT_SHAPE_POLYTOPE, 1, 0.1, false, true, 100, 10, 0, 0},
    {"drop_padded_polytope", ABUT_SHAPE_PADDED_POLYTOPE, 1, 0.1, false, true, 100, 10, 0, 0},
    {"drop_sphere", ABUT_SHAPE_SPHERE, 1, 0.1, false, true, 100, 10, 0, 0},
    {"drop_ellipsoid", ABUT_SHAPE_ELLIPSOID, 1, 0.1, false, true, 100, 10, 0, 0},
    {"drop_capsule", ABUT_SHAPE_CAPSULE, 1, 0.1, false, true, 100, 10, 0, 0},
    {"drop_cylinder", ABUT_SHAPE_CYLINDER, 1, 0.1, false, true, 100, 10, 0, 0},
    {"drop_cone", ABUT_SHAPE_CONE, 1, 0.1, false, true, 100, 10, 0, 0},
    {"batch_64_cubes", ABUT_SHAPE_BOX, 1, 0.1, true, true, 100, 10, 64, 1},
    {"batch_64_cubes_2_threads", ABUT_SHAPE_BOX, 1, 0.1, true, true, 100, 10, 64, 2},
    {"batch_1024_cubes", ABUT_SHAPE_BOX, 1, 0.1, true, true, 100, 2, 1024, 1},
    {"batch_1024_cubes_2_threads", ABUT_SHAPE_BOX, 1, 0.1, true, true, 100, 2, 1024, 2},
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

static AbutStatus make_padded(AbutShape **out, AbutError *error)
{
	AbutShape *core = NULL;
	AbutStatus status = abut_shape_create_box((const double[3]){0.4, 0.3, 0.2}, &core, error);
	if (status == ABUT_OK) {
		status = abut_shape_create_padded_polytope(core, 0.1, out, error);
	}
	abut_shape_destroy(core);
	return status;
}

/* Shapes of about a metre across. */
static AbutStatus make_shape(AbutShapeKind kind, AbutShape **out, AbutError *error)
{
	static const double octahedron[] = {0.5, 0, 0, -0.5, 0, 0, 0, 0.5, 0, 0, -0.5, 0, 0, 0, 0.5, 0, 0, -0.5};
	switch (kind) {
	case ABUT_SHAPE_BOX:
		return abut_shape_create_box((const double[3]){0.5, 0.5, 0.5}, out, error);
	case ABUT_SHAPE_POLYTOPE:
		return abut_shape_create_polytope_from_vertices(6, octahedron, out, error);
	case ABUT_SHAPE_PADDED_POLYTOPE:
		return make_padded(out, error);
	case ABUT_SHAPE_SPHERE:
		return abut_shape_create_sphere(0.5, out, error);
	case ABUT_SHAPE_ELLIPSOID:
		return abut_shape_create_ellipsoid((const double[3]){0.5, 0.4, 0.3}, out, error);
	case ABUT_SHAPE_CAPSULE:
		return abut_shape_create_capsule(0.25, 0.5, out, error);
	case ABUT_SHAPE_CYLINDER:
		return abut_shape_create_cylinder(0.4, 0.8, out, error);
	case ABUT_SHAPE_CONE:
		return abut_shape_create_cone(1.0, 0.5, out, error);
	case ABUT_SHAPE_HALFSPACE:
	case ABUT_SHAPE_COUNT:
		break;
	}
	return abut_shape_create_halfspace((const double[3]){0.0, 0.0, 1.0}, 0.0, out, error);
}

/* Body `index` of a case: the floor first, the others above each other. */
static AbutBodyDef make_body(const Case *bench, int index, const AbutShape *const *part, AbutRng *rng)
{
	static const char *const names[MAX_BODIES] = {"floor", "1", "2", "3", "4"};
	AbutBodyDef body = abut_body_def_default();
	body.name = names[index];
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

/* The model of a case, which copies the shapes. */
static AbutStatus make_model(const Case *bench, unsigned long long seed, AbutModel **out, AbutError *error)
{
	AbutShape *floor_shape = NULL, *shape = NULL;
	AbutStatus status = make_shape(ABUT_SHAPE_HALFSPACE, &floor_shape, error);
	if (status == ABUT_OK) {
		status = make_shape(bench->kind, &shape, error);
	}
	if (status == ABUT_OK) {
		const AbutShape *const parts[2] = {floor_shape, shape};
		AbutBodyDef bodies[MAX_BODIES];
		AbutRng rng = {seed};
		AbutSceneDef def = abut_scene_def_default();
		for (int i = 0; i <= bench->count; i++) {
			bodies[i] = make_body(bench, i, &parts[i > 0], &rng);
		}
		def.name = bench->name;
		def.solver.warm_start = bench->warm_start;
		def.n_bodies = bench->count + 1;
		def.bodies = bodies;
		status = abut_model_create(&def, out, error);
	}
	abut_shape_destroy(shape);
	abut_shape_destroy(floor_shape);
	return status;
}

static void add(AbutBenchResult *result, const AbutRunSummary *run)
{
	const double steps = (double)run->steps;
	result->steps += run->steps;
	result->step_time_us_mean += steps * run->step_time_us_mean;
	result->iterations_mean += steps * run->iterations_mean;
	result->exact_share += (double)run->exact_steps;
	result->retried_steps += run->retried_steps;
	result->failed_steps += run->failed_steps;
}

static AbutStatus run_model(const Case *bench, const AbutModel *model, AbutState *initial, AbutState *state,
                            AbutWorkspace *workspace, AbutBenchResult *result, AbutError *error)
{
	double medians[MAX_RUNS] = {0};
	AbutStatus status = ABUT_OK;
	for (int i = -1; status == ABUT_OK && i < bench->runs; i++) {
		AbutRunSummary run;
		abut_state_copy(model, initial, state);
		status = abut_run(model, state, workspace, bench->steps, NULL, 0, &run, error);
		/* The first run warms the caches and is not counted. */
		if (status == ABUT_OK && i >= 0) {
			medians[i] = run.step_time_us_median;
			add(result, &run);
		}
	}
	if (status == ABUT_OK) {
		abut_sort_numbers(medians, (size_t)bench->runs);
		result->step_time_us_median = medians[bench->runs / 2];
		result->step_time_us_mean /= (double)result->steps;
		result->iterations_mean /= (double)result->steps;
		result->exact_share /= (double)result->steps;
	}
	return status;
}

static AbutStatus bench_world(const Case *bench, const AbutModel *model, AbutBenchResult *result, AbutError *error)
{
	AbutState *initial = NULL, *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutStatus status = abut_state_create(model, &initial, error);
	if (status == ABUT_OK) {
		status = abut_state_create(model, &state, error);
	}
	if (status == ABUT_OK) {
		status = abut_workspace_create(model, &workspace, error);
	}
	if (status == ABUT_OK) {
		status = run_model(bench, model, initial, state, workspace, result, error);
	}
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_state_destroy(initial);
	return status;
}

AbutStatus abut_bench_run(int index, unsigned long long seed, AbutBenchResult *result, AbutError *error)
{
	const Case *bench = &cases[index];
	AbutModel *model = NULL;
	memset(result, 0, sizeof *result);
	result->name = bench->name;
	AbutStatus status = make_model(bench, seed, &model, error);
	if (status == ABUT_OK && bench->worlds > 0) {
		status = abut_bench_batch(model, bench->worlds, bench->threads, seed, bench->steps, bench->runs, result,
		                          error);
	} else if (status == ABUT_OK) {
		status = bench_world(bench, model, result, error);
	}
	abut_model_destroy(model);
	return status;
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
