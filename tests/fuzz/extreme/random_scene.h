/* Writes random scenes that are legal but extreme: every shape and method, sizes 1e-6 to 1e6 m, masses 1e-9 to 1e9 kg;
 * or bodies with joints of every type, which only method single-level supports. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXTREME_TEXT_SIZE = 1 << 15, EXTREME_BODIES = 6 };

/* Writes the scene of a seed as JSON, with joints if `jointed`. Returns whether bodies may overlap at the start. */
bool extreme_scene(uint64_t seed, bool jointed, char text[EXTREME_TEXT_SIZE]);
