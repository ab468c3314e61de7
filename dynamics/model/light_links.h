/* Checks the masses of the links of a mechanism. */
#pragma once

#include "dynamics/model/model.h"

/* Refuses a link of nearly no mass that carries another body. Call when the model has its joints. */
AbutStatus abut_light_links_check(const AbutModel *model, AbutError *error);
