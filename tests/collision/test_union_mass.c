/* Compares the mass of a union with closed forms and with random points. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "abut/bundle.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "collision/query/union_mass.h"
#include "effort.h"
#include "sample_shapes.h"

enum { MOST = 32 };

static AbutShape *box_at(double hx, double hy, double hz, double x, double y, double z)
{
	static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_box((const double[3]){hx, hy, hz}, &shape, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_move(shape, unit, (const double[3]){x, y, z}, NULL), ABUT_OK);
	return shape;
}

/* Computes the mass of a union, and takes ownership of the shapes. */
static AbutMassProperties weigh(int n, AbutShape **shapes, double *mass_error)
{
	AbutBundle *bundle = NULL;
	AbutMassProperties mass = {.volume = NAN};
	AbutError error = {0};
	cr_assert_eq(abut_bundle_create(n, (const AbutShape *const *)shapes, &bundle, NULL), ABUT_OK);
	cr_assert_eq(abut_bundle_mass(bundle, &mass, mass_error, &error), ABUT_OK, "%s", error.message);
	abut_bundle_destroy(bundle);
	for (int i = 0; i < n; i++) {
		abut_shape_destroy(shapes[i]);
	}
	return mass;
}

/* Returns whether a point is inside, by the kind of shape, not by rows. */
static bool is_inside(const AbutShape *shape, const double at[3])
{
	double step[3], p[3];
	for (int i = 0; i < 3; i++) {
		step[i] = at[i] - shape->position[i];
	}
	abut_mat3_tvec(shape->rotation, step, p);
	const double across = hypot(p[0], p[1]), R = shape->size[0], L = shape->size[1];
	if (shape->kind == ABUT_SHAPE_CAPSULE) {
		return hypot(across, fmax(fabs(p[2]) - 0.5 * L, 0.0)) <= R;
	}
	if (shape->kind == ABUT_SHAPE_CYLINDER) {
		return across <= R && fabs(p[2]) <= 0.5 * L;
	}
	cr_assert_eq(shape->kind, ABUT_SHAPE_CONE);
	return p[2] >= -0.25 * L && across <= R * (0.75 - p[2] / L);
}

static void expect_mass(const AbutMassProperties *a, const AbutMassProperties *b, double tolerance, unsigned seed)
{
	const double size = cbrt(b->volume);
	cr_expect_float_eq(a->volume, b->volume, tolerance * b->volume, "seed %u: %.12g m^3, %.12g", seed, a->volume,
	                   b->volume);
	for (int i = 0; i < 3; i++) {
		cr_expect_float_eq(a->centre_of_mass[i], b->centre_of_mass[i], tolerance * size, "seed %u: c[%d]", seed,
		                   i);
	}
	for (int i = 0; i < 9; i++) {
		cr_expect_float_eq(a->inertia[i], b->inertia[i], tolerance * size * size * b->volume,
		                   "seed %u: I[%d] %.12g, %.12g", seed, i, a->inertia[i], b->inertia[i]);
	}
}

/* A box of 6 x 2 x 2 is given as two boxes that overlap by any part of it, or touch. One may be inside the other. */
Test(union_mass, of_a_box_in_two_overlapping_pieces)
{
	for (unsigned seed = 0; seed < 50; seed++) {
		AbutRng rng = {seed};
		AbutShape *whole[1] = {box_at(3.0, 1.0, 1.0, 0.0, 0.0, 0.0)};
		const double upto = abut_rng_uniform(&rng, -2.0, 3.0);
		const double from = seed % 5 == 0 ? upto : abut_rng_uniform(&rng, -3.0, upto);
		AbutShape *pieces[2] = {box_at(0.5 * (upto + 3.0), 1.0, 1.0, 0.5 * (upto - 3.0), 0.0, 0.0),
		                        box_at(0.5 * (3.0 - from), 1.0, 1.0, 0.5 * (3.0 + from), 0.0, 0.0)};
		double mass_error = 1.0;
		for (int i = 0; i < 3; i++) { /* the same place in space */
			AbutRng same = {seed};
			sample_move(i < 2 ? pieces[i] : whole[0], 1.0, &same);
		}
		const AbutMassProperties exact = weigh(1, whole, NULL), mass = weigh(2, pieces, &mass_error);
		expect_mass(&mass, &exact, 1e-12, seed);
		cr_expect_leq(mass_error, 1e-8, "seed %u: stated %g", seed, mass_error);
	}
}

