/* Collects what a scene says of pairs of bodies and of their parts. Tested in tests/dynamics/pairs/test_pair.c. */
#include "dynamics/model/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dynamics/model/key.h"

static int compare_rules(const void *a, const void *b)
{
	return abut_compare_keys(((const AbutPairRule *)a)->body, ((const AbutPairRule *)b)->body);
}

/* Orders rules of the same bodies: what the scene says of their parts comes last. */
static int compare_ranks(const void *a, const void *b)
{
	const AbutPairRule *x = a, *y = b;
	const int order = compare_rules(a, b);
	const int x_rank = 2 * x->of_parts + x->turned, y_rank = 2 * y->of_parts + y->turned;
	return order != 0 ? order : x_rank - y_rank;
}

static int compare_part_rules(const void *a, const void *b)
{
	return abut_compare_keys(((const AbutPartRule *)a)->part, ((const AbutPartRule *)b)->part);
}

static void set_key(int key[2], int a, int b)
{
	key[0] = a < b ? a : b;
	key[1] = a < b ? b : a;
}

AbutSoftness abut_softness(const AbutSolverOptions *options, const AbutPairDef *pair)
{
	AbutSoftness out = {.margin = pair && pair->has_margin ? pair->margin : options->margin};
	memcpy(out.solref, pair && pair->has_solref ? pair->solref : options->solref, sizeof out.solref);
	memcpy(out.solimp, pair && pair->has_solimp ? pair->solimp : options->solimp, sizeof out.solimp);
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
		set_key(rule.body, joint->parent, joint->child);
		for (int k = 0; !known && k < def->n_joints; k++) {
			AbutPairRule other;
			set_key(other.body, def->joints[k].parent, def->joints[k].child);
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
		set_key(rule->body, pair->body_a, pair->body_b);
		if (pair->has_parts) {
			rule->friction = rule->restitution = rule->torsional_radius = -1.0;
			rule->soft = model->pairing.soft;
			rule->of_parts = true;
		}
	}
	for (int i = 0; def->all_pairs && i < def->n_exclude; i++) {
		AbutPairRule *rule = &rules[n++];
		*rule = (AbutPairRule){.allowed = false};
		set_key(rule->body, def->exclude[i][0], def->exclude[i][1]);
	}
	n = add_jointed(def, n, rules);
	qsort(rules, (size_t)n, sizeof *rules, compare_ranks);
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
	for (int i = 0; i < model->pairing.n_part_rules; i++) {
		most = fmax(most, model->pairing.part_rules[i].soft.margin);
	}
	return model->method->has.springs ? most / model->units.length : 0.0;
}

const AbutPairRule *abut_pair_rule(const AbutModel *model, int body_a, int body_b)
{
	AbutPairRule key = {.allowed = false};
	set_key(key.body, body_a, body_b);
	return model->pairing.n_rules == 0 ? NULL
	                                   : bsearch(&key, model->pairing.rules, (size_t)model->pairing.n_rules,
	                                             sizeof *model->pairing.rules, compare_rules);
}

const AbutPartRule *abut_part_rule(const AbutModel *model, int part_a, int part_b)
{
	const AbutPairing *pairing = &model->pairing;
	AbutPartRule key = {.friction = 0.0};
	set_key(key.part, part_a, part_b);
	return pairing->n_part_rules == 0 ? NULL
	                                  : bsearch(&key, pairing->part_rules, (size_t)pairing->n_part_rules,
	                                            sizeof *pairing->part_rules, compare_part_rules);
}

/* Sets the values that a scene gives for two parts. Springs that it does not give are those of the two bodies. */
static void make_part_rule(const AbutModel *model, const AbutPairDef *pair, AbutPartRule *out)
{
	const AbutPairRule *rule = abut_pair_rule(model, pair->body_a, pair->body_b);
	const double radius = pair->torsional_radius;
	*out = (AbutPartRule){.friction = pair->friction,
	                      .restitution = pair->restitution,
	                      .torsional_radius = radius >= 0.0 ? radius / model->units.length : -1.0,
	                      .soft = rule->soft};
	set_key(out->part, model->bodies[pair->body_a].first_part + pair->part_a,
	        model->bodies[pair->body_b].first_part + pair->part_b);
	if (pair->has_solref) {
		memcpy(out->soft.solref, pair->solref, sizeof out->soft.solref);
	}
	if (pair->has_solimp) {
		memcpy(out->soft.solimp, pair->solimp, sizeof out->soft.solimp);
	}
	if (pair->has_margin) {
		out->soft.margin = pair->margin;
	}
}

static void make_part_rules(const AbutSceneDef *def, AbutModel *model)
{
	AbutPairing *pairing = &model->pairing;
	for (int i = 0; i < def->n_pairs; i++) {
		if (def->pairs[i].has_parts) {
			make_part_rule(model, &def->pairs[i], &pairing->part_rules[pairing->n_part_rules++]);
		}
	}
	qsort(pairing->part_rules, (size_t)pairing->n_part_rules, sizeof *pairing->part_rules, compare_part_rules);
}

AbutStatus abut_pair_rules_create(const AbutSceneDef *def, AbutModel *model, AbutError *error)
{
	model->pairing.all_pairs = def->all_pairs;
	model->pairing.rules = calloc((size_t)def->n_pairs + (size_t)def->n_exclude + (size_t)def->n_joints + 1,
	                              sizeof *model->pairing.rules);
	model->pairing.part_rules = calloc((size_t)def->n_pairs + 1, sizeof *model->pairing.part_rules);
	if (!model->pairing.rules || !model->pairing.part_rules) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while making the model");
	}
	model->pairing.n_rules = collect_rules(def, model, model->pairing.rules);
	make_part_rules(def, model);
	model->pairing.n_pairs = count_pairs(model);
	model->pairing.margin = largest_margin(model);
	return ABUT_OK;
}
