/* Tests memory: a step allocates nothing, and if any allocation of the set-up fails, the result is ABUT_ERROR_MEMORY
 * without a leak. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocation_watch.h"
#include "dynamics/world.h"

/* Without this test, a build without the linker's option would pass all other tests. */
Test(allocation, is_watched)
{
	watch_begin(0);
	AbutShape *shape = make_sphere(1.0);
	watch_end();
	cr_assert_gt(watch.calls, 0);
	cr_assert_gt(watch.live, 0);
	abut_shape_destroy(shape);
}

/* Begins a pile of every shape: bodies fall, touch, come to rest; pairs appear and disappear. */
static void begin_pile(World *world)
{
	world_begin(world);
	world_add_floor(world, 0.0, 0.0, 1.0);
	for (int i = 0; i < WORLD_SHAPES; i++) {
		AbutBodyDef *body =
		    world_add(world, make_primitive(i, 0.5), 1.0, 0.2 * (i % 2), 0.1 * (i % 3), 0.4 + 0.6 * i);
		body->angular_velocity[i % 3] = 1.0 + i;
	}
}

/* Takes ownership of a and b. */
static AbutShape *compose(bool sum, AbutShape *a, AbutShape *b)
{
	const AbutShape *const parts[2] = {a, b};
	AbutShape *shape = NULL;
	AbutError error = {0};
	const AbutStatus status = sum ? abut_shape_create_minkowski_sum(2, parts, &shape, &error)
	                              : abut_shape_create_intersection(2, parts, &shape, &error);
	cr_assert_eq(status, ABUT_OK, "%s", error.message);
	abut_shape_destroy(a);
	abut_shape_destroy(b);
	return shape;
}

static AbutShape *make_conic_ball(double radius)
{
	const double A[] = {0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1}, d[] = {radius, 0, 0, 0}, h[4] = {0.0};
	const AbutConicData data = {.n_rows = 4, .n_soc = 1, .soc_dim = (const int[]){4}, .A = A, .d = d, .h = h};
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_conic(&data, &shape, NULL), ABUT_OK);
	return shape;
}

enum { COMPOSED = 6 };

/* Makes a shape of each kind that consists of other shapes or of the user's numbers. */
static AbutShape *make_composed(int index)
{
	AbutShape *shape = NULL;
	switch (index) {
	case 0:
		return compose(true, make_box(0.3, 0.2, 0.2), make_sphere(0.1));
	case 1:
		return compose(true, make_cylinder(0.2, 0.4), make_sphere(0.1));
	case 2:
		return compose(false, make_sphere(0.4), make_box(0.3, 0.3, 0.35));
	case 3:
		return compose(false, make_cylinder(0.3, 0.8), make_sphere(0.4));
	case 4:
		return make_conic_ball(0.3);
	default:
		cr_assert_eq(abut_shape_create_superellipsoid((const double[]){0.4, 0.3, 0.3},
		                                              (const double[]){3.0, 4.0}, &shape, NULL),
		             ABUT_OK);
		return shape;
	}
}

/* Begins a pile of these shapes, and a body that is their union. */
static void begin_composed_pile(World *world, AbutShape *parts[2])
{
	world_begin(world);
	world_add_floor(world, 0.0, 0.0, 1.0);
	for (int i = 0; i < COMPOSED; i++) {
		AbutBodyDef *body =
		    world_add(world, make_composed(i), 1.0, 0.2 * (i % 2), 0.1 * (i % 3), 0.5 + 0.7 * i);
		body->angular_velocity[i % 3] = 1.0 + i;
	}
	parts[0] = make_composed(2);
	parts[1] = make_composed(4);
	const double eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, aside[3] = {0.3, 0.0, 0.0};
	cr_assert_eq(abut_shape_move(parts[1], eye, aside, NULL), ABUT_OK);
	AbutBodyDef *body = world_add(world, make_cube(1.0), 1.0, 0.5, 0.3, 0.8);
	body->parts = (const AbutShape *const *)parts;
	body->n_parts = 2;
}

