/* Tests that no unknown decays into the subnormal numbers, where arithmetic is tens of times slower. The auxiliary
 * variables of a shape, and unknowns that a symmetric contact does not need, shrink by a factor in every iteration. */
#include <criterion/criterion.h>
#include <math.h>

#include "dynamics/model/model.h"
#include "dynamics/state/state.h"
#include "dynamics/world.h"

static void assert_normal(const char *shape, const char *what, const double *values, int n)
{
	for (int i = 0; i < n; i++) {
		cr_assert_neq(fpclassify(values[i]), FP_SUBNORMAL, "%s: %s %d is %g", shape, what, i, values[i]);
	}
}

Test(dust, a_pushed_shape_keeps_no_subnormal_numbers)
{
	for (int i = 0; i < WORLD_SHAPES; i++) {
		World world;
		AbutRng rng = {(unsigned)i};
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		AbutShape *shape = make_primitive(i, 0.5);
		const double height = abut_shape_support(shape, (const double[3]){0.0, 0.0, -1.0}, NULL);
		world_add(&world, shape, 1.0, 0.0, 0.0, height);
		world_make(&world);
		for (int k = 0; k < 200; k++) {
			double push[3];
			for (int j = 0; j < 3; j++) {
				push[j] = abut_rng_uniform(&rng, -0.5, 0.5);
			}
			abut_state_set_input(world.model, world.state, 1, push, (const double[3]){0.0});
			world_step(&world);
		}
		assert_normal(primitive_name(i), "unknown", world.state->store.y, world.state->store.n_y);
		assert_normal(primitive_name(i), "dual", world.state->store.z, world.state->store.n_z);
		world_end(&world);
	}
}
