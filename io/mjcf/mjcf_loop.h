/* Reads the equalities of MJCF that close loops. */
#pragma once

#include "io/mjcf/mjcf_values.h"

/* Makes <connect> and <weld> joints; call when all bodies are read. */
void abut_mjcf_loops(AbutMjcf *mjcf);
