/* Finds independent columns of a matrix by Gram-Schmidt orthogonalisation. */
#pragma once

/* Reduces B (m x n, row-major, at most ABUT_QUERY_ROWS x ABUT_QUERY_EPS) in place to an m x rank matrix whose columns
 * span the same space; returns the rank. The largest entry of each column is 1 in magnitude, and no column is near the
 * span of the others. The set { p : some eps has c - A p - B eps in K } stays the same, because the range of B does. */
int abut_columns_reduce(int m, int n, double *B);
