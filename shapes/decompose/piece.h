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

/* Candidate planes for a cut (shapes/decompose/planes.c). */
typedef struct AbutPlaneList {
	int n, capacity;
	AbutPlane *items;
} AbutPlaneList;

#endif
