/* AbutSceneDef -> AbutModel: mass properties, units, pairs and every offset, once. */
#include "dynamics/model.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/friction.h"
#include "dynamics/model_check.h"

static AbutStatus out_of_memory(AbutError *error)
{
	abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while making the model");
	return ABUT_ERROR_MEMORY;
}

/* Volume, centre of mass and inertia of all parts, density 1. Parts count in full where they overlap. */
static AbutMassProperties parts_mass(const AbutBodyDef *def)
{
	AbutMassProperties total = {.volume = 0.0};
	for (int i = 0; i < def->n_parts; i++) {
		const AbutMassProperties *part = &def->parts[i]->mass;
		total.volume += part->volume;
		for (int j = 0; j < 3; j++) {
			total.centre_of_mass[j] += part->volume * part->centre_of_mass[j];
		}
	}
	for (int j = 0; j < 3 && total.volume > 0.0; j++) {
		total.centre_of_mass[j] /= total.volume;
	}
	for (int i = 0; i < def->n_parts; i++) {
		const AbutMassProperties *part = &def->parts[i]->mass;
		double offset[3];
		for (int j = 0; j < 3; j++) {
			offset[j] = part->centre_of_mass[j] - total.centre_of_mass[j];
		}
		const double square = abut_dot3(offset, offset);
		for (int j = 0; j < 3; j++) {
			for (int k = 0; k < 3; k++) {
				total.inertia[3 * j + k] +=
				    part->inertia[3 * j + k] +
				    part->volume * ((j == k ? square : 0.0) - offset[j] * offset[k]);
			}
		}
	}
	return total;
}

static AbutStatus body_mass(const AbutBodyDef *def, int index, AbutBody *body, AbutError *error)
{
	const AbutMassProperties mass = parts_mass(def);
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
		model->n_parts++;
		double offset[3];
		for (int j = 0; j < 3; j++) {
			offset[j] = part->shape->centre[j] - body->centre_of_mass[j];
		}
		body->radius = fmax(body->radius, abut_norm3(offset) + part->shape->outer_radius);
	}
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

static AbutStatus scale_model(AbutModel *model, AbutError *error)
{
	model->units = model_units(model);
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
		for (int j = 0; j < body->n_parts; j++) {
			AbutPart *part = &model->parts[body->first_part + j];
			if (abut_conic_rows_create(part->shape, body->centre_of_mass, u->length, &part->rows) !=
			    ABUT_OK) {
				return out_of_memory(error);
			}
			const int scratch = abut_conic_rows_scratch(&part->rows);
			model->scratch = scratch > model->scratch ? scratch : model->scratch;
		}
	}
	return ABUT_OK;
}

static const AbutPairDef *listed_pair(const AbutSceneDef *def, int a, int b, bool *flipped)
{
	for (int i = 0; i < def->n_pairs; i++) {
		const AbutPairDef *pair = &def->pairs[i];
		if ((pair->body_a == a && pair->body_b == b) || (pair->body_a == b && pair->body_b == a)) {
			*flipped = pair->body_a == b;
			return pair;
		}
	}
	return NULL;
}

static bool excluded(const AbutSceneDef *def, int a, int b)
{
	for (int i = 0; i < def->n_exclude; i++) {
		if ((def->exclude[i][0] == a && def->exclude[i][1] == b) ||
		    (def->exclude[i][0] == b && def->exclude[i][1] == a)) {
			return true;
		}
	}
	return false;
}

static double body_friction(const AbutSceneDef *def, int body)
{
	return def->bodies[body].friction >= 0.0 ? def->bodies[body].friction : def->friction;
}

