/* Reads objects of a spec that set paths of a scene to values or distributions. Errors are kept in the reader of the
 * nodes. */
#pragma once

#include "experiments/sweep/spec_parts.h"

/* Adds an override, which takes over both strings. False when out of memory; a NULL string also means out of memory. */
bool abut_sweep_add_override(AbutSweepOverrides *overrides, char *text, char *place);
void abut_sweep_free_overrides(AbutSweepOverrides *overrides);

/* Checks that the node is an object without repeated keys; any keys are allowed. */
bool abut_sweep_check_object(const AbutNode *node, const char *expected);
/* Checks that the sweep may set `path`. */
bool abut_sweep_check_path(const AbutNode *node, const char *path);
/* Adds the override of `path` with the value of `node`. */
void abut_sweep_override(const AbutNode *node, const char *path, AbutSweepOverrides *overrides);
/* Reads {"path": value, ...}. */
void abut_sweep_read_overrides(const AbutNode *object, AbutSweepOverrides *overrides);
/* Reads {"path": distribution, ...}. */
void abut_sweep_read_random(const AbutNode *object, AbutSweepDraws *draws);
