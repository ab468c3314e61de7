/* What a parameter does to a body in a step, or a part of one. */
#ifndef DYNAMICS_GRADIENT_BODY_PARAMETER_H
#define DYNAMICS_GRADIENT_BODY_PARAMETER_H

#include "dynamics/body/body.h"
#include "dynamics/contact/contact.h"
#include "dynamics/model/parameter.h"

/* By one model unit of the parameter (abut_parameter_unit), world axes, model units. The next state changes as the next
 * pose and the velocities do, and not besides. */
typedef struct AbutBodyParameter {
	double right[6]; /* right-hand side of the balances: S d(v+, w+) = right + .. */
	double start[6]; /* of the next pose at the same velocities: displacement of the centre of mass, small turn */
} AbutBodyParameter;

/* Zero where the body does not depend on the parameter, and of a static body. Of a part of a step, `timestep` is the
 * part's length, which follows the model's in proportion. The `first` part begins at the body frame's pose, with the
 * length of the last step that the state has, or without one its own; a later one where the centre of mass is, and with
 * the length of the part before it, which follows the model's too. A planar body's balances out of its plane stay. */
void abut_body_parameter(const AbutModel *model, const AbutBodyWork *body, double timestep, bool first,
                         const AbutParameter *parameter, AbutBodyParameter *out);

#endif
