/* Joints: edges between two bodies, of any graph, that hold some of their relative freedoms exactly at the end of every
 * step. Loops are ordinary joints. The definition is plain data; SI units, radians.
 *
 * A joint has a frame on each of its two bodies. Its coordinates are 0 where both frames coincide, and its axis is the
 * z axis of the frames. Freedoms in order (the columns of docs/interface.md, "Joints"):
 *
 *     fixed        none
 *     hinge        turn about z
 *     slide        slide along z
 *     ball         rotation vector from the parent's to the child's frame, in the parent's frame (3)
 *     universal    turn about the parent frame's x, then about the child frame's y (2)
 *     cylindrical  slide along z, turn about z (2)
 *     planar       slide along x, slide along y, turn about z (3)
 *     distance     none: a rod holds the distance of the two origins, and nothing else */
#ifndef ABUT_JOINT_H
#define ABUT_JOINT_H

#include <stdbool.h>

#include "abut/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Types of joints. X(constant, name in scene files). */
#define ABUT_JOINT_TYPE_LIST(X)                                                                                        \
	X(ABUT_JOINT_FIXED, "fixed")                                                                                   \
	X(ABUT_JOINT_HINGE, "hinge")                                                                                   \
	X(ABUT_JOINT_SLIDE, "slide")                                                                                   \
	X(ABUT_JOINT_BALL, "ball")                                                                                     \
	X(ABUT_JOINT_UNIVERSAL, "universal")                                                                           \
	X(ABUT_JOINT_CYLINDRICAL, "cylindrical")                                                                       \
	X(ABUT_JOINT_PLANAR, "planar")                                                                                 \
	X(ABUT_JOINT_DISTANCE, "distance")

/* Types of motors. X(constant, name in scene files). */
#define ABUT_MOTOR_TYPE_LIST(X)                                                                                        \
	X(ABUT_MOTOR_NONE, "none")                                                                                     \
	X(ABUT_MOTOR_FORCE, "force")       /* effort = target */                                                       \
	X(ABUT_MOTOR_POSITION, "position") /* effort = stiffness (target - q) - damping qdot */                        \
	X(ABUT_MOTOR_VELOCITY, "velocity") /* effort = damping (target - qdot) */

#define ABUT_X(constant, name) constant,
typedef enum AbutJointType { ABUT_JOINT_TYPE_LIST(ABUT_X) ABUT_JOINT_TYPE_COUNT } AbutJointType;
typedef enum AbutMotorType { ABUT_MOTOR_TYPE_LIST(ABUT_X) ABUT_MOTOR_TYPE_COUNT } AbutMotorType;
#undef ABUT_X

enum {
	ABUT_JOINTS_MAX = 20000, /* most joints of a scene, and most couplings */
	ABUT_JOINT_FREEDOMS = 3, /* most freedoms of a joint */
	ABUT_JOINT_WORLD = -1    /* `parent` of a joint to the world, whose frame is that of the world */
};

/* Names a `type` of joints as scene files do, such as "hinge"; "unknown" outside the enumeration. Static storage. */
ABUT_API const char *abut_joint_type_name(AbutJointType type);
ABUT_API const char *abut_motor_type_name(AbutMotorType type); /* Names a motor's `type`, see abut_joint_type_name. */
/* Returns the number of freedoms of a `type` of joint, 0 to ABUT_JOINT_FREEDOMS; 0 outside the enumeration. */
ABUT_API int abut_joint_type_freedoms(AbutJointType type);

/* A frame on a body, in the body's frame. */
typedef struct AbutJointFrame {
	double position[3];    /* m */
	double orientation[4]; /* unit quaternion [w, x, y, z], rotates the frame's vectors to the body's frame */
} AbutJointFrame;

/* A motor on a freedom. Its effort (N m for a turn, N for a slide) follows from the motion at the end of the step, so
 * that any gain is stable. */
