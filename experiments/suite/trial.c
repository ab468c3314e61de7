/* Runs a scene once, measures its creep and energy, and takes pictures. */
#include "experiments/suite/trial.h"

#include <math.h>
#include <stdlib.h>

#include "abut/io.h"
#include "base/error.h"
#include "base/vec3.h"
#include "experiments/setting/world.h"

typedef struct Watch {
	const AbutTrial *trial;
	const AbutSceneDef *def;
	AbutTried *out;
	AbutBodyState *then; /* (bodies) owned: states when the end of the run begins */
	long end_begins;     /* step at which the end of the run begins */
	int pictures;        /* number taken so far */
	double energy;       /* J, after the previous step */
} Watch;

/* Returns the outer radius of a body about the origin of its frame, m. */
static double outer_radius(const AbutBodyDef *body)
{
	double radius = 0.0;
	for (int i = 0; i < body->n_parts; i++) {
		radius = fmax(radius, abut_norm3(body->parts[i]->centre) + body->parts[i]->outer_radius);
	}
	return radius;
}

/* Returns a bound (m) on the distance that any point of the body moves from one state to the other. */
static double way(const AbutBodyDef *body, const AbutBodyState *from, const AbutBodyState *to)
{
	const double *p = from->orientation, *q = to->orientation;
	double shift[3], across = 0.0;
	abut_sub3(to->position, from->position, shift);
	/* |q - p| = 2 sin(turn / 4), at least sin(turn / 2), is accurate also for small turns. */
	const double sign = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0.0 ? -1.0 : 1.0;
	for (int k = 0; k < 4; k++) {
		across += (q[k] - sign * p[k]) * (q[k] - sign * p[k]);
	}
	return abut_norm3(shift) + 2.0 * sqrt(across) * outer_radius(body);
}

static void measure_creep(Watch *it, const AbutRunView *view)
{
	double most = 0.0;
	for (int b = 0; b < it->def->n_bodies; b++) {
		AbutBodyState now;
		abut_state_get_body(view->model, view->state, b, &now);
		if (view->step == it->end_begins) {
			it->then[b] = now;
		}
		if (!it->def->bodies[b].is_static) {
			most = fmax(most, way(&it->def->bodies[b], &it->then[b], &now));
		}
	}
	if (view->step == view->steps) {
		it->out->creep = most / ((double)(view->steps - it->end_begins) * it->def->timestep);
	}
}

static AbutStatus take_pictures(Watch *it, const AbutRunView *view, AbutError *error)
{
	const AbutTrial *trial = it->trial;
	AbutStatus status = ABUT_OK;
	const double time = abut_state_time(view->state);
	while (status == ABUT_OK && trial->pictures && it->pictures < trial->n_times &&
	       time >= trial->times[it->pictures] - 0.5 * it->def->timestep) {
		char label[32];
		snprintf(label, sizeof label, "t = %.3g s", time);
		const AbutFrame frame = {it->pictures, label, it->def, view->model, view->state, view->workspace};
		status = abut_frames_add(&frame, &trial->view, trial->pictures, error);
		it->pictures++;
	}
	return status;
}

static AbutStatus observe(void *context, const AbutRunView *view, AbutError *error)
{
	Watch *it = context;
	const double energy = abut_state_energy(view->model, view->state);
	if (view->step > 0) {
		it->out->gain = fmax(it->out->gain, energy - it->energy);
	}
	it->energy = energy;
	if (view->step >= it->end_begins) {
		measure_creep(it, view);
	}
	if (it->trial->watch) {
		it->trial->watch(it->trial->context, view);
	}
	return take_pictures(it, view, error);
}

static AbutStatus run_scene(const AbutTrial *trial, const AbutSceneDef *def, AbutTried *out, AbutError *error)
{
	AbutWorld world;
	ABUT_TRY(abut_world_open(&world, def, error));
	const long steps = abut_run_steps(def), settled = lround(trial->settled / def->timestep);
	Watch it = {.trial = trial,
	            .def = def,
	            .out = out,
	            .then = calloc((size_t)def->n_bodies, sizeof *it.then),
	            .end_begins = settled < steps ? steps - (settled > 0 ? settled : 1) : 0};
	const AbutRunObserver observer = {observe, &it, false};
	*out = (AbutTried){.creep = NAN,
	                   .gain = -INFINITY,
	                   .bodies = abut_model_body_count(world.model),
	                   .pairs = abut_model_pair_count(world.model)};
	AbutStatus status =
	    it.then ? abut_run(world.model, world.state, world.workspace, steps, &observer, 1, &out->summary, error)
	            : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a run");
	if (out->summary.ending[0]) {
		out->creep = NAN;
	}
	free(it.then);
	abut_world_close(&world);
	return status;
}

AbutStatus abut_trial_run(const AbutTrial *trial, AbutTried *out, AbutError *error)
{
	AbutScene *scene = NULL;
	AbutStatus status = abut_scene_load(trial->file, trial->n_overrides, trial->overrides, &scene, error);
	ABUT_THEN(status, run_scene(trial, abut_scene_def(scene), out, error));
	if (status != ABUT_OK && scene) {
		abut_scene_locate(scene, error);
	}
	abut_scene_destroy(scene);
	return status;
}
