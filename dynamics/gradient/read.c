/* Assembles the matrix of a step from the matrices of its islands. A step of two parts, with matrices [A1 B1] and [A2
 * B2], has d(state after) = A2 (A1 d(state) + B1 d(input)) + B2 d(input). This file also returns the state after the
 * step. */
#include "dynamics/gradient/read.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/gradient/matrix.h"
#include "dynamics/gradient/part.h"
#include "dynamics/gradient/refuse.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS };

static size_t matrix_size(int n_bodies)
{
	return ROWS * (size_t)n_bodies * COLUMNS * (size_t)n_bodies;
}

/* --- the matrix --- */

/* Computes out = A J + [0 B], with J the matrix of the earlier parts and `later` = [A B] that of the next part. */
ABUT_CLONES static void chain(int n_bodies, const double *later, const double *J, double *restrict out)
{
	const size_t width = COLUMNS * (size_t)n_bodies;
	for (int row = 0; row < ROWS * n_bodies; row++) {
		const double *own = &later[(size_t)row * width];
		double *to = &out[(size_t)row * width];
		for (size_t c = 0; c < width; c++) {
			to[c] = c % COLUMNS < ROWS ? 0.0 : own[c];
		}
		for (int body = 0; body < n_bodies; body++) {
			for (int r = 0; r < ROWS; r++) {
				const double factor = own[COLUMNS * body + r];
				const double *earlier = &J[(size_t)(ROWS * body + r) * width];
				for (size_t c = 0; c < width; c++) {
					to[c] += factor * earlier[c];
				}
			}
		}
	}
}

/* Copies J, whose bodies are in the order of the island, to the places of these bodies in the matrix `out`. Returns
 * false if a number is not finite. */
static bool place(int n_bodies, const int *places, const double *J, size_t width, double *out)
{
	double sum = 0.0;
	for (int row = 0; row < ROWS * n_bodies; row++) {
		for (int j = 0; j < n_bodies; j++) {
			const double *from = &J[((size_t)row * (size_t)n_bodies + (size_t)j) * COLUMNS];
			double *to = &out[(size_t)(ROWS * places[row / ROWS] + row % ROWS) * width +
			                  COLUMNS * (size_t)places[j]];
			for (int c = 0; c < COLUMNS; c++) {
				to[c] = from[c];
				sum += 0.0 * from[c];
			}
		}
	}
	return sum == 0.0;
}

/* Computes the island's matrix as the chain of the parts of its step. */
static AbutStatus chain_parts(const AbutGradient *gradient, const AbutGradientIsland *island, const int *places,
                              size_t width, double *out)
{
	const int n = island->n_bodies;
	const size_t size = matrix_size(n);
	if (!abut_gradient_room_reserve(gradient->room, 3 * size * sizeof(double) + (size_t)n * sizeof(int))) {
		return ABUT_ERROR_MEMORY;
	}
	double *J = gradient->room->memory, *later = J + size, *product = later + size;
	int *in_order = (int *)(void *)(product + size);
	for (int i = 0; i < n; i++) {
		in_order[i] = i;
	}
	for (int i = 0; i < island->n_parts; i++) {
		if (!abut_gradient_part_matrix(island->parts[i], gradient->unit, in_order, COLUMNS * (size_t)n,
		                               i == 0 ? J : later)) {
			return ABUT_ERROR_NUMERICAL;
		}
		if (i > 0) {
			chain(n, later, J, product);
			memcpy(J, product, size * sizeof *J);
		}
	}
	return place(n, places, J, width, out) ? ABUT_OK : ABUT_ERROR_NUMERICAL;
}

/* Fills an island's columns `from` to `end` of each body with NaN. */
static void blank(const AbutGradientIsland *island, const int *places, int from, int end, size_t width, double *out)
{
	const int n = island->n_bodies;
	for (int row = 0; row < ROWS * n; row++) {
		double *to = &out[(size_t)(ROWS * places[row / ROWS] + row % ROWS) * width];
		for (int k = 0; k < COLUMNS * n; k++) {
			const int column = k % COLUMNS;
			if (column >= from && column < end) {
				to[COLUMNS * (size_t)places[k / COLUMNS] + (size_t)column] = NAN;
			}
		}
	}
}

