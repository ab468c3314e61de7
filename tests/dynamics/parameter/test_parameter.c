/* Tests parameters of models: their lists and values. Compares models with changed values with scenes that have these
 * values from the start. */
#include <stdio.h>

#include "abut/abut.h"
#include "abut/parameter.h"
#include "dynamics/model/pair.h"
#include "dynamics/parameter/changed_scene.h"
#include "dynamics/step/workspace.h"
#include "dynamics/world.h"
#include "effort.h"

enum { MOST = 1200 };

static AbutModel *model_of(const ChangedScene *scene)
{
	AbutModel *model = NULL;
	AbutError error = {.status = ABUT_OK};
	cr_assert_eq(abut_model_create(&scene->def, &model, &error), ABUT_OK, "%s: %s", error.where, error.message);
	return model;
}

static AbutModel *changed(const AbutModel *model, int n, const AbutParameter *parameters, const double *values)
{
	AbutModel *out = NULL;
	AbutError error = {.status = ABUT_OK};
	char text[200];
	abut_parameter_describe(model, parameters, text, sizeof text);
	cr_assert_eq(abut_model_create_changed(model, n, parameters, values, &out, &error), ABUT_OK, "%s: %s", text,
	             error.message);
	return out;
}

static double value_of(const AbutModel *model, const AbutParameter *parameter)
{
	double value = (double)NAN;
	AbutError error = {.status = ABUT_OK};
	cr_assert_eq(abut_parameter_get(model, parameter, &value, &error), ABUT_OK, "%s", error.message);
	return value;
}

/* Returns a value larger by about a hundredth. */
static double other_value(const AbutParameter *p, double value)
{
	switch ((int)p->kind) {
	case ABUT_PARAMETER_GRAVITY:
		return value + 0.1;
	case ABUT_PARAMETER_INERTIA:
		return value + 2e-4;
	case ABUT_PARAMETER_CENTRE_OF_MASS:
	case ABUT_PARAMETER_PART_POSITION:
		return value + 1e-3;
	case ABUT_PARAMETER_FACE:
		return value + (p->index % 4 < 3 ? 0.005 : 5e-4);
	case ABUT_PARAMETER_PART_ROTATION:
		return value + 0.005;
	case ABUT_PARAMETER_TIMESTEP:
	case ABUT_PARAMETER_MASS:
	case ABUT_PARAMETER_FRICTION:
	case ABUT_PARAMETER_TORSIONAL_RADIUS:
	case ABUT_PARAMETER_SIZE:
	default:
		break;
	}
	return value + 0.01 * fmax(fabs(value), 0.1);
}

/* Returns whether a value is read back as it was set. A row of a polytope is read back at unit length. */
static bool comes_back(const AbutParameter *p)
{
	return p->kind != ABUT_PARAMETER_PART_ROTATION && p->kind != ABUT_PARAMETER_FACE;
}

Test(parameter, values_come_back)
{
	for (unsigned seed = 0; seed < TEST_EFFORT(2) * CHANGED_KINDS; seed++) {
		ChangedScene scene;
		changed_scene_make(seed, &scene);
		AbutModel *model = model_of(&scene);
		for (int kind = 0; kind < ABUT_PARAMETER_MOTOR; kind++) {
			AbutParameter list[MOST];
			const int n = abut_parameter_list(model, (AbutParameterKind)kind, MOST, list);
			cr_assert(n > 0 && n <= MOST, "%d of %s", n, abut_parameter_kind_name((AbutParameterKind)kind));
			cr_expect_eq(abut_parameter_list(model, (AbutParameterKind)kind, 0, NULL), n);
			const int every = n > 30 ? n / 10 : 1; /* conic shapes are measured anew */
			for (int i = 0; i < n; i += every) {
				const double value = other_value(&list[i], value_of(model, &list[i]));
				AbutModel *copy = changed(model, 1, &list[i], &value);
				if (comes_back(&list[i])) {
					cr_expect_float_eq(value_of(copy, &list[i]), value, 1e-14 * (1.0 + fabs(value)),
					                   "seed %u: %s", seed, abut_parameter_kind_name(list[i].kind));
				}
				for (int j = 0; j < n && comes_back(&list[i]); j++) {
					cr_expect(j == i || fabs(value_of(copy, &list[j]) - value_of(model, &list[j])) <
					                        1e-14,
					          "seed %u: %d by %d of %s", seed, j, i,
					          abut_parameter_kind_name(list[i].kind));
				}
				abut_model_destroy(copy);
			}
		}
		abut_model_destroy(model);
		changed_scene_free(&scene);
	}
}

