/* Decomposes a mesh into approximately convex parts. It cuts the most concave piece by a plane, until no piece exceeds
 * the bound on concavity or there are enough pieces. Then it merges pieces that fit in one hull (overview:
 * docs/decomposition.md). All steps run in a fixed order, so that the same input gives the same bits. */
#include "abut/decompose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/watch.h"
#include "shapes/decompose/distance.h"
#include "shapes/decompose/merge.h"
#include "shapes/decompose/overlap.h"
#include "shapes/decompose/piece.h"
#include "shapes/decompose/search.h"
#include "shapes/geometry/mesh_edges.h"
#include "shapes/geometry/solid_split.h"
#include "shapes/geometry/surface.h"

/* Fractions of the mesh's size. Vertices closer to a plane than ON_PLANE lie on it; this exceeds the rounding of the
 * single precision in mesh files. Depths and distances are found to the larger of RESOLUTION times the bound and FINEST
 * times the size, because the cost of the search grows with the inverse of this tolerance. */
#define ON_PLANE 1e-6
#define RESOLUTION 0.05
#define FINEST 5e-4

/* Number of solids between two progress reports. */
enum { LOOK_EVERY = 256 };

typedef struct Work {
	AbutDecomposeOptions options;
	AbutDecomposeLengths lengths;
	AbutSolidPieces pieces;
	AbutDecomposition *result;
} Work;

static AbutStatus no_memory(AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a decomposition");
}

static AbutStatus check_options(const AbutDecomposeOptions *options, AbutError *error)
{
	if (!(options->concavity >= 1e-4 && options->concavity <= 1.0)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "concavity",
		                      "concavity is %g; it must lie between 1e-4 and 1 (relative to the mesh's size)",
		                      options->concavity);
	}
	if (options->max_parts < 1 || options->max_parts > ABUT_DECOMPOSE_PARTS_MAX) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "max_parts",
		                      "max_parts is %d; it must lie between 1 and %d", options->max_parts,
		                      ABUT_DECOMPOSE_PARTS_MAX);
	}
	if (options->max_faces != 0 && options->max_faces < 4) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "max_faces",
		                      "max_faces is %d; it must be at least 4, or 0 for no limit", options->max_faces);
	}
	return ABUT_OK;
}

static AbutStatus check_closed(const AbutMesh *mesh, AbutError *error)
{
	AbutMeshEdges edges;
	if (mesh->n_triangles < 4) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "mesh",
		                      "the mesh has %d triangles; a solid needs at least 4", mesh->n_triangles);
	}
	if (!abut_mesh_edges_create(&edges, mesh->n_vertices, mesh->n_triangles, mesh->triangles)) {
		return no_memory(error);
	}
	const int open = abut_mesh_edges_count(&edges, mesh->n_vertices).unbalanced;
	abut_mesh_edges_free(&edges);
	return open == 0
	           ? ABUT_OK
	           : abut_error_set(
	                 error, ABUT_ERROR_ARGUMENT, "mesh",
	                 "the mesh is not closed: %d edges have no triangle of opposite orientation on their other "
	                 "side; weld its vertices, fill its holes and orient its triangles, or use its hull",
	                 open);
}

/* Finds the mesh's solids. */
static AbutStatus find_solids(const AbutMesh *mesh, Work *work, AbutSolidList *solids, AbutError *error)
{
	AbutTriangles triangles = {0};
	bool done = true;
	for (int t = 0; t < mesh->n_triangles && done; t++) {
		const int *corner = &mesh->triangles[3 * (size_t)t];
		const bool collapsed = corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0];
		done = collapsed || abut_triangles_add(&triangles, corner[0], corner[1], corner[2], false);
	}
	done = done && abut_solid_components(mesh->n_vertices, mesh->vertices, &triangles, NULL, 0.0, solids);
	abut_triangles_free(&triangles);
	if (!done) {
		return no_memory(error);
	}
	for (int i = 0; i < solids->n; i++) {
		work->result->volume += solids->items[i]->volume;
	}
	const double size = work->result->size;
	for (int i = 0; i < solids->n; i++) {
		if (solids->items[i]->volume < -1e-12 * size * size * size) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, "mesh",
			                      "the mesh is inside out: solid %d of %d has volume %g m^3; reverse the "
			                      "order of its triangles' vertices",
			                      i + 1, solids->n, solids->items[i]->volume);
		}
	}
	return ABUT_OK;
}

