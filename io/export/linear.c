/* Writes a linear system as NumPy arrays, as a table or as JSON: the matrices and the point at which they were taken,
 * with the names of all rows and columns. Tested in tests/cli/grad/linearise.c. */
#include "io/export/linear.h"

#include "io/export/npz_arrays.h"
#include "io/text/csv.h"
#include "io/text/number.h"

/* A matrix, or a vector, with the names of its rows and columns. */
typedef struct Block {
	const char *name;
	const double *data; /* NULL: there is none */
	int n_rows, n_columns;
	const char *const *rows, *const *columns; /* `columns` is NULL for a vector */
} Block;

/* A list of names, and its name. */
typedef struct Names {
	const char *name;
	int n;
	const char *const *at;
} Names;

enum { BLOCKS = 9, NAMES = 5, NUMBERS = 3, MEMBER = 32 };

static void list_blocks(const AbutLinearSystem *s, Block out[BLOCKS])
{
	const int n_v = s->n_x / 2;
	const Block all[BLOCKS] = {{"A", s->A, s->n_x, s->n_x, s->x_names, s->x_names},
	                           {"B", s->B, s->n_x, s->n_u, s->x_names, s->u_names},
	                           {"C", s->C, s->n_y, s->n_x, s->y_names, s->x_names},
	                           {"D", s->D, s->n_y, s->n_u, s->y_names, s->u_names},
	                           {"q", s->q, s->n_q, 1, s->q_names, NULL},
	                           {"qdot", s->rates, n_v, 1, s->rate_names, NULL},
	                           {"u", s->u, s->n_u, 1, s->u_names, NULL},
	                           {"q_next", s->next_q, s->n_q, 1, s->q_names, NULL},
	                           {"qdot_next", s->next_rates, n_v, 1, s->rate_names, NULL}};
	for (int i = 0; i < BLOCKS; i++) {
		out[i] = all[i];
	}
}

static void list_names(const AbutLinearSystem *s, Names out[NAMES])
{
	const Names all[NAMES] = {{"state_names", s->n_x, s->x_names},
	                          {"input_names", s->n_u, s->u_names},
	                          {"output_names", s->n_y, s->y_names},
	                          {"q_names", s->n_q, s->q_names},
	                          {"qdot_names", s->n_x / 2, s->rate_names}};
	for (int i = 0; i < NAMES; i++) {
		out[i] = all[i];
	}
}

static const char *const number_names[NUMBERS] = {"timestep", "time", "kappa"};

static void list_numbers(const AbutLinearSystem *s, double out[NUMBERS])
{
	out[0] = s->timestep;
	out[1] = s->time;
	out[2] = s->kappa;
}

/* --- NumPy --- */

static const char *member_name(const char *name, char out[MEMBER])
{
	snprintf(out, MEMBER, "%s.npy", name);
	return out;
}

static void put_names(AbutNpz *npz, const Names *names)
{
	int longest = 1;
	char type[24], member[MEMBER];
	for (int i = 0; i < names->n; i++) {
		const int length = abut_npz_text_length(names->at[i]);
		longest = length > longest ? length : longest;
	}
	snprintf(type, sizeof type, "'<U%d'", longest);
	abut_npz_rows(npz, type, names->n, 0);
	for (int i = 0; i < names->n; i++) {
		abut_npz_text(npz, names->at[i], longest);
	}
	abut_npz_end(npz, member_name(names->name, member));
}

AbutStatus abut_linear_write_npz(const AbutLinearSystem *system, FILE *file, AbutError *error)
{
	AbutNpz npz = {.zip = {.file = file}, .error = error};
	Block blocks[BLOCKS];
	Names names[NAMES];
	double numbers[NUMBERS];
	char member[MEMBER];
	list_blocks(system, blocks);
	list_names(system, names);
	list_numbers(system, numbers);
	for (int i = 0; i < BLOCKS; i++) {
		const Block *block = &blocks[i];
		char shape[48];
		if (block->columns) {
			snprintf(shape, sizeof shape, "%d, %d", block->n_rows, block->n_columns);
		} else {
			snprintf(shape, sizeof shape, "%d,", block->n_rows);
		}
		if (block->data) {
			abut_npz_begin(&npz, "'<f8'", shape);
			abut_bytes_doubles(&npz.array, block->data, (size_t)block->n_rows * (size_t)block->n_columns);
			abut_npz_end(&npz, member_name(block->name, member));
		}
	}
	for (int i = 0; i < NAMES; i++) {
		put_names(&npz, &names[i]);
	}
	for (int i = 0; i < NUMBERS; i++) {
		abut_npz_begin(&npz, "'<f8'", "");
		abut_bytes_double(&npz.array, numbers[i]);
		abut_npz_end(&npz, member_name(number_names[i], member));
	}
	return abut_npz_finish(&npz);
}

/* --- a table --- */

static void write_row(FILE *file, const char *matrix, const char *row, const char *column, double value)
{
	fputs(matrix, file);
	fputc(',', file);
	abut_csv_write_text(file, row);
	fputc(',', file);
	abut_csv_write_text(file, column);
	abut_csv_write_numbers(file, &value, 1);
	fputc('\n', file);
}

void abut_linear_write_csv(const AbutLinearSystem *system, FILE *file)
{
	Block blocks[BLOCKS];
	double numbers[NUMBERS];
	list_blocks(system, blocks);
	list_numbers(system, numbers);
	fputs("matrix,row,column,value\n", file);
	for (int i = 0; i < NUMBERS; i++) {
		write_row(file, number_names[i], "", "", numbers[i]);
	}
	for (int i = 0; i < BLOCKS; i++) {
		const Block *block = &blocks[i];
		const int n = block->data ? block->n_rows * block->n_columns : 0;
		for (int k = 0; k < n; k++) {
			write_row(file, block->name, block->rows[k / block->n_columns],
			          block->columns ? block->columns[k % block->n_columns] : "", block->data[k]);
		}
	}
}

/* --- JSON --- */

static void write_block(const Block *block, FILE *file)
{
	fprintf(file, ",\n\"%s\": ", block->name);
	if (!block->columns) {
		abut_json_write_numbers(file, ", ", block->data, block->n_rows);
		return;
	}
	for (int row = 0; row < block->n_rows; row++) {
		fputs(row > 0 ? ",\n  " : "[\n  ", file);
		abut_json_write_numbers(file, ", ", &block->data[(size_t)row * (size_t)block->n_columns],
		                        block->n_columns);
	}
	fputs(block->n_rows > 0 ? "]" : "[]", file);
}

void abut_linear_write_json(const AbutLinearSystem *system, FILE *file)
{
	Block blocks[BLOCKS];
	Names names[NAMES];
	double numbers[NUMBERS];
	list_blocks(system, blocks);
	list_names(system, names);
	list_numbers(system, numbers);
	for (int i = 0; i < NUMBERS; i++) {
		fprintf(file, ", \"%s\": ", number_names[i]);
		abut_json_write_number(file, numbers[i]);
	}
	for (int i = 0; i < NAMES; i++) {
		fprintf(file, ",\n\"%s\": [", names[i].name);
		for (int k = 0; k < names[i].n; k++) {
			fputs(k > 0 ? ", " : "", file);
			abut_json_write_string(file, names[i].at[k]);
		}
		fputs("]", file);
	}
	for (int i = 0; i < BLOCKS; i++) {
		if (blocks[i].data) {
			write_block(&blocks[i], file);
		}
	}
}