static void assert_quiet(World *world, int steps, const char *what)
{
	for (int i = 0; i < steps; i++) {
		AbutStepInfo info = {.tries = 0};
		watch_begin(0);
		const AbutStatus status = abut_step(world->model, world->state, world->workspace, &info);
		watch_end();
		cr_assert_eq(status, ABUT_OK);
		cr_assert_eq(watch.calls, 0, "%s: %ld allocations in step %d", what, watch.calls, i);
		cr_assert_eq(watch.live, 0, "%s: %ld frees in step %d", what, -watch.live, i);
	}
}

Test(allocation, none_in_a_step)
{
	for (int variant = 0; variant < 8; variant++) {
		static const char *const names[] = {"exact",   "no finish",  "dense",
		                                    "pyramid", "cold",       "cascade down to half steps",
		                                    "bilevel", "the paper's"};
		World world;
		begin_pile(&world);
		AbutSolverOptions *options = &world.def.solver;
		options->finish = variant == 1 ? ABUT_FINISH_NONE : ABUT_FINISH_EXACT;
		options->linear_solver = variant == 2 ? ABUT_LINEAR_SOLVER_DENSE : ABUT_LINEAR_SOLVER_CONDENSED;
		options->friction_cone = variant == 3 ? ABUT_FRICTION_CONE_PYRAMID : ABUT_FRICTION_CONE_SOC;
		options->warm_start = variant < 4;
		if (variant == 5) { /* one iteration, and a tolerance that cannot be reached: every start fails */
			options->max_iterations = 1;
			options->kappa = 1e-12;
			options->tolerance = 1e-300;
		}
		if (variant == 6) {
			options->method = ABUT_METHOD_BILEVEL;
		}
		if (variant == 7) {
			*options = abut_solver_options_preset(ABUT_PRESET_PAPER, ABUT_METHOD_SINGLE_LEVEL);
		}
		world_make(&world);
		const bool slow = variant == 2 || variant >= 5;
		assert_quiet(&world, variant == 7 ? 3 : slow ? 40 : 200, names[variant]);
		world_end(&world);
	}
}

Test(allocation, none_with_compositions)
{
	World world;
	AbutShape *parts[2];
	begin_composed_pile(&world, parts);
	world_make(&world);
	assert_quiet(&world, 200, "compositions");
	world_end(&world);
	abut_shape_destroy(parts[0]);
	abut_shape_destroy(parts[1]);
}

/* An impact too fast for one step, and bodies that start inside each other, which use recovery and half steps. */
Test(allocation, none_in_hard_steps)
{
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.2);
	world_add(&world, make_cylinder(0.4, 0.8), 1.0, 0.1, 0.0, 0.3);
	world_add(&world, make_cube(1.0), 1.0, 0.2, 0.0, 6.0)->linear_velocity[2] = -100.0;
	world_make(&world);
	assert_quiet(&world, 100, "hard");
	world_end(&world);
}

/* Many bodies near each other, of which the scene allows few pairs, by a list or by exclusions: the broad phase finds
 * more pairs than are allowed. */
Test(allocation, none_among_bodies_that_may_not_touch)
{
	for (int excluded = 0; excluded < 2; excluded++) {
		World world;
		int exclude[WORLD_BODIES * WORLD_BODIES][2];
		world_begin(&world);
		world.def.gravity[2] = 0.0;
		for (int i = 0; i < 20; i++) {
			world_add(&world, make_sphere(0.5), 1.0, 0.1 * i, 0.05 * i, 0.0)->linear_velocity[0] = 0.1 * i;
			for (int j = i == 19 ? 1 : 0; j < i; j++) {
				exclude[world.def.n_exclude][0] = i;
				exclude[world.def.n_exclude++][1] = j;
			}
		}
		if (excluded) {
			world.def.exclude = (const int(*)[2])exclude;
		} else {
			world.def.all_pairs = false;
			world.def.n_exclude = 0;
			world_add_pair(&world, 0, 19);
		}
		world_make(&world);
		cr_assert_eq(abut_model_pair_count(world.model), 1);
		assert_quiet(&world, 20, excluded ? "excluded" : "listed");
		world_end(&world);
	}
}

