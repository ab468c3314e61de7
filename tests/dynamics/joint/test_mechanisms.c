/* Compares mechanisms with minimal coordinates and conservation laws. */
#include "dynamics/joint_momenta.h"
#include "dynamics/model/model.h"
#include "dynamics/state/state.h"
#include "dynamics/step/workspace.h"

/* Integrates q'' = f(q, q') for n coordinates by the classical Runge-Kutta method. */
typedef void Acceleration(const double *q, const double *rate, double *out);

static void runge_kutta(Acceleration *f, int n, double h, double *q, double *rate)
{
	double k[4][2][2] = {{{0.0}}};
	for (int s = 0; s < 4; s++) {
		const double step = s == 0 ? 0.0 : s == 3 ? h : 0.5 * h;
		double qs[2], rs[2];
		for (int i = 0; i < n; i++) {
			qs[i] = q[i] + (s == 0 ? 0.0 : step * k[s - 1][0][i]);
			rs[i] = rate[i] + (s == 0 ? 0.0 : step * k[s - 1][1][i]);
			k[s][0][i] = rs[i];
		}
		f(qs, rs, k[s][1]);
	}
	for (int i = 0; i < n; i++) {
		q[i] += h / 6.0 * (k[0][0][i] + 2.0 * k[1][0][i] + 2.0 * k[2][0][i] + k[3][0][i]);
		rate[i] += h / 6.0 * (k[0][1][i] + 2.0 * k[1][1][i] + 2.0 * k[2][1][i] + k[3][1][i]);
	}
}

static const double g = 9.81, half_length = 0.5, own_inertia = 0.2525 / 3.0; /* per kg, about the centre */

/* One rod: angle down from horizontal. */
static void pendulum(const double *q, const double *rate, double *out)
{
	(void)rate;
	out[0] = g * half_length * cos(q[0]) / (half_length * half_length + own_inertia);
}

/* Two equal rods of length 1: absolute angles down from horizontal. */
static void double_pendulum(const double *q, const double *rate, double *out)
{
	const double l = 2.0 * half_length, c = cos(q[0] - q[1]), s = sin(q[0] - q[1]);
	const double a = own_inertia + 0.25 * l * l + l * l, b = 0.5 * l * l * c, d = own_inertia + 0.25 * l * l;
	const double right[2] = {1.5 * g * l * cos(q[0]) - 0.5 * l * l * s * rate[1] * rate[1],
	                         0.5 * g * l * cos(q[1]) + 0.5 * l * l * s * rate[0] * rate[0]};
	out[0] = (d * right[0] - b * right[1]) / (a * d - b * b);
	out[1] = (a * right[1] - b * right[0]) / (a * d - b * b);
}

static void make_rods(JointScene *scene, int n, double timestep)
{
	const double half[3] = {half_length, 0.05, 0.05}, axis[3] = {0.0, 1.0, 0.0};
	joint_scene_begin(scene, timestep);
	for (int i = 0; i < n; i++) {
		const double place[3] = {(2 * i + 1) * half_length, 0.0, 0.0},
		             anchor[3] = {2 * i * half_length, 0.0, 0.0};
		joint_scene_box(scene, half, 1.0, place);
		joint_scene_joint(scene, ABUT_JOINT_HINGE, i - 1, i, anchor, axis);
	}
	joint_scene_make(scene);
}

/* The largest error of the angles of n rods after 0.6 s. The first step continues a body at rest half a step before. */
static double error_of_rods(Acceleration *f, int n, double timestep)
{
	JointScene scene;
	double q[2] = {0.0, 0.0}, rate[2] = {0.0, 0.0}, worst = 0.0, angle = 0.0;
	const double zero[2] = {0.0, 0.0};
	make_rods(&scene, n, timestep);
	double start[2];
	f(q, zero, start);
	for (int i = 0; i < n; i++) {
		rate[i] = 0.5 * timestep * start[i];
	}
	while (abut_state_time(scene.state) < 0.6 - 1e-9) {
		joint_scene_step(&scene, "rods", 0);
		for (int k = 0; k < 10; k++) {
			runge_kutta(f, n, 0.1 * timestep, q, rate);
		}
	}
	for (int i = 0; i < n; i++) {
		angle += joint_scene_read(&scene, i).position[0];
		worst = fmax(worst, fabs(angle - q[i]));
	}
	joint_scene_end(&scene);
	return worst;
}

