/* Measures the volumes that a closed surface counts more than once or negatively. The volume by the divergence theorem
 * is the integral of the winding number w over space. It is correct if w is 0 or 1 everywhere. Where pieces overlap, or
 * a surface intersects itself, w is 2 or more; where a piece faces inwards, w is negative. Along a line w changes by
 * one at each triangle, so that the lengths with each w are exact. The lines form three grids, one along each axis
 * (tests/shapes/mesh/mesh_overlap.c compares with closed forms).
 *
 * Two edges of a triangle bound the part of a row of lines that meets it. For each edge, the number of lines before it
 * is computed from the vertex of the smaller index to the other. Both triangles of the edge thus get the same number.
 * So rounding never opens a closed surface: along each line the changes of w add up to zero. */
#include "shapes/mesh/lines.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/vec3.h"

/* Number of lines along each side of the grid. It is halved while the lines meet more than MOST_CROSSINGS triangles. */
enum { LINES = 128, LINES_LEAST = 16, MOST_CROSSINGS = 1 << 24 };

typedef struct Crossing {
	double height;
	int line; /* index in its grid */
	int turn; /* change of the winding number with increasing height */
} Crossing;

/* A grid of lines along `axis`. Line (i, j) is at (first[0] + i step[0], first[1] + j step[1]) across it. */
typedef struct Grid {
	const AbutClosedSurface *surface;
	int axis, across[2];
	int n; /* lines along each side */
	double first[2], step[2];
	int n_crossings, capacity;
	Crossing *crossings; /* (n_crossings) */
	const AbutWatch *watch;
} Grid;

static const double *corner(const Grid *grid, int triangle, int k)
{
	return &grid->surface->points[3 * (size_t)grid->surface->triangles[3 * (size_t)triangle + (size_t)k]];
}

static double line_at(const Grid *grid, int side, int i)
{
	return grid->first[side] + i * grid->step[side];
}

/* Returns how many lines of the row at position v lie before the point where the edge crosses v. Rounding is monotonic
 * along the row, so the bisection finds the same number as a test of each line. */
static int lines_before(const Grid *grid, const double *low, const double *high, double v)
{
	const int across = grid->across[0], up = grid->across[1];
	const double du = high[across] - low[across], dv = high[up] - low[up], at = du * (v - low[up]);
	int first = 0, last = grid->n;
	while (first < last) {
		const int middle = first + (last - first) / 2;
		const double side = at - (line_at(grid, 0, middle) - low[across]) * dv;
		if (dv > 0.0 ? side > 0.0 : side < 0.0) {
			first = middle + 1;
		} else {
			last = middle;
		}
	}
	return first;
}

/* Returns the height at which the line meets the plane of the triangle, clamped to the triangle's own heights. */
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
	return height >= low ? abut_min(height, high)
	                     : low; /* also if the plane is parallel to the line and `height` is NaN */
}

static bool add_crossing(Grid *grid, int triangle, int i, int j, int turn)
{
	if (!abut_grow(&grid->crossings, &grid->capacity, grid->n_crossings + 1, sizeof *grid->crossings)) {
		return false;
	}
	const double q[2] = {line_at(grid, 0, i), line_at(grid, 1, j)};
	grid->crossings[grid->n_crossings++] =
	    (Crossing){.height = height_at(grid, triangle, q), .line = j * grid->n + i, .turn = turn};
	return true;
}

/* Adds the crossings of row j with the triangle. They are the lines before one of the two edges that cross this row,
 * but not before the other. */
static bool cross_row(Grid *grid, int triangle, int j)
{
	const int *corners = &grid->surface->triangles[3 * (size_t)triangle], up = grid->across[1];
	const double v = line_at(grid, 1, j);
	int before[2] = {0, 0}; /* number of lines before the upward edge and before the downward edge */
	for (int k = 0; k < 3; k++) {
		const int a = corners[k], b = corners[(k + 1) % 3];
		const double *from = &grid->surface->points[3 * (size_t)a], *to = &grid->surface->points[3 * (size_t)b];
		if ((from[up] <= v) != (to[up] <= v)) {
			before[from[up] <= v ? 0 : 1] = lines_before(grid, a < b ? from : to, a < b ? to : from, v);
		}
	}
	/* If the triangle is counterclockwise seen from above, the line leaves the solid, and the upward edge has more
	 * lines before it. */
	const int turn = before[0] > before[1] ? -1 : 1;
	const int first = turn < 0 ? before[1] : before[0], last = turn < 0 ? before[0] : before[1];
	bool done = true;
	for (int i = first; i < last && done; i++) {
		done = add_crossing(grid, triangle, i, j, turn);
	}
	return done;
}

/* Bound of the rounding error of a line's number, which is at most LINES. */
#define SLACK 1e-9

static int clamp_line(const Grid *grid, double i)
{
	return i <= 0.0 ? 0 : (int)abut_min(i, grid->n);
}

