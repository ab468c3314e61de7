/* Checks that abut_shape_check passes what abut_mesh_hull and abut_decompose make, since `abut validate` runs the one
 * and `abut run` takes the other. The meshes have the rounding of STL files, whose flat faces are not flat. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "abut/decompose.h"
#include "abut/mesh.h"
#include "abut/shape_check.h"
#include "abut/smooth.h"
#include "base/rng.h"

enum { MOST = 20000 };

/* A mesh under construction. */
typedef struct Builder {
	int n_vertices, n_triangles;
	double vertices[3 * MOST];
	int triangles[3 * MOST];
} Builder;

static Builder builder;

static void begin(void)
{
	builder.n_vertices = builder.n_triangles = 0;
}

/* Adds a point, rounded to single precision. */
static void add_point(double x, double y, double z)
{
	double *v = &builder.vertices[3 * builder.n_vertices++];
	cr_assert_leq(builder.n_vertices, MOST);
	v[0] = (double)(float)x;
	v[1] = (double)(float)y;
	v[2] = (double)(float)z;
}

static void add_triangle(int a, int b, int c)
{
	int *t = &builder.triangles[3 * builder.n_triangles++];
	cr_assert_leq(builder.n_triangles, MOST);
	t[0] = a;
	t[1] = b;
	t[2] = c;
}

/* Turns all points by a random rotation and rounds them again. */
static void turn(unsigned seed)
{
	AbutRng rng = {seed};
	double q[4], length = 0.0;
	for (int i = 0; i < 4; i++) {
		q[i] = abut_rng_normal(&rng);
		length += q[i] * q[i];
	}
	const double w = q[0] / sqrt(length), u[3] = {q[1] / sqrt(length), q[2] / sqrt(length), q[3] / sqrt(length)};
	for (int i = 0; i < builder.n_vertices; i++) {
		double *v = &builder.vertices[3 * i];
		const double t[3] = {2.0 * (u[1] * v[2] - u[2] * v[1]), 2.0 * (u[2] * v[0] - u[0] * v[2]),
		                     2.0 * (u[0] * v[1] - u[1] * v[0])};
		const double turned[3] = {v[0] + w * t[0] + u[1] * t[2] - u[2] * t[1],
		                          v[1] + w * t[1] + u[2] * t[0] - u[0] * t[2],
		                          v[2] + w * t[2] + u[0] * t[1] - u[1] * t[0]};
		for (int k = 0; k < 3; k++) {
			v[k] = (double)(float)turned[k];
		}
	}
}

static void expect_passes(const AbutShape *shape, const char *name, unsigned seed)
{
	AbutShapeReport report;
	cr_assert_eq(abut_shape_check(shape, &report), ABUT_OK);
	cr_expect(report.passed, "%s, seed %u, %d rows: %s", name, seed, shape->n_rows, report.message);
}

static AbutMesh *make(void)
{
	AbutMesh *mesh = NULL;
	AbutError error = {0};
	cr_assert_eq(abut_mesh_create(builder.n_vertices, builder.vertices, builder.n_triangles, builder.triangles,
	                              &mesh, &error),
	             ABUT_OK, "%s", error.message);
	return mesh;
}

static void expect_hulls_pass(const char *name, unsigned seed)
{
	AbutMesh *mesh = make();
	for (int faces = 0; faces <= 40; faces += 20) {
		for (int fit = 0; fit < 2; fit++) {
			AbutShape *hull = NULL;
			AbutError error = {0};
			cr_assert_eq(abut_mesh_hull(mesh, faces, (AbutMeshFit)fit, &hull, NULL, &error), ABUT_OK,
			             "%s, %u: %s", name, seed, error.message);
			expect_passes(hull, name, seed);
			abut_shape_destroy(hull);
		}
	}
	abut_mesh_destroy(mesh);
}

