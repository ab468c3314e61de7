/* Measures what sensors report of a step, as means over it. Tested in tests/dynamics/sensor/. */
#pragma once

#include "dynamics/model/model.h"
#include "dynamics/state/state.h"

/* A step that is solved, before the state takes its motion. */
typedef struct AbutSensorStep {
	const AbutMotion *before, *after; /* (n_bodies) motion at the start, and at the end of moving bodies */
	const double *loads;              /* (n_joints x 6) impulses on the children (dynamics/joint/keep.h) */
	int n_contacts;
	const int *active; /* (n_contacts) indices of the contacts in `contacts` */
	const AbutContact *contacts;
} AbutSensorStep;

/* Computes the values that states keep. With h the timestep and T the time between the instants of both velocities (h,
 * unless the step or the last one was taken in parts), the lever r from the centre of mass to the frame, and body axes
 * at the start of the step,
 *
 *     imu             (v+ - v) / T - g + (w+ - w) / T x r + (w+ x (w+ x r) + w x (w x r)) / 2, and w+
 *     force_torque    impulses of all rows of the joint / h
 *     contact_force   impulses of the body's contacts / h */
void abut_sensors_measure(const AbutModel *model, const AbutSensorStep *step, double *out);
