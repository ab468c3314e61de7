/* Tests friction with known solutions, closed forms of the discrete law as in test_closed_forms.c. The velocity of a
 * step is exact to 1e-10 in units of sqrt(g L), about 3e-10 m/s here. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>

#include "base/vec3.h"
#include "dynamics/world.h"

static const double g = 9.81, dt = 0.01, mu = 0.5;
static const double degree = 3.14159265358979323846 / 180.0;

typedef struct Slide {
	double direction, yaw; /* direction of the velocity (or slope), and rotation of the body; degrees */
} Slide;

static Slide slides[] = {{0, 0}, {90, 0}, {45, 0}, {22.5, 0}, {0, 45}, {45, 45}, {22.5, 22.5}, {200, 70}};

ParameterizedTestParameters(friction_forms, sliding_stop)
{
	return cr_make_param_array(Slide, slides, sizeof slides / sizeof *slides);
}

/* A sliding box loses mu g dt of its speed in each step, in every direction, until it stops. */
ParameterizedTest(Slide *c, friction_forms, sliding_stop)
{
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	AbutBodyDef *body = world_add(&world, make_box(0.5, 0.5, 0.2), 1.0, 0.0, 0.0, 0.2);
	const double along[2] = {cos(c->direction * degree), sin(c->direction * degree)}, v0 = 1.23;
	body->linear_velocity[0] = v0 * along[0];
	body->linear_velocity[1] = v0 * along[1];
	turn_about(0.0, 0.0, 1.0, c->yaw * degree, body->orientation);
	world_make(&world);
	double v = v0, x = 0.0;
	for (int n = 0; n < 60; n++) {
		world_step(&world);
		v = fmax(0.0, v - mu * g * dt);
		x += dt * v;
		const AbutBodyState s = world_body(&world, 1);
		for (int i = 0; i < 2; i++) {
			cr_assert_float_eq(s.linear_velocity[i], v * along[i], 1e-9, "step %d: %.12g for %.12g", n,
			                   s.linear_velocity[i], v * along[i]);
			cr_assert_float_eq(s.position[i], x * along[i], 1e-9, "step %d", n);
		}
		cr_assert_lt(abut_norm3(s.angular_velocity), 1e-8, "step %d", n);
	}
	cr_assert_float_eq(v, 0.0, 0.0);
	world_end(&world);
}

typedef struct Incline {
	double share, direction, yaw; /* share of the friction limit; direction and rotation in degrees */
} Incline;

static Incline inclines[] = {{0.9, 0, 0},      {0.9, 45, 0},     {0.9, 22.5, 0},  {0.99, 0, 0},   {0.99, 45, 0},
                             {0.99, 22.5, 30}, {0.999, 0, 0},    {0.999, 0, 45},  {0.999, 45, 0}, {0.999, 22.5, 0},
                             {0.999, 0, 22.5}, {0.999, 100, 10}, {1.01, 0, 0},    {1.01, 0, 45},  {1.01, 45, 0},
                             {1.01, 22.5, 0},  {1.01, 0, 22.5},  {1.01, 200, 33}, {1.5, 0, 0},    {1.5, 45, 20}};

ParameterizedTestParameters(friction_forms, incline)
{
	return cr_make_param_array(Incline, inclines, sizeof inclines / sizeof *inclines);
}

/* Below the limit the box does not creep. Above it, x_n = a dt^2 n (n + 1) / 2 with a = g (sin - mu cos). The slope
 * falls towards `direction`; the box is rotated on it by `yaw`. */
ParameterizedTest(Incline *c, friction_forms, incline)
{
	const double tilt = atan(c->share * mu), phi = c->direction * degree;
	const double normal[3] = {sin(tilt) * cos(phi), sin(tilt) * sin(phi), cos(tilt)};
	const double down[3] = {cos(tilt) * cos(phi), cos(tilt) * sin(phi), -sin(tilt)};
	World world;
	world_begin(&world);
	world_add_floor(&world, normal[0], normal[1], normal[2]);
	AbutBodyDef *body = world_add(&world, make_cube(1.0), 1.0, 0.5 * normal[0], 0.5 * normal[1], 0.5 * normal[2]);
	double tilted[4], turned[4];
	turn_about(-sin(phi), cos(phi), 0.0, tilt, tilted);
	turn_about(0.0, 0.0, 1.0, phi + c->yaw * degree, turned);
	abut_quat_mul(tilted, turned, body->orientation);
	const AbutBodyDef start = *body;
	world_make(&world);
	const double a = fmax(0.0, g * (sin(tilt) - mu * cos(tilt)));
	double worst_speed = 0.0;
	for (int n = 1; n <= 100; n++) {
		world_step(&world);
		const AbutBodyState s = world_body(&world, 1);
		double way[3];
		for (int i = 0; i < 3; i++) {
			way[i] = s.position[i] - start.position[i];
		}
		const double law = a * dt * dt * n * (n + 1) / 2.0, along = abut_dot3(way, down);
		for (int i = 0; i < 3; i++) {
			way[i] -= along * down[i];
		}
		cr_assert_float_eq(along, law, 1e-8, "step %d: %.12g m for %.12g m", n, along, law);
		cr_assert_lt(abut_norm3(way), 1e-8, "step %d: %g m off the line", n, abut_norm3(way));
		worst_speed = fmax(worst_speed, abut_norm3(s.linear_velocity));
	}
	if (a == 0.0) { /* the box must not creep, not even at 1e-8 m/s */
		cr_assert_lt(worst_speed, 1e-8, "creeps at %g m/s", worst_speed);
	}
	world_end(&world);
}

