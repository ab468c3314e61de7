/* Tests derivatives that the equations of a step do not determine, which are refused: by numbers that change an overlap
 * at the start, and by one face at a vertex of many. Those that they do determine must be right. */
#include "dynamics/step_differences.h"

/* Begins a world with a box (mass 1) at the height `gap` above the floor; its lowest point is a vertex. */
static void make_tilted_box(World *world, double gap, AbutMethod method)
{
	static const double h = 0.2;
	world_begin_method(world, method);
	world_add_floor(world, 0.0, 0.0, 1.0);
	AbutBodyDef *box = world_add(world, make_box(h, h, h), 1.0, 0.0, 0.0, sqrt(3.0) * h + gap);
	turn_about(1.0, -1.0, 0.0, atan(sqrt(2.0)), box->orientation);
	world_make(world);
}

static AbutStatus status_by(const AbutGradient *gradient, const double *change, const double *by_parameter,
                            AbutError *error)
{
	double next[GRADIENT_ROWS];
	*error = (AbutError){.status = ABUT_OK};
	return abut_gradient_forward(gradient, change, by_parameter, next, error);
}

/* Differentiates by the timestep, gravity along z and the size of the part. */
static AbutGradient *differentiate(World *world, double kappa)
{
	AbutGradient *gradient;
	const AbutParameter parameters[] = {{ABUT_PARAMETER_TIMESTEP, -1, -1, -1, 0},
	                                    {ABUT_PARAMETER_GRAVITY, -1, -1, -1, 2},
	                                    {ABUT_PARAMETER_SIZE, 1, -1, 0, 0}};
	cr_assert_eq(abut_gradient_create(world->model, kappa, &gradient, NULL), ABUT_OK);
	cr_assert_eq(abut_gradient_select(gradient, 3, parameters, NULL), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world->model, world->state, world->workspace, gradient, &world->info),
	             ABUT_OK);
	return gradient;
}

Test(gradient_unknown, what_changes_a_deep_overlap_is_refused)
{
	static const double kappas[] = {0.0, 1e-4};
	static const bool refused[] = {true, false, true};
	for (int i = 0; i < 2; i++) {
		World world;
		AbutError error;
		make_tilted_box(&world, -0.15, ABUT_METHOD_SINGLE_LEVEL);
		AbutGradient *gradient = differentiate(&world, kappas[i]);
		for (int column = 0; column < GRADIENT_COLUMNS; column++) {
			double change[GRADIENT_COLUMNS] = {0.0};
			change[column] = 1.0;
			const AbutStatus status = status_by(gradient, change, NULL, &error);
			cr_expect_eq(status, column < ABUT_GRADIENT_LINEAR ? ABUT_ERROR_NUMERICAL : ABUT_OK,
			             "kappa %g, column %d: %s", kappas[i], column, error.message);
			cr_expect(status == ABUT_OK || strstr(error.message, "overlap at the start"), "%s",
			          error.message);
		}
		for (int p = 0; p < 3; p++) {
			const double change[GRADIENT_COLUMNS] = {0.0};
			double by_parameter[3] = {0.0};
			by_parameter[p] = 1.0;
			const AbutStatus status = status_by(gradient, change, by_parameter, &error);
			cr_expect_eq(status, refused[p] ? ABUT_ERROR_NUMERICAL : ABUT_OK, "kappa %g, %d: %s", kappas[i],
			             p, error.message);
		}
		abut_gradient_destroy(gradient);
		world_end(&world);
	}
}

Test(gradient_unknown, point_ncp_refuses_it_too)
{
	World world;
	AbutError error;
	double change[GRADIENT_COLUMNS] = {1.0};
	AbutGradient *gradient;
	make_tilted_box(&world, -0.15, ABUT_METHOD_POINT_NCP);
	cr_assert_eq(abut_gradient_create(world.model, 1e-4, &gradient, NULL), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
	             ABUT_OK);
	cr_expect_eq(status_by(gradient, change, NULL, &error), ABUT_ERROR_NUMERICAL);
	cr_expect(strstr(error.message, "overlap at the start"), "%s", error.message);
	abut_gradient_destroy(gradient);
	world_end(&world);
}

