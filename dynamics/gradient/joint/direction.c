/* Differentiates theta, the share of the end of the step in the direction of a joint's impulses
 * (dynamics/joint/direction.h), where it follows from the impulses of the last step, which stay the same. With the
 * stiffness K of a body's joints at the start, its inertia J, and a = dt |J^-1/2 K J^-1/2|,
 *
 *     theta = theta(a),         a^2 = dt^2 tr(J^-1 K J^-1 K'),
 *     dtheta = theta'(a) da,    a da = dt^2 (<J^-1 K J^-1, dK> - <P J^-1 P' + Q J^-1 Q', dJ> / 2),
 *
 * where P = J^-1 K, Q = J^-1 K', and dJ = [dTheta]x J - J [dTheta]x. For a planar body, a = dt |K_yy| / J_yy. dK
 * follows from the motion of the lever r, the force f and the torque tau of each joint of the body
 * (dynamics/joint/turn.c), by the poses of both of its bodies:
 *
 *     dK = sum sign (dr f' + r df' - (dr . f + r . df) I - [dtau]x).
 *
 * The bodies then receive X' I dtheta, with I the impulses and X = (g - row0) / theta the change of g by theta. Tested
 * in tests/dynamics/joint/test_joint_gradient.c. */
#include "dynamics/gradient/joint/direction.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/gradient/joint/start.h"
#include "dynamics/joint/direction.h"

void abut_gradient_directions_carve(const AbutDirectionAsk *ask, AbutArena *arena, AbutGradientDirections *out)
{
	out->n = 0;
	for (int i = 0; i < ask->n_joints; i++) {
		out->n += ask->joints[i].theta > 0.0;
	}
	const size_t some = out->n > 0 ? 1 : 0, n = (size_t)ask->n_moving;
	out->at = abut_arena_take(arena, (size_t)out->n, sizeof *out->at);
	out->places = abut_arena_take(arena, some * (size_t)ask->n_joints, sizeof *out->places);
	out->stiffness = abut_arena_take(arena, some * 9 * n, sizeof(double));
	for (int i = 0; i < out->n; i++) {
		double *by = abut_arena_take(arena, 6 * n, sizeof(double));
		if (arena->base) {
			out->at[i].by = by;
		}
	}
}

/* Sets the impulses that theta follows from: those of held rows and of couplings in the last step. */
static void last_impulses(const AbutDirectionAsk *ask, const AbutJointWork *work, double impulse[ABUT_JOINT_ROWS])
{
	const double last = work->last->timestep, share = last > 0.0 ? ask->timestep / last : 0.0;
	memset(impulse, 0, ABUT_JOINT_ROWS * sizeof *impulse);
	for (int i = 0; i < work->joint->n_held; i++) {
		impulse[i] = share * work->last->impulse[i];
	}
	for (int i = 0; i < 2 * ask->n_couplings; i++) {
		const AbutCouplingWork *coupling = &ask->couplings[i / 2];
		if (coupling->joint[i % 2] == work) {
			impulse[work->joint->n_held + coupling->coupling->axis[i % 2]] +=
			    coupling->coupling->factor[i % 2] * abut_coupling_start(coupling, ask->timestep);
		}
	}
}

static void place(const AbutDirectionAsk *ask, const AbutJointWork *work, AbutDirectionPlace *out)
{
	AbutJointStart start;
	double impulse[ABUT_JOINT_ROWS];
	abut_joint_start_place(work, &start);
	last_impulses(ask, work, impulse);
	memcpy(out->lever, start.work.lever, sizeof out->lever);
	memcpy(start.work.impulse, impulse, sizeof impulse);
	for (int i = 0; i < work->joint->kind->n_freedoms; i++) {
		start.work.axis[i].geared = impulse[work->joint->n_held + i];
	}
	abut_joint_wrench(&start.work, out->force, out->torque);
	for (int i = 0; i < 4; i++) {
		abut_joint_moved_by(&start.work, impulse, i / 2, i % 2 == 1, &out->by[i / 2][i % 2]);
	}
}

static void place_all(const AbutDirectionAsk *ask, const AbutGradientDirections *out)
{
	memset(out->stiffness, 0, 9 * (size_t)ask->n_moving * sizeof(double));
	for (int i = 0; i < ask->n_joints; i++) {
		AbutDirectionPlace *at = &out->places[i];
		place(ask, &ask->joints[i], at);
		for (int s = 0; s < 2; s++) {
			const int moving = ask->joints[i].body[s]->moving;
			if (moving >= 0) {
				abut_joint_add_stiffness(at->lever[s], at->force, at->torque, s,
				                         &out->stiffness[9 * moving]);
			}
		}
	}
}

/* The derivative of a^2 / (2 dt^2) of a body by K and, to be subtracted, by J. */
typedef struct Slope {
	double by_K[9], by_J[9];
} Slope;

/* out += A J^-1 A' / 2 */
static void add_square(const double A[9], const double inverse[9], double out[9])
{
	double product[9], square[9];
	abut_mat3_mul(A, inverse, product);
	abut_mat3_mul_transposed(product, A, square);
	for (int i = 0; i < 9; i++) {
		out[i] += 0.5 * square[i];
	}
}

