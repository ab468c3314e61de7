/* Multiplies a part's matrix and its transpose by eight vectors, with one solve each. The rows and
 * columns are those of dynamics/gradient/matrix.c. Tested against the matrix in
 * tests/dynamics/gradient/test_gradient_products.c. */
#include "dynamics/gradient/products.h"

#include <string.h>

#include "base/lane_algebra.h"
#include "base/vec3.h"
#include "dynamics/gradient/solve.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS };

static void clear(AbutLanes *x, int n)
{
	memset(x, 0, (size_t)n * sizeof *x);
}

/* --- forward --- */

/* Adds: out += factor sum_k change[k] row k. */
ALWAYS_INLINE void add_rows(double factor, const double rows[9], const AbutLanes change[3], AbutLanes out[3])
{
	for (int k = 0; k < 3; k++) {
		for (int i = 0; i < 3; i++) {
			abut_lanes_add(out[i], factor * rows[3 * k + i], change[k]);
		}
	}
}

/* Adds: out += factor change; for a planar body only along x and z. */
ALWAYS_INLINE void add_in_plane(const AbutGradientBody *body, double factor, const AbutLanes change[3],
                                AbutLanes out[3])
{
	for (int i = 0; i < 3; i++) {
		abut_lanes_add(out[i], body->planar && i == 1 ? 0.0 : factor, change[i]);
	}
}

ALWAYS_INLINE void begin_forward(const AbutGradientBody *body, const AbutLanes *change, AbutLanes *right,
                                 AbutLanes *start, AbutLanes *before)
{
	if (before && body->kept_mass > 0.0) {
		add_in_plane(body, 1.0, &change[ABUT_GRADIENT_LINEAR], before);
		add_rows(1.0, body->axes, &change[ABUT_GRADIENT_ANGULAR], &before[3]);
	}
	add_in_plane(body, 1.0, &change[ABUT_GRADIENT_POSITION], start);
	add_in_plane(body, body->kept_mass, &change[ABUT_GRADIENT_LINEAR], right);
	add_in_plane(body, body->timestep, &change[ABUT_GRADIENT_FORCE], right);
	add_rows(1.0, body->carried, &change[ABUT_GRADIENT_ROTATION], &start[3]);
	add_rows(1.0, body->turned, &change[ABUT_GRADIENT_ROTATION], &right[3]);
	add_rows(1.0, body->spun, &change[ABUT_GRADIENT_ANGULAR], &right[3]);
	add_rows(1.0, body->pushed, &change[ABUT_GRADIENT_TORQUE], &right[3]);
}

ALWAYS_INLINE void add_parameters(const AbutGradientPart *part, int index, const AbutLanes *parameters,
                                  AbutLanes *right, AbutLanes *start)
{
	const AbutBodyParameter *by = &part->by_parameter[(size_t)index * (size_t)part->n_parameters];
	for (int k = 0; k < part->n_parameters; k++) {
		for (int i = 0; i < 6; i++) {
			abut_lanes_add(right[i], by[k].right[i], parameters[k]);
			abut_lanes_add(start[i], by[k].start[i], parameters[k]);
		}
	}
}

/* Adds the effect of velocities at the start through the rates of joints. */
ALWAYS_INLINE void add_rates(const AbutGradientPart *part, const AbutLanes *change, AbutLanes *right)
{
	for (int i = 0; i < 2 * part->n_rates; i++) {
		const AbutGradientRate *rate = &part->rates[i / 2];
		const int from = rate->body[i % 2];
		for (int c = 0; from >= 0 && c < 6; c++) {
			const AbutLanes *by = &change[COLUMNS * from + ABUT_GRADIENT_LINEAR + c];
			for (int k = 0; k < 12; k++) {
				const int to = rate->body[k / 6];
				if (to >= 0) {
					abut_lanes_add(right[6 * to + k % 6],
					               rate->push[k / 6][k % 6] * rate->by_velocity[i % 2][c], *by);
				}
			}
		}
	}
}

