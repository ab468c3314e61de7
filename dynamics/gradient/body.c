/* Computes a body's share of the derivative of a step. The notation is that of dynamics/body/balance.c: m and J are
 * mass and inertia (world axes), v0 and w0 the velocities at the start, v+ and w+ those at the end. phi is the small
 * turn at the start about the body's own axes, theta = R0 phi the same turn in world axes, and omega the spin about the
 * own axes. p_w is the right side of the angular balance, and h the length of the previous step. The right side of the
 * balances changes by
 *
 *     dp = (m dv0 + dt df,  theta x p_w + P R0 domega + dt R0 dtau),   P = d(c J w - (h/2) w x J w) / dw at w0,
 *
 * and the left side, because the inertia turns with the body, by
 *
 *     dL = (0,  c+ dJ w+ + (dt/2) w+ x dJ w+),                        dJ = [theta]x J - J [theta]x.
 *
 * At fixed velocities the next pose changes by (dx0, T theta), with T = R+ R0'. For a planar body only the components
 * of turns about y and of displacements, velocities and forces along x and z count. Tested in
 * tests/dynamics/gradient/test_gradient.c. */
#include "dynamics/gradient/body.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/body/tangent.h"

/* Computes theta x p - dL. */
static void turn_of_balance(const AbutBodyWork *body, double timestep, const double theta[3], double out[3])
{
	double Jw[3], dJw[3], turned[3], gyroscopic[3];
	abut_mat3_vec(body->inertia, body->w, Jw);
	abut_cross3(theta, Jw, dJw);
	abut_cross3(theta, body->w, turned);
	abut_mat3_vec(body->inertia, turned, turned);
	for (int i = 0; i < 3; i++) {
		dJw[i] -= turned[i];
	}
	abut_cross3(body->w, dJw, gyroscopic);
	abut_cross3(theta, &body->full_momentum[3], out);
	for (int i = 0; i < 3; i++) {
		out[i] -= body->cosine * dJw[i] + 0.5 * timestep * gyroscopic[i];
	}
}

static void keep_in_plane(double turn[3])
{
	turn[0] = turn[2] = 0.0;
}

void abut_gradient_body(const AbutBodyWork *work, double timestep, AbutGradientBody *out)
{
	double P[9] = {0.0}, T[9];
	if (!work->quasi_static) {
		abut_body_old_momentum_jacobian(work, timestep, P);
	}
	abut_mat3_mul_transposed(work->R, work->R0, T);
	out->timestep = timestep;
	out->mass = work->mass;
	out->kept_mass = work->quasi_static ? 0.0 : work->mass;
	out->least_inertia = work->least_inertia;
	out->planar = work->planar;
	for (int axis = 0; axis < 3; axis++) {
		double *own = &out->axes[3 * axis], *spun = &out->spun[3 * axis], *turned = &out->turned[3 * axis];
		abut_tangent_axis(work, axis, own);
		abut_mat3_vec(T, own, &out->carried[3 * axis]);
		abut_mat3_vec(P, own, spun);
		for (int i = 0; i < 3; i++) {
			out->pushed[3 * axis + i] = timestep * own[i];
		}
		turn_of_balance(work, timestep, own, turned);
		if (work->planar) {
			keep_in_plane(spun);
			keep_in_plane(turned);
		}
	}
	memcpy(out->G, work->G, sizeof out->G);
	memcpy(out->R0, work->R0, sizeof out->R0);
	memcpy(out->R, work->R, sizeof out->R);
	memcpy(out->x, work->x, sizeof out->x);
	memcpy(out->v, work->v, sizeof out->v);
	memcpy(out->w, work->w, sizeof out->w);
	out->turn[0] = work->cosine;
	abut_copy3(work->psi, &out->turn[1]);
}
