/* Tests that the tables of a live output contain whole rows at every moment: whatever ends the process, no row is
 * incomplete. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "abut/io.h"
#include "io/run/output.h"

static const char text[] =
    "{\"abut\": 1, \"bodies\": [{\"name\": \"floor\", \"static\": true, \"shape\": {\"type\": \"halfspace\", "
    "\"normal\": [0, 0, 1], \"offset\": 0}}, {\"name\": \"ball\", \"mass\": 1, \"position\": [0, 0, 0.5], "
    "\"angular_velocity\": [1, 2, 3], \"shape\": {\"type\": \"sphere\", \"radius\": 0.5}}],"
    "\"sensors\": [{\"name\": \"touch\", \"type\": \"contact_force\", \"body\": \"ball\"}]}";

typedef struct Look {
	const char *folder;
	int looks; /* at tables that stand in the folder */
} Look;

static AbutStatus look(void *context, const AbutRunView *view, AbutError *error)
{
	Look *own = context;
	(void)error;
	for (int i = 0; i < ABUT_OUTPUT_TABLES; i++) {
		char path[128];
		if (!abut_output_has_table(view->model, i)) {
			continue;
		}
		snprintf(path, sizeof path, "%s/%s", own->folder, abut_output_tables[i]);
		FILE *file = fopen(path, "rb");
		cr_assert_not_null(file, "%s", path);
		cr_assert_eq(fseek(file, -1, SEEK_END), 0, "%s is empty", path);
		cr_expect_eq(fgetc(file), '\n', "%s ends in a torn row, step %ld", path, view->step);
		fclose(file);
		own->looks++;
	}
	return ABUT_OK;
}

Test(output_live, tables_hold_whole_rows)
{
	char folder[] = "/tmp/abut-test-XXXXXX", command[64];
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutOutput *output = NULL;
	AbutRunSummary summary;
	AbutError error = {0};
	cr_assert_not_null(mkdtemp(folder));
	cr_assert_eq(abut_scene_parse(text, sizeof text - 1, "test.json", 0, NULL, &scene, &error), ABUT_OK, "%s: %s",
	             error.where, error.message);
	cr_assert_eq(abut_model_create(abut_scene_def(scene), &model, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_state_create(model, &state, &error), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &workspace, &error), ABUT_OK);
	cr_assert_eq(abut_output_open(folder, NULL, &output, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_output_go_live(output, abut_scene_def(scene), &error), ABUT_OK, "%s", error.message);
	Look own = {folder, 0};
	const AbutRunObserver observers[] = {{abut_output_observe, output, false}, {look, &own, false}};
	cr_assert_eq(abut_run(model, state, workspace, 200, observers, 2, &summary, &error), ABUT_OK, "%s",
	             error.message);
	cr_expect_eq(own.looks, 201 * 4); /* without joints */
	abut_output_destroy(output);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
	snprintf(command, sizeof command, "rm -r '%s'", folder);
	cr_expect_eq(system(command), 0);
}
