/* Allocates an iterate as one block of memory. */
#include "solver/ncp/ncp.h"

#include <stdlib.h>
#include <string.h>

AbutStatus abut_iterate_create(int n_y, int n_z, int law_size, bool dense, AbutIterate *out)
{
	memset(out, 0, sizeof *out);
	const size_t ny = (size_t)n_y, nz = (size_t)n_z;
	const size_t n_dense = dense ? abut_dense_size(n_y, n_z) : 0;
	const size_t worst = (ny + 1) * sizeof(AbutWorst) / sizeof(double), active = nz / sizeof(double) + 1;
	const size_t total = 5 * ny + 10 * nz + (size_t)law_size + worst + active + n_dense + (ny + nz); /* pivots */
	double *block = calloc(total + 1, sizeof(double));
	if (!block) {
		return ABUT_ERROR_MEMORY;
	}
	out->memory = block;
	double **const of_y[] = {&out->y, &out->r, &out->dy, &out->y_base, &out->y_best};
	double **const of_z[] = {&out->z,  &out->s,      &out->H,      &out->dz,      &out->ds,
	                         &out->dH, &out->z_base, &out->z_best, &out->law.c[0]};
	for (size_t i = 0; i < sizeof of_y / sizeof *of_y; i++, block += ny) {
		*of_y[i] = block;
	}
	for (size_t i = 0; i < sizeof of_z / sizeof *of_z; i++, block += nz) {
		*of_z[i] = block;
	}
	out->law.c[1] = block;
	block += nz;
	out->law.K = block;
	block += law_size;
	out->set.worst = (AbutWorst *)(void *)block;
	block += worst;
	out->set.active = (bool *)(void *)block;
	block += active;
	if (dense) {
		out->dense = block;
		block += n_dense;
	}
	out->pivots = (int *)(void *)block;
	return ABUT_OK;
}

void abut_iterate_destroy(AbutIterate *iterate)
{
	free(iterate->memory);
	memset(iterate, 0, sizeof *iterate);
}
