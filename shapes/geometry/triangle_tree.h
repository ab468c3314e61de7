/* The closest triangle to a point, by a tree of boxes. */
#ifndef SHAPES_GEOMETRY_TRIANGLE_TREE_H
#define SHAPES_GEOMETRY_TRIANGLE_TREE_H

#include <stdbool.h>

typedef struct AbutTriangleBox {
	double low[3], high[3];
	int first,
	    count; /* range of the tree's triangles in a leaf; count 0: the children are at `first` and first + 1 */
} AbutTriangleBox;

typedef struct AbutTriangleTree {
	int n_triangles, n_boxes;
	double *corners;        /* (n_triangles x 9) */
	AbutTriangleBox *boxes; /* (n_boxes), the root first */
} AbutTriangleTree;

/* Builds a tree of triangles with `corners` (n x 9), which the tree then owns and reorders. Returns false when out of
 * memory, and then frees the corners. */
bool abut_triangle_tree_create(int n, double *corners, AbutTriangleTree *out);
void abut_triangle_tree_free(AbutTriangleTree *tree);

/* Returns the squared distance from p to the closest triangle, and its place in *triangle. */
double abut_triangle_tree_closest(const AbutTriangleTree *tree, const double p[3], int *triangle);
/* Returns the squared distance from p to a triangle with corners a, b, c (9). */
double abut_triangle_distance2(const double corners[9], const double p[3]);

#endif
