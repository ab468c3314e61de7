/* Finds where a joint was before the step before. */
#include "dynamics/joint/before.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/balance.h"
#include "dynamics/joint/evaluate.h"
#include "dynamics/joint/turn.h"

void abut_joint_place_before(const AbutJointWork *work, double h, AbutJointBefore *out)
{
	static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	out->work = *work;
	out->work.pose.near = NULL;
	out->work.pose.from = NULL; /* the rows of spins are the axes of b */
	for (int s = 0; s < 2; s++) {
		AbutBodyWork *body = &out->body[s];
		*body = *work->body[s];
		out->work.body[s] = body;
		const double *v = body->v0, *w = body->w0, y[6] = {v[0], v[1], v[2], w[0], w[1], w[2]};
		memcpy(body->R0, identity, sizeof identity);
		body->moved_by = 0.0;
		abut_body_move(body, h, y);
		memcpy(out->E[s], body->R, sizeof out->E[s]);
		memcpy(out->G[s], body->G, sizeof out->G[s]);
		abut_mat3_transposed_mul(out->E[s], work->body[s]->R0, body->R);
	}
	abut_joint_place(&out->work, -h, out->rows);
}

void abut_joint_rates_before(const AbutJointWork *work, double h, double rate[ABUT_JOINT_FREEDOMS])
{
	const AbutJoint *joint = work->joint;
	AbutJointBefore before;
	AbutJointRow rows[ABUT_JOINT_FREEDOMS];
	AbutJointPose pose = work->pose;
	double from[9];
	abut_joint_place_before(work, h, &before);
	abut_mat3_transposed_mul(before.work.pose.A, before.work.pose.B, from);
	pose.from = from;
	abut_joint_free_rows(joint->kind, &pose, rows);
	for (int i = 0; i < joint->kind->n_freedoms; i++) {
		const double now = work->rows[joint->n_held + i].value;
		const double then = before.work.rows[joint->n_held + i].value;
		rate[i] = joint->kind->freedom[i].spins      ? rows[i].value / h
		          : abut_joint_turns(joint->kind, i) ? abut_joint_unwrap(now - then, 0.0) / h
		                                             : (now - then) / h;
	}
}
