/* Eliminates the held numbers of a jointed part together with its bodies (nodes.c), and solves with the result. */
#pragma once

#include "dynamics/gradient/part.h"

/* Carves the arrays of the nodes; the system's pattern and the part's maps must be carved before. */
void abut_gradient_nodes_carve(AbutArena *arena, AbutGradientPart *part);
/* Removes the stiffness of held numbers from the matrix of an edge, and the numbers that hold nothing. The equations of
 * the other numbers and of the bodies remain the same. */
void abut_gradient_nodes_soften(const AbutEdgeMap *map);
/* Eliminates the nodes of the complete system. Overwrites its factors, and lists the held numbers that are left over.
 * Returns false if the system is singular. */
bool abut_gradient_nodes_factorise(AbutGradientPart *part);

/* Solves for part->lanes.x, with the numbers that are left over at zero. Right sides are in part->lanes.right and
 * held_right, which must be zero but for the bodies `first` to `last` and their neighbours; overwrites `right`. */
void abut_gradient_nodes_solve(const AbutGradientPart *part, int first, int last);
/* Solves the transposed system: from a gradient by (v+, w+) in part->lanes.x, which is overwritten, to that by right
 * sides of balances (`right`) and of the nodes' held numbers (`held`). */
void abut_gradient_nodes_solve_transposed(const AbutGradientPart *part);
