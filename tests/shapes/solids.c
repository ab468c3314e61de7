#include "solids.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"

static void add_vertex(Solid *solid, double x, double y, double z)
{
	double *p = &solid->vertices[3 * solid->n_vertices++];
	cr_assert_lt(solid->n_vertices, SOLID_MOST / 2);
	p[0] = x;
	p[1] = y;
	p[2] = z;
}

static void add_triangle(Solid *solid, int a, int b, int c)
{
	int *t = &solid->triangles[3 * solid->n_triangles++];
	cr_assert_lt(solid->n_triangles, SOLID_MOST);
	t[0] = a;
	t[1] = b;
	t[2] = c;
}

/* Adds a triangle of a convex solid about the origin, facing away from it. */
static void add_outward(Solid *solid, int a, int b, int c)
{
	double ab[3], ac[3], cross[3];
	for (int k = 0; k < 3; k++) {
		ab[k] = solid->vertices[3 * b + k] - solid->vertices[3 * a + k];
		ac[k] = solid->vertices[3 * c + k] - solid->vertices[3 * a + k];
	}
	abut_cross3(ab, ac, cross);
	if (abut_dot3(cross, &solid->vertices[3 * a]) > 0.0) {
		add_triangle(solid, a, b, c);
	} else {
		add_triangle(solid, a, c, b);
	}
}

void solid_tetrahedron(Solid *solid, double leg)
{
	solid->n_vertices = solid->n_triangles = 0;
	add_vertex(solid, 0, 0, 0);
	add_vertex(solid, leg, 0, 0);
	add_vertex(solid, 0, leg, 0);
	add_vertex(solid, 0, 0, leg);
	add_triangle(solid, 0, 2, 1);
	add_triangle(solid, 0, 1, 3);
	add_triangle(solid, 0, 3, 2);
	add_triangle(solid, 1, 2, 3);
}

void solid_box(Solid *solid, const double half[3])
{
	solid->n_vertices = solid->n_triangles = 0;
	for (int i = 0; i < 8; i++) {
		add_vertex(solid, i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]);
	}
	for (int axis = 0; axis < 3; axis++) {
		const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
		for (int side = 0; side < 2; side++) {
			const int a = side << axis;
			add_outward(solid, a, a + u, a + u + v);
			add_outward(solid, a, a + u + v, a + v);
		}
	}
}

typedef struct Around {
	double key;
	int index;
} Around;

static int compare(const void *a, const void *b)
{
	const double x = ((const Around *)a)->key, y = ((const Around *)b)->key;
	return (x > y) - (x < y);
}

/* Adds the five vertices that are furthest along `normal`, as a fan in the order of their angles. */
static void add_pentagon(Solid *solid, const double normal[3])
{
	Around all[20];
	for (int i = 0; i < 20; i++) {
		all[i] = (Around){-abut_dot3(normal, &solid->vertices[3 * i]), i};
	}
	qsort(all, 20, sizeof *all, compare);
	double along[3], across[3], middle[3] = {0.0};
	for (int i = 0; i < 5; i++) {
		for (int k = 0; k < 3; k++) {
			middle[k] += 0.2 * solid->vertices[3 * all[i].index + k];
		}
	}
	for (int k = 0; k < 3; k++) {
		along[k] = solid->vertices[3 * all[0].index + k] - middle[k];
	}
	abut_cross3(normal, along, across);
	for (int i = 0; i < 5; i++) {
		double step[3];
		for (int k = 0; k < 3; k++) {
			step[k] = solid->vertices[3 * all[i].index + k] - middle[k];
		}
		all[i].key = atan2(abut_dot3(step, across) / abut_norm3(normal), abut_dot3(step, along));
	}
	qsort(all, 5, sizeof *all, compare);
	for (int i = 1; i < 4; i++) {
		add_outward(solid, all[0].index, all[i].index, all[i + 1].index);
	}
}

void solid_dodecahedron(Solid *solid, double edge)
{
	const double golden = 0.5 * (1.0 + sqrt(5.0)), s = 0.5 * edge * golden;
	solid->n_vertices = solid->n_triangles = 0;
	for (int i = 0; i < 8; i++) {
		add_vertex(solid, i & 1 ? s : -s, i & 2 ? s : -s, i & 4 ? s : -s);
	}
	for (int i = 0; i < 4; i++) {
		const double a = (i & 1 ? s : -s) / golden, b = (i & 2 ? s : -s) * golden;
		add_vertex(solid, 0, a, b);
		add_vertex(solid, a, b, 0);
		add_vertex(solid, b, 0, a);
	}
	for (int i = 0; i < 4; i++) {
		const double a = i & 1 ? 1.0 : -1.0, b = i & 2 ? golden : -golden;
		add_pentagon(solid, (const double[3]){0, b, a});
		add_pentagon(solid, (const double[3]){b, a, 0});
		add_pentagon(solid, (const double[3]){a, 0, b});
	}
}

