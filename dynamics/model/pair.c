/* Computes pairs of parts, and the rules for pairs of bodies. */
#include "dynamics/model/pair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dynamics/model/key.h"

static int compare_rules(const void *a, const void *b)
{
	return abut_compare_keys(((const AbutPairRule *)a)->body, ((const AbutPairRule *)b)->body);
}

static void set_key(AbutPairRule *rule, int a, int b)
{
	rule->body[0] = a < b ? a : b;
	rule->body[1] = a < b ? b : a;
}

AbutSoftness abut_softness(const AbutSolverOptions *options, const AbutPairDef *pair)
{
	AbutSoftness out = {.margin = pair && pair->has_margin ? pair->margin : options->margin};
	memcpy(out.solref, pair && pair->has_solref ? pair->solref : options->solref, sizeof out.solref);
	memcpy(out.solimp, pair && pair->has_solimp ? pair->solimp : options->solimp, sizeof out.solimp);
	return out;
}

AbutSoftness abut_joint_softness(const AbutSolverOptions *options, const AbutJointSpring *spring)
{
	AbutSoftness out = {.margin = spring->has_margin ? spring->margin : 0.0};
	memcpy(out.solref, spring->has_solref ? spring->solref : options->solref, sizeof out.solref);
	memcpy(out.solimp, spring->has_solimp ? spring->solimp : options->solimp, sizeof out.solimp);
	return out;
}

/* Appends rules for the bodies of joints of which none collides; returns the new number. A pair listed by the user is
 * allowed nevertheless. */
static int add_jointed(const AbutSceneDef *def, int n, AbutPairRule *rules)
{
	const int listed = def->n_pairs;
	for (int i = 0; def->all_pairs && i < def->n_joints; i++) {
		const AbutJointDef *joint = &def->joints[i];
		AbutPairRule rule = {.allowed = false};
		bool known = joint->parent < 0;
		set_key(&rule, joint->parent, joint->child);
		for (int k = 0; !known && k < def->n_joints; k++) {
			AbutPairRule other;
			set_key(&other, def->joints[k].parent, def->joints[k].child);
			known = def->joints[k].collide && compare_rules(&other, &rule) == 0;
		}
		for (int k = 0; !known && k < listed; k++) {
			known = compare_rules(&rules[k], &rule) == 0;
		}
		if (!known) {
			rules[n++] = rule;
		}
	}
	return n;
}

/* Collects the rules, sorted by bodies, with one rule per pair. A pair may be excluded twice. A pair that is listed
 * twice, or both listed and excluded, was refused before. */
static int collect_rules(const AbutSceneDef *def, const AbutModel *model, AbutPairRule *rules)
{
	int n = 0;
	for (int i = 0; i < def->n_pairs; i++) {
		const AbutPairDef *pair = &def->pairs[i];
		const double radius = pair->torsional_radius;
		AbutPairRule *rule = &rules[n++];
		*rule = (AbutPairRule){.allowed = true,
		                       .turned = pair->body_a > pair->body_b,
		                       .friction = pair->friction,
		                       .restitution = pair->restitution,
		                       .torsional_radius = radius >= 0.0 ? radius / model->units.length : -1.0,
		                       .soft = abut_softness(&model->options, pair)};
		set_key(rule, pair->body_a, pair->body_b);
	}
	for (int i = 0; def->all_pairs && i < def->n_exclude; i++) {
		AbutPairRule *rule = &rules[n++];
		*rule = (AbutPairRule){.allowed = false};
		set_key(rule, def->exclude[i][0], def->exclude[i][1]);
	}
	n = add_jointed(def, n, rules);
	qsort(rules, (size_t)n, sizeof *rules, compare_rules);
	int unique = 0;
	for (int i = 0; i < n; i++) {
		if (unique == 0 || compare_rules(&rules[unique - 1], &rules[i]) != 0) {
			rules[unique++] = rules[i];
		}
	}
	return unique;
}

static int64_t choose_two(int64_t n)
{
	return n * (n - 1) / 2;
}

/* Counts the pairs of parts that may touch: parts of different bodies, not both static, that no rule excludes. */
static int64_t count_pairs(const AbutModel *model)
{
	int64_t all = 0, fixed = 0, count = 0;
	for (int i = 0; i < model->n_bodies; i++) {
		const AbutBody *body = &model->bodies[i];
		all += body->n_parts;
		fixed += body->is_static ? body->n_parts : 0;
		count -= body->is_static ? 0 : choose_two(body->n_parts);
	}
	count = model->pairing.all_pairs ? count + choose_two(all) - choose_two(fixed) : 0;
	for (int i = 0; i < model->pairing.n_rules; i++) {
		const AbutPairRule *rule = &model->pairing.rules[i];
		const AbutBody *a = &model->bodies[rule->body[0]], *b = &model->bodies[rule->body[1]];
		if (!(a->is_static && b->is_static) && rule->allowed != model->pairing.all_pairs) {
			count += (rule->allowed ? 1 : -1) * (int64_t)a->n_parts * b->n_parts;
		}
	}
	return count;
}

