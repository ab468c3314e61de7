/* Contact by least kinetic energy over friction cones, with logarithmic barriers (Todorov, ICRA 2011;
 * docs/formulation.md 15). For n contacts of three rows (normal, two tangents), with A = J M^-1 J' and c the velocities
 * without contact, the forward problem is
 *
 *     f = argmin 1/2 f' (A + R) f + f' c + F(f) + V(v),    v = A f + c,
 *     F = -kappa sum log(mu^2 f_n^2 - |f_t|^2) + log f_n,  V = -kappa sum log(v_n - v_least)
 *
 * and the inverse problem, from v alone, because the gradients of both vanish together,
 *
 *     f = argmin 1/2 f' R f + F(f) + f' (v + A grad V(v)),    c = v - A f,
 *
 * which separates into the contacts. Both are solved by Newton's method; steps end at the cones' boundaries, roots of
 * quadratics. Where v is not allowed, V continues below the place where its slope is -`slope`, as a parabola with the
 * same first and second derivative; in the forward problem only until v is allowed.
 *
 * Impulses, velocities and kappa may be in any consistent units. Tested in tests/solver/test_barrier_contact.c. */
#ifndef SOLVER_SOFT_BARRIER_CONTACT_H
#define SOLVER_SOFT_BARRIER_CONTACT_H

#include <stdbool.h>

typedef struct AbutBarrierProblem {
	int n;               /* contacts */
	const double *A;     /* (3n x 3n) symmetric, positive semidefinite */
	const double *R;     /* (3n) > 0 */
	const double *mu;    /* (n) > 0 */
	const double *least; /* (n) least normal velocity */
	double kappa, slope; /* > 0 */
} AbutBarrierProblem;

typedef struct AbutBarrierReport {
	bool solved;     /* gradient below ABUT_BARRIER_NEARLY of its largest part */
	bool allowed;    /* v_n > v_least at all contacts */
	int iterations;  /* inverse problem: of the contact that takes most */
	double residual; /* largest entry of the gradient, relative to the largest of its parts */
} AbutBarrierReport;

#define ABUT_BARRIER_NEARLY 1e-9

enum { ABUT_BARRIER_ITERATIONS = 100 };

/* Computes f and c (3n) from v (3n). Needs no scratch. */
void abut_barrier_inverse(const AbutBarrierProblem *problem, const double *v, double *f, double *c,
                          AbutBarrierReport *report);

/* Returns whether v_n > v_least at all contacts. */
bool abut_barrier_is_allowed(const AbutBarrierProblem *problem, const double *v);

/* Computes the first and second derivative of V by one contact's s = v_n - v_least; `modified`: with the parabola. */
void abut_barrier_speed(const AbutBarrierProblem *problem, double s, bool modified, double derivative[2]);

/* Computes the gradient of F for one contact, and the rows of the lower half of its second derivative. */
void abut_barrier_cone(double kappa, double mu, const double f[3], double gradient[3], double H[6]);

/* Returns the largest t in [0, limit] for which f + t df stays in the friction cone of mu; f must lie inside. */
double abut_barrier_step(double mu, const double f[3], const double df[3], double limit);

#endif
