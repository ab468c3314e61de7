/* Computes the penalty s of one soft contact point. */
#pragma once

#include <stdbool.h>

enum { ABUT_SOFT_FRICTIONS = 5, ABUT_SOFT_MOST_ROWS = 2 * ABUT_SOFT_FRICTIONS };

typedef struct AbutSoftPoint {
	bool elliptic; /* the rows form a friction cone; otherwise they are independent */
	bool held;     /* not elliptic: the rows also pull, as those of a joint */
	double most;   /* held: largest force of each row, as of dry friction; 0: any */
	int first_row, n_rows;
	int body[2]; /* negative: fixed */
	double mu;   /* elliptic: coefficient of the cone in the weighted coordinates (soft_penalty.c) */
	double friction[ABUT_SOFT_FRICTIONS];
} AbutSoftPoint;

typedef struct AbutSoftRow {
	double J[12];     /* for side 0, then side 1 */
	double reference; /* r: reference acceleration */
	double weight;    /* D > 0 */
} AbutSoftRow;

/* Returns s of one point at y (n_rows). Also computes f = -grad s and the second derivative `hessian` (n_rows x
 * n_rows); either may be NULL. `rows` are the rows of this point. Where s has no second derivative, the value of one of
 * the two sides is used. */
double abut_soft_point(const AbutSoftPoint *point, const AbutSoftRow *rows, const double *y, double *force,
                       double *hessian);
/* Computes the first and second derivative of s along a line, at y + t dy. */
void abut_soft_point_line(const AbutSoftPoint *point, const AbutSoftRow *rows, const double *y, const double *dy,
                          double t, double derivative[2]);
