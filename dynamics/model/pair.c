/* Computes pairs of parts. */
#include "dynamics/model/pair.h"

#include <math.h>
#include <string.h>

AbutSoftness abut_joint_softness(const AbutSolverOptions *options, const AbutJointSpring *spring)
{
	AbutSoftness out = {.margin = spring->has_margin ? spring->margin : 0.0};
	memcpy(out.solref, spring->has_solref ? spring->solref : options->solref, sizeof out.solref);
	memcpy(out.solimp, spring->has_solimp ? spring->solimp : options->solimp, sizeof out.solimp);
	return out;
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
	const AbutPairRule *rule = abut_pair_rule(model, a, b);
	return rule ? rule->allowed : model->pairing.all_pairs;
}

/* The functions below take the rules of a pair, which pairs of most scenes do not have (NULL). */

static double friction_of(const AbutModel *model, const AbutPairRule *rule, int body_a, int body_b)
{
	return rule && rule->friction >= 0.0 ? rule->friction
	                                     : sqrt(model->bodies[body_a].friction * model->bodies[body_b].friction);
}

static const AbutSoftness *softness_of(const AbutModel *model, const AbutPairRule *rule, const AbutPartRule *own)
{
	return own ? &own->soft : rule && rule->allowed ? &rule->soft : &model->pairing.soft;
}

static double torsional_radius_of(const AbutModel *model, const AbutPairRule *rule, const AbutPartRule *own,
                                  double scale)
{
	const double usual = model->formulation.published ? 0.0 : 0.1 * scale;
	if (own && own->torsional_radius >= 0.0) {
		return own->torsional_radius;
	}
	if (!rule) {
		return usual;
	}
	return rule->torsional_radius >= 0.0 ? rule->torsional_radius : usual + rule->torsional_change;
}

double abut_part_friction(const AbutModel *model, int part_a, int part_b)
{
	const AbutPartRule *own = abut_part_rule(model, part_a, part_b);
	return own && own->friction >= 0.0
	           ? own->friction
	           : abut_pair_friction(model, model->parts[part_a].body, model->parts[part_b].body);
}

double abut_pair_friction(const AbutModel *model, int body_a, int body_b)
{
	return friction_of(model, abut_pair_rule(model, body_a, body_b), body_a, body_b);
}

const AbutSoftness *abut_part_softness(const AbutModel *model, int part_a, int part_b)
{
	return softness_of(model, abut_pair_rule(model, model->parts[part_a].body, model->parts[part_b].body),
	                   abut_part_rule(model, part_a, part_b));
}

double abut_pair_torsional_radius(const AbutModel *model, int part_a, int part_b)
{
	const AbutPart *a = &model->parts[part_a], *b = &model->parts[part_b];
	return torsional_radius_of(model, abut_pair_rule(model, a->body, b->body),
	                           abut_part_rule(model, part_a, part_b), a->scale + b->scale);
}

bool abut_pair_make(const AbutModel *model, int first, int second, AbutPair *pair)
{
	if (!abut_pair_allowed(model, first, second)) {
		return false;
	}
	const int parts[2] = {first, second};
	const int bodies[2] = {model->parts[first].body, model->parts[second].body};
	const AbutBody *a = &model->bodies[bodies[0]], *b = &model->bodies[bodies[1]];
	const AbutPairRule *rule = abut_pair_rule(model, bodies[0], bodies[1]);
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
	const AbutPartRule *own = abut_part_rule(model, first, second);
	pair->mu = own && own->friction >= 0.0 ? own->friction : friction_of(model, rule, bodies[0], bodies[1]);
	pair->own_friction = own && own->friction >= 0.0;
	pair->own_torsion = own && own->torsional_radius >= 0.0;
	pair->restitution = own && own->restitution >= 0.0     ? own->restitution
	                    : rule && rule->restitution >= 0.0 ? rule->restitution
	                                                       : model->pairing.restitution;
	pair->torsional_radius = torsional_radius_of(model, rule, own, pair->scale);
	pair->soft = softness_of(model, rule, own);
	const bool in_plane = (a->planar || a->is_static) && (b->planar || b->is_static);
	const int directions = model->formulation.published && in_plane ? 1 : 2;
	pair->tail = pair->mu == 0.0 ? 0 : pair->torsional_radius == 0.0 ? directions : 3;
	if (pair->tail < 3) {
		pair->torsional_radius = 0.0;
	}
	model->method->size(model, pair);
	return true;
}