static bool cross_triangle(Grid *grid, int triangle)
{
	const int up = grid->across[1];
	const double a = corner(grid, triangle, 0)[up], b = corner(grid, triangle, 1)[up],
	             c = corner(grid, triangle, 2)[up];
	const double low = (abut_min(a, abut_min(b, c)) - grid->first[1]) / grid->step[1],
	             high = (abut_max(a, abut_max(b, c)) - grid->first[1]) / grid->step[1];
	const int end = clamp_line(grid, floor(high + SLACK) + 1.0);
	bool done = true;
	for (int j = clamp_line(grid, ceil(low - SLACK)); j < end && done; j++) {
		done = cross_row(grid, triangle, j);
	}
	return done;
}

/* Finds the crossings; *many is true if there are too many. */
static AbutStatus cross_all(Grid *grid, bool *many, AbutError *error)
{
	grid->n_crossings = 0;
	*many = false;
	for (int t = 0; t < grid->surface->n_triangles && !*many; t++) {
		AbutStatus status = ABUT_OK;
		if ((t & ABUT_WATCH_EVERY) == 0) {
			status = abut_watch_check(grid->watch, "looking for overlaps",
			                          (grid->axis + (double)t / grid->surface->n_triangles) / 3.0, error);
		}
		if (status == ABUT_OK && !cross_triangle(grid, t)) {
			status =
			    abut_error_set(error, ABUT_ERROR_MEMORY, NULL,
			                   "no memory for the lines through %d triangles", grid->surface->n_triangles);
		}
		if (status != ABUT_OK) {
			return status;
		}
		*many = grid->n_crossings > MOST_CROSSINGS && grid->n > LINES_LEAST;
	}
	return ABUT_OK;
}

static int compare_crossings(const void *a, const void *b)
{
	const Crossing *left = a, *right = b;
	if (left->height != right->height) {
		return left->height < right->height ? -1 : 1;
	}
	return right->turn - left->turn;
}

/* Adds the lengths of one line with n sorted crossings, times `area`. */
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

/* Sorts the crossings by line, and those of each line by height; adds the lengths of all lines. */
static AbutStatus add_lines(const Grid *grid, double thin, AbutMeshCount *sum, AbutError *error)
{
	const size_t n_lines = (size_t)grid->n * (size_t)grid->n;
	const double area = grid->step[0] * grid->step[1];
	int *const start = calloc(n_lines + 2, sizeof *start);
	Crossing *const sorted = malloc(((size_t)grid->n_crossings + 1) * sizeof *sorted);
	if (!start || !sorted) {
		free(start);
		free(sorted);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the lines through %d triangles",
		                      grid->surface->n_triangles);
	}
	/* start[line + 2] counts the crossings of a line. Filling then moves start[line + 1] from the start of the line
	 * to its end. */
	for (int i = 0; i < grid->n_crossings; i++) {
		start[grid->crossings[i].line + 2]++;
	}
	for (size_t line = 1; line <= n_lines; line++) {
		start[line + 1] += start[line];
	}
	for (int i = 0; i < grid->n_crossings; i++) {
		sorted[start[grid->crossings[i].line + 1]++] = grid->crossings[i];
	}
	for (size_t line = 0; line < n_lines; line++) {
		const size_t n = (size_t)(start[line + 1] - start[line]);
		if (n > 1) {
			qsort(&sorted[start[line]], n, sizeof *sorted, compare_crossings);
			add_line(&sorted[start[line]], n, area, thin, sum);
		}
	}
	free(start);
	free(sorted);
	return ABUT_OK;
}

/* Places the lines slightly beside the middles of the cells, so that they do not meet the edges of a symmetric mesh. */
static void place_lines(Grid *grid, int n)
{
	static const double place[2] = {0.5 + 0.0123456789, 0.5 - 0.0187654321};
	grid->n = n;
	for (int side = 0; side < 2; side++) {
		const int k = grid->across[side];
		grid->step[side] = (grid->surface->high[k] - grid->surface->low[k]) / n;
		grid->first[side] = grid->surface->low[k] + place[side] * grid->step[side];
	}
}

static AbutStatus count_along(Grid *grid, double thin, AbutMeshCount *sum, AbutError *error)
{
	grid->across[0] = (grid->axis + 1) % 3;
	grid->across[1] = (grid->axis + 2) % 3;
	place_lines(grid, LINES);
	if (!(grid->step[0] > 0.0 && grid->step[1] > 0.0)) {
		return ABUT_OK; /* flat, so that no line meets the surface */
	}
	bool many = false;
	AbutStatus status = cross_all(grid, &many, error);
	while (status == ABUT_OK && many) {
		place_lines(grid, grid->n / 2);
		status = cross_all(grid, &many, error);
	}
	ABUT_THEN(status, add_lines(grid, thin, sum, error));
	free(grid->crossings);
	return status;
}

AbutStatus abut_mesh_count(const AbutClosedSurface *surface, double thin, const AbutWatch *watch, AbutMeshCount *out,
                           AbutError *error)
{
	AbutMeshCount sum = {.solid = 0.0};
	AbutStatus status = ABUT_OK;
	for (int axis = 0; axis < 3 && status == ABUT_OK; axis++) {
		Grid grid = {.surface = surface, .axis = axis, .watch = watch};
		status = count_along(&grid, thin, &sum, error);
	}
	*out = (AbutMeshCount){sum.solid / 3.0, sum.several / 3.0, sum.against / 3.0};
	return status;
}
