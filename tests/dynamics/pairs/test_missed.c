/* Tests pairs that a step leaves out, because they stay apart in their own motion, but that a third body pushes
 * together. They must be found at the end of the step and then solved for. */
#include <criterion/criterion.h>
#include <math.h>

#include "dynamics/model/key.h"
#include "dynamics/pairs/all_pairs.h"
#include "dynamics/pairs/candidates.h"
#include "dynamics/solve/overlap.h"
#include "dynamics/state/memory.h"
#include "dynamics/state/state.h"
#include "dynamics/step/gather.h"
#include "dynamics/step/workspace.h"
#include "dynamics/world.h"

/* Returns whether a step from the present state begins without the pair. */
static bool is_left_out(const World *world, int first, int second)
{
	AbutWorkspace *w = NULL;
	const int part[2] = {first, second};
	bool active = false;
	cr_assert_eq(abut_workspace_create(world->model, &w, NULL), ABUT_OK);
	abut_step_gather(world->model, world->state, w, world->model->timestep);
	cr_assert_eq(abut_pairs_find(world->model, world->state, w->bodies, &w->pairs), ABUT_OK);
	for (int i = 0; i < w->pairs.n_active; i++) {
		active = active || abut_compare_keys(w->pairs.store.entries[w->pairs.active[i]].part, part) == 0;
	}
	abut_workspace_destroy(w);
	return !active;
}

static int hammer_of(unsigned seed)
{
	return seed / 4 % 2 ? 2 : 0;
}

/* Begins a world with three bodies in a row along x, in random orientations. The hammer (body 0 or 2) moves onto the
 * middle body (1), which it almost touches; the target is behind it at the distance `gap`. `way` is the distance that
 * the middle body would move in the step without the target; all three have the same mass. */
static void begin_push(World *world, unsigned seed, double gap, double way)
{
	AbutRng rng = {seed};
	const bool spheres = seed % 4 == 0; /* exact positions are then known */
	const int hammer = hammer_of(seed);
	double reach[3], at = 0.0;
	world_begin(world);
	world->def.gravity[2] = 0.0;
	world->def.friction = abut_rng_uniform(&rng, 0.0, 0.8);
	for (int i = 0; i < 3; i++) {
		const int kind = spheres ? 1 : (int)(abut_rng_next(&rng) % WORLD_SHAPES);
		AbutShape *shape = make_primitive(kind, 1.0);
		AbutBodyDef *body = world_add(world, shape, 1.0, 0.0, 0.0, 0.0);
		double R[9], axis[3], point[3], back[3];
		abut_rng_rotation(&rng, body->orientation);
		abut_quat_to_mat3(body->orientation, R);
		abut_mat3_tvec(R, (const double[3]){1.0, 0.0, 0.0}, axis);
		for (int j = 0; j < 3; j++) {
			back[j] = -axis[j];
		}
		reach[i] = abut_shape_support(shape, axis, point);
		at += i == 0 ? 0.0 : abut_shape_support(shape, back, point) + ((i == 1) == (hammer == 0) ? 1e-4 : gap);
		body->position[0] = at;
		at += reach[i];
	}
	world->bodies[hammer].linear_velocity[0] = (hammer == 0 ? 2.0 : -2.0) * way / world->def.timestep;
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
		}
	}
	return worst;
}

/* Checks that contacts and the entries of the state are sorted by their parts, including those found late. */
static void assert_in_order(const World *world, unsigned seed)
{
	const AbutContactStore *store = &world->state->store;
	for (int i = 1; i < store->n; i++) {
		cr_expect_lt(abut_compare_keys(store->entries[i - 1].part, store->entries[i].part), 0, "seed %u", seed);
	}
	for (int i = 1; i < abut_contact_count(world->workspace); i++) {
		const AbutContact c = world_contact(world, i - 1), d = world_contact(world, i);
		const int before[2] = {c.body_a, c.body_b}, here[2] = {d.body_a, d.body_b};
		cr_expect_lt(abut_compare_keys(before, here), 0, "seed %u: contact %d", seed, i);
	}
}

/* Takes steps with pushes of every length, from within the clearance of the broad phase to half the body's size. The
 * result must equal that of a step that leaves out no pair. The allowed overlap is that of the solution's gap, 1e-10 of
 * the size, and of the proof. */
Test(missed, pairs_that_a_third_body_closes)
{
	int found = 0, compared = 0, other_roots = 0;
	for (unsigned seed = 0; seed < 400; seed++) {
		AbutRng rng = {1000 + seed};
		const double gap = pow(10.0, abut_rng_uniform(&rng, -2.0, -1.0));
		const double way = gap * pow(10.0, abut_rng_uniform(&rng, 0.02, 0.5));
		World world;
		begin_push(&world, seed, gap, way);
		world_make(&world);
		const int first = hammer_of(seed) == 0 ? 1 : 0; /* of the pair that is pushed together */
		const bool left_out = is_left_out(&world, first, first + 1);
		AbutState *full = NULL;
		AbutWorkspace *w = NULL;
		cr_assert_eq(abut_state_create(world.model, &full, NULL), ABUT_OK);
		cr_assert_eq(abut_workspace_create(world.model, &w, NULL), ABUT_OK);
		AbutStepInfo expected;
		all_pairs_step(world.model, full, w, &expected);
		world_step(&world);
		AbutContact contact;
		found += left_out && world_find(&world, first, first + 1, &contact) && contact.normal_impulse > 0.01;
		assert_in_order(&world, seed);
		int a = 0, b = 0;
		const double depth = overlap_deepest(&world, &a, &b);
		cr_expect_leq(depth, 1e-8, "seed %u: %d and %d are %g m deep (gap %g, way %g, %s)", seed, a, b, depth,
		              gap, way, left_out ? "left out" : "active");
		if (expected.exact && expected.halvings == 0 && world.info.exact && world.info.halvings == 0) {
			const double off = difference(&world, full), speed = 2.0 * way / world.def.timestep;
			/* both are solutions, since nothing overlaps: at high speed the equations have several */
			const bool other_root = off > 1e-3 && speed > 10.0;
			other_roots += other_root;
			compared++;
			cr_expect(other_root || off <= 1e-9 * (1.0 + speed), "seed %u: off by %g at %g m/s", seed, off,
			          speed);
		}
		abut_workspace_destroy(w);
		abut_state_destroy(full);
		world_end(&world);
	}
	cr_expect_geq(found, 40, "%d pairs were left out and hit", found);
	cr_expect_geq(compared, 300, "%d compared", compared);
	cr_expect_leq(other_roots, 4, "%d other roots", other_roots);
}
