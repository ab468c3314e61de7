/* Tests that the sites and sensors of a scene file are read into their definition, overridden by name, written back
 * without a change, and refused with path, line and message where they are wrong. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abut/abut.h"

static const char text[] =
    "{\n"
    "  \"abut\": 1,\n"
    "  \"bodies\": [\n"
    "    {\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}},\n"
    "    {\"name\": \"b\", \"mass\": 1, \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}, \"position\": [1, 0, 0]}\n"
    "  ],\n"
    "  \"joints\": [\n"
    "    {\"name\": \"hip\", \"type\": \"hinge\", \"parent\": \"world\", \"child\": \"a\", \"anchor\": [0, 0, 0]},\n"
    "    {\"name\": \"knee\", \"type\": \"universal\", \"parent\": \"a\", \"child\": \"b\", \"anchor\": [0, 0, 0]},\n"
    "    {\"name\": \"rod\", \"type\": \"distance\", \"parent\": \"world\", \"child\": \"b\", \"length\": 1, "
    "\"parent_frame\": {}}\n"
    "  ],\n"
    "  \"sites\": [\n"
    "    {\"name\": \"tip\", \"body\": \"b\", \"position\": [1, 2, 3], \"orientation\": [0.5, 0.5, 0.5, 0.5]},\n"
    "    {\"name\": \"mark\", \"body\": \"world\"},\n"
    "    {\"name\": \"waist\", \"body\": \"a\"}\n"
    "  ],\n"
    "  \"sensors\": [\n"
    "    {\"name\": \"pose\", \"type\": \"pose\", \"site\": \"mark\"},\n"
    "    {\"name\": \"imu\", \"type\": \"imu\", \"body\": \"a\"},\n"
    "    {\"name\": \"load\", \"type\": \"force_torque\", \"site\": \"waist\"},\n"
    "    {\"name\": \"knee load\", \"type\": \"force_torque\", \"site\": \"waist\", \"joint\": \"knee\"},\n"
    "    {\"name\": \"touch\", \"type\": \"contact_force\", \"body\": \"b\"},\n"
    "    {\"name\": \"angles\", \"type\": \"joint_position\", \"joint\": \"knee\"}\n"
    "  ]\n"
    "}\n";

static AbutScene *load(const char *override)
{
	AbutScene *scene = NULL;
	AbutError error = {0};
	cr_assert_eq(abut_scene_parse(text, strlen(text), "t.json", override != NULL, &override, &scene, &error),
	             ABUT_OK, "%d:%d: %s: %s", error.line, error.column, error.where, error.message);
	return scene;
}

static void expect_sensor(const AbutSensorDef *sensor, const char *name, AbutSensorType type, int site, int joint,
                          int body)
{
	cr_expect_str_eq(sensor->name, name);
	cr_expect(sensor->type == type && sensor->site == site && sensor->joint == joint && sensor->body == body, "%s",
	          name);
}

static void expect_all(const AbutSceneDef *def)
{
	const double place[3] = {1.0, 2.0, 3.0};
	cr_assert(def->n_sites == 3 && def->n_sensors == 6);
	cr_expect_str_eq(def->sites[0].name, "tip");
	cr_expect_arr_eq(def->sites[0].frame.position, place, sizeof place);
	for (int i = 0; i < 4; i++) { /* normalised when read */
		cr_expect_float_eq(def->sites[0].frame.orientation[i], 0.5, 3e-16);
		cr_expect_eq(def->sites[1].frame.orientation[i], i == 0 ? 1.0 : 0.0);
	}
	cr_expect(def->sites[0].body == 1 && def->sites[1].body == ABUT_JOINT_WORLD && def->sites[2].body == 0);
	expect_sensor(&def->sensors[0], "pose", ABUT_SENSOR_POSE, 1, -1, -1);
	expect_sensor(&def->sensors[1], "imu", ABUT_SENSOR_IMU, -1, -1, 0);
	expect_sensor(&def->sensors[2], "load", ABUT_SENSOR_FORCE_TORQUE, 2, -1, -1);
	expect_sensor(&def->sensors[3], "knee load", ABUT_SENSOR_FORCE_TORQUE, 2, 1, -1);
	expect_sensor(&def->sensors[4], "touch", ABUT_SENSOR_CONTACT_FORCE, -1, -1, 1);
	expect_sensor(&def->sensors[5], "angles", ABUT_SENSOR_JOINT_POSITION, -1, 1, -1);
}

