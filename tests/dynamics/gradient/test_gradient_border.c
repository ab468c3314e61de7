/* Tests contacts that touch without load, or are about to slip or tip. Their derivatives at the exact solution are
 * one-sided; the call reports this and names the bodies. If other contacts hold the body anyway, or nothing depends on
 * the contact, the derivative exists. */
#include "dynamics/step_differences.h"

static const double half = 0.1, mu = 0.5, g = 9.81;

/* Begins a world with a box (mass 1) at the height `gap` above the floor, under `gravity` along -z, and a ball in
 * flight far away. */
static void make_box_on_floor(World *world, double gravity, double gap, AbutFrictionCone cone)
{
	world_begin(world);
	world->def.gravity[2] = -gravity;
	world->def.solver.friction_cone = cone;
	world_add_floor(world, 0.0, 0.0, 1.0)->friction = mu;
	world_add(world, make_box(0.2, 0.15, half), 1.0, 0.0, 0.0, half + gap)->friction = mu;
	world_add(world, make_sphere(half), 2.0, 30.0, 0.0, 20.0);
}

static AbutStatus read_step(World *world, double *J, AbutError *error)
{
	AbutGradient *gradient;
	cr_assert_eq(abut_gradient_create(world->model, 0.0, &gradient, NULL), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world->model, world->state, world->workspace, gradient, &world->info),
	             ABUT_OK);
	cr_expect(world->info.exact);
	*error = (AbutError){.status = ABUT_OK};
	const AbutStatus status = abut_gradient_matrix(gradient, J, error);
	abut_gradient_destroy(gradient);
	return status;
}

/* Expects the columns `from` to `end` of body `by` to be all numbers, or all NaN. */
static void expect_columns(const double *J, int n, int body, int from, int end, bool numbers)
{
	for (int row = 0; row < GRADIENT_ROWS; row++) {
		for (int c = from; c < end; c++) {
			const double entry = J[(size_t)(GRADIENT_ROWS * body + row) * (size_t)(GRADIENT_COLUMNS * n) +
			                       (size_t)(GRADIENT_COLUMNS * body + c)];
			cr_expect_eq(isfinite(entry) != 0, numbers, "body %d, row %d, column %d: %g", body, row, c,
			             entry);
		}
	}
}

Test(gradient_border, a_touch_without_load_is_refused)
{
	static GradientMatrix J;
	for (int cone = 0; cone < 2; cone++) {
		World world;
		AbutError error;
		make_box_on_floor(&world, 0.0, 0.0, (AbutFrictionCone)cone);
		world_make(&world);
		cr_expect_eq(read_step(&world, J, &error), ABUT_ERROR_NUMERICAL);
		cr_expect(strstr(error.message, "carry no load"), "%s", error.message);
		cr_expect(strstr(error.message, world.names[0]) && strstr(error.message, world.names[1]), "%s",
		          error.message);
		expect_columns(J, 2, 0, 0, GRADIENT_COLUMNS, false);
		expect_columns(J, 2, 1, 0, GRADIENT_COLUMNS, true); /* the ball knows nothing of it */
		cr_expect_float_eq(J[(size_t)(GRADIENT_ROWS + ABUT_GRADIENT_LINEAR) * 2 * GRADIENT_COLUMNS +
		                     GRADIENT_COLUMNS + ABUT_GRADIENT_FORCE],
		                   world.def.timestep / 2.0, 1e-12);
		world_end(&world);
	}
}

/* Takes a step with a push, given as a fraction of what friction can hold. */
static AbutStatus push(double part, AbutFrictionCone cone, AbutError *error)
{
	static GradientMatrix J;
	World world;
	make_box_on_floor(&world, g, 0.0, cone);
	world.bodies[1].force[0] = part * mu * g;
	world_make(&world);
	const AbutStatus status = read_step(&world, J, error);
	world_end(&world);
	return status;
}

Test(gradient_border, what_is_about_to_slip_is_refused)
{
	for (int cone = 0; cone < 2; cone++) {
		AbutError error;
		cr_expect_eq(push(1.0, (AbutFrictionCone)cone, &error), ABUT_ERROR_NUMERICAL);
		cr_expect(strstr(error.message, "about to slip"), "%s", error.message);
		cr_expect_eq(push(1.0 - 1e-6, (AbutFrictionCone)cone, &error), ABUT_OK, "%s", error.message);
		cr_expect_eq(push(1.0 + 1e-6, (AbutFrictionCone)cone, &error), ABUT_OK, "%s", error.message);
	}
}

