/* Defines the cases that all engines run, and makes their scenes. */
#pragma once

#include "experiments/peers/peers.h"

typedef enum AbutPeerLayout {
	ABUT_PEER_STACK,
	ABUT_PEER_GRID,    /* apart from each other, in rows of ten */
	ABUT_PEER_DROPPED, /* from 1 m, with random orientation */
	ABUT_PEER_PILE     /* cubes and capsules that fall into a bin (experiments/setting/pile.h) */
} AbutPeerLayout;

/* The start of a case that does not start at rest, in contact and on level ground. */
typedef struct AbutPeerStart {
	double slope;  /* degrees: gravity is inclined towards x, as on a slope */
	double speed;  /* m/s, along x */
	double height; /* m, gap under every body; negative: initial overlap */
} AbutPeerStart;

typedef struct AbutPeerCase {
	const char *name;
	AbutPeerLayout layout;
	AbutShapeKind kind;         /* not used for a pile */
	int count;                  /* number of bodies */
	double timestep;            /* s */
	double settle;              /* s, untimed, before the timed steps */
	double duration;            /* s, timed */
	int runs;                   /* number of runs, with different seeds */
	int repeats;                /* repeats of every run; the time of a step is its least one */
	double kick;                /* m/s and rad/s: bound of the random change of each body's velocities */
	int kick_interval;          /* steps between kicks; 0: no kicks */
	bool gradient;              /* measure the times of derivatives */
	const AbutPeerStart *start; /* NULL: at rest, in contact, on level ground */
} AbutPeerCase;

/* The shapes that scenes refer to. */
typedef struct AbutPeerShapes {
	AbutShape *box, *capsule, *sphere;
} AbutPeerShapes;

/* Computes the principal moments of inertia (kg m^2) of a body, about its own axes. */
void abut_peer_inertia(const AbutPeerScene *scene, int body, double out[3]);
extern const int abut_peer_case_count;
extern const AbutPeerCase abut_peer_cases[];                               /* (abut_peer_case_count) */
int abut_peer_case_index(const char *name);                                /* -1: no such case */
AbutStatus abut_peer_shapes_create(AbutPeerShapes *out, AbutError *error); /* destroy them also after a failure */
void abut_peer_shapes_destroy(AbutPeerShapes *shapes);
void abut_peer_scene_fill(const AbutPeerCase *which, const AbutPeerShapes *shapes, double timestep,
                          unsigned long long seed, int run, AbutPeerScene *scene);

/* Returns the largest depth (m) of the body in a plane; negative if it is clear of all planes. */
double abut_peer_depth(const AbutPeerScene *scene, int body, const AbutPeerPose *pose);
