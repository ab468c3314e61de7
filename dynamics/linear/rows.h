/* How the coordinates of a robot and their rates change with the states of the bodies at the end of a step. */
#pragma once

#include "dynamics/gradient/gradient.h"
#include "dynamics/linear/tangent.h"

/* The change of a coordinate or rate by the states of the link's body and of the body that it hangs on. */
typedef struct AbutCoordinateRow {
	int body[2]; /* among the moving bodies; -1: none */
	double by[2][ABUT_GRADIENT_ROWS];
} AbutCoordinateRow;

/* Computes the rows of the coordinates and then of the rates, `out` (2 n_v). */
void abut_coordinate_rows(const AbutTangent *tangent, AbutCoordinateRow *out);

/* Multiplies `n` rows by eight changes of the bodies' states, `change` (12 n_moving), into `out` (n). */
void abut_coordinate_rows_multiply(int n, const AbutCoordinateRow *rows, const AbutLanes *change, AbutLanes *out);
/* Adds the row times `by` to one lane of `out` (12 n_moving): the gradient by the states from that by a coordinate. */
void abut_coordinate_row_pull(const AbutCoordinateRow *row, double by, int lane, AbutLanes *out);
