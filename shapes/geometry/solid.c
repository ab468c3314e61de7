/* Computes volume, winding number and connected components with their cavities, for closed triangle meshes. */
#include "shapes/geometry/solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/vec3.h"
#include "shapes/geometry/surface.h"

bool abut_triangles_add(AbutTriangles *triangles, int a, int b, int c, bool is_cut)
{
	const int n = triangles->n;
	if (!abut_grow(&triangles->corners, &triangles->capacity, 3 * (n + 1), sizeof *triangles->corners) ||
	    !abut_grow(&triangles->is_cut, &triangles->flag_capacity, n + 1, sizeof *triangles->is_cut)) {
		return false;
	}
	triangles->corners[3 * n] = a;
	triangles->corners[3 * n + 1] = b;
	triangles->corners[3 * n + 2] = c;
	triangles->is_cut[n] = is_cut;
	triangles->n = n + 1;
	return true;
}

void abut_triangles_free(AbutTriangles *triangles)
{
	free(triangles->corners);
	free(triangles->is_cut);
	*triangles = (AbutTriangles){0};
}

void abut_solid_list_free(AbutSolidList *list)
{
	for (int i = 0; i < list->n; i++) {
		free(list->items[i]);
	}
	free(list->items);
	*list = (AbutSolidList){0};
}

static void relative(const double *vertices, int vertex, const double origin[3], double out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = vertices[3 * (size_t)vertex + (size_t)i] - origin[i];
	}
}

/* Returns the volume inside closed triangles: the sum of the signed volumes of the tetrahedra between `origin` and each
 * triangle (divergence theorem). */
static double volume_of(const double *vertices, int n_triangles, const int *triangles, const double origin[3])
{
	double six_volumes = 0.0;
	for (int t = 0; t < n_triangles; t++) {
		const int *corner = &triangles[3 * (size_t)t];
		double a[3], b[3], c[3], cross[3];
		relative(vertices, corner[0], origin, a);
		relative(vertices, corner[1], origin, b);
		relative(vertices, corner[2], origin, c);
		abut_cross3(b, c, cross);
		six_volumes += abut_dot3(a, cross);
	}
	return six_volumes / 6.0;
}

/* Returns the winding number: the sum of the solid angles of the triangles seen from p, divided by 4 pi. */
double abut_solid_winding(const double *vertices, int n_triangles, const int *triangles, const double p[3])
{
	double half_angles = 0.0;
	for (int t = 0; t < n_triangles; t++) {
		const int *corner = &triangles[3 * (size_t)t];
		half_angles +=
		    abut_triangle_half_angle(&vertices[3 * (size_t)corner[0]], &vertices[3 * (size_t)corner[1]],
		                             &vertices[3 * (size_t)corner[2]], p);
	}
	return half_angles / (2.0 * M_PI);
}

/* Data for sorting triangles into components. */
typedef struct Sorting {
	int n_vertices;
	const double *vertices;
	const AbutTriangles *triangles;
	int *parent;  /* (n_vertices) parents in a union-find structure; later the index of each vertex in its solid */
	int *label;   /* (n triangles) component of each triangle */
	int n_labels; /* number of components */
	double *volume;   /* (n_labels) m^3 */
	double *bounds;   /* (n_labels x 6) lowest and highest coordinates, m */
	int *owner;       /* (n_labels) the component itself, or the one around a cavity; -1: left out */
	double origin[3]; /* apex of the tetrahedra for the volumes, m */
} Sorting;

static int root_of(int *parent, int i)
{
	while (parent[i] != i) {
		parent[i] = parent[parent[i]];
		i = parent[i];
	}
	return i;
}

static void join(int *parent, int i, int j)
{
	const int a = root_of(parent, i), b = root_of(parent, j);
	parent[a > b ? a : b] = a > b ? b : a;
}

/* Numbers the components in the order of their first triangles. `number` (n_vertices) is scratch. */
static void label_components(Sorting *sorting, int *number)
{
	const AbutTriangles *triangles = sorting->triangles;
	for (int i = 0; i < sorting->n_vertices; i++) {
		sorting->parent[i] = i;
		number[i] = -1;
	}
	for (int t = 0; t < triangles->n; t++) {
		const int *corner = &triangles->corners[3 * (size_t)t];
		join(sorting->parent, corner[0], corner[1]);
		join(sorting->parent, corner[0], corner[2]);
	}
	for (int t = 0; t < triangles->n; t++) {
		const int root = root_of(sorting->parent, triangles->corners[3 * (size_t)t]);
		if (number[root] < 0) {
			number[root] = sorting->n_labels++;
		}
		sorting->label[t] = number[root];
	}
}

