/* The volume by the divergence theorem is the integral of the winding number w over space: right when w is 0 or 1
 * everywhere. Where pieces overlap, or a surface passes through itself, w is 2 or more; where a piece faces inwards, it
 * is negative. Along a line w changes only where the line passes a triangle, by one, so that lengths with each w are
 * exact along the lines of a grid; three grids, one along each axis (tests/shapes/mesh_overlap.c, closed forms).
 *
 * Seen along the line, a triangle winds about it as often as its edges pass a ray across from below to above, less the
 * reverse, on the far side. Whether an edge does is computed from its lower vertex to its higher one, once for both
 * of its triangles, so that nothing rounds a closed surface open: along each line the changes add up to zero. */
#include "shapes/mesh_lines.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec3.h"

/* Lines along a side of the grid; fewer, by halves, where triangles are so many or so large that the search would take
 * more than `MOST_TESTS` pairs of line and triangle. */
enum { LINES = 128, LINES_LEAST = 16, MOST_TESTS = 1 << 24 };

typedef struct Crossing {
	double height;
	int line; /* in its grid */
	int turn; /* the change of the winding number, with height */
} Crossing;

/* One grid: lines along `axis`, at (first[0] + i step[0], first[1] + j step[1]) across it. */
typedef struct Grid {
	const double *points;
	int n_triangles;
	const int *triangles;
	int axis, across[2];
	int n; /* along each side */
	double first[2], step[2];
	size_t n_crossings;
	Crossing *crossings; /* (n_crossings); NULL: they are only counted */
	const AbutWatch *watch;
} Grid;

static const double *corner(const Grid *grid, int triangle, int k)
{
	return &grid->points[3 * (size_t)grid->triangles[3 * (size_t)triangle + (size_t)k]];
}

/* How often an edge passes the ray from q towards larger across[0], upwards: 1, 0 or -1. */
static int pass(const Grid *grid, int a, int b, const double q[2])
{
	const double *from = &grid->points[3 * (size_t)a], *to = &grid->points[3 * (size_t)b];
	const int u = grid->across[0], v = grid->across[1];
	const bool below[2] = {from[v] <= q[1], to[v] <= q[1]};
	if (below[0] == below[1]) {
		return 0;
	}
	const double *low = a < b ? from : to, *high = a < b ? to : from;
	const double at = (high[u] - low[u]) * (q[1] - low[v]) - (q[0] - low[u]) * (high[v] - low[v]);
	const bool beyond = high[v] > low[v] ? at > 0.0 : at < 0.0;
	return beyond ? (below[0] ? 1 : -1) : 0;
}

/* Height at which the line meets the plane of the triangle, within the triangle's own heights. */
static double height_at(const Grid *grid, int triangle, const double q[2])
{
	const int u = grid->across[0], v = grid->across[1], axis = grid->axis;
	const double *a = corner(grid, triangle, 0), *b = corner(grid, triangle, 1), *c = corner(grid, triangle, 2);
	const double ab[2] = {b[u] - a[u], b[v] - a[v]}, ac[2] = {c[u] - a[u], c[v] - a[v]},
	             aq[2] = {q[0] - a[u], q[1] - a[v]};
	const double area = ab[0] * ac[1] - ab[1] * ac[0];
	const double s = (aq[0] * ac[1] - aq[1] * ac[0]) / area, t = (ab[0] * aq[1] - ab[1] * aq[0]) / area;
	const double height = a[axis] + s * (b[axis] - a[axis]) + t * (c[axis] - a[axis]);
	const double low = abut_min(a[axis], abut_min(b[axis], c[axis])),
	             high = abut_max(a[axis], abut_max(b[axis], c[axis]));
	return height >= low ? abut_min(height, high) : low; /* `low` for a plane along the line, too */
}

/* Rounding of a line's number, which is at most LINES. */
#define SLACK 1e-9

static int clamp_line(const Grid *grid, double i)
{
	return i <= 0.0 ? 0 : (int)abut_min(i, grid->n);
}

/* The lines that may meet a triangle: from[k] to end[k] - 1 along each side of the grid. */
static void find_lines(const Grid *grid, int triangle, int from[2], int end[2])
{
	for (int side = 0; side < 2; side++) {
		const int k = grid->across[side];
		const double *a = corner(grid, triangle, 0), *b = corner(grid, triangle, 1),
		             *c = corner(grid, triangle, 2);
		const double low = abut_min(a[k], abut_min(b[k], c[k])), high = abut_max(a[k], abut_max(b[k], c[k]));
		from[side] = clamp_line(grid, ceil((low - grid->first[side]) / grid->step[side] - SLACK));
		end[side] = clamp_line(grid, floor((high - grid->first[side]) / grid->step[side] + SLACK) + 1.0);
	}
}

