/* Reads the <contact> section of MJCF. */
#pragma once

#include "io/mjcf/mjcf_values.h"

/* Reads <exclude> and <pair>. Their names are looked up when the scene is written. */
void abut_mjcf_contacts(AbutMjcf *mjcf);
