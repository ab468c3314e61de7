/* The state of a world: everything that changes from step to step. */
#pragma once

#include "abut/model.h"
#include "dynamics/model/model.h"
#include "dynamics/state/joint_memory.h"
#include "dynamics/state/memory.h"

/* The motion of a body, and the data from which the next step starts. */
typedef struct AbutMotion {
	AbutBodyState at;           /* SI; the position is that of the centre of mass */
	double past_velocity[2][6]; /* linear and angular velocity, one step and two steps ago; SI, world axes */
	double last_timestep;       /* length of the last step or part of a step; model units; 0: no last solution */
} AbutMotion;

struct AbutState {
	const AbutModel *model;  /* the model of the state */
	long steps;              /* number of steps taken */
	double time;             /* s; computed as steps times the timestep, so that rounding does not accumulate */
	AbutMotion *motion;      /* (n_bodies) */
	double *force, *torque;  /* (n_bodies x 3) SI; force in world axes, torque in body axes */
	AbutContactStore store;  /* memory of contacts, by key */
	AbutJointMemory *joints; /* (n_joints) */
	AbutCouplingMemory *couplings; /* (n_couplings) */
	double *targets;               /* (n_joints x ABUT_JOINT_FREEDOMS) of motors; SI */
	double *measured;              /* (sensors.n_kept) values of sensors in the last step, means; SI */
	void *memory;
	size_t memory_size;
};

/* Discards the last solution, so that the next step starts cold. */
void abut_state_drop_warm_start(const AbutModel *model, AbutState *state);

/* Return whether the body may have this motion, and this force and torque. The body must exist. */
bool abut_state_motion_possible(const AbutModel *model, int body, const AbutBodyState *value);
bool abut_state_input_possible(const AbutModel *model, int body, const double force[3], const double torque[3]);

/* Returns the length of the last step or part of a step, in s; the model's timestep if there is none. */
static inline double abut_state_last_timestep(const AbutModel *model, const AbutMotion *motion)
{
	const bool whole = motion->last_timestep == 0.0 || motion->last_timestep == model->timestep;
	return whole ? model->timestep_si : motion->last_timestep * model->units.time;
}
