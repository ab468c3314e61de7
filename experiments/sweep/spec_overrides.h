/* What a spec sets: objects of paths of a scene, and the values or distributions for them. Errors stick in the nodes'
 * reader. */
#ifndef EXPERIMENTS_SWEEP_SPEC_OVERRIDES_H
#define EXPERIMENTS_SWEEP_SPEC_OVERRIDES_H

#include "experiments/sweep/spec_parts.h"

/* Takes over both strings, also on failure, which means that memory ran out (a string may be NULL for that reason). */
bool abut_sweep_add_override(AbutSweepOverrides *overrides, char *text, char *place);
void abut_sweep_free_overrides(AbutSweepOverrides *overrides);

/* Whether the node is an object, with keys of the user's own, none twice. */
bool abut_sweep_check_object(const AbutNode *node, const char *expected);
/* Whether `path` is one that the sweep may set. */
bool abut_sweep_check_path(const AbutNode *node, const char *path);
/* Adds the override of `path` with the value of `node`. */
void abut_sweep_override(const AbutNode *node, const char *path, AbutSweepOverrides *overrides);
/* {"path": value, ...} */
void abut_sweep_read_overrides(const AbutNode *object, AbutSweepOverrides *overrides);
/* {"path": distribution, ...} */
void abut_sweep_read_random(const AbutNode *object, AbutSweepDraws *draws);

#endif
