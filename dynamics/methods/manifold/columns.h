/* The linear motion of an island with joints about a solution of its joints: impulses x of rows J change its velocities
 * by H^-1 J' x. H is the inertia plus S g' g of the joints' rows g at the start of the step, with their stiffness S, so
 * H^-1 is symmetric. If the joints are to be rigid, a column c is refined once: its held rows then have the velocity g
 * c = 0 to 1e-12, as H with the loads S g c of these rows, taken off, leaves
 *
 *     c <- c + H^-1 (J' - H c - sum S g' g c over held rows).
 *
 * This also reduces the rounding of c, as H c is summed row by row. */
#pragma once

#include "dynamics/methods/manifold/island.h"

/* Returns the column H^-1 J' of a row, with 6 numbers for each moving body. */
static inline double *abut_column_of(const AbutLcpIsland *island, int row)
{
	return &island->room->columns.at[(size_t)row * 6 * (size_t)island->n_moving];
}

/* Computes the columns of all rows at the joints' solution. Returns false if H is singular. */
bool abut_columns_make(const AbutLcpIsland *island);
/* Computes S of a joint's rows at the joints' solution. */
void abut_jointed_stiffness(const AbutLcpIsland *island, int joint, double *S);
/* Returns S of a coupling. */
double abut_jointed_coupling_stiffness(const AbutCouplingWork *coupling);
/* Computes A = J H^-1 J' (n_rows x n_rows); J M^-1 J' in an island without joints. */
void abut_lcp_island_matrix(const AbutLcpIsland *island, double *A);
/* Adds `by` J' of a row to a vector of the island's bodies; planar bodies take only the part in their plane. */
void abut_columns_add_row(const AbutLcpIsland *island, const AbutLcpRow *row, double by, double *out, int stride);
