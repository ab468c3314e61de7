/* A part's matrix times a vector, and the transposed one, by one solve each (gradient_matrix.c has the rows and
 * columns). Tested against the matrix in tests/dynamics/test_gradient_products.c. */
#include <string.h>

#include "base/vec3.h"
#include "dynamics/gradient_part.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS };

/* Lane 0 alone is used. */
static void clear(AbutLanes *x, int n)
{
	memset(x, 0, (size_t)n * sizeof *x);
}

/* out += sum of factor[k] times row k */
static void add_rows(const double rows[9], const double factor[3], double out[3])
{
	for (int k = 0; k < 3; k++) {
		for (int i = 0; i < 3; i++) {
			out[i] += factor[k] * rows[3 * k + i];
		}
	}
}

/* In place; a planar body takes of a place, a velocity or a force what is along x and z. */
static void keep_in_plane(const AbutGradientBody *body, double v[3])
{
	v[1] = body->planar ? 0.0 : v[1];
}

/* --- forward --- */

static void begin_forward(const AbutGradientBody *body, const double *change, AbutLanes *right, AbutLanes *start)
{
	double linear[3], angular[3] = {0.0}, place[3], turn[3] = {0.0}, torque[3];
	for (int i = 0; i < 3; i++) {
		place[i] = change[ABUT_GRADIENT_POSITION + i];
		linear[i] =
		    body->mass * change[ABUT_GRADIENT_LINEAR + i] + body->timestep * change[ABUT_GRADIENT_FORCE + i];
		torque[i] = body->timestep * change[ABUT_GRADIENT_TORQUE + i];
	}
	keep_in_plane(body, place);
	keep_in_plane(body, linear);
	add_rows(body->carried, &change[ABUT_GRADIENT_ROTATION], turn);
	add_rows(body->turned, &change[ABUT_GRADIENT_ROTATION], angular);
	add_rows(body->spun, &change[ABUT_GRADIENT_ANGULAR], angular);
	add_rows(body->axes, torque, angular);
	for (int i = 0; i < 3; i++) {
		right[i][0] = linear[i];
		right[3 + i][0] = angular[i];
		start[i][0] = place[i];
		start[3 + i][0] = turn[i];
	}
}

static void end_forward(const AbutGradientBody *body, const double *change, const AbutLanes *start, const AbutLanes *x,
                        double *out)
{
	double dw[3], theta[3] = {0.0}, phi[3], turned[3];
	for (int i = 0; i < 3; i++) {
		dw[i] = x[3 + i][0];
	}
	add_rows(body->axes, &change[ABUT_GRADIENT_ROTATION], theta);
	abut_cross3(theta, body->w, turned);
	abut_mat3_vec(body->G, dw, phi);
	for (int i = 0; i < 3; i++) {
		phi[i] += start[3 + i][0];
		turned[i] = dw[i] - turned[i];
		out[ABUT_GRADIENT_POSITION + i] = start[i][0] + body->timestep * x[i][0];
		out[ABUT_GRADIENT_LINEAR + i] = x[i][0];
	}
	abut_mat3_tvec(body->R, phi, &out[ABUT_GRADIENT_ROTATION]);
	abut_mat3_tvec(body->R0, turned, &out[ABUT_GRADIENT_ANGULAR]);
}

void abut_gradient_part_forward(const AbutGradientPart *part, const double *change, double *out)
{
	clear(part->right, 6 * part->n);
	clear(part->start, 6 * part->n);
	for (int i = 0; i < part->n; i++) {
		begin_forward(&part->bodies[i], &change[COLUMNS * i], &part->right[6 * (size_t)i],
		              &part->start[6 * (size_t)i]);
	}
	abut_gradient_solve(part, 0, part->n - 1);
	for (int i = 0; i < part->n; i++) {
		end_forward(&part->bodies[i], &change[COLUMNS * i], &part->start[6 * (size_t)i],
		            &part->x[6 * (size_t)i], &out[ROWS * i]);
	}
}

/* --- backward --- */

/* By (v+, w+): of the next state's rows. */
static void begin_backward(const AbutGradientBody *body, const double *by_next, AbutLanes *x)
{
	double phi[3], turn[3], omega[3];
	abut_mat3_vec(body->R, &by_next[ABUT_GRADIENT_ROTATION], phi);
	abut_mat3_tvec(body->G, phi, turn);
	abut_mat3_vec(body->R0, &by_next[ABUT_GRADIENT_ANGULAR], omega);
	for (int i = 0; i < 3; i++) {
		x[i][0] = body->timestep * by_next[ABUT_GRADIENT_POSITION + i] + by_next[ABUT_GRADIENT_LINEAR + i];
		x[3 + i][0] = turn[i] + omega[i];
	}
}

static void end_backward(const AbutGradientBody *body, const double *by_next, const AbutLanes *right,
                         const AbutLanes *start, double *out)
{
	double linear[3], angular[3], place[3], turn[3], phi[3], omega[3];
	abut_mat3_vec(body->R, &by_next[ABUT_GRADIENT_ROTATION], phi);
	abut_mat3_vec(body->R0, &by_next[ABUT_GRADIENT_ANGULAR], omega);
	for (int i = 0; i < 3; i++) {
		linear[i] = right[i][0];
		angular[i] = right[3 + i][0];
		place[i] = by_next[ABUT_GRADIENT_POSITION + i] + start[i][0];
		turn[i] = phi[i] + start[3 + i][0];
	}
	keep_in_plane(body, linear);
	keep_in_plane(body, place);
	for (int k = 0; k < 3; k++) {
		double turned[3];
		abut_cross3(&body->axes[3 * k], body->w, turned);
		out[ABUT_GRADIENT_POSITION + k] = place[k];
		out[ABUT_GRADIENT_ROTATION + k] = abut_dot3(&body->carried[3 * k], turn) +
		                                  abut_dot3(&body->turned[3 * k], angular) - abut_dot3(turned, omega);
		out[ABUT_GRADIENT_LINEAR + k] = body->mass * linear[k];
		out[ABUT_GRADIENT_ANGULAR + k] = abut_dot3(&body->spun[3 * k], angular);
		out[ABUT_GRADIENT_FORCE + k] = body->timestep * linear[k];
		out[ABUT_GRADIENT_TORQUE + k] = body->timestep * abut_dot3(&body->axes[3 * k], angular);
	}
}

void abut_gradient_part_backward(const AbutGradientPart *part, const double *by_next, double *out)
{
	clear(part->x, 6 * part->n);
	for (int i = 0; i < part->n; i++) {
		begin_backward(&part->bodies[i], &by_next[ROWS * i], &part->x[6 * (size_t)i]);
	}
	abut_gradient_solve_transposed(part);
	for (int i = 0; i < part->n; i++) {
		end_backward(&part->bodies[i], &by_next[ROWS * i], &part->right[6 * (size_t)i],
		             &part->start[6 * (size_t)i], &out[COLUMNS * i]);
	}
}
