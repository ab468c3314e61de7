/* Completes the imported Atlas as in Dojo: its URDF has nothing that collides and no controllers. */
#include "experiments/robots/atlas.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"

/* Dojo's contact points relative to the centre of mass of a foot, and their radius. */
static const double points[4][3] = {
    {-0.08, -0.04, 0.015}, {0.12, -0.02, 0.015}, {-0.08, 0.04, 0.015}, {0.12, 0.02, 0.015}};
static const double radius = 0.025, friction = 0.8;

static int find_body(const AbutSceneDef *def, const char *name)
{
	for (int i = 0; i < def->n_bodies; i++) {
		if (strcmp(def->bodies[i].name, name) == 0) {
			return i;
		}
	}
	return -1;
}

static AbutStatus make_feet(AbutRobotModel *robot, const double centre[3], AbutError *error)
{
	static const double unturned[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
	for (int i = 0; i < 4; i++) {
		double at[3];
		abut_add3(centre, points[i], at);
		ABUT_TRY(abut_shape_create_sphere(radius, &robot->feet[i], error));
		ABUT_TRY(abut_shape_move(robot->feet[i], unturned, at, error));
	}
	return ABUT_OK;
}

static void add_floor(AbutRobotModel *robot)
{
	AbutSceneDef *def = &robot->imported.def;
	AbutBodyDef *floor = &robot->imported.bodies[def->n_bodies++];
	*floor = abut_body_def_default();
	floor->name = "floor";
	floor->is_static = true;
	floor->n_parts = 1;
	floor->parts = (const AbutShape *const *)&robot->imported.plane;
}

/* Puts the robot's feet on the floor's height plus the drop, as the soles of the unbent robot are level. */
static void add_feet(AbutRobotModel *robot, const int feet[2])
{
	AbutSceneDef *def = &robot->imported.def;
	AbutBodyDef *bodies = robot->imported.bodies;
	const AbutBodyDef *foot = &bodies[feet[0]];
	const double sole = foot->position[2] + foot->centre_of_mass[2] + points[0][2] - radius;
	for (int i = 0; i < def->n_bodies; i++) {
		bodies[i].position[2] += abut_atlas_drop - sole;
	}
	add_floor(robot);
	for (int i = 0; i < 2; i++) {
		bodies[feet[i]].n_parts = 4;
		bodies[feet[i]].parts = (const AbutShape *const *)robot->feet;
		robot->pairs[i] = (AbutPairDef){.body_a = feet[i],
		                                .body_b = def->n_bodies - 1,
		                                .friction = friction,
		                                .torsional_radius = 0.0,
		                                .restitution = -1.0};
	}
	def->bodies = bodies;
	def->pairs = robot->pairs;
	def->n_pairs = 2;
	def->all_pairs = false;
}

static void add_servos(AbutRobotModel *robot)
{
	AbutSceneDef *def = &robot->imported.def;
	for (int i = 0; i < def->n_joints; i++) {
		AbutJointAxis *axis = &robot->joints[i].axes[0];
		axis->damping = abut_atlas_damping;
		axis->motor.type = ABUT_MOTOR_POSITION;
		axis->motor.stiffness = abut_atlas_stiffness;
	}
	def->joints = robot->joints;
}

AbutStatus abut_atlas_complete(AbutRobotModel *robot, AbutError *error)
{
	AbutSceneDef *def = &robot->imported.def;
	const int feet[2] = {find_body(def, "l_foot"), find_body(def, "r_foot")};
	const size_t n_bodies = (size_t)def->n_bodies, n_joints = (size_t)def->n_joints;
	if (feet[0] < 0 || feet[1] < 0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "Atlas needs bodies \"l_foot\" and \"r_foot\"");
	}
	robot->imported.bodies = calloc(n_bodies + 1, sizeof *robot->imported.bodies);
	robot->joints = calloc(n_joints + 1, sizeof *robot->joints);
	if (!robot->imported.bodies || !robot->joints) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for Atlas");
	}
	memcpy(robot->imported.bodies, def->bodies, n_bodies * sizeof *robot->imported.bodies);
	memcpy(robot->joints, def->joints, n_joints * sizeof *robot->joints);
	ABUT_TRY(abut_shape_create_halfspace((const double[3]){0.0, 0.0, 1.0}, 0.0, &robot->imported.plane, error));
	ABUT_TRY(make_feet(robot, def->bodies[feet[0]].centre_of_mass, error));
	add_feet(robot, feet);
	add_servos(robot);
	return ABUT_OK;
}
