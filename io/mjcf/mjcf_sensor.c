/* Reads the sites and sensors of MJCF. Sensors of MJCF with one kind of value are part of ours: an accelerometer and a
 * gyro of an imu, framepos and framequat of a pose, a touch of the contact force of a body. Tested in
 * tests/io/import_sensors.c. */
#include "io/mjcf/mjcf_sensor.h"

#include <stdio.h>
#include <string.h>

#include "io/mjcf/mjcf_names.h"
#include "io/mjcf/mjcf_tendon.h"
#include "io/robot/importer.h"
#include "io/robot/joints.h"
#include "io/robot/pose.h"
#include "io/robot/sensing.h"

/* Where a sensor of MJCF measures. */
typedef enum Where { AT_SITE, AT_FRAME, AT_JOINT, AT_ACTUATOR } Where;

/* A kind of sensor and its counterpart. */
typedef struct Kind {
	const char *name;
	Where where;
	AbutSensorType type;
	const char *differs; /* how the values differ; NULL: they are equal */
} Kind;

static const char turned[] = "the values are in world axes";
static const char whole[] = "the value is one of several";

static const Kind kinds[] = {
    {"accelerometer", AT_SITE, ABUT_SENSOR_IMU, NULL},
    {"gyro", AT_SITE, ABUT_SENSOR_IMU, NULL},
    {"velocimeter", AT_SITE, ABUT_SENSOR_VELOCITY, turned},
    {"force", AT_SITE, ABUT_SENSOR_FORCE_TORQUE, NULL},
    {"torque", AT_SITE, ABUT_SENSOR_FORCE_TORQUE, NULL},
    {"touch", AT_SITE, ABUT_SENSOR_CONTACT_FORCE, "it feels the whole body rather than the volume of its site"},
    {"jointpos", AT_JOINT, ABUT_SENSOR_JOINT_POSITION, NULL},
    {"jointvel", AT_JOINT, ABUT_SENSOR_JOINT_VELOCITY, NULL},
    {"jointactuatorfrc", AT_JOINT, ABUT_SENSOR_JOINT_EFFORT, NULL},
    {"ballquat", AT_JOINT, ABUT_SENSOR_JOINT_POSITION, "the turn is a rotation vector"},
    {"ballangvel", AT_JOINT, ABUT_SENSOR_JOINT_VELOCITY, NULL},
    {"actuatorpos", AT_ACTUATOR, ABUT_SENSOR_JOINT_POSITION, "the value is that of the joint, without gear"},
    {"actuatorvel", AT_ACTUATOR, ABUT_SENSOR_JOINT_VELOCITY, "the value is that of the joint, without gear"},
    {"actuatorfrc", AT_ACTUATOR, ABUT_SENSOR_JOINT_EFFORT, "the value is that of the joint, with gear"},
    {"framepos", AT_FRAME, ABUT_SENSOR_POSE, NULL},
    {"framequat", AT_FRAME, ABUT_SENSOR_POSE, NULL},
    {"framexaxis", AT_FRAME, ABUT_SENSOR_POSE, "the axis is part of the orientation"},
    {"frameyaxis", AT_FRAME, ABUT_SENSOR_POSE, "the axis is part of the orientation"},
    {"framezaxis", AT_FRAME, ABUT_SENSOR_POSE, "the axis is part of the orientation"},
    {"framelinvel", AT_FRAME, ABUT_SENSOR_VELOCITY, NULL},
    {"frameangvel", AT_FRAME, ABUT_SENSOR_VELOCITY, NULL},
};

static const Kind *find_kind(const char *name)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(kinds[i].name, name) == 0) {
			return &kinds[i];
		}
	}
	return NULL;
}

/* Returns the joint on which an actuator acts; -1: none, or several. */
static int find_driven(const AbutMjcf *mjcf, const char *name)
{
	int axis;
	for (const AbutXml *all = abut_xml_child(mjcf->root, "actuator"); name && all; all = abut_xml_next(all)) {
		for (const AbutXml *at = all->child; at; at = at->next) {
			const char *tendon = abut_mjcf_get(mjcf, at, NULL, "tendon", NULL);
			AbutMjcfSum sum;
			if (strcmp(abut_importer_name(at), name) != 0) {
				continue;
			}
			if (tendon) {
				return abut_mjcf_tendon(mjcf, tendon, &sum) && sum.n == 1 ? sum.joint[0] : -1;
			}
			return abut_import_find_joint(mjcf->importer->import, at,
			                              abut_mjcf_get(mjcf, at, NULL, "joint", NULL), &axis);
		}
	}
	return -1;
}

/* Returns the joint that moves a body, or -1. */
static int joint_above(const AbutImport *import, int body)
{
	for (int i = 0; i < import->n_joints && body >= 0; i++) {
		if (import->joints[i].body[1] == body && !import->joints[i].closes) {
			return i;
		}
	}
	return -1;
}

