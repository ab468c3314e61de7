/* Checks and weighs the links of a mechanism. */
#pragma once

#include "dynamics/model/model.h"

/* A joint whose light links carry more than this multiple of its own mass or inertia is held by what they carry. Hips
 * of three hinges through links of 5 kg to 5 mg on a floor take as many exact steps with 1e4 (193 to 200 of 200). With
 * 1e6, 188 of 200 steps of method lcp through links of 5 mg fail. Links of 5 g and
 * more converge without it, so ordinary joints keep the usual stiffness. */
#define ABUT_LIGHT_LINK 1e3

/* Refuses a link of nearly no mass that carries another body. Call when the model has its joints. */
AbutStatus abut_light_links_check(const AbutModel *model, AbutError *error);
/* Sets what each joint carries, in model units: the largest mass, and inertia, of its two bodies with the armatures of
 * their joints, and of bodies to which links lead that weigh less than 1e-4 of them. */
AbutStatus abut_light_links_weigh(AbutModel *model, AbutError *error);
