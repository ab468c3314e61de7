/* Finds polytopes Q with fewer faces around a hull P, by adding halfspaces where the error is largest. The error is the
 * largest distance to P of a vertex q of Q, since this distance is convex. The halfspace that touches P at the point
 * nearest to q, with its normal towards q, cuts q off. No halfspace that contains P cuts deeper. Each round cuts off
 * all vertices of nearly the largest distance, except those that a cut of the same round has removed.
 *
 * Faces of P that are larger than an equal share of the surface are used first, because the object may rest on them.
 * When the limit is reached, more halfspaces are added and the least useful ones removed, if this reduces the error.
 *
 * Cuts at corners are poor for few faces: for a box with seven faces, six cuts have a larger error than six of its
 * faces. So for few faces a second method is tried and the better result is taken. It starts with all faces of the hull
 * (or the largest) and the 26 directions of a cube's faces, edges and corners. Then it removes one halfspace at a time,
 * the one whose removal increases the error least. */
#include "shapes/hull/reduce_outer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/watch.h"
#include "shapes/hull/distance.h"
#include "shapes/hull/halfspaces.h"

/* Up to this many halfspaces, extra ones are made first and then removed. The cost of this search is quadratic. */
enum { THINNED_MOST = 300 };

/* The second method is tried for up to SELECTED_MOST faces. It starts with SELECTED_FROM faces and the directions. */
enum { SELECTED_MOST = 24, SELECTED_FROM = 48, DIRECTIONS = 26 };

typedef struct Corner {
	double distance; /* distance to the hull, m */
	double p[3], normal[3];
} Corner;

typedef struct Work {
	const AbutHull *hull;
	int capacity, most, m;
	int fixed;     /* number of leading rows that are faces of the hull */
	double *A, *b; /* (capacity x 3) and (capacity); b is relative to the hull's origin, m */
	int n_corners;
	Corner *corners; /* corners of Q, by descending distance */
	const AbutWatch *watch;
} Work;

static int compare_corners(const void *a, const void *b)
{
	const Corner *left = a, *right = b;
	if (left->distance != right->distance) {
		return left->distance > right->distance ? -1 : 1;
	}
	for (int k = 0; k < 3; k++) {
		if (left->p[k] != right->p[k]) {
			return left->p[k] < right->p[k] ? -1 : 1;
		}
	}
	return 0;
}

/* Returns how far n points reach along `normal` from `origin`, m. */
static double reach(int n, const double *points, const double origin[3], const double normal[3])
{
	double furthest = -HUGE_VAL;
	for (int i = 0; i < n; i++) {
		const double *p = &points[3 * (size_t)i];
		const double step[3] = {p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]};
		furthest = abut_max(furthest, abut_dot3(normal, step));
	}
	return furthest;
}

static void add_row(Work *work, const double normal[3])
{
	abut_copy3(normal, &work->A[3 * work->m]);
	work->b[work->m++] = reach(work->hull->n_vertices, work->hull->vertices, work->hull->origin, normal);
}

static bool is_new(const Work *work, const double normal[3])
{
	for (int i = 0; i < work->m; i++) {
		if (abut_dot3(normal, &work->A[3 * i]) > 1.0 - 1e-12) {
			return false;
		}
	}
	return true;
}

/* --- the first halfspaces --- */

typedef struct Face {
	double area;
	int index;
} Face;

static int compare_faces(const void *a, const void *b)
{
	const Face *left = a, *right = b;
	return left->area != right->area ? (left->area > right->area ? -1 : 1) : left->index - right->index;
}

static double area_of(const AbutHull *hull, int f)
{
	double sum[3] = {0.0};
	const double *first = &hull->vertices[3 * hull->face_vertex[hull->face_start[f]]];
	for (int k = hull->face_start[f] + 1; k + 1 < hull->face_start[f + 1]; k++) {
		double edge[2][3], cross[3];
		for (int i = 0; i < 2; i++) {
			abut_sub3(&hull->vertices[3 * hull->face_vertex[k + i]], first, edge[i]);
		}
		abut_cross3(edge[0], edge[1], cross);
		abut_add_scaled3(sum, 0.5, cross, sum);
	}
	return abut_norm3(sum);
}

/* Adds faces that are larger than 1.5 times an equal share of the surface, the largest first, up to half of the limit.
 * Returns false when out of memory. */
