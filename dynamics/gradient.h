/* Inside of AbutGradient: the derivative of a step, island by island (abut/gradient.h).
 *
 * Rows and columns of an island's matrix are its bodies', one after the other, in model units and the coordinates of
 * the public header: 12 rows, and 12 + 6 columns, of each. */
#ifndef DYNAMICS_GRADIENT_H
#define DYNAMICS_GRADIENT_H

#include "abut/gradient.h"
#include "dynamics/workspace.h"

/* Scratch that grows with the parts it serves. */
typedef struct AbutGradientRoom {
	void *memory;
	size_t size;
} AbutGradientRoom;

/* An island's derivative so far. Islands are told by their first body, so that one which stays solved while others are
 * joined keeps its own. */
typedef struct AbutGradientIsland {
	int n_bodies;
	int parts; /* of the step that are in it; 0: nothing */
	AbutStatus status;
	double *J;        /* (12 n_bodies x 18 n_bodies) row-major */
	double *velocity; /* (6 n_bodies) v+, w+ (world) that the derivative is of, in the last part */
	double *later;    /* a later part of the step and the product with it, both as J; NULL: no step was in parts */
	int most_bodies;  /* that there is room for */
	AbutGradientRoom room;
} AbutGradientIsland;

struct AbutGradient {
	const AbutModel *model;
	double kappa;                /* 0: exact */
	AbutGradientIsland *islands; /* (n_moving) by the place of the first body among the moving ones */
	/* Of the last step, once it has been solved: its islands, and their bodies among the moving ones, island by
	 * island, each in the order of its matrix. */
	int n_islands; /* 0: no such step */
	int *bodies;   /* (n_moving) */
};

/* gradient.c: the island's derivative begins anew; and takes in a part of the step that has been solved, with the
 * problem evaluated at its solution. What goes wrong is kept in the island's status. */
void abut_gradient_restart(AbutGradient *gradient, const AbutWorkspace *w, const AbutIslandMembers *members);
void abut_gradient_add_part(AbutGradient *gradient, const AbutWorkspace *w, const AbutIslandMembers *members,
                            AbutIsland *island, const AbutStepInfo *info);

/* gradient_part.c: the derivative of one part into J (12 n x 18 n), at the solution or at a point of the path. */
AbutStatus abut_gradient_part(AbutIsland *island, bool smoothed, AbutGradientRoom *room, double *J);

/* gradient_smooth.c: the island's solution on to the path at kappa (false where that is not found), and back to it. */
bool abut_gradient_smooth(AbutIsland *island, double kappa);
void abut_gradient_unsmooth(AbutIsland *island);

#endif
