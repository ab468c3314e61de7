#include "shapes/mesh/sample_mesh.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static AbutMesh *create(int n_vertices, const double *vertices, int n_triangles, const int *triangles)
{
	AbutMesh *mesh = NULL;
	AbutError error;
	cr_assert_eq(abut_mesh_create(n_vertices, vertices, n_triangles, triangles, &mesh, &error), ABUT_OK, "%s",
	             error.message);
	return mesh;
}

AbutMesh *sample_mesh_blocks(const int n[3], const double *const lines[3], const char *filled)
{
	const int nodes = (n[0] + 1) * (n[1] + 1) * (n[2] + 1), cells = n[0] * n[1] * n[2];
	double *vertices = malloc((size_t)nodes * 3 * sizeof *vertices);
	int *triangles = malloc((size_t)cells * 36 * sizeof *triangles), count = 0;
	for (int v = 0; v < nodes; v++) {
		vertices[3 * v] = lines[0][v % (n[0] + 1)];
		vertices[3 * v + 1] = lines[1][v / (n[0] + 1) % (n[1] + 1)];
		vertices[3 * v + 2] = lines[2][v / (n[0] + 1) / (n[1] + 1)];
	}
	for (int c = 0; c < cells; c++) {
		const int at[3] = {c % n[0], c / n[0] % n[1], c / n[0] / n[1]};
		for (int face = 0; face < 6 && filled[c]; face++) {
			const int axis = face / 2, up = face % 2, u = (axis + 1) % 3, w = (axis + 2) % 3;
			int next[3] = {at[0], at[1], at[2]}, corner[4];
			next[axis] += up ? 1 : -1;
			if (next[axis] >= 0 && next[axis] < n[axis] &&
			    filled[next[0] + n[0] * (next[1] + n[1] * next[2])]) {
				continue;
			}
			for (int k = 0; k < 4; k++) {
				int p[3] = {at[0], at[1], at[2]};
				p[axis] += up;
				p[u] += k == 1 || k == 2;
				p[w] += k >= 2;
				corner[up ? k : 3 - k] = p[0] + (n[0] + 1) * (p[1] + (n[1] + 1) * p[2]);
			}
			const int two[6] = {corner[0], corner[1], corner[2], corner[0], corner[2], corner[3]};
			memcpy(&triangles[3 * count], two, sizeof two);
			count += 2;
		}
	}
	AbutMesh *mesh = create(nodes, vertices, count, triangles);
	free(vertices);
	free(triangles);
	return mesh;
}

AbutMesh *sample_mesh_torus(double R, double r, int n, int m)
{
	double *vertices = malloc((size_t)(n * m) * 3 * sizeof *vertices);
	int *triangles = malloc((size_t)(n * m) * 6 * sizeof *triangles);
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < m; j++) {
			const double u = 2.0 * M_PI * i / n, w = 2.0 * M_PI * j / m;
			double *v = &vertices[3 * (i * m + j)];
			v[0] = (R + r * cos(w)) * cos(u);
			v[1] = (R + r * cos(w)) * sin(u);
			v[2] = r * sin(w);
			const int a = i * m + j, b = (i + 1) % n * m + j, c = (i + 1) % n * m + (j + 1) % m,
			          d = i * m + (j + 1) % m;
			const int two[6] = {a, b, c, a, c, d};
			memcpy(&triangles[6 * (i * m + j)], two, sizeof two);
		}
	}
	AbutMesh *mesh = create(n * m, vertices, 2 * n * m, triangles);
	free(vertices);
	free(triangles);
	return mesh;
}

/* A level set under construction. A vertex belongs to the grid edge from node `low` in one of the seven directions of
 * the tetrahedra's edges. */
typedef struct March {
	int n; /* nodes along a side */
	const double *values;
	double size;
	int *vertex_of; /* (nodes x 7) or -1 */
	double *vertices;
	int *triangles;
	int n_vertices, n_triangles;
} March;

static void node_position(const March *march, int node, double p[3])
{
	const int n = march->n, at[3] = {node % n, node / n % n, node / n / n};
	for (int k = 0; k < 3; k++) {
		p[k] = march->size * (2.0 * at[k] / (n - 1) - 1.0);
	}
}

static int march_vertex(March *march, int a, int b)
{
	const int low = a < b ? a : b, high = a < b ? b : a, n = march->n, step = high - low;
	const int direction = step % n % 2 + 2 * (step / n % n % 2) + 4 * (step / n / n);
	int *at = &march->vertex_of[7 * low + direction - 1];
	if (*at < 0) {
		double p[3], q[3];
		node_position(march, low, p);
		node_position(march, high, q);
		const double t = march->values[low] / (march->values[low] - march->values[high]);
		for (int k = 0; k < 3; k++) {
			march->vertices[3 * march->n_vertices + k] = p[k] + t * (q[k] - p[k]);
		}
		*at = march->n_vertices++;
	}
	return *at;
}

