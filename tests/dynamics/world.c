#include "world.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "base/vec3.h"

void world_begin(World *world)
{
	*world = (World){.def = abut_scene_def_default()};
	world->def.name = "test";
	world->def.bodies = world->bodies;
	world->def.pairs = world->pairs;
}

void world_begin_method(World *world, AbutMethod method)
{
	world_begin(world);
	world->def.solver.method = method;
}

AbutBodyDef *world_add(World *world, AbutShape *shape, double mass, double x, double y, double z)
{
	const int i = world->def.n_bodies++;
	cr_assert_lt(i, WORLD_BODIES);
	AbutBodyDef *body = &world->bodies[i];
	*body = abut_body_def_default();
	snprintf(world->names[i], sizeof world->names[i], "body %d", i);
	world->shapes[i] = shape;
	world->parts[i] = shape;
	body->name = world->names[i];
	body->n_parts = 1;
	body->parts = &world->parts[i];
	body->is_static = mass == 0.0;
	body->mass = mass;
	body->position[0] = x;
	body->position[1] = y;
	body->position[2] = z;
	return body;
}

AbutBodyDef *world_add_floor(World *world, double nx, double ny, double nz)
{
	AbutShape *shape = NULL;
	AbutError error = {.status = ABUT_OK};
	const double normal[3] = {nx, ny, nz};
	cr_assert_eq(abut_shape_create_halfspace(normal, 0.0, &shape, &error), ABUT_OK, "%s", error.message);
	return world_add(world, shape, 0.0, 0.0, 0.0, 0.0);
}

AbutPairDef *world_add_pair(World *world, int a, int b)
{
	AbutPairDef *pair = &world->pairs[world->def.n_pairs++];
	*pair =
	    (AbutPairDef){.body_a = a, .body_b = b, .friction = -1.0, .torsional_radius = -1.0, .restitution = -1.0};
	return pair;
}

void world_make(World *world)
{
	AbutError error = {.status = ABUT_OK};
	cr_assert_eq(abut_model_create(&world->def, &world->model, &error), ABUT_OK, "%s: %s", error.where,
	             error.message);
	cr_assert_eq(abut_state_create(world->model, &world->state, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_workspace_create(world->model, &world->workspace, &error), ABUT_OK, "%s", error.message);
}

AbutOutcome world_try(World *world)
{
	world->info = (AbutStepInfo){.tries = 0};
	cr_assert_eq(abut_step(world->model, world->state, world->workspace, &world->info), ABUT_OK);
	for (int i = 0; i < world->def.n_bodies; i++) {
		const AbutBodyState s = world_body(world, i);
		cr_assert(abut_all_finite(s.position, 3) && abut_all_finite(s.orientation, 4) &&
		              abut_all_finite(s.linear_velocity, 3) && abut_all_finite(s.angular_velocity, 3),
		          "body %d is not finite after step %ld", i, world->steps);
	}
	if (world->info.outcome == ABUT_OUTCOME_EXACT) {
		cr_assert(world->info.kappa == 0.0 && world->info.residual < 1e-10 &&
		              world->info.complementarity < 1e-10,
		          "step %ld is exact with kappa %g, residual %g, complementarity %g", world->steps,
		          world->info.kappa, world->info.residual, world->info.complementarity);
	}
	world->steps++;
	return world->info.outcome;
}

void world_step(World *world)
{
	const AbutOutcome outcome = world_try(world);
	cr_assert(outcome == ABUT_OUTCOME_EXACT || outcome == ABUT_OUTCOME_RELAXED, "step %ld: %s (residual %g)",
	          world->steps - 1, abut_outcome_name(outcome), world->info.residual);
}

void world_run(World *world, int steps)
{
	for (int i = 0; i < steps; i++) {
		world_step(world);
	}
}

AbutBodyState world_body(const World *world, int body)
{
	AbutBodyState out;
	cr_assert_eq(abut_state_get_body(world->model, world->state, body, &out), ABUT_OK);
	return out;
}

AbutContact world_contact(const World *world, int index)
{
	AbutContact out;
	cr_assert_eq(abut_contact_get(world->model, world->workspace, index, &out), ABUT_OK);
	return out;
}

bool world_find_parts(const World *world, int a, int part_a, int b, int part_b, AbutContact *out)
{
	for (int i = 0; i < abut_contact_count(world->workspace); i++) {
		*out = world_contact(world, i);
		if (out->body_a == a && out->part_a == part_a && out->body_b == b && out->part_b == part_b) {
			return true;
		}
	}
	*out = (AbutContact){.body_a = a, .body_b = b, .part_a = part_a, .part_b = part_b};
	return false;
}

bool world_find(const World *world, int a, int b, AbutContact *out)
{
	return world_find_parts(world, a, 0, b, 0, out);
}

AbutContact world_touch(const World *world, int a, int b)
{
	AbutContact out;
	cr_assert(world_find(world, a, b, &out), "no contact of %d and %d in step %ld", a, b, world->steps - 1);
	return out;
}

void world_end(World *world)
{
	abut_workspace_destroy(world->workspace);
	abut_state_destroy(world->state);
	abut_model_destroy(world->model);
	for (int i = 0; i < world->def.n_bodies; i++) {
		abut_shape_destroy(world->shapes[i]);
	}
	*world = (World){.model = NULL};
}

AbutShape *make_box(double hx, double hy, double hz)
{
	AbutShape *shape = NULL;
	const double half[3] = {hx, hy, hz};
	cr_assert_eq(abut_shape_create_box(half, &shape, NULL), ABUT_OK);
	return shape;
}

AbutShape *make_cube(double side)
{
	return make_box(0.5 * side, 0.5 * side, 0.5 * side);
}

AbutShape *make_sphere(double radius)
{
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_sphere(radius, &shape, NULL), ABUT_OK);
	return shape;
}

