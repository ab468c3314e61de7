/* The definition of a scene: plain values, made by hand or by abut_scene_load (abut/io.h), turned into a model by
 * abut_model_create (abut/model.h). SI units, radians, right-handed, gravity and positions in the world frame. */
#ifndef ABUT_SCENE_H
#define ABUT_SCENE_H

#include <stdbool.h>

#include "abut/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How contact is formulated (docs/design.md). X(constant, name in scene files). */
#define ABUT_METHOD_LIST(X)                                                                                            \
	X(ABUT_METHOD_SINGLE_LEVEL, "single-level")                                                                    \
	X(ABUT_METHOD_BILEVEL, "bilevel")                                                                              \
	X(ABUT_METHOD_LCP, "lcp")                                                                                      \
	X(ABUT_METHOD_POINT_NCP, "point-ncp")                                                                          \
	X(ABUT_METHOD_CONVEX, "convex")

/* What follows the interior point. X(constant, name in scene files). */
#define ABUT_FINISH_LIST(X)                                                                                            \
	X(ABUT_FINISH_EXACT, "exact") /* finish to the exact solution */                                               \
	X(ABUT_FINISH_NONE, "none")   /* stay on the relaxed path, at kappa */

/* The cone of friction impulses. X(constant, name in scene files). */
#define ABUT_FRICTION_CONE_LIST(X)                                                                                     \
	X(ABUT_FRICTION_CONE_SOC, "soc")         /* second-order cone */                                               \
	X(ABUT_FRICTION_CONE_PYRAMID, "pyramid") /* four edges, two more for torsion */

/* How Newton's equations are solved. X(constant, name in scene files). */
#define ABUT_LINEAR_SOLVER_LIST(X)                                                                                     \
	X(ABUT_LINEAR_SOLVER_CONDENSED, "condensed") /* contacts condensed onto 6 x 6 body blocks */                   \
	X(ABUT_LINEAR_SOLVER_DENSE, "dense") /* the whole matrix through LAPACK: the oracle; bilevel: by differences   \
	                                      */

/* How a step starts from the last solution. X(constant, name in scene files). */
#define ABUT_WARM_RULE_LIST(X)                                                                                         \
	X(ABUT_WARM_RULE_EXTRAPOLATED, "extrapolated") /* exact from extrapolated velocities, else a smoothed path */  \
	X(ABUT_WARM_RULE_SHIFTED, "shifted") /* the paper's: 1e-2 added to the last slacks and duals, then the path */

/* Method lcp: what the gap of a point means to its velocity. X(constant, name in scene files). */
#define ABUT_LCP_GAP_LIST(X)                                                                                           \
	X(ABUT_LCP_GAP_BOUNDED, "bounded") /* points may close their gaps; overlap is undone at a bounded speed */     \
	X(ABUT_LCP_GAP_NONE, "none")       /* velocities alone, at points that touch or overlap */                     \
	X(ABUT_LCP_GAP_FULL, "full")       /* points may close their gaps; overlap is undone in one step */

/* Method lcp: how the complementarity problem is solved first. X(constant, name in scene files). */
#define ABUT_LCP_SOLVER_LIST(X)                                                                                        \
	X(ABUT_LCP_SOLVER_DANTZIG, "dantzig")   /* index by index, friction bounds from pass to pass */                \
	X(ABUT_LCP_SOLVER_LEMKE, "lemke")       /* complementary pivots; finds a solution where there is one */        \
	X(ABUT_LCP_SOLVER_PGS, "pgs")           /* projected Gauss-Seidel */                                           \
	X(ABUT_LCP_SOLVER_ONE_PASS, "one-pass") /* Dantzig's, friction bounded as without friction: DART's law */

/* Method convex: what a contact is. X(constant, name in scene files). */
#define ABUT_CONVEX_MODEL_LIST(X)                                                                                      \
	X(ABUT_CONVEX_MODEL_SOFT, "soft")       /* MuJoCo's: springs with impedance */                                 \
	X(ABUT_CONVEX_MODEL_BARRIER, "barrier") /* Todorov's of 2014: least energy over cones, logarithmic barriers */

/* A setting of many options at once. X(constant, name in scene files). */
#define ABUT_PRESET_LIST(X)                                                                                            \
	X(ABUT_PRESET_NONE, "none")                                                                                    \
	X(ABUT_PRESET_PAPER, "paper") /* the single-level paper's own setting, to replicate what it published */

