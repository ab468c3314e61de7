/* Block LU over the body graph. */
#include "solver/block_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clones.h"

AbutStatus abut_block_system_create(int n, AbutBlockSystem *out)
{
	memset(out, 0, sizeof *out);
	const size_t nn = (size_t)n * (size_t)n;
	const size_t block_bytes = nn * ABUT_BLOCK_SIZE * sizeof(double);
	char *memory = malloc(64 + block_bytes + (2 * nn + 4 * (size_t)n) * sizeof(int));
	if (!memory) {
		return ABUT_ERROR_MEMORY;
	}
	out->memory = memory;
	out->n = n;
	char *aligned = memory + (64 - (size_t)memory % 64) % 64;
	out->blocks = (double *)(void *)aligned;
	int *integers = (int *)(void *)(aligned + block_bytes);
	out->block_of = integers;
	out->next = integers + nn;
	out->n_next = integers + 2 * nn;
	out->position_of = out->n_next + n;
	out->body_at = out->position_of + n;
	out->degree = out->body_at + n;
	return ABUT_OK;
}

void abut_block_system_destroy(AbutBlockSystem *system)
{
	free(system->memory);
	memset(system, 0, sizeof *system);
}

void abut_block_system_piece(const AbutBlockSystem *whole, int bodies, long squares, int n, AbutBlockSystem *out)
{
	*out = *whole;
	out->n = n;
	out->n_blocks = 0;
	out->memory = NULL;
	out->position_of += bodies;
	out->body_at += bodies;
	out->n_next += bodies;
	out->degree += bodies;
	out->block_of += squares;
	out->next += squares;
	out->blocks += squares * ABUT_BLOCK_SIZE;
}

/* Greedy minimum degree by eliminating on the graph itself; block_of serves as adjacency (by bodies) meanwhile,
 * `degree` counts the neighbours that are left. */
static void order_bodies(AbutBlockSystem *system)
{
	const int n = system->n;
	int *adjacent = system->block_of, *degree = system->degree;
	for (int i = 0; i < n; i++) {
		system->position_of[i] = -1;
		degree[i] = 0;
		for (int j = 0; j < n; j++) {
			degree[i] += adjacent[(long)i * n + j];
		}
	}
	for (int k = 0; k < n; k++) {
		int chosen = -1;
		for (int i = 0; i < n; i++) {
			if (system->position_of[i] < 0 && (chosen < 0 || degree[i] < degree[chosen])) {
				chosen = i;
			}
		}
		system->position_of[chosen] = k;
		system->body_at[k] = chosen;
		int count = 0;
		int *next = &system->next[(long)k * n];
		for (int j = 0; j < n; j++) {
			if (system->position_of[j] < 0 && adjacent[(long)chosen * n + j]) {
				next[count++] = j;
				degree[j]--;
			}
		}
		system->n_next[k] = count;
		for (int a = 0; a < count; a++) { /* the neighbours of an eliminated body become neighbours */
			for (int b = 0; b < count; b++) {
				int *edge = &adjacent[(long)next[a] * n + next[b]];
				if (a != b && !*edge) {
					*edge = 1;
					degree[next[a]]++;
				}
			}
		}
	}
}

/* Short lists: insertion sort, which needs no memory. */
static void sort_positions(int *list, int n)
{
	for (int i = 1; i < n; i++) {
		const int value = list[i];
		int j = i;
		for (; j > 0 && list[j - 1] > value; j--) {
			list[j] = list[j - 1];
		}
		list[j] = value;
	}
}

void abut_block_system_analyse(AbutBlockSystem *system, int n_pairs, const int (*pairs)[2])
{
	const int n = system->n;
	const size_t nn = (size_t)n * (size_t)n;
	memset(system->block_of, 0, nn * sizeof(int));
	for (int i = 0; i < n_pairs; i++) {
		const int a = pairs[i][0], b = pairs[i][1];
		if (a >= 0 && b >= 0 && a != b) {
			system->block_of[a * n + b] = system->block_of[b * n + a] = 1;
		}
	}
	order_bodies(system);
	for (size_t i = 0; i < nn; i++) {
		system->block_of[i] = -1;
	}
	system->n_blocks = 0;
	for (int k = 0; k < n; k++) {
		int *next = &system->next[k * n];
		for (int i = 0; i < system->n_next[k]; i++) {
			next[i] = system->position_of[next[i]];
		}
		sort_positions(next, system->n_next[k]);
		system->block_of[k * n + k] = system->n_blocks++;
		for (int i = 0; i < system->n_next[k]; i++) {
			system->block_of[k * n + next[i]] = system->n_blocks++;
			system->block_of[next[i] * n + k] = system->n_blocks++;
		}
	}
}

void abut_block_system_clear(AbutBlockSystem *system)
{
	memset(system->blocks, 0, (size_t)system->n_blocks * ABUT_BLOCK_SIZE * sizeof(double));
}

/* target -= factor source, one row of eight. */
ALWAYS_INLINE void subtract_row(double *restrict target, double factor, const double *restrict source)
{
	for (int c = 0; c < ABUT_BLOCK_ROW; c++) {
		target[c] -= factor * source[c];
	}
}

