/* Computes the rates of joints in the step before a state (joint_rates.h). A step moves x by h v, and turns a body by
 * the quaternion (sqrt(1 - h^2 w^2 / 4), h w / 2) with the spin w after it (dynamics/body/balance.c). Tested in
 * tests/experiments/test_differences.c. */
#include "experiments/reference/joint_rates.h"

#include <math.h>

#include "base/rotation.h"
#include "base/vec3.h"
#include "dynamics/model/joint.h"
#include "dynamics/state/state.h"

/* Moves the body back by its present velocities. */
static void move_back(AbutBodyState *at, double h)
{
	double R[9], w[3], q[4];
	abut_quat_to_mat3(at->orientation, R);
	abut_mat3_vec(R, at->angular_velocity, w);
	const double back[4] = {sqrt(1.0 - 0.25 * h * h * abut_dot3(w, w)), -0.5 * h * w[0], -0.5 * h * w[1],
	                        -0.5 * h * w[2]};
	abut_add_scaled3(at->position, -h, at->linear_velocity, at->position);
	abut_quat_mul(back, at->orientation, q);
	abut_quat_normalise(q);
	for (int i = 0; i < 4; i++) {
		at->orientation[i] = q[i];
	}
}

/* Moves the bodies of a joint in `scratch` to where the last step began. */
static void begin_step(const AbutModel *model, const AbutState *state, int joint, AbutState *scratch)
{
	const double h = state->joints[joint].timestep * model->units.time;
	for (int s = 0; s < 2; s++) {
		const int body = model->joints.at[joint].body[s];
		if (body < model->n_bodies && !model->bodies[body].is_static) {
			scratch->motion[body].at = state->motion[body].at;
			move_back(&scratch->motion[body].at, h);
		}
	}
}

/* Computes the spins of a ball in the step between two rotation vectors: sine of its turn times the axis, per time. */
static void spins_between(const double before[3], const double now[3], double h, double out[3])
{
	double from[9], to[9], M[9];
	abut_rotation_to_mat3(before, from);
	abut_rotation_to_mat3(now, to);
	abut_mat3_transposed_mul(from, to, M);
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		out[i] = 0.5 * (M[3 * k + j] - M[3 * j + k]) / h;
	}
}

void abut_joint_rates(const AbutModel *model, const AbutState *state, AbutState *scratch, double *out)
{
	abut_state_copy(model, state, scratch);
	for (int joint = 0; joint < model->joints.n; joint++) {
		const AbutJoint *of = &model->joints.at[joint];
		const double h = state->joints[joint].timestep;
		AbutJointState now, before;
		begin_step(model, state, joint, scratch);
		const bool read = abut_joint_get(model, state, joint, &now) == ABUT_OK &&
		                  abut_joint_get(model, scratch, joint, &before) == ABUT_OK;
		for (int i = 0; i < ABUT_JOINT_FREEDOMS; i++) {
			const bool there = read && h > 0.0 && i < of->kind->n_freedoms;
			const double unit = there && !abut_joint_turns(of->kind, i) ? model->units.length : 1.0;
			out[ABUT_JOINT_FREEDOMS * joint + i] =
			    there ? (now.position[i] - before.position[i]) / (unit * h) : 0.0;
		}
		if (read && h > 0.0 && of->kind->freedom[0].spins) {
			spins_between(before.position, now.position, h, &out[ABUT_JOINT_FREEDOMS * joint]);
		}
	}
}
