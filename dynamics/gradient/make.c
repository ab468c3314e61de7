/* Computes the derivative of one part of an island's step by the implicit function theorem. Once the contacts are
 * eliminated at the solution, the wrench W_i on body i depends on the next poses and velocities of the bodies j
 * (dynamics/gradient/contact_map.c),
 *
 *     dW_i = sum_j  M_ij d(next pose)_j + V_ij d(v+, w+)_j,
 *     d(next pose) = start + (dt, G) d(v+, w+),
 *
 * where start is the change of the next pose at fixed velocities. The momentum balances (dynamics/body/balance.c),
 * L_i(v+, w+) - p_i - W_i = 0, with L_i and p_i their left and right sides, give
 *
 *     S d(v+, w+) = d p - dL + sum M start,          S = dL/d(v+, w+) - sum (M (dt, G) + V): Newton's matrix
 *
 * dp, dL and start follow from each body's own state and input (dynamics/gradient/body.c). Exact laws are regularised
 * here; dynamics/gradient/solve.c removes the effect of the regularisation. Tested with finite differences of steps in
 * tests/dynamics/gradient/test_gradient.c. */
#include "dynamics/gradient/make.h"

#include <math.h>
#include <string.h>

#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/gradient/body.h"
#include "dynamics/gradient/border.h"
#include "dynamics/gradient/contact_map.h"
#include "dynamics/gradient/coupling_map.h"
#include "dynamics/gradient/held.h"
#include "dynamics/gradient/joint_map.h"
#include "dynamics/gradient/method.h"
#include "dynamics/gradient/nodes.h"
#include "dynamics/gradient/refuse.h"
#include "dynamics/island/island.h"
#include "dynamics/island/problem.h"

/* Regularisation of the exact laws. The stiffness of the laws of impulses is also limited (contact_stiffness.c). */
static const double delta = 1e-10;

/* A contact that is not open, while its matrix is made. */
typedef struct Touch {
	AbutContactLinear linear;
	AbutHeldNumber *held;
	int n_held;
} Touch;

typedef struct Making {
	AbutIsland *island;
	const AbutGradientAsk *ask;
	const double *z; /* duals at which the laws are evaluated */
	Touch *touches;
	int n_touches;
	AbutJointLinear *joints; /* (n_joints of the problem) */
} Making;

static void set_law(const Making *making)
{
	const AbutNcp *ncp = &making->island->ncp;
	AbutIterate *it = &making->island->iterate;
	if (making->ask->smoothed) {
		abut_cones_law_path(ncp->cones, ncp->n_cones, it->z, it->s, it->H, 0.0, &it->law);
		return;
	}
	abut_cones_law_exact(ncp->cones, ncp->n_cones, making->z, it->H, delta, delta, (double)INFINITY, &it->law);
	const AbutContactProblem *problem = &making->island->problem;
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		abut_friction_hold_edges(problem->friction_cone, contact->pair->tail, contact->friction_cones,
		                         making->z, it->H, delta, &it->law);
	}
}

static bool is_open(const AbutContactWork *contact, const AbutConeLaw *law)
{
	return law->K[contact->cones[0].law] == 0.0; /* never open on the path */
}

/* Carves the touches' arrays; only measures if the arena has no memory. */
static void carve_touches(Making *making, AbutArena *arena)
{
	AbutContactProblem *problem = &making->island->problem;
	making->touches = abut_arena_take(arena, (size_t)problem->n_contacts, sizeof(Touch));
	making->joints = abut_arena_take(arena, (size_t)problem->n_joints, sizeof *making->joints);
	making->n_touches = 0;
	for (int i = 0; i < problem->n_contacts; i++) {
		Touch touch = {.linear.contact = &problem->contacts[i]};
		if (is_open(touch.linear.contact, &making->island->iterate.law)) {
			continue;
		}
		abut_contact_linear_carve(touch.linear.contact, arena, &touch.linear);
		touch.held =
		    abut_arena_take(arena, (size_t)abut_contact_map_most_held(&touch.linear), sizeof *touch.held);
		if (arena->base) {
			making->touches[making->n_touches] = touch;
		}
		making->n_touches++;
	}
}

static bool begin_touches(Making *making)
{
	AbutIterate *it = &making->island->iterate;
	const AbutContactProblem *problem = &making->island->problem;
	for (int i = 0; i < problem->n_joints; i++) {
		abut_joint_linear_begin(&problem->joints[i], problem->timestep, it->z, it->H, &it->law,
		                        making->ask->smoothed, &making->joints[i]);
	}
	for (int i = 0; i < making->n_touches; i++) {
		Touch *touch = &making->touches[i];
		AbutContactWork *contact = touch->linear.contact;
		const AbutLinearPoint at = {.z = &it->z[contact->at.z],
		                            .H = &it->H[contact->at.z],
		                            .s = making->ask->smoothed ? &it->s[contact->at.z] : NULL};
		if (!abut_contact_linear_begin(contact, &making->island->problem, &it->law, &at, &touch->linear)) {
			return false;
		}
		touch->n_held = abut_contact_map_list_held(&touch->linear, touch->held);
	}
	return true;
}

