/* Writes the joints of a random scene. */
#pragma once

#include "scene_writer.h"

/* Adds joints of every type between `n` bodies: a tree, sometimes with loops. Returns whether they move bodies at the
 * start, which may then overlap. */
bool extreme_add_joints(Writer *w, int n);