AbutShape *make_cylinder(double radius, double length)
{
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_cylinder(radius, length, &shape, NULL), ABUT_OK);
	return shape;
}

AbutShape *make_capsule(double radius, double length)
{
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_capsule(radius, length, &shape, NULL), ABUT_OK);
	return shape;
}

static AbutStatus make_padded(AbutShape **out)
{
	AbutShape *core = make_box(0.4, 0.3, 0.35);
	const AbutStatus status = abut_shape_create_padded_polytope(core, 0.1, out, NULL);
	abut_shape_destroy(core);
	return status;
}

/* Makes an octahedron with unequal axes and one corner moved outwards, so that no symmetry hides a sign. */
static AbutStatus make_polytope(AbutShape **out)
{
	static const double vertices[] = {0.55, 0.05, 0.0, -0.5, 0.0, 0.0, 0.0,  0.5, 0.1, 0.0, -0.45,
	                                  0.0,  0.0,  0.0, 0.45, 0.0, 0.0, -0.5, 0.4, 0.4, 0.1};
	return abut_shape_create_polytope_from_vertices(7, vertices, out, NULL);
}

static const char *const primitive_names[WORLD_SHAPES] = {"box",      "sphere", "ellipsoid", "capsule",
                                                          "cylinder", "cone",   "padded",    "polytope"};

const char *primitive_name(int index)
{
	return primitive_names[index];
}

AbutShape *make_primitive(int index, double size)
{
	AbutShape *shape = NULL;
	AbutStatus status = ABUT_ERROR_ARGUMENT;
	switch (index) {
	case 0:
		status = abut_shape_create_box((const double[3]){0.5, 0.4, 0.3}, &shape, NULL);
		break;
	case 1:
		status = abut_shape_create_sphere(0.5, &shape, NULL);
		break;
	case 2:
		status = abut_shape_create_ellipsoid((const double[3]){0.6, 0.45, 0.3}, &shape, NULL);
		break;
	case 3:
		status = abut_shape_create_capsule(0.3, 0.8, &shape, NULL);
		break;
	case 4:
		status = abut_shape_create_cylinder(0.4, 0.8, &shape, NULL);
		break;
	case 5:
		status = abut_shape_create_cone(1.0, 0.5, &shape, NULL);
		break;
	case 6:
		status = make_padded(&shape);
		break;
	case 7:
		status = make_polytope(&shape);
		break;
	default:
		break;
	}
	cr_assert_eq(status, ABUT_OK, "primitive %d", index);
	cr_assert_eq(abut_shape_scale(shape, size, NULL), ABUT_OK);
	return shape;
}

void turn_about(double x, double y, double z, double angle, double q[4])
{
	const double s = sin(0.5 * angle) / sqrt(x * x + y * y + z * z);
	q[0] = cos(0.5 * angle);
	q[1] = s * x;
	q[2] = s * y;
	q[3] = s * z;
}

void spin_world(const AbutBodyState *body, double w[3])
{
	double R[9];
	abut_quat_to_mat3(body->orientation, R);
	abut_mat3_vec(R, body->angular_velocity, w);
}

void world_expect_refused(const AbutSceneDef *def, const char *where, const char *word)
{
	AbutModel *model = NULL;
	AbutError error = {.status = ABUT_OK};
	cr_expect_neq(abut_model_create(def, &model, &error), ABUT_OK, "%s", where);
	cr_expect_str_eq(error.where, where);
	cr_expect(strstr(error.message, word), "%s", error.message);
}
