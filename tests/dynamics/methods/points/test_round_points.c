/* Tests methods lcp and convex with the contact points of round shapes: closed forms, rest, energy. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "abut/lcp.h"
#include "allocation_watch.h"
#include "base/vec3.h"
#include "dynamics/methods/manifold/island.h"
#include "dynamics/step/workspace.h"
#include "dynamics/world.h"

static const double pi = 3.14159265358979323846, g = 9.81, dt = 0.01;

static const AbutMethod methods[] = {ABUT_METHOD_LCP, ABUT_METHOD_CONVEX};

/* Returns the impulses of all points of a pair of bodies in the last step, in the order of the points. */
static int impulses_of(const World *world, int a, int b, double x[ABUT_MANIFOLD_POINTS], uint64_t *features)
{
	const AbutWorkspace *w = world->workspace;
	for (int i = 0; i < w->pairs.n_active; i++) {
		const int index = w->pairs.active[i];
		const AbutPair *pair = &w->pairs.candidates[index].pair;
		const AbutLcpContact *contact = &abut_lcp_work(w)->contacts[index];
		if ((pair->body[0] == a && pair->body[1] == b) || (pair->body[0] == b && pair->body[1] == a)) {
			for (int p = 0; p < contact->manifold.n; p++) {
				x[p] = contact->x[p * contact->rows_per_point] * world->model->units.impulse;
				if (features) {
					features[p] = contact->manifold.points[p].feature;
				}
			}
			return contact->manifold.n;
		}
	}
	return 0;
}

static double energy_of(const World *world)
{
	double sum = 0.0;
	for (int i = 0; i < world->def.n_bodies; i++) {
		const AbutBody *body = &world->model->bodies[i];
		if (body->moving < 0) {
			continue;
		}
		const AbutBodyState s = world_body(world, i);
		double momentum[3];
		abut_mat3_vec(body->inertia_si, s.angular_velocity, momentum);
		sum += 0.5 * body->mass_si * abut_dot3(s.linear_velocity, s.linear_velocity) +
		       0.5 * abut_dot3(s.angular_velocity, momentum) + body->mass_si * g * s.position[2];
	}
	return sum;
}

/* --- closed forms --- */

/* A cylinder rolls down a plane with slope angle a: v = 2/3 g sin(a) t. */
Test(round_points, a_cylinder_rolls_down)
{
	const double lean = 0.3, radius = 0.3, way = 2.0 / 3.0 * g * sin(lean);
	World world;
	world_begin_method(&world, ABUT_METHOD_LCP);
	world.def.friction = 0.5;
	world_add_floor(&world, sin(lean), 0.0, cos(lean));
	AbutBodyDef *body =
	    world_add(&world, make_cylinder(radius, 0.8), 1.0, radius * sin(lean), 0.0, radius * cos(lean));
	turn_about(1.0, 0.0, 0.0, 0.5 * pi, body->orientation);
	world_make(&world);
	for (int i = 1; i <= 100; i++) {
		world_step(&world);
		const AbutBodyState s = world_body(&world, 1);
		const double along = s.linear_velocity[0] * cos(lean) - s.linear_velocity[2] * sin(lean);
		cr_assert_float_eq(along, way * dt * i, 1e-9, "step %d: %.12g, not %.12g", i, along, way * dt * i);
		cr_assert_float_eq(s.position[0] * sin(lean) + s.position[2] * cos(lean), radius, 1e-9);
		cr_assert_float_eq(s.position[1], 0.0, 1e-9);
	}
	world_end(&world);
}

