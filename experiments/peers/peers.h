/* The same scenes stepped by Abut and by other engines: what is measured, and the interface of an engine. */
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
	bool inputs;       /* derivatives are asked for by forces and torques on the bodies, too */
	int n_planes;      /* the floor z <= 0, then walls */
	AbutPeerPlane planes[ABUT_PEER_PLANES_MAX];
	int n_bodies;
	const AbutShape *shapes[ABUT_PEER_BODIES_MAX]; /* of each body: a box, a capsule or a sphere */
	AbutPeerPose start[ABUT_PEER_BODIES_MAX];      /* without spin */
} AbutPeerScene;

/* Principal moments (kg m^2) of a body, about its axes. */
void abut_peer_inertia(const AbutPeerScene *scene, int body, double out[3]);

/* --- an engine --- */

typedef struct AbutPeerWorld AbutPeerWorld; /* an engine's own */

typedef struct AbutPeerStep {
	bool exact, failed; /* false where an engine has no such notion */
	double penetration; /* m, the deepest of the contacts that the engine reports, 0 when none overlaps */
} AbutPeerStep;

typedef struct AbutPeerEngine {
	const char *name;
	int variant;   /* settings of the engine; its own meaning */
	int pile_most; /* bodies of the largest pile that it solves in bearable time; 0: any */
	AbutStatus (*create)(const AbutPeerScene *scene, int variant, AbutPeerWorld **out, AbutError *error);
	void (*destroy)(AbutPeerWorld *world); /* NULL is fine */
	/* Force (N, world, at the centre of mass) and torque (N m, body axes) on a body during the next step; to be
	 * called again after it, with zeros if there is no more. */
	void (*push)(AbutPeerWorld *world, int body, const double force[3], const double torque[3]);
	void (*step)(AbutPeerWorld *world); /* all that is timed */
	void (*report)(const AbutPeerWorld *world, AbutPeerStep *out);
	void (*read)(const AbutPeerWorld *world, int body, AbutPeerPose *out);
	/* In the place of `step`, and timed: the matrix of the next step's derivative by every body's position,
	 * rotation, velocities, force and torque; with the step itself taken in an engine that `steps_along`. NULL: not
	 * offered. */
	void (*differentiate)(AbutPeerWorld *world);
	bool steps_along;
	/* Forces (N) and torques about the centre of mass (N m), world, of body `other` (-1: all planes) on `body` in
	 * the last step. NULL: not offered. */
	void (*wrench)(const AbutPeerWorld *world, int body, int other, double out[6]);
} AbutPeerEngine;

/* An engine in its settings, the default first; none where it was not found when this was built. */
typedef struct AbutPeerFamily {
	int count;
	const AbutPeerEngine *engines; /* [count] */
} AbutPeerFamily;

extern const AbutPeerFamily abut_peer_abut, abut_peer_mujoco, abut_peer_ode;
/* Beside each other in originals.h: Abut's methods, and DART in its settings. */
extern const AbutPeerFamily abut_peer_methods, abut_peer_dart;

/* Abut's methods, which are also the places in `abut_peer_methods`. */
enum { ABUT_PEER_LCP, ABUT_PEER_LCP_DEFAULTS, ABUT_PEER_CONVEX_PYRAMID, ABUT_PEER_CONVEX, ABUT_PEER_METHODS };
enum { ABUT_PEER_DART, ABUT_PEER_DART_DEFAULTS, ABUT_PEER_DART_THOROUGH };
enum { ABUT_PEER_MUJOCO, ABUT_PEER_MUJOCO_ELLIPTIC };

/* --- cases (scenes.c) --- */

typedef enum AbutPeerLayout {
	ABUT_PEER_STACK,
	ABUT_PEER_GRID,    /* apart, in rows of ten */
	ABUT_PEER_DROPPED, /* from 1 m, turned at random */
	ABUT_PEER_PILE     /* cubes and capsules let fall into a bin (experiments/setting/pile.h) */
} AbutPeerLayout;

/* How a case starts otherwise than at rest, touching, on level ground. */
typedef struct AbutPeerStart {
	double slope;  /* degrees: gravity leans towards x, as on an incline */
	double speed;  /* m/s, along x */
	double height; /* m, of air under every body; below 0 they start in each other and in the floor */
} AbutPeerStart;