static bool add_large_faces(Work *work)
{
	const AbutHull *hull = work->hull;
	Face *faces = malloc((size_t)hull->n_faces * sizeof *faces);
	if (!faces) {
		return false;
	}
	const int room =
	    work->most / 2 < work->most - 4 ? work->most / 2 : work->most - 4; /* the 4 are for add_enclosing */
	double surface = 0.0;
	for (int f = 0; f < hull->n_faces; f++) {
		faces[f] = (Face){area_of(hull, f), f};
		surface += faces[f].area;
	}
	qsort(faces, (size_t)hull->n_faces, sizeof *faces, compare_faces);
	for (int i = 0; i < hull->n_faces && work->m < room && faces[i].area * work->most > 1.5 * surface; i++) {
		add_row(work, &hull->normals[3 * faces[i].index]);
	}
	free(faces);
	return true;
}

/* Adds four directions that enclose any set, so that Q is bounded. */
static void add_enclosing(Work *work)
{
	const double t = sqrt(1.0 / 3.0);
	const double directions[4][3] = {{t, t, t}, {t, -t, -t}, {-t, t, -t}, {-t, -t, t}};
	for (int i = 0; i < 4; i++) {
		add_row(work, directions[i]);
	}
}

/* --- rounds --- */

static AbutStatus look(const Work *work, AbutError *error)
{
	return abut_watch_check(work->watch, "fewer faces", abut_min((double)work->m / work->capacity, 1.0), error);
}

/* Finds the corners of Q and their distances. */
static AbutStatus find_corners(Work *work, AbutError *error)
{
	const AbutHull *hull = work->hull;
	int n = 0;
	double *points = NULL;
	ABUT_TRY(abut_halfspaces_vertices(work->m, work->A, work->b, &n, &points, error));
	AbutStatus status = ABUT_OK;
	Corner *corners = malloc((size_t)n * sizeof *corners);
	if (!corners) {
		free(points);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for %d vertices", n);
	}
	for (int i = 0; i < n && status == ABUT_OK; i++) {
		Corner *corner = &corners[i];
		status = look(work, error);
		double nearest[3];
		for (int k = 0; k < 3; k++) {
			corner->p[k] = points[3 * i + k];
			points[3 * i + k] += hull->origin[k];
		}
		corner->distance = abut_hull_distance(hull->n_vertices, hull->vertices, &points[3 * i], nearest);
		for (int k = 0; k < 3; k++) {
			corner->normal[k] =
			    corner->distance > 0.0 ? (points[3 * i + k] - nearest[k]) / corner->distance : 0.0;
		}
	}
	free(points);
	if (status != ABUT_OK) {
		free(corners);
		return status;
	}
	qsort(corners, (size_t)n, sizeof *corners, compare_corners);
	free(work->corners);
	work->corners = corners;
	work->n_corners = n;
	return ABUT_OK;
}

/* Makes one round of cuts. Returns their number. */
static int cut(Work *work, double least)
{
	const int before = work->m;
	for (int i = 0; i < work->n_corners && work->m < work->most; i++) {
		const Corner *corner = &work->corners[i];
		if (!(corner->distance > least) || corner->distance < 0.6 * work->corners[0].distance) {
			break;
		}
		bool gone = false;
		for (int k = before; k < work->m && !gone; k++) {
			gone = abut_dot3(&work->A[3 * k], corner->p) > work->b[k];
		}
		const double length = abut_norm3(corner->normal);
		const double normal[3] = {corner->normal[0] / length, corner->normal[1] / length,
		                          corner->normal[2] / length};
		if (!gone && is_new(work, normal)) {
			add_row(work, normal);
		}
	}
	return work->m - before;
}

/* Cuts until the limit is reached or nothing is left to cut. Distances up to `least` count as zero. */
static AbutStatus fill(Work *work, double least, AbutError *error)
{
	AbutStatus status = find_corners(work, error);
	while (status == ABUT_OK && work->m < work->most && cut(work, least) > 0) {
		status = find_corners(work, error);
	}
	return status;
}

/* --- removal of halfspaces --- */

/* Computes the damage of removing row `row`: the largest distance to the hull among the corners that Q gains. It is
 * HUGE_VAL if Q becomes unbounded. */