/* Takes a step with a push over an edge, given as a fraction of what the weight can hold: F h = m g l. */
static AbutStatus tip(double part, AbutError *error)
{
	static GradientMatrix J;
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0)->friction = 5.0;
	AbutBodyDef *box = world_add(&world, make_box(0.2, 0.15, half), 1.0, 0.0, 0.0, half);
	box->friction = 5.0;
	box->force[0] = part * g * 0.2 / half;
	world_make(&world);
	const AbutStatus status = read_step(&world, J, error);
	world_end(&world);
	return status;
}

Test(gradient_border, what_is_about_to_tip_is_refused)
{
	AbutError error;
	cr_expect_eq(tip(1.0, &error), ABUT_ERROR_NUMERICAL);
	cr_expect(strstr(error.message, "about to leave a face"), "%s", error.message);
	cr_expect_eq(tip(1.0 - 1e-6, &error), ABUT_OK, "%s", error.message);
	cr_expect_eq(tip(1.0 + 1e-6, &error), ABUT_OK, "%s", error.message);
}

/* A contact is about to tip, in an island with another border. The box touches a wall behind it with its upper part,
 * without load, and the push is the largest that friction can hold, mu h = l. With or without the wall, the box is held
 * as long as the point stays at its end. */
Test(gradient_border, what_tips_beside_another_border_is_refused)
{
	static GradientMatrix J;
	for (int slips = 0; slips < 2; slips++) {
		World world;
		AbutError error;
		const double l = 0.2, friction = slips ? l / half : 5.0;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0)->friction = friction;
		AbutBodyDef *box = world_add(&world, make_box(l, 0.15, half), 1.0, 0.0, 0.0, half);
		box->friction = friction;
		box->force[0] = g * l / half;
		if (!slips) {
			world_add(&world, make_box(0.1, 1.0, 0.25), 0.0, -l - 0.1, 0.0, 0.3);
		}
		world_make(&world);
		cr_expect_eq(read_step(&world, J, &error), ABUT_ERROR_NUMERICAL, "slips %d", slips);
		cr_expect(strstr(error.message, "about to leave a face"), "slips %d: %s", slips, error.message);
		expect_columns(J, 1, 0, ABUT_GRADIENT_LINEAR, GRADIENT_COLUMNS, false);
		world_end(&world);
	}
}

/* Beside the border, with a weak load or a small gap, the derivative is that of the side where the state is. */
Test(gradient_border, beside_the_border_there_is_a_derivative)
{
	static GradientMatrix J;
	static const double table[][3] = {{1e-3, 0.0, 0.0}, {1e-5, 0.0, 0.0}, {0.0, 1e-6, 1.0}, {0.0, 1e-8, 1.0}};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		World world;
		AbutError error;
		make_box_on_floor(&world, table[i][0], table[i][1], ABUT_FRICTION_CONE_SOC);
		world_make(&world);
		cr_assert_eq(read_step(&world, J, &error), ABUT_OK, "%g, %g: %s", table[i][0], table[i][1],
		             error.message);
		cr_expect_float_eq(
		    J[(size_t)(ABUT_GRADIENT_LINEAR + 2) * 2 * GRADIENT_COLUMNS + ABUT_GRADIENT_LINEAR + 2],
		    table[i][2], 1e-6, "%g, %g", table[i][0], table[i][1]);
		world_end(&world);
	}
}

/* Friction holds a box on the floor, beside a wall that it touches. A push has no effect, with or without the wall; a
 * change of its position has one. */
