/* Compares the derivative of a step of method point-ncp with differences of steps, and tests what it refuses. */
#include <stdio.h>

#include "dynamics/step_differences.h"
#include "effort.h"

enum { STEPS = 120, EVERY = 16 * (4 / TEST_EFFORT(4)), SEEDS = TEST_EFFORT(2) };

typedef AbutShape *(*Make)(void);

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
	return make_capsule(0.3, 0.7);
}

/* Begins a world with one body dropped on a floor, or a second one on top of it. */
static void make_drop(World *world, Make lower, Make upper, AbutFrictionCone cone, unsigned seed)
{
	AbutRng rng = {seed};
	world_begin(world);
	world->def.solver.method = ABUT_METHOD_POINT_NCP;
	world->def.solver.friction_cone = cone;
	world_add_floor(world, 0.0, 0.1, 1.0);
	for (int i = 0; i < (upper ? 2 : 1); i++) {
		AbutBodyDef *body = world_add(world, i ? upper() : lower(), 1.0 + i, 0.1 * i, 0.0, 0.8 + 1.1 * i);
		abut_rng_rotation(&rng, body->orientation);
		for (int k = 0; k < 3; k++) {
			body->linear_velocity[k] = abut_rng_normal(&rng);
			body->angular_velocity[k] = 2.0 * abut_rng_normal(&rng);
			body->force[k] = 0.3 * abut_rng_normal(&rng);
			body->torque[k] = 0.05 * abut_rng_normal(&rng);
		}
	}
	world_make(world);
}

static void check_drops(double kappa, double bound)
{
	static const struct {
		const char *name;
		Make lower, upper;
		AbutFrictionCone cone;
	} drops[] = {{"box", a_box, NULL, ABUT_FRICTION_CONE_SOC},
	             {"capsule", a_capsule, NULL, ABUT_FRICTION_CONE_SOC},
	             {"balls", a_ball, a_ball, ABUT_FRICTION_CONE_SOC},
	             {"boxes", a_box, a_box, ABUT_FRICTION_CONE_SOC},
	             {"ball on box", a_box, a_ball, ABUT_FRICTION_CONE_SOC},
	             {"ball on capsule", a_capsule, a_ball, ABUT_FRICTION_CONE_SOC},
	             {"capsule on box", a_box, a_capsule, ABUT_FRICTION_CONE_SOC},
	             {"box on capsule", a_capsule, a_box, ABUT_FRICTION_CONE_SOC},
	             {"capsules", a_capsule, a_capsule, ABUT_FRICTION_CONE_SOC},
	             {"capsule on ball, pyramid", a_ball, a_capsule, ABUT_FRICTION_CONE_PYRAMID}};
	static const double h[] = {1e-4, 1e-5, 1e-6};
	double worst = 0.0;
	int n = 0;
	for (size_t i = 0; i < sizeof drops / sizeof *drops; i++) {
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			World world;
			AbutGradient *gradient = NULL;
			make_drop(&world, drops[i].lower, drops[i].upper, drops[i].cone, seed);
			cr_assert_eq(abut_gradient_create(world.model, kappa, &gradient, NULL), ABUT_OK);
			for (int step = 0; step < STEPS; step++) {
				if (step % EVERY != EVERY - 1) {
					world_step(&world);
					continue;
				}
				const double error = check_of_step(&world, gradient, 3, h, bound).error;
				cr_expect_lt(error, bound, "%s, seed %u, step %d: %g", drops[i].name, seed, step,
				             error);
				worst = fmax(worst, error);
				n++;
			}
			abut_gradient_destroy(gradient);
			world_end(&world);
		}
	}
	cr_log_info("kappa %g: %d steps, the worst error %.1e", kappa, n, worst);
}

Test(point_ncp_gradient, is_that_of_differences)
{
	check_drops(1e-2, 1e-6);
	check_drops(1e-4, 1e-6);
	check_drops(1e-6, 1e-6);
}

