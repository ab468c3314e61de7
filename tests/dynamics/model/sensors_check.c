/* Tests that definitions of sites and sensors which no scene file can have are refused with path and message. */
#include <criterion/criterion.h>
#include <string.h>

#include "abut/abut.h"

typedef struct Fixture {
	AbutShape *ball;
	AbutBodyDef body;
	AbutSiteDef sites[2];
	AbutSensorDef sensors[2];
	AbutSceneDef def;
} Fixture;

static void begin(Fixture *fixture)
{
	memset(fixture, 0, sizeof *fixture);
	cr_assert_eq(abut_shape_create_sphere(0.1, &fixture->ball, NULL), ABUT_OK);
	fixture->body = abut_body_def_default();
	fixture->body.name = "a";
	fixture->body.n_parts = 1;
	fixture->body.parts = (const AbutShape *const *)&fixture->ball;
	fixture->body.mass = 1.0;
	for (int i = 0; i < 2; i++) {
		fixture->sites[i] = abut_site_def_default();
		fixture->sites[i].name = i == 0 ? "s" : "t";
		fixture->sensors[i] = abut_sensor_def_default();
		fixture->sensors[i].name = i == 0 ? "p" : "q";
		fixture->sensors[i].site = i;
	}
	fixture->def = abut_scene_def_default();
	fixture->def.n_bodies = 1;
	fixture->def.bodies = &fixture->body;
	fixture->def.n_sites = fixture->def.n_sensors = 2;
	fixture->def.sites = fixture->sites;
	fixture->def.sensors = fixture->sensors;
}

static void expect_refused(Fixture *fixture, const char *where, const char *message)
{
	AbutModel *model = NULL;
	AbutError error = {0};
	cr_expect_eq(abut_model_create(&fixture->def, &model, &error), ABUT_ERROR_ARGUMENT, "%s", where);
	cr_expect_str_eq(error.where, where, "%s: %s", error.where, error.message);
	cr_expect(strstr(error.message, message), "%s: %s", error.where, error.message);
	abut_model_destroy(model);
	abut_shape_destroy(fixture->ball);
	begin(fixture);
}

Test(sensors_check, names_and_indices_are_checked)
{
	Fixture f;
	begin(&f);
	f.sites[1].name = NULL;
	expect_refused(&f, "sites[1].name", "the name is empty");
	f.sites[1].name = "s";
	expect_refused(&f, "sites[1].name", "the name 's' is taken by sites[0]");
	f.sites[1].body = 1;
	expect_refused(&f, "sites[1].body", "site 't': body is 1; it must be the index of a body, 0 to 0, or -1");
	f.sites[0].frame.orientation[0] = 2.0;
	expect_refused(&f, "sites[0].orientation", "has length 2");
	f.sensors[0].name = "";
	expect_refused(&f, "sensors[0].name", "the name is empty");
	f.sensors[1].name = "p";
	expect_refused(&f, "sensors[1].name", "the name 'p' is taken by sensors[0]");
	f.sensors[1].type = (AbutSensorType)8;
	expect_refused(&f, "sensors[1].type", "sensor 'q': type is 8; it must be one of AbutSensorType, 0 to 7");
	f.sensors[1].site = 2;
	expect_refused(&f, "sensors[1].site", "site is 2; it must be an index, 0 to 1, or -1 for none");
	f.sensors[1].site = -2;
	expect_refused(&f, "sensors[1].site", "site is -2");
	f.def.sites = NULL;
	expect_refused(&f, "sites", "the scene has 2 sites (NULL)");
	f.def.n_sensors = ABUT_SENSORS_MAX + 1;
	expect_refused(&f, "sensors", "it may have 0 to 20000");
	abut_shape_destroy(f.ball);
}

Test(sensors_check, types_have_names)
{
	cr_expect_str_eq(abut_sensor_type_name(ABUT_SENSOR_FORCE_TORQUE), "force_torque");
	cr_expect_str_eq(abut_sensor_type_name(ABUT_SENSOR_TYPE_COUNT), "unknown");
}
