/* Computes convex hulls by qhull. No other file includes qhull's headers.
 *
 * qhull receives the points centred and scaled to size 1. Its facets, merged if coplanar, become faces. A face has its
 * vertices in order, a normal computed from the whole polygon (qhull uses only three points), and edges with the faces
 * on both sides. A hull whose edges do not pair up is never returned. */
#define _GNU_SOURCE /* fopencookie, memmem */
#include <libqhull_r/qhull_ra.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/watch.h"
#include "shapes/hull/hull.h"

/* A corner of a face, for sorting by angle. */
typedef struct Corner {
	double angle;
	int vertex;
} Corner;

static int compare_corners(const void *a, const void *b)
{
	const Corner *left = a, *right = b;
	return left->angle != right->angle ? (left->angle < right->angle ? -1 : 1) : left->vertex - right->vertex;
}

/* Compares the unordered pairs of vertices, so that the two directions of an edge become neighbours. */
static int compare_edges(const void *a, const void *b)
{
	const AbutHullEdge *left = a, *right = b;
	const int low =
	    (left->from < left->to ? left->from : left->to) - (right->from < right->to ? right->from : right->to);
	const int high =
	    (left->from < left->to ? left->to : left->from) - (right->from < right->to ? right->to : right->from);
	return low != 0 ? low : (high != 0 ? high : left->left - right->left);
}

/* A hull under construction. */
typedef struct Work {
	int n;
	const double *points; /* (n x 3) as given */
	double *u;            /* (n x 3) the points centred and scaled to size 1, for qhull */
	double origin[3];
	double half_size; /* length of one unit of u, m */
	int *index;       /* (n) index of each point among the hull's vertices, or -1 */
	Corner *corners;  /* (n) corners of one face */
	qhT qhull;
	char complaint[512]; /* qhull's error message */
	const AbutWatch *watch;
	double looked; /* time of the last progress report, us */
	bool stopped;
} Work;

/* --- messages --- */

/* qhull reports progress after this many facets. */
#define REPORT_EVERY "TF100"
enum { LOOK_EVERY = 50000 }; /* time between two progress reports, us */

/* Receives qhull's messages. qhull can only be stopped during a progress report: by its option TA, a limit on the
 * number of added points, which it checks before each point. */
static ssize_t hear(void *cookie, const char *text, size_t n)
{
	Work *work = cookie;
	if (memmem(text, n, "CPU sec", 7)) {
		const double now = abut_now_us();
		if (now - work->looked > LOOK_EVERY && !work->stopped) {
			work->looked = now;
			work->stopped = !abut_watch_goes_on(work->watch, "hull", -1.0);
		}
		work->qhull.STOPadd = work->stopped ? 1 : work->qhull.STOPadd;
		return (ssize_t)n;
	}
	const size_t known = strlen(work->complaint), room = sizeof work->complaint - 1 - known;
	memcpy(work->complaint + known, text, n < room ? n : room);
	return (ssize_t)n;
}

/* Opens the stream that qhull needs for its messages. Returns NULL when out of memory. */
static FILE *open_log(Work *work)
{
	FILE *log = fopencookie(work, "w", (cookie_io_functions_t){.write = hear});
	if (log) {
		setvbuf(log, NULL, _IONBF, 0);
	}
	return log;
}

/* --- the hull --- */

static void destroy_work(Work *work)
{
	if (work) {
		free(work->u);
		free(work->index);
		free(work->corners);
		free(work);
	}
}

static Work *create_work(int n, const double *points)
{
	Work *work = calloc(1, sizeof *work);
	if (!work) {
		return NULL;
	}
	work->n = n;
	work->points = points;
	work->u = calloc((size_t)n * 3, sizeof *work->u);
	work->index = malloc((size_t)n * sizeof *work->index);
	work->corners = malloc((size_t)n * sizeof *work->corners);
	if (!work->u || !work->index || !work->corners) {
		destroy_work(work);
		return NULL;
	}
	return work;
}

