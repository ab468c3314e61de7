/* Repairs a mesh: merges corner points into vertices, removes duplicate and degenerate triangles, and orients the
 * others. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/watch.h"
#include "shapes/geometry/mesh_edges.h"
#include "shapes/geometry/surface.h"
#include "shapes/geometry/weld.h"
#include "shapes/mesh/lines.h"
#include "shapes/mesh/orient.h"

/* Pieces count as touching if their overlap is thinner than this fraction of the size, because files have single
 * precision. */
#define TOUCHING 1e-6

AbutMeshOptions abut_mesh_options_default(void)
{
	return (AbutMeshOptions){.scale = 1.0, .weld = 1e-6};
}

typedef struct Work {
	const AbutMesh *mesh;
	const AbutMeshOptions *options;
	AbutMeshReport *report;
	AbutError *error;
	AbutWatch watch;
	AbutWeld weld;
	int n;          /* remaining triangles */
	int *triangles; /* (n x 3) indices of welded points */
	AbutMeshEdges edges;
} Work;

static double diagonal_of(const AbutMeshReport *report)
{
	double diagonal[3];
	abut_sub3(report->high, report->low, diagonal);
	return abut_norm3(diagonal);
}

static AbutStatus fail_memory(Work *work)
{
	return abut_error_set(work->error, ABUT_ERROR_MEMORY, NULL, "no memory for a mesh of %d triangles",
	                      work->mesh->n_triangles);
}

static AbutStatus go_on(const Work *work, const char *stage, double part)
{
	return abut_watch_check(&work->watch, stage, part, work->error);
}

/* Reports progress at step i of n, in one of ABUT_WATCH_EVERY + 1 steps. */
static AbutStatus go_on_at(const Work *work, const char *stage, int i, int n)
{
	return (i & ABUT_WATCH_EVERY) == 0 ? go_on(work, stage, (double)i / (double)n) : ABUT_OK;
}

/* --- vertices --- */

/* Welds all vertices. `point` (n_vertices) becomes the index of each vertex's welded point. */
static AbutStatus weld_vertices(Work *work, int *point)
{
	const AbutMesh *mesh = work->mesh;
	for (int i = 0; i < mesh->n_vertices; i++) {
		ABUT_TRY(go_on_at(work, "welding vertices", i, mesh->n_vertices));
		point[i] = abut_weld_add(&work->weld, &mesh->vertices[3 * (size_t)i]);
		if (point[i] < 0) {
			return fail_memory(work);
		}
	}
	work->report->vertices_welded = mesh->n_vertices - work->weld.n;
	return ABUT_OK;
}

static AbutStatus take_triangles(Work *work)
{
	const AbutMesh *mesh = work->mesh;
	int *const point = malloc((size_t)mesh->n_vertices * sizeof *point);
	work->triangles = calloc(3 * (size_t)mesh->n_triangles + 1, sizeof *work->triangles);
	if (!point || !work->triangles) {
		free(point);
		return fail_memory(work);
	}
	const AbutStatus status = weld_vertices(work, point);
	for (int t = 0; status == ABUT_OK && t < mesh->n_triangles; t++) {
		int *out = &work->triangles[3 * (size_t)work->n];
		for (int k = 0; k < 3; k++) {
			out[k] = point[mesh->triangles[3 * (size_t)t + (size_t)k]];
		}
		const bool degenerate = out[0] == out[1] || out[1] == out[2] || out[2] == out[0];
		work->report->degenerate += degenerate;
		work->n += !degenerate;
	}
	free(point);
	return status;
}

/* --- triangles --- */

/* Rotates the triangle's corners so that the smallest index comes first. The orientation stays the same. */
static void canonical(const int triangle[3], int out[3])
{
	int first = triangle[1] < triangle[0] ? 1 : 0;
	first = triangle[2] < triangle[first] ? 2 : first;
	for (int k = 0; k < 3; k++) {
		out[k] = triangle[(first + k) % 3];
	}
}

static size_t hash_of(const int c[3])
{
	uint64_t hash = (uint64_t)(uint32_t)c[0];
	hash = (hash * UINT64_C(0x9e3779b97f4a7c15)) ^ (uint32_t)c[1];
	hash = (hash * UINT64_C(0x9e3779b97f4a7c15)) ^ (uint32_t)c[2];
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(hash ^ (hash >> 32));
}

/* A hash table of triangles by their corners in canonical order (open addressing). */
typedef struct Table {
	const int *triangles;
	size_t size; /* a power of two */
	int *place;  /* (size) a triangle, or -1 */
} Table;

/* Returns the place of the triangle with corners c in the table, or the place to insert it. */
static int *find_place(const Table *table, const int c[3])
{
	size_t place = hash_of(c) & (table->size - 1);
	while (table->place[place] >= 0 &&
	       memcmp(&table->triangles[3 * (size_t)table->place[place]], c, 3 * sizeof *c) != 0) {
		place = (place + 1) & (table->size - 1);
	}
	return &table->place[place];
}