static AbutContactMapAsk ask_of(const Making *making, const Touch *touch)
{
	const AbutIterate *it = &making->island->iterate;
	const AbutContactWork *contact = touch->linear.contact;
	return (AbutContactMapAsk){.model = making->ask->model,
	                           .timestep = making->island->problem.timestep,
	                           .n_parameters = making->ask->n_parameters,
	                           .parameters = making->ask->parameters,
	                           .y = &it->y[contact->at.y],
	                           .z = &it->z[contact->at.z],
	                           .n_held = touch->n_held,
	                           .held = touch->held};
}

/* Carves the maps of the touches, which are the part's first ones. */
static void carve_contacts(const Making *making, AbutArena *arena, AbutGradientPart *part)
{
	for (int i = 0; i < making->n_touches; i++) {
		AbutEdgeMap map = {.held = part->n_held};
		const AbutContactMapAsk ask = ask_of(making, &making->touches[i]);
		abut_contact_map_carve(&making->touches[i].linear, &ask, arena, &map);
		part->n_held += map.n_held;
		if (arena->base) {
			const AbutContactSide *side = making->touches[i].linear.contact->side;
			part->maps[i] = map;
			part->causes[i] = (AbutRefusal){.body = {side[0].body->body, side[1].body->body}};
		}
	}
}

/* Carves the maps of the joints and then of the couplings, which follow them. */
static void carve_joints(const Making *making, AbutArena *arena, AbutGradientPart *part)
{
	part->jointed = making->island->problem.n_joints > 0;
	for (int i = 0; i < making->island->problem.n_joints; i++) {
		const AbutJointLinear *linear = &making->joints[i];
		AbutEdgeMap map = {.held = part->n_held};
		abut_joint_map_carve(linear, making->ask, arena, &map);
		part->n_held += map.n_held;
		part->n_rates += abut_joint_map_rates(linear);
		if (arena->base) {
			part->maps[making->n_touches + i] = map;
			part->causes[making->n_touches + i] = (AbutRefusal){.joint = linear->work->joint->name};
		}
	}
	const int first = making->n_touches + making->island->problem.n_joints;
	for (int i = 0; i < making->island->problem.n_couplings; i++) {
		const AbutCouplingWork *coupling = &making->island->problem.couplings[i];
		AbutEdgeMap map = {.held = part->n_held};
		abut_coupling_map_carve(coupling, arena, &map);
		part->n_held += map.n_held;
		if (arena->base) {
			part->maps[first + i] = map;
			part->causes[first + i] = (AbutRefusal){.joint = coupling->joint[0]->joint->name};
		}
	}
}

static AbutDirectionAsk directions_of(const AbutContactProblem *problem)
{
	return (AbutDirectionAsk){.joints = problem->joints,
	                          .couplings = problem->couplings,
	                          .n_joints = problem->n_joints,
	                          .n_couplings = problem->n_couplings,
	                          .n_moving = problem->n_moving,
	                          .timestep = problem->timestep};
}

/* Adds the change of theta to the part, or refuses what depends on it. */
static void fill_directions(const Making *making, AbutGradientPart *part)
{
	const AbutDirectionAsk ask = directions_of(&making->island->problem);
	const AbutJointWork *turned = abut_gradient_directions_fill(&ask, &part->directions);
	abut_gradient_refuse_directions(&making->island->problem, making->ask, turned, part);
	part->directions.n = turned ? 0 : part->directions.n;
}

/* Carves the edges of the method, of which `first` is the first. Returns whether they depend on the velocities at the
 * start. */
static bool carve_edges(const Making *making, int first, int n, AbutArena *arena, AbutGradientPart *part)
{
	const AbutMethodGradient *method = making->ask->model->method->gradient;
	bool before = false;
	for (int i = 0; i < n; i++) {
		AbutEdgeMap map = {.held = part->n_held};
		method->carve_edge(making->island, i, making->ask, arena, &map);
		part->n_held += map.n_held;
		before = before || map.held_by_before;
		if (arena->base) {
			part->maps[first + i] = map;
		}
		if (arena->base && method->pair_of_edge) {
			const int *body = method->pair_of_edge(making->island, i)->body;
			part->causes[first + i] = (AbutRefusal){.body = {body[0], body[1]}};
		}
	}
	return before;
}

