/* Answers queries of a shape by conic programs. With unknowns x and y such that p = centre + size x and eps = size y,
 * and rows divided by the size, the slacks s = h + d - A p - B eps become
 *
 *      (h + d - A centre) / size - A x - B y.
 *
 * Tested in tests/shapes/reach.c and tests/shapes/composition.c. */
#include "shapes/query/conic_query.h"

#include <string.h>

#include "base/vec3.h"
#include "shapes/query/conic_program.h"

/* Returns the tolerance of values, relative to the size. Rows much longer than the size, such as those of a thin lens
 * between two large balls, have proportionally larger rounding errors. The first `extra` rows do not belong to the
 * shape. */
static double tolerance(const AbutConicProgram *p, int extra)
{
	double longest = 1.0;
	for (int i = extra; i < p->m; i++) {
		longest = abut_max(longest, fabs(p->h[i]));
	}
	return 1e-10 * longest;
}

bool abut_conic_query_fits(const AbutShape *shape)
{
	return shape->n_rows <= ABUT_QUERY_ROWS && shape->n_eps <= ABUT_QUERY_EPS;
}

/* Origin and unit of the unknowns. */
typedef struct Frame {
	double origin[3], alpha, size;
} Frame;

static Frame usual_frame(const AbutShape *shape)
{
	Frame frame = {.alpha = 1.0, .size = shape->outer_radius};
	abut_copy3(shape->centre, frame.origin);
	return frame;
}

/* Writes row i of the shape to row `row` of the program. Its unknowns start at column `first`: the three of p (unless
 * `fixed`), then those of eps. */
static void take_row(const AbutShape *shape, const Frame *frame, int i, bool fixed, AbutConicProgram *p, int row,
                     int first)
{
	const double *A = &shape->A[3 * i], *B = &shape->B[i * shape->n_eps];
	double *G = &p->G[row * p->n];
	memset(G, 0, (size_t)p->n * sizeof *G);
	p->h[row] = (shape->h[i] + frame->alpha * shape->d[i] - abut_dot3(A, frame->origin)) / frame->size;
	for (int k = 0; k < 3 && !fixed; k++) {
		G[first + k] = A[k];
	}
	for (int k = 0; k < shape->n_eps; k++) {
		G[first + (fixed ? 0 : 3) + k] = B[k];
	}
}

/* Starts a program of n unknowns. Its rows are `extra` zero rows of the orthant, followed by the shape's rows. */
static void take_rows(const AbutShape *shape, const Frame *frame, int n, int extra, bool fixed, int first,
                      AbutConicProgram *p)
{
	p->n = n;
	p->m = extra + shape->n_rows;
	p->n_orthant = extra + shape->n_orthant;
	p->n_soc = shape->n_soc;
	p->soc_dim = shape->soc_dim;
	memset(p->G, 0, (size_t)extra * (size_t)n * sizeof *p->G);
	memset(p->h, 0, (size_t)extra * sizeof *p->h);
	memset(p->c, 0, (size_t)n * sizeof *p->c);
	memset(p->x, 0, (size_t)n * sizeof *p->x);
	for (int i = 0; i < shape->n_rows; i++) {
		take_row(shape, frame, i, fixed, p, extra + i, first);
	}
}

/* Fills two extra rows for each coordinate: bound - x_i >= 0 and bound + x_i >= 0. */
static void bound_rows(AbutConicProgram *p, int row, int first, double bound)
{
	for (int i = 0; i < 6; i++) {
		p->h[row + i] = bound;
		p->G[(row + i) * p->n + first + i / 2] = i % 2 ? -1.0 : 1.0;
	}
}

bool abut_conic_furthest(const AbutShape *shape, const double g[3], double *value, double point[3], double *eps,
                         double *lambda)
{
	if (!abut_conic_query_fits(shape)) {
		return false;
	}
	AbutConicProgram p;
	const Frame frame = usual_frame(shape);
	take_rows(shape, &frame, 3 + shape->n_eps, 0, false, 0, &p);
	abut_scale3(-1.0, g, p.c);
	const bool solved = abut_conic_program_solve(&p, tolerance(&p, 0));
	*value = abut_dot3(g, frame.origin) - frame.size * p.value;
	for (int i = 0; i < 3 && point; i++) {
		point[i] = frame.origin[i] + frame.size * p.x[i];
	}
	for (int i = 0; i < shape->n_eps && eps; i++) {
		eps[i] = frame.size * p.x[3 + i];
	}
	if (lambda) {
		memcpy(lambda, p.z, (size_t)shape->n_rows * sizeof *lambda);
	}
	return solved;
}

