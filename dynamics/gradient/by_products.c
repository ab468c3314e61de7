/* Computes the matrix of a part whose contacts depend on the velocities at the start. The columns of these velocities
 * are then not combinations of the columns of impulses (dynamics/gradient/matrix.c). Each column is therefore computed
 * as a product. Tested in tests/dynamics/methods/convex/test_convex_gradient.c. */
#include "dynamics/gradient/by_products.h"

#include <math.h>
#include <string.h>

#include "dynamics/gradient/part.h"
#include "dynamics/gradient/products.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS };

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

bool abut_gradient_part_by_products(const AbutGradientPart *part, const double *unit, const int *places, size_t width,
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
