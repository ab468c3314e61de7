/* Compares the derivative of an exact step by a friction coefficient of 0, and by a torsional radius of 0, with closed
 * forms. It is the derivative from above: friction begins to oppose sliding, or spinning in place. On the path it
 * begins with the square. tests/cli/grad/grad.c compares a push beside the spin with differences. */
#include "dynamics/step_differences.h"

static const double g = 9.81, half[3] = {0.2, 0.15, 0.1}, mass = 2.0;

/* The motion of a box on the floor, and the parameters of their contact. */
typedef struct Slide {
	double velocity[2], spin, friction, radius; /* m/s, rad/s, -, m */
	AbutFrictionCone cone;
} Slide;

/* Computes the column of the step by `kind` of the contact, as impulses over mass dt g: along x and y, and the moment
 * about z (m). The moment of a spin w of the variational integrator is Jz w sqrt(1 - x^2), x = dt w / 2. */
static void column_of(const Slide *slide, AbutParameterKind kind, double kappa, double out[3])
{
	World world;
	AbutGradient *gradient;
	AbutError error = {.status = ABUT_OK};
	const AbutParameter parameter = {kind, 0, 1, -1, 0};
	double column[GRADIENT_ROWS];
	world_begin(&world);
	world.def.solver.friction_cone = slide->cone;
	world_add_floor(&world, 0.0, 0.0, 1.0);
	AbutBodyDef *box = world_add(&world, make_box(half[0], half[1], half[2]), mass, 0.0, 0.0, half[2]);
	memcpy(box->linear_velocity, slide->velocity, sizeof slide->velocity);
	box->angular_velocity[2] = slide->spin;
	AbutPairDef *pair = world_add_pair(&world, 0, 1);
	pair->friction = slide->friction;
	pair->torsional_radius = slide->radius;
	world_make(&world);
	cr_assert_eq(abut_gradient_create(world.model, kappa, &gradient, NULL), ABUT_OK);
	cr_assert_eq(abut_gradient_select(gradient, 1, &parameter, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
	             ABUT_OK);
	cr_expect(world.info.exact);
	cr_expect_eq(abut_gradient_parameters(gradient, column, &error), ABUT_OK, "%s", error.message);
	const double unit = g * world.def.timestep, x = 0.5 * slide->spin * world.def.timestep;
	const double momentum_by_spin = (half[0] * half[0] + half[1] * half[1]) / 3.0 * (1.0 - 2.0 * x * x);
	out[0] = column[ABUT_GRADIENT_LINEAR] / unit;
	out[1] = column[ABUT_GRADIENT_LINEAR + 1] / unit;
	out[2] = column[ABUT_GRADIENT_ANGULAR + 2] / unit * momentum_by_spin / sqrt(1.0 - x * x);
	abut_gradient_destroy(gradient);
	world_end(&world);
}

static void expect_column(const Slide *slide, AbutParameterKind kind, double kappa, double x, double y, double turn)
{
	double column[3];
	const double expected[3] = {x, y, turn};
	column_of(slide, kind, kappa, column);
	for (int i = 0; i < 3; i++) {
		cr_expect_float_eq(column[i], expected[i], 1e-7, "%s, cone %d, kappa %g, row %d: %.9g, not %.9g",
		                   abut_parameter_kind_name(kind), slide->cone, kappa, i, column[i], expected[i]);
	}
}

/* The cone opposes slip and spin together, as the vector (vx, vy, r w); the pyramid only the largest of them. */
Test(gradient_no_friction, what_slides_is_opposed)
{
	Slide slide = {.velocity = {0.3, -0.1}, .spin = 2.0, .radius = 0.08, .cone = ABUT_FRICTION_CONE_SOC};
	const double turn = slide.radius * slide.spin, size = sqrt(0.09 + 0.01 + turn * turn);
	expect_column(&slide, ABUT_PARAMETER_FRICTION, 0.0, -0.3 / size, 0.1 / size, -slide.radius * turn / size);
	expect_column(&slide, ABUT_PARAMETER_FRICTION, 1e-4, 0.0, 0.0, 0.0);
	expect_column(&slide, ABUT_PARAMETER_TORSIONAL_RADIUS, 0.0, 0.0, 0.0, 0.0);
	slide.cone = ABUT_FRICTION_CONE_PYRAMID;
	expect_column(&slide, ABUT_PARAMETER_FRICTION, 0.0, -1.0, 0.0, 0.0);
	slide.velocity[1] = -0.5;
	expect_column(&slide, ABUT_PARAMETER_FRICTION, 0.0, 0.0, 1.0, 0.0);
	slide.spin = -20.0;
	expect_column(&slide, ABUT_PARAMETER_FRICTION, 0.0, 0.0, 0.0, slide.radius);
}

/* A body at rest needs no friction, so that more friction changes nothing. */
Test(gradient_no_friction, what_rests_is_left_alone)
{
	const Slide slide = {.radius = 0.08, .cone = ABUT_FRICTION_CONE_SOC};
	expect_column(&slide, ABUT_PARAMETER_FRICTION, 0.0, 0.0, 0.0, 0.0);
}

/* For a body that spins without sliding, all of the friction opposes the spin. For a sliding body nothing opposes the
 * spin yet. */
Test(gradient_no_friction, what_spins_in_place_is_opposed)
{
	for (int cone = 0; cone < 2; cone++) {
		Slide slide = {.spin = -2.0, .friction = 0.4, .cone = (AbutFrictionCone)cone};
		expect_column(&slide, ABUT_PARAMETER_TORSIONAL_RADIUS, 0.0, 0.0, 0.0, slide.friction);
		slide.velocity[0] = 1.0;
		expect_column(&slide, ABUT_PARAMETER_TORSIONAL_RADIUS, 0.0, 0.0, 0.0, 0.0);
	}
}
