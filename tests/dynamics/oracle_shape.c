#include "oracle_shape.h"

#include <math.h>

#include "base/vec3.h"
#include "shapes/query/conic_query.h"

enum { MOST_ROWS = 256 };

static void centre_world(const AbutShape *shape, const OraclePose *pose, double out[3])
{
	abut_mat3_vec(pose->R, shape->centre, out);
	for (int i = 0; i < 3; i++) {
		out[i] += pose->x[i];
	}
}

/* Returns h(sign n) - c . (sign n) of a bounded shape, which scales with alpha. */
static double support_about_centre(const AbutShape *shape, const OraclePose *pose, const double n[3], double sign)
{
	double u[3];
	abut_mat3_tvec(pose->R, n, u);
	for (int i = 0; i < 3; i++) {
		u[i] *= sign;
	}
	return abut_shape_support(shape, u, NULL) - abut_dot3(u, shape->centre);
}

/* Computes outward normal and offset of the halfspace n.p <= offset, world. */
static double halfspace_world(const AbutShape *shape, const OraclePose *pose, double normal[3])
{
	abut_mat3_vec(pose->R, shape->A, normal); /* s = h - A p: its one row is the normal */
	return shape->h[0] + abut_dot3(normal, pose->x);
}

OracleCertificate oracle_certificate(const AbutShape *const shape[2], const OraclePose pose[2], const double n[3])
{
	for (int s = 0; s < 2; s++) {
		if (shape[s]->kind == ABUT_SHAPE_HALFSPACE) { /* which does not scale */
			const int other = 1 - s;
			double plane[3], c[3];
			const double offset = halfspace_world(shape[s], &pose[s], plane);
			centre_world(shape[other], &pose[other], c);
			const double reach = support_about_centre(shape[other], &pose[other], n, s == 0 ? -1.0 : 1.0);
			const double height = abut_dot3(plane, c) - offset;
			return (OracleCertificate){.alpha = height / reach, .gap = height - reach};
		}
	}
	double ca[3], cb[3], along = 0.0;
	centre_world(shape[0], &pose[0], ca);
	centre_world(shape[1], &pose[1], cb);
	for (int i = 0; i < 3; i++) {
		along += n[i] * (cb[i] - ca[i]);
	}
	const double reach =
	    support_about_centre(shape[0], &pose[0], n, 1.0) + support_about_centre(shape[1], &pose[1], n, -1.0);
	return (OracleCertificate){.alpha = along / reach, .gap = along - reach};
}

/* Computes the auxiliary variables at a boundary point p (shape's own frame, about the scaling centre) with outward
 * normal u. */
static void auxiliary(const AbutShape *shape, double alpha, const double p[3], const double u[3], double *eps)
{
	if (shape->kind == ABUT_SHAPE_CAPSULE) { /* the nearest point of the core segment */
		const double half = 0.5 * alpha * shape->size[1];
		eps[0] = fmax(-half, fmin(half, p[2]));
	} else if (shape->kind == ABUT_SHAPE_PADDED_POLYTOPE) { /* the ball's point that supports u */
		for (int i = 0; i < 3; i++) {
			eps[i] = alpha * shape->size[0] * u[i];
		}
	}
}

/* Computes auxiliary variables of composed shapes: those with the largest margin. */
static bool auxiliary_by_program(const AbutShape *shape, double alpha, const double body[3], double *eps)
{
	return shape->kind >= ABUT_SHAPE_MINKOWSKI_SUM && shape->n_eps > 0 &&
	       abut_conic_eps_at(shape, body, alpha, eps);
}

double oracle_outside(const AbutShape *shape, const OraclePose *pose, double alpha, const double p[3],
                      const double n[3], double sign)
{
	double body[3], own[3], u[3], eps[ABUT_QUERY_EPS] = {0.0}, s[MOST_ROWS];
	for (int i = 0; i < 3; i++) {
		body[i] = p[i] - pose->x[i];
	}
	abut_mat3_tvec(pose->R, body, body);
	for (int i = 0; i < 3; i++) {
		own[i] = body[i] - shape->position[i];
	}
	abut_mat3_tvec(shape->rotation, own, own);
	abut_mat3_tvec(pose->R, n, u);
	abut_mat3_tvec(shape->rotation, u, u);
	for (int i = 0; i < 3; i++) {
		u[i] *= sign;
	}
	if (!auxiliary_by_program(shape, alpha, body, eps)) {
		auxiliary(shape, alpha, own, u, eps);
	}
	for (int row = 0; row < shape->n_rows && row < MOST_ROWS; row++) {
		s[row] = shape->h[row] + alpha * shape->d[row] - abut_dot3(&shape->A[3 * row], body);
		for (int j = 0; j < shape->n_eps; j++) {
			s[row] -= shape->B[row * shape->n_eps + j] * eps[j];
		}
	}
	double outside = -INFINITY;
	for (int row = 0; row < shape->n_orthant; row++) {
		outside = fmax(outside, -s[row]);
	}
	int row = shape->n_orthant;
	for (int c = 0; c < shape->n_soc; c++) {
		double square = 0.0;
		for (int i = 1; i < shape->soc_dim[c]; i++) {
			square += s[row + i] * s[row + i];
		}
		outside = fmax(outside, sqrt(square) - s[row]);
		row += shape->soc_dim[c];
	}
	return outside;
}