/* A body that lies or stands still, on the floor or on a box: its number of points, which share the weight. */
typedef struct Rest {
	const char *name;
	int kind, n;
	double height, turn; /* of the centre of mass; about x, of quarter turns */
} Rest;
enum { CAPSULE, CYLINDER, CONE, ELLIPSOID };
static const Rest rests[] = {
    {"a capsule that lies", CAPSULE, 2, 0.2, 1.0},   {"a capsule that stands", CAPSULE, 1, 0.5, 0.0},
    {"a cylinder that lies", CYLINDER, 2, 0.2, 1.0}, {"a cylinder that stands", CYLINDER, 4, 0.3, 0.0},
    {"a cone on its base", CONE, 4, 0.15, 0.0},      {"an ellipsoid", ELLIPSOID, 1, 0.2, 0.0}};

static AbutShape *make_resting(int kind)
{
	AbutShape *shape = NULL;
	const double radii[3] = {0.4, 0.3, 0.2};
	cr_assert_eq(kind == CAPSULE    ? abut_shape_create_capsule(0.2, 0.6, &shape, NULL)
	             : kind == CYLINDER ? abut_shape_create_cylinder(0.2, 0.6, &shape, NULL)
	             : kind == CONE     ? abut_shape_create_cone(0.6, 0.2, &shape, NULL)
	                                : abut_shape_create_ellipsoid(radii, &shape, NULL),
	             ABUT_OK);
	return shape;
}

static void begin_rest(World *world, AbutMethod method, const Rest *rest, bool on_box)
{
	world_begin_method(world, method);
	world->def.friction = 0.5;
	world_add_floor(world, 0.0, 0.0, 1.0);
	AbutBodyDef *body =
	    world_add(world, make_resting(rest->kind), 1.5, 0.0, 0.0, rest->height + (on_box ? 0.4 : 0.0));
	turn_about(1.0, 0.0, 0.0, 0.5 * pi * rest->turn, body->orientation);
	if (on_box) {
		world_add(world, make_box(0.6, 0.5, 0.2), 4.0, 0.0, 0.0, 0.2);
	}
	world_make(world);
}

Test(round_points, carry_their_share_of_the_weight)
{
	for (int i = 0; i < (int)(sizeof rests / sizeof *rests); i++) {
		for (int on_box = 0; on_box < 2; on_box++) {
			World world;
			double x[ABUT_MANIFOLD_POINTS], total = 0.0;
			uint64_t first[ABUT_MANIFOLD_POINTS] = {0}, now[ABUT_MANIFOLD_POINTS] = {0};
			begin_rest(&world, ABUT_METHOD_LCP, &rests[i], on_box > 0);
			for (int step = 0; step < 200; step++) {
				world_step(&world);
				const int n = impulses_of(&world, on_box ? 2 : 0, 1, x, now);
				cr_assert_eq(n, rests[i].n, "%s, on box %d, step %d: %d points", rests[i].name, on_box,
				             step, n);
				cr_assert(step == 0 || memcmp(first, now, sizeof now) == 0,
				          "%s, on box %d, step %d: other points", rests[i].name, on_box, step);
				memcpy(first, now, sizeof now);
			}
			for (int p = 0; p < rests[i].n; p++) {
				total += x[p];
				cr_assert_float_eq(x[p], 1.5 * g * dt / rests[i].n, 1e-7,
				                   "%s, on box %d: point %d carries %g", rests[i].name, on_box, p,
				                   x[p]);
			}
			cr_assert_float_eq(total, 1.5 * g * dt, 1e-10);
			const AbutBodyState s = world_body(&world, 1);
			cr_assert_float_eq(hypot(s.position[0], s.position[1]), 0.0, 1e-11,
			                   "%s, on box %d drifts by %g", rests[i].name, on_box,
			                   hypot(s.position[0], s.position[1]));
			cr_assert_float_eq(s.position[2], rests[i].height + (on_box ? 0.4 : 0.0), 1e-11);
			world_end(&world);
		}
	}
}

/* With soft contacts the same shapes come to rest with a small overlap, and the floor carries their weight. (A capsule
 * on its end falls over.) */
