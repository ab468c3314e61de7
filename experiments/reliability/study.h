/* Studies: many runs of two or more bodies, summed up in one row of a table each. */
#ifndef EXPERIMENTS_RELIABILITY_STUDY_H
#define EXPERIMENTS_RELIABILITY_STUDY_H

#include "abut/model.h"
#include "base/rng.h"

enum { MOST_ROWS = 24 };

typedef struct Tally {
	long runs, steps, failed, raised, halved, retried, exact, iterations;
	long parts;      /* solves: more than steps where steps were taken in half steps */
	long touching;   /* steps with a contact force */
	long not_finite; /* steps after which a number of a body or a contact is NaN or infinite */
	int iterations_max;
	double penetration;              /* m, worst of all steps */
	double exact_penetration;        /* m, worst of the exact steps */
	double relative, exact_relative; /* the same, in sizes of the scene */
	double momentum, drift;          /* worst: kg m/s; m, horizontal */
	double seconds;
	long row_steps[MOST_ROWS];      /* steps that each row of the cascade solved; [0]: none did */
	long row_iterations[MOST_ROWS]; /* of these steps */
} Tally;

enum { MOST_BODIES = 24 };

/* Where failed steps are kept, as files for `abut solve`. The run then uses the scene as read back from its file, so
 * that dumps reproduce it exactly; scaled shapes and those given by inequalities are rounded. */
typedef struct Keep {
	const char *folder; /* NULL: nowhere */
	const char *study;
	long runs; /* so far: part of the names of files */
	long written, left_out;
} Keep;

/* A scene under construction: bodies in fixed storage. */
typedef struct Scene {
	Keep *keep;
	AbutSceneDef def;
	AbutBodyDef bodies[MOST_BODIES];
	const AbutShape *parts[MOST_BODIES];
	char names[MOST_BODIES][24];
	bool overfull;     /* more bodies were added than there is room for */
	double size;       /* m; what penetration is compared with, 1 unless set */
	const char *label; /* of lines about single steps; if set, only failures are reported */
} Scene;

void scene_begin(Scene *scene, Keep *keep); /* NULL: failed steps are not kept */
/* Returns the body for further values; static when mass is 0. Past MOST_BODIES it is the last one again, and study_run
 * refuses the scene. */
AbutBodyDef *scene_add(Scene *scene, const AbutShape *shape, double mass, const double position[3]);

/* Runs the scene for `duration` seconds and adds to the tally. False when the scene or a step is refused
 * or a failed step cannot be kept (message on stderr). */
bool study_run(const Scene *scene, double duration, unsigned long seed, Tally *tally);

void tally_add(Tally *total, const Tally *tally);
void tally_print_header(void);
void tally_print(const char *name, const Tally *tally);
/* Prints, for each row of the cascade, the share of steps it solved and the iterations these steps took. */
void tally_print_rows(const Tally *tally);

/* Primitives of about unit size, by index in [0, shape_count()): box, sphere, ellipsoid, capsule, cylinder, cone,
 * padded polytope, polytope. The caller destroys them. NULL with a message on stderr when one cannot be made. */
int shape_count(void);
const char *shape_name(int index);
AbutShape *shape_make(int index);
AbutShape *floor_make(const double normal[3]);

#endif
