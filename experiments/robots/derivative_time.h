/* Measures the derivatives of steps of robots, and central differences instead. */
#pragma once

#include <stdbool.h>

#include "abut/model.h"

/* A robot, and the method with which it steps. */
typedef struct AbutDerivativeCase {
	const char *name;
	const char *robot; /* name of an AbutRobotSource; NULL: our own ant */
	AbutMethod method;
	double bound;        /* least ratio of the times of differences and of the derivative */
	double mujoco_bound; /* least ratio of MuJoCo's time to that of A and B; 0: none */
} AbutDerivativeCase;

typedef struct AbutDerivativeResult {
	int bodies, coordinates, motors;
	long steps, derivatives; /* steps that were measured; those that have a derivative */
	/* Mean CPU times of the thread over the steps with a derivative, the least of three: of a step, and of a step
	 * with the matrix by state and input. */
	double step_us, derivative_us;
	double differences_us; /* of central differences by the same columns, two steps for each */
	double joint_us;       /* of a step with A and B in joint coordinates (abut/linear.h) */
	double mujoco_us;      /* of MuJoCo's step and its one-sided differences for A and B; 0: not measured */
	double minimal_us;     /* of central differences by coordinates, rates and motors: so many mean steps */
} AbutDerivativeResult;

/* The most that a step with A and B in joint coordinates takes, in steps. */
extern const double abut_derivative_joint_bound;
extern const AbutDerivativeCase abut_derivative_cases[];
extern const int abut_derivative_case_count;
bool abut_derivative_case_chosen(int index, const char *prefix); /* by the start of its name; NULL: all */

/* Returns whether the robot's file exists in the folder `data`, which may be NULL. */
bool abut_derivative_case_exists(const AbutDerivativeCase *which, const char *data);

/* Measures every fifth step of a robot that falls on the floor with random targets, at a timestep of 10 ms; with
 * `quick`, two steps. */
AbutStatus abut_derivative_measure(const AbutDerivativeCase *which, const char *data, unsigned long long seed,
                                   bool quick, AbutDerivativeResult *out, AbutError *error);
