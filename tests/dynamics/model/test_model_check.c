/* Tests every error of a scene definition: its status, the path of the wrong value, and a message that contains the
 * value. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/model/check.h"
#include "dynamics/world.h"
#include "shapes/core/mass.h"

static const int excluded[][2] = {{1, 2}, {2, 9}};
static const int excluded_self[][2] = {{1, 1}}, excluded_pair[][2] = {{0, 2}, {2, 1}, {2, 0}};
static const AbutPairDef pairs_twice[] = {
    {.body_a = 1, .body_b = 2}, {.body_a = 0, .body_b = 1}, {.body_a = 2, .body_b = 1}};

/* Begins a valid scene of floor, cube and sphere, with a listed pair. Each row of the table makes one entry invalid. */
static void begin_legal(World *world)
{
	world_begin(world);
	world_add_floor(world, 0.0, 0.0, 1.0);
	world_add(world, make_cube(1.0), 1.0, 0.0, 0.0, 2.0);
	world_add(world, make_capsule(0.4, 0.4), 1.0, 2.0, 0.0, 2.0);
	world_add_pair(world, 1, 2);
}

typedef struct Spoilt {
	const char *where, *value; /* `value` must occur in the message */
	AbutStatus status;
	void (*spoil)(World *world);
} Spoilt;

#define SPOIL(name, statement)                                                                                         \
	static void name(World *world)                                                                                 \
	{                                                                                                              \
		AbutSceneDef *def = &world->def;                                                                       \
		AbutBodyDef *body = &world->bodies[1];                                                                 \
		AbutPairDef *pair = &world->pairs[0];                                                                  \
		(void)def, (void)body, (void)pair;                                                                     \
		statement;                                                                                             \
	}

static void set_inertia(AbutBodyDef *body, double xx, double yy, double zz, double xy)
{
	const double inertia[9] = {xx, xy, 0.0, xy, yy, 0.0, 0.0, 0.0, zz};
	body->has_inertia = true;
	memcpy(body->inertia, inertia, sizeof inertia);
}