static void march_triangle(March *march, int a, int b, int c, int inside)
{
	double p[3], e[2][3];
	node_position(march, inside, p);
	const double *v[3] = {&march->vertices[3 * a], &march->vertices[3 * b], &march->vertices[3 * c]};
	for (int k = 0; k < 3; k++) {
		e[0][k] = v[1][k] - v[0][k];
		e[1][k] = v[2][k] - v[0][k];
		p[k] = v[0][k] - p[k];
	}
	const double volume = p[0] * (e[0][1] * e[1][2] - e[0][2] * e[1][1]) +
	                      p[1] * (e[0][2] * e[1][0] - e[0][0] * e[1][2]) +
	                      p[2] * (e[0][0] * e[1][1] - e[0][1] * e[1][0]);
	int *triangle = &march->triangles[3 * march->n_triangles++];
	triangle[0] = a;
	triangle[1] = volume > 0.0 ? b : c;
	triangle[2] = volume > 0.0 ? c : b;
}

static void march_tetrahedron(March *march, const int node[4])
{
	int in[4], out[4], n_in = 0, n_out = 0;
	for (int k = 0; k < 4; k++) {
		if (march->values[node[k]] < 0.0) {
			in[n_in++] = node[k];
		} else {
			out[n_out++] = node[k];
		}
	}
	if (n_in == 1 || n_in == 3) {
		const int apex = n_in == 1 ? in[0] : out[0], *base = n_in == 1 ? out : in;
		march_triangle(march, march_vertex(march, apex, base[0]), march_vertex(march, apex, base[1]),
		               march_vertex(march, apex, base[2]), in[0]);
	} else if (n_in == 2) {
		const int a = march_vertex(march, in[0], out[0]), b = march_vertex(march, in[0], out[1]),
		          c = march_vertex(march, in[1], out[1]), d = march_vertex(march, in[1], out[0]);
		march_triangle(march, a, b, c, in[0]);
		march_triangle(march, a, c, d, in[1]);
	}
}

AbutMesh *sample_mesh_level(double (*f)(const double p[3]), double size, int n)
{
	static const int paths[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
	const int nodes = (n + 1) * (n + 1) * (n + 1);
	double *values = malloc((size_t)nodes * sizeof *values);
	March march = {.n = n + 1, .values = values, .size = size};
	march.vertex_of = malloc((size_t)nodes * 7 * sizeof *march.vertex_of);
	march.vertices = malloc((size_t)nodes * 3 * sizeof *march.vertices);
	march.triangles = malloc((size_t)nodes * 6 * sizeof *march.triangles);
	for (int i = 0; i < nodes; i++) {
		double p[3];
		node_position(&march, i, p);
		values[i] = f(p);
		/* No vertex falls on a node. */
		values[i] += fabs(values[i]) < 1e-6 * size ? 2e-6 * size : 0.0;
	}
	memset(march.vertex_of, -1, (size_t)nodes * 7 * sizeof *march.vertex_of);
	for (int c = 0; c < n * n * n; c++) {
		const int m = n + 1, base = c % n + m * (c / n % n + m * (c / n / n));
		for (int t = 0; t < 6; t++) {
			int node[4] = {base, 0, 0, base + 1 + m + m * m};
			for (int k = 0; k < 2; k++) {
				const int bits = paths[t][k];
				node[k + 1] = base + (bits & 1) + m * (bits >> 1 & 1) + m * m * (bits >> 2);
			}
			march_tetrahedron(&march, node);
		}
	}
	AbutMesh *mesh = create(march.n_vertices, march.vertices, march.n_triangles, march.triangles);
	free(values);
	free(march.vertex_of);
	free(march.vertices);
	free(march.triangles);
	return mesh;
}

/* Returns the distance to a capsule about the segment from a to b. */
static double capsule(const double p[3], const double a[3], const double b[3], double radius)
{
	double t = 0.0, length2 = 0.0, sum = 0.0;
	for (int k = 0; k < 3; k++) {
		t += (p[k] - a[k]) * (b[k] - a[k]);
		length2 += (b[k] - a[k]) * (b[k] - a[k]);
	}
	t = fmin(fmax(t / length2, 0.0), 1.0);
	for (int k = 0; k < 3; k++) {
		const double step = p[k] - a[k] - t * (b[k] - a[k]);
		sum += step * step;
	}
	return sqrt(sum) - radius;
}

double sample_level_wheel(const double p[3])
{
	static const double low[3] = {0.0, 0.0, -0.6}, high[3] = {0.0, 0.0, 0.6};
	double best = capsule(p, low, high, 0.15);
	for (int k = 0; k < 8; k++) {
		const double u = 2.0 * M_PI * k / 8, w = 2.0 * M_PI * (k + 1) / 8;
		const double here[3] = {0.8 * cos(u), 0.8 * sin(u), 0.0}, next[3] = {0.8 * cos(w), 0.8 * sin(w), 0.0};
		const double middle[3] = {0.0, 0.0, 0.0};
		best = fmin(best, capsule(p, here, next, 0.1));
		if (k % 2 == 0) {
			best = fmin(best, capsule(p, middle, here, 0.07));
		}
	}
	return best;
}

double sample_level_shell(const double p[3])
{
	const double r = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
	return fmax(r - 0.8, 0.5 - r);
}
