/* Tests states: copies continue bit for bit, bodies can be set and read back, runs can be repeated. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/world.h"

/* Begins a heap of shapes that falls and comes to rest. One shape has a displaced centre of mass. */
static void begin_heap(World *world)
{
	world_begin(world);
	world_add_floor(world, 0.0, 0.1, 1.0);
	for (int i = 0; i < WORLD_SHAPES; i++) {
		AbutRng rng = {(unsigned)i};
		AbutBodyDef *body = world_add(world, make_primitive(i, 0.5), 1.0 + 0.3 * i, 0.2 * (i % 2),
		                              0.15 * (i % 3), 0.5 + 0.5 * i);
		abut_rng_rotation(&rng, body->orientation);
		body->angular_velocity[i % 3] = 2.0;
		body->has_centre_of_mass = i % 2;
		body->centre_of_mass[i % 3] = 0.03;
	}
	world_make(world);
}

static void assert_same_bits(const World *a, const World *b, const char *what, int step)
{
	for (int i = 0; i < a->def.n_bodies; i++) {
		const AbutBodyState s = world_body(a, i), t = world_body(b, i);
		cr_assert_eq(memcmp(&s, &t, sizeof s), 0, "%s: body %d differs after step %d, by %g m", what, i, step,
		             s.position[2] - t.position[2]);
	}
	cr_assert_eq(abut_contact_count(a->workspace), abut_contact_count(b->workspace), "%s: step %d", what, step);
	for (int i = 0; i < abut_contact_count(a->workspace); i++) {
		const AbutContact c = world_contact(a, i), d = world_contact(b, i);
		cr_assert(c.body_a == d.body_a && c.body_b == d.body_b && c.part_a == d.part_a && c.part_b == d.part_b,
		          "%s: contact %d, step %d", what, i, step);
		cr_assert(c.scaling == d.scaling && c.gap == d.gap && c.normal_impulse == d.normal_impulse &&
		              c.torsional_impulse == d.torsional_impulse &&
		              memcmp(c.point, d.point, sizeof c.point) == 0 &&
		              memcmp(c.normal, d.normal, sizeof c.normal) == 0 &&
		              memcmp(c.friction_impulse, d.friction_impulse, sizeof c.point) == 0,
		          "%s: contact %d, step %d", what, i, step);
	}
}

Test(state, same_run_same_bits)
{
	World a, b;
	begin_heap(&a);
	begin_heap(&b);
	for (int n = 0; n < 200; n++) {
		world_try(&a);
		world_try(&b);
		cr_assert_eq(a.info.iterations, b.info.iterations);
		assert_same_bits(&a, &b, "second run", n);
	}
	world_end(&a);
	world_end(&b);
}

