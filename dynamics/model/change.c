/* Copies a model and changes values of the copy. The copy keeps choices made for the original: units, scaling centres,
 * divisors of rows, the scale of contacts, default torsional radii. Bounds are computed anew: boxes, radii, reach.
 * Tested in tests/dynamics/parameter/test_parameter.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/model/check.h"
#include "dynamics/model/coupling.h"
#include "dynamics/model/joint.h"
#include "dynamics/model/joint_parameter.h"
#include "dynamics/model/key.h"
#include "dynamics/model/light_links.h"
#include "dynamics/model/pair.h"
#include "dynamics/model/parameter.h"
#include "dynamics/model/scale.h"
#include "dynamics/model/sensor.h"
#include "shapes/change/face.h"
#include "shapes/change/size.h"
#include "shapes/core/mass.h"

/* --- the copy --- */

static void *copy_block(const void *from, size_t n, size_t size)
{
	void *block = malloc((n + 1) * size);
	if (block && n > 0) {
		memcpy(block, from, n * size);
	}
	return block;
}

static size_t name_size(const AbutModel *model)
{
	size_t size = 1;
	for (int i = 0; i < model->n_bodies; i++) {
		size += strlen(model->bodies[i].name) + 1;
	}
	return size;
}

static void point_names(const AbutModel *from, AbutModel *copy)
{
	for (int i = 0; i < copy->n_bodies; i++) {
		copy->bodies[i].name = copy->name_block + (from->bodies[i].name - from->name_block);
	}
}

/* Copies a model, with memory for `rules` more rules. The copy has no rows and manifolds; abut_model_scale computes
 * them. */
static AbutStatus copy_model(const AbutModel *from, int rules, AbutModel *copy, AbutError *error)
{
	const size_t n_bodies = (size_t)from->n_bodies, n_parts = (size_t)from->n_parts;
	*copy = *from;
	copy->n_parts = copy->n_planes = 0;
	copy->method_parts = NULL;
	copy->joints = (AbutJointList){.yielded = {.joint = -1}};
	copy->sensors = (AbutSensorList){.n = 0};
	copy->bodies = copy_block(from->bodies, n_bodies, sizeof *copy->bodies);
	copy->moving_body = copy_block(from->moving_body, (size_t)from->n_moving, sizeof *copy->moving_body);
	copy->parts = calloc(n_parts + 1, sizeof *copy->parts);
	copy->planes = calloc(n_parts + 1, sizeof *copy->planes);
	copy->pairing.rules = calloc((size_t)from->pairing.n_rules + (size_t)rules + 1, sizeof *copy->pairing.rules);
	copy->pairing.part_rules =
	    copy_block(from->pairing.part_rules, (size_t)from->pairing.n_part_rules, sizeof *copy->pairing.part_rules);
	copy->name_block = copy_block(from->name_block, name_size(from) - 1, 1);
	if (!copy->bodies || !copy->moving_body || !copy->parts || !copy->planes || !copy->pairing.rules ||
	    !copy->pairing.part_rules || !copy->name_block) {
		return abut_model_no_memory(error);
	}
	point_names(from, copy);
	if (from->pairing.n_rules > 0) {
		memcpy(copy->pairing.rules, from->pairing.rules,
		       (size_t)from->pairing.n_rules * sizeof *copy->pairing.rules);
	}
	for (int i = 0; i < from->n_parts; i++) {
		const AbutPart *part = &from->parts[i];
		ABUT_TRY(abut_shape_clone(part->shape, &copy->parts[i].shape, error));
		copy->parts[i].body = part->body;
		copy->parts[i].scale = part->scale;
		copy->parts[i].divisor = part->divisor;
		copy->n_parts++;
	}
	ABUT_TRY(abut_joints_copy(from, copy, error));
	ABUT_TRY(abut_couplings_copy(from, copy, error));
	return abut_sensors_copy(from, copy, error);
}

/* --- values --- */

typedef struct Change {
	const AbutModel *from;
	AbutModel *model;
	int n;
	const AbutParameter *parameters;
	const double *values;
	AbutError *error;
} Change;

/* Reports the parameter, its value, and the reason `why` it is refused. */
static AbutStatus refuse(const Change *c, int i, AbutStatus status, const char *why)
{
	char text[200];
	abut_parameter_describe(c->from, &c->parameters[i], text, sizeof text);
	return abut_error_set(c->error, status, abut_parameter_kind_name(c->parameters[i].kind), "%s cannot be %g: %s",
	                      text, c->values[i], why);
}