Test(sensors, are_read_into_their_definition)
{
	AbutScene *scene = load(NULL);
	expect_all(abut_scene_def(scene));
	abut_scene_destroy(scene);
}

Test(sensors, are_written_back_without_a_change)
{
	char path[] = "/tmp/abut_sensors_XXXXXX";
	const int descriptor = mkstemp(path);
	cr_assert(descriptor >= 0);
	close(descriptor);
	AbutScene *scene = load(NULL), *again = NULL;
	AbutError error = {0};
	cr_assert_eq(abut_scene_save(abut_scene_def(scene), path, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_scene_load(path, 0, NULL, &again, &error), ABUT_OK, "%d:%d: %s: %s", error.line, error.column,
	             error.where, error.message);
	expect_all(abut_scene_def(again));
	abut_scene_destroy(scene);
	abut_scene_destroy(again);
	unlink(path);
}

Test(sensors, are_overridden_by_name)
{
	AbutScene *scene = load("sites.tip.position[1]=7");
	cr_expect_eq(abut_scene_def(scene)->sites[0].frame.position[1], 7.0);
	abut_scene_destroy(scene);
	scene = load("sensors.pose.type=velocity");
	cr_expect_eq(abut_scene_def(scene)->sensors[0].type, ABUT_SENSOR_VELOCITY);
	abut_scene_destroy(scene);
	AbutError error = {0};
	const char *unknown = "sensors.ankle.type=imu";
	cr_expect_eq(abut_scene_parse(text, strlen(text), "t.json", 1, &unknown, &scene, &error), ABUT_ERROR_PARSE);
	cr_expect(strstr(error.message, "no sensor has the name \"ankle\""), "%s", error.message);
}

Test(sensors, of_a_model_have_named_values)
{
	AbutScene *scene = load(NULL);
	AbutModel *model = NULL;
	AbutError error = {0};
	cr_assert_eq(abut_model_create(abut_scene_def(scene), &model, &error), ABUT_OK, "%s: %s", error.where,
	             error.message);
	cr_expect(abut_model_site_count(model) == 3 && abut_model_sensor_count(model) == 6);
	cr_expect_str_eq(abut_model_site_name(model, 2), "waist");
	cr_expect(abut_model_site_body(model, 0) == 1 && abut_model_site_body(model, 1) == ABUT_JOINT_WORLD);
	cr_expect_str_eq(abut_model_sensor_name(model, 3), "knee load");
	cr_expect_eq(abut_model_sensor_type(model, 3), ABUT_SENSOR_FORCE_TORQUE);
	const int channels[6] = {7, 6, 6, 6, 10, 2};
	int first = 0;
	for (int i = 0; i < 6; i++) {
		cr_expect_eq(abut_model_sensor_channels(model, i), channels[i]);
		cr_expect_eq(abut_model_sensor_first(model, i), first);
		first += channels[i];
	}
	cr_expect_eq(abut_model_sensor_values(model), 37);
	cr_expect_str_eq(abut_model_sensor_channel(model, 0, 3), "qw");
	cr_expect_str_eq(abut_model_sensor_channel(model, 4, 9), "normal_sum");
	cr_expect_str_eq(abut_model_sensor_channel(model, 5, 1), "1");
	cr_expect_str_eq(abut_model_sensor_channel(model, 5, 2), "");
	cr_expect_str_eq(abut_model_sensor_name(model, 6), "");
	cr_expect_str_eq(abut_model_site_name(model, -1), "");
	cr_expect_eq(abut_model_sensor_type(model, 6), ABUT_SENSOR_TYPE_COUNT);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
}

/* --- refusals --- */

typedef struct Bad {
	const char *find, *replacement; /* a fragment of `text` */
	const char *where;
	int line;
	const char *message; /* a part of it */
} Bad;

static const Bad bad[] = {
    {"\"name\": \"tip\", ", "", "sites[0].name", 13, "required key \"name\" is missing"},
    {"\"name\": \"mark\"", "\"name\": \"tip\"", "sites[1].name", 14, "two sites have the name \"tip\""},
    {"\"body\": \"b\", ", "", "sites[0].body", 13, "required key \"body\" is missing"},
    {"\"body\": \"b\", \"pos", "\"body\": \"c\", \"pos", "sites[0].body", 13, "unknown body \"c\""},
    {"[1, 2, 3]", "[1, 2]", "sites[0].position", 13, "an array of 3 numbers"},
    {"[1, 2, 3]", "[1, 2, 3e9]", "sites[0].position", 13, "site 'tip': position[2] is 3e+09"},
    {"[0.5, 0.5, 0.5, 0.5]", "[0.5, 0.5, 0.5, 0.6]", "sites[0].orientation", 13, "unit quaternion"},
    {"\"position\"", "\"place\"", "sites[0].place", 13, "unknown key"},
    {"\"name\": \"imu\"", "\"name\": \"pose\"", "sensors[1].name", 19, "two sensors have the name \"pose\""},
    {"\"type\": \"pose\"", "\"type\": \"pse\"", "sensors[0].type", 18, "did you mean \"pose\"?"},
    {"\"type\": \"pose\", ", "", "sensors[0].type", 18, "required key \"type\" is missing"},
    {"\"site\": \"mark\"", "\"site\": \"marc\"", "sensors[0].site", 18, "unknown site \"marc\""},
    {"\"site\": \"mark\"", "\"site\": 1", "sensors[0].site", 18, "a name"},
    {"\"site\": \"mark\"", "\"joint\": \"hip\"", "sensors[0].joint", 18,
     "a sensor of type pose has no \"joint\"; it needs a \"site\" or a \"body\""},
    {", \"site\": \"mark\"", "", "sensors[0].type", 18, "a sensor of type pose needs a \"site\" or a \"body\""},
    {"\"site\": \"mark\"", "\"site\": \"mark\", \"body\": \"a\"", "sensors[0].body", 18, "not both"},
    {"\"site\": \"waist\"}", "\"site\": \"mark\"}", "sensors[2].site", 20, "'world', which is the child of no joint"},
    {"\"site\": \"waist\"}", "\"site\": \"tip\"}", "sensors[2].site", 20, "the child of several joints"},
    {"\"site\": \"waist\", \"joint\": \"knee\"", "\"site\": \"tip\", \"joint\": \"hip\"", "sensors[3].site", 21,
     "site 'tip' is on 'b', which is no body of joint 'hip'"},
    {"\"contact_force\", \"body\": \"b\"", "\"contact_force\", \"site\": \"tip\"", "sensors[4].site", 22,
     "it needs a \"body\""},
    {"\"joint_position\", \"joint\": \"knee\"", "\"joint_position\", \"joint\": \"rod\"", "sensors[5].joint", 23,
     "joint 'rod' is of type distance, which has no coordinate"},
};

Test(sensors, that_are_wrong_are_refused_with_their_place)
{
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		static char broken[2 * sizeof text];
		/* Names of bodies and joints occur before the sites; they are not meant. */
		const char *sites = strstr(text, "\"sites\""), *at = strstr(sites, bad[i].find);
		cr_assert_not_null(at, "%s", bad[i].find);
		snprintf(broken, sizeof broken, "%.*s%s%s", (int)(at - text), text, bad[i].replacement,
		         at + strlen(bad[i].find));
		AbutScene *scene = NULL;
		AbutModel *model = NULL;
		AbutError error = {0};
		AbutStatus status = abut_scene_parse(broken, strlen(broken), "t.json", 0, NULL, &scene, &error);
		if (status == ABUT_OK) {
			status = abut_model_create(abut_scene_def(scene), &model, &error);
			abut_scene_locate(scene, &error);
		}
		cr_expect_neq(status, ABUT_OK, "%s", bad[i].replacement);
		cr_expect_str_eq(error.where, bad[i].where, "%s: %s", error.where, error.message);
		cr_expect(strstr(error.message, bad[i].message), "%s: %s", error.where, error.message);
		cr_expect_eq(error.line, bad[i].line, "%s: line %d", error.where, error.line);
		abut_model_destroy(model);
		abut_scene_destroy(scene);
	}
}
