/* Chooses the plane that cuts a piece. */
#pragma once

#include "shapes/decompose/piece.h"

/* Chooses the plane that cuts the piece. *found is false if no candidate divides it (shapes/decompose/search.c). */
AbutStatus abut_piece_choose_cut(const AbutSolidPiece *piece, const AbutDecomposeLengths *lengths, AbutPlane *plane,
                                 bool *found, AbutError *error);
