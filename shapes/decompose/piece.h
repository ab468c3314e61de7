/* Defines the pieces of a decomposition: parts of the mesh's solid, each with its hull and concavity. */
#pragma once

#include "abut/status.h"
#include "shapes/core/watch.h"
#include "shapes/geometry/solid.h"
#include "shapes/hull/hull.h"

typedef struct AbutSolidPiece {
	AbutSolidList solids; /* one solid, or several merged ones */
	double volume;        /* total volume of the solids, m^3 */
	AbutHullOutline hull; /* common hull of all solids */
	double depth;         /* greatest depth of the mesh's surface below the hull's faces, m */
	double deepest[3];    /* point of the greatest depth, in the mesh's frame, m */
	double distance; /* distance from the hull to the solids, m, at least half the bound; 0: not measured, since the
	                    depth was too large */
	bool whole;      /* no cut was found */
} AbutSolidPiece;

/* Lengths that all stages share, m. */
typedef struct AbutDecomposeLengths {
	double bound;     /* bound on the concavity */
	double tolerance; /* to which depth and distance are computed */
	double on_plane;  /* vertices closer to a plane than this lie on it */
} AbutDecomposeLengths;

typedef struct AbutSolidPieces {
	int n, capacity;
	AbutSolidPiece *items;
} AbutSolidPieces;

/* Returns the concavity: the greater of depth and distance, m. */
double abut_piece_concavity(const AbutSolidPiece *piece);
/* Measures depth and distance. Stops early once one of them exceeds `enough` (m). */
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
