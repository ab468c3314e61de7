/* Computes the values of one contact: the stationarity of its collision problem, its slacks, and its impulses on the
 * bodies (docs/formulation.md 1 and 3). The normal points from side 0 to side 1. */
#include "dynamics/contact/evaluate.h"

#include "base/vec3.h"
#include "collision/rows/conic_rows.h"
#include "dynamics/body/body.h"

/* Computes the side's rows at p, its normal and its contact frame; writes B' lambda to r_eps. */
static void evaluate_side(AbutContactWork *contact, AbutContactSide *side, double timestep, double alpha,
                          const double *y, const double *z, double *r_eps, double *H)
{
	AbutBodyWork *body = side->body;
	AbutRowsPoint point = {.alpha = alpha, .eps = &y[side->y], .lambda = &z[side->z], .shift = side->shift};
	for (int i = 0; i < 3; i++) {
		side->arm[i] = y[i] - side->from_side_0[i] - (body->moving >= 0 ? timestep * body->v[i] : 0.0);
	}
	abut_mat3_tvec(body->R, side->arm, point.p);
	abut_conic_rows_evaluate(side->rows, &point, H, side->g, &side->d_lambda, side->B_lambda);
	for (int i = 0; i < side->rows->n_eps; i++) {
		r_eps[i] = side->B_lambda[i];
	}
	abut_mat3_vec(body->R, side->g, side->n);
	for (int i = 0; i < 3; i++) {
		side->n[i] *= -side->sign; /* outward normal of side 0, inward normal of side 1 */
	}
	if (body->moving >= 0) { /* the frame and velocity of a static body are not used */
		abut_contact_frame(side->n, contact->scale.sigma, contact->reference, &side->frame);
		abut_cross3(body->w, side->arm, side->velocity);
		abut_add3(side->velocity, body->v, side->velocity);
	}
}

double abut_contact_spin(const AbutContactWork *contact)
{
	double spin = 0.0;
	for (int i = 0; i < 2; i++) {
		const AbutContactSide *side = &contact->side[i];
		if (side->body->moving >= 0) {
			spin += side->sign * abut_dot3(side->frame.N[0], side->body->w);
		}
	}
	return spin;
}

/* Computes the weighted slip from the frames and velocities of both sides. The third entry is torsion. */
static void find_slip(const AbutContactWork *contact, double slip[3])
{
	for (int t = 0; t < 3; t++) {
		slip[t] = 0.0;
	}
	for (int i = 0; i < 2; i++) {
		const AbutContactSide *side = &contact->side[i];
		if (side->body->moving < 0) {
			continue;
		}
		const double w = contact->scale.weight_friction * side->sign;
		slip[0] += w * abut_dot3(side->frame.N[1], side->velocity);
		slip[1] += w * abut_dot3(side->frame.N[2], side->velocity);
	}
	slip[2] = contact->scale.weight_friction * contact->pair->torsional_radius * abut_contact_spin(contact);
}

/* Subtracts the impulse and angular impulse on one side from its body's rows of r. */
static void apply_impulse(const AbutContactWork *contact, AbutContactSide *side, double *r_bodies)
{
	const double I = contact->scale.impulse;
	const double torsion = I * contact->pair->torsional_radius * contact->value.beta[2];
	double turn[3];
	if (side->body->moving < 0) {
		return;
	}
	for (int i = 0; i < 3; i++) {
		side->force[i] =
		    I * (side->frame.N[0][i] * contact->value.gamma + side->frame.N[1][i] * contact->value.beta[0] +
		         side->frame.N[2][i] * contact->value.beta[1]);
	}
	abut_cross3(side->arm, side->force, turn);
	double *r = &r_bodies[6 * side->body->moving];
	for (int i = 0; i < 3; i++) {
		const bool in_plane = i != 1;
		r[i] -= side->body->planar && !in_plane ? 0.0 : side->sign * side->force[i];
		r[3 + i] -=
		    side->body->planar && in_plane ? 0.0 : side->sign * (turn[i] + torsion * side->frame.N[0][i]);
	}
}

void abut_contact_evaluate(AbutContactWork *contact, AbutFrictionCone cone, double timestep, const double *y,
                           const double *z, double *r, double *H, double *r_bodies)
{
	AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	const double alpha = y[3];
	evaluate_side(contact, a, timestep, alpha, y, z, &r[a->y], &H[a->z]);
	evaluate_side(contact, b, timestep, alpha, y, z, &r[b->y], &H[b->z]);
	for (int i = 0; i < 3; i++) {
		contact->value.stationarity[i] = r[i] = a->n[i] - b->n[i];
	}
	r[3] = 1.0 - a->d_lambda - b->d_lambda - z[contact->at.alpha_z];
	contact->value.gamma = z[0];
	H[0] = contact->scale.weight_contact * (alpha - 1.0 + contact->overlap.kept);
	H[contact->at.alpha_z] = alpha;
	find_slip(contact, contact->value.slip);
	const AbutFriction friction = abut_contact_friction(contact, cone);
	abut_friction_evaluate(&friction, contact->value.gamma, contact->value.slip, &y[contact->at.psi_y],
	                       &z[contact->at.friction_z], &r[contact->at.psi_y], &H[contact->at.friction_z],
	                       contact->value.beta);
	contact->value.head_residual = contact->at.n_friction_y ? r[contact->at.psi_y] : 0.0;
	apply_impulse(contact, a, r_bodies);
	apply_impulse(contact, b, r_bodies);
}
