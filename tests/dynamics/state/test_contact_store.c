/* Tests the store of contact memory: against a plain copy of its contents, and in steps, where its entries are sorted
 * by key and each occurs once. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "allocation_watch.h"
#include "base/rng.h"
#include "dynamics/model/key.h"
#include "dynamics/model/model.h"
#include "dynamics/state/memory.h"
#include "dynamics/state/state.h"
#include "dynamics/world.h"

enum { MOST = 300, MOST_NUMBERS = 40 };

typedef struct Record {
	int part[2], n_y, n_z;
	double y[MOST_NUMBERS], z[MOST_NUMBERS];
} Record;

static void add(AbutContactStore *store, Record *record, int key, AbutRng *rng)
{
	*record = (Record){.part = {key, key + 1 + (int)(abut_rng_next(rng) % 5)},
	                   .n_y = (int)(abut_rng_next(rng) % MOST_NUMBERS),
	                   .n_z = (int)(abut_rng_next(rng) % MOST_NUMBERS)};
	cr_assert_eq(
	    abut_contact_store_reserve(store, store->n + 1, store->n_y + record->n_y, store->n_z + record->n_z),
	    ABUT_OK);
	const AbutContactMemory *entry = abut_contact_store_add(store, record->part, record->n_y, record->n_z);
	cr_assert_not(entry->solved);
	for (int i = 0; i < entry->n_y; i++) {
		store->y[entry->y + i] = record->y[i] = abut_rng_normal(rng);
	}
	for (int i = 0; i < entry->n_z; i++) {
		store->z[entry->z + i] = record->z[i] = abut_rng_normal(rng);
	}
}

static void compare(const AbutContactStore *store, const Record *records, int n, const char *what, unsigned seed)
{
	int n_y = 0, n_z = 0;
	cr_assert_eq(store->n, n, "%s, seed %u", what, seed);
	for (int i = 0; i < n; i++) {
		const AbutContactMemory *entry = &store->entries[i];
		const Record *r = &records[i];
		cr_assert_eq(abut_compare_keys(entry->part, r->part), 0, "%s, seed %u, entry %d", what, seed, i);
		cr_assert(entry->n_y == r->n_y && entry->n_z == r->n_z && entry->y == n_y && entry->z == n_z,
		          "%s, seed %u, entry %d: places", what, seed, i);
		cr_assert(memcmp(&store->y[entry->y], r->y, (size_t)r->n_y * sizeof(double)) == 0 &&
		              memcmp(&store->z[entry->z], r->z, (size_t)r->n_z * sizeof(double)) == 0,
		          "%s, seed %u, entry %d: numbers", what, seed, i);
		n_y += r->n_y;
		n_z += r->n_z;
	}
	cr_assert(store->n_y == n_y && store->n_z == n_z, "%s, seed %u", what, seed);
	cr_assert(store->capacity >= n && store->capacity_y >= n_y && store->capacity_z >= n_z);
}

/* Adds one entry at a time to an empty store. Growing keeps the contents; a copy equals the original, in an empty and
 * in a fuller store; clearing keeps the memory. */
Test(contact_store, keeps_what_it_is_given)
{
	static Record records[MOST], others[MOST];
	for (unsigned seed = 0; seed < 20; seed++) {
		AbutRng rng = {seed};
		AbutContactStore store = {.n = 0}, copy = {.n = 0};
		const int n = (int)(abut_rng_next(&rng) % MOST), m = (int)(abut_rng_next(&rng) % MOST);
		for (int i = 0; i < m; i++) {
			add(&copy, &others[i], i, &rng);
		}
		for (int i = 0; i < n; i++) {
			add(&store, &records[i], i, &rng);
		}
		compare(&store, records, n, "grown", seed);
		compare(&copy, others, m, "other", seed);
		cr_assert_eq(abut_contact_store_copy(&store, &copy), ABUT_OK);
		compare(&copy, records, n, "copied", seed);
		const int room = store.capacity, room_y = store.capacity_y, room_z = store.capacity_z;
		abut_contact_store_clear(&store);
		compare(&store, records, 0, "cleared", seed);
		cr_assert(store.capacity == room && store.capacity_y == room_y && store.capacity_z == room_z);
		compare(&copy, records, n, "copy of a cleared one", seed);
		abut_contact_store_destroy(&store);
		abut_contact_store_destroy(&copy);
		cr_assert(store.capacity == 0 && !store.entries && !store.y && !store.z);
	}
}

