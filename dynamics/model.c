/* AbutSceneDef -> AbutModel: mass properties, units, pairs and every offset, once. */
#include "dynamics/model.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/eigen3.h"
#include "base/error.h"
#include "base/vec3.h"
#include "collision/union_mass.h"
#include "dynamics/lcp.h"
#include "dynamics/model_check.h"
#include "dynamics/pair.h"
#include "shapes/mass.h"

static AbutStatus out_of_memory(AbutError *error)
{
	abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while making the model");
	return ABUT_ERROR_MEMORY;
}

/* Volume, centre of mass and inertia of what the parts stand for, density 1. Where parts overlap they count once,
 * unless nobody asks. */
static AbutStatus parts_mass(const AbutBodyDef *def, int index, AbutMassProperties *out, AbutError *error)
{
	const bool given = def->mass > 0.0 && def->has_inertia && def->has_centre_of_mass;
	if (!def->parts_mass && (def->is_static || given)) {
		*out = abut_parts_mass(def->n_parts, def->parts);
		return ABUT_OK;
	}
	const AbutBundle parts = {.n_parts = def->n_parts,
	                          .parts = def->parts,
	                          .mass_given = def->parts_mass != NULL,
	                          .mass = def->parts_mass ? *def->parts_mass : (AbutMassProperties){.volume = 0.0}};
	AbutError own = {.status = ABUT_OK};
	AbutStatus status = def->parts_mass ? abut_mass_check(def->parts_mass, &own) : ABUT_OK;
	status = status == ABUT_OK ? abut_bundle_mass(&parts, out, NULL, &own) : status;
	if (status != ABUT_OK) {
		char where[64];
		snprintf(where, sizeof where, "bodies[%d].shape", index);
		return abut_error_set(
		    error, status, where,
		    "body '%s' cannot be weighed: %s; mass, inertia and centre_of_mass in its place need no weighing",
		    def->name, own.message);
	}
	return ABUT_OK;
}

static AbutStatus body_mass(const AbutBodyDef *def, int index, AbutBody *body, AbutError *error)
{
	AbutMassProperties mass = {.volume = 0.0};
	const AbutStatus status = parts_mass(def, index, &mass, error);
	if (status != ABUT_OK) {
		return status;
	}
	abut_copy3(def->has_centre_of_mass ? def->centre_of_mass : mass.centre_of_mass, body->centre_of_mass);
	if (def->is_static) {
		return ABUT_OK;
	}
	body->mass_si = def->mass > 0.0 ? def->mass : def->density * mass.volume;
	const double density = body->mass_si / mass.volume;
	for (int i = 0; i < 9; i++) {
		body->inertia_si[i] = def->has_inertia ? def->inertia[i] : density * mass.inertia[i];
	}
	char where[64];
	snprintf(where, sizeof where, "bodies[%d].%s", index, def->mass > 0.0 ? "mass" : "density");
	/* Beyond these the squares and products of a step overflow. */
	if (!(body->mass_si > 1e-60 && body->mass_si < 1e60) || !abut_inertia_possible(body->inertia_si)) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, where,
		    "body '%s' would weigh %g kg with inertia diagonal (%g, %g, %g) kg m^2, which cannot be "
		    "simulated",
		    def->name, body->mass_si, body->inertia_si[0], body->inertia_si[4], body->inertia_si[8]);
	}
	return ABUT_OK;
}

static AbutStatus copy_body(AbutModel *model, const AbutSceneDef *def, int index, AbutError *error)
{
	const AbutBodyDef *source = &def->bodies[index];
	AbutBody *body = &model->bodies[index];
	body->is_static = source->is_static;
	body->planar = source->planar_xz;
	body->moving = -1;
	body->n_parts = source->n_parts;
	body->first_part = model->n_parts;
	const AbutStatus status = body_mass(source, index, body, error);
	if (status != ABUT_OK) {
		return status;
	}
	for (int i = 0; i < source->n_parts; i++) {
		AbutPart *part = &model->parts[model->n_parts];
		const AbutStatus cloned = abut_shape_clone(source->parts[i], &part->shape, error);
		if (cloned != ABUT_OK) {
			return cloned;
		}
		part->body = index;
		model->n_parts++;
		double offset[3];
		for (int j = 0; j < 3; j++) {
			offset[j] = part->shape->centre[j] - body->centre_of_mass[j];
		}
		body->radius = fmax(body->radius, abut_norm3(offset) + part->shape->outer_radius);
	}
	body->friction = source->friction >= 0.0 ? source->friction : def->friction;
	AbutBodyState *initial = &body->initial;
	abut_copy3(source->position, initial->position);
	memcpy(initial->orientation, source->orientation, sizeof initial->orientation);
	abut_quat_normalise(initial->orientation);
	if (!source->is_static) {
		abut_copy3(source->linear_velocity, initial->linear_velocity);
		abut_copy3(source->angular_velocity, initial->angular_velocity);
		abut_copy3(source->force, body->force);
		abut_copy3(source->torque, body->torque);
		body->moving = model->n_moving;
		model->moving_body[model->n_moving++] = index;
	}
	return ABUT_OK;
}