Test(mechanisms, pendulums_converge_to_minimal_coordinates_with_second_order)
{
	static Acceleration *const of[] = {pendulum, double_pendulum};
	for (int n = 1; n <= 2; n++) {
		const double coarse = error_of_rods(of[n - 1], n, 0.004), fine = error_of_rods(of[n - 1], n, 0.002);
		cr_expect_lt(fine, 1e-3, "%d rods: %g rad", n, fine);
		cr_expect(coarse > 3.5 * fine && coarse < 4.5 * fine, "%d rods: %g rad at 4 ms, %g at 2 ms", n, coarse,
		          fine);
	}
}

/* A tree of n boxes on random joints, all types in turn, with random spins. */
static void random_tree(JointScene *scene, int n, int root, double timestep, unsigned seed)
{
	AbutRng rng = {seed};
	joint_scene_begin(scene, timestep);
	for (int i = 0; i < n; i++) {
		const RandomLink link = joint_scene_random_link(scene, 0.0, &rng);
		AbutBodyDef *body = &scene->bodies[i];
		for (int k = 0; k < 3; k++) {
			body->angular_velocity[k] = abut_rng_uniform(&rng, -2.0, 2.0);
			body->linear_velocity[k] = abut_rng_uniform(&rng, -1.0, 1.0);
		}
		if (i > 0 || root) {
			joint_scene_joint(scene, (AbutJointType)((seed + (unsigned)i) % ABUT_JOINT_TYPE_COUNT),
			                  link.parent, i, link.anchor, link.axis);
		}
	}
}

/* Returns the number of joints of the last step whose impulses turn in the step. */
static int turned(const JointScene *scene)
{
	int n = 0;
	for (int i = 0; i < scene->def.n_joints; i++) {
		n += scene->workspace->islands[0].problem.joints[i].theta > 0.0;
	}
	return n;
}

/* The residual of the solve, up to 1e-11 in each step, does not count (dynamics/solve/momenta.c). */
Test(mechanisms, floating_trees_conserve_their_momenta)
{
	static const double timesteps[] = {0.005, 0.01, 0.02, 0.05};
	int split = 0, turns = 0;
	for (unsigned seed = 0; seed < 12; seed++) {
		JointScene scene;
		double P0[3], L0[3], P[3], L[3], lost[2] = {0.0, 0.0};
		random_tree(&scene, 6, 0, timesteps[seed % 4], seed);
		memset(scene.def.gravity, 0, sizeof scene.def.gravity);
		joint_scene_make(&scene);
		joint_scene_step(&scene, "tree", seed); /* the first one closes the rates of the joints */
		joint_scene_momenta(&scene, P0, L0);
		for (int i = 0; i < 200; i++) {
			split += joint_scene_step(&scene, "tree", seed).parts - 1;
			turns += turned(&scene);
			joint_scene_momenta(&scene, P, L);
			for (int k = 0; k < 3; k++) {
				lost[0] = fmax(lost[0], fabs(P[k] - P0[k]));
				lost[1] = fmax(lost[1], fabs(L[k] - L0[k]));
			}
		}
		cr_expect_leq(lost[0], 1e-11 * abut_norm3(P0), "seed %u: %g of %g", seed, lost[0], abut_norm3(P0));
		cr_expect_leq(lost[1], 1e-11 * abut_norm3(L0), "seed %u: %g of %g", seed, lost[1], abut_norm3(L0));
		joint_scene_end(&scene);
	}
	cr_expect_gt(split, 0, "no step was taken in parts");
	cr_expect_gt(turns, 0, "no impulse turned in a step");
}