/* Returns the rule of two bodies. Adds a rule if there is none. */
static AbutPairRule *rule_of(AbutModel *model, int body, int other)
{
	int at = 0;
	const int key[2] = {body, other};
	while (at < model->pairing.n_rules && abut_compare_keys(model->pairing.rules[at].body, key) < 0) {
		at++;
	}
	AbutPairRule *rule = &model->pairing.rules[at];
	if (at == model->pairing.n_rules || abut_compare_keys(rule->body, key) != 0) {
		memmove(rule + 1, rule, (size_t)(model->pairing.n_rules - at) * sizeof *rule);
		*rule = (AbutPairRule){.body = {body, other},
		                       .allowed = true,
		                       .friction = -1.0,
		                       .restitution = -1.0,
		                       .torsional_radius = -1.0,
		                       .soft = model->pairing.soft};
		model->pairing.n_rules++;
	}
	return rule;
}

static double least_scale(const AbutModel *model, int body)
{
	const AbutBody *of = &model->bodies[body];
	double least = HUGE_VAL;
	for (int i = 0; i < of->n_parts; i++) {
		least = fmin(least, model->parts[of->first_part + i].scale);
	}
	return least;
}

static AbutStatus change_pair(const Change *c, int i)
{
	const AbutParameter *p = &c->parameters[i];
	const double value = c->values[i];
	if (!(value >= 0.0) || !isfinite(value)) {
		return refuse(c, i, ABUT_ERROR_ARGUMENT, "it must be finite and at least 0");
	}
	AbutPairRule *rule = rule_of(c->model, p->body, p->other);
	if (p->kind == ABUT_PARAMETER_FRICTION) {
		rule->friction = value;
		return ABUT_OK;
	}
	const AbutPart *parts = c->from->parts;
	const double radius = value / c->model->units.length;
	if (rule->torsional_radius >= 0.0) {
		rule->torsional_radius = radius;
		return ABUT_OK;
	}
	const double first =
	    parts[c->from->bodies[p->body].first_part].scale + parts[c->from->bodies[p->other].first_part].scale;
	rule->torsional_change = radius - 0.1 * first;
	const double least = 0.1 * (least_scale(c->from, p->body) + least_scale(c->from, p->other));
	if (least + rule->torsional_change < 0.0) {
		char why[96];
		snprintf(why, sizeof why, "it must be at least %g m, or a smaller part's would be negative",
		         (0.1 * first - least) * c->model->units.length);
		return refuse(c, i, ABUT_ERROR_ARGUMENT, why);
	}
	return ABUT_OK;
}

static void change_body(const Change *c, int i)
{
	const AbutParameter *p = &c->parameters[i];
	AbutBody *body = &c->model->bodies[p->body];
	int entry[2];
	if (p->kind == ABUT_PARAMETER_MASS) {
		body->mass_si = c->values[i];
	} else if (p->kind == ABUT_PARAMETER_INERTIA) {
		abut_parameter_inertia_entry(p->index, entry);
		body->inertia_si[entry[0]] = body->inertia_si[entry[1]] = c->values[i];
	} else {
		body->centre_of_mass[p->index] = c->values[i];
	}
}

/* --- shapes --- */

static void replace(AbutShape **at, AbutShape *by)
{
	abut_shape_destroy(*at);
	*at = by;
}

static bool is_of(const Change *c, int i, AbutParameterKind kind, int part)
{
	return c->parameters[i].kind == kind && abut_parameter_part(c->from, &c->parameters[i]) == part;
}

static AbutStatus resize(const Change *c, int part, AbutShape **shape, AbutError *error)
{
	double size[3];
	bool any = false;
	abut_copy3(c->from->parts[part].shape->size, size);
	for (int i = 0; i < c->n; i++) {
		if (is_of(c, i, ABUT_PARAMETER_SIZE, part)) {
			size[c->parameters[i].index] = c->values[i];
			any = true;
		}
	}
	AbutShape *made = NULL;
	const AbutStatus status = any ? abut_shape_resize(*shape, size, &made, error) : ABUT_OK;
	if (made) {
		replace(shape, made);
	}
	return status;
}

