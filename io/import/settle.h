/* Mends the start of an import whose bodies overlap. */
#pragma once

#include <stdbool.h>

#include "abut/model.h"
#include "io/robot/import_parts.h"

/* Compares the bodies of `model`, made of the scene of this import. Bodies of a robot that overlap at the start never
 * touch, in URDF, and with `lifts` in MJCF as well. With `lifts`, robots and free bodies that overlap static ones are
 * raised against gravity. Sets `*changed` if the scene must be written again; a raised body may need further calls. */
AbutStatus abut_import_settle(AbutImport *import, const AbutModel *model, bool lifts, bool *changed, AbutError *error);
/* Notes how far robots and free bodies were raised by all calls. */
AbutStatus abut_import_note_raised(AbutImport *import, AbutError *error);
