/* Adds parts, notes and errors to the model of an import. */
#pragma once

#include "io/robot/model_parts.h"

/* Records an error at an element, unless an error is already recorded. */
__attribute__((format(printf, 3, 4))) void abut_importer_fail(AbutImporter *importer, const AbutXml *at,
                                                              const char *format, ...);
void abut_importer_no_memory(AbutImporter *importer);
/* Gives the recorded error the `status`, one of abut_is_of_system. */
void abut_importer_blame_system(AbutImporter *importer, AbutStatus status);
/* Records a part that the scene leaves out, such as "left out: ...". */
__attribute__((format(printf, 3, 4))) void abut_importer_note(AbutImporter *importer, const AbutXml *at,
                                                              const char *format, ...);
/* Says that the last note is about `count` elements. */
void abut_importer_count_note(AbutImporter *importer, int count);
/* Names the scene; NULL: no name. */
void abut_importer_set_name(AbutImporter *importer, const char *name);
/* Takes ownership of the tree; frees it on an error. */
void abut_importer_keep(AbutImporter *importer, AbutXml *tree);
/* Adds a body. If the name is taken, a number is appended, and "world" becomes "world_body". If `name` is NULL or
 * empty, the tag of the element is used. The result is NULL after an error; it is valid until the next body is added.
 */
AbutImportBody *abut_importer_body(AbutImporter *importer, const AbutXml *at, const char *name);
AbutGeom *abut_importer_geom(AbutImporter *importer, AbutImportBody *body, const AbutXml *at);
AbutImportMass *abut_importer_mass(AbutImporter *importer, AbutImportBody *body);
/* Records where a body or a site of the model is. */
void abut_importer_place(AbutImporter *importer, const AbutImportPlace *place);
/* Returns how well a name in the element `from` reaches the element `to`: 2 in the same file (with what it includes), 1
 * from the model to one that it attaches, otherwise 0. */
int abut_import_reach(const AbutImport *import, const AbutXml *from, const AbutXml *to);
/* Returns the body or site (`kind`) that a name in `from` means, or NULL. */
const AbutImportPlace *abut_import_find_place(const AbutImport *import, const AbutXml *from, const char *kind,
                                              const char *name);
/* Drops the last body. */
void abut_importer_drop_body(AbutImport *import);
/* Returns the attribute `name` of an element, or "" if it has none. */
const char *abut_importer_name(const AbutXml *element);
