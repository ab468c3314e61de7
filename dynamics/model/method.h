/* The interface of a method: one row of constant data and functions. The rows are in dynamics/methods/table.c; a model
 * points to its own. No file outside dynamics/methods/ asks which method it is. */
#ifndef DYNAMICS_MODEL_METHOD_H
#define DYNAMICS_MODEL_METHOD_H

#include "abut/model.h"
#include "abut/parameter.h"

struct AbutPair;
struct AbutIsland;
struct AbutIslandMembers;
struct AbutIslandSize;
struct AbutMethodGradient;
struct AbutSoftness;
struct AbutStepWatch;

/* Initial room for contacts of a state or workspace: enough for all contacts of a small scene. In a large scene it is
 * less than the parts allow, and grows. */
typedef struct AbutRoom {
	int contacts, n_y, n_z, n_law, n_cones, n_side; /* the last five: totals of all contacts */
} AbutRoom;

/* Features that a definition may use with the method. */
typedef struct AbutMethodFeatures {
	bool restitutes;        /* restitution may be above 0 */
	bool springs;           /* contacts are springs with solref, solimp and margin */
	bool published;         /* the paper's preset is allowed */
	bool whole_steps;       /* a step is not split: a large turn is refused */
	bool couples;           /* blocks couple the bodies of an island */
	bool by_cones;          /* AbutIsland holds its islands, as contacts with cones */
	double kappa;           /* kappa of its presets; 0: the usual one */
	double least_tolerance; /* default tolerance of residual and complementarity is at least this */
} AbutMethodFeatures;

/* Keys of the solver options that a method ignores, NULL-terminated; `with` completes a warning of them. */
typedef struct AbutIgnoredKeys {
	const char *const *keys;
	const char *with;
} AbutIgnoredKeys;

typedef struct AbutMethodRow {
	AbutMethodFeatures has;
	/* Returns the keys that it ignores. NULL: none. */
	AbutIgnoredKeys (*ignored_keys)(const AbutSolverOptions *options);
	/* Checks the method's own options. NULL: any are allowed. */
	AbutStatus (*check_options)(const AbutSolverOptions *options, AbutError *error);
	/* Checks the springs of a contact; `where` is the path for errors. NULL: no springs. */
	AbutStatus (*check_springs)(const struct AbutSoftness *soft, const char *where, AbutError *error);
	/* Prepares the parts of a scaled model, or refuses the first unsupported part. NULL: nothing to do. */
	AbutStatus (*make_ready)(AbutModel *model, AbutError *error);
	/* Destroys what make_ready left in model->method_parts. NULL: nothing. */
	void (*unmake)(AbutModel *model);
	/* Returns the room for so many contacts. */
	AbutRoom (*room)(const AbutModel *model, int contacts);
	/* Sets the sizes of a pair whose other members are set. */
	void (*size)(const AbutModel *model, struct AbutPair *pair);
	/* Make and destroy workspace->method for so many threads. NULL: none. */
	AbutStatus (*work_create)(const AbutModel *model, int n_threads, void **out);
	void (*work_destroy)(void *work);
	/* Make and destroy island->method for islands up to a size. NULL: none. */
	AbutStatus (*island_create)(const AbutModel *model, const struct AbutIslandSize *size,
	                            struct AbutIsland *island);
	void (*island_destroy)(struct AbutIsland *island);
	/* Computes a step: a solution of all islands in the workspace, from the state. */
	AbutStatus (*step)(const AbutModel *model, const AbutState *state, AbutWorkspace *w,
	                   const struct AbutStepWatch *watch, AbutStepInfo *info);
	/* Advances one island through the step, in a thread's room. NULL: `step` does without it. */
	void (*advance)(const AbutModel *model, const AbutState *state, AbutWorkspace *w,
	                const struct AbutStepWatch *watch, struct AbutIslandMembers *members,
	                struct AbutIsland *island);
	/* Writes why a step was not solved. Returns false if the common text applies. NULL: it always does. */
	bool (*explain)(const AbutModel *model, const AbutStepInfo *info, char *text, size_t size);
	/* Returns whether steps have derivatives by parameters of the kind; `parameters` lists these kinds as text.
	 * NULL: by all kinds. */
	bool (*has_parameter)(AbutParameterKind kind);
	const char *parameters;
	const struct AbutMethodGradient
	    *gradient; /* dynamics/gradient/method.h; NULL: abut_gradient is not supported */
	/* Computes the derivative of the last step from the workspace, with the columns of abut/lcp.h. NULL: not
	 * supported. */
	AbutStatus (*last_gradient)(const AbutModel *model, const AbutWorkspace *workspace, double *out,
	                            AbutError *error);
} AbutMethodRow;

#endif
