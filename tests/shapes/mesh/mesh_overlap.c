/* Tests reports of the volume that a mesh counts twice or negatively, for boxes and spheres with closed forms. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/vec3.h"
#include "shapes/solids.h"

static Solid solid, part;

static const double EYE[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static AbutMesh *repair(AbutMeshReport *report, unsigned seed)
{
	AbutMesh *mesh = solid_mesh(&solid), *out = NULL;
	AbutError error = {0};
	memset(report, 0, sizeof *report);
	cr_assert_eq(abut_mesh_repair(mesh, NULL, &out, report, &error), ABUT_OK, "seed %u: %s", seed, error.message);
	abut_mesh_destroy(mesh);
	return out;
}

static bool warns(const AbutMeshReport *report, const char *of)
{
	char warnings[ABUT_MESH_WARNINGS_MAX][ABUT_MESH_WARNING_SIZE];
	const int n = abut_mesh_warnings(report, warnings);
	bool found = false;
	for (int i = 0; i < n; i++) {
		found = found || strstr(warnings[i], of);
	}
	return found;
}

static double volume_of(const AbutMesh *mesh)
{
	AbutMassProperties mass;
	cr_assert_eq(abut_mesh_mass(mesh, &mass, NULL), ABUT_OK);
	return mass.volume;
}

static void start(void)
{
	solid.n_vertices = solid.n_triangles = 0;
}

/* Two boxes of random sizes overlap in a box, both in a random orientation. The reported overlap is right to 2 %, or to
 * 1e-4 of the whole. */
Test(mesh_overlap, boxes_that_overlap)
{
	for (unsigned seed = 1; seed <= 40; seed++) {
		AbutRng rng = abut_rng_stream(seed, 0);
		double q[4], R[9], half[3], second[3], shift[3], common = 1.0;
		const double origin[3] = {0.0};
		for (int k = 0; k < 3; k++) {
			half[k] = abut_rng_uniform(&rng, 0.2, 1.0);
			second[k] = abut_rng_uniform(&rng, 0.2, 1.0);
			const double depth = abut_rng_uniform(&rng, 0.1, 2.0) * abut_min(half[k], second[k]);
			shift[k] = half[k] + second[k] - depth;
			common *= depth;
		}
		start();
		solid_box(&part, half);
		solid_append(&solid, &part, 0);
		solid_box(&part, second);
		solid_move(&part, EYE, shift);
		solid_append(&solid, &part, 0);
		abut_rng_rotation(&rng, q);
		abut_quat_to_mat3(q, R);
		solid_move(&solid, R, origin);
		AbutMeshReport report;
		AbutMesh *mesh = repair(&report, seed);
		const double all = volume_of(mesh);
		cr_expect_float_eq(report.several, common, 0.02 * common + 1e-4 * all, "seed %u: %g, not %g", seed,
		                   report.several, common);
		cr_expect_float_eq(report.enclosed, all - common, 1e-3 * all, "seed %u: %g, not %g", seed,
		                   report.enclosed, all - common);
		cr_expect_lt(report.against, 1e-9 * all, "seed %u: %g against", seed, report.against);
		cr_expect(warns(&report, "count twice"), "seed %u", seed);
		abut_mesh_destroy(mesh);
	}
}

/* A box penetrates another without a vertex inside. Each of three spheres in a row penetrates the next. */
Test(mesh_overlap, bodies_through_bodies)
{
	AbutMeshReport report;
	start();
	solid_box(&part, (const double[3]){1.0, 0.2, 0.2});
	solid_append(&solid, &part, 0);
	solid_box(&part, (const double[3]){0.1, 1.0, 0.1});
	solid_append(&solid, &part, 0);
	abut_mesh_destroy(repair(&report, 0));
	/* The faces are parallel to the lines, so that the number of lines that fit varies by one: of 13 across the
	 * thin box, 26 in the other direction. */
	cr_expect_float_eq(report.several, 0.2 * 0.4 * 0.2, 0.06 * 0.016, "%g", report.several);
	/* The lens of two unit spheres at distance d: pi (4 + d) (2 - d)^2 / 12. */
	const double d = 1.5, lens = M_PI * (4.0 + d) * (2.0 - d) * (2.0 - d) / 12.0;
	start();
	for (int i = 0; i < 3; i++) {
		solid_sphere(&part, 1.0, 4);
		solid_move(&part, EYE, (const double[3]){d * i, 0.0, 0.0});
		solid_append(&solid, &part, 0);
	}
	abut_mesh_destroy(repair(&report, 0));
	cr_expect_float_eq(report.several, 2.0 * lens, 0.03 * lens, "%g, not %g", report.several, 2.0 * lens);
}