static AbutStatus find_damage(const Work *work, int row, double *rows, double least, double *damage, AbutError *error)
{
	const AbutHull *hull = work->hull;
	const int left = work->m - 1 - row;
	double *offsets = &rows[3 * (size_t)work->capacity], *points = NULL;
	int n = 0;
	memcpy(rows, work->A, 3 * (size_t)row * sizeof *rows);
	memcpy(&rows[3 * row], &work->A[3 * (row + 1)], 3 * (size_t)left * sizeof *rows);
	memcpy(offsets, work->b, (size_t)row * sizeof *offsets);
	memcpy(&offsets[row], &work->b[row + 1], (size_t)left * sizeof *offsets);
	ABUT_TRY(look(work, error));
	AbutStatus status = abut_halfspaces_vertices(work->m - 1, rows, offsets, &n, &points, error);
	*damage = status == ABUT_OK ? 0.0 : HUGE_VAL;
	for (int i = 0; status == ABUT_OK && i < n; i++) {
		double *p = &points[3 * i], nearest[3];
		if (abut_dot3(&work->A[3 * row], p) <= work->b[row] + least) {
			continue;
		}
		abut_add3(p, hull->origin, p);
		*damage = abut_max(*damage, abut_hull_distance(hull->n_vertices, hull->vertices, p, nearest));
	}
	free(points);
	return status == ABUT_ERROR_MEMORY ? status : ABUT_OK;
}

static void remove_row(Work *work, int row, double *damage, int *known_at)
{
	const size_t left = (size_t)(work->m - 1 - row);
	memmove(&work->A[3 * row], &work->A[3 * (row + 1)], 3 * left * sizeof *work->A);
	memmove(&work->b[row], &work->b[row + 1], left * sizeof *work->b);
	memmove(&damage[row], &damage[row + 1], left * sizeof *damage);
	memmove(&known_at[row], &known_at[row + 1], left * sizeof *known_at);
	work->m--;
}

/* Removes rows until `most` are left, each time the row with the least damage. Damage only grows when other rows are
 * removed, so that an earlier value is a lower bound. Only the rows with the smallest bound are computed again. Stops
 * early if no row can be removed. */
static AbutStatus thin_out(Work *work, int most, double least, double *scratch, AbutError *error)
{
	double *rows = scratch, *damage = &scratch[4 * (size_t)work->capacity];
	int *known_at = calloc((size_t)work->capacity, sizeof *known_at);
	AbutStatus status =
	    known_at ? ABUT_OK : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for %d halfspaces", most);
	for (int i = 0; i < work->m; i++) {
		damage[i] = 0.0;
	}
	while (status == ABUT_OK && work->m > most) {
		int best = work->fixed;
		for (int i = best + 1; i < work->m; i++) {
			best = damage[i] < damage[best] ? i : best;
		}
		if (known_at[best] == work->m && damage[best] < HUGE_VAL) {
			remove_row(work, best, damage, known_at);
		} else if (known_at[best] == work->m) {
			break; /* removing any of these rows makes Q unbounded */
		} else {
			status = find_damage(work, best, rows, least, &damage[best], error);
			known_at[best] = work->m;
		}
	}
	free(known_at);
	return status == ABUT_OK ? find_corners(work, error) : status;
}

/* --- the second method --- */

/* Adds the largest faces, up to SELECTED_FROM. Returns false when out of memory. */
static bool add_faces(Work *work)
{
	const AbutHull *hull = work->hull;
	Face *faces = malloc((size_t)hull->n_faces * sizeof *faces);
	if (!faces) {
		return false;
	}
	for (int f = 0; f < hull->n_faces; f++) {
		faces[f] = (Face){area_of(hull, f), f};
	}
	qsort(faces, (size_t)hull->n_faces, sizeof *faces, compare_faces);
	for (int i = 0; i < hull->n_faces && i < SELECTED_FROM; i++) {
		add_row(work, &hull->normals[3 * faces[i].index]);
	}
	free(faces);
	return true;
}

static void add_directions(Work *work)
{
	for (int i = 0; i < 27; i++) {
		const int place[3] = {i % 3, i / 3 % 3, i / 9};
		const double raw[3] = {place[0] - 1.0, place[1] - 1.0, place[2] - 1.0};
		const double length = abut_norm3(raw);
		const double normal[3] = {raw[0] / length, raw[1] / length, raw[2] / length};
		if (length > 0.0 && is_new(work, normal)) {
			add_row(work, normal);
		}
	}
}

static void add_box(Work *work)
{
	for (int i = 0; i < 6; i++) {
		double normal[3] = {0.0, 0.0, 0.0};
		normal[i / 2] = i % 2 ? 1.0 : -1.0;
		add_row(work, normal);
	}
}

/* Replaces the rows of `work` by those of `other` if their error is smaller. */
static void take_better(const Work *other, Work *work, double *distance)
{
	if (other->m <= work->most && other->corners[0].distance < *distance) {
		*distance = other->corners[0].distance;
		work->m = other->m;
		memcpy(work->A, other->A, 3 * (size_t)other->m * sizeof *other->A);
		memcpy(work->b, other->b, (size_t)other->m * sizeof *other->b);
	}
}

