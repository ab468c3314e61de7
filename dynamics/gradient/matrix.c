/* Computes the whole matrix of a part. Only twelve columns of each body are solved for: six impulses, and six changes
 * of its pose (dynamics/gradient/columns.h). The effects of velocities, forces and torques are combinations of the
 * first six columns (dynamics/gradient/body.c). The rows are those of the next position x+, turn phi+ and spin omega+
 * (body axes), with theta = R0 phi and T = R+ R0':
 *
 *     dx+ = dx0 + dt dv+,    R+ phi+ = T theta + G dw+,    domega+ = R0' (dw+ - theta x w+).
 *
 * Tested in tests/dynamics/gradient/test_gradient.c. */
#include "dynamics/gradient/matrix.h"

#include <stdint.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/gradient/columns.h"
#include "dynamics/gradient/products.h"
#include "dynamics/gradient/solve.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS, OWN = ABUT_SOLVED_COLUMNS };

/* --- by products --- */

/* Writes the columns starting at `first`, one per lane; returns false if a number is not finite. */
static bool write_columns(const AbutGradientPart *part, int first, const double *unit, const int *places, size_t width,
                          double *out)
{
	double sum = 0.0;
	for (int lane = 0; lane < ABUT_LANES && first + lane < COLUMNS * part->n; lane++) {
		const int body = (first + lane) / COLUMNS, c = (first + lane) % COLUMNS;
		const size_t column = COLUMNS * (size_t)places[body] + (size_t)c;
		for (int i = 0; i < ROWS * part->n; i++) {
			const size_t row = ROWS * (size_t)places[i / ROWS] + (size_t)(i % ROWS);
			out[row * width + column] = part->lanes.next[i][lane] * unit[i % ROWS] / unit[c];
			sum += 0.0 * part->lanes.next[i][lane];
		}
	}
	return sum == 0.0;
}

/* Computes the matrix of a part whose contacts depend on the velocities at the start (lanes.before is not NULL). The
 * columns of these velocities are then not combinations of the columns of impulses, so each column is computed as a
 * product. Tested in tests/dynamics/methods/convex/test_convex_gradient.c. */
static bool fill_by_products(const AbutGradientPart *part, const double *unit, const int *places, size_t width,
                             double *out)
{
	bool solved = true;
	for (int first = 0; solved && first < COLUMNS * part->n; first += ABUT_LANES) {
		memset(part->lanes.change, 0, COLUMNS * (size_t)part->n * sizeof *part->lanes.change);
		for (int lane = 0; lane < ABUT_LANES && first + lane < COLUMNS * part->n; lane++) {
			part->lanes.change[first + lane][lane] = 1.0;
		}
		solved = abut_gradient_part_forward(part, part->lanes.change, NULL, part->lanes.next) &&
		         write_columns(part, first, unit, places, width, out);
	}
	return solved;
}

/* --- the columns that are solved for --- */

/* Sets kept[0] for the columns of impulses and kept[1] for those of poses: 1 if they are solved for, 0 if their
 * derivatives are refused and the columns stay zero. */
ALWAYS_INLINE void find_kept(const AbutGradientPart *part, double kept[2])
{
	kept[0] = part->refused[ABUT_BY_IMPULSES].why == ABUT_REFUSED_NOT ? 1.0 : 0.0;
	kept[1] = part->refused[ABUT_BY_POSES].why == ABUT_REFUSED_NOT ? 1.0 : 0.0;
}

/* Returns the number of columns that are solved for: OWN for each body, and one for each rate of a joint. */
ALWAYS_INLINE int count_columns(const AbutGradientPart *part)
{
	return OWN * part->n + part->n_rates;
}

/* Adds the push of a rate to the right sides, in one lane. */
ALWAYS_INLINE void add_push(const AbutGradientRate *rate, double factor, int lane, AbutLanes *right)
{
	for (int k = 0; k < 12; k++) {
		if (rate->body[k / 6] >= 0) {
			right[6 * rate->body[k / 6] + k % 6][lane] += factor * rate->push[k / 6][k % 6];
		}
	}
}

/* Solves for eight columns starting at `first` into part->system.columns, with or without corrections; returns false if
 * they do not converge. */
ALWAYS_INLINE bool solve_columns(const AbutGradientPart *part, int first, bool corrected, size_t stride)
{
	const int n = count_columns(part), end = first + ABUT_LANES < n ? first + ABUT_LANES : n;
	const bool rates = end > OWN * part->n;
	const int first_body = rates ? 0 : first / OWN, last_body = rates ? part->n - 1 : (end - 1) / OWN;
	bool solved = true;
	double kept[2];
	find_kept(part, kept);
	abut_columns_clear(part);
	for (int at = first; at < end; at++) {
		const int body = at / OWN;
		if (body >= part->n) {
			add_push(&part->rates[at - OWN * part->n], kept[0], at - first, part->lanes.right);
			continue;
		}
		abut_column_add(&part->bodies[body], at % OWN, kept[at % OWN / 6], at - first,
		                &part->lanes.right[6 * body], &part->lanes.start[6 * body]);
	}
	if (corrected) {
		solved = abut_gradient_solve(part, first_body, last_body, NULL);
	} else {
		abut_gradient_solve_once(part, first_body, last_body);
	}
	for (int i = 0; i < 6 * part->n; i++) {
		memcpy(&part->system.columns[(size_t)i * stride + (size_t)first], part->lanes.x[i], sizeof(AbutLanes));
	}
	return solved;
}

