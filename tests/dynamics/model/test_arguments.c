/* Tests every function of abut/model.h with NULL, indices out of range, a state or workspace of another model, and
 * motion that a static body cannot have. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "dynamics/step/workspace.h"
#include "dynamics/world.h"

static const AbutStatus bad = ABUT_ERROR_ARGUMENT;

/* Begins a world with a static box and `n` moving boxes. */
static void begin_boxes(World *world, int n)
{
	world_begin(world);
	world_add(world, make_box(5.0, 5.0, 0.5), 0.0, 0.0, 0.0, -0.5);
	for (int i = 0; i < n; i++) {
		world_add(world, make_cube(1.0), 1.0, 0.0, 0.0, 0.5 + i);
	}
}

Test(arguments, null)
{
	World world;
	begin_boxes(&world, 1);
	world_make(&world);
	AbutModel *model = world.model;
	AbutState *state = world.state;
	AbutWorkspace *workspace = world.workspace;
	AbutModel *no_model = model;
	AbutState *no_state = state;
	AbutWorkspace *no_workspace = workspace;
	AbutError error = {.status = ABUT_OK};
	AbutBodyState s = world_body(&world, 1);
	AbutContact contact;
	AbutStepInfo info = {.tries = 0};
	const double zero[3] = {0.0, 0.0, 0.0};

	cr_expect_eq(abut_model_create(NULL, &no_model, &error), bad);
	cr_expect_null(no_model);
	cr_expect(error.status == bad && error.message[0]);
	cr_expect_eq(abut_model_create(&world.def, NULL, &error), bad);
	cr_expect_eq(abut_model_create(NULL, NULL, NULL), bad);
	cr_expect_eq(abut_state_create(NULL, &no_state, &error), bad);
	cr_expect_eq(abut_state_create(model, NULL, &error), bad);
	cr_expect_eq(abut_state_create(NULL, NULL, NULL), bad);
	cr_expect_eq(abut_workspace_create(NULL, &no_workspace, &error), bad);
	cr_expect_eq(abut_workspace_create(model, NULL, &error), bad);
	cr_expect_eq(abut_workspace_create(NULL, NULL, NULL), bad);
	abut_model_destroy(NULL);
	abut_state_destroy(NULL);
	abut_workspace_destroy(NULL);

	cr_expect_eq(abut_state_copy(NULL, state, state), bad);
	cr_expect_eq(abut_state_copy(model, NULL, state), bad);
	cr_expect_eq(abut_state_copy(model, state, NULL), bad);
	cr_expect_eq(abut_state_get_body(NULL, state, 1, &s), bad);
	cr_expect_eq(abut_state_get_body(model, NULL, 1, &s), bad);
	cr_expect_eq(abut_state_get_body(model, state, 1, NULL), bad);
	cr_expect_eq(abut_state_set_body(NULL, state, 1, &s), bad);
	cr_expect_eq(abut_state_set_body(model, NULL, 1, &s), bad);
	cr_expect_eq(abut_state_set_body(model, state, 1, NULL), bad);
	cr_expect_eq(abut_state_set_input(NULL, state, 1, zero, zero), bad);
	cr_expect_eq(abut_state_set_input(model, NULL, 1, zero, zero), bad);
	cr_expect_eq(abut_state_set_input(model, state, 1, NULL, zero), bad);
	cr_expect_eq(abut_state_set_input(model, state, 1, zero, NULL), bad);
	cr_expect_eq(abut_step(NULL, state, workspace, &info), bad);
	cr_expect_eq(abut_step(model, NULL, workspace, &info), bad);
	cr_expect_eq(abut_step(model, state, NULL, &info), bad);
	cr_expect_eq(abut_step(model, state, workspace, NULL), bad);
	cr_expect_eq(abut_contact_get(NULL, workspace, 0, &contact), bad);
	cr_expect_eq(abut_contact_get(model, NULL, 0, &contact), bad);
	cr_expect_eq(abut_contact_get(model, workspace, 0, NULL), bad);
	world_end(&world);
}

Test(arguments, indices)
{
	World world;
	begin_boxes(&world, 2);
	world_make(&world);
	static const int indices[] = {-1, 3, 1000000, -1000000};
	for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
		const int k = indices[i];
		AbutBodyState s = world_body(&world, 1);
		AbutContact contact;
		const double zero[3] = {0.0, 0.0, 0.0};
		cr_expect_eq(abut_state_get_body(world.model, world.state, k, &s), bad);
		cr_expect_eq(abut_state_set_body(world.model, world.state, k, &s), bad);
		cr_expect_eq(abut_state_set_input(world.model, world.state, k, zero, zero), bad);
		cr_expect_eq(abut_contact_get(world.model, world.workspace, k, &contact), bad);
		cr_expect_str_eq(abut_model_body_name(world.model, k), "");
		cr_expect_not(abut_model_body_is_static(world.model, k));
		cr_expect_eq(abut_model_body_mass(world.model, k), 0.0);
	}
	world_end(&world);
}

