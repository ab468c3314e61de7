/* Model, state, workspace and step: the core of the library.
 *
 *     AbutSceneDef -> const AbutModel -> AbutState + AbutWorkspace -> abut_step
 *
 * A model never changes once made and may be shared by threads; a state is one world's motion; a workspace is the
 * scratch of a step, and of one world at a time. */
#ifndef ABUT_MODEL_H
#define ABUT_MODEL_H

#include <stddef.h>

#include "abut/log.h"
#include "abut/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pointers must not be NULL unless a function says otherwise, and a state or workspace goes with the model that it was
 * made from. Functions that return a status answer ABUT_ERROR_ARGUMENT where that is not so. */

/* A scene, checked and compiled; never changes. */
typedef struct AbutModel AbutModel;
/* One world's motion, its inputs, and what the next step starts from. */
typedef struct AbutState AbutState;
/* The scratch of steps, and the contacts of the last one. */
typedef struct AbutWorkspace AbutWorkspace;

/* The motion of a body. */
typedef struct AbutBodyState {
	double position[3];         /* m, of the body frame's origin, world */
	double orientation[4];      /* unit quaternion [w, x, y, z], body to world */
	double linear_velocity[3];  /* m/s, of the centre of mass, world */
	double angular_velocity[3]; /* rad/s, body axes */
} AbutBodyState;

/* One contact (a pair of parts near each other) after a step. The normal points from a to b. When the step was taken in
 * parts, impulses are those of the whole step and the geometry is that of the last part in which the contact was
 * active. */
typedef struct AbutContact {
	int body_a, body_b;         /* indices of the bodies */
	int part_a, part_b;         /* of their parts, from 0 in each body */
	double scaling;             /* alpha, 1 when touching */
	double gap;                 /* m, (alpha - 1) / |d alpha / d x|, negative when overlapping */
	double point[3];            /* m, world */
	double normal[3];           /* unit, world */
	double normal_impulse;      /* N s, on b along the normal, >= 0 */
	double friction_impulse[3]; /* N s, on b, world */
	double torsional_impulse;   /* N m s, on b about the normal */
} AbutContact;

/* How a step went. */
typedef struct AbutStepInfo {
	AbutOutcome outcome;    /* how it ended */
	bool exact;             /* finished to the exact solution */
	bool retried;           /* other starts or half steps were used: the first starts failed */
	int halvings;           /* levels of half steps used: for a fast body, or by the cascade */
	int parts;              /* that the step was solved in: 1, or more when it was taken in half steps */
	int tries;              /* starts of the interior point; 0 when the exact warm start sufficed */
	int iterations;         /* Newton factorisations of all tries, with the finish */
	int finish_iterations;  /* of them, in the exact finish or the exact warm start */
	double kappa;           /* where the solve ended; 0 when exact; its natural residual when nearly so */
	double residual;        /* max norm of the equations at the end, dimensionless */
	double complementarity; /* max norm of z o s - kappa e (exact, nearly: of the natural residual) */
	double max_penetration; /* m, over the contacts, 0 when none overlaps */
	int active_contacts;    /* pairs of parts that the step considered, near or touching */
	int broken_body;      /* of a failed step: 1 + the body whose shape's functions (abut/smooth.h) gave what is no
	                         number;      0: none did */
	AbutIterationLog log; /* entries and capacity are set by the caller (zero: no log), count by the step */
	int row; /* of the cascade that solved (abut_cascade_row_name), the last one over all islands and parts
	            of the step; 0: unsolved, or the method has no cascade */
} AbutStepInfo;

/* Name of row `row` of the cascade, from 1, such as "last"; NULL past the last one. Static storage. */
ABUT_API const char *abut_cascade_row_name(int row);

/* Checks the definition `def` and makes a model; shapes and names are copied. `error` may be NULL. */
ABUT_API AbutStatus abut_model_create(const AbutSceneDef *def, AbutModel **out, AbutError *error);
ABUT_API void abut_model_destroy(AbutModel *model); /* NULL is fine */

ABUT_API int abut_model_body_count(const AbutModel *model); /* static ones too */
/* The name of a body, which lives as long as the model; empty out of range. */
ABUT_API const char *abut_model_body_name(const AbutModel *model, int body);
/* Whether a body never moves; false out of range. */
ABUT_API bool abut_model_body_is_static(const AbutModel *model, int body);
ABUT_API double abut_model_body_mass(const AbutModel *model, int body); /* kg; 0 for a static body */
ABUT_API double abut_model_timestep(const AbutModel *model);            /* s */
/* Pairs of parts that may touch, whether or not they are near each other; at most INT_MAX. */
ABUT_API int abut_model_pair_count(const AbutModel *model);

/* The initial state of the scene. */
ABUT_API AbutStatus abut_state_create(const AbutModel *model, AbutState **out, AbutError *error);
ABUT_API void abut_state_destroy(AbutState *state); /* NULL is fine */
/* Copies the whole state `from` into `to`, warm-start data included: the copy continues bit for bit. Both made from
 * `model`; otherwise ABUT_ERROR_ARGUMENT. ABUT_ERROR_MEMORY, when more parts touch than `to` has room for and it cannot
 * grow. */
