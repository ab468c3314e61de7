/* Tests the bytes of a replay page: columns of bits, and a rounded run. The test has its own reader, written from the
 * descriptions in io/view/bits.h and io/view/pack.h. */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/abut.h"
#include "io/view/bits.h"
#include "io/view/data.h"
#include "io/view/pack.h"

/* --- a reader of bits, one at a time --- */

typedef struct Reader {
	const uint8_t *bytes;
	size_t n, at; /* bytes; the next bit */
} Reader;

static uint64_t take(Reader *reader, int n)
{
	uint64_t value = 0;
	for (int i = 0; i < n; i++, reader->at++) {
		cr_assert_lt(reader->at / 8, reader->n, "the bits end too early");
		value |= (uint64_t)(reader->bytes[reader->at / 8] >> (reader->at % 8) & 1) << i;
	}
	return value;
}

static int64_t take_remainder(Reader *reader, int code)
{
	uint64_t ones = 0, u = 0;
	if (code == 0) {
		return 0;
	}
	while (ones < 24 && take(reader, 1) == 1) {
		ones++;
	}
	u = ones == 24 ? take(reader, 32) : ones << (code - 1) | take(reader, code - 1);
	return u % 2 == 0 ? (int64_t)(u / 2) : -(int64_t)((u + 1) / 2);
}

static void take_column(Reader *reader, size_t n, int64_t *out)
{
	int order = 0, code = 0;
	for (size_t i = 0; i < n; i++) {
		if (i % 128 == 0) {
			order = (int)take(reader, 2);
			code = (int)take(reader, 5);
		}
		const int64_t last = i > 0 ? out[i - 1] : 0, before = i > 1 ? out[i - 2] : last;
		const int64_t line = i > 1 ? 2 * last - before : last;
		out[i] = take_remainder(reader, code) + (order == 0 ? 0 : order == 1 ? last : line);
	}
}

/* --- random numbers, from a seed --- */

static uint64_t state = 1;

static double uniform(double low, double high)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}

/* --- columns --- */

enum { LONG = 1000 };

static int32_t value_of(int kind, int i)
{
	switch (kind) {
	case 0:
		return 0;
	case 1:
		return -7;
	case 2:
		return 3 * i - 500;
	case 3:
		return i * i / 3;
	case 4:
		return (int32_t)uniform(-4, 4);
	case 5:
		return (int32_t)uniform(-0x1p28, 0x1p28);
	case 6:
		return i % 2 == 0 ? 1 << 28 : -(1 << 28);
	default: /* rare jumps */
		return uniform(0, 1) < 0.02 ? (int32_t)uniform(-1e6, 1e6) : i / 50;
	}
}

Test(view, columns_of_integers_read_back)
{
	static int32_t values[8][LONG];
	static int64_t back[LONG];
	static const size_t lengths[] = {0, 1, 2, 127, 128, 129, LONG};
	for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
		AbutBits bits = {0};
		for (int kind = 0; kind < 8; kind++) {
			for (int i = 0; i < LONG; i++) {
				values[kind][i] = value_of(kind, i);
			}
			abut_bits_column(&bits, values[kind], lengths[l]);
		}
		abut_bits_finish(&bits);
		cr_assert_not(bits.bytes.failed);
		Reader reader = {bits.bytes.data, bits.bytes.size, 0};
		for (int kind = 0; kind < 8; kind++) {
			take_column(&reader, lengths[l], back);
			for (size_t i = 0; i < lengths[l]; i++) {
				cr_assert_eq(back[i], values[kind][i],
				             "column %d of %zu, value %zu: %lld instead of %d", kind, lengths[l], i,
				             (long long)back[i], values[kind][i]);
			}
		}
		cr_expect_eq((reader.at + 7) / 8, bits.bytes.size, "bits are left over");
		abut_bytes_free(&bits.bytes);
	}
}

Test(view, what_stands_still_takes_no_room)
{
	static int32_t values[1280];
	AbutBits bits = {0};
	for (int i = 0; i < 1280; i++) {
		values[i] = 40000;
	}
	abut_bits_column(&bits, values, 1280);
	abut_bits_finish(&bits);
	cr_assert_not(bits.bytes.failed);
	/* ten blocks of 7 bits, and 128 remainders of the first, where only one is not zero */
	cr_expect_leq(bits.bytes.size, 10 + 128 * 4, "%zu bytes", bits.bytes.size);
	abut_bytes_free(&bits.bytes);
}

/* --- a run --- */

enum { BODY_COLUMNS = 13, CONTACT_COLUMNS = 11 };

