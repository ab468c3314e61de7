/* Model, state, workspace and step: the core of the library.
 *
 *     AbutSceneDef -> const AbutModel -> AbutState + AbutWorkspace -> abut_step
 *
 * A model is constant and may be shared by threads. A state is the motion of one world. A workspace is the scratch
 * memory of a step, for one world at a time. */
#ifndef ABUT_MODEL_H
#define ABUT_MODEL_H

#include <stddef.h>

#include "abut/log.h"
#include "abut/scene.h"
#include "abut/stop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pointers must not be NULL unless a function says otherwise, and a state or workspace must belong to the model passed
 * with it. Otherwise functions that return a status return ABUT_ERROR_ARGUMENT. */

/* A checked and compiled scene, which never changes. */
typedef struct AbutModel AbutModel;
/* The motion of one world, its inputs, and the data from which the next step starts. */
typedef struct AbutState AbutState;
/* The scratch memory of steps, and the contacts of the last step. */
typedef struct AbutWorkspace AbutWorkspace;

/* The motion of a body. */
typedef struct AbutBodyState {
	double position[3];         /* m, of the body frame's origin, world */
	double orientation[4];      /* unit quaternion [w, x, y, z], body to world */
	double linear_velocity[3];  /* m/s, of the centre of mass, world */
	double angular_velocity[3]; /* rad/s, body axes */
} AbutBodyState;

/* One contact, a pair of parts near each other, after a step. The normal points from a to b. If the step was taken in
 * parts, the impulses are those of the whole step, and the geometry is that of the last part in which the contact was
 * active. */
typedef struct AbutContact {
	int body_a, body_b;         /* indices of the bodies */
	int part_a, part_b;         /* indices of their parts, from 0 in each body */
	double scaling;             /* alpha: 1 if the parts touch */
	double gap;                 /* m, (alpha - 1) / |d alpha / d x|: negative for overlap */
	double point[3];            /* m, world */
	double normal[3];           /* unit, world */
	double normal_impulse;      /* N s, on b along the normal, >= 0 */
	double friction_impulse[3]; /* N s, on b, world */
	double torsional_impulse;   /* N m s, on b about the normal */
} AbutContact;

/* Most unknowns of an island that is solved with a dense matrix: with linear_solver "dense", method lcp, or barriers.
 */
enum { ABUT_DENSE_MAX = 4500 };

/* How a step went. */
typedef struct AbutStepInfo {
	AbutOutcome outcome;    /* how it ended */
	bool exact;             /* solved to the exact solution */
	bool retried;           /* the first starts failed: the step used other starts or half steps */
	int halvings;           /* levels of half steps, for a fast body or by the cascade */
	int parts;              /* number of parts of the step: 1, or more with half steps */
	int tries;              /* starts of the interior point; 0 if the exact warm start sufficed */
	int iterations;         /* Newton factorisations of all tries, finish included */
	int finish_iterations;  /* Newton factorisations of the exact finish and the exact warm start */
	double kappa;           /* where the solve ended; 0 if exact; the natural residual if nearly exact */
	double residual;        /* max norm of the equations at the end, dimensionless; after a failed step it may be
	                           infinite or NaN, and so may `complementarity` */
	double complementarity; /* max norm of z o s - kappa e; if exact or nearly, of the natural residual */
	double max_penetration; /* m, over all pairs at the end of the step; 0 without overlap */
	int active_contacts;    /* pairs of parts that the step considered, near or touching */
	int broken_body;        /* of a failed step: 1 + the index of the body whose shape functions (abut/smooth.h)
	                         gave a value that is not finite; 0: none */
	AbutIterationLog log;   /* the caller sets entries and capacity (zero: no log), the step sets count */
	int unknowns;           /* of a failed step: unknowns of an island, if more than ABUT_DENSE_MAX; otherwise 0 */
	double joint_violation_m;   /* m: largest error of joints in what they hold as a length */
	double joint_violation_rad; /* rad: largest error of joints in what they hold as an angle */
	                            /* both count couplings, by the unit of their first joint */
	double limit_violation;     /* rad or m: largest overshoot of a joint's limit */
	int row; /* row of the cascade that solved the step (abut_cascade_row_name): the last one over
	            all islands and parts; 0: unsolved, or the method has no cascade */
} AbutStepInfo;

