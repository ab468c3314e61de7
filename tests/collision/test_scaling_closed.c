/* Compares the growth distance with closed forms: spheres, halfspaces, boxes by their fifteen axes, capsules by
 * bisection. */
#include "effort.h"
#include "scaling_pair.h"
#include "solver/sample_cones.h"

static const double kappas[] = {1e-8, 1e-9, 1e-10};

static AbutShape *box_of(const double half[3])
{
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_box(half, &shape, NULL), ABUT_OK);
	return shape;
}

static void random_rotation(AbutRng *rng, double R[9])
{
	double q[4];
	abut_rng_rotation(rng, q);
	abut_quat_to_mat3(q, R);
}

/* For two spheres alpha = distance / (R1 + R2), and p divides the line in the ratio of the radii. */
Test(scaling_closed, spheres)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {seed};
		const double r = sample_log_uniform(&rng, 0.3, 3.0), s = sample_log_uniform(&rng, 0.3, 3.0);
		const double distance = sample_log_uniform(&rng, 0.1, 20.0), kappa = kappas[seed % 3];
		double u[3];
		Placed a = {.x = {0.1, -0.2, 0.3}}, b = {.x = {0.0}};
		cr_assert_eq(abut_shape_create_sphere(r, &a.shape, NULL), ABUT_OK);
		cr_assert_eq(abut_shape_create_sphere(s, &b.shape, NULL), ABUT_OK);
		random_rotation(&rng, a.R);
		random_rotation(&rng, b.R);
		sample_unit(3, &rng, u);
		for (int i = 0; i < 3; i++) {
			b.x[i] = a.x[i] + distance * u[i];
		}
		const ScalingResult result = solve_scaling(&a, &b, kappa);
		cr_assert(result.solved, "seed %u", seed);
		cr_assert_float_eq(result.alpha, distance / (r + s), scaling_tolerance(&result, kappa), "seed %u",
		                   seed);
		/* p leaves the line by the root of alpha's slack, sqrt(kappa), because two spheres are tangent */
		for (int i = 0; i < 3; i++) {
			cr_assert_float_eq(result.p[i], a.x[i] + distance * r / (r + s) * u[i], 20.0 * sqrt(kappa),
			                   "seed %u", seed);
			cr_assert_float_eq(result.n[i], u[i] / (r + s), 20.0 * sqrt(kappa), "seed %u: normal", seed);
		}
		abut_shape_destroy(a.shape);
		abut_shape_destroy(b.shape);
	}
}

/* Any shape on a halfspace, which does not scale: alpha is the height of the centre over the reach downwards. */
Test(scaling_closed, everything_on_a_halfspace)
{
	for (unsigned seed = 0; seed < 480; seed++) {
		AbutRng rng = {seed};
		const double kappa = kappas[seed % 3], distance = sample_log_uniform(&rng, 0.05, 5.0);
		const double x[3] = {abut_rng_normal(&rng), abut_rng_normal(&rng), abut_rng_normal(&rng)};
		Placed a, plane = {.x = {0.3, 0.1, -0.2}};
		double n[3], centre[3], minus[3];
		sample_placed((AbutShapeKind)(1 + seed % 8), sample_log_uniform(&rng, 0.3, 3.0), x, &rng, &a);
		plane.shape = sample_shape(ABUT_SHAPE_HALFSPACE, 1.0, &rng); /* z <= 0 */
		random_rotation(&rng, plane.R);
		for (int i = 0; i < 3; i++) {
			n[i] = plane.R[3 * i + 2];
			minus[i] = -n[i];
		}
		placed_centre(&a, centre);
		for (int i = 0; i < 3; i++) { /* put the centre at the distance */
			a.x[i] += plane.x[i] + distance * n[i] - centre[i];
		}
		const ScalingResult result = solve_scaling(&a, &plane, kappa);
		const char *name = abut_shape_kind_name(a.shape->kind);
		cr_assert(result.solved, "%s, seed %u", name, seed);
		const double expected = distance / placed_support(&a, minus);
		cr_assert_float_eq(result.alpha, expected, scaling_tolerance(&result, kappa),
		                   "%s, seed %u: %.12g of %.12g", name, seed, result.alpha, expected);
		abut_shape_destroy(a.shape);
		abut_shape_destroy(plane.shape);
	}
}

