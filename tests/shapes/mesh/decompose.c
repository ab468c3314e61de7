/* Tests the decomposition of non-convex meshes. The hulls contain the mesh, their errors are at most the reported ones,
 * and solids made of boxes are decomposed exactly. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abut/decompose.h"
#include "base/rng.h"
#include "effort.h"
#include "shapes/mesh/sample_mesh.h"

static const double even[4] = {0.0, 1.0, 2.0, 3.0};
static const double *const even_lines[3] = {even, even, even};

static AbutDecomposition *decompose(const AbutMesh *mesh, double concavity, int max_parts, int max_faces)
{
	const AbutDecomposeOptions options = {.concavity = concavity, .max_parts = max_parts, .max_faces = max_faces};
	AbutDecomposition *out = NULL;
	AbutError error;
	cr_assert_eq(abut_mesh_decompose(mesh, &options, &out, &error), ABUT_OK, "%s", error.message);
	return out;
}

/* Returns how far p is outside the closest hull. Negative: the smallest depth of p in the hulls that contain it. */
static double outside(const AbutDecomposition *parts, const double p[3])
{
	double closest = HUGE_VAL, shallowest = -HUGE_VAL;
	for (int i = 0; i < parts->n_parts; i++) {
		const AbutShape *shape = parts->parts[i].shape;
		double worst = -HUGE_VAL;
		for (int r = 0; r < shape->n_rows; r++) {
			const double *a = &shape->A[3 * r];
			worst = fmax(worst, a[0] * p[0] + a[1] * p[1] + a[2] * p[2] - shape->h[r] - shape->d[r]);
		}
		closest = fmin(closest, worst);
		shallowest = worst <= 0.0 ? fmax(shallowest, worst) : shallowest;
	}
	return closest > 0.0 ? closest : shallowest;
}

static const double *corner(const AbutMesh *mesh, int t, int k)
{
	return &mesh->vertices[3 * mesh->triangles[3 * t + k]];
}

/* Returns whether p is inside, by the solid angle: spherical excess from the angles between the planes. */
static bool is_inside(const AbutMesh *mesh, const double p[3])
{
	double sum = 0.0;
	for (int t = 0; t < mesh->n_triangles; t++) {
		double u[3][3], length[3];
		for (int k = 0; k < 3; k++) {
			for (int i = 0; i < 3; i++) {
				u[k][i] = corner(mesh, t, k)[i] - p[i];
			}
			length[k] = sqrt(u[k][0] * u[k][0] + u[k][1] * u[k][1] + u[k][2] * u[k][2]);
		}
		const double det = u[0][0] * (u[1][1] * u[2][2] - u[1][2] * u[2][1]) -
		                   u[0][1] * (u[1][0] * u[2][2] - u[1][2] * u[2][0]) +
		                   u[0][2] * (u[1][0] * u[2][1] - u[1][1] * u[2][0]);
		double denominator = length[0] * length[1] * length[2];
		for (int k = 0; k < 3; k++) {
			const double *a = u[k], *b = u[(k + 1) % 3];
			denominator += (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) * length[(k + 2) % 3];
		}
		sum += 2.0 * atan2(det, denominator);
	}
	return sum > 2.0 * M_PI;
}

