/* Simulates a scene and differentiates the final x of its last body by its initial velocity, by a constant force on it,
 * and by the friction of the first two bodies that may touch. Usage: gradient SCENE */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "abut/abut.h"

/* The arrays of a backward pass, for `n` moving bodies; `at` is the index of the last one. */
typedef struct Derivative {
	int steps, n, at;
	double *by_states;            /* input: partial derivative of the cost by each state */
	double *by_start, *by_inputs; /* output: total derivatives */
} Derivative;

static int make_room(const AbutModel *model, int steps, Derivative *out)
{
	*out = (Derivative){.steps = steps, .at = -1};
	for (int i = 0; i < abut_model_body_count(model); i++) {
		out->n += !abut_model_body_is_static(model, i);
	}
	out->at = out->n - 1;
	const size_t n = (size_t)out->n, rows = ABUT_GRADIENT_ROWS * n, inputs = ABUT_ROLLOUT_INPUT * n;
	out->by_states = calloc((size_t)(steps + 1) * rows + 1, sizeof(double));
	out->by_start = calloc(rows + 1, sizeof(double));
	out->by_inputs = calloc((size_t)steps * inputs + 1, sizeof(double));
	return out->n > 0 && out->by_states && out->by_start && out->by_inputs;
}

static void free_room(Derivative *derivative)
{
	free(derivative->by_states);
	free(derivative->by_start);
	free(derivative->by_inputs);
}

static void print(const Derivative *derivative, double by_friction)
{
	const double *start = &derivative->by_start[ABUT_GRADIENT_ROWS * derivative->at];
	double force[3] = {0.0, 0.0, 0.0};
	for (int k = 0; k < derivative->steps; k++) {
		for (int i = 0; i < 3; i++) {
			force[i] +=
			    derivative->by_inputs[ABUT_ROLLOUT_INPUT * (k * derivative->n + derivative->at) + i];
		}
	}
	printf("by its initial velocity: %.6g %.6g %.6g m per m/s\n", start[ABUT_GRADIENT_LINEAR],
	       start[ABUT_GRADIENT_LINEAR + 1], start[ABUT_GRADIENT_LINEAR + 2]);
	printf("by a force in every step: %.6g %.6g %.6g m/N\n", force[0], force[1], force[2]);
	printf("by friction: %.6g m\n", by_friction);
}

static int differentiate(const AbutModel *model, int steps, AbutError *error)
{
	int done = 0;
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutRollout *rollout = NULL;
	Derivative derivative;
	AbutParameter friction;
	double by_friction = 0.0;
	const int has_friction = abut_parameter_list(model, ABUT_PARAMETER_FRICTION, 1, &friction) > 0;
	/* kappa 0: at the exact solution. Larger values, such as 1e-4, smooth contacts, and include near ones. */
	const AbutRolloutOptions options = {
	    .kappa = 0.0, .capacity = steps, .n_parameters = has_friction, .parameters = &friction};
	if (!make_room(model, steps, &derivative) || abut_state_create(model, &state, error) != ABUT_OK ||
	    abut_workspace_create(model, &workspace, error) != ABUT_OK ||
	    abut_rollout_create(model, &options, &rollout, error) != ABUT_OK) {
		goto done;
	}
	AbutStepInfo info = {0};
	while (abut_rollout_count(rollout) < steps && info.outcome != ABUT_OUTCOME_FAILED) {
		abut_rollout_step(rollout, state, workspace, &info);
	}
	if (info.outcome == ABUT_OUTCOME_FAILED) {
		fprintf(stderr, "step %d failed\n", abut_rollout_count(rollout));
		goto done;
	}
	const int last = ABUT_GRADIENT_ROWS * (steps * derivative.n + derivative.at);
	derivative.by_states[last + ABUT_GRADIENT_POSITION] = 1.0; /* the cost: the final x */
	if (abut_rollout_backward(rollout, workspace, derivative.by_states, derivative.by_start, derivative.by_inputs,
	                          has_friction ? &by_friction : NULL, error) == ABUT_OK) {
		print(&derivative, by_friction);
		done = 1;
	}
done:
	abut_rollout_destroy(rollout);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	free_room(&derivative);
	return done;
}

int main(int argc, char **argv)
{
	AbutError error = {0};
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	int done = 0;
	if (argc != 2) {
		fprintf(stderr, "usage: gradient SCENE\n");
		return 2;
	}
	if (abut_scene_load(argv[1], 0, NULL, &scene, &error) == ABUT_OK &&
	    abut_model_create(abut_scene_def(scene), &model, &error) == ABUT_OK) {
		const AbutSceneDef *def = abut_scene_def(scene);
		done = differentiate(model, (int)lround(def->duration / def->timestep), &error);
	}
	if (error.status != ABUT_OK) {
		fprintf(stderr, "%s%s%s\n", error.where, error.where[0] ? ": " : "", error.message);
	}
	abut_model_destroy(model);
	abut_scene_destroy(scene);
	return !done;
}