/* --- nearest point of the shapes' difference B - A to the origin, by Wolfe's algorithm on its support points --- */

enum { MOST_POINTS = 4, MOST_ROUNDS = 200 };

typedef struct Corral {
	int n;
	double points[MOST_POINTS + 1][3], weights[MOST_POINTS + 1];
} Corral;

/* Computes the point of B - A furthest along -v. */
static void difference_support(const AbutShape *const shape[2], const OraclePose pose[2], const double v[3],
                               double out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = 0.0;
	}
	for (int s = 0; s < 2; s++) {
		double u[3], own[3], p[3];
		abut_mat3_tvec(pose[s].R, v, u);
		for (int i = 0; i < 3; i++) {
			u[i] *= s == 0 ? 1.0 : -1.0;
		}
		abut_shape_support(shape[s], u, own);
		abut_mat3_vec(pose[s].R, own, p);
		for (int i = 0; i < 3; i++) {
			out[i] += (s == 0 ? -1.0 : 1.0) * (p[i] + pose[s].x[i]);
		}
	}
}

/* Computes the weights, of sum 1, of the point nearest to the origin in the points' affine hull. Solves Q'Q x = 1, with
 * the points lifted to (1, q), by Gauss with pivots, and normalises. Returns false if the points are not affinely
 * independent. */
static bool affine_minimiser(const Corral *corral, double *weights)
{
	const int n = corral->n;
	double M[MOST_POINTS + 1][MOST_POINTS + 2], sum = 0.0;
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < n; j++) {
			M[i][j] = 1.0 + abut_dot3(corral->points[i], corral->points[j]);
		}
		M[i][n] = 1.0;
	}
	for (int k = 0; k < n; k++) {
		int best = k;
		for (int i = k + 1; i < n; i++) {
			best = fabs(M[i][k]) > fabs(M[best][k]) ? i : best;
		}
		if (!(fabs(M[best][k]) > 1e-14)) {
			return false;
		}
		for (int j = 0; j <= n; j++) {
			const double kept = M[k][j];
			M[k][j] = M[best][j];
			M[best][j] = kept;
		}
		for (int i = 0; i < n; i++) {
			const double factor = i == k ? 0.0 : M[i][k] / M[k][k];
			for (int j = k; j <= n; j++) {
				M[i][j] -= factor * M[k][j];
			}
		}
	}
	for (int i = 0; i < n; i++) {
		weights[i] = M[i][n] / M[i][i];
		sum += weights[i];
	}
	for (int i = 0; i < n; i++) {
		weights[i] /= sum;
	}
	return true;
}

static void remove_point(Corral *corral, int i)
{
	corral->n--;
	for (int j = 0; j < 3; j++) {
		corral->points[i][j] = corral->points[corral->n][j];
	}
	corral->weights[i] = corral->weights[corral->n];
}

/* Moves the present weights towards the affine minimiser as far as they stay positive, and drops points whose weight
 * becomes zero, until the minimiser is in the hull. */
static bool settle(Corral *corral)
{
	for (;;) {
		double wanted[MOST_POINTS + 1], step = 1.0;
		int blocking = -1;
		if (!affine_minimiser(corral, wanted)) {
			return false;
		}
		for (int i = 0; i < corral->n; i++) {
			const double limit = corral->weights[i] / (corral->weights[i] - wanted[i]);
			if (wanted[i] <= 0.0 && limit <= step) {
				step = limit;
				blocking = i;
			}
		}
		for (int i = 0; i < corral->n; i++) {
			corral->weights[i] += step * (wanted[i] - corral->weights[i]);
		}
		if (blocking < 0) {
			return true;
		}
		remove_point(corral, blocking);
	}
}

double oracle_separation(const AbutShape *const shape[2], const OraclePose pose[2])
{
	for (int s = 0; s < 2; s++) {
		if (shape[s]->kind == ABUT_SHAPE_HALFSPACE) {
			double plane[3];
			halfspace_world(shape[s], &pose[s], plane);
			for (int i = 0; i < 3; i++) { /* the certificate's normal points from side 0 to side 1 */
				plane[i] = s == 0 ? plane[i] : -plane[i];
			}
			return oracle_certificate(shape, pose, plane).gap;
		}
	}
	double ca[3], cb[3], v[3], best = -(double)INFINITY;
	Corral corral = {.n = 0};
	centre_world(shape[0], &pose[0], ca);
	centre_world(shape[1], &pose[1], cb);
	for (int i = 0; i < 3; i++) {
		v[i] = cb[i] - ca[i];
	}
	for (int round = 0; round < MOST_ROUNDS; round++) {
		const double length = abut_norm3(v);
		double *q = corral.points[corral.n];
		if (!(length > 1e-14)) {
			break; /* the origin is in the hull */
		}
		difference_support(shape, pose, v, q);
		best = fmax(best, abut_dot3(q, v) / length);
		if (best > 0.0 || corral.n == MOST_POINTS) {
			break;
		}
		corral.weights[corral.n] = corral.n == 0 ? 1.0 : 0.0;
		corral.n++;
		if (!settle(&corral)) {
			break;
		}
		for (int i = 0; i < 3; i++) {
			v[i] = 0.0;
			for (int j = 0; j < corral.n; j++) {
				v[i] += corral.weights[j] * corral.points[j][i];
			}
		}
	}
	return best;
}
