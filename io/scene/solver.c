/* The `solver` object of a scene. */
#include <string.h>

#include "io/scene/internal.h"

#define ABUT_X(constant, name) name,
static const char *const methods[] = {ABUT_METHOD_LIST(ABUT_X)};
static const char *const finishes[] = {ABUT_FINISH_LIST(ABUT_X)};
static const char *const friction_cones[] = {ABUT_FRICTION_CONE_LIST(ABUT_X)};
static const char *const linear_solvers[] = {ABUT_LINEAR_SOLVER_LIST(ABUT_X)};
static const char *const warm_rules[] = {ABUT_WARM_RULE_LIST(ABUT_X)};
static const char *const lcp_gaps[] = {ABUT_LCP_GAP_LIST(ABUT_X)};
static const char *const lcp_solvers[] = {ABUT_LCP_SOLVER_LIST(ABUT_X)};
static const char *const convex_models[] = {ABUT_CONVEX_MODEL_LIST(ABUT_X)};
static const char *const presets[] = {ABUT_PRESET_LIST(ABUT_X)};
#undef ABUT_X

static bool read_choice(const AbutNode *object, const char *key, const char *const *names, int n, int *out)
{
	AbutNode node;
	if (!abut_node_get(object, key, &node)) {
		return false;
	}
	abut_node_choice(&node, names, n, out);
	return abut_node_ok(&node);
}

static void read_kappa(const AbutNode *solver, const char *key, double *out)
{
	AbutNode node;
	if (!abut_node_get(solver, key, &node)) {
		return;
	}
	double kappa = 0.0;
	abut_node_number(&node, ABUT_POSITIVE, &kappa);
	if (abut_node_ok(&node) && !(kappa >= 1e-12 && kappa <= 1.0)) {
		abut_node_fail_expected(&node, "a number from 1e-12 to 1");
	}
	*out = kappa;
}

/* 0 or a point of the path. */
static void read_kappa_gradient(const AbutNode *solver, double *out)
{
	AbutNode node;
	if (!abut_node_get(solver, "kappa_gradient", &node)) {
		return;
	}
	abut_node_number(&node, ABUT_ANY, out);
	if (abut_node_ok(&node) && *out != 0.0 && !(*out >= 1e-12 && *out <= 1.0)) {
		abut_node_fail_expected(&node, "0 (at the exact solution) or a number from 1e-12 to 1");
	}
}

/* Keys of method convex that its barriers make nothing of: of a spring they have the impedances alone. */
static bool is_of_springs(const char *key)
{
	return strcmp(key, "solref") == 0 || strcmp(key, "impratio") == 0 || strcmp(key, "friction_cone") == 0;
}

static void warn_of(const AbutNode *solver, const char *key, const AbutSolverOptions *options)
{
	AbutNode node;
	if (!abut_node_get(solver, key, &node)) {
		return;
	}
	if (options->method == ABUT_METHOD_CONVEX && options->convex_model == ABUT_CONVEX_MODEL_BARRIER) {
		abut_node_warn(&node, "method %s does not use this key with convex_model %s",
		               abut_method_name(options->method), abut_convex_model_name(options->convex_model));
	} else {
		abut_node_warn(&node, "method %s does not use this key", abut_method_name(options->method));
	}
}

/* Keys that say nothing to the methods lcp and convex, which solve each step at once, without a path; then those that
 * only one of the two reads. */
static void warn_of_unused(const AbutNode *solver, const AbutSolverOptions *options)
{
	static const char *const unused[] = {"collision_kappa", "tolerance",       "max_iterations",
	                                     "finish",          "retry",           "warm_start",
	                                     "linear_solver",   "warm_start_rule", "kappa_gradient"};
	static const struct {
		const char *key;
		AbutMethod reader;
	} own[] = {{"lcp_gap", ABUT_METHOD_LCP},          {"lcp_solver", ABUT_METHOD_LCP},
	           {"friction_cone", ABUT_METHOD_CONVEX}, {"solref", ABUT_METHOD_CONVEX},
	           {"solimp", ABUT_METHOD_CONVEX},        {"impratio", ABUT_METHOD_CONVEX},
	           {"margin", ABUT_METHOD_CONVEX},        {"convex_model", ABUT_METHOD_CONVEX}};
	const bool barriers =
	    options->method == ABUT_METHOD_CONVEX && options->convex_model == ABUT_CONVEX_MODEL_BARRIER;
	if (!barriers) {
		warn_of(solver, "kappa", options);
	}
	for (size_t i = 0; i < sizeof unused / sizeof *unused; i++) {
		warn_of(solver, unused[i], options);
	}
	for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
		if (own[i].reader != options->method || (barriers && is_of_springs(own[i].key))) {
			warn_of(solver, own[i].key, options);
		}
	}
}

