#include "oracle_shape.h"

#include <math.h>

#include "base/vec3.h"

enum { MOST_ROWS = 256 };

static void centre_world(const AbutShape *shape, const OraclePose *pose, double out[3])
{
	abut_mat3_vec(pose->R, shape->centre, out);
	for (int i = 0; i < 3; i++) {
		out[i] += pose->x[i];
	}
}

/* h(sign n) - c . (sign n) of a bounded shape, which scales with alpha. */
static double support_about_centre(const AbutShape *shape, const OraclePose *pose, const double n[3], double sign)
{
	double u[3];
	abut_mat3_tvec(pose->R, n, u);
	for (int i = 0; i < 3; i++) {
		u[i] *= sign;
	}
	return abut_shape_support(shape, u, NULL) - abut_dot3(u, shape->centre);
}

/* Of the halfspace n.p <= offset: outward normal and offset, world. */
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

/* The auxiliary variables at a boundary point p (shape's own frame, about the scaling centre) with outward normal u. */
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

double oracle_outside(const AbutShape *shape, const OraclePose *pose, double alpha, const double p[3],
                      const double n[3], double sign)
{
	double body[3], own[3], u[3], eps[3] = {0.0, 0.0, 0.0}, s[MOST_ROWS];
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
	auxiliary(shape, alpha, own, u, eps);
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

double oracle_sphere_gap(const AbutShape *const shape[2], const OraclePose pose[2])
{
	for (int s = 0; s < 2; s++) {
		if (shape[s]->kind == ABUT_SHAPE_HALFSPACE) {
			double plane[3], c[3];
			const double offset = halfspace_world(shape[s], &pose[s], plane);
			centre_world(shape[1 - s], &pose[1 - s], c);
			return abut_dot3(plane, c) - offset - shape[1 - s]->outer_radius;
		}
	}
	double a[3], b[3], line[3];
	centre_world(shape[0], &pose[0], a);
	centre_world(shape[1], &pose[1], b);
	for (int i = 0; i < 3; i++) {
		line[i] = b[i] - a[i];
	}
	return abut_norm3(line) - shape[0]->outer_radius - shape[1]->outer_radius;
}