/* Returns the name of row `row` of the cascade, counted from 1, such as "last"; NULL out of range. Static storage. */
ABUT_API const char *abut_cascade_row_name(int row);

/* Checks the definition `def` and creates a model of it. Shapes and names are copied. `error` may be NULL. Initial
 * poses at which joints are open are changed by as little as possible; ABUT_ERROR_ARGUMENT if a joint cannot be closed
 * to 1e-12 (m, rad). */
ABUT_API AbutStatus abut_model_create(const AbutSceneDef *def, AbutModel **out, AbutError *error);
ABUT_API void abut_model_destroy(AbutModel *model); /* Frees the model; accepts NULL. */

ABUT_API int abut_model_body_count(const AbutModel *model); /* Returns the number of bodies, static bodies included. */
/* Returns the name of a body, which lives as long as the model; an empty string out of range. */
ABUT_API const char *abut_model_body_name(const AbutModel *model, int body);
/* Returns whether a body is static; false out of range. */
ABUT_API bool abut_model_body_is_static(const AbutModel *model, int body);
/* Returns the mass of a body in kg; 0 for a static body. */
ABUT_API double abut_model_body_mass(const AbutModel *model, int body);
ABUT_API int abut_model_joint_count(const AbutModel *model); /* Returns the number of joints. */
/* Returns the name of a `joint`, which lives as long as the model; an empty string out of range. */
ABUT_API const char *abut_model_joint_name(const AbutModel *model, int joint);
/* Returns the type of a `joint`; ABUT_JOINT_TYPE_COUNT out of range. */
ABUT_API AbutJointType abut_model_joint_type(const AbutModel *model, int joint);
ABUT_API int abut_model_coupling_count(const AbutModel *model); /* Returns the number of couplings of joints. */
ABUT_API int abut_model_site_count(const AbutModel *model);     /* Returns the number of sites. */
/* Returns the name of a `site`, which lives as long as the model; an empty string out of range. */
ABUT_API const char *abut_model_site_name(const AbutModel *model, int site);
/* Returns the index of the body of a `site`; ABUT_JOINT_WORLD for the world and out of range. */
ABUT_API int abut_model_site_body(const AbutModel *model, int site);
ABUT_API int abut_model_sensor_count(const AbutModel *model); /* Returns the number of sensors. */
/* Returns the name of a `sensor`, which lives as long as the model; an empty string out of range. */
ABUT_API const char *abut_model_sensor_name(const AbutModel *model, int sensor);
/* Returns the type of a `sensor`; ABUT_SENSOR_TYPE_COUNT out of range. */
ABUT_API AbutSensorType abut_model_sensor_type(const AbutModel *model, int sensor);
/* Returns the number of values of a `sensor`, 1 to ABUT_SENSOR_CHANNELS; 0 out of range. */
ABUT_API int abut_model_sensor_channels(const AbutModel *model, int sensor);
/* Returns the name of value `channel` of a `sensor`, such as "px"; an empty string out of range. Static storage. */
ABUT_API const char *abut_model_sensor_channel(const AbutModel *model, int sensor, int channel);
/* Returns the place of the first value of a `sensor` among those of all sensors (abut_sensor_get_all); 0 out of range.
 */
ABUT_API int abut_model_sensor_first(const AbutModel *model, int sensor);
/* Returns the number of values of all sensors together. */
ABUT_API int abut_model_sensor_values(const AbutModel *model);
ABUT_API double abut_model_timestep(const AbutModel *model); /* Returns the timestep in s. */
/* Returns the number of pairs of parts that may touch, near each other or not; at most INT_MAX. */
ABUT_API int abut_model_pair_count(const AbutModel *model);

