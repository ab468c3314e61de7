/* Tests what a run writes about joints: joints.csv, the keys of the summary, and that both exist only for scenes with
 * joints; and the report of `abut validate`. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/call.h"

/* A ball hangs at rest on a wire, with a second ball fixed to it, 1 kg each. */
static const char hanging[] =
    "{\"abut\": 1, \"name\": \"hanging\", \"duration\": 0.05, \"contacts\": [],\n"
    "  \"shapes\": {\"ball\": {\"type\": \"sphere\", \"radius\": 0.1}},\n"
    "  \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"shape\": \"ball\", \"position\": [0, 0, -1]},\n"
    "    {\"name\": \"b\", \"mass\": 1, \"shape\": \"ball\", \"position\": [0, 0, -2]}],\n"
    "  \"joints\": [{\"name\": \"top, \\\"u\\\"\", \"type\": \"universal\", \"parent\": \"world\", \"child\": \"a\",\n"
    "      \"anchor\": [0, 0, 0]},\n"
    "    {\"name\": \"weld\", \"type\": \"fixed\", \"parent\": \"a\", \"child\": \"b\", \"anchor\": [0, 0, -1.5]}]}\n";

static const char header[] =
    "time,joint,axis,position,velocity,constraint_force_x,constraint_force_y,constraint_force_z,"
    "constraint_torque_x,constraint_torque_y,constraint_torque_z,limit_effort,friction_effort,"
    "motor_effort";

Test(run_joints, have_a_row_for_each_freedom_and_step)
{
	static Call result;
	static char text[1 << 16];
	char path[160];
	set_up();
	write_file("hanging.json", hanging);
	call(&result, "run hanging.json --out out --no-view");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect(strstr(result.out, "joints.csv"), "%s", result.out);
	cr_expect(strstr(result.out, "  joint error     "), "%s", result.out);
	snprintf(path, sizeof path, "%s/out/joints.csv", folder);
	read_file(path, text, sizeof text);
	cr_expect_str_eq(strtok(text, "\n"), header);
	for (int step = 1; step <= 5; step++) {
		for (int axis = 0; axis < 2; axis++) {
			double t, q, v, force[3], torque[3], limit, friction, motor;
			int k;
			const char *line = strtok(NULL, "\n");
			cr_assert_not_null(line);
			cr_assert_eq(sscanf(line,
			                    "%lf,\"top, \"\"u\"\"\",%d,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &t,
			                    &k, &q, &v, &force[0], &force[1], &force[2], &torque[0], &torque[1],
			                    &torque[2], &limit, &friction, &motor),
			             13, "%s", line);
			cr_expect(fabs(t - 0.01 * step) < 1e-12 && k == axis, "%s", line);
			cr_expect(fabs(q) < 1e-9 && fabs(v) < 1e-9, "%s", line);
			cr_expect(fabs(force[2] - 2.0 * 9.81) < 1e-7 && fabs(force[0]) < 1e-7, "%s", line);
			cr_expect(limit == 0.0 && friction == 0.0 && motor == 0.0, "%s", line);
		}
		double t, force[3], torque[3];
		const char *line = strtok(NULL, "\n");
		cr_assert_not_null(line);
		cr_assert_eq(sscanf(line, "%lf,weld,0,,,%lf,%lf,%lf,%lf,%lf,%lf,,,", &t, &force[0], &force[1],
		                    &force[2], &torque[0], &torque[1], &torque[2]),
		             7, "%s", line);
		cr_expect(fabs(force[2] - 9.81) < 1e-7, "%s", line);
		cr_expect_str_eq(strrchr(line, ',') - 2, ",,,", "%s", line);
	}
	cr_expect_null(strtok(NULL, "\n"));
	tear_down();
}

Test(run_joints, are_summarised_only_if_there_are_any)
{
	static Call result;
	static const char *const keys[] = {"joints", "max_joint_violation", "max_joint_violation_m",
	                                   "max_joint_violation_rad", "max_limit_violation"};
	set_up();
	write_file("hanging.json", hanging);
	call(&result, "run hanging.json --out out --no-view --json");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cJSON *summary = parse_json(result.out);
	cr_expect_eq(number(summary, "joints"), 2.0);
	const double metres = number(summary, "max_joint_violation_m"),
	             radians = number(summary, "max_joint_violation_rad");
	cr_expect(metres <= 1e-10 && radians <= 1e-10);
	cr_expect_eq(number(summary, "max_joint_violation"), fmax(metres, radians));
	cr_expect_eq(number(summary, "max_limit_violation"), 0.0);
	cJSON_Delete(summary);

	/* Without joints, a run in the same folder has neither the keys nor the table. */
	call(&result, "run " SCENES "sphere_on_plane.json --out out --no-view --json");
	cr_assert_eq(result.status, 0, "%s", result.err);
	summary = parse_json(result.out);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		cr_expect_not(cJSON_HasObjectItem(summary, keys[i]), "%s", keys[i]);
	}
	cJSON_Delete(summary);
	cr_expect(exists("out/trajectory.csv") && !exists("out/joints.csv"));

	/* Only the table of an earlier run is removed, not a file of the user. */
	call_after(&result, "mkdir mine && echo q > mine/joints.csv;",
	           "run " SCENES "sphere_on_plane.json --out mine --no-view");
	cr_expect(exists("mine/joints.csv"));
	tear_down();
}