/* Gauss-Jordan without pivoting. `steps` records what was done, row by row of each pivot: the factors taken off the
 * other rows and, on the diagonal, the pivot's inverse. D's columns become the unit matrix, its right-hand sides D^-1
 * times them. False when a pivot is zero or not finite. */
ALWAYS_INLINE bool gauss_jordan(double *restrict D, double steps[6][6])
{
	for (int p = 0; p < 6; p++) {
		double *pivot = &D[p * ABUT_BLOCK_ROW];
		const double inverse = 1.0 / pivot[p];
		if (!isfinite(inverse)) {
			return false;
		}
		for (int c = 0; c < ABUT_BLOCK_ROW; c++) {
			pivot[c] *= inverse;
		}
		for (int r = 0; r < 6; r++) {
			steps[p][r] = r == p ? inverse : D[r * ABUT_BLOCK_ROW + p];
			if (r != p) {
				subtract_row(&D[r * ABUT_BLOCK_ROW], steps[p][r], pivot);
			}
		}
	}
	return true;
}

/* M becomes D^-1 M. */
ALWAYS_INLINE void apply_steps(const double steps[6][6], double *restrict M)
{
	for (int p = 0; p < 6; p++) {
		double *pivot = &M[p * ABUT_BLOCK_ROW];
		for (int c = 0; c < ABUT_BLOCK_ROW; c++) {
			pivot[c] *= steps[p][p];
		}
		for (int r = 0; r < 6; r++) {
			if (r != p) {
				subtract_row(&M[r * ABUT_BLOCK_ROW], steps[p][r], pivot);
			}
		}
	}
}

/* The diagonal block of position k and its row of blocks become D^-1 times themselves. */
ALWAYS_INLINE bool eliminate_row(AbutBlockSystem *system, int k)
{
	const int *row = &system->block_of[k * system->n];
	double steps[6][6];
	if (!gauss_jordan(&system->blocks[(long)row[k] * ABUT_BLOCK_SIZE], steps)) {
		return false;
	}
	for (int b = 0; b < system->n_next[k]; b++) {
		apply_steps(steps, &system->blocks[(long)row[system->next[k * system->n + b]] * ABUT_BLOCK_SIZE]);
	}
	return true;
}

/* target -= left right, with the six columns of `left`. */
ALWAYS_INLINE void subtract_product(double *restrict target, const double *restrict left, const double *restrict right)
{
	for (int r = 0; r < 6; r++) {
		for (int q = 0; q < 6; q++) {
			subtract_row(&target[r * ABUT_BLOCK_ROW], left[r * ABUT_BLOCK_ROW + q],
			             &right[q * ABUT_BLOCK_ROW]);
		}
	}
}

/* Right-hand sides: the last two columns of the diagonal blocks. */
ALWAYS_INLINE void subtract_rhs(double *target, const double *left, const double *right)
{
	for (int r = 0; r < 6; r++) {
		for (int q = 0; q < 6; q++) {
			target[r * ABUT_BLOCK_ROW + 6] -= left[r * ABUT_BLOCK_ROW + q] * right[q * ABUT_BLOCK_ROW + 6];
			target[r * ABUT_BLOCK_ROW + 7] -= left[r * ABUT_BLOCK_ROW + q] * right[q * ABUT_BLOCK_ROW + 7];
		}
	}
}

ABUT_CLONES bool abut_block_system_solve(AbutBlockSystem *system)
{
	const int n = system->n;
	double *const blocks = system->blocks;
	const int *const block_of = system->block_of;
	for (int k = 0; k < n; k++) {
		if (!eliminate_row(system, k)) {
			return false;
		}
		const int *next = &system->next[k * n];
		const double *own = &blocks[(long)block_of[k * n + k] * ABUT_BLOCK_SIZE];
		for (int a = 0; a < system->n_next[k]; a++) {
			const int i = next[a];
			const double *left = &blocks[(long)block_of[i * n + k] * ABUT_BLOCK_SIZE];
			subtract_rhs(&blocks[(long)block_of[i * n + i] * ABUT_BLOCK_SIZE], left, own);
			for (int b = 0; b < system->n_next[k]; b++) {
				const int j = next[b];
				const double *right = &blocks[(long)block_of[k * n + j] * ABUT_BLOCK_SIZE];
				double *target = &blocks[(long)block_of[i * n + j] * ABUT_BLOCK_SIZE];
				if (i == j) { /* keep the right-hand sides of a diagonal block */
					for (int r = 0; r < 6; r++) {
						for (int q = 0; q < 6; q++) {
							for (int c = 0; c < 6; c++) {
								target[r * ABUT_BLOCK_ROW + c] -=
								    left[r * ABUT_BLOCK_ROW + q] *
								    right[q * ABUT_BLOCK_ROW + c];
							}
						}
					}
				} else {
					subtract_product(target, left, right);
				}
			}
		}
	}
	for (int k = n - 1; k >= 0; k--) {
		double *own = &blocks[(long)block_of[k * n + k] * ABUT_BLOCK_SIZE];
		for (int a = 0; a < system->n_next[k]; a++) {
			const int j = system->next[k * n + a];
			subtract_rhs(own, &blocks[(long)block_of[k * n + j] * ABUT_BLOCK_SIZE],
			             &blocks[(long)block_of[j * n + j] * ABUT_BLOCK_SIZE]);
		}
	}
	return true;
}
