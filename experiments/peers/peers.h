/* Defines scenes for Abut and other engines, and the interface of an engine. */
#pragma once

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

/* The static half space n.p <= offset. */
typedef struct AbutPeerPlane {
	double normal[3]; /* unit vector */
	double offset;    /* m */
} AbutPeerPlane;

typedef struct AbutPeerScene {
	double timestep;   /* s */
	double gravity[3]; /* m/s^2 */
	double friction;   /* coefficient of every contact */
	double mass;       /* kg, of every body; the inertia follows from the shape */
	bool inputs;       /* derivatives by forces and torques on the bodies are also needed */
	int n_planes;      /* the floor z <= 0, then the walls */
	AbutPeerPlane planes[ABUT_PEER_PLANES_MAX];
	int n_bodies;
	const AbutShape *shapes[ABUT_PEER_BODIES_MAX]; /* one for each body: a box, a capsule or a sphere */
	AbutPeerPose start[ABUT_PEER_BODIES_MAX];      /* at rest or moving, but without spin */
} AbutPeerScene;

/* --- an engine --- */

typedef struct AbutPeerWorld AbutPeerWorld; /* defined by each engine */

typedef struct AbutPeerStep {
	bool exact, failed; /* false if the engine does not distinguish them */
	double penetration; /* m, deepest contact that the engine reports; 0: no overlap */
} AbutPeerStep;

typedef struct AbutPeerEngine {
	const char *name;
	int variant;   /* a number for the engine's settings */
	int pile_most; /* most bodies of a pile that it solves in reasonable time; 0: any */
	AbutStatus (*create)(const AbutPeerScene *scene, int variant, AbutPeerWorld **out, AbutError *error);
	void (*destroy)(AbutPeerWorld *world); /* NULL is fine */
	/* Sets force (N, world, at the centre of mass) and torque (N m, body axes) on a body during the next step. Call
	 * it again after the step, with zeros, to end the push. */
	void (*push)(AbutPeerWorld *world, int body, const double force[3], const double torque[3]);
	void (*step)(AbutPeerWorld *world); /* the function that is timed */
	void (*report)(const AbutPeerWorld *world, AbutPeerStep *out);
	void (*read)(const AbutPeerWorld *world, int body, AbutPeerPose *out);
	/* Replaces `step` and is timed as well. Computes the derivative of the next step by position, rotation,
	 * velocities, force and torque of every body. If `steps_along` is set, it also takes the step. NULL: not
	 * offered. */
	void (*differentiate)(AbutPeerWorld *world);
	bool steps_along;
	/* Reads the wrench of body `other` (-1: all planes) on `body` in the last step: force (N) and torque about the
	 * centre of mass (N m), world. NULL: not offered. */
	void (*wrench)(const AbutPeerWorld *world, int body, int other, double out[6]);
} AbutPeerEngine;

/* An engine in several settings, the default one first. Empty if the engine is not in this build. */
typedef struct AbutPeerFamily {
	int count;
	const AbutPeerEngine *engines; /* [count] */
} AbutPeerFamily;

extern const AbutPeerFamily abut_peer_abut, abut_peer_mujoco, abut_peer_ode;
/* The engines of originals.h: Abut's methods, and DART in several settings. */
extern const AbutPeerFamily abut_peer_methods, abut_peer_dart;

/* Abut's methods: indices into `abut_peer_methods`. */
enum { ABUT_PEER_LCP, ABUT_PEER_LCP_DEFAULTS, ABUT_PEER_CONVEX_PYRAMID, ABUT_PEER_CONVEX, ABUT_PEER_METHODS };
enum { ABUT_PEER_DART, ABUT_PEER_DART_DEFAULTS, ABUT_PEER_DART_THOROUGH };
enum { ABUT_PEER_MUJOCO, ABUT_PEER_MUJOCO_ELLIPTIC };

/* --- MuJoCo with a model of its own: robots (experiments/robots/) --- */

/* What a robot did in the last step, and where it is. */
typedef struct AbutPeerRobotState {
	double limit_violation; /* rad or m: largest overshoot of a limit of a hinge or slide */
	double speed;           /* rad/s or m/s: largest rate of all coordinates */
	double height;          /* m, of the body asked for */
} AbutPeerRobotState;

/* Worlds of the engine abut_peer_mujoco that come from a model in MuJoCo's XML format. */
typedef struct AbutPeerRobots {
	/* Creates a world from the text of a model. `rest` is the text of a file rest.xml that it includes; NULL: none.
	 */
	AbutStatus (*create)(const char *xml, const char *rest, AbutPeerWorld **out, AbutError *error);
	void (*place)(AbutPeerWorld *world, int n, const double *coordinates); /* of the last n joints, hinges; rad */
	void (*control)(AbutPeerWorld *world, const double *controls);         /* of every actuator */
	void (*read)(const AbutPeerWorld *world, int n, double *coordinates);  /* see `place` */
	/* Creates a world from a file, which keeps its own options but for the timestep (s) and the integrator Euler.
	 * The robot starts at the file's keyframe of that number, -1: at its own pose, with coordinates within their
	 * limits. With `impedance` (0: none), all contacts and limits get this impedance, and a time constant of two
	 * timesteps, the shortest that MuJoCo allows. */
	AbutStatus (*load)(const char *path, int keyframe, double timestep, double impedance, AbutPeerWorld **out,
	                   AbutError *error);
	/* Sets the effort, coordinate or rate that the actuator on the named joint has as target; `i` is the number of
	 * the joint if the name is a list of names, with + between, or its freedom. */
	void (*drive)(AbutPeerWorld *world, const char *joint, int i, double target);
	void (*observe)(const AbutPeerWorld *world, const char *body, AbutPeerRobotState *out);
} AbutPeerRobots;

extern const AbutPeerRobots abut_peer_robots; /* all NULL without MuJoCo */
