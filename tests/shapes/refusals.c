/* Tests what the constructors and changes refuse: the status, the key, and a message with the value. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "sample.h"

static AbutShape *shape;
static AbutError error;

static void check_refused(AbutStatus status, const char *call, const char *where, const char *value)
{
	cr_expect_eq(status, ABUT_ERROR_ARGUMENT, "%s: status %d", call, (int)status);
	cr_expect_eq(error.status, status, "%s", call);
	cr_expect_null(shape, "%s", call);
	cr_expect_str_eq(error.where, where, "%s: where is %s", call, error.where);
	cr_expect_not_null(strstr(error.message, where), "%s: no %s in: %s", call, where, error.message);
	cr_expect_not_null(strstr(error.message, value), "%s: no %s in: %s", call, value, error.message);
}

/* `call` makes `shape` and fills `error`. */
#define REFUSED(call, where, value)                                                                                    \
	do {                                                                                                           \
		shape = (AbutShape *)&error;                                                                           \
		memset(&error, 0, sizeof error);                                                                       \
		check_refused((call), #call, where, value);                                                            \
	} while (0)

/* Sets every length of every shape by a function of that length alone. */
static AbutStatus sphere_radius(double x)
{
	return abut_shape_create_sphere(x, &shape, &error);
}
static AbutStatus capsule_radius(double x)
{
	return abut_shape_create_capsule(x, 1.0, &shape, &error);
}
static AbutStatus capsule_length(double x)
{
	return abut_shape_create_capsule(1.0, x, &shape, &error);
}
static AbutStatus cylinder_radius(double x)
{
	return abut_shape_create_cylinder(x, 1.0, &shape, &error);
}
static AbutStatus cylinder_length(double x)
{
	return abut_shape_create_cylinder(1.0, x, &shape, &error);
}
static AbutStatus cone_height(double x)
{
	return abut_shape_create_cone(x, 1.0, &shape, &error);
}
static AbutStatus cone_radius(double x)
{
	return abut_shape_create_cone(1.0, x, &shape, &error);
}
static AbutStatus box_extent(double x)
{
	return abut_shape_create_box((const double[]){1.0, 1.0, x}, &shape, &error);
}
static AbutStatus ellipsoid_radius(double x)
{
	return abut_shape_create_ellipsoid((const double[]){1.0, x, 1.0}, &shape, &error);
}
static AbutStatus padding(double x)
{
	AbutShape *core = NULL;
	cr_assert_eq(abut_shape_create_box((const double[]){1.0, 1.0, 1.0}, &core, NULL), ABUT_OK);
	const AbutStatus status = abut_shape_create_padded_polytope(core, x, &shape, &error);
	abut_shape_destroy(core);
	return status;
}

Test(refusals, lengths)
{
	static const struct {
		AbutStatus (*create)(double);
		const char *where;
	} lengths[] = {{sphere_radius, "radius"},   {capsule_radius, "radius"},   {capsule_length, "length"},
	               {cylinder_radius, "radius"}, {cylinder_length, "length"},  {cone_height, "height"},
	               {cone_radius, "radius"},     {box_extent, "half_extents"}, {ellipsoid_radius, "radii"},
	               {padding, "radius"}};
	static const struct {
		double value;
		const char *text;
	} wrong[] = {{0.0, "is 0;"},
	             {-1.0, "is -1;"},
	             {(double)NAN, "nan"},
	             {(double)INFINITY, "inf"},
	             {(double)-INFINITY, "-inf"},
	             {1e300, "1e+300"},
	             {1e-300, "1e-300"},
	             {1.1e9, "1.1e+09"},
	             {0.9e-9, "9e-10"}};
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		for (size_t j = 0; j < sizeof wrong / sizeof *wrong; j++) {
			REFUSED(lengths[i].create(wrong[j].value), lengths[i].where, wrong[j].text);
		}
		/* The ends of the range are valid, and nothing overflows there. */
		for (int end = 0; end < 2; end++) {
			cr_assert_eq(lengths[i].create(end ? 1e9 : 1e-9), ABUT_OK, "%s", error.message);
			cr_expect(isnormal(shape->mass.volume) && isnormal(shape->mass.inertia[0]) &&
			          isnormal(shape->mass.inertia[4]) && isnormal(shape->mass.inertia[8]));
			for (int k = 0; k < 3 * shape->n_rows; k++) {
				cr_expect(isfinite(shape->A[k]));
			}
			abut_shape_destroy(shape);
		}
	}
}

Test(refusals, message_in_full)
{
	REFUSED(sphere_radius(-1.0), "radius", "radius is -1; it must be finite and greater than 0 (metres)");
	REFUSED(box_extent(-1.0), "half_extents",
	        "half_extents[2] is -1; it must be finite and greater than 0 (metres)");
}

