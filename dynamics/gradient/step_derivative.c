/* Creates the derivative of a step, and adds each island's part to it while the step is solved. */
#include "dynamics/gradient/gradient.h"

#include <stdlib.h>

#include "base/error.h"
#include "dynamics/body/tangent.h"
#include "dynamics/gradient/make.h"
#include "dynamics/gradient/method.h"
#include "dynamics/gradient/smooth.h"
#include "dynamics/island/island.h"
#include "dynamics/model/check.h"
#include "dynamics/model/parameter.h"
#include "dynamics/pairs/islands.h"
#include "dynamics/state/state.h"
#include "dynamics/step/step.h"
#include "dynamics/step/workspace.h"

/* Checks that steps of the model can be differentiated at kappa. */
static AbutStatus check_model(const AbutModel *model, double kappa, AbutError *error)
{
	const AbutMethodGradient *own = model->method->gradient;
	if (!abut_kappa_gradient_possible(kappa)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "kappa",
		                      "is %g; it must be 0 (at the exact solution) or lie in [1e-12, 1]", kappa);
	}
	if (model->formulation.published) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "solver.preset",
		                      "is \"paper\", whose steps are not differentiated; leave it out");
	}
	if (!own) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "solver.method",
		                      "is \"%s\"; the derivative of a step needs \"single-level\", "
		                      "\"lcp\", \"point-ncp\" or \"convex\"",
		                      abut_method_name(model->options.method));
	}
	if (!own->has_path && kappa > 0.0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "kappa",
		                      "is %g; steps of method %s have no path, it must be 0", kappa,
		                      abut_method_name(model->options.method));
	}
	return own->check ? own->check(model, error) : ABUT_OK;
}

AbutStatus abut_gradient_create(const AbutModel *model, double kappa, AbutGradient **out, AbutError *error)
{
	if (!model || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "model and out must be given");
	}
	*out = NULL;
	ABUT_TRY(check_model(model, kappa, error));
	AbutGradient *gradient = calloc(1, sizeof *gradient);
	if (gradient) {
		gradient->model = model;
		gradient->kappa = model->method->gradient->kappa ? model->method->gradient->kappa(model, kappa) : kappa;
		gradient->islands = calloc((size_t)model->n_moving + 1, sizeof *gradient->islands);
		gradient->bodies = calloc((size_t)model->n_moving + 1, sizeof *gradient->bodies);
		gradient->room = calloc(1, sizeof *gradient->room);
	}
	if (!gradient || !gradient->islands || !gradient->bodies || !gradient->room) {
		abut_gradient_destroy(gradient);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the derivative of a step");
	}
	for (int i = 0; i < ABUT_GRADIENT_COLUMNS; i++) {
		gradient->unit[i] = abut_tangent_unit(&model->units, i);
	}
	*out = gradient;
	return ABUT_OK;
}

static AbutStatus check_parameters(const AbutModel *model, int n, const AbutParameter *parameters, AbutError *error)
{
	for (int i = 0; i < n; i++) {
		ABUT_TRY(abut_parameter_check(model, &parameters[i], error));
		if (!abut_parameter_supported(model, parameters[i].kind)) {
			return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "parameters",
			                      "%d is of kind %s; steps of method %s are differentiated by %s", i,
			                      abut_parameter_kind_name(parameters[i].kind),
			                      abut_method_name(model->options.method), model->method->parameters);
		}
	}
	return ABUT_OK;
}

AbutStatus abut_gradient_select(AbutGradient *gradient, int n, const AbutParameter *parameters, AbutError *error)
{
	if (!gradient || n < 0 || (n > 0 && !parameters)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "n",
		                      "is %d; gradient and 0 or more parameters must be given", n);
	}
	ABUT_TRY(check_parameters(gradient->model, n, parameters, error));
	AbutParameter *own = malloc(((size_t)n + 1) * sizeof *own);
	double *unit = malloc(((size_t)n + 1) * sizeof *unit);
	if (!own || !unit) {
		free(own);
		free(unit);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for %d parameters", n);
	}
	for (int i = 0; i < n; i++) {
		own[i] = parameters[i];
		unit[i] = abut_parameter_unit(gradient->model, &parameters[i]);
	}
	free(gradient->parameters);
	free(gradient->parameter_unit);
	gradient->n_parameters = n;
	gradient->parameters = own;
	gradient->parameter_unit = unit;
	gradient->solved = false;
	return ABUT_OK;
}

static void destroy_island(AbutGradientIsland *island)
{
	for (int i = 0; i < island->capacity; i++) {
		free(island->parts[i]->system.nodes.room.memory);
		free(island->parts[i]->room.memory);
		free(island->parts[i]);
	}
	free(island->parts);
	free(island->other.system.nodes.room.memory);
	free(island->other.room.memory);
	free(island->scratch.memory);
}

void abut_gradient_destroy(AbutGradient *gradient)
{
	if (gradient) {
		for (int i = 0; gradient->islands && i < gradient->model->n_moving; i++) {
			destroy_island(&gradient->islands[i]);
		}
		free(gradient->islands);
		free(gradient->bodies);
		free(gradient->parameters);
		free(gradient->parameter_unit);
		if (gradient->room) {
			free(gradient->room->memory);
		}
		free(gradient->room);
		free(gradient);
	}
}

double abut_gradient_kappa(const AbutGradient *gradient)
{
	return gradient ? gradient->kappa : 0.0;
}

