/* Computes the mass of a union by inclusion and exclusion. With 1_i the indicator function of part i, the indicator
 * function of the union is
 *
 *     sum 1_i - sum 1_i 1_j + sum 1_i 1_j 1_k - ...
 *
 * The sums are over the sets of parts with a common interior. The integrals of 1, x and x x' are then signed sums over
 * the parts and their intersections, which are convex shapes themselves. Parts whose bounding boxes do not overlap, or
 * that only touch according to the exact query, have no common interior. Therefore a solid that is cut into pieces
 * costs only the masses of the pieces.
 *
 * The number of sets grows exponentially with the number of parts that overlap each other. If such parts have a point
 * in common, their union is a star: each ray from this point leaves it once, where it leaves the last of the parts. The
 * integrals over a star of curved parts are computed from such rays (shapes/composed/mass_rays.h), in place of all of
 * its terms. Tested in tests/collision/test_union_mass.c. */
#include "collision/query/union_mass.h"

#include <math.h>
#include <stdlib.h>

#include "abut/collide.h"
#include "base/error.h"
#include "base/vec3.h"
#include "shapes/composed/intersection.h"
#include "shapes/composed/mass_rays.h"
#include "shapes/composed/reach.h"

/* The largest number of common parts; the largest time for those that are not polytopes, s; the least number of parts
 * for which a star saves time. */
enum { MOST_TERMS = 20000, MOST_SECONDS = 10, LEAST_STAR = 6 };

/* Work of a second (AbutComposing.work). The limit counts work instead of time, so that it is the same each time. */
static const long work_of_second = 200000000;

/* Parts that overlap by less than this share of their size are considered to touch: the
 * rounding of several files, or of a hull, has moved a common face. The neglected volume is at most this overlap times
 * the area of a disc as large as the smaller part, and is added to the error. */
static const double touching = 1e-9;

/* Volume that may be neglected, as a share of the volume of the largest part. */
static const double harmless = 1e-6;

/* One term of the sum: mass properties and sign. */
typedef struct Term {
	AbutMassProperties mass;
	double sign;
} Term;

typedef struct Union {
	int n;
	const AbutShape *const *parts;
	double (*box)[6]; /* (n) lower and upper corner of the bounding box, m */
	double *depth;    /* (n x n) overlap of two parts, m; 0 if they have no common interior */
	double harmless;  /* volume that may be neglected, m^3 */
	int n_terms, capacity;
	Term *terms;
	double error; /* error of the volume, m^3 */
	AbutComposing how;
	AbutError *refusal;
} Union;

/* Returns the sum of the mass properties of `n` terms. V_i, c_i and I_i are the volume, centre of mass and inertia of
 * term i, and c is the centre of mass of the union. The inertia of the union is
 *
 *     sum of sign (I_i + V_i (|c_i - c|^2 - (c_i - c) (c_i - c)')). */
static AbutMassProperties sum_of(int n, const Term *terms)
{
	AbutMassProperties total = {.volume = 0.0};
	for (int i = 0; i < n; i++) {
		const double volume = terms[i].sign * terms[i].mass.volume;
		total.volume += volume;
		abut_add_scaled3(total.centre_of_mass, volume, terms[i].mass.centre_of_mass, total.centre_of_mass);
	}
	for (int j = 0; j < 3 && total.volume > 0.0; j++) {
		total.centre_of_mass[j] /= total.volume;
	}
	for (int i = 0; i < n; i++) {
		const AbutMassProperties *mass = &terms[i].mass;
		double offset[3], inertia[9];
		abut_sub3(mass->centre_of_mass, total.centre_of_mass, offset);
		for (int k = 0; k < 9; k++) {
			inertia[k] = terms[i].sign * mass->inertia[k];
		}
		abut_add_inertia3(inertia, terms[i].sign * mass->volume, offset, total.inertia);
	}
	return total;
}

static AbutStatus out_of_memory(AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while computing the mass of a union");
}

#define REMEDY "let fewer overlap, or give mass, inertia and centre_of_mass"

/* Returns an error if the caller wants the call to end, or if the work is used up. */
static AbutStatus check_limits(const Union *u)
{
	if (abut_stopped(u->how.stop)) {
		return abut_error_set(u->refusal, ABUT_ERROR_STOPPED, NULL,
		                      "stopped while computing the mass of a union");
	}
	return *u->how.work < 0
	           ? abut_error_set(u->refusal, ABUT_ERROR_UNSUPPORTED, "parts",
	                            "the curved common parts of the union (%d so far) take more than about %d s to "
	                            "integrate; " REMEDY,
	                            u->n_terms > u->n ? u->n_terms - u->n : 0, MOST_SECONDS)
	           : ABUT_OK;
}

