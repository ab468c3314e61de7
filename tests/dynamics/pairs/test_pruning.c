/* Tests that leaving out pairs changes nothing: each step is compared with a step that solves for every pair that may
 * touch. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>

#include "dynamics/pairs/all_pairs.h"
#include "dynamics/solve/overlap.h"
#include "dynamics/step/workspace.h"
#include "dynamics/world.h"

typedef struct Crowd {
	char name[24];
	bool floor, gravity;
	double spread, speed, spin; /* m, m/s, rad/s */
} Crowd;

static Crowd crowds[] = {{"calm", true, true, 0.8, 0.5, 1.0},       {"slow, afloat", false, false, 0.7, 0.1, 0.2},
                         {"fast", true, true, 1.2, 12.0, 2.0},      {"fast, afloat", false, false, 1.0, 25.0, 5.0},
                         {"spinning", true, true, 1.0, 1.0, 60.0},  {"at rest", true, true, 0.6, 0.0, 0.0},
                         {"far apart", true, false, 4.0, 5.0, 3.0}, {"thrown together", false, true, 1.0, 4.0, 20.0}};

ParameterizedTestParameters(pruning, changes_nothing)
{
	return cr_make_param_array(Crowd, crowds, sizeof crowds / sizeof *crowds);
}

static void begin_crowd(World *world, const Crowd *c, unsigned seed)
{
	AbutRng rng = {seed};
	const int n = 2 + (int)(abut_rng_next(&rng) % 6);
	world_begin(world);
	world->def.gravity[2] = c->gravity ? -9.81 : 0.0;
	world->def.friction = abut_rng_uniform(&rng, 0.0, 1.0);
	if (c->floor) {
		world_add_floor(world, 0.0, 0.1, 1.0);
	}
	for (int i = 0; i < n; i++) {
		const int kind = (int)(abut_rng_next(&rng) % WORLD_SHAPES);
		const double size = abut_rng_uniform(&rng, 0.5, 1.5);
		const double mass = c->floor && i == 0 && seed % 3 == 0 ? 0.0 : abut_rng_uniform(&rng, 0.3, 3.0);
		AbutBodyDef *body = world_add(world, make_primitive(kind, size), mass, 0.0, 0.0, 0.0);
		abut_rng_rotation(&rng, body->orientation);
		for (int j = 0; j < 3; j++) { /* next to each other, in two or more layers */
			body->position[j] = j < 2 ? c->spread * abut_rng_normal(&rng) : 0.7 + 0.8 * i * c->spread;
			body->linear_velocity[j] = mass > 0.0 ? c->speed * abut_rng_normal(&rng) : 0.0;
			body->angular_velocity[j] = mass > 0.0 ? c->spin * abut_rng_normal(&rng) : 0.0;
		}
	}
}

typedef struct Tally {
	long compared, left_out, judged;
	int other_roots; /* number of scenes abandoned at a step with several solutions */
} Tally;

static double depths(const World *world, double depth[WORLD_BODIES][WORLD_BODIES])
{
	double deepest = 0.0;
	for (int i = 0; i < world->def.n_bodies; i++) {
		for (int j = i + 1; j < world->def.n_bodies; j++) {
			const bool fixed = world->bodies[i].is_static && world->bodies[j].is_static;
			depth[i][j] = fixed ? -1.0 : overlap_of(world, i, j);
			deepest = fmax(deepest, depth[i][j]);
		}
	}
	return deepest;
}

/* Checks that no two bodies that were apart before the step overlap after it, whichever pairs were solved for. */
static void judge(const World *world, double before[WORLD_BODIES][WORLD_BODIES], const Crowd *c, unsigned seed)
{
	double after[WORLD_BODIES][WORLD_BODIES];
	depths(world, after);
	for (int i = 0; i < world->def.n_bodies; i++) {
		for (int j = i + 1; j < world->def.n_bodies; j++) {
			cr_expect(before[i][j] > 0.0 || after[i][j] <= 1e-8, "%s, seed %u, step %ld: %d and %d by %g m",
			          c->name, seed, world->steps - 1, i, j, after[i][j]);
		}
	}
}

static double difference(const World *world, const AbutState *full)
{
	double worst = 0.0;
	for (int i = 0; i < world->def.n_bodies; i++) {
		AbutBodyState s;
		cr_assert_eq(abut_state_get_body(world->model, full, i, &s), ABUT_OK);
		const AbutBodyState t = world_body(world, i);
		for (int j = 0; j < 3; j++) {
			worst = fmax(worst, fabs(s.linear_velocity[j] - t.linear_velocity[j]));
			worst = fmax(worst, fabs(s.angular_velocity[j] - t.angular_velocity[j]));
		}
	}
	return worst;
}

