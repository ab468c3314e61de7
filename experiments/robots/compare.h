/* Measures the steps of robots in Abut and in MuJoCo, in turn. */
#pragma once

#include "abut/status.h"
#include "experiments/robots/robots.h"

/* A robot and what it does. Controls are drawn for 50 ms each. */
typedef struct AbutRobotCase {
	const char *name;
	int chain;       /* links of a chain; 0: the ant */
	double height;   /* m, of the ant */
	double settle;   /* s before the measured steps, without controls */
	double duration; /* s of measured steps */
	int runs;        /* numbers of controls; 1 without controls */
	bool controlled; /* the motors have random torques */
	double bound;    /* largest ratio of the times of Abut and MuJoCo */
} AbutRobotCase;

typedef struct AbutRobotResult {
	long steps;
	double us, mujoco_us;    /* mean time of a step, CPU time of the thread; NaN without MuJoCo */
	double iterations;       /* Newton factorisations per step */
	double exact_share;      /* share of the steps */
	long failed, halved;     /* steps */
	double jacobian_us;      /* mean time of a step's derivative by state and input, beyond the step */
	double jacobian_step_us; /* mean time of these steps, which are the first of each 50 ms */
	double jacobian_share;   /* share of these steps that have a derivative */
	double violation;        /* m or rad, largest of all joints and their limits */
	double penetration, mujoco_penetration; /* m, largest */
} AbutRobotResult;

extern const AbutRobotCase abut_robot_cases[];
extern const int abut_robot_case_count;
bool abut_robot_case_chosen(int index, const char *prefix); /* by the start of its name; NULL: all */

/* Measures a case with a timestep of 5 ms; with `quick`, ten steps of one run. */
AbutStatus abut_robot_compare(const AbutRobotCase *which, unsigned long long seed, bool quick, AbutRobotResult *out,
                              AbutError *error);