SPOIL(gravity_nan, def->gravity[1] = NAN)
SPOIL(gravity_inf, def->gravity[2] = -INFINITY)
SPOIL(timestep_zero, def->timestep = 0.0)
SPOIL(timestep_negative, def->timestep = -0.25)
SPOIL(timestep_inf, def->timestep = INFINITY)
SPOIL(timestep_nan, def->timestep = NAN)
SPOIL(friction_negative, def->friction = -0.5)
SPOIL(restitution_large, def->restitution = 1.5)
SPOIL(restitution_elsewhere, def->restitution = 0.5)
SPOIL(pair_restitution_large, pair->restitution = 2.0)
SPOIL(pair_restitution_nan, pair->restitution = NAN)
SPOIL(friction_inf, def->friction = INFINITY)
SPOIL(no_bodies, def->n_bodies = 0)
SPOIL(negative_bodies, def->n_bodies = -3)
SPOIL(too_many_bodies, def->n_bodies = ABUT_BODIES_MAX + 1)
SPOIL(null_bodies, def->bodies = NULL)
SPOIL(kappa_small, def->solver.kappa = 1e-13)
SPOIL(kappa_large, def->solver.kappa = 2.0)
SPOIL(kappa_nan, def->solver.kappa = NAN)
SPOIL(tolerance_negative, def->solver.tolerance = -1e-6)
SPOIL(tolerance_large, def->solver.tolerance = 7.0)
SPOIL(iterations, def->solver.max_iterations = 0)
SPOIL(finish, def->solver.finish = (AbutFinish)77)
SPOIL(friction_cone, def->solver.friction_cone = (AbutFrictionCone)77)
SPOIL(linear_solver, def->solver.linear_solver = (AbutLinearSolver)77)
SPOIL(warm_start_rule, def->solver.warm_start_rule = (AbutWarmRule)77)
SPOIL(lcp_gap, def->solver.lcp_gap = (AbutLcpGap)77)
SPOIL(lcp_solver, def->solver.lcp_solver = (AbutLcpSolver)77)
SPOIL(convex_model, def->solver.convex_model = (AbutConvexModel)77)
SPOIL(collision_kappa, def->solver.collision_kappa = 1e-13)
SPOIL(kappa_gradient_negative, def->solver.kappa_gradient = -1e-6)
SPOIL(kappa_gradient_large, def->solver.kappa_gradient = 2.0)
SPOIL(name_null, body->name = NULL)
SPOIL(name_empty, body->name = "")
SPOIL(name_taken, body->name = "body 0")
SPOIL(no_parts, body->n_parts = 0)
SPOIL(null_parts, body->parts = NULL)
SPOIL(null_part, world->parts[1] = NULL)
SPOIL(moving_halfspace, world->parts[1] = world->shapes[0])
SPOIL(body_friction_inf, body->friction = INFINITY)
SPOIL(body_friction_nan, body->friction = NAN)
SPOIL(position_nan, body->position[2] = NAN)
SPOIL(orientation_inf, body->orientation[3] = INFINITY)
SPOIL(orientation_long, body->orientation[0] = 1.125)
SPOIL(orientation_zero, body->orientation[0] = 0.0)
SPOIL(velocity_nan, body->linear_velocity[0] = NAN)
SPOIL(spin_inf, body->angular_velocity[0] = INFINITY)
SPOIL(spin_fast, body->angular_velocity[1] = 9000.0)
SPOIL(spin_at_limit, body->angular_velocity[1] = 7680.0)
SPOIL(force_nan, body->force[0] = NAN)
SPOIL(torque_inf, body->torque[2] = INFINITY)
SPOIL(com_nan, (body->has_centre_of_mass = true, body->centre_of_mass[0] = NAN))
SPOIL(mass_missing, body->mass = 0.0)
SPOIL(mass_twice, body->density = 3.0)
SPOIL(mass_negative, body->mass = -2.5)
SPOIL(mass_nan, body->mass = NAN)
SPOIL(mass_inf, body->mass = INFINITY)
SPOIL(density_negative, (body->mass = 0.0, body->density = -7.5))
SPOIL(density_inf, (body->mass = 0.0, body->density = INFINITY))
SPOIL(mass_tiny, body->mass = 1e-200)
SPOIL(mass_huge, body->mass = 1e200)
SPOIL(density_huge, (body->mass = 0.0, body->density = 1e250))
static const AbutMassProperties no_mass = {.volume = -0.375};
SPOIL(parts_mass, body->parts_mass = &no_mass)
SPOIL(inertia_zero, set_inertia(body, 0.0, 0.0, 0.0, 0.0))
SPOIL(inertia_negative, set_inertia(body, 1.0, 1.0, -0.25, 0.0))
SPOIL(inertia_triangle, set_inertia(body, 1.0, 1.0, 2.125, 0.0))
SPOIL(inertia_indefinite, set_inertia(body, 1.0, 1.0, 1.0, 1.5))
SPOIL(inertia_nan, set_inertia(body, 1.0, NAN, 1.0, 0.0))
SPOIL(inertia_asymmetric, (set_inertia(body, 1.0, 1.0, 1.0, 0.0), body->inertia[1] = 0.01))
SPOIL(pair_missing, pair->body_b = 8)
SPOIL(pair_negative, pair->body_a = -1)
SPOIL(pair_self, pair->body_b = 1)
SPOIL(pair_static, (world->bodies[1].is_static = true, pair->body_b = 0))
SPOIL(pair_halfspaces, (body->is_static = true, world->parts[1] = world->shapes[0], pair->body_b = 0))
SPOIL(pair_friction_nan, pair->friction = NAN)
SPOIL(pair_friction_inf, pair->friction = INFINITY)
SPOIL(pair_radius_nan, pair->torsional_radius = NAN)
SPOIL(pair_radius_inf, pair->torsional_radius = INFINITY)
SPOIL(pair_twice, (def->pairs = pairs_twice, def->n_pairs = 3))
SPOIL(pair_excluded, (def->exclude = excluded_pair, def->n_exclude = 3))
static const AbutPairDef part_pairs[] = {
    {.body_a = 0, .body_b = 1, .friction = -1.0, .torsional_radius = -1.0, .restitution = -1.0, .has_parts = true},
    {.body_a = 1, .body_b = 0, .friction = -1.0, .torsional_radius = -1.0, .restitution = -1.0, .has_parts = true},
    {.body_a = 1, .body_b = 2, .friction = -1.0, .torsional_radius = -1.0, .restitution = -1.0, .has_parts = true},
};
SPOIL(pair_no_part, (pair->has_parts = true, pair->part_b = 3))
SPOIL(pair_negative_part, (pair->has_parts = true, pair->part_a = -2))
SPOIL(pair_parts_twice, (def->pairs = part_pairs, def->n_pairs = 2))
SPOIL(pair_parts_excluded,
      (def->pairs = &part_pairs[2], def->n_pairs = 1, def->exclude = excluded_pair, def->n_exclude = 3))