/* Maps the points to [-1, 1]^3 around the middle of their bounding box. */
static void normalise(Work *work)
{
	double low[3], high[3], half = 0.0;
	abut_copy3(work->points, low);
	abut_copy3(work->points, high);
	for (int i = 0; i < 3 * work->n; i++) {
		low[i % 3] = fmin(low[i % 3], work->points[i]);
		high[i % 3] = fmax(high[i % 3], work->points[i]);
	}
	for (int k = 0; k < 3; k++) {
		work->origin[k] = 0.5 * (low[k] + high[k]);
		half = fmax(half, 0.5 * (high[k] - low[k]));
	}
	work->half_size = half;
	for (int i = 0; i < 3 * work->n; i++) {
		work->u[i] = half > 0.0 ? (work->points[i] - work->origin[i % 3]) / half : 0.0;
	}
}

/* Returns the thickness of the points relative to their length, up to a small factor. Takes two distant points, the
 * point furthest from their line, and the distance of the point furthest from the plane of the three. */
static double measure_thickness(const Work *work)
{
	double axis[3] = {0.0}, normal[3] = {0.0}, longest = 0.0, widest = 0.0, thickest = 0.0;
	for (int i = 1; i < work->n; i++) {
		const double *first = work->u, *u = &work->u[3 * i];
		const double step[3] = {u[0] - first[0], u[1] - first[1], u[2] - first[2]};
		if (abut_norm3(step) > longest) {
			longest = abut_norm3(step);
			abut_copy3(step, axis);
		}
	}
	for (int i = 1; i < work->n; i++) {
		const double *first = work->u, *u = &work->u[3 * i];
		const double step[3] = {u[0] - first[0], u[1] - first[1], u[2] - first[2]};
		double cross[3];
		abut_cross3(axis, step, cross);
		if (abut_norm3(cross) > widest * longest) {
			widest = abut_norm3(cross) / longest;
			abut_copy3(cross, normal);
		}
	}
	for (int i = 1; i < work->n && widest > 0.0; i++) {
		const double *first = work->u, *u = &work->u[3 * i];
		const double step[3] = {u[0] - first[0], u[1] - first[1], u[2] - first[2]};
		thickest = fmax(thickest, fabs(abut_dot3(normal, step)) / (widest * longest));
	}
	return longest > 0.0 ? thickest / longest : 0.0;
}

/* Frees qhull's memory. An error in qhull jumps to qh_errexit's target; without a target it would end the process. Here
 * such an error is ignored. */
static void release_qhull(qhT *qh)
{
	if (setjmp(qh->errexit) == 0) {
		int long_blocks = 0, long_bytes = 0;
		qh->NOerrexit = False;
		qh_freeqhull(qh, !qh_ALL);
		qh_memfreeshort(qh, &long_blocks, &long_bytes);
	}
	qh->NOerrexit = True;
}

/* Writes the vertices of a facet to the corners, as indices of the given points, without those whose index is negative.
 * Returns their number. qhull's own indices refer to its array, which is a copy if it has moved the points slightly. */
static int collect_corners(Work *work, const facetT *facet)
{
	int n = 0;
	for (vertexT **vertex = SETaddr_(facet->vertices, vertexT); *vertex; vertex++) {
		const int point = (int)(((*vertex)->point - work->qhull.first_point) / 3);
		if (work->index[point] >= 0) {
			work->corners[n++] = (Corner){.vertex = point};
		}
	}
	return n;
}

/* Numbers the hull's vertices. A point that belongs to fewer than three facets lies inside a face or an edge, to within
 * the tolerance, and is left out. Returns false if a face would keep fewer than three corners. */
static bool choose_vertices(Work *work, int *n_vertices, int *n_faces, int *n_corners)
{
	*n_vertices = *n_faces = *n_corners = 0;
	memset(work->index, 0, (size_t)work->n * sizeof *work->index);
	for (const facetT *facet = work->qhull.facet_list; facet->next; facet = facet->next) {
		const int corners = collect_corners(work, facet);
		for (int k = 0; k < corners; k++) {
			work->index[work->corners[k].vertex]++;
		}
	}
	for (int i = 0; i < work->n; i++) {
		work->index[i] = work->index[i] >= 3 ? (*n_vertices)++ : -1;
	}
	bool polygons = true;
	for (const facetT *facet = work->qhull.facet_list; facet->next; facet = facet->next) {
		const int corners = collect_corners(work, facet);
		polygons = polygons && corners >= 3;
		*n_corners += corners;
		(*n_faces)++;
	}
	return polygons;
}

