/* Computes the median of a stream of numbers. */
#include "io/text/samples.h"

#include "base/sort.h"

void abut_samples_init(AbutSamples *samples)
{
	samples->seen = 0;
	samples->stride = 1;
	samples->count = 0;
}

void abut_samples_add(AbutSamples *samples, double value)
{
	if (samples->seen++ % samples->stride != 0) {
		return;
	}
	if (samples->count == ABUT_SAMPLES_MAX) {
		for (int i = 0; i < ABUT_SAMPLES_MAX / 2; i++) {
			samples->values[i] = samples->values[2 * i];
		}
		samples->count = ABUT_SAMPLES_MAX / 2;
		samples->stride *= 2;
	}
	samples->values[samples->count++] = value;
}

double abut_samples_median(AbutSamples *samples)
{
	const int n = samples->count;
	if (n == 0) {
		return 0.0;
	}
	abut_sort_numbers(samples->values, (size_t)n);
	return 0.5 * (samples->values[(n - 1) / 2] + samples->values[n / 2]);
}
