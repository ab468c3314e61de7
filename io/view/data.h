/* Holds the arrays of a run's page while they are collected. */
#pragma once

#include "io/run/read.h"
#include "io/view/bits.h"

#include <stdio.h>

enum { ABUT_VIEW_MOST_SECTIONS = 32 };

typedef struct AbutViewSection {
	const char *name; /* a string constant */
	size_t offset, count;
} AbutViewSection;

typedef struct AbutViewData {
	const AbutRunRecord *record;
	long every, n_frames;
	FILE *head; /* memory stream with the JSON object */
	AbutBytes bytes;
	int n_sections;
	AbutViewSection sections[ABUT_VIEW_MOST_SECTIONS];
} AbutViewData;

/* Writes `,"KEY":` and an array of `n` numbers. */
void abut_view_write_vector(FILE *head, const char *key, const double *values, int n);
/* Starts a section at the next multiple of 8 bytes; the caller then appends its `count` elements to data->bytes. */
void abut_view_section(AbutViewData *data, const char *name, size_t count);
/* Appends the bits as a section of bytes and frees them. */
void abut_view_add_bits(AbutViewData *data, const char *name, AbutBits *bits);

/* Returns the number of states shown; below, the state (from 0) shown as `frame`. */
long abut_view_frame_count(const AbutRunRecord *record, long every);
long abut_view_state_of_frame(const AbutRunRecord *record, long every, long frame);