static AbutHull *allocate_hull(int n_vertices, int n_faces, int n_corners)
{
	const size_t doubles = 3 * (size_t)n_vertices + 4 * (size_t)n_faces;
	const size_t ints = (size_t)n_faces + 1 + (size_t)n_corners;
	AbutHull *hull = calloc(1, sizeof *hull + doubles * sizeof(double) + ints * sizeof(int) +
	                               (size_t)n_corners * sizeof(AbutHullEdge));
	if (!hull) {
		return NULL;
	}
	hull->n_vertices = n_vertices;
	hull->n_faces = n_faces;
	hull->vertices = (double *)(hull + 1);
	hull->normals = hull->vertices + 3 * (size_t)n_vertices;
	hull->offsets = hull->normals + 3 * (size_t)n_faces;
	hull->edges = (AbutHullEdge *)(hull->offsets + n_faces);
	hull->face_start = (int *)(hull->edges + n_corners);
	hull->face_vertex = hull->face_start + n_faces + 1;
	return hull;
}

/* Sorts the corners of a face by their angle around its middle, counterclockwise seen from outside. */
static void order_corners(Work *work, int corners, const double normal[3])
{
	double middle[3] = {0.0}, across[3], along[3];
	for (int k = 0; k < corners; k++) {
		for (int i = 0; i < 3; i++) {
			middle[i] += work->u[3 * work->corners[k].vertex + i] / corners;
		}
	}
	/* Axes in the plane of the face: `along` points from the middle to the first corner, `across` is orthogonal to
	 * it. */
	abut_sub3(&work->u[3 * work->corners[0].vertex], middle, along);
	abut_cross3(normal, along, across);
	for (int k = 0; k < corners; k++) {
		double step[3];
		abut_sub3(&work->u[3 * work->corners[k].vertex], middle, step);
		work->corners[k].angle = atan2(abut_dot3(across, step), abut_dot3(along, step));
	}
	qsort(work->corners, (size_t)corners, sizeof *work->corners, compare_corners);
}

/* Orders the corners of a triangle by its orientation, which qhull knows even for a sliver. */
static void orient_triangle(Work *work, bool top)
{
	if (top) {
		const Corner second = work->corners[1];
		work->corners[1] = work->corners[2];
		work->corners[2] = second;
	}
}

/* Computes the unit normal of a polygon with ordered corners from its area vector, the sum of the cross products of a
 * fan (Newell). It is not finite if the polygon has no area. */
static void polygon_normal(const Work *work, int corners, double normal[3])
{
	const double *first = &work->u[3 * work->corners[0].vertex];
	double before[3] = {0.0};
	memset(normal, 0, 3 * sizeof *normal);
	for (int k = 1; k < corners; k++) {
		const double *corner = &work->u[3 * work->corners[k].vertex];
		const double step[3] = {corner[0] - first[0], corner[1] - first[1], corner[2] - first[2]};
		double cross[3];
		abut_cross3(before, step, cross);
		abut_add3(normal, cross, normal);
		abut_copy3(step, before);
	}
	abut_divide3(normal, abut_norm3(normal), normal);
}

static double height_of(const AbutHull *hull, int vertex, const double normal[3])
{
	const double *p = &hull->vertices[3 * vertex];
	const double step[3] = {p[0] - hull->origin[0], p[1] - hull->origin[1], p[2] - hull->origin[2]};
	return abut_dot3(normal, step);
}

/* Up to this product of numbers of vertices and faces, all pairs are compared. */
#define ALL_PAIRS 2e7

/* Returns the height of the highest vertex along a face's normal. In a large hull only the face and its neighbours are
 * searched: other vertices lie behind the planes of the neighbours. */
