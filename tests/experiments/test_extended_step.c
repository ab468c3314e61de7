/* The complex step of experiments/extended_step.h: against closed forms of a ball that lands and of a block that
 * slides, against the library's steps and derivatives of shipped scenes, and where there is no derivative. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/io.h"
#include "dynamics/model.h"
#include "experiments/differences.h"
#include "experiments/extended_step.h"
#include "experiments/world.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS };

#define SCENES ABUT_SOURCE_DIR "/experiments/scenes/"

static const double dt = 0.01, mass = 2.0, radius = 0.5, friction = 0.3, g = 9.81;

typedef struct Fixture {
	AbutShape *shapes[2];
	AbutWorld world;
	AbutExtendedStep *step;
	double values[ROWS], errors[ROWS];
} Fixture;

/* A body of 2 kg above or on the floor, shapes[1], with a velocity. */
static void begin(Fixture *fixture, double z, const double velocity[3])
{
	AbutSceneDef def = abut_scene_def_default();
	AbutBodyDef bodies[2] = {abut_body_def_default(), abut_body_def_default()};
	AbutError error = {.status = ABUT_OK};
	cr_assert_eq(abut_shape_create_halfspace((const double[3]){0.0, 0.0, 1.0}, 0.0, &fixture->shapes[0], NULL),
	             ABUT_OK);
	for (int i = 0; i < 2; i++) {
		bodies[i].name = i == 0 ? "floor" : "body";
		bodies[i].n_parts = 1;
		bodies[i].parts = (const AbutShape *const *)&fixture->shapes[i];
		bodies[i].friction = friction;
	}
	bodies[0].is_static = true;
	bodies[1].mass = mass;
	bodies[1].position[2] = z;
	memcpy(bodies[1].linear_velocity, velocity, sizeof bodies[1].linear_velocity);
	def.name = "body on floor";
	def.timestep = dt;
	def.gravity[2] = -g;
	def.n_bodies = 2;
	def.bodies = bodies;
	cr_assert_eq(abut_world_open(&fixture->world, &def, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_extended_step_create(fixture->world.model, fixture->world.state, 0.0, &fixture->step, &error),
	             ABUT_OK, "%s", error.message);
}

static void end(Fixture *fixture)
{
	abut_extended_step_destroy(fixture->step);
	abut_world_close(&fixture->world);
	abut_shape_destroy(fixture->shapes[0]);
	abut_shape_destroy(fixture->shapes[1]);
}

static void expect_entry(Fixture *fixture, int entry, int row, double value, const char *what)
{
	abut_extended_step_column(fixture->step, 0, entry, fixture->values, fixture->errors);
	cr_expect_float_eq(fixture->values[row], value, 4.0 * DBL_EPSILON * (1.0 + fabs(value)), "%s: %.17g, not %.17g",
	                   what, fixture->values[row], value);
	cr_expect_leq(fixture->errors[row], 1e-12 * (1.0 + fabs(value)), "%s", what);
}

static void expect_velocity(const Fixture *fixture, int row, double value, const char *what)
{
	long double velocity[6];
	cr_assert(abut_extended_step_velocity(fixture->step, 0, velocity), "%s", what);
	cr_expect_float_eq((double)velocity[row], value, 1e-15 * (1.0 + fabs(value)), "%s: %.17g, not %.17g", what,
	                   (double)velocity[row], value);
}

/* It ends the step at the floor, z+ = r: v+ = (r - z) / dt, whatever its velocity was. */
Test(extended_step, a_ball_that_lands)
{
	Fixture fixture = {.step = NULL};
	const double z = radius + 0.01;
	cr_assert_eq(abut_shape_create_sphere(radius, &fixture.shapes[1], NULL), ABUT_OK);
	begin(&fixture, z, (const double[3]){0.0, 0.0, -3.0});
	cr_assert_null(abut_extended_step_why(fixture.step, 0));
	expect_velocity(&fixture, 2, (radius - z) / dt, "v+");
	expect_entry(&fixture, ABUT_GRADIENT_POSITION + 2, ABUT_GRADIENT_LINEAR + 2, -1.0 / dt, "v+ by z");
	expect_entry(&fixture, ABUT_GRADIENT_POSITION + 2, ABUT_GRADIENT_POSITION + 2, 0.0, "z+ by z");
	expect_entry(&fixture, ABUT_GRADIENT_LINEAR + 2, ABUT_GRADIENT_LINEAR + 2, 0.0, "v+ by v");
	expect_entry(&fixture, ABUT_GRADIENT_FORCE + 2, ABUT_GRADIENT_LINEAR + 2, 0.0, "v+ by f");
	end(&fixture);
}

/* v+ = v - mu dt (g - f_z / m). */
Test(extended_step, a_block_that_slides)
{
	Fixture fixture = {.step = NULL};
	const double half = 0.25, speed = 1.0;
	cr_assert_eq(abut_shape_create_box((const double[3]){half, half, half}, &fixture.shapes[1], NULL), ABUT_OK);
	begin(&fixture, half, (const double[3]){speed, 0.0, 0.0});
	cr_assert_null(abut_extended_step_why(fixture.step, 0));
	expect_velocity(&fixture, 0, speed - friction * dt * g, "v+");
	expect_entry(&fixture, ABUT_GRADIENT_LINEAR, ABUT_GRADIENT_LINEAR, 1.0, "v+ by v");
	expect_entry(&fixture, ABUT_GRADIENT_FORCE + 2, ABUT_GRADIENT_LINEAR, friction * dt / mass, "v+ by f_z");
	expect_entry(&fixture, ABUT_GRADIENT_LINEAR + 2, ABUT_GRADIENT_LINEAR, friction, "v+ by v_z");
	expect_entry(&fixture, ABUT_GRADIENT_POSITION + 2, ABUT_GRADIENT_LINEAR + 2, -1.0 / dt, "v_z+ by z");
	end(&fixture);
}

/* A ball whose way ends at the floor: higher it falls on, lower it is stopped. */
Test(extended_step, none_on_the_border_of_two_modes)
{
	Fixture fixture = {.step = NULL};
	const double speed = -1.0;
	cr_assert_eq(abut_shape_create_sphere(radius, &fixture.shapes[1], NULL), ABUT_OK);
	begin(&fixture, radius - dt * (speed - dt * g), (const double[3]){0.0, 0.0, speed});
	const char *why = abut_extended_step_why(fixture.step, 0);
	cr_assert(why && strstr(why, "border of two contact modes"), "%s", why ? why : "none");
	abut_extended_step_column(fixture.step, 0, 0, fixture.values, fixture.errors);
	for (int row = 0; row < ROWS; row++) {
		cr_expect(isnan(fixture.values[row]) && isinf(fixture.errors[row]), "row %d", row);
	}
	end(&fixture);
}

/* --- shipped scenes --- */

typedef struct Worst {
	double apart;    /* of any entry, over the largest of state or input */
	double velocity; /* over the model's unit */
	int refused;     /* bodies */
} Worst;

/* The velocity at the end, where the gradient says the step leads. */
static void compare_velocity(const AbutModel *model, const AbutGradient *gradient, const AbutExtendedStep *step,
                             int moving, Worst *worst)
{
	AbutBodyState next;
	long double velocity[6];
	cr_assert_eq(abut_gradient_next(gradient, model->moving_body[moving], &next, NULL), ABUT_OK);
	if (abut_extended_step_velocity(step, moving, velocity)) {
		for (int i = 0; i < 3; i++) {
			worst->velocity = fmax(worst->velocity, fabs((double)velocity[i] - next.linear_velocity[i]) /
			                                            model->units.velocity);
		}
	}
}

static void compare_columns(const AbutModel *model, AbutExtendedStep *step, const double *matrix, int moving,
                            Worst *worst)
{
	const int n = model->n_moving, width = COLUMNS * n;
	double *values = calloc(2 * (size_t)(ROWS * n), sizeof *values), scale[2] = {0.0, 0.0};
	cr_assert_not_null(values);
	scale[1] = abut_differences_entry_effect(model, ABUT_GRADIENT_FORCE); /* where all stick, no force counts */
	for (int i = 0; i < ROWS * n * width; i++) {
		double *largest = &scale[i % COLUMNS >= ABUT_GRADIENT_FORCE];
		*largest = fmax(*largest, fabs(matrix[i]));
	}
	for (int entry = 0; entry < COLUMNS; entry++) {
		abut_extended_step_column(step, moving, entry, values, values + (size_t)(ROWS * n));
		for (int row = 0; row < ROWS * n; row++) {
			const double apart = fabs(values[row] - matrix[row * width + COLUMNS * moving + entry]);
			worst->apart = fmax(worst->apart, apart / scale[entry >= ABUT_GRADIENT_FORCE]);
		}
	}
	free(values);
}

static Worst compare_scene(const char *scene_name, int steps, double kappa)
{
	AbutScene *scene = NULL;
	AbutWorld world = {NULL, NULL, NULL};
	AbutGradient *gradient = NULL;
	AbutExtendedStep *extended = NULL;
	AbutError error = {.status = ABUT_OK};
	AbutStepInfo info;
	char path[256];
	Worst worst = {0.0, 0.0, 0};
	snprintf(path, sizeof path, SCENES "%s.json", scene_name);
	cr_assert_eq(abut_scene_load(path, 0, NULL, &scene, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_world_open(&world, abut_scene_def(scene), &error), ABUT_OK, "%s", error.message);
	for (int i = 0; i < steps; i++) {
		cr_assert_eq(abut_step(world.model, world.state, world.workspace, &info), ABUT_OK);
	}
	cr_assert_eq(abut_extended_step_create(world.model, world.state, kappa, &extended, &error), ABUT_OK, "%s: %s",
	             scene_name, error.message);
	cr_assert_eq(abut_gradient_create(world.model, kappa, &gradient, &error), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &info), ABUT_OK);
	const int n = world.model->n_moving;
	double *matrix = calloc((size_t)(ROWS * n) * (size_t)(COLUMNS * n), sizeof *matrix);
	cr_assert_not_null(matrix);
	cr_assert_eq(abut_gradient_matrix(gradient, matrix, &error), ABUT_OK, "%s: %s", scene_name, error.message);
	for (int moving = 0; moving < n; moving++) {
		const char *why = abut_extended_step_why(extended, moving);
		worst.refused += why != NULL;
		if (!why) {
			compare_velocity(world.model, gradient, extended, moving, &worst);
			compare_columns(world.model, extended, matrix, moving, &worst);
		} else if (getenv("ABUT_VERBOSE")) {
			printf("%s: %s\n", scene_name, why);
		}
	}
	if (getenv("ABUT_VERBOSE")) {
		printf("%-18s step %3d kappa %-6g: apart by %.2e, velocity by %.2e, %d refused\n", scene_name, steps,
		       kappa, worst.apart, worst.velocity, worst.refused);
	}
	free(matrix);
	abut_extended_step_destroy(extended);
	abut_gradient_destroy(gradient);
	abut_world_close(&world);
	abut_scene_destroy(scene);
	return worst;
}

Test(extended_step, agrees_with_the_derivative_of_a_step)
{
	static const char *const scenes[] = {
	    "cube_drop",      "drop_cone", "drop_cylinder", "drop_sum", "ellipsoid_on_ellipsoid",
	    "capsule_on_box", "stack_4",   "incline_above"};
	static const double kappas[] = {0.0, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10};
	static const int steps[] = {30, 48, 55, 90};
	for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
		for (size_t j = 0; j < sizeof kappas / sizeof *kappas; j++) {
			for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
				const Worst worst = compare_scene(scenes[i], steps[k], kappas[j]);
				cr_expect_eq(worst.refused, 0, "%s, step %d, kappa %g", scenes[i], steps[k], kappas[j]);
				cr_expect_leq(worst.apart, 1e-5, "%s, step %d, kappa %g: %g", scenes[i], steps[k],
				              kappas[j], worst.apart);
				cr_expect_leq(worst.velocity, 1e-8, "%s, step %d, kappa %g: %g", scenes[i], steps[k],
				              kappas[j], worst.velocity);
			}
		}
	}
}