/* Takes both steps. Returns false if the scene must be abandoned. */
static bool step_both(World *world, AbutState *full, AbutWorkspace *w, const Crowd *c, unsigned seed, Tally *tally)
{
	const double scale = 1.0 + c->speed + c->spin; /* steps are exact to 1e-10 in units of about this value */
	double before[WORLD_BODIES][WORLD_BODIES];
	AbutStepInfo all;
	depths(world, before);
	cr_assert_eq(abut_state_copy(world->model, world->state, full), ABUT_OK);
	all_pairs_step(world->model, full, w, &all);
	if (world_try(world) == ABUT_OUTCOME_FAILED || !world->info.exact) {
		return world->info.outcome != ABUT_OUTCOME_FAILED;
	}
	judge(world, before, c, seed);
	tally->judged++;
	tally->left_out += world->model->pairing.n_pairs - world->info.active_contacts;
	if (all.exact && all.halvings == 0 && world->info.halvings == 0) {
		const double off = difference(world, full);
		tally->compared++;
		/* both are solutions, since no pair that was left out overlaps: at high speed the equations have
		 * several */
		const bool other_root = off > 1e-3 && c->speed > 10.0;
		tally->other_roots += other_root;
		cr_expect(other_root || off <= 1e-9 * scale, "%s, seed %u, step %ld: off by %g", c->name, seed,
		          world->steps - 1, off);
		return !other_root;
	}
	return true;
}

/* Exact steps must agree up to their tolerance. Steps in halves are not compared, since more pairs cause more of them,
 * but their results are checked for overlap as well. */
ParameterizedTest(Crowd *c, pruning, changes_nothing)
{
	Tally tally = {.compared = 0};
	for (unsigned seed = 0; seed < 60; seed++) {
		World world;
		AbutState *full = NULL;
		AbutWorkspace *w = NULL;
		begin_crowd(&world, c, seed);
		world_make(&world);
		cr_assert_eq(abut_state_create(world.model, &full, NULL), ABUT_OK);
		cr_assert_eq(abut_workspace_create(world.model, &w, NULL), ABUT_OK);
		for (int n = 0; n < 8 && step_both(&world, full, w, c, seed, &tally); n++) {
		}
		abut_workspace_destroy(w);
		abut_state_destroy(full);
		world_end(&world);
	}
	cr_expect_geq(tally.judged, 400, "%s: %ld judged", c->name, tally.judged);
	cr_expect_geq(tally.compared, c->spin > 50.0 ? 80 : 250, "%s: %ld compared", c->name, tally.compared);
	cr_expect_geq(tally.left_out, 3000, "%s: %ld left out", c->name, tally.left_out);
	cr_expect_leq(tally.other_roots, 2, "%s: %d other roots", c->name, tally.other_roots);
}

/* Returns the impulse (SI) that a pair transmits at a distance on the relaxed path: gamma 10 (alpha - 1) = kappa, and
 * the impulse is gamma times a factor of at most 1. */
static double push_of(const World *world, const AbutContact *contact)
{
	return world->def.solver.kappa / (10.0 * (contact->scaling - 1.0)) * world->model->units.impulse;
}

/* Without the finish, a pair that is left out no longer transmits an impulse. Bodies that float without touching differ
 * by at most the impulses of the pairs left out, divided by their mass. They must also differ, so that the bound is
 * tested. */
Test(pruning, drops_the_relaxed_push)
{
	static const Crowd afloat = {"afloat", false, false, 2.0, 0.05, 0.1};
	long left_out = 0, felt = 0;
	for (unsigned seed = 0; seed < 100; seed++) {
		World world;
		AbutState *full = NULL;
		AbutWorkspace *w = NULL;
		AbutStepInfo all;
		begin_crowd(&world, &afloat, seed);
		world.def.friction = 0.0;
		world.def.solver.finish = ABUT_FINISH_NONE;
		world.def.solver.kappa = 1e-4;
		world.def.solver.tolerance = 1e-10;
		world_make(&world);
		cr_assert_eq(abut_state_create(world.model, &full, NULL), ABUT_OK);
		cr_assert_eq(abut_workspace_create(world.model, &w, NULL), ABUT_OK);
		double before[WORLD_BODIES][WORLD_BODIES], pushes[WORLD_BODIES] = {0.0};
		const bool apart = depths(&world, before) <= 0.0;
		all_pairs_step(world.model, full, w, &all);
		world_step(&world);
		for (int k = 0; apart && k < w->n_reported; k++) {
			AbutContact c, own;
			cr_assert_eq(abut_contact_get(world.model, w, k, &c), ABUT_OK);
			if (!world_find(&world, c.body_a, c.body_b, &own)) {
				pushes[c.body_a] += push_of(&world, &c);
				pushes[c.body_b] += push_of(&world, &c);
				left_out++;
			}
		}
		for (int i = 0; apart && i < world.def.n_bodies; i++) {
			AbutBodyState s;
			double square = 0.0;
			cr_assert_eq(abut_state_get_body(world.model, full, i, &s), ABUT_OK);
			const AbutBodyState t = world_body(&world, i);
			for (int j = 0; j < 3; j++) {
				square += pow(s.linear_velocity[j] - t.linear_velocity[j], 2.0);
			}
			const double bound = pushes[i] / world.bodies[i].mass;
			cr_expect_leq(sqrt(square), bound + 1e-9, "seed %u, body %d: %g m/s, bound %g", seed, i,
			              sqrt(square), bound);
			felt += sqrt(square) > 0.3 * bound && bound > 1e-8;
		}
		abut_workspace_destroy(w);
		abut_state_destroy(full);
		world_end(&world);
	}
	cr_expect_geq(left_out, 200, "%ld pairs left out", left_out);
	cr_expect_geq(felt, 30, "%ld bodies of which a push was dropped", felt);
}
