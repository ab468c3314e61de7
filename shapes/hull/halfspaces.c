/* Computes the vertices of an intersection of halfspaces by duality.
 *
 * With a point c inside, the rows a_i . (p - c) <= b_i - a_i . c = g_i become points y_i = r a_i / g_i, where r is any
 * length. A face n . y <= o of their hull corresponds to the vertex p = c + r n / o. The set is bounded if the origin
 * lies inside the hull, that is, if every o > 0. */
#include "shapes/hull/halfspaces.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/hull/hull.h"
#include "shapes/hull/inner_ball.h"

/* A set counts as unbounded if a vertex is further from c than r / LONGEST, with r the radius of a ball inside. */
#define LONGEST 1e-12

/* Finds the centre c and radius r of a ball inside. Refuses a set that contains none. */
static AbutStatus find_inside(int m, const double *A, const double *b, double c[3], double *r, AbutError *error)
{
	const AbutInnerBall outcome = abut_inner_ball(m, A, b, c, r);
	if (outcome == ABUT_INNER_BALL_UNBOUNDED) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "A",
		                      "A, b: the %d halfspaces enclose an unbounded set; they must enclose a solid", m);
	}
	if (outcome == ABUT_INNER_BALL_FAILED) {
		return abut_error_set(error, ABUT_ERROR_NUMERICAL, "A", "A, b: found no point inside the %d halfspaces",
		                      m);
	}
	/* Largest rounding error of the rows near the ball, which depends on the size of the input. */
	double noise = 0.0;
	for (int i = 0; i < m; i++) {
		const double *a = &A[3 * i];
		if (b[i] - abut_dot3(a, c) <= *r + fabs(*r)) {
			noise = fmax(noise,
			             1e-14 * (fabs(b[i]) + fabs(a[0] * c[0]) + fabs(a[1] * c[1]) + fabs(a[2] * c[2])));
		}
	}
	if (*r < -noise) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "b",
		                      "A, b: the set is empty: every point violates a row by %g m or more", -*r);
	}
	if (*r <= noise) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, "b",
		    "A, b: the set is flat: the largest ball inside has radius %g; the set must have an interior", *r);
	}
	return ABUT_OK;
}

/* Computes the vertices of the polytope from the faces of its dual. */
static AbutStatus collect_vertices(const AbutHull *dual, const double c[3], double r, double *vertices,
                                   AbutError *error)
{
	for (int f = 0; f < dual->n_faces; f++) {
		const double *n = &dual->normals[3 * f];
		const double offset = dual->offsets[f] + abut_dot3(n, dual->origin);
		/* This face is the dual of a vertex at distance r / offset. */
		if (!(offset > LONGEST)) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, "A",
			                      "A, b: the halfspaces enclose a set that is unbounded, or 1e12 times as "
			                      "long as thick, along (%g, %g, %g); they must enclose a solid",
			                      n[0], n[1], n[2]);
		}
		for (int i = 0; i < 3; i++) {
			vertices[3 * f + i] = c[i] + r * n[i] / offset;
		}
	}
	return ABUT_OK;
}

/* Computes the hull of the points y_i. */
static AbutStatus hull_of_dual(int m, const double *A, const double *b, const double c[3], double r, AbutHull **dual,
                               AbutError *error)
{
	AbutError refusal;
	double *points = malloc((size_t)m * 3 * sizeof *points);
	if (!points) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for %d halfspaces", m);
	}
	for (int i = 0; i < m; i++) {
		abut_scale3(r / (b[i] - abut_dot3(&A[3 * i], c)), &A[3 * i], &points[3 * i]);
	}
	const AbutStatus status = abut_hull_create(m, points, 0.0, LONGEST, "A", dual, &refusal);
	free(points);
	if (status == ABUT_ERROR_ARGUMENT) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "A",
		                      "A, b: the %d halfspaces enclose an unbounded set; they must enclose a solid", m);
	}
	return status == ABUT_OK ? status : abut_error_set(error, status, refusal.where, "%s", refusal.message);
}

AbutStatus abut_halfspaces_vertices(int m, const double *A, const double *b, int *n, double **vertices,
                                    AbutError *error)
{
	double c[3], r = 0.0;
	AbutHull *dual = NULL;
	AbutStatus status = find_inside(m, A, b, c, &r, error);
	ABUT_THEN(status, hull_of_dual(m, A, b, c, r, &dual, error));
	if (status != ABUT_OK) {
		return status;
	}
	double *found = malloc((size_t)dual->n_faces * 3 * sizeof *found);
	status = found ? collect_vertices(dual, c, r, found, error)
	               : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for %d vertices", dual->n_faces);
	if (status == ABUT_OK) {
		*n = dual->n_faces;
		*vertices = found;
	} else {
		free(found);
	}
	abut_hull_destroy(dual);
	return status;
}
