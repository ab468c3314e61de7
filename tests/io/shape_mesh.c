/* Tests the triangles with which shapes are drawn: closed, facing outwards, on the boundary, with the volume of the
 * closed form. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abut/smooth.h"
#include "base/vec3.h"
#include "io/mesh/mesh.h"
#include "sample_composite.h"

enum { N_KINDS = ABUT_SHAPE_COUNT };

/* Makes a shape of the kind, moved by a random pose. Some sizes differ much. */
static AbutShape *make_shape(AbutShapeKind kind, AbutRng *rng)
{
	static const double half_extents[3] = {0.5, 0.2, 1.0}, radii[3] = {0.3, 0.5, 1.2};
	static const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1.5, 0, 0, 0, 0.7, 1, 1, 0.5, 0.6, 0.9, -0.4};
	static const double exponents[2] = {4.0, 8.0};
	AbutShape *shape = NULL, *core = NULL;
	AbutStatus status = ABUT_OK;
	switch (kind) {
	case ABUT_SHAPE_BOX:
		status = abut_shape_create_box(half_extents, &shape, NULL);
		break;
	case ABUT_SHAPE_POLYTOPE:
		status = abut_shape_create_polytope_from_vertices(6, vertices, &shape, NULL);
		break;
	case ABUT_SHAPE_PADDED_POLYTOPE:
		cr_assert_eq(abut_shape_create_polytope_from_vertices(6, vertices, &core, NULL), ABUT_OK);
		status = abut_shape_create_padded_polytope(core, 0.2, &shape, NULL);
		abut_shape_destroy(core);
		break;
	case ABUT_SHAPE_SPHERE:
		status = abut_shape_create_sphere(0.7, &shape, NULL);
		break;
	case ABUT_SHAPE_ELLIPSOID:
		status = abut_shape_create_ellipsoid(radii, &shape, NULL);
		break;
	case ABUT_SHAPE_CAPSULE:
		status = abut_shape_create_capsule(0.3, 1.0, &shape, NULL);
		break;
	case ABUT_SHAPE_CYLINDER:
		status = abut_shape_create_cylinder(0.3, 1.0, &shape, NULL);
		break;
	case ABUT_SHAPE_CONE:
		status = abut_shape_create_cone(1.2, 0.4, &shape, NULL);
		break;
	case ABUT_SHAPE_MINKOWSKI_SUM:
	case ABUT_SHAPE_INTERSECTION:
	case ABUT_SHAPE_CONIC:
		return sample_composite(kind, 1.0, false);
	case ABUT_SHAPE_SMOOTH:
		status = abut_shape_create_superellipsoid(radii, exponents, &shape, NULL);
		break;
	case ABUT_SHAPE_HALFSPACE:
	case ABUT_SHAPE_COUNT:
		cr_assert_fail("no bounded shape");
	}
	cr_assert_eq(status, ABUT_OK, "%s", abut_shape_kind_name(kind));
	sample_move(shape, 1.0, rng);
	return shape;
}

static bool same_point(const double *p, const double *q)
{
	return memcmp(p, q, 3 * sizeof *p) == 0;
}

/* Each edge of each triangle, whose ends are different, occurs once in the opposite direction. */
static void expect_closed(const AbutShapeMesh *mesh, const char *name)
{
	const int n = 3 * mesh->n_triangles;
	for (int i = 0; i < n; i++) {
		const int *at = mesh->triangles;
		const double *from = &mesh->positions[3 * at[i]],
		             *to = &mesh->positions[3 * at[i % 3 == 2 ? i - 2 : i + 1]];
		int same = 0, opposite = 0;
		for (int j = 0; j < n; j++) {
			const double *p = &mesh->positions[3 * at[j]];
			const double *q = &mesh->positions[3 * at[j % 3 == 2 ? j - 2 : j + 1]];
			same += same_point(from, p) && same_point(to, q);
			opposite += same_point(from, q) && same_point(to, p);
		}
		cr_assert(same == 1 && opposite == 1, "%s: edge %d stands %d times, and %d the other way", name, i,
		          same, opposite);
	}
}

/* Normals have unit length and are on the outer side of their triangles. */
static void expect_outward(const AbutShapeMesh *mesh, const char *name)
{
	for (int t = 0; t < mesh->n_triangles; t++) {
		const int *v = &mesh->triangles[3 * t];
		double edges[2][3], across[3];
		for (int i = 0; i < 3; i++) {
			edges[0][i] = mesh->positions[3 * v[1] + i] - mesh->positions[3 * v[0] + i];
			edges[1][i] = mesh->positions[3 * v[2] + i] - mesh->positions[3 * v[0] + i];
		}
		abut_cross3(edges[0], edges[1], across);
		const double area = abut_norm3(across);
		cr_assert_gt(area, 0.0, "%s: triangle %d has no area", name, t);
		for (int c = 0; c < 3; c++) {
			const double *normal = &mesh->normals[3 * v[c]];
			cr_assert_float_eq(abut_norm3(normal), 1.0, 1e-9);
			cr_assert_gt(abut_dot3(normal, across), 0.5 * area, "%s: triangle %d", name, t);
		}
	}
}

