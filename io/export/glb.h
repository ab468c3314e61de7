/* Writes a run as binary glTF 2.0. */
#pragma once

#include <stdio.h>

#include "io/run/read.h"

AbutStatus abut_export_glb(const AbutRunRecord *record, FILE *file, AbutError *error);
