/* Robots: the joint space of a model. Coordinates q and velocities qdot of a spanning tree of the joints, and from them
 * poses, Jacobians, the mass matrix, bias forces, inverse dynamics and inverse kinematics.
 *
 * The tree is found. In the order of the scene, a joint belongs to the tree unless the joints before it already connect
 * its two bodies; then it closes a loop, and has no coordinates here. Rods (type distance), and joints that
 * method convex holds by springs, always close loops. The
 * world and static bodies are the ground. A tree without a joint to the ground has a base: its first body that is no
 * joint's child, or its first body. Free bodies without joints are bases too.
 *
 * Coordinates in order: first the joints of the tree, in the order of the scene, with the freedoms of their type
 * (abut/joint.h); then the bases, in the order of the bodies.
 *
 *     of                    q                                                   qdot
 *     a joint               its coordinates, in rad and m, turns counted        their rates
 *     a ball                rotation vector (3)                                 rate of turn along the child's axes (3)
 *     a base                position of the body's origin (3), orientation (4)  linear velocity of its centre of mass,
 *                                                                               world (3); angular, body axes (3)
 *     a planar base         x and z of the origin, turn about y                 their rates, at the centre of mass
 *
 * So the numbers of a base are those of AbutBodyState. The turn of a planar base is 0 at the orientation of the
 * scene; any turn can be set, and abut_robot_get_state returns it between -pi and pi, since states do not count it.
 * Efforts are per qdot: N m for turns, N for slides, of a base the force (world) and the torque (body axes).
 *
 * Memory is allocated at creation, and grows with the number of bodies and joints. The first call of inverse kinematics
 * allocates some 8 (n_v + n_c)^2 + (3072 + 8 n_c) n_v bytes more, with the length n_v of qdot and n_c rows of loops and
 * couplings. With n_u, these rows, the motors of joints that close loops and the freedoms that have limits but no
 * motor, the first call of inverse dynamics for a motion that is not the result of a step allocates some 8 n_u (3 n_v +
 * 2 n_u) bytes, if there are loops or couplings. Both return ABUT_ERROR_MEMORY if there is too little. Functions use
 * memory of the robot, so each thread needs its own robot. Pointers must not be NULL unless a function says otherwise,
 * and a state must belong to the robot's model; otherwise functions that return a status return ABUT_ERROR_ARGUMENT.
 * They return it as well if an entry of q, qdot or qddot is not finite or a quaternion in q is longer or shorter than 1
 * by more than 1e-6; abut_robot_error then names the entry. Coordinates beyond the limits of joints are accepted
 * (abut_robot_limits). */
#ifndef ABUT_ROBOT_H
#define ABUT_ROBOT_H

#include "abut/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The joint space of a model. */
typedef struct AbutRobot AbutRobot;

/* Creates the robot of a `model`, which must outlive it. `error` may be NULL. */
ABUT_API AbutStatus abut_robot_create(const AbutModel *model, AbutRobot **out, AbutError *error);
ABUT_API void abut_robot_destroy(AbutRobot *robot);               /* Frees the robot; accepts NULL. */
ABUT_API int abut_robot_coordinate_count(const AbutRobot *robot); /* Returns the length of q. */
ABUT_API int abut_robot_velocity_count(const AbutRobot *robot);   /* Returns the length of qdot. */
/* Returns the number of joints that close loops, rods included. */
ABUT_API int abut_robot_loop_count(const AbutRobot *robot);
/* Returns the name of entry `i` of q, which lives as long as the robot: that of the joint, with ".0", ".1", ".2" if it
 * has several freedoms; or that of the base with ".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz", of a planar base with
 * ".x", ".z", ".turn". An empty string out of range. */
ABUT_API const char *abut_robot_coordinate_name(const AbutRobot *robot, int i);
/* Returns the name of entry `i` of qdot, see abut_robot_coordinate_name; of a base ".vx" to ".wz". */
ABUT_API const char *abut_robot_velocity_name(const AbutRobot *robot, int i);
/* Returns the index of the first entry of a `joint` in q; -1 if it closes a loop, has no freedoms, or does not exist.
 */