#define ABUT_X(constant, name) constant,
typedef enum AbutMethod { ABUT_METHOD_LIST(ABUT_X) ABUT_METHOD_COUNT } AbutMethod;
typedef enum AbutFinish { ABUT_FINISH_LIST(ABUT_X) ABUT_FINISH_COUNT } AbutFinish;
typedef enum AbutFrictionCone { ABUT_FRICTION_CONE_LIST(ABUT_X) ABUT_FRICTION_CONE_COUNT } AbutFrictionCone;
typedef enum AbutLinearSolver { ABUT_LINEAR_SOLVER_LIST(ABUT_X) ABUT_LINEAR_SOLVER_COUNT } AbutLinearSolver;
typedef enum AbutWarmRule { ABUT_WARM_RULE_LIST(ABUT_X) ABUT_WARM_RULE_COUNT } AbutWarmRule;
typedef enum AbutLcpGap { ABUT_LCP_GAP_LIST(ABUT_X) ABUT_LCP_GAP_COUNT } AbutLcpGap;
typedef enum AbutLcpSolver { ABUT_LCP_SOLVER_LIST(ABUT_X) ABUT_LCP_SOLVER_COUNT } AbutLcpSolver;
typedef enum AbutConvexModel { ABUT_CONVEX_MODEL_LIST(ABUT_X) ABUT_CONVEX_MODEL_COUNT } AbutConvexModel;
typedef enum AbutPreset { ABUT_PRESET_LIST(ABUT_X) ABUT_PRESET_COUNT } AbutPreset;
#undef ABUT_X

/* Names in scene files; "unknown" outside the enumeration. Static storage. */

ABUT_API const char *abut_method_name(AbutMethod method);              /* of a method, such as "single-level" */
ABUT_API const char *abut_finish_name(AbutFinish finish);              /* of a finish, such as "exact" */
ABUT_API const char *abut_friction_cone_name(AbutFrictionCone cone);   /* of a cone, such as "soc" */
ABUT_API const char *abut_linear_solver_name(AbutLinearSolver solver); /* of a solver, such as "condensed" */
ABUT_API const char *abut_warm_rule_name(AbutWarmRule rule);           /* of a rule, such as "extrapolated" */
ABUT_API const char *abut_lcp_gap_name(AbutLcpGap gap);                /* of a gap, such as "bounded" */
ABUT_API const char *abut_lcp_solver_name(AbutLcpSolver solver);       /* of a solver, such as "dantzig" */
ABUT_API const char *abut_convex_model_name(AbutConvexModel model);    /* of a model, such as "soft" */
ABUT_API const char *abut_preset_name(AbutPreset preset);              /* of a preset, such as "none" */

/* How steps are solved. Filled by abut_solver_options_default or _preset, then changed. */
typedef struct AbutSolverOptions {
	AbutPreset preset;  /* units, weights and starts; the other options are by abut_solver_options_preset */
	AbutMethod method;  /* how contact is formulated; the others are its own where they say so */
	double kappa;       /* complementarity where the interior point ends; dimensionless, in [1e-12, 1] */
	double tolerance;   /* of residual and complementarity; 0: kappa / 10, at least 1e-10 (point-ncp: 1e-13) */
	int max_iterations; /* of one try of the interior point, >= 1 */
	AbutFinish finish;  /* what follows the interior point */
	AbutFrictionCone friction_cone; /* of friction impulses */
	AbutLinearSolver linear_solver; /* of Newton's equations */
	bool retry;                     /* the cascade of other starts when a solve fails */
	bool warm_start;                /* start from the last solution */
	AbutWarmRule warm_start_rule;   /* how */
	double collision_kappa;         /* bilevel: where the collision problems end, in [1e-12, 1]; 0: `kappa` */
	AbutLcpGap lcp_gap;             /* lcp: what the gap of a point means to its velocity */
	AbutLcpSolver lcp_solver;       /* lcp: how the complementarity problem is solved */
	AbutConvexModel convex_model;   /* convex: what a contact is */
	/* convex, with MuJoCo's names and defaults (docs/interface.md): */
	double solref[2];      /* time constant (s) and damping ratio, or both not positive: -stiffness, -damping */
	double solimp[5];      /* impedance at the surface and at depth, width (m), midpoint, power */
	double impratio;       /* impedance of friction over that of the normal */
	double margin;         /* m, >= 0: distance from which on contacts act */
	double kappa_gradient; /* of derivatives, for abut_gradient_create: in [0, 1]; 0: at the exact solution */
} AbutSolverOptions;

