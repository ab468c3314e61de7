/* Momenta of jointed bodies, for tests. */
#pragma once

#include "dynamics/joint_scenes.h"
#include "dynamics/model/model.h"
#include "dynamics/state/state.h"

/* Linear momentum, and the angular momentum that a step conserves: x x m v + R (c J w - (dt/2) w x J w) about the
 * origin, with the length dt of the last part of the step. */
static inline void joint_scene_momenta(const JointScene *scene, double P[3], double L[3])
{
	memset(P, 0, 3 * sizeof *P);
	memset(L, 0, 3 * sizeof *L);
	for (int i = 0; i < scene->def.n_bodies; i++) {
		const AbutBody *body = &scene->model->bodies[i];
		const AbutBodyState *s = &scene->state->motion[i].at;
		double p[3], orbit[3], Jw[3], gyro[3], R[9];
		const double half = 0.5 * scene->state->motion[i].last_timestep * scene->model->units.time;
		const double *w = s->angular_velocity;
		const double c = sqrt(1.0 - half * half * abut_dot3(w, w));
		abut_scale3(body->mass_si, s->linear_velocity, p);
		abut_cross3(s->position, p, orbit);
		abut_mat3_vec(body->inertia_si, w, Jw);
		abut_cross3(w, Jw, gyro);
		for (int k = 0; k < 3; k++) {
			Jw[k] = c * Jw[k] - half * gyro[k];
		}
		abut_quat_to_mat3(s->orientation, R);
		abut_mat3_vec(R, Jw, Jw);
		for (int k = 0; k < 3; k++) {
			P[k] += p[k];
			L[k] += orbit[k] + Jw[k];
		}
	}
}
