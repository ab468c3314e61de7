/* What a scene says of pairs of bodies and of their parts. */
#pragma once

#include "dynamics/model/model.h"

/* Returns the softness from the options. Values of `pair` (may be NULL) override them. */
AbutSoftness abut_softness(const AbutSolverOptions *options, const AbutPairDef *pair);

/* Creates the model's pair rules from the definition, and counts the pairs that may touch. Call after the model has its
 * bodies and parts. */
AbutStatus abut_pair_rules_create(const AbutSceneDef *def, AbutModel *model, AbutError *error);

/* Return the rule of two bodies, and of two parts (indices into AbutModel.parts); NULL: there is none. */
const AbutPairRule *abut_pair_rule(const AbutModel *model, int body_a, int body_b);
const AbutPartRule *abut_part_rule(const AbutModel *model, int part_a, int part_b);
