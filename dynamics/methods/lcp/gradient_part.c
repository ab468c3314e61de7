/* Makes the derivative of an island's step of method lcp by the implicit function theorem.
 *
 * An island with joints is one of method single-level without contacts, on which the contacts' impulses act
 * (dynamics/methods/manifold/jointed.h). Its part is made by dynamics/gradient/make.h from its joints, and the contacts
 * are further edges, with the impulses of their clamped rows as held numbers (dynamics/methods/lcp/gradient_map.c).
 *
 * In an island without joints, impulses act through the inertia M at the start: M (v+ - v*) = J' x. Its part has the
 * matrix M and the same edges. The bodies' own terms are M times the changes of v+ at fixed impulses
 * (dynamics/methods/lcp/gradient_bodies.c).
 *
 * Tested in tests/dynamics/methods/lcp/test_lcp_joint_gradient.c and test_lcp_gradient.c. */
#include "dynamics/methods/lcp/gradient_part.h"

#include <stdlib.h>
#include <string.h>

#include "dynamics/gradient/body.h"
#include "dynamics/gradient/held.h"
#include "dynamics/gradient/left.h"
#include "dynamics/methods/lcp/gradient_bodies.h"
#include "dynamics/methods/lcp/gradient_map.h"
#include "dynamics/methods/manifold/jointed.h"
#include "dynamics/methods/manifold/rows.h"
#include "dynamics/model/joint_parameter.h"

static const AbutPair *pair_of(const AbutLcpIsland *island, int contact)
{
	return &island->w->pairs.candidates[abut_island_candidate(island->w, island->members, contact)].pair;
}

static const AbutLcpContact *contact_of(const AbutLcpIsland *island, int contact)
{
	return &abut_lcp_work(island->w)->contacts[abut_island_candidate(island->w, island->members, contact)];
}

/* Refuses all derivatives of the part because of a contact. */
static void refuse_all(AbutRefusalWhy why, const AbutPair *pair, AbutGradientPart *part)
{
	for (int by = 0; by < ABUT_BY_PARAMETER + part->n_parameters; by++) {
		abut_gradient_refuse_for(why, pair, &part->refused[by]);
	}
}

/* Refuses contacts with more than three points, or a point too many, if the impulses that they share are not unique and
 * the motion depends on them: their friction slides in several directions. */
static void refuse_shares(AbutGradientPart *part)
{
	static const double rounding = 1e-7;
	int map = 0;
	if (abut_gradient_left_free(part, &map) > rounding) {
		for (int by = 0; by < ABUT_BY_PARAMETER + part->n_parameters; by++) {
			if (part->refused[by].why == ABUT_REFUSED_NOT) {
				part->refused[by] = part->causes[map];
				part->refused[by].why = ABUT_REFUSED_SHARED;
			}
		}
	}
}

static void refuse_contacts(const AbutLcpIsland *island, AbutGradientPart *part)
{
	refuse_shares(part);
	for (int i = 0; i < island->members->size.n_contacts; i++) {
		if (contact_of(island, i)->unknown) {
			refuse_all(ABUT_REFUSED_UNKNOWN, pair_of(island, i), part);
		}
	}
}

/* --- islands with joints --- */

static const AbutLcpIsland *owner_of(const AbutIsland *island)
{
	return island->method;
}

static int count_edges(const AbutIsland *island)
{
	return owner_of(island)->members->size.n_contacts;
}

static void carve_edge(const AbutIsland *island, int edge, const AbutGradientAsk *ask, AbutArena *arena,
                       AbutEdgeMap *map)
{
	(void)ask;
	(void)abut_lcp_map_carve(owner_of(island), edge, arena, map);
}

static void fill_edge(AbutIsland *island, int edge, AbutEdgeMap *map)
{
	abut_lcp_map_fill(owner_of(island), edge, map);
}

static const AbutPair *pair_of_edge(const AbutIsland *island, int edge)
{
	return pair_of(owner_of(island), edge);
}

static void refuse_edges(const AbutIsland *island, const AbutGradientAsk *ask, AbutGradientPart *part)
{
	(void)ask;
	refuse_contacts(owner_of(island), part);
}

/* --- islands without joints --- */

/* An island, and the pattern of its contacts. Steps do not need it. */
typedef struct Patterned {
	const AbutLcpIsland *island;
	AbutBlockPattern pattern;
} Patterned;

static AbutStatus find_pattern(const AbutLcpIsland *island, AbutBlockPattern *out)
{
	const int n = island->members->size.n_contacts;
	int(*coupled)[2] = calloc((size_t)n + 1, sizeof *coupled);
	if (!coupled) {
		return ABUT_ERROR_MEMORY;
	}
	for (int i = 0; i < 2 * n; i++) {
		coupled[i / 2][i % 2] = island->w->bodies[pair_of(island, i / 2)->body[i % 2]].moving;
	}
	const AbutStatus status = abut_block_pattern_analyse(out, island->n_moving, n, (const int(*)[2])coupled);
	free(coupled);
	return status;
}

static void carve(void *of, const AbutGradientAsk *ask, AbutArena *arena, AbutGradientPart *part)
{
	const Patterned *patterned = of;
	const AbutLcpIsland *island = patterned->island;
	const int n_maps = island->members->size.n_contacts;
	bool before = false;
	abut_gradient_carve_bodies(island->n_moving, n_maps, ask, arena, part);
	part->jointed = true; /* held numbers are eliminated exactly */
	for (int i = 0; i < n_maps; i++) {
		AbutEdgeMap map = {.held = part->n_held};
		before = abut_lcp_map_carve(island, i, arena, &map) || before;
		part->n_held += map.n_held;
		if (arena->base) {
			const int *body = pair_of(island, i)->body;
			part->maps[i] = map;
			part->causes[i] = (AbutRefusal){.body = {body[0], body[1]}};
		}
	}
	abut_gradient_carve_system(&patterned->pattern, before, arena, part);
}