/* For parallel boxes alpha is the largest ratio of distance to half extents along the axes. */
Test(scaling_closed, boxes_along_the_axes)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {seed};
		const double kappa = kappas[seed % 3];
		double half[2][3], expected = 0.0;
		Placed a = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, b = a;
		for (int i = 0; i < 3; i++) {
			half[0][i] = sample_log_uniform(&rng, 0.2, 2.0);
			half[1][i] = sample_log_uniform(&rng, 0.2, 2.0);
			a.x[i] = abut_rng_normal(&rng);
			b.x[i] = a.x[i] + 2.0 * abut_rng_normal(&rng);
			expected = fmax(expected, fabs(b.x[i] - a.x[i]) / (half[0][i] + half[1][i]));
		}
		a.shape = box_of(half[0]);
		b.shape = box_of(half[1]);
		const ScalingResult result = solve_scaling(&a, &b, kappa);
		cr_assert(result.solved, "seed %u", seed);
		cr_assert_float_eq(result.alpha, expected, scaling_tolerance(&result, kappa), "seed %u: %.12g of %.12g",
		                   seed, result.alpha, expected);
		abut_shape_destroy(a.shape);
		abut_shape_destroy(b.shape);
	}
}

/* Returns |n . d| / (r_a + r_b) of one axis, 0 if the axis vanishes. */
static double axis_ratio(const double n[3], const double d[3], const double R[2][9], const double half[2][3])
{
	double reach = 0.0;
	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < 3; i++) {
			const double axis[3] = {R[side][i], R[side][3 + i], R[side][6 + i]};
			reach += half[side][i] * fabs(abut_dot3(n, axis));
		}
	}
	return abut_norm3(n) > 1e-6 ? fabs(abut_dot3(n, d)) / reach : 0.0;
}

/* For rotated boxes, the Minkowski sum has faces only along the fifteen axes, so that alpha is exactly the largest
 * ratio over them. */
Test(scaling_closed, boxes_by_their_fifteen_axes)
{
	for (unsigned seed = 0; seed < TEST_EFFORT(1000); seed++) {
		AbutRng rng = {seed};
		const double kappa = kappas[seed % 3], distance = sample_log_uniform(&rng, 0.05, 20.0);
		double half[2][3], R[2][9], d[3], u[3], expected = 0.0;
		Placed a = {.x = {0.0}}, b;
		sample_unit(3, &rng, u);
		for (int side = 0; side < 2; side++) {
			random_rotation(&rng, R[side]);
			for (int i = 0; i < 3; i++) {
				half[side][i] = sample_log_uniform(&rng, 0.2, 2.0);
			}
		}
		for (int i = 0; i < 3; i++) {
			d[i] = distance * u[i];
		}
		abut_copy3(d, b.x);
		memcpy(a.R, R[0], sizeof a.R);
		memcpy(b.R, R[1], sizeof b.R);
		a.shape = box_of(half[0]);
		b.shape = box_of(half[1]);
		for (int i = 0; i < 3; i++) {
			const double p[3] = {R[0][i], R[0][3 + i], R[0][6 + i]};
			for (int j = 0; j < 3; j++) {
				const double q[3] = {R[1][j], R[1][3 + j], R[1][6 + j]};
				double n[3];
				abut_cross3(p, q, n);
				expected = fmax(expected, axis_ratio(n, d, R, half));
				expected = fmax(expected, axis_ratio(q, d, R, half));
			}
			expected = fmax(expected, axis_ratio(p, d, R, half));
		}
		const ScalingResult result = solve_scaling(&a, &b, kappa);
		cr_assert(result.solved, "seed %u", seed);
		cr_assert_float_eq(result.alpha, expected, scaling_tolerance(&result, kappa), "seed %u: %.12g of %.12g",
		                   seed, result.alpha, expected);
		abut_shape_destroy(a.shape);
		abut_shape_destroy(b.shape);
	}
}

/* Computes the distance of two segments c +- half u by minimising over one parameter in closed form and over the other
 * by ternary search. This is slow, and unlike any solver here. */
