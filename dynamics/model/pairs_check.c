/* Checks the lists of pairs and the restitution of a scene. */
#include "dynamics/model/pairs_check.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "dynamics/model/key.h"
#include "dynamics/model/pair.h"

static AbutStatus check_bodies(const AbutSceneDef *def, const char *where, int a, int b, AbutError *error)
{
	if (a < 0 || a >= def->n_bodies || b < 0 || b >= def->n_bodies) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, where, "body %d or %d does not exist; there are %d",
		                      a, b, def->n_bodies);
	}
	if (a == b) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, where, "body '%s' cannot touch itself",
		                      def->bodies[a].name);
	}
	return ABUT_OK;
}

static AbutStatus check_value(double value, const char *name, const char *unit, int pair, AbutError *error)
{
	if (!isnan(value) && !isinf(value)) {
		return ABUT_OK;
	}
	char where[64];
	snprintf(where, sizeof where, "contacts[%d].%s", pair, name);
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, where, "%s is %g; it must be finite and at least 0%s", name,
	                      value, unit);
}

AbutStatus abut_restitution_check(double value, const AbutSolverOptions *options, const AbutMethodRow *method,
                                  const char *where, AbutError *error)
{
	if (!(value >= 0.0 && value <= 1.0)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, where, "restitution is %g; it must be from 0 to 1",
		                      value);
	}
	if (value > 0.0 && !method->has.restitutes) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, where,
		                      "restitution is %g; method %s has none: it must be 0, or the method lcp", value,
		                      abut_method_name(options->method));
	}
	return ABUT_OK;
}

/* Checks a pair's springs, with the values from the solver options where the pair has none. Methods without springs
 * ignore them. */
static AbutStatus check_softness(const AbutSceneDef *def, const AbutMethodRow *method, int index, AbutError *error)
{
	const AbutSoftness soft = abut_softness(&def->solver, &def->pairs[index]);
	char where[64];
	snprintf(where, sizeof where, "contacts[%d]", index);
	return method->check_springs ? method->check_springs(&soft, where, error) : ABUT_OK;
}

static AbutStatus check_parts(const AbutSceneDef *def, int index, AbutError *error)
{
	const AbutPairDef *pair = &def->pairs[index];
	const int parts[2] = {pair->part_a, pair->part_b}, bodies[2] = {pair->body_a, pair->body_b};
	for (int side = 0; pair->has_parts && side < 2; side++) {
		const AbutBodyDef *body = &def->bodies[bodies[side]];
		char where[64];
		snprintf(where, sizeof where, "contacts[%d].parts[%d]", index, side);
		if (parts[side] < 0 || parts[side] >= body->n_parts) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
			                      "is %d; the parts of body '%s' are 0 to %d", parts[side], body->name,
			                      body->n_parts - 1);
		}
	}
	return ABUT_OK;
}

static AbutStatus check_pair(const AbutSceneDef *def, const AbutMethodRow *method, int index, AbutError *error)
{
	const AbutPairDef *pair = &def->pairs[index];
	char where[64];
	snprintf(where, sizeof where, "contacts[%d].pair", index);
	ABUT_TRY(check_bodies(def, where, pair->body_a, pair->body_b, error));
	const AbutBodyDef *a = &def->bodies[pair->body_a], *b = &def->bodies[pair->body_b];
	if (a->is_static && b->is_static) {
		const bool halfspaces =
		    a->parts[0]->kind == ABUT_SHAPE_HALFSPACE && b->parts[0]->kind == ABUT_SHAPE_HALFSPACE;
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
		                      "'%s' and '%s' are both %s; at least one body of a pair must move", a->name,
		                      b->name, halfspaces ? "halfspaces" : "static");
	}
	AbutStatus status = check_parts(def, index, error);
	ABUT_THEN(status, check_value(pair->friction, "friction", "", index, error));
	if (status == ABUT_OK && pair->restitution >= 0.0) {
		snprintf(where, sizeof where, "contacts[%d].restitution", index);
		status = abut_restitution_check(pair->restitution, &def->solver, method, where, error);
	} else if (status == ABUT_OK) {
		status = check_value(pair->restitution, "restitution", ", at most 1", index, error);
	}
	ABUT_THEN(status, check_value(pair->torsional_radius, "torsional_radius", " (metres)", index, error));
	return status == ABUT_OK ? check_softness(def, method, index, error) : status;
}

static AbutStatus check_exclusion(const AbutSceneDef *def, int index, AbutError *error)
{
	char where[64];
	snprintf(where, sizeof where, "exclude[%d]", index);
	return check_bodies(def, where, def->exclude[index][0], def->exclude[index][1], error);
}