/* Computes R+ phi+ = start + G dw+,    domega+ = R0' (dw+ - theta x w+). */
ALWAYS_INLINE void end_forward(const AbutGradientBody *body, const AbutLanes *change, const AbutLanes *start,
                               const AbutLanes *x, AbutLanes *out)
{
	AbutLanes theta[3], phi[3], turned[3];
	clear(theta, 3);
	add_rows(1.0, body->axes, &change[ABUT_GRADIENT_ROTATION], theta);
	abut_lanes_mat3(body->G, &x[3], phi);
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		for (int l = 0; l < ABUT_LANES; l++) {
			phi[i][l] += start[3 + i][l];
			turned[i][l] = x[3 + i][l] - (theta[j][l] * body->w[k] - theta[k][l] * body->w[j]);
			out[ABUT_GRADIENT_POSITION + i][l] = start[i][l] + body->timestep * x[i][l];
			out[ABUT_GRADIENT_LINEAR + i][l] = x[i][l];
		}
	}
	abut_lanes_tmat3(body->R, phi, &out[ABUT_GRADIENT_ROTATION]);
	abut_lanes_tmat3(body->R0, turned, &out[ABUT_GRADIENT_ANGULAR]);
}

ABUT_CLONES bool abut_gradient_part_forward(const AbutGradientPart *part, const AbutLanes *change,
                                            const AbutLanes *parameters, AbutLanes *out)
{
	clear(part->lanes.right, 6 * part->n);
	clear(part->lanes.start, 6 * part->n);
	if (part->lanes.before) {
		clear(part->lanes.before, 6 * part->n);
	}
	for (int i = 0; i < part->n; i++) {
		AbutLanes *right = &part->lanes.right[6 * (size_t)i], *start = &part->lanes.start[6 * (size_t)i];
		begin_forward(&part->bodies[i], &change[COLUMNS * i], right, start,
		              part->lanes.before ? &part->lanes.before[6 * (size_t)i] : NULL);
		if (parameters) {
			add_parameters(part, i, parameters, right, start);
		}
	}
	add_rates(part, change, part->lanes.right);
	const bool solved = abut_gradient_solve(part, 0, part->n - 1, parameters);
	for (int i = 0; i < part->n; i++) {
		end_forward(&part->bodies[i], &change[COLUMNS * i], &part->lanes.start[6 * (size_t)i],
		            &part->lanes.x[6 * (size_t)i], &out[ROWS * i]);
	}
	return solved;
}

/* --- backward --- */

/* The gradients of eight costs with respect to a body's right side, start and spin. */
typedef struct Pulled {
	AbutLanes right[2][3],
	    start[2][3];    /* right sides of both balances; change of its next pose at fixed velocities */
	AbutLanes omega[3]; /* its next spin, as a world vector that turns with the body */
} Pulled;

/* Computes the gradients of costs with respect to (v+, w+) from those with respect to the next state. */
ALWAYS_INLINE void begin_backward(const AbutGradientBody *body, const AbutLanes *by_next, AbutLanes *x)
{
	AbutLanes phi[3], turn[3], omega[3];
	abut_lanes_mat3(body->R, &by_next[ABUT_GRADIENT_ROTATION], phi);
	abut_lanes_tmat3(body->G, phi, turn);
	abut_lanes_mat3(body->R0, &by_next[ABUT_GRADIENT_ANGULAR], omega);
	for (int i = 0; i < 3; i++) {
		for (int l = 0; l < ABUT_LANES; l++) {
			x[i][l] = body->timestep * by_next[ABUT_GRADIENT_POSITION + i][l] +
			          by_next[ABUT_GRADIENT_LINEAR + i][l];
			x[3 + i][l] = turn[i][l] + omega[i][l];
		}
	}
}

ALWAYS_INLINE void pull(const AbutGradientBody *body, const AbutLanes *by_next, const AbutLanes *right,
                        const AbutLanes *start, Pulled *out)
{
	AbutLanes phi[3];
	abut_lanes_mat3(body->R, &by_next[ABUT_GRADIENT_ROTATION], phi);
	abut_lanes_mat3(body->R0, &by_next[ABUT_GRADIENT_ANGULAR], out->omega);
	memcpy(out->right, right, sizeof out->right);
	for (int i = 0; i < 3; i++) {
		for (int l = 0; l < ABUT_LANES; l++) {
			out->start[0][i][l] = by_next[ABUT_GRADIENT_POSITION + i][l] + start[i][l];
			out->start[1][i][l] = phi[i][l] + start[3 + i][l];
		}
	}
	if (body->planar) {
		abut_lanes_zero(out->right[0][1]);
		abut_lanes_zero(out->start[0][1]);
	}
}

/* Adds the effect of the velocities at the start through the contacts. */
ALWAYS_INLINE void add_before(const AbutGradientBody *body, const AbutLanes *before, AbutLanes *out)
{
	for (int k = 0; k < 3 && body->kept_mass > 0.0; k++) {
		abut_lanes_add(out[ABUT_GRADIENT_LINEAR + k], body->planar && k == 1 ? 0.0 : 1.0, before[k]);
		for (int i = 0; i < 3; i++) {
			abut_lanes_add(out[ABUT_GRADIENT_ANGULAR + k], body->axes[3 * k + i], before[3 + i]);
		}
	}
}

