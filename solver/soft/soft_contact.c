/* Minimises the soft contact's function by Newton's method with an exact line search. Near the tips of stiff cones it
 * may progress only in tiny steps. Then the bodies are made heavier, which softens the same contacts, and lighter again
 * in stages, each starting from the last solution. */
#include "solver/soft/soft_contact.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

/* Newton's method continues to this residual, below ABUT_SOFT_NEARLY only while the residual still falls. */
static const double goal = 1e-14;

enum { most_iterations = 60, most_line_steps = 60 };

/* Factors of the mass for heavier bodies: the first factor, and the ratio of each next one. */
static const double heaviest = 1e5, lighter = 0.2;

void abut_soft_room_carve(AbutSoftRoom *room, int n_bodies, int n_rows, AbutArena *arena)
{
	const size_t n = 6 * (size_t)n_bodies, m = (size_t)n_rows;
	room->a = abut_arena_take(arena, n, sizeof(double));
	room->gradient = abut_arena_take(arena, n, sizeof(double));
	room->step = abut_arena_take(arena, n, sizeof(double));
	room->best = abut_arena_take(arena, n, sizeof(double));
	room->force = abut_arena_take(arena, m, sizeof(double));
	room->distance = abut_arena_take(arena, m, sizeof(double));
	room->change = abut_arena_take(arena, m, sizeof(double));
}

static double dot6(const double *a, const double *b)
{
	return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]) + (a[4] * b[4] + a[5] * b[5]);
}

/* Computes J x - `reference` r for the rows of a point. */
static void apply_point(const AbutSoftProblem *problem, const AbutSoftPoint *point, const double *x, double reference,
                        double *out)
{
	for (int i = 0; i < point->n_rows; i++) {
		const AbutSoftRow *row = &problem->rows[point->first_row + i];
		out[i] = -reference * row->reference;
		for (int s = 0; s < 2; s++) {
			out[i] += point->body[s] >= 0 ? dot6(&row->J[6 * s], &x[6 * point->body[s]]) : 0.0;
		}
	}
}

static void apply_rows(const AbutSoftProblem *problem, const double *x, double reference, double *out)
{
	for (int p = 0; p < problem->n_points; p++) {
		const AbutSoftPoint *point = &problem->points[p];
		apply_point(problem, point, x, reference, &out[point->first_row]);
	}
}

/* Subtracts J' f from `out`. */
static void subtract_forces(const AbutSoftProblem *problem, const double *f, double *out)
{
	for (int p = 0; p < problem->n_points; p++) {
		const AbutSoftPoint *point = &problem->points[p];
		for (int i = point->first_row; i < point->first_row + point->n_rows; i++) {
			for (int s = 0; s < 2; s++) {
				for (int k = 0; point->body[s] >= 0 && k < 6; k++) {
					out[6 * point->body[s] + k] -= f[i] * problem->rows[i].J[6 * s + k];
				}
			}
		}
	}
}

/* --- ties --- */

/* Returns J x of a tie. */
static double along_tie(const AbutSoftTie *tie, const double *x)
{
	double sum = 0.0;
	for (int b = 0; b < tie->n; b++) {
		sum += dot6(tie->J[b], &x[6 * tie->body[b]]);
	}
	return sum;
}

/* Adds the gradients of the ties at a. Returns the largest entry of one of them. */
static double add_ties(const AbutSoftProblem *problem, const double *a, double *gradient)
{
	double largest = 0.0;
	for (int i = 0; i < problem->n_ties; i++) {
		const AbutSoftTie *tie = &problem->ties[i];
		const double pull = tie->weight * (along_tie(tie, a) - tie->reference);
		for (int k = 0; k < 6 * tie->n; k++) {
			const double entry = pull * tie->J[k / 6][k % 6];
			gradient[6 * tie->body[k / 6] + k % 6] += entry;
			largest = abut_max(largest, fabs(entry));
		}
	}
	return largest;
}

static void fill_ties(const AbutSoftProblem *problem, const AbutBlockSystem *system)
{
	for (int i = 0; i < problem->n_ties; i++) {
		const AbutSoftTie *tie = &problem->ties[i];
		for (int k = 0; k < tie->n * tie->n; k++) {
			const double *J = tie->J[k / tie->n], *by = tie->J[k % tie->n];
			double *block = abut_block(system, tie->body[k / tie->n], tie->body[k % tie->n]);
			for (int e = 0; e < 36; e++) {
				block[ABUT_BLOCK_ROW * (e / 6) + e % 6] += tie->weight * J[e / 6] * by[e % 6];
			}
		}
	}
}

