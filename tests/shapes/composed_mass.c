/* Compares the mass of sums and intersections, thick and thin, with closed forms, within the stated errors. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/vec3.h"
#include "sample.h"
#include "shapes/composed/mass_rays.h"
#include "shapes/core/mass.h"

typedef AbutStatus Compose(int n, const AbutShape *const *parts, AbutShape **out, AbutError *error);

/* Composes the parts and takes ownership of them. */
static AbutShape *compose(Compose *create, int n, AbutShape *const *parts)
{
	AbutShape *shape = NULL;
	AbutError error = {0};
	cr_assert_eq(create(n, (const AbutShape *const *)parts, &shape, &error), ABUT_OK, "%s", error.message);
	for (int i = 0; i < n; i++) {
		abut_shape_destroy(parts[i]);
	}
	return shape;
}

static AbutShape *make_sphere(double R)
{
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_sphere(R, &shape, NULL), ABUT_OK);
	return shape;
}

static AbutShape *make_box(double x, double y, double z)
{
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_box((const double[3]){x, y, z}, &shape, NULL), ABUT_OK);
	return shape;
}

static AbutShape *make_ellipsoid(double x, double y, double z)
{
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_ellipsoid((const double[3]){x, y, z}, &shape, NULL), ABUT_OK);
	return shape;
}

static AbutShape *make_cylinder(double R, double L)
{
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_cylinder(R, L, &shape, NULL), ABUT_OK);
	return shape;
}

static AbutShape *make_capsule(double R, double L)
{
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_capsule(R, L, &shape, NULL), ABUT_OK);
	return shape;
}

/* Rotates a shape about x, then moves it along z. */
static AbutShape *place(AbutShape *shape, double turn, double z)
{
	const double c = cos(turn), s = sin(turn), R[9] = {1, 0, 0, 0, c, -s, 0, s, c}, t[3] = {0.0, 0.0, z};
	cr_assert_eq(abut_shape_move(shape, R, t, NULL), ABUT_OK);
	return shape;
}

/* Returns the largest relative difference: of the volume; of the centre, relative to the extents along the axes; of the
 * inertia, relative to its trace. */
static double difference(const AbutMassProperties *a, const AbutMassProperties *b)
{
	const double trace = b->inertia[0] + b->inertia[4] + b->inertia[8];
	double largest = fabs(a->volume / b->volume - 1.0);
	for (int i = 0; i < 3; i++) {
		const double variance = (0.5 * trace - b->inertia[4 * i]) / b->volume;
		const double step = a->centre_of_mass[i] - b->centre_of_mass[i];
		largest = fmax(largest, fabs(step) / (sqrt(5.0 * variance) + 1e-15));
	}
	for (int i = 0; i < 9; i++) {
		largest = fmax(largest, fabs(a->inertia[i] - b->inertia[i]) / trace);
	}
	return largest;
}

/* --- by rays --- */

/* Every solid with a closed form, from a point inside that is not its centre, with ratios 1 : 1 to 1 : 1000. */
Test(composed_mass, stated_errors_hold)
{
	static const double aspects[] = {1.0, 1e-3};
	for (int i = 0; i < 2; i++) {
		const double k = aspects[i];
		AbutShape *const shapes[] = {make_box(1.0, 0.7, 0.8 * k), make_cylinder(0.6, 0.6 * k),
		                             make_cylinder(0.6 * k, 0.6), make_capsule(0.6 * k, 0.6),
		                             make_ellipsoid(1.0, k, k * k + k)};
		for (int j = 0; j < 5; j++) {
			AbutRng rng = {(unsigned)(5 * i + j)};
			AbutMassProperties mass;
			double from[3], error = 1.0;
			sample_move(shapes[j], 1.0, &rng);
			for (int l = 0; l < 3; l++) {
				from[l] = shapes[j]->centre[l] + 0.1 * (l - 1.3) * shapes[j]->inner_radius;
			}
			cr_assert_eq(abut_mass_by_rays(shapes[j], from, 0.0, &(AbutComposing){0}, &mass, &error),
			             ABUT_OK, "aspect %g, shape %d", k, j);
			const double off = difference(&mass, &shapes[j]->mass);
			cr_expect_leq(error, 1e-6, "aspect %g, shape %d: stated %g", k, j, error);
			cr_expect_leq(off, error, "aspect %g, shape %d: off by %g, stated %g", k, j, off, error);
			abut_shape_destroy(shapes[j]);
		}
	}
}

