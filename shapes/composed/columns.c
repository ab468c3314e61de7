/* Finds independent columns of a matrix by Gram-Schmidt orthogonalisation. The column with the largest remainder comes
 * first. Each projection is subtracted twice, so that rounding errors do not accumulate. A column whose remainder is
 * small is replaced by the remainder: both span the same space together with the columns before. Tested by
 * conic_data/columns_span_the_same. */
#include "shapes/composed/columns.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "shapes/query/conic_query.h"

/* Limits for the remainder of a column, relative to its length. Below `nothing` it counts as zero, since data may have
 * only ten digits. Below `little` the column is nearly in the span of the columns before. */
static const double nothing = 1e-10, little = 0.01;

typedef struct Columns {
	int m, n;
	double given[ABUT_QUERY_EPS][ABUT_QUERY_ROWS], rest[ABUT_QUERY_EPS][ABUT_QUERY_ROWS];
	double length[ABUT_QUERY_EPS]; /* lengths of the given columns */
	bool taken[ABUT_QUERY_EPS];
} Columns;

static double norm(int m, const double *a)
{
	double square = 0.0;
	for (int i = 0; i < m; i++) {
		square += a[i] * a[i];
	}
	return sqrt(square);
}

/* Divides the vector by its entry of largest magnitude. Returns false if all entries are zero. */
static bool bring_to_one(int m, double *a)
{
	double largest = 0.0;
	for (int i = 0; i < m; i++) {
		largest = abut_max(largest, fabs(a[i]));
	}
	for (int i = 0; i < m && largest > 0.0; i++) {
		a[i] /= largest;
	}
	return largest > 0.0;
}

static void read(Columns *c, const double *B)
{
	for (int j = 0; j < c->n; j++) {
		for (int i = 0; i < c->m; i++) {
			c->given[j][i] = B[i * c->n + j];
		}
		c->taken[j] = !bring_to_one(c->m, c->given[j]); /* zero column */
		c->length[j] = norm(c->m, c->given[j]);
		memcpy(c->rest[j], c->given[j], sizeof c->rest[j]);
	}
}

/* Returns the column with the largest remainder; -1 if all remainders count as zero. `left` receives the remainder,
 * relative to the column's length. */
static int next(const Columns *c, double *left)
{
	int best = -1;
	*left = nothing;
	for (int j = 0; j < c->n; j++) {
		const double share = c->taken[j] ? 0.0 : norm(c->m, c->rest[j]) / c->length[j];
		if (share > *left) {
			*left = share;
			best = j;
		}
	}
	return best;
}

/* Subtracts the projection on `unit` from the column, twice because of rounding. */
static void take_off(int m, const double *unit, double *column)
{
	for (int twice = 0; twice < 2; twice++) {
		double along = 0.0;
		for (int i = 0; i < m; i++) {
			along += unit[i] * column[i];
		}
		for (int i = 0; i < m; i++) {
			column[i] -= along * unit[i];
		}
	}
}

int abut_columns_reduce(int m, int n, double *B)
{
	Columns c = {.m = m, .n = n};
	bool kept[ABUT_QUERY_EPS] = {false};
	double left;
	int rank = 0, at = 0;
	read(&c, B);
	for (int j = next(&c, &left); j >= 0; j = next(&c, &left)) {
		double unit[ABUT_QUERY_ROWS];
		const double length = norm(m, c.rest[j]);
		for (int i = 0; i < m; i++) {
			unit[i] = c.rest[j][i] / length;
		}
		if (left < little) {
			memcpy(c.given[j], unit, sizeof unit);
			bring_to_one(m, c.given[j]);
		}
		c.taken[j] = kept[j] = true;
		rank++;
		for (int k = 0; k < n; k++) {
			take_off(m, unit, c.rest[k]);
		}
	}
	for (int j = 0; j < n; j++) {
		for (int i = 0; i < m && kept[j]; i++) {
			B[i * rank + at] = c.given[j][i];
		}
		at += kept[j];
	}
	return rank;
}
