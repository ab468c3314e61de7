/* Random values of a scene: the distributions of `random` in a spec. */
#pragma once

#include "io/json/node.h"

typedef enum AbutDrawKind {
	ABUT_DRAW_UNIFORM,     /* between a and b */
	ABUT_DRAW_LOG_UNIFORM, /* between a and b, uniform in the logarithm */
	ABUT_DRAW_NORMAL,      /* mean a, standard deviation b */
	ABUT_DRAW_ROTATION,    /* a quaternion, uniform over all rotations */
	ABUT_DRAW_ABOUT,       /* a quaternion: a turn about `axis` by an angle (rad), uniform between a[0] and b[0] */
	ABUT_DRAW_CHOICE       /* one of `choices` */
} AbutDrawKind;

enum { ABUT_DRAW_MOST = 16 }; /* most numbers of a vector */

typedef struct AbutSweepDraw {
	char *path, *place; /* path in the scene and in the spec; owned */
	AbutDrawKind kind;
	int size; /* length of the vector; 0: a single number */
	double a[ABUT_DRAW_MOST], b[ABUT_DRAW_MOST];
	double axis[3]; /* unit vector */
	int n_choices;
	char **choices; /* JSON text, owned */
} AbutSweepDraw;

typedef struct AbutSweepDraws {
	int count, capacity;
	AbutSweepDraw *items;
} AbutSweepDraws;

extern const AbutKeySet abut_sweep_keys_random;

/* Reads an object of paths and distributions. Errors stay in the reader of the node. */
void abut_sweep_read_draws(const AbutNode *object, AbutSweepDraws *draws);
void abut_sweep_free_draws(AbutSweepDraws *draws);

/* Returns "path=value" with the value drawn for `seed`; the caller frees it, NULL when out of memory. The value depends
 * only on seed and path, not on other values of the spec. */
char *abut_sweep_draw(const AbutSweepDraw *draw, unsigned long long seed);
