/* Builds the right sides of the columns that are solved for, twelve for each body. Columns 0 to 5 are impulses and
 * angular impulses along the world axes. Columns 6 to 8 are displacements, and columns 9 to 11 are turns about the
 * body's own axes. The effects of velocities, forces and torques are combinations of the first six columns
 * (dynamics/gradient/body.c). */
#pragma once

#include <stdint.h>
#include <string.h>

#include "base/lane_algebra.h"
#include "dynamics/gradient/part.h"

enum { ABUT_SOLVED_COLUMNS = 12 };

/* Adds `factor` times the right side and start of column `column` of a body, in one lane. The start is the change of
 * the next pose at fixed velocities. */
ALWAYS_INLINE void abut_column_add(const AbutGradientBody *body, int column, double factor, int lane, AbutLanes *right,
                                   AbutLanes *start)
{
	const int axis = column % 3;
	if (column < 6) {
		const bool balanced = !body->planar || column == 0 || column == 2 || column == 4;
		right[column][lane] += balanced ? factor : 0.0;
	} else if (column < 9) {
		start[axis][lane] += !body->planar || axis != 1 ? factor : 0.0;
	} else {
		for (int i = 0; i < 3; i++) {
			right[3 + i][lane] += factor * body->turned[3 * axis + i];
			start[3 + i][lane] += factor * body->carried[3 * axis + i];
		}
	}
}

ALWAYS_INLINE void abut_columns_clear(const AbutGradientPart *part)
{
	memset(part->lanes.right, 0, 6 * (size_t)part->n * sizeof *part->lanes.right);
	memset(part->lanes.start, 0, 6 * (size_t)part->n * sizeof *part->lanes.start);
}

/* Returns the factor by which the column changes a body in flight as much as a velocity of 1. */
ALWAYS_INLINE double abut_column_measure(const AbutGradientBody *body, int column)
{
	return column < 3 ? body->mass : column < 6 ? body->least_inertia : body->timestep;
}

/* Returns a pseudo-random sign, 1 or -1, the same in every run. Sums of columns with such signs rarely cancel. */
ALWAYS_INLINE double abut_column_sign(uint32_t *bits)
{
	*bits = *bits * 1664525u + 1013904223u;
	return *bits >> 31 ? 1.0 : -1.0;
}
