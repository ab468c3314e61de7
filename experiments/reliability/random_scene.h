/* Makes the scenes of the robustness sweep. A scene depends only on its seed. */
#pragma once

#include "experiments/reliability/study.h"

/* Consecutive seeds pass through the kinds of motion, then through the ordered pairs of shapes. A multiple of
 * RANDOM_SCENE_CYCLE seeds contains every kind with every pair equally often. */
enum { RANDOM_SCENE_KINDS = 8, RANDOM_SCENE_CYCLE = RANDOM_SCENE_KINDS * 64 };

typedef struct RandomScene {
	Scene scene;
	AbutShape *shapes[MOST_BODIES]; /* (n_shapes) owned */
	int n_shapes;
	int kind;
	long steps;
	char label[160]; /* the drawn values, in words */
} RandomScene;

const char *random_scene_kind_name(int kind);
int random_scene_kind(unsigned long seed);
/* Makes the scene of a seed. False if a shape cannot be made (message on stderr). Free the scene in either case. */
bool random_scene_make(unsigned long seed, RandomScene *out);
void random_scene_free(RandomScene *scene);
