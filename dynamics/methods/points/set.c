/* Makes the contact points of a model's parts, and refuses parts that method point-ncp does not support. */
#include "dynamics/methods/points/set.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/vec3.h"
#include "collision/manifold/shape.h"
#include "dynamics/contact/friction.h"
#include "dynamics/model/scale.h"

void abut_point_sets_destroy(AbutModel *model)
{
	AbutPointSet *sets = model->method_parts;
	for (int i = 0; i < model->n_parts; i++) {
		free(sets[i].points);
		abut_hull_destroy(sets[i].hull);
	}
	free(sets);
	model->method_parts = NULL;
}

static AbutStatus take_points(int n, const double *points, AbutPointSet *out)
{
	out->points = malloc(3 * (size_t)n * sizeof(double));
	if (!out->points) {
		return ABUT_ERROR_MEMORY;
	}
	for (int i = 0; i < 3 * n; i++) {
		out->points[i] = points[i];
	}
	out->n = n;
	return ABUT_OK;
}

static const double slack_of_size = 0.01;

/* Makes the ends of a capsule's axis, its own z. */
static AbutStatus make_rod(const AbutShape *shape, const double origin[3], double unit, AbutPointSet *out)
{
	double ends[6];
	for (int e = 0; e < 2; e++) {
		const double along = (e == 0 ? -0.5 : 0.5) * shape->size[1];
		for (int i = 0; i < 3; i++) {
			ends[3 * e + i] = (shape->position[i] + along * shape->rotation[3 * i + 2] - origin[i]) / unit;
		}
	}
	out->kind = ABUT_POINT_ROD;
	out->radius = shape->size[0] / unit;
	out->slack = slack_of_size * (out->radius + 0.5 * shape->size[1] / unit);
	return take_points(2, ends, out);
}

static AbutStatus from_manifold(AbutManifoldShape *shape, AbutPointSet *out)
{
	switch (shape->kind) {
	case ABUT_MANIFOLD_PLANE:
		out->kind = ABUT_POINT_PLANE;
		abut_copy3(shape->normal, out->normal);
		out->offset = shape->offset;
		return ABUT_OK;
	case ABUT_MANIFOLD_BALL:
		out->kind = ABUT_POINT_BALL;
		out->radius = shape->radius;
		return take_points(1, shape->centre, out);
	case ABUT_MANIFOLD_POLYTOPE:
		out->kind = ABUT_POINT_CORNERS;
		out->hull = shape->hull;
		out->slack = slack_of_size * shape->size;
		shape->hull = NULL;
		return take_points(out->hull->n_vertices, out->hull->vertices, out);
	case ABUT_MANIFOLD_PADDED:
	case ABUT_MANIFOLD_ROUND:
	case ABUT_MANIFOLD_GENERIC:
		break;
	}
	return ABUT_ERROR_UNSUPPORTED;
}

static bool has_points(const AbutShape *shape)
{
	return shape->kind == ABUT_SHAPE_CAPSULE || abut_manifold_kind(shape) <= ABUT_MANIFOLD_BALL;
}

static AbutStatus make_set(const AbutModel *model, const AbutPart *part, AbutPointSet *out, AbutError *error)
{
	const double *origin = model->bodies[part->body].centre_of_mass, unit = model->units.length;
	AbutManifoldShape shape;
	if (part->shape->kind == ABUT_SHAPE_CAPSULE) {
		return make_rod(part->shape, origin, unit, out);
	}
	AbutStatus status = abut_manifold_shape_create(part->shape, origin, unit, &shape, error);
	if (status == ABUT_OK) {
		status = from_manifold(&shape, out);
		abut_manifold_shape_destroy(&shape);
	}
	return status;
}

