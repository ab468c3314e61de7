/* Makes a pile: cubes and capsules, half of each, that fall from a loose lattice into a bin. */
#pragma once

#include "abut/model.h"
#include "abut/shape.h"
#include "base/rng.h"

/* Half spaces `n.p <= offset` of the bin: first the floor z <= 0, then four walls around the z axis. */
enum { ABUT_PILE_PLANES = 5 };

typedef struct AbutPilePlane {
	double normal[3]; /* unit vector, out of the solid */
	double offset;    /* m */
} AbutPilePlane;

/* Returns the kind of body `index`: a box or a capsule. */
AbutShapeKind abut_pile_kind(int n_bodies, int index);
/* Draws the initial pose of body `index` of a pile of `n_bodies`. It is at rest, with a random orientation. */
void abut_pile_place(int n_bodies, int index, AbutRng *rng, double position[3], double orientation[4]);
AbutPilePlane abut_pile_plane(int n_bodies, int index);

/* Makes the shape of a body: a cube of 1 m, or a capsule of radius 0.25 m and core length 0.5 m. */
AbutStatus abut_pile_shape_create(AbutShapeKind kind, AbutShape **out, AbutError *error);
/* Makes the model. Body 0 is the bin; the others have 1 kg each. */
AbutStatus abut_pile_model_create(int n_bodies, double timestep, unsigned long long seed, AbutModel **out,
                                  AbutError *error);
