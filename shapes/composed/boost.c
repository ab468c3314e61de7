/* Improves the conditioning of the rows of second-order cones by Lorentz boosts. A boost L maps a second-order cone
 * onto itself: with w0^2 - |w1|^2 = 1,
 *
 *      L (s0, s1)  =  (w0 s0 - w1's1,  s1 + (w1's1 / (1 + w0) - s0) w1).
 *
 * L s lies in the cone K if and only if s does. So the rows L A, L B, L d and L h describe the same set as A, B, d and
 * h. Let s be the slack at the centre and m = sqrt(s0^2 - |s1|^2). With w = s / m, L s is (m, 0).
 *
 * An example is a thin lens, the intersection of two balls a thousand times larger. Without the boost, its slacks are
 * differences of large numbers. With it, the rows have the size of the lens and are much steeper across it than along
 * it, as for an ellipsoid. Tested by conic_data/boosts_keep_the_set and conic_data/thin_lenses. */
#include "shapes/composed/boost.h"

#include <math.h>

#include "base/vec3.h"
#include "shapes/core/conic.h"
#include "shapes/query/conic_query.h"

/* The rows of a cone are transformed if |s1| exceeds this fraction of s0 at the centre. */
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

/* Computes the slack s at the centre, for the `dim` rows that start at `row`. */
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
		return; /* no eps was found: leave the rows as they are, which is valid */
	}
	for (int k = 0, row = shape->n_orthant; k < shape->n_soc; row += shape->soc_dim[k++]) {
		boost_cone(shape, row, shape->soc_dim[k], eps);
	}
}
