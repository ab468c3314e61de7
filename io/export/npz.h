/* Writes a run as NumPy arrays. */
#pragma once

#include <stdio.h>

#include "io/run/read.h"

AbutStatus abut_export_npz(const AbutRunRecord *record, FILE *file, AbutError *error);
