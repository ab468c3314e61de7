/* Computes the derivative of a step of method convex by the implicit function theorem at Newton's solution. M and J are
 * the mass matrix and the rows at the poses at the start. v, v* and v+ are the velocities at the start, of free flight
 * and at the end, x = dt f the contact impulses, s the contacts' penalty and H its second derivative. b and k are
 * damping and stiffness of a contact's spring, d is its impedance, and c = 1 - dt b. Then
 *
 *     M (v+ - v*) = J' x,    x = -dt grad s(y),    y = J (v+ - c v) / dt + k d gap,
 *
 *     (M + J' H J) dv+ = M dv* - dM (v+ - v*) + dJ' x + J' dx,    with dx taken at fixed v+.
 *
 * The last term of y exists in normal rows only. The matrix on the left is the Hessian of Newton's last step. The right
 * side consists of the bodies' own terms (this file) and of the contacts' terms (dynamics/methods/convex/map.c). The
 * spin w* of free flight follows from its own angular balance, D dw* = P dw + dt dtau, with D and P the derivatives of
 * the new and the old angular momentum; a rotation theta of the body at the start turns w* too: dw* = theta x w*
 * (dynamics/methods/lcp/gradient_bodies.c). At the borders of its zones s has no second derivative; the result is then
 * the derivative of one side.
 *
 * An island with joints is one of method single-level, on which the impulses of soft rows act
 * (dynamics/methods/manifold/jointed.h), and its part is made by dynamics/gradient/make.h. Soft limits and dry friction
 * are further edges: their rows leave out what bodies accelerate at constant rates of the joints
 * (dynamics/methods/convex/convection.h), so that with the rates r+ and r of their own joint they are
 *
 *     y = (r+ - r) / dt + b J v + k d distance.
 *
 * For contacts and soft equalities, what is left out follows from the motions of all bodies between the row and the
 * root of the mechanism. This is not differentiated: there is no derivative where such a row pushes on a mechanism, or
 * a spring holds a coupling. Nor is the dependence of the laws' softness on masses.
 *
 * Tested in tests/dynamics/methods/convex/test_convex_gradient.c and test_convex_joint_gradient.c. */
#include "dynamics/methods/convex/gradient.h"

#include <string.h>

#include "base/error.h"
#include "base/lapack.h"
#include "base/vec3.h"
#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/gradient/body.h"
#include "dynamics/gradient/joint_map.h"
#include "dynamics/methods/convex/laws.h"
#include "dynamics/methods/convex/map.h"
#include "dynamics/methods/manifold/jointed.h"
#include "dynamics/methods/manifold/rows.h"
#include "dynamics/model/coupling.h"
#include "dynamics/model/joint_parameter.h"

/* Carves the part; the contacts' maps have no held numbers. */
static void carve(void *of, const AbutGradientAsk *ask, AbutArena *arena, AbutGradientPart *part)
{
	const AbutLcpIsland *island = of;
	const int n_maps = island->members->size.n_contacts;
	abut_gradient_carve_bodies(island->n_moving, n_maps, ask, arena, part);
	for (int i = 0; i < n_maps; i++) {
		AbutEdgeMap map = {.held = 0};
		abut_convex_map_carve(island, i, ask, arena, &map);
		if (arena->base) {
			part->maps[i] = map;
		}
	}
	abut_gradient_carve_system(island->members->pattern, true, arena, part);
}

/* The factors of J D^-1, with J the inertia and D the matrix of free flight's angular balance. J D^-1 transforms a term
 * of that balance to the balance at the end of the step. */
typedef struct Flight {
	double D[9], J[9];
	bool planar;
} Flight;

