/* Tests the bilevel path. Its directions are compared with differences of its residual, for which every collision
 * problem is solved anew. Its steps are compared with single-level steps, which have the same equations. Also tests
 * when it fails. */
#include <lapacke.h>

#include "dynamics/contact/direction_check.h"
#include "dynamics/contact_scenes.h"
#include "dynamics/island/island.h"
#include "dynamics/methods/bilevel/problem.h"
#include "dynamics/solve/cascade.h"
#include "dynamics/solve/start_cold.h"
#include "dynamics/world.h"
#include "solver/ncp/newton_parts.h"

/* --- directions --- */

/* Draws a point in the interiors of both cones. The bodies move slowly, so that pairs stay near each other. */
static void sample_outer(ContactFixture *fixture, const AbutNcp *ncp, AbutRng *rng)
{
	AbutIterate *it = &((AbutBilevel *)fixture->island->method)->outer;
	abut_step_start_cold(fixture->island);
	sample_interior(ncp->cones, ncp->n_cones, rng, it->z);
	sample_interior(ncp->cones, ncp->n_cones, rng, it->s);
	for (int i = 0; i < ncp->n_y; i++) {
		it->y[i] = abut_rng_normal(rng);
	}
}

/* Compares the direction by a dense Jacobian of forward differences with the condensed one, up to the error of
 * differences. */
static void compare_with_dense(ContactFixture *fixture, const AbutNcp *ncp, const char *name, int seed)
{
	AbutIterate *it = &((AbutBilevel *)fixture->island->method)->outer;
	double dy[DIRECTION_MAX], dz[DIRECTION_MAX];
	memcpy(dy, it->dy, (size_t)ncp->n_y * sizeof *dy);
	memcpy(dz, it->dz, (size_t)ncp->n_z * sizeof *dz);
	const double size = largest_of(ncp->n_y, dy, largest_of(ncp->n_z, dz, 0.0));
	cr_assert(abut_dense_condense(ncp, it), "%s, seed %d: the dense matrix is singular", name, seed);
	abut_dense_recover(ncp, it, 0.5);
	for (int i = 0; i < ncp->n_y; i++) {
		cr_assert_float_eq(it->dy[i], dy[i], 1e-3 * size, "%s, seed %d: dy %d", name, seed, i);
	}
	for (int i = 0; i < ncp->n_z; i++) {
		cr_assert_float_eq(it->dz[i], dz[i], 1e-3 * size, "%s, seed %d: dz %d", name, seed, i);
	}
}

Test(bilevel, directions_are_those_of_differences)
{
	for (int i = 0; i < CONTACT_SCENES; i++) {
		for (int seed = 0; seed < 5; seed++) {
			ContactFixture fixture;
			AbutRng rng = {(uint64_t)(100 * i + seed)};
			contact_fixture_make_for(ABUT_METHOD_BILEVEL, &contact_scenes[i], (uint64_t)seed, &fixture);
			abut_bilevel_of(fixture.island)->kappa = 1e-3;
			const AbutNcp ncp = abut_bilevel_begin(fixture.island);
			sample_outer(&fixture, &ncp, &rng);
			direction_check(&ncp, &abut_bilevel_of(fixture.island)->outer, 0.0, contact_scenes[i].name,
			                seed);
			direction_check(&ncp, &abut_bilevel_of(fixture.island)->outer, 0.5, contact_scenes[i].name,
			                seed);
			compare_with_dense(&fixture, &ncp, contact_scenes[i].name, seed);
			contact_fixture_destroy(&fixture);
		}
	}
}

/* --- steps --- */

/* Begins a world with one primitive over another on a floor, both with orientations given by the seed. */
static void make_pair(World *world, int lower, int upper, unsigned seed, AbutMethod method)
{
	AbutRng rng = {seed};
	world_begin(world);
	world_add_floor(world, 0.0, 0.0, 1.0);
	world->def.solver.method = method;
	world->def.solver.finish = ABUT_FINISH_NONE;
	world->def.solver.kappa = 1e-7;
	world->def.solver.tolerance = 1e-9;
	world->def.solver.max_iterations = 60;
	for (int i = 0; i < 2; i++) {
		AbutBodyDef *body = world_add(world, make_primitive(i == 0 ? lower : upper, 0.5), 1.0, 0.05 * i,
		                              0.02 * i, 0.7 + 1.1 * i);
		abut_rng_rotation(&rng, body->orientation);
		for (int k = 0; k < 3; k++) {
			body->angular_velocity[k] = abut_rng_uniform(&rng, -1.0, 1.0);
		}
	}
	world_make(world);
}

