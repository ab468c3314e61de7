/* Computes mass properties of convex hulls, and of hulls padded by a ball. */
#include "shapes/hull/mass.h"

#include <math.h>

#include "base/vec3.h"
#include "shapes/core/mass.h"

/* Computes corner k of face f, relative to the hull's origin. */
static void corner(const AbutHull *hull, int f, int k, double out[3])
{
	const double *vertex = &hull->vertices[3 * hull->face_vertex[hull->face_start[f] + k]];
	abut_sub3(vertex, hull->origin, out);
}

/* A padded hull is the union of disjoint parts (Steiner). They are the hull; a prism of height R on each face; a wedge
 * along each edge, whose section is the circular sector between the normals of its faces; and a sector of the ball at
 * each vertex, between the normals of its faces. The integrals of 1, x and x x' over each part have a closed form. */

/* Adds the tetrahedra between the origin and a fan of triangles of the face. Also adds the prism of points y + t n,
 * with y in the face and 0 <= t <= R. */
static void add_face(const AbutHull *hull, int f, double R, AbutMoments *sum)
{
	const double *n = &hull->normals[3 * f];
	const int corners = hull->face_start[f + 1] - hull->face_start[f];
	double a[3], b[3], c[3], area = 0.0, first[3] = {0.0}, second[9] = {0.0};
	corner(hull, f, 0, a);
	for (int k = 1; k + 1 < corners; k++) {
		corner(hull, f, k, b);
		corner(hull, f, k + 1, c);
		const double ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
		const double ac[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
		double cross[3];
		abut_cross3(ab, ac, cross);

		const double total[3] = {a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]};
		abut_moments_add_triangle(sum, a, b, c);

		const double two_areas = abut_dot3(n, cross);
		area += 0.5 * two_areas;
		abut_add_scaled3(first, two_areas / 6.0, total, first);
		abut_moments_add_corners(second, two_areas / 24.0, a, b, c);
	}
	sum->volume += area * R;
	abut_add_scaled3(sum->first, R, first, sum->first);
	abut_add_scaled3(sum->first, 0.5 * R * R * area, n, sum->first);
	for (int i = 0; i < 9; i++) {
		sum->second[i] += R * second[i];
	}
	abut_moments_add_product(sum->second, R * R, first, n);
	abut_moments_add_product(sum->second, R * R * R / 3.0 * area, n, n);
}

/* Adds the wedge of points y + z along the edge from p to q, with y = p + tau e, 0 <= tau <= l, and z = rho (cos phi n
 * + sin phi t), 0 <= rho <= R, 0 <= phi <= theta. Here n is the left face's normal, theta the angle from n to the right
 * face's normal, and t = e x n. The integral of z over the section is R^3/3 g. Also adds the edge's share in the
 * sectors at its ends (see add_corner_angle). */
static void add_edge(const AbutHull *hull, const AbutHullEdge *edge, double R, AbutMoments *sum)
{
	double p[3], q[3], e[3], middle[3], t[3], g[3];
	abut_sub3(&hull->vertices[3 * edge->from], hull->origin, p);
	abut_sub3(&hull->vertices[3 * edge->to], hull->origin, q);
	abut_sub3(q, p, e);
	abut_add3(p, q, middle);
	abut_scale3(0.5, middle, middle);
	const double l = abut_norm3(e);
	abut_divide3(e, l, e);
	const double *n = &hull->normals[3 * edge->left], *other = &hull->normals[3 * edge->right];
	abut_cross3(e, n, t);
	double theta = atan2(abut_dot3(t, other), abut_dot3(n, other));
	theta += theta < -0.5 * M_PI ? 2.0 * M_PI : 0.0; /* an angle of pi may become -pi by rounding */
	const double sine = sin(theta), cosine = cos(theta);
	for (int i = 0; i < 3; i++) {
		g[i] = sine * n[i] + (1.0 - cosine) * t[i];
	}

	const double area = 0.5 * R * R * theta, R3 = R * R * R, R4 = R3 * R;
	sum->volume += l * area;
	abut_add_scaled3(sum->first, l * area, middle, sum->first);
	abut_add_scaled3(sum->first, l * R3 / 3.0, g, sum->first);
	abut_moments_add_product(sum->second, l * area / 3.0, p, p);
	abut_moments_add_product(sum->second, l * area / 3.0, q, q);
	abut_moments_add_product(sum->second, l * area / 3.0, p, q);
	abut_moments_add_product(sum->second, 2.0 * l * R3 / 3.0, middle, g);
	abut_moments_add_product(sum->second, l * R4 / 8.0 * (theta + sine * cosine), n, n);
	abut_moments_add_product(sum->second, l * R4 / 8.0 * (theta - sine * cosine), t, t);
	abut_moments_add_product(sum->second, l * R4 / 4.0 * sine * sine, n, t);
	abut_moments_add_product(sum->second, l * R4 / 4.0 * theta, e, e);
}