/* Two unit balls share a lens of height 2 h along z. At the height t above its middle plane and with c = 2 - h, the
 * squared radius of its section is (h - t) (c + t). */
static AbutMassProperties lens_mass(double h)
{
	const double c = 2.0 - h, h2 = h * h, h3 = h2 * h;
	const double V = 2.0 * M_PI * (c * h2 / 2.0 + h3 / 6.0);
	const double along = 2.0 * M_PI * (c * h2 * h2 / 12.0 + h2 * h3 / 20.0);
	const double across = 0.5 * M_PI * (c * c * h3 / 3.0 + c * h2 * h2 / 6.0 + h2 * h3 / 30.0);
	return abut_mass_diagonal(V, along + across, along + across, 2.0 * across);
}

Test(composed_mass, of_lenses)
{
	for (int i = 0; i < 7; i++) {
		const double h = 0.5 * pow(10.0, -i);
		AbutShape *lens = compose(
		    abut_shape_create_intersection, 2,
		    (AbutShape *[]){place(make_sphere(1.0), 0.0, 1.0 - h), place(make_sphere(1.0), 0.0, h - 1.0)});
		const AbutMassProperties exact = lens_mass(h);
		/* The rounding of the distance of the centres changes the height. */
		const double off = difference(&lens->mass, &exact), rounding = 1e-15 / h;
		cr_expect_leq(lens->mass_error, 1e-6, "h %g: stated %g", h, lens->mass_error);
		cr_expect_leq(off, lens->mass_error + rounding, "h %g: off by %g, stated %g", h, off, lens->mass_error);
		cr_expect_geq(lens->outer_radius, sqrt(h * (2.0 - h)) * (1.0 - 1e-6), "h %g", h);
		cr_expect(lens->inner_radius > 0.2 * h && lens->inner_radius < h * (1.0 + rounding), "h %g: %g", h,
		          lens->inner_radius);
		abut_shape_destroy(lens);
	}
}

/* Intersections of two and three crossed cylinders (Steinmetz), of crossed capsules where only their tubes meet, and of
 * a cylinder cut to a disc. */
Test(composed_mass, of_intersections)
{
	static const double turn[9] = {0, 0, 1, 0, 1, 0, -1, 0, 0}, zero[3] = {0.0};
	AbutShape *third = make_cylinder(0.7, 3.0);
	cr_assert_eq(abut_shape_move(third, turn, zero, NULL), ABUT_OK);
	const double cube = 0.7 * 0.7 * 0.7, thickness = 1e-3;
	const struct {
		AbutShape *shape;
		double volume;
	} cases[] = {
	    {compose(abut_shape_create_intersection, 2,
	             (AbutShape *[]){make_cylinder(0.7, 3.0), place(make_cylinder(0.7, 3.0), M_PI_2, 0.0)}),
	     16.0 / 3.0 * cube},
	    {compose(abut_shape_create_intersection, 3,
	             (AbutShape *[]){make_cylinder(0.7, 3.0), place(make_cylinder(0.7, 3.0), M_PI_2, 0.0), third}),
	     8.0 * (2.0 - sqrt(2.0)) * cube},
	    {compose(abut_shape_create_intersection, 2,
	             (AbutShape *[]){make_capsule(0.7, 3.0), place(make_capsule(0.7, 3.0), M_PI_2, 0.0)}),
	     16.0 / 3.0 * cube},
	    {compose(abut_shape_create_intersection, 2,
	             (AbutShape *[]){make_cylinder(0.7, 3.0), make_box(1.0, 1.0, 0.5 * thickness)}),
	     M_PI * 0.49 * thickness},
	};
	for (int i = 0; i < 4; i++) {
		const AbutShape *shape = cases[i].shape;
		const double off = fabs(shape->mass.volume / cases[i].volume - 1.0);
		cr_expect_leq(shape->mass_error, 1e-6, "case %d: stated %g", i, shape->mass_error);
		cr_expect_leq(off, shape->mass_error, "case %d: off by %g, stated %g", i, off, shape->mass_error);
		abut_shape_destroy(cases[i].shape);
	}
}

/* Solids are cut by planes that some rays never meet. A tilted plane through a capsule's tube takes as much on one side
 * of the axis as it gives on the other. A plane parallel to the axis at distance c leaves segments of height R + c of
 * the disc times L, and of the ball. A plane through the centre of a symmetric sum leaves half of it. */
