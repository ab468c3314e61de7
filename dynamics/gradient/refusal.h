/* Why a step has no derivative. */
#ifndef DYNAMICS_GRADIENT_REFUSAL_H
#define DYNAMICS_GRADIENT_REFUSAL_H

#include "dynamics/model/pair.h"
#include "solver/ncp/ncp.h"

/* Why there is no derivative: an exact solution has one-sided derivatives only, or its equations do not determine it.
 */
typedef enum AbutRefusalWhy {
	ABUT_REFUSED_NOT,         /* there is a derivative */
	ABUT_REFUSED_OVERHELD,    /* contacts hold more than there are freedoms */
	ABUT_REFUSED_UNLOADED,    /* a contact touches and carries no load */
	ABUT_REFUSED_SLIPPING,    /* friction is at its bound, and nothing slips */
	ABUT_REFUSED_LEAVING,     /* the contact point is at the end of a face, and nothing holds it there */
	ABUT_REFUSED_CROWDED,     /* the point is in a vertex of more than three faces, and one of them moves */
	ABUT_REFUSED_OVERLAPPING, /* bodies overlap at the start by more than the step undoes; also on the path */
} AbutRefusalWhy;

/* The reason, and the bodies (of the model) of a contact that gives it. */
typedef struct AbutRefusal {
	AbutRefusalWhy why;
	int body[2];
} AbutRefusal;

/* Sets `first` unless it already holds a reason. */
static inline void abut_gradient_refuse_for(AbutRefusalWhy why, const AbutPair *pair, AbutRefusal *first)
{
	if (first->why == ABUT_REFUSED_NOT) {
		*first = (AbutRefusal){.why = why, .body = {pair->body[0], pair->body[1]}};
	}
}

/* Returns the margin of an orthant's entry at an exact solution: positive if the entry is held, negative if open. */
static inline double abut_gradient_margin(const AbutCone *cone, int entry, const AbutIterate *it)
{
	return it->z[cone->offset + entry] - cone->weight * it->H[cone->offset + entry];
}

#endif
