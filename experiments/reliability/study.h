/* Runs studies: many runs of two or more bodies, each study summed up in one row of a table. */
#pragma once

#include "abut/model.h"
#include "base/rng.h"

enum { MOST_ROWS = 24 };

typedef struct Tally {
	long runs, steps, failed, raised, halved, retried, exact, iterations;
	long parts;      /* solves; a step in half steps has several */
	long touching;   /* steps with a contact force */
	long not_finite; /* steps after which a number of a body or a contact is NaN or infinite */
	int iterations_max;
	double penetration;              /* m, largest of all steps */
	double exact_penetration;        /* m, largest of the exact steps */
	double relative, exact_relative; /* the two above, divided by the size of the scene */
	double momentum, drift;          /* largest: kg m/s, and m (horizontal) */
	double seconds;
	long row_steps[MOST_ROWS];      /* steps solved by each row of the cascade; [0]: solved by none */
	long row_iterations[MOST_ROWS]; /* iterations of these steps */
} Tally;

enum { MOST_BODIES = 32 };

/* Where failed steps are saved, as files for `abut solve`. Each run then uses its scene as read back from its file, so
 * that saved steps repeat exactly. Reading back rounds scaled shapes and those given by inequalities. */
typedef struct Keep {
	const char *folder; /* NULL: nowhere */
	const char *study;
	long runs; /* runs so far; part of the file names */
	long written, left_out;
} Keep;

/* Sees each step of a run; either function may be NULL. */
typedef struct Watch {
	void *data;
	/* Called before step `step`, counted from 0; may set inputs. */
	void (*before)(void *data, const AbutModel *model, AbutState *state, long step);
	/* Called after it; `touching`: a contact pushes. */
	void (*after)(void *data, const AbutModel *model, const AbutState *state, const AbutStepInfo *info,
	              bool touching);
} Watch;

/* A scene under construction: bodies in fixed storage. */
typedef struct Scene {
	Keep *keep;
	AbutSceneDef def;
	AbutBodyDef bodies[MOST_BODIES];
	const AbutShape *parts[MOST_BODIES];
	char names[MOST_BODIES][24];
	bool overfull; /* more bodies were added than fit */
	double size;   /* m, divides penetrations; 1 unless set */
	Watch watch;
	const char *label; /* label of messages about single steps; if set, only failures are reported */
} Scene;

void scene_begin(Scene *scene, Keep *keep); /* NULL: failed steps are not kept */
/* Adds a body and returns it for further changes; it is static if `mass` is 0. When MOST_BODIES is exceeded it returns
 * the last body again, and study_run refuses the scene. */
AbutBodyDef *scene_add(Scene *scene, const AbutShape *shape, double mass, const double position[3]);

/* Runs the scene for `duration` seconds and adds the results to the tally. False if the scene or a step is refused, or
 * a failed step cannot be saved (message on stderr). */
bool study_run(const Scene *scene, double duration, unsigned long seed, Tally *tally);

void tally_add(Tally *total, const Tally *tally);
void tally_print_header(void);
void tally_print(const char *name, const Tally *tally);
/* Prints, for each row of the cascade, the share of steps it solved and the iterations of these steps. */
void tally_print_rows(const Tally *tally);

/* Make primitives of about unit size, by index in [0, SHAPE_COUNT): box, sphere, ellipsoid, capsule, cylinder, cone,
 * padded polytope, polytope. The caller destroys them. NULL with a message on stderr if one cannot be made. */
enum { SHAPE_COUNT = 8 };
const char *shape_name(int index);
AbutShape *shape_make(int index);
AbutShape *floor_make(const double normal[3]);
/* Make a box with rounded edges, and a box of half extents `face` e with its corners cut: 14 faces. */
AbutStatus padded_make(const double half[3], double padding, AbutShape **out, AbutError *error);
AbutStatus cut_box_make(const double e[3], double face, double corner, AbutShape **out, AbutError *error);
/* Returns the shape, after a message on stderr unless the status is ABUT_OK. */
AbutShape *shape_or_message(const char *name, AbutStatus status, AbutShape *shape, const AbutError *error);
