/* Computes the stiffnesses of the regularised laws of a contact, for derivatives at the exact solution and on the path.
 */
#pragma once

#include "dynamics/contact/contact.h"
#include "dynamics/island/problem.h"

typedef struct AbutContactStiffness {
	/* Largest stiffness K of the laws. Impulses are in units of scale.impulse (I). `gap` is per gap times
	 * weight_contact (w_c). `slip` is per slip times weight_friction (w_f), along both tangents and for spin about
	 * the normal. */
	double gap, slip[3];
	double rho; /* stiffness of the point along both tangents, and of eps */
} AbutContactStiffness;

/* Returns the stiffnesses at an exact solution. `law`: the exact law, before its stiffness is limited. */
AbutContactStiffness abut_contact_stiffness(const AbutContactWork *contact, const AbutContactProblem *problem,
                                            const AbutConeLaw *law);

/* The regularisation on the path for a point that no curvature holds. If `held`, the point's motion affects the bodies,
 * so the effect of rho is corrected. Otherwise rho only serves to find the flat tangents; along these the point counts
 * as round. */
typedef struct AbutPointStiffness {
	bool held;
	double rho;
} AbutPointStiffness;

/* Returns the regularisation on the path. `law`: the law on the path. */
AbutPointStiffness abut_contact_point_stiffness(const AbutContactWork *contact, const AbutContactProblem *problem,
                                                const AbutConeLaw *law);