static bool through_flight(const Flight *flight, double rows[9])
{
	double transposed[9];
	int pivots[3];
	for (int i = 0; i < 9; i++) {
		transposed[3 * (i % 3) + i / 3] = flight->D[i];
	}
	for (int i = 0; flight->planar && i < 3; i++) {
		rows[3 * i] = rows[3 * i + 2] = 0.0;
	}
	if (!abut_lapack_solve(3, transposed, pivots, 3, rows)) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		double *row = &rows[3 * i];
		for (int k = 0; flight->planar && k < 3; k += 2) {
			row[k] = 0.0;
		}
		abut_mat3_vec(flight->J, row, row);
		for (int k = 0; flight->planar && k < 3; k += 2) {
			row[k] = 0.0;
		}
	}
	return true;
}

/* Computes J (theta x w*) - dJ (w+ - w*), dJ u = theta x J u - J (theta x u). */
static void turn_balance(const AbutBodyWork *body, const AbutLcpBody *lcp, const double theta[3], double out[3])
{
	double pushed[3], momentum[3], turned[3], all[3];
	abut_sub3(&lcp->next[3], &lcp->free[3], pushed);
	abut_mat3_vec(body->inertia, pushed, momentum);
	abut_cross3(theta, momentum, turned);
	abut_cross3(theta, &lcp->next[3], all); /* theta x w* and theta x (w+ - w*) together */
	abut_mat3_vec(body->inertia, all, all);
	for (int i = 0; i < 3; i++) {
		out[i] = body->planar ? 0.0 : all[i] - turned[i];
	}
}

/* Subtracts R0 E R0' (w+ - w*) from out, with E the entry `index` of the inertia. For a planar body only the y
 * component counts. */
static void turn_inertia(const AbutBodyWork *body, const AbutLcpBody *lcp, int index, double out[3])
{
	double E[9] = {0.0}, pushed[3];
	int entry[2];
	abut_parameter_inertia_entry(index, entry);
	E[entry[0]] = E[entry[1]] = 1.0;
	abut_sub3(&lcp->next[3], &lcp->free[3], pushed);
	abut_mat3_tvec(body->R0, pushed, pushed);
	abut_mat3_vec(E, pushed, pushed);
	abut_mat3_vec(body->R0, pushed, pushed);
	for (int i = 0; i < 3; i++) {
		out[i] -= body->planar && i != 1 ? 0.0 : pushed[i];
	}
}

/* Computes the derivative of a body's momentum balances, at the end of the step, with respect to a parameter. The
 * linear balance is the same as in the other methods. The derivative of the angular balance is that of free flight,
 * transformed to the end; for an inertia, -dJ (w+ - w*) is added. */
static bool derive_parameter(const AbutLcpIsland *island, const AbutBodyWork *body, const AbutGradientAsk *ask,
                             const AbutParameter *parameter, const Flight *flight, AbutBodyParameter *out)
{
	const AbutLcpBody *lcp = &abut_lcp_work(island->w)->bodies[body->body];
	const double timestep = island->model->timestep;
	AbutBodyWork flown = *body;
	AbutBodyParameter in_flight;
	abut_body_move(&flown, timestep, lcp->free);
	abut_body_parameter(ask->model, body, timestep, ask->first, parameter, out);
	abut_body_parameter(ask->model, &flown, timestep, ask->first, parameter, &in_flight);
	double rows[9] = {in_flight.right[3], in_flight.right[4], in_flight.right[5]};
	if (!through_flight(flight, rows)) {
		return false;
	}
	abut_copy3(rows, &out->right[3]);
	if (parameter->kind == ABUT_PARAMETER_INERTIA && parameter->body == body->body) {
		turn_inertia(body, lcp, parameter->index, &out->right[3]);
	}
	return true;
}

