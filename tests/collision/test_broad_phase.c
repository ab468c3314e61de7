/* The sweep against all pairs, over many random spheres and their slow motion. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "collision/broad_phase.h"

enum { MOST = 300 };

typedef struct Met {
	int n;
	unsigned char seen[MOST][MOST];
	long count;
} Met;

static void note(void *context, int first, int second)
{
	Met *met = context;
	cr_assert(first < second && second < met->n, "%d and %d", first, second);
	cr_assert(!met->seen[first][second], "%d and %d meet twice", first, second);
	met->seen[first][second] = 1;
	met->count++;
}

static bool overlap(const AbutSphere *a, const AbutSphere *b)
{
	double square = 0.0;
	for (int i = 0; i < 3; i++) {
		square += pow(a->centre[i] - b->centre[i], 2.0);
	}
	return sqrt(square) < a->radius + b->radius;
}

static void compare(int n, const AbutSphere *spheres, int *order, unsigned seed)
{
	static Met met;
	memset(&met, 0, sizeof met);
	met.n = n;
	abut_broad_phase(n, spheres, order, note, &met);
	for (int i = 0; i < n; i++) {
		for (int j = i + 1; j < n; j++) {
			cr_assert_eq(met.seen[i][j], overlap(&spheres[i], &spheres[j]), "seed %u: %d and %d", seed, i,
			             j);
		}
	}
}

Test(broad_phase, finds_what_all_pairs_finds)
{
	for (unsigned seed = 0; seed < 60; seed++) {
		AbutRng rng = {seed};
		AbutSphere spheres[MOST];
		int order[MOST];
		const int n = seed % 10 == 0 ? (int)(seed / 10) : (int)(abut_rng_next(&rng) % MOST);
		const double spread = pow(10.0, abut_rng_uniform(&rng, -0.5, 1.5));
		for (int i = 0; i < n; i++) {
			order[i] = n - 1 - i;
			for (int j = 0; j < 3; j++) {
				spheres[i].centre[j] = spread * abut_rng_normal(&rng);
			}
			spheres[i].radius = fabs(abut_rng_normal(&rng));
		}
		for (int step = 0; step < 5; step++) {
			compare(n, spheres, order, seed);
			for (int i = 0; i < n; i++) {
				for (int j = 0; j < 3; j++) {
					spheres[i].centre[j] += 0.1 * abut_rng_normal(&rng);
				}
			}
		}
	}
}

/* Halfspaces take part with a radius of minus infinity and meet nobody; equal places and zero radii are legal. */
Test(broad_phase, odd_spheres)
{
	AbutSphere spheres[6] = {{{0.0, 0.0, 0.0}, 1.0}, {{0.0, 0.0, 0.0}, (double)-INFINITY},
	                         {{0.0, 0.0, 0.0}, 1.0}, {{1e8, 0.0, 0.0}, 0.0},
	                         {{1e8, 0.0, 0.0}, 0.0}, {{5.0, 0.0, 0.0}, (double)-INFINITY}};
	int order[6] = {5, 4, 3, 2, 1, 0};
	static Met met;
	met.n = 6;
	for (int i = 0; i < 3; i++) {
		memset(met.seen, 0, sizeof met.seen);
		met.count = 0;
		abut_broad_phase(6, spheres, order, note, &met);
		cr_assert_eq(met.count, 1);
		cr_assert(met.seen[0][2]);
	}
}