typedef struct Push {
	double share, direction;
} Push;

static Push pushes[] = {{0.5, 0}, {0.99, 0}, {0.999, 45}, {0.999, 22.5}, {1.01, 0}, {1.01, 45}, {1.2, 22.5}};

ParameterizedTestParameters(friction_forms, push)
{
	return cr_make_param_array(Push, pushes, sizeof pushes / sizeof *pushes);
}

/* A horizontal force f acts at the centre of mass. The body stays at rest, or accelerates with f / m - mu g. */
ParameterizedTest(Push *c, friction_forms, push)
{
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_box(0.5, 0.4, 0.2), 3.0, 0.0, 0.0, 0.2);
	world_make(&world);
	const double limit = mu * 3.0 * g, phi = c->direction * degree;
	const double force[3] = {c->share * limit * cos(phi), c->share * limit * sin(phi), 0.0};
	const double zero[3] = {0.0, 0.0, 0.0};
	cr_assert_eq(abut_state_set_input(world.model, world.state, 1, force, zero), ABUT_OK);
	const double a = fmax(0.0, c->share - 1.0) * mu * g;
	for (int n = 1; n <= 100; n++) {
		world_step(&world);
		const AbutBodyState s = world_body(&world, 1);
		const AbutContact contact = world_touch(&world, 0, 1);
		cr_assert_float_eq(s.linear_velocity[0], a * n * dt * cos(phi), 1e-9, "step %d", n);
		cr_assert_float_eq(s.linear_velocity[1], a * n * dt * sin(phi), 1e-9, "step %d", n);
		cr_assert_float_eq(abut_norm3(contact.friction_impulse), fmin(c->share, 1.0) * limit * dt,
		                   1e-8 * limit * dt);
	}
	world_end(&world);
}

typedef struct Spin {
	bool cylinder;
	double radius; /* torsional radius, m; negative: the default */
	double friction;
} Spin;

static Spin spins[] = {{false, -1.0, 0.5}, {true, -1.0, 0.5}, {false, 0.3, 0.5}, {true, 0.02, 1.0},
                       {false, 0.0, 0.5},  {true, 0.0, 0.5},  {false, -1.0, 0.0}};

ParameterizedTestParameters(friction_forms, torsional_stop)
{
	return cr_make_param_array(Spin, spins, sizeof spins / sizeof *spins);
}

/* A body spins about the vertical on its flat face. l = cos(turn / 2) w decreases by mu m g r_t dt / J per step until
 * the body stops. Without friction or torsional radius it continues to spin. */
ParameterizedTest(Spin *c, friction_forms, torsional_stop)
{
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	AbutShape *shape = c->cylinder ? make_cylinder(0.4, 0.4) : make_box(0.5, 0.3, 0.2);
	const double outer = c->cylinder ? sqrt(0.2) : sqrt(0.38);
	const double J = c->cylinder ? 0.5 * 0.16 : (0.25 + 0.09) / 3.0; /* moment of inertia per kg */
	AbutBodyDef *body = world_add(&world, shape, 2.0, 0.0, 0.0, 0.2);
	body->angular_velocity[2] = 3.0;
	AbutPairDef *pair = world_add_pair(&world, 0, 1);
	pair->torsional_radius = c->radius;
	pair->friction = c->friction;
	world_make(&world);
	const double radius = c->radius < 0.0 ? 0.1 * outer : c->radius;
	const double loss = c->friction * g * radius * dt / J;
	double l = 3.0 * sqrt(1.0 - 2.25 * dt * dt);
	for (int n = 0; n < 200; n++) {
		world_step(&world);
		const AbutBodyState s = world_body(&world, 1);
		const double w = s.angular_velocity[2];
		const double before = l;
		l = fmax(0.0, l - loss);
		cr_assert_float_eq(sqrt(1.0 - 0.25 * dt * dt * w * w) * w, l, 1e-8, "step %d: %.12g rad/s for %.12g", n,
		                   w, l);
		cr_assert_lt(hypot(s.position[0], s.position[1]), 1e-8, "step %d", n);
		cr_assert_lt(hypot(s.angular_velocity[0], s.angular_velocity[1]), 1e-8, "step %d", n);
		cr_assert_float_eq(world_touch(&world, 0, 1).torsional_impulse, 2.0 * J * (l - before), 1e-9, "step %d",
		                   n);
	}
	world_end(&world);
}