/* A static body has neither velocity nor input, in the definition or later. A refused call changes nothing. */
Test(arguments, static_bodies_keep_still)
{
	World world;
	begin_boxes(&world, 1);
	world_make(&world);
	const double zero[3] = {0.0, 0.0, 0.0};
	for (int i = 0; i < 6; i++) {
		AbutBodyState s = world_body(&world, 0);
		(i < 3 ? s.linear_velocity : s.angular_velocity)[i % 3] = i % 2 ? 1e4 : -1e-300;
		const AbutBodyState before = world_body(&world, 0);
		cr_expect_eq(abut_state_set_body(world.model, world.state, 0, &s), bad, "velocity %d", i);
		const AbutBodyState after = world_body(&world, 0);
		cr_expect_eq(memcmp(&before, &after, sizeof before), 0, "velocity %d", i);
		double input[3] = {0.0, 0.0, 0.0};
		input[i % 3] = i % 2 ? 1.0 : -1e-300;
		cr_expect_eq(
		    abut_state_set_input(world.model, world.state, 0, i < 3 ? input : zero, i < 3 ? zero : input), bad,
		    "input %d", i);
	}
	AbutBodyState s = world_body(&world, 0);
	s.position[2] -= 1.0; /* a static body may be moved, and its inputs may be zero */
	cr_expect_eq(abut_state_set_body(world.model, world.state, 0, &s), ABUT_OK);
	cr_expect_eq(abut_state_set_input(world.model, world.state, 0, zero, zero), ABUT_OK);
	world_run(&world, 3);
	const AbutBodyState after = world_body(&world, 0);
	cr_expect_eq(memcmp(&s, &after, sizeof s), 0, "a static body has moved");
	for (int i = 0; i < 12; i++) {
		AbutBodyDef *body = &world.bodies[0];
		double *const values[] = {body->linear_velocity, body->angular_velocity, body->force, body->torque};
		AbutModel *model = NULL;
		AbutError error = {.status = ABUT_OK};
		values[i / 3][i % 3] = i % 2 ? 1e-3 : -5.0;
		cr_expect_eq(abut_model_create(&world.def, &model, &error), bad, "value %d", i);
		cr_expect_null(model);
		cr_expect(strstr(error.where, "bodies[0]") && strstr(error.message, "static"), "value %d: %s: %s", i,
		          error.where, error.message);
		values[i / 3][i % 3] = 0.0;
	}
	world_end(&world);
}

/* States and workspaces of models with a different number of bodies are refused. */
Test(arguments, of_other_models)
{
	World small, large;
	AbutStepInfo info = {.tries = 0};
	AbutContact contact;
	begin_boxes(&small, 1);
	begin_boxes(&large, 3);
	world_make(&small);
	world_make(&large);
	world_run(&large, 2);
	const AbutBodyState before = world_body(&small, 1);
	cr_expect_eq(abut_state_copy(small.model, large.state, small.state), bad);
	cr_expect_eq(abut_state_copy(small.model, small.state, large.state), bad);
	cr_expect_eq(abut_state_copy(large.model, large.state, small.state), bad);
	cr_expect_eq(abut_step(small.model, small.state, large.workspace, &info), bad);
	cr_expect_eq(abut_step(large.model, large.state, small.workspace, &info), bad);
	cr_expect_eq(abut_step(small.model, large.state, small.workspace, &info), bad);
	cr_expect_eq(abut_step(large.model, small.state, large.workspace, &info), bad);
	cr_expect_eq(abut_contact_get(small.model, large.workspace, 0, &contact), bad);
	const AbutBodyState after = world_body(&small, 1);
	cr_expect_eq(memcmp(&before, &after, sizeof before), 0);
	cr_expect_eq(abut_state_time(small.state), 0.0);
	world_run(&small, 2);
	world_run(&large, 2);
	world_end(&small);
	world_end(&large);
}

/* Models that differ only in solver options are different models: states and workspaces of one are refused with the
 * other. */
Test(arguments, of_models_with_other_options)
{
	World a, b;
	AbutStepInfo info = {.tries = 0};
	begin_boxes(&a, 2);
	begin_boxes(&b, 2);
	b.def.solver.kappa = 1e-5;
	b.def.solver.linear_solver = ABUT_LINEAR_SOLVER_DENSE;
	world_make(&a);
	world_make(&b);
	cr_expect_eq(abut_state_copy(a.model, a.state, b.state), bad);
	cr_expect_eq(abut_step(a.model, a.state, b.workspace, &info), bad);
	cr_expect_eq(abut_step(a.model, b.state, a.workspace, &info), bad);
	world_run(&b, 10);
	world_end(&a);
	world_end(&b);
}
