/* Computes the collision queries of a model's pairs at its initial poses. Tested in
 * tests/cli/scene/collide.c. */
#include "dynamics/model/pair_query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/sort.h"
#include "base/vec3.h"
#include "collision/broad_phase.h"
#include "dynamics/model/key.h"
#include "dynamics/model/pair.h"
#include "shapes/change/size.h"

/* The pairs to query. */
typedef struct List {
	const AbutModel *model;
	uint64_t *keys; /* (n) of two parts */
	int n, capacity;
	bool out_of_memory;
} List;

/* Returns the initial pose of the part's body, at which joints are closed. */
static AbutPose pose_of(const AbutModel *model, const AbutPart *part)
{
	const AbutBodyState *initial = &model->bodies[part->body].initial;
	AbutPose pose;
	memcpy(pose.position, initial->position, sizeof pose.position);
	memcpy(pose.orientation, initial->orientation, sizeof pose.orientation);
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

/* Adds a pair of parts to the list if they may touch; first < second. */
static void add(void *context, int first, int second)
{
	List *list = context;
	if (list->out_of_memory || !abut_pair_allowed(list->model, first, second)) {
		return;
	}
	list->out_of_memory = !abut_grow(&list->keys, &list->capacity, list->n + 1, sizeof *list->keys);
	if (!list->out_of_memory) {
		list->keys[list->n++] = abut_key((const int[2]){first, second});
	}
}

/* Computes the box of a part at its pose, with a margin on each side; an empty box for a halfspace. */
static AbutBounds box_of(const AbutModel *model, const AbutPart *part, double margin)
{
	const double end = (double)INFINITY;
	AbutBounds box = {{end, end, end}, {-end, -end, -end}};
	const AbutPose pose = pose_of(model, part);
	double R[9];
	abut_quat_to_mat3(pose.orientation, R);
	for (int k = 0; k < 3 && part->shape->kind != ABUT_SHAPE_HALFSPACE; k++) {
		const double *up = &R[3 * k], down[3] = {-up[0], -up[1], -up[2]};
		box.upper[k] = pose.position[k] + abut_shape_support(part->shape, up, NULL) + margin;
		box.lower[k] = pose.position[k] - abut_shape_support(part->shape, down, NULL) - margin;
	}
	return box;
}

/* Lists the pairs of bounded parts whose boxes, with a margin, overlap. Returns false if memory runs out. */
static bool list_boxes(const AbutModel *model, double near, List *list)
{
	AbutBroadPhase phase;
	AbutBounds *const boxes = calloc((size_t)model->n_parts, sizeof *boxes);
	void *const memory = malloc(abut_broad_phase_size(model->n_parts));
	const bool complete = boxes && memory;
	for (int i = 0; complete && i < model->n_parts; i++) {
		/* Boxes that only touch do not count as overlapping: the margin is positive. */
		const double margin = 0.5 * abut_max(near, 0.0) + 1e-6 * model->parts[i].shape->outer_radius;
		boxes[i] = box_of(model, &model->parts[i], margin);
	}
	if (complete) {
		abut_broad_phase_begin(&phase, model->n_parts, memory);
		abut_broad_phase_run(&phase, boxes, add, list);
	}
	free(memory);
	free(boxes);
	return complete;
}

/* Lists the pairs that may be within `near`, in the order of their parts. Returns false if memory runs out. */
static bool list_near(const AbutModel *model, double near, List *list)
{
	const bool complete = list_boxes(model, near, list);
	for (int i = 0; i < model->n_planes; i++) {
		const int plane = model->planes[i];
		for (int part = 0; part < model->n_parts; part++) {
			if (model->parts[part].shape->kind != ABUT_SHAPE_HALFSPACE) {
				add(list, part < plane ? part : plane, part < plane ? plane : part);
			}
		}
	}
	abut_sort_keys(list->keys, list->n);
	return complete && !list->out_of_memory;
}

/* Computes the query of two parts that may touch and calls the visitor with it, unless the parts are far apart. Sets
 * `wants_more` to whether the visitor wants further pairs. */
static AbutStatus show(const AbutModel *model, const int part[2], const AbutPairCall *call, bool *wants_more,
                       AbutError *error)
{
	AbutPairQuery query = {.has_gradient = false};
	const AbutPart *parts[2];
	AbutPose poses[2];
	AbutPair pair;
	abut_pair_make(model, part[0], part[1], &pair);
	for (int i = 0; i < 2; i++) {
		const int index = pair.part[pair.flipped ? 1 - i : i];
		parts[i] = &model->parts[index];
		poses[i] = pose_of(model, parts[i]);
		query.body[i] = parts[i]->body;
		query.part[i] = index - model->bodies[parts[i]->body].first_part;
		query.n_sizes[i] = abut_shape_size_count(parts[i]->shape->kind);
	}
	if (is_far(parts, poses, call->near)) {
		return ABUT_OK;
	}
	const AbutStatus status = solve(parts, poses, call->kappa, &query, error);
	if (call->passes_over && status != ABUT_OK && !abut_is_of_system(status)) {
		return ABUT_OK;
	}
	*wants_more = status == ABUT_OK && call->visit(call->context, &query);
	return status;
}

static AbutStatus show_all(const AbutModel *model, const AbutPairCall *call, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	bool wants_more = true;
	for (int i = 0; i < model->n_parts; i++) {
		for (int j = i + 1; wants_more && j < model->n_parts; j++) {
			if (abut_pair_allowed(model, i, j)) {
				status = show(model, (const int[2]){i, j}, call, &wants_more, error);
			}
		}
	}
	return status;
}

AbutStatus abut_pair_queries(const AbutModel *model, const AbutPairCall *call, AbutError *error)
{
	if (!isfinite(call->near)) {
		return show_all(model, call, error);
	}
	List list = {.model = model};
	AbutStatus status = list_near(model, call->near, &list)
	                        ? ABUT_OK
	                        : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the pairs");
	bool wants_more = status == ABUT_OK;
	for (int i = 0; wants_more && i < list.n; i++) {
		const int part[2] = {(int)(list.keys[i] >> 32), (int)(uint32_t)list.keys[i]};
		status = show(model, part, call, &wants_more, error);
	}
	free(list.keys);
	return status;
}