/* Returns the largest number of pieces. It exceeds the number of parts, because merging finds better parts among more
 * pieces. */
static int most_pieces(const Work *work)
{
	return work->options.max_parts + work->options.max_parts / 2 + 8;
}

static AbutStatus report_progress(const Work *work, AbutError *error)
{
	const AbutDecomposeOptions *options = &work->options;
	const double part = (double)work->pieces.n / most_pieces(work);
	if (options->progress && !options->progress(options->context, "decomposition", abut_min(part, 1.0))) {
		return abut_error_set(error, ABUT_ERROR_STOPPED, NULL, "the decomposition was stopped after %d pieces",
		                      work->pieces.n);
	}
	return ABUT_OK;
}

typedef struct Box {
	double low[3], high[3];
} Box;

static bool box_holds(const Box *box, const double p[3])
{
	return p[0] > box->low[0] && p[1] > box->low[1] && p[2] > box->low[2] && p[0] < box->high[0] &&
	       p[1] < box->high[1] && p[2] < box->high[2];
}

/* Counts solids whose first vertex lies inside another solid. */
static AbutStatus count_nested(const Work *work, const AbutSolidList *solids, int *nested, AbutError *error)
{
	Box *boxes = malloc(((size_t)solids->n + 1) * sizeof *boxes);
	AbutStatus status = ABUT_OK;
	*nested = 0;
	if (!boxes) {
		return no_memory(error);
	}
	for (int i = 0; i < solids->n && status == ABUT_OK; i++) {
		abut_points_bounds(solids->items[i]->n_vertices, solids->items[i]->vertices, boxes[i].low,
		                   boxes[i].high);
	}
	for (int i = 0; i < solids->n && status == ABUT_OK; i++) {
		const double *p = solids->items[i]->vertices;
		bool inside = false;
		for (int j = 0; j < solids->n && !inside; j++) {
			const AbutSolid *other = solids->items[j];
			inside = j != i && box_holds(&boxes[j], p) &&
			         abut_solid_winding(other->vertices, other->n_triangles, other->triangles, p) > 0.75;
		}
		*nested += inside;
		status = i % LOOK_EVERY == LOOK_EVERY - 1 ? report_progress(work, error) : ABUT_OK;
	}
	free(boxes);
	return status;
}

/* Turns each solid into a piece. A solid without volume is counted and left out. Empties the list. */
static AbutStatus add_solids(Work *work, AbutSolidList *solids, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	for (int i = 0; i < solids->n && status == ABUT_OK; i++) {
		AbutSolidList own = {0};
		AbutSolid *solid = solids->items[i];
		solids->items[i] = NULL;
		if (!abut_solid_list_add(&own, solid)) {
			status = no_memory(error);
			break;
		}
		status = abut_piece_add(&work->pieces, &own, &work->lengths, error);
		if (status == ABUT_ERROR_ARGUMENT) {
			work->result->n_flat++;
			status = ABUT_OK;
		}
		if (status == ABUT_OK && i % LOOK_EVERY == LOOK_EVERY - 1) {
			status = report_progress(work, error);
		}
	}
	abut_solid_list_free(solids);
	return status;
}

