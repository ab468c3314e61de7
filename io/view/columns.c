/* Packs what changes during a run into columns over its frames: motion, step results and contacts. */
#include "io/view/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/text/file_text.h"
#include "io/view/rounding.h"

/* Working memory for one column. */
typedef struct Room {
	int32_t *values; /* one per frame or contact */
	double *signs;   /* sign of the quaternion in each frame */
} Room;

/* Returns the smallest length (m) to be resolved in this scene. */
static double finest_length(const AbutRunRecord *record)
{
	const AbutSceneDef *def = abut_scene_def(record->scene);
	double largest = 0.0;
	for (int b = 0; b < def->n_bodies; b++) {
		for (int p = 0; p < def->bodies[b].n_parts; p++) {
			largest = fmax(largest, def->bodies[b].parts[p]->outer_radius);
		}
	}
	return 1e-6 * (largest > 0.0 ? largest : 1.0);
}

/* --- motion: position, quaternion, velocity and angular velocity of each body --- */

enum { QUATERNION = 3, VELOCITY = 7, SPIN = 10, BODY_COLUMNS = 13 };

/* The rounding error of quaternions is about 3e-5 rad. */
static const float quaternion_step = 1.0F / 32767.0F;

static double value_of_body(const AbutBodyState *at, int column)
{
	return column < QUATERNION ? at->position[column]
	       : column < VELOCITY ? at->orientation[column - QUATERNION]
	       : column < SPIN     ? at->linear_velocity[column - VELOCITY]
	                           : at->angular_velocity[column - SPIN];
}

static const AbutBodyState *body_at(const AbutViewData *data, long frame, int body)
{
	const long state = abut_view_state_of_frame(data->record, data->every, frame);
	return &data->record->bodies[state * data->record->n_bodies + body];
}

/* Chooses the sign of each quaternion so that the columns are smooth; q and -q are the same rotation. */
static void choose_signs(const AbutViewData *data, int body, double *signs)
{
	signs[0] = 1.0;
	for (long f = 1; f < data->n_frames; f++) {
		const double *p = body_at(data, f - 1, body)->orientation, *q = body_at(data, f, body)->orientation;
		const double dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
		signs[f] = dot < 0.0 ? -signs[f - 1] : signs[f - 1];
	}
}

/* Adds a column of a body, rounded to steps of at least `finest`; quaternions ignore `finest`. */
static void add_body_column(AbutViewData *data, int body, int column, double finest, const Room *room, AbutBits *bits)
{
	const bool of_quaternion = column >= QUATERNION && column < VELOCITY;
	double low = INFINITY, high = -INFINITY;
	for (long f = 0; f < data->n_frames; f++) {
		const double value = value_of_body(body_at(data, f, body), column);
		low = fmin(low, value);
		high = fmax(high, value);
	}
	const AbutViewScale scale =
	    of_quaternion ? abut_view_put_scale(data, 0.0F, quaternion_step) : abut_view_scale(data, low, high, finest);
	for (long f = 0; f < data->n_frames; f++) {
		const double value = value_of_body(body_at(data, f, body), column);
		room->values[f] = abut_view_round(scale, of_quaternion ? room->signs[f] * value : value);
	}
	abut_bits_column(bits, room->values, (size_t)data->n_frames);
}

static void add_motion(AbutViewData *data, const Room *room)
{
	const AbutRunRecord *record = data->record;
	const double length = finest_length(record), timestep = abut_model_timestep(record->model);
	/* A body that moves by less than a tenth of the finest length per step is shown at rest. */
	const double speed = 0.1 * length / timestep, spin = 1e-7 / timestep;
	const double finest[BODY_COLUMNS] = {length, length, length, 0, 0, 0, 0, speed, speed, speed, spin, spin, spin};
	AbutBits bits = {0};
	abut_view_section(data, "motion_scales", (size_t)record->n_bodies * BODY_COLUMNS * 2);
	for (int body = 0; body < record->n_bodies; body++) {
		choose_signs(data, body, room->signs);
		for (int column = 0; column < BODY_COLUMNS; column++) {
			add_body_column(data, body, column, finest[column], room, &bits);
		}
	}
	abut_view_add_bits(data, "motion", &bits);
}

/* --- step results: for each frame, the worst of the steps since the previous frame --- */

/* X(section, member of AbutRunStep) */
#define STEP_COLUMNS(X)                                                                                                \
	X("penetration", max_penetration)                                                                              \
	X("iterations", iterations)                                                                                    \
	X("residual", residual)                                                                                        \
	X("complementarity", complementarity)                                                                          \
	X("active_contacts", active_contacts)                                                                          \
	X("outcome", outcome)

enum { STEP_COLUMN_COUNT = 6 };

static void values_of_step(const AbutRunStep *step, double values[STEP_COLUMN_COUNT])
{
	int n = 0;
#define ABUT_X(section, member) values[n++] = (double)step->member;
	STEP_COLUMNS(ABUT_X)
#undef ABUT_X
}

/* Returns the largest value of a column in the steps since the previous frame; 0 for the first frame. */
static double worst(const AbutViewData *data, long frame, int column)
{
	double most = 0.0, values[STEP_COLUMN_COUNT];
	const long last = abut_view_state_of_frame(data->record, data->every, frame);
	const long first = frame > 0 ? abut_view_state_of_frame(data->record, data->every, frame - 1) : last;
	for (long k = first; k < last; k++) {
		values_of_step(&data->record->steps[k], values);
		most = fmax(most, values[column]);
	}
	return most;
}

