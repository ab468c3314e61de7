/* Draws a robot that falls. All robots have:
 *
 *      trunk       box of half extents 0.1 to 0.25, 0.1 to 0.25 and 0.05 to 0.1 m, 2 to 8 kg
 *      links       0.1 to 0.4 m, radius 0.02 to 0.04 m, 0.3 to 1.5 kg; boxes or capsules
 *      limbs       a link continues the previous one with probability 0.7, otherwise it starts at any earlier body
 *      joints      hinge 0.6, universal 0.2, slide 0.1, ball 0.1; axes of any direction
 *      limits      on each freedom but a ball's, 0.3 to 1.2 rad or 0.02 to 0.1 m to each side
 *      armature    0.01 kg m^2 or 0.1 kg; damping 0.02 N m s/rad or 1 N s/m
 *      servo       position, 50 N m/rad, 2 N m s/rad, 20 N m; slides 500 N/m, 20 N s/m, 60 N; otherwise a force motor
 *      friction    dry, 0.05 N m or 0.5 N
 *      feet        each last link of a limb is a foot of spheres of 0.03 m, several ones on a ring of 0.05 m
 *      fall        0.05 to 0.5 m, upright with tilts to 0.2 rad or in any orientation; up to 1 m/s and 2 rad/s */
#include <math.h>

#include "abut/collide.h"
#include "base/vec3.h"
#include "experiments/reliability/random_tree.h"

static bool chance(AbutRng *rng, double probability)
{
	return abut_rng_uniform(rng, 0.0, 1.0) < probability;
}

static void set_laws(bool servo, bool friction, AbutRng *rng, AbutJointDef *joint)
{
	const bool slide = joint->type == ABUT_JOINT_SLIDE;
	const int freedoms = joint->type == ABUT_JOINT_BALL ? 0 : abut_joint_type_freedoms(joint->type);
	for (int i = 0; i < freedoms; i++) {
		AbutJointAxis *axis = &joint->axes[i];
		axis->has_limits = true;
		axis->lower = -(slide ? abut_rng_uniform(rng, 0.02, 0.1) : abut_rng_uniform(rng, 0.3, 1.2));
		axis->upper = slide ? abut_rng_uniform(rng, 0.02, 0.1) : abut_rng_uniform(rng, 0.3, 1.2);
		axis->armature = slide ? 0.1 : 0.01;
		axis->damping = slide ? 1.0 : 0.02;
		if (friction) {
			axis->friction = slide ? 0.5 : 0.05;
		}
		axis->motor = (AbutMotorDef){.type = ABUT_MOTOR_FORCE, .limit = INFINITY};
		if (servo) {
			axis->motor = (AbutMotorDef){.type = ABUT_MOTOR_POSITION,
			                             .stiffness = slide ? 500.0 : 50.0,
			                             .damping = slide ? 20.0 : 2.0,
			                             .limit = slide ? 60.0 : 20.0};
		}
	}
}

static void add_trunk(Tree *tree, AbutRng *rng, double half[3])
{
	static const double centre[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0};
	AbutShape *shape = NULL;
	AbutError error = {.status = ABUT_OK};
	half[0] = abut_rng_uniform(rng, 0.1, 0.25);
	half[1] = abut_rng_uniform(rng, 0.1, 0.25);
	half[2] = abut_rng_uniform(rng, 0.05, 0.1);
	AbutBodyDef *body = tree_add_link(tree, -1, centre, up, 0.0, abut_rng_uniform(rng, 2.0, 8.0));
	const AbutStatus status = abut_shape_create_box(half, &shape, &error);
	tree->scene.parts[0] = tree_own(tree, status, shape, &error);
	body->n_parts = 1;
}

