/* How stiff the regularised laws of a contact are in the derivative of a step at its exact solution. */
#ifndef DYNAMICS_CONTACT_STIFFNESS_H
#define DYNAMICS_CONTACT_STIFFNESS_H

#include "dynamics/contact_problem.h"

typedef struct AbutContactStiffness {
	/* K of the laws, at most: impulses in units of I per gap w_c, and per slip w_f along both tangents and of spin
	 * about the normal. */
	double gap, slip[3];
	double rho; /* of the point along both tangents, and of eps */
} AbutContactStiffness;

/* `law`: the exact one, as it is before it is softened. */
AbutContactStiffness abut_contact_stiffness(const AbutContactWork *contact, const AbutContactProblem *problem,
                                            const AbutConeLaw *law);

/* Of the point along both tangents, and of eps, on the path: where no curvature of a shape holds it. */
typedef struct AbutPointStiffness {
	double rho;
	bool holds; /* it is to be taken back; otherwise what the point does is too little to count */
} AbutPointStiffness;

AbutPointStiffness abut_contact_point_stiffness(const AbutContactWork *contact, const AbutContactProblem *problem,
                                                const AbutConeLaw *law);

#endif
