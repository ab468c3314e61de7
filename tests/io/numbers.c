/* Tests numbers as text, and medians of samples. */
#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "io/text/number.h"
#include "io/text/samples.h"

Test(numbers, numbers_ignore_the_locale)
{
	char text[ABUT_NUMBER_SIZE];
	static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8", "ps_AF.UTF-8"};
	for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
		if (setlocale(LC_ALL, locales[i])) {
			cr_expect_str_eq(abut_number_text(-1.5, text), "-1.5");
			cr_expect_str_eq(abut_number_text(1e100, text), "1e+100");
			cr_expect_str_eq(abut_number_short(0.3, text), "0.3");
			double value = 0.0;
			cr_expect(abut_number_parse("-0.25e2", &value) && value == -25.0, "%s", locales[i]);
			cr_expect(!abut_number_parse("0.25.1", &value) && !abut_number_parse("", &value));
			cr_expect(!abut_number_parse(" 1", &value) && !abut_number_parse("1 ", &value));
		}
	}
	setlocale(LC_ALL, "C");
	cr_expect_str_eq(abut_number_text(0.1, text), "0.10000000000000001");
	static const struct {
		double value;
		const char *text;
	} shorts[] = {{0.1, "0.1"},       {1e-6, "1e-06"},   {1.0 / 3.0, "0.3333333333333333"},
	              {5e-324, "5e-324"}, {-0.0, "-0"},      {123456789012345678.0, "1.2345678901234568e+17"},
	              {9.81, "9.81"},     {1e300, "1e+300"}, {0.1 + 0.2, "0.30000000000000004"}};
	for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++) {
		cr_expect_str_eq(abut_number_short(shorts[i].value, text), shorts[i].text);
	}
	cr_expect_eq(strtod(abut_number_text(0.1, text), NULL), 0.1);
	cr_expect_eq(strtod(abut_number_text(5e-324, text), NULL), 5e-324);
}

Test(samples, median)
{
	AbutSamples *samples = malloc(sizeof *samples);
	abut_samples_init(samples);
	cr_expect_eq(abut_samples_median(samples), 0.0);
	for (int i = 0; i < 5; i++) {
		abut_samples_add(samples, (double)((i * 3) % 5));
	}
	cr_expect_eq(abut_samples_median(samples), 2.0);
	abut_samples_init(samples);
	const int n = 3 * ABUT_SAMPLES_MAX; /* past the room: thinned, still the median of a ramp */
	for (int i = 0; i < n; i++) {
		abut_samples_add(samples, (double)i);
	}
	cr_expect_float_eq(abut_samples_median(samples), 0.5 * n, 8.0);
	free(samples);
}
