/* Replaces ccd_peer.c if libccd is not installed. */
#include <stddef.h>

#include "experiments/queries/queries.h"

const AbutQueryFamily abut_query_ccd = {0, NULL};
