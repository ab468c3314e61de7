/* A model's fingerprint in words of 64 bits. Models with equal words take the same steps from the same state.
 *
 *     fixed words: settings, one each | each body: six | each rule of a pair: one | each joint: ABUT_JOINT_WORDS | the
 *     couplings and sensors: one each | the units
 *
 * The word of a single number contains its bits, so that a message can show both values. The word of a list is its
 * hash. */
#pragma once

#include "dynamics/model/model.h"

enum { ABUT_FINGERPRINT_BODIES, ABUT_FINGERPRINT_RULES, ABUT_FINGERPRINT_TIMESTEP }; /* the first three fixed words */

size_t abut_fingerprint_size(const AbutModel *model); /* number of words */
/* Returns word `index` of the fingerprint. Words of bodies are computed anew in each call. */
uint64_t abut_fingerprint_word(const AbutModel *model, size_t index);
/* Compares `n` words with those of the model. If they differ, returns ABUT_ERROR_ARGUMENT; the error (may be NULL)
 * names the first difference by its path in a scene. */
AbutStatus abut_fingerprint_compare(const AbutModel *model, size_t n, const uint64_t *words, AbutError *error);
