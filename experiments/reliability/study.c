/* Runs the scenes of a study and sums up the results of their steps. */
#include "experiments/reliability/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/vec3.h"
#include "io/dump/write.h"
#include "io/scene/write.h"
#include "io/text/memory_stream.h"

void scene_begin(Scene *scene, Keep *keep)
{
	scene->keep = keep;
	scene->def = abut_scene_def_default();
	scene->def.bodies = scene->bodies;
	scene->overfull = false;
	scene->size = 1.0;
	scene->watch = (Watch){NULL, NULL, NULL};
	scene->label = NULL;
}

AbutBodyDef *scene_add(Scene *scene, const AbutShape *shape, double mass, const double position[3])
{
	if (scene->def.n_bodies == MOST_BODIES) {
		scene->overfull = true;
		scene->def.n_bodies--;
	}
	const int i = scene->def.n_bodies++;
	AbutBodyDef *body = &scene->bodies[i];
	*body = abut_body_def_default();
	snprintf(scene->names[i], sizeof scene->names[i], "body %d", i);
	scene->parts[i] = shape;
	body->name = scene->names[i];
	body->n_parts = 1;
	body->parts = &scene->parts[i];
	body->is_static = mass == 0.0;
	body->mass = mass;
	abut_copy3(position, body->position);
	return body;
}

/* Returns whether the step was not solved with the requested timestep, contact law and kappa. */
static bool failed(const AbutStepInfo *info)
{
	return info->outcome != ABUT_OUTCOME_EXACT && info->outcome != ABUT_OUTCOME_RELAXED;
}

static void add_step(const AbutStepInfo *info, double size, Tally *tally)
{
	tally->steps++;
	tally->failed += failed(info);
	tally->raised += info->outcome == ABUT_OUTCOME_RAISED_KAPPA;
	tally->halved += info->halvings > 0;
	tally->retried += info->retried && info->halvings == 0;
	tally->exact += info->exact;
	tally->parts += info->parts > 0 ? info->parts : 1;
	tally->iterations += info->iterations;
	tally->iterations_max = info->iterations > tally->iterations_max ? info->iterations : tally->iterations_max;
	tally->penetration = fmax(tally->penetration, info->max_penetration);
	if (info->exact) {
		tally->exact_penetration = fmax(tally->exact_penetration, info->max_penetration);
		tally->exact_relative = fmax(tally->exact_relative, info->max_penetration / size);
	}
	tally->relative = fmax(tally->relative, info->max_penetration / size);
	tally->row_steps[info->row]++;
	tally->row_iterations[info->row] += info->iterations;
}

/* Updates the largest total momentum of the moving bodies, and the largest horizontal distance of a body from its
 * start. */
static void add_motion(const AbutModel *model, const AbutState *state, const Scene *scene, Tally *tally)
{
	double momentum[3] = {0.0, 0.0, 0.0};
	for (int i = 0; i < scene->def.n_bodies; i++) {
		AbutBodyState s;
		if (scene->def.bodies[i].is_static || abut_state_get_body(model, state, i, &s) != ABUT_OK) {
			continue;
		}
		abut_add_scaled3(momentum, abut_model_body_mass(model, i), s.linear_velocity, momentum);
		const double *start = scene->def.bodies[i].position;
		tally->drift = fmax(tally->drift, hypot(s.position[0] - start[0], s.position[1] - start[1]));
	}
	tally->momentum = fmax(tally->momentum, abut_norm3(momentum));
}

/* The objects of a run; any of them may be NULL. */
typedef struct Run {
	AbutScene *read; /* the scene read back from its file, if failed steps are saved */
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
	AbutDumps *dumps;
} Run;

static void close_run(Run *run)
{
	abut_dumps_destroy(run->dumps);
	abut_workspace_destroy(run->workspace);
	abut_state_destroy(run->state);
	abut_model_destroy(run->model);
	abut_scene_destroy(run->read);
}

/* Writes the scene under a name of its own, and reads it back. */
static AbutStatus read_back(const Scene *scene, double duration, unsigned long seed, AbutScene **out, AbutError *error)
{
	char name[96];
	AbutBytes text = {0};
	AbutSceneDef def = scene->def;
	snprintf(name, sizeof name, "%s run %ld seed %lu", scene->keep->study, scene->keep->runs, seed);
	def.name = name;
	def.duration = duration;
	FILE *file = abut_memory_stream(&text);
	AbutStatus status = file ? abut_scene_write(file, &def, error) : ABUT_ERROR_MEMORY;
	if (!abut_memory_stream_close(file, &text) && status == ABUT_OK) {
		status = ABUT_ERROR_MEMORY;
	}
	ABUT_THEN(status, abut_scene_parse((const char *)text.data, text.size, name, 0, NULL, out, error));
	abut_bytes_free(&text);
	return status;
}