/* Tests the other calls of a run as well. */
Test(allocation, none_in_state_calls)
{
	World world;
	begin_pile(&world);
	world_make(&world);
	AbutState *other = NULL;
	cr_assert_eq(abut_state_create(world.model, &other, NULL), ABUT_OK);
	const double force[3] = {1.0, 0.0, 0.0};
	watch_begin(0);
	AbutBodyState s;
	AbutContact contact;
	abut_state_copy(world.model, world.state, other);
	abut_state_get_body(world.model, world.state, 1, &s);
	abut_state_set_body(world.model, world.state, 1, &s);
	abut_state_set_input(world.model, world.state, 1, force, force);
	abut_state_energy(world.model, world.state);
	abut_contact_get(world.model, world.workspace, 0, &contact);
	watch_end();
	cr_assert_eq(watch.calls, 0);
	abut_state_destroy(other);
	world_end(&world);
}

/* Products and matrices of steps, whole and in parts, allocate only in the first call of each. */
Test(allocation, none_in_products)
{
	enum { N = 10 };
	World world;
	AbutGradient *gradient = NULL;
	static double J[ABUT_GRADIENT_ROWS * N * ABUT_GRADIENT_COLUMNS * N], next[ABUT_GRADIENT_ROWS * N];
	static double change[ABUT_GRADIENT_COLUMNS * N], columns[ABUT_GRADIENT_ROWS * N], parameter;
	begin_pile(&world);
	world_make(&world);
	cr_assert_leq(world.def.n_bodies - 1, N);
	AbutParameter gravity;
	abut_parameter_list(world.model, ABUT_PARAMETER_GRAVITY, 1, &gravity);
	cr_assert_eq(abut_gradient_create(world.model, 1e-3, &gradient, NULL), ABUT_OK);
	cr_assert_eq(abut_gradient_select(gradient, 1, &gravity, NULL), ABUT_OK);
	world_run(&world, 20);
	cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
	             ABUT_OK);
	for (int call = 0; call < 3; call++) {
		watch_begin(0);
		cr_assert_eq(abut_gradient_matrix(gradient, J, NULL), ABUT_OK);
		cr_assert_eq(abut_gradient_parameters(gradient, columns, NULL), ABUT_OK);
		cr_assert_eq(abut_gradient_forward(gradient, change, NULL, next, NULL), ABUT_OK);
		cr_assert_eq(abut_gradient_backward(gradient, next, change, &parameter, NULL), ABUT_OK);
		watch_end();
		cr_expect(call == 0 || watch.calls == 0, "%ld allocations in call %d", watch.calls, call);
		cr_expect_geq(watch.live, 0, "%ld frees in call %d", -watch.live, call);
	}
	abut_gradient_destroy(gradient);
	world_end(&world);
}

/* Calls `make(context, error)` with allocation 1, 2, ... failing until the call succeeds. `drop` frees the result. */
static void fail_each(const char *what, AbutStatus (*make)(void *context, AbutError *error),
                      void (*drop)(void *context), void *context)
{
	for (long n = 1;; n++) {
		AbutError error;
		memset(&error, 0, sizeof error);
		watch_begin(n);
		const AbutStatus status = make(context, &error);
		const bool reached = watch.calls >= n;
		watch.fail_at = 0;
		if (status == ABUT_OK) {
			drop(context);
		}
		watch_end();
		cr_assert_eq(watch.live, 0, "%s, allocation %ld: %ld blocks are left", what, n, watch.live);
		if (!reached) {
			cr_assert_eq(status, ABUT_OK, "%s: %s", what, error.message);
			cr_assert_gt(n, 1, "%s allocates nothing", what);
			return;
		}
		cr_assert_eq(status, ABUT_ERROR_MEMORY, "%s, allocation %ld gives '%s': %s", what, n,
		             abut_status_name(status), error.message);
		cr_assert_eq(error.status, ABUT_ERROR_MEMORY, "%s, allocation %ld", what, n);
		cr_assert(error.message[0], "%s, allocation %ld: no message", what, n);
		cr_assert_lt(n, 10000);
	}
}

