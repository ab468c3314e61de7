/* Better conditioned rows of second-order cones. Lorentz boosts map a second-order cone onto itself: with
 * |w0|^2 - |w1|^2 = 1,
 *
 *     (s0, s1)  ->  (w0 s0 - w1's1,  s1 + (w1's1 / (1 + w0) - s0) w1).
 *
 * L s lies in K if and only if s does, so that L A, L B, L d and L h describe the same set as A, B, d and h. With w = s
 * / m at the centre, m = sqrt(s0^2 - |s1|^2), s becomes (m, 0) there. This makes a thin lens between two balls of a
 * thousand times its size behave like an ellipsoid: its rows have its own size and are much steeper across it than
 * along it, while slacks were differences of large numbers before. Tested by conic_data/boosts_keep_the_set and
 * conic_data/thin_lenses. */
#include "shapes/composed/boost.h"

#include <math.h>

#include "base/vec3.h"
#include "shapes/core/conic.h"
#include "shapes/query/conic_query.h"

/* The rows of a cone are transformed if its tail exceeds this fraction of its head. */
static const double near_boundary = 0.95;

typedef struct Boost {
	int dim;
	double w[ABUT_QUERY_ROWS];
} Boost;

/* Applies the boost to a column of a matrix whose rows are `stride` apart. */
static void apply(const Boost *boost, double *column, int stride)
{
	const double *w = boost->w, head = column[0];
	double along = 0.0;
	for (int i = 1; i < boost->dim; i++) {
		along += w[i] * column[i * stride];
	}
	column[0] = w[0] * head - along;
	for (int i = 1; i < boost->dim; i++) {
		column[i * stride] += (along / (1.0 + w[0]) - head) * w[i];
	}
}

/* Computes s at the centre, for the `dim` rows from `row` on. */
static void slack(const AbutShape *shape, int row, int dim, const double *eps, double *s)
{
	for (int i = 0; i < dim; i++) {
		const int r = row + i;
		s[i] = shape->h[r] + shape->d[r] - abut_dot3(&shape->A[3 * r], shape->centre);
		for (int e = 0; e < shape->n_eps; e++) {
			s[i] -= shape->B[r * shape->n_eps + e] * eps[e];
		}
	}
}

static void boost_cone(AbutShape *shape, int row, int dim, const double *eps)
{
	Boost boost = {.dim = dim};
	double *w = boost.w, square = 0.0;
	slack(shape, row, dim, eps, w);
	for (int i = 1; i < dim; i++) {
		square += w[i] * w[i];
	}
	const double tail = sqrt(square), size = sqrt((w[0] - tail) * (w[0] + tail));
	if (!(tail > near_boundary * w[0]) || !(size > 0.0)) {
		return;
	}
	for (int i = 1; i < dim; i++) {
		w[i] /= size;
	}
	w[0] = sqrt(1.0 + square / (size * size));
	for (int k = 0; k < 3; k++) {
		apply(&boost, &abut_shape_edit(shape->A)[3 * row + k], 3);
	}
	for (int e = 0; e < shape->n_eps; e++) {
		apply(&boost, &abut_shape_edit(shape->B)[row * shape->n_eps + e], shape->n_eps);
	}
	apply(&boost, &abut_shape_edit(shape->d)[row], 1);
	apply(&boost, &abut_shape_edit(shape->h)[row], 1);
}

void abut_shape_boost(AbutShape *shape)
{
	double eps[ABUT_QUERY_EPS] = {0.0};
	if (!abut_conic_query_fits(shape) || (shape->n_eps > 0 && !abut_conic_eps_at(shape, shape->centre, 1.0, eps))) {
		return; /* no improvement; the rows stay valid */
	}
	for (int k = 0, row = shape->n_orthant; k < shape->n_soc; row += shape->soc_dim[k++]) {
		boost_cone(shape, row, shape->soc_dim[k], eps);
	}
}
