/* Chooses the stiffness of the regularised laws of a contact in the derivative of a step.
 *
 * A number held by a stiffness K still moves by the fraction m / K of its motion without the contact, where m is the
 * mass of the lighter body. Rounding errors grow by the factor K / m. Let J be the mean moment of inertia of the
 * lighter body, I the contact's unit of impulse (scale.impulse), w_c and w_f its weights of gap and slip, r its
 * torsional radius, and |n| = |d alpha / dx|. Per unit of the bodies' velocities, the stiffnesses are
 *
 *     the gap            I K w_c |n| dt              compared with m,
 *     the slip           I K w_f,  its third row r^2 times that, compared with m and J; absent without torsion,
 *     a point that is free along faces that meet: the angle theta between them moves it by |n| theta / rho, which turns
 *     them by a torque   I gamma |n| dt / rho        compared with J,
 *     which, if the bodies spin on each other, changes the slip, and so the force,
 *                   by   I K w_f spin |n| dt / rho   compared with m.
 *
 * The last quantity is limited, first by a larger rho, then by a smaller K. Its rounding errors also enter the sums of
 * the equations, so no correction can restore the digits. The K of a law that slips is kept. The limits of the other
 * quantities are such that a tower of four cubes and a cube that lands are solved to 1e-6 without a correction
 * (dynamics/gradient/matrix.c). Bodies on top of a body add to its inertia, most of all to its rotational inertia.
 * Tested in tests/dynamics/gradient/test_gradient.c. */
#include "dynamics/gradient/contact_stiffness.h"

#include <math.h>

#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/contact/evaluate.h"

/* Inertia of the lighter moving body. */
typedef struct Inertia {
	double mass, turning;
} Inertia;

static Inertia lightest(const AbutContactWork *contact)
{
	Inertia least = {(double)INFINITY, (double)INFINITY};
	for (int i = 0; i < 2; i++) {
		const AbutBodyWork *body = contact->side[i].body;
		if (body->moving >= 0) {
			const double mean = (body->inertia[0] + body->inertia[4] + body->inertia[8]) / 3.0;
			least.mass = abut_min(least.mass, body->mass);
			least.turning = abut_min(least.turning, mean);
		}
	}
	return least;
}

/* Returns the law's own largest stiffness against slip: the largest of the pyramid's edges, or of the diagonal of B
 * (second-order cone). */
static double stiffest_slip(const AbutContactWork *contact, AbutFrictionCone kind, const AbutConeLaw *law)
{
	const bool pyramid = kind == ABUT_FRICTION_CONE_PYRAMID;
	const int tail = contact->pair->tail, n = pyramid ? 2 * tail : tail, step = pyramid ? 1 : 4;
	double most = 0.0;
	if (tail == 0) {
		return most;
	}
	const double *K =
	    pyramid ? &law->K[contact->friction_cones[1].law] : abut_free_head_law(law, contact->friction_cones)->B;
	for (int i = 0; i < n; i++) {
		most = abut_max(most, K[step * i]);
	}
	return most;
}

/* Returns I gamma |n| dt / J. This is the fraction of a tilt that the contact turns back, if the tilt moves the contact
 * point by one unit of length per radian. */
static double turned_back(const AbutContactWork *contact, const AbutContactProblem *problem)
{
	const double n_dt = abut_norm3(contact->side[0].n) * problem->timestep;
	return contact->scale.impulse * contact->value.gamma * n_dt / lightest(contact).turning;
}

/* Regularises the contact point on the path, where the surface may be flat. A shape of exponent n, tilted by theta,
 * touches a plane at p = c theta^(1 / (n - 1)). The derivative of p at theta = 0 is infinite, but that of the step is
 * finite. Suppose that the step would tilt the shape by q without the contact, and that the contact turns it back by C
 * theta^(1 / (n - 1)). The final tilt satisfies
 *
 *     theta + C theta^(1 / (n - 1)) = q,     so dtheta / dq = 0 at 0, and dp / dq = c / C:
 *
 * The point follows the tilt without curvature, and the tilt vanishes. This is solved as for faces that meet: rho holds
 * the point, and its effect is corrected. If |q| exceeds about C^((n - 1) / (n - 2)), however, dtheta / dq is 1. For an
 * open contact C may be so small that finite differences do not see dtheta / dq = 0. Its point then counts as round,
 * with a fixed curvature: a separated shape must not hold a body. Tested in
 * tests/dynamics/gradient/test_gradient_flat.c. */
AbutPointStiffness abut_contact_point_stiffness(const AbutContactWork *contact, const AbutContactProblem *problem,
                                                const AbutConeLaw *law)
{
	static const double part = 1e-5, least = 1e-10, most = 1e-6, open = 1e-6, pressed = 1e-8;
	const double back = turned_back(contact, problem);
	const bool presses = law->K[contact->cones[0].law] >= 1.0;
	return (AbutPointStiffness){.held = back >= (presses ? pressed : open),
	                            .rho = abut_min(abut_max(part * back, least), most)};
}

AbutContactStiffness abut_contact_stiffness(const AbutContactWork *contact, const AbutContactProblem *problem,
                                            const AbutConeLaw *law)
{
	static const double gap = 3e7, slip = 3e8, turn = 3e9, least_rho = 1e-10, most_rho = 1e-7, spun_rho = 1e-6;
	const Inertia bodies = lightest(contact);
	const double I = contact->scale.impulse, n_dt = abut_norm3(contact->side[0].n) * problem->timestep;
	const double r = contact->pair->torsional_radius, I_w = I * contact->scale.weight_friction;
	const double balance = turned_back(contact, problem) / turn;
	double along = slip * bodies.mass / I_w, rho = abut_min(abut_max(balance, least_rho), most_rho);
	const double carried = fabs(abut_contact_spin(contact)) * n_dt * (slip / turn) / along; /* rho per K */
	if (along * carried > rho) {
		const double most = carried * abut_min(along, stiffest_slip(contact, problem->friction_cone, law));
		rho = abut_max(rho, abut_min(most, spun_rho));
		along = abut_min(along, rho / carried);
	}
	return (AbutContactStiffness){.gap = gap * bodies.mass / (I * contact->scale.weight_contact * n_dt),
	                              .slip = {along, along, slip * bodies.turning / (I_w * r * r)},
	                              .rho = rho};
}
