/* Studies of random trees of jointed bodies. */
#pragma once

#include "experiments/reliability/study.h"

/* The seeds of the studies. A rule of the solver may be chosen on the seeds from 1 on, and is then judged on others. */
enum { TREES_FIRST_CHOICE = 1, TREES_FIRST_JUDGED = 1001 };

typedef struct TreesOptions {
	unsigned long first, count; /* seeds of each cell */
	const char *cells;          /* runs only the cells whose names contain this text; NULL: all */
	const AbutSolverOptions *solver;
	Keep *keep;
	bool rows;        /* prints the rows of the cascade after each cell */
	const char *data; /* folder of the imported models */
	int *missed;      /* imported models: number of aims that are missed; may be NULL */
	bool standing;    /* imported models: motors keep their targets, and runs are shorter */
} TreesOptions;

/* Run the robots, or the passive mechanisms. Print a row for each cell and, at the end, the project's targets. Return
 * false if a scene or a step is refused (message on stderr). */
bool robots_run(const TreesOptions *options, Tally *total);
bool mechanisms_run(const TreesOptions *options, Tally *total);
/* Runs the robots of options->data/models, a cell for each file. A file that cannot be imported has no cell. Counts the
 * aims that are missed in options->missed, and that none is run. */
bool imported_run(const TreesOptions *options, Tally *total);

/* Returns whether the options select the cell. */
bool trees_selected(const TreesOptions *options, const char *cell);