Test(round_points, rest_softly)
{
	for (int i = 0; i < (int)(sizeof rests / sizeof *rests); i++) {
		for (int on_box = 0; on_box < 2 && (rests[i].kind != CAPSULE || rests[i].n == 2); on_box++) {
			World world;
			begin_rest(&world, ABUT_METHOD_CONVEX, &rests[i], on_box > 0);
			world_run(&world, 300);
			const AbutContact contact = on_box ? world_touch(&world, 1, 2) : world_touch(&world, 0, 1);
			cr_assert_float_eq(contact.normal_impulse, 1.5 * g * dt, 1e-6 * g * dt, "%s, on box %d: %g",
			                   rests[i].name, on_box, contact.normal_impulse / dt);
			cr_assert(contact.gap <= 0.0 && contact.gap > -5e-3, "%s, on box %d: gap %g", rests[i].name,
			          on_box, contact.gap);
			const AbutBodyState s = world_body(&world, 1);
			cr_assert_lt(abut_norm3(s.linear_velocity) + abut_norm3(s.angular_velocity), 1e-6,
			             "%s, on box %d", rests[i].name, on_box);
			world_end(&world);
		}
	}
}

/* Two parallel capsules, or two cylinders, meet side by side without gravity. They have two points, and neither
 * rotates. */
Test(round_points, tubes_meet_along_their_length)
{
	for (int kind = 0; kind < 2; kind++) {
		World world;
		double x[ABUT_MANIFOLD_POINTS];
		world_begin_method(&world, ABUT_METHOD_LCP);
		world.def.gravity[2] = 0.0;
		for (int i = 0; i < 2; i++) {
			AbutBodyDef *body = world_add(&world, kind ? make_cylinder(0.2, 0.8) : make_capsule(0.2, 0.8),
			                              1.0, 0.5 * i, 0.0, 0.0);
			body->linear_velocity[0] = i ? -1.0 : 1.0;
		}
		world_make(&world);
		for (int step = 0; step < 5; step++) {
			world_step(&world);
		}
		cr_assert_eq(impulses_of(&world, 0, 1, x, NULL), 2, "kind %d", kind);
		world_run(&world, 5);
		for (int i = 0; i < 2; i++) {
			const AbutBodyState s = world_body(&world, i);
			cr_assert_lt(abut_norm3(s.linear_velocity) + abut_norm3(s.angular_velocity), 1e-12, "kind %d",
			             kind);
			cr_assert_float_eq(fabs(s.position[0] - 0.25), 0.2, 1e-12);
		}
		world_end(&world);
	}
}

/* --- thrown --- */

/* Every kind of shape is thrown on the floor and on a box. Energy does not grow, nothing falls through, and steps
 * allocate nothing. */
Test(round_points, no_throw_makes_energy)
{
	for (int m = 0; m < 2; m++) {
		for (unsigned seed = 0; seed < 3 * WORLD_SHAPES; seed++) {
			AbutRng rng = {seed};
			World world;
			world_begin_method(&world, methods[m]);
			world.def.friction = 0.4;
			world_add_floor(&world, 0.0, 0.0, 1.0);
			world_add(&world, make_primitive((int)seed % WORLD_SHAPES, 0.5), 2.0, 0.0, 0.0, 0.5);
			AbutBodyDef *body =
			    world_add(&world, make_primitive((int)(seed / 3) % WORLD_SHAPES, 0.5), 1.0, 0.1, 0.05, 1.3);
			abut_rng_rotation(&rng, body->orientation);
			abut_rng_rotation(&rng, world.bodies[1].orientation);
			for (int k = 0; k < 3; k++) {
				body->angular_velocity[k] = abut_rng_uniform(&rng, -3.0, 3.0);
			}
			world_make(&world);
			const double start = energy_of(&world);
			double last = start;
			for (int step = 0; step < 200; step++) {
				watch_begin(0);
				world_step(&world);
				watch_end();
				const double energy = energy_of(&world);
				/* what has sunk in comes out again, a spring more than a point that has rolled on */
				cr_assert_leq(energy, last + 0.25, "method %d, seed %u, step %d: from %g to %g J", m,
				              seed, step, last, energy);
				cr_assert_leq(energy, start, "method %d, seed %u, step %d: from %g to %g J", m, seed,
				              step, start, energy);
				cr_assert_eq(watch.calls, 0, "%ld allocations in step %d", watch.calls, step);
				last = energy;
				for (int b = 1; b < 3; b++) {
					cr_assert_gt(world_body(&world, b).position[2], 0.1,
					             "method %d, seed %u, step %d", m, seed, step);
				}
			}
			world_end(&world);
		}
	}
}

