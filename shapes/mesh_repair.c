/* What a file's triangles need before they are a surface: one vertex per corner point, no triangle twice or without
 * three corners, and one side that is outside. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/mesh_edges.h"
#include "shapes/mesh_orient.h"
#include "shapes/weld.h"

AbutMeshOptions abut_mesh_options_default(void)
{
	return (AbutMeshOptions){.scale = 1.0, .weld = 1e-6};
}

typedef struct Work {
	const AbutMesh *mesh;
	const AbutMeshOptions *options;
	AbutMeshReport *report;
	AbutError *error;
	AbutWeld weld;
	int n;          /* triangles that are left */
	int *triangles; /* (n x 3) of welded points */
	AbutMeshEdges edges;
} Work;

static AbutStatus fail_memory(Work *work)
{
	return abut_error_set(work->error, ABUT_ERROR_MEMORY, NULL, "no memory for a mesh of %d triangles",
	                      work->mesh->n_triangles);
}

static AbutStatus go_on(const Work *work, const char *stage, double part)
{
	if (work->options->progress && !work->options->progress(work->options->context, stage, part)) {
		return abut_error_set(work->error, ABUT_ERROR_STOPPED, NULL, "stopped while %s", stage);
	}
	return ABUT_OK;
}

/* The bounding box. */
static void measure(const AbutMesh *mesh, double low[3], double high[3])
{
	abut_copy3(mesh->vertices, low);
	abut_copy3(mesh->vertices, high);
	for (int i = 1; i < mesh->n_vertices; i++) {
		const double *p = &mesh->vertices[3 * (size_t)i];
		for (int k = 0; k < 3; k++) {
			low[k] = abut_min(low[k], p[k]);
			high[k] = abut_max(high[k], p[k]);
		}
	}
}

/* --- vertices --- */

/* Welds all vertices; `point` (n_vertices) receives what each became. */
static AbutStatus weld_vertices(Work *work, int *point)
{
	const AbutMesh *mesh = work->mesh;
	for (int i = 0; i < mesh->n_vertices; i++) {
		if ((i & 0xfffff) == 0) {
			const AbutStatus status = go_on(work, "welding vertices", (double)i / (double)mesh->n_vertices);
			if (status != ABUT_OK) {
				return status;
			}
		}
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

/* Turns the triangle's corners round until the smallest is first: the same triangle, the same side outside. */
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

/* Leaves out triangles that are there already, by a table of those that are. */
static AbutStatus drop_duplicates(Work *work)
{
	size_t size = 16;
	while (size < 2 * (size_t)work->n) {
		size *= 2;
	}
	int *const table = malloc(size * sizeof *table);
	if (!table) {
		return fail_memory(work);
	}
	memset(table, -1, size * sizeof *table);
	int kept = 0;
	for (int t = 0; t < work->n; t++) {
		int c[3];
		canonical(&work->triangles[3 * (size_t)t], c);
		size_t place = hash_of(c) & (size - 1);
		while (table[place] >= 0 && memcmp(&work->triangles[3 * (size_t)table[place]], c, sizeof c) != 0) {
			place = (place + 1) & (size - 1);
		}
		if (table[place] >= 0) {
			work->report->duplicate++;
			continue;
		}
		memcpy(&work->triangles[3 * (size_t)kept], c, sizeof c);
		table[place] = kept++;
	}
	work->n = kept;
	free(table);
	return ABUT_OK;
}

/* Whether the triangle is no higher than the tolerance over its longest edge. */
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

/* A triangle without area closes a seam when it has an edge of two triangles; else it is only in the way. */
static bool is_needed(const Work *work, const int *triangle)
{
	bool needed = false;
	for (int k = 0; k < 3; k++) {
		int first;
		needed = needed || abut_mesh_edges_find(&work->edges, triangle[k], triangle[(k + 1) % 3], &first) == 2;
	}
	return needed;
}

/* Makes the edges, without the flat triangles that none of them needs. */
static AbutStatus drop_flat(Work *work)
{
	if (!abut_mesh_edges_create(&work->edges, work->weld.n, work->n, work->triangles)) {
		return fail_memory(work);
	}
	int kept = 0;
	for (int t = 0; t < work->n; t++) {
		const int *triangle = &work->triangles[3 * (size_t)t];
		const bool flat = is_flat(work, triangle), keep = !flat || is_needed(work, triangle);
		work->report->flat += flat && keep;
		work->report->degenerate += !keep;
		if (keep) {
			memmove(&work->triangles[3 * (size_t)kept++], triangle, 3 * sizeof *triangle);
		}
	}
	if (kept < work->n) {
		work->n = kept;
		abut_mesh_edges_free(&work->edges);
		if (!abut_mesh_edges_create(&work->edges, work->weld.n, work->n, work->triangles)) {
			return fail_memory(work);
		}
	}
	return ABUT_OK;
}

/* --- what is left --- */

/* The divergence theorem needs no more than that every edge is passed as often in one direction as in the other. */
static void judge_edges(Work *work)
{
	const AbutMeshEdgeCount count = abut_mesh_edges_count(&work->edges, work->weld.n);
	work->report->open_edges = count.open;
	work->report->nonmanifold_edges = count.nonmanifold;
	work->report->closed = work->n > 0 && count.unbalanced == 0;
}

/* The mesh, without the points that no triangle has; a cloud without triangles keeps them all. */
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
	status = status == ABUT_OK ? go_on(work, "finding edges", 0.0) : status;
	status = status == ABUT_OK ? drop_duplicates(work) : status;
	status = status == ABUT_OK ? drop_flat(work) : status;
	status = status == ABUT_OK ? go_on(work, "finding the outside", 0.0) : status;
	if (status == ABUT_OK && work->n > 0) {
		status = abut_mesh_orient(work->weld.points, work->n, work->triangles, &work->edges, work->report,
		                          work->error);
	}
	if (status != ABUT_OK) {
		return status;
	}
	judge_edges(work);
	abut_mesh_edges_free(&work->edges);
	return finish(work, out);
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
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "weld", "weld is %g; it must be 0 to 0.01",
		                      work.options->weld);
	}
	measure(mesh, report->low, report->high);
	const double diagonal[3] = {report->high[0] - report->low[0], report->high[1] - report->low[1],
	                            report->high[2] - report->low[2]};
	report->weld_tolerance = work.weld.tolerance = work.options->weld * abut_norm3(diagonal);
	report->vertices_in = mesh->n_vertices;
	report->triangles_in = mesh->n_triangles;
	const AbutStatus status = repair(&work, out);
	if (status == ABUT_OK) {
		measure(*out, report->low, report->high); /* without points that no triangle has */
	}
	abut_weld_free(&work.weld);
	free(work.triangles);
	abut_mesh_edges_free(&work.edges);
	return status;
}