/* Returns the most concave piece that can be cut; -1 if all such pieces are within the bound. */
static int worst_piece(const Work *work)
{
	double worst = work->lengths.bound;
	int index = -1;
	for (int i = 0; i < work->pieces.n; i++) {
		const double concavity = abut_piece_concavity(&work->pieces.items[i]);
		if (concavity > worst && !work->pieces.items[i].whole) {
			worst = concavity;
			index = i;
		}
	}
	return index;
}

/* Cuts piece `index`. Removes it and appends its children to the list. */
static AbutStatus cut_piece(Work *work, int index, AbutError *error)
{
	AbutPlane plane;
	bool found = false;
	AbutSolidPiece *piece = &work->pieces.items[index];
	AbutStatus status = abut_piece_choose_cut(piece, &work->lengths, &plane, &found, error);
	AbutSolidList children = {0};
	if (status == ABUT_OK && found &&
	    !abut_solid_split(piece->solids.items[0], &plane, work->lengths.on_plane, &children)) {
		status = no_memory(error);
	}
	if (status != ABUT_OK || children.n < 2) {
		abut_solid_list_free(&children);
		piece->whole = true;
		return status;
	}
	abut_piece_free(piece);
	*piece = work->pieces.items[--work->pieces.n];
	return add_solids(work, &children, error);
}

static AbutStatus cut_pieces(Work *work, AbutError *error)
{
	AbutStatus status = report_progress(work, error);
	while (status == ABUT_OK && work->pieces.n < most_pieces(work)) {
		const int worst = worst_piece(work);
		if (worst < 0) {
			break;
		}
		status = cut_piece(work, worst, error);
		ABUT_THEN(status, report_progress(work, error));
	}
	return status;
}

/* Alternates between cutting and merging, since merging makes room for more cuts. If more than max_parts pieces remain
 * at the end, merges them even if this exceeds the bound on concavity. */
static AbutStatus cut_and_merge(Work *work, AbutError *error)
{
	const AbutWatch watch = {work->options.progress, work->options.context};
	AbutStatus status = ABUT_OK;
	int before = 0;
	do {
		status = cut_pieces(work, error);
		before = work->pieces.n;
		ABUT_THEN(status, abut_pieces_merge(&work->pieces, &work->lengths, before, &watch, error));
	} while (status == ABUT_OK && work->pieces.n < before && worst_piece(work) >= 0);
	return status == ABUT_OK
	           ? abut_pieces_merge(&work->pieces, &work->lengths, work->options.max_parts, &watch, error)
	           : status;
}

/* Makes a part from a piece. Measures the distance again, since the piece's value has a lower limit. The Hausdorff
 * distance between the hull and the hull with fewer faces adds to depth and distance. */
static AbutStatus make_part(const Work *work, AbutSolidPiece *piece, AbutDecomposePart *part, AbutError *error)
{
	const AbutMesh points = {.n_vertices = piece->hull.n_points, .vertices = piece->hull.points};
	AbutMeshHullReport reduced;
	AbutStatus status = abut_outline_distance(&piece->hull, &piece->solids, work->lengths.tolerance, 0.0, HUGE_VAL,
	                                          &part->distance, error);
	ABUT_THEN(status, abut_mesh_hull_with_progress(&points, work->options.max_faces, ABUT_MESH_FIT_OUTER,
	                                               work->options.progress, work->options.context, &part->shape,
	                                               &reduced, error));
	if (status == ABUT_OK) {
		part->volume = piece->volume;
		part->depth = piece->depth + reduced.hausdorff;
		part->distance += reduced.hausdorff;
	}
	return status;
}

static int compare_pieces(const void *a, const void *b)
{
	const AbutSolidPiece *x = a, *y = b;
	if (x->hull.volume != y->hull.volume) {
		return x->hull.volume > y->hull.volume ? -1 : 1;
	}
	int k = 0;
	while (k < 2 && x->hull.points[k] == y->hull.points[k]) {
		k++;
	}
	return (x->hull.points[k] > y->hull.points[k]) - (x->hull.points[k] < y->hull.points[k]);
}