/* Two balls overlap deeply, far from the floor. A pair has no plane that could be moved back. */
Test(gradient_unknown, of_a_pair_it_is_refused)
{
	static GradientMatrix J;
	World world;
	AbutError error = {.status = ABUT_OK};
	AbutGradient *gradient;
	world_begin(&world);
	world_add(&world, make_sphere(0.3), 1.0, 0.0, 0.0, 5.0);
	world_add(&world, make_sphere(0.3), 1.0, 0.3, 0.0, 5.0);
	world_make(&world);
	cr_assert_eq(abut_gradient_create(world.model, 0.0, &gradient, NULL), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
	             ABUT_OK);
	cr_expect_eq(abut_gradient_matrix(gradient, J, &error), ABUT_ERROR_NUMERICAL);
	cr_expect(strstr(error.message, "overlap at the start"), "%s", error.message);
	for (int column = 0; column < 2 * GRADIENT_COLUMNS; column++) {
		cr_expect_eq(isnan(J[column]) != 0, column % GRADIENT_COLUMNS < ABUT_GRADIENT_LINEAR, "column %d: %g",
		             column, J[column]);
	}
	abut_gradient_destroy(gradient);
	world_end(&world);
}

/* An overlap that the step undoes, or has undone, has all derivatives; differences confirm them. */
Test(gradient_unknown, what_is_undone_at_once_is_told)
{
	static const double h[] = {1e-5, 1e-4};
	World world;
	AbutGradient *gradient;
	make_tilted_box(&world, -0.004, ABUT_METHOD_SINGLE_LEVEL);
	cr_assert_eq(abut_gradient_create(world.model, 0.0, &gradient, NULL), ABUT_OK);
	for (int step = 0; step < 2; step++) {
		const StepCheck check = check_of_step(&world, gradient, 2, h, 1e-5);
		cr_expect(check.there && check.error <= 1e-5, "step %d: %g", step, check.error);
	}
	abut_gradient_destroy(gradient);
	world_end(&world);
}

/* A square pyramid touches with its tip. Each of its four sides is a face of this vertex; its base is not. */
Test(gradient_unknown, one_face_of_many_is_refused)
{
	enum { FACES = 5 };
	static const double A[FACES][3] = {{1, 0, -1}, {-1, 0, -1}, {0, 1, -1}, {0, -1, -1}, {0, 0, 1}};
	static const double b[FACES] = {0.2, 0.2, 0.2, 0.2, 0.1};
	for (int smoothed = 0; smoothed < 2; smoothed++) {
		World world;
		AbutGradient *gradient;
		AbutShape *pyramid;
		AbutParameter faces[FACES];
		double columns[GRADIENT_ROWS * FACES];
		AbutError error = {.status = ABUT_OK};
		cr_assert_eq(abut_shape_create_polytope(FACES, &A[0][0], b, &pyramid, &error), ABUT_OK, "%s",
		             error.message);
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		world_add(&world, pyramid, 1.0, 0.0, 0.0, 0.2);
		world_make(&world);
		for (int i = 0; i < FACES; i++) {
			faces[i] = (AbutParameter){ABUT_PARAMETER_FACE, 1, -1, 0, 4 * i + 3};
		}
		cr_assert_eq(abut_gradient_create(world.model, smoothed ? 1e-4 : 0.0, &gradient, NULL), ABUT_OK);
		cr_assert_eq(abut_gradient_select(gradient, FACES, faces, &error), ABUT_OK, "%s", error.message);
		cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
		             ABUT_OK);
		const AbutStatus status = abut_gradient_parameters(gradient, columns, &error);
		cr_expect_eq(status, smoothed ? ABUT_OK : ABUT_ERROR_NUMERICAL, "%s", error.message);
		cr_expect(smoothed || strstr(error.message, "vertex of more than three faces"), "%s", error.message);
		for (int i = 0; i < FACES; i++) {
			cr_expect_eq(isnan(columns[i]) != 0, !smoothed && i < 4, "face %d: %g", i, columns[i]);
		}
		abut_gradient_destroy(gradient);
		world_end(&world);
	}
}
