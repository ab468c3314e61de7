/* Reads numbers and paths from attributes of a model. */
#pragma once

#include "io/robot/model_parts.h"

/* Reads from `least` to `most` numbers from `text`, the value of attribute `name`. Returns how many, or 0 if `text` is
 * NULL. Numbers must be finite and at most 1e9 in magnitude. */
int abut_importer_numbers(AbutImporter *importer, const AbutXml *at, const char *name, const char *text, int least,
                          int most, double *out);
/* Reads the numbers of an attribute of the element. Returns how many, or 0 if it has no such attribute. */
int abut_importer_attribute(AbutImporter *importer, const AbutXml *at, const char *name, int least, int most,
                            double *out);
/* Fails if a number is below 1e-9. */
void abut_importer_positive(AbutImporter *importer, const AbutXml *at, const char *name, const double *values, int n);
/* Reads the scale of a mesh from `text`, three numbers of magnitude at least 1e-9. If `text` is NULL, `scale` is
 * unchanged. */
void abut_importer_scale(AbutImporter *importer, const AbutXml *at, const char *text, double scale[3]);
/* Rotates an inertia, given as xx, yy, zz, xy, xz, yz, by the orientation and writes it as a matrix. Fails for an
 * inertia that no part of a body can have. */
void abut_importer_inertia(AbutImporter *importer, const AbutXml *at, const double six[6], const double orientation[4],
                           double out[9]);
/* Returns the path of `name` in `folder`, which is relative to the folder of `file`; an absolute `name` or `folder` is
 * kept. The caller frees the path. */
char *abut_importer_path(AbutImporter *importer, const char *file, const char *folder, const char *name);
