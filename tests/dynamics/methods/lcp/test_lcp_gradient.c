/* Compares the derivative of a step of method lcp with central differences of steps, away from ties. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abut/gradient.h"
#include "abut/lcp.h"
#include "base/vec3.h"
#include "dynamics/methods/manifold/island.h"
#include "dynamics/step/workspace.h"
#include "dynamics/world.h"
#include "effort.h"

enum { MOST_BODIES = 3, MOST_ROWS = ABUT_LCP_ROWS * MOST_BODIES, MOST_COLUMNS = ABUT_LCP_COLUMNS * MOST_BODIES };

/* What must stay the same within a difference: the points, and the set of each row. */
typedef struct Signature {
	int n;
	uint64_t feature[64];
	int set[64 * 3];
} Signature;

static Signature signature_of(const World *world)
{
	Signature out;
	memset(&out, 0, sizeof out);
	const AbutWorkspace *w = world->workspace;
	for (int i = 0; i < w->pairs.n_active; i++) {
		const AbutLcpContact *contact = &abut_lcp_work(w)->contacts[w->pairs.active[i]];
		for (int p = 0; p < contact->manifold.n; p++) {
			cr_assert_lt(out.n, 64);
			out.feature[out.n] = contact->manifold.points[p].feature;
			for (int k = 0; k < contact->rows_per_point; k++) {
				out.set[3 * out.n + k] = (int)contact->set[p * contact->rows_per_point + k];
			}
			out.n++;
		}
	}
	return out;
}

/* --- scenes --- */

typedef enum Scene {
	LANDING,
	SLIDING,
	STICKING,
	SEPARATING,
	COLLIDING,
	STACKED,
	ROLLING,
	BESIDE,
	PLANAR_LANDING,
	PLANAR_SLIDING,
	PLANAR_STACKED,
	BOUNCING,
	PLANAR_BOUNCING,
	ROUND_LANDING,
	ROUND_COLLIDING,
	ROUND_STACKED,
	SCENES
} Scene;
static const char *const names[] = {"landing",           "sliding",
                                    "sticking",          "separating",
                                    "colliding",         "stacked",
                                    "rolling",           "ball beside a box",
                                    "landing, planar",   "sliding, planar",
                                    "stacked, planar",   "bouncing",
                                    "bouncing, planar",  "round shapes landing",
                                    "any two colliding", "round shapes on a box"};

