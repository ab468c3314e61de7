/* Writes the joints of a random scene: trees and loops of all types with limits, springs, dampers, dry friction, rotors
 * and motors. Efforts are multiples of the weight m g, or m g L for turns. */
#include "random_joints.h"

/* A type of joint, with its freedoms as letters: turn or slide. */
typedef struct Type {
	const char *name, *freedoms;
} Type;

static const Type types[] = {{"hinge", "t"},        {"slide", "s"},       {"ball", ""},  {"universal", "tt"},
                             {"cylindrical", "st"}, {"planar", "sst"},    {"fixed", ""}, {"distance", ""},
                             {"hinge", "t"},        {"cylindrical", "st"}};

static double effort(const Writer *w, char freedom)
{
	return 9.81 * (w->mass > 0.0 ? w->mass : 1.0) * (freedom == 't' ? w->unit : 1.0);
}

static double length_of(const Writer *w, char freedom)
{
	return freedom == 't' ? 1.0 : w->unit;
}

static void begin(Writer *w, const char *key, int i, const char *freedoms)
{
	if (i == 0) {
		add(w, ", \"%s\": %s", key, freedoms[1] ? "[" : "");
	} else {
		add(w, ", ");
	}
}

static void end(Writer *w, int i, const char *freedoms)
{
	if (freedoms[1] && !freedoms[i + 1]) {
		add(w, "]");
	}
}

/* --- what acts on a freedom --- */

/* Limits around the coordinate 0 of the start, which now and then lies on one of them. */
static void add_limits(Writer *w, const char *freedoms)
{
	for (int i = 0; freedoms[i]; i++) {
		begin(w, "limits", i, freedoms);
		const double length = length_of(w, freedoms[i]);
		if (freedoms[1] && chance(w, 0.3)) {
			add(w, "null");
		} else {
			const double low = chance(w, 0.2) ? 0.0 : -length * spread(w, -4.0, 0.4);
			add(w, "[%.17g, %.17g]", low, length * spread(w, -4.0, 0.4));
		}
		end(w, i, freedoms);
	}
}

/* A number for each freedom: `power` exponents of ten around a typical value, which has the unit of an effort times
 * lengths to `lengths` times times to `times`. */
static void add_values(Writer *w, const char *key, const char *freedoms, double power, int lengths, int times)
{
	const double time = sqrt(w->unit / 9.81);
	for (int i = 0; freedoms[i]; i++) {
		begin(w, key, i, freedoms);
		const double typical =
		    effort(w, freedoms[i]) * pow(length_of(w, freedoms[i]), lengths) * pow(time, times);
		add(w, "%.17g", typical * spread(w, -power, power));
		end(w, i, freedoms);
	}
}

static void add_references(Writer *w, const char *freedoms)
{
	for (int i = 0; freedoms[i]; i++) {
		begin(w, "reference", i, freedoms);
		add(w, "%.17g", length_of(w, freedoms[i]) * uniform(w, -1.0, 1.0));
		end(w, i, freedoms);
	}
}

static void add_motors(Writer *w, const char *freedoms)
{
	const double time = sqrt(w->unit / 9.81);
	for (int i = 0; freedoms[i]; i++) {
		begin(w, "motor", i, freedoms);
		const double own = effort(w, freedoms[i]), length = length_of(w, freedoms[i]);
		const double damping = own / length * time * spread(w, -4.0, 6.0);
		switch (choose(w, freedoms[1] ? 4 : 3)) {
		case 0:
			add(w, "{\"type\": \"force\", \"target\": %.17g", own * spread(w, -3.0, 1.0));
			break;
		case 1:
			add(w, "{\"type\": \"position\", \"stiffness\": %.17g, \"damping\": %.17g, \"target\": %.17g",
			    own / length * spread(w, -3.0, 8.0), chance(w, 0.3) ? 0.0 : damping,
			    length * uniform(w, -1.0, 1.0));
			break;
		case 2:
			add(w, "{\"type\": \"velocity\", \"damping\": %.17g, \"target\": %.17g", damping,
			    length / time * uniform(w, -3.0, 3.0));
			break;
		default:
			add(w, "null");
			end(w, i, freedoms);
			continue;
		}
		if (chance(w, 0.5)) {
			add(w, ", \"limit\": %.17g", own * spread(w, -2.0, 2.0));
		}
		add(w, "}");
		end(w, i, freedoms);
	}
}