Test(gradient_border, both_sides_may_agree)
{
	static GradientMatrix J;
	World world;
	AbutError error;
	make_box_on_floor(&world, g, 0.0, ABUT_FRICTION_CONE_SOC);
	world_add(&world, make_box(0.1, 1.0, 0.5), 0.0, 0.3, 0.0, 0.5);
	world_make(&world);
	cr_expect_eq(read_step(&world, J, &error), ABUT_ERROR_NUMERICAL);
	cr_expect(strstr(error.message, "positions and rotations"), "%s", error.message);
	expect_columns(J, 2, 0, 0, ABUT_GRADIENT_LINEAR, false);
	expect_columns(J, 2, 0, ABUT_GRADIENT_LINEAR, GRADIENT_COLUMNS, true);
	for (int row = 0; row < GRADIENT_ROWS; row++) {
		for (int c = ABUT_GRADIENT_LINEAR; c < GRADIENT_COLUMNS; c++) {
			const double entry = J[(size_t)row * 2 * GRADIENT_COLUMNS + (size_t)c];
			cr_expect_leq(fabs(entry), 1e-6, "row %d, column %d: %g", row, c, entry);
		}
	}
	world_end(&world);
}

static AbutParameter first_of(const AbutModel *model, AbutParameterKind kind)
{
	AbutParameter list[64];
	cr_assert(abut_parameter_list(model, kind, 64, list) > 0);
	return list[0];
}

/* For a box without load there is no derivative with respect to push or height. Friction has no effect on either side,
 * so that its derivative exists. */
Test(gradient_border, products_and_parameters_are_refused_alike)
{
	World world;
	AbutGradient *gradient;
	AbutError error = {.status = ABUT_OK};
	double change[2 * GRADIENT_COLUMNS] = {0.0}, next[2 * GRADIENT_ROWS] = {0.0}, back[2 * GRADIENT_COLUMNS];
	double columns[2 * GRADIENT_ROWS * 2], by_parameters[2];
	make_box_on_floor(&world, 0.0, 0.0, ABUT_FRICTION_CONE_SOC);
	world_make(&world);
	const AbutParameter both[] = {first_of(world.model, ABUT_PARAMETER_GRAVITY),
	                              first_of(world.model, ABUT_PARAMETER_FRICTION)};
	AbutParameter along_z = both[0];
	along_z.index = 2;
	const AbutParameter chosen[] = {along_z, both[1]};
	cr_assert_eq(abut_gradient_create(world.model, 0.0, &gradient, NULL), ABUT_OK);
	cr_assert_eq(abut_gradient_select(gradient, 2, chosen, NULL), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
	             ABUT_OK);

	change[ABUT_GRADIENT_FORCE + 2] = 1.0;
	cr_expect_eq(abut_gradient_forward(gradient, change, NULL, next, &error), ABUT_ERROR_NUMERICAL);
	cr_expect(isnan(next[0]) && next[GRADIENT_ROWS] == 0.0);
	memset(change, 0, sizeof change);
	change[GRADIENT_COLUMNS + ABUT_GRADIENT_LINEAR] = 1.0; /* the ball's */
	cr_expect_eq(abut_gradient_forward(gradient, change, NULL, next, &error), ABUT_OK, "%s", error.message);
	cr_expect_float_eq(next[GRADIENT_ROWS + ABUT_GRADIENT_LINEAR], 1.0, 1e-12);

	memset(next, 0, sizeof next);
	next[GRADIENT_ROWS] = 1.0;
	cr_expect_eq(abut_gradient_backward(gradient, next, back, NULL, &error), ABUT_OK, "%s", error.message);
	cr_expect_float_eq(back[GRADIENT_COLUMNS], 1.0, 1e-12);
	next[2] = 1.0;
	cr_expect_eq(abut_gradient_backward(gradient, next, back, by_parameters, &error), ABUT_ERROR_NUMERICAL);
	cr_expect(isnan(back[2]) && isnan(back[ABUT_GRADIENT_FORCE + 2]) && isnan(by_parameters[0]));
	cr_expect_float_eq(back[GRADIENT_COLUMNS], 1.0, 1e-12);
	cr_expect(isfinite(by_parameters[1]));

	cr_expect_eq(abut_gradient_parameters(gradient, columns, &error), ABUT_ERROR_NUMERICAL);
	cr_expect(strstr(error.message, "by gravity."), "%s", error.message);
	for (int row = 0; row < GRADIENT_ROWS; row++) {
		cr_expect(isnan(columns[2 * row]), "row %d: %g", row, columns[2 * row]);
		cr_expect_eq(columns[2 * row + 1], 0.0, "row %d: %g", row, columns[2 * row + 1]);
	}
	abut_gradient_destroy(gradient);
	world_end(&world);
}