/* Without friction a body slides on without rotating. With friction but r_t = 0 it still stops sliding. */
Test(friction_forms, no_friction_slides_on)
{
	World world;
	world_begin(&world);
	world.def.friction = 0.0;
	world_add_floor(&world, 0.0, 0.0, 1.0);
	AbutBodyDef *body = world_add(&world, make_box(0.5, 0.4, 0.3), 2.0, 0.0, 0.0, 0.3);
	body->linear_velocity[0] = 2.0;
	body->linear_velocity[1] = -1.0;
	world_make(&world);
	for (int n = 1; n <= 100; n++) {
		world_step(&world);
		const AbutBodyState s = world_body(&world, 1);
		cr_assert_float_eq(s.linear_velocity[0], 2.0, 1e-9);
		cr_assert_float_eq(s.linear_velocity[1], -1.0, 1e-9);
		cr_assert_float_eq(abut_norm3(world_touch(&world, 0, 1).friction_impulse), 0.0, 0.0);
	}
	world_end(&world);
}

Test(friction_forms, rolling_keeps_its_speed)
{
	for (int kind = 0; kind < 2; kind++) { /* sphere, cylinder on its side */
		World world;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		AbutBodyDef *body =
		    world_add(&world, kind == 0 ? make_sphere(0.4) : make_cylinder(0.4, 0.8), 1.0, 0.0, 0.0, 0.4);
		turn_about(1.0, 0.0, 0.0, 90.0 * degree, body->orientation); /* the axis z goes to -y */
		body->linear_velocity[0] = 2.0;
		body->angular_velocity[2] = -2.0 / 0.4; /* about -y of the world: w = (0, 5, 0) */
		world_make(&world);
		for (int n = 1; n <= 200; n++) {
			world_step(&world);
			const AbutBodyState s = world_body(&world, 1);
			cr_assert_float_eq(s.linear_velocity[0], 2.0, 1e-8, "kind %d, step %d: %.12g m/s", kind, n,
			                   s.linear_velocity[0]);
			cr_assert_float_eq(s.angular_velocity[2], -5.0, 1e-7, "kind %d, step %d", kind, n);
			cr_assert_float_eq(s.position[0], 2.0 * n * dt, 1e-8, "kind %d, step %d", kind, n);
			cr_assert_float_eq(s.position[2], 0.4, 1e-9);
		}
		world_end(&world);
	}
}

/* A sphere thrown without spin slides, then rolls. v + (2/5) r l stays at v0, with l = cos(turn / 2) w. Rolling means w
 * r = v, so it begins at v (1 + 2/5 cos(turn / 2)) = v0. */
Test(friction_forms, sphere_slides_then_rolls)
{
	const double r = 0.3, v0 = 2.0;
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_sphere(r), 1.0, 0.0, 0.0, r)->linear_velocity[0] = v0;
	world_make(&world);
	double v = v0;
	for (int n = 1; n <= 100; n++) {
		world_step(&world);
		const AbutBodyState s = world_body(&world, 1);
		double w[3];
		spin_world(&s, w);
		v -= mu * g * dt;
		if (v > 5.0 / 7.0 * v0 + mu * g * dt) {
			cr_assert_float_eq(s.linear_velocity[0], v, 1e-9, "step %d", n);
		}
		const double cosine = sqrt(1.0 - 0.25 * dt * dt * w[1] * w[1]);
		cr_assert_float_eq(s.linear_velocity[0] + 0.4 * r * cosine * w[1], v0, 1e-8, "step %d", n);
	}
	const AbutBodyState s = world_body(&world, 1);
	double w[3];
	spin_world(&s, w);
	cr_assert_float_eq(w[1] * r, s.linear_velocity[0], 1e-9);
	cr_assert_float_eq(s.linear_velocity[0], v0 / 1.4, 1e-3);
	world_end(&world);
}
