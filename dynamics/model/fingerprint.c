/* Computes a model's fingerprint from every number that a step reads and that is not part of the state
 * (tests/dynamics/state/test_snapshot_bytes.c). */
#include "dynamics/model/fingerprint.h"

#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/error.h"
#include "base/hash.h"
#include "dynamics/model/coupling.h"
#include "dynamics/model/joint_fingerprint.h"
#include "dynamics/model/sensor.h"

/* --- the settings --- */

typedef enum Kind { NUMBER, WHOLE, FLAG, NAME } Kind;

typedef struct Field {
	const char *path; /* path in a scene */
	Kind kind;
	size_t offset; /* offset in AbutModel */
	int n_names;   /* number of names, if an enumeration */
	const char *const *names;
} Field;

#define ABUT_X(constant, name) name,
static const char *const method_names[] = {ABUT_METHOD_LIST(ABUT_X)};
static const char *const finish_names[] = {ABUT_FINISH_LIST(ABUT_X)};
static const char *const cone_names[] = {ABUT_FRICTION_CONE_LIST(ABUT_X)};
static const char *const linear_names[] = {ABUT_LINEAR_SOLVER_LIST(ABUT_X)};
static const char *const rule_names[] = {ABUT_WARM_RULE_LIST(ABUT_X)};
static const char *const gap_names[] = {ABUT_LCP_GAP_LIST(ABUT_X)};
static const char *const lcp_names[] = {ABUT_LCP_SOLVER_LIST(ABUT_X)};
static const char *const convex_names[] = {ABUT_CONVEX_MODEL_LIST(ABUT_X)};
static const char *const preset_names[] = {ABUT_PRESET_LIST(ABUT_X)};
#undef ABUT_X

#define FIELD(PATH, KIND, MEMBER) .path = (PATH), .kind = (KIND), .offset = offsetof(AbutModel, MEMBER)
#define NAMES(LIST) .n_names = sizeof(LIST) / sizeof *(LIST), .names = (LIST)

static const Field fields[] = {
    [ABUT_FINGERPRINT_BODIES] = {FIELD("bodies", WHOLE, n_bodies)},
    [ABUT_FINGERPRINT_RULES] = {FIELD("contacts", WHOLE, pairing.n_rules)},
    [ABUT_FINGERPRINT_TIMESTEP] = {FIELD("timestep", NUMBER, timestep_si)},
    {FIELD("solver.method", NAME, options.method), NAMES(method_names)},
    {FIELD("gravity[0]", NUMBER, gravity_si[0])},
    {FIELD("gravity[1]", NUMBER, gravity_si[1])},
    {FIELD("gravity[2]", NUMBER, gravity_si[2])},
    {FIELD("restitution", NUMBER, pairing.restitution)},
    {FIELD("quasi_static", FLAG, quasi_static)},
    {FIELD("solver.preset", NAME, options.preset), NAMES(preset_names)},
    {FIELD("solver.kappa", NUMBER, options.kappa)},
    {FIELD("solver.tolerance", NUMBER, tolerance)},
    {FIELD("solver.max_iterations", WHOLE, options.max_iterations)},
    {FIELD("solver.finish", NAME, options.finish), NAMES(finish_names)},
    {FIELD("solver.friction_cone", NAME, options.friction_cone), NAMES(cone_names)},
    {FIELD("solver.linear_solver", NAME, options.linear_solver), NAMES(linear_names)},
    {FIELD("solver.retry", FLAG, options.retry)},
    {FIELD("solver.warm_start", FLAG, options.warm_start)},
    {FIELD("solver.warm_start_rule", NAME, options.warm_start_rule), NAMES(rule_names)},
    {FIELD("solver.collision_kappa", NUMBER, collision_kappa)},
    {FIELD("solver.lcp_gap", NAME, options.lcp_gap), NAMES(gap_names)},
    {FIELD("solver.lcp_solver", NAME, options.lcp_solver), NAMES(lcp_names)},
    {FIELD("solver.convex_model", NAME, options.convex_model), NAMES(convex_names)},
    {FIELD("solver.solref[0]", NUMBER, pairing.soft.solref[0])},
    {FIELD("solver.solref[1]", NUMBER, pairing.soft.solref[1])},
    {FIELD("solver.solimp[0]", NUMBER, pairing.soft.solimp[0])},
    {FIELD("solver.solimp[1]", NUMBER, pairing.soft.solimp[1])},
    {FIELD("solver.solimp[2]", NUMBER, pairing.soft.solimp[2])},
    {FIELD("solver.solimp[3]", NUMBER, pairing.soft.solimp[3])},
    {FIELD("solver.solimp[4]", NUMBER, pairing.soft.solimp[4])},
    {FIELD("solver.impratio", NUMBER, options.impratio)},
    {FIELD("solver.margin", NUMBER, pairing.soft.margin)},
    {FIELD("contacts", FLAG, pairing.all_pairs)},
    {FIELD("the unit of length", NUMBER, units.length)},
    {FIELD("the unit of mass", NUMBER, units.mass)},
    {FIELD("the unit of time", NUMBER, units.time)},
};

