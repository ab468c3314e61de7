/* libccd, with the support functions of the shapes. */
#include <ccd/ccd.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "experiments/queries/queries.h"
#include "shapes/support/support.h"

typedef struct Side {
	const AbutShape *shape;
	double M[9], x[3]; /* from the shape's own frame to the world, and where that is */
} Side;

struct AbutQueryPair {
	Side side[2];
	ccd_t ccd;
};

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point)
{
	const Side *side = object;
	double u[3], own[3];
	abut_mat3_tvec(side->M, direction->v, u);
	const double length = abut_norm3(u);
	abut_divide3(u, length, u);
	abut_shape_support_own(side->shape, u, own);
	abut_mat3_vec(side->M, own, point->v);
	abut_add3(point->v, side->x, point->v);
}

/* Returns a point inside. */
static void middle(const void *object, ccd_vec3_t *point)
{
	const Side *side = object;
	double own[3], centre[3];
	abut_sub3(side->shape->centre, side->shape->position, own);
	abut_mat3_tvec(side->shape->rotation, own, own);
	abut_mat3_vec(side->M, own, centre);
	abut_add3(side->x, centre, point->v);
}

static void place(Side *side, const AbutPose *pose)
{
	abut_query_place(side->shape->rotation, side->shape->position, pose, side->M, side->x);
}

static AbutQueryPair *create(const AbutShape *a, const AbutShape *b)
{
	AbutQueryPair *pair = calloc(1, sizeof *pair);
	if (!pair) {
		return NULL;
	}
	pair->side[0].shape = a;
	pair->side[1].shape = b;
	CCD_INIT(&pair->ccd);
	pair->ccd.support1 = pair->ccd.support2 = support;
	pair->ccd.center1 = pair->ccd.center2 = middle;
	pair->ccd.max_iterations = 100;
	return pair;
}

static void destroy(AbutQueryPair *pair)
{
	free(pair);
}

static double overlap(AbutQueryPair *pair, const AbutPose *a, const AbutPose *b)
{
	place(&pair->side[0], a);
	place(&pair->side[1], b);
	return ccdGJKIntersect(&pair->side[0], &pair->side[1], &pair->ccd);
}

static double depth(AbutQueryPair *pair, const AbutPose *a, const AbutPose *b)
{
	ccd_real_t found = 0.0;
	ccd_vec3_t direction, place_of;
	place(&pair->side[0], a);
	place(&pair->side[1], b);
	ccdGJKPenetration(&pair->side[0], &pair->side[1], &pair->ccd, &found, &direction, &place_of);
	return found;
}

static const AbutQueryPeer peers[] = {
    {"ccd GJK", "libccd: whether they overlap", create, destroy, overlap},
    {"ccd EPA", "libccd: whether they overlap, and if so the depth and its direction to 1e-4", create, destroy, depth},
};

const AbutQueryFamily abut_query_ccd = {sizeof peers / sizeof *peers, peers};