/* kappa 0 means the kappa of the steps, because there is no exact solution; but at least 1e-9. */
Test(point_ncp_gradient, is_at_kappa_by_itself)
{
	static GradientMatrix J, K;
	World world;
	AbutGradient *own = NULL, *given = NULL;
	make_drop(&world, a_box, NULL, ABUT_FRICTION_CONE_SOC, 1);
	cr_assert_eq(abut_gradient_create(world.model, 0.0, &own, NULL), ABUT_OK);
	cr_assert_eq(abut_gradient_create(world.model, world.def.solver.kappa, &given, NULL), ABUT_OK);
	cr_expect_eq(abut_gradient_kappa(own), fmax(world.def.solver.kappa, 1e-9));
	cr_expect_eq(abut_gradient_kappa(given), world.def.solver.kappa);
	world_run(&world, 60);
	AbutState *again;
	cr_assert_eq(abut_state_create(world.model, &again, NULL), ABUT_OK);
	cr_assert_eq(abut_state_copy(world.model, world.state, again), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, own, &world.info), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world.model, again, world.workspace, given, &world.info), ABUT_OK);
	cr_assert_eq(abut_gradient_matrix(own, J, NULL), ABUT_OK);
	cr_assert_eq(abut_gradient_matrix(given, K, NULL), ABUT_OK);
	cr_assert_eq(memcmp(J, K, GRADIENT_ROWS * GRADIENT_COLUMNS * sizeof(double)), 0);
	abut_state_destroy(again);
	abut_gradient_destroy(own);
	abut_gradient_destroy(given);
	world_end(&world);
}

/* A box keeps sliding. In the limit, friction mu m g changes its speed by -g dt per unit of mu. */
Test(point_ncp_gradient, by_friction_of_a_sliding_box)
{
	World world;
	AbutGradient *gradient = NULL;
	AbutParameter mu;
	world_begin(&world);
	world.def.solver.method = ABUT_METHOD_POINT_NCP;
	world.def.solver.kappa = 1e-9;
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_box(0.5, 0.5, 0.1), 2.0, 0.0, 0.0, 0.1)->linear_velocity[0] = 3.0;
	world_make(&world);
	cr_assert_eq(abut_gradient_create(world.model, 0.0, &gradient, NULL), ABUT_OK);
	world_run(&world, 10);
	cr_assert_eq(abut_parameter_list(world.model, ABUT_PARAMETER_FRICTION, 1, &mu), 1);
	cr_assert_eq(abut_gradient_select(gradient, 1, &mu, NULL), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
	             ABUT_OK);
	double column[GRADIENT_ROWS];
	cr_assert_eq(abut_gradient_parameters(gradient, column, NULL), ABUT_OK);
	cr_assert_float_eq(column[ABUT_GRADIENT_LINEAR], -9.81 * 0.01, 1e-5, "%g", column[ABUT_GRADIENT_LINEAR]);
	abut_gradient_destroy(gradient);
	world_end(&world);
}

/* Sizes and positions of shapes move contact points. Derivatives by these are not supported. */
Test(point_ncp_gradient, refuses_parameters_of_shapes)
{
	World world;
	AbutGradient *gradient = NULL;
	AbutError error = {.status = ABUT_OK};
	AbutParameter size;
	make_drop(&world, a_box, NULL, ABUT_FRICTION_CONE_SOC, 0);
	cr_assert_eq(abut_gradient_create(world.model, 0.0, &gradient, NULL), ABUT_OK);
	cr_assert_gt(abut_parameter_list(world.model, ABUT_PARAMETER_SIZE, 1, &size), 0);
	cr_assert_eq(abut_gradient_select(gradient, 1, &size, &error), ABUT_ERROR_UNSUPPORTED);
	cr_assert(strstr(error.message, "size") && strstr(error.message, "friction"), "%s", error.message);
	abut_gradient_destroy(gradient);
	world_end(&world);
}