/* Length: mean outer radius of the moving bodies. Mass: the geometric mean, so that one heavy body does not hide the
 * rest. Time: sqrt(length / g); without gravity what is least of a hundred timesteps and the times in which
 * speed or push move a body by its size. */
static AbutUnits model_units(const AbutModel *model)
{
	double length = 0.0, log_mass = 0.0, speed = 0.0, push = 0.0;
	for (int i = 0; i < model->n_moving; i++) {
		const AbutBody *body = &model->bodies[model->moving_body[i]];
		length += body->radius / model->n_moving;
		log_mass += log(body->mass_si) / model->n_moving;
		push = fmax(push, abut_norm3(body->force) / body->mass_si);
		speed = fmax(speed, abut_norm3(body->initial.linear_velocity) +
		                        body->radius * abut_norm3(body->initial.angular_velocity));
	}
	AbutUnits units = {.length = model->n_moving ? length : 1.0, .mass = exp(log_mass)};
	const double g = abut_norm3(model->gravity_si);
	if (g > 0.0) {
		units.time = sqrt(units.length / g);
	} else {
		units.time = 100.0 * model->timestep_si;
		if (speed > 0.0) {
			units.time = fmin(units.time, units.length / speed);
		}
		if (push > 0.0) {
			units.time = fmin(units.time, sqrt(units.length / push));
		}
	}
	units.velocity = units.length / units.time;
	units.impulse = units.mass * units.velocity;
	units.torsion = units.impulse * units.length;
	return units;
}

/* The box of body axes about the part, from its support function: what the broad phase knows of it. */
static void bound_part(const AbutBody *body, double unit, AbutPart *part)
{
	for (int i = 0; i < 3; i++) {
		double direction[3] = {0.0, 0.0, 0.0};
		direction[i] = 1.0;
		const double high = abut_shape_support(part->shape, direction, NULL);
		direction[i] = -1.0;
		const double low = -abut_shape_support(part->shape, direction, NULL);
		part->box_centre[i] = (0.5 * (high + low) - body->centre_of_mass[i]) / unit;
		part->box_half[i] = 0.5 * (high - low) / unit;
	}
	part->reach = abut_norm3(part->rows.centre) + part->rows.outer_radius;
}

static AbutStatus scale_part(AbutModel *model, int index, AbutError *error)
{
	AbutPart *part = &model->parts[index];
	const AbutBody *body = &model->bodies[part->body];
	const double unit = model->units.length;
	const AbutStatus status = abut_conic_rows_create(part->shape, body->centre_of_mass, unit, &part->rows);
	if (status != ABUT_OK) {
		return out_of_memory(error);
	}
	if (model->formulation.published) {
		abut_conic_rows_as_given(part->shape, body->centre_of_mass, &part->rows);
	}
	part->n_cones = abut_conic_rows_cones(&part->rows, 0, 1.0, &part->law_size, NULL);
	if (part->rows.bounded) {
		bound_part(body, unit, part);
	} else {
		model->planes[model->n_planes++] = index;
	}
	const int scratch = abut_conic_rows_scratch(&part->rows);
	model->scratch = scratch > model->scratch ? scratch : model->scratch;
	return ABUT_OK;
}

static AbutStatus scale_model(AbutModel *model, AbutError *error)
{
	static const AbutUnits si = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
	model->units = model->formulation.published ? si : model_units(model);
	const AbutUnits *u = &model->units;
	model->timestep = model->timestep_si / u->time;
	for (int i = 0; i < 3; i++) {
		model->gravity[i] = model->gravity_si[i] * u->time * u->time / u->length;
	}
	for (int i = 0; i < model->n_bodies; i++) {
		AbutBody *body = &model->bodies[i];
		body->radius /= u->length;
		body->mass = body->mass_si / u->mass;
		for (int j = 0; j < 9; j++) {
			body->inertia[j] = body->inertia_si[j] / (u->mass * u->length * u->length);
		}
		double moments[3];
		abut_eigenvalues3(body->inertia, moments);
		body->least_inertia = fmax(moments[0] - 1e-14 * moments[2], 0.0);
	}
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < model->n_parts; i++) {
		status = scale_part(model, i, error);
	}
	return status;
}

