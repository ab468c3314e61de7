/* Computes how a parameter changes the equations of a body in one part of a step. */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/contact/contact.h"
#include "dynamics/model/parameter.h"

/* The change of a body's equations for one model unit of a parameter (abut_parameter_unit). World axes, model units.
 * The next state changes only through the next pose and the velocities. */
typedef struct AbutBodyParameter {
	double right[6]; /* change of the right side of the balances: S d(v+, w+) = right + ... */
	double start[6]; /* change of the next pose at fixed velocities: displacement, small turn */
} AbutBodyParameter;

/* Computes the change of a body's equations by a parameter. The change is 0 for a static body and for a parameter that
 * the body does not depend on. `timestep` is the length of the part, a fixed share of the model's timestep. The `first`
 * part begins at the pose of the body frame. Its previous step has the length stored in the state (the part's own
 * length if none is stored). A later part begins at the pose of the centre of mass, and its previous part also scales
 * with the model's timestep. A planar body's balances out of its plane do not change. */
void abut_body_parameter(const AbutModel *model, const AbutBodyWork *body, double timestep, bool first,
                         const AbutParameter *parameter, AbutBodyParameter *out);