/* Writes the columns of an island's matrix; NaN for those that do not exist, and the error says why not. */
static AbutStatus island_matrix(const AbutGradient *gradient, int first, double *out, AbutError *error)
{
	const AbutGradientIsland *island = abut_gradient_island(gradient, first);
	const size_t width = COLUMNS * (size_t)gradient->model->n_moving;
	const int *places = &gradient->bodies[first];
	AbutError unused;
	const AbutStatus pushed = abut_gradient_has(gradient, island, ABUT_BY_IMPULSES, error);
	const AbutStatus moved =
	    abut_gradient_has(gradient, island, ABUT_BY_POSES, pushed != ABUT_OK ? &unused : error);
	if (pushed != ABUT_OK && moved != ABUT_OK) {
		blank(island, places, 0, COLUMNS, width, out);
		return pushed;
	}
	AbutStatus status = ABUT_OK;
	if (island->n_parts > 1) {
		status = chain_parts(gradient, island, places, width, out);
	} else if (!abut_gradient_part_matrix(island->parts[0], gradient->unit, places, width, out)) {
		status = ABUT_ERROR_NUMERICAL;
	}
	if (status != ABUT_OK) {
		blank(island, places, 0, COLUMNS, width, out);
		return abut_gradient_refuse(gradient, status, error);
	}
	if (moved != ABUT_OK) {
		blank(island, places, 0, ABUT_GRADIENT_LINEAR, width, out);
	} else if (pushed != ABUT_OK) {
		blank(island, places, ABUT_GRADIENT_LINEAR, COLUMNS, width, out);
	}
	return moved != ABUT_OK ? moved : pushed;
}

AbutStatus abut_gradient_matrix(const AbutGradient *gradient, double *out, AbutError *error)
{
	if (!gradient || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "gradient and out must be given");
	}
	ABUT_TRY(abut_gradient_ready(gradient, error));
	AbutStatus status = ABUT_OK;
	if (gradient->n_islands > 1) {
		memset(out, 0, matrix_size(gradient->model->n_moving) * sizeof *out);
	}
	for (int i = 0, first = 0; i < gradient->n_islands; i++) {
		AbutError unused;
		const AbutStatus own = island_matrix(gradient, first, out, status == ABUT_OK ? error : &unused);
		status = status == ABUT_OK ? own : status;
		first += abut_gradient_island(gradient, first)->n_bodies;
	}
	return status;
}

/* --- the state --- */

static const AbutGradientBody *last_of(const AbutGradient *gradient, int moving, AbutStatus *status)
{
	*status = ABUT_ERROR_NUMERICAL;
	for (int i = 0, first = 0; i < gradient->n_islands; i++) {
		const AbutGradientIsland *island = abut_gradient_island(gradient, first);
		for (int k = 0; k < island->n_bodies; k++) {
			if (gradient->bodies[first + k] == moving) {
				*status = island->status;
				return *status == ABUT_OK ? &island->parts[island->n_parts - 1]->bodies[k] : NULL;
			}
		}
		first += island->n_bodies;
	}
	return NULL;
}

/* Reads the motion of a body after the step, with the position of its centre of mass. */
static void read_end(const AbutModel *model, const AbutGradientBody *last, AbutBodyState *out)
{
	double w[3];
	abut_quat_mul(last->turn, last->from, out->orientation);
	abut_quat_normalise(out->orientation);
	abut_mat3_tvec(last->R0, last->w, w);
	abut_scale3(model->units.length, last->x, out->position);
	abut_scale3(model->units.velocity, last->v, out->linear_velocity);
	abut_divide3(w, model->units.time, out->angular_velocity);
}

AbutStatus abut_gradient_next(const AbutGradient *gradient, int body, AbutBodyState *out, AbutError *error)
{
	if (!gradient || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "gradient and out must be given");
	}
	const AbutModel *model = gradient->model;
	if (body < 0 || body >= model->n_bodies || model->bodies[body].is_static) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "body",
		                      "is %d; it must be a moving body, from 0 to %d", body, model->n_bodies - 1);
	}
	ABUT_TRY(abut_gradient_ready(gradient, error));
	AbutStatus status = ABUT_OK;
	const AbutGradientBody *last = last_of(gradient, model->bodies[body].moving, &status);
	if (!last) {
		return abut_gradient_refuse(gradient, status, error);
	}
	double R[9], centre[3];
	read_end(model, last, out);
	abut_quat_to_mat3(out->orientation, R);
	abut_mat3_vec(R, model->bodies[body].centre_of_mass, centre);
	abut_sub3(out->position, centre, out->position);
	return ABUT_OK;
}

void abut_gradient_ends(const AbutGradient *gradient, AbutBodyState *out)
{
	for (int i = 0, first = 0; i < gradient->n_islands; i++) {
		const AbutGradientIsland *island = abut_gradient_island(gradient, first);
		for (int k = 0; island->status == ABUT_OK && k < island->n_bodies; k++) {
			read_end(gradient->model, &island->parts[island->n_parts - 1]->bodies[k],
			         &out[gradient->bodies[first + k]]);
		}
		first += island->n_bodies;
	}
}
