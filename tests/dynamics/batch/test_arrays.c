/* Tests states, inputs and contacts as arrays. They equal, bit for bit, the numbers of the functions for single bodies.
 * An array is set as a whole or not at all. A refusal names the body, the value and what is allowed. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "abut/arrays.h"
#include "dynamics/joint_scenes.h"
#include "dynamics/world.h"

enum { N_BODIES = 4, N_STEPS = 60, STATE = ABUT_STATE_NUMBERS, INPUT = ABUT_INPUT_NUMBERS };

/* Begins a world with a floor, a shape whose centre of mass is moved, another one on top of it, and a planar body. */
static void begin_heap(World *world)
{
	world_begin(world);
	world_add_floor(world, 0.0, 0.05, 1.0);
	world_add(world, make_box(0.3, 0.2, 0.2), 1.0, 0.0, 0.0, 0.4);
	world_add(world, make_primitive(3, 0.4), 0.7, 0.1, 0.0, 1.0);
	world_add(world, make_cube(0.4), 1.0, 3.0, 0.0, 0.5);
	world->bodies[1].has_centre_of_mass = true;
	world->bodies[1].centre_of_mass[0] = 0.04;
	world->bodies[2].torque[1] = 0.01;
	world->bodies[3].planar_xz = true;
	world_make(world);
}

static bool same(const void *a, const void *b, size_t size)
{
	return memcmp(a, b, size) == 0;
}

Test(arrays, bodies_inputs_and_contacts_are_those_read_one_by_one)
{
	World world;
	begin_heap(&world);
	world_run(&world, N_STEPS);
	double states[N_BODIES][STATE], inputs[N_BODIES][INPUT];
	cr_assert_eq(abut_state_get_bodies(world.model, world.state, &states[0][0]), ABUT_OK);
	cr_assert_eq(abut_state_get_inputs(world.model, world.state, &inputs[0][0]), ABUT_OK);
	for (int i = 0; i < N_BODIES; i++) {
		const AbutBodyState body = world_body(&world, i);
		cr_expect(same(states[i], &body, sizeof body), "body %d", i);
	}
	cr_expect_eq(inputs[2][4], 0.01);
	AbutContact contacts[WORLD_BODIES];
	const int n = abut_contact_count(world.workspace);
	cr_assert_gt(n, 1);
	cr_assert_eq(abut_contact_get_all(world.model, world.workspace, contacts), ABUT_OK);
	for (int i = 0; i < n; i++) {
		const AbutContact contact = world_contact(&world, i);
		cr_expect_eq(contacts[i].body_b, contact.body_b);
		cr_expect(same(&contacts[i].scaling, &contact.scaling, sizeof contact - offsetof(AbutContact, scaling)),
		          "contact %d", i);
	}
	world_end(&world);
}

Test(arrays, the_motion_is_seen_where_the_state_keeps_it)
{
	World world;
	begin_heap(&world);
	const AbutMotionView view = abut_state_motion(world.state);
	cr_assert_eq(view.n_bodies, N_BODIES);
	for (int step = 0; step < 3; step++) {
		for (int i = 0; i < N_BODIES; i++) {
			const AbutBodyState body = world_body(&world, i);
			const double *seen = view.first + (size_t)i * view.stride;
			cr_expect(same(seen + 3, body.orientation, 10 * sizeof(double)), "body %d", i);
			/* the centre of mass of body 1 is moved by 0.04 along its x axis, the first column of the
			 * matrix of q */
			const double *q = body.orientation, c = i == 1 ? 0.04 : 0.0;
			const double offset[3] = {c * (1 - 2 * (q[2] * q[2] + q[3] * q[3])),
			                          c * 2 * (q[1] * q[2] + q[0] * q[3]),
			                          c * 2 * (q[1] * q[3] - q[0] * q[2])};
			for (int k = 0; k < 3; k++) {
				cr_expect_float_eq(seen[k], body.position[k] + offset[k], 1e-14);
			}
		}
		world_run(&world, 10);
	}
	const AbutMotionView none = abut_state_motion(NULL);
	cr_expect(!none.first && none.stride == 0 && none.n_bodies == 0);
	world_end(&world);
}

