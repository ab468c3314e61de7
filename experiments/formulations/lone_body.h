/* One body on a floor, with any method: the world of most studies of the experiment `formulations`. */
#ifndef EXPERIMENTS_FORMULATIONS_LONE_BODY_H
#define EXPERIMENTS_FORMULATIONS_LONE_BODY_H

#include "experiments/setting/world.h"

/* A method with a friction cone, as tables name it. */
typedef struct AbutVariant {
	const char *name;
	AbutMethod method;
	AbutFrictionCone cone;
	AbutConvexModel convex_model;
} AbutVariant;

/* Method lcp bounds friction along two axes; it has no choice of cone. */
enum { ABUT_VARIANTS = 10 };
const AbutVariant *abut_variant(int index);

typedef struct AbutLoneBody {
	double half[3];            /* m, of a box */
	double radius;             /* m, of a ball; 0: a box */
	double mass;               /* kg */
	double above;              /* m, of its lowest point over the floor, which is at z = 0 */
	double velocity[3];        /* m/s */
	double spin[3];            /* rad/s, body axes */
	double friction, timestep; /* s */
	double time_constant;      /* s, of contacts of method convex; 0: its default */
	double margin;             /* m, of method convex, within which impedance grows from 0.01 to 0.99; 0: none */
	double tolerance;          /* of steps; 0: the default */
	bool weightless;
} AbutLoneBody;

enum { ABUT_LONE_BODY = 1 }; /* its index; the floor is 0 */

/* Opens the world. After a failure, as where the method does not support the scene, `error` says why and nothing is
 * left open. */
AbutStatus abut_lone_body_open(const AbutLoneBody *body, const AbutVariant *variant, AbutWorld *world,
                               AbutError *error);

/* Takes steps until the end or until one fails; returns false after a failure. */
bool abut_lone_body_run(AbutWorld *world, long steps);

/* --- closed forms --- */

/* Returns the way (m), and the number of steps, in which a body of that speed along the floor comes to rest by
 * Coulomb's law in implicit steps: v_k = v - k mu g dt, and it moves by v_k dt in step k. Tested in
 * tests/experiments/test_formulations.c. */
double abut_coulomb_way(double speed, double friction, double timestep, long *steps);

/* Returns the speed after one step from rest by a force along the floor, max(0, f - mu m g) dt / m. Same test. */
double abut_coulomb_push(double force, double mass, double friction, double timestep);

#endif