void abut_gradient_hold_turns(AbutGradient *gradient, bool held)
{
	if (gradient) {
		gradient->holds_turns = held;
	}
}

/* --- while a step is solved --- */

static AbutGradientIsland *island_of(const AbutGradient *gradient, const AbutWorkspace *w,
                                     const AbutIslandMembers *members)
{
	return &gradient->islands[gradient->model->bodies[w->partition.moving[members->first_body]->body].moving];
}

static void restart(void *who, const AbutWorkspace *w, const AbutIslandMembers *members)
{
	AbutGradientIsland *island = island_of(who, w, members);
	island->n_parts = 0;
	island->n_bodies = members->size.n_bodies;
	island->status = ABUT_OK;
}

/* Makes room for one more part; existing parts keep their addresses. */
static AbutStatus reserve_part(AbutGradientIsland *island)
{
	if (island->n_parts < island->capacity) {
		return ABUT_OK;
	}
	const size_t capacity = (size_t)island->capacity + 1;
	AbutGradientPart **parts = realloc(island->parts, capacity * sizeof(AbutGradientPart *));
	if (!parts) {
		return ABUT_ERROR_MEMORY;
	}
	island->parts = parts;
	parts[island->capacity] = calloc(1, sizeof(AbutGradientPart));
	if (!parts[island->capacity]) {
		return ABUT_ERROR_MEMORY;
	}
	island->capacity++;
	return ABUT_OK;
}

static AbutGradientAsk ask_of(const AbutGradient *gradient, const AbutMotion *motion, const AbutGradientIsland *own,
                              bool smoothed)
{
	return (AbutGradientAsk){.model = gradient->model,
	                         .motion = motion,
	                         .smoothed = smoothed,
	                         .kappa = gradient->kappa,
	                         .first = own->n_parts == 0 && !gradient->continues,
	                         .holds_turns = gradient->holds_turns,
	                         .n_parameters = gradient->n_parameters,
	                         .parameters = gradient->parameters};
}

static AbutStatus make_part(const AbutGradient *gradient, const AbutMotion *motion, AbutIsland *island,
                            AbutGradientIsland *own)
{
	const bool smoothed =
	    gradient->kappa > 0.0 && (island->ncp.n_cones > 0 || abut_gradient_edges(gradient->model, island) > 0);
	const AbutGradientAsk ask = ask_of(gradient, motion, own, smoothed);
	AbutStatus status = ABUT_OK;
	if (smoothed && !abut_gradient_smooth(island, gradient->kappa)) {
		status = ABUT_ERROR_NUMERICAL;
	}
	if (status == ABUT_OK && gradient->watch.see) {
		gradient->watch.see(gradient->watch.watcher, island);
	}
	ABUT_THEN(status, abut_gradient_part_make(island, &ask, &own->scratch, &own->other, own->parts[own->n_parts]));
	if (smoothed) {
		abut_gradient_unsmooth(island);
	}
	return status;
}

/* Makes room for a part. Returns false if the island has already failed, if memory runs out, or if an exact derivative
 * (kappa 0) is requested but the step is not solved exactly. */
static bool begin_part(const AbutGradient *gradient, const AbutStepInfo *info, AbutGradientIsland *own)
{
	if (own->status == ABUT_OK && gradient->kappa == 0.0 && !info->exact) {
		own->status = ABUT_ERROR_UNSUPPORTED;
	}
	if (own->status == ABUT_OK) {
		own->status = reserve_part(own);
	}
	return own->status == ABUT_OK;
}

/* Adds a part of the step. Errors are kept in the island's status. */
static void add_part(void *who, const AbutWorkspace *w, const AbutIslandMembers *members, void *island,
                     const AbutStepInfo *info)
{
	AbutGradient *gradient = who;
	AbutGradientIsland *own = island_of(gradient, w, members);
	const AbutMethodGradient *method = gradient->model->method->gradient;
	if (!begin_part(gradient, info, own)) {
		return;
	}
	AbutIsland *common = method->make ? NULL : island;
	own->status = method->prepare ? method->prepare(island, &common) : ABUT_OK;
	if (common) {
		ABUT_THEN(own->status, make_part(gradient, w->motion, common, own));
	} else if (method->make) {
		const AbutGradientAsk ask = ask_of(gradient, w->motion, own, false);
		ABUT_THEN(own->status, method->make(island, &ask, own->parts[own->n_parts]));
	}
	own->n_parts += own->status == ABUT_OK;
}

/* Records the bodies of each island, since the workspace may be used for other steps later. */
static void keep_islands(AbutGradient *gradient, const AbutWorkspace *w)
{
	gradient->n_islands = w->partition.n_islands;
	for (int i = 0; i < gradient->model->n_moving; i++) {
		gradient->bodies[i] = gradient->model->bodies[w->partition.moving[i]->body].moving;
	}
}

AbutStatus abut_step_differentiate(const AbutModel *model, AbutState *state, AbutWorkspace *workspace,
                                   AbutGradient *gradient, AbutStepInfo *info)
{
	if (!gradient || !workspace || !info || gradient->model != model || workspace->model != model) {
		return ABUT_ERROR_ARGUMENT;
	}
	gradient->solved = false;
	const AbutStepWatch watch = {gradient, restart, add_part};
	const AbutStatus status = abut_step_watched(model, state, workspace, &watch, info);
	if (status == ABUT_OK && info->outcome != ABUT_OUTCOME_FAILED) {
		keep_islands(gradient, workspace);
		gradient->solved = true;
	}
	return status;
}
