/* Computes the collision queries of a model's pairs at the poses of its definition. Tested in
 * tests/cli/scene/collide.c. */
#include "dynamics/model/pair_query.h"

#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/model/pair.h"
#include "shapes/change/size.h"

typedef struct Visitor {
	void (*visit)(void *context, const AbutPairQuery *query);
	void *context;
} Visitor;

static AbutPose pose_of(const AbutSceneDef *def, const AbutPart *part)
{
	const AbutBodyDef *body = &def->bodies[part->body];
	AbutPose pose;
	memcpy(pose.position, body->position, sizeof pose.position);
	memcpy(pose.orientation, body->orientation, sizeof pose.orientation);
	return pose;
}

/* Returns whether the bounding spheres of the two parts are more than `near` apart. Always false for a halfspace. */
static bool is_far(const AbutPart *const parts[2], const AbutPose poses[2], double near)
{
	double distance[3] = {0.0, 0.0, 0.0}, radii = 0.0;
	for (int i = 0; i < 2; i++) {
		const AbutShape *shape = parts[i]->shape;
		double R[9], centre[3];
		if (shape->kind == ABUT_SHAPE_HALFSPACE) {
			return false;
		}
		abut_quat_to_mat3(poses[i].orientation, R);
		abut_mat3_vec(R, shape->centre, centre);
		for (int j = 0; j < 3; j++) {
			distance[j] += (i == 0 ? 1.0 : -1.0) * (centre[j] + poses[i].position[j]);
		}
		radii += shape->outer_radius;
	}
	return abut_norm3(distance) - radii > near;
}

static AbutStatus solve(const AbutPart *const parts[2], const AbutPose poses[2], double kappa, AbutPairQuery *query,
                        AbutError *error)
{
	AbutCollision *collision = NULL;
	AbutStatus status = abut_collision_create(parts[0]->shape, parts[1]->shape, &collision, error);
	ABUT_THEN(status, abut_collision_solve(collision, &poses[0], &poses[1], kappa, &query->result, error));
	if (status == ABUT_OK) {
		query->has_gradient = abut_collision_gradient(collision, &query->gradient, NULL) == ABUT_OK;
	}
	abut_collision_destroy(collision);
	return status;
}

/* Computes the query and calls the visitor with it, unless the parts are far apart. */
static AbutStatus show(const AbutModel *model, const AbutSceneDef *def, const AbutPair *pair, double kappa, double near,
                       const Visitor *visitor, AbutError *error)
{
	AbutPairQuery query = {.has_gradient = false};
	const AbutPart *parts[2];
	AbutPose poses[2];
	for (int i = 0; i < 2; i++) {
		const int part = pair->part[pair->flipped ? 1 - i : i];
		parts[i] = &model->parts[part];
		poses[i] = pose_of(def, parts[i]);
		query.body[i] = parts[i]->body;
		query.part[i] = part - model->bodies[parts[i]->body].first_part;
		query.n_sizes[i] = abut_shape_size_count(parts[i]->shape->kind);
	}
	if (is_far(parts, poses, near)) {
		return ABUT_OK;
	}
	const AbutStatus status = solve(parts, poses, kappa, &query, error);
	if (status == ABUT_OK) {
		visitor->visit(visitor->context, &query);
	}
	return status;
}

AbutStatus abut_pair_queries(const AbutModel *model, const AbutSceneDef *def, double kappa, double near,
                             void (*visit)(void *context, const AbutPairQuery *query), void *context, AbutError *error)
{
	const Visitor visitor = {visit, context};
	AbutStatus status = ABUT_OK;
	for (int i = 0; i < model->n_parts; i++) {
		for (int j = i + 1; status == ABUT_OK && j < model->n_parts; j++) {
			AbutPair pair;
			if (abut_pair_make(model, i, j, &pair)) {
				status = show(model, def, &pair, kappa, near, &visitor, error);
			}
		}
	}
	return status;
}
