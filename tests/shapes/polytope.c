/* Tests polytopes: rows and vertices describe the same set, made from either. Shapes are thin, small, large and
 * distant, with redundant and noisy input. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec3.h"
#include "sample.h"
#include "shapes/hull/hull.h"
#include "shapes/hull/inner_ball.h"

/* Returns the height of vertex v over row i, relative to the size. */
static double height(const AbutShape *shape, int i, const double v[3])
{
	return (abut_dot3(&shape->A[3 * i], v) - shape->h[i] - shape->d[i]) / shape->outer_radius;
}

/* Checks rows of unit length, each on at least three vertices, and vertices within all rows, each on at least three. */
static void check_polytope(const AbutShape *shape, double slack, unsigned seed)
{
	int *vertex_count = calloc((size_t)shape->n_vertices, sizeof *vertex_count);
	for (int i = 0; i < shape->n_rows; i++) {
		int row_count = 0;
		cr_assert_float_eq(abut_norm3(&shape->A[3 * i]), 1.0, 1e-14, "seed %u", seed);
		for (int k = 0; k < shape->n_vertices; k++) {
			const double over = height(shape, i, &shape->vertices[3 * k]);
			cr_assert_leq(over, slack, "seed %u: vertex %d is %g over row %d", seed, k, over, i);
			row_count += over >= -slack;
			vertex_count[k] += over >= -slack;
		}
		cr_assert_geq(row_count, 3, "seed %u: row %d holds %d vertices", seed, i, row_count);
	}
	for (int k = 0; k < shape->n_vertices; k++) {
		cr_assert_geq(vertex_count[k], 3, "seed %u: vertex %d is on %d rows", seed, k, vertex_count[k]);
	}
	free(vertex_count);
}

/* Makes the polytope of a shape's own rows plus redundant ones: copies, parallels further out, planes that touch a
 * vertex. */
static AbutShape *from_rows(const AbutShape *shape, AbutRng *rng)
{
	const int m = shape->n_rows, total = 3 * m + shape->n_vertices;
	double *A = malloc((size_t)total * 4 * sizeof *A), *b = A + 3 * (size_t)total;
	for (int i = 0; i < m; i++) {
		const double factor = abut_rng_uniform(rng, 0.5, 2.0);
		for (int copy = 0; copy < 3; copy++) {
			const int row = i + copy * m;
			for (int k = 0; k < 3; k++) {
				A[3 * row + k] = factor * shape->A[3 * i + k];
			}
			b[row] = factor * (shape->h[i] + shape->d[i] + (copy == 2 ? shape->outer_radius : 0.0));
		}
	}
	for (int j = 0; j < shape->n_vertices; j++) {
		double *a = &A[3 * (3 * m + j)];
		memset(a, 0, 3 * sizeof *a);
		for (int i = 0; i < m; i++) {
			for (int k = 0; k < 3 && height(shape, i, &shape->vertices[3 * j]) > -1e-12; k++) {
				a[k] += shape->A[3 * i + k];
			}
		}
		b[3 * m + j] = abut_dot3(a, &shape->vertices[3 * j]);
	}
	AbutShape *out = NULL;
	AbutError error;
	cr_assert_eq(abut_shape_create_polytope(total, A, b, &out, &error), ABUT_OK, "%s", error.message);
	free(A);
	return out;
}

Test(polytope, rows_and_vertices_agree)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		const double size = pow(10.0, abut_rng_uniform(&rng, -4.0, 4.0));
		const int n = 4 + (int)abut_rng_uniform(&rng, 0.0, 40.0);
		AbutShape *shape = sample_polytope(n, size, seed % 2 ? 10.0 * size : 0.0, &rng);
		check_polytope(shape, 1e-12, seed);
		AbutShape *again = from_rows(shape, &rng);
		check_polytope(again, 1e-9, seed);
		cr_assert_eq(again->n_rows, shape->n_rows, "seed %u: %d rows of %d", seed, again->n_rows,
		             shape->n_rows);
		cr_assert_eq(again->n_vertices, shape->n_vertices, "seed %u", seed);
		cr_assert_float_eq(again->mass.volume / shape->mass.volume, 1.0, 1e-9, "seed %u", seed);
		for (int k = 0; k < 3; k++) {
			cr_assert_lt(fabs(again->centre[k] - shape->centre[k]), 1e-9 * size, "seed %u", seed);
		}
		abut_shape_destroy(shape);
		abut_shape_destroy(again);
	}
}

