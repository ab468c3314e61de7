/* Computes boxes around parts, and bounds of the motion of bodies in a step. */
#include "dynamics/body/bounds.h"

#include "base/vec3.h"

/* Share of a part's outer radius by which its box is enlarged, in case a slow body is pushed unexpectedly. */
static const double margin = 0.05;

double abut_body_way(const AbutBodyWork *body, double timestep, double reach)
{
	if (body->moving < 0) {
		return 0.0;
	}
	const double free_flight = abut_norm3(body->momentum) / body->mass;
	return ABUT_GENEROUS * timestep * (abut_max(abut_norm3(body->v0), free_flight) + reach * abut_norm3(body->w0));
}

void abut_bounds_tight(const AbutModel *model, int part, const AbutBodyWork *bodies, AbutBounds *bounds)
{
	const AbutPart *p = &model->parts[part];
	const AbutBodyWork *body = &bodies[p->body];
	double centre[3], sphere[3];
	abut_mat3_vec(body->R, p->box_centre, centre);
	abut_mat3_vec(body->R, p->rows.centre, sphere);
	for (int i = 0; i < 3; i++) {
		const double half = fabs(body->R[3 * i]) * p->box_half[0] + fabs(body->R[3 * i + 1]) * p->box_half[1] +
		                    fabs(body->R[3 * i + 2]) * p->box_half[2];
		bounds->lower[i] = body->x[i] + abut_max(centre[i] - half, sphere[i] - p->rows.outer_radius);
		bounds->upper[i] = body->x[i] + abut_min(centre[i] + half, sphere[i] + p->rows.outer_radius);
	}
}

void abut_bounds_swept(const AbutModel *model, const AbutBodyWork *bodies, AbutBounds *bounds)
{
	for (int i = 0; i < model->n_parts; i++) {
		const AbutPart *part = &model->parts[i];
		AbutBounds *box = &bounds[i];
		if (!part->rows.bounded) {
			for (int j = 0; j < 3; j++) {
				box->lower[j] = (double)INFINITY;
				box->upper[j] = -(double)INFINITY;
			}
			continue;
		}
		const AbutBodyWork *body = &bodies[part->body];
		abut_bounds_tight(model, i, bodies, box);
		const double turn = ABUT_GENEROUS * model->timestep * part->reach * abut_norm3(body->w0);
		for (int j = 0; j < 3 && body->moving >= 0; j++) {
			const double speed = abut_max(fabs(body->v0[j]), fabs(body->momentum[j]) / body->mass);
			const double grown = margin * part->rows.outer_radius + model->pairing.margin +
			                     ABUT_GENEROUS * model->timestep * speed + turn;
			box->lower[j] -= grown;
			box->upper[j] += grown;
		}
	}
}

AbutBounds abut_bounds_union(const AbutBounds *a, const AbutBounds *b)
{
	AbutBounds out;
	for (int i = 0; i < 3; i++) {
		out.lower[i] = abut_min(a->lower[i], b->lower[i]);
		out.upper[i] = abut_max(a->upper[i], b->upper[i]);
	}
	return out;
}

bool abut_bounds_overlap(const AbutBounds *a, const AbutBounds *b)
{
	for (int i = 0; i < 3; i++) {
		if (!(a->lower[i] < b->upper[i] && b->lower[i] < a->upper[i])) {
			return false;
		}
	}
	return true;
}

bool abut_bounds_within(const AbutBounds *inner, const AbutBounds *outer)
{
	for (int i = 0; i < 3; i++) {
		if (inner->lower[i] < outer->lower[i] || inner->upper[i] > outer->upper[i]) {
			return false;
		}
	}
	return true;
}
