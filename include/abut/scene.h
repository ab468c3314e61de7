/* The definition of a scene as plain values, filled in by a program or by abut_scene_load (abut/io.h) and compiled to a
 * model by abut_model_create (abut/model.h). SI units, radians, right-handed axes; gravity and positions are in the
 * world frame. */
#ifndef ABUT_SCENE_H
#define ABUT_SCENE_H

#include <stdbool.h>

#include "abut/joint.h"
#include "abut/sensor.h"
#include "abut/shape.h"
#include "abut/stop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Formulations of contact (docs/theory.md). X(constant, name in scene files). */
#define ABUT_METHOD_LIST(X)                                                                                            \
	X(ABUT_METHOD_SINGLE_LEVEL, "single-level")                                                                    \
	X(ABUT_METHOD_BILEVEL, "bilevel")                                                                              \
	X(ABUT_METHOD_LCP, "lcp")                                                                                      \
	X(ABUT_METHOD_POINT_NCP, "point-ncp")                                                                          \
	X(ABUT_METHOD_CONVEX, "convex")

/* Treatments after the interior point. X(constant, name in scene files). */
#define ABUT_FINISH_LIST(X)                                                                                            \
	X(ABUT_FINISH_EXACT, "exact") /* refine to the exact solution */                                               \
	X(ABUT_FINISH_NONE, "none")   /* stay on the relaxed path, at kappa */

/* Cones of friction impulses. X(constant, name in scene files). */
#define ABUT_FRICTION_CONE_LIST(X)                                                                                     \
	X(ABUT_FRICTION_CONE_SOC, "soc")         /* second-order cone */                                               \
	X(ABUT_FRICTION_CONE_PYRAMID, "pyramid") /* four edges, two more for torsion */

/* Solvers of Newton's equations. X(constant, name in scene files).
 *
 * A step with "dense", a step with convex_model "barrier", and a derivative of lcp or convex call LAPACK. The first of
 * these calls limits OpenBLAS to one thread, for the whole process and also for the caller's own calls of the same
 * library, because the results of OpenBLAS depend on its number of threads. Do not change this number while another
 * thread makes such a call. Set OPENBLAS_NUM_THREADS=1 to keep OpenBLAS from starting threads at all. */
#define ABUT_LINEAR_SOLVER_LIST(X)                                                                                     \
	X(ABUT_LINEAR_SOLVER_CONDENSED, "condensed") /* contacts condensed onto 6 x 6 body blocks */                   \
	X(ABUT_LINEAR_SOLVER_DENSE, "dense") /* the whole matrix through LAPACK; bilevel: by forward differences */

/* Warm starts from the last solution. X(constant, name in scene files). */
#define ABUT_WARM_RULE_LIST(X)                                                                                         \
	/* exact from extrapolated velocities, otherwise a smoothed path */                                            \
	X(ABUT_WARM_RULE_EXTRAPOLATED, "extrapolated")                                                                 \
	/* the paper's: 1e-2 added to the last slacks and duals, then the path */                                      \
	X(ABUT_WARM_RULE_SHIFTED, "shifted")

/* Method lcp: the effect of a point's gap on its velocity. X(constant, name in scene files). */
#define ABUT_LCP_GAP_LIST(X)                                                                                           \
	X(ABUT_LCP_GAP_BOUNDED, "bounded") /* points may close their gaps; overlap is undone at a bounded speed */     \
	X(ABUT_LCP_GAP_NONE, "none")       /* only velocities, at points that touch or overlap */                      \
	X(ABUT_LCP_GAP_FULL, "full")       /* points may close their gaps; overlap is undone in one step */

/* Method lcp: first solvers of the complementarity problem. X(constant, name in scene files). */
#define ABUT_LCP_SOLVER_LIST(X)                                                                                        \
	X(ABUT_LCP_SOLVER_DANTZIG, "dantzig")   /* index by index, friction bounds from pass to pass */                \
	X(ABUT_LCP_SOLVER_LEMKE, "lemke")       /* complementary pivots; finds a solution if one exists */             \
	X(ABUT_LCP_SOLVER_PGS, "pgs")           /* projected Gauss-Seidel */                                           \
	X(ABUT_LCP_SOLVER_ONE_PASS, "one-pass") /* DART's law: friction bounds from the frictionless problem */

/* Method convex: contact models. X(constant, name in scene files). */
#define ABUT_CONVEX_MODEL_LIST(X)                                                                                      \
	X(ABUT_CONVEX_MODEL_SOFT, "soft")       /* MuJoCo: springs with impedance */                                   \
	X(ABUT_CONVEX_MODEL_BARRIER, "barrier") /* Todorov, ICRA 2011: least energy over cones, by barriers */

