/* Reads numbers and paths from attributes. */
#include "io/robot/values.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/eigen3.h"
#include "base/vec3.h"
#include "io/robot/importer.h"
#include "io/text/number.h"
#include "io/text/words.h"

enum { NUMBER_MAX = 63 };

/* Copies the next word from `*at` and advances `*at`; returns false at the end. A longer word is cut at NUMBER_MAX
 * characters. */
static bool next_word(const char **at, char word[NUMBER_MAX + 1])
{
	size_t n = 0;
	while (isspace((unsigned char)**at)) {
		++*at;
	}
	while (**at && !isspace((unsigned char)**at) && n < NUMBER_MAX) {
		word[n++] = *(*at)++;
	}
	word[n] = '\0';
	return n > 0;
}

int abut_importer_numbers(AbutImporter *importer, const AbutXml *at, const char *name, const char *text, int least,
                          int most, double *out)
{
	char word[NUMBER_MAX + 1], quoted[ABUT_QUOTE_SIZE];
	const char *rest = text;
	int n = 0;
	if (!text || importer->status != ABUT_OK) {
		return 0;
	}
	while (next_word(&rest, word)) {
		double value = 0.0;
		if (!abut_number_parse(word, &value) || !(fabs(value) <= 1e9)) {
			abut_importer_fail(importer, at, "%s: must be numbers of at most 1e9 in size, is %s", name,
			                   abut_text_quote(word, quoted));
			return 0;
		}
		if (n < most) {
			out[n] = value;
		}
		n++;
	}
	if (n < least || n > most) {
		abut_importer_fail(importer, at, "%s: must be %s%d number%s, is %d: %s", name,
		                   least == most ? "" : "up to ", most, most == 1 ? "" : "s", n,
		                   abut_text_quote(text, quoted));
		return 0;
	}
	return n;
}

int abut_importer_attribute(AbutImporter *importer, const AbutXml *at, const char *name, int least, int most,
                            double *out)
{
	return abut_importer_numbers(importer, at, name, abut_xml_get(at, name), least, most, out);
}

void abut_importer_positive(AbutImporter *importer, const AbutXml *at, const char *name, const double *values, int n)
{
	for (int i = 0; i < n; i++) {
		if (!(values[i] >= 1e-9)) {
			abut_importer_fail(importer, at, "%s: must be at least 1e-9, is %g", name, values[i]);
			return;
		}
	}
}

void abut_importer_scale(AbutImporter *importer, const AbutXml *at, const char *text, double scale[3])
{
	if (abut_importer_numbers(importer, at, "scale", text, 3, 3, scale) > 0) {
		const double size[3] = {fabs(scale[0]), fabs(scale[1]), fabs(scale[2])};
		abut_importer_positive(importer, at, "scale", size, 3);
	}
}

/* Lowers the largest principal moment c to the sum of the others, a + b: subtracts c - a - b times the projector on its
 * axis, (J - a) (J - b) / ((c - a) (c - b)). */
static void lower(double J[9], const double values[3])
{
	double first[9], second[9], product[9];
	const double excess = values[2] - values[0] - values[1];
	for (int i = 0; i < 9; i++) {
		first[i] = J[i] - (i % 4 == 0 ? values[0] : 0.0);
		second[i] = J[i] - (i % 4 == 0 ? values[1] : 0.0);
	}
	abut_mat3_mul(first, second, product);
	for (int i = 0; i < 9; i++) {
		J[i] -= excess * product[i] / ((values[2] - values[0]) * (values[2] - values[1]));
	}
}

/* Makes the inertia one that a part of a body, possibly a point or a rod, can have. No principal moment may be negative
 * or exceed the sum of the others, up to rounding in the model file. An excess of a tenth or less is taken off with a
 * note. Returns false for any other. */
static bool make_possible(AbutImporter *importer, const AbutXml *at, double J[9])
{
	double values[3];
	abut_eigenvalues3(J, values);
	const double sum = values[0] + values[1];
	if (values[0] < -1e-9 * values[2] || values[2] > 1.1 * sum) {
		return false;
	}
	if (values[2] > sum * (1.0 + 1e-9)) {
		lower(J, values);
		abut_importer_note(importer, at,
		                   "approximated: the largest principal moment of inertia, %g, exceeds the sum of the "
		                   "others; it is lowered to this sum, %g",
		                   values[2], sum);
	}
	return true;
}

void abut_importer_inertia(AbutImporter *importer, const AbutXml *at, const double six[6], const double orientation[4],
                           double out[9])
{
	double J[9] = {six[0], six[3], six[4], six[3], six[1], six[5], six[4], six[5], six[2]};
	double R[9], turned[9];
	const bool possible = importer->status != ABUT_OK || make_possible(importer, at, J);
	abut_quat_to_mat3(orientation, R);
	abut_mat3_mul(R, J, turned);
	abut_mat3_mul_transposed(turned, R, out);
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < i; k++) {
			out[3 * i + k] = out[3 * k + i];
		}
	}
	if (!possible) {
		abut_importer_fail(
		    importer, at,
		    "the inertia xx %g, yy %g, zz %g, xy %g, xz %g, yz %g is impossible: its principal "
		    "moments must be at least 0 and none may exceed the sum of the others by more than a tenth",
		    six[0], six[1], six[2], six[3], six[4], six[5]);
	}
}

char *abut_importer_path(AbutImporter *importer, const char *file, const char *folder, const char *name)
{
	const char *const slash = strrchr(file, '/');
	const int stem = slash && folder[0] != '/' && name[0] != '/' ? (int)(slash - file) + 1 : 0;
	const bool has_folder = folder[0] && name[0] != '/';
	const size_t size = strlen(file) + strlen(folder) + strlen(name) + 3;
	char *const path = malloc(size);
	if (!path) {
		abut_importer_no_memory(importer);
		return NULL;
	}
	snprintf(path, size, "%.*s%s%s%s", stem, file, has_folder ? folder : "",
	         has_folder && folder[strlen(folder) - 1] != '/' ? "/" : "", name);
	return path;
}
