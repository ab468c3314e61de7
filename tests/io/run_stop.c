/* Tests who may end a run: its plan, or the stop of its workspace. */
#include <criterion/criterion.h>
#include <string.h>

#include "abut/abut.h"
#include "io/run/run.h"

static bool always(void *context)
{
	++*(int *)context;
	return true;
}

/* A run without a stop of its own leaves that of the workspace. */
Test(run_stop, a_run_leaves_the_stop_of_its_workspace)
{
	static const char text[] = "{\"abut\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": "
	                           "\"sphere\", \"radius\": 0.5}}]}";
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutRunSummary summary = {0};
	int asked = 0;
	cr_assert_eq(abut_scene_parse(text, strlen(text), "scene", 0, NULL, &scene, NULL), ABUT_OK);
	cr_assert_eq(abut_model_create(abut_scene_def(scene), &model, NULL), ABUT_OK);
	cr_assert_eq(abut_state_create(model, &state, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &workspace, NULL), ABUT_OK);
	abut_workspace_set_stop(workspace, &(AbutStop){always, &asked});
	cr_expect_eq(abut_run(model, state, workspace, 3, NULL, 0, &summary, NULL), ABUT_OK);
	cr_expect(asked == 1 && summary.interrupted && summary.steps == 0, "%d", asked);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
}