/* Sorts the triangles by group, which is their component or its owner, and keeps their order within a group. Group g is
 * order[start[g]] to order[start[g + 1] - 1]. Components without an owner are left out. */
static void group_triangles(const Sorting *sorting, bool by_owner, int *start, int *order)
{
	const int n = sorting->triangles->n;
	memset(start, 0, ((size_t)sorting->n_labels + 2) * sizeof *start);
	/* The size of group g is counted in start[g + 2]. Filling then moves start[g + 1] from the start of group g to
	 * its end. */
	for (int pass = 0; pass < 2; pass++) {
		for (int t = 0; t < n; t++) {
			const int label = sorting->label[t], group = by_owner ? sorting->owner[label] : label;
			if (group >= 0 && pass == 0) {
				start[group + 2]++;
			} else if (group >= 0) {
				order[start[group + 1]++] = t;
			}
		}
		for (int g = 1; pass == 0 && g <= sorting->n_labels; g++) {
			start[g + 1] += start[g];
		}
	}
}

static const int *corners_of(const Sorting *sorting, int t)
{
	return &sorting->triangles->corners[3 * (size_t)t];
}

/* Returns how often a component winds around p; 0 if p is outside its bounds. */
static double winding_of(const Sorting *sorting, int label, const int *start, const int *order, const double p[3])
{
	const double *box = &sorting->bounds[6 * (size_t)label];
	double sum = 0.0;
	for (int k = 0; k < 3; k++) {
		if (p[k] < box[k] || p[k] > box[3 + k]) {
			return 0.0;
		}
	}
	for (int i = start[label]; i < start[label + 1]; i++) {
		sum += abut_solid_winding(sorting->vertices, 1, corners_of(sorting, order[i]), p);
	}
	return sum;
}

/* Assigns each component of negative volume to the smallest component of positive volume that winds around it. */
static void assign_cavities(Sorting *sorting, int *start, int *order)
{
	group_triangles(sorting, false, start, order);
	for (int cavity = 0; cavity < sorting->n_labels; cavity++) {
		if (sorting->owner[cavity] < 0 || sorting->volume[cavity] >= 0.0) {
			continue;
		}
		const double *p = &sorting->vertices[3 * (size_t)corners_of(sorting, order[start[cavity]])[0]];
		for (int label = 0; label < sorting->n_labels; label++) {
			const int owner = sorting->owner[cavity];
			const bool smaller = owner == cavity || sorting->volume[label] < sorting->volume[owner];
			if (sorting->owner[label] == label && sorting->volume[label] > 0.0 && smaller &&
			    winding_of(sorting, label, start, order, p) > 0.5) {
				sorting->owner[cavity] = label;
			}
		}
	}
}

/* Measures volumes and bounds of the components, and leaves out those in the plane. */
static void measure_components(Sorting *sorting, const AbutPlane *plane, double tolerance)
{
	for (int label = 0; label < sorting->n_labels; label++) {
		sorting->volume[label] = 0.0;
		sorting->owner[label] = plane ? -1 : label;
		for (int k = 0; k < 3; k++) {
			sorting->bounds[6 * (size_t)label + (size_t)k] = HUGE_VAL;
			sorting->bounds[6 * (size_t)label + 3 + (size_t)k] = -HUGE_VAL;
		}
	}
	for (int t = 0; t < sorting->triangles->n; t++) {
		const int *corner = &sorting->triangles->corners[3 * (size_t)t], label = sorting->label[t];
		double *const box = &sorting->bounds[6 * (size_t)label];
		sorting->volume[label] += volume_of(sorting->vertices, 1, corner, sorting->origin);
		for (int i = 0; i < 9; i++) {
			const double x = sorting->vertices[3 * (size_t)corner[i / 3] + (size_t)(i % 3)];
			box[i % 3] = abut_min(box[i % 3], x);
			box[3 + i % 3] = abut_max(box[3 + i % 3], x);
		}
		for (int k = 0; k < 3 && plane && sorting->owner[label] < 0; k++) {
			const double height =
			    abut_dot3(plane->normal, &sorting->vertices[3 * (size_t)corner[k]]) - plane->offset;
			sorting->owner[label] = fabs(height) > tolerance ? label : -1;
		}
	}
}

static AbutSolid *allocate(int n_vertices, int n_triangles)
{
	const size_t doubles = 3 * (size_t)n_vertices, ints = 3 * (size_t)n_triangles;
	AbutSolid *solid =
	    malloc(sizeof *solid + doubles * sizeof(double) + ints * sizeof(int) + (size_t)n_triangles * sizeof(bool));
	if (solid) {
		double *const vertices = (double *)(solid + 1);
		int *const triangles = (int *)(void *)(vertices + doubles);
		*solid = (AbutSolid){.n_vertices = n_vertices,
		                     .n_triangles = n_triangles,
		                     .vertices = vertices,
		                     .triangles = triangles,
		                     .is_cut = (bool *)(triangles + ints)};
	}
	return solid;
}

