/* Writes the linear system of a robot's step to a file. */
#pragma once

#include <stdio.h>

#include "abut/linear.h"

/* A step as a linear system. Matrices are row-major; C and D may be NULL, without outputs. */
typedef struct AbutLinearSystem {
	double timestep, time, kappa; /* s; s at the start of the step; of the derivative */
	int n_x, n_u, n_y, n_q;
	const char **x_names, **u_names, **y_names, **q_names, **rate_names; /* (n_x), (n_u), (n_y), (n_q), (n_x / 2) */
	double *A, *B, *C, *D;
	double *q, *rates, *u;       /* (n_q), (n_x / 2), (n_u): where the derivative was taken */
	double *next_q, *next_rates; /* (n_q), (n_x / 2): after the step */
} AbutLinearSystem;

/* Write a system as arrays of NumPy; as a table with the columns matrix, row, column and value; and as the members of a
 * JSON object, each after a comma. */
AbutStatus abut_linear_write_npz(const AbutLinearSystem *system, FILE *file, AbutError *error);
void abut_linear_write_csv(const AbutLinearSystem *system, FILE *file);
void abut_linear_write_json(const AbutLinearSystem *system, FILE *file);