/* Three bars along the axes meet at one point: the mass is that of 3 bars minus 2 of the middle cube. */
Test(union_mass, of_a_cross)
{
	AbutShape *bars[3] = {box_at(1.0, 0.25, 0.25, 0, 0, 0), box_at(0.25, 1.0, 0.25, 0, 0, 0),
	                      box_at(0.25, 0.25, 1.0, 0, 0, 0)};
	const AbutMassProperties mass = weigh(3, bars, NULL);
	const double bar = 0.5, cube = 0.125;
	/* about its axis, across it; the cube */
	const double along = bar * (0.0625 + 0.0625) / 3.0, across = bar * (1.0 + 0.0625) / 3.0,
	             middle = cube * 0.125 / 3.0;
	cr_expect_float_eq(mass.volume, 3.0 * bar - 2.0 * cube, 1e-13);
	for (int i = 0; i < 9; i++) {
		cr_expect_float_eq(mass.inertia[i], i % 4 ? 0.0 : along + 2.0 * across - 2.0 * middle, 1e-13, "I[%d]",
		                   i);
	}
}

/* Compares any number of polytopes with random points, to five standard deviations of a share of 200000 points. */
Test(union_mass, of_random_polytopes)
{
	for (unsigned seed = 0; seed < 6; seed++) {
		enum { POINTS = 200000 };
		AbutRng rng = {seed};
		const int n = 3 + (int)(seed % 4);
		AbutShape *parts[MOST];
		AbutBundle *bundle = NULL;
		double lower[3], upper[3], box = 1.0, first[3] = {0.0};
		for (int i = 0; i < n; i++) {
			parts[i] = sample_hull(1.0, &rng);
			sample_move(parts[i], 0.3, &rng);
		}
		cr_assert_eq(abut_bundle_create(n, (const AbutShape *const *)parts, &bundle, NULL), ABUT_OK);
		abut_bundle_bounds(bundle, lower, upper);
		int hits = 0;
		for (int i = 0; i < 3; i++) {
			box *= upper[i] - lower[i];
		}
		for (int k = 0; k < POINTS; k++) {
			double p[3];
			bool inside = false;
			for (int i = 0; i < 3; i++) {
				p[i] = abut_rng_uniform(&rng, lower[i], upper[i]);
			}
			for (int i = 0; i < n && !inside; i++) {
				inside = true;
				for (int r = 0; r < parts[i]->n_rows && inside; r++) {
					inside = parts[i]->h[r] + parts[i]->d[r] >= abut_dot3(&parts[i]->A[3 * r], p);
				}
			}
			hits += inside;
			for (int i = 0; i < 3; i++) {
				first[i] += inside ? p[i] : 0.0;
			}
		}
		abut_bundle_destroy(bundle);
		const double share = (double)hits / POINTS, deviation = sqrt(share * (1.0 - share) / POINTS);
		const AbutMassProperties mass = weigh(n, parts, NULL);
		cr_expect_float_eq(mass.volume / box, share, 5.0 * deviation, "seed %u: %g, drawn %g", seed,
		                   mass.volume / box, share);
		for (int i = 0; i < 3; i++) {
			cr_expect_float_eq(mass.centre_of_mass[i], first[i] / hits,
			                   5.0 * 0.5 * (upper[i] - lower[i]) / sqrt(hits), "seed %u, c[%d]", seed, i);
		}
	}
}

static AbutShape *ball_at(double x)
{
	static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_sphere(1.0, &shape, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_move(shape, unit, (const double[3]){x, 0.0, 0.0}, NULL), ABUT_OK);
	return shape;
}

/* Two unit balls overlap in a lens of height 2 h, of any thickness; if the lens is neglected, it counts as part of the
 * error. It has the volume 2 pi h^2 (3 - h) / 3. The union has the second moments of two balls about their middle,
 * minus those of the lens. */
Test(union_mass, of_balls_that_overlap_by_little)
{
	const double V = 4.0 / 3.0 * M_PI;
	for (int k = 0; k < 13; k++) {
		const double h = 0.5 * pow(10.0, -k);
		const double lens = 2.0 * M_PI * h * h * (3.0 - h) / 3.0;
		double stated = 1.0;
		AbutShape *balls[2] = {ball_at(1.0 - h), ball_at(h - 1.0)};
		const AbutMassProperties mass = weigh(2, balls, &stated);
		cr_expect_float_eq(mass.volume, 2.0 * V - lens, (stated + 1e-15) * mass.volume,
		                   "h %g: off by %g, stated %g", h, mass.volume - 2.0 * V + lens, stated);
		cr_expect_leq(stated, 1e-6, "h %g: stated %g", h, stated);
		for (int i = 0; i < 3; i++) {
			cr_expect_float_eq(mass.centre_of_mass[i], 0.0, stated + 1e-15, "h %g", h);
		}
	}
}