Test(composed_mass, of_what_planes_cut)
{
	const double R = 0.4, L = 1.2, z = 0.25, c = 0.1, height = R + c;
	AbutShape *planes[3] = {NULL},
	          *body = compose(abut_shape_create_minkowski_sum, 2,
	                          (AbutShape *[]){make_ellipsoid(0.5, 0.4, 0.3), make_cylinder(0.3, 0.5)});
	cr_assert_eq(abut_shape_create_halfspace((const double[3]){0.2, 0.0, 1.0}, z, &planes[0], NULL), ABUT_OK);
	cr_assert_eq(abut_shape_create_halfspace((const double[3]){0.6, 0.8, 0.0}, c, &planes[1], NULL), ABUT_OK);
	cr_assert_eq(abut_shape_create_halfspace((const double[3]){0.3, -0.5, 0.7}, 0.0, &planes[2], NULL), ABUT_OK);
	const double volumes[3] = {M_PI * R * R * (0.5 * L + z) + 2.0 / 3.0 * M_PI * R * R * R,
	                           (R * R * acos(-c / R) + c * sqrt(R * R - c * c)) * L +
	                               M_PI * height * height * (R - height / 3.0),
	                           0.5 * body->mass.volume};
	for (int i = 0; i < 3; i++) {
		const double more = i < 2 ? 0.0 : body->mass_error;
		AbutShape *const uncut = i < 2 ? make_capsule(R, L) : body;
		AbutShape *cut = compose(abut_shape_create_intersection, 2, (AbutShape *[]){uncut, planes[i]});
		const double off = fabs(cut->mass.volume / volumes[i] - 1.0);
		cr_expect_leq(cut->mass_error, i < 2 ? 1e-6 : ABUT_MASS_ERROR_MAX, "cut %d: stated %g", i,
		              cut->mass_error);
		cr_expect_leq(off, cut->mass_error + more, "cut %d: off by %g, stated %g", i, off, cut->mass_error);
		abut_shape_destroy(cut);
	}
}

/* Sums without corners: an ellipsoid and itself scaled; a cylinder by Steiner's polynomial, V + S r + (pi L + pi^2 R)
 * r^2 + 4/3 pi r^3; a disc and a rectangle, with the heights of their cylinder and box. */
Test(composed_mass, of_sums_without_corners)
{
	for (int i = 0; i < 4; i++) {
		const double k = pow(10.0, -i);
		AbutShape *sum =
		    compose(abut_shape_create_minkowski_sum, 2,
		            (AbutShape *[]){make_ellipsoid(1.0, 0.7, 0.8 * k), make_ellipsoid(0.5, 0.35, 0.4 * k)});
		AbutShape *exact = make_ellipsoid(1.5, 1.05, 1.2 * k);
		const double off = difference(&sum->mass, &exact->mass);
		cr_expect_leq(sum->mass_error, 1e-5, "1 : %g: stated %g", 1.0 / k, sum->mass_error);
		cr_expect_leq(off, sum->mass_error, "1 : %g: off by %g, stated %g", 1.0 / k, off, sum->mass_error);
		abut_shape_destroy(sum);
		abut_shape_destroy(exact);
	}
	const double R = 1.0, L = 0.8, r = 0.3;
	const struct {
		AbutShape *shape;
		double volume, error;
	} cases[] = {
	    {compose(abut_shape_create_minkowski_sum, 2, (AbutShape *[]){make_cylinder(R, L), make_sphere(r)}),
	     M_PI * R * R * L + 2.0 * M_PI * R * (R + L) * r + (M_PI * L + M_PI * M_PI * R) * r * r +
	         4.0 / 3.0 * M_PI * r * r * r,
	     1e-5},
	    {compose(abut_shape_create_minkowski_sum, 2, (AbutShape *[]){make_cylinder(R, L), make_box(0.4, 0.3, 0.2)}),
	     (4.0 * 0.4 * 0.3 + 4.0 * (0.4 + 0.3) * R + M_PI * R * R) * (L + 0.4), ABUT_MASS_ERROR_MAX},
	};
	for (int i = 0; i < 2; i++) {
		const AbutShape *shape = cases[i].shape;
		const double off = fabs(shape->mass.volume / cases[i].volume - 1.0);
		cr_expect_leq(shape->mass_error, cases[i].error, "case %d: stated %g", i, shape->mass_error);
		cr_expect_leq(off, shape->mass_error, "case %d: off by %g, stated %g", i, off, shape->mass_error);
		abut_shape_destroy(cases[i].shape);
	}
}

/* --- with corners: exact --- */

