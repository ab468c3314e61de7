/* Writes contacts of a scene as elements of MJCF. */
#pragma once

#include "dynamics/model/model.h"
#include "io/describe/describing.h"

/* Writes solref and solimp, under these names, and margin where they differ from MuJoCo's default. */
void abut_describe_spring(FILE *file, const char *solref, const char *solimp, const AbutSoftness *spring);
/* Writes <contact>: the pairs of bodies that never touch, and the pairs of geometries with values of their own. */
void abut_describe_contacts(const AbutDescribing *d);
