/* The same steps as step_overhead.py, from C: `step_overhead SCENE STEPS WARM_UP` prints microseconds a step, one call
 * of abut_step each; with WORLDS and THREADS after that, a batch's, one call of abut_batch_step for all. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "abut/abut.h"

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const AbutError *error)
{
	fprintf(stderr, "step_overhead: %s: %s\n", error->where, error->message);
	exit(1);
}

static double time_steps(const AbutModel *model, long steps, long warm_up)
{
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutError error;
	if (abut_state_create(model, &state, &error) != ABUT_OK ||
	    abut_workspace_create(model, &workspace, &error) != ABUT_OK) {
		fail(&error);
	}
	AbutStepInfo info = {.tries = 0};
	for (long i = 0; i < warm_up; i++) {
		abut_step(model, state, workspace, &info);
	}
	const double start = now();
	for (long i = 0; i < steps; i++) {
		abut_step(model, state, workspace, &info);
	}
	const double time = now() - start;
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	return 1e6 * time / (double)steps;
}

static double time_batch(const AbutModel *model, int steps, int warm_up, int worlds, int threads)
{
	AbutBatch *batch = NULL;
	AbutError error;
	if (abut_batch_create(model, worlds, threads, &batch, &error) != ABUT_OK) {
		fail(&error);
	}
	abut_batch_step(batch, warm_up);
	const double start = now();
	abut_batch_step(batch, steps);
	const double time = now() - start;
	abut_batch_destroy(batch);
	return 1e6 * time / ((double)steps * worlds);
}

int main(int argc, char **argv)
{
	if (argc != 4 && argc != 6) {
		fprintf(stderr, "usage: step_overhead SCENE STEPS WARM_UP [WORLDS THREADS]\n");
		return 2;
	}
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	AbutError error;
	if (abut_scene_load(argv[1], 0, NULL, &scene, &error) != ABUT_OK ||
	    abut_model_create(abut_scene_def(scene), &model, &error) != ABUT_OK) {
		fail(&error);
	}
	const int steps = atoi(argv[2]), warm_up = atoi(argv[3]);
	const double us = argc == 4 ? time_steps(model, steps, warm_up)
	                            : time_batch(model, steps, warm_up, atoi(argv[4]), atoi(argv[5]));
	printf("%.6f\n", us);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
	return 0;
}
