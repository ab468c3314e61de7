/* Tosses of a box onto a floor, recorded as poses with noise, as by a camera. */
#pragma once

#include "abut/model.h"
#include "base/rng.h"

enum { ABUT_TOSS_CORNERS = 8, ABUT_TOSS_FACES = 6, ABUT_TOSS_BOX = 1 };

/* A box. Corner i is at the positive side of the axes whose bits are set in i, relative to the centre of mass, in the
 * body frame. */
typedef struct AbutTossedBox {
	double half[3];  /* m */
	double skew;     /* how far the normals of the faces lean, each by a different amount; 0: a true box */
	double mass;     /* kg */
	double friction; /* with the floor */
	double timestep; /* s: a frame each */
} AbutTossedBox;

/* Makes a floor and the box, a polytope of six faces with its centre of mass at the origin of its frame. Its inertia is
 * that of a box without skew of half extents `inertia_half`. */
AbutStatus abut_toss_model(const AbutTossedBox *box, const double inertia_half[3], AbutModel **out, AbutError *error);

typedef struct AbutTossNoise {
	double position, rotation; /* m, rad: standard deviation of each coordinate */
} AbutTossNoise;

/* Records one toss from a random start in the air: `frames` poses, in `clean` without noise and in `seen` with noise.
 * Velocities are zero in both. */
AbutStatus abut_toss_record(const AbutModel *model, const AbutTossNoise *noise, AbutRng *rng, int frames,
                            AbutBodyState *clean, AbutBodyState *seen, AbutError *error);

/* Computes the corners (8 x 3, m) of the box of a model, each from three faces. False where faces do not meet. */
bool abut_toss_corners(const AbutModel *model, double *corners);
