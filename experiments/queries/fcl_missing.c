/* Stands in for fcl_peer.c where FCL is not requested. */
#include <stddef.h>

#include "experiments/queries/queries.h"

const AbutQueryFamily abut_query_fcl = {0, NULL};
