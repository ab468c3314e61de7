/* abut mesh FILE */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/mesh_report.h"
#include "io/mesh/decomposition_cache.h"
#include "io/text/output_target.h"

typedef struct Options {
	bool hull, decompose, no_cache, inner, outer, json, quiet;
	const char *scale, *unit, *up, *out, *faces, *concavity, *parts;
	unsigned long long seed;
	int max_faces, max_parts;
	double bound; /* on concavity; 0: the default */
	AbutMeshOptions mesh;
} Options;

/* --- interruption and progress --- */

static bool show_progress(void *context, const char *stage, double part)
{
	const bool *shows = context;
	if (*shows && part >= 0.0) {
		fprintf(stderr, "\r\033[K%s: %.0f %%", stage, 100.0 * part);
	} else if (*shows) {
		fprintf(stderr, "\r\033[K%s", stage);
	}
	return !abut_interrupted();
}

static void clear_progress(bool shows)
{
	if (shows) {
		fputs("\r\033[K", stderr);
	}
}

/* --- options --- */

static bool read_positive(const char *name, const char *text, double *out)
{
	char *end = NULL;
	if (!text) {
		return true;
	}
	errno = 0;
	*out = strtod(text, &end);
	if (end == text || *end != '\0' || !isfinite(*out) || !(*out > 0.0) || errno == ERANGE) {
		abut_report("mesh: --%s is '%s'; it must be a positive number", name, text);
		return false;
	}
	return true;
}

static bool read_count(const char *name, const char *text, int least, int *out)
{
	char *end = NULL;
	if (!text) {
		return true;
	}
	errno = 0;
	const long count = strtol(text, &end, 10);
	if (end == text || *end != '\0' || errno != 0 || count < least || count > INT_MAX) {
		abut_report("mesh: --%s is '%s'; it must be an integer from %d to %d", name, text, least, INT_MAX);
		return false;
	}
	*out = (int)count;
	return true;
}

static bool read_up(const char *text, AbutMeshUp *out)
{
	static const char *const axes[] = {"x", "y", "z"};
	for (int i = 0; text && i < 3; i++) {
		if (strcmp(text, axes[i]) == 0) {
			*out = (AbutMeshUp)(ABUT_MESH_UP_X + i);
			return true;
		}
	}
	if (text) {
		abut_report("mesh: --up is '%s'; it must be x, y or z: the axis of the file that points up", text);
	}
	return !text;
}

static bool read_options(Options *options)
{
	const char *known = NULL;
	options->mesh = abut_mesh_options_default();
	if (!read_positive("scale", options->scale, &options->mesh.scale) ||
	    !read_count("faces", options->faces, 4, &options->max_faces) ||
	    !read_positive("concavity", options->concavity, &options->bound) ||
	    !read_count("max-parts", options->parts, 1, &options->max_parts) ||
	    !read_up(options->up, &options->mesh.up)) {
		return false;
	}
	if (options->unit && !abut_mesh_unit(options->unit, &options->mesh.unit, &known)) {
		abut_report("mesh: --unit is '%s'; it must be one of %s", options->unit, known);
		return false;
	}
	if ((options->concavity || options->parts) && !options->decompose) {
		abut_report("mesh: --concavity and --max-parts go with --decompose");
		return false;
	}
	if (options->decompose && (options->inner || options->hull)) {
		abut_report("mesh: --decompose excludes --hull and --inner: its hulls contain the mesh");
		return false;
	}
	if (options->inner && options->outer) {
		abut_report("mesh: --inner and --outer exclude each other");
		return false;
	}
	return true;
}

/* --- the work --- */

/* FNV-1a, for provenance: a file that has changed has another one. */
static unsigned long long hash_file(const char *path)
{
	uint64_t hash = ABUT_HASH_START;
	unsigned char bytes[1 << 14];
	FILE *file = fopen(path, "rb");
	for (size_t n = 0; file && (n = fread(bytes, 1, sizeof bytes, file)) > 0;) {
		hash = abut_hash_bytes(hash, bytes, n);
	}
	if (file) {
		fclose(file);
	}
	return hash;
}

