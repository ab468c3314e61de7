/* Corrects the matrix A of an island with joints by what its turns show (dynamics/methods/manifold/jointed.h). A change
 * s of the impulses was to change the velocities along the rows by A s, and the joints' solution changed them by A s +
 * r. The symmetric matrix of rank one that explains this is added,
 *
 *     A <- A + r r' / (r's).
 *
 * Where joints hold a row, its impulse may otherwise grow from turn to turn. The corrected A is zero along this change:
 * friction then goes to its bound, or a point opens.
 *
 * Tested in tests/dynamics/methods/joints/test_method_contradictions.c. */
#pragma once

#include <stdbool.h>

#include "abut/status.h"

enum { ABUT_SECANTS = 12 };

/* Corrections of one island; initially zero. */
typedef struct AbutSecants {
	int n, capacity;
	double *r;                    /* (n x rows), room for ABUT_SECANTS x capacity */
	double divisor[ABUT_SECANTS]; /* r's */
} AbutSecants;

AbutStatus abut_secants_reserve(AbutSecants *secants, int rows);
void abut_secants_destroy(AbutSecants *secants);

/* Adds a correction for the change s; returns false if there is no room for it, or s does not determine one. */
bool abut_secants_add(AbutSecants *secants, int rows, const double *r, const double *s);
/* Computes out += (sum r r' / (r's)) s. */
void abut_secants_multiply(const AbutSecants *secants, int rows, const double *s, double *out);
/* Adds the corrections to the first rows of the matrix A (n x n). */
void abut_secants_correct(const AbutSecants *secants, int rows, int n, double *A);
