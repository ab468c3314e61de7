/* Inverse dynamics of method convex: of bodies (abut/convex.h), and what those of robots (abut/robot.h) need. */
#pragma once

#include "dynamics/methods/convex/convex.h"

/* The functions of dynamics/model/method.h for inverse dynamics of robots. */
AbutStatus abut_convex_prepare_motion(const AbutModel *model, const AbutState *before, AbutWorkspace *w,
                                      AbutError *error);
void abut_convex_apply_motion(const AbutModel *model, const AbutState *before, AbutWorkspace *w, int index);