/* Adds a term. `mass_error` is relative to the volume. */
static AbutStatus add_term(Union *u, const AbutMassProperties *mass, double mass_error, double sign)
{
	ABUT_TRY(check_limits(u));
	if (u->n_terms == MOST_TERMS + u->n) {
		return abut_error_set(u->refusal, ABUT_ERROR_UNSUPPORTED, "parts",
		                      "the parts of the union have more than %d common parts; " REMEDY, MOST_TERMS);
	}
	if (u->n_terms == u->capacity) {
		const int capacity = 2 * u->capacity + 16;
		Term *terms = realloc(u->terms, (size_t)capacity * sizeof *terms);
		if (!terms) {
			return out_of_memory(u->refusal);
		}
		u->terms = terms;
		u->capacity = capacity;
	}
	u->terms[u->n_terms++] = (Term){*mass, sign};
	u->error += mass_error * mass->volume;
	return ABUT_OK;
}

static bool boxes_meet(const double a[6], const double b[6])
{
	bool meet = true;
	for (int i = 0; i < 3; i++) {
		meet = meet && a[i] < b[3 + i] && b[i] < a[3 + i];
	}
	return meet;
}

/* Computes the overlap of two parts, 0 if they only touch. If the query fails, the overlap is the smaller part's size;
 * the intersection of the two then decides. */
static AbutStatus pair_depth(Union *u, const AbutShape *a, const AbutShape *b, double *depth)
{
	static const AbutPose here = {.orientation = {1.0, 0.0, 0.0, 0.0}};
	AbutCollision *collision = NULL;
	AbutCollisionResult result = {.outcome = ABUT_OUTCOME_FAILED};
	AbutStatus status = abut_collision_create(a, b, &collision, u->refusal);
	ABUT_THEN(status, abut_collision_solve(collision, &here, &here, 0.0, &result, u->refusal));
	abut_collision_destroy(collision);
	const double size = fmin(a->outer_radius, b->outer_radius);
	const double overlap = result.outcome == ABUT_OUTCOME_FAILED ? size : fmax(-result.gap, 0.0);
	*depth = overlap > touching * size ? overlap : 0.0;
	u->error += *depth > 0.0 ? 0.0 : overlap * M_PI * size * size;
	return status;
}

static AbutStatus find_pairs(Union *u)
{
	AbutStatus status = ABUT_OK;
	for (int i = 0; i < u->n; i++) {
		const AbutShape *const part[1] = {u->parts[i]};
		const AbutBundle alone = {.n_parts = 1, .parts = part};
		abut_bundle_bounds(&alone, u->box[i], &u->box[i][3]);
	}
	for (int i = 0; status == ABUT_OK && i < u->n; i++) {
		status = check_limits(u);
		for (int j = i + 1; status == ABUT_OK && j < u->n; j++) {
			double *depth = &u->depth[(size_t)i * (size_t)u->n + (size_t)j];
			if (u->parts[i]->mass.volume > 0.0 && u->parts[j]->mass.volume > 0.0 &&
			    boxes_meet(u->box[i], u->box[j])) {
				status = pair_depth(u, u->parts[i], u->parts[j], depth);
			}
			if (status == ABUT_OK && *depth > 0.0 && (u->parts[i]->mass_given || u->parts[j]->mass_given)) {
				status = abut_error_set(u->refusal, ABUT_ERROR_UNSUPPORTED, "parts",
				                        "parts[%d] and parts[%d] overlap, and one has a given mass (as "
				                        "of a mesh), so that the mass of their common part is unknown; "
				                        "give the body's mass, inertia and centre_of_mass",
				                        i, j);
			}
		}
	}
	return status;
}

/* Returns an upper bound of the volume of the overlap of two parts. The overlap lies between two planes and in a disc
 * as large as the smaller part. The depth is accurate only up to a small factor. */
static double volume_of_pair(const Union *u, int i, int j)
{
	const double size = fmin(u->parts[i]->outer_radius, u->parts[j]->outer_radius);
	return 2.0 * u->depth[(size_t)i * (size_t)u->n + (size_t)j] * M_PI * size * size;
}

/* Returns an upper bound of the volume of the overlap of all members with part j. */
static double volume_of_common(const Union *u, const int *member, int count, int j)
{
	double most = HUGE_VAL;
	for (int k = 0; k < count; k++) {
		most = fmin(most, volume_of_pair(u, member[k], j));
	}
	return most;
}

/* Lists `common` (unless NULL) and the parts after `first - 1` that overlap all members; returns their number.
 * `*curved` is whether they are of kinds for which a star is possible and saves time. */
