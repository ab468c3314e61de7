/* Differentiates free flight, and the effect of the inertia on impulses, with respect to a body's state, inputs, mass
 * and inertia. The angular balance of free flight (dynamics/body/balance.c), with D its matrix at the spin w* of free
 * flight, gives
 *
 *     D dw* = d(c J w - h w x J w + dt tau),
 *
 * with w the old spin, J the inertia, tau the torque, c = sqrt(1 - |h w|^2), and h half the last timestep. A rotation
 * theta of the body at the start also turns w*: dw* = theta x w*. */
#include "dynamics/methods/lcp/gradient_bodies.h"

#include "base/lapack.h"
#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/methods/manifold/rows.h"

bool abut_lcp_derive_flight(const AbutLcpDerivative *g, int index)
{
	static const double none[3] = {0.0, 0.0, 0.0};
	const AbutBodyWork *body = abut_derivative_body_of(g, index);
	const double dt = g->model->timestep, last = body->last_timestep > 0.0 ? body->last_timestep : dt;
	const double *free = abut_derivative_lcp_body_of(g, index)->free;
	const int first = ABUT_LCP_COLUMNS * index;
	double D[9], B[9], columns[3 * 7], J_w[3], w_J_w[3], pushed[3], push[3];
	int pivots[3];
	abut_lcp_flight_block(body, dt, free, D);
	abut_body_old_momentum_jacobian(body, dt, B);
	/* seven right-hand sides: old spin (3, body axes), torque (3, body axes), factor on the inertia */
	abut_mat3_vec(body->inertia, body->w0, J_w);
	abut_cross3(body->w0, J_w, w_J_w);
	const double half = 0.5 * last, cosine = sqrt(1.0 - half * half * abut_dot3(body->w0, body->w0));
	for (int axis = 0; axis < 3; axis++) {
		double own[3];
		abut_tangent_axis(body, axis, own);
		abut_mat3_vec(B, own, &columns[3 * axis]);
		abut_scale3(dt, own, &columns[9 + 3 * axis]);
	}
	for (int i = 0; i < 3; i++) {
		columns[18 + i] = -(body->momentum[3 + i] - (cosine * J_w[i] - half * w_J_w[i]));
	}
	for (int i = 0; body->planar && i < 7; i++) {
		columns[3 * i] = columns[3 * i + 2] = 0.0;
	}
	double transposed[9];
	for (int i = 0; i < 9; i++) {
		transposed[3 * (i % 3) + i / 3] = D[i];
	}
	if (!abut_lapack_solve(3, transposed, pivots, 7, columns)) {
		return false;
	}
	for (int axis = 0; axis < 3; axis++) {
		const double unit[3] = {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
		const double per_force[3] = {unit[0] * dt / body->mass, unit[1] * dt / body->mass,
		                             unit[2] * dt / body->mass};
		double own[3], turned[3];
		abut_tangent_axis(body, axis, own);
		abut_cross3(own, &free[3], turned);
		abut_derivative_add_velocity(g, index, first + ABUT_LCP_ROTATION + axis, none, turned);
		if (!body->quasi_static) {
			abut_derivative_add_velocity(g, index, first + ABUT_LCP_LINEAR + axis, unit, none);
			abut_derivative_add_velocity(g, index, first + ABUT_LCP_ANGULAR + axis, none,
			                             &columns[3 * axis]);
		}
		abut_derivative_add_velocity(g, index, first + ABUT_LCP_FORCE + axis, per_force, none);
		abut_derivative_add_velocity(g, index, first + ABUT_LCP_TORQUE + axis, none, &columns[9 + 3 * axis]);
		pushed[axis] = body->momentum[axis] / body->mass - body->v0[axis] - dt * g->model->gravity[axis];
		push[axis] = -pushed[axis] / body->mass;
	}
	abut_derivative_add_velocity(g, index, first + ABUT_LCP_MASS, push, none);
	abut_derivative_add_velocity(g, index, first + ABUT_LCP_INERTIA, none, &columns[18]);
	return true;
}

/* Adds -M^-1 dM (after - before): the effect of mass and inertia on the velocity change by impulses. */
static void derive_push(const AbutLcpDerivative *g, int index, const double before[6], const double after[6],
                        double velocity, double late)
{
	static const double none[3] = {0.0, 0.0, 0.0};
	const AbutBodyWork *body = abut_derivative_body_of(g, index);
	const AbutLcpBody *own_body = abut_derivative_lcp_body_of(g, index);
	const int first = ABUT_LCP_COLUMNS * index;
	double dv[3], dw[3], J_dw[3], change[3], lighter[3], nimbler[3];
	for (int i = 0; i < 3; i++) {
		dv[i] = after[i] - before[i];
		dw[i] = after[3 + i] - before[3 + i];
		lighter[i] = -dv[i] / body->mass;
		nimbler[i] = -dw[i];
	}
	abut_mat3_vec(body->inertia, dw, J_dw);
	for (int axis = 0; axis < 3; axis++) {
		double own[3], a[3], b[3];
		abut_tangent_axis(body, axis, own);
		abut_cross3(own, J_dw, a);
		abut_cross3(own, dw, b);
		abut_mat3_vec(body->inertia, b, b);
		abut_sub3(b, a, change);
		abut_mat3_vec(own_body->inverse_inertia, change, change);
		abut_derivative_add_shared(g, index, first + ABUT_LCP_ROTATION + axis, none, change, velocity, late);
	}
	abut_derivative_add_shared(g, index, first + ABUT_LCP_MASS, lighter, none, velocity, late);
	abut_derivative_add_shared(g, index, first + ABUT_LCP_INERTIA, none, nimbler, velocity, late);
}

/* Adds -M^-1 dM (v+ - v*), and the corresponding term of delayed impulses. dM consists of dJ = [theta]x J - J [theta]x,
 * for the inertia that turns with the body, and of the changes of mass and inertia. */
void abut_lcp_derive_inertia(const AbutLcpDerivative *g, int index)
{
	const AbutLcpBody *own = abut_derivative_lcp_body_of(g, index);
	derive_push(g, index, own->free, own->next, 1.0, 0.0);
	derive_push(g, index, own->mean, own->next, 0.0, 1.0);
}
