/* Tests repair: meshes as files contain them, torn into single triangles, with noise, copies and reversed triangles,
 * become the original solid again. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/vec3.h"
#include "shapes/solids.h"

static Solid solid, torn, other;

static AbutMesh *repair(const Solid *from, AbutMeshReport *report, unsigned seed)
{
	AbutMesh *mesh = solid_mesh(from), *out = NULL;
	AbutError error = {0};
	memset(report, 0, sizeof *report);
	cr_assert_eq(abut_mesh_repair(mesh, NULL, &out, report, &error), ABUT_OK, "seed %u: %s", seed, error.message);
	abut_mesh_destroy(mesh);
	return out;
}

static double volume_of(const AbutMesh *mesh, unsigned seed)
{
	AbutMassProperties mass;
	AbutError error = {0};
	cr_assert_eq(abut_mesh_mass(mesh, &mass, &error), ABUT_OK, "seed %u: %s", seed, error.message);
	return mass.volume;
}

static int below(AbutRng *rng, int n)
{
	return (int)(abut_rng_next(rng) % (uint64_t)n);
}

/* Tears the solid: every triangle gets its own corners, moved by up to `noise`, in any order; some are reversed. */
static int tear(const Solid *from, double noise, double turned, AbutRng *rng)
{
	int n_turned = 0;
	torn.n_vertices = torn.n_triangles = 0;
	for (int t = 0; t < from->n_triangles; t++) {
		const bool turn = abut_rng_uniform(rng, 0.0, 1.0) < turned;
		int *out = &torn.triangles[3 * torn.n_triangles++];
		n_turned += turn;
		for (int k = 0; k < 3; k++) {
			out[k] = torn.n_vertices;
			for (int axis = 0; axis < 3; axis++) {
				torn.vertices[3 * torn.n_vertices + axis] =
				    from->vertices[3 * from->triangles[3 * t + (turn ? 2 - k : k)] + axis] +
				    abut_rng_uniform(rng, -noise, noise);
			}
			torn.n_vertices++;
		}
	}
	for (int i = torn.n_triangles - 1; i > 0; i--) {
		const int j = below(rng, i + 1);
		int swap[3];
		memcpy(swap, &torn.triangles[3 * i], sizeof swap);
		memcpy(&torn.triangles[3 * i], &torn.triangles[3 * j], sizeof swap);
		memcpy(&torn.triangles[3 * j], swap, sizeof swap);
	}
	return n_turned;
}

Test(mesh_repair, torn_meshes_come_back)
{
	for (unsigned seed = 1; seed <= 60; seed++) {
		AbutRng rng = abut_rng_stream(seed, 0);
		if (seed % 2) {
			solid_torus(&solid, 1.0, 0.4, 10 + below(&rng, 20), 8 + below(&rng, 10));
		} else {
			solid_sphere(&solid, 1.0, below(&rng, 3));
		}
		AbutMesh *whole = solid_mesh(&solid);
		const double volume = volume_of(whole, seed);
		abut_mesh_destroy(whole);
		const int n_turned = tear(&solid, 1e-7, seed % 3 ? 0.3 : 0.0, &rng);
		/* Copies, and triangles with two equal corners. */
		const int copies = below(&rng, 5), degenerate = below(&rng, 5);
		for (int i = 0; i < copies; i++) {
			memcpy(&torn.triangles[3 * torn.n_triangles++], &torn.triangles[3 * i], 3 * sizeof(int));
		}
		for (int i = 0; i < degenerate; i++) {
			int *t = &torn.triangles[3 * torn.n_triangles++];
			memcpy(t, &torn.triangles[3 * i], 3 * sizeof(int));
			t[1] = t[0];
		}
		AbutMeshReport report;
		AbutMesh *mesh = repair(&torn, &report, seed);
		cr_expect_eq(mesh->n_vertices, solid.n_vertices, "seed %u: %d vertices, not %d", seed, mesh->n_vertices,
		             solid.n_vertices);
		cr_expect_eq(mesh->n_triangles, solid.n_triangles, "seed %u", seed);
		cr_expect_eq(report.duplicate, copies, "seed %u: %d copies", seed, report.duplicate);
		cr_expect_eq(report.degenerate, degenerate, "seed %u: %d degenerate", seed, report.degenerate);
		cr_expect(report.closed && report.components == 1 && report.open_edges == 0, "seed %u", seed);
		cr_expect(report.turned == n_turned || report.inside_out, "seed %u: %d turned, not %d", seed,
		          report.turned, n_turned);
		cr_expect_float_eq(volume_of(mesh, seed), volume, 1e-5 * volume, "seed %u", seed);
		abut_mesh_destroy(mesh);
	}
}

