/* A piece is what can be reached over edges of two triangles. Within one, all triangles are made to agree with the
 * first, or all against it when that leaves more of them as they are. A piece without other edges is closed, and its
 * signed volume says whether it faces outwards:
 *   - when the largest closed piece faces inwards, the whole file is inside out, and every piece is turned;
 *   - a piece that faces inwards is the wall of a cavity when it lies inside one that faces outwards, else is turned.
 * Whether a point lies inside is told by the winding number: the solid angles of the triangles seen from it, over 4 pi
 * (tests/shapes/mesh_repair.c). */
#include "shapes/mesh_orient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/vec3.h"

typedef struct Piece {
	int first, end; /* places in Work.order */
	bool closed, turned;
	double volume; /* m^3, as oriented */
	double low[3], high[3];
} Piece;

typedef struct Work {
	const double *points;
	const int *triangles;
	const AbutMeshEdges *edges;
	int *order;    /* (n_triangles) piece by piece */
	char *reached; /* (n_triangles) */
	char *flip;    /* (n_triangles) */
	int n_pieces, capacity;
	Piece *pieces;
} Work;

static const double *corner(const Work *work, int triangle, int k)
{
	return &work->points[3 * (size_t)work->triangles[3 * (size_t)triangle + (size_t)k]];
}

/* --- agreement --- */

/* Takes the neighbours of a triangle over edges of two, from the end of the queue on; the queue's new end. */
static int reach_neighbours(Work *work, int triangle, int end, Piece *piece, AbutMeshReport *report)
{
	for (int k = 0; k < 3; k++) {
		const int *corners = &work->triangles[3 * (size_t)triangle];
		int first;
		if (abut_mesh_edges_find(work->edges, corners[k], corners[(k + 1) % 3], &first) != 2) {
			piece->closed = false;
			continue;
		}
		const AbutMeshSide *side = &work->edges->sides[first];
		const int other = side[0].triangle / 2 == triangle ? 1 : 0;
		const int neighbour = side[other].triangle / 2;
		const bool same_way = side[0].triangle % 2 == side[1].triangle % 2;
		const char flip = (char)(same_way ? !work->flip[triangle] : work->flip[triangle]);
		if (!work->reached[neighbour]) {
			work->reached[neighbour] = 1;
			work->flip[neighbour] = flip;
			work->order[end++] = neighbour;
		} else if (work->flip[neighbour] != flip) {
			piece->closed = false;
			report->one_sided_edges += other; /* seen from both triangles, counted from one */
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

static bool find_pieces(Work *work, int n_triangles, AbutMeshReport *report)
{
	int end = 0;
	for (int t = 0; t < n_triangles; t++) {
		if (work->reached[t]) {
			continue;
		}
		if (!abut_grow(&work->pieces, &work->capacity, work->n_pieces + 1, sizeof *work->pieces)) {
			return false;
		}
		Piece *piece = &work->pieces[work->n_pieces++];
		*piece = (Piece){.first = end, .closed = true};
		work->reached[t] = 1;
		work->order[end++] = t;
		for (int i = piece->first; i < end; i++) {
			end = reach_neighbours(work, work->order[i], end, piece, report);
		}
		piece->end = end;
		keep_the_most(work, piece);
	}
	return true;
}

/* --- inside and outside --- */

/* About its own first corner, which spares digits. */
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

/* Half the solid angle of a triangle seen from p (Van Oosterom and Strackee), 0 from its own plane. */
static double half_angle(const Work *work, int triangle, const double p[3])
{
	double edge[3][3], length[3], cross[3];
	for (int k = 0; k < 3; k++) {
		for (int axis = 0; axis < 3; axis++) {
			edge[k][axis] = corner(work, triangle, k)[axis] - p[axis];
		}
		length[k] = abut_norm3(edge[k]);
	}
	abut_cross3(edge[1], edge[2], cross);
	const double angle =
	    atan2(abut_dot3(edge[0], cross),
	          length[0] * length[1] * length[2] + length[2] * abut_dot3(edge[0], edge[1]) +
	              length[0] * abut_dot3(edge[1], edge[2]) + length[1] * abut_dot3(edge[2], edge[0]));
	return work->flip[triangle] ? -angle : angle;
}

static bool lies_inside(const Work *work, const Piece *inner, const Piece *outer)
{
	for (int axis = 0; axis < 3; axis++) {
		if (inner->low[axis] < outer->low[axis] || inner->high[axis] > outer->high[axis]) {
			return false;
		}
	}
	const double *p = corner(work, work->order[inner->first], 0);
	double sum = 0.0;
	for (int i = outer->first; i < outer->end; i++) {
		sum += half_angle(work, work->order[i], p);
	}
	return sum > M_PI; /* half of 2 pi */
}

/* Closed pieces that face outwards and have this one inside. */
static int count_around(const Work *work, const Piece *piece)
{
	int n = 0;
	for (int i = 0; i < work->n_pieces; i++) {
		const Piece *other = &work->pieces[i];
		n += other != piece && other->closed && other->volume > fabs(piece->volume) &&
		     lies_inside(work, piece, other);
	}
	return n;
}

static void face_outwards(Work *work, AbutMeshReport *report)
{
	const Piece *largest = NULL;
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
	for (int i = 0; i < work->n_pieces; i++) {
		Piece *piece = &work->pieces[i];
		if (!piece->closed || work->n_pieces == 1) {
			continue;
		}
		const int around = count_around(work, piece);
		if (piece->volume >= 0.0) {
			report->nested += around > 0;
		} else if (around > 0) {
			report->cavities++;
		} else {
			piece->turned = true; /* below: those that follow are judged by what the file says */
		}
	}
	for (int i = 0; i < work->n_pieces; i++) {
		if (work->pieces[i].turned) {
			turn_piece(work, &work->pieces[i]);
		}
	}
}

/* --- the whole --- */

static void apply(const Work *work, int n_triangles, int *triangles, AbutMeshEdges *edges, AbutMeshReport *report)
{
	for (int t = 0; t < n_triangles; t++) {
		if (work->flip[t]) {
			const int second = triangles[3 * (size_t)t + 1];
			triangles[3 * (size_t)t + 1] = triangles[3 * (size_t)t + 2];
			triangles[3 * (size_t)t + 2] = second;
			report->turned++;
		}
	}
	for (size_t i = 0; i < 3 * (size_t)n_triangles; i++) {
		edges->sides[i].triangle ^= work->flip[edges->sides[i].triangle / 2];
	}
}

AbutStatus abut_mesh_orient(const double *points, int n_triangles, int *triangles, AbutMeshEdges *edges,
                            AbutMeshReport *report, AbutError *error)
{
	Work work = {.points = points, .triangles = triangles, .edges = edges};
	work.order = malloc((size_t)n_triangles * sizeof *work.order);
	work.reached = calloc((size_t)n_triangles, 1);
	work.flip = calloc((size_t)n_triangles, 1);
	const bool complete = work.order && work.reached && work.flip && find_pieces(&work, n_triangles, report);
	if (complete) {
		face_outwards(&work, report);
		apply(&work, n_triangles, triangles, edges, report);
		report->components = work.n_pieces;
	}
	free(work.order);
	free(work.reached);
	free(work.flip);
	free(work.pieces);
	return complete ? ABUT_OK
	                : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a mesh of %d triangles",
	                                 n_triangles);
}
