/* How deep a part lies in a halfspace, by its support function: the true distance, whatever the solver thinks. */
#include "base/vec3.h"
#include "dynamics/step_parts.h"

double abut_deepest_point(const AbutModel *model, const AbutContactWork *contact, double elapsed, double own[3])
{
	const AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	const AbutBody *body = &model->bodies[contact->pair->body[0]];
	const double *R = elapsed == 0.0 ? a->body->R0 : a->body->R;
	double inward[3], direction[3], point[3];
	abut_mat3_vec(b->body->R, b->rows->W, inward); /* W = -normal */
	abut_mat3_tvec(R, inward, direction);
	abut_shape_support(model->parts[contact->pair->part[0]].shape, direction, own);
	const double per_length = 1.0 / model->units.length;
	for (int i = 0; i < 3; i++) {
		own[i] = (own[i] - body->centre_of_mass[i]) * per_length;
	}
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
