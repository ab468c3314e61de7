/* Writes random scenes that are legal but extreme: every shape and method, sizes 1e-6 to 1e6 m, masses 1e-9 to 1e9 kg.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXTREME_TEXT_SIZE = 1 << 14 };

/* Writes the scene of a seed as JSON. Returns whether bodies may overlap at the start. */
bool extreme_scene(uint64_t seed, char text[EXTREME_TEXT_SIZE]);