/* Random points of the surface and of the inside lie in some hull. Those of the surface are no deeper than reported. */
static void check_holds(const AbutMesh *mesh, const AbutDecomposition *parts, int n, unsigned seed)
{
	AbutRng rng = abut_rng_stream(seed, 0);
	const double slack = 2e-6 * parts->size;
	for (int i = 0; i < TEST_EFFORT(n); i++) {
		const int t = (int)(abut_rng_uniform(&rng, 0.0, 1.0) * mesh->n_triangles);
		double u = abut_rng_uniform(&rng, 0.0, 1.0), w = abut_rng_uniform(&rng, 0.0, 1.0), p[3];
		if (u + w > 1.0) {
			u = 1.0 - u;
			w = 1.0 - w;
		}
		for (int k = 0; k < 3; k++) {
			p[k] = (1.0 - u - w) * corner(mesh, t, 0)[k] + u * corner(mesh, t, 1)[k] +
			       w * corner(mesh, t, 2)[k];
		}
		const double over = outside(parts, p);
		cr_assert_leq(over, slack, "seed %u: a point of the surface is %g outside", seed, over);
		cr_assert_geq(over, -1.06 * parts->depth - slack, "seed %u: a point of the surface is %g deep", seed,
		              -over);
	}
	for (int i = 0; i < TEST_EFFORT(n) / 10; i++) {
		double p[3];
		for (int k = 0; k < 3; k++) {
			p[k] = abut_rng_uniform(&rng, -0.75, 0.75) * parts->size;
		}
		if (is_inside(mesh, p)) {
			cr_assert_leq(outside(parts, p), slack, "seed %u: a point inside is in no hull", seed);
		}
	}
}

Test(decompose, l_profile_is_two_boxes)
{
	AbutMesh *mesh = sample_mesh_blocks((int[3]){2, 2, 1}, even_lines, (char[]){1, 1, 1, 0});
	AbutDecomposition *parts = decompose(mesh, 0.0, 0, 0);
	cr_assert_eq(parts->n_parts, 2);
	cr_assert_float_eq(parts->volume, 3.0, 1e-14);
	cr_assert_float_eq(parts->hull_volume, 3.0, 1e-12);
	cr_assert_lt(parts->overlap_volume, 1e-12);
	cr_assert(parts->within_bound);
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(parts->parts[i].shape->n_rows, 6);
		cr_assert_eq(parts->parts[i].shape->n_vertices, 8);
		cr_assert_lt(parts->parts[i].distance, 1e-9);
	}
	abut_decomposition_destroy(parts);
	abut_mesh_destroy(mesh);
}

Test(decompose, square_hole_is_four_boxes)
{
	const double x[4] = {-0.5, -0.1, 0.15, 0.5}, y[4] = {-0.4, -0.1, 0.15, 0.7}, z[2] = {0.0, 0.3};
	const double *const lines[3] = {x, y, z};
	AbutMesh *mesh = sample_mesh_blocks((int[3]){3, 3, 1}, lines, (char[]){1, 1, 1, 1, 0, 1, 1, 1, 1});
	AbutDecomposition *parts = decompose(mesh, 0.0, 0, 0);
	const double volume = (1.0 * 1.1 - 0.25 * 0.25) * 0.3;
	cr_assert_eq(parts->n_parts, 4, "%d parts", parts->n_parts);
	cr_assert_float_eq(parts->hull_volume, volume, 1e-9 * volume);
	cr_assert_lt(parts->overlap_volume, 1e-12);
	check_holds(mesh, parts, 1000, 1);
	abut_decomposition_destroy(parts);
	abut_mesh_destroy(mesh);
}

/* Random blocks of boxes touch along edges and in corners, with holes and cavities. For any cuts, the volumes of the
 * pieces add up, to rounding, and no hull is smaller than its piece. (A cut may leave a sliver that the bound allows to
 * stay concave, so that the volumes of the hulls do not add up exactly.) */