AbutStatus abut_point_sets_create(AbutModel *model, AbutError *error)
{
	AbutPointSet *sets = calloc((size_t)model->n_parts + 1, sizeof *sets);
	if (!sets) {
		return abut_model_no_memory(error);
	}
	model->method_parts = sets;
	for (int i = 0; i < model->n_parts; i++) {
		const AbutPart *part = &model->parts[i];
		char where[64];
		snprintf(where, sizeof where, "bodies[%d].shape", part->body);
		if (!has_points(part->shape)) {
			return abut_error_set(
			    error, ABUT_ERROR_UNSUPPORTED, where,
			    "body '%s' cannot take part in method point-ncp: kind '%s' has no contact "
			    "points; supported are halfspaces, boxes, polytopes, spheres and capsules",
			    model->bodies[part->body].name, abut_shape_kind_name(part->shape->kind));
		}
		AbutError own = {.status = ABUT_OK};
		const AbutStatus status = make_set(model, part, &sets[i], &own);
		if (status != ABUT_OK) {
			return abut_error_set(error, status, where,
			                      "body '%s' cannot take part in method point-ncp: %s",
			                      model->bodies[part->body].name, own.message);
		}
	}
	return ABUT_OK;
}

AbutPointCounts abut_point_counts(const AbutModel *model, const AbutPair *pair)
{
	const AbutPointSet *a = abut_point_set(model, pair->part[0]), *b = abut_point_set(model, pair->part[1]);
	if (b->kind == ABUT_POINT_PLANE || a->kind == ABUT_POINT_BALL) {
		return (AbutPointCounts){.own = {a->n, 0}};
	}
	if (b->kind == ABUT_POINT_BALL) {
		return (AbutPointCounts){.own = {0, 1}};
	}
	const bool rod[2] = {a->kind == ABUT_POINT_ROD, b->kind == ABUT_POINT_ROD};
	return (AbutPointCounts){.own = {a->n, b->n},
	                         .crossings = rod[0] && rod[1]   ? 1
	                                      : rod[0] || rod[1] ? 2
	                                                         : ABUT_POINT_CROSSINGS};
}

int abut_point_count(const AbutModel *model, const AbutPair *pair)
{
	const AbutPointCounts counts = abut_point_counts(model, pair);
	return counts.own[0] + counts.own[1] + counts.crossings;
}

/* Sets the numbers of a pair's unknowns, for n points with one gamma and the friction unknowns each. */
static void set_sizes(int n, AbutFrictionCone cone, AbutPair *pair)
{
	int law = abut_cone_law_size(ABUT_CONE_ORTHANT, 1);
	pair->n_cones = n * (1 + abut_friction_cones(cone, pair->tail, 0, &law, NULL));
	pair->n_law = n * law;
	pair->n_side = 0;
	pair->n_y = n * abut_friction_n_y(cone, pair->tail);
	pair->n_z = n * (1 + abut_friction_n_z(cone, pair->tail));
}

/* Sets the sizes of a pair; points have no torsion. */
void abut_points_size(const AbutModel *model, AbutPair *pair)
{
	pair->torsional_radius = 0.0;
	pair->tail = pair->tail > 2 ? 2 : pair->tail;
	set_sizes(abut_point_count(model, pair), model->options.friction_cone, pair);
}

/* Returns the room for a number of contacts, each as large as one of two parts with the most points. */
AbutRoom abut_points_room(const AbutModel *model, int contacts)
{
	AbutPair most = {.tail = 2};
	int n = 1;
	for (int i = 0; i < model->n_parts; i++) {
		n = abut_point_set(model, i)->n > n ? abut_point_set(model, i)->n : n;
	}
	set_sizes(2 * n + ABUT_POINT_CROSSINGS, model->options.friction_cone, &most); /* of two hulls */
	return (AbutRoom){.contacts = contacts,
	                  .n_y = abut_room_total(contacts, most.n_y),
	                  .n_z = abut_room_total(contacts, most.n_z),
	                  .n_law = abut_room_total(contacts, most.n_law),
	                  .n_cones = abut_room_total(contacts, most.n_cones)};
}
