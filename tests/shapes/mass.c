/* Compares mass properties with integration through the conic rows, and with closed forms. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "sample.h"
#include "shapes/core/mass.h"

/* Integrates by the additive quasi-random sequence of Roberts (R3) in the bounding box of the shape. */
static AbutMassProperties integrate(const AbutShape *shape, int n)
{
	static const double step[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
	double low[3], high[3], box = 1.0;
	for (int i = 0; i < 3; i++) {
		double u[3] = {0.0};
		u[i] = 1.0;
		high[i] = abut_shape_support(shape, u, NULL);
		u[i] = -1.0;
		low[i] = -abut_shape_support(shape, u, NULL);
		box *= high[i] - low[i];
	}
	AbutMoments sum = {0};
	for (int k = 0; k < n; k++) {
		double p[3];
		for (int i = 0; i < 3; i++) {
			p[i] = low[i] + (high[i] - low[i]) * fmod(0.5 + k * step[i], 1.0);
		}
		if (conic_margin(shape, 1.0, p) >= -1e-10) {
			sum.volume += box / n;
			for (int i = 0; i < 3; i++) {
				sum.first[i] += box / n * p[i];
				for (int j = 0; j < 3; j++) {
					sum.second[3 * i + j] += box / n * p[i] * p[j];
				}
			}
		}
	}
	return abut_mass_from_moments(&sum);
}

/* Returns the largest relative difference; that of the inertia is relative to its trace. */
static double difference(const AbutMassProperties *a, const AbutMassProperties *b, double length)
{
	double largest = fabs(a->volume / b->volume - 1.0);
	const double trace = b->inertia[0] + b->inertia[4] + b->inertia[8];
	for (int i = 0; i < 3; i++) {
		largest = fmax(largest, fabs(a->centre_of_mass[i] - b->centre_of_mass[i]) / length);
	}
	for (int i = 0; i < 9; i++) {
		largest = fmax(largest, fabs(a->inertia[i] - b->inertia[i]) / trace);
	}
	return largest;
}

static int solid_kinds[] = {ABUT_SHAPE_BOX,      ABUT_SHAPE_POLYTOPE,  ABUT_SHAPE_PADDED_POLYTOPE,
                            ABUT_SHAPE_SPHERE,   ABUT_SHAPE_ELLIPSOID, ABUT_SHAPE_CAPSULE,
                            ABUT_SHAPE_CYLINDER, ABUT_SHAPE_CONE,      ABUT_SHAPE_SMOOTH};

ParameterizedTestParameters(mass, agrees_with_integration)
{
	return cr_make_param_array(int, solid_kinds, sizeof solid_kinds / sizeof *solid_kinds);
}

ParameterizedTest(int *kind, mass, agrees_with_integration)
{
	for (unsigned seed = 0; seed < 4; seed++) {
		AbutRng rng = {seed};
		AbutShape *shape = sample_shape((AbutShapeKind)*kind, 1.0, &rng);
		sample_move(shape, 1.0, &rng);
		const int n = *kind == ABUT_SHAPE_PADDED_POLYTOPE ? 30000 : 100000;
		const AbutMassProperties found = integrate(shape, n);
		const double error = difference(&shape->mass, &found, shape->outer_radius);
		cr_assert_lt(error, 5e-3, "%s, seed %u: %g", abut_shape_kind_name(shape->kind), seed, error);
		cr_assert_eq(shape->mass_error, 0.0);
		for (int i = 0; i < 9; i++) {
			cr_assert_eq(shape->mass.inertia[i], shape->mass.inertia[3 * (i % 3) + i / 3], "not symmetric");
		}
		abut_shape_destroy(shape);
	}
}

/* A box from halfspaces, and one from its corners. */
Test(mass, polytope_of_a_box_is_the_box)
{
	const double e[3] = {0.3, 1.1, 0.7};
	double A[18] = {0.0}, b[6], corners[24];
	for (int i = 0; i < 3; i++) {
		A[3 * (2 * i) + i] = 2.0;
		A[3 * (2 * i + 1) + i] = -0.1;
		b[2 * i] = 2.0 * e[i];
		b[2 * i + 1] = 0.1 * e[i];
	}
	for (int i = 0; i < 24; i++) {
		corners[i] = (i / 3) >> (i % 3) & 1 ? e[i % 3] : -e[i % 3];
	}
	AbutShape *box = NULL, *rows = NULL, *hull = NULL;
	cr_assert_eq(abut_shape_create_box(e, &box, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_create_polytope(6, A, b, &rows, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_create_polytope_from_vertices(8, corners, &hull, NULL), ABUT_OK);
	cr_assert_lt(difference(&rows->mass, &box->mass, 1.0), 1e-14);
	cr_assert_lt(difference(&hull->mass, &box->mass, 1.0), 1e-14);
	cr_assert_float_eq(rows->outer_radius, box->outer_radius, 1e-14);
	cr_assert_float_eq(rows->inner_radius, box->inner_radius, 1e-14);
	abut_shape_destroy(box);
	abut_shape_destroy(rows);
	abut_shape_destroy(hull);
}

Test(mass, tetrahedron_has_its_closed_form)
{
	const double corners[12] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_polytope_from_vertices(4, corners, &shape, NULL), ABUT_OK);
	/* int x x' = (1 + delta_ij) / 120 about the corner, minus V c c' with c = 1/4. */
	const double on = 2.0 * (1.0 / 60.0 - 1.0 / 96.0), off = -(1.0 / 120.0 - 1.0 / 96.0);
	cr_assert_float_eq(shape->mass.volume, 1.0 / 6.0, 1e-15);
	for (int i = 0; i < 9; i++) {
		cr_assert_float_eq(shape->mass.inertia[i], i % 4 == 0 ? on : off, 1e-16);
	}
	abut_shape_destroy(shape);
}

/* Integrates sections across an axis: rectangles padded by R, and beyond the faces by sqrt(R^2 - t^2). */
Test(mass, padded_box_has_its_closed_form)
{
	const double e[3] = {0.3, 1.1, 0.7}, R = 0.4;
	AbutShape *box = NULL, *padded = NULL;
	cr_assert_eq(abut_shape_create_box(e, &box, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_create_padded_polytope(box, R, &padded, NULL), ABUT_OK);
	const double x = e[0], y = e[1], z = e[2];
	const double volume = 8.0 * x * y * z + 8.0 * R * (x * y + y * z + z * x) + 2.0 * M_PI * R * R * (x + y + z) +
	                      4.0 / 3.0 * M_PI * R * R * R;
	cr_assert_float_eq(padded->mass.volume, volume, 1e-13);
	double second[3];
	for (int i = 0; i < 3; i++) {
		const double a = e[i], b = e[(i + 1) % 3], c = e[(i + 2) % 3];
		/* Section at |x_i| <= a: a padded rectangle. */
		const double section = 4.0 * b * c + 4.0 * R * (b + c) + M_PI * R * R;
		second[i] = section * 2.0 * a * a * a / 3.0;
		/* Beyond, at a + t, with rho^2 = R^2 - t^2: the integrals q_k of t^k (4 b c + 4 rho (b + c) + pi
		 * rho^2). */
		const double q0 = 4.0 * b * c * R + 4.0 * (b + c) * M_PI * R * R / 4.0 + M_PI * 2.0 * R * R * R / 3.0;
		const double q1 =
		    4.0 * b * c * R * R / 2.0 + 4.0 * (b + c) * R * R * R / 3.0 + M_PI * R * R * R * R / 4.0;
		const double q2 = 4.0 * b * c * R * R * R / 3.0 + 4.0 * (b + c) * M_PI * R * R * R * R / 16.0 +
		                  M_PI * 2.0 * pow(R, 5.0) / 15.0;
		second[i] += 2.0 * (a * a * q0 + 2.0 * a * q1 + q2);
	}
	for (int i = 0; i < 3; i++) {
		cr_assert_float_eq(padded->mass.inertia[4 * i], second[(i + 1) % 3] + second[(i + 2) % 3], 1e-13);
		cr_assert_float_eq(padded->mass.centre_of_mass[i], 0.0, 1e-15);
	}
	abut_shape_destroy(box);
	abut_shape_destroy(padded);
}

/* Computes moments about the origin of the padded part of a polytope on one or both sides of two planes n . p = c -+
 * 0.1. */
static AbutMoments padded_slice(const AbutShape *shape, const double n[3], bool below, bool above, double radius)
{
	const double c = abut_dot3(n, shape->centre);
	double A[3 * 64], b[64];
	int m = shape->n_rows;
	cr_assert_leq(m, 62);
	for (int i = 0; i < m; i++) {
		abut_copy3(&shape->A[3 * i], &A[3 * i]);
		b[i] = shape->h[i] + shape->d[i];
	}
	for (int k = 0; k < 3; k++) {
		A[3 * m + k] = below ? n[k] : -n[k];
		A[3 * (m + 1) + k] = -n[k];
	}
	b[m] = below ? c + 0.1 : 0.1 - c;
	b[m + 1] = 0.1 - c;
	m += below + above;
	AbutShape *core = NULL, *padded = NULL;
	cr_assert_eq(abut_shape_create_polytope(m, A, b, &core, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_create_padded_polytope(core, radius, &padded, NULL), ABUT_OK);
	const AbutMassProperties *mass = &padded->mass;
	AbutMoments sum = {.volume = mass->volume};
	const double half_trace = 0.5 * (mass->inertia[0] + mass->inertia[4] + mass->inertia[8]);
	for (int i = 0; i < 9; i++) {
		sum.second[i] = (i % 4 == 0 ? half_trace : 0.0) - mass->inertia[i] +
		                mass->volume * mass->centre_of_mass[i / 3] * mass->centre_of_mass[i % 3];
		sum.first[i % 3] = mass->volume * mass->centre_of_mass[i % 3];
	}
	abut_shape_destroy(core);
	abut_shape_destroy(padded);
	return sum;
}

/* Padding is a valuation: if P, Q and their union are convex, the moments of P padded and Q padded add up to those of
 * the union padded and the intersection padded. Here P and Q are a polytope below one plane and above another, at
 * random angles to all faces. This tests every term of the decomposition up to rounding. */
Test(mass, padding_is_a_valuation)
{
	for (unsigned seed = 0; seed < 50; seed++) {
		AbutRng rng = {seed};
		double n[3];
		AbutShape *shape = sample_polytope(10, 1.0, 0.0, &rng);
		sample_direction(&rng, n);
		const AbutMoments whole = padded_slice(shape, n, false, false, 0.6);
		const AbutMoments slice = padded_slice(shape, n, true, true, 0.6);
		const AbutMoments below = padded_slice(shape, n, true, false, 0.6);
		const AbutMoments above = padded_slice(shape, n, false, true, 0.6);
		const double scale = 1e-12 * (1.0 + whole.second[0] + whole.second[4] + whole.second[8]);
		cr_assert_float_eq(whole.volume + slice.volume, below.volume + above.volume, scale, "seed %u", seed);
		for (int i = 0; i < 3; i++) {
			cr_assert_float_eq(whole.first[i] + slice.first[i], below.first[i] + above.first[i], scale,
			                   "seed %u", seed);
		}
		for (int i = 0; i < 9; i++) {
			cr_assert_float_eq(whole.second[i] + slice.second[i], below.second[i] + above.second[i], scale,
			                   "seed %u", seed);
		}
		abut_shape_destroy(shape);
	}
}

/* A needle padded by R is nearly a capsule, a crumb padded by R nearly a ball. */
Test(mass, padded_needle_is_a_capsule)
{
	const double size = 1e-7;
	AbutShape *needle = NULL, *crumb = NULL, *padded = NULL, *capsule = NULL, *sphere = NULL;
	cr_assert_eq(abut_shape_create_box((const double[]){size, size, 0.8}, &needle, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_create_capsule(0.5, 1.6, &capsule, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_create_padded_polytope(needle, 0.5, &padded, NULL), ABUT_OK);
	cr_assert_lt(difference(&padded->mass, &capsule->mass, 1.0), 10.0 * size);
	abut_shape_destroy(padded);
	cr_assert_eq(abut_shape_create_box((const double[]){size, size, size}, &crumb, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_create_sphere(0.5, &sphere, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_create_padded_polytope(crumb, 0.5, &padded, NULL), ABUT_OK);
	cr_assert_lt(difference(&padded->mass, &sphere->mass, 1.0), 10.0 * size);
	abut_shape_destroy(padded);
	abut_shape_destroy(needle);
	abut_shape_destroy(crumb);
	abut_shape_destroy(capsule);
	abut_shape_destroy(sphere);
}

/* With little padding, the mass is that of the core. With any padding, so is the scaling centre. */
Test(mass, padding_starts_from_the_core)
{
	AbutRng rng = {5};
	AbutShape *core = sample_polytope(30, 1.0, 4.0, &rng), *padded = NULL;
	sample_move(core, 2.0, &rng);
	cr_assert_eq(abut_shape_create_padded_polytope(core, 1e-9, &padded, NULL), ABUT_OK);
	cr_assert_lt(difference(&padded->mass, &core->mass, 1.0), 1e-8);
	cr_assert_eq(memcmp(padded->centre, core->centre, sizeof core->centre), 0);
	abut_shape_destroy(padded);
	abut_shape_destroy(core);
}