/* A planar body beside a floating pair, in the same island by a contact that does not press, stays in its plane. */
Test(mechanisms, momenta_leave_planar_neighbours_in_their_plane)
{
	static const double half[3] = {0.1, 0.1, 0.1}, axis[3] = {0.3, 0.2, 1.0};
	for (int i = 0; i < 3; i++) {
		const double place[3][3] = {{0.0, 0.0, 0.0}, {0.4, 0.05, 0.0}, {-0.205 - 0.001 * i, 0.0, 0.0}};
		const double anchor[3] = {0.2, 0.0, 0.0};
		JointScene scene;
		AbutBodyState state;
		joint_scene_begin(&scene, 0.01);
		memset(scene.def.gravity, 0, sizeof scene.def.gravity);
		for (int k = 0; k < 3; k++) {
			joint_scene_box(&scene, half, 1.0, place[k]);
		}
		scene.bodies[2].planar_xz = true;
		scene.bodies[0].angular_velocity[0] = scene.bodies[1].angular_velocity[2] = 0.7;
		scene.def.all_pairs = true;
		joint_scene_joint(&scene, ABUT_JOINT_BALL, 0, 1, anchor, axis);
		joint_scene_make(&scene);
		for (int step = 0; step < 5; step++) {
			joint_scene_step(&scene, "planar neighbour", (unsigned)i);
			abut_state_get_body(scene.model, scene.state, 2, &state);
			cr_expect_eq(state.linear_velocity[1], 0.0, "%g", state.linear_velocity[1]);
			cr_expect_eq(state.angular_velocity[0], 0.0, "%g", state.angular_velocity[0]);
			cr_expect_eq(state.angular_velocity[2], 0.0, "%g", state.angular_velocity[2]);
		}
		joint_scene_end(&scene);
	}
}

Test(mechanisms, trees_of_all_joints_stay_closed)
{
	static const double timesteps[] = {0.001, 0.01, 0.02, 0.05};
	for (unsigned seed = 0; seed < 64; seed++) {
		JointScene scene;
		random_tree(&scene, 2 + (int)(seed % 7), (int)(seed % 2), timesteps[seed / 4 % 4], seed);
		joint_scene_make(&scene);
		for (int i = 0; i < 100; i++) {
			joint_scene_step(&scene, "tree", seed);
		}
		joint_scene_end(&scene);
	}
}

/* A parallelogram of hinges about y, each of which holds five freedoms: three conditions too many. It passes the flat
 * positions, where it could also fold into an antiparallelogram. */
static void four_bar(JointScene *scene, double timestep)
{
	const double crank[3] = {0.05, 0.05, 0.25}, coupler[3] = {0.4, 0.05, 0.05}, y[3] = {0.0, 1.0, 0.0};
	const double left[3] = {0.0, 0.0, 0.25}, right[3] = {0.8, 0.0, 0.25}, middle[3] = {0.4, 0.0, 0.5};
	const double corners[4][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.5}, {0.8, 0.0, 0.5}, {0.8, 0.0, 0.0}};
	joint_scene_begin(scene, timestep);
	joint_scene_box(scene, crank, 1.0, left);
	joint_scene_box(scene, coupler, 1.0, middle);
	joint_scene_box(scene, crank, 1.0, right);
	joint_scene_joint(scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, 0, corners[0], y);
	joint_scene_joint(scene, ABUT_JOINT_HINGE, 0, 1, corners[1], y);
	joint_scene_joint(scene, ABUT_JOINT_HINGE, 1, 2, corners[2], y);
	joint_scene_joint(scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, 2, corners[3], y);
}

Test(mechanisms, an_overconstrained_loop_stays_closed)
{
	static const double timesteps[] = {0.001, 0.005, 0.01, 0.02};
	for (int i = 0; i < 4; i++) {
		JointScene scene;
		four_bar(&scene, timesteps[i]);
		scene.bodies[0].angular_velocity[1] = scene.bodies[2].angular_velocity[1] = 3.0;
		scene.bodies[0].linear_velocity[0] = scene.bodies[2].linear_velocity[0] = 0.75;
		scene.bodies[1].linear_velocity[0] = 1.5;
		joint_scene_make(&scene);
		while (abut_state_time(scene.state) < 2.0 - 1e-9) {
			joint_scene_step(&scene, "four-bar", (unsigned)i);
		}
		joint_scene_end(&scene);
	}
}

