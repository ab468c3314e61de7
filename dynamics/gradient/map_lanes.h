/* Multiplies a contact's matrix (dynamics/gradient/edge_map.h), or its transpose, by eight columns at once. W are the
 * matrix's rows of wrenches, Y its rows of held numbers. Their columns belong to starts (W_s, Y_s), velocities (W_x,
 * Y_x), held numbers (W_y, Y_y), velocities at the start (W_v, Y_v) and parameters. Results are added to a part's
 * lanes: six per body, one per held number. The functions are inlined into the loops of dynamics/gradient/solve.c,
 * which are compiled for several instruction sets. Tested in tests/dynamics/gradient/test_gradient.c and, transposed,
 * in tests/dynamics/gradient/test_gradient_products.c. */
#pragma once

#include <string.h>

#include "base/lane_algebra.h"
#include "dynamics/gradient/edge_map.h"

enum { ABUT_MAP_ROWS_AT_ONCE = 6 };

/* Computes out += M * in for n rows, at most ABUT_MAP_ROWS_AT_ONCE. The sums are independent, so the processor can
 * interleave them. */
ALWAYS_INLINE void abut_map_add_rows(int n, const double *M, int stride, int n_columns, const AbutLanes *in,
                                     AbutLanes *out)
{
	AbutLanes sum[ABUT_MAP_ROWS_AT_ONCE];
	memcpy(sum, out, (size_t)n * sizeof *out);
	for (int c = 0; c < n_columns; c++) {
		for (int r = 0; r < n; r++) {
			abut_lanes_add(sum[r], M[r * stride + c], in[c]);
		}
	}
	memcpy(out, sum, (size_t)n * sizeof *out);
}

/* Computes out += M * in, with M the block of the map that starts at (`row`, `column`), n_rows x n_columns. */
ALWAYS_INLINE void abut_map_add_product(const AbutEdgeMap *map, int row, int n_rows, int column, int n_columns,
                                        const AbutLanes *in, AbutLanes *out)
{
	const double *M = &map->at[row * map->stride + column];
	int r = 0;
	for (; r + ABUT_MAP_ROWS_AT_ONCE <= n_rows; r += ABUT_MAP_ROWS_AT_ONCE) {
		abut_map_add_rows(ABUT_MAP_ROWS_AT_ONCE, &M[r * map->stride], map->stride, n_columns, in, &out[r]);
	}
	for (; r + 2 <= n_rows; r += 2) {
		abut_map_add_rows(2, &M[r * map->stride], map->stride, n_columns, in, &out[r]);
	}
	if (r < n_rows) {
		abut_map_add_rows(1, &M[r * map->stride], map->stride, n_columns, in, &out[r]);
	}
}

/* Computes out += M' * in for n columns of M, at most ABUT_MAP_ROWS_AT_ONCE. */
ALWAYS_INLINE void abut_map_add_columns(int n, const double *M, int stride, int n_rows, const AbutLanes *in,
                                        AbutLanes *out)
{
	AbutLanes sum[ABUT_MAP_ROWS_AT_ONCE];
	memcpy(sum, out, (size_t)n * sizeof *out);
	for (int r = 0; r < n_rows; r++) {
		for (int c = 0; c < n; c++) {
			abut_lanes_add(sum[c], M[r * stride + c], in[r]);
		}
	}
	memcpy(out, sum, (size_t)n * sizeof *out);
}

/* Computes out += M' * in, with M the block of the map that starts at (`row`, `column`), n_rows x n_columns. */
ALWAYS_INLINE void abut_map_add_transposed(const AbutEdgeMap *map, int row, int n_rows, int column, int n_columns,
                                           const AbutLanes *in, AbutLanes *out)
{
	const double *M = &map->at[row * map->stride + column];
	int c = 0;
	for (; c + ABUT_MAP_ROWS_AT_ONCE <= n_columns; c += ABUT_MAP_ROWS_AT_ONCE) {
		abut_map_add_columns(ABUT_MAP_ROWS_AT_ONCE, &M[c], map->stride, n_rows, in, &out[c]);
	}
	for (; c < n_columns; c++) {
		abut_map_add_columns(1, &M[c], map->stride, n_rows, in, &out[c]);
	}
}

ALWAYS_INLINE int abut_map_first_held_row(const AbutEdgeMap *map)
{
	return ABUT_MAP_SIDE * map->n_sides;
}

/* Returns the rows of X that belong to the body of a side. */
ALWAYS_INLINE AbutLanes *abut_map_of_side(const AbutEdgeMap *map, int side, AbutLanes *X)
{
	return &X[ABUT_MAP_SIDE * map->body[side]];
}

