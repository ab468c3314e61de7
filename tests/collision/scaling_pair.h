/* Makes two shapes in the world, and solves for their scaling. */
#pragma once

#include <string.h>

#include "collision/rows/conic_rows.h"
#include "collision/rows/shape_kernel.h"
#include "collision/scaling/scaling.h"
#include "sample_shapes.h"

/* A body with one shape at a pose. */
typedef struct Placed {
	AbutShape *shape; /* body frame */
	double x[3], R[9];
} Placed;

typedef struct ScalingResult {
	bool solved;
	double alpha, p[3], n[3]; /* n: R_0 A_0' lambda_0, from a to b */
	double excess;            /* how far the point is outside of either shape scaled by alpha, metres */
	int degree;
} ScalingResult;

static inline void placed_centre(const Placed *body, double out[3])
{
	abut_mat3_vec(body->R, body->shape->centre, out);
	for (int i = 0; i < 3; i++) {
		out[i] += body->x[i];
	}
}

/* Returns max n . (point - centre) over the shape at alpha = 1. */
static inline double placed_support(const Placed *body, const double n[3])
{
	double local[3];
	abut_mat3_tvec(body->R, n, local);
	return abut_shape_support(body->shape, local, NULL) - abut_dot3(local, body->shape->centre);
}

/* Returns the smallest margin of the shape's own rows at a world point, scaling and eps. */
static inline double placed_margin(const Placed *body, const double p_world[3], double alpha, const double *eps)
{
	const AbutShape *shape = body->shape;
	double p[3], s[64], margin = INFINITY;
	for (int i = 0; i < 3; i++) {
		p[i] = p_world[i] - body->x[i];
	}
	abut_mat3_tvec(body->R, p, p);
	cr_assert_leq(shape->n_rows, 64);
	for (int i = 0; i < shape->n_rows; i++) {
		s[i] = shape->h[i] + alpha * shape->d[i] - abut_dot3(&shape->A[3 * i], p);
		for (int j = 0; j < shape->n_eps; j++) {
			s[i] -= shape->B[i * shape->n_eps + j] * eps[j];
		}
		margin = i < shape->n_orthant ? fmin(margin, s[i]) : margin;
	}
	const double *cone = &s[shape->n_orthant];
	for (int i = 0; i < shape->n_soc; cone += shape->soc_dim[i++]) {
		double norm = 0.0;
		for (int j = 1; j < shape->soc_dim[i]; j++) {
			norm = hypot(norm, cone[j]);
		}
		margin = fmin(margin, cone[0] - norm);
	}
	return margin;
}

static inline ScalingResult solve_scaling(const Placed *a, const Placed *b, double kappa)
{
	static AbutScalingProblem problem;
	const Placed *const bodies[2] = {a, b};
	const double origin[3] = {0.0};
	AbutConicRows rows[2];
	AbutCone cones[16];
	double B_lambda[2][8], eps_map[2][48];
	AbutIterate iterate;
	ScalingResult out = {.solved = false};
	int n_y = 4, n_z = 1, law = 1, scratch = 1;
	memset(&problem, 0, sizeof problem);
	problem.cones = cones;
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(abut_conic_rows_create(bodies[i]->shape, origin, 1.0, &rows[i]), ABUT_OK);
		abut_conic_rows_cones(&rows[i], 0, 1.0, &law, NULL);
		n_y += rows[i].n_eps;
		n_z += rows[i].n_rows;
		const int own = abut_conic_rows_scratch(&rows[i]);
		scratch = own > scratch ? own : scratch;
		problem.side[i].rows = &rows[i];
		problem.side[i].B_lambda = B_lambda[i];
		problem.side[i].eps_map = eps_map[i];
		memcpy(problem.side[i].x, bodies[i]->x, sizeof problem.side[i].x);
		memcpy(problem.side[i].R, bodies[i]->R, sizeof problem.side[i].R);
	}
	problem.scratch = calloc((size_t)scratch, sizeof(double));
	cr_assert_eq(abut_iterate_create(n_y, n_z, law, false, &iterate), ABUT_OK);
	out.solved = abut_scaling_solve(&problem, kappa, &iterate, &out.alpha, out.p);
	abut_mat3_vec(a->R, problem.side[0].g, out.n);
	out.degree = 1 + rows[0].n_orthant + rows[0].n_soc + rows[1].n_orthant + rows[1].n_soc;
	out.excess = fmax(-placed_margin(a, out.p, out.alpha, &iterate.y[4]),
	                  -placed_margin(b, out.p, out.alpha, &iterate.y[4 + rows[0].n_eps]));
	for (int i = 0; i < 2; i++) {
		abut_conic_rows_destroy(&rows[i]);
	}
	abut_iterate_destroy(&iterate);
	free(problem.scratch);
	return out;
}

/* Returns how far alpha may exceed the smallest one. The gap of the path is kappa per pair of degree, and
 * complementarity adds a tenth of kappa per pair. (Entries are not bounded from below: a pair may also have less than
 * kappa.) Residuals of 1e-10 (or kappa / 10) count times duals and scaling. */
static inline double scaling_tolerance(const ScalingResult *result, double kappa)
{
	return 2.0 * result->degree * kappa + 2e-9 * (1.0 + result->alpha);
}

/* Draws a random body of the kind at x. */
static inline void sample_placed(AbutShapeKind kind, double size, const double x[3], AbutRng *rng, Placed *out)
{
	double q[4];
	out->shape = sample_shape(kind, size, rng);
	sample_move(out->shape, 0.3, rng);
	abut_rng_rotation(rng, q);
	abut_quat_to_mat3(q, out->R);
	abut_copy3(x, out->x);
}
