/* Runs ODE as an engine of the comparison: Debian's libode-dev, in double precision. */
#include <ode/ode.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "experiments/peers/peers.h"
#include "experiments/peers/scenes.h"

enum { DEFAULT, QUICK, HARD, QUICK_HARD }; /* odd numbers use the iterative solver */

/* Two boxes have at most eight contact points. */
enum { CONTACTS_MAX = 8 };

/* The most bodies of a pile for the exact solver. Its time grows with the cube of the number of contacts. */
enum { PILE_MOST = 20 };

struct AbutPeerWorld {
	dWorldID world;
	dSpaceID space;
	dJointGroupID contacts; /* of the current step */
	int n_bodies;
	dBodyID bodies[ABUT_PEER_BODIES_MAX];
	dMass masses[ABUT_PEER_BODIES_MAX];
	bool iterative;
	double timestep, friction;
	double penetration; /* m, of the contacts of the current step */
	bool failed;
};

/* ODE's initialisation and message handler are global. The handler receives only the message, which says that the exact
 * solver found no solution. `complained` is whether there was a message in the current step. */
static bool started, complained;

static void note(int number, const char *format, va_list arguments)
{
	(void)number;
	(void)format;
	(void)arguments;
	complained = true;
}

static bool start(void)
{
	if (!started) {
		started = dInitODE2(0) && dAllocateODEDataForThread((unsigned)dAllocateMaskAll) &&
		          dCheckConfiguration("ODE_double_precision");
		dSetMessageHandler(note);
	}
	return started;
}

static void destroy(AbutPeerWorld *world)
{
	if (world) {
		dJointGroupDestroy(world->contacts);
		dSpaceDestroy(world->space);
		dWorldDestroy(world->world);
		free(world);
	}
}

static void add_body(AbutPeerWorld *world, const AbutPeerScene *scene, int i)
{
	const AbutShape *shape = scene->shapes[i];
	const double *p = scene->start[i].position, *size = shape->size;
	double inertia[3];
	abut_peer_inertia(scene, i, inertia);
	dMassSetParameters(&world->masses[i], scene->mass, 0.0, 0.0, 0.0, inertia[0], inertia[1], inertia[2], 0.0, 0.0,
	                   0.0);
	dBodyID body = dBodyCreate(world->world);
	dBodySetMass(body, &world->masses[i]);
	dBodySetPosition(body, p[0], p[1], p[2]);
	dBodySetQuaternion(body, scene->start[i].orientation);
	const double *v = scene->start[i].velocity;
	dBodySetLinearVel(body, v[0], v[1], v[2]);
	dGeomSetBody(shape->kind == ABUT_SHAPE_CAPSULE ? dCreateCapsule(world->space, size[0], size[1])
	             : shape->kind == ABUT_SHAPE_SPHERE
	                 ? dCreateSphere(world->space, size[0])
	                 : dCreateBox(world->space, 2.0 * size[0], 2.0 * size[1], 2.0 * size[2]),
	             body);
	world->bodies[i] = body;
}

/* Creates a world. Hard variants correct 0.4 of the overlap in a step (ERP; the default is 0.2), and their iterative
 * solver makes five times the default number of sweeps. docs/peers.md describes harder settings. */
static AbutStatus create(const AbutPeerScene *scene, int variant, AbutPeerWorld **out, AbutError *error)
{
	*out = NULL;
	AbutPeerWorld *world = start() ? calloc(1, sizeof *world) : NULL;
	if (!world) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "ODE did not start, or no memory for a world");
	}
	dRandSetSeed(0); /* the iterative solver shuffles its rows */
	world->world = dWorldCreate();
	world->space = dHashSpaceCreate(NULL);
	world->contacts = dJointGroupCreate(0);
	world->iterative = variant % 2 == 1;
	world->timestep = scene->timestep;
	dWorldSetGravity(world->world, scene->gravity[0], scene->gravity[1], scene->gravity[2]);
	world->friction = scene->friction;
	if (variant == HARD || variant == QUICK_HARD) {
		dWorldSetERP(world->world, 0.4);
		dWorldSetCFM(world->world, 1e-8);
		dWorldSetQuickStepNumIterations(world->world, 100);
	}
	for (int i = 0; i < scene->n_planes; i++) {
		const double *n = scene->planes[i].normal;
		dCreatePlane(world->space, n[0], n[1], n[2], scene->planes[i].offset);
	}
	world->n_bodies = scene->n_bodies;
	for (int i = 0; i < scene->n_bodies; i++) {
		add_body(world, scene, i);
	}
	*out = world;
	return ABUT_OK;
}

/* Adds force and torque. ODE clears its accumulators after each step. */
static void push(AbutPeerWorld *world, int body, const double force[3], const double torque[3])
{
	dBodyAddForce(world->bodies[body], force[0], force[1], force[2]);
	dBodyAddRelTorque(world->bodies[body], torque[0], torque[1], torque[2]);
}

/* Creates a joint for each contact point of two geometries. Friction is bounded by a pyramid of mu times the normal
 * force. */
static void touch(void *context, dGeomID a, dGeomID b)
{
	AbutPeerWorld *world = context;
	dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
	dContact contacts[CONTACTS_MAX];
	if (!body_a && !body_b) {
		return;
	}
	const int n = dCollide(a, b, CONTACTS_MAX, &contacts[0].geom, sizeof *contacts);
	for (int i = 0; i < n; i++) {
		contacts[i].surface.mode = dContactApprox1;
		contacts[i].surface.mu = world->friction;
		world->penetration = fmax(world->penetration, contacts[i].geom.depth);
		dJointAttach(dJointCreateContact(world->world, world->contacts, &contacts[i]), body_a, body_b);
	}
}

static void step(AbutPeerWorld *world)
{
	world->penetration = 0.0;
	complained = false;
	dSpaceCollide(world->space, world, touch);
	if (world->iterative) {
		dWorldQuickStep(world->world, world->timestep);
	} else {
		dWorldStep(world->world, world->timestep);
	}
	dJointGroupEmpty(world->contacts);
}

/* Reports the last step. ODE's contacts are those of the state at the start of the step. */
static void report(const AbutPeerWorld *world, AbutPeerStep *out)
{
	out->exact = false;
	out->failed = complained;
	out->penetration = world->penetration;
}

static void read_body(const AbutPeerWorld *world, int body, AbutPeerPose *out)
{
	dBodyID id = world->bodies[body];
	memcpy(out->position, dBodyGetPosition(id), sizeof out->position);
	memcpy(out->orientation, dBodyGetQuaternion(id), sizeof out->orientation);
	memcpy(out->velocity, dBodyGetLinearVel(id), sizeof out->velocity);
	const dReal *w = dBodyGetAngularVel(id);
	dVector3 spin;
	dBodyVectorFromWorld(id, w[0], w[1], w[2], spin);
	memcpy(out->spin, spin, sizeof out->spin);
}

static const AbutPeerEngine engines[] = {
    {"ode", DEFAULT, PILE_MOST, create, destroy, push, step, report, read_body, NULL, true, NULL},
    {"ode-quick", QUICK, 0, create, destroy, push, step, report, read_body, NULL, true, NULL},
    {"ode-hard", HARD, PILE_MOST, create, destroy, push, step, report, read_body, NULL, true, NULL},
    {"ode-quick-hard", QUICK_HARD, 0, create, destroy, push, step, report, read_body, NULL, true, NULL},
};
const AbutPeerFamily abut_peer_ode = {sizeof engines / sizeof *engines, engines};
