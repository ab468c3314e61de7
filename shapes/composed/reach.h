/* How far a bounded shape reaches from a point inside along a direction, by the cheapest way that its kind allows. */
#ifndef SHAPES_COMPOSED_REACH_H
#define SHAPES_COMPOSED_REACH_H

#include <stdbool.h>

#include "abut/shape.h"

/* What one such question costs. */
typedef enum AbutReachCost {
	ABUT_REACH_CLOSED, /* a closed form: some 0.1 us */
	ABUT_REACH_SEARCH, /* a search by the support function: some us */
	ABUT_REACH_PROGRAM /* a conic program: some 50 us */
} AbutReachCost;

AbutReachCost abut_shape_reach_cost(const AbutShape *shape);

/* The largest t with from + t u in the shape, |u| = 1, to 1e-9 of itself; both in the frame that the shape is given in.
 * False where no answer is found: `from` does not lie inside, or a program does not end. Not for smooth shapes. */
bool abut_shape_reach(const AbutShape *shape, const double from[3], const double u[3], double *t);

#endif
