/* Writes the sites and sensors of a definition as a scene file has them (io/scene/sensors.c). */
#include "io/scene/write_sensors.h"

#include "io/scene/write_shapes.h"
#include "io/text/number.h"

/* Writes the member `key` with a name. */
static void write_name(FILE *file, const char *key, const char *name)
{
	fprintf(file, ", \"%s\": ", key);
	abut_json_write_string(file, name);
}

void abut_scene_write_sensors(FILE *file, const AbutSceneDef *def)
{
	for (int i = 0; i < def->n_sites; i++) {
		const AbutSiteDef *site = &def->sites[i];
		fputs(i > 0 ? ",\n    {\"name\": " : ",\n  \"sites\": [\n    {\"name\": ", file);
		abut_json_write_string(file, site->name);
		write_name(file, "body", site->body == ABUT_JOINT_WORLD ? "world" : def->bodies[site->body].name);
		abut_scene_write_vector(file, "position", site->frame.position, 3);
		abut_scene_write_vector(file, "orientation", site->frame.orientation, 4);
		fputc('}', file);
	}
	fputs(def->n_sites > 0 ? "\n  ]" : "", file);
	for (int i = 0; i < def->n_sensors; i++) {
		const AbutSensorDef *sensor = &def->sensors[i];
		fputs(i > 0 ? ",\n    {\"name\": " : ",\n  \"sensors\": [\n    {\"name\": ", file);
		abut_json_write_string(file, sensor->name);
		write_name(file, "type", abut_sensor_type_name(sensor->type));
		if (sensor->site >= 0) {
			write_name(file, "site", def->sites[sensor->site].name);
		}
		if (sensor->joint >= 0) {
			write_name(file, "joint", def->joints[sensor->joint].name);
		}
		if (sensor->body >= 0) {
			write_name(file, "body", def->bodies[sensor->body].name);
		}
		fputc('}', file);
	}
	fputs(def->n_sensors > 0 ? "\n  ]" : "", file);
}
