/* Tests products of the derivative in joint coordinates with vectors, and chains of them. */
#include "dynamics/linear/linear_differences.h"
#include "dynamics/robot/robot_scenes.h"

enum { MOST = 128, STEPS = 6 };

static void draw(AbutRng *rng, double *out, int n)
{
	for (int i = 0; i < n; i++) {
		out[i] = abut_rng_uniform(rng, -1.0, 1.0);
	}
}

/* out += M x, or M' x if `transposed`. */
static void add_product(const double *M, int rows, int columns, bool transposed, const double *x, double *out)
{
	for (int i = 0; i < rows; i++) {
		for (int k = 0; k < columns; k++) {
			out[transposed ? k : i] += M[i * columns + k] * x[transposed ? i : k];
		}
	}
}

static void expect_near(const double *a, const double *b, int n, const char *name, unsigned seed)
{
	const double largest = fmax(robot_largest(b, n), 1e-3);
	for (int i = 0; i < n; i++) {
		cr_expect_leq(fabs(a[i] - b[i]), 1e-8 * largest, "%s, seed %u, entry %d: %g, not %g", name, seed, i,
		              a[i], b[i]);
	}
}

/* A random tree with motors, and the parameters by which it is differentiated. */
static int begin(TestRobot *t, LinearCase *c, unsigned seed)
{
	AbutParameter parameters[MOST];
	AbutError error = {.message = ""};
	robot_define(t, 6, seed % 2 == 0, seed);
	for (int i = 0; i < t->scene.def.n_joints; i++) {
		AbutJointDef *joint = &t->scene.joints[i];
		if (joint->type != ABUT_JOINT_FIXED) {
			joint->axes[0].damping = 0.1;
			joint->axes[0].motor = (AbutMotorDef){ABUT_MOTOR_POSITION, 5.0, 0.2, INFINITY, 0.1};
		}
	}
	robot_make(t, seed);
	linear_begin(c, t->scene.model, 0.0);
	memcpy(c->q, t->q, (size_t)t->n_q * sizeof *c->q);
	memcpy(c->qdot, t->qdot, (size_t)t->n_v * sizeof *c->qdot);
	int n = abut_parameter_list(c->model, ABUT_PARAMETER_MASS, MOST, parameters);
	n += abut_parameter_list(c->model, ABUT_PARAMETER_JOINT_DAMPING, MOST - n, parameters + n);
	n += abut_parameter_list(c->model, ABUT_PARAMETER_MOTOR_STIFFNESS, MOST - n, parameters + n);
	cr_assert_eq(abut_linear_select(c->linear, n, parameters, &error), ABUT_OK, "%s", error.message);
	return n;
}

static void end(TestRobot *t, LinearCase *c)
{
	linear_end(c);
	robot_end(t);
}

Test(linear_products, are_those_of_the_matrices)
{
	for (unsigned seed = 0; seed < 8; seed++) {
		TestRobot t;
		LinearCase c;
		AbutRng rng = {seed + 5};
		AbutError error = {.message = ""};
		double x[MOST], u[MOST], p[MOST], out[MOST], expected[MOST], by_u[MOST], by_p[MOST], pulled[MOST];
		const int n_p = begin(&t, &c, seed);
		double *P = linear_array(c.n_x * n_p);
		cr_assert_eq(linear_take(&c, &error), ABUT_OK, "%s", error.message);
		cr_assert_eq(abut_linear_matrices(c.linear, NULL, NULL, P, &error), ABUT_OK);
		draw(&rng, x, c.n_x);
		draw(&rng, u, c.n_u);
		draw(&rng, p, n_p);
		memset(expected, 0, sizeof expected);
		add_product(c.A, c.n_x, c.n_x, false, x, expected);
		add_product(c.B, c.n_x, c.n_u, false, u, expected);
		add_product(P, c.n_x, n_p, false, p, expected);
		cr_assert_eq(abut_linear_forward(c.linear, x, u, p, out, &error), ABUT_OK);
		expect_near(out, expected, c.n_x, "forward", seed);
		cr_assert_eq(abut_linear_backward(c.linear, x, out, by_u, by_p, &error), ABUT_OK);
		memset(pulled, 0, sizeof pulled);
		add_product(c.A, c.n_x, c.n_x, true, x, pulled);
		expect_near(out, pulled, c.n_x, "by x", seed);
		memset(pulled, 0, sizeof pulled);
		add_product(c.B, c.n_x, c.n_u, true, x, pulled);
		expect_near(by_u, pulled, c.n_u, "by u", seed);
		memset(pulled, 0, sizeof pulled);
		add_product(P, c.n_x, n_p, true, x, pulled);
		expect_near(by_p, pulled, n_p, "by p", seed);
		free(P);
		end(&t, &c);
	}
}

