/* Writes a run as an MCAP file for Foxglove. */
#ifndef IO_EXPORT_MCAP_H
#define IO_EXPORT_MCAP_H

#include <stdio.h>

#include "io/run/read.h"

AbutStatus abut_export_mcap(const AbutRunRecord *record, FILE *file, AbutError *error);

#endif
