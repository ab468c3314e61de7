/* Sites and sensors: named frames on bodies, and what is measured there or at joints and bodies. They never change the
 * motion. The definition is plain data; SI units, radians. docs/interface.md ("Sites and sensors") defines every value.
 *
 * Values of a sensor in order (its channels), and what it measures:
 *
 *     pose            site, body    px py pz, qw qx qy qz: position and orientation in the world
 *     velocity        site, body    vx vy vz, wx wy wz: of the frame's origin and of its turn, world axes
 *     imu             site, body    specific_force_x .. z, angular_rate_x .. z, axes of the frame
 *     force_torque    site, joint   force_x .. z, torque_x .. z: what the joint's parent does to its child, about the
 *                                   origin and in the axes of the site, or of the joint's frame on the child
 *     contact_force   body          force_x .. z = normal_x .. z + friction_x .. z, world axes; normal_sum: sum of the
 *                                   sizes of all normal forces
 *     joint_position, joint_velocity, joint_effort
 *                     joint         0 .. : a value for each freedom; effort: that of the motor
 *
 * Forces, efforts and the values of an imu are means over the last step; they are 0 before the first step. */
#ifndef ABUT_SENSOR_H
#define ABUT_SENSOR_H

#include "abut/joint.h"
#include "abut/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Types of sensors. X(constant, name in scene files). */
#define ABUT_SENSOR_TYPE_LIST(X)                                                                                       \
	X(ABUT_SENSOR_POSE, "pose")                                                                                    \
	X(ABUT_SENSOR_VELOCITY, "velocity")                                                                            \
	X(ABUT_SENSOR_IMU, "imu")                                                                                      \
	X(ABUT_SENSOR_FORCE_TORQUE, "force_torque")                                                                    \
	X(ABUT_SENSOR_CONTACT_FORCE, "contact_force")                                                                  \
	X(ABUT_SENSOR_JOINT_POSITION, "joint_position")                                                                \
	X(ABUT_SENSOR_JOINT_VELOCITY, "joint_velocity")                                                                \
	X(ABUT_SENSOR_JOINT_EFFORT, "joint_effort")

#define ABUT_X(constant, name) constant,
typedef enum AbutSensorType { ABUT_SENSOR_TYPE_LIST(ABUT_X) ABUT_SENSOR_TYPE_COUNT } AbutSensorType;
#undef ABUT_X

enum {
	ABUT_SENSORS_MAX = 20000, /* most sensors of a scene, and most sites */
	ABUT_SENSOR_CHANNELS = 10 /* most values of a sensor */
};

/* Names a `type` of sensors as scene files do, such as "imu"; "unknown" outside the enumeration. Static storage. */
ABUT_API const char *abut_sensor_type_name(AbutSensorType type);

/* A massless frame on a body. Fill it with abut_site_def_default, then change it. */
typedef struct AbutSiteDef {
	const char *name;     /* unique among sites, not empty */
	int body;             /* index of the body, or ABUT_JOINT_WORLD for a frame fixed in the world */
	AbutJointFrame frame; /* in the body's frame */
} AbutSiteDef;

/* A sensor. Fill it with abut_sensor_def_default, then change it. An index that the type does not take must be -1.
 *
 * pose, velocity and imu take a site or a body, whose own frame then counts; contact_force takes a body; the sensors of
 * joints take a joint. force_torque takes a joint, a site or both: a site alone must be on a body that is the child of
 * exactly one joint, whose load is then measured; with both, the site must be on one of the joint's bodies. */
typedef struct AbutSensorDef {
	const char *name;      /* unique among sensors, not empty */
	AbutSensorType type;   /* what is measured */
	int site, joint, body; /* indices of where it is measured; -1: none */
} AbutSensorDef;

/* A site in the world. */
typedef struct AbutSiteState {
	double position[3];         /* m, of the origin */
	double orientation[4];      /* unit quaternion [w, x, y, z], from the site's frame to the world */
	double linear_velocity[3];  /* m/s, of the origin, world axes */
	double angular_velocity[3]; /* rad/s, world axes */
} AbutSiteState;

/* Returns a site with no name, at the origin of the world. */
ABUT_API AbutSiteDef abut_site_def_default(void);
/* Returns a pose sensor with no name and no place. */
ABUT_API AbutSensorDef abut_sensor_def_default(void);

#ifdef __cplusplus
}
#endif

#endif