/* Sums of a box and an ellipsoid lie on each other. They are known only by their furthest points. Their faces of
 * several points end where the rounded edges begin, so that everything sinks once by 0.01^2 / 2 of their radius. */
Test(round_points, sums_rest_on_each_other)
{
	World world;
	double x[ABUT_MANIFOLD_POINTS], low = 0.0;
	world_begin_method(&world, ABUT_METHOD_LCP);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	for (int i = 0; i < 2; i++) {
		AbutShape *const parts[2] = {make_box(0.3 - 0.1 * i, 0.3, 0.2), make_primitive(2, 0.2)};
		AbutShape *sum = NULL;
		cr_assert_eq(abut_shape_create_minkowski_sum(2, (const AbutShape *const *)parts, &sum, NULL), ABUT_OK);
		const double half = abut_shape_support(sum, (const double[3]){0.0, 0.0, 1.0}, NULL);
		world_add(&world, sum, 1.0, 0.0, 0.0, low + half);
		low += 2.0 * half;
		abut_shape_destroy(parts[0]);
		abut_shape_destroy(parts[1]);
	}
	world_make(&world);
	const double height = world_body(&world, 2).position[2];
	for (int step = 0; step < 100; step++) {
		world_step(&world);
		cr_assert_geq(impulses_of(&world, 0, 1, x, NULL), 3, "step %d", step);
		cr_assert_geq(impulses_of(&world, 1, 2, x, NULL), 3, "step %d", step);
	}
	const AbutBodyState s = world_body(&world, 2);
	cr_assert_float_eq(s.position[2], height, 3e-5, "sinks by %g", height - s.position[2]);
	cr_assert_lt(hypot(s.position[0], s.position[1]), 2e-5, "drifts by %g", hypot(s.position[0], s.position[1]));
	cr_assert_lt(abut_norm3(s.linear_velocity) + abut_norm3(s.angular_velocity), 2e-3);
	cr_assert_float_eq(world_touch(&world, 0, 1).normal_impulse, 2.0 * g * dt, 0.02 * g * dt);
	world_end(&world);
}

/* --- no derivative --- */

/* A sum of a box and an ellipsoid gives only its furthest points. The gradient reports this, with both names. */
Test(round_points, names_a_contact_without_a_derivative)
{
	World world;
	AbutError error = {.status = ABUT_OK};
	double J[ABUT_LCP_ROWS * ABUT_LCP_COLUMNS];
	AbutShape *const parts[2] = {make_cube(0.4), make_primitive(2, 0.3)};
	AbutShape *sum = NULL;
	cr_assert_eq(abut_shape_create_minkowski_sum(2, (const AbutShape *const *)parts, &sum, &error), ABUT_OK);
	const double low = -abut_shape_support(sum, (const double[3]){0.0, 0.0, -1.0}, NULL);
	world_begin_method(&world, ABUT_METHOD_LCP);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, sum, 1.0, 0.0, 0.0, -low);
	world_make(&world);
	world_run(&world, 3);
	cr_assert_eq(abut_lcp_gradient(world.model, world.workspace, J, &error), ABUT_ERROR_UNSUPPORTED);
	cr_assert(strstr(error.message, "'body 0' (halfspace)") && strstr(error.message, "'body 1' (minkowski_sum)"),
	          "%s", error.message);
	abut_shape_destroy(parts[0]);
	abut_shape_destroy(parts[1]);
	world_end(&world);
}