static void expect_parts_pass(const char *name, unsigned seed)
{
	AbutMesh *mesh = make();
	AbutDecomposition *parts = NULL;
	AbutDecomposeOptions options = {.concavity = 0.05};
	AbutError error = {0};
	options.max_parts = 12;
	cr_assert_eq(abut_mesh_decompose(mesh, &options, &parts, &error), ABUT_OK, "%s, %u: %s", name, seed,
	             error.message);
	for (int i = 0; i < parts->n_parts; i++) {
		expect_passes(parts->parts[i].shape, name, seed);
	}
	abut_decomposition_destroy(parts);
	abut_mesh_destroy(mesh);
}

static void build_torus(int around, int across, double R, double r)
{
	begin();
	for (int i = 0; i < around; i++) {
		for (int j = 0; j < across; j++) {
			const double a = 2.0 * M_PI * i / around, b = 2.0 * M_PI * j / across;
			add_point((R + r * cos(b)) * cos(a), (R + r * cos(b)) * sin(a), r * sin(b));
			const int next = (i + 1) % around, up = (j + 1) % across;
			add_triangle(i * across + j, next * across + j, next * across + up);
			add_triangle(i * across + j, next * across + up, i * across + up);
		}
	}
}

/* A staircase of `steps` steps as one closed surface: its outline in the plane of x and z, drawn along y. */
static void build_stairs(int steps)
{
	double outline[256][2];
	int n = 0;
	begin();
	outline[n][0] = 0.0;
	outline[n++][1] = 0.0;
	for (int i = 0; i < steps; i++) {
		outline[n][0] = steps - i;
		outline[n++][1] = 0.7 * i;
		outline[n][0] = steps - i;
		outline[n++][1] = 0.7 * (i + 1);
	}
	outline[n][0] = 0.0;
	outline[n++][1] = 0.7 * steps;
	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < n; i++) {
			add_point(outline[i][0], side ? 1.3 : -1.3, outline[i][1]);
		}
	}
	for (int i = 0; i < n; i++) {
		const int j = (i + 1) % n;
		add_triangle(i, n + j, j);
		add_triangle(i, n + i, n + j);
	}
	for (int i = 1; i + 1 < n; i++) { /* a fan about the corner, from which all of the outline is seen */
		add_triangle(0, i, i + 1);
		add_triangle(n, n + i + 1, n + i);
	}
}

static void build_cone(int sides)
{
	begin();
	add_point(0.0, 0.0, 1.5);
	add_point(0.0, 0.0, 0.0);
	for (int i = 0; i < sides; i++) {
		const double a = 2.0 * M_PI * i / sides;
		add_point(cos(a), sin(a), 0.0);
		const int j = (i + 1) % sides;
		add_triangle(0, 2 + i, 2 + j);
		add_triangle(1, 2 + j, 2 + i);
	}
}

/* A sphere of rings of equal latitude, with a fan at each pole. */
static void build_sphere(int around, int rings)
{
	begin();
	add_point(0.0, 0.0, 1.0);
	add_point(0.0, 0.0, -1.0);
	for (int k = 0; k < rings; k++) {
		const double b = M_PI * (k + 1) / (rings + 1);
		for (int i = 0; i < around; i++) {
			const double a = 2.0 * M_PI * i / around;
			add_point(sin(b) * cos(a), sin(b) * sin(a), cos(b));
			const int here = 2 + k * around + i, next = 2 + k * around + (i + 1) % around;
			if (k == 0) {
				add_triangle(0, here, next);
			}
			if (k == rings - 1) {
				add_triangle(1, next, here);
			} else {
				add_triangle(here, here + around, next + around);
				add_triangle(here, next + around, next);
			}
		}
	}
}

/* Points near the faces of a box, so that its hull has nearly coplanar facets. */
static void build_noisy_box(unsigned seed, double noise)
{
	AbutRng rng = {seed};
	begin();
	for (int i = 0; i < 300; i++) {
		double p[3];
		for (int k = 0; k < 3; k++) {
			p[k] = abut_rng_uniform(&rng, -1.0, 1.0);
		}
		p[i % 3] = (i % 2 ? 1.0 : -1.0) * (1.0 + noise * abut_rng_uniform(&rng, -1.0, 1.0));
		add_point(p[0], p[1], p[2]);
	}
	for (int i = 0; i < 8; i++) {
		add_point(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0);
	}
	for (int i = 0; i + 2 < builder.n_vertices; i += 3) {
		add_triangle(i, i + 1, i + 2);
	}
}

