/* Reduction of a matrix to independent columns. */
#ifndef SHAPES_COMPOSED_COLUMNS_H
#define SHAPES_COMPOSED_COLUMNS_H

/* Reduces B (m x n, row-major, at most ABUT_QUERY_ROWS x ABUT_QUERY_EPS) in place to an m x rank matrix whose columns
 * span the same space; returns the rank. Each column has 1 as its largest entry, and none is near the span of the
 * others. A set { p : some eps has c - A p - B eps in K } stays the same, because the range of B eps does. */
int abut_columns_reduce(int m, int n, double *B);

#endif
