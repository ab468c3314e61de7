/* Compares the proofs that two parts do not touch, and the boxes around parts, with points sampled on the shapes.
 * Bodies have any pose, centre of mass and unit of length. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/vec3.h"
#include "dynamics/body/bounds.h"
#include "dynamics/oracle_shape.h"
#include "dynamics/pairs/separation.h"
#include "dynamics/step/gather.h"
#include "dynamics/world.h"

enum { SAMPLES = 400 };

/* Begins a world with two bodies of `size` metres, at random positions and orientations and with displaced centres of
 * mass. The third body is a halfspace. */
static void begin_two(World *world, unsigned seed, double size, bool upright)
{
	AbutRng rng = {seed};
	world_begin(world);
	for (int i = 0; i < 2; i++) {
		AbutBodyDef *body = world_add(world, make_primitive((int)(abut_rng_next(&rng) % WORLD_SHAPES), size),
		                              1.0, 0.0, 0.0, 0.0);
		body->has_centre_of_mass = true;
		if (!upright) {
			abut_rng_rotation(&rng, body->orientation);
		}
		for (int j = 0; j < 3; j++) {
			body->position[j] = size * abut_rng_normal(&rng);
			body->centre_of_mass[j] = 0.2 * size * abut_rng_normal(&rng);
			body->linear_velocity[j] = 10.0 * size * abut_rng_normal(&rng);
			body->angular_velocity[j] = 10.0 * abut_rng_normal(&rng);
		}
	}
	AbutBodyDef *floor = world_add_floor(world, abut_rng_normal(&rng), abut_rng_normal(&rng), 1.0);
	abut_rng_rotation(&rng, floor->orientation);
	for (int j = 0; j < 3; j++) {
		floor->position[j] = 3.0 * size * abut_rng_normal(&rng);
	}
	world_make(world);
	abut_step_gather(world->model, world->state, world->workspace, world->model->timestep);
}

static OraclePose pose_of(const World *world, int body)
{
	const AbutBodyState s = world_body(world, body);
	OraclePose pose;
	abut_copy3(s.position, pose.x);
	abut_quat_to_mat3(s.orientation, pose.R);
	return pose;
}

/* Samples a point of the body's surface; world. */
static void surface_point(const World *world, int body, const OraclePose *pose, AbutRng *rng, double out[3])
{
	const double direction[3] = {abut_rng_normal(rng), abut_rng_normal(rng), abut_rng_normal(rng)};
	double own[3];
	abut_shape_support(world->shapes[body], direction, own);
	abut_mat3_vec(pose->R, own, out);
	for (int i = 0; i < 3; i++) {
		out[i] += pose->x[i];
	}
}

/* Returns the smallest sampled height of one body minus the largest of the other: at least the separation, and little
 * more. */
static double sampled(const World *world, const OraclePose pose[2], const double along[3], AbutRng *rng)
{
	double top = -(double)INFINITY, bottom = (double)INFINITY, p[3];
	for (int i = 0; i < SAMPLES; i++) {
		surface_point(world, 0, &pose[0], rng, p);
		top = fmax(top, abut_dot3(p, along));
		surface_point(world, 1, &pose[1], rng, p);
		bottom = fmin(bottom, abut_dot3(p, along));
	}
	return bottom - top;
}

static bool is_separated(const World *world, const AbutPair *pair, const double direction[3], double distance)
{
	return abut_separated(world->model, pair, world->workspace->bodies, direction, distance);
}

static const double lengths[] = {1.0, 1e-3, 50.0};

Test(separation, along_any_direction)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {5000 + seed};
		World world;
		AbutPair pair;
		const double size = lengths[seed % 3];
		begin_two(&world, seed, size, false);
		cr_assert(abut_pair_make(world.model, 0, 1, &pair));
		cr_assert(pair.body[0] == 0 && pair.body[1] == 1);
		const AbutShape *const shape[2] = {world.shapes[0], world.shapes[1]};
		const OraclePose pose[2] = {pose_of(&world, 0), pose_of(&world, 1)};
		const double L = world.model->units.length;
		for (int k = 0; k < 20; k++) {
			const double length = pow(10.0, abut_rng_uniform(&rng, -3.0, 3.0));
			double along[3], given[3];
			for (int i = 0; i < 3; i++) {
				along[i] = abut_rng_normal(&rng);
			}
			const double norm = abut_norm3(along);
			for (int i = 0; i < 3; i++) {
				along[i] /= norm;
				given[i] = length * along[i];
			}
			const double apart = oracle_certificate(shape, pose, along).gap;
			const double most = sampled(&world, pose, along, &rng);
			cr_assert(is_separated(&world, &pair, given, (apart - 1e-11 * size) / L), "seed %u", seed);
			cr_assert_not(is_separated(&world, &pair, given, (apart + 1e-11 * size) / L), "seed %u", seed);
			cr_assert(apart <= most + 1e-11 * size && apart >= most - 0.15 * size,
			          "seed %u: %g, sampled %g", seed, apart, most);
		}
		double line[3];
		abut_line_of_centres(world.model, &pair, world.workspace->bodies, line);
		for (int i = 0; i < 3; i++) {
			double centre[2][3];
			for (int s = 0; s < 2; s++) {
				abut_mat3_vec(pose[s].R, shape[s]->centre, centre[s]);
			}
			cr_assert_float_eq(L * line[i], centre[1][i] + pose[1].x[i] - centre[0][i] - pose[0].x[i],
			                   1e-11 * size, "seed %u", seed);
		}
		cr_assert_not(is_separated(&world, &pair, (double[3]){0.0, 0.0, 0.0}, -1e300));
		world_end(&world);
	}
}

