/* Generates random numbers from a seed (SplitMix64): the same seed gives the same numbers on every machine. */
#pragma once

#include <math.h>
#include <stdint.h>

typedef struct AbutRng {
	uint64_t state;
} AbutRng;

static inline uint64_t abut_rng_next(AbutRng *rng)
{
	uint64_t z = (rng->state += UINT64_C(0x9e3779b97f4a7c15));
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Returns the generator of run `run` for `seed`. Both are scrambled; otherwise the runs of the next seed would be the
 * same ones shifted by one. */
static inline AbutRng abut_rng_stream(uint64_t seed, uint64_t run)
{
	AbutRng rng = {seed};
	rng.state = abut_rng_next(&rng) + run;
	rng.state = abut_rng_next(&rng);
	return rng;
}

/* Returns a uniform number in [low, high). */
static inline double abut_rng_uniform(AbutRng *rng, double low, double high)
{
	return low + (high - low) * ((double)(abut_rng_next(rng) >> 11) * 0x1p-53);
}

/* Returns a standard normal number, one of the pair that the Box-Muller method gives. */
static inline double abut_rng_normal(AbutRng *rng)
{
	const double u = 1.0 - abut_rng_uniform(rng, 0.0, 1.0);
	const double v = abut_rng_uniform(rng, 0.0, 1.0);
	return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

/* Returns a uniform rotation as a unit quaternion [w, x, y, z]. */
static inline void abut_rng_rotation(AbutRng *rng, double q[4])
{
	double norm = 0.0;
	for (int i = 0; i < 4; i++) {
		q[i] = abut_rng_normal(rng);
		norm += q[i] * q[i];
	}
	norm = 1.0 / sqrt(norm);
	for (int i = 0; i < 4; i++) {
		q[i] *= norm;
	}
}
