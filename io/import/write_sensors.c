/* Writes the sites and sensors of an import as those of a scene file. */
#include "io/import/write_sensors.h"

#include "io/scene/write_shapes.h"
#include "io/text/number.h"

static void write_name(FILE *file, const char *key, const char *name)
{
	fprintf(file, ", \"%s\": ", key);
	abut_json_write_string(file, name);
}

static void write_sensor(FILE *file, const AbutImport *import, const AbutImportSensor *sensor)
{
	fputs("{\"name\": ", file);
	abut_json_write_string(file, sensor->name);
	write_name(file, "type", abut_sensor_type_name(sensor->type));
	if (sensor->site >= 0) {
		write_name(file, "site", import->sensing.sites[sensor->site].name);
	}
	if (sensor->joint >= 0) {
		write_name(file, "joint", import->joints[sensor->joint].name);
	}
	if (sensor->body >= 0) {
		write_name(file, "body", import->bodies[sensor->body].name);
	}
	fputc('}', file);
}

void abut_import_write_sensors(FILE *file, const AbutImport *import)
{
	const AbutImportSensing *sensing = &import->sensing;
	for (int i = 0; i < sensing->n_sites; i++) {
		const AbutImportSite *site = &sensing->sites[i];
		fputs(i > 0 ? ",\n    {\"name\": " : ",\n  \"sites\": [\n    {\"name\": ", file);
		abut_json_write_string(file, site->name);
		write_name(file, "body", site->body >= 0 ? import->bodies[site->body].name : "world");
		abut_scene_write_vector(file, "position", site->pose.position, 3);
		abut_scene_write_vector(file, "orientation", site->pose.orientation, 4);
		fputc('}', file);
	}
	fputs(sensing->n_sites > 0 ? "\n  ]" : "", file);
	for (int i = 0; i < sensing->n_sensors; i++) {
		fputs(i > 0 ? ",\n    " : ",\n  \"sensors\": [\n    ", file);
		write_sensor(file, import, &sensing->sensors[i]);
	}
	fputs(sensing->n_sensors > 0 ? "\n  ]" : "", file);
}
