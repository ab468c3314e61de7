/* Tests falling unions and Minkowski sums (experiments/convex_bundles/bundles.json) by conservation laws. */
#include <criterion/criterion.h>
#include <math.h>

#include "abut/io.h"
#include "base/vec3.h"
#include "experiments/setting/world.h"

enum { MOST_BODIES = 8 };

/* Adds the impulses on each body by the contacts of the last step. */
static void add_impulses(const AbutWorld *world, double sum[MOST_BODIES][3])
{
	for (int c = 0; c < abut_contact_count(world->workspace); c++) {
		AbutContact contact;
		abut_contact_get(world->model, world->workspace, c, &contact);
		for (int i = 0; i < 3; i++) {
			const double F = contact.normal_impulse * contact.normal[i] + contact.friction_impulse[i];
			sum[contact.body_a][i] -= F;
			sum[contact.body_b][i] += F;
		}
		const double limit = 0.5 * contact.normal_impulse;
		cr_expect_leq(abut_norm3(contact.friction_impulse), limit + 1e-9, "%g of %g N s",
		              abut_norm3(contact.friction_impulse), limit);
	}
}

/* In every step each body's momentum changes by its weight and its contacts, including those of its parts. Energy is
 * lost, except for the integrator's error of spin. Until the first contact the motion is free fall. */
Test(bundles, fall_by_momentum_and_energy)
{
	AbutScene *scene = NULL;
	AbutWorld world;
	AbutError error = {.status = ABUT_OK};
	int contacts = 0;
	const char *const overrides[] = {"duration=2"};
	cr_assert_eq(
	    abut_scene_load(ABUT_SOURCE_DIR "/experiments/convex_bundles/bundles.json", 1, overrides, &scene, &error),
	    ABUT_OK, "%s", error.message);
	const AbutSceneDef *def = abut_scene_def(scene);
	cr_assert_leq(def->n_bodies, MOST_BODIES);
	cr_assert_eq(abut_world_open(&world, def, &error), ABUT_OK, "%s", error.message);
	double energy = abut_state_energy(world.model, world.state);
	const double begun = energy;
	for (int n = 0; n < 200; n++) {
		AbutStepInfo info = {.tries = 0};
		AbutBodyState before[MOST_BODIES], after;
		double sum[MOST_BODIES][3] = {{0.0}};
		for (int b = 0; b < def->n_bodies; b++) {
			abut_state_get_body(world.model, world.state, b, &before[b]);
		}
		cr_assert_eq(abut_step(world.model, world.state, world.workspace, &info), ABUT_OK);
		cr_assert(info.outcome == ABUT_OUTCOME_EXACT || info.outcome == ABUT_OUTCOME_RELAXED, "step %d", n);
		add_impulses(&world, sum);
		for (int b = 0; b < def->n_bodies; b++) {
			const double m = abut_model_body_mass(world.model, b);
			abut_state_get_body(world.model, world.state, b, &after);
			for (int i = 0; m > 0.0 && i < 3; i++) {
				const double change = m * (after.linear_velocity[i] - before[b].linear_velocity[i]);
				const double given = sum[b][i] + m * def->timestep * def->gravity[i];
				cr_expect_float_eq(change, given, 1e-8 * (1.0 + fabs(given)),
				                   "step %d, body %d: %g, %g", n, b, change, given);
			}
			contacts += abut_norm3(sum[b]) > 0.0;
		}
		const double now = abut_state_energy(world.model, world.state);
		cr_expect_leq(now, energy + 1e-3 * begun, "step %d: %g after %g J", n, now, energy);
		cr_expect_lt(info.max_penetration, 1e-8, "step %d", n);
		energy = now;
	}
	cr_expect_gt(contacts, 100);
	cr_expect_lt(energy, 0.9 * begun, "%g of %g J", energy, begun);
	abut_world_close(&world);
	abut_scene_destroy(scene);
}
