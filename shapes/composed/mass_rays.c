/* Computes mass properties from rays. Let x = c + r(w) T w be the point where the ray along T w, with w a unit vector,
 * leaves the solid. Then the integrals over the solid are
 *
 *      int 1 = |T| int r^3 / 3,   int x - c = |T| T int r^4 / 4 w,   int (x - c)(x - c)' = |T| T int r^5 / 5 w w' T'
 *
 * where the right-hand sides are integrals over the unit sphere and |T| is the determinant. The point c and the matrix
 * T make the solid roughly round. They start with a guess; then c moves to the centre of mass and T becomes a root of
 * the covariance, both from the computed moments. So a thin solid takes no more rays than a thick one, and its small
 * moments are as accurate as its large ones.
 *
 * The sphere is divided into the faces of an octahedron, which are split in four: first uniformly, then where splitting
 * changes the integrals most. Each triangle uses Radon's rule of degree 5. Large triangles suffice where r is smooth;
 * small ones follow the edges of the solid. Tested in tests/shapes/composition.c and tests/shapes/composed_mass.c. */
#include "shapes/composed/mass_rays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/vec3.h"
#include "shapes/composed/reach.h"
#include "shapes/core/mass.h"

enum { INTEGRALS = 10, MOST_LEAVES = 1 << 18, MOST_FRAMES = 40 };

/* Settings by the cost of a ray.
 *   depth: number of uniform splits of the octahedron's faces
 *   levels: number of these splits, the last ones, that compare four parts with their triangle
 *   rays: largest number of rays
 *   goal: goal for the sum of the errors
 * The others allow for errors that the changes by splitting do not show.
 *   doubt: smallest error of a triangle, relative to the change of its parent. An edge of the solid changes the
 *     integrals of a triangle by the cube of the triangle's size, but an edge between the rays shows no change.
 *   stated: factor of the sum, because splitting the worst triangles leaves those with accidentally small changes
 *   unseen: added for edges along uniform triangles, which no ray meets
 * Measured by composed_mass/stated_errors_hold and the closed forms there. */
static const struct {
	int depth, levels;
	long rays;
	double goal, doubt, stated, unseen;
} effort[] = {
    [ABUT_REACH_CLOSED] = {5, 3, 8000000, 1e-7, 1.0 / 64.0, 6.0, 4e-7},
    [ABUT_REACH_SEARCH] = {3, 1, 250000, 1e-6, 1.0 / 64.0, 4.0, 2e-6},
    [ABUT_REACH_PROGRAM] = {2, 0, 60000, 5e-6, 0.0, 8.0, 4e-6},
};

/* If the change is smaller than the fraction `smooth` of the parent's change, r is smooth there. The error then falls
 * at least with the fourth power of the size, so that at most a sixteenth of the change remains. */
static const double smooth = 1e-2, left_if_smooth = 1.0 / 16.0;

/* A triangle with the integrals over its four parts, the change by splitting it, and the estimated error. */
typedef struct Leaf {
	double corner[3][3], part[4][INTEGRALS];
	double change, error;
} Leaf;

typedef struct Rays {
	int n_parts;
	const AbutShape *const *parts; /* (n_parts) the solid is their union */
	const AbutShape *within;       /* as far as it lies in this shape; NULL: all of it */
	double from[3], T[9];          /* the point c (m) and the matrix T */
	double size[3]; /* volume V, V r and V r^2 with r the root mean square radius: errors are relative to these */
	long left;      /* rays that may still be cast */
	bool failed;
	double doubt;
	bool no_memory;
	AbutStopper *stop;
	int n, capacity;
	Leaf *heap; /* (n) heap, the largest error first */
} Rays;

/* Computes the reach of the union: that of its furthest part, since all parts contain the start of the ray. */
static bool reach(const Rays *rays, const double u[3], double *r)
{
	double limit = HUGE_VAL;
	bool found = !rays->within || abut_shape_reach(rays->within, rays->from, u, &limit);
	*r = 0.0;
	for (int i = 0; found && i < rays->n_parts; i++) {
		double own = 0.0;
		found = abut_shape_reach(rays->parts[i], rays->from, u, &own);
		*r = fmax(*r, own);
	}
	*r = fmin(*r, limit);
	return found;
}