/* Removes duplicate triangles. The remaining ones become canonical and are inserted in the table. */
static AbutStatus drop_copies(Work *work, Table *table)
{
	int kept = 0;
	for (int t = 0; t < work->n; t++) {
		int c[3];
		ABUT_TRY(go_on_at(work, "finding copies", t, work->n));
		canonical(&work->triangles[3 * (size_t)t], c);
		int *const place = find_place(table, c);
		if (*place >= 0) {
			work->report->duplicate++;
			continue;
		}
		memcpy(&work->triangles[3 * (size_t)kept], c, sizeof c);
		*place = kept++;
	}
	work->n = kept;
	return ABUT_OK;
}

/* Returns the triangle with the same corners that faces the other way, or -1. */
static int reverse_of(const Work *work, const Table *table, int t)
{
	const int *c = &work->triangles[3 * (size_t)t], reverse[3] = {c[0], c[2], c[1]};
	return *find_place(table, reverse);
}

/* If every triangle has a reverse one, as in files for one-sided renderers, the surface encloses nothing: removes the
 * second of each pair. If only some have one, counts them and removes none. */
static AbutStatus drop_backs(Work *work, const Table *table)
{
	int pairs = 0, kept = 0;
	char *const stays = malloc((size_t)work->n + 1);
	if (!stays) {
		return fail_memory(work);
	}
	for (int t = 0; t < work->n; t++) {
		const AbutStatus status = go_on_at(work, "finding copies", t, work->n);
		if (status != ABUT_OK) {
			free(stays);
			return status;
		}
		stays[t] = reverse_of(work, table, t) > t;
		pairs += stays[t];
	}
	if (2 * pairs == work->n) {
		for (int t = 0; t < work->n; t++) {
			if (stays[t]) {
				memmove(&work->triangles[3 * (size_t)kept++], &work->triangles[3 * (size_t)t],
				        3 * sizeof *work->triangles);
			}
		}
		work->report->doubled = work->n - kept;
		work->n = kept;
	} else {
		work->report->back_to_back = pairs;
	}
	free(stays);
	return ABUT_OK;
}

static AbutStatus drop_duplicates(Work *work)
{
	Table table = {.triangles = work->triangles, .size = 16};
	while (table.size < 2 * (size_t)work->n) {
		table.size *= 2;
	}
	table.place = malloc(table.size * sizeof *table.place);
	if (!table.place) {
		return fail_memory(work);
	}
	memset(table.place, -1, table.size * sizeof *table.place);
	AbutStatus status = drop_copies(work, &table);
	ABUT_THEN(status, drop_backs(work, &table));
	free(table.place);
	return status;
}