AbutSolid *abut_solid_create(const double *vertices, const AbutTriangles *triangles, int *place)
{
	const size_t n_corners = 3 * (size_t)triangles->n;
	int n_vertices = 0;
	for (size_t i = 0; i < n_corners; i++) {
		int *const at = &place[triangles->corners[i]];
		*at = *at < 0 ? n_vertices++ : *at;
	}
	AbutSolid *solid = allocate(n_vertices, triangles->n);
	for (size_t i = 0; i < n_corners && solid; i++) {
		const int vertex = triangles->corners[i];
		solid->triangles[i] = place[vertex];
		abut_copy3(&vertices[3 * (size_t)vertex], &solid->vertices[3 * (size_t)place[vertex]]);
	}
	for (size_t i = 0; i < n_corners; i++) {
		place[triangles->corners[i]] = -1;
	}
	if (solid && triangles->n > 0) {
		memcpy(solid->is_cut, triangles->is_cut, (size_t)triangles->n * sizeof *solid->is_cut);
		solid->volume = volume_of(solid->vertices, solid->n_triangles, solid->triangles, solid->vertices);
	}
	return solid;
}

bool abut_solid_list_add(AbutSolidList *list, AbutSolid *solid)
{
	if (!solid || !abut_grow(&list->items, &list->capacity, list->n + 1, sizeof *list->items)) {
		free(solid);
		return false;
	}
	list->items[list->n++] = solid;
	return true;
}

/* Appends a solid: one component with its cavities. */
static bool add_component(const Sorting *sorting, int n, const int *order, int *place, AbutSolidList *out)
{
	AbutTriangles own = {0};
	bool done = true;
	for (int i = 0; i < n && done; i++) {
		const int *corner = corners_of(sorting, order[i]);
		done = abut_triangles_add(&own, corner[0], corner[1], corner[2], sorting->triangles->is_cut[order[i]]);
	}
	done = done && abut_solid_list_add(out, abut_solid_create(sorting->vertices, &own, place));
	abut_triangles_free(&own);
	return done;
}

/* Appends a solid for each component that is not a cavity. `start` (n_labels + 2) and `order` (n triangles) are
 * scratch. */
static bool sort_components(Sorting *sorting, int *start, int *order, const AbutPlane *plane, double tolerance,
                            AbutSolidList *out)
{
	measure_components(sorting, plane, tolerance);
	assign_cavities(sorting, start, order);
	group_triangles(sorting, true, start, order);
	for (int i = 0; i < sorting->n_vertices; i++) {
		sorting->parent[i] = -1;
	}
	bool done = true;
	for (int label = 0; label < sorting->n_labels && done; label++) {
		done = sorting->owner[label] != label || add_component(sorting, start[label + 1] - start[label],
		                                                       &order[start[label]], sorting->parent, out);
	}
	return done;
}

bool abut_solid_components(int n_vertices, const double *vertices, const AbutTriangles *triangles,
                           const AbutPlane *plane, double tolerance, AbutSolidList *out)
{
	if (triangles->n == 0) {
		return true;
	}
	const size_t n = (size_t)triangles->n, most = n > (size_t)n_vertices ? n : (size_t)n_vertices;
	Sorting sorting = {.n_vertices = n_vertices, .vertices = vertices, .triangles = triangles};
	abut_copy3(&vertices[3 * (size_t)triangles->corners[0]], sorting.origin);
	int *scratch = malloc((most + 1) * sizeof *scratch),
	    *start = NULL; /* `scratch` holds numbers of vertices, then the order of the triangles */
	sorting.parent = malloc(((size_t)n_vertices + 1) * sizeof *sorting.parent);
	sorting.label = malloc((n + 1) * sizeof *sorting.label);
	bool done = scratch && sorting.parent && sorting.label;
	if (done) {
		label_components(&sorting, scratch);
		const size_t n_labels = (size_t)sorting.n_labels;
		start = malloc((n_labels + 2) * sizeof *start);
		sorting.volume = malloc((n_labels + 1) * sizeof *sorting.volume);
		sorting.bounds = malloc((6 * n_labels + 1) * sizeof *sorting.bounds);
		sorting.owner = malloc((n_labels + 1) * sizeof *sorting.owner);
		done = start && sorting.volume && sorting.bounds && sorting.owner &&
		       sort_components(&sorting, start, scratch, plane, tolerance, out);
	}
	free(scratch);
	free(start);
	free(sorting.parent);
	free(sorting.label);
	free(sorting.volume);
	free(sorting.bounds);
	free(sorting.owner);
	return done;
}