ABUT_API int abut_robot_joint_coordinate(const AbutRobot *robot, int joint);
/* Returns the index of the first entry of a `joint` in qdot, see abut_robot_joint_coordinate. */
ABUT_API int abut_robot_joint_velocity(const AbutRobot *robot, int joint);
/* Returns the index of the first entry of a base in q, by the index of its `body`; -1 if the body is no base. */
ABUT_API int abut_robot_base_coordinate(const AbutRobot *robot, int body);
/* Returns the index of the first entry of a base in qdot, see abut_robot_base_coordinate. */
ABUT_API int abut_robot_base_velocity(const AbutRobot *robot, int body);

/* Writes the limits of the coordinates to `lower` and `upper` (both as long as q): those of joints, and -INFINITY and
 * INFINITY for coordinates without limits, of balls (whose limits are angles) and of bases. All functions but inverse
 * kinematics accept coordinates beyond them; the next step of such a state returns to the limits at once, with the
 * effort that this takes. Returns ABUT_ERROR_ARGUMENT, without a message, if an argument is NULL. */
ABUT_API AbutStatus abut_robot_limits(const AbutRobot *robot, double *lower, double *upper);
/* Returns why the last call of a function without an AbutError argument that returned ABUT_ERROR_ARGUMENT was refused:
 * the argument, its entry and value, and what is allowed. abut_robot_limits, whose robot is constant, does not set it.
 * Functions with an AbutError argument explain their errors there, and may overwrite this one. So read it right after
 * the refused call. It lives as long as the robot; NULL without a robot. */
ABUT_API const AbutError *abut_robot_error(const AbutRobot *robot);

/* Reads q and qdot (either may be NULL) from a state. After a step, rates of joints are those of joints.csv, the change
 * of the coordinate per time in the step. In a state that was set, they are the change in a step that ends with the
 * bodies' velocities. */
ABUT_API AbutStatus abut_robot_get_state(AbutRobot *robot, const AbutState *state, double *q, double *qdot);
/* Sets all moving bodies of the trees from q and qdot, and discards the warm-start data. The velocities are those of a
 * step that ends at q with the rates qdot, so both its ends fulfil the joints of the tree. Returns ABUT_ERROR_ARGUMENT,
 * and leaves the state unchanged, if abut_state_set_body would refuse a body. Loops are not closed: see
 * abut_robot_close. */
ABUT_API AbutStatus abut_robot_set_state(AbutRobot *robot, const double *q, const double *qdot, AbutState *state);
/* Moves q by the velocities `qdot` for a time in s, as a step does, into `out`; `out` may be `q`. Returns
 * ABUT_ERROR_ARGUMENT, and leaves `out` unchanged, if a base or ball turns by pi or more, or if `time` is not finite.
 */
ABUT_API AbutStatus abut_robot_integrate(AbutRobot *robot, const double *q, const double *qdot, double time,
                                         double *out);
/* Computes the velocities with which abut_robot_integrate moves the coordinates `from` to `to` in 1 s, into `out` (as
 * long as qdot). Returns ABUT_ERROR_ARGUMENT if a base turns by pi or more, or a ball by pi / 2 or more. */
ABUT_API AbutStatus abut_robot_difference(AbutRobot *robot, const double *from, const double *to, double *out);

/* Computes the poses of all bodies at q, and their velocities at qdot (NULL: zero) by the derivatives of the poses,
 * into `bodies` (one for each body of the model). */
ABUT_API AbutStatus abut_robot_forward(AbutRobot *robot, const double *q, const double *qdot, AbutBodyState *bodies);
/* Computes the Jacobian of a `body` at q: the linear velocity of its `point` (m, body frame) and its angular velocity,
 * both in world axes, are J qdot. J is 6 x abut_robot_velocity_count, row-major; linear velocity first.
 * Returns ABUT_ERROR_ARGUMENT if the body does not exist or `point` is not finite. */
ABUT_API AbutStatus abut_robot_jacobian(AbutRobot *robot, const double *q, int body, const double point[3], double *J);
/* Computes the mass matrix at q, armature included, into M (abut_robot_velocity_count squared). */
ABUT_API AbutStatus abut_robot_mass_matrix(AbutRobot *robot, const double *q, double *M);
/* Computes the bias forces at `q` and `qdot`, the efforts that hold the accelerations at 0: of Coriolis and centrifugal
 * forces, and against gravity. What acts on joints, such as springs and dampers, is not included. `effort` has an entry
 * for each qdot. */