/* The distance from a halfspace equals that of the shape's nearest point, on either side of the boundary. */
Test(separation, from_a_plane)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {6000 + seed};
		World world;
		const double size = lengths[seed % 3];
		begin_two(&world, seed, size, false);
		for (int body = 0; body < 2; body++) {
			const AbutShape *const shape[2] = {world.shapes[body], world.shapes[2]};
			const OraclePose pose[2] = {pose_of(&world, body), pose_of(&world, 2)};
			double normal[3], inward[3], p[3], least = (double)INFINITY;
			abut_mat3_vec(pose[1].R, shape[1]->A, normal);
			for (int i = 0; i < 3; i++) {
				inward[i] = -normal[i];
			}
			const double distance = world.model->units.length *
			                        abut_plane_distance(world.model, 2, body, world.workspace->bodies);
			for (int k = 0; k < SAMPLES; k++) {
				surface_point(&world, body, &pose[0], &rng, p);
				for (int i = 0; i < 3; i++) {
					p[i] -= pose[1].x[i];
				}
				least = fmin(least, abut_dot3(p, normal) - shape[1]->h[0]);
			}
			cr_assert_float_eq(distance, oracle_certificate(shape, pose, inward).gap, 1e-11 * size,
			                   "seed %u, body %d: %g", seed, body, distance);
			cr_assert(distance <= least + 1e-11 * size && distance >= least - 0.1 * size,
			          "seed %u, body %d: %g, sampled %g", seed, body, distance, least);
		}
		world_end(&world);
	}
}

/* A tight box contains the shape. It touches the shape on all six sides if the body is not rotated, or is a ball. It is
 * never larger than the box of the bounding sphere. */
Test(bounds, tight)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {7000 + seed};
		World world;
		const double size = lengths[seed % 3];
		const bool upright = seed % 2 == 0;
		begin_two(&world, seed, size, upright);
		const double L = world.model->units.length, small = 1e-11 * size;
		for (int body = 0; body < 2; body++) {
			const OraclePose pose = pose_of(&world, body);
			const AbutShape *shape = world.shapes[body];
			const bool touches = upright || shape->kind == ABUT_SHAPE_SPHERE;
			AbutBounds box;
			double p[3], centre[3];
			abut_bounds_tight(world.model, body, world.workspace->bodies, &box);
			abut_mat3_vec(pose.R, shape->centre, centre);
			for (int k = 0; k < SAMPLES; k++) {
				surface_point(&world, body, &pose, &rng, p);
				for (int i = 0; i < 3; i++) {
					cr_assert(p[i] >= L * box.lower[i] - small && p[i] <= L * box.upper[i] + small,
					          "seed %u, body %d: %g in [%g, %g]", seed, body, p[i],
					          L * box.lower[i], L * box.upper[i]);
				}
			}
			for (int i = 0; i < 6; i++) {
				double axis[3] = {0.0, 0.0, 0.0}, own[3];
				axis[i / 2] = i % 2 ? -1.0 : 1.0;
				abut_mat3_tvec(pose.R, axis, own);
				const double true_end =
				    abut_shape_support(shape, own, NULL) + axis[i / 2] * pose.x[i / 2];
				const double end = L * (i % 2 ? -box.lower[i / 2] : box.upper[i / 2]);
				const double sphere =
				    axis[i / 2] * (pose.x[i / 2] + centre[i / 2]) + shape->outer_radius;
				cr_assert(end >= true_end - small && end <= sphere + small, "seed %u, body %d, side %d",
				          seed, body, i);
				cr_assert(!touches || fabs(end - true_end) <= small,
				          "seed %u, body %d, side %d: %g beyond %g", seed, body, i, end, true_end);
			}
		}
		world_end(&world);
	}
}

/* A box swept by a step contains the tight box at both ends of free flight, including rotation. The box of a halfspace
 * overlaps no other. */
Test(bounds, swept)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		World world;
		AbutBounds swept[3], tight;
		const double size = lengths[seed % 3];
		begin_two(&world, seed, size, false);
		cr_assert_eq(
		    abut_state_set_body(world.model, world.state, 2,
		                        &(AbutBodyState){.position = {0.0, 0.0, -1e6 * size}, .orientation = {1.0}}),
		    ABUT_OK);
		AbutBodyState far = world_body(&world, 1); /* away from each other and from the floor */
		far.position[0] += 1e4 * size;
		cr_assert_eq(abut_state_set_body(world.model, world.state, 1, &far), ABUT_OK);
		abut_step_gather(world.model, world.state, world.workspace, world.model->timestep);
		abut_bounds_swept(world.model, world.workspace->bodies, swept);
		cr_assert_gt(swept[2].lower[0], swept[2].upper[0]);
		for (int body = 0; body < 2; body++) {
			abut_bounds_tight(world.model, body, world.workspace->bodies, &tight);
			cr_assert(abut_bounds_within(&tight, &swept[body]), "seed %u, body %d: start", seed, body);
			cr_assert_not(abut_bounds_within(&swept[body], &tight), "seed %u, body %d", seed, body);
		}
		world_step(&world);
		cr_assert_eq(world.info.active_contacts, 0, "seed %u", seed);
		for (int body = 0; body < 2; body++) {
			abut_bounds_tight(world.model, body, world.workspace->bodies, &tight);
			cr_assert(abut_bounds_within(&tight, &swept[body]), "seed %u, body %d: end", seed, body);
		}
		world_end(&world);
	}
}