static AbutStatus decompose(AbutMeshResult *result, const AbutMesh *mesh, const AbutMeshOptions *mesh_options,
                            AbutError *error)
{
	const AbutDecomposeOptions options = {.concavity = result->concavity,
	                                      .max_parts = result->max_parts,
	                                      .max_faces = result->max_faces,
	                                      .progress = mesh_options->progress,
	                                      .context = mesh_options->context};
	return abut_decompose_cached(mesh, &options, result->cache ? result->path : NULL, &result->parts,
	                             &result->cache_warning, error);
}

/* A mesh that lies in less than half of its hull is not much like it. */
static void warn_hollow(AbutMeshResult *result)
{
	const double part = result->mass.volume / result->hull.hull.volume;
	if (result->has_mass && part < 0.5 && result->n_warnings < ABUT_MESH_WARNINGS_MAX) {
		snprintf(result->warnings[result->n_warnings++], ABUT_MESH_WARNING_SIZE,
		         "the mesh fills %.0f %% of its hull: its hollows will be solid to what touches it",
		         100.0 * part);
	}
}

static void warn_cache(AbutMeshResult *result)
{
	if (result->cache_warning.message[0]) {
		snprintf(result->warnings[result->n_warnings++], ABUT_MESH_WARNING_SIZE, "%.*s",
		         ABUT_MESH_WARNING_SIZE - 1, result->cache_warning.message);
	}
}

static AbutStatus convert(AbutMeshResult *result, const AbutMeshOptions *options, AbutError *error)
{
	AbutMesh *mesh = NULL;
	AbutStatus status = abut_mesh_load(result->path, options, &mesh, &result->mesh, error);
	if (status == ABUT_OK) {
		status = abut_mesh_hull_with_progress(mesh, result->decompose ? 0 : result->max_faces, result->fit,
		                                      options->progress, options->context, &result->shape,
		                                      &result->hull, error);
	}
	AbutError no_mass = {0};
	if (status == ABUT_OK) {
		result->has_mass = abut_mesh_mass_in_hull(mesh, &result->hull.hull, &result->mass, &no_mass) == ABUT_OK;
	}
	if (status == ABUT_OK && result->decompose) {
		status = decompose(result, mesh, options, error);
	}
	abut_mesh_destroy(mesh);
	if (status != ABUT_OK) {
		return status;
	}
	result->n_warnings = abut_mesh_warnings(&result->mesh, result->warnings);
	if (!result->has_mass && result->mesh.closed) {
		snprintf(result->warnings[result->n_warnings++], ABUT_MESH_WARNING_SIZE,
		         "mass and inertia are those of the hull: %.*s", ABUT_MESH_WARNING_SIZE - 48, no_mass.message);
	}
	if (!result->decompose) {
		warn_hollow(result);
	} else {
		result->n_warnings += abut_decomposition_warnings(result->parts, &result->warnings[result->n_warnings]);
		warn_cache(result);
	}
	status = abut_shape_set_mass(result->shape, &result->mass, error);
	return status == ABUT_OK && result->parts
	           ? abut_decomposition_bundle(result->parts, &result->mass, &result->bundle, error)
	           : status;
}

static int write_out(const AbutMeshResult *result, const char *path)
{
	AbutTarget target = {0};
	AbutError error = {0};
	AbutStatus status = abut_target_open(&target, NULL, path, &error);
	if (status == ABUT_OK) {
		(result->parts ? abut_mesh_write_union : abut_mesh_write)(target.file, result);
	}
	status = abut_target_end(&target, status, &error);
	return status == ABUT_OK ? ABUT_EXIT_DONE : abut_report_error(&error, abut_exit_status(&error));
}