/* Method point-ncp follows its path, and ends on it. */
static void warn_of_unused_by_points(const AbutNode *solver)
{
	static const char *const unused[] = {"finish",     "collision_kappa", "warm_start_rule", "lcp_gap",
	                                     "lcp_solver", "solref",          "solimp",          "impratio"};
	AbutNode node;
	for (size_t i = 0; i < sizeof unused / sizeof *unused; i++) {
		if (abut_node_get(solver, unused[i], &node)) {
			abut_node_warn(&node, "method %s does not use this key",
			               abut_method_name(ABUT_METHOD_POINT_NCP));
		}
	}
}

void abut_scene_read_solver(const AbutNode *root, AbutSolverOptions *solver)
{
	AbutNode node;
	if (!abut_node_get(root, "solver", &node) || !abut_node_check_keys(&node, &abut_keys_solver)) {
		return;
	}
	int choice = 0;
	if (read_choice(&node, "method", methods, ABUT_METHOD_COUNT, &choice)) {
		solver->method = (AbutMethod)choice;
		solver->kappa = abut_solver_options_preset(solver->preset, solver->method).kappa;
	}
	if (read_choice(&node, "preset", presets, ABUT_PRESET_COUNT, &choice)) { /* the other keys change it */
		*solver = abut_solver_options_preset((AbutPreset)choice, solver->method);
	}
	if (read_choice(&node, "finish", finishes, ABUT_FINISH_COUNT, &choice)) {
		solver->finish = (AbutFinish)choice;
	}
	if (read_choice(&node, "friction_cone", friction_cones, ABUT_FRICTION_CONE_COUNT, &choice)) {
		solver->friction_cone = (AbutFrictionCone)choice;
	}
	if (read_choice(&node, "linear_solver", linear_solvers, ABUT_LINEAR_SOLVER_COUNT, &choice)) {
		solver->linear_solver = (AbutLinearSolver)choice;
	}
	read_kappa(&node, "kappa", &solver->kappa);
	read_kappa(&node, "collision_kappa", &solver->collision_kappa);
	read_kappa_gradient(&node, &solver->kappa_gradient);
	abut_read_number(&node, "tolerance", ABUT_POSITIVE, &solver->tolerance);
	abut_read_integer(&node, "max_iterations", 1, 10000, &solver->max_iterations);
	abut_read_bool(&node, "retry", &solver->retry);
	abut_read_bool(&node, "warm_start", &solver->warm_start);
	if (read_choice(&node, "warm_start_rule", warm_rules, ABUT_WARM_RULE_COUNT, &choice)) {
		solver->warm_start_rule = (AbutWarmRule)choice;
	}
	if (read_choice(&node, "lcp_gap", lcp_gaps, ABUT_LCP_GAP_COUNT, &choice)) {
		solver->lcp_gap = (AbutLcpGap)choice;
	}
	if (read_choice(&node, "lcp_solver", lcp_solvers, ABUT_LCP_SOLVER_COUNT, &choice)) {
		solver->lcp_solver = (AbutLcpSolver)choice;
	}
	if (read_choice(&node, "convex_model", convex_models, ABUT_CONVEX_MODEL_COUNT, &choice)) {
		solver->convex_model = (AbutConvexModel)choice;
	}
	abut_read_vector(&node, "solref", 2, ABUT_ANY, solver->solref);
	abut_read_vector(&node, "solimp", 5, ABUT_ANY, solver->solimp);
	abut_read_number(&node, "impratio", ABUT_POSITIVE, &solver->impratio);
	abut_read_number(&node, "margin", ABUT_NONNEGATIVE, &solver->margin);
	if (solver->method == ABUT_METHOD_LCP || solver->method == ABUT_METHOD_CONVEX) {
		warn_of_unused(&node, solver);
	}
	if (solver->method == ABUT_METHOD_POINT_NCP) {
		warn_of_unused_by_points(&node);
	}
}
