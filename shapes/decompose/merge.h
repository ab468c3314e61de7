/* Merges pieces that fit in one hull, the pair whose common hull adds the least volume first. */
#pragma once

#include "shapes/decompose/piece.h"

/* Merges pairs of pieces whose common hull stays within the bound on concavity. While more than `most` pieces are left,
 * also merges the pair whose hull adds the least volume (shapes/decompose/merge.c). */
AbutStatus abut_pieces_merge(AbutSolidPieces *list, const AbutDecomposeLengths *lengths, int most,
                             const AbutWatch *watch, AbutError *error);
