/* Compares the directions from the elimination of method point-ncp with differences of its own equations, for every
 * pair that has a gap. */
#include <criterion/criterion.h>

#include "dynamics/contact/direction_check.h"
#include "dynamics/island/island.h"
#include "dynamics/solve/smooth.h"
#include "dynamics/world.h"

typedef struct Case {
	const char *name;
	bool floor, planar;
	AbutShape *(*make[2])(void);
	AbutFrictionCone cone;
} Case;

static AbutShape *a_box(void)
{
	return make_box(0.5, 0.4, 0.3);
}

static AbutShape *a_ball(void)
{
	return make_sphere(0.4);
}

static AbutShape *a_capsule(void)
{
	return make_capsule(0.2, 0.9);
}

static const Case cases[] = {{"box on plane", true, false, {a_box}, ABUT_FRICTION_CONE_SOC},
                             {"box on plane, pyramid", true, false, {a_box}, ABUT_FRICTION_CONE_PYRAMID},
                             {"planar box", true, true, {a_box}, ABUT_FRICTION_CONE_SOC},
                             {"ball on plane", true, false, {a_ball}, ABUT_FRICTION_CONE_SOC},
                             {"capsule on plane", true, false, {a_capsule}, ABUT_FRICTION_CONE_SOC},
                             {"ball and ball", false, false, {a_ball, a_ball}, ABUT_FRICTION_CONE_SOC},
                             {"ball and capsule", false, false, {a_ball, a_capsule}, ABUT_FRICTION_CONE_SOC},
                             {"capsule and ball", false, false, {a_capsule, a_ball}, ABUT_FRICTION_CONE_SOC},
                             {"capsule, ball, pyramid", false, false, {a_capsule, a_ball}, ABUT_FRICTION_CONE_PYRAMID},
                             {"ball and box", false, false, {a_ball, a_box}, ABUT_FRICTION_CONE_SOC},
                             {"box and ball", false, false, {a_box, a_ball}, ABUT_FRICTION_CONE_SOC},
                             {"two boxes", false, false, {a_box, a_box}, ABUT_FRICTION_CONE_SOC},
                             {"two boxes, pyramid", false, false, {a_box, a_box}, ABUT_FRICTION_CONE_PYRAMID},
                             {"two capsules", false, false, {a_capsule, a_capsule}, ABUT_FRICTION_CONE_SOC},
                             {"capsule and box", false, false, {a_capsule, a_box}, ABUT_FRICTION_CONE_SOC},
                             {"box and capsule", false, false, {a_box, a_capsule}, ABUT_FRICTION_CONE_PYRAMID}};

static void make_case(const Case *c, AbutRng *rng, World *world)
{
	world_begin(world);
	world->def.solver.method = ABUT_METHOD_POINT_NCP;
	world->def.solver.friction_cone = c->cone;
	if (c->floor) {
		world_add_floor(world, 0.0, 0.0, 1.0);
	}
	for (int i = 0; i < 2 && c->make[i]; i++) {
		AbutBodyDef *body =
		    world_add(world, c->make[i](), 1.0 + i, 0.1 * i, c->planar ? 0.0 : 0.5 * i, c->floor ? 0.1 : 0.5);
		body->planar_xz = c->planar;
		if (c->planar) {
			turn_about(0.0, 1.0, 0.0, abut_rng_normal(rng), body->orientation);
		} else {
			abut_rng_rotation(rng, body->orientation);
		}
		for (int k = 0; k < 3; k++) {
			const bool in_plane = !c->planar || k != 1;
			body->linear_velocity[k] = in_plane ? abut_rng_normal(rng) : 0.0;
			body->angular_velocity[k] = in_plane == !c->planar ? 2.0 * abut_rng_normal(rng) : 0.0;
		}
	}
	world_make(world);
}

/* Uses points that no solve visits: strongly smoothed, about random velocities. */
Test(point_ncp_directions, are_those_of_differences)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int seed = 0; seed < 20; seed++) {
			World world;
			AbutRng rng = {(uint64_t)(100 * i + (unsigned)seed)};
			make_case(&cases[i], &rng, &world);
			world_try(&world);
			AbutIsland *island = &world.workspace->islands[0];
			cr_assert_gt(island->ncp.n_z, 0, "%s, seed %d: nothing is near", cases[i].name, seed);
			AbutIterate *it = &island->iterate;
			for (int k = 0; k < island->ncp.n_y; k++) {
				it->y[k] += 0.5 * abut_rng_normal(&rng);
			}
			for (int k = 0; k < island->ncp.n_z; k++) {
				it->z[k] = abut_rng_normal(&rng);
			}
			island->ncp.ops->evaluate(island->ncp.problem, it->y, it->z, it->r, it->H);
			abut_step_smooth_at(island, 0.1);
			direction_check(&island->ncp, it, 0.0, cases[i].name, seed);
			direction_check(&island->ncp, it, 0.5, cases[i].name, seed);
			world_end(&world);
		}
	}
}
