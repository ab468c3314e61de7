/* Creates and changes convex bundles: lists of shapes that are moved and scaled together. Their mass depends on
 * overlaps and is computed in collision/query/union_mass.c. */
#include "abut/bundle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/conic.h"
#include "shapes/core/mass.h"

/* Returns the parts for writing. */
static AbutShape **edit(AbutBundle *bundle)
{
	return (AbutShape **)bundle->parts;
}

static AbutStatus out_of_memory(int n, AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a bundle of %d parts", n);
}

static AbutStatus check_list(int n, const AbutShape *const *shapes, AbutError *error)
{
	if (n < 0 || (n > 0 && !shapes)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "shapes",
		                      "there are %d shapes at %s; there must be at least 0, and a list of them", n,
		                      shapes ? "an address" : "NULL");
	}
	return ABUT_OK;
}

AbutStatus abut_bundle_create(int n, const AbutShape *const *shapes, AbutBundle **out, AbutError *error)
{
	if (!out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "out",
		                      "out is NULL; it must point to the variable that receives the bundle");
	}
	*out = NULL;
	AbutBundle *bundle = calloc(1, sizeof *bundle);
	if (!bundle) {
		return out_of_memory(n, error);
	}
	const AbutStatus status = abut_bundle_append(bundle, n, shapes, error);
	if (status != ABUT_OK) {
		abut_bundle_destroy(bundle);
		return status;
	}
	*out = bundle;
	return ABUT_OK;
}

AbutStatus abut_bundle_clone(const AbutBundle *bundle, AbutBundle **out, AbutError *error)
{
	if (out) {
		*out = NULL;
	}
	if (!bundle) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "bundle", "bundle is NULL; a bundle is required");
	}
	const AbutStatus status = abut_bundle_create(bundle->n_parts, bundle->parts, out, error);
	if (status == ABUT_OK && out && *out) {
		(*out)->mass_given = bundle->mass_given;
		(*out)->mass = bundle->mass;
	}
	return status;
}

void abut_bundle_destroy(AbutBundle *bundle)
{
	if (bundle) {
		abut_shapes_destroy(bundle->n_parts, edit(bundle));
		free(bundle);
	}
}

AbutStatus abut_bundle_append(AbutBundle *bundle, int n, const AbutShape *const *shapes, AbutError *error)
{
	if (!bundle) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "bundle", "bundle is NULL; a bundle is required");
	}
	AbutStatus status = check_list(n, shapes, error);
	if (status != ABUT_OK || n == 0) {
		return status;
	}
	/* `shapes` may be the bundle's own parts, so do not free the old list before they are copied. */
	AbutShape **copies = NULL;
	ABUT_TRY(abut_shapes_clone(n, shapes, &copies, error));
	AbutShape **parts = realloc(edit(bundle), ((size_t)bundle->n_parts + (size_t)n) * sizeof *parts);
	if (!parts) {
		abut_shapes_destroy(n, copies);
		return out_of_memory(n, error);
	}
	memcpy(&parts[bundle->n_parts], copies, (size_t)n * sizeof *parts);
	free(copies);
	bundle->parts = (const AbutShape *const *)parts;
	bundle->n_parts += n;
	bundle->mass_given = false;
	bundle->mass = (AbutMassProperties){.volume = 0.0};
	return ABUT_OK;
}

/* A change of all parts; if one part fails, no part is changed. */
typedef struct Change {
	const double *rotation, *translation; /* NULL: scale by `factor` */
	double factor;
} Change;

static AbutStatus change(AbutBundle *bundle, const Change *change, AbutError *error)
{
	if (!bundle) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "bundle", "bundle is NULL; a bundle is required");
	}
	const int n = bundle->n_parts;
	AbutShape **changed = NULL;
	ABUT_TRY(abut_shapes_clone(n, bundle->parts, &changed, error));
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < n; i++) {
		status = change->rotation ? abut_shape_move(changed[i], change->rotation, change->translation, error)
		                          : abut_shape_scale(changed[i], change->factor, error);
	}
	if (status != ABUT_OK) {
		abut_shapes_destroy(n, changed);
		return status;
	}
	abut_shapes_destroy(n, edit(bundle));
	bundle->parts = (const AbutShape *const *)changed;
	if (bundle->mass_given && change->rotation) {
		double R[9];
		abut_mat3_orthonormalise(change->rotation, R);
		abut_mass_move(&bundle->mass, R, change->translation);
	} else if (bundle->mass_given) {
		abut_mass_scale(&bundle->mass, change->factor);
	}
	return ABUT_OK;
}

AbutStatus abut_bundle_move(AbutBundle *bundle, const double rotation[9], const double translation[3], AbutError *error)
{
	if (!rotation || !translation) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, rotation ? "translation" : "rotation",
		                      "rotation or translation is NULL; both are required");
	}
	return change(bundle, &(Change){.rotation = rotation, .translation = translation}, error);
}

AbutStatus abut_bundle_scale(AbutBundle *bundle, double factor, AbutError *error)
{
	return change(bundle, &(Change){.factor = factor}, error);
}

AbutStatus abut_bundle_set_mass(AbutBundle *bundle, const AbutMassProperties *mass, AbutError *error)
{
	if (!bundle || !mass) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, bundle ? "mass" : "bundle",
		                      "bundle or mass is NULL; both are required");
	}
	ABUT_TRY(abut_mass_check(mass, error));
	bundle->mass = *mass;
	bundle->mass_given = true;
	return ABUT_OK;
}

double abut_bundle_support(const AbutBundle *bundle, const double direction[3], double *point)
{
	double best = -HUGE_VAL;
	for (int i = 0; i < bundle->n_parts; i++) {
		double reached[3];
		const double height = abut_shape_support(bundle->parts[i], direction, reached);
		if (height > best || i == 0) {
			best = height;
			if (point) {
				memcpy(point, reached, sizeof reached);
			}
		}
	}
	return best;
}

void abut_bundle_bounds(const AbutBundle *bundle, double lower[3], double upper[3])
{
	for (int i = 0; i < 3; i++) {
		double axis[3] = {0.0, 0.0, 0.0};
		axis[i] = 1.0;
		upper[i] = abut_bundle_support(bundle, axis, NULL);
		axis[i] = -1.0;
		lower[i] = -abut_bundle_support(bundle, axis, NULL);
	}
}