/* Creates the initial state of the scene. */
ABUT_API AbutStatus abut_state_create(const AbutModel *model, AbutState **out, AbutError *error);
ABUT_API void abut_state_destroy(AbutState *state); /* Frees the state; accepts NULL. */
/* Copies the whole state `from` into `to`, warm-start data included, so that the copy continues bit for bit. Returns
 * ABUT_ERROR_ARGUMENT unless both belong to `model`, and ABUT_ERROR_MEMORY if `to` cannot grow to as many contacts. */
ABUT_API AbutStatus abut_state_copy(const AbutModel *model, const AbutState *from, AbutState *to);
ABUT_API double abut_state_time(const AbutState *state); /* Returns the time in s. */
/* Copies the motion of a body to `out`. Returns ABUT_ERROR_ARGUMENT for an index out of range. */
ABUT_API AbutStatus abut_state_get_body(const AbutModel *model, const AbutState *state, int body, AbutBodyState *out);
/* Sets the motion of a body to `value` and discards the warm-start data. Returns ABUT_ERROR_ARGUMENT for:
 *
 *   - an index out of range;
 *   - a value that is not finite or beyond 1e9 (m, m/s, rad/s);
 *   - a quaternion not of unit length;
 *   - an angular velocity w with |timestep w / 2| of 38.4 or more;
 *   - a static body with a velocity. */
ABUT_API AbutStatus abut_state_set_body(const AbutModel *model, AbutState *state, int body, const AbutBodyState *value);
/* Sets the `force` (N, world, at the centre of mass) and `torque` (N m, body axes) that act in the next steps. Both
 * must be zero for a static body. */
ABUT_API AbutStatus abut_state_set_input(const AbutModel *model, AbutState *state, int body, const double force[3],
                                         const double torque[3]);
/* Sets the `target` of the motor on freedom `axis` of a `joint` for the next steps: N m or N (force), rad or m
 * (position), rad/s or m/s (velocity). Returns ABUT_ERROR_ARGUMENT for an index out of range, for a freedom without a
 * motor, and unless the target is 0 or of a magnitude within 1e-30 to 1e30. */
ABUT_API AbutStatus abut_state_set_motor(const AbutModel *model, AbutState *state, int joint, int axis, double target);
/* Copies the target of the motor on freedom `axis` of a `joint` to `out`; it begins as that of the definition. Returns
 * ABUT_ERROR_ARGUMENT for an index out of range and for a freedom without a motor. */
ABUT_API AbutStatus abut_state_get_motor(const AbutModel *model, const AbutState *state, int joint, int axis,
                                         double *out);
/* Version of the layout of snapshots, which is their first number. */
#define ABUT_SNAPSHOT_VERSION 2
/* Returns the length of a snapshot of the state, which grows with its contacts; 0 if the state is not of the model. */
ABUT_API size_t abut_state_snapshot_size(const AbutModel *model, const AbutState *state);
/* Writes the state as numbers to `out` (abut_state_snapshot_size entries): everything that abut_state_copy copies, in
 * the layout of docs/interface.md ("Snapshots"). */
ABUT_API AbutStatus abut_state_snapshot(const AbutModel *model, const AbutState *state, double *out);
/* Restores the state from the `n` numbers `in` of a snapshot. It continues bit for bit in any model made from the same
 * definition; solver options may differ, except for the friction cone and the preset. Motion that a step can reach is
 * allowed even beyond the bounds of abut_state_set_body, such as a fast spin. Refuses other numbers with
 * ABUT_ERROR_ARGUMENT and leaves the state unchanged; `error` then names the number as "state[INDEX]", its meaning and
 * what is allowed. */
ABUT_API AbutStatus abut_state_restore(const AbutModel *model, AbutState *state, size_t n, const double *in,
                                       AbutError *error);
/* Restores only the motion and inputs from the `n` numbers `in`, so that the next step starts from cold. The model may
 * have other masses, shapes or contacts, but must have as many bodies. */
ABUT_API AbutStatus abut_state_restore_motion(const AbutModel *model, AbutState *state, size_t n, const double *in,
                                              AbutError *error);