static double find_highest(const Work *work, const AbutHull *hull, const facetT *facet, const double normal[3])
{
	double highest = -HUGE_VAL;
	if ((double)hull->n_vertices * (double)hull->n_faces <= ALL_PAIRS) {
		for (int i = 0; i < hull->n_vertices; i++) {
			highest = abut_max(highest, height_of(hull, i, normal));
		}
		return highest;
	}
	for (facetT **neighbour = SETaddr_(facet->neighbors, facetT); *neighbour; neighbour++) {
		for (vertexT **vertex = SETaddr_((*neighbour)->vertices, vertexT); *vertex; vertex++) {
			const int index = work->index[((*vertex)->point - work->qhull.first_point) / 3];
			if (index >= 0) {
				highest = abut_max(highest, height_of(hull, index, normal));
			}
		}
	}
	return highest;
}

/* Uses `normal` for face f, with the smallest offset that leaves no vertex outside. Returns false if a corner of the
 * face is then further from its plane than `slack` times the size. */
static bool try_normal(const Work *work, AbutHull *hull, int f, const facetT *facet, const double normal[3],
                       double slack)
{
	const double offset = find_highest(work, hull, facet, normal);
	double lowest = HUGE_VAL;
	for (int k = hull->face_start[f]; k < hull->face_start[f + 1]; k++) {
		lowest = fmin(lowest, height_of(hull, hull->face_vertex[k], normal));
	}
	abut_copy3(normal, &hull->normals[3 * f]);
	hull->offsets[f] = offset;
	return isfinite(offset) && offset - lowest <= slack * work->half_size;
}

/* Fills vertices and faces. Tries the polygon's normal first, which is more exact than qhull's but arbitrary for a
 * sliver. Returns false if neither normal fits a face. */
static bool fill_faces(Work *work, AbutHull *hull, double slack)
{
	for (int i = 0; i < work->n; i++) {
		if (work->index[i] >= 0) {
			abut_copy3(&work->points[3 * i], &hull->vertices[3 * work->index[i]]);
		}
	}
	abut_copy3(work->origin, hull->origin);
	int f = 0;
	for (const facetT *facet = work->qhull.facet_list; facet->next; facet = facet->next, f++) {
		const int corners = collect_corners(work, facet);
		if (facet->simplicial) {
			orient_triangle(work, facet->toporient);
		} else {
			order_corners(work, corners, facet->normal);
		}
		for (int k = 0; k < corners; k++) {
			hull->face_vertex[hull->face_start[f] + k] = work->index[work->corners[k].vertex];
		}
		hull->face_start[f + 1] = hull->face_start[f] + corners;
		double normal[3];
		polygon_normal(work, corners, normal);
		if (!try_normal(work, hull, f, facet, normal, slack) &&
		    !try_normal(work, hull, f, facet, facet->normal, slack)) {
			return false;
		}
	}
	return true;
}

/* Pairs every directed edge with its opposite. Returns false unless all edges have one and Euler's formula holds. */
static bool pair_edges(AbutHull *hull)
{
	const int n_corners = hull->face_start[hull->n_faces];
	for (int f = 0; f < hull->n_faces; f++) {
		const int start = hull->face_start[f], corners = hull->face_start[f + 1] - start;
		for (int k = 0; k < corners; k++) {
			hull->edges[start + k] = (AbutHullEdge){.from = hull->face_vertex[start + k],
			                                        .to = hull->face_vertex[start + (k + 1) % corners],
			                                        .left = f};
		}
	}
	qsort(hull->edges, (size_t)n_corners, sizeof *hull->edges, compare_edges);
	if (n_corners % 2 != 0 || hull->n_vertices - n_corners / 2 + hull->n_faces != 2) {
		return false;
	}
	for (int i = 0; i < n_corners; i += 2) {
		const AbutHullEdge *edge = &hull->edges[i], *opposite = &hull->edges[i + 1];
		if (edge->from != opposite->to || edge->to != opposite->from) {
			return false;
		}
		hull->edges[i / 2] = (AbutHullEdge){edge->from, edge->to, edge->left, opposite->left};
	}
	hull->n_edges = n_corners / 2;
	return true;
}