/* Gives b a state and a workspace of a's model, both used for other steps before. */
static void share_model(const World *a, World *b)
{
	abut_workspace_destroy(b->workspace);
	abut_state_destroy(b->state);
	b->model = a->model;
	cr_assert_eq(abut_state_create(a->model, &b->state, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(a->model, &b->workspace, NULL), ABUT_OK);
	for (int n = 0; n < 63; n++) {
		world_try(b);
	}
}

/* A copy taken in flight, at first contacts and at rest continues as the original does, in a workspace used for another
 * state before: a run keeps nothing outside the state. */
Test(state, snapshot_continues)
{
	static const int moments[] = {0, 1, 17, 40, 120};
	for (size_t m = 0; m < sizeof moments / sizeof *moments; m++) {
		World a, b;
		begin_heap(&a);
		begin_heap(&b);
		for (int n = 0; n < moments[m]; n++) {
			world_try(&a);
		}
		AbutModel *const own = b.model;
		AbutState *snapshot = NULL;
		cr_assert_eq(abut_state_create(a.model, &snapshot, NULL), ABUT_OK);
		abut_state_copy(a.model, a.state, snapshot);
		for (int n = 0; n < 60; n++) {
			world_try(&a);
		}
		share_model(&a, &b);
		cr_assert_eq(abut_state_copy(a.model, snapshot, b.state), ABUT_OK);
		cr_assert_float_eq(abut_state_time(b.state), 0.01 * moments[m], 1e-12);
		for (int n = 0; n < 60; n++) {
			world_try(&b);
		}
		assert_same_bits(&a, &b, "snapshot", moments[m]);
		b.model = own;
		cr_assert_float_eq(abut_state_time(a.state), abut_state_time(b.state), 0.0);
		abut_state_destroy(snapshot);
		world_end(&a);
		world_end(&b);
	}
}

/* Two states of one model take steps in turn with one workspace. The result must equal that with a workspace for each.
 */
Test(state, workspace_is_scratch)
{
	World a, b;
	begin_heap(&a);
	begin_heap(&b);
	AbutState *other = NULL;
	AbutBodyState moved = world_body(&a, 3);
	moved.position[0] += 0.5;
	cr_assert_eq(abut_state_create(a.model, &other, NULL), ABUT_OK);
	cr_assert_eq(abut_state_set_body(a.model, other, 3, &moved), ABUT_OK);
	for (int n = 0; n < 100; n++) {
		AbutStepInfo info = {.tries = 0};
		world_try(&b);
		cr_assert_eq(abut_step(a.model, other, a.workspace, &info), ABUT_OK);
		world_try(&a);
		assert_same_bits(&a, &b, "shared workspace", n);
	}
	abut_state_destroy(other);
	world_end(&a);
	world_end(&b);
}

/* Sets and reads a body whose centre of mass is not at the origin: agrees up to the rounding of one rotation. */
Test(state, body_round_trip)
{
	World world;
	begin_heap(&world);
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		const int body = 1 + (int)(seed % WORLD_SHAPES);
		AbutBodyState in, out;
		memset(&in, 0, sizeof in);
		abut_rng_rotation(&rng, in.orientation);
		for (int i = 0; i < 3; i++) {
			in.position[i] = abut_rng_uniform(&rng, -100.0, 100.0);
			in.linear_velocity[i] = abut_rng_uniform(&rng, -10.0, 10.0);
			in.angular_velocity[i] = abut_rng_uniform(&rng, -10.0, 10.0);
		}
		cr_assert_eq(abut_state_set_body(world.model, world.state, body, &in), ABUT_OK);
		cr_assert_eq(abut_state_get_body(world.model, world.state, body, &out), ABUT_OK);
		for (int i = 0; i < 3; i++) {
			cr_assert_float_eq(out.position[i], in.position[i], 1e-13, "seed %u", seed);
			cr_assert_float_eq(out.linear_velocity[i], in.linear_velocity[i], 0.0, "seed %u", seed);
			cr_assert_float_eq(out.angular_velocity[i], in.angular_velocity[i], 0.0, "seed %u", seed);
		}
		for (int i = 0; i < 4; i++) {
			cr_assert_float_eq(out.orientation[i], in.orientation[i], 1e-15, "seed %u", seed);
		}
	}
	world_end(&world);
}

Test(state, argument_errors)
{
	World world;
	begin_heap(&world);
	AbutBodyState s = world_body(&world, 1);
	AbutContact contact;
	AbutStepInfo info = {.tries = 0};
	const double fine[3] = {0.0, 0.0, 0.0}, nan[3] = {0.0, NAN, 0.0}, inf[3] = {INFINITY, 0.0, 0.0};
	const AbutStatus bad = ABUT_ERROR_ARGUMENT;
	const int n = world.def.n_bodies;
	cr_expect_eq(abut_state_get_body(world.model, world.state, -1, &s), bad);
	cr_expect_eq(abut_state_get_body(world.model, world.state, n, &s), bad);
	cr_expect_eq(abut_state_set_body(world.model, world.state, -1, &s), bad);
	cr_expect_eq(abut_state_set_body(world.model, world.state, n, &s), bad);
	cr_expect_eq(abut_contact_get(world.model, world.workspace, -1, &contact), bad);
	cr_expect_eq(abut_contact_count(world.workspace), 0);
	cr_expect_eq(abut_contact_get(world.model, world.workspace, 0, &contact), bad, "before any step");
	cr_expect_eq(abut_contact_count(NULL), 0);
	cr_expect_eq(abut_state_set_input(world.model, world.state, -1, fine, fine), bad);
	cr_expect_eq(abut_state_set_input(world.model, world.state, n, fine, fine), bad);
	cr_expect_eq(abut_state_set_input(world.model, world.state, 1, nan, fine), bad);
	cr_expect_eq(abut_state_set_input(world.model, world.state, 1, fine, inf), bad);
	cr_expect_eq(abut_step(NULL, world.state, world.workspace, &info), bad);
	cr_expect_eq(abut_step(world.model, NULL, world.workspace, &info), bad);
	cr_expect_eq(abut_step(world.model, world.state, NULL, &info), bad);
	cr_expect_eq(abut_step(world.model, world.state, world.workspace, NULL), bad);
	double *const values[] = {&s.position[0], &s.orientation[1], &s.linear_velocity[2], &s.angular_velocity[0]};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		const AbutBodyState before = world_body(&world, 1);
		const double kept = *values[i];
		*values[i] = i % 2 ? NAN : INFINITY;
		cr_expect_eq(abut_state_set_body(world.model, world.state, 1, &s), bad, "value %zu", i);
		const AbutBodyState after = world_body(&world, 1);
		cr_expect_eq(memcmp(&before, &after, sizeof before), 0, "value %zu: a refused call changed the state",
		             i);
		*values[i] = kept;
	}
	s.orientation[0] += 0.01;
	cr_expect_eq(abut_state_set_body(world.model, world.state, 1, &s), bad, "a quaternion far from unit");
	s.orientation[0] -= 0.01;
	s.angular_velocity[0] = 2.0 * 38.4 / world.def.timestep;
	cr_expect_eq(abut_state_set_body(world.model, world.state, 1, &s), bad, "spin at the limit");
	world_end(&world);
}