/* Adds W_s s or W_x x to the wrenches; `column` is the first column of s or of x. */
ALWAYS_INLINE void abut_map_add_wrenches_by_bodies(const AbutEdgeMap *map, int column, AbutLanes *in,
                                                   AbutLanes *wrenches)
{
	for (int of = 0; of < map->n_sides; of++) {
		for (int by = 0; by < map->n_sides; by++) {
			abut_map_add_product(map, ABUT_MAP_SIDE * of, ABUT_MAP_SIDE, column + ABUT_MAP_SIDE * by,
			                     ABUT_MAP_SIDE, abut_map_of_side(map, by, in),
			                     abut_map_of_side(map, of, wrenches));
		}
	}
}

/* Adds W_v v to the wrenches, with v the velocities at the start. W_v is a multiple of W_x; it is 0 for edges of more
 * than two bodies. */
ALWAYS_INLINE void abut_map_add_wrenches_by_before(const AbutEdgeMap *map, AbutLanes *before, AbutLanes *wrenches)
{
	AbutLanes scaled[2 * ABUT_MAP_SIDE];
	for (int by = 0; map->by_before != 0.0 && by < map->n_sides; by++) {
		const AbutLanes *own = abut_map_of_side(map, by, before);
		for (int i = 0; i < ABUT_MAP_SIDE; i++) {
			abut_lanes_zero(scaled[ABUT_MAP_SIDE * by + i]);
			abut_lanes_add(scaled[ABUT_MAP_SIDE * by + i], map->by_before, own[i]);
		}
		for (int of = 0; of < map->n_sides; of++) {
			abut_map_add_product(map, ABUT_MAP_SIDE * of, ABUT_MAP_SIDE,
			                     abut_map_by_velocity(map) + ABUT_MAP_SIDE * by, ABUT_MAP_SIDE,
			                     &scaled[ABUT_MAP_SIDE * by], abut_map_of_side(map, of, wrenches));
		}
	}
}

ALWAYS_INLINE void abut_map_add_held_by_bodies(const AbutEdgeMap *map, int column, AbutLanes *in, AbutLanes *held)
{
	for (int by = 0; by < map->n_sides; by++) {
		abut_map_add_product(map, abut_map_first_held_row(map), map->n_held, column + ABUT_MAP_SIDE * by,
		                     ABUT_MAP_SIDE, abut_map_of_side(map, by, in), &held[map->held]);
	}
}

ALWAYS_INLINE void abut_map_add_wrenches_by_held(const AbutEdgeMap *map, const AbutLanes *held, AbutLanes *wrenches)
{
	for (int of = 0; of < map->n_sides; of++) {
		abut_map_add_product(map, ABUT_MAP_SIDE * of, ABUT_MAP_SIDE, abut_map_by_held(map), map->n_held,
		                     &held[map->held], abut_map_of_side(map, of, wrenches));
	}
}

/* Adds Y_v v to the held numbers: each row is a multiple of that of Y_x. */
ALWAYS_INLINE void abut_map_add_held_by_before(const AbutEdgeMap *map, const AbutLanes *before, AbutLanes *held)
{
	for (int h = 0; map->held_by_before && h < map->n_held; h++) {
		const double *row = &abut_map_held_row(map, h)[abut_map_by_velocity(map)];
		for (int c = 0; c < ABUT_MAP_SIDE * map->n_sides; c++) {
			abut_lanes_add(held[map->held + h], map->held_by_before[h] * row[c],
			               before[ABUT_MAP_SIDE * map->body[c / ABUT_MAP_SIDE] + c % ABUT_MAP_SIDE]);
		}
	}
}

ALWAYS_INLINE void abut_map_add_held_by_held(const AbutEdgeMap *map, const AbutLanes *in, AbutLanes *out)
{
	abut_map_add_product(map, abut_map_first_held_row(map), map->n_held, abut_map_by_held(map), map->n_held,
	                     &in[map->held], &out[map->held]);
}

/* The functions below multiply by the transposed blocks: they add W_s' m or W_x' m to `out`, with m the wrenches, and
 * so on. */
ALWAYS_INLINE void abut_map_pull_wrenches_to_bodies(const AbutEdgeMap *map, int column, AbutLanes *wrenches,
                                                    AbutLanes *out)
{
	for (int of = 0; of < map->n_sides; of++) {
		for (int by = 0; by < map->n_sides; by++) {
			abut_map_add_transposed(map, ABUT_MAP_SIDE * of, ABUT_MAP_SIDE, column + ABUT_MAP_SIDE * by,
			                        ABUT_MAP_SIDE, abut_map_of_side(map, of, wrenches),
			                        abut_map_of_side(map, by, out));
		}
	}
}