/* --- steps --- */

typedef struct Run {
	AbutState *state;
	AbutWorkspace *workspace;
	AbutStepInfo info;
} Run;

static void begin(const AbutModel *model, Run *run)
{
	*run = (Run){.state = NULL};
	cr_assert_eq(abut_state_create(model, &run->state, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &run->workspace, NULL), ABUT_OK);
}

static void end(Run *run)
{
	abut_workspace_destroy(run->workspace);
	abut_state_destroy(run->state);
}

/* Takes one step from the poses of the body frames of `from`. */
static void step_from(const AbutModel *from_model, const Run *from, const AbutModel *model, Run *run)
{
	begin(model, run);
	for (int i = 0; i < CHANGED_BODIES; i++) {
		AbutBodyState body;
		cr_assert_eq(abut_state_get_body(from_model, from->state, i, &body), ABUT_OK);
		cr_assert_eq(abut_state_set_body(model, run->state, i, &body), ABUT_OK);
	}
	cr_assert_eq(abut_step(model, run->state, run->workspace, &run->info), ABUT_OK);
}

static double difference(const AbutModel *a, const Run *run_a, const AbutModel *b, const Run *run_b)
{
	double most = 0.0;
	for (int i = 1; i < CHANGED_BODIES; i++) {
		AbutBodyState s, t;
		cr_assert_eq(abut_state_get_body(a, run_a->state, i, &s), ABUT_OK);
		cr_assert_eq(abut_state_get_body(b, run_b->state, i, &t), ABUT_OK);
		for (int k = 0; k < 3; k++) {
			most = fmax(most, fabs(s.linear_velocity[k] - t.linear_velocity[k]));
			most = fmax(most, fabs(s.angular_velocity[k] - t.angular_velocity[k]));
			most = fmax(most, fabs(s.position[k] - t.position[k]));
		}
	}
	return most;
}

typedef struct Count {
	int n, unsolved, beyond, moved;
	double worst;
} Count;

/* Compares the changed model with one of the changed scene, from the same state. */
static void compare(const ChangedScene *scene, unsigned seed, const AbutModel *model, const Run *at,
                    const AbutParameter *p, Count *count)
{
	ChangedScene other;
	Run plain, one, two;
	changed_scene_make(seed, &other);
	const double value = other_value(p, value_of(model, p));
	changed_scene_apply(&other, p, value);
	AbutModel *copy = changed(model, 1, p, &value), *fresh = model_of(&other);
	step_from(model, at, model, &plain);
	step_from(model, at, copy, &one);
	step_from(model, at, fresh, &two);
	if (plain.info.exact && one.info.exact && two.info.exact) {
		const double off = difference(copy, &one, fresh, &two);
		count->n++;
		count->beyond += off > 1e-9;
		count->worst = fmax(count->worst, off);
		count->moved += difference(model, &plain, fresh, &two) > 1e-7;
		if (off > 1e-9) {
			char text[200];
			abut_parameter_describe(model, p, text, sizeof text);
			cr_log_info("seed %u: %s (%s): off by %g, moved by %g", seed, text,
			            p->part >= 0
			                ? abut_shape_kind_name(scene->shapes[changed_part(p->body, p->part)]->kind)
			                : "",
			            off, difference(model, &plain, fresh, &two));
		}
	} else {
		count->unsolved++;
	}
	end(&plain);
	end(&one);
	end(&two);
	abut_model_destroy(copy);
	abut_model_destroy(fresh);
	changed_scene_free(&other);
}

