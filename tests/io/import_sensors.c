/* Tests sites and sensors of imported models: their places by hand. */
#include <criterion/criterion.h>
#include <string.h>

#include "abut/abut.h"
#include "io/imported.h"

static const AbutSensorDef *sensor_of(const Imported *imported, const char *name)
{
	const AbutSceneDef *def = abut_scene_def(imported->scene);
	for (int i = 0; i < def->n_sensors; i++) {
		if (strcmp(def->sensors[i].name, name) == 0) {
			return &def->sensors[i];
		}
	}
	cr_assert_fail("no sensor %s in\n%s", name, imported->text);
	return NULL;
}

#define ARM                                                                                                            \
	"<mujoco><compiler angle=\"radian\"/><worldbody><site name=\"post\" pos=\"1 2 3\"/><body name=\"arm\" "        \
	"pos=\"0 0 1\"><joint name=\"a\"/><geom size=\"0.1\"/><body name=\"hand\" pos=\"0 0 -0.5\"><site "             \
	"name=\"tip\" pos=\"0.2 0 0\" euler=\"0 0 1.5707963267948966\"/><geom name=\"palm\" size=\"0.05\" "            \
	"pos=\"0 0 -0.1\"/></body></body></worldbody><actuator><motor name=\"m\" joint=\"a\"/></actuator><sensor>"     \
	"<accelerometer name=\"acc\" site=\"tip\"/><gyro name=\"gyr\" site=\"tip\"/><force name=\"f\" site=\"tip\"/>"  \
	"<jointpos name=\"q\" joint=\"a\"/><actuatorfrc name=\"e\" actuator=\"m\"/><framepos name=\"p\" "              \
	"objtype=\"geom\" objname=\"palm\"/><framelinvel name=\"v\" objtype=\"xbody\" objname=\"hand\"/>\n"            \
	"<touch name=\"t\" site=\"tip\"/>\n<clock name=\"c\"/>\n<force name=\"g\" site=\"post\"/></sensor></mujoco>"

Test(import_sensors, sensors_of_mjcf)
{
	static const struct {
		const char *name;
		AbutSensorType type;
		double z; /* of its site in the arm; NAN: none */
		bool joint, body;
	} rows[] = {
	    {"acc", ABUT_SENSOR_IMU, -0.5, false, false},
	    {"gyr", ABUT_SENSOR_IMU, -0.5, false, false},
	    {"f", ABUT_SENSOR_FORCE_TORQUE, -0.5, true, false},
	    {"q", ABUT_SENSOR_JOINT_POSITION, (double)NAN, true, false},
	    {"e", ABUT_SENSOR_JOINT_EFFORT, (double)NAN, true, false},
	    {"p", ABUT_SENSOR_POSE, -0.6, false, false},
	    {"v", ABUT_SENSOR_VELOCITY, -0.5, false, false},
	    {"t", ABUT_SENSOR_CONTACT_FORCE, (double)NAN, false, true},
	};
	Imported imported;
	open_text(&imported, ARM);
	const AbutSceneDef *def = abut_scene_def(imported.scene);
	cr_expect_eq(def->n_sensors, 8);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const AbutSensorDef *sensor = sensor_of(&imported, rows[i].name);
		cr_expect_eq(sensor->type, rows[i].type, "%s", rows[i].name);
		cr_expect_eq(sensor->joint >= 0, rows[i].joint, "%s", rows[i].name);
		cr_expect_eq(sensor->body >= 0, rows[i].body, "%s", rows[i].name);
		cr_expect_eq(sensor->site >= 0, !isnan(rows[i].z), "%s", rows[i].name);
		if (sensor->site >= 0) {
			cr_expect_float_eq(def->sites[sensor->site].frame.position[2], rows[i].z, 1e-15, "%s",
			                   rows[i].name);
		}
	}
	const AbutSiteDef *tip = &def->sites[sensor_of(&imported, "acc")->site];
	cr_expect_float_eq(tip->frame.position[0], 0.2, 1e-15);
	cr_expect_float_eq(tip->frame.orientation[3], sqrt(0.5), 1e-15);
	cr_expect_str_eq(def->sites[0].name, "post");
	cr_expect_eq(def->sites[0].body, ABUT_JOINT_WORLD);
	cr_expect(has_note(&imported, "it feels the whole body", 2));
	cr_expect(has_note(&imported, "it has no counterpart", 3));
	cr_expect(has_note(&imported, "no joint moves the body of its site", 4));
	close_import(&imported);
}

/* A link that is fixed to another one stays as a site. */
Test(import_sensors, fixed_links_of_urdf_are_sites)
{
	Imported imported;
	open_text(&imported,
	          "<robot name=\"r\"><link name=\"trunk\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" "
	          "izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial><collision><geometry><sphere radius=\"1\"/>"
	          "</geometry></collision></link><link name=\"imu\"/><joint name=\"j\" type=\"fixed\"><parent "
	          "link=\"trunk\"/><child link=\"imu\"/><origin xyz=\"0 0.5 0\"/></joint></robot>");
	const AbutSceneDef *def = abut_scene_def(imported.scene);
	cr_assert_eq(def->n_sites, 1);
	cr_expect_str_eq(def->sites[0].name, "imu");
	cr_expect_eq(def->sites[0].body, 0);
	cr_expect_float_eq(def->sites[0].frame.position[1], 0.5, 1e-15);
	close_import(&imported);
}

/* "imu" twice would be "imu" and "imu_2", which the third has already; the frame of `hand` has one site. */
Test(import_sensors, names_are_those_of_the_scene)
{
	Imported imported;
	open_text(&imported,
	          "<mujoco><worldbody><body name=\"hand\"><joint name=\"a\"/><geom size=\"0.1\"/><site name=\"s\" "
	          "pos=\"0 0 1\"/></body></worldbody><sensor><gyro site=\"s\"/><gyro name=\"imu_2\" site=\"s\"/><gyro "
	          "name=\"imu\" site=\"s\"/><framepos objtype=\"xbody\" objname=\"hand\"/><framequat objtype=\"xbody\" "
	          "objname=\"hand\"/></sensor></mujoco>");
	const AbutSceneDef *def = abut_scene_def(imported.scene);
	cr_expect_eq(def->n_sensors, 5);
	cr_expect_eq(def->n_sites, 2);
	cr_expect_str_eq(def->sensors[0].name, "imu");
	cr_expect_str_eq(def->sensors[2].name, "imu_3");
	close_import(&imported);
}