/* Without overlap nothing is reported: many solids in random orientations, boxes that touch with a face, an edge or a
 * vertex, a box with a cavity, a ball in a cavity. */
Test(mesh_overlap, no_false_alarm)
{
	for (unsigned seed = 1; seed <= 60; seed++) {
		AbutRng rng = abut_rng_stream(seed, 1);
		double q[4], R[9], t[3];
		start();
		switch (seed % 6) {
		case 0:
			solid_torus(&part, 1.0, 0.4, 30, 16);
			solid_append(&solid, &part, 0);
			break;
		case 1:
		case 2:
		case 3: /* touching with a face, an edge, a vertex */
			solid_box(&part, (const double[3]){0.5, 0.5, 0.5});
			solid_append(&solid, &part, 0);
			solid_move(&part, EYE, (const double[3]){1.0, seed % 6 > 1, seed % 6 > 2});
			solid_append(&solid, &part, 0);
			break;
		default: /* a ball in a cavity */
			solid_box(&part, (const double[3]){1, 1, 1});
			solid_append(&solid, &part, 0);
			solid_box(&part, (const double[3]){0.9, 0.9, 0.9});
			solid_append(&solid, &part, 1);
			solid_sphere(&part, 0.5, 2);
			solid_append(&solid, &part, seed % 6 == 5);
			break;
		}
		abut_rng_rotation(&rng, q);
		abut_quat_to_mat3(q, R);
		for (int k = 0; k < 3; k++) {
			t[k] = abut_rng_uniform(&rng, -3.0, 3.0);
		}
		solid_move(&solid, R, t);
		AbutMeshReport report;
		AbutMesh *mesh = repair(&report, seed);
		const double volume = volume_of(mesh);
		cr_expect(report.several <= 1e-9 * volume && report.against <= 1e-9 * volume,
		          "seed %u: %g several, %g against", seed, report.several, report.against);
		cr_expect_float_eq(report.enclosed, volume, 2e-3 * volume, "seed %u: %g, not %g", seed, report.enclosed,
		                   volume);
		cr_expect(report.nested == 0 && !warns(&report, "count"), "seed %u", seed);
		abut_mesh_destroy(mesh);
	}
}

/* Boxes share an edge, and one or both face inwards. They are turned outwards. */
Test(mesh_overlap, touching_pieces_face_outwards)
{
	for (int turned = 0; turned < 4; turned++) {
		AbutMeshReport report;
		start();
		solid_box(&part, (const double[3]){0.5, 0.5, 0.5});
		solid_append(&solid, &part, turned & 1);
		solid_move(&part, EYE, (const double[3]){1.0, 1.0, 0.0});
		solid_append(&solid, &part, turned >> 1);
		AbutMesh *mesh = repair(&report, (unsigned)turned);
		cr_expect(report.closed && report.nonmanifold_edges == 1 && report.components == 2, "%d", turned);
		cr_expect_float_eq(volume_of(mesh), 2.0, 1e-12, "%d", turned);
		cr_expect(report.against <= 1e-9 && report.several <= 1e-9, "%d: %g, %g", turned, report.against,
		          report.several);
		abut_mesh_destroy(mesh);
	}
}

/* A bow-tie loop extruded to a prism passes through itself. One half faces inwards, which is reported. */
Test(mesh_overlap, faces_inwards_in_part)
{
	static const double corners[4][2] = {{0, 0}, {2, 2}, {2, 0}, {0, 1}};
	static const int triangles[12][3] = {{0, 4, 1}, {1, 4, 5}, {1, 5, 2}, {2, 5, 6}, {2, 6, 3}, {3, 6, 7},
	                                     {3, 7, 0}, {0, 7, 4}, {0, 1, 2}, {0, 2, 3}, {4, 6, 5}, {4, 7, 6}};
	AbutMeshReport report;
	start();
	for (int i = 0; i < 8; i++) {
		double *p = &solid.vertices[3 * solid.n_vertices++];
		p[0] = corners[i % 4][0];
		p[1] = corners[i % 4][1];
		p[2] = i / 4;
	}
	memcpy(solid.triangles, triangles, sizeof triangles);
	solid.n_triangles = 12;
	abut_mesh_destroy(repair(&report, 0));
	/* The diagonals from (0, 0) and (2, 0) meet at x = 2/3: triangles of areas 4/3 and 1/3. */
	cr_expect(report.closed);
	cr_expect_float_eq(report.against, 1.0 / 3.0, 3e-3, "%g", report.against);
	cr_expect_float_eq(report.enclosed, 4.0 / 3.0, 1e-2, "%g", report.enclosed);
	cr_expect(warns(&report, "count negatively"));
}