/* Inputs act until they are changed: forces in world axes, torques in body axes. Their momentum is dt f per step. */
Test(state, inputs)
{
	World world;
	world_begin(&world);
	world.def.gravity[2] = 0.0;
	AbutBodyDef *body = world_add(&world, make_sphere(0.5), 2.0, 0.0, 0.0, 0.0);
	turn_about(0.0, 1.0, 0.0, 1.5707963267948966, body->orientation); /* body z is world x */
	body->force[1] = 4.0;
	world_make(&world);
	world_run(&world, 10);
	cr_assert_float_eq(world_body(&world, 0).linear_velocity[1], 10 * 0.01 * 4.0 / 2.0, 1e-12);
	const double force[3] = {0.0, 0.0, -2.0}, torque[3] = {0.0, 0.0, 0.3};
	cr_assert_eq(abut_state_set_input(world.model, world.state, 0, force, torque), ABUT_OK);
	world_run(&world, 10);
	const AbutBodyState s = world_body(&world, 0);
	double w[3];
	spin_world(&s, w);
	cr_assert_float_eq(s.linear_velocity[1], 0.2, 1e-12);
	cr_assert_float_eq(s.linear_velocity[2], -0.1, 1e-12);
	/* l = cos(turn / 2) w = n dt tau / J, J = 2/5 m r^2 */
	cr_assert_float_eq(s.angular_velocity[2] * sqrt(1.0 - 2.5e-5 * w[0] * w[0]), 0.1 * 0.3 / 0.2, 1e-9);
	cr_assert_float_eq(w[0], s.angular_velocity[2], 1e-12);
	world_end(&world);
}

/* Compares kinetic and potential energy of one body with a direct calculation; static bodies have none. */
Test(state, energy)
{
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	AbutBodyDef *body = world_add(&world, make_box(0.5, 0.4, 0.3), 2.0, 1.0, 2.0, 3.0);
	body->linear_velocity[0] = 3.0;
	body->angular_velocity[1] = 4.0;
	world_add(&world, make_cube(1.0), 0.0, 5.0, 5.0, 5.0);
	world_make(&world);
	const double J = 2.0 / 3.0 * (0.25 + 0.09);
	cr_assert_float_eq(abut_state_energy(world.model, world.state), 9.0 + 0.5 * J * 16.0 + 2.0 * 9.81 * 3.0, 1e-12);
	world_end(&world);
}

/* The log of iterations has no more entries than fit, and counts all iterations. */
Test(state, log)
{
	World world;
	begin_heap(&world);
	AbutIteration log[50];
	for (int n = 0; n < 60; n++) {
		const int capacity = n % 3 == 0 ? 2 : 50;
		AbutStepInfo info = {.log = {.entries = log, .capacity = capacity}};
		log[2].residual = -7.0;
		abut_step(world.model, world.state, world.workspace, &info);
		cr_assert(info.log.entries == log && info.log.capacity == capacity);
		cr_assert_leq(info.log.count, capacity);
		cr_assert(capacity == 50 || log[2].residual == -7.0, "step %d: written past the log", n);
		cr_assert_geq(info.finish_iterations, 0);
		cr_assert_leq(info.finish_iterations, info.iterations);
		for (int i = 0; i < info.log.count; i++) {
			cr_assert(isfinite(log[i].residual) && isfinite(log[i].complementarity) &&
			              log[i].step_length >= 0.0 && log[i].step_length <= 1.0,
			          "step %d, entry %d", n, i);
		}
	}
	world_end(&world);
}
