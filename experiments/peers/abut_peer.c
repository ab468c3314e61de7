/* Abut itself as an engine of the comparison, with its default options. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/gradient.h"
#include "base/error.h"
#include "experiments/peers/peers.h"

struct AbutPeerWorld {
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
	AbutStepInfo info;
	AbutGradient *gradient;
	double *matrix;
	bool no_derivative; /* of the last step, though asked for */
};

static void destroy(AbutPeerWorld *world)
{
	if (world) {
		free(world->matrix);
		abut_gradient_destroy(world->gradient);
		abut_workspace_destroy(world->workspace);
		abut_state_destroy(world->state);
		abut_model_destroy(world->model);
		free(world);
	}
}

/* The planes are the parts of body 0. */
static AbutStatus make_model(const AbutPeerScene *scene, const AbutShape *const *planes, AbutModel **out,
                             AbutError *error)
{
	AbutBodyDef bodies[1 + ABUT_PEER_BODIES_MAX];
	char names[1 + ABUT_PEER_BODIES_MAX][16];
	AbutSceneDef def = abut_scene_def_default();
	for (int i = 0; i <= scene->n_bodies; i++) {
		bodies[i] = abut_body_def_default();
		snprintf(names[i], sizeof names[i], "%d", i);
		bodies[i].name = names[i];
		bodies[i].n_parts = i == 0 ? scene->n_planes : 1;
		bodies[i].parts = i == 0 ? planes : &scene->shapes[i - 1];
		bodies[i].is_static = i == 0;
		if (i > 0) {
			const AbutPeerPose *start = &scene->start[i - 1];
			bodies[i].mass = scene->mass;
			memcpy(bodies[i].position, start->position, sizeof start->position);
			memcpy(bodies[i].orientation, start->orientation, sizeof start->orientation);
		}
	}
	def.name = "peers";
	def.timestep = scene->timestep;
	def.n_bodies = scene->n_bodies + 1;
	def.bodies = bodies;
	return abut_model_create(&def, out, error);
}

/* The model copies the shapes. */
static AbutStatus make_planes_and_model(const AbutPeerScene *scene, AbutModel **out, AbutError *error)
{
	AbutShape *planes[ABUT_PEER_PLANES_MAX] = {NULL};
	const AbutShape *parts[ABUT_PEER_PLANES_MAX];
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < scene->n_planes; i++) {
		const AbutPeerPlane *plane = &scene->planes[i];
		status = abut_shape_create_halfspace(plane->normal, plane->offset, &planes[i], error);
		parts[i] = planes[i];
	}
	if (status == ABUT_OK) {
		status = make_model(scene, parts, out, error);
	}
	for (int i = 0; i < scene->n_planes; i++) {
		abut_shape_destroy(planes[i]);
	}
	return status;
}

/* By state and inputs, at the exact solution. */
static AbutStatus prepare_derivative(const AbutPeerScene *scene, AbutPeerWorld *world, AbutError *error)
{
	const size_t n = (size_t)scene->n_bodies;
	world->matrix = calloc(ABUT_GRADIENT_ROWS * n * ABUT_GRADIENT_COLUMNS * n, sizeof *world->matrix);
	if (!world->matrix) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a world");
	}
	return abut_gradient_create(world->model, 0.0, &world->gradient, error);
}

static AbutStatus create(const AbutPeerScene *scene, int variant, AbutPeerWorld **out, AbutError *error)
{
	(void)variant;
	AbutPeerWorld *world = calloc(1, sizeof *world);
	*out = NULL;
	if (!world) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a world");
	}
	AbutStatus status = make_planes_and_model(scene, &world->model, error);
	if (status == ABUT_OK) {
		status = abut_state_create(world->model, &world->state, error);
	}
	if (status == ABUT_OK) {
		status = abut_workspace_create(world->model, &world->workspace, error);
	}
	if (status == ABUT_OK) {
		status = prepare_derivative(scene, world, error);
	}
	if (status != ABUT_OK) {
		destroy(world);
		return status;
	}
	*out = world;
	return ABUT_OK;
}

static void push(AbutPeerWorld *world, int body, const double force[3], const double torque[3])
{
	abut_state_set_input(world->model, world->state, body + 1, force, torque);
}

static void step(AbutPeerWorld *world)
{
	abut_step(world->model, world->state, world->workspace, &world->info);
}

static void differentiate(AbutPeerWorld *world)
{
	abut_step_differentiate(world->model, world->state, world->workspace, world->gradient, &world->info);
	world->no_derivative = abut_gradient_matrix(world->gradient, world->matrix, NULL) != ABUT_OK;
}

static void report(const AbutPeerWorld *world, AbutPeerStep *out)
{
	out->exact = world->info.outcome == ABUT_OUTCOME_EXACT;
	out->failed = world->info.outcome > ABUT_OUTCOME_RELAXED || world->no_derivative;
	out->penetration = world->info.max_penetration;
}

static void read_body(const AbutPeerWorld *world, int body, AbutPeerPose *out)
{
	AbutBodyState state = {.position = {NAN}};
	abut_state_get_body(world->model, world->state, body + 1, &state);
	memcpy(out->position, state.position, sizeof out->position);
	memcpy(out->orientation, state.orientation, sizeof out->orientation);
	memcpy(out->velocity, state.linear_velocity, sizeof out->velocity);
}

static const AbutPeerEngine engine = {"abut", 0,      0,         create,        destroy, push,
                                      step,   report, read_body, differentiate, true};
const AbutPeerFamily abut_peer_abut = {1, &engine};