static AbutRunTotals totals_of(const AbutViewData *data, long frame)
{
	const long state = abut_view_state_of_frame(data->record, data->every, frame);
	return state > 0 ? data->record->steps[state - 1].totals : data->record->start;
}

static void add_steps(AbutViewData *data)
{
#define ABUT_X(section, member) section,
	static const char *const sections[STEP_COLUMN_COUNT] = {STEP_COLUMNS(ABUT_X)};
#undef ABUT_X
	const size_t n = (size_t)data->n_frames;
	abut_view_section(data, "times", n);
	for (long f = 0; f < data->n_frames; f++) {
		const long state = abut_view_state_of_frame(data->record, data->every, f);
		abut_bytes_double(&data->bytes, data->record->times[state]);
	}
	abut_view_section(data, "energy", n);
	for (long f = 0; f < data->n_frames; f++) {
		abut_bytes_double(&data->bytes, totals_of(data, f).energy);
	}
	abut_view_section(data, "momentum", 3 * n);
	for (long f = 0; f < data->n_frames; f++) {
		for (int i = 0; i < 3; i++) {
			abut_bytes_float(&data->bytes, (float)totals_of(data, f).momentum[i]);
		}
	}
	for (int c = 0; c < STEP_COLUMN_COUNT; c++) {
		abut_view_section(data, sections[c], n);
		for (long f = 0; f < data->n_frames; f++) {
			abut_bytes_float(&data->bytes, (float)worst(data, f, c));
		}
	}
	/* The run ended early if its last step was not solved and so has no frame. */
	fprintf(data->head, ",\"ended_early\":%s", data->record->n_steps == data->record->n_frames ? "true" : "false");
}

/* --- contacts, sorted by pair, then by frame --- */

/* The normal has two columns, its point on an octahedron (from -1 to 1). IMPULSE is the normal impulse; the three
 * columns of the friction impulse follow. */
enum { SCALING, GAP, POINT, NORMAL = 5, IMPULSE = 7, CONTACT_COLUMNS = 11 };

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

/* Fills the sorted rows of all frames; returns the number of rows. */
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

/* Returns x or y of n / (|n_x| + |n_y| + |n_z|), a point on an octahedron. Points with n_z < 0 are folded outwards over
 * the edges of the square: (x, y) becomes (1 - |y|, 1 - |x|) with the signs of x and y. */
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

/* Adds a column of `n` contacts; lengths are rounded to steps of at least `length`. */
static void add_contact_column(AbutViewData *data, const Row *rows, long n, int column, double length, int32_t *values,
                               AbutBits *bits)
{
	double low = INFINITY, high = -INFINITY;
	for (long i = 0; i < n; i++) {
		const double value = value_of(rows[i].contact, column);
		low = fmin(low, value);
		high = fmax(high, value);
	}
	const double finest = column == SCALING                  ? 1e-6
	                      : column >= GAP && column < NORMAL ? length
	                                                         : fmax(1e-6 * fmax(-low, high), 1e-30);
	const bool of_normal = column == NORMAL || column == NORMAL + 1;
	const AbutViewScale scale = of_normal ? abut_view_put_scale(data, -1.0F, 1.0F / 4096.0F)
	                            : n > 0   ? abut_view_scale(data, low, high, finest)
	                                      : abut_view_put_scale(data, 0.0F, 1.0F);
	for (long i = 0; i < n; i++) {
		values[i] = abut_view_round(scale, value_of(rows[i].contact, column));
	}
	abut_bits_column(bits, values, (size_t)n);
}

/* Adds the list of pairs to the head. Adds two columns: the pair and the frame of each row. */
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

static AbutStatus add_contacts(AbutViewData *data, int32_t *values, AbutError *error)
{
	const size_t most = (size_t)data->record->first_contact[data->record->n_frames] + 1;
	Row *const rows = malloc(most * sizeof *rows);
	if (!rows) {
		return abut_fail_memory(error, "the replay page");
	}
	AbutBits bits = {0};
	const long n = gather(data, rows);
	add_pairs(data, rows, n, values, &bits);
	abut_view_section(data, "contact_scales", (size_t)2 * CONTACT_COLUMNS);
	for (int column = 0; column < CONTACT_COLUMNS; column++) {
		add_contact_column(data, rows, n, column, finest_length(data->record), values, &bits);
	}
	abut_view_add_bits(data, "contact_columns", &bits);
	free(rows);
	return ABUT_OK;
}

AbutStatus abut_view_add_columns(AbutViewData *data, AbutError *error)
{
	const size_t n_frames = (size_t)data->n_frames;
	const size_t n_contacts = (size_t)data->record->first_contact[data->record->n_frames] + 1;
	const Room room = {malloc((n_frames > n_contacts ? n_frames : n_contacts) * sizeof *room.values),
	                   malloc(n_frames * sizeof *room.signs)};
	AbutStatus status = ABUT_ERROR_MEMORY;
	if (room.values && room.signs) {
		add_motion(data, &room);
		add_steps(data);
		status = add_contacts(data, room.values, error);
	} else {
		status = abut_fail_memory(error, "the replay page");
	}
	free(room.values);
	free(room.signs);
	return status;
}