SPOIL(exclude_missing, (def->n_pairs = 0, def->exclude = excluded, def->n_exclude = 2))
SPOIL(exclude_self, (def->exclude = excluded_self, def->n_exclude = 1))

#define BAD ABUT_ERROR_ARGUMENT

static const Spoilt table[] = {
    {"gravity", "gravity", BAD, gravity_nan},
    {"gravity", "gravity", BAD, gravity_inf},
    {"timestep", " 0;", BAD, timestep_zero},
    {"timestep", "-0.25", BAD, timestep_negative},
    {"timestep", "inf", BAD, timestep_inf},
    {"timestep", "nan", BAD, timestep_nan},
    {"friction", "-0.5", BAD, friction_negative},
    {"friction", "inf", BAD, friction_inf},
    {"restitution", "1.5", BAD, restitution_large},
    {"restitution", "method single-level has none", ABUT_ERROR_UNSUPPORTED, restitution_elsewhere},
    {"contacts[0].restitution", "from 0 to 1", BAD, pair_restitution_large},
    {"contacts[0].restitution", "nan", BAD, pair_restitution_nan},
    {"bodies", "0", BAD, no_bodies},
    {"bodies", "-3", BAD, negative_bodies},
    {"bodies", "20001", BAD, too_many_bodies},
    {"bodies", "bodies", BAD, null_bodies},
    {"solver.kappa", "1e-13", BAD, kappa_small},
    {"solver.kappa", "2", BAD, kappa_large},
    {"solver.kappa", "nan", BAD, kappa_nan},
    {"solver.tolerance", "-1e-06", BAD, tolerance_negative},
    {"solver.tolerance", "7", BAD, tolerance_large},
    {"solver.max_iterations", "0", BAD, iterations},
    {"solver.finish", "77; it must be of its enumeration, 0 to 1", BAD, finish},
    {"solver.friction_cone", "77; it must be of its enumeration, 0 to 1", BAD, friction_cone},
    {"solver.linear_solver", "77; it must be of its enumeration, 0 to 1", BAD, linear_solver},
    {"solver.warm_start_rule", "77; it must be of its enumeration, 0 to 1", BAD, warm_start_rule},
    {"solver.lcp_gap", "77; it must be of its enumeration, 0 to 2", BAD, lcp_gap},
    {"solver.lcp_solver", "77; it must be of its enumeration, 0 to 3", BAD, lcp_solver},
    {"solver.convex_model", "77; it must be of its enumeration, 0 to 1", BAD, convex_model},
    {"solver.collision_kappa", "1e-13", BAD, collision_kappa},
    {"solver.kappa_gradient", "-1e-06", BAD, kappa_gradient_negative},
    {"solver.kappa_gradient", "2", BAD, kappa_gradient_large},
    {"bodies[1]", "name", BAD, name_null},
    {"bodies[1]", "name", BAD, name_empty},
    {"bodies[1].name", "body 0", BAD, name_taken},
    {"bodies[1].shape", "body 1", BAD, no_parts},
    {"bodies[1].shape", "body 1", BAD, null_parts},
    {"bodies[1].shape", "shape 0", BAD, null_part},
    {"bodies[1].shape", "halfspace", BAD, moving_halfspace},
    {"bodies[1].friction", "inf", BAD, body_friction_inf},
    {"bodies[1].friction", "nan", BAD, body_friction_nan},
    {"bodies[1].position", "position[2] of body 'body 1' is nan", BAD, position_nan},
    {"bodies[1].orientation", "orientation[3] of body 'body 1' is inf", BAD, orientation_inf},
    {"bodies[1].orientation", "1.125", BAD, orientation_long},
    {"bodies[1].orientation", " 0;", BAD, orientation_zero},
    {"bodies[1].linear_velocity", "linear_velocity", BAD, velocity_nan},
    {"bodies[1].angular_velocity", "angular_velocity", BAD, spin_inf},
    {"bodies[1].angular_velocity", "9000", BAD, spin_fast},
    {"bodies[1].angular_velocity", "7680", BAD, spin_at_limit},
    {"bodies[1].input.force", "force", BAD, force_nan},
    {"bodies[1].input.torque", "torque", BAD, torque_inf},
    {"bodies[1].centre_of_mass", "centre_of_mass", BAD, com_nan},
    {"bodies[1].mass", "neither", BAD, mass_missing},
    {"bodies[1].mass", "both", BAD, mass_twice},
    {"bodies[1].mass", "-2.5", BAD, mass_negative},
    {"bodies[1].mass", "nan", BAD, mass_nan},
    {"bodies[1].mass", "inf", BAD, mass_inf},
    {"bodies[1].density", "-7.5", BAD, density_negative},
    {"bodies[1].density", "inf", BAD, density_inf},
    {"bodies[1].mass", "1e-200", BAD, mass_tiny},
    {"bodies[1].mass", "1e+200", BAD, mass_huge},
    {"bodies[1].density", "1e+250", BAD, density_huge},
    {"bodies[1].shape", "-0.375", BAD, parts_mass},
    {"bodies[1].inertia", "0, 0, 0", BAD, inertia_zero},
    {"bodies[1].inertia", "-0.25", BAD, inertia_negative},
    {"bodies[1].inertia", "2.125", BAD, inertia_triangle},
    {"bodies[1].inertia", "1, 1, 1", BAD, inertia_indefinite},
    {"bodies[1].inertia", "nan", BAD, inertia_nan},
    {"bodies[1].inertia", "symmetric", BAD, inertia_asymmetric},
    {"contacts[0].pair", "8", BAD, pair_missing},
    {"contacts[0].pair", "-1", BAD, pair_negative},
    {"contacts[0].pair", "body 1", BAD, pair_self},
    {"contacts[0].pair", "static", BAD, pair_static},
    {"contacts[0].pair", "halfspaces", BAD, pair_halfspaces},
    {"contacts[0].friction", "nan", BAD, pair_friction_nan},
    {"contacts[0].friction", "inf", BAD, pair_friction_inf},
    {"contacts[0].torsional_radius", "nan", BAD, pair_radius_nan},
    {"contacts[0].torsional_radius", "inf", BAD, pair_radius_inf},
    {"contacts[2].pair", "stands in contacts[0]", BAD, pair_twice},
    {"contacts[0].pair", "excluded by exclude[1]", BAD, pair_excluded},
    {"contacts[0].parts[1]", "is 3; the parts of body", BAD, pair_no_part},
    {"contacts[0].parts[0]", "is -2", BAD, pair_negative_part},
    {"contacts[1].pair", "stands in contacts[0]", BAD, pair_parts_twice},
    {"contacts[0].pair", "excluded by exclude[1]", BAD, pair_parts_excluded},
    {"exclude[1]", "9", BAD, exclude_missing},
    {"exclude[0]", "body 1", BAD, exclude_self},
};

