/* Contacts in columns, those of a pair one after the other: which pair, in which frame, and what it is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/view/data.h"

/* The normal by its place on an octahedron (two numbers of -1 to 1), then impulses: along the normal, and friction. */
enum { SCALING, GAP, POINT, NORMAL = 5, IMPULSE = 7, N_COLUMNS = 11 };

typedef struct Row {
	int pair[4]; /* body_a, part_a, body_b, part_b */
	int frame;
	const AbutContact *contact;
} Row;

static int compare(const void *a, const void *b)
{
	const Row *x = a, *y = b;
	for (int i = 0; i < 4; i++) {
		if (x->pair[i] != y->pair[i]) {
			return x->pair[i] < y->pair[i] ? -1 : 1;
		}
	}
	return (x->frame > y->frame) - (x->frame < y->frame);
}

/* The rows of all frames, sorted; how many. */
static long gather(const AbutViewData *data, Row *rows)
{
	const AbutRunRecord *record = data->record;
	long n = 0;
	for (long f = 0; f < data->n_frames; f++) {
		const long state = abut_view_state_of_frame(record, data->every, f);
		for (long c = record->first_contact[state]; c < record->first_contact[state + 1]; c++) {
			const AbutContact *contact = &record->contacts[c];
			rows[n++] = (Row){
			    {contact->body_a, contact->part_a, contact->body_b, contact->part_b}, (int)f, contact};
		}
	}
	qsort(rows, (size_t)n, sizeof *rows, compare);
	return n;
}

/* The normal n as n / (|n_x| + |n_y| + |n_z|), of which x and y are kept; the lower half is folded outwards over the
 * edges of the square: (x, y) becomes (1 - |y|, 1 - |x|) with their signs. */
static double octahedral(const double n[3], int which)
{
	const double sum = fabs(n[0]) + fabs(n[1]) + fabs(n[2]);
	const double own = n[which] / sum, other = n[1 - which] / sum;
	return n[2] >= 0.0 ? own : copysign(1.0 - fabs(other), own);
}

static double value_of(const AbutContact *contact, int column)
{
	switch (column) {
	case SCALING:
		return contact->scaling;
	case GAP:
		return contact->gap;
	case NORMAL:
	case NORMAL + 1:
		return octahedral(contact->normal, column - NORMAL);
	case IMPULSE:
		return contact->normal_impulse;
	case POINT:
	case POINT + 1:
	case POINT + 2:
		return contact->point[column - POINT];
	default:
		return contact->friction_impulse[column - IMPULSE - 1];
	}
}

static AbutViewScale scale_of(const Row *rows, long n, int column, double length)
{
	if (column == NORMAL || column == NORMAL + 1) {
		return (AbutViewScale){-1.0, (double)(float)(1.0 / 4096.0)};
	}
	double low = INFINITY, high = -INFINITY;
	for (long i = 0; i < n; i++) {
		const double value = value_of(rows[i].contact, column);
		low = fmin(low, value);
		high = fmax(high, value);
	}
	const double finest = column == SCALING                  ? 1e-6
	                      : column >= GAP && column < NORMAL ? length
	                                                         : fmax(1e-6 * fmax(-low, high), 1e-30);
	return n > 0 ? abut_view_scale(low, high, finest) : (AbutViewScale){0.0, 1.0};
}

/* The pairs that there are into the head; which of them each row is, and its frame, into the columns. */
static void add_pairs(AbutViewData *data, const Row *rows, long n, int32_t *values, AbutBits *bits)
{
	int pairs = 0;
	fputs(",\"pairs\":[", data->head);
	for (long i = 0; i < n; i++) {
		if (i == 0 || memcmp(rows[i].pair, rows[i - 1].pair, sizeof rows[i].pair) != 0) {
			const int *pair = rows[i].pair;
			fprintf(data->head, "%s[%d,%d,%d,%d]", pairs > 0 ? "," : "", pair[0], pair[1], pair[2],
			        pair[3]);
			pairs++;
		}
		values[i] = pairs - 1;
	}
	fprintf(data->head, "],\"contacts\":%ld", n);
	abut_bits_column(bits, values, (size_t)n);
	for (long i = 0; i < n; i++) {
		values[i] = rows[i].frame;
	}
	abut_bits_column(bits, values, (size_t)n);
}

AbutStatus abut_view_add_contacts(AbutViewData *data, AbutError *error)
{
	const size_t most = (size_t)data->record->first_contact[data->record->n_frames] + 1;
	const double length = abut_view_finest_length(data->record);
	Row *const rows = malloc(most * sizeof *rows);
	int32_t *const values = malloc(most * sizeof *values);
	if (!rows || !values) {
		free(rows);
		free(values);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the replay page");
	}
	AbutBits bits = {NULL, 0, 0, 0, 0, false};
	const long n = gather(data, rows);
	add_pairs(data, rows, n, values, &bits);
	abut_view_section(data, "contact_scales", (size_t)2 * N_COLUMNS);
	for (int column = 0; column < N_COLUMNS; column++) {
		const AbutViewScale scale = scale_of(rows, n, column, length);
		abut_view_add_f32(data, scale.first);
		abut_view_add_f32(data, scale.step);
		for (long i = 0; i < n; i++) {
			values[i] = abut_view_round(scale, value_of(rows[i].contact, column));
		}
		abut_bits_column(&bits, values, (size_t)n);
	}
	abut_view_add_bits(data, "contact_columns", &bits);
	free(rows);
	free(values);
	return ABUT_OK;
}
