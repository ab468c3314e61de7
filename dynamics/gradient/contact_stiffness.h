/* How stiff what is regularised in a contact is, in the derivative of a step at its exact solution and on the path. */
#ifndef DYNAMICS_GRADIENT_CONTACT_STIFFNESS_H
#define DYNAMICS_GRADIENT_CONTACT_STIFFNESS_H

#include "dynamics/contact/contact.h"
#include "dynamics/island/problem.h"

typedef struct AbutContactStiffness {
	/* K of the laws, at most: impulses in units of I per gap w_c, and per slip w_f along both tangents and of spin
	 * about the normal. */
	double gap, slip[3];
	double rho; /* of the point along both tangents, and of eps */
} AbutContactStiffness;

/* `law`: the exact one, as it is before it is softened. */
AbutContactStiffness abut_contact_stiffness(const AbutContactWork *contact, const AbutContactProblem *problem,
                                            const AbutConeLaw *law);

/* On the path, where no curvature holds the point. `held`: what it does to the bodies counts, so that rho is to be
 * taken back; otherwise it is a means to find the flat tangents, which count as round. */
typedef struct AbutPointStiffness {
	bool held;
	double rho;
} AbutPointStiffness;

/* `law`: that of the path. */
AbutPointStiffness abut_contact_point_stiffness(const AbutContactWork *contact, const AbutContactProblem *problem,
                                                const AbutConeLaw *law);

#endif
