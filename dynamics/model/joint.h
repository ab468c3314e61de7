/* Joints of a model, in model units: frames from the centres of mass, laws, and the sizes of their unknowns. */
#pragma once

#include "abut/joint.h"
#include "dynamics/joint/kinds/rows.h"
#include "dynamics/model/model.h"

typedef enum AbutServo {
	ABUT_SERVO_NONE,
	ABUT_SERVO_EFFORT,  /* a given effort */
	ABUT_SERVO_FREE,    /* a position or velocity motor without a limit */
	ABUT_SERVO_LIMITED, /* a position or velocity motor with a limit */
} AbutServo;

/* What acts on a freedom; turns and slides in their model units. */
typedef struct AbutJointLaw {
	bool limited, rubs;              /* has limits, has dry friction */
	bool one_sided;                  /* only the lower limit */
	bool soft_limits, soft_friction; /* has them as soft rows of method convex, in place of the two above */
	double lower, upper;
	double reference, stiffness, damping, friction, armature;
	AbutServo servo;
	bool to_position; /* the motor has a target position, not a target rate */
	double motor_stiffness, motor_damping, motor_limit;
	double target_unit; /* of the motor's target, in SI; 0: no motor */
} AbutJointLaw;

/* Limits, dry friction and held freedoms as soft rows of method convex. */
typedef struct AbutJointSoftness {
	bool on;
	bool yields;                            /* springs hold it, so that its kind has no rows */
	AbutSoftness limit, friction, equality; /* SI */
	double mobility[ABUT_JOINT_FREEDOMS];   /* acceleration per effort (dynamics/joint/mobility.h) */
} AbutJointSoftness;

typedef struct AbutJoint {
	const char *name;
	AbutJointType type;
	const AbutJointKind *kind;
	int body[2];                               /* parent and child; the world is body AbutModel.n_bodies */
	double place[2][3];                        /* anchors, from the centre of mass, body axes */
	double axes[2][9];                         /* rotations from the joint's frame to the body's axes */
	double length, cone;                       /* of a rod; sine of the largest angle of a ball's cone */
	AbutJointAxis acting[ABUT_JOINT_FREEDOMS]; /* what acts on the freedoms, as defined; SI */
	AbutJointLaw law[ABUT_JOINT_LAWS];         /* the same in model units, also of a ball's bounds */
	double target[ABUT_JOINT_FREEDOMS];        /* of the motors at the start; SI */
	double start[ABUT_JOINT_FREEDOMS];         /* coordinates at the initial poses, turns inside their limits */
	bool geared[ABUT_JOINT_FREEDOMS];          /* a coupling acts on the freedom */
	double carried[2];                         /* mass and inertia behind light links (light_links.h) */
	AbutJointSoftness soft;
	bool placed, driven; /* initial coordinates, and initial rates, are given */
	double position[ABUT_JOINT_FREEDOMS], velocity[ABUT_JOINT_FREEDOMS]; /* the given ones; SI */
	int n_held, n_y, n_z, n_law, n_cones;                                /* sizes of its unknowns */
} AbutJoint;

/* Returns whether something acts on a freedom, or on a ball. */
static inline bool abut_joint_acts(const AbutJointAxis *axis)
{
	return axis->has_limits || axis->stiffness > 0.0 || axis->damping > 0.0 || axis->friction > 0.0 ||
	       axis->armature > 0.0 || axis->motor.type != ABUT_MOTOR_NONE;
}

/* Returns whether the freedom has limits, hard or soft. */
static inline bool abut_joint_law_has_limits(const AbutJointLaw *law)
{
	return law->limited || law->soft_limits;
}

/* Returns whether freedom `i` of a kind is a turn or spin; otherwise it is a slide. */
static inline bool abut_joint_turns(const AbutJointKind *kind, int i)
{
	return kind->freedom[i].slide < 0;
}

/* Returns whether freedom `i` is a turn whose revolutions are counted. */
static inline bool abut_joint_winds(const AbutJointKind *kind, int i)
{
	return i < kind->n_freedoms && abut_joint_turns(kind, i) && !kind->freedom[i].spins;
}

/* Returns the kind with the rows of all coordinates: a ball on which nothing acts has rows of none, so that steps do
 * not compute them. */
const AbutJointKind *abut_joint_coordinates(const AbutJoint *joint);
/* Sets laws, targets and sizes of a joint from what acts on its freedoms. */
void abut_joint_set_laws(const AbutUnits *units, AbutJoint *joint);

/* Compiles the joints of a checked definition into a scaled model. */
AbutStatus abut_joints_create(const AbutSceneDef *def, AbutModel *model, AbutError *error);
/* Copies the joints to a copy of the model, whose own arrays of joints are NULL. */
AbutStatus abut_joints_copy(const AbutModel *from, AbutModel *copy, AbutError *error);
/* Keeps the anchors of the copy in place on bodies whose centre of mass has moved. */
void abut_joints_move(const AbutModel *from, AbutModel *copy);