static bool fill_body(const AbutLcpIsland *island, int index, const AbutGradientAsk *ask, AbutGradientPart *part)
{
	const double timestep = island->model->timestep,
	             *mass = &abut_convex_room(island->room)->mass[36 * (size_t)index];
	const AbutBodyWork *body = island->moving[index];
	const AbutLcpBody *lcp = &abut_lcp_work(island->w)->bodies[body->body];
	AbutGradientBody *out = &part->bodies[index];
	Flight flight = {.planar = body->planar};
	abut_gradient_body(body, timestep, out);
	memcpy(out->from, ask->motion[body->body].at.orientation, sizeof out->from);
	abut_lcp_flight_block(body, timestep, lcp->free, flight.D);
	memcpy(flight.J, body->inertia, sizeof flight.J);
	for (int axis = 0; axis < 3; axis++) {
		turn_balance(body, lcp, &out->axes[3 * axis], &out->turned[3 * axis]);
	}
	for (int i = 0; i < ask->n_parameters; i++) {
		if (!derive_parameter(island, body, ask, &ask->parameters[i], &flight,
		                      &part->by_parameter[(size_t)index * (size_t)ask->n_parameters + (size_t)i])) {
			return false;
		}
	}
	double *block = abut_block(&part->system.sum, index, index);
	for (int row = 0; row < 6; row++) {
		memcpy(&block[row * ABUT_BLOCK_ROW], &mass[6 * row], 6 * sizeof(double));
	}
	return through_flight(&flight, out->spun) && through_flight(&flight, out->pushed);
}

static bool fill(const AbutLcpIsland *island, const AbutGradientAsk *ask, AbutGradientPart *part)
{
	int first_point = 0;
	abut_block_system_clear(&part->system.sum);
	for (int i = 0; i < part->n; i++) {
		if (!fill_body(island, i, ask, part)) {
			return false;
		}
	}
	for (int i = 0; i < part->n_maps; i++) {
		abut_convex_map_fill(island, i, first_point, ask, &part->maps[i]);
		first_point +=
		    abut_lcp_work(island->w)->contacts[abut_island_candidate(island->w, island->members, i)].manifold.n;
	}
	return abut_gradient_factorise(part) == ABUT_OK;
}

/* Makes the part. The island is an AbutLcpIsland; its bodies are at the end of the step, which is not stored yet. */
static AbutStatus make(void *of, const AbutGradientAsk *ask, AbutGradientPart *part)
{
	AbutLcpIsland *island = of;
	ABUT_TRY(abut_gradient_lay_out(carve, of, ask, part));
	return fill(island, ask, part) ? ABUT_OK : ABUT_ERROR_NUMERICAL;
}

/* --- islands with joints --- */

static AbutStatus prepare(void *of, AbutIsland **out)
{
	AbutLcpIsland *island = of;
	if (island->jointed) {
		island->jointed->method = island;
		abut_jointed_unload(island);
		abut_convex_find_slopes(island);
	}
	*out = island->jointed;
	return ABUT_OK;
}

/* Returns the memory of the island's method, with the laws' slopes. */
static const AbutConvexRoom *room_of(const AbutIsland *jointed)
{
	const AbutLcpIsland *island = jointed->method;
	return abut_convex_room(island->room);
}

static int count_laws(const AbutIsland *jointed)
{
	return room_of(jointed)->n_laws;
}

static AbutJointSoftLaw law_of(const AbutIsland *jointed, int index)
{
	const AbutConvexLawSlope *slope = &room_of(jointed)->laws[index];
	return (AbutJointSoftLaw){.work = slope->joint,
	                          .axis = slope->axis,
	                          .impulse = slope->impulse,
	                          .stiffness = slope->H,
	                          .before = jointed->problem.timestep * slope->b * slope->H,
	                          .by_start = slope->by_start};
}

static void carve_law(const AbutIsland *jointed, int index, const AbutGradientAsk *ask, AbutArena *arena,
                      AbutEdgeMap *map)
{
	const AbutJointSoftLaw law = law_of(jointed, index);
	(void)ask;
	abut_joint_map_carve_soft(&law, arena, map);
}

static void fill_law(AbutIsland *jointed, int index, AbutEdgeMap *map)
{
	const AbutJointSoftLaw law = law_of(jointed, index);
	abut_joint_map_fill_soft(&law, jointed->problem.timestep, map);
}

static void fill_rates(AbutIsland *jointed, int index, const AbutGradientPart *part, AbutGradientRate *rates)
{
	const AbutJointSoftLaw law = law_of(jointed, index);
	abut_joint_map_fill_rates(&law, part, rates);
}