/* Adds weight times the integrands in the direction of x, a point of the flat triangle. `distance` is that of the
 * triangle's plane from the octahedron's middle. An area a at x has the solid angle a distance / |x|^3. */
static void add_ray(Rays *rays, const double x[3], double distance, double weight, double out[INTEGRALS])
{
	const double length = abut_norm3(x);
	const double w[3] = {x[0] / length, x[1] / length, x[2] / length};
	double along[3], r = 0.0;
	abut_mat3_vec(rays->T, w, along);
	const double stretch = abut_norm3(along);
	const double u[3] = {along[0] / stretch, along[1] / stretch, along[2] / stretch};
	rays->left--;
	if (rays->failed || !reach(rays, u, &r) || !(r > 0.0)) {
		rays->failed = true;
		return;
	}
	r /= stretch;
	const double share = weight * distance / (length * length * length), cube = share * r * r * r;
	out[0] += cube / 3.0;
	for (int i = 0, k = 4; i < 3; i++) {
		out[1 + i] += 0.25 * cube * r * w[i];
		for (int j = i; j < 3; j++, k++) {
			out[k] += 0.2 * cube * r * r * w[i] * w[j];
		}
	}
}

/* Integrates over a triangle by Radon's seven points. */
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

/* Computes part i of a triangle split in four: the parts at its corners, then the middle one. */
static void part_of(const double corner[3][3], int i, double out[3][3])
{
	for (int j = 0; j < 3; j++) {
		const int a = i < 3 ? i : (j + 1) % 3, b = i < 3 ? j : (j + 2) % 3;
		abut_add3(corner[a], corner[b], out[j]);
		abut_scale3(0.5, out[j], out[j]);
	}
}

/* Makes a leaf. `whole` contains the integrals over the undivided triangle. `before` is the change of its parent, or 0.
 */
static void make_leaf(Rays *rays, const double corner[3][3], const double whole[INTEGRALS], double before, Leaf *out)
{
	double sum[INTEGRALS] = {0.0}, small[3][3];
	rays->failed = rays->failed || abut_stopped(rays->stop);
	memcpy(out->corner, corner, sizeof out->corner);
	for (int i = 0; i < 4; i++) {
		part_of(corner, i, small);
		integrate(rays, small, out->part[i]);
		for (int k = 0; k < INTEGRALS; k++) {
			sum[k] += out->part[i][k];
		}
	}
	out->change = largest_change(rays, sum, whole);
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
	if (!abut_grow(&rays->heap, &rays->capacity, rays->n + 1, sizeof *rays->heap)) {
		rays->no_memory = rays->failed = true;
		return;
	}
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
		for (int k = 0; k < 4 * INTEGRALS; k++) {
			sum[k % INTEGRALS] += rays->heap[i].part[k / INTEGRALS][k % INTEGRALS];
		}
	}
	return error;
}

/* --- */

/* Function that is called for each uniform triangle, with its integrals. */
typedef void Visit(Rays *rays, const double corner[3][3], const double whole[INTEGRALS], void *context);

static void visit_even(Rays *rays, const double corner[3][3], int depth, Visit *visit, void *context)
{
	double small[3][3], whole[INTEGRALS];
	if (depth == 0) {
		integrate(rays, corner, whole);
		visit(rays, corner, whole, context);
		return;
	}
	for (int i = 0; i < 4; i++) {
		part_of(corner, i, small);
		visit_even(rays, small, depth - 1, visit, context);
	}
}

static void visit_all(Rays *rays, int depth, Visit *visit, void *context)
{
	for (int octant = 0; octant < 8; octant++) {
		double corner[3][3] = {{0.0}};
		for (int i = 0; i < 3; i++) {
			corner[i][i] = octant >> i & 1 ? -1.0 : 1.0;
		}
		visit_even(rays, corner, depth, visit, context);
	}
}

