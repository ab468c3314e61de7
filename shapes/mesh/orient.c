/* Orients the triangles of a mesh. A piece is a set of triangles that are connected over edges of two triangles. Within
 * a piece all triangles are made to agree with the first one, or with its opposite if that leaves more triangles
 * unchanged. A piece is closed if its triangles pass each edge equally often in both directions. This includes edges of
 * more than two triangles, where pieces touch. The signed volume of a closed piece shows whether it faces outwards:
 *
 *     - if the largest closed piece faces inwards, the whole file is inside out, and every piece is turned;
 *     - another piece that faces inwards is a cavity if it lies inside a piece that faces outwards;
 *       otherwise it is turned.
 *
 * A point lies inside a piece if the piece winds around it. The winding number is the sum of the solid angles of the
 * triangles seen from the point, over 4 pi. Tested in tests/shapes/mesh/mesh_repair.c. */
#include "shapes/mesh/orient.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/vec3.h"
#include "shapes/geometry/surface.h"

typedef struct Piece {
	int first, end; /* range in Work.order */
	bool closed, turned;
	double volume; /* signed volume, m^3 */
	double low[3], high[3];
} Piece;

typedef struct Work {
	const double *points;
	const int *triangles;
	const AbutMeshEdges *edges;
	const AbutWatch *watch;
	int n_triangles;
	int *order; /* (n_triangles) piece by piece */
	int *piece; /* (n_triangles) the index of its piece, or -1 */
	char *flip; /* (n_triangles) */
	int n_pieces, capacity;
	Piece *pieces;
} Work;

static const double *corner(const Work *work, int triangle, int k)
{
	return &work->points[3 * (size_t)work->triangles[3 * (size_t)triangle + (size_t)k]];
}

/* --- agreement --- */

/* Appends to the queue the neighbours of a triangle over edges of exactly two triangles. Returns its new end. */
static int reach_neighbours(Work *work, int triangle, int end, Piece *piece, AbutMeshReport *report)
{
	for (int k = 0; k < 3; k++) {
		const int *corners = &work->triangles[3 * (size_t)triangle];
		int first;
		const int sides = abut_mesh_edges_find(work->edges, corners[k], corners[(k + 1) % 3], &first);
		if (sides != 2) {
			piece->closed = piece->closed && sides > 2; /* see judge_touching */
			continue;
		}
		const AbutMeshSide *side = &work->edges->sides[first];
		const int other = side[0].triangle / 2 == triangle ? 1 : 0;
		const int neighbour = side[other].triangle / 2;
		const bool same_way = side[0].triangle % 2 == side[1].triangle % 2;
		const char flip = (char)(same_way ? !work->flip[triangle] : work->flip[triangle]);
		if (work->piece[neighbour] < 0) {
			work->piece[neighbour] = work->piece[triangle];
			work->flip[neighbour] = flip;
			work->order[end++] = neighbour;
		} else if (work->flip[neighbour] != flip) {
			piece->closed = false;
			report->one_sided_edges += other; /* both triangles find the edge, but it counts once */
		}
	}
	return end;
}

static void turn_piece(Work *work, const Piece *piece)
{
	for (int i = piece->first; i < piece->end; i++) {
		work->flip[work->order[i]] ^= 1;
	}
}

static void keep_the_most(Work *work, const Piece *piece)
{
	int flipped = 0;
	for (int i = piece->first; i < piece->end; i++) {
		flipped += work->flip[work->order[i]];
	}
	if (2 * flipped > piece->end - piece->first) {
		turn_piece(work, piece);
	}
}

static AbutStatus look(const Work *work, double part, AbutError *error)
{
	return abut_watch_check(work->watch, "finding the outside", part, error);
}

static AbutStatus fail_memory(const Work *work, AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a mesh of %d triangles",
	                      work->n_triangles);
}

static AbutStatus find_piece(Work *work, int start, AbutMeshReport *report, int *end, AbutError *error)
{
	if (!abut_grow(&work->pieces, &work->capacity, work->n_pieces + 1, sizeof *work->pieces)) {
		return fail_memory(work, error);
	}
	Piece *piece = &work->pieces[work->n_pieces];
	*piece = (Piece){.first = *end, .closed = true};
	work->piece[start] = work->n_pieces++;
	work->order[(*end)++] = start;
	for (int i = piece->first; i < *end; i++) {
		const AbutStatus status =
		    (i & ABUT_WATCH_EVERY) == 0 ? look(work, (double)i / work->n_triangles, error) : ABUT_OK;
		if (status != ABUT_OK) {
			return status;
		}
		*end = reach_neighbours(work, work->order[i], *end, piece, report);
	}
	piece->end = *end;
	keep_the_most(work, piece);
	return ABUT_OK;
}

