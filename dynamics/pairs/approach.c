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

/* Factor on the motion predicted from the present velocity and from free flight. */
static const double generous = 1.5;

/* A body at the start of the step, as far as its velocity is concerned. */
typedef struct Motion {
	double x[3], v[2][3], w[3]; /* position; present velocity and that of free flight; angular velocity */
} Motion;

static Motion motion_of(const AbutBodyWork *body)
{
	Motion out = {.v = {{0.0}}};
	abut_copy3(body->x0, out.x);
	if (body->moving >= 0) {
		abut_copy3(body->v0, out.v[0]);
		abut_scale3(1.0 / body->mass, body->momentum, out.v[1]);
		abut_copy3(body->w0, out.w);
	}
	return out;
}

/* Returns the largest speed, present or of free flight, of a point of body b along a direction, as seen from body a. */
static double speed_at(const Motion *a, const Motion *b, const double point[3], const double along[3])
{
	double v[2] = {0.0, 0.0};
	for (int i = 0; i < 2; i++) {
		const Motion *motion = i == 0 ? a : b;
		double arm[3], turn[3];
		abut_sub3(point, motion->x, arm);
		abut_cross3(motion->w, arm, turn);
		for (int k = 0; k < 2; k++) {
			const double own = abut_dot3(along, motion->v[k]) + abut_dot3(along, turn);
			v[k] += i == 0 ? -own : own;
		}
	}
	return abut_max(fabs(v[0]), fabs(v[1]));
}

/* Bounds the speed of all points of a part of body b along a direction, as seen from body a. */
static double part_speed(const AbutPart *part, const double R[9], const Motion *a, const Motion *b,
                         const double along[3])
{
	double centre[3], turn[3];
	abut_mat3_vec(R, part->rows.centre, centre);
	abut_add3(centre, b->x, centre);
	abut_sub3(b->w, a->w, turn);
	return speed_at(a, b, centre, along) + abut_norm3(turn) * part->rows.outer_radius;
}

double abut_approach_bound(const AbutModel *model, const int part[2], const AbutBodyWork *bodies, const double along[3])
{
	const Motion rest = {.v = {{0.0}}};
	const Motion motion[2] = {motion_of(&bodies[model->parts[part[0]].body]),
	                          motion_of(&bodies[model->parts[part[1]].body])};
	double least = (double)INFINITY, sum = 0.0;
	for (int i = 0; i < 2; i++) {
		const AbutPart *p = &model->parts[part[i]];
		const double *R = bodies[p->body].R0;
		if (!p->rows.bounded) { /* any plane along its own surface moves with it */
			sum = (double)INFINITY;
			continue;
		}
		least = abut_min(least, part_speed(p, R, &motion[1 - i], &motion[i], along));
		sum += part_speed(p, R, &rest, &motion[i], along);
	}
	return generous * model->timestep * abut_min(least, sum);
}
