/* Draws random trees of jointed bodies: robots, and passive mechanisms of boxes. A tree depends only on its random
 * numbers. */
#pragma once

#include "base/rng.h"
#include "experiments/reliability/study.h"

enum { TREE_LINKS = 30, TREE_FEET = 8 }; /* most moving bodies, and most spheres of a foot */

/* A link in the world as it is drawn: from `anchor`, where its joint is, to `tip`. The body's frame is in the middle,
 * with z along the link. */
typedef struct TreeLink {
	int parent; /* -1: none, or the world */
	int children;
	double anchor[3], tip[3]; /* m */
	double length;            /* m */
} TreeLink;

typedef struct Tree {
	Scene scene;
	int n; /* moving bodies */
	TreeLink links[TREE_LINKS];
	AbutJointDef joints[TREE_LINKS];
	char joint_names[TREE_LINKS][24];
	AbutPairDef pairs[TREE_LINKS];                 /* of the floor with each body */
	int exclude[TREE_LINKS * TREE_LINKS][2];       /* pairs of bodies that are near at the start */
	AbutShape *shapes[TREE_LINKS * TREE_FEET + 1]; /* (n_shapes) owned */
	const AbutShape *feet[TREE_LINKS][TREE_FEET];  /* the parts of a foot */
	int n_shapes;
	bool good; /* every shape could be made; the first failure has a message on stderr */
} Tree;

/* What a robot has. */
typedef struct RobotKind {
	const char *name;
	bool floor, collide;           /* a floor to fall on; contacts between bodies of the robot */
	double servo, friction;        /* probability that all freedoms have a servo, or dry friction */
	int points_least, points_most; /* spheres of each foot */
} RobotKind;

void tree_begin(Tree *tree, Keep *keep);
void tree_free(Tree *tree);
/* Adds link i, a body without a shape, with `mass`, from `anchor` along the unit vector `along`. */
AbutBodyDef *tree_add_link(Tree *tree, int parent, const double anchor[3], const double along[3], double length,
                           double mass);
/* Takes over a shape and returns it; NULL (message on stderr) unless `status` is ABUT_OK. */
const AbutShape *tree_own(Tree *tree, AbutStatus status, AbutShape *shape, const AbutError *error);
/* Adds the joint of link `i` to its parent at the link's anchor. */
AbutJointDef *tree_add_joint(Tree *tree, int i, AbutJointType type, const double axis[3]);
/* Adds the velocity of a rigid motion of the whole tree: `velocity` (m/s) of body 0 and `spin` (rad/s), in the
 * world. */
void tree_throw(Tree *tree, const double velocity[3], const double spin[3]);
void tree_direction(AbutRng *rng, double out[3]); /* draws a unit vector */

/* Draws a robot of `n` bodies (at least 2): a trunk with limbs of links on hinges, slides, universal and ball joints,
 * thrown at the floor, if there is one. random_robot.c gives the distributions. */
void robot_draw(const RobotKind *kind, int n, AbutRng *rng, Tree *out);
