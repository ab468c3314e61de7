/* Reads the other files of an MJCF model. */
#pragma once

#include "io/mjcf/mjcf_values.h"

/* Includes files recursively: their content follows each <include>. */
void abut_mjcf_include(AbutImporter *importer, AbutXml *root);
/* Reads the model of an <attach> to `other`, whose importer and depth are set, and returns the body to attach. Returns
 * NULL after an error. */
const AbutXml *abut_mjcf_attached(const AbutMjcf *mjcf, const AbutXml *element, AbutMjcf *other);