/* Decides which pieces are closed at edges of three or more triangles. A piece stays closed if its own triangles pass
 * the edge equally often in both directions. `balance` (n_pieces) must be zero. */
static void judge_touching(Work *work, int n_vertices, int *balance)
{
	const AbutMeshEdges *edges = work->edges;
	for (int v = 0; v < n_vertices; v++) {
		const int last = edges->start[v + 1];
		for (int i = edges->start[v], end; i < last; i = end) {
			for (end = i; end < last && edges->sides[end].high == edges->sides[i].high; end++) {
			}
			for (int k = i; end - i > 2 && k < end; k++) {
				const int side = edges->sides[k].triangle;
				balance[work->piece[side / 2]] += (side ^ work->flip[side / 2]) % 2 == 0 ? 1 : -1;
			}
			for (int k = i; end - i > 2 && k < end; k++) {
				const int piece = work->piece[edges->sides[k].triangle / 2];
				work->pieces[piece].closed = work->pieces[piece].closed && balance[piece] == 0;
			}
			for (int k = i; end - i > 2 && k < end; k++) {
				balance[work->piece[edges->sides[k].triangle / 2]] = 0;
			}
		}
	}
}

static AbutStatus find_pieces(Work *work, int n_vertices, AbutMeshReport *report, AbutError *error)
{
	int end = 0;
	for (int t = 0; t < work->n_triangles; t++) {
		const AbutStatus status = work->piece[t] < 0 ? find_piece(work, t, report, &end, error) : ABUT_OK;
		if (status != ABUT_OK) {
			return status;
		}
	}
	if (!work->pieces) {
		return ABUT_OK; /* no triangles */
	}
	int *const balance = calloc((size_t)work->n_pieces + 1, sizeof *balance);
	if (!balance) {
		return fail_memory(work, error);
	}
	judge_touching(work, n_vertices, balance);
	free(balance);
	return ABUT_OK;
}

/* --- inside and outside --- */

/* Computes volume and bounds of a piece. The volume is relative to a corner of the piece, which saves digits. */
static void measure(const Work *work, Piece *piece)
{
	const double *origin = corner(work, work->order[piece->first], 0);
	abut_copy3(origin, piece->low);
	abut_copy3(origin, piece->high);
	piece->volume = 0.0;
	for (int i = piece->first; i < piece->end; i++) {
		double edge[3][3], cross[3];
		for (int k = 0; k < 3; k++) {
			const double *p = corner(work, work->order[i], k);
			for (int axis = 0; axis < 3; axis++) {
				edge[k][axis] = p[axis] - origin[axis];
				piece->low[axis] = abut_min(piece->low[axis], p[axis]);
				piece->high[axis] = abut_max(piece->high[axis], p[axis]);
			}
		}
		abut_cross3(edge[1], edge[2], cross);
		const double volume = abut_dot3(edge[0], cross) / 6.0;
		piece->volume += work->flip[work->order[i]] ? -volume : volume;
	}
}

/* Returns the winding number of a piece around p. */
static double winding(const Work *work, const Piece *piece, const double p[3])
{
	double sum = 0.0;
	for (int i = piece->first; i < piece->end; i++) {
		const int t = work->order[i];
		const double angle =
		    abut_triangle_half_angle(corner(work, t, 0), corner(work, t, 1), corner(work, t, 2), p);
		sum += work->flip[t] ? -angle : angle;
	}
	return sum / (2.0 * M_PI);
}

