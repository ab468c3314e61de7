/* Checks the lists of pairs and the restitution of a scene. */
#include "dynamics/model/pairs_check.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
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
	AbutStatus status = check_value(pair->friction, "friction", "", index, error);
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

/* A pair of one of the lists. Exclusions have indices from n_pairs on. */
typedef struct ListedPair {
	int low, high, index;
} ListedPair;

static ListedPair listed(int a, int b, int index)
{
	return (ListedPair){a < b ? a : b, a < b ? b : a, index};
}

static int compare_pairs(const void *a, const void *b)
{
	const ListedPair *x = a, *y = b;
	const int order = x->low != y->low ? x->low - y->low : x->high - y->high;
	return order != 0 ? order : x->index - y->index;
}

/* Refuses the first repeated pair. Repeated exclusions are allowed. */
static AbutStatus refuse_repeated(const AbutSceneDef *def, const ListedPair *pairs, int n, AbutError *error)
{
	int taken = def->n_pairs, by = 0;
	for (int i = 1, first = 0; i < n; i++) {
		if (pairs[i].low != pairs[first].low || pairs[i].high != pairs[first].high) {
			first = i;
			continue;
		}
		const bool pair_twice = pairs[i].index < def->n_pairs;
		const int later = pair_twice ? pairs[i].index : pairs[first].index;
		if (later < taken) {
			taken = later;
			by = pair_twice ? pairs[first].index : pairs[i].index;
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
		const int exclusion = i - def->n_pairs;
		pairs[i] = exclusion < 0 ? listed(def->pairs[i].body_a, def->pairs[i].body_b, i)
		                         : listed(def->exclude[exclusion][0], def->exclude[exclusion][1], i);
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