/* Sum of two capsules at an angle: a parallelogram plus a ball. Its volume at any angle and thickness. */
Test(composed_mass, of_capsules_that_cross)
{
	static const double angles[] = {M_PI_2, 0.3, 1e-3, 1e-6, 1e-9};
	for (int j = 0; j < 8; j++) {
		const double R = pow(10.0, -j);
		for (int i = 0; i < 5; i++) {
			AbutShape *sum = compose(abut_shape_create_minkowski_sum, 2,
			                         (AbutShape *[]){make_capsule(0.5 * R, 2.0),
			                                         place(make_capsule(0.5 * R, 1.5), angles[i], 0.0)});
			const double V =
			    2.0 * R * 3.0 * sin(angles[i]) + 0.5 * M_PI * R * R * 7.0 + 4.0 / 3.0 * M_PI * R * R * R;
			cr_expect_float_eq(sum->mass.volume, V, 1e-12 * V, "R %g, angle %g: %.15g, %.15g", R, angles[i],
			                   sum->mass.volume, V);
			cr_expect_eq(sum->mass_error, 0.0);
			abut_shape_destroy(sum);
		}
	}
}

/* At a right angle the sum is a padded box, except for its height, which is small. */
Test(composed_mass, of_a_rectangle_padded)
{
	const double R = 0.6, height = 1e-6;
	AbutShape *sum = compose(abut_shape_create_minkowski_sum, 2,
	                         (AbutShape *[]){make_capsule(0.25, 2.0), place(make_capsule(0.35, 1.5), M_PI_2, 0.0)});
	AbutShape *core = make_box(height, 0.75, 1.0), *padded = NULL;
	cr_assert_eq(abut_shape_create_padded_polytope(core, R, &padded, NULL), ABUT_OK);
	cr_expect_lt(difference(&sum->mass, &padded->mass), 10.0 * height, "%g", difference(&sum->mass, &padded->mass));
	cr_expect_float_eq(sum->inner_radius, R, 1e-12);
	cr_expect_float_eq(sum->outer_radius, R + 1.25, 1e-12);
	abut_shape_destroy(sum);
	abut_shape_destroy(core);
	abut_shape_destroy(padded);
}

/* The sum of four boxes is the hull of all 8^4 sums of corners. Two more boxes would exceed any list of sums. */
Test(composed_mass, of_many_boxes)
{
	enum { BOXES = 4, SUMS = 8 * 8 * 8 * 8 };
	static double points[3 * SUMS];
	for (unsigned seed = 0; seed < 5; seed++) {
		AbutRng rng = {seed};
		AbutShape *boxes[BOXES + 2], *hull = NULL;
		for (int i = 0; i < BOXES + 2; i++) {
			boxes[i] = sample_shape(ABUT_SHAPE_BOX, 1.0, &rng);
			sample_move(boxes[i], 0.5, &rng);
		}
		for (int i = 0; i < SUMS; i++) {
			points[3 * i] = points[3 * i + 1] = points[3 * i + 2] = 0.0;
			for (int j = 0, rest = i; j < BOXES; j++, rest /= 8) {
				double own[3], corner[3];
				for (int k = 0; k < 3; k++) {
					own[k] = rest >> k & 1 ? boxes[j]->size[k] : -boxes[j]->size[k];
				}
				abut_mat3_vec(boxes[j]->rotation, own, corner);
				for (int k = 0; k < 3; k++) {
					points[3 * i + k] += corner[k] + boxes[j]->position[k];
				}
			}
		}
		cr_assert_eq(abut_shape_create_polytope_from_vertices(SUMS, points, &hull, NULL), ABUT_OK);
		AbutShape *sum = NULL, *more = NULL;
		const AbutShape *const *parts = (const AbutShape *const *)boxes;
		cr_assert_eq(abut_shape_create_minkowski_sum(BOXES, parts, &sum, NULL), ABUT_OK, "seed %u", seed);
		cr_assert_eq(abut_shape_create_minkowski_sum(BOXES + 2, parts, &more, NULL), ABUT_OK, "seed %u", seed);
		cr_expect_lt(difference(&sum->mass, &hull->mass), 1e-9, "seed %u", seed);
		cr_expect_eq(sum->mass_error, 0.0);
		cr_expect_eq(more->mass_error, 0.0);
		cr_expect_gt(more->mass.volume, sum->mass.volume);
		abut_shape_destroy(sum);
		abut_shape_destroy(more);
		abut_shape_destroy(hull);
		for (int i = 0; i < BOXES + 2; i++) {
			abut_shape_destroy(boxes[i]);
		}
	}
}
