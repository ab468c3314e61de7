/* Computes hulls of some of a hull's vertices. The next vertex is always the one furthest from the hull of those
 * chosen. The error is the distance of a vertex to a convex set, which is computed exactly, and each step removes the
 * largest one. Distances only shrink as the hull grows, so that an earlier distance is an upper bound. Only the
 * vertices with the largest bounds are measured again. The smaller index wins ties, so that the result is reproducible.
 */
#include "shapes/hull/reduce_inner.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/watch.h"
#include "shapes/hull/distance.h"

/* Number of distances between two progress reports. */
enum { LOOK_EVERY = 16 };

typedef struct Work {
	const AbutHull *hull;
	int n;          /* number of chosen vertices */
	double *chosen; /* (n x 3), m */
	double *bound;  /* (n_vertices) upper bound on the distance to the hull of the chosen vertices, m; negative:
	                   chosen */
	int *current;   /* (n_vertices) n at the time when the bound was computed */
	int most;       /* largest number of faces */
	const AbutWatch *watch;
} Work;

/* Returns the vertex furthest from the hull of the chosen ones; -1 if stopped. */
static int find_furthest(Work *work, double *distance)
{
	for (int round = 0;; round++) {
		if (round % LOOK_EVERY == 0 &&
		    !abut_watch_goes_on(work->watch, "fewer faces", abut_min(2.0 * work->n / work->most, 1.0))) {
			return -1;
		}
		int best = 0;
		for (int i = 1; i < work->hull->n_vertices; i++) {
			best = work->bound[i] > work->bound[best] ? i : best;
		}
		if (work->current[best] == work->n || work->bound[best] <= 0.0) {
			*distance = abut_max(work->bound[best], 0.0);
			return best;
		}
		double nearest[3];
		work->bound[best] = abut_hull_distance(work->n, work->chosen, &work->hull->vertices[3 * best], nearest);
		work->current[best] = work->n;
	}
}

static void choose(Work *work, int vertex)
{
	abut_copy3(&work->hull->vertices[3 * vertex], &work->chosen[3 * work->n++]);
	work->bound[vertex] = -1.0;
}

/* Returns the vertex furthest from the middle of the hull. */
static int find_first(const AbutHull *hull)
{
	int best = 0;
	double furthest = -1.0;
	for (int i = 0; i < hull->n_vertices; i++) {
		double step[3];
		abut_sub3(&hull->vertices[3 * i], hull->origin, step);
		if (abut_norm3(step) > furthest) {
			furthest = abut_norm3(step);
			best = i;
		}
	}
	return best;
}

/* Returns the vertex furthest from the plane of the first three. The vertex furthest from their triangle would be
 * useless if it lay in that plane. */
static int find_fourth(const Work *work)
{
	const double *a = work->chosen, *b = &work->chosen[3], *c = &work->chosen[6];
	const double ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, ac[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
	double normal[3], furthest = -1.0;
	int best = 0;
	abut_cross3(ab, ac, normal);
	for (int i = 0; i < work->hull->n_vertices; i++) {
		const double *p = &work->hull->vertices[3 * i];
		const double step[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
		const double height = fabs(abut_dot3(normal, step));
		if (height > furthest) {
			furthest = height;
			best = i;
		}
	}
	return best;
}

/* Adds vertices while the hull has few enough faces. A hull of n vertices has at most 2 n - 4 faces, so that hulls are
 * only computed once this bound exceeds the limit. */
static AbutStatus grow(Work *work, int most, double tolerance, AbutHull **out, double *distance, AbutError *error)
{
	choose(work, find_first(work->hull));
	for (;;) {
		double left = 0.0;
		const int next = find_furthest(work, &left);
		if (next < 0) {
			abut_hull_destroy(*out);
			*out = NULL;
			return abut_error_set(error, ABUT_ERROR_STOPPED, NULL, "stopped at %d vertices", work->n);
		}
		if (2 * (work->n + 1) - 4 > most || left <= 0.0) {
			AbutHull *hull = NULL;
			const AbutStatus status =
			    abut_hull_create(work->n, work->chosen, tolerance, ABUT_HULL_FLAT, "mesh", &hull, error);
			if (status != ABUT_OK || hull->n_faces > most) {
				abut_hull_destroy(hull);
				return *out ? ABUT_OK : status;
			}
			abut_hull_destroy(*out);
			*out = hull;
			*distance = left;
		}
		if (left <= 0.0) {
			return ABUT_OK;
		}
		choose(work, work->n == 3 ? find_fourth(work) : next);
	}
}

AbutStatus abut_hull_reduce_inner(const AbutHull *hull, int most, double tolerance, AbutHull **out, double *distance,
                                  const AbutWatch *watch, AbutError *error)
{
	const size_t n = (size_t)hull->n_vertices;
	Work work = {.hull = hull,
	             .most = most,
	             .watch = watch,
	             .chosen = malloc(3 * n * sizeof *work.chosen),
	             .bound = malloc(n * sizeof *work.bound),
	             .current = calloc(n, sizeof *work.current)};
	*out = NULL;
	*distance = 0.0;
	AbutStatus status = ABUT_ERROR_MEMORY;
	if (work.chosen && work.bound && work.current) {
		for (int i = 0; i < hull->n_vertices; i++) {
			work.bound[i] = HUGE_VAL;
		}
		status = grow(&work, most, tolerance, out, distance, error);
	} else {
		abut_error_set(error, status, NULL, "no memory for a hull of %d vertices", hull->n_vertices);
	}
	free(work.chosen);
	free(work.bound);
	free(work.current);
	return status;
}
