/* Computes the true depth of a part in a halfspace from the part's support function, independently of the solver. */
#include "dynamics/contact/plane_depth.h"

#include "base/vec3.h"

double abut_deepest_point(const AbutModel *model, const AbutContactWork *contact, double elapsed, double own[3])
{
	const AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	const AbutBody *body = &model->bodies[contact->pair->body[0]];
	const double *R = elapsed == 0.0 ? a->body->R0 : a->body->R;
	double inward[3], direction[3], point[3];
	abut_mat3_vec(b->body->R, b->rows->W, inward); /* W of a halfspace is its inward normal */
	abut_mat3_tvec(R, inward, direction);
	abut_shape_support(model->parts[contact->pair->part[0]].shape, direction, own);
	const double per_length = 1.0 / model->units.length;
	abut_sub3(own, body->centre_of_mass, own);
	abut_scale3(per_length, own, own);
	abut_mat3_vec(R, own, point);
	for (int i = 0; i < 3; i++) {
		point[i] += elapsed * a->body->v[i] - b->from_side_0[i];
	}
	return b->rows->h[0] + abut_dot3(inward, point);
}

double abut_plane_depth(const AbutModel *model, const AbutContactWork *contact, double elapsed)
{
	double own[3];
	return abut_deepest_point(model, contact, elapsed, own);
}

/* Computes an upper bound of the depth from the duals z >= 0 of the part's rows H(p, alpha). Let u be the direction
 * into the halfspace and c the scaling centre, both in the body's frame. The depth of the part is that of c plus the
 * support of the part along u from c. Let g = A'z and d_z = d'z. The rows are concave, and not negative in the part, so
 * every point q of the part has
 *
 *     0 <= z . H(q, 1) <= z . H(p, alpha) - g . (q - p) + d_z (1 - alpha).
 *
 * With g = k u + e and |q - c| <= R, this bounds the support:
 *
 *     k u . (q - c) <= z . H(p, alpha) + g . (p - c) + d_z (1 - alpha) + |e| R.
 *
 * The point c + (p - c) / alpha lies in the part and bounds the support from below, so it shows how loose the upper
 * bound is. Tested by compositions/depth_is_that_of_the_support_function. */
bool abut_plane_depth_proof(const AbutContactWork *contact, double timestep, const double *y, const double *z,
                            const double *H, double *depth)
{
	static const double close = 1e-10;
	const AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	const AbutConicRows *rows = a->rows;
	const double alpha = y[3], *lambda = &z[a->z], *s = &H[a->z];
	double inward[3], u[3], p[3], centre[3], from_plane[3], rest[3];
	abut_mat3_vec(b->body->R, b->rows->W, inward);
	abut_mat3_tvec(a->body->R, inward, u);
	abut_mat3_tvec(a->body->R, a->arm, p);
	const double k = abut_dot3(a->g, u);
	abut_sub3(p, rows->centre, p);
	abut_add_scaled3(a->g, -k, u, rest);
	double reach = abut_dot3(a->g, p) + a->d_lambda * (1.0 - alpha) + abut_norm3(rest) * rows->outer_radius;
	for (int i = 0; i < rows->n_rows; i++) {
		reach += lambda[i] * s[i];
	}
	const double known = abut_dot3(u, p) / alpha;
	if (!(k > 0.0 && alpha > 0.0 && fabs(reach - k * known) <= k * close * rows->outer_radius)) {
		return false;
	}
	abut_mat3_vec(a->body->R, rows->centre, centre);
	abut_add_scaled3(centre, timestep, a->body->v, from_plane);
	abut_sub3(from_plane, b->from_side_0, from_plane);
	*depth = b->rows->h[0] + abut_dot3(inward, from_plane) + reach / k;
	return true;
}