/* Returns a site at a geometry; -1: there is none of this name. */
static int site_of_geom(AbutImporter *importer, const char *name)
{
	const AbutImport *import = importer->import;
	for (int i = 0; i < import->n_bodies; i++) {
		for (int k = 0; k < import->bodies[i].n_geoms; k++) {
			const AbutGeom *geom = &import->bodies[i].geoms[k];
			if (strcmp(abut_importer_name(geom->element), name) == 0) {
				return abut_importer_site_at(importer, name, i, &geom->pose);
			}
		}
	}
	return -1;
}

/* Finds the frame that objtype and objname give: a site, a body, or a geometry. A body that is part of another one, and
 * a geometry, get a site. Returns why there is none, or NULL. */
static const char *find_frame(AbutImporter *importer, const AbutXml *at, AbutImportSensor *out)
{
	const char *type = abut_xml_get(at, "objtype"), *name = abut_xml_get(at, "objname");
	const bool is_body = type && (strcmp(type, "body") == 0 || strcmp(type, "xbody") == 0);
	if (abut_xml_get(at, "reftype")) {
		return "it is relative to another frame";
	}
	if (!type || !name) {
		return "objtype or objname is missing";
	}
	if (strcmp(type, "site") == 0) {
		out->site = abut_import_find_site(importer->import, name);
	} else if (is_body) {
		const AbutImportPlace *place = abut_import_find_place(importer->import, at, "body", name);
		out->site = place ? abut_importer_site_at(importer, name, place->body, &place->pose) : -1;
		if (strcmp(type, "body") == 0) {
			abut_importer_note(importer, at,
			                   "approximated: <%s> \"%.60s\": it measures at the frame of the body rather "
			                   "than at that of its inertia",
			                   at->name, abut_importer_name(at));
		}
	} else if (strcmp(type, "geom") == 0) {
		out->site = site_of_geom(importer, name);
	}
	return out->site >= 0 ? NULL : "objname is no site, body or geometry of the scene";
}

/* Finds the site of a sensor, and for loads the joint above it, for contacts its body. Returns why there is none, or
 * NULL. */
static const char *find_site(const AbutMjcf *mjcf, const AbutXml *at, AbutImportSensor *out)
{
	const AbutImport *import = mjcf->importer->import;
	out->site = abut_import_find_site(import, abut_xml_get(at, "site"));
	if (out->site < 0) {
		return "it names no site";
	}
	const int body = import->sensing.sites[out->site].body;
	if (out->type == ABUT_SENSOR_CONTACT_FORCE) {
		out->body = body;
		out->site = -1;
		return body >= 0 ? NULL : "its site is on the world";
	}
	if (out->type == ABUT_SENSOR_FORCE_TORQUE) {
		out->joint = joint_above(import, body);
		return out->joint >= 0 ? NULL : "no joint moves the body of its site";
	}
	return NULL;
}

/* Returns why a sensor is left out, or NULL. */
static const char *add(const AbutMjcf *mjcf, const AbutXml *at)
{
	AbutImporter *importer = mjcf->importer;
	const Kind *kind = find_kind(at->name);
	if (!kind) {
		return "it has no counterpart";
	}
	AbutImportSensor sensor = {NULL, kind->type, -1, -1, -1, at};
	const char *why = NULL, *differs = kind->differs;
	if (kind->where == AT_SITE) {
		why = find_site(mjcf, at, &sensor);
	} else if (kind->where == AT_FRAME) {
		why = find_frame(importer, at, &sensor);
	} else {
		const char *joint = abut_xml_get(at, "joint");
		int axis;
		sensor.joint = kind->where == AT_JOINT ? abut_import_find_joint(importer->import, at, joint, &axis)
		                                       : find_driven(mjcf, abut_xml_get(at, "actuator"));
		why = sensor.joint < 0 ? "it is of no joint of the scene" : NULL;
		const bool several = !why && importer->import->joints[sensor.joint].n_laws > 1;
		differs = several ? whole : differs;
	}
	if (!why) {
		abut_importer_sensor(importer, abut_importer_name(at), &sensor);
		if (differs) {
			abut_importer_note(importer, at, "approximated: <%s> \"%.60s\": %s", at->name,
			                   abut_importer_name(at), differs);
		}
	}
	return why;
}

void abut_mjcf_sensors(AbutMjcf *mjcf)
{
	AbutImporter *importer = mjcf->importer;
	for (int i = 0; i < importer->import->n_places; i++) {
		const AbutImportPlace *place = &importer->import->places[i];
		if (strcmp(place->element->name, "site") == 0) {
			abut_importer_site(importer, abut_importer_name(place->element), place->body, &place->pose);
		}
	}
	for (const AbutXml *all = abut_xml_child(mjcf->root, "sensor"); all; all = abut_xml_next(all)) {
		for (const AbutXml *at = all->child; at && importer->status == ABUT_OK; at = at->next) {
			const char *why = add(mjcf, at);
			if (why) {
				abut_mjcf_leave_out(mjcf, at, "sensor", why);
			}
		}
	}
}
