/* Differentiates a contact point with respect to the poses of its bodies at the start of a step. */
#pragma once

#include "collision/manifold/gradient.h"
#include "dynamics/methods/manifold/island.h"

/* A point of a contact, with the geometry and the impulse that its derivative needs. World axes, model units. */
typedef struct AbutLcpPointWork {
	const AbutModel *model;
	const AbutWorkspace *w;
	const AbutPair *pair;
	const AbutLcpContact *contact;
	int point;
	double arm[2][3]; /* from both centres of mass */
	double force[3];  /* impulse on side 1 */
	AbutManifoldGradient gradient, deepest_gradient;
	int deepest; /* point that the gap refers to, or -1 */
} AbutLcpPointWork;

/* The change of a point's equations for a small motion of one of its bodies at the start of the step. */
typedef struct AbutLcpPointTurn {
	double wrench[2][6];              /* dJ' x on both sides; 0 for a static one */
	double rows[ABUT_LCP_POINT_ROWS]; /* dJ v+ + dc; of a bouncing point without the turn of the old spins */
	double when; /* change of the share of the step before a bouncing point meets the other side,
	              * at fixed velocities */
} AbutLcpPointTurn;

/* Fills the work of a point. Returns false if the point, or the deepest point that its gap refers to, has no
 * derivative. */
bool abut_lcp_point_begin(const AbutModel *model, const AbutWorkspace *w, const AbutPair *pair,
                          const AbutLcpContact *contact, int point, AbutLcpPointWork *work);
/* Computes the change for one of the twelve motions of both bodies, `column` (collision/manifold/gradient.h). A planar
 * body follows only the part within its plane. */
void abut_lcp_point_turn(const AbutLcpPointWork *work, int column, AbutLcpPointTurn *out);
/* Computes how the approach J v of a point before the step follows the velocities of its body on side `s`: by its
 * linear velocity, by its spin, both along the world's axes, and by turns about its own axes, which turn the spin. */
void abut_lcp_point_approach(const AbutLcpPointWork *work, int s, double by_linear[3], double by_spin[3],
                             double by_turn[3]);