typedef struct AbutPeerCase {
	const char *name;
	AbutPeerLayout layout;
	AbutShapeKind kind;         /* but in a pile */
	int count;                  /* of bodies */
	double timestep;            /* s */
	double settle;              /* s, before the timed steps */
	double duration;            /* s, timed */
	int runs;                   /* of different seeds */
	int repeats;                /* of every run; a step's time is the least of them */
	double kick;                /* m/s and rad/s: bound of the random change of each velocity of each body */
	int kick_interval;          /* in steps; 0: no kicks */
	bool gradient;              /* the times are those of derivatives */
	const AbutPeerStart *start; /* NULL: at rest, touching, on level ground */
} AbutPeerCase;

/* The shapes that scenes refer to. */
typedef struct AbutPeerShapes {
	AbutShape *box, *capsule, *sphere;
} AbutPeerShapes;

int abut_peer_case_count(void);
const AbutPeerCase *abut_peer_case(int index);
int abut_peer_case_index(const char *name);                                /* -1 when there is none */
AbutStatus abut_peer_shapes_create(AbutPeerShapes *out, AbutError *error); /* also to be destroyed when it failed */
void abut_peer_shapes_destroy(AbutPeerShapes *shapes);
void abut_peer_scene_fill(const AbutPeerCase *which, const AbutPeerShapes *shapes, double timestep,
                          unsigned long long seed, int run, AbutPeerScene *scene);
/* How far the body reaches into the deepest of the planes (m), negative when it is clear of all. */
double abut_peer_depth(const AbutPeerScene *scene, int body, const AbutPeerPose *pose);

/* --- the engines that are there (engines.c): Abut first --- */

enum { ABUT_PEER_ENGINES_MAX = 10 };

int abut_peer_engine_count(void);
const AbutPeerEngine *abut_peer_engine(int index);
/* Whether the engine is asked to step the case. */
bool abut_peer_engine_takes(const AbutPeerEngine *engine, const AbutPeerCase *which);
int abut_peer_reference(void); /* the index of MuJoCo in its default setting, which ratios are to; -1: not there */

/* --- measuring (measure.c) --- */

typedef struct AbutPeerResult {
	long steps; /* timed, of all runs */
	double us_median, us_mean, us_p99;
	double exact_share; /* of the timed steps; NaN for an engine without exact steps */
	long failed_steps;
	double
	    penetration; /* m, worst of all timed steps: of the engine's contacts and of the bodies into the planes */
	double momentum; /* kg m/s, mean over the steps of the length of the total momentum */
} AbutPeerResult;

typedef struct AbutPeerEffort {
	int runs_most, repeats_most; /* caps on the case's own numbers, 0: none */
	long steps_most;
	bool quick; /* leaves the search over frequencies at its first, and no time to settle */
} AbutPeerEffort;

AbutPeerEffort abut_peer_effort(bool quick);
AbutStatus abut_peer_measure(const AbutPeerCase *which, const AbutPeerEngine *engine, double timestep,
                             unsigned long long seed, const AbutPeerEffort *effort, AbutPeerResult *result,
                             AbutError *error);

/* --- the dropped cube below 1 mm (search.c) --- */

/* What a frequency takes and gives: worst penetration over all drops, CPU per simulated second. */
typedef struct AbutPeerTrial {
	double frequency;   /* Hz */
	double penetration; /* m */
	double cpu_ms;      /* per simulated second */
	bool below;         /* 1 mm in every step, and no step failed */
} AbutPeerTrial;

enum { ABUT_PEER_TRIALS_MAX = 32 };

/* Every frequency that was tried, for a plot, and the one found: from 100 Hz to 10 kHz, by halving to a few per cent. A
 * lower one may exist. For Abut, the frequencies from 10 Hz to 1 kHz, and the 20 Hz of its bound is the one found. */
typedef struct AbutPeerSearch {
	int count;
	AbutPeerTrial trials[ABUT_PEER_TRIALS_MAX]; /* [count] */
	AbutPeerTrial found;                        /* when not `below`: the highest frequency */
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
	double penetration; /* m: a bound on Abut's too, in the place of that on the share of exact steps; 0: none */
} AbutPeerTarget;

enum { ABUT_PEER_EXACT_PERCENT = 99, ABUT_PEER_CPU_FACTOR = 100 }; /* least share of exact steps, least CPU ratio */

int abut_peer_target_count(void);
const AbutPeerTarget *abut_peer_target(int index);

#endif
