/* Evaluates a joint: its rows at the end of the step, the impulses of its laws, and what both bodies receive. */
#include "dynamics/joint/evaluate.h"

#include <string.h>

#include "base/clones.h"
#include "base/vec3.h"
#include "dynamics/joint/spin.h"

/* Computes the geometry of the joint. */
ALWAYS_INLINE void place_frames(AbutJointWork *work, double timestep)
{
	const AbutJoint *joint = work->joint;
	const AbutBodyWork *a = work->body[0], *b = work->body[1];
	AbutJointPose *pose = &work->pose;
	abut_mat3_vec(a->R, joint->place[0], work->lever[0]);
	abut_mat3_vec(b->R, joint->place[1], work->lever[1]);
	for (int i = 0; i < 3; i++) { /* from differences, so that no digits are lost far from the origin */
		pose->d[i] = work->d0[i] + timestep * (b->v[i] - a->v[i]) + work->lever[1][i] - work->lever[0][i];
	}
	abut_mat3_mul(a->R, joint->axes[0], pose->A);
	abut_mat3_mul(b->R, joint->axes[1], pose->B);
	pose->length = joint->length;
	pose->cone = joint->cone;
	if (abut_joint_kind_turning(joint->kind)) {
		abut_add3(work->lever[0], pose->d, work->lever[0]);
	}
}

/* Writes `sign` times a body's share of a row: the force n at the lever and the torque t. */
ALWAYS_INLINE void write_side(const AbutBodyWork *body, const double lever[3], const AbutJointRow *row, double sign,
                              double *out)
{
	double moment[3];
	if (body->moving < 0) {
		return;
	}
	abut_cross3(lever, row->n, moment);
	for (int i = 0; i < 3; i++) {
		out[i] = sign * row->n[i];
		out[3 + i] = sign * (moment[i] + row->t[i]);
	}
	if (body->planar) {
		out[1] = out[3] = out[5] = 0.0;
	}
}

ALWAYS_INLINE void place(AbutJointWork *work, double timestep, AbutJointColumns *columns)
{
	const int n = abut_joint_rows(work->joint);
	place_frames(work, timestep);
	abut_joint_held_rows(work->joint->kind, &work->pose, work->rows);
	abut_joint_free_rows(work->joint->kind, &work->pose, &work->rows[work->joint->n_held]);
	abut_joint_bound_rows(work->joint->kind, &work->pose,
	                      &work->rows[work->joint->n_held + work->joint->kind->n_freedoms]);
	memset(columns, 0, (size_t)n * sizeof *columns);
	for (int i = 0; i < n; i++) {
		write_side(work->body[0], work->lever[0], &work->rows[i], -1.0, columns[i]);
		write_side(work->body[1], work->lever[1], &work->rows[i], 1.0, &columns[i][ABUT_SIDE_1]);
	}
}

ABUT_CLONES void abut_joint_place(AbutJointWork *work, double timestep, AbutJointColumns *columns)
{
	place(work, timestep, columns);
}

/* Computes the derivatives of the rates by the bodies' velocities: a turn dTheta = G dw, and dx = dt dv. */
ALWAYS_INLINE void rate_columns(AbutJointWork *work, double timestep)
{
	const int n = abut_joint_rows(work->joint);
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = work->body[s];
		const int column = abut_joint_column[s];
		double G[9];
		for (int k = 0; body->moving >= 0 && k < 9; k++) {
			G[k] = body->G[k] / timestep;
		}
		for (int i = 0; i < n; i++) {
			const double *in = &work->end[i][column];
			double *out = &work->j[i][column];
			if (body->moving < 0) {
				memset(out, 0, 6 * sizeof *out);
				continue;
			}
			abut_copy3(in, out);
			abut_mat3_tvec(G, &in[3], &out[3]);
			if (body->planar) {
				out[3] = out[5] = 0.0;
			}
		}
	}
}

/* Sets the coordinates and rates of the freedoms. The value of a turn or spin is that in the step, so that its rate
 * keeps its digits after many revolutions. */
