/* Computes the momentum balance of a body with a variational integrator (Dojo eq. 16-18), both equations in world axes
 * (docs/formulation.md 2). With + for the velocity after the step,
 *
 *     r_v = m v+ - (m v + dt (m g + f))
 *     r_w = c+ J w+ + (dt/2) w+ x J w+ - (c J w - (dt/2) w x J w + dt tau),    c = sqrt(1 - |dt w / 2|^2)
 *
 * In the terms of the old w, c and dt are those of the last step. J is the inertia in world axes at the start of the
 * step. The next pose is x + dt v+ and the present orientation rotated by the quaternion (c+, dt w+ / 2). A change dw
 * of w+ rotates the next pose by G dw,
 *
 *     G = dt (c I + psi psi' / c + [psi]x),    psi = dt w+ / 2.
 *
 * For a planar body, the equations v_y = 0, w_x = 0, w_z = 0, with the weights m, J_xx, J_zz, replace those rows.
 * Forces out of its plane are not balanced; abut_contact_evaluate and abut_contact_condense omit them too.
 *
 * Compared with finite differences in tests/dynamics/contact/test_jacobian.c. */
#include "dynamics/body/balance.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

/* Rows of the balance that are replaced for a planar body. */
static const int across[3] = {1, 3, 5};

static double plane_weight(const AbutBodyWork *body, int row)
{
	return row < 3 ? body->mass : body->inertia[4 * (row - 3)];
}

static void gyroscopic(const double J[9], const double w[3], double Jw[3], double w_Jw[3])
{
	abut_mat3_vec(J, w, Jw);
	abut_cross3(w, Jw, w_Jw);
}

double abut_gravity_time(const AbutModel *model, const AbutBodyWork *body, double timestep, double before)
{
	return model->joints.n > 0 && !body->quasi_static ? 0.5 * (timestep + before) : timestep;
}

void abut_body_begin(const AbutModel *model, AbutBodyWork *body, double timestep, double last_timestep,
                     const double force[3], const double torque_world[3])
{
	double Jw[3], w_Jw[3];
	gyroscopic(body->inertia, body->w0, Jw, w_Jw);
	const double half = 0.5 * last_timestep;
	const double cosine = sqrt(1.0 - half * half * abut_dot3(body->w0, body->w0));
	const double fall = abut_gravity_time(model, body, timestep, last_timestep) / timestep;
	for (int i = 0; i < 3; i++) {
		const double weight = fall * model->gravity[i];
		body->momentum[i] = body->mass * body->v0[i] + timestep * (body->mass * weight + force[i]);
		body->momentum[3 + i] = cosine * Jw[i] - half * w_Jw[i] + timestep * torque_world[i];
	}
	for (int i = 0; body->planar && i < 3; i++) {
		body->momentum[across[i]] = 0.0;
	}
	for (int i = 0; i < 6; i++) {
		body->full_momentum[i] = body->momentum[i];
	}
}

/* Returns whether the body was last moved with these velocities, as in the first evaluation of a warm start. */
static bool has_moved(const AbutBodyWork *body, double timestep, const double *y)
{
	bool same = body->moved_by == timestep;
	for (int i = 0; i < 3; i++) {
		same = same && body->v[i] == y[i] && body->w[i] == y[3 + i];
	}
	return same;
}

void abut_body_move(AbutBodyWork *body, double timestep, const double *y)
{
	if (has_moved(body, timestep, y)) {
		return;
	}
	body->moved_by = timestep;
	const double half = 0.5 * timestep;
	abut_copy3(y, body->v);
	abut_copy3(&y[3], body->w);
	abut_scale3(half, &y[3], body->psi);
	abut_add_scaled3(body->x0, timestep, y, body->x);
	const double *psi = body->psi;
	const double c = sqrt(1.0 - abut_dot3(psi, psi));
	body->cosine = c;
	const double turn[4] = {c, psi[0], psi[1], psi[2]};
	double R_turn[9];
	abut_quat_to_mat3(turn, R_turn);
	abut_mat3_mul(R_turn, body->R0, body->R);
	abut_skew3(psi, body->G);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			body->G[3 * i + j] += psi[i] * psi[j] / c + (i == j ? c : 0.0);
			body->G[3 * i + j] *= timestep;
		}
	}
}

void abut_body_residual(const AbutBodyWork *body, double timestep, double r[6])
{
	double Jw[3], w_Jw[3];
	gyroscopic(body->inertia, body->w, Jw, w_Jw);
	for (int i = 0; i < 3; i++) {
		r[i] = body->mass * body->v[i] - body->momentum[i];
		r[3 + i] = body->cosine * Jw[i] + 0.5 * timestep * w_Jw[i] - body->momentum[3 + i];
	}
	for (int i = 0; body->planar && i < 3; i++) {
		const int row = across[i];
		r[row] = plane_weight(body, row) * (row < 3 ? body->v[row] : body->w[row - 3]);
	}
}

/* Computes d(c J w + h w x J w) / dw (row-major), with |h| half the timestep and c = sqrt(1 - |h w|^2). */
static void angular_block(const double J[9], const double w[3], double h, double cosine, double out[9])
{
	double Jw[3], w_Jw[3], skew_w[9], skew_Jw[9], w_J[9];
	gyroscopic(J, w, Jw, w_Jw);
	abut_skew3(w, skew_w);
	abut_skew3(Jw, skew_Jw);
	abut_mat3_mul(skew_w, J, w_J);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			out[3 * i + j] = cosine * J[3 * i + j] - h * h * Jw[i] * w[j] / cosine +
			                 h * (w_J[3 * i + j] - skew_Jw[3 * i + j]);
		}
	}
}

void abut_body_jacobian(const AbutBodyWork *body, double timestep, double J[36])
{
	double angular[9];
	angular_block(body->inertia, body->w, 0.5 * timestep, body->cosine, angular);
	memset(J, 0, 36 * sizeof *J);
	for (int i = 0; i < 3; i++) {
		J[6 * i + i] = body->mass;
		memcpy(&J[6 * (3 + i) + 3], &angular[3 * i], 3 * sizeof *J);
	}
	for (int i = 0; body->planar && i < 3; i++) {
		for (int j = 0; j < 6; j++) {
			J[6 * across[i] + j] = j == across[i] ? plane_weight(body, j) : 0.0;
		}
	}
}

void abut_body_old_momentum_jacobian(const AbutBodyWork *body, double timestep, double P[9])
{
	const double half = 0.5 * (body->last_timestep > 0.0 ? body->last_timestep : timestep);
	const double cosine = sqrt(1.0 - half * half * abut_dot3(body->w0, body->w0));
	angular_block(body->inertia, body->w0, -half, cosine, P);
}