/* Makes a polytope about its centre of mass, to which the derivative refers. */
static AbutShape *make_polytope(AbutRng *rng)
{
	static const double as_it_is[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
	double points[3 * 12], back[3];
	AbutShape *shape = NULL;
	for (int i = 0; i < 12; i++) {
		double *p = &points[3 * i];
		for (int k = 0; k < 3; k++) {
			p[k] = abut_rng_normal(rng);
		}
		const double length = abut_norm3(p);
		for (int k = 0; k < 3; k++) {
			p[k] *= 0.5 / length;
		}
	}
	cr_assert_eq(abut_shape_create_polytope_from_vertices(12, points, &shape, NULL), ABUT_OK);
	for (int k = 0; k < 3; k++) {
		back[k] = -shape->mass.centre_of_mass[k];
	}
	cr_assert_eq(abut_shape_move(shape, as_it_is, back, NULL), ABUT_OK);
	return shape;
}

static void random_motion(AbutRng *rng, double speed, double spin, AbutBodyDef *body)
{
	for (int k = 0; k < 3; k++) {
		body->linear_velocity[k] = abut_rng_uniform(rng, -speed, speed);
		body->angular_velocity[k] = abut_rng_uniform(rng, -spin, spin);
		body->force[k] = abut_rng_uniform(rng, -0.5, 0.5);
		body->torque[k] = abut_rng_uniform(rng, -0.05, 0.05);
	}
}

static void turn_about_z(AbutRng *rng, AbutBodyDef *body)
{
	turn_about(0.0, 0.0, 1.0, abut_rng_uniform(rng, 0.0, 6.0), body->orientation);
}

/* Adds a planar box, rotated by `angle` in its plane. With an odd seed it lies on its side, so that its own z axis is
 * along the world's y. */
static AbutBodyDef *add_planar(World *world, AbutRng *rng, unsigned seed, double size, double z, double angle)
{
	double lie[4] = {1.0, 0.0, 0.0, 0.0}, turn[4], R[9];
	const bool lies = seed % 2 > 0;
	AbutShape *shape = lies ? make_box(0.5 * size, 0.3, 0.4) : make_box(0.5 * size, 0.4, 0.3);
	AbutBodyDef *body = world_add(world, shape, 1.3, 0.1 * z, 0.0, z);
	if (lies) {
		turn_about(1.0, 0.0, 0.0, 0.5 * 3.14159265358979323846, lie);
	}
	turn_about(0.0, 1.0, 0.0, angle, turn);
	abut_quat_mul(turn, lie, body->orientation);
	abut_quat_to_mat3(body->orientation, R);
	random_motion(rng, 1.0, 0.0, body);
	body->planar_xz = true;
	body->linear_velocity[1] = 0.0;
	const double spin = angle != 0.0 ? abut_rng_uniform(rng, -2.0, 2.0) : 0.0;
	for (int k = 0; k < 3; k++) {
		body->angular_velocity[k] = spin * R[3 + k];
	}
	return body;
}

static void begin(World *world, Scene scene, unsigned seed)
{
	AbutRng rng = {seed};
	world_begin(world);
	world_add_floor(world, 0.0, 0.0, 1.0);
	world->def.solver.method = ABUT_METHOD_LCP;
	world->def.solver.lcp_gap = (AbutLcpGap)(seed % ABUT_LCP_GAP_COUNT);
	world->def.friction = abut_rng_uniform(&rng, 0.1, 0.8);
	/* a gap of its own, so that what the gap means to the velocity has no kink there */
	const double gap = world->def.solver.lcp_gap == ABUT_LCP_GAP_NONE ? -1e-3 : 1e-3;
	AbutBodyDef *body;
	switch (scene) {
	case LANDING:
		body = world_add(world, seed % 2 ? make_box(0.5, 0.3, 0.4) : make_polytope(&rng), 1.3, 0.0, 0.0, 0.45);
		random_motion(&rng, 1.0, 3.0, body);
		body->linear_velocity[2] = -abut_rng_uniform(&rng, 1.0, 3.0);
		abut_rng_rotation(&rng, body->orientation);
		break;
	case SLIDING:
	case STICKING:
	case SEPARATING:
		body = world_add(world, make_box(0.5, 0.3, 0.4), 1.3, 0.0, 0.0, 0.4 + gap);
		turn_about_z(&rng, body);
		random_motion(&rng, 0.0, 0.0, body);
		if (scene == SLIDING && world->def.solver.lcp_gap == ABUT_LCP_GAP_BOUNDED && seed % 2) {
			turn_about(1.0, 0.3, 0.2, 0.05, body->orientation); /* deeper than it may come out */
			body->position[2] -= 0.07;
		}
		if (scene == SLIDING) {
			body->linear_velocity[0] = abut_rng_uniform(&rng, 1.0, 2.0);
			body->linear_velocity[1] = abut_rng_uniform(&rng, -2.0, -1.0);
			body->angular_velocity[2] = abut_rng_uniform(&rng, -1.0, 1.0);
		}
		body->linear_velocity[2] = scene == SEPARATING ? 1.0 : -0.1;
		break;
	case COLLIDING:
		for (int i = 0; i < 2; i++) {
			body = world_add(world, i || seed % 2 ? make_box(0.5, 0.3, 0.4) : make_polytope(&rng), 1.0 + i,
			                 0.75 * i, 0.1 * i, 3.0);
			abut_rng_rotation(&rng, body->orientation);
			random_motion(&rng, 0.3, 2.0, body);
			body->linear_velocity[0] = i ? -2.0 : 2.0;
		}
		break;
	case STACKED:
		for (int i = 0; i < 2; i++) {
			body = world_add(world, make_box(0.5 - 0.1 * i, 0.4 - 0.05 * i, 0.3), 1.0 + i, 0.07 * i,
			                 -0.05 * i, 0.3 + 0.6 * i + (1.0 + i) * gap);
			turn_about_z(&rng, body);
			random_motion(&rng, 0.0, 0.0, body);
			body->linear_velocity[0] = i * abut_rng_uniform(&rng, -0.5, 0.5);
			body->linear_velocity[2] = -0.2 * (1 + i);
		}
		break;
	case ROLLING:
		body = world_add(world, make_sphere(0.5), 1.0, 0.0, 0.0, 0.5 + gap);
		random_motion(&rng, 1.0, 3.0, body);
		body->linear_velocity[2] = -0.5;
		break;
	case BOUNCING: /* two, one of which lands on the floor and takes the other along */
		world->def.restitution = abut_rng_uniform(&rng, 0.1, 1.0);
		for (int i = 0; i < 2; i++) {
			body = world_add(world, i || seed % 2 ? make_box(0.5, 0.3, 0.4) : make_polytope(&rng), 1.0 + i,
			                 0.75 * i, 0.1 * i, 0.45);
			abut_rng_rotation(&rng, body->orientation);
			random_motion(&rng, 0.3, 2.0, body);
			body->linear_velocity[0] = i ? -2.0 : 2.0;
			body->linear_velocity[2] = -2.0;
		}
		break;
	case PLANAR_BOUNCING:
		world->def.restitution = abut_rng_uniform(&rng, 0.1, 1.0);
		body = add_planar(world, &rng, seed, 1.0, 0.45, abut_rng_uniform(&rng, 0.2, 1.0));
		body->linear_velocity[2] = -abut_rng_uniform(&rng, 1.0, 3.0);
		break;
	case PLANAR_LANDING:
		body = add_planar(world, &rng, seed, 1.0, 0.45, abut_rng_uniform(&rng, 0.2, 1.0));
		body->linear_velocity[2] = -abut_rng_uniform(&rng, 1.0, 3.0);
		break;
	case PLANAR_SLIDING:
		body = add_planar(world, &rng, seed, 1.0, 0.3 + gap, 0.0);
		body->linear_velocity[0] = abut_rng_uniform(&rng, 1.0, 2.0);
		body->linear_velocity[2] = -0.1;
		break;
	case PLANAR_STACKED:
		for (int i = 0; i < 2; i++) {
			body = add_planar(world, &rng, seed, 1.0 - 0.2 * i, 0.3 + 0.6 * i + (1.0 + i) * gap, 0.0);
			body->linear_velocity[0] = i * abut_rng_uniform(&rng, -0.5, 0.5);
			body->linear_velocity[2] = -0.2 * (1 + i);
		}
		break;
	case ROUND_LANDING:
		body = world_add(world, make_primitive(2 + (int)(seed % 5), 1.0), 1.3, 0.0, 0.0, 0.55);
		random_motion(&rng, 1.0, 3.0, body);
		body->linear_velocity[2] = -abut_rng_uniform(&rng, 1.0, 3.0);
		abut_rng_rotation(&rng, body->orientation);
		break;
	case ROUND_COLLIDING:
		for (int i = 0; i < 2; i++) {
			body = world_add(world, make_primitive((int)(i ? seed % 7 : seed / 3) % 7, 1.0), 1.0 + i,
			                 0.85 * i, 0.1 * i, 3.0);
			abut_rng_rotation(&rng, body->orientation);
			random_motion(&rng, 0.3, 2.0, body);
			body->linear_velocity[0] = i ? -2.0 : 2.0;
		}
		break;
	case ROUND_STACKED: { /* capsules and cylinders that lie, cylinders that stand */
		const int which = (int)(seed / 3 % 3);
		double lie[4], turn[4];
		body = world_add(world, make_box(0.5, 0.4, 0.3), 2.0, 0.0, 0.0, 0.3 + gap);
		turn_about_z(&rng, body);
		random_motion(&rng, 0.0, 0.0, body);
		body = world_add(world, which ? make_cylinder(0.25, 0.7) : make_capsule(0.25, 0.7), 1.0, 0.07, -0.05,
		                 (which == 1 ? 0.95 : 0.85) + 2.0 * gap);
		turn_about(1.0, 0.0, 0.0, which == 1 ? 0.0 : 0.5 * 3.14159265358979, lie);
		turn_about(0.0, 0.0, 1.0, abut_rng_uniform(&rng, 0.2, 1.2), turn); /* not along an axis of friction */
		abut_quat_mul(turn, lie, body->orientation);
		random_motion(&rng, 0.0, 0.0, body);
		body->linear_velocity[0] = abut_rng_uniform(&rng, -0.5, 0.5);
		body->linear_velocity[2] = -0.4;
		break;
	}
	case BESIDE:
	case SCENES:
		body = world_add(world, make_sphere(0.4), 1.0, 0.8, 0.2, 2.0);
		random_motion(&rng, 0.5, 3.0, body);
		body->linear_velocity[0] = -3.0;
		body = world_add(world, seed % 2 ? make_sphere(0.4) : make_box(0.5, 0.3, 0.4), 2.0, 0.0, 0.0, 2.0);
		abut_rng_rotation(&rng, body->orientation);
		random_motion(&rng, 0.5, 3.0, body);
		break;
	}
	world_make(world);
}

/* --- differences --- */

/* Computes a small rotation about an own axis of the body. A planar body rotates only about the world's y axis. */
static void turn_by_axis(const AbutBodyDef *body, int axis, double out[3])
{
	double R[9];
	abut_quat_to_mat3(body->orientation, R);
	for (int k = 0; k < 3; k++) {
		out[k] = body->planar_xz ? R[3 + axis] * R[3 + k] : k == axis ? 1.0 : 0.0;
	}
}

/* Takes one step from the initial world with one column's number changed. */
static void step_changed(const World *base, int column, double change, World *out)
{
	const int body = 1 + column / ABUT_LCP_COLUMNS, kind = column % ABUT_LCP_COLUMNS, axis = kind % 3;
	AbutBodyDef bodies[WORLD_BODIES];
	*out = *base;
	memcpy(bodies, base->bodies, sizeof bodies);
	out->def.bodies = bodies;
	AbutBodyDef *def = &bodies[body];
	double phi[3];
	turn_by_axis(def, axis, phi);
	const double along = def->planar_xz && axis == 1 ? 0.0 : change;
	if (column < 0) {
		def = NULL;
	} else if (kind < ABUT_LCP_ROTATION) {
		def->position[axis] += along;
	} else if (kind < ABUT_LCP_LINEAR) {
		double turn[4] = {1.0, 0.5 * change * phi[0], 0.5 * change * phi[1], 0.5 * change * phi[2]}, q[4];
		abut_quat_mul(def->orientation, turn, q);
		abut_quat_normalise(q);
		memcpy(def->orientation, q, sizeof q);
	} else if (kind < ABUT_LCP_ANGULAR) {
		def->linear_velocity[axis] += along;
	} else if (kind < ABUT_LCP_FORCE) {
		for (int k = 0; k < 3; k++) {
			def->angular_velocity[k] += change * phi[k];
		}
	} else if (kind < ABUT_LCP_MASS) {
		(kind < ABUT_LCP_TORQUE ? def->force : def->torque)[axis] += change;
	} else {
		const AbutMassProperties *mass = &def->parts[0]->mass;
		const double density = def->mass / mass->volume;
		const double factor = kind == ABUT_LCP_INERTIA ? 1.0 + change : 1.0;
		def->has_inertia = true;
		for (int i = 0; i < 9; i++) {
			def->inertia[i] = factor * density * mass->inertia[i];
		}
		def->mass += kind == ABUT_LCP_MASS ? change : 0.0;
	}
	out->model = NULL;
	out->state = NULL;
	out->workspace = NULL;
	world_make(out);
	out->def.bodies = NULL;
	world_step(out);
}

static void free_run(World *world)
{
	abut_workspace_destroy(world->workspace);
	abut_state_destroy(world->state);
	abut_model_destroy(world->model);
}

/* Computes the twelve differences of one body from `low` to `high`, with rotations relative to the base. */
static void difference(const World *low, const World *base, const World *high, int body, double out[ABUT_LCP_ROWS])
{
	const AbutBodyState a = world_body(low, body), m = world_body(base, body), b = world_body(high, body);
	double phi[2][3];
	for (int side = 0; side < 2; side++) {
		const double *q = side ? b.orientation : a.orientation;
		const double back[4] = {m.orientation[0], -m.orientation[1], -m.orientation[2], -m.orientation[3]};
		double turn[4];
		abut_quat_mul(back, q, turn);
		for (int k = 0; k < 3; k++) {
			phi[side][k] = 2.0 * turn[1 + k] / turn[0];
		}
	}
	for (int k = 0; k < 3; k++) {
		out[k] = b.position[k] - a.position[k];
		out[3 + k] = phi[1][k] - phi[0][k];
		out[6 + k] = b.linear_velocity[k] - a.linear_velocity[k];
		out[9 + k] = b.angular_velocity[k] - a.angular_velocity[k];
	}
}

/* Checks one scene. Counts the columns that agree, and those left out because they do not and the sets change within
 * the difference. (If points depend on each other, as on a sticking face, other sets may give the same motion.) */
static void check(Scene scene, unsigned seed, int *compared, int *left_out)
{
	static const double step = 1e-5;
	World world, base;
	double J[MOST_ROWS * MOST_COLUMNS];
	AbutError error;
	begin(&world, scene, seed);
	step_changed(&world, -1, 0.0, &base);
	const int n = abut_lcp_gradient_bodies(base.model), width = ABUT_LCP_COLUMNS * n;
	const AbutStatus status = abut_lcp_gradient(base.model, base.workspace, J, &error);
	if (status == ABUT_ERROR_UNSUPPORTED) { /* friction that has no solution of its own */
		*left_out += width;
		free_run(&base);
		world_end(&world);
		return;
	}
	cr_assert_eq(status, ABUT_OK, "%s, seed %u: %s", names[scene], seed, error.message);
	const Signature here = signature_of(&base);
	for (int column = 0; column < width; column++) {
		World low, high;
		step_changed(&world, column, -step, &low);
		step_changed(&world, column, step, &high);
		const Signature below = signature_of(&low), above = signature_of(&high);
		const bool same = memcmp(&here, &below, sizeof here) == 0 && memcmp(&here, &above, sizeof here) == 0;
		bool agree = true;
		for (int i = 0; i < n; i++) {
			double d[ABUT_LCP_ROWS];
			difference(&low, &base, &high, 1 + i, d);
			for (int r = 0; r < ABUT_LCP_ROWS; r++) {
				const double expected = d[r] / (2.0 * step);
				const double found = J[(ABUT_LCP_ROWS * i + r) * width + column];
				agree = agree && fabs(found - expected) <= 1e-6 * (1.0 + fabs(expected));
				cr_assert(agree || !same,
				          "%s, seed %u: row %d of body %d by column %d is %.9g, not %.9g", names[scene],
				          seed, r, i, column, found, expected);
			}
		}
		*(agree ? compared : left_out) += 1;
		free_run(&low);
		free_run(&high);
	}
	free_run(&base);
	world_end(&world);
}

Test(lcp_gradient, is_that_of_differences)
{
	for (int scene = 0; scene < SCENES; scene++) {
		int compared = 0, left_out = 0;
		for (unsigned seed = 0; seed < TEST_EFFORT_FROM(4, 24); seed++) {
			check((Scene)scene, seed, &compared, &left_out);
		}
		cr_assert_gt(compared, 10 * left_out, "%s: %d columns compared, %d not", names[scene], compared,
		             left_out);
	}
}

/* Compares abut_step_differentiate with abut_lcp_gradient in one scene; returns whether both have a derivative. */
static bool same_as_step(Scene scene, unsigned seed)
{
	static double J[MOST_ROWS * MOST_COLUMNS], own[MOST_ROWS * MOST_COLUMNS];
	World world;
	AbutGradient *gradient = NULL;
	AbutStepInfo info = {.row = 0};
	begin(&world, scene, seed);
	const int n = abut_lcp_gradient_bodies(world.model);
	cr_assert_eq(abut_gradient_create(world.model, 0.0, &gradient, NULL), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &info), ABUT_OK);
	const bool both = abut_lcp_gradient(world.model, world.workspace, J, NULL) == ABUT_OK &&
	                  abut_gradient_matrix(gradient, own, NULL) == ABUT_OK;
	for (int r = 0; both && r < ABUT_GRADIENT_ROWS * n; r++) {
		for (int c = 0; c < ABUT_GRADIENT_COLUMNS * n; c++) {
			const int body = c / ABUT_GRADIENT_COLUMNS, column = c % ABUT_GRADIENT_COLUMNS;
			const double expected = J[(r * n + body) * ABUT_LCP_COLUMNS + column];
			const double found = own[r * ABUT_GRADIENT_COLUMNS * n + c];
			/* columns out of the plane of a planar body are 0, here to 3e-8 */
			const double bound = world.bodies[1 + body].planar_xz ? 1e-7 : 1e-8;
			cr_expect_float_eq(found, expected, bound * (1.0 + fabs(expected)),
			                   "%s, seed %u: %d, %d: %g, %g", names[scene], seed, r, c, found, expected);
		}
	}
	abut_gradient_destroy(gradient);
	world_end(&world);
	return both;
}