Test(arrays, what_is_set_is_what_is_set_one_by_one)
{
	World world, other;
	begin_heap(&world);
	begin_heap(&other);
	world_run(&world, 20);
	double states[N_BODIES][STATE], inputs[N_BODIES][INPUT] = {{0.0}};
	abut_state_get_bodies(world.model, world.state, &states[0][0]);
	inputs[1][0] = 2.0;
	inputs[2][5] = -0.02;
	AbutError error;
	cr_assert_eq(abut_state_set_bodies(other.model, other.state, &states[0][0], &error), ABUT_OK);
	cr_assert_eq(abut_state_set_inputs(other.model, other.state, &inputs[0][0], &error), ABUT_OK);
	for (int i = 0; i < N_BODIES; i++) {
		const AbutBodyState body = world_body(&world, i);
		cr_assert_eq(abut_state_set_body(world.model, world.state, i, &body), ABUT_OK);
		cr_assert_eq(abut_state_set_input(world.model, world.state, i, inputs[i], inputs[i] + 3), ABUT_OK);
	}
	world_run(&world, 20);
	world_run(&other, 20);
	for (int i = 0; i < N_BODIES; i++) {
		const AbutBodyState a = world_body(&world, i), b = world_body(&other, i);
		cr_expect(same(&a, &b, sizeof a), "body %d", i);
	}
	world_end(&world);
	world_end(&other);
}