static int print(const AbutMeshResult *result, const Options *options)
{
	for (int i = 0; i < result->n_warnings && !options->json; i++) {
		abut_report("%s: warning: %s", result->path, result->warnings[i]);
	}
	if (options->json) {
		abut_mesh_print_json(result);
	} else if (!options->quiet) {
		abut_mesh_print(result);
	}
	return abut_finish_stdout(ABUT_EXIT_DONE);
}

/* Whether both paths name one file. */
static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int run(const char *path, Options *options)
{
	if (options->out && is_same_file(path, options->out)) {
		abut_report("mesh: --out %s is the mesh itself, which would be lost; give it another name",
		            options->out);
		return ABUT_EXIT_USAGE;
	}
	bool shows = !options->quiet && isatty(STDERR_FILENO);
	AbutError error = {0};
	AbutMeshResult result = {.path = path,
	                         .seed = options->seed,
	                         .max_faces = options->max_faces,
	                         .decompose = options->decompose,
	                         .cache = !options->no_cache,
	                         .concavity = options->bound,
	                         .max_parts = options->max_parts,
	                         .fit = options->inner ? ABUT_MESH_FIT_INNER : ABUT_MESH_FIT_OUTER};
	options->mesh.progress = show_progress;
	options->mesh.context = &shows;
	abut_interrupt_catch();
	const AbutStatus status = convert(&result, &options->mesh, &error);
	clear_progress(shows);
	int exit_status = ABUT_EXIT_DONE;
	if (abut_interrupted()) {
		abut_report("mesh: interrupted; nothing was written");
		exit_status = ABUT_EXIT_MACHINE;
	} else if (status != ABUT_OK) {
		if (!error.file[0]) {
			snprintf(error.file, sizeof error.file, "%s", path);
		}
		exit_status = abut_report_error(&error, ABUT_EXIT_USAGE);
	} else {
		result.hash = hash_file(path);
		exit_status = options->out ? write_out(&result, options->out) : ABUT_EXIT_DONE;
		exit_status = exit_status == ABUT_EXIT_DONE ? print(&result, options) : exit_status;
	}
	abut_shape_destroy(result.shape);
	abut_decomposition_destroy(result.parts);
	abut_bundle_destroy(result.bundle);
	return exit_status;
}

int abut_verb_mesh(int argc, char **argv)
{
	Options options = {0};
	const AbutOption known[] = {
	    {"hull", ABUT_OPTION_FLAG, &options.hull},
	    {"faces", ABUT_OPTION_TEXT, &options.faces},
	    {"inner", ABUT_OPTION_FLAG, &options.inner},
	    {"outer", ABUT_OPTION_FLAG, &options.outer},
	    {"scale", ABUT_OPTION_TEXT, &options.scale},
	    {"unit", ABUT_OPTION_TEXT, &options.unit},
	    {"up", ABUT_OPTION_TEXT, &options.up},
	    {"out", ABUT_OPTION_TEXT, &options.out},
	    {"json", ABUT_OPTION_FLAG, &options.json},
	    {"quiet", ABUT_OPTION_FLAG, &options.quiet},
	    {"seed", ABUT_OPTION_NUMBER, &options.seed},
	    {"decompose", ABUT_OPTION_FLAG, &options.decompose},
	    {"no-cache", ABUT_OPTION_FLAG, &options.no_cache},
	    {"concavity", ABUT_OPTION_TEXT, &options.concavity},
	    {"max-parts", ABUT_OPTION_TEXT, &options.parts},
	};
	const char *path = NULL;
	int exit_status = ABUT_EXIT_USAGE;
	if (abut_args_parse("mesh", argc, argv, known, sizeof known / sizeof *known, 1, 1, &path, &exit_status)) {
		exit_status = read_options(&options) ? run(path, &options) : ABUT_EXIT_USAGE;
	}
	return exit_status;
}
