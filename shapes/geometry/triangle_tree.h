/* Triangles in a tree of boxes: which is closest to a point. */
#ifndef SHAPES_GEOMETRY_TRIANGLE_TREE_H
#define SHAPES_GEOMETRY_TRIANGLE_TREE_H

#include <stdbool.h>

typedef struct AbutTriangleBox {
	double low[3], high[3];
	int first, count; /* of the tree's triangles in a leaf; count 0: the children stand at `first` and first + 1 */
} AbutTriangleBox;

typedef struct AbutTriangleTree {
	int n_triangles, n_boxes;
	double *corners;        /* (n_triangles x 9) */
	AbutTriangleBox *boxes; /* (n_boxes) the root first */
} AbutTriangleTree;

/* Of corners (n x 9), which the tree takes over and reorders. False when out of memory; the corners are freed then. */
bool abut_triangle_tree_create(int n, double *corners, AbutTriangleTree *out);
void abut_triangle_tree_free(AbutTriangleTree *tree);

/* Squared distance from p to the closest triangle, whose place is in *triangle. */
double abut_triangle_tree_closest(const AbutTriangleTree *tree, const double p[3], int *triangle);
/* Squared distance from p to a triangle of corners a, b, c (9). */
double abut_triangle_distance2(const double corners[9], const double p[3]);

#endif
