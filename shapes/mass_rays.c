/* Mass properties by rays: with r(u) how far the solid reaches from a point inside along the unit vector u,
 *
 *     int 1 = int r^3 / 3,     int x = int r^4 / 4 u,     int x x' = int r^5 / 5 u u'     over the unit sphere,
 *
 * x from that point. The sphere is a flat octahedron seen from the middle, its faces split in four evenly at first and
 * then, the worst first, where that changes the integrals most: by Radon's rule, of degree 5, with large triangles
 * where r is smooth, and with as small ones as it takes along the solid's edges. Tested in tests/shapes/mass_rays.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "shapes/conic_query.h"
#include "shapes/mass.h"

enum { INTEGRALS = 10, MOST_LEAVES = 1 << 18 };

/* Relative errors: what is aimed at, the most that is taken, and what changes are multiplied by, since an edge may pass
 * between rays or along many triangles alike. */
static const double goal = 1e-7, enough = 1e-4, stated = 8.0;

/* A change this much smaller than that of the triangle it was part of is one of a smooth r, by its fourth power at
 * least; what is left is then less than a sixteenth of it. */
static const double smooth = 1e-2, left_if_smooth = 1.0 / 16.0;

/* An edge through a triangle changes its integrals by the cube of its size, that of a part by an eighth; but where the
 * edge passes between the rays of a part, nothing shows. A part is believed to be off by this much of the whole,
 * where rays are cheap. */
static const double doubt_if_closed = 1.0 / 64.0;

/* A triangle: its integrals as its four parts have them, and how far off those may be. */
typedef struct Leaf {
	double corner[3][3], sum[INTEGRALS];
	double change, error;
} Leaf;

typedef struct Rays {
	const AbutShape *shape;
	const double *from;
	double size[3]; /* volume, and volume times length and length^2: what errors are relative to */
	long left;      /* rays that may still be cast */
	bool failed;
	double doubt;
	int n;
	Leaf *heap; /* (n of MOST_LEAVES) the largest error first */
} Rays;

/* weight times the integrands at the direction of x, a point of the flat triangle at `distance` from the middle: the
 * solid angle of a piece of it is (distance / |x|^3) of its area. */
static void add_ray(Rays *rays, const double x[3], double distance, double weight, double out[INTEGRALS])
{
	const double length = abut_norm3(x);
	const double u[3] = {x[0] / length, x[1] / length, x[2] / length};
	double r = 0.0;
	rays->left--;
	if (rays->failed || !abut_conic_ray(rays->shape, rays->from, u, &r) || !(r > 0.0)) {
		rays->failed = true;
		return;
	}
	const double share = weight * distance / (length * length * length), cube = share * r * r * r;
	out[0] += cube / 3.0;
	for (int i = 0, k = 4; i < 3; i++) {
		out[1 + i] += 0.25 * cube * r * u[i];
		for (int j = i; j < 3; j++, k++) {
			out[k] += 0.2 * cube * r * r * u[i] * u[j];
		}
	}
}

/* Radon's seven points. */
static void integrate(Rays *rays, const double corner[3][3], double out[INTEGRALS])
{
	static const double a[2] = {0.10128650732345633, 0.47014206410511505};
	static const double w[3] = {0.225, 0.12593918054482717, 0.13239415278850616};
	double ab[3], ac[3], n[3], x[3];
	for (int i = 0; i < 3; i++) {
		ab[i] = corner[1][i] - corner[0][i];
		ac[i] = corner[2][i] - corner[0][i];
		x[i] = (corner[0][i] + corner[1][i] + corner[2][i]) / 3.0;
	}
	abut_cross3(ab, ac, n);
	const double area = 0.5 * abut_norm3(n), distance = 0.5 * fabs(abut_dot3(n, corner[0])) / area;
	memset(out, 0, INTEGRALS * sizeof *out);
	add_ray(rays, x, distance, w[0] * area, out);
	for (int k = 0; k < 6; k++) {
		for (int i = 0; i < 3; i++) {
			x[i] = 0.0;
			for (int j = 0; j < 3; j++) {
				x[i] += (j == k % 3 ? 1.0 - 2.0 * a[k / 3] : a[k / 3]) * corner[j][i];
			}
		}
		add_ray(rays, x, distance, w[1 + k / 3] * area, out);
	}
}

static double largest_change(const Rays *rays, const double a[INTEGRALS], const double b[INTEGRALS])
{
	double most = 0.0;
	for (int i = 0; i < INTEGRALS; i++) {
		most = fmax(most, fabs(a[i] - b[i]) / rays->size[i == 0 ? 0 : i < 4 ? 1 : 2]);
	}
	return most;
}

/* Part i of four: a corner's, or the middle one. */
static void part_of(const double corner[3][3], int i, double out[3][3])
{
	for (int j = 0; j < 3; j++) {
		const int a = i < 3 ? i : (j + 1) % 3, b = i < 3 ? j : (j + 2) % 3;
		for (int k = 0; k < 3; k++) {
			out[j][k] = 0.5 * (corner[a][k] + corner[b][k]);
		}
	}
}

