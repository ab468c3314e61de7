/* Tests that the output of a run can be read back: columns, first rows, summary keys. If something cannot be written,
 * nothing is left behind. */
#include <cjson/cJSON.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/output_fixture.h"

Test(output, files_read_back)
{
	Fixture fixture;
	AbutOutput *output = NULL;
	AbutError error = {0};
	set_up(&fixture);
	cr_assert_eq(abut_output_open(fixture.folder, NULL, &output, &error), ABUT_OK, "%s", error.message);
	run(&fixture, output);
	cr_assert_eq(commit(&fixture, output, &error), ABUT_OK, "%s", error.message);
	abut_output_destroy(output);
	cr_expect_eq(count_entries(fixture.folder), 5);

	static char text[1 << 16];
	read_file(&fixture, "trajectory.csv", text, sizeof text);
	char *line = strtok(text, "\n");
	cr_expect_str_eq(line, "time,body,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
	cr_expect_str_eq(strtok(NULL, "\n"), "0,floor,0,0,0,1,0,0,0,0,0,0,0,0,0");
	cr_expect_str_eq(strtok(NULL, "\n"),
	                 "0,\"a, \"\"b\"\"\",0.10000000000000001,0.20000000000000001,0.5,1,0,0,0,1,0,0,0,0,0");
	int rows = 2;
	AbutBodyState body;
	cr_assert_eq(abut_state_get_body(fixture.model, fixture.state, 1, &body), ABUT_OK);
	for (; (line = strtok(NULL, "\n")); rows++) {
		if (rows == 7) { /* the last row has the last state, to the bit */
			double t, px, py, pz;
			cr_assert_eq(sscanf(line, "%lf,\"a, \"\"b\"\"\",%lf,%lf,%lf", &t, &px, &py, &pz), 4, "%s",
			             line);
			cr_expect(t == abut_state_time(fixture.state) && px == body.position[0] &&
			          py == body.position[1] && pz == body.position[2]);
		}
	}
	cr_expect_eq(rows, 8);

	read_file(&fixture, "contacts.csv", text, sizeof text);
	cr_expect_str_eq(strtok(text, "\n"),
	                 "time,body_a,body_b,part_a,part_b,scaling,gap,px,py,pz,nx,ny,nz,normal_impulse,"
	                 "friction_impulse_x,friction_impulse_y,friction_impulse_z");
	line = strtok(NULL, "\n");
	cr_assert_not_null(line, "no contact of a box on the floor");
	double values[12] = {0};
	int n = 0;
	for (char *at = strstr(line, ",0,0,") + 4; *at && n < 12; n++) {
		values[n] = strtod(at + 1, &at);
	}
	cr_expect_eq(n, 12);
	cr_expect(isfinite(values[0]) && isfinite(values[11]));

	read_file(&fixture, "summary.json", text, sizeof text);
	cJSON *summary = cJSON_ParseWithOpts(text, NULL, 1);
	cr_assert_not_null(summary, "%s", text);
	static const char *const numbers[] = {"seed",
	                                      "steps",
	                                      "steps_asked",
	                                      "failed_steps",
	                                      "exact_steps",
	                                      "relaxed_steps",
	                                      "first_relaxed_step",
	                                      "retried_steps",
	                                      "halved_steps",
	                                      "raised_kappa_steps",
	                                      "iterations_mean",
	                                      "iterations_max",
	                                      "max_penetration",
	                                      "max_residual",
	                                      "max_complementarity",
	                                      "energy_drift",
	                                      "step_time_us_median",
	                                      "step_time_us_mean",
	                                      "wall_time_s",
	                                      "kappa",
	                                      "timestep"};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		cr_expect(cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(summary, numbers[i])), "%s", numbers[i]);
	}
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(summary, "name")), "a \"name\"");
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(summary, "method")), "single-level");
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(summary, "version")), abut_version());
	cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(summary, "seed")), 42.0);
	cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(summary, "steps")), 3.0);
	const cJSON *final_state = cJSON_GetObjectItemCaseSensitive(summary, "final_state");
	cr_assert_eq(cJSON_GetArraySize(final_state), 2);
	const cJSON *last = cJSON_GetArrayItem(final_state, 1);
	cr_expect_eq(cJSON_GetArraySize(last), 15);
	cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(last, "px")), body.position[0]);
	cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(last, "vz")), body.linear_velocity[2]);
	cJSON_Delete(summary);
	tear_down(&fixture);
}

/* Splits a CSV line without quotes into its fields, and returns their number. */
static int split(char *line, char *fields[32])
{
	int n = 0;
	for (char *at = line; at && n < 32; n++) {
		fields[n] = at;
		at = strchr(at, ',');
		if (at) {
			*at++ = '\0';
		}
	}
	return n;
}