/* One pair of parts; a and b as the user ordered them. */
static void fill_pair(AbutModel *model, const AbutSceneDef *def, const AbutPairDef *listed, int a, int b, int part_a,
                      int part_b, AbutPair *pair)
{
	const AbutBody *bodies = model->bodies;
	const AbutPart *shape_a = &model->parts[bodies[a].first_part + part_a];
	/* side 0: moving and bounded */
	pair->flipped = bodies[a].is_static || !shape_a->rows.bounded;
	pair->body[0] = pair->flipped ? b : a;
	pair->body[1] = pair->flipped ? a : b;
	pair->local_part[0] = pair->flipped ? part_b : part_a;
	pair->local_part[1] = pair->flipped ? part_a : part_b;
	pair->outer_radius = 0.0;
	int n_rows = 0, n_eps = 0;
	for (int i = 0; i < 2; i++) {
		pair->part[i] = bodies[pair->body[i]].first_part + pair->local_part[i];
		const AbutConicRows *rows = &model->parts[pair->part[i]].rows;
		pair->outer_radius += rows->outer_radius;
		n_rows += rows->n_rows;
		n_eps += rows->n_eps;
	}
	pair->mu =
	    listed && listed->friction >= 0.0 ? listed->friction : sqrt(body_friction(def, a) * body_friction(def, b));
	pair->torsional_radius = listed && listed->torsional_radius >= 0.0
	                             ? listed->torsional_radius / model->units.length
	                             : 0.1 * pair->outer_radius;
	pair->tail = pair->mu == 0.0 ? 0 : pair->torsional_radius == 0.0 ? 2 : 3;
	if (pair->tail < 3) {
		pair->torsional_radius = 0.0;
	}
	const AbutFrictionCone cone = model->options.friction_cone;
	int law = 0;
	pair->n_cones = 2; /* gamma and lambda_alpha */
	law += 2 * abut_cone_law_size(ABUT_CONE_ORTHANT, 1);
	pair->n_cones += abut_friction_cones(cone, pair->tail, 0, &law, NULL);
	for (int i = 0; i < 2; i++) {
		pair->n_cones += abut_conic_rows_cones(&model->parts[pair->part[i]].rows, 0, 1.0, &law, NULL);
	}
	pair->n_y = 4 + n_eps + abut_friction_n_y(cone, pair->tail);
	pair->n_z = 2 + n_rows + abut_friction_n_z(cone, pair->tail);
	pair->y_offset = model->n_y_pairs;
	pair->z_offset = model->n_z_pairs;
	model->n_y_pairs += pair->n_y;
	model->n_z_pairs += pair->n_z;
	model->n_cones += pair->n_cones;
	model->n_law += law;
}

/* Visits every pair of parts that may touch; with pairs == NULL only counts. */
static int64_t visit_pairs(AbutModel *model, const AbutSceneDef *def, AbutPair *pairs)
{
	int64_t count = 0;
	for (int i = 0; i < def->n_bodies; i++) {
		for (int j = i + 1; j < def->n_bodies; j++) {
			bool flipped = false;
			const AbutPairDef *listed = listed_pair(def, i, j, &flipped);
			const bool both_static = def->bodies[i].is_static && def->bodies[j].is_static;
			if (both_static || (!listed && (!def->all_pairs || excluded(def, i, j)))) {
				continue;
			}
			const int a = flipped ? j : i, b = flipped ? i : j;
			if (!pairs) {
				count += (int64_t)def->bodies[a].n_parts * def->bodies[b].n_parts;
				continue;
			}
			for (int p = 0; p < def->bodies[a].n_parts; p++) {
				for (int q = 0; q < def->bodies[b].n_parts; q++, count++) {
					fill_pair(model, def, listed, a, b, p, q, &pairs[count]);
				}
			}
		}
	}
	return count;
}

/* Entries that the largest possible pair has in the arrays of a step: laws of second-order cones count most. */
static int64_t largest_pair(const AbutModel *model)
{
	int64_t largest = 0;
	for (int i = 0; i < model->n_parts; i++) {
		int law = 0;
		const AbutConicRows *rows = &model->parts[i].rows;
		abut_conic_rows_cones(rows, 0, 1.0, &law, NULL);
		const int64_t size = (int64_t)law + rows->n_rows + rows->n_eps;
		largest = size > largest ? size : largest;
	}
	return 2 * largest + 64;
}