/* Settings of many options at once. X(constant, name in scene files). */
#define ABUT_PRESET_LIST(X)                                                                                            \
	X(ABUT_PRESET_NONE, "none")                                                                                    \
	X(ABUT_PRESET_PAPER, "paper") /* the single-level paper's own setting, to replicate its results */

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

/* The functions below return names of scene files, or "unknown" outside the enumeration. Static storage. */

ABUT_API const char *abut_method_name(AbutMethod method);              /* Names a `method`, such as "single-level". */
ABUT_API const char *abut_finish_name(AbutFinish finish);              /* Names a `finish`, such as "exact". */
ABUT_API const char *abut_friction_cone_name(AbutFrictionCone cone);   /* Names a `cone`, such as "soc". */
ABUT_API const char *abut_linear_solver_name(AbutLinearSolver solver); /* Names a `solver`, such as "condensed". */
ABUT_API const char *abut_warm_rule_name(AbutWarmRule rule);           /* Names a `rule`, such as "extrapolated". */
ABUT_API const char *abut_lcp_gap_name(AbutLcpGap gap);                /* Names a `gap`, such as "bounded". */
ABUT_API const char *abut_lcp_solver_name(AbutLcpSolver solver);       /* Names a `solver`, such as "dantzig". */
ABUT_API const char *abut_convex_model_name(AbutConvexModel model);    /* Names a `model`, such as "soft". */
ABUT_API const char *abut_preset_name(AbutPreset preset);              /* Names a `preset`, such as "none". */

/* How steps are solved. Fill it with abut_solver_options_default or abut_solver_options_preset, then change it. */
typedef struct AbutSolverOptions {
	AbutPreset preset;  /* units, weights and starts; abut_solver_options_preset sets the other options */
	AbutMethod method;  /* formulation of contact; options of one method begin with its name */
	double kappa;       /* complementarity at the end of the interior point; dimensionless, in [1e-12, 1] */
	double tolerance;   /* for residual and complementarity; 0: kappa / 10, at least 1e-10 (point-ncp: 1e-13) */
	int max_iterations; /* for one try of the interior point, >= 1 */
	AbutFinish finish;  /* treatment after the interior point */
	AbutFrictionCone friction_cone; /* cone of friction impulses */
	AbutLinearSolver linear_solver; /* solver of Newton's equations */
	bool retry;                     /* try the cascade of other starts if a solve fails */
	bool warm_start;                /* start from the last solution */
	AbutWarmRule warm_start_rule;   /* how to start from it */
	double collision_kappa;         /* bilevel: kappa of the collision problems, in [1e-12, 1]; 0: `kappa` */
	AbutLcpGap lcp_gap;             /* lcp: effect of a point's gap on its velocity */
	AbutLcpSolver lcp_solver;       /* lcp: solver of the complementarity problem */
	AbutConvexModel convex_model;   /* convex: contact model */
	/* convex: options with MuJoCo's names and defaults (docs/interface.md) */
	double solref[2];      /* time constant (s) and damping ratio; if not positive: -stiffness, -damping */
	double solimp[5];      /* impedance at the surface and at depth, width (m), midpoint, power */
	double impratio;       /* ratio of friction impedance to normal impedance */
	double margin;         /* m, >= 0: contacts act below this distance */
	double kappa_gradient; /* kappa of derivatives (abut_gradient_create), in [0, 1]; 0: exact solution */
} AbutSolverOptions;

/* A body of a scene. Fill it with abut_body_def_default, then change it. */
typedef struct AbutBodyDef {
	const char *name;              /* unique, not empty */
	bool is_static;                /* never moves; needs no mass */
	int n_parts;                   /* number of parts, >= 1 */
	const AbutShape *const *parts; /* (n_parts), in the body frame */
	double mass;                   /* kg; 0: from `density` */
	double density;                /* kg/m^3; 0: from `mass`; a moving body has exactly one of the two */
	bool has_centre_of_mass;       /* false: computed from the parts */
	double centre_of_mass[3];      /* m, body frame */
	bool has_inertia;              /* false: computed from the parts, scaled to the mass */
	double inertia[9];             /* kg m^2, row-major, about the centre of mass, body axes */
	double position[3];            /* m, of the body frame's origin, world */
	double orientation[4];         /* unit quaternion [w, x, y, z], body to world */
	double linear_velocity[3];     /* m/s, of the centre of mass, world */
	double angular_velocity[3];    /* rad/s, body axes */
	double force[3];               /* N, constant, at the centre of mass, world */
	double torque[3];              /* N m, constant, body axes */
	double friction;               /* coefficient, >= 0; negative: the scene's */
	bool planar_xz;                /* the body moves only along x and z and about y of the world */
	/* Mass at density 1 of the solid that the parts represent, such as a mesh of which they are hulls. NULL: that
	 * of the union of the parts. */
	const AbutMassProperties *parts_mass;
} AbutBodyDef;