static double largest_margin(const AbutModel *model)
{
	double most = model->pairing.soft.margin;
	for (int i = 0; i < model->pairing.n_rules; i++) {
		most = fmax(most, model->pairing.rules[i].allowed ? model->pairing.rules[i].soft.margin : 0.0);
	}
	return model->method->has.springs ? most / model->units.length : 0.0;
}

AbutStatus abut_pair_rules_create(const AbutSceneDef *def, AbutModel *model, AbutError *error)
{
	model->pairing.all_pairs = def->all_pairs;
	model->pairing.rules = calloc((size_t)def->n_pairs + (size_t)def->n_exclude + (size_t)def->n_joints + 1,
	                              sizeof *model->pairing.rules);
	if (!model->pairing.rules) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while making the model");
	}
	model->pairing.n_rules = collect_rules(def, model, model->pairing.rules);
	model->pairing.n_pairs = count_pairs(model);
	model->pairing.margin = largest_margin(model);
	return ABUT_OK;
}

static const AbutPairRule *find_rule(const AbutModel *model, int body_a, int body_b)
{
	AbutPairRule key;
	set_key(&key, body_a, body_b);
	return model->pairing.n_rules == 0 ? NULL
	                                   : bsearch(&key, model->pairing.rules, (size_t)model->pairing.n_rules,
	                                             sizeof *model->pairing.rules, compare_rules);
}

AbutRoom abut_pair_room(const AbutModel *model)
{
	const int64_t usual = 64 + 8 * (int64_t)model->n_parts;
	return model->method->room(model, (int)(model->pairing.n_pairs < usual ? model->pairing.n_pairs : usual));
}

bool abut_pair_allowed(const AbutModel *model, int first, int second)
{
	const int a = model->parts[first].body, b = model->parts[second].body;
	if (a == b || (model->bodies[a].is_static && model->bodies[b].is_static)) {
		return false;
	}
	const AbutPairRule *rule = find_rule(model, a, b);
	return rule ? rule->allowed : model->pairing.all_pairs;
}

double abut_pair_friction(const AbutModel *model, int body_a, int body_b)
{
	const AbutPairRule *rule = find_rule(model, body_a, body_b);
	return rule && rule->friction >= 0.0 ? rule->friction
	                                     : sqrt(model->bodies[body_a].friction * model->bodies[body_b].friction);
}

double abut_pair_torsional_radius(const AbutModel *model, int part_a, int part_b)
{
	const AbutPart *a = &model->parts[part_a], *b = &model->parts[part_b];
	const AbutPairRule *rule = find_rule(model, a->body, b->body);
	const double usual = model->formulation.published ? 0.0 : 0.1 * (a->scale + b->scale);
	if (!rule) {
		return usual;
	}
	return rule->torsional_radius >= 0.0 ? rule->torsional_radius : usual + rule->torsional_change;
}

bool abut_pair_make(const AbutModel *model, int first, int second, AbutPair *pair)
{
	if (!abut_pair_allowed(model, first, second)) {
		return false;
	}
	const int parts[2] = {first, second};
	const int bodies[2] = {model->parts[first].body, model->parts[second].body};
	const AbutBody *a = &model->bodies[bodies[0]], *b = &model->bodies[bodies[1]];
	const AbutPairRule *rule = find_rule(model, bodies[0], bodies[1]);
	const int side_0 = a->is_static || !model->parts[first].rows.bounded ? 1 : 0;
	pair->flipped = side_0 != (rule && rule->turned ? 1 : 0);
	pair->outer_radius = pair->scale = 0.0;
	for (int i = 0; i < 2; i++) {
		const int side = i == 0 ? side_0 : 1 - side_0;
		pair->body[i] = bodies[side];
		pair->part[i] = parts[side];
		pair->outer_radius += model->parts[pair->part[i]].rows.outer_radius;
		pair->scale += model->parts[pair->part[i]].scale;
	}
	pair->mu = abut_pair_friction(model, bodies[0], bodies[1]);
	pair->restitution = rule && rule->restitution >= 0.0 ? rule->restitution : model->pairing.restitution;
	pair->torsional_radius = abut_pair_torsional_radius(model, first, second);
	pair->soft = rule && rule->allowed ? &rule->soft : &model->pairing.soft;
	const bool in_plane = (a->planar || a->is_static) && (b->planar || b->is_static);
	const int directions = model->formulation.published && in_plane ? 1 : 2;
	pair->tail = pair->mu == 0.0 ? 0 : pair->torsional_radius == 0.0 ? directions : 3;
	if (pair->tail < 3) {
		pair->torsional_radius = 0.0;
	}
	model->method->size(model, pair);
	return true;
}
