/* Measures how easily a mechanism moves at the poses of its definition. MuJoCo scales the softness of a contact, a
 * limit or dry friction by these numbers (docs/formulation.md 15). With the rows G of all joints, held at once, the
 * inertia M and the armatures a of the freedoms' rows g,
 *
 *     of a freedom    g H^-1 g',    of a body    a third of the trace of the block of H^-1 for its place, or its turn,
 *     H^-1  the upper left block of the inverse of  [ M + sum a g' g   G' ;  G  0 ].
 *
 * If only a body's place or only its turn cannot move, it has the other's number in SI, as in MuJoCo. Otherwise, a
 * mechanism that cannot move counts as if it moved by 1e-6 of what its bodies would do alone (for freedoms, those that
 * its light links carry, dynamics/model/light_links.h).
 *
 * Tested against MuJoCo in tests/peers/test_convex_robots.c. */
#pragma once

#include "dynamics/model/model.h"

/* Sets the mobility of the bodies and joints of a new or changed model at the poses of its definition, in model units,
 * if its joints have soft laws. */
AbutStatus abut_joints_find_mobility(AbutModel *model, AbutError *error);
