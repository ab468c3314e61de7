/* Makes contact points of capsules and cylinders side by side, at the ends of the common part of their axes. Let u be
 * the first axis, m the middle of the second and c any point of the first axis. The normal is the part of m - c
 * orthogonal to u. Each contact point belongs to the end of one axis, and to the point of the other axis at the same
 * height along u. Tested in tests/collision/test_manifold_closed.c. */
#include "collision/manifold/tubes.h"

/* Largest sine of the angle between the axes, largest cosine of the angle between the normal and the first axis, and
 * least length of the common part as a share of the shorter axis's half length. */
static const double parallel = 1e-2, level = 5e-2, least = 5e-2;

typedef struct Tube {
	double middle[3], axis[3], half, radius;
} Tube;

void abut_manifold_tube_middle(const AbutManifoldSide *side, double middle[3])
{
	const AbutManifoldShape *shape = side->shape;
	double own[3];
	abut_add3(shape->pieces[0], shape->pieces[1], own);
	abut_scale3(0.5, own, own);
	abut_manifold_to_world(side, own, middle);
}

static bool load(const AbutManifoldSide *side, Tube *out)
{
	const AbutManifoldShape *shape = side->shape;
	if (shape->kind != ABUT_MANIFOLD_ROUND || shape->n_pieces < 2 || !shape->round[0] || !shape->round[1]) {
		return false;
	}
	abut_manifold_tube_middle(side, out->middle);
	abut_manifold_to_world(side, shape->pieces[1], out->axis);
	abut_sub3(out->axis, out->middle, out->axis);
	out->half = abut_norm3(out->axis);
	out->radius = shape->shape->size[0] / shape->unit;
	abut_divide3(out->axis, out->half, out->axis);
	return true;
}

/* Makes the contact point at an end of tube `of`, at height `at` along the first axis. */
static void make_point(const Tube tube[2], const double n[3], double at, int of, int end, AbutManifoldPoint *out)
{
	const double cosine = abut_dot3(tube[0].axis, tube[1].axis);
	double way = 0.0;
	*out = (AbutManifoldPoint){.rule = ABUT_MANIFOLD_TUBES, .face = of};
	out->feature = abut_manifold_feature(ABUT_MANIFOLD_TUBES, of, end, 0);
	for (int i = 0; i < 3; i++) {
		way += (tube[1].middle[i] - tube[0].middle[i]) * tube[0].axis[i];
	}
	abut_copy3(tube[0].axis, out->u);
	abut_copy3(tube[1].axis, out->v);
	abut_add_scaled3(tube[0].middle, at, tube[0].axis, out->r);
	abut_add_scaled3(tube[1].middle, (at - way) / cosine, tube[1].axis, out->q);
	out->gap = abut_dot3(n, out->q) - abut_dot3(n, out->r) - tube[0].radius - tube[1].radius;
	for (int i = 0; i < 3; i++) {
		out->point[i] = out->r[i] + n[i] * (tube[0].radius + 0.5 * out->gap);
	}
}

bool abut_manifold_tubes(const AbutManifoldSide side[2], const double n[3], double margin, AbutManifold *out)
{
	Tube tube[2];
	double across[3], way[3], normal[3];
	if (!load(&side[0], &tube[0]) || !load(&side[1], &tube[1])) {
		return false;
	}
	abut_cross3(tube[0].axis, tube[1].axis, across);
	if (abut_norm3(across) > parallel || fabs(abut_dot3(n, tube[0].axis)) > level) {
		return false;
	}
	abut_sub3(tube[1].middle, tube[0].middle, way);
	const double along = abut_dot3(way, tube[0].axis), cosine = abut_dot3(tube[0].axis, tube[1].axis);
	abut_add_scaled3(way, -along, tube[0].axis, normal);
	const double length = abut_norm3(normal), half = tube[1].half * fabs(cosine);
	/* both tubes' ends along the first axis */
	const double low[2] = {-tube[0].half, along - half}, high[2] = {tube[0].half, along + half};
	const int of_low = low[1] > low[0], of_high = high[1] < high[0];
	if (high[of_high] - low[of_low] < least * abut_min(tube[0].half, half) || !(length > 0.0)) {
		return false;
	}
	abut_divide3(normal, length, normal);
	AbutManifoldPoint point[2];
	make_point(tube, normal, low[of_low], of_low, of_low == 1 && cosine < 0.0, &point[0]);
	make_point(tube, normal, high[of_high], of_high, !(of_high == 1 && cosine < 0.0), &point[1]);
	abut_copy3(normal, out->normal);
	out->n = 0;
	for (int k = 0; k < 2; k++) {
		if (point[k].gap <= margin) {
			out->points[out->n++] = point[k];
		}
	}
	return true;
}