/* Replaces the rows of `work`, whose error is `distance`, by those of the second method or of the axis-aligned box if
 * these are better. */
static AbutStatus select_rows(Work *work, double least, double *distance, AbutError *error)
{
	enum { CAPACITY = SELECTED_FROM + DIRECTIONS };
	double A[3 * CAPACITY], b[CAPACITY], scratch[5 * CAPACITY];
	Work other = {.hull = work->hull, .capacity = CAPACITY, .A = A, .b = b, .watch = work->watch};
	if (!add_faces(&other)) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for %d faces", work->hull->n_faces);
	}
	add_directions(&other);
	AbutStatus status = thin_out(&other, work->most, least, scratch, error);
	if (status == ABUT_OK) {
		take_better(&other, work, distance);
	}
	if (status == ABUT_OK && work->most >= 6) {
		other.m = 0;
		add_box(&other);
		status = find_corners(&other, error);
	}
	if (status == ABUT_OK && work->most >= 6) {
		take_better(&other, work, distance);
	}
	free(other.corners);
	return status;
}

/* --- the whole --- */

/* Tries to reduce the error: adds a third more rows than the limit, then removes the least useful ones. If this does
 * not help, restores the original rows, which `scratch` (capacity x 9) holds in the meantime. */
static AbutStatus refine(Work *work, double least, double *scratch, double *distance, AbutError *error)
{
	const int m = work->m;
	double *A = scratch, *b = &scratch[3 * (size_t)m], *rest = &scratch[4 * (size_t)m];
	*distance = work->corners[0].distance;
	memcpy(A, work->A, 3 * (size_t)m * sizeof *A);
	memcpy(b, work->b, (size_t)m * sizeof *b);
	AbutStatus status = ABUT_OK;
	if (*distance > least && m == work->most && m <= THINNED_MOST) {
		work->most = work->capacity;
		status = fill(work, least, error);
		ABUT_THEN(status, thin_out(work, m, least, rest, error));
		if (status == ABUT_ERROR_MEMORY || status == ABUT_ERROR_STOPPED) {
			return status;
		}
	}
	if (status == ABUT_OK && work->m <= m && work->corners[0].distance < *distance) {
		*distance = work->corners[0].distance;
	} else {
		memcpy(work->A, A, 3 * (size_t)m * sizeof *A);
		memcpy(work->b, b, (size_t)m * sizeof *b);
		work->m = m;
	}
	return ABUT_OK;
}

static AbutStatus reduce(Work *work, double *scratch, double *distance, AbutError *error)
{
	double size = 0.0;
	for (int f = 0; f < work->hull->n_faces; f++) {
		size = abut_max(size, work->hull->offsets[f]);
	}
	const double least = 1e-9 * size;
	if (!add_large_faces(work)) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for %d faces", work->hull->n_faces);
	}
	work->fixed = work->m;
	add_enclosing(work);
	const int most = work->most;
	AbutStatus status = fill(work, least, error);
	ABUT_THEN(status, refine(work, least, scratch, distance, error));
	work->most = most;
	return status == ABUT_OK && most <= SELECTED_MOST ? select_rows(work, least, distance, error) : status;
}

AbutStatus abut_hull_reduce_outer(const AbutHull *hull, int n, const double *points, int most, AbutHalfspaces *out,
                                  double *distance, const AbutWatch *watch, AbutError *error)
{
	Work work = {.hull = hull, .most = most, .capacity = most + most / 3 + 1, .watch = watch};
	const size_t capacity = (size_t)work.capacity;
	work.A = malloc(3 * capacity * sizeof *work.A);
	work.b = malloc(capacity * sizeof *work.b);
	double *scratch = malloc(9 * capacity * sizeof *scratch);
	AbutStatus status = ABUT_ERROR_MEMORY;
	if (work.A && work.b && scratch) {
		status = reduce(&work, scratch, distance, error);
	} else {
		abut_error_set(error, status, NULL, "no memory for %d halfspaces", most);
	}
	free(scratch);
	free(work.corners);
	if (status != ABUT_OK) {
		free(work.A);
		free(work.b);
		return status;
	}
	/* Use the points themselves: the hull leaves out points that are coplanar to its tolerance. */
	for (int i = 0; i < work.m; i++) {
		const double *row = &work.A[3 * i];
		work.b[i] = abut_max(work.b[i], reach(n, points, hull->origin, row)) + abut_dot3(row, hull->origin);
	}
	*out = (AbutHalfspaces){work.m, work.A, work.b};
	return ABUT_OK;
}