/* Returns the reach of a ray in closed form, for a shape without eps: the ray leaves through one of the cones. */
static double ray_in_closed_form(const AbutShape *shape, const double from[3], const double direction[3])
{
	double a[ABUT_QUERY_ROWS], d[ABUT_QUERY_ROWS];
	for (int i = 0; i < shape->n_rows; i++) {
		const double *A = &shape->A[3 * i];
		a[i] = shape->h[i] + shape->d[i] - abut_dot3(A, from);
		d[i] = -abut_dot3(A, direction);
	}
	return abut_cones_reach(shape->n_orthant, shape->n_soc, shape->soc_dim, a, d);
}

/* Maximises t such that the slacks s at from + t direction lie in K. The unknowns are (t, eps). */
bool abut_conic_ray(const AbutShape *shape, const double from[3], const double direction[3], double *reach)
{
	if (!abut_conic_query_fits(shape)) {
		return false;
	}
	if (shape->n_eps == 0) {
		*reach = ray_in_closed_form(shape, from, direction);
		return *reach < ABUT_CONES_REACH_MAX;
	}
	AbutConicProgram p;
	Frame frame = {.alpha = 1.0, .size = shape->outer_radius};
	abut_copy3(from, frame.origin);
	take_rows(shape, &frame, 1 + shape->n_eps, 0, true, 1, &p);
	for (int i = 0; i < shape->n_rows; i++) {
		p.G[i * p.n] = abut_dot3(&shape->A[3 * i], direction);
	}
	p.c[0] = -1.0;
	const bool solved = abut_conic_program_solve(&p, tolerance(&p, 0));
	*reach = frame.size * p.x[0];
	return solved;
}

/* Adds the unknown depth t with the identity e of the cones, so that s - t e must lie in K. Maximises t. */
static void depth_column(const AbutShape *shape, AbutConicProgram *p, int first_row, int column)
{
	for (int i = 0; i < shape->n_orthant; i++) {
		p->G[(first_row + i) * p->n + column] = 1.0;
	}
	for (int k = 0, row = first_row + shape->n_orthant; k < shape->n_soc; row += shape->soc_dim[k++]) {
		p->G[row * p->n + column] = 1.0;
	}
	p->c[column] = -1.0;
}

bool abut_conic_eps_at(const AbutShape *shape, const double at[3], double alpha, double *eps)
{
	if (!abut_conic_query_fits(shape)) {
		return false;
	}
	AbutConicProgram p;
	Frame frame = {.alpha = alpha, .size = shape->outer_radius};
	abut_copy3(at, frame.origin);
	take_rows(shape, &frame, 1 + shape->n_eps, 0, true, 1, &p);
	depth_column(shape, &p, 0, 0);
	const bool solved = abut_conic_program_solve(&p, tolerance(&p, 0));
	for (int i = 0; i < shape->n_eps; i++) {
		eps[i] = frame.size * p.x[1 + i];
	}
	return solved;
}

bool abut_conic_deepest(const AbutShape *shape, double bound, double point[3], double *depth)
{
	if (!abut_conic_query_fits(shape)) {
		return false;
	}
	AbutConicProgram p;
	const Frame frame = usual_frame(shape);
	const int column = 3 + shape->n_eps;
	take_rows(shape, &frame, column + 1, 7, false, 0, &p);
	bound_rows(&p, 0, 0, bound / frame.size);
	p.h[6] = bound / frame.size; /* bound on the depth */
	p.G[6 * p.n + column] = 1.0;
	depth_column(shape, &p, 7, column);
	const bool solved = abut_conic_program_solve(&p, tolerance(&p, 7));
	*depth = frame.size * p.x[column];
	abut_add_scaled3(frame.origin, frame.size, p.x, point);
	return solved;
}

bool abut_conic_bounded_reach(const AbutShape *shape, double bound, const double g[3], double *reach)
{
	if (!abut_conic_query_fits(shape)) {
		return false;
	}
	AbutConicProgram p;
	const Frame frame = usual_frame(shape);
	take_rows(shape, &frame, 3 + shape->n_eps, 6, false, 0, &p);
	bound_rows(&p, 0, 0, bound / frame.size);
	abut_scale3(-1.0, g, p.c);
	const bool solved = abut_conic_program_solve(&p, tolerance(&p, 0));
	*reach = -frame.size * p.value;
	return solved;
}
