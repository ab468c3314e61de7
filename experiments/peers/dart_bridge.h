/* Makes DART, a C++ library, available as C functions. */
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AbutDartWorld AbutDartWorld;

typedef struct AbutDartSettings {
	double timestep;   /* s */
	double gravity[3]; /* m/s^2 */
	double friction;   /* coefficient of every body and plane */
	bool plain; /* DART's own detector for boxes and spheres, no error reduction, least mixing of forces; otherwise
	               its defaults */
	int sweeps; /* most Gauss-Seidel sweeps after Dantzig's method fails, to 1e-13; 0: DART's 30, to 1e-6 */
} AbutDartSettings;

/* A box with half extents `size`, or a sphere of radius size[0], and its start. */
typedef struct AbutDartBody {
	bool sphere;
	double size[3];        /* m */
	double mass;           /* kg */
	double inertia[3];     /* kg m^2, about its own axes */
	double position[3];    /* m, of the centre of mass, world */
	double orientation[4]; /* unit quaternion [w, x, y, z], body to world */
	double velocity[3];    /* m/s, of the centre of mass, world */
	double spin[3];        /* rad/s, body axes */
} AbutDartBody;

/* Creates an empty world; NULL when DART does not start. */
AbutDartWorld *abut_dart_create(const AbutDartSettings *settings);
void abut_dart_destroy(AbutDartWorld *world); /* NULL is fine */
/* Adds the half space n.p <= offset (n is a unit vector) as the top of a box of 100 m. For `abut_dart_wrench` all
 * planes together are body -1. */
bool abut_dart_add_plane(AbutDartWorld *world, const double n[3], double offset);
bool abut_dart_add_body(AbutDartWorld *world, const AbutDartBody *body); /* bodies get numbers from 0 */
/* Applies a force (N, world, at the centre of mass) and a torque (N m, body axes) during the next step. */
void abut_dart_push(AbutDartWorld *world, int body, const double force[3], const double torque[3]);
void abut_dart_step(AbutDartWorld *world);
void abut_dart_read(const AbutDartWorld *world, int body, AbutDartBody *out); /* the pose and velocities */
/* Reads the wrench of `other` on `body` in the last step: force (N) and torque about the centre of mass (N m), world.
 */
void abut_dart_wrench(const AbutDartWorld *world, int body, int other, double out[6]);
bool abut_dart_gave_up(const AbutDartWorld *world);       /* whether the last step needed sweeps of Gauss-Seidel */
double abut_dart_penetration(const AbutDartWorld *world); /* m, deepest contact of the last step; 0: none */

#ifdef __cplusplus
}
#endif
