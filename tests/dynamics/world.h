/* What the tests of dynamics share: scenes made in C through the public interface, run with every failure reported. */
#pragma once

#include "abut/abut.h"
#include "base/rng.h"
#include "dynamics/step/workspace.h"

enum { WORLD_BODIES = 64, WORLD_SHAPES = 8 };

/* A scene under construction, then its run. Too large for a small stack only in bulk: make one at a time. */
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
/* Takes over `shape`. Static when mass is 0. Returns the body for further values. */
AbutBodyDef *world_add(World *world, AbutShape *shape, double mass, double x, double y, double z);
/* A static halfspace through the origin; body 0 when added first. */
AbutBodyDef *world_add_floor(World *world, double nx, double ny, double nz);
AbutPairDef *world_add_pair(World *world, int a, int b);
/* Model, state and workspace; fails the test when one is refused. */
void world_make(World *world);
/* One step, which must be solved as asked; fails the test otherwise. */
void world_step(World *world);
/* One step, of which only legality and finite results are asserted. Returns the outcome. */
AbutOutcome world_try(World *world);
void world_run(World *world, int steps);
AbutBodyState world_body(const World *world, int body);
/* Contact `index` of those that the last step solved for. */
AbutContact world_contact(const World *world, int index);
/* The contact of two bodies' parts, as the scene orders them. False, and one without impulses, when the last step did
 * not solve for it. */
bool world_find_parts(const World *world, int a, int part_a, int b, int part_b, AbutContact *out);
bool world_find(const World *world, int a, int b, AbutContact *out); /* of their first parts */
/* The same of bodies that must be in contact; fails the test when they are not. */
AbutContact world_touch(const World *world, int a, int b);
/* That no model is made of the definition: the error is at `where`, and its message says `word`. */
void world_expect_refused(const AbutSceneDef *def, const char *where, const char *word);
/* Frees the run, and the shapes. */
void world_end(World *world);

/* Shapes whose creation must succeed. */
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
/* World-axes angular velocity of a body. */
void spin_world(const AbutBodyState *body, double w[3]);