/* Compares a capsule, a cone and a cylinder, no intersection of which is a polytope, with random points, to five
 * standard deviations. */
Test(union_mass, of_round_parts)
{
	for (unsigned seed = 0; seed < 2; seed++) {
		enum { POINTS = TEST_EFFORT(100000) };
		AbutRng rng = {seed};
		static const AbutShapeKind kinds[3] = {ABUT_SHAPE_CAPSULE, ABUT_SHAPE_CONE, ABUT_SHAPE_CYLINDER};
		AbutShape *parts[3];
		AbutBundle *bundle = NULL;
		double lower[3], upper[3], box = 1.0, stated = 1.0;
		for (int i = 0; i < 3; i++) {
			parts[i] = sample_shape(kinds[i], 1.0, &rng);
			sample_move(parts[i], 0.2, &rng);
		}
		cr_assert_eq(abut_bundle_create(3, (const AbutShape *const *)parts, &bundle, NULL), ABUT_OK);
		abut_bundle_bounds(bundle, lower, upper);
		for (int i = 0; i < 3; i++) {
			box *= upper[i] - lower[i];
		}
		int hits = 0;
		for (int k = 0; k < POINTS; k++) {
			double p[3];
			bool inside = false;
			for (int i = 0; i < 3; i++) {
				p[i] = abut_rng_uniform(&rng, lower[i], upper[i]);
			}
			for (int i = 0; i < 3 && !inside; i++) {
				inside = is_inside(parts[i], p);
			}
			hits += inside;
		}
		abut_bundle_destroy(bundle);
		const double share = (double)hits / POINTS, deviation = sqrt(share * (1.0 - share) / POINTS);
		const AbutMassProperties mass = weigh(3, parts, &stated);
		cr_expect_leq(stated, 1e-5, "seed %u: stated %g", seed, stated);
		cr_expect_float_eq(mass.volume / box, share, 5.0 * deviation, "seed %u: %g, drawn %g", seed,
		                   mass.volume / box, share);
	}
}

/* Integrates the union of `n` balls of radius 1 along x, `step` apart, as a solid of revolution. Its squared radius at
 * x is the largest of 1 - (x - x_i)^2. */
static AbutMassProperties row_of_balls(int n, double step)
{
	enum { SLICES = 2000000 };
	const double end = 1.0 + 0.5 * step * (n - 1), h = 2.0 * end / SLICES;
	AbutMassProperties mass = {.volume = 0.0};
	for (int k = 0; k < SLICES; k++) {
		const double x = (k + 0.5) * h - end, i = round(x / step + 0.5 * (n - 1));
		const double away = x - step * (fmin(fmax(i, 0.0), n - 1.0) - 0.5 * (n - 1));
		const double square = fmax(1.0 - away * away, 0.0), slice = M_PI * square * h;
		mass.volume += slice;
		mass.inertia[0] += 0.5 * slice * square;
		mass.inertia[4] += slice * (0.25 * square + x * x);
	}
	mass.inertia[8] = mass.inertia[4];
	return mass;
}

/* Rows of balls have thousands of common parts. With 12 balls all overlap each other: their union is one star. With 24
 * balls each overlaps only its 7 neighbours on either side. */
Test(union_mass, of_many_balls_in_a_row)
{
	static const struct {
		int n;
		double step;
	} rows[] = {{12, 0.125}, {24, 0.25}};
	for (unsigned k = 0; k < TEST_EFFORT(sizeof rows / sizeof *rows); k++) {
		AbutShape *balls[MOST];
		double stated = 1.0;
		for (int i = 0; i < rows[k].n; i++) {
			static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
			const double x = rows[k].step * (i - 0.5 * (rows[k].n - 1));
			cr_assert_eq(abut_shape_create_sphere(1.0, &balls[i], NULL), ABUT_OK);
			cr_assert_eq(abut_shape_move(balls[i], unit, (const double[3]){x, 0.0, 0.0}, NULL), ABUT_OK);
		}
		const AbutMassProperties exact = row_of_balls(rows[k].n, rows[k].step);
		const AbutMassProperties mass = weigh(rows[k].n, balls, &stated);
		cr_expect_leq(fabs(mass.volume - exact.volume), stated * exact.volume, "row %u", k);
		cr_expect_leq(stated, ABUT_MASS_ERROR_MAX, "row %u: stated %g", k, stated);
		expect_mass(&mass, &exact, 2e-6, k);
	}
}

