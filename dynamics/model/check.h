/* Checks of a scene definition that need no model: values, names, and physical consistency. */
#pragma once

#include <math.h>

#include "dynamics/model/method.h"

/* Checks a scene definition. The error's `where` is a path inside the scene, such as "bodies[1].inertia". */
AbutStatus abut_scene_def_check(const AbutSceneDef *def, const AbutMethodRow *method, AbutError *error);

/* Largest length (m) and speed. Above it, squares and products in a step overflow or lose all digits. */
#define ABUT_LARGEST_MOTION 1e9
/* Largest input, and largest number of a state, which steps may raise above ABUT_LARGEST_MOTION. */
#define ABUT_LARGEST_INPUT 1e30

/* Check gravity, the timestep, and a body with `mass` (kg) and inertia (kg m^2, body axes). Refuse values that cannot
 * be simulated. */
AbutStatus abut_gravity_check(const double gravity[3], AbutError *error);
AbutStatus abut_timestep_check(double timestep, AbutError *error);
bool abut_mass_possible(double mass);
#define ABUT_MASS_ALLOWED "within 1e-60 and 1e60"
#define ABUT_INERTIA_ALLOWED "positive definite with no principal moment above the sum of the others"
AbutStatus abut_body_mass_check(const char *name, double mass, const double inertia[9], const char *where,
                                AbutError *error);

/* Returns whether derivatives exist at this kappa: 0 (the exact solution), or a value at which the path can stop. */
static inline bool abut_kappa_gradient_possible(double kappa)
{
	return kappa == 0.0 || (kappa >= 1e-12 && kappa <= 1.0);
}

/* Returns whether the motion stays in the plane of a planar body, up to rounding. */
bool abut_motion_planar(const AbutBodyState *motion);

/* Limits of a ball are at least this, rad: a smaller turn is held by another type of joint. At a right angle but this,
 * the direction of the cone's torque is still known to 13 digits, and the twist exists. */
static const double abut_ball_least_angle = 1e-3;

/* Returns whether a ball may have these limits. */
static inline bool abut_ball_limits_possible(const AbutJointAxis *axis)
{
	const double least = abut_ball_least_angle, pi = 3.14159265358979323846;
	return axis->lower >= least && axis->lower <= pi - least && axis->upper >= least && axis->upper <= pi;
}

/* Returns whether a value of a joint is 0 or of a magnitude at which its reciprocal does not overflow either. */
static inline bool abut_joint_value_possible(double value)
{
	return value == 0.0 || (fabs(value) >= 1e-30 && fabs(value) <= ABUT_LARGEST_INPUT);
}

/* Return whether a step can compute with this motion, or with this force or torque (see abut_state_set_body). */
bool abut_motion_possible(const AbutBodyState *motion, double timestep);
bool abut_input_possible(const double input[3]);
