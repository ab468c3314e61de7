/* Tests that bodies that do not touch do not affect each other: a world of several islands moves as each island alone,
 * and allowing pairs that cannot meet changes nothing. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/pairs/candidates.h"
#include "dynamics/pairs/islands.h"
#include "dynamics/step/gather.h"
#include "dynamics/step/workspace.h"
#include "dynamics/world.h"

static const double apart = 30.0; /* distance between the groups, m */

/* Adds group `g` on the common floor: a stack of two boxes, hit by a ball from the side. */
static void add_group(World *world, int g, double place)
{
	world_add(world, make_cube(1.0), 1.0, place, 0.0, 0.5);
	world_add(world, make_cube(1.0), 1.0, place, 0.05, 1.5);
	AbutBodyDef *ball = world_add(world, make_sphere(0.5), 1.0, place - 2.0, 0.1 * g, 1.4);
	ball->linear_velocity[0] = 4.0;
}

/* Equal sizes and masses give equal units, so the scaled problems differ only in the position. A group far along x has
 * an error of 4e-15, the rounding at 30 m, which 80 steps of tumbling amplify. */
Test(islands, move_as_they_do_alone)
{
	for (int groups = 2; groups <= 6; groups += 2) {
		World all;
		world_begin(&all);
		world_add_floor(&all, 0.0, 0.0, 1.0);
		for (int g = 0; g < groups; g++) {
			add_group(&all, g, apart * g);
		}
		world_make(&all);
		world_run(&all, 80);
		for (int g = 0; g < groups; g++) {
			World own;
			world_begin(&own);
			world_add_floor(&own, 0.0, 0.0, 1.0);
			add_group(&own, g, 0.0);
			world_make(&own);
			world_run(&own, 80);
			for (int i = 0; i < 3; i++) {
				const AbutBodyState a = world_body(&all, 1 + 3 * g + i), b = world_body(&own, 1 + i);
				for (int j = 0; j < 3; j++) {
					cr_assert_float_eq(a.position[j] - (j == 0 ? apart * g : 0.0), b.position[j],
					                   1e-8, "group %d of %d, body %d", g, groups, i);
					cr_assert_float_eq(a.angular_velocity[j], b.angular_velocity[j], 1e-7,
					                   "group %d of %d, body %d", g, groups, i);
				}
			}
			world_end(&own);
		}
		world_end(&all);
	}
}

/* Allowing all pairs, or only those that meet, gives the same bits: pairs that do not meet are not solved for. */
Test(islands, pairs_that_never_meet_change_nothing)
{
	World all, few;
	World *const worlds[2] = {&all, &few};
	for (int k = 0; k < 2; k++) {
		world_begin(worlds[k]);
		world_add_floor(worlds[k], 0.0, 0.0, 1.0);
		add_group(worlds[k], 0, 0.0);
		add_group(worlds[k], 1, apart);
	}
	few.def.all_pairs = false;
	for (int g = 0; g < 2; g++) {
		for (int i = 0; i < 3; i++) {
			world_add_pair(&few, 0, 1 + 3 * g + i);
			for (int j = i + 1; j < 3; j++) {
				world_add_pair(&few, 1 + 3 * g + i, 1 + 3 * g + j);
			}
		}
	}
	for (int k = 0; k < 2; k++) {
		world_make(worlds[k]);
		world_run(worlds[k], 100);
	}
	cr_assert_gt(abut_model_pair_count(all.model), abut_model_pair_count(few.model));
	for (int i = 0; i < 7; i++) {
		const AbutBodyState a = world_body(&all, i), b = world_body(&few, i);
		cr_assert_eq(memcmp(&a, &b, sizeof a), 0, "body %d", i);
	}
	world_end(&all);
	world_end(&few);
}

/* Returns whether two bodies are connected by active pairs of moving bodies, by following the pairs one at a time. */
static bool joined(const AbutModel *model, const AbutWorkspace *w, int from, int to)
{
	bool reached[WORLD_BODIES] = {false};
	reached[from] = true;
	for (int round = 0; round < model->n_bodies; round++) {
		for (int i = 0; i < w->pairs.n_active; i++) {
			const AbutPair *pair = &w->pairs.candidates[w->pairs.active[i]].pair;
			const int a = pair->body[0], b = pair->body[1];
			if (!model->bodies[b].is_static && (reached[a] || reached[b])) {
				reached[a] = reached[b] = true;
			}
		}
	}
	return reached[to];
}

/* Compares the partition with a search from every body, for random positions. Every body and every pair must be in
 * exactly one island. */
Test(islands, are_the_connected_components)
{
	for (unsigned seed = 0; seed < 100; seed++) {
		AbutRng rng = {seed};
		World world;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		for (int i = 0; i < 20; i++) {
			world_add(&world, make_sphere(0.5), i % 7 == 3 ? 0.0 : 1.0, abut_rng_uniform(&rng, 0.0, 5.0),
			          abut_rng_uniform(&rng, 0.0, 5.0), abut_rng_uniform(&rng, 0.5, 4.0));
		}
		world_make(&world);
		const AbutModel *model = world.model;
		AbutWorkspace *w = world.workspace;
		abut_step_gather(model, world.state, w, model->timestep);
		cr_assert_eq(abut_pairs_find(model, world.state, w->bodies, &w->pairs), ABUT_OK);
		abut_partition_make(model, &w->pairs, w->bodies, &w->partition);
		int bodies = 0, contacts = 0, island_of[WORLD_BODIES] = {0};
		bool seen[WORLD_BODIES * WORLD_BODIES] = {false};
		for (int i = 0; i < w->partition.n_islands; i++) {
			const AbutIslandMembers *members = &w->partition.members[i];
			cr_assert_eq(members->first_body, bodies);
			cr_assert_eq(members->first_contact, contacts);
			for (int j = 0; j < members->size.n_bodies; j++, bodies++) {
				cr_assert_eq(w->partition.moving[bodies]->moving, j);
				island_of[w->partition.moving[bodies]->body] = i;
			}
			for (int j = 0; j < members->size.n_contacts; j++, contacts++) {
				const int place = w->partition.by_island[contacts];
				const AbutPair *pair = &w->pairs.candidates[w->pairs.active[place]].pair;
				cr_assert_not(seen[place], "seed %u: a contact is in two islands", seed);
				seen[place] = true;
				cr_assert_eq(island_of[pair->body[0]], i);
			}
		}
		cr_assert_eq(bodies, model->n_moving);
		cr_assert_eq(contacts, w->pairs.n_active);
		for (int a = 0; a < model->n_bodies; a++) {
			for (int b = a + 1; b < model->n_bodies; b++) {
				if (!model->bodies[a].is_static && !model->bodies[b].is_static) {
					cr_assert_eq(joined(model, w, a, b), island_of[a] == island_of[b],
					             "seed %u: %d and %d", seed, a, b);
				}
			}
		}
		world_end(&world);
	}
}