/* Adds the part `angle` of the solid angle of the ball sector at a vertex v. The sector is the set of v + rho w with 0
 * <= rho <= R and w in a part Omega of the unit sphere. Its moments need the integrals of 1, w and w w' over Omega.
 *
 * The integral of 1 is the solid angle: 2 pi minus the angles of the faces at v (Gauss-Bonnet). Each call adds one of
 * these terms.
 *
 * The integral of w is -1/2 sum theta nu over the arcs that bound Omega. There is one arc for each edge at v, of length
 * theta and with outward conormal nu. This follows from the divergence theorem, as the w_i are eigenfunctions of the
 * sphere's Laplacian for the eigenvalue -2. At both ends of an edge theta is the same, and nu is e at one end and -e at
 * the other. So the terms cancel in the first moment and leave R^4/4 l theta e e' in the second (see add_edge).
 *
 * The integral of w w' only matters in the sum over all vertices. This sum is the integral over the whole sphere, 4 pi
 * / 3 I. */
static void add_corner_angle(const double v[3], double angle, double R, AbutMoments *sum)
{
	const double volume = angle * R * R * R / 3.0;
	sum->volume += volume;
	abut_add_scaled3(sum->first, volume, v, sum->first);
	abut_moments_add_product(sum->second, volume, v, v);
}

static void add_balls(const AbutHull *hull, double R, AbutMoments *sum)
{
	for (int v = 0; v < hull->n_vertices; v++) {
		const double *vertex = &hull->vertices[3 * v];
		const double from_origin[3] = {vertex[0] - hull->origin[0], vertex[1] - hull->origin[1],
		                               vertex[2] - hull->origin[2]};
		add_corner_angle(from_origin, 2.0 * M_PI, R, sum);
	}
	for (int f = 0; f < hull->n_faces; f++) {
		const int corners = hull->face_start[f + 1] - hull->face_start[f];
		for (int k = 0; k < corners; k++) {
			double before[3], here[3], after[3], cross[3];
			corner(hull, f, (k + corners - 1) % corners, before);
			corner(hull, f, k, here);
			corner(hull, f, (k + 1) % corners, after);
			abut_add_scaled3(before, -1.0, here, before);
			abut_add_scaled3(after, -1.0, here, after);
			abut_cross3(after, before, cross);
			/* With noisy points a corner may turn slightly the wrong way: its angle is just over pi or just
			 * below 0. */
			double angle = atan2(abut_dot3(&hull->normals[3 * f], cross), abut_dot3(after, before));
			angle += angle < -0.5 * M_PI ? 2.0 * M_PI : 0.0;
			add_corner_angle(here, -angle, R, sum);
		}
	}
	for (int i = 0; i < 3; i++) {
		sum->second[4 * i] += 4.0 * M_PI / 15.0 * R * R * R * R * R;
	}
}

AbutMassProperties abut_mass_hull(const AbutHull *hull, double radius)
{
	AbutMoments sum = {0};
	for (int f = 0; f < hull->n_faces; f++) {
		add_face(hull, f, radius, &sum);
	}
	if (radius > 0.0) {
		for (int i = 0; i < hull->n_edges; i++) {
			add_edge(hull, &hull->edges[i], radius, &sum);
		}
		add_balls(hull, radius, &sum);
	}
	AbutMassProperties mass = abut_mass_from_moments(&sum);
	abut_add_scaled3(mass.centre_of_mass, 1.0, hull->origin, mass.centre_of_mass);
	return mass;
}