Test(output, steps_and_iterations_read_back)
{
	Fixture fixture;
	AbutOutput *output = NULL;
	AbutError error = {0};
	char log[128];
	set_up(&fixture);
	snprintf(log, sizeof log, "%s/log.csv", fixture.root);
	cr_assert_eq(abut_output_open(fixture.folder, log, &output, &error), ABUT_OK, "%s", error.message);
	run(&fixture, output);
	cr_assert_eq(commit(&fixture, output, &error), ABUT_OK, "%s", error.message);
	abut_output_destroy(output);
	cr_expect_eq(count_entries(fixture.root), 2);

	static char text[1 << 16];
	char *fields[32], *rest = NULL;
	int iterations[4] = {0}, total = 0;
	read_file(&fixture, "steps.csv", text, sizeof text);
	cr_expect_str_eq(strtok_r(text, "\n", &rest),
	                 "step,time,outcome,exact,retried,halvings,tries,iterations,finish_iterations,kappa,residual,"
	                 "complementarity,max_penetration,active_contacts,energy,momentum_x,momentum_y,momentum_z");
	for (int step = 1; step <= 3; step++) {
		cr_assert_eq(split(strtok_r(NULL, "\n", &rest), fields), 18);
		cr_expect_eq(atoi(fields[0]), step);
		cr_expect_float_eq(strtod(fields[1], NULL), 0.01 * step, 1e-15);
		cr_expect_str_eq(fields[2], "exact");
		cr_expect_str_eq(fields[3], "1");
		iterations[step] = atoi(fields[7]);
		total += iterations[step];
		cr_expect_lt(strtod(fields[10], NULL), 1e-10);
		cr_expect_str_eq(fields[13], "1");
		/* 1 kg: it slides at the height at which it started */
		const double speed = strtod(fields[15], NULL);
		cr_expect(speed > 0.0 && speed < 1.0);
		cr_expect_float_eq(strtod(fields[14], NULL), 0.5 * speed * speed + 9.81 * 0.5, 1e-6);
		cr_expect(fabs(strtod(fields[16], NULL)) < 1e-8 && fabs(strtod(fields[17], NULL)) < 1e-6);
	}
	cr_expect_null(strtok_r(NULL, "\n", &rest));

	FILE *file = fopen(log, "rb");
	cr_assert_not_null(file);
	cr_assert_not_null(fgets(text, sizeof text, file));
	cr_expect_str_eq(text, "step,iteration,phase,kappa,residual,complementarity,step_length\n");
	int seen[4] = {0}, lines = 0;
	for (; fgets(text, sizeof text, file); lines++) {
		cr_assert_eq(split(text, fields), 7);
		const int step = atoi(fields[0]), phase = atoi(fields[2]);
		cr_assert(step >= 1 && step <= 3);
		cr_expect_eq(atoi(fields[1]), ++seen[step]);
		cr_expect(phase == 0 || phase == 1);
		cr_expect(isfinite(strtod(fields[4], NULL)) && strtod(fields[6], NULL) > 0.0);
	}
	fclose(file);
	cr_expect(lines > 0 && total > 0);
	tear_down(&fixture);
}

