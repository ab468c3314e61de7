/* The derivative of a step, put together from its islands, and theirs from the parts that the step was taken in:
 * d(state after) = A2 (A1 d(state) + B1 d(input)) + B2 d(input). */
#include "dynamics/gradient.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/step_parts.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS };

AbutStatus abut_gradient_create(const AbutModel *model, double kappa, AbutGradient **out, AbutError *error)
{
	if (!model || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "model and out must be given");
	}
	if (!(kappa >= 0.0 && kappa <= 1.0)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "kappa",
		                      "is %g; it must be 0 (at the exact solution) or up to 1", kappa);
	}
	*out = NULL;
	if (model->formulation.published) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "solver.preset",
		                      "is \"paper\", whose steps are not differentiated; leave it out");
	}
	if (model->options.method != ABUT_METHOD_SINGLE_LEVEL) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "solver.method",
		                      "is \"%s\"; the derivative of a step is that of \"single-level\"",
		                      abut_method_name(model->options.method));
	}
	AbutGradient *gradient = calloc(1, sizeof *gradient);
	if (gradient) {
		gradient->model = model;
		gradient->kappa = kappa;
		gradient->islands = calloc((size_t)model->n_moving + 1, sizeof *gradient->islands);
	}
	if (!gradient || !gradient->islands) {
		free(gradient);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the derivative of a step");
	}
	*out = gradient;
	return ABUT_OK;
}

void abut_gradient_destroy(AbutGradient *gradient)
{
	if (gradient) {
		for (int i = 0; i < gradient->model->n_moving; i++) {
			free(gradient->islands[i].J);
			free(gradient->islands[i].room.memory);
		}
		free(gradient->islands);
		free(gradient);
	}
}

static AbutGradientIsland *island_of(const AbutGradient *gradient, const AbutWorkspace *w,
                                     const AbutIslandMembers *members)
{
	return &gradient->islands[gradient->model->bodies[w->moving[members->first_body]->body].moving];
}

void abut_gradient_restart(AbutGradient *gradient, const AbutWorkspace *w, const AbutIslandMembers *members)
{
	AbutGradientIsland *island = island_of(gradient, w, members);
	island->parts = 0;
	island->status = ABUT_OK;
}

static AbutStatus reserve(AbutGradientIsland *island, int n_bodies)
{
	const size_t size = ROWS * (size_t)n_bodies * COLUMNS * (size_t)n_bodies;
	island->n_bodies = n_bodies;
	if (size > island->capacity) {
		free(island->J);
		island->capacity = 0;
		island->J = malloc((3 * size + 6 * (size_t)n_bodies) * sizeof *island->J);
		if (!island->J) {
			return ABUT_ERROR_MEMORY;
		}
		island->capacity = size;
	}
	island->part = island->J + island->capacity;
	island->product = island->part + island->capacity;
	island->velocity = island->product + island->capacity;
	return ABUT_OK;
}

/* J <- [A B] of the part after J: rows times the state's columns, and the input's own added. */
static void chain(AbutGradientIsland *island)
{
	const size_t width = COLUMNS * (size_t)island->n_bodies;
	for (int row = 0; row < ROWS * island->n_bodies; row++) {
		const double *later = &island->part[(size_t)row * width];
		double *out = &island->product[(size_t)row * width];
		for (int body = 0; body < island->n_bodies; body++) {
			for (int c = 0; c < COLUMNS; c++) {
				const size_t at = COLUMNS * (size_t)body + (size_t)c;
				out[at] = c < ROWS ? 0.0 : later[at];
			}
		}
		for (int body = 0; body < island->n_bodies; body++) {
			for (int r = 0; r < ROWS; r++) {
				const double factor = later[COLUMNS * body + r];
				const double *earlier = &island->J[(size_t)(ROWS * body + r) * width];
				for (size_t c = 0; c < width; c++) {
					out[c] += factor * earlier[c];
				}
			}
		}
	}
	memcpy(island->J, island->product, ROWS * (size_t)island->n_bodies * width * sizeof *island->J);
}

/* A body alone in flight, whose iterate has not been used, has its velocity all the same. */
static void keep_velocity(const AbutIsland *island, double *velocity)
{
	for (int i = 0; i < island->problem.n_moving; i++) {
		const AbutBodyWork *body = island->problem.moving[i];
		memcpy(&velocity[6 * i], body->v, sizeof body->v);
		memcpy(&velocity[6 * i + 3], body->w, sizeof body->w);
	}
}

static AbutStatus differentiate(const AbutGradient *gradient, AbutIsland *island, AbutGradientIsland *own, double *J)
{
	const bool smoothed = gradient->kappa > 0.0 && island->problem.n_contacts > 0;
	AbutStatus status = ABUT_OK;
	if (smoothed && !abut_gradient_smooth(island, gradient->kappa)) {
		status = ABUT_ERROR_NUMERICAL;
	}
	if (status == ABUT_OK) {
		status = abut_gradient_part(island, smoothed, &own->room, J);
		keep_velocity(island, own->velocity);
	}
	if (smoothed) {
		abut_gradient_unsmooth(island);
	}
	return status;
}