/* Returns whether a row of a contact or of a soft equality pushes, or a spring holds a coupling. */
static bool is_soft(const AbutLcpIsland *island)
{
	const int first = abut_convex_contact_rows(island), next = first + abut_convex_room(island->room)->n_laws;
	bool soft = false;
	for (int row = 0; row < island->n_rows; row++) {
		soft = soft || ((row < first || row >= next) && island->room->boxed.x[row] != 0.0);
	}
	for (int i = 0; i < island->jointed->problem.n_couplings; i++) {
		soft = soft || island->jointed->problem.couplings[i].coupling->yields;
	}
	return soft;
}

/* Returns whether the softness of laws, which follows from the mobility of the mechanism, does not depend on it. */
static bool leaves_mobility(AbutParameterKind kind)
{
	return kind == ABUT_PARAMETER_GRAVITY || kind == ABUT_PARAMETER_MOTOR ||
	       kind == ABUT_PARAMETER_MOTOR_STIFFNESS || kind == ABUT_PARAMETER_MOTOR_DAMPING ||
	       kind == ABUT_PARAMETER_MOTOR_LIMIT || kind == ABUT_PARAMETER_JOINT_REFERENCE ||
	       kind == ABUT_PARAMETER_JOINT_STIFFNESS || kind == ABUT_PARAMETER_JOINT_DAMPING;
}

static void refuse_soft(const AbutIsland *jointed, const AbutGradientAsk *ask, AbutGradientPart *part)
{
	const AbutConvexRoom *room = room_of(jointed);
	const char *first = jointed->problem.joints[0].joint->name, *closing = NULL, *kinked = NULL;
	const bool soft = is_soft(jointed->method);
	for (int i = room->n_laws - 1; i >= 0; i--) {
		const AbutConvexLawSlope *law = &room->laws[i];
		closing = law->in_tree ? closing : law->joint->joint->name;
		kinked = law->kinks ? law->joint->joint->name : kinked;
	}
	for (int by = 0; by < ABUT_BY_PARAMETER + part->n_parameters; by++) {
		AbutRefusal *refusal = &part->refused[by];
		if (kinked) {
			abut_gradient_refuse_joint(ABUT_REFUSED_AT_BOUND, kinked, refusal);
		}
		if (soft) {
			abut_gradient_refuse_joint(ABUT_REFUSED_SOFT, first, refusal);
		}
		if (closing) {
			abut_gradient_refuse_joint(ABUT_REFUSED_LOOP, closing, refusal);
		}
		if (room->n_laws > 0 && by >= ABUT_BY_PARAMETER &&
		    !leaves_mobility(ask->parameters[by - ABUT_BY_PARAMETER].kind)) {
			abut_gradient_refuse_joint(ABUT_REFUSED_MOBILE, first, refusal);
		}
	}
}

static AbutStatus check(const AbutModel *model, AbutError *error)
{
	return model->options.convex_model != ABUT_CONVEX_MODEL_BARRIER
	           ? ABUT_OK
	           : abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "solver.convex_model",
	                            "is \"barrier\", whose steps are not differentiated; use \"soft\"");
}

const AbutMethodGradient abut_convex_gradient = {.check = check,
                                                 .make = make,
                                                 .prepare = prepare,
                                                 .n_edges = count_laws,
                                                 .carve_edge = carve_law,
                                                 .fill_edge = fill_law,
                                                 .edge_rates = ABUT_JOINT_SOFT_RATES,
                                                 .fill_rates = fill_rates,
                                                 .refuse_edges = refuse_soft};

bool abut_convex_has_parameter(AbutParameterKind kind)
{
	return kind == ABUT_PARAMETER_MASS || kind == ABUT_PARAMETER_INERTIA || kind == ABUT_PARAMETER_GRAVITY ||
	       kind == ABUT_PARAMETER_FRICTION || abut_parameter_of_joint(kind);
}
