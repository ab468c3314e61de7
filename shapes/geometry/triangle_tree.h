/* Finds the closest triangle to a point by a tree of axis-aligned boxes. */
#pragma once

#include <stdbool.h>

typedef struct AbutTriangleBox {
	double low[3], high[3];
	int first, count; /* leaf: range of triangles; other boxes: the children are boxes `first` and first + 1, and
	                     count is 0 */
} AbutTriangleBox;

typedef struct AbutTriangleTree {
	int n_triangles, n_boxes;
	double *corners;        /* (n_triangles x 9), m */
	AbutTriangleBox *boxes; /* (n_boxes); the root is first */
} AbutTriangleTree;

/* Builds a tree of the triangles with the given corners (n x 9). The tree then owns and reorders `corners`. When out of
 * memory, frees them and returns false. */
bool abut_triangle_tree_create(int n, double *corners, AbutTriangleTree *out);
void abut_triangle_tree_free(AbutTriangleTree *tree);

/* Returns the squared distance from p to the closest triangle; *triangle receives its index in the tree. */
double abut_triangle_tree_closest(const AbutTriangleTree *tree, const double p[3], int *triangle);
/* Returns the squared distance from p to a triangle with corners a, b, c (9). */
double abut_triangle_distance2(const double corners[9], const double p[3]);