typedef struct ShapeCase {
	int kind;
	AbutShape *shape, *core;
} ShapeCase;

static AbutStatus make_shape(void *context, AbutError *error)
{
	static const double half[3] = {0.5, 0.4, 0.3}, normal[3] = {0.0, 0.0, 2.0};
	static const double A[] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 1, 1, 1};
	static const double b[] = {1, 1, 1, 1, 1, 1, 2};
	static const double vertices[] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
	ShapeCase *c = context;
	c->shape = NULL;
	switch (c->kind) {
	case 0:
		return abut_shape_create_halfspace(normal, 0.1, &c->shape, error);
	case 1:
		return abut_shape_create_box(half, &c->shape, error);
	case 2:
		return abut_shape_create_polytope(7, A, b, &c->shape, error);
	case 3:
		return abut_shape_create_polytope_from_vertices(6, vertices, &c->shape, error);
	case 4:
		return abut_shape_create_padded_polytope(c->core, 0.1, &c->shape, error);
	case 5:
		return abut_shape_create_sphere(0.5, &c->shape, error);
	case 6:
		return abut_shape_create_ellipsoid(half, &c->shape, error);
	case 7:
		return abut_shape_create_capsule(0.5, 1.0, &c->shape, error);
	case 8:
		return abut_shape_create_cylinder(0.5, 1.0, &c->shape, error);
	case 9:
		return abut_shape_create_cone(0.5, 1.0, &c->shape, error);
	default:
		return abut_shape_clone(c->core, &c->shape, error);
	}
}

static void drop_shape(void *context)
{
	abut_shape_destroy(((ShapeCase *)context)->shape);
}

Test(allocation, shapes)
{
	static const char *const names[] = {"halfspace", "box",     "polytope", "vertices", "padded", "sphere",
	                                    "ellipsoid", "capsule", "cylinder", "cone",     "clone"};
	ShapeCase c = {.core = make_primitive(7, 1.0)};
	for (c.kind = 0; c.kind < 11; c.kind++) {
		fail_each(names[c.kind], make_shape, drop_shape, &c);
	}
	abut_shape_destroy(c.core);
}

static AbutStatus make_model(void *context, AbutError *error)
{
	World *world = context;
	return abut_model_create(&world->def, &world->model, error);
}

static void drop_model(void *context)
{
	World *world = context;
	abut_model_destroy(world->model);
	world->model = NULL;
}

static AbutStatus make_state(void *context, AbutError *error)
{
	World *world = context;
	return abut_state_create(world->model, &world->state, error);
}

static void drop_state(void *context)
{
	World *world = context;
	abut_state_destroy(world->state);
	world->state = NULL;
}

static AbutStatus make_workspace(void *context, AbutError *error)
{
	World *world = context;
	return abut_workspace_create(world->model, &world->workspace, error);
}

static void drop_workspace(void *context)
{
	World *world = context;
	abut_workspace_destroy(world->workspace);
	world->workspace = NULL;
}

Test(allocation, model_state_workspace)
{
	for (int dense = 0; dense < 2; dense++) {
		World world;
		begin_pile(&world);
		world.def.solver.linear_solver = dense ? ABUT_LINEAR_SOLVER_DENSE : ABUT_LINEAR_SOLVER_CONDENSED;
		fail_each("model", make_model, drop_model, &world);
		cr_assert_eq(make_model(&world, NULL), ABUT_OK);
		fail_each("state", make_state, drop_state, &world);
		fail_each("workspace", make_workspace, drop_workspace, &world);
		world_end(&world);
	}
}

typedef struct RolloutCase {
	World *world;
	AbutRollout *rollout;
} RolloutCase;

static AbutStatus make_rollout(void *context, AbutError *error)
{
	static const AbutParameter parameter = {ABUT_PARAMETER_FRICTION, 0, 1, -1, 0};
	const AbutRolloutOptions options = {.capacity = 3, .segment = 2, .n_parameters = 1, .parameters = &parameter};
	RolloutCase *c = context;
	return abut_rollout_create(c->world->model, &options, &c->rollout, error);
}