Test(output, what_cannot_be_replaced_is_refused_before_anything_changes)
{
	Fixture fixture;
	AbutOutput *output = NULL;
	AbutError error = {0};
	char path[160], log[192];
	set_up(&fixture);
	snprintf(path, sizeof path, "%s/contacts.csv", fixture.root);
	cr_assert_eq(mkdir(path, 0777), 0);
	cr_expect_eq(abut_output_open(fixture.root, NULL, &output, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.file, path);
	cr_expect(strstr(error.message, "Is a directory"), "%s", error.message);
	/* Invalid paths of the log: a folder, a folder with a slash, the name of another output. */
	cr_expect_eq(abut_output_open(NULL, path, &output, &error), ABUT_ERROR_ARGUMENT);
	snprintf(log, sizeof log, "%s/new/", fixture.root);
	cr_expect_eq(abut_output_open(NULL, log, &output, &error), ABUT_ERROR_ARGUMENT);
	snprintf(log, sizeof log, "%s/missing/log.csv", fixture.root);
	cr_expect_eq(abut_output_open(NULL, log, &output, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.file, log);
	snprintf(log, sizeof log, "%s/steps.csv", fixture.folder);
	cr_expect_eq(abut_output_open(fixture.folder, log, &output, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "steps.csv"), "%s", error.message);
	cr_expect_null(output);
	cr_expect_eq(count_entries(fixture.root), 1);

	/* A folder appears in the meantime. Nothing is renamed. */
	cr_assert_eq(abut_output_open(fixture.folder, NULL, &output, &error), ABUT_OK);
	run(&fixture, output);
	snprintf(path, sizeof path, "%s/summary.json", fixture.folder);
	cr_assert_eq(mkdir(path, 0777), 0);
	cr_expect_eq(commit(&fixture, output, &error), ABUT_ERROR_ARGUMENT);
	abut_output_destroy(output);
	cr_expect_eq(count_entries(fixture.folder), 1);
	tear_down(&fixture);
}

Test(output, a_log_into_a_device_is_written_in_place)
{
	Fixture fixture;
	AbutOutput *output = NULL;
	AbutError error = {0};
	struct stat info;
	set_up(&fixture);
	char link[128], target[128];
	snprintf(link, sizeof link, "%s/link", fixture.root);
	snprintf(target, sizeof target, "%s/target", fixture.root);
	cr_assert_eq(symlink(target, link), 0);
	const char *const logs[] = {"/dev/null", link};
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(abut_output_open(NULL, logs[i], &output, &error), ABUT_OK, "%s", error.message);
		run(&fixture, output);
		cr_expect_eq(commit(&fixture, output, &error), ABUT_OK);
		abut_output_destroy(output);
	}
	cr_expect(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
	cr_expect(lstat(link, &info) == 0 && S_ISLNK(info.st_mode));
	cr_expect(stat(target, &info) == 0 && info.st_size > 0);
	tear_down(&fixture);
}

Test(output, nothing_is_left_of_what_was_not_committed)
{
	Fixture fixture;
	AbutOutput *output = NULL;
	AbutError error = {0};
	set_up(&fixture);
	cr_assert_eq(abut_output_open(fixture.folder, NULL, &output, &error), ABUT_OK);
	cr_expect_eq(count_entries(fixture.folder), 5);
	run(&fixture, output);
	abut_output_destroy(output);
	cr_expect_eq(count_entries(fixture.root), 0);
	abut_output_destroy(NULL);
	tear_down(&fixture);
}

Test(output, folders_that_cannot_be_made)
{
	Fixture fixture;
	AbutOutput *output = NULL;
	AbutError error = {0};
	set_up(&fixture);
	char file[96], below[128];
	snprintf(file, sizeof file, "%s/file", fixture.root);
	fclose(fopen(file, "w"));
	snprintf(below, sizeof below, "%s/deeper", file);
	const char *const folders[] = {file, below, "/proc/nowhere/at/all"};
	for (int i = 0; i < 3; i++) {
		cr_expect_eq(abut_output_open(folders[i], NULL, &output, &error), ABUT_ERROR_ARGUMENT, "%s",
		             folders[i]);
		cr_expect_null(output);
		cr_expect(error.message[0] && error.file[0]);
	}
	cr_expect_eq(abut_output_open("", NULL, &output, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(count_entries(fixture.root), 1);
	tear_down(&fixture);
}

Test(output, folders_that_are_there_are_kept)
{
	Fixture fixture;
	AbutOutput *output = NULL;
	AbutError error = {0};
	set_up(&fixture);
	cr_assert_eq(abut_output_open(fixture.root, NULL, &output, &error), ABUT_OK);
	abut_output_destroy(output);
	cr_expect_eq(count_entries(fixture.root), 0);
	tear_down(&fixture);
}

Test(output, steps_of_a_scene)
{
	AbutSceneDef def = abut_scene_def_default();
	def.timestep = 0.1;
	static const double durations[] = {0.3, 0.34, 0.36, 1e-9};
	static const long steps[] = {3, 3, 4, 1};
	for (int i = 0; i < 4; i++) {
		def.duration = durations[i];
		cr_expect_eq(abut_run_steps(&def), steps[i], "%g", durations[i]);
	}
}

/* This solve diverges, so that its residual is infinite; files hold numbers. */
Test(output, the_residual_of_a_diverged_solve_is_a_number)
{
	static const char text[] =
	    "{\"abut\": 1, \"timestep\": 0.001, \"bodies\": [{\"name\": \"floor\", \"static\": true, \"shape\": "
	    "{\"type\": \"halfspace\", \"normal\": [0, 0, 1], \"offset\": 0}}, {\"name\": \"a\", \"mass\": 1, "
	    "\"shape\": {\"type\": \"superellipsoid\", \"radii\": [1, 0.7, 1], \"exponent\": 20}, \"position\": "
	    "[0, 0, 0.61], \"orientation\": [0.79258008, 0.42137169, 0.43140435, 0.09029393]}], \"solver\": "
	    "{\"method\": \"bilevel\"}}";
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutError error = {0};
	AbutRunSummary summary;
	cr_assert_eq(abut_scene_parse(text, sizeof text - 1, "x", 0, NULL, &scene, &error), ABUT_OK, "%s",
	             error.message);
	cr_assert(abut_model_create(abut_scene_def(scene), &model, NULL) == ABUT_OK &&
	          abut_state_create(model, &state, NULL) == ABUT_OK &&
	          abut_workspace_create(model, &workspace, NULL) == ABUT_OK);
	cr_assert_eq(abut_run(model, state, workspace, 20, NULL, 0, &summary, &error), ABUT_OK);
	cr_expect_eq(summary.failed_steps, 1);
	cr_expect(isfinite(summary.max_residual) && summary.max_residual > 1e300, "%g", summary.max_residual);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
}
