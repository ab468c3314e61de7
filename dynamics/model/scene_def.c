/* Returns the names of options, and sets the default values of scene definitions. */
#include "abut/scene.h"

#define NAMES(LIST, count, value)                                                                                      \
	static const char *const names[] = {LIST(NAME)};                                                               \
	_Static_assert(sizeof names / sizeof *names == (count), "one name per constant");                              \
	return (unsigned)(value) < (count) ? names[value] : "unknown"
#define NAME(constant, name) name,

const char *abut_method_name(AbutMethod method)
{
	NAMES(ABUT_METHOD_LIST, ABUT_METHOD_COUNT, method);
}

const char *abut_finish_name(AbutFinish finish)
{
	NAMES(ABUT_FINISH_LIST, ABUT_FINISH_COUNT, finish);
}

const char *abut_friction_cone_name(AbutFrictionCone cone)
{
	NAMES(ABUT_FRICTION_CONE_LIST, ABUT_FRICTION_CONE_COUNT, cone);
}

const char *abut_linear_solver_name(AbutLinearSolver solver)
{
	NAMES(ABUT_LINEAR_SOLVER_LIST, ABUT_LINEAR_SOLVER_COUNT, solver);
}

const char *abut_warm_rule_name(AbutWarmRule rule)
{
	NAMES(ABUT_WARM_RULE_LIST, ABUT_WARM_RULE_COUNT, rule);
}

const char *abut_lcp_gap_name(AbutLcpGap gap)
{
	NAMES(ABUT_LCP_GAP_LIST, ABUT_LCP_GAP_COUNT, gap);
}

const char *abut_lcp_solver_name(AbutLcpSolver solver)
{
	NAMES(ABUT_LCP_SOLVER_LIST, ABUT_LCP_SOLVER_COUNT, solver);
}

const char *abut_convex_model_name(AbutConvexModel model)
{
	NAMES(ABUT_CONVEX_MODEL_LIST, ABUT_CONVEX_MODEL_COUNT, model);
}

const char *abut_preset_name(AbutPreset preset)
{
	NAMES(ABUT_PRESET_LIST, ABUT_PRESET_COUNT, preset);
}

AbutSolverOptions abut_solver_options_default(void)
{
	return (AbutSolverOptions){.method = ABUT_METHOD_SINGLE_LEVEL,
	                           .kappa = 1e-6,
	                           .tolerance = 0.0,
	                           .max_iterations = 30,
	                           .finish = ABUT_FINISH_EXACT,
	                           .friction_cone = ABUT_FRICTION_CONE_SOC,
	                           .linear_solver = ABUT_LINEAR_SOLVER_CONDENSED,
	                           .retry = true,
	                           .warm_start = true,
	                           .warm_start_rule = ABUT_WARM_RULE_EXTRAPOLATED,
	                           .lcp_gap = ABUT_LCP_GAP_BOUNDED,
	                           .lcp_solver = ABUT_LCP_SOLVER_DANTZIG,
	                           .solref = {0.02, 1.0},
	                           .solimp = {0.9, 0.95, 0.001, 0.5, 2.0},
	                           .impratio = 1.0};
}

AbutBodyDef abut_body_def_default(void)
{
	return (AbutBodyDef){.orientation = {1.0, 0.0, 0.0, 0.0}, .friction = -1.0};
}

AbutSceneDef abut_scene_def_default(void)
{
	return (AbutSceneDef){.name = "",
	                      .gravity = {0.0, 0.0, -9.81},
	                      .timestep = 0.01,
	                      .duration = 1.0,
	                      .friction = 0.5,
	                      .solver = abut_solver_options_default(),
	                      .all_pairs = true};
}
