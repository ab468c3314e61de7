/* Tests the complex step of experiments/reference/extended_step.h. Compares it with closed forms of a ball that lands
 * and of a block that slides, and with the library's steps and derivatives of shipped scenes. Tests cases without a
 * derivative. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/io.h"
#include "dynamics/model/model.h"
#include "experiments/reference/differences.h"
#include "experiments/reference/extended_step_parts.h"
#include "experiments/setting/world.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS };

#define SCENES ABUT_SOURCE_DIR "/experiments/scenes/"

static const double dt = 0.01, mass = 2.0, radius = 0.5, friction = 0.3, g = 9.81;

typedef struct Fixture {
	AbutShape *shapes[2];
	AbutWorld world;
	AbutExtendedStep *step;
	double values[ROWS], errors[ROWS];
} Fixture;

/* Begins with a body of 2 kg, shapes[1], above or on the floor, with a velocity. */
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

/* Computes the velocity of a moving body after the step: linear, then angular (world axes; m/s, 1/s). */
static bool velocity_of(const AbutExtendedStep *step, int moving, long double out[6])
{
	if (abut_extended_step_why(step, moving)) {
		return false;
	}
	const AbutExtendedIsland *island = &step->records[step->record_of[moving]].island;
	const AbutUnits *units = &step->model->units;
	int index = 0;
	while (island->bodies[index].moving != moving) {
		index++;
	}
	for (int i = 0; i < 6; i++) {
		out[i] = creall(island->base[6 * index + i]) * (i < 3 ? units->velocity : 1.0 / units->time);
	}
	return true;
}

static void expect_velocity(const Fixture *fixture, int row, double value, const char *what)
{
	long double velocity[6];
	cr_assert(velocity_of(fixture->step, 0, velocity), "%s", what);
	cr_expect_float_eq((double)velocity[row], value, 1e-15 * (1.0 + fabs(value)), "%s: %.17g, not %.17g", what,
	                   (double)velocity[row], value);
}

/* The ball ends the step at the floor, z+ = r: v+ = (r - z) / dt, whatever its velocity was. */
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

/* A ball ends its step exactly at the floor: higher it falls on, lower it is stopped. */
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

/* The ball is above this by 1e-8 of its size. All but the smallest steps meet the floor on one side, so that
 * differences cannot decide. It falls freely. */
Test(extended_step, decides_beside_a_border)
{
	Fixture fixture = {.step = NULL};
	AbutDifferences *differences = NULL;
	const double speed = -1.0;
	const int by = ABUT_GRADIENT_POSITION + 2, row = ABUT_GRADIENT_LINEAR + 2;
	cr_assert_eq(abut_shape_create_sphere(radius, &fixture.shapes[1], NULL), ABUT_OK);
	begin(&fixture, radius - dt * (speed - dt * g) + 1e-8 * radius, (const double[3]){0.0, 0.0, speed});
	cr_assert_eq(abut_differences_create(fixture.world.model, fixture.world.state, 0.0, &differences, NULL),
	             ABUT_OK);
	cr_assert_eq(abut_differences_state(differences, 0, by, fixture.values, fixture.errors, NULL), ABUT_OK);
	cr_expect_geq(fixture.errors[row], 1e-3, "%g", fixture.errors[row]);
	abut_differences_destroy(differences);
	expect_entry(&fixture, by, row, 0.0, "v+ by z");
	expect_entry(&fixture, by, ABUT_GRADIENT_POSITION + 2, 1.0, "z+ by z");
	expect_entry(&fixture, ABUT_GRADIENT_LINEAR + 2, row, 1.0, "v+ by v");
	end(&fixture);
}

/* --- shipped scenes --- */

typedef struct Worst {
	double apart;    /* of any entry, over the largest of state or input */
	double velocity; /* over the model's unit */
	int refused;     /* bodies */
} Worst;