ALWAYS_INLINE void move_axes(AbutJointWork *work, double timestep)
{
	for (int i = 0; i < work->joint->kind->n_laws; i++) {
		AbutJointAxisWork *axis = &work->axis[i];
		const double value = work->rows[work->joint->n_held + i].value;
		if (i < work->joint->kind->n_freedoms && abut_joint_turns(work->joint->kind, i)) {
			axis->c = axis->from.c + value;
			axis->rate = value / timestep;
			continue;
		}
		axis->c = work->joint->kind->freedom[i].bound == ABUT_BOUND_TWIST
		              ? abut_joint_unwrap(value, axis->from.c)
		              : value;
		axis->rate = (axis->c - axis->from.c) / timestep;
	}
}

/* Returns whether a row acts on no body: planar bodies fulfil it by themselves. */
ALWAYS_INLINE bool is_null(const double *row)
{
	int k = 0;
	while (k < ABUT_ROW && row[k] == 0.0) {
		k++;
	}
	return k == ABUT_ROW;
}

/* Adds to g what the shift of a body's lever adds to the moments at the end. */
ALWAYS_INLINE void add_shift(AbutJointWork *work, int s)
{
	const double factor = s == 0 ? -work->theta : work->theta;
	for (int i = 0; i < abut_joint_rows(work->joint); i++) {
		double moment[3], *g = &work->g[i][abut_joint_column[s] + 3];
		abut_cross3(work->shift[s], work->rows[i].n, moment);
		if (work->body[s]->planar) {
			moment[0] = moment[2] = 0.0;
		}
		abut_add_scaled3(g, factor, moment, g);
	}
}

/* Sets the rows g. Where theta is 0, they stay those at the start. */
ALWAYS_INLINE void set_direction(AbutJointWork *work, double timestep)
{
	const int n = abut_joint_rows(work->joint);
	if (work->theta > 0.0) {
		double apart[3];
		for (int i = 0; i < n; i++) {
			for (int k = 0; k < ABUT_ROW; k++) {
				work->g[i][k] = (1.0 - work->theta) * work->start[i][k] + work->theta * work->end[i][k];
			}
		}
		abut_sub3(work->body[1]->v, work->body[0]->v, apart);
		abut_scale3(-timestep * work->share, apart, work->shift[0]);
		abut_scale3(timestep * (1.0 - work->share), apart, work->shift[1]);
		for (int s = 0; s < 2; s++) {
			if (work->body[s]->moving >= 0) {
				add_shift(work, s);
			}
		}
	} else if (work->turned_g) {
		memcpy(work->g, work->start, (size_t)n * sizeof *work->g);
	}
	work->turned_g = work->theta > 0.0;
	for (int i = work->joint->n_held + work->joint->kind->n_freedoms; i < n; i++) {
		for (int k = 0; k < ABUT_ROW; k++) {
			work->g[i][k] =
			    (1.0 - work->ball.theta) * work->start[i][k] + work->ball.theta * work->end[i][k];
		}
	}
}

ALWAYS_INLINE void push_bodies(const AbutJointWork *work, double *r_bodies)
{
	const int n = abut_joint_rows(work->joint);
	for (int s = 0; s < 2; s++) {
		const int moving = work->body[s]->moving;
		double sum[6];
		if (moving < 0) {
			continue;
		}
		memcpy(sum, &r_bodies[6 * moving], sizeof sum);
		for (int i = 0; i < n; i++) {
			for (int k = 0; k < 6; k++) {
				sum[k] -= work->impulse[i] * work->g[i][abut_joint_column[s] + k];
			}
		}
		memcpy(&r_bodies[6 * moving], sum, sizeof sum);
	}
}

ABUT_CLONES void abut_joint_evaluate(AbutJointWork *work, double timestep, const double *y, const double *z, double *r,
                                     double *H, double *r_bodies)
{
	const AbutJoint *joint = work->joint;
	const int n_held = joint->n_held;
	place(work, timestep, work->end);
	rate_columns(work, timestep);
	set_direction(work, timestep);
	for (int i = 0; i < n_held; i++) {
		work->impulse[i] = y[i];
		r[i] =
		    is_null(work->end[i]) ? 0.0 : work->rows[i].value / timestep; /* a null row keeps the impulse 0 */
	}
	move_axes(work, timestep);
	for (int i = 0; i < joint->kind->n_laws; i++) {
		work->impulse[n_held + i] = abut_axis_evaluate(&work->axis[i], y, z, r, H);
	}
	if (abut_joint_spins_clipped(work)) {
		abut_spins_evaluate(work, y, z, r, H);
	}
	push_bodies(work, r_bodies);
}