static void drop_rollout(void *context)
{
	RolloutCase *c = context;
	abut_rollout_destroy(c->rollout);
	c->rollout = NULL;
}

/* Includes a gradient and its selected values. */
Test(allocation, rollouts_give_all_back)
{
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.5);
	world_make(&world);
	RolloutCase c = {.world = &world};
	fail_each("rollout", make_rollout, drop_rollout, &c);
	world_end(&world);
}

typedef struct ChangedCase {
	const AbutModel *model;
	AbutModel *changed;
} ChangedCase;

/* Changes a friction coefficient, and a size, a face and a position of the box that is body 1. */
static AbutStatus make_changed(void *context, AbutError *error)
{
	static const AbutParameter parameters[] = {{ABUT_PARAMETER_FRICTION, 0, 1, -1, 0},
	                                           {ABUT_PARAMETER_SIZE, 1, -1, 0, 1},
	                                           {ABUT_PARAMETER_FACE, 1, -1, 0, 0},
	                                           {ABUT_PARAMETER_PART_POSITION, 1, -1, 0, 2}};
	static const double values[] = {0.3, 0.4, 0.99, 0.1};
	ChangedCase *c = context;
	return abut_model_create_changed(c->model, 4, parameters, values, &c->changed, error);
}

static void drop_changed(void *context)
{
	ChangedCase *c = context;
	abut_model_destroy(c->changed);
}

Test(allocation, changed_model)
{
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.5);
	cr_assert_eq(make_model(&world, NULL), ABUT_OK);
	ChangedCase c = {.model = world.model};
	fail_each("changed model", make_changed, drop_changed, &c);
	world_end(&world);
}

typedef struct BatchCase {
	World world;
	AbutBatch *batch;
} BatchCase;

static AbutStatus make_batch(void *context, AbutError *error)
{
	BatchCase *c = context;
	return abut_batch_create(c->world.model, 3, 2, &c->batch, error);
}

static void drop_batch(void *context)
{
	abut_batch_destroy(((BatchCase *)context)->batch);
}

/* The steps of a batch and its bulk calls allocate nothing either. */
Test(allocation, batch)
{
	static double states[3 * WORLD_BODIES * 13], inputs[3 * WORLD_BODIES * 6];
	BatchCase c = {.batch = NULL};
	begin_pile(&c.world);
	world_make(&c.world);
	fail_each("batch", make_batch, drop_batch, &c);
	cr_assert_eq(make_batch(&c, NULL), ABUT_OK);
	watch_begin(0);
	for (int i = 0; i < 20; i++) {
		abut_batch_set_inputs(c.batch, inputs);
		abut_batch_step(c.batch, 10);
		abut_batch_get_states(c.batch, states);
	}
	watch_end();
	cr_assert_eq(watch.calls, 0);
	cr_assert_eq(watch.live, 0);
	drop_batch(&c);
	world_end(&c.world);
}

typedef struct SceneCase {
	char *text;
	size_t length;
	AbutScene *scene;
} SceneCase;

static AbutStatus make_scene(void *context, AbutError *error)
{
	static const char *const overrides[] = {"timestep=0.005", "bodies[1].mass=2", "solver.kappa=1e-5"};
	SceneCase *c = context;
	return abut_scene_parse(c->text, c->length, "pile", 3, overrides, &c->scene, error);
}

static void drop_scene(void *context)
{
	abut_scene_destroy(((SceneCase *)context)->scene);
}

Test(allocation, scene)
{
	static char text[1 << 16];
	FILE *file = fopen(ABUT_SOURCE_DIR "/experiments/scenes/pile_10.json", "rb");
	cr_assert_not_null(file);
	SceneCase c = {.text = text};
	c.length = fread(text, 1, sizeof text, file);
	fclose(file);
	fail_each("scene", make_scene, drop_scene, &c);
}
