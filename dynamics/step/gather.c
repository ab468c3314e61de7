/* Sets the workspace's bodies from the state: converts SI to model units, and the inertia to world axes. */
#include "dynamics/step/gather.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/balance.h"

/* Sets a body of the workspace from its motion, for a given timestep. */
static void gather_body(const AbutModel *model, const AbutState *state, const AbutMotion *motion, double timestep,
                        AbutBodyWork *work)
{
	const int index = work->body;
	const AbutBody *body = &model->bodies[index];
	const AbutBodyState *s = &motion->at;
	const AbutUnits *u = &model->units;
	const double per_length = 1.0 / u->length, per_velocity = 1.0 / u->velocity;
	double w_body[3], RJ[9], force[3], torque[3];
	for (int i = 0; i < 3; i++) {
		work->x[i] = work->x0[i] = s->position[i] * per_length;
	}
	work->moved_by = 0.0;
	abut_quat_to_mat3(s->orientation, work->R0);
	memcpy(work->R, work->R0, sizeof work->R);
	if (body->is_static) { /* velocities of a static body stay zero */
		return;
	}
	const double per_force = u->time / u->impulse, per_torque = u->time / u->torsion;
	for (int i = 0; i < 3; i++) {
		work->v0[i] = s->linear_velocity[i] * per_velocity;
		w_body[i] = s->angular_velocity[i] * u->time;
		force[i] = state->force[3 * index + i] * per_force;
		torque[i] = state->torque[3 * index + i] * per_torque;
	}
	abut_mat3_vec(work->R0, w_body, work->w0);
	for (int i = 0; work->quasi_static && i < 3; i++) {
		work->v0[i] = work->w0[i] = 0.0;
	}
	if (work->planar) {
		work->v0[1] = work->w0[0] = work->w0[2] = 0.0; /* already zero, except for rounding */
	}
	work->mass = body->mass;
	work->least_inertia = body->least_inertia;
	work->radius = body->radius;
	work->last_timestep = motion->last_timestep;
	for (int k = 0; k < 2; k++) {
		abut_scale3(per_velocity, motion->past_velocity[k], work->past[k]);
		abut_scale3(u->time, &motion->past_velocity[k][3], &work->past[k][3]);
	}
	abut_mat3_mul(work->R0, body->inertia, RJ);
	abut_mat3_mul_transposed(RJ, work->R0, work->inertia);
	abut_mat3_vec(work->R0, torque, torque);
	/* length of the last step itself, so that momentum is conserved if the timestep changes */
	const double last = motion->last_timestep > 0.0 ? motion->last_timestep : timestep;
	abut_body_begin(model, work, timestep, last, force, torque);
}

void abut_step_gather_island(const AbutModel *model, const AbutState *state, AbutWorkspace *w,
                             const AbutIslandMembers *members, double timestep)
{
	for (int i = 0; i < members->size.n_bodies; i++) {
		AbutBodyWork *body = w->partition.moving[members->first_body + i];
		gather_body(model, state, &w->motion[body->body], timestep, body);
	}
}

void abut_step_gather(const AbutModel *model, const AbutState *state, AbutWorkspace *w, double timestep)
{
	for (int i = 0; i < model->n_bodies; i++) {
		gather_body(model, state, &state->motion[i], timestep, &w->bodies[i]);
	}
}
