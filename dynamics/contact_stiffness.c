/* How stiff the regularised laws of a contact are in the derivative of a step.
 *
 * What is held by a stiffness K instead of for good gives way by a part m / K of what the bodies would do without it,
 * where m is their inertia; and rounding is K / m larger. As the bodies' velocities see them, with |n| = |d alpha /
 * dx|,
 *
 *     the gap            I K w_c |n| dt              beside m,
 *     the slip           I K w_f,  its third row r^2 times that, beside m and J; without torsion it is not there,
 *     a point that is free along faces that meet: the angle theta between them moves it by |n| theta / rho, which turns
 *     them by a torque   I gamma |n| dt / rho        beside J.
 *
 * The ratios are those at which a tower of four cubes and a cube that lands are solved to 1e-6 without a correction
 * (gradient_matrix.c): what stands on a body adds to its inertia, most of all to that of turning. Tested with the
 * derivatives, in tests/dynamics/test_gradient.c. */
#include "dynamics/contact_stiffness.h"

#include "base/vec3.h"

/* Of the heavier body that moves. */
typedef struct Inertia {
	double mass, turning;
} Inertia;

static Inertia heaviest(const AbutContactWork *contact)
{
	Inertia most = {0.0, 0.0};
	for (int i = 0; i < 2; i++) {
		const AbutBodyWork *body = contact->side[i].body;
		if (body->moving >= 0) {
			const double mean = (body->inertia[0] + body->inertia[4] + body->inertia[8]) / 3.0;
			most.mass = abut_max(most.mass, body->mass);
			most.turning = abut_max(most.turning, mean);
		}
	}
	return most;
}

AbutContactStiffness abut_contact_stiffness(const AbutContactWork *contact, double timestep)
{
	static const double gap = 3e7, slip = 3e8, turn = 3e9, least_rho = 1e-10, most_rho = 1e-7;
	const Inertia bodies = heaviest(contact);
	const double I = contact->impulse_scale, n = abut_norm3(contact->side[0].n);
	const double r = contact->pair->torsional_radius, w_f = contact->weight_friction;
	const double along = slip * bodies.mass / (I * w_f), about = slip * bodies.turning / (I * w_f * r * r);
	const double rho = I * contact->gamma * n * timestep / (turn * bodies.turning);
	return (AbutContactStiffness){.gap = gap * bodies.mass / (I * contact->weight_contact * n * timestep),
	                              .slip = {along, along, about},
	                              .rho = abut_min(abut_max(rho, least_rho), most_rho)};
}
