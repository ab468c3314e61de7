/* Stiffnesses of the regularised laws of a contact, for derivatives at the exact solution and on the path. */
#ifndef DYNAMICS_GRADIENT_CONTACT_STIFFNESS_H
#define DYNAMICS_GRADIENT_CONTACT_STIFFNESS_H

#include "dynamics/contact/contact.h"
#include "dynamics/island/problem.h"

typedef struct AbutContactStiffness {
	/* Largest K of the laws: impulses in units of I per gap w_c, and per slip w_f along both tangents and of spin
	 * about the normal. */
	double gap, slip[3];
	double rho; /* stiffness of the point along both tangents, and of eps */
} AbutContactStiffness;

/* Returns the stiffnesses at an exact solution. `law`: the exact law, before it is softened. */
AbutContactStiffness abut_contact_stiffness(const AbutContactWork *contact, const AbutContactProblem *problem,
                                            const AbutConeLaw *law);

/* The regularisation on the path, if no curvature holds the point. `held`: the point's motion affects the bodies, so
 * rho is corrected for; otherwise rho only finds the flat tangents, along which the point counts as round. */
typedef struct AbutPointStiffness {
	bool held;
	double rho;
} AbutPointStiffness;

/* Returns the regularisation on the path. `law`: that of the path. */
AbutPointStiffness abut_contact_point_stiffness(const AbutContactWork *contact, const AbutContactProblem *problem,
                                                const AbutConeLaw *law);

#endif
