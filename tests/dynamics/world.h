/* Makes scenes in C through the public interface for the tests of dynamics, and runs them. Reports every failure. */
#pragma once

#include "abut/abut.h"
#include "base/rng.h"
#include "dynamics/step/workspace.h"

enum { WORLD_BODIES = 64, WORLD_SHAPES = 8 };

/* A scene under construction, then its run. It is large: do not put many on a small stack. */
typedef struct World {
	AbutSceneDef def;
	AbutBodyDef bodies[WORLD_BODIES];
	AbutPairDef pairs[WORLD_BODIES];
	AbutShape *shapes[WORLD_BODIES]; /* owned */
	const AbutShape *parts[WORLD_BODIES];
	char names[WORLD_BODIES][24];
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
	AbutStepInfo info; /* of the last step */
	long steps;
} World;

void world_begin(World *world);
void world_begin_method(World *world, AbutMethod method);
/* Adds a body and takes ownership of `shape`. The body is static if mass is 0. Returns it, so that other values can be
 * set. */
AbutBodyDef *world_add(World *world, AbutShape *shape, double mass, double x, double y, double z);
/* Adds a static halfspace through the origin; body 0 if it is added first. */
AbutBodyDef *world_add_floor(World *world, double nx, double ny, double nz);
AbutPairDef *world_add_pair(World *world, int a, int b);
/* Makes model, state and workspace. Fails the test if one is refused. */
void world_make(World *world);
/* Takes one step. Fails the test if it is not solved as required. */
void world_step(World *world);
/* Takes one step that need only be legal with finite results. Returns the outcome. */
AbutOutcome world_try(World *world);
void world_run(World *world, int steps);
AbutBodyState world_body(const World *world, int body);
/* Returns contact `index` of those that the last step solved for. */
AbutContact world_contact(const World *world, int index);
/* Finds the contact of two bodies' parts, in the order of the scene. Returns false, and a contact without impulses, if
 * the last step did not solve for it. */
bool world_find_parts(const World *world, int a, int part_a, int b, int part_b, AbutContact *out);
bool world_find(const World *world, int a, int b, AbutContact *out); /* of their first parts */
/* Returns the contact of two bodies. Fails the test if they are not in contact. */
AbutContact world_touch(const World *world, int a, int b);
/* Expects that no model can be made of the definition: the error is at `where`, and its message contains `word`. */
void world_expect_refused(const AbutSceneDef *def, const char *where, const char *word);
/* Frees the run and the shapes. */
void world_end(World *world);

/* Make shapes; fail the test if one cannot be created. */
AbutShape *make_box(double hx, double hy, double hz);
AbutShape *make_cube(double side);
AbutShape *make_sphere(double radius);
AbutShape *make_cylinder(double radius, double length);
AbutShape *make_capsule(double radius, double length);
/* Every bounded primitive at about `size` metres, by index in [0, WORLD_SHAPES). */
AbutShape *make_primitive(int index, double size);
const char *primitive_name(int index);

/* Quaternion of a turn by `angle` about the axis (of any length). */
void turn_about(double x, double y, double z, double angle, double q[4]);
/* Computes the angular velocity of a body in world axes. */
void spin_world(const AbutBodyState *body, double w[3]);
