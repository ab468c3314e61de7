/* The change of a body's equations by a parameter, in a step or a part of one. */
#ifndef DYNAMICS_GRADIENT_BODY_PARAMETER_H
#define DYNAMICS_GRADIENT_BODY_PARAMETER_H

#include "dynamics/body/body.h"
#include "dynamics/contact/contact.h"
#include "dynamics/model/parameter.h"

/* The change by one model unit of the parameter (abut_parameter_unit). World axes, model units. The next state changes
 * only through the next pose and the velocities. */
typedef struct AbutBodyParameter {
	double right[6]; /* right-hand side of the balances: S d(v+, w+) = right + .. */
	double start[6]; /* of the next pose at the same velocities: displacement of the centre of mass, small turn */
} AbutBodyParameter;

/* Computes that change; 0 for a static body, and if the body does not depend on the parameter. `timestep` is the length
 * of the part, a fixed share of the model's. The `first` part begins at the pose of the body frame, after a step of the
 * length stored in the state (its own length if there was none). A later part begins at the centre of mass, after a
 * part whose length also scales with the model's. A planar body's balances out of its plane do not change. */
void abut_body_parameter(const AbutModel *model, const AbutBodyWork *body, double timestep, bool first,
                         const AbutParameter *parameter, AbutBodyParameter *out);

#endif
