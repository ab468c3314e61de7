/* Measures how deep two bodies of a world overlap at their present poses, whether or not the library has found their
 * contact. */
#pragma once

#include <math.h>

#include "base/vec3.h"
#include "dynamics/oracle_shape.h"
#include "dynamics/world.h"

static inline OraclePose overlap_pose(const World *world, int body)
{
	const AbutBodyState s = world_body(world, body);
	OraclePose pose;
	abut_copy3(s.position, pose.x);
	abut_quat_to_mat3(s.orientation, pose.R);
	return pose;
}

/* Returns an upper bound of the depth (m) of two bodies with one part each; negative if they are apart. It is the best
 * of all planes tried: those of a search, and that of the reported contact. */
static inline double overlap_of(const World *world, int a, int b)
{
	const AbutShape *const shape[2] = {world->shapes[a], world->shapes[b]};
	const OraclePose pose[2] = {overlap_pose(world, a), overlap_pose(world, b)};
	double apart = oracle_separation(shape, pose);
	AbutContact contact;
	if (world_find(world, a, b, &contact)) {
		apart = fmax(apart, oracle_certificate(shape, pose, contact.normal).gap);
	}
	return -apart;
}

/* Returns the largest depth of all pairs that are not both static. */
static inline double overlap_deepest(const World *world, int *a, int *b)
{
	double deepest = -(double)INFINITY;
	for (int i = 0; i < world->def.n_bodies; i++) {
		for (int j = i + 1; j < world->def.n_bodies; j++) {
			const bool fixed = world->bodies[i].is_static && world->bodies[j].is_static;
			const double depth = fixed ? -(double)INFINITY : overlap_of(world, i, j);
			if (depth > deepest) {
				deepest = depth;
				*a = i;
				*b = j;
			}
		}
	}
	return deepest;
}