/* Makes a rotated box of three extents with points inside and on its faces and edges, noise and an offset. */
static AbutShape *noisy_box(const double e[3], double noise, double offset, AbutRng *rng)
{
	enum { N = 60 };
	double q[4], R[9], p[3 * N];
	abut_rng_rotation(rng, q);
	abut_quat_to_mat3(q, R);
	for (int i = 0; i < N; i++) {
		for (int k = 0; k < 3; k++) {
			const bool corner = i < 8 || abut_rng_uniform(rng, 0.0, 1.0) < 0.5;
			const double sign = (i >> k) & 1 ? 1.0 : -1.0;
			p[3 * i + k] = e[k] * (corner ? sign : abut_rng_uniform(rng, -1.0, 1.0));
			p[3 * i + k] += noise * abut_rng_uniform(rng, -1.0, 1.0);
		}
		abut_mat3_vec(R, &p[3 * i], &p[3 * i]);
		for (int k = 0; k < 3; k++) {
			p[3 * i + k] += offset;
		}
	}
	AbutShape *shape = NULL;
	AbutError error;
	cr_assert_eq(abut_shape_create_polytope_from_vertices(N, p, &shape, &error), ABUT_OK, "%s", error.message);
	return shape;
}

Test(polytope, coplanar_facets_are_one_row)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		double e[3];
		for (int k = 0; k < 3; k++) {
			e[k] = pow(10.0, abut_rng_uniform(&rng, -3.0, 0.0));
		}
		const double length = fmax(e[0], fmax(e[1], e[2]));
		const double noise = seed % 2 ? 1e-12 * length : 0.0;
		AbutShape *shape = noisy_box(e, noise, seed % 3 ? 0.0 : 10.0 * length, &rng);
		cr_assert_eq(shape->n_rows, 6, "seed %u: %d rows", seed, shape->n_rows);
		cr_assert_eq(shape->n_vertices, 8, "seed %u: %d vertices", seed, shape->n_vertices);
		cr_assert_float_eq(shape->mass.volume / (8.0 * e[0] * e[1] * e[2]), 1.0, 1e-7, "seed %u", seed);
		abut_shape_destroy(shape);
	}
}

/* Noise of the size of the tolerance may remove rows, but never changes the set. */
Test(polytope, noise_never_breaks_the_hull)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {seed};
		double e[3];
		for (int k = 0; k < 3; k++) {
			e[k] = pow(10.0, abut_rng_uniform(&rng, -2.0, 0.0));
		}
		const double noise = pow(10.0, abut_rng_uniform(&rng, -11.0, -6.0));
		AbutShape *shape = noisy_box(e, noise, 0.0, &rng), *padded = NULL;
		for (int i = 0; i < shape->n_rows; i++) {
			for (int k = 0; k < shape->n_vertices; k++) {
				cr_assert_leq(height(shape, i, &shape->vertices[3 * k]), 1e-12, "seed %u", seed);
			}
		}
		cr_assert_float_eq(shape->mass.volume / (8.0 * e[0] * e[1] * e[2]), 1.0, 1e-3, "seed %u", seed);
		cr_assert_eq(abut_shape_create_padded_polytope(shape, 0.1, &padded, NULL), ABUT_OK, "seed %u", seed);
		const double R = 0.1,
		             volume = 8.0 * (e[0] * e[1] * e[2] + R * (e[0] * e[1] + e[1] * e[2] + e[2] * e[0])) +
		                      2.0 * M_PI * R * R * (e[0] + e[1] + e[2]) + 4.0 / 3.0 * M_PI * R * R * R;
		cr_assert_float_eq(padded->mass.volume / volume, 1.0, 1e-5, "seed %u: %g of %g", seed,
		                   padded->mass.volume, volume);
		abut_shape_destroy(shape);
		abut_shape_destroy(padded);
	}
}

Test(polytope, thin_plates_and_needles)
{
	for (int scale = -4; scale <= 4; scale++) {
		for (int thin = 0; thin <= 5; thin++) {
			for (int needle = 0; needle < 2; needle++) {
				const double size = pow(10.0, scale), t = size * pow(10.0, -thin);
				const double e[3] = {size, needle ? t : size, t};
				double A[21] = {0.0}, b[7];
				/* Ten lengths from the origin, with a distant row. */
				for (int i = 0; i < 6; i++) {
					A[3 * i + i % 3] = i < 3 ? 1.0 : -1.0;
					b[i] = e[i % 3] + (i < 3 ? 10.0 : -10.0) * size;
				}
				A[18] = A[19] = A[20] = 1.0;
				b[6] = 1e8;
				AbutShape *shape = NULL;
				AbutError error;
				cr_assert_eq(abut_shape_create_polytope(7, A, b, &shape, &error), ABUT_OK,
				             "size %g, thickness %g: %s", size, t, error.message);
				cr_assert_eq(shape->n_rows, 6, "size %g, thickness %g", size, t);
				cr_assert_eq(shape->n_vertices, 8, "size %g, thickness %g", size, t);
				/* b itself is known only to 1e-16 of its size. */
				cr_assert_float_eq(shape->mass.volume / (8.0 * e[0] * e[1] * e[2]), 1.0,
				                   1e-14 * size / t * 10.0, "size %g, thickness %g: %g", size, t,
				                   shape->mass.volume / (8.0 * e[0] * e[1] * e[2]) - 1.0);
				cr_assert_float_eq(shape->inner_radius / t, 1.0, 1e-13 * size / t);
				cr_assert_float_eq(shape->centre[2] / size, 10.0, 1e-13);
				abut_shape_destroy(shape);
			}
		}
	}
}

