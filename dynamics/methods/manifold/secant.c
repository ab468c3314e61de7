/* Corrects the matrix A of an island with joints by what its turns show. */
#include "dynamics/methods/manifold/secant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

AbutStatus abut_secants_reserve(AbutSecants *secants, int rows)
{
	return abut_grow(&secants->r, &secants->capacity, ABUT_SECANTS * rows, sizeof *secants->r) ? ABUT_OK
	                                                                                           : ABUT_ERROR_MEMORY;
}

void abut_secants_destroy(AbutSecants *secants)
{
	free(secants->r);
	*secants = (AbutSecants){.r = NULL};
}

static double dot(int n, const double *a, const double *b)
{
	double sum = 0.0;
	for (int i = 0; i < n; i++) {
		sum += a[i] * b[i];
	}
	return sum;
}

bool abut_secants_add(AbutSecants *secants, int rows, const double *r, const double *s)
{
	static const double least = 1e-8; /* of the cosine between r and s */
	const double divisor = dot(rows, r, s);
	if (secants->n == ABUT_SECANTS || !(fabs(divisor) > least * sqrt(dot(rows, r, r) * dot(rows, s, s)))) {
		return false;
	}
	memcpy(&secants->r[secants->n * rows], r, (size_t)rows * sizeof *r);
	secants->divisor[secants->n++] = divisor;
	return true;
}

void abut_secants_multiply(const AbutSecants *secants, int rows, const double *s, double *out)
{
	for (int k = 0; k < secants->n; k++) {
		const double *r = &secants->r[k * rows], factor = dot(rows, r, s) / secants->divisor[k];
		for (int i = 0; i < rows; i++) {
			out[i] += factor * r[i];
		}
	}
}

void abut_secants_correct(const AbutSecants *secants, int rows, int n, double *A)
{
	for (int k = 0; k < secants->n; k++) {
		const double *r = &secants->r[k * rows];
		for (int i = 0; i < rows; i++) {
			const double factor = r[i] / secants->divisor[k];
			for (int j = 0; j < rows; j++) {
				A[(size_t)i * (size_t)n + (size_t)j] += factor * r[j];
			}
		}
	}
}
