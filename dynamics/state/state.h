/* Inside of AbutState: what changes from step to step. */
#ifndef DYNAMICS_STATE_STATE_H
#define DYNAMICS_STATE_STATE_H

#include "abut/model.h"
#include "dynamics/state/memory.h"

/* A body's motion, with what the next step starts from. */
typedef struct AbutMotion {
	AbutBodyState at;           /* SI, but position is that of the centre of mass */
	double past_velocity[2][6]; /* linear and angular (world), before the last step and the one before it, SI */
	double last_timestep;       /* of the step, or part of one, that ended here; model units; 0: no last solution */
} AbutMotion;

struct AbutState {
	const AbutModel *model; /* that it was made from */
	long steps;             /* taken */
	double time;            /* s: steps times the timestep, not their sum */
	AbutMotion *motion;     /* (n_bodies) */
	double *force, *torque; /* (n_bodies x 3) SI */
	AbutContactStore store; /* what contacts start from, by key */
	void *memory;
	size_t memory_size;
};

/* Forgets the last solution: the next step starts cold. */
void abut_state_drop_warm_start(const AbutModel *model, AbutState *state);

/* Return whether the body, which exists, can move so, or be pushed so. */
bool abut_state_motion_possible(const AbutModel *model, int body, const AbutBodyState *value);
bool abut_state_input_possible(const AbutModel *model, int body, const double force[3], const double torque[3]);

#endif
