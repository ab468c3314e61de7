/* Tests free motion, rest and impact with known solutions. All are closed forms of the discrete law
 * (docs/formulation.md 2: velocities are averages over a step). So tolerances are those of the solver, not of the
 * integrator. The exact solve ends at a residual of 1e-10 in units of a step's motion, and errors at most add up over
 * the steps. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>

#include "base/vec3.h"
#include "dynamics/world.h"

static const double g = 9.81, dt = 0.01;

/* Free bodies are solved up to rounding: 200 sums of numbers up to 40. */
Test(closed_forms, free_fall)
{
	for (int kind = 0; kind < WORLD_SHAPES; kind++) {
		World world;
		world_begin(&world);
		AbutBodyDef *body = world_add(&world, make_primitive(kind, 1.0), 2.0, 0.3, -0.2, 5.0);
		const double v0[3] = {1.5, -0.5, 3.0};
		abut_copy3(v0, body->linear_velocity);
		const AbutBodyDef start = *body;
		world_make(&world);
		for (int n = 1; n <= 200; n++) {
			world_step(&world);
			const AbutBodyState s = world_body(&world, 0);
			for (int i = 0; i < 3; i++) {
				const double a = i == 2 ? -g : 0.0;
				const double v = v0[i] + a * n * dt;
				const double x = start.position[i] + n * dt * v0[i] + a * dt * dt * n * (n + 1) / 2.0;
				cr_assert_float_eq(s.linear_velocity[i], v, 1e-11, "%s, step %d", primitive_name(kind),
				                   n);
				cr_assert_float_eq(s.position[i], x, 1e-11, "%s, step %d: %.17g for %.17g",
				                   primitive_name(kind), n, s.position[i], x);
			}
		}
		cr_assert_float_eq(abut_state_time(world.state), 2.0, 1e-12);
		world_end(&world);
	}
}

/* A force and a torque about a principal axis act: v grows by (g + f/m) dt, and l = cos(turn / 2) w by dt tau / J. */
Test(closed_forms, force_and_torque)
{
	World world;
	world_begin(&world);
	AbutBodyDef *body = world_add(&world, make_box(0.5, 0.4, 0.3), 2.0, 0.0, 0.0, 0.0);
	body->force[0] = 3.0;
	body->torque[2] = 0.4;
	world_make(&world);
	const double J = 2.0 / 3.0 * (0.25 + 0.16);
	for (int n = 1; n <= 100; n++) {
		world_step(&world);
		const AbutBodyState s = world_body(&world, 0);
		const double w = s.angular_velocity[2];
		cr_assert_float_eq(s.linear_velocity[0], 1.5 * n * dt, 1e-12);
		cr_assert_float_eq(sqrt(1.0 - 0.25 * dt * dt * w * w) * w, 0.4 / J * n * dt, 1e-10, "step %d", n);
	}
	world_end(&world);
}

/* A sphere turns about a fixed axis by 2 asin(dt w / 2) per step. The solve stops at 1e-11 of w in each step. */
Test(closed_forms, spin_of_a_sphere)
{
	World world;
	world_begin(&world);
	AbutBodyDef *body = world_add(&world, make_sphere(0.3), 1.0, 0.0, 0.0, 0.0);
	const double w[3] = {3.0, -20.0, 12.0};
	abut_copy3(w, body->angular_velocity);
	world_make(&world);
	world_run(&world, 150);
	const AbutBodyState s = world_body(&world, 0);
	double q[4], sign = 1.0;
	turn_about(w[0], w[1], w[2], 150.0 * 2.0 * asin(0.5 * dt * abut_norm3(w)), q);
	sign =
	    q[0] * s.orientation[0] + q[1] * s.orientation[1] + q[2] * s.orientation[2] + q[3] * s.orientation[3] < 0.0
	        ? -1.0
	        : 1.0;
	for (int i = 0; i < 4; i++) {
		cr_assert_float_eq(s.orientation[i], sign * q[i], 1e-9, "%g", s.orientation[i] - sign * q[i]);
	}
	for (int i = 0; i < 3; i++) {
		cr_assert_float_eq(s.angular_velocity[i], w[i], 1e-8);
	}
	world_end(&world);
}

