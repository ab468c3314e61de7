/* Writes attributes of a model, and finds poses of its bodies. */
#include "io/describe/describing.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "abut/abut.h"
#include "base/error.h"
#include "io/robot/pose.h"
#include "io/text/number.h"

AbutStatus abut_describe_open(AbutDescribing *d, AbutError *error)
{
	const AbutStatus status = abut_state_create(d->model, &d->state, error);
	if (status == ABUT_OK && abut_describe_find_tree(d->def, &d->tree) != ABUT_OK) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory");
	}
	if (status == ABUT_OK) {
		abut_naming_begin(d->names, d->def);
		for (int i = 0; i < d->def->n_bodies; i++) {
			abut_describe_renamed(d, "body", d->def->bodies[i].name, abut_naming_body(d->names, i));
		}
	}
	return abut_describe_end(d, status, error);
}

AbutStatus abut_describe_end(const AbutDescribing *d, AbutStatus status, AbutError *error)
{
	return status == ABUT_OK && d->names->full ? abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory")
	                                           : status;
}

void abut_describe_renamed(const AbutDescribing *d, const char *element, const char *name, const char *now)
{
	if (strcmp(name, now) != 0) {
		abut_describe_note(d, ABUT_APPROXIMATED, element, name, "%s \"%.60s\" is called \"%.60s\"", element,
		                   name, now);
	}
}

void abut_describe_close(AbutDescribing *d)
{
	abut_describe_free_tree(&d->tree);
	abut_naming_free(d->names);
	abut_state_destroy(d->state);
}

void abut_describe_numbers(FILE *file, const char *name, const double *values, int n)
{
	char number[ABUT_NUMBER_SIZE];
	fprintf(file, " %s=\"", name);
	for (int i = 0; i < n; i++) {
		fprintf(file, "%s%s", i > 0 ? " " : "", abut_number_short(values[i], number));
	}
	fputc('"', file);
}

void abut_describe_text(FILE *file, const char *name, const char *text)
{
	fprintf(file, " %s=\"", name);
	for (const char *c = text; *c; c++) {
		if (*c == '<' || *c == '&' || *c == '"') {
			fputs(*c == '<' ? "&lt;" : *c == '&' ? "&amp;" : "&quot;", file);
		} else {
			fputc(*c, file);
		}
	}
	fputc('"', file);
}

void abut_describe_note(const AbutDescribing *d, AbutDescribeLoss loss, const char *element, const char *name,
                        const char *format, ...)
{
	char text[300];
	const int begun = snprintf(text, sizeof text, "%s: ", loss == ABUT_LEFT_OUT ? "left out" : "approximated");
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text + begun, sizeof text - (size_t)begun, format, arguments);
	va_end(arguments);
	d->notes->write(d->notes->context, &(AbutDescribeNote){loss, element, name, text});
}

AbutPose abut_describe_pose(const AbutDescribing *d, int body)
{
	AbutPose pose = abut_pose_identity();
	AbutBodyState state;
	if (abut_state_get_body(d->model, d->state, body, &state) == ABUT_OK) {
		memcpy(pose.position, state.position, sizeof pose.position);
		memcpy(pose.orientation, state.orientation, sizeof pose.orientation);
	}
	return pose;
}

double abut_describe_friction(const AbutDescribing *d, int body)
{
	const double own = d->def->bodies[body].friction;
	return own >= 0.0 ? own : d->def->friction;
}
