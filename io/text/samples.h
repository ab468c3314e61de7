/* The median of a stream of numbers in bounded memory: every stride-th one is kept, and the stride doubles when the
 * room is full. Exact up to ABUT_SAMPLES_MAX numbers. */
#ifndef IO_TEXT_SAMPLES_H
#define IO_TEXT_SAMPLES_H

enum { ABUT_SAMPLES_MAX = 1 << 16 };

typedef struct AbutSamples {
	long seen, stride;
	int count;
	double values[ABUT_SAMPLES_MAX];
} AbutSamples;

void abut_samples_init(AbutSamples *samples);
void abut_samples_add(AbutSamples *samples, double value);
/* 0 when there are none. Sorts the values: the last call. */
double abut_samples_median(AbutSamples *samples);

#endif