Test(model_check, refusals)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const Spoilt *c = &table[i];
		World world;
		AbutModel *model = (AbutModel *)(void *)&world; /* must become NULL */
		AbutError error;
		begin_legal(&world);
		c->spoil(&world);
		memset(&error, 'x', sizeof error);
		const AbutStatus status = abut_model_create(&world.def, &model, &error);
		cr_expect_eq(status, c->status, "row %zu (%s, %s): %s", i, c->where, c->value,
		             abut_status_name(status));
		cr_expect_null(model, "row %zu (%s)", i, c->where);
		if (status != ABUT_OK) {
			cr_expect_eq(error.status, c->status, "row %zu (%s)", i, c->where);
			cr_expect_str_eq(error.where, c->where, "row %zu: at '%s', not '%s'", i, error.where, c->where);
			cr_expect(strstr(error.message, c->value), "row %zu: no '%s' in '%s'", i, c->value,
			          error.message);
			cr_expect_eq(abut_model_create(&world.def, &model, NULL),
			             c->status); /* without an error argument */
		}
		world.def.n_bodies = 3;
		world_end(&world);
	}
	AbutModel *model = NULL;
	AbutSceneDef def = abut_scene_def_default();
	cr_expect_eq(abut_model_create(NULL, &model, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_model_create(&def, NULL, NULL), ABUT_ERROR_ARGUMENT);
}

