/* The interface of a method: one row of constant data and functions. All rows are in dynamics/methods/table.c; a model
 * points to one of them. No file outside dynamics/methods/ tests which method a model has. */
#pragma once

#include "abut/model.h"
#include "abut/parameter.h"

struct AbutPair;
struct AbutIsland;
struct AbutIslandMembers;
struct AbutIslandSize;
struct AbutMethodGradient;
struct AbutSoftness;
struct AbutStepWatch;

/* Initial sizes of the memory for contacts in a state or workspace. It suffices for all contacts of a small scene. In a
 * large scene it grows when needed. */
typedef struct AbutRoom {
	int contacts, n_y, n_z, n_law, n_cones, n_side; /* all but `contacts`: totals */
} AbutRoom;

/* Features that a definition may use with this method. */
typedef struct AbutMethodFeatures {
	bool restitutes;        /* restitution may be positive */
	bool springs;           /* contacts are springs, with solref, solimp and margin */
	bool published;         /* the paper's preset is allowed */
	bool whole_steps;       /* steps are never split, so a large turn is refused */
	bool couples;           /* bodies of an island are coupled by blocks of a linear system */
	bool by_cones;          /* islands are solved in AbutIsland, with contacts made of cones */
	double kappa;           /* default kappa of its presets; 0: the usual default */
	double least_tolerance; /* smallest default tolerance of residual and complementarity */
} AbutMethodFeatures;

/* Keys of the solver options that a method ignores, NULL-terminated. `with` completes the warning about them. */
typedef struct AbutIgnoredKeys {
	const char *const *keys;
	const char *with;
} AbutIgnoredKeys;

typedef struct AbutMethodRow {
	AbutMethodFeatures has;
	/* Returns the keys that the method ignores. NULL: it ignores none. */
	AbutIgnoredKeys (*ignored_keys)(const AbutSolverOptions *options);
	/* Checks the method's own options. NULL: all are allowed. */
	AbutStatus (*check_options)(const AbutSolverOptions *options, AbutError *error);
	/* Checks the springs of a contact; `where` is the path for errors. NULL: the method has no springs. */
	AbutStatus (*check_springs)(const struct AbutSoftness *soft, const char *where, AbutError *error);
	/* Prepares the parts of a scaled model, or refuses the first unsupported part. NULL: no preparation needed. */
	AbutStatus (*make_ready)(AbutModel *model, AbutError *error);
	/* Measures what depends on the masses, joints and poses of the definition of a new or changed model. NULL:
	 * nothing. */
	AbutStatus (*measure)(AbutModel *model, AbutError *error);
	/* Destroys model->method_parts as left by make_ready. NULL: nothing to destroy. */
	void (*unmake)(AbutModel *model);
	/* Returns the memory sizes for this number of contacts. */
	AbutRoom (*room)(const AbutModel *model, int contacts);
	/* Sets the sizes of a pair, after its other members are set. */
	void (*size)(const AbutModel *model, struct AbutPair *pair);
	/* Create and destroy workspace->method for this number of threads. NULL: not used. */
	AbutStatus (*work_create)(const AbutModel *model, int n_threads, void **out);
	void (*work_destroy)(void *work);
	/* Create and destroy island->method for islands up to a size. NULL: not used. */
	AbutStatus (*island_create)(const AbutModel *model, const struct AbutIslandSize *size,
	                            struct AbutIsland *island);
	void (*island_destroy)(struct AbutIsland *island);
	/* Solves a step of all islands, from the state; the solution is left in the workspace. */
	AbutStatus (*step)(const AbutModel *model, const AbutState *state, AbutWorkspace *w,
	                   const struct AbutStepWatch *watch, AbutStepInfo *info);
	/* Advances one island through the step, in the memory of one thread. NULL: `step` does not use it. */
	void (*advance)(const AbutModel *model, const AbutState *state, AbutWorkspace *w,
	                const struct AbutStepWatch *watch, struct AbutIslandMembers *members,
	                struct AbutIsland *island);
	/* Writes why a step was not solved. Returns false if the common text applies. NULL: the common text always
	 * applies. */
	bool (*explain)(const AbutModel *model, const AbutStepInfo *info, char *text, size_t size);
	/* Why a step ends relaxed although the exact solution was requested, whether it matters, and what to change. */
	const char *relaxed;
	/* Returns whether steps have derivatives with respect to parameters of the kind; `parameters` lists these kinds
	 * as text. NULL: all kinds. */
	bool (*has_parameter)(AbutParameterKind kind);
	const char *parameters;
	const struct AbutMethodGradient
	    *gradient; /* dynamics/gradient/method.h; NULL: abut_gradient is not supported */
	/* Computes the derivative of the last step of a model without joints from the workspace, with the columns of
	 * abut/lcp.h. NULL: not supported. */
	AbutStatus (*last_gradient)(const AbutModel *model, const AbutWorkspace *workspace, double *out,
	                            AbutError *error);
	/* For inverse dynamics of robots, where the forces of contacts and soft laws follow from a motion.
	 * prepare_motion finds the pairs of a step from a state and its islands. apply_motion lets these forces act on
	 * the bodies of an island, which have moved and whose joints are evaluated: adds them to the momenta of bodies
	 * with joints, and moves others to where they would be without them. NULL: the forces do not follow from the
	 * motion. */
	AbutStatus (*prepare_motion)(const AbutModel *model, const AbutState *before, AbutWorkspace *w,
	                             AbutError *error);
	void (*apply_motion)(const AbutModel *model, const AbutState *before, AbutWorkspace *w, int island);
} AbutMethodRow;
