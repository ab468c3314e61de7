/* Planning tasks of robots, read from the settings of an experiment. */
#pragma once

#include "experiments/ilqr/robot_plan.h"
#include "experiments/suite/frames.h"
#include "experiments/suite/spec.h"

enum { ABUT_TASKS = 4, ABUT_TASK_WAYPOINTS = 8, ABUT_TASK_JOINTS = 24 };

/* Weights of squared errors: of the base's place (m) and turn (rad), of the coordinates of joints, and of the base's
 * linear and angular velocity and the rates of joints. */
typedef struct AbutTaskWeights {
	double place, turn, joints, linear, angular, rates;
} AbutTaskWeights;

/* What the robot should do at a step: a displacement of its base from the start (m), and coordinates of joints with one
 * freedom. All else stays as at the start. The base is the first one of the scene; further free bodies are weighed as
 * joints. Until then, steps are weighed by their distance from it with the task's `running` weights.
 */
typedef struct AbutTaskWaypoint {
	int step;
	double base[3];
	int n_joints;
	const char *joints[ABUT_TASK_JOINTS];
	double coordinates[ABUT_TASK_JOINTS]; /* m or rad */
	AbutTaskWeights weights;
} AbutTaskWaypoint;

/* A trot, which the reference follows: diagonal feet swing in turn (gait.h). */
typedef struct AbutTaskGait {
	bool given;
	double period, lift; /* s; m, height of a swinging foot above its stance */
	double lead;         /* s in which all feet stand, at both ends */
} AbutTaskGait;

typedef struct AbutTask {
	const char *name, *scene;
	int horizon;
	double timestep; /* s */
	bool rests;      /* inputs start at, and are weighed from, the efforts that hold the start */
	double push;     /* else the first guess of all inputs */
	double effort;   /* weight of squared inputs */
	AbutTaskWeights running;
	AbutTaskWaypoint waypoints[ABUT_TASK_WAYPOINTS]; /* in order of their steps; the last is at the horizon */
	int n_waypoints;
	AbutTaskGait gait;
	bool bound_place, bound_turn, bound_joints, bound_rates; /* what must be exact at the end; rates of all */
	double tolerance;
	AbutPlanSearch search;
	AbutView view;
} AbutTask;

typedef struct AbutTaskSettings {
	AbutTask tasks[ABUT_TASKS];
	int n_tasks;
} AbutTaskSettings;

/* Reads the settings of the experiment `name`; `spec` stays open as long as they are used. */
AbutStatus abut_task_read(const char *path, const char *name, AbutSpec *spec, AbutTaskSettings *out, AbutError *error);
