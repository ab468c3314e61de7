/* Starting points of the solver: cold, and from the last solution. */
#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/methods/points/problem.h"
#include "dynamics/step/step_parts.h"
#include "solver/ncp/newton.h"

/* The contact's own unknowns at a cold start: p between the centres (for a halfspace: at the centre), alpha 1. For a
 * pair further apart than its outer radii, p divides the line of centres as they do and alpha grows with the distance.
 */
static void cold_unknowns(const AbutContactWork *contact, double *y)
{
	const AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	double centre_a[3], line[3];
	memset(y, 0, (size_t)contact->pair->n_y * sizeof(double));
	abut_mat3_vec(a->body->R0, a->rows->centre, centre_a);
	abut_mat3_vec(b->body->R0, b->rows->centre, line);
	for (int i = 0; i < 3; i++) {
		line[i] += b->from_side_0[i] - centre_a[i];
	}
	const double apart = abut_norm3(line) / contact->pair->outer_radius;
	const bool far = b->rows->bounded && apart > 1.0;
	const double share = far ? a->rows->outer_radius / contact->pair->outer_radius : 0.5;
	for (int i = 0; i < 3; i++) {
		y[i] = centre_a[i] + (b->rows->bounded ? share * line[i] : 0.0);
	}
	y[3] = far ? apart : 1.0;
	if (contact->n_friction_y) {
		y[contact->psi_y] = 1.0;
	}
}

static void cold_contact(AbutIsland *island, const AbutContactWork *contact)
{
	cold_unknowns(contact, &island->iterate.y[contact->y]);
	abut_cones_identity(contact->cones, contact->pair->n_cones, island->iterate.z);
}

void abut_step_start_cold(AbutIsland *island)
{
	AbutIterate *it = &island->iterate;
	memset(it->y, 0, 6 * (size_t)island->problem.n_moving * sizeof(double));
	for (int i = 0; i < island->problem.n_contacts; i++) {
		cold_contact(island, &island->problem.contacts[i]);
	}
	abut_cones_identity(island->ncp.cones, island->ncp.n_cones, it->s);
}

void abut_scale_forces(const AbutContactWork *contact, AbutFrictionCone cone, double factor, double *z)
{
	z[0] *= factor; /* gamma */
	const int first =
	    contact->friction_z + (cone == ABUT_FRICTION_CONE_PYRAMID ? 1 : 0); /* psi is a slip, not a force */
	for (int i = first; i < contact->friction_z + contact->n_friction_z; i++) {
		z[i] *= factor;
	}
}

/* Extrapolated velocity of a body: by the last change, and by the change of that where it changes little. What an exact
 * solution leaves open is not extrapolated: at rest it would grow step by step until the residual shows it (a capsule
 * at rest then iterates in two steps of three). Nor is a change well above that of free flight: the body was hit, and
 * is not hit again. */
void abut_step_extrapolate(const AbutBodyWork *body, double y[6])
{
	static const double noise = 1e-9, hit = 1.5, little = 0.5;
	double change[6], bend[6], flight[3], largest = 0.0, largest_bend = 0.0;
	for (int i = 0; i < 3; i++) {
		y[i] = body->v0[i];
		y[3 + i] = body->w0[i];
		flight[i] = body->momentum[i] / body->mass - body->v0[i];
	}
	for (int i = 0; i < 6; i++) {
		change[i] = y[i] - body->past[0][i];
		bend[i] = change[i] - (body->past[0][i] - body->past[1][i]);
		largest = abut_max(largest, fabs(change[i]));
		largest_bend = abut_max(largest_bend, fabs(bend[i]));
	}
	const double limit = hit * abut_norm3(flight);
	if (largest <= noise || (limit > 0.0 && abut_norm3(change) > limit)) {
		return;
	}
	const double bent = largest_bend < little * largest ? 1.0 : 0.0;
	for (int i = 0; i < 6; i++) {
		y[i] += change[i] + bent * bend[i];
	}
}

/* The bodies moved by the velocities in the iterate. */
static void move_bodies(AbutIsland *island)
{
	AbutIterate *it = &island->iterate;
	/* a spin that the integrator allows: shorten the way from rest */
	memset(it->dy, 0, 6 * (size_t)island->problem.n_moving * sizeof(double));
	const double within = island->ncp.ops->step_limit(island->ncp.problem, it->dy, it->y, 1.0);
	for (int i = 0; within < 1.0 && i < 6 * island->problem.n_moving; i++) {
		it->y[i] *= within;
	}
	for (int i = 0; i < island->problem.n_moving; i++) {
		abut_body_move(island->problem.moving[i], island->problem.timestep, &it->y[6 * i]);
	}
}

