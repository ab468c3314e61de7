/* The matrix of a step, put together from its islands, and theirs from the parts that the step was taken in,
 * d(state after) = A2 (A1 d(state) + B1 d(input)) + B2 d(input); and the state that it is of. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/gradient.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS };

static size_t matrix_size(int n_bodies)
{
	return ROWS * (size_t)n_bodies * COLUMNS * (size_t)n_bodies;
}

/* --- the matrix --- */

/* out = [A B] of a later part times J: rows times the state's columns, and the input's own added. */
static void chain(int n_bodies, const double *later, const double *J, double *out)
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

/* Into `J`, which has room for two more; false where a part has no derivative to working precision. */
static bool island_matrix(const AbutGradientIsland *island, double *J)
{
	const size_t size = matrix_size(island->n_bodies);
	double *later = J + size, *product = later + size;
	bool solved = abut_gradient_part_matrix(island->parts[0], J);
	for (int i = 1; solved && i < island->n_parts; i++) {
		solved = abut_gradient_part_matrix(island->parts[i], later);
		chain(island->n_bodies, later, J, product);
		memcpy(J, product, size * sizeof *J);
	}
	return solved;
}

/* A body's columns of one row in SI; zero, or no number where one of them is not finite. */
static double put_scaled(double unit, const double inverse[COLUMNS], const double *from, double *to)
{
	double sum = 0.0;
	for (int c = 0; c < COLUMNS; c++) {
		to[c] = from[c] * (unit * inverse[c]);
	}
	for (int c = 0; c < COLUMNS; c++) {
		sum += to[c];
	}
	return 0.0 * sum;
}

/* The island's matrix in SI to its place; false when a number is not finite. */
static bool write_island(const AbutGradient *gradient, int first, const double *J, double *out)
{
	const int n = abut_gradient_island(gradient, first)->n_bodies, *bodies = &gradient->bodies[first];
	const size_t width = COLUMNS * (size_t)gradient->model->n_moving, own = COLUMNS * (size_t)n;
	double sum = 0.0, inverse[COLUMNS];
	for (int c = 0; c < COLUMNS; c++) {
		inverse[c] = 1.0 / gradient->unit[c];
	}
	for (int row = 0; row < ROWS * n; row++) {
		for (int j = 0; j < n; j++) {
			const double *from = &J[(size_t)row * own + COLUMNS * (size_t)j];
			double *to = &out[(size_t)(ROWS * bodies[row / ROWS] + row % ROWS) * width +
			                  COLUMNS * (size_t)bodies[j]];
			sum += put_scaled(gradient->unit[row % ROWS], inverse, from, to);
		}
	}
	return sum == 0.0;
}

static bool is_in_parts(const AbutGradient *gradient)
{
	bool in_parts = false;
	for (int i = 0, first = 0; i < gradient->n_islands; i++) {
		const AbutGradientIsland *island = abut_gradient_island(gradient, first);
		in_parts = in_parts || island->n_parts > 1;
		first += island->n_bodies;
	}
	return in_parts;
}

AbutStatus abut_gradient_matrix(const AbutGradient *gradient, double *out, AbutError *error)
{
	if (!gradient || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "gradient and out must be given");
	}
	AbutStatus status = abut_gradient_ready(gradient, error);
	if (status != ABUT_OK) {
		return status;
	}
	const size_t n = (size_t)gradient->model->n_moving;
	const size_t size = matrix_size(abut_gradient_largest_island(gradient));
	double *J = malloc(((is_in_parts(gradient) ? 3 : 1) * size + 1) * sizeof *J);
	if (!J) {
		return abut_gradient_refuse(gradient, ABUT_ERROR_MEMORY, error);
	}
	if (gradient->n_islands > 1) {
		memset(out, 0, ROWS * n * COLUMNS * n * sizeof *out);
	}
	for (int i = 0, first = 0; status == ABUT_OK && i < gradient->n_islands; i++) {
		const AbutGradientIsland *island = abut_gradient_island(gradient, first);
		if (!island_matrix(island, J) || !write_island(gradient, first, J, out)) {
			status = abut_gradient_refuse(gradient, ABUT_ERROR_NUMERICAL, error);
		}
		first += island->n_bodies;
	}
	free(J);
	return status;
}

/* --- the state --- */

static const AbutGradientBody *last_of(const AbutGradient *gradient, int moving)
{
	for (int i = 0, first = 0; i < gradient->n_islands; i++) {
		const AbutGradientIsland *island = abut_gradient_island(gradient, first);
		for (int k = 0; k < island->n_bodies; k++) {
			if (gradient->bodies[first + k] == moving) {
				return &island->parts[island->n_parts - 1]->bodies[k];
			}
		}
		first += island->n_bodies;
	}
	return NULL;
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
	const AbutStatus status = abut_gradient_ready(gradient, error);
	if (status != ABUT_OK) {
		return status;
	}
	const AbutGradientBody *last = last_of(gradient, model->bodies[body].moving);
	if (!last) {
		return abut_gradient_refuse(gradient, ABUT_ERROR_NUMERICAL, error);
	}
	double q[4], R[9], w[3], centre[3];
	abut_quat_mul(last->turn, last->from, q);
	abut_quat_normalise(q);
	memcpy(out->orientation, q, sizeof q);
	abut_quat_to_mat3(q, R);
	abut_mat3_vec(R, model->bodies[body].centre_of_mass, centre);
	abut_mat3_tvec(last->R0, last->w, w);
	for (int i = 0; i < 3; i++) {
		out->position[i] = last->x[i] * model->units.length - centre[i];
		out->linear_velocity[i] = last->v[i] * model->units.velocity;
		out->angular_velocity[i] = w[i] / model->units.time;
	}
	return ABUT_OK;
}
