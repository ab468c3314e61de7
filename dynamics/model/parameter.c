/* Lists the parameters of a model, and returns their names and values. Tested in
 * tests/dynamics/parameter/test_parameter.c. */
#include "dynamics/model/parameter.h"

#include <stdio.h>

#include "base/error.h"
#include "dynamics/model/joint.h"
#include "dynamics/model/joint_parameter.h"
#include "dynamics/model/pair.h"
#include "shapes/change/face.h"
#include "shapes/change/size.h"

const char *abut_parameter_kind_name(AbutParameterKind kind)
{
	static const char *const names[] = {
#define ABUT_X(constant, name) name,
	    ABUT_PARAMETER_LIST(ABUT_X)
#undef ABUT_X
	};
	return (unsigned)kind < ABUT_PARAMETER_COUNT ? names[kind] : "unknown";
}

bool abut_parameter_supported(const AbutModel *model, AbutParameterKind kind)
{
	return !model->method->has_parameter || model->method->has_parameter(kind);
}

/* --- owners of parameters --- */

typedef enum Owner { OWNER_SCENE, OWNER_BODY, OWNER_PAIR, OWNER_PART, OWNER_JOINT } Owner;

/* The owner of each kind of parameter but those of joints, and its number of indices; 0: the shape of the part decides.
 */
static const struct {
	Owner owner;
	int n_indices;
} kinds[ABUT_PARAMETER_MOTOR] = {[ABUT_PARAMETER_TIMESTEP] = {OWNER_SCENE, 1},
                                 [ABUT_PARAMETER_GRAVITY] = {OWNER_SCENE, 3},
                                 [ABUT_PARAMETER_MASS] = {OWNER_BODY, 1},
                                 [ABUT_PARAMETER_INERTIA] = {OWNER_BODY, 6},
                                 [ABUT_PARAMETER_CENTRE_OF_MASS] = {OWNER_BODY, 3},
                                 [ABUT_PARAMETER_FRICTION] = {OWNER_PAIR, 1},
                                 [ABUT_PARAMETER_TORSIONAL_RADIUS] = {OWNER_PAIR, 1},
                                 [ABUT_PARAMETER_SIZE] = {OWNER_PART, 0},
                                 [ABUT_PARAMETER_FACE] = {OWNER_PART, 0},
                                 [ABUT_PARAMETER_PART_POSITION] = {OWNER_PART, 3},
                                 [ABUT_PARAMETER_PART_ROTATION] = {OWNER_PART, 3}};

static Owner owner_of(AbutParameterKind kind)
{
	return abut_parameter_of_joint(kind) ? OWNER_JOINT : kinds[kind].owner;
}

/* Returns the number of indices of a kind; `shape` is the part's shape, for kinds of parts. */
static int index_count(AbutParameterKind kind, const AbutShape *shape)
{
	if (shape && kind == ABUT_PARAMETER_SIZE) {
		return abut_shape_size_count(shape->kind);
	}
	if (shape && kind == ABUT_PARAMETER_FACE) {
		return 4 * abut_shape_face_count(shape);
	}
	return abut_parameter_of_joint(kind) ? 0 : kinds[kind].n_indices;
}

void abut_parameter_inertia_entry(int index, int entry[2])
{
	static const int entries[6][2] = {{0, 0}, {4, 4}, {8, 8}, {1, 3}, {2, 6}, {5, 7}};
	entry[0] = entries[index][0];
	entry[1] = entries[index][1];
}

int abut_parameter_part(const AbutModel *model, const AbutParameter *parameter)
{
	return model->bodies[parameter->body].first_part + parameter->part;
}

/* Returns whether the two bodies form a pair: they may touch, and at least one of them moves. */
static bool pair_of(const AbutModel *model, int body, int other)
{
	return abut_pair_allowed(model, model->bodies[body].first_part, model->bodies[other].first_part);
}

/* --- the list --- */

typedef struct List {
	const AbutModel *model;
	AbutParameterKind kind;
	int capacity, n;
	AbutParameter *out;
} List;