/* Takes steps from q + s dq with targets + s du, and returns the difference of the end from `from` in x. */
static void roll(LinearCase *c, const double *start, const double *inputs, double s, const double *q0, const double *r0,
                 double *out)
{
	double scaled[MOST], q[MOST], rates[MOST];
	for (int i = 0; i < c->n_v; i++) {
		scaled[i] = s * start[i];
		rates[i] = c->qdot[i] + s * start[c->n_v + i];
	}
	cr_assert_eq(abut_robot_integrate(c->robot, c->q, scaled, 1.0, q), ABUT_OK);
	cr_assert_eq(abut_robot_set_state(c->robot, q, rates, c->probe), ABUT_OK);
	for (int k = 0; k < STEPS; k++) {
		AbutStepInfo info = {.row = 0};
		for (int i = 0; i < c->n_u; i++) {
			const AbutParameter motor = abut_linear_input(c->linear, i);
			abut_state_set_motor(c->model, c->probe, motor.part, motor.index,
			                     0.1 + s * inputs[k * c->n_u + i]);
		}
		cr_assert_eq(abut_step(c->model, c->probe, c->workspace, &info), ABUT_OK);
	}
	cr_assert_eq(abut_robot_get_state(c->robot, c->probe, q, rates), ABUT_OK);
	if (q0) {
		cr_assert_eq(abut_robot_difference(c->robot, q0, q, out), ABUT_OK);
		for (int i = 0; i < c->n_v; i++) {
			out[c->n_v + i] = rates[i] - r0[i];
		}
	} else {
		memcpy(out, q, (size_t)c->n_q * sizeof *out);
		memcpy(out + MOST / 2, rates, (size_t)c->n_v * sizeof *out);
	}
}

Test(linear_products, chain_over_rollouts)
{
	TestRobot t;
	LinearCase c;
	AbutRng rng = {3};
	AbutError error = {.message = ""};
	AbutLinear *steps[STEPS];
	double start[MOST], inputs[STEPS * MOST], base[MOST], plus[MOST], minus[MOST], out[MOST];
	double by_states[(STEPS + 1) * MOST], by_start[MOST], by_inputs[STEPS * MOST];
	begin(&t, &c, 1);
	cr_assert_eq(abut_robot_set_state(c.robot, c.q, c.qdot, c.probe), ABUT_OK);
	for (int k = 0; k < STEPS; k++) {
		AbutStepInfo info = {.row = 0};
		cr_assert_eq(abut_linear_create(c.model, 0.0, &steps[k], &error), ABUT_OK);
		cr_assert_eq(abut_linear_step(steps[k], c.probe, c.workspace, &info), ABUT_OK);
	}
	draw(&rng, start, c.n_x);
	draw(&rng, inputs, STEPS * c.n_u);
	roll(&c, start, inputs, 0.0, NULL, NULL, base);
	roll(&c, start, inputs, 1e-4, base, base + MOST / 2, plus);
	roll(&c, start, inputs, -1e-4, base, base + MOST / 2, minus);
	cr_assert_eq(abut_linear_forward_through(STEPS, steps, start, inputs, NULL, out, &error), ABUT_OK, "%s",
	             error.message);
	const double largest = robot_largest(out, c.n_x);
	for (int i = 0; i < c.n_x; i++) {
		const double expected = (plus[i] - minus[i]) / 2e-4;
		cr_expect_leq(fabs(out[i] - expected), 2e-6 * largest, "entry %d: %g, not %g", i, out[i], expected);
	}
	/* <by_states, forward> = <backward, changes>, with a cost of the last state */
	memset(by_states, 0, sizeof by_states);
	draw(&rng, &by_states[STEPS * c.n_x], c.n_x);
	cr_assert_eq(abut_linear_backward_through(STEPS, steps, by_states, by_start, by_inputs, NULL, &error), ABUT_OK);
	double ahead = 0.0, back = 0.0;
	for (int i = 0; i < c.n_x; i++) {
		ahead += by_states[STEPS * c.n_x + i] * out[i];
		back += by_start[i] * start[i];
	}
	for (int i = 0; i < STEPS * c.n_u; i++) {
		back += by_inputs[i] * inputs[i];
	}
	cr_expect_float_eq(ahead, back, 1e-9 * fabs(ahead) + 1e-9);
	for (int k = 0; k < STEPS; k++) {
		abut_linear_destroy(steps[k]);
	}
	end(&t, &c);
}

