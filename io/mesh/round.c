/* Makes surfaces of revolution about z from profiles. A profile lists points with normals from bottom to top, divided
 * into smooth pieces. */
#include "io/mesh/round.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

enum {
	AROUND = 48, /* divisions of a full turn about the axis */
	ARC = 12,    /* divisions of a quarter circle */
	MOST_POINTS = 2 * ARC + 4
};

typedef struct ProfilePoint {
	double r, z;     /* m: distance from the axis, and height */
	double n_r, n_z; /* unit normal */
	bool starts;     /* begins a smooth piece: no surface connects it to the point before */
} ProfilePoint;

typedef struct Profile {
	int n;
	ProfilePoint points[MOST_POINTS];
} Profile;

static void add(Profile *profile, bool starts, double r, double z, double n_r, double n_z)
{
	profile->points[profile->n++] = (ProfilePoint){r, z, n_r, n_z, starts};
}

/* Adds an arc about (0, z) from angle `from` to `to`, counted in quarter turns from the equator. */
static void add_arc(Profile *profile, double radius, double z, int from, int to)
{
	const double half_pi = 1.57079632679489661923;
	for (int i = from * ARC; i <= to * ARC; i++) {
		const double angle = half_pi * i / ARC;
		const bool at_pole = i == -ARC || i == ARC;
		const double c = at_pole ? 0.0 : cos(angle), s = sin(angle);
		add(profile, profile->n == 0, radius * c, z + radius * s, c, s);
	}
}

static void make_profile(const AbutShape *shape, Profile *profile)
{
	const double radius = shape->size[0], length = shape->size[1];
	profile->n = 0;
	if (shape->kind == ABUT_SHAPE_CAPSULE) {
		add_arc(profile, radius, -0.5 * length, -1, 0);
		add_arc(profile, radius, 0.5 * length, 0, 1);
	} else if (shape->kind == ABUT_SHAPE_CYLINDER) {
		add(profile, true, 0.0, -0.5 * length, 0.0, -1.0);
		add(profile, false, radius, -0.5 * length, 0.0, -1.0);
		add(profile, true, radius, -0.5 * length, 1.0, 0.0);
		add(profile, false, radius, 0.5 * length, 1.0, 0.0);
		add(profile, true, radius, 0.5 * length, 0.0, 1.0);
		add(profile, false, 0.0, 0.5 * length, 0.0, 1.0);
	} else if (shape->kind == ABUT_SHAPE_CONE) {
		const double base = -0.25 * length, slant = hypot(radius, length);
		add(profile, true, 0.0, base, 0.0, -1.0);
		add(profile, false, radius, base, 0.0, -1.0);
		add(profile, true, radius, base, length / slant, radius / slant);
		add(profile, false, 0.0, 0.75 * length, length / slant, radius / slant);
	} else { /* an ellipsoid starts as the unit sphere */
		add_arc(profile, shape->kind == ABUT_SHAPE_SPHERE ? radius : 1.0, 0.0, -1, 1);
	}
}

/* Adds the triangles between two rings of vertices, at most one of which is a point on the axis. */
static int add_band(int *triangles, int below, int above, bool below_is_point, bool above_is_point)
{
	int n = 0;
	for (int i = 0; i < AROUND; i++) {
		const int next = (i + 1) % AROUND;
		if (!below_is_point) {
			const int triangle[] = {below + i, below + next, above + i};
			memcpy(&triangles[n], triangle, sizeof triangle);
			n += 3;
		}
		if (!above_is_point) {
			const int triangle[] = {below + next, above + next, above + i};
			memcpy(&triangles[n], triangle, sizeof triangle);
			n += 3;
		}
	}
	return n;
}

/* Makes a ring of vertices from each point of the profile, even on the axis, where the normals of a cone's apex differ.
 * There each normal belongs to the middle of the triangle with this tip, hence the shift by half a division. */
static void revolve(const Profile *profile, AbutShapeMesh *mesh)
{
	const double part = 6.28318530717958647692 / AROUND;
	int n = 0;
	for (int k = 0; k < profile->n; k++) {
		const ProfilePoint *point = &profile->points[k];
		const double shift = point->r > 0.0 ? 0.0 : 0.5;
		for (int i = 0; i < AROUND; i++) {
			double *p = &mesh->positions[3 * (AROUND * k + i)],
			       *normal = &mesh->normals[3 * (AROUND * k + i)];
			const double c = cos(part * (i + shift)), s = sin(part * (i + shift));
			p[0] = point->r * c;
			p[1] = point->r * s;
			p[2] = point->z;
			normal[0] = point->n_r * c;
			normal[1] = point->n_r * s;
			normal[2] = point->n_z;
		}
		if (!point->starts) {
			n += add_band(&mesh->triangles[n], AROUND * (k - 1), AROUND * k, point[-1].r <= 0.0,
			              point->r <= 0.0);
		}
	}
}

static int count_triangles(const Profile *profile)
{
	int n = 0;
	for (int k = 0; k < profile->n; k++) {
		const ProfilePoint *point = &profile->points[k];
		if (!point->starts) {
			n += AROUND * ((point[-1].r > 0.0) + (point->r > 0.0));
		}
	}
	return n;
}

/* Stretches the unit sphere to the radii; normals are divided by the radii and normalised. */
static void stretch(const double radii[3], AbutShapeMesh *mesh)
{
	for (int v = 0; v < mesh->n_vertices; v++) {
		double *p = &mesh->positions[3 * v], *n = &mesh->normals[3 * v];
		for (int i = 0; i < 3; i++) {
			p[i] *= radii[i];
			n[i] /= radii[i];
		}
		const double length = abut_norm3(n);
		abut_divide3(n, length, n);
	}
}

AbutStatus abut_shape_mesh_round(const AbutShape *shape, AbutShapeMesh *out, AbutError *error)
{
	Profile profile;
	make_profile(shape, &profile);
	const AbutStatus status = abut_shape_mesh_allocate(out, AROUND * profile.n, count_triangles(&profile), error);
	if (status == ABUT_OK) {
		revolve(&profile, out);
		if (shape->kind == ABUT_SHAPE_ELLIPSOID) {
			stretch(shape->size, out);
		}
	}
	return status;
}
