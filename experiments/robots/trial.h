/* Runs a robot in Abut and in MuJoCo, and measures its steps. */
#pragma once

#include "experiments/robots/models.h"

/* A run of a robot. */
typedef struct AbutRobotTrial {
	const AbutRobotModel *robot;
	double timestep, duration; /* s */
	double settle;             /* s at the start whose steps are not timed */
	bool driven;               /* random targets, for 50 ms each; otherwise motors hold the start */
	unsigned long long seed;   /* of the targets */
	double impedance;          /* of contacts and limits in MuJoCo; 0: as in the file */
	double most;               /* rad/s or m/s: the run ends at a larger rate; 0: unbounded */
	void (*height)(void *context, double time, double height); /* called after each step; may be NULL */
	void *context;
} AbutRobotTrial;

/* Results, added up over runs. */
typedef struct AbutRobotMeasure {
	long runs, steps, failed, exact;  /* failed, exact: of Abut */
	long lost;                        /* runs with a failed step, a rate above `most`, or a warning of MuJoCo */
	long timed;                       /* steps that are timed */
	double us;                        /* of these steps, CPU time of the thread */
	double penetration;               /* m, largest */
	double limit, joint_m, joint_rad; /* rad or m, m, rad: largest violations; of joints NaN in MuJoCo */
	double speed;                     /* rad/s or m/s: largest rate of a coordinate */
	double height;                    /* m: of the torso at the end of the last run */
} AbutRobotMeasure;

/* Runs the trial and adds its results to `out`. */
AbutStatus abut_robot_try(const AbutRobotTrial *trial, AbutRobotMeasure *out, AbutError *error);
AbutStatus abut_robot_try_mujoco(const AbutRobotTrial *trial, AbutRobotMeasure *out, AbutError *error);
