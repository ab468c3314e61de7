/* What both directions of solver/soft/barrier_contact.h share. */
#ifndef SOLVER_SOFT_BARRIER_CONE_H
#define SOLVER_SOFT_BARRIER_CONE_H

#include "solver/soft/barrier_contact.h"

enum { ABUT_BARRIER_ITERATIONS = 100 };

/* Gradient of F for one contact, and its second derivative by the rows of its lower half. */
void abut_barrier_cone(double kappa, double mu, const double f[3], double gradient[3], double H[6]);

#endif
