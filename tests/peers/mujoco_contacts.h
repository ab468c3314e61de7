/* Computes MuJoCo's accelerations of bodies in contact at a random state, with the contacts that cause them. Method
 * convex is compared with these. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { ABUT_MUJOCO_BODIES = 5, ABUT_MUJOCO_CONTACTS = 60 };

/* Linear entries are in world axes, angular ones in body axes. */
typedef struct AbutMujocoBody {
	double mass, inertia[3];
	double position[3], R[9]; /* of the centre of mass; body to world, row-major */
	double velocity[6], free[6], acceleration[6];
} AbutMujocoBody;

typedef struct AbutMujocoContact {
	int body[2];               /* negative: fixed */
	int rows;                  /* condim */
	double distance;           /* of the surfaces, less the margin */
	double point[3], frame[9]; /* its rows are the normal, from body 0 to body 1, and the tangents */
	double friction[5];
	double solref[2], solimp[5];
} AbutMujocoContact;

typedef struct AbutMujocoSample {
	double timestep, impratio;
	bool pyramid;
	int n_bodies, n_contacts;
	AbutMujocoBody bodies[ABUT_MUJOCO_BODIES];
	AbutMujocoContact contacts[ABUT_MUJOCO_CONTACTS];
} AbutMujocoSample;

/* Fills in the state of a seed: one to five boxes, spheres and capsules above and in a plane and each other. Sizes,
 * velocities, pushes and contact parameters are random. Returns false if MuJoCo is not installed or has no room for the
 * contacts. */
bool abut_mujoco_sample(uint64_t seed, AbutMujocoSample *out);
