/* Writes the start of a scene as a keyframe of MJCF. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* The numbers of a keyframe. */
typedef enum AbutKeyPart { ABUT_KEY_QPOS, ABUT_KEY_QVEL, ABUT_KEY_CTRL, ABUT_KEY_PARTS } AbutKeyPart;

/* A keyframe while its numbers are collected, in the order in which joints and actuators are written. */
typedef struct AbutDescribedKey {
	int n[ABUT_KEY_PARTS], capacity[ABUT_KEY_PARTS];
	double *values[ABUT_KEY_PARTS];
	bool full; /* memory ran out */
} AbutDescribedKey;

/* Appends numbers. */
void abut_describe_key_add(AbutDescribedKey *key, AbutKeyPart part, const double *values, int n);
/* Writes <keyframe> if a velocity or control is not 0; returns whether it did. */
bool abut_describe_key(FILE *file, const AbutDescribedKey *key);
void abut_describe_free_key(AbutDescribedKey *key);
