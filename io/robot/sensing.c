/* Adds sites and sensors to the model of an import. Tested in tests/io/import_sensors.c. */
#include "io/robot/sensing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "io/robot/importer.h"
#include "io/robot/pose.h"

enum { NAME_SIZE = 128 };

int abut_import_find_site(const AbutImport *import, const char *name)
{
	for (int i = 0; i < import->sensing.n_sites && name; i++) {
		if (strcmp(import->sensing.sites[i].name, name) == 0) {
			return i;
		}
	}
	return -1;
}

static bool has_site(const AbutImportSensing *sensing, const char *name)
{
	for (int i = 0; i < sensing->n_sites; i++) {
		if (strcmp(sensing->sites[i].name, name) == 0) {
			return true;
		}
	}
	return false;
}

static bool has_sensor(const AbutImportSensing *sensing, const char *name)
{
	for (int i = 0; i < sensing->n_sensors; i++) {
		if (strcmp(sensing->sensors[i].name, name) == 0) {
			return true;
		}
	}
	return false;
}

/* Returns a copy of a name, with the first free number if it is taken. NULL: no memory. */
static char *make_name(const AbutImportSensing *sensing, const char *name,
                       bool (*has)(const AbutImportSensing *sensing, const char *name))
{
	char made[NAME_SIZE];
	snprintf(made, sizeof made, "%.110s", name);
	for (int k = 2; has(sensing, made); k++) {
		snprintf(made, sizeof made, "%.110s_%d", name, k);
	}
	return strdup(made);
}

int abut_importer_site(AbutImporter *importer, const char *name, int body, const AbutPose *pose)
{
	AbutImportSensing *sensing = &importer->import->sensing;
	char *const own = make_name(sensing, name[0] ? name : "site", has_site);
	if (importer->status != ABUT_OK || !own ||
	    !abut_grow(&sensing->sites, &sensing->sites_capacity, sensing->n_sites + 1, sizeof *sensing->sites)) {
		free(own);
		abut_importer_no_memory(importer);
		return -1;
	}
	sensing->sites[sensing->n_sites] = (AbutImportSite){own, body, *pose};
	return sensing->n_sites++;
}

static bool same_pose(const AbutPose *a, const AbutPose *b)
{
	bool same = true;
	for (int i = 0; i < 3; i++) {
		same = same && a->position[i] == b->position[i];
	}
	for (int i = 0; i < 4; i++) {
		same = same && a->orientation[i] == b->orientation[i];
	}
	return same;
}

int abut_importer_site_at(AbutImporter *importer, const char *name, int body, const AbutPose *pose)
{
	const AbutImportSensing *sensing = &importer->import->sensing;
	for (int i = 0; i < sensing->n_sites; i++) {
		const AbutImportSite *site = &sensing->sites[i];
		if (site->body == body && same_pose(&site->pose, pose)) {
			return i;
		}
	}
	return abut_importer_site(importer, name, body, pose);
}

void abut_importer_sensor(AbutImporter *importer, const char *name, const AbutImportSensor *sensor)
{
	AbutImportSensing *sensing = &importer->import->sensing;
	char *const own = make_name(sensing, name[0] ? name : abut_sensor_type_name(sensor->type), has_sensor);
	if (importer->status != ABUT_OK || !own ||
	    !abut_grow(&sensing->sensors, &sensing->sensors_capacity, sensing->n_sensors + 1,
	               sizeof *sensing->sensors)) {
		free(own);
		abut_importer_no_memory(importer);
		return;
	}
	sensing->sensors[sensing->n_sensors] = *sensor;
	sensing->sensors[sensing->n_sensors++].name = own;
}

void abut_importer_renumber_sensing(AbutImport *import, const int *map)
{
	AbutImportSensing *sensing = &import->sensing;
	int kept = 0;
	for (int i = 0; i < sensing->n_sites; i++) {
		AbutImportSite *site = &sensing->sites[i];
		if (site->body >= 0 && map[site->body] < 0) {
			site->pose = abut_pose_compose(&import->bodies[site->body].pose, &site->pose);
		}
		site->body = site->body >= 0 ? map[site->body] : ABUT_JOINT_WORLD;
	}
	for (int i = 0; i < sensing->n_sensors; i++) {
		AbutImportSensor sensor = sensing->sensors[i];
		const bool of_body = sensor.body >= 0;
		sensor.body = of_body ? map[sensor.body] : -1;
		if (!of_body || sensor.body >= 0) {
			sensing->sensors[kept++] = sensor;
		} else {
			free(sensor.name);
		}
	}
	sensing->n_sensors = kept;
}
