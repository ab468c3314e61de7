/* Triangulates polygons with holes. It traces the loops, joins each hole to the loop around it by a bridge, and cuts
 * off ears.
 *
 * Every step preserves the boundary of the filled region, so that the triangles close all edges even if rounding
 * falsifies a test. A false test can add a triangle outside the region, but never leave a gap. */
#include "shapes/geometry/cap.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec3.h"

/* A corner of a loop, in a circular list. */
typedef struct Node {
	int vertex, next, previous;
	double x, y; /* coordinates in the plane, m */
} Node;

typedef struct Loop {
	int start; /* one of its nodes */
	double area;
	double leftmost;
	int leftmost_node;
	int outer; /* for a hole: the loop around it; otherwise -1 */
} Loop;

typedef struct Filling {
	int n_nodes, n_loops;
	Node *nodes; /* (edges + 2 per hole) */
	Loop *loops; /* (edges) */
	int *used;   /* (edges) */
	AbutTriangles *out;
} Filling;

static int compare_edges(const void *a, const void *b)
{
	const AbutCapEdge *x = a, *y = b;
	return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

/* Returns twice the signed area of the triangle a, b, c. */
static double turn(const Node *a, const Node *b, const Node *c)
{
	return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* Returns the first edge that starts in `vertex`. */
static int first_edge(const AbutCapEdge *edges, int n, int vertex)
{
	int low = 0, high = n;
	while (low < high) {
		const int middle = low + (high - low) / 2;
		if (edges[middle].from < vertex) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Returns the unused edge that follows `edge`, or -1. If loops touch in a vertex, takes the smallest angle, measured
 * clockwise from the reverse of `edge`. This is the sharpest turn to the left and stays in one corner of the region. */
static int next_edge(const Filling *filling, const AbutCapEdge *edges, int n, int edge)
{
	const int vertex = edges[edge].to;
	int best = -1;
	double best_angle = 0.0;
	const Node *here = NULL, *before = &filling->nodes[edge];
	for (int k = first_edge(edges, n, vertex); k < n && edges[k].from == vertex; k++) {
		if (filling->used[k]) {
			continue;
		}
		here = &filling->nodes[k];
		const Node *after = &filling->nodes[first_edge(edges, n, edges[k].to)];
		const double bx = before->x - here->x, by = before->y - here->y;
		const double ax = after->x - here->x, ay = after->y - here->y;
		double angle = atan2(bx * ay - by * ax, bx * ax + by * ay);
		angle = angle >= 0.0 ? 2.0 * M_PI - angle : -angle;
		if (best < 0 || angle < best_angle) {
			best = k;
			best_angle = angle;
		}
	}
	return best;
}

/* Traces the loops. Node k is the start of edge k. */
static void trace_loops(Filling *filling, const AbutCapEdge *edges, int n)
{
	for (int start = 0; start < n; start++) {
		if (filling->used[start]) {
			continue;
		}
		filling->loops[filling->n_loops++] = (Loop){.start = start, .leftmost = HUGE_VAL, .outer = -1};
		int edge = start, previous = -1;
		while (edge >= 0) {
			filling->used[edge] = 1;
			filling->nodes[edge].previous = previous;
			if (previous >= 0) {
				filling->nodes[previous].next = edge;
			}
			previous = edge;
			edge = edges[edge].to == edges[start].from ? -1 : next_edge(filling, edges, n, edge);
		}
		filling->nodes[previous].next = start;
		filling->nodes[start].previous = previous;
	}
}

static void measure_loop(const Filling *filling, Loop *loop)
{
	const Node *first = &filling->nodes[loop->start];
	int node = loop->start;
	do {
		const Node *a = &filling->nodes[node];
		loop->area += 0.5 * turn(first, a, &filling->nodes[a->next]);
		if (a->x < loop->leftmost) {
			loop->leftmost = a->x;
			loop->leftmost_node = node;
		}
		node = a->next;
	} while (node != loop->start);
}

/* Returns whether the loop winds around (x, y): counts the crossings of a ray to the right. */
static bool loop_contains(const Filling *filling, const Loop *loop, double x, double y)
{
	bool inside = false;
	int node = loop->start;
	do {
		const Node *a = &filling->nodes[node], *b = &filling->nodes[a->next];
		if ((a->y > y) != (b->y > y) && x < a->x + (y - a->y) / (b->y - a->y) * (b->x - a->x)) {
			inside = !inside;
		}
		node = a->next;
	} while (node != loop->start);
	return inside;
}

/* Assigns each hole, which is a loop of negative area, to the smallest loop of positive area around it. */
static void assign_holes(Filling *filling)
{
	for (int h = 0; h < filling->n_loops; h++) {
		Loop *hole = &filling->loops[h];
		const Node *a = &filling->nodes[hole->leftmost_node];
		for (int l = 0; l < filling->n_loops && hole->area < 0.0; l++) {
			const Loop *loop = &filling->loops[l];
			const bool smaller = hole->outer < 0 || loop->area < filling->loops[hole->outer].area;
			if (loop->area > 0.0 && smaller && loop_contains(filling, loop, a->x, a->y)) {
				hole->outer = l;
			}
		}
	}
}

static bool in_triangle(const Node *a, const Node *b, const Node *c, const Node *p)
{
	return turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0;
}

/* Returns a node of the ring that is visible from the hole's leftmost point (Eberly). It is the left end of the first
 * edge that a ray to the left meets. If reflex corners hide this end, it is the one whose direction is closest to the
 * ray's. */
static int visible_node(const Filling *filling, int ring, const Node *hole)
{
	const Node *nodes = filling->nodes;
	double met = -HUGE_VAL;
	int best = -1, node = ring;
	do {
		const Node *a = &nodes[node], *b = &nodes[a->next];
		if (a->y >= hole->y && b->y <= hole->y && a->y > b->y) {
			const double x = a->x + (hole->y - a->y) / (b->y - a->y) * (b->x - a->x);
			if (x <= hole->x && x > met) {
				met = x;
				best = a->x < b->x ? node : a->next;
			}
		}
		node = a->next;
	} while (node != ring);
	if (best < 0) {
		return ring;
	}
	const Node end = nodes[best], foot = {.x = met, .y = hole->y};
	const bool above = end.y > hole->y;
	double flattest = HUGE_VAL;
	node = ring;
	do {
		const Node *p = &nodes[node];
		const bool inside = above ? in_triangle(&end, &foot, hole, p) : in_triangle(&foot, &end, hole, p);
		const double slope = fabs(p->y - hole->y) / (hole->x - p->x);
		const bool reflex = turn(&nodes[p->previous], p, &nodes[p->next]) <= 0.0;
		if (p->x < hole->x && inside && (reflex || node == best) && slope < flattest) {
			flattest = slope;
			best = node;
		}
		node = p->next;
	} while (node != ring);
	return best;
}

/* Cuts the ring open at `node` and joins the hole, from node `hole` around and back. Adds two nodes. */
static void bridge(Filling *filling, int node, int hole)
{
	Node *nodes = filling->nodes;
	const int node_back = filling->n_nodes++, hole_back = filling->n_nodes++;
	nodes[node_back] = nodes[node];
	nodes[hole_back] = nodes[hole];
	nodes[nodes[node].next].previous = node_back;
	nodes[nodes[hole].previous].next = hole_back;
	nodes[node].next = hole;
	nodes[hole].previous = node;
	nodes[hole_back].next = node_back;
	nodes[node_back].previous = hole_back;
}

/* Bridges the holes to their rings, the leftmost hole first. Another hole between it and the ring is then already part
 * of the ring. */
static void bridge_holes(Filling *filling)
{
	for (;;) {
		Loop *leftmost = NULL;
		for (int l = 0; l < filling->n_loops; l++) {
			Loop *loop = &filling->loops[l];
			if (loop->outer >= 0 && (!leftmost || loop->leftmost < leftmost->leftmost)) {
				leftmost = loop;
			}
		}
		if (!leftmost) {
			return;
		}
		const int ring = filling->loops[leftmost->outer].start, hole = leftmost->leftmost_node;
		bridge(filling, visible_node(filling, ring, &filling->nodes[hole]), hole);
		leftmost->outer = -1;
		leftmost->start = -1; /* now part of another loop */
	}
}

/* Returns whether the corner at `node` is an ear: it turns left, and no reflex corner of the ring lies in its triangle.
 */
static bool is_ear(const Filling *filling, int node, double sense)
{
	const Node *nodes = filling->nodes, *b = &nodes[node], *a = &nodes[b->previous], *c = &nodes[b->next];
	if (sense * turn(a, b, c) <= 0.0) {
		return false;
	}
	for (const Node *p = &nodes[c->next]; p != a; p = &nodes[p->next]) {
		const bool corner = p->vertex == a->vertex || p->vertex == b->vertex || p->vertex == c->vertex;
		const bool inside =
		    sense * turn(a, b, p) >= 0.0 && sense * turn(b, c, p) >= 0.0 && sense * turn(c, a, p) >= 0.0;
		if (inside && !corner && sense * turn(&nodes[p->previous], p, &nodes[p->next]) <= 0.0) {
			return false;
		}
	}
	return true;
}

/* Cuts off ears until two corners are left. `sense` is -1 for a clockwise loop without a loop around it, otherwise 1. A
 * degenerate loop may have no ear; the next corner is then cut off. */
static bool cut_ears(Filling *filling, int start, double sense)
{
	Node *nodes = filling->nodes;
	int n = 1, node = start, refused = 0;
	for (int k = nodes[start].next; k != start; k = nodes[k].next) {
		n++;
	}
	while (n > 2) {
		const int a = nodes[node].previous, c = nodes[node].next;
		if (refused < n && !is_ear(filling, node, sense)) {
			node = c;
			refused++;
			continue;
		}
		if (!abut_triangles_add(filling->out, nodes[a].vertex, nodes[node].vertex, nodes[c].vertex, true)) {
			return false;
		}
		nodes[a].next = c;
		nodes[c].previous = a;
		node = nodes[c].next; /* skip the neighbour, which gives fewer slivers */
		n--;
		refused = 0;
	}
	return true;
}

/* Computes plane coordinates of each edge's start, relative to the start of the first edge. The cross product of the
 * two axes has the direction of the normal. */
static void project(const double *vertices, const double normal[3], int n, const AbutCapEdge *edges, Node *nodes)
{
	int smallest = 0;
	for (int k = 1; k < 3; k++) {
		smallest = fabs(normal[k]) < fabs(normal[smallest]) ? k : smallest;
	}
	const double unit[3] = {smallest == 0, smallest == 1, smallest == 2};
	const double *origin = &vertices[3 * (size_t)edges[0].from];
	double u[3], w[3];
	abut_cross3(unit, normal, u);
	abut_cross3(normal, u, w);
	for (int i = 0; i < n; i++) {
		const double *p = &vertices[3 * (size_t)edges[i].from];
		const double step[3] = {p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]};
		nodes[i] = (Node){.vertex = edges[i].from, .x = abut_dot3(u, step), .y = abut_dot3(w, step)};
	}
}

bool abut_cap_fill(const double *vertices, const double normal[3], int n_edges, AbutCapEdge *edges, AbutTriangles *out)
{
	if (n_edges == 0) {
		return true;
	}
	const size_t n = (size_t)n_edges;
	Filling filling = {.n_nodes = n_edges, .out = out};
	filling.nodes = malloc(3 * n * sizeof *filling.nodes);
	filling.loops = malloc(n * sizeof *filling.loops);
	filling.used = calloc(n, sizeof *filling.used);
	bool done = filling.nodes && filling.loops && filling.used;
	if (done) {
		qsort(edges, n, sizeof *edges, compare_edges);
		project(vertices, normal, n_edges, edges, filling.nodes);
		trace_loops(&filling, edges, n_edges);
		for (int l = 0; l < filling.n_loops; l++) {
			measure_loop(&filling, &filling.loops[l]);
		}
		assign_holes(&filling);
		bridge_holes(&filling);
	}
	for (int l = 0; l < filling.n_loops && done; l++) {
		const Loop *loop = &filling.loops[l];
		done = loop->start < 0 || cut_ears(&filling, loop->start, loop->area < 0.0 ? -1.0 : 1.0);
	}
	free(filling.nodes);
	free(filling.loops);
	free(filling.used);
	return done;
}
