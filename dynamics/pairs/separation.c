/* Proves that two parts do not touch, by a direction along which a plane fits between them. */
#include "dynamics/pairs/separation.h"

#include <math.h>

#include "base/vec3.h"
#include "shapes/support/bounds.h"
#include "shapes/support/support.h"

/* How the height of a part is computed: exactly, or as an upper or lower bound that needs no convex program. */
typedef enum Reach { REACH_EXACT, REACH_AT_MOST, REACH_AT_LEAST } Reach;

/* Returns the height of a part along a unit direction above its body's centre of mass. If a user's functions return
 * none, uses the outer sphere, so that a missing value never proves a separation. */
static double support(const AbutModel *model, int part, const AbutBodyWork *body, Reach reach,
                      const double direction[3])
{
	const double *centre_of_mass = model->bodies[body->body].centre_of_mass;
	const AbutShape *shape = model->parts[part].shape;
	double own[3], height, lower, upper;
	abut_mat3_tvec(body->R, direction, own);
	if (reach == REACH_EXACT) {
		height = abut_shape_support(shape, own, NULL);
	} else {
		abut_shape_support_bounds(shape, own, &lower, &upper);
		height = reach == REACH_AT_MOST ? upper : lower;
	}
	if (isnan(height)) {
		height = abut_dot3(own, shape->centre) + shape->outer_radius;
	}
	return (height - abut_dot3(own, centre_of_mass)) / model->units.length;
}

void abut_line_of_centres(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies, double line[3])
{
	double centre[2][3];
	for (int i = 0; i < 2; i++) {
		abut_mat3_vec(bodies[pair->body[i]].R, model->parts[pair->part[i]].rows.centre, centre[i]);
	}
	for (int i = 0; i < 3; i++) {
		line[i] = bodies[pair->body[1]].x[i] - bodies[pair->body[0]].x[i] + centre[1][i] - centre[0][i];
	}
}

/* Returns the distance between two parts along a direction. If it is positive, they do not touch. */
static double separation(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies, Reach reach,
                         const double direction[3])
{
	const AbutBodyWork *a = &bodies[pair->body[0]], *b = &bodies[pair->body[1]];
	const double length = abut_norm3(direction);
	if (!(length > 0.0)) {
		return (double)-INFINITY;
	}
	double along[3], back[3], apart = 0.0;
	for (int i = 0; i < 3; i++) {
		along[i] = direction[i] / length;
		back[i] = -along[i];
		apart += along[i] * (b->x[i] - a->x[i]);
	}
	return apart - support(model, pair->part[0], a, reach, along) - support(model, pair->part[1], b, reach, back);
}

bool abut_separated(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies, const double direction[3],
                    double distance)
{
	const bool closed = abut_shape_support_is_closed(model->parts[pair->part[0]].shape) &&
	                    abut_shape_support_is_closed(model->parts[pair->part[1]].shape);
	if (!closed) {
		if (separation(model, pair, bodies, REACH_AT_MOST, direction) >= distance) {
			return true;
		}
		if (separation(model, pair, bodies, REACH_AT_LEAST, direction) < distance) {
			return false;
		}
	}
	return separation(model, pair, bodies, REACH_EXACT, direction) >= distance;
}

/* Returns the height of the body's centre of mass above the halfspace; `inward` receives the inward normal. */
static double height(const AbutModel *model, int plane, const AbutBodyWork *bodies, int body, double inward[3])
{
	const AbutBodyWork *ground = &bodies[model->parts[plane].body];
	const AbutConicRows *rows = &model->parts[plane].rows; /* W is the inward normal */
	double p[3];
	abut_mat3_vec(ground->R, rows->W, inward);
	abut_sub3(bodies[body].x, ground->x, p);
	return -(rows->h[0] + abut_dot3(inward, p));
}

double abut_plane_distance_of_centre(const AbutModel *model, int plane, int part, const AbutBodyWork *bodies)
{
	const AbutPart *p = &model->parts[part];
	double inward[3], centre[3];
	const double above = height(model, plane, bodies, p->body, inward);
	abut_mat3_vec(bodies[p->body].R, p->rows.centre, centre);
	return above - abut_dot3(inward, centre);
}

static double plane_distance(const AbutModel *model, int plane, int part, Reach reach, const AbutBodyWork *bodies)
{
	double inward[3];
	const int body = model->parts[part].body;
	const double above = height(model, plane, bodies, body, inward);
	return above - support(model, part, &bodies[body], reach, inward);
}

double abut_plane_distance(const AbutModel *model, int plane, int part, const AbutBodyWork *bodies)
{
	return plane_distance(model, plane, part, REACH_EXACT, bodies);
}

bool abut_plane_is_within(const AbutModel *model, int plane, int part, const AbutBodyWork *bodies, double distance)
{
	const bool closed = abut_shape_support_is_closed(model->parts[part].shape);
	if (!closed) {
		if (plane_distance(model, plane, part, REACH_AT_MOST, bodies) > distance) {
			return false;
		}
		if (plane_distance(model, plane, part, REACH_AT_LEAST, bodies) <= distance) {
			return true;
		}
	}
	return plane_distance(model, plane, part, REACH_EXACT, bodies) <= distance;
}
