/* Computes duals and auxiliary variables at the furthest point of a shape, for each kind of shape. The rows are those
 * that the kind's constructor makes in the shape's own frame. Tested in tests/shapes/contact_rows.c. */
#include "shapes/support/contact_rows.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "shapes/query/conic_query.h"
#include "shapes/query/smooth_reach.h"
#include "shapes/support/support.h"

enum { few_faces = 16, most_faces = 64 };

/* A face passes through a vertex if their distance is below this fraction of the shape's outer radius. */
static const double touching = 1e-9;

/* Rounding may make a dual of a face negative by this fraction of |g|. */
static const double slightly = 1e-9;

/* --- cones: own frame --- */

/* Fills the duals of a second-order cone with slack (a, v), where v is the position and A is minus the identity: the
 * tail is -g, the head |g|. */
static void bear_round(const double g[3], int dim, double *lambda)
{
	double square = 0.0;
	for (int i = 0; i < dim; i++) {
		lambda[1 + i] = -g[i];
		square += g[i] * g[i];
	}
	lambda[0] = sqrt(square);
}

/* Fills the duals of the rows  c - x >= 0  and  c + x >= 0  of two ends, where g is the component along x. */
static void bear_ends(double g, double *up, double *down)
{
	*up = abut_max(g, 0.0);
	*down = abut_max(-g, 0.0);
}

static void bear_ellipsoid(const AbutShape *shape, const double g[3], double *lambda)
{
	const double *r = shape->size, mean = (r[0] + r[1] + r[2]) / 3.0;
	const double stretched[3] = {r[0] / mean * g[0], r[1] / mean * g[1], r[2] / mean * g[2]};
	bear_round(stretched, 3, lambda);
}

/* Fills the duals of a cone's rows: the base alpha H/4 + z, and the second-order cone ((R/H)(3 alpha H/4 - z), x, y).
 */
static void bear_cone(const AbutShape *shape, const double g[3], double *lambda)
{
	const double slope = shape->size[0] / shape->size[1];
	bear_round(g, 2, &lambda[1]);
	if (g[2] >= slope * lambda[1]) {
		lambda[0] = 0.0;
		lambda[1] = g[2] / slope;
	} else {
		lambda[0] = slope * lambda[1] - g[2];
	}
}

/* --- faces: the frame that the shape is given in --- */

/* Solves g = sum c_i a_i for three rows a_i. Returns the smallest c_i, or -infinity if the rows are dependent. */
static double three_faces(const double *const a[3], const double g[3], double c[3])
{
	double dual[3][3], least = (double)INFINITY;
	for (int i = 0; i < 3; i++) {
		abut_cross3(a[(i + 1) % 3], a[(i + 2) % 3], dual[i]);
	}
	const double determinant = abut_dot3(a[0], dual[0]);
	if (fabs(determinant) < 1e-12) {
		return -(double)INFINITY;
	}
	for (int i = 0; i < 3; i++) {
		c[i] = abut_dot3(dual[i], g) / determinant;
		least = abut_min(least, c[i]);
	}
	return least;
}

/* How faces of a vertex are found: those within `touching` (m) of it, at most `most`. */
typedef struct Faces {
	double touching;
	int most;
} Faces;

/* Finds the faces through a vertex (in the own frame). Returns their number. */
static int faces_at(const AbutShape *shape, const double vertex[3], const Faces *which, int *faces)
{
	double v[3];
	int count = 0;
	abut_mat3_vec(shape->rotation, vertex, v);
	abut_add3(v, shape->position, v);
	for (int r = 0; r < shape->n_orthant && count < which->most; r++) {
		const double slack = shape->h[r] + shape->d[r] - abut_dot3(&shape->A[3 * r], v);
		if (slack <= which->touching) {
			faces[count++] = r;
		}
	}
	return count;
}

/* Chooses three of the faces through the furthest vertex so that g is a nonnegative combination of their normals.
 * Returns false if there are none, to rounding. */
static bool bear_faces(const AbutShape *shape, const double own_g[3], const double g[3], const Faces *which,
                       double *lambda)
{
	AbutPiece piece;
	int faces[most_faces], chosen[3] = {0, 0, 0};
	double shares[3] = {0.0, 0.0, 0.0}, best = -(double)INFINITY;
	abut_shape_piece_own(shape, own_g, &piece);
	const int n = faces_at(shape, piece.centre, which, faces);
	for (int i = 0; i < n; i++) {
		for (int j = i + 1; j < n; j++) {
			for (int k = j + 1; k < n && best < 0.0; k++) {
				const double *const a[3] = {&shape->A[3 * faces[i]], &shape->A[3 * faces[j]],
				                            &shape->A[3 * faces[k]]};
				double c[3] = {0.0, 0.0, 0.0};
				const double least = three_faces(a, g, c);
				if (least > best) {
					best = least;
					abut_copy3(c, shares);
					chosen[0] = faces[i];
					chosen[1] = faces[j];
					chosen[2] = faces[k];
				}
			}
		}
	}
	for (int i = 0; i < 3; i++) {
		lambda[chosen[i]] = abut_max(shares[i], 0.0);
	}
	return best >= -slightly * abut_norm3(g);
}

