/* Judges by the oracle what the shipped scenes do not contain: other settings of the solver, bodies of several parts,
 * values of single pairs and bodies, inputs. The bounds are those of test_optimality.c. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>
#include <stdio.h>

#include "base/vec3.h"
#include "collision/query/union_mass.h"
#include "dynamics/oracle.h"
#include "dynamics/world.h"

typedef struct Setting {
	char name[16]; /* no pointer: parameters cross to another process */
	AbutFrictionCone cone;
	AbutLinearSolver solver;
	bool warm_start;
	double kappa;
} Setting;

/* These settings are all exact; the relaxed path is below. */
static Setting settings[] = {{"cold", ABUT_FRICTION_CONE_SOC, ABUT_LINEAR_SOLVER_CONDENSED, false, 1e-6},
                             {"dense", ABUT_FRICTION_CONE_SOC, ABUT_LINEAR_SOLVER_DENSE, true, 1e-6},
                             {"pyramid", ABUT_FRICTION_CONE_PYRAMID, ABUT_LINEAR_SOLVER_CONDENSED, true, 1e-6},
                             {"kappa 1e-8", ABUT_FRICTION_CONE_SOC, ABUT_LINEAR_SOLVER_CONDENSED, true, 1e-8}};

ParameterizedTestParameters(optimality_settings, pairs)
{
	return cr_make_param_array(Setting, settings, sizeof settings / sizeof *settings);
}

ParameterizedTest(Setting *c, optimality_settings, pairs)
{
	long failed = 0, inexact = 0, steps = 0;
	for (unsigned seed = 0; seed < 24; seed++) {
		AbutRng rng = {seed};
		World world;
		world_begin(&world);
		world.def.timestep = seed % 2 ? 0.01 : 0.02;
		AbutSolverOptions *options = &world.def.solver;
		options->friction_cone = c->cone;
		options->linear_solver = c->solver;
		options->warm_start = c->warm_start;
		options->kappa = c->kappa;
		world_add_floor(&world, 0.05, -0.1, 1.0);
		for (int i = 0; i < 2; i++) {
			const int kind = (int)(abut_rng_next(&rng) % WORLD_SHAPES);
			AbutBodyDef *body =
			    world_add(&world, make_primitive(kind, 1.0), 1.0 + i, 0.1 * i, 0.05, 0.75 + 1.4 * i);
			abut_rng_rotation(&rng, body->orientation);
			body->angular_velocity[0] = abut_rng_uniform(&rng, -3.0, 3.0);
			body->linear_velocity[1] = abut_rng_uniform(&rng, -1.0, 1.0);
		}
		Oracle oracle = {.steps = 0};
		AbutError error;
		char what[96];
		snprintf(what, sizeof what, "%s, seed %u", c->name, seed);
		cr_assert(oracle_run(&world.def, lround(1.5 / world.def.timestep), &oracle, &error), "%s",
		          error.message);
		oracle_assert(&oracle, 2e-9, what);
		failed += oracle.failed;
		inexact += oracle.relaxed + oracle.skipped_halved;
		steps += oracle.steps;
		world_end(&world);
	}
	cr_expect_eq(failed, 0, "%s: %ld of %ld steps failed", c->name, failed, steps);
	cr_expect_leq(inexact, steps / 100, "%s: %ld of %ld steps not exact", c->name, inexact, steps);
}

static double kappas[] = {1e-4, 1e-6, 1e-8};

ParameterizedTestParameters(optimality_settings, relaxed_path)
{
	return cr_make_param_array(double, kappas, 3);
}

/* Without the finish, balances hold to the path's tolerance, kappa / 10. Every contact law holds to a few kappa. The
 * worst is the gap, kappa / (10 gamma); penetration is at most 10 kappa, and never negative here. */