Test(decompose, pieces_of_blocks_add_up)
{
	for (unsigned seed = 0; seed < TEST_EFFORT(12); seed++) {
		AbutRng rng = abut_rng_stream(seed, 0);
		double grid[3][5];
		const double *lines[3];
		char filled[64];
		double volume = 0.0;
		for (int k = 0; k < 3; k++) {
			lines[k] = grid[k];
			grid[k][0] = abut_rng_uniform(&rng, -1.0, 1.0);
			for (int i = 1; i < 5; i++) {
				grid[k][i] = grid[k][i - 1] + abut_rng_uniform(&rng, 0.3, 1.0);
			}
		}
		for (int c = 0; c < 64; c++) {
			filled[c] = abut_rng_uniform(&rng, 0.0, 1.0) < 0.6;
			const int i = c % 4, j = c / 4 % 4, k = c / 16;
			volume += filled[c] * (grid[0][i + 1] - grid[0][i]) * (grid[1][j + 1] - grid[1][j]) *
			          (grid[2][k + 1] - grid[2][k]);
		}
		AbutMesh *mesh = sample_mesh_blocks((int[3]){4, 4, 4}, lines, filled);
		AbutDecomposition *parts = decompose(mesh, 0.01, 200, 0);
		cr_assert(parts->within_bound, "seed %u: %d parts, depth %g, distance %g", seed, parts->n_parts,
		          parts->depth, parts->distance);
		cr_assert_float_eq(parts->volume, volume, 1e-12 * volume, "seed %u", seed);
		double pieces = 0.0;
		for (int i = 0; i < parts->n_parts; i++) {
			const AbutDecomposePart *part = &parts->parts[i];
			pieces += part->volume;
			cr_assert_geq(part->shape->mass.volume, part->volume - 1e-9 * volume, "seed %u: part %d", seed,
			              i);
		}
		cr_assert_float_eq(pieces, volume, 1e-12 * volume, "seed %u: %.15g instead of %.15g", seed, pieces,
		                   volume);
		cr_assert_leq(parts->hull_volume, 1.01 * volume, "seed %u", seed);
		check_holds(mesh, parts, 300, seed);
		abut_decomposition_destroy(parts);
		abut_mesh_destroy(mesh);
	}
}

/* The error falls with the bound. The distance is at least that of sampled points of the hulls. */
Test(decompose, torus_converges)
{
	AbutMesh *mesh = sample_mesh_torus(1.0, 0.3, 48, 24);
	double error = HUGE_VAL;
	for (double bound = 0.08; bound > 0.03 / TEST_EFFORT(2); bound *= 0.5) {
		AbutDecomposition *parts = decompose(mesh, bound, 100, 0);
		cr_assert(parts->within_bound);
		cr_assert_leq(fmax(parts->depth, parts->distance), 1.05 * bound * parts->size);
		const double next = parts->hull_volume / parts->volume - 1.0;
		cr_assert_lt(next, 0.7 * error, "bound %g: error %g after %g", bound, next, error);
		error = next;
		check_holds(mesh, parts, 3000, 7);
		abut_decomposition_destroy(parts);
	}
	abut_mesh_destroy(mesh);
}

static double distance_to_torus(const double p[3])
{
	return hypot(hypot(p[0], p[1]) - 1.0, p[2]) - 0.3;
}

/* On the torus the distance has a closed form, except for the facets of the mesh. Uses points between vertices of one
 * hull. */
Test(decompose, no_point_of_a_hull_is_further_than_said)
{
	AbutMesh *mesh = sample_mesh_torus(1.0, 0.3, 96, 48);
	AbutDecomposition *parts = decompose(mesh, 0.04, 100, 0);
	double furthest = 0.0;
	for (int i = 0; i < parts->n_parts; i++) {
		const AbutShape *shape = parts->parts[i].shape;
		double worst = 0.0;
		for (int a = 0; a < shape->n_vertices; a++) {
			for (int b = 0; b < a; b++) {
				double p[3];
				for (int k = 0; k < 3; k++) {
					p[k] = 0.5 * (shape->vertices[3 * a + k] + shape->vertices[3 * b + k]);
				}
				worst = fmax(worst, distance_to_torus(p));
			}
		}
		cr_assert_leq(worst, 1.05 * parts->parts[i].distance + 2e-3, "part %d: %g instead of %g", i, worst,
		              parts->parts[i].distance);
		furthest = fmax(furthest, worst);
	}
	cr_assert_geq(furthest, 0.5 * parts->distance, "%g said, %g found", parts->distance, furthest);
	abut_decomposition_destroy(parts);
	abut_mesh_destroy(mesh);
}

Test(decompose, level_sets_are_held)
{
	double (*const functions[])(const double[3]) = {sample_level_wheel, sample_level_shell};
	for (int i = 0; i < TEST_EFFORT(2); i++) {
		AbutMesh *mesh = sample_mesh_level(functions[i], 1.0, 24);
		AbutDecomposition *parts = decompose(mesh, 0.05, 64, 0);
		cr_assert_eq(parts->n_components, 1);
		check_holds(mesh, parts, 3000, 11);
		abut_decomposition_destroy(parts);
		abut_mesh_destroy(mesh);
	}
}