/* Unusual values that are valid. */
Test(model_check, accepted)
{
	World world;
	begin_legal(&world);
	world.def.friction = 0.0;
	world.def.duration = 0.0;
	world.pairs[0].friction = 0.0;
	world.pairs[0].torsional_radius = 0.0;
	world.bodies[1].friction = 0.0;
	world.bodies[0].mass = -1.0; /* ignored, since the body is static */
	world.bodies[1].angular_velocity[0] = 7679.99;
	world.bodies[1].orientation[0] = 1.0 - 9e-7;
	world.bodies[2].mass = 1e-50;
	static const int others[1][2] = {{0, 2}};
	world.def.exclude = others;
	world.def.n_exclude = 1;
	world_make(&world);
	cr_expect_eq(abut_model_body_count(world.model), 3);
	cr_expect_str_eq(abut_model_body_name(world.model, 1), "body 1");
	cr_expect_str_eq(abut_model_body_name(world.model, -1), "");
	cr_expect(abut_model_body_is_static(world.model, 0));
	cr_expect_float_eq(abut_model_body_mass(world.model, 2), 1e-50, 1e-60);
	cr_expect_float_eq(abut_model_timestep(world.model), 0.01, 0.0);
	world_end(&world);
}

/* Sets one value at a time to an extreme number. The result must be an error, or ABUT_OK without NaN. */
Test(model_check, extreme_values)
{
	static const double values[] = {1e-320, 1e-200, 1e-30, 1e30, 1e150, 1e300};
	for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
		for (int what = 0; what < 9; what++) {
			World world;
			begin_legal(&world);
			AbutBodyDef *body = &world.bodies[1];
			double *const places[] = {&world.def.gravity[2],
			                          &world.def.timestep,
			                          &world.def.friction,
			                          &body->position[2],
			                          &body->linear_velocity[0],
			                          &body->force[1],
			                          &body->torque[0],
			                          &world.pairs[0].torsional_radius,
			                          &body->mass};
			*places[what] = values[v];
			AbutError error;
			if (abut_model_create(&world.def, &world.model, &error) == ABUT_OK) {
				cr_assert_eq(abut_state_create(world.model, &world.state, NULL), ABUT_OK);
				cr_assert_eq(abut_workspace_create(world.model, &world.workspace, NULL), ABUT_OK);
				for (int n = 0; n < 5; n++) {
					AbutStepInfo info = {.tries = 0};
					cr_assert_eq(abut_step(world.model, world.state, world.workspace, &info),
					             ABUT_OK);
					const AbutBodyState s = world_body(&world, 1);
					cr_expect(abut_all_finite(s.position, 3) && abut_all_finite(s.orientation, 4) &&
					              abut_all_finite(s.linear_velocity, 3) &&
					              abut_all_finite(s.angular_velocity, 3),
					          "value %g in place %d: not finite after step %d, %s", values[v], what,
					          n, abut_outcome_name(info.outcome));
				}
			}
			world_end(&world);
		}
	}
}

