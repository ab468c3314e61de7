/* Computes the reach of a bounded shape from a point inside along a direction, by the cheapest method for its kind. */
#pragma once

#include <stdbool.h>

#include "abut/shape.h"

/* Cost of one call. */
typedef enum AbutReachCost {
	ABUT_REACH_CLOSED, /* a closed form: about 0.1 us */
	ABUT_REACH_SEARCH, /* a search by the support function: a few us */
	ABUT_REACH_PROGRAM /* a conic program: about 50 us */
} AbutReachCost;

AbutReachCost abut_shape_reach_cost(const AbutShape *shape);
/* Returns the approximate time of one call, in units of about 5 ns. */
int abut_shape_reach_work(const AbutShape *shape);

/* Computes the largest t (m) with from + t u in the shape, |u| = 1, to a relative error of 1e-9. `from` and u are in
 * the frame in which the shape is given. Returns false if `from` lies outside or a program does not converge. Not for
 * smooth shapes. */
bool abut_shape_reach(const AbutShape *shape, const double from[3], const double u[3], double *t);