Test(refusals, halfspaces)
{
	const double up[3] = {0.0, 0.0, 1.0}, zero[3] = {0.0}, open[3] = {0.0, (double)NAN, 1.0},
	             tiny[3] = {0.0, 0.0, 1e-300};
	REFUSED(abut_shape_create_halfspace(zero, 0.0, &shape, &error), "normal", "(0, 0, 0)");
	REFUSED(abut_shape_create_halfspace(open, 0.0, &shape, &error), "normal", "nan");
	REFUSED(abut_shape_create_halfspace(NULL, 0.0, &shape, &error), "normal", "NULL");
	REFUSED(abut_shape_create_halfspace(up, (double)NAN, &shape, &error), "offset", "nan");
	REFUSED(abut_shape_create_halfspace(up, (double)INFINITY, &shape, &error), "offset", "inf");
	REFUSED(abut_shape_create_halfspace(up, 1e300, &shape, &error), "offset", "1e+300");
	REFUSED(abut_shape_create_halfspace(tiny, 1.0, &shape, &error), "offset", "is 1;");
	/* Any nonzero length is valid. */
	const double lengths[] = {5e-324, 1e-300, 1e-3, 1e3, 1.7e308};
	for (int i = 0; i < 5; i++) {
		const double normal[3] = {lengths[i], -lengths[i], 0.0};
		cr_assert_eq(abut_shape_create_halfspace(normal, 0.0, &shape, &error), ABUT_OK, "%s", error.message);
		cr_expect_float_eq(shape->A[0], sqrt(0.5), 1e-15);
		cr_expect_float_eq(shape->A[1], -sqrt(0.5), 1e-15);
		abut_shape_destroy(shape);
	}
}