/* Computes the moment of a free body that the variational integrator keeps: R (c J w - (dt/2) w x J w), world axes. */
static void discrete_moment(const AbutBodyState *s, const double J[3], double step, double out[3])
{
	const double *w = s->angular_velocity;
	const double Jw[3] = {J[0] * w[0], J[1] * w[1], J[2] * w[2]};
	const double c = sqrt(1.0 - 0.25 * step * step * abut_dot3(w, w));
	double R[9], cross[3];
	abut_cross3(w, Jw, cross);
	for (int i = 0; i < 3; i++) {
		out[i] = c * Jw[i] - 0.5 * step * cross[i];
	}
	abut_quat_to_mat3(s->orientation, R);
	abut_mat3_vec(R, out, out);
}

static const double box_half[3] = {0.5, 0.3, 0.1};

static void box_moments(double J[3])
{
	for (int i = 0; i < 3; i++) {
		const double a = box_half[(i + 1) % 3], b = box_half[(i + 2) % 3];
		J[i] = (a * a + b * b) / 3.0;
	}
}

static void begin_spin(World *world, double step)
{
	world_begin(world);
	world->def.timestep = step;
	AbutBodyDef *body = world_add(world, make_box(box_half[0], box_half[1], box_half[2]), 1.0, 0.0, 0.0, 0.0);
	const double w[3] = {0.4, 6.0, 1.0}; /* near the middle axis: it tumbles */
	abut_copy3(w, body->angular_velocity);
	world_make(world);
}

/* The discrete moment is constant for every timestep. The energy oscillates within (dt w)^2 and does not drift. */
Test(closed_forms, spin_of_a_box_keeps_moment_and_energy)
{
	double J[3];
	box_moments(J);
	for (int rate = 20; rate <= 200; rate *= 10) {
		World world;
		begin_spin(&world, 1.0 / rate);
		double first[3], last[3], low = INFINITY, high = 0.0, early = 0.0, late = 0.0;
		AbutBodyState s = world_body(&world, 0);
		discrete_moment(&s, J, 1.0 / rate, first);
		const double size = abut_norm3(first);
		const int steps = 100 * rate; /* a hundred seconds, tens of tumbles */
		for (int n = 0; n < steps; n++) {
			world_step(&world);
			s = world_body(&world, 0);
			const double *w = s.angular_velocity;
			const double energy = 0.5 * (J[0] * w[0] * w[0] + J[1] * w[1] * w[1] + J[2] * w[2] * w[2]);
			low = fmin(low, energy);
			high = fmax(high, energy);
			early += n < steps / 2 ? energy : 0.0;
			late += n < steps / 2 ? 0.0 : energy;
			discrete_moment(&s, J, 1.0 / rate, last);
			for (int i = 0; i < 3; i++) { /* 1e-11 of m r^2 w a step, some ten times the moment */
				cr_assert_float_eq(last[i], first[i], 1e-9 * size * (1.0 + 0.1 * n),
				                   "%d Hz, step %d: %g", rate, n, last[i] - first[i]);
			}
		}
		const double turn = 6.1 / rate;
		cr_assert_leq(high - low, turn * turn * high, "%d Hz: energy from %g to %g", rate, low, high);
		cr_assert_float_eq(late / early, 1.0, 0.1 * turn * turn, "%d Hz: energy drifts by %g", rate,
		                   late / early - 1.0);
		world_end(&world);
	}
}

typedef struct Euler {
	double q[4], w[3];
} Euler;

static void euler_rate(const Euler *at, const double J[3], Euler *out)
{
	const double *w = at->w;
	const double w4[4] = {0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
	abut_quat_mul(at->q, w4, out->q);
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		out->w[i] = (J[j] - J[k]) * w[j] * w[k] / J[i];
	}
}

static Euler add_scaled(const Euler *a, double t, const Euler *b)
{
	Euler out;
	for (int i = 0; i < 4; i++) {
		out.q[i] = a->q[i] + t * b->q[i];
	}
	for (int i = 0; i < 3; i++) {
		out.w[i] = a->w[i] + t * b->w[i];
	}
	return out;
}