void abut_step_start_contact(AbutIsland *island, const AbutContactWork *contact, double kappa)
{
	cold_contact(island, contact);
	abut_step_no_force(contact, &island->iterate.z[contact->z]);
	abut_step_solve_collision(island, contact, kappa);
}

/* The contacts of the last solution, the bodies having been moved. */
static void last_solution(AbutIsland *island)
{
	AbutIterate *it = &island->iterate;
	for (int i = 0; i < island->problem.n_contacts; i++) {
		const AbutContactWork *contact = &island->problem.contacts[i];
		const AbutPair *pair = contact->pair;
		if (contact->memory->solved) {
			memcpy(&it->y[contact->y], contact->memory_y, (size_t)pair->n_y * sizeof(double));
			memcpy(&it->z[contact->z], contact->memory_z, (size_t)pair->n_z * sizeof(double));
			/* forces, rather than impulses, last from step to step */
			const double last =
			    island->resume ? island->problem.timestep : contact->side[0].body->last_timestep;
			abut_scale_forces(contact, island->problem.friction_cone,
			                  island->problem.timestep / (last * contact->impulse_scale),
			                  &it->z[contact->z]);
			if (!island->resume) {
				abut_step_carry(contact, island->problem.timestep, &it->y[contact->y],
				                &it->z[contact->z]);
			}
		} else { /* a new pair */
			abut_step_start_contact(island, contact, ABUT_COLLISION_KAPPA);
		}
	}
}

void abut_step_start_warm(const AbutModel *model, AbutIsland *island)
{
	for (int i = 0; i < island->problem.n_moving; i++) {
		const AbutBodyWork *body = island->problem.moving[i];
		double *y = &island->iterate.y[6 * i];
		if (island->resume) {
			abut_copy3(body->v, y);
			abut_copy3(body->w, &y[3]);
		} else {
			abut_step_extrapolate(body, y);
		}
	}
	move_bodies(island);
	if (!abut_step_start_landing(model, island)) {
		last_solution(island);
		if (!island->resume) {
			abut_step_turn(island);
		}
		abut_step_slide(island);
	}
}

/* psi is the slack's head throughout (solver/cones/soc.c). */
static void keep_heads(AbutIsland *island)
{
	AbutIterate *it = &island->iterate;
	for (int i = 0; i < island->problem.n_contacts; i++) {
		const AbutContactWork *contact = &island->problem.contacts[i];
		if (contact->n_friction_y) {
			it->y[contact->y + contact->psi_y] = it->s[contact->z + contact->friction_z];
		}
	}
	for (int i = 0; i < abut_point_problem_count(island); i++) {
		const AbutPoint *point = &abut_point_problem(island)->points[i];
		if (abut_friction_n_y(island->problem.friction_cone, point->pair->tail) > 0) {
			it->y[point->y] = it->s[point->z + 1];
		}
	}
}

void abut_step_smooth_at(AbutIsland *island, double mu)
{
	AbutIterate *it = &island->iterate;
	abut_cones_smoothed_pair(island->ncp.cones, island->ncp.n_cones, it->H, mu, it->z, it->s);
	keep_heads(island);
}

double abut_step_residual(AbutIsland *island)
{
	AbutIterate *it = &island->iterate;
	island->ncp.ops->evaluate(island->ncp.problem, it->y, it->z, it->r, it->H);
	return fmax(abut_max_norm(it->r, island->ncp.n_y),
	            abut_cones_natural_residual(island->ncp.cones, island->ncp.n_cones, it->z, it->H));
}

void abut_step_smooth(AbutIsland *island, double kappa)
{
	static const double largest = 0.03;
	abut_step_smooth_at(island, fmin(fmax(abut_step_residual(island), kappa), largest));
}

/* The last slacks are not kept: those of the present pose are, as far as they are complementary to the duals. */
void abut_step_start_shifted(AbutIsland *island)
{
	static const double shift = 1e-2, complementary = 1e-20;
	AbutIterate *it = &island->iterate;
	for (int i = 0; i < island->problem.n_moving; i++) {
		abut_copy3(island->problem.moving[i]->v0, &it->y[6 * i]);
		abut_copy3(island->problem.moving[i]->w0, &it->y[6 * i + 3]);
	}
	move_bodies(island);
	last_solution(island);
	island->ncp.ops->evaluate(island->ncp.problem, it->y, it->z, it->r, it->H);
	abut_step_smooth_at(island, complementary);
	abut_cones_identity(island->ncp.cones, island->ncp.n_cones, it->dz);
	for (int i = 0; i < island->ncp.n_z; i++) {
		it->z[i] += shift * it->dz[i];
		it->s[i] += shift * it->dz[i];
	}
	keep_heads(island);
}
