/* Replaces fcl_peer.c if FCL is not requested. */
#include <stddef.h>

#include "experiments/queries/queries.h"

const AbutQueryFamily abut_query_fcl = {0, NULL};
