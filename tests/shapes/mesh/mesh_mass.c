/* Compares volume, centre of mass and inertia of meshes and of their hulls with closed forms. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "shapes/sample.h"
#include "shapes/solids.h"

static Solid solid;

/* Known values of density 1: volume, inertia about the centre of mass. */
typedef struct Known {
	double volume, inertia[9], centre[3];
} Known;

static void check(const AbutMassProperties *mass, const Known *known, double tolerance, const char *what)
{
	double size = cbrt(known->volume), trace = known->inertia[0] + known->inertia[4] + known->inertia[8];
	cr_expect_float_eq(mass->volume, known->volume, tolerance * known->volume, "%s: volume %.17g, not %.17g", what,
	                   mass->volume, known->volume);
	for (int i = 0; i < 9; i++) {
		cr_expect_float_eq(mass->inertia[i], known->inertia[i], tolerance * trace,
		                   "%s: inertia[%d] %.17g, not %.17g", what, i, mass->inertia[i], known->inertia[i]);
	}
	for (int k = 0; k < 3; k++) {
		cr_expect_float_eq(mass->centre_of_mass[k], known->centre[k],
		                   tolerance * (size + fabs(known->centre[k])), "%s: centre[%d] %.17g", what, k,
		                   mass->centre_of_mass[k]);
	}
}

/* Checks the mesh in many poses: its own mass and that of its hull. */
static void check_moved(const Known *known, const char *name)
{
	const Solid start = solid;
	for (unsigned seed = 1; seed <= 20; seed++) {
		AbutRng rng = abut_rng_stream(seed, 0);
		double q[4], R[9], t[3], half[9];
		char what[64];
		abut_rng_rotation(&rng, q);
		abut_quat_to_mat3(q, R);
		for (int k = 0; k < 3; k++) {
			t[k] = abut_rng_uniform(&rng, -3.0, 3.0);
		}
		solid = start;
		solid_move(&solid, R, t);
		Known moved = *known;
		abut_mat3_mul(R, known->inertia, half);
		abut_mat3_mul_transposed(half, R, moved.inertia);
		abut_mat3_vec(R, known->centre, moved.centre);
		for (int k = 0; k < 3; k++) {
			moved.centre[k] += t[k];
		}
		snprintf(what, sizeof what, "%s, seed %u", name, seed);
		AbutMesh *mesh = solid_mesh(&solid);
		AbutMassProperties mass;
		AbutMeshHullReport report;
		AbutShape *shape = NULL;
		cr_assert_eq(abut_mesh_mass(mesh, &mass, NULL), ABUT_OK, "%s", what);
		check(&mass, &moved, 1e-9, what);
		cr_assert_eq(abut_mesh_hull(mesh, 0, ABUT_MESH_FIT_OUTER, &shape, &report, NULL), ABUT_OK, "%s", what);
		check(&report.hull, &moved, 1e-9, what);
		check(&shape->mass, &moved, 1e-9, what);
		abut_shape_destroy(shape);
		abut_mesh_destroy(mesh);
	}
}

Test(mesh_mass, tetrahedron)
{
	/* x >= 0, sum <= L: volume L^3/6, centre L/4; per volume, the variance of a coordinate is 3 L^2/80, the
	 * covariance of two -L^2/80. */
	const double L = 0.7, V = L * L * L / 6.0, a = V * 6.0 * L * L / 80.0, b = V * L * L / 80.0;
	const Known known = {V, {a, b, b, b, a, b, b, b, a}, {L / 4.0, L / 4.0, L / 4.0}};
	solid_tetrahedron(&solid, L);
	check_moved(&known, "tetrahedron");
}

Test(mesh_mass, box)
{
	const double h[3] = {0.3, 0.05, 1.1}, V = 8.0 * h[0] * h[1] * h[2];
	const Known known = {V,
	                     {V / 3.0 * (h[1] * h[1] + h[2] * h[2]), 0, 0, 0, V / 3.0 * (h[0] * h[0] + h[2] * h[2]), 0,
	                      0, 0, V / 3.0 * (h[0] * h[0] + h[1] * h[1])},
	                     {0, 0, 0}};
	solid_box(&solid, h);
	check_moved(&known, "box");
}