/* Returns whether the triangle's height over its longest edge is at most the tolerance. */
static bool is_flat(const Work *work, const int *triangle)
{
	const double *a = &work->weld.points[3 * (size_t)triangle[0]], *b = &work->weld.points[3 * (size_t)triangle[1]],
	             *c = &work->weld.points[3 * (size_t)triangle[2]];
	const double ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
	const double ac[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
	const double bc[3] = {c[0] - b[0], c[1] - b[1], c[2] - b[2]};
	double cross[3];
	abut_cross3(ab, ac, cross);
	const double longest = abut_max(abut_norm3(ab), abut_max(abut_norm3(ac), abut_norm3(bc)));
	return abut_norm3(cross) <= work->weld.tolerance * longest;
}

/* Returns whether a flat triangle is needed to close a seam: one of its edges belongs to two triangles. */
static bool is_needed(const Work *work, const int *triangle)
{
	bool needed = false;
	for (int k = 0; k < 3; k++) {
		int first;
		needed = needed || abut_mesh_edges_find(&work->edges, triangle[k], triangle[(k + 1) % 3], &first) == 2;
	}
	return needed;
}

static AbutStatus make_edges(Work *work)
{
	ABUT_TRY(go_on(work, "finding edges", -1.0));
	return abut_mesh_edges_create(&work->edges, work->weld.n, work->n, work->triangles) ? ABUT_OK
	                                                                                    : fail_memory(work);
}

/* Removes flat triangles that do not close a seam, and makes the edges. */
static AbutStatus drop_flat(Work *work)
{
	AbutStatus status = make_edges(work);
	int kept = 0;
	for (int t = 0; t < work->n && status == ABUT_OK; t++) {
		status = go_on_at(work, "finding flat triangles", t, work->n);
		const int *triangle = &work->triangles[3 * (size_t)t];
		const bool flat = is_flat(work, triangle), keep = !flat || is_needed(work, triangle);
		work->report->flat += flat && keep;
		work->report->degenerate += !keep;
		if (keep) {
			memmove(&work->triangles[3 * (size_t)kept++], triangle, 3 * sizeof *triangle);
		}
	}
	if (status == ABUT_OK && kept < work->n) {
		work->n = kept;
		abut_mesh_edges_free(&work->edges);
		status = make_edges(work);
	}
	return status;
}

/* --- results --- */

/* Computes the bounds of the triangles only, because unused points may lie far away. */
static void bounds_of_corners(const Work *work, double low[3], double high[3])
{
	for (int k = 0; k < 3; k++) {
		low[k] = HUGE_VAL;
		high[k] = -HUGE_VAL;
	}
	for (size_t i = 0; i < 3 * (size_t)work->n; i++) {
		const double *corner = &work->weld.points[3 * (size_t)work->triangles[i]];
		for (int k = 0; k < 3; k++) {
			low[k] = abut_min(low[k], corner[k]);
			high[k] = abut_max(high[k], corner[k]);
		}
	}
}

/* Checks whether the surface is closed, and measures overlaps. For the divergence theorem it is enough that every edge
 * is passed equally often in both directions. But its integral is a volume only if the surface winds at most once
 * around each point. */
static AbutStatus judge(Work *work)
{
	AbutMeshReport *const report = work->report;
	const AbutMeshEdgeCount count = abut_mesh_edges_count(&work->edges, work->weld.n);
	report->open_edges = count.open;
	report->nonmanifold_edges = count.nonmanifold;
	report->closed = work->n > 0 && count.unbalanced == 0;
	if (!report->closed) {
		return ABUT_OK;
	}
	bounds_of_corners(work, report->low, report->high);
	AbutMeshCount volumes;
	const AbutClosedSurface surface = {work->weld.points, work->n, work->triangles, report->low, report->high};
	const double thin = 4.0 * abut_max(work->weld.tolerance, TOUCHING * diagonal_of(report));
	const AbutStatus status = abut_mesh_count(&surface, thin, &work->watch, &volumes, work->error);
	if (status == ABUT_OK) {
		report->several = volumes.several;
		report->against = volumes.against;
		report->enclosed = volumes.solid;
	}
	return status;
}

/* Creates the mesh without unused points; a mesh without triangles keeps all points. */
static AbutStatus finish(Work *work, AbutMesh **out)
{
	int *const index = malloc((size_t)work->weld.n * sizeof *index);
	if (!index) {
		return fail_memory(work);
	}
	memset(index, work->n > 0 ? -1 : 0, (size_t)work->weld.n * sizeof *index);
	for (size_t i = 0; i < 3 * (size_t)work->n; i++) {
		index[work->triangles[i]] = 0;
	}
	int n = 0;
	for (int i = 0; i < work->weld.n; i++) {
		if (index[i] == 0) {
			memmove(&work->weld.points[3 * (size_t)n], &work->weld.points[3 * (size_t)i],
			        3 * sizeof *work->weld.points);
			index[i] = n++;
		}
	}
	for (size_t i = 0; i < 3 * (size_t)work->n; i++) {
		work->triangles[i] = index[work->triangles[i]];
	}
	free(index);
	return abut_mesh_create(n, work->weld.points, work->n, work->triangles, out, work->error);
}

static AbutStatus repair(Work *work, AbutMesh **out)
{
	AbutStatus status = take_triangles(work);
	ABUT_THEN(status, drop_duplicates(work));
	ABUT_THEN(status, drop_flat(work));
	ABUT_THEN(status, go_on(work, "finding the outside", 0.0));
	if (status == ABUT_OK && work->n > 0) {
		status = abut_mesh_orient(work->weld.n, work->weld.points, work->n, work->triangles, &work->edges,
		                          &work->watch, work->report, work->error);
	}
	if (status != ABUT_OK) {
		return status;
	}
	status = judge(work);
	abut_mesh_edges_free(&work->edges);
	return status == ABUT_OK ? finish(work, out) : status;
}

AbutStatus abut_mesh_repair(const AbutMesh *mesh, const AbutMeshOptions *options, AbutMesh **out,
                            AbutMeshReport *report, AbutError *error)
{
	const AbutMeshOptions standard = abut_mesh_options_default();
	if (!mesh || !out || !report) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "mesh, out and report must not be NULL");
	}
	*out = NULL;
	Work work = {.mesh = mesh, .options = options ? options : &standard, .report = report, .error = error};
	if (!(work.options->weld >= 0.0 && work.options->weld <= 1e-2)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "weld", "weld is %g; it must lie between 0 and 0.01",
		                      work.options->weld);
	}
	work.watch = (AbutWatch){work.options->progress, work.options->context};
	abut_points_bounds(mesh->n_vertices, mesh->vertices, report->low, report->high);
	report->weld_tolerance = work.weld.tolerance = work.options->weld * diagonal_of(report);
	report->vertices_in = mesh->n_vertices;
	report->triangles_in = mesh->n_triangles;
	const AbutStatus status = repair(&work, out);
	if (status == ABUT_OK) {
		abut_points_bounds((*out)->n_vertices, (*out)->vertices, report->low,
		                   report->high); /* bounds without unused points */
	}
	abut_weld_free(&work.weld);
	free(work.triangles);
	abut_mesh_edges_free(&work.edges);
	return status;
}
