/* Simulates a scene and prints the final heights of its bodies: the example of README.md. Usage: drop SCENE */
#include <stdio.h>

#include "abut/abut.h"

static int drop(const char *path, AbutError *error)
{
	int exit_status = 1;
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	if (abut_scene_load(path, 0, NULL, &scene, error) != ABUT_OK ||
	    abut_model_create(abut_scene_def(scene), &model, error) != ABUT_OK ||
	    abut_state_create(model, &state, error) != ABUT_OK ||
	    abut_workspace_create(model, &workspace, error) != ABUT_OK) {
		goto done;
	}
	AbutStepInfo info = {0};
	while (abut_state_time(state) < abut_scene_def(scene)->duration && info.outcome != ABUT_OUTCOME_FAILED) {
		abut_step(model, state, workspace, &info);
	}
	for (int i = 0; i < abut_model_body_count(model); i++) {
		AbutBodyState body;
		abut_state_get_body(model, state, i, &body);
		printf("%s at height %.6f m\n", abut_model_body_name(model, i), body.position[2]);
	}
	exit_status = info.outcome == ABUT_OUTCOME_FAILED;
	if (exit_status) {
		char reason[256];
		abut_step_explain(model, state, &info, reason, sizeof reason);
		fprintf(stderr, "a step was not solved: %s\n", reason);
	}
done:
	if (scene && error->status != ABUT_OK) {
		abut_scene_locate(scene, error); /* adds file, line and column to an error of the model */
	}
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
	return exit_status;
}

/* Prints FILE:LINE:COLUMN: PATH: MESSAGE without the empty parts. */
static void print_error(const AbutError *error)
{
	fprintf(stderr, "%s", error->file);
	if (error->line > 0) {
		fprintf(stderr, ":%d:%d", error->line, error->column);
	}
	fprintf(stderr, "%s%s%s%s\n", error->file[0] ? ": " : "", error->where, error->where[0] ? ": " : "",
	        error->message);
}

int main(int argc, char **argv)
{
	AbutError error = {0};
	if (argc != 2) {
		fprintf(stderr, "usage: drop SCENE\n");
		return 2;
	}
	const int exit_status = drop(argv[1], &error);
	if (error.status != ABUT_OK) {
		print_error(&error);
	}
	return exit_status;
}