ABUT_API AbutStatus abut_state_copy(const AbutModel *model, const AbutState *from, AbutState *to);
ABUT_API double abut_state_time(const AbutState *state); /* s */
/* `out`: the motion of a body. ABUT_ERROR_ARGUMENT: an index out of range. */
ABUT_API AbutStatus abut_state_get_body(const AbutModel *model, const AbutState *state, int body, AbutBodyState *out);
/* Sets the motion of a body to `value`, and drops the warm-start data. What no body can do gives ABUT_ERROR_ARGUMENT:
 * an index out of range, a value that is not finite or beyond 1e9 (m, m/s, rad/s), a quaternion not of unit length, a
 * half turn per step |timestep w / 2| of 38.4 or more, a static body with a velocity. */
ABUT_API AbutStatus abut_state_set_body(const AbutModel *model, AbutState *state, int body, const AbutBodyState *value);
/* The `force` (N, world, at the centre of mass) and `torque` (N m, body axes) of the next steps; of a static body only
 * zero. */
ABUT_API AbutStatus abut_state_set_input(const AbutModel *model, AbutState *state, int body, const double force[3],
                                         const double torque[3]);
/* The version of the layout of snapshots, their first number. */
#define ABUT_SNAPSHOT_VERSION 2
/* How many numbers a snapshot of the state has: it grows with the contacts; 0 when the state is not the model's. */
ABUT_API size_t abut_state_snapshot_size(const AbutModel *model, const AbutState *state);
/* The state as numbers, all that abut_state_copy copies, into `out` (abut_state_snapshot_size), in the layout of
 * docs/interface.md ("Snapshots"). */
ABUT_API AbutStatus abut_state_snapshot(const AbutModel *model, const AbutState *state, double *out);
/* And back, from `n` numbers `in`: the state continues bit for bit, in any model made from the same definition,
 * whatever its solver options other than the friction cone and the preset. Anything else is refused with
 * ABUT_ERROR_ARGUMENT and the state left as it was; `error` then names the number as "state[INDEX]", what it is and
 * what is allowed. Motion past the bounds of abut_state_set_body is allowed where a step may lead, a spin past its
 * limit for one. */
ABUT_API AbutStatus abut_state_restore(const AbutModel *model, AbutState *state, size_t n, const double *in,
                                       AbutError *error);
/* The same, from `n` numbers `in`, without what the next step would start from, which is then a cold start: for a model
 * of as many bodies with other masses, shapes or contacts. */
ABUT_API AbutStatus abut_state_restore_motion(const AbutModel *model, AbutState *state, size_t n, const double *in,
                                              AbutError *error);
/* Total energy (J): kinetic plus potential, of the moving bodies. */
ABUT_API double abut_state_energy(const AbutModel *model, const AbutState *state);

/* Scratch for steps of the model, on the caller's thread alone. */
ABUT_API AbutStatus abut_workspace_create(const AbutModel *model, AbutWorkspace **out, AbutError *error);
/* The same for a world of many islands: these are solved on `n_threads` threads, the caller's included (0: one per
 * core), with the same bits for any number. ABUT_ERROR_UNSUPPORTED: the system starts no more threads. */
ABUT_API AbutStatus abut_workspace_create_threaded(const AbutModel *model, int n_threads, AbutWorkspace **out,
                                                   AbutError *error);
ABUT_API void abut_workspace_destroy(AbutWorkspace *workspace); /* NULL is fine */

/* Advances `state` by one timestep. The status says whether the call was legal; how the solve ended is in `info`
 * (all fields but the log's memory are written). With ABUT_OUTCOME_FAILED the state is left as it was.
 *
 * Allocates nothing in a scene of up to 64 moving bodies and 64 pairs and eight for each part. A larger one grows when
 * more parts are near each other than ever before; ABUT_ERROR_MEMORY when it cannot, the state being left as it was.
 * With a log, islands are solved on the caller's thread alone. */
ABUT_API AbutStatus abut_step(const AbutModel *model, AbutState *state, AbutWorkspace *workspace, AbutStepInfo *info);

/* Why a step was not solved as asked, in one sentence without a newline, into `text` of `size` bytes: what was asked
 * too much of, or how far the solve got. `state` is that before the step (as a failed step leaves it). */
ABUT_API void abut_step_explain(const AbutModel *model, const AbutState *state, const AbutStepInfo *info, char *text,
                                size_t size);

/* Contacts of the last step taken with this workspace: the pairs near enough to be solved for, in the order of their
 * parts; none after a step that failed. */
ABUT_API int abut_contact_count(const AbutWorkspace *workspace);
/* `out`: contact `index` of them; ABUT_ERROR_ARGUMENT when the index is out of range. */
ABUT_API AbutStatus abut_contact_get(const AbutModel *model, const AbutWorkspace *workspace, int index,
                                     AbutContact *out);

#ifdef __cplusplus
}
#endif

#endif
