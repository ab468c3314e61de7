/* Replaces mujoco_peer.c if MuJoCo is not installed. */
#include <stddef.h>

#include "base/error.h"
#include "experiments/peers/peers.h"

const AbutPeerFamily abut_peer_mujoco = {0, NULL};

AbutStatus abut_peer_mujoco_create(const char *xml, const char *rest, AbutPeerWorld **out, AbutError *error)
{
	(void)xml;
	(void)rest;
	*out = NULL;
	return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL, "built without MuJoCo");
}

void abut_peer_mujoco_place(AbutPeerWorld *world, int n, const double *coordinates)
{
	(void)world;
	(void)n;
	(void)coordinates;
}

void abut_peer_mujoco_control(AbutPeerWorld *world, const double *controls)
{
	(void)world;
	(void)controls;
}

void abut_peer_mujoco_read(const AbutPeerWorld *world, int n, double *coordinates)
{
	(void)world;
	(void)n;
	(void)coordinates;
}
