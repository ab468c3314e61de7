/* Carves the matrix of an edge from an arena, once its sides, held numbers and parameters are known. */
#include "dynamics/gradient/edge_map.h"

void abut_edge_map_carve(AbutArena *arena, AbutEdgeMap *out)
{
	const int width = abut_map_by_parameter(out) + out->n_parameters;
	out->stride = (width + ABUT_LANES - 1) / ABUT_LANES * ABUT_LANES;
	out->at = abut_arena_take(arena, (size_t)abut_map_rows(out) * (size_t)out->stride, sizeof(double));
}
