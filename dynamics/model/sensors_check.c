/* Checks the sites and sensors of a scene definition: names, places, and what each type of sensor takes. Tested in
 * tests/dynamics/model/sensors_check.c. */
#include "dynamics/model/sensors_check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "dynamics/model/check.h"
#include "dynamics/model/names_check.h"
#include "dynamics/model/sensor.h"

/* A site or sensor that is checked. */
typedef struct Item {
	const char *list; /* "sites" or "sensors" */
	const char *name;
	int index;
	AbutError *error;
} Item;

/* Refuses the value of `key`. */
__attribute__((format(printf, 3, 4))) static AbutStatus refuse(const Item *item, const char *key, const char *format,
                                                               ...)
{
	char path[64], message[320];
	va_list arguments;
	snprintf(path, sizeof path, "%s[%d].%s", item->list, item->index, key);
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	return abut_error_set(item->error, ABUT_ERROR_ARGUMENT, path, "%.*s '%s': %s", item->list[1] == 'i' ? 4 : 6,
	                      item->list, item->name ? item->name : "", message);
}

static AbutStatus check_name(const Item *item)
{
	return item->name && item->name[0] ? ABUT_OK : refuse(item, "name", "the name is empty; it must be unique");
}

static AbutStatus check_site(const AbutSceneDef *def, int index, AbutError *error)
{
	const AbutSiteDef *site = &def->sites[index];
	const Item item = {"sites", site->name, index, error};
	const double *q = site->frame.orientation;
	const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	ABUT_TRY(check_name(&item));
	if (site->body != ABUT_JOINT_WORLD && (site->body < 0 || site->body >= def->n_bodies)) {
		return refuse(&item, "body", "body is %d; it must be the index of a body, 0 to %d, or %d for the world",
		              site->body, def->n_bodies - 1, ABUT_JOINT_WORLD);
	}
	for (int i = 0; i < 3; i++) {
		if (!(fabs(site->frame.position[i]) <= ABUT_LARGEST_MOTION)) {
			return refuse(&item, "position", "position[%d] is %g; it must lie within +-%g", i,
			              site->frame.position[i], ABUT_LARGEST_MOTION);
		}
	}
	return fabs(norm - 1.0) <= 1e-6
	           ? ABUT_OK
	           : refuse(&item, "orientation", "the quaternion has length %g; it must be within 1e-6 of 1", norm);
}

/* Where a type of sensor can be. */
enum { AT_SITE = 1, AT_JOINT = 2, AT_BODY = 4 };

static const struct {
	int at;
	const char *needs; /* for messages */
} types[ABUT_SENSOR_TYPE_COUNT] = {[ABUT_SENSOR_POSE] = {AT_SITE | AT_BODY, "a \"site\" or a \"body\""},
                                   [ABUT_SENSOR_VELOCITY] = {AT_SITE | AT_BODY, "a \"site\" or a \"body\""},
                                   [ABUT_SENSOR_IMU] = {AT_SITE | AT_BODY, "a \"site\" or a \"body\""},
                                   [ABUT_SENSOR_FORCE_TORQUE] = {AT_SITE | AT_JOINT, "a \"joint\", a \"site\" or both"},
                                   [ABUT_SENSOR_CONTACT_FORCE] = {AT_BODY, "a \"body\""},
                                   [ABUT_SENSOR_JOINT_POSITION] = {AT_JOINT, "a \"joint\""},
                                   [ABUT_SENSOR_JOINT_VELOCITY] = {AT_JOINT, "a \"joint\""},
                                   [ABUT_SENSOR_JOINT_EFFORT] = {AT_JOINT, "a \"joint\""}};

