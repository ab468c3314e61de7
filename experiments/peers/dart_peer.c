/* Runs DART as an engine of the comparison: Debian's libdart-dev, through dart_bridge.h. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "experiments/peers/dart_bridge.h"
#include "experiments/peers/peers.h"
#include "experiments/peers/scenes.h"

struct AbutPeerWorld {
	AbutDartWorld *dart;
};

static void destroy(AbutPeerWorld *world)
{
	if (world) {
		abut_dart_destroy(world->dart);
		free(world);
	}
}

static AbutDartBody body_of(const AbutPeerScene *scene, int i)
{
	const AbutPeerPose *start = &scene->start[i];
	AbutDartBody out = {.sphere = scene->shapes[i]->kind == ABUT_SHAPE_SPHERE, .mass = scene->mass};
	memcpy(out.size, scene->shapes[i]->size, sizeof out.size);
	memcpy(out.position, start->position, sizeof out.position);
	memcpy(out.orientation, start->orientation, sizeof out.orientation);
	memcpy(out.velocity, start->velocity, sizeof out.velocity);
	memcpy(out.spin, start->spin, sizeof out.spin);
	abut_peer_inertia(scene, i, out.inertia);
	return out;
}

static bool fill(AbutDartWorld *dart, const AbutPeerScene *scene)
{
	bool filled = true;
	for (int i = 0; filled && i < scene->n_planes; i++) {
		filled = abut_dart_add_plane(dart, scene->planes[i].normal, scene->planes[i].offset);
	}
	for (int i = 0; filled && i < scene->n_bodies; i++) {
		const AbutDartBody body = body_of(scene, i);
		filled = abut_dart_add_body(dart, &body);
	}
	return filled;
}

/* Creates a world. DART's own collision detector supports only boxes and spheres. */
static AbutStatus create(const AbutPeerScene *scene, int variant, AbutPeerWorld **out, AbutError *error)
{
	enum { thorough = 5000 };
	AbutDartSettings settings = {scene->timestep,
	                             {0.0},
	                             scene->friction,
	                             variant != ABUT_PEER_DART_DEFAULTS,
	                             variant == ABUT_PEER_DART_THOROUGH ? thorough : 0};
	memcpy(settings.gravity, scene->gravity, sizeof settings.gravity);
	*out = NULL;
	for (int i = 0; i < scene->n_bodies; i++) {
		if (scene->shapes[i]->kind != ABUT_SHAPE_BOX && scene->shapes[i]->kind != ABUT_SHAPE_SPHERE) {
			return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
			                      "DART's detector supports only boxes and spheres; body %d is neither", i);
		}
	}
	AbutPeerWorld *world = calloc(1, sizeof *world);
	if (world) {
		world->dart = abut_dart_create(&settings);
	}
	if (!world || !world->dart || !fill(world->dart, scene)) {
		destroy(world);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "DART did not start, or no memory for a world");
	}
	*out = world;
	return ABUT_OK;
}

static void push(AbutPeerWorld *world, int body, const double force[3], const double torque[3])
{
	abut_dart_push(world->dart, body, force, torque);
}

static void step(AbutPeerWorld *world)
{
	abut_dart_step(world->dart);
}

/* Reports the last step. DART's contacts are those of the state at the start of the step. A step counts as failed if
 * Dantzig's method failed and sweeps were used instead. */
static void report(const AbutPeerWorld *world, AbutPeerStep *out)
{
	*out =
	    (AbutPeerStep){.penetration = abut_dart_penetration(world->dart), .failed = abut_dart_gave_up(world->dart)};
}

static void read_body(const AbutPeerWorld *world, int body, AbutPeerPose *out)
{
	AbutDartBody now = {.mass = 0.0};
	abut_dart_read(world->dart, body, &now);
	memcpy(out->position, now.position, sizeof out->position);
	memcpy(out->orientation, now.orientation, sizeof out->orientation);
	memcpy(out->velocity, now.velocity, sizeof out->velocity);
	memcpy(out->spin, now.spin, sizeof out->spin);
}

static void wrench(const AbutPeerWorld *world, int body, int other, double out[6])
{
	abut_dart_wrench(world->dart, body, other, out);
}

static const AbutPeerEngine engines[] = {
    [ABUT_PEER_DART] = {"dart", ABUT_PEER_DART, 0, create, destroy, push, step, report, read_body, NULL, true, wrench},
    [ABUT_PEER_DART_DEFAULTS] = {"dart-defaults", ABUT_PEER_DART_DEFAULTS, 0, create, destroy, push, step, report,
                                 read_body, NULL, true, wrench},
    [ABUT_PEER_DART_THOROUGH] = {"dart-thorough", ABUT_PEER_DART_THOROUGH, 0, create, destroy, push, step, report,
                                 read_body, NULL, true, wrench},
};
const AbutPeerFamily abut_peer_dart = {sizeof engines / sizeof *engines, engines};
