/* The derivative of a step, put together from its islands, and theirs from the parts that the step was taken in:
 * d(state after) = A2 (A1 d(state) + B1 d(input)) + B2 d(input). */
#include "dynamics/gradient.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/step_parts.h"
#include "dynamics/tangent_units.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS };

AbutStatus abut_gradient_create(const AbutModel *model, double kappa, AbutGradient **out, AbutError *error)
{
	if (!model || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "model and out must be given");
	}
	*out = NULL;
	if (!(kappa >= 0.0 && kappa <= 1.0)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "kappa",
		                      "is %g; it must be 0 (at the exact solution) or up to 1", kappa);
	}
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
		gradient->bodies = calloc((size_t)model->n_moving + 1, sizeof *gradient->bodies);
	}
	if (!gradient || !gradient->islands || !gradient->bodies) {
		abut_gradient_destroy(gradient);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the derivative of a step");
	}
	*out = gradient;
	return ABUT_OK;
}

void abut_gradient_destroy(AbutGradient *gradient)
{
	if (gradient) {
		for (int i = 0; gradient->islands && i < gradient->model->n_moving; i++) {
			free(gradient->islands[i].J);
			free(gradient->islands[i].later);
			free(gradient->islands[i].room.memory);
		}
		free(gradient->islands);
		free(gradient->bodies);
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

static size_t matrix_size(int n_bodies)
{
	return ROWS * (size_t)n_bodies * COLUMNS * (size_t)n_bodies;
}

static AbutStatus reserve(AbutGradientIsland *island, int n_bodies)
{
	island->n_bodies = n_bodies;
	if (n_bodies <= island->most_bodies) {
		return ABUT_OK;
	}
	free(island->J);
	free(island->later);
	island->later = NULL;
	island->most_bodies = 0;
	island->J = malloc((matrix_size(n_bodies) + 6 * (size_t)n_bodies) * sizeof *island->J);
	if (!island->J) {
		return ABUT_ERROR_MEMORY;
	}
	island->most_bodies = n_bodies;
	island->velocity = island->J + matrix_size(n_bodies);
	return ABUT_OK;
}

/* Room for a later part of the step, and for the product with it. */
static AbutStatus reserve_later(AbutGradientIsland *island)
{
	if (!island->later) {
		island->later = malloc(2 * matrix_size(island->most_bodies) * sizeof *island->later);
	}
	return island->later ? ABUT_OK : ABUT_ERROR_MEMORY;
}

/* J <- [A B] of the part after J: rows times the state's columns, and the input's own added. */
static void chain(AbutGradientIsland *island)
{
	double *product = island->later + matrix_size(island->n_bodies);
	const size_t width = COLUMNS * (size_t)island->n_bodies;
	for (int row = 0; row < ROWS * island->n_bodies; row++) {
		const double *later = &island->later[(size_t)row * width];
		double *out = &product[(size_t)row * width];
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
	memcpy(island->J, product, matrix_size(island->n_bodies) * sizeof *island->J);
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

static bool is_finite(const AbutGradientIsland *island)
{
	bool finite = true;
	for (int row = 0; row < ROWS * island->n_bodies; row++) {
		const size_t width = COLUMNS * (size_t)island->n_bodies;
		finite = finite && abut_all_finite(&island->J[(size_t)row * width], (int)width);
	}
	return finite;
}

void abut_gradient_add_part(AbutGradient *gradient, const AbutWorkspace *w, const AbutIslandMembers *members,
                            AbutIsland *island, const AbutStepInfo *info)
{
	AbutGradientIsland *own = island_of(gradient, w, members);
	const bool first = own->parts++ == 0;
	if (own->status == ABUT_OK && gradient->kappa == 0.0 && !info->exact) {
		own->status = ABUT_ERROR_UNSUPPORTED;
	}
	if (own->status == ABUT_OK) {
		own->status = first ? reserve(own, members->size.n_bodies) : reserve_later(own);
	}
	if (own->status == ABUT_OK) {
		own->status = differentiate(gradient, island, own, first ? own->J : own->later);
	}
	if (own->status == ABUT_OK && !first) {
		chain(own);
	}
	if (own->status == ABUT_OK && !is_finite(own)) {
		own->status = ABUT_ERROR_NUMERICAL;
	}
}

/* Which bodies the islands were of: the workspace may take other steps. */
static void keep_islands(AbutGradient *gradient, const AbutWorkspace *w)
{
	gradient->n_islands = w->n_islands;
	for (int i = 0; i < gradient->model->n_moving; i++) {
		gradient->bodies[i] = gradient->model->bodies[w->moving[i]->body].moving;
	}
}

AbutStatus abut_step_differentiate(const AbutModel *model, AbutState *state, AbutWorkspace *workspace,
                                   AbutGradient *gradient, AbutStepInfo *info)
{
	if (!gradient || !workspace || !info || gradient->model != model || workspace->model != model) {
		return ABUT_ERROR_ARGUMENT;
	}
	gradient->n_islands = 0;
	workspace->gradient = gradient;
	const AbutStatus status = abut_step(model, state, workspace, info);
	workspace->gradient = NULL;
	if (status == ABUT_OK && info->outcome != ABUT_OUTCOME_FAILED) {
		keep_islands(gradient, workspace);
	}
	return status;
}

/* The island whose bodies begin at `first`. */
static void write_island(const AbutGradient *gradient, int first, double *out)
{
	const AbutGradientIsland *island = &gradient->islands[gradient->bodies[first]];
	const int *bodies = &gradient->bodies[first];
	const AbutUnits *units = &gradient->model->units;
	const size_t width = COLUMNS * (size_t)gradient->model->n_moving, own = COLUMNS * (size_t)island->n_bodies;
	for (int i = 0; i < island->n_bodies; i++) {
		for (int r = 0; r < ROWS; r++) {
			const double *from = &island->J[(size_t)(ROWS * i + r) * own];
			double *to = &out[(size_t)(ROWS * bodies[i] + r) * width];
			for (int j = 0; j < island->n_bodies; j++) {
				for (int c = 0; c < COLUMNS; c++) {
					to[COLUMNS * (size_t)bodies[j] + (size_t)c] = from[COLUMNS * j + c] *
					                                              abut_tangent_unit(units, r) /
					                                              abut_tangent_unit(units, c);
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
	if (!gradient || !out || gradient->n_islands == 0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "a gradient of a step that was solved, and out, must be given");
	}
	const size_t n = (size_t)gradient->model->n_moving;
	memset(out, 0, ROWS * n * COLUMNS * n * sizeof *out);
	for (int i = 0, first = 0; i < gradient->n_islands; i++) {
		const AbutGradientIsland *island = &gradient->islands[gradient->bodies[first]];
		if (island->status != ABUT_OK) {
			return refuse(gradient, island->status, error);
		}
		write_island(gradient, first, out);
		first += island->n_bodies;
	}
	return ABUT_OK;
}
