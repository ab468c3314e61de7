/* Tests that a scene moves in the same way in any units, and that bodies much larger or smaller than a metre work too
 * (docs/formulation.md 3). */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>

#include "base/vec3.h"
#include "dynamics/world.h"

typedef struct Units {
	double length, mass, time; /* number of new units in one SI unit */
	int first, second;         /* primitives */
} Units;

static Units units[] = {{1e3, 1e3, 1.0, 0, 3}, {1e3, 1e3, 1.0, 1, 2},   {1e3, 1e3, 1.0, 4, 7},
                        {1e3, 1e3, 1.0, 6, 5}, {100.0, 1e3, 1.0, 0, 0}, {1.0 / 0.3048, 1.0 / 0.4536, 1.0, 0, 4},
                        {1.0, 1.0, 1e3, 0, 2}, {1e-3, 1e-6, 1.0, 7, 1}, {1e6, 1e9, 1e3, 2, 5}};

ParameterizedTestParameters(units, same_motion)
{
	return cr_make_param_array(Units, units, sizeof units / sizeof *units);
}

/* Begins a scene in the given units ((1, 1, 1) is SI): two bodies fall onto a slope and onto each other. */
static void begin_drop(World *world, const Units *u)
{
	const double L = u->length, T = u->time;
	AbutRng rng = {17u * (unsigned)u->first + (unsigned)u->second};
	world_begin(world);
	world->def.gravity[2] = -9.81 * L / (T * T);
	world->def.timestep = 0.01 * T;
	world_add_floor(world, 0.1, 0.05, 1.0);
	for (int i = 0; i < 2; i++) {
		AbutShape *shape = make_primitive(i == 0 ? u->first : u->second, L);
		AbutBodyDef *body = world_add(world, shape, (1.0 + i) * u->mass, 0.1 * i * L, 0.0, (0.7 + 1.4 * i) * L);
		abut_rng_rotation(&rng, body->orientation);
		body->linear_velocity[0] = 0.3 * L / T;
		body->angular_velocity[1] = 1.5 / T;
	}
	world_make(world);
}

/* Both solves end within 1e-10 of the same solution, but not with the same bits, and motion after an impact amplifies
 * differences. So the first impacts are compared, to 1e-8 m, 5e-8 m/s and 1e-7 rad/s. */
ParameterizedTest(Units *u, units, same_motion)
{
	const Units si = {1.0, 1.0, 1.0, u->first, u->second};
	World a, b;
	begin_drop(&a, &si);
	begin_drop(&b, u);
	for (int n = 0; n < 60; n++) {
		world_step(&a);
		world_step(&b);
		for (int i = 1; i < 3; i++) {
			const AbutBodyState s = world_body(&a, i), t = world_body(&b, i);
			for (int k = 0; k < 3; k++) {
				const double x = t.position[k] / u->length;
				const double v = t.linear_velocity[k] * u->time / u->length;
				const double w = t.angular_velocity[k] * u->time;
				cr_assert_float_eq(x, s.position[k], 1e-8, "step %d, body %d: off by %g m", n, i,
				                   x - s.position[k]);
				cr_assert_float_eq(v, s.linear_velocity[k], 1e-8 * 5.0,
				                   "step %d, body %d: off by %g m/s", n, i, v - s.linear_velocity[k]);
				cr_assert_float_eq(w, s.angular_velocity[k], 1e-8 * 10.0,
				                   "step %d, body %d: off by %g rad/s", n, i,
				                   w - s.angular_velocity[k]);
			}
		}
	}
	cr_assert_eq(abut_contact_count(a.workspace), abut_contact_count(b.workspace));
	for (int i = 0; i < abut_contact_count(a.workspace); i++) {
		const AbutContact c = world_contact(&a, i), d = world_contact(&b, i);
		const double impulse = d.normal_impulse * u->time / (u->mass * u->length);
		cr_assert(c.body_a == d.body_a && c.body_b == d.body_b);
		cr_assert_float_eq(impulse, c.normal_impulse, 1e-7, "contact %d", i);
	}
	world_end(&a);
	world_end(&b);
}

typedef struct Size {
	double side, mass, rate;
} Size;

static Size sizes[] = {{1e-3, 1e-6, 1000.0}, {1e-3, 1e-6, 100.0}, {1e-3, 1e6, 1000.0},
                       {100.0, 1e6, 100.0},  {100.0, 1e-6, 10.0}, {1.0, 1e-6, 100.0},
                       {1.0, 1e6, 100.0},    {1e-6, 1e-15, 1e4},  {1e4, 1e12, 10.0}};

ParameterizedTestParameters(units, cube_of_any_size)
{
	return cr_make_param_array(Size, sizes, sizeof sizes / sizeof *sizes);
}

/* A cube that falls flat from a tenth of its side comes to rest on the floor, whatever its size. */
ParameterizedTest(Size *c, units, cube_of_any_size)
{
	World world;
	world_begin(&world);
	world.def.timestep = 1.0 / c->rate;
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_cube(c->side), c->mass, 0.0, 0.0, 0.6 * c->side);
	world_make(&world);
	const double fall = sqrt(0.2 * c->side / 9.81), speed = sqrt(9.81 * c->side);
	const int steps = (int)ceil(fall * c->rate) + 20;
	world_run(&world, steps);
	const AbutBodyState s = world_body(&world, 1);
	/* 1e-10 in units of the outer radius and of its fall velocity */
	cr_assert_float_eq(s.position[2], 0.5 * c->side, 1e-9 * c->side, "%g", s.position[2] / c->side - 0.5);
	cr_assert_lt(abut_norm3(s.linear_velocity), 1e-9 * speed);
	cr_assert_lt(abut_norm3(s.angular_velocity), 1e-9 * speed / c->side);
	cr_assert_lt(hypot(s.position[0], s.position[1]), 1e-9 * c->side);
	const double weight = c->mass * 9.81 / c->rate;
	/* the residual is 1e-10 m sqrt(g L); the weight is m g dt */
	const double bound = fmax(1e-8, 1e-9 * speed * c->rate / 9.81) * weight;
	cr_assert_float_eq(world_touch(&world, 0, 1).normal_impulse, weight, bound, "%g",
	                   world_touch(&world, 0, 1).normal_impulse / weight);
	world_end(&world);
}

/* Bodies of very different mass in one scene: a light small cube on a heavy large one, and vice versa. */
Test(units, unequal_stack)
{
	static const double top[][2] = {{0.1, 1e-3}, {0.1, 1.0}, {1.0, 1e3}, {0.01, 1e-3}};
	for (size_t i = 0; i < sizeof top / sizeof *top; i++) {
		World world;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.5);
		world_add(&world, make_cube(top[i][0]), top[i][1], 0.1, 0.05, 1.0 + 0.5 * top[i][0]);
		world_make(&world);
		world_run(&world, 100);
		const AbutBodyState s = world_body(&world, 2);
		cr_assert_float_eq(s.position[0], 0.1, 1e-8, "%g m, %g kg: slides by %g", top[i][0], top[i][1],
		                   s.position[0] - 0.1);
		cr_assert_float_eq(s.position[2], 1.0 + 0.5 * top[i][0], 1e-8, "%g m, %g kg", top[i][0], top[i][1]);
		cr_assert_lt(abut_norm3(s.linear_velocity), 1e-8);
		cr_assert_lt(abut_norm3(s.angular_velocity), 1e-7);
		world_end(&world);
	}
}