static void add_whole(Rays *rays, const double corner[3][3], const double whole[INTEGRALS], void *context)
{
	double *sum = context;
	(void)rays;
	(void)corner;
	for (int k = 0; k < INTEGRALS; k++) {
		sum[k] += whole[k];
	}
}

/* Splits the triangle `levels` times and appends the resulting leaves. `before` is the change of its parent. */
static void push_parts(Rays *rays, const double corner[3][3], const double whole[INTEGRALS], double before, int levels)
{
	Leaf leaf;
	make_leaf(rays, corner, whole, before, &leaf);
	if (levels == 0) {
		push(rays, &leaf);
		return;
	}
	for (int i = 0; i < 4; i++) {
		double small[3][3];
		part_of(corner, i, small);
		push_parts(rays, small, leaf.part[i], leaf.change, levels - 1);
	}
}

static void push_whole(Rays *rays, const double corner[3][3], const double whole[INTEGRALS], void *context)
{
	push_parts(rays, corner, whole, 0.0, *(const int *)context);
}

/* --- the frame --- */

static AbutMoments moments_of(const double sum[INTEGRALS])
{
	AbutMoments moments = {.volume = sum[0]};
	for (int i = 0, k = 4; i < 3; i++) {
		moments.first[i] = sum[1 + i];
		for (int j = i; j < 3; j++, k++) {
			moments.second[3 * i + j] = moments.second[3 * j + i] = sum[k];
		}
	}
	return moments;
}

/* A rotation unlikely to match the axes of any solid. Without it, the triangular root would align the plane of a thin
 * solid with an axis. Its edges would then run along triangles and no ray would meet them. */
static const double askew[4] = {0.7990, 0.2653, 0.4378, 0.3144};

/* Moves c to the centre of mass and multiplies T by a root of the covariance, both estimated with few rays. Repeats
 * this until the solid is round, since each repetition makes a flat solid rounder. */
static void set_frame(Rays *rays)
{
	static const double floor =
	    1e-4; /* fraction of the variance, added because few rays may miss a whole direction */
	bool round = false;
	double Q[9], turn[4];
	memcpy(turn, askew, sizeof turn);
	abut_quat_normalise(turn);
	abut_quat_to_mat3(turn, Q);
	memcpy(rays->T, Q, sizeof Q);
	for (int i = 0; i < MOST_FRAMES && !round && !rays->failed; i++) {
		double sum[INTEGRALS] = {0.0}, C[9], L[9], T[9], step[3];
		visit_all(rays, 1, add_whole, sum);
		const AbutMoments moments = moments_of(sum);
		const double *mean = moments.first, V = moments.volume;
		double variance = 0.0;
		for (int k = 0; k < 9; k++) {
			C[k] = moments.second[k] / V - mean[k / 3] * mean[k % 3] / (V * V);
			variance += k % 4 ? 0.0 : C[k] / 3.0;
		}
		for (int k = 0; k < 9; k += 4) {
			C[k] += floor * variance;
		}
		if (!(V > 0.0) || !abut_mat3_root(C, L)) {
			rays->failed = true;
			return;
		}
		const double volume = L[0] * L[4] * L[8];
		round = volume * volume > 0.5 * variance * variance * variance;
		abut_mat3_vec(rays->T, mean, step);
		abut_mat3_mul(L, Q, C);
		abut_mat3_mul(rays->T, C, T);
		for (int k = 0; k < 9; k++) {
			rays->from[k % 3] += k < 3 && rays->n_parts == 1 ? step[k] / V : 0.0;
			rays->T[k] = sqrt(5.0) * T[k]; /* this makes the radius of a ball 1 */
		}
	}
}

/* Returns the determinant of T. */
static double stretch_of(const double T[9])
{
	return T[0] * (T[4] * T[8] - T[5] * T[7]) - T[1] * (T[3] * T[8] - T[5] * T[6]) +
	       T[2] * (T[3] * T[7] - T[4] * T[6]);
}