typedef struct AbutMotorDef {
	AbutMotorType type; /* NONE: no motor */
	double stiffness;   /* position: N m/rad or N/m, >= 0 */
	double damping;     /* position, velocity: N m s/rad or N s/m, >= 0 */
	double limit;       /* N m or N, > 0: largest effort; INFINITY: none */
	double target;      /* N m or N (force); rad or m (position); rad/s or m/s (velocity) */
} AbutMotorDef;

/* What acts on one freedom of a joint. Turns: rad, N m; slides: m, N. */
typedef struct AbutJointAxis {
	bool has_limits;    /* `lower` and `upper` apply */
	double lower;       /* smallest coordinate; of a ball, the largest angle of its cone, 1e-3 to pi - 1e-3 */
	double upper;       /* largest coordinate, above `lower`; of a ball, the largest twist, 1e-3 to pi (no limit) */
	double reference;   /* coordinate at which the spring is at rest */
	double stiffness;   /* N m/rad or N/m, >= 0 */
	double damping;     /* N m s/rad or N s/m, >= 0 */
	double friction;    /* N m or N, >= 0: bound of dry friction, which sticks exactly below it */
	double armature;    /* kg m^2 or kg, >= 0: rotor inertia, resists the relative acceleration */
	AbutMotorDef motor; /* its effort is on the coordinate */
} AbutJointAxis;

/* How soft limits, dry friction or held freedoms are in method convex, with MuJoCo's parameters; other methods ignore
 * them. What is not given is that of the solver options, but for `margin`, which is then 0. */
typedef struct AbutJointSpring {
	bool has_solref, has_solimp, has_margin; /* which of the following are given */
	double solref[2]; /* time constant (s) and damping ratio; if not positive: -stiffness, -damping */
	double solimp[5]; /* impedance at and beyond the limit or rest, width (rad or m), midpoint, power */
	double margin;    /* rad or m, >= 0: limits push from this distance on */
} AbutJointSpring;

/* A joint of a scene. Fill it with abut_joint_def_default, then change it. */
typedef struct AbutJointDef {
	const char *name;            /* unique among joints, not empty */
	AbutJointType type;          /* free relative motions */
	int parent;                  /* index of the body, or ABUT_JOINT_WORLD */
	int child;                   /* index of the body */
	AbutJointFrame parent_frame; /* in the parent's frame; world axes for the world */
	AbutJointFrame child_frame;  /* in the child's frame */
	double length;               /* distance: m, > 0 */
	bool collide;                /* the two bodies may touch each other */
	/* Freedoms in the order of the type. A ball has the same scalars for all three, in axes[0]: the torques are
	 * -stiffness times the rotation vector and -damping times the relative angular velocity. `friction` and the
	 * limit of a motor bound the length of their torque, and armature is the same about all axes. The target of a
	 * ball's motor is a vector, axes[0..2].motor.target: a torque or an angular velocity about the axes of the
	 * child's frame, or the rotation vector to which a position motor turns the child, as in `position`.
	 * `reference` is 0. Its limits are a cone, the angle from the z axis of the parent's frame to that of the
	 * child's, and a twist, the turn about z that is left when the shortest turn takes one z to the other. */
	AbutJointAxis axes[ABUT_JOINT_FREEDOMS];
	AbutJointSpring limit_spring, friction_spring; /* of all freedoms; not of balls */
	/* `equality_spring` applies: method convex holds a ball or a fixed joint by springs, like connect and weld of
	 * MuJoCo, instead of exactly, and does not close it at the start. Nothing may act on the ball. */
	bool has_equality_spring;
	AbutJointSpring equality_spring; /* without margin; the width of solimp is of m and rad together */
	bool has_position, has_velocity; /* `position`, `velocity` apply. Loops that cannot close at given positions
	                                    change them: abut_joint_get of a new state returns those that hold, and
	                                    abut_scene_review (abut/io.h) warns. */
	double position[ABUT_JOINT_FREEDOMS]; /* rad or m: initial coordinates; bodies are placed by them */
	double velocity[ABUT_JOINT_FREEDOMS]; /* rad/s or m/s: initial rates; bodies move by them. Of a ball, about the
	                                         axes of the child, less than 1 / timestep long */
} AbutJointDef;

