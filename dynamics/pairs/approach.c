/* Bounds how far two parts approach each other in a step.
 *
 * A plane between the parts may be at rest or move with one of the two bodies. In the frame of the plane, a part's
 * centre moves at a velocity v and the part turns at an angular velocity w. Along the direction n, no point of the part
 * moves faster than |n . v| + |w| r, with its outer radius r. A plane at rest must be reached by neither part, a plane
 * that moves with a body only by the part of the other one. The smallest of the three bounds counts
 * (tests/dynamics/pairs/test_approach.c). */
#include "dynamics/pairs/approach.h"

#include <math.h>

#include "base/vec3.h"
#include "dynamics/body/bounds.h"

/* Computes the speeds along a direction, present and of free flight, of a point that moves with a body. */
static void speeds_at(const AbutBodyWork *body, const double point[3], const double along[3], double out[2])
{
	out[0] = out[1] = 0.0;
	if (body->moving >= 0) {
		double arm[3], turn[3], flight[3];
		abut_sub3(point, body->x0, arm);
		abut_cross3(body->w0, arm, turn);
		abut_scale3(1.0 / body->mass, body->momentum, flight);
		const double turning = abut_dot3(along, turn);
		out[0] = abut_dot3(along, body->v0) + turning;
		out[1] = abut_dot3(along, flight) + turning;
	}
}

/* Returns how fast body b turns, as seen from body a. */
static double turn_speed(const AbutBodyWork *a, const AbutBodyWork *b)
{
	double turn[3];
	if (a->moving < 0 || b->moving < 0) {
		return a->moving < 0 && b->moving < 0 ? 0.0 : abut_norm3(a->moving < 0 ? b->w0 : a->w0);
	}
	abut_sub3(b->w0, a->w0, turn);
	return abut_norm3(turn);
}

/* Bounds the speeds of all points of a part of body b along a direction: as seen from body a, which is returned, and
 * from the world. */
static double part_speed(const AbutPart *part, const AbutBodyWork *a, const AbutBodyWork *b, const double along[3],
                         double *in_world)
{
	double centre[3], own[2], other[2];
	abut_mat3_vec(b->R0, part->rows.centre, centre);
	abut_add3(centre, b->x0, centre);
	speeds_at(b, centre, along, own);
	speeds_at(a, centre, along, other);
	const double turn = turn_speed(a, b);
	*in_world = abut_max(fabs(own[0]), fabs(own[1]));
	*in_world += b->moving < 0 ? 0.0 : (a->moving < 0 ? turn : abut_norm3(b->w0)) * part->rows.outer_radius;
	return abut_max(fabs(own[0] - other[0]), fabs(own[1] - other[1])) + turn * part->rows.outer_radius;
}

double abut_approach_bound(const AbutModel *model, const int part[2], const AbutBodyWork *bodies, const double along[3])
{
	double least = (double)INFINITY, sum = 0.0;
	for (int i = 0; i < 2; i++) {
		const AbutPart *p = &model->parts[part[i]];
		double in_world = (double)INFINITY; /* of planes along an unbounded part, which move with it */
		if (p->rows.bounded) {
			least = abut_min(least, part_speed(p, &bodies[model->parts[part[1 - i]].body], &bodies[p->body],
			                                   along, &in_world));
		}
		sum += in_world;
	}
	return ABUT_GENEROUS * model->timestep * abut_min(least, sum);
}
