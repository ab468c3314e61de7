/* Compares the sign of alpha - 1 with libccd's intersection test (GJK). libccd uses support functions written here,
 * from the names and sizes of the shapes alone. */
#include <ccd/ccd.h>

#include "collide_pair.h"
#include "shapes/superellipsoid.h"
#include "shapes/support/support.h"

enum { PAIRS = 100000 };

typedef struct CcdShape {
	const AbutShape *shape;
	double R[9], x[3]; /* of the shape's own frame in the world */
} CcdShape;

static void disc(double radius, const double d[3], double out[3])
{
	const double across = hypot(d[0], d[1]);
	out[0] = across > 0.0 ? radius * d[0] / across : radius;
	out[1] = across > 0.0 ? radius * d[1] / across : 0.0;
}

static void ball(double radius, const double d[3], double out[3])
{
	const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
	for (int i = 0; i < 3; i++) {
		out[i] += radius * d[i] / length;
	}
}

static void vertex(const AbutShape *s, const double d[3], double out[3])
{
	double best = -INFINITY;
	for (int i = 0; i < s->n_vertices; i++) {
		const double *v = &s->vertices[3 * i];
		const double along = v[0] * d[0] + v[1] * d[1] + v[2] * d[2];
		if (along > best) {
			best = along;
			memcpy(out, v, 3 * sizeof *v);
		}
	}
}

static void cone_support(double radius, double height, const double d[3], double out[3])
{
	const double apex[3] = {0.0, 0.0, 0.75 * height};
	disc(radius, d, out);
	out[2] = -0.25 * height;
	if (apex[2] * d[2] > out[0] * d[0] + out[1] * d[1] + out[2] * d[2]) {
		memcpy(out, apex, sizeof apex);
	}
}

/* Computes the furthest point along d in the shape's own frame. The origin of a cone is its centre of mass. */
static void own_support(const AbutShape *s, const double d[3], double out[3])
{
	const double *size = s->size;
	double scaled[3], length, radii[3], exponents[2];
	out[0] = out[1] = out[2] = 0.0;
	switch (s->kind) {
	case ABUT_SHAPE_BOX:
		for (int i = 0; i < 3; i++) {
			out[i] = d[i] < 0.0 ? -size[i] : size[i];
		}
		break;
	case ABUT_SHAPE_SPHERE:
		ball(size[0], d, out);
		break;
	case ABUT_SHAPE_ELLIPSOID:
		for (int i = 0; i < 3; i++) {
			scaled[i] = size[i] * d[i];
		}
		length = sqrt(scaled[0] * scaled[0] + scaled[1] * scaled[1] + scaled[2] * scaled[2]);
		for (int i = 0; i < 3; i++) {
			out[i] = size[i] * scaled[i] / length;
		}
		break;
	case ABUT_SHAPE_CAPSULE:
		out[2] = d[2] < 0.0 ? -0.5 * size[1] : 0.5 * size[1];
		ball(size[0], d, out);
		break;
	case ABUT_SHAPE_CYLINDER:
		disc(size[0], d, out);
		out[2] = d[2] < 0.0 ? -0.5 * size[1] : 0.5 * size[1];
		break;
	case ABUT_SHAPE_CONE:
		cone_support(size[0], size[1], d, out);
		break;
	case ABUT_SHAPE_POLYTOPE:
		vertex(s, d, out);
		break;
	case ABUT_SHAPE_PADDED_POLYTOPE:
		vertex(s, d, out);
		ball(size[0], d, out);
		break;
	case ABUT_SHAPE_SMOOTH:
		cr_assert(abut_shape_is_superellipsoid(s, radii, exponents));
		superellipsoid_support(radii, exponents, d, out);
		break;
	case ABUT_SHAPE_HALFSPACE:
	case ABUT_SHAPE_MINKOWSKI_SUM: /* tested against their parts and rows in tests/shapes */
	case ABUT_SHAPE_INTERSECTION:
	case ABUT_SHAPE_CONIC:
		abut_shape_support_own(s, d, out);
		break;
	case ABUT_SHAPE_COUNT:
		break;
	}
}

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point)
{
	const CcdShape *at = object;
	double own[3], out[3], world[3];
	abut_mat3_tvec(at->R, direction->v, own);
	own_support(at->shape, own, out);
	abut_mat3_vec(at->R, out, world);
	for (int i = 0; i < 3; i++) {
		point->v[i] = world[i] + at->x[i];
	}
}

static void place_for_ccd(const CollidePair *pair, int i, CcdShape *out)
{
	double R[9], moved[3];
	pose_matrix(&pair->pose[i], R);
	out->shape = pair->shape[i];
	abut_mat3_mul(R, pair->shape[i]->rotation, out->R);
	abut_mat3_vec(R, pair->shape[i]->position, moved);
	for (int j = 0; j < 3; j++) {
		out->x[j] = moved[j] + pair->pose[i].position[j];
	}
}

/* Compares all ordered pairs of bounded shapes in turn. Their centres are 0.3 to 1.3 of the outer radii apart, where
 * both answers are common. Pairs within 1e-6 of touching are left out. */
static void compare(unsigned first, unsigned end)
{
	long overlaps = 0, compared = 0;
	ccd_t ccd;
	CCD_INIT(&ccd);
	ccd.support1 = ccd.support2 = support;
	ccd.max_iterations = 1000;
	for (unsigned seed = first; seed < end; seed++) {
		AbutRng rng = {seed + 12345};
		CollidePair pair;
		CcdShape at[2];
		pair_sample(seed, abut_rng_uniform(&rng, 0.3, 1.3), &pair);
		const AbutCollisionResult result = pair_solve(&pair, 0.0);
		place_for_ccd(&pair, 0, &at[0]);
		place_for_ccd(&pair, 1, &at[1]);
		if (fabs(result.scaling - 1.0) >= 1e-6) {
			const bool overlap = ccdGJKIntersect(&at[0], &at[1], &ccd) != 0;
			cr_expect_eq(overlap, result.scaling < 1.0, "%s, seed %u: scaling %.12g, libccd says %s",
			             pair_name(&pair), seed, result.scaling, overlap ? "they overlap" : "apart");
			overlaps += overlap;
			compared++;
		}
		pair_free(&pair);
	}
	cr_expect(4 * overlaps > compared && 4 * overlaps < 3 * compared, "%ld of %ld overlap", overlaps, compared);
}

#define PART(i)                                                                                                        \
	Test(against_ccd, part_##i)                                                                                    \
	{                                                                                                              \
		compare((i)*PAIRS / 4, (i + 1) * PAIRS / 4);                                                           \
	}
PART(0)
PART(1)
PART(2)
PART(3)