/* Steps without joints have the same derivative by abut/gradient.h. */
Test(lcp_gradient, is_that_of_abut_step_differentiate)
{
	int both = 0;
	for (int scene = 0; scene < SCENES; scene++) {
		for (unsigned seed = 0; seed < 4; seed++) {
			both += same_as_step((Scene)scene, seed);
		}
	}
	cr_expect_gt(both, 2 * SCENES, "%d of %d", both, 4 * SCENES);
}

/* Two boxes are far from each other. The block of each equals the one it has alone, and neither affects the other. */
Test(lcp_gradient, islands_do_not_mind_each_other)
{
	enum { R = ABUT_LCP_ROWS, C = ABUT_LCP_COLUMNS };
	double both[2 * R * 2 * C], alone[R * C];
	for (int bodies = 2; bodies > 0; bodies--) {
		World world;
		world_begin(&world);
		world.def.solver.method = ABUT_METHOD_LCP;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		for (int i = 0; i < bodies; i++) { /* the units are those of either */
			AbutBodyDef *body = world_add(&world, make_box(0.5, 0.3, 0.4), 1.0, 8.0 * i, 0.0, 0.401);
			body->linear_velocity[0] = body->linear_velocity[1] = 1.0;
		}
		world_make(&world);
		world_step(&world);
		cr_assert_eq(abut_lcp_gradient_bodies(world.model), bodies);
		cr_assert_eq(abut_lcp_gradient(world.model, world.workspace, bodies == 2 ? both : alone, NULL),
		             ABUT_OK);
		world_end(&world);
	}
	for (int r = 0; r < 2 * R; r++) {
		for (int c = 0; c < 2 * C; c++) {
			const double value = both[2 * C * r + c];
			if (r / R != c / C) {
				cr_assert_eq(value, 0.0, "row %d, column %d: %g", r, c, value);
			} else {
				const double own = alone[C * (r % R) + c % C];
				cr_assert_float_eq(value, own, 1e-9 * (1.0 + fabs(own)),
				                   "row %d, column %d: %g, not %g", r, c, value, own);
			}
		}
	}
}