/* Fills the duals of the core's faces and of the ball (alpha R, eps). Both eps and the duals of the ball follow from
 * -B' lambda of the faces. */
static bool bear_padded(const AbutShape *shape, double alpha, const double own_g[3], const double g[3],
                        const Faces *which, double *lambda, double *eps)
{
	const bool borne = bear_faces(shape, own_g, g, which, lambda);
	double along[3] = {0.0, 0.0, 0.0};
	for (int r = 0; r < shape->n_orthant; r++) {
		abut_add_scaled3(along, -lambda[r], &shape->B[3 * r], along);
	}
	const double length = abut_norm3(along);
	for (int i = 0; i < 3; i++) {
		eps[i] = length > 0.0 ? alpha * shape->size[0] / length * along[i] : 0.0;
	}
	bear_round(along, 3, &lambda[shape->n_orthant]);
	return borne;
}

/* Uses conic programs: the duals prove that the point is furthest along g; eps may be any that belongs to p. */
static bool bear_by_program(const AbutShape *shape, const double p[3], double alpha, const double g[3], double *lambda,
                            double *eps)
{
	const double length = abut_norm3(g), along[3] = {g[0] / length, g[1] / length, g[2] / length};
	double value;
	if (!abut_conic_furthest(shape, along, &value, NULL, NULL, lambda)) {
		return false;
	}
	for (int r = 0; r < shape->n_rows; r++) {
		lambda[r] *= length;
	}
	return shape->n_eps == 0 || abut_conic_eps_at(shape, p, alpha, eps);
}

/* Takes the duals and eps from the program that finds the furthest point of the scaled shape. */
static bool bear_smooth(const AbutShape *shape, double alpha, const double own_g[3], double *lambda, double *eps)
{
	const double length = abut_norm3(own_g), u[3] = {own_g[0] / length, own_g[1] / length, own_g[2] / length};
	AbutSmoothReach reach;
	if (!abut_smooth_furthest(shape->smooth, u, alpha, &reach)) {
		return false;
	}
	for (int r = 0; r < shape->n_rows; r++) {
		lambda[r] = length * reach.lambda[r];
	}
	for (int e = 0; e < shape->n_eps; e++) {
		eps[e] = shape->smooth_unit * reach.eps[e];
	}
	return true;
}

static bool bear(const AbutShape *shape, const double p[3], double alpha, const double g[3], const Faces *which,
                 double *lambda, double *eps)
{
	double own_g[3], own_p[3];
	memset(lambda, 0, (size_t)shape->n_rows * sizeof *lambda);
	abut_mat3_tvec(shape->rotation, g, own_g);
	switch (shape->kind) {
	case ABUT_SHAPE_HALFSPACE:
		lambda[0] = abut_norm3(g);
		return true;
	case ABUT_SHAPE_BOX:
		for (int i = 0; i < 3; i++) {
			bear_ends(own_g[i], &lambda[i], &lambda[3 + i]);
		}
		return true;
	case ABUT_SHAPE_POLYTOPE:
		return bear_faces(shape, own_g, g, which, lambda);
	case ABUT_SHAPE_PADDED_POLYTOPE:
		return bear_padded(shape, alpha, own_g, g, which, lambda, eps);
	case ABUT_SHAPE_SPHERE:
		bear_round(own_g, 3, lambda);
		return true;
	case ABUT_SHAPE_ELLIPSOID:
		bear_ellipsoid(shape, own_g, lambda);
		return true;
	case ABUT_SHAPE_CAPSULE: /* eps is the position on the axis, the centre of the ball that touches */
		abut_sub3(p, shape->position, own_p);
		abut_mat3_tvec(shape->rotation, own_p, own_p);
		bear_ends(own_g[2], &lambda[0], &lambda[1]);
		bear_round(own_g, 3, &lambda[2]);
		eps[0] = own_p[2] - alpha * shape->size[0] * own_g[2] / lambda[2];
		return true;
	case ABUT_SHAPE_CYLINDER:
		bear_ends(own_g[2], &lambda[0], &lambda[1]);
		bear_round(own_g, 2, &lambda[2]);
		return true;
	case ABUT_SHAPE_CONE:
		bear_cone(shape, own_g, lambda);
		return true;
	case ABUT_SHAPE_MINKOWSKI_SUM:
	case ABUT_SHAPE_INTERSECTION:
	case ABUT_SHAPE_CONIC:
		return bear_by_program(shape, p, alpha, g, lambda, eps);
	case ABUT_SHAPE_SMOOTH:
		return bear_smooth(shape, alpha, own_g, lambda, eps);
	case ABUT_SHAPE_COUNT:
		break;
	}
	return false;
}

bool abut_shape_contact_rows(const AbutShape *shape, const double p[3], double alpha, const double g[3], double *lambda,
                             double *eps)
{
	const Faces which = {touching * shape->outer_radius, few_faces};
	return bear(shape, p, alpha, g, &which, lambda, eps);
}

bool abut_shape_contact_rows_within(const AbutShape *shape, const double p[3], double alpha, const double g[3],
                                    double within, double *lambda, double *eps)
{
	const Faces which = {within, most_faces};
	return bear(shape, p, alpha, g, &which, lambda, eps);
}
