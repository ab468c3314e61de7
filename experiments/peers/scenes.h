/* The cases that all engines step, and their scenes. */
#ifndef EXPERIMENTS_PEERS_SCENES_H
#define EXPERIMENTS_PEERS_SCENES_H

#include "experiments/peers/peers.h"

typedef enum AbutPeerLayout {
	ABUT_PEER_STACK,
	ABUT_PEER_GRID,    /* apart, in rows of ten */
	ABUT_PEER_DROPPED, /* from 1 m, turned at random */
	ABUT_PEER_PILE     /* cubes and capsules that fall into a bin (experiments/setting/pile.h) */
} AbutPeerLayout;

/* The start of a case that does not begin at rest and touching on level ground. */
typedef struct AbutPeerStart {
	double slope;  /* degrees: gravity leans towards x, as on an incline */
	double speed;  /* m/s, along x */
	double height; /* m, gap under every body; negative: initial overlap */
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

/* Computes the principal moments (kg m^2) of a body, about its axes. */
void abut_peer_inertia(const AbutPeerScene *scene, int body, double out[3]);
int abut_peer_case_count(void);
const AbutPeerCase *abut_peer_case(int index);
int abut_peer_case_index(const char *name);                                /* -1 when there is none */
AbutStatus abut_peer_shapes_create(AbutPeerShapes *out, AbutError *error); /* destroy them also after a failure */
void abut_peer_shapes_destroy(AbutPeerShapes *shapes);
void abut_peer_scene_fill(const AbutPeerCase *which, const AbutPeerShapes *shapes, double timestep,
                          unsigned long long seed, int run, AbutPeerScene *scene);

/* Returns how deep the body reaches into the planes (m); negative when it is clear of all. */
double abut_peer_depth(const AbutPeerScene *scene, int body, const AbutPeerPose *pose);

#endif
