/* Computes the matrices by rows, eight at once: only the n_v rows of rates are solved for, with the transposed system.
 * A row of a coordinate follows from the step that it makes: at its beginning the coordinates are those of x, so
 *
 *     c- = c+ - h c'+,      dc+ = dc- + h dc'+;
 *
 * for three turns, dc+ = own_turn' (dc- - own_spin dc'+) (dynamics/linear/tangent.h). Tested in
 * tests/dynamics/linear/test_linear.c. */
#include "dynamics/linear/by_rows.h"

#include <string.h>

#include "base/clones.h"
#include "dynamics/gradient/eight.h"

enum { ROWS = ABUT_GRADIENT_ROWS };

/* The widths of A, B and P. */
typedef struct Widths {
	int at[3];
} Widths;

static Widths widths_of(const AbutLinear *linear)
{
	return (Widths){{linear->n_x, linear->n_motors, linear->n_parameters}};
}

/* Writes `count` rows from `first` on. */
static void write_rows(const AbutLinear *linear, int first, int count, double *const matrices[3])
{
	const Widths widths = widths_of(linear);
	const AbutLanes *from = linear->out;
	for (int which = 0; which < 3; which++) {
		const int width = widths.at[which];
		for (int lane = 0; matrices[which] && lane < count; lane++) {
			double *row = &matrices[which][(size_t)(first + lane) * (size_t)width];
			for (int i = 0; i < width; i++) {
				row[i] = from[i][lane];
			}
		}
		from = which == 0 ? linear->by : from + width;
	}
}

/* Solves for `count` rows of rates from `first` on. */
static AbutStatus solve_rows(AbutLinear *linear, int first, int count, AbutError *error)
{
	memset(linear->next, 0, ROWS * (size_t)linear->model->n_moving * sizeof *linear->next);
	for (int lane = 0; lane < count; lane++) {
		abut_coordinate_row_pull(&linear->rows[first + lane], 1.0, lane, linear->next);
	}
	ABUT_TRY(abut_gradient_backward_eight(linear->gradient, linear->next, linear->change, linear->by, error));
	abut_tangent_gather(&linear->start, linear->change, linear->scratch, linear->out);
	return ABUT_OK;
}

/* Adds: target += factor row */
ABUT_CLONES static void add_row(int width, double factor, const double *restrict row, double *restrict target)
{
	for (int i = 0; i < width; i++) {
		target[i] += factor * row[i];
	}
}

/* Sets the rows of a link's coordinates from those of its rates. `width`: of the matrix; A has also the unit matrix. */
static void finish_rows(const AbutTangentLink *own, const AbutLink *link, int n_v, int width, bool is_A, double *matrix)
{
	const size_t stride = (size_t)width;
	const double *rates = &matrix[(size_t)(n_v + link->v) * stride];
	for (int k = 0; k < link->n_v; k++) {
		double *row = &matrix[(size_t)(link->v + k) * stride];
		const int turn = own->turns >= 0 ? k - own->turns : -1;
		memset(row, 0, stride * sizeof *row);
		if (turn < 0) {
			add_row(width, -own->by_rate[k], &rates[(size_t)k * stride], row);
			if (is_A) {
				row[link->v + k] += 1.0;
			}
			continue;
		}
		for (int i = 0; i < 3; i++) {
			const double by = own->own_turn[3 * i + turn];
			for (int m = 0; m < 3; m++) {
				add_row(width, -by * own->own_spin[3 * i + m],
				        &rates[(size_t)(own->turns + m) * stride], row);
			}
			if (is_A) {
				row[link->v + own->turns + i] += by;
			}
		}
	}
}

AbutStatus abut_linear_by_rows(AbutLinear *linear, double *const matrices[3], AbutError *error)
{
	const AbutRobot *robot = linear->robot;
	const Widths widths = widths_of(linear);
	for (int first = robot->n_v; first < linear->n_x; first += ABUT_LANES) {
		const int count = first + ABUT_LANES < linear->n_x ? ABUT_LANES : linear->n_x - first;
		ABUT_TRY(solve_rows(linear, first, count, error));
		write_rows(linear, first, count, matrices);
	}
	for (int which = 0; which < 3; which++) {
		for (int i = 0; matrices[which] && widths.at[which] > 0 && i < robot->n_links; i++) {
			finish_rows(&linear->end.links[i], &robot->links[i], robot->n_v, widths.at[which], which == 0,
			            matrices[which]);
		}
	}
	return ABUT_OK;
}
