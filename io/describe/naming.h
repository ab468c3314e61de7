/* Chooses the names of elements of a model, each of them once among the elements of its kind. */
#pragma once

#include <stdbool.h>

#include "abut/scene.h"

/* What has a name, in the order of the kinds: links (bodies of MJCF), joints with the actuators on them, geometries. */
typedef enum AbutNamed {
	ABUT_NAMED_BODY,
	ABUT_NAMED_SITE,    /* a link of URDF */
	ABUT_NAMED_BETWEEN, /* the link between the two joints that carry a body */
	ABUT_NAMED_JOINT,
	ABUT_NAMED_FREEDOM,
	ABUT_NAMED_TIE, /* of a body to the world */
	ABUT_NAMED_SITE_TIE,
	ABUT_NAMED_MOTOR, /* of a ball */
	ABUT_NAMED_GEOM
} AbutNamed;

/* The name of part `k` of element `owner` of the scene. */
typedef struct AbutNamedPart {
	AbutNamed what;
	int owner, k;
	char *text; /* owned */
} AbutNamedPart;

/* The names that are chosen: first those of the bodies. */
typedef struct AbutNaming {
	int n, capacity;
	AbutNamedPart *names;
	bool full; /* memory ran out */
} AbutNaming;

/* Names bodies, joints and their freedoms: a freedom as the joint if that has one or is a ball, otherwise by its part
 * of a name that has parts with + between them, or NAME_k. */
void abut_naming_begin(AbutNaming *names, const AbutSceneDef *def);
void abut_naming_free(AbutNaming *names);
/* Returns the name of a part of an element. If it has none, it gets `base` with `suffix`, and _ while that is taken.
 * No link is called "world". Returns `base` if memory runs out. */
const char *abut_naming_get(AbutNaming *names, const AbutNamedPart *of, const char *base, const char *suffix);
/* Returns the name of a body, and of freedom k of a joint; "" if memory ran out. */
const char *abut_naming_body(const AbutNaming *names, int body);
const char *abut_naming_freedom(const AbutNaming *names, int joint, int k);
