/* Reports which derivatives a step has, island by island, and why the others do not exist. Refuses derivatives
 * that the equations of a step do not determine. */
#pragma once

#include "dynamics/gradient/gradient.h"
#include "dynamics/gradient/part.h"

/* Checks that there is a last step to differentiate. */
AbutStatus abut_gradient_ready(const AbutGradient *gradient, AbutError *error);

/* Checks that the island has its derivative with respect to `by`: ABUT_BY_POSES, ABUT_BY_IMPULSES, or ABUT_BY_PARAMETER
 * + i for parameter i. Otherwise the error says why not. */
AbutStatus abut_gradient_has(const AbutGradient *gradient, const AbutGradientIsland *island, int by, AbutError *error);

/* Sets the message for the status of an island, and returns the status. */
AbutStatus abut_gradient_refuse(const AbutGradient *gradient, AbutStatus status, AbutError *error);
/* Refuses the derivatives with respect to poses and to parameters that change the initial overlap of the pair. */
void abut_gradient_refuse_overlap(const AbutGradientAsk *ask, const AbutPair *pair, AbutGradientPart *part);
/* Refuses all derivatives that the island's equations do not determine. */
void abut_gradient_refuse_unknown(const AbutIsland *island, const AbutGradientAsk *ask, AbutGradientPart *part);
/* Refuses what would have to differentiate the impulses that direct joints: all derivatives if they are those of the
 * step itself (`turned`; NULL: of none), or of another step or part that is differentiated too. */
void abut_gradient_refuse_directions(const AbutContactProblem *problem, const AbutGradientAsk *ask,
                                     const AbutJointWork *turned, AbutGradientPart *part);
