/* Checks and weighs the links of a mechanism. */
#pragma once

#include "dynamics/model/model.h"

/* Refuses a link of nearly no mass that carries another body. Call when the model has its joints. */
AbutStatus abut_light_links_check(const AbutModel *model, AbutError *error);
/* Sets what each joint carries, in model units: the largest mass, and inertia, of its two bodies with the armatures of
 * their joints, and of bodies to which links lead that weigh less than 1e-4 of them. */
AbutStatus abut_light_links_weigh(AbutModel *model, AbutError *error);