/* Returns the index of the middle of an edge on the sphere; finds an existing one by its position. */
static int middle_of(Solid *solid, int first, int a, int b, double radius)
{
	double p[3];
	for (int k = 0; k < 3; k++) {
		p[k] = solid->vertices[3 * a + k] + solid->vertices[3 * b + k];
	}
	const double factor = radius / abut_norm3(p);
	for (int i = first; i < solid->n_vertices; i++) {
		const double *q = &solid->vertices[3 * i];
		if (fabs(q[0] - factor * p[0]) + fabs(q[1] - factor * p[1]) + fabs(q[2] - factor * p[2]) <
		    1e-9 * radius) {
			return i;
		}
	}
	add_vertex(solid, factor * p[0], factor * p[1], factor * p[2]);
	return solid->n_vertices - 1;
}

void solid_sphere(Solid *solid, double radius, int divisions)
{
	const double golden = 0.5 * (1.0 + sqrt(5.0)), s = radius / sqrt(1.0 + golden * golden);
	solid->n_vertices = solid->n_triangles = 0;
	for (int i = 0; i < 4; i++) {
		const double a = i & 1 ? s : -s, b = (i & 2 ? s : -s) * golden;
		add_vertex(solid, 0, a, b);
		add_vertex(solid, a, b, 0);
		add_vertex(solid, b, 0, a);
	}
	for (int a = 0; a < 12; a++) {
		for (int b = a + 1; b < 12; b++) {
			for (int c = b + 1; c < 12; c++) {
				const int pairs[3][2] = {{a, b}, {b, c}, {c, a}};
				int near = 0;
				for (int k = 0; k < 3; k++) {
					const double *p = &solid->vertices[3 * pairs[k][0]],
					             *q = &solid->vertices[3 * pairs[k][1]];
					const double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
					near += abut_norm3(d) < 2.1 * s;
				}
				if (near == 3) {
					add_outward(solid, a, b, c);
				}
			}
		}
	}
	for (int division = 0; division < divisions; division++) {
		const int n = solid->n_triangles, first = solid->n_vertices;
		for (int t = 0; t < n; t++) {
			int *corners = &solid->triangles[3 * t];
			const int a = corners[0], b = corners[1], c = corners[2];
			const int d = middle_of(solid, first, a, b, radius), e = middle_of(solid, first, b, c, radius),
			          f = middle_of(solid, first, c, a, radius);
			corners[1] = d;
			corners[2] = f;
			add_triangle(solid, d, b, e);
			add_triangle(solid, f, e, c);
			add_triangle(solid, d, e, f);
		}
	}
}

void solid_torus(Solid *solid, double R, double r, int around, int up)
{
	solid->n_vertices = solid->n_triangles = 0;
	for (int i = 0; i < around; i++) {
		for (int k = 0; k < up; k++) {
			const double u = 2.0 * M_PI * i / around, v = 2.0 * M_PI * k / up;
			add_vertex(solid, (R + r * cos(v)) * cos(u), (R + r * cos(v)) * sin(u), r * sin(v));
		}
	}
	for (int i = 0; i < around; i++) {
		for (int k = 0; k < up; k++) {
			const int a = up * i + k, b = up * ((i + 1) % around) + k, c = up * i + (k + 1) % up,
			          d = up * ((i + 1) % around) + (k + 1) % up;
			add_triangle(solid, a, b, d);
			add_triangle(solid, a, d, c);
		}
	}
}

void solid_move(Solid *solid, const double R[9], const double t[3])
{
	for (int i = 0; i < solid->n_vertices; i++) {
		double *p = &solid->vertices[3 * i];
		abut_mat3_vec(R, p, p);
		for (int k = 0; k < 3; k++) {
			p[k] += t[k];
		}
	}
}

void solid_append(Solid *solid, const Solid *other, int turned)
{
	const int first = solid->n_vertices;
	for (int i = 0; i < other->n_vertices; i++) {
		add_vertex(solid, other->vertices[3 * i], other->vertices[3 * i + 1], other->vertices[3 * i + 2]);
	}
	for (int i = 0; i < other->n_triangles; i++) {
		const int *t = &other->triangles[3 * i];
		add_triangle(solid, first + t[0], first + t[turned ? 2 : 1], first + t[turned ? 1 : 2]);
	}
}

AbutMesh *solid_mesh(const Solid *solid)
{
	AbutMesh *mesh = NULL;
	AbutError error = {0};
	cr_assert_eq(
	    abut_mesh_create(solid->n_vertices, solid->vertices, solid->n_triangles, solid->triangles, &mesh, &error),
	    ABUT_OK, "%s", error.message);
	return mesh;
}