ABUT_API AbutStatus abut_robot_bias(AbutRobot *robot, const double *q, const double *qdot, double *effort);
/* Computes the efforts M qddot + bias at `q` and `qdot` by the recursive Newton-Euler algorithm, in continuous time and
 * without contacts, into `effort`.
 * Armature is included. `qddot` may be NULL: zero. */
ABUT_API AbutStatus abut_robot_effort(AbutRobot *robot, const double *q, const double *qdot, const double *qddot,
                                      double *effort);

/* How an inverse problem was solved. */
typedef struct AbutRobotInverse {
	bool found;       /* the forces of contacts, limits, dry friction, loops and couplings were found by a step with
	                     held rates; otherwise they are those of the step that led to `after` */
	bool exact;       /* the efforts make the step to rounding. Where the forces were found, a step with these
	                     efforts may turn the impulses of its joints further (theta in docs/formulation.md 16),
	                     as in collisions, and then end elsewhere */
	double residual;  /* N and N m: largest effort on a freedom without a motor, which must be 0 if the motion is
	                     possible */
	double violation; /* m or rad: largest error of joints, loops and couplings at the end of the motion. Where it
	                     is more than 1e-9, no step makes the motion */
	int internal;     /* number of independent efforts of motors that only load loops, couplings and limits that
	                     push, without moving anything, of which the smallest were chosen; 0: the efforts are unique, or
	                     those of the step */
} AbutRobotInverse;

/* Computes the motor efforts that make the step from `before` to `after`, exactly in discrete time: the balances of
 * abut_step at the velocities of `after`. Springs, dampers, armature, inputs of bodies and gravity act in addition, as
 * in the step. `effort` has an entry for each qdot; those of freedoms without a motor, such as a base, are what the
 * motion lacks (`residual`).
 *
 * The motion alone does not determine how forces are shared between contacts, limits, sticking dry friction, loops and
 * couplings. If `after` is the result of a step from `before`, these forces are those of the step, and the efforts are
 * those of its motors, however many feet are on the ground. Otherwise a step from `before` finds them, in which each
 * freedom with a motor (in a scene without motors, of each joint of the tree) moves to `after` at a held rate; its
 * motor alone keeps it within its limits. In robots with loops or couplings, many efforts may make the motion, because
 * there are more motors than freedoms, or because a freedom without a motor is at a limit, which can take a part of the
 * load: the result is the one with the least sum of squares (N m and N) over all motors, those of joints that close
 * loops among them, after the least sum over the freedoms without motors. Limits only push. Efforts may be beyond the
 * limits of motors. `info` may be NULL.
 *
 * In method convex, as in MuJoCo, the forces of contacts, soft limits, soft dry friction and joints held by springs do
 * follow from the motion, so no step finds them (`found` is false). Joints that close loops exactly, and limits of
 * balls, must be those of a step to `after`.
 *
 * Returns ABUT_ERROR_ARGUMENT if the velocities of `after` do not take the bodies from `before` to `after` in a step,
 * to 1e-9 (rad, and of lengths), or if a wanted motion moves a freedom whose motor holds its rate beyond its limits,
 * also of a joint that closes a loop (but for the soft limits of convex); ABUT_ERROR_UNSUPPORTED for another method
 * than single-level, bilevel and convex (with the convex_model soft), for a wanted motion in method convex of a robot
 * with such joints or balls, and if the step to `after` was taken in parts, between which the motion is unknown;
 * ABUT_ERROR_NUMERICAL if the step with held rates fails, or if the efforts of loops and couplings are not found;
 * ABUT_ERROR_MEMORY if there is too little memory. After an error, `effort`, `motors` and `info` are unchanged. */
ABUT_API AbutStatus abut_robot_inverse(AbutRobot *robot, const AbutState *before, const AbutState *after,
                                       double *effort, AbutRobotInverse *info, AbutError *error);