/* Draws the place and the direction of a link, and adds it and its joint. */
static void add_link(Tree *tree, const double trunk[3], AbutRng *rng)
{
	const int i = tree->n;
	const bool continues = i > 1 && chance(rng, 0.7);
	const int parent = continues ? i - 1 : (int)abut_rng_uniform(rng, 0.0, i);
	double anchor[3], along[3], axis[3];
	tree_direction(rng, along);
	along[2] = -fabs(along[2]); /* limbs reach down */
	if (parent == 0) {
		anchor[0] = abut_rng_uniform(rng, -trunk[0], trunk[0]);
		anchor[1] = abut_rng_uniform(rng, -trunk[1], trunk[1]);
		anchor[2] = -trunk[2];
	} else {
		abut_copy3(tree->links[parent].tip, anchor);
	}
	const double length = abut_rng_uniform(rng, 0.1, 0.4), which = abut_rng_uniform(rng, 0.0, 1.0);
	tree_add_link(tree, parent, anchor, along, length, abut_rng_uniform(rng, 0.3, 1.5));
	tree_direction(rng, axis);
	tree_add_joint(tree, i,
	               which < 0.6   ? ABUT_JOINT_HINGE
	               : which < 0.8 ? ABUT_JOINT_UNIVERSAL
	               : which < 0.9 ? ABUT_JOINT_SLIDE
	                             : ABUT_JOINT_BALL,
	               axis);
}

