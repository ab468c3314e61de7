/* Computes the median of a stream of numbers in bounded memory. Every `stride`-th number is kept; the stride doubles
 * when the memory is full. The median is exact up to ABUT_SAMPLES_MAX numbers. */
#pragma once

enum { ABUT_SAMPLES_MAX = 1 << 16 };

typedef struct AbutSamples {
	long seen, stride;
	int count;
	double values[ABUT_SAMPLES_MAX];
} AbutSamples;

void abut_samples_init(AbutSamples *samples);
void abut_samples_add(AbutSamples *samples, double value);
/* Returns the median, or 0 without numbers. Sorts the values, so add no numbers afterwards. */
double abut_samples_median(AbutSamples *samples);