/* The message of a refusal gives the limit: 2^16 sets of boxes are too many, and so are the common parts of 60
 * scattered ellipsoids, of which each takes long. A refusal takes less than 20 s; under
 * sanitizers the second one would take minutes, and other tests integrate. */
Test(union_mass, refusals_give_the_limit, .timeout = 200)
{
	enum { SCATTERED = 60 };
	AbutRng rng = {1};
	static const struct {
		int n;
		const char *message;
	} cases[] = {{16, "have more than 20000 common parts; let fewer overlap"},
	             {SCATTERED, "take more than about 10 s to integrate; let fewer overlap"}};
	for (int k = 0; k < TEST_EFFORT(2); k++) {
		AbutShape *parts[SCATTERED];
		AbutBundle *bundle = NULL;
		AbutMassProperties mass;
		AbutError error = {0};
		for (int i = 0; i < cases[k].n; i++) {
			if (k == 0) {
				parts[i] = box_at(1.0 + 0.01 * i, 1.0, 2.0 - 0.01 * i, 0.0, 0.0, 0.0);
			} else {
				static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
				double radii[3], centre[3];
				for (int j = 0; j < 3; j++) {
					radii[j] = abut_rng_uniform(&rng, 0.2, 0.6);
					centre[j] = abut_rng_uniform(&rng, -1.0, 1.0);
				}
				cr_assert_eq(abut_shape_create_ellipsoid(radii, &parts[i], NULL), ABUT_OK);
				cr_assert_eq(abut_shape_move(parts[i], unit, centre, NULL), ABUT_OK);
			}
		}
		cr_assert_eq(abut_bundle_create(cases[k].n, (const AbutShape *const *)parts, &bundle, NULL), ABUT_OK);
		const clock_t begun = clock();
		cr_expect_eq(abut_bundle_mass(bundle, &mass, NULL, &error), ABUT_ERROR_UNSUPPORTED);
		cr_expect_leq((double)(clock() - begun) / CLOCKS_PER_SEC, 20.0 * TEST_SLOWDOWN, "case %d", k);
		cr_expect(strstr(error.message, cases[k].message), "%s", error.message);
		abut_bundle_destroy(bundle);
		for (int i = 0; i < cases[k].n; i++) {
			abut_shape_destroy(parts[i]);
		}
	}
}

/* A box is given in n^3 pieces that share faces, edges and corners, rotated so that these are no longer exact. */
Test(union_mass, of_pieces_that_touch)
{
	AbutShape *pieces[27], *whole[1] = {box_at(1.5, 1.5, 1.5, 1.0, 1.0, 1.0)};
	double mass_error = 1.0;
	for (int i = 0; i < 28; i++) {
		AbutRng rng = {5};
		if (i < 27) {
			pieces[i] = box_at(0.5, 0.5, 0.5, i % 3, i / 3 % 3, i / 9);
		}
		sample_move(i < 27 ? pieces[i] : whole[0], 1.0, &rng);
	}
	const AbutMassProperties exact = weigh(1, whole, NULL), mass = weigh(27, pieces, &mass_error);
	expect_mass(&mass, &exact, 1e-12, 0);
	cr_expect_leq(mass_error, 1e-8, "%g", mass_error);
}

/* A hollow box is given as two solid halves that overlap, with the mass of the box minus its hollow. Another box
 * reaches into its wall. The common part counts once. All parts are boxes, so that the result has a closed form. */
