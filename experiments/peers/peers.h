/* Scenes for Abut and other engines, and the interface of an engine. */
#ifndef EXPERIMENTS_PEERS_PEERS_H
#define EXPERIMENTS_PEERS_PEERS_H

#include <stdbool.h>

#include "abut/shape.h"

/* --- a scene: boxes, capsules and balls of one mass above planes --- */

enum { ABUT_PEER_BODIES_MAX = 100, ABUT_PEER_PLANES_MAX = 5 };

typedef struct AbutPeerPose {
	double position[3];    /* m, of the centre of mass, world */
	double orientation[4]; /* unit quaternion [w, x, y, z], body to world */
	double velocity[3];    /* m/s, of the centre of mass, world */
	double spin[3];        /* rad/s, body axes */
} AbutPeerPose;

/* The half space n.p <= offset, static. */
typedef struct AbutPeerPlane {
	double normal[3]; /* unit */
	double offset;    /* m */
} AbutPeerPlane;

typedef struct AbutPeerScene {
	double timestep;   /* s */
	double gravity[3]; /* m/s^2 */
	double friction;   /* of every contact */
	double mass;       /* kg, of every body; the inertia is the shape's */
	bool inputs;       /* derivatives by forces and torques on the bodies are wanted, too */
	int n_planes;      /* the floor z <= 0, then walls */
	AbutPeerPlane planes[ABUT_PEER_PLANES_MAX];
	int n_bodies;
	const AbutShape *shapes[ABUT_PEER_BODIES_MAX]; /* of each body: a box, a capsule or a sphere */
	AbutPeerPose start[ABUT_PEER_BODIES_MAX];      /* without spin */
} AbutPeerScene;

/* --- an engine --- */

typedef struct AbutPeerWorld AbutPeerWorld; /* an engine's own */

typedef struct AbutPeerStep {
	bool exact, failed; /* false where an engine has no such notion */
	double penetration; /* m, the deepest of the contacts that the engine reports, 0 when none overlaps */
} AbutPeerStep;

typedef struct AbutPeerEngine {
	const char *name;
	int variant;   /* settings, as defined by the engine */
	int pile_most; /* bodies of the largest pile that it solves in reasonable time; 0: any */
	AbutStatus (*create)(const AbutPeerScene *scene, int variant, AbutPeerWorld **out, AbutError *error);
	void (*destroy)(AbutPeerWorld *world); /* NULL is fine */
	/* Sets force (N, world, at the centre of mass) and torque (N m, body axes) on a body during the next step. Call
	 * it again after the step, with zeros to end the push. */
	void (*push)(AbutPeerWorld *world, int body, const double force[3], const double torque[3]);
	void (*step)(AbutPeerWorld *world); /* all that is timed */
	void (*report)(const AbutPeerWorld *world, AbutPeerStep *out);
	void (*read)(const AbutPeerWorld *world, int body, AbutPeerPose *out);
	/* Replaces `step`, and is timed: computes the derivative of the next step by position, rotation, velocities,
	 * force and torque of every body; an engine that `steps_along` also takes the step. NULL: not offered. */
	void (*differentiate)(AbutPeerWorld *world);
	bool steps_along;
	/* Reads force (N) and torque about the centre of mass (N m), world, of body `other` (-1: all planes) on `body`
	 * in the last step. NULL: not offered. */
	void (*wrench)(const AbutPeerWorld *world, int body, int other, double out[6]);
} AbutPeerEngine;

/* An engine in its settings, the default first; empty where it was not found when this was built. */
typedef struct AbutPeerFamily {
	int count;
	const AbutPeerEngine *engines; /* [count] */
} AbutPeerFamily;

extern const AbutPeerFamily abut_peer_abut, abut_peer_mujoco, abut_peer_ode;
/* The engines of originals.h: Abut's methods, and DART in its settings. */
extern const AbutPeerFamily abut_peer_methods, abut_peer_dart;

/* Abut's methods: indices into `abut_peer_methods`. */
enum { ABUT_PEER_LCP, ABUT_PEER_LCP_DEFAULTS, ABUT_PEER_CONVEX_PYRAMID, ABUT_PEER_CONVEX, ABUT_PEER_METHODS };
enum { ABUT_PEER_DART, ABUT_PEER_DART_DEFAULTS, ABUT_PEER_DART_THOROUGH };
enum { ABUT_PEER_MUJOCO, ABUT_PEER_MUJOCO_ELLIPTIC };

#endif
