/* Reads shapes composed of other shapes: union, Minkowski sum and intersection. A union is a list of parts; nested
 * unions are flattened. A sum or intersection of unions becomes a union over all choices of one part from each: (A u B)
 * + C = (A + C) u (B + C). */
#include "io/scene/composite.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collision/query/union_mass.h"
#include "io/scene/shapes.h"
#include "io/scene/values.h"
#include "shapes/composed/intersection.h"
#include "shapes/composed/minkowski_sum.h"

/* The bundles made from the key `parts`. */
typedef struct Parts {
	int n;
	AbutBundle **bundle; /* (n) */
} Parts;

static void drop(Parts *parts)
{
	for (int i = 0; i < parts->n; i++) {
		abut_bundle_destroy(parts->bundle[i]);
	}
	free(parts->bundle);
}

/* Refuses smooth shapes. The constructors refuse them too, but do not know the place in the file. */
static void refuse_smooth(const AbutNode *part, const AbutBundle *bundle)
{
	for (int i = 0; i < bundle->n_parts; i++) {
		if (bundle->parts[i]->kind == ABUT_SHAPE_SMOOTH) {
			abut_node_fail(
			    part, ABUT_ERROR_UNSUPPORTED,
			    "is a smooth shape, such as a superellipsoid; sums and intersections take only conic "
			    "shapes: use an ellipsoid or a polytope instead");
			return;
		}
	}
}

/* Reads at least `least` parts; if `conic`, smooth shapes are refused. Returns false after an error, which the reader
 * records. */
static bool read_parts(const AbutNode *node, int least, bool conic, Parts *out)
{
	AbutNode parts, part;
	*out = (Parts){.n = 0};
	if (!abut_node_require(node, "parts", &parts) || !abut_node_check_array(&parts, "an array of shapes")) {
		return false;
	}
	if (abut_json_count(parts.value) < least) {
		abut_node_fail_expected(&parts,
		                        least > 1 ? "an array of two shapes or more" : "an array that is not empty");
		return false;
	}
	out->bundle = calloc((size_t)abut_json_count(parts.value), sizeof(AbutBundle *));
	if (!out->bundle) {
		abut_node_fail_memory(node);
		return false;
	}
	for (bool more = abut_node_first(&parts, &part); more && abut_node_ok(node); more = abut_node_next(&part)) {
		AbutBundle *bundle = abut_scene_make_shape(&part);
		if (!bundle) {
			continue;
		}
		out->bundle[out->n++] = bundle;
		if (conic) {
			refuse_smooth(&part, bundle);
		}
	}
	return abut_node_ok(node);
}

/* Sets the mass of the union if its object gives it or if a part has given mass properties, such as a mesh decomposed
 * into hulls. Otherwise sets nothing, because the body may have a mass of its own. */
static AbutStatus give_mass(const AbutNode *node, const Parts *parts, AbutBundle *bundle, AbutError *error)
{
	AbutMassProperties mass = {.volume = 0.0};
	bool given = false;
	for (int i = 0; i < parts->n; i++) {
		given = given || parts->bundle[i]->mass_given;
	}
	AbutStatus status = ABUT_OK;
	if (abut_scene_read_mass_properties(node, &mass)) {
		given = true;
	} else if (given && abut_node_ok(node)) {
		status = abut_bundles_mass(parts->n, (const AbutBundle *const *)parts->bundle, node->reader->stop,
		                           &mass, error);
	}
	return status == ABUT_OK && given && abut_node_ok(node) ? abut_bundle_set_mass(bundle, &mass, error) : status;
}

/* The key "source" is documentation for people and is not read. */
AbutStatus abut_scene_read_union(const AbutNode *node, AbutBundle **out, AbutError *error)
{
	Parts parts;
	AbutStatus status = ABUT_OK;
	if (read_parts(node, 1, false, &parts)) {
		status = abut_bundle_create(0, NULL, out, error);
	}
	for (int i = 0; *out && status == ABUT_OK && i < parts.n; i++) {
		status = abut_bundle_append(*out, parts.bundle[i]->n_parts, parts.bundle[i]->parts, error);
	}
	if (*out && status == ABUT_OK) {
		status = give_mass(node, &parts, *out, error);
	}
	drop(&parts);
	return status;
}

typedef AbutStatus Constructor(int n, const AbutShape *const *parts, AbutStopper *stop, AbutShape **out,
                               AbutError *error);

/* Creates a shape for each choice of one part per bundle. If `may_be_empty`, an intersection that is empty is skipped.
 */
static AbutStatus distribute(const AbutNode *node, const Parts *parts, Constructor *create, bool may_be_empty,
                             AbutBundle *out, AbutError *error)
{
	const AbutShape **chosen = calloc((size_t)parts->n + 1, sizeof(AbutShape *));
	double choices = 1.0;
	for (int i = 0; i < parts->n; i++) {
		choices *= parts->bundle[i]->n_parts;
	}
	if (!chosen || choices > ABUT_BUNDLE_PARTS_MAX) {
		const bool memory = !chosen;
		free(chosen);
		return memory ? abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory")
		              : abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "parts",
		                               "the unions among the parts give %.0f combinations of parts; at most %d "
		                               "are allowed",
		                               choices, (int)ABUT_BUNDLE_PARTS_MAX);
	}
	AbutStatus status = ABUT_OK;
	AbutError own = {.status = ABUT_OK};
	for (int choice = 0; status == ABUT_OK && abut_scene_goes_on(node) && choice < (int)choices; choice++) {
		for (int i = parts->n - 1, rest = choice; i >= 0; rest /= parts->bundle[i--]->n_parts) {
			chosen[i] = parts->bundle[i]->parts[rest % parts->bundle[i]->n_parts];
		}
		AbutShape *shape = NULL;
		status = create(parts->n, chosen, node->reader->stop, &shape, &own);
		const AbutShape *const one[1] = {shape};
		if (status == ABUT_OK) {
			status = abut_bundle_append(out, 1, one, &own);
		} else if (status == ABUT_ERROR_ARGUMENT && may_be_empty && choices > 1.0) {
			status = ABUT_OK;
		}
		abut_shape_destroy(shape);
	}
	free(chosen);
	if (status == ABUT_OK && out->n_parts == 0) {
		status = own.status;
	}
	return status == ABUT_OK ? status : abut_error_set(error, status, "parts", "%s", own.message);
}

static AbutStatus read_distributed(const AbutNode *node, Constructor *create, bool may_be_empty, AbutBundle **out,
                                   AbutError *error)
{
	Parts parts;
	AbutStatus status = ABUT_OK;
	if (read_parts(node, 2, true, &parts)) {
		status = abut_bundle_create(0, NULL, out, error);
	}
	if (*out && status == ABUT_OK) {
		status = distribute(node, &parts, create, may_be_empty, *out, error);
	}
	drop(&parts);
	return status;
}

AbutStatus abut_scene_read_minkowski_sum(const AbutNode *node, AbutBundle **out, AbutError *error)
{
	return read_distributed(node, abut_minkowski_sum, false, out, error);
}

AbutStatus abut_scene_read_intersection(const AbutNode *node, AbutBundle **out, AbutError *error)
{
	return read_distributed(node, abut_intersection, true, out, error);
}
