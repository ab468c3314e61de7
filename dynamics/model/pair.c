#include "dynamics/model/pair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dynamics/contact/contact.h"
#include "dynamics/contact/friction.h"
#include "dynamics/methods/lcp/memory.h"
#include "dynamics/methods/table.h"

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

/* By bodies, each once: a pair may be excluded twice, but the definition's check refuses one that is listed twice, or
 * listed and excluded. */
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

/* Pairs of parts of different bodies that are not both static, but for the rules. */
static int64_t count_pairs(const AbutModel *model)
{
	int64_t all = 0, fixed = 0, count = 0;
	for (int i = 0; i < model->n_bodies; i++) {
		const AbutBody *body = &model->bodies[i];
		all += body->n_parts;
		fixed += body->is_static ? body->n_parts : 0;
		count -= body->is_static ? 0 : choose_two(body->n_parts);
	}
	count = model->all_pairs ? count + choose_two(all) - choose_two(fixed) : 0;
	for (int i = 0; i < model->n_rules; i++) {
		const AbutPairRule *rule = &model->rules[i];
		const AbutBody *a = &model->bodies[rule->body[0]], *b = &model->bodies[rule->body[1]];
		if (!(a->is_static && b->is_static) && rule->allowed != model->all_pairs) {
			count += (rule->allowed ? 1 : -1) * (int64_t)a->n_parts * b->n_parts;
		}
	}
	return count;
}

static double largest_margin(const AbutModel *model)
{
	double most = model->soft.margin;
	for (int i = 0; i < model->n_rules; i++) {
		most = fmax(most, model->rules[i].allowed ? model->rules[i].soft.margin : 0.0);
	}
	return model->options.method == ABUT_METHOD_CONVEX ? most / model->units.length : 0.0;
}

AbutStatus abut_pair_rules_create(const AbutSceneDef *def, AbutModel *model, AbutError *error)
{
	model->all_pairs = def->all_pairs;
	model->rules = calloc((size_t)def->n_pairs + (size_t)def->n_exclude + 1, sizeof *model->rules);
	if (!model->rules) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while making the model");
	}
	model->n_rules = collect_rules(def, model, model->rules);
	model->n_pairs = count_pairs(model);
	model->margin = largest_margin(model);
	return ABUT_OK;
}

static const AbutPairRule *find_rule(const AbutModel *model, int body_a, int body_b)
{
	AbutPairRule key;
	set_key(&key, body_a, body_b);
	return model->n_rules == 0
	           ? NULL
	           : bsearch(&key, model->rules, (size_t)model->n_rules, sizeof *model->rules, compare_rules);
}

void abut_pair_size_cones(const AbutModel *model, AbutPair *pair)
{
	const AbutFrictionCone cone = model->options.friction_cone;
	int n_rows = 0, law = 2 * abut_cone_law_size(ABUT_CONE_ORTHANT, 1); /* gamma and lambda_alpha */
	pair->n_cones = 2 + abut_friction_cones(cone, pair->tail, 0, &law, NULL);
	int n_eps = 0;
	pair->n_side = 0;
	for (int i = 0; i < 2; i++) {
		const AbutPart *part = &model->parts[pair->part[i]];
		n_rows += part->rows.n_rows;
		n_eps += part->rows.n_eps;
		pair->n_side += abut_side_memory(&part->rows);
		pair->n_cones += part->n_cones;
		law += part->law_size;
	}
	pair->n_law = law;
	pair->n_y = 4 + n_eps + abut_friction_n_y(cone, pair->tail);
	pair->n_z = 2 + n_rows + abut_friction_n_z(cone, pair->tail);
}

/* Points have no torsion. */
void abut_pair_size_points(const AbutModel *model, AbutPair *pair)
{
	pair->torsional_radius = 0.0;
	pair->tail = pair->tail > 2 ? 2 : pair->tail;
	abut_point_sizes(abut_point_count(model, pair), model->options.friction_cone, pair);
}

void abut_pair_size_lcp(const AbutModel *model, AbutPair *pair)
{
	abut_pair_size_cones(model, pair);
	pair->n_y = ABUT_LCP_MEMORY;
	pair->n_z = 0;
}

