/* What a decomposition works on: pieces of the mesh's solid with their hulls. Internal to shapes/decompose*.c. */
#ifndef SHAPES_DECOMPOSE_PIECE_H
#define SHAPES_DECOMPOSE_PIECE_H

#include "abut/status.h"
#include "shapes/core/watch.h"
#include "shapes/geometry/solid.h"
#include "shapes/hull/hull.h"

typedef struct AbutSolidPiece {
	AbutSolidList solids; /* one, or several that were merged */
	double volume;        /* of the solids */
	AbutHullOutline hull; /* of all of them */
	double depth;         /* greatest depth of the mesh's surface in the hull, m */
	double deepest[3];    /* where it is that deep */
	double distance;      /* from hull to solids, m, or half the bound if that is more; 0: the depth is over it */
	bool whole;           /* no plane cuts it */
} AbutSolidPiece;

/* Lengths that every stage shares, m. */
typedef struct AbutDecomposeLengths {
	double bound;     /* on the concavity */
	double tolerance; /* to which depth and distance are found */
	double on_plane;  /* vertices this close to a plane lie on it */
} AbutDecomposeLengths;

typedef struct AbutSolidPieces {
	int n, capacity;
	AbutSolidPiece *items;
} AbutSolidPieces;

/* The greater of depth and distance. */
double abut_piece_concavity(const AbutSolidPiece *piece);
/* Finds depth and distance; stops early once one exceeds `enough`. */
AbutStatus abut_piece_measure(AbutSolidPiece *piece, const AbutDecomposeLengths *lengths, double enough,
                              AbutError *error);
/* Appends a piece of the solids in `solids`, which the piece then owns and which are freed on failure. A hull without
 * volume is refused with ABUT_ERROR_ARGUMENT. */
AbutStatus abut_piece_add(AbutSolidPieces *list, AbutSolidList *solids, const AbutDecomposeLengths *lengths,
                          AbutError *error);
void abut_piece_free(AbutSolidPiece *piece);
void abut_piece_list_free(AbutSolidPieces *list);

/* Greatest depth below the planes of the points of the triangles that are no cuts, to within `tolerance`; the search
 * begins with *depth and ends early once it exceeds `enough`. `deepest` (3) moves along (shapes/decompose/depth.c). */
void abut_solid_depth(const AbutSolid *solid, const AbutHullOutline *hull, double tolerance, double enough,
                      double *depth, double deepest[3]);

/* A solid of about `target` triangles that is close to this one, for searches (shapes/decompose/proxy.c). NULL when out
 * of memory. */
AbutSolid *abut_solid_coarsen(const AbutSolid *solid, int target);

/* The plane to cut the piece with: false in *found when none helps (shapes/decompose/search.c). */
AbutStatus abut_piece_choose_cut(const AbutSolidPiece *piece, const AbutDecomposeLengths *lengths, AbutPlane *plane,
                                 bool *found, AbutError *error);

/* Candidates for a cut: planes through the solid (shapes/decompose/planes.c). */
typedef struct AbutPlaneList {
	int n, capacity;
	AbutPlane *items;
} AbutPlaneList;

bool abut_planes_of(const AbutSolid *solid, const double deepest[3], double on_plane, AbutPlaneList *out);

/* Replaces pairs of pieces by one where the common hull stays within the bound on concavity; then, while there are more
 * than `most`, the pair whose hull adds the least volume (shapes/decompose/merge.c). */
AbutStatus abut_pieces_merge(AbutSolidPieces *list, const AbutDecomposeLengths *lengths, int most,
                             const AbutWatch *watch, AbutError *error);

/* Hausdorff distance from the hull to the solids inside it, to within `tolerance`, or `least` if that is more; the
 * search ends early once it exceeds `enough` (shapes/decompose/distance.c). */
AbutStatus abut_outline_distance(const AbutHullOutline *hull, const AbutSolidList *solids, double tolerance,
                                 double least, double enough, double *out, AbutError *error);

/* Volume in both of two hulls; 0 for hulls that a face of one parts to within `slack` (shapes/decompose/overlap.c). */
AbutStatus abut_hull_overlap(const AbutHullOutline *a, const AbutHullOutline *b, double slack, double *volume,
                             AbutError *error);

#endif