static AbutStatus reface(const Change *c, int part, AbutShape **shape, AbutError *error)
{
	const int n = abut_shape_face_count(*shape);
	bool any = false;
	for (int i = 0; i < c->n; i++) {
		any = any || is_of(c, i, ABUT_PARAMETER_FACE, part);
	}
	if (!any) {
		return ABUT_OK;
	}
	double *A = malloc(4 * (size_t)n * sizeof *A);
	if (!A) {
		return abut_model_no_memory(error);
	}
	double *b = A + 3 * (size_t)n;
	for (int row = 0; row < n; row++) {
		abut_copy3(&(*shape)->A[3 * row], &A[3 * row]);
		b[row] = (*shape)->h[row] + (*shape)->d[row];
	}
	for (int i = 0; i < c->n; i++) {
		if (is_of(c, i, ABUT_PARAMETER_FACE, part)) {
			const int row = c->parameters[i].index / 4, k = c->parameters[i].index % 4;
			*(k < 3 ? &A[3 * row + k] : &b[row]) = c->values[i];
		}
	}
	AbutShape *made = NULL;
	const AbutStatus status = abut_shape_reface(*shape, A, b, &made, error);
	free(A);
	if (made) {
		replace(shape, made);
	}
	return status;
}

/* Computes R = exp([r]x), the rotation by the vector r. */
static void rotation_by(const double r[3], double R[9])
{
	const double angle = abut_norm3(r), half = 0.5 * angle;
	const double share = half > 0.0 ? sin(half) / angle : 0.5;
	const double q[4] = {cos(half), share * r[0], share * r[1], share * r[2]};
	abut_quat_to_mat3(q, R);
}

/* Moves a part by p -> R (p - c) + c + t, where c is its scaling centre. */
static AbutStatus move(const Change *c, int part, AbutShape *shape, AbutError *error)
{
	double R[9], r[3] = {0.0}, t[3] = {0.0}, turned[3];
	bool any = false;
	for (int i = 0; i < c->n; i++) {
		const int index = c->parameters[i].index;
		if (is_of(c, i, ABUT_PARAMETER_PART_POSITION, part)) {
			t[index] = c->values[i] - shape->position[index];
			any = true;
		} else if (is_of(c, i, ABUT_PARAMETER_PART_ROTATION, part)) {
			r[index] = c->values[i];
			any = true;
		}
	}
	if (!any) {
		return ABUT_OK;
	}
	rotation_by(r, R);
	abut_mat3_vec(R, shape->centre, turned);
	for (int k = 0; k < 3; k++) {
		t[k] += shape->centre[k] - turned[k];
	}
	return abut_shape_move(shape, R, t, error);
}

/* Changes the part of parameter i, with all its changes: sizes first, then faces, then the pose. */
static AbutStatus change_part(const Change *c, int i)
{
	const int part = abut_parameter_part(c->from, &c->parameters[i]);
	AbutShape **shape = &c->model->parts[part].shape;
	AbutError own = {.status = ABUT_OK};
	if (!isfinite(c->values[i])) {
		return refuse(c, i, ABUT_ERROR_ARGUMENT, "it must be finite");
	}
	for (int k = 0; k < i; k++) {
		if (abut_parameter_of_part(&c->parameters[k]) &&
		    abut_parameter_part(c->from, &c->parameters[k]) == part) {
			return ABUT_OK; /* already changed with the part's first parameter */
		}
	}
	AbutStatus status = resize(c, part, shape, &own);
	status = status == ABUT_OK ? reface(c, part, shape, &own) : status;
	status = status == ABUT_OK ? move(c, part, *shape, &own) : status;
	return status == ABUT_OK ? status : refuse(c, i, status, own.message);
}

/* --- joints --- */

static AbutStatus change_joint(const Change *c, int i)
{
	const char *why = abut_joint_parameter_set(c->model, &c->parameters[i], c->values[i]);
	return why ? refuse(c, i, ABUT_ERROR_ARGUMENT, why) : ABUT_OK;
}

/* Checks what acts on the freedom of a parameter after all changes. */
static AbutStatus check_joint(const Change *c, int i)
{
	const char *why = abut_joint_parameter_check(c->model, &c->parameters[i]);
	return why ? refuse(c, i, ABUT_ERROR_ARGUMENT, why) : ABUT_OK;
}

/* --- all changes --- */

static AbutStatus change_one(const Change *c, int i)
{
	const AbutParameter *p = &c->parameters[i];
	if (abut_parameter_of_joint(p->kind)) {
		return change_joint(c, i);
	}
	switch ((int)p->kind) {
	case ABUT_PARAMETER_TIMESTEP:
		c->model->timestep_si = c->values[i];
		break;
	case ABUT_PARAMETER_GRAVITY:
		c->model->gravity_si[p->index] = c->values[i];
		break;
	case ABUT_PARAMETER_MASS:
	case ABUT_PARAMETER_INERTIA:
	case ABUT_PARAMETER_CENTRE_OF_MASS:
		change_body(c, i);
		break;
	case ABUT_PARAMETER_FRICTION:
	case ABUT_PARAMETER_TORSIONAL_RADIUS:
		return change_pair(c, i);
	case ABUT_PARAMETER_SIZE:
	case ABUT_PARAMETER_FACE:
	case ABUT_PARAMETER_PART_POSITION:
	case ABUT_PARAMETER_PART_ROTATION:
		return change_part(c, i);
	default:
		break;
	}
	return ABUT_OK;
}

