/* Imports robots and draws targets of their motors. Tested in tests/reliability/test_imported.c. */
#include "experiments/setting/imported.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"

static const double most_angle = 1.0, most_rate = 2.0; /* rad and m, rad/s and m/s: of servos without limits */

AbutStatus abut_imported_open(const char *path, const AbutImportOptions *options, const char *name,
                              AbutImportedRobot *out, AbutError *error)
{
	*out = (AbutImportedRobot){.import = NULL};
	AbutStatus status = abut_import_read(path, options, &out->import, error);
	ABUT_THEN(status, abut_import_make(out->import, NULL, name, true, &out->made, error));
	if (status == ABUT_OK) {
		out->def = *abut_scene_def(out->made.scene);
	}
	return status;
}

void abut_imported_close(AbutImportedRobot *robot)
{
	abut_made_free(&robot->made);
	abut_import_free(robot->import);
	abut_shape_destroy(robot->plane);
	free(robot->bodies);
	free(robot->pairs);
	*robot = (AbutImportedRobot){.import = NULL};
}

/* Returns the height below which no body has a bounding sphere, at most 0; with `exactly`, the height of the lowest
 * point. */
static double lowest_of(const AbutSceneDef *def, bool exactly)
{
	double lowest = exactly ? (double)INFINITY : 0.0;
	for (int i = 0; i < def->n_bodies; i++) {
		double R[9];
		abut_quat_to_mat3(def->bodies[i].orientation, R);
		const double down[3] = {-R[6], -R[7], -R[8]};
		for (int k = 0; k < def->bodies[i].n_parts; k++) {
			const AbutShape *shape = def->bodies[i].parts[k];
			const double reach = exactly ? abut_shape_support(shape, down, NULL)
			                             : abut_norm3(shape->centre) + shape->outer_radius;
			lowest = fmin(lowest, def->bodies[i].position[2] - reach);
		}
	}
	return lowest;
}

static bool any_static(const AbutSceneDef *def)
{
	bool any = false;
	for (int i = 0; i < def->n_bodies; i++) {
		any = any || def->bodies[i].is_static;
	}
	return any;
}

static AbutStatus add_plane(AbutImportedRobot *robot, double height, AbutError *error)
{
	AbutSceneDef *def = &robot->def;
	robot->bodies = calloc((size_t)def->n_bodies + 1, sizeof *robot->bodies);
	if (!robot->bodies) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the bodies of a robot");
	}
	ABUT_TRY(abut_shape_create_halfspace((const double[3]){0.0, 0.0, 1.0}, 0.0, &robot->plane, error));
	memcpy(robot->bodies, def->bodies, (size_t)def->n_bodies * sizeof *robot->bodies);
	AbutBodyDef *plane = &robot->bodies[def->n_bodies];
	*plane = abut_body_def_default();
	plane->name = "plane of the study";
	plane->is_static = true;
	plane->n_parts = 1;
	plane->parts = (const AbutShape *const *)&robot->plane;
	plane->position[2] = height;
	def->bodies = robot->bodies;
	def->n_bodies++;
	return ABUT_OK;
}

AbutStatus abut_imported_add_plane(AbutImportedRobot *robot, AbutError *error)
{
	return any_static(&robot->def) || !robot->def.all_pairs
	           ? ABUT_OK
	           : add_plane(robot, lowest_of(&robot->def, false), error);
}

AbutStatus abut_imported_add_ground(AbutImportedRobot *robot, AbutError *error)
{
	AbutSceneDef *def = &robot->def;
	if (any_static(def)) {
		return ABUT_OK;
	}
	ABUT_TRY(add_plane(robot, lowest_of(def, true), error));
	const int plane = def->n_bodies - 1;
	if (def->all_pairs) {
		return ABUT_OK;
	}
	robot->pairs = calloc((size_t)def->n_pairs + (size_t)plane, sizeof *robot->pairs);
	if (!robot->pairs) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the pairs of a robot");
	}
	if (def->n_pairs > 0) {
		memcpy(robot->pairs, def->pairs, (size_t)def->n_pairs * sizeof *robot->pairs);
	}
	for (int i = 0; i < plane; i++) {
		if (def->bodies[i].n_parts > 0) {
			robot->pairs[def->n_pairs++] =
			    (AbutPairDef){.body_a = i, .body_b = plane, .friction = -1.0, .restitution = -1.0};
		}
	}
	def->pairs = robot->pairs;
	return ABUT_OK;
}

/* Draws the target of the motor of a freedom. */
static double draw_target(AbutRng *rng, const AbutJointAxis *axis)
{
	const AbutMotorDef *motor = &axis->motor;
	if (motor->type == ABUT_MOTOR_FORCE) {
		return isfinite(motor->limit) ? abut_rng_uniform(rng, -motor->limit, motor->limit) : 0.0;
	}
	if (motor->type == ABUT_MOTOR_VELOCITY) {
		return abut_rng_uniform(rng, -most_rate, most_rate);
	}
	return axis->has_limits ? abut_rng_uniform(rng, axis->lower, axis->upper)
	                        : abut_rng_uniform(rng, -most_angle, most_angle);
}

void abut_imported_drive(const AbutSceneDef *def, AbutRng *rng, AbutTargetSetter *set, void *context)
{
	for (int i = 0; i < def->n_joints; i++) {
		const AbutJointDef *joint = &def->joints[i];
		for (int k = 0; joint->type != ABUT_JOINT_BALL && k < abut_joint_type_freedoms(joint->type); k++) {
			if (joint->axes[k].motor.type != ABUT_MOTOR_NONE) {
				set(context, i, k, draw_target(rng, &joint->axes[k]));
			}
		}
	}
}