/* Makes one attempt: runs qhull with `options`, then makes the hull. */
static AbutStatus attempt(Work *work, const char *options, double slack, FILE *log, AbutHull **out)
{
	char command[128];
	snprintf(command, sizeof command, "qhull Qs Pp %s %s", work->watch ? REPORT_EVERY : "", options);
	qh_zero(&work->qhull, log);
	const int code = qh_new_qhull(&work->qhull, 3, work->n, work->u, False, command, NULL, log);
	int n_vertices = 0, n_faces = 0, n_corners = 0;
	AbutHull *hull = NULL;
	AbutStatus status = work->stopped       ? ABUT_ERROR_STOPPED
	                    : code == qh_ERRmem ? ABUT_ERROR_MEMORY
	                                        : ABUT_ERROR_NUMERICAL;
	if (code == qh_ERRnone && !work->stopped && choose_vertices(work, &n_vertices, &n_faces, &n_corners)) {
		hull = allocate_hull(n_vertices, n_faces, n_corners);
		status = ABUT_ERROR_MEMORY;
		if (hull) {
			/* Merging sometimes fails if the noise of the points is as large as the tolerance. */
			const bool clean =
			    work->qhull.max_outside <= slack && fill_faces(work, hull, slack) && pair_edges(hull);
			status = clean ? ABUT_OK : ABUT_ERROR_NUMERICAL;
		}
	}
	release_qhull(&work->qhull);
	if (status != ABUT_OK) {
		abut_hull_destroy(hull);
		return status;
	}
	*out = hull;
	return ABUT_OK;
}

/* Merges coplanar facets to the tolerance; if that fails, to rounding. If that fails too, lets qhull move the points
 * slightly (with the same random numbers each time) and takes the triangles of their hull. */
static AbutStatus compute(Work *work, double tolerance, const char *where, AbutHull **out, AbutError *error)
{
	FILE *log = open_log(work);
	if (!log) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the messages of qhull");
	}
	char merge[32];
	snprintf(merge, sizeof merge, "C-%g", tolerance);
	const char *const options[] = {merge, "C-0", "QJ"};
	const double slack = fmax(10.0 * tolerance, 1e-9);
	AbutStatus status = ABUT_ERROR_NUMERICAL;
	for (int i = 0; i < 3 && status == ABUT_ERROR_NUMERICAL; i++) {
		status = attempt(work, options[i], slack, log, out);
	}
	fclose(log);
	if (status == ABUT_ERROR_MEMORY) {
		return abut_error_set(error, status, NULL, "no memory for the hull of %d points", work->n);
	}
	if (status == ABUT_ERROR_STOPPED) {
		return abut_error_set(error, status, NULL, "stopped while making the hull of %d points", work->n);
	}
	if (status != ABUT_OK) {
		work->complaint[strcspn(work->complaint, "\r\n")] = '\0';
		return abut_error_set(error, status, where,
		                      "%s: found no valid hull of the %d points; qhull's message: %s", where, work->n,
		                      work->complaint[0] ? work->complaint : "nothing");
	}
	return ABUT_OK;
}

AbutStatus abut_hull_create(int n, const double *points, double tolerance, double flat, const char *where,
                            AbutHull **out, AbutError *error)
{
	return abut_hull_create_watched(n, points, tolerance, flat, where, NULL, out, error);
}

AbutStatus abut_hull_create_watched(int n, const double *points, double tolerance, double flat, const char *where,
                                    const AbutWatch *watch, AbutHull **out, AbutError *error)
{
	Work *work = create_work(n, points);
	if (!work) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the hull of %d points", n);
	}
	work->watch = watch;
	normalise(work);
	AbutStatus status = abut_watch_check(watch, "hull", -1.0, error);
	const double thickness = measure_thickness(work);
	ABUT_THEN(status, abut_watch_check(watch, "hull", -1.0, error));
	if (status != ABUT_OK) {
		destroy_work(work);
		return status;
	}
	if (thickness < flat || !(thickness > 0.0)) {
		status = abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
		                        "%s: the points are flat: thickness %g for a length of 1; a solid needs at "
		                        "least %g. Give the points thickness, or check whether some are missing",
		                        where, thickness, flat);
	} else {
		status = compute(work, tolerance, where, out, error);
	}
	destroy_work(work);
	return status;
}