ALWAYS_INLINE void end_backward(const AbutGradientBody *body, const Pulled *by, AbutLanes *out)
{
	for (int k = 0; k < 3; k++) {
		double turned[3];
		AbutLanes of_start, of_right, of_omega;
		abut_cross3(&body->axes[3 * k], body->w, turned);
		abut_lanes_dot(&body->carried[3 * k], by->start[1], of_start);
		abut_lanes_dot(&body->turned[3 * k], by->right[1], of_right);
		abut_lanes_dot(turned, by->omega, of_omega);
		for (int l = 0; l < ABUT_LANES; l++) {
			out[ABUT_GRADIENT_POSITION + k][l] = by->start[0][k][l];
			out[ABUT_GRADIENT_ROTATION + k][l] = of_start[l] + of_right[l] - of_omega[l];
			out[ABUT_GRADIENT_LINEAR + k][l] = body->kept_mass * by->right[0][k][l];
			out[ABUT_GRADIENT_FORCE + k][l] = body->timestep * by->right[0][k][l];
		}
		abut_lanes_dot(&body->spun[3 * k], by->right[1], out[ABUT_GRADIENT_ANGULAR + k]);
		abut_lanes_dot(&body->pushed[3 * k], by->right[1], out[ABUT_GRADIENT_TORQUE + k]);
	}
}

/* Adds the effect of velocities at the start through the rates of joints. */
ALWAYS_INLINE void pull_rates(const AbutGradientPart *part, AbutLanes *out)
{
	for (int i = 0; i < part->n_rates; i++) {
		const AbutGradientRate *rate = &part->rates[i];
		AbutLanes sum;
		abut_lanes_zero(sum);
		for (int k = 0; k < 12; k++) {
			const int body = rate->body[k / 6];
			if (body >= 0) {
				abut_lanes_add(sum, rate->push[k / 6][k % 6], part->lanes.right[6 * body + k % 6]);
			}
		}
		for (int k = 0; k < 12; k++) {
			const int body = rate->body[k / 6];
			if (body >= 0) {
				abut_lanes_add(out[COLUMNS * body + ABUT_GRADIENT_LINEAR + k % 6],
				               rate->by_velocity[k / 6][k % 6], sum);
			}
		}
	}
}

/* Returns whether a parameter changes nothing of a body's equations, like most parameters of joints. */
ALWAYS_INLINE bool is_idle(const AbutBodyParameter *by)
{
	bool idle = true;
	for (int i = 0; i < 6; i++) {
		idle = idle && by->right[i] == 0.0 && by->start[i] == 0.0;
	}
	return idle;
}

ALWAYS_INLINE void pull_parameters(const AbutGradientPart *part, int index, const Pulled *by, AbutLanes *parameters)
{
	const AbutBodyParameter *own = &part->by_parameter[(size_t)index * (size_t)part->n_parameters];
	for (int k = 0; k < part->n_parameters; k++) {
		for (int i = 0; !is_idle(&own[k]) && i < 6; i++) {
			for (int l = 0; l < ABUT_LANES; l++) {
				parameters[k][l] += own[k].right[i] * by->right[i / 3][i % 3][l] +
				                    own[k].start[i] * by->start[i / 3][i % 3][l];
			}
		}
	}
}

ABUT_CLONES bool abut_gradient_part_backward(const AbutGradientPart *part, const AbutLanes *by_next, AbutLanes *out,
                                             AbutLanes *parameters)
{
	for (int i = 0; i < part->n; i++) {
		begin_backward(&part->bodies[i], &by_next[ROWS * i], &part->lanes.x[6 * (size_t)i]);
	}
	const bool solved = abut_gradient_solve_transposed(part);
	for (int k = 0; k < part->n_parameters; k++) {
		abut_lanes_add(parameters[k], 1.0, part->lanes.parameters[k]);
	}
	for (int i = 0; i < part->n; i++) {
		Pulled by;
		pull(&part->bodies[i], &by_next[ROWS * i], &part->lanes.right[6 * (size_t)i],
		     &part->lanes.start[6 * (size_t)i], &by);
		pull_parameters(part, i, &by, parameters);
		end_backward(&part->bodies[i], &by, &out[COLUMNS * i]);
		if (part->lanes.before) {
			add_before(&part->bodies[i], &part->lanes.before[6 * (size_t)i], &out[COLUMNS * i]);
		}
	}
	pull_rates(part, out);
	return solved;
}
