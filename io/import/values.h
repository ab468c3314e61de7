/* Numbers and paths in attributes of a model. */
#ifndef IO_IMPORT_VALUES_H
#define IO_IMPORT_VALUES_H

#include "io/import/model_parts.h"

/* Reads the numbers that `text` lists, `least` to `most` of them; returns how many, 0 if `text` is NULL. `text` is the
 * attribute `name`. Numbers must be finite and at most 1e9 in size. */
int abut_importer_numbers(AbutImporter *importer, const AbutXml *at, const char *name, const char *text, int least,
                          int most, double *out);
/* Reads the numbers of an attribute of the element; returns how many, 0 if there is no such attribute. */
int abut_importer_attribute(AbutImporter *importer, const AbutXml *at, const char *name, int least, int most,
                            double *out);
/* Refuses numbers below 1e-9. */
void abut_importer_positive(AbutImporter *importer, const AbutXml *at, const char *name, const double *values, int n);
/* Reads the scale of a mesh, the attribute `text` (NULL: it stays): three numbers, none of them near 0. */
void abut_importer_scale(AbutImporter *importer, const AbutXml *at, const char *text, double scale[3]);
/* Turns an inertia given as xx, yy, zz, xy, xz, yz by the orientation, into a matrix. Refuses what no part of a body
 * can have. */
void abut_importer_inertia(AbutImporter *importer, const AbutXml *at, const double six[6], const double orientation[4],
                           double out[9]);
/* Returns the path of `name` in `folder` in the folder of `file`; an absolute name or folder stays. The caller frees
 * it.
 */
char *abut_importer_path(AbutImporter *importer, const char *file, const char *folder, const char *name);

#endif