/* Every triangle occurs in both directions. One direction is kept, and this is reported. If only some occur twice, they
 * are counted. */
Test(mesh_overlap, both_ways_round)
{
	for (unsigned seed = 1; seed <= 20; seed++) {
		AbutMeshReport report;
		start();
		solid_sphere(&part, 1.0, 2);
		solid_append(&solid, &part, 0);
		solid_append(&solid, &part, 1);
		AbutRng rng = abut_rng_stream(seed, 2);
		for (int i = solid.n_triangles - 1; i > 0; i--) {
			const int j = (int)(abut_rng_next(&rng) % (uint64_t)(i + 1));
			int swap[3];
			memcpy(swap, &solid.triangles[3 * i], sizeof swap);
			memcpy(&solid.triangles[3 * i], &solid.triangles[3 * j], sizeof swap);
			memcpy(&solid.triangles[3 * j], swap, sizeof swap);
		}
		AbutMesh *mesh = repair(&report, seed), *alone = solid_mesh(&part);
		cr_expect_eq(report.doubled, part.n_triangles, "seed %u: %d", seed, report.doubled);
		cr_expect(warns(&report, "facing both ways"), "seed %u", seed);
		cr_expect_float_eq(volume_of(mesh), volume_of(alone), 1e-12, "seed %u", seed);
		abut_mesh_destroy(mesh);
		abut_mesh_destroy(alone);
	}
	AbutMeshReport report;
	start();
	solid_box(&part, (const double[3]){1, 1, 1});
	solid_append(&solid, &part, 0);
	solid_append(&solid, &part, 1);
	solid_move(&part, EYE, (const double[3]){3, 0, 0});
	solid_append(&solid, &part, 0);
	AbutMesh *mesh = repair(&report, 0);
	cr_expect(report.back_to_back == 12 && report.doubled == 0 &&
	          warns(&report, "thickness or touching pieces: 12"));
	abut_mesh_destroy(mesh);
}

/* Two boxes overlap, and a vertex without triangles is far away. The lines still pass through the boxes. */
Test(mesh_overlap, beside_a_stray_vertex)
{
	const double common = 0.57 * 0.63 * 0.79;
	for (int stray = 0; stray < 2; stray++) {
		AbutMeshReport report;
		start();
		solid_box(&part, (const double[3]){0.5, 0.5, 0.5});
		solid_append(&solid, &part, 0);
		solid_move(&part, EYE, (const double[3]){0.43, 0.37, 0.21});
		solid_append(&solid, &part, 0);
		for (int k = 0; k < 3 && stray; k++) {
			solid.vertices[3 * solid.n_vertices + k] = 1e3;
		}
		solid.n_vertices += stray;
		AbutMesh *mesh = repair(&report, 0);
		cr_expect(report.closed && mesh->n_vertices == 16, "%d vertices", mesh->n_vertices);
		cr_expect_float_eq(report.several, common, 0.02 * common, "%g", report.several);
		cr_expect_float_eq(report.enclosed, 2.0 - common, 1e-2 * (2.0 - common), "%g", report.enclosed);
		cr_expect(fabs(report.high[0] - 0.93) < 1e-12 && report.low[0] == -0.5);
		cr_expect(warns(&report, "count twice"));
		abut_mesh_destroy(mesh);
	}
}

/* A box is inside another, both facing outwards. This is reported once, with the volume. */
Test(mesh_overlap, nested_is_told_once)
{
	char warnings[ABUT_MESH_WARNINGS_MAX][ABUT_MESH_WARNING_SIZE];
	AbutMeshReport report;
	start();
	solid_box(&part, (const double[3]){1.0, 1.0, 1.0});
	solid_append(&solid, &part, 0);
	solid_box(&part, (const double[3]){0.5, 0.5, 0.5});
	solid_append(&solid, &part, 0);
	abut_mesh_destroy(repair(&report, 0));
	cr_expect_eq(report.nested, 1);
	cr_expect_eq(abut_mesh_warnings(&report, warnings), 1);
	cr_expect(strstr(warnings[0], "count twice"), "%s", warnings[0]);
}