/* Two bodies that may touch, with values for this pair. All fields must be set; zeros are values. */
typedef struct AbutPairDef {
	int body_a, body_b;      /* indices into bodies */
	double friction;         /* >= 0; negative: the geometric mean of the bodies' coefficients */
	double torsional_radius; /* m, >= 0; 0 switches torsional friction off; negative: a tenth of the sum of the
	                            outer radii */
	double restitution;      /* lcp: in [0, 1]; negative: the scene's */
	bool has_solref, has_solimp, has_margin; /* convex: the pair has its own values */
	double solref[2], solimp[5], margin;     /* instead of those of the solver options */
	/* The values hold only for part_a of body_a and part_b of body_b. Those that are not given are those of the
	 * entry of the two bodies without parts, or by default. All parts of the bodies may touch. */
	bool has_parts;
	int part_a, part_b; /* indices into the parts of the bodies, if has_parts */
} AbutPairDef;

enum {
	ABUT_BODIES_MAX = 20000,  /* most bodies of a scene */
	ABUT_PARTS_MAX = 4000000, /* most parts of all bodies together */
};

/* A scene. Fill it with abut_scene_def_default, then change it. The caller owns the data it points to;
 * abut_model_create copies them. */
typedef struct AbutSceneDef {
	const char *name;           /* for outputs */
	double gravity[3];          /* m/s^2 */
	double timestep;            /* s */
	double duration;            /* s */
	double friction;            /* default coefficient */
	double restitution;         /* default coefficient, in [0, 1]; methods other than lcp allow only 0 */
	bool quasi_static;          /* every step starts at rest, whatever the velocities before it */
	AbutSolverOptions solver;   /* how steps are solved */
	int n_bodies;               /* 1 to ABUT_BODIES_MAX */
	const AbutBodyDef *bodies;  /* (n_bodies) */
	bool all_pairs;             /* all pairs with a moving body may touch, except those of `exclude` */
	int n_pairs;                /* >= 0 */
	const AbutPairDef *pairs;   /* (n_pairs) the only pairs that may touch; with all_pairs, values for some pairs */
	int n_exclude;              /* >= 0 */
	const int (*exclude)[2];    /* (n_exclude) pairs of body indices that never touch; used with all_pairs */
	int n_joints;               /* 0 to ABUT_JOINTS_MAX */
	const AbutJointDef *joints; /* (n_joints) */
	int n_couplings;            /* 0 to ABUT_JOINTS_MAX */
	const AbutCouplingDef *couplings; /* (n_couplings) */
	int n_sites;                      /* 0 to ABUT_SENSORS_MAX */
	const AbutSiteDef *sites;         /* (n_sites) */
	int n_sensors;                    /* 0 to ABUT_SENSORS_MAX */
	const AbutSensorDef *sensors;     /* (n_sensors) */
	const AbutStop *stop;             /* ends abut_model_create early; NULL: never */
} AbutSceneDef;

/* Returns the default options of docs/interface.md: single-level, kappa 1e-6, exact finish, soc, condensed, 30
 * iterations, retry and warm start on, extrapolated. */
ABUT_API AbutSolverOptions abut_solver_options_default(void);
/* Returns the options of a `preset`. NONE: the defaults of the `method`. PAPER: finish none, pyramid, no retry, the
 * dense linear solver, and no warm start (if switched on, that of the paper). Pairs then have torsional friction only
 * if they give a radius. */
ABUT_API AbutSolverOptions abut_solver_options_preset(AbutPreset preset, AbutMethod method);
/* Returns a moving body at rest at the origin. Its name, shape and mass must then be set. */
ABUT_API AbutBodyDef abut_body_def_default(void);
/* Returns a scene without bodies, with the defaults of docs/interface.md: gravity -9.81 m/s^2 along z, timestep 0.01 s,
 * duration 1 s, friction 0.5, all pairs. */
ABUT_API AbutSceneDef abut_scene_def_default(void);

#ifdef __cplusplus
}
#endif

#endif
