/* What a method is to the stages that all methods share: one row of constant data and functions. The rows are in
 * dynamics/methods/table.c; a model points to its own. Nothing outside dynamics/methods/ asks which method it is. */
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

/* Room for contacts that a state or workspace begins with: enough for all contacts of a small scene; a large scene has
 * fewer than its parts allow, and its room grows. */
typedef struct AbutRoom {
	int contacts, n_y, n_z, n_law, n_cones, n_side; /* the last five: of all contacts together */
} AbutRoom;

/* What a definition may ask of the method. */
typedef struct AbutMethodFeatures {
	bool restitutes;        /* contacts may have a restitution above 0 */
	bool springs;           /* contacts are springs: solref, solimp and margin count */
	bool published;         /* the preset of the paper is for it */
	bool whole_steps;       /* a step is taken as a whole: a large turn is refused */
	bool couples;           /* blocks couple the bodies of an island */
	bool by_cones;          /* islands are solved in AbutIsland, by the cones of their contacts */
	double kappa;           /* of its presets; 0: the usual one */
	double least_tolerance; /* of residual and complementarity, unless the definition has one */
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
	/* Checks the options, but for those of all methods. NULL: any are allowed. */
	AbutStatus (*check_options)(const AbutSolverOptions *options, AbutError *error);
	/* Checks the springs of a contact; `where` is what an error names. NULL: there are none. */
	AbutStatus (*check_springs)(const struct AbutSoftness *soft, const char *where, AbutError *error);
	/* Makes the parts of a scaled model ready, or refuses the first part that the method cannot do. NULL: all are.
	 */
	AbutStatus (*make_ready)(AbutModel *model, AbutError *error);
	/* Destroys what make_ready left in model->method_parts. NULL: nothing. */
	void (*unmake)(AbutModel *model);
	/* Room for as many contacts; and the sizes of a pair whose other members are set. */
	AbutRoom (*room)(const AbutModel *model, int contacts);
	void (*size)(const AbutModel *model, struct AbutPair *pair);
	/* Makes and destroys workspace->method, for so many threads. NULL: it has none. */
	AbutStatus (*work_create)(const AbutModel *model, int n_threads, void **out);
	void (*work_destroy)(void *work);
	/* Makes and destroys island->method, for islands up to a size. NULL: it has none. */
	AbutStatus (*island_create)(const AbutModel *model, const struct AbutIslandSize *size,
	                            struct AbutIsland *island);
	void (*island_destroy)(struct AbutIsland *island);
	/* Takes a step from the state to a solution of all islands in the workspace. */
	AbutStatus (*step)(const AbutModel *model, const AbutState *state, AbutWorkspace *w,
	                   const struct AbutStepWatch *watch, AbutStepInfo *info);
	/* Takes one island through it, in the room of a thread. NULL: the step has its own way. */
	void (*advance)(const AbutModel *model, const AbutState *state, AbutWorkspace *w,
	                const struct AbutStepWatch *watch, struct AbutIslandMembers *members,
	                struct AbutIsland *island);
	/* Writes why a step was not solved; false: the words of all methods fit. NULL: they always do. */
	bool (*explain)(const AbutModel *model, const AbutStepInfo *info, char *text, size_t size);
	/* Returns whether steps are differentiated by parameters of the kind, `parameters` in words. NULL: by all. */
	bool (*has_parameter)(AbutParameterKind kind);
	const char *parameters;
	const struct AbutMethodGradient *gradient; /* dynamics/gradient/method.h; NULL: abut_gradient is not for it */
	/* Computes the derivative of the last step from the workspace, with the columns of abut/lcp.h. NULL: it cannot.
	 */
	AbutStatus (*last_gradient)(const AbutModel *model, const AbutWorkspace *workspace, double *out,
	                            AbutError *error);
} AbutMethodRow;

#endif