/* Both methods have the same equations at the same kappa, so that steps that both solve have the same solution. Each
 * step starts from the single-level result. (At the end of the path complementarity may be below kappa, which leaves
 * that much of an impulse open.) */
Test(bilevel, steps_are_those_of_the_single_level)
{
	int compared = 0, left_out = 0;
	for (unsigned seed = 0; seed < 16; seed++) {
		World one, two;
		const int lower = (int)(seed % WORLD_SHAPES), upper = (int)((seed / 2 + 3) % WORLD_SHAPES);
		make_pair(&one, lower, upper, seed, ABUT_METHOD_SINGLE_LEVEL);
		make_pair(&two, lower, upper, seed, ABUT_METHOD_BILEVEL);
		for (int step = 0; step < 60; step++) {
			for (int i = 1; i < 3; i++) {
				const AbutBodyState at = world_body(&one, i);
				cr_assert_eq(abut_state_set_body(two.model, two.state, i, &at), ABUT_OK);
			}
			const bool solved =
			    world_try(&one) == ABUT_OUTCOME_RELAXED && !one.info.retried && !one.info.halvings;
			const bool also =
			    world_try(&two) == ABUT_OUTCOME_RELAXED && !two.info.retried && !two.info.halvings;
			if (!solved || !also) {
				left_out++;
				continue;
			}
			compared++;
			for (int i = 1; i < 3; i++) {
				const AbutBodyState a = world_body(&one, i), b = world_body(&two, i);
				for (int k = 0; k < 3; k++) {
					cr_assert_float_eq(a.linear_velocity[k], b.linear_velocity[k], 1e-5,
					                   "seed %u, step %d, body %d: v %d is %.9g and %.9g", seed,
					                   step, i, k, a.linear_velocity[k], b.linear_velocity[k]);
					cr_assert_float_eq(a.angular_velocity[k], b.angular_velocity[k], 1e-4,
					                   "seed %u, step %d, body %d: w %d is %.9g and %.9g", seed,
					                   step, i, k, a.angular_velocity[k], b.angular_velocity[k]);
				}
			}
		}
		world_end(&one);
		world_end(&two);
	}
	cr_assert(compared > 5 * left_out, "%d steps compared, %d not solved by both at once", compared, left_out);
}

/* --- where it fails (the single-level paper, section V-B) --- */

/* Computes the smallest singular value of the Jacobian of [r; z o H] with respect to [y; z], without the entries left
 * out. All cones are orthants. */