Test(linear_products, names_and_refuses)
{
	TestRobot t;
	LinearCase c;
	AbutError error = {.message = ""};
	AbutParameter centre;
	double x[MOST] = {0.0}, out[MOST];
	char name[32];
	int body = 0;
	begin(&t, &c, 1); /* floats */
	while (abut_robot_base_velocity(c.robot, body) < 0) {
		body++;
	}
	const int base = abut_robot_base_velocity(c.robot, body);
	snprintf(name, sizeof name, "n%d.x", body);
	cr_expect_str_eq(abut_linear_state_name(c.linear, base), name);
	snprintf(name, sizeof name, "n%d.rz", body);
	cr_expect_str_eq(abut_linear_state_name(c.linear, base + 5), name);
	snprintf(name, sizeof name, "n%d.wx", body);
	cr_expect_str_eq(abut_linear_state_name(c.linear, c.n_v + base + 3), name);
	cr_expect_str_eq(abut_linear_state_name(c.linear, c.n_x), "");
	cr_expect_str_eq(abut_linear_input_name(c.linear, -1), "");
	cr_expect_eq(abut_linear_input(c.linear, c.n_u).part, -1);
	cr_expect_eq(abut_linear_forward(c.linear, x, NULL, NULL, out, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.message, "no solved step has been differentiated; take a step first");
	cr_assert_eq(linear_take(&c, &error), ABUT_OK);
	x[1] = (double)NAN;
	cr_expect_eq(abut_linear_forward(c.linear, x, NULL, NULL, out, &error), ABUT_ERROR_ARGUMENT);
	cr_assert_geq(abut_parameter_list(c.model, ABUT_PARAMETER_CENTRE_OF_MASS, 1, &centre), 1);
	cr_expect_eq(abut_linear_select(c.linear, 1, &centre, &error), ABUT_ERROR_UNSUPPORTED);
	cr_expect_eq(abut_linear_matrices(NULL, NULL, NULL, NULL, &error), ABUT_ERROR_ARGUMENT);
	end(&t, &c);
}

/* The law of a box on a hinge by hand, at rest hanging down: J (w+ - w) = dt (-m g l q - d w+ + u), q+ = q + dt w+. */
Test(linear_products, equal_the_law_of_a_pendulum_by_hand)
{
	static const double half[3] = {0.05, 0.05, 0.5}, place[3] = {0.0, 0.0, -0.5}, top[3] = {0.0, 0.0, 0.0},
	                    y[3] = {0.0, 1.0, 0.0};
	const double dt = 0.01, m = 2.0, l = 0.5, d = 0.3, g = 9.81;
	const double J = m / 3.0 * (half[0] * half[0] + half[2] * half[2]) + m * l * l;
	JointScene scene;
	LinearCase c;
	AbutError error = {.message = ""};
	joint_scene_begin(&scene, dt);
	joint_scene_box(&scene, half, m, place);
	AbutJointDef *joint = joint_scene_joint(&scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, 0, top, y);
	joint->axes[0].damping = d;
	joint->axes[0].motor.type = ABUT_MOTOR_FORCE;
	joint_scene_make(&scene);
	linear_begin(&c, scene.model, 0.0);
	cr_assert_eq(linear_take(&c, &error), ABUT_OK, "%s", error.message);
	const double I = J + dt * d;
	const double rate[3] = {-dt * m * g * l / I, J / I, dt / I};
	const double A[4] = {1.0 + dt * rate[0], dt * rate[1], rate[0], rate[1]}, B[2] = {dt * rate[2], rate[2]};
	for (int i = 0; i < 4; i++) {
		cr_expect_float_eq(c.A[i], A[i], 1e-9, "A[%d]: %.12g, not %.12g", i, c.A[i], A[i]);
	}
	for (int i = 0; i < 2; i++) {
		cr_expect_float_eq(c.B[i], B[i], 1e-9, "B[%d]: %.12g, not %.12g", i, c.B[i], B[i]);
	}
	linear_end(&c);
	joint_scene_end(&scene);
}