/* `before`: the change of the triangle that it is part of, 0 of none. */
static void make_leaf(Rays *rays, const double corner[3][3], double before, Leaf *out)
{
	double whole[INTEGRALS], part[INTEGRALS], small[3][3];
	memcpy(out->corner, corner, sizeof out->corner);
	memset(out->sum, 0, sizeof out->sum);
	integrate(rays, corner, whole);
	for (int i = 0; i < 4; i++) {
		part_of(corner, i, small);
		integrate(rays, small, part);
		for (int k = 0; k < INTEGRALS; k++) {
			out->sum[k] += part[k];
		}
	}
	out->change = largest_change(rays, out->sum, whole);
	out->error = fmax(out->change * (out->change <= smooth * before ? left_if_smooth : 1.0), rays->doubt * before);
}

/* --- the heap --- */

static void sink(Rays *rays, int at)
{
	const Leaf leaf = rays->heap[at];
	for (int child = 2 * at + 1; child < rays->n; child = 2 * at + 1) {
		if (child + 1 < rays->n && rays->heap[child + 1].error > rays->heap[child].error) {
			child++;
		}
		if (!(rays->heap[child].error > leaf.error)) {
			break;
		}
		rays->heap[at] = rays->heap[child];
		at = child;
	}
	rays->heap[at] = leaf;
}

static void push(Rays *rays, const Leaf *leaf)
{
	int at = rays->n++;
	for (; at > 0 && rays->heap[(at - 1) / 2].error < leaf->error; at = (at - 1) / 2) {
		rays->heap[at] = rays->heap[(at - 1) / 2];
	}
	rays->heap[at] = *leaf;
}

static double total(const Rays *rays, double sum[INTEGRALS])
{
	double error = 0.0;
	memset(sum, 0, INTEGRALS * sizeof *sum);
	for (int i = 0; i < rays->n; i++) {
		error += rays->heap[i].error;
		for (int k = 0; k < INTEGRALS; k++) {
			sum[k] += rays->heap[i].sum[k];
		}
	}
	return error;
}

/* --- */

static void begin(Rays *rays, const double corner[3][3], int depth)
{
	Leaf leaf;
	double small[3][3];
	if (depth == 0) {
		make_leaf(rays, corner, 0.0, &leaf);
		push(rays, &leaf);
		return;
	}
	for (int i = 0; i < 4; i++) {
		part_of(corner, i, small);
		begin(rays, small, depth - 1);
	}
}

static void begin_all(Rays *rays, int depth)
{
	rays->n = 0;
	for (int octant = 0; octant < 8; octant++) {
		double corner[3][3] = {{0.0}};
		for (int i = 0; i < 3; i++) {
			corner[i][i] = octant >> i & 1 ? -1.0 : 1.0;
		}
		begin(rays, corner, depth);
	}
}

static void set_sizes(Rays *rays)
{
	double sum[INTEGRALS];
	total(rays, sum);
	const double square = (sum[4] + sum[7] + sum[9]) / sum[0];
	rays->size[0] = sum[0];
	rays->size[1] = sum[0] * sqrt(square);
	rays->size[2] = sum[0] * square;
	rays->failed = rays->failed || !(sum[0] > 0.0) || !isfinite(square);
}

static void refine(Rays *rays)
{
	double sum[INTEGRALS], error = total(rays, sum);
	while (error > goal && !rays->failed && rays->left > 0 && rays->n + 3 < MOST_LEAVES) {
		const Leaf worst = rays->heap[0];
		double small[3][3];
		error -= worst.error;
		rays->heap[0] = rays->heap[--rays->n];
		sink(rays, 0);
		for (int i = 0; i < 4; i++) {
			Leaf leaf;
			part_of(worst.corner, i, small);
			make_leaf(rays, small, worst.change, &leaf);
			push(rays, &leaf);
			error += leaf.error;
		}
	}
}

bool abut_mass_by_rays(const AbutShape *shape, const double from[3], AbutMassProperties *out, double *relative_error)
{
	const bool closed = shape->n_eps == 0;
	Rays rays = {.shape = shape, .from = from, .size = {1.0, 1.0, 1.0}, .left = closed ? 20000000 : 250000};
	double sum[INTEGRALS];
	*relative_error = HUGE_VAL;
	rays.heap = malloc(MOST_LEAVES * sizeof *rays.heap);
	if (!rays.heap) {
		return false;
	}
	rays.doubt = closed ? doubt_if_closed : 0.0;
	begin_all(&rays, 1);
	set_sizes(&rays);
	begin_all(&rays, closed ? 6 : 2);
	refine(&rays);
	*relative_error = stated * total(&rays, sum);
	free(rays.heap);
	AbutMoments moments = {.volume = sum[0]};
	for (int i = 0, k = 4; i < 3; i++) {
		moments.first[i] = sum[1 + i];
		for (int j = i; j < 3; j++, k++) {
			moments.second[3 * i + j] = moments.second[3 * j + i] = sum[k];
		}
	}
	*out = abut_mass_from_moments(&moments);
	for (int i = 0; i < 3; i++) {
		out->centre_of_mass[i] += from[i];
	}
	return !rays.failed && *relative_error <= enough;
}
