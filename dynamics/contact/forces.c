/* Scales or clears the impulses among the dual unknowns of a contact. */
#include "dynamics/contact/forces.h"

#include <string.h>

void abut_scale_forces(const AbutContactWork *contact, AbutFrictionCone cone, double factor, double *z)
{
	z[0] *= factor; /* gamma */
	const int first =
	    contact->at.friction_z + (cone == ABUT_FRICTION_CONE_PYRAMID ? 1 : 0); /* psi of the pyramid is a slip */
	for (int i = first; i < contact->at.friction_z + contact->at.n_friction_z; i++) {
		z[i] *= factor;
	}
}

void abut_step_no_force(const AbutContactWork *contact, double *z)
{
	memset(z, 0, (size_t)contact->at.alpha_z * sizeof(double));
}
