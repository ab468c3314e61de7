/* Writes a run as an MCAP file for Foxglove. */
#pragma once

#include <stdio.h>

#include "io/run/read.h"

AbutStatus abut_export_mcap(const AbutRunRecord *record, FILE *file, AbutError *error);
