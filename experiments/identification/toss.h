/* Tosses of a box onto a floor, recorded as poses with noise: what a camera would give. */
#ifndef EXPERIMENTS_IDENTIFICATION_TOSS_H
#define EXPERIMENTS_IDENTIFICATION_TOSS_H

#include "abut/model.h"
#include "base/rng.h"

enum { ABUT_TOSS_CORNERS = 8, ABUT_TOSS_FACES = 6, ABUT_TOSS_BOX = 1 };

/* Corner i lies at the positive side of the axes whose bits i has, seen from the centre of mass, in the body frame. */
typedef struct AbutTossedBox {
	double half[3];  /* m */
	double skew;     /* how far each face's normal leans, each its own way: 0 for a true box */
	double mass;     /* kg */
	double friction; /* with the floor */
	double timestep; /* s: a frame each */
} AbutTossedBox;

/* A floor and the box, which is a polytope of six faces, with the centre of mass at its frame's origin and the inertia
 * of the box without skew and of half extents `inertia_half`. */
AbutStatus abut_toss_model(const AbutTossedBox *box, const double inertia_half[3], AbutModel **out, AbutError *error);

typedef struct AbutTossNoise {
	double position, rotation; /* m, rad: standard deviation of each coordinate */
} AbutTossNoise;

/* One toss, from a random start in the air: `frames` poses. `clean` (frames) has no noise, `seen` (frames) has. Of both
 * only poses are told; velocities are zero. */
AbutStatus abut_toss_record(const AbutModel *model, const AbutTossNoise *noise, AbutRng *rng, int frames,
                            AbutBodyState *clean, AbutBodyState *seen, AbutError *error);

/* The corners (8 x 3, m) of the box of a model, with their rows: three faces for each. False where faces do not meet.
 */
bool abut_toss_corners(const AbutModel *model, double *corners);

#endif