/* Compares the velocity at the end with that of the gradient's next state. */
static void compare_velocity(const AbutModel *model, const AbutGradient *gradient, const AbutExtendedStep *step,
                             int moving, Worst *worst)
{
	AbutBodyState next;
	long double velocity[6];
	cr_assert_eq(abut_gradient_next(gradient, model->moving_body[moving], &next, NULL), ABUT_OK);
	if (velocity_of(step, moving, velocity)) {
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

typedef struct Scene {
	AbutScene *scene;
	AbutWorld world;
} Scene;

/* Opens a scene after `steps`; `override` NULL: as shipped. */
static void open_scene(const char *name, const char *override, int steps, Scene *out)
{
	AbutError error = {.status = ABUT_OK};
	AbutStepInfo info = {.exact = false};
	char path[256];
	snprintf(path, sizeof path, SCENES "%s.json", name);
	cr_assert_eq(abut_scene_load(path, override != NULL, &override, &out->scene, &error), ABUT_OK, "%s",
	             error.message);
	cr_assert_eq(abut_world_open(&out->world, abut_scene_def(out->scene), &error), ABUT_OK, "%s", error.message);
	for (int i = 0; i < steps; i++) {
		cr_assert_eq(abut_step(out->world.model, out->world.state, out->world.workspace, &info), ABUT_OK);
	}
}

static void close_scene(Scene *scene)
{
	abut_world_close(&scene->world);
	abut_scene_destroy(scene->scene);
}

static Worst compare_bodies(const AbutModel *model, const AbutGradient *gradient, AbutExtendedStep *step)
{
	Worst worst = {0.0, 0.0, 0};
	const int n = model->n_moving;
	double *matrix = calloc((size_t)(ROWS * n) * (size_t)(COLUMNS * n), sizeof *matrix);
	cr_assert_not_null(matrix);
	cr_assert_eq(abut_gradient_matrix(gradient, matrix, NULL), ABUT_OK);
	for (int moving = 0; moving < n; moving++) {
		if (abut_extended_step_why(step, moving)) {
			worst.refused++;
			continue;
		}
		compare_velocity(model, gradient, step, moving, &worst);
		compare_columns(model, step, matrix, moving, &worst);
	}
	free(matrix);
	return worst;
}

static Worst compare_scene(const char *name, const char *override, int steps, double kappa)
{
	Scene scene = {.scene = NULL};
	AbutGradient *gradient = NULL;
	AbutExtendedStep *extended = NULL;
	AbutError error = {.status = ABUT_OK};
	AbutStepInfo info = {.exact = false};
	open_scene(name, override, steps, &scene);
	AbutWorld *world = &scene.world;
	cr_assert_eq(abut_extended_step_create(world->model, world->state, kappa, &extended, &error), ABUT_OK, "%s: %s",
	             name, error.message);
	cr_assert_eq(abut_gradient_create(world->model, kappa, &gradient, &error), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world->model, world->state, world->workspace, gradient, &info), ABUT_OK);
	const Worst worst = compare_bodies(world->model, gradient, extended);
	if (getenv("ABUT_VERBOSE")) {
		printf("%-22s step %3d kappa %-6g: apart by %.2e, velocity by %.2e, %d refused\n", name, steps, kappa,
		       worst.apart, worst.velocity, worst.refused);
	}
	abut_extended_step_destroy(extended);
	abut_gradient_destroy(gradient);
	close_scene(&scene);
	return worst;
}

static void expect_agreement(const char *scene_name, const char *override, int steps, double kappa)
{
	const Worst worst = compare_scene(scene_name, override, steps, kappa);
	const double apart = kappa > 0.0 ? 1e-8 : 2e-6, velocity = kappa > 0.0 ? 2e-12 : 1e-10;
	cr_expect_eq(worst.refused, 0, "%s, step %d, kappa %g", scene_name, steps, kappa);
	cr_expect_leq(worst.apart, apart, "%s, step %d, kappa %g: %g", scene_name, steps, kappa, worst.apart);
	cr_expect_leq(worst.velocity, velocity, "%s, step %d, kappa %g: %g", scene_name, steps, kappa, worst.velocity);
}

static const double kappas[] = {0.0, 1e-4, 1e-10};

Test(extended_step, agrees_with_the_derivative_of_a_step)
{
	static const char *const scenes[] = {"cube_drop", "drop_cone",      "drop_cylinder", "ellipsoid_on_ellipsoid",
	                                     "drop_sum",  "capsule_on_box", "stack_4",       "incline_above"};
	for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
		for (size_t j = 0; j < sizeof kappas / sizeof *kappas; j++) {
			expect_agreement(scenes[i], NULL, 30, kappas[j]);
			expect_agreement(scenes[i], NULL, 55, kappas[j]);
		}
	}
}

Test(extended_step, of_bodies_without_inertia)
{
	for (size_t j = 0; j < sizeof kappas / sizeof *kappas; j++) {
		expect_agreement("drop_cylinder", "quasi_static=true", 52, kappas[j]);
	}
}

/* A box slides on its edge, and an ellipsoid slides on the box. The factors are inaccurate, and corrections converge
 * slowly. */
Test(extended_step, where_corrections_are_slow)
{
	expect_agreement("pile_10", NULL, 60, 0.0);
}

/* Standing, sliding, rolling. Equal impulses of opposite edges do not affect the step. */
Test(extended_step, with_the_friction_pyramid)
{
	static const char *const scenes[] = {"cube_drop",     "incline_above",  "incline_below",
	                                     "drop_cylinder", "capsule_on_box", "cylinder_rolling"};
	static const double wider[] = {0.0, 1e-2, 1e-6};
	for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
		for (size_t j = 0; j < sizeof wider / sizeof *wider; j++) {
			expect_agreement(scenes[i], "solver.friction_cone=pyramid", 20, wider[j]);
			expect_agreement(scenes[i], "solver.friction_cone=pyramid", 60, wider[j]);
		}
	}
}
