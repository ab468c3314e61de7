/* A method's support for derivatives, in its row of the method table (dynamics/model/method.h). */
#ifndef DYNAMICS_GRADIENT_METHOD_H
#define DYNAMICS_GRADIENT_METHOD_H

#include "dynamics/gradient/part.h"

typedef struct AbutMethodGradient {
	bool has_path; /* steps have a central path, on which derivatives may be taken: kappa above 0 */
	/* Checks the model's other options. NULL: all are differentiated. */
	AbutStatus (*check)(const AbutModel *model, AbutError *error);
	/* Returns the kappa to use for the requested one. NULL: the same. */
	double (*kappa)(const AbutModel *model, double kappa);
	/* Makes a part of a solved island in the method's own form. NULL: of AbutIsland, by the cones of its contacts
	 * (dynamics/gradient/part.h), and by the edges below. */
	AbutStatus (*make)(void *island, const AbutGradientAsk *ask, AbutGradientPart *part);
	/* Edges of an AbutIsland besides its contacts by cones: their number, sizes and memory, their matrices, and the
	 * derivatives that they refuse. NULL: none. */
	int (*n_edges)(const AbutIsland *island);
	void (*carve_edge)(const AbutIsland *island, int edge, const AbutGradientAsk *ask, AbutArena *arena,
	                   AbutEdgeMap *map);
	void (*fill_edge)(AbutIsland *island, int edge, AbutEdgeMap *map);
	void (*refuse_edges)(const AbutIsland *island, const AbutGradientAsk *ask, AbutGradientPart *part);
} AbutMethodGradient;

/* Returns the number of edges of an island besides its contacts by cones. */
static inline int abut_gradient_edges(const AbutModel *model, const AbutIsland *island)
{
	const AbutMethodGradient *own = model->method->gradient;
	return own->n_edges ? own->n_edges(island) : 0;
}

#endif