/* Solves Euler's equations by Runge-Kutta with steps of 1e-4 s, whose error of order 1e-13 is negligible here. */
static void euler_reference(Euler *at, const double J[3], double time)
{
	const double step = 1e-4;
	for (long n = lround(time / step); n > 0; n--) {
		Euler k1, k2, k3, k4;
		euler_rate(at, J, &k1);
		Euler mid = add_scaled(at, 0.5 * step, &k1);
		euler_rate(&mid, J, &k2);
		mid = add_scaled(at, 0.5 * step, &k2);
		euler_rate(&mid, J, &k3);
		mid = add_scaled(at, step, &k3);
		euler_rate(&mid, J, &k4);
		*at = add_scaled(at, step / 6.0, &k1);
		*at = add_scaled(at, step / 3.0, &k2);
		*at = add_scaled(at, step / 3.0, &k3);
		*at = add_scaled(at, step / 6.0, &k4);
		abut_quat_normalise(at->q);
	}
}

/* The pose after a second of tumbling converges to that of Euler's equations with order 2. Both start with the same
 * moment, because a discrete velocity is an average over the step before. */
Test(closed_forms, spin_of_a_box_converges)
{
	double J[3], error[3];
	box_moments(J);
	for (int k = 0; k < 3; k++) {
		const double step = 0.01 / (1 << k);
		World world;
		begin_spin(&world, step);
		AbutBodyState s = world_body(&world, 0);
		Euler reference = {.q = {1.0, 0.0, 0.0, 0.0}};
		discrete_moment(&s, J, step, reference.w);
		for (int i = 0; i < 3; i++) {
			reference.w[i] /= J[i];
		}
		euler_reference(&reference, J, 1.0);
		world_run(&world, 100 << k);
		s = world_body(&world, 0);
		double dot = 0.0;
		for (int i = 0; i < 4; i++) {
			dot += s.orientation[i] * reference.q[i];
		}
		double square = 0.0;
		for (int i = 0; i < 4; i++) {
			const double difference = s.orientation[i] - (dot < 0.0 ? -1.0 : 1.0) * reference.q[i];
			square += difference * difference;
		}
		error[k] = sqrt(square);
		world_end(&world);
	}
	cr_assert_lt(error[0], 0.02);
	for (int k = 0; k < 2; k++) { /* 4 when asymptotic; higher terms stir it by (dt w)^2 */
		cr_assert_float_eq(error[k] / error[k + 1], 4.0, 0.4, "errors %g, %g, %g", error[0], error[1],
		                   error[2]);
	}
}

/* At rest the normal impulse carries the weight, m g dt, and nothing moves. 1e-10 in units of m sqrt(g r) is 3e-9 of
 * this impulse. */
Test(closed_forms, sphere_at_rest)
{
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_sphere(0.3), 2.0, 0.1, 0.2, 0.3);
	world_make(&world);
	for (int n = 0; n < 100; n++) {
		world_step(&world);
		const AbutContact contact = world_touch(&world, 0, 1);
		const AbutBodyState s = world_body(&world, 1);
		cr_assert(world.info.exact);
		cr_assert_float_eq(contact.normal_impulse, 2.0 * g * dt, 1e-8 * 2.0 * g * dt);
		cr_assert_float_eq(contact.gap, 0.0, 1e-9);
		cr_assert_float_eq(contact.normal[2], 1.0, 1e-9); /* a the floor, b the sphere */
		cr_assert_float_eq(contact.point[0], 0.1, 1e-8);
		cr_assert_float_eq(contact.point[1], 0.2, 1e-8);
		cr_assert_float_eq(contact.point[2], 0.0, 1e-9);
		cr_assert_lt(abut_norm3(s.linear_velocity), 1e-9);
		cr_assert_float_eq(s.position[2], 0.3, 1e-9);
	}
	world_end(&world);
}

