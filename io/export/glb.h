/* Writes a run as binary glTF 2.0. */
#ifndef IO_EXPORT_GLB_H
#define IO_EXPORT_GLB_H

#include <stdio.h>

#include "io/run/read.h"

AbutStatus abut_export_glb(const AbutRunRecord *record, FILE *file, AbutError *error);

#endif
