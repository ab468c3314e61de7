/* What queries are asked to take at most, on the machine that the bounds were written for. */
#include "experiments/queries/bounds.h"

#include <math.h>

#include "experiments/queries/queries.h"

static bool is_primitive(AbutShapeKind kind)
{
	return kind != ABUT_SHAPE_POLYTOPE && kind != ABUT_SHAPE_PADDED_POLYTOPE;
}

static bool of_primitives(const AbutQueryRow *row)
{
	return is_primitive(row->a) && is_primitive(row->b);
}

static bool of_polytopes(const AbutQueryRow *row)
{
	return row->a == ABUT_SHAPE_POLYTOPE && row->b == ABUT_SHAPE_POLYTOPE;
}

static double cold(const AbutQueryRow *row)
{
	return of_primitives(row) ? row->cold : (double)NAN;
}

static double cold_of_polytopes(const AbutQueryRow *row)
{
	return of_polytopes(row) ? row->cold : (double)NAN;
}

static double warm_of_boxes(const AbutQueryRow *row)
{
	return row->a == ABUT_SHAPE_BOX && row->b == ABUT_SHAPE_BOX ? row->warm : (double)NAN;
}

static double gradient(const AbutQueryRow *row)
{
	return of_primitives(row) ? row->gradient : (double)NAN;
}

static double gradient_of_polytopes(const AbutQueryRow *row)
{
	return of_polytopes(row) ? row->gradient : (double)NAN;
}

/* Derivatives may take as much again as a query from cold. */
static const AbutQueryBound bounds[] = {
    {"us cold, pairs of primitives", 1.5, cold},
    {"us cold, polytopes of 50 faces", 6.0, cold_of_polytopes},
    {"us warm, boxes", 0.5, warm_of_boxes},
    {"us gradient, pairs of primitives", 1.5, gradient},
    {"us gradient, polytopes of 50 faces", 6.0, gradient_of_polytopes},
};

int abut_query_bound_count(void)
{
	return sizeof bounds / sizeof *bounds;
}

const AbutQueryBound *abut_query_bound(int index)
{
	return &bounds[index];
}

double abut_query_bound_value(const AbutQueryBound *bound, const AbutQueryRow *rows, int n)
{
	double most = (double)NAN;
	for (int i = 0; i < n; i++) {
		most = fmax(most, bound->of(&rows[i])); /* which passes over NaN */
	}
	return most;
}
