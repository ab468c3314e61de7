/* Makes the mesh of a convex boundary: of a polytope from its faces, of any other shape as the hull of its furthest
 * points in many directions. */
#include "io/mesh/hull.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "io/text/file_text.h"
#include "shapes/primitives/polytope.h"
#include "shapes/support/support.h"

enum {
	LEVELS = 2, /* number of times each triangle of the icosahedron is divided into four */
	DIRECTIONS = 10 * 16 + 2,
	TRIANGLES = 20 * 16
};

/* --- directions, evenly distributed over the sphere --- */

typedef struct Sphere {
	int n, n_triangles;
	double points[DIRECTIONS][3];
	int triangles[TRIANGLES][3], next[TRIANGLES][3];
} Sphere;

static int add_point(Sphere *sphere, double x, double y, double z)
{
	const double length = sqrt(x * x + y * y + z * z);
	double *p = sphere->points[sphere->n];
	p[0] = x / length;
	p[1] = y / length;
	p[2] = z / length;
	return sphere->n++;
}

/* Makes the vertices (0, +-1, +-g) and their cyclic permutations, with the golden ratio g. The triangles are the 20
 * triples of vertices at mutual distance 2; both are then scaled to the unit sphere. */
static void make_icosahedron(Sphere *sphere)
{
	const double g = 0.5 * (1.0 + sqrt(5.0)), near = 1.1 * 2.0 / sqrt(1.0 + g * g);
	sphere->n = sphere->n_triangles = 0;
	for (int i = 0; i < 4; i++) {
		const double a = i % 2 ? -1.0 : 1.0, b = i / 2 ? -g : g;
		add_point(sphere, 0.0, a, b);
		add_point(sphere, b, 0.0, a);
		add_point(sphere, a, b, 0.0);
	}
	for (int i = 0; i < 12; i++) {
		for (int j = i + 1; j < 12; j++) {
			for (int k = j + 1; k < 12; k++) {
				const double *p = sphere->points[i], *q = sphere->points[j], *r = sphere->points[k];
				const double pq[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
				const double qr[3] = {q[0] - r[0], q[1] - r[1], q[2] - r[2]};
				const double rp[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
				if (abut_norm3(pq) < near && abut_norm3(qr) < near && abut_norm3(rp) < near) {
					int *triangle = sphere->triangles[sphere->n_triangles++];
					triangle[0] = i;
					triangle[1] = j;
					triangle[2] = k;
				}
			}
		}
	}
}

/* Returns the point midway between a and b. The other triangle at this edge may have added it already; such points have
 * indices from `first`. */
static int find_middle(Sphere *sphere, int first, int a, int b)
{
	const double *p = sphere->points[a], *q = sphere->points[b];
	const double x = p[0] + q[0], y = p[1] + q[1], z = p[2] + q[2], length = sqrt(x * x + y * y + z * z);
	for (int i = first; i < sphere->n; i++) {
		const double *m = sphere->points[i];
		if (x * m[0] + y * m[1] + z * m[2] > (1.0 - 1e-9) * length) {
			return i;
		}
	}
	return add_point(sphere, x, y, z);
}

static void divide(Sphere *sphere)
{
	const int first = sphere->n;
	for (int t = 0; t < sphere->n_triangles; t++) {
		const int *v = sphere->triangles[t];
		const int m[3] = {find_middle(sphere, first, v[0], v[1]), find_middle(sphere, first, v[1], v[2]),
		                  find_middle(sphere, first, v[2], v[0])};
		const int parts[4][3] = {
		    {v[0], m[0], m[2]}, {v[1], m[1], m[0]}, {v[2], m[2], m[1]}, {m[0], m[1], m[2]}};
		memcpy(sphere->next[4 * t], parts, sizeof parts);
	}
	sphere->n_triangles *= 4;
	memcpy(sphere->triangles, sphere->next, (size_t)sphere->n_triangles * sizeof *sphere->next);
}

/* --- a hull as triangles --- */

/* Lists the corners of a hull's faces (indices into `face_vertex`) by hull vertex. */
typedef struct Corners {
	int *at;      /* (n_vertices + 2); corners of vertex v have indices at[v] to at[v + 1] - 1 */
	int *corners; /* (n) indices into `face_vertex` */
	int *face;    /* (n) face of each corner, indexed as `face_vertex` */
	int *vertex;  /* (n) mesh vertex of each corner, indexed as `face_vertex` */
} Corners;

/* Allocates all lists as one block, which starts at `at`, and fills them. */
static AbutStatus list_corners(const AbutHull *hull, Corners *out, AbutError *error)
{
	const size_t n = (size_t)hull->face_start[hull->n_faces], n_vertices = (size_t)hull->n_vertices;
	out->at = calloc(n_vertices + 2 + 3 * n, sizeof *out->at);
	if (!out->at) {
		return abut_fail_memory(error, "the mesh of a shape");
	}
	out->corners = out->at + n_vertices + 2;
	out->face = out->corners + n;
	out->vertex = out->face + n;
	for (size_t c = 0; c < n; c++) {
		out->at[hull->face_vertex[c] + 2]++;
	}
	for (size_t v = 0; v < n_vertices; v++) {
		out->at[v + 2] += out->at[v + 1];
	}
	for (int f = 0; f < hull->n_faces; f++) {
		for (int c = hull->face_start[f]; c < hull->face_start[f + 1]; c++) {
			out->face[c] = f;
			out->corners[out->at[hull->face_vertex[c] + 1]++] = c;
		}
	}
	return ABUT_OK;
}

/* Computes the normal at the i-th corner of vertex v, the mean normal of its own face and of other faces at v. Other
 * faces count if the cosine of the angle between their normal and its own exceeds `smooth`; with `smooth` = 2 none do.
 */
static void corner_normal(const AbutHull *hull, const Corners *corners, int v, int i, double smooth, double out[3])
{
	const double *own = &hull->normals[3 * corners->face[corners->corners[i]]];
	double sum[3] = {0.0, 0.0, 0.0};
	for (int j = corners->at[v]; j < corners->at[v + 1]; j++) {
		const double *other = &hull->normals[3 * corners->face[corners->corners[j]]];
		if (i == j || abut_dot3(own, other) > smooth) {
			abut_add3(sum, other, sum);
		}
	}
	const double length = abut_norm3(sum);
	abut_divide3(sum, length, out);
}

static bool is_same(const double a[3], const double b[3])
{
	return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Makes one mesh vertex of all corners with the same hull vertex and normal. Returns the number of mesh vertices; sets
 * their `normals` and their hull vertices `origin`. */
static int join_corners(const AbutHull *hull, Corners *corners, double smooth, double *normals, int *origin)
{
	int n = 0;
	for (int v = 0; v < hull->n_vertices; v++) {
		const int first = n;
		for (int i = corners->at[v]; i < corners->at[v + 1]; i++) {
			double *normal = &normals[3 * n];
			corner_normal(hull, corners, v, i, smooth, normal);
			int same = first;
			while (same < n && !is_same(&normals[3 * same], normal)) {
				same++;
			}
			corners->vertex[corners->corners[i]] = same;
			if (same == n) {
				origin[n++] = v;
			}
		}
	}
	return n;
}

/* Divides each face into a fan of triangles. */
static void fill_mesh(const AbutHull *hull, const Corners *corners, const double *normals, const int *origin,
                      AbutShapeMesh *out)
{
	int n = 0;
	for (int v = 0; v < out->n_vertices; v++) {
		abut_copy3(&hull->vertices[3 * origin[v]], &out->positions[3 * v]);
		abut_copy3(&normals[3 * v], &out->normals[3 * v]);
	}
	for (int f = 0; f < hull->n_faces; f++) {
		const int start = hull->face_start[f];
		for (int c = start + 2; c < hull->face_start[f + 1]; c++) {
			const int triangle[3] = {corners->vertex[start], corners->vertex[c - 1], corners->vertex[c]};
			memcpy(&out->triangles[n], triangle, sizeof triangle);
			n += 3;
		}
	}
}

static AbutStatus mesh_of_hull(const AbutHull *hull, double smooth, AbutShapeMesh *out, AbutError *error)
{
	const int n_corners = hull->face_start[hull->n_faces];
	Corners corners = {NULL, NULL, NULL, NULL};
	AbutStatus status = ABUT_OK;
	ABUT_TRY(list_corners(hull, &corners, error));
	double *const normals = calloc((size_t)n_corners, 3 * sizeof *normals);
	int *const origin = calloc((size_t)n_corners, sizeof *origin);
	if (!normals || !origin) {
		status = abut_fail_memory(error, "the mesh of a shape");
	} else {
		const int n = join_corners(hull, &corners, smooth, normals, origin);
		status = abut_shape_mesh_allocate(out, n, n_corners - 2 * hull->n_faces, error);
		if (status == ABUT_OK) {
			fill_mesh(hull, &corners, normals, origin, out);
		}
	}
	free(normals);
	free(origin);
	free(corners.at);
	return status;
}

AbutStatus abut_shape_mesh_faces(const AbutShape *shape, AbutShapeMesh *out, AbutError *error)
{
	AbutHull *hull = NULL;
	AbutStatus status = abut_polytope_hull(shape, &hull, error);
	ABUT_THEN(status, mesh_of_hull(hull, 2.0, out, error));
	abut_hull_destroy(hull);
	return status;
}

/* --- furthest points ---
 *
 * The hull of furthest points lies inside the shape. The support function along the normal of a face gives the distance
 * of the face from the boundary. If it is too large, the furthest point in that direction is added. */

enum { MOST_POINTS = 4000, PASSES = 4 };

/* Both are relative to the size of the shape. Points closer than `same_point` are treated as one: furthest points of
 * neighbouring directions can be the same corner up to numerical error. Faces farther from the boundary than `fine` are
 * refined. */
static const double same_point = 1e-6, fine = 4e-3;

typedef struct Cloud {
	const AbutShape *shape;
	int n;
	double *points; /* (MOST_POINTS x 3) */
} Cloud;

/* Adds a point, unless it is already present or there is no room. */
static void add_to_cloud(Cloud *cloud, const double p[3])
{
	for (int i = 0; i < cloud->n; i++) {
		const double *q = &cloud->points[3 * i], d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
		if (abut_norm3(d) <= same_point * cloud->shape->outer_radius) {
			return;
		}
	}
	if (cloud->n < MOST_POINTS) {
		abut_copy3(p, &cloud->points[3 * cloud->n++]);
	}
}

static AbutStatus find_furthest(const AbutShape *shape, const double u[3], double p[3], AbutError *error)
{
	abut_shape_support_own(shape, u, p);
	return abut_all_finite(p, 3) ? ABUT_OK
	                             : abut_error_set(error, ABUT_ERROR_NUMERICAL, NULL,
	                                              "the furthest point of a %s along [%g, %g, %g] is not finite",
	                                              abut_shape_kind_name(shape->kind), u[0], u[1], u[2]);
}

/* Adds the corners of the flat faces of a padded polytope. Only the normals of these faces would find them. */
static AbutStatus add_flat_corners(Cloud *cloud, AbutError *error)
{
	AbutHull *core = NULL;
	const AbutShape *shape = cloud->shape;
	const AbutStatus status =
	    abut_hull_create(shape->n_vertices, shape->vertices, ABUT_COPLANAR, 0.0, "the core", &core, error);
	for (int f = 0; status == ABUT_OK && f < core->n_faces; f++) {
		for (int c = core->face_start[f]; c < core->face_start[f + 1]; c++) {
			const double *vertex = &core->vertices[3 * core->face_vertex[c]];
			double p[3];
			abut_add_scaled3(vertex, shape->size[0], &core->normals[3 * f], p);
			add_to_cloud(cloud, p);
		}
	}
	abut_hull_destroy(core);
	return status;
}

static AbutStatus add_sphere_of_directions(Cloud *cloud, AbutError *error)
{
	Sphere *const sphere = malloc(sizeof *sphere);
	if (!sphere) {
		return abut_fail_memory(error, "the mesh of a shape");
	}
	AbutStatus status = ABUT_OK;
	make_icosahedron(sphere);
	for (int i = 0; i < LEVELS; i++) {
		divide(sphere);
	}
	for (int i = 0; status == ABUT_OK && i < sphere->n; i++) {
		double p[3];
		status = find_furthest(cloud->shape, sphere->points[i], p, error);
		if (status == ABUT_OK) {
			add_to_cloud(cloud, p);
		}
	}
	free(sphere);
	return status;
}

/* Adds a furthest point for each face that is too far from the boundary. */
static AbutStatus refine(Cloud *cloud, const AbutHull *hull, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	for (int f = 0; status == ABUT_OK && f < hull->n_faces; f++) {
		const double *normal = &hull->normals[3 * f];
		double p[3];
		status = find_furthest(cloud->shape, normal, p, error);
		const double gap = abut_dot3(normal, p) - abut_dot3(normal, hull->origin) - hull->offsets[f];
		if (status == ABUT_OK && gap > fine * cloud->shape->outer_radius) {
			add_to_cloud(cloud, p);
		}
	}
	return status;
}

/* Computes the hull of the cloud and refines it until no point is added, in at most PASSES passes. */
static AbutStatus refined_hull(Cloud *cloud, AbutHull **out, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	*out = NULL;
	for (int pass = 0; status == ABUT_OK; pass++) {
		const int n = cloud->n;
		status = abut_hull_create(n, cloud->points, 1e-7, 0.0, "furthest points", out, error);
		if (status != ABUT_OK || pass == PASSES) {
			break;
		}
		status = refine(cloud, *out, error);
		if (status == ABUT_OK && cloud->n == n) {
			break;
		}
		abut_hull_destroy(*out);
		*out = NULL;
	}
	return status;
}

AbutStatus abut_shape_mesh_sampled(const AbutShape *shape, AbutShapeMesh *out, AbutError *error)
{
	const double smooth =
	    0.85; /* cosine of about 32 degrees, more than the angle between neighbouring faces of a smooth region */
	Cloud cloud = {shape, 0, malloc(MOST_POINTS * 3 * sizeof *cloud.points)};
	AbutHull *hull = NULL;
	AbutStatus status = ABUT_OK;
	if (!cloud.points) {
		return abut_fail_memory(error, "the mesh of a shape");
	}
	if (shape->kind == ABUT_SHAPE_PADDED_POLYTOPE) {
		status = add_flat_corners(&cloud, error);
	}
	ABUT_THEN(status, add_sphere_of_directions(&cloud, error));
	ABUT_THEN(status, refined_hull(&cloud, &hull, error));
	ABUT_THEN(status, mesh_of_hull(hull, smooth, out, error));
	abut_hull_destroy(hull);
	free(cloud.points);
	return status;
}