static AbutStatus open_run(const Scene *scene, double duration, unsigned long seed, Run *run, AbutError *error)
{
	const AbutSceneDef *def = &scene->def;
	Keep *keep = scene->keep;
	AbutStatus status = ABUT_OK;
	if (keep && keep->folder) {
		keep->runs++;
		status = read_back(scene, duration, seed, &run->read, error);
		def = status == ABUT_OK ? abut_scene_def(run->read) : NULL;
	}
	ABUT_THEN(status, abut_model_create(def, &run->model, error));
	ABUT_THEN(status, abut_state_create(run->model, &run->state, error));
	ABUT_THEN(status, abut_workspace_create(run->model, &run->workspace, error));
	if (status == ABUT_OK && keep && keep->folder && keep->written < ABUT_DUMPS_MAX) {
		const AbutDumpsOptions options = {keep->folder, false, seed};
		status = abut_dumps_open(&options, run->read, run->model, &run->dumps, error);
	}
	return status;
}

/* Passes the run to its dumps, if any. */
static AbutStatus observe(const Run *run, const AbutStepInfo *info, long step, long steps, AbutError *error)
{
	const AbutRunView view = {run->model, run->state, run->workspace, info, step, steps, NULL};
	return run->dumps ? abut_dumps_observe(run->dumps, &view, error) : ABUT_OK;
}

static bool finite_body(const AbutBodyState *s)
{
	return abut_all_finite(s->position, 3) && abut_all_finite(s->orientation, 4) &&
	       abut_all_finite(s->linear_velocity, 3) && abut_all_finite(s->angular_velocity, 3);
}

static bool finite_contact(const AbutContact *c)
{
	return abut_all_finite(c->point, 3) && abut_all_finite(c->normal, 3) &&
	       abut_all_finite(c->friction_impulse, 3) && isfinite(c->scaling) && isfinite(c->gap) &&
	       isfinite(c->normal_impulse) && isfinite(c->torsional_impulse);
}

/* Counts the step if a contact pushes, which it returns, and if a result of the step is not finite. */
static bool add_results(const AbutModel *model, const AbutState *state, const AbutWorkspace *workspace,
                        const AbutStepInfo *info, Tally *tally)
{
	bool touching = false, finite = isfinite(info->max_penetration);
	for (int i = 0; i < abut_model_body_count(model); i++) {
		AbutBodyState s;
		finite = finite && abut_state_get_body(model, state, i, &s) == ABUT_OK && finite_body(&s);
	}
	AbutContact contact;
	for (int i = 0; abut_contact_get(model, workspace, i, &contact) == ABUT_OK; i++) {
		touching = touching || contact.normal_impulse > 0.0;
		finite = finite && finite_contact(&contact);
	}
	tally->touching += touching;
	tally->not_finite += !finite;
	return touching;
}

static void report_step(const Scene *scene, const AbutStepInfo *info, unsigned long seed, long step)
{
	if (scene->label) {
		if (failed(info)) {
			fprintf(stderr, "  seed %lu, step %ld: %s after %d tries, %d halvings (%s)\n", seed, step,
			        abut_outcome_name(info->outcome), info->tries, info->halvings, scene->label);
		}
	} else if (failed(info) || info->retried) {
		fprintf(stderr, "  seed %lu, dt %g, step %ld: %s after %d tries, %d halvings\n", seed,
		        scene->def.timestep, step, abut_outcome_name(info->outcome), info->tries, info->halvings);
	}
}

/* Takes the steps of a run. */
static AbutStatus take_steps(const Scene *scene, Run *run, long steps, unsigned long seed, Tally *tally,
                             AbutError *error)
{
	AbutStepInfo info = {.tries = 0};
	const Watch *watch = &scene->watch;
	AbutStatus status = observe(run, NULL, 0, steps, error);
	for (long k = 0; status == ABUT_OK && k < steps && info.outcome != ABUT_OUTCOME_FAILED; k++) {
		if (watch->before) {
			watch->before(watch->data, run->model, run->state, k);
		}
		const double start = abut_now_us();
		status = abut_step(run->model, run->state, run->workspace, &info);
		tally->seconds += 1e-6 * (abut_now_us() - start);
		if (status != ABUT_OK) {
			return abut_error_set(error, status, NULL, "seed %lu, step %ld was refused: %s", seed, k,
			                      abut_status_name(status));
		}
		add_step(&info, scene->size, tally);
		const bool touching = add_results(run->model, run->state, run->workspace, &info, tally);
		if (watch->after) {
			watch->after(watch->data, run->model, run->state, &info, touching);
		}
		add_motion(run->model, run->state, scene, tally);
		report_step(scene, &info, seed, k);
		if (scene->keep) {
			scene->keep->left_out += failed(&info) && !run->dumps;
		}
		status = observe(run, &info, k + 1, steps, error);
	}
	tally->runs++;
	return status;
}

