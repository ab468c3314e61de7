/* Checks that the names of bodies, joints, sites or sensors are unique. */
#pragma once

#include <stddef.h>

#include "abut/status.h"

/* Checks that no two of the n items share a name. Items are `size` bytes each and begin with their name, which is not
 * NULL. `list` is their array in the scene, such as "bodies". */
AbutStatus abut_names_check(const char *list, int n, const void *items, size_t size, AbutError *error);