/* Maps the moments of the round solid about c back to the solid's own frame. */
static AbutMassProperties map_back(const Rays *rays, const double sum[INTEGRALS])
{
	const double *T = rays->T;
	AbutMoments moments = moments_of(sum);
	double half[9];
	const double stretch = stretch_of(T);
	moments.volume *= stretch;
	abut_mat3_vec(T, moments.first, moments.first);
	abut_mat3_mul(T, moments.second, half);
	abut_mat3_mul_transposed(half, T, moments.second);
	for (int i = 0; i < 9; i++) {
		moments.first[i % 3] *= i < 3 ? stretch : 1.0;
		moments.second[i] *= stretch;
	}
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < i; j++) { /* make symmetric in spite of rounding */
			moments.second[3 * i + j] = moments.second[3 * j + i];
		}
	}
	AbutMassProperties mass = abut_mass_from_moments(&moments);
	abut_add3(mass.centre_of_mass, rays->from, mass.centre_of_mass);
	return mass;
}

/* --- */

static void set_sizes(Rays *rays)
{
	double sum[INTEGRALS] = {0.0};
	visit_all(rays, 1, add_whole, sum);
	const double square = (sum[4] + sum[7] + sum[9]) / sum[0];
	rays->size[0] = sum[0];
	rays->size[1] = sum[0] * sqrt(square);
	rays->size[2] = sum[0] * square;
	rays->failed = rays->failed || !(sum[0] > 0.0) || !isfinite(square);
}

static void refine(Rays *rays, double goal)
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
			make_leaf(rays, small, worst.part[i], worst.change, &leaf);
			push(rays, &leaf);
			error += leaf.error;
		}
	}
}

AbutStatus abut_mass_by_rays(const AbutShape *shape, const double from[3], double harmless, const AbutComposing *how,
                             AbutMassProperties *out, double *relative_error)
{
	return abut_star_mass_by_rays(1, &shape, NULL, from, harmless, how, out, relative_error);
}

static AbutReachCost dearest(const Rays *rays)
{
	AbutReachCost most = rays->within ? abut_shape_reach_cost(rays->within) : ABUT_REACH_CLOSED;
	for (int i = 0; i < rays->n_parts; i++) {
		const AbutReachCost cost = abut_shape_reach_cost(rays->parts[i]);
		most = cost > most ? cost : most;
	}
	return most;
}

static long work_of_ray(const Rays *rays)
{
	long work = rays->within ? abut_shape_reach_work(rays->within) : 0;
	for (int i = 0; i < rays->n_parts; i++) {
		work += abut_shape_reach_work(rays->parts[i]);
	}
	return work;
}

AbutStatus abut_star_mass_by_rays(int n, const AbutShape *const *parts, const AbutShape *within, const double from[3],
                                  double harmless, const AbutComposing *how, AbutMassProperties *out,
                                  double *relative_error)
{
	Rays rays = {.n_parts = n, .parts = parts, .within = within, .stop = how->stop};
	const AbutReachCost cost = dearest(&rays);
	const long most = effort[cost].rays / n, work = work_of_ray(&rays);
	rays.left = how->work && *how->work / work < most ? *how->work / work + 1 : most;
	const long allowed = rays.left;
	rays.doubt = effort[cost].doubt;
	int levels = effort[cost].levels;
	double sum[INTEGRALS];
	abut_copy3(from, rays.from);
	set_frame(&rays);
	set_sizes(&rays);
	visit_all(&rays, effort[cost].depth - levels, push_whole, &levels);
	if (!rays.failed) {
		const double share = harmless / (rays.size[0] * stretch_of(rays.T));
		refine(&rays, fmax(effort[cost].goal, share / effort[cost].stated));
	}
	*relative_error = effort[cost].stated * total(&rays, sum) + effort[cost].unseen;
	*out = map_back(&rays, sum);
	free(rays.heap);
	if (how->work) {
		*how->work -= work * (allowed - rays.left);
	}
	return rays.no_memory            ? ABUT_ERROR_MEMORY
	       : abut_stopped(how->stop) ? ABUT_ERROR_STOPPED
	       : rays.failed             ? ABUT_ERROR_NUMERICAL
	                                 : ABUT_OK;
}
