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
#include "dynamics/body/tangent.h"

/* Computes theta x p - dL. */
static void turn_of_balance(const AbutBodyWork *body, double timestep, const double theta[3], double out[3])
{
	double Jw[3], dJw[3], turned[3], gyroscopic[3];
	abut_mat3_vec(body->inertia, body->w, Jw);
	abut_cross3(theta, Jw, dJw);
	abut_cross3(theta, body->w, turned);
	abut_mat3_vec(body->inertia, turned, turned);
	abut_sub3(dJw, turned, dJw);
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
		abut_scale3(timestep, own, &out->pushed[3 * axis]);
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

/* Differentiates the balances r = 0 of dynamics/body/balance.c and the next pose with respect to parameters. `right` is
 * -dr at fixed velocities; right_v and right_w are its linear and angular rows:
 *
 *     mass       right_v = v0 + t g - v+
 *     gravity    right_v = t m e_k
 *     inertia    right_w = c dJ w0 - (h/2) w0 x dJ w0 - (c+ dJ w+ + (dt/2) w+ x dJ w+),   dJ = R0 E R0'
 *     centre of mass     the next pose moves by R0 e_k, in the first part of a step only
 *     timestep   right   = (m g + f,  tau - (dc+ J w+ + w+ x J w+ / 2)),   dc+ = -psi.w+ / (2 c+)
 *                the next pose moves by v+ and turns by G w+ / dt
 *
 * Here t is the time for which gravity acts (abut_gravity_time), h the length of the previous step, E the entry of the
 * inertia in body axes, e_k a unit vector, and psi = dt w+ / 2. If h follows the timestep, right_w also contains dc J
 * w0 - w0 x J w0 / 2. Tested with finite differences in tests/dynamics/parameter/test_parameter_inputs.c. */

/* Computes c J w + sign (h/2) w x J w, and in `by_h` its derivative with respect to h. */
static void momentum(const double J[9], const double w[3], double h, double sign, double out[3], double by_h[3])
{
	double Jw[3], gyroscopic[3];
	const double square = abut_dot3(w, w), c = sqrt(1.0 - 0.25 * h * h * square);
	abut_mat3_vec(J, w, Jw);
	abut_cross3(w, Jw, gyroscopic);
	for (int i = 0; i < 3; i++) {
		out[i] = c * Jw[i] + 0.5 * sign * h * gyroscopic[i];
		by_h[i] = -0.25 * h * square / c * Jw[i] + 0.5 * sign * gyroscopic[i];
	}
}

static double length_before(const AbutBodyWork *body, double timestep)
{
	return body->last_timestep > 0.0 ? body->last_timestep : timestep;
}

static void by_mass(const AbutModel *model, const AbutBodyWork *body, double timestep, AbutBodyParameter *out)
{
	const double fall = abut_gravity_time(model, body, timestep, length_before(body, timestep));
	abut_add_scaled3(body->v0, fall, model->gravity, out->right);
	abut_sub3(out->right, body->v, out->right);
}

static void by_inertia(const AbutBodyWork *body, double timestep, int index, AbutBodyParameter *out)
{
	double E[9] = {0.0}, RE[9], dJ[9], before[3], after[3], unused[3];
	int entry[2];
	abut_parameter_inertia_entry(index, entry);
	E[entry[0]] = E[entry[1]] = 1.0;
	abut_mat3_mul(body->R0, E, RE);
	abut_mat3_mul_transposed(RE, body->R0, dJ);
	momentum(dJ, body->w0, length_before(body, timestep), -1.0, before, unused);
	momentum(dJ, body->w, timestep, 1.0, after, unused);
	abut_sub3(before, after, &out->right[3]);
}

/* Differentiates with respect to the model's timestep. `timestep` is the part's fixed share of it. */
static void by_timestep(const AbutModel *model, const AbutBodyWork *body, double timestep, bool first,
                        AbutBodyParameter *out)
{
	const double before = length_before(body, timestep), share = timestep / model->timestep;
	const double before_share = !first || !(body->last_timestep > 0.0) ? before / model->timestep : 0.0;
	/* how the time of gravity changes beyond its share of the timestep */
	const double fall = abut_gravity_time(model, body, share, before_share) -
	                    share * (abut_gravity_time(model, body, timestep, before) / timestep);
	double p[3], p_by[3], L[3], L_by[3];
	momentum(body->inertia, body->w0, before, -1.0, p, p_by);
	momentum(body->inertia, body->w, timestep, 1.0, L, L_by);
	abut_mat3_vec(body->G, body->w, &out->start[3]);
	for (int i = 0; i < 3; i++) {
		const double force = (body->full_momentum[i] - body->mass * body->v0[i]) / timestep;
		const double torque = (body->full_momentum[3 + i] - p[i]) / timestep;
		out->right[i] = share * force + fall * body->mass * model->gravity[i];
		out->right[3 + i] = share * (torque - L_by[i]) + before_share * p_by[i];
		out->start[i] = share * body->v[i];
		out->start[3 + i] *= share / timestep;
	}
}

/* Clears the entries out of the plane of a planar body, for which there are no balances. */
static void keep_plane(const AbutBodyWork *body, AbutBodyParameter *out)
{
	if (body->planar) {
		out->right[1] = out->right[3] = out->right[5] = 0.0;
	}
}

void abut_body_parameter(const AbutModel *model, const AbutBodyWork *body, double timestep, bool first,
                         const AbutParameter *parameter, AbutBodyParameter *out)
{
	memset(out, 0, sizeof *out);
	if (body->moving < 0 || (parameter->body >= 0 && parameter->body != body->body)) {
		return;
	}
	switch ((int)parameter->kind) {
	case ABUT_PARAMETER_TIMESTEP:
		by_timestep(model, body, timestep, first, out);
		break;
	case ABUT_PARAMETER_GRAVITY:
		out->right[parameter->index] =
		    body->mass * abut_gravity_time(model, body, timestep, length_before(body, timestep));
		break;
	case ABUT_PARAMETER_MASS:
		by_mass(model, body, timestep, out);
		break;
	case ABUT_PARAMETER_INERTIA:
		by_inertia(body, timestep, parameter->index, out);
		break;
	case ABUT_PARAMETER_CENTRE_OF_MASS:
		for (int i = 0; first && i < 3; i++) {
			out->start[i] = body->R0[3 * i + parameter->index];
		}
		break;
	default: /* no body depends on it */
		break;
	}
	keep_plane(body, out);
}