/* Reserving at least doubles the memory, so n entries take few allocations. If the memory suffices, nothing is
 * allocated. */
Test(contact_store, grows_seldom)
{
	AbutContactStore store = {.n = 0};
	long calls = 0;
	for (int n = 1; n <= 4096; n++) {
		watch_begin(0);
		cr_assert_eq(abut_contact_store_reserve(&store, n, 20 * n, 30 * n), ABUT_OK);
		watch_end();
		calls += watch.calls;
	}
	cr_assert_leq(calls, 3 * 14, "%ld", calls);
	watch_begin(0);
	cr_assert_eq(abut_contact_store_reserve(&store, 4096, 20 * 4096, 30 * 4096), ABUT_OK);
	watch_end();
	cr_assert_eq(watch.calls, 0);
	abut_contact_store_destroy(&store);
}

/* Allocation of the first, second or third array fails: the contents stay, in the store and in the target of a copy. */
Test(contact_store, that_cannot_grow)
{
	static Record records[MOST];
	for (long fail_at = 1; fail_at <= 3; fail_at++) {
		AbutRng rng = {(uint64_t)fail_at};
		AbutContactStore store = {.n = 0}, copy = {.n = 0};
		for (int i = 0; i < 100; i++) {
			add(&store, &records[i], i, &rng);
		}
		watch_begin(fail_at);
		const AbutStatus grown = abut_contact_store_reserve(&store, 10000, 100000, 100000);
		watch_end();
		cr_assert_eq(grown, ABUT_ERROR_MEMORY);
		compare(&store, records, 100, "not grown", (unsigned)fail_at);
		watch_begin(fail_at);
		const AbutStatus copied = abut_contact_store_copy(&store, &copy);
		watch_end();
		cr_assert_eq(copied, ABUT_ERROR_MEMORY);
		compare(&copy, records, 0, "not copied", (unsigned)fail_at);
		cr_assert_eq(abut_contact_store_copy(&store, &copy), ABUT_OK);
		compare(&copy, records, 100, "copied then", (unsigned)fail_at);
		abut_contact_store_destroy(&store);
		abut_contact_store_destroy(&copy);
	}
}

/* Keys have lexicographic order: it is antisymmetric, and the second part decides if the first parts are equal. */
Test(contact_store, order_of_keys)
{
	for (int i = 0; i < 5 * 5 * 5 * 5; i++) {
		const int a[2] = {i % 5, i / 5 % 5}, b[2] = {i / 25 % 5, i / 125};
		const int x = 10 * a[0] + a[1], y = 10 * b[0] + b[1], order = abut_compare_keys(a, b);
		cr_assert((order < 0) == (x < y) && (order == 0) == (x == y));
	}
}

/* A step leaves entries in this order, each pair once, whatever pairs appeared or disappeared. The next step relies on
 * it for its search. */
Test(contact_store, order_in_a_state)
{
	long entries = 0, solved = 0;
	for (unsigned seed = 0; seed < 20; seed++) {
		AbutRng rng = {seed};
		World world;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		for (int i = 0; i < 12; i++) {
			AbutBodyDef *body = world_add(&world, make_primitive(i % WORLD_SHAPES, 0.8), 1.0,
			                              abut_rng_normal(&rng), abut_rng_normal(&rng), 0.5 + 0.5 * i);
			abut_rng_rotation(&rng, body->orientation);
			for (int j = 0; j < 3; j++) {
				body->linear_velocity[j] = 6.0 * abut_rng_normal(&rng);
			}
		}
		world_make(&world);
		for (int n = 0; n < 40; n++) {
			const AbutContactStore *store = &world.state->store;
			world_try(&world);
			for (int i = 0; i < store->n; i++) {
				const AbutContactMemory *entry = &store->entries[i];
				cr_assert(entry->part[0] < entry->part[1], "seed %u, step %d", seed, n);
				cr_assert(i == 0 || abut_compare_keys(entry[-1].part, entry->part) < 0,
				          "seed %u, step %d: entries %d and %d", seed, n, i - 1, i);
				cr_assert(entry->solved || (entry->n_y == 0 && entry->n_z == 0));
				entries++;
				solved += entry->solved;
			}
		}
		world_end(&world);
	}
	cr_assert(solved > 1000 && entries > solved, "%ld of %ld", solved, entries);
}
