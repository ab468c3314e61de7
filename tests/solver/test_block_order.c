/* The elimination order on graphs as large as scenes: no fill where none is needed, and the same pattern however the
 * bodies are numbered. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/rng.h"
#include "solver/block_system.h"

enum { CHAIN = 400, CROWD = 600 };

/* The numbers 0 to n - 1 in random order. */
static void shuffle(AbutRng *rng, int n, int *names)
{
	for (int i = 0; i < n; i++) {
		const int j = (int)(abut_rng_next(rng) % (uint64_t)(i + 1));
		names[i] = names[j];
		names[j] = i;
	}
}

static void assert_blocks(const AbutBlockSystem *system, int expected, const char *what, unsigned seed)
{
	cr_assert_eq(system->n_blocks, expected, "%s, seed %u: %d blocks for %d", what, seed, system->n_blocks,
	             expected);
	for (int k = 0; k < system->n; k++) {
		const int *next = &system->next[k * system->n];
		cr_assert_eq(system->body_at[system->position_of[k]], k, "%s, seed %u", what, seed);
		for (int i = 0; i < system->n_next[k]; i++) {
			cr_assert(next[i] > (i ? next[i - 1] : k) && next[i] < system->n, "%s, seed %u: row %d", what,
			          seed, k);
		}
	}
}

/* A chain, and with a ring closed: one body more in each row but the last ones, 3 n - 2 and 5 n - 6 blocks at most. */
Test(block_order, chain_of_400)
{
	static int pairs[CHAIN][2];
	int names[CHAIN];
	AbutBlockSystem system;
	cr_assert_eq(abut_block_system_create(CHAIN, &system), ABUT_OK);
	for (unsigned seed = 0; seed < 3; seed++) {
		AbutRng rng = {seed};
		shuffle(&rng, CHAIN, names);
		for (int i = 0; i < CHAIN; i++) {
			const bool turned = abut_rng_next(&rng) % 2;
			pairs[i][turned] = seed ? names[i] : i;
			pairs[i][!turned] = seed ? names[(i + 1) % CHAIN] : (i + 1) % CHAIN;
		}
		abut_block_system_analyse(&system, CHAIN - 1, (const int(*)[2])pairs);
		assert_blocks(&system, 3 * CHAIN - 2, "chain", seed);
		/* a ring: each elimination but the last two joins the neighbours, so that every row has two */
		abut_block_system_analyse(&system, CHAIN, (const int(*)[2])pairs);
		assert_blocks(&system, CHAIN + 2 * (2 * (CHAIN - 2) + 1), "ring", seed);
	}
	abut_block_system_destroy(&system);
}

/* 600 bodies that all touch: rows of hundreds of entries, in order, and nothing left of them afterwards. (That sorting
 * them takes no memory cannot be seen by wrapping malloc: the C library's own calls are not wrapped.) */
Test(block_order, crowd_of_600)
{
	int(*pairs)[2] = malloc(sizeof(int[2]) * CROWD * CROWD / 2);
	int n_pairs = 0;
	AbutBlockSystem system;
	cr_assert_not_null(pairs);
	for (int i = 0; i < CROWD; i++) {
		for (int j = 0; j < i; j++, n_pairs++) {
			pairs[n_pairs][0] = j;
			pairs[n_pairs][1] = i;
		}
	}
	cr_assert_eq(abut_block_system_create(CROWD, &system), ABUT_OK);
	abut_block_system_analyse(&system, n_pairs, (const int(*)[2])pairs);
	assert_blocks(&system, CROWD * CROWD, "crowd", 0);
	abut_block_system_analyse(&system, 0, NULL);
	assert_blocks(&system, CROWD, "nothing", 0);
	abut_block_system_destroy(&system);
	free(pairs);
}
