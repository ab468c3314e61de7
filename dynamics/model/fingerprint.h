/* What a model is, in words of 64 bits: two models whose words are the same take the same steps from the same state.
 *
 *     fixed words: settings, one each | each body: six | each rule of a pair: one | the units
 *
 * A number is its bits, so that a comparison can tell both values; what has many numbers is their hash. */
#ifndef DYNAMICS_MODEL_FINGERPRINT_H
#define DYNAMICS_MODEL_FINGERPRINT_H

#include "dynamics/model/model.h"

enum { ABUT_FINGERPRINT_BODIES, ABUT_FINGERPRINT_RULES, ABUT_FINGERPRINT_TIMESTEP }; /* the first fixed words */

size_t abut_fingerprint_size(const AbutModel *model); /* words */
/* Word `index` of the model; those of bodies are found anew each time. */
uint64_t abut_fingerprint_word(const AbutModel *model, size_t index);
/* ABUT_OK when the `n` words are the model's; otherwise ABUT_ERROR_ARGUMENT, and the error (may be NULL) tells the
 * first that differs, by its path in a scene. */
AbutStatus abut_fingerprint_compare(const AbutModel *model, size_t n, const uint64_t *words, AbutError *error);

#endif
