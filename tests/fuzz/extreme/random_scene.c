/* Writes the random scene of a seed as JSON. Lengths are multiples of one random length, and speeds of sqrt(g L). */
#include "random_scene.h"

#include <math.h>
#include <string.h>

#include "random_joints.h"
#include "scene_writer.h"

/* The extents of a shape, m. */
typedef struct Extent {
	double reach; /* largest distance from the origin */
	double below; /* distance from the origin to the lowest point, upright */
} Extent;

/* Draws a length of the scene, within the bounds of all sizes. */
static double length(Writer *w)
{
	return fmin(fmax(w->unit * spread(w, -0.5, 0.5), 1e-6), 1e6);
}

/* --- shapes --- */

static Extent add_box(Writer *w)
{
	const double x = length(w), y = length(w), z = length(w);
	add(w, "{\"type\": \"box\", \"half_extents\": [%.17g, %.17g, %.17g]}", x, y, z);
	return (Extent){sqrt(x * x + y * y + z * z), z};
}

static Extent add_sphere(Writer *w)
{
	const double r = length(w);
	add(w, "{\"type\": \"sphere\", \"radius\": %.17g}", r);
	return (Extent){r, r};
}

static Extent add_ellipsoid(Writer *w)
{
	const double x = length(w), y = length(w), z = length(w);
	add(w, "{\"type\": \"ellipsoid\", \"radii\": [%.17g, %.17g, %.17g]}", x, y, z);
	return (Extent){fmax(x, fmax(y, z)), z};
}

static Extent add_superellipsoid(Writer *w)
{
	const double x = length(w), y = length(w), z = length(w);
	add(w, "{\"type\": \"superellipsoid\", \"radii\": [%.17g, %.17g, %.17g], \"exponents\": [%.17g, %.17g]}", x, y,
	    z, uniform(w, 2.0, 8.0), uniform(w, 2.0, 8.0));
	return (Extent){sqrt(x * x + y * y + z * z), z};
}

static Extent add_round(Writer *w, const char *type)
{
	const double r = length(w), l = length(w);
	const bool capsule = type[1] == 'a';
	add(w, "{\"type\": \"%s\", \"radius\": %.17g, \"length\": %.17g}", type, r, l);
	return (Extent){capsule ? 0.5 * l + r : hypot(0.5 * l, r), 0.5 * l + (capsule ? r : 0.0)};
}

static Extent add_cone(Writer *w)
{
	const double r = length(w), h = length(w);
	add(w, "{\"type\": \"cone\", \"height\": %.17g, \"radius\": %.17g}", h, r);
	return (Extent){hypot(h, r), 0.25 * h};
}

/* An octahedron with random corners, with a rim of `radius` if that is positive. */
static Extent add_polytope(Writer *w, double radius)
{
	double reach = 0.0, below = 0.0;
	add(w, "{\"type\": \"%s\", \"vertices\": [", radius > 0.0 ? "padded_polytope" : "polytope");
	for (int i = 0; i < 6; i++) {
		double corner[3] = {0.0, 0.0, 0.0};
		corner[i / 2] = (i % 2 ? -1.0 : 1.0) * length(w);
		reach = fmax(reach, fabs(corner[i / 2]));
		below = fmin(below, corner[2]);
		add(w, "%s[%.17g, %.17g, %.17g]", i > 0 ? ", " : "", corner[0], corner[1], corner[2]);
	}
	add(w, "]");
	if (radius > 0.0) {
		add(w, ", \"radius\": %.17g", radius);
	}
	add(w, "}");
	return (Extent){reach + radius, radius - below};
}

/* A bullet: a cone of second order, cut by a plane. */
static Extent add_conic(Writer *w)
{
	const double r = length(w), l = length(w);
	add(w,
	    "{\"type\": \"conic\", \"A\": [[0, 0, -1], [0, 0, 0], [-1, 0, 0], [0, -1, 0], [0, 0, -0.5]], "
	    "\"d\": [%.17g, %.17g, 0, 0, 0], \"h\": [0, 0, 0, 0, 0], \"cones\": {\"orthant\": 1, \"soc\": [4]}}",
	    l, r);
	return (Extent){2.0 * r, fmin(l, 2.0 * r)};
}

static Extent add_parts(Writer *w, const char *type)
{
	add(w, "{\"type\": \"%s\", \"parts\": [", type);
	const Extent a = add_box(w);
	add(w, ", ");
	const Extent b = chance(w, 0.5) ? add_sphere(w) : add_box(w);
	add(w, "]}");
	const bool sum = strcmp(type, "minkowski_sum") == 0, both = strcmp(type, "intersection") == 0;
	return (Extent){sum ? a.reach + b.reach : fmax(a.reach, b.reach), sum    ? a.below + b.below
	                                                                  : both ? fmin(a.below, b.below)
	                                                                         : fmax(a.below, b.below)};
}

/* Writes a random shape. Sums and intersections are rare, because they take long. */
static Extent add_shape(Writer *w)
{
	switch (choose(w, w->plain ? 7 : 14)) {
	case 0:
	case 1:
	case 2:
		return add_box(w);
	case 3:
	case 4:
		return add_sphere(w);
	case 5:
		return add_round(w, "capsule");
	case 6:
		return add_polytope(w, 0.0);
	case 7:
		return add_superellipsoid(w);
	case 8:
		return add_round(w, "cylinder");
	case 9:
		return add_cone(w);
	case 10:
		return add_ellipsoid(w);
	case 11:
		return add_polytope(w, length(w));
	case 12:
		return add_conic(w);
	default:
		return add_parts(w, chance(w, 0.5) ? "union" : chance(w, 0.5) ? "minkowski_sum" : "intersection");
	}
}