Test(mesh_repair, inside_out)
{
	AbutMeshReport report;
	solid_dodecahedron(&other, 1.0);
	solid.n_vertices = solid.n_triangles = 0;
	solid_append(&solid, &other, 1);
	AbutMesh *mesh = repair(&solid, &report, 0);
	cr_expect(report.inside_out && report.turned == 36 && report.closed);
	cr_expect_gt(volume_of(mesh, 0), 7.6);
	abut_mesh_destroy(mesh);
}

/* A box of side 2 contains one of side 1: a cavity if it faces inwards, otherwise counted twice. Both reversed give the
 * same. A third box beside them faces inwards and is turned. */
Test(mesh_repair, cavities)
{
	for (int turned = 0; turned < 4; turned++) {
		const int all = turned & 1, nested = turned >> 1;
		AbutMeshReport report;
		solid.n_vertices = solid.n_triangles = 0;
		solid_box(&other, (const double[3]){1, 1, 1});
		solid_append(&solid, &other, all);
		solid_box(&other, (const double[3]){0.5, 0.5, 0.5});
		solid_append(&solid, &other, all ^ !nested);
		solid_move(&other, (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, (const double[3]){3, 0, 0});
		solid_append(&solid, &other, !all);
		AbutMesh *mesh = repair(&solid, &report, (unsigned)turned);
		cr_expect_eq(report.components, 3);
		cr_expect_eq(report.cavities, !nested, "%d: %d cavities", turned, report.cavities);
		cr_expect_eq(report.nested, nested, "%d: %d nested", turned, report.nested);
		cr_expect_eq(report.inside_out, (bool)all);
		cr_expect_float_eq(volume_of(mesh, (unsigned)turned), nested ? 10.0 : 8.0, 1e-12);
		abut_mesh_destroy(mesh);
	}
}

/* A strip whose ends are joined, turned over when `half_turn`. */
static void make_strip(int half_turn)
{
	enum { N = 12 };
	solid.n_vertices = solid.n_triangles = 0;
	for (int i = 0; i < N; i++) {
		const double u = 2.0 * M_PI * i / N, v = half_turn ? 0.5 * u : 0.0;
		for (int side = -1; side <= 1; side += 2) {
			double *p = &solid.vertices[3 * solid.n_vertices++];
			p[0] = (1.0 + 0.2 * side * cos(v)) * cos(u);
			p[1] = (1.0 + 0.2 * side * cos(v)) * sin(u);
			p[2] = 0.2 * side * sin(v);
		}
	}
	for (int i = 0; i < N; i++) {
		const bool cross = half_turn && i == N - 1;
		const int a = 2 * i, b = a + 1, c = (a + 2) % (2 * N) + cross, d = (a + 2) % (2 * N) + !cross;
		const int corners[6] = {a, b, c, b, d, c};
		memcpy(&solid.triangles[3 * solid.n_triangles], corners, sizeof corners);
		solid.n_triangles += 2;
	}
}

Test(mesh_repair, one_sided_and_open)
{
	for (int half_turn = 0; half_turn < 2; half_turn++) {
		AbutMeshReport report;
		char warnings[ABUT_MESH_WARNINGS_MAX][ABUT_MESH_WARNING_SIZE];
		make_strip(half_turn);
		AbutMesh *mesh = repair(&solid, &report, 0);
		cr_expect(!report.closed && report.open_edges == 24 && report.components == 1);
		cr_expect_eq(report.one_sided_edges, half_turn, "%d", report.one_sided_edges);
		cr_assert_gt(abut_mesh_warnings(&report, warnings), 0);
		cr_expect(strstr(warnings[0], "not closed"), "%s", warnings[0]);
		cr_expect_eq(strstr(warnings[0], "one-sided") != NULL, half_turn, "%s", warnings[0]);
		abut_mesh_destroy(mesh);
	}
}

/* Two tetrahedra share an edge: it has four triangles, but the surface is closed. */
Test(mesh_repair, edge_of_four)
{
	AbutMeshReport report;
	solid_tetrahedron(&other, 1.0);
	solid.n_vertices = solid.n_triangles = 0;
	solid_append(&solid, &other, 0);
	solid_move(&other, (const double[9]){-1, 0, 0, 0, -1, 0, 0, 0, 1}, (const double[3]){0, 0, 0});
	solid_append(&solid, &other, 0);
	AbutMesh *mesh = repair(&solid, &report, 0);
	cr_expect(report.closed && report.nonmanifold_edges == 1 && report.components == 2 && report.open_edges == 0);
	cr_expect_float_eq(volume_of(mesh, 0), 1.0 / 3.0, 1e-12);
	abut_mesh_destroy(mesh);
}

/* A triangle without area stays if it closes a seam; one that only lies on an edge is removed. */
Test(mesh_repair, triangles_without_area)
{
	AbutMeshReport report;
	solid_tetrahedron(&solid, 1.0);
	/* Triangle 0 1 3 is split at the middle 4 of its edge 0 1. The other side of that edge is not split, so that 0
	 * 4 1 fills the gap. */
	const int split[9] = {0, 4, 3, 4, 1, 3, 0, 1, 4};
	const double middle[3] = {0.5, 0.0, 0.0};
	memcpy(&solid.vertices[12], middle, sizeof middle);
	solid.n_vertices = 5;
	memcpy(&solid.triangles[3], &solid.triangles[9], 3 * sizeof(int));
	memcpy(&solid.triangles[9], split, sizeof split);
	solid.n_triangles = 6;
	AbutMesh *mesh = repair(&solid, &report, 0);
	cr_expect(report.closed && report.flat == 1 && report.degenerate == 0, "%d flat, %d degenerate", report.flat,
	          report.degenerate);
	cr_expect_float_eq(volume_of(mesh, 0), 1.0 / 6.0, 1e-12);
	abut_mesh_destroy(mesh);

	solid_tetrahedron(&solid, 1.0);
	memcpy(&solid.vertices[12], (const double[]){0.25, 0.25, 0.25, 0.5, 0.25, 0.25, 0.75, 0.25, 0.25}, 72);
	solid.n_vertices = 7;
	memcpy(&solid.triangles[12], (const int[]){4, 5, 6}, 3 * sizeof(int));
	solid.n_triangles = 5;
	mesh = repair(&solid, &report, 0);
	cr_expect(report.closed && report.flat == 0 && report.degenerate == 1);
	cr_expect_eq(mesh->n_vertices, 4);
	abut_mesh_destroy(mesh);
}

static bool stop_at_once(void *context, const char *stage, double part)
{
	(void)stage;
	(void)part;
	++*(int *)context;
	return false;
}

Test(mesh_repair, stops_when_asked)
{
	int calls = 0;
	AbutMeshOptions options = abut_mesh_options_default();
	AbutMeshReport report = {0};
	AbutMesh *out = NULL;
	solid_box(&solid, (const double[3]){1, 1, 1});
	AbutMesh *mesh = solid_mesh(&solid);
	options.progress = stop_at_once;
	options.context = &calls;
	cr_expect_eq(abut_mesh_repair(mesh, &options, &out, &report, NULL), ABUT_ERROR_STOPPED);
	cr_expect(calls == 1 && !out);
	abut_mesh_destroy(mesh);
}

Test(mesh_repair, refuses_wrong_arrays)
{
	const double points[6] = {0, 0, 0, 1, NAN, 0};
	const int triangle[3] = {0, 1, 2};
	AbutMesh *mesh = NULL;
	AbutError error = {0};
	cr_expect_eq(abut_mesh_create(2, points, 0, NULL, &mesh, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(!mesh && strstr(error.message, "vertices[1]"), "%s", error.message);
	cr_expect_eq(abut_mesh_create(1, points, 1, triangle, &mesh, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(!mesh && strstr(error.message, "vertex 1"), "%s", error.message);
	cr_expect_eq(abut_mesh_create(0, points, 0, NULL, &mesh, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_mesh_create(1, points, 1, NULL, &mesh, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_mesh_create(1, points, 0, NULL, NULL, &error), ABUT_ERROR_ARGUMENT);
}

/* Implausible sizes are reported, with the unit that would give a plausible one. */
Test(mesh_repair, sizes_to_wonder_about)
{
	static const struct {
		double size;
		const char *cure;
	} cases[] = {{1e-6, "scale 1e+06"}, {1e-5, "scale 1000"}, {80.0, NULL}, {1000.0, "unit mm"},
	             {250.0, "unit mm"},    {1e6, "unit um"},     {2e-3, NULL}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		AbutMeshReport report;
		char warnings[ABUT_MESH_WARNINGS_MAX][ABUT_MESH_WARNING_SIZE];
		const double half = 0.5 * cases[i].size;
		solid_box(&solid, (const double[3]){half, half, half});
		abut_mesh_destroy(repair(&solid, &report, (unsigned)i));
		const int n = abut_mesh_warnings(&report, warnings);
		cr_expect_eq(n, cases[i].cure ? 1 : 0, "%g: %d warnings", cases[i].size, n);
		cr_expect(!cases[i].cure || strstr(warnings[0], cases[i].cure), "%g: %s", cases[i].size, warnings[0]);
	}
}