/* A pair of one of the lists. Exclusions have indices from n_pairs on, and no parts. */
typedef struct ListedPair {
	int bodies[2], parts[2]; /* the lower body first; parts: -1 without parts */
	int index;
} ListedPair;

static ListedPair listed(int a, int b, const int parts[2], int index)
{
	const int low = a < b ? 0 : 1;
	return (ListedPair){{a < b ? a : b, a < b ? b : a}, {parts[low], parts[1 - low]}, index};
}

static int compare_keys(const ListedPair *a, const ListedPair *b)
{
	const int order = abut_compare_keys(a->bodies, b->bodies);
	return order != 0 ? order : abut_compare_keys(a->parts, b->parts);
}

static int compare_pairs(const void *a, const void *b)
{
	const ListedPair *x = a, *y = b;
	const int order = compare_keys(x, y);
	return order != 0 ? order : x->index - y->index;
}

/* Refuses the first repeated pair. Repeated exclusions are allowed, and pairs of bodies beside pairs of their parts. */
static AbutStatus refuse_repeated(const AbutSceneDef *def, const ListedPair *pairs, int n, AbutError *error)
{
	int taken = def->n_pairs, by = 0;
	for (int i = 0, first = 0, excluded = -1; i < n; i++) {
		const ListedPair *pair = &pairs[i];
		const bool exclusion = pair->index >= def->n_pairs;
		first = compare_keys(pair, &pairs[first]) == 0 ? first : i;
		excluded = i > 0 && abut_compare_keys(pair->bodies, pairs[i - 1].bodies) == 0 ? excluded : -1;
		const int with = first < i ? pairs[first].index : excluded;
		const int later = exclusion ? with : pair->index;
		excluded = exclusion ? pair->index : excluded;
		if (with >= 0 && later < taken) {
			taken = later;
			by = exclusion ? pair->index : with;
		}
	}
	if (taken == def->n_pairs) {
		return ABUT_OK;
	}
	char where[64];
	snprintf(where, sizeof where, "contacts[%d].pair", taken);
	return by < def->n_pairs
	           ? abut_error_set(error, ABUT_ERROR_ARGUMENT, where, "the pair stands in contacts[%d] already", by)
	           : abut_error_set(error, ABUT_ERROR_ARGUMENT, where, "the pair is excluded by exclude[%d]",
	                            by - def->n_pairs);
}

static AbutStatus check_repeated(const AbutSceneDef *def, AbutError *error)
{
	const int n = def->n_pairs + def->n_exclude;
	ListedPair *pairs = malloc(((size_t)n + 1) * sizeof *pairs);
	if (!pairs) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while checking the scene");
	}
	for (int i = 0; i < n; i++) {
		static const int none[2] = {-1, -1};
		const AbutPairDef *pair = i < def->n_pairs ? &def->pairs[i] : NULL;
		const int *excluded = pair ? NULL : def->exclude[i - def->n_pairs];
		const int parts[2] = {pair ? pair->part_a : -1, pair ? pair->part_b : -1};
		pairs[i] = pair ? listed(pair->body_a, pair->body_b, pair->has_parts ? parts : none, i)
		                : listed(excluded[0], excluded[1], none, i);
	}
	qsort(pairs, (size_t)n, sizeof *pairs, compare_pairs);
	const AbutStatus status = refuse_repeated(def, pairs, n, error);
	free(pairs);
	return status;
}

AbutStatus abut_pair_defs_check(const AbutSceneDef *def, const AbutMethodRow *method, AbutError *error)
{
	/* the sum of both counts must fit into an int */
	if (def->n_pairs < 0 || def->n_exclude < 0 || def->n_pairs > INT32_MAX - def->n_exclude ||
	    (def->n_pairs > 0 && !def->pairs) || (def->n_exclude > 0 && !def->exclude)) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, "contacts",
		    "there are %d pairs%s and %d exclusions%s; there must be 0 or more of either, with "
		    "their arrays, and at most %d of both",
		    def->n_pairs, def->pairs ? "" : " (NULL)", def->n_exclude, def->exclude ? "" : " (NULL)",
		    INT32_MAX);
	}
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < def->n_pairs; i++) {
		status = check_pair(def, method, i, error);
	}
	for (int i = 0; status == ABUT_OK && i < def->n_exclude; i++) {
		status = check_exclusion(def, i, error);
	}
	return status == ABUT_OK ? check_repeated(def, error) : status;
}
