/* Writes joints and couplings of a scene as elements of URDF. */
#pragma once

#include "io/describe/urdf_plan.h"

/* Writes a joint without a law between two links: of type "fixed" or "floating", or "planar" about `axis`. */
void abut_urdf_write_tie(const AbutUrdfOut *u, const char *name, const char *type, const char *parent,
                         const char *child, const AbutPose *at, const double *axis);
/* Writes the joint that carries a body, and the link between two joints that stand for one. */
void abut_urdf_write_joint(const AbutUrdfOut *u, int body);
/* Writes the joints that close loops as <loop_joint>, an extension of Dojo. */
void abut_urdf_write_loops(const AbutUrdfOut *u);
/* Returns whether <mimic> of the first freedom of the coupling holds it. */
bool abut_urdf_is_mimic(const AbutUrdfOut *u, int coupling);