/* --- bodies --- */

static void add_floor(Writer *w)
{
	if (chance(w, 0.75)) {
		add(w, "{\"name\": \"floor\", \"static\": true, \"shape\": {\"type\": \"halfspace\", \"normal\": "
		       "[0, 0, 1], \"offset\": 0}}");
	} else {
		const double width = 20.0 * w->unit;
		add(w,
		    "{\"name\": \"floor\", \"static\": true, \"position\": [0, 0, %.17g], \"shape\": {\"type\": "
		    "\"box\", \"half_extents\": [%.17g, %.17g, %.17g]}}",
		    -w->unit, width, width, w->unit);
	}
}

static void add_vector(Writer *w, const char *key, double size)
{
	add(w, ", \"%s\": [%.17g, %.17g, %.17g]", key, uniform(w, -size, size), uniform(w, -size, size),
	    uniform(w, -size, size));
}

/* Draws the mass of a body. Most jointed bodies differ by a factor of 100 at most. */
static double mass_of(Writer *w)
{
	return w->mass > 0.0 ? w->mass * spread(w, -1.0, 1.0) : spread(w, -9.0, 9.0);
}

/* Puts a body on those before it, at rest or falling. `overlap` lowers it into them. */
static void add_body(Writer *w, int i, double timestep, bool overlap)
{
	const double speed = sqrt(9.81 * w->unit), mass = mass_of(w);
	const bool upright = chance(w, 0.5);
	double q[4] = {1.0, 0.0, 0.0, 0.0};
	add(w, ", {\"name\": \"body %d\", \"mass\": %.17g, \"shape\": ", i, mass);
	const Extent extent = add_shape(w);
	const double gap = chance(w, 0.5) ? 0.0 : w->unit * spread(w, -8.0, 0.0);
	if (!upright) {
		abut_rng_rotation(&w->rng, q);
	}
	const double below = upright ? extent.below : extent.reach;
	const double z = w->height + (overlap ? uniform(w, -1.0, 1.0) * below : below + gap);
	w->height = fmax(w->height, z + extent.reach);
	w->z[i] = z;
	add(w, ", \"position\": [0, 0, %.17g], \"orientation\": [%.17g, %.17g, %.17g, %.17g]", z, q[0], q[1], q[2],
	    q[3]);
	if (chance(w, 0.5)) {
		add_vector(w, "linear_velocity", speed * spread(w, -3.0, 1.0));
	}
	if (chance(w, 0.5)) {
		add_vector(w, "angular_velocity", fmin(speed / w->unit * spread(w, -3.0, 1.0), 10.0 / timestep));
	}
	add(w, "}");
}

/* --- settings --- */

static void add_solver(Writer *w)
{
	static const char *const methods[] = {"single-level", "bilevel", "lcp", "point-ncp", "convex"};
	static const char *const gaps[] = {"bounded", "full", "none"};
	static const char *const solvers[] = {"dantzig", "lemke", "pgs", "one-pass"};
	const int method = w->jointed && chance(w, 0.4) ? 0 : choose(w, 5);
	w->plain = method == 3;
	add(w, "\"solver\": {\"method\": \"%s\"", methods[method]);
	if (method == 2) {
		add(w, ", \"lcp_gap\": \"%s\", \"lcp_solver\": \"%s\"", gaps[choose(w, 3)], solvers[choose(w, 4)]);
	} else if (method == 4) {
		add(w, ", \"convex_model\": \"%s\"", chance(w, 0.5) ? "soft" : "barrier");
	} else {
		add(w, ", \"kappa\": %.17g, \"finish\": \"%s\", \"friction_cone\": \"%s\"", spread(w, -9.0, -3.0),
		    chance(w, 0.2) ? "none" : "exact", method == 0 && chance(w, 0.2) ? "pyramid" : "soc");
	}
	if (method < 2 && chance(w, 0.1)) {
		add(w, ", \"linear_solver\": \"dense\"");
	}
	add(w, "}, ");
	if (method == 2 && chance(w, 0.3)) {
		add(w, "\"restitution\": %.17g, ", uniform(w, 0.0, 1.0));
	}
}

bool extreme_scene(uint64_t seed, bool jointed, char text[EXTREME_TEXT_SIZE])
{
	Writer w = {.rng = abut_rng_stream(seed, jointed ? 1 : 0), .jointed = jointed};
	w.text = text;
	w.unit = spread(&w, -5.5, 5.5);
	const double timestep = fmin(fmax(sqrt(w.unit / 9.81) * spread(&w, -2.5, -0.5), 1e-6), 10.0);
	bool overlap = chance(&w, jointed ? 0.05 : 0.15);
	const double friction = chance(&w, 0.2) ? 0.0 : spread(&w, -2.0, 0.5);
	add(&w, "{\"abut\": 1, \"timestep\": %.17g, \"duration\": %.17g, \"friction\": %.17g, ", timestep,
	    10.0 * timestep, friction);
	add_solver(&w);
	w.mass = jointed && chance(&w, 0.8) ? spread(&w, -8.0, 8.0) : 0.0;
	add(&w, "\"bodies\": [");
	add_floor(&w);
	const int n = 1 + choose(&w, jointed ? EXTREME_BODIES : 4);
	for (int i = 0; i < n; i++) {
		add_body(&w, i, timestep, overlap);
	}
	add(&w, "]");
	if (jointed) {
		overlap = extreme_add_joints(&w, n) || overlap;
	}
	add(&w, ", \"contacts\": %s}\n", jointed && chance(&w, 0.4) ? "[]" : "\"all\"");
	return overlap;
}
