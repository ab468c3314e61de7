/* A random scene while it is written. Its numbers are drawn from one stream of random numbers. */
#pragma once

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/rng.h"
#include "random_scene.h"

typedef struct Writer {
	AbutRng rng;
	char *text;
	size_t length;
	bool plain, jointed;      /* only shapes that have contact points; the scene has joints */
	double unit;              /* m: the length of the scene */
	double height;            /* m: the top of the bodies so far */
	double mass;              /* kg: of a typical body; 0: masses from 1e-9 to 1e9 */
	double z[EXTREME_BODIES]; /* m: heights of the bodies' origins */
} Writer;

__attribute__((format(printf, 2, 3))) static inline void add(Writer *w, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	w->length += (size_t)vsnprintf(w->text + w->length, EXTREME_TEXT_SIZE - w->length, format, values);
	va_end(values);
}

static inline double uniform(Writer *w, double low, double high)
{
	return abut_rng_uniform(&w->rng, low, high);
}

/* Draws a number whose decimal logarithm is uniform. */
static inline double spread(Writer *w, double low, double high)
{
	return pow(10.0, uniform(w, low, high));
}

static inline int choose(Writer *w, int n)
{
	return (int)(abut_rng_next(&w->rng) % (uint64_t)n);
}

static inline bool chance(Writer *w, double probability)
{
	return uniform(w, 0.0, 1.0) < probability;
}
