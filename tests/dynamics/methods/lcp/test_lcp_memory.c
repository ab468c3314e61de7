/* Tests the memory that method lcp carries from step to step. It saves pivots, and changes no motion except by
 * rounding. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "dynamics/methods/lcp/memory.h"
#include "dynamics/methods/manifold/island.h"
#include "dynamics/state/memory.h"
#include "dynamics/world.h"

/* Makes a contact of n points with three rows each. Their features use both halves of the number. */
static AbutLcpContact contact_of(int n)
{
	AbutLcpContact out = {.rows_per_point = 3};
	out.manifold.n = n;
	for (int i = 0; i < n; i++) {
		out.manifold.points[i].feature = (uint64_t)(3 + i) << 60 | (uint64_t)(7 * i) << 28 | (uint64_t)(i + 1);
		for (int k = 0; k < 3; k++) {
			out.set[3 * i + k] = (AbutBoxedSet)((i + k) % 4);
		}
	}
	return out;
}

typedef struct Memory {
	AbutContactStore store;
	AbutLcpContact contact;
} Memory;

static void begin(Memory *f)
{
	const int part[2] = {0, 1};
	*f = (Memory){.contact = contact_of(4)};
	cr_assert_eq(abut_contact_store_reserve(&f->store, 1, ABUT_LCP_MEMORY, 0), ABUT_OK);
	abut_contact_store_add(&f->store, part, ABUT_LCP_MEMORY, 0);
}

/* The points come in another order, and one of them is new. */
Test(lcp_memory, sets_follow_the_features)
{
	static const int order[4] = {2, 0, 3, 1};
	Memory f;
	AbutBoxedSet guess[12];
	begin(&f);
	abut_lcp_recall(&f.store, 0, &f.contact, guess);
	cr_assert_eq(guess[0], ABUT_BOXED_IDLE, "nothing is solved yet");
	abut_lcp_remember(&f.contact, 0.99, 0, &f.store);
	cr_assert_eq(f.store.entries[0].alpha, 0.99);
	AbutLcpContact next = f.contact;
	for (int i = 0; i < 4; i++) {
		next.manifold.points[i].feature = f.contact.manifold.points[order[i]].feature;
	}
	next.manifold.points[3].feature++;
	abut_lcp_recall(&f.store, 0, &next, guess);
	for (int i = 0; i < 4; i++) {
		for (int k = 0; k < 3; k++) {
			const AbutBoxedSet set = i == 3 ? ABUT_BOXED_IDLE : f.contact.set[3 * order[i] + k];
			cr_assert_eq(guess[3 * i + k], set, "point %d, row %d: %d, not %d", i, k, (int)guess[3 * i + k],
			             (int)set);
		}
	}
	abut_lcp_recall(&f.store, -1, &next, guess);
	cr_assert_eq(guess[0], ABUT_BOXED_IDLE);
	abut_contact_store_destroy(&f.store);
}

/* A snapshot may contain any numbers; those that are not sets are ignored. */
Test(lcp_memory, numbers_that_are_no_sets_are_nothing)
{
	static const double codes[] = {-1e300, -1.0, 0.0, 0.5, 65.0, 1e300};
	Memory f;
	AbutBoxedSet guess[12];
	begin(&f);
	abut_lcp_remember(&f.contact, 1.0, 0, &f.store);
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
		f.store.y[2] = codes[i];
		abut_lcp_recall(&f.store, 0, &f.contact, guess);
		cr_assert_eq(guess[0], ABUT_BOXED_IDLE, "%g", codes[i]);
		cr_assert_eq(guess[3], f.contact.set[3]);
	}
	abut_contact_store_destroy(&f.store);
}

/* A leaning stack slides and rocks for half a second, during which rounding does not change it visibly yet. The solver
 * is the one that starts each step from nothing if it has no memory. */
Test(lcp_memory, changes_the_pivots_and_not_the_motion)
{
	World worlds[2];
	long pivots[2] = {0, 0};
	for (int i = 0; i < 2; i++) {
		world_begin_method(&worlds[i], ABUT_METHOD_LCP);
		worlds[i].def.solver.lcp_solver = ABUT_LCP_SOLVER_ONE_PASS;
		worlds[i].def.solver.warm_start = i == 1;
		world_add_floor(&worlds[i], 0.0, 0.0, 1.0);
		for (int k = 0; k < 6; k++) {
			AbutBodyDef *body = world_add(&worlds[i], make_cube(1.0), 1.0, 0.05 * k, -0.02 * k, 0.5 + k);
			body->linear_velocity[0] = 0.3 * (k % 3);
			body->angular_velocity[2] = 0.4 * (k % 2);
		}
		world_make(&worlds[i]);
	}
	for (int step = 0; step < 50; step++) {
		for (int i = 0; i < 2; i++) {
			world_step(&worlds[i]);
			pivots[i] += worlds[i].info.iterations;
		}
		for (int body = 1; body < 7; body++) {
			const AbutBodyState a = world_body(&worlds[0], body), b = world_body(&worlds[1], body);
			for (int k = 0; k < 3; k++) {
				cr_assert_float_eq(a.position[k], b.position[k], 1e-8, "step %d, body %d: %g m", step,
				                   body, a.position[k] - b.position[k]);
			}
		}
	}
	cr_assert_lt(3 * pivots[1], 2 * pivots[0], "%ld pivots with, %ld without", pivots[1], pivots[0]);
	world_end(&worlds[0]);
	world_end(&worlds[1]);
}