static void carve_part(const Making *making, AbutArena *arena, AbutGradientPart *part)
{
	const AbutContactProblem *problem = &making->island->problem;
	const int n_edges = abut_gradient_edges(making->ask->model, making->island);
	const int n_own = making->n_touches + problem->n_joints + problem->n_couplings;
	abut_gradient_carve_bodies(problem->n_moving, n_own + n_edges, making->ask, arena, part);
	carve_contacts(making, arena, part);
	carve_joints(making, arena, part);
	const AbutDirectionAsk directions = directions_of(problem);
	abut_gradient_directions_carve(&directions, arena, &part->directions);
	const bool before = carve_edges(making, n_own, n_edges, arena, part);
	part->n_rates += n_edges * making->ask->model->method->gradient->edge_rates;
	part->rates = abut_arena_take(arena, (size_t)part->n_rates, sizeof *part->rates);
	abut_gradient_carve_system(problem->system.pattern, before, arena, part);
}

/* Adds the Jacobian of a body's own balance to the system. */
static void add_body(const AbutGradientPart *part, const AbutBodyWork *body, double timestep, int index)
{
	double D[36], *block = abut_block(&part->system.sum, index, index);
	abut_body_jacobian(body, timestep, D);
	for (int row = 0; row < 6; row++) {
		memcpy(&block[row * ABUT_BLOCK_ROW], &D[6 * row], 6 * sizeof(double));
	}
}

static void fill_body(const Making *making, int index, AbutGradientPart *part)
{
	const AbutGradientAsk *ask = making->ask;
	const double timestep = making->island->problem.timestep;
	const AbutBodyWork *body = making->island->problem.moving[index];
	AbutGradientBody *out = &part->bodies[index];
	abut_gradient_body(body, timestep, out);
	memcpy(out->from, ask->motion[body->body].at.orientation, sizeof out->from);
	for (int i = 0; i < ask->n_parameters; i++) {
		abut_body_parameter(ask->model, body, timestep, ask->first, &ask->parameters[i],
		                    &part->by_parameter[(size_t)index * (size_t)ask->n_parameters + (size_t)i]);
	}
	add_body(part, body, timestep, index);
}

static AbutStatus fill_part(const Making *making, AbutGradientPart *part)
{
	abut_block_system_clear(&part->system.sum);
	for (int i = 0; i < part->n; i++) {
		fill_body(making, i, part);
	}
	for (int i = 0; i < making->n_touches; i++) {
		const AbutContactMapAsk ask = ask_of(making, &making->touches[i]);
		abut_contact_map_fill(&making->touches[i].linear, &ask, &part->maps[i]);
		if (part->jointed) {
			abut_gradient_nodes_soften(&part->maps[i]);
		}
	}
	AbutGradientRate *rates = part->rates;
	for (int i = 0; i < making->island->problem.n_joints; i++) {
		const AbutJointLinear *linear = &making->joints[i];
		abut_joint_map_fill(linear, making->ask, &making->island->iterate, part,
		                    &part->maps[making->n_touches + i], rates);
		rates += abut_joint_map_rates(linear);
	}
	const AbutContactProblem *problem = &making->island->problem;
	const int n_joined = making->n_touches + problem->n_joints, n_own = n_joined + problem->n_couplings;
	for (int i = 0; i < problem->n_couplings; i++) {
		abut_coupling_map_fill(&problem->couplings[i], problem->timestep, &part->maps[n_joined + i]);
	}
	const AbutMethodGradient *method = making->ask->model->method->gradient;
	for (int i = n_own; i < part->n_maps; i++, rates += method->edge_rates) {
		method->fill_edge(making->island, i - n_own, &part->maps[i]);
		if (method->fill_rates) {
			method->fill_rates(making->island, i - n_own, part, rates);
		}
	}
	fill_directions(making, part);
	return abut_gradient_factorise(part);
}

/* Makes the part with the law that set_law has set. */
static AbutStatus make_part(Making *making, AbutGradientRoom *scratch, AbutGradientPart *part)
{
	AbutArena sizes = {.base = NULL}, arena;
	carve_touches(making, &sizes);
	if (!abut_gradient_room_reserve(scratch, sizes.used)) {
		return ABUT_ERROR_MEMORY;
	}
	abut_arena_begin(&arena, scratch->memory);
	carve_touches(making, &arena);
	if (!begin_touches(making)) {
		return ABUT_ERROR_NUMERICAL;
	}
	sizes.used = 0;
	carve_part(making, &sizes, part);
	if (!abut_gradient_room_reserve(&part->room, sizes.used)) {
		return ABUT_ERROR_MEMORY;
	}
	abut_arena_begin(&arena, part->room.memory);
	carve_part(making, &arena, part);
	return fill_part(making, part);
}