/* Computes the eigenvalues of a symmetric 3 x 3 matrix in ascending order by Jacobi rotations, unlike the check, which
 * uses minors. */
static void eigenvalues(const double M[9], double out[3])
{
	double S[9];
	memcpy(S, M, sizeof S);
	for (int sweep = 0; sweep < 30; sweep++) {
		for (int p = 0; p < 2; p++) {
			for (int q = p + 1; q < 3; q++) {
				if (S[3 * p + q] == 0.0) {
					continue;
				}
				const double angle = 0.5 * atan2(2.0 * S[3 * p + q], S[3 * q + q] - S[3 * p + p]);
				double J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, SJ[9];
				J[3 * p + p] = J[3 * q + q] = cos(angle);
				J[3 * p + q] = sin(angle);
				J[3 * q + p] = -sin(angle);
				abut_mat3_mul(S, J, SJ);
				abut_mat3_transposed_mul(J, SJ, S);
			}
		}
	}
	for (int i = 0; i < 3; i++) {
		out[i] = S[4 * i];
	}
	for (int i = 0; i < 2; i++) {
		for (int j = 0; j < 2 - i; j++) {
			if (out[j] > out[j + 1]) {
				const double swap = out[j];
				out[j] = out[j + 1];
				out[j + 1] = swap;
			}
		}
	}
}

/* Random principal moments near each limit of validity, by margins down to 1e-8 of the trace, in random axes and of any
 * magnitude. */
Test(model_check, inertia_against_eigenvalues)
{
	long possible = 0, impossible = 0;
	for (unsigned seed = 0; seed < 200000; seed++) {
		AbutRng rng = {seed};
		double moments[3], q[4], R[9], RD[9], M[9], found[3];
		const double margin = pow(10.0, abut_rng_uniform(&rng, -8.0, 0.0)) * (seed % 2 ? 1.0 : -1.0);
		moments[0] = abut_rng_uniform(&rng, 0.0, 1.0);
		moments[1] = abut_rng_uniform(&rng, 0.0, 1.0);
		moments[2] = seed % 3 == 0 ? (moments[0] + moments[1]) *
		                                 (1.0 - margin) /* at the limit of the triangle inequality */
		             : seed % 3 == 1 ? margin           /* close to zero */
		                             : abut_rng_uniform(&rng, -0.5, 2.5);
		if (seed % 3 == 1) {
			moments[1] = moments[0]; /* so that only the third moment decides */
		}
		const double size = pow(10.0, abut_rng_uniform(&rng, -20.0, 20.0));
		abut_rng_rotation(&rng, q);
		abut_quat_to_mat3(q, R);
		for (int i = 0; i < 9; i++) {
			RD[i] = R[i] * moments[i % 3] * size;
		}
		abut_mat3_mul_transposed(RD, R, M);
		M[3] = M[1];
		M[6] = M[2];
		M[7] = M[5];
		eigenvalues(M, found);
		const double trace = found[0] + found[1] + found[2];
		const double least = fmin(found[0], found[0] + found[1] - found[2]) / fabs(trace);
		if (fabs(least) < 5e-9) {
			continue; /* within a few times the documented slack of 1e-9, both results are correct */
		}
		const bool expected = trace > 0.0 && least > 0.0;
		possible += expected;
		impossible += !expected;
		cr_assert_eq(abut_inertia_possible(M), expected, "seed %u: moments %g %g %g, margin %g of the trace",
		             seed, found[0], found[1], found[2], least);
	}
	cr_assert(possible > 30000 && impossible > 30000);
}