static void add_laws(Writer *w, const char *freedoms)
{
	if (freedoms[0] == '\0') {
		return;
	}
	if (chance(w, 0.4)) {
		add_limits(w, freedoms);
	}
	if (chance(w, 0.3)) {
		add_values(w, "stiffness", freedoms, 6.0, -1, 0);
		add_references(w, freedoms);
	}
	if (chance(w, 0.3)) {
		add_values(w, "damping", freedoms, 4.0, -1, 1);
	}
	if (chance(w, 0.3)) {
		add_values(w, "friction", freedoms, 2.0, 0, 0);
	}
	if (chance(w, 0.3)) {
		add_values(w, "armature", freedoms, 3.0, -1, 2);
	}
	if (chance(w, 0.3)) {
		add_motors(w, freedoms);
	}
}

/* --- frames --- */

static void add_point(Writer *w, const char *key, double x, double y, double z)
{
	add(w, "\"%s\": [%.17g, %.17g, %.17g]", key, x, y, z);
}

/* A frame at a random place of the body, or at its origin. */
static void add_frame(Writer *w, const char *key, bool anywhere)
{
	double q[4] = {1.0, 0.0, 0.0, 0.0}, reach = 0.0;
	if (anywhere) {
		abut_rng_rotation(&w->rng, q);
		reach = w->unit;
	}
	add(w, ", \"%s\": {", key);
	add_point(w, "position", uniform(w, -reach, reach), uniform(w, -reach, reach), uniform(w, -reach, reach));
	add(w, ", \"orientation\": [%.17g, %.17g, %.17g, %.17g]}", q[0], q[1], q[2], q[3]);
}

/* Both frames: at a point and an axis of the world; or anywhere on the bodies, if `open`; or for a rod, at the origins.
 */
static void add_frames(Writer *w, const Type *type, int parent, int child, bool open)
{
	const double from = parent >= 0 ? w->z[parent] : 0.0, reach = w->unit * spread(w, -3.0, 0.0);
	if (type->name[0] == 'd') {
		add_frame(w, "parent_frame", false);
		add(w, ", \"length\": %.17g", fmax(fabs(w->z[child] - from), 1e-7));
	} else if (open) {
		add_frame(w, "parent_frame", true);
		add_frame(w, "child_frame", true);
	} else {
		const double axis[3] = {uniform(w, -1.0, 1.0), uniform(w, -1.0, 1.0), uniform(w, -1.0, 1.0)};
		add(w, ", ");
		add_point(w, "anchor", uniform(w, -reach, reach), uniform(w, -reach, reach),
		          0.5 * (w->z[child] + (parent >= 0 ? from : w->z[child])) + uniform(w, -reach, reach));
		add(w, ", ");
		add_point(w, "axis", axis[0], axis[1], chance(w, 0.3) ? 100.0 : axis[2]);
	}
}

/* Adds joint `i` between a body or the world (-1) and a later body. */
static void add_joint(Writer *w, int i, int parent, int child, bool open)
{
	const Type *const type = &types[choose(w, (int)(sizeof types / sizeof *types))];
	add(w, "%s{\"name\": \"joint %d\", \"type\": \"%s\", ", i > 0 ? ", " : "", i, type->name);
	if (parent < 0) {
		add(w, "\"parent\": \"%s\", ", type->name[0] == 'd' || chance(w, 0.5) ? "world" : "floor");
	} else {
		add(w, "\"parent\": \"body %d\", ", parent);
	}
	add(w, "\"child\": \"body %d\"", child);
	add_frames(w, type, parent, child, open);
	add_laws(w, type->freedoms);
	add(w, "%s}", chance(w, 0.1) ? ", \"collide\": true" : "");
}

bool extreme_add_joints(Writer *w, int n)
{
	const bool open = chance(w, 0.15);
	int joints = 0;
	add(w, ", \"joints\": [");
	for (int child = 0; child < n; child++) {
		const int parent = child == 0 ? -1 : choose(w, child + 1) - 1;
		if (child > 0 || n == 1 || chance(w, 0.6)) {
			add_joint(w, joints++, parent, child, open && chance(w, 0.5));
		}
	}
	const int loops = !open && n > 1 && chance(w, 0.3) ? 1 + choose(w, 2) : 0;
	for (int i = 0; i < loops; i++) {
		const int child = 1 + choose(w, n - 1);
		add_joint(w, joints++, choose(w, child), child, false);
	}
	add(w, "]");
	return open;
}
