/* Sites and sensors of a model; SI. */
#pragma once

#include "dynamics/model/model.h"

typedef struct AbutSite {
	const char *name;
	int body;              /* the world is body AbutModel.n_bodies */
	double position[3];    /* m, body frame */
	double orientation[4]; /* unit quaternion, from the site's frame to the body's */
	double axes[9];        /* the same as a matrix */
} AbutSite;

typedef struct AbutSensor {
	const char *name;
	AbutSensorType type;
	int joint;      /* of force_torque and the sensors of joints; otherwise -1 */
	AbutSite place; /* frame in which it measures; body -1: that of the joint on its child, or none is needed */
	int first, n;   /* first of its values among those of all sensors, and how many there are */
	int next;       /* of contact_force: the next sensor of the same body; -1: none */
	int kept;       /* first of its values among those that states keep; -1: none */
} AbutSensor;

/* Returns the only joint whose child is `body`; -1 if there is none, -2 if there are several. */
int abut_sensor_joint_above(const AbutSceneDef *def, int body);
/* Returns the sensor of value `value` among those of all sensors. */
int abut_sensor_of_value(const AbutModel *model, int value);
/* Compiles the sites and sensors of a checked definition. Call after the joints are compiled. */
AbutStatus abut_sensors_create(const AbutSceneDef *def, AbutModel *model, AbutError *error);
/* Copies sites and sensors to a copy of the model, whose own arrays are NULL. */
AbutStatus abut_sensors_copy(const AbutModel *from, AbutModel *copy, AbutError *error);
