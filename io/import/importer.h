/* Growing the model of an import, with errors and notes at elements. */
#ifndef IO_IMPORT_IMPORTER_H
#define IO_IMPORT_IMPORTER_H

#include "io/import/model_parts.h"

/* Records the first error, at an element. */
__attribute__((format(printf, 3, 4))) void abut_importer_fail(AbutImporter *importer, const AbutXml *at,
                                                              const char *format, ...);
void abut_importer_no_memory(AbutImporter *importer);
/* Records what the scene leaves out, such as "left out: ...". */
__attribute__((format(printf, 3, 4))) void abut_importer_note(AbutImporter *importer, const AbutXml *at,
                                                              const char *format, ...);
/* Takes the tree over; frees it on an error. */
void abut_importer_keep(AbutImporter *importer, AbutXml *tree);
/* Adds a body. A number is added to a name that is taken; the element's name stands in for `name` NULL or empty. NULL
 * after an error; valid until the next body is added. */
AbutImportBody *abut_importer_body(AbutImporter *importer, const AbutXml *at, const char *name);
AbutGeom *abut_importer_geom(AbutImporter *importer, AbutImportBody *body, const AbutXml *at);
AbutImportMass *abut_importer_mass(AbutImporter *importer, AbutImportBody *body);
/* Drops the last body. */
void abut_importer_drop_body(AbutImport *import);
/* Returns the `name` of an element, "" if it has none. */
const char *abut_importer_name(const AbutXml *element);

#endif