enum { COLUMNS = ABUT_LCP_COLUMNS };

/* Computes M times three columns of `velocity`, from `first` on; their angular parts are the rows of `out`. */
static void take_rows(const double mass[36], const double velocity[6 * COLUMNS], int first, double out[9])
{
	for (int k = 0; k < 3; k++) {
		for (int i = 0; i < 3; i++) {
			out[3 * k + i] = 0.0;
			for (int c = 0; c < 3; c++) {
				out[3 * k + i] += mass[6 * (3 + i) + 3 + c] * velocity[COLUMNS * (3 + c) + first + k];
			}
		}
	}
}

static bool fill_body(const AbutLcpIsland *island, int index, const AbutGradientAsk *ask, AbutGradientPart *part)
{
	const AbutBodyWork *body = island->moving[index];
	AbutGradientBody *out = &part->bodies[index];
	AbutIslandMembers alone = *island->members;
	double velocity[6 * COLUMNS] = {0.0}, late[6 * COLUMNS] = {0.0}, mass[36];
	alone.first_body += index;
	const AbutLcpDerivative own = {.model = island->model,
	                               .w = island->w,
	                               .members = &alone,
	                               .n_bodies = 1,
	                               .n_columns = COLUMNS,
	                               .velocity = velocity,
	                               .late = late};
	if (!abut_lcp_derive_flight(&own, 0)) {
		return false;
	}
	abut_lcp_derive_inertia(&own, 0);
	abut_lcp_mass(body, mass);
	abut_gradient_body(body, island->model->timestep, out);
	memcpy(out->from, ask->motion[body->body].at.orientation, sizeof out->from);
	take_rows(mass, velocity, ABUT_LCP_ROTATION, out->turned);
	take_rows(mass, velocity, ABUT_LCP_ANGULAR, out->spun);
	take_rows(mass, velocity, ABUT_LCP_TORQUE, out->pushed);
	double *block = abut_block(&part->system.sum, index, index);
	for (int row = 0; row < 6; row++) {
		memcpy(&block[row * ABUT_BLOCK_ROW], &mass[6 * row], 6 * sizeof(double));
	}
	for (int i = 0; i < ask->n_parameters; i++) {
		AbutBodyParameter *by = &part->by_parameter[(size_t)index * (size_t)ask->n_parameters + (size_t)i];
		const bool heavier =
		    ask->parameters[i].kind == ABUT_PARAMETER_MASS && ask->parameters[i].body == body->body;
		*by = (AbutBodyParameter){.right = {0.0}};
		for (int k = 0; heavier && k < 3; k++) { /* a mass does not change the spin */
			by->right[k] = body->mass * velocity[COLUMNS * k + ABUT_LCP_MASS];
		}
	}
	return true;
}

static AbutStatus fill(const AbutLcpIsland *island, const AbutGradientAsk *ask, AbutGradientPart *part)
{
	abut_block_system_clear(&part->system.sum);
	for (int i = 0; i < part->n; i++) {
		if (!fill_body(island, i, ask, part)) {
			return ABUT_ERROR_NUMERICAL;
		}
	}
	for (int i = 0; i < part->n_maps; i++) {
		abut_lcp_map_fill(island, i, &part->maps[i]);
	}
	return abut_gradient_factorise(part);
}

static void refuse_late(const AbutLcpIsland *island, AbutGradientPart *part)
{
	for (int i = 0; i < island->members->size.n_contacts; i++) {
		const AbutLcpContact *contact = contact_of(island, i);
		for (int k = 0; k < contact->manifold.n; k++) {
			if (contact->late[k] > 0.0 && contact->x[k * contact->rows_per_point] > 0.0) {
				refuse_all(ABUT_REFUSED_LATE, pair_of(island, i), part);
			}
		}
	}
}

static AbutStatus make(void *of, const AbutGradientAsk *ask, AbutGradientPart *part)
{
	const AbutLcpIsland *island = of;
	Patterned patterned = {.island = island};
	AbutStatus status = find_pattern(island, &patterned.pattern);
	ABUT_THEN(status, abut_gradient_lay_out(carve, &patterned, ask, part));
	abut_block_pattern_destroy(&patterned.pattern);
	ABUT_TRY(status);
	ABUT_TRY(fill(island, ask, part));
	abut_gradient_refuse_overheld(part);
	refuse_contacts(island, part);
	refuse_late(island, part);
	return ABUT_OK;
}

/* --- both --- */

/* Refuses a step whose friction is not bounded by its own normal impulses. Sets `out` if the island has joints. */
static AbutStatus prepare(void *of, AbutIsland **out)
{
	AbutLcpIsland *island = of;
	for (int i = 0; island->n_rows > 0 && i < island->n_moving; i++) {
		if (abut_lcp_work(island->w)->bodies[island->moving[i]->body].frozen) {
			return ABUT_ERROR_UNSUPPORTED;
		}
	}
	if (island->jointed) {
		island->jointed->method = island;
		abut_jointed_unload(island);
	}
	*out = island->jointed;
	return ABUT_OK;
}

const AbutMethodGradient abut_lcp_part_gradient = {.make = make,
                                                   .prepare = prepare,
                                                   .n_edges = count_edges,
                                                   .carve_edge = carve_edge,
                                                   .fill_edge = fill_edge,
                                                   .pair_of_edge = pair_of_edge,
                                                   .refuse_edges = refuse_edges};

bool abut_lcp_has_parameter(AbutParameterKind kind)
{
	return kind == ABUT_PARAMETER_MASS || abut_parameter_of_joint(kind);
}
