/* Runs one body on a floor with any method: the world of most studies of the experiment `formulations`. */
#pragma once

#include "experiments/setting/world.h"

/* A method with its friction cone, named as in tables. */
typedef struct AbutVariant {
	const char *name;
	AbutMethod method;
	AbutFrictionCone cone;
	AbutConvexModel convex_model;
} AbutVariant;

/* Method lcp bounds friction along two axes and has no choice of cone. */
enum { ABUT_VARIANTS = 10 };
const AbutVariant *abut_variant(int index);

typedef struct AbutLoneBody {
	double half[3];            /* m, half extents of a box */
	double radius;             /* m, radius of a ball; 0: the body is a box */
	double mass;               /* kg */
	double above;              /* m, height of its lowest point above the floor z = 0 */
	double velocity[3];        /* m/s, world */
	double spin[3];            /* rad/s, body axes */
	double friction, timestep; /* s */
	double time_constant;      /* s, of contacts of method convex; 0: the default */
	double margin;    /* m, width in which the impedance of method convex grows from 0.01 to 0.99; 0: none */
	double tolerance; /* solver tolerance; 0: the default */
	bool weightless;
} AbutLoneBody;

enum { ABUT_LONE_BODY = 1 }; /* index of the body; the floor has 0 */

/* Opens the world. On failure nothing is left open and `error` gives the reason, for example that the method does not
 * support the scene. */
AbutStatus abut_lone_body_open(const AbutLoneBody *body, const AbutVariant *variant, AbutWorld *world,
                               AbutError *error);

/* Takes `steps` steps; returns false at the first one that fails. */
bool abut_lone_body_run(AbutWorld *world, long steps);

/* --- closed forms --- */

/* Returns the distance (m) and the number of steps after which a body sliding at `speed` comes to rest by Coulomb's
 * law, in implicit steps: the speed after step k is v_k = v - k mu g dt, and step k moves the body by v_k dt. Tested in
 * tests/experiments/test_formulations.c. */
double abut_coulomb_way(double speed, double friction, double timestep, long *steps);

/* Returns the speed (m/s) after one step from rest under a horizontal force f: max(0, f - mu m g) dt / m. Tested in
 * tests/experiments/test_formulations.c. */
double abut_coulomb_push(double force, double mass, double friction, double timestep);
