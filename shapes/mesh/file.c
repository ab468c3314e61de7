/* Loads a mesh file: checks the file, reads it and repairs the mesh. */
#include "shapes/mesh/file.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "shapes/mesh/apart.h"

/* First bytes of files that are not meshes. */
static const struct {
	const char *bytes;
	size_t length;
	const char *what;
} not_meshes[] = {
    {"\x89PNG", 4, "a PNG image"},      {"\xff\xd8\xff", 3, "a JPEG image"},  {"GIF8", 4, "a GIF image"},
    {"DDS ", 4, "a DDS texture"},       {"II*", 3, "a TIFF image"},           {"MM\0*", 4, "a TIFF image"},
    {"%PDF", 4, "a PDF file"},          {"<!DOCTYPE html", 14, "a web page"}, {"<html", 5, "a web page"},
    {"#?RADIANCE", 10, "an HDR image"}, {"qoif", 4, "a QOI image"},
};

bool abut_has_ending(const char *path, const char *ending)
{
	const size_t n = strlen(path), m = strlen(ending);
	for (size_t i = 0; i < m; i++) {
		if (n <= m || tolower((unsigned char)path[n - m + i]) != ending[i]) {
			return false;
		}
	}
	return true;
}

static AbutStatus fail_file(AbutError *error, const char *path, AbutStatus status, const char *what)
{
	abut_error_set(error, status, NULL, "%s", what);
	if (error) {
		snprintf(error->file, sizeof error->file, "%s", path);
	}
	return status;
}

static AbutStatus check_file(const char *path, AbutError *error)
{
	char start[16] = "", message[128];
	struct stat about;
	const bool exists = stat(path, &about) == 0;
	if (exists && !S_ISREG(about.st_mode)) { /* opening a pipe would wait for a writer */
		return fail_file(error, path, ABUT_ERROR_IO, "is not a file; name a mesh file such as part.stl");
	}
	FILE *file = exists ? fopen(path, "rb") : NULL;
	if (!file) {
		const AbutStatus status = abut_read_status(errno);
		snprintf(message, sizeof message, "cannot open the mesh file: %s", strerror(errno));
		return fail_file(error, path, status, message);
	}
	errno = EIO; /* unless the read says more */
	const size_t n = fread(start, 1, sizeof start, file);
	const int reason = ferror(file) ? errno : 0;
	fclose(file);
	if (reason != 0) {
		snprintf(message, sizeof message, "cannot read the mesh file: %s", strerror(reason));
		return fail_file(error, path, abut_read_status(reason), message);
	}
	if (n == 0) {
		return fail_file(error, path, ABUT_ERROR_PARSE, "is empty; export the mesh again");
	}
	for (size_t i = 0; i < sizeof not_meshes / sizeof *not_meshes; i++) {
		const size_t length = not_meshes[i].length;
		if (n >= length && memcmp(start, not_meshes[i].bytes, length) == 0) {
			snprintf(message, sizeof message, "is %s; name the mesh file that it belongs to",
			         not_meshes[i].what);
			return fail_file(error, path, ABUT_ERROR_PARSE, message);
		}
	}
	return ABUT_OK;
}

static AbutStatus check_options(const AbutMeshOptions *options, AbutError *error)
{
	if (!(options->scale > 0.0 && isfinite(options->scale))) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "scale",
		                      "scale is %g; it must be positive and finite", options->scale);
	}
	if (!(options->unit >= 0.0 && isfinite(options->unit))) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "unit",
		                      "unit is %g; it must be the metres of a unit of the file, or 0", options->unit);
	}
	return ABUT_OK;
}

AbutStatus abut_mesh_load(const char *path, const AbutMeshOptions *options, AbutMesh **out, AbutMeshReport *report,
                          AbutError *error)
{
	const AbutMeshOptions standard = abut_mesh_options_default();
	options = options ? options : &standard;
	if (!path || !out || !report) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "path, out and report must not be NULL");
	}
	*out = NULL;
	*report = (AbutMeshReport){0};
	AbutStatus status = check_options(options, error);
	ABUT_THEN(status, check_file(path, error));
	if (status == ABUT_OK && options->progress && !options->progress(options->context, "reading the file", -1.0)) {
		return abut_error_set(error, ABUT_ERROR_STOPPED, NULL, "stopped while reading the file");
	}
	AbutMesh *raw = NULL;
	if (status == ABUT_OK) {
		status = abut_mesh_read_apart(path, options, &raw, report, error);
		if (status != ABUT_OK && error) {
			snprintf(error->file, sizeof error->file, "%s", path);
		}
	}
	ABUT_THEN(status, abut_mesh_repair(raw, options, out, report, error));
	abut_mesh_destroy(raw);
	return status;
}