static double least_singular_value(ContactFixture *fixture, bool collision_alone)
{
	AbutIsland *island = fixture->island;
	AbutIterate *it = &island->iterate;
	const AbutContactWork *contact = &island->problem.contacts[0];
	const int n_y = island->ncp.n_y, n = n_y + island->ncp.n_z;
	double *J = calloc((size_t)(2 * n * n + 2 * n), sizeof *J);
	double *part = J + n * n, *values = part + n * n, *work = values + n;
	int kept[DIRECTION_MAX], m = 0;
	island->ncp.ops->jacobian(island->ncp.problem, 0.0, J);
	for (int i = 0; i < n; i++) {
		const bool of_collision =
		    i < n_y ? i >= contact->at.y : i >= n_y + contact->at.z + contact->at.alpha_z; /* there is no psi */
		if (of_collision || !collision_alone) {
			kept[m++] = i;
		}
	}
	for (int column = 0; column < m; column++) {
		for (int row = 0; row < m; row++) {
			const int i = kept[row], j = kept[column];
			double entry = J[i + j * n];
			if (i >= n_y) {
				entry = it->z[i - n_y] * entry + (i == j ? it->H[i - n_y] : 0.0);
			}
			part[row + column * m] = entry;
		}
	}
	cr_assert_eq(LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', m, m, part, m, values, NULL, 1, NULL, 1, work), 0);
	const double least = values[m - 1];
	free(J);
	return least;
}

/* Solves a cube that lies flat on a plane, without friction, to kappa. */
static void solve_at_rest(double kappa, ContactFixture *fixture)
{
	World *world = calloc(1, sizeof *world);
	world_begin(world);
	world_add_floor(world, 0.0, 0.0, 1.0);
	world_add(world, make_cube(1.0), 1.0, 0.0, 0.0, 0.5);
	world->def.friction = 0.0;
	world->def.solver.kappa = kappa;
	world->def.solver.finish = ABUT_FINISH_NONE;
	world->def.solver.warm_start = false;
	world->def.solver.linear_solver = ABUT_LINEAR_SOLVER_DENSE;
	world_make(world);
	fixture->model = world->model;
	fixture->state = world->state;
	fixture->workspace = world->workspace;
	set_up_island(fixture);
	AbutStepInfo info = {.outcome = ABUT_OUTCOME_FAILED};
	abut_step_solve(fixture->model, fixture->island, ABUT_EFFORT_FULL, &info);
	cr_assert_eq(info.outcome, ABUT_OUTCOME_RELAXED, "kappa %g", kappa);
	world->model = NULL;
	world->state = NULL;
	world->workspace = NULL;
	world_end(world);
	free(world);
}

/* Face to face, the collision problem does not determine the contact point, so that its Jacobian loses rank as kappa
 * goes to zero. In the joint problem the balance of torques determines the point, and the Jacobian keeps its rank. */
Test(bilevel, the_collision_problem_loses_rank_face_to_face_and_the_joint_one_does_not)
{
	static const double kappas[] = {1e-3, 1e-5, 1e-7};
	double alone[3], joint[3];
	for (int i = 0; i < 3; i++) {
		ContactFixture fixture;
		solve_at_rest(kappas[i], &fixture);
		alone[i] = least_singular_value(&fixture, true);
		joint[i] = least_singular_value(&fixture, false);
		contact_fixture_destroy(&fixture);
	}
	cr_expect(alone[1] < 0.02 * alone[0] && alone[2] < 0.02 * alone[1], "alone: %g, %g, %g", alone[0], alone[1],
	          alone[2]);
	cr_expect(joint[2] > 0.5 * joint[0] && joint[2] > 1e-4, "joint: %g, %g, %g", joint[0], joint[1], joint[2]);
}

/* A step cannot end at a smaller kappa than its collision problems. */
Test(bilevel, reports_the_kappa_of_its_collision_problems)
{
	for (int finish = 0; finish < 2; finish++) {
		World world;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		world_add(&world, make_sphere(0.5), 1.0, 0.0, 0.0, 0.5);
		world.def.solver.method = ABUT_METHOD_BILEVEL;
		world.def.solver.kappa = 1e-8;
		world.def.solver.collision_kappa = 1e-3;
		world.def.solver.finish = finish ? ABUT_FINISH_EXACT : ABUT_FINISH_NONE;
		world_make(&world);
		world_step(&world);
		cr_expect_eq(world.info.outcome, ABUT_OUTCOME_RELAXED);
		cr_expect_float_eq(world.info.kappa, 1e-3, 1e-15, "%g", world.info.kappa);
		world_end(&world);
	}
}

/* Only the state lasts from step to step: a new workspace for every step gives the same bits. */
Test(bilevel, hides_no_state)
{
	for (int variant = 0; variant < 3; variant++) {
		World a, b;
		World *const worlds[2] = {&a, &b};
		for (int i = 0; i < 2; i++) {
			world_begin(worlds[i]);
			world_add_floor(worlds[i], 0.0, 0.0, 1.0);
			world_add(worlds[i], make_cube(1.0), 1.0, 0.0, 0.0, 0.6);
			world_add(worlds[i], make_cylinder(0.4, 0.8), 1.0, 0.1, 0.0, 1.7)->angular_velocity[1] = 1.0;
			if (variant == 1) {
				worlds[i]->def.solver =
				    abut_solver_options_preset(ABUT_PRESET_PAPER, ABUT_METHOD_SINGLE_LEVEL);
				worlds[i]->def.solver.warm_start = true;
			}
			worlds[i]->def.solver.method = variant == 1 ? ABUT_METHOD_SINGLE_LEVEL : ABUT_METHOD_BILEVEL;
			worlds[i]->def.solver.warm_start_rule =
			    variant == 2 ? ABUT_WARM_RULE_SHIFTED : worlds[i]->def.solver.warm_start_rule;
			world_make(worlds[i]);
		}
		for (int step = 0; step < 40; step++) {
			abut_workspace_destroy(b.workspace);
			cr_assert_eq(abut_workspace_create(b.model, &b.workspace, NULL), ABUT_OK);
			cr_assert_eq(world_try(&a), world_try(&b), "variant %d, step %d", variant, step);
			for (int i = 1; i < 3; i++) {
				const AbutBodyState x = world_body(&a, i), y = world_body(&b, i);
				cr_assert_eq(memcmp(&x, &y, sizeof x), 0, "variant %d, step %d, body %d", variant, step,
				             i);
			}
		}
		world_end(&a);
		world_end(&b);
	}
}