static void make_scene(int n_moving, AbutRunRecord *record)
{
	char *text = NULL;
	size_t length = 0;
	AbutError error = {0};
	FILE *file = open_memstream(&text, &length);
	cr_assert_not_null(file);
	fputs("{\"abut\": 1, \"name\": \"</script> \\\"made up\\\"\", \"bodies\": [{\"name\": \"floor\", \"static\": "
	      "true, "
	      "\"shape\": {\"type\": \"halfspace\", \"normal\": [0, 0, 1], \"offset\": 0}}",
	      file);
	for (int i = 0; i < n_moving; i++) {
		fprintf(file,
		        ", {\"name\": \"b%d\", \"mass\": 2, \"position\": [%d, 0, 2], \"shape\": {\"type\": \"box\", "
		        "\"half_extents\": [0.5, 0.4, 0.3]}}",
		        i, 2 * i);
	}
	fputs("]}", file);
	fclose(file);
	cr_assert_eq(abut_scene_parse(text, length, "test.json", 0, NULL, &record->scene, &error), ABUT_OK, "%s: %s",
	             error.where, error.message);
	cr_assert_eq(abut_model_create(abut_scene_def(record->scene), &record->model, &error), ABUT_OK, "%s",
	             error.message);
	record->summary = abut_json_parse("{\"seed\": 7, \"steps\": 3}", 23);
	cr_assert_not_null(record->summary);
	free(text);
}

/* Returns the state of a body that rotates and bounces, ten times in 10,000 states. */
static AbutBodyState tumbling(int body, long frame)
{
	const double t = 0.01 * (double)(frame % 1000) - 5.0, turn = 0.013 * (double)frame + body;
	const double axis[3] = {0.6, 0.0, 0.8};
	AbutBodyState out = {.position = {2.0 * body + 0.1 * sin(turn), 0.001 * (double)frame, 5.0 - 0.18 * t * t},
	                     .linear_velocity = {0.13 * cos(turn), 0.1, -0.36 * t},
	                     .angular_velocity = {0.8, 0.1 * sin(turn), 1.0}};
	out.orientation[0] = cos(0.5 * turn);
	for (int i = 0; i < 3; i++) {
		out.orientation[1 + i] = axis[i] * sin(0.5 * turn);
	}
	return out;
}

static AbutContact random_contact(int body)
{
	const double turn = uniform(0, 6.28), height = uniform(-1, 1), away = sqrt(1 - height * height);
	return (AbutContact){.body_a = 0,
	                     .body_b = body,
	                     .scaling = uniform(1, 1.2),
	                     .gap = uniform(-1e-6, 0.1),
	                     .point = {uniform(-3, 3), uniform(-3, 3), 0},
	                     .normal = {away * cos(turn), away * sin(turn), height},
	                     .normal_impulse = uniform(0, 20),
	                     .friction_impulse = {uniform(-5, 5), uniform(-5, 5), 0}};
}

static void make_run(int n_moving, long n_frames, AbutRunRecord *record)
{
	memset(record, 0, sizeof *record);
	make_scene(n_moving, record);
	record->n_bodies = n_moving + 1;
	record->n_frames = n_frames;
	record->n_steps = n_frames - 1;
	const size_t frames = (size_t)n_frames, bodies = frames * (size_t)record->n_bodies;
	record->times = calloc(frames, sizeof *record->times);
	record->bodies = calloc(bodies, sizeof *record->bodies);
	record->steps = calloc(frames, sizeof *record->steps);
	record->first_contact = calloc(frames + 1, sizeof *record->first_contact);
	record->contacts = calloc(bodies, sizeof *record->contacts);
	cr_assert(record->times && record->bodies && record->steps && record->first_contact && record->contacts);
	long n = 0;
	for (long f = 0; f < n_frames; f++) {
		record->times[f] = 0.01 * (double)f;
		record->first_contact[f] = n;
		record->steps[f] = (AbutRunStep){.iterations = (int)(7 * f % 11), .residual = 1e-9 * (double)f};
		for (int b = 0; b < record->n_bodies; b++) {
			record->bodies[f * record->n_bodies + b] =
			    b > 0 ? tumbling(b, f) : (AbutBodyState){.orientation = {1, 0, 0, 0}};
			if (b > 0 && f > 0 && (f + b) % 3 == 0) {
				record->contacts[n++] = random_contact(b);
			}
		}
	}
	record->first_contact[n_frames] = n;
}

/* Reads the head of the packed bytes, which the caller destroys, and finds the start of the arrays. */
static cJSON *read_head(const AbutBytes *packed, size_t *arrays)
{
	cr_assert_gt(packed->size, 12);
	cr_assert_arr_eq(packed->data, "abut-run", 8);
	size_t length = 0;
	for (int i = 3; i >= 0; i--) {
		length = 256 * length + packed->data[8 + i];
	}
	cr_assert_leq(12 + length, packed->size);
	cJSON *head = cJSON_ParseWithLength((const char *)packed->data + 12, length);
	cr_assert_not_null(head);
	*arrays = (12 + length + 7) / 8 * 8;
	return head;
}