/* With fewer faces, the hulls still contain the mesh. */
Test(decompose, few_faces_hold)
{
	AbutMesh *mesh = sample_mesh_torus(1.0, 0.3, 48, 24);
	AbutDecomposition *parts = decompose(mesh, 0.05, 32, 24);
	for (int i = 0; i < parts->n_parts; i++) {
		cr_assert_leq(parts->parts[i].shape->n_rows, 24);
	}
	check_holds(mesh, parts, 3000, 3);
	abut_decomposition_destroy(parts);
	abut_mesh_destroy(mesh);
}

Test(decompose, limit_of_parts_is_said)
{
	AbutMesh *mesh = sample_mesh_torus(1.0, 0.3, 32, 16);
	AbutDecomposition *parts = decompose(mesh, 0.01, 3, 0);
	cr_assert_eq(parts->n_parts, 3);
	cr_assert_not(parts->within_bound);
	cr_assert_gt(parts->distance, 0.01 * parts->size);
	check_holds(mesh, parts, 1000, 5);
	abut_decomposition_destroy(parts);
	abut_mesh_destroy(mesh);
}

Test(decompose, same_bits_twice)
{
	AbutMesh *mesh = sample_mesh_level(sample_level_wheel, 1.0, 10 * TEST_EFFORT(2));
	AbutDecomposition *first = decompose(mesh, 0.05, 24, 32), *second = decompose(mesh, 0.05, 24, 32);
	cr_assert_eq(first->n_parts, second->n_parts);
	for (int i = 0; i < first->n_parts; i++) {
		const AbutShape *a = first->parts[i].shape, *b = second->parts[i].shape;
		cr_assert_eq(a->n_vertices, b->n_vertices);
		cr_assert_eq(memcmp(a->vertices, b->vertices, (size_t)a->n_vertices * 3 * sizeof(double)), 0);
		cr_assert_eq(memcmp(&first->parts[i].volume, &second->parts[i].volume, 3 * sizeof(double)), 0);
	}
	cr_assert_eq(memcmp(&first->size, &second->size, 6 * sizeof(double)), 0);
	abut_decomposition_destroy(first);
	abut_decomposition_destroy(second);
	abut_mesh_destroy(mesh);
}

static bool stop_at_third(void *context, const char *stage, double part)
{
	int *calls = context;
	cr_assert_str_eq(stage, "decomposition");
	cr_assert(part > 0.0 && part <= 1.0);
	return ++*calls < 3;
}

Test(decompose, stops_when_told)
{
	AbutMesh *mesh = sample_mesh_torus(1.0, 0.3, 32, 16);
	int calls = 0;
	const AbutDecomposeOptions options = {.progress = stop_at_third, .context = &calls};
	AbutDecomposition *out = NULL;
	AbutError error;
	cr_assert_eq(abut_mesh_decompose(mesh, &options, &out, &error), ABUT_ERROR_STOPPED);
	cr_assert_null(out);
	cr_assert_eq(calls, 3);
	abut_mesh_destroy(mesh);
}

