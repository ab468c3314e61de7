/* Merging of pieces that fit in one hull, which cuts for a neighbour or the search for a cut may have separated. */
#ifndef SHAPES_DECOMPOSE_MERGE_H
#define SHAPES_DECOMPOSE_MERGE_H

#include "shapes/decompose/piece.h"

/* Merges pairs of pieces whose common hull stays within the bound on concavity; then, while there are more than `most`
 * pieces, the pair whose hull adds the least volume (shapes/decompose/merge.c). */
AbutStatus abut_pieces_merge(AbutSolidPieces *list, const AbutDecomposeLengths *lengths, int most,
                             const AbutWatch *watch, AbutError *error);

#endif