static AbutStatus allocate(AbutModel *model, const AbutSceneDef *def, AbutError *error)
{
	int64_t n_parts = 0;
	size_t names = 1;
	for (int i = 0; i < def->n_bodies; i++) {
		n_parts += def->bodies[i].n_parts;
		names += strlen(def->bodies[i].name) + 1;
	}
	if (n_parts > ABUT_PARTS_MAX) {
		abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "bodies",
		               "the scene has %lld parts; at most %d are taken", (long long)n_parts,
		               (int)ABUT_PARTS_MAX);
		return ABUT_ERROR_UNSUPPORTED;
	}
	const size_t n_bodies = (unsigned)def->n_bodies;
	model->bodies = calloc(n_bodies, sizeof *model->bodies);
	model->moving_body = calloc(n_bodies, sizeof *model->moving_body);
	model->parts = calloc((size_t)n_parts + 1, sizeof *model->parts);
	model->planes = calloc((size_t)n_parts + 1, sizeof *model->planes);
	model->name_block = malloc(names);
	if (!model->bodies || !model->moving_body || !model->parts || !model->planes || !model->name_block) {
		return out_of_memory(error);
	}
	char *name = model->name_block;
	for (int i = 0; i < def->n_bodies; i++) {
		model->bodies[i].name = name;
		const size_t length = strlen(def->bodies[i].name) + 1;
		memcpy(name, def->bodies[i].name, length);
		name += length;
	}
	model->n_bodies = def->n_bodies;
	return ABUT_OK;
}

static AbutStatus build(AbutModel *model, const AbutSceneDef *def, AbutError *error)
{
	AbutStatus status = allocate(model, def, error);
	model->options = def->solver;
	model->formulation =
	    def->solver.preset == ABUT_PRESET_PAPER ? abut_formulation_published : abut_formulation_default;
	model->collision_kappa = def->solver.collision_kappa > 0.0 ? def->solver.collision_kappa : def->solver.kappa;
	model->tolerance = def->solver.tolerance > 0.0 ? def->solver.tolerance : fmax(0.1 * def->solver.kappa, 1e-10);
	model->timestep_si = def->timestep;
	model->quasi_static = def->quasi_static;
	abut_copy3(def->gravity, model->gravity_si);
	for (int i = 0; status == ABUT_OK && i < def->n_bodies; i++) {
		status = copy_body(model, def, i, error);
	}
	if (status == ABUT_OK) {
		status = scale_model(model, error);
	}
	if (status == ABUT_OK && model->options.method == ABUT_METHOD_LCP) {
		status = abut_lcp_model_create(model, error);
	}
	return status == ABUT_OK ? abut_pair_rules_create(def, model, error) : status;
}

AbutStatus abut_model_create(const AbutSceneDef *def, AbutModel **out, AbutError *error)
{
	if (!out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "out is NULL; it must point to an AbutModel *");
	}
	*out = NULL;
	if (!def) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "def is NULL; it must point to a definition");
	}
	AbutStatus status = abut_scene_def_check(def, error);
	if (status != ABUT_OK) {
		return status;
	}
	AbutModel *model = calloc(1, sizeof *model);
	if (!model) {
		return out_of_memory(error);
	}
	status = build(model, def, error);
	if (status != ABUT_OK) {
		abut_model_destroy(model);
		return status;
	}
	*out = model;
	return ABUT_OK;
}

void abut_model_destroy(AbutModel *model)
{
	if (!model) {
		return;
	}
	for (int i = 0; i < model->n_parts; i++) {
		abut_shape_destroy(model->parts[i].shape);
		abut_conic_rows_destroy(&model->parts[i].rows);
		abut_manifold_shape_destroy(&model->parts[i].manifold);
	}
	free(model->bodies);
	free(model->moving_body);
	free(model->parts);
	free(model->planes);
	free(model->rules);
	free(model->name_block);
	free(model);
}

int abut_model_body_count(const AbutModel *model)
{
	return model->n_bodies;
}

const char *abut_model_body_name(const AbutModel *model, int body)
{
	return body >= 0 && body < model->n_bodies ? model->bodies[body].name : "";
}

bool abut_model_body_is_static(const AbutModel *model, int body)
{
	return body >= 0 && body < model->n_bodies && model->bodies[body].is_static;
}

double abut_model_body_mass(const AbutModel *model, int body)
{
	return body >= 0 && body < model->n_bodies ? model->bodies[body].mass_si : 0.0;
}

double abut_model_timestep(const AbutModel *model)
{
	return model->timestep_si;
}

int abut_model_pair_count(const AbutModel *model)
{
	return model->n_pairs < INT_MAX ? (int)model->n_pairs : INT_MAX;
}