/* Returns the total energy (J) of the moving bodies, kinetic plus potential, and of the springs and rotors of joints.
 */
ABUT_API double abut_state_energy(const AbutModel *model, const AbutState *state);

/* Creates scratch memory for steps of the model on the caller's thread only. */
ABUT_API AbutStatus abut_workspace_create(const AbutModel *model, AbutWorkspace **out, AbutError *error);
/* Creates scratch memory for a world of many islands. They are solved on `n_threads` threads, which include the
 * caller's (0: one for each core). The bits do not depend on this number. Returns ABUT_ERROR_UNSUPPORTED if the system
 * cannot start the threads. */
ABUT_API AbutStatus abut_workspace_create_threaded(const AbutModel *model, int n_threads, AbutWorkspace **out,
                                                   AbutError *error);
ABUT_API void abut_workspace_destroy(AbutWorkspace *workspace); /* Frees it; accepts NULL. */
/* Lets steps with this workspace end early: they then return ABUT_ERROR_STOPPED and leave the state unchanged. `stop`
 * is copied; NULL: steps always run to their end. */
ABUT_API void abut_workspace_set_stop(AbutWorkspace *workspace, const AbutStop *stop);

/* Advances `state` by one timestep. The status says whether the call was legal; `info` says how the solve ended (all
 * fields are written except the memory of the log). With ABUT_OUTCOME_FAILED the state is unchanged.
 *
 * Allocates nothing in a scene of up to 64 moving bodies, and of up to 64 pairs plus eight for each part. In a larger
 * scene, allocates memory when more parts are near each other than in all earlier steps. If that fails, returns
 * ABUT_ERROR_MEMORY and leaves the state unchanged. With a log, islands are solved on the caller's thread only. */
ABUT_API AbutStatus abut_step(const AbutModel *model, AbutState *state, AbutWorkspace *workspace, AbutStepInfo *info);

/* Explains in one sentence without a newline, in `text` of `size` bytes, why a step was not solved as requested: which
 * request was too much, or how far the solve got. `state` is the state before the step, which a failed step leaves
 * unchanged. */
ABUT_API void abut_step_explain(const AbutModel *model, const AbutState *state, const AbutStepInfo *info, char *text,
                                size_t size);

/* Returns the number of contacts of the last step taken with this workspace: the pairs near enough to be solved for, in
 * the order of their parts; 0 after a failed step. */
ABUT_API int abut_contact_count(const AbutWorkspace *workspace);
/* Copies contact `index` of the last step to `out`. Returns ABUT_ERROR_ARGUMENT for an index out of range. */
ABUT_API AbutStatus abut_contact_get(const AbutModel *model, const AbutWorkspace *workspace, int index,
                                     AbutContact *out);

/* Copies a `joint` as it is in `state` to `out`: coordinates, and efforts and violations of the last step; efforts are
 * 0 before the first step. Returns ABUT_ERROR_ARGUMENT for an index out of range. */
ABUT_API AbutStatus abut_joint_get(const AbutModel *model, const AbutState *state, int joint, AbutJointState *out);
/* Copies the pose and velocity of a `site` in `state` to `out`. Returns ABUT_ERROR_ARGUMENT for an index out of range.
 */
ABUT_API AbutStatus abut_site_get(const AbutModel *model, const AbutState *state, int site, AbutSiteState *out);
/* Copies the values of a `sensor` to `out` (abut_model_sensor_channels entries): poses, velocities and coordinates as
 * they are in `state`, and means over the last step. Returns ABUT_ERROR_ARGUMENT for an index out of range. */
ABUT_API AbutStatus abut_sensor_get(const AbutModel *model, const AbutState *state, int sensor, double *out);
/* Copies a `coupling` as it was after the last step to `out`; the numbers are 0 before the first step. Returns
 * ABUT_ERROR_ARGUMENT for an index out of range. */
ABUT_API AbutStatus abut_coupling_get(const AbutModel *model, const AbutState *state, int coupling,
                                      AbutCouplingState *out);

#ifdef __cplusplus
}
#endif

#endif