/* The table goes on where the snapshot was: rows after it are cut off, and a missing row is an error. */
Test(run_joints, go_on_after_a_resume)
{
	static Call result;
	set_up();
	call(&result, "run " SCENES "double_pendulum.json --set duration=0.5 --save-every 10 --out whole --no-view");
	cr_assert_eq(result.status, 0, "%s", result.err);
	call(&result, "run " SCENES "double_pendulum.json --set duration=0.2 --save-every 10 --out part --no-view");
	call_after(&result, "echo '0.2,elbow,0,half' >> part/joints.csv;", "run --resume part --until 0.5 --no-view");
	cr_assert_eq(result.status, 0, "%s", result.err);
	char command[256];
	snprintf(command, sizeof command,
	         "cd '%s' && cmp whole/joints.csv part/joints.csv && cmp whole/steps.csv part/steps.csv", folder);
	cr_expect_eq(system(command), 0);
	cr_expect(exists("whole/joints.csv"));

	call(&result, "run " SCENES "double_pendulum.json --set duration=0.2 --save-every 10 --out part --no-view");
	call_after(&result, "rm part/joints.csv;", "run --resume part --until 0.5 --no-view");
	cr_assert_eq(result.status, 0, "without the table, the run starts again: %s", result.err);
	cr_expect_eq(system(command), 0);
	tear_down();
}

Test(run_joints, have_a_table_that_is_no_log)
{
	static Call result;
	set_up();
	call(&result, "run " SCENES "pendulum.json --out out --log out/joints.csv");
	cr_expect_eq(result.status, 2);
	cr_expect(strstr(result.err, "the log has the name of another output, joints.csv"), "%s", result.err);
	tear_down();
}

Test(run_joints, are_overridden_and_listed_by_validate)
{
	static Call result;
	set_up();
	call(&result, "validate " SCENES "slider_crank.json");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect(strstr(result.out, "valid: 3 bodies, 4 joints, 1 motor, 0 contacts"), "%s", result.out);
	cr_expect(strstr(result.out, "joint guide: slide from world to slider\n"), "%s", result.out);
	call(&result, "validate " SCENES "slider_crank.json --json");
	cJSON *report = parse_json(result.out);
	const cJSON *joints = cJSON_GetObjectItemCaseSensitive(report, "joints");
	cr_expect_eq(cJSON_GetArraySize(joints), 4);
	const cJSON *last = cJSON_GetArrayItem(joints, 3);
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(last, "joint")), "guide");
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(last, "child")), "slider");
	cJSON_Delete(report);
	call(&result, "validate " SCENES "slider_crank.json --set joints.guide.friction=-1");
	cr_expect_eq(result.status, 2);
	cr_expect(strstr(result.err, "--set: joints[3].friction: must be a finite number of at least 0, is -1"), "%s",
	          result.err);
	static const char *const methods[] = {"bilevel", "lcp", "convex"};
	for (int i = 0; i < 3; i++) {
		char text[128];
		snprintf(text, sizeof text, "grad " SCENES "pendulum.json --method %s", methods[i]);
		call(&result, text);
		cr_expect_eq(result.status, i == 0 ? 2 : 0, "%s: %d", methods[i], result.status);
		cr_expect(i > 0 || strstr(result.err, "has no derivatives"), "%s", result.err);
	}
	tear_down();
}

/* Scenes with joints and contacts run with every method, and stay closed. */
Test(run_joints, run_with_other_methods)
{
	static const char *const scenes[] = {"table", "gripper"}, *const methods[] = {"bilevel", "point-ncp", "lcp",
	                                                                              "convex"};
	static Call result;
	set_up();
	for (int i = 0; i < 8; i++) {
		char text[256];
		snprintf(text, sizeof text,
		         "run " SCENES "%s.json --method %s --set duration=0.25 --out out%d --no-view --json",
		         scenes[i / 4], methods[i % 4], i);
		call(&result, text);
		cr_assert_eq(result.status, 0, "%s", result.err);
		cJSON *summary = cJSON_Parse(result.out);
		const cJSON *metres = cJSON_GetObjectItemCaseSensitive(summary, "max_joint_violation_m");
		cr_expect_leq(cJSON_GetNumberValue(metres), 1e-10, "%s, %s: %s", scenes[i / 4], methods[i % 4],
		              result.out);
		cJSON_Delete(summary);
	}
	call(&result,
	     "grad " SCENES "gripper.json --method point-ncp --step 20 --check --kappa-gradient 1e-4 --wrt state");
	cr_expect_eq(result.status, 0, "%s%s", result.out, result.err);
	tear_down();
}

