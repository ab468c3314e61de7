/* Defines the functions by which a method supports derivatives; its row of the method table points to them
 * (dynamics/model/method.h). */
#pragma once

#include "dynamics/gradient/part.h"

typedef struct AbutMethodGradient {
	bool has_path; /* steps have a central path, on which derivatives may be taken: kappa above 0 */
	/* Checks that the model's options allow derivatives. NULL: all options do. */
	AbutStatus (*check)(const AbutModel *model, AbutError *error);
	/* Returns the kappa to use for the requested `kappa`. NULL: uses the requested kappa. */
	double (*kappa)(const AbutModel *model, double kappa);
	/* Makes the derivative of one part of a step from an island in the method's own form. NULL: the island is an
	 * AbutIsland, and dynamics/gradient/make.h makes the part from its contacts and the edges below. */
	AbutStatus (*make)(void *island, const AbutGradientAsk *ask, AbutGradientPart *part);
	/* Prepares an island in the method's own form. If it sets `out` to an AbutIsland, the part is made from that,
	 * not by `make`. NULL: nothing to prepare. */
	AbutStatus (*prepare)(void *island, AbutIsland **out);
	/* Edges of an AbutIsland other than its contacts between cone constraints. The functions return their number,
	 * carve their matrices from an arena, fill these, and refuse derivatives. NULL: no such edges, and no refusals.
	 */
	int (*n_edges)(const AbutIsland *island);
	void (*carve_edge)(const AbutIsland *island, int edge, const AbutGradientAsk *ask, AbutArena *arena,
	                   AbutEdgeMap *map);
	void (*fill_edge)(AbutIsland *island, int edge, AbutEdgeMap *map);
	/* Fills the entries of AbutGradientPart.rates that each edge has, `edge_rates` of them. NULL: 0. */
	int edge_rates;
	void (*fill_rates)(AbutIsland *island, int edge, const AbutGradientPart *part, AbutGradientRate *rates);
	/* Returns the pair of an edge, for refusals at the exact solution. NULL: the method has only the path. */
	const AbutPair *(*pair_of_edge)(const AbutIsland *island, int edge);
	void (*refuse_edges)(const AbutIsland *island, const AbutGradientAsk *ask, AbutGradientPart *part);
} AbutMethodGradient;

/* Returns the number of edges of an island other than its contacts between cone constraints. */
static inline int abut_gradient_edges(const AbutModel *model, const AbutIsland *island)
{
	const AbutMethodGradient *own = model->method->gradient;
	return own->n_edges ? own->n_edges(island) : 0;
}
