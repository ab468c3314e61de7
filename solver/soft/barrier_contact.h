/* Computes contact impulses of least kinetic energy over friction cones with logarithmic barriers (Todorov, ICRA 2011;
 * docs/formulation.md 15). There are n contacts of three rows (normal, two tangents). A = J M^-1 J', c are the
 * velocities without contact, and R is a diagonal regularisation. The forward problem is
 *
 *     f = argmin 1/2 f' (A + R) f + f' c + F(f) + V(v),    v = A f + c,
 *     F = -kappa sum (log(mu^2 f_n^2 - |f_t|^2) + log f_n),  V = -kappa sum log(v_n - v_least).
 *
 * The inverse problem finds f and c from v alone, because the gradients of both functions are zero together:
 *
 *     f = argmin 1/2 f' R f + F(f) + f' (v + A grad V(v)),    c = v - A f.
 *
 * It separates into the contacts. Both problems are solved by Newton's method. Steps of the forward problem end before
 * the boundaries of the cones, which are roots of quadratics. V needs all v_n > v_least. If one is not, V is extended:
 * below the point where its slope is -`slope`, a parabola with the same first and second derivative replaces it. The
 * forward problem uses this extension only until all v are allowed.
 *
 * Impulses, velocities and kappa may be in any consistent units. Tested in tests/solver/test_barrier_contact.c. */
#pragma once

#include <stdbool.h>

#include "base/stop.h"

typedef struct AbutBarrierProblem {
	int n;               /* number of contacts */
	const double *A;     /* (3n x 3n) symmetric, positive semidefinite */
	const double *R;     /* (3n) > 0 */
	const double *mu;    /* (n) > 0 */
	const double *least; /* (n) v_least, the lower bound of v_n */
	double kappa, slope; /* > 0 */
	AbutStopper *stop;   /* ends the solve early; NULL: never */
} AbutBarrierProblem;

typedef struct AbutBarrierReport {
	bool solved;     /* the residual is at most ABUT_BARRIER_NEARLY */
	bool allowed;    /* v_n > v_least at all contacts */
	int iterations;  /* Newton steps; inverse problem: largest number of any contact */
	double residual; /* largest entry of the gradient, relative to the size of its parts */
} AbutBarrierReport;

#define ABUT_BARRIER_NEARLY 1e-9

enum { ABUT_BARRIER_ITERATIONS = 100 };

/* Computes f and c (3n) from v (3n). Needs no scratch. */
void abut_barrier_inverse(const AbutBarrierProblem *problem, const double *v, double *f, double *c,
                          AbutBarrierReport *report);

/* Returns whether v_n > v_least at all contacts. */
bool abut_barrier_is_allowed(const AbutBarrierProblem *problem, const double *v);

/* Computes the first and second derivative of V with respect to s = v_n - v_least of one contact. With `modified`, V is
 * extended by the parabola. */
void abut_barrier_speed(const AbutBarrierProblem *problem, double s, bool modified, double derivative[2]);

/* Computes the gradient of F for one contact, and the rows of the lower half of its second derivative. */
void abut_barrier_cone(double kappa, double mu, const double f[3], double gradient[3], double H[6]);

/* Returns the largest t in [0, limit] for which f + t df stays in the friction cone of mu; f must lie inside. */
double abut_barrier_step(double mu, const double f[3], const double df[3], double limit);
