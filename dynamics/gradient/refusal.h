/* Defines the reasons why a step has no derivative. */
#pragma once

#include "dynamics/model/pair.h"
#include "solver/ncp/ncp.h"

/* The reason why a derivative does not exist. Either the exact solution has only one-sided derivatives, or the
 * equations do not determine the derivative. */
typedef enum AbutRefusalWhy {
	ABUT_REFUSED_NOT,      /* the derivative exists */
	ABUT_REFUSED_OVERHELD, /* contacts hold more directions than the bodies have degrees of freedom */
	ABUT_REFUSED_UNLOADED, /* a contact is closed but carries no load */
	ABUT_REFUSED_SLIPPING, /* friction is at its bound, but nothing slips */
	ABUT_REFUSED_LEAVING,  /* the contact point is at the end of a face, but no load holds it there */
	ABUT_REFUSED_CROWDED,  /* the contact point is in a vertex of more than three faces, and one of the faces moves
	                        */
	ABUT_REFUSED_OVERLAPPING, /* bodies overlap at the start by more than one step removes; also on the path */
} AbutRefusalWhy;

/* A reason, and the model indices of the two bodies of a contact that causes it. */
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

/* Returns the margin z - weight H of an orthant's entry at an exact solution: positive if the entry is held, negative
 * if open. */
static inline double abut_gradient_margin(const AbutCone *cone, int entry, const AbutIterate *it)
{
	return it->z[cone->offset + entry] - cone->weight * it->H[cone->offset + entry];
}
