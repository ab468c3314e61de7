/* Tests what a run writes about sensors: sensors.csv, its place in resumed runs, the summary, and exports. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/call.h"

/* A ball hangs at rest on a hinge. */
static const char hanging[] =
    "{\"abut\": 1, \"name\": \"hanging\", \"duration\": 0.05, \"contacts\": [],\n"
    "  \"bodies\": [{\"name\": \"a\", \"mass\": 2, \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}, \"position\": "
    "[0, 0, "
    "-1]}],\n"
    "  \"joints\": [{\"name\": \"top\", \"type\": \"hinge\", \"parent\": \"world\", \"child\": \"a\", \"anchor\": [0, "
    "0, 0], "
    "\"axis\": [0, 1, 0]}],\n"
    "  \"sites\": [{\"name\": \"centre\", \"body\": \"a\"}],\n"
    "  \"sensors\": [{\"name\": \"imu, \\\"u\\\"\", \"type\": \"imu\", \"site\": \"centre\"},\n"
    "    {\"name\": \"load\", \"type\": \"force_torque\", \"site\": \"centre\"},\n"
    "    {\"name\": \"angle\", \"type\": \"joint_position\", \"joint\": \"top\"}]}\n";

/* Without joints: the table of sensors alone. */
static const char falling[] =
    "{\"abut\": 1, \"duration\": 0.5, \"timestep\": 0.01,\n"
    "  \"bodies\": [{\"name\": \"floor\", \"static\": true, \"shape\": {\"type\": \"halfspace\", \"normal\": [0, 0, "
    "1], "
    "\"offset\": 0}},\n"
    "    {\"name\": \"a\", \"mass\": 2, \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}, \"position\": [0, 0, 0.3], "
    "\"angular_velocity\": [3, 2, 1]}],\n"
    "  \"sensors\": [{\"name\": \"imu\", \"type\": \"imu\", \"body\": \"a\"},\n"
    "    {\"name\": \"touch\", \"type\": \"contact_force\", \"body\": \"a\"}]}\n";

Test(run_sensors, have_a_row_for_each_value_and_step)
{
	static Call result;
	static char text[1 << 16];
	static const char *const channels[13] = {"\"imu, \"\"u\"\"\",specific_force_x",
	                                         "\"imu, \"\"u\"\"\",specific_force_y",
	                                         "\"imu, \"\"u\"\"\",specific_force_z",
	                                         "\"imu, \"\"u\"\"\",angular_rate_x",
	                                         "\"imu, \"\"u\"\"\",angular_rate_y",
	                                         "\"imu, \"\"u\"\"\",angular_rate_z",
	                                         "load,force_x",
	                                         "load,force_y",
	                                         "load,force_z",
	                                         "load,torque_x",
	                                         "load,torque_y",
	                                         "load,torque_z",
	                                         "angle,0"};
	char path[160];
	set_up();
	write_file("hanging.json", hanging);
	call(&result, "run hanging.json --out out --no-view");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect(strstr(result.out, "joints.csv, sensors.csv, "), "%s", result.out);
	snprintf(path, sizeof path, "%s/out/sensors.csv", folder);
	read_file(path, text, sizeof text);
	cr_expect_str_eq(strtok(text, "\n"), "time,sensor,channel,value");
	for (int row = 0; row < 5 * 13; row++) {
		char expected[80];
		const char *line = strtok(NULL, "\n");
		cr_assert_not_null(line);
		const double time = strtod(line, NULL), value = strtod(strrchr(line, ',') + 1, NULL);
		snprintf(expected, sizeof expected, ",%s,", channels[row % 13]);
		cr_expect(strstr(line, expected), "%s", line);
		cr_expect_float_eq(time, 0.01 * (1 + row / 13), 1e-12, "%s", line);
		cr_expect_float_eq(value, row % 13 == 2 ? 9.81 : row % 13 == 8 ? 2.0 * 9.81 : 0.0, 1e-7, "%s", line);
	}
	cr_expect_null(strtok(NULL, "\n"));
	tear_down();
}