/* Separate solids, a cavity (of the shell), and a solid inside a solid. */
Test(decompose, components)
{
	const double x[4] = {0.0, 1.0, 2.0, 3.0};
	const double *const lines[3] = {x, x, x};
	AbutMesh *two = sample_mesh_blocks((int[3]){3, 1, 1}, lines, (char[]){1, 0, 1});
	AbutDecomposition *parts = decompose(two, 0.0, 0, 0);
	cr_assert_eq(parts->n_components, 2);
	cr_assert_eq(parts->n_parts, 2);
	cr_assert_eq(parts->n_nested, 0);
	cr_assert_float_eq(parts->hull_volume, 2.0, 1e-12);
	abut_decomposition_destroy(parts);

	/* The same block, and one around it. */
	double vertices[16 * 3];
	int triangles[24 * 3];
	AbutMesh *one = sample_mesh_blocks((int[3]){1, 1, 1}, lines, (char[]){1}), *nested = NULL;
	for (int i = 0; i < 24; i++) {
		vertices[i] = one->vertices[i];
		vertices[24 + i] = 5.0 * one->vertices[i] - 2.0;
	}
	for (int i = 0; i < 36; i++) {
		triangles[i] = one->triangles[i];
		triangles[36 + i] = one->triangles[i] + 8;
	}
	cr_assert_eq(abut_mesh_create(16, vertices, 24, triangles, &nested, NULL), ABUT_OK);
	parts = decompose(nested, 0.0, 0, 0);
	cr_assert_eq(parts->n_components, 2);
	cr_assert_eq(parts->n_nested, 1);
	char lines_of[ABUT_DECOMPOSITION_WARNINGS_MAX][ABUT_MESH_WARNING_SIZE];
	cr_assert_eq(abut_decomposition_warnings(parts, lines_of), 1);
	cr_expect(strstr(lines_of[0], "solids inside another solid, so that their volume counts twice: 1;"), "%s",
	          lines_of[0]);
	abut_decomposition_destroy(parts);
	abut_mesh_destroy(two);
	abut_mesh_destroy(one);
	abut_mesh_destroy(nested);
}

/* A cube and a closed surface that encloses nothing: a tetrahedron of four coplanar points. As a bundle, the hulls have
 * the given mass. */
Test(decompose, warnings_and_bundle)
{
	AbutMesh *cube = sample_mesh_blocks((int[3]){1, 1, 1}, even_lines, (char[]){1}), *mesh = NULL;
	static const double flat[12] = {3.0, 0.0, 0.5, 4.0, 0.0, 0.5, 3.0, 1.0, 0.5, 4.0, 1.0, 0.5};
	static const int faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
	double vertices[36];
	int triangles[48];
	memcpy(vertices, cube->vertices, 24 * sizeof *vertices);
	memcpy(&vertices[24], flat, sizeof flat);
	memcpy(triangles, cube->triangles, 36 * sizeof *triangles);
	for (int i = 0; i < 12; i++) {
		triangles[36 + i] = 8 + faces[i];
	}
	cr_assert_eq(abut_mesh_create(12, vertices, 16, triangles, &mesh, NULL), ABUT_OK);
	AbutDecomposition *parts = decompose(mesh, 0.0, 0, 0);
	char lines[ABUT_DECOMPOSITION_WARNINGS_MAX][ABUT_MESH_WARNING_SIZE];
	cr_assert(parts->n_parts == 1 && parts->n_flat == 1);
	cr_assert_eq(abut_decomposition_warnings(parts, lines), 1);
	cr_expect(strstr(lines[0], "1 pieces without volume"), "%s", lines[0]);
	AbutBundle *bundle = NULL;
	AbutMassProperties mass = parts->parts[0].shape->mass;
	cr_assert_eq(abut_decomposition_bundle(parts, NULL, &bundle, NULL), ABUT_OK);
	cr_expect(bundle->n_parts == 1 && !bundle->mass_given);
	abut_bundle_destroy(bundle);
	mass.volume *= 2.0;
	cr_assert_eq(abut_decomposition_bundle(parts, &mass, &bundle, NULL), ABUT_OK);
	cr_expect(bundle->mass_given && bundle->mass.volume == mass.volume);
	abut_bundle_destroy(bundle);
	mass.volume = -1.0;
	cr_assert_eq(abut_decomposition_bundle(parts, &mass, &bundle, NULL), ABUT_ERROR_ARGUMENT);
	cr_assert_null(bundle);
	abut_decomposition_destroy(parts);
	abut_mesh_destroy(mesh);
	abut_mesh_destroy(cube);

	mesh = sample_mesh_torus(1.0, 0.3, 32, 16);
	parts = decompose(mesh, 0.01, 3, 0);
	cr_assert_eq(abut_decomposition_warnings(parts, lines), 1);
	cr_expect(strstr(lines[0], "the 3 hulls"), "%s", lines[0]);
	abut_decomposition_destroy(parts);
	abut_mesh_destroy(mesh);
}