static void cross_triangle(Grid *grid, int triangle)
{
	const int *corners = &grid->triangles[3 * (size_t)triangle];
	int from[2], end[2];
	find_lines(grid, triangle, from, end);
	for (int j = from[1]; j < end[1]; j++) {
		for (int i = from[0]; i < end[0]; i++) {
			const double q[2] = {grid->first[0] + i * grid->step[0], grid->first[1] + j * grid->step[1]};
			int turn = 0;
			for (int k = 0; k < 3; k++) {
				turn += pass(grid, corners[k], corners[(k + 1) % 3], q);
			}
			if (turn == 0) {
				continue;
			}
			if (grid->crossings) {
				/* Counterclockwise from above: the line leaves the solid there. */
				grid->crossings[grid->n_crossings] = (Crossing){
				    .height = height_at(grid, triangle, q), .line = j * grid->n + i, .turn = -turn};
			}
			grid->n_crossings++;
		}
	}
}

/* Counts or, with room for them, fills the crossings. False when stopped. */
static bool cross_all(Grid *grid)
{
	grid->n_crossings = 0;
	for (int t = 0; t < grid->n_triangles; t++) {
		if ((t & ABUT_WATCH_EVERY) == 0 && !abut_watch_goes_on(grid->watch, "looking for overlaps", -1.0)) {
			return false;
		}
		cross_triangle(grid, t);
	}
	return true;
}

static int compare_crossings(const void *a, const void *b)
{
	const Crossing *left = a, *right = b;
	if (left->line != right->line) {
		return left->line < right->line ? -1 : 1;
	}
	if (left->height != right->height) {
		return left->height < right->height ? -1 : 1;
	}
	return right->turn - left->turn;
}

/* Adds the lengths of one line, whose n crossings are in order, times `area`. */
static void add_line(const Crossing *crossings, size_t n, double area, double thin, AbutMeshCount *sum)
{
	int winding = 0;
	for (size_t i = 0; i + 1 < n; i++) {
		const double length = crossings[i + 1].height - crossings[i].height;
		winding += crossings[i].turn;
		sum->solid += winding > 0 ? area * length : 0.0;
		if (length > thin) {
			sum->several += winding > 1 ? area * length * (winding - 1) : 0.0;
			sum->against += winding < 0 ? -area * length * winding : 0.0;
		}
	}
}

static void add_lines(const Grid *grid, double thin, AbutMeshCount *sum)
{
	const double area = grid->step[0] * grid->step[1];
	for (size_t i = 0, end; i < grid->n_crossings; i = end) {
		for (end = i; end < grid->n_crossings && grid->crossings[end].line == grid->crossings[i].line; end++) {
		}
		add_line(&grid->crossings[i], end - i, area, thin, sum);
	}
}

/* Pairs of line and triangle to be looked at. */
static double count_tests(const Grid *grid)
{
	double tests = 0.0;
	for (int t = 0; t < grid->n_triangles; t++) {
		int from[2], end[2];
		find_lines(grid, t, from, end);
		tests += (double)(end[0] - from[0]) * (double)(end[1] - from[1]);
	}
	return tests;
}

/* Lines through the middle of each cell but for a little, lest they all run along the edges of a symmetric mesh. */
static void place_lines(Grid *grid, int n, const double low[3], const double high[3])
{
	static const double place[2] = {0.5 + 0.0123456789, 0.5 - 0.0187654321};
	grid->n = n;
	for (int side = 0; side < 2; side++) {
		const int k = grid->across[side];
		grid->step[side] = (high[k] - low[k]) / n;
		grid->first[side] = low[k] + place[side] * grid->step[side];
	}
}

static AbutStatus count_along(Grid *grid, const double low[3], const double high[3], double thin, AbutMeshCount *sum,
                              AbutError *error)
{
	grid->across[0] = (grid->axis + 1) % 3;
	grid->across[1] = (grid->axis + 2) % 3;
	place_lines(grid, LINES, low, high);
	if (!(grid->step[0] > 0.0 && grid->step[1] > 0.0)) {
		return ABUT_OK; /* flat: no line meets it */
	}
	while (grid->n > LINES_LEAST && count_tests(grid) > (double)MOST_TESTS) {
		place_lines(grid, grid->n / 2, low, high);
	}
	grid->crossings = NULL;
	bool goes_on = cross_all(grid);
	Crossing *const crossings = malloc((grid->n_crossings + 1) * sizeof *crossings);
	if (!crossings) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the lines through %d triangles",
		                      grid->n_triangles);
	}
	grid->crossings = crossings;
	goes_on = goes_on && cross_all(grid);
	if (goes_on) {
		qsort(crossings, grid->n_crossings, sizeof *crossings, compare_crossings);
		add_lines(grid, thin, sum);
	}
	free(crossings);
	return goes_on ? ABUT_OK
	               : abut_error_set(error, ABUT_ERROR_STOPPED, NULL, "stopped while looking for overlaps");
}

AbutStatus abut_mesh_count(const double *points, int n_triangles, const int *triangles, const double low[3],
                           const double high[3], double thin, const AbutWatch *watch, AbutMeshCount *out,
                           AbutError *error)
{
	AbutMeshCount sum = {.solid = 0.0};
	AbutStatus status = ABUT_OK;
	for (int axis = 0; axis < 3 && status == ABUT_OK; axis++) {
		Grid grid = {
		    .points = points, .n_triangles = n_triangles, .triangles = triangles, .axis = axis, .watch = watch};
		status = count_along(&grid, low, high, thin, &sum, error);
	}
	*out = (AbutMeshCount){sum.solid / 3.0, sum.several / 3.0, sum.against / 3.0};
	return status;
}
