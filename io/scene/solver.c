/* Reads the `solver` object of a scene. */
#include "io/scene/solver.h"
#include "io/json/read.h"

#include <stddef.h>
#include <string.h>

#include "dynamics/methods/table.h"

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

/* Reads kappa_gradient: 0 (exact solution), or a kappa from 1e-12 to 1. */
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

/* Warns of keys of the file that the method ignores. */
static void warn_of_ignored(const AbutNode *solver, const AbutSolverOptions *options)
{
	const AbutIgnoredKeys ignored = abut_method_ignored_keys(options);
	AbutNode node;
	for (int i = 0; ignored.keys[i]; i++) {
		if (abut_node_get(solver, ignored.keys[i], &node)) {
			abut_node_warn(&node, "method %s does not use this key%s", abut_method_name(options->method),
			               ignored.with);
		}
	}
}

/* Keys whose value is one of several words, each an enumeration in AbutSolverOptions. */
static const struct {
	const char *key;
	const char *const *names;
	int count;
	size_t offset;
} choices[] = {
    {"finish", finishes, ABUT_FINISH_COUNT, offsetof(AbutSolverOptions, finish)},
    {"friction_cone", friction_cones, ABUT_FRICTION_CONE_COUNT, offsetof(AbutSolverOptions, friction_cone)},
    {"linear_solver", linear_solvers, ABUT_LINEAR_SOLVER_COUNT, offsetof(AbutSolverOptions, linear_solver)},
    {"warm_start_rule", warm_rules, ABUT_WARM_RULE_COUNT, offsetof(AbutSolverOptions, warm_start_rule)},
    {"lcp_gap", lcp_gaps, ABUT_LCP_GAP_COUNT, offsetof(AbutSolverOptions, lcp_gap)},
    {"lcp_solver", lcp_solvers, ABUT_LCP_SOLVER_COUNT, offsetof(AbutSolverOptions, lcp_solver)},
    {"convex_model", convex_models, ABUT_CONVEX_MODEL_COUNT, offsetof(AbutSolverOptions, convex_model)},
};
_Static_assert(sizeof(AbutFinish) == sizeof(int), "enumerations are read as int");

void abut_scene_read_solver(const AbutNode *root, AbutSolverOptions *solver)
{
	AbutNode node;
	if (!abut_node_get(root, "solver", &node) || !abut_node_check_keys(&node, &abut_keys_solver)) {
		return;
	}
	int choice = 0;
	if (abut_read_choice(&node, "method", methods, ABUT_METHOD_COUNT, &choice)) {
		solver->method = (AbutMethod)choice;
		solver->kappa = abut_solver_options_preset(solver->preset, solver->method).kappa;
	}
	if (abut_read_choice(&node, "preset", presets, ABUT_PRESET_COUNT,
	                     &choice)) { /* before the other keys, which change single values */
		*solver = abut_solver_options_preset((AbutPreset)choice, solver->method);
	}
	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
		if (abut_read_choice(&node, choices[i].key, choices[i].names, choices[i].count, &choice)) {
			memcpy((char *)solver + choices[i].offset, &choice, sizeof choice);
		}
	}
	read_kappa(&node, "kappa", &solver->kappa);
	read_kappa(&node, "collision_kappa", &solver->collision_kappa);
	read_kappa_gradient(&node, &solver->kappa_gradient);
	abut_read_number(&node, "tolerance", ABUT_POSITIVE, &solver->tolerance);
	abut_read_integer(&node, "max_iterations", 1, 10000, &solver->max_iterations);
	abut_read_bool(&node, "retry", &solver->retry);
	abut_read_bool(&node, "warm_start", &solver->warm_start);
	abut_read_vector(&node, "solref", 2, ABUT_ANY, solver->solref);
	abut_read_vector(&node, "solimp", 5, ABUT_ANY, solver->solimp);
	abut_read_number(&node, "impratio", ABUT_POSITIVE, &solver->impratio);
	abut_read_number(&node, "margin", ABUT_NONNEGATIVE, &solver->margin);
	warn_of_ignored(&node, solver);
}
