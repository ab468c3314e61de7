/* Computes the warm start of a polytope that hits a halfspace, alone in its island. The last solution contains nothing
 * about the vertices that land, so the semismooth Newton method from there mostly fails.
 *
 * First the body moves in free flight. Then its deepest vertex receives an impulse that leaves it on the plane, without
 * slip or with friction at its limit. This is repeated a few times for the vertex that is then deepest. The contact
 * receives the resultant of the impulses P_i at the vertices r_i, at the point p where their normal parts P_in balance:
 *
 *     P_i = D^-1 (wanted change of velocity),    D = 1 / m - [r_i] J^-1 [r_i],    p = sum P_in r_i / sum P_in
 *
 * The faces that meet at p receive the duals of the normal. Tested by tests/dynamics/solve/test_start_landing.c. */
#include "dynamics/solve/start_landing.h"

#include "base/vec3.h"
#include "collision/rows/conic_rows.h"
#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/contact/plane_depth.h"
#include "dynamics/solve/tuning.h"

typedef struct Landing {
	const AbutModel *model;
	const AbutContactWork *contact;
	AbutBodyWork *body; /* moved by the velocities in `y` */
	double timestep;
	double inward[3]; /* unit vector into the halfspace; world */
	double y[6];
	double impulse[3];
	double point[3], last[3]; /* where `impulse` acts, and the vertex hit last; body frame */
	double weight;            /* sum of the impulses' normal parts */
} Landing;

/* Returns the depth of the deepest vertex below this step's plane, and in `own` the vertex in the body's frame. */
static double deepest(const Landing *landing, double own[3])
{
	const AbutContactWork *contact = landing->contact;
	return abut_deepest_point(landing->model, contact, landing->timestep, own) + contact->side[1].shift;
}

static void velocity_at(const AbutBodyWork *body, const double arm[3], double out[3])
{
	abut_cross3(body->w, arm, out);
	abut_add3(out, body->v, out);
}

/* Computes D: the change of velocity at the point `arm` per unit impulse there. */
static void mobility(const AbutBodyWork *body, const double arm[3], double D[9])
{
	for (int i = 0; i < 3; i++) {
		double unit[3] = {0.0, 0.0, 0.0}, turn[3], change[3];
		unit[i] = 1.0;
		abut_cross3(arm, unit, turn);
		abut_sym3_solve(body->inertia, turn, turn);
		abut_cross3(turn, arm, change);
		for (int j = 0; j < 3; j++) {
			D[3 * j + i] = change[j] + unit[j] / body->mass;
		}
	}
}

/* Computes the impulse P that reduces a point's inward velocity by `rate` and stops its slip. If friction is too weak
 * for that, it is at its limit and opposite to the slip. Returns the outward part of P. */
static double blow(const double D[9], const double inward[3], const double velocity[3], double rate, double mu,
                   double P[3])
{
	const double into = abut_dot3(velocity, inward);
	double slip[3], change[3], tangential[3], push[3], moved[3];
	for (int i = 0; i < 3; i++) {
		slip[i] = velocity[i] - into * inward[i];
		change[i] = -rate * inward[i] - slip[i];
	}
	abut_sym3_solve(D, change, P);
	double outward = -abut_dot3(P, inward);
	abut_add_scaled3(P, outward, inward, tangential);
	if (outward > 0.0 && abut_norm3(tangential) <= mu * outward) {
		return outward;
	}
	const double speed = abut_norm3(slip);
	for (int i = 0; i < 3; i++) {
		push[i] = -inward[i] - (speed > 0.0 ? mu * slip[i] / speed : 0.0);
	}
	abut_mat3_vec(D, push, moved);
	const double effect = -abut_dot3(inward, moved);
	outward = effect > 0.0 ? rate / effect : 0.0; /* otherwise friction would push the point inward */
	abut_scale3(outward, push, P);
	return outward;
}

/* Applies an impulse to the deepest vertex and moves the body. Returns false if no impulse is needed, or the result is
 * unusable. */
static bool land(Landing *landing)
{
	AbutBodyWork *body = landing->body;
	const double dt = landing->timestep;
	double arm[3], velocity[3], D[9], P[3], turn[3];
	const double depth = deepest(landing, landing->last);
	if (!(depth > ABUT_LANDING_LEFT * dt * dt)) {
		return false;
	}
	abut_mat3_vec(body->R, landing->last, arm);
	velocity_at(body, arm, velocity);
	mobility(body, arm, D);
	const double outward = blow(D, landing->inward, velocity, depth / dt, landing->contact->pair->mu, P);
	abut_cross3(arm, P, turn);
	abut_sym3_solve(body->inertia, turn, turn);
	landing->weight += outward;
	for (int i = 0; i < 3; i++) {
		landing->y[i] += P[i] / body->mass;
		landing->y[3 + i] += turn[i];
		landing->impulse[i] += P[i];
		landing->point[i] += outward * landing->last[i];
	}
	if (!(outward > 0.0 && 0.5 * dt * abut_norm3(&landing->y[3]) < ABUT_EASY_HALF_TURN)) {
		landing->weight = 0.0;
		return false;
	}
	abut_body_move(body, dt, landing->y);
	return true;
}

