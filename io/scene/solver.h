/* Reads the `solver` object of a scene. */
#ifndef IO_SCENE_SOLVER_H
#define IO_SCENE_SOLVER_H

#include "abut/scene.h"
#include "io/json/node.h"

/* Reads the solver options. Errors are recorded in the reader. */
void abut_scene_read_solver(const AbutNode *root, AbutSolverOptions *solver);

#endif