/* Exact steps depend only on the set, not on choices that compilation makes. */
Test(parameter, changed_models_step_as_changed_scenes)
{
	Count count[ABUT_PARAMETER_MOTOR] = {{.n = 0}};
	for (unsigned seed = 0; seed < CHANGED_KINDS; seed++) {
		ChangedScene scene;
		Run run;
		AbutRng rng = {seed};
		changed_scene_make(seed, &scene);
		AbutModel *model = model_of(&scene);
		begin(model, &run);
		for (int step = 1; step <= 60; step++) {
			cr_assert_eq(abut_step(model, run.state, run.workspace, &run.info), ABUT_OK);
			for (int kind = 0; kind < ABUT_PARAMETER_MOTOR && step % 20 == 0; kind++) {
				AbutParameter list[MOST];
				const int n = abut_parameter_list(model, (AbutParameterKind)kind, MOST, list);
				for (int i = 0; i < 3; i++) {
					const int at = (int)abut_rng_uniform(&rng, 0.0, n);
					compare(&scene, seed, model, &run, &list[at < n ? at : n - 1], &count[kind]);
				}
			}
		}
		end(&run);
		abut_model_destroy(model);
		changed_scene_free(&scene);
	}
	for (int kind = 0; kind < ABUT_PARAMETER_MOTOR; kind++) {
		const Count *c = &count[kind];
		const char *name = abut_parameter_kind_name((AbutParameterKind)kind);
		cr_log_info("%s: %d, %d unsolved, %d beyond, %d moved, worst %g", name, c->n, c->unsolved, c->beyond,
		            c->moved, c->worst);
		cr_expect_leq(50 * c->beyond, c->n, "%s: %d of %d", name, c->beyond, c->n);
		cr_expect_leq(20 * c->unsolved, c->n, "%s: %d unsolved", name, c->unsolved);
		cr_expect_gt(c->moved, 0, "%s: nothing has moved", name);
	}
}

/* Without a change, the copy equals the model bit for bit and accepts its states. */
Test(parameter, a_copy_without_changes_is_the_same)
{
	for (unsigned seed = 0; seed < CHANGED_KINDS; seed++) {
		ChangedScene scene;
		Run run[2];
		double numbers[4000];
		changed_scene_make(seed, &scene);
		AbutModel *model = model_of(&scene), *copy = changed(model, 0, NULL, NULL);
		begin(model, &run[0]);
		begin(copy, &run[1]);
		for (int step = 0; step < 60; step++) {
			cr_assert_eq(abut_step(model, run[0].state, run[0].workspace, &run[0].info), ABUT_OK);
			cr_assert_eq(abut_step(copy, run[1].state, run[1].workspace, &run[1].info), ABUT_OK);
			cr_assert_eq(difference(model, &run[0], copy, &run[1]), 0.0, "seed %u, step %d", seed, step);
		}
		const size_t n = abut_state_snapshot_size(model, run[0].state);
		cr_assert_leq(n, sizeof numbers / sizeof *numbers);
		cr_assert_eq(abut_state_snapshot(model, run[0].state, numbers), ABUT_OK);
		cr_expect_eq(abut_state_restore(copy, run[1].state, n, numbers, NULL), ABUT_OK);
		end(&run[0]);
		end(&run[1]);
		abut_model_destroy(copy);
		abut_model_destroy(model);
		changed_scene_free(&scene);
	}
}

/* --- refusals --- */

static void expect_refused(const AbutModel *model, AbutParameter p, double value, AbutStatus status, const char *tells)
{
	AbutModel *copy = NULL;
	AbutError error = {.status = ABUT_OK};
	cr_expect_eq(abut_model_create_changed(model, 1, &p, &value, &copy, &error), status, "%s %g: %s",
	             abut_parameter_kind_name(p.kind), value, error.message);
	cr_expect_null(copy);
	cr_expect(strstr(error.message, tells), "'%s' in: %s", tells, error.message);
	abut_model_destroy(copy);
}