ALWAYS_INLINE void abut_map_pull_wrenches_to_before(const AbutEdgeMap *map, AbutLanes *wrenches, AbutLanes *out)
{
	AbutLanes scaled[ABUT_MAP_SIDE];
	for (int of = 0; map->by_before != 0.0 && of < map->n_sides; of++) {
		const AbutLanes *own = abut_map_of_side(map, of, wrenches);
		for (int i = 0; i < ABUT_MAP_SIDE; i++) {
			abut_lanes_zero(scaled[i]);
			abut_lanes_add(scaled[i], map->by_before, own[i]);
		}
		for (int by = 0; by < map->n_sides; by++) {
			abut_map_add_transposed(map, ABUT_MAP_SIDE * of, ABUT_MAP_SIDE,
			                        abut_map_by_velocity(map) + ABUT_MAP_SIDE * by, ABUT_MAP_SIDE, scaled,
			                        abut_map_of_side(map, by, out));
		}
	}
}

ALWAYS_INLINE void abut_map_pull_held_to_before(const AbutEdgeMap *map, const AbutLanes *held, AbutLanes *out)
{
	for (int h = 0; map->held_by_before && h < map->n_held; h++) {
		const double *row = &abut_map_held_row(map, h)[abut_map_by_velocity(map)];
		for (int c = 0; c < ABUT_MAP_SIDE * map->n_sides; c++) {
			abut_lanes_add(out[ABUT_MAP_SIDE * map->body[c / ABUT_MAP_SIDE] + c % ABUT_MAP_SIDE],
			               map->held_by_before[h] * row[c], held[map->held + h]);
		}
	}
}

ALWAYS_INLINE void abut_map_pull_held_to_bodies(const AbutEdgeMap *map, int column, const AbutLanes *held,
                                                AbutLanes *out)
{
	for (int by = 0; by < map->n_sides; by++) {
		abut_map_add_transposed(map, abut_map_first_held_row(map), map->n_held, column + ABUT_MAP_SIDE * by,
		                        ABUT_MAP_SIDE, &held[map->held], abut_map_of_side(map, by, out));
	}
}

ALWAYS_INLINE void abut_map_pull_wrenches_to_held(const AbutEdgeMap *map, AbutLanes *wrenches, AbutLanes *held)
{
	for (int of = 0; of < map->n_sides; of++) {
		abut_map_add_transposed(map, ABUT_MAP_SIDE * of, ABUT_MAP_SIDE, abut_map_by_held(map), map->n_held,
		                        abut_map_of_side(map, of, wrenches), &held[map->held]);
	}
}

ALWAYS_INLINE void abut_map_pull_held_to_held(const AbutEdgeMap *map, const AbutLanes *in, AbutLanes *out)
{
	abut_map_add_transposed(map, abut_map_first_held_row(map), map->n_held, abut_map_by_held(map), map->n_held,
	                        &in[map->held], &out[map->held]);
}

/* Returns whether one of the bodies `first` to `last` is a side of the contact. */
ALWAYS_INLINE bool abut_map_touches(const AbutEdgeMap *map, int first, int last)
{
	bool any = false;
	for (int s = 0; s < map->n_sides; s++) {
		any = any || (map->body[s] >= first && map->body[s] <= last);
	}
	return any;
}

/* Adds the effect of parameters to wrenches and held numbers. abut_map_pull_parameters is the transpose. */
ALWAYS_INLINE void abut_map_add_parameters(const AbutEdgeMap *map, const AbutLanes *parameters, AbutLanes *wrenches,
                                           AbutLanes *held)
{
	for (int i = 0; i < map->n_parameters; i++) {
		const AbutLanes *change = &parameters[map->parameters[i]];
		const int column = abut_map_by_parameter(map) + i;
		for (int of = 0; of < map->n_sides; of++) {
			abut_map_add_product(map, ABUT_MAP_SIDE * of, ABUT_MAP_SIDE, column, 1, change,
			                     abut_map_of_side(map, of, wrenches));
		}
		abut_map_add_product(map, abut_map_first_held_row(map), map->n_held, column, 1, change,
		                     &held[map->held]);
	}
}

ALWAYS_INLINE void abut_map_pull_parameters(const AbutEdgeMap *map, AbutLanes *wrenches, const AbutLanes *held,
                                            AbutLanes *parameters)
{
	for (int i = 0; i < map->n_parameters; i++) {
		AbutLanes *out = &parameters[map->parameters[i]];
		const int column = abut_map_by_parameter(map) + i;
		for (int of = 0; of < map->n_sides; of++) {
			abut_map_add_transposed(map, ABUT_MAP_SIDE * of, ABUT_MAP_SIDE, column, 1,
			                        abut_map_of_side(map, of, wrenches), out);
		}
		abut_map_add_transposed(map, abut_map_first_held_row(map), map->n_held, column, 1, &held[map->held],
		                        out);
	}
}