Test(mechanisms, planar_bodies_and_doubled_joints)
{
	JointScene scene;
	const double half[3] = {0.25, 0.05, 0.05}, y[3] = {0.0, 1.0, 0.0};
	joint_scene_begin(&scene, 0.01);
	for (int i = 0; i < 3; i++) {
		const double place[3] = {0.5 * i + 0.25, 0.0, 0.0}, anchor[3] = {0.5 * i, 0.0, 0.0};
		scene.bodies[joint_scene_box(&scene, half, 1.0, place)].planar_xz = i < 2;
		joint_scene_joint(&scene, ABUT_JOINT_HINGE, i - 1, i, anchor, y);
	}
	const double again[3] = {0.5, 0.02, 0.0}; /* a second hinge on the same axis */
	joint_scene_joint(&scene, ABUT_JOINT_HINGE, 0, 1, again, y);
	joint_scene_make(&scene);
	for (int i = 0; i < 300; i++) {
		joint_scene_step(&scene, "planar", 0);
	}
	joint_scene_end(&scene);
}

/* A chain that lands on a floor: joints and contacts in one solve. */
Test(mechanisms, a_chain_lands_and_rests)
{
	JointScene scene;
	const double half[3] = {0.2, 0.05, 0.05}, y[3] = {0.0, 1.0, 0.0}, origin[3] = {0.0, 0.0, 0.0};
	const double up[3] = {0.0, 0.0, 1.0};
	joint_scene_begin(&scene, 0.01);
	for (int i = 0; i < 4; i++) {
		const double place[3] = {0.4 * i + 0.2, 0.0, 0.5}, anchor[3] = {0.4 * i, 0.0, 0.5};
		joint_scene_box(&scene, half, 1.0, place);
		if (i > 0) {
			joint_scene_joint(&scene, i % 2 == 0 ? ABUT_JOINT_HINGE : ABUT_JOINT_BALL, i - 1, i, anchor, y);
		}
	}
	const int floor = joint_scene_box(&scene, half, 0.0, origin);
	abut_shape_destroy(scene.shapes[floor]);
	cr_assert_eq(abut_shape_create_halfspace(up, 0.0, &scene.shapes[floor], NULL), ABUT_OK);
	scene.bodies[floor].is_static = true;
	scene.def.all_pairs = true;
	joint_scene_make(&scene);
	for (int i = 0; i < 200; i++) {
		const AbutStepInfo info = joint_scene_step(&scene, "landing", 0);
		cr_assert_leq(info.max_penetration, 1e-9);
	}
	for (int i = 0; i < 4; i++) {
		AbutBodyState s;
		abut_state_get_body(scene.model, scene.state, i, &s);
		cr_expect_float_eq(s.position[2], 0.05, 1e-8, "link %d at %g", i, s.position[2]);
		cr_expect_leq(abut_norm3(s.linear_velocity), 1e-8);
	}
	joint_scene_end(&scene);
}