ParameterizedTest(double *kappa, optimality_settings, relaxed_path)
{
	for (int kind = 0; kind < WORLD_SHAPES; kind++) {
		AbutRng rng = {(unsigned)kind};
		World world;
		world_begin(&world);
		world.def.solver.finish = ABUT_FINISH_NONE;
		world.def.solver.kappa = *kappa;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		AbutBodyDef *body = world_add(&world, make_primitive(kind, 1.0), 1.0, 0.0, 0.0, 0.8);
		abut_rng_rotation(&rng, body->orientation);
		Oracle oracle = {.steps = 0};
		AbutError error;
		cr_assert(oracle_run(&world.def, 150, &oracle, &error), "%s", error.message);
		const double *worst = oracle.worst;
		const char *name = primitive_name(kind);
		cr_expect_eq(oracle.failed, 0, "%s: %ld failed", name, oracle.failed);
		cr_expect_eq(oracle.judged + oracle.skipped_halved, oracle.steps, "%s", name);
		cr_expect_leq(worst[ORACLE_LINEAR], fmax(*kappa, 1e-9), "%s: %g", name, worst[ORACLE_LINEAR]);
		cr_expect_leq(worst[ORACLE_ANGULAR], fmax(*kappa, 1e-9), "%s: %g", name, worst[ORACLE_ANGULAR]);
		cr_expect_leq(worst[ORACLE_POSE], 1e-13, "%s: %g", name, worst[ORACLE_POSE]);
		cr_expect_leq(worst[ORACLE_NORMAL_SIGN], 0.0, "%s: %g", name, worst[ORACLE_NORMAL_SIGN]);
		cr_expect_leq(worst[ORACLE_CONE], *kappa, "%s: %g", name, worst[ORACLE_CONE]);
		cr_expect_leq(worst[ORACLE_COMPLEMENTARITY], 10.0 * *kappa, "%s: %g", name,
		              worst[ORACLE_COMPLEMENTARITY]);
		cr_expect_leq(worst[ORACLE_PENETRATION], 10.0 * *kappa, "%s: %g", name, worst[ORACLE_PENETRATION]);
		cr_expect_leq(worst[ORACLE_INACTIVE], 0.0, "%s: %g", name, worst[ORACLE_INACTIVE]);
		cr_expect_leq(worst[ORACLE_THROWN], 0.0, "%s: %g", name, worst[ORACLE_THROWN]);
		world_end(&world);
	}
}

/* A dumbbell of two balls and a bar, and a cross of two boxes, have inertia from their parts. Frictions and torsional
 * radii are given by body and by pair, one of them named in reverse order. Inputs are constant. */
Test(optimality_settings, parts_and_values)
{
	AbutShape *parts[5] = {make_sphere(0.25), make_sphere(0.2), make_cylinder(0.08, 0.9), make_box(0.5, 0.12, 0.1),
	                       make_box(0.12, 0.5, 0.1)};
	static const double eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	cr_assert_eq(abut_shape_move(parts[0], eye, (const double[3]){0.0, 0.0, 0.5}, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_move(parts[1], eye, (const double[3]){0.0, 0.0, -0.45}, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_move(parts[4], eye, (const double[3]){0.2, 0.0, 0.0}, NULL), ABUT_OK);
	long failed = 0, inexact = 0, steps = 0;
	/* Computing the mass of round overlaps takes long, so it is given as if nothing overlapped. */
	const AbutMassProperties masses[2] = {abut_parts_mass(3, (const AbutShape *const *)parts),
	                                      abut_parts_mass(2, (const AbutShape *const *)&parts[3])};
	for (unsigned seed = 0; seed < 8; seed++) {
		AbutRng rng = {seed};
		World world;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.05, 1.0)->friction = 0.8;
		AbutBodyDef *dumbbell = world_add(&world, make_sphere(0.1), 0.0, 0.0, 0.0, 0.9);
		AbutBodyDef *cross = world_add(&world, make_sphere(0.1), 2.0, 0.1, 0.1, 2.0);
		dumbbell->is_static = false;
		dumbbell->mass = 800.0 * masses[0].volume;
		dumbbell->parts = (const AbutShape *const *)parts;
		dumbbell->n_parts = 3;
		dumbbell->force[0] = 3.0;
		cross->parts = (const AbutShape *const *)&parts[3];
		cross->n_parts = 2;
		cross->friction = 0.2;
		cross->torque[2] = 0.3;
		for (int b = 0; b < 2; b++) {
			AbutBodyDef *body = b == 0 ? dumbbell : cross;
			body->has_centre_of_mass = body->has_inertia = true;
			abut_copy3(masses[b].centre_of_mass, body->centre_of_mass);
			for (int k = 0; k < 9; k++) {
				body->inertia[k] = body->mass / masses[b].volume * masses[b].inertia[k];
			}
		}
		abut_rng_rotation(&rng, dumbbell->orientation);
		abut_rng_rotation(&rng, cross->orientation);
		world_add_pair(&world, 2, 1)->friction = 0.4;
		world_add_pair(&world, 1, 0)->torsional_radius = seed % 2 ? 0.0 : 0.15;
		Oracle oracle = {.steps = 0};
		AbutError error;
		char what[64];
		snprintf(what, sizeof what, "parts, seed %u", seed);
		cr_assert(oracle_run(&world.def, 150, &oracle, &error), "%s", error.message);
		oracle_assert(&oracle, 2e-9, what);
		failed += oracle.failed;
		inexact += oracle.relaxed + oracle.skipped_halved;
		steps += oracle.steps;
		world_end(&world);
	}
	cr_expect_eq(failed, 0, "%ld of %ld steps failed", failed, steps);
	cr_expect_leq(inexact, steps / 50, "%ld of %ld steps not exact", inexact, steps);
	for (int i = 0; i < 5; i++) {
		abut_shape_destroy(parts[i]);
	}
}