Test(union_mass, of_bundles_with_masses)
{
	for (unsigned seed = 0; seed < 20; seed++) {
		AbutRng rng = {seed};
		const double into = abut_rng_uniform(&rng, 0.1, 0.9), overlap = abut_rng_uniform(&rng, 0.0, 1.0);
		/* The halves [-3, overlap] and [0, 3]; the hollow [-2, 2]; the other box [3 - into, 5]. */
		AbutShape *halves[2] = {box_at(0.5 * (3.0 + overlap), 3.0, 3.0, 0.5 * (overlap - 3.0), 0.0, 0.0),
		                        box_at(1.5, 3.0, 3.0, 1.5, 0.0, 0.0)};
		AbutShape *other[1] = {box_at(0.5 * (2.0 + into), 1.0, 1.0, 4.0 - 0.5 * into, 0.0, 0.0)};
		AbutShape *outer = box_at(3.0, 3.0, 3.0, 0.0, 0.0, 0.0), *inner = box_at(2.0, 2.0, 2.0, 0.0, 0.0, 0.0);
		AbutShape *beyond = box_at(1.0, 1.0, 1.0, 4.0, 0.0, 0.0); /* [3, 5]: the other box past the wall */
		AbutMassProperties hollow = outer->mass;
		hollow.volume -= inner->mass.volume;
		AbutBundle *bundles[2] = {NULL, NULL};
		cr_assert_eq(abut_bundle_create(2, (const AbutShape *const *)halves, &bundles[0], NULL), ABUT_OK);
		cr_assert_eq(abut_bundle_create(1, (const AbutShape *const *)other, &bundles[1], NULL), ABUT_OK);
		for (int i = 0; i < 9; i++) {
			hollow.inertia[i] -= inner->mass.inertia[i];
		}
		cr_assert_eq(abut_bundle_set_mass(bundles[0], &hollow, NULL), ABUT_OK);
		AbutMassProperties mass, alone;
		AbutError error = {0};
		cr_assert_eq(abut_bundles_mass(2, (const AbutBundle *const *)bundles, NULL, &mass, &error), ABUT_OK,
		             "%s", error.message);
		cr_assert_eq(abut_bundle_mass(bundles[0], &alone, NULL, NULL), ABUT_OK);
		cr_expect_eq(memcmp(&alone, &hollow, sizeof alone), 0, "seed %u", seed);
		/* The hollow box about the origin and the rest at (4, 0, 0). */
		AbutMassProperties expected = {.volume = hollow.volume + 8.0};
		const double x = expected.centre_of_mass[0] = 8.0 * 4.0 / expected.volume;
		for (int i = 0; i < 9; i += 4) {
			const double arm = i == 0 ? 0.0 : hollow.volume * x * x + 8.0 * (4.0 - x) * (4.0 - x);
			expected.inertia[i] = hollow.inertia[i] + beyond->mass.inertia[i] + arm;
		}
		expect_mass(&mass, &expected, 1e-12, seed);
		for (int i = 0; i < 2; i++) {
			abut_bundle_destroy(bundles[i]);
			abut_shape_destroy(halves[i]);
		}
		abut_shape_destroy(other[0]);
		abut_shape_destroy(outer);
		abut_shape_destroy(inner);
		abut_shape_destroy(beyond);
	}
}

Test(union_mass, refuses_what_it_cannot_weigh)
{
	AbutShape *many[MOST];
	AbutBundle *bundle = NULL;
	AbutMassProperties mass;
	AbutError error;
	for (int i = 0; i < 20; i++) {
		many[i] = box_at(1.0 + 0.01 * i, 1.0, 1.0, 0.0, 0.0, 0.0);
	}
	cr_assert_eq(abut_bundle_create(20, (const AbutShape *const *)many, &bundle, NULL), ABUT_OK);
	cr_expect_eq(abut_bundle_mass(bundle, &mass, NULL, &error), ABUT_ERROR_UNSUPPORTED);
	cr_expect_eq(abut_bundle_mass(NULL, &mass, NULL, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_bundle_mass(bundle, NULL, NULL, &error), ABUT_ERROR_ARGUMENT);
	/* A shape whose mass is too inaccurate, alone and with another one. */
	AbutShape *poor = NULL;
	cr_assert_eq(abut_shape_clone(many[0], &poor, NULL), ABUT_OK);
	poor->mass_error = 3.0 * ABUT_MASS_ERROR_MAX;
	const AbutShape *const alone[1] = {poor}, *const both[2] = {poor, many[1]};
	const AbutBundle of_one = {.n_parts = 1, .parts = alone}, of_two = {.n_parts = 2, .parts = both};
	double stated = 0.0;
	cr_expect_eq(abut_bundle_mass(&of_one, &mass, &stated, &error), ABUT_ERROR_UNSUPPORTED);
	cr_expect_not_null(strstr(error.message, "3.0e-04"), "%s", error.message);
	cr_expect_eq(abut_bundle_mass(&of_two, &mass, &stated, &error), ABUT_ERROR_UNSUPPORTED);
	poor->mass_error = 0.5 * ABUT_MASS_ERROR_MAX;
	cr_expect_eq(abut_bundle_mass(&of_one, &mass, &stated, &error), ABUT_OK);
	cr_expect_eq(stated, poor->mass_error);
	abut_shape_destroy(poor);
	abut_bundle_destroy(bundle);
	for (int i = 0; i < 20; i++) {
		abut_shape_destroy(many[i]);
	}
}
