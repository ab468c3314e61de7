/* The arrays of a run's page as they are gathered. */
#ifndef IO_VIEW_DATA_H
#define IO_VIEW_DATA_H

#include "io/view/bits.h"
#include "io/view/run.h"

enum { ABUT_VIEW_MOST_SECTIONS = 32 };

typedef struct AbutViewSection {
	const char *name; /* static */
	size_t offset, count;
} AbutViewSection;

typedef struct AbutViewData {
	const AbutRunRecord *record;
	long every, n_frames;
	FILE *head; /* the JSON object, into memory */
	uint8_t *bytes;
	size_t n, capacity;
	int n_sections;
	AbutViewSection sections[ABUT_VIEW_MOST_SECTIONS];
	bool failed; /* out of memory */
} AbutViewData;

/* Starts a section at a multiple of 8 bytes; its elements follow by abut_view_add_... */
void abut_view_section(AbutViewData *data, const char *name, size_t count);
void abut_view_add_u8(AbutViewData *data, uint8_t value);
void abut_view_add_u32(AbutViewData *data, uint32_t value);
void abut_view_add_f32(AbutViewData *data, double value);
void abut_view_add_f64(AbutViewData *data, double value);
/* The bits as a section of bytes; frees them. */
void abut_view_add_bits(AbutViewData *data, const char *name, AbutBits *bits);

/* Steps into which a column is rounded: value = first + step * integer, both of single precision. */
typedef struct AbutViewScale {
	double first, step;
} AbutViewScale;

/* For values from `low` to `high`, in no finer steps than `finest` > 0. */
AbutViewScale abut_view_scale(double low, double high, double finest);
int32_t abut_view_round(AbutViewScale scale, double value);

/* The smallest length that is worth telling apart in this scene, m. */
double abut_view_finest_length(const AbutRunRecord *record);

/* What goes into the page, each into its sections and its keys of the head (the first of which follows another). */
AbutStatus abut_view_add_shapes(AbutViewData *data, AbutError *error);
void abut_view_add_motion(AbutViewData *data);
AbutStatus abut_view_add_contacts(AbutViewData *data, AbutError *error);
void abut_view_add_series(AbutViewData *data);

#endif
