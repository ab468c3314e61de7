/* Reads the `solver` object of a scene. */
#pragma once

#include "abut/scene.h"
#include "io/json/node.h"

/* Reads the solver options. Errors are recorded in the reader. */
void abut_scene_read_solver(const AbutNode *root, AbutSolverOptions *solver);