/* Makes the part on one side of the borders that the solution is on. */
static AbutStatus make_side(Making *making, AbutBorderSide side, AbutGradientRoom *scratch, AbutGradientPart *part)
{
	const size_t size = (size_t)making->island->ncp.n_z * sizeof(double);
	if (!abut_gradient_room_reserve(scratch, size)) {
		return ABUT_ERROR_MEMORY;
	}
	double *z = scratch->memory;
	memcpy(z, making->island->iterate.z, size);
	abut_gradient_leave_border(making->island, side, z);
	making->z = z;
	set_law(making); /* from here on z may be overwritten */
	return make_part(making, scratch, part);
}

static AbutStatus make_as_is(Making *making, AbutGradientRoom *scratch, AbutGradientPart *part)
{
	making->z = making->island->iterate.z;
	set_law(making);
	const AbutStatus status = make_part(making, scratch, part);
	if (status == ABUT_OK) {
		abut_gradient_refuse_overheld(part);
	}
	return status;
}

/* The two sides of a border, and whether each has a derivative. The closed side is made in `part`, the open side in
 * `other`. */
typedef struct Sides {
	AbutBorderSide closed, open;
	AbutStatus status; /* status of the closed side; ABUT_ERROR_MEMORY if either side ran out of memory */
	bool has_other;
} Sides;

static void make_sides(Making *making, AbutGradientRoom *scratch, AbutGradientPart *other, AbutGradientPart *part,
                       Sides *sides)
{
	sides->status = make_side(making, sides->open, scratch, other);
	sides->has_other = sides->status == ABUT_OK;
	if (sides->status != ABUT_ERROR_MEMORY) {
		sides->status = make_side(making, sides->closed, scratch, part);
	}
}

/* Makes both sides of the borders of load and friction, without moving contact points off the ends of faces. */
static AbutStatus make_by_load(Making *making, const AbutRefusal *border, AbutGradientRoom *scratch,
                               AbutGradientPart *other, AbutGradientPart *part)
{
	Sides sides = {.closed = {.load = ABUT_BORDER_CLOSED, .end = ABUT_BORDER_AS_IS},
	               .open = {.load = ABUT_BORDER_OPEN, .end = ABUT_BORDER_AS_IS}};
	make_sides(making, scratch, other, part, &sides);
	if (sides.status == ABUT_OK) {
		abut_gradient_refuse_overheld(part);
		abut_gradient_refuse_border(part, sides.has_other ? other : NULL, border);
	}
	return sides.status;
}

/* Makes both sides of a border at the end of a face, which matters only if a body is about to tip over it (`tips`).
 * Contacts without load are open on both sides, so that they do not hold too much. If a body tips while a contact is
 * also on a border of load or friction, no derivative exists. */
static AbutStatus make_by_end(Making *making, const AbutBorders *borders, AbutGradientRoom *scratch,
                              AbutGradientPart *other, AbutGradientPart *part, bool *tips)
{
	Sides sides = {.closed = {.load = ABUT_BORDER_OPEN, .end = ABUT_BORDER_CLOSED},
	               .open = {.load = ABUT_BORDER_OPEN, .end = ABUT_BORDER_OPEN}};
	make_sides(making, scratch, other, part, &sides);
	*tips = sides.has_other && sides.status == ABUT_OK && abut_gradient_tips(part, other);
	if (*tips) {
		const bool alone = borders->load.why == ABUT_REFUSED_NOT;
		abut_gradient_refuse_overheld(part);
		abut_gradient_refuse_border(part, alone ? other : NULL, &borders->end);
	}
	return sides.status;
}

static AbutStatus make(Making *making, AbutGradientRoom *scratch, AbutGradientPart *other, AbutGradientPart *part)
{
	AbutBorders borders = {.load = {.why = ABUT_REFUSED_NOT}, .end = {.why = ABUT_REFUSED_NOT}};
	if (!making->ask->smoothed) {
		borders = abut_gradient_borders(making->island);
	}
	if (borders.end.why != ABUT_REFUSED_NOT) {
		bool tips;
		const AbutStatus status = make_by_end(making, &borders, scratch, other, part, &tips);
		if (tips || status == ABUT_ERROR_MEMORY) {
			return status;
		}
	}
	return borders.load.why == ABUT_REFUSED_NOT ? make_as_is(making, scratch, part)
	                                            : make_by_load(making, &borders.load, scratch, other, part);
}

AbutStatus abut_gradient_part_make(AbutIsland *island, const AbutGradientAsk *ask, AbutGradientRoom *scratch,
                                   AbutGradientPart *other, AbutGradientPart *part)
{
	Making making = {.island = island, .ask = ask};
	const AbutStatus status = make(&making, scratch, other, part);
	if (status == ABUT_OK) {
		abut_gradient_refuse_unknown(island, ask, part);
	}
	return status;
}
