/* Defines the table of methods: the functions and limits of each method in the stages that all methods share
 * (dynamics/model/method.h). */
#include "dynamics/methods/table.h"

#include "abut/lcp.h"
#include "base/error.h"
#include "dynamics/contact/setup.h"
#include "dynamics/joint/assemble.h"
#include "dynamics/joint/mobility.h"
#include "dynamics/joint/place.h"
#include "dynamics/methods/bilevel/bilevel.h"
#include "dynamics/methods/convex/gradient.h"
#include "dynamics/methods/convex/inverse.h"
#include "dynamics/methods/convex/step.h"
#include "dynamics/methods/lcp/gradient_part.h"
#include "dynamics/methods/lcp/memory.h"
#include "dynamics/methods/lcp/step.h"
#include "dynamics/methods/manifold/island.h"
#include "dynamics/methods/manifold/step.h"
#include "dynamics/methods/manifold/work.h"
#include "dynamics/methods/points/map.h"
#include "dynamics/methods/points/problem.h"
#include "dynamics/methods/points/set.h"
#include "dynamics/methods/points/step.h"
#include "dynamics/model/build.h"
#include "dynamics/model/model.h"
#include "dynamics/step/advance.h"
#include "dynamics/step/step.h"

/* Derivatives of steps whose contacts have cone constraints (dynamics/gradient/part.h). */
static const AbutMethodGradient by_cones = {.has_path = true};

#define WITHOUT_PATH                                                                                                   \
	"collision_kappa", "tolerance", "max_iterations", "finish", "retry", "warm_start", "linear_solver",            \
	    "warm_start_rule", "kappa_gradient"

static AbutIgnoredKeys ignored_by_lcp(const AbutSolverOptions *options)
{
	static const char *const keys[] = {"kappa",    WITHOUT_PATH, "friction_cone", "solref", "solimp",
	                                   "impratio", "margin",     "convex_model",  NULL};
	(void)options;
	return (AbutIgnoredKeys){keys, ""};
}

static AbutIgnoredKeys ignored_by_points(const AbutSolverOptions *options)
{
	static const char *const keys[] = {"finish", "collision_kappa", "warm_start_rule", "lcp_gap", "lcp_solver",
	                                   "solref", "solimp",          "impratio",        NULL};
	(void)options;
	return (AbutIgnoredKeys){keys, ""};
}

/* Returns the keys that method convex ignores: barriers use only the impedances of a spring. */
static AbutIgnoredKeys ignored_by_convex(const AbutSolverOptions *options)
{
	static const char *const with_springs[] = {"kappa", WITHOUT_PATH, "lcp_gap", "lcp_solver", NULL};
	static const char *const with_barriers[] = {WITHOUT_PATH, "lcp_gap",  "lcp_solver", "friction_cone",
	                                            "solref",     "impratio", NULL};
	return options->convex_model == ABUT_CONVEX_MODEL_BARRIER
	           ? (AbutIgnoredKeys){with_barriers, " with convex_model barrier"}
	           : (AbutIgnoredKeys){with_springs, ""};
}

#define ON_THE_PATH                                                                                                    \
	"with contact, this method ends on the path at kappa, where bodies hover and creep by an amount proportional " \
	"to kappa; a smaller solver.kappa is more accurate"
#define NEARLY_EXACT                                                                                                   \
	"they are solved to the tolerance of a success but not to 1e-10, so contact forces are slightly less "         \
	"accurate; "