Test(lcp_gradient, is_had_of_a_solved_step_alone)
{
	double J[ABUT_LCP_ROWS * ABUT_LCP_COLUMNS];
	for (int method = 0; method < 2; method++) {
		World world;
		AbutError error = {.status = ABUT_OK};
		world_begin(&world);
		world.def.solver.method = method ? ABUT_METHOD_SINGLE_LEVEL : ABUT_METHOD_LCP;
		world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.0)->angular_velocity[0] = method ? 0.0 : 160.0;
		world_make(&world);
		cr_assert_eq(abut_lcp_gradient(world.model, world.workspace, J, &error), ABUT_ERROR_UNSUPPORTED);
		cr_assert_eq(world_try(&world), method ? ABUT_OUTCOME_EXACT : ABUT_OUTCOME_FAILED);
		cr_assert_eq(abut_lcp_gradient(world.model, world.workspace, J, &error), ABUT_ERROR_UNSUPPORTED);
		cr_assert(strstr(error.message, "lcp"), "%s", error.message);
		cr_assert_eq(abut_lcp_gradient(world.model, NULL, J, &error), ABUT_ERROR_ARGUMENT);
		cr_assert_eq(abut_lcp_gradient(world.model, world.workspace, NULL, &error), ABUT_ERROR_ARGUMENT);
		world_end(&world);
	}
}