Test(parameter, refuses_what_no_model_can_have)
{
	ChangedScene scene;
	const AbutStatus argument = ABUT_ERROR_ARGUMENT;
	changed_scene_make(0, &scene); /* body 1: a box and a padded polytope */
	AbutModel *model = model_of(&scene);
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_TIMESTEP, -1, -1, -1, 0}, 0.0, argument, "timestep is 0");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_GRAVITY, -1, -1, -1, 0}, 1e10, argument,
	               "gravity is (1e+10, 0, -9.81) m/s^2; each entry must lie within +-1e+09");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_GRAVITY, -1, -1, -1, 0}, (double)NAN, argument,
	               "each entry must lie within +-1e+09");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_GRAVITY, -1, -1, -1, 3}, 1.0, argument, "index is 3");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_MASS, 1, -1, -1, 0}, -1.0, argument,
	               "mass of mug cannot be -1: it must lie within 1e-60 and 1e60 kg");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_MASS, 1, -1, -1, 0}, (double)NAN, argument,
	               "it must lie within 1e-60 and 1e60 kg");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_CENTRE_OF_MASS, 1, -1, -1, 0}, (double)NAN, argument,
	               "within +-1e9 m");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_INERTIA, 1, -1, -1, 3}, (double)NAN, argument,
	               "positive definite");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_MASS, 0, -1, -1, 0}, 1.0, argument, "static");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_MASS, 7, -1, -1, 0}, 1.0, argument,
	               "body is 7; it must be from 0 to 2");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_GRAVITY, 0, -1, -1, 2}, 1.0, argument, "body is 0");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_MASS, 1, 0, -1, 0}, 1.0, argument, "other is 0");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_FRICTION, 0, 1, 0, 0}, 1.0, argument, "part is 0");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_INERTIA, 1, -1, -1, 0}, 1.0, argument,
	               "inertia.xx of mug cannot be 1: the whole inertia must be positive definite");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_FRICTION, 1, 2, -1, 0}, -0.1, argument, "mug and cup");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_FRICTION, 1, 1, -1, 0}, 0.1, argument, "another body");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_TORSIONAL_RADIUS, 1, 2, -1, 0}, (double)NAN, argument,
	               "finite");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_SIZE, 1, -1, 0, 2}, -0.1, argument, "size[2] of part 0");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_SIZE, 1, -1, 0, 3}, 0.1, argument, "from 0 to 2");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_SIZE, 1, -1, 2, 0}, 0.1, argument,
	               "part is 2; it must be from 0 to 1");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_FACE, 1, -1, 0, 3}, -3.0, argument, "face[0].b");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_PART_POSITION, 1, -1, 0, 0}, 1e12, argument, "1e+09");
	expect_refused(model, (AbutParameter){ABUT_PARAMETER_COUNT, 1, -1, 0, 0}, 0.0, argument, "kind");
	abut_model_destroy(model);
	changed_scene_free(&scene);
}

/* With default radii, the radii of all parts change by the same amount, until the smallest would be negative. */
static void check_default_radii(unsigned seed, bool first_is_larger)
{
	ChangedScene scene;
	changed_scene_make(seed, &scene);
	for (int i = 0; i < scene.def.n_pairs; i++) {
		scene.pairs[i].torsional_radius = -1.0;
	}
	AbutModel *model = model_of(&scene);
	const AbutParameter p = {ABUT_PARAMETER_TORSIONAL_RADIUS, 1, 2, -1, 0};
	const double value = value_of(model, &p) + 0.01;
	AbutModel *copy = changed(model, 1, &p, &value);
	cr_expect_float_eq(value_of(copy, &p), value, 1e-15);
	for (int part = 1; part <= 2; part++) {
		const double radii = model->parts[part].shape->outer_radius + model->parts[3].shape->outer_radius;
		cr_expect_float_eq(model->units.length * abut_pair_torsional_radius(copy, part, 3), 0.1 * radii + 0.01,
		                   1e-15, "part %d", part);
	}
	const double first = model->parts[1].shape->outer_radius, second = model->parts[2].shape->outer_radius;
	const double least = 0.1 * fmax(first - second, 0.0), enough = least + 1e-9;
	cr_assert_eq(first > second, first_is_larger, "seed %u: %g and %g", seed, first, second);
	if (first_is_larger) {
		char allowed[80];
		snprintf(allowed, sizeof allowed, "it must be at least %g m, or a smaller part's would be negative",
		         least);
		expect_refused(model, p, least - 1e-9, ABUT_ERROR_ARGUMENT, allowed);
	}
	expect_refused(model, p, -1e-3, ABUT_ERROR_ARGUMENT, "at least 0");
	abut_model_destroy(changed(model, 1, &p, &enough));
	abut_model_destroy(copy);
	abut_model_destroy(model);
	changed_scene_free(&scene);
}

Test(parameter, default_torsional_radii_change_together)
{
	check_default_radii(1, false);
	check_default_radii(3, true);
}
