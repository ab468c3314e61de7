/* Makes a robot as a scene of Abut: link i is body i, the floor comes last. */
#include "experiments/robots/robot_abut.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"

enum { BODIES = ABUT_ROBOT_LINKS_MAX + 1 };

/* The definition of a scene, with its arrays. */
typedef struct Scene {
	AbutSceneDef def;
	AbutBodyDef bodies[BODIES];
	AbutJointDef joints[ABUT_ROBOT_LINKS_MAX];
	AbutPairDef pairs[ABUT_ROBOT_LINKS_MAX];
	AbutMassProperties mass[ABUT_ROBOT_LINKS_MAX];
	char names[BODIES][16];
	AbutShape *shapes[BODIES][ABUT_ROBOT_GEOMS_MAX];
} Scene;

/* Turns z to the direction of the segment. */
static void rotation_to(const double along[3], double R[9])
{
	double x[3], y[3], z[3];
	abut_scale3(1.0 / abut_norm3(along), along, z);
	const double other[3] = {fabs(z[0]) < 0.5, fabs(z[0]) >= 0.5, 0.0};
	abut_cross3(other, z, x);
	abut_scale3(1.0 / abut_norm3(x), x, x);
	abut_cross3(z, x, y);
	for (int i = 0; i < 3; i++) {
		R[3 * i] = x[i];
		R[3 * i + 1] = y[i];
		R[3 * i + 2] = z[i];
	}
}

static AbutStatus make_geom(const AbutRobotGeom *geom, AbutShape **out, AbutError *error)
{
	double along[3], centre[3], R[9];
	abut_sub3(geom->to, geom->from, along);
	if (abut_norm3(along) == 0.0) {
		return abut_shape_create_sphere(geom->radius, out, error);
	}
	abut_add_scaled3(geom->from, 0.5, along, centre);
	rotation_to(along, R);
	ABUT_TRY(abut_shape_create_capsule(geom->radius, abut_norm3(along), out, error));
	return abut_shape_move(*out, R, centre, error);
}

/* Adds the masses of the parts, overlap counted twice, as MuJoCo does. */
static AbutMassProperties sum_of(AbutShape *const *shapes, int n)
{
	AbutMassProperties sum = {.volume = 0.0};
	for (int i = 0; i < n; i++) {
		sum.volume += shapes[i]->mass.volume;
		abut_add_scaled3(sum.centre_of_mass, shapes[i]->mass.volume, shapes[i]->mass.centre_of_mass,
		                 sum.centre_of_mass);
	}
	abut_scale3(1.0 / sum.volume, sum.centre_of_mass, sum.centre_of_mass);
	for (int i = 0; i < n; i++) {
		double d[3];
		abut_sub3(shapes[i]->mass.centre_of_mass, sum.centre_of_mass, d);
		abut_add_inertia3(shapes[i]->mass.inertia, shapes[i]->mass.volume, d, sum.inertia);
	}
	return sum;
}

/* Places the link's frame in the world. */
static void place(const AbutBenchRobot *robot, int i, AbutBodyDef *bodies)
{
	const AbutRobotLink *link = &robot->links[i];
	const AbutBodyDef *parent = link->parent >= 0 ? &bodies[link->parent] : NULL;
	double R[9];
	if (!parent) {
		abut_copy3(link->anchor, bodies[i].position);
		return;
	}
	const double half = 0.5 * link->start, *axis = link->axis;
	const double turn[4] = {cos(half), sin(half) * axis[0], sin(half) * axis[1], sin(half) * axis[2]};
	abut_quat_to_mat3(parent->orientation, R);
	abut_mat3_vec(R, link->anchor, bodies[i].position);
	abut_add3(bodies[i].position, parent->position, bodies[i].position);
	abut_quat_mul(parent->orientation, turn, bodies[i].orientation);
}