/* A dumped step contains joints with their warm start: solved again, it ends the same. */
Test(run_joints, are_in_dumps)
{
	static const char *const scenes[] = {"slider_crank", "four_bar", "chain"};
	static Call result;
	set_up();
	for (int i = 0; i < 3; i++) {
		char text[512];
		snprintf(text, sizeof text,
		         "run " SCENES "%s.json --set duration=0.1 --set solver.finish=none --out out --no-view "
		         "--dump-failures %s --dump-relaxed --quiet",
		         scenes[i], scenes[i]);
		call(&result, text);
		cr_assert_eq(result.status, 0, "%s", result.err);
		snprintf(text, sizeof text, "mv %s/*_7.json %s.json;", scenes[i], scenes[i]);
		char solve[64];
		snprintf(solve, sizeof solve, "solve %s.json", scenes[i]);
		call_after(&result, text, solve);
		cr_assert_eq(result.status, 0, "%s", result.err);
		cr_expect(strstr(result.out, ": the same"), "%s: %s", scenes[i], result.out);
	}
	tear_down();
}

/* Bodies with a joint between them touch nobody but others, unless the joint has `collide`. */
Test(run_joints, leave_out_their_pair_in_collide)
{
	static Call result;
	char text[2048];
	set_up();
	for (int collide = 0; collide < 2; collide++) {
		snprintf(text, sizeof text,
		         "{\"abut\": 1, \"shapes\": {\"ball\": {\"type\": \"sphere\", \"radius\": 0.1}}, \"bodies\": ["
		         "{\"name\": \"a\", \"mass\": 1, \"shape\": \"ball\"}, "
		         "{\"name\": \"b\", \"mass\": 1, \"shape\": \"ball\", \"position\": [0.3, 0, 0]}, "
		         "{\"name\": \"c\", \"mass\": 1, \"shape\": \"ball\", \"position\": [0.6, 0, 0]}], "
		         "\"joints\": [{\"name\": \"j\", \"type\": \"ball\", \"parent\": \"a\", \"child\": \"b\", "
		         "\"anchor\": [0.15, 0, 0], \"collide\": %s}]}",
		         collide ? "true" : "false");
		write_file("three.json", text);
		call(&result, "collide three.json --json");
		cr_assert_eq(result.status, 0, "%s", result.err);
		cJSON *answer = parse_json(result.out);
		cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(answer, "pairs")), 2 + collide, "%s", result.out);
		cJSON_Delete(answer);
	}
	tear_down();
}

/* Reads the number in column `name` of the first row of a table. */
static double first_in(char *table, const char *name)
{
	char *const row = strchr(table, '\n') + 1, *fields[64], *values[64];
	int n = 0, m = 0;
	row[-1] = '\0';
	*strchr(row, '\n') = '\0';
	for (char *at = table; at && n < 64; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		fields[n++] = at;
	}
	for (char *at = row; at && m < 64; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		values[m++] = at;
	}
	cr_assert_eq(n, m);
	for (int i = 0; i < n; i++) {
		if (strncmp(fields[i], name, strlen(name)) == 0 && strchr(",", fields[i][strlen(name)])) {
			return strtod(values[i], NULL);
		}
	}
	cr_assert(false, "no column %s in %s", name, table);
	return 0.0;
}

/* A row of a sweep has the violations of the run's summary. */
Test(run_joints, have_their_violations_in_sweeps)
{
	static Call result;
	static char text[1 << 14], copy[1 << 14];
	static const char *const keys[] = {"max_joint_violation_m", "max_joint_violation_rad", "max_limit_violation"};
	char path[160];
	set_up();
	write_file("spec.json", "{\"abut_sweep\": 1, \"scenes\": [\"slider_crank.json\"], "
	                        "\"set\": {\"duration\": 0.1}}");
	call_after(&result, "cp " SCENES "slider_crank.json .;", "sweep spec.json --out table --quiet");
	cr_assert_eq(result.status, 0, "%s", result.err);
	call(&result, "run " SCENES "slider_crank.json --set duration=0.1 --out out --no-view --json");
	cJSON *summary = parse_json(result.out);
	snprintf(path, sizeof path, "%s/table/runs.csv", folder);
	read_file(path, text, sizeof text);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		memcpy(copy, text, sizeof text);
		cr_expect_eq(first_in(copy, keys[i]), number(summary, keys[i]), "%s", keys[i]);
	}
	cr_expect_gt(number(summary, keys[0]), 0.0);
	cJSON_Delete(summary);
	tear_down();
}