/* Checks that the sensor has the indices that its type takes, and no others. */
static AbutStatus check_places(const AbutSceneDef *def, const Item *item, const AbutSensorDef *sensor)
{
	const struct {
		int at, index, count;
		const char *key;
	} places[] = {{AT_SITE, sensor->site, def->n_sites, "site"},
	              {AT_JOINT, sensor->joint, def->n_joints, "joint"},
	              {AT_BODY, sensor->body, def->n_bodies, "body"}};
	const char *type = abut_sensor_type_name(sensor->type), *needs = types[sensor->type].needs;
	int given = 0;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		if (places[i].index == -1) {
			continue;
		}
		if (!(types[sensor->type].at & places[i].at)) {
			return refuse(item, places[i].key, "a sensor of type %s has no \"%s\"; it needs %s", type,
			              places[i].key, needs);
		}
		if (places[i].index < 0 || places[i].index >= places[i].count) {
			return refuse(item, places[i].key, "%s is %d; it must be an index, 0 to %d, or -1 for none",
			              places[i].key, places[i].index, places[i].count - 1);
		}
		given++;
	}
	if (given == 0) {
		return refuse(item, "type", "a sensor of type %s needs %s", type, needs);
	}
	return given == 1 || sensor->type == ABUT_SENSOR_FORCE_TORQUE
	           ? ABUT_OK
	           : refuse(item, "body", "a sensor of type %s needs %s, not both", type, needs);
}

/* Checks where a sensor of type force_torque measures. */
static AbutStatus check_load(const AbutSceneDef *def, const Item *item, const AbutSensorDef *sensor)
{
	if (sensor->site < 0) {
		return ABUT_OK;
	}
	const AbutSiteDef *site = &def->sites[sensor->site];
	const char *body = site->body < 0 ? "world" : def->bodies[site->body].name;
	if (sensor->joint >= 0) {
		const AbutJointDef *joint = &def->joints[sensor->joint];
		return joint->child == site->body || joint->parent == site->body
		           ? ABUT_OK
		           : refuse(item, "site", "site '%s' is on '%s', which is no body of joint '%s'", site->name,
		                    body, joint->name);
	}
	const int above = abut_sensor_joint_above(def, site->body);
	return above >= 0 ? ABUT_OK
	                  : refuse(item, "site",
	                           "site '%s' is on '%s', which is the child of %s; add the \"joint\" whose load is "
	                           "measured",
	                           site->name, body, above == -1 ? "no joint" : "several joints");
}

static AbutStatus check_sensor(const AbutSceneDef *def, int index, AbutError *error)
{
	const AbutSensorDef *sensor = &def->sensors[index];
	const Item item = {"sensors", sensor->name, index, error};
	ABUT_TRY(check_name(&item));
	if ((unsigned)sensor->type >= ABUT_SENSOR_TYPE_COUNT) {
		return refuse(&item, "type", "type is %d; it must be one of AbutSensorType, 0 to %d", (int)sensor->type,
		              ABUT_SENSOR_TYPE_COUNT - 1);
	}
	ABUT_TRY(check_places(def, &item, sensor));
	if (sensor->type == ABUT_SENSOR_FORCE_TORQUE) {
		return check_load(def, &item, sensor);
	}
	if (sensor->joint >= 0 && abut_joint_type_freedoms(def->joints[sensor->joint].type) == 0) {
		const AbutJointDef *joint = &def->joints[sensor->joint];
		return refuse(&item, "joint", "joint '%s' is of type %s, which has no coordinate", joint->name,
		              abut_joint_type_name(joint->type));
	}
	return ABUT_OK;
}

static AbutStatus check_count(const char *list, int n, const void *items, AbutError *error)
{
	return n >= 0 && n <= ABUT_SENSORS_MAX && (n == 0 || items)
	           ? ABUT_OK
	           : abut_error_set(error, ABUT_ERROR_ARGUMENT, list,
	                            "the scene has %d %s%s; it may have 0 to %d, with their array", n, list,
	                            items ? "" : " (NULL)", (int)ABUT_SENSORS_MAX);
}

AbutStatus abut_sensors_check(const AbutSceneDef *def, AbutError *error)
{
	ABUT_TRY(check_count("sites", def->n_sites, def->sites, error));
	ABUT_TRY(check_count("sensors", def->n_sensors, def->sensors, error));
	for (int i = 0; i < def->n_sites; i++) {
		ABUT_TRY(check_site(def, i, error));
	}
	for (int i = 0; i < def->n_sensors; i++) {
		ABUT_TRY(check_sensor(def, i, error));
	}
	ABUT_TRY(abut_names_check("sites", def->n_sites, def->sites, sizeof *def->sites, error));
	return abut_names_check("sensors", def->n_sensors, def->sensors, sizeof *def->sensors, error);
}