static void check_refused(int n_triangles, const int *triangles, const char *word)
{
	AbutMesh *cube = sample_mesh_blocks((int[3]){1, 1, 1}, even_lines, (char[]){1}), *mesh = NULL;
	AbutDecomposition *out = NULL;
	AbutError error;
	cr_assert_eq(abut_mesh_create(8, cube->vertices, n_triangles, triangles, &mesh, &error), ABUT_OK);
	cr_assert_eq(abut_mesh_decompose(mesh, NULL, &out, &error), ABUT_ERROR_ARGUMENT);
	cr_assert_null(out);
	cr_assert_not_null(strstr(error.message, word), "%s", error.message);
	abut_mesh_destroy(mesh);
	abut_mesh_destroy(cube);
}

Test(decompose, bad_meshes_are_refused)
{
	AbutMesh *cube = sample_mesh_blocks((int[3]){1, 1, 1}, even_lines, (char[]){1});
	int triangles[36];
	memcpy(triangles, cube->triangles, sizeof triangles);
	check_refused(11, triangles, "not closed");
	check_refused(2, triangles, "at least 4");
	for (int t = 0; t < 12; t++) {
		const int swap = triangles[3 * t];
		triangles[3 * t] = triangles[3 * t + 1];
		triangles[3 * t + 1] = swap;
	}
	check_refused(12, triangles, "inside out");
	const int flat[12] = {0, 1, 2, 0, 2, 1, 1, 3, 2, 1, 2, 3};
	check_refused(4, flat, "no volume");
	abut_mesh_destroy(cube);
}

Test(decompose, options_are_checked)
{
	AbutMesh *cube = sample_mesh_blocks((int[3]){1, 1, 1}, even_lines, (char[]){1});
	const AbutDecomposeOptions bad[] = {{.concavity = 2.0}, {.concavity = NAN},  {.concavity = -0.1},
	                                    {.max_parts = -1},  {.max_parts = 2000}, {.max_faces = 3}};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		AbutDecomposition *out = NULL;
		AbutError error;
		cr_assert_eq(abut_mesh_decompose(cube, &bad[i], &out, &error), ABUT_ERROR_ARGUMENT, "%zu", i);
		cr_assert_null(out);
	}
	abut_mesh_destroy(cube);
}

/* More pieces than are tried pair by pair: 75 cubes in a grid, in 10 hulls that contain them all. */
Test(decompose, many_components)
{
	enum { X = 9, Y = 9, Z = 5 };
	double lines[X + 1];
	static char filled[X * Y * Z];
	for (int i = 0; i <= X; i++) {
		lines[i] = i;
	}
	for (int i = 0; i < X * Y * Z; i++) {
		filled[i] = i % X % 2 == 0 && i / X % Y % 2 == 0 && i / (X * Y) % 2 == 0;
	}
	AbutMesh *mesh = sample_mesh_blocks((int[3]){X, Y, Z}, (const double *const[3]){lines, lines, lines}, filled);
	AbutDecomposition *parts = decompose(mesh, 0.02, 10, 0), *again = decompose(mesh, 0.02, 10, 0);
	cr_assert_eq(parts->n_components, 75);
	cr_expect_eq(parts->n_parts, 10, "%d parts", parts->n_parts);
	double volume = 0.0;
	for (int i = 0; i < parts->n_parts; i++) {
		volume += parts->parts[i].volume;
		cr_expect_geq(parts->parts[i].shape->mass.volume, parts->parts[i].volume * (1.0 - 1e-12));
		cr_expect_eq(parts->parts[i].distance, again->parts[i].distance);
	}
	cr_expect_float_eq(volume, 75.0, 1e-9, "%.17g", volume);
	cr_expect_leq(parts->hull_volume, (double)X * Y * Z, "%g", parts->hull_volume);
	abut_decomposition_destroy(parts);
	abut_decomposition_destroy(again);
	abut_mesh_destroy(mesh);
}