/* Moves the body in free flight, then impulse by impulse. Returns false if no impulse presses. */
static bool land_vertices(Landing *landing)
{
	AbutBodyWork *body = landing->body;
	abut_divide3(body->momentum, body->mass, landing->y);
	abut_sym3_solve(body->inertia, &body->momentum[3], &landing->y[3]);
	abut_body_move(body, landing->timestep, landing->y);
	for (int i = 0; i < ABUT_LANDING_BLOWS && land(landing); i++) {
	}
	for (int i = 0; i < 3 && landing->weight > 0.0; i++) {
		landing->point[i] /= landing->weight;
	}
	return landing->weight > 0.0;
}

/* Computes the duals of side 0 from the faces through a point, with A' lambda along the inward normal and d' lambda =
 * 1. Returns |A' lambda|, or 0 if no faces allow this. */
static double bear(const Landing *landing, const double point[3], double *lambda)
{
	static const double on_face = 1e-9;
	const AbutConicRows *rows = landing->contact->side[0].rows;
	double own[3], d_lambda = 0.0;
	abut_mat3_tvec(landing->body->R, landing->inward, own);
	for (int i = 0; i < rows->n_rows; i++) {
		const double *row = &rows->W[i * rows->width];
		lambda[i] = fabs(rows->h[i] + abut_dot3(row, point) + row[3]) < on_face ? on_face : 0.0;
	}
	abut_conic_rows_turn(rows, own, lambda);
	for (int i = 0; i < rows->n_rows; i++) {
		d_lambda += rows->W[i * rows->width + 3] * lambda[i];
	}
	for (int i = 0; i < rows->n_rows && d_lambda > 0.0; i++) {
		lambda[i] /= d_lambda;
	}
	return d_lambda > 0.0 ? 1.0 / d_lambda : 0.0;
}

/* Sets gamma and friction from the impulse, and psi from the remaining slip, in the contact frame of a normal with this
 * length. */
static void set_forces(const Landing *landing, double length, double *y, double *z)
{
	const AbutContactWork *contact = landing->contact;
	AbutContactFrame frame;
	double normal[3], arm[3], velocity[3], slip_square = 0.0;
	abut_scale3(length, landing->inward, normal);
	abut_contact_frame(normal, contact->scale.sigma, contact->reference, &frame);
	const double soft = abut_dot3(frame.N[0], frame.N[0]) * contact->scale.impulse;
	z[0] = -abut_dot3(landing->impulse, frame.N[0]) / soft;
	if (contact->at.n_friction_z == 0) {
		return;
	}
	abut_mat3_vec(landing->body->R, landing->point, arm);
	velocity_at(landing->body, arm, velocity);
	double *friction = &z[contact->at.friction_z];
	friction[0] = contact->pair->mu * z[0];
	for (int t = 1; t <= 2; t++) {
		const double slip = contact->scale.weight_friction * abut_dot3(frame.N[t], velocity);
		friction[t] = -abut_dot3(landing->impulse, frame.N[t]) / soft;
		slip_square += slip * slip;
	}
	for (int t = 3; t < contact->at.n_friction_z; t++) {
		friction[t] = 0.0;
	}
	y[contact->at.psi_y] = sqrt(slip_square);
}

/* Returns whether a vertex gets deep enough for a landing. A bound from the body's sphere is tested first. */
static bool can_land(const Landing *landing)
{
	const AbutBodyWork *body = landing->body;
	const double speed = abut_dot3(landing->inward, body->v) + body->radius * abut_norm3(body->w);
	const double dt = landing->timestep, limit = ABUT_LANDING_DEPTH * dt * dt;
	const AbutContactWork *contact = landing->contact;
	double own[3];
	return contact->overlap.start_depth + contact->side[1].shift + dt * speed > limit &&
	       deepest(landing, own) > limit;
}

static bool applies(const AbutIsland *island)
{
	const AbutContactSide *a = &island->problem.contacts[0].side[0], *b = &island->problem.contacts[0].side[1];
	return island->problem.n_contacts == 1 && island->problem.n_joints == 0 && !island->resume &&
	       island->problem.friction_cone == ABUT_FRICTION_CONE_SOC && !b->rows->bounded && b->body->moving < 0 &&
	       abut_conic_rows_flat(a->rows);
}

bool abut_step_start_landing(const AbutModel *model, AbutIsland *island)
{
	if (!applies(island)) {
		return false;
	}
	const AbutContactWork *contact = &island->problem.contacts[0];
	const double dt = island->problem.timestep;
	double *y = &island->iterate.y[contact->at.y], *z = &island->iterate.z[contact->at.z];
	Landing landing = {.model = model, .contact = contact, .body = contact->side[0].body, .timestep = dt};
	AbutBodyWork *body = landing.body;
	abut_mat3_vec(contact->side[1].body->R, contact->side[1].rows->W, landing.inward);
	if (!can_land(&landing)) {
		return false;
	}
	double length = 0.0;
	if (land_vertices(&landing)) {
		length = bear(&landing, landing.point, &z[contact->side[0].z]);
		if (length == 0.0) { /* the vertices share no face */
			abut_copy3(landing.last, landing.point);
			length = bear(&landing, landing.point, &z[contact->side[0].z]);
		}
	}
	if (length == 0.0) {
		abut_body_move(body, dt, island->iterate.y);
		return false;
	}
	for (int i = 0; i < 6; i++) {
		island->iterate.y[i] = landing.y[i];
	}
	abut_mat3_vec(body->R, landing.point, y);
	abut_add_scaled3(y, dt, body->v, y);
	y[3] = 1.0;
	z[contact->at.alpha_z] = 0.0;
	z[contact->side[1].z] = length;
	set_forces(&landing, length, y, z);
	return true;
}