static void append(List *list, int body, int other, int part, const AbutShape *shape)
{
	const int n = index_count(list->kind, shape);
	for (int i = 0; i < n; i++) {
		if (list->n < list->capacity) {
			list->out[list->n] = (AbutParameter){list->kind, body, other, part, i};
		}
		list->n++;
	}
}

static void append_pairs(List *list)
{
	const AbutModel *model = list->model;
	for (int i = 0; i < model->pairing.n_rules && !model->pairing.all_pairs; i++) {
		const int *body = model->pairing.rules[i].body;
		if (pair_of(model, body[0], body[1])) {
			append(list, body[0], body[1], -1, NULL);
		}
	}
	for (int a = 0; a < model->n_bodies && model->pairing.all_pairs; a++) {
		for (int b = a + 1; b < model->n_bodies; b++) {
			if (pair_of(model, a, b)) {
				append(list, a, b, -1, NULL);
			}
		}
	}
}

static void append_parts(List *list, int body)
{
	const AbutBody *of = &list->model->bodies[body];
	for (int part = 0; part < of->n_parts; part++) {
		append(list, body, -1, part, list->model->parts[of->first_part + part].shape);
	}
}

static void append_joint(List *list, int joint)
{
	for (int i = 0; i < list->model->joints.at[joint].kind->n_freedoms; i++) {
		if (abut_joint_parameter_missing(list->model, joint, i, list->kind)) {
			continue;
		}
		if (list->n < list->capacity) {
			list->out[list->n] = (AbutParameter){list->kind, -1, -1, joint, i};
		}
		list->n++;
	}
}

int abut_parameter_list(const AbutModel *model, AbutParameterKind kind, int capacity, AbutParameter *out)
{
	List list = {.model = model, .kind = kind, .capacity = out ? capacity : 0, .out = out};
	if (!model || (unsigned)kind >= ABUT_PARAMETER_COUNT) {
		return 0;
	}
	const Owner owner = owner_of(kind);
	if (owner == OWNER_SCENE) {
		append(&list, -1, -1, -1, NULL);
	} else if (owner == OWNER_PAIR) {
		append_pairs(&list);
	}
	for (int i = 0; i < model->n_bodies; i++) {
		if (owner == OWNER_BODY && !model->bodies[i].is_static) {
			append(&list, i, -1, -1, NULL);
		} else if (owner == OWNER_PART) {
			append_parts(&list, i);
		}
	}
	for (int i = 0; i < model->joints.n && owner == OWNER_JOINT; i++) {
		append_joint(&list, i);
	}
	return list.n;
}

/* --- one parameter --- */

/* Refuses an index that is not less than `n`. */
static AbutStatus refuse_place(AbutError *error, const AbutParameter *p, const char *what, int value, int n)
{
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, abut_parameter_kind_name(p->kind),
	                      "%s is %d; it must be from 0 to %d", what, value, n - 1);
}

static AbutStatus refuse(AbutError *error, const AbutParameter *p, const char *what, int value, const char *allowed)
{
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, abut_parameter_kind_name(p->kind), "%s is %d; %s", what,
	                      value, allowed);
}

static AbutStatus check_bodies(const AbutModel *model, const AbutParameter *p, Owner owner, AbutError *error)
{
	const bool pair = owner == OWNER_PAIR;
	if (p->body < 0 || p->body >= model->n_bodies) {
		return refuse_place(error, p, "body", p->body, model->n_bodies);
	}
	if (pair && !(p->other > p->body && p->other < model->n_bodies)) {
		return refuse(error, p, "other", p->other, "it must be another body, above the first");
	}
	if (pair && !pair_of(model, p->body, p->other)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, abut_parameter_kind_name(p->kind),
		                      "'%s' and '%s' may not touch, or neither of them moves",
		                      model->bodies[p->body].name, model->bodies[p->other].name);
	}
	if (owner == OWNER_BODY && model->bodies[p->body].is_static) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, abut_parameter_kind_name(p->kind),
		                      "'%s' is static; it must be a moving body", model->bodies[p->body].name);
	}
	if (owner == OWNER_PART && (p->part < 0 || p->part >= model->bodies[p->body].n_parts)) {
		return refuse_place(error, p, "part", p->part, model->bodies[p->body].n_parts);
	}
	return ABUT_OK;
}

