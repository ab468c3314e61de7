#include "sweep/published_stack.h"

#include <math.h>
#include <stdio.h>

#include "abut/model.h"

typedef struct PlanarScene {
	AbutSceneDef def;
	AbutBodyDef bodies[3]; /* the floor first */
	AbutPairDef pairs[2];
	AbutShape *floor, *shape; /* owned */
	const AbutShape *floor_part, *part;
} PlanarScene;

static bool refused(const AbutError *error)
{
	fprintf(stderr, "published: %s: %s\n", error->where, error->message);
	return false;
}

/* Begins with bodies of 1 kg and an inertia of 0.2 kg m^2, each of which touches only the previous one. */
static void begin(PlanarScene *scene, AbutMethod method, double rate, double kappa, int n_moving, double friction)
{
	static const char *const names[] = {"floor", "lower", "upper"};
	scene->def = abut_scene_def_default();
	scene->def.solver = abut_solver_options_preset(ABUT_PRESET_PAPER, method);
	scene->def.solver.kappa = kappa;
	scene->def.timestep = 1.0 / rate;
	scene->def.friction = friction;
	scene->floor_part = scene->floor;
	scene->part = scene->shape;
	for (int i = 0; i <= n_moving; i++) {
		AbutBodyDef *body = &scene->bodies[i];
		*body = abut_body_def_default();
		body->name = names[i];
		body->n_parts = 1;
		body->is_static = i == 0;
		body->parts = i == 0 ? &scene->floor_part : &scene->part;
		body->mass = i == 0 ? 0.0 : 1.0;
		body->planar_xz = i > 0;
		body->has_centre_of_mass = body->has_inertia = i > 0;
		for (int k = 0; k < 3; k++) {
			body->inertia[4 * k] = 0.2;
		}
		if (i > 0) {
			scene->pairs[i - 1] = (AbutPairDef){.body_a = i - 1,
			                                    .body_b = i,
			                                    .friction = -1.0,
			                                    .torsional_radius = -1.0,
			                                    .restitution = -1.0};
		}
	}
	scene->def.bodies = scene->bodies;
	scene->def.n_bodies = n_moving + 1;
	scene->def.all_pairs = false;
	scene->def.pairs = scene->pairs;
	scene->def.n_pairs = n_moving;
}

static void count_step(const AbutModel *model, const AbutState *state, const AbutWorkspace *workspace,
                       const AbutStepInfo *info, double *violation, double momentum[3], PublishedCell *cell)
{
	double p[3] = {0.0, 0.0, 0.0};
	cell->steps++;
	cell->iterations += info->iterations;
	cell->iterations_max = info->iterations > cell->iterations_max ? info->iterations : cell->iterations_max;
	for (int i = 0; i < abut_contact_count(workspace); i++) {
		AbutContact contact;
		abut_contact_get(model, workspace, i, &contact);
		*violation = fmax(*violation, 1.0 - contact.scaling);
	}
	for (int i = 1; i < abut_model_body_count(model); i++) {
		AbutBodyState at;
		abut_state_get_body(model, state, i, &at);
		p[0] += at.linear_velocity[0];
		p[1] += at.linear_velocity[2];
		p[2] += 0.2 * at.angular_velocity[1];
	}
	for (int k = 0; k < 3; k++) {
		momentum[k] += fabs(p[k]);
	}
}

/* Adds to the sums of the cell, which `finish` divides. */
static bool run(const AbutSceneDef *def, double duration, PublishedCell *cell)
{
	AbutModel *model = NULL;
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutError error;
	AbutStepInfo info = {.outcome = ABUT_OUTCOME_EXACT};
	double violation = 0.0, momentum[3] = {0.0, 0.0, 0.0};
	bool good = abut_model_create(def, &model, &error) == ABUT_OK &&
	            abut_state_create(model, &state, &error) == ABUT_OK &&
	            abut_workspace_create(model, &workspace, &error) == ABUT_OK;
	if (!good) {
		refused(&error);
	}
	const long steps = lround(duration / def->timestep);
	bool failed = false;
	long taken = 0;
	for (long k = 0; good && k < steps && !failed; k++) {
		good = abut_step(model, state, workspace, &info) == ABUT_OK;
		taken++;
		failed = info.outcome >= ABUT_OUTCOME_RAISED_KAPPA;
		count_step(model, state, workspace, &info, &violation, momentum, cell);
	}
	cell->runs++;
	cell->failed_runs += failed;
	cell->violation += violation;
	cell->linear += 0.5 * (momentum[0] + momentum[1]) / (double)(taken > 0 ? taken : 1);
	cell->angular += momentum[2] / (double)(taken > 0 ? taken : 1);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(model);
	return good;
}

static void finish(PublishedCell *cell)
{
	cell->iterations /= (double)cell->steps;
	cell->violation /= (double)cell->runs;
	cell->linear /= (double)cell->runs;
	cell->angular /= (double)cell->runs;
}

static bool make_floor(PlanarScene *scene, AbutError *error)
{
	return abut_shape_create_halfspace((const double[3]){0.0, 0.0, 1.0}, 0.0, &scene->floor, error) == ABUT_OK;
}

static void destroy(PlanarScene *scene)
{
	abut_shape_destroy(scene->floor);
	abut_shape_destroy(scene->shape);
}

bool published_stack(AbutMethod method, double rate, double kappa, PublishedCell *cell)
{
	enum { OFFSETS = 10 };
	PlanarScene scene = {.floor = NULL};
	AbutError error;
	*cell = (PublishedCell){.runs = 0};
	bool good = make_floor(&scene, &error) &&
	            abut_shape_create_box((const double[3]){0.25, 0.25, 0.25}, &scene.shape, &error) == ABUT_OK;
	if (!good) {
		refused(&error);
	}
	for (int i = 1; good && i <= OFFSETS; i++) {
		begin(&scene, method, rate, kappa, 2, 0.5);
		scene.bodies[1].position[0] = 0.02 * i;
		scene.bodies[1].position[2] = 0.25;
		scene.bodies[2].position[2] = 0.75;
		good = run(&scene.def, 1.0, cell);
	}
	finish(cell);
	destroy(&scene);
	return good;
}
