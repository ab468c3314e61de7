/* Compares differences of steps with closed forms: a body in flight, and a sphere that is about to touch. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "abut/model.h"
#include "experiments/reference/differences.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS };

static const double dt = 0.01, mass = 2.0, force = 3.0, height = 4.0, radius = 0.5, friction = 0.3;

typedef struct Fixture {
	AbutShape *shapes[2];
	AbutModel *model;
	AbutState *state;
	AbutDifferences *differences;
	double values[ROWS], errors[ROWS];
} Fixture;

/* Begins with a ball above the floor, with its centre of mass displaced, pushed along x. */
static void begin(Fixture *fixture, double z, double speed)
{
	AbutSceneDef def = abut_scene_def_default();
	AbutBodyDef bodies[2] = {abut_body_def_default(), abut_body_def_default()};
	AbutError error = {.status = ABUT_OK};
	cr_assert_eq(abut_shape_create_halfspace((const double[3]){0.0, 0.0, 1.0}, 0.0, &fixture->shapes[0], NULL),
	             ABUT_OK);
	cr_assert_eq(abut_shape_create_sphere(radius, &fixture->shapes[1], NULL), ABUT_OK);
	for (int i = 0; i < 2; i++) {
		bodies[i].name = i == 0 ? "floor" : "ball";
		bodies[i].n_parts = 1;
		bodies[i].parts = (const AbutShape *const *)&fixture->shapes[i];
		bodies[i].friction = friction;
	}
	bodies[0].is_static = true;
	bodies[1].mass = mass;
	bodies[1].has_centre_of_mass = true;
	bodies[1].centre_of_mass[0] = speed == 0.0 ? 0.1 : 0.0;
	bodies[1].position[2] = z;
	bodies[1].linear_velocity[2] = speed;
	bodies[1].force[0] = force;
	def.name = "ball";
	def.timestep = dt;
	def.n_bodies = 2;
	def.bodies = bodies;
	cr_assert_eq(abut_model_create(&def, &fixture->model, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_state_create(fixture->model, &fixture->state, NULL), ABUT_OK);
	cr_assert_eq(abut_differences_create(fixture->model, fixture->state, 0.0, &fixture->differences, &error),
	             ABUT_OK, "%s", error.message);
}

static void end(Fixture *fixture)
{
	abut_differences_destroy(fixture->differences);
	abut_state_destroy(fixture->state);
	abut_model_destroy(fixture->model);
	abut_shape_destroy(fixture->shapes[0]);
	abut_shape_destroy(fixture->shapes[1]);
}

/* Expects an entry of the column to be known accurately, with this value. */
static void expect_entry(const Fixture *fixture, int row, double value, const char *what)
{
	cr_expect_float_eq(fixture->values[row], value, 1e-9 * (1.0 + fabs(value)), "%s: row %d is %g, not %g", what,
	                   row, fixture->values[row], value);
	cr_expect_leq(fixture->errors[row], 1e-7 * (1.0 + fabs(value)), "%s: row %d", what, row);
}

Test(differences, of_state_and_input_in_flight)
{
	Fixture fixture = {.model = NULL};
	begin(&fixture, height, 0.0);
	for (int entry = 0; entry < COLUMNS; entry++) {
		char what[32];
		snprintf(what, sizeof what, "entry %d", entry);
		cr_assert_eq(
		    abut_differences_state(fixture.differences, 0, entry, fixture.values, fixture.errors, NULL),
		    ABUT_OK);
		const int axis = entry % 3;
		const bool by_velocity = entry / 3 == 2, by_force = entry / 3 == 4;
		const double velocity = by_velocity ? 1.0 : by_force ? dt / mass : 0.0;
		const double position = entry < 3 ? 1.0 : dt * velocity;
		if (entry < 3 || by_velocity || by_force) {
			expect_entry(&fixture, ABUT_GRADIENT_POSITION + axis, position, what);
			expect_entry(&fixture, ABUT_GRADIENT_LINEAR + axis, velocity, what);
		} else if (entry / 3 == 1) { /* a body at rest turns on as it stands */
			expect_entry(&fixture, ABUT_GRADIENT_ROTATION + axis, 1.0, what);
		}
	}
	cr_expect_eq(abut_differences_state(fixture.differences, 1, 0, fixture.values, fixture.errors, NULL),
	             ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_differences_state(fixture.differences, 0, COLUMNS, fixture.values, fixture.errors, NULL),
	             ABUT_ERROR_ARGUMENT);
	end(&fixture);
}

static void difference_by(Fixture *fixture, AbutParameterKind kind, int index)
{
	AbutParameter list[64];
	const int n = abut_parameter_list(fixture->model, kind, 64, list);
	cr_assert(n > index && n <= 64, "%s: %d", abut_parameter_kind_name(kind), n);
	cr_assert_eq(
	    abut_differences_parameter(fixture->differences, &list[index], fixture->values, fixture->errors, NULL),
	    ABUT_OK);
}

/* v = dt (f / m + g), x = x + dt v. */
Test(differences, of_parameters_in_flight)
{
	Fixture fixture = {.model = NULL};
	begin(&fixture, height, 0.0);
	difference_by(&fixture, ABUT_PARAMETER_MASS, 0);
	expect_entry(&fixture, ABUT_GRADIENT_LINEAR, -dt * force / (mass * mass), "mass");
	expect_entry(&fixture, ABUT_GRADIENT_POSITION, -dt * dt * force / (mass * mass), "mass");
	difference_by(&fixture, ABUT_PARAMETER_TIMESTEP, 0);
	expect_entry(&fixture, ABUT_GRADIENT_LINEAR, force / mass, "timestep");
	expect_entry(&fixture, ABUT_GRADIENT_LINEAR + 2, -9.81, "timestep");
	expect_entry(&fixture, ABUT_GRADIENT_POSITION + 2, -2.0 * dt * 9.81, "timestep");
	difference_by(&fixture, ABUT_PARAMETER_GRAVITY, 1);
	expect_entry(&fixture, ABUT_GRADIENT_LINEAR + 1, dt, "gravity");
	expect_entry(&fixture, ABUT_GRADIENT_POSITION + 1, dt * dt, "gravity");
	difference_by(&fixture, ABUT_PARAMETER_CENTRE_OF_MASS, 2); /* the frame stays */
	expect_entry(&fixture, ABUT_GRADIENT_POSITION + 2, 1.0, "centre of mass");
	difference_by(&fixture, ABUT_PARAMETER_FRICTION, 0);
	for (int row = 0; row < ROWS; row++) {
		expect_entry(&fixture, row, 0.0, "friction");
	}
	end(&fixture);
}

/* A ball ends its step exactly at the floor. Higher, it falls on; lower, it is stopped. So its next velocity has two
 * derivatives by its height, 0 and -1 / dt, and is undecided; that by the push along x is decided. */
Test(differences, tell_where_a_contact_begins)
{
	Fixture fixture = {.model = NULL};
	const double speed = -1.0, after = speed - dt * 9.81;
	begin(&fixture, radius - dt * after, speed);
	cr_assert_eq(abut_differences_state(fixture.differences, 0, ABUT_GRADIENT_POSITION + 2, fixture.values,
	                                    fixture.errors, NULL),
	             ABUT_OK);
	cr_expect_geq(fixture.errors[ABUT_GRADIENT_LINEAR + 2], 0.9 / dt, "%g",
	              fixture.errors[ABUT_GRADIENT_LINEAR + 2]);
	cr_assert_eq(abut_differences_state(fixture.differences, 0, ABUT_GRADIENT_POSITION, fixture.values,
	                                    fixture.errors, NULL),
	             ABUT_OK);
	expect_entry(&fixture, ABUT_GRADIENT_POSITION, 1.0, "along the floor");
	end(&fixture);
}