/* Returns a hinge with no name and no bodies, both frames at the bodies' origins, and no springs, limits or motors. */
ABUT_API AbutJointDef abut_joint_def_default(void);
/* Sets both frames of a joint from an anchor point and an axis in the world (`anchor` in m; `axis` of any length but
 * 0), for bodies at the poses parent_position, parent_orientation, child_position and child_orientation: z along the
 * axis, x from the world axis closest to perpendicular to it. Poses are positions (m) and unit quaternions of the
 * bodies' frames; those of the world are 0 and [1, 0, 0, 0]. */
ABUT_API void abut_joint_frames(const double anchor[3], const double axis[3], const double parent_position[3],
                                const double parent_orientation[4], const double child_position[3],
                                const double child_orientation[4], AbutJointDef *def);

/* A coupling of two freedoms, such as a pair of gears, a rack with its pinion, or a finger whose joints bend together:
 *
 *     q_a = ratio q_b + offset
 *
 * It is held exactly at the end of every step, over any number of turns, unless it has a spring. The two joints may
 * share bodies, and couplings may form loops. Joints of type fixed and distance have no coordinates, and those of a
 * ball cannot be coupled: each entry of a rotation vector depends on turns about all axes. */
typedef struct AbutCouplingDef {
	int joint[2];  /* indices of the joints a and b */
	int axis[2];   /* their freedoms, from 0, in the order of the joint's type */
	double ratio;  /* 1e-6 to 1e6 in size; of a rack in m/rad, of two hinges without unit */
	double offset; /* rad or m, of q_a; at most 1e9 in size */
	/* `equality_spring` applies: method convex holds the coupling by a spring, like equality/joint and
	 * equality/tendon of MuJoCo, instead of exactly, and does not close it at the start. */
	bool has_equality_spring;
	AbutJointSpring equality_spring; /* without margin; the width of solimp is in the unit of q_a */
	bool tendon; /* the spring is as soft as that of a fixed tendon of both joints: by the mobility of q_a - ratio
	                q_b; otherwise by the sum of both joints' mobilities, as of equality/joint */
} AbutCouplingDef;

/* A coupling at the end of a step. */
typedef struct AbutCouplingState {
	double effort;    /* N m or N, on q_a; -ratio times as large on q_b; mean over the step */
	double violation; /* rad or m: |q_a - ratio q_b - offset| */
} AbutCouplingState;

/* A joint at the end of a step. Forces and efforts are means over the step: impulse / timestep. */
typedef struct AbutJointState {
	int n_axes;                           /* freedoms of the type */
	double position[ABUT_JOINT_FREEDOMS]; /* rad or m; angles are not wrapped: after two turns, 4 pi; of a ball,
	                                         the rotation vector, at most pi long */
	double velocity[ABUT_JOINT_FREEDOMS]; /* rad/s or m/s: change of the position per time in the step; of a
	                                         ball, the rate of turn along the axes of the child */
	double force[3], torque[3]; /* N, N m: of the constraints on the child; world axes, about the child's anchor */
	double limit_effort[ABUT_JOINT_FREEDOMS];    /* N m or N, on the coordinate; of a ball, the torque about the
	                                                axes of the child, like its other efforts */
	double friction_effort[ABUT_JOINT_FREEDOMS]; /* N m or N, on the coordinate */
	double motor_effort[ABUT_JOINT_FREEDOMS];    /* N m or N, on the coordinate */
	double violation_m, violation_rad;           /* largest error of the held freedoms */
	double limit_violation;                      /* rad or m: largest overshoot of a limit; 0: none */
} AbutJointState;

#ifdef __cplusplus
}
#endif

#endif