/* Gives a link its shape: a foot of `points` spheres at its tip, or a box or capsule if `points` is 0. */
static void shape_link(Tree *tree, int i, int points, AbutRng *rng)
{
	static const double none[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
	AbutBodyDef *body = &tree->scene.bodies[i];
	AbutError error = {.status = ABUT_OK};
	AbutShape *shape = NULL;
	const double length = tree->links[i].length, radius = abut_rng_uniform(rng, 0.02, 0.04);
	if (points == 0) {
		const double half[3] = {radius, radius, 0.5 * length};
		const AbutStatus status =
		    chance(rng, 0.5) ? abut_shape_create_box(half, &shape, &error)
		                     : abut_shape_create_capsule(radius, length - 2.0 * radius, &shape, &error);
		tree->scene.parts[i] = tree_own(tree, status, shape, &error);
		return;
	}
	for (int p = 0; p < points; p++) {
		const double angle = 6.283185307179586 * p / points, ring = points > 1 ? 0.05 : 0.0;
		const double centre[3] = {ring * cos(angle), ring * sin(angle), 0.5 * length};
		AbutStatus status = abut_shape_create_sphere(0.03, &shape, &error);
		status = status == ABUT_OK ? abut_shape_move(shape, none, centre, &error) : status;
		tree->feet[i][p] = tree_own(tree, status, shape, &error);
	}
	body->n_parts = points;
	body->parts = tree->feet[i];
	body->has_centre_of_mass = true; /* in the middle, as of the other links */
	body->has_inertia = true;
	body->inertia[0] = body->inertia[4] = body->mass * (length * length / 12.0 + 0.001);
	body->inertia[8] = body->mass * 0.002;
}

/* Turns the robot as a whole, and lifts it above the floor. */
static void place(Tree *tree, AbutRng *rng)
{
	double q[4] = {1.0, 0.0, 0.0, 0.0}, R[9], lowest = 0.0;
	if (chance(rng, 0.5)) {
		abut_rng_rotation(rng, q);
	} else {
		for (int k = 1; k < 4; k++) {
			q[k] = abut_rng_uniform(rng, -0.1, 0.1);
		}
		abut_quat_normalise(q);
	}
	abut_quat_to_mat3(q, R);
	for (int i = 0; i < tree->n; i++) {
		AbutBodyDef *body = &tree->scene.bodies[i];
		const double old[4] = {body->orientation[0], body->orientation[1], body->orientation[2],
		                       body->orientation[3]};
		abut_mat3_vec(R, (const double[3]){body->position[0], body->position[1], body->position[2]},
		              body->position);
		abut_quat_mul(q, old, body->orientation);
		abut_quat_normalise(body->orientation);
		/* a foot reaches 0.08 m beyond the end of its link, the trunk 0.37 m from its centre */
		lowest = fmin(lowest, body->position[2] - (i == 0 ? 0.37 : 0.5 * tree->links[i].length + 0.08));
	}
	const double lift = abut_rng_uniform(rng, 0.05, 0.5) - lowest;
	for (int i = 0; i < tree->n; i++) {
		tree->scene.bodies[i].position[2] += lift;
	}
}

/* Returns whether two bodies are nearer than 1 cm, or an error if their gap cannot be computed. */
static AbutStatus check_near(const AbutBodyDef *a, const AbutBodyDef *b, bool *near, AbutError *error)
{
	AbutPose at[2];
	AbutStatus status = ABUT_OK;
	abut_copy3(a->position, at[0].position);
	abut_copy3(b->position, at[1].position);
	for (int k = 0; k < 4; k++) {
		at[0].orientation[k] = a->orientation[k];
		at[1].orientation[k] = b->orientation[k];
	}
	*near = false;
	for (int i = 0; status == ABUT_OK && i < a->n_parts * b->n_parts && !*near; i++) {
		AbutCollision *collision = NULL;
		AbutCollisionResult result = {.gap = 0.0};
		status = abut_collision_create(a->parts[i / b->n_parts], b->parts[i % b->n_parts], &collision, error);
		if (status == ABUT_OK) {
			status = abut_collision_solve(collision, &at[0], &at[1], 0.0, &result, error);
		}
		*near = result.gap < 0.01;
		abut_collision_destroy(collision);
	}
	return status;
}

/* Lets all bodies touch each other, except those that are near each other at the start. */
static void let_collide(Tree *tree)
{
	AbutSceneDef *def = &tree->scene.def;
	AbutError error = {.status = ABUT_OK};
	def->all_pairs = true;
	def->exclude = (const int(*)[2])tree->exclude;
	for (int a = 0; a < tree->n; a++) {
		for (int b = a + 1; b < tree->n; b++) {
			bool near = false;
			const AbutStatus status =
			    check_near(&tree->scene.bodies[a], &tree->scene.bodies[b], &near, &error);
			tree->good = shape_or_message("bodies", status, tree->shapes[0], &error) && tree->good;
			if (near) {
				tree->exclude[def->n_exclude][0] = a;
				tree->exclude[def->n_exclude++][1] = b;
			}
		}
	}
}

static void add_floor(Tree *tree)
{
	static const double up[3] = {0.0, 0.0, 1.0}, origin[3] = {0.0, 0.0, 0.0};
	AbutSceneDef *def = &tree->scene.def;
	AbutShape *floor = floor_make(up);
	AbutError error = {.status = ABUT_OK};
	scene_add(&tree->scene, tree_own(tree, floor ? ABUT_OK : ABUT_ERROR_MEMORY, floor, &error), 0.0, origin);
	for (int i = 0; i < tree->n; i++) { /* several spheres resist a turn about the normal by themselves */
		tree->pairs[i] = (AbutPairDef){.body_a = tree->n,
		                               .body_b = i,
		                               .friction = -1.0,
		                               .torsional_radius = tree->scene.bodies[i].n_parts > 1 ? 0.0 : -1.0,
		                               .restitution = -1.0};
	}
	def->pairs = tree->pairs;
	def->n_pairs = tree->n;
}

void robot_draw(const RobotKind *kind, int n, AbutRng *rng, Tree *out)
{
	double trunk[3], velocity[3], spin[3];
	const bool servo = chance(rng, kind->servo), friction = chance(rng, kind->friction);
	const int points = (int)abut_rng_uniform(rng, kind->points_least, kind->points_most + 1);
	out->scene.def.friction = abut_rng_uniform(rng, 0.4, 1.0);
	add_trunk(out, rng, trunk);
	while (out->n < n) {
		add_link(out, trunk, rng);
	}
	for (int i = 1; i < n; i++) {
		shape_link(out, i, out->links[i].children == 0 ? points : 0, rng);
		set_laws(servo, friction, rng, &out->joints[i - 1]);
	}
	place(out, rng);
	for (int k = 0; k < 3; k++) {
		velocity[k] = abut_rng_uniform(rng, -1.0, 1.0);
		spin[k] = abut_rng_uniform(rng, -2.0, 2.0);
	}
	tree_throw(out, velocity, spin);
	if (kind->collide) {
		let_collide(out);
	}
	if (kind->floor) {
		add_floor(out);
	}
}
