/* Stands in for ccd_peer.c where libccd is not installed. */
#include <stddef.h>

#include "experiments/queries/queries.h"

const AbutQueryFamily abut_query_ccd = {0, NULL};
