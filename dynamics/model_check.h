/* Checks of a scene definition that need no model: values, names, and what is physically possible. */
#ifndef DYNAMICS_MODEL_CHECK_H
#define DYNAMICS_MODEL_CHECK_H

#include "abut/scene.h"

/* ABUT_OK, or an error whose `where` is a path inside the scene, such as "bodies[1].inertia". */
AbutStatus abut_scene_def_check(const AbutSceneDef *def, AbutError *error);

/* Whether M (3 x 3, row-major) is a possible inertia: symmetric, positive definite, principal moments obeying the
 * triangle inequality, to 1e-9 of the trace. */
bool abut_inertia_possible(const double M[9]);

#endif
