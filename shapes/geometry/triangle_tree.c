/* Finds the closest triangle to a point by a tree of axis-aligned boxes. Each box is divided at the median along its
 * longest side. */
#include "shapes/geometry/triangle_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"

enum { LEAF = 4 };

static double clamp01(double x)
{
	return abut_min(abut_max(x, 0.0), 1.0);
}

static double segment_distance2(const double a[3], const double b[3], const double p[3])
{
	const double ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, ap[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
	const double length2 = abut_dot3(ab, ab);
	const double t = length2 > 0.0 ? clamp01(abut_dot3(ap, ab) / length2) : 0.0;
	const double step[3] = {ap[0] - t * ab[0], ap[1] - t * ab[1], ap[2] - t * ab[2]};
	return abut_dot3(step, step);
}

/* Uses the distance to the plane if p lies above or below the triangle, otherwise the distance to the closest edge. */
double abut_triangle_distance2(const double corners[9], const double p[3])
{
	const double *a = corners, *b = corners + 3, *c = corners + 6;
	const double ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, ac[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
	const double ap[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
	double n[3], across_ab[3], across_ac[3];
	abut_cross3(ab, ac, n);
	abut_cross3(ab, ap, across_ab);
	abut_cross3(ap, ac, across_ac);
	/* barycentric coordinates times n . n */
	const double area = abut_dot3(n, n), w = abut_dot3(across_ab, n), v = abut_dot3(across_ac, n);
	if (area > 0.0 && v >= 0.0 && w >= 0.0 && v + w <= area) {
		const double height = abut_dot3(n, ap);
		return height * height / area;
	}
	return abut_min(segment_distance2(a, b, p), abut_min(segment_distance2(b, c, p), segment_distance2(c, a, p)));
}

static double box_distance2(const AbutTriangleBox *box, const double p[3])
{
	double sum = 0.0;
	for (int k = 0; k < 3; k++) {
		const double out = abut_max(abut_max(box->low[k] - p[k], p[k] - box->high[k]), 0.0);
		sum += out * out;
	}
	return sum;
}

static void search(const AbutTriangleTree *tree, int index, const double p[3], double *best, int *triangle)
{
	const AbutTriangleBox *box = &tree->boxes[index];
	for (int i = box->first; i < box->first + box->count; i++) {
		const double distance2 = abut_triangle_distance2(&tree->corners[9 * (size_t)i], p);
		if (distance2 < *best) {
			*best = distance2;
			*triangle = i;
		}
	}
	if (box->count > 0) {
		return;
	}
	const double left = box_distance2(&tree->boxes[box->first], p);
	const double right = box_distance2(&tree->boxes[box->first + 1], p);
	const int closer = left <= right ? box->first : box->first + 1;
	if (abut_min(left, right) < *best) {
		search(tree, closer, p, best, triangle);
	}
	if (abut_max(left, right) < *best) {
		search(tree, 2 * box->first + 1 - closer, p, best, triangle);
	}
}

double abut_triangle_tree_closest(const AbutTriangleTree *tree, const double p[3], int *triangle)
{
	double best = HUGE_VAL;
	*triangle = 0;
	search(tree, 0, p, &best, triangle);
	return best;
}

static double middle_of(const double *corners, int i, int axis)
{
	const double *triangle = &corners[9 * (size_t)i];
	return triangle[axis] + triangle[3 + axis] + triangle[6 + axis];
}

static void swap_triangles(double *corners, int i, int j)
{
	double held[9];
	memcpy(held, &corners[9 * (size_t)i], sizeof held);
	memcpy(&corners[9 * (size_t)i], &corners[9 * (size_t)j], sizeof held);
	memcpy(&corners[9 * (size_t)j], held, sizeof held);
}

/* Moves the triangle of rank `rank` along the axis to its sorted place, so that all lower ones precede it (Hoare). */
static void select_rank(double *corners, int first, int last, int rank, int axis)
{
	while (first < last) {
		const double pivot = middle_of(corners, first + (last - first) / 2, axis);
		int i = first, j = last;
		while (i <= j) {
			while (middle_of(corners, i, axis) < pivot) {
				i++;
			}
			while (middle_of(corners, j, axis) > pivot) {
				j--;
			}
			if (i <= j) {
				swap_triangles(corners, i++, j--);
			}
		}
		if (rank <= j) {
			last = j;
		} else if (rank >= i) {
			first = i;
		} else {
			return;
		}
	}
}

static void fill_box(AbutTriangleTree *tree, int index, int first, int count)
{
	AbutTriangleBox *box = &tree->boxes[index];
	*box = (AbutTriangleBox){.low = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
	                         .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
	                         .first = first,
	                         .count = count};
	for (size_t i = 9 * (size_t)first; i < 9 * (size_t)(first + count); i++) {
		box->low[i % 3] = abut_min(box->low[i % 3], tree->corners[i]);
		box->high[i % 3] = abut_max(box->high[i % 3], tree->corners[i]);
	}
	if (count <= LEAF) {
		return;
	}
	int axis = 0;
	for (int k = 1; k < 3; k++) {
		axis = box->high[k] - box->low[k] > box->high[axis] - box->low[axis] ? k : axis;
	}
	const int half = count / 2, children = tree->n_boxes;
	select_rank(tree->corners, first, first + count - 1, first + half, axis);
	tree->n_boxes += 2;
	box->first = children;
	box->count = 0;
	fill_box(tree, children, first, half);
	fill_box(tree, children + 1, first + half, count - half);
}

bool abut_triangle_tree_create(int n, double *corners, AbutTriangleTree *out)
{
	*out = (AbutTriangleTree){.n_triangles = n, .n_boxes = 1};
	out->corners = corners;
	/* Every leaf except the root holds two triangles or more. */
	out->boxes = malloc((size_t)(n + 1) * sizeof *out->boxes);
	if (!out->boxes) {
		abut_triangle_tree_free(out);
		return false;
	}
	fill_box(out, 0, 0, n);
	return true;
}

void abut_triangle_tree_free(AbutTriangleTree *tree)
{
	free(tree->corners);
	free(tree->boxes);
	*tree = (AbutTriangleTree){0};
}