static const uint8_t *section(const AbutBytes *packed, const cJSON *head, size_t arrays, const char *name,
                              size_t *count)
{
	const cJSON *place = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(head, "sections"), name);
	cr_assert_not_null(place, "%s", name);
	const size_t offset = (size_t)cJSON_GetArrayItem(place, 0)->valuedouble;
	*count = (size_t)cJSON_GetArrayItem(place, 1)->valuedouble;
	cr_assert_leq(arrays + offset + *count, packed->size);
	cr_assert_eq(offset % 8, 0);
	return packed->data + arrays + offset;
}

static double body_value(const AbutBodyState *body, int column)
{
	return column < 3    ? body->position[column]
	       : column < 7  ? body->orientation[column - 3]
	       : column < 10 ? body->linear_velocity[column - 7]
	                     : body->angular_velocity[column - 10];
}

/* Returns half a quantisation step, plus the rounding of single precision. */
static double bound(const float scale[2], double value)
{
	return 0.51 * (double)scale[1] + 2e-7 * fabs(value) + 2e-7 * fabs((double)scale[0]);
}

static void expect_motion(const AbutRunRecord *record, const AbutBytes *packed, const cJSON *head, size_t arrays)
{
	size_t n_scales = 0, n_bits = 0;
	const size_t n = (size_t)record->n_frames;
	const uint8_t *const scales = section(packed, head, arrays, "motion_scales", &n_scales);
	const uint8_t *const bits = section(packed, head, arrays, "motion", &n_bits);
	Reader reader = {bits, n_bits, 0};
	int64_t *const column = malloc(BODY_COLUMNS * n * sizeof *column);
	cr_assert_not_null(column);
	cr_assert_eq(n_scales, (size_t)record->n_bodies * BODY_COLUMNS * 2);
	for (int b = 0; b < record->n_bodies; b++) {
		float scale[BODY_COLUMNS][2];
		memcpy(scale, scales + sizeof scale * (size_t)b, sizeof scale);
		for (int c = 0; c < BODY_COLUMNS; c++) {
			take_column(&reader, n, column + (size_t)c * n);
		}
		for (size_t f = 0; f < n; f++) {
			const AbutBodyState *const body = &record->bodies[f * (size_t)record->n_bodies + (size_t)b];
			double back[BODY_COLUMNS], dot = 0.0;
			for (int c = 0; c < BODY_COLUMNS; c++) {
				back[c] = (double)scale[c][0] + (double)scale[c][1] * (double)column[(size_t)c * n + f];
				dot += c >= 3 && c < 7 ? back[c] * body_value(body, c) : 0.0;
			}
			for (int c = 0; c < BODY_COLUMNS; c++) {
				const double sign = c >= 3 && c < 7 && dot < 0.0 ? -1.0 : 1.0,
				             value = body_value(body, c);
				cr_assert_float_eq(sign * back[c], value, bound(scale[c], value),
				                   "body %d, frame %zu, column %d: %g instead of %g", b, f, c, back[c],
				                   value);
			}
		}
	}
	free(column);
}

Test(view, motion_reads_back_to_half_a_step)
{
	AbutRunRecord record;
	AbutBytes packed;
	AbutError error = {0};
	size_t arrays = 0;
	make_run(4, 700, &record);
	cr_assert_eq(abut_view_pack(&record, 1, &packed, &error), ABUT_OK, "%s", error.message);
	cJSON *head = read_head(&packed, &arrays);
	expect_motion(&record, &packed, head, arrays);
	cJSON_Delete(head);
	free(packed.data);
	abut_run_record_free(&record);
}

/* Converts the two numbers of a contact's column, its normal unfolded on the octahedron, to a normal. */
static void unfold(double x, double y, double out[3])
{
	const double z = 1.0 - fabs(x) - fabs(y), u = x, v = y;
	if (z < 0.0) {
		x = copysign(1.0 - fabs(v), u);
		y = copysign(1.0 - fabs(u), v);
	}
	const double length = sqrt(x * x + y * y + z * z);
	out[0] = x / length;
	out[1] = y / length;
	out[2] = z / length;
}

static void expect_contact(const AbutContact *contact, const double back[CONTACT_COLUMNS],
                           const float scales[CONTACT_COLUMNS][2])
{
	const double values[CONTACT_COLUMNS] = {[0] = contact->scaling,
	                                        [1] = contact->gap,
	                                        [2] = contact->point[0],
	                                        [3] = contact->point[1],
	                                        [4] = contact->point[2],
	                                        [7] = contact->normal_impulse,
	                                        [8] = contact->friction_impulse[0],
	                                        [9] = contact->friction_impulse[1],
	                                        [10] = contact->friction_impulse[2]};
	double normal[3];
	for (int c = 0; c < CONTACT_COLUMNS; c++) {
		cr_assert(c == 5 || c == 6 || fabs(back[c] - values[c]) <= bound(scales[c], values[c]),
		          "column %d: %g instead of %g", c, back[c], values[c]);
	}
	unfold(back[5], back[6], normal);
	for (int i = 0; i < 3; i++) {
		cr_assert_float_eq(normal[i], contact->normal[i], 5e-4, "normal: %g instead of %g", normal[i],
		                   contact->normal[i]);
	}
}

