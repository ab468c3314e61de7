/* Computes the starts without a last solution. The cold start has bodies at rest and unit duals; it also exists for a
 * single contact. In the start apart, the bodies fly freely, the collision problems are solved one by one at the
 * resulting poses, and the contact forces begin at zero. Everything is then smoothed. */
#include "dynamics/solve/start_cold.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/contact/setup.h"
#include "dynamics/island/problem.h"
#include "dynamics/joint/keep.h"
#include "dynamics/solve/collision_alone.h"
#include "dynamics/solve/smooth.h"
#include "dynamics/solve/tuning.h"

/* Sets the contact's own unknowns for a cold start: alpha is 1, and p lies midway between the centres, or at the part's
 * centre above a halfspace. If the parts are further apart than the sum of their outer radii, p divides the line of
 * centres in the ratio of these radii. alpha then grows with the distance. */
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
	if (contact->at.n_friction_y) {
		y[contact->at.psi_y] = 1.0;
	}
}

static void cold_contact(AbutIsland *island, const AbutContactWork *contact)
{
	cold_unknowns(contact, &island->iterate.y[contact->at.y]);
	abut_cones_identity(contact->cones, contact->pair->n_cones, island->iterate.z);
}

void abut_step_start_joints(AbutIsland *island)
{
	for (int i = 0; i < island->problem.n_joints; i++) {
		const AbutJointWork *joint = &island->problem.joints[i];
		abut_joint_start_warm(joint, island->problem.timestep, &island->iterate.y[joint->at.y],
		                      &island->iterate.z[joint->at.z]);
	}
	for (int i = 0; i < island->problem.n_couplings; i++) {
		const AbutCouplingWork *coupling = &island->problem.couplings[i];
		island->iterate.y[coupling->at] = abut_coupling_start(coupling, island->problem.timestep);
	}
}

void abut_step_start_cold(AbutIsland *island)
{
	AbutIterate *it = &island->iterate;
	memset(it->y, 0, 6 * (size_t)island->problem.n_moving * sizeof(double));
	for (int i = 0; i < island->problem.n_joints; i++) {
		const AbutJointWork *joint = &island->problem.joints[i];
		abut_joint_start_cold(joint, &it->y[joint->at.y], &it->z[joint->at.z]);
	}
	for (int i = 0; i < island->problem.n_couplings; i++) {
		it->y[island->problem.couplings[i].at] = 0.0;
	}
	for (int i = 0; island->problem.n_joints > 0 && i < island->problem.n_moving; i++) {
		abut_copy3(island->problem.moving[i]->v0, &it->y[6 * i]);
		abut_copy3(island->problem.moving[i]->w0, &it->y[6 * i + 3]);
	}
	for (int i = 0; i < island->problem.n_contacts; i++) {
		cold_contact(island, &island->problem.contacts[i]);
	}
	abut_cones_identity(island->ncp.cones, island->ncp.n_cones, it->s);
}

void abut_step_start_contact(AbutIsland *island, const AbutContactWork *contact, double kappa)
{
	cold_contact(island, contact);
	abut_step_no_force(contact, &island->iterate.z[contact->at.z]);
	abut_step_solve_collision(island, contact, kappa);
}

/* Moves the bodies by `share` of their velocity without contact, momentum / m. The angular velocity is the same share
 * of the present one, which changes little in a step; it is limited to what a step may turn. */
static void free_flight(AbutIsland *island, double share)
{
	AbutContactProblem *problem = &island->problem;
	double *y = island->iterate.y;
	const bool jointed = problem->n_joints > 0; /* free flight would tear joints apart */
	for (int i = 0; i < problem->n_moving; i++) {
		const AbutBodyWork *body = problem->moving[i];
		const double turn = 0.5 * problem->timestep * abut_norm3(body->w0);
		const double within = turn > ABUT_EASY_HALF_TURN ? ABUT_EASY_HALF_TURN / turn : 1.0;
		for (int j = 0; j < 3; j++) {
			y[6 * i + j] = share * (jointed ? body->v0[j] : body->momentum[j] / body->mass);
			y[6 * i + 3 + j] = share * within * body->w0[j];
		}
		abut_body_move(problem->moving[i], problem->timestep, &y[6 * i]);
	}
}

static void start_along(AbutIsland *island, double share)
{
	AbutIterate *it = &island->iterate;
	/* larger for longer steps */
	const double kappa = fmin(fmax(island->problem.timestep, ABUT_APART_LEAST), ABUT_APART_MOST);
	abut_step_start_cold(island);
	free_flight(island, share);
	for (int i = 0; i < island->problem.n_contacts; i++) {
		const AbutContactWork *contact = &island->problem.contacts[i];
		abut_step_no_force(contact, &it->z[contact->at.z]);
		abut_step_solve_collision(island, contact, kappa);
	}
	island->ncp.ops->evaluate(island->ncp.problem, it->y, it->z, it->r, it->H);
	abut_step_smooth_at(island, kappa);
}

void abut_step_start_apart(AbutIsland *island)
{
	start_along(island, 1.0);
}

void abut_step_start_still(AbutIsland *island)
{
	start_along(island, 0.0);
}
