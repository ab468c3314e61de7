/* Writes a run as NumPy arrays. */
#ifndef IO_EXPORT_NPZ_H
#define IO_EXPORT_NPZ_H

#include <stdio.h>

#include "io/run/read.h"

AbutStatus abut_export_npz(const AbutRunRecord *record, FILE *file, AbutError *error);

#endif
