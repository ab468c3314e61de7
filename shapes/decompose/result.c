/* Converts a decomposition to a bundle of shapes, and lists its warnings. */
#include <stdio.h>
#include <stdlib.h>

#include "abut/decompose.h"
#include "base/error.h"
#include "base/vec3.h"

AbutStatus abut_decomposition_bundle(const AbutDecomposition *decomposition, const AbutMassProperties *mass,
                                     AbutBundle **out, AbutError *error)
{
	*out = NULL;
	const AbutShape **hulls = malloc(((size_t)decomposition->n_parts + 1) * sizeof *hulls);
	if (!hulls) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a bundle of %d hulls",
		                      decomposition->n_parts);
	}
	for (int i = 0; i < decomposition->n_parts; i++) {
		hulls[i] = decomposition->parts[i].shape;
	}
	AbutStatus status = abut_bundle_create(decomposition->n_parts, hulls, out, error);
	free(hulls);
	if (status == ABUT_OK && mass) {
		status = abut_bundle_set_mass(*out, mass, error);
	}
	if (status != ABUT_OK) {
		abut_bundle_destroy(*out);
		*out = NULL;
	}
	return status;
}

int abut_decomposition_warnings(const AbutDecomposition *decomposition, char (*out)[ABUT_MESH_WARNING_SIZE])
{
	int n = 0;
	if (!decomposition->within_bound) {
		snprintf(out[n++], ABUT_MESH_WARNING_SIZE,
		         "the limit of parts or faces was reached before the bound on concavity: the worst of the %d "
		         "hulls has concavity %.2g of the size; allow more parts or faces, or a larger concavity",
		         decomposition->n_parts,
		         abut_max(decomposition->depth, decomposition->distance) / decomposition->size);
	}
	if (decomposition->n_flat > 0) {
		snprintf(out[n++], ABUT_MESH_WARNING_SIZE,
		         "%d pieces without volume were left out: they cannot touch anything", decomposition->n_flat);
	}
	if (decomposition->n_nested > 0) {
		snprintf(
		    out[n++], ABUT_MESH_WARNING_SIZE,
		    "solids inside another solid, so that their volume counts twice: %d; join them in a mesh editor",
		    decomposition->n_nested);
	}
	return n;
}

void abut_decomposition_destroy(AbutDecomposition *decomposition)
{
	for (int i = 0; decomposition && i < decomposition->n_parts; i++) {
		abut_shape_destroy(decomposition->parts[i].shape);
	}
	if (decomposition) {
		free(decomposition->parts);
	}
	free(decomposition);
}