/* Spheres are stacked on an axis. Each contact carries all spheres above it. */
Test(closed_forms, spheres_stacked)
{
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_sphere(0.5), 2.0, 0.0, 0.0, 0.5);
	world_add(&world, make_sphere(0.3), 1.0, 0.0, 0.0, 1.3);
	world_make(&world);
	for (int n = 0; n < 100; n++) {
		world_step(&world);
		AbutContact far;
		cr_assert_float_eq(world_touch(&world, 0, 1).normal_impulse, 3.0 * g * dt, 1e-8, "step %d", n);
		cr_assert_float_eq(world_touch(&world, 1, 2).normal_impulse, 1.0 * g * dt, 1e-8, "step %d", n);
		world_find(&world, 0, 2, &far);
		cr_assert_float_eq(far.normal_impulse, 0.0, 1e-8, "step %d", n);
		cr_assert_float_eq(world_body(&world, 2).position[2], 1.3, 1e-9);
	}
	world_end(&world);
}

typedef struct Impact {
	double offset; /* of the second sphere's path, m */
	double masses[2];
	double speed;
	bool head_on;
} Impact;

static Impact impacts[] = {{0.0, {1.0, 1.0}, 1.0, true},  {0.0, {1.0, 3.0}, 0.2, true},
                           {0.0, {2.0, 1.0}, 5.0, true},  {0.3, {1.0, 1.0}, 1.0, false},
                           {0.3, {0.5, 4.0}, 2.0, false}, {0.55, {1.0, 1.0}, 3.0, false}};

ParameterizedTestParameters(closed_forms, impact_of_spheres)
{
	return cr_make_param_array(Impact, impacts, sizeof impacts / sizeof *impacts);
}

/* Two spheres collide without gravity and friction. The momentum is constant up to rounding (at most the solver's
 * 1e-10), and the normal part of the relative velocity vanishes. After a central impact both continue with the mean
 * velocity. */
ParameterizedTest(Impact *c, closed_forms, impact_of_spheres)
{
	World world;
	world_begin(&world);
	world.def.gravity[2] = 0.0;
	world.def.friction = 0.0;
	AbutBodyDef *a = world_add(&world, make_sphere(0.3), c->masses[0], 0.0, 0.0, 0.0);
	world_add(&world, make_sphere(0.3), c->masses[1], 1.0, c->offset, 0.0);
	a->linear_velocity[0] = c->speed;
	world_make(&world);
	const double momentum = c->masses[0] * c->speed;
	bool touched = false;
	double last_impulse = 0.0;
	for (int n = 0; n < (int)(1.2 / (c->speed * dt)); n++) {
		world_step(&world);
		const AbutBodyState s[2] = {world_body(&world, 0), world_body(&world, 1)};
		AbutContact contact;
		double total[3], relative[3];
		for (int i = 0; i < 3; i++) {
			total[i] = c->masses[0] * s[0].linear_velocity[i] + c->masses[1] * s[1].linear_velocity[i];
			relative[i] = s[1].linear_velocity[i] - s[0].linear_velocity[i];
		}
		cr_assert_float_eq(total[0], momentum, 1e-9 * momentum);
		cr_assert_float_eq(total[1], 0.0, 1e-9 * momentum);
		const double impulse = world_find(&world, 0, 1, &contact) ? contact.normal_impulse : 0.0;
		if (touched && last_impulse > 1e-6 * momentum) {
			/* in the step after the first touch the gap stays closed or opens */
			cr_assert_gt(abut_dot3(relative, contact.normal), -0.02 * c->speed, "step %d", n);
		}
		touched = touched || impulse > 1e-6 * momentum;
		last_impulse = impulse;
	}
	cr_assert(touched, "offset %g at %g m/s: they passed", c->offset, c->speed);
	const AbutBodyState s[2] = {world_body(&world, 0), world_body(&world, 1)};
	if (c->head_on) {
		const double mean = momentum / (c->masses[0] + c->masses[1]);
		for (int i = 0; i < 2; i++) { /* a gap closed to 1e-11 of the size, over a timestep */
			cr_assert_float_eq(s[i].linear_velocity[0], mean, 2e-9, "body %d: %.12g for %.12g", i,
			                   s[i].linear_velocity[0], mean);
		}
	}
	for (int i = 0; i < 3; i++) { /* frictionless spheres do not turn */
		cr_assert_float_eq(s[0].angular_velocity[i], 0.0, 1e-9 * c->speed);
		cr_assert_float_eq(s[1].angular_velocity[i], 0.0, 1e-9 * c->speed);
	}
	world_end(&world);
}