static int list_star(const Union *u, const AbutShape *common, const int *member, int count, int first,
                     const AbutShape **list, bool *curved)
{
	int n = 0;
	*curved = false;
	bool conic = true;
	if (common) {
		list[n++] = common;
	}
	for (int j = first; j < u->n; j++) {
		if (volume_of_common(u, member, count, j) > 0.0) {
			list[n++] = u->parts[j];
			*curved = *curved || u->parts[j]->n_soc > 0 || u->parts[j]->n_eps > 0;
			conic = conic && u->parts[j]->kind != ABUT_SHAPE_SMOOTH && u->parts[j]->mass.volume > 0.0;
		}
	}
	*curved = *curved && conic;
	return n;
}

/* Adds the union of the common parts of `common` (NULL: everything) and each part after `first - 1` as one term, if
 * they are many and form a star. It replaces the terms of these sets and of all larger ones. */
static AbutStatus add_star(Union *u, const AbutShape *common, const int *member, int count, int first, bool *added)
{
	const AbutShape **list = malloc(((size_t)u->n + 1) * sizeof(AbutShape *));
	double point[3], mass_error = 0.0;
	bool curved = false;
	AbutMassProperties mass = {.volume = 0.0};
	*added = false;
	if (!list) {
		return out_of_memory(u->refusal);
	}
	const int skip = common ? 1 : 0, n = list_star(u, common, member, count, first, list, &curved);
	AbutStatus status = ABUT_OK;
	if (n - skip >= LEAST_STAR && curved) {
		status = abut_shape_common_point(n, list, point, added, u->refusal);
	}
	if (status == ABUT_OK && *added) {
		status = abut_star_mass_by_rays(n - skip, &list[skip], common, point, u->harmless, &u->how, &mass,
		                                &mass_error);
		*added = status == ABUT_OK && mass_error <= ABUT_MASS_ERROR_MAX;
		status = status == ABUT_ERROR_MEMORY ? out_of_memory(u->refusal) : ABUT_OK;
	}
	free(list);
	return *added ? add_term(u, &mass, mass_error, count % 2 ? -1.0 : 1.0) : status;
}

/* Adds the terms of all larger sets of parts (inclusion and exclusion). `common` is the intersection of the parts with
 * indices member[0] to member[count - 1]. It is intersected with each later part, and the result recursively with the
 * parts after that one. An empty or flat intersection ends the recursion: further parts only make it smaller. */
static AbutStatus add_common(Union *u, const AbutShape *common, int *member, int count)
{
	bool star = false;
	AbutStatus status = add_star(u, common, member, count, member[count - 1] + 1, &star);
	for (int j = member[count - 1] + 1; status == ABUT_OK && !star && j < u->n; j++) {
		const double most = volume_of_common(u, member, count, j); /* upper bound of the volume */
		if (most == 0.0) {
			continue;
		}
		const AbutShape *const both[2] = {common, u->parts[j]};
		AbutShape *shape = NULL;
		AbutError own = {.status = ABUT_OK};
		double missed = 0.0;
		status = abut_shape_common(2, both, u->harmless, &u->how, &shape, &missed, &own);
		if (status != ABUT_OK && !(status == ABUT_ERROR_NUMERICAL && most < u->harmless)) {
			return abut_error_set(u->refusal, status, "parts", "%s", own.message);
		}
		u->error += status == ABUT_OK ? fmin(missed, most) : most;
		status = ABUT_OK;
		if (!shape) {
			continue;
		}
		member[count] = j;
		status = add_term(u, &shape->mass, shape->mass_error, count % 2 ? -1.0 : 1.0);
		ABUT_THEN(status, add_common(u, shape, member, count + 1));
		abut_shape_destroy(shape);
	}
	return status;
}

static AbutStatus add_all(Union *u, int *member)
{
	bool star = false;
	AbutStatus status = add_star(u, NULL, member, 0, 0, &star);
	for (int i = 0; status == ABUT_OK && !star && i < u->n; i++) {
		status = add_term(u, &u->parts[i]->mass, u->parts[i]->mass_error, 1.0);
	}
	for (int i = 0; status == ABUT_OK && !star && i < u->n; i++) {
		member[0] = i;
		status = add_common(u, u->parts[i], member, 1);
	}
	return status;
}

AbutMassProperties abut_parts_mass(int n, const AbutShape *const *parts)
{
	AbutMassProperties total = {.volume = 0.0};
	for (int i = 0; i < n; i++) {
		const Term terms[2] = {{total, 1.0}, {parts[i]->mass, 1.0}};
		total = i == 0 ? parts[0]->mass : sum_of(2, terms);
	}
	return total;
}

