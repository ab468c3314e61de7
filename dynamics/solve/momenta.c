/* Conserves the momenta of a floating mechanism to rounding. The residuals of the momentum balances (balance.c) are
 * impulses and torques that act from nowhere, up to the tolerance of the solve. Over the steps of a run they add up to
 * 1e-9 of the momenta. With the centre of mass X and d_i = x_i - X, their sum and their moment are
 *
 *     P = sum r_v,    L = sum d_i x r_v + r_w.
 *
 * A change of all velocities as in a rigid motion, V + Omega x d_i and Omega, cancels both:
 *
 *     V = -P / sum m,    Omega = -I^-1 L,    I = sum J_i + m_i (|d_i|^2 - d_i d_i').
 *
 * Joints stay closed, since a rigid motion does not move their bodies against each other; to change each body by its
 * own residual would open the joints of light links. Tested in tests/dynamics/joint/test_mechanisms.c:
 * floating_trees_conserve_their_momenta. */
#include "dynamics/solve/momenta.h"

#include "base/vec3.h"
#include "dynamics/body/balance.h"

static bool floats(const AbutIsland *island)
{
	const AbutContactProblem *problem = &island->problem;
	const AbutIterate *it = &island->iterate;
	for (int i = 0; i < 2 * problem->n_joints; i++) {
		if (problem->joints[i / 2].body[i % 2]->moving < 0) {
			return false;
		}
	}
	for (int i = 0; i < problem->n_moving; i++) { /* near contacts may bring in bodies without joints */
		if (problem->moving[i]->planar || problem->moving[i]->quasi_static) {
			return false;
		}
	}
	for (int i = 0; i < problem->n_contacts; i++) {
		const int gamma = problem->contacts[i].at.z;
		if (it->z[gamma] > it->H[gamma]) { /* it presses */
			return false;
		}
	}
	return problem->n_joints > 0;
}

/* The bodies of an island as one rigid body. */
typedef struct Whole {
	double mass, centre[3], inertia[9];
} Whole;

static Whole whole_of(const AbutContactProblem *problem)
{
	Whole whole = {.mass = 0.0};
	for (int i = 0; i < problem->n_moving; i++) {
		const AbutBodyWork *body = problem->moving[i];
		whole.mass += body->mass;
		abut_add_scaled3(whole.centre, body->mass, body->x0, whole.centre);
	}
	abut_scale3(1.0 / whole.mass, whole.centre, whole.centre);
	for (int i = 0; i < problem->n_moving; i++) {
		const AbutBodyWork *body = problem->moving[i];
		double d[3];
		abut_sub3(body->x0, whole.centre, d);
		abut_add_inertia3(body->inertia, body->mass, d, whole.inertia);
	}
	return whole;
}

void abut_step_balance_momenta(AbutIsland *island)
{
	const AbutContactProblem *problem = &island->problem;
	AbutIterate *it = &island->iterate;
	double P[3] = {0.0}, L[3] = {0.0}, turn[3];
	if (!floats(island)) {
		return;
	}
	const Whole whole = whole_of(problem);
	for (int i = 0; i < problem->n_moving; i++) {
		const double *r = &it->r[6 * i];
		double d[3], moment[3];
		abut_sub3(problem->moving[i]->x0, whole.centre, d);
		abut_cross3(d, r, moment);
		abut_add3(P, r, P);
		abut_add3(L, moment, L);
		abut_add3(L, &r[3], L);
	}
	abut_sym3_solve(whole.inertia, L, turn);
	for (int i = 0; i < problem->n_moving; i++) {
		double d[3], swing[3], *y = &it->y[6 * i];
		abut_sub3(problem->moving[i]->x0, whole.centre, d);
		abut_cross3(turn, d, swing);
		abut_add_scaled3(y, -1.0 / whole.mass, P, y);
		abut_sub3(y, swing, y);
		abut_sub3(&y[3], turn, &y[3]);
		abut_body_move(problem->moving[i], problem->timestep, y);
	}
}