/* Checks mass, inertia and centre of mass of a body after all changes. */
static AbutStatus check_body(const Change *c, int i)
{
	const AbutParameter *p = &c->parameters[i];
	const AbutBody *body = &c->model->bodies[p->body];
	if (p->kind == ABUT_PARAMETER_MASS && !abut_mass_possible(body->mass_si)) {
		return refuse(c, i, ABUT_ERROR_ARGUMENT, "it must lie " ABUT_MASS_ALLOWED " kg");
	}
	if (p->kind == ABUT_PARAMETER_INERTIA && !abut_inertia_possible(body->inertia_si)) {
		return refuse(c, i, ABUT_ERROR_ARGUMENT, "the whole inertia must be " ABUT_INERTIA_ALLOWED);
	}
	if (p->kind == ABUT_PARAMETER_CENTRE_OF_MASS && !(fabs(c->values[i]) <= 1e9)) {
		return refuse(c, i, ABUT_ERROR_ARGUMENT, "it must lie within +-1e9 m");
	}
	return ABUT_OK;
}

/* Checks the scene and its bodies after all changes, as abut_scene_def_check does for a definition. */
static AbutStatus check_together(const Change *c)
{
	AbutModel *model = c->model;
	ABUT_TRY(abut_timestep_check(model->timestep_si, c->error));
	ABUT_TRY(abut_gravity_check(model->gravity_si, c->error));
	for (int i = 0; i < c->n; i++) {
		ABUT_TRY(abut_parameter_of_joint(c->parameters[i].kind) ? check_joint(c, i)
		         : c->parameters[i].body < 0                    ? ABUT_OK
		                                                        : check_body(c, i));
	}
	for (int i = 0; i < model->n_moving; i++) {
		const AbutBody *body = &model->bodies[model->moving_body[i]];
		if (!abut_motion_possible(&body->initial, model->timestep_si)) {
			return abut_error_set(c->error, ABUT_ERROR_ARGUMENT, "timestep",
			                      "timestep cannot be %g: '%s' turns too far in it at its initial spin",
			                      model->timestep_si, body->name);
		}
	}
	ABUT_TRY(abut_light_links_check(model, c->error));
	return abut_light_links_weigh(model, c->error);
}

static AbutStatus change_all(const Change *c)
{
	AbutStatus status = copy_model(c->from, c->n, c->model, c->error);
	for (int i = 0; status == ABUT_OK && i < c->n; i++) {
		status = change_one(c, i);
	}
	status = status == ABUT_OK ? check_together(c) : status;
	if (status == ABUT_OK) {
		abut_joints_move(c->from, c->model);
	}
	ABUT_THEN(status, abut_model_scale(c->model, c->error));
	ABUT_THEN(status, c->model->method->measure ? c->model->method->measure(c->model, c->error) : ABUT_OK);
	return status;
}

static AbutStatus check_arguments(const AbutModel *model, int n, const AbutParameter *parameters, const double *values,
                                  AbutError *error)
{
	if (!model || n < 0 || (n > 0 && (!parameters || !values))) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "a model, and %d parameters with their values, must be given", n);
	}
	if (model->formulation.published) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "solver.preset",
		                      "is \"paper\", whose models are not changed; leave it out");
	}
	for (int i = 0; i < n; i++) {
		ABUT_TRY(abut_parameter_check(model, &parameters[i], error));
	}
	return ABUT_OK;
}

AbutStatus abut_model_create_changed(const AbutModel *model, int n, const AbutParameter *parameters,
                                     const double *values, AbutModel **out, AbutError *error)
{
	if (!out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "out is NULL; it must point to an AbutModel *");
	}
	*out = NULL;
	ABUT_TRY(check_arguments(model, n, parameters, values, error));
	AbutModel *copy = calloc(1, sizeof *copy);
	if (!copy) {
		return abut_model_no_memory(error);
	}
	const Change change = {model, copy, n, parameters, values, error};
	AbutStatus status = change_all(&change);
	if (status != ABUT_OK) {
		abut_model_destroy(copy);
		return status;
	}
	*out = copy;
	return ABUT_OK;
}
