/* Compares the sweep with a test of all pairs, over many random boxes that move slowly. */
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

static bool overlap(const AbutBounds *a, const AbutBounds *b)
{
	bool out = true;
	for (int i = 0; i < 3; i++) {
		out = out && fmax(a->lower[i], b->lower[i]) < fmin(a->upper[i], b->upper[i]);
	}
	return out;
}

static void compare(AbutBroadPhase *phase, const AbutBounds *boxes, unsigned seed)
{
	static Met met;
	const int n = phase->n, *order = phase->order;
	memset(&met, 0, sizeof met);
	met.n = n;
	abut_broad_phase_run(phase, boxes, note, &met);
	for (int i = 0; i < n; i++) {
		cr_assert(i == 0 || boxes[order[i - 1]].lower[0] <= boxes[order[i]].lower[0], "seed %u: order", seed);
		for (int j = i + 1; j < n; j++) {
			cr_assert_eq(met.seen[i][j], overlap(&boxes[i], &boxes[j]), "seed %u: %d and %d", seed, i, j);
		}
	}
}

/* Places a box of any proportions. One in twelve is unbounded and inside out, like that of a halfspace. One in thirty
 * is as large as all together, and one in thirty is far from the rest. */
static void place(AbutRng *rng, double spread, AbutBounds *box)
{
	const bool nobody = abut_rng_next(rng) % 12 == 0;
	const double size = abut_rng_next(rng) % 30 == 0 ? spread : 1.0;
	const double far = abut_rng_next(rng) % 30 == 0 ? 1e6 : 1.0;
	for (int j = 0; j < 3; j++) {
		const double centre = far * spread * abut_rng_normal(rng), half = size * fabs(abut_rng_normal(rng));
		box->lower[j] = nobody ? (double)INFINITY : centre - half;
		box->upper[j] = nobody ? -(double)INFINITY : centre + half;
	}
}

Test(broad_phase, finds_what_all_pairs_finds)
{
	for (unsigned seed = 0; seed < 60; seed++) {
		AbutRng rng = {seed};
		AbutBounds boxes[MOST];
		const int n = seed % 10 == 0 ? (int)(seed / 10) : (int)(abut_rng_next(&rng) % MOST);
		const double spread = pow(10.0, abut_rng_uniform(&rng, -0.5, 1.5));
		void *memory = malloc(abut_broad_phase_size(n));
		AbutBroadPhase phase;
		abut_broad_phase_begin(&phase, n, memory);
		for (int i = 0; i < n; i++) {
			phase.order[i] = n - 1 - i;
			place(&rng, spread, &boxes[i]);
		}
		for (int step = 0; step < 5; step++) {
			compare(&phase, boxes, seed);
			for (int i = 0; i < n; i++) {
				for (int j = 0; j < 3; j++) {
					const double way = 0.1 * abut_rng_normal(&rng);
					boxes[i].lower[j] += way;
					boxes[i].upper[j] += way;
				}
			}
		}
		free(memory);
	}
}

/* Halfspaces have a box that is inside out and meets none. Equal boxes meet. Boxes without volume, or that share a
 * face, do not meet. */
Test(broad_phase, odd_boxes)
{
	static const double inf = (double)INFINITY;
	AbutBounds boxes[8] = {{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, {{inf, inf, inf}, {-inf, -inf, -inf}},
	                       {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, {{1e8, 0.0, 0.0}, {1e8, 0.0, 0.0}},
	                       {{1e8, 0.0, 0.0}, {1e8, 0.0, 0.0}}, {{inf, inf, inf}, {-inf, -inf, -inf}},
	                       {{1.0, 0.0, 0.0}, {2.0, 1.0, 1.0}}, {{0.0, -1.0, 0.0}, {1.0, 0.0, 1.0}}};
	static Met met;
	AbutBroadPhase phase;
	void *memory = malloc(abut_broad_phase_size(8));
	abut_broad_phase_begin(&phase, 8, memory);
	met.n = 8;
	for (int i = 0; i < 3; i++) {
		memset(met.seen, 0, sizeof met.seen);
		met.count = 0;
		abut_broad_phase_run(&phase, boxes, note, &met);
		cr_assert_eq(met.count, 1);
		cr_assert(met.seen[0][2]);
	}
	free(memory);
}