Test(view, contacts_read_back_to_half_a_step)
{
	AbutRunRecord record;
	AbutBytes packed;
	AbutError error = {0};
	size_t arrays = 0, count = 0;
	make_run(4, 700, &record);
	cr_assert_eq(abut_view_pack(&record, 1, &packed, &error), ABUT_OK, "%s", error.message);
	cJSON *head = read_head(&packed, &arrays);
	const size_t n = (size_t)cJSON_GetObjectItem(head, "contacts")->valuedouble;
	cr_assert_eq(n, (size_t)record.first_contact[record.n_frames]);
	float scales[CONTACT_COLUMNS][2];
	memcpy(scales, section(&packed, head, arrays, "contact_scales", &count), sizeof scales);
	const uint8_t *const bits = section(&packed, head, arrays, "contact_columns", &count);
	Reader reader = {bits, count, 0};
	int64_t *const columns = malloc((2 + CONTACT_COLUMNS) * n * sizeof *columns);
	cr_assert_not_null(columns);
	for (size_t c = 0; c < 2 + CONTACT_COLUMNS; c++) {
		take_column(&reader, n, columns + c * n);
	}
	const cJSON *pairs = cJSON_GetObjectItem(head, "pairs");
	cr_assert_eq(cJSON_GetArraySize(pairs), 4);
	for (size_t i = 0; i < n; i++) {
		const cJSON *pair = cJSON_GetArrayItem(pairs, (int)columns[i]);
		const int body = cJSON_GetArrayItem(pair, 2)->valueint;
		const int64_t frame = columns[n + i];
		double back[CONTACT_COLUMNS];
		for (size_t c = 0; c < CONTACT_COLUMNS; c++) {
			back[c] = (double)scales[c][0] + (double)scales[c][1] * (double)columns[(2 + c) * n + i];
		}
		long found = -1;
		for (long k = record.first_contact[frame]; k < record.first_contact[frame + 1]; k++) {
			found = record.contacts[k].body_b == body ? k : found;
		}
		cr_assert_geq(found, 0, "frame %lld has no contact of body %d", (long long)frame, body);
		expect_contact(&record.contacts[found], back, scales);
	}
	free(columns);
	cJSON_Delete(head);
	free(packed.data);
	abut_run_record_free(&record);
}

/* Of 700 states, every third and the last one are kept. Each has the worst step since the one before. */
Test(view, a_part_of_the_states_keeps_the_worst_of_the_steps)
{
	AbutRunRecord record;
	AbutBytes packed;
	AbutError error = {0};
	size_t arrays = 0, count = 0;
	make_run(1, 701, &record);
	cr_assert_eq(abut_view_pack(&record, 3, &packed, &error), ABUT_OK);
	cJSON *head = read_head(&packed, &arrays);
	const long n = abut_view_frame_count(&record, 3);
	cr_assert_eq(n, 235); /* 0, 3, ..., 699, and 700 */
	double times[235];
	float iterations[235];
	memcpy(times, section(&packed, head, arrays, "times", &count), sizeof times);
	cr_assert_eq(count, 235);
	memcpy(iterations, section(&packed, head, arrays, "iterations", &count), sizeof iterations);
	for (long f = 1; f < n; f++) {
		const long to = f < n - 1 ? 3 * f : 700;
		int most = 0;
		for (long k = 3 * (f - 1); k < to; k++) {
			most = record.steps[k].iterations > most ? record.steps[k].iterations : most;
		}
		cr_assert_eq(times[f], record.times[to]);
		cr_assert_eq((int)iterations[f], most, "frame %ld", f);
	}
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(head, "name")), "</script> \"made up\"");
	cr_expect_eq(cJSON_GetObjectItem(head, "seed")->valueint, 7);
	cJSON_Delete(head);
	free(packed.data);
	abut_run_record_free(&record);
}

/* 20 MB of base64 are 15 MB of bytes; the bundle needs less than 1. */
Test(view, ten_thousand_states_of_fifty_bodies_are_small)
{
	AbutRunRecord record;
	AbutBytes packed;
	AbutError error = {0};
	make_run(50, 10001, &record);
	cr_assert_eq(abut_view_pack(&record, 1, &packed, &error), ABUT_OK, "%s", error.message);
	cr_expect_lt((double)packed.size, 14e6, "%zu bytes", packed.size);
	free(packed.data);
	abut_run_record_free(&record);
}