static void slope_of(const AbutBodyWork *body, const double K[9], Slope *out)
{
	double inverse[9], P[9], Q[9];
	memset(out, 0, sizeof *out);
	if (body->planar) {
		out->by_K[4] = K[4] / (body->inertia[4] * body->inertia[4]);
		return;
	}
	for (int i = 0; i < 3; i++) {
		double unit[3] = {0.0};
		unit[i] = 1.0;
		abut_sym3_solve(body->inertia, unit, &inverse[3 * i]);
	}
	abut_mat3_mul(inverse, K, P);
	abut_mat3_mul_transposed(inverse, K, Q);
	abut_mat3_mul(P, inverse, out->by_K);
	add_square(P, inverse, out->by_J);
	add_square(Q, inverse, out->by_J);
}

static double inner(const double A[9], const double B[9])
{
	double sum = 0.0;
	for (int i = 0; i < 9; i++) {
		sum += A[i] * B[i];
	}
	return sum;
}

static void column_of(const double M[9], int column, double out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = M[3 * i + column];
	}
}

/* Adds the slope through the motion of a joint of the body, its side `s`. */
static void add_joint(const AbutDirectionPlace *at, const AbutJointWork *work, int s, const Slope *slope, double *by)
{
	for (int i = 0; i < 12; i++) {
		const AbutBodyWork *body = work->body[i / 6];
		const AbutJointMotion *motion = &at->by[i / 6][i % 6 / 3];
		double r[3], f[3], tau[3], K[9] = {0.0};
		if (body->moving < 0) {
			continue;
		}
		column_of(motion->lever[s], i % 3, r);
		column_of(motion->f, i % 3, f);
		column_of(motion->tau, i % 3, tau);
		abut_joint_add_stiffness(r, at->force, tau, s, K);
		abut_joint_add_stiffness(at->lever[s], f, (const double[3]){0.0, 0.0, 0.0}, s, K);
		by[6 * body->moving + i % 6] += inner(slope->by_K, K);
	}
}

/* Adds the slope through the turn of the body's inertia. */
static void add_inertia(const AbutBodyWork *body, const Slope *slope, double *by)
{
	for (int axis = 0; axis < 3; axis++) {
		double unit[3] = {0.0}, skew[9], left[9], right[9];
		unit[axis] = 1.0;
		abut_skew3(unit, skew);
		abut_mat3_mul(skew, body->inertia, left);
		abut_mat3_mul(body->inertia, skew, right);
		by[6 * body->moving + 3 + axis] -= inner(slope->by_J, left) - inner(slope->by_J, right);
	}
}

/* Takes changes of poses at the start to the next poses at fixed velocities, times `factor`. */
static void carry(const AbutDirectionAsk *ask, double factor, double *by)
{
	for (int i = 0; i < 2 * ask->n_joints; i++) {
		const AbutBodyWork *body = ask->joints[i / 2].body[i % 2];
		double T[9], *own = &by[6 * body->moving], turned[3];
		bool again = body->moving < 0;
		for (int k = 0; !again && k < i; k++) {
			again = ask->joints[k / 2].body[k % 2] == body;
		}
		if (!again) {
			abut_mat3_mul_transposed(body->R, body->R0, T);
			abut_mat3_vec(T, &own[3], turned);
			abut_scale3(factor, own, own);
			abut_scale3(factor, turned, &own[3]);
		}
	}
}

/* Computes dtheta of a joint. The side `s` has the larger load. */
static void differentiate(const AbutDirectionAsk *ask, const AbutGradientDirections *all, const AbutBodyWork *body,
                          double load, double *by)
{
	Slope slope;
	memset(by, 0, 6 * (size_t)ask->n_moving * sizeof *by);
	slope_of(body, &all->stiffness[9 * body->moving], &slope);
	for (int i = 0; i < 2 * ask->n_joints; i++) {
		if (ask->joints[i / 2].body[i % 2] == body) {
			add_joint(&all->places[i / 2], &ask->joints[i / 2], i % 2, &slope, by);
		}
	}
	add_inertia(body, &slope, by);
	carry(ask, abut_joint_theta_slope(load) * ask->timestep * ask->timestep / load, by);
}

static void push_of(const AbutJointWork *work, AbutGradientDirection *out)
{
	const int n = work->joint->n_held + work->joint->kind->n_freedoms;
	memset(out->push, 0, sizeof out->push);
	for (int s = 0; s < 2; s++) {
		const int column = abut_joint_column[s];
		out->body[s] = work->body[s]->moving;
		for (int i = 0; out->body[s] >= 0 && i < n; i++) {
			for (int k = 0; k < 6; k++) {
				out->push[s][k] += work->impulse[i] *
				                   (work->g[i][column + k] - work->start[i][column + k]) / work->theta;
			}
		}
	}
}

const AbutJointWork *abut_gradient_directions_fill(const AbutDirectionAsk *ask, const AbutGradientDirections *out)
{
	static const double same = 1e-12;
	if (out->n == 0) {
		return NULL;
	}
	place_all(ask, out);
	AbutGradientDirection *to = out->at;
	for (int i = 0; i < ask->n_joints; i++) {
		const AbutJointWork *work = &ask->joints[i];
		const AbutBodyWork *most = NULL;
		double load = 0.0;
		for (int s = 0; s < 2; s++) {
			const AbutBodyWork *body = work->body[s];
			const double own = body->moving >= 0
			                       ? abut_joint_load(body, &out->stiffness[9 * body->moving], ask->timestep)
			                       : 0.0;
			most = own > load ? body : most;
			load = own > load ? own : load;
		}
		if (fabs(abut_joint_theta(load) - work->theta) > same) {
			return work;
		}
		if (most && work->theta > 0.0) {
			differentiate(ask, out, most, load, to->by);
			push_of(work, to++);
		}
	}
	return NULL;
}