/* Rows of unit length stay the same to the last digit. */
Test(polytope, rows_are_the_users)
{
	for (unsigned seed = 0; seed < 50; seed++) {
		AbutRng rng = {seed};
		AbutShape *first = sample_polytope(20, 1.0, 0.0, &rng), *shape = NULL;
		const int m = first->n_rows;
		double *A = malloc((size_t)m * 4 * sizeof *A), *b = A + 3 * (size_t)m;
		for (int i = 0; i < m; i++) {
			b[i] = first->h[i] + first->d[i];
			for (int k = 0; k < 3; k++) {
				A[3 * i + k] = first->A[3 * i + k];
			}
		}
		cr_assert_eq(abut_shape_create_polytope(m, A, b, &shape, NULL), ABUT_OK);
		cr_assert_eq(shape->n_rows, m);
		for (int i = 0; i < m; i++) {
			bool found = false;
			for (int k = 0; k < m; k++) {
				found = found || memcmp(&shape->A[3 * i], &first->A[3 * k], 3 * sizeof(double)) == 0;
			}
			cr_assert(found, "seed %u, row %d", seed, i);
		}
		free(A);
		abut_shape_destroy(first);
		abut_shape_destroy(shape);
	}
}

Test(polytope, same_input_same_bits)
{
	AbutShape *shapes[2];
	for (int i = 0; i < 2; i++) {
		AbutRng rng = {9};
		shapes[i] = noisy_box((const double[]){1.0, 0.5, 0.2}, 1e-9, 0.0, &rng);
	}
	cr_assert_eq(shapes[0]->n_rows, shapes[1]->n_rows);
	cr_assert_eq(memcmp(shapes[0]->A, shapes[1]->A, (size_t)shapes[0]->n_rows * 3 * sizeof(double)), 0);
	cr_assert_eq(memcmp(shapes[0]->d, shapes[1]->d, (size_t)shapes[0]->n_rows * sizeof(double)), 0);
	cr_assert_eq(memcmp(&shapes[0]->mass, &shapes[1]->mass, sizeof shapes[0]->mass), 0);
	abut_shape_destroy(shapes[0]);
	abut_shape_destroy(shapes[1]);
}

/* qhull may not print anything. */
Test(polytope, qhull_is_silent)
{
	FILE *caught = tmpfile();
	cr_assert_not_null(caught);
	fflush(stdout);
	fflush(stderr);
	const int out = dup(1), err = dup(2);
	dup2(fileno(caught), 1);
	dup2(fileno(caught), 2);
	AbutRng rng = {9};
	AbutShape *noisy = noisy_box((const double[]){1.0, 0.01, 0.02}, 1e-9, 0.0, &rng);
	/* Flat points that get as far as qhull. */
	const double flat[15] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.5, 0.5, 1e-15};
	AbutHull *hull = NULL;
	AbutError error;
	abut_hull_create(5, flat, 0.0, 0.0, "vertices", &hull, &error);
	fflush(stdout);
	fflush(stderr);
	dup2(out, 1);
	dup2(err, 2);
	close(out);
	close(err);
	cr_assert_eq(fseek(caught, 0, SEEK_END), 0);
	cr_assert_eq(ftell(caught), 0);
	fclose(caught);
	abut_hull_destroy(hull);
	abut_shape_destroy(noisy);
}

/* The ball fits, and is at least half as large as one that is known to fit. */
Test(polytope, inner_ball)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		enum { M = 30 };
		double A[3 * M], b[M], inside[3], x[3], r = 0.0, gap = INFINITY;
		sample_direction(&rng, inside);
		const double known = pow(10.0, abut_rng_uniform(&rng, -3.0, 3.0));
		for (int i = 0; i < M; i++) {
			sample_direction(&rng, &A[3 * i]);
			b[i] = 100.0 * known * abut_dot3(&A[3 * i], inside) + known;
		}
		cr_assert_eq(abut_inner_ball(M, A, b, x, &r), ABUT_INNER_BALL_FOUND, "seed %u", seed);
		for (int i = 0; i < M; i++) {
			gap = fmin(gap, b[i] - abut_dot3(&A[3 * i], x));
		}
		cr_assert_float_eq(gap / r, 1.0, 1e-12, "seed %u", seed);
		cr_assert_geq(r, 0.5 * known, "seed %u", seed);
	}
}