void abut_gradient_add_part(AbutGradient *gradient, const AbutWorkspace *w, const AbutIslandMembers *members,
                            AbutIsland *island, const AbutStepInfo *info)
{
	AbutGradientIsland *own = island_of(gradient, w, members);
	if (own->status == ABUT_OK && gradient->kappa == 0.0 && !info->exact) {
		own->status = ABUT_ERROR_UNSUPPORTED;
	}
	if (own->status == ABUT_OK) {
		own->status = reserve(own, members->size.n_bodies);
	}
	if (own->status == ABUT_OK) {
		own->status = differentiate(gradient, island, own, own->parts > 0 ? own->part : own->J);
	}
	if (own->status == ABUT_OK && own->parts > 0) {
		chain(own);
	}
	const size_t size = ROWS * (size_t)own->n_bodies * COLUMNS * (size_t)own->n_bodies;
	if (own->status == ABUT_OK && !abut_all_finite(own->J, (int)size)) {
		own->status = ABUT_ERROR_NUMERICAL;
	}
	own->parts++;
}

AbutStatus abut_step_differentiate(const AbutModel *model, AbutState *state, AbutWorkspace *workspace,
                                   AbutGradient *gradient, AbutStepInfo *info)
{
	if (!gradient || !workspace || !info || gradient->model != model || workspace->model != model) {
		return ABUT_ERROR_ARGUMENT;
	}
	workspace->gradient = gradient;
	const AbutStatus status = abut_step(model, state, workspace, info);
	workspace->gradient = NULL;
	gradient->of = workspace;
	gradient->valid = status == ABUT_OK && info->outcome != ABUT_OUTCOME_FAILED;
	return status;
}

/* SI of a row or column. */
static double unit_of(const AbutUnits *units, int entry)
{
	const double by_group[] = {units->length,
	                           1.0,
	                           units->velocity,
	                           1.0 / units->time,
	                           units->impulse / units->time,
	                           units->torsion / units->time};
	return by_group[entry / 3];
}

static int body_of(const AbutGradient *gradient, const AbutIslandMembers *members, int i)
{
	return gradient->model->bodies[gradient->of->moving[members->first_body + i]->body].moving;
}

static void write_island(const AbutGradient *gradient, const AbutIslandMembers *members, double *out)
{
	const AbutGradientIsland *island = island_of(gradient, gradient->of, members);
	const AbutUnits *units = &gradient->model->units;
	const size_t width = COLUMNS * (size_t)gradient->model->n_moving, own = COLUMNS * (size_t)island->n_bodies;
	for (int i = 0; i < island->n_bodies; i++) {
		for (int r = 0; r < ROWS; r++) {
			const double *from = &island->J[(size_t)(ROWS * i + r) * own];
			double *to = &out[(size_t)(ROWS * body_of(gradient, members, i) + r) * width];
			for (int j = 0; j < island->n_bodies; j++) {
				double *block = &to[COLUMNS * body_of(gradient, members, j)];
				for (int c = 0; c < COLUMNS; c++) {
					block[c] = from[COLUMNS * j + c] * unit_of(units, r) / unit_of(units, c);
				}
			}
		}
	}
}

static AbutStatus refuse(const AbutGradient *gradient, AbutStatus status, AbutError *error)
{
	if (status == ABUT_ERROR_MEMORY) {
		return abut_error_set(error, status, NULL, "no memory for the derivative of the step");
	}
	if (status == ABUT_ERROR_UNSUPPORTED) {
		return abut_error_set(
		    error, status, "kappa",
		    "is 0, for the derivative at the exact solution, but the step ended relaxed; take a "
		    "kappa of 1e-6 or more, for that on the path");
	}
	return abut_error_set(error, status, NULL,
	                      gradient->kappa > 0.0 ? "the point of the path at kappa %g, or its derivative, cannot be "
	                                              "had to working precision"
	                                            : "the derivative at the solution (kappa %g) cannot be had to "
	                                              "working precision; on the path, at kappa > 0, it is smoother",
	                      gradient->kappa);
}

AbutStatus abut_gradient_matrix(const AbutGradient *gradient, double *out, AbutError *error)
{
	if (!gradient || !out || !gradient->valid) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "a gradient of a step that was solved, and out, must be given");
	}
	const size_t n = (size_t)gradient->model->n_moving;
	memset(out, 0, (size_t)ROWS * n * (size_t)COLUMNS * n * sizeof *out);
	for (int i = 0; i < gradient->of->n_islands; i++) {
		const AbutIslandMembers *members = &gradient->of->members[i];
		const AbutStatus status = island_of(gradient, gradient->of, members)->status;
		if (status != ABUT_OK) {
			return refuse(gradient, status, error);
		}
		write_island(gradient, members, out);
	}
	return ABUT_OK;
}