static AbutStatus make_parts(Work *work, AbutError *error)
{
	AbutDecomposition *result = work->result;
	if (work->pieces.n > 1) {
		qsort(work->pieces.items, (size_t)work->pieces.n, sizeof *work->pieces.items, compare_pieces);
	}
	result->parts = calloc((size_t)work->pieces.n + 1, sizeof *result->parts);
	if (!result->parts) {
		return no_memory(error);
	}
	AbutStatus status = ABUT_OK;
	for (int i = 0; i < work->pieces.n && status == ABUT_OK; i++) {
		AbutDecomposePart *part = &result->parts[result->n_parts++];
		status = make_part(work, &work->pieces.items[i], part, error);
		if (status == ABUT_OK) {
			result->hull_volume += part->shape->mass.volume;
			result->depth = abut_max(result->depth, part->depth);
			result->distance = abut_max(result->distance, part->distance);
		}
	}
	result->within_bound =
	    abut_max(result->depth, result->distance) <= work->lengths.bound + work->lengths.tolerance;
	for (int i = 0; i < result->n_parts && status == ABUT_OK; i++) {
		for (int j = 0; j < i && status == ABUT_OK; j++) {
			double volume = 0.0;
			status = abut_hull_overlap(&work->pieces.items[i].hull, &work->pieces.items[j].hull,
			                           work->lengths.on_plane, &volume, error);
			result->overlap_volume += volume;
		}
	}
	return status;
}

static AbutStatus decompose(const AbutMesh *mesh, Work *work, AbutError *error)
{
	double low[3], high[3];
	abut_points_bounds(mesh->n_vertices, mesh->vertices, low, high);
	for (int k = 0; k < 3; k++) {
		work->result->size = abut_max(work->result->size, high[k] - low[k]);
	}
	const double bound = work->options.concavity * work->result->size;
	work->lengths = (AbutDecomposeLengths){
	    .bound = bound,
	    .tolerance = abut_max(RESOLUTION * bound, FINEST * work->result->size),
	    .on_plane = ON_PLANE * work->result->size,
	};
	AbutSolidList solids = {0};
	AbutStatus status = find_solids(mesh, work, &solids, error);
	if (status == ABUT_OK) {
		work->result->n_components = solids.n;
		status = count_nested(work, &solids, &work->result->n_nested, error);
	}
	ABUT_THEN(status, add_solids(work, &solids, error));
	abut_solid_list_free(&solids);
	if (status == ABUT_OK && work->pieces.n == 0) {
		status = abut_error_set(error, ABUT_ERROR_ARGUMENT, "mesh",
		                        "the mesh has no volume: its thickness is below 1e-7 of its length");
	}
	ABUT_THEN(status, cut_and_merge(work, error));
	return status == ABUT_OK ? make_parts(work, error) : status;
}

AbutStatus abut_mesh_decompose(const AbutMesh *mesh, const AbutDecomposeOptions *options, AbutDecomposition **out,
                               AbutError *error)
{
	if (!out || !mesh) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "mesh", "mesh and out must not be NULL");
	}
	*out = NULL;
	Work work = {.options = options ? *options : (AbutDecomposeOptions){0}};
	if (work.options.concavity == 0.0) {
		work.options.concavity = ABUT_DECOMPOSE_CONCAVITY;
	}
	if (work.options.max_parts == 0) {
		work.options.max_parts = ABUT_DECOMPOSE_PARTS;
	}
	ABUT_TRY(check_options(&work.options, error));
	ABUT_TRY(check_closed(mesh, error));
	work.result = calloc(1, sizeof *work.result);
	AbutStatus status = work.result ? decompose(mesh, &work, error) : no_memory(error);
	abut_piece_list_free(&work.pieces);
	if (status != ABUT_OK) {
		abut_decomposition_destroy(work.result);
		return status;
	}
	*out = work.result;
	return ABUT_OK;
}
