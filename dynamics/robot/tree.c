/* Finds the tree of a model's joints (abut/robot.h). Joints join sets of bodies in the order of the scene, and those
 * that join nothing new close loops. The sets are then ordered from the ground or from their base outwards. Tested in
 * tests/dynamics/robot/test_robot_state.c. */
#include "dynamics/robot/tree.h"

#include <stdlib.h>

typedef struct Forest {
	AbutRobot *robot;
	const AbutModel *model;
	int *set;           /* (n_bodies + 1) parents of a union-find structure */
	bool *in_tree;      /* (n_joints) */
	int *first, *edges; /* joints of the tree at body i: edges[first[i]] to edges[first[i + 1]] */
	bool *is_child;     /* (n_bodies + 1) of a joint of the tree */
	bool *reached;      /* (n_bodies + 1) */
	int *queue;         /* (n_bodies + 1) bodies whose joints are to be crossed */
	int n_queue;
} Forest;

static bool is_ground(const AbutModel *model, int body)
{
	return body == model->n_bodies || model->bodies[body].is_static;
}

static int find_set(int *set, int body)
{
	while (set[body] != body) {
		set[body] = set[set[body]];
		body = set[body];
	}
	return body;
}

/* Marks the joints of the tree. */
static void join_bodies(const Forest *f)
{
	const AbutModel *model = f->model;
	for (int i = 0; i <= model->n_bodies; i++) {
		f->set[i] = is_ground(model, i) ? model->n_bodies : i;
	}
	for (int i = 0; i < model->joints.n; i++) {
		const AbutJoint *joint = &model->joints.at[i];
		const int a = find_set(f->set, joint->body[0]), b = find_set(f->set, joint->body[1]);
		f->in_tree[i] = a != b && joint->type != ABUT_JOINT_DISTANCE && !joint->soft.yields;
		if (f->in_tree[i]) {
			f->set[a == model->n_bodies ? b : a] = a == model->n_bodies ? a : b;
			f->is_child[joint->body[1]] = true;
		} else {
			f->robot->n_loops++;
		}
	}
}

static void list_edges(const Forest *f)
{
	const AbutModel *model = f->model;
	for (int i = 0; i < 2 * model->joints.n; i++) {
		f->first[model->joints.at[i / 2].body[i % 2] + 2] += f->in_tree[i / 2] ? 1 : 0;
	}
	for (int i = 2; i <= model->n_bodies + 2; i++) {
		f->first[i] += f->first[i - 1];
	}
	for (int i = 0; i < 2 * model->joints.n; i++) {
		if (f->in_tree[i / 2]) {
			f->edges[f->first[model->joints.at[i / 2].body[i % 2] + 1]++] = i / 2;
		}
	}
}

static void reach(Forest *f, int body)
{
	f->reached[body] = true;
	f->queue[f->n_queue++] = body;
}

static void add_link(Forest *f, int body, int joint, int side, int near)
{
	AbutRobot *robot = f->robot;
	robot->link_of[body] = robot->n_links;
	if (joint >= 0) {
		robot->link_of_joint[joint] = robot->n_links;
	}
	robot->links[robot->n_links++] = (AbutLink){.body = body, .joint = joint, .side = side, .near = near};
	reach(f, body);
}

/* Crosses the joints of all bodies in the queue from `at` on. Returns its end. */
static int spread(Forest *f, int at)
{
	for (; at < f->n_queue; at++) {
		const int near = f->queue[at];
		for (int k = f->first[near]; k < f->first[near + 1]; k++) {
			const AbutJoint *joint = &f->model->joints.at[f->edges[k]];
			const int side = joint->body[0] == near ? 1 : 0;
			if (!f->reached[joint->body[side]]) {
				add_link(f, joint->body[side], f->edges[k], side, near);
			}
		}
	}
	return at;
}

static void order_links(Forest *f)
{
	const AbutModel *model = f->model;
	for (int i = 0; i <= model->n_bodies; i++) {
		if (is_ground(model, i)) {
			reach(f, i);
		}
	}
	int at = spread(f, 0);
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < model->n_bodies; i++) {
			if (!f->reached[i] && (pass == 1 || !f->is_child[i])) {
				add_link(f, i, -1, 1, model->n_bodies);
				at = spread(f, at);
			}
		}
	}
}

static void give_coordinates(AbutRobot *robot, AbutLink *link, int n_q, int n_v)
{
	link->q = robot->n_q;
	link->v = robot->n_v;
	link->n_q = n_q;
	link->n_v = n_v;
	robot->n_q += n_q;
	robot->n_v += n_v;
}

/* Numbers the coordinates: joints in the order of the scene, then bases in the order of the bodies. */
static void number(AbutRobot *robot)
{
	const AbutModel *model = robot->model;
	for (int i = 0; i < model->joints.n; i++) {
		if (robot->link_of_joint[i] >= 0) {
			const int n = abut_joint_type_freedoms(model->joints.at[i].type);
			give_coordinates(robot, &robot->links[robot->link_of_joint[i]], n, n);
		}
	}
	for (int i = 0; i < model->n_bodies; i++) {
		if (robot->link_of[i] >= 0 && robot->links[robot->link_of[i]].joint < 0) {
			const bool planar = model->bodies[i].planar;
			give_coordinates(robot, &robot->links[robot->link_of[i]],
			                 planar ? ABUT_ROBOT_PLANAR : ABUT_ROBOT_BASE + 1,
			                 planar ? ABUT_ROBOT_PLANAR : ABUT_ROBOT_BASE);
		}
	}
}

AbutStatus abut_robot_find_tree(AbutRobot *robot)
{
	const AbutModel *model = robot->model;
	const size_t n = (size_t)model->n_bodies + 3, n_joints = (size_t)model->joints.n + 1;
	Forest f = {.robot = robot,
	            .model = model,
	            .set = calloc(n, sizeof *f.set),
	            .in_tree = calloc(n_joints, sizeof *f.in_tree),
	            .first = calloc(n + 1, sizeof *f.first),
	            .edges = calloc(2 * n_joints, sizeof *f.edges),
	            .is_child = calloc(n, sizeof *f.is_child),
	            .reached = calloc(n, sizeof *f.reached),
	            .queue = calloc(n, sizeof *f.queue)};
	const bool room = f.set && f.in_tree && f.first && f.edges && f.is_child && f.reached && f.queue;
	for (int i = 0; i <= model->n_bodies; i++) {
		robot->link_of[i] = -1;
	}
	for (int i = 0; i < model->joints.n; i++) {
		robot->link_of_joint[i] = -1;
	}
	if (room) {
		join_bodies(&f);
		list_edges(&f);
		order_links(&f);
		number(robot);
	}
	free(f.set);
	free(f.in_tree);
	free(f.first);
	free(f.edges);
	free(f.is_child);
	free(f.reached);
	free(f.queue);
	return room ? ABUT_OK : ABUT_ERROR_MEMORY;
}
