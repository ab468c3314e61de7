/* Compiles sites and sensors, and names their values. */
#include "dynamics/model/sensor.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/model/joint.h"
#include "dynamics/model/scale.h"

/* --- definitions --- */

const char *abut_sensor_type_name(AbutSensorType type)
{
#define ABUT_X(constant, name) name,
	static const char *const names[] = {ABUT_SENSOR_TYPE_LIST(ABUT_X)};
#undef ABUT_X
	return (unsigned)type < ABUT_SENSOR_TYPE_COUNT ? names[type] : "unknown";
}

AbutSiteDef abut_site_def_default(void)
{
	return (AbutSiteDef){.body = ABUT_JOINT_WORLD, .frame.orientation = {1.0, 0.0, 0.0, 0.0}};
}

AbutSensorDef abut_sensor_def_default(void)
{
	return (AbutSensorDef){.type = ABUT_SENSOR_POSE, .site = -1, .joint = -1, .body = -1};
}

/* --- channels --- */

/* Names of the values of each type, in order; those of joints are the first of `freedoms`. */
static const char *const channels[ABUT_SENSOR_TYPE_COUNT][ABUT_SENSOR_CHANNELS + 1] = {
    [ABUT_SENSOR_POSE] = {"px", "py", "pz", "qw", "qx", "qy", "qz"},
    [ABUT_SENSOR_VELOCITY] = {"vx", "vy", "vz", "wx", "wy", "wz"},
    [ABUT_SENSOR_IMU] = {"specific_force_x", "specific_force_y", "specific_force_z", "angular_rate_x", "angular_rate_y",
                         "angular_rate_z"},
    [ABUT_SENSOR_FORCE_TORQUE] = {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"},
    [ABUT_SENSOR_CONTACT_FORCE] = {"force_x", "force_y", "force_z", "normal_x", "normal_y", "normal_z", "friction_x",
                                   "friction_y", "friction_z", "normal_sum"},
    [ABUT_SENSOR_JOINT_POSITION] = {"0", "1", "2"},
    [ABUT_SENSOR_JOINT_VELOCITY] = {"0", "1", "2"},
    [ABUT_SENSOR_JOINT_EFFORT] = {"0", "1", "2"}};

static bool is_kept(AbutSensorType type)
{
	return type == ABUT_SENSOR_IMU || type == ABUT_SENSOR_FORCE_TORQUE || type == ABUT_SENSOR_CONTACT_FORCE;
}

static int count_channels(AbutSensorType type)
{
	int n = 0;
	while (channels[type][n]) {
		n++;
	}
	return n;
}

/* --- compiling --- */

static AbutSite site_of(int body, const AbutJointFrame *frame)
{
	AbutSite site = {.name = "", .body = body};
	memcpy(site.orientation, frame->orientation, sizeof site.orientation);
	abut_quat_normalise(site.orientation);
	abut_quat_to_mat3(site.orientation, site.axes);
	abut_copy3(frame->position, site.position);
	return site;
}

int abut_sensor_joint_above(const AbutSceneDef *def, int body)
{
	int found = -1;
	for (int i = 0; i < def->n_joints; i++) {
		if (def->joints[i].child == body) {
			found = found == -1 ? i : -2;
		}
	}
	return found;
}

/* Sets where a sensor measures. */
static void place(const AbutSceneDef *def, const AbutModel *model, const AbutSensorDef *from, AbutSensor *sensor)
{
	const AbutJointFrame own = {.orientation = {1.0, 0.0, 0.0, 0.0}};
	sensor->joint = from->joint;
	if (from->type == ABUT_SENSOR_FORCE_TORQUE && from->joint < 0) {
		sensor->joint = abut_sensor_joint_above(def, def->sites[from->site].body);
	}
	if (from->site >= 0) {
		sensor->place = model->sensors.sites[from->site];
	} else if (from->body >= 0) {
		sensor->place = site_of(from->body, &own);
	} else {
		sensor->place.body = -1;
	}
}

static AbutStatus allocate(int n_sites, int n_sensors, size_t names, AbutModel *model, AbutError *error)
{
	AbutSensorList *list = &model->sensors;
	list->sites = calloc((size_t)n_sites + 1, sizeof *list->sites);
	list->at = calloc((size_t)n_sensors + 1, sizeof *list->at);
	list->of_body = malloc((size_t)model->n_bodies * sizeof *list->of_body);
	list->names = calloc(names + 1, 1);
	list->n_sites = n_sites;
	list->n = n_sensors;
	return list->sites && list->at && list->of_body && list->names ? ABUT_OK : abut_model_no_memory(error);
}

/* Chains the sensors of contact forces of each body. */
static void chain(int n_bodies, AbutSensorList *list)
{
	for (int i = 0; i < n_bodies; i++) {
		list->of_body[i] = -1;
	}
	for (int i = list->n - 1; i >= 0; i--) {
		list->at[i].next = -1;
		if (list->at[i].type == ABUT_SENSOR_CONTACT_FORCE) {
			int *const first = &list->of_body[list->at[i].place.body];
			list->at[i].next = *first;
			*first = i;
		}
	}
}

/* Copies a name to `*at` and moves `*at` behind it. */
static const char *keep_name(const char *name, char **at)
{
	const size_t length = strlen(name) + 1;
	const char *kept = memcpy(*at, name, length);
	*at += length;
	return kept;
}

AbutStatus abut_sensors_create(const AbutSceneDef *def, AbutModel *model, AbutError *error)
{
	size_t names = 0;
	for (int i = 0; i < def->n_sites; i++) {
		names += strlen(def->sites[i].name) + 1;
	}
	for (int i = 0; i < def->n_sensors; i++) {
		names += strlen(def->sensors[i].name) + 1;
	}
	ABUT_TRY(allocate(def->n_sites, def->n_sensors, names, model, error));
	AbutSensorList *list = &model->sensors;
	char *name = list->names;
	for (int i = 0; i < def->n_sites; i++) {
		const AbutSiteDef *from = &def->sites[i];
		list->sites[i] = site_of(from->body < 0 ? model->n_bodies : from->body, &from->frame);
		list->sites[i].name = keep_name(from->name, &name);
	}
	for (int i = 0; i < def->n_sensors; i++) {
		const AbutSensorDef *from = &def->sensors[i];
		AbutSensor *sensor = &list->at[i];
		*sensor = (AbutSensor){.name = keep_name(from->name, &name), .type = from->type, .kept = -1};
		place(def, model, from, sensor);
		list->loads = list->loads || from->type == ABUT_SENSOR_FORCE_TORQUE;
		sensor->first = list->n_values;
		sensor->n = from->type >= ABUT_SENSOR_JOINT_POSITION
		                ? abut_joint_type_freedoms(model->joints.at[sensor->joint].type)
		                : count_channels(from->type);
		list->n_values += sensor->n;
		if (is_kept(from->type)) {
			sensor->kept = list->n_kept;
			list->n_kept += sensor->n;
		}
	}
	chain(model->n_bodies, list);
	return ABUT_OK;
}

AbutStatus abut_sensors_copy(const AbutModel *from, AbutModel *copy, AbutError *error)
{
	const AbutSensorList *own = &from->sensors;
	size_t names = 0;
	for (int i = 0; i < own->n_sites; i++) {
		names += strlen(own->sites[i].name) + 1;
	}
	for (int i = 0; i < own->n; i++) {
		names += strlen(own->at[i].name) + 1;
	}
	ABUT_TRY(allocate(own->n_sites, own->n, names, copy, error));
	AbutSensorList *list = &copy->sensors;
	char *name = list->names;
	for (int i = 0; i < own->n_sites; i++) {
		list->sites[i] = own->sites[i];
		list->sites[i].name = keep_name(own->sites[i].name, &name);
	}
	for (int i = 0; i < own->n; i++) {
		list->at[i] = own->at[i];
		list->at[i].name = keep_name(own->at[i].name, &name);
		list->at[i].place.name = "";
	}
	list->n_values = own->n_values;
	list->n_kept = own->n_kept;
	list->loads = own->loads;
	chain(copy->n_bodies, list);
	return ABUT_OK;
}

/* --- reading --- */

int abut_model_site_count(const AbutModel *model)
{
	return model->sensors.n_sites;
}

const char *abut_model_site_name(const AbutModel *model, int site)
{
	return site >= 0 && site < model->sensors.n_sites ? model->sensors.sites[site].name : "";
}

int abut_model_site_body(const AbutModel *model, int site)
{
	const int body = site >= 0 && site < model->sensors.n_sites ? model->sensors.sites[site].body : model->n_bodies;
	return body < model->n_bodies ? body : ABUT_JOINT_WORLD;
}

int abut_model_sensor_count(const AbutModel *model)
{
	return model->sensors.n;
}

const char *abut_model_sensor_name(const AbutModel *model, int sensor)
{
	return sensor >= 0 && sensor < model->sensors.n ? model->sensors.at[sensor].name : "";
}

AbutSensorType abut_model_sensor_type(const AbutModel *model, int sensor)
{
	return sensor >= 0 && sensor < model->sensors.n ? model->sensors.at[sensor].type : ABUT_SENSOR_TYPE_COUNT;
}

int abut_model_sensor_channels(const AbutModel *model, int sensor)
{
	return sensor >= 0 && sensor < model->sensors.n ? model->sensors.at[sensor].n : 0;
}

const char *abut_model_sensor_channel(const AbutModel *model, int sensor, int channel)
{
	return channel >= 0 && channel < abut_model_sensor_channels(model, sensor)
	           ? channels[model->sensors.at[sensor].type][channel]
	           : "";
}

int abut_model_sensor_first(const AbutModel *model, int sensor)
{
	return sensor >= 0 && sensor < model->sensors.n ? model->sensors.at[sensor].first : 0;
}

int abut_model_sensor_values(const AbutModel *model)
{
	return model->sensors.n_values;
}

int abut_sensor_of_value(const AbutModel *model, int value)
{
	int low = 0, high = model->sensors.n;
	while (high - low > 1) {
		const int middle = low + (high - low) / 2;
		*(model->sensors.at[middle].first <= value ? &low : &high) = middle;
	}
	return low;
}
