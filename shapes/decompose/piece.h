/* Pieces of a decomposition: parts of the mesh's solid with their hulls, and the functions of this room. */
#ifndef SHAPES_DECOMPOSE_PIECE_H
#define SHAPES_DECOMPOSE_PIECE_H

#include "abut/status.h"
#include "shapes/core/watch.h"
#include "shapes/geometry/solid.h"
#include "shapes/hull/hull.h"

typedef struct AbutSolidPiece {
	AbutSolidList solids; /* one solid, or several merged ones */
	double volume;        /* volume of the solids */
	AbutHullOutline hull; /* hull of all solids */
	double depth;         /* greatest depth of the mesh's surface in the hull, m */
	double deepest[3];    /* point of the greatest depth */
	double distance; /* distance from hull to solids, m, or half the bound if that is more; 0: the depth exceeds the
	                    bound */
	bool whole;      /* no plane can cut it */
} AbutSolidPiece;

/* Lengths shared by all stages, m. */
typedef struct AbutDecomposeLengths {
	double bound;     /* bound on the concavity */
	double tolerance; /* tolerance of depth and distance */
	double on_plane;  /* vertices this close to a plane lie on it */
} AbutDecomposeLengths;

typedef struct AbutSolidPieces {
	int n, capacity;
	AbutSolidPiece *items;
} AbutSolidPieces;

/* Returns the greater of depth and distance. */
double abut_piece_concavity(const AbutSolidPiece *piece);
/* Measures depth and distance; stops early once one exceeds `enough`. */
AbutStatus abut_piece_measure(AbutSolidPiece *piece, const AbutDecomposeLengths *lengths, double enough,
                              AbutError *error);
/* Appends a piece that owns the solids in `solids`; frees them on failure. Refuses a hull without volume with
 * ABUT_ERROR_ARGUMENT. */
AbutStatus abut_piece_add(AbutSolidPieces *list, AbutSolidList *solids, const AbutDecomposeLengths *lengths,
                          AbutError *error);
void abut_piece_free(AbutSolidPiece *piece);
void abut_piece_list_free(AbutSolidPieces *list);

/* Finds the greatest depth below the planes of points on triangles that close no cut, to within `tolerance`. Starts
 * with *depth and stops early once it exceeds `enough`; `deepest` (3) is updated too (shapes/decompose/depth.c). */
void abut_solid_depth(const AbutSolid *solid, const AbutHullOutline *hull, double tolerance, double enough,
                      double *depth, double deepest[3]);

/* Returns a coarse copy of the solid, with about `target` triangles, for searches; NULL when out of memory
 * (shapes/decompose/proxy.c). */
AbutSolid *abut_solid_coarsen(const AbutSolid *solid, int target);

/* Chooses the plane to cut the piece with; *found is false if none helps (shapes/decompose/search.c). */
AbutStatus abut_piece_choose_cut(const AbutSolidPiece *piece, const AbutDecomposeLengths *lengths, AbutPlane *plane,
                                 bool *found, AbutError *error);

/* Candidate planes for a cut (shapes/decompose/planes.c). */
typedef struct AbutPlaneList {
	int n, capacity;
	AbutPlane *items;
} AbutPlaneList;

bool abut_planes_of(const AbutSolid *solid, const double deepest[3], double on_plane, AbutPlaneList *out);

/* Merges pairs of pieces whose common hull stays within the bound on concavity; then, while there are more than `most`
 * pieces, the pair whose hull adds the least volume (shapes/decompose/merge.c). */
AbutStatus abut_pieces_merge(AbutSolidPieces *list, const AbutDecomposeLengths *lengths, int most,
                             const AbutWatch *watch, AbutError *error);

/* Computes the Hausdorff distance from the hull to the solids inside it, to within `tolerance`, or `least` if that is
 * more; stops early once it exceeds `enough` (shapes/decompose/distance.c). */
AbutStatus abut_outline_distance(const AbutHullOutline *hull, const AbutSolidList *solids, double tolerance,
                                 double least, double enough, double *out, AbutError *error);

/* Computes the volume of the intersection of two hulls; 0 if a face of one separates them to within `slack`
 * (shapes/decompose/overlap.c). */
AbutStatus abut_hull_overlap(const AbutHullOutline *a, const AbutHullOutline *b, double slack, double *volume,
                             AbutError *error);

#endif
