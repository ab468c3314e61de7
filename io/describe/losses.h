/* Notes what is lost of an element of a scene. */
#pragma once

#include "io/describe/describing.h"

/* The parts of one element that are lost. */
typedef struct AbutLosses {
	int n;
	char list[200];
} AbutLosses;

/* Adds a part, if it is lost. */
void abut_lose(AbutLosses *losses, bool lost, const char *what);
/* What the freedoms of a joint have. */
typedef struct AbutFreedomKinds {
	bool limits, spring, damping, friction, armature, motor;
} AbutFreedomKinds;

/* Returns what any of the freedoms of a joint has. */
AbutFreedomKinds abut_freedom_kinds(const AbutJointDef *joint);
/* Notes what is lost of an element, if anything is. */
void abut_describe_losses(const AbutDescribing *d, const char *element, const char *name, const AbutLosses *losses);
/* Adds what no format of models holds of a body: constant loads, and "planar" if a joint carries it. */
void abut_lose_of_body(const AbutDescribing *d, int body, AbutLosses *losses);
/* Notes all sensors as left out. */
void abut_describe_lost_sensors(const AbutDescribing *d);