/* Expects a refusal with the path and a word of the message, and an unchanged state. */
static void expect_refused(World *world, int body, int number, double value, const char *path, const char *word)
{
	double states[N_BODIES][STATE], after[N_BODIES][STATE];
	AbutError error;
	abut_state_get_bodies(world->model, world->state, &states[0][0]);
	const double kept = states[body][number];
	states[body][number] = value;
	states[1][7] += 1.0;
	cr_expect_eq(abut_state_set_bodies(world->model, world->state, &states[0][0], &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, path);
	cr_expect(strstr(error.message, word), "%s: %s", error.where, error.message);
	states[body][number] = kept;
	states[1][7] -= 1.0;
	abut_state_get_bodies(world->model, world->state, &after[0][0]);
	cr_expect(same(states, after, sizeof after));
}

Test(arrays, what_no_body_can_do_is_refused_whole)
{
	World world;
	begin_heap(&world);
	expect_refused(&world, 2, 1, NAN, "bodies[2].position", "nan");
	expect_refused(&world, 2, 3, 2.0, "bodies[2].orientation", "unit length");
	expect_refused(&world, 0, 9, 1.0, "bodies[0].linear_velocity", "zero of a static body");
	expect_refused(&world, 3, 8, 0.5, "bodies[3].linear_velocity", "0.5");
	expect_refused(&world, 3, 12, 0.5, "bodies[3].angular_velocity", "world's y");
	expect_refused(&world, 1, 11, 1e4, "bodies[1].angular_velocity", "76.8 / timestep");
	double inputs[N_BODIES][INPUT] = {{0.0}}, after[N_BODIES][INPUT];
	inputs[1][0] = 1.0;
	inputs[2][3] = INFINITY;
	AbutError error;
	cr_expect_eq(abut_state_set_inputs(world.model, world.state, &inputs[0][0], &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "bodies[2].input");
	cr_expect_not_null(strstr(error.message, "inf"));
	inputs[2][3] = 0.0;
	inputs[0][1] = 1.0;
	cr_expect_eq(abut_state_set_inputs(world.model, world.state, &inputs[0][0], &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "bodies[0].input");
	abut_state_get_inputs(world.model, world.state, &after[0][0]);
	cr_expect_eq(after[1][0], 0.0);
	world_end(&world);
}

Test(arrays, many_steps_are_those_taken_one_by_one)
{
	World world, other;
	begin_heap(&world);
	begin_heap(&other);
	static double states[N_STEPS][N_BODIES][STATE];
	AbutStepInfo info = {.tries = 0};
	int taken = 0;
	cr_assert_eq(
	    abut_step_many(other.model, other.state, other.workspace, N_STEPS, &states[0][0][0], &taken, &info),
	    ABUT_OK);
	cr_expect_eq(taken, N_STEPS);
	for (int step = 0; step < N_STEPS; step++) {
		world_run(&world, 1);
		for (int i = 0; i < N_BODIES; i++) {
			const AbutBodyState body = world_body(&world, i);
			cr_assert(same(states[step][i], &body, sizeof body), "step %d, body %d", step, i);
		}
	}
	cr_expect_eq(info.iterations, world.info.iterations);
	cr_expect_eq(abut_step_many(other.model, other.state, other.workspace, 3, NULL, &taken, &info), ABUT_OK);
	cr_expect_float_eq(abut_state_time(other.state), 0.01 * (N_STEPS + 3), 1e-12);
	world_end(&world);
	world_end(&other);
}

Test(arrays, a_batch_takes_the_states_that_it_gave)
{
	enum { N_WORLDS = 3 };
	World world;
	begin_heap(&world);
	AbutBatch *batch = NULL;
	cr_assert_eq(abut_batch_create(world.model, N_WORLDS, 2, &batch, NULL), ABUT_OK);
	static double before[N_WORLDS][N_BODIES][STATE], after[N_WORLDS][N_BODIES][STATE];
	abut_batch_get_states(batch, &before[0][0][0]);
	for (int i = 0; i < N_WORLDS; i++) {
		before[i][1][2] += 0.5 * i;
	}
	AbutError error;
	cr_assert_eq(abut_batch_set_states(batch, &before[0][0][0], &error), ABUT_OK);
	abut_batch_get_states(batch, &after[0][0][0]);
	for (size_t i = 0; i < sizeof after / sizeof(double); i++) {
		cr_expect_float_eq((&after[0][0][0])[i], (&before[0][0][0])[i], 1e-15);
	}
	AbutOutcome outcomes[N_WORLDS] = {ABUT_OUTCOME_FAILED, ABUT_OUTCOME_FAILED, ABUT_OUTCOME_FAILED};
	cr_assert_eq(abut_batch_step(batch, 2), ABUT_OK);
	cr_assert_eq(abut_batch_get_outcomes(batch, outcomes), ABUT_OK);
	for (int i = 0; i < N_WORLDS; i++) {
		AbutOutcome alone = ABUT_OUTCOME_FAILED;
		abut_batch_outcome(batch, i, &alone);
		cr_expect_eq(outcomes[i], alone);
		cr_expect_lt(outcomes[i], ABUT_OUTCOME_RAISED_KAPPA);
	}
	cr_assert_eq(abut_batch_set_states(batch, &before[0][0][0], &error), ABUT_OK);
	before[2][3][3] = 3.0;
	before[0][1][2] = 7.0;
	cr_expect_eq(abut_batch_set_states(batch, &before[0][0][0], &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "worlds[2].bodies[3].orientation");
	AbutBodyState body;
	abut_state_get_body(world.model, abut_batch_state(batch, 0), 1, &body);
	cr_expect_float_eq(body.position[2], after[0][1][2], 1e-12);
	abut_batch_destroy(batch);
	world_end(&world);
}

/* A hinge and a slide, in a state and in the worlds of a batch. */
Test(arrays, joints_are_those_read_one_by_one)
{
	static JointScene scene;
	enum { N_JOINTS = 2, N_WORLDS = 2 };
	const double half[3] = {0.1, 0.1, 0.1}, at[2][3] = {{0.5, 0.0, 0.0}, {3.0, 0.0, 0.0}}, y[3] = {0.0, 1.0, 0.0},
	             z[3] = {0.0, 0.0, 1.0}, origin[3] = {0.0, 0.0, 0.0};
	joint_scene_begin(&scene, 0.01);
	for (int i = 0; i < 2; i++) {
		joint_scene_box(&scene, half, 1.0, at[i]);
	}
	joint_scene_joint(&scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, 0, origin, y);
	joint_scene_joint(&scene, ABUT_JOINT_SLIDE, ABUT_JOINT_WORLD, 1, at[1], z)->axes[0].damping = 2.0;
	joint_scene_make(&scene);
	AbutBatch *batch = NULL;
	cr_assert_eq(abut_batch_create(scene.model, N_WORLDS, 1, &batch, NULL), ABUT_OK);
	const double push[3] = {0.0, 0.0, 5.0};
	cr_assert_eq(abut_state_set_input(scene.model, abut_batch_state(batch, 1), 0, push, origin), ABUT_OK);
	cr_assert_eq(abut_batch_step(batch, 5), ABUT_OK);
	AbutJointState all[N_WORLDS][N_JOINTS], one;
	cr_assert_eq(abut_batch_get_joints(batch, &all[0][0]), ABUT_OK);
	for (int world = 0; world < N_WORLDS; world++) {
		const AbutState *state = abut_batch_state(batch, world);
		AbutJointState own[N_JOINTS];
		cr_assert_eq(abut_joint_get_all(scene.model, state, own), ABUT_OK);
		for (int i = 0; i < N_JOINTS; i++) {
			cr_assert_eq(abut_joint_get(scene.model, state, i, &one), ABUT_OK);
			cr_expect(same(&own[i], &one, sizeof one) && same(&all[world][i], &one, sizeof one));
		}
		cr_expect_gt(own[0].position[0], 0.005);
		cr_expect_lt(own[1].position[0], -0.01);
	}
	cr_expect_neq(all[0][0].position[0], all[1][0].position[0]);
	cr_expect_eq(abut_joint_get_all(scene.model, scene.state, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_joint_get_all(scene.model, NULL, &one), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_joint_get_all(NULL, scene.state, &one), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_batch_get_joints(batch, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_batch_get_joints(NULL, &one), ABUT_ERROR_ARGUMENT);
	abut_batch_destroy(batch);
	joint_scene_end(&scene);
}

Test(arrays, null_and_things_of_other_models_are_refused)
{
	World world, other;
	begin_heap(&world);
	begin_heap(&other);
	double states[N_BODIES][STATE];
	AbutContact contact;
	AbutStepInfo info;
	int taken = 0;
	const AbutStatus bad = ABUT_ERROR_ARGUMENT;
	cr_expect_eq(abut_state_get_bodies(NULL, world.state, &states[0][0]), bad);
	cr_expect_eq(abut_state_get_bodies(other.model, world.state, &states[0][0]), bad);
	cr_expect_eq(abut_state_get_bodies(world.model, world.state, NULL), bad);
	cr_expect_eq(abut_state_get_inputs(other.model, world.state, &states[0][0]), bad);
	cr_expect_eq(abut_state_set_bodies(world.model, world.state, NULL, NULL), bad);
	cr_expect_eq(abut_state_set_bodies(other.model, world.state, &states[0][0], NULL), bad);
	cr_expect_eq(abut_state_set_inputs(other.model, world.state, &states[0][0], NULL), bad);
	cr_expect_eq(abut_contact_get_all(other.model, world.workspace, &contact), bad);
	cr_expect_eq(abut_contact_get_all(world.model, NULL, &contact), bad);
	cr_expect_eq(abut_step_many(world.model, world.state, world.workspace, 0, NULL, &taken, &info), bad);
	cr_expect_eq(abut_step_many(world.model, world.state, other.workspace, 1, NULL, &taken, &info), bad);
	cr_expect_eq(abut_batch_set_states(NULL, &states[0][0], NULL), bad);
	cr_expect_eq(abut_batch_get_outcomes(NULL, NULL), bad);
	world_end(&world);
	world_end(&other);
}