/* Checks that unused members are -1, so that equal parameters have equal members. */
static AbutStatus check_unused(const AbutParameter *p, Owner owner, AbutError *error)
{
	static const char *const allowed = "it must be -1 for this kind";
	if ((owner == OWNER_SCENE || owner == OWNER_JOINT) && p->body != -1) {
		return refuse(error, p, "body", p->body, allowed);
	}
	if (owner != OWNER_PAIR && p->other != -1) {
		return refuse(error, p, "other", p->other, allowed);
	}
	if (owner != OWNER_PART && owner != OWNER_JOINT && p->part != -1) {
		return refuse(error, p, "part", p->part, allowed);
	}
	return ABUT_OK;
}

static AbutStatus check_joint(const AbutModel *model, const AbutParameter *p, AbutError *error)
{
	if (p->part < 0 || p->part >= model->joints.n) {
		return refuse_place(error, p, "part (the joint)", p->part, model->joints.n);
	}
	const AbutJoint *joint = &model->joints.at[p->part];
	if (p->index < 0 || p->index >= joint->kind->n_freedoms) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, abut_parameter_kind_name(p->kind),
		                      "index is %d; joint '%s' has %d freedoms", p->index, joint->name,
		                      joint->kind->n_freedoms);
	}
	const char *why = abut_joint_parameter_missing(model, p->part, p->index, p->kind);
	return why ? abut_error_set(error, ABUT_ERROR_ARGUMENT, abut_parameter_kind_name(p->kind),
	                            "freedom %d of joint '%s' has none: %s", p->index, joint->name, why)
	           : ABUT_OK;
}

AbutStatus abut_parameter_check(const AbutModel *model, const AbutParameter *p, AbutError *error)
{
	if (!model || !p) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "model and parameter must not be NULL");
	}
	if ((unsigned)p->kind >= ABUT_PARAMETER_COUNT) {
		return refuse(error, p, "kind", (int)p->kind, "there is no such kind of parameter");
	}
	const Owner owner = owner_of(p->kind);
	const AbutShape *shape = NULL;
	ABUT_TRY(check_unused(p, owner, error));
	if (owner == OWNER_JOINT) {
		return check_joint(model, p, error);
	}
	if (owner != OWNER_SCENE) {
		ABUT_TRY(check_bodies(model, p, owner, error));
	}
	if (owner == OWNER_PART) {
		shape = model->parts[abut_parameter_part(model, p)].shape;
	}
	const int n = index_count(p->kind, shape);
	if (p->index < 0 || p->index >= n) {
		return !shape || n > 0 ? refuse_place(error, p, "index", p->index, n)
		                       : abut_error_set(error, ABUT_ERROR_ARGUMENT, abut_parameter_kind_name(p->kind),
		                                        "a %s has none", abut_shape_kind_name(shape->kind));
	}
	return ABUT_OK;
}

