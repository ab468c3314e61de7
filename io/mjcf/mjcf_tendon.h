/* Reads the fixed tendons of MJCF. */
#pragma once

#include "io/mjcf/mjcf_values.h"

enum { ABUT_MJCF_TERMS_MAX = 16 }; /* most joints of a fixed tendon */

/* A length that is a sum over freedoms: offset + sum of coefficient times coordinate. */
typedef struct AbutMjcfSum {
	int n, joint[ABUT_MJCF_TERMS_MAX], axis[ABUT_MJCF_TERMS_MAX];
	double coefficient[ABUT_MJCF_TERMS_MAX], offset;
} AbutMjcfSum;

/* Reads the fixed tendon `name`. Coupled freedoms are expressed by each other, so that a tendon of two coupled fingers
 * is one of a single freedom. Returns false if there is no such tendon, or it is not of hinges and slides. */
bool abut_mjcf_tendon(const AbutMjcf *mjcf, const char *name, AbutMjcfSum *out);
/* Returns the length of a tendon at the model's pose. */
double abut_mjcf_length(const AbutImport *import, const AbutMjcfSum *sum);
/* Applies limits and springs of the tendons to the freedom that each depends on; notes the others. Call when couplings
 * are made. */
void abut_mjcf_tendons(AbutMjcf *mjcf);
