/* Computes cores: finitely many points whose hull, padded by a ball, is the shape. A sum of shapes with cores has a
 * core. */
#pragma once

#include "abut/shape.h"
#include "shapes/hull/hull.h"

typedef struct AbutCore {
	int n;          /* 0: the shape has no core */
	double *points; /* (n x 3) corners of the hull, in the frame in which the parts are given, m */
	double radius;  /* radius of the ball, m; 0: none */
	AbutHull *hull; /* hull of three points or more, otherwise NULL; a flat hull has two faces, back to back */
	double error;   /* relative error of the mass, because a thin hull was treated as flat */
} AbutCore;

/* Finds the core of the sum of n shapes. Points, segments, boxes and polytopes have a core, with or without a ball, and
 * so do their sums. core->n becomes 0 if a shape has no core, or if the sum is flat and has no ball. */
AbutStatus abut_core_find(int n, const AbutShape *const *parts, AbutCore *core, AbutError *error);
void abut_core_free(AbutCore *core);

/* Returns the mass, exact to rounding except for core->error. `inner` receives the radius (m) of a ball around the
 * centre of mass that lies inside the hull. */
AbutMassProperties abut_core_mass(const AbutCore *core, double *inner);