/* Does abut_robot_inverse for the step from `before` to `after`, with `effort` and `info`, and writes the efforts of
 * all motors to `motors` (ABUT_JOINT_FREEDOMS for each joint of the model, 0 where there is none; may be NULL): those
 * of joints of the tree, which are also in `effort`, and those of joints that close loops, which have no entry there.
 */
ABUT_API AbutStatus abut_robot_inverse_motors(AbutRobot *robot, const AbutState *before, const AbutState *after,
                                              double *effort, double *motors, AbutRobotInverse *info, AbutError *error);
/* Sets `after` to `before`, moved by a step with the velocities `qdot`: the wanted motion for abut_robot_inverse.
 * Returns ABUT_ERROR_ARGUMENT, and leaves `after` unchanged, if something turns by pi or more, or if
 * abut_state_set_body would refuse a body. */
ABUT_API AbutStatus abut_robot_advance(AbutRobot *robot, const AbutState *before, const double *qdot, AbutState *after);

/* A frame on a body, and where it shall be. */
typedef struct AbutRobotTarget {
	int body;              /* index of the body */
	AbutJointFrame frame;  /* in the body's frame */
	bool place, turn;      /* which of the two are asked for, at least one */
	double position[3];    /* m, world */
	double orientation[4]; /* unit quaternion, world */
	const char *name;      /* of the frame in messages; NULL: that of the body */
} AbutRobotTarget;

/* Returns a target for the origin of body 0, at the origin of the world, in any orientation. */
ABUT_API AbutRobotTarget abut_robot_target_default(void);

/* How inverse kinematics ended. */
typedef struct AbutRobotReach {
	int iterations;            /* number of linear systems that were set up for new coordinates */
	double error_m, error_rad; /* largest distance and angle of a frame from its target */
	double violation;          /* m or rad: largest error of loops and couplings */
	int worst;                 /* the target with the largest sum of distance (m) and angle (rad) */
	int start;                 /* from which start: 0 is q, the others are random */
} AbutRobotReach;

enum { ABUT_ROBOT_TARGETS_MAX = 64 }; /* most targets */

/* Moves q until the frames are at their `n` targets, with loops and couplings closed and limits of joints kept, by
 * damped least squares. Starts from q, of which it changes as little as it needs. `info` may be NULL. Returns
 * ABUT_ERROR_NUMERICAL if the targets are not reached to 1e-9 (m, rad); q is then where the sum of the squares of all
 * distances (m) and angles (rad) is least nearby, with loops closed: 1 rad counts as 1 m. Bases move too, unless a
 * target holds them. Limits of balls are not kept. ABUT_ERROR_ARGUMENT without a target (abut_robot_close closes
 * loops), and for a target on a static body. */
ABUT_API AbutStatus abut_robot_reach(AbutRobot *robot, int n, const AbutRobotTarget *targets, double *q,
                                     AbutRobotReach *info, AbutError *error);
/* Does abut_robot_reach for `n` `targets` from up to `starts` starts, until one reaches them: first from q, the hint,
 * then from random coordinates of the joints, within their limits, with the bases of q. The same `seed` draws the same
 * starts; any value is allowed, also a negative one. Returns ABUT_ERROR_NUMERICAL if none reaches them, and writes the
 * nearest pose of all to `q`: one with closed loops if there is one, and of these the one with the least error_m +
 * error_rad. `info` is that of the start that was taken; it may be NULL. */
ABUT_API AbutStatus abut_robot_search(AbutRobot *robot, int n, const AbutRobotTarget *targets, int starts, int seed,
                                      double *q, AbutRobotReach *info, AbutError *error);
/* Computes the largest error of loops and couplings at q, in m or rad, into `violation`; 0 without any. */
ABUT_API AbutStatus abut_robot_violation(AbutRobot *robot, const double *q, double *violation, AbutError *error);
/* Closes loops and couplings by a small change of q, within the limits of joints. Returns ABUT_ERROR_NUMERICAL if they
 * do not close to 1e-10 (m, rad). `info` may be NULL. */
ABUT_API AbutStatus abut_robot_close(AbutRobot *robot, double *q, AbutRobotReach *info, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