static AbutStatus allocate(AbutModel *model, const AbutSceneDef *def, AbutError *error)
{
	int64_t n_parts = 0;
	size_t names = 1;
	for (int i = 0; i < def->n_bodies; i++) {
		n_parts += def->bodies[i].n_parts;
		names += strlen(def->bodies[i].name) + 1;
	}
	if (n_parts > ABUT_PAIRS_MAX) {
		abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "bodies",
		               "the scene has %lld parts; at most %d are taken", (long long)n_parts,
		               (int)ABUT_PAIRS_MAX);
		return ABUT_ERROR_UNSUPPORTED;
	}
	const size_t n_bodies = (unsigned)def->n_bodies;
	model->bodies = calloc(n_bodies, sizeof *model->bodies);
	model->moving_body = calloc(n_bodies, sizeof *model->moving_body);
	model->parts = calloc((size_t)n_parts + 1, sizeof *model->parts);
	model->name_block = malloc(names);
	if (!model->bodies || !model->moving_body || !model->parts || !model->name_block) {
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

static int compare_partners(const void *a, const void *b)
{
	return ((const AbutPartner *)a)->part - ((const AbutPartner *)b)->part;
}

/* Lists of partners by part, and of pairs with a halfspace, from the pairs. */
static AbutStatus index_pairs(AbutModel *model, AbutError *error)
{
	const size_t n_parts = (size_t)model->n_parts, n_pairs = (size_t)model->n_pairs;
	model->first_partner = calloc(n_parts + 2, sizeof *model->first_partner);
	model->partners = calloc(2 * n_pairs + 1, sizeof *model->partners);
	model->plane_pairs = calloc(n_pairs + 1, sizeof *model->plane_pairs);
	if (!model->first_partner || !model->partners || !model->plane_pairs) {
		return out_of_memory(error);
	}
	int *first = model->first_partner;
	for (int i = 0; i < model->n_pairs; i++) {
		const AbutPair *pair = &model->pairs[i];
		if (!model->parts[pair->part[1]].rows.bounded) {
			model->plane_pairs[model->n_plane_pairs++] = i;
			continue;
		}
		first[pair->part[0] + 2]++;
		first[pair->part[1] + 2]++;
	}
	for (int i = 0; i < model->n_parts; i++) {
		first[i + 2] += first[i + 1];
	}
	for (int i = 0; i < model->n_pairs; i++) {
		const AbutPair *pair = &model->pairs[i];
		for (int s = 0; s < 2 && model->parts[pair->part[1]].rows.bounded; s++) {
			model->partners[first[pair->part[s] + 1]++] =
			    (AbutPartner){.part = pair->part[1 - s], .pair = i};
		}
	}
	for (int i = 0; i < model->n_parts; i++) { /* the parts of a body may have been visited out of order */
		qsort(&model->partners[first[i]], (size_t)(first[i + 1] - first[i]), sizeof *model->partners,
		      compare_partners);
	}
	return ABUT_OK;
}

static AbutStatus build(AbutModel *model, const AbutSceneDef *def, AbutError *error)
{
	AbutStatus status = allocate(model, def, error);
	model->options = def->solver;
	model->tolerance = def->solver.tolerance > 0.0 ? def->solver.tolerance : fmax(0.1 * def->solver.kappa, 1e-10);
	model->timestep_si = def->timestep;
	abut_copy3(def->gravity, model->gravity_si);
	for (int i = 0; status == ABUT_OK && i < def->n_bodies; i++) {
		status = copy_body(model, def, i, error);
	}
	if (status == ABUT_OK) {
		status = scale_model(model, error);
	}
	if (status != ABUT_OK) {
		return status;
	}
	const int64_t n_pairs = visit_pairs(model, def, NULL);
	if (n_pairs > ABUT_PAIRS_MAX || n_pairs * largest_pair(model) > INT_MAX / 8) {
		return abut_error_set(
		    error, ABUT_ERROR_UNSUPPORTED, "contacts",
		    "%lld pairs of parts may touch; this version takes at most %d, fewer for shapes of many "
		    "faces: list the pairs, or exclude some",
		    (long long)n_pairs, (int)ABUT_PAIRS_MAX);
	}
	model->n_pairs = (int)n_pairs;
	model->pairs = calloc((size_t)model->n_pairs + 1, sizeof *model->pairs);
	if (!model->pairs) {
		return out_of_memory(error);
	}
	visit_pairs(model, def, model->pairs);
	return index_pairs(model, error);
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
	}
	free(model->bodies);
	free(model->moving_body);
	free(model->parts);
	free(model->pairs);
	free(model->first_partner);
	free(model->partners);
	free(model->plane_pairs);
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

int abut_model_contact_count(const AbutModel *model)
{
	return model->n_pairs;
}
