/* Tests abut_step_explain: it writes one sentence that names the cause and a number, for a buffer of any size. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/world.h"

static const char *explain(const World *world)
{
	static char text[512];
	memset(text, 'x', sizeof text);
	abut_step_explain(world->model, world->state, &world->info, text, sizeof text);
	cr_assert_lt(strnlen(text, sizeof text), sizeof text - 1, "no end");
	cr_assert_null(strchr(text, '\n'), "%s", text);
	cr_assert_gt(strlen(text), 10, "%s", text);
	return text;
}

/* Returns the number after a phrase. */
static double number_after(const char *text, const char *phrase)
{
	const char *at = strstr(text, phrase);
	cr_assert_not_null(at, "'%s' is not in: %s", phrase, text);
	char *end = NULL;
	const double value = strtod(at + strlen(phrase), &end);
	cr_assert(end != at + strlen(phrase), "no number after '%s': %s", phrase, text);
	return value;
}

Test(explain, solved)
{
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.5);
	world_make(&world);
	world_step(&world);
	cr_expect_str_eq(explain(&world), "the step was solved");
	world_end(&world);
}

/* A torque too large for any step: the text gives the spin before the failed step, and a sufficient timestep. */
Test(explain, spin)
{
	World world;
	world_begin(&world);
	world.def.gravity[2] = 0.0;
	world_add(&world, make_sphere(0.5), 1.0, 3.0, 0.0, 0.0);
	AbutBodyDef *body = world_add(&world, make_cube(1.0), 2.0, 0.0, 0.0, 0.0);
	body->name = "flywheel";
	body->torque[2] = 64.0 * 20000.0;
	world_make(&world);
	int n = 0;
	while (world_try(&world) != ABUT_OUTCOME_FAILED) {
		cr_assert_lt(n++, 100, "never too fast");
	}
	const char *text = explain(&world);
	const double half = 0.5 * 0.01 * world_body(&world, 1).angular_velocity[2];
	cr_expect_eq(strstr(text, "'flywheel'"), text, "%s", text);
	cr_expect_float_eq(number_after(text, "half turn of "), half, 64.0 * 0.06, "%g: %s", half, text);
	const double advice = number_after(text, "timestep below ");
	cr_expect(advice > 0.001 && advice < 0.01, "%s", text);
	world_end(&world);
}

/* Bodies that pass each other. The state is that before the step; the outcome is set by hand, since the library would
 * solve this step in parts. */
Test(explain, passing)
{
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_sphere(0.5), 1.0, 0.0, 0.0, 3.0)->name = "post";
	AbutBodyDef *body = world_add(&world, make_sphere(0.05), 1.0, -5.0, 0.0, 3.0);
	body->name = "bullet";
	body->linear_velocity[0] = 300.0;
	world_make(&world);
	world.info.outcome = ABUT_OUTCOME_FAILED;
	const char *text = explain(&world);
	cr_expect(strstr(text, "'bullet'") && strstr(text, "'post'"), "%s", text);
	cr_expect_float_eq(number_after(text, "pass each other by "), 30.0, 0.1, "%s", text);
	cr_expect_float_eq(number_after(text, "timestep below "), 0.01 / 30.0, 2e-5, "%s", text);
	world_end(&world);
}

/* A 1 m cube between static walls 0.9 m apart, which no motion satisfies: the text says how far the solve got. */
Test(explain, infeasible_slot)
{
	World world;
	world_begin(&world);
	world_add(&world, make_cube(1.0), 0.0, -0.95, 0.0, 0.0);
	world_add(&world, make_cube(1.0), 0.0, 0.95, 0.0, 0.0);
	world_add(&world, make_cube(1.0), 3.0, 0.0, 0.0, 0.0);
	world_make(&world);
	int n = 0;
	while (world_try(&world) < ABUT_OUTCOME_RAISED_KAPPA) {
		cr_assert_lt(n++, 200, "a cube of 1 m fits into 0.9 m");
	}
	const char *text = explain(&world);
	cr_expect_float_eq(
	    number_after(text, world.info.outcome == ABUT_OUTCOME_FAILED ? "no convergence in " : "after "),
	    world.info.tries, 0.0, "%s", text);
	world_end(&world);
}

/* A larger kappa is reported as a failure: the text gives both values of kappa. */
Test(explain, raised_kappa)
{
	World world;
	world_begin(&world);
	world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.0);
	world_make(&world);
	world.info = (AbutStepInfo){.outcome = ABUT_OUTCOME_RAISED_KAPPA, .kappa = 1e-4, .tries = 7};
	const char *text = explain(&world);
	cr_expect_float_eq(number_after(text, "at kappa "), 1e-4, 1e-10, "%s", text);
	cr_expect_float_eq(number_after(text, "instead of "), 1e-6, 1e-12, "%s", text);
	cr_expect_float_eq(number_after(text, "after "), 7.0, 0.0, "%s", text);
	world_end(&world);
}

/* A small buffer: the text is truncated and terminated, and nothing is written beyond the buffer. */
Test(explain, little_room)
{
	World world;
	char text[8];
	world_begin(&world);
	world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.0);
	world_make(&world);
	for (size_t size = 0; size < 8; size++) {
		memset(text, 'x', sizeof text);
		abut_step_explain(world.model, world.state, &world.info, text, size);
		cr_expect(size == 0 || strnlen(text, 8) == size - 1, "size %zu", size);
		cr_expect(text[size] == 'x', "size %zu: written past the end", size);
	}
	world_end(&world);
}