static AbutStatus make_link(const AbutBenchRobot *robot, int i, Scene *scene, AbutError *error)
{
	const AbutRobotLink *link = &robot->links[i];
	AbutBodyDef *body = &scene->bodies[i];
	for (int k = 0; k < link->n_geoms; k++) {
		ABUT_TRY(make_geom(&link->geoms[k], &scene->shapes[i][k], error));
	}
	scene->mass[i] = sum_of(scene->shapes[i], link->n_geoms);
	body->n_parts = link->n_geoms;
	body->parts = (const AbutShape *const *)scene->shapes[i];
	body->density = robot->density;
	body->parts_mass = &scene->mass[i];
	place(robot, i, scene->bodies);
	scene->pairs[i] =
	    (AbutPairDef){.body_a = i, .body_b = robot->n_links, .friction = robot->friction, .restitution = -1.0};
	return ABUT_OK;
}

static void make_hinge(const AbutBenchRobot *robot, int i, const char *name, AbutJointDef *joint)
{
	static const double origin[3] = {0.0}, unit[4] = {1.0, 0.0, 0.0, 0.0};
	const AbutRobotLink *link = &robot->links[i];
	AbutJointAxis *axis = &joint->axes[0];
	*joint = abut_joint_def_default();
	joint->name = name;
	joint->parent = link->parent >= 0 ? link->parent : ABUT_JOINT_WORLD;
	joint->child = i;
	abut_joint_frames(link->anchor, link->axis, origin, unit, link->anchor, unit, joint);
	axis->has_limits = link->range[0] < link->range[1];
	axis->lower = link->range[0];
	axis->upper = link->range[1];
	axis->armature = robot->armature;
	axis->damping = robot->damping;
	if (robot->effort > 0.0) {
		axis->motor = (AbutMotorDef){.type = ABUT_MOTOR_FORCE, .limit = robot->effort};
	}
}

static AbutStatus make_scene(const AbutBenchRobot *robot, double timestep, Scene *scene, AbutError *error)
{
	const int n = robot->n_links, first = abut_robot_first_hinge(robot);
	memset(scene, 0, sizeof *scene);
	for (int i = 0; i <= n; i++) {
		snprintf(scene->names[i], sizeof scene->names[i], "%d", i);
		scene->bodies[i] = abut_body_def_default();
		scene->bodies[i].name = scene->names[i];
	}
	for (int i = 0; i < n; i++) {
		ABUT_TRY(make_link(robot, i, scene, error));
	}
	for (int i = first; i < n; i++) {
		make_hinge(robot, i, scene->names[i], &scene->joints[i - first]);
	}
	if (robot->floor) {
		ABUT_TRY(
		    abut_shape_create_halfspace((const double[3]){0.0, 0.0, 1.0}, 0.0, &scene->shapes[n][0], error));
		scene->bodies[n].is_static = true;
		scene->bodies[n].n_parts = 1;
		scene->bodies[n].parts = (const AbutShape *const *)scene->shapes[n];
	}
	scene->def = abut_scene_def_default();
	scene->def.name = "robot";
	scene->def.timestep = timestep;
	scene->def.all_pairs = false;
	scene->def.n_pairs = robot->floor ? n : 0;
	scene->def.pairs = scene->pairs;
	scene->def.n_bodies = robot->floor ? n + 1 : n;
	scene->def.bodies = scene->bodies;
	scene->def.n_joints = n - first;
	scene->def.joints = scene->joints;
	return ABUT_OK;
}

AbutStatus abut_bench_robot_create(const AbutBenchRobot *robot, AbutMethod method, double timestep, AbutRobotWorld *out,
                                   AbutError *error)
{
	Scene scene;
	*out = (AbutRobotWorld){.robot = robot};
	AbutStatus status = make_scene(robot, timestep, &scene, error);
	scene.def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, method);
	ABUT_THEN(status, abut_world_open(&out->world, &scene.def, error));
	for (int i = 0; i < BODIES; i++) {
		for (int k = 0; k < ABUT_ROBOT_GEOMS_MAX; k++) {
			abut_shape_destroy(scene.shapes[i][k]);
		}
	}
	return status;
}

void abut_bench_robot_destroy(AbutRobotWorld *robot)
{
	abut_world_close(&robot->world);
}

void abut_robot_control(AbutRobotWorld *robot, const double *controls)
{
	const AbutWorld *world = &robot->world;
	const int n = abut_model_joint_count(world->model);
	for (int i = 0; i < n; i++) {
		abut_state_set_motor(world->model, world->state, i, 0, robot->robot->effort * controls[i]);
	}
}
