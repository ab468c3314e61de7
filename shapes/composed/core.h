/* Cores: finitely many points whose hull, padded by a ball, is a shape. Sums of shapes that have cores have one. */
#ifndef SHAPES_COMPOSED_CORE_H
#define SHAPES_COMPOSED_CORE_H

#include "abut/shape.h"
#include "shapes/hull/hull.h"

typedef struct AbutCore {
	int n;          /* 0: the shape has no core */
	double *points; /* (n x 3) corners of the hull, in the frame that the parts are given in */
	double radius;  /* of the ball; 0 for none */
	AbutHull *hull; /* of three points or more; one in a plane has two faces, back to back */
	double error;   /* stated relative error of its mass: of taking thin hulls for flat */
} AbutCore;

/* Of the sum of n shapes. Points, segments, boxes and polytopes have a core, each with or without a ball, and so do
 * sums of them; core->n is 0 where one of them has none, or where there is no ball and the sum is flat. */
AbutStatus abut_core_find(int n, const AbutShape *const *parts, AbutCore *core, AbutError *error);
void abut_core_free(AbutCore *core);

/* Exact to rounding but for core->error. `inner` is the radius of a ball about the centre of mass inside the hull. */
AbutMassProperties abut_core_mass(const AbutCore *core, double *inner);

#endif
