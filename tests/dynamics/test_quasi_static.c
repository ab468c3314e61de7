/* Quasi-static steps against their closed forms: every step begins at rest. */
#include <criterion/criterion.h>
#include <math.h>

#include "world_fixture.h"