/* In any direction no vertex is further out than the shape, and one is almost as far. */
static void expect_reach(const AbutShape *shape, const AbutShapeMesh *mesh, AbutRng *rng)
{
	for (int trial = 0; trial < 40; trial++) {
		double u[3], most = -INFINITY;
		for (int i = 0; i < 3; i++) {
			u[i] = abut_rng_normal(rng);
		}
		const double length = abut_norm3(u);
		for (int i = 0; i < 3; i++) {
			u[i] /= length;
		}
		for (int v = 0; v < mesh->n_vertices; v++) {
			most = fmax(most, abut_dot3(u, &mesh->positions[3 * v]));
		}
		const double reach = abut_shape_support(shape, u, NULL), size = shape->outer_radius;
		cr_assert(most <= reach + 1e-6 * size && most >= reach - 0.01 * size, "%s: %g of %g",
		          abut_shape_kind_name(shape->kind), most, reach);
	}
}

/* Returns the volume in a closed mesh: a sixth of the sum of p . (q x r) over the triangles, relative to the first
 * vertex, which saves digits. */
static double volume_of(const AbutShapeMesh *mesh)
{
	double sum = 0.0;
	for (int t = 0; t < mesh->n_triangles; t++) {
		double corner[3][3], cross[3];
		for (int c = 0; c < 3; c++) {
			for (int i = 0; i < 3; i++) {
				corner[c][i] = mesh->positions[3 * mesh->triangles[3 * t + c] + i] - mesh->positions[i];
			}
		}
		abut_cross3(corner[1], corner[2], cross);
		sum += abut_dot3(corner[0], cross) / 6.0;
	}
	return sum;
}

Test(shape_mesh, every_kind_has_a_closed_boundary_of_its_volume)
{
	AbutRng rng = {5};
	for (int kind = 0; kind < N_KINDS; kind++) {
		if (kind == ABUT_SHAPE_HALFSPACE) {
			continue;
		}
		const char *name = abut_shape_kind_name((AbutShapeKind)kind);
		AbutShape *shape = make_shape((AbutShapeKind)kind, &rng);
		AbutShapeMesh mesh;
		AbutError error = {0};
		cr_assert_eq(abut_shape_mesh_create(shape, &mesh, &error), ABUT_OK, "%s: %s", name, error.message);
		const double ratio = volume_of(&mesh) / shape->mass.volume;
		const bool flat = kind == ABUT_SHAPE_BOX || kind == ABUT_SHAPE_POLYTOPE;
		cr_expect(flat ? fabs(ratio - 1.0) < 1e-9 : ratio < 1.0 && ratio > 0.98,
		          "%s: volume %.6f of the closed form", name, ratio);
		cr_expect(mesh.n_triangles >= 8 && mesh.n_triangles < 5000, "%s: %d triangles", name, mesh.n_triangles);
		expect_closed(&mesh, name);
		expect_outward(&mesh, name);
		expect_reach(shape, &mesh, &rng);
		abut_shape_mesh_free(&mesh);
		abut_shape_destroy(shape);
	}
}

Test(shape_mesh, a_halfspace_has_a_plate_of_its_plane)
{
	static const double normal[3] = {1.0, 2.0, -2.0}, about[3] = {4.0, 5.0, 6.0};
	AbutShape *shape = NULL;
	AbutShapeMesh mesh;
	AbutError error = {0};
	cr_assert_eq(abut_shape_create_halfspace(normal, 7.5, &shape, NULL), ABUT_OK);
	cr_expect_eq(abut_shape_mesh_create(shape, &mesh, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "halfspace"), "%s", error.message);
	cr_assert_eq(abut_shape_mesh_plate(shape, about, 3.0, &mesh, &error), ABUT_OK);
	double middle[3] = {0.0, 0.0, 0.0}, off[3], area = 0.0;
	for (int v = 0; v < 4; v++) {
		const double *p = &mesh.positions[3 * v];
		cr_expect_float_eq(abut_dot3(normal, p), 7.5, 1e-12);
		for (int i = 0; i < 3; i++) {
			middle[i] += 0.25 * p[i];
		}
	}
	for (int i = 0; i < 3; i++) {
		off[i] = middle[i] - about[i];
	}
	/* the nearest point is (7.5 - 2) / 3 away, along the normal */
	cr_expect_float_eq(abut_norm3(off), 5.5 / 3.0, 1e-12);
	for (int t = 0; t < 2; t++) {
		const int *v = &mesh.triangles[3 * t];
		double edges[2][3], across[3];
		for (int i = 0; i < 3; i++) {
			edges[0][i] = mesh.positions[3 * v[1] + i] - mesh.positions[3 * v[0] + i];
			edges[1][i] = mesh.positions[3 * v[2] + i] - mesh.positions[3 * v[0] + i];
		}
		abut_cross3(edges[0], edges[1], across);
		area += abut_dot3(across, normal) / 6.0;
	}
	cr_expect_float_eq(area, 36.0, 1e-9);
	abut_shape_mesh_free(&mesh);
	abut_shape_destroy(shape);
	cr_assert_eq(abut_shape_create_sphere(1.0, &shape, NULL), ABUT_OK);
	cr_expect_eq(abut_shape_mesh_plate(shape, about, 3.0, &mesh, &error), ABUT_ERROR_ARGUMENT);
	abut_shape_destroy(shape);
}