/* `n` of each, but not out of all proportion: what is more comes by growth. */
static int total(int64_t n, int each)
{
	const int64_t most = 1 << 24;
	return (int)(n * each < most ? n * each : most);
}

/* Of method point-ncp, by the part with most points. */
AbutRoom abut_pair_room_points(const AbutModel *model, int contacts)
{
	AbutPair most = {.tail = 2};
	int n = 1;
	for (int i = 0; i < model->n_parts; i++) {
		n = model->parts[i].points.n > n ? model->parts[i].points.n : n;
	}
	abut_point_sizes(2 * n + ABUT_POINT_CROSSINGS, model->options.friction_cone, &most); /* of two hulls */
	return (AbutRoom){.contacts = contacts,
	                  .n_y = total(contacts, most.n_y),
	                  .n_z = total(contacts, most.n_z),
	                  .n_law = total(contacts, most.n_law),
	                  .n_cones = total(contacts, most.n_cones)};
}

AbutRoom abut_pair_room_cones(const AbutModel *model, int contacts)
{
	const AbutFrictionCone cone = model->options.friction_cone;
	int eps = 0, side = 0, rows = 0, part_law = 0, part_cones = 0; /* of the largest part */
	for (int i = 0; i < model->n_parts; i++) {
		const AbutPart *part = &model->parts[i];
		eps = part->rows.n_eps > eps ? part->rows.n_eps : eps;
		const int memory = abut_side_memory(&part->rows);
		side = memory > side ? memory : side;
		rows = part->rows.n_rows > rows ? part->rows.n_rows : rows;
		part_law = part->law_size > part_law ? part->law_size : part_law;
		part_cones = part->n_cones > part_cones ? part->n_cones : part_cones;
	}
	int law = 2 * abut_cone_law_size(ABUT_CONE_ORTHANT, 1);
	const int cones = 2 + abut_friction_cones(cone, 3, 0, &law, NULL);
	return (AbutRoom){.contacts = contacts,
	                  .n_y = total(contacts, 4 + 2 * eps + abut_friction_n_y(cone, 3)),
	                  .n_z = total(contacts, 2 + 2 * rows + abut_friction_n_z(cone, 3)),
	                  .n_law = total(contacts, law + 2 * part_law),
	                  .n_cones = total(contacts, cones + 2 * part_cones),
	                  .n_side = total(contacts, 2 * side)};
}

AbutRoom abut_pair_room_lcp(const AbutModel *model, int contacts)
{
	AbutRoom room = abut_pair_room_cones(model, contacts);
	room.n_y = total(contacts, ABUT_LCP_MEMORY);
	room.n_z = 0;
	return room;
}

AbutRoom abut_pair_room(const AbutModel *model)
{
	const int64_t usual = 64 + 8 * (int64_t)model->n_parts;
	return abut_method_table(model)->room(model, (int)(model->n_pairs < usual ? model->n_pairs : usual));
}

bool abut_pair_allowed(const AbutModel *model, int first, int second)
{
	const int a = model->parts[first].body, b = model->parts[second].body;
	if (a == b || (model->bodies[a].is_static && model->bodies[b].is_static)) {
		return false;
	}
	const AbutPairRule *rule = find_rule(model, a, b);
	return rule ? rule->allowed : model->all_pairs;
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
	pair->restitution = rule && rule->restitution >= 0.0 ? rule->restitution : model->restitution;
	pair->torsional_radius = abut_pair_torsional_radius(model, first, second);
	pair->soft = rule && rule->allowed ? &rule->soft : &model->soft;
	const bool in_plane = (a->planar || a->is_static) && (b->planar || b->is_static);
	const int directions = model->formulation.published && in_plane ? 1 : 2;
	pair->tail = pair->mu == 0.0 ? 0 : pair->torsional_radius == 0.0 ? directions : 3;
	if (pair->tail < 3) {
		pair->torsional_radius = 0.0;
	}
	abut_method_table(model)->size(model, pair);
	return true;
}
