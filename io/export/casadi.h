/* Writes a step of a scene as C source for CasADi's function external(). */
#pragma once

#include <stdio.h>

/* The scene, and the sizes of the step. */
typedef struct AbutCasadi {
	const char *function;         /* name of the function: an identifier */
	const char *scene;            /* absolute path of the file */
	int n_overrides;              /* of abut_scene_load */
	const char *const *overrides; /* (n_overrides) */
	double kappa;                 /* of the derivative */
	int n_q, n_v, n_u;
} AbutCasadi;

void abut_casadi_write(const AbutCasadi *of, FILE *file);