static AbutStatus weigh(Union *u, int *member, AbutMassProperties *out, double *relative_error)
{
	AbutStatus status = find_pairs(u);
	ABUT_THEN(status, add_all(u, member));
	if (status == ABUT_OK) {
		*out = sum_of(u->n_terms, u->terms);
		*relative_error = out->volume > 0.0 ? u->error / out->volume : 0.0;
	}
	return status;
}

/* Returns an error if the mass is too inaccurate for a body. */
static AbutStatus judge(AbutStatus status, double relative_error, AbutError *error)
{
	if (status != ABUT_OK || relative_error <= ABUT_MASS_ERROR_MAX) {
		return status;
	}
	return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "parts",
	                      "volume and inertia have a relative error of %.1e; at most %g is allowed", relative_error,
	                      ABUT_MASS_ERROR_MAX);
}

/* Computes the mass of a union, in which common parts count once. `relative_error` has the meaning of
 * AbutShape.mass_error. */
static AbutStatus union_mass(int n, const AbutShape *const *parts, AbutStopper *stop, AbutMassProperties *out,
                             double *relative_error, AbutError *error)
{
	*relative_error = 0.0;
	if (n == 1) {
		*out = parts[0]->mass;
		*relative_error = parts[0]->mass_error;
		return judge(ABUT_OK, *relative_error, error);
	}
	const size_t count = (size_t)n;
	long work = MOST_SECONDS * work_of_second;
	Union u = {.n = n, .parts = parts, .how = {"parts", stop, &work}, .refusal = error};
	int *member = malloc((count + 1) * sizeof *member);
	u.box = malloc((count + 1) * sizeof *u.box);
	u.depth = calloc(count * count + 1, sizeof *u.depth);
	for (int i = 0; i < n; i++) {
		u.harmless = fmax(u.harmless, harmless * parts[i]->mass.volume);
	}
	const AbutStatus status =
	    member && u.box && u.depth ? weigh(&u, member, out, relative_error) : out_of_memory(error);
	free(member);
	free(u.box);
	free(u.depth);
	free(u.terms);
	return judge(status, *relative_error, error);
}

AbutStatus abut_bundle_mass(const AbutBundle *bundle, AbutMassProperties *out, double *mass_error, AbutError *error)
{
	return abut_bundle_weigh(bundle, NULL, out, mass_error, error);
}

AbutStatus abut_bundle_weigh(const AbutBundle *bundle, AbutStopper *stop, AbutMassProperties *out, double *mass_error,
                             AbutError *error)
{
	if (!bundle || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, bundle ? "out" : "bundle",
		                      "bundle or out is NULL; both are needed");
	}
	double relative_error = 0.0;
	AbutStatus status = ABUT_OK;
	if (bundle->mass_given) {
		*out = bundle->mass;
	} else {
		status = union_mass(bundle->n_parts, bundle->parts, stop, out, &relative_error, error);
	}
	if (mass_error) {
		*mass_error = status == ABUT_OK ? relative_error : 0.0;
	}
	return status;
}

/* Computes the mass of the union of all parts. If a bundle has a given mass M_k, this mass replaces that of its parts:
 *
 *     M = M(all parts) + sum over bundles k with a given mass of (M_k - M(parts of k)).
 *
 * Volume shared by several bundles counts once, with the masses of the parts. Tested in
 * union_mass/of_bundles_with_masses. */
AbutStatus abut_bundles_mass(int n, const AbutBundle *const *bundles, AbutStopper *stop, AbutMassProperties *out,
                             AbutError *error)
{
	AbutBundle *all = NULL;
	double ignored;
	Term *terms = calloc(2 * (size_t)n + 1, sizeof *terms);
	if (!terms) {
		return out_of_memory(error);
	}
	AbutStatus status = abut_bundle_create(0, NULL, &all, error);
	for (int i = 0; i < n && status == ABUT_OK; i++) {
		status = abut_bundle_append(all, bundles[i]->n_parts, bundles[i]->parts, error);
	}
	if (all && status == ABUT_OK) {
		terms[0].sign = 1.0;
		status = union_mass(all->n_parts, all->parts, stop, &terms[0].mass, &ignored, error);
	}
	int n_terms = 1;
	for (int i = 0; i < n && status == ABUT_OK; i++) {
		if (bundles[i]->mass_given) {
			terms[n_terms++] = (Term){bundles[i]->mass, 1.0};
			terms[n_terms].sign = -1.0;
			status = union_mass(bundles[i]->n_parts, bundles[i]->parts, stop, &terms[n_terms++].mass,
			                    &ignored, error);
		}
	}
	if (status == ABUT_OK) {
		*out = sum_of(n_terms, terms);
	}
	abut_bundle_destroy(all);
	free(terms);
	return status;
}