static double segment_distance(const double d[3], const double u[3], double half_u, const double v[3], double half_v)
{
	double low = -half_u, high = half_u, best = INFINITY;
	for (int i = 0; i < 200; i++) {
		double value[2];
		for (int k = 0; k < 2; k++) {
			const double s = k == 0 ? low + (high - low) / 3.0 : high - (high - low) / 3.0;
			double w[3];
			for (int j = 0; j < 3; j++) {
				w[j] = d[j] - s * u[j]; /* from the point on the first to the second's centre */
			}
			const double t = fmin(fmax(-abut_dot3(w, v), -half_v), half_v);
			for (int j = 0; j < 3; j++) {
				w[j] += t * v[j];
			}
			value[k] = abut_norm3(w);
		}
		best = fmin(best, fmin(value[0], value[1]));
		*(value[0] < value[1] ? &high : &low) =
		    value[0] < value[1] ? high - (high - low) / 3.0 : low + (high - low) / 3.0;
	}
	return best;
}

/* Capsules scaled by alpha touch when the scaled axes are alpha (R1 + R2) apart. Finds alpha by bisection: the scaled
 * distance falls while the radii grow. */
Test(scaling_closed, capsules)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {seed};
		const double kappa = kappas[seed % 3];
		double radius[2], length[2], axis[2][3], d[3], low = 0.0, high = 1e3;
		Placed body[2];
		for (int side = 0; side < 2; side++) {
			radius[side] = sample_log_uniform(&rng, 0.1, 1.0);
			length[side] = sample_log_uniform(&rng, 0.2, 4.0);
			cr_assert_eq(abut_shape_create_capsule(radius[side], length[side], &body[side].shape, NULL),
			             ABUT_OK);
			random_rotation(&rng, body[side].R);
			if (seed % 10 == 0 && side == 1) {
				memcpy(body[1].R, body[0].R, sizeof body[1].R); /* parallel */
			}
			for (int i = 0; i < 3; i++) {
				axis[side][i] = body[side].R[3 * i + 2];
				body[side].x[i] = 1.5 * abut_rng_normal(&rng);
			}
		}
		for (int i = 0; i < 3; i++) {
			d[i] = body[1].x[i] - body[0].x[i];
		}
		for (int i = 0; i < 60; i++) {
			const double middle = 0.5 * (low + high);
			const double distance =
			    segment_distance(d, axis[0], 0.5 * middle * length[0], axis[1], 0.5 * middle * length[1]);
			*(distance > middle * (radius[0] + radius[1]) ? &low : &high) = middle;
		}
		const ScalingResult result = solve_scaling(&body[0], &body[1], kappa);
		cr_assert(result.solved, "seed %u", seed);
		cr_assert_float_eq(result.alpha, low, scaling_tolerance(&result, kappa), "seed %u: %.12g of %.12g",
		                   seed, result.alpha, low);
		abut_shape_destroy(body[0].shape);
		abut_shape_destroy(body[1].shape);
	}
}

/* A sphere is over a face, an edge and a corner of the unit cube. Outside the box's scaled faces the nearest point
 * decides: alpha solves |max(d - alpha h, 0)| = alpha r, by bisection. */
Test(scaling_closed, sphere_and_box)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {seed};
		const double kappa = kappas[seed % 3], r = sample_log_uniform(&rng, 0.1, 1.0);
		double half[3], local[3], low = 0.0, high = 1e3;
		Placed a, b;
		for (int i = 0; i < 3; i++) {
			half[i] = sample_log_uniform(&rng, 0.2, 2.0);
			local[i] = abut_rng_normal(&rng) * 2.0;
			a.x[i] = abut_rng_normal(&rng);
		}
		a.shape = box_of(half);
		cr_assert_eq(abut_shape_create_sphere(r, &b.shape, NULL), ABUT_OK);
		random_rotation(&rng, a.R);
		random_rotation(&rng, b.R);
		abut_mat3_vec(a.R, local, b.x);
		for (int i = 0; i < 3; i++) {
			b.x[i] += a.x[i];
		}
		for (int i = 0; i < 80; i++) {
			const double middle = 0.5 * (low + high);
			double out[3];
			for (int j = 0; j < 3; j++) {
				out[j] = fmax(fabs(local[j]) - middle * half[j], 0.0);
			}
			*(abut_norm3(out) > middle * r ? &low : &high) = middle;
		}
		const ScalingResult result = solve_scaling(&a, &b, kappa);
		cr_assert(result.solved, "seed %u", seed);
		cr_assert_float_eq(result.alpha, low, scaling_tolerance(&result, kappa), "seed %u: %.12g of %.12g",
		                   seed, result.alpha, low);
		abut_shape_destroy(a.shape);
		abut_shape_destroy(b.shape);
	}
}