ALWAYS_INLINE bool solve_all(const AbutGradientPart *part, bool corrected, size_t stride)
{
	bool solved = true;
	for (int first = 0; solved && first < count_columns(part); first += ABUT_LANES) {
		solved = solve_columns(part, first, corrected, stride);
	}
	return solved;
}

/* Returns whether the columns of a single solve need no correction. A correction is linear in its column, so it is
 * measured on sums of all columns with pseudo-random signs. */
ALWAYS_INLINE bool is_enough(const AbutGradientPart *part, size_t stride)
{
	/* Exact derivatives must be accurate to 1e-5, derivatives on the path to the accuracy of finite differences,
	 * 1e-6. */
	const double enough = part->smoothed ? 1e-9 : 3e-6;
	if (part->n_maps == 0) {
		return true;
	}
	abut_columns_clear(part);
	memset(part->lanes.x, 0, 6 * (size_t)part->n * sizeof *part->lanes.x);
	uint32_t bits = 1;
	double kept[2];
	find_kept(part, kept);
	for (int first = 0; first < OWN * part->n; first += ABUT_LANES) {
		AbutLanes factor;
		abut_lanes_zero(factor);
		for (int lane = 0; lane < ABUT_LANES && first + lane < OWN * part->n; lane++) {
			const int body = (first + lane) / OWN, column = (first + lane) % OWN;
			factor[lane] = kept[column / 6] * abut_column_sign(&bits) *
			               abut_column_measure(&part->bodies[body], column);
			abut_column_add(&part->bodies[body], column, factor[lane], lane, &part->lanes.right[6 * body],
			                &part->lanes.start[6 * body]);
		}
		for (int i = 0; i < 6 * part->n; i++) {
			const double *x = &part->system.columns[(size_t)i * stride + (size_t)first];
			for (int l = 0; l < ABUT_LANES; l++) {
				part->lanes.x[i][l] += factor[l] * x[l];
			}
		}
	}
	return abut_gradient_correction(part) <= enough;
}

/* --- rows --- */

/* Computes d(v+, w+) of a body, in model units, with respect to all columns of the body `by`, in SI. `solved` holds the
 * columns that were solved for. */
ALWAYS_INLINE void combine(const AbutGradientBody *by, const double *solved, size_t stride,
                           const double inverse[COLUMNS], double V[6][COLUMNS])
{
	for (int r = 0; r < 6; r++) {
		const double *x = &solved[(size_t)r * stride];
		for (int c = 0; c < 6; c++) {
			V[r][c] = x[6 + c] * inverse[c];
		}
		for (int c = 0; c < 3; c++) { /* scaled here: V would be read in other widths than it is written */
			const double *spun = &by->spun[3 * c], *pushed = &by->pushed[3 * c];
			const int linear = ABUT_GRADIENT_LINEAR + c, force = ABUT_GRADIENT_FORCE + c;
			const int angular = ABUT_GRADIENT_ANGULAR + c, torque = ABUT_GRADIENT_TORQUE + c;
			V[r][linear] = by->kept_mass * x[c] * inverse[linear];
			V[r][force] = by->timestep * x[c] * inverse[force];
			V[r][angular] = (spun[0] * x[3] + spun[1] * x[4] + spun[2] * x[5]) * inverse[angular];
			V[r][torque] = (pushed[0] * x[3] + pushed[1] * x[4] + pushed[2] * x[5]) * inverse[torque];
		}
	}
}

/* Adds the effect of the velocities of the body `index` through the rates of its joints. `rows` are the solved columns
 * of the body whose d(v+, w+) are V. */
ALWAYS_INLINE void add_rates(const AbutGradientPart *part, int index, const double *rows, size_t stride,
                             const double inverse[COLUMNS], double V[6][COLUMNS])
{
	for (int i = 0; i < part->n_rates; i++) {
		const AbutGradientRate *rate = &part->rates[i];
		const int own = rate->body[0] == index ? 0 : 1;
		double by[6];
		if (rate->body[own] != index) {
			continue;
		}
		for (int c = 0; c < 6; c++) {
			by[c] = rate->by_velocity[own][c] * inverse[ABUT_GRADIENT_LINEAR + c];
		}
		for (int r = 0; r < 6; r++) {
			const double moved = rows[(size_t)r * stride + (size_t)(OWN * part->n + i)];
			for (int c = 0; c < 6; c++) {
				V[r][ABUT_GRADIENT_LINEAR + c] += moved * by[c];
			}
		}
	}
}

