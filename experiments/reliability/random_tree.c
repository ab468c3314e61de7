/* Puts together trees of jointed bodies, link by link. */
#include "experiments/reliability/random_tree.h"

#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "experiments/setting/turn.h"

void tree_begin(Tree *tree, Keep *keep)
{
	scene_begin(&tree->scene, keep);
	tree->scene.def.all_pairs = false;
	tree->scene.def.joints = tree->joints;
	tree->n = tree->n_shapes = 0;
	tree->good = true;
}

void tree_free(Tree *tree)
{
	for (int i = 0; i < tree->n_shapes; i++) {
		abut_shape_destroy(tree->shapes[i]);
	}
	tree->n_shapes = 0;
}

const AbutShape *tree_own(Tree *tree, AbutStatus status, AbutShape *shape, const AbutError *error)
{
	if (!shape_or_message("a link", status, shape, error)) {
		tree->good = false;
		return NULL;
	}
	tree->shapes[tree->n_shapes++] = shape;
	return shape;
}

void tree_direction(AbutRng *rng, double out[3])
{
	double norm = 0.0;
	while (norm < 1e-3) {
		for (int k = 0; k < 3; k++) {
			out[k] = abut_rng_normal(rng);
		}
		norm = abut_norm3(out);
	}
	abut_divide3(out, norm, out);
}

AbutBodyDef *tree_add_link(Tree *tree, int parent, const double anchor[3], const double along[3], double length,
                           double mass)
{
	TreeLink *link = &tree->links[tree->n++];
	double centre[3];
	*link = (TreeLink){.parent = parent, .length = length};
	abut_copy3(anchor, link->anchor);
	abut_add_scaled3(anchor, length, along, link->tip);
	abut_add_scaled3(anchor, 0.5 * length, along, centre);
	if (parent >= 0) {
		tree->links[parent].children++;
	}
	AbutBodyDef *body = scene_add(&tree->scene, NULL, mass, centre);
	abut_turn_z_to(along, body->orientation);
	return body;
}

AbutJointDef *tree_add_joint(Tree *tree, int i, AbutJointType type, const double axis[3])
{
	static const double origin[3] = {0.0, 0.0, 0.0}, none[4] = {1.0, 0.0, 0.0, 0.0};
	const TreeLink *link = &tree->links[i];
	const AbutBodyDef *child = &tree->scene.bodies[i];
	const AbutBodyDef *parent = link->parent < 0 ? NULL : &tree->scene.bodies[link->parent];
	const int index = tree->scene.def.n_joints++;
	AbutJointDef *joint = &tree->joints[index];
	*joint = abut_joint_def_default();
	snprintf(tree->joint_names[index], sizeof tree->joint_names[index], "joint %d", i);
	joint->name = tree->joint_names[index];
	joint->type = type;
	joint->parent = parent ? link->parent : ABUT_JOINT_WORLD;
	joint->child = i;
	abut_joint_frames(link->anchor, axis, parent ? parent->position : origin, parent ? parent->orientation : none,
	                  child->position, child->orientation, joint);
	return joint;
}

void tree_throw(Tree *tree, const double velocity[3], const double spin[3])
{
	for (int i = 0; i < tree->n; i++) {
		AbutBodyDef *body = &tree->scene.bodies[i];
		double R[9], arm[3], turning[3];
		abut_quat_to_mat3(body->orientation, R);
		abut_mat3_tvec(R, spin, body->angular_velocity);
		abut_sub3(body->position, tree->scene.bodies[0].position, arm);
		abut_cross3(spin, arm, turning);
		abut_add3(velocity, turning, body->linear_velocity);
	}
}