/* The units follow from all other values. They come last, because otherwise a difference in units would hide the value
 * that causes it. */
enum { UNITS = 3, FIXED = sizeof fields / sizeof *fields - UNITS };

static uint64_t field_word(const AbutModel *model, const Field *field)
{
	const char *at = (const char *)model + field->offset;
	if (field->kind == NUMBER) {
		return abut_bits(*(const double *)(const void *)at);
	}
	/* Enumerations are read as unsigned: their constants are small and not negative. */
	return field->kind == FLAG ? *(const bool *)(const void *)at : (uint64_t) * (const unsigned *)(const void *)at;
}

/* --- a body --- */

typedef enum Trait { IDENTITY, MOTION, SHAPE, MASS, INERTIA, FRICTION, TRAITS } Trait;

static uint64_t add_numbers(uint64_t hash, const double *values, size_t n)
{
	return n > 0 ? abut_hash_bytes(hash, values, n * sizeof *values) : hash;
}

static uint64_t add_counts(uint64_t hash, const int *values, size_t n)
{
	return n > 0 ? abut_hash_bytes(hash, values, n * sizeof *values) : hash;
}

/* Adds the support values of a smooth shape in some directions to the hash, because its functions cannot be hashed. */
static uint64_t add_furthest(uint64_t hash, const AbutShape *shape)
{
	for (int i = 0; i < 27; i++) {
		const int along[3] = {i % 3, i / 3 % 3, i / 9};
		const double direction[3] = {along[0] - 1.0, along[1] - 0.9, along[2] - 0.8};
		const double reach = abut_shape_support(shape, direction, NULL);
		hash = add_numbers(hash, &reach, 1);
	}
	return hash;
}

static uint64_t add_shape(uint64_t hash, const AbutShape *shape)
{
	const int counts[] = {(int)shape->kind, shape->n_rows, shape->n_eps,
	                      shape->n_orthant, shape->n_soc,  shape->n_vertices};
	const size_t rows = (size_t)shape->n_rows;
	hash = add_counts(hash, counts, sizeof counts / sizeof *counts);
	hash = add_counts(hash, shape->soc_dim, (size_t)shape->n_soc);
	if (!shape->smooth) {
		hash = add_numbers(hash, shape->A, 3 * rows);
		hash = add_numbers(hash, shape->B, rows * (size_t)shape->n_eps);
		hash = add_numbers(hash, shape->d, rows);
		hash = add_numbers(hash, shape->h, rows);
	} else {
		hash = add_furthest(hash, shape);
	}
	hash = add_numbers(hash, shape->centre, 3);
	hash = add_numbers(hash, &shape->outer_radius, 1);
	hash = add_numbers(hash, shape->position, 3);
	hash = add_numbers(hash, shape->rotation, 9);
	hash = add_numbers(hash, shape->size, 3);
	return add_numbers(hash, shape->vertices, 3 * (size_t)shape->n_vertices);
}

static uint64_t shapes_word(const AbutModel *model, const AbutBody *body)
{
	uint64_t hash = add_counts(ABUT_HASH_START, &body->n_parts, 1);
	for (int i = 0; i < body->n_parts; i++) {
		const AbutPart *part = &model->parts[body->first_part + i];
		hash = add_numbers(add_shape(hash, part->shape), &part->scale, 1);
	}
	return hash;
}

static uint64_t body_word(const AbutModel *model, int index, Trait trait)
{
	const AbutBody *body = &model->bodies[index];
	switch (trait) {
	case IDENTITY:
		return abut_hash_bytes(ABUT_HASH_START, body->name, strlen(body->name));
	case MOTION:
		return (body->is_static ? 1u : 0u) + (body->planar ? 2u : 0u);
	case MASS:
		return abut_bits(body->mass_si);
	case INERTIA:
		return add_numbers(add_numbers(ABUT_HASH_START, body->inertia_si, 9), body->centre_of_mass, 3);
	case FRICTION:
		return abut_bits(body->friction);
	case SHAPE:
	case TRAITS:
		break;
	}
	return shapes_word(model, body);
}

/* --- a rule --- */

static uint64_t rule_word(const AbutPairRule *rule)
{
	const int counts[] = {rule->body[0], rule->body[1], rule->allowed, rule->turned};
	const double numbers[] = {rule->friction, rule->restitution, rule->torsional_radius, rule->torsional_change,
	                          rule->soft.margin};
	uint64_t hash = add_counts(ABUT_HASH_START, counts, sizeof counts / sizeof *counts);
	hash = add_numbers(hash, numbers, sizeof numbers / sizeof *numbers);
	return add_numbers(add_numbers(hash, rule->soft.solref, 2), rule->soft.solimp, 5);
}

