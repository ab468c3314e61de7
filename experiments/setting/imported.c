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
	*robot = (AbutImportedRobot){.import = NULL};
}

AbutStatus abut_imported_add_plane(AbutImportedRobot *robot, AbutError *error)
{
	AbutSceneDef *def = &robot->def;
	double lowest = 0.0;
	for (int i = 0; i < def->n_bodies; i++) {
		for (int k = 0; k < def->bodies[i].n_parts; k++) {
			const AbutShape *shape = def->bodies[i].parts[k];
			lowest =
			    fmin(lowest, def->bodies[i].position[2] - abut_norm3(shape->centre) - shape->outer_radius);
		}
		if (def->bodies[i].is_static) {
			return ABUT_OK;
		}
	}
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
	plane->position[2] = lowest;
	def->bodies = robot->bodies;
	def->n_bodies += def->all_pairs;
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