Test(refusals, nulls)
{
	REFUSED(abut_shape_create_box(NULL, &shape, &error), "half_extents", "NULL");
	REFUSED(abut_shape_create_ellipsoid(NULL, &shape, &error), "radii", "NULL");
	REFUSED(abut_shape_create_polytope(6, NULL, NULL, &shape, &error), "A", "NULL");
	REFUSED(abut_shape_create_polytope_from_vertices(6, NULL, &shape, &error), "vertices", "NULL");
	REFUSED(abut_shape_create_padded_polytope(NULL, 1.0, &shape, &error), "core", "NULL");
	REFUSED(abut_shape_clone(NULL, &shape, &error), "shape", "NULL");
	shape = NULL;
	cr_expect_eq(abut_shape_create_sphere(1.0, NULL, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "out");
	cr_expect_eq(abut_shape_create_sphere(-1.0, &shape, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_shape_move(NULL, NULL, NULL, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_shape_scale(NULL, 1.0, &error), ABUT_ERROR_ARGUMENT);
}

/* Makes the cube |p_i| <= 1 with one number changed. */
static AbutStatus cube_with(int row, int column, double value)
{
	double A[18] = {0.0}, b[6];
	for (int i = 0; i < 6; i++) {
		A[3 * i + i % 3] = i < 3 ? 1.0 : -1.0;
		b[i] = 1.0;
	}
	if (column < 3) {
		A[3 * row + column] = value;
	} else {
		b[row] = value;
	}
	return abut_shape_create_polytope(6, A, b, &shape, &error);
}

Test(refusals, polytopes_from_halfspaces)
{
	REFUSED(abut_shape_create_polytope(3, (const double[9]){0.0}, (const double[3]){0.0}, &shape, &error), "A",
	        "3");
	REFUSED(abut_shape_create_polytope(-1, (const double[9]){0.0}, (const double[3]){0.0}, &shape, &error), "A",
	        "-1");
	REFUSED(abut_shape_create_polytope(6, (const double[18]){0.0}, NULL, &shape, &error), "b", "NULL");
	REFUSED(cube_with(1, 1, 0.0), "A", "A[1] is (0, 0, 0)");
	REFUSED(cube_with(2, 1, (double)NAN), "A", "nan");
	REFUSED(cube_with(2, 1, (double)INFINITY), "A", "inf");
	REFUSED(cube_with(2, 3, (double)NAN), "b", "nan");
	REFUSED(cube_with(2, 3, (double)INFINITY), "b", "inf");
	REFUSED(cube_with(2, 3, 1e300), "b", "1e+300");
	/* Without one of its sides. */
	for (int i = 0; i < 3; i++) {
		REFUSED(cube_with(3 + i, i, 1.0), "A", "unbounded");
	}
	/* x <= 1 and x >= 3: every point violates one by at least 1. */
	REFUSED(cube_with(3, 3, -3.0), "b", "empty");
	REFUSED(cube_with(3, 3, -3.0), "b", "by 1 ");
	REFUSED(cube_with(3, 3, -1.0), "b", "flat");
	REFUSED(cube_with(3, 3, -1.0 + 1e-9), "b", "flat");
}

/* Unbounded in a direction off the axes, and unbounded with coplanar rows. */
Test(refusals, unbounded_polytopes)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		double u[3], A[60], b[20];
		sample_direction(&rng, u);
		const int n = 4 + (int)abut_rng_uniform(&rng, 0.0, 17.0);
		for (int i = 0; i < n; i++) {
			double *a = &A[3 * i];
			sample_direction(&rng, a);
			const double along = a[0] * u[0] + a[1] * u[1] + a[2] * u[2];
			for (int k = 0; k < 3; k++) {
				/* Leaves a ray along u free, or with odd seeds a line. */
				a[k] -= (seed % 2 || along > 0.0 ? along : 0.0) * u[k];
			}
			b[i] = abut_rng_uniform(&rng, 0.1, 3.0);
		}
		REFUSED(abut_shape_create_polytope(n, A, b, &shape, &error), "A", "unbounded");
	}
}

static AbutStatus corners(int n, double z, double odd)
{
	double p[3 * 8];
	for (int i = 0; i < 24; i++) {
		p[i] = (i / 3) >> (i % 3) & 1 ? 1.0 : -1.0;
		p[i] *= i % 3 == 2 ? z : 1.0;
	}
	p[4] = odd;
	return abut_shape_create_polytope_from_vertices(n, p, &shape, &error);
}

Test(refusals, polytopes_from_vertices)
{
	REFUSED(corners(0, 1.0, 1.0), "vertices", "0 points");
	REFUSED(corners(3, 1.0, 1.0), "vertices", "3 points");
	REFUSED(corners(8, 1.0, (double)NAN), "vertices", "nan");
	REFUSED(corners(8, 1.0, (double)-INFINITY), "vertices", "vertices[1] is (1, -inf, -1)");
	REFUSED(corners(8, 1.0, 1e300), "vertices", "1e+300");
	REFUSED(corners(8, 0.0, 1.0), "vertices", "flat");
	REFUSED(corners(8, 1e-9, 1.0), "vertices", "flat");
	REFUSED(corners(4, 1.0, -1.0), "vertices", "flat");
	const double line[15] = {0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 3.0, 6.0, 9.0, 4.0, 8.0, 12.0};
	REFUSED(abut_shape_create_polytope_from_vertices(5, line, &shape, &error), "vertices", "flat");
	const double point[12] = {1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0};
	REFUSED(abut_shape_create_polytope_from_vertices(4, point, &shape, &error), "vertices", "flat");
	const double speck[12] = {0.0, 0.0, 0.0, 1e-12, 0.0, 0.0, 0.0, 1e-12, 0.0, 0.0, 0.0, 1e-12};
	REFUSED(abut_shape_create_polytope_from_vertices(4, speck, &shape, &error), "vertices", "1e-09");
}

Test(refusals, cores)
{
	for (int kind = 0; kind < ABUT_SHAPE_COUNT; kind++) {
		AbutRng rng = {1};
		if (kind != ABUT_SHAPE_BOX && kind != ABUT_SHAPE_POLYTOPE) {
			AbutShape *core = sample_shape((AbutShapeKind)kind, 1.0, &rng);
			REFUSED(abut_shape_create_padded_polytope(core, 1.0, &shape, &error), "core",
			        abut_shape_kind_name((AbutShapeKind)kind));
			abut_shape_destroy(core);
		}
	}
}

/* Refused changes leave the shape as it was. */
Test(refusals, changes)
{
	AbutShape *moved = NULL;
	cr_assert_eq(abut_shape_create_capsule(1.0, 2.0, &moved, NULL), ABUT_OK);
	const double I[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, still[3] = {0.0};
	const double mirror[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0};
	const double shear[9] = {1.0, 1e-8, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
	const double open[9] = {1.0, 0.0, 0.0, 0.0, (double)NAN, 0.0, 0.0, 0.0, 1.0};
	const double far[3] = {0.0, 1e300, 0.0}, nowhere[3] = {0.0, 0.0, (double)NAN};
	shape = NULL;
	check_refused(abut_shape_move(moved, mirror, still, &error), "mirror", "rotation", "-1");
	check_refused(abut_shape_move(moved, shear, still, &error), "shear", "rotation", "1e-08");
	check_refused(abut_shape_move(moved, open, still, &error), "open", "rotation", "nan");
	check_refused(abut_shape_move(moved, I, far, &error), "far", "translation", "1e+300");
	check_refused(abut_shape_move(moved, I, nowhere, &error), "nowhere", "translation", "nan");
	check_refused(abut_shape_scale(moved, 0.0, &error), "zero", "factor", "is 0;");
	check_refused(abut_shape_scale(moved, -2.0, &error), "negative", "factor", "-2");
	check_refused(abut_shape_scale(moved, (double)NAN, &error), "nan", "factor", "nan");
	check_refused(abut_shape_scale(moved, 1e300, &error), "huge", "factor", "1e+300");
	check_refused(abut_shape_scale(moved, 1e-300, &error), "tiny", "factor", "1e-300");
	cr_expect_eq(moved->size[0], 1.0);
	cr_expect_eq(moved->position[1], 0.0);
	cr_expect_eq(moved->h[2], 0.0);
	abut_shape_destroy(moved);
}

/* A box of the largest sizes is valid, a sum of four is not. */
Test(refusals, sums_too_large)
{
	AbutShape *box = NULL;
	cr_assert_eq(abut_shape_create_box((const double[3]){1e9, 1e9, 1e9}, &box, NULL), ABUT_OK);
	const AbutShape *const parts[4] = {box, box, box, box};
	cr_expect_eq(abut_shape_create_minkowski_sum(4, parts, &shape, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(!shape && strstr(error.message, "between 1e-09 and 2e+09"), "%s", error.message);
	abut_shape_destroy(box);
}