/* A light link between two bodies of 1 kg, on a hinge to the world. A lighter one is refused, but not at the end. */
Test(mechanisms, light_links_are_solved_or_refused)
{
	static const double masses[] = {1e-3, 1e-6, 1e-8, 1e-9}, y[3] = {0.0, 1.0, 0.0};
	for (int i = 0; i < 8; i++) {
		JointScene scene;
		AbutError error = {.status = ABUT_OK};
		const double half[3] = {0.1, 0.1, 0.1};
		const int light = i < 4 ? 1 : 2;
		joint_scene_begin(&scene, 0.01);
		for (int k = 0; k < 3; k++) {
			const double place[3] = {0.5 * k, 0.0, 0.0}, anchor[3] = {0.5 * k - 0.25, 0.0, 0.0};
			joint_scene_box(&scene, half, k == light ? masses[i % 4] : 1.0, place);
			joint_scene_joint(&scene, k == 1 ? ABUT_JOINT_BALL : ABUT_JOINT_HINGE, k - 1, k, anchor, y);
		}
		if (i == 3) {
			cr_expect_eq(abut_model_create(&scene.def, &scene.model, &error), ABUT_ERROR_ARGUMENT);
			cr_expect_str_eq(error.where, "bodies[1].mass");
			cr_expect(strstr(error.message, "'n1' has 1e-09 kg and carries 'n2' of 1 kg"), "%s",
			          error.message);
			abut_shape_destroy(scene.shapes[0]);
			abut_shape_destroy(scene.shapes[1]);
			abut_shape_destroy(scene.shapes[2]);
			continue;
		}
		joint_scene_make(&scene);
		for (int k = 0; k < 100; k++) {
			joint_scene_step(&scene, "light link", (unsigned)i);
		}
		joint_scene_end(&scene);
	}
}

/* A change of a model's mass is checked like the mass of a definition. */
Test(mechanisms, light_links_are_refused_in_changed_models)
{
	static const double y[3] = {0.0, 1.0, 0.0}, half[3] = {0.1, 0.1, 0.1}, masses[] = {1e-7, 1e-9};
	const AbutParameter parameter = {.kind = ABUT_PARAMETER_MASS, .body = 1, .other = -1, .part = -1};
	JointScene scene;
	joint_scene_begin(&scene, 0.01);
	for (int k = 0; k < 3; k++) {
		const double place[3] = {0.5 * k, 0.0, 0.0}, anchor[3] = {0.5 * k - 0.25, 0.0, 0.0};
		joint_scene_joint(&scene, ABUT_JOINT_HINGE, k - 1, joint_scene_box(&scene, half, 1.0, place), anchor,
		                  y);
	}
	joint_scene_make(&scene);
	for (int i = 0; i < 2; i++) {
		AbutModel *changed = NULL;
		AbutError error = {.status = ABUT_OK};
		const AbutStatus status =
		    abut_model_create_changed(scene.model, 1, &parameter, &masses[i], &changed, &error);
		cr_expect_eq(status, i == 0 ? ABUT_OK : ABUT_ERROR_ARGUMENT, "%s", error.message);
		cr_expect_eq(strstr(error.message, "'n1' has 1e-09 kg and carries 'n2' of 1 kg") != NULL, i == 1, "%s",
		             error.message);
		abut_model_destroy(changed);
	}
	joint_scene_end(&scene);
}

/* Masses that follow from densities count as others do: a cube of the same mass is taken, a feather is refused. */
Test(mechanisms, light_links_by_density_count_as_others)
{
	static const double y[3] = {0.0, 1.0, 0.0}, half[3] = {0.1, 0.1, 0.1}, densities[] = {125.0, 1e-7};
	for (int i = 0; i < 2; i++) {
		JointScene scene;
		AbutError error = {.status = ABUT_OK};
		joint_scene_begin(&scene, 0.01);
		for (int k = 0; k < 3; k++) {
			const double place[3] = {0.5 * k, 0.0, 0.0}, anchor[3] = {0.5 * k - 0.25, 0.0, 0.0};
			const int body = joint_scene_box(&scene, half, 1.0, place);
			if (k == 1) {
				scene.bodies[body].mass = 0.0;
				scene.bodies[body].density = densities[i];
			}
			joint_scene_joint(&scene, ABUT_JOINT_HINGE, k - 1, k, anchor, y);
		}
		if (i == 0) {
			joint_scene_make(&scene);
			joint_scene_step(&scene, "density", 0);
			joint_scene_end(&scene);
			continue;
		}
		cr_expect_eq(abut_model_create(&scene.def, &scene.model, &error), ABUT_ERROR_ARGUMENT);
		cr_expect_str_eq(error.where, "bodies[1].mass");
		for (int k = 0; k < 3; k++) {
			abut_shape_destroy(scene.shapes[k]);
		}
	}
}