/* A body of a scene. Filled by abut_body_def_default, then changed. */
typedef struct AbutBodyDef {
	const char *name;              /* unique, not empty */
	bool is_static;                /* never moves; needs no mass */
	int n_parts;                   /* >= 1 */
	const AbutShape *const *parts; /* (n_parts) in the body frame */
	double mass;                   /* kg; 0: from `density` */
	double density;                /* kg/m^3; 0: from `mass`; exactly one of the two is given for a moving body */
	bool has_centre_of_mass;       /* otherwise from the parts */
	double centre_of_mass[3];      /* m, body frame */
	bool has_inertia;              /* otherwise from the parts, scaled to the mass */
	double inertia[9];             /* kg m^2, row-major, about the centre of mass, body axes */
	double position[3];            /* m, of the body frame's origin, world */
	double orientation[4];         /* unit quaternion [w, x, y, z], body to world */
	double linear_velocity[3];     /* m/s, of the centre of mass, world */
	double angular_velocity[3];    /* rad/s, body axes */
	double force[3];               /* N, constant, at the centre of mass, world */
	double torque[3];              /* N m, constant, body axes */
	double friction;               /* coefficient, >= 0; negative: the scene's */
	bool planar_xz;                /* the motion is kept to x, z and rotation about the world's y */
	/* Of what the parts stand for (a mesh of which they are hulls, say), at density 1; NULL: of their union. */
	const AbutMassProperties *parts_mass;
} AbutBodyDef;

/* Two bodies that may touch, and what they have of their own. All of it is to be set: zeros are values. */
typedef struct AbutPairDef {
	int body_a, body_b;      /* indices into bodies */
	double friction;         /* >= 0; negative: the geometric mean of the bodies' */
	double torsional_radius; /* m, >= 0, 0 switches torsional friction off; negative: a tenth of the outer radii's
	                            sum */
	double restitution;      /* of method lcp: in [0, 1]; negative: the scene's */
	bool has_solref, has_solimp, has_margin; /* of method convex: the pair has its own of these */
	double solref[2], solimp[5], margin;     /* in the place of the solver's options */
} AbutPairDef;

enum {
	ABUT_BODIES_MAX = 20000,  /* of a scene */
	ABUT_PARTS_MAX = 4000000, /* of all bodies */
};

/* A scene. Filled by abut_scene_def_default, then changed; what it points to is the caller's, and is copied by
 * abut_model_create. */
typedef struct AbutSceneDef {
	const char *name;          /* for outputs */
	double gravity[3];         /* m/s^2 */
	double timestep;           /* s */
	double duration;           /* s */
	double friction;           /* default coefficient */
	double restitution;        /* default coefficient, in [0, 1]; methods other than lcp have none and refuse it */
	bool quasi_static;         /* every step begins at rest: bodies forget the velocity that they had */
	AbutSolverOptions solver;  /* how steps are solved */
	int n_bodies;              /* 1 to ABUT_BODIES_MAX */
	const AbutBodyDef *bodies; /* (n_bodies) */
	bool all_pairs;            /* every pair with at least one moving body may touch, but those of `exclude` */
	int n_pairs;               /* >= 0 */
	const AbutPairDef *pairs;  /* (n_pairs) the pairs that may touch; with all_pairs, values for some of them */
	int n_exclude;             /* >= 0 */
	const int (*exclude)[2];   /* (n_exclude) pairs of body indices that never touch; used with all_pairs */
} AbutSceneDef;

/* Defaults as in docs/interface.md: single-level, kappa 1e-6, exact finish, soc, condensed, 30 iterations, retry and
 * warm start on, extrapolated. */
ABUT_API AbutSolverOptions abut_solver_options_default(void);
/* The options of a `preset`. NONE: the default, for the `method`. PAPER: finish none, pyramid, no retry, no warm start
 * (its own when switched on), the dense linear solver; pairs have no torsional friction unless they name a radius. */
ABUT_API AbutSolverOptions abut_solver_options_preset(AbutPreset preset, AbutMethod method);
/* A body that moves, at the origin and at rest, without a name, shape or mass, which are to be set. */
ABUT_API AbutBodyDef abut_body_def_default(void);
/* A scene without bodies, with the defaults of docs/interface.md: gravity -9.81 along z, timestep 0.01 s, duration 1 s,
 * friction 0.5, all pairs. */
ABUT_API AbutSceneDef abut_scene_def_default(void);

#ifdef __cplusplus
}
#endif

#endif