Test(mesh_mass, dodecahedron)
{
	const double a = 0.4, golden = 0.5 * (1.0 + sqrt(5.0)), V = (15.0 + 7.0 * sqrt(5.0)) / 4.0 * a * a * a;
	const double I = (39.0 * golden + 28.0) / 150.0 * V * a * a;
	const Known known = {V, {I, 0, 0, 0, I, 0, 0, 0, I}, {0, 0, 0}};
	solid_dodecahedron(&solid, a);
	cr_assert_eq(solid.n_triangles, 36);
	check_moved(&known, "dodecahedron");
}

/* Each division of the triangles reduces the errors of volume and inertia to a quarter. */
Test(mesh_mass, spheres_converge_at_second_order)
{
	const double r = 0.6, V = 4.0 / 3.0 * M_PI * r * r * r, I = 0.4 * V * r * r;
	double before[2] = {0.0, 0.0};
	for (int divisions = 1; divisions <= 5; divisions++) {
		AbutMassProperties mass;
		solid_sphere(&solid, r, divisions);
		AbutMesh *mesh = solid_mesh(&solid);
		cr_assert_eq(abut_mesh_mass(mesh, &mass, NULL), ABUT_OK);
		abut_mesh_destroy(mesh);
		const double now[2] = {1.0 - mass.volume / V, 1.0 - mass.inertia[0] / I};
		for (int k = 0; k < 2 && divisions > 2; k++) {
			const double order = log2(before[k] / now[k]);
			cr_expect(order > 1.95 && order < 2.05, "%d divisions: order %g", divisions, order);
		}
		memcpy(before, now, sizeof now);
	}
}

/* By Pappus, a torus of many sides approaches 2 pi^2 R r^2. Its hull is another solid. */
Test(mesh_mass, torus_is_not_its_hull)
{
	AbutMassProperties mass;
	AbutMeshHullReport report;
	AbutShape *shape = NULL;
	const double n = 100.0;
	solid_torus(&solid, 1.0, 0.3, 100, 100);
	AbutMesh *mesh = solid_mesh(&solid);
	cr_assert_eq(abut_mesh_mass(mesh, &mass, NULL), ABUT_OK);
	/* An n-gon replaces the circle, and n prisms between slanted planes replace the way around. */
	const double area = 0.5 * n * 0.09 * sin(2.0 * M_PI / n), way = n * sin(2.0 * M_PI / n);
	cr_expect_float_eq(mass.volume, area * way, 1e-9, "%.12g, not %.12g", mass.volume, area * way);
	cr_assert_eq(abut_mesh_hull(mesh, 0, ABUT_MESH_FIT_OUTER, &shape, &report, NULL), ABUT_OK);
	cr_expect_gt(report.hull.volume, 1.5 * mass.volume);
	abut_shape_destroy(shape);
	abut_mesh_destroy(mesh);
}

Test(mesh_mass, what_is_not_closed_has_none)
{
	AbutMassProperties mass;
	AbutError error = {0};
	solid_box(&solid, (const double[3]){1, 1, 1});
	for (int left = 0; left < 12; left++) {
		solid.n_triangles = left;
		AbutMesh *mesh = solid_mesh(&solid);
		cr_expect_eq(abut_mesh_mass(mesh, &mass, &error), ABUT_ERROR_ARGUMENT, "%d triangles", left);
		cr_expect(strstr(error.message, left == 0 ? "points without triangles" : "not closed"), "%s",
		          error.message);
		abut_mesh_destroy(mesh);
	}
	/* A mesh that is inside out, and a sheet with two sides: closed, but enclosing nothing. */
	for (int sheet = 0; sheet < 2; sheet++) {
		Solid box;
		solid_box(&box, (const double[3]){1, 1, 1});
		box.n_triangles = sheet ? 4 : 12;
		solid.n_vertices = solid.n_triangles = 0;
		solid_append(&solid, &box, 1);
		for (int i = 0; sheet && i < 4; i++) {
			memcpy(&solid.triangles[3 * solid.n_triangles++], &box.triangles[3 * i], 3 * sizeof(int));
		}
		AbutMesh *mesh = solid_mesh(&solid);
		cr_expect_eq(abut_mesh_mass(mesh, &mass, &error), ABUT_ERROR_ARGUMENT);
		cr_expect(strstr(error.message, "nothing"), "%s", error.message);
		abut_mesh_destroy(mesh);
	}
}
