/* The laws of one freedom of a joint with coordinate c, and rate c' = (c+ - c) / dt in the step. Impulses on the
 * coordinate:
 *
 *     passive    I = -dt k ((c+ + 2 c + c-) / 4 - reference) - dt d c' - armature (c' - c'-) + dt effort
 *     limits     lo >= 0, w_l (c+ - lower) >= 0;  hi likewise;  I = lo - hi
 *     friction   (1, b) o (psi, w_f c') = kappa e;  I = dt f b
 *     servo      effort kp (target - c+) - kd c' at the end of the step. With K = dt (dt kp + kd) and the rate u for
 *                which it vanishes, I = K (u - c'): a held rate with the compliance 1 / K. Any gain is stable.
 *                Limited: (1, m) o (psi, c' - u + dt f m / K) = kappa e;  I = dt f m
 *
 * The mean (c+ + 2 c + c-) / 4 of a spring conserves its energy, also after a change of the timestep (setup_passive);
 * at c+ alone, it would damp. With q = dt^2 k / J, however, the mean rule takes a stretched spring from rest to (1 - 3
 * q / 4) / (1 + q / 4) of its stretch, and for q > 2 to more energy than it had: up to nine times. The spring then acts
 * at beta c+ + (1 - beta) (mean). From rest, its energy does not rise if q (1 - 3 beta) <= 2, so
 *
 *     beta = n / (n + 1 + q),     n = (1 + h / dt) (1 + q) / 2 - 2 - q / 2,     q > 2,
 *
 * with the length h of the last step; for h = dt that is (1 - 2 / q) / 3. J is the inertia of the freedom while its own
 * joint is closed. Friction and limited servos are one form, the clipped impulse: friction has u = 0 and no compliance.
 * The cone is one with a free head and the constant head dual 1.
 *
 * Tested in tests/dynamics/joint/test_laws.c. */
#pragma once

#include "dynamics/model/joint.h"
#include "solver/cones/cones.h"

/* A held row has the compliance delta / C in place of 0, with a typical inertia C (condense.c). */
static const double abut_joint_delta = 1e-8;
/* Weight w_l of the slacks of limits, that of contacts (docs/formulation.md 3). */
static const double abut_limit_weight = 10.0;
/* Weight w_f of the slack of friction, that of contacts. */
static const double abut_friction_weight = 0.1;

/* Returns the weight C of dry friction's cone in z - C H: the inertia over its largest impulse, so that both have one
 * size. It is bounded, because H has the rounding of a rate, and C times that must stay below the tolerance. */
static inline double abut_friction_scaling(double inertia, double scale)
{
	static const double most = 1e4;
	const double weight = inertia / (abut_friction_weight * scale);
	return weight < most ? weight : most;
}

/* Impulse clipped to [-scale, scale]: scale b, with the slack weight (c' - u + compliance scale b). */
typedef struct AbutClipped {
	bool there;
	int psi_y, z; /* places in the joint's y and z */
	const AbutCone *cone;
	double scale, weight, u, compliance;
} AbutClipped;

enum { ABUT_SPIN_CONE = 4 }; /* dimension of the cones of a ball's spins */
enum { ABUT_CLIP_FRICTION, ABUT_CLIP_SERVO, ABUT_CLIPS };

/* Input of a law's setup: the step, and the freedom's last solution. */
typedef struct AbutAxisStart {
	double timestep, last_timestep; /* `timestep` if there was no last step */
	double c, last_rate;            /* at the start of the step */
	double inertia;                 /* of the coordinate, armature included */
	double guided_inertia; /* the same with the joint's held rows closed, if the spring is stiff for `inertia` */
	double target;         /* of the motor */
	bool known;            /* last_rate is of the last step; otherwise from the bodies' velocities */
	bool at_rest;          /* quasi-static: last_rate is 0, and springs act at c+ */
} AbutAxisStart;

typedef struct AbutJointAxisWork {
	AbutAxisStart from;
	double c, rate;         /* c+ and c' at the iterate */
	double I0, slope;       /* passive impulse I0 - slope c' */
	double spring_end;      /* share of the end of the step in the spring */
	double given;           /* the part of I0 that a motor with a given effort exerts */
	double geared;          /* impulse of couplings (coupling.h) */
	const AbutCone *limits; /* NULL: none; of dimension 1: only the lower one */
	int limits_z;
	double lower, upper;
	AbutClipped clip[ABUT_CLIPS];
	int servo_y;                               /* place of a free servo's impulse; < 0: none */
	double servo_u, servo_compliance, regular; /* free servo; delta / C */
} AbutJointAxisWork;

/* Places of the next unknowns and cones. */
typedef struct AbutAxisPlace {
	int y, z;            /* in the joint's y and z */
	int z_of_joint, law; /* first entry of the joint's z, and of its laws, among the island's */
	AbutCone *cones;     /* the next cones */
} AbutAxisPlace;
/* Returns whether the guided inertia matters: whether a spring is too stiff for the timestep on the inertia at hand. */
bool abut_axis_is_stiff(const AbutJointLaw *law, const AbutAxisStart *start);

/* Sets up a freedom's law and its cones at `next`, and advances it. */
void abut_axis_setup(const AbutJointLaw *law, const AbutAxisStart *start, AbutAxisPlace *next, AbutJointAxisWork *axis);

/* Evaluates the law at axis->c and rate: adds to r and H of the joint, and returns the impulse. */
double abut_axis_evaluate(const AbutJointAxisWork *axis, const double *y, const double *z, double *r, double *H);
/* Eliminates the law: the change of the impulse is lane[0] + weight lane[1] - stiffness dc'. `r` are the joint's
 * residuals. */
void abut_axis_condense(const AbutJointAxisWork *axis, double timestep, const double *r, const AbutConeLaw *law,
                        double lane[2], double *stiffness);
/* Returns the stiffness of the law without its bounded impulses: limits, friction and limited servos. */
double abut_axis_stiffness(const AbutJointAxisWork *axis);

/* Changes of a joint's unknowns and slacks. */
typedef struct AbutJointChange {
	double *dy, *dz, *dH;
} AbutJointChange;

/* Computes the changes of the law's unknowns for the change `drate` of the rate, with the `weight` of the second
 * right-hand side. */
void abut_axis_recover(const AbutJointAxisWork *axis, double timestep, const double *r, const AbutConeLaw *law,
                       double weight, double drate, const AbutJointChange *change);