static uint64_t part_rule_word(const AbutPartRule *rule)
{
	const double numbers[] = {rule->friction, rule->restitution, rule->torsional_radius, rule->soft.margin};
	uint64_t hash = add_counts(ABUT_HASH_START, rule->part, 2);
	hash = add_numbers(hash, numbers, sizeof numbers / sizeof *numbers);
	return add_numbers(add_numbers(hash, rule->soft.solref, 2), rule->soft.solimp, 5);
}

/* --- a coupling --- */

static uint64_t coupling_word(const AbutCoupling *coupling)
{
	const int counts[] = {coupling->joint[0], coupling->joint[1], coupling->axis[0], coupling->axis[1]};
	const double numbers[] = {coupling->factor[1], coupling->offset};
	uint64_t hash = add_numbers(add_counts(ABUT_HASH_START, counts, 4), numbers, 2);
	if (coupling->yields) {
		hash = add_counts(hash, (const int[]){coupling->tendon}, 1);
		hash = add_numbers(add_numbers(hash, coupling->soft.solref, 2), coupling->soft.solimp, 5);
	}
	return hash;
}

/* Sensors do not change the motion, but a state keeps their values. */
static uint64_t sensor_word(const AbutSensor *sensor)
{
	const int counts[] = {(int)sensor->type, sensor->joint, sensor->place.body};
	uint64_t hash = abut_hash_bytes(ABUT_HASH_START, sensor->name, strlen(sensor->name));
	hash = add_counts(hash, counts, sizeof counts / sizeof *counts);
	return add_numbers(add_numbers(hash, sensor->place.position, 3), sensor->place.axes, 9);
}

/* --- all words --- */

/* Returns the index of the first word of the rules. */
static size_t after_bodies(const AbutModel *model)
{
	return FIXED + TRAITS * (size_t)model->n_bodies;
}

/* Returns the index of the first word of the rules of parts. */
static size_t after_body_rules(const AbutModel *model)
{
	return after_bodies(model) + (size_t)model->pairing.n_rules;
}

/* Returns the index of the first word of the joints. */
static size_t after_rules(const AbutModel *model)
{
	return after_body_rules(model) + (size_t)model->pairing.n_part_rules;
}

/* Returns the index of the first word of the couplings. */
static size_t after_joints(const AbutModel *model)
{
	return after_rules(model) + ABUT_JOINT_WORDS * (size_t)model->joints.n;
}

/* Returns the index of the first word of the sensors. */
static size_t after_couplings(const AbutModel *model)
{
	return after_joints(model) + (size_t)model->joints.n_couplings;
}

/* Returns the index of the first word of the units. */
static size_t after_sensors(const AbutModel *model)
{
	return after_couplings(model) + (size_t)model->sensors.n;
}

size_t abut_fingerprint_size(const AbutModel *model)
{
	return after_sensors(model) + UNITS;
}

/* Returns the setting of a word, or NULL if the word belongs to a body, a rule, a joint, a coupling or a sensor. */
static const Field *field_of(const AbutModel *model, size_t index)
{
	const size_t units = after_sensors(model);
	return index < FIXED ? &fields[index] : index >= units ? &fields[FIXED + index - units] : NULL;
}

uint64_t abut_fingerprint_word(const AbutModel *model, size_t index)
{
	const Field *field = field_of(model, index);
	if (field) {
		return field_word(model, field);
	}
	if (index < after_bodies(model)) {
		index -= FIXED;
		return body_word(model, (int)(index / TRAITS), (Trait)(index % TRAITS));
	}
	if (index < after_body_rules(model)) {
		return rule_word(&model->pairing.rules[index - after_bodies(model)]);
	}
	if (index < after_rules(model)) {
		return part_rule_word(&model->pairing.part_rules[index - after_body_rules(model)]);
	}
	if (index < after_joints(model)) {
		index -= after_rules(model);
		return abut_joint_word(&model->joints.at[index / ABUT_JOINT_WORDS], (int)(index % ABUT_JOINT_WORDS));
	}
	return index < after_couplings(model) ? coupling_word(&model->joints.couplings[index - after_joints(model)])
	                                      : sensor_word(&model->sensors.at[index - after_couplings(model)]);
}

/* Writes a value as it appears in messages. */
static const char *value_text(const Field *field, uint64_t word, char out[48])
{
	double number = 0.0;
	memcpy(&number, &word, sizeof number);
	switch (field->kind) {
	case NUMBER:
		snprintf(out, 48, "%.17g", number);
		break;
	case FLAG:
		snprintf(out, 48, "%s", word ? "true" : "false");
		break;
	case NAME:
		snprintf(out, 48, "%s", word < (uint64_t)field->n_names ? field->names[word] : "unknown");
		break;
	case WHOLE:
		snprintf(out, 48, "%llu", (unsigned long long)word);
	}
	return out;
}

