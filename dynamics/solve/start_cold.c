/* Computes the cold start, bodies at rest and unit duals; also for a single contact. */
#include "dynamics/solve/start_cold.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/contact/forces.h"
#include "dynamics/island/island.h"
#include "dynamics/solve/collision_alone.h"

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

void abut_step_start_cold(AbutIsland *island)
{
	AbutIterate *it = &island->iterate;
	memset(it->y, 0, 6 * (size_t)island->problem.n_moving * sizeof(double));
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
