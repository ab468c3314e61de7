/* Runs Abut itself as an engine of the comparison: with its default options, and with the methods of other programs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/gradient.h"
#include "base/error.h"
#include "base/vec3.h"
#include "experiments/peers/peers.h"

struct AbutPeerWorld {
	AbutModel *model;
	AbutState *state;
	double timestep;
	AbutWorkspace *workspace;
	AbutStepInfo info;
	AbutGradient *gradient;
	double *matrix;
	bool no_derivative; /* the last step should have a derivative but has none */
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

/* The variant with default options; smaller indices are the methods for comparison. */
enum { DEFAULTS = ABUT_PEER_METHODS };

/* Returns the options of a variant. The methods follow their originals: MuJoCo and DART use the contacts that overlap
 * at the start of a step. Without error reduction, DART leaves the overlap, as does a constraint without the gap. DART
 * bounds friction by the normal force of the frictionless problem. */
static AbutSolverOptions options_of(int variant)
{
	const bool lcp = variant == ABUT_PEER_LCP || variant == ABUT_PEER_LCP_DEFAULTS;
	if (variant == DEFAULTS) {
		return abut_solver_options_default();
	}
	AbutSolverOptions out =
	    abut_solver_options_preset(ABUT_PRESET_NONE, lcp ? ABUT_METHOD_LCP : ABUT_METHOD_CONVEX);
	if (variant == ABUT_PEER_LCP) {
		out.lcp_gap = ABUT_LCP_GAP_NONE;
		out.lcp_solver = ABUT_LCP_SOLVER_ONE_PASS;
	}
	out.friction_cone = variant == ABUT_PEER_CONVEX_PYRAMID ? ABUT_FRICTION_CONE_PYRAMID : out.friction_cone;
	return out;
}

/* Makes the model. The planes are the parts of body 0. */
static AbutStatus make_model(const AbutPeerScene *scene, int variant, const AbutShape *const *planes, AbutModel **out,
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
			memcpy(bodies[i].linear_velocity, start->velocity, sizeof start->velocity);
		}
	}
	def.name = "peers";
	def.timestep = scene->timestep;
	def.friction = scene->friction;
	def.solver = options_of(variant);
	memcpy(def.gravity, scene->gravity, sizeof def.gravity);
	def.n_bodies = scene->n_bodies + 1;
	def.bodies = bodies;
	return abut_model_create(&def, out, error);
}

/* Makes the planes, and the model, which copies them. */
static AbutStatus make_planes_and_model(const AbutPeerScene *scene, int variant, AbutModel **out, AbutError *error)
{
	AbutShape *planes[ABUT_PEER_PLANES_MAX] = {NULL};
	const AbutShape *parts[ABUT_PEER_PLANES_MAX];
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < scene->n_planes; i++) {
		const AbutPeerPlane *plane = &scene->planes[i];
		status = abut_shape_create_halfspace(plane->normal, plane->offset, &planes[i], error);
		parts[i] = planes[i];
	}
	ABUT_THEN(status, make_model(scene, variant, parts, out, error));
	for (int i = 0; i < scene->n_planes; i++) {
		abut_shape_destroy(planes[i]);
	}
	return status;
}

/* Prepares the derivative by state and inputs, at the exact solution. */
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
	AbutPeerWorld *world = calloc(1, sizeof *world);
	*out = NULL;
	if (!world) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a world");
	}
	AbutStatus status = make_planes_and_model(scene, variant, &world->model, error);
	world->timestep = scene->timestep;
	ABUT_THEN(status, abut_state_create(world->model, &world->state, error));
	ABUT_THEN(status, abut_workspace_create(world->model, &world->workspace, error));
	if (status == ABUT_OK && variant == DEFAULTS) {
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
	memcpy(out->spin, state.angular_velocity, sizeof out->spin);
}

/* Adds the wrench of a contact on one of its two bodies. Uses the reported contact point and centre of mass. */
static void add_wrench(const AbutPeerWorld *world, const AbutContact *contact, int body, double out[6])
{
	AbutBodyState state = {.position = {NAN}};
	const double sign = (contact->body_b == body ? 1.0 : -1.0) / world->timestep;
	double force[3], arm[3], torque[3];
	abut_state_get_body(world->model, world->state, body, &state);
	abut_add_scaled3(contact->friction_impulse, contact->normal_impulse, contact->normal, force);
	abut_scale3(sign, force, force);
	abut_sub3(contact->point, state.position, arm);
	abut_add3(out, force, out);
	abut_add_scaled3(&out[3], sign * contact->torsional_impulse, contact->normal, &out[3]);
	abut_cross3(arm, force, torque);
	abut_add3(&out[3], torque, &out[3]);
}

static void wrench(const AbutPeerWorld *world, int body, int other, double out[6])
{
	memset(out, 0, 6 * sizeof *out);
	for (int i = 0; i < abut_contact_count(world->workspace); i++) {
		AbutContact contact;
		if (abut_contact_get(world->model, world->workspace, i, &contact) == ABUT_OK &&
		    ((contact.body_a == body + 1 && contact.body_b == other + 1) ||
		     (contact.body_b == body + 1 && contact.body_a == other + 1))) {
			add_wrench(world, &contact, body + 1, out);
		}
	}
}

static const AbutPeerEngine engine = {"abut", DEFAULTS, 0,         create,        destroy, push,
                                      step,   report,   read_body, differentiate, true,    wrench};
const AbutPeerFamily abut_peer_abut = {1, &engine};

#define METHOD(place, name)                                                                                            \
	[place] = {name, place, 0, create, destroy, push, step, report, read_body, NULL, true, wrench}
static const AbutPeerEngine methods[ABUT_PEER_METHODS] = {
    METHOD(ABUT_PEER_LCP, "lcp"),
    METHOD(ABUT_PEER_LCP_DEFAULTS, "lcp-defaults"),
    METHOD(ABUT_PEER_CONVEX_PYRAMID, "convex-pyramid"),
    METHOD(ABUT_PEER_CONVEX, "convex"),
};
const AbutPeerFamily abut_peer_methods = {ABUT_PEER_METHODS, methods};