/* --- the function --- */

/* Returns the largest entry of J' f of single rows that are held. Stiff rows of joints have large forces that cancel.
 */
static double largest_held(const AbutSoftProblem *problem, const double *f)
{
	double largest = 0.0;
	for (int p = 0; p < problem->n_points; p++) {
		const AbutSoftPoint *point = &problem->points[p];
		for (int i = point->first_row; point->held && i < point->first_row + point->n_rows; i++) {
			for (int k = 0; k < 12; k++) {
				const double entry = point->body[k / 6] >= 0 ? f[i] * problem->rows[i].J[k] : 0.0;
				largest = abut_max(largest, fabs(entry));
			}
		}
	}
	return largest;
}

/* Computes the gradient at a. Returns its largest entry relative to the largest of M (a - a0), M a0 and the forces of
 * held rows. */
static double evaluate(const AbutSoftProblem *problem, double heavy, AbutSoftRoom *room)
{
	double scale = 0.0, largest = 0.0;
	apply_rows(problem, room->a, 1.0, room->distance);
	for (int p = 0; p < problem->n_points; p++) {
		const int first = problem->points[p].first_row;
		abut_soft_point(&problem->points[p], &problem->rows[first], &room->distance[first], &room->force[first],
		                NULL);
	}
	for (int i = 0; i < 6 * problem->n_bodies; i++) {
		const double *M = &problem->mass[6 * i], *a = &room->a[i - i % 6], *a0 = &problem->free[i - i % 6];
		const double difference[6] = {a[0] - a0[0], a[1] - a0[1], a[2] - a0[2],
		                              a[3] - a0[3], a[4] - a0[4], a[5] - a0[5]};
		room->gradient[i] = heavy * dot6(M, difference);
		scale = abut_max(scale, abut_max(fabs(room->gradient[i]), heavy * fabs(dot6(M, a0))));
	}
	scale = abut_max(scale, largest_held(problem, room->force));
	scale = abut_max(scale, add_ties(problem, room->a, room->gradient));
	subtract_forces(problem, room->force, room->gradient);
	for (int i = 0; i < 6 * problem->n_bodies; i++) {
		largest = abut_max(largest, fabs(room->gradient[i]));
	}
	return scale > 0.0 ? largest / scale : largest;
}

/* Adds J_s' H J_t of one point to the block. */
static void add_block(const AbutSoftPoint *point, const AbutSoftRow *rows, const double *H, int s, int t, double *block)
{
	const int n = point->n_rows;
	for (int i = 0; i < n; i++) {
		double HJ[6] = {0.0};
		for (int j = 0; j < n; j++) {
			for (int k = 0; k < 6; k++) {
				HJ[k] += H[i * n + j] * rows[j].J[6 * t + k];
			}
		}
		for (int r = 0; r < 6; r++) {
			for (int k = 0; k < 6; k++) {
				block[ABUT_BLOCK_ROW * r + k] += rows[i].J[6 * s + r] * HJ[k];
			}
		}
	}
}

/* Fills M + J' H J, with the gradient as right-hand side. */
static void fill_system(const AbutSoftProblem *problem, double heavy, const AbutSoftRoom *room,
                        const AbutBlockSystem *system)
{
	abut_block_system_clear(system);
	for (int body = 0; body < problem->n_bodies; body++) {
		double *block = abut_block(system, body, body);
		for (int r = 0; r < 6; r++) {
			for (int k = 0; k < 6; k++) {
				block[ABUT_BLOCK_ROW * r + k] = heavy * problem->mass[36 * body + 6 * r + k];
			}
			block[ABUT_BLOCK_ROW * r + 6] = room->gradient[6 * body + r];
		}
	}
	fill_ties(problem, system);
	for (int p = 0; p < problem->n_points; p++) {
		const AbutSoftPoint *point = &problem->points[p];
		const AbutSoftRow *rows = &problem->rows[point->first_row];
		double H[ABUT_SOFT_MOST_ROWS * ABUT_SOFT_MOST_ROWS];
		abut_soft_point(point, rows, &room->distance[point->first_row], NULL, H);
		for (int s = 0; s < 2; s++) {
			for (int t = 0; t < 2; t++) {
				if (point->body[s] >= 0 && point->body[t] >= 0) {
					add_block(point, rows, H, s, t,
					          abut_block(system, point->body[s], point->body[t]));
				}
			}
		}
	}
}

