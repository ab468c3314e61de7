/* Builds a model from a scene definition, once: mass properties, units, pairs and all sizes. */
#include "dynamics/model/build.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "collision/manifold/shape.h"
#include "collision/query/union_mass.h"
#include "collision/rows/conic_rows.h"
#include "dynamics/model/check.h"
#include "dynamics/model/coupling.h"
#include "dynamics/model/joint.h"
#include "dynamics/model/joints_check.h"
#include "dynamics/model/light_links.h"
#include "dynamics/model/pair.h"
#include "dynamics/model/scale.h"
#include "dynamics/model/sensor.h"
#include "dynamics/model/sensors_check.h"
#include "shapes/core/mass.h"

/* Computes volume, centre of mass and inertia of a body's parts at density 1. A volume in which parts overlap counts
 * once, unless the result is not needed. */
static AbutStatus parts_mass(const AbutBodyDef *def, int index, AbutStopper *stop, AbutMassProperties *out,
                             AbutError *error)
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
	status = status == ABUT_OK ? abut_bundle_weigh(&parts, stop, out, NULL, &own) : status;
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

static AbutStatus body_mass(const AbutBodyDef *def, int index, AbutStopper *stop, AbutBody *body, AbutError *error)
{
	AbutMassProperties mass = {.volume = 0.0};
	ABUT_TRY(parts_mass(def, index, stop, &mass, error));
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
	return abut_body_mass_check(def->name, body->mass_si, body->inertia_si, where, error);
}

static AbutStatus copy_body(AbutModel *model, const AbutSceneDef *def, int index, AbutStopper *stop, AbutError *error)
{
	const AbutBodyDef *source = &def->bodies[index];
	AbutBody *body = &model->bodies[index];
	body->is_static = source->is_static;
	body->planar = source->planar_xz;
	body->moving = -1;
	body->n_parts = source->n_parts;
	body->first_part = model->n_parts;
	ABUT_TRY(body_mass(source, index, stop, body, error));
	for (int i = 0; i < source->n_parts; i++) {
		AbutPart *part = &model->parts[model->n_parts];
		ABUT_TRY(abut_shape_clone(source->parts[i], &part->shape, error));
		part->body = index;
		part->divisor = part->shape->outer_radius;
		model->n_parts++;
	}
	body->friction = source->friction >= 0.0 ? source->friction : def->friction;
	AbutBodyState *initial = &body->initial;
	abut_copy3(source->position, initial->position);
	memcpy(initial->orientation, source->orientation, sizeof initial->orientation);
	abut_quat_normalise(initial->orientation);
	abut_copy3(initial->position, body->home_position);
	memcpy(body->home_orientation, initial->orientation, sizeof body->home_orientation);
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

/* Computes the model's units. Length is the mean outer radius of the moving bodies. Mass is the geometric mean, so that
 * one heavy body does not dominate. Time is sqrt(length / g). Without gravity, it is the smallest of three kinds of
 * times: a hundred timesteps, and the times in which velocities or forces move a body by its size. */
static AbutUnits model_units(const AbutModel *model)
{
	double length = 0.0, log_mass = 0.0, speed = 0.0, push = 0.0;
	for (int i = 0; i < model->n_moving; i++) {
		const AbutBody *body = &model->bodies[model->moving_body[i]];
		const double radius = abut_model_body_radius(model, model->moving_body[i]);
		length += radius / model->n_moving;
		log_mass += log(body->mass_si) / model->n_moving;
		push = fmax(push, abut_norm3(body->force) / body->mass_si);
		speed = fmax(speed, abut_norm3(body->initial.linear_velocity) +
		                        radius * abut_norm3(body->initial.angular_velocity));
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

static AbutStatus scale_model(AbutModel *model, AbutError *error)
{
	static const AbutUnits si = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
	model->units = model->formulation.published ? si : model_units(model);
	return abut_model_scale(model, error);
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
		return abut_model_no_memory(error);
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
	ABUT_TRY(allocate(model, def, error));
	model->options = def->solver;
	model->pairing.restitution = def->restitution;
	model->pairing.soft = abut_softness(&def->solver, NULL);
	model->formulation =
	    def->solver.preset == ABUT_PRESET_PAPER ? abut_formulation_published : abut_formulation_default;
	model->collision_kappa = def->solver.collision_kappa > 0.0 ? def->solver.collision_kappa : def->solver.kappa;
	model->tolerance = def->solver.tolerance > 0.0
	                       ? def->solver.tolerance
	                       : fmax(0.1 * def->solver.kappa, model->method->has.least_tolerance);
	model->timestep_si = def->timestep;
	model->quasi_static = def->quasi_static;
	abut_copy3(def->gravity, model->gravity_si);
	AbutStopper stop;
	abut_stopper_set(&stop, def->stop);
	abut_stopper_begin(&stop);
	for (int i = 0; i < def->n_bodies; i++) {
		ABUT_TRY(copy_body(model, def, i, &stop, error));
	}
	ABUT_TRY(scale_model(model, error));
	ABUT_TRY(abut_joints_create(def, model, error));
	ABUT_TRY(abut_light_links_check(model, error));
	ABUT_TRY(abut_light_links_weigh(model, error));
	ABUT_TRY(abut_couplings_create(def, model, error));
	ABUT_TRY(abut_sensors_create(def, model, error));
	return abut_pair_rules_create(def, model, error);
}

AbutStatus abut_model_build(const AbutSceneDef *def, const AbutMethodRow *method, AbutModel **out, AbutError *error)
{
	ABUT_TRY(abut_scene_def_check(def, method, error));
	ABUT_TRY(abut_sensors_check(def, error));
	AbutModel *model = calloc(1, sizeof *model);
	if (!model) {
		return abut_model_no_memory(error);
	}
	model->method = method;
	AbutStatus status = build(model, def, error);
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
	if (model->method_parts) {
		model->method->unmake(model);
	}
	free(model->bodies);
	free(model->moving_body);
	free(model->parts);
	free(model->planes);
	free(model->pairing.rules);
	free(model->pairing.part_rules);
	free(model->joints.at);
	free(model->name_block);
	free(model->joints.names);
	free(model->joints.couplings);
	free(model->sensors.at);
	free(model->sensors.sites);
	free(model->sensors.of_body);
	free(model->sensors.names);
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
	return model->pairing.n_pairs < INT_MAX ? (int)model->pairing.n_pairs : INT_MAX;
}