Test(check_meshes, tori)
{
	static const int sizes[][2] = {{24, 12}, {48, 16}, {64, 24}, {17, 9}};
	for (unsigned seed = 0; seed < 12; seed++) {
		const int *n = sizes[seed % 4];
		build_torus(n[0], n[1], 60.0, 20.0 + seed);
		if (seed >= 4) {
			turn(seed);
		}
		expect_hulls_pass("torus", seed);
		if (seed % 4 == 0) {
			expect_parts_pass("torus", seed);
		}
	}
}

Test(check_meshes, stairs)
{
	for (unsigned seed = 0; seed < 6; seed++) {
		build_stairs(2 + (int)seed);
		turn(seed);
		expect_hulls_pass("stairs", seed);
		expect_parts_pass("stairs", seed);
	}
}

Test(check_meshes, cones_and_spheres)
{
	static const int sides[] = {6, 15, 24, 48, 64};
	for (unsigned seed = 0; seed < 10; seed++) {
		build_cone(sides[seed % 5]);
		turn(seed);
		expect_hulls_pass("cone", seed);
		build_sphere(sides[seed % 5], 3 + (int)seed);
		turn(seed);
		expect_hulls_pass("sphere", seed);
	}
}

Test(check_meshes, boxes_with_noise_and_random_points)
{
	static const double noises[] = {0.0, 1e-10, 1e-8, 1e-7, 1e-6, 1e-5, 1e-3, 0.3};
	for (unsigned seed = 0; seed < 40; seed++) {
		build_noisy_box(seed, noises[seed % 8]);
		turn(seed);
		expect_hulls_pass("box with noise", seed);
	}
}

/* The shipped meshes, as hulls. */
Test(check_meshes, shipped_files)
{
	DIR *folder = opendir(ABUT_SOURCE_DIR "/experiments/meshes");
	const AbutMeshOptions options = abut_mesh_options_default();
	AbutMeshReport report;
	int checked = 0;
	cr_assert_not_null(folder);
	for (const struct dirent *entry; (entry = readdir(folder));) {
		char path[512];
		AbutMesh *mesh = NULL;
		AbutShape *hull = NULL;
		snprintf(path, sizeof path, ABUT_SOURCE_DIR "/experiments/meshes/%s", entry->d_name);
		if (entry->d_name[0] != '.' && abut_mesh_load(path, &options, &mesh, &report, NULL) == ABUT_OK) {
			cr_assert_eq(abut_mesh_hull(mesh, 0, ABUT_MESH_FIT_OUTER, &hull, NULL, NULL), ABUT_OK, "%s",
			             entry->d_name);
			expect_passes(hull, entry->d_name, 0);
			checked++;
		}
		abut_shape_destroy(hull);
		abut_mesh_destroy(mesh);
	}
	closedir(folder);
	cr_expect_gt(checked, 15);
}

/* A derivative is right or wrong at every size. Thin shapes have derivatives of very different magnitude. */
Test(check_meshes, superellipsoids_of_any_size)
{
	for (unsigned seed = 0; seed < 24; seed++) {
		AbutRng rng = {seed};
		double radii[3], exponents[2];
		for (int i = 0; i < 3; i++) {
			radii[i] = pow(10.0, abut_rng_uniform(&rng, -1.0, 1.0));
		}
		exponents[0] = exponents[1] = abut_rng_uniform(&rng, 2.0, 20.0);
		for (int k = -6; k <= 7; k++) {
			const double size = pow(10.0, k),
			             scaled[3] = {size * radii[0], size * radii[1], size * radii[2]};
			AbutShape *shape = NULL;
			if (abut_shape_create_superellipsoid(scaled, exponents, &shape, NULL) == ABUT_OK) {
				expect_passes(shape, "superellipsoid", seed);
			}
			abut_shape_destroy(shape);
		}
	}
}