/* Computes the Newton step. */
static bool find_step(const AbutSoftProblem *problem, double heavy, const AbutBlockSystem *system, AbutSoftRoom *room)
{
	fill_system(problem, heavy, room, system);
	if (!abut_block_system_solve(system)) {
		return false;
	}
	for (int body = 0; body < problem->n_bodies; body++) {
		const double *block = abut_block(system, body, body);
		for (int r = 0; r < 6; r++) {
			room->step[6 * body + r] = -block[ABUT_BLOCK_ROW * r + 6];
		}
	}
	apply_rows(problem, room->step, 0.0, room->change);
	return true;
}

/* Finds the minimum along a + t step, where the function is convex, by Newton's method on its derivative, safeguarded
 * by a bracket of the root. */
static double search_line(const AbutSoftProblem *problem, double heavy, const AbutSoftRoom *room)
{
	static const double enough = 1e-9;
	double linear = 0.0, square = 0.0, start = 0.0, low = 0.0, high = INFINITY, t = 1.0;
	for (int i = 0; i < 6 * problem->n_bodies; i++) {
		const int first = i - i % 6;
		const double Mp = heavy * dot6(&problem->mass[6 * i], &room->step[first]);
		square += Mp * room->step[i];
		linear += Mp * (room->a[i] - problem->free[i]);
		start += room->gradient[i] * room->step[i];
	}
	for (int i = 0; i < problem->n_ties; i++) {
		const AbutSoftTie *tie = &problem->ties[i];
		const double change = along_tie(tie, room->step);
		linear += tie->weight * change * (along_tie(tie, room->a) - tie->reference);
		square += tie->weight * change * change;
	}
	for (int k = 0; k < most_line_steps; k++) {
		double slope = linear + t * square, bend = square;
		for (int p = 0; p < problem->n_points; p++) {
			const AbutSoftPoint *point = &problem->points[p];
			const int first = point->first_row;
			double derivative[2];
			abut_soft_point_line(point, &problem->rows[first], &room->distance[first], &room->change[first],
			                     t, derivative);
			slope += derivative[0];
			bend += derivative[1];
		}
		if (!(fabs(slope) > enough * fabs(start))) {
			break;
		}
		low = slope < 0.0 ? t : low;
		high = slope < 0.0 ? high : t;
		const double next = t - slope / bend;
		t = next > low && next < high ? next : 0.5 * (low + high);
	}
	return t;
}

/* Runs Newton's method from room->a. room->a becomes the best point found, with its gradient and forces. */
static void descend(const AbutSoftProblem *problem, double heavy, const AbutBlockSystem *system, AbutSoftRoom *room,
                    AbutSoftReport *report)
{
	const size_t size = 6 * (size_t)problem->n_bodies * sizeof(double);
	double best = evaluate(problem, heavy, room);
	int without_gain = 0;
	memcpy(room->best, room->a, size);
	for (int i = 0; i < most_iterations && best > goal && without_gain < 3; i++) {
		if (!find_step(problem, heavy, system, room)) {
			break;
		}
		const double t = search_line(problem, heavy, room);
		for (int k = 0; k < 6 * problem->n_bodies; k++) {
			room->a[k] += t * room->step[k];
		}
		const double residual = evaluate(problem, heavy, room);
		report->iterations++;
		without_gain = best <= ABUT_SOFT_NEARLY && !(residual < 0.5 * best) ? without_gain + 1 : 0;
		if (residual < best) {
			best = residual;
			memcpy(room->best, room->a, size);
		}
	}
	memcpy(room->a, room->best, size);
	report->residual = evaluate(problem, heavy, room);
	report->solved = report->residual <= ABUT_SOFT_NEARLY;
}

void abut_soft_solve(const AbutSoftProblem *problem, const AbutBlockSystem *system, AbutSoftRoom *room,
                     AbutSoftReport *report)
{
	report->iterations = 0;
	descend(problem, 1.0, system, room, report);
	for (double heavy = heaviest; !report->solved && heavy > 1.0; heavy *= lighter) {
		AbutSoftReport on_the_way = {.iterations = 0};
		descend(problem, heavy, system, room, &on_the_way);
		report->iterations += on_the_way.iterations;
		if (heavy * lighter <= 1.0) {
			descend(problem, 1.0, system, room, report);
		}
	}
}

void abut_soft_forces(const AbutSoftProblem *problem, const double *a, double *force)
{
	for (int p = 0; p < problem->n_points; p++) {
		const AbutSoftPoint *point = &problem->points[p];
		double y[ABUT_SOFT_MOST_ROWS];
		apply_point(problem, point, a, 1.0, y);
		abut_soft_point(point, &problem->rows[point->first_row], y, &force[point->first_row], NULL);
	}
}