void abut_hull_outline_free(AbutHullOutline *outline)
{
	free(outline->planes);
	free(outline->points);
	free(outline->triangles);
	*outline = (AbutHullOutline){0};
}

/* Reads volume, planes n . u + offset <= 0 and vertices from qhull, and converts them to the unit of the points. */
static AbutStatus read_outline(Work *work, AbutHullOutline *out)
{
	qhT *qh = &work->qhull;
	out->planes = malloc((size_t)qh->num_facets * 4 * sizeof *out->planes);
	out->points = malloc((size_t)qh->num_vertices * 3 * sizeof *out->points);
	out->triangles = malloc((size_t)qh->num_facets * 3 * sizeof *out->triangles);
	if (!out->planes || !out->points || !out->triangles) {
		abut_hull_outline_free(out);
		return ABUT_ERROR_MEMORY;
	}
	if (setjmp(qh->errexit) != 0) {
		qh->NOerrexit = True;
		abut_hull_outline_free(out);
		return ABUT_ERROR_NUMERICAL;
	}
	qh->NOerrexit = False;
	qh_getarea(qh, qh->facet_list);
	qh->NOerrexit = True;
	out->volume = qh->totvol * work->half_size * work->half_size * work->half_size;
	for (const vertexT *vertex = qh->vertex_list; vertex->next; vertex = vertex->next) {
		const size_t point = (size_t)(vertex->point - qh->first_point) / 3;
		work->index[point] = out->n_points;
		abut_copy3(&work->points[3 * point], &out->points[3 * (size_t)out->n_points++]);
	}
	for (const facetT *facet = qh->facet_list; facet->next; facet = facet->next) {
		int *corner = &out->triangles[3 * (size_t)out->n_triangles++];
		for (int k = 0; k < 3; k++) {
			const vertexT *vertex = SETelemt_(facet->vertices, k, vertexT);
			corner[k] = work->index[(vertex->point - qh->first_point) / 3];
		}
		if (facet->tricoplanar && !facet->keepcentrum) {
			continue; /* coplanar with a facet that was read before */
		}
		double *plane = &out->planes[4 * (size_t)out->n_planes++];
		abut_copy3(facet->normal, plane);
		plane[3] = abut_dot3(plane, work->origin) - facet->offset * work->half_size;
	}
	return ABUT_OK;
}

AbutStatus abut_hull_outline(int n, const double *points, AbutHullOutline *out, AbutError *error)
{
	*out = (AbutHullOutline){0};
	Work *work = create_work(n, points);
	FILE *log = work ? open_log(work) : NULL;
	if (!log) {
		destroy_work(work);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the hull of %d points", n);
	}
	normalise(work);
	const double thickness = measure_thickness(work);
	AbutStatus status = thickness >= ABUT_HULL_FLAT ? ABUT_ERROR_NUMERICAL : ABUT_ERROR_ARGUMENT;
	const char *const commands[] = {"qhull Qs Pp C-1e-9 Qt", "qhull Qs Pp QJ"};
	for (int i = 0; i < 2 && status == ABUT_ERROR_NUMERICAL; i++) {
		char command[32];
		snprintf(command, sizeof command, "%s", commands[i]);
		qh_zero(&work->qhull, log);
		const int code = qh_new_qhull(&work->qhull, 3, n, work->u, False, command, NULL, log);
		status = code == qh_ERRnone ? read_outline(work, out)
		                            : (code == qh_ERRmem ? ABUT_ERROR_MEMORY : ABUT_ERROR_NUMERICAL);
		release_qhull(&work->qhull);
	}
	fclose(log);
	destroy_work(work);
	return status == ABUT_OK
	           ? status
	           : abut_error_set(error, status, NULL, "no hull of %d points, of thickness %g for a length of 1", n,
	                            thickness);
}

void abut_hull_destroy(AbutHull *hull)
{
	free(hull);
}
