/* Reads which pairs of bodies of a scene may touch. */
#ifndef IO_SCENE_CONTACTS_H
#define IO_SCENE_CONTACTS_H

#include "io/scene/scene_parts.h"

/* Reads `contacts` and `exclude`; call it after reading the bodies. Errors are recorded in the reader. */
void abut_scene_read_contacts(AbutScene *scene, const AbutNode *root);

#endif
