/* The same scenes stepped by Abut and by other engines: what is measured, and the interface of an engine. */
#ifndef EXPERIMENTS_PEERS_PEERS_H
#define EXPERIMENTS_PEERS_PEERS_H

#include <stdbool.h>

#include "abut/shape.h"

/* --- a scene: bodies of one shape over the floor z <= 0, friction 0.5, gravity 9.81 along -z --- */

enum { ABUT_PEER_BODIES_MAX = 100 };

typedef struct AbutPeerPose {
	double position[3];    /* m, of the centre of mass, world */
	double orientation[4]; /* unit quaternion [w, x, y, z], body to world */
	double velocity[3];    /* m/s, of the centre of mass, world */
} AbutPeerPose;

typedef struct AbutPeerScene {
	double timestep;        /* s */
	const AbutShape *shape; /* of every body: a box or a capsule */
	double mass;            /* kg, of every body; the inertia is the shape's */
	int n_bodies;
	AbutPeerPose start[ABUT_PEER_BODIES_MAX]; /* at rest */
} AbutPeerScene;

/* --- an engine --- */

typedef struct AbutPeerWorld AbutPeerWorld; /* an engine's own */

typedef struct AbutPeerStep {
	bool exact, failed; /* false where an engine has no such notion */
	double penetration; /* m, the deepest of the contacts that the engine reports, 0 when none overlaps */
} AbutPeerStep;

typedef struct AbutPeerEngine {
	const char *name;
	int variant; /* settings of the engine; its own meaning */
	AbutStatus (*create)(const AbutPeerScene *scene, int variant, AbutPeerWorld **out, AbutError *error);
	void (*destroy)(AbutPeerWorld *world); /* NULL is fine */
	/* Force (N, world, at the centre of mass) and torque (N m, body axes) on a body during the next steps. */
	void (*push)(AbutPeerWorld *world, int body, const double force[3], const double torque[3]);
	void (*step)(AbutPeerWorld *world); /* all that is timed */
	void (*report)(const AbutPeerWorld *world, AbutPeerStep *out);
	void (*read)(const AbutPeerWorld *world, int body, AbutPeerPose *out);
} AbutPeerEngine;

extern const AbutPeerEngine abut_peer_abut;
/* MuJoCo's settings: default, elliptic and hard, in this order. */
enum { ABUT_PEER_MUJOCO_COUNT = 3 };
extern const AbutPeerEngine abut_peer_mujoco[ABUT_PEER_MUJOCO_COUNT];
extern const bool abut_peer_mujoco_found; /* otherwise the engines above have no functions */

/* Abut first, MuJoCo's default second. */
enum { ABUT_PEER_ENGINES = 1 + ABUT_PEER_MUJOCO_COUNT };
const AbutPeerEngine *abut_peer_engine(int index);

/* --- cases (scenes.c) --- */

typedef struct AbutPeerCase {
	const char *name;
	AbutShapeKind kind;
	int count;         /* of bodies */
	int columns;       /* of a square grid of separate bodies; 0: stacked */
	bool dropped;      /* from 1 m, turned at random */
	double timestep;   /* s */
	double settle;     /* s, before the timed steps */
	double duration;   /* s, timed */
	int runs;          /* of different seeds */
	double kick;       /* m/s and rad/s: bound of the random change of each velocity of each body */
	int kick_interval; /* in steps; 0: no kicks */
} AbutPeerCase;

int abut_peer_case_count(void);
const AbutPeerCase *abut_peer_case(int index);
const AbutPeerCase *abut_peer_case_named(const char *name);
AbutStatus abut_peer_shape_create(AbutShapeKind kind, AbutShape **out, AbutError *error);
void abut_peer_scene_fill(const AbutPeerCase *which, const AbutShape *shape, double timestep, unsigned long long seed,
                          AbutPeerScene *scene);
/* How far the body reaches below the floor (m), negative above it. */
double abut_peer_depth(const AbutShape *shape, const AbutPeerPose *pose);

/* --- measuring (measure.c) --- */

typedef struct AbutPeerResult {
	long steps; /* timed, of all runs */
	double us_median, us_mean, us_p99;
	double exact_share; /* of the timed steps; NaN for an engine without exact steps */
	long failed_steps;
	double penetration; /* m, worst of all steps: of the engine's contacts and of the bodies below the floor */
	double momentum;    /* kg m/s, mean over the steps of the length of the total momentum */
} AbutPeerResult;

typedef struct AbutPeerEffort {
	int repeats;   /* of every run; a step's time is the least of them */
	int runs_most; /* caps on the case's own numbers, 0: none */
	long steps_most;
	bool quick; /* leaves the search over frequencies at its first */
} AbutPeerEffort;

AbutPeerEffort abut_peer_effort(bool quick);
AbutStatus abut_peer_measure(const AbutPeerCase *which, const AbutPeerEngine *engine, double timestep,
                             unsigned long long seed, const AbutPeerEffort *effort, AbutPeerResult *result,
                             AbutError *error);

/* CPU per simulated second of the dropped cube at a frequency from 100 Hz to 10 kHz, found by halving to a few per
 * cent, whose worst penetration over all drops is below 1 mm. A lower one may exist. */
typedef struct AbutPeerSearch {
	double frequency;   /* Hz; the highest when `found` is false */
	double penetration; /* m, there */
	double cpu_ms;      /* per simulated second, there */
	bool found;
} AbutPeerSearch;

AbutStatus abut_peer_search(const AbutPeerEngine *engine, unsigned long long seed, const AbutPeerEffort *effort,
                            AbutPeerSearch *out, AbutError *error);

/* --- targets (targets.c) --- */

/* A bound on the ratio of Abut's time to MuJoCo's in its default setting. */
typedef struct AbutPeerTarget {
	const char *case_name;
	const char *alone; /* not NULL: the ratio is of Abut's times per body, to those of this case of one body */
	bool mean;         /* of the mean times; otherwise of the medians */
	double bound;
} AbutPeerTarget;

enum { ABUT_PEER_EXACT_PERCENT = 99, ABUT_PEER_CPU_FACTOR = 100 }; /* least share of exact steps, least CPU ratio */

int abut_peer_target_count(void);
const AbutPeerTarget *abut_peer_target(int index);

#endif