static const AbutMethodRow table[ABUT_METHOD_COUNT] = {
    [ABUT_METHOD_SINGLE_LEVEL] =
        {.has = {.published = true, .couples = true, .by_cones = true, .least_tolerance = 1e-10},
         .room = abut_contact_room,
         .size = abut_contact_size,
         .step = abut_islands_step,
         .advance = abut_step_advance,
         .relaxed =
             "they are solved at kappa, but the refinement to the exact solution did not converge, so bodies may "
             "hover or creep by an amount proportional to kappa and these steps have no derivative at the exact "
             "solution; a smaller timestep helps, and a smaller solver.kappa reduces the error",
         .gradient = &by_cones},
    [ABUT_METHOD_BILEVEL] = {.has = {.published = true, .couples = true, .by_cones = true, .least_tolerance = 1e-10},
                             .room = abut_contact_room,
                             .size = abut_contact_size,
                             .island_create = abut_bilevel_create,
                             .island_destroy = abut_bilevel_destroy,
                             .step = abut_islands_step,
                             .advance = abut_step_advance,
                             .relaxed = ON_THE_PATH},
    [ABUT_METHOD_LCP] = {.has = {.restitutes = true, .whole_steps = true, .least_tolerance = 1e-10},
                         .ignored_keys = ignored_by_lcp,
                         .make_ready = abut_lcp_model_create,
                         .room = abut_lcp_room,
                         .size = abut_lcp_size,
                         .work_create = abut_lcp_work_create,
                         .work_destroy = abut_lcp_work_destroy,
                         .step = abut_lcp_step,
                         .explain = abut_lcp_explain,
                         .relaxed = NEARLY_EXACT "a smaller timestep or another solver.lcp_solver may help",
                         .has_parameter = abut_lcp_has_parameter,
                         .parameters = ABUT_LCP_PARAMETERS,
                         .gradient = &abut_lcp_part_gradient,
                         .last_gradient = abut_lcp_gradient},
    /* Steps of point-ncp end on the path, so a smaller kappa makes bodies creep less. */
    [ABUT_METHOD_POINT_NCP] = {.has = {.whole_steps = true,
                                       .couples = true,
                                       .by_cones = true,
                                       .kappa = 1e-12, /* sticking contacts creep in proportion to kappa */
                                       .least_tolerance = 1e-13},
                               .ignored_keys = ignored_by_points,
                               .check_options = abut_points_options_check,
                               .make_ready = abut_point_sets_create,
                               .unmake = abut_point_sets_destroy,
                               .room = abut_points_room,
                               .size = abut_points_size,
                               .island_create = abut_point_problem_create,
                               .island_destroy = abut_point_problem_destroy,
                               .step = abut_islands_step,
                               .advance = abut_point_advance,
                               .relaxed = ON_THE_PATH,
                               .has_parameter = abut_points_have_parameter,
                               .parameters = ABUT_POINTS_PARAMETERS,
                               .gradient = &abut_points_gradient},
    [ABUT_METHOD_CONVEX] = {.has = {.springs = true, .whole_steps = true, .couples = true, .least_tolerance = 1e-10},
                            .ignored_keys = ignored_by_convex,
                            .check_options = abut_convex_options_check,
                            .check_springs = abut_softness_check,
                            .make_ready = abut_lcp_model_create,
                            .measure = abut_joints_find_mobility,
                            .room = abut_contact_room,
                            .size = abut_contact_size,
                            .work_create = abut_convex_work_create,
                            .work_destroy = abut_lcp_work_destroy,
                            .step = abut_lcp_step,
                            .explain = abut_convex_explain,
                            .relaxed = NEARLY_EXACT
                            "where contacts act, a smaller timestep or softer contacts (solver.solref) may help",
                            .has_parameter = abut_convex_has_parameter,
                            .parameters = ABUT_CONVEX_PARAMETERS,
                            .gradient = &abut_convex_gradient,
                            .prepare_motion = abut_convex_prepare_motion,
                            .apply_motion = abut_convex_apply_motion},
};

AbutSolverOptions abut_solver_options_preset(AbutPreset preset, AbutMethod method)
{
	AbutSolverOptions options = abut_solver_options_default();
	options.method = method;
	if ((unsigned)method < ABUT_METHOD_COUNT && table[method].has.kappa > 0.0) {
		options.kappa = table[method].has.kappa;
	}
	if (preset == ABUT_PRESET_PAPER) {
		options.preset = preset;
		options.finish = ABUT_FINISH_NONE;
		options.friction_cone = ABUT_FRICTION_CONE_PYRAMID;
		options.linear_solver = ABUT_LINEAR_SOLVER_DENSE;
		options.retry = false;
		options.warm_start = false;
		options.warm_start_rule = ABUT_WARM_RULE_SHIFTED;
	}
	return options;
}

AbutStatus abut_model_create(const AbutSceneDef *def, AbutModel **out, AbutError *error)
{
	if (!out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "out is NULL; it must point to an AbutModel *");
	}
	*out = NULL;
	if (!def) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "def is NULL; it must point to a definition");
	}
	const AbutMethod method = def->solver.method;
	if ((unsigned)method >= ABUT_METHOD_COUNT) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "solver.method",
		                      "method is %d; it must be one of AbutMethod, 0 to %d", (int)method,
		                      ABUT_METHOD_COUNT - 1);
	}
	ABUT_TRY(abut_model_build(def, &table[method], out, error));
	AbutStatus status = abut_joints_place(*out, error);
	ABUT_THEN(status, abut_joints_assemble(*out, def, error));
	ABUT_THEN(status, abut_joints_drive(*out, error));
	ABUT_THEN(status, table[method].measure ? table[method].measure(*out, error) : ABUT_OK);
	if (status != ABUT_OK) {
		abut_model_destroy(*out);
		*out = NULL;
	}
	return status;
}

AbutIgnoredKeys abut_method_ignored_keys(const AbutSolverOptions *options)
{
	static const char *const none[] = {NULL};
	const AbutMethodRow *row = &table[options->method];
	return row->ignored_keys ? row->ignored_keys(options) : (AbutIgnoredKeys){none, ""};
}
