/* Columns of a matrix that say the same, once. */
#ifndef SHAPES_COMPOSED_COLUMNS_H
#define SHAPES_COMPOSED_COLUMNS_H

/* Reduces B (m x n, row-major, at most ABUT_QUERY_ROWS x ABUT_QUERY_EPS) in place to an m x rank matrix whose columns
 * span the same space, each with 1 as its largest entry, none near the span of the others; returns the rank. A set
 * { p : some eps has c - A p - B eps in K } is the same with either, since what B eps can be is the same. */
int abut_columns_reduce(int m, int n, double *B);

#endif
