/* Plans the links of a scene that is written as URDF. */
#pragma once

#include "io/describe/describing.h"
#include "io/describe/freedoms.h"

/* A scene while it is written as URDF. The frame of a link is at the joint that moves it, so that it can differ from
 * that of its body. */
typedef struct AbutUrdfOut {
	AbutDescribing d;
	AbutPose *frame;    /* (n_bodies) of the link, in the frame of its body */
	bool *kept;         /* (n_bodies) the body has a link */
	bool has_world;     /* there is a link for the world */
	const char *meshes; /* path with which names of mesh files begin; NULL: none are written */
	AbutStatus status;  /* of writing mesh files */
	AbutError *error;
} AbutUrdfOut;

/* Plans the links of the scene in `u->d`. Returns ABUT_ERROR_MEMORY, or ABUT_OK; abut_urdf_free frees them always. */
AbutStatus abut_urdf_plan(AbutUrdfOut *u);
void abut_urdf_free(AbutUrdfOut *u);
/* Returns the name of the link of a body or the world, and of a site. */
const char *abut_urdf_link_name(const AbutUrdfOut *u, int body);
const char *abut_urdf_site_name(const AbutUrdfOut *u, int site);
/* Returns a pose in the frame of a body, or the world, as a pose in the frame of its link. */
AbutPose abut_urdf_in_link(const AbutUrdfOut *u, int body, const double position[3], const double orientation[4]);
/* Returns whether joint i closes a loop that Dojo's <loop_joint> can have. */
bool abut_urdf_has_loop(const AbutUrdfOut *u, int i);