Test(run_sensors, are_summarised_and_listed_by_validate)
{
	static Call result;
	set_up();
	write_file("falling.json", falling);
	call(&result, "run falling.json --out out --no-view --json");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cJSON *summary = parse_json(result.out);
	cr_expect_eq(number(summary, "sensors"), 2.0);
	cJSON_Delete(summary);
	cr_expect(exists("out/sensors.csv") && !exists("out/joints.csv"));
	call(&result, "validate falling.json");
	cr_expect(strstr(result.out, "2 sensors, "), "%s", result.out);
	cr_expect(strstr(result.out, "\nsensor imu: imu of body a\n"), "%s", result.out);
	call(&result, "validate falling.json --json");
	cr_expect(strstr(result.out, "\"sensors\": [{\"sensor\": \"imu\", \"type\": \"imu\", \"body\": \"a\"}, "), "%s",
	          result.out);
	write_file("hanging.json", hanging);
	call(&result, "validate hanging.json");
	cr_expect(strstr(result.out, "\nsite centre: on a\n"), "%s", result.out);
	call(&result, "validate " SCENES "arm.json");
	cr_expect(strstr(result.out, "12 bodies, 8 joints, 8 motors, 1 site, 6 sensors, "), "%s", result.out);
	cr_expect(strstr(result.out, "\njoint turn: hinge from base to shoulder, position motor\n"), "%s", result.out);
	cr_expect(strstr(result.out, "\nsensor tool: pose at site tool\nsensor cube: pose of body cube\n"), "%s",
	          result.out);
	cr_expect(strstr(result.out, "\nsensor wrist load: force_torque of joint twist\n"), "%s", result.out);
	call(&result, "validate " SCENES "arm.json --json");
	cr_expect(strstr(result.out, "\"motors\": [{\"joint\": \"turn\", \"freedom\": 0, \"type\": \"position\"}, "),
	          "%s", result.out);
	call(&result, "validate hanging.json --json");
	cr_expect(strstr(result.out, "\"sites\": [{\"site\": \"centre\", \"body\": \"a\"}]"), "%s", result.out);
	/* A run without sensors in the same folder removes the table. */
	call(&result, "run " SCENES "sphere_on_plane.json --out out --no-view --json");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect(exists("out/trajectory.csv") && !exists("out/sensors.csv"));
	cr_expect_null(strstr(result.out, "\"sensors\""));
	tear_down();
}

Test(run_sensors, go_on_after_a_resume)
{
	static Call result;
	set_up();
	write_file("falling.json", falling);
	call(&result, "run falling.json --save-every 10 --out whole --no-view");
	cr_assert_eq(result.status, 0, "%s", result.err);
	call(&result, "run falling.json --set duration=0.27 --save-every 10 --out part --no-view");
	call_after(&result, "echo '0.2,imu,half' >> part/sensors.csv; rm part/snapshots/step_27.*;",
	           "run --resume part --until 0.5 --no-view");
	cr_assert_eq(result.status, 0, "%s", result.err);
	char command[256];
	snprintf(command, sizeof command,
	         "cd '%s' && cmp whole/sensors.csv part/sensors.csv && cmp whole/steps.csv part/steps.csv", folder);
	cr_expect_eq(system(command), 0);
	tear_down();
}

Test(run_sensors, are_exported_as_a_table)
{
	static Call result;
	static char text[1 << 16];
	char path[160];
	set_up();
	write_file("hanging.json", hanging);
	call(&result, "run hanging.json --out out --no-view");
	call(&result, "export out --format csv --table sensors");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect(strstr(result.out, "run_sensors.csv: 6 frames") && strstr(result.out, ", 3 sensors"), "%s",
	          result.out);
	snprintf(path, sizeof path, "%s/out/run_sensors.csv", folder);
	read_file(path, text, sizeof text);
	static const char begins[] = "frame,time,sensor,channel,value\n0,0,\"imu, \"\"u\"\"\",specific_force_x,0\n";
	cr_expect_eq(strncmp(text, begins, sizeof begins - 1), 0, "%.80s", text);
	int rows = 0;
	for (const char *at = text; (at = strchr(at, '\n')); at++) {
		rows++;
	}
	cr_expect_eq(rows, 1 + 6 * 13);

	/* A wrong table is refused with its line. */
	call_after(&result, "sed -i 's/load,force_x/load,force_w/' out/sensors.csv;", "export out --format csv");
	cr_expect_eq(result.status, 2);
	cr_expect(strstr(result.err, "sensors.csv:8") && strstr(result.err, "a channel of its sensor"), "%s",
	          result.err);
	call_after(&result, "sed -i 's/load,force_w/lode,force_x/' out/sensors.csv;", "export out --format csv");
	cr_expect(strstr(result.err, "a sensor of scene.json"), "%s", result.err);
	write_file("ball.json",
	           "{\"abut\": 1, \"duration\": 0.02, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"shape\": "
	           "{\"type\": \"sphere\", \"radius\": 1}}]}");
	call(&result, "run ball.json --out other --no-view");
	call(&result, "export other --format csv --table sensors");
	cr_expect(result.status == 2 && strstr(result.err, "the run has no sensors.csv"), "%s", result.err);
	tear_down();
}