static bool lies_inside(const Work *work, const Piece *inner, const Piece *outer)
{
	enum { TRIALS = 8 };
	for (int axis = 0; axis < 3; axis++) {
		if (inner->low[axis] < outer->low[axis] || inner->high[axis] > outer->high[axis]) {
			return false;
		}
	}
	/* Use the middle of a triangle of the inner piece. If the winding number is not an integer there, the point
	 * lies on the outer piece; use another triangle. */
	double w = 0.0;
	for (int i = 0; i < TRIALS; i++) {
		const int t = work->order[inner->first + (int)((int64_t)i * (inner->end - inner->first) / TRIALS)];
		const double *a = corner(work, t, 0), *b = corner(work, t, 1), *c = corner(work, t, 2);
		const double middle[3] = {(a[0] + b[0] + c[0]) / 3.0, (a[1] + b[1] + c[1]) / 3.0,
		                          (a[2] + b[2] + c[2]) / 3.0};
		w = winding(work, outer, middle);
		if (fabs(w - round(w)) < 0.01) {
			break;
		}
	}
	return fabs(w) > 0.75; /* w is 1/2 on a face of the outer piece, where it does not tell inside from outside */
}

/* Returns the winding number of the closed pieces around this one: pieces that face outwards, minus cavities. */
static int count_around(const Work *work, const Piece *piece)
{
	int n = 0;
	for (int i = 0; i < work->n_pieces; i++) {
		const Piece *other = &work->pieces[i];
		if (other != piece && other->closed && fabs(other->volume) > fabs(piece->volume) &&
		    lies_inside(work, piece, other)) {
			n += other->volume > 0.0 ? 1 : -1;
		}
	}
	return n;
}

static AbutStatus face_outwards(Work *work, AbutMeshReport *report, AbutError *error)
{
	const Piece *largest = NULL;
	AbutStatus status = ABUT_OK;
	for (int i = 0; i < work->n_pieces; i++) {
		Piece *piece = &work->pieces[i];
		measure(work, piece);
		if (piece->closed && (!largest || fabs(piece->volume) > fabs(largest->volume))) {
			largest = piece;
		}
	}
	report->inside_out = largest && largest->volume < 0.0;
	for (int i = 0; report->inside_out && i < work->n_pieces; i++) {
		turn_piece(work, &work->pieces[i]);
		work->pieces[i].volume *= -1.0;
	}
	for (int i = 0; i < work->n_pieces && status == ABUT_OK; i++) {
		Piece *piece = &work->pieces[i];
		status = look(work, (double)i / work->n_pieces, error);
		if (!piece->closed || work->n_pieces == 1) {
			continue;
		}
		const int around = count_around(work, piece);
		if (piece->volume >= 0.0) {
			report->nested += around > 0;
		} else if (around > 0) {
			report->cavities++;
		} else {
			piece->turned = true; /* turned below: all pieces are judged by the file's orientation */
		}
	}
	for (int i = 0; i < work->n_pieces; i++) {
		if (work->pieces[i].turned) {
			turn_piece(work, &work->pieces[i]);
		}
	}
	return status;
}

/* --- the whole --- */

static void apply(const Work *work, int *triangles, AbutMeshEdges *edges, AbutMeshReport *report)
{
	for (int t = 0; t < work->n_triangles; t++) {
		if (work->flip[t]) {
			const int second = triangles[3 * (size_t)t + 1];
			triangles[3 * (size_t)t + 1] = triangles[3 * (size_t)t + 2];
			triangles[3 * (size_t)t + 2] = second;
			report->turned++;
		}
	}
	for (size_t i = 0; i < 3 * (size_t)work->n_triangles; i++) {
		edges->sides[i].triangle ^= work->flip[edges->sides[i].triangle / 2];
	}
}

AbutStatus abut_mesh_orient(int n_vertices, const double *points, int n_triangles, int *triangles, AbutMeshEdges *edges,
                            const AbutWatch *watch, AbutMeshReport *report, AbutError *error)
{
	const size_t n = (size_t)n_triangles;
	Work work = {
	    .points = points, .triangles = triangles, .edges = edges, .watch = watch, .n_triangles = n_triangles};
	work.order = malloc((n + 1) * sizeof *work.order);
	work.piece = malloc((n + 1) * sizeof *work.piece);
	work.flip = calloc(n + 1, 1);
	AbutStatus status = ABUT_OK;
	if (work.order && work.piece && work.flip) {
		memset(work.piece, -1, n * sizeof *work.piece);
		status = find_pieces(&work, n_vertices, report, error);
		ABUT_THEN(status, face_outwards(&work, report, error));
	} else {
		status = fail_memory(&work, error);
	}
	if (status == ABUT_OK) {
		apply(&work, triangles, edges, report);
		report->components = work.n_pieces;
	}
	free(work.order);
	free(work.piece);
	free(work.flip);
	free(work.pieces);
	return status;
}