void abut_parameter_describe(const AbutModel *model, const AbutParameter *p, char *text, size_t size)
{
	const char *name = p ? abut_parameter_kind_name(p->kind) : "unknown";
	char entry[32] = "";
	if (abut_parameter_check(model, p, NULL) != ABUT_OK) {
		snprintf(text, size, "%s (not of this model)", name);
		return;
	}
	if (p->kind == ABUT_PARAMETER_FACE) {
		snprintf(entry, sizeof entry, "[%d].%c", p->index / 4, "xyzb"[p->index % 4]);
	} else if (p->kind == ABUT_PARAMETER_INERTIA) {
		static const char *const entries[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
		snprintf(entry, sizeof entry, ".%s", entries[p->index]);
	} else if (p->kind == ABUT_PARAMETER_SIZE) {
		snprintf(entry, sizeof entry, "[%d]", p->index);
	} else if (index_count(p->kind, NULL) == 3) {
		snprintf(entry, sizeof entry, ".%c", "xyz"[p->index]);
	}
	switch (owner_of(p->kind)) {
	case OWNER_SCENE:
		snprintf(text, size, "%s%s", name, entry);
		break;
	case OWNER_BODY:
		snprintf(text, size, "%s%s of %s", name, entry, model->bodies[p->body].name);
		break;
	case OWNER_PAIR:
		snprintf(text, size, "%s of %s and %s", name, model->bodies[p->body].name,
		         model->bodies[p->other].name);
		break;
	case OWNER_PART:
		snprintf(text, size, "%s%s of part %d of %s", name, entry, p->part, model->bodies[p->body].name);
		break;
	case OWNER_JOINT:
		if (model->joints.at[p->part].kind->n_freedoms > 1) {
			snprintf(entry, sizeof entry, "[%d]", p->index);
		}
		snprintf(text, size, "%s%s of %s", name, entry, model->joints.at[p->part].name);
		break;
	}
}

static double body_value(const AbutBody *body, const AbutParameter *p)
{
	int entry[2];
	if (p->kind == ABUT_PARAMETER_MASS) {
		return body->mass_si;
	}
	if (p->kind == ABUT_PARAMETER_CENTRE_OF_MASS) {
		return body->centre_of_mass[p->index];
	}
	abut_parameter_inertia_entry(p->index, entry);
	return body->inertia_si[entry[0]];
}

/* Returns the value of a pair of bodies. A torsional radius is that of their first parts. */
static double pair_value(const AbutModel *model, const AbutParameter *p)
{
	if (p->kind == ABUT_PARAMETER_FRICTION) {
		return abut_pair_friction(model, p->body, p->other);
	}
	return model->units.length *
	       abut_pair_torsional_radius(model, model->bodies[p->body].first_part, model->bodies[p->other].first_part);
}

static double part_value(const AbutShape *shape, const AbutParameter *p)
{
	const int row = p->index / 4, k = p->index % 4;
	if (p->kind == ABUT_PARAMETER_SIZE) {
		return shape->size[p->index];
	}
	if (p->kind == ABUT_PARAMETER_FACE) {
		return k < 3 ? shape->A[3 * row + k] : shape->h[row] + shape->d[row];
	}
	return p->kind == ABUT_PARAMETER_PART_POSITION ? shape->position[p->index] : 0.0;
}

AbutStatus abut_parameter_get(const AbutModel *model, const AbutParameter *p, double *value, AbutError *error)
{
	if (!value) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "value must not be NULL");
	}
	ABUT_TRY(abut_parameter_check(model, p, error));
	switch (owner_of(p->kind)) {
	case OWNER_SCENE:
		*value = p->kind == ABUT_PARAMETER_TIMESTEP ? model->timestep_si : model->gravity_si[p->index];
		break;
	case OWNER_BODY:
		*value = body_value(&model->bodies[p->body], p);
		break;
	case OWNER_PAIR:
		*value = pair_value(model, p);
		break;
	case OWNER_PART:
		*value = part_value(model->parts[abut_parameter_part(model, p)].shape, p);
		break;
	case OWNER_JOINT:
		*value = abut_joint_parameter_value(model, p);
		break;
	}
	return ABUT_OK;
}

double abut_parameter_unit(const AbutModel *model, const AbutParameter *p)
{
	const AbutUnits *units = &model->units;
	if (abut_parameter_of_joint(p->kind)) {
		return abut_joint_parameter_unit(model, p);
	}
	switch ((int)p->kind) {
	case ABUT_PARAMETER_TIMESTEP:
		return units->time;
	case ABUT_PARAMETER_GRAVITY:
		return units->velocity / units->time;
	case ABUT_PARAMETER_MASS:
		return units->mass;
	case ABUT_PARAMETER_INERTIA:
		return units->mass * units->length * units->length;
	case ABUT_PARAMETER_FACE:
		return p->index % 4 < 3 ? 1.0 : units->length;
	case ABUT_PARAMETER_CENTRE_OF_MASS:
	case ABUT_PARAMETER_TORSIONAL_RADIUS:
	case ABUT_PARAMETER_SIZE:
	case ABUT_PARAMETER_PART_POSITION:
		return units->length;
	default:
		return 1.0;
	}
}