bool study_run(const Scene *scene, double duration, unsigned long seed, Tally *tally)
{
	if (scene->overfull) {
		fprintf(stderr, "abut_reliability: a scene of more than %d bodies\n", MOST_BODIES);
		return false;
	}
	Run run = {NULL, NULL, NULL, NULL, NULL};
	AbutError error = {.status = ABUT_OK};
	AbutStatus status = open_run(scene, duration, seed, &run, &error);
	ABUT_THEN(status, take_steps(scene, &run, lround(duration / scene->def.timestep), seed, tally, &error));
	if (status != ABUT_OK) {
		fprintf(stderr, "abut_reliability: %s%s%s%s%s\n", error.file, error.file[0] ? ": " : "", error.where,
		        error.where[0] ? ": " : "", error.message);
	}
	if (run.dumps) {
		scene->keep->written += abut_dumps_written(run.dumps);
		scene->keep->left_out += abut_dumps_left_out(run.dumps);
	}
	close_run(&run);
	return status == ABUT_OK;
}

void tally_add(Tally *total, const Tally *tally)
{
	total->runs += tally->runs;
	total->steps += tally->steps;
	total->failed += tally->failed;
	total->raised += tally->raised;
	total->halved += tally->halved;
	total->retried += tally->retried;
	total->exact += tally->exact;
	total->iterations += tally->iterations;
	total->parts += tally->parts;
	total->touching += tally->touching;
	total->not_finite += tally->not_finite;
	total->seconds += tally->seconds;
	for (int i = 0; i < MOST_ROWS; i++) {
		total->row_steps[i] += tally->row_steps[i];
		total->row_iterations[i] += tally->row_iterations[i];
	}
	total->iterations_max =
	    tally->iterations_max > total->iterations_max ? tally->iterations_max : total->iterations_max;
	total->penetration = fmax(total->penetration, tally->penetration);
	total->exact_penetration = fmax(total->exact_penetration, tally->exact_penetration);
	total->relative = fmax(total->relative, tally->relative);
	total->exact_relative = fmax(total->exact_relative, tally->exact_relative);
	total->momentum = fmax(total->momentum, tally->momentum);
	total->drift = fmax(total->drift, tally->drift);
}

void tally_print_header(void)
{
	printf("%-26s %6s %8s %7s %7s %7s %7s %9s %6s %5s %9s %9s %8s\n", "study", "runs", "steps", "failed", "raised",
	       "halved", "retried", "exact", "it", "max", "pen m", "exact pen", "us/step");
}

void tally_print(const char *name, const Tally *t)
{
	const double n = t->steps > 0 ? (double)t->steps : 1.0;
	printf("%-26s %6ld %8ld %7ld %7ld %7ld %7ld %9.5f %6.2f %5d %9.1e %9.1e %8.2f\n", name, t->runs, t->steps,
	       t->failed, t->raised, t->halved, t->retried, (double)t->exact / n, (double)t->iterations / n,
	       t->iterations_max, t->penetration, t->exact_penetration, 1e6 * t->seconds / n);
	fflush(stdout);
}

void tally_print_rows(const Tally *t)
{
	printf("%-4s %-12s %9s %9s %9s %9s\n", "row", "name", "steps", "% steps", "it/step", "% it");
	for (int i = 0; i < MOST_ROWS && (i == 0 || abut_cascade_row_name(i)); i++) {
		if (t->row_steps[i] > 0) {
			printf("%-4d %-12s %9ld %9.4f %9.2f %9.4f\n", i, i > 0 ? abut_cascade_row_name(i) : "unsolved",
			       t->row_steps[i], 100.0 * (double)t->row_steps[i] / (double)t->steps,
			       (double)t->row_iterations[i] / (double)t->row_steps[i],
			       100.0 * (double)t->row_iterations[i] / fmax(1.0, (double)t->iterations));
		}
	}
}