static AbutStatus refuse_field(const AbutModel *model, const Field *field, uint64_t theirs, AbutError *error)
{
	const char *what = field == &fields[ABUT_FINGERPRINT_BODIES]  ? " bodies"
	                   : field == &fields[ABUT_FINGERPRINT_RULES] ? " pairs of its own"
	                                                              : "";
	char their_text[48], own_text[48];
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, field->path,
	                      "is %s%s in the snapshot and %s in the model: the snapshot is of another model",
	                      value_text(field, theirs, their_text), what,
	                      value_text(field, field_word(model, field), own_text));
}

static AbutStatus refuse_body(const AbutModel *model, int index, Trait trait, uint64_t theirs, AbutError *error)
{
	static const struct {
		const char *path, *what;
	} traits[TRAITS] = {[IDENTITY] = {".name", "has another name"},
	                    [MOTION] = {"", "is not as free to move"},
	                    [MASS] = {".mass", ""},
	                    [INERTIA] = {".inertia", "has another inertia or centre of mass"},
	                    [FRICTION] = {".friction", ""},
	                    [SHAPE] = {".shape", "has another shape"}};
	const AbutBody *body = &model->bodies[index];
	char where[64];
	double their_value = 0.0, own_value = 0.0;
	const uint64_t own = body_word(model, index, trait);
	snprintf(where, sizeof where, "bodies[%d]%s", index, traits[trait].path);
	memcpy(&their_value, &theirs, sizeof their_value);
	memcpy(&own_value, &own, sizeof own_value);
	if (trait == MASS || trait == FRICTION) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, where,
		    "of '%s' is %.17g in the snapshot and %.17g in the model: the snapshot is of another model",
		    body->name, their_value, own_value);
	}
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
	                      "'%s' %s in the snapshot: the snapshot is of another model", body->name,
	                      traits[trait].what);
}

static AbutStatus refuse(const AbutModel *model, size_t index, uint64_t theirs, AbutError *error)
{
	const Field *field = field_of(model, index);
	if (field) {
		return refuse_field(model, field, theirs, error);
	}
	if (index < after_bodies(model)) {
		index -= FIXED;
		return refuse_body(model, (int)(index / TRAITS), (Trait)(index % TRAITS), theirs, error);
	}
	if (index >= after_couplings(model)) {
		char where[64];
		snprintf(where, sizeof where, "sensors[%zu]", index - after_couplings(model));
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
		                      "'%s' measures something else in the snapshot: the snapshot is of another model",
		                      model->sensors.at[index - after_couplings(model)].name);
	}
	if (index >= after_joints(model)) {
		char where[64];
		snprintf(where, sizeof where, "couplings[%zu]", index - after_joints(model));
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
		                      "has other joints or values in the snapshot: the snapshot is of another model");
	}
	if (index >= after_rules(model)) {
		const size_t joint = (index - after_rules(model)) / ABUT_JOINT_WORDS;
		const char *key = abut_joint_word_key((int)((index - after_rules(model)) % ABUT_JOINT_WORDS));
		char where[64];
		snprintf(where, sizeof where, "joints[%zu].%s", joint, key);
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
		                      "'%s' has another %s in the snapshot: the snapshot is of another model",
		                      model->joints.at[joint].name, key);
	}
	const bool of_parts = index >= after_body_rules(model);
	const AbutPartRule *own = &model->pairing.part_rules[of_parts ? index - after_body_rules(model) : 0];
	const int bodies[2] = {
	    of_parts ? model->parts[own->part[0]].body : model->pairing.rules[index - after_bodies(model)].body[0],
	    of_parts ? model->parts[own->part[1]].body : model->pairing.rules[index - after_bodies(model)].body[1]};
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, "contacts",
	                      "the pair of '%s' and '%s' has other values in the snapshot, or another stands in its "
	                      "place: the snapshot is of another model",
	                      model->bodies[bodies[0]].name, model->bodies[bodies[1]].name);
}

AbutStatus abut_fingerprint_compare(const AbutModel *model, size_t n, const uint64_t *words, AbutError *error)
{
	const size_t own = abut_fingerprint_size(model);
	for (size_t i = 0; i < own && i < n; i++) {
		if (abut_fingerprint_word(model, i) != words[i]) {
			return refuse(model, i, words[i], error);
		}
	}
	return n == own ? ABUT_OK
	                : abut_error_set(error, ABUT_ERROR_PARSE, NULL,
	                                 "the snapshot describes its model in %zu words; this model takes %zu", n, own);
}