/* Computes target = unit (k[0] rows[0] + k[1] rows[1] + k[2] rows[2]). */
ALWAYS_INLINE void mix(double unit, const double k[3], double (*rows)[COLUMNS], double *target)
{
	for (int c = 0; c < COLUMNS; c++) {
		target[c] = unit * (k[0] * rows[0][c] + k[1] * rows[1][c] + k[2] * rows[2][c]);
	}
}

ALWAYS_INLINE void scale(double factor, const double *row, double *target)
{
	for (int c = 0; c < COLUMNS; c++) {
		target[c] = factor * row[c];
	}
}

ALWAYS_INLINE void write_rows(const AbutGradientBody *of, double V[6][COLUMNS], const double *unit, double *J,
                              size_t stride)
{
	double turn[9];
	abut_mat3_transposed_mul(of->R, of->G, turn);
	for (int i = 0; i < 3; i++) {
		const double back[3] = {of->R0[i], of->R0[3 + i], of->R0[6 + i]};
		const size_t position = (size_t)i, rotation = ABUT_GRADIENT_ROTATION + (size_t)i;
		const size_t linear = ABUT_GRADIENT_LINEAR + (size_t)i, angular = ABUT_GRADIENT_ANGULAR + (size_t)i;
		scale(unit[position] * of->timestep, V[i], &J[position * stride]);
		mix(unit[rotation], &turn[3 * i], &V[3], &J[rotation * stride]);
		scale(unit[linear], V[i], &J[linear * stride]);
		mix(unit[angular], back, &V[3], &J[angular * stride]);
	}
}

/* Adds the change of the next state with the pose at the start, at fixed velocities. */
ALWAYS_INLINE void add_start(const AbutGradientBody *body, const double *unit, double *J, size_t stride)
{
	for (int axis = 0; axis < 3; axis++) {
		double with[3], turned[3], phi[3], omega[3];
		abut_copy3(&body->carried[3 * axis], with);
		abut_mat3_tvec(body->R, with, phi);
		abut_cross3(&body->axes[3 * axis], body->w, turned);
		abut_mat3_tvec(body->R0, turned, omega);
		if (!body->planar || axis != 1) {
			J[(size_t)axis * stride + (size_t)axis] += 1.0;
		}
		for (int i = 0; i < 3; i++) {
			const size_t column = ABUT_GRADIENT_ROTATION + (size_t)axis;
			const size_t rotation = ABUT_GRADIENT_ROTATION + (size_t)i;
			const size_t angular = ABUT_GRADIENT_ANGULAR + (size_t)i;
			J[rotation * stride + column] += phi[i];
			J[angular * stride + column] -= unit[angular] * omega[i];
		}
	}
}

/* Returns 0, or NaN if an entry is not finite. */
ALWAYS_INLINE double probe(double V[6][COLUMNS])
{
	double sums[COLUMNS] = {0.0}, sum = 0.0;
	for (int row = 0; row < 6; row++) {
		for (int c = 0; c < COLUMNS; c++) {
			sums[c] += V[row][c];
		}
	}
	for (int c = 0; c < COLUMNS; c++) {
		sum += sums[c];
	}
	return 0.0 * sum;
}

ABUT_CLONES bool abut_gradient_part_matrix(const AbutGradientPart *part, const double *unit, const int *places,
                                           size_t width, double *out)
{
	const size_t own = abut_gradient_columns_stride(part);
	double inverse[COLUMNS], sum = 0.0;
	if (part->lanes.before) {
		return fill_by_products(part, unit, places, width, out);
	}
	/* jointed parts are solved exactly (dynamics/gradient/nodes.c) */
	const bool once = !part->jointed && solve_all(part, false, own) && is_enough(part, own);
	if (!once && !solve_all(part, true, own)) {
		return false;
	}
	for (int c = 0; c < COLUMNS; c++) {
		inverse[c] = 1.0 / unit[c];
	}
	for (int by = 0; by < part->n; by++) {
		for (int of = 0; of < part->n; of++) {
			double V[6][COLUMNS];
			double *block = &out[ROWS * (size_t)places[of] * width + COLUMNS * (size_t)places[by]];
			combine(&part->bodies[by], &part->system.columns[6 * (size_t)of * own + OWN * (size_t)by], own,
			        inverse, V);
			add_rates(part, by, &part->system.columns[6 * (size_t)of * own], own, inverse, V);
			write_rows(&part->bodies[of], V, unit, block, width);
			if (of == by) {
				add_start(&part->bodies[of], unit, block, width);
			}
			sum += probe(V);
		}
	}
	return sum == 0.0;
}
